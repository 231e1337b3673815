//! Extracts the text of a `PowerPoint` presentation.
//!
//! Input: an Office presentation since 2007 (Office Open XML, ECMA-376). Output: the paragraphs of
//! each slide, in the order of the file, and then those of its notes. The slides are in the order
//! in which the presentation shows them, and an empty line follows each that has text. Masters,
//! layouts and comments are left out, and so are headers, footers, dates and slide numbers, which
//! repeat on every slide.

use std::borrow::Cow;

use super::archive::Archive;
use super::flow::Flow;
use super::graphics::{Graphics, paint_with};
use super::relations::{Relations, properties_of};
use super::xml::{Element, Event, XmlReader};
use super::{Bounds, ExtractError, Extracted, Paint, RunStyle, Sight};

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
    // The relation ids of the slides, in the order in which the presentation shows them.
    let (mut shown, mut size) = (Vec::new(), None);
    archive.for_each_element(&main, |element| match element.name() {
        // Without prefixes, the element has two attributes `id`; the numeric one matches no relation.
        "sldId" => shown.extend(element.attributes("id").flatten().map(Cow::into_owned)),
        "sldSz" => size = numbers(element, ["cx", "cy"]),
        _ => {}
    })?;
    let slides = Relations::new(&main, &mut archive)?;
    let mut flow = Flow::default();
    for slide in slides.ordered("slide", &shown) {
        let before = flow.length();
        flow.begin_page();
        let relations = Relations::new(slide, &mut archive)?;
        let graphics = Graphics::read(&relations, &mut archive)?;
        let page = Slide { size, paint: page(&mut archive, slide)? };
        add_paragraphs(&mut flow, &mut archive, slide, page, graphics)?;
        for note in relations.targets("notesSlide") {
            add_paragraphs(&mut flow, &mut archive, note, Slide::default(), Graphics::default())?;
        }
        if flow.length() > before {
            flow.end_paragraph();
        }
    }
    let properties = properties_of(&mut archive, &document)?;
    Ok(Extracted { properties, ..flow.finish() })
}

/// Returns the values of two attributes that are numbers.
fn numbers(element: &Element, names: [&str; 2]) -> Option<[i64; 2]> {
    let [one, two] = names.map(|name| element.attribute(name)?.parse().ok());
    Some([one?, two?])
}

/// A slide, as far as it decides whether text on it is visible.
#[derive(Clone, Copy, Default)]
struct Slide {
    /// Its width and height; `None` if they are not known.
    size: Option<[i64; 2]>,
    /// Its colour; `None` if unknown.
    paint: Option<Paint>,
}

impl Slide {
    /// Reports whether a shape with this corner and this size is off the slide.
    fn is_off(self, corner: [i64; 2], shape: [i64; 2]) -> bool {
        let is_off = |axis: usize, end: i64| {
            corner[axis] >= end || corner[axis].saturating_add(shape[axis]) <= 0
        };
        self.size.is_some_and(|[width, height]| is_off(0, width) || is_off(1, height))
    }
}

/// Returns the colour of a slide without pictures and areas: its own, or that of its master; `None`
/// if it is not known.
fn page(archive: &mut Archive, slide: &str) -> Result<Option<Paint>, ExtractError> {
    let mut part = slide.to_owned();
    let mut paint = None;
    for next in ["slideLayout", "slideMaster", "theme", ""] {
        let Some(xml) = archive.optional_xml(&part)? else { break };
        if has_areas(&xml, &part, &mut paint)? {
            return Ok(None);
        }
        let relations = Relations::new(&part, archive)?;
        let Some(target) = relations.target(next) else { break };
        target.clone_into(&mut part);
    }
    Ok(Some(paint.unwrap_or(Paint::WHITE)).filter(|paint| *paint != Paint::Other))
}

