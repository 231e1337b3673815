//! Encodings and their names.

use std::fmt;

use encoding_rs as whatwg;

/// An encoding that texts are read in: those of the WHATWG's Encoding Standard, and
/// UTF-32.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
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
    /// U+FFFD does; none where only the bytes tell.
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
