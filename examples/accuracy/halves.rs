//! Cross-validates two limits: chooses them on one half of the documents, or without one task,
//! and prints the F1 of *partial or closer* on the rest.
//!
//! The two limits are those of *partial*: the Jaccard index and the coverage. They are chosen for
//! the best mean F1 of the tasks; all other limits keep their defaults. Of equally good limits,
//! the greatest are chosen.

use std::ops::RangeInclusive;
use std::path::Path;

use dedup_text::jaccard::Share;
use dedup_text::pair::Recipe;
use dedup_text::pair::judge;
use dedup_text::shingles::Variety;
use dedup_text::text::{ReadOptions, Text};
use dedup_text::verdict::{Limits, Verdict};

use crate::tasks::Task;

/// The number of times that the documents are divided into halves. Each half chooses limits once.
const ROUNDS: usize = 20;

/// The ranges that the limits are chosen from, in hundredths: the Jaccard index, then the coverage.
const CHOICES: [RangeInclusive<usize>; 2] = [6..=30, 5..=60];

/// A Jaccard index and a coverage, in hundredths.
type Pair = [usize; 2];

/// What is needed of a labelled pair to decide its verdict under any values of the two limits.
#[derive(Clone, Copy)]
struct Judged {
    is_related: bool,
    /// Whether the pair is partial or closer without the two limits.
    is_found: bool,
    /// The Jaccard index and the greater of the two coverages, each rounded down to hundredths. In
    /// a [short text](Limits::SHORT), the Jaccard index is multiplied by 1.5. It is 0 if fewer than
    /// [`Limits::MIN_SHARED`] shingles are shared, or if the sets are no evidence.
    figures: Pair,
    /// For each round, the half that both texts are in. `None` if they are in different halves.
    halves: [Option<u64>; ROUNDS],
}

impl Judged {
    fn is_found_at(&self, limits: Pair) -> bool {
        let reaches = |figures: Pair| figures.iter().zip(limits).any(|(it, limit)| *it >= limit);
        self.is_found || reaches(self.figures)
    }
}

#[expect(clippy::print_stdout, reason = "it is what the program is for")]
pub(crate) fn print(tasks: &[Task]) -> anyhow::Result<()> {
    let all: Vec<Vec<Judged>> = tasks.iter().map(look).collect::<anyhow::Result<_>>()?;
    let defaults = [12, 20];
    let names = tasks.iter().map(|task| task.name.as_str()).collect::<Vec<_>>().join(" | ");
    println!("| F1 of partial or closer | {names} | mean |");
    println!("|---{}|", "|---".repeat(tasks.len() + 1));
    row("the defaults, on all pairs", &scores(&all, defaults));
    let best = choose(&all);
    row(&format!("chosen on all pairs: {}", description(best)), &scores(&all, best));

    let mut sums = vec![[0.0; 3]; tasks.len()];
    let mut chosen = Vec::new();
    for round in 0..ROUNDS {
        let of = |side: u64| -> Vec<Vec<Judged>> {
            let within = |pairs: &Vec<Judged>| {
                pairs.iter().filter(|pair| pair.halves[round] == Some(side)).copied().collect()
            };
            all.iter().map(within).collect()
        };
        for (one, other) in [(of(0), of(1)), (of(1), of(0))] {
            let limits = choose(&one);
            chosen.push(limits);
            let figures = [scores(&one, limits), scores(&other, limits), scores(&other, defaults)];
            for (task, sum) in sums.iter_mut().enumerate() {
                for (sum, figures) in sum.iter_mut().zip(&figures) {
                    *sum += figures[task];
                }
            }
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "forty")]
    let times = chosen.len() as f64;
    for (at, what) in [
        "chosen on a half, on that half",
        "**held out: chosen on a half, on the other**",
        "the defaults, on the other half",
    ]
    .iter()
    .enumerate()
    {
        row(what, &sums.iter().map(|sum| sum[at] / times).collect::<Vec<_>>());
    }
    for (at, task) in tasks.iter().enumerate() {
        let rest: Vec<Vec<Judged>> =
            all.iter().enumerate().filter(|it| it.0 != at).map(|it| it.1.clone()).collect();
        let limits = choose(&rest);
        row(
            &format!("chosen without {}: {}", task.name, description(limits)),
            &scores(&all, limits),
        );
    }
    for (at, what) in ["Jaccard", "coverage"].iter().enumerate() {
        let mut limits: Vec<usize> = chosen.iter().map(|limits| limits[at]).collect();
        limits.sort_unstable();
        let of = |tenths: usize| limits[(limits.len() - 1) * tenths / 10];
        println!(
            "limits chosen on halves, {what}: 0.{:02} to 0.{:02}, the middle eight tenths 0.{:02} to 0.{:02}",
            of(0),
            of(10),
            of(1),
            of(9)
        );
    }
    Ok(())
}

