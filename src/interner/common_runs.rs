//! Finds the runs of bytes that two texts have in common, in one walk through both, and reads the
//! stems of both texts so that each common run is read once.
//!
//! A text and its copy are mostly the same, and their common parts need not be read twice. The walk
//! may miss some common parts, such as those that have been moved; that costs time and changes no
//! answer.
//!
//! Runs begin and end after spaces that no word spans (`parts_words`), so that the words of a text are
//! those of its parts, one after the other (`words_of_parts_are_those_of_the_text`).

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr_iter, memmem, memrchr_iter};

use super::chunks::LAST_OF_HYPHENS;
use super::{Interner, Stages, StemSequence, StemTable, WordOffsets};
use crate::parallel;
use crate::tokens::exclusions::Remaining;

/// A run that both texts contain.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Run {
    /// The beginnings of the run in left and in right: the number of bytes, words or stems before
    /// it.
    pub at: [usize; 2],
    /// Its length, in the same unit.
    pub length: usize,
}

impl Run {
    /// Returns its range in left (0) or in right (1).
    pub fn range(self, side: usize) -> Range<usize> {
        self.at[side]..self.at[side] + self.length
    }

    /// Returns the part of the run that consists of the given words, counted from 0 at its
    /// beginning.
    pub(crate) fn part(self, part: Range<usize>) -> Self {
        Self { at: self.at.map(|at| at + part.start), length: part.len() }
    }
}

/// Splits two texts of the given lengths into turns: what each text has of its own, and then a run.
/// The last run is at the end of both texts and empty. `runs` must be in the order of both texts.
pub fn turns(
    runs: impl IntoIterator<Item = Run, IntoIter: Clone>,
    lengths: [usize; 2],
) -> impl Iterator<Item = ([Range<usize>; 2], Run)> + Clone {
    let end = Run { at: lengths, length: 0 };
    let mut before = [0, 0];
    runs.into_iter().chain([end]).map(move |run| {
        let own = [0, 1].map(|side| before[side]..run.at[side]);
        before = [0, 1].map(|side| run.range(side).end);
        (own, run)
    })
}

/// The minimum length of a run in bytes, and the number of equal bytes from which two texts are
/// taken to agree again.
const MIN_RUN_BYTES: usize = 32;

/// The number of words of each text that are searched for a nearby place where the texts agree
/// again.
const NEAR_WORDS: usize = 16;

/// The number of bytes that are searched for these words, or for a space.
const BYTES_OF_WORDS: usize = 512;

/// The largest number of bytes of right that are searched for a place of left.
const FAR_BYTES: usize = 1 << 16;
/// The smallest number of bytes of right that are searched for a place of left.
const MIN_FAR_BYTES: usize = 1 << 10;
/// The number of bytes of right that are searched for each byte of distance of a place of left.
const FAR_PER_BYTE: usize = 1 << 6;

/// The number of bytes that may be searched for such places in total, in addition to two for each
/// byte of right.
const SEARCH_BUDGET: usize = 1 << 18;

/// Returns the runs of bytes that a walk through both texts finds, in the order of both; no two
/// overlap.
pub fn runs([left, right]: [&str; 2]) -> Vec<Run> {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let mut found = Vec::new();
    let mut budget = SEARCH_BUDGET + 2 * right.len();
    let mut next = Some([0, 0]);
    while let Some([l, r]) = next {
        let length = common_prefix(&left[l..], &right[r..]);
        if length >= MIN_RUN_BYTES {
            found.push(Run { at: [l, r], length });
        }
        let (l, r) = (l + length, r + length);
        next = resume(&left[l..], &right[r..], &mut budget).map(|by| [l + by[0], r + by[1]]);
    }
    found
}

/// Returns an offset near the middle of each text after which the texts agree, as far as a few
/// samples show; `None` if they are not copies of one another.
pub fn middle([left, right]: [&str; 2]) -> Option<[usize; 2]> {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    (0..8).find_map(|trial| {
        let at = space_from(left, left.len() / 2 + trial * 4096)?;
        let there = right.len() / 2 + trial * 4096;
        let window = there.saturating_sub(FAR_BYTES)..(there + FAR_BYTES).min(right.len());
        // The sample includes the space in front of it.
        let found = memmem::find(right.get(window.clone())?, left.get(at..=at + MIN_RUN_BYTES)?)?;
        let found = window.start + found;
        parts_words(right, found).then_some([at + 1, found + 1])
    })
}

