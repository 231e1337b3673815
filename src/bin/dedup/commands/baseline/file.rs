//! The file of a baseline: its version, then an entry a line, in order.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use dedup_text::text::{ReadTextError, display_path};

use super::texts::{Name, Short, TextId};
use crate::diagnostics::Diagnostic;
use crate::io::disk;

/// What is accepted. None of it says a place or the name of a file.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Entry {
    /// The fingerprint of a passage.
    Passage(u64),
    /// The fingerprints of two texts that have no passage in common, the smaller first.
    Texts(u64, u64),
}

impl Entry {
    const PASSAGE: &str = "passage";
    const TEXTS: &str = "texts";

    /// The entry and the name that a line has; none where it is no entry.
    fn parse(line: &str) -> Option<(Self, &str)> {
        let (kind, rest) = line.split_once(' ')?;
        match kind {
            Self::PASSAGE => {
                let (fingerprint, name) = fingerprint(rest)?;
                Some((Self::Passage(fingerprint), name))
            }
            Self::TEXTS => {
                let (one, rest) = fingerprint(rest)?;
                let (other, name) = fingerprint(rest)?;
                Some((Self::Texts(one.min(other), one.max(other)), name))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Passage(fingerprint) => write!(formatter, "{} {fingerprint:016x}", Self::PASSAGE),
            Self::Texts(one, other) => write!(formatter, "{} {one:016x} {other:016x}", Self::TEXTS),
        }
    }
}

/// Sixteen hexadecimal digits, and what follows them behind a space.
fn fingerprint(typed: &str) -> Option<(u64, &str)> {
    let (digits, rest) = typed.split_once(' ').unwrap_or((typed, ""));
    let is_one = digits.len() == 16 && digits.bytes().all(|it| it.is_ascii_hexdigit());
    let number = u64::from_str_radix(digits, 16).ok().filter(|_| is_one)?;
    Some((number, rest))
}

/// A pair's passage that was accepted, or its texts: a line of the file.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Line {
    /// The texts, that with the smaller name first.
    pub(super) texts: [TextId; 2],
    /// The first and the last line of what each has of it.
    pub(super) lines: [[usize; 2]; 2],
    pub(super) entry: Entry,
    /// Its first words; empty where texts have digests for names.
    pub(super) begins: String,
}

impl Line {
    /// A pair that was found, by its texts in either order.
    pub(super) fn new(sides: [(TextId, [usize; 2]); 2], entry: Entry, begins: String) -> Self {
        let [mut left, mut right] = sides;
        if right < left {
            std::mem::swap(&mut left, &mut right);
        }
        Self { texts: [left.0, right.0], lines: [left.1, right.1], entry, begins }
    }

    /// The same without names and words.
    pub(super) fn anonymous(&self) -> Self {
        let [left, right] = [0, 1].map(|side| (self.texts[side].anonymous(), self.lines[side]));
        Self::new([left, right], self.entry, String::new())
    }

    /// The entry that a line of the file has; none where it is none.
    fn parse(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split('\t').collect();
        let (&[left, right, entry, left_id, right_id], begins) = fields.split_first_chunk()?;
        let begins = match begins {
            [] => None,
            [begins] => Some(*begins),
            _ => return None,
        };
        let (entry, rest) = Entry::parse(entry)?;
        let text = |place: &str, id: &str| {
            let (name, lines) = place.rsplit_once(':')?;
            let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
            let lines = [first.parse().ok()?, last.parse().ok()?];
            let name = match begins {
                Some(_) => Name::Shown(name.to_owned()),
                None => Name::Digest(Short(hexadecimal(name)?)),
            };
            let (words, bits) = id.split_once('.')?;
            let fingerprint = if bits == "-" { None } else { Some(hexadecimal(bits)?) };
            Some((TextId { name, words: Short(hexadecimal(words)?), fingerprint }, lines))
        };
        let sides = [text(left, left_id)?, text(right, right_id)?];
        rest.is_empty().then(|| Self::new(sides, entry, begins.unwrap_or_default().to_owned()))
    }

    /// The places and the words, for people.
    pub(super) fn shown(&self) -> String {
        let [left, right] = [0, 1].map(|side| self.place(side));
        format!("{left} {right} {}", self.begins).trim_end().to_owned()
    }

    /// The name of a text, and its lines.
    fn place(&self, side: usize) -> String {
        let name = match &self.texts[side].name {
            Name::Shown(name) => name.clone(),
            Name::Digest(digest) => digest.digits(),
        };
        match self.lines[side] {
            [first, last] if first == last => format!("{name}:{first}"),
            [first, last] => format!("{name}:{first}-{last}"),
        }
    }
}

