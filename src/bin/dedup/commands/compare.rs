//! `dedup LEFT RIGHT`: compares two texts.

pub(crate) mod answer;
mod explain;
pub(crate) mod flags;
mod passages;

use std::mem::ManuallyDrop;
use std::num::NonZeroUsize;
use std::path::Path;

use dedup_text::display;
use dedup_text::pair;
use dedup_text::record::AcceptedBy;
use dedup_text::text::{Side, Text, display_path};

use crate::baseline::{Baseline, Matching, RunFindings, RunText};
use crate::diagnostics::{Diagnostic, Exit, as_argument};
use crate::io::disk;
use crate::io::inputs::archives::is_archive;
use crate::io::inputs::source::check_disguises;
use crate::io::output;
use crate::model::Pair;
use crate::model::names::Visibility;
use crate::outputs;
use crate::render;
use crate::render::answer::{SIDES, unnamed};
use crate::report::{self, PageOptions};
use answer::Options;
use flags::CompareFlags;

/// The width of the column of labels in answers for people, in characters.
const LABEL_WIDTH: usize = 12;

/// Compares both texts, and writes the answer in each requested format.
///
/// # Errors
///
/// Returns an error if a text, a list or the baseline cannot be read, if there is no verdict on the
/// texts, or if an output cannot be written.
pub(crate) fn answer(flags: &CompareFlags) -> anyhow::Result<Exit> {
    let recipe = flags.recipe()?;
    let opening = &flags.comparing.opening;
    let [left, right] = [opening.reading(Side::Left)?, opening.reading(Side::Right)?];
    check_folders(flags)?;
    let baseline = Baseline::open(&flags.baseline, left.max_bytes)?;
    let texts = Text::open_both((&flags.left, &left), (&flags.right, &right))?;
    // Their memory is not freed piece by piece: it is released at once when the program ends.
    let (left, right) = &*ManuallyDrop::new(texts);
    for text in [left, right] {
        check_disguises(text, flags.comparing.opening.disguises)?;
    }
    let judgement = ManuallyDrop::new(pair::judge(left, right, &recipe)?);
    let level = flags.answering.level();
    let is_one = flags.left == flags.right; // the same file twice is one text of the baseline
    let both = [(left, judgement.left.fingerprint), (right, judgement.right.fingerprint)];
    let known = |(text, fingerprint)| RunText { text, fingerprint, digest: None };
    let both = || both.into_iter().map(known).take(2 - usize::from(is_one)).collect();
    let numbers = [0, usize::from(!is_one)];
    let paths = [left, right].map(Text::path);
    let baseline =
        baseline.map(|it| it.with_names(paths.into_iter().zip(render::answer::names(paths))));
    let baseline = baseline.as_ref().map(|it| it.matching(both(), level, NonZeroUsize::MIN));
    let look = |it: &Matching| it.look(numbers, [left, right], &judgement);
    let seen = baseline.as_ref().map(look);
    let is_accepted = seen.as_ref().map(|seen| seen.is_accepted);
    let accepted_by = (is_accepted == Some(true)).then_some(AcceptedBy::Baseline);
    let pair = Pair::new([left, right], &recipe, &judgement, level);
    let weight = flags.answering.weight();
    let pair = Pair { weight, is_accepted, accepted_by, ..pair };
    write(&pair, flags)?;
    outputs::note_report(&flags.report, &flags.answering);
    let verdict = pair.is_finding().then_some(judgement.decision.verdict);
    let status = flags.answering.status(verdict);
    if let Some(baseline) = &baseline {
        let mut found = RunFindings::default();
        found.extend(seen);
        baseline.end(&found)?;
        if flags.baseline.update_baseline {
            return Ok(Exit::Success);
        }
        if flags.answering.has_fail_on() && status == Exit::Failure {
            baseline.advise(&found, false);
        }
    }
    Ok(status)
}

/// Writes the answer in each requested format, and the report.
fn write(pair: &Pair, flags: &CompareFlags) -> anyhow::Result<()> {
    let options = options(flags);
    if let Some(file) = flags.report.file() {
        output::write_file_by(file, |to| report::write(pair, &page_options(flags), to))?;
    }
    for (format, to) in outputs::destinations(&flags.formats, &flags.answering) {
        to.write(format, answer::render(pair, &options, format)?, flags.answering.color)?;
    }
    Ok(())
}

/// Returns an error if one of the texts is a folder or an archive, with a hint at the command for
/// these.
fn check_folders(flags: &CompareFlags) -> anyhow::Result<()> {
    let is_several = |path: &Path| path.is_dir() || path.is_file() && is_archive(path);
    let folder = [&flags.left, &flags.right].into_iter().find(|path| is_several(path));
    let Some(folder) = folder else { return Ok(()) };
    let text = if is_several(&flags.right) { &flags.left } else { &flags.right };
    if text != Path::new("-") && !text.exists() {
        disk::head(text, 0)?; // the error that there is no such file
    }
    let [left, right] = [&flags.left, &flags.right].map(as_argument);
    let [text, others] = if is_several(&flags.right) { [left, right] } else { [right, left] };
    let (name, what) =
        (display_path(folder), if folder.is_dir() { "a folder" } else { "an archive" });
    Err(Diagnostic::new(format!("{name}: is {what}, expected a text file"))
        .hint(format!("dedup corpus {text} --against {others} compares it with all texts there"))
        .into())
}

/// Returns the rendering options that the flags set.
pub(crate) fn options(flags: &CompareFlags) -> Options {
    Options {
        explains: flags.explain,
        has_details: flags.details,
        screen: output::size(),
        passages: flags.passages_shown,
        settings: flags.settings.name(),
        stopwords: flags.comparing.stopwords.clone(),
    }
}

/// Returns what the page shows besides the pair, without names if they are hidden.
pub(crate) fn page_options(flags: &CompareFlags) -> PageOptions<'_> {
    let is_shown = flags.report.names() == Visibility::Shown;
    let name = |(path, side): (&Path, &str)| match unnamed(path, side) {
        _ if !is_shown => side.to_owned(),
        name => name.unwrap_or_else(|| display::path(path)),
    };
    PageOptions {
        names: [(&*flags.left, SIDES[0]), (&*flags.right, SIDES[1])].map(name),
        stopwords: is_shown.then(|| &*flags.comparing.stopwords),
        settings: flags.settings.name().filter(|_| is_shown),
        among: None,
    }
}
