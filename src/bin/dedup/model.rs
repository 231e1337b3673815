//! Plain data that several renderers show.

pub(crate) mod keeping;
pub(crate) mod found;
pub(crate) mod gathered;
pub(crate) mod names;
pub(crate) mod persons;
pub(crate) mod phrases;
pub(crate) mod excluded;
pub(crate) mod remarks;

use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::Path;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use dedup_text::pair::Judgement;
use dedup_text::pair::Recipe;
use dedup_text::record::AcceptedBy;
use dedup_text::text::{FoundDisguise, Side, Text, cut_short, display_path};
use dedup_text::verdict::Verdict;
use tempfile::SpooledTempFile;

use persons::Person;

/// The severity of a pair that is found.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Weight {
    /// The run fails.
    Error,
    /// The run does not fail.
    Warning,
}

/// A pair and its judgement.
pub(crate) struct Pair<'p> {
    pub(crate) left: &'p Text,
    pub(crate) right: &'p Text,
    pub(crate) recipe: &'p Recipe,
    pub(crate) judgement: &'p Judgement,
    /// The verdict from which on a pair is a finding.
    pub(crate) level: Verdict,
    /// Whether the pair was accepted earlier; `None` if this was not checked.
    pub(crate) is_accepted: Option<bool>,
    /// What accepted it, if something did.
    pub(crate) accepted_by: Option<AcceptedBy>,
    /// Whether one text is by far the closest of all to the other; `None` if this was not checked.
    pub(crate) is_by_far: Option<bool>,
    /// The persons who submitted left and right; `None` if no list of persons names them.
    pub(crate) persons: [Option<&'p Person>; 2],
    /// The names that people see for left and right; `None` where that is the name of the text.
    pub(crate) shown: [Option<&'p str>; 2],
}

impl<'p> Pair<'p> {
    /// Creates the pair of two texts of which nothing else is known.
    pub(crate) fn new(
        [left, right]: [&'p Text; 2],
        recipe: &'p Recipe,
        judgement: &'p Judgement,
        level: Verdict,
    ) -> Self {
        let (is_accepted, accepted_by, is_by_far) = (None, None, None);
        let (persons, shown) = ([None; 2], [None; 2]);
        Self {
            left,
            right,
            recipe,
            judgement,
            level,
            is_accepted,
            accepted_by,
            is_by_far,
            persons,
            shown,
        }
    }
}

impl Pair<'_> {
    /// Reports whether the pair is a finding: its verdict reaches the level, and it was not
    /// accepted earlier.
    pub(crate) fn is_finding(&self) -> bool {
        self.judgement.decision.verdict >= self.level && self.is_accepted != Some(true)
    }

    /// Returns the side that was submitted later; `None` if one of the two times is unknown, or if
    /// they are the same or cannot be compared.
    pub(crate) fn later(&self) -> Option<Side> {
        later(self.persons)
    }
}

/// Returns the side that was submitted later; `None` if one of the two times is unknown, or if they
/// are the same or cannot be compared.
pub(crate) fn later(persons: [Option<&Person>; 2]) -> Option<Side> {
    let [left, right] = persons.map(|person| person.and_then(|it| it.submitted.as_ref()));
    let (left, right) = (left?, right?);
    if left.is_later(right)? {
        return Some(Side::Left);
    }
    right.is_later(left)?.then_some(Side::Right)
}

/// Returns the disguises of a text. Typography, such as ligatures, is not one.
pub(crate) fn disguises(text: &Text) -> impl Iterator<Item = &FoundDisguise> {
    text.disguises().iter().filter(|found| !found.trick.is_typography())
}

/// Returns the name of a file: its path as given, with its parts joined by `/`.
pub(crate) fn name_of(path: &Path) -> String {
    let shown = display_path(path);
    if cfg!(windows) { shown.replace('\\', "/") } else { shown.into_owned() }
}

/// Returns the name of a line of a file, counted from 1, for messages.
pub(crate) fn name_of_line(file: &Path, number: u64) -> String {
    format!("{}: line {number}", display_path(file))
}

/// Returns the name of a row of a file, counted from 1, for messages.
pub(crate) fn name_of_row(file: &Path, number: u64) -> String {
    format!("{}: row {number}", display_path(file))
}

/// The header of the key of an anonymous report: the name of a text in the report, and its real
/// name.
pub(crate) const KEY_HEADER: &str = "name in the dedup report,text\n";

// The formats of an answer.

/// The choice of whether the answer is coloured.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

/// The syntax of an answer that programs read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Syntax {
    Json,
    Other,
}

