//! Reads web pages, and documents that are not stored as plain characters.
//!
//! This module contains all code that depends on the feature `documents`. Without the feature,
//! `none` takes its place, with the same names; its functions refuse all files of these kinds.

mod archive;
mod doc;
mod docx;
mod epub;
mod flow;
mod graphics;
mod html;
mod mail;
mod odt;
mod pdf;
mod pptx;
mod program;
mod relations;
mod rtf;
mod symbol_font;
mod xml;

use std::collections::BTreeMap;

use super::{Bounds, ExtractError, Extracted, FileCategory, Html, Kind, ZipMember};

pub use archive::zip_members;
pub(crate) use html::declared_encoding;

/// The number of unpacked bytes that one byte of a web page counts as, because of its tree; the
/// tree of a page of nothing but tags takes 24 bytes per byte.
const BYTES_PER_PAGE_BYTE: u64 = 8;

/// Extracts the text of a document that is not stored as plain characters. Returns an empty text
/// for all other kinds.
///
/// # Errors
///
/// Returns an [`ExtractError`] if its text cannot be extracted: [`ExtractError::OnlyPictures`] if a
/// PDF or an Office document has pictures, but not a single letter or digit, as one of scanned
/// pages.
pub(crate) fn document(
    kind: Kind,
    bytes: &[u8],
    bounds: &Bounds,
) -> Result<Extracted, ExtractError> {
    let read = read_document(kind, bytes, bounds)?;
    let is_wordless = |text: &String| !text.contains(char::is_alphanumeric);
    if read.has_pictures && is_wordless(&read.content) && read.hidden.iter().all(is_wordless) {
        return Err(ExtractError::OnlyPictures { kind: "an Office document" });
    }
    Ok(read)
}

/// Same as [`document`], but of a document of pictures returns what it has.
fn read_document(kind: Kind, bytes: &[u8], bounds: &Bounds) -> Result<Extracted, ExtractError> {
    match kind {
        Kind::Docx => docx::text(bytes, bounds),
        Kind::Doc => doc::text(bytes, bounds),
        Kind::Odt => odt::text("odt", bytes, bounds),
        Kind::Odp => odt::text("odp", bytes, bounds),
        Kind::Pptx => pptx::text(bytes, bounds),
        Kind::Epub => epub::text(bytes, bounds, &|page| {
            let page = xml::decode(page.to_vec(), "epub", "a page")?;
            check_size_of_page(&page, bounds)?;
            html::read_page_of_book(&page)
        }),
        Kind::Mail => mail::text(bytes, bounds),
        Kind::Pdf => pdf::text(bytes, bounds),
        Kind::Rtf => rtf::text(bytes),
        Kind::Plain | Kind::Html | Kind::Markdown | Kind::Latex | Kind::Notebook | Kind::Files => {
            Ok(Extracted::default())
        }
    }
}

/// Extracts the text of a web page, each byte of which counts as [`BYTES_PER_PAGE_BYTE`] unpacked
/// bytes.
///
/// # Errors
///
/// Returns an [`ExtractError`] if its text cannot be extracted.
pub(crate) fn page(page: &str, part: Html, bounds: &Bounds) -> Result<Extracted, ExtractError> {
    check_size_of_page(page, bounds)?;
    html::read(page, part)
}

/// Same as [`page`], for a page that is XML.
///
/// # Errors
///
/// Same as [`page`].
pub(crate) fn xhtml(page: &str, part: Html, bounds: &Bounds) -> Result<Extracted, ExtractError> {
    check_size_of_page(page, bounds)?;
    html::read_xhtml(page, part)
}

/// Checks that the tree of a page may take as much memory as it needs.
///
/// # Errors
///
/// Returns an [`ExtractError`] if it may not.
fn check_size_of_page(page: &str, bounds: &Bounds) -> Result<(), ExtractError> {
    match bounds.unpacked {
        Some(max_bytes) if page.len() as u64 * BYTES_PER_PAGE_BYTE > max_bytes => {
            Err(ExtractError::TooLarge { max_bytes })
        }
        _ => Ok(()),
    }
}

/// Returns the kind of a document that is a ZIP archive.
///
/// # Errors
///
/// Returns [`ExtractError::Unsupported`] if the archive is not a text document.
pub(super) fn of_archive(bytes: &[u8]) -> Result<Kind, ExtractError> {
    archive::kind_of_archive(bytes)
        .map_err(|(holds, found)| ExtractError::Unsupported { holds, found: found.to_owned() })
}

// The properties of a run of text that decide whether its reader sees it.
//
// Input: the properties that styles and the run itself set, each of which may be unset. Output:
// whether the run is visible. Nothing here depends on the format of the document.

/// The smallest value of each colour channel, of 255, in a colour that counts as white.
const NEARLY_WHITE: u8 = 0xf0;

/// The properties of a run of text; `None` for one that is not set.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct RunStyle {
    /// Whether it is marked as hidden.
    hidden: Option<bool>,
    /// Whether its letters are white or nearly white.
    white: Option<bool>,
    /// Whether its letters are of 1 point or less.
    tiny: Option<bool>,
    /// The background of its letters.
    background: Option<Background>,
}

