//! Judged pairs → the formats that other programs and pull requests read.
//!
//! Goes in: a pair at a time, on whichever thread, and then what is known of the run. Comes
//! out: the whole, the same bytes for the same pairs. Each format but the badge is a file here:
//! how a pair is written in it, and the whole from such pieces.

pub(crate) mod csv;
pub(super) mod sarif;
mod github;
mod junit;
mod gitlab;
mod markdown;

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io;

use data_encoding::HEXLOWER;
use dedup_text::inert;
use dedup_text::jaccard::Share;
use dedup_text::pair::Match;
use dedup_text::pair::Undecided;
use dedup_text::passages::Kind;
use dedup_text::text::{Place, Side, Text};
use dedup_text::verdict::Verdict;
use dedup_text::words::{counted, extent, file_of, position};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::answer::reasons;
use crate::io::inputs::failures::Failures;
use crate::io::output::{Spool, Whole};
use crate::model::names::Names;
use crate::model::{Export, Pair, Weight};

/// A format, and what texts are called in it.
#[derive(Debug)]
pub(crate) struct Exporter {
    export: Export,
    names: Names,
    weight: Weight,
}

/// What is known of a run besides its pairs.
pub(crate) struct Run<'r> {
    /// The verdict that is asked for.
    pub(crate) level: Verdict,
    /// The texts that are compared with each other, but for those that are old.
    pub(crate) texts: Vec<&'r Text>,
    /// How many texts are compared, old ones included.
    pub(crate) compared: usize,
    /// Whether the run has errors, so that what it found may not be all.
    pub(crate) has_errors: bool,
    /// What was compared and what was not: `8 texts compared`.
    pub(crate) counts: String,
    /// What should have been a text.
    pub(crate) failed: &'r Failures,
    /// The texts that are too short to be compared, by name, each with the reason.
    pub(crate) short: Vec<(String, &'r Undecided)>,
    /// The texts that are not what they look like, by name, each with what was found.
    pub(crate) disguised: Vec<(String, String)>,
}

impl Exporter {
    pub(crate) fn new(export: Export, names: Names, weight: Weight) -> Self {
        Self { export, names, weight }
    }

    /// How a pair is written.
    pub(crate) fn piece(&self, pair: &Pair) -> anyhow::Result<Piece> {
        let names = &self.names;
        let written = match self.export {
            Export::Csv => vec![csv::row(pair, names)?],
            Export::Sarif => sarif::results(pair, names)?,
            Export::Github => github::annotations(pair, names, self.weight),
            Export::Junit => junit::failures(pair, names),
            Export::Gitlab => gitlab::entries(pair, names)?,
            Export::Markdown => markdown::parts(pair, names),
            Export::Badge => Vec::new(),
        };
        Ok(Piece::new(pair, written))
    }

    /// Where the pieces go.
    pub(crate) fn pieces(&self) -> Pieces {
        match self.export {
            Export::Csv | Export::Badge => Pieces::all_with(""),
            Export::Junit => Pieces::by_text(junit::MOST_PAIRS),
            Export::Gitlab => Pieces::all_with(gitlab::SEPARATOR),
            Export::Sarif => Pieces::closest_of(sarif::MOST),
            Export::Github => Pieces::closest_of(github::MOST),
            Export::Markdown => Pieces::closest_of(markdown::MOST_PAIRS),
        }
    }

    /// What stands before the pieces of a format that has nothing else besides; none of others.
    pub(crate) fn only_head(&self) -> Option<String> {
        (self.export == Export::Csv).then(csv::head)
    }

    /// What stands behind the pieces of a format that has a head alone before them.
    pub(crate) fn tail(&self, run: &Run) -> anyhow::Result<String> {
        if self.export == Export::Csv { csv::remarks(run) } else { Ok(String::new()) }
    }

    /// The whole.
    pub(crate) fn whole(&self, pieces: Pieces, run: &Run) -> anyhow::Result<Whole> {
        Ok(match self.export {
            Export::Csv => {
                Whole::from(csv::head()).with_records(pieces.all()).with_text(csv::remarks(run)?)
            }
            Export::Sarif => sarif::log(pieces, run)?.into(),
            Export::Github => github::log(pieces, run).into(),
            Export::Junit => junit::suite(pieces, run, &self.names)?,
            Export::Gitlab => gitlab::list(pieces),
            Export::Markdown => markdown::page(pieces, run).into(),
            Export::Badge => badge(&pieces, run, self.weight)?.into(),
        })
    }

