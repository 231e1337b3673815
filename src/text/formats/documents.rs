//! Documents that hold their text in a form of their own, and web pages, where they are built in.
//!
//! All that depends on the feature `documents` stands here. Without it `none` has the same names, and each of its
//! functions says that such files are not read.

mod archive;
mod doc;
mod docx;
mod epub;
mod flow;
mod html;
mod odt;
mod pdf;
mod pptx;
mod program;
mod rtf;
mod xml;

use super::{Bounds, Extracted, Foreign, Kind, Part, Refusal, ZipMember};
use archive::{ArchiveKind, kind_of_archive};

pub use archive::zip_members;
pub(crate) use html::declared_encoding;

/// What a byte of a web page counts as that it unpacks to: of tags alone, its tree takes 24.
const TREE: u64 = 8;

/// Reads a document of a kind that holds its text in a form of its own; nothing of others.
///
/// # Errors
///
/// A [`Refusal`] where its text cannot be had.
pub(crate) fn document(kind: Kind, bytes: &[u8], bounds: &Bounds) -> Result<Extracted, Refusal> {
    match kind {
        Kind::Docx => docx::text(bytes, bounds),
        Kind::Doc => doc::text(bytes, bounds),
        Kind::Odt => odt::text("odt", bytes, bounds),
        Kind::Odp => odt::text("odp", bytes, bounds),
        Kind::Pptx => pptx::text(bytes, bounds),
        Kind::Epub => epub::text(bytes, bounds, &|page| {
            let read = xml::decode(page.to_vec(), "epub", "a page")?;
            self::page(&read, Part::All, bounds)
        }),
        Kind::Pdf => pdf::text(bytes, bounds),
        Kind::Rtf => rtf::text(bytes),
        Kind::Plain | Kind::Html | Kind::Markdown | Kind::Latex | Kind::Notebook | Kind::Files => {
            Ok(Extracted::default())
        }
    }
}

/// Reads a web page, whose tree counts as [`TREE`] times its bytes that it unpacks to.
///
/// # Errors
///
/// A [`Refusal`] where its text cannot be had.
pub(crate) fn page(page: &str, part: Part, bounds: &Bounds) -> Result<Extracted, Refusal> {
    match bounds.unpacked {
        Some(most) if page.len() as u64 * TREE > most => Err(Refusal::TooLarge { most }),
        _ => html::read(page, part),
    }
}

/// The kind of a document in a ZIP archive.
///
/// # Errors
///
/// [`Refusal::Foreign`] for an archive that is no document of text.
pub(super) fn of_archive(bytes: &[u8]) -> Result<Kind, Refusal> {
    match kind_of_archive(bytes) {
        ArchiveKind::Docx => Ok(Kind::Docx),
        ArchiveKind::Odt => Ok(Kind::Odt),
        ArchiveKind::Pptx => Ok(Kind::Pptx),
        ArchiveKind::Odp => Ok(Kind::Odp),
        ArchiveKind::Epub => Ok(Kind::Epub),
        ArchiveKind::Foreign(holds, found) => {
            Err(Refusal::Foreign { holds, found: found.to_owned() })
        }
    }
}

// How a run of text looks, as far as that decides whether its reader sees it.
//
// Goes in: what styles and the run itself say, each perhaps nothing. Comes out: whether the
// run is seen. It knows nothing of the documents that say so.

/// The least of each colour, of 255, in what passes for white.
const NEARLY_WHITE: u8 = 0xf0;

/// What is given of a run of text; `None` is what nothing is given of.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct Look {
    /// Whether it is marked as hidden.
    hidden: Option<bool>,
    /// Whether its letters are white, or nearly.
    white: Option<bool>,
    /// Whether its letters are of 1 point or less.
    tiny: Option<bool>,
    /// What its letters stand on.
    ground: Option<Ground>,
}

/// What letters stand on.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Ground {
    /// White, or nearly: white letters are not seen.
    White,
    /// Any other colour, or one that is not known.
    Other,
}

impl Look {
    /// What this says, and where it says nothing what the one below says.
    fn over(self, below: Self) -> Self {
        Self {
            hidden: self.hidden.or(below.hidden),
            white: self.white.or(below.white),
            tiny: self.tiny.or(below.tiny),
            ground: self.ground.or(below.ground),
        }
    }

    /// A look that says what letters stand on, and nothing else.
    fn on(ground: Option<Ground>) -> Self {
        Self { ground, ..Self::default() }
    }

    /// Whether a reader sees the run; where no ground is named, the page is white.
    fn is_seen(self) -> bool {
        let is_white = self.white == Some(true) && self.ground != Some(Ground::Other);
        self.hidden != Some(true) && self.tiny != Some(true) && !is_white
    }
}

impl Ground {
    /// The ground of a colour.
    fn new(is_white: bool) -> Self {
        if is_white { Self::White } else { Self::Other }
    }
}

/// Whether a colour is white, or nearly: `FFFFFF`, `#f8f8f8`; none where it is no such number.
fn is_white(hex: &str) -> Option<bool> {
    let hex = hex.strip_prefix('#').unwrap_or(hex);
    let is_hex = hex.len() == 6 && !hex.starts_with('+');
    let number = u32::from_str_radix(hex, 16).ok().filter(|_| is_hex)?;
    let [_, red, green, blue] = number.to_be_bytes();
    Some(is_white_rgb([red, green, blue]))
}

/// Whether a colour is white, or nearly.
fn is_white_rgb(colour: [u8; 3]) -> bool {
    colour.iter().all(|part| *part >= NEARLY_WHITE)
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
        let look = |hidden, white, tiny, ground| Look { hidden, white, tiny, ground };
        #[rustfmt::skip]
        let table = [
            ("nothing said",       look(None, None, None, None),                 true),
            ("hidden",             look(yes,  None, None, None),                 false),
            ("not hidden",         look(no,   None, None, None),                 true),
            ("white on the page",  look(None, yes,  None, None),                 false),
            ("white on white",     look(None, yes,  None, Some(Ground::White)),  false),
            ("white on blue",      look(None, yes,  None, Some(Ground::Other)),  true),
            ("black on white",     look(None, no,   None, Some(Ground::White)),  true),
            ("tiny",               look(None, None, yes,  None),                 false),
            ("tiny, on blue",      look(None, None, yes,  Some(Ground::Other)),  false),
        ];
        for (why, look, want) in table {
            assert_eq!(look.is_seen(), want, "{why}");
        }
    }

    #[test]
    fn the_nearer_word_holds() {
        let run = Look { hidden: Some(false), ..Look::default() };
        let style = Look { hidden: Some(true), white: Some(true), ground: None, tiny: Some(false) };
        let want = Look { hidden: Some(false), ..style };
        assert_eq!(run.over(style), want);
        assert_eq!(style.over(run), style);
    }
}
