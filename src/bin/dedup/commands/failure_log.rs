//! Prints the failures of many texts: the first of each kind, and the number of the others.

use std::mem::{Discriminant, discriminant};

use dedup_text::display::thousands;
use dedup_text::text::ReadTextError;
use dedup_text::text::formats::ExtractError;

use crate::diagnostics::{self, Diagnostic, MAX_SHOWN, Severity, note_more};
use crate::model::failures::Failed;

/// The kind of an error, by which errors are counted.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Kind {
    Named(&'static str),
    Document(Discriminant<ExtractError>),
    Text(Discriminant<ReadTextError>),
    Other,
}

impl Kind {
    fn new(error: &anyhow::Error) -> Self {
        if let Some(kind) = Diagnostic::kind_of(error) {
            return Self::Named(kind);
        }
        match error.downcast_ref::<ReadTextError>() {
            Some(ReadTextError::Refused { reason, .. }) => Self::Document(discriminant(reason)),
            Some(unread) => Self::Text(discriminant(unread)),
            None => Self::Other,
        }
    }
}

/// The failures of one kind.
struct FailureCount {
    kind: Kind,
    all: usize,
    /// The name of the last one that was printed.
    last: String,
}

/// The failures that were reported so far, by kind.
#[derive(Default)]
pub(crate) struct FailureLog(Vec<FailureCount>);

impl FailureLog {
    /// Prints a failure as an error or as a warning, if it is one of the first of its kind.
    pub(crate) fn report(&mut self, failed: &Failed, severity: Severity) {
        let kind = Kind::new(&failed.error);
        let known = self.0.iter().position(|count| count.kind == kind);
        let known = known.unwrap_or_else(|| {
            self.0.push(FailureCount { kind, all: 0, last: String::new() });
            self.0.len() - 1
        });
        let count = &mut self.0[known];
        count.all += 1;
        if count.all <= MAX_SHOWN {
            match severity {
                Severity::Error => diagnostics::print(&failed.error),
                Severity::Warning => diagnostics::warn_with_hint(&failed.error),
            }
            count.last.clone_from(&failed.name);
        }
    }

    /// Prints the number of further failures of each kind, and a hint at how to see them all if
    /// there are any.
    pub(crate) fn end(&self, hint: Option<&str>) {
        let mut is_more = false;
        for FailureCount { all, last, .. } in &self.0 {
            note_more(*all, |more| format!("{} more like {last}", thousands(more)));
            is_more |= *all > MAX_SHOWN;
        }
        if let Some(hint) = hint.filter(|_| is_more) {
            diagnostics::advise(hint);
        }
    }
}
