//! Two texts as sequences of words → the passages that they share.
//!
//! Goes in: the words of both texts as they are written, in their normal forms, stop words
//! included. Comes out: the stretches of one that stand in the other too, edited or not.
//! The module knows neither bytes nor languages. The steps are those of text alignment
//! (Potthast et al. 2014; Sanchez-Perez et al. 2014): seed, extend, filter.
//!
//! 1. **Seeds** are what both texts have: three words in a row, or two words that are rare
//!    in these texts, at most 100 times in both, and stand near one another. What recurs on both sides is none. Each
//!    grows to the longest [run](Run) of equal words around it.
//! 2. Runs are **gathered** in whatever order they come, as long as no more than 20 words
//!    part them, on either side; each word is aligned with one of the other side.
//! 3. A passage **ends** where, going on, fewer than two in seven words are aligned; and
//!    at 8 foreign words or more in what is otherwise copied word for word.
//! 4. It **counts** with 12 aligned words in a row; or with 20 different ones, if 12 different
//!    ones, and one in five words of the longer side, stand three or more in a row, and four
//!    somewhere.
//! 5. No two passages **overlap** on either side: the longest goes first.
//! 6. In what these leave free, sentences that share much of what is rare in both texts are
//!    **reworded** passages, where that is known which words begin a sentence.
//!
//! A letter of a script without spaces is worth half to three quarters of a word in all of
//! this. Equal texts are one passage, however short. Where something was left out of a text
//! there is a break, which no passage reaches over.
//!
//! The limits were chosen on English, Spanish, Russian and Chinese pairs with passages
//! planted in known places. Words are compared by their residues, as
//! [shingles](crate::shingles::Shingles) are. A text that repeats one thing has hardly a seed:
//! only what it has in common at its ends is found.

mod align;
mod seeds;
mod runs;
mod choose;
mod common;
mod keys;
mod gather;
pub mod many;
mod pair;
mod reworded;
mod rule;

use std::ops::Range;

use crate::interner::common_runs::Run;
use crate::parallel;
use crate::rabin::Suffix;
pub use common::Templates;
pub use common::{Census, Common, Sieve, Window, Words};
pub use pair::Sequence;
use pair::{Pair, WORD};
use reworded::Reworded;

/// What a passage must have to count.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct MinMatch(usize);

impl MinMatch {
    /// The least there is: what a seed has.
    pub const SMALLEST: usize = 3;

    /// At least `words` aligned words in a row; or five thirds of that, all different, in any order,
    /// of which `words` stand three or more in a row. `None` below [`SMALLEST`](Self::SMALLEST).
    pub fn new(words: usize) -> Option<Self> {
        (words >= Self::SMALLEST).then_some(Self(words))
    }

    /// The words in a row.
    pub fn words(self) -> usize {
        self.0
    }

    /// What words in a row are worth that are enough.
    fn in_a_row(self) -> usize {
        self.0.saturating_mul(WORD)
    }

    /// What different aligned words are worth at least where not enough stand in a row.
    fn different(self) -> usize {
        self.0.saturating_mul(5 * WORD).div_ceil(3)
    }
}

impl Default for MinMatch {
    /// 12 words in a row: unrelated texts on one matter have hardly ever as many.
    fn default() -> Self {
        Self(12)
    }
}

/// Whether a passage was changed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    /// The same words in the same order.
    Exact,
    /// With words changed, or moved.
    Edited,
    /// Sentences that share much of what is rare in both texts, in whatever order.
    Reworded,
}

impl Kind {
    /// Its name in output, which never changes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Edited => "edited",
            Self::Reworded => "reworded",
        }
    }
}

/// A passage that two texts share.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Passage {
    /// The words of left, counted from 0.
    pub left: Range<usize>,
    /// The words of right.
    pub right: Range<usize>,
    /// What is aligned, in the order of right; the first begins where `right` does or
    /// behind, and no two overlap on either side. There is at least one, of one word or more.
    pub runs: Vec<Run>,
    /// The residue of the aligned words, joined by single spaces: in the order of left or of
    /// right, whichever residue is smaller.
    pub fingerprint: u64,
    /// Whether it is reworded: whole sentences, whose first and last words may be of no run.
    pub is_reworded: bool,
}

impl Passage {
    /// How many words are aligned.
    pub fn words(&self) -> usize {
        self.runs.iter().map(|run| run.length).sum()
    }

