//! Renders judged pairs in the formats that other programs and pull requests read.
//!
//! Input: one pair at a time, on any thread, and then the facts about the run. Output: the complete
//! answer, which has the same bytes for the same pairs. Each format except the badge has a module
//! of its own, which renders a pair and assembles the answer from such pieces.

pub(crate) mod csv;
pub(crate) mod sarif;
mod github;
mod junit;
mod gitlab;
mod markdown;

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io;

use crate::diagnostics::Severity;
use data_encoding::HEXLOWER;
use dedup_text::corpus::CommonStretch;
use dedup_text::display::inert;
use dedup_text::display::{counted, extent, file_of, or_closer, position, thousands, visible};
use dedup_text::jaccard::Share;
use dedup_text::pair::Match;
use dedup_text::pair::Undecided;
use dedup_text::passages::Kind;
use dedup_text::text::{Place, Side, Text};
use dedup_text::verdict::Verdict;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::model::excluded::Excluded;
use crate::model::found::{Failures, Skipped};
use crate::model::names::Names;
use crate::model::phrases::reasons;
use crate::model::remarks::RemarkKind;
use crate::model::rendered::{Rendered, Spool};
use crate::model::{Export, Pair, Weight};

/// An export format, with the names of the texts and the severity of the pairs in it.
#[derive(Debug)]
pub(crate) struct Exporter {
    export: Export,
    names: Names,
    weight: Weight,
}

/// Whether a pair is listed for the first time.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Listing {
    First,
    /// It was listed with its texts the other way round, as with `--nearest`, and does not count.
    Again,
}

impl Listing {
    pub(crate) fn new(is_again: bool) -> Self {
        if is_again { Self::Again } else { Self::First }
    }
}

/// The facts about a run that are not about a single pair.
pub(crate) struct Run<'r> {
    /// The verdict from which on a pair is a finding.
    pub(crate) level: Verdict,
    /// The texts that are compared, except for old ones.
    pub(crate) texts: Vec<&'r Text>,
    /// The number of texts that are compared, including old ones.
    pub(crate) compared: usize,
    /// Whether the run has errors, so that its exit status is 2.
    pub(crate) has_errors: bool,
    /// The severity of disguises.
    pub(crate) disguises: Severity,
    /// The numbers of texts that were compared and that were not: `8 texts compared`.
    pub(crate) counts: String,
    /// The name of the settings file; `None` if none is read.
    pub(crate) settings: Option<&'r str>,
    /// The sources that should have been texts but could not be read.
    pub(crate) failed: &'r Failures,
    /// The files that were skipped.
    pub(crate) skipped: Skipped,
    /// The texts that are too short to be compared, by name, each with the reason.
    pub(crate) short: Vec<(String, &'r Undecided)>,
    /// The remarks on texts, by kind.
    pub(crate) remarks: Vec<TextRemark>,
    /// The stretches that are left out of all texts, since too many have them, each with the name of
    /// the first of these.
    pub(crate) left_out: Vec<(String, &'r CommonStretch)>,
    /// How many words of new texts templates and `--ignore` leave out; `None` if none.
    pub(crate) excluded: Option<Excluded>,
    /// The passages that are too common to make a pair, but are findings.
    pub(crate) common: Vec<CommonFinding<'r>>,
}

/// The code of a note on a text that is too short.
const TOO_SHORT: &str = "too-short";

/// What a reader should know of a text, whether it is in a finding or not, or of files that were
/// skipped.
struct Note {
    /// The identifier of its kind, which never changes.
    code: &'static str,
    /// The name of the text, or of the first of the files.
    name: String,
    /// The note, which has the name.
    line: String,
}

/// A remark on a text.
pub(crate) struct TextRemark {
    pub(crate) kind: RemarkKind,
    /// The name of the text.
    pub(crate) name: String,
    /// What was found.
    pub(crate) found: String,
    /// Name and what was found, as a line of a list.
    pub(crate) line: String,
}

/// A passage that is too common to make a pair, but is a finding.
pub(crate) struct CommonFinding<'r> {
    /// The first file that contains the passage, and the name of the file.
    pub(crate) file: &'r Text,
    pub(crate) name: String,
    pub(crate) stretch: &'r CommonStretch,
}

