//! Two texts that are mostly the same → their readings: what both say alike is read once.

use std::ops::Range;

use super::{Interner, Pair, Stages, WordOffsets};
use crate::interner::common_runs;

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
        let runs = common_runs::runs(texts);
        for (own, run) in common_runs::turns(runs, texts.map(str::len)) {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::interner::StemSequence;
    use crate::interner::common_runs::Run;
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

    /// What a text comes to by itself: its words, its stems by their residues, and where its words
    /// stand.
    type Alone = (usize, Vec<u64>, Vec<Range<usize>>);

    fn told(
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
                let got = told(&lexicon, text, (&readings[side], &marks[side]));
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
