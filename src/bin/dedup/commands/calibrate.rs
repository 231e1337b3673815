//! `dedup calibrate PAIRS.tsv`: chooses limits from labelled pairs.
//!
//! Input: the flags. Output: a settings file with the best limits of a verdict, whose comments say
//! how well they perform. The statistics are computed by the library.

mod answer;
mod flags;
pub(crate) mod lines;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Context;
use dedup_text::calibration::{Calibration, Label, Labelled, OneSided};
use dedup_text::corpus::labelled_pairs;
use dedup_text::display::counted;
use dedup_text::pair::Recipe;
use dedup_text::parallel;
use dedup_text::text::{ReadTextError, Text, display_path};

use crate::diagnostics::{self, Diagnostic, Exit, MAX_SHOWN, note_more};
use crate::io::disk;
use crate::io::inputs::source::check_disguises;
use crate::io::output;
use crate::model::{Color, name_of_line};
use crate::progress::{Progress, Stage};
use lines::{Labels, Lines, Pairs};

pub(crate) use flags::CalibrateFlags;

/// Runs `dedup calibrate`: reads the labelled pairs, chooses limits, and writes the outputs.
pub(crate) fn answer(flags: &CalibrateFlags) -> anyhow::Result<Exit> {
    let recipe = flags.recipe()?;
    let progress = Progress::of_run(true);
    let gathered = gather(flags, &recipe, &progress)?;
    let calibration =
        Calibration::new(&gathered.pairs, gathered.names.len(), flags.rung, &recipe.limits)
            .map_err(|sides| one_sided(sides, &gathered.left_out))?;
    drop(progress);
    answer::warn(&gathered, &calibration);
    let page = answer::render(flags, &recipe, &gathered, &calibration);
    output::write(&output::plain(&page), Color::Never)?;
    Ok(if gathered.left_out.has_failed() { Exit::Error } else { Exit::Success })
}

/// The pairs of a list, with their figures.
struct Gathered {
    /// The names of the texts.
    names: Vec<String>,
    pairs: Vec<Labelled>,
    left_out: LeftOut,
}

/// The numbers of lines, texts and pairs of a list that do not count, by reason.
#[derive(Debug, Default)]
struct LeftOut {
    /// The number of lines that are not a pair.
    wrong_lines: usize,
    /// The labels that mean neither yes nor no, with the number of pairs of each.
    skipped: BTreeMap<String, usize>,
    repeated: usize,
    with_itself: usize,
    contradictory: Vec<[usize; 2]>,
    failed_texts: usize,
    failed_pairs: usize,
    short_texts: usize,
    short_pairs: usize,
}

impl LeftOut {
    /// Reports whether a part of the list could not be read.
    fn has_failed(&self) -> bool {
        self.wrong_lines > 0 || self.failed_texts > 0
    }
}

/// Makes the error for a list whose pairs all have the same label, or that has no pairs.
fn one_sided(sides: OneSided, left_out: &LeftOut) -> Diagnostic {
    let all = |pairs: usize, answer: &str| match pairs {
        1 => format!("the only pair is a {answer}"),
        pairs => format!("all {pairs} pairs are a {answer}"),
    };
    let found = match sides {
        OneSided { positives: 0, negatives: 0 } => "no usable pair".to_owned(),
        OneSided { positives, negatives: 0 } => all(positives, "yes"),
        OneSided { negatives, .. } => all(negatives, "no"),
    };
    let error = Diagnostic::new(format!("{found}, expected pairs of both labels"));
    match answer::skipped(left_out).as_str() {
        "" => error.hint("a limit separates the pairs labelled yes from those labelled no"),
        skipped => error
            .hint(format!("--yes LABEL and --no LABEL set which labels count; skipped: {skipped}")),
    }
}

// A list of pairs → their figures, with counts of what was left out.

