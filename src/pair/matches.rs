//! The passages that two texts share, and where they stand in their files.

use std::ops::Range;

use super::Recipe;
use super::Undecided;
use super::vocabulary::WordSequence;
use crate::interner::WordOffsets;
use crate::jaccard::Share;
use crate::passages::{self, MinMatch, Passage, Sequence, WordPair};
use crate::text::{Place, Text};
use crate::tokens::exclusions::Remaining;
use crate::verdict::comparison::Coverage;

/// The passages that two texts share.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Matches {
    /// What was asked of a passage.
    pub least: MinMatch,
    /// The passages, in the order of left.
    pub all: Vec<Match>,
    /// How much of the texts they are.
    pub coverage: Coverage,
    /// Those that are too short to be among them; none where that was not asked for.
    pub short: Option<Short>,
}

/// Passages that are set apart because they are short.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Short {
    /// They have fewer aligned words than this.
    pub below: usize,
    /// The passages, in the order of left.
    pub all: Vec<Match>,
}

impl Short {
    /// Below how many aligned words passages are set apart, where no number is given: what counts with
    /// fewer of them counts for standing in a row alone.
    pub const USUAL: usize = 20;
}

/// A passage, and where it stands.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Match {
    /// The passage.
    pub passage: Passage,
    /// Where it stands in left.
    pub left: Place,
    /// Where it stands in right.
    pub right: Place,
}

impl Matches {
    /// Finds the passages of two texts and their words; those of fewer aligned words
    /// than the recipe counts are listed separately, and count for no coverage.
    pub(crate) fn new(
        (left, words_of_left): (&Text, WordSequence),
        (right, words_of_right): (&Text, WordSequence),
        recipe: &Recipe,
    ) -> Self {
        let words = WordPair::new(words_of_left.sequence, words_of_right.sequence);
        let texts = [(left, &words_of_left.marks), (right, &words_of_right.marks)];
        let sentences = |side: usize, ranges: &[Range<usize>]| {
            let (text, marks) = texts[side];
            Some(marks.sentences(text.content(), ranges))
        };
        Self::of_pair(words, texts, sentences, recipe)
    }

    /// The same of words that stand where their marks say. Of ranges of words of a side, `sentences`
    /// gives [those that begin one](passages::find_whole).
    pub(crate) fn of_pair(
        words: WordPair,
        texts: [(&Text, &WordOffsets); 2],
        sentences: impl Fn(usize, &[Range<usize>]) -> Option<Vec<usize>> + Sync,
        recipe: &Recipe,
    ) -> Self {
        let (least, below) = (recipe.least, recipe.short);
        let [left, right] = words.lengths();
        let whole = |side: usize, ranges: &[Range<usize>]| {
            let (text, marks) = texts[side];
            let spots = marks.whole(text.content(), ranges).into_iter();
            spots.map(|spot| (spot.words, spot.span)).collect()
        };
        let found = passages::find_whole(words, least, whole, sentences);
        let (passages, spans): (Vec<Passage>, Vec<[Range<usize>; 2]>) = found.into_iter().unzip();
        let [on_left, on_right] = [0, 1].map(|side| {
            let spans: Vec<_> = spans.iter().map(|spans| spans[side].clone()).collect();
            texts[side].0.places(&spans)
        });
        let all = passages.into_iter().zip(on_left.into_iter().zip(on_right));
        let all = all.map(|(passage, (left, right))| Match { passage, left, right });
        let mut all: Vec<Match> = all.collect();
        all.sort_unstable_by_key(|found| found.passage.left.start);
        let is_short = |found: &Match| below.is_some_and(|below| found.passage.words() < below);
        let (short, all): (Vec<Match>, Vec<Match>) = all.into_iter().partition(is_short);
        let passages = || all.iter().map(|found| &found.passage);
        let coverage = Coverage {
            passages: all.len(),
            left: Share::new(passages().map(|passage| covered(passage, &passage.left)).sum(), left),
            right: Share::new(
                passages().map(|passage| covered(passage, &passage.right)).sum(),
                right,
            ),
            longest: passages().map(Passage::words).max().unwrap_or_default(),
        };
        let short = below.map(|below| Short { below, all: short });
        Self { least, all, coverage, short }
    }
}

/// The words of a side that a passage covers.
fn covered(passage: &Passage, side: &Range<usize>) -> usize {
    if passage.is_reworded { passage.words() } else { side.len() }
}

// What everyone was given, and what is left of a text without it.

/// The words of a text that everyone was given, for [`Recipe::templates`].
///
/// # Errors
///
/// [`Undecided::Wordless`] where it has none.
pub fn template(text: &Text) -> Result<Sequence, Undecided> {
    let words = WordSequence::new(text).sequence;
    if words.words.is_empty() {
        return Err(Undecided::wordless(text.path(), text.content()));
    }
    Ok(words)
}

/// What counts of a text.
pub(crate) fn remaining<'t>(text: &'t Text, recipe: &Recipe) -> Remaining<'t> {
    if recipe.templates.all.is_empty() {
        return Remaining::new(text, &recipe.ignored, &[]);
    }
    let written = WordSequence::new(text);
    let given = recipe.templates.shared_with(&written.sequence);
    Remaining::new(text, &recipe.ignored, &written.spans(text, &given))
}
