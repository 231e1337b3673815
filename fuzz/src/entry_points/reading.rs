//! What holds of any file, whatever it is.

use std::path::Path;

use dedup_text::text::formats::Kind;
use dedup_text::text::{Encoding, Markup, ReadTextError, Reading, Text};

/// Any bytes: encodings, disguises, and kinds that are reported by their first bytes.
pub fn text(bytes: &[u8]) {
    check("fuzzed", bytes);
}

/// Web pages.
pub fn page(bytes: &[u8]) {
    check("fuzzed", &[b"<!doctype html>", bytes].concat());
}

/// Rich Text Format.
pub fn rtf(bytes: &[u8]) {
    check("fuzzed", &[b"{\\rtf1", bytes].concat());
}

/// Notebooks.
pub fn notebook(bytes: &[u8]) {
    check("fuzzed", &[b"{\"nbformat\": 4, \"cells\": [", bytes].concat());
}

/// Markdown.
pub fn markdown(bytes: &[u8]) {
    let Ok(source) = str::from_utf8(bytes) else { return };
    check("fuzzed.md", bytes);
    check_markdown(source);
}

/// LaTeX.
pub fn latex(bytes: &[u8]) {
    let Ok(source) = str::from_utf8(bytes) else { return };
    check("fuzzed.tex", bytes);
    check_latex(source);
}

/// Reads a file of the name, as Markdown where its name says so. Any bytes are a text, the
/// same each time, without a NUL and told by lines that it has; or an error that names it.
pub(super) fn check(name: &str, bytes: &[u8]) {
    // Other programs read those.
    let is_old = bytes.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1");
    if is_old || bytes.trim_ascii_start().starts_with(b"%PDF-") {
        return;
    }
    for reading in [Reading::default(), Reading { lossy: true, ..Reading::default() }] {
        let read = || Text::decode(Path::new(name), bytes.to_vec(), &reading);
        match read() {
            Ok(text) => {
                assert!(!text.content().contains('\0'));
                assert_eq!(text.bytes(), bytes.len());
                for found in text.disguises() {
                    assert!(found.words > 0 && !found.example.is_empty());
                    assert!(found.line.is_none_or(|line| line >= 1 && line <= 1 + bytes.len()));
                }
                for stretch in &text.marked().stretches {
                    let (whole, inner) = (&stretch.whole, &stretch.inner);
                    assert!(whole.start <= inner.start && inner.end <= whole.end);
                    assert!(text.content().get(whole.clone()).is_some(), "{whole:?}");
                    assert!(text.content().get(inner.clone()).is_some(), "{inner:?}");
                }
                assert_eq!(read().ok(), Some(text));
            }
            Err(trouble) => {
                assert!(trouble.to_string().starts_with(name));
                let is_damage = matches!(trouble, ReadTextError::Damaged { .. });
                assert!(!(reading.lossy && is_damage), "{trouble}");
            }
        }
    }
}

/// Reads bytes as LaTeX: no letter of it stands before another that the text has behind it.
fn check_latex(source: &str) {
    let reading = Reading { latex: Markup::On, ..Reading::default() };
    let Ok(text) = Text::decode(Path::new("fuzzed"), source.into(), &reading) else { return };
    if text.kind() != Kind::Latex || text.encoding() != Encoding::UTF_8 {
        return;
    }
    let content = text.content();
    let words: Vec<_> = content
        .char_indices()
        .filter(|(_, letter)| letter.is_alphanumeric())
        .map(|(at, letter)| at..at + letter.len_utf8())
        .collect();
    let places = text.places(&words);
    assert!(places.windows(2).all(|two| two[0].bytes.start <= two[1].bytes.start));
    let said = source.contains(['\\', '"']) || !text.disguises().is_empty();
    for place in places.iter().filter(|_| !said) {
        assert_eq!(&content[place.content.clone()], &source[place.bytes.clone()]);
    }
}

/// Reads bytes as Markdown: what is not a mark is there, in its order.
/// Those that entities stand for are skipped.
pub(super) fn check_markdown(source: &str) {
    let reading = Reading { markdown: Markup::On, ..Reading::default() };
    let Ok(text) = Text::decode(Path::new("fuzzed"), source.into(), &reading) else { return };
    let is_plainly_read = text.kind() == Kind::Markdown && text.encoding() == Encoding::UTF_8;
    if !is_plainly_read || source.contains('&') || !text.disguises().is_empty() {
        return;
    }
    let mut letters = source.chars();
    for letter in text.content().chars().filter(|letter| letter.is_alphanumeric()) {
        assert!(letters.any(|other| other == letter), "{letter:?} is not in its place");
    }
}
