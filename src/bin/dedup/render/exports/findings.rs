//! A pair that reaches the level → what is found in it: each passage, or both texts as
//! wholes where there is none.

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;
use dedup_text::pair::Match;
use dedup_text::text::{Place, Text};
use dedup_text::verdict::Verdict;
use sha2::{Digest, Sha256};

use crate::model::names::Names;
use crate::model::pair::Pair;
use crate::render::details::reasons;
use crate::words::{extent, lines};

/// How grave a verdict is, for every platform.
pub(super) fn level(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Identical => "error",
        Verdict::NearDuplicate => "warning",
        Verdict::Partial | Verdict::Excerpt | Verdict::Different => "note",
    }
}

/// What is found in a pair.
pub(super) struct Finding<'p> {
    /// None where it is all of both texts.
    pub(super) passage: Option<&'p Match>,
    /// What it is known by from run to run, wherever in its texts it stands: 32 hexadecimal
    /// digits. No two findings of a run have the same, unless a text is named twice.
    pub(super) identity: String,
    pair: &'p Pair<'p>,
    names: &'p Names,
}

/// What is found in a pair, in the order of right; nothing where it does not reach the level.
pub(super) fn findings<'p>(pair: &'p Pair<'p>, names: &'p Names) -> Vec<Finding<'p>> {
    if !pair.is_finding() {
        return Vec::new();
    }
    let texts = [pair.left, pair.right].map(|text| names.plain(text));
    let finding = |passage: Option<&'p Match>, which: &str| {
        let identity = Sha256::digest([&*texts[0], &*texts[1], which].join("\0"));
        let identity = HEXLOWER.encode(&identity[..16]);
        Finding { passage, identity, pair, names }
    };
    let passages: Vec<&Match> =
        pair.judgement.matches.iter().flat_map(|matches| &matches.all).collect();
    let times = times(passages.iter().map(|found| found.passage.fingerprint));
    let known = passages.iter().zip(times).map(|(found, time)| {
        finding(Some(found), &format!("{:016x}:{time}", found.passage.fingerprint))
    });
    let found: Vec<Finding> = known.collect();
    if found.is_empty() { vec![finding(None, "")] } else { found }
}

/// Of each fingerprint, how many there are of it so far.
fn times(fingerprints: impl Iterator<Item = u64>) -> Vec<usize> {
    let mut seen = BTreeMap::new();
    let time = |fingerprint| {
        let times = seen.entry(fingerprint).or_insert(0);
        *times += 1;
        *times
    };
    fingerprints.map(time).collect()
}

/// What is found that has the most words; the first of those.
pub(super) fn longest<'p>(pair: &'p Pair<'p>, names: &'p Names) -> Option<Finding<'p>> {
    let words = |finding: &Finding| finding.passage.map_or(0, |it| it.passage.words());
    let found = findings(pair, names).into_iter();
    found.reduce(|best, next| if words(&next) > words(&best) { next } else { best })
}

impl Finding<'_> {
    /// Where it stands in the file of left; none where that is not told of the file.
    pub(super) fn on_left(&self) -> Option<&Place> {
        self.passage.map(|it| &it.left).filter(|_| self.pair.left.kind().is_shown_as_stored())
    }

    /// Where it stands in the file of right; none where that is not told of the file.
    pub(super) fn on_right(&self) -> Option<&Place> {
        self.passage.map(|it| &it.right).filter(|_| self.pair.right.kind().is_shown_as_stored())
    }

    /// The finding in a sentence that follows on the verdict; `linked` makes what names right.
    pub(super) fn told(&self, linked: impl Fn(&str) -> String) -> String {
        let (pair, names) = (self.pair, self.names);
        let right = names.visible(pair.right);
        let reasons = reasons(pair);
        let Some(found) = self.passage else {
            return format!("the other text is {}; {reasons}", linked(&right));
        };
        let words = extent(&found.passage);
        let of_left = match self.on_left() {
            Some(_) => String::new(),
            None => format!(" ({})", stand(pair.left, &found.left)),
        };
        let right = linked(&format!("{right}, {}", stand(pair.right, &found.right)));
        format!("{words}{of_left}, stand in {right} too; {reasons}")
    }
}

/// Where something stands: of a document in which there are no lines, in its text.
pub(super) fn stand(text: &Text, place: &Place) -> String {
    let whose = if text.kind().is_shown_as_stored() { "" } else { " of its text" };
    lines(place) + whose
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_are_numbered() {
        assert_eq!(times([7, 8, 7, 7, 8].into_iter()), [1, 1, 2, 3, 2]);
        assert_eq!(times(std::iter::empty()), [0; 0]);
    }
}
