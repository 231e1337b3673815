//! Two texts → the runs of bytes that both have, found in one walk through both; and their stems, for
//! which what both have is read once.
//!
//! Anyone who checks a copy has two texts that are mostly the same. What both say alike need not
//! be read twice. The walk may miss some of it, such as what has changed places; that costs
//! time and changes no answer.
//!
//! Runs begin and end behind spaces, where no word goes on, so that the words of a text are
//! those of its parts, one after the other (`words_of_parts_are_those_of_the_text`).

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memmem, memrchr};

use super::{Interner, Stages, StemSequence, StemTable, WordOffsets};
use crate::parallel;
use crate::tokens::exclusions::Remaining;

/// A run that both texts have.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Run {
    /// Where it begins in left and in right: bytes, words or stems from 0.
    pub at: [usize; 2],
    /// How many of them it has.
    pub length: usize,
}

impl Run {
    /// Its places in left, 0, or in right, 1.
    pub fn range(self, side: usize) -> Range<usize> {
        self.at[side]..self.at[side] + self.length
    }
}

/// Two texts of such lengths as turns: what each has of its own, and then a run. The last run is
/// behind both and empty. `runs` stand in the order of both texts.
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

/// The bytes that a run has at least, and those by which texts are known to agree again.
const LEAST: usize = 32;

/// The words of each text among which they may agree again at once.
const NEAR: usize = 16;

/// The bytes in which those words are looked for, and a space anywhere.
const BYTES_OF_WORDS: usize = 512;

/// The bytes of right among which a place of left is looked for: at most, at least, and for each
/// byte that it is away.
const FAR: usize = 1 << 16;
const LEAST_FAR: usize = 1 << 10;
const FAR_A_BYTE: usize = 1 << 6;

/// The bytes that are looked through for such places at most, besides two for each of right.
const LOOKED_THROUGH: usize = 1 << 18;

/// The runs of bytes that a walk through both texts finds, in the order of both; none overlaps
/// another.
pub fn runs([left, right]: [&str; 2]) -> Vec<Run> {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let mut found = Vec::new();
    let mut budget = LOOKED_THROUGH + 2 * right.len();
    let mut next = Some([0, 0]);
    while let Some([l, r]) = next {
        let length = alike(&left[l..], &right[r..]);
        if length >= LEAST {
            found.push(Run { at: [l, r], length });
        }
        let (l, r) = (l + length, r + length);
        next = resume(&left[l..], &right[r..], &mut budget).map(|by| [l + by[0], r + by[1]]);
    }
    found
}

/// A place in the middle of both texts behind which they agree, as far as that can be reported
/// from a few places: none where they are not copies of one another.
pub fn middle([left, right]: [&str; 2]) -> Option<[usize; 2]> {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    (0..8).find_map(|trial| {
        let at = space_from(left, left.len() / 2 + trial * 4096)?;
        let there = right.len() / 2 + trial * 4096;
        let window = there.saturating_sub(FAR)..(there + FAR).min(right.len());
        // The space in front of it is looked for, too.
        let found = memmem::find(right.get(window.clone())?, left.get(at..=at + LEAST)?)?;
        Some([at + 1, window.start + found + 1])
    })
}

/// The first space from a place on, if it is not far.
fn space_from(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    Some(at + memchr(b' ', &rest[..rest.len().min(BYTES_OF_WORDS)])?)
}

/// How many bytes two texts begin with alike, up to the last space.
fn alike(left: &[u8], right: &[u8]) -> usize {
    // Many are compared at a time.
    let many = left.as_chunks::<64>().0.iter().zip(right.as_chunks::<64>().0);
    let start = 64 * many.take_while(|(left, right)| left == right).count();
    let rest = left[start..].iter().zip(&right[start..]);
    let length = start + rest.take_while(|(left, right)| left == right).count();
    if length == left.len() && length == right.len() {
        return length;
    }
    memrchr(b' ', &left[..length]).map_or(0, |space| space + 1)
}

/// By how many bytes to go on in either text until they agree again, where they do not; none
/// where that is not to be found.
fn resume(left: &[u8], right: &[u8], budget: &mut usize) -> Option<[usize; 2]> {
    resume_near(left, right).or_else(|| resume_far(left, right, budget))
}

