//! The lines of a PDF → its paragraphs.
//!
//! A PDF has lines as they stand on its pages. On a page as wide as the window they are hard to
//! read.

use std::borrow::Cow;

use dedup_text::text::Text;
use dedup_text::text::formats::Kind;

/// What begins an item of a list.
const BULLETS: &str = "•‣▪–-*";

/// The content of a text as a page shows it: the same length, each word at the same bytes. Within
/// a paragraph of a PDF the end of a line is a space; where a word goes on behind it, the hyphen
/// and the line end are a soft hyphen.
pub(crate) fn shown(text: &Text) -> Cow<'_, str> {
    match text.kind() {
        Kind::Pdf => joined(text.content()).into(),
        _ => text.content().into(),
    }
}

fn joined(content: &str) -> String {
    let mut shown = String::with_capacity(content.len());
    let full = full_length(content);
    let mut lines = content.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let next = lines.peek().and_then(|next| next.chars().next()).unwrap_or('\n');
        let bare = line.trim_end_matches('\n');
        let begins = next.is_whitespace() || BULLETS.contains(next);
        let word = bare.strip_suffix('-').filter(|word| word.ends_with(char::is_alphabetic));
        let (text, end) = match word {
            _ if begins || bare.chars().count() < full => (line, ""),
            Some(word) if next.is_lowercase() => (word, "\u{ad}"),
            _ => (bare, " "),
        };
        shown.push_str(text);
        shown.push_str(end);
    }
    shown
}

/// The fewest characters of a line that does not end its paragraph: two thirds of the length that
/// lines with half of the text have at most. Lists and tables of short lines do not count for
/// more than they hold.
fn full_length(content: &str) -> usize {
    let mut lengths: Vec<usize> = content.lines().map(|line| line.chars().count()).collect();
    lengths.sort_unstable();
    let half = lengths.iter().sum::<usize>() / 2;
    let mut shorter = 0;
    let middle = lengths.into_iter().find(|length| {
        shorter += length;
        shorter > half
    });
    middle.map_or(0, |length| (2 * length).div_ceil(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_paragraph_are_joined() {
        #[rustfmt::skip]
        let table = [
            ("nothing",             "",                                     ""),
            ("a paragraph",         "one two three\nfour five six\nend\n",  "one two three four five six end\n"),
            ("a blank line",        "one two three\n\nfour five six\n",     "one two three\n\nfour five six\n"),
            ("a short line",        "Heading\none two three\nfour five six\n", "Heading\none two three four five six\n"),
            ("short lines of a list", "one\ntwo\nsix\nten\n\none two three\nfour five six\n", "one\ntwo\nsix\nten\n\none two three four five six\n"),
            ("an indented line",    "one two three\n  four five six\n",    "one two three\n  four five six\n"),
            ("a list",              "one two three\n• four five\n– six seven\n", "one two three\n• four five\n– six seven\n"),
            ("a broken word",       "one two thr-\nee four five\n",        "one two thr\u{ad}ee four five\n"),
            ("a name in two parts", "one two Jean-\nPaul four five\n",     "one two Jean- Paul four five\n"),
            ("letters of several bytes", "éé éé éé é-\né üü üü ü\n",       "éé éé éé é\u{ad}é üü üü ü\n"),
            ("no line end",         "one two three\nfour five six",         "one two three four five six"),
        ];
        for (why, content, want) in table {
            let shown = joined(content);
            assert_eq!(shown, want, "{why}");
            assert_eq!(shown.len(), content.len(), "{why}");
        }
    }
}
