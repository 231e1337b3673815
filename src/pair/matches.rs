//! Finds the passages that two texts share, and their places in the files.

use std::borrow::Cow;
use std::ops::Range;

use super::Recipe;
use super::Undecided;
use super::vocabulary::WordSequence;
use crate::interner::WordOffsets;
use crate::passages::{self, MinMatch, Passage, Sequence, Templates, WordPair};
use crate::sketch::Coverage;
use crate::text::{Place, Text};
use crate::tokens::exclusions::Remaining;

/// The passages that two texts share.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Matches {
    /// The minimum match that was required of a passage.
    pub min_match: MinMatch,
    /// The passages, in the order of left.
    pub all: Vec<Match>,
    /// The shares of the texts that the passages cover.
    pub coverage: Coverage,
    /// The passages that are too short to count; `None` if they were not to be separated.
    pub short: Option<Short>,
}

/// Passages that are listed separately because they are short.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Short {
    /// The limit: they have fewer aligned words than this.
    pub below: usize,
    /// The passages, in the order of left.
    pub all: Vec<Match>,
}

impl Short {
    /// The default limit, in aligned words, if the user gives none. With the default [`MinMatch`],
    /// a passage with fewer words counts only because enough of them are in a row.
    pub const DEFAULT: usize = 20;
}

/// A passage and its place in both files.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Match {
    /// The passage.
    pub passage: Passage,
    /// Its place in left.
    pub left: Place,
    /// Its place in right.
    pub right: Place,
    /// The places in left and in right where that text [repeats](Passage::repeats) it.
    pub repeats: [Vec<Place>; 2],
}

impl Matches {
    /// Finds the passages of two texts, given their words. Passages of fewer aligned words than the
    /// recipe requires are listed separately and do not count towards the coverage.
    pub(crate) fn new(
        (left, words_of_left): (&Text, Cow<WordSequence>),
        (right, words_of_right): (&Text, Cow<WordSequence>),
        recipe: &Recipe,
    ) -> Self {
        let (of_left, left_offsets) = apart(words_of_left);
        let (of_right, right_offsets) = apart(words_of_right);
        let words = WordPair::new(of_left, of_right);
        let texts = [(left, &*left_offsets), (right, &*right_offsets)];
        let sentences = |side: usize, ranges: &[Range<usize>]| {
            let (text, offsets) = texts[side];
            Some(offsets.sentences(text.content(), ranges))
        };
        Self::from_pair(words, texts, sentences, recipe)
    }

    /// Same as [`new`](Self::new), for words whose offsets are given. For ranges of words of one
    /// side, `sentences` returns [the words that begin a sentence](passages::find_whole).
    pub(crate) fn from_pair(
        words: WordPair,
        texts: [(&Text, &WordOffsets); 2],
        sentences: impl Fn(usize, &[Range<usize>]) -> Option<Vec<usize>> + Sync,
        recipe: &Recipe,
    ) -> Self {
        let (min_match, below) = (recipe.min_match, recipe.short);
        let [left, right] = words.lengths();
        let whole = |side: usize, ranges: &[Range<usize>]| {
            let (text, offsets) = texts[side];
            let spots = offsets.whole(text.content(), ranges).into_iter();
            spots.map(|spot| (spot.words, spot.span)).collect()
        };
        let found = passages::find_whole(words, min_match, whole, sentences);
        // Looks up the places of all passages of a side at once.
        let mut of_sides = [0, 1].map(|side| {
            let spans = found.iter().map(|(_, spans)| &spans[side]);
            let spans: Vec<_> = spans
                .flat_map(|(own, repeats)| [own].into_iter().chain(repeats))
                .cloned()
                .collect();
            texts[side].0.places(&spans).into_iter()
        });
        let mut all = Vec::with_capacity(found.len());
        for (passage, spans) in found {
            let [left, right] = of_sides.each_mut().map(|places| places.next().unwrap_or_default());
            let repeats =
                [0, 1].map(|side| of_sides[side].by_ref().take(spans[side].1.len()).collect());
            all.push(Match { passage, left, right, repeats });
        }
        all.sort_unstable_by_key(|found| found.passage.left.start);
        let is_short = |found: &Match| below.is_some_and(|below| found.passage.words() < below);
        let (short, all): (Vec<Match>, Vec<Match>) = all.into_iter().partition(is_short);
        let covered =
            [0, 1].map(|side| passages::covered(all.iter().map(|it| &it.passage), side).count());
        let longest = all.iter().map(|found| found.passage.words()).max().unwrap_or_default();
        let coverage = Coverage::new(all.len(), covered, [left, right], longest);
        let short = below.map(|below| Short { below, all: short });
        Self { min_match, all, coverage, short }
    }
}

fn apart(words: Cow<WordSequence>) -> (Cow<Sequence>, Cow<WordOffsets>) {
    match words {
        Cow::Owned(WordSequence { sequence, offsets, .. }) => {
            (Cow::Owned(sequence), Cow::Owned(offsets))
        }
        Cow::Borrowed(WordSequence { sequence, offsets, .. }) => {
            (Cow::Borrowed(sequence), Cow::Borrowed(offsets))
        }
    }
}

// Templates, which were handed out to everyone, and the rest of a text without them.

/// Returns the words of a text that was handed out to everyone, for [`Recipe::templates`].
///
/// # Errors
///
/// Returns [`Undecided::Wordless`] if the text has no word.
pub fn template(text: &Text) -> Result<Sequence, Undecided> {
    let words = WordSequence::new(text).sequence;
    if words.words.is_empty() {
        return Err(Undecided::wordless(text.path(), text.content()));
    }
    Ok(words)
}

/// Returns the part of a text that counts: all but what is excluded.
pub(crate) fn remaining<'t>(text: &'t Text, recipe: &Recipe) -> Remaining<'t> {
    remaining_without(text, recipe, &Templates::default())
}

/// Same as [`remaining`], but also excludes what the text shares with `common`, which many texts of
/// its corpus have.
pub(crate) fn remaining_without<'t>(
    text: &'t Text,
    recipe: &Recipe,
    common: &Templates,
) -> Remaining<'t> {
    let given = [&recipe.templates, common];
    if given.iter().all(|it| it.all.is_empty()) {
        return Remaining::new(text, &recipe.ignored, [&[], &[]]);
    }
    let words = WordSequence::new(text);
    let given = given.map(|it| words.spans(text, &it.shared_with(&words.sequence)));
    Remaining::new(text, &recipe.ignored, given.each_ref().map(Vec::as_slice))
}
