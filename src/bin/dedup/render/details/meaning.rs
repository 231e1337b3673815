//! What the figures mean, a sentence each, on lines that fit.

use super::NAMES;
use crate::model::meaning::meaning;
use crate::model::pair::Pair;
use crate::words::wrapped;

/// The longest line, in characters, however wide the screen is.
const LONGEST: usize = 80;

/// The sentences below the figures; nothing where there is no figure.
pub(super) fn render(pair: &Pair, width: usize) -> String {
    let width = width.min(LONGEST);
    let told = meaning(pair).sentences().into_iter();
    let page: String = told
        .map(|(name, sentence)| wrapped(&format!("{name:NAMES$} {sentence}"), width, NAMES + 1))
        .collect();
    if page.is_empty() { page } else { format!("\n{page}") }
}
