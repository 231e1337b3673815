//! Sketches two texts, compares the sketches, and finds the passages that both share.
//!
//! Work is done in parallel where that is possible, unless it would need too much memory at once.
//!
//! A window that lies within a run that both texts have is composed once. The set of a text
//! consists of what both texts have and of what it has of its own. Windows are composed for each
//! half of the texts, and compared in parts, by the highest bits of their residues.

use std::borrow::Cow;
use std::ops::Range;

use super::matches::Matches;
use super::vocabulary::SurfaceForms;
use super::vocabulary::{self, WordSequence};
use super::{Analyzed, Analyzer};
use crate::interner::common_runs::{self, Run};
use crate::interner::{StemPair, StemTable, read_pair};
use crate::jaccard::Overlap;
use crate::language::Settled;
use crate::pair::{Recipe, Search};
use crate::parallel;
use crate::shingles::{self, Grouping, Members, Ngrams, Part, ResidueBuffer, Variety, Windows};
use crate::simhash::{Votes, vote};
use crate::sketch::{Comparison, Summary};
use crate::text::Text;
use crate::tokens::exclusions::Remaining;

/// Two texts, and what is left of them after exclusions.
pub(crate) struct PairAnalyzer<'t> {
    pub(crate) texts: [&'t Text; 2],
    pub(crate) remaining: [&'t Remaining<'t>; 2],
}

impl PairAnalyzer<'_> {
    fn bytes(&self) -> usize {
        self.remaining.iter().map(|text| text.text().len()).sum()
    }

    /// Returns the number of bytes that are held, in addition to the texts, to map places to their
    /// files.
    fn extra_bytes(&self) -> usize {
        self.texts.iter().map(|text| text.extra_bytes()).sum()
    }

    /// Sketches both texts: those in one language [together](read_pair) if they are short or copies
    /// of one another, others in parallel. The passages that they share are returned as well if
    /// they are always searched for and that does not take [too much memory](is_too_much).
    ///
    /// Reading once for both purposes pays off. If the sketches and the passages each read the
    /// texts by themselves, the default answer takes 217 ms instead of 186 on two halves of 11 MB,
    /// 184 instead of 163 on copies of 9 MB, and 7.8 instead of 6.4 on 200 kB. Sketches alone are
    /// made in a different way, because they need no offsets of words: made as for passages, copies
    /// of 9 MB with `--quiet` would take 163 ms instead of 55.
    pub(super) fn sketch(
        &self,
        languages: &Settled,
        recipe: &Recipe,
    ) -> (PairSketch, Option<Matches>) {
        let in_one_language = languages.left.language == languages.right.language;
        let analyzer = Analyzer::new(languages.left.language, recipe);
        let own_analyzer =
            (!in_one_language).then(|| Analyzer::new(languages.right.language, recipe));
        let analyzers = [&analyzer, own_analyzer.as_ref().unwrap_or(&analyzer)];
        if recipe.search == Search::Always
            && let Some(found) = self.sketch_and_find(analyzers, recipe)
        {
            return found;
        }
        let bytes = self.bytes();
        let sketched = |pair: StemPair, distinct: StemTable| {
            (PairSketch::new(&pair, &distinct, (bytes, self.extra_bytes()), recipe.ngrams), None)
        };
        let texts @ [left, right] = self.remaining;
        if in_one_language && let Some(read) = read_pair(texts, || analyzer.stages(), false) {
            return sketched(read.pair, read.distinct);
        }
        if in_one_language && !parallel::worth_parallel(bytes) {
            let (readings, distinct) = analyzer.read(texts);
            return sketched(readings.into(), distinct);
        }
        let (left, right) =
            parallel::join(bytes, || analyzers[0].read([left]), || analyzers[1].read([right]));
        let (readings, distinct) = joined(left, right);
        sketched(readings.into(), distinct)
    }

    /// Sketches both texts and finds their passages, unless that takes too much memory at once.
    fn sketch_and_find(
        &self,
        analyzers @ [analyzer, right_analyzer]: [&Analyzer; 2],
        recipe: &Recipe,
    ) -> Option<(PairSketch, Option<Matches>)> {
        let (bytes, extra, ngrams) = (self.bytes(), self.extra_bytes(), recipe.ngrams);
        let in_one_language = std::ptr::eq(analyzer, right_analyzer);
        let is_together = in_one_language && !parallel::worth_parallel(bytes);
        if !is_together && begins_as_too_much(self.remaining, bytes) {
            return None;
        }
        let together = if in_one_language { self.read_together() } else { None };
        let (words, texts) = together.unwrap_or_else(|| self.read_apart());
        if !is_together && is_too_much(texts.each_ref(), extra, bytes) {
            return None;
        }
        // What is no longer needed is freed where it was used, not all at the end.
        let of_sketch = &texts;
        let sketch = move || {
            let (pair, distinct) = words.stems(analyzers, of_sketch.each_ref(), bytes);
            PairSketch::new(&pair, &distinct, (bytes, extra), ngrams)
        };
        let find = || Some(self.matches(texts.each_ref().map(Cow::Borrowed), recipe));
        Some(parallel::join(bytes, sketch, find))
    }

    /// Reads both texts with one interner, if they are short or copies of one another.
    fn read_together(&self) -> Option<(Vocabularies, [WordSequence; 2])> {
        if let Some((words, texts, runs)) = vocabulary::read_both(self.remaining) {
            return Some((Vocabularies::Together(words, runs), texts));
        }
        let is_short = !parallel::worth_parallel(self.bytes());
        let (words, texts) = is_short.then(|| vocabulary::read(self.remaining))?;
        Some((Vocabularies::Together(words, Vec::new()), texts))
    }

    fn read_apart(&self) -> (Vocabularies, [WordSequence; 2]) {
        let [left, right] = self.remaining;
        let ((left_words, [left]), (right_words, [right])) =
            parallel::join(self.bytes(), || vocabulary::read([left]), || vocabulary::read([right]));
        (Vocabularies::Apart([left_words, right_words]), [left, right])
    }

    /// Finds the passages that both texts share, when nothing has been read yet.
    pub(crate) fn find(&self, recipe: &Recipe) -> Matches {
        let [left, right] = self.remaining;
        let (left, right) = parallel::join(
            self.bytes(),
            || WordSequence::alone(left),
            || WordSequence::alone(right),
        );
        self.matches([left, right].map(Cow::Owned), recipe)
    }

    fn matches(&self, [left, right]: [Cow<WordSequence>; 2], recipe: &Recipe) -> Matches {
        let [left_text, right_text] = self.texts;
        Matches::new((left_text, left), (right_text, right), recipe)
    }
}