/// Reports whether no word spans the space at an offset: a word that is broken at a line end may
/// have blanks behind its hyphen and before the next line.
pub(super) fn parts_words(text: &[u8], space: usize) -> bool {
    let before = space.checked_sub(1).map(|before| text[before]);
    before
        .is_some_and(|it| !it.is_ascii_whitespace() && it != b'>' && !LAST_OF_HYPHENS.contains(&it))
}

/// Returns the offset of the first space at or after `at` that no word spans; `None` if there is
/// none within [`BYTES_OF_WORDS`] bytes.
fn space_from(text: &[u8], at: usize) -> Option<usize> {
    let end = text.len().min(at.saturating_add(BYTES_OF_WORDS));
    let spaces = memchr_iter(b' ', text.get(at..end)?).map(|space| at + space);
    spaces.into_iter().find(|space| parts_words(text, *space))
}

/// Returns the number of equal bytes that both texts begin with, up to and including the last
/// space that no word spans; all bytes if the texts are equal.
fn common_prefix(left: &[u8], right: &[u8]) -> usize {
    let length = equal::<64, _>(left, right);
    if length == left.len() && length == right.len() {
        return length;
    }
    let mut spaces = memrchr_iter(b' ', &left[..length]);
    spaces.find(|space| parts_words(left, *space)).map_or(0, |space| space + 1)
}

/// Returns the number of equal items that two slices begin with. `N` items are compared at a time.
pub(crate) fn equal<const N: usize, T: PartialEq>(left: &[T], right: &[T]) -> usize {
    let many = left.as_chunks::<N>().0.iter().zip(right.as_chunks::<N>().0);
    let start = N * many.take_while(|(left, right)| left == right).count();
    let rest = left[start..].iter().zip(&right[start..]);
    start + rest.take_while(|(left, right)| left == right).count()
}

/// Returns by how many bytes to advance in each text, where the texts differ, until they agree
/// again; `None` if no such place is found.
fn resume(left: &[u8], right: &[u8], budget: &mut usize) -> Option<[usize; 2]> {
    resume_near(left, right).or_else(|| resume_far(left, right, budget))
}

/// Finds the next place if a few words were replaced, inserted or deleted.
fn resume_near(left: &[u8], right: &[u8]) -> Option<[usize; 2]> {
    let starts = |text: &[u8]| {
        let mut starts = [usize::MAX; NEAR_WORDS];
        let spaces = memchr_iter(b' ', &text[..text.len().min(BYTES_OF_WORDS)]);
        let behind = spaces.filter(|space| parts_words(text, *space)).map(|space| space + 1);
        starts.iter_mut().zip([0].into_iter().chain(behind)).for_each(|(to, at)| *to = at);
        starts
    };
    let (in_left, in_right) = (starts(left), starts(right));
    let part = |text: &[u8], at: usize| text.get(at..)?.first_chunk::<MIN_RUN_BYTES>().copied();
    (1..2 * NEAR_WORDS - 1).find_map(|words| {
        (words.saturating_sub(NEAR_WORDS - 1)..=words.min(NEAR_WORDS - 1)).find_map(|of_left| {
            let by = [in_left[of_left], in_right[words - of_left]];
            (part(left, by[0])? == part(right, by[1])?).then_some(by)
        })
    })
}

/// Looks for a place of left, farther and farther away, among the next bytes of right.
fn resume_far(left: &[u8], right: &[u8], budget: &mut usize) -> Option<[usize; 2]> {
    (0..9).find_map(|quarter| {
        let away = 1 << (2 * quarter);
        let window = (away * FAR_PER_BYTE).clamp(MIN_FAR_BYTES, FAR_BYTES);
        let window = &right[..right.len().min(window)];
        *budget = budget.checked_sub(window.len().max(1))?;
        let at = space_from(left, away)?;
        let found = memmem::find(window, left.get(at..=at + MIN_RUN_BYTES)?)?;
        parts_words(right, found).then_some([at + 1, found + 1])
    })
}

// Reads two texts that are mostly the same.

