//! Reads the elements and texts of an XML document, one after the other.
//!
//! Input: one part of a document, in the encoding that it declares. Output: events. Elements that
//! are nested too deeply are refused, and entities that the document declares itself are never
//! expanded. The names of elements are returned without their prefixes. The modules that read
//! documents match these local names, so that unusual prefixes and the strict namespaces of Office
//! work as well as the usual ones. The module knows nothing of documents.

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use quick_xml::XmlVersion;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{self, BytesStart};

use super::ExtractError;
use crate::text::Properties;
use crate::text::properties::cleaned;

/// The largest nesting depth of elements; real documents have a few dozen levels.
const MAX_DEPTH: usize = 1_000;

/// A cursor over the events of an XML document.
pub(super) struct XmlReader<'a> {
    inner: quick_xml::Reader<&'a [u8]>,
    kind: &'static str,
    part: &'a str,
    depth: usize,
    is_empty: bool,
}

/// An event of an XML document. An empty element opens and closes.
pub(super) enum Event<'a> {
    Open(Element<'a>),
    Close,
    Text(Cow<'a, str>),
}

pub(super) struct Element<'a>(BytesStart<'a>);

impl<'a> XmlReader<'a> {
    /// Creates a reader at the beginning of `xml`. The kind of the document and the name of its
    /// part appear in messages.
    pub(super) fn new(xml: &'a str, kind: &'static str, part: &'a str) -> Self {
        let mut inner = quick_xml::Reader::from_str(xml);
        inner.config_mut().expand_empty_elements = true;
        Self { inner, kind, part, depth: 0, is_empty: true }
    }

    /// Returns the next event; `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns [`ExtractError::TooDeep`] if elements are nested too deeply, or
    /// [`ExtractError::Damaged`] if the document is not well formed, is truncated, or refers to an
    /// entity other than the five of XML itself.
    pub(super) fn next(&mut self) -> Result<Option<Event<'a>>, ExtractError> {
        loop {
            let event = self.inner.read_event().map_err(|error| {
                self.damaged_at(self.inner.error_position(), &error.to_string())
            })?;
            return Ok(Some(match event {
                events::Event::Start(start) => {
                    self.depth += 1;
                    self.is_empty = false;
                    if self.depth > MAX_DEPTH {
                        return Err(ExtractError::TooDeep { max_depth: MAX_DEPTH });
                    }
                    Event::Open(Element(start))
                }
                events::Event::End(_) => {
                    self.depth -= 1;
                    Event::Close
                }
                events::Event::Text(text) => Event::Text(text.xml10_content()),
                events::Event::CData(text) => Event::Text(text.xml10_content()),
                events::Event::GeneralRef(name) => Event::Text(self.entity(&name)?.into()),
                events::Event::Eof if self.depth > 0 => return Err(self.damaged("cut")),
                events::Event::Eof if self.is_empty => return Err(self.damaged("no element")),
                events::Event::Eof => return Ok(None),
                events::Event::Empty(_)
                | events::Event::Comment(_)
                | events::Event::Decl(_)
                | events::Event::PI(_)
                | events::Event::DocType(_) => continue,
            }));
        }
    }

    /// Skips the rest of the element that was opened last, with everything within it.
    ///
    /// # Errors
    ///
    /// Same as [`next`](Self::next).
    pub(super) fn skip_element(&mut self) -> Result<(), ExtractError> {
        self.skip_content().map(drop)
    }

    /// Skips the rest of the element that was opened last, and returns the byte range of what is
    /// within it.
    ///
    /// # Errors
    ///
    /// Same as [`next`](Self::next).
    pub(super) fn skip_content(&mut self) -> Result<Range<usize>, ExtractError> {
        let place = |reader: &Self| usize::try_from(reader.inner.buffer_position()).unwrap_or(0);
        let (start, depth) = (place(self), self.depth);
        let mut end = start;
        while self.depth >= depth {
            end = place(self);
            self.next()?;
        }
        Ok(start..end)
    }

    fn entity(&self, name: &events::BytesRef) -> Result<String, ExtractError> {
        let unknown = || self.damaged(&format!("unknown entity &{};", &**name));
        match name.resolve_char_ref() {
            Ok(Some(character)) => Ok(character.to_string()),
            Ok(None) => {
                quick_xml::escape::resolve_xml_entity(name).map(str::to_owned).ok_or_else(unknown)
            }
            Err(_) => Err(unknown()),
        }
    }

    fn damaged(&self, found: &str) -> ExtractError {
        self.damaged_at(self.inner.buffer_position(), found)
    }

    fn damaged_at(&self, at: u64, found: &str) -> ExtractError {
        let found = format!("{}, after {at} bytes: {found}", self.part);
        ExtractError::Damaged { kind: self.kind, found }
    }
}