enum Vocabularies {
    /// One vocabulary for both texts, and the runs of words that both are known to have.
    Together(SurfaceForms, Vec<Run>),
    Apart([SurfaceForms; 2]),
}

impl Vocabularies {
    /// Reduces two texts of `bytes` bytes in total to their stems.
    fn stems(
        self,
        [analyzer, right_analyzer]: [&Analyzer; 2],
        texts @ [left, right]: [&WordSequence; 2],
        bytes: usize,
    ) -> (StemPair, StemTable) {
        let (readings, distinct) = match self {
            Self::Together(words, runs) if runs.is_empty() => analyzer.reduce_all(&words, texts),
            Self::Together(words, runs) => return analyzer.reduce_alike(&words, texts, &runs),
            Self::Apart([of_left, of_right]) => {
                let left = move || analyzer.reduce_all(&of_left, [left]);
                let right = move || right_analyzer.reduce_all(&of_right, [right]);
                let (left, right) = parallel::join(bytes, left, right);
                joined(left, right)
            }
        };
        (readings.into(), distinct)
    }
}

/// Combines the stems of two texts that were read with an interner each into one table.
fn joined(([left], mut distinct): Analyzed<1>, ([mut right], others): Analyzed<1>) -> Analyzed<2> {
    let places = distinct.append(&others);
    right.stems.iter_mut().for_each(|stem| *stem += places.start);
    ([left, right], distinct)
}

/// The bytes of memory per word of both texts that are needed to sketch them and find their
/// passages at once.
const BYTES_PER_WORD: usize = 12;
/// The bytes of memory that are needed in addition per distinct word.
const A_DISTINCT_WORD: usize = 80;

/// The bytes of memory that texts of any size may take.
const MEMORY_OF_ANY_TEXT: usize = 1 << 25;

/// The denominator of the part of a text, at its beginning, that is examined first.
const SAMPLE_DIVISOR: usize = 64;

/// Estimates the bytes of memory that are needed to sketch two texts and find their passages at
/// once.
fn takes(texts: [&WordSequence; 2]) -> usize {
    let of = |text: &WordSequence| {
        BYTES_PER_WORD * text.sequence.words.len()
            + A_DISTINCT_WORD * text.sequence.distinct.stems.len()
    };
    texts.into_iter().map(of).sum()
}

