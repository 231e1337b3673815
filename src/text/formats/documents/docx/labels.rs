//! The words in the labels of lists, such as *Chapter* in *Chapter 1* (ECMA-376, part 1, 17.9).
//! Numbers are not computed: a label without a word is left out.

use std::collections::BTreeMap;

use super::super::xml::{Element, Event, XmlReader};
use super::super::{ExtractError, label_words};

/// The list and the level of a paragraph or of a style, each `None` if it is not set. A list with
/// the number 0 is none.
#[derive(Clone, Copy, Default, Eq, PartialEq)]
pub(super) struct ListLevel {
    list: Option<u32>,
    level: Option<u32>,
}

impl ListLevel {
    pub(super) fn add(&mut self, element: &Element) {
        match element.name() {
            "numId" => self.list = number(element, "val"),
            "ilvl" => self.level = number(element, "val"),
            _ => {}
        }
    }

    /// Returns what is set here, and otherwise what another one sets.
    pub(super) fn or(self, other: Self) -> Self {
        Self { list: self.list.or(other.list), level: self.level.or(other.level) }
    }
}

/// The levels of the lists of a document that have a label with a word.
#[derive(Debug, Default)]
pub(super) struct Labels {
    /// The labels by the number of the definition and the level.
    defined: BTreeMap<(u32, u32), String>,
    /// The labels of single lists in place of those of the definition.
    overridden: BTreeMap<(u32, u32), String>,
    definitions: BTreeMap<u32, u32>,
    /// The level that a style of paragraphs stands for in each definition.
    of_styles: BTreeMap<(u32, String), u32>,
}

impl Labels {
    /// Reads the part that defines the lists.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtractError`] if the part is not well formed.
    pub(super) fn read(reader: &mut XmlReader) -> Result<Self, ExtractError> {
        let mut labels = Self::default();
        let (mut definition, mut list, mut level) = (None, None, 0);
        while let Some(event) = reader.next()? {
            let Event::Open(element) = event else { continue };
            match element.name() {
                "abstractNum" => (definition, list) = (number(&element, "abstractNumId"), None),
                "num" => (definition, list) = (None, number(&element, "numId")),
                "abstractNumId" => {
                    let of = list.zip(number(&element, "val"));
                    labels.definitions.extend(of);
                }
                "lvl" => level = number(&element, "ilvl").unwrap_or_default(),
                "pStyle" => {
                    if let (Some(definition), Some(style)) = (definition, element.attribute("val"))
                    {
                        labels.of_styles.insert((definition, style.into_owned()), level);
                    }
                }
                "lvlText" => {
                    let Some(words) = label_words(&element.attribute("val").unwrap_or_default())
                    else {
                        continue;
                    };
                    if let Some(definition) = definition {
                        labels.defined.insert((definition, level), words);
                    } else if let Some(list) = list {
                        labels.overridden.insert((list, level), words);
                    }
                }
                _ => {}
            }
        }
        Ok(labels)
    }

    /// Returns the words in the label of a paragraph in a named style; `None` if it has none.
    pub(super) fn words(&self, paragraph: ListLevel, style: &str) -> Option<&str> {
        let list = paragraph.list?;
        let definition = *self.definitions.get(&list)?;
        let of_style = || self.of_styles.get(&(definition, style.to_owned())).copied();
        let level = paragraph.level.or_else(of_style).unwrap_or_default();
        let words = self.overridden.get(&(list, level));
        words.or_else(|| self.defined.get(&(definition, level))).map(String::as_str)
    }
}

fn number(element: &Element, attribute: &str) -> Option<u32> {
    element.attribute(attribute)?.parse().ok()
}
