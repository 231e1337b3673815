//! Bytes → groups, control words and letters.

/// What stands in a document.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Token<'a> {
    Open,
    Close,
    /// A control word with its number: `\fs24`.
    Word(&'a str, Option<i32>),
    /// A control symbol: `\~`; a line end for one that is escaped.
    Symbol(u8),
    /// A byte of text by its number: `\'e9`.
    Byte(u8),
    /// Bytes of text as they stand.
    Text(&'a [u8]),
}

/// The tokens of a document, as far as they are whole.
pub(super) struct Tokens<'a>(&'a [u8]);

impl<'a> Tokens<'a> {
    /// The tokens of a document.
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    fn take(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// What follows a backslash; none where the bytes end.
    fn control(&mut self) -> Option<Token<'a>> {
        match *self.0 {
            [b'\'', ref digits @ ..] => {
                let byte = digits.first_chunk().copied().and_then(byte_of);
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
        // One that is too large for the format stands for none.
        let number = number.parse().ok();
        if let [b' ', ..] = self.0 {
            self.take(1);
        }
        if name == "bin" {
            self.take(usize::try_from(number.unwrap_or(0)).unwrap_or(0)); // of a picture
        }
        Token::Word(name, number)
    }
}

/// The byte that two digits stand for.
fn byte_of(digits: [u8; 2]) -> Option<u8> {
    let [high, low] = digits.map(|digit| char::from(digit).to_digit(16));
    u8::try_from((high? << 4) | low?).ok()
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            match *self.0.first()? {
                b'{' => {
                    self.take(1);
                    return Some(Token::Open);
                }
                b'}' => {
                    self.take(1);
                    return Some(Token::Close);
                }
                b'\r' | b'\n' | 0 => drop(self.take(1)),
                b'\\' => {
                    self.take(1);
                    match (self.control(), self.0) {
                        (Some(token), _) => return Some(token),
                        (None, []) => return None,
                        (None, _) => {} // a number that is none
                    }
                }
                _ => {
                    let is_text =
                        |byte: &&u8| !matches!(byte, b'{' | b'}' | b'\\' | b'\r' | b'\n' | 0);
                    return Some(Token::Text(self.take(self.0.iter().take_while(is_text).count())));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
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
            assert_eq!(Tokens::of(bytes).collect::<Vec<_>>(), *want, "{why}");
        }
    }
}
