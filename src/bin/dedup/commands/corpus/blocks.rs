//! Finds a block of text that many pairs share, and advises the flag that excludes it.
//!
//! A header, a licence or a navigation bar that many texts contain makes a pair of every two of
//! them. The rule is in docs/corpus.md.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use dedup_text::corpus::CommonStretch;
use dedup_text::display::{counted, first_position, thousands, visible};
use dedup_text::passages::{Window, Words};
use dedup_text::rabin::residue;
use dedup_text::text::display_path;
use dedup_text::tokens;
use dedup_text::verdict::Verdict;

use crate::model::corpus::{Answer, Row};

/// The minimum number of texts that contain the block, and of pairs that share it.
const MIN_TEXTS: usize = 5;
const MIN_PAIRS: usize = 10;

/// The share of a text from which on shared passages are not a block in the text, but the text
/// itself.
const MAX_COVERED: f64 = 0.9;

/// The largest number of words of a passage that are searched for a block: longer passages are
/// seldom blocks.
const MAX_WORDS: usize = 400;

/// The least share of the texts that must contain the block, in hundredths: `--template-share` with
/// less would leave out what a few texts copied from each other.
const MIN_SHARE: usize = 50;

/// The number of words of a block that the hint quotes.
const QUOTED: usize = 8;

/// The windows of a passage, that is, its runs of as many words as a passage must have, each with
/// its byte range in the text.
type Windows = Vec<(Window, Range<usize>)>;

/// The pairs and the submissions that contain a window.
#[derive(Default)]
struct WindowUse {
    pairs: usize,
    texts: BTreeSet<Result<u32, u32>>,
}

/// Returns a hint about a block that many of the pairs share. `None` if there is no such block, if
/// less than half of the texts contain it, if most of its pairs share more than the block, so that
/// they would remain without it, if `--template-share` is given, or if the run has an index, in
/// whose texts the block cannot be counted.
pub(super) fn advice(answer: &Answer, rows: &[Row]) -> Option<String> {
    if answer.recipe.common.is_some() || answer.options.has_index {
        return None;
    }
    let mut known: BTreeMap<(u32, [usize; 2]), Windows> = BTreeMap::new();
    let mut found: BTreeMap<Window, WindowUse> = BTreeMap::new();
    let mut first: Vec<(u32, [usize; 2])> = Vec::new();
    for row in rows.iter().filter(|row| may_share_a_block(answer, row)) {
        let Some([left, right]) = row.shared.and_then(|shared| shared.longest) else { continue };
        let sides = [(row.pair.a, left), (row.pair.b, right)];
        for side in sides {
            known.entry(side).or_insert_with(|| windows(answer, side));
        }
        let [left, right] = sides.map(|side| {
            known[&side].iter().map(|(window, _)| *window).collect::<BTreeSet<Window>>()
        });
        for window in left.intersection(&right) {
            let found = found.entry(*window).or_default();
            found.pairs += 1;
            found.texts.extend([row.pair.a, row.pair.b].map(|text| submission(answer, text)));
        }
        first.push(sides[0]);
    }
    let pairs = found.values().map(|found| found.pairs).max()?;
    let is_most = |window: &Window| found.get(window).is_some_and(|it| it.pairs == pairs);
    // The first place with such a window, and the windows after it that are in as many pairs.
    let side = first.into_iter().find(|side| known[side].iter().any(|(it, _)| is_most(it)))?;
    let block = &known[&side];
    let start = block.iter().position(|(window, _)| is_most(window))?;
    let length = block[start..].iter().take_while(|(window, _)| is_most(window)).count();
    let texts = found.get(&block[start].0)?.texts.len();
    if texts < MIN_TEXTS || pairs < MIN_PAIRS {
        return None;
    }
    let span = block[start].1.start..block[start + length - 1].1.end;
    let words = length + answer.recipe.min_match.words() - 1;
    let text = &answer.document(side.0).text;
    let place = text.places(std::slice::from_ref(&span)).pop()?;
    let quoted: Vec<&str> = text.content()[span].split_whitespace().take(QUOTED).collect();
    let at = format!("{}, {}", display_path(text.file(&place).path()), first_position(&place));
    let quoted = quoted.join(" ");
    // If the block is too common to make a pair, the number of all texts that contain it is known.
    let is_block = |it: &&CommonStretch| it.words == words && it.excerpt.starts_with(&quoted);
    let (texts, of_pairs) = match answer.widespread().iter().find(is_block) {
        Some(stretch) => (stretch.texts, ""),
        None => (texts, " of these pairs"),
    };
    let share = share(texts, submissions(answer))?;
    let has_block = |side: &(u32, [usize; 2])| known[side].iter().any(|(it, _)| is_most(it));
    let shares_block = |row: &&Row| {
        let Some([left, right]) = row.shared.and_then(|shared| shared.longest) else {
            return false;
        };
        [(row.pair.a, left), (row.pair.b, right)].iter().all(has_block)
    };
    let is_removed = |row: &Row| {
        let others = row.shared.map_or(0, |shared| shared.words.saturating_sub(words));
        others < answer.recipe.min_match.words()
    };
    let only = rows.iter().filter(|row| may_share_a_block(answer, row)).filter(shares_block);
    let only = only.filter(|row| is_removed(row)).count();
    if 2 * only <= pairs {
        return None;
    }
    let (quoted, at) = (visible(&quoted), visible(&at));
    Some(format!(
        "{} of the pairs share a block of {} that {} texts{of_pairs} have: \"{quoted}…\" ({at}), \
         and {} of them little else; if this is boilerplate, leave it out with --template-share \
         {share}",
        thousands(pairs),
        counted(words, "word"),
        thousands(texts),
        thousands(only)
    ))
}

