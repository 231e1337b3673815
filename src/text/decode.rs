//! Decodes bytes in a known encoding to characters, or finds the first byte that it does not allow.
//! Also detects the encoding of bytes that do not declare one.

pub(super) mod legacy;

use std::fmt;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs as whatwg;
use serde::{Deserialize, Serialize};
use unicode_script::{Script, UnicodeScript};
use whatwg::DecoderResult;

use legacy::SingleByte;

/// Decoded characters, and the number of byte sequences that were replaced.
#[derive(Debug, Default, Eq, PartialEq)]
pub(super) struct Decoded {
    pub(super) content: String,
    pub(super) replaced: usize,
    /// The bytes, if the byte offset of each character cannot be computed from the characters
    /// alone.
    pub(super) bytes: Option<Vec<u8>>,
    /// The first byte that the encoding does not allow.
    error: Option<BadByte>,
}

impl Decoded {
    /// Returns what was decoded if the encoding allows all bytes.
    pub(super) fn strict(self) -> Result<Self, BadByte> {
        self.error.map_or(Ok(self), Err)
    }
}

/// The error of a byte that does not occur in texts, or that the encoding does not allow.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct BadByte {
    /// The number of bytes before it.
    pub(super) offset: usize,
    pub(super) byte: u8,
}

