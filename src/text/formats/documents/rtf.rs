//! Extracts the text of a document in Rich Text Format.
//!
//! Input: an RTF document (version 1.9.1 or older). Output: its paragraphs and cells in order, each
//! on a line, then its notes. A document is a sequence of control words, characters and groups; the
//! first word of a group gives its purpose. Headers, comments, field codes, list numbers, pictures
//! and all groups that a reader may ignore are left out.

use std::collections::BTreeMap;

use super::flow::Flow;
use super::symbol_font::of_symbol_font;
use super::{ExtractError, Extracted};
use super::{Paint, RunStyle, hex_byte};
use crate::text::decode::{Encoding, decode};

const KIND: &str = "RTF";

/// The largest nesting depth of groups; real documents have a few dozen levels.
const MAX_DEPTH: usize = 1_000;

/// Extracts the text of a document.
///
/// # Errors
///
/// Returns [`ExtractError::Damaged`] if it is not RTF, is truncated, or has characters of an
/// unknown code page; or [`ExtractError::TooDeep`] if its groups are nested too deeply.
pub(crate) fn text(bytes: &[u8]) -> Result<Extracted, ExtractError> {
    if !bytes.starts_with(b"{\\rtf") {
        return Err(damaged("it does not begin with {\\rtf".to_owned()));
    }
    let mut reader = RtfReader::default();
    for token in Tokens::new(bytes) {
        match token {
            Token::Open => reader.open()?,
            Token::Close => {
                reader.close()?;
                if reader.outer_groups.is_empty() {
                    return Ok(reader.flow.finish()); // what follows is not part of the document
                }
            }
            Token::Word(name, number) => reader.word(name, number)?,
            Token::Symbol(symbol) => reader.symbol(symbol)?,
            Token::Byte(byte) => reader.bytes(&[byte]),
            Token::Text(bytes) => reader.bytes(bytes),
        }
    }
    Err(damaged("truncated: not all groups are closed".to_owned()))
}

fn damaged(found: String) -> ExtractError {
    ExtractError::Damaged { kind: KIND, found }
}

// Reads tokens, and collects the text.

/// The state of reading a document, and its text so far.
#[derive(Default)]
pub(super) struct RtfReader {
    flow: Flow,
    group: Group,
    /// The groups around the current one, outermost first.
    outer_groups: Vec<Group>,
    /// The bytes of text in the encoding of the group that are not decoded yet.
    pending: Vec<u8>,
    /// The first half of a surrogate pair, whose second half should follow.
    high_surrogate: Option<u16>,
    /// The number of fallback characters for a Unicode character that are still to be skipped.
    fallbacks: usize,
    fonts: BTreeMap<i32, CodePage>,
    /// The number of the current entry of the font table.
    font: i32,
    default_font: i32,
    code_page: CodePage,
    /// The colour table; `None` for an entry without a colour.
    color_table: Vec<Option<Paint>>,
    /// The current entry of the colour table.
    colour: Option<[u8; 3]>,
    /// The background that the cells of the current row give to their text.
    row: Option<Paint>,
}

impl RtfReader {
    pub(super) fn open(&mut self) -> Result<(), ExtractError> {
        self.flush()?;
        self.fallbacks = 0;
        if self.outer_groups.len() == MAX_DEPTH {
            return Err(ExtractError::TooDeep { max_depth: MAX_DEPTH });
        }
        self.outer_groups.push(self.group);
        self.group = Group { aside: None, is_ignorable: false, ..self.group };
        Ok(())
    }

