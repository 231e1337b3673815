//! Finds what many texts of a corpus share: the text of an assignment rather than a copy.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::name_of;
use super::reader::{Prepared, TextReader};
use crate::display::{EXCERPT, excerpt};
use crate::pair::{CommonShare, matches};
use crate::parallel::{self, Advance};
use crate::passages::{
    ApproximateCounts, CommonRange, CommonWindows, MinMatch, SubmissionCounts, Templates, Window,
};
use crate::text::{Place, Text};
use crate::tokens;

/// What many texts of a corpus share, and which counts in none of them.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Common {
    /// The stretches, the longest first.
    pub stretches: Vec<CommonStretch>,
    /// All stretches as a text: a template without which each text is what it is without them.
    pub template: String,
}

/// A stretch of words that many texts share.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CommonStretch {
    /// The number of words, without those in between that were changed.
    pub words: usize,
    /// The number of texts that contain a part of the stretch of the minimum length: the largest
    /// number over all of its parts. Texts of one group count once.
    pub texts: usize,
    /// The number of all texts, counted in the same way.
    pub of: usize,
    /// The path of the first text, by name, that contains the stretch.
    pub path: PathBuf,
    /// Whether `place` refers to the file as it is stored, rather than to the text extracted from
    /// it.
    pub is_shown_as_stored: bool,
    /// The position of the stretch in that text.
    pub place: Place,
    /// The beginning of the stretch there, with each run of white space replaced by one space, and
    /// words that were changed by an ellipsis.
    pub excerpt: String,
}

impl CommonStretch {
    /// Returns the stretch of `words` words that `texts` of all texts share, as the first of them has
    /// it, in parts between which words were changed. `None` if it has no part.
    pub(super) fn new(
        text: &Text,
        parts: &[Range<usize>],
        [words, texts, of]: [usize; 3],
    ) -> Option<Self> {
        let span = parts.first()?.start..parts.last()?.end;
        let excerpt = excerpt(&written(text, parts), EXCERPT);
        let place = text.places(&[span]).pop()?;
        let file = text.file(&place);
        let (path, is_shown_as_stored) = (file.path().to_owned(), file.kind().is_shown_as_stored());
        Some(Self { words, texts, of, path, is_shown_as_stored, place, excerpt })
    }
}

/// Returns parts of a text as they are written, with an ellipsis between two of them.
fn written(text: &Text, parts: &[Range<usize>]) -> String {
    let parts = parts.iter().map(|part| text.content()[part.clone()].trim());
    parts.collect::<Vec<_>>().join(" … ")
}

/// Returns words of a text in normal form, given their positions: if a character stands for several
/// words, some of them cannot be written as they are there.
fn spelled(text: &Prepared, places: &[usize]) -> String {
    let remaining = text.remaining();
    let words = tokens::split_stretches(remaining.text(), remaining.spans()).0;
    places.iter().map(|at| &*words[*at].word).collect::<Vec<_>>().join(" ")
}

/// Returns ranges of the words that follow each other in a text, given the positions of some.
fn rows(places: &[usize]) -> Vec<Range<usize>> {
    let rows = places.chunk_by(|one, next| one + 1 == *next);
    rows.map(|row| row[0]..row[row.len() - 1] + 1).collect()
}

/// The number of texts whose windows are held at a time.
const BATCH: usize = if cfg!(test) { 3 } else { 256 };

/// Returns the smallest number of texts that must have a window for it to be common: at least the
/// share of all texts, and at least two. `None` if there are too few texts.
pub(super) fn least_texts(common: CommonShare, texts: usize) -> Option<usize> {
    let (numerator, denominator) = common.share.parts();
    let least = (texts as u128 * u128::from(numerator)).div_ceil(u128::from(denominator));
    let least = usize::try_from(least).unwrap_or(usize::MAX).max(2);
    (texts >= common.min_texts.max(3)).then_some(least)
}