/// Reports whether a slide, its master or its theme has anything that may be behind text, or a
/// colour of pages that is not white, and finds its background if `paint` is not set.
fn has_areas(xml: &str, part: &str, paint: &mut Option<Paint>) -> Result<bool, ExtractError> {
    let mut reader = XmlReader::new(xml, KIND, part);
    let (mut found, mut theme) = (None, None);
    let mut open: Vec<Option<bool>> = Vec::new();
    while let Some(event) = reader.next()? {
        let Event::Open(element) = event else {
            if matches!(event, Event::Close) {
                open.pop();
            }
            continue;
        };
        let inside = open.last().copied().flatten();
        match (element.name(), inside) {
            ("rPr" | "defRPr" | "endParaRPr" | "ln" | "fmtScheme", None) => {
                reader.skip_element()?;
                continue;
            }
            ("bgRef", Some(true)) if element.attribute("idx").as_deref() != Some("1001") => {
                return Ok(true); // not the plain fill of a theme
            }
            (_, Some(true)) => paint_with(&mut found, &element, |_| false),
            ("sysClr", Some(false)) => {
                let last = element.attribute("lastClr").unwrap_or_default();
                theme = Some(Paint::from_hex(&last).unwrap_or(Paint::Other));
            }
            (_, Some(false)) => paint_with(&mut theme, &element, |_| false),
            ("solidFill" | "gradFill" | "pattFill" | "blip" | "fillRef", None) => return Ok(true),
            ("clrMap", None) if element.attribute("bg1").as_deref() != Some("lt1") => {
                return Ok(true);
            }
            _ => {}
        }
        open.push(match element.name() {
            "bg" => Some(true),
            "lt1" => Some(false),
            _ => inside,
        });
    }
    *paint = paint.or(found);
    Ok(theme.is_some_and(|paint| paint.is_seen_on(None)))
}

/// The role of an open element.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Open {
    Paragraph,
    Text,
    /// A shape or a cell of a table, and whether a reader does not see it: it is hidden, or covered
    /// by a merged cell.
    Shape(bool),
    ShapeProperties,
    /// The place of a shape.
    Frame,
    RunProperties,
    /// What one of these properties paints.
    Painted(Painted),
    /// The same content in two versions, for new and for old programs, with the count of what had
    /// been written before it.
    Alternate(usize),
    Other,
}

/// The part of a shape or a letter that the elements within a property paint.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Painted {
    Fill,
    Effect,
    Highlight,
    Shape,
}

