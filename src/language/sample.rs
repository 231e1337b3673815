//! The part of a text that its language is detected in: prose, and not too much of it, in
//! composed form (NFC), which detectors know languages by.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::prose;

/// Stretches of a sample, spread evenly from the text's start to its end, so that a
/// title page or a licence in another language does not speak for the whole.
const STRETCHES: usize = 16;

/// The bytes of a stretch that is searched for prose.
const SEARCHED: usize = 1024;

/// The bytes of a stretch of the prose that was found. Sixteen times this is enough:
/// whatlang errs once in a thousand on 665 bytes of prose and was not seen to err on 2,700.
const KEPT: usize = 256;

/// How many times as long a text may be decomposed: a syllable of Hangul, nine bytes for three.
const DECOMPOSED: usize = 3;

/// Prose of a text, parted by line ends: at most [`STRETCHES`] stretches of [`KEPT`] bytes,
/// out of as many stretches of [`SEARCHED`] bytes; of a short text all there is.
pub(super) fn sample(text: &str) -> String {
    let prose: Vec<String> =
        stretches(text, SEARCHED).iter().map(|stretch| prose::of(stretch)).collect();
    stretches(&prose.concat(), KEPT).join("\n")
}

/// The whole of a text that is short when composed; of a long one [`STRETCHES`] stretches, each
/// so many bytes long but for what would cut a character. All composed.
pub(super) fn stretches(text: &str, bytes: usize) -> Vec<Cow<'_, str>> {
    if text.len() > DECOMPOSED * STRETCHES * bytes {
        return spread(text, bytes).into_iter().map(composed).collect();
    }
    match composed(text) {
        Cow::Borrowed(text) => spread(text, bytes).into_iter().map(Cow::Borrowed).collect(),
        Cow::Owned(text) => {
            spread(&text, bytes).into_iter().map(|stretch| stretch.to_owned().into()).collect()
        }
    }
}

fn spread(text: &str, bytes: usize) -> Vec<&str> {
    if text.len() <= STRETCHES * bytes {
        return vec![text];
    }
    let step = (text.len() - bytes) / (STRETCHES - 1);
    let stretch = |k: usize| {
        let start = text.ceil_char_boundary(k * step);
        &text[start..text.floor_char_boundary(start + bytes)]
    };
    (0..STRETCHES).map(stretch).collect()
}

fn composed(text: &str) -> Cow<'_, str> {
    /// What UTF-8 of the first combining character begins with, U+0300.
    const FIRST_MARK: u8 = 0xcc;
    if text.bytes().all(|byte| byte < FIRST_MARK) || is_nfc(text) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_short_text_all_prose_is_sampled() {
        #[rustfmt::skip]
        let table = [
            ("nothing",            "",                      ""),
            ("no prose",           "x_1 (2)",               "\n"),
            ("a word",             "lamp",                  "lamp \n"),
            ("as it is written",   "A «lamp»,\n¿don’t?\n",  "A «lamp», \n¿don’t? \n"),
        ];
        for (why, text, want) in table {
            assert_eq!(sample(text), want, "{why}");
        }
    }

    #[test]
    fn a_decomposed_text_is_the_composed_one() {
        for text in ["été kettle".to_owned(), "한국어 ".repeat(1500), "é".repeat(8_000)] {
            let decomposed: String = text.nfd().collect();
            assert_ne!(decomposed, text);
            assert_eq!(sample(&decomposed), sample(&text));
            assert!(is_nfc(&sample(&decomposed.repeat(9))), "long");
        }
    }

    #[test]
    fn a_long_one_is_searched_from_its_start_to_its_end() {
        let text: String = ('a'..='p').flat_map(|c| std::iter::repeat_n(c, 4096)).collect();
        // 64 KiB: a stretch begins every (65536 - 1024) / 15 = 4300 bytes, so there is one
        // of each letter, and its 1026 bytes of prose are thinned to about 256.
        let sample = sample(&text);
        for letter in 'a'..='p' {
            assert!((200..=320).contains(&sample.matches(letter).count()), "{letter}: {sample}");
        }
        assert!(sample.len() <= STRETCHES * (KEPT + 1), "{}", sample.len());
    }

    #[test]
    fn prose_between_code_is_found() {
        let code = "```rust\nlet lamp = kettle(spoon);\n```\n".repeat(40);
        let text = format!("{code}The keeper trimmed it.\n{code}").repeat(20);
        let sample = sample(&text);
        assert!(sample.contains("keeper"), "{sample}");
        assert!(sample.matches("lamp").count() < 16, "{sample}");
    }

    #[test]
    fn no_character_is_cut() {
        for shift in 0..4 {
            let text = "x".repeat(shift) + &"水".repeat(50_000);
            let sample = sample(&text);
            assert!(sample.len() > STRETCHES * (KEPT - 4));
            assert!(sample.chars().all(|c| matches!(c, 'x' | '水' | ' ' | '\n')));
        }
    }
}
