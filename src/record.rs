//! Records the judgement of a pair as one JSON object, according to the program's
//! `dedup.pair.schema.json`.
//!
//! The fields are in the order of the schema, and the same pair gives the same bytes.

pub mod meaning;

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::display::inert;
use crate::jaccard::{Overlap, Share};
use crate::language::{By, Known, Language};
use crate::pair::warnings::Warning;
use crate::pair::{Judgement, Match, Matches, Trace, trace};
use crate::pair::{Recipe, Search};
use crate::passages::Passage;
use crate::rabin::{self, MODULUS};
use crate::simhash::{Votes, vote};
use crate::sketch::{Comparison, Summary};
use crate::text::{self, EncodingBy, Place, Properties, Side, Text, display_path};
use crate::tokens::Token;
use crate::tokens::exclusions::{LeftOut, excluded};
use crate::verdict::Limits;
use meaning::{Meaning, meaning};

/// The data of a record in addition to the judgement.
pub struct RecordOptions<'o> {
    /// Returns the name of a text, given its path.
    pub name: &'o dyn Fn(&Path) -> String,
    /// The list of stop words, as the user gave it.
    pub stopwords: &'o Path,
    /// The path of the settings file; `None` if none is read.
    pub settings: Option<&'o str>,
    /// Whether the record also contains the output of each stage for both texts.
    pub explains: bool,
    /// Whether the pair was accepted earlier; `None` if this was not checked.
    pub is_accepted: Option<bool>,
    /// What accepted the pair, if something did.
    pub accepted_by: Option<AcceptedBy>,
    /// The persons who submitted left and right; `None` if that is not known.
    pub persons: [Option<PersonRecord>; 2],
    /// The text that was submitted later; `None` if that is not known.
    pub later: Option<Side>,
    /// The text that is only compared with, and not one of the given texts; `None` if both are given.
    pub earlier: Option<Side>,
}

/// What accepted a pair, so that it no longer counts.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AcceptedBy {
    /// It was found at the earlier commit of `--since`.
    Since,
    /// A baseline lists it.
    Baseline,
}

impl AcceptedBy {
    /// Returns the name in output, which is that of the flag.
    pub fn name(self) -> &'static str {
        match self {
            Self::Since => "since",
            Self::Baseline => "baseline",
        }
    }
}

#[derive(Serialize)]
struct PairRecord<'r> {
    schema: &'static str,
    tool: Tool,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted_by: Option<AcceptedBy>,
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
    earlier: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    short: Option<ShortRecord>,
    a: TextRecord<'r>,
    b: TextRecord<'r>,
    parameters: Parameters,
    warnings: Vec<WarningRecord>,
}

/// The limits of the ladder, and the minimum match of a passage.
#[derive(Serialize)]
struct PairLimits {
    #[serde(flatten)]
    limits: Limits,
    min_match: Option<usize>,
}

#[derive(Serialize)]
struct TextRecord<'r> {
    #[serde(flatten)]
    file: FileRecord<'r>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<FileRecord<'r>>,
    language: LanguageRecord,
    excluded: Vec<ExcludedRecord>,
    words: usize,
    stems: usize,
    shingles: usize,
    simhash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stages: Option<StagesRecord<'r>>,
}

/// The person who submitted a text, according to a list of persons.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct PersonRecord {
    /// The id in the list.
    pub id: String,
    /// The name of the person.
    pub name: Option<String>,
    /// The group of the person; texts of one group are not compared with each other.
    pub group: Option<String>,
    /// The time of the submission, in ISO 8601.
    pub submitted: Option<String>,
}

/// The file of a text, or one of the files that a text consists of.
#[derive(Serialize)]
struct FileRecord<'r> {
    path: String,
    /// The person who submitted the text; `None` for one of its files.
    #[serde(skip_serializing_if = "Option::is_none")]
    person: Option<PersonRecord>,
    bytes: usize,
    encoding: String,
    encoding_by: &'static str,
    kind: &'static str,
    spans: &'static str,
    /// The words of a web page that do not count, and all of its words.
    #[serde(skip_serializing_if = "Option::is_none")]
    around: Option<AroundRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<&'r Properties>,
}

