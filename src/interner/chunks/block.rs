//! 64 bytes of a text at a time: which of them no word can reach over.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, u8x64};

use super::LAST_OF_HYPHENS;

/// The bytes of a block.
pub(super) const BLOCK: usize = 64;

/// What the bytes of a block are; a bit for each byte, the lowest for the first.
#[derive(Clone, Copy)]
struct Classes {
    /// ASCII white space, the vertical tab included, since all of it breaks words.
    white: u64,
    /// What words are made of: ASCII letters, digits and underscores, control characters
    /// other than white space, and all that is not ASCII. The rest is punctuation.
    inner: u64,
    /// A part of a character that is not ASCII.
    beyond_ascii: u64,
    /// `.`, `:`, `'`, `,` or `;`, which UAX #29 may leave inside a word or number.
    joining: u64,
    apostrophe: u64,
    hyphen: u64,
    /// A byte that a character ends in which may break a word, or what looks like it.
    last_of_hyphen: u64,
    line_end: u64,
}

/// Where chunks begin and end in a block.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Parting {
    /// A bit for each byte, the lowest for the first: whether it parts chunks. No word
    /// reaches over such a byte, and none has it at an end.
    pub(super) bytes: u64,
    /// Whether what may be a hyphen stands before a line's end.
    pub(super) may_go_on: bool,
}

impl Parting {
    /// What parts the chunks of a block. `before` and `after` are the bytes around it.
    ///
    /// White space parts always. Punctuation parts but for four cases, each of them wider
    /// than it need be, since a chunk that is too long costs time and nothing else:
    /// * before what is not ASCII, which may be a mark that leans on it;
    /// * one of `.:',;` between two bytes that words are made of;
    /// * an apostrophe after what is not ASCII, which may be a Hebrew letter;
    /// * a hyphen at a line's end, which may break a word.
    pub(super) fn of(level: Level, block: &[u8; BLOCK], before: u8, after: u8) -> Self {
        let classes = dispatch!(level, simd => Classes::of(u8x64::from_slice(simd, block)));
        let next = |bits: u64, last: bool| bits >> 1 | u64::from(last) << (BLOCK - 1);
        let previous = |bits: u64, first: bool| bits << 1 | u64::from(first);
        let between =
            previous(classes.inner, is_inner(before)) & next(classes.inner, is_inner(after));
        let at_line_end = next(classes.line_end, matches!(after, b'\r' | b'\n'));
        let joined = next(classes.beyond_ascii, !after.is_ascii())
            | classes.joining & between
            | classes.apostrophe & previous(classes.beyond_ascii, !before.is_ascii())
            | classes.hyphen & at_line_end;
        let punctuation = !classes.white & !classes.inner;
        Self {
            bytes: classes.white | punctuation & !joined,
            may_go_on: classes.last_of_hyphen & at_line_end != 0,
        }
    }
}

/// Whether words are made of such bytes; see [`Classes::inner`].
fn is_inner(byte: u8) -> bool {
    let is_white = matches!(byte, b'\t'..=b'\r' | b' ');
    !is_white && (byte == b'_' || !byte.is_ascii_punctuation())
}

impl Classes {
    #[expect(clippy::inline_always, reason = "so that it is compiled for what the processor has")]
    #[inline(always)]
    fn of<S: Simd>(bytes: u8x64<S>) -> Self {
        let is = |byte: u8| bytes.simd_eq(byte);
        let within = |bytes: u8x64<S>, first: u8, last: u8| (bytes - first).simd_le(last - first);
        let white = is(b' ') | within(bytes, b'\t', b'\r');
        let is_small_or_capital = within(bytes | 0x20, b'a', b'z');
        let is_control = within(bytes, 0, 0x1f) | is(0x7f);
        let beyond_ascii = within(bytes, 0x80, 0xff);
        let inner = is_small_or_capital | within(bytes, b'0', b'9') | is(b'_') | beyond_ascii;
        let apostrophe = is(b'\'');
        let [ascii, hyphen, soft] = LAST_OF_HYPHENS;
        let last_of_hyphen = is(ascii) | is(hyphen) | is(soft);
        let joining = within(bytes, b':', b';') | is(b',') | is(b'.') | apostrophe;
        Self {
            white: white.to_bitmask(),
            inner: ((inner | is_control) & !white).to_bitmask(),
            beyond_ascii: beyond_ascii.to_bitmask(),
            joining: joining.to_bitmask(),
            apostrophe: apostrophe.to_bitmask(),
            hyphen: is(b'-').to_bitmask(),
            last_of_hyphen: last_of_hyphen.to_bitmask(),
            line_end: (is(b'\n') | is(b'\r')).to_bitmask(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, byte by byte.
    fn parts(before: u8, byte: u8, after: u8) -> bool {
        let joins = !after.is_ascii()
            || b".:',;".contains(&byte) && is_inner(before) && is_inner(after)
            || byte == b'\'' && !before.is_ascii()
            || byte == b'-' && b"\r\n".contains(&after);
        !is_inner(byte) && (b" \t\n\x0b\x0c\r".contains(&byte) || !joins)
    }

    #[test]
    fn words_are_made_of_letters_digits_and_what_is_not_known() {
        let punctuation = b"!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~ \t\n\x0b\x0c\r";
        for byte in 0..=u8::MAX {
            assert_eq!(is_inner(byte), !punctuation.contains(&byte), "{byte:#x}");
        }
    }

    #[test]
    fn every_byte_is_known_at_every_place() {
        for byte in 0..=u8::MAX {
            for at in 0..BLOCK {
                let mut block = [b' '; BLOCK];
                block[at] = byte;
                let want = !(u64::from(!parts(b' ', byte, b' ')) << at);
                let got = Parting::of(Level::new(), &block, b' ', b' ');
                assert_eq!(got, Parting { bytes: want, may_go_on: false }, "{byte:#x} at {at}");
            }
        }
    }

    proptest! {
        #[test]
        fn bits_agree_with_the_definition(
            bytes in proptest::collection::vec(proptest::sample::select(b"a.'-,\n\r \xd7(_7\x01\x90\xad".to_vec()), BLOCK + 2)
        ) {
            let block = bytes[1..=BLOCK].try_into().unwrap();
            let got = Parting::of(Level::new(), &block, bytes[0], bytes[BLOCK + 1]);
            for at in 0..BLOCK {
                let want = parts(bytes[at], bytes[at + 1], bytes[at + 2]);
                prop_assert_eq!(got.bytes >> at & 1 == 1, want, "at {}", at);
            }
            let goes_on = |pair: &[u8]| b"-\x90\xad".contains(&pair[0]) && b"\r\n".contains(&pair[1]);
            prop_assert_eq!(got.may_go_on, bytes[1..].windows(2).any(goes_on));
        }
    }
}
