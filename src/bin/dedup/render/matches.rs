//! The passages of a pair, for programs.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use dedup_text::jaccard::Share;
use dedup_text::language::Known;
use dedup_text::pair::recipe::Recipe;
use dedup_text::pair::{Judgement, Match, Matches, Trace, trace};
use dedup_text::passages::Kind;
use dedup_text::rabin;
use dedup_text::simhash::{Votes, vote};
use dedup_text::text::{Place, Text};
use dedup_text::tokens::exclusions::{LeftOut, Why};
use serde::Serialize;

use crate::words::counted as of;

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

// What each stage made of a text, for `--explain` in either format.

/// Every stage of one text.
pub(super) struct Stages<'t> {
    pub(super) trace: Trace<'t>,
    pub(super) votes: Votes,
}

/// A shingle, the size of n-gram that it is first cut as, and its residue.
pub(super) struct Shingle<'s> {
    pub(super) n: usize,
    pub(super) text: &'s str,
    pub(super) residue: u64,
}

impl<'t> Stages<'t> {
    /// Takes a text the plain way through all stages, so that what is shown does not rest
    /// on what is to be audited.
    pub(super) fn of(text: &'t Text, known: Known, recipe: &Recipe) -> Self {
        let trace = trace(text, known.language, recipe);
        let votes = vote(trace.shingles.all().residues());
        Self { trace, votes }
    }

    /// The distinct shingles, the shortest first, each where it first stands.
    pub(super) fn shingles(&self, recipe: &Recipe) -> Vec<Shingle<'_>> {
        let mut seen = HashSet::new();
        let sizes = recipe.ngrams.min()..=recipe.ngrams.max();
        sizes
            .flat_map(|n| self.trace.stems.windows(n).map(move |text| (n, text)))
            .map(|(n, text)| Shingle { n, text, residue: rabin::residue(text.as_bytes()) })
            .filter(|shingle| seen.insert(shingle.residue))
            .collect()
    }
}

// What was left out of a text, counted.

/// For each reason there is, in a fixed order: the parts left out and their words.
pub(super) fn counted(left_out: &[LeftOut]) -> impl Iterator<Item = (Why, usize, usize)> {
    let mut reasons = BTreeMap::new();
    for part in left_out {
        let (parts, words) = reasons.entry(part.why).or_insert((0, 0));
        *parts += 1;
        *words += part.words;
    }
    reasons.into_iter().map(|(why, (parts, words))| (why, parts, words))
}

/// What was left out of left and of right, for a person: `57 words (quotes 40, bibliography 17)`;
/// none where nothing was.
pub(super) fn of_sides(judgement: &Judgement) -> [Option<String>; 2] {
    [&judgement.left_out_of_left, &judgement.left_out_of_right].map(|out| {
        let words = out.iter().map(|part| part.words).sum();
        (!out.is_empty()).then(|| format!("{} ({})", of(words, "word"), reasons(out)))
    })
}

fn reasons(left_out: &[LeftOut]) -> String {
    let reasons = counted(left_out).map(|(why, _, words)| format!("{} {words}", why.name()));
    reasons.collect::<Vec<_>>().join(", ")
}

/// What was left out, for a person: ` 57 words left out (quotes 40, bibliography 17);`.
pub(super) fn told(left_out: &[LeftOut]) -> String {
    if left_out.is_empty() {
        return String::new();
    }
    let words = left_out.iter().map(|part| part.words).sum();
    format!("{} left out ({}); ", of(words, "word"), reasons(left_out))
}
