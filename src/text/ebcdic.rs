//! Whether bytes are a text in EBCDIC, the family of encodings of IBM's mainframes.
//!
//! Nothing reads it here, and what is none of Unicode would be guessed at: chardetng takes it for
//! IBM866, in which most of its letters are Russian ones.

/// The bytes that are looked at.
const LOOKED_AT: usize = 1 << 16;

/// The least bytes that say something.
const LEAST: usize = 12;

/// Whether bytes, which are not UTF-8, are a text in EBCDIC: nine in ten are letters without
/// accents, digits, spaces, line ends or common punctuation, which stand in the same place in
/// nearly all of its encodings for Latin letters; half are such letters; and there are spaces of
/// EBCDIC, one in 20 bytes at least, but hardly one of ASCII, which is a control character there.
///
/// Of the letters of Russian a third to a half has such bytes, in any of its encodings.
pub(super) fn is_ebcdic(bytes: &[u8]) -> bool {
    let bytes = &bytes[..bytes.len().min(LOOKED_AT)];
    let count = |is_one: fn(u8) -> bool| bytes.iter().filter(|byte| is_one(**byte)).count();
    let (letters, spaces) = (count(is_letter), count(|byte| byte == 0x40));
    let known = letters + spaces + count(is_digit_or_mark);
    bytes.len() >= LEAST
        && known * 10 >= bytes.len() * 9
        && letters * 2 >= bytes.len()
        && spaces * 20 >= bytes.len()
        && count(|byte| matches!(byte, b' ' | b'\n')) * 100 <= bytes.len()
}

fn is_letter(byte: u8) -> bool {
    matches!(
        byte,
        0x81..=0x89 | 0x91..=0x99 | 0xa2..=0xa9 | 0xc1..=0xc9 | 0xd1..=0xd9 | 0xe2..=0xe9
    )
}

/// Digits; tabs and line ends; `. ( & ) ; - / , ? : ' " =`.
fn is_digit_or_mark(byte: u8) -> bool {
    matches!(byte, 0xf0..=0xf9 | 0x05 | 0x0d | 0x15 | 0x25)
        || matches!(
            byte,
            0x4b | 0x4d
                | 0x50
                | 0x5d
                | 0x5e
                | 0x60
                | 0x61
                | 0x6b
                | 0x6f
                | 0x7a
                | 0x7d
                | 0x7e
                | 0x7f
        )
}

#[cfg(test)]
mod tests {
    use encoding_rs as whatwg;
    use proptest::prelude::*;

    use super::*;

    /// A text of letters without accents in EBCDIC.
    fn ebcdic(text: &str) -> Vec<u8> {
        let place = |letter: u8, first: u8| match letter - first {
            at @ 0..9 => at + 1,
            at @ 9..18 => at - 9 + 0x11,
            at => at - 18 + 0x22,
        };
        let byte = |letter: u8| match letter {
            b'a'..=b'z' => 0x80 + place(letter, b'a'),
            b'A'..=b'Z' => 0xc0 + place(letter, b'A'),
            b'0'..=b'9' => letter - b'0' + 0xf0,
            b' ' => 0x40,
            b'\n' => 0x15,
            b'.' => 0x4b,
            b',' => 0x6b,
            other => panic!("{other}"),
        };
        text.bytes().map(byte).collect()
    }

    const ENGLISH: &str = "The copper kettle stood on the old table, and nobody looked at it.\n";
    const RUSSIAN: &str =
        "Вчера вечером мы долго шли по лесу и собирали грибы. Потом пошёл дождь.\n";

    #[test]
    fn texts_of_mainframes_are_told_from_others() {
        // As python writes them: "Grüße aus Köln, der alte Kessel" in IBM273 and in IBM037.
        let german = b"\xc7\x99\xd0\xa1\x85\x40\x81\xa4\xa2\x40\xd2\x6a\x93\x95\x6b\x40\x84\x85\x99\x40\x81\x93\xa3\x85\x40\xd2\x85\xa2\xa2\x85\x93";
        let other = b"\xc7\x99\xdc\x59\x85\x40\x81\xa4\xa2\x40\xd2\xcc\x93\x95\x6b\x40\x84\x85\x99\x40\x81\x93\xa3\x85\x40\xd2\x85\xa2\xa2\x85\x93";
        let in_encoding = |text: &str, label: &str| {
            whatwg::Encoding::for_label(label.as_bytes()).unwrap().encode(text).0.into_owned()
        };
        #[rustfmt::skip]
        let table = [
            ("nothing",                Vec::new(),                                   false),
            ("English",                ebcdic(ENGLISH),                              true),
            ("without line ends",      ebcdic(ENGLISH.trim_end()),                   true),
            ("capitals",               ebcdic("THE OLD KETTLE"),                     true),
            ("too short to say",       ebcdic("the kettle"),                         false),
            ("no spaces",              ebcdic(&"kettle".repeat(9)),                  false),
            ("numbers",                ebcdic("12 13 14 15 16 17 18"),               false),
            ("German",                 german.to_vec(),                              true),
            ("as others write it",     other.to_vec(),                               true),
            ("ASCII",                  ENGLISH.as_bytes().to_vec(),                  false),
            ("Russian in IBM866",      in_encoding(RUSSIAN, "ibm866"),               false),
            ("no spaces in it",        in_encoding(&RUSSIAN.replace(' ', "@"), "ibm866"), false),
            ("in windows-1251",        in_encoding(&RUSSIAN.replace(' ', "@"), "windows-1251"), false),
            ("in KOI8-R",              in_encoding(&RUSSIAN.replace(' ', "@"), "koi8-r"), false),
            ("Chinese in Big5",        in_encoding(&"昨天晚上我們在森林裡走了很久一一一".repeat(3), "big5"), false),
        ];
        for (why, bytes, want) in table {
            assert_eq!(is_ebcdic(&bytes), want, "{why}");
        }
    }

    proptest! {
        #[test]
        fn russian_is_not(
            text in "[а-яА-ЯёЁ]{3,9}([ @\\n][а-яА-ЯёЁ]{3,9}){9,30}",
            label in prop::sample::select(vec!["ibm866", "windows-1251", "koi8-r", "iso-8859-5", "x-mac-cyrillic"]),
        ) {
            let (bytes, _, unmappable) = whatwg::Encoding::for_label(label.as_bytes()).unwrap().encode(&text);
            prop_assert!(!unmappable && !is_ebcdic(&bytes));
        }
    }
}