#[derive(Serialize)]
struct AroundRecord {
    words: usize,
    of: usize,
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
    by: By,
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

/// Records the judgement of a pair as JSON, on one line without a line end.
///
/// # Errors
///
/// No error is possible with the types of the fields.
pub fn of_pair(
    [left, right]: [&Text; 2],
    recipe: &Recipe,
    judgement: &Judgement,
    options: &RecordOptions,
) -> Result<String, serde_json::Error> {
    let traced = |text, known| options.explains.then(|| Stages::new(text, known, recipe));
    let stages = [traced(left, judgement.languages.left), traced(right, judgement.languages.right)];
    let [stages_of_left, stages_of_right] =
        stages.each_ref().map(|it| it.as_ref().map(|it| it.record(recipe)));
    let [person_of_left, person_of_right] = options.persons.clone();
    let side = |side| match side {
        Side::Left => "a",
        Side::Right => "b",
    };
    let record = PairRecord {
        schema: "dedup.pair/2",
        tool: Tool::here(),
        verdict: judgement.decision.verdict.name(),
        accepted: options.is_accepted,
        accepted_by: options.accepted_by,
        decided_by: judgement.decision.decided_by.iter().map(|measure| measure.name()).collect(),
        limits: PairLimits {
            limits: recipe.limits,
            min_match: (recipe.search != Search::Never).then(|| recipe.min_match.words()),
        },
        measures: measures(&judgement.comparison, &recipe.limits),
        meaning: meaning(judgement, recipe),
        matches: judgement.matches.as_ref().map(|it| matches(it, [left, right])),
        coverage: coverage(judgement),
        later: options.later.map(side),
        earlier: options.earlier.map(side),
        short: short(judgement),
        a: text_record(
            (left, options.name, person_of_left),
            judgement.languages.left,
            &judgement.left_out_of_left,
            &judgement.left,
            stages_of_left,
        ),
        b: text_record(
            (right, options.name, person_of_right),
            judgement.languages.right,
            &judgement.left_out_of_right,
            &judgement.right,
            stages_of_right,
        ),
        parameters: parameters(recipe, options.stopwords, options.settings),
        warnings: judgement.warnings.iter().map(|it| warning(it, side)).collect(),
    };
    inert::json(&record)
}

fn text_record<'r>(
    (text, name, person): (&'r Text, &dyn Fn(&Path) -> String, Option<PersonRecord>),
    known: Known,
    left_out: &[LeftOut],
    sketch: &Summary,
    stages: Option<StagesRecord<'r>>,
) -> TextRecord<'r> {
    TextRecord {
        file: FileRecord { person, ..file(text, name) },
        files: text.files().map(|it| file(it, name)).collect(),
        language: LanguageRecord {
            code: known.language.map(Language::code),
            by: known.by,
            confidence: known.confidence,
            reliable: known.reliable,
        },
        excluded: excluded(left_out)
            .map(|(why, parts, words)| ExcludedRecord { why: why.name(), parts, words })
            .collect(),
        words: sketch.words,
        stems: sketch.stems,
        shingles: sketch.shingles,
        simhash: sketch.fingerprint.map(|fingerprint| fingerprint.to_string()),
        stages,
    }
}

fn file<'r>(text: &'r Text, name: &dyn Fn(&Path) -> String) -> FileRecord<'r> {
    FileRecord {
        path: name(text.path()),
        person: None,
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
        around: text.around().map(|[words, of]| AroundRecord { words, of }),
        properties: Some(text.properties()).filter(|properties| !properties.is_empty()),
    }
}

fn warning(warning: &Warning, side: impl Fn(Side) -> &'static str) -> WarningRecord {
    let found = match warning {
        Warning::Disguised(_, found) => Some(found),
        _ => None,
    };
    WarningRecord {
        code: warning.code(),
        file: warning.side().map(side),
        text: warning.to_string(),
        line: found.and_then(|found| found.line),
        page: found.and_then(|found| found.page).map(|pages| pages.numbers[0]),
        count: found.map(|found| found.words),
        example: found.map(|found| found.example.clone()).filter(|example| !example.is_empty()),
    }
}

// The figures of a pair.

