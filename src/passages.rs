//! Finds the passages that two texts, given as sequences of words, share.
//!
//! Input: the words of both texts in their normal forms, stop words included. Output: the stretches
//! of one text that also occur in the other, edited or not. The module knows neither bytes nor
//! languages. The steps are those of text alignment (Potthast et al. 2014; Sanchez-Perez et al.
//! 2014): seed, extend, filter.
//!
//! 1. **Seeds** are what both texts have: three words in a row, or two words that are rare in these
//!    texts (at most 100 occurrences in both together) and close to each other. Of what recurs often
//!    in both texts, six words in a row seed, and each place is paired with one of the other text.
//!    Each seed is extended to the longest [run](Run) of equal words around it.
//! 2. Runs are **gathered**, in any order, as long as at most 20 words separate them on either
//!    side. Each word is aligned with at most one word of the other side.
//! 3. A passage **ends** where fewer than two in seven of the words that follow are aligned, and at
//!    8 or more foreign words within text that is otherwise copied word for word.
//! 4. A passage **counts** if at least one in three words of its longer side is aligned, and it has
//!    12 aligned words in a row, or 20 different aligned words. In the second case, 12 different
//!    ones, and one in five words of the longer side, must be in rows of three or more, and one row
//!    must have four or more. A part of it must also have more evidence than chance makes in such
//!    texts.
//! 5. No two passages **overlap** on either side: the longest is chosen first. What they leave free on
//!    one side, and a passage has on the other, **repeats** that passage.
//! 6. In what these passages leave free, sentences that share many of the words that are rare in
//!    both texts are **reworded**, if it is known which words begin a sentence.
//! 7. What is at most 80 words apart on both sides is **joined** to one passage: copied and edited ones,
//!    reworded sentences, and what is between them, which is the text's own.
//!
//! For all of these limits, a letter of a script without spaces is worth half to three quarters of
//! a word. Where something was left out of a text, or another file of it begins, there is a break, and
//! no passage extends across a break. Equal texts are one passage, or one for each stretch between
//! breaks, however short these are.
//!
//! The limits were chosen on English, Spanish, Russian and Chinese pairs with passages planted in
//! known places. Words are compared by their residues, as [shingles](crate::shingles::Shingles)
//! are, and also by their checks if two different words have the same residue.

mod align;
mod seeds;
mod runs;
mod choose;
mod clusters;
mod common;
mod evidence;
mod frequencies;
mod keys;
mod gather;
mod indexable;
mod joined;
pub mod many;
mod pair;
mod recurring;
mod reworded;
mod rule;
mod sentences;

use std::borrow::Cow;
use std::ops::Range;

use crate::interner::common_runs::Run;
use crate::rabin::Suffix;
use choose::FoundPassage;
pub use common::Templates;
pub use common::{
    ApproximateCounts, CommonRange, CommonWindows, KeptWords, SubmissionCounts, Window, Words,
};
use joined::Joined;
pub use joined::{Covered, CoveredWords, Reworded};
pub use pair::Sequence;
use pair::{Pair, WORD};

/// The minimum size of a passage that counts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct MinMatch(usize);

impl MinMatch {
    /// The smallest possible number of words: the number of words in a seed.
    pub const SMALLEST: usize = 3;

    /// Returns the condition that a passage must meet: at least `words` aligned words in a row; or
    /// five thirds as many aligned words, all different and in any order, `words` of which are in
    /// rows of three or more. `None` if `words` is below [`SMALLEST`](Self::SMALLEST).
    pub fn new(words: usize) -> Option<Self> {
        (words >= Self::SMALLEST).then_some(Self(words))
    }

    /// Returns the number of aligned words in a row that are enough.
    pub fn words(self) -> usize {
        self.0
    }

    /// Returns the worth of the words in a row that are enough, in quarters of a word.
    fn in_a_row(self) -> usize {
        self.0.saturating_mul(WORD)
    }

    /// Returns the minimum worth, in quarters of a word, of the different aligned words of a
    /// passage that has too few of them in a row.
    fn different(self) -> usize {
        self.0.saturating_mul(5 * WORD).div_ceil(3)
    }
}

impl Default for MinMatch {
    /// Returns 12 words in a row: unrelated texts on one subject hardly ever share as many.
    fn default() -> Self {
        Self(12)
    }
}

/// The way in which a passage was changed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    /// The same words in the same order.
    Exact,
    /// With some words changed or moved.
    Edited,
    /// Sentences that share many of the words that are rare in both texts, in any order.
    Reworded,
}

impl Kind {
    /// Returns the name of the kind in output, which never changes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Edited => "edited",
            Self::Reworded => "reworded",
        }
    }
}

