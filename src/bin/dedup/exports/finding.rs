//! The findings of a pair that reaches the level: each passage, or the two texts as a whole if there
//! is no passage.

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;
use dedup_text::display::{counted, extent, file_of, position};
use dedup_text::pair::Match;
use dedup_text::passages::Kind;
use dedup_text::text::{Place, Side, Text};
use dedup_text::verdict::Verdict;
use sha2::{Digest, Sha256};

use crate::model::Pair;
use crate::model::names::Names;
use crate::model::phrases::reasons;

/// A finding: a passage of a pair, or the pair as a whole.
pub(super) struct Finding<'p> {
    /// The passage; `None` if the finding is about the two texts as a whole.
    pub(super) passage: Option<&'p Match>,
    /// The identity of the finding across runs, which does not depend on its position in the texts:
    /// 32 hexadecimal digits. The identities of a run are distinct unless a text is named twice.
    pub(super) identity: String,
    pair: &'p Pair<'p>,
    names: &'p Names,
}

/// Returns the findings of a pair, in the order of the left text; an empty vector if the pair does
/// not reach the level or was accepted earlier.
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

/// Returns for each fingerprint how many times it has occurred so far, itself included.
fn times(fingerprints: impl Iterator<Item = u64>) -> Vec<usize> {
    let mut seen = BTreeMap::new();
    let time = |fingerprint| {
        let times = seen.entry(fingerprint).or_insert(0);
        *times += 1;
        *times
    };
    fingerprints.map(time).collect()
}

/// Returns the finding with the most words, and the first one of several; `None` if there is no
/// finding.
pub(super) fn longest<'p>(pair: &'p Pair<'p>, names: &'p Names) -> Option<Finding<'p>> {
    let words = |finding: &Finding| finding.passage.map_or(0, |it| it.passage.words());
    let found = findings(pair, names).into_iter();
    found.reduce(|best, next| if words(&next) > words(&best) { next } else { best })
}

impl Finding<'_> {
    /// Returns the text of a side, and the place of the passage in it; `None` if there is no
    /// passage.
    fn end(&self, side: Side) -> (&Text, Option<&Place>) {
        match side {
            Side::Left => (self.pair.left, self.passage.map(|it| &it.left)),
            Side::Right => (self.pair.right, self.passage.map(|it| &it.right)),
        }
    }

    /// Returns the place of the passage in the file of a side; `None` if there is no passage, or if
    /// the place is one in the text extracted from the file rather than in the file as it is stored.
    pub(super) fn place(&self, side: Side) -> Option<&Place> {
        let (text, place) = self.end(side);
        stored(text, place)
    }

    /// Returns the file of a side that contains the passage, if the text consists of several files;
    /// otherwise the text. A finding without a passage is reported for the first file.
    pub(super) fn file(&self, side: Side) -> &Text {
        let (text, place) = self.end(side);
        text.file(place.unwrap_or(&Place::default()))
    }

    /// Names the file of a side for a sentence about the other side.
    fn other(&self, side: Side) -> String {
        self.names.visible(self.file(side)) + self.pair.mark(side)
    }

    /// Formats the finding as a sentence that follows the verdict. `linked` turns the name of the
    /// right text, and the position in it, into a link.
    pub(super) fn message(&self, linked: impl Fn(&str) -> String) -> String {
        let pair = self.pair;
        let reasons = reasons(pair);
        let Some(found) = self.passage else {
            return format!("the other text is {}; {reasons}", linked(&self.other(Side::Right)));
        };
        let right = self.other(Side::Right);
        let words = extent(&found.passage);
        let of_left = match self.place(Side::Left) {
            Some(_) => String::new(),
            None => format!(" ({})", in_file(pair.left, &found.left)),
        };
        let right = linked(&format!("{right}, {}", in_file(pair.right, &found.right)));
        format!("{words}{of_left}, are also in {right}; {reasons}")
    }

    /// Formats the finding as a plain sentence, from the point of view of one of the texts.
    pub(super) fn sentence(&self, side: Side) -> String {
        let other_side = if side == Side::Left { Side::Right } else { Side::Left };
        let [(own, here), (other, there)] = [side, other_side].map(|side| self.end(side));
        let (Some(found), Some(here), Some(there)) = (self.passage, here, there) else {
            let other = self.other(other_side);
            return match self.pair.judgement.decision.verdict {
                Verdict::Identical => format!("this text has the same words as {other}"),
                Verdict::NearDuplicate => format!("this text is a near-duplicate of {other}"),
                Verdict::Partial => format!("this text has much in common with {other}"),
                _ if self.pair.judgement.matches.is_none() => {
                    format!("this text and {other} reach no limit; passages were not looked for")
                }
                _ => format!("this text and {other} share no passage"),
            };
        };
        let passage = &found.passage;
        let how = match (passage.kind(), passage.changed_words()) {
            (Kind::Exact, _) => "",
            (Kind::Edited, 0) => ", in another order,",
            (Kind::Edited, _) if passage.is_reordered() => ", edited and in another order,",
            (Kind::Edited, _) => ", edited,",
            (Kind::Reworded, _) => ", reworded,",
        };
        let here = match self.place(side) {
            Some(_) => String::new(),
            None => format!(" ({})", in_file(own, here)),
        };
        let words = counted(passage.words(), "word");
        let occur = if passage.words() == 1 { "occurs" } else { "occur" };
        let name = self.other(other_side);
        format!("{words} here{here} also {occur}{how} in {name}, {}", in_file(other, there))
    }
}

/// Returns a place if its positions are those of the file as it is stored.
pub(crate) fn stored<'m>(text: &Text, place: Option<&'m Place>) -> Option<&'m Place> {
    place.filter(|place| text.file(place).kind().is_shown_as_stored())
}

/// Formats a position: that in the extracted text, if the document has neither pages nor lines; for
/// a text of several files, with the name of the file.
pub(super) fn stand(text: &Text, place: &Place) -> String {
    file_of(text, place) + &in_file(text, place)
}

/// Formats a position within its file.
pub(crate) fn in_file(text: &Text, place: &Place) -> String {
    let is_of_file = place.pages.is_some() || text.file(place).kind().is_shown_as_stored();
    position(place) + if is_of_file { "" } else { " of its text" }
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