    /// The whole of one pair.
    pub(super) fn alone(&self, pair: &Pair) -> anyhow::Result<Whole> {
        let mut pieces = self.pieces();
        pieces.add(self.piece(pair)?)?;
        let is_one = self.names.plain(pair.left) == self.names.plain(pair.right);
        let run = Run {
            level: pair.level,
            texts: if is_one { vec![pair.left] } else { vec![pair.left, pair.right] },
            compared: 2,
            has_errors: false,
            counts: "2 texts compared".to_owned(),
            failed: &Failures::default(),
            short: Vec::new(),
            disguised: Vec::new(),
        };
        self.whole(pieces, &run)
    }
}

// A badge of shields.io, by the schema of its endpoint: how many pairs there are.

/// <https://shields.io/badges/endpoint-badge>
#[derive(Serialize)]
struct Badge {
    #[serde(rename = "schemaVersion")]
    schema_version: u32,
    label: &'static str,
    message: String,
    color: &'static str,
}

/// The badge. "none" is never said of texts that were not all compared.
fn badge(pieces: &Pieces, run: &Run, weight: Weight) -> anyhow::Result<String> {
    let is_compared = run.compared > 1 && !run.has_errors;
    let (message, color) = match (pieces.findings(), weight) {
        (0, _) if !is_compared => ("not compared".to_owned(), "lightgrey"),
        (0, _) => ("none".to_owned(), "brightgreen"),
        (pairs, Weight::Error) => (counted(pairs, "pair"), "red"),
        (pairs, Weight::Warning) => (counted(pairs, "pair"), "orange"),
    };
    Ok(inert::json(&Badge { schema_version: 1, label: "copies", message, color })? + "\n")
}

// A pair that reaches the level → what is found in it: each passage, or both texts as
// wholes where there is none.

/// How grave a verdict is, for every platform.
fn level(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Identical => "error",
        Verdict::NearDuplicate => "warning",
        Verdict::Partial | Verdict::Excerpt | Verdict::Different => "note",
    }
}

/// What is found in a pair.
struct Finding<'p> {
    /// None where it is all of both texts.
    passage: Option<&'p Match>,
    /// What it is known by from run to run, wherever in its texts it stands: 32 hexadecimal
    /// digits. No two findings of a run have the same, unless a text is named twice.
    identity: String,
    pair: &'p Pair<'p>,
    names: &'p Names,
}

/// What is found in a pair, in the order of right; nothing where it does not reach the level.
fn findings<'p>(pair: &'p Pair<'p>, names: &'p Names) -> Vec<Finding<'p>> {
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
fn longest<'p>(pair: &'p Pair<'p>, names: &'p Names) -> Option<Finding<'p>> {
    let words = |finding: &Finding| finding.passage.map_or(0, |it| it.passage.words());
    let found = findings(pair, names).into_iter();
    found.reduce(|best, next| if words(&next) > words(&best) { next } else { best })
}

impl Finding<'_> {
    /// Where it stands in the file of left; none where that is not reported the file.
    fn on_left(&self) -> Option<&Place> {
        stored(self.pair.left, self.passage.map(|it| &it.left))
    }

    /// Where it stands in the file of right; none where that is not reported the file.
    fn on_right(&self) -> Option<&Place> {
        stored(self.pair.right, self.passage.map(|it| &it.right))
    }

    /// The file that holds the passage, where left is made of several files; else left. A finding
    /// without a passage is reported at the first file.
    fn file_of_left(&self) -> &Text {
        self.pair.left.file(self.passage.map_or(&Place::default(), |it| &it.left))
    }

    /// The same of right.
    fn file_of_right(&self) -> &Text {
        self.pair.right.file(self.passage.map_or(&Place::default(), |it| &it.right))
    }

    /// The finding in a sentence that follows on the verdict; `linked` makes what names right.
    fn message(&self, linked: impl Fn(&str) -> String) -> String {
        let (pair, names) = (self.pair, self.names);
        let reasons = reasons(pair);
        let Some(found) = self.passage else {
            return format!("the other text is {}; {reasons}", linked(&names.visible(pair.right)));
        };
        let right = names.visible(self.file_of_right());
        let words = extent(&found.passage);
        let of_left = match self.on_left() {
            Some(_) => String::new(),
            None => format!(" ({})", in_file(pair.left, &found.left)),
        };
        let right = linked(&format!("{right}, {}", in_file(pair.right, &found.right)));
        format!("{words}{of_left}, stand in {right} too; {reasons}")
    }
}

