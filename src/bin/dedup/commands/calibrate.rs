//! `dedup calibrate PAIRS.tsv`: pairs whose answer is known → limits that fit them.
//!
//! Goes in: the command line. Comes out: for each measure of a verdict its limit and how good it is, as text
//! with a plot, as JSON, as a web page, and as a settings file. The statistics are the library's.

pub(crate) mod lines;
pub(crate) mod pairs;
pub(crate) mod gather;
pub(crate) mod keep;

use dedup_text::calibration::{Calibration, OneSided};
use dedup_text::pair::recipe::Recipe;

use crate::args::{CalibrateFlags, Color, Format};
use crate::diagnostics::Diagnostic;
use crate::exit::Exit;
use crate::io::output;
use crate::progress::Progress;
use crate::render::calibration::{json, page, shown, text};
use gather::{Gathered, LeftOut};

/// All that is answered from.
pub(crate) struct Answer<'a> {
    pub(crate) flags: &'a CalibrateFlags,
    pub(crate) recipe: &'a Recipe,
    pub(crate) gathered: &'a Gathered,
    pub(crate) calibration: &'a Calibration,
}

/// Answers what is asked of labelled pairs.
pub(crate) fn answer(flags: &CalibrateFlags) -> anyhow::Result<Exit> {
    let recipe = flags.recipe()?;
    keep::check(flags)?;
    let progress = Progress::of_run(!flags.quiet);
    let gathered = gather::gather(flags, &recipe, &progress)?;
    let calibration = Calibration::of(
        &gathered.pairs,
        gathered.names.len(),
        flags.rung,
        &recipe.limits,
        flags.threads(),
    )
    .map_err(|sides| one_sided(sides, &gathered.left_out))?;
    drop(progress);
    let answer = Answer { flags, recipe: &recipe, gathered: &gathered, calibration: &calibration };
    if let Some(file) = &flags.report {
        output::write_file(file, &page::render(&answer)?)?;
    }
    if let Some(file) = &flags.settings_file {
        output::write_file(file, &keep::render(&answer))?;
    }
    for (format, file) in flags.files() {
        output::write_file(file, &answer.render(format)?)?;
    }
    if !flags.quiet {
        output::write(&answer.render(flags.printed())?, Color::Never)?;
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
    let error = Diagnostic::new(format!("{found}, wanted pairs of both labels"));
    match shown::skipped(left_out).as_str() {
        "" => error.hint("a limit parts pairs that are a yes from pairs that are a no"),
        skipped => error
            .hint(format!("--yes LABEL and --no LABEL say which labels count; skipped: {skipped}")),
    }
}

impl Answer<'_> {
    fn render(&self, format: Format) -> anyhow::Result<String> {
        match format {
            Format::Json => json::render(self),
            _ => Ok(output::plain(&text::render(self))),
        }
    }

    /// What a text goes by.
    pub(crate) fn name(&self, text: u32) -> &str {
        &self.gathered.names[text as usize]
    }

    /// The rule that is best.
    pub(crate) fn best(&self) -> &dedup_text::calibration::Chosen {
        &self.calibration.chosen[self.calibration.best]
    }
}