/// Reports whether it takes too much memory to sketch two texts and find their passages at once.
/// The texts have `bytes` bytes in total, and `extra` bytes of other data are held. It does if they
/// have very many words per kilobyte, or ever new ones.
fn is_too_much(texts: [&WordSequence; 2], extra: usize, bytes: usize) -> bool {
    takes(texts) + extra > 4 * bytes + MEMORY_OF_ANY_TEXT
}

/// Reports whether the beginning of the texts already shows that it takes too much memory. The
/// beginning of any text has more distinct words per kilobyte than the entire text.
fn begins_as_too_much(texts: [&Remaining; 2], bytes: usize) -> bool {
    let beginning = |text: &Remaining| {
        let text = text.text();
        WordSequence::alone(&Remaining::all(
            &text[..text.floor_char_boundary(text.len() / SAMPLE_DIVISOR)],
        ))
    };
    let [left, right] = texts.map(beginning);
    takes([&left, &right]) > (8 * bytes + MEMORY_OF_ANY_TEXT) / SAMPLE_DIVISOR
}

// From the stems of two texts to the overlap of their sets of shingles, and the votes of these.

/// The sketches of left and right, compared.
pub(super) struct PairSketch {
    pub(super) sketches: [Summary; 2],
    /// The overlaps of their sets of shingles: those of all sizes, and those of the greatest size.
    overlaps: [Overlap; 2],
    /// The number of shingles of either text that have the same residue as another one.
    pub(super) collisions: usize,
}

impl PairSketch {
    /// Sketches two texts of `bytes` bytes in total, while `extra` bytes of other data are held.
    /// Their stems are indices into `distinct`.
    fn new(
        pair: &StemPair,
        distinct: &StemTable,
        (bytes, extra): (usize, usize),
        ngrams: Ngrams,
    ) -> Self {
        let of_text = |stems: usize| residues(stems, distinct, ngrams);
        let residues = pair.lengths().map(of_text).iter().sum();
        Self::by_parts(pair, distinct, (bytes, power(residues, bytes, extra)), ngrams)
    }

    /// Compares the sets in 2^`power` parts.
    fn by_parts(
        pair: &StemPair,
        distinct: &StemTable,
        (bytes, power): (usize, u32),
        ngrams: Ngrams,
    ) -> Self {
        let stemmed = Stemmed { pair, distinct };
        let mut sets = PairSets::empty();
        Part::all(power).for_each(|part| sets.add(&PairSets::part(&stemmed, bytes, ngrams, part)));
        let [all, longest] = sets.overlaps;
        let summary = |side: usize, (shingles, longest): (usize, usize)| {
            let stems = pair.lengths()[side];
            let of_text = (stems, pair.breaks()[side]);
            let of_range = |range| pair.stems(side, range);
            Summary {
                words: pair.words()[side],
                stems,
                shingles,
                variety: Variety::of_stems(of_text, of_range, distinct, (longest, ngrams)),
                fingerprint: (shingles > 0).then(|| sets.votes[side].fingerprint()),
            }
        };
        let sketches =
            [summary(0, (all.left, longest.left)), summary(1, (all.right, longest.right))];
        let PairSets { overlaps, collisions, .. } = sets;
        Self { sketches, overlaps, collisions }
    }

    pub(super) fn have_same_shingles(&self) -> bool {
        self.overlaps.iter().all(|overlap| overlap.are_equal())
    }

    pub(super) fn compared(&self) -> Comparison {
        Comparison::from_overlaps(self.sketches, self.overlaps)
    }
}

/// Returns an upper bound for the number of residues in the set of a text of `length` stems.
/// Windows that the end of the text cuts short are not counted.
fn residues(length: usize, distinct: &StemTable, ngrams: Ngrams) -> usize {
    let more = u32::from(distinct.greatest_more());
    let most = |n: usize| {
        let stems = u32::try_from(n).unwrap_or(u32::MAX).saturating_add(more);
        distinct.stems.len().saturating_pow(stems).min(length)
    };
    (ngrams.min()..=ngrams.max()).map(most).sum()
}

/// The number of residues that may be held at a time for texts of any size, without extra bytes.
const MIN_HELD: usize = 1 << 22;

