//! Scores the passages that are found on a benchmark of text alignment, such as the training corpus of PAN 2013
//! (Potthast et al. 2013): `cargo run --release --example alignment -- FOLDER/truth.jsonl`.
//!
//! A line of the file is a pair: `{"id": …, "class": …, "left": PATH, "right": PATH, "passages": [[left start,
//! left end, right start, right end], …]}`, with places in bytes and paths that are relative to the file. The
//! measures are those of Potthast, Stein, Barrón-Cedeño and Rosso (2010), by characters, the mean over cases and
//! over detections:
//!
//! * precision, recall: the share of a detection that is in a case, and of a case that is in detections, both
//!   sides together;
//! * granularity: the mean number of detections of a case that is detected;
//! * plagdet: their harmonic mean, divided by log₂ (1 + granularity).

use std::collections::BTreeMap;
use std::io::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::Context;
use dedup_text::parallel;
use dedup_text::{ReadOptions, Recipe, Text, judge};
use serde::Deserialize;

#[expect(clippy::disallowed_methods, reason = "a list of pairs is no text")]
fn main() -> anyhow::Result<()> {
    let names: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [truth] = names.as_slice() else { anyhow::bail!("expected the path of a truth.jsonl") };
    let lines = std::fs::read_to_string(truth).with_context(|| truth.display().to_string())?;
    let rows: Vec<Row> = lines.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let folder = truth.parent().unwrap_or(Path::new(""));
    let threads = std::thread::available_parallelism()?;
    let scored = parallel::each(threads, rows, || (), |(), row| scored(folder, &row));
    let mut classes: BTreeMap<String, Score> = BTreeMap::new();
    for row in scored {
        let (class, score) = row?;
        classes.entry(class).or_default().add(&score);
        classes.entry("~all".to_owned()).or_default().add(&score);
    }
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "| class | pairs | with a passage | cases | precision | recall | granularity | plagdet |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|")?;
    for (class, score) in classes {
        let [precision, recall, granularity, plagdet] = score.measures();
        let name = class.trim_start_matches('~');
        writeln!(
            out,
            "| {name} | {} | {} | {} | {precision:.3} | {recall:.3} | {granularity:.3} | {plagdet:.4} |",
            score.pairs, score.answered, score.cases,
        )?;
    }
    Ok(())
}

#[derive(Deserialize)]
struct Row {
    class: String,
    left: PathBuf,
    right: PathBuf,
    passages: Vec<[usize; 4]>,
}

/// A place in both texts, in characters.
type Place = [Range<usize>; 2];

#[derive(Clone, Default)]
struct Score {
    pairs: usize,
    /// The number of pairs with a detection.
    answered: usize,
    cases: usize,
    detections: usize,
    /// The number of cases that are detected, and of detections of each, in all.
    detected: usize,
    hits: usize,
    /// The sums of the shares of cases and of detections.
    recall: f64,
    precision: f64,
}

impl Score {
    fn new(cases: &[Place], detections: &[Place]) -> Self {
        let hits = |case: &&Place| detections.iter().filter(|it| overlap(case, it)).count();
        Self {
            pairs: 1,
            answered: usize::from(!detections.is_empty()),
            cases: cases.len(),
            detections: detections.len(),
            detected: cases.iter().filter(|case| hits(case) > 0).count(),
            hits: cases.iter().map(|case| hits(&case)).sum(),
            recall: cases.iter().map(|case| share(case, detections)).sum(),
            precision: detections.iter().map(|it| share(it, cases)).sum(),
        }
    }

    fn add(&mut self, other: &Self) {
        self.pairs += other.pairs;
        self.answered += other.answered;
        self.cases += other.cases;
        self.detections += other.detections;
        self.detected += other.detected;
        self.hits += other.hits;
        self.recall += other.recall;
        self.precision += other.precision;
    }

    /// Returns precision, recall, granularity and plagdet.
    #[expect(clippy::cast_precision_loss, reason = "the counts are small")]
    fn measures(&self) -> [f64; 4] {
        let mean = |sum: f64, count: usize| if count == 0 { 0.0 } else { sum / count as f64 };
        let precision = mean(self.precision, self.detections);
        let recall = mean(self.recall, self.cases);
        let granularity =
            if self.detected == 0 { 1.0 } else { mean(self.hits as f64, self.detected) };
        let both = precision + recall;
        let harmonic = if both > 0.0 { 2.0 * precision * recall / both } else { 0.0 };
        [precision, recall, granularity, harmonic / (1.0 + granularity).log2()]
    }
}

fn overlap(one: &Place, other: &Place) -> bool {
    one.iter().zip(other).all(|(one, other)| one.start < other.end && other.start < one.end)
}

/// Returns the share of a place that those of some places cover which overlap it on both sides.
#[expect(clippy::cast_precision_loss, reason = "the texts are short")]
fn share(place: &Place, others: &[Place]) -> f64 {
    let overlapping: Vec<&Place> = others.iter().filter(|other| overlap(place, other)).collect();
    let covered = |side: usize| {
        let within = |other: &&Place| {
            place[side].start.max(other[side].start)..place[side].end.min(other[side].end)
        };
        let mut ranges: Vec<Range<usize>> = overlapping.iter().map(within).collect();
        ranges.sort_by_key(|range| range.start);
        let mut end = 0;
        ranges.into_iter().fold(0, |sum, range| {
            let more = range.end.saturating_sub(range.start.max(end));
            end = end.max(range.end);
            sum + more
        })
    };
    (covered(0) + covered(1)) as f64 / (place[0].len() + place[1].len()) as f64
}

/// Finds the passages of a pair, and scores them. A pair that has no verdict has no passages.
#[expect(clippy::disallowed_methods, reason = "the bytes are only counted")]
fn scored(folder: &Path, row: &Row) -> anyhow::Result<(String, Score)> {
    let read = |path: &Path| Text::open(&folder.join(path), &ReadOptions::default());
    let bytes = |path: &Path| std::fs::read(folder.join(path));
    let originals = [bytes(&row.left)?, bytes(&row.right)?];
    let found = match (read(&row.left), read(&row.right)) {
        (Ok(left), Ok(right)) => judge(&left, &right, &Recipe::default()).ok(),
        _ => None,
    };
    let matches = found.and_then(|it| it.matches).map(|it| it.all).unwrap_or_default();
    let places = matches.into_iter().map(|it| [it.left.bytes, it.right.bytes]);
    let cases = row.passages.iter().map(|[a, b, c, d]| [*a..*b, *c..*d]);
    let characters = |place: [Range<usize>; 2]| {
        let count = |side: usize, at: usize| {
            let before = &originals[side][..at.min(originals[side].len())];
            before.iter().filter(|byte| *byte & 0xC0 != 0x80).count()
        };
        [0, 1].map(|side: usize| count(side, place[side].start)..count(side, place[side].end))
    };
    let detections: Vec<Place> = places.map(characters).collect();
    let cases: Vec<Place> = cases.map(characters).collect();
    Ok((row.class.clone(), Score::new(&cases, &detections)))
}