impl CommonFinding<'_> {
    /// Returns the place of the passage in the file; `None` if the file is not shown as it is
    /// stored.
    fn place(&self) -> Option<&Place> {
        self.stretch.is_shown_as_stored.then_some(&self.stretch.place)
    }

    /// Describes the size of the passage, the number of texts that contain it, and its first words.
    fn described(&self) -> String {
        described(self.stretch)
    }

    fn sentence(&self) -> String {
        format!("too common to make a pair: {}", self.described())
    }

    /// Returns the identity of the finding across runs: 32 hexadecimal digits.
    fn identity(&self) -> String {
        HEXLOWER.encode(&Sha256::digest([&*self.name, &self.stretch.excerpt].join("\0"))[..16])
    }
}

/// Describes the size of a passage, the number of texts that contain it, and its first words.
fn described(stretch: &CommonStretch) -> String {
    let CommonStretch { words, texts, excerpt, .. } = stretch;
    let (words, texts) = (counted(*words, "word"), counted(*texts, "text"));
    format!("{words} that {texts} have: \"{}\"", visible(excerpt))
}

/// Describes findings: `2 pairs excerpt or closer`, followed by the number of passages that are too
/// common to make a pair if there are any.
pub(crate) fn found(pairs: usize, level: Verdict, common: usize) -> String {
    let pairs = format!("{} {}", counted(pairs, "pair"), or_closer(level));
    match common {
        0 => pairs,
        common => format!("{pairs}, and {}", counted(common, "common passage")),
    }
}

impl Run<'_> {
    /// Describes the findings of the run.
    fn found(&self, findings: usize) -> String {
        found(findings, self.level, self.common.len())
    }

    /// Returns the disguised texts if they make the run fail, as with `--disguises error`.
    fn failing_disguises(&self) -> impl Iterator<Item = &TextRemark> {
        let is_error = self.disguises.is_error();
        self.remarks_of(RemarkKind::Disguised).filter(move |_| is_error)
    }

    fn remarks_of(&self, kind: RemarkKind) -> impl Iterator<Item = &TextRemark> {
        self.remarks.iter().filter(move |remark| remark.kind == kind)
    }

    /// Returns what an author can do to keep a text, or a part of it, out of the comparison, and what
    /// else a reader should know of single texts: the remarks, what is left out, the texts that are too
    /// short, and the skipped files of each kind. Disguises that make the run fail, and texts that
    /// cannot be read, are not among them.
    fn notes(&self) -> Vec<Note> {
        let is_error = self.disguises.is_error();
        let remarks = self.remarks.iter();
        let remarks = remarks.filter(|it| !(is_error && it.kind == RemarkKind::Disguised));
        let remarks = remarks.map(|remark| Note {
            code: remark.kind.code(),
            name: remark.name.clone(),
            line: remark.line.clone(),
        });
        let left_out = self.left_out.iter().map(|(name, stretch)| Note {
            code: "left-out",
            name: name.clone(),
            line: format!("left out: {}", described(stretch)),
        });
        let not_compared = |code, name: &str, line: &str| Note {
            code,
            name: name.to_owned(),
            line: format!("not compared: {line}"),
        };
        let short = self.short.iter();
        let short = short.map(|(name, why)| not_compared(TOO_SHORT, name, &why.to_string()));
        let skipped = self.skipped.counts().filter_map(|(why, count)| {
            let line = self.skipped.described(why, count)?;
            Some(not_compared("skipped", self.skipped.files(why).next()?, &line))
        });
        remarks.chain(left_out).chain(short).chain(skipped).collect()
    }

    /// Returns how many words are left out, if any are for a reason that lies in a text. What a template
    /// leaves out, the user has given.
    fn excluded_by_authors(&self) -> Option<&Excluded> {
        self.excluded.as_ref().filter(|excluded| excluded.in_part > 0)
    }

    /// Reports whether all texts were compared.
    fn is_complete(&self) -> bool {
        self.compared > 1 && !self.has_errors && self.failed.is_empty() && self.short.is_empty()
    }
}

