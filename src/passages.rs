//! Two texts as sequences of words → the passages that they share.
//!
//! Goes in: the words of both texts as they are written, in their normal forms, stop words
//! included. Comes out: the stretches of one that stand in the other too, edited or not.
//! The room knows neither bytes nor languages. The steps are those of text alignment
//! (Potthast et al. 2014; Sanchez-Perez et al. 2014): seed, extend, filter.
//!
//! 1. **Seeds** are what both texts have: three words in a row, or two words that are rare
//!    in these texts and stand near one another. What recurs on both sides is none. Each
//!    grows to the longest [run](Run) of equal words around it.
//! 2. Runs are **gathered** in whatever order they come, as long as no more than 20 words
//!    part them, on either side; each word is aligned with one of the other side.
//! 3. A passage **ends** where, going on, fewer than two in seven words are aligned; and
//!    at 8 foreign words or more in what is otherwise copied word for word.
//! 4. It **counts** with 12 aligned words in a row, or with 20 different ones.
//! 5. No two passages **overlap** on either side: the longest goes first.
//!
//! A letter of a script without spaces is worth half to three quarters of a word in all of this. Equal texts are one
//! passage, however short.

mod align;
mod anchors;
mod choose;
mod gather;
mod pair;
mod runs;
mod seeds;

use std::ops::Range;

use crate::rabin;
use pair::{Pair, WORD};
pub use pair::{Sequence, Word};
pub use runs::Run;

/// What a passage must have to count.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Least(usize);

impl Least {
    /// The least there is: what a seed has.
    pub const SMALLEST: usize = 3;

    /// So many aligned words in a row, or five thirds of them, all different, in any order;
    /// none below [`SMALLEST`](Self::SMALLEST).
    pub fn new(words: usize) -> Option<Self> {
        (words >= Self::SMALLEST).then_some(Self(words))
    }

    /// The words in a row.
    pub fn words(self) -> usize {
        self.0
    }

    /// Whether there is enough of aligned words in a row, or else of different ones.
    fn is_met(self, longest: usize, different: usize) -> bool {
        let least = self.0.saturating_mul(WORD);
        longest >= least || different.saturating_mul(3) >= least.saturating_mul(5)
    }
}

impl Default for Least {
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
}

/// A passage that two texts share.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Passage {
    /// The words of left, counted from 0.
    pub left: Range<usize>,
    /// The words of right.
    pub right: Range<usize>,
    /// What is aligned, in the order of right; the first begins where `right` does or
    /// behind, and no two overlap on either side.
    pub runs: Vec<Run>,
    /// The residue of the aligned words, joined by single spaces: in the order of left or of
    /// right, whichever residue is smaller.
    pub fingerprint: u64,
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

    /// Whether it was changed.
    pub fn kind(&self) -> Kind {
        let is_whole = self.runs.len() == 1 && self.changed_words() == 0;
        if is_whole && self.left.len() == self.right.len() { Kind::Exact } else { Kind::Edited }
    }
}

/// Finds the passages that two texts share, in the order of right. Turned round, left and
/// right change places and nothing else. The cost is that of sorting the words.
pub fn find(left: &Sequence, right: &Sequence, least: Least) -> Vec<Passage> {
    let (pair, turned) = Pair::of(left, right);
    let mut found = if pair.is_same() {
        vec![vec![Run { at: [0, 0], length: pair.words[0].len() }]]
    } else {
        let mut runs = anchors::anchors(&pair);
        runs.extend(seeds::runs(&pair, &runs));
        let candidates = gather::gather(&pair, runs)
            .into_iter()
            .flat_map(|set| align::candidates(&pair, align::tiles(set)));
        choose::choose(&pair, candidates.collect(), least)
    };
    if turned {
        found.iter_mut().flatten().for_each(|run| run.at.swap(0, 1));
    }
    let mut passages: Vec<Passage> =
        found.into_iter().filter(|runs| !runs.is_empty()).map(|runs| passage(runs, left)).collect();
    passages.sort_unstable_by_key(|passage| passage.right.start);
    passages
}

/// The passage of aligned runs, at least one.
fn passage(mut runs: Vec<Run>, left: &Sequence) -> Passage {
    let extent = |side| runs::extent(&runs, side);
    let (on_left, on_right) = (extent(0), extent(1));
    runs.sort_unstable_by_key(|run| run.at[0]);
    let in_order_of_left = residue(&runs, left);
    runs.sort_unstable_by_key(|run| run.at[1]);
    let fingerprint = in_order_of_left.min(residue(&runs, left));
    Passage { left: on_left, right: on_right, runs, fingerprint }
}

/// The residue of the words of runs, joined by single spaces.
fn residue(runs: &[Run], left: &Sequence) -> u64 {
    let words = runs.iter().flat_map(|run| run.range(0)).map(|at| left.word(at));
    words
        .fold(None, |sum, word| match sum {
            None => Some(word.residue),
            Some(sum) => Some(rabin::append(sum, word.suffix)),
        })
        .unwrap_or_else(|| rabin::residue(b""))
}