    pub(super) fn close(&mut self) -> Result<(), ExtractError> {
        self.flush()?;
        self.fallbacks = 0;
        if let Some(aside) = self.group.aside {
            let text = self.flow.close_aside();
            match aside {
                Aside::Note => self.flow.add_note(&text),
                Aside::Box => self.flow.add_box(&text),
            }
        }
        self.group = self.outer_groups.pop().unwrap_or_default();
        Ok(())
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.group.is_ignorable = false;
        let skipped = self.fallbacks.min(bytes.len());
        self.fallbacks -= skipped;
        let bytes = &bytes[skipped..];
        match self.group.destination {
            Destination::Text => self.pending.extend(bytes),
            Destination::ColorTable => {
                for _ in bytes.iter().filter(|byte| **byte == b';') {
                    self.color_table.push(self.colour.take().map(Paint::Rgb));
                }
            }
            Destination::FontTable => {
                let is_symbol = self.fonts.get(&self.font) == Some(&CodePage::Symbols);
                if is_symbol && bytes.trim_ascii().starts_with(b"Symbol") {
                    self.fonts.insert(self.font, CodePage::SymbolFont);
                }
            }
            Destination::Alternatives | Destination::Skipped => {}
        }
    }

    pub(super) fn symbol(&mut self, symbol: u8) -> Result<(), ExtractError> {
        match symbol {
            b'*' => self.group.is_ignorable = true,
            b'\n' => self.end_paragraph()?,
            b'{' | b'}' | b'\\' => self.bytes(&[symbol]),
            _ if self.fallbacks > 0 => self.fallbacks -= 1,
            b'~' => self.write("\u{a0}")?,
            b'-' => self.write("\u{ad}")?,
            b'_' => self.write("\u{2011}")?,
            b'\t' => self.write("\t")?,
            _ => {}
        }
        Ok(())
    }

    pub(super) fn word(&mut self, name: &str, number: Option<i32>) -> Result<(), ExtractError> {
        self.flush()?;
        if name != "u" {
            self.fallbacks = 0; // a control word is not a fallback character
        }
        let had = self.group.aside.is_some();
        if self.group.set_destination(name) {
            if !had && self.group.aside.is_some() {
                self.flow.open_aside();
                self.group.reset_characters();
            }
            return Ok(());
        }
        let value = number.unwrap_or(0);
        match (self.group.destination, name) {
            (Destination::Skipped, _) => {}
            (Destination::FontTable, "f") => self.font = value,
            (Destination::FontTable, "fcharset") => {
                self.fonts
                    .extend(CodePage::from_charset(value).map(|letters| (self.font, letters)));
            }
            (Destination::FontTable, "cpg") => {
                self.fonts.insert(self.font, CodePage::from_number(value));
            }
            (Destination::ColorTable, "red" | "green" | "blue") => {
                let part = usize::from(name == "green") + 2 * usize::from(name == "blue");
                self.colour.get_or_insert_default()[part] = u8::try_from(value).unwrap_or(0);
            }
            (_, "ansicpg") => self.code_page = CodePage::from_number(value),
            (_, "mac") => self.code_page = CodePage::from_number(10_000),
            (_, "pc") => self.code_page = CodePage::from_number(437),
            (_, "pca") => self.code_page = CodePage::from_number(850),
            (_, "deff") => self.default_font = value,
            (_, "uc") => self.group.fallbacks = Some(usize::try_from(value).unwrap_or(0)),
            (_, "u") => self.unicode(value)?,
            (_, "f") => self.group.font = Some(value),
            (_, "par" | "sect" | "cell" | "nestcell") => self.end_paragraph()?,
            (_, "trowd") => self.row = None,
            (_, "clcbpat") => self.row = self.colour(number).or(self.row),
            (_, "clshdng") if value > 0 => self.row = Some(Paint::Other),
            _ => match character(name) {
                Some(written) => self.write(written)?,
                None => self.property(name, number),
            },
        }
        Ok(())
    }