/// The minimum number of aligned words of a part of a passage that counts as moved.
pub const MIN_MOVED_WORDS: usize = 5;

/// A passage that two texts share.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Passage {
    /// The range of words in the left text, counted from 0.
    pub left: Range<usize>,
    /// The range of words in the right text.
    pub right: Range<usize>,
    /// The aligned runs, in the order of the right text. The first begins at the start of `right`
    /// or later, and no two overlap on either side. There is at least one run, and each has at
    /// least one word.
    pub runs: Vec<Run>,
    /// The residue of the aligned words, joined by single spaces: in the order of the left or of
    /// the right text, whichever gives the smaller residue.
    pub fingerprint: u64,
    /// The words of reworded sentences in each text, in order: sentences that share many of the words that
    /// are rare in both texts, in any order.
    pub reworded: [Vec<Range<usize>>; 2],
    /// The words in each text that are changed, in order: they are not aligned, but stand in sentences that
    /// are. Other words between the runs are the text's own, and no part of what both texts share.
    pub changed: [Vec<Range<usize>>; 2],
    /// The ranges of words of the left text and of the right text in which it repeats what the
    /// other text has less often, in order: copies of the passage, or of a part of it. They overlap
    /// no exact or edited passage.
    pub repeats: [Vec<Range<usize>>; 2],
    /// The aligned words of these.
    pub repeated: [Vec<Range<usize>>; 2],
}

impl Passage {
    /// Returns the number of aligned words.
    pub fn words(&self) -> usize {
        self.runs.iter().map(|run| run.length).sum()
    }

    /// Returns the number of words that are changed, of the side that has more of them.
    pub fn changed_words(&self) -> usize {
        let words = |ranges: &Vec<Range<usize>>| ranges.iter().map(Range::len).sum();
        self.changed.iter().map(words).max().unwrap_or_default()
    }

    /// Returns the number of words between the parts of the passage that are neither aligned nor changed,
    /// of the left text (0) or the right text (1).
    pub fn own_words(&self, side: usize) -> usize {
        let own = self.parts(side).into_iter().filter(|(_, kind)| kind.is_none());
        own.map(|(words, _)| words.len()).sum()
    }

    /// Returns the parts of the passage in the left text (0) or the right text (1), in order: all words of
    /// the passage there, without gaps. A part is copied word for word, edited, or reworded; `None` stands
    /// for words that are the text's own. No two parts of one kind follow each other.
    pub fn parts(&self, side: usize) -> Vec<(Range<usize>, Option<Kind>)> {
        let is_reworded =
            |words: &Range<usize>, side: usize| runs::contain(&self.reworded[side], words.start);
        let is_edited =
            (0..2).any(|side| self.changed[side].iter().any(|words| !is_reworded(words, side)));
        let copied = if is_edited { Kind::Edited } else { Kind::Exact };
        let mut shared: Vec<Range<usize>> = self.runs.iter().map(|run| run.range(side)).collect();
        shared.extend(self.changed[side].iter().cloned());
        shared.sort_unstable_by_key(|words| words.start);
        let mut parts: Vec<(Range<usize>, Option<Kind>)> = Vec::new();
        let mut push = |words: Range<usize>, kind| match parts.last_mut() {
            _ if words.is_empty() => {}
            Some((last, known)) if *known == kind => last.end = words.end,
            _ => parts.push((words, kind)),
        };
        let place = [&self.left, &self.right][side];
        let mut end = place.start;
        for words in shared {
            push(end..words.start, None);
            end = words.end;
            let kind = if is_reworded(&words, side) { Kind::Reworded } else { copied };
            push(words, Some(kind));
        }
        push(end..place.end, None);
        parts
    }

    /// Reports whether more words are changed than unchanged.
    pub fn is_mostly_changed(&self) -> bool {
        self.changed_words() > self.words()
    }

    /// Reports whether the two texts have the long runs in different orders, those of at least
    /// [`MIN_MOVED_WORDS`] words.
    pub fn is_reordered(&self) -> bool {
        let long = self.runs.iter().filter(|run| run.length >= MIN_MOVED_WORDS);
        !long.is_sorted_by_key(|run| run.at[0])
    }

    /// Returns the way in which the passage was changed: [`Reworded`](Kind::Reworded) if all of it is.
    pub fn kind(&self) -> Kind {
        if self.runs.iter().all(|run| runs::contain(&self.reworded[0], run.at[0])) {
            return Kind::Reworded;
        }
        let is_whole = self.runs.len() == 1 && self.words() == self.left.len();
        if is_whole && self.left.len() == self.right.len() { Kind::Exact } else { Kind::Edited }
    }
}

