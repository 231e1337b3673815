//! The characters of LaTeX → its tokens, and which braces belong together.
//!
//! Goes in: a document. Comes out: text, commands, braces and what stands for itself, one after
//! the other; formulas, comments and program code in one piece. What is never closed is not taken
//! for what it begins as. A look for an end that has failed is not made again, so that all of it
//! is linear in the document.

use std::ops::Range;

use memchr::{memchr, memchr2, memchr3, memmem};

use super::{Argument, Whole, argument, is_unit, whole};
use crate::text::source_map::Gap;

/// A part of a document.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Token<'s> {
    /// Characters of which none is special.
    Text,
    /// White space that begins with a line end or a tab.
    Blank(Gap),
    /// A character, or some of one kind, that may stand for another: two hyphens.
    Mark,
    /// What parts the cells of a table.
    Cell,
    /// An opening brace, or bracket.
    Open,
    /// A closing brace, or bracket.
    Close,
    /// A command of one character that is no letter.
    Symbol(char),
    /// A command by its name, which is of letters; a star behind it is part of the token.
    Command(&'s str),
    /// Text that stands as it is, with where it stands in the document.
    Verbatim(Range<usize>),
    Formula,
    Comment,
}

/// Reads tokens, one after the other.
#[derive(Debug)]
pub(super) struct Scanner<'s> {
    source: &'s str,
    at: usize,
    /// For each kind of end, up to where it is known that there is none.
    failed: [usize; 5],
    /// What has no end further on.
    unclosed: Vec<&'s str>,
}

/// An end that is looked for within a paragraph or a line.
#[derive(Clone, Copy, Debug)]
enum Ending {
    Dollar,
    Dollars,
    Parenthesis,
    Bracket,
    /// A brace on the same line.
    Brace,
}

/// The bytes at which text ends.
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

/// The most bytes of the slides that beamer names: `<1-3| handout:0>`.
const LONGEST_OVERLAY: usize = 40;

