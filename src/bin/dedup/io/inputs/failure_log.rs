//! Errors of many texts → what is told of them: the first of each kind, and how many more.

use std::mem::{Discriminant, discriminant};

use dedup_text::text::ReadTextError;
use dedup_text::text::formats::Refusal;

use super::source::Failed;
use crate::diagnostics::{self, Diagnostic, TOLD};
use crate::words::{thousands, visible};

/// Errors with one cause.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Kind {
    Named(&'static str),
    Document(Discriminant<Refusal>),
    Text(Discriminant<ReadTextError>),
    Other,
}

impl Kind {
    fn of(error: &anyhow::Error) -> Self {
        if let Some(kind) = Diagnostic::kind_of(error) {
            return Self::Named(kind);
        }
        match error.downcast_ref::<ReadTextError>() {
            Some(ReadTextError::Refused { refusal, .. }) => Self::Document(discriminant(refusal)),
            Some(unread) => Self::Text(discriminant(unread)),
            None => Self::Other,
        }
    }
}

/// What was told of one kind.
struct Count {
    kind: Kind,
    all: usize,
    /// What the last that was told goes by.
    last: String,
}

/// What was told.
#[derive(Default)]
pub(crate) struct FailureLog(Vec<Count>);

impl FailureLog {
    /// Tells a failure, if it is one of the first of its kind.
    pub(crate) fn tell(&mut self, failed: &Failed) {
        let kind = Kind::of(&failed.error);
        let known = self.0.iter().position(|count| count.kind == kind);
        let known = known.unwrap_or_else(|| {
            self.0.push(Count { kind, all: 0, last: String::new() });
            self.0.len() - 1
        });
        let count = &mut self.0[known];
        count.all += 1;
        if count.all <= TOLD {
            diagnostics::tell(&failed.error);
            count.last.clone_from(&failed.name);
        }
    }

    /// Tells how many more there are of each kind, and how to see them.
    pub(crate) fn end(&self, hint: Option<&str>) {
        let mut is_more = false;
        for Count { all, last, .. } in self.0.iter().filter(|count| count.all > TOLD) {
            let more = thousands(all - TOLD);
            diagnostics::note(&visible(&format!("and {more} more like {last}")));
            is_more = true;
        }
        if let Some(hint) = hint.filter(|_| is_more) {
            diagnostics::advise(hint);
        }
    }
}
