//! Splits LaTeX into tokens, and matches braces.
//!
//! Input: a document. Output: a sequence of tokens: text, commands, braces and characters that
//! stand for themselves, with formulas, comments and program code as single tokens. A construct
//! that is never closed is not read as that construct. A search for an end that has failed is not
//! repeated, so the time is linear in the length of the document.

use std::ops::Range;

use memchr::{memchr, memchr2, memchr3, memmem};

use super::{Environment, environment};
use crate::text::source_map::Separator;

#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Token<'s> {
    /// Text without special characters.
    Text,
    /// White space that begins with a line end or a tab.
    Blank(Separator),
    /// A special character, or a short run of them, that may stand for another character: `--`.
    Mark,
    /// The separator of table cells, `&`.
    Cell,
    /// An opening brace or bracket.
    Open,
    /// A closing brace or bracket.
    Close,
    /// A control symbol: a command of one character other than a letter.
    Symbol(char),
    /// A command with its name, which consists of letters; a star after the name is part of the
    /// token.
    Command(&'s str),
    /// Verbatim text, with its byte range in the document.
    Verbatim(Range<usize>),
    /// A formula or a drawing, of which only labels are text.
    Formula,
    Comment,
}

/// A cursor that reads the tokens of a document in order.
#[derive(Debug)]
pub(super) struct Scanner<'s> {
    source: &'s str,
    pub(super) at: usize,
    /// For each [`Ending`], an offset: a search that starts before it is known to fail.
    failed: [usize; 5],
    /// The ends that are known not to occur any more after the cursor.
    unclosed: Vec<&'s str>,
}

/// An end that is searched for within a paragraph or a line.
#[derive(Clone, Copy, Debug)]
enum Ending {
    Dollar,
    Dollars,
    Parenthesis,
    Bracket,
    /// A closing brace on the same line.
    Brace,
}

/// The bytes that end a run of text.
const SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let bytes = b"\\%{}[]$&~`'\"-<>?!\n\r\t";
    let mut at = 0;
    while at < bytes.len() {
        special[bytes[at] as usize] = true;
        at += 1;
    }
    special
};

/// The units of length and of stretch of TeX.
const UNITS: [&[u8]; 14] = [
    b"pt", b"pc", b"in", b"bp", b"cm", b"mm", b"dd", b"cc", b"sp", b"ex", b"em", b"fil", b"fill",
    b"filll",
];

/// The largest number of bytes of a beamer overlay specification: `<1-3| handout:0>`.
const MAX_OVERLAY_LENGTH: usize = 40;

