//! What the report shows of a pair, whatever it was found by.

use std::ops::Range;

/// All that the report shows.
#[derive(Clone, Debug, Default)]
pub(super) struct Page<'p> {
    pub(super) left: Side<'p>,
    pub(super) right: Side<'p>,
    /// Numbered from 1 in this order; they overlap on neither side.
    pub(super) passages: Vec<Passage>,
    pub(super) verdict: &'static str,
    /// What decided.
    pub(super) reasons: String,
    /// What the verdict says, and what it does not.
    pub(super) meaning: &'static str,
    /// How much of each text lies in passages.
    pub(super) coverage: String,
    /// Name, value, limit, meaning.
    pub(super) figures: Vec<[String; 4]>,
    /// What is known of each text.
    pub(super) facts: Vec<Fact>,
    /// Name and value.
    pub(super) parameters: Vec<(&'static str, String)>,
    pub(super) warnings: Vec<String>,
    /// What of the texts was not compared, in sentences.
    pub(super) left_out: Vec<String>,
}

/// One of the texts.
#[derive(Clone, Debug, Default)]
pub(super) struct Side<'p> {
    /// The file's name, or what stands for it.
    pub(super) name: String,
    /// The text as it was compared.
    pub(super) content: &'p str,
    /// The shortest code of its language.
    pub(super) language: Option<&'static str>,
    pub(super) words: usize,
}

/// Something that is known of each text.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub(super) name: &'static str,
    pub(super) left: String,
    pub(super) right: String,
}

/// A passage that both texts have.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Passage {
    pub(super) kind: Kind,
    /// The words that agree.
    pub(super) words: usize,
    /// The other words of the longer side.
    pub(super) changed_words: usize,
    pub(super) left: Place,
    pub(super) right: Place,
}

/// Whether a passage is the same to the word.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kind {
    Exact,
    Edited,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Edited => "edited",
        }
    }
}

/// Where a passage stands in a text, in bytes.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Place {
    pub(super) span: Range<usize>,
    /// What in it the other text has not, in order.
    pub(super) changed: Vec<Range<usize>>,
}

/// The colours of passages that are numbered one after the other.
pub(super) fn tint(number: usize) -> &'static str {
    const TINTS: [&str; 8] =
        ["tint-0", "tint-1", "tint-2", "tint-3", "tint-4", "tint-5", "tint-6", "tint-7"];
    TINTS[(number + TINTS.len() - 1) % TINTS.len()]
}
