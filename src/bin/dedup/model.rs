//! Plain data that several renderers show.

pub(crate) mod keeping;
pub(crate) mod findings;
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
use dedup_text::pair::Judgement;
use dedup_text::pair::Recipe;
use dedup_text::record::AcceptedBy;
use dedup_text::text::{Side, Text, display_path};
use dedup_text::verdict::Verdict;

use crate::diagnostics::Severity;
use persons::Person;

/// A pair and its judgement.
pub(crate) struct Pair<'p> {
    pub(crate) left: &'p Text,
    pub(crate) right: &'p Text,
    pub(crate) recipe: &'p Recipe,
    pub(crate) judgement: &'p Judgement,
    /// The verdict from which on a pair is a finding.
    pub(crate) level: Verdict,
    /// The severity of the pair if it is a finding.
    pub(crate) weight: Severity,
    /// Whether the pair was accepted earlier; `None` if this was not checked.
    pub(crate) is_accepted: Option<bool>,
    /// What accepted it, if something did.
    pub(crate) accepted_by: Option<AcceptedBy>,
    /// The persons who submitted left and right; `None` if no list of persons names them.
    pub(crate) persons: [Option<&'p Person>; 2],
    /// The names that people see for left and right; `None` where that is the name of the text.
    pub(crate) shown: [Option<&'p str>; 2],
    /// The side of the earlier text (`--against`, `--earlier`); `None` if both are given texts.
    pub(crate) earlier: Option<Side>,
}

impl<'p> Pair<'p> {
    /// Creates the pair of two texts of which nothing else is known.
    pub(crate) fn new(
        [left, right]: [&'p Text; 2],
        recipe: &'p Recipe,
        judgement: &'p Judgement,
        level: Verdict,
    ) -> Self {
        Self {
            left,
            right,
            recipe,
            judgement,
            level,
            weight: Severity::Warning,
            is_accepted: None,
            accepted_by: None,
            persons: [None; 2],
            shown: [None; 2],
            earlier: None,
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

    /// Returns what follows the name of a text: whether it is an earlier one.
    pub(crate) fn mark(&self, side: Side) -> &'static str {
        if self.earlier == Some(side) { EARLIER } else { "" }
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

/// What follows the name of a text that is only compared with.
pub(crate) const EARLIER: &str = " (earlier)";

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

/// The choice of whether the answer is coloured.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}