/// Decodes bytes without a byte order mark. Each sequence that the encoding does not allow becomes
/// U+FFFD.
pub(super) fn decode(bytes: Vec<u8>, encoding: Encoding) -> Decoded {
    match encoding.0 {
        Form::Whatwg(encoding) if encoding == whatwg::UTF_8 => match String::from_utf8(bytes) {
            Ok(content) => Decoded { content, ..Decoded::default() },
            Err(error) => {
                let bytes = error.as_bytes();
                let is_bad = |chunk: &std::str::Utf8Chunk| !chunk.invalid().is_empty();
                let replaced = bytes.utf8_chunks().filter(is_bad).count();
                let first = error.utf8_error().valid_up_to();
                let content = String::from_utf8_lossy(bytes).into_owned();
                let bad = bad_byte(bytes, first);
                let bytes = Some(error.into_bytes());
                Decoded { content, replaced, bytes, error: Some(bad) }
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
            let error = first.map(|at| bad_byte(&bytes, at));
            let bytes = encoding.width().is_none().then_some(bytes);
            Decoded { content, replaced, bytes, error }
        }
        Form::SingleByte(letters) => {
            let characters = letters.characters(&bytes).into_iter().map(|letter| (letter, 1));
            in_units(&bytes, characters)
        }
        Form::Johab => {
            let decoded = in_units(&bytes, legacy::johab(&bytes));
            Decoded { bytes: Some(bytes), ..decoded }
        }
        Form::Iso2022Kr => {
            let euc = legacy::iso_2022_kr(&bytes).unwrap_or_default();
            let decoded = decode(euc, Encoding(Form::Whatwg(whatwg::EUC_KR)));
            Decoded { bytes: Some(bytes), ..decoded }
        }
        Form::Utf32Le => utf_32(&bytes, u32::from_le_bytes),
        Form::Utf32Be => utf_32(&bytes, u32::from_be_bytes),
    }
}

fn bad_byte(bytes: &[u8], offset: usize) -> BadByte {
    BadByte { offset, byte: bytes.get(offset).copied().unwrap_or_default() }
}

/// Returns the offsets of the sequences that an encoding does not allow.
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

/// Returns the text of characters with their numbers of bytes; `None` for those that are not
/// allowed.
fn in_units(bytes: &[u8], characters: impl IntoIterator<Item = (Option<char>, usize)>) -> Decoded {
    let mut decoded = Decoded::default();
    let mut at = 0;
    for (character, length) in characters {
        if character.is_none() {
            decoded.replaced += 1;
            decoded.error = decoded.error.or(Some(bad_byte(bytes, at)));
        }
        decoded.content.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
        at += length;
    }
    decoded
}

fn utf_32(bytes: &[u8], number: fn([u8; 4]) -> u32) -> Decoded {
    let (units, rest) = bytes.as_chunks();
    let cut = (!rest.is_empty()).then_some(None);
    let characters = units.iter().map(|unit| char::from_u32(number(*unit))).chain(cut);
    in_units(bytes, characters.map(|character| (character, 4)))
}

// Encodings and their names.

/// An encoding that texts can be decoded from: one of the WHATWG Encoding Standard, or UTF-32.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(into = "String", try_from = "String")]
pub struct Encoding(pub(super) Form);

/// The decoder of an encoding.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Form {
    Whatwg(&'static whatwg::Encoding),
    SingleByte(SingleByte),
    Johab,
    Iso2022Kr,
    Utf32Le,
    Utf32Be,
}

/// The names among which the nearest one to an unknown name is searched: those of the standard, and
/// UTF-32.
const NAMES: &str = include_str!("decode/names.txt");

/// The byte order marks. That of UTF-16LE is a prefix of that of UTF-32LE, which precedes it.
const MARKS: [(Encoding, &[u8]); 5] = [
    (Encoding::UTF_8, b"\xef\xbb\xbf"),
    (Encoding(Form::Utf32Le), b"\xff\xfe\0\0"),
    (Encoding(Form::Utf32Be), b"\0\0\xfe\xff"),
    (Encoding(Form::Whatwg(whatwg::UTF_16LE)), b"\xff\xfe"),
    (Encoding(Form::Whatwg(whatwg::UTF_16BE)), b"\xfe\xff"),
];

impl From<Encoding> for String {
    fn from(encoding: Encoding) -> Self {
        encoding.name()
    }
}

impl TryFrom<String> for Encoding {
    type Error = String;

    fn try_from(label: String) -> Result<Self, String> {
        Self::from_label(&label)
            .ok_or_else(|| format!("{label}: not the label of a known encoding"))
    }
}

impl Default for Encoding {
    /// UTF-8.
    fn default() -> Self {
        Self::UTF_8
    }
}

impl Encoding {
    /// UTF-8, the encoding of a text unless there is evidence of another one.
    pub const UTF_8: Self = Self(Form::Whatwg(whatwg::UTF_8));

    /// Parses a label of the standard (`latin1`, `sjis`, `utf-16`), `utf-32`, `utf-32le`, `utf-32be`,
    /// a code page of DOS (`cp850`), an encoding of the Mac (`x-mac-ce`), `johab` or `iso-2022-kr`,
    /// ignoring case; `None` for any other string.
    pub fn from_label(label: &str) -> Option<Self> {
        let form = match label.trim().to_ascii_lowercase().as_str() {
            "utf-32" | "utf-32le" => Form::Utf32Le,
            "utf-32be" => Form::Utf32Be,
            "johab" | "cp1361" => Form::Johab,
            "iso-2022-kr" => Form::Iso2022Kr,
            label => match whatwg::Encoding::for_label_no_replacement(label.as_bytes()) {
                Some(encoding) => Form::Whatwg(encoding),
                None => Form::SingleByte(SingleByte::from_label(label)?),
            },
        };
        Some(Self(form))
    }

    /// Returns the known name with the smallest edit distance to `label`.
    pub fn nearest_name(label: &str) -> &'static str {
        let label = label.to_ascii_lowercase();
        let distance = |name: &&str| strsim::damerau_levenshtein(name, &label);
        NAMES.lines().min_by_key(distance).unwrap_or("utf-8")
    }

    /// Returns the name in lower case: `utf-8`, `windows-1252`, `utf-32le`.
    pub fn name(self) -> String {
        self.to_string().to_ascii_lowercase()
    }

    /// Returns the byte order mark of the encoding; empty if it has none.
    pub(super) fn mark(self) -> &'static [u8] {
        MARKS.iter().find(|(encoding, _)| *encoding == self).map_or(b"", |(_, mark)| mark)
    }

    /// Returns the encoding whose byte order mark the bytes begin with.
    pub(super) fn marked(bytes: &[u8]) -> Option<Self> {
        MARKS.iter().find(|(_, mark)| bytes.starts_with(mark)).map(|(encoding, _)| *encoding)
    }

    /// Reports whether every ASCII byte stands for the same character as in ASCII, wherever it
    /// occurs.
    pub(super) fn is_ascii_compatible(self) -> bool {
        match self.0 {
            Form::Whatwg(encoding) => encoding.is_ascii_compatible(),
            Form::SingleByte(_) => true,
            _ => false,
        }
    }

    /// Returns a function for the number of bytes of a character in this encoding. It is also right
    /// for the U+FFFD that replaces bytes, if each of them replaces as many bytes as U+FFFD takes.
    /// `None` if the number of bytes depends on more than the character.
    pub(super) fn width(self) -> Option<fn(char) -> usize> {
        match self.0 {
            Form::Utf32Le | Form::Utf32Be => Some(|_| 4),
            Form::Whatwg(encoding) if encoding == whatwg::UTF_8 => Some(char::len_utf8),
            Form::Whatwg(encoding) if encoding.is_single_byte() => Some(|_| 1),
            Form::SingleByte(_) => Some(|_| 1),
            Form::Whatwg(_) if self.unit() == 2 => Some(|letter| 2 * letter.len_utf16()),
            Form::Whatwg(_) | Form::Johab | Form::Iso2022Kr => None,
        }
    }

    /// Returns the size of the smallest code unit, in bytes. A unit of zeros is a NUL character.
    pub(super) fn unit(self) -> usize {
        match self.mark().len() {
            size @ (2 | 4) => size,
            _ => 1,
        }
    }
}

