//! The styles of a document of Word, as far as they hide text.

use std::collections::BTreeMap;

use super::super::look::{Ground, Look};
use super::super::xml::{Element, Event, Reader};
use super::{Refusal, properties};

/// The longest line of styles each of which is based on the next; further ones add nothing.
const LONGEST_LINE: usize = 32;

/// The styles of a document; without any, nothing is hidden by one.
#[derive(Default)]
pub(super) struct Styles {
    by_id: BTreeMap<String, Style>,
    /// What holds of every run unless something else is said.
    pub(super) defaults: Look,
    /// The style of paragraphs that name none.
    of_paragraphs: Option<String>,
}

#[derive(Default)]
struct Style {
    based_on: Option<String>,
    look: Look,
}

/// Where in the part an element stands.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Place {
    Style,
    Defaults,
    /// Properties of runs, of a style or of all.
    Runs,
    /// Properties of paragraphs, of a style.
    Paragraphs,
    Elsewhere,
}

impl Styles {
    /// Reads the part of the styles.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where it is not well formed.
    pub(super) fn read(reader: &mut Reader) -> Result<Self, Refusal> {
        let mut styles = Self::default();
        let mut places = Vec::new();
        let (mut id, mut style, mut is_table) = (String::new(), Style::default(), false);
        while let Some(event) = reader.next()? {
            match event {
                Event::Open(element) => {
                    let parent = places.last().copied().unwrap_or(Place::Elsewhere);
                    if element.name() == "style" {
                        let kind = element.attribute("type");
                        is_table = kind.as_deref() == Some("table");
                        id = element.attribute("styleId").unwrap_or_default().into_owned();
                        style = Style::default();
                        if kind.as_deref() == Some("paragraph") && is_default(&element) {
                            styles.of_paragraphs = Some(id.clone());
                        }
                    }
                    style.add(&element, parent, is_table, &mut styles.defaults);
                    places.push(Place::of(&element, parent, &places));
                }
                Event::Close => {
                    if places.pop() == Some(Place::Style) {
                        styles.by_id.insert(std::mem::take(&mut id), std::mem::take(&mut style));
                    }
                }
                Event::Text(_) => {}
            }
        }
        Ok(styles)
    }

    /// What a style says, with those that it is based on; nothing where there is none such.
    pub(super) fn look(&self, id: &str) -> Look {
        let mut look = Look::default();
        let mut next = Some(id);
        for _ in 0..LONGEST_LINE {
            let Some(style) = next.and_then(|id| self.by_id.get(id)) else { break };
            look = look.over(style.look);
            next = style.based_on.as_deref();
        }
        look
    }

    /// What the style of paragraphs that name none says.
    pub(super) fn look_of_paragraphs(&self) -> Look {
        self.of_paragraphs.as_deref().map_or_else(Look::default, |id| self.look(id))
    }
}

impl Style {
    fn add(&mut self, element: &Element, parent: Place, is_table: bool, defaults: &mut Look) {
        match (element.name(), parent) {
            ("basedOn", Place::Style) => {
                self.based_on = element.attribute("val").map(std::borrow::Cow::into_owned);
            }
            // Which cells a style of tables shades is not worked out: any of them may be dark.
            ("shd", _) if is_table => {
                let shade = properties::shade(element);
                if self.look.ground != Some(Ground::Other) {
                    self.look.ground = shade.or(self.look.ground);
                }
            }
            ("shd", Place::Paragraphs) => {
                self.look.ground = self.look.ground.or(properties::shade(element));
            }
            (_, Place::Runs) => properties::add(&mut self.look, element),
            (_, Place::Defaults) => properties::add(defaults, element),
            _ => {}
        }
    }
}

impl Place {
    fn of(element: &Element, parent: Self, places: &[Self]) -> Self {
        match (element.name(), parent) {
            ("style", _) => Self::Style,
            ("rPr", Self::Style) => Self::Runs,
            ("pPr", Self::Style) => Self::Paragraphs,
            // docDefaults/rPrDefault/rPr, the one set of properties in no style
            ("rPr", Self::Elsewhere) if !places.contains(&Self::Style) => Self::Defaults,
            _ => Self::Elsewhere,
        }
    }
}

fn is_default(style: &Element) -> bool {
    matches!(style.attribute("default").as_deref(), Some("1" | "true" | "on"))
}
