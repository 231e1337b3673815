//! What is stored of an accepted pair, and the rule by which it is new again.
//!
//! Input: the passages of two texts and the overlap of their shingles, and what was stored when the
//! pair was accepted. Output: whether the pair shares more than was accepted. This module knows
//! neither files nor names.
//!
//! Stored are
//!
//! * of a pair, its [`Amount`]: the number of aligned words in its passages, and the counts of its
//!   Jaccard index;
//! * of each of its texts, the [`Tiles`] of its accepted passages: digests of three words in a row. Words
//!   of the text's own between the parts of a passage have none.
//!
//! A tile does not say where in the text it is, so that it is found again after anything around it
//! was changed, moved or deleted. A change within a passage only loses the tile that it touches.
//!
//! A word of a passage is *known* in a text if a tile of that text covers it, in either of the two
//! texts as they are now: a word that is changed in one copy is still covered in the other. It is
//! known to the pair if it is known in both texts. An accepted pair is new again if
//!
//! 1. a passage has a **new place**: [`NEW_WORDS`] of its aligned words in a row, or all if it has
//!    fewer, are not known to the pair;
//! 2. its passages have [`NEW_WORDS`] aligned words **more** than were accepted, as when a known
//!    passage is copied once more into both texts;
//! 3. it has no passage (any more), and it shares more shingles than were accepted and its Jaccard
//!    index **rose** by 1/20 or more. The index alone also rises if something is deleted that the
//!    texts do not share.
//!
//! Nothing else makes it new. A passage that was cut in two has two known parts, and the same word
//! corrected in both texts is a single unknown word, or three; one that is deleted in both leaves two
//! unknown words. Three such edits in twelve words may be a new place.

use std::collections::BTreeSet;
use std::ops::Range;

use data_encoding::BASE64URL_NOPAD;
use dedup_text::pair::{Judgement, Match};
use dedup_text::text::{self, Text};
use dedup_text::{rabin, tokens};

/// The number of words by which an accepted pair must grow to be new again.
const NEW_WORDS: usize = 12;

/// The number of words of a tile, except in passages of fewer than two tiles.
const TILE: usize = 3;

/// How much two texts share.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Amount {
    /// The number of aligned words in all passages, in the text that has more of them.
    pub(super) words: usize,
    /// The number of distinct shingles that both texts have.
    pub(super) shared: usize,
    /// The number of distinct shingles of either text.
    pub(super) all: usize,
}

impl Amount {
    /// Reports whether the Jaccard index is higher by 1/20 or more than that of `accepted`, and not
    /// only because the texts have fewer other shingles. The index of two empty sets counts as 0.
    fn rose_above(self, accepted: Self) -> bool {
        let [now, then] = [self, accepted].map(|it| (it.shared as u128, (it.all as u128).max(1)));
        let rise_by_20 = 20 * now.0 * then.1;
        self.shared > accepted.shared && rise_by_20 >= 20 * then.0 * now.1 + now.1 * then.1
    }
}

/// The tiles of the accepted passages of a text: the lowest 24 bits of the Rabin residue of the
/// words of each, joined by spaces.
#[derive(Clone, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Tiles(BTreeSet<u32>);

impl Tiles {
    /// The number of bytes of a tile in a file.
    const BYTES: usize = 3;

    pub(super) fn extend(&mut self, others: &Self) {
        self.0.extend(&others.0);
    }

    /// Writes the tiles in increasing order, four characters each; `-` if there are none.
    pub(super) fn written(&self) -> String {
        let bytes: Vec<u8> =
            self.0.iter().flat_map(|tile| tile.to_be_bytes().into_iter().skip(1)).collect();
        if bytes.is_empty() { "-".to_owned() } else { BASE64URL_NOPAD.encode(&bytes) }
    }

    /// Reads what [`written`](Self::written) wrote; `None` if it is something else.
    pub(super) fn read(written: &str) -> Option<Self> {
        let digits = if written == "-" { "" } else { written };
        let bytes = BASE64URL_NOPAD.decode(digits.as_bytes()).ok()?;
        let tiles = bytes.chunks(Self::BYTES);
        let tiles = tiles.map(|it| it.iter().fold(0, |tile, byte| tile << 8 | u32::from(*byte)));
        (bytes.len() % Self::BYTES == 0).then(|| Self(tiles.collect()))
    }
}

/// Consecutive words of a text, in normal form.
#[derive(Debug, Default)]
struct Words {
    /// The words, joined by spaces.
    joined: String,
    ranges: Vec<Range<usize>>,
}

impl Words {
    fn new(text: &str) -> Self {
        let mut words = Self::default();
        for token in tokens::split(text).0 {
            if !words.ranges.is_empty() {
                words.joined.push(' ');
            }
            let start = words.joined.len();
            words.joined += &token.word;
            words.ranges.push(start..words.joined.len());
        }
        words
    }

    /// Returns the digest of `count` words from `first` on; `None` if there are fewer.
    fn digest(&self, first: usize, count: usize) -> Option<u32> {
        let last = self.ranges.get(first + count - 1)?;
        let residue = rabin::residue(&self.joined.as_bytes()[self.ranges[first].start..last.end]);
        Some((residue & 0xff_ffff) as u32)
    }

    /// Returns tiles that cover all words of a part: one after the other, and one for the last words.
    fn tiles(&self, part: &Range<usize>) -> impl Iterator<Item = u32> {
        let size = (part.len() / 2).clamp(1, TILE);
        let firsts = part.clone().step_by(size).chain(part.end.checked_sub(size));
        firsts
            .filter(move |first| first + size <= part.end)
            .filter_map(move |first| self.digest(first, size))
    }