/// Sixteen hexadecimal digits.
fn hexadecimal(typed: &str) -> Option<u64> {
    fingerprint(typed).filter(|(_, rest)| rest.is_empty()).map(|(number, _)| number)
}

impl fmt::Display for Line {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let id = |text: &TextId| {
            let bits = text.fingerprint.map_or("-".to_owned(), |bits| format!("{bits:016x}"));
            format!("{}.{bits}", text.words.digits())
        };
        let [left, right] = &self.texts;
        let places = [self.place(0), self.place(1)].join("\t");
        write!(formatter, "{places}\t{}\t{}\t{}", self.entry, id(left), id(right))?;
        let is_shown = matches!(left.name, Name::Shown(_));
        if is_shown { write!(formatter, "\t{}", self.begins) } else { Ok(()) }
    }
}

/// What a file lists.
#[derive(Debug)]
pub(super) enum Listing {
    /// By version 1: passages and pairs, each with its name, whatever texts have them.
    Anywhere(BTreeMap<Entry, String>),
    /// Of pairs of texts.
    OfPairs(BTreeSet<Line>),
}

/// What all versions begin with.
const NAME: &str = "# dedup baseline ";

/// The version that is written.
const VERSION: &str = "2";

/// The version of which entries name no texts.
const WITHOUT_TEXTS: &str = "1";

/// What a conflict of two branches leaves in a file that both changed.
const CONFLICT: [&str; 4] = ["<<<<<<<", "=======", ">>>>>>>", "|||||||"];

/// Why a file holds no entries of a baseline.
enum NoEntries {
    /// It is not there.
    Missing,
    /// It is something else.
    Foreign,
    /// It cannot be read, or is damaged.
    Damaged(Diagnostic),
}

impl NoEntries {
    /// The error for it.
    fn diagnostic(self, path: &Path) -> Diagnostic {
        let path = display_path(path);
        match self {
            Self::Missing => Diagnostic::new(format!("{path}: no such file, expected a baseline"))
                .hint("--update-baseline writes it"),
            Self::Foreign => Diagnostic::new(format!(
                "{path}: no baseline, expected a file that begins with \"{NAME}{VERSION}\""
            ))
            .hint("name the file that --update-baseline wrote, or one that is not there"),
            Self::Damaged(diagnostic) => diagnostic,
        }
    }
}

/// The entries of a file.
pub(super) fn read(path: &Path, max_bytes: Option<u64>) -> Result<Listing, Diagnostic> {
    let entries = content(path, max_bytes).and_then(|content| parse(path, &content));
    entries.map_err(|error| error.diagnostic(path))
}

/// The entries of a file that is to be replaced; none where it is not there or is damaged. A
/// file that is no baseline is not replaced.
pub(super) fn read_to_replace(path: &Path, max_bytes: Option<u64>) -> Result<Listing, Diagnostic> {
    let none = || Listing::OfPairs(BTreeSet::new());
    let content = match content(path, max_bytes) {
        Err(NoEntries::Missing) => return Ok(none()),
        content => content.map_err(|error| error.diagnostic(path))?,
    };
    match parse(path, &content) {
        Err(error @ NoEntries::Foreign) if !content.is_empty() => Err(error.diagnostic(path)),
        parsed => Ok(parsed.unwrap_or_else(|_| none())),
    }
}

fn content(path: &Path, max_bytes: Option<u64>) -> Result<Vec<u8>, NoEntries> {
    disk::read(path, max_bytes).map_err(|error| match &error {
        ReadTextError::Missing { .. } => NoEntries::Missing,
        ReadTextError::TooLarge { .. } => NoEntries::Damaged(
            Diagnostic::new(error.to_string()).hint("--max-bytes off lifts the limit"),
        ),
        _ => NoEntries::Damaged(
            Diagnostic::new(format!("{:#}", anyhow::Error::from(error)))
                .hint("check that it is there and may be read"),
        ),
    })
}