impl<'s> Scanner<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        Self { source, at: 0, failed: [0; 5], unclosed: Vec::new() }
    }

    /// Returns the next token and its byte range; `None` at the end of the document.
    pub(super) fn next(&mut self) -> Option<(Token<'s>, Range<usize>)> {
        let start = self.at;
        let byte = *self.source.as_bytes().get(start)?;
        self.at += 1;
        let token = match byte {
            b'\\' => self.command(),
            b'%' => {
                self.skip_comment();
                Token::Comment
            }
            b'$' => {
                let ending = if self.skip_byte(b'$') { Ending::Dollars } else { Ending::Dollar };
                self.formula(ending, Token::Mark)
            }
            b'{' | b'[' => Token::Open,
            b'}' | b']' => Token::Close,
            b'&' => Token::Cell,
            b'~' | b'"' => Token::Mark,
            b'?' | b'!' => {
                self.skip_byte(b'`');
                Token::Mark
            }
            b'`' | b'\'' | b'-' | b'<' | b'>' => {
                let most = if byte == b'-' { 3 } else { 2 };
                while self.at - start < most && self.skip_byte(byte) {}
                Token::Mark
            }
            b'\n' | b'\r' | b'\t' => {
                self.at = start;
                Token::Blank(self.skip_white_space())
            }
            _ => {
                let rest = &self.source.as_bytes()[start..];
                let length = rest.iter().position(|byte| SPECIAL[usize::from(*byte)]);
                self.at = start + length.unwrap_or(rest.len());
                Token::Text
            }
        };
        Some((token, start..self.at))
    }

    pub(super) fn peek(&mut self) -> Option<(Token<'s>, Range<usize>)> {
        let at = self.at;
        let token = self.next();
        self.at = at;
        token
    }

    // Skipping.

    /// Moves forward to a byte offset; does nothing if it is behind the cursor.
    pub(super) fn skip_to(&mut self, at: usize) {
        self.at = self.at.max(at);
    }

    /// Skips `byte` if it comes next, and reports whether it did.
    pub(super) fn skip_byte(&mut self, byte: u8) -> bool {
        let is_next = self.source.as_bytes().get(self.at) == Some(&byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Skips white space, and returns the gap that it makes in the text.
    fn skip_white_space(&mut self) -> Separator {
        let rest = self.source[self.at..].bytes();
        let (mut length, mut feeds, mut returns) = (0, 0, 0);
        for byte in rest.take_while(u8::is_ascii_whitespace) {
            length += 1;
            feeds += usize::from(byte == b'\n');
            returns += usize::from(byte == b'\r');
        }
        self.at += length;
        match feeds.max(returns) {
            0 => Separator::Space,
            1 => Separator::Break,
            _ => Separator::Paragraph,
        }
    }

    pub(super) fn skip_blanks(&mut self) {
        let at = self.at;
        if self.skip_white_space() == Separator::Paragraph {
            self.at = at;
        }
    }

    /// Skips white space that does not end the paragraph, but only if `byte` follows it.
    pub(super) fn skip_blanks_before(&mut self, byte: u8) {
        let at = self.at;
        self.skip_blanks();
        if self.source.as_bytes().get(self.at) != Some(&byte) {
            self.at = at;
        }
    }

    /// Skips a beamer overlay specification, if one comes next: `<2->`.
    pub(super) fn skip_overlay(&mut self) {
        let rest = &self.source.as_bytes()[self.at..];
        let is_of_one = |byte: &u8| byte.is_ascii_alphanumeric() || b"-+,|:.@* ".contains(byte);
        if let Some((b'<', rest)) = rest.split_first() {
            let length =
                rest.iter().take(MAX_OVERLAY_LENGTH).take_while(|it| is_of_one(it)).count();
            if length > 0 && rest.get(length) == Some(&b'>') {
                self.at += length + 2;
            }
        }
    }

    /// Skips a length: `=2pt plus 1fil`.
    pub(super) fn skip_length(&mut self) {
        self.skip_blanks();
        self.skip_byte(b'=');
        loop {
            self.skip_blanks();
            let rest = &self.source.as_bytes()[self.at..];
            let is_of_number = |byte: &&u8| byte.is_ascii_digit() || b"+-.,".contains(byte);
            let number = rest.iter().take(MAX_OVERLAY_LENGTH).take_while(is_of_number).count();
            let is_letter = |byte: &&u8| byte.is_ascii_lowercase();
            let letters = rest[number..].iter().take(6).take_while(is_letter).count();
            // Letters after a unit of two are text.
            let is_followed = letters > 2 && !UNITS.contains(&&rest[number..number + letters]);
            let unit = if is_followed && number > 0 { 2 } else { letters };
            let is_joined = matches!(&rest[..unit], b"plus" | b"minus") && number == 0;
            if !is_joined && (number == 0 || !UNITS.contains(&&rest[number..number + unit])) {
                return;
            }
            self.at += number + unit;
        }
    }

    /// Skips a comment, which ends with its line, and the blanks at the beginning of the next line.
    /// If the next line is empty, it separates paragraphs, so the line end of the comment is not
    /// skipped.
    fn skip_comment(&mut self) {
        let rest = &self.source.as_bytes()[self.at..];
        let Some(end) = memchr2(b'\n', b'\r', rest) else {
            self.at = self.source.len();
            return;
        };
        let is_pair = rest[end..].starts_with(b"\r\n");
        let next = end + 1 + usize::from(is_pair);
        let blanks = rest[next..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let is_empty = matches!(rest.get(next + blanks), Some(b'\n' | b'\r'));
        self.at += if is_empty { end } else { next + blanks };
    }

    // Constructs with an end: formulas, code, and text that TeX is made to ignore.

    /// Reads a formula up to its end; one that is never closed is another token.
    fn formula(&mut self, ending: Ending, unclosed: Token<'s>) -> Token<'s> {
        let end = self.find(ending);
        self.at = end.unwrap_or(self.at);
        end.map_or(unclosed, |_| Token::Formula)
    }

    /// Reads a command, together with what it begins if that is read as one token.
    fn command(&mut self) -> Token<'s> {
        let rest = &self.source[self.at..];
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        if letters == 0 {
            let Some(symbol) = rest.chars().next() else { return Token::Comment };
            self.at += symbol.len_utf8();
            return match symbol {
                '(' => self.formula(Ending::Parenthesis, Token::Symbol(symbol)),
                '[' => self.formula(Ending::Bracket, Token::Symbol(symbol)),
                _ => Token::Symbol(symbol),
            };
        }
        let name = &rest[..letters];
        self.at += letters;
        self.skip_byte(b'*');
        let whole = match name {
            "verb" | "lstinline" | "mintinline" => self.inline(),
            "url" | "path" | "nolinkurl" => self.in_braces().map(Token::Verbatim),
            "href" => self.in_braces().map(|_| Token::Comment), // an address that is not shown
            "iffalse" => self.up_to("\\fi").map(|_| Token::Comment),
            "makeatletter" => self.up_to("\\makeatother").map(|_| Token::Comment),
            "begin" => self.environment(),
            _ => None,
        };
        whole.unwrap_or(Token::Command(name))
    }

    /// Reads inline code between two occurrences of a delimiter; `None` if there is no delimiter,
    /// or if the code is not closed on its line.
    fn inline(&mut self) -> Option<Token<'s>> {
        let bytes = self.source.as_bytes();
        let mut at = self.at;
        while let Some((open @ (b'[' | b'{'), rest)) = bytes[at..].split_first() {
            // Settings in brackets, or the language in braces. Code in braces ends the token.
            let close = if *open == b'[' { b']' } else { b'}' };
            let end = rest.iter().take(200).position(|byte| *byte == close || *byte == b'\n')?;
            if rest[end] != close {
                return None;
            }
            let next = at + end + 2;
            if *open == b'{' && !matches!(bytes.get(next), Some(b'{' | b'|')) {
                self.at = next;
                return Some(Token::Verbatim(at + 1..next - 1));
            }
            at = next;
        }
        let delimiter = *bytes.get(at).filter(|byte| byte.is_ascii_punctuation())?;
        let rest = &bytes[at + 1..];
        let end = memchr2(delimiter, b'\n', rest).filter(|end| rest[*end] == delimiter)?;
        self.at = at + end + 2;
        Some(Token::Verbatim(at + 1..at + 1 + end))
    }

    /// Reads the content of braces that are closed on the same line; `None` if there are none.
    fn in_braces(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        if !self.skip_byte(b'{') {
            return None;
        }
        let end = self.find(Ending::Brace);
        self.at = end.unwrap_or(start);
        end.map(|end| start + 1..end - 1)
    }

    /// Skips everything up to and including `end`. Returns the offset at which `end` begins, or
    /// `None`, without moving, if it does not occur.
    fn up_to(&mut self, end: &'s str) -> Option<usize> {
        if self.unclosed.contains(&end) {
            return None;
        }
        let rest = &self.source.as_bytes()[self.at..];
        let Some(length) = memmem::find(rest, end.as_bytes()) else {
            self.unclosed.push(end);
            return None;
        };
        let begin = self.at + length;
        self.at = begin + end.len();
        Some(begin)
    }

    /// Reads an environment that is one token; `None` for all others and if it is never closed.
    fn environment(&mut self) -> Option<Token<'s>> {
        let after = self.at;
        let rest = self.source[after..].strip_prefix('{')?;
        let name = &rest[..rest.bytes().take(40).position(|byte| byte == b'}')?];
        let environment = environment(name)?;
        let whole = |body| match environment {
            Environment::Code => Some(Token::Verbatim(body)),
            Environment::Formula => Some(Token::Formula),
            Environment::LeftOut => Some(Token::Comment),
            Environment::Arguments(_) | Environment::Titled | Environment::Quote => None,
        };
        whole(0..0)?;
        // Searches for `{name}` and checks that `\end` precedes it, which saves building the string
        // `\end{name}`.
        let braced = &self.source[after..after + name.len() + 2];
        self.at = after + braced.len();
        let body = self.at;
        loop {
            let Some(at) = self.up_to(braced) else {
                self.at = after;
                return None;
            };
            let Some(end) = at.checked_sub("\\end".len()).filter(|end| *end >= body) else {
                continue;
            };
            if self.source.as_bytes()[end..].starts_with(b"\\end") {
                return whole(body..end);
            }
        }
    }

    /// Finds an end, and returns the offset after it; `None` if it does not occur in the paragraph,
    /// or on the line for [`Ending::Brace`].
    fn find(&mut self, ending: Ending) -> Option<usize> {
        let failed = ending as usize;
        if self.at < self.failed[failed] {
            return None;
        }
        let bytes = self.source.as_bytes();
        let mut at = self.at;
        loop {
            let next = match ending {
                Ending::Dollar | Ending::Dollars => memchr3(b'$', b'\\', b'\n', &bytes[at..]),
                Ending::Parenthesis | Ending::Bracket => memchr2(b'\\', b'\n', &bytes[at..]),
                Ending::Brace => memchr2(b'}', b'\n', &bytes[at..]),
            };
            let Some(next) = next.map(|next| at + next) else {
                self.failed[failed] = bytes.len();
                return None;
            };
            let behind = bytes.get(next + 1).copied();
            match (ending, bytes[next]) {
                (Ending::Brace, b'}') | (Ending::Dollar, b'$') => return Some(next + 1),
                (Ending::Dollars, b'$') if behind == Some(b'$') => return Some(next + 2),
                (Ending::Parenthesis, b'\\') if behind == Some(b')') => return Some(next + 2),
                (Ending::Bracket, b'\\') if behind == Some(b']') => return Some(next + 2),
                (_, b'\n')
                    if matches!(ending, Ending::Brace) || is_empty_line(&bytes[next + 1..]) =>
                {
                    self.failed[failed] = next;
                    return None;
                }
                (_, b'\\') => at = bytes.len().min(next + 2),
                _ => at = next + 1,
            }
        }
    }
}

