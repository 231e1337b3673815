//! Invariants of the words of any text.

use dedup_text::tokens;
use unicode_normalization::UnicodeNormalization;

/// Checks that the words of a text are at increasing places in it, and are the same in capitals and
/// in either normal form of Unicode.
pub fn words(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let found = tokens::split(text).0;
    let mut end = 0;
    let mut last = 0..0;
    for token in &found {
        assert!(text.get(token.span.clone()).is_some_and(|written| !written.is_empty()));
        assert!(token.span.start >= end || token.span == last, "{last:?} {:?}", token.span);
        assert!(!token.word.is_empty() && !token.word.contains(char::is_whitespace));
        (last, end) = (token.span.clone(), token.span.end);
    }
    let words = |text: &str| -> Vec<String> {
        tokens::split(text).0.iter().map(|token| token.word.to_string()).collect()
    };
    let mine = words(text);
    assert_eq!(words(&text.nfc().collect::<String>()), mine, "composed");
    assert_eq!(words(&text.nfd().collect::<String>()), mine, "decomposed");
    // The continuation of a word that is hyphenated at a line's end must be in lower case.
    let hyphens = ['-', '\u{2010}', '\u{ad}', '\u{ac}', '\u{2e17}', '\u{2e40}'];
    if !text.contains(['ı', 'İ']) && !text.contains(hyphens) {
        assert_eq!(words(&text.to_uppercase()), mine, "in capitals");
    }
}