/// The number of residues that may be held at a time, however many extra bytes there are.
const MIN_HELD_WITH_EXTRA: usize = 1 << 20;

/// The largest binary logarithm of the number of parts in which sets are compared: each part costs
/// a pass over all stems.
const MAX_POWER: u32 = 3;

/// Returns the binary logarithm of the number of parts in which sets of `residues` residues, of
/// texts of `bytes` bytes, are compared.
///
/// It is chosen so that the residues held at a time take no more than about three times as much
/// memory as the texts, less half of the `extra` bytes. Plain English is compared in one part.
fn power(residues: usize, bytes: usize, extra: usize) -> u32 {
    let half_of_extra = extra / 2 / size_of::<u64>();
    let held = (bytes / 5 * 2).max(MIN_HELD).saturating_sub(half_of_extra);
    let held = held.max(MIN_HELD_WITH_EXTRA);
    residues.div_ceil(held).max(1).next_power_of_two().ilog2().min(MAX_POWER)
}

struct Stemmed<'s> {
    pair: &'s StemPair,
    /// The table that the stems of both texts are indices into.
    distinct: &'s StemTable,
}

/// The overlaps, votes and collisions of two sets, or of parts of them.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct PairSets {
    /// The overlaps: of the shingles of all sizes, and of those of the greatest size.
    overlaps: [Overlap; 2],
    votes: [Votes; 2],
    /// The number of shingles of either set that have the same residue as another one.
    collisions: usize,
}

impl PairSets {
    fn empty() -> Self {
        Self { overlaps: [Overlap::default(); 2], votes: [vote(&[]); 2], collisions: 0 }
    }

    /// Adds other parts, which have no shingle in common with these.
    fn add(&mut self, others: &Self) {
        for (own, others) in self.overlaps.iter_mut().zip(others.overlaps) {
            *own = own.and(others);
        }
        self.votes.iter_mut().zip(&others.votes).for_each(|(own, others)| own.add(others));
        self.collisions += others.collisions;
    }

    /// Computes one part of the sets of two texts of `bytes` bytes in total.
    fn part(stemmed: &Stemmed, bytes: usize, ngrams: Ngrams, part: Part) -> Self {
        let starts = stemmed.starts(shingles::reach(stemmed.distinct, ngrams));
        let compose = |half: usize| stemmed.compose(&starts, half, ngrams, part);
        let (windows, others) = parallel::join(bytes, || compose(0), || compose(1));
        let both: Vec<[ResidueBuffer; 2]> =
            windows.into_iter().zip(others).map(|(one, other)| [one, other]).collect();
        let (low, high) = both.split_at(both.len() / 2);
        let (mut sets, others) =
            parallel::join(bytes, || Self::from_parts(low), || Self::from_parts(high));
        sets.add(&others);
        sets
    }

    /// Computes the sets from the windows of both texts, which are given in parts.
    fn from_parts(parts: &[[ResidueBuffer; 2]]) -> Self {
        let mut sets = Self::empty();
        let mut counts = [0; Members::COUNT];
        // The residues of a part that vote for left only, for right only, and for both.
        let mut voting = [const { Vec::new() }; 3];
        let mut grouping = Grouping::default();
        for [one, other] in parts {
            let collisions = grouping.each_distinct(&[one, other], |residue, _, members| {
                counts[members.number()] += 1;
                let voters = usize::from(members.is_in(0)) + 2 * usize::from(members.is_in(1));
                voting[voters.saturating_sub(1)].push(residue);
            });
            sets.collisions += collisions;
            for (residues, voters) in voting.iter_mut().zip(1..) {
                sets.count_votes(voters, residues);
            }
        }
        let [all, longest] = &mut sets.overlaps;
        for (members, count) in Members::all().zip(counts) {
            all.add([0, 1].map(|side| members.is_in(side)), count);
            longest.add([0, 1].map(|side| members.is_longest_in(side)), count);
        }
        sets
    }

    /// Counts the votes of residues that are in left (1), right (2) or both (3), and clears
    /// `residues`.
    fn count_votes(&mut self, voters: usize, residues: &mut Vec<u64>) {
        if residues.is_empty() {
            return;
        }
        let sums = vote(residues);
        for (side, own) in self.votes.iter_mut().enumerate() {
            if voters >> side & 1 == 1 {
                own.add(&sums);
            }
        }
        residues.clear();
    }
}

