//! Bytes in a known encoding → characters, or the first byte that it does not allow.

use std::fmt;

use encoding_rs as whatwg;
use serde::{Deserialize, Serialize};
use whatwg::DecoderResult;

/// Characters, and how many sequences of bytes were replaced to get them.
#[derive(Debug, Default, Eq, PartialEq)]
pub(super) struct Decoded {
    pub(super) content: String,
    pub(super) replaced: usize,
    /// The bytes, where the characters alone do not say where each of them stood.
    pub(super) bytes: Option<Vec<u8>>,
}

/// A byte that a text, or its encoding, does not allow.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct BadByte {
    /// Bytes before it.
    pub(super) offset: usize,
    pub(super) byte: u8,
}

/// Decodes bytes without a byte order mark. A sequence that the encoding does not allow
/// becomes U+FFFD where `lossy`; otherwise the first byte of the first one is the error.
pub(super) fn decode(bytes: Vec<u8>, encoding: Encoding, lossy: bool) -> Result<Decoded, BadByte> {
    match encoding.0 {
        Form::Whatwg(encoding) if encoding == whatwg::UTF_8 => match String::from_utf8(bytes) {
            Ok(content) => Ok(Decoded { content, ..Decoded::default() }),
            Err(error) => {
                let bytes = error.as_bytes();
                let is_bad = |chunk: &std::str::Utf8Chunk| !chunk.invalid().is_empty();
                let replaced = bytes.utf8_chunks().filter(is_bad).count();
                let first = error.utf8_error().valid_up_to();
                let content = String::from_utf8_lossy(bytes).into_owned();
                let byte = bytes.get(first).copied();
                let bytes = Some(error.into_bytes());
                judged(byte, Decoded { content, replaced, bytes }, Some(first), lossy)
            }
        },
        Form::Whatwg(whatwg) => {
            let (content, is_damaged) = whatwg.decode_without_bom_handling(&bytes);
            let content = content.into_owned();
            let (first, replaced) = if is_damaged {
                let mut malformed = malformed(&bytes, whatwg);
                let first = malformed.next();
                (first, usize::from(first.is_some()) + malformed.count())
            } else {
                (None, 0)
            };
            let byte = first.and_then(|at| bytes.get(at)).copied();
            let bytes = encoding.width().is_none().then_some(bytes);
            judged(byte, Decoded { content, replaced, bytes }, first, lossy)
        }
        Form::Utf32Le => utf_32(&bytes, u32::from_le_bytes, lossy),
        Form::Utf32Be => utf_32(&bytes, u32::from_be_bytes, lossy),
    }
}

/// What was decoded, if all of it was allowed or need not be; `byte` is the first that was
/// not.
fn judged(
    byte: Option<u8>,
    decoded: Decoded,
    first: Option<usize>,
    lossy: bool,
) -> Result<Decoded, BadByte> {
    match first {
        Some(offset) if !lossy => Err(BadByte { offset, byte: byte.unwrap_or_default() }),
        _ => Ok(decoded),
    }
}

/// The offsets of the sequences that an encoding does not allow.
fn malformed(bytes: &[u8], encoding: &'static whatwg::Encoding) -> impl Iterator<Item = usize> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut read = 0;
    let mut characters = [0; 4096];
    std::iter::from_fn(move || {
        loop {
            let rest = &bytes[read..];
            let (result, more, _) =
                decoder.decode_to_utf8_without_replacement(rest, &mut characters, true);
            read += more;
            match result {
                DecoderResult::InputEmpty => return None,
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(length, after) => {
                    return Some(read - usize::from(length) - usize::from(after));
                }
            }
        }
    })
}

