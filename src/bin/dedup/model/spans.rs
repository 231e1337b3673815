//! Runs of words that stand at two or more places, as they are shown.

use clap::ValueEnum;
use dedup_text::spans::words::{Borders, Spelling};
use dedup_text::text::{Place, Text};

use crate::io::inputs::source::FailedRecord;
use crate::io::inputs::source::Skipped;

/// How the answer is written.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
    Jsonl,
    Sarif,
}

impl Format {
    /// Its name, as it is typed.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Sarif => "sarif",
        }
    }
}

/// What is found in texts.
pub(crate) struct Spans {
    /// The texts by what they go by, in their order.
    pub(crate) texts: Vec<(String, Text)>,
    /// The words of all of them.
    pub(crate) words: usize,
    /// The least words of a run.
    pub(crate) least: usize,
    /// By what two runs are equal.
    pub(crate) spelling: Spelling,
    /// Where what is removed begins and ends.
    pub(crate) borders: Borders,
    /// The runs, in the order of their first places.
    pub(crate) runs: Vec<Run>,
    /// The words that stand earlier, too.
    pub(crate) earlier: usize,
    /// What of them may be removed.
    pub(crate) removable: Amount,
    pub(crate) removal: Removal,
    /// The settings file; none where none is read.
    pub(crate) settings: Option<String>,
    pub(crate) skipped: Skipped,
    pub(crate) failed: Vec<FailedRecord>,
}

/// Whether something is removed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Removal {
    NotAsked,
    /// It is only counted.
    Counted,
    Done,
}

/// Words, and the bytes of text that they and what stands behind them take.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Amount {
    pub(crate) words: usize,
    pub(crate) bytes: usize,
}

/// A run of words with all its places.
pub(crate) struct Run {
    pub(crate) words: usize,
    /// In the order of the texts.
    pub(crate) places: Vec<RunPlace>,
}

/// Where a run stands.
pub(crate) struct RunPlace {
    /// The number of its text.
    pub(crate) text: usize,
    pub(crate) place: Place,
}

impl Run {
    /// The words that would go if it stood at one place alone.
    pub(crate) fn saved(&self) -> usize {
        self.words * self.places.len().saturating_sub(1)
    }
}
