//! The commands: each reads what it needs, calls the library, and hands the answer to a renderer.

pub(crate) mod baseline;
pub(crate) mod calibrate;
pub(crate) mod clusters;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod corpus;
pub(crate) mod manual;
pub(crate) mod part;
pub(crate) mod text;

use std::path::Path;

use super::io::output;
use crate::args::{self, Request};
use crate::diagnostics;
use crate::exit::Exit;

/// Answers a request.
pub(crate) fn answer(request: Request) -> anyhow::Result<Exit> {
    if let Some(command) = request.command().filter(|name| Path::new(name).exists()) {
        diagnostics::advise(&format!("{command} is a command here; ./{command} names the file"));
    }
    match request {
        Request::Help(text) => {
            output::write(&text, output::Color::Never)?;
            Ok(Exit::Success)
        }
        Request::Compare(flags) => flags.settings.with_setting_origin(compare::answer(&flags)),
        Request::Show(flags) => flags.settings.with_setting_origin(text::answer(&flags)),
        Request::Corpus(flags) => flags.settings.with_setting_origin(corpus::answer(&flags)),
        Request::Calibrate(flags) => flags.settings.with_setting_origin(calibrate::answer(&flags)),
        Request::Part(flags) => part::answer(&flags),
        Request::Clusters(flags) => clusters::answer(&flags),
        Request::Config(settings) => print(&settings),
        Request::Completions(shell) => print(&completions::script(&args::command_tree(), shell)?),
        Request::Manual => print(&manual::page(&args::command_tree())?),
    }
}

fn print(text: &str) -> anyhow::Result<Exit> {
    output::write_text(text)?;
    Ok(Exit::Success)
}
