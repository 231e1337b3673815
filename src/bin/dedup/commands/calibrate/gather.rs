//! A list of pairs → their figures, and what was left out on the way.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Context;
use dedup_text::calibration::{Label, Labelled};
use dedup_text::corpus::labelled_pairs;
use dedup_text::pair::recipe::Recipe;
use dedup_text::parallel;
use dedup_text::text::{ReadTextError, Text, display_path};
use dedup_text::words::counted;

use super::lines::Pairs;
use super::lines::{Labels, Lines};
use crate::args::CalibrateFlags;
use crate::diagnostics::{self, Diagnostic, MAX_SHOWN};
use crate::io::disk;
use crate::io::inputs::source::check_disguises;
use crate::io::output;
use crate::model::calibration::{Gathered, LeftOut};
use crate::progress::{Progress, Stage};

/// Reads the list and its texts. What is wrong with either is reported at once.
pub(crate) fn gather(
    flags: &CalibrateFlags,
    recipe: &Recipe,
    progress: &Progress,
) -> anyhow::Result<Gathered> {
    let base = match (&flags.base, flags.pairs.parent()) {
        (Some(base), _) => base,
        (None, Some(folder)) if flags.pairs != Path::new("-") => folder,
        _ => Path::new(""),
    };
    let list = disk::read(&flags.pairs, flags.reading()?.most)?;
    let labels = Labels::new(flags.labels(), flags.has_own_labels());
    let lines = Lines::read(&list, &labels, |name| base.join(name).is_file());
    let list = if flags.pairs == Path::new("-") {
        Cow::Borrowed("standard input")
    } else {
        display_path(&flags.pairs)
    };
    tell_some(lines.wrong_count, "line", |at| {
        let wrong = &lines.wrong[at];
        let message = format!("{list}:{}: {}", wrong.number, wrong.what);
        let error = Diagnostic::new(message);
        match wrong.hint {
            Some(hint) if at == 0 => error.hint(hint),
            _ => error,
        }
        .into()
    });
    let pairs = Pairs::new(&lines, base);
    let outputs = flags.outputs()?;
    pairs.paths.iter().try_for_each(|path| outputs.check(output::text(path), path))?;
    let mut left_out = LeftOut {
        wrong_lines: lines.wrong_count,
        skipped: lines.skipped,
        repeated: pairs.repeated,
        with_itself: pairs.with_itself,
        ..LeftOut::default()
    };
    for [one, other] in pairs.contradictory.iter().take(MAX_SHOWN) {
        let message = format!("{list}:{other}: the pair of line {one} with another label");
        diagnostics::note(&format!("warning: {message}; it is left out"));
    }
    tell_more(pairs.contradictory.len(), "such pair");
    left_out.contradictory = pairs.contradictory;
    let texts = open(flags, &pairs.paths, &pairs.labelled, progress)?;
    let mut failed = Vec::new();
    // The texts that could be read, and the place of each among them.
    let mut opened = Vec::new();
    let mut places = BTreeMap::new();
    for (number, text) in texts {
        match text {
            Ok(text) => {
                if let Some(damage) = text.damage() {
                    diagnostics::warn(&display_path(text.path()), damage);
                }
                places.insert(number, u32::try_from(opened.len()).unwrap_or(u32::MAX));
                opened.push(text);
            }
            Err(error) => failed.push(error),
        }
    }
    left_out.failed_texts = failed.len();
    let mut failed = failed.into_iter();
    tell_some(left_out.failed_texts, "text", |_| {
        failed.next().unwrap_or_else(|| anyhow::anyhow!("a text cannot be read"))
    });
    let place = |text: u32| places.get(&text).copied();
    let read: Vec<([u32; 2], [u32; 2], Label)> = (pairs.labelled.iter())
        .filter_map(|(texts, label)| Some((*texts, [place(texts[0])?, place(texts[1])?], *label)))
        .collect();
    left_out.failed_pairs = pairs.labelled.len() - read.len();
    let both: Vec<[u32; 2]> = read.iter().map(|(_, places, _)| *places).collect();
    let advance = progress.begin(Stage::Settling, 0);
    let compared = labelled_pairs::compare(&opened, &both, recipe, flags.threads(), advance);
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

/// Opens the texts that are in a pair, on all threads, in their order.
fn open(
    flags: &CalibrateFlags,
    paths: &[PathBuf],
    pairs: &[([u32; 2], Label)],
    progress: &Progress,
) -> anyhow::Result<Vec<(u32, anyhow::Result<Text>)>> {
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
                    "names are looked up from the folder of the list; --base DIR names another";
                return Err(Diagnostic::new(missing.to_string()).hint(hint).into());
            }
            opened => opened?,
        };
        read.add(disk::size(path).unwrap_or_default());
        check_disguises(&opened, flags.disguises())?;
        Ok(opened)
    };
    let opened = parallel::each(flags.threads(), &texts, || (), |(), text| (*text, open(text)));
    // Without any text it is the folder that is wrong.
    if !opened.is_empty() && opened.iter().all(|(_, text)| text.is_err()) {
        let first = opened.into_iter().find_map(|(_, text)| text.err());
        return Err(first.unwrap_or_else(|| anyhow::anyhow!("no text")))
            .with_context(|| format!("none of {} can be read", counted(texts.len(), "text")));
    }
    Ok(opened)
}

/// Says the first mistakes, and how many more there are.
fn tell_some(count: usize, what: &str, mut error: impl FnMut(usize) -> anyhow::Error) {
    (0..count.min(MAX_SHOWN)).for_each(|at| diagnostics::print(&error(at)));
    tell_more(count, what);
}

/// Says how many more there are than are reported one by one.
fn tell_more(count: usize, what: &str) {
    if count > MAX_SHOWN {
        diagnostics::note(&format!("and {} more", counted(count - MAX_SHOWN, what)));
    }
}