/// The format of an answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Format {
    Text,
    Json,
    Jsonl,
    Paths,
    Paths0,
    Export(Export),
}

/// A format for other programs or for pull requests that is generated from pairs.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Export {
    Csv,
    Sarif,
    Github,
    Junit,
    Gitlab,
    Markdown,
    Badge,
}

impl ValueEnum for Format {
    fn value_variants<'v>() -> &'v [Self] {
        use Export::{Badge, Csv, Github, Gitlab, Junit, Markdown, Sarif};
        &[
            Self::Text,
            Self::Json,
            Self::Jsonl,
            Self::Export(Csv),
            Self::Export(Sarif),
            Self::Export(Github),
            Self::Export(Junit),
            Self::Export(Gitlab),
            Self::Export(Markdown),
            Self::Export(Badge),
            Self::Paths,
            Self::Paths0,
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()))
    }
}

impl Format {
    /// The names of the formats, as the user types them, in the order of the variants.
    pub(crate) const NAMES: &[&str] = &[
        "text", "json", "jsonl", "csv", "sarif", "github", "junit", "gitlab", "markdown", "badge",
        "paths", "paths0",
    ];

    /// The names in the form in which the answer is written to a file.
    #[rustfmt::skip]
    pub(crate) const FORMS: &[&str] = &[
        "text=FILE", "json=FILE", "jsonl=FILE", "csv=FILE", "sarif=FILE", "github=FILE",
        "junit=FILE", "gitlab=FILE", "markdown=FILE", "badge=FILE",
        "paths=FILE", "paths0=FILE",
    ];

    /// Returns the syntax of the answer.
    pub(crate) fn syntax(self) -> Syntax {
        match self {
            Self::Json
            | Self::Jsonl
            | Self::Export(Export::Sarif | Export::Gitlab | Export::Badge) => Syntax::Json,
            _ => Syntax::Other,
        }
    }

    /// Returns the name of the format, as the user types it.
    pub(crate) fn name(self) -> &'static str {
        let place = Self::value_variants().iter().position(|format| *format == self);
        place.map_or("", |place| Self::NAMES[place])
    }
}

// A complete answer, and the records in it, which are written once all are known. Few records are
// kept in memory, many in an unnamed temporary file: a corpus may have more pairs than fit into
// memory.

/// The number of bytes that are kept in memory before the records move to a temporary file.
const IN_MEMORY: usize = 1 << 26;

/// A sequence of records, kept in the order in which they were added.
#[derive(Debug)]
pub(crate) struct Spool {
    /// The string between two records.
    separator: &'static str,
    is_empty: bool,
    file: SpooledTempFile,
}

impl Spool {
    pub(crate) fn new(separator: &'static str) -> Self {
        Self::with_memory(separator, IN_MEMORY)
    }

    fn with_memory(separator: &'static str, bytes: usize) -> Self {
        Self { separator, is_empty: true, file: tempfile::spooled_tempfile(bytes) }
    }

    /// Appends a record.
    pub(crate) fn add(&mut self, record: &str) -> io::Result<()> {
        if !std::mem::replace(&mut self.is_empty, false) {
            self.file.write_all(self.separator.as_bytes())?;
        }
        self.file.write_all(record.as_bytes())
    }

