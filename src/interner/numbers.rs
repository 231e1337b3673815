//! Numbers that count up, as those of the lines of a list do: they are no evidence that two texts have
//! anything in common.

use std::collections::BTreeMap;
use std::num::NonZeroU16;

use super::Stem;

/// The value of a word that is written in up to four digits, plus one.
pub(crate) type Number = NonZeroU16;

/// Returns the value of a word; `None` if it is not written in one to four digits.
pub(crate) fn value(word: &Stem) -> Option<Number> {
    // A space precedes the digits, as it does in a shingle.
    let bytes = word.suffix.short(5)?;
    let digits = bytes.split_at(bytes.iter().position(|byte| *byte == b' ')? + 1).1;
    let append =
        |all: u16, digit: &u8| digit.is_ascii_digit().then(|| 10 * all + u16::from(digit - b'0'));
    let is_number = (1..=4).contains(&digits.len());
    let value = is_number.then(|| digits.iter().try_fold(0, append))??;
    Number::new(value + 1)
}

/// Reports whether a word has a value: whether it is written in one to four digits.
pub(super) fn is_number(word: &str) -> bool {
    (1..=4).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The largest number of words from one number of a count to the next, as many as a line has.
const MAX_STEP: usize = 32;

/// The smallest number of numbers that are a count. Answers from one to five, or to ten, are none,
/// although all of them are near each other.
const MIN_COUNT: usize = 12;

/// Returns the places of the words of a text that are numbers which count up, in order: each is one
/// more than a number before it, which is near, and at least 12 of them follow each other. It takes
/// the value of each word, `None` for a word that is no number.
pub(crate) fn counting_up(values: impl Iterator<Item = Option<Number>>) -> Vec<usize> {
    /// A number, the number before it in the count, and how many numbers of the count end with it.
    #[derive(Clone, Copy)]
    struct Counter {
        at: usize,
        before: Option<usize>,
        count: usize,
        is_of_count: bool,
    }
    let mut all: Vec<Counter> = Vec::new();
    // By number, the place in `all` of the one that ends the longest count, or of the last of them.
    let mut last: BTreeMap<u16, usize> = BTreeMap::new();
    let numbers = values.enumerate().filter_map(|(at, value)| Some((at, value?.get())));
    for (at, number) in numbers {
        let near =
            |number: u16| last.get(&number).copied().filter(|last| at - all[*last].at <= MAX_STEP);
        let before = near(number - 1);
        let count = before.map_or(0, |before| all[before].count) + 1;
        if near(number).is_none_or(|last| all[last].count <= count) {
            last.insert(number, all.len());
        }
        all.push(Counter { at, before, count, is_of_count: false });
        let mut next = (count >= MIN_COUNT).then(|| all.len() - 1);
        while let Some(counter) = next.map(|next| &mut all[next]) {
            let was_of_count = std::mem::replace(&mut counter.is_of_count, true);
            next = counter.before.filter(|_| !was_of_count);
        }
    }
    all.into_iter().filter(|it| it.is_of_count).map(|it| it.at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_up_to_four_digits() {
        #[rustfmt::skip]
        let table = [
            ("0", Some(0)), ("7", Some(7)), ("42", Some(42)), ("007", Some(7)), ("9999", Some(9999)),
            ("", None), ("10000", None), ("1a", None), ("a1", None), ("-1", None), ("٣", None), ("²", None), ("word", None),
        ];
        for (word, want) in table {
            let got = value(&Stem::new(word)).map(|value| value.get() - 1);
            assert_eq!((got, is_number(word)), (want, want.is_some()), "{word}");
        }
    }

    #[test]
    fn numbers_that_count_up_are_those_of_a_count() {
        let far = format!("1 2 3 4 5 6 7 8 9 10 11 {}12 13 14 15", "x ".repeat(32));
        let near = far.replacen("x ", "", 1);
        let few = "3 2 1 4 5 1 2 3 5 4 3 2 1 2 3 4 5 4 3 2";
        #[rustfmt::skip]
        let table: &[(&str, &str, &[usize])] = &[
            ("no number",              "a b a b",                                 &[]),
            ("a count",                "1 2 3 a 4 5 6 b 7 8 9 10 c 11 12",        &[0, 1, 2, 4, 5, 6, 8, 9, 10, 11, 13, 14]),
            ("too short",              "1 2 3 a 4 5 6 b 7 8 9 10 c 11",           &[]),
            ("from any number on",     "95 96 97 98 99 100 101 102 103 104 105 106", &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
            ("not downwards",          "12 11 10 9 8 7 6 5 4 3 2 1",              &[]),
            ("answers from a few",     few,                                       &[]),
            ("beside answers",         "1 7 2 9 3 1 4 3 5 9 6 9 7 2 8 5 9 1 10 3 11 4 12 6", &[0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22]),
            ("too far apart",          &far,                                      &[]),
            ("just near enough",       &near,                                     &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 42, 43, 44, 45]),
            ("no digits",              "1a 2a 3a 4a 5a 6a 7a 8a 9a 10a 11a 12a",  &[]),
            ("more than four",         "99991 99992 99993 99994 99995 99996 99997 99998 99999 100000 100001 100002", &[]),
            ("zero",                   "0 1 2 3 4 5 6 7 8 9 10 11",               &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
        ];
        for (why, text, want) in table {
            let values = text.split(' ').map(|word| value(&Stem::new(word)));
            assert_eq!(counting_up(values), *want, "{why}");
        }
    }
}