fn utf_32(bytes: &[u8], number: fn([u8; 4]) -> u32, lossy: bool) -> Result<Decoded, BadByte> {
    let (units, rest) = bytes.as_chunks();
    let cut = (!rest.is_empty()).then_some(None);
    let characters = units.iter().map(|unit| char::from_u32(number(*unit))).chain(cut);
    let first = characters.clone().position(|character| character.is_none());
    let replaced = characters.clone().filter(Option::is_none).count();
    let content = characters.map(|it| it.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    let first = first.map(|at| 4 * at);
    let byte = first.and_then(|at| bytes.get(at)).copied();
    judged(byte, Decoded { content, replaced, bytes: None }, first, lossy)
}

// Encodings and their names.

/// An encoding that texts are read in: those of the WHATWG's Encoding Standard, and
/// UTF-32.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(into = "String", try_from = "String")]
pub struct Encoding(pub(super) Form);

/// How an encoding is decoded.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Form {
    Whatwg(&'static whatwg::Encoding),
    Utf32Le,
    Utf32Be,
}

/// The names that a wrong one is likened to: those of the standard, and UTF-32.
const NAMES: &[&str] = &[
    "utf-8",
    "utf-16le",
    "utf-16be",
    "utf-32le",
    "utf-32be",
    "ibm866",
    "iso-8859-1",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-9",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "latin1",
    "macintosh",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "x-mac-cyrillic",
    "gbk",
    "gb18030",
    "big5",
    "euc-jp",
    "iso-2022-jp",
    "shift_jis",
    "euc-kr",
];

impl From<Encoding> for String {
    fn from(encoding: Encoding) -> Self {
        encoding.name()
    }
}

impl TryFrom<String> for Encoding {
    type Error = String;

    fn try_from(label: String) -> Result<Self, String> {
        Self::from_label(&label).ok_or_else(|| format!("{label}: no label of a known encoding"))
    }
}

impl Default for Encoding {
    /// UTF-8.
    fn default() -> Self {
        Self::UTF_8
    }
}

impl Encoding {
    /// UTF-8, what texts are in unless something says otherwise.
    pub const UTF_8: Self = Self(Form::Whatwg(whatwg::UTF_8));

    /// The encoding of a label of the standard (`latin1`, `sjis`, `utf-16`), of
    /// `utf-32le` or `utf-32be`, in letters of any case; none for any other string.
    pub fn from_label(label: &str) -> Option<Self> {
        let form = match label.trim().to_ascii_lowercase().as_str() {
            "utf-32" | "utf-32le" => Form::Utf32Le,
            "utf-32be" => Form::Utf32Be,
            label => Form::Whatwg(whatwg::Encoding::for_label_no_replacement(label.as_bytes())?),
        };
        Some(Self(form))
    }

    /// The known name that is most like `label`.
    pub fn nearest_name(label: &str) -> &'static str {
        let label = label.to_ascii_lowercase();
        let distance = |name: &&&str| strsim::damerau_levenshtein(name, &label);
        NAMES.iter().min_by_key(distance).unwrap_or(&"utf-8")
    }

    /// The name in small letters: `utf-8`, `windows-1252`, `utf-32le`.
    pub fn name(self) -> String {
        self.to_string().to_ascii_lowercase()
    }

    /// The byte order mark of the encoding; empty where it has none.
    pub(super) fn mark(self) -> &'static [u8] {
        match self.0 {
            Form::Utf32Le => b"\xff\xfe\0\0",
            Form::Utf32Be => b"\0\0\xfe\xff",
            Form::Whatwg(encoding) if encoding == whatwg::UTF_8 => b"\xef\xbb\xbf",
            Form::Whatwg(encoding) if encoding == whatwg::UTF_16LE => b"\xff\xfe",
            Form::Whatwg(encoding) if encoding == whatwg::UTF_16BE => b"\xfe\xff",
            Form::Whatwg(_) => b"",
        }
    }

    /// The encoding whose byte order mark the bytes begin with.
    pub(super) fn marked(bytes: &[u8]) -> Option<Self> {
        // UTF-32LE comes before UTF-16LE, with whose mark its own begins.
        let marked = [
            Form::Whatwg(whatwg::UTF_8),
            Form::Utf32Le,
            Form::Utf32Be,
            Form::Whatwg(whatwg::UTF_16LE),
            Form::Whatwg(whatwg::UTF_16BE),
        ];
        marked.into_iter().map(Self).find(|encoding| bytes.starts_with(encoding.mark()))
    }

    /// Whether the bytes of ASCII are ASCII in it, wherever they stand.
    pub(super) fn is_ascii_compatible(self) -> bool {
        matches!(self.0, Form::Whatwg(encoding) if encoding.is_ascii_compatible())
    }

    /// The bytes of a character, where all bytes that were not allowed took as many as
    /// U+FFFD does; none where only the bytes say.
    pub(super) fn width(self) -> Option<fn(char) -> usize> {
        match self.0 {
            Form::Utf32Le | Form::Utf32Be => Some(|_| 4),
            Form::Whatwg(encoding) if encoding == whatwg::UTF_8 => Some(char::len_utf8),
            Form::Whatwg(encoding) if encoding.is_single_byte() => Some(|_| 1),
            Form::Whatwg(_) if self.unit() == 2 => Some(|letter| 2 * letter.len_utf16()),
            Form::Whatwg(_) => None,
        }
    }

    /// The bytes of the smallest unit: where one is 0, the text holds a NUL.
    pub(super) fn unit(self) -> usize {
        match self.0 {
            Form::Utf32Le | Form::Utf32Be => 4,
            Form::Whatwg(encoding)
                if encoding == whatwg::UTF_16LE || encoding == whatwg::UTF_16BE =>
            {
                2
            }
            Form::Whatwg(_) => 1,
        }
    }
}

