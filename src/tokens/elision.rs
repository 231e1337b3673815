//! Splits elided words: l'home becomes l and home.
//!
//! French, Italian and Catalan write an article, pronoun or preposition together with the following
//! word, separated only by an apostrophe. The words that are elided in this way are those of the
//! elision filters of Apache Lucene 10 for these languages.

use std::borrow::Cow;
use std::ops::Range;

use crate::language::Language;
use crate::language::Row;
use crate::tokens::normal::TYPED_APOSTROPHES;
use crate::tokens::{Token, Tokens};

/// The characters that become an apostrophe in the normal form, besides those that are typed for one.
const APOSTROPHES: [char; 5] = ['\'', '\u{2018}', '\u{2019}', '\u{2bc}', '\u{ff07}'];

/// Splits elided words in the languages that have them, and marks the first part as elided. Tokens
/// of other languages are returned unchanged. `text` is the text that the tokens were split from.
pub fn part<'t>(tokens: Tokens<'t>, text: &str, language: Option<Language>) -> Tokens<'t> {
    let Some(row) = language.map(Language::row).filter(|row| row.elided().next().is_some()) else {
        return tokens;
    };
    let parts = tokens.0.into_iter().flat_map(|token| match leaning_part(&token.word, row) {
        Some(leaning) => parted(&token, leaning, text).into(),
        None => vec![token],
    });
    Tokens(parts.collect())
}

/// Returns the length of the elided part at the start of a word, in bytes; `None` if there is no
/// such part, or if it is not followed by a letter or digit.
fn leaning_part(word: &str, row: &Row) -> Option<usize> {
    let (leaning, rest) = word.split_once('\'')?;
    let leans = row.elided().any(|elided| elided == leaning);
    (leans && rest.starts_with(char::is_alphanumeric)).then_some(leaning.len())
}

fn parted<'t>(token: &Token<'t>, leaning: usize, text: &str) -> [Token<'t>; 2] {
    let span = token.span.clone();
    let written = &text[span.clone()];
    let after = written
        .char_indices()
        .find(|(_, letter)| APOSTROPHES.contains(letter) || TYPED_APOSTROPHES.contains(letter))
        .map_or(span.end, |(at, letter)| span.start + at + letter.len_utf8());
    let piece = |word: Range<usize>, span: Range<usize>, elided: bool| Token {
        word: Cow::Owned(token.word[word].to_owned()),
        span,
        elided,
    };
    [
        piece(0..leaning, span.start..after, true),
        piece(leaning + 1..token.word.len(), after..span.end, false),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::split;

    #[test]
    fn the_word_is_parted_from_what_leans_on_it() {
        #[rustfmt::skip]
        let table: &[(&str, &str, &str, &[&str])] = &[
            ("Catalan article",      "cat", "l'home",          &["l'", "home"]),
            ("typographic",          "cat", "d’aigua",         &["d’", "aigua"]),
            ("the other mark",       "fra", "l‘eau",           &["l‘", "eau"]),
            ("a letter apostrophe",  "fra", "lʼeau",           &["lʼ", "eau"]),
            ("full width",           "fra", "l＇eau",           &["l＇", "eau"]),
            ("Italian",              "ita", "Dell'arte",       &["Dell'", "arte"]),
            ("French",               "fra", "qu'il jusqu'à",   &["qu'", "il", "jusqu'", "à"]),
            ("a word of its own",    "fra", "aujourd'hui",     &["aujourd'hui"]),
            ("no such word leans",   "ita", "qu'il",           &["qu'il"]),
            ("English does not",     "eng", "l'home don't",    &["l'home", "don't"]),
            ("only the first",       "cat", "d'anar-l'hi",     &["d'", "anar", "l'", "hi"]),
            ("the annex parts these", "fra", "l'11",            &["l", "11"]),
        ];
        for (why, code, text, want) in table {
            let tokens = part(split(text), text, Language::from_code(code));
            let written: Vec<&str> =
                tokens.0.iter().map(|token| &text[token.span.clone()]).collect();
            assert_eq!(written, *want, "{why}");
        }
    }

    #[test]
    fn the_part_that_leans_is_marked() {
        let tokens = part(split("L’HOME"), "L’HOME", Language::from_code("cat"));
        let words: Vec<(&str, bool)> = tokens.0.iter().map(|t| (&*t.word, t.elided)).collect();
        assert_eq!(words, [("l", true), ("home", false)]);
    }

    #[test]
    fn without_a_language_nothing_is_parted() {
        assert_eq!(part(split("l'home"), "l'home", None).len(), 1);
    }
}
