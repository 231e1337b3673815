//! The `dedup` command: reads two texts, prints the answer, ends with its status.

mod exit;
mod flags;
mod output;
mod report;
mod trouble;

use std::ffi::OsString;
use std::process::ExitCode;

use dedup_text::pipeline;
use dedup_text::text::{Side, Text};

use exit::Exit;
use flags::{Flags, Request};
use report::Pair;

fn main() -> ExitCode {
    exit::guarded(|| run(std::env::args_os())).into()
}

/// The whole of a run, from the arguments to the status.
fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    flags::read(arguments).and_then(answer).unwrap_or_else(|error| {
        trouble::tell(&error);
        Exit::Trouble
    })
}

fn answer(request: Request) -> anyhow::Result<Exit> {
    match request {
        Request::Tell(text) => {
            output::write(&text, flags::Color::Never)?;
            Ok(Exit::Yes)
        }
        Request::Compare(flags) => compare(&flags),
    }
}

fn compare(flags: &Flags) -> anyhow::Result<Exit> {
    let recipe = flags.recipe()?;
    let [left, right] = [flags.reading(Side::Left)?, flags.reading(Side::Right)?];
    let (left, right) = Text::open_both((&flags.left, &left), (&flags.right, &right))?;
    let judgement = pipeline::judge(&left, &right, &recipe)?;
    if !flags.quiet {
        let pair = Pair { left: &left, right: &right, recipe: &recipe, judgement: &judgement };
        output::write(&report::written(&pair, flags)?, flags.color)?;
    }
    Ok(flags.status(judgement.decision.verdict))
}
