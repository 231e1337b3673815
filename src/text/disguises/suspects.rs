//! The places of a text that may hide something, found 64 bytes at a time.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, u8x64};

use super::spacing;

/// The bytes that are looked at together.
const BLOCK: usize = 64;

/// Of them, those for which enough is seen of what follows: four spaces and letters of up
/// to three bytes.
const STEP: usize = BLOCK - 12;

/// What the bytes of a block are; a bit for each byte, the lowest for the first.
#[derive(Clone, Copy, Default)]
struct Classes {
    white: u64,
    letter: u64,
    /// A part of a character that is not its first byte.
    inner: u64,
    /// The first byte of a two-byte letter of another script than Latin.
    foreign: u64,
    /// The first byte of characters that some tricks are done with.
    odd: u64,
}

/// The places in a text, increasing, where a character begins that may hide something, or
/// where a word may begin whose letters have spaces between. Many are innocent.
pub(super) fn suspects(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let level = Level::new();
    let blocks = (0..bytes.len()).step_by(STEP);
    blocks
        .flat_map(move |start| {
            let mut bits = suspects_of(level, bytes, start);
            std::iter::from_fn(move || {
                let first = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                Some(start + first)
            })
        })
        .filter(|&place| is_suspect(text, place))
}

/// A bit for each of the first [`STEP`] bytes from a start on.
fn suspects_of(level: Level, bytes: &[u8], start: usize) -> u64 {
    let rest = &bytes[start..];
    let classes = if let Some(block) = rest.first_chunk::<BLOCK>() {
        classes(level, block)
    } else {
        let mut block = [b' '; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        classes(level, &block)
    };
    let Classes { white, letter, inner, foreign, odd } = classes;
    // White space before a letter that is alone: of one byte, two or three.
    let alone = white
        & (letter >> 1 & white >> 2
            | inner >> 2 & white >> 3
            | inner >> 2 & inner >> 3 & white >> 4);
    let spaced = alone & (alone >> 2 | alone >> 3 | alone >> 4);
    let mixed = letter & foreign >> 1 | foreign & letter >> 2;
    (odd | mixed | spaced) & !(u64::MAX << STEP)
}

fn classes(level: Level, block: &[u8; BLOCK]) -> Classes {
    dispatch!(level, simd => Classes::of(u8x64::from_slice(simd, block)))
}

impl Classes {
    #[expect(clippy::inline_always, reason = "so that it is compiled for what the processor has")]
    #[inline(always)]
    fn of<S: Simd>(bytes: u8x64<S>) -> Self {
        let is = |byte: u8| bytes.simd_eq(byte);
        let within = |first: u8, last: u8| (bytes - first).simd_le(last - first);
        // Control characters pass for white space, and some punctuation for letters: what is
        // found is looked at more closely, and there is little of it.
        let white = bytes.simd_le(b' ').to_bitmask();
        let letter = bytes.simd_ge(b'A').to_bitmask();
        let beyond_ascii = bytes.simd_ge(0x80).to_bitmask();
        // Most blocks of most texts are ASCII.
        if beyond_ascii == 0 {
            return Self { white, letter, ..Self::default() };
        }
        let of_two = is(0xc2) | within(0xcc, 0xcd);
        let of_three = within(0xe1, 0xe2) | is(0xea) | is(0xef);
        Self {
            white,
            letter: letter & !beyond_ascii,
            inner: within(0x80, 0xbf).to_bitmask(),
            foreign: within(0xcd, 0xd6).to_bitmask(),
            odd: (of_two | of_three | is(0xf0) | is(0xf3)).to_bitmask(),
        }
    }
}

/// Looks at a place more closely.
fn is_suspect(text: &str, place: usize) -> bool {
    let before = text[..place].chars().next_back().unwrap_or(' ');
    let mut from_here = text[place..].chars();
    let letter = from_here.next().unwrap_or(' ');
    let after = from_here.next().unwrap_or(' ');
    match letter {
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' => {
            after.is_alphabetic() && from_here.next().is_some_and(spacing::is_space)
        }
        '\u{200c}' | '\u{200d}' => is_european(before),
        // Characters of no width, and controls of direction.
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}'
        // Marks.
        | '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20f0}'
        // Raised, lowered, circled, full-width and mathematical letters, and ligatures.
        | '\u{1d2c}'..='\u{1d6a}' | '\u{2071}' | '\u{207f}' | '\u{2090}'..='\u{209c}'
        | '\u{2100}'..='\u{214f}' | '\u{24b6}'..='\u{24e9}' | '\u{fb00}'..='\u{fb06}'
        | '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' | '\u{1d400}'..='\u{1d7ff}'
        | '\u{1f110}'..='\u{1f189}' => true,
        // Scripts with many letters like those of Latin: Cherokee, Lisu, Deseret.
        '\u{13a0}'..='\u{13ff}' | '\u{a4d0}'..='\u{a4ff}' | '\u{ab70}'..='\u{abbf}'
        | '\u{10400}'..='\u{1044f}' => {
            before.is_ascii_alphabetic() || after.is_ascii_alphabetic()
        }
        // Letters of two scripts side by side, or the space before a letter alone.
        _ => letter.is_ascii() || letter < '\u{590}' && letter > '\u{36f}',
    }
}

