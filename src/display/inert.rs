//! Changes output so that no program that reads a log takes a part of it for a command.
//!
//! GitHub's runner takes `::name …::` at the beginning of a line, after white space, and `##[name]`
//! anywhere in a line; others take `##vso[…]` and `##teamcity[…]`. The runner compares strings by
//! the rules of its language, which ignore invisible characters. So a zero-width space between the
//! two signs would not help; instead, the first of them is replaced by its escape. This is done on
//! every machine, whether or not a runner reads the output, because an answer must not depend on
//! who reads it.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use super::hides;

/// Makes a text for people inert: no line contains a command, at its beginning or further on.
pub fn text(text: &str) -> Cow<'_, str> {
    if !text.contains('#') && !text.split('\n').any(begins_command) {
        return Cow::Borrowed(text);
    }
    let mut inert = String::with_capacity(text.len() + 16);
    for line in text.split_inclusive('\n') {
        let line = part(line);
        if begins_command(&line) {
            inert.push_str(&line.replacen(':', r"\u{3a}", 1));
        } else {
            inert.push_str(&line);
        }
    }
    Cow::Owned(inert)
}

/// Makes a part of a line inert that is not at the beginning of the line.
pub fn part(part: &str) -> Cow<'_, str> {
    without_marks(part, r"\u{23}")
}

/// Serializes a value as JSON on one line and makes it inert; the strings in it keep their values.
///
/// # Errors
///
/// Returns an error if the value reports that it cannot be serialized.
pub fn json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let json = serde_json::to_string(value)?;
    Ok(match without_marks(&json, r"\u0023") {
        Cow::Borrowed(_) => json,
        Cow::Owned(inert) => inert,
    })
}

/// Writes a value like [`json`], piece by piece, so that a long list need not be in memory.
///
/// # Errors
///
/// Returns an error if the value cannot be serialized or written.
pub fn write_json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    Ok(value.serialize(&mut Serializer::with_formatter(out, InertFormatter))?)
}

/// The compact format, in which no string contains a command. A command never extends beyond a
/// character that is escaped.
struct InertFormatter;

impl Formatter for InertFormatter {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        writer.write_all(without_marks(fragment, r"\u0023").as_bytes())
    }
}

/// Reports whether a line begins with two colons, after white space and invisible characters.
fn begins_command(line: &str) -> bool {
    let mut seen =
        line.trim_start_matches(|letter: char| letter.is_whitespace() || is_unseen(letter));
    for _ in 0..2 {
        let Some(rest) = seen.strip_prefix(':') else { return false };
        seen = rest.trim_start_matches(is_unseen);
    }
    true
}

/// Replaces the first sign of each `##name[` by `instead`.
fn without_marks<'t>(text: &'t str, instead: &str) -> Cow<'t, str> {
    let mut inert = String::new();
    let mut written = 0;
    for at in memchr::memchr_iter(b'#', text.as_bytes()) {
        if is_mark(&text[at + 1..]) {
            inert.push_str(&text[written..at]);
            inert.push_str(instead);
            written = at + 1;
        }
    }
    if written == 0 {
        return Cow::Borrowed(text);
    }
    inert.push_str(&text[written..]);
    Cow::Owned(inert)
}

/// Reports whether the text after a `#` makes a command of it: another `#`, any number of ASCII
/// letters, and an opening bracket. Invisible characters are ignored.
fn is_mark(rest: &str) -> bool {
    let mut seen = rest.chars().filter(|letter| !is_unseen(*letter));
    seen.next() == Some('#') && seen.find(|letter| !letter.is_ascii_alphabetic()) == Some('[')
}

/// Reports whether a character is ignored when texts are compared as people see them: characters
/// that move the cursor, that join, separate or reverse letters, or that select among their forms.
fn is_unseen(letter: char) -> bool {
    (hides(letter) && !letter.is_whitespace())
        || matches!(
            letter,
            '\u{ad}' | '\u{34f}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
                | '\u{fe00}'..='\u{fe0f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0080}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn no_line_is_a_command() {
        #[rustfmt::skip]
        let table = [
            ("nothing",               "",                              ""),
            ("prose",                 "a # b: c :: d\n  e # f\n",      "a # b: c :: d\n  e # f\n"),
            ("of the second kind",    "::error::x",                    "\\u{3a}:error::x"),
            ("on a later line",       "a\n::error::x\nb\n",            "a\n\\u{3a}:error::x\nb\n"),
            ("behind blanks",         " \t\u{a0}\u{3000}::debug::x",   " \t\u{a0}\u{3000}\\u{3a}:debug::x"),
            ("behind a return",       "a\n\r::debug::x",               "a\n\r\\u{3a}:debug::x"),
            ("further on",            "a ::error::x",                  "a ::error::x"),
            ("one colon",             ":error::x\n: :",                ":error::x\n: :"),
            ("parted unseen",         "\u{200b}:\u{ad}:error::x",      "\u{200b}\\u{3a}\u{ad}:error::x"),
            ("of the first kind",     "a ##[error]b",                  "a \\u{23}#[error]b"),
            ("twice",                 "##[a]##[b]",                    "\\u{23}#[a]\\u{23}#[b]"),
            ("of more signs",         "###[a]",                        "#\\u{23}#[a]"),
            ("of Azure",              "##vso[task.complete]",          "\\u{23}#vso[task.complete]"),
            ("parted unseen",         "#\u{200d}#\u{fe0f}[a]",         "\\u{23}\u{200d}#\u{fe0f}[a]"),
            ("a heading",             "## [a](b)\n## a[0]\n#[a]",      "## [a](b)\n## a[0]\n#[a]"),
            ("both",                  "::##[a]",                       "\\u{3a}:\\u{23}#[a]"),
        ];
        for (why, given, want) in table {
            assert_eq!(text(given), want, "{why}");
        }
    }

    #[test]
    fn json_says_the_same() {
        let value = ["a ##[error]b", "::x", "# ## #[", "##vso[\u{202e}"];
        let written = json(&value).unwrap();
        assert_eq!(
            written,
            "[\"a \\u0023#[error]b\",\"::x\",\"# ## #[\",\"\\u0023#vso[\u{202e}\"]"
        );
        assert_eq!(serde_json::from_str::<[String; 4]>(&written).unwrap(), value);
    }

    #[test]
    fn json_in_pieces_is_the_same() {
        #[rustfmt::skip]
        let table = [
            ("no command",           "# a"),
            ("a command",            "a ##[error]b"),
            ("an escape in it",      "#\n#[a] ##\"[ #\u{0}#["),
            ("an escape next to it", "\t##[a]\\##vso["),
            ("unseen letters in it", "#\u{ad}#\u{202e}[ #\u{7f}#["),
        ];
        for (why, text) in table {
            let value = [(text, "[a]")];
            let mut pieces = Vec::new();
            write_json(&mut pieces, &value).unwrap();
            assert_eq!(String::from_utf8(pieces).unwrap(), json(&value).unwrap(), "{why}");
        }
    }

    proptest! {
        /// An inert text stays as it is and contains no command, by a plain definition of a
        /// command.
        #[test]
        fn what_is_inert_holds_no_command(given in "[ #:\\[\\]a\u{ad}\u{200b}\n]{0,30}") {
            let inert = text(&given).into_owned();
            prop_assert_eq!(text(&inert), inert.as_str());
            let seen: String = inert.chars().filter(|letter| !is_unseen(*letter)).collect();
            prop_assert!(seen.lines().all(|line| !line.trim_start().starts_with("::")));
            prop_assert!(!seen.contains("##[") && !seen.contains("##a[") && !seen.contains("##aa["));
        }
    }
}