/// Reports whether a pair counts and neither of its texts is almost entirely contained in the
/// other.
fn may_share_a_block(answer: &Answer, row: &Row) -> bool {
    let Some(shared) = row.shared else { return false };
    let mut covered = shared.covered.iter().flatten();
    row.verdict >= answer.level
        && row.verdict < Verdict::Identical
        && row.accepted.is_none()
        && covered.all(|share| share.ratio() < MAX_COVERED)
}

/// Returns the windows of a passage of a text.
fn windows(answer: &Answer, (text, [start, end]): (u32, [usize; 2])) -> Windows {
    let Some(content) = answer.document(text).text.content().get(start..end) else {
        return Vec::new();
    };
    let tokens = tokens::split(content).0;
    let tokens = &tokens[..tokens.len().min(MAX_WORDS)];
    let keys = tokens.iter().map(|token| residue(token.word.as_bytes())).collect();
    let words = Words { keys, ..Words::default() };
    let min_match = answer.recipe.min_match;
    let placed = |(first, window): (usize, Window)| {
        let end = tokens[first + min_match.words() - 1].span.end;
        (window, start + tokens[first].span.start..start + end)
    };
    words.windows(min_match).into_iter().map(placed).collect()
}

/// Returns the submission of a text: its group, or else the text itself. As for `--template-share`,
/// the texts of one submission count as one.
fn submission(answer: &Answer, text: u32) -> Result<u32, u32> {
    answer.corpus().collection.place(text).group.ok_or(text)
}

/// Returns the number of submissions, as `--template-share` counts them.
fn submissions(answer: &Answer) -> usize {
    let corpus = answer.corpus();
    let numbers = (0_u32..).take(corpus.documents.len());
    let all: BTreeSet<Result<u32, u32>> = numbers.map(|text| submission(answer, text)).collect();
    all.len() + corpus.short.len()
}

/// Returns the share, in hundredths rounded down, that one text less than `texts` is of `all` texts:
/// `texts` exceed it. `None` if it is below [`MIN_SHARE`].
fn share(texts: usize, all: usize) -> Option<String> {
    let hundredths = 100 * texts.checked_sub(1)? / all;
    (hundredths >= MIN_SHARE).then(|| format!("0.{hundredths:02}").trim_end_matches('0').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_is_one_that_the_texts_exceed() {
        #[rustfmt::skip]
        let table = [
            ("none",           0,   10,   None),
            ("one",            1,   10,   None),
            ("a half",         6,   10,   Some("0.5")),
            ("all",            10,  10,   Some("0.9")),
            ("seven of nine",  7,   9,    Some("0.66")),
            ("under a half",   5,   10,   None),
            ("few of many",    11,  1000, None),
        ];
        for (why, texts, all, want) in table {
            assert_eq!(share(texts, all).as_deref(), want, "{why}");
        }
        for all in 3..200_usize {
            for texts in 1..=all {
                let Some(share) = share(texts, all) else { continue };
                let hundredths: usize = format!("{share:0<4}")[2..].parse().unwrap();
                assert!(texts * 100 > hundredths * all, "{texts} of {all}: {share}");
            }
        }
    }
}
