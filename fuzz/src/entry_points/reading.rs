//! Invariants of reading a file with any content.

use std::path::Path;

use dedup_text::text::formats::Kind;
use dedup_text::text::{Encoding, Markup, Place, ReadOptions, ReadTextError, Text};

/// Reads any bytes: encodings, disguises, and file types that are detected by their first bytes.
pub fn text(bytes: &[u8]) {
    check("fuzzed", bytes);
}

/// Reads the bytes as a web page.
pub fn page(bytes: &[u8]) {
    check("fuzzed", &[b"<!doctype html>", bytes].concat());
}

/// Reads the bytes as Rich Text Format.
pub fn rtf(bytes: &[u8]) {
    check("fuzzed", &[b"{\\rtf1", bytes].concat());
}

/// Reads the bytes as the cells of a notebook.
pub fn notebook(bytes: &[u8]) {
    check("fuzzed", &[b"{\"nbformat\": 4, \"cells\": [", bytes].concat());
}

/// Reads the bytes as Markdown.
pub fn markdown(bytes: &[u8]) {
    let Ok(source) = str::from_utf8(bytes) else { return };
    check("fuzzed.md", bytes);
    check_markdown(source);
}

/// Reads the bytes as LaTeX.
pub fn latex(bytes: &[u8]) {
    let Ok(source) = str::from_utf8(bytes) else { return };
    check("fuzzed.tex", bytes);
    check_latex(source);
}

/// Reads a file with the given name, whose extension may select a format. Checks that the result is
/// a text without NUL, the same each time, with positions that exist, or an error that names the
/// file.
pub(super) fn check(name: &str, bytes: &[u8]) {
    for reading in [ReadOptions::default(), ReadOptions { lossy: true, ..ReadOptions::default() }] {
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

/// Checks that the letters of a LaTeX text are in the order of the source. If the source has no
/// commands or quotes, and no disguises, each is the letter at its place in the source.
fn check_latex(source: &str) {
    let reading = ReadOptions { latex: Markup::On, ..ReadOptions::default() };
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
    // Letters with spaces between them are one word, of which each has the place.
    let is_spaced = |place: &&Place| source[place.bytes.clone()].contains(' ');
    for place in places.iter().filter(|place| !said && !is_spaced(place)) {
        assert_eq!(&content[place.content.clone()], &source[place.bytes.clone()]);
    }
}

/// Checks that the letters and digits of a Markdown text are in the source, in the same order.
/// Sources with entities or disguises are skipped.
pub(super) fn check_markdown(source: &str) {
    let reading = ReadOptions { markdown: Markup::On, ..ReadOptions::default() };
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