/// A word replaced, put in, left out, or some.
fn resume_near(left: &[u8], right: &[u8]) -> Option<[usize; 2]> {
    let starts = |text: &[u8]| {
        let mut starts = [usize::MAX; NEAR];
        let behind = memchr_iter(b' ', &text[..text.len().min(BYTES_OF_WORDS)]).map(|at| at + 1);
        starts.iter_mut().zip([0].into_iter().chain(behind)).for_each(|(to, at)| *to = at);
        starts
    };
    let (in_left, in_right) = (starts(left), starts(right));
    let part = |text: &[u8], at: usize| text.get(at..)?.first_chunk::<LEAST>().copied();
    (1..2 * NEAR - 1).find_map(|words| {
        (words.saturating_sub(NEAR - 1)..=words.min(NEAR - 1)).find_map(|of_left| {
            let by = [in_left[of_left], in_right[words - of_left]];
            (part(left, by[0])? == part(right, by[1])?).then_some(by)
        })
    })
}

/// A place of left, further and further away, that is among the next of right.
fn resume_far(left: &[u8], right: &[u8], budget: &mut usize) -> Option<[usize; 2]> {
    (0..9).find_map(|quarter| {
        let away = 1 << (2 * quarter);
        let window = (away * FAR_A_BYTE).clamp(LEAST_FAR, FAR);
        let window = &right[..right.len().min(window)];
        *budget = budget.checked_sub(window.len().max(1))?;
        let at = space_from(left, away)?;
        let found = memmem::find(window, left.get(at..=at + LEAST)?)?;
        Some([at + 1, found + 1])
    })
}

// Two texts that are mostly the same → their readings.

impl<S: Stages> Interner<S> {
    /// Reads two texts, and marks where their words stand, if `is_marked`.
    pub fn read_both(&mut self, texts: [&str; 2], is_marked: bool) -> (Pair, [WordOffsets; 2]) {
        let mut pair = Pair::default();
        let mut marks: [WordOffsets; 2] = Default::default();
        let mut read =
            |side: usize, part: Range<usize>, pair: &mut Pair, marks: &mut [WordOffsets; 2]| {
                let text = &texts[side][part.clone()];
                self.read_on(pair.sides()[side], text, |words, byte| {
                    if is_marked {
                        marks[side].add(words, part.start + byte);
                    }
                });
            };
        for (own, run) in turns(runs(texts), texts.map(str::len)) {
            for (side, own) in own.into_iter().enumerate() {
                read(side, own, &mut pair, &mut marks);
            }
            let ([words, right_words], [stems, _]) = (pair.words(), pair.lengths());
            read(0, run.range(0), &mut pair, &mut marks);
            pair.share(stems);
            pair.sides()[1].words += pair.words()[0] - words;
            let [left_marks, right_marks] = &mut marks;
            right_marks.add_again(left_marks, (words, run.at[0]), (right_words, run.at[1]));
        }
        (pair, marks)
    }
}

/// The stems of two texts, the offsets of their words, and the stages that they were read with.
pub(crate) struct ReadPair<S> {
    pub(crate) pair: Pair,
    /// Empty unless they were asked for.
    pub(crate) marks: [WordOffsets; 2],
    pub(crate) stages: S,
    pub(crate) distinct: StemTable,
}

/// Reads two texts in one language with one memory, or long ones half by half side by side, with what
/// `stages` gives for each. Where words stand is reported, if `is_marked`. None where something was left out
/// of a text, and where long ones do not agree in their middle: those are read text by text.
pub(crate) fn read_pair<S: Stages + Send>(
    texts: [&Remaining; 2],
    stages: impl Fn() -> S + Sync,
    is_marked: bool,
) -> Option<ReadPair<S>> {
    if !texts.iter().all(|text| text.is_whole()) {
        return None;
    }
    let texts = texts.map(Remaining::text);
    let bytes = texts.iter().map(|text| text.len()).sum();
    if !parallel::worth_parallel(bytes) {
        return Some(ReadPair::read(texts, stages(), is_marked));
    }
    let middle = middle(texts)?;
    let [(left, left_end), (right, right_end)] =
        [0, 1].map(|side| texts[side].split_at(middle[side]));
    let (first, second) = parallel::join(
        bytes,
        || ReadPair::read([left, right], stages(), is_marked),
        || ReadPair::read([left_end, right_end], stages(), is_marked),
    );
    Some(first.followed_by(second, middle))
}