impl Exporter {
    pub(crate) fn new(export: Export, names: Names, weight: Weight) -> Self {
        Self { export, names, weight }
    }

    /// Renders a pair.
    pub(crate) fn piece(&self, pair: &Pair, listing: Listing) -> anyhow::Result<Piece> {
        let names = &self.names;
        let written = match self.export {
            Export::Csv => vec![csv::row(pair, names)?],
            Export::Sarif => sarif::results(pair, names)?,
            // Both texts have their annotations, and the pair its section, where it was listed
            // first.
            Export::Github if listing == Listing::Again => Vec::new(),
            Export::Markdown if listing == Listing::Again => markdown::row_alone(pair, names),
            Export::Github => github::annotations(pair, names, self.weight),
            Export::Junit => junit::failures(pair, names),
            Export::Gitlab => gitlab::entries(pair, names)?,
            Export::Markdown => markdown::parts(pair, names),
            Export::Badge => Vec::new(),
        };
        Ok(Piece::new(pair, listing, written))
    }

    /// Returns an empty collection for the pieces, of the kind that the format needs.
    pub(crate) fn pieces(&self) -> Pieces {
        match self.export {
            Export::Csv | Export::Badge => Pieces::all_with(""),
            Export::Junit => Pieces::by_text(junit::MAX_PAIRS),
            Export::Gitlab => Pieces::all_with(gitlab::SEPARATOR),
            Export::Sarif => Pieces::closest_of(sarif::MAX_RESULTS),
            Export::Github => Pieces::closest_of(github::MAX_ANNOTATIONS),
            Export::Markdown => Pieces::closest_of(markdown::MAX_PAIRS),
        }
    }

    /// Returns the head of a format in which the pieces can be written as they come, after the
    /// head; `None` for other formats.
    pub(crate) fn only_head(&self) -> Option<String> {
        (self.export == Export::Csv).then(csv::head)
    }

    /// Appends what follows the pieces of a format that has [only a head](Self::only_head) before
    /// them; nothing for other formats.
    pub(crate) fn with_tail(&self, before: Rendered, run: &Run) -> anyhow::Result<Rendered> {
        if self.export == Export::Csv { csv::remarks(before, run, &self.names) } else { Ok(before) }
    }

    /// Renders the complete answer.
    pub(crate) fn whole(&self, pieces: Pieces, run: &Run) -> anyhow::Result<Rendered> {
        Ok(match self.export {
            Export::Csv => {
                let rows = Rendered::from(csv::head()).with_records(pieces.all());
                csv::remarks(rows, run, &self.names)?
            }
            Export::Sarif => sarif::log(pieces, run, &self.names)?.into(),
            Export::Github => github::log(pieces, run, &self.names, self.weight).into(),
            Export::Junit => junit::suite(pieces, run, &self.names)?,
            Export::Gitlab => gitlab::list(pieces, run, &self.names)?,
            Export::Markdown => markdown::page(pieces, run).into(),
            Export::Badge => badge(&pieces, run, self.weight)?.into(),
        })
    }

    /// Renders the complete answer about a single pair.
    pub(crate) fn alone(&self, pair: &Pair, settings: Option<&str>) -> anyhow::Result<Rendered> {
        let mut pieces = self.pieces();
        pieces.add(self.piece(pair, Listing::First)?)?;
        let is_one = self.names.plain(pair.left) == self.names.plain(pair.right);
        let run = Run {
            level: pair.level,
            texts: if is_one { vec![pair.left] } else { vec![pair.left, pair.right] },
            compared: 2,
            has_errors: false,
            disguises: Severity::Warning,
            counts: "2 texts compared".to_owned(),
            settings,
            failed: &Failures::default(),
            skipped: Skipped::default(),
            short: Vec::new(),
            remarks: Vec::new(),
            left_out: Vec::new(),
            excluded: None,
            common: Vec::new(),
        };
        self.whole(pieces, &run)
    }
}

// A badge of shields.io with the number of pairs, in the schema of its endpoint.

