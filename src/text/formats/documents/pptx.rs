//! Extracts the text of a `PowerPoint` presentation.
//!
//! Input: an Office presentation since 2007 (Office Open XML, ECMA-376). Output: the paragraphs of
//! each slide, in the order of the file, and then those of its notes. The slides are in the order
//! in which the presentation shows them, and an empty line follows each that has text. Masters,
//! layouts and comments are left out, and so are headers, footers, dates and slide numbers, which
//! repeat on every slide.

use std::borrow::Cow;

use super::archive::Archive;
use super::graphics::Graphics;
use super::relations::{Relations, properties_of};
use super::xml::{Element, Event, Reader};
use super::{Bounds, ExtractError, Extracted};

const KIND: &str = "pptx";

/// Extracts the text of a presentation; empty if no slide has text.
///
/// # Errors
///
/// Returns an [`ExtractError`] if the presentation or one of its slides cannot be read.
pub(crate) fn text(bytes: &[u8], bounds: &Bounds) -> Result<Extracted, ExtractError> {
    let mut archive = Archive::open(bytes, KIND, bounds)?;
    let document = Relations::new("", &mut archive)?;
    let main = document.target("officeDocument").unwrap_or("ppt/presentation.xml").to_owned();
    let shown = ids(&archive.xml(&main)?, &main)?;
    let slides = Relations::new(&main, &mut archive)?;
    let mut read = Extracted::default();
    for slide in slides.ordered("slide", &shown) {
        let before = read.content.len();
        read.pages.push(before);
        let relations = Relations::new(slide, &mut archive)?;
        let graphics = Graphics::read(&relations, &mut archive)?;
        add_paragraphs(&mut read, &mut archive, slide, graphics)?;
        for note in relations.targets("notesSlide") {
            add_paragraphs(&mut read, &mut archive, note, Graphics::default())?;
        }
        if read.content.len() > before {
            read.content.push('\n');
        }
    }
    let properties = properties_of(&mut archive, &document)?;
    Ok(Extracted { properties, ..read })
}

/// Returns the relation ids of the slides, in the order in which the presentation shows them.
fn ids(presentation: &str, part: &str) -> Result<Vec<String>, ExtractError> {
    let mut reader = Reader::new(presentation, KIND, part);
    let mut ids = Vec::new();
    while let Some(event) = reader.next()? {
        let Event::Open(element) = event else { continue };
        if element.name() == "sldId" {
            // Without prefixes, the element has two attributes `id`; the numeric one matches no
            // relation.
            ids.extend(element.attributes("id").flatten().map(Cow::into_owned));
        }
    }
    Ok(ids)
}

/// The role of an open element.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Open {
    Paragraph,
    Text,
    /// A shape or a cell of a table, and whether a reader does not see it: it is hidden, or covered
    /// by a merged cell.
    Shape(bool),
    /// The same content in two versions, for new and for old programs, with the number of bytes of
    /// content before it.
    Alternate(usize),
    Other,
}

/// Reports whether a placeholder is one that repeats on every slide.
fn is_repeated(placeholder: &Element) -> bool {
    let role = placeholder.attribute("type");
    matches!(role.as_deref(), Some("hdr" | "ftr" | "dt" | "sldNum"))
}

/// Reports whether a merged cell covers a cell.
fn is_covered(cell: &Element) -> bool {
    let is_on = |name| matches!(cell.attribute(name).as_deref(), Some("1" | "true"));
    is_on("hMerge") || is_on("vMerge")
}

