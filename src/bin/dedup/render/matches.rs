//! The passages of a pair, for programs.

use std::ops::Range;

use dedup_text::jaccard::Share;
use dedup_text::pair::{Judgement, Match, Matches};
use dedup_text::passages::Kind;
use dedup_text::text::Place;
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct MatchRecord {
    id: usize,
    words: usize,
    changed_words: usize,
    kind: &'static str,
    a: PlaceRecord,
    b: PlaceRecord,
    fingerprint: String,
}

#[derive(Serialize)]
struct PlaceRecord {
    byte: [usize; 2],
    line: [usize; 2],
    column: [usize; 2],
    word: [usize; 2],
}

#[derive(Serialize)]
pub(super) struct CoverageRecord {
    pub(super) words_a: usize,
    pub(super) words_b: usize,
    pub(super) share_a: Option<f64>,
    pub(super) share_b: Option<f64>,
    pub(super) longest: usize,
}

#[derive(Serialize)]
pub(super) struct ShortRecord {
    below: usize,
    passages: usize,
    words: usize,
}

/// The passages, numbered from 1 in the order of left.
pub(super) fn matches(matches: &Matches) -> Vec<MatchRecord> {
    let record = |(before, found): (usize, &Match)| MatchRecord {
        id: before + 1,
        words: found.passage.words(),
        changed_words: found.passage.changed_words(),
        kind: kind(found.passage.kind()),
        a: place(&found.left, &found.passage.left),
        b: place(&found.right, &found.passage.right),
        fingerprint: format!("{:016x}", found.passage.fingerprint),
    };
    matches.all.iter().enumerate().map(record).collect()
}

/// The name of a kind; never changes.
pub(super) fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Exact => "exact",
        Kind::Edited => "edited",
        Kind::Reworded => "reworded",
    }
}

fn place(place: &Place, words: &Range<usize>) -> PlaceRecord {
    PlaceRecord {
        byte: [place.bytes.start, place.bytes.end],
        line: place.lines,
        column: place.columns,
        word: [words.start, words.end],
    }
}

/// How much of both texts the passages are; none where they were not looked for.
pub(super) fn coverage(judgement: &Judgement) -> Option<CoverageRecord> {
    let coverage = judgement.matches.as_ref()?.coverage;
    let words = |share: Option<Share>| share.map_or(0, Share::shared);
    Some(CoverageRecord {
        words_a: words(coverage.left),
        words_b: words(coverage.right),
        share_a: coverage.left.map(Share::ratio),
        share_b: coverage.right.map(Share::ratio),
        longest: coverage.longest,
    })
}

/// What was set apart because it is short; none where that was not asked for.
pub(super) fn short(judgement: &Judgement) -> Option<ShortRecord> {
    let short = judgement.matches.as_ref()?.short.as_ref()?;
    Some(ShortRecord {
        below: short.below,
        passages: short.all.len(),
        words: short.all.iter().map(|found| found.passage.words()).sum(),
    })
}
