//! Prints the tables of docs/languages.md: `cargo run --example languages`.

use std::io::Write;

use dedup_text::language::{self, Language};
use dedup_text::stopwords::StopWords;

fn main() -> std::io::Result<()> {
    write!(std::io::stdout().lock(), "{}\n{}", languages(), negations())
}

/// Returns the table of languages in Markdown. A test checks that docs/languages.md contains it.
pub(crate) fn languages() -> String {
    let rows = language::rows().iter().map(|row| {
        let list = Language::from_code(row.code).and_then(StopWords::new);
        let list = list.map_or("–".to_owned(), |list| list.len().to_string());
        let stemmer =
            row.stemmer.map_or("–".to_owned(), |(engine, name)| format!("{engine}, {name}"));
        format!("| `{}`, `{}` | {} | {list} | {stemmer} |\n", row.code, row.short, row.name)
    });
    let head = "| code | language | stop words | stemmer |\n|---|---|---|---|\n".to_owned();
    rows.fold(head, |table, row| table + &row)
}

/// Returns the table of the words that negate.
pub(crate) fn negations() -> String {
    let rows = language::rows().iter().filter(|row| row.negations().next().is_some()).map(|row| {
        let words: Vec<&str> = row.negations().collect();
        format!("| {} | {} |\n", row.name, words.join(" "))
    });
    let head = "| language | entries of its list that are kept |\n|---|---|\n".to_owned();
    rows.fold(head, |table, row| table + &row)
}