/// Writes the name as the standard spells it: UTF-8, windows-1252, `Shift_JIS`.
impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Form::SingleByte(letters) => return f.write_str(&letters.name()),
            Form::Johab => "Johab",
            Form::Iso2022Kr => "ISO-2022-KR",
            Form::Whatwg(encoding) => encoding.name(),
            Form::Utf32Le => "UTF-32LE",
            Form::Utf32Be => "UTF-32BE",
        })
    }
}

// Detects the encoding of bytes that do not declare one and are not plain UTF-8.

/// The number of bytes of a text in which UTF-16, UTF-32 and EBCDIC are recognized; a multiple of 4.
const DETECTION_BYTES: usize = 1 << 16;

/// The escape character, which starts control sequences of terminals, and switches between
/// character sets in some encodings.
pub(super) const ESCAPE: u8 = 0x1b;

/// The escape sequences that switch to Japanese in ISO-2022-JP: to the character sets of 1978 and
/// of 1983, and to half-width katakana. Terminals do not use any of them.
const ISO_2022_JP_ESCAPES: [&[u8]; 3] = [b"\x1b$@", b"\x1b$B", b"\x1b(I"];

/// Reports whether the first 64 bytes contain too many control characters for UTF-8, so that other
/// encodings must be tried. UTF-16 can be valid UTF-8 without a NUL, for example Russian without a
/// space, but then consists of control characters to a large part.
pub(super) fn begins_with_controls(bytes: &[u8]) -> bool {
    let first = &bytes[..bytes.len().min(64)];
    first.iter().filter(|byte| is_control(**byte)).count() * 4 > first.len()
}