impl<S: Stages> ReadPair<S> {
    fn read(texts: [&str; 2], stages: S, is_marked: bool) -> Self {
        let longest = texts.map(str::len).into_iter().max().unwrap_or_default();
        let mut lexicon = Interner::new(longest, stages);
        let (pair, marks) = lexicon.read_both(texts, is_marked);
        let (stages, distinct) = lexicon.into_parts();
        Self { pair, marks, stages, distinct }
    }

    /// With what comes behind, which begins at such bytes.
    fn followed_by(mut self, next: Self, starts: [usize; 2]) -> Self {
        let counts = [&self.distinct, &next.distinct].map(|known| known.stems.len());
        let places = self.stages.join(&next.stages, counts);
        self.distinct.join(&next.distinct, &places);
        let words = self.pair.words();
        for (side, marks) in next.marks.into_iter().enumerate() {
            self.marks[side].append(marks, (words[side], starts[side]));
        }
        self.pair.append(next.pair, |stem| places[stem as usize]);
        self
    }
}

// The stems of two texts: what both have in common is kept once.

/// The stems of two texts.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Pair {
    left: StemSequence,
    /// Right without the stems of the runs.
    right: StemSequence,
    /// What both have, as far as it is known: in the order of both. Where there is a run, no text
    /// has a break.
    runs: Vec<Shared>,
}

/// A run of stems that both texts have.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Shared {
    run: Run,
    /// The stems of right before it that are in no run.
    own: usize,
}

impl From<[StemSequence; 2]> for Pair {
    /// Two texts of which no run is known.
    fn from([left, right]: [StemSequence; 2]) -> Self {
        Self { left, right, runs: Vec::new() }
    }
}

impl Pair {
    /// The words of each.
    pub fn words(&self) -> [usize; 2] {
        [self.left.words, self.right.words]
    }

    /// How many stems each has.
    pub fn lengths(&self) -> [usize; 2] {
        let own = self.right.stems.len();
        let behind = |last: &Shared| last.run.range(1).end + own - last.own;
        [self.left.stems.len(), self.runs.last().map_or(own, behind)]
    }

    /// The runs that both have, in the order of both; none is empty.
    pub fn runs(&self) -> impl ExactSizeIterator<Item = Run> + Clone {
        self.runs.iter().map(|shared| shared.run)
    }

    /// Where stems that others do not stand right before are in each; nowhere where there is a run.
    pub fn breaks(&self) -> [&[usize]; 2] {
        [&self.left.breaks, &self.right.breaks]
    }

    /// The stems of left, 0, or of right, 1, in a range. The cost is that of the range, but for a
    /// look for its beginning.
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

    /// Both texts as they are, with what both have in each.
    pub fn into_readings(mut self) -> [StemSequence; 2] {
        if !self.runs.is_empty() {
            let [_, length] = self.lengths();
            self.right.stems = self.stems(1, 0..length).into_owned();
        }
        [self.left, self.right]
    }

    /// Adds to right the stems of left from one on; its words are to be added to it.
    pub fn share(&mut self, first: usize) {
        let [end, right] = self.lengths();
        let run = Run { at: [first, right], length: end - first };
        let own = self.right.stems.len();
        self.runs.extend((run.length > 0).then_some(Shared { run, own }));
    }

    /// The stems that left and right have alone, to be appended to.
    pub fn sides(&mut self) -> [&mut StemSequence; 2] {
        [&mut self.left, &mut self.right]
    }

