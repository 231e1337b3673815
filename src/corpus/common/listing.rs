//! What is told of common stretches: each that says something new.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use super::super::reader::Reader;
use super::{CommonStretch, Stretch, Waiting};
use crate::passages::{Common, MinMatch};

/// The most characters of an excerpt.
const EXCERPT: usize = 80;

/// A stretch that may be told.
struct Candidate {
    text: usize,
    span: Range<usize>,
    words: usize,
    /// The most submissions that a window of it stands in.
    texts: usize,
    /// The numbers of its windows.
    windows: Vec<usize>,
}

/// The stretches that say something new, the longest first, of equal ones the first.
pub(super) fn told(
    waiting: &[Waiting],
    found: &[Vec<Stretch>],
    reader: &mut Reader,
    common: &Common,
    least: MinMatch,
) -> Vec<CommonStretch> {
    let mut candidates = candidates(waiting, found, reader, common, least);
    candidates.sort_by_key(|stretch| Reverse(stretch.words));
    let mut is_told = vec![false; common.len()];
    candidates.retain(|stretch| {
        let news = |news, window: &usize| !std::mem::replace(&mut is_told[*window], true) | news;
        stretch.windows.iter().fold(false, news)
    });
    let told =
        candidates.into_iter().filter_map(|Candidate { text, span, words, texts, .. }| {
            CommonStretch::of(&waiting[text].opened.text, span, [words, texts])
        });
    told.collect()
}

/// Each stretch once, where it stands first. A text with some is read once.
fn candidates(
    waiting: &[Waiting],
    found: &[Vec<Stretch>],
    reader: &mut Reader,
    common: &Common,
    least: MinMatch,
) -> Vec<Candidate> {
    let mut known = BTreeSet::new();
    let mut candidates = Vec::new();
    for (text, stretches) in found.iter().enumerate() {
        let is_new = |stretch: &&Stretch| known.insert((stretch.whole, stretch.range.len()));
        let new: Vec<&Stretch> = stretches.iter().filter(is_new).collect();
        if new.is_empty() {
            continue;
        }
        let all = reader.words(&waiting[text].remaining()).0.windows(least);
        for Stretch { range, span, .. } in new {
            let from = all.partition_point(|(at, _)| *at < range.start);
            let inside = all[from..].iter().take_while(|(at, _)| at + least.words() <= range.end);
            let known: Vec<_> = inside.filter_map(|(_, window)| common.get(*window)).collect();
            candidates.push(Candidate {
                text,
                span: span.clone(),
                words: range.len(),
                texts: known.iter().map(|(_, texts)| *texts).max().unwrap_or_default(),
                windows: known.into_iter().map(|(number, _)| number).collect(),
            });
        }
    }
    candidates
}

/// How a part of a text begins.
pub(super) fn excerpt(content: &str) -> String {
    let mut excerpt = String::new();
    for word in content.split_whitespace() {
        let space = usize::from(!excerpt.is_empty());
        if excerpt.chars().count() + space + word.chars().count() > EXCERPT {
            excerpt.extend(word.chars().take(if space == 0 { EXCERPT } else { 0 }));
            return excerpt + "…";
        }
        excerpt.extend(std::iter::repeat_n(' ', space));
        excerpt.push_str(word);
    }
    excerpt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_whole_words_of_80_characters() {
        let forty = "é".repeat(40);
        #[rustfmt::skip]
        let table = [
            ("short",              "One  two\n\tthree".to_owned(), "One two three".to_owned()),
            ("79 and a space",     format!("{forty} {}", &"x".repeat(39)), format!("{forty} {}", "x".repeat(39))),
            ("one too many",       format!("{forty} {}", "x".repeat(40)), format!("{forty}…")),
            ("a long word",        "水".repeat(81), format!("{}…", "水".repeat(80))),
        ];
        for (why, content, want) in table {
            assert_eq!(excerpt(&content), want, "{why}");
        }
    }
}