impl Painted {
    fn new(property: &Element, parent: Option<Open>) -> Option<Self> {
        match (property.name(), parent) {
            (_, Some(Open::Painted(painted))) => Some(painted),
            ("ln" | "effectLst", Some(Open::RunProperties)) => Some(Self::Effect),
            ("highlight", Some(Open::RunProperties)) => Some(Self::Highlight),
            ("noFill" | "solidFill" | "gradFill" | "pattFill" | "blipFill", parent) => match parent
            {
                Some(Open::RunProperties) => Some(Self::Fill),
                Some(Open::ShapeProperties) => Some(Self::Shape),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The smallest opacity of letters that are seen, in thousandths of a per cent.
const MIN_OPACITY: i32 = 5_000;

fn is_on(element: &Element, attribute: &str) -> bool {
    matches!(element.attribute(attribute).as_deref(), Some("1" | "true"))
}

/// Appends the paragraphs of a part, each on a line. Those of hidden shapes are hidden text.
fn add_paragraphs(
    flow: &mut Flow,
    archive: &mut Archive,
    part: &str,
    page: Slide,
    mut graphics: Graphics,
) -> Result<(), ExtractError> {
    let xml = archive.xml(part)?;
    let mut reader = XmlReader::new(&xml, KIND, part);
    let mut open: Vec<Open> = Vec::new();
    // Whether the last shape is one that repeats on every slide.
    let mut repeats = false;
    let (mut corner, mut shape, mut run) = (None, None, RunStyle::default());
    while let Some(event) = reader.next()? {
        let parent = open.last().copied();
        let behind = match shape {
            None | Some(Paint::None) => page.paint,
            filled => filled,
        };
        let background = RunStyle::with_background(behind.or(Some(Paint::Other)));
        let is_hidden = open.contains(&Open::Shape(true));
        let sight = if is_hidden { Sight::Gone } else { run.or_inherited(background).sight() };
        match event {
            Event::Open(element) => {
                let is_skipped = match (element.name(), parent) {
                    ("txBody", _) => repeats,
                    // Of two versions of the same content, the first that has any text counts.
                    ("Choice" | "Fallback", Some(Open::Alternate(before))) => {
                        flow.length() > before
                    }
                    _ => false,
                };
                if is_skipped {
                    reader.skip_element()?;
                    continue;
                }
                let painted = Painted::new(&element, parent);
                let paint = match painted {
                    Some(Painted::Fill) => Some(&mut run.fill),
                    Some(Painted::Effect) => Some(&mut run.effect),
                    Some(Painted::Highlight) => Some(&mut run.background),
                    Some(Painted::Shape) => Some(&mut shape),
                    None => None,
                };
                if let Some(paint) = paint {
                    paint_with(paint, &element, |opacity| opacity < MIN_OPACITY);
                }
                match element.name() {
                    "nvPr" => repeats = false,
                    "ph" => {
                        let role = element.attribute("type");
                        repeats = matches!(role.as_deref(), Some("hdr" | "ftr" | "dt" | "sldNum"));
                    }
                    "br" => flow.write("\n", sight),
                    "tab" => flow.write("\t", sight),
                    "blip" => flow.has_pictures = true,
                    "cNvPr" if is_on(&element, "hidden") => hide_shape(&mut open),
                    "off" => corner = numbers(&element, ["x", "y"]),
                    // The places of shapes in a group are relative to it.
                    "ext"
                        if parent == Some(Open::Frame)
                            && open.iter().filter(|it| matches!(it, Open::Shape(_))).count()
                                == 1 =>
                    {
                        let size = numbers(&element, ["cx", "cy"]);
                        if corner.zip(size).is_some_and(|(at, size)| page.is_off(at, size)) {
                            hide_shape(&mut open);
                        }
                    }
                    "relIds" | "chart" => {
                        flow.write(&graphics.take(&element).unwrap_or_default(), sight);
                    }
                    "sp" => shape = None,
                    // The fill of a cell follows its text.
                    "tc" => shape = Some(Paint::Other),
                    // A style fills a shape, unless its own properties do.
                    "fillRef" => shape = shape.or(Some(Paint::Other)),
                    "r" | "fld" => run = RunStyle::default(),
                    "rPr" => {
                        let number = |name| element.attribute(name)?.parse().ok();
                        run = RunStyle { size: number("sz"), spacing: number("spc"), ..run };
                    }
                    _ => {}
                }
                open.push(match element.name() {
                    "p" => Open::Paragraph,
                    "t" => Open::Text,
                    "sp" | "grpSp" | "graphicFrame" | "pic" | "cxnSp" => Open::Shape(false),
                    "tc" => Open::Shape(is_on(&element, "hMerge") || is_on(&element, "vMerge")),
                    "spPr" => Open::ShapeProperties,
                    "xfrm" => Open::Frame,
                    "rPr" => Open::RunProperties,
                    "AlternateContent" => Open::Alternate(flow.length()),
                    _ => painted.map_or(Open::Other, Open::Painted),
                });
            }
            Event::Text(text) if parent == Some(Open::Text) => flow.write(&text, sight),
            Event::Text(_) => {}
            Event::Close => {
                if open.pop() == Some(Open::Paragraph) {
                    flow.end_line();
                }
            }
        }
    }
    Ok(())
}

/// Hides the innermost open shape.
fn hide_shape(open: &mut [Open]) {
    if let Some(shape) = open.iter_mut().rfind(|open| matches!(open, Open::Shape(_))) {
        *shape = Open::Shape(true);
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::super::document_tests::is_visible;
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
            assert_eq!(read.hidden, if is_hidden { vec!["x"] } else { vec![] }, "{why}");
        }
    }

    #[test]
    fn letters_that_are_not_seen_are_set_apart() {
        let shape = |shape: &str, run: &str| {
            format!(
                "<p:sp><p:spPr>{shape}</p:spPr><p:txBody><a:p><a:r><a:t>seen</a:t></a:r>\
                 <a:r><a:rPr {run}</a:rPr><a:t>secret</a:t></a:r></a:p></p:txBody></p:sp>"
            )
        };
        let solid =
            |colour: &str| format!("<a:solidFill><a:srgbClr val='{colour}'/></a:solidFill>");
        let white = format!(">{}", solid("FFFFFF"));
        let with = |more: &str| shape("", &format!("{white}{more}"));
        let bg = |inner: &str| format!("<p:bg>{inner}</p:bg>{}", with(""));
        #[rustfmt::skip]
        let table = [
            ("nothing",            shape("", ">"),                                      true),
            ("white",              with(""),                                            false),
            ("of the theme",       shape("", "><a:solidFill><a:schemeClr val='bg1'/></a:solidFill>"), false),
            ("darker than that",   shape("", "><a:solidFill><a:schemeClr val='bg1'><a:lumMod val='50000'/></a:schemeClr></a:solidFill>"), true),
            ("blue",               shape("", &format!(">{}", solid("0000FF"))),         true),
            ("not filled",         shape("", "><a:noFill/>"),                           false),
            ("transparent",        shape("", "><a:solidFill><a:srgbClr val='000000'><a:alpha val='0'/></a:srgbClr></a:solidFill>"), false),
            ("half",               shape("", "><a:solidFill><a:srgbClr val='000000'><a:alpha val='50000'/></a:srgbClr></a:solidFill>"), true),
            ("outlined",           with(&format!("<a:ln>{}</a:ln>", solid("000000"))),  true),
            ("in white",           with(&format!("<a:ln>{}<a:prstDash val='solid'/></a:ln>", solid("FFFFFF"))), false),
            ("not outlined",       with("<a:ln><a:noFill/></a:ln>"),                    false),
            ("with a shadow",      with("<a:effectLst><a:outerShdw><a:srgbClr val='000000'/></a:outerShdw></a:effectLst>"), true),
            ("marked",             with("<a:highlight><a:srgbClr val='0000FF'/></a:highlight>"), true),
            ("of 2 points",        shape("", "sz='200'>"),                              false),
            ("of 12 points",       shape("", "sz='1200'>"),                             true),
            ("over each other",    shape("", "sz='1200' spc='-1200'>"),                 false),
            ("in a blue shape",    shape(&solid("0000FF"), &white),                     true),
            ("in a white one",     shape(&solid("FFFFFF"), &white),                     false),
            ("blue on blue",       shape(&solid("0000FF"), &format!(">{}", solid("0000FF"))), false),
            ("on a picture",       format!("<p:pic><a:blip/></p:pic>{}", with("")),     true),
            ("beside an area",     shape(&solid("0000FF"), "><a:x/>").replace("seen", "").replace("secret", "") + &with(""), true),
            ("on a blue slide",    bg(&format!("<p:bgPr>{}</p:bgPr>", solid("0000FF"))), true),
            ("on a white one",     bg("<p:bgRef idx='1001'><a:schemeClr val='bg1'/></p:bgRef>"), false),
            ("on a gradient",      bg("<p:bgRef idx='1003'><a:schemeClr val='bg1'/></p:bgRef>"), true),
        ];
        for (why, body, want) in table {
            let read = text(&presentation([&body, ""], "", ""), &Bounds::default()).unwrap();
            assert_eq!(is_visible(&read), want, "{why}");
        }
    }

    #[test]
    fn shapes_off_the_slide_are_hidden() {
        let placed = |[x, y]: [i64; 2]| {
            format!(
                "{}<p:sp><p:spPr><a:xfrm><a:off x='{x}' y='{y}'/><a:ext cx='10' cy='10'/></a:xfrm>\
                 </p:spPr><p:txBody>{}</p:txBody></p:sp>",
                slide("seen"),
                slide("secret")
            )
        };
        let read = |body: &str| {
            let size = "<p:sldSz cx='100' cy='50'/>";
            is_visible(&text(&presentation([body, ""], "", size), &Bounds::default()).unwrap())
        };
        #[rustfmt::skip]
        let table = [
            ("at a corner",   [0, 0],    true),
            ("partly off",    [-9, 49],  true),
            ("to the left",   [-10, 0],  false),
            ("to the right",  [100, 0],  false),
            ("below",         [0, 50],   false),
        ];
        for (why, corner, want) in table {
            assert_eq!(read(&placed(corner)), want, "{why}");
        }
        assert!(read(&format!("<p:grpSp>{}</p:grpSp>", placed([-100, 0]))), "in a group");
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
