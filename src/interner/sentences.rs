//! Where the sentences of a text begin that was read by its chunks.

use std::ops::Range;

use super::WordOffsets;
use crate::interner::chunks::chunks;
use crate::tokens;

/// Characters that end a sentence where white space follows, and perhaps what closes a quotation
/// before it.
const STOPS: [char; 4] = ['.', '!', '?', '…'];

/// Characters that end a sentence whatever follows: of scripts without spaces, and those that
/// prose does not have, so that an address or a line of code is no part of one.
const ENDS: [char; 12] = ['。', '！', '？', '｡', '<', '>', '{', '}', '=', '|', '/', '\\'];

impl WordOffsets {
    /// Of ranges of words, in their order and apart, those behind the first one of a range that
    /// begin a sentence of the text; increasing. No range may reach over what was left out.
    pub fn sentences(&self, text: &str, ranges: &[Range<usize>]) -> Vec<usize> {
        let mut starts = Vec::new();
        for range in ranges.iter().filter(|range| !range.is_empty()) {
            let before = self.0.partition_point(|mark| mark.words <= range.start);
            let Some(first) = before.checked_sub(1) else { continue };
            // Where the last word ended.
            let mut end = None;
            for (at, mark) in self.0.iter().enumerate().skip(first) {
                let (mut count, next) = (mark.words, self.0.get(at + 1));
                if count >= range.end {
                    break;
                }
                if next.is_some_and(|next| next.words == count) {
                    continue;
                }
                let stretch = mark.byte..next.map_or(text.len(), |next| next.byte);
                for chunk in chunks(&text[stretch.clone()]) {
                    let chunk = stretch.start + chunk.start..stretch.start + chunk.end;
                    let mut meet = |span: Range<usize>, more: usize| {
                        let is_within = range.start < count && count < range.end;
                        if is_within && end.is_some_and(|end| ends(&text[end..span.start])) {
                            starts.push(count);
                        }
                        end = Some(span.end);
                        count += more;
                    };
                    let written = &text[chunk.clone()];
                    if let Some(length) = plain(written.as_bytes()) {
                        meet(chunk.start..chunk.start + length, 1);
                        continue;
                    }
                    for (span, more) in tokens::places(written) {
                        meet(chunk.start + span.start..chunk.start + span.end, more);
                    }
                }
            }
        }
        starts
    }
}

/// The length of the word in a chunk that is one of plain letters and digits, perhaps with a full
/// stop or a comma behind it; none for any other.
fn plain(chunk: &[u8]) -> Option<usize> {
    let length = chunk.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let is_plain = length > 0 && chunk[length..].iter().all(|byte| b".,;:!?'\")]".contains(byte));
    is_plain.then_some(length)
}

/// Whether a sentence ends in what stands between two words.
pub(super) fn ends(between: &str) -> bool {
    if between == " " {
        return false;
    }
    let (mut was_stop, mut lines) = (false, 0);
    for letter in between.chars() {
        let is_space = letter.is_whitespace();
        lines = if letter == '\n' { lines + 1 } else { lines * i32::from(is_space) };
        if ENDS.contains(&letter) || is_space && was_stop || lines == 2 {
            return true;
        }
        was_stop |= STOPS.contains(&letter);
    }
    false
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::interner::Interner;
    use crate::stems::Stems;
    use crate::tokens::Tokens;

    fn starts(
        text: &str,
        stretches: Option<&[Range<usize>]>,
        ranges: &[Range<usize>],
    ) -> Vec<usize> {
        let own =
            |words: Tokens, _: &str| words.0.iter().map(|token| &*token.word).collect::<Stems>();
        let whole = std::slice::from_ref(&(0..text.len())).to_vec();
        let stretches = stretches.map_or(whole, <[_]>::to_vec);
        let (_, marks) = Interner::new(0, own).read_with_marks(text, stretches);
        marks.sentences(text, ranges)
    }

    #[test]
    fn sentences_end_where_the_text_says_so() {
        #[rustfmt::skip]
        let table: &[(&str, &str, &[usize])] = &[
            ("nothing",                    "",                                  &[]),
            ("a full stop",                "The kettle. It boils. ",            &[2]),
            ("no space behind it",         "Version 1.2 of example.org is out", &[]),
            ("a question in quotes",       "“A kettle?” he said",               &[2]),
            ("an exclamation",             "A kettle! (It boils.)\nIt does",    &[2, 4]),
            ("three dots",                 "A kettle… it boils ... not",        &[2, 4]),
            ("a comma, a colon, a dash",   "A kettle, it: boils; - now",        &[]),
            ("an empty line",              "A heading\n \nA kettle\nboils",     &[2]),
            ("Windows' line ends",         "A heading\r\n\r\nA kettle\r\nboils", &[2]),
            ("Chinese",                    "水火。山川！風",                     &[2, 4]),
            ("code and addresses",         "a <b> c = d http://e.org/f",        &[1, 2, 3, 5, 6]),
            ("words of one character",     "A. ﷺ. B",                           &[1, 5]),
        ];
        for (why, text, want) in table {
            let all = 0..tokens::split(text).len();
            assert_eq!(starts(text, None, std::slice::from_ref(&all)), *want, "{why}");
        }
    }

    #[test]
    fn ranges_begin_anew_and_what_was_left_out_is_not_read() {
        let text = "One. Two. Left. Out. Three. Four.";
        let stretches = [0..10, 21..text.len()];
        let got = |ranges: &[Range<usize>]| starts(text, Some(&stretches), ranges);
        assert_eq!(got(&[0..2, 2..4]), [1, 3]);
        assert_eq!(got(&[1..2, 3..4]), [0; 0]);
        assert_eq!(got(&[2..3, 3..4]), [0; 0]);
        assert_eq!(got(&[4..9, 9..12]), [0; 0], "behind the last");
    }

    proptest! {
        /// Against the definition: what stands between every two words.
        #[test]
        fn sentences_are_those_between_words(
            text in "((kettle|exam-\n|l'home|水|ﷺ|b\u{37a}c|a\u{b8}|3.14|a|'|é|_)[ \n,.!/…。\"]{0,3}){0,200}",
            cuts in proptest::collection::btree_set(0_usize..200, 0..6),
        ) {
            let words = tokens::split(&text).0;
            let cuts: Vec<usize> = [0].into_iter().chain(cuts).chain([words.len()]).collect();
            let ranges: Vec<Range<usize>> = cuts.windows(2).map(|cut| cut[0]..cut[1].min(words.len())).filter(|range| range.start < range.end).collect();
            let begins = |at: &usize| {
                let between = words[at - 1].span.end..words[*at].span.start;
                between.start <= between.end && ends(&text[between])
            };
            let want: Vec<usize> = ranges.iter().flat_map(|range| (range.start + 1..range.end).filter(begins)).collect();
            prop_assert_eq!(starts(&text, None, &ranges), want);
        }
    }
}
