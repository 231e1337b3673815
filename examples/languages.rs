//! Prints README's table of languages: `cargo run --example languages`.

use std::io::Write;

use dedup_text::language::{Language, table};
use dedup_text::stopwords::StopWords;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "| code | language | stop words | stemmer |")?;
    writeln!(out, "|---|---|---|---|")?;
    for row in table::rows() {
        let list = Language::from_code(row.code).and_then(StopWords::of);
        let list = list.map_or("–".to_owned(), |list| list.len().to_string());
        let stemmer =
            row.stemmer.map_or("–".to_owned(), |(engine, name)| format!("{engine}, {name}"));
        writeln!(out, "| `{}`, `{}` | {} | {list} | {stemmer} |", row.code, row.short, row.name)?;
    }
    Ok(())
}
