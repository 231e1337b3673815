//! Two texts → the runs of bytes that both have, found in one walk through both.
//!
//! Anyone who checks a copy has two texts that are mostly the same. What both say alike need not
//! be read twice. The walk may miss some of it, such as what has changed places; that costs
//! time and changes no answer.
//!
//! Runs begin and end behind spaces, where no word goes on, so that the words of a text are
//! those of its parts, one after the other (`words_of_parts_are_those_of_the_text`).

use std::ops::Range;

use memchr::{memchr, memchr_iter, memmem, memrchr};

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