#[derive(Serialize)]
struct Measures {
    hamming: Option<u32>,
    jaccard: Option<f64>,
    shared: usize,
    union: usize,
    containment_a: Option<f64>,
    containment_b: Option<f64>,
    longest: Members,
    #[serde(skip_serializing_if = "Option::is_none")]
    disregarded: Option<&'static str>,
}

#[derive(Serialize)]
struct Members {
    shared: usize,
    a: usize,
    b: usize,
}

fn measures(figures: &Comparison, limits: &Limits) -> Measures {
    let members = |set: Overlap| Members { shared: set.shared, a: set.left, b: set.right };
    Measures {
        hamming: figures.hamming,
        jaccard: figures.jaccard().map(Share::ratio),
        shared: figures.all.shared,
        union: figures.all.union(),
        containment_a: figures.containment_left().map(Share::ratio),
        containment_b: figures.containment_right().map(Share::ratio),
        longest: members(figures.longest),
        disregarded: limits.disregarded(figures).map(|(variety, _)| variety.name()),
    }
}

// What produced an answer, for programs.

/// The program that produced the answer.
#[derive(Serialize)]
pub struct Tool {
    name: &'static str,
    version: &'static str,
}

impl Tool {
    /// Returns this program and its version.
    pub fn here() -> Self {
        Self { name: "dedup", version: env!("CARGO_PKG_VERSION") }
    }
}

/// The parameters of the comparison.
#[derive(Serialize)]
pub struct Parameters {
    min: usize,
    max: usize,
    modulus: String,
    stopwords: String,
    stem: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    settings: Option<String>,
}

/// Returns the parameters of the comparison, with the list of stop words as the user gave it.
pub fn parameters(recipe: &Recipe, stopwords: &Path, settings: Option<&str>) -> Parameters {
    Parameters {
        min: recipe.ngrams.min(),
        max: recipe.ngrams.max(),
        modulus: format!("{MODULUS:016x}"),
        stopwords: display_path(stopwords).into_owned(),
        stem: recipe.stemming.name(),
        settings: settings.map(str::to_owned),
    }
}

// The output of each stage for a text.

#[derive(Serialize)]
struct StagesRecord<'r> {
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

fn why(token: &Token) -> &'static str {
    if token.elided { "elided" } else { "stop-word" }
}

// The passages of a pair, for programs.

