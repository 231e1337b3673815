//! Parses the command line into a [`Request`], and runs its command. Nothing else knows all
//! commands.

pub(crate) mod tree;

use crate::commands::{calibrate, compare, corpus, index, installation, spans, text};
use crate::diagnostics::{self, Exit};
use crate::io::{disk, output};
use crate::model::Color;
use crate::outputs;
use tree::Request;

pub(crate) use tree::{command, read};

/// Runs the command of a request and returns the exit status.
///
/// # Errors
///
/// Returns an error if the command fails. Its hint has the places in the settings file that set the
/// flags which the error is about.
pub(crate) fn answer(request: &Request) -> anyhow::Result<Exit> {
    if !matches!(request, Request::Corpus(_) | Request::Check(_) | Request::Against(_)) {
        disk::choose_temp_dir(None); // those may have --temp-dir
    }
    let answer = match request {
        Request::Help(text) => {
            output::write(text, Color::Never)?;
            return Ok(Exit::Success);
        }
        Request::Usage(text) => {
            diagnostics::print_usage(text);
            return Ok(Exit::Error);
        }
        Request::Compare(flags) => compare::answer(flags),
        Request::Text(flags) => text::answer(flags),
        Request::Corpus(flags) | Request::Check(flags) | Request::Against(flags) => {
            corpus::answer(flags)
        }
        Request::Calibrate(flags) => calibrate::answer(flags),
        Request::Spans(flags) => spans::answer(flags),
        Request::Index(flags) => index::answer(flags),
        Request::Config(flags) => outputs::print(&flags.page),
        Request::Web(flags) => installation::web(flags),
        Request::Completions(flags) => outputs::print(&installation::completions(flags)?),
        Request::Man(flags) => outputs::print(&installation::manual(&flags.names, command())?),
    };
    tree::with_setting_origin(request, answer)
}