/// Whether it is a letter of a script that has no use for joiners.
fn is_european(letter: char) -> bool {
    letter.is_alphabetic() && (letter < '\u{590}' || matches!(letter, '\u{1e00}'..='\u{1fff}'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(text: &str) -> Vec<usize> {
        suspects(text).collect()
    }

    #[test]
    fn what_may_hide_something_is_found() {
        #[rustfmt::skip]
        let table: &[(&str, &str, &[usize])] = &[
            ("nothing",                   "",                        &[]),
            ("plain",                     "The wooden spoon, a cup", &[]),
            ("accents",                   "L’été à Köln « ¿no? »",    &[]),
            ("Russian",                   "и в лесу, и на поле",      &[]),
            ("Chinese",                   "水，火。ABC中",             &[]),
            ("Persian and its joiner",    "می\u{200c}خواهم",         &[]),
            ("a space of no width",       "ab\u{200b}c",             &[2]),
            ("a joiner in Latin",         "ab\u{200d}c",             &[2]),
            ("Cyrillic in Latin",         "cаt",                     &[0, 1]),
            ("Latin in Cyrillic",         "слoво",                   &[2, 4]),
            ("Greek in Latin",            "cοw",                     &[0, 1]),
            ("Cherokee in Latin",         "cᎪt",                     &[1]),
            ("a mark",                    "p\u{335}q",               &[1]),
            ("full width",                "Ａb",                      &[0]),
            ("a ligature",                "ﬁn",                      &[0]),
            ("a soft hyphen",             "ab\u{ad}c",               &[2]),
            ("letter-spaced",             "see t h e end",           &[3, 5]),
            ("by other spaces",           "t\u{a0}h\u{a0}e",         &[1]),
            ("at the end",                "t h e",                   &[1]),
            ("Cyrillic letters",          "с л о в о",               &[2, 5, 8]),
        ];
        for (why, text, want) in table {
            assert_eq!(found(text), *want, "{why}");
        }
    }

    proptest! {
        /// Whatever stands before, the same places are found: those at the edges of blocks too.
        #[test]
        fn places_do_not_depend_on_what_is_before(
            before in 0..200usize,
            text in "[a-c é水а\u{200b}\u{301}]{0,100}",
        ) {
            let shifted = format!("{}. {text}", "x".repeat(before));
            let want: Vec<usize> = found(&format!(". {text}")).iter().map(|at| at + before).collect();
            prop_assert_eq!(found(&shifted), want);
        }
    }
}