/// Finds what many texts have, and leaves it out of each text.
///
/// `deferred` is sorted by name. A word is common if at least the share of the texts have it, as it is
/// written in what is left of each, however often. A window of `min_match` common words in a row, with
/// at most a few others in between, is common, too, if as many texts have it. Texts of one group count
/// as one text, and so do copies of a text; texts that are too short to be compared count as well. A
/// stretch is listed if it
/// contains a common window that no longer stretch contains, nor an earlier one of equal length. All
/// of them are a template: what each text [shares with it](Templates::shared_with) is left out. The
/// cost is that of sorting the words of each text.
pub(super) fn leave_out(
    deferred: &mut [Prepared],
    readers: &mut [TextReader],
    share: CommonShare,
    advance: &Advance,
) -> Common {
    deferred.sort_by(|one, other| name_of(&one.opened.text).cmp(name_of(&other.opened.text)));
    let (submissions, of) = submissions(deferred, readers);
    let mut all = Common::default();
    let (Some(least_texts), Some(reader)) = (least_texts(share, of), readers.first()) else {
        return all;
    };
    let recipe = reader.recipe();
    let min_match = recipe.templates.min_match;
    advance.begin(6 * deferred.len() as u64);
    let counted = |windows: &(dyn Fn(&mut TextReader, &Prepared) -> Vec<Window> + Sync),
                   readers: &mut [TextReader]| {
        common(deferred, readers, (&submissions, least_texts), &|reader, text| {
            advance.add(1);
            windows(reader, text)
        })
    };
    let words = counted(
        &|reader, text| {
            let (words, _) = reader.words(&text.remaining());
            (0..words.keys.len()).map(|at| words.window(at..at + 1)).collect()
        },
        readers,
    );
    let read = |reader: &mut TextReader, text: &Prepared| {
        let (all, sequence) = reader.words(&text.remaining());
        (all.only(|at| words.contains(all.window(at..at + 1))), sequence)
    };
    let windows = counted(
        &|reader, text| read(reader, text).0.windows(min_match).map(|(_, it)| it).collect(),
        readers,
    );
    let found = parallel::each_with(readers, deferred.iter(), |reader, text| {
        let (kept, _) = read(reader, text);
        let own = windows.among(kept.windows(min_match));
        let words = kept.words;
        let ranges = words.stretches(&own, min_match).into_iter();
        let stretches: Vec<_> = ranges.map(|it| (it.clone(), words.window(it))).collect();
        advance.add(1);
        (stretches, own)
    });
    let (stretches, own): (Vec<Vec<_>>, Vec<_>) = found.into_iter().unzip();
    let stretches = (0..).zip(stretches).flat_map(|(text, stretches)| {
        stretches.into_iter().map(move |(range, whole)| (text, range, whole))
    });
    let mut listed = windows.listed(stretches, &own, min_match);
    listed.sort_by_key(|it| (it.text, it.words.start));
    let mut paragraphs = Vec::new();
    for of_text in listed.chunk_by(|one, next| one.text == next.text) {
        let text = &deferred[of_text[0].text as usize];
        let (kept, sequence) = read(&mut readers[0], text);
        for CommonRange { words, texts, .. } in of_text {
            let parts = sequence.spans(&text.opened.text, &rows(&kept.places[words.clone()]));
            let counts = [words.len(), *texts, of];
            let Some(stretch) = CommonStretch::new(&text.opened.text, &parts, counts) else {
                continue;
            };
            all.stretches.push(stretch);
            let own = written(&text.opened.text, &parts);
            let is_whole = tokens::split(&own).len() == words.len();
            paragraphs.push(if is_whole {
                own
            } else {
                spelled(text, &kept.places[words.clone()])
            });
        }
    }
    all.stretches.sort_by_key(|it| Reverse(it.words));
    all.template = paragraphs.into_iter().map(|own| own + "\n").collect::<Vec<_>>().join("\n");
    let Some(templates) = all.templates(min_match) else { return all };
    parallel::each_with(readers, deferred.iter_mut(), |_, text| {
        let remaining = matches::remaining_without(&text.opened.text, recipe, &templates);
        text.left_out = remaining.left_out().to_vec();
    });
    all
}

impl Common {
    /// Returns the template as it is read from a plain text file; `None` if it is empty.
    pub fn templates(&self, min_match: MinMatch) -> Option<Templates> {
        let text = Text::from_bytes(Path::new("common.txt"), self.template.clone().into_bytes());
        let template = matches::template(&text.ok()?).ok()?;
        Some(Templates { all: vec![template], min_match })
    }
}

/// Returns the number of the submission that each text belongs to, and the number of submissions. Texts
/// of one group are one, and so are texts without a group that have the same words: copies of a text,
/// however many, do not make it a template.
fn submissions(deferred: &[Prepared], readers: &mut [TextReader]) -> (Vec<u32>, usize) {
    let keys = parallel::each_with(readers, deferred.iter(), |reader, text| {
        let words = || reader.words(&text.remaining()).0;
        text.opened.group.clone().ok_or_else(words).map_err(|it| it.window(0..it.keys.len()))
    });
    let mut numbers = BTreeMap::new();
    let mut number = |key| {
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        *numbers.entry(key).or_insert(next)
    };
    let submissions = keys.into_iter().map(&mut number).collect();
    (submissions, numbers.len())
}

/// Returns the windows that at least `least_texts` submissions have, of those that `windows` returns
/// for each text.
///
/// In addition to the texts, this takes at most half as many bytes as they have, at most 128 MiB,
/// and the bytes of the common windows: a first pass counts approximately, and only windows that
/// may be common are counted exactly.
fn common(
    deferred: &[Prepared],
    readers: &mut [TextReader],
    (submissions, least_texts): (&[u32], usize),
    windows: &(dyn Fn(&mut TextReader, &Prepared) -> Vec<Window> + Sync),
) -> CommonWindows {
    let bytes: usize = deferred.iter().map(|deferred| deferred.opened.text.content().len()).sum();
    let approximate = ApproximateCounts::new(bytes / 8, least_texts);
    let distinct = |reader: &mut TextReader, deferred: &Prepared| -> Vec<Window> {
        let mut windows = windows(reader, deferred);
        windows.sort_unstable();
        windows.dedup();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_common_stands_in_the_share_of_enough_texts() {
        let least_of_all = if usize::BITS == 64 { 19 } else { 2 };
        #[rustfmt::skip]
        let table = [
            ("no text",               "0.5",  3,  0,  None),
            ("two",                   "0.5",  3,  2,  None),
            ("more than one and a half", "0.5", 3, 3, Some(2)),
            ("half of four",          "0.5",  3,  4,  Some(2)),
            ("at least 2.5",          "0.5",  3,  5,  Some(3)),
            ("all three",             "0.99", 3,  3,  Some(3)),
            ("all of them",           "1",    3,  3,  Some(3)),
            ("two at least",          "0.1",  3,  3,  Some(2)),
            ("nine of ten at least",  "0.8",  10, 9,  None),
            ("four fifths of ten",    "0.8",  10, 10, Some(8)),
            ("of eleven",             "0.8",  10, 11, Some(9)),
            ("a third",               "0.333333333333333333", 3, 3000, Some(1000)),
            ("a little more is one more", "0.333333333333333334", 3, 3000, Some(1001)),
            ("the least share",       "0.000000000000000001", 3, usize::MAX, Some(least_of_all)),
        ];
        for (why, share, min_texts, texts, want) in table {
            let common = CommonShare { share: share.parse().unwrap(), min_texts };
            assert_eq!(least_texts(common, texts), want, "{why}");
        }
    }
}