impl Finding<'_> {
    /// The finding in a plain sentence, as it is read at one of its ends.
    fn sentence(&self, side: Side) -> String {
        let (own, other, file) = match side {
            Side::Left => (self.pair.left, self.pair.right, self.file_of_right()),
            Side::Right => (self.pair.right, self.pair.left, self.file_of_left()),
        };
        let Some(found) = self.passage else {
            let other = self.names.visible(other);
            return match self.pair.judgement.decision.verdict {
                Verdict::Identical => format!("this text has the same words as {other}"),
                Verdict::NearDuplicate => format!("this text is a near-duplicate of {other}"),
                _ => format!("this text has much in common with {other}"),
            };
        };
        let (here, there) = match side {
            Side::Left => (&found.left, &found.right),
            Side::Right => (&found.right, &found.left),
        };
        let passage = &found.passage;
        let how = match passage.kind() {
            Kind::Exact => "",
            Kind::Edited => ", edited,",
            Kind::Reworded => ", reworded,",
        };
        let here = match stored(own, Some(here)) {
            Some(_) => String::new(),
            None => format!(" ({})", in_file(own, here)),
        };
        let words = counted(passage.words(), "word");
        let (stand, name) =
            (if passage.words() == 1 { "stands" } else { "stand" }, self.names.visible(file));
        format!("{words} here{here} also {stand}{how} in {name}, {}", in_file(other, there))
    }
}

/// A place that is reported of its file as it is stored.
fn stored<'m>(text: &Text, place: Option<&'m Place>) -> Option<&'m Place> {
    place.filter(|place| text.file(place).kind().is_shown_as_stored())
}

/// Where something stands: of a document in which there are neither pages nor lines, in its text;
/// of a text of several files, in which.
fn stand(text: &Text, place: &Place) -> String {
    file_of(text, place) + &in_file(text, place)
}

/// Where something stands in its file.
fn in_file(text: &Text, place: &Place) -> String {
    let is_of_file = place.pages.is_some() || text.file(place).kind().is_shown_as_stored();
    position(place) + if is_of_file { "" } else { " of its text" }
}

// Pairs as they are written in a format, in their order or the closest first.

/// A pair as it is written in a format.
#[derive(Debug)]
pub(crate) struct Piece {
    verdict: Verdict,
    jaccard: f64,
    hamming: u32,
    is_finding: bool,
    /// Its parts, as the format has them.
    written: Vec<String>,
}

impl Piece {
    fn new(pair: &Pair, written: Vec<String>) -> Self {
        let figures = &pair.judgement.comparison;
        Self {
            verdict: pair.judgement.decision.verdict,
            jaccard: figures.jaccard().map_or(0.0, Share::ratio),
            hamming: figures.hamming.unwrap_or(u64::BITS),
            is_finding: pair.is_finding(),
            written,
        }
    }

    /// One of a verdict that has these parts.
    #[cfg(test)]
    fn made(verdict: Verdict, written: Vec<String>) -> Self {
        Self { verdict, jaccard: 0.0, hamming: 0, is_finding: true, written }
    }

    /// Its parts, one after the other.
    pub(crate) fn into_text(self) -> String {
        self.written.concat()
    }

    /// Less where it counts and the other one does not, then where it is closer.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.is_finding.cmp(&self.is_finding))
            .then_with(|| other.verdict.cmp(&self.verdict))
            .then_with(|| other.jaccard.total_cmp(&self.jaccard))
            .then_with(|| self.hamming.cmp(&other.hamming))
    }
}

/// The pieces of pairs: all of them as they come, or by the texts that they are of, or, where a
/// format has a limit, those that count and are the closest; the others are counted and
/// forgotten.
#[derive(Debug)]
pub(crate) struct Pieces {
    kept: Kept,
    pairs: usize,
    findings: usize,
    parts: usize,
}

/// What is kept of the pieces.
#[derive(Debug)]
enum Kept {
    /// All parts, as they come.
    All(Spool),
    /// The closest pieces, and the most that are kept.
    Closest(usize, Vec<Piece>),
    /// Of each text the pairs that it is in, and the most that are kept of it.
    ByText(usize, BTreeMap<String, OfText>),
}

/// The pairs that a text is in.
#[derive(Debug)]
struct OfText {
    /// The closest verdict of them.
    verdict: Verdict,
    /// How many there are.
    pairs: usize,
    /// The first of them as they are written, as many as are kept.
    kept: Vec<String>,
}

impl Pieces {
    fn new(kept: Kept) -> Self {
        Self { kept, pairs: 0, findings: 0, parts: 0 }
    }

    /// All, with something between two parts.
    fn all_with(separator: &'static str) -> Self {
        Self::new(Kept::All(Spool::new(separator)))
    }

    /// This many of the closest.
    fn closest_of(most: usize) -> Self {
        Self::new(Kept::Closest(most, Vec::new()))
    }

    /// Of each text the first `most` pairs. The parts of a piece are the names of its texts, each
    /// with what the format says of the pair.
    fn by_text(most: usize) -> Self {
        Self::new(Kept::ByText(most, BTreeMap::new()))
    }

