//! `dedup calibrate PAIRS.tsv`: pairs whose answer is known → limits that fit them.
//!
//! Goes in: the command line. Comes out: for each measure of a verdict its limit and how good it is, as text
//! with a plot, as JSON, as a web page, and as a settings file. The statistics are the library's.

pub(crate) mod lines;
pub(crate) mod gather;
pub(crate) mod keep;

use dedup_text::calibration::{Calibration, OneSided};

use crate::args::CalibrateFlags;
use crate::diagnostics::Diagnostic;
use crate::exit::Exit;
use crate::io::output;
use crate::io::output::Color;
use crate::model::Format;
use crate::model::calibration::{Answer, LeftOut};
use crate::progress::Progress;
use crate::render::calibration::{self, json, page};

/// Answers what is asked of labelled pairs.
pub(crate) fn answer(flags: &CalibrateFlags) -> anyhow::Result<Exit> {
    let recipe = flags.recipe()?;
    keep::check(flags)?;
    let progress = Progress::of_run(!flags.quiet);
    let gathered = gather::gather(flags, &recipe, &progress)?;
    let calibration = Calibration::new(
        &gathered.pairs,
        gathered.names.len(),
        flags.rung,
        &recipe.limits,
        flags.threads(),
    )
    .map_err(|sides| one_sided(sides, &gathered.left_out))?;
    drop(progress);
    let answer = Answer {
        recipe: &recipe,
        gathered: &gathered,
        calibration: &calibration,
        list: &flags.pairs,
        settings_file: flags.settings_file.as_deref(),
        settings: flags.settings.name(),
        figures: &flags.figures,
        stopwords: flags.stopwords_as_given(),
    };
    if let Some(file) = &flags.report {
        output::write_file(file, &page::render(&answer)?)?;
    }
    if let Some(file) = &flags.settings_file {
        output::write_file(file, &keep::render(&answer))?;
    }
    for (format, file) in flags.files() {
        output::write_file(file, &render(&answer, format)?)?;
    }
    if !flags.quiet {
        output::write(&render(&answer, flags.printed())?, Color::Never)?;
    }
    Ok(if gathered.left_out.has_failed() { Exit::Error } else { Exit::Success })
}

/// The error where all pairs have one label, or there is none.
fn one_sided(sides: OneSided, left_out: &LeftOut) -> Diagnostic {
    let found = match sides {
        OneSided { positives: 0, negatives: 0 } => "no pair to go by".to_owned(),
        OneSided { positives, negatives: 0 } => format!("all {positives} pairs are a yes"),
        OneSided { negatives, .. } => format!("all {negatives} pairs are a no"),
    };
    let error = Diagnostic::new(format!("{found}, expected pairs of both labels"));
    match calibration::skipped(left_out).as_str() {
        "" => error.hint("a limit parts pairs that are a yes from pairs that are a no"),
        skipped => error
            .hint(format!("--yes LABEL and --no LABEL say which labels count; skipped: {skipped}")),
    }
}

fn render(answer: &Answer, format: Format) -> anyhow::Result<String> {
    match format {
        Format::Json => json::render(answer),
        _ => Ok(output::plain(&calibration::render(answer))),
    }
}