fn parse(path: &Path, content: &[u8]) -> Result<Listing, NoEntries> {
    let damaged = |message: String, hint: &str| {
        let message = format!("{}: {message}", display_path(path));
        NoEntries::Damaged(Diagnostic::new(message).hint(hint))
    };
    let conflict = |line: usize| {
        damaged(
            format!("line {line}: a merge conflict, expected an entry"),
            "keep the lines of both sides; or --update-baseline writes the file anew",
        )
    };
    let is_conflict = |line: &str| CONFLICT.iter().any(|mark| line.starts_with(mark));
    let content = str::from_utf8(content).map_err(|_| NoEntries::Foreign)?;
    let mut lines = content.trim_start_matches('\u{feff}').lines().zip(1..);
    let first = lines.next().map(|(line, _)| line).unwrap_or_default();
    if is_conflict(first) {
        return Err(conflict(1));
    }
    let entries = lines.filter(|(line, _)| !line.is_empty());
    let refused = |(line, number): (&str, usize), wanted: &str| {
        if is_conflict(line) {
            return conflict(number);
        }
        damaged(
            format!("line {number}: no entry, expected {wanted}"),
            "take the line out; or --update-baseline writes the file anew",
        )
    };
    match first.strip_prefix(NAME) {
        None => Err(NoEntries::Foreign),
        Some(VERSION) => {
            let wanted = "two texts, what both have, and their digests, parted by tabs";
            let lines =
                entries.map(|line| Line::parse(line.0).ok_or_else(|| refused(line, wanted)));
            Ok(Listing::OfPairs(lines.collect::<Result<_, _>>()?))
        }
        Some(WITHOUT_TEXTS) => {
            let wanted = "passage or texts with 16 hexadecimal digits";
            let mut known = BTreeMap::new();
            for line in entries {
                let (entry, name) = Entry::parse(line.0).ok_or_else(|| refused(line, wanted))?;
                known.entry(entry).or_insert_with(|| name.to_owned());
            }
            Ok(Listing::Anywhere(known))
        }
        Some(found) => {
            let message = format!("a baseline of version {found}, expected {VERSION}");
            Err(damaged(message, "write it anew with --update-baseline, by this dedup"))
        }
    }
}

/// The file that has some entries.
pub(super) fn render(lines: impl IntoIterator<Item = Line>) -> String {
    let lines = lines.into_iter().map(|line| format!("{line}\n"));
    format!("{NAME}{VERSION}\n{}", lines.collect::<String>())
}

#[cfg(test)]
mod entry_tests {
    use super::*;

    #[test]
    fn a_line_is_an_entry_and_a_name() {
        let (a, b) = ("0000000000000001", "ffffffffffffffff");
        #[rustfmt::skip]
        let table = [
            ("a passage",        format!("passage {a} 12 words: x y"), Some((Entry::Passage(1), "12 words: x y"))),
            ("no name",          format!("passage {b}"),               Some((Entry::Passage(u64::MAX), ""))),
            ("two texts",        format!("texts {a} {b} x | y"),       Some((Entry::Texts(1, u64::MAX), "x | y"))),
            ("turned round",     format!("texts {b} {a} x | y"),       Some((Entry::Texts(1, u64::MAX), "x | y"))),
            ("capitals",         "passage 00000000000000AB x".into(),  Some((Entry::Passage(0xab), "x"))),
            ("one text",         format!("texts {a}"),                 None),
            ("a digit short",    "passage 000000000000001 x".into(),   None),
            ("a digit more",     "passage 00000000000000001 x".into(), None),
            ("a sign",           "passage +000000000000001 x".into(),  None),
            ("no digit",         "passage 000000000000000g x".into(),  None),
            ("another kind",     format!("pair {a} x"),                None),
            ("no kind",          a.to_owned(),                         None),
            ("nothing",          String::new(),                        None),
        ];
        for (why, line, want) in table {
            assert_eq!(Entry::parse(&line), want, "{why}");
        }
    }

    #[test]
    fn an_entry_is_read_as_it_is_written() {
        for entry in [Entry::Passage(0), Entry::Passage(0xabc), Entry::Texts(7, 1 << 63)] {
            assert_eq!(Entry::parse(&entry.to_string()), Some((entry, "")));
        }
    }

    #[test]
    fn a_line_is_read_as_it_is_written() {
        let id = |name: Name, fingerprint| TextId { name, words: Short(7), fingerprint };
        let shown = |name: &str, bits| id(Name::Shown(name.to_owned()), bits);
        let digest = || id(Name::Digest(Short(9)), Some(3));
        #[rustfmt::skip]
        let table = [
            ("a passage",       [(shown("a b", Some(1)), [1, 3]), (shown("c:7", None), [2, 2])], Entry::Passage(5), "2 words: x y"),
            ("both texts",      [(shown("a:1-2", Some(1)), [1, 7]), (shown("b", Some(2)), [1, 1])], Entry::Texts(1, 2), "x | y"),
            ("turned round",    [(shown("b", Some(1)), [9, 9]), (shown("a", None), [1, 1])], Entry::Passage(5), ""),
            ("digests",         [(digest(), [1, 2]), (digest(), [4, 5])], Entry::Passage(5), ""),
        ];
        for (why, sides, entry, begins) in table {
            let line = Line::new(sides, entry, begins.to_owned());
            let written = line.to_string();
            assert_eq!(Line::parse(&written), Some(line), "{why}: {written}");
        }
    }
}
