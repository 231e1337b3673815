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

use crate::args::{self, Request};
use crate::diagnostics;
use crate::exit::Exit;
use crate::io::output;

/// Answers a request.
pub(crate) fn answer(request: Request) -> anyhow::Result<Exit> {
    match request {
        Request::Tell(text) => {
            output::write(&text, args::Color::Never)?;
            Ok(Exit::Success)
        }
        Request::Compare(flags) => flags.settings.with_setting_origin(compare::answer(&flags)),
        Request::Show(flags) => {
            advise_of_file(args::SHOW);
            flags.settings.with_setting_origin(text::answer(&flags))
        }
        Request::Corpus(flags) => {
            advise_of_file(args::CORPUS);
            flags.settings.with_setting_origin(corpus::answer(&flags))
        }
        Request::Calibrate(flags) => {
            advise_of_file(args::CALIBRATE);
            flags.settings.with_setting_origin(calibrate::answer(&flags))
        }
        Request::Part(flags) => {
            advise_of_file(args::PART);
            part::answer(&flags)
        }
        Request::Clusters(flags) => {
            advise_of_file(args::CLUSTERS);
            clusters::answer(&flags)
        }
        Request::Print(command, text) => {
            advise_of_file(command);
            output::write_text(&text)?;
            Ok(Exit::Success)
        }
    }
}

/// Tells whose file has the name of a command how to name it.
fn advise_of_file(command: &str) {
    if Path::new(command).exists() {
        diagnostics::advise(&format!("{command} is a command here; ./{command} names the file"));
    }
}
