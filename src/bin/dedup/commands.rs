//! The commands: each reads what it needs, calls the library, and hands the answer to a renderer.

pub(crate) mod baseline;
pub(crate) mod calibrate;
pub(crate) mod clusters;
pub(crate) mod compare;
pub(crate) mod corpus;
pub(crate) mod index;
pub(crate) mod installation;
pub(crate) mod part;
pub(crate) mod spans;
mod markers;

use std::path::Path;

use dedup_text::text::{Text, display_path};
use dedup_text::words::visible;

use super::io::inputs::source::check_disguises;
use super::io::{disk, output};
use crate::args::{Answering, ReportFlags, Request, TextFlags};
use crate::diagnostics::{self, Diagnostic};
use crate::exit::Exit;

/// Answers a request.
pub(crate) fn answer(request: &Request) -> anyhow::Result<Exit> {
    if let Some(command) = request.command().filter(|name| Path::new(name).exists()) {
        diagnostics::advise(&format!("{command} is a command here; ./{command} names the file"));
    }
    if !matches!(request, Request::Corpus(_) | Request::Check(_) | Request::Against(_)) {
        disk::choose_temp_dir(None); // those may be given one
    }
    let answer = match request {
        Request::Help(text) => {
            output::write(text, output::Color::Never)?;
            return Ok(Exit::Success);
        }
        Request::Usage(text) => {
            diagnostics::tell_usage(text);
            return Ok(Exit::Error);
        }
        Request::Compare(flags) => compare::answer(flags),
        Request::Text(flags) => text(flags),
        Request::Corpus(flags) | Request::Check(flags) | Request::Against(flags) => {
            corpus::answer(flags)
        }
        Request::Calibrate(flags) => calibrate::answer(flags),
        Request::Part(flags) => part::answer(flags),
        Request::Spans(flags) => spans::answer(flags),
        Request::Index(flags) => index::answer(flags),
        Request::Clusters(flags) => clusters::answer(flags),
        Request::Config(flags) => print(&flags.page),
        Request::Web(flags) => installation::web(flags),
        Request::Completions(flags) => print(&installation::completions(flags)?),
        Request::Man(flags) => print(&installation::manual(flags)?),
    };
    match request.settings() {
        Some(settings) => settings.with_setting_origin(answer),
        None => answer,
    }
}

/// The error where `--keep` goes by a field that no record has.
fn no_record_has(field: &str) -> Diagnostic {
    let what = format!("--keep: no record has a field {field}, expected one that has");
    let hint = "without the field the first of several would be kept: --keep first does that";
    Diagnostic::new(what).hint(hint)
}

/// Prints the text of a file as it would be compared.
fn text(flags: &TextFlags) -> anyhow::Result<Exit> {
    let text = Text::open(&flags.file, &flags.opening.reading_of_one()?)?;
    check_disguises(&text, flags.opening.disguises())?;
    diagnostics::warn_of(&text);
    print(text.content())
}

/// Says where the report is.
fn note_report(report: &ReportFlags, answering: &Answering) {
    if let Some(file) = report.file().filter(|file| !answering.quiet && !output::is_output(file)) {
        diagnostics::note(&visible(&format!("report: {}", display_path(file))));
    }
}

/// Says where the key of a report without names is.
fn note_key(report: &ReportFlags, answering: &Answering) {
    if let Some(key) = report.key().filter(|_| !answering.quiet) {
        diagnostics::note(&visible(&format!("key: {}", display_path(&key))));
    }
}

fn print(text: &str) -> anyhow::Result<Exit> {
    output::write_text(text)?;
    Ok(Exit::Success)
}