impl Stemmed<'_> {
    /// Returns the ranges of stems at which windows begin: first those of windows that lie within a
    /// common run, as stems of left, then all others of left and all others of right. No window has
    /// more than `reach` stems after its first.
    fn starts(&self, reach: usize) -> [Vec<Range<usize>>; 3] {
        let mut starts: [Vec<Range<usize>>; 3] = Default::default();
        let lengths = self.pair.lengths();
        let mut own = [0, 0];
        for (_, run) in common_runs::turns(self.pair.runs(), lengths) {
            let within = run.length.saturating_sub(reach);
            if within == 0 && run.at != lengths {
                continue;
            }
            starts[0].push(run.at[0]..run.at[0] + within);
            for side in [0, 1] {
                starts[1 + side].push(own[side]..run.at[side]);
                own[side] = run.at[side] + within;
            }
        }
        starts
    }

    /// Composes the windows that begin in one half (0 or 1) of the texts, in as many parts as those
    /// of the other half.
    fn compose(
        &self,
        starts: &[Vec<Range<usize>>; 3],
        half: usize,
        ngrams: Ngrams,
        part: Part,
    ) -> Vec<ResidueBuffer> {
        let reach = shingles::reach(self.distinct, ngrams);
        let of_half = |whose: usize| {
            let length = self.pair.lengths()[whose / 2];
            let of_half = [0..length / 2, length / 2..length][half].clone();
            let starts = starts[whose].iter();
            starts.map(move |starts| starts.start.max(of_half.start)..starts.end.min(of_half.end))
        };
        let counts = [0, 1, 2].map(|whose| of_half(whose).map(|starts| starts.len()).sum());
        let all: usize = starts.iter().flatten().map(ExactSizeIterator::len).sum();
        let mut windows = Windows::new(self.distinct, ngrams, part, all / 2);
        let members = [Members::BOTH, Members::LEFT, Members::RIGHT];
        for (whose, (members, count)) in members.into_iter().zip(counts).enumerate() {
            let side = whose / 2;
            let (breaks, length) = (self.pair.breaks()[side], self.pair.lengths()[side]);
            windows.begin(members, count);
            for Range { start, end } in of_half(whose).filter(|starts| !starts.is_empty()) {
                // All stems, if there are breaks, because these are indices into all stems; there
                // are no runs then.
                let around =
                    if breaks.is_empty() { start..length.min(end + reach) } else { 0..length };
                let stems = self.pair.stems(side, around.clone());
                windows.compose(&stems, breaks, start - around.start..end - around.start);
            }
        }
        windows.into_parts()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[ignore = "slow: cargo test -- --ignored"]
    fn what_takes_too_much_is_recognized_by_words_and_by_distinct_ones() {
        let million =
            |words: &dyn Fn(usize) -> String| (0..1_000_000).map(words).collect::<String>();
        let letters = |at: usize| "ab ".to_owned() + ["c ", "d "][at % 2];
        #[rustfmt::skip]
        let table: &[(&str, String, bool, bool)] = &[
            ("nothing",             String::new(),                              false, false),
            ("few words in little", "a b c ".repeat(1000),                      false, false),
            ("words that recur",    million(&|at| format!("word{} ", at % 9)),  false, false),
            ("many words",          million(&letters),                          false, false),
            ("ever new words",      million(&|at| format!("w{at} ")),           true,  true),
            ("new words at the end", "word ".repeat(1_000_000) + &million(&|at| format!("w{at} ")), true, false),
        ];
        for (why, text, whole, beginning) in table {
            let remaining = Remaining::all(text);
            let sequence = WordSequence::alone(&remaining);
            let bytes = 2 * text.len();
            assert_eq!(is_too_much([&sequence, &sequence], 0, bytes), *whole, "{why}");
            let extra =
                (4 * bytes + MEMORY_OF_ANY_TEXT).saturating_sub(takes([&sequence, &sequence]));
            assert!(!is_too_much([&sequence; 2], extra, bytes) || *whole, "{why}");
            assert!(is_too_much([&sequence; 2], extra + 1, bytes), "{why}");
            assert_eq!(begins_as_too_much([&remaining, &remaining], bytes), *beginning, "{why}");
        }
    }
}

#[cfg(test)]
mod sketch_tests {
    use proptest::prelude::*;

    use super::*;
    use crate::shingles;
    use crate::sketch::Sketch;
    use crate::stems::Stems;