/// Reports whether bytes begin with a blank line.
fn is_empty_line(bytes: &[u8]) -> bool {
    let blanks = bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
    bytes.get(blanks) == Some(&b'\n')
}

// Matching braces, and the beginning and the end of the document body.

/// The groups of a document.
#[derive(Debug)]
pub(super) struct Braces {
    /// The offset of each opening brace and bracket, and of its counterpart; 0 if it is never
    /// closed.
    pairs: Vec<(usize, usize)>,
    /// The body: from `\begin{document}`, or the beginning of the file if there is none, to
    /// `\end{document}` or the end of the file.
    pub(super) document: Range<usize>,
}

impl Braces {
    pub(super) fn new(source: &str) -> Self {
        let bytes = source.as_bytes();
        let mut scanner = Scanner::new(source);
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        // The indices in `pairs` of those that are open.
        let mut open: Vec<usize> = Vec::new();
        let (mut start, mut end) = (None, None);
        while let Some((token, range)) = scanner.next() {
            let is_bracket = |pair: usize| bytes[pairs[pair].0] == b'[';
            match token {
                Token::Open => {
                    open.push(pairs.len());
                    pairs.push((range.start, 0));
                }
                Token::Close => {
                    // A bracket that is still open when the braces around it close is ordinary
                    // text.
                    while bytes[range.start] == b'}' && open.pop_if(|it| is_bracket(*it)).is_some()
                    {
                    }
                    let is_bracket = bytes[range.start] == b']';
                    let pair = open.pop_if(|it| (bytes[pairs[*it].0] == b'[') == is_bracket);
                    if let Some(pair) = pair {
                        pairs[pair].1 = range.start;
                    }
                }
                Token::Blank(Separator::Paragraph) => {
                    while open.pop_if(|it| is_bracket(*it)).is_some() {}
                }
                Token::Command("begin") if source[range.end..].starts_with("{document}") => {
                    start.get_or_insert(range.start);
                }
                Token::Command("end") if source[range.end..].starts_with("{document}") => {
                    end.get_or_insert(range.start);
                }
                _ => {}
            }
        }
        let start = start.unwrap_or(0);
        let end = end.filter(|end| start < *end).unwrap_or(source.len());
        Self { pairs, document: start..end }
    }