impl<'s> Scanner<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        Self { source, at: 0, failed: [0; 5], unclosed: Vec::new() }
    }

    /// The byte that the next token begins at.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The next token, and where it stands; none at the end.
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
            b'$' => self.dollar(),
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

    /// What the next token is.
    pub(super) fn peek(&mut self) -> Option<(Token<'s>, Range<usize>)> {
        let at = self.at;
        let token = self.next();
        self.at = at;
        token
    }

    // What is passed over.

    /// Goes on at a byte, which is the next one or further on.
    pub(super) fn skip_to(&mut self, at: usize) {
        self.at = self.at.max(at);
    }

    /// Passes over a byte, if it comes next.
    pub(super) fn skip_byte(&mut self, byte: u8) -> bool {
        let is_next = self.source.as_bytes().get(self.at) == Some(&byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Passes over white space, and says how it parts text.
    fn skip_white_space(&mut self) -> Gap {
        let rest = self.source[self.at..].bytes();
        let (mut length, mut feeds, mut returns) = (0, 0, 0);
        for byte in rest.take_while(u8::is_ascii_whitespace) {
            length += 1;
            feeds += usize::from(byte == b'\n');
            returns += usize::from(byte == b'\r');
        }
        self.at += length;
        match feeds.max(returns) {
            0 => Gap::Space,
            1 => Gap::Break,
            _ => Gap::Paragraph,
        }
    }

    /// Passes over white space within a paragraph.
    pub(super) fn skip_blanks(&mut self) {
        let at = self.at;
        if self.skip_white_space() == Gap::Paragraph {
            self.at = at;
        }
    }

    /// Passes over white space within a paragraph, if a byte comes behind it.
    pub(super) fn skip_blanks_before(&mut self, byte: u8) {
        let at = self.at;
        self.skip_blanks();
        if self.source.as_bytes().get(self.at) != Some(&byte) {
            self.at = at;
        }
    }

    /// Passes over the slides that beamer names: `<2->`.
    pub(super) fn skip_overlay(&mut self) {
        let rest = &self.source.as_bytes()[self.at..];
        let is_of_one = |byte: &u8| byte.is_ascii_alphanumeric() || b"-+,|:.@* ".contains(byte);
        if let Some((b'<', rest)) = rest.split_first() {
            let length = rest.iter().take(LONGEST_OVERLAY).take_while(|it| is_of_one(it)).count();
            if length > 0 && rest.get(length) == Some(&b'>') {
                self.at += length + 2;
            }
        }
    }

    /// Passes over a length: `=2pt plus 1fil`.
    pub(super) fn skip_length(&mut self) {
        self.skip_blanks();
        self.skip_byte(b'=');
        loop {
            self.skip_blanks();
            let rest = &self.source.as_bytes()[self.at..];
            let is_of_number = |byte: &&u8| byte.is_ascii_digit() || b"+-.,".contains(byte);
            let number = rest.iter().take(LONGEST_OVERLAY).take_while(is_of_number).count();
            let is_letter = |byte: &&u8| byte.is_ascii_lowercase();
            let unit = rest[number..].iter().take(6).take_while(is_letter).count();
            let is_joined = matches!(&rest[..unit], b"plus" | b"minus") && number == 0;
            if !is_joined && (number == 0 || !is_unit(&rest[number..number + unit])) {
                return;
            }
            self.at += number + unit;
        }
    }

    /// Passes over a comment, which ends with its line, and over the blanks that the next one
    /// begins with. Where that is empty, it parts paragraphs, and is left.
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

    // What has an end: formulas, code, and whatever TeX is told not to read.

    /// Reads a formula in the text; a dollar that is never closed is a mark.
    fn dollar(&mut self) -> Token<'s> {
        let ending = if self.skip_byte(b'$') { Ending::Dollars } else { Ending::Dollar };
        match self.find(ending) {
            Some(end) => {
                self.at = end;
                Token::Formula
            }
            None => Token::Mark,
        }
    }

    /// Reads a command, and what it begins if that is in one piece.
    fn command(&mut self) -> Token<'s> {
        let rest = &self.source[self.at..];
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        if letters == 0 {
            let Some(symbol) = rest.chars().next() else { return Token::Comment };
            let ending = match symbol {
                '(' => Ending::Parenthesis,
                '[' => Ending::Bracket,
                _ => {
                    self.at += symbol.len_utf8();
                    return Token::Symbol(symbol);
                }
            };
            self.at += 1;
            return match self.find(ending) {
                Some(end) => {
                    self.at = end;
                    Token::Formula
                }
                None => Token::Symbol(symbol),
            };
        }
        let name = &rest[..letters];
        self.at += letters;
        self.skip_byte(b'*');
        let whole = match argument(name) {
            Argument::Inline => self.inline(),
            Argument::Address => self.in_braces().map(Token::Verbatim),
            Argument::AddressOnly => self.in_braces().map(|_| Token::Comment),
            Argument::UpTo(end) => self.up_to(end).map(|_| Token::Comment),
            Argument::Environment => self.environment(),
            Argument::Nothing => None,
        };
        whole.unwrap_or(Token::Command(name))
    }

    /// Reads code within a line, between two of a character.
    fn inline(&mut self) -> Option<Token<'s>> {
        let bytes = self.source.as_bytes();
        let mut at = self.at;
        while let Some((open @ (b'[' | b'{'), rest)) = bytes[at..].split_first() {
            // Settings, or the language; code in braces ends what there is.
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

    /// Reads what stands in braces on the same line.
    fn in_braces(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        if !self.skip_byte(b'{') {
            return None;
        }
        let end = self.find(Ending::Brace);
        self.at = end.unwrap_or(start);
        end.map(|end| start + 1..end - 1)
    }

    /// Passes over all up to an end and the end; its beginning, or none where it does not come.
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

    /// Reads an environment that is in one piece.
    fn environment(&mut self) -> Option<Token<'s>> {
        let after = self.at;
        let rest = self.source[after..].strip_prefix('{')?;
        let name = &rest[..rest.bytes().take(40).position(|byte| byte == b'}')?];
        let whole = whole(name.trim_end_matches('*'))?;
        // \end{name}, without having to write it anew: the name with its braces, behind \end.
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
                return Some(match whole {
                    Whole::Code => Token::Verbatim(body..end),
                    Whole::Formula => Token::Formula,
                    Whole::LeftOut => Token::Comment,
                });
            }
        }
    }

    /// Finds an end; what is behind it, or none where it does not come in the paragraph.
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

/// Whether bytes begin with a line on which nothing stands.
fn is_empty_line(bytes: &[u8]) -> bool {
    let blanks = bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
    bytes.get(blanks) == Some(&b'\n')
}

// Which braces belong together, and where the document begins and ends.

/// The groups of a document.
#[derive(Debug)]
pub(super) struct Braces {
    /// Where each opening brace and bracket stands, and what closes it; 0 where nothing does.
    pairs: Vec<(usize, usize)>,
    /// From its beginning, where it says so, to its end.
    pub(super) document: Range<usize>,
}

impl Braces {
    pub(super) fn new(source: &str) -> Self {
        let bytes = source.as_bytes();
        let mut scanner = Scanner::new(source);
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        // Of those that are open, where they stand in the list.
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
                    // A bracket within braces that stays open is a bracket in the text.
                    while bytes[range.start] == b'}' && open.pop_if(|it| is_bracket(*it)).is_some()
                    {
                    }
                    let is_bracket = bytes[range.start] == b']';
                    let pair = open.pop_if(|it| (bytes[pairs[*it].0] == b'[') == is_bracket);
                    if let Some(pair) = pair {
                        pairs[pair].1 = range.start;
                    }
                }
                Token::Blank(Gap::Paragraph) => {
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

    /// What stands between the brace or bracket at a byte and what closes it; none where none
    /// stands there, or nothing does.
    pub(super) fn group(&self, at: usize) -> Option<Range<usize>> {
        let pair = self.pairs.binary_search_by_key(&at, |(open, _)| *open).ok()?;
        let (open, close) = self.pairs[pair];
        (close > open).then(|| open + 1..close)
    }
}

// What a file says of itself.

/// Whether a text says that it is LaTeX: comments aside it begins with the class of its document.
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

/// How far into a document it may say which encoding it is in.
const PREAMBLE: usize = 8_192;

/// The name of the encoding that a document says it is in, as the web has it.
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
