//! A text → its chunks: what stands between white space.
//!
//! No word of UAX #29 reaches over ASCII white space, so the words of a text are those
//! of its chunks, one after the other; `words_of_chunks_are_those_of_the_text` holds
//! that on any string. Only a hyphen at a line's end may join what stands on both sides,
//! and there a chunk goes on.

use std::ops::Range;

/// `1` in each of eight bytes.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The last bytes of the characters that may break a word at a line's end: `-`, the
/// hyphen U+2010 and the soft hyphen. Other characters end in them as well, and then a
/// chunk is longer than it need be and no more.
const LAST_OF_HYPHENS: [u8; 3] = [b'-', 0x90, 0xad];

/// The chunks of a text, in order, as spans in bytes; none is empty.
pub fn chunks(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while is_white(*bytes.get(at)?) {
            at += 1;
        }
        let start = at;
        at = chunk_end(bytes, start);
        Some(start..at)
    })
}

/// Where the chunk ends that begins at `start`.
fn chunk_end(bytes: &[u8], start: usize) -> usize {
    let mut end = white_from(bytes, start);
    while let Some(next) = next_line(bytes, end)
        && LAST_OF_HYPHENS.contains(&bytes[end - 1])
    {
        end = white_from(bytes, next);
    }
    end
}

/// The start of the line after the line end at `end`, if it begins with no white space.
fn next_line(bytes: &[u8], end: usize) -> Option<usize> {
    let next = match bytes.get(end..)? {
        [b'\r', b'\n', ..] => end + 2,
        [b'\r' | b'\n', ..] => end + 1,
        _ => return None,
    };
    bytes.get(next).is_some_and(|byte| !is_white(*byte)).then_some(next)
}

/// The first white space from `at` on, or the end; eight bytes a step.
fn white_from(bytes: &[u8], mut at: usize) -> usize {
    while let Some(eight) = bytes.get(at..at + 8) {
        let eight = u64::from_le_bytes(eight.try_into().expect("eight bytes"));
        // The lowest marked byte is the first that is a space or a control character: a
        // borrow goes upward only, and bytes from 0x80 on are masked out.
        let marks = eight.wrapping_sub(ONES * 0x21) & !eight & (ONES * 0x80);
        if marks == 0 {
            at += 8;
            continue;
        }
        at += marks.trailing_zeros() as usize / 8;
        if is_white(bytes[at]) {
            return at;
        }
        at += 1;
    }
    let rest = bytes[at..].iter().position(|byte| is_white(*byte));
    rest.map_or(bytes.len(), |rest| at + rest)
}

/// ASCII white space, the vertical tab included: all of it breaks words.
fn is_white(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tokens;

    #[test]
    fn chunks_are_parted_by_white_space() {
        #[rustfmt::skip]
        let table: &[(&str, &str, &[&str])] = &[
            ("nothing",                    "",                       &[]),
            ("white space",                " \t\r\n\x0b\x0c",        &[]),
            ("one",                        "kettle",                 &["kettle"]),
            ("several",                    "  a kettle,\tand\r\nlid ", &["a", "kettle,", "and", "lid"]),
            ("longer than eight bytes",    "lighthouse-keepers of",  &["lighthouse-keepers", "of"]),
            ("exactly eight",              "12345678 1234567 ",      &["12345678", "1234567"]),
            ("a control character",        "a\u{1}b c",              &["a\u{1}b", "c"]),
            ("a no-break space stays",     "a\u{a0}b",               &["a\u{a0}b"]),
            ("a hyphen at a line's end",   "exam-\nple of",          &["exam-\nple", "of"]),
            ("by CR LF",                   "exam\u{2010}\r\nple",    &["exam\u{2010}\r\nple"]),
            ("a soft hyphen",              "exam\u{ad}\nple",        &["exam\u{ad}\nple"]),
            ("before an indent",           "exam-\n ple",            &["exam-", "ple"]),
            ("at the end",                 "exam-\n",                &["exam-"]),
            ("no line end",                "exam- ple",              &["exam-", "ple"]),
        ];
        for (why, text, want) in table {
            let got: Vec<&str> = chunks(text).map(|span| &text[span]).collect();
            assert_eq!(got, *want, "{why}");
        }
    }

    /// Everything that is special to UAX #29 or to a broken word, and anything else.
    fn text() -> impl Strategy<Value = String> {
        let special = "[ \t\r\n\x0b\x0c\u{85}\u{2028}a-cA-C0-9_.,:;'\"\u{2019}\u{ad}\u{200d}\u{200b}\
            \u{2060}\u{300}\u{301}\u{93f}\u{e31}\u{e33}กขא״ר水火かカｶﾞー한ℹ😀🇪🇺\u{1f3fd}\u{fe0f}ßﬁﷺİı\\-\u{2010}]{0,40}";
        prop_oneof![special, any::<String>(), "(\\PC|[ \n\u{ad}-]){0,60}"]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]
        #[test]
        fn words_of_chunks_are_those_of_the_text(text in text()) {
            let of_chunks: Vec<Range<usize>> = chunks(&text)
                .flat_map(|chunk| {
                    let start = chunk.start;
                    tokens::spans(&text[chunk])
                        .map(|span| start + span.start..start + span.end)
                        .collect::<Vec<_>>()
                })
                .collect();
            prop_assert_eq!(of_chunks, tokens::spans(&text).collect::<Vec<_>>());
        }
    }
}