/// The background of letters.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Background {
    /// White or nearly white, on which white letters are invisible.
    White,
    /// Any other colour, or an unknown one.
    Other,
}

impl RunStyle {
    /// Returns these properties, with those of `below` where they are not set.
    fn or_inherited(self, below: Self) -> Self {
        Self {
            hidden: self.hidden.or(below.hidden),
            white: self.white.or(below.white),
            tiny: self.tiny.or(below.tiny),
            background: self.background.or(below.background),
        }
    }

    /// Returns a look of which only the background is set.
    fn with_background(background: Option<Background>) -> Self {
        Self { background, ..Self::default() }
    }

    /// Reports whether a reader sees the run; without a background, the page is white.
    fn is_visible(self) -> bool {
        let is_white = self.white == Some(true) && self.background != Some(Background::Other);
        self.hidden != Some(true) && self.tiny != Some(true) && !is_white
    }
}

impl Background {
    /// Returns the background for a colour.
    fn new(is_white: bool) -> Self {
        if is_white { Self::White } else { Self::Other }
    }
}

/// The largest length of a chain of styles, each based on the next; styles further on are ignored.
const MAX_STYLE_CHAIN_LENGTH: usize = 32;

/// A style that is referred to by its name.
#[derive(Default)]
struct NamedStyle {
    /// The name of the style that it is based on.
    parent: Option<String>,
    run_style: RunStyle,
}

impl NamedStyle {
    /// Returns the properties of a style, including those that it is based on; all unset if there
    /// is no style with this name.
    fn resolve(styles: &BTreeMap<String, Self>, name: &str) -> RunStyle {
        let mut run_style = RunStyle::default();
        let mut next = Some(name);
        for _ in 0..MAX_STYLE_CHAIN_LENGTH {
            let Some(style) = next.and_then(|name| styles.get(name)) else { break };
            run_style = run_style.or_inherited(style.run_style);
            next = style.parent.as_deref();
        }
        run_style
    }
}

/// Returns the byte that two hexadecimal digits stand for.
fn hex_byte(digits: [u8; 2]) -> Option<u8> {
    let [high, low] = digits.map(|digit| char::from(digit).to_digit(16));
    u8::try_from((high? << 4) | low?).ok()
}

/// Reports whether a colour is white or nearly white: `FFFFFF`, `#f8f8f8`; `None` if it is not a
/// hexadecimal number of six digits.
fn is_white(hex: &str) -> Option<bool> {
    let hex = hex.strip_prefix('#').unwrap_or(hex);
    let is_hex = hex.len() == 6 && !hex.starts_with('+');
    let number = u32::from_str_radix(hex, 16).ok().filter(|_| is_hex)?;
    let [_, red, green, blue] = number.to_be_bytes();
    Some(is_white_rgb([red, green, blue]))
}

/// Reports whether a colour is white or nearly white.
fn is_white_rgb(colour: [u8; 3]) -> bool {
    colour.iter().all(|part| *part >= NEARLY_WHITE)
}

#[cfg(test)]
mod document_tests {
    use super::archive::tests::pack;
    use super::*;

    /// Reports whether the second of two words, `seen` and `secret`, is visible.
    pub(super) fn is_visible(read: &Extracted) -> bool {
        match (read.content.replace('\n', "").as_str(), read.hidden.as_slice()) {
            ("seensecret", []) => true,
            ("seen", [piece]) if piece == "secret" => false,
            other => panic!("{other:?}"),
        }
    }

    /// Returns well-formed XML in which each step opens the element of its number, with the text
    /// `tea`, or closes the last one. The names may have attributes.
    pub(super) fn elements(steps: &[usize], prefix: &str, names: &[&str]) -> String {
        let (mut body, mut open) = (String::new(), Vec::new());
        for step in steps {
            match names.get(*step) {
                Some(name) => {
                    body.extend(["<", prefix, name, ">tea"]);
                    open.push(name.split(' ').next().unwrap());
                }
                None => body.extend(open.pop().map(|name| format!("</{prefix}{name}>"))),
            }
        }
        body.extend(open.iter().rev().map(|name| format!("</{prefix}{name}>")));
        body
    }

    #[test]
    fn the_notes_of_a_book_count() {
        let page = "<html xmlns:epub='e'><body><p>tea<a epub:type='noteref' href='#n'>1</a> \
                    cup</p><aside epub:type='footnote' id='n'>milk</aside></body></html>";
        let package = "<package><manifest><item id='a' href='a.xhtml' \
                       media-type='application/xhtml+xml'/></manifest><spine><itemref idref='a'/>\
                       </spine></package>";
        let bytes = pack(&[
            ("META-INF/container.xml", b"<container><rootfile full-path='b.opf'/></container>"),
            ("b.opf", package.as_bytes()),
            ("a.xhtml", page.as_bytes()),
        ]);
        let read = document(Kind::Epub, &bytes, &Bounds::default()).unwrap();
        assert_eq!(read.content, "tea cup\n\nmilk\n");
    }

