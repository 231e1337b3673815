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