impl<S: Stages> Interner<S> {
    /// Reads two texts; also records the offsets of their words if `has_offsets`.
    pub fn read_both(
        &mut self,
        texts: [&str; 2],
        has_offsets: bool,
    ) -> (StemPair, [WordOffsets; 2]) {
        let mut pair = StemPair::default();
        let mut offsets: [WordOffsets; 2] = Default::default();
        let mut read = |side: usize,
                        part: Range<usize>,
                        pair: &mut StemPair,
                        offsets: &mut [WordOffsets; 2]| {
            let text = &texts[side][part.clone()];
            self.read_on(pair.sides()[side], text, |words, byte| {
                if has_offsets {
                    offsets[side].add(words, part.start + byte);
                }
            });
        };
        for (own, run) in turns(runs(texts), texts.map(str::len)) {
            for (side, own) in own.into_iter().enumerate() {
                read(side, own, &mut pair, &mut offsets);
            }
            let ([words, right_words], [stems, _]) = (pair.words(), pair.lengths());
            read(0, run.range(0), &mut pair, &mut offsets);
            pair.share(stems);
            pair.sides()[1].words += pair.words()[0] - words;
            let [left_offsets, right_offsets] = &mut offsets;
            right_offsets.add_again(left_offsets, (words, run.at[0]), (right_words, run.at[1]));
        }
        (pair, offsets)
    }
}

/// The stems of two texts, the offsets of their words, and the stages that made the stems.
pub(crate) struct ReadPair<S> {
    pub(crate) pair: StemPair,
    /// The offsets of the words of both texts; empty unless they were requested.
    pub(crate) offsets: [WordOffsets; 2],
    pub(crate) stages: S,
    pub(crate) distinct: StemTable,
}

/// Reads two texts in one language with one interner; long ones as two halves in parallel. `stages`
/// makes the stages of each interner. The offsets of words are recorded if `has_offsets`.
///
/// Returns `None` if a text has an excluded part or consists of several files, or if long texts do
/// not agree in their middle; the caller then reads them one by one.
pub(crate) fn read_pair<S: Stages + Send>(
    texts: [&Remaining; 2],
    stages: impl Fn() -> S + Sync,
    has_offsets: bool,
) -> Option<ReadPair<S>> {
    if !texts.iter().all(|text| text.is_whole()) {
        return None;
    }
    let texts = texts.map(Remaining::text);
    let bytes = texts.iter().map(|text| text.len()).sum();
    if !parallel::worth_parallel(bytes) {
        return Some(ReadPair::read(texts, stages(), has_offsets));
    }
    let middle = middle(texts)?;
    let [(left, left_end), (right, right_end)] =
        [0, 1].map(|side| texts[side].split_at(middle[side]));
    let (first, second) = parallel::join(
        bytes,
        || ReadPair::read([left, right], stages(), has_offsets),
        || ReadPair::read([left_end, right_end], stages(), has_offsets),
    );
    Some(first.followed_by(second, middle))
}

impl<S: Stages> ReadPair<S> {
    fn read(texts: [&str; 2], stages: S, has_offsets: bool) -> Self {
        let longest = texts.map(str::len).into_iter().max().unwrap_or_default();
        let mut interner = Interner::new(longest, stages);
        let (pair, offsets) = interner.read_both(texts, has_offsets);
        let (stages, distinct) = interner.into_parts();
        Self { pair, offsets, stages, distinct }
    }

    /// Appends the next part of both texts, which begins at the byte offsets `starts`.
    fn followed_by(mut self, next: Self, starts: [usize; 2]) -> Self {
        let counts = [&self.distinct, &next.distinct].map(|known| known.stems.len());
        let places = self.stages.join(&next.stages, counts);
        self.distinct.join(&next.distinct, &places);
        let words = self.pair.words();
        for (side, offsets) in next.offsets.into_iter().enumerate() {
            self.offsets[side].append(offsets, (words[side], starts[side]));
        }
        self.pair.append(next.pair, |stem| places[stem as usize]);
        self
    }
}

// The stems of two texts, where those of common runs are stored once.

/// The stems of two texts.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct StemPair {
    left: StemSequence,
    /// The right text, without the stems of the runs.
    right: StemSequence,
    /// The runs that both texts are known to have, in the order of both. If there is a run, neither
    /// text has a break.
    runs: Vec<SharedRun>,
}

/// A run of stems that both texts have.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct SharedRun {
    run: Run,
    /// The number of stems of right before the run that are in no run.
    own: usize,
}