    /// Adds what comes behind, which was read with another memory. `place` says where each of
    /// its stems stands among those of this one.
    pub fn append(&mut self, next: Self, place: impl Fn(u32) -> u32 + Sync) {
        let (before, own) = (self.lengths(), self.right.stems.len());
        self.runs.extend(next.runs.into_iter().map(|shared| Shared {
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

    /// What right consists of in a range: stems of its own and of runs, in turn.
    fn right_parts(&self, range: Range<usize>) -> impl Iterator<Item = &[u32]> {
        let mut next = self.runs.partition_point(|shared| shared.run.range(1).end <= range.start);
        let mut at = range.start;
        std::iter::from_fn(move || {
            if at >= range.end {
                return None;
            }
            let start = at;
            let shared = self.runs.get(next).filter(|shared| shared.run.at[1] <= start);
            Some(if let Some(Shared { run, .. }) = shared {
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
        // The last word of a part may go on.
        assert_eq!(found(LONG.trim_end(), LONG), [(0, 0, n - "hour ".len())]);
        let table = [("a ", ""), ("", "b "), ("a ", "b "), ("some more of it ", "less ")];
        for (of_left, of_right) in table {
            let [left, right] = [of_left, of_right].map(|own| format!("{LONG}{own}{LONG}"));
            let want = [(0, 0, n), (n + of_left.len(), n + of_right.len(), n)];
            assert_eq!(found(&left, &right), want, "{of_left:?}, {of_right:?}");
        }
    }

    #[test]
    fn what_was_put_in_is_passed_over() {
        let n = LONG.len();
        let rest: String = (0..1000).fold(String::new(), |rest, at| format!("{rest}{at} "));
        let chapter = "a word of another chapter, ".repeat(500);
        let with = format!("{LONG}{chapter}{rest}");
        let without = format!("{LONG}{rest}");
        // 13,500 bytes are among those of a place that is 256 away, but not 64.
        let by = 256 + rest[256..].find(' ').unwrap() + 1;
        let far = (n + by, n + chapter.len() + by, rest.len() - by);
        assert_eq!(found(&without, &with), [(0, 0, n), far]);
        // The places of what was put in are looked for 13 kB away at most.
        let of_left = 4 * 4096 + with[n + 4 * 4096..].find(' ').unwrap() + 1;
        let far = (n + of_left, n + of_left - chapter.len(), with.len() - n - of_left);
        assert_eq!(found(&with, &without), [(0, 0, n), far]);
    }

    #[test]
    fn turns_are_what_each_has_of_its_own_and_what_both_have() {
        let run = |left, right, length| Run { at: [left, right], length };
        let all = |runs: &[Run], lengths| turns(runs.iter().copied(), lengths).collect::<Vec<_>>();
        assert_eq!(all(&[], [0, 3]), [([0..0, 0..3], run(0, 3, 0))]);
        let runs = [run(1, 0, 4), run(5, 6, 2)];
        let want = [([0..1, 0..0], runs[0]), ([5..5, 4..6], runs[1]), ([7..7, 8..9], run(7, 9, 0))];
        assert_eq!(all(&runs, [7, 9]), want);
    }

    #[test]
    fn the_middle_is_where_both_agree() {
        let text: String = (0..40_000).fold(String::new(), |text, at| format!("{text}{at} "));
        let edited = text.replacen("19999", "an edited word", 1);
        let [l, r] = middle([&text, &edited]).unwrap();
        assert_eq!((&text[l - 1..l], &edited[r - 1..r]), (" ", " "));
        assert_eq!(text[l..l + LEAST], edited[r..r + LEAST]);
        assert!(l.abs_diff(text.len() / 2) < 10_000);
        for texts in [["", ""], ["kettle", "kettle"], [&text[..], "kettle"], [LONG, &text]] {
            assert_eq!(middle(texts), None);
        }
    }

    proptest! {
        /// Runs are what they are given to be, in the order of both.
        #[test]
        fn runs_are_alike_and_in_order(
            left in "([a-c] ?){0,200}", kept in proptest::collection::vec(any::<bool>(), 8), own in "([a-c]{1,9} ){0,8}",
        ) {
            let parts: Vec<char> = left.chars().collect();
            let pieces = parts.chunks(parts.len() / 8 + 1).zip(&kept);
            let right = pieces.map(|(piece, kept)| if *kept { piece.iter().collect() } else { own.clone() });
            let texts = [left.clone(), right.collect::<String>()];
            let found = runs(texts.each_ref().map(String::as_str));
            let mut ends = [0, 0];
            for run in found {
                let alike = [0, 1].map(|side| &texts[side][run.range(side)]);
                prop_assert!(run.length >= LEAST && alike[0] == alike[1]);
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

    fn lexicon() -> Interner<impl Stages> {
        let kept = |words: &Tokens| {
            words.0.iter().map(|token| token.word.to_string()).filter(|it| it != "the").collect()
        };
        Interner::new(0, move |words: Tokens, _: &str| -> Stems {
            let kept: Vec<String> = kept(&words);
            kept.iter().collect()
        })
    }

    /// What a text yields by itself: its words, its stems by their residues, and where its words
    /// stand.
    type Alone = (usize, Vec<u64>, Vec<Range<usize>>);

    fn analyzed(
        lexicon: &Interner<impl Stages>,
        text: &str,
        (reading, marks): (&StemSequence, &WordOffsets),
    ) -> Alone {
        let residue = |place: &u32| lexicon.stems().stems[*place as usize].residue();
        let stems = reading.stems.iter().map(residue).collect();
        let spots = marks.spots(text, 0..reading.words);
        (reading.words, stems, spots.into_iter().map(|spot| spot.span).collect())
    }

    fn alone(text: &str) -> Alone {
        let mut lexicon = lexicon();
        let (reading, marks) = lexicon.read_with_marks(text, std::iter::once(0..text.len()));
        analyzed(&lexicon, text, (&reading, &marks))
    }

    fn starts(text: &str) -> Vec<usize> {
        text.match_indices(' ').map(|(space, _)| space + 1).chain([text.len()]).collect()
    }

    proptest! {
        /// A text and a copy with words changed, left out and put in, read at once or in two parts.
        #[test]
        fn both_come_to_what_each_comes_to_alone(
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
            let mut lexicon = lexicon();
            let (pair, marks) = if is_parted {
                // With one memory, so that stems stand where they are.
                let (l, r) = (starts(&left), starts(&right));
                let middle = [l[cut % l.len()], r[other % r.len()]];
                let (mut pair, mut marks) = lexicon.read_both([&left[..middle[0]], &right[..middle[1]]], true);
                let (next, next_marks) = lexicon.read_both([&left[middle[0]..], &right[middle[1]..]], true);
                for (side, next) in next_marks.into_iter().enumerate() {
                    marks[side].append(next, (pair.words()[side], middle[side]));
                }
                pair.append(next, |place| place);
                (pair, marks)
            } else {
                lexicon.read_both([&left, &right], true)
            };
            let runs: Vec<Run> = pair.runs().collect();
            let readings = pair.into_readings();
            for (side, text) in [&left, &right].into_iter().enumerate() {
                let got = analyzed(&lexicon, text, (&readings[side], &marks[side]));
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
        let (pair, marks) = lexicon().read_both([&left, &right], false);
        // 15 words, of which two are stop words.
        let run = |left, right| Run { at: [left, right], length: 13 };
        assert_eq!(pair.runs().collect::<Vec<_>>(), [run(0, 0), run(14, 14)]);
        assert_eq!((pair.words(), pair.lengths()), ([31, 32], [27, 27]));
        assert_eq!(marks, <[WordOffsets; 2]>::default(), "not asked for");
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
    fn what_comes_behind_is_numbered_anew() {
        let next = || Pair::from([reading(&[0, 1], &[1]), reading(&[2], &[])]);
        let mut pair = Pair::from([reading(&[0, 1], &[1]), StemSequence::default()]);
        pair.append(next(), |stem| stem + 5);
        let left = StemSequence { words: 6, stems: vec![0, 1, 5, 6], breaks: vec![1, 3] };
        assert_eq!(pair, Pair::from([left, reading(&[7], &[])]));
        assert_eq!(pair.breaks(), [&[1, 3][..], &[]]);
    }

    proptest! {
        /// Two parts of texts, each made of turns: what left has, what right has, and what both
        /// have, which may be nothing. Against whole texts.
        #[test]
        fn what_both_have_is_in_each(
            parts in proptest::collection::vec(proptest::collection::vec(
                (proptest::collection::vec(0_u32..9, 0..3), proptest::collection::vec(0_u32..9, 0..3), proptest::collection::vec(0_u32..9, 0..5)), 0..5), 2),
            (start, length) in (0_usize..30, 0_usize..30),
        ) {
            let mut whole: [Vec<u32>; 2] = Default::default();
            let mut runs = Vec::new();
            let pairs: Vec<Pair> = parts.iter().zip([0, 9]).map(|(turns, behind)| {
                let mut pair = Pair::default();
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
            let [mut pair, next] = <[Pair; 2]>::try_from(pairs).unwrap();
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
