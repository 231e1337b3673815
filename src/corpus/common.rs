//! Finds what many texts of a corpus share: the text of an assignment rather than a copy.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use super::name_of;
use super::reader::{Prepared, TextReader};
use crate::interner::Spot;
use crate::parallel::{self, Advance};
use crate::passages::{
    ApproximateCounts, CommonRange, CommonWindows, MinMatch, SubmissionCounts, Window,
};
use crate::text::{Place, Text};
use crate::tokens::exclusions::{LeftOut, Why};
use crate::verdict::ratio::Ratio;

/// A stretch of words that more texts share than the recipe allows, and that counts in none of
/// them.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CommonStretch {
    /// The number of words.
    pub words: usize,
    /// The number of texts that contain a part of the stretch of the minimum length: the largest
    /// number over all of its parts. Texts of one group count once.
    pub texts: usize,
    /// The path of the first text, by name, that contains the stretch.
    pub path: PathBuf,
    /// Whether `place` refers to the file as it is stored, rather than to the text extracted from
    /// it.
    pub is_shown_as_stored: bool,
    /// The position of the stretch in that text.
    pub place: Place,
    /// The beginning of the stretch there, with each run of white space replaced by one space.
    pub excerpt: String,
}

impl CommonStretch {
    /// Returns the stretch of `words` words that `texts` texts share, as the first of them has it.
    /// `None` if the span is not within the text.
    pub(super) fn new(text: &Text, span: Range<usize>, [words, texts]: [usize; 2]) -> Option<Self> {
        let excerpt = excerpt(text.content().get(span.clone())?);
        let place = text.places(&[span]).pop()?;
        let file = text.file(&place);
        let (path, is_shown_as_stored) = (file.path().to_owned(), file.kind().is_shown_as_stored());
        Some(Self { words, texts, path, is_shown_as_stored, place, excerpt })
    }
}

/// A stretch of words of a text that is left out.
struct LeftOutStretch {
    /// The hash of all of its words.
    whole: Window,
    range: Range<usize>,
    span: Range<usize>,
}

/// The number of texts whose windows are held at a time.
const BATCH: usize = if cfg!(test) { 3 } else { 256 };

/// Returns the smallest number of texts that must have a window for it to be common: more than the
/// share of all texts, and at least two. `None` if there are fewer than three texts, or if all of
/// them are not enough.
pub(super) fn least_texts(share: Ratio, texts: usize) -> Option<usize> {
    let (numerator, denominator) = share.parts();
    let below = texts as u128 * u128::from(numerator) / u128::from(denominator);
    let min_texts = usize::try_from(below).unwrap_or(usize::MAX).saturating_add(1).max(2);
    (texts >= 3 && min_texts <= texts).then_some(min_texts)
}

/// Leaves out of each text what more than a share of the texts have, and returns what was left out,
/// the longest stretch first.
///
/// `deferred` is sorted by name. A window of `min_match` words, as they are written in what is left
/// of each text, is common if more than the share of the texts have it, however often it occurs in
/// each. All words of a common window are left out. Texts of one group count as one text; texts
/// that are too short to be compared count as well. A stretch is returned if it contains a common
/// window that no longer stretch contains, nor an earlier one of equal length. The cost is that of
/// sorting the words of each text.
pub(super) fn leave_out(
    deferred: &mut [Prepared],
    readers: &mut [TextReader],
    (share, min_match): (Ratio, MinMatch),
    advance: &Advance,
) -> Vec<CommonStretch> {
    deferred.sort_by(|one, other| name_of(&one.opened.text).cmp(name_of(&other.opened.text)));
    let (submissions, count) = submissions(deferred);
    let Some(least_texts) = least_texts(share, count) else { return Vec::new() };
    advance.begin(3 * deferred.len() as u64);
    let common = common(deferred, readers, &submissions, (min_match, least_texts), advance);
    let found = parallel::each_with(readers, deferred.iter(), |reader, deferred| {
        let (words, sequence) = reader.words(&deferred.remaining());
        let windows = common.windows(&words, min_match);
        let ranges = words.stretches(&windows, min_match);
        let spots = sequence.offsets.whole(deferred.opened.text.content(), &ranges).into_iter();
        advance.add(1);
        let stretch = |Spot { span, words: range }: Spot| LeftOutStretch {
            whole: words.window(range.clone()),
            range,
            span,
        };
        let stretches = spots.filter(|spot| !spot.words.is_empty()).map(stretch);
        (stretches.collect::<Vec<_>>(), windows)
    });
    let (found, windows): (Vec<Vec<LeftOutStretch>>, Vec<_>) = found.into_iter().unzip();
    let stretches = (0..).zip(&found).flat_map(|(text, stretches)| {
        stretches.iter().map(move |it| (text, it.range.clone(), it.whole))
    });
    let mut listed = common.listed(stretches, &windows, min_match);
    listed.sort_by_key(|it| Reverse(it.words.len()));
    let described = |CommonRange { text, words, texts, .. }: CommonRange| {
        let stretch = found[text as usize].iter().find(|it| it.range == words)?;
        let text = &deferred[text as usize].opened.text;
        CommonStretch::new(text, stretch.span.clone(), [words.len(), texts])
    };
    let common_stretches = listed.into_iter().filter_map(described).collect();
    for (deferred, stretches) in deferred.iter_mut().zip(found) {
        let left_out = stretches.into_iter().map(|stretch| LeftOut {
            why: Why::Common,
            span: stretch.span,
            words: stretch.range.len(),
        });
        deferred.left_out.extend(left_out);
        deferred.left_out.sort_by_key(|part| part.span.start);
    }
    common_stretches
}