impl From<[StemSequence; 2]> for StemPair {
    /// Combines two texts that have no known run in common.
    fn from([left, right]: [StemSequence; 2]) -> Self {
        Self { left, right, runs: Vec::new() }
    }
}

impl StemPair {
    /// Returns the number of words of each text.
    pub fn words(&self) -> [usize; 2] {
        [self.left.words, self.right.words]
    }

    /// Returns the number of stems of each text.
    pub fn lengths(&self) -> [usize; 2] {
        let own = self.right.stems.len();
        let behind = |last: &SharedRun| last.run.range(1).end + own - last.own;
        [self.left.stems.len(), self.runs.last().map_or(own, behind)]
    }

    /// Returns the runs that both texts have, in the order of both; none is empty.
    pub fn runs(&self) -> impl ExactSizeIterator<Item = Run> + Clone {
        self.runs.iter().map(|shared| shared.run)
    }

    /// Returns the indices of the stems that follow a gap in each text; both are empty if there is
    /// a run.
    pub fn breaks(&self) -> [&[usize]; 2] {
        [&self.left.breaks, &self.right.breaks]
    }

    /// Returns the stems of left (0) or of right (1) in a range. The cost is linear in the length
    /// of the range, plus a binary search for its beginning.
    pub fn stems(&self, side: usize, range: Range<usize>) -> Cow<'_, [u32]> {
        if side == 0 {
            return Cow::Borrowed(&self.left.stems[range]);
        }
        let mut parts = self.right_parts(range);
        let first = parts.next().unwrap_or_default();
        let mut stems = Cow::Borrowed(first);
        parts.for_each(|part| stems.to_mut().extend_from_slice(part));
        stems
    }

    /// Returns the stems of each text by itself, with the common runs in both.
    pub fn into_readings(mut self) -> [StemSequence; 2] {
        if !self.runs.is_empty() {
            let [_, length] = self.lengths();
            self.right.stems = self.stems(1, 0..length).into_owned();
        }
        [self.left, self.right]
    }

    /// Appends the stems of left from index `first` on to right, as a run. The caller must add
    /// their words to right.
    pub fn share(&mut self, first: usize) {
        let [end, right] = self.lengths();
        let run = Run { at: [first, right], length: end - first };
        let own = self.right.stems.len();
        self.runs.extend((run.length > 0).then_some(SharedRun { run, own }));
    }

    /// Returns the sequences to which the stems that only left or only right has are appended.
    pub fn sides(&mut self) -> [&mut StemSequence; 2] {
        [&mut self.left, &mut self.right]
    }

    /// Appends the next part of both texts, which was read with another interner. `place` maps each
    /// of its stems to its index in the stem table of this one.
    pub fn append(&mut self, next: Self, place: impl Fn(u32) -> u32 + Sync) {
        let (before, own) = (self.lengths(), self.right.stems.len());
        self.runs.extend(next.runs.into_iter().map(|shared| SharedRun {
            run: Run { at: [0, 1].map(|side| before[side] + shared.run.at[side]), ..shared.run },
            own: own + shared.own,
        }));
        let bytes = size_of::<u32>() * (next.left.stems.len() + next.right.stems.len());
        parallel::join(
            bytes,
            || self.left.append(next.left, &place),
            || self.right.append(next.right, &place),
        );
    }

    /// Returns the parts that a range of right consists of, alternately its own stems and stems of
    /// runs.
    fn right_parts(&self, range: Range<usize>) -> impl Iterator<Item = &[u32]> {
        let mut next = self.runs.partition_point(|shared| shared.run.range(1).end <= range.start);
        let mut at = range.start;
        std::iter::from_fn(move || {
            if at >= range.end {
                return None;
            }
            let start = at;
            let shared = self.runs.get(next).filter(|shared| shared.run.at[1] <= start);
            Some(if let Some(SharedRun { run, .. }) = shared {
                at = run.range(1).end.min(range.end);
                next += 1;
                &self.left.stems[run.at[0]..][start - run.at[1]..at - run.at[1]]
            } else {
                let (end, own) = match self.runs.get(next) {
                    Some(shared) => (shared.run.at[1], shared.own),
                    None => (self.lengths()[1], self.right.stems.len()),
                };
                at = end.min(range.end);
                &self.right.stems[own + start - end..own + at - end]
            })
        })
    }
}

