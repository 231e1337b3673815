//! Bytes of text → letters, by code pages and the character sets of fonts.

use encoding_rs as whatwg;

use super::{Refusal, damaged};

/// How bytes become letters.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Letters {
    Known(&'static whatwg::Encoding),
    /// Signs of a font of its own, which are no letters.
    Signs,
    /// A code page that is not known.
    Unknown(i32),
}

impl Letters {
    /// The letters of a code page, by its number.
    pub(super) fn of_page(number: i32) -> Self {
        Self::Known(match number {
            0 | 1252 => whatwg::WINDOWS_1252, // 0 is what the system has
            866 => whatwg::IBM866,
            874 => whatwg::WINDOWS_874,
            932 => whatwg::SHIFT_JIS,
            936 => whatwg::GBK,
            949 => whatwg::EUC_KR,
            950 => whatwg::BIG5,
            1250 => whatwg::WINDOWS_1250,
            1251 => whatwg::WINDOWS_1251,
            1253 => whatwg::WINDOWS_1253,
            1254 => whatwg::WINDOWS_1254,
            1255 => whatwg::WINDOWS_1255,
            1256 => whatwg::WINDOWS_1256,
            1257 => whatwg::WINDOWS_1257,
            1258 => whatwg::WINDOWS_1258,
            10_000 => whatwg::MACINTOSH,
            10_007 => whatwg::X_MAC_CYRILLIC,
            54_936 => whatwg::GB18030,
            65_001 => whatwg::UTF_8,
            other => return Self::Unknown(other),
        })
    }

    /// The letters of a font's character set; none for that of the document.
    pub(super) fn of_set(number: i32) -> Option<Self> {
        let page = match number {
            0 => 1252,
            2 => return Some(Self::Signs),
            77 => 10_000,
            128 => 932,
            129 => 949,
            130 => 1361,
            134 => 936,
            136 => 950,
            161 => 1253,
            162 => 1254,
            163 => 1258,
            177 => 1255,
            178 => 1256,
            186 => 1257,
            204 => 1251,
            222 => 874,
            238 => 1250,
            254 => 437,
            255 => 850,
            _ => return None,
        };
        Some(Self::of_page(page))
    }

    /// Decodes bytes; those that stand for nothing become U+FFFD.
    ///
    /// # Errors
    ///
    /// [`Refusal::Damaged`] where the code page is not known and its letters matter.
    pub(super) fn decode(self, bytes: &[u8]) -> Result<String, Refusal> {
        match self {
            _ if bytes.is_ascii() && self != Self::Signs => {
                Ok(bytes.iter().copied().map(char::from).collect())
            }
            Self::Known(encoding) => Ok(encoding.decode_without_bom_handling(bytes).0.into_owned()),
            Self::Signs => Ok(bytes.iter().filter_map(|byte| sign(*byte)).collect()),
            Self::Unknown(page) => Err(damaged(format!("letters of code page {page}"))),
        }
    }
}

/// A sign's place among the characters, where Windows has it too.
fn sign(byte: u8) -> Option<char> {
    if byte == b' ' { Some(' ') } else { char::from_u32(0xf000 + u32::from(byte)) }
}

/// What a control word stands for among the letters of a line; none for all others.
pub(super) fn character(word: &str) -> Option<&'static str> {
    Some(match word {
        "tab" => "\t",
        "line" | "lbr" | "softline" | "page" | "column" => "\n",
        "emspace" => "\u{2003}",
        "enspace" => "\u{2002}",
        "qmspace" => "\u{2005}",
        "emdash" => "—",
        "endash" => "–",
        "bullet" => "•",
        "lquote" => "‘",
        "rquote" => "’",
        "ldblquote" => "“",
        "rdblquote" => "”",
        "zwj" => "\u{200d}",
        "zwnj" => "\u{200c}",
        "ltrmark" => "\u{200e}",
        "rtlmark" => "\u{200f}",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A letter of each that another code page has elsewhere, or not at all.
    #[rustfmt::skip]
    const PAGES: &[(i32, &[i32], &[u8], &str)] = &[
        (0,      &[],    b"\x80",     "€"),
        (866,    &[],    b"\x80",     "А"),
        (874,    &[222], b"\xa1",     "ก"),
        (932,    &[128], b"\x82\xa0", "あ"),
        (936,    &[134], b"\xb0\xa1", "啊"),
        (949,    &[129], b"\xb0\xa1", "가"),
        (950,    &[136], b"\xa4\x40", "一"),
        (1250,   &[238], b"\x8a\xf8", "Šř"),
        (1251,   &[204], b"\xc0",     "А"),
        (1252,   &[0],   b"\x80",     "€"),
        (1253,   &[161], b"\xc1",     "Α"),
        (1254,   &[162], b"\xd0",     "Ğ"),
        (1255,   &[177], b"\xe0",     "א"),
        (1256,   &[178], b"\xc7",     "ا"),
        (1257,   &[186], b"\xc0",     "Ą"),
        (1258,   &[163], b"\xd0",     "Đ"),
        (10_000, &[77],  b"\x8e",     "é"),
        (10_007, &[],    b"\x80",     "А"),
        (54_936, &[],    b"\xb0\xa1", "啊"),
        (65_001, &[],    b"\xc3\xa9", "é"),
    ];

    #[test]
    fn each_code_page_has_its_letters_and_each_set_its_code_page() {
        for (number, sets, bytes, want) in PAGES {
            let letters = Letters::of_page(*number);
            assert_eq!(letters.decode(bytes).unwrap(), *want, "{number}");
            assert_eq!(letters.decode(b"plain").unwrap(), "plain", "{number}");
            for set in *sets {
                assert_eq!(Letters::of_set(*set), Some(letters), "{set}");
            }
        }
        assert_eq!(Letters::of_set(1), None, "that of the document");
    }

    #[test]
    fn unknown_code_pages_are_trouble_where_their_letters_matter() {
        for (set, number) in [(130, 1361), (254, 437), (255, 850)] {
            let letters = Letters::of_set(set).unwrap();
            assert_eq!(letters, Letters::Unknown(number));
            assert_eq!(letters.decode(b"plain").unwrap(), "plain");
            let told = letters.decode(b"\x80").unwrap_err().to_string();
            assert!(told.contains(&format!("letters of code page {number}")), "{told}");
        }
    }

    #[test]
    fn signs_are_no_letters() {
        let signs = Letters::of_set(2).unwrap();
        assert_eq!(signs.decode(b"a \xb7").unwrap(), "\u{f061} \u{f0b7}");
    }

    #[test]
    fn control_words_stand_for_characters() {
        #[rustfmt::skip]
        let table = [
            ("tab", "\t"), ("line", "\n"), ("lbr", "\n"), ("softline", "\n"), ("page", "\n"),
            ("column", "\n"), ("emspace", "\u{2003}"), ("enspace", "\u{2002}"),
            ("qmspace", "\u{2005}"), ("emdash", "—"), ("endash", "–"), ("bullet", "•"),
            ("lquote", "‘"), ("rquote", "’"), ("ldblquote", "“"), ("rdblquote", "”"),
            ("zwj", "\u{200d}"), ("zwnj", "\u{200c}"), ("ltrmark", "\u{200e}"),
            ("rtlmark", "\u{200f}"),
        ];
        for (word, want) in table {
            assert_eq!(character(word), Some(want), "{word}");
        }
        assert_eq!(character("par"), None);
    }
}
