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
mod relations;
mod rtf;
mod symbol_font;
mod xml;

use std::collections::BTreeMap;
use std::iter::successors;

use super::{
    Bounds, ExtractError, Extracted, FileCategory, Html, Kind, MarkupOptions, PdfReading,
    ZipMember, end_line,
};

pub use archive::zip_members;
pub(crate) use html::declared_encoding;
pub use pdf::process::PdfReader;
#[cfg(feature = "pdf")]
pub use pdf::serve::serve as serve_pdfs;

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
    let read = match kind {
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
    }?;
    let is_wordless = |text: &String| !text.contains(char::is_alphanumeric);
    if read.has_pictures && is_wordless(&read.content) && read.hidden.iter().all(is_wordless) {
        return Err(ExtractError::OnlyPictures { kind: "an Office document" });
    }
    Ok(read)
}

/// Extracts the text of a web page, each byte of which counts as [`BYTES_PER_PAGE_BYTE`] unpacked
/// bytes.
///
/// # Errors
///
/// Returns an [`ExtractError`] if its text cannot be extracted.
pub(crate) fn page(page: &str, options: &MarkupOptions) -> Result<Extracted, ExtractError> {
    check_size_of_page(page, options.bounds)?;
    if options.is_xml {
        return html::read(&html::to_html(page), options.html);
    }
    html::read(page, options.html)
}

/// Reports whether the attributes of a tag hide its element.
pub(super) fn hides(tag: &str) -> bool {
    html::read(&format!("{tag}x"), Html::All).is_ok_and(|page| !page.hidden.is_empty())
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

/// The largest difference in each colour channel, of 255, between letters and what is behind them
/// that is not seen.
const MAX_DIFFERENCE: u8 = 0x0f;

/// The size of letters for which none is set, and the smallest that is readable, in hundredths of a
/// point.
const DEFAULT_SIZE: i32 = 1_200;
const MIN_SIZE: i32 = 300;

/// The smallest width of letters that is readable, in per cent of their usual width.
const MIN_SCALE: i32 = 5;

/// The properties of a run of text; `None` for one that is not set.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct RunStyle {
    hidden: Option<bool>,
    /// The colour of its letters.
    colour: Option<Paint>,
    /// What fills its letters in place of their colour.
    fill: Option<Paint>,
    /// What is drawn along its letters: an outline, a glow, a shadow or a relief.
    effect: Option<Paint>,
    /// The background of its letters.
    background: Option<Paint>,
    /// The size of its letters, in hundredths of a point.
    size: Option<i32>,
    /// The width of its letters, in per cent of their usual width.
    scale: Option<i32>,
    /// The space added to each letter, in hundredths of a point; below 0 they are pulled together.
    spacing: Option<i32>,
}

/// What letters or their background are painted with.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Paint {
    /// Nothing, or what is transparent.
    None,
    /// A colour by its red, green and blue channels.
    Rgb([u8; 3]),
    /// An unknown colour, several ones or a picture.
    Other,
}

/// The visibility of letters, and whether they take up space on the page.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Sight {
    Seen,
    /// Invisible, but they take up space.
    Gap,
    /// Invisible, and they take up no space.
    Gone,
}

impl RunStyle {
    /// Returns these properties, with those of `below` where they are not set.
    fn or_inherited(self, below: Self) -> Self {
        Self {
            hidden: self.hidden.or(below.hidden),
            colour: self.colour.or(below.colour),
            fill: self.fill.or(below.fill),
            effect: self.effect.or(below.effect),
            background: self.background.or(below.background),
            size: self.size.or(below.size),
            scale: self.scale.or(below.scale),
            spacing: self.spacing.or(below.spacing),
        }
    }

    /// Returns a style of which only the background is set.
    fn with_background(background: Option<Paint>) -> Self {
        Self { background, ..Self::default() }
    }

    /// Adds the colour of an effect; an effect that is on has a colour of its own, and one that is
    /// off has none.
    fn add_effect(&mut self, is_on: bool) {
        if is_on || self.effect.is_none() {
            self.effect = Some(if is_on { Paint::Other } else { Paint::None });
        }
    }