    /// Processes a control word that sets a property of characters or of a paragraph.
    fn property(&mut self, name: &str, number: Option<i32>) {
        let is_on = number != Some(0);
        let colour = self.colour(number);
        let times = |unit: i32| number.map(|number| number.saturating_mul(unit));
        let group = &mut self.group;
        match name {
            "plain" => group.reset_characters(),
            "pard" => (group.background, group.in_table) = (None, false),
            "intbl" => group.in_table = true,
            "v" => group.run_style.hidden = Some(is_on),
            "deleted" => group.is_deleted = is_on,
            "fs" => group.run_style.size = times(50),
            "charscalex" => group.run_style.scale = number,
            "expnd" => group.run_style.spacing = times(25),
            "expndtw" => group.run_style.spacing = times(5),
            "outl" | "shad" | "embo" | "impr" => group.run_style.add_effect(is_on),
            "cf" => group.run_style.colour = colour,
            "highlight" | "cb" | "chcbpat" => group.run_style.background = colour,
            "chshdng" if number > Some(0) => group.run_style.background = Some(Paint::Other),
            "cbpat" => group.background = colour,
            "shdng" if number > Some(0) => group.background = Some(Paint::Other),
            _ => {}
        }
    }

    /// Returns a colour of the colour table; `None` if it is not set.
    fn colour(&self, number: Option<i32>) -> Option<Paint> {
        let number = usize::try_from(number.unwrap_or(0)).ok()?;
        self.color_table.get(number).copied().flatten()
    }

    /// Processes a Unicode character by its number; its fallback characters follow.
    fn unicode(&mut self, number: i32) -> Result<(), ExtractError> {
        // The numbers have 16 bits, and many programs write them as signed.
        let Ok(unit) = u16::try_from(number & 0xffff) else { return Ok(()) };
        self.fallbacks = self.group.fallbacks.unwrap_or(1);
        let units = match (self.high_surrogate.take(), unit) {
            (None, 0xd800..0xdc00) => {
                self.high_surrogate = Some(unit);
                return Ok(());
            }
            (None, 0) => return Ok(()),
            (high_surrogate, unit) => high_surrogate.into_iter().chain([unit]),
        };
        let read = char::decode_utf16(units);
        let mut read: String = read.map(|it| it.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        let font = self.group.font.unwrap_or(self.default_font);
        if self.fonts.get(&font) == Some(&CodePage::SymbolFont) {
            read = read.chars().map(of_symbol_font).collect();
        }
        self.write(&read)
    }

    fn flush(&mut self) -> Result<(), ExtractError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let font = self.group.font.unwrap_or(self.default_font);
        let letters = self.fonts.get(&font).copied().unwrap_or(self.code_page);
        let read = letters.decode(&self.pending)?;
        self.pending.clear();
        self.write_run(&read);
        Ok(())
    }

    fn write(&mut self, text: &str) -> Result<(), ExtractError> {
        self.flush()?;
        self.write_run(text);
        Ok(())
    }

    fn write_run(&mut self, text: &str) {
        let group = &self.group;
        if group.destination != Destination::Text || group.is_deleted {
            return;
        }
        let row = self.row.filter(|_| group.in_table);
        let background = group.background.or(row).or(group.in_box);
        let sight = group.run_style.or_inherited(RunStyle::with_background(background)).sight();
        if self.high_surrogate.take().is_some() {
            self.flow.write("\u{fffd}", sight);
        }
        self.flow.write(text, sight);
    }

    /// Ends a paragraph or a cell. One whose end is marked as deleted continues in the next.
    fn end_paragraph(&mut self) -> Result<(), ExtractError> {
        self.flush()?;
        if self.group.destination == Destination::Text && !self.group.is_deleted {
            self.flow.end_paragraph();
        }
        Ok(())
    }
}

// A group and its purpose.

/// The properties within a group. A new group inherits those of the group around it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Group {
    pub(super) destination: Destination,
    /// The note or text box that the group begins, if any.
    pub(super) aside: Option<Aside>,
    /// Whether a reader that does not know the next word must ignore the group.
    pub(super) is_ignorable: bool,
    /// The number of the font; `None` for the default font.
    pub(super) font: Option<i32>,
    /// The number of fallback characters after each Unicode character; one if it is not set.
    pub(super) fallbacks: Option<usize>,
    pub(super) run_style: RunStyle,
    /// Whether the characters are marked as deleted.
    pub(super) is_deleted: bool,
    /// The background that the paragraph gives to its text.
    pub(super) background: Option<Paint>,
    pub(super) in_table: bool,
    /// The background that a text box gives to its text.
    pub(super) in_box: Option<Paint>,
}

