//! A text → its chunks: what stands between white space.
//!
//! No word of UAX #29 reaches over ASCII white space, so the words of a text are those
//! of its chunks, one after the other; `words_of_chunks_are_those_of_the_text` holds
//! that on any string. Only a hyphen at a line's end may join what stands on both sides,
//! and there a chunk goes on.

use std::ops::Range;

/// The last bytes of the characters that may break a word at a line's end: `-`, the
/// hyphen U+2010 and the soft hyphen. Other characters end in them as well, and then a
/// chunk is longer than it need be and no more.
const LAST_OF_HYPHENS: [u8; 3] = [b'-', 0x90, 0xad];

/// The chunks of a text, in order, as spans in bytes; none is empty.
pub fn chunks(text: &str) -> Chunks<'_> {
    Chunks { bytes: text.as_bytes(), block: 0, edges: 0, was_white: true }
}

/// An iterator over the chunks of a text. It looks at 64 bytes at a time.
pub struct Chunks<'t> {
    bytes: &'t [u8],
    /// Where the block after the one looked at begins.
    block: usize,
    /// A bit for each byte of the block at which white space begins or ends, and that has
    /// not been come to yet.
    edges: u64,
    /// Whether the last byte looked at is white space.
    was_white: bool,
}

impl Iterator for Chunks<'_> {
    type Item = Range<usize>;

    #[inline]
    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.next_edge()?;
        let mut end = self.next_edge().unwrap_or(self.bytes.len());
        while LAST_OF_HYPHENS.contains(&self.bytes[end - 1]) && self.ends_a_line(end) {
            self.next_edge();
            end = self.next_edge().unwrap_or(self.bytes.len());
        }
        Some(start..end)
    }
}

impl Chunks<'_> {
    /// The next place at which white space begins or ends.
    #[inline]
    fn next_edge(&mut self) -> Option<usize> {
        while self.edges == 0 {
            let rest = self.bytes.get(self.block..).filter(|rest| !rest.is_empty())?;
            let white = match rest.first_chunk::<64>() {
                Some(block) => white_bytes(block),
                None => white_bytes(&filled_up(rest)),
            };
            self.edges = white ^ (white << 1 | u64::from(self.was_white));
            self.was_white = white >> 63 == 1;
            self.block += 64;
        }
        let edge = self.block - 64 + self.edges.trailing_zeros() as usize;
        self.edges &= self.edges - 1;
        // What fills up the last block is white space: where it begins, the text ends.
        (edge <= self.bytes.len()).then_some(edge)
    }

    /// Whether there is one line end at `at`, and then something other than white space.
    fn ends_a_line(&self, at: usize) -> bool {
        match self.bytes[at..] {
            [b'\r', b'\n', next, ..] | [b'\r' | b'\n', next, ..] => {
                !matches!(next, b'\t'..=b'\r' | b' ')
            }
            _ => false,
        }
    }
}

/// The last bytes of a text, filled up with white space.
fn filled_up(rest: &[u8]) -> [u8; 64] {
    let mut block = [b' '; 64];
    block[..rest.len()].copy_from_slice(rest);
    block
}

/// A bit for each byte, the lowest for the first: whether it is ASCII white space, the
/// vertical tab included, since all of it breaks words.
fn white_bytes(block: &[u8; 64]) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let (eights, _) = block.as_chunks();
    eights.iter().rev().fold(0, |bits, eight| {
        // Eight bytes at a time: a sum of less than 256 a byte sets its top bit or not.
        let bytes = u64::from_le_bytes(*eight);
        let low = bytes & (ONES * 0x7f);
        let is_other_than_space = (low ^ (ONES * 0x20)) + ONES * 0x7f;
        let is_from_tab = low + ONES * (0x80 - 0x09);
        let is_above_return = low + ONES * (0x80 - 0x0e);
        let is_white = (!is_other_than_space | is_from_tab & !is_above_return) & !bytes;
        // The top bits, gathered into one byte.
        let tops = is_white >> 7 & ONES;
        bits << 8 | tops.wrapping_mul(0x0102_0408_1020_4080) >> 56
    })
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

    #[test]
    fn white_space_is_found_in_every_byte() {
        for byte in 0..=u8::MAX {
            let want = matches!(byte, b'\t' | b'\n' | 0x0b | 0x0c | b'\r' | b' ');
            for at in 0..64 {
                for other in [b'a', b' ', 0xff] {
                    let mut block = [other; 64];
                    block[at] = byte;
                    let others = if other == b' ' { u64::MAX } else { 0 };
                    let want = others & !(1 << at) | u64::from(want) << at;
                    assert_eq!(white_bytes(&block), want, "{byte:#x} at {at} among {other:#x}");
                }
            }
        }
    }

    /// The definition: bytes one by one.
    fn plain_chunks(text: &str) -> Vec<Range<usize>> {
        let bytes = text.as_bytes();
        let is_white = |at: usize| matches!(bytes.get(at), None | Some(b'\t'..=b'\r' | b' '));
        let mut chunks: Vec<Range<usize>> = Vec::new();
        for at in 0..bytes.len() {
            let goes_on = chunks.last().is_some_and(|chunk| {
                let line_end = matches!(&text[chunk.end..at], "\n" | "\r" | "\r\n");
                at == chunk.end || line_end && LAST_OF_HYPHENS.contains(&bytes[chunk.end - 1])
            });
            match chunks.last_mut() {
                _ if is_white(at) => {}
                Some(chunk) if goes_on => chunk.end = at + 1,
                _ => chunks.push(at..at + 1),
            }
        }
        chunks
    }

    proptest! {
        #[test]
        fn chunks_agree_with_the_definition(text in "[a-z \n\r-]{0,200}|[a\n-]{0,200}") {
            prop_assert_eq!(chunks(&text).collect::<Vec<_>>(), plain_chunks(&text));
        }
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