    /// How many words of the longer side are not aligned.
    pub fn changed_words(&self) -> usize {
        self.left.len().max(self.right.len()) - self.words()
    }

    /// Whether more words of the longer side are changed than not.
    pub fn is_mostly_changed(&self) -> bool {
        self.changed_words() > self.words()
    }

    /// Whether it was changed.
    pub fn kind(&self) -> Kind {
        if self.is_reworded {
            return Kind::Reworded;
        }
        let is_whole = self.runs.len() == 1 && self.changed_words() == 0;
        if is_whole && self.left.len() == self.right.len() { Kind::Exact } else { Kind::Edited }
    }
}

/// The words of two texts, of which passages are found.
#[derive(Debug)]
pub struct WordPair {
    pair: Pair,
    /// Whether its sides are turned.
    turned: bool,
}

impl WordPair {
    /// The words of left and of right. Those of texts of many are [known already](many::Texts::words_of).
    pub fn new(left: Sequence, right: Sequence) -> Self {
        let (pair, turned) = Pair::from_sequences(left, right);
        Self { pair, turned }
    }

    /// How many words left has, and right.
    pub fn lengths(&self) -> [usize; 2] {
        let mut lengths = self.pair.words.each_ref().map(Vec::len);
        if self.turned {
            lengths.reverse();
        }
        lengths
    }
}

/// Finds the passages that two texts share, in the order of right; as it does not know which
/// words begin a sentence, none is reworded. Turned round, left and right change places and
/// nothing else. The cost is that of sorting the words.
pub fn find(left: Sequence, right: Sequence, least: MinMatch) -> Vec<Passage> {
    let as_it_is = |_, ranges: &[Range<usize>]| {
        ranges.iter().map(|range| (range.clone(), ())).collect::<Vec<_>>()
    };
    let found = find_whole(WordPair::new(left, right), least, as_it_is, |_, _| None).into_iter();
    found.map(|(passage, _)| passage).collect()
}

/// Finds the passages as [`find`], of whose words none stands in one character with a word that
/// is not in the passage. Of ranges of words of left, which is side 0, or of right, `whole` gives
/// the longest parts that are so, in their order, and what is to be known of each besides: that
/// of the left words and of the right ones is returned with each passage. What is left of a
/// passage that was cut may be too short to count.
///
/// Of ranges of words of a side, in their order and apart, `sentences` gives those behind the
/// first one of a range that begin a sentence, increasing. It is asked for what no exact or
/// edited passage has; where it gives none, nothing [reworded](Kind::Reworded) is found.
pub fn find_whole<P>(
    words: WordPair,
    least: MinMatch,
    whole: impl Fn(usize, &[Range<usize>]) -> Vec<(Range<usize>, P)>,
    sentences: impl Fn(usize, &[Range<usize>]) -> Option<Vec<usize>> + Sync,
) -> Vec<(Passage, [P; 2])> {
    let WordPair { pair, turned } = words;
    let found = found(&pair, least);
    let side_of = |side: usize| if turned { 1 - side } else { side };
    let (mut kept, mut places, mut next) = (Vec::new(), Vec::new(), found);
    while !next.is_empty() {
        let [on_left, on_right] = [0, 1].map(|side| {
            let extents: Vec<_> = next.iter().map(|it| runs::extent(it, side_of(side))).collect();
            whole(side, &extents)
        });
        let of_both = on_left.into_iter().zip(on_right);
        let mut open = Vec::new();
        for (runs, ((left, of_left), (right, of_right))) in next.into_iter().zip(of_both) {
            let mut ranges = [left, right];
            if turned {
                ranges.reverse();
            }
            if (0..2).all(|side| runs::extent(&runs, side) == ranges[side]) {
                places.push((ranges[side_of(1)].start, [of_left, of_right]));
                kept.push(runs);
            } else {
                open.extend(choose::within(&pair, runs, &ranges, least));
            }
        }
        next = open;
    }
    let sentences = |side: usize, ranges: &[Range<usize>]| sentences(side_of(side), ranges);
    let reworded = reworded::find(&pair, &kept, least, sentences);
    let mut found = [0, 1].map(|side| {
        let extents: Vec<_> = reworded.iter().map(|it| it.ranges[side_of(side)].clone()).collect();
        whole(side, &extents).into_iter()
    });
    let mut of_reworded = Vec::new();
    for Reworded { ranges, runs } in reworded {
        let [Some((left, of_left)), Some((right, of_right))] = found.each_mut().map(Iterator::next)
        else {
            break;
        };
        // A sentence that ends within a character is skipped.
        if ranges[side_of(0)] == left && ranges[side_of(1)] == right {
            places.push((right.start, [of_left, of_right]));
            kept.push(runs);
            of_reworded.push([left, right]);
        }
    }
    if turned {
        kept.iter_mut().flatten().for_each(|run| run.at.swap(0, 1));
    }
    let others = kept.len() - of_reworded.len();
    let mut passages = with_fingerprints(kept, &pair, usize::from(turned));
    for (passage, [left, right]) in passages[others..].iter_mut().zip(of_reworded) {
        *passage = Passage { left, right, is_reworded: true, ..std::mem::take(passage) };
    }
    passages.sort_unstable_by_key(|passage| passage.right.start);
    places.sort_unstable_by_key(|(start, _)| *start);
    passages.into_iter().zip(places.into_iter().map(|(_, places)| places)).collect()
}