fn description([jaccard, coverage]: Pair) -> String {
    format!("0.{jaccard:02}, 0.{coverage:02}")
}

#[expect(clippy::print_stdout, reason = "it is what the program is for")]
fn row(what: &str, scores: &[f64]) {
    let cells: Vec<String> = scores.iter().map(|score| format!("{score:.3}")).collect();
    println!("| {what} | {} | {:.3} |", cells.join(" | "), mean(scores));
}

fn mean(scores: &[f64]) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a few tasks")]
    let count = scores.len() as f64;
    scores.iter().sum::<f64>() / count
}

/// Returns the limits with the best mean F1 of the tasks, the greatest ones of equally good ones.
fn choose(tasks: &[Vec<Judged>]) -> Pair {
    let [jaccard, coverage] = CHOICES;
    let mut best = (-1.0, [0, 0]);
    for jaccard in jaccard.rev() {
        for coverage in coverage.clone().rev() {
            let limits = [jaccard, coverage];
            let score = mean(&scores(tasks, limits));
            if score > best.0 {
                best = (score, limits);
            }
        }
    }
    best.1
}

/// Returns the F1 of each task. It is 1 if no pair is related and none is found.
fn scores(tasks: &[Vec<Judged>], limits: Pair) -> Vec<f64> {
    let score = |pairs: &Vec<Judged>| {
        let [mut of, mut right] = [0_u32; 2];
        for pair in pairs {
            let is_found = pair.is_found_at(limits);
            of += u32::from(is_found) + u32::from(pair.is_related);
            right += u32::from(is_found && pair.is_related);
        }
        if of == 0 { 1.0 } else { f64::from(2 * right) / f64::from(of) }
    };
    tasks.iter().map(score).collect()
}

/// Judges all pairs of a task without the two limits. A pair that cannot be judged is not found.
fn look(task: &Task) -> anyhow::Result<Vec<Judged>> {
    let open = |path| Text::open(path, &ReadOptions::default());
    let texts: Vec<Text> = task.paths.iter().map(|path| open(path)).collect::<Result<_, _>>()?;
    let recipe = Recipe {
        limits: Limits { partial_jaccard: None, coverage: None, ..Limits::default() },
        ..Recipe::default()
    };
    Ok(task.each(|_, pair| {
        let (left, right) = (&texts[pair.left], &texts[pair.right]);
        let halves = std::array::from_fn(|round| {
            let [one, other] = [left, right].map(|text| half(round, text.path()));
            (one == other).then_some(one)
        });
        let mut seen =
            Judged { is_related: pair.is_related, is_found: false, figures: [0, 0], halves };
        let Ok(judged) = judge(left, right, &recipe) else { return seen };
        seen.is_found = judged.decision.verdict >= Verdict::Partial;
        let figures = judged.comparison;
        let passages = figures.passages.unwrap_or_default();
        let coverages = [passages.left, passages.right].into_iter().flatten();
        let times = if figures.least_words < Limits::SHORT { 150 } else { 100 };
        let is_evidence = figures.variety == Variety::Varied;
        let enough = |it: &Share| is_evidence && it.shared() >= Limits::MIN_SHARED;
        seen.figures = [
            figures.jaccard().filter(enough).map_or(0, |it| it.shared() * times / it.total()),
            coverages.map(|it| it.shared() * 100 / it.total()).max().unwrap_or_default(),
        ];
        seen
    }))
}

/// Returns the half that a document is in, which differs from round to round: a bit of the FNV-1a
/// hash of the round and the name of the file.
fn half(round: usize, path: &Path) -> u64 {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let said = [format!("{round}/").as_bytes(), name].concat();
    let hash = said.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash >> 32 & 1
}