#[derive(Serialize)]
struct MatchRecord {
    id: usize,
    words: usize,
    changed_words: usize,
    /// The number of words of left between its parts; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    own_words_a: Option<NonZeroUsize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    own_words_b: Option<NonZeroUsize>,
    /// The words of reworded sentences on each side; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reworded_a: Vec<[usize; 2]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reworded_b: Vec<[usize; 2]>,
    kind: &'static str,
    a: PlaceRecord,
    b: PlaceRecord,
    /// The places where either text repeats it; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    repeats_a: Vec<PlaceRecord>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    repeats_b: Vec<PlaceRecord>,
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

/// The parts of both texts that the passages cover.
#[derive(Serialize)]
pub struct CoverageRecord {
    /// The number of words of left in passages.
    pub words_a: usize,
    /// The number of words of right in passages.
    pub words_b: usize,
    /// The coverage of left, 0 to 1; `None` if it has no words.
    pub share_a: Option<f64>,
    /// The coverage of right, 0 to 1; `None` if it has no words.
    pub share_b: Option<f64>,
    /// The share of the words of left that are the same in right, 0 to 1; `None` if left has no words.
    pub same_a: Option<f64>,
    /// The share of the words of right that are the same in left.
    pub same_b: Option<f64>,
    /// The share of the words of left that are changed in right: the rest of its coverage.
    pub changed_a: Option<f64>,
    /// The share of the words of right that are changed in left.
    pub changed_b: Option<f64>,
    /// The number of aligned words in the longest passage.
    pub longest: usize,
}

#[derive(Serialize)]
struct ShortRecord {
    below: usize,
    passages: usize,
    words: usize,
}

/// Records the passages, numbered from 1 in the order of left.
fn matches(matches: &Matches, [left, right]: [&Text; 2]) -> Vec<MatchRecord> {
    let repeats = |text: &Text, found: &Match, side: usize| {
        let all = found.repeats[side].iter().zip(&found.passage.repeats[side]);
        all.map(|(it, words)| place(text, it, words)).collect()
    };
    let record = |(before, found): (usize, &Match)| MatchRecord {
        id: before + 1,
        words: found.passage.words(),
        changed_words: found.passage.changed_words(),
        own_words_a: NonZeroUsize::new(found.passage.own_words(0)),
        own_words_b: NonZeroUsize::new(found.passage.own_words(1)),
        reworded_a: reworded(&found.passage, 0),
        reworded_b: reworded(&found.passage, 1),
        kind: found.passage.kind().name(),
        a: place(left, &found.left, &found.passage.left),
        b: place(right, &found.right, &found.passage.right),
        repeats_a: repeats(left, found, 0),
        repeats_b: repeats(right, found, 1),
        fingerprint: format!("{:016x}", found.passage.fingerprint),
    };
    matches.all.iter().enumerate().map(record).collect()
}

fn reworded(passage: &Passage, side: usize) -> Vec<[usize; 2]> {
    passage.reworded[side].iter().map(|words| [words.start, words.end]).collect()
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

/// Returns how much of both texts the passages cover; `None` if passages were not searched for.
pub fn coverage(judgement: &Judgement) -> Option<CoverageRecord> {
    let coverage = judgement.matches.as_ref()?.coverage;
    let words = |share: Option<Share>| share.map_or(0, Share::shared);
    Some(CoverageRecord {
        words_a: words(coverage.left),
        words_b: words(coverage.right),
        share_a: coverage.left.map(Share::ratio),
        share_b: coverage.right.map(Share::ratio),
        same_a: coverage.same(0).map(Share::ratio),
        same_b: coverage.same(1).map(Share::ratio),
        changed_a: coverage.changed(0).map(Share::ratio),
        changed_b: coverage.changed(1).map(Share::ratio),
        longest: coverage.longest,
    })
}

/// Summarizes the passages that are listed separately because they are short; `None` if this was
/// not requested.
fn short(judgement: &Judgement) -> Option<ShortRecord> {
    let short = judgement.matches.as_ref()?.short.as_ref()?;
    Some(ShortRecord {
        below: short.below,
        passages: short.all.len(),
        words: short.all.iter().map(|found| found.passage.words()).sum(),
    })
}

// The output of each stage for a text, for `--explain` in either format.

/// The output of all stages for one text.
pub struct Stages<'t> {
    /// The output of each stage.
    pub trace: Trace<'t>,
    /// The votes for the fingerprint.
    pub votes: Votes,
}

/// A shingle at its first occurrence.
pub struct Shingle<'s> {
    /// The size of the n-gram.
    pub n: usize,
    /// The stems, separated by spaces.
    pub text: &'s str,
    /// The Rabin residue.
    pub residue: u64,
}

impl<'t> Stages<'t> {
    /// Runs a text through all stages the plain way, so that what is shown does not depend on the
    /// code that it is used to audit.
    pub fn new(text: &'t Text, known: Known, recipe: &Recipe) -> Self {
        let trace = trace(text, known.language, recipe);
        let votes = vote(trace.shingles.all().residues());
        Self { trace, votes }
    }

    fn record(&self, recipe: &Recipe) -> StagesRecord<'_> {
        let dropped = self.trace.filtered.dropped.0.iter();
        let shingles = self.shingles(recipe).into_iter();
        StagesRecord {
            dropped: dropped.map(|token| Dropped { word: &token.word, why: why(token) }).collect(),
            stems: self.trace.stems.iter().collect(),
            shingles: shingles
                .map(|shingle| ShingleRecord {
                    text: shingle.text,
                    residue: format!("{:016x}", shingle.residue),
                })
                .collect(),
            votes: self.votes.0.to_vec(),
        }
    }

    /// Returns the distinct shingles, the shortest first, in the order of their first occurrence.
    pub fn shingles(&self, recipe: &Recipe) -> Vec<Shingle<'_>> {
        let mut seen = HashSet::new();
        let sizes = recipe.ngrams.min()..=recipe.ngrams.max();
        sizes
            .flat_map(|n| self.trace.stems.windows(n).map(move |text| (n, text)))
            .map(|(n, text)| Shingle { n, text, residue: rabin::residue(text.as_bytes()) })
            .filter(|shingle| seen.insert(shingle.residue))
            .collect()
    }
}

// Counts what was excluded from a text.