/// The badge, as <https://shields.io/badges/endpoint-badge> defines it.
#[derive(Serialize)]
struct Badge {
    #[serde(rename = "schemaVersion")]
    schema_version: u32,
    label: &'static str,
    message: String,
    color: &'static str,
}

/// Renders the badge. It never says only "none" unless all texts, and all of each text, were compared.
fn badge(pieces: &Pieces, run: &Run, weight: Weight) -> anyhow::Result<String> {
    let color = match weight {
        Weight::Error => "red",
        Weight::Warning => "orange",
    };
    let (message, color) = match (pieces.findings(), run.common.len()) {
        (0, 0) if !run.is_complete() => ("not compared".to_owned(), "lightgrey"),
        (0, 0) => ("none".to_owned(), "brightgreen"),
        (0, common) => (counted(common, "common passage"), color),
        (pairs, _) => (counted(pairs, "pair"), color),
    };
    let skipped = run.skipped.counts().filter(|(why, _)| run.skipped.has_names(*why));
    let parts = [
        (run.failed.len(), "failed"),
        (run.short.len(), "too short"),
        (skipped.map(|(_, count)| count).sum(), "skipped"),
        (run.remarks_of(RemarkKind::Disguised).count(), "disguised"),
        (run.excluded_by_authors().map_or(0, |it| it.in_part), "in part"),
        (run.left_out.len(), "left out"),
    ];
    let is_grey = color == "lightgrey"; // it may hide anything
    let parts = parts.into_iter().filter(|(count, _)| *count > 0 && !is_grey);
    let parts = parts.map(|(count, what)| format!(", {} {what}", thousands(count)));
    let message = message + &parts.collect::<String>();
    Ok(inert::json(&Badge { schema_version: 1, label: "copies", message, color })? + "\n")
}

// The findings of a pair that reaches the level: each passage, or the two texts as a whole if there
// is no passage.

/// Returns the level of a verdict in SARIF.
fn level(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Identical => "error",
        Verdict::NearDuplicate => "warning",
        Verdict::Partial | Verdict::Excerpt | Verdict::Different => "note",
    }
}

/// A finding: a passage of a pair, or the pair as a whole.
struct Finding<'p> {
    /// The passage; `None` if the finding is about the two texts as a whole.
    passage: Option<&'p Match>,
    /// The identity of the finding across runs, which does not depend on its position in the texts:
    /// 32 hexadecimal digits. The identities of a run are distinct unless a text is named twice.
    identity: String,
    pair: &'p Pair<'p>,
    names: &'p Names,
}

/// Returns the findings of a pair, in the order of the left text; an empty vector if the pair does
/// not reach the level or was accepted earlier.
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
fn longest<'p>(pair: &'p Pair<'p>, names: &'p Names) -> Option<Finding<'p>> {
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
    fn place(&self, side: Side) -> Option<&Place> {
        let (text, place) = self.end(side);
        stored(text, place)
    }

    /// Returns the file of a side that contains the passage, if the text consists of several files;
    /// otherwise the text. A finding without a passage is reported for the first file.
    fn file(&self, side: Side) -> &Text {
        let (text, place) = self.end(side);
        text.file(place.unwrap_or(&Place::default()))
    }

    /// Formats the finding as a sentence that follows the verdict. `linked` turns the name of the
    /// right text, and the position in it, into a link.
    fn message(&self, linked: impl Fn(&str) -> String) -> String {
        let (pair, names) = (self.pair, self.names);
        let reasons = reasons(pair);
        let Some(found) = self.passage else {
            return format!("the other text is {}; {reasons}", linked(&names.visible(pair.right)));
        };
        let right = names.visible(self.file(Side::Right));
        let words = extent(&found.passage);
        let of_left = match self.place(Side::Left) {
            Some(_) => String::new(),
            None => format!(" ({})", in_file(pair.left, &found.left)),
        };
        let right = linked(&format!("{right}, {}", in_file(pair.right, &found.right)));
        format!("{words}{of_left}, are also in {right}; {reasons}")
    }
}

