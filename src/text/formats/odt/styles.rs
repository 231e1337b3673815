//! The styles of an `OpenDocument`, as far as they hide text.

use std::collections::BTreeMap;

use super::super::look::{Ground, Look, is_white};
use super::super::xml::{Element, Event, Reader};
use super::Refusal;

/// The longest line of styles each of which has the next as its parent; further ones add
/// nothing.
const LONGEST_LINE: usize = 32;

/// The largest size, in points, that nobody can read.
const TINY: f64 = 1.0;

/// The styles of a document, by family and name; the name of a family's default is empty.
#[derive(Default)]
pub(super) struct Styles {
    families: BTreeMap<String, BTreeMap<String, Style>>,
    /// What the pages lay under the text.
    pub(super) page: Option<Ground>,
}

#[derive(Default)]
struct Style {
    parent: Option<String>,
    look: Look,
}

impl Styles {
    /// Reads the styles of a part, up to its body.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where it is not well formed so far.
    pub(super) fn read(&mut self, reader: &mut Reader) -> Result<(), Refusal> {
        let (mut family, mut name) = (String::new(), String::new());
        while let Some(event) = reader.next()? {
            let Event::Open(element) = event else { continue };
            match element.name() {
                "body" | "master-styles" => return Ok(()),
                "style" | "default-style" => {
                    family = element.attribute("family").unwrap_or_default().into_owned();
                    name = match element.name() {
                        "style" => element.attribute("name").unwrap_or_default().into_owned(),
                        _ => String::new(),
                    };
                    let parent =
                        element.attribute("parent-style-name").map(std::borrow::Cow::into_owned);
                    let style = Style { parent, look: Look::default() };
                    self.families.entry(family.clone()).or_default().insert(name.clone(), style);
                }
                "page-layout-properties" => self.page = ground(&element).or(self.page),
                properties if properties.ends_with("-properties") => {
                    let styles = self.families.get_mut(&family);
                    if let Some(style) = styles.and_then(|styles| styles.get_mut(&name)) {
                        style.look = said(&element).over(style.look);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// What a style says, with its parents and its family's default.
    pub(super) fn look(&self, family: &str, name: &str) -> Look {
        let mut look = Look::default();
        let Some(styles) = self.families.get(family) else { return look };
        let mut next = Some(name);
        for _ in 0..LONGEST_LINE {
            let Some(style) = next.and_then(|name| styles.get(name)) else { break };
            look = look.over(style.look);
            next = style.parent.as_deref();
        }
        styles.get("").map_or(look, |default| look.over(default.look))
    }
}

/// What the properties of a style say.
fn said(properties: &Element) -> Look {
    let mut look = Look::on(ground(properties));
    if properties.name() == "text-properties" {
        look.hidden = properties.attribute("display").map(|display| display == "none");
        look.white = properties.attribute("color").map(|colour| is_white(&colour) == Some(true));
        // The colour of the window is black on white and white on black.
        if properties.attribute("use-window-font-color").as_deref() == Some("true") {
            look.white = Some(false);
        }
        look.tiny = properties.attribute("font-size").and_then(|size| is_tiny(&size));
    }
    look
}

fn ground(properties: &Element) -> Option<Ground> {
    is_white(&properties.attribute("background-color")?).map(Ground::of)
}

/// Whether a size is too small to read; none where it is relative.
fn is_tiny(size: &str) -> Option<bool> {
    let units = [("pt", 1.0), ("in", 72.0), ("cm", 72.0 / 2.54), ("mm", 7.2 / 2.54)];
    let points = units
        .iter()
        .find_map(|(unit, points)| Some(size.strip_suffix(unit)?.parse::<f64>().ok()? * points))?;
    Some(points <= TINY)
}
