//! The answer for programs: one object, by `dedup.pair.schema.json`.
//!
//! The fields stand in the order of the schema, and the same pair gives the same bytes.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::path::Path;

use dedup_text::jaccard::{Overlap, Share};
use dedup_text::language::{By, Known};
use dedup_text::pair::recipe::{Recipe, Search};
use dedup_text::pair::warnings::Warning;
use dedup_text::pair::{Judgement, Match, Matches, Trace, trace};
use dedup_text::passages::Kind;
use dedup_text::rabin::{self, MODULUS};
use dedup_text::simhash::{Votes, vote};
use dedup_text::sketch::Summary;
use dedup_text::stems;
use dedup_text::text::{self, EncodingBy, Place, Properties, Side, Text, display_path};
use dedup_text::tokens::Token;
use dedup_text::tokens::exclusions::{LeftOut, Why};
use dedup_text::verdict::comparison::Comparison;
use dedup_text::verdict::ratio::Ratio;
use dedup_text::verdict::{Limits, Measure};
use serde::Serialize;

use crate::inert;
use crate::io::inputs::course::{Person, Time};
use crate::model::Pair;
use crate::model::meaning::{Meaning, meaning};
use crate::model::names::Names;
use crate::words::counted as of;

#[derive(Serialize)]
struct Record<'r> {
    schema: &'static str,
    tool: Tool,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    closest_by_far: Option<bool>,
    decided_by: Vec<&'static str>,
    limits: PairLimits,
    measures: Measures,
    meaning: Meaning,
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<Vec<MatchRecord>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<CoverageRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    later: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    short: Option<ShortRecord>,
    a: TextRecord<'r>,
    b: TextRecord<'r>,
    parameters: Parameters,
    warnings: Vec<WarningRecord>,
}

/// The limits of the ladder, and what a passage must have.
#[derive(Serialize)]
struct PairLimits {
    #[serde(flatten)]
    limits: LimitsRecord,
    min_match: Option<usize>,
}

#[derive(Serialize)]
struct TextRecord<'r> {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    person: Option<PersonRecord>,
    bytes: usize,
    encoding: String,
    encoding_by: &'static str,
    kind: &'static str,
    spans: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<PropertiesRecord>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<FileRecord>,
    language: LanguageRecord,
    excluded: Vec<ExcludedRecord>,
    words: usize,
    stems: usize,
    shingles: usize,
    simhash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stages: Option<StagesRecord<'r>>,
}

/// What a document says of those who wrote it.
#[derive(Serialize)]
struct PropertiesRecord {
    author: Option<String>,
    last_modified_by: Option<String>,
    created: Option<String>,
}

/// Who handed in a text, as a list says.
#[derive(Serialize)]
struct PersonRecord {
    id: String,
    name: Option<String>,
    group: Option<String>,
    submitted: Option<String>,
}

/// A file of a text that is made of several.
#[derive(Serialize)]
struct FileRecord {
    path: String,
    bytes: usize,
    encoding: String,
    encoding_by: &'static str,
    kind: &'static str,
    spans: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<PropertiesRecord>,
}

#[derive(Serialize)]
struct ExcludedRecord {
    why: &'static str,
    parts: usize,
    words: usize,
}

#[derive(Serialize)]
struct LanguageRecord {
    code: Option<&'static str>,
    by: &'static str,
    confidence: Option<f64>,
    reliable: Option<bool>,
}

#[derive(Serialize)]
struct WarningRecord {
    code: &'static str,
    file: Option<&'static str>,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    example: Option<String>,
}

/// What is reported beside a pair.
pub(crate) struct ReportOptions<'t> {
    /// What texts go by.
    pub(crate) names: &'t Names,
    /// What was given of stop words.
    pub(crate) stopwords: &'t Path,
    /// The settings file; none where none is read.
    pub(crate) settings: Option<String>,
}

/// The record of a pair, on one line without an end; with every stage where it is explained.
pub(crate) fn render(
    pair: &Pair,
    explain: bool,
    rendered: ReportOptions,
) -> anyhow::Result<String> {
    let ReportOptions { names, stopwords, settings } = rendered;
    let judgement = pair.judgement;
    let traced = |text, known| explain.then(|| Stages::new(text, known, pair.recipe));
    let left = traced(pair.left, judgement.languages.left);
    let right = traced(pair.right, judgement.languages.right);
    let record = Record {
        schema: "dedup.pair/2",
        tool: Tool::here(),
        verdict: judgement.decision.verdict.name(),
        accepted: pair.is_accepted,
        closest_by_far: pair.is_by_far,
        decided_by: judgement.decision.decided_by.iter().map(|measure| name(*measure)).collect(),
        limits: PairLimits {
            limits: limits(&pair.recipe.limits),
            min_match: (pair.recipe.search != Search::Never).then(|| pair.recipe.least.words()),
        },
        measures: measures(&judgement.comparison),
        meaning: meaning(pair),
        matches: judgement.matches.as_ref().map(|it| matches(it, pair)),
        coverage: coverage(judgement),
        later: pair.later().map(|side| match side {
            Side::Left => "a",
            Side::Right => "b",
        }),
        short: short(judgement),
        a: text_record(
            (pair.left, names, pair.persons[0]),
            judgement.languages.left,
            &judgement.left_out_of_left,
            &judgement.left,
            stages(left.as_ref(), pair),
        ),
        b: text_record(
            (pair.right, names, pair.persons[1]),
            judgement.languages.right,
            &judgement.left_out_of_right,
            &judgement.right,
            stages(right.as_ref(), pair),
        ),
        parameters: parameters(pair.recipe, display_path(stopwords).into_owned(), settings),
        warnings: warnings(pair),
    };
    inert::json(&record)
}