    /// Writes all records.
    pub(crate) fn write_to(mut self, out: &mut dyn Write) -> io::Result<()> {
        let mut left = self.file.stream_position()?;
        self.file.rewind()?;
        let mut block = vec![0; 1 << 16];
        loop {
            match self.file.read(&mut block) {
                Ok(0) if left > 0 => return Err(cut_short(left)),
                Ok(0) => return Ok(()),
                Ok(read) => {
                    left = left.saturating_sub(read as u64);
                    out.write_all(&block[..read])?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// A complete answer: a sequence of texts and of records.
#[derive(Debug)]
pub(crate) struct Whole(Vec<Part>);

#[derive(Debug)]
enum Part {
    Bytes(Vec<u8>),
    Records(Spool),
}

impl From<String> for Whole {
    fn from(whole: String) -> Self {
        Self::from(whole.into_bytes())
    }
}

impl From<Vec<u8>> for Whole {
    fn from(whole: Vec<u8>) -> Self {
        Self(vec![Part::Bytes(whole)])
    }
}

impl Whole {
    /// Appends a text.
    pub(crate) fn with_text(mut self, text: impl Into<String>) -> Self {
        self.0.push(Part::Bytes(text.into().into_bytes()));
        self
    }

    /// Appends records.
    pub(crate) fn with_records(mut self, records: Spool) -> Self {
        self.0.push(Part::Records(records));
        self
    }

    /// Reports whether there is nothing to write.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|part| match part {
            Part::Bytes(bytes) => bytes.is_empty(),
            Part::Records(records) => records.is_empty,
        })
    }

    /// Writes all parts.
    pub(crate) fn write_to(self, out: &mut dyn Write) -> io::Result<()> {
        self.0.into_iter().try_for_each(|part| match part {
            Part::Bytes(bytes) => out.write_all(&bytes),
            Part::Records(records) => records.write_to(out),
        })
    }

    /// Returns all parts as one string in memory.
    pub(crate) fn into_text(self) -> io::Result<String> {
        let mut text = Vec::new();
        self.write_to(&mut text)?;
        String::from_utf8(text).map_err(io::Error::other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_those_of_the_variants() {
        let variants = Format::value_variants().iter().map(|format| match format {
            Format::Export(export) => format!("{export:?}").to_lowercase(),
            format => format!("{format:?}").to_lowercase(),
        });
        assert_eq!(variants.collect::<Vec<_>>(), Format::NAMES);
        let forms = Format::NAMES.iter().map(|name| format!("{name}=FILE"));
        assert_eq!(forms.collect::<Vec<_>>(), Format::FORMS);
    }
}

#[cfg(test)]
mod whole_tests {
    use super::*;

    #[test]
    fn records_come_back_in_their_order_wherever_they_are_held() {
        #[rustfmt::skip]
        let table: [(&str, &'static str, &[&str], &str); 4] = [
            ("none",              ",", &[],                    ""),
            ("one",               ",", &["{}"],                "{}"),
            ("several",           ",", &["{\"a\":1}", "", "2"], "{\"a\":1},,2"),
            ("with their own end", "", &["a\n", "é\n"],        "a\né\n"),
        ];
        for (why, separator, records, want) in table {
            for bytes in [0, 3, 1000] {
                let mut spool = Spool::with_memory(separator, bytes);
                for record in records {
                    spool.add(record).unwrap();
                }
                let mut written = Vec::new();
                spool.write_to(&mut written).unwrap();
                assert_eq!(String::from_utf8(written).unwrap(), want, "{why}, {bytes} in memory");
            }
        }
    }

    #[test]
    fn records_stand_between_head_and_tail() {
        #[rustfmt::skip]
        let table: [(&str, &str, &[&str], &str, &str); 5] = [
            ("nothing",       "",  &[],         "",  ""),
            ("a head alone",  "[", &[],         "",  "["),
            ("a tail alone",  "",  &[],         "]", "]"),
            ("records alone", "",  &["1"],      "",  "1"),
            ("all three",     "[", &["1", "é"], "]", "[1,é]"),
        ];
        for (why, head, records, tail, want) in table {
            let mut spool = Spool::new(",");
            for record in records {
                spool.add(record).unwrap();
            }
            let whole = Whole::from(head.to_owned()).with_records(spool).with_text(tail);
            assert_eq!(whole.is_empty(), want.is_empty(), "{why}");
            assert_eq!(whole.into_text().unwrap(), want, "{why}");
        }
    }

    #[test]
    fn many_records_come_back_whole() {
        let mut spool = Spool::with_memory("", 100);
        let record = "x".repeat(999) + "\n";
        for _ in 0..500 {
            spool.add(&record).unwrap();
        }
        let mut written = Vec::new();
        spool.write_to(&mut written).unwrap();
        assert!(written == record.repeat(500).as_bytes());
    }
}