    /// Returns the range between the brace or bracket at a byte and its counterpart; `None` if
    /// neither is at that byte, or if it is never closed.
    pub(super) fn group(&self, at: usize) -> Option<Range<usize>> {
        let pair = self.pairs.binary_search_by_key(&at, |(open, _)| *open).ok()?;
        let (open, close) = self.pairs[pair];
        (close > open).then(|| open + 1..close)
    }
}

// What a file declares about itself.

/// Reports whether a text is a LaTeX document: after comments, it begins with its document class.
pub(crate) fn is_latex(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_ascii_start();
    while rest.starts_with('%') {
        let end = memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        rest = rest[end..].trim_ascii_start();
    }
    ["\\documentclass", "\\documentstyle"].into_iter().any(|class| {
        let behind = rest.strip_prefix(class).map(str::trim_ascii_start);
        behind.is_some_and(|behind| behind.starts_with(['{', '[']))
    })
}

/// The number of bytes at the beginning of a document in which it may declare its encoding.
const PREAMBLE: usize = 8_192;

/// Returns the encoding that a document declares with `inputenc`; `None` if its first `PREAMBLE`
/// bytes declare none. Names that LaTeX alone uses are translated to labels of the WHATWG Encoding
/// Standard.
pub(crate) fn declared_encoding(bytes: &[u8]) -> Option<&str> {
    let preamble = &bytes[..bytes.len().min(PREAMBLE)];
    let before = &preamble[..memmem::find(preamble, b"]{inputenc}")?];
    memmem::find(before, b"\\document")?;
    let start = before.iter().rposition(|byte| matches!(byte, b'[' | b'\n'))?;
    let name = str::from_utf8(&before[start..]).ok()?.strip_prefix('[')?.trim();
    Some(match name {
        "ansinew" => "windows-1252",
        "applemac" => "macintosh",
        "latin9" => "iso-8859-15",
        name => name,
    })
}