    #[test]
    fn sets_are_parted_where_they_are_large_for_their_texts() {
        #[rustfmt::skip]
        let table = [
            ("no residues",         0,          0,          0,          0),
            ("as English has them", 5_700_000,  20_000_000, 0,          0),
            ("just held",           8_000_000,  20_000_000, 0,          0),
            ("one more",            8_000_001,  20_000_000, 0,          1),
            ("as many extra",       6_750_000,  20_000_000, 20_000_000, 0),
            ("one extra more",      6_750_001,  20_000_000, 20_000_000, 1),
            ("a letter is a word",  20_000_000, 20_000_000, 0,          2),
            ("small texts",         4_194_304,  3_000_000,  0,          0),
            ("less small ones",     4_194_305,  3_000_000,  0,          1),
            ("very many extra",     1_048_576,  3_000_000,  99_000_000, 0),
            ("and one more",        1_048_577,  3_000_000,  99_000_000, 1),
            ("of very many sizes",  99_000_000, 20_000_000, 0,          3),
            ("beyond all numbers",  usize::MAX, 0,          usize::MAX, 3),
        ];
        for (why, residues, bytes, extra, want) in table {
            assert_eq!(power(residues, bytes, extra), want, "{why}");
        }
    }

    #[test]
    fn sets_have_no_more_residues_than_stems_and_than_there_can_be() {
        let of = |stems: &[&str], count: usize, (min, max)| {
            let mut distinct = StemTable::default();
            for stem in stems {
                distinct.push(stem);
            }
            residues(count, &distinct, Ngrams::new(min, max).unwrap())
        };
        assert_eq!(of(&[], 0, (1, 3)), 0);
        assert_eq!(of(&["a", "b", "c"], 1000, (1, 3)), 3 + 9 + 27);
        assert_eq!(of(&["a", "b", "c"], 20, (2, 3)), 9 + 20);
        assert_eq!(of(&["a", "水"], 1000, (1, 2)), 4 + 8, "a letter more for each");
        assert_eq!(of(&["a", "b"], 9, (1, 64)), 2 + 4 + 8 + 61 * 9);
    }

    proptest! {
        /// Against sets that are cut from strings and compared as a whole, for texts that have some
        /// runs in common, more or fewer of which are known.
        #[test]
        fn sets_share_what_their_parts_share(
            turns in proptest::collection::vec(("[a-d水]{0,5}", "[a-d水]{0,5}", "[a-d水]{0,20}", any::<bool>()), 0..6),
            min in 1_usize..3, more in 0_usize..3, power in 0_u32..4,
        ) {
            let ngrams = Ngrams::new(min, min + more).unwrap();
            let mut distinct = StemTable::default();
            for stem in ["a", "b", "c", "d", "水"] {
                distinct.push(stem);
            }
            let place = |stem| (0..).zip("abcd水".chars()).find(|(_, it)| *it == stem).unwrap().0;
            let (mut texts, mut pair) = ([String::new(), String::new()], StemPair::default());
            for (left, right, common, is_known) in turns {
                let own = [left, right + if is_known { "" } else { &common }];
                for (side, own) in own.iter().enumerate() {
                    pair.sides()[side].stems.extend(own.chars().map(place));
                }
                let [before, _] = pair.lengths();
                pair.sides()[0].stems.extend(common.chars().map(place));
                if is_known {
                    pair.share(before);
                }
                let [left, right] = own;
                texts = [format!("{}{left}{common}", texts[0]), format!("{}{right}{}", texts[1], if is_known { &common } else { "" })];
            }
            let counts = texts.each_ref().map(|text| text.chars().count());
            for (side, count) in counts.into_iter().enumerate() {
                pair.sides()[side].words = count;
            }
            prop_assert_eq!(pair.lengths(), counts);
            let [whole_left, whole_right] = texts.each_ref().map(|text| {
                let stems: Stems = text.chars().map(String::from).collect::<Vec<_>>().iter().collect();
                let count = text.chars().count();
                Sketch::new(count, count, shingles::cut(&stems, ngrams))
            });
            let sketched = PairSketch::by_parts(&pair, &distinct, (0, power), ngrams);
            prop_assert_eq!(sketched.sketches, [whole_left.summary(), whole_right.summary()]);
            prop_assert_eq!(sketched.compared(), Comparison::new(&whole_left, &whole_right));
            prop_assert_eq!(sketched.have_same_shingles(), whole_left.shingles == whole_right.shingles);
        }
    }
}