    /// Reports for each word whether a tile covers it.
    fn covered(&self, is_tile: &impl Fn(u32) -> bool) -> Vec<bool> {
        let mut covered = vec![false; self.ranges.len()];
        for first in 0..covered.len() {
            for count in 1..=TILE {
                if self.digest(first, count).is_some_and(is_tile) {
                    covered[first..first + count].fill(true);
                }
            }
        }
        covered
    }
}

/// A passage, with all words of its extent in either text.
#[derive(Debug)]
struct TilePlace {
    /// The index of the first word of the extent in each text.
    starts: [usize; 2],
    words: [Words; 2],
    /// The parts of the extents that have tiles: all but the words that are the text's own, so that an edit
    /// of these loses no tile.
    parts: [Vec<Range<usize>>; 2],
    /// The aligned words, in the order of the right text: the indices of each in the extents.
    aligned: Vec<[usize; 2]>,
}

impl TilePlace {
    fn new([left, right]: [&Text; 2], found: &Match) -> Self {
        let passage = &found.passage;
        let starts = [passage.left.start, passage.right.start];
        let words = |text: &Text, range: &Range<usize>| Words::new(&text.content()[range.clone()]);
        let aligned = passage.runs.iter().flat_map(|run| {
            (0..run.length).map(move |at| [0, 1].map(|side| run.at[side] + at - starts[side]))
        });
        let parts = |side: usize| {
            let parts = passage.parts(side).into_iter().filter(|(_, kind)| kind.is_some());
            parts.map(|(it, _)| it.start - starts[side]..it.end - starts[side]).collect()
        };
        Self {
            starts,
            words: [words(left, &found.left.content), words(right, &found.right.content)],
            parts: [parts(0), parts(1)],
            aligned: aligned.collect(),
        }
    }

    /// Returns the places of a side where its text repeats the passage, with the words that are there
    /// on both sides.
    fn repeats(text: &Text, found: &Match, side: usize) -> Vec<Self> {
        let passage = &found.passage;
        let starts = [passage.left.start, passage.right.start];
        let last = [&passage.left, &passage.right][1 - side].len() - 1;
        let all = found.repeats[side].iter().zip(&passage.repeats[side]);
        let place = |(place, words): (&text::Place, &Range<usize>)| {
            let written = || Words::new(&text.content()[place.content.clone()]);
            let parts = || vec![Range { start: 0, end: words.len() }];
            let mut starts = starts;
            starts[side] = words.start;
            let aligned = (0..words.len()).map(|at| {
                let mut ends = [at.min(last); 2];
                ends[side] = at;
                ends
            });
            let words = [written(), written()];
            Self { starts, words, parts: [parts(), parts()], aligned: aligned.collect() }
        };
        all.map(place).collect()
    }

    /// Reports for each aligned word whether it is in one of the tiles, in either text.
    fn known(&self, is_tile: impl Fn(u32) -> bool) -> Vec<bool> {
        let covered = self.words.each_ref().map(|words| words.covered(&is_tile));
        let is_known =
            |word: &[usize; 2]| (0..2).any(|side| covered[side].get(word[side]) == Some(&true));
        self.aligned.iter().map(is_known).collect()
    }
}

/// What two texts share in a run.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) amount: Amount,
    places: Vec<TilePlace>,
}

impl Shared {
    pub(super) fn new(texts: [&Text; 2], judgement: &Judgement) -> Self {
        let matches = judgement.matches.iter().flat_map(|matches| &matches.all);
        let mut places = Vec::new();
        for found in matches {
            places.push(TilePlace::new(texts, found));
            for (side, text) in texts.into_iter().enumerate() {
                places.extend(TilePlace::repeats(text, found, side));
            }
        }
        let overlap = judgement.comparison.all;
        let words =
            places.iter().flat_map(|place| (0..place.aligned.len()).map(move |at| (place, at)));
        let amount = Amount { words: count(&words), shared: overlap.shared, all: overlap.union() };
        Self { amount, places }
    }

    /// Returns the tiles of the passages in one of the texts, 0 for left or 1 for right.
    pub(super) fn tiles(&self, side: usize) -> Tiles {
        let of_place = |place: &TilePlace| -> Vec<u32> {
            place.parts[side].iter().flat_map(|part| place.words[side].tiles(part)).collect()
        };
        Tiles(self.places.iter().flat_map(of_place).collect())
    }

    /// Reports whether no more is shared than was accepted; see the [module](self). `tiles` are those of
    /// both texts.
    pub(super) fn is_accepted(&self, accepted: Amount, tiles: [&Tiles; 2]) -> bool {
        for place in &self.places {
            let [left, right] = tiles.map(|tiles| place.known(|tile| tiles.0.contains(&tile)));
            let (mut row, mut longest) = (0, 0);
            for (left, right) in left.into_iter().zip(right) {
                row = if left && right { 0 } else { row + 1 };
                longest = longest.max(row);
            }
            if longest >= NEW_WORDS.min(place.aligned.len()) {
                return false;
            }
        }
        if self.places.is_empty() {
            return !self.amount.rose_above(accepted);
        }
        self.amount.words < accepted.words.saturating_add(NEW_WORDS)
    }
}

/// Counts aligned words, given by their passages and indices, in the text that has more of them: a
/// text may have several copies of what the other has once.
fn count<'p>(words: &(impl Iterator<Item = (&'p TilePlace, usize)> + Clone)) -> usize {
    let of_side = |side: usize| {
        let words = words.clone();
        let mut all: Vec<usize> =
            words.map(|(place, at)| place.starts[side] + place.aligned[at][side]).collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    };
    of_side(0).max(of_side(1))
}

#[cfg(test)]
mod tests;