/// The runs of the passages of a pair.
fn found(pair: &Pair, least: MinMatch) -> Vec<Vec<Run>> {
    if pair.words[0].is_empty() {
        Vec::new()
    } else if pair.is_same() {
        let parts = runs::parts(pair);
        if parts.len() == 1 { parts } else { choose::choose(pair, parts, least) }
    } else {
        let mut runs = seeds::anchors(pair);
        runs.extend(seeds::runs(pair, &runs));
        let candidates = runs::apart_at_breaks(pair, runs)
            .into_iter()
            .flat_map(|runs| gather::gather(pair, &runs, least))
            .flat_map(|set| align::candidates(pair, runs::apart(set, 1), least));
        choose::choose(pair, candidates.collect(), least)
    }
}

/// The passages of aligned runs, whose left one is a side of the pair; about half of their
/// words on each of two threads.
fn with_fingerprints(mut found: Vec<Vec<Run>>, pair: &Pair, side: usize) -> Vec<Passage> {
    let words = |runs: &[Run]| runs.iter().map(|run| run.length).sum::<usize>();
    let all: usize = found.iter().map(|runs| words(runs)).sum();
    let mut rest = all / 2;
    let half = found.iter().position(|runs| {
        let is_over = rest < words(runs);
        rest = rest.saturating_sub(words(runs));
        is_over
    });
    let others = found.split_off(half.unwrap_or_default());
    let of =
        |found: Vec<Vec<Run>>| found.into_iter().map(|runs| passage(runs, pair, side)).collect();
    let (mut passages, others): (Vec<Passage>, Vec<Passage>) =
        parallel::join(size_of::<u32>() * all, || of(found), || of(others));
    passages.extend(others);
    passages
}

/// The passage of aligned runs, at least one.
fn passage(mut runs: Vec<Run>, pair: &Pair, side: usize) -> Passage {
    let (on_left, on_right) = (runs::extent(&runs, 0), runs::extent(&runs, 1));
    runs.sort_unstable_by_key(|run| run.at[1]);
    let mut fingerprint = residue(&runs, pair, side);
    if !runs.is_sorted_by_key(|run| run.at[0]) {
        let mut in_order_of_left = runs.clone();
        in_order_of_left.sort_unstable_by_key(|run| run.at[0]);
        fingerprint = fingerprint.min(residue(&in_order_of_left, pair, side));
    }
    Passage { left: on_left, right: on_right, runs, fingerprint, is_reworded: false }
}

/// The words at most whose residue is computed at a time.
const BLOCK: usize = if cfg!(test) { 1 << 3 } else { 1 << 13 };

/// The residue of the words of runs, joined by single spaces.
fn residue(runs: &[Run], pair: &Pair, side: usize) -> u64 {
    let (mut sum, mut block) = (Suffix::default(), Vec::new());
    for run in runs {
        for words in pair.words[side][run.range(0)].chunks(BLOCK) {
            if block.len() + words.len() > BLOCK {
                sum = sum.then(Suffix::joined(&block));
                block.clear();
            }
            block.extend(words.iter().map(|number| pair.distinct[*number as usize].suffix));
        }
    }
    sum.then(Suffix::joined(&block)).residue_behind_space()
}

#[cfg(test)]
mod tests;