/// Detects the encoding of bytes without a byte order mark that are not UTF-8, contain a NUL or an
/// [escape](ESCAPE), or [begin with controls](begins_with_controls).
///
/// UTF-32 and UTF-16 are recognized by whether decoding them gives prose, and damaged UTF-8 by its
/// valid characters. All other bytes are left to chardetng.
///
/// # Errors
///
/// Returns the first NUL or control character if no encoding has such bytes in a text.
pub(super) fn detect(bytes: &[u8]) -> Result<Encoding, BadByte> {
    if let Some(nul) = memchr::memchr(0, bytes) {
        return wide_with_nul(bytes).ok_or(bad_byte(bytes, nul));
    }
    if str::from_utf8(bytes).is_ok() {
        let wide = || begins_with_controls(bytes).then(|| utf_16_without_nul(bytes)).flatten();
        let korean = || legacy::iso_2022_kr(bytes).map(|_| Encoding(Form::Iso2022Kr));
        return Ok(iso_2022_jp(bytes).or_else(korean).or_else(wide).unwrap_or(Encoding::UTF_8));
    }
    if is_damaged_utf_8(bytes) {
        return Ok(Encoding::UTF_8);
    }
    if let Some(control) = first_of_many_controls(bytes) {
        return utf_16_without_nul(bytes).ok_or(bad_byte(bytes, control));
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = Encoding(Form::Whatwg(detector.guess(None, Utf8Detection::Deny)));
    let guess = legacy::better(bytes, guess);
    let is_sound = prose(bytes, guess).is_some();
    Ok(if is_sound { guess } else { utf_16_without_nul(bytes).unwrap_or(guess) })
}

/// Reports whether bytes with NULs are a text in UTF-16 or UTF-32.
pub(super) fn is_wide(bytes: &[u8]) -> bool {
    memchr::memchr(0, bytes).is_some() && wide_with_nul(bytes).is_some()
}

/// Detects UTF-32, and UTF-16 with NULs.
fn wide_with_nul(bytes: &[u8]) -> Option<Encoding> {
    let wide = || (!is_utf_8_but_for_nuls(bytes)).then(|| utf_16_with_nul(bytes)).flatten();
    let orders = [Form::Utf32Le, Form::Utf32Be].map(Encoding);
    let utf_32 = orders.into_iter().find(|&order| prose(bytes, order).is_some());
    utf_32.or_else(wide)
}

/// Reports whether bytes are UTF-8 with a NUL here and there. UTF-16 may be valid UTF-8 as well,
/// but then every other byte is a NUL (for Latin letters) or a control character (for others).
fn is_utf_8_but_for_nuls(bytes: &[u8]) -> bool {
    let nuls = memchr::memchr_iter(0, bytes).count();
    let controls = bytes.iter().filter(|byte| is_control(**byte)).count() - nuls;
    nuls * 4 < bytes.len() && controls * 10 < bytes.len() && str::from_utf8(bytes).is_ok()
}

/// Reports whether bytes are UTF-8 with a few errors or a truncated end. In other encodings,
/// several valid multi-byte characters, and not more errors than these, do not occur by chance.
fn is_damaged_utf_8(bytes: &[u8]) -> bool {
    let (mut sound, mut errors, mut cut_end) = (0, 0, 0);
    for chunk in bytes.utf8_chunks() {
        sound += chunk.valid().chars().filter(|letter| !letter.is_ascii()).count();
        errors += usize::from(!chunk.invalid().is_empty());
        cut_end = chunk.invalid().len();
    }
    let only_cut = errors == 1 && cut_end > 0 && (cut_end > 1 || sound > 0);
    only_cut || sound >= 2 && sound >= errors
}

/// Returns the offset of the first control character, if there are more than in a text: at least
/// two, and more than one in a hundred bytes.
fn first_of_many_controls(bytes: &[u8]) -> Option<usize> {
    let controls = bytes.iter().filter(|byte| is_control(**byte)).count();
    let many = controls >= 2 && controls > bytes.len() / 100;
    bytes.iter().position(|byte| many && is_control(*byte))
}

/// Reports whether a byte is a control character other than white space and the escape of
/// terminals.
fn is_control(byte: u8) -> bool {
    matches!(byte, 0..=8 | 0x0e..=0x1a | 0x1c..=0x1f)
}

/// Returns ISO-2022-JP, if the bytes are ASCII with escape sequences that switch to Japanese, and
/// all of them are valid in it.
fn iso_2022_jp(bytes: &[u8]) -> Option<Encoding> {
    let has = |switch: &&[u8]| memchr::memmem::find(bytes, switch).is_some();
    if !bytes.is_ascii() || !ISO_2022_JP_ESCAPES.iter().any(has) {
        return None;
    }
    let encoding = Encoding(Form::Whatwg(whatwg::ISO_2022_JP));
    let decoded = decode(bytes.to_vec(), encoding).strict().ok()?;
    (!decoded.content.is_ascii()).then_some(encoding)
}

/// Detects the byte order of UTF-16 with NULs. If both orders give prose, it is the one that gives
/// more ASCII, such as spaces and line ends.
fn utf_16_with_nul(bytes: &[u8]) -> Option<Encoding> {
    let [le, be] = utf_16_orders(bytes).map(|(order, prose)| Some((order, prose?.ascii)));
    // Of two that are as large, the last.
    let most = [be, le].into_iter().flatten().max_by_key(|(_, ascii)| *ascii);
    most.map(|(order, _)| order)
}

/// Detects the byte order of UTF-16 without NULs, and so without spaces and line ends. Exactly one
/// order must give prose, and not in Hangul: Korean has spaces between words, and Chinese in other
/// encodings decodes to Hangul.
fn utf_16_without_nul(bytes: &[u8]) -> Option<Encoding> {
    match utf_16_orders(bytes) {
        [(order, Some(prose)), (_, None)] | [(_, None), (order, Some(prose))] => {
            (prose.script != Script::Hangul).then_some(order)
        }
        _ => None,
    }
}

fn utf_16_orders(bytes: &[u8]) -> [(Encoding, Option<Prose>); 2] {
    [whatwg::UTF_16LE, whatwg::UTF_16BE].map(|order| {
        let order = Encoding(Form::Whatwg(order));
        (order, prose(bytes, order))
    })
}

struct Prose {
    /// The most frequent script among the letters other than Latin ones; `Common` if there are
    /// none.
    script: Script,
    ascii: usize,
}

/// The smallest number of bytes that are taken for UTF-16, UTF-32 or EBCDIC without a byte order mark.
/// Fewer may be anything.
const MIN_BYTES: usize = 12;

/// Checks whether bytes, which must be complete units, decode to prose. Of the characters at the
/// beginning, nine in ten must be ASCII, letters of Latin or of one other writing system, or common
/// punctuation, and at most one in a hundred may be a control character, a rare ideograph,
/// unassigned or invalid.
fn prose(bytes: &[u8], encoding: Encoding) -> Option<Prose> {
    let is_too_short = encoding.unit() > 1 && bytes.len() < MIN_BYTES;
    if is_too_short || !bytes.len().is_multiple_of(encoding.unit()) {
        return None;
    }
    let decoded = decode(bytes[..bytes.len().min(DETECTION_BYTES)].to_vec(), encoding);
    let mut scripts: Vec<(Script, usize)> = vec![(Script::Common, 0)];
    let (mut ascii, mut ordinary, mut strange, mut all) = (0, 0, 0, 0);
    for character in decoded.content.chars() {
        all += 1;
        match character {
            '\0' => return None,
            '\u{3400}'..='\u{4dbf}' | char::REPLACEMENT_CHARACTER => strange += 1,
            _ if u8::try_from(character).is_ok_and(is_control) => strange += 1,
            _ if character.is_ascii() => ascii += 1,
            '\u{a0}'..='\u{bf}'
            | '\u{2010}'..='\u{2027}'
            | '\u{2030}'..='\u{205e}'
            | '\u{3000}'..='\u{303f}'
            | '\u{ff00}'..='\u{ffef}' => ordinary += 1,
            _ => match writing_system(character.script()) {
                Script::Latin | Script::Inherited => ordinary += 1,
                Script::Unknown => strange += 1,
                Script::Common => {}
                script => match scripts.iter_mut().find(|(known, _)| *known == script) {
                    Some((_, letters)) => *letters += 1,
                    None => scripts.push((script, 1)),
                },
            },
        }
    }
    let (script, letters) = scripts.into_iter().max_by_key(|(_, letters)| *letters)?;
    let is_prose = all > 0 && strange * 100 <= all && (ascii + ordinary + letters) * 10 >= all * 9;
    is_prose.then_some(Prose { script, ascii })
}

/// Returns the script that represents a writing system: Chinese and Japanese use several scripts.
fn writing_system(script: Script) -> Script {
    match script {
        Script::Hiragana | Script::Katakana | Script::Bopomofo => Script::Han,
        script => script,
    }
}

// Detects EBCDIC, the family of encodings of IBM's mainframes.
//
// It cannot be decoded here, and would otherwise be misdetected: chardetng takes it for IBM866, in
// which most of its letters are Russian ones.

/// Reports whether bytes, which are not UTF-8, are a text in EBCDIC:
///
/// * nine in ten are letters without accents, digits, spaces, line ends or common punctuation,
///   which have the same bytes in nearly all EBCDIC encodings for Latin letters;
/// * half are such letters;
/// * there are EBCDIC spaces, at least one in 20 bytes;
/// * there are hardly any ASCII spaces or line feeds, which are control characters in EBCDIC: at
///   most one in 100 bytes.
///
/// Of Russian letters, only a third to a half have such bytes, in any of the encodings for Russian.
pub(super) fn is_ebcdic(bytes: &[u8]) -> bool {
    let bytes = &bytes[..bytes.len().min(DETECTION_BYTES)];
    let count = |is_one: fn(u8) -> bool| bytes.iter().filter(|byte| is_one(**byte)).count();
    let (letters, spaces) = (count(is_letter), count(|byte| byte == 0x40));
    let known = letters + spaces + count(is_digit_or_mark);
    bytes.len() >= MIN_BYTES
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

/// Reports whether a byte is a digit, a tab, a line end, or one of `. ( & ) ; - / , ? : ' " =`.
fn is_digit_or_mark(byte: u8) -> bool {
    matches!(byte, 0xf0..=0xf9)
        || b"\x05\x0d\x15\x25\x4b\x4d\x50\x5d\x5e\x60\x61\x6b\x6f\x7a\x7d\x7e\x7f".contains(&byte)
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
            let strict = decode(bytes.to_vec(), encoding).strict();
            assert_eq!(strict.err().map(|bad| bad.offset), *offset, "{why}");
            let lossy = decode(bytes.to_vec(), encoding);
            assert_eq!((&*lossy.content, lossy.replaced), (*content, *replaced), "{why}");
        }
    }

    #[test]
    fn a_bad_byte_far_into_a_long_text_is_named_by_its_offset() {
        let mut bytes = b"\x82\xa0".repeat(10_000);
        bytes.extend(b"\x82 ");
        let shift_jis = Encoding::from_label("shift_jis").unwrap();
        assert_eq!(decode(bytes, shift_jis).strict(), Err(BadByte { offset: 20_000, byte: 0x82 }));
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
        assert!(NAMES.lines().all(|name| Encoding::from_label(name).is_some()));
    }
}