impl StemSequence {
    fn append(&mut self, next: Self, place: impl Fn(u32) -> u32) {
        let before = self.stems.len();
        self.words += next.words;
        self.breaks.extend(next.breaks.into_iter().map(|at| before + at));
        if before == 0 {
            self.stems = next.stems;
            self.stems.iter_mut().for_each(|stem| *stem = place(*stem));
        } else {
            self.stems.extend(next.stems.into_iter().map(place));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LONG: &str = "the kettle stands on the stove and nobody has looked at it for an hour ";

    fn found(left: &str, right: &str) -> Vec<(usize, usize, usize)> {
        runs([left, right]).iter().map(|run| (run.at[0], run.at[1], run.length)).collect()
    }

    #[test]
    fn runs_are_what_both_texts_have() {
        let n = LONG.len();
        let whole = LONG.repeat(3);
        assert_eq!(found("", ""), []);
        assert_eq!(found(LONG, ""), []);
        assert_eq!(found("a kettle ", "a kettle "), [], "too short");
        assert_eq!(found(&whole, &whole), [(0, 0, 3 * n)]);
        // The last word of a part may continue.
        assert_eq!(found(LONG.trim_end(), LONG), [(0, 0, n - "hour ".len())]);
        let table = [("a ", ""), ("", "b "), ("a ", "b "), ("some more of it ", "less ")];
        for (of_left, of_right) in table {
            let [left, right] = [of_left, of_right].map(|own| format!("{LONG}{own}{LONG}"));
            let want = [(0, 0, n), (n + of_left.len(), n + of_right.len(), n)];
            assert_eq!(found(&left, &right), want, "{of_left:?}, {of_right:?}");
        }
    }

    #[test]
    fn runs_go_on_behind_an_inserted_part() {
        let n = LONG.len();
        let rest: String = (0..1000).fold(String::new(), |rest, at| format!("{rest}{at} "));
        let chapter = "a word of another chapter, ".repeat(500);
        let with = format!("{LONG}{chapter}{rest}");
        let without = format!("{LONG}{rest}");
        // 13,500 bytes are within the range that is searched for a place 256 bytes away, but not
        // for one 64 bytes away.
        let by = 256 + rest[256..].find(' ').unwrap() + 1;
        let far = (n + by, n + chapter.len() + by, rest.len() - by);
        assert_eq!(found(&without, &with), [(0, 0, n), far]);
        // Places of left up to 13 kB away are in the inserted part; the next one that is tried is
        // 16 kB away.
        let of_left = 4 * 4096 + with[n + 4 * 4096..].find(' ').unwrap() + 1;
        let far = (n + of_left, n + of_left - chapter.len(), with.len() - n - of_left);
        assert_eq!(found(&with, &without), [(0, 0, n), far]);
    }

    #[test]
    fn turns_are_the_ranges_between_runs_and_the_runs() {
        let run = |left, right, length| Run { at: [left, right], length };
        let all = |runs: &[Run], lengths| turns(runs.iter().copied(), lengths).collect::<Vec<_>>();
        assert_eq!(all(&[], [0, 3]), [([0..0, 0..3], run(0, 3, 0))]);
        let runs = [run(1, 0, 4), run(5, 6, 2)];
        let want = [([0..1, 0..0], runs[0]), ([5..5, 4..6], runs[1]), ([7..7, 8..9], run(7, 9, 0))];
        assert_eq!(all(&runs, [7, 9]), want);
    }

    #[test]
    fn the_middle_is_a_place_where_both_texts_agree() {
        let text: String = (0..40_000).fold(String::new(), |text, at| format!("{text}{at} "));
        let edited = text.replacen("19999", "an edited word", 1);
        let [l, r] = middle([&text, &edited]).unwrap();
        assert_eq!((&text[l - 1..l], &edited[r - 1..r]), (" ", " "));
        assert_eq!(text[l..l + MIN_RUN_BYTES], edited[r..r + MIN_RUN_BYTES]);
        assert!(l.abs_diff(text.len() / 2) < 10_000);
        for texts in [["", ""], ["kettle", "kettle"], [&text[..], "kettle"], [LONG, &text]] {
            assert_eq!(middle(texts), None);
        }
    }

    proptest! {
        /// The runs are equal in both texts, and in the order of both.
        #[test]
        fn runs_are_equal_in_both_texts_and_in_order(
            left in "([a-c] ?){0,200}", kept in proptest::collection::vec(any::<bool>(), 8), own in "([a-c]{1,9} ){0,8}",
        ) {
            let parts: Vec<char> = left.chars().collect();
            let pieces = parts.chunks(parts.len() / 8 + 1).zip(&kept);
            let right = pieces.map(|(piece, kept)| if *kept { piece.iter().collect() } else { own.clone() });
            let texts = [left.clone(), right.collect::<String>()];
            let found = runs(texts.each_ref().map(String::as_str));
            let mut ends = [0, 0];
            for run in found {
                let common_prefix = [0, 1].map(|side| &texts[side][run.range(side)]);
                prop_assert!(run.length >= MIN_RUN_BYTES && common_prefix[0] == common_prefix[1]);
                for (side, text) in texts.iter().enumerate() {
                    let Range { start, end } = run.range(side);
                    prop_assert!(start >= ends[side]);
                    prop_assert!(start == 0 || text.as_bytes()[start - 1] == b' ');
                    prop_assert!(end == text.len() || text.as_bytes()[end - 1] == b' ');
                    ends[side] = end;
                }
            }
        }
    }
}

#[cfg(test)]
mod read_tests {
    use proptest::prelude::*;

    use super::*;
    use crate::stems::Stems;
    use crate::tokens::Tokens;

    fn interner() -> Interner<impl Stages> {
        let kept = |words: &Tokens| {
            words.0.iter().map(|token| token.word.to_string()).filter(|it| it != "the").collect()
        };
        Interner::new(0, move |words: Tokens, _: &str| -> Stems {
            let kept: Vec<String> = kept(&words);
            kept.iter().collect()
        })
    }

    /// What a text yields when it is read alone: its words, the residues of its stems, and the
    /// spans of its words.
    type Alone = (usize, Vec<u64>, Vec<Range<usize>>);

    fn analyzed(
        interner: &Interner<impl Stages>,
        text: &str,
        (reading, offsets): (&StemSequence, &WordOffsets),
    ) -> Alone {
        let residue = |place: &u32| interner.stems().stems[*place as usize].residue();
        let stems = reading.stems.iter().map(residue).collect();
        let spots = offsets.spots(text, 0..reading.words);
        (reading.words, stems, spots.into_iter().map(|spot| spot.span).collect())
    }

    fn alone(text: &str) -> Alone {
        let mut interner = interner();
        let (reading, offsets) = interner.read_with_offsets(text, std::iter::once(0..text.len()));
        analyzed(&interner, text, (&reading, &offsets))
    }

    fn starts(text: &str) -> Vec<usize> {
        text.match_indices(' ').map(|(space, _)| space + 1).chain([text.len()]).collect()
    }

    proptest! {
        /// A text and a copy with words changed, deleted and inserted, read at once or in two
        /// parts.
        #[test]
        fn texts_read_together_have_the_words_of_each_alone(
            words in proptest::collection::vec("kettles|the|ﷺ|水火山|กขค|[a-c]{1,9}|x{70}|exam-\nple|-\n", 0..150),
            edits in proptest::collection::vec((0_usize..150, "|edited |the |水 |a\nb "), 0..4),
            (cut, other) in (0_usize..150, 0_usize..150), is_parted: bool,
        ) {
            let mut parts: Vec<String> = words.iter().map(|word| format!("{word} ")).collect();
            let left = parts.concat();
            for (at, edit) in edits {
                parts.splice(at.min(words.len())..(at + 1).min(words.len()), [edit]);
            }
            let right = parts.concat();
            let mut interner = interner();
            let (pair, offsets) = if is_parted {
                // With one interner, so that stems keep their indices.
                let (l, r) = (starts(&left), starts(&right));
                let middle = [l[cut % l.len()], r[other % r.len()]];
                let heads = [&left[..middle[0]], &right[..middle[1]]];
                let (mut pair, mut offsets) = interner.read_both(heads, true);
                let tails = [&left[middle[0]..], &right[middle[1]..]];
                let (next, next_offsets) = interner.read_both(tails, true);
                for (side, next) in next_offsets.into_iter().enumerate() {
                    offsets[side].append(next, (pair.words()[side], middle[side]));
                }
                pair.append(next, |place| place);
                (pair, offsets)
            } else {
                interner.read_both([&left, &right], true)
            };
            let runs: Vec<Run> = pair.runs().collect();
            let readings = pair.into_readings();
            for (side, text) in [&left, &right].into_iter().enumerate() {
                let got = analyzed(&interner, text, (&readings[side], &offsets[side]));
                prop_assert_eq!(got, alone(text));
            }
            let [of_left, of_right] = &readings;
            for run in &runs {
                prop_assert!(run.length > 0 && of_left.stems[run.range(0)] == of_right.stems[run.range(1)]);
            }
            prop_assert!(runs.array_windows().all(|[one, next]| (0..2).all(|side| one.range(side).end <= next.at[side])));
        }
    }

    #[test]
    fn what_both_have_is_read_once() {
        let text = "the kettle stands on the stove and nobody has looked at it for an hour ";
        let [left, right] = [format!("{text}a {text}"), format!("{text}the b {text}")];
        let (pair, offsets) = interner().read_both([&left, &right], false);
        // 15 words, two of which are stop words.
        let run = |left, right| Run { at: [left, right], length: 13 };
        assert_eq!(pair.runs().collect::<Vec<_>>(), [run(0, 0), run(14, 14)]);
        assert_eq!((pair.words(), pair.lengths()), ([31, 32], [27, 27]));
        assert_eq!(offsets, <[WordOffsets; 2]>::default(), "not asked for");
    }
}

#[cfg(test)]
mod pair_tests {
    use proptest::prelude::*;

    use super::*;

    fn reading(stems: &[u32], breaks: &[usize]) -> StemSequence {
        StemSequence { words: stems.len() + 1, stems: stems.to_vec(), breaks: breaks.to_vec() }
    }

    #[test]
    fn stems_of_an_appended_part_are_renumbered() {
        let next = || StemPair::from([reading(&[0, 1], &[1]), reading(&[2], &[])]);
        let mut pair = StemPair::from([reading(&[0, 1], &[1]), StemSequence::default()]);
        pair.append(next(), |stem| stem + 5);
        let left = StemSequence { words: 6, stems: vec![0, 1, 5, 6], breaks: vec![1, 3] };
        assert_eq!(pair, StemPair::from([left, reading(&[7], &[])]));
        assert_eq!(pair.breaks(), [&[1, 3][..], &[]]);
    }

    proptest! {
        /// Two parts of texts, each made of turns: what only left has, what only right has, and
        /// what both have, which may be nothing. Against the concatenated texts.
        #[test]
        fn common_runs_are_parts_of_both_texts(
            parts in proptest::collection::vec(proptest::collection::vec(
                (proptest::collection::vec(0_u32..9, 0..3), proptest::collection::vec(0_u32..9, 0..3), proptest::collection::vec(0_u32..9, 0..5)), 0..5), 2),
            (start, length) in (0_usize..30, 0_usize..30),
        ) {
            let mut whole: [Vec<u32>; 2] = Default::default();
            let mut runs = Vec::new();
            let pairs: Vec<StemPair> = parts.iter().zip([0, 9]).map(|(turns, behind)| {
                let mut pair = StemPair::default();
                for (left, right, both) in turns {
                    for (side, own) in [left, right].into_iter().enumerate() {
                        pair.sides()[side].stems.extend_from_slice(own);
                        whole[side].extend(own.iter().chain(both).map(|stem| stem + behind));
                    }
                    let [before, _] = pair.lengths();
                    pair.sides()[0].stems.extend_from_slice(both);
                    pair.share(before);
                    let at = whole.each_ref().map(|text| text.len() - both.len());
                    runs.extend((!both.is_empty()).then_some(Run { at, length: both.len() }));
                }
                pair
            }).collect();
            let [mut pair, next] = <[StemPair; 2]>::try_from(pairs).unwrap();
            pair.append(next, |stem| stem + 9);
            prop_assert_eq!(pair.lengths(), whole.each_ref().map(Vec::len));
            prop_assert_eq!(pair.runs().collect::<Vec<_>>(), runs);
            for (side, whole) in whole.iter().enumerate() {
                let start = start.min(whole.len());
                let range = start..(start + length).min(whole.len());
                prop_assert_eq!(&*pair.stems(side, range.clone()), &whole[range]);
            }
            prop_assert_eq!(pair.into_readings().map(|reading| reading.stems), whole);
        }
    }
}
