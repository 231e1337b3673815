//! The flags that say what the answer is for, and how it is given.

use clap::Args;
use dedup_text::verdict::Verdict;

use super::values::Level;
use crate::exit::Exit;
use crate::io::output::Color;

/// What the answer is for, and how it is given.
#[derive(Args, Debug)]
pub(crate) struct Answering {
    /// Exit 0 from this verdict on [default near-duplicate]
    ///
    /// One of different, excerpt, partial, near-duplicate, identical. Anything less close
    /// exits 1.
    #[arg(long, value_name = "LEVEL", hide_possible_values = true, conflicts_with = "fail_on")]
    at_least: Option<Level>,

    /// Exit 1 from this verdict on, 0 otherwise: for CI
    ///
    /// Unlike `! dedup …` it does not hide trouble, which exits 2.
    #[arg(long, value_name = "LEVEL", hide_possible_values = true)]
    fail_on: Option<Level>,

    /// Print no answer; the exit status says it
    ///
    /// Errors are still told on standard error.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Colours: auto, always or never [default auto]
    ///
    /// auto heeds the terminal, NO_COLOR and CLICOLOR_FORCE.
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        hide_possible_values = true
    )]
    pub(crate) color: Color,
}

impl Answering {
    /// The verdict that is asked for.
    pub(crate) fn level(&self) -> Verdict {
        self.at_least.or(self.fail_on).unwrap_or_default().0
    }

    /// Whether `--at-least` is given.
    pub(super) fn has_at_least(&self) -> bool {
        self.at_least.is_some()
    }

    /// Whether `--fail-on` is given.
    pub(super) fn has_fail_on(&self) -> bool {
        self.fail_on.is_some()
    }

    /// The exit status of a verdict, or of the closest of many; none where there is none.
    pub(crate) fn status(&self, closest: Option<Verdict>) -> Exit {
        let is_reached = closest.is_some_and(|verdict| verdict >= self.level());
        if is_reached == self.fail_on.is_none() { Exit::Success } else { Exit::Failure }
    }
}