/// Reads the list and its texts, and compares each pair. The first [`MAX_SHOWN`] errors in lines
/// and the first [`MAX_SHOWN`] errors in texts are printed. Lines and texts with errors are left
/// out.
///
/// # Errors
///
/// Returns an error if the list cannot be read, or if none of the texts can be read.
fn gather(
    flags: &CalibrateFlags,
    recipe: &Recipe,
    progress: &Progress,
) -> anyhow::Result<Gathered> {
    let base = match (&flags.base, flags.pairs.parent()) {
        (Some(base), _) => base,
        (None, Some(folder)) if flags.pairs != Path::new("-") => folder,
        _ => Path::new(""),
    };
    let list = disk::read(&flags.pairs, flags.reading()?.max_bytes)?;
    let labels = Labels::new(flags.labels(), flags.has_own_labels());
    let lines = Lines::read(&list, &labels, |name| base.join(name).is_file());
    let place = |line: usize| name_of_line(&flags.pairs, line as u64);
    for (at, wrong) in lines.wrong.iter().enumerate() {
        let mut error = Diagnostic::new(format!("{}: {}", place(wrong.number), wrong.what));
        if let Some(hint) = wrong.hint.filter(|_| at == 0) {
            error = error.hint(hint);
        }
        diagnostics::print(&error.into());
    }
    note_more(lines.wrong_count, |more| counted(more, "line") + " more");
    let pairs = Pairs::new(&lines, base);
    let mut left_out = LeftOut {
        wrong_lines: lines.wrong_count,
        skipped: lines.skipped,
        repeated: pairs.repeated,
        with_itself: pairs.with_itself,
        ..LeftOut::default()
    };
    for [one, other] in pairs.contradictory.iter().take(MAX_SHOWN) {
        let what = format!("the same pair as in line {one}, with another label");
        diagnostics::warn(&place(*other), &format!("{what}; the pair is left out"));
    }
    note_more(pairs.contradictory.len(), |more| counted(more, "such pair") + " more");
    left_out.contradictory = pairs.contradictory;
    let (numbers, opened, failed) = open(flags, &pairs.paths, &pairs.labelled, progress)?;
    left_out.failed_texts = failed;
    let place = |text: u32| u32::try_from(numbers.binary_search(&text).ok()?).ok();
    let read: Vec<([u32; 2], [u32; 2], Label)> = (pairs.labelled.iter())
        .filter_map(|(texts, label)| Some((*texts, [place(texts[0])?, place(texts[1])?], *label)))
        .collect();
    left_out.failed_pairs = pairs.labelled.len() - read.len();
    let both: Vec<[u32; 2]> = read.iter().map(|(_, places, _)| *places).collect();
    let advance = progress.begin(Stage::Settling, 0);
    let compared = labelled_pairs::compare(&opened, &both, recipe, flags.threads.number(), advance);
    let mut short = BTreeSet::new();
    let mut labelled = Vec::new();
    for ((texts, _, label), compared) in read.into_iter().zip(compared) {
        match compared {
            Ok(comparison) => labelled.push(Labelled { texts, label, comparison }),
            Err(undecided) => {
                short.insert(undecided.path().to_owned());
                left_out.short_pairs += 1;
            }
        }
    }
    left_out.short_texts = short.len();
    Ok(Gathered { names: pairs.names, pairs: labelled, left_out })
}

/// Opens the texts that are in a pair, on all threads, and prints the first errors. Returns the
/// numbers of the texts that can be read, in increasing order, these texts, and how many texts
/// cannot be read.
///
/// # Errors
///
/// Returns an error if none of the texts can be read.
fn open(
    flags: &CalibrateFlags,
    paths: &[PathBuf],
    pairs: &[([u32; 2], Label)],
    progress: &Progress,
) -> anyhow::Result<(Vec<u32>, Vec<Text>, usize)> {
    let reading = flags.reading()?;
    let texts: BTreeSet<u32> = pairs.iter().flat_map(|(texts, _)| *texts).collect();
    let path = |text: &u32| &paths[*text as usize];
    let bytes = texts.iter().map(|text| disk::size(path(text)));
    let read = progress.begin(Stage::Reading, bytes.sum::<Option<u64>>().unwrap_or_default());
    let open = |text: &u32| -> anyhow::Result<Text> {
        let path = path(text);
        let opened = match Text::open(path, &reading) {
            Err(missing @ ReadTextError::Missing { .. }) => {
                let hint =
                    "paths are relative to the folder of the list; --base DIR sets another folder";
                return Err(Diagnostic::new(missing.to_string()).hint(hint).into());
            }
            opened => opened?,
        };
        read.add(disk::size(path).unwrap_or_default());
        check_disguises(&opened, flags.comparing.opening.disguises)?;
        Ok(opened)
    };
    let opened = parallel::map(flags.threads.number(), &texts, |text| (*text, open(text)));
    // If no text can be read, the folder is probably wrong, so one error is enough.
    if !opened.is_empty() && opened.iter().all(|(_, text)| text.is_err()) {
        let first = opened.into_iter().find_map(|(_, text)| text.err());
        return Err(first.unwrap_or_else(|| anyhow::anyhow!("no text")))
            .with_context(|| format!("none of {} can be read", counted(texts.len(), "text")));
    }
    let (mut numbers, mut readable, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    for (number, text) in opened {
        match text {
            Ok(text) => {
                if let Some(unread) = text.unread() {
                    diagnostics::warn(&display_path(text.path()), unread);
                }
                numbers.push(number);
                readable.push(text);
            }
            Err(error) => failed.push(error),
        }
    }
    failed.iter().take(MAX_SHOWN).for_each(diagnostics::print);
    note_more(failed.len(), |more| counted(more, "text") + " more");
    Ok((numbers, readable, failed.len()))
}