    /// Returns how a reader sees the run; without a background, the page is white.
    fn sight(self) -> Sight {
        let size = self.size.unwrap_or(DEFAULT_SIZE);
        let is_gone = self.hidden == Some(true)
            || size < MIN_SIZE
            || self.scale.is_some_and(|scale| scale < MIN_SCALE)
            // Letters of the usual width, half their size, are drawn one over the other.
            || self.spacing.is_some_and(|spacing| spacing <= -size / 2);
        let letters = self.fill.or(self.colour).unwrap_or(Paint::Other);
        let is_drawn = |paint: Paint| paint.is_seen_on(self.background);
        match is_drawn(letters) || self.effect.is_some_and(is_drawn) {
            _ if is_gone => Sight::Gone,
            true => Sight::Seen,
            false => Sight::Gap,
        }
    }
}

impl Paint {
    /// The colour of a page for which none is set.
    const WHITE: Self = Self::Rgb([0xff; 3]);

    /// Returns the paint of a hexadecimal number of six digits: `FFFFFF`, `#f8f8f8`; `None` if it is
    /// none, such as `auto`.
    fn from_hex(hex: &str) -> Option<Self> {
        let hex = hex.strip_prefix('#').unwrap_or(hex);
        let is_hex = hex.len() == 6 && !hex.starts_with('+');
        let number = u32::from_str_radix(hex, 16).ok().filter(|_| is_hex)?;
        let [_, red, green, blue] = number.to_be_bytes();
        Some(Self::Rgb([red, green, blue]))
    }

    /// Reports whether this is seen on a background.
    fn is_seen_on(self, background: Option<Self>) -> bool {
        let behind = background.filter(|paint| *paint != Self::None).unwrap_or(Self::WHITE);
        match (self, behind) {
            (Self::None, _) => false,
            (Self::Rgb(own), Self::Rgb(behind)) => {
                own.iter().zip(behind).any(|(own, behind)| own.abs_diff(behind) > MAX_DIFFERENCE)
            }
            _ => true,
        }
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
        let chain = Self::chain(styles, name);
        chain.fold(RunStyle::default(), |run, (_, style)| run.or_inherited(style.run_style))
    }

    /// Returns a style and those that it is based on, each with its name.
    fn chain<'s>(
        styles: &'s BTreeMap<String, Self>,
        name: &'s str,
    ) -> impl Iterator<Item = (&'s str, &'s Self)> {
        let find = |name: &'s str| Some((name, styles.get(name)?));
        let next = move |(_, style): &(_, &'s Self)| find(style.parent.as_deref()?);
        successors(find(name), next).take(MAX_STYLE_CHAIN_LENGTH)
    }
}

/// Returns the words of the label of a list, without the numbers that stand for `%1` to `%9`; `None` if no two
/// letters follow each other, as in a bullet.
fn label_words(label: &str) -> Option<String> {
    let mut words = String::new();
    let mut letters = label.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != '%' || letters.next_if(char::is_ascii_digit).is_none() {
            words.push(letter);
        }
    }
    let has_word =
        label.split(|letter: char| !letter.is_alphabetic()).any(|it| it.chars().count() > 1);
    has_word.then(|| words.trim().to_owned())
}

