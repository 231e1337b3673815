//! `dedup calibrate PAIRS.tsv`: chooses limits from labelled pairs.
//!
//! Input: the flags. Output: a settings file with the best limits of a verdict, whose comments say
//! how well they perform. The statistics are computed by the library.

mod answer;
mod flags;
pub(crate) mod lines;

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Context;
use dedup_text::calibration::{Calibration, LabelCounts, Labelled};
use dedup_text::corpus::labelled_pairs;
use dedup_text::display::{counted, path};
use dedup_text::pair::Recipe;
use dedup_text::parallel;
use dedup_text::text::{ReadTextError, Text, display_path};

use crate::diagnostics::{self, Diagnostic, Exit, MAX_SHOWN, note_more};
use crate::io::disk;
use crate::io::inputs::source::check_disguises;
use crate::io::output;
use crate::model::{Color, name_of_line};
use crate::progress::{Progress, Stage};
use lines::{LabelledTexts, Lines, Pairs};

pub(crate) use flags::CalibrateFlags;

/// Runs `dedup calibrate`: reads the labelled pairs, chooses limits, and writes the outputs.
pub(crate) fn answer(flags: &CalibrateFlags) -> anyhow::Result<Exit> {
    let recipe = flags.recipe()?;
    let progress = Progress::of_run(true);
    let list = disk::read(&flags.pairs, flags.comparing.opening.reading_of_all()?.max_bytes)?;
    let base = match (&flags.base, flags.pairs.parent()) {
        (Some(base), _) => base,
        (None, Some(folder)) if flags.pairs != Path::new("-") => folder,
        _ => Path::new(""),
    };
    let lines = Lines::read(&list, |name| base.join(name).is_file());
    let pairs = Pairs::new(&lines, base);
    print_problems(&flags.pairs, &lines, &pairs.contradictory);
    let (texts, labelled, failed) = open(flags, &pairs, &progress)?;
    let compared = compare(flags, &recipe, &texts, &labelled, &progress);
    let calibration =
        Calibration::new(&compared, texts.len(), flags.rung, &recipe.limits).map_err(one_sided)?;
    drop(progress);
    answer::warn(calibration.all);
    let page = answer::render(flags, &calibration);
    output::write(&output::plain(&page), Color::Never)?;
    Ok(if failed + lines.wrong_count > 0 { Exit::Error } else { Exit::Success })
}

/// Makes the error for a list whose pairs all have the same label, or that has no pairs.
fn one_sided(counts: LabelCounts) -> Diagnostic {
    let all = |pairs: usize, answer: &str| match pairs {
        1 => format!("the only pair is a {answer}"),
        pairs => format!("all {pairs} pairs are a {answer}"),
    };
    let found = match counts {
        LabelCounts { positives: 0, negatives: 0, .. } => "no usable pair".to_owned(),
        LabelCounts { positives, negatives: 0, .. } => all(positives, "yes"),
        LabelCounts { negatives, .. } => all(negatives, "no"),
    };
    Diagnostic::new(format!("{found}, expected pairs of both labels"))
        .hint("a limit separates the pairs labelled yes from those labelled no")
}

/// Prints the first lines that are not a pair, and the first lines with the pair of an earlier line
/// and another label.
fn print_problems(list: &Path, lines: &Lines, contradictory: &[[usize; 2]]) {
    let place = |line: usize| name_of_line(list, line as u64);
    for wrong in &lines.wrong {
        let error = Diagnostic::new(format!("{}: {}", place(wrong.number), wrong.what));
        diagnostics::print(&error.into());
    }
    note_more(lines.wrong_count, |more| counted(more, "line") + " more");
    for [one, other] in contradictory.iter().take(MAX_SHOWN) {
        let what = format!("the same pair as in line {one}, with another label");
        diagnostics::warn(&place(*other), &format!("{what}; the pair is left out"));
    }
    note_more(contradictory.len(), |more| counted(more, "such pair") + " more");
}

/// Compares pairs, and leaves out those with a text that is too short.
fn compare(
    flags: &CalibrateFlags,
    recipe: &Recipe,
    texts: &[Text],
    pairs: &[LabelledTexts],
    progress: &Progress,
) -> Vec<Labelled> {
    let of_texts: Vec<[u32; 2]> = pairs.iter().map(|(texts, _)| *texts).collect();
    let advance = progress.begin(Stage::Settling, 0);
    let compared =
        labelled_pairs::compare(texts, &of_texts, recipe, flags.threads.number(), advance);
    let labelled: Vec<Labelled> = (pairs.iter().zip(compared))
        .filter_map(|((texts, label), compared)| {
            Some(Labelled { texts: *texts, label: *label, comparison: compared.ok()? })
        })
        .collect();
    let short = pairs.len() - labelled.len();
    if short > 0 {
        let what = format!("{} with a text that is too short, left out", counted(short, "pair"));
        diagnostics::warn(&path(&flags.pairs), &what);
    }
    labelled
}

/// Opens the texts that are in a pair, on all threads, and prints the first errors. Returns the
/// texts that can be read, their pairs, and how many texts cannot be read.
///
/// # Errors
///
/// Returns an error if none of the texts can be read.
fn open(
    flags: &CalibrateFlags,
    pairs: &Pairs,
    progress: &Progress,
) -> anyhow::Result<(Vec<Text>, Vec<LabelledTexts>, usize)> {
    let reading = flags.comparing.opening.reading_of_all()?;
    let texts: BTreeSet<u32> = pairs.labelled.iter().flat_map(|(texts, _)| *texts).collect();
    let path_of = |text: &u32| &pairs.paths[*text as usize];
    let bytes = texts.iter().map(|text| disk::size(path_of(text)));
    let read = progress.begin(Stage::Reading, bytes.sum::<Option<u64>>().unwrap_or_default());
    let open = |text: &u32| -> anyhow::Result<Text> {
        let path = path_of(text);
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
    let place = |text: u32| u32::try_from(numbers.binary_search(&text).ok()?).ok();
    let labelled = (pairs.labelled.iter())
        .filter_map(|([left, right], label)| Some(([place(*left)?, place(*right)?], *label)))
        .collect();
    Ok((readable, labelled, failed.len()))
}
