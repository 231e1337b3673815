//! Two texts that are mostly the same → their readings: what both say alike is read once.

use super::{Lexicon, Marks, Reading, Stages};
use crate::alike::{self, Run};
use crate::threads;

/// What two texts come to.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Both {
    /// The stems of each.
    pub readings: [Reading; 2],
    /// Where their words stand.
    pub marks: [Marks; 2],
    /// The runs of stems that both have, as far as they are known: in the order of both.
    pub runs: Vec<Run>,
}

impl<S: Stages> Lexicon<S> {
    /// Reads two texts.
    pub fn read_both(&mut self, texts: [&str; 2]) -> Both {
        let mut both = Both::default();
        let runs = alike::runs(texts);
        for (own, run) in alike::turns(&runs, texts.map(str::len)) {
            for (side, own) in own.into_iter().enumerate() {
                let (text, start) = (&texts[side][own.clone()], own.start);
                let mark = |words, byte| both.marks[side].add(words, start + byte);
                self.read_on(&mut both.readings[side], text, mark);
            }
            let before = both.lengths();
            let (start, text) = (run.at[0], &texts[0][run.range(0)]);
            let mark = |words, byte| both.marks[0].add(words, start + byte);
            let words = both.readings[0].words;
            self.read_on(&mut both.readings[0], text, mark);
            both.read_again([words, before[0]], run);
            let length = both.readings[0].stems.len() - before[0];
            both.runs.extend((length > 0).then_some(Run { at: before, length }));
        }
        both
    }
}

impl Both {
    /// How many stems each has.
    fn lengths(&self) -> [usize; 2] {
        self.readings.each_ref().map(|reading| reading.stems.len())
    }

    /// Adds to right a run of bytes that was read last of left, before which there were so many
    /// words and stems.
    fn read_again(&mut self, [words, stems]: [usize; 2], run: Run) {
        let ([left, right], [left_marks, right_marks]) = (&mut self.readings, &mut self.marks);
        right_marks.add_again(left_marks, (words, run.at[0]), (right.words, run.at[1]));
        right.words += left.words - words;
        right.stems.extend_from_slice(&left.stems[stems..]);
    }

    /// Adds what comes behind, which begins at such bytes and was read with another memory.
    /// `place` tells where each of its stems stands among those of this one.
    pub fn append(&mut self, next: Self, starts: [usize; 2], place: impl Fn(u32) -> u32 + Sync) {
        let before = self.lengths();
        let moved = |run: Run| Run { at: [0, 1].map(|side| before[side] + run.at[side]), ..run };
        self.runs.extend(next.runs.into_iter().map(moved));
        let [left, right] = &mut self.readings;
        let ([next_left, next_right], [left_marks, right_marks]) = (next.readings, next.marks);
        self.marks[0].append(left_marks, (left.words, starts[0]));
        self.marks[1].append(right_marks, (right.words, starts[1]));
        let bytes = size_of::<u32>() * (next_left.stems.len() + next_right.stems.len());
        threads::side_by_side(
            bytes,
            || left.append(next_left, &place),
            || right.append(next_right, &place),
        );
    }
}

impl Reading {
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
    use crate::stems::Stems;
    use crate::tokens::Tokens;

    fn lexicon() -> Lexicon<impl Stages> {
        let kept = |words: &Tokens| {
            words.0.iter().map(|token| token.word.to_string()).filter(|it| it != "the").collect()
        };
        Lexicon::new(0, move |words: Tokens, _: &str| -> Stems {
            let kept: Vec<String> = kept(&words);
            kept.iter().collect()
        })
    }

    /// What a text comes to by itself: its words, its stems by their residues, and where its words
    /// stand.
    type Alone = (usize, Vec<u64>, Vec<std::ops::Range<usize>>);

    fn told(
        lexicon: &Lexicon<impl Stages>,
        text: &str,
        (reading, marks): (&Reading, &Marks),
    ) -> Alone {
        let residue = |place: &u32| lexicon.stems().stems[*place as usize].residue();
        let stems = reading.stems.iter().map(residue).collect();
        (reading.words, stems, marks.spans(text, 0..reading.words))
    }

    fn alone(text: &str) -> Alone {
        let mut lexicon = lexicon();
        let (reading, marks) = lexicon.read_with_marks(text, std::iter::once(0..text.len()));
        told(&lexicon, text, (&reading, &marks))
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
            let both = if is_parted {
                // With one memory, so that stems stand where they are.
                let (l, r) = (starts(&left), starts(&right));
                let (l, r) = (l[cut % l.len()], r[other % r.len()]);
                let mut both = lexicon.read_both([&left[..l], &right[..r]]);
                let next = lexicon.read_both([&left[l..], &right[r..]]);
                both.append(next, [l, r], |place| place);
                both
            } else {
                lexicon.read_both([&left, &right])
            };
            for (side, text) in [&left, &right].into_iter().enumerate() {
                let got = told(&lexicon, text, (&both.readings[side], &both.marks[side]));
                prop_assert_eq!(got, alone(text));
            }
            let [of_left, of_right] = &both.readings;
            for run in &both.runs {
                prop_assert!(run.length > 0 && of_left.stems[run.range(0)] == of_right.stems[run.range(1)]);
            }
            prop_assert!(both.runs.array_windows().all(|[one, next]| (0..2).all(|side| one.range(side).end <= next.at[side])));
        }
    }

    #[test]
    fn what_comes_behind_is_numbered_anew() {
        let next = || Reading { words: 2, stems: vec![0, 1], breaks: vec![1] };
        let mut reading = Reading { words: 3, stems: vec![0, 1], breaks: vec![1] };
        reading.append(next(), |stem| stem + 5);
        assert_eq!(reading, Reading { words: 5, stems: vec![0, 1, 5, 6], breaks: vec![1, 3] });
        let mut nothing = Reading::default();
        nothing.append(next(), |stem| stem + 5);
        assert_eq!(nothing, Reading { stems: vec![5, 6], ..next() });
    }

    #[test]
    fn what_both_have_is_read_once() {
        let text = "the kettle stands on the stove and nobody has looked at it for an hour ";
        let [left, right] = [format!("{text}a {text}"), format!("{text}the b {text}")];
        let both = lexicon().read_both([&left, &right]);
        // 15 words, of which two are stop words.
        let run = |left, right| Run { at: [left, right], length: 13 };
        assert_eq!(both.runs, [run(0, 0), run(14, 14)]);
        assert_eq!(both.readings.each_ref().map(|reading| reading.words), [31, 32]);
    }
}
