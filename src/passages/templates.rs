//! Texts that everyone was given → what another text has of them.

use std::ops::Range;

use super::pair::{Pair, Sequence};
use super::{MinMatch, find};

/// Texts that everyone was given: an assignment, a form, a notice.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Templates {
    /// The words of each.
    pub all: Vec<Sequence>,
    /// What a passage must have that a text shares with one of them.
    pub least: MinMatch,
}

impl Templates {
    /// Where a text has words that it shares with a template: its passages, and each further
    /// place with enough words in a row of the template, however often they recur. In order;
    /// no range touches another. The cost is that of sorting the words, for each template.
    pub fn shared_with(&self, text: &Sequence) -> Vec<Range<usize>> {
        let of_one = |template: &Sequence| {
            let passages = find(text.clone(), template.clone(), self.least).into_iter();
            passages.map(|passage| passage.left).chain(recurring(text, template, self.least))
        };
        united(self.all.iter().flat_map(of_one).collect())
    }
}

/// Where each word of the text is one of enough in a row that stand in the template as well.
fn recurring(text: &Sequence, template: &Sequence, least: MinMatch) -> Vec<Range<usize>> {
    let (pair, turned) = Pair::of(text.clone(), template.clone());
    let side = usize::from(turned);
    let windows = windows(&pair, least.words());
    let mut known = windows[1 - side].clone();
    known.sort_unstable();
    let starts =
        (0..windows[side].len()).filter(|at| known.binary_search(&windows[side][*at]).is_ok());
    let ranges = united(starts.map(|at| at..at + least.words()).collect());
    let is_enough = |range: &Range<usize>| pair.worth_of(side, range.clone()) >= least.in_a_row();
    ranges.into_iter().filter(is_enough).collect()
}

/// A number for the words in a row from each place of both sides on, as far as there are so
/// many; the same for the same words. Found by doubling, after Karp, Miller and Rosenberg (1972).
fn windows(pair: &Pair, length: usize) -> [Vec<u32>; 2] {
    let mut numbers = pair.words.clone();
    let mut reached = 1;
    while reached < length {
        let step = reached.min(length - reached);
        numbers = joined(&numbers, step);
        reached += step;
    }
    numbers
}

/// A number for the pairs of numbers that stand so far apart; the same for the same pair.
fn joined(numbers: &[Vec<u32>; 2], apart: usize) -> [Vec<u32>; 2] {
    let pairs = |side: usize| {
        let (first, second) = (&numbers[side], numbers[side].get(apart..).unwrap_or(&[]));
        first.iter().zip(second).map(|(first, second)| u64::from(*first) << 32 | u64::from(*second))
    };
    let mut all: Vec<u64> = pairs(0).chain(pairs(1)).collect();
    all.sort_unstable();
    all.dedup();
    let number = |pair: u64| all.partition_point(|known| *known < pair);
    let number = |pair| u32::try_from(number(pair)).expect("two texts have fewer than 2^32 words");
    [0, 1].map(|side| pairs(side).map(number).collect())
}

/// Ranges in order, those that touch made one.
pub(super) fn united(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| range.start);
    let mut united: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match united.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => united.push(range),
        }
    }
    united
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::passages::tests::{sequence, words};

    const TEMPLATE: &str = "one two three four five six seven eight nine ten eleven twelve";

    fn shared(templates: &[&str], text: &str) -> Vec<Range<usize>> {
        let all = templates.iter().map(|text| sequence(&words(text))).collect();
        Templates { all, least: MinMatch::default() }.shared_with(&sequence(&words(text)))
    }

    #[expect(clippy::single_range_in_vec_init, reason = "a list of ranges")]
    #[test]
    fn what_a_text_has_of_a_template_is_found() {
        let other = "red orange yellow green blue indigo violet black white grey brown pink";
        let part = "four five six seven eight nine ten eleven";
        #[rustfmt::skip]
        let table: &[(&str, &[&str], String, &[Range<usize>])] = &[
            ("no template",            &[],                TEMPLATE.into(),                           &[]),
            ("an empty one",           &[""],              TEMPLATE.into(),                           &[]),
            ("an empty text",          &[TEMPLATE],        String::new(),                             &[]),
            ("nothing of it",          &[TEMPLATE],        other.into(),                              &[]),
            ("all of it",              &[TEMPLATE],        TEMPLATE.into(),                           &[0..12]),
            ("too little of it",       &[TEMPLATE],        format!("a {part} z"),                     &[]),
            ("inside",                 &[TEMPLATE],        format!("a b {TEMPLATE} y z"),             &[2..14]),
            ("three times",            &[TEMPLATE],        format!("{TEMPLATE} a {TEMPLATE} b {TEMPLATE}"), &[0..12, 13..25, 26..38]),
            ("of either of two",       &[other, TEMPLATE], format!("{TEMPLATE} a {other}"),           &[0..12, 13..25]),
            ("side by side",           &[other, TEMPLATE], format!("{TEMPLATE} {other} z"),           &[0..24]),
        ];
        for (why, templates, text, want) in table {
            assert_eq!(shared(templates, text), *want, "{why}");
        }
    }

    #[test]
    fn letters_of_a_script_without_spaces_are_worth_less() {
        let template = "有人在山上种了很多树木和花草每天都去浇水";
        let text = |letters: usize| -> String {
            let letters: String = template.chars().take(letters).collect();
            format!("{letters}其{letters}")
        };
        // Twelve words are 16 letters of Chinese, each worth three quarters of one.
        assert!(shared(&[template], &text(15)).is_empty());
        assert_eq!(shared(&[template], &text(16)), [0..16, 17..33]);
    }

    proptest! {
        /// However often a template stands in a text, between words of its own.
        #[test]
        fn each_time_is_found(times in 0_usize..40, apart in 1_usize..40) {
            let between: Vec<String> = (0..apart).map(|k| format!("own{k}")).collect();
            let text = format!("{TEMPLATE} {} ", between.join(" ")).repeat(times);
            let want: Vec<_> = (0..times).map(|k| k * (12 + apart)).map(|at| at..at + 12).collect();
            prop_assert_eq!(shared(&[TEMPLATE], &text), want);
        }

        #[test]
        fn windows_are_the_same_where_their_words_are(
            left in "[ab ]{0,30}", right in "[ab ]{0,30}", length in 1_usize..9,
        ) {
            let (left, right) = (words(&left), words(&right));
            let (pair, _) = Pair::of(sequence(&left), sequence(&right));
            let numbers = windows(&pair, length).concat();
            let plain: Vec<&[u32]> = pair.words.iter().flat_map(|it| it.windows(length)).collect();
            prop_assert_eq!(numbers.len(), plain.len());
            for (one, its_words) in numbers.iter().zip(&plain) {
                for (other, others) in numbers.iter().zip(&plain) {
                    prop_assert_eq!(one == other, its_words == others);
                }
            }
        }
    }
}
