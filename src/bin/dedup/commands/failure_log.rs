//! Prints the failures of many texts: the first of each kind, and the number of the others. A file
//! in which none of the first records has a requested field ends the run.

use std::mem::{Discriminant, discriminant};

use dedup_text::display::thousands;
use dedup_text::text::ReadTextError;
use dedup_text::text::formats::ExtractError;

use crate::diagnostics::{self, Diagnostic, MAX_SHOWN, Severity, note_more};
use crate::io::inputs::record::{ID_OFF, NO_FIELD, wanted};
use crate::io::inputs::source::Source;
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

/// Reports whether a batch begins with the first record of a file.
pub(crate) fn is_first(batch: &[Source]) -> bool {
    matches!(batch.first(), Some(Source::Line(line)) if line.is_first())
}

/// The first records of a file, counted if they lack a requested field.
pub(crate) struct MissingFields<'f> {
    count: usize,
    /// Whether the batch begins with the first record of its file and no record in it could be
    /// read.
    is_possible: bool,
    /// The field that must name each record, if there is one.
    id: Option<&'f str>,
    /// The field with the text of a record.
    text: &'f str,
}

impl<'f> MissingFields<'f> {
    /// `id` is the value of `--id` if it is given.
    pub(crate) fn new(is_possible: bool, id: Option<&'f str>, text: &'f str) -> Self {
        Self { count: 0, is_possible, id: id.filter(|id| *id != ID_OFF), text }
    }

    /// Counts a failure. Returns an error as soon as [`MAX_SHOWN`] of the records lack a field.
    pub(crate) fn meet(&mut self, failure: &Failed) -> Option<Diagnostic> {
        self.count += usize::from(Diagnostic::kind_of(&failure.error) == Some(NO_FIELD));
        let is_wrong = self.is_possible && self.count == MAX_SHOWN;
        is_wrong.then(|| self.no_such_field(failure))
    }

    /// Makes the error for a file in which none of the first records has a requested field.
    fn no_such_field(&self, failure: &Failed) -> Diagnostic {
        let file = failure.record_of.as_deref().unwrap_or(&failure.name);
        let wanted = wanted(self.id, self.text);
        let message =
            format!("{file}: none of the first {MAX_SHOWN} records is valid, expected {wanted}");
        let hint = diagnostics::hint(&failure.error).unwrap_or_default();
        Diagnostic::new(message).hint(hint).flags(diagnostics::flags(&failure.error))
    }
}