fn text_record<'r>(
    (text, names, person): (&Text, &Names, Option<&Person>),
    known: Known,
    left_out: &[LeftOut],
    sketch: &Summary,
    stages: Option<StagesRecord<'r>>,
) -> TextRecord<'r> {
    let FileRecord { path, bytes, encoding, encoding_by, kind, spans, properties } =
        file(text, names);
    TextRecord {
        path,
        person: person.map(|person| PersonRecord {
            id: person.id.clone(),
            name: person.name.clone(),
            group: person.group.clone(),
            submitted: person.submitted.as_ref().map(Time::iso),
        }),
        bytes,
        encoding,
        encoding_by,
        kind,
        spans,
        properties,
        files: text.files().map(|it| file(it, names)).collect(),
        language: LanguageRecord {
            code: known.language.map(dedup_text::language::Language::code),
            by: match known.by {
                By::Detected => "detected",
                By::Together => "together",
                By::Corpus => "corpus",
                By::Given => "given",
                By::None => "none",
            },
            confidence: known.confidence,
            reliable: known.reliable,
        },
        excluded: counted(left_out)
            .map(|(why, parts, words)| ExcludedRecord { why: why.name(), parts, words })
            .collect(),
        words: sketch.words,
        stems: sketch.stems,
        shingles: sketch.shingles,
        simhash: sketch.fingerprint.map(|fingerprint| fingerprint.to_string()),
        stages,
    }
}

fn file(text: &Text, names: &Names) -> FileRecord {
    FileRecord {
        path: names.given(text.path()),
        bytes: text.bytes(),
        encoding: text.encoding().name(),
        encoding_by: match text.encoding_by() {
            EncodingBy::Mark => "mark",
            EncodingBy::Content => "content",
            EncodingBy::Given => "given",
        },
        kind: text.kind().name(),
        spans: match text.kind() {
            text::formats::Kind::Files => "files",
            kind if kind.is_shown_as_stored() => "file",
            _ => "text",
        },
        properties: properties(text.properties()),
    }
}

/// What a document says of those who wrote it; none where it says nothing.
fn properties(said: &Properties) -> Option<PropertiesRecord> {
    let Properties { author, last_modified_by, created } = said.clone();
    (!said.is_empty()).then_some(PropertiesRecord { author, last_modified_by, created })
}

fn warnings(pair: &Pair) -> Vec<WarningRecord> {
    let records = pair.judgement.warnings.iter().map(|warning| {
        let found = match warning {
            Warning::Disguised(_, found) => Some(found),
            _ => None,
        };
        WarningRecord {
            code: warning.code(),
            file: warning.side().map(|side| match side {
                Side::Left => "a",
                Side::Right => "b",
            }),
            text: warning.to_string(),
            line: found.and_then(|found| found.line),
            page: found.and_then(|found| found.page).map(|pages| pages.numbers[0]),
            count: found.map(|found| found.words),
            example: found.map(|found| found.example.clone()),
        }
    });
    records.collect()
}

// The figures of a pair.

#[derive(Serialize)]
pub(super) struct Measures {
    hamming: Option<u32>,
    jaccard: Option<f64>,
    shared: usize,
    union: usize,
    containment_a: Option<f64>,
    containment_b: Option<f64>,
    longest: Members,
}

#[derive(Serialize)]
pub(super) struct Members {
    shared: usize,
    a: usize,
    b: usize,
}

/// The name of a figure; never changes.
pub(crate) fn name(measure: Measure) -> &'static str {
    match measure {
        Measure::Words => "words",
        Measure::Hamming => "hamming",
        Measure::CoverageLeft => "coverage_a",
        Measure::CoverageRight => "coverage_b",
        Measure::Jaccard => "jaccard",
        Measure::ContainmentLeft => "containment_a",
        Measure::ContainmentRight => "containment_b",
        Measure::Passages => "passages",
    }
}