impl Finding<'_> {
    /// Formats the finding as a plain sentence, from the point of view of one of the texts.
    fn sentence(&self, side: Side) -> String {
        let other_side = if side == Side::Left { Side::Right } else { Side::Left };
        let [(own, here), (other, there)] = [side, other_side].map(|side| self.end(side));
        let (Some(found), Some(here), Some(there)) = (self.passage, here, there) else {
            let other = self.names.visible(other);
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
        let name = self.names.visible(self.file(other_side));
        format!("{words} here{here} also {occur}{how} in {name}, {}", in_file(other, there))
    }
}

/// Returns a place if its positions are those of the file as it is stored.
pub(crate) fn stored<'m>(text: &Text, place: Option<&'m Place>) -> Option<&'m Place> {
    place.filter(|place| text.file(place).kind().is_shown_as_stored())
}

/// Formats a position: that in the extracted text, if the document has neither pages nor lines; for
/// a text of several files, with the name of the file.
fn stand(text: &Text, place: &Place) -> String {
    file_of(text, place) + &in_file(text, place)
}

/// Formats a position within its file.
pub(crate) fn in_file(text: &Text, place: &Place) -> String {
    let is_of_file = place.pages.is_some() || text.file(place).kind().is_shown_as_stored();
    position(place) + if is_of_file { "" } else { " of its text" }
}

// Rendered pairs, in their order or with the closest first.

/// A rendered pair.
#[derive(Debug)]
pub(crate) struct Piece {
    verdict: Verdict,
    jaccard: f64,
    hamming: u32,
    is_finding: bool,
    listing: Listing,
    /// The parts of the pair, as the format defines them.
    written: Vec<String>,
}

impl Piece {
    fn new(pair: &Pair, listing: Listing, written: Vec<String>) -> Self {
        let figures = &pair.judgement.comparison;
        Self {
            verdict: pair.judgement.decision.verdict,
            jaccard: figures.jaccard().map_or(0.0, Share::ratio),
            hamming: figures.hamming.unwrap_or(u64::BITS),
            is_finding: pair.is_finding(),
            listing,
            written,
        }
    }

    /// Returns a piece with the given verdict and parts.
    #[cfg(test)]
    fn made(verdict: Verdict, written: Vec<String>) -> Self {
        let listing = Listing::First;
        Self { verdict, jaccard: 0.0, hamming: 0, is_finding: true, listing, written }
    }

    /// Returns the parts joined together.
    pub(crate) fn into_text(self) -> String {
        self.written.concat()
    }

    /// Compares two pieces: a finding is less than any other pair, then the closer pair is less
    /// than the other.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.is_finding.cmp(&self.is_finding))
            .then_with(|| other.verdict.cmp(&self.verdict))
            .then_with(|| other.jaccard.total_cmp(&self.jaccard))
            .then_with(|| self.hamming.cmp(&other.hamming))
    }
}

/// The pieces of the pairs. Depending on the format, the collection keeps all of them as they come,
/// the pieces of each text, or only a limited number: findings first, then the closest. The others
/// are counted and dropped.
#[derive(Debug)]
pub(crate) struct Pieces {
    kept: Kept,
    pairs: usize,
    findings: usize,
    parts: usize,
}

/// The pieces that are kept.
#[derive(Debug)]
enum Kept {
    /// All parts, as they come.
    All(Spool),
    /// The closest pieces, and how many of them are kept.
    Closest(usize, Vec<Piece>),
    /// For each text the pairs that it is in, and how many of them are kept.
    ByText(usize, BTreeMap<String, OfText>),
}

/// The pairs that a text is in.
#[derive(Debug)]
struct OfText {
    /// The closest verdict of the pairs.
    verdict: Verdict,
    /// The number of pairs.
    pairs: usize,
    /// The first of the pairs, rendered, up to the number that is kept.
    kept: Vec<String>,
}

impl Pieces {
    fn new(kept: Kept) -> Self {
        Self { kept, pairs: 0, findings: 0, parts: 0 }
    }

    /// Returns an empty collection that keeps all parts, with a separator between two parts.
    fn all_with(separator: &'static str) -> Self {
        Self::new(Kept::All(Spool::new(separator)))
    }