    #[test]
    fn a_document_of_pictures_is_an_error() {
        let word = ["<w:p><w:r><w:drawing><a:blip r:embed='rId1'/></w:drawing></w:r></w:p>"; 2];
        let text = "<w:p><w:r><w:t>tea</w:t></w:r></w:p>";
        let hidden = "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>tea</w:t></w:r></w:p>";
        let old = "<w:p><w:r><w:pict><v:shape><v:imagedata/></v:shape></w:pict></w:r></w:p>";
        let image = "<text:p><draw:frame><draw:image/></draw:frame></text:p>";
        let slide = "<p:pic><p:blipFill><a:blip/></p:blipFill></p:pic>";
        let relations =
            "<Relationships><Relationship Id='1' Type='x/slide' Target='s.xml'/></Relationships>";
        #[rustfmt::skip]
        let table = [
            ("two pictures",        Kind::Docx, word.concat(),                        None),
            ("an older one",        Kind::Docx, old.to_owned(),                       None),
            ("and a line",          Kind::Docx, word.concat() + "<w:p><w:r><w:t>—</w:t></w:r></w:p>", None),
            ("and a word",          Kind::Docx, word.concat() + text,                 Some("\n\ntea\n")),
            ("and a hidden word",   Kind::Docx, word.concat() + hidden,               Some("\n\n\n")),
            ("without a picture",   Kind::Docx, "<w:p/>".to_owned(),                  Some("\n")),
            ("of Writer",           Kind::Odt,  image.to_owned(),                     None),
            ("and a word",          Kind::Odt,  format!("{image}<text:p>tea</text:p>"), Some("\ntea\n")),
            ("of Impress",          Kind::Odp,  format!("<draw:page>{image}</draw:page>"), None),
            ("of PowerPoint",       Kind::Pptx, slide.to_owned(),                     None),
            ("and a word",          Kind::Pptx, format!("{slide}<a:p><a:r><a:t>tea</a:t></a:r></a:p>"), Some("tea\n\n")),
        ];
        for (why, kind, body, want) in table {
            let part = format!("<part>{body}</part>");
            let name = match kind {
                Kind::Docx => "word/document.xml",
                Kind::Pptx => "ppt/s.xml",
                _ => "content.xml",
            };
            let bytes = pack(&[
                (name, part.as_bytes()),
                ("ppt/presentation.xml", b"<p/>"),
                ("ppt/_rels/presentation.xml.rels", relations.as_bytes()),
            ]);
            let read = document(kind, &bytes, &Bounds::default());
            let message = "an Office document without text: its pages are pictures";
            let want = want.map(str::to_owned).ok_or_else(|| message.to_owned());
            assert_eq!(
                read.map(|read| read.content).map_err(|error| error.to_string()),
                want,
                "{why}"
            );
        }
    }
}

#[cfg(test)]
mod look_tests {
    use super::*;

    #[test]
    fn white_is_white_or_nearly() {
        #[rustfmt::skip]
        let table = [
            ("white",             "FFFFFF",  Some(true)),
            ("small letters",     "#ffffff", Some(true)),
            ("the least",         "f0f0f0",  Some(true)),
            ("a little less red", "efffff",  Some(false)),
            ("and blue",          "ffffef",  Some(false)),
            ("yellow",            "ffff00",  Some(false)),
            ("black",             "000000",  Some(false)),
            ("no colour",         "auto",    None),
            ("too short",         "fff",     None),
            ("a sign",            "+fffff",  None),
            ("nothing",           "",        None),
        ];
        for (why, colour, want) in table {
            assert_eq!(is_white(colour), want, "{why}");
        }
    }

    #[test]
    fn a_run_is_seen_unless_something_hides_it() {
        let (yes, no) = (Some(true), Some(false));
        let run_style =
            |hidden, white, tiny, background| RunStyle { hidden, white, tiny, background };
        #[rustfmt::skip]
        let table = [
            ("nothing said",       run_style(None, None, None, None),                 true),
            ("hidden",             run_style(yes,  None, None, None),                 false),
            ("not hidden",         run_style(no,   None, None, None),                 true),
            ("white on the page",  run_style(None, yes,  None, None),                 false),
            ("white on white",     run_style(None, yes,  None, Some(Background::White)),  false),
            ("white on blue",      run_style(None, yes,  None, Some(Background::Other)),  true),
            ("black on white",     run_style(None, no,   None, Some(Background::White)),  true),
            ("tiny",               run_style(None, None, yes,  None),                 false),
            ("tiny, on blue",      run_style(None, None, yes,  Some(Background::Other)),  false),
        ];
        for (why, run_style, want) in table {
            assert_eq!(run_style.is_visible(), want, "{why}");
        }
    }

    #[test]
    fn properties_of_a_run_override_those_of_its_style() {
        let run = RunStyle { hidden: Some(false), ..RunStyle::default() };
        let style =
            RunStyle { hidden: Some(true), white: Some(true), background: None, tiny: Some(false) };
        let want = RunStyle { hidden: Some(false), ..style };
        assert_eq!(run.or_inherited(style), want);
        assert_eq!(style.or_inherited(run), style);
    }
}