pub(super) fn measures(figures: &Comparison) -> Measures {
    let members = |set: Overlap| Members { shared: set.shared, a: set.left, b: set.right };
    Measures {
        hamming: figures.hamming,
        jaccard: figures.jaccard().map(Share::ratio),
        shared: figures.all.shared,
        union: figures.all.union(),
        containment_a: figures.containment_left().map(Share::ratio),
        containment_b: figures.containment_right().map(Share::ratio),
        longest: members(figures.longest),
    }
}

// What made an answer, for programs.

/// The program.
#[derive(Serialize)]
pub(crate) struct Tool {
    name: &'static str,
    version: &'static str,
}

impl Tool {
    /// This one.
    pub(crate) fn here() -> Self {
        Self { name: "dedup", version: env!("CARGO_PKG_VERSION") }
    }
}

/// The limits of the ladder; null for one that is off.
#[derive(Serialize)]
pub(crate) struct LimitsRecord {
    hamming: Option<u32>,
    jaccard: Option<f64>,
    partial_jaccard: Option<f64>,
    coverage: Option<f64>,
    containment: Option<f64>,
}

/// How texts are compared.
#[derive(Serialize)]
pub(crate) struct Parameters {
    min: usize,
    max: usize,
    modulus: String,
    stopwords: String,
    stem: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    settings: Option<String>,
}

/// The limits as numbers.
pub(crate) fn limits(limits: &Limits) -> LimitsRecord {
    let Limits { hamming, jaccard, partial_jaccard, coverage, containment } = *limits;
    let number = |ratio: Option<Ratio>| ratio?.to_string().parse().ok();
    LimitsRecord {
        hamming,
        jaccard: number(jaccard),
        partial_jaccard: number(partial_jaccard),
        coverage: number(coverage),
        containment: number(containment),
    }
}

/// How texts are compared, with `--stopwords` as it was typed.
pub(crate) fn parameters(
    recipe: &Recipe,
    stopwords: String,
    settings: Option<String>,
) -> Parameters {
    Parameters {
        min: recipe.ngrams.min(),
        max: recipe.ngrams.max(),
        modulus: format!("{MODULUS:016x}"),
        stopwords,
        stem: match recipe.stemming {
            stems::Choice::On => "on",
            stems::Choice::Off => "off",
        },
        settings,
    }
}

// What each stage made of a text.

#[derive(Serialize)]
pub(super) struct StagesRecord<'r> {
    dropped: Vec<Dropped<'r>>,
    stems: Vec<&'r str>,
    shingles: Vec<ShingleRecord<'r>>,
    votes: Vec<i64>,
}

#[derive(Serialize)]
struct Dropped<'r> {
    word: &'r str,
    why: &'static str,
}

#[derive(Serialize)]
struct ShingleRecord<'r> {
    text: &'r str,
    residue: String,
}

/// The stages of a text, where they are wanted.
pub(super) fn stages<'r>(stages: Option<&'r Stages>, pair: &Pair) -> Option<StagesRecord<'r>> {
    let stages = stages?;
    let dropped = stages.trace.sifted.dropped.0.iter();
    let shingles = stages.shingles(pair.recipe).into_iter();
    Some(StagesRecord {
        dropped: dropped.map(|token| Dropped { word: &token.word, why: why(token) }).collect(),
        stems: stages.trace.stems.iter().collect(),
        shingles: shingles
            .map(|shingle| ShingleRecord {
                text: shingle.text,
                residue: format!("{:016x}", shingle.residue),
            })
            .collect(),
        votes: stages.votes.0.to_vec(),
    })
}

fn why(token: &Token) -> &'static str {
    if token.elided { "elided" } else { "stop-word" }
}

// The passages of a pair, for programs.

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
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<[usize; 2]>,
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
fn matches(matches: &Matches, pair: &Pair) -> Vec<MatchRecord> {
    let record = |(before, found): (usize, &Match)| MatchRecord {
        id: before + 1,
        words: found.passage.words(),
        changed_words: found.passage.changed_words(),
        kind: kind(found.passage.kind()),
        a: place(pair.left, &found.left, &found.passage.left),
        b: place(pair.right, &found.right, &found.passage.right),
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

fn place(text: &Text, place: &Place, words: &Range<usize>) -> PlaceRecord {
    PlaceRecord {
        file: text.files().next().map(|_| place.file),
        page: place.pages.map(|pages| pages.numbers),
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
    pub(super) fn new(text: &'t Text, known: Known, recipe: &Recipe) -> Self {
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
pub(super) fn rendered(left_out: &[LeftOut]) -> String {
    if left_out.is_empty() {
        return String::new();
    }
    let words = left_out.iter().map(|part| part.words).sum();
    format!("{} left out ({}); ", of(words, "word"), reasons(left_out))
}