/// The words of two texts, prepared for finding their passages.
#[derive(Debug)]
pub struct WordPair {
    pair: Pair,
    /// Whether the sides of `pair` are swapped.
    is_swapped: bool,
    /// The exact and edited passages, if they are known.
    found: Option<Vec<FoundPassage>>,
}

impl WordPair {
    /// Prepares the words of two texts. For two of many texts,
    /// [`Texts::words_of`](many::Texts::words_of) has done most of this already.
    pub(crate) fn new(left: Cow<Sequence>, right: Cow<Sequence>) -> Self {
        let (pair, is_swapped) = Pair::of(left, right);
        Self { pair, is_swapped, found: None }
    }

    /// Returns the number of words in the left and in the right text.
    pub fn lengths(&self) -> [usize; 2] {
        let [left, right] = self.pair.words.each_ref().map(Vec::len);
        if self.is_swapped { [right, left] } else { [left, right] }
    }
}

/// Returns the words of the left text (0) or the right text (1) that passages have in common with the
/// other text.
pub fn covered<'p>(passages: impl Iterator<Item = &'p Passage>, side: usize) -> CoveredWords {
    let words = |it: &'p Passage| -> SideWords<'p> {
        (&it.runs, [&it.repeated, &it.changed, &it.repeats].map(|of_sides| &*of_sides[side]))
    };
    covered_by(passages.map(words), side)
}

/// The runs of a passage, and its words of one side: those that are aligned where the text repeats it,
/// those that are changed, and those that repeat it.
type SideWords<'p> = (&'p [Run], [&'p [Range<usize>]; 3]);

fn covered_by<'p>(passages: impl Iterator<Item = SideWords<'p>>, side: usize) -> CoveredWords {
    let (mut aligned, mut all) = (Vec::new(), Vec::new());
    for (runs, [repeated, changed, repeats]) in passages {
        aligned.extend(runs.iter().map(|run| run.range(side)).chain(repeated.iter().cloned()));
        all.extend(changed.iter().chain(repeats).cloned());
    }
    all.extend(aligned.iter().cloned());
    CoveredWords::new(aligned, all)
}

/// Finds the passages that two texts share, in the order of the right text. No passage contains only
/// some of the words that share a character.
///
/// Swapping the texts swaps the sides of each passage and changes nothing else. The cost is that of
/// sorting the words.
///
/// `whole` takes ranges of words of one text, 0 for left or 1 for right. For each range, in order,
/// it returns the longest part that shares no character with a word outside of it, and a value,
/// usually the place of that part. The values of both sides are returned with each passage, each
/// followed by those of the [repeats](Passage::repeats) on that side. A passage that is cut in this
/// way may become too short to count.
///
/// `sentences` takes disjoint ranges of words of one text, in order. It returns the words that
/// begin a sentence, in increasing order and without the first word of a range; `None` if they are
/// not known. It is called for the words that no exact or edited passage contains; where it returns
/// `None`, no [reworded](Kind::Reworded) passage is found.
pub fn find_whole<P>(
    words: WordPair,
    min_match: MinMatch,
    whole: impl Fn(usize, &[Range<usize>]) -> Vec<(Range<usize>, P)>,
    sentences: impl Fn(usize, &[Range<usize>]) -> Option<Vec<usize>> + Sync,
) -> Vec<(Passage, [(P, Vec<P>); 2])> {
    let WordPair { pair, is_swapped, found: known } = words;
    let found = known.unwrap_or_else(|| found(&pair, min_match));
    let side_of = |side: usize| if is_swapped { 1 - side } else { side };
    let (mut kept, mut places, mut next) = (Vec::new(), Vec::new(), found);
    while !next.is_empty() {
        let [on_left, on_right] = [0, 1].map(|side| {
            let of = |it: &FoundPassage| runs::extent(&it.runs, side_of(side));
            whole(side, &next.iter().map(of).collect::<Vec<_>>())
        });
        let of_both = on_left.into_iter().zip(on_right);
        let mut open = Vec::new();
        for (found, ((left, of_left), (right, of_right))) in next.into_iter().zip(of_both) {
            let mut ranges = [left, right];
            if is_swapped {
                ranges.reverse();
            }
            if (0..2).all(|side| runs::extent(&found.runs, side) == ranges[side]) {
                places.push([(of_left, Vec::new()), (of_right, Vec::new())]);
                kept.push(found);
            } else if let Some(runs) = choose::within(&pair, found.runs, &ranges, min_match) {
                open.push(FoundPassage { runs, ..found });
            }
        }
        next = open;
    }
    for side in 0..2 {
        let all = |it: &FoundPassage| it.repeats[side_of(side)].clone();
        let all: Vec<Range<usize>> = kept.iter().flat_map(all).collect();
        let mut wholes = whole(side, &all).into_iter();
        for (found, places) in kept.iter_mut().zip(&mut places) {
            let repeats = &mut found.repeats[side_of(side)];
            let of_passage = wholes.by_ref().take(repeats.len());
            repeats.clear();
            for (range, place) in of_passage.filter(|(range, _)| !range.is_empty()) {
                repeats.push(range);
                places[side].1.push(place);
            }
        }
    }
    let sentences = |side: usize, ranges: &[Range<usize>]| sentences(side_of(side), ranges);
    let joined = joined::join(&pair, &kept, min_match, sentences, Reworded::Found);
    let [on_left, on_right] = [0, 1].map(|side| {
        let places: Vec<_> = joined.iter().map(|it| it.place[side_of(side)].clone()).collect();
        whole(side, &places)
    });
    let mut found = Vec::new();
    for ((it, (left, of_left)), (right, of_right)) in joined.into_iter().zip(on_left).zip(on_right)
    {
        let mut place = [left, right];
        if is_swapped {
            place.reverse();
        }
        let Some(it) = it.within(place) else { continue };
        let repeats = [0, 1].map(|side| {
            let of_passage = |at: &usize| {
                let starts = kept[*at].repeats[side_of(side)].iter().map(|range| range.start);
                starts.zip(std::mem::take(&mut places[*at][side].1)).collect::<Vec<_>>()
            };
            let mut all: Vec<_> = it.passages.iter().flat_map(of_passage).collect();
            all.sort_by_key(|(start, _)| *start);
            all.into_iter().map(|(_, place)| place).collect()
        });
        let [of_left_repeats, of_right_repeats] = repeats;
        let of_sides = [(of_left, of_left_repeats), (of_right, of_right_repeats)];
        found.push((it, of_sides));
    }
    let (joined, places): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    let passages = joined.into_iter().map(|it| passage(it, &pair, is_swapped));
    let mut found: Vec<_> = passages.zip(places).collect();
    found.sort_by_key(|(passage, _)| passage.right.start);
    found
}

