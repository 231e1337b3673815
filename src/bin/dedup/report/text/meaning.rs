//! What the figures mean, a sentence each, on lines that fit.

use std::fmt::Write;

use super::NAMES;
use crate::meaning::meaning;
use crate::report::Pair;

/// The longest line, in characters, however wide the screen is.
const LONGEST: usize = 80;

/// The sentences below the figures; nothing where there is no figure.
pub(super) fn written(pair: &Pair, width: usize) -> String {
    let width = width.min(LONGEST);
    let told = meaning(pair).sentences().into_iter();
    let page: String = told.map(|(name, sentence)| wrapped(name, &sentence, width)).collect();
    if page.is_empty() { page } else { format!("\n{page}") }
}

/// A sentence beside its name, broken between words.
fn wrapped(name: &str, sentence: &str, most: usize) -> String {
    let mut page = format!("{name:NAMES$}");
    let mut width = NAMES;
    for word in sentence.split(' ') {
        if width + 1 + word.chars().count() > most {
            let _ = write!(page, "\n{:NAMES$}", "");
            width = NAMES;
        }
        page.push(' ');
        page += word;
        width += 1 + word.chars().count();
    }
    page + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        let words = format!("{} {}", "a".repeat(67), "b");
        #[rustfmt::skip]
        let table = [
            ("one line",       "of a kind".to_owned(), "Jaccard      of a kind\n".to_owned()),
            ("just full",      "a".repeat(67),         format!("Jaccard      {}\n", "a".repeat(67))),
            ("a word more",    words,                  format!("Jaccard      {}\n             b\n", "a".repeat(67))),
        ];
        for (why, sentence, want) in table {
            assert_eq!(wrapped("Jaccard", &sentence, 80), want, "{why}");
        }
    }
}