/// The destination of the characters of a group.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) enum Destination {
    #[default]
    Text,
    FontTable,
    ColorTable,
    /// The same text in two versions: first for old readers, then in Unicode.
    Alternatives,
    Skipped,
}

/// A text apart from the main text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Aside {
    Note,
    Box,
}

/// The destinations that are not text, and need not be marked as ignorable.
#[rustfmt::skip]
const SKIPPED_DESTINATIONS: [&str; 36] = [
    "stylesheet", "info", "pict", "nonshppict", "objdata", "objclass", "shprslt", "background",
    "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf",
    "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn",
    "annotation", "atnid", "atnauthor", "fldinst", "listtext", "pntext", "pntxta", "pntxtb",
    "xe", "tc", "sp", "nonesttables", "template", "filetbl",
];

impl Group {
    /// Sets the purpose of the group if `word` gives one. Reports whether it does, or whether the
    /// group is ignored.
    pub(super) fn set_destination(&mut self, word: &str) -> bool {
        let is_ignorable = std::mem::take(&mut self.is_ignorable);
        if self.destination == Destination::Skipped {
            return true;
        }
        match word {
            "fonttbl" => self.destination = Destination::FontTable,
            "colortbl" => self.destination = Destination::ColorTable,
            "upr" => self.destination = Destination::Alternatives,
            "ud" if self.destination == Destination::Alternatives => {
                self.destination = Destination::Text;
            }
            "footnote" => self.aside = Some(Aside::Note),
            "shptxt" | "dptxbxtext" => {
                self.aside = Some(Aside::Box);
                self.in_box = Some(Paint::Other); // the fill of a box is not evaluated
            }
            "shpinst" | "do" | "nesttableprops" => {}
            _ if is_ignorable || SKIPPED_DESTINATIONS.contains(&word) => {
                self.destination = Destination::Skipped;
            }
            _ => return false,
        }
        true
    }

    /// Resets the style of the characters to that at the beginning of the document.
    pub(super) fn reset_characters(&mut self) {
        (self.run_style, self.font, self.is_deleted) = (RunStyle::default(), None, false);
    }
}

// Decodes bytes of text, by the code pages and the character sets of fonts.

/// The encoding of bytes of text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum CodePage {
    Known(Encoding),
    /// The signs of a symbol font, which are not letters.
    Symbols,
    /// The letters of the font Symbol, which are Greek.
    SymbolFont,
    /// An unknown code page.
    Unknown(i32),
}

impl Default for CodePage {
    fn default() -> Self {
        Self::from_number(0)
    }
}

impl CodePage {
    /// Returns the encoding with this code page number.
    pub(super) fn from_number(number: i32) -> Self {
        let label = match number {
            0 => "windows-1252", // that of the system
            819 => return Self::Unknown(number),
            874 => "windows-874",
            932 => "shift_jis",
            936 => "gbk",
            949 => "euc-kr",
            950 => "big5",
            10_000 => "macintosh",
            10_007 => "x-mac-cyrillic",
            54_936 => "gb18030",
            65_001 => "utf-8",
            _ => &format!("cp{number}"),
        };
        Encoding::from_label(label).map_or(Self::Unknown(number), Self::Known)
    }