/// Returns the exact and edited passages of a pair.
fn found(pair: &Pair, min_match: MinMatch) -> Vec<FoundPassage> {
    if pair.words[0].is_empty() {
        Vec::new()
    } else if pair.is_same() {
        runs::parts(pair).into_iter().map(FoundPassage::new).collect()
    } else {
        let mut runs = seeds::anchors(pair);
        let (others, recurring) = seeds::runs(pair, &runs);
        let further = recurring::runs(pair, &recurring, (&runs, &others), min_match);
        runs.extend(others.into_iter().chain(further));
        let sets: Vec<Vec<Run>> = runs::apart_at_breaks(pair, runs)
            .into_iter()
            .flat_map(|runs| gather::gather(pair, &runs, min_match))
            .collect();
        let of_set = |set: &Vec<Run>| {
            align::candidates(pair, runs::apart([0, 1], set.clone(), 1), min_match)
        };
        let chosen = choose::choose(pair, sets.iter().flat_map(of_set).collect(), min_match);
        let mut found: Vec<FoundPassage> = chosen.into_iter().map(FoundPassage::new).collect();
        for side in 0..2 {
            choose::add_repeats(pair, side, &sets, &mut found, min_match);
        }
        found
    }
}

fn passage(joined: Joined, pair: &Pair, is_swapped: bool) -> Passage {
    let Joined { place, mut runs, reworded, changed, repeats, repeated, .. } = joined;
    let mut of_sides = [place.map(|range| vec![range]), reworded, changed, repeats, repeated];
    if is_swapped {
        for run in &mut runs {
            run.at.swap(0, 1);
        }
        for ranges in &mut of_sides {
            ranges.reverse();
        }
    }
    runs.sort_unstable_by_key(|run| run.at[1]);
    let side = usize::from(is_swapped);
    let mut fingerprint = residue(&runs, pair, side);
    if !runs.is_sorted_by_key(|run| run.at[0]) {
        let mut in_order_of_left = runs.clone();
        in_order_of_left.sort_unstable_by_key(|run| run.at[0]);
        fingerprint = fingerprint.min(residue(&in_order_of_left, pair, side));
    }
    let [place, reworded, changed, repeats, repeated] = of_sides;
    let [left, right] = place.map(|mut range| range.pop().unwrap_or_default());
    Passage { left, right, runs, fingerprint, reworded, changed, repeats, repeated }
}

/// The largest number of words whose residue is computed at a time.
const BLOCK: usize = if cfg!(test) { 1 << 3 } else { 1 << 13 };

/// Returns the residue of the words of runs, joined by single spaces.
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
