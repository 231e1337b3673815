//! Plain data that several renderers show.

pub(crate) mod keeping;
pub(crate) mod found;
pub(crate) mod gathered;
pub(crate) mod names;
pub(crate) mod rendered;
pub(crate) mod persons;
pub(crate) mod phrases;
pub(crate) mod excluded;
pub(crate) mod remarks;

use std::path::Path;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use dedup_text::pair::Judgement;
use dedup_text::pair::Recipe;
use dedup_text::record::AcceptedBy;
use dedup_text::text::{FoundDisguise, Side, Text, display_path};
use dedup_text::verdict::Verdict;

use persons::Person;
use rendered::Syntax;

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