/// Returns the byte that two hexadecimal digits stand for.
fn hex_byte(digits: [u8; 2]) -> Option<u8> {
    let [high, low] = digits.map(|digit| char::from(digit).to_digit(16));
    u8::try_from((high? << 4) | low?).ok()
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
    fn a_label_without_a_word_is_none() {
        #[rustfmt::skip]
        let table = [
            ("nothing",            "",              None),
            ("a number",           "%1.%2.",        None),
            ("a bullet",           "o",             None),
            ("a letter",           "%1) a.",        None),
            ("a word",             "Chapter %1:",   Some("Chapter :")),
            ("a word of letters",  "第%1章",         None),
            ("a share",            "about 5 %",     Some("about 5 %")),
        ];
        for (why, label, want) in table {
            assert_eq!(label_words(label).as_deref(), want, "{why}");
        }
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
    fn a_colour_is_seen_unless_it_is_that_behind_it() {
        #[rustfmt::skip]
        let table = [
            ("white",             "FFFFFF",  "ffffff", Some(false)),
            ("small letters",     "#ffffff", "ffffff", Some(false)),
            ("the least",         "f0f0f0",  "ffffff", Some(false)),
            ("a little less red", "efffff",  "ffffff", Some(true)),
            ("and blue",          "ffffef",  "ffffff", Some(true)),
            ("yellow",            "ffff00",  "ffffff", Some(true)),
            ("on yellow",         "fff608",  "ffff00", Some(false)),
            ("black",             "000000",  "ffffff", Some(true)),
            ("black on black",    "0a0a0a",  "000000", Some(false)),
            ("on the page",       "ffffff",  "none",   Some(false)),
            ("no colour",         "auto",    "ffffff", None),
            ("too short",         "fff",     "ffffff", None),
            ("a sign",            "+fffff",  "ffffff", None),
            ("nothing",           "",        "ffffff", None),
        ];
        for (why, colour, behind, want) in table {
            let behind = Paint::from_hex(behind);
            assert_eq!(Paint::from_hex(colour).map(|it| it.is_seen_on(behind)), want, "{why}");
        }
    }

    #[test]
    fn a_run_is_seen_unless_something_hides_it() {
        let white = Some(Paint::WHITE);
        let (none, other) = (Some(Paint::None), Some(Paint::Other));
        let blue = Some(Paint::Rgb([0, 0, 0x80]));
        let set = RunStyle::default();
        let on_page = RunStyle { colour: white, ..set };
        #[rustfmt::skip]
        let table = [
            ("nothing said",        set,                                                   Sight::Seen),
            ("hidden",              RunStyle { hidden: Some(true), ..set },                Sight::Gone),
            ("not hidden",          RunStyle { hidden: Some(false), ..set },               Sight::Seen),
            ("white on the page",   on_page,                                               Sight::Gap),
            ("white on white",      RunStyle { background: white, ..on_page },             Sight::Gap),
            ("white on blue",       RunStyle { background: blue, ..on_page },              Sight::Seen),
            ("blue on blue",        RunStyle { colour: blue, background: blue, ..set },    Sight::Gap),
            ("white on a picture",  RunStyle { background: other, ..on_page },             Sight::Seen),
            ("filled with blue",    RunStyle { fill: blue, ..on_page },                    Sight::Seen),
            ("blue, not filled",    RunStyle { fill: none, colour: blue, ..set },          Sight::Gap),
            ("but outlined",        RunStyle { fill: none, effect: other, ..set },         Sight::Seen),
            ("a white outline",     RunStyle { effect: white, ..on_page },                 Sight::Gap),
            ("a white shade only",  RunStyle { effect: white, colour: blue, ..set },       Sight::Seen),
            ("not transparent",     RunStyle { background: none, colour: blue, ..set },    Sight::Seen),
            ("of 3 points",         RunStyle { size: Some(300), ..set },                   Sight::Seen),
            ("smaller, on blue",    RunStyle { size: Some(299), background: blue, ..set }, Sight::Gone),
            ("narrow",              RunStyle { scale: Some(5), ..set },                    Sight::Seen),
            ("a line",              RunStyle { scale: Some(4), ..set },                    Sight::Gone),
            ("pulled together",     RunStyle { spacing: Some(-599), ..set },               Sight::Seen),
            ("over each other",     RunStyle { spacing: Some(-600), ..set },               Sight::Gone),
            ("larger letters",      RunStyle { spacing: Some(-600), size: Some(2_000), ..set }, Sight::Seen),
        ];
        for (why, run_style, want) in table {
            assert_eq!(run_style.sight(), want, "{why}");
        }
    }

    #[test]
    fn properties_of_a_run_override_those_of_its_style() {
        let run = RunStyle { hidden: Some(false), ..RunStyle::default() };
        let style = RunStyle {
            hidden: Some(true),
            colour: Some(Paint::WHITE),
            size: Some(200),
            ..RunStyle::default()
        };
        let want = RunStyle { hidden: Some(false), ..style };
        assert_eq!(run.or_inherited(style), want);
        assert_eq!(style.or_inherited(run), style);
    }
}