#[cfg(test)]
mod detect_tests {
    use super::*;

    #[test]
    fn chinese_of_an_old_encoding_is_not_hangul_in_utf_16() {
        let (bytes, ..) = whatwg::GBK.encode("中华人民共和国");
        assert_eq!(utf_16_without_nul(&bytes), None);
    }
}

#[cfg(test)]
mod ebcdic_tests {
    use encoding_rs as whatwg;
    use proptest::prelude::*;

    use super::*;

    /// Encodes letters without accents, digits, spaces, line ends, periods and commas in EBCDIC.
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
    fn texts_of_mainframes_are_distinguished_from_others() {
        // As encoded by Python: "Grüße aus Köln, der alte Kessel" in IBM273 and in IBM037.
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
        fn russian_is_not_taken_for_ebcdic(
            text in "[а-яА-ЯёЁ]{3,9}([ @\\n][а-яА-ЯёЁ]{3,9}){9,30}",
            label in prop::sample::select(vec!["ibm866", "windows-1251", "koi8-r", "iso-8859-5", "x-mac-cyrillic"]),
        ) {
            let (bytes, _, unmappable) = whatwg::Encoding::for_label(label.as_bytes()).unwrap().encode(&text);
            prop_assert!(!unmappable && !is_ebcdic(&bytes));
        }
    }
}