/// The name as the standard spells it: UTF-8, windows-1252, `Shift_JIS`.
impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Form::Whatwg(encoding) => encoding.name(),
            Form::Utf32Le => "UTF-32LE",
            Form::Utf32Be => "UTF-32BE",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_encoding_does_not_allow_is_named_or_replaced() {
        #[rustfmt::skip]
        let table: &[(&str, &str, &[u8], Option<usize>, &str, usize)] = &[
            ("nothing",              "utf-8",        b"",                   None,    "",           0),
            ("plain",                "utf-8",        b"caf\xc3\xa9",        None,    "café",       0),
            ("a stray byte",         "utf-8",        b"a\xe9b",             Some(1), "a\u{fffd}b", 1),
            ("a cut end",            "utf-8",        b"ab\xe2\x82",         Some(2), "ab\u{fffd}", 1),
            ("two of them",          "utf-8",        b"\xff \xff",          Some(0), "\u{fffd} \u{fffd}", 2),
            ("every byte is a letter", "windows-1252", b"caf\xe9",          None,    "café",       0),
            ("half of a pair",       "shift_jis",    b"ab\x82",             Some(2), "ab\u{fffd}", 1),
            ("not a pair",           "euc-kr",       b"ab\xb0\x20c",        Some(2), "ab\u{fffd} c", 1),
            ("UTF-16",               "utf-16le",     b"a\0\xe9\0",          None,    "aé",         0),
            ("half a surrogate",     "utf-16le",     b"a\0\x3d\xd8b\0",     Some(2), "a\u{fffd}b", 1),
            ("half a unit",          "utf-16be",     b"\0a\0",              Some(2), "a\u{fffd}",  1),
            ("UTF-32",               "utf-32le",     b"a\0\0\0\x00\xf6\x01\0", None, "a😀",         0),
            ("a surrogate",          "utf-32be",     b"\0\0\0a\0\0\xd8\0",  Some(4), "a\u{fffd}",  1),
            ("a cut unit",           "utf-32be",     b"\0\0\0a\0",          Some(4), "a\u{fffd}",  1),
        ];
        for (why, label, bytes, offset, content, replaced) in table {
            let encoding = Encoding::from_label(label).unwrap();
            let strict = decode(bytes.to_vec(), encoding, false);
            assert_eq!(strict.err().map(|bad| bad.offset), *offset, "{why}");
            let lossy = decode(bytes.to_vec(), encoding, true).unwrap();
            assert_eq!((&*lossy.content, lossy.replaced), (*content, *replaced), "{why}");
        }
    }

    #[test]
    fn a_bad_byte_far_into_a_long_text_is_named_by_its_offset() {
        let mut bytes = b"\x82\xa0".repeat(10_000);
        bytes.extend(b"\x82 ");
        let shift_jis = Encoding::from_label("shift_jis").unwrap();
        assert_eq!(decode(bytes, shift_jis, false), Err(BadByte { offset: 20_000, byte: 0x82 }));
    }
}

#[cfg(test)]
mod encoding_tests {
    use super::*;

    #[test]
    fn labels_are_those_of_the_standard() {
        #[rustfmt::skip]
        let table = [
            ("utf-8",       Some("utf-8")),
            ("UTF8",        Some("utf-8")),
            ("latin1",      Some("windows-1252")),
            ("iso-8859-15", Some("iso-8859-15")),
            ("sjis",        Some("shift_jis")),
            ("utf-16",      Some("utf-16le")),
            ("UTF-32BE",    Some("utf-32be")),
            ("hz-gb-2312",  None),
            ("latin-one",   None),
            ("",            None),
        ];
        for (label, name) in table {
            assert_eq!(Encoding::from_label(label).map(Encoding::name).as_deref(), name, "{label}");
        }
    }

    #[test]
    fn a_wrong_name_has_a_nearest_one_that_is_known() {
        for (label, name) in
            [("windows-1253x", "windows-1253"), ("utf", "utf-8"), ("Shift-JSI", "shift_jis")]
        {
            assert_eq!(Encoding::nearest_name(label), name);
        }
        assert!(NAMES.iter().all(|name| Encoding::from_label(name).is_some()));
    }
}