    /// Adds the next piece.
    pub(crate) fn add(&mut self, piece: Piece) -> io::Result<()> {
        self.pairs += 1;
        self.findings += usize::from(piece.is_finding);
        self.parts += piece.written.len();
        match &mut self.kept {
            Kept::All(all) => return piece.written.iter().try_for_each(|part| all.add(part)),
            Kept::Closest(most, closest) => {
                if !piece.written.is_empty() {
                    closest.push(piece);
                }
                if closest.len() >= 2 * *most {
                    closest.sort_by(Piece::cmp);
                    closest.truncate(*most);
                }
            }
            Kept::ByText(most, texts) => {
                let mut parts = piece.written.into_iter();
                while let (Some(name), Some(part)) = (parts.next(), parts.next()) {
                    let verdict = piece.verdict;
                    let of_text = || OfText { verdict, pairs: 0, kept: Vec::new() };
                    let text = texts.entry(name).or_insert_with(of_text);
                    text.verdict = text.verdict.max(verdict);
                    text.pairs += 1;
                    if text.kept.len() < *most {
                        text.kept.push(part);
                    }
                }
            }
        }
        Ok(())
    }

    /// How many pairs there are.
    fn pairs(&self) -> usize {
        self.pairs
    }

    /// How many pairs reach the level.
    fn findings(&self) -> usize {
        self.findings
    }

    /// How many parts the pairs have when they are written.
    fn parts(&self) -> usize {
        self.parts
    }

    /// All parts in their order, where all are kept.
    fn all(self) -> Spool {
        match self.kept {
            Kept::All(all) => all,
            Kept::Closest(..) | Kept::ByText(..) => Spool::new(""),
        }
    }

    /// What each text is in, by its name, where that is kept.
    fn of_texts(self) -> BTreeMap<String, OfText> {
        match self.kept {
            Kept::ByText(_, texts) => texts,
            Kept::All(_) | Kept::Closest(..) => BTreeMap::new(),
        }
    }

    /// The parts of each pair, the closest first, where those are kept.
    fn closest(self) -> impl Iterator<Item = Vec<String>> {
        let pieces = match self.kept {
            Kept::Closest(most, mut closest) => {
                closest.sort_by(Piece::cmp);
                closest.truncate(most);
                closest
            }
            Kept::All(_) | Kept::ByText(..) => Vec::new(),
        };
        pieces.into_iter().map(|piece| piece.written)
    }
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

#[cfg(test)]
mod pieces_tests {
    use super::*;

    fn piece((verdict, jaccard, hamming, name): (Verdict, f64, u32, &str)) -> Piece {
        let is_finding = verdict >= Verdict::NearDuplicate;
        Piece { jaccard, hamming, is_finding, ..Piece::made(verdict, vec![name.to_owned()]) }
    }

    /// In the order in which they come; the names are in that of how close they are.
    const PAIRS: [(Verdict, f64, u32, &str); 6] = [
        (Verdict::NearDuplicate, 0.5, 3, "d"),
        (Verdict::NearDuplicate, 0.5, 2, "c"),
        (Verdict::Partial, 0.9, 0, "f"),
        (Verdict::NearDuplicate, 0.6, 9, "b"),
        (Verdict::Identical, 0.0, 64, "a"),
        (Verdict::NearDuplicate, 0.5, 3, "e"),
    ];

    #[test]
    fn the_closest_come_first_and_equals_as_they_came() {
        for (most, want) in [(9, "abcdef"), (6, "abcdef"), (2, "ab"), (1, "a")] {
            let mut pieces = Pieces::closest_of(most);
            PAIRS.map(piece).into_iter().for_each(|piece| pieces.add(piece).unwrap());
            assert_eq!((pieces.pairs(), pieces.findings(), pieces.parts()), (6, 5, 6));
            assert_eq!(pieces.closest().flatten().collect::<String>(), want, "{most}");
        }
    }

    #[test]
    fn all_stand_in_the_order_in_which_they_came() {
        for (separator, want) in [("", "dcfbaexy"), (",", "d,c,f,b,a,e,x,y")] {
            let mut pieces = Pieces::all_with(separator);
            PAIRS.map(piece).into_iter().for_each(|piece| pieces.add(piece).unwrap());
            pieces.add(Piece { written: Vec::new(), ..piece(PAIRS[0]) }).unwrap();
            let two = vec!["x".to_owned(), "y".to_owned()];
            pieces.add(Piece { written: two, ..piece(PAIRS[2]) }).unwrap();
            assert_eq!((pieces.pairs(), pieces.findings(), pieces.parts()), (8, 6, 8));
            let mut written = Vec::new();
            pieces.all().write_to(&mut written).unwrap();
            assert_eq!(String::from_utf8(written).unwrap(), want);
        }
    }
}