/// Appends the paragraphs of a part, each on a line. Those of hidden shapes are hidden text.
fn add_paragraphs(
    read: &mut Extracted,
    archive: &mut Archive,
    part: &str,
    mut graphics: Graphics,
) -> Result<(), ExtractError> {
    let Extracted { content: seen, hidden, has_pictures, .. } = read;
    let mut unseen = String::new();
    let xml = archive.xml(part)?;
    let mut reader = Reader::new(&xml, KIND, part);
    let mut open: Vec<Open> = Vec::new();
    // Whether the last shape is one that repeats on every slide.
    let mut repeats = false;
    while let Some(event) = reader.next()? {
        let is_hidden = open.contains(&Open::Shape(true));
        let content = if is_hidden { &mut unseen } else { &mut *seen };
        match event {
            Event::Open(element) => {
                let is_skipped = match (element.name(), open.last()) {
                    ("txBody", _) => repeats,
                    // Of two versions of the same content, the first that has any text counts.
                    ("Choice" | "Fallback", Some(Open::Alternate(before))) => {
                        content.len() > *before
                    }
                    _ => false,
                };
                if is_skipped {
                    reader.skip_element()?;
                    continue;
                }
                match element.name() {
                    "nvPr" => repeats = false,
                    "ph" => repeats = is_repeated(&element),
                    "br" => content.push('\n'),
                    "tab" => content.push('\t'),
                    "blip" => *has_pictures = true,
                    "cNvPr" => {
                        let hidden = element.attribute("hidden");
                        let is_hidden = matches!(hidden.as_deref(), Some("1" | "true"));
                        let shape = open.iter_mut().rev().find_map(|open| match open {
                            Open::Shape(is_hidden) => Some(is_hidden),
                            _ => None,
                        });
                        if let Some(shape) = shape {
                            *shape |= is_hidden;
                        }
                    }
                    "relIds" | "chart" => {
                        content.push_str(&graphics.take(&element).unwrap_or_default());
                    }
                    _ => {}
                }
                open.push(match element.name() {
                    "p" => Open::Paragraph,
                    "t" => Open::Text,
                    "sp" | "grpSp" | "graphicFrame" | "pic" | "cxnSp" => Open::Shape(false),
                    "tc" => Open::Shape(is_covered(&element)),
                    "AlternateContent" => Open::Alternate(content.len()),
                    _ => Open::Other,
                });
            }
            Event::Text(text) if open.last() == Some(&Open::Text) => content.push_str(&text),
            Event::Text(_) => {}
            Event::Close => {
                let ended = open.pop();
                if ended == Some(Open::Paragraph) && !content.is_empty() && !content.ends_with('\n')
                {
                    content.push('\n');
                }
                if ended == Some(Open::Shape(true)) && !unseen.is_empty() {
                    hidden.push(std::mem::take(&mut unseen));
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    /// Packs a presentation of two slides, the second with a note, that are not in the order of
    /// their names. `list` is its list of slides.
    fn presentation(slides: [&str; 2], note: &str, list: &str) -> Vec<u8> {
        let relation = |kind: &str, target: &str| {
            format!(r#"<Relationship Id="{target}" Type="http://x/{kind}" Target="{target}"/>"#)
        };
        let relations = |all: &str| format!("<Relationships>{all}</Relationships>");
        let slide = |body: &str| format!("<p:sld><p:cSld>{body}</p:cSld></p:sld>");
        let order = relation("slideMaster", "slideMasters/slideMaster1.xml")
            + &relation("slide", "slides/slide2.xml")
            + &relation("slide", "slides/slide1.xml");
        let parts = [
            ("_rels/.rels", relations(&relation("officeDocument", "ppt/presentation.xml"))),
            ("ppt/presentation.xml", format!("<p:presentation>{list}</p:presentation>")),
            ("ppt/_rels/presentation.xml.rels", relations(&order)),
            ("ppt/slides/slide2.xml", slide(slides[0])),
            ("ppt/slides/slide1.xml", slide(slides[1])),
            (
                "ppt/slides/_rels/slide1.xml.rels",
                relations(&relation("notesSlide", "../notesSlides/note.xml")),
            ),
            ("ppt/notesSlides/note.xml", slide(note)),
        ];
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, part) in parts {
            archive.start_file(name, SimpleFileOptions::default()).unwrap();
            archive.write_all(part.as_bytes()).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }

    #[test]
    fn slides_are_paragraphs_in_their_order_with_their_notes() {
        let first = "<a:p><a:r><a:t>The </a:t></a:r><a:r><a:t>kettle</a:t></a:r></a:p><a:p/>\
                     <a:p><a:r><a:t>a</a:t></a:r><a:br/><a:r><a:t>b &amp; c</a:t></a:r></a:p>";
        let second = "<a:tbl><a:p><a:r><a:t>cell</a:t></a:r></a:p></a:tbl><x>no text</x>";
        let note = "<a:p><a:r><a:t>said aloud</a:t></a:r></a:p>";
        let read = text(&presentation([first, second], note, ""), &Bounds::default()).unwrap();
        assert_eq!(read.content, "The kettle\na\nb & c\n\ncell\nsaid aloud\n\n");
        assert_eq!(read.pages, [0, 20]);
        let empty = text(&presentation(["", ""], "", ""), &Bounds::default()).unwrap();
        assert_eq!((empty.content.as_str(), empty.pages), ("", vec![0, 0]));
    }

    /// Returns a paragraph.
    fn slide(text: &str) -> String {
        format!("<a:p><a:r><a:t>{text}</a:t></a:r></a:p>")
    }

    #[test]
    fn what_repeats_and_what_is_there_twice_count_as_a_reader_counts() {
        let shape = |placeholder: &str, text: &str| {
            format!(
                "<p:sp><p:nvSpPr><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr>\
                 <p:txBody><a:bodyPr/>{}</p:txBody></p:sp>",
                slide(text)
            )
        };
        let role =
            |role: &str| shape(&format!("<p:ph type='{role}' idx='1'/>"), "x") + &shape("", "a");
        let versions = |one: &str, two: &str| {
            format!(
                "<mc:AlternateContent><mc:Choice Requires='a14'>{one}</mc:Choice>\
                 <mc:Fallback>{two}</mc:Fallback></mc:AlternateContent>"
            )
        };
        #[rustfmt::skip]
        let table = [
            ("a title",              role("title"),                                        "x\na\n\n"),
            ("a placeholder",        shape("<p:ph/>", "x"),                                "x\n\n"),
            ("a footer",             role("ftr"),                                          "a\n\n"),
            ("a slide number",       role("sldNum"),                                       "a\n\n"),
            ("a date",               role("dt"),                                           "a\n\n"),
            ("a header",             role("hdr"),                                          "a\n\n"),
            (
                "a table after it",
                role("ftr") + &shape("<p:ph type='ftr'/>", "x")
                    + "<p:graphicFrame><p:nvPr/><a:tbl><a:tc><a:txBody>\
                       <a:p><a:r><a:t>b</a:t></a:r></a:p></a:txBody></a:tc></a:tbl></p:graphicFrame>",
                "a\nb\n\n",
            ),
            ("a hidden shape",       "<p:sp><p:nvSpPr><p:cNvPr hidden='1'/><p:nvPr/></p:nvSpPr><p:txBody>".to_owned()
                + &slide("x") + "</p:txBody></p:sp>" + &shape("", "a"),                    "a\n\n"),
            ("a covered cell",       format!("<a:tbl><a:tc><a:txBody>{}</a:txBody></a:tc><a:tc hMerge='1'><a:txBody>{}</a:txBody></a:tc></a:tbl>", slide("a"), slide("x")), "a\n\n"),
            ("two versions",         versions(&shape("", "new"), &shape("", "old")),       "new\n\n"),
            ("only the old has any", versions("<p:pic/>", &shape("", "old")),              "old\n\n"),
            ("two of two",           versions(&slide("a"), &slide("b")) + &versions(&slide("c"), &slide("d")), "a\nc\n\n"),
        ];
        for (why, body, want) in table {
            let read = text(&presentation([&body, ""], "", ""), &Bounds::default()).unwrap();
            assert_eq!(read.content, want, "{why}");
            let is_hidden = why.contains("hidden") || why.contains("covered");
            assert_eq!(read.hidden, if is_hidden { vec!["x\n"] } else { vec![] }, "{why}");
        }
    }

    #[test]
    fn slides_are_in_the_order_in_which_they_are_shown() {
        let id = |id: &str| format!("<p:sldId id='256' r:id='{id}'/>");
        let (first, second) = (id("slides/slide1.xml"), id("slides/slide2.xml"));
        #[rustfmt::skip]
        let table = [
            ("no list",              String::new(),                       "two\n\none\nnote\n\n", 5),
            ("in order",             first.clone() + &second,             "one\nnote\n\ntwo\n\n", 10),
            ("the others behind",    first.clone(),                       "one\nnote\n\ntwo\n\n", 10),
            ("one twice",            second.clone() + &second + &first,   "two\n\none\nnote\n\n", 5),
            ("one that is not there", id("slides/slide3.xml") + &first,   "one\nnote\n\ntwo\n\n", 10),
            ("of another kind",      id("slideMasters/slideMaster1.xml"), "two\n\none\nnote\n\n", 5),
        ];
        for (why, ids, want, start) in table {
            let list = format!("<p:sldIdLst>{ids}</p:sldIdLst>");
            let made = presentation([&slide("two"), &slide("one")], &slide("note"), &list);
            let read = text(&made, &Bounds::default()).unwrap();
            assert_eq!((read.content.as_str(), read.pages), (want, vec![0, start]), "{why}");
        }
    }

    #[test]
    fn a_damaged_presentation_is_an_error() {
        let cut = text(&presentation(["<a:p>", ""], "", ""), &Bounds::default());
        assert!(matches!(cut, Err(ExtractError::Damaged { kind: "pptx", .. })), "{cut:?}");
        let none = text(b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", &Bounds::default());
        assert!(matches!(none, Err(ExtractError::Damaged { .. })), "{none:?}");
    }
}