    /// Returns an empty collection that keeps the `limit` closest pieces.
    fn closest_of(limit: usize) -> Self {
        Self::new(Kept::Closest(limit, Vec::new()))
    }

    /// Returns an empty collection that keeps the first `limit` pairs of each text. The parts of a
    /// piece alternate: the name of a text, and the rendered pair for that text.
    fn by_text(limit: usize) -> Self {
        Self::new(Kept::ByText(limit, BTreeMap::new()))
    }

    /// Adds the next piece.
    pub(crate) fn add(&mut self, piece: Piece) -> io::Result<()> {
        self.pairs += 1;
        self.findings += usize::from(piece.is_finding && piece.listing == Listing::First);
        self.parts += piece.written.len();
        match &mut self.kept {
            Kept::All(all) => return piece.written.iter().try_for_each(|part| all.add(part)),
            Kept::Closest(limit, closest) => {
                if !piece.written.is_empty() {
                    closest.push(piece);
                }
                if closest.len() >= 2 * *limit {
                    closest.sort_by(Piece::cmp);
                    closest.truncate(*limit);
                }
            }
            Kept::ByText(limit, texts) => {
                let mut parts = piece.written.into_iter();
                while let (Some(name), Some(part)) = (parts.next(), parts.next()) {
                    let verdict = piece.verdict;
                    let of_text = || OfText { verdict, pairs: 0, kept: Vec::new() };
                    let text = texts.entry(name).or_insert_with(of_text);
                    text.verdict = text.verdict.max(verdict);
                    text.pairs += 1;
                    if text.kept.len() < *limit {
                        text.kept.push(part);
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the number of pairs, in as many directions as they are listed.
    fn pairs(&self) -> usize {
        self.pairs
    }

    /// Returns the number of pairs that are findings, each counted once.
    fn findings(&self) -> usize {
        self.findings
    }

    /// Returns the number of rendered parts of all pairs.
    fn parts(&self) -> usize {
        self.parts
    }

    /// Returns all parts in their order; nothing if not all are kept.
    fn all(self) -> Spool {
        match self.kept {
            Kept::All(all) => all,
            Kept::Closest(..) | Kept::ByText(..) => Spool::new(""),
        }
    }

    /// Returns the pairs of each text, by the name of the text; an empty map if they are not kept
    /// by text.
    fn of_texts(self) -> BTreeMap<String, OfText> {
        match self.kept {
            Kept::ByText(_, texts) => texts,
            Kept::All(_) | Kept::Closest(..) => BTreeMap::new(),
        }
    }

    /// Returns the parts of each pair, the closest first; nothing if the closest are not kept.
    fn closest(self) -> impl Iterator<Item = Vec<String>> {
        let pieces = match self.kept {
            Kept::Closest(limit, mut closest) => {
                closest.sort_by(Piece::cmp);
                closest.truncate(limit);
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

    /// Pairs in the order in which they are added. The names are in the order of closeness.
    const PAIRS: [(Verdict, f64, u32, &str); 6] = [
        (Verdict::NearDuplicate, 0.5, 3, "d"),
        (Verdict::NearDuplicate, 0.5, 2, "c"),
        (Verdict::Partial, 0.9, 0, "f"),
        (Verdict::NearDuplicate, 0.6, 9, "b"),
        (Verdict::Identical, 0.0, 64, "a"),
        (Verdict::NearDuplicate, 0.5, 3, "e"),
    ];

    #[test]
    fn the_closest_pairs_come_first_and_equal_ones_in_their_order() {
        for (limit, want) in [(9, "abcdef"), (6, "abcdef"), (2, "ab"), (1, "a")] {
            let mut pieces = Pieces::closest_of(limit);
            PAIRS.map(piece).into_iter().for_each(|piece| pieces.add(piece).unwrap());
            assert_eq!((pieces.pairs(), pieces.findings(), pieces.parts()), (6, 5, 6));
            assert_eq!(pieces.closest().flatten().collect::<String>(), want, "{limit}");
        }
    }

    #[test]
    fn pairs_keep_their_order_where_all_are_shown() {
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
