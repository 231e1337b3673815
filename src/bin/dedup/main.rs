//! The `dedup` command: reads two texts, prints the answer, ends with its status.

mod baseline;
mod calibrate;
mod clusters;
mod completions;
mod corpus;
mod disk;
mod exit;
mod failures;
mod flags;
mod identity;
mod inert;
mod manual;
mod meaning;
mod output;
mod part;
mod progress;
mod report;
mod screen;
mod settings;
mod diagnostics;
mod words;

use std::ffi::OsString;
use std::mem::ManuallyDrop;
use std::path::Path;
use std::process::ExitCode;

use dedup_text::pair;
use dedup_text::text::{Side, Text};

use baseline::{Baseline, Found};
use exit::Exit;
use flags::{Export, Flags, Format, Request, ShowFlags};
use report::Pair;

fn main() -> ExitCode {
    exit::guarded(|| run(std::env::args_os())).into()
}

/// The whole of a run, from the arguments to the status.
fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    flags::read(arguments).and_then(answer).unwrap_or_else(|error| {
        diagnostics::tell(&error);
        Exit::Error
    })
}

fn answer(request: Request) -> anyhow::Result<Exit> {
    match request {
        Request::Tell(text) => {
            output::write(&text, flags::Color::Never)?;
            Ok(Exit::Success)
        }
        Request::Compare(flags) => flags.settings.with_setting_origin(compare(&flags)),
        Request::Show(flags) => flags.settings.with_setting_origin(show(&flags)),
        Request::Corpus(flags) => {
            advise_of_file(flags::CORPUS);
            flags.settings.with_setting_origin(corpus::answer(&flags))
        }
        Request::Calibrate(flags) => {
            advise_of_file(flags::CALIBRATE);
            flags.settings.with_setting_origin(calibrate::answer(&flags))
        }
        Request::Part(flags) => {
            advise_of_file(flags::PART);
            part::answer(&flags)
        }
        Request::Clusters(flags) => {
            advise_of_file(flags::CLUSTERS);
            clusters::answer(&flags)
        }
        Request::Print(command, text) => {
            advise_of_file(command);
            output::write_text(&text)?;
            Ok(Exit::Success)
        }
    }
}

/// Prints the text of a file as it would be compared.
fn show(flags: &ShowFlags) -> anyhow::Result<Exit> {
    advise_of_file(flags::SHOW);
    let text = Text::open(&flags.file, &flags.opening.reading_of_one()?)?;
    diagnostics::check_disguises(&text, flags.opening.disguises())?;
    diagnostics::warn_of(&text);
    output::write_text(text.content())?;
    Ok(Exit::Success)
}

/// Tells whose file has the name of a command how to name it.
fn advise_of_file(command: &str) {
    if Path::new(command).exists() {
        diagnostics::advise(&format!("{command} is a command here; ./{command} names the file"));
    }
}

fn compare(flags: &Flags) -> anyhow::Result<Exit> {
    let recipe = flags.recipe()?;
    let [left, right] = [flags.reading(Side::Left)?, flags.reading(Side::Right)?];
    let baseline = Baseline::open(&flags.baseline, left.most)?;
    let texts = Text::open_both((&flags.left, &left), (&flags.right, &right))?;
    // Their memory is not given back page by page: it goes when the program ends, at once.
    let (left, right) = &*ManuallyDrop::new(texts);
    for text in [left, right] {
        diagnostics::check_disguises(text, flags.disguises())?;
    }
    let judgement = ManuallyDrop::new(pair::judge(left, right, &recipe)?);
    let level = flags.answering.level();
    let seen = baseline.as_ref().map(|baseline| baseline.look(left, right, &judgement, level));
    let is_accepted = seen.as_ref().map(|seen| seen.is_accepted);
    let pair = Pair { left, right, recipe: &recipe, judgement: &judgement, level, is_accepted };
    if let Some(file) = flags.report.file() {
        output::write_file_by(file, |to| report::html::write(&pair, flags, to))?;
    }
    for (format, file) in flags.formats.files() {
        let mut whole = report::render(&pair, flags, format)?;
        if format == Format::Text {
            whole = output::plain(&whole.into_text()?).into();
        }
        output::write_file_by(file, |to| whole.write_to(to))?;
    }
    if let Some(file) = flags.formats.summary() {
        let summary = report::render(&pair, flags, Format::Export(Export::Markdown))?;
        output::append_to_file(&file, &summary.into_text()?)?;
    }
    if !flags.answering.quiet {
        let format = flags.formats.printed();
        let whole = report::render(&pair, flags, format)?;
        match format {
            Format::Text => output::write(&whole.into_text()?, flags.answering.color)?,
            format => output::write_whole(format, whole)?,
        }
    }
    if let Some(baseline) = &baseline {
        let mut found = Found::default();
        found.extend(seen);
        baseline.end(&found)?;
        if flags.baseline.is_update() {
            return Ok(Exit::Success);
        }
    }
    Ok(flags.answering.status(pair.is_finding().then_some(judgement.decision.verdict)))
}