impl Element<'_> {
    /// Returns the name of the element without its prefix.
    pub(super) fn name(&self) -> &str {
        local(self.0.name().0)
    }

    /// Returns the value of the first attribute with this name, ignoring prefixes; `None` if there
    /// is none, or if its value is not well formed. Linear in the number of attributes.
    pub(super) fn attribute<'e>(&'e self, name: &'e str) -> Option<Cow<'e, str>> {
        self.attributes(name).next()?
    }

    /// Returns the values of all attributes with this name, ignoring prefixes; `None` for a value
    /// that is not well formed.
    pub(super) fn attributes<'e>(
        &'e self,
        name: &'e str,
    ) -> impl Iterator<Item = Option<Cow<'e, str>>> {
        let mut attributes = self.0.attributes();
        attributes.with_checks(false); // of two with the same name the first counts
        let is_named = move |attribute: &Attribute| {
            local(attribute.key.0) == name && !attribute.key.0.starts_with("xmlns:")
        };
        let named = attributes.flatten().filter(is_named);
        named.map(|attribute| attribute.normalized_value(XmlVersion::Implicit1_0).ok())
    }
}

fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// Reads the properties of a document from a part, given the names of the elements for its author,
/// its last editor and its creation time. Stops where the part is not well formed.
pub(super) fn properties(xml: &str, [author, last, created]: [&str; 3]) -> Properties {
    let mut reader = XmlReader::new(xml, "", "");
    let mut found = Properties::default();
    let (mut open, mut text) = (String::new(), String::new());
    while let Ok(Some(event)) = reader.next() {
        match event {
            Event::Open(element) => {
                element.name().clone_into(&mut open);
                text.clear();
            }
            Event::Text(more) => text += &more,
            Event::Close => {
                let field = match std::mem::take(&mut open) {
                    name if name == author => &mut found.author,
                    name if name == last => &mut found.last_modified_by,
                    name if name == created => &mut found.created,
                    _ => continue,
                };
                *field = field.take().or_else(|| cleaned(&text));
            }
        }
    }
    found
}

// Decodes the bytes of an XML document (XML 1.0, appendix F).

/// Decodes a part of a document: according to its byte order mark, else its XML declaration, else
/// as UTF-8.
///
/// # Errors
///
/// Returns [`ExtractError::Damaged`] if the encoding is unknown or the bytes are not valid in it.
pub(super) fn decode(
    bytes: Vec<u8>,
    kind: &'static str,
    part: &str,
) -> Result<String, ExtractError> {
    let damaged = |found: String| ExtractError::Damaged { kind, found: format!("{part}: {found}") };
    let (encoding, mark) = match Encoding::for_bom(&bytes) {
        Some(marked) => marked,
        None => match declared(&bytes) {
            Ok(encoding) => (encoding, 0),
            Err(label) => return Err(damaged(format!("in an unknown encoding, {label}"))),
        },
    };
    let invalid = || damaged(format!("bytes that are not {}", encoding.name()));
    if encoding == UTF_8 {
        let mut text = String::from_utf8(bytes).map_err(|_| invalid())?;
        text.drain(..mark);
        return Ok(text);
    }
    let decoded = encoding.decode_without_bom_handling_and_without_replacement(&bytes[mark..]);
    Ok(decoded.ok_or_else(invalid)?.into_owned())
}

/// Returns the declared encoding of a document without a byte order mark; UTF-8 if it declares none.
///
/// # Errors
///
/// Returns its label if the encoding is unknown.
fn declared(bytes: &[u8]) -> Result<&'static Encoding, String> {
    match bytes {
        [b'<', 0, b'?', 0, ..] => return Ok(UTF_16LE),
        [0, b'<', 0, b'?', ..] => return Ok(UTF_16BE),
        _ => {}
    }
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
    let declaration = head.strip_prefix("<?xml").and_then(|rest| Some(rest.split_once("?>")?.0));
    let value = declaration.and_then(|declaration| {
        let (_, value) = declaration.split_once("encoding")?;
        let value = value.trim_start().strip_prefix('=')?.trim_start();
        value.get(1..)?.split(['"', '\'']).next()
    });
    let Some(label) = value else { return Ok(UTF_8) };
    match Encoding::for_label_no_replacement(label.as_bytes()) {
        // A declaration that is readable byte by byte cannot be in UTF-16.
        Some(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => Ok(UTF_8),
        known => known.ok_or_else(|| label.to_owned()),
    }
}

#[cfg(test)]
mod tests;
