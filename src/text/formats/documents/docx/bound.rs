//! The data that content controls show: Word replaces the text of a control that is bound to an
//! element of a stored XML part by the text of that element (ECMA-376, part 1, 17.5.2.6).

use std::collections::BTreeMap;
use std::fmt::Write;

use super::super::ExtractError;
use super::super::archive::Archive;
use super::super::relations::Relations;
use super::super::xml::{Event, XmlReader};
use super::KIND;

/// The texts of the elements of all stored parts, by their paths: `/book[1]/title[2]`.
#[derive(Debug, Default)]
pub(super) struct DataStore(BTreeMap<String, String>);

/// The fewest words of a text that is shown in place of that of its control. A date, a number or
/// the value of a choice is shown in other words than it is stored.
const MIN_WORDS: usize = 3;

/// The largest depth of an element of a stored part that is read.
const MAX_DEPTH: usize = 32;

impl DataStore {
    /// Reads the stored parts if a document has a control that is bound.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtractError`] if a part cannot be read.
    pub(super) fn read(
        document: &str,
        relations: &Relations,
        archive: &mut Archive,
    ) -> Result<Self, ExtractError> {
        let mut store = Self::default();
        if memchr::memmem::find(document.as_bytes(), b"dataBinding").is_none() {
            return Ok(store);
        }
        let parts = relations.targets("customXml").chain(["docProps/core.xml", "docProps/app.xml"]);
        for name in parts {
            if let Some(xml) = archive.optional_xml(name)? {
                store.add(&mut XmlReader::new(&xml, KIND, name))?;
            }
        }
        Ok(store)
    }

    fn add(&mut self, part: &mut XmlReader) -> Result<(), ExtractError> {
        let mut path = String::new();
        // For each open element, the length of the path around it and the numbers of its children.
        let mut open: Vec<(usize, BTreeMap<String, usize>)> = vec![(0, BTreeMap::new())];
        while let Some(event) = part.next()? {
            match event {
                Event::Open(_) if open.len() > MAX_DEPTH => part.skip_element()?,
                Event::Open(element) => {
                    let length = path.len();
                    let name = element.name();
                    if let Some((_, numbers)) = open.last_mut() {
                        let number = numbers.entry(name.to_owned()).or_insert(0);
                        *number += 1;
                        let _ = write!(path, "/{name}[{number}]");
                    }
                    open.push((length, BTreeMap::new()));
                }
                Event::Close => {
                    let (length, _) = open.pop().unwrap_or_default();
                    path.truncate(length);
                }
                Event::Text(text) if !text.trim().is_empty() => {
                    self.0.entry(path.clone()).or_default().push_str(&text);
                }
                Event::Text(_) => {}
            }
        }
        Ok(())
    }

    /// Returns the text of the element that an `XPath` leads to, if it has several words. Steps may
    /// have a prefix and a number; other conditions are not evaluated.
    pub(super) fn text(&self, xpath: &str) -> Option<String> {
        let mut path = String::new();
        for step in xpath.trim().split('/').filter(|step| !step.is_empty()) {
            let name = step.rsplit_once(':').map_or(step, |(_, name)| name);
            let number = if name.ends_with(']') { "" } else { "[1]" };
            let _ = write!(path, "/{name}{number}");
        }
        let text = self.0.get(&path)?;
        (text.split_whitespace().count() >= MIN_WORDS).then(|| text.clone())
    }
}