/// Returns the number of the submission that each text belongs to, and the number of submissions.
fn submissions(deferred: &[Prepared]) -> (Vec<u32>, usize) {
    let (mut groups, mut count) = (BTreeMap::new(), 0);
    let mut next = || {
        count += 1;
        count - 1
    };
    let of_text = |deferred: &Prepared| match &deferred.opened.group {
        Some(group) => *groups.entry(group.clone()).or_insert_with(&mut next),
        None => next(),
    };
    let submissions = deferred.iter().map(of_text).collect();
    (submissions, count as usize)
}

/// Returns the windows that at least `least_texts` submissions have.
///
/// In addition to the texts, this takes at most half as many bytes as they have, at most 128 MiB,
/// and the bytes of the common windows: a first pass counts approximately, and only windows that
/// may be common are counted exactly.
fn common(
    deferred: &[Prepared],
    readers: &mut [TextReader],
    submissions: &[u32],
    (min_match, least_texts): (MinMatch, usize),
    advance: &Advance,
) -> CommonWindows {
    let bytes: usize = deferred.iter().map(|deferred| deferred.opened.text.content().len()).sum();
    let approximate = ApproximateCounts::new(bytes / 8, least_texts);
    let distinct = |reader: &mut TextReader, deferred: &Prepared| -> Vec<Window> {
        let windows = reader.words(&deferred.remaining()).0.windows(min_match);
        let mut windows: Vec<Window> = windows.into_iter().map(|(_, window)| window).collect();
        windows.sort_unstable();
        windows.dedup();
        advance.add(1);
        windows
    };
    parallel::each_with(readers, deferred.iter(), |reader, deferred| {
        for window in distinct(reader, deferred) {
            approximate.count(window);
        }
    });
    let mut order: Vec<usize> = (0..deferred.len()).collect();
    order.sort_by_key(|text| submissions[*text]);
    let mut counts = SubmissionCounts::default();
    for batch in order.chunks(BATCH) {
        let found = parallel::each_with(readers, batch, |reader, text| {
            let mut windows = distinct(reader, &deferred[*text]);
            windows.retain(|window| approximate.may_be_common(*window));
            windows
        });
        for (text, windows) in batch.iter().zip(found) {
            for window in windows {
                counts.count(window, submissions[*text]);
            }
        }
    }
    counts.common(least_texts)
}

/// The largest number of characters of an excerpt.
const EXCERPT: usize = 80;

/// Returns the beginning of a part of a text: whole words, up to [`EXCERPT`] characters. A longer
/// first word is cut. An ellipsis follows if anything is left out.
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
    fn what_is_common_stands_in_more_than_the_share_of_three_or_more() {
        let least_of_all = if usize::BITS == 64 { 19 } else { 2 };
        #[rustfmt::skip]
        let table = [
            ("no text",               "0.5",  0,  None),
            ("one",                   "0.5",  1,  None),
            ("two",                   "0.5",  2,  None),
            ("more than one and a half", "0.5", 3, Some(2)),
            ("more than two, not two", "0.5", 4,  Some(3)),
            ("more than 2.5",         "0.5",  5,  Some(3)),
            ("all three",             "0.99", 3,  Some(3)),
            ("more than all",         "1",    3,  None),
            ("two at least",          "0.1",  3,  Some(2)),
            ("more than three tenths", "0.3", 10, Some(4)),
            ("a third is more",       "0.333333333333333333", 3000, Some(1000)),
            ("a little more is not",  "0.333333333333333334", 3000, Some(1001)),
            ("the least share",       "0.000000000000000001", usize::MAX, Some(least_of_all)),
        ];
        for (why, share, texts, want) in table {
            assert_eq!(least_texts(share.parse().unwrap(), texts), want, "{why}");
        }
    }
}

#[cfg(test)]
mod listing_tests {
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