    /// Returns the encoding of the character set of a font; `None` if that is the one of the
    /// document.
    pub(super) fn from_charset(number: i32) -> Option<Self> {
        let code_page = match number {
            0 => 1252,
            2 => return Some(Self::Symbols),
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
        Some(Self::from_number(code_page))
    }

    /// Decodes bytes; invalid ones become U+FFFD.
    ///
    /// # Errors
    ///
    /// Returns [`ExtractError::Damaged`] if the code page is unknown and the bytes are not ASCII.
    pub(super) fn decode(self, bytes: &[u8]) -> Result<String, ExtractError> {
        match self {
            _ if bytes.is_ascii() && !matches!(self, Self::Symbols | Self::SymbolFont) => {
                Ok(bytes.iter().copied().map(char::from).collect())
            }
            Self::Known(encoding) => Ok(decode(bytes.to_vec(), encoding).content),
            Self::Symbols => Ok(bytes.iter().filter_map(|byte| symbol_character(*byte)).collect()),
            Self::SymbolFont => {
                let signs = bytes.iter().filter_map(|byte| symbol_character(*byte));
                Ok(signs.map(of_symbol_font).collect())
            }
            Self::Unknown(page) => Err(damaged(format!("letters of code page {page}"))),
        }
    }
}

/// Returns the private-use character of a sign, at which Windows has it, too.
fn symbol_character(byte: u8) -> Option<char> {
    if byte == b' ' { Some(' ') } else { char::from_u32(0xf000 + u32::from(byte)) }
}

/// Returns the characters that a control word stands for; `None` for all other words.
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

// Splits bytes into groups, control words and text.

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Token<'a> {
    Open,
    Close,
    /// A control word with its number: `\fs24`.
    Word(&'a str, Option<i32>),
    /// A control symbol: `\~`; a line feed for an escaped line end.
    Symbol(u8),
    /// A byte of text, given by its number: `\'e9`.
    Byte(u8),
    /// Literal bytes of text.
    Text(&'a [u8]),
}

/// An iterator over the tokens of a document, up to one that is incomplete.
pub(super) struct Tokens<'a>(&'a [u8]);

impl<'a> Tokens<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    fn take(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// Returns the token after a backslash; `None` at the end of the bytes, and for `\'` without
    /// two hexadecimal digits, which is skipped.
    fn control(&mut self) -> Option<Token<'a>> {
        match *self.0 {
            [b'\'', ref digits @ ..] => {
                let byte = digits.first_chunk().copied().and_then(hex_byte);
                self.take(if byte.is_some() { 3 } else { 1 });
                byte.map(Token::Byte)
            }
            [first, ..] if first.is_ascii_alphabetic() => Some(self.word()),
            [symbol, ..] => {
                self.take(1);
                Some(Token::Symbol(if symbol == b'\r' { b'\n' } else { symbol }))
            }
            [] => None,
        }
    }

    fn word(&mut self) -> Token<'a> {
        let name = self.take(self.0.iter().take_while(|byte| byte.is_ascii_alphabetic()).count());
        let name = str::from_utf8(name).unwrap_or_default();
        let minus = usize::from(matches!(self.0, [b'-', digit, ..] if digit.is_ascii_digit()));
        let digits = self.0[minus..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = str::from_utf8(self.take(minus + digits)).unwrap_or_default();
        // A number that is too large for the format is ignored.
        let number = number.parse().ok();
        if let [b' ', ..] = self.0 {
            self.take(1);
        }
        if name == "bin" {
            self.take(usize::try_from(number.unwrap_or(0)).unwrap_or(0)); // binary data
        }
        Token::Word(name, number)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let is_text = |byte: &&u8| !matches!(byte, b'{' | b'}' | b'\\' | b'\r' | b'\n' | 0);
            let length = self.0.iter().take_while(is_text).count();
            if length > 0 {
                return Some(Token::Text(self.take(length)));
            }
            match *self.take(1).first()? {
                b'{' => return Some(Token::Open),
                b'}' => return Some(Token::Close),
                b'\\' => match (self.control(), self.0) {
                    (Some(token), _) => return Some(token),
                    (None, []) => return None,
                    (None, _) => {} // `\'` without two hexadecimal digits
                },
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod reader_tests {
    use super::*;

    /// For each code page, a letter that others encode otherwise, or not at all.
    #[rustfmt::skip]
    const PAGES: &[(i32, &[i32], &[u8], &str)] = &[
        (0,      &[],    b"\x80",     "€"),
        (437,    &[254], b"\x9b",     "¢"),
        (850,    &[255], b"\x9b",     "ø"),
        (852,    &[],    b"\x88",     "ł"),
        (866,    &[],    b"\x80",     "А"),
        (874,    &[222], b"\xa1",     "ก"),
        (932,    &[128], b"\x82\xa0", "あ"),
        (936,    &[134], b"\xb0\xa1", "啊"),
        (949,    &[129], b"\xb0\xa1", "가"),
        (950,    &[136], b"\xa4\x40", "一"),
        (1361,   &[130], b"\x88\x61", "가"),
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
            let letters = CodePage::from_number(*number);
            assert_eq!(letters.decode(bytes).unwrap(), *want, "{number}");
            assert_eq!(letters.decode(b"plain").unwrap(), "plain", "{number}");
            for set in *sets {
                assert_eq!(CodePage::from_charset(*set), Some(letters), "{set}");
            }
        }
        assert_eq!(CodePage::from_charset(1), None, "that of the document");
    }

    #[test]
    fn unknown_code_pages_are_errors_where_their_letters_matter() {
        for number in [1, 10_001] {
            let letters = CodePage::from_number(number);
            assert_eq!(letters, CodePage::Unknown(number));
            assert_eq!(letters.decode(b"plain").unwrap(), "plain");
            let message = letters.decode(b"\x80").unwrap_err().to_string();
            assert!(message.contains(&format!("letters of code page {number}")), "{message}");
        }
    }

    #[test]
    fn signs_are_no_letters() {
        let signs = CodePage::from_charset(2).unwrap();
        assert_eq!(signs.decode(b"a \xb7").unwrap(), "\u{f061} \u{f0b7}");
        assert_eq!(CodePage::SymbolFont.decode(b"a \xb7").unwrap(), "α \u{f0b7}");
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

#[cfg(test)]
mod tokens_tests {
    use super::*;
    use Token::{Byte, Close, Open, Symbol, Text, Word};

    #[test]
    fn documents_are_parted_into_tokens() {
        #[rustfmt::skip]
        let table: &[(&str, &[u8], &[Token])] = &[
            ("nothing",            b"",              &[]),
            ("a group",            b"{tea}",         &[Open, Text(b"tea"), Close]),
            ("a word",             b"\\par tea",     &[Word("par", None), Text(b"tea")]),
            ("a number",           b"\\fs24tea",     &[Word("fs", Some(24)), Text(b"tea")]),
            ("below zero",         b"\\u-4095?",     &[Word("u", Some(-4095)), Text(b"?")]),
            ("a hyphen",           b"\\par-a",       &[Word("par", None), Text(b"-a")]),
            ("one space only",     b"\\b  a",        &[Word("b", None), Text(b" a")]),
            ("too large",          b"\\u99999999999 a", &[Word("u", None), Text(b"a")]),
            ("symbols",            b"\\~\\{\\\\\\*", &[Symbol(b'~'), Symbol(b'{'), Symbol(b'\\'), Symbol(b'*')]),
            ("an escaped line end", b"\\\r\n\\\n",   &[Symbol(b'\n'), Symbol(b'\n')]),
            ("a byte",             b"\\'e9\\'E9s",   &[Byte(0xe9), Byte(0xe9), Text(b"s")]),
            ("no byte",            b"a\\'zzb",       &[Text(b"a"), Text(b"zzb")]),
            ("before a brace",     b"\\'e}",         &[Text(b"e"), Close]),
            ("a cut byte",         b"\\'e",          &[Text(b"e")]),
            ("a cut word",         b"\\",            &[]),
            ("line ends",          b"a\r\nb\n",      &[Text(b"a"), Text(b"b")]),
            ("bytes of a picture", b"\\bin3 }{\\a}", &[Word("bin", Some(3)), Text(b"a"), Close]),
            ("more than there are", b"\\bin9 a}",    &[Word("bin", Some(9))]),
            ("fewer than none",    b"\\bin-9 a",     &[Word("bin", Some(-9)), Text(b"a")]),
        ];
        for (why, bytes, want) in table {
            assert_eq!(Tokens::new(bytes).collect::<Vec<_>>(), *want, "{why}");
        }
    }
}

#[cfg(test)]
mod tests;
