//! Extracts the text of a graphic that is a part of its own in an Office document: a chart, or the
//! data of a `SmartArt` diagram (ECMA-376, part 1, 21.2 and 21.4).
//!
//! Input: the part. Output: its paragraphs, and the names of categories and series, each on a line.
//! Numbers are left out.

use std::collections::BTreeMap;

use super::archive::Archive;
use super::relations::Relations;
use super::xml::{Element, Event, XmlReader};
use super::{ExtractError, Paint, end_line};

/// The types of the relations to such parts.
const KINDS: [&str; 3] = ["chart", "chartEx", "diagramData"];

/// The texts of the graphics of a part, by the ids with which it refers to them.
#[derive(Default)]
pub(super) struct Graphics(BTreeMap<String, String>);

impl Graphics {
    /// Reads the graphics that a part has relations to.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtractError`] if one of them cannot be read. One that is missing has no text.
    pub(super) fn read(
        relations: &Relations,
        archive: &mut Archive<'_>,
    ) -> Result<Self, ExtractError> {
        let mut read = BTreeMap::new();
        for (id, name) in KINDS.iter().flat_map(|kind| relations.with_ids(kind)) {
            if let Some(xml) = archive.optional_xml(name)? {
                read.insert(id.to_owned(), text(&mut XmlReader::new(&xml, archive.kind, name))?);
            }
        }
        Ok(Self(read))
    }

    /// Returns the text of the graphic that an element refers to, each only once.
    pub(super) fn take(&mut self, element: &Element) -> Option<String> {
        let id = match element.name() {
            "relIds" => element.attribute("dm"),
            "chart" => element.attribute("id"),
            _ => None,
        };
        self.0.remove(&*id?)
    }
}

fn text(reader: &mut XmlReader) -> Result<String, ExtractError> {
    let mut text = String::new();
    let mut open: Vec<String> = Vec::new();
    while let Some(event) = reader.next()? {
        match event {
            Event::Open(element) if element.name() == "numCache" => reader.skip_element()?,
            Event::Open(element) => open.push(element.name().to_owned()),
            Event::Text(more) if open.last().is_some_and(|it| it == "t" || it == "v") => {
                text.push_str(&more);
            }
            Event::Text(_) => {}
            Event::Close => {
                if open.pop().is_some_and(|it| it == "p" || it == "v") {
                    end_line(&mut text);
                }
            }
        }
    }
    Ok(text)
}

/// Applies an element of a fill or a line to what is painted (ECMA-376, part 1, 20.1.8).
/// `is_clear` reports whether a number stands for what is transparent: two versions of the format
/// count from opposite ends.
pub(super) fn paint_with(
    paint: &mut Option<Paint>,
    element: &Element,
    is_clear: impl Fn(i32) -> bool,
) {
    let value = &*element.attribute("val").unwrap_or_default();
    let new = match element.name() {
        "noFill" => Paint::None,
        "srgbClr" => Paint::from_hex(value).unwrap_or(Paint::Other),
        // That of the page, which is white in nearly all themes.
        "schemeClr" if matches!(value, "bg1" | "lt1") => Paint::WHITE,
        "alpha" if value.parse().is_ok_and(is_clear) => Paint::None,
        // Changes of a colour, several colours and pictures.
        "lumMod" | "lumOff" | "shade" | "tint" | "gradFill" | "pattFill" | "blipFill" => {
            Paint::Other
        }
        name if name.ends_with("Clr") => Paint::Other,
        _ => return,
    };
    // Of a gradient and of several effects, one that is seen is enough.
    if *paint != Some(Paint::Other)
        && (new != Paint::None || element.name() == "alpha" || paint.is_none())
    {
        *paint = Some(new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_and_names_are_text_and_numbers_are_not() {
        let chart = "<c:chart><c:title><a:p><a:r><a:t>The </a:t></a:r><a:r><a:t>title</a:t></a:r></a:p></c:title>\
                     <c:cat><c:strCache><c:pt><c:v>tea</c:v></c:pt><c:pt><c:v>milk</c:v></c:pt></c:strCache></c:cat>\
                     <c:val><c:numCache><c:pt><c:v>12</c:v></c:pt></c:numCache></c:val></c:chart>";
        let read = text(&mut XmlReader::new(chart, "docx", "chart1.xml")).unwrap();
        assert_eq!(read, "The title\ntea\nmilk\n");
        assert_eq!(text(&mut XmlReader::new("<x/>", "docx", "x")).unwrap(), "");
    }
}
