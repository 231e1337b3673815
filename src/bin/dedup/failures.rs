//! Reports the sources of a run that could not be opened: the first of each kind are printed, with
//! the number of the others. A file in which none of the first records has a requested field ends
//! the run.

pub(crate) mod no_text;

use std::io;
use std::mem::{Discriminant, discriminant};
use std::path::PathBuf;

use dedup_text::display::thousands;
use dedup_text::text::formats::ExtractError;
use dedup_text::text::{ReadTextError, display_path};

use crate::args::{InputFlags, SettingsFlags, Unreadable};
use crate::diagnostics::{self, Diagnostic, MAX_SHOWN, Severity, note_more};
use crate::io::inputs::record::{ID_OFF, NO_FIELD, wanted};
use crate::io::inputs::source::{self, Source, Unopened};
use crate::io::inputs::sources::Sources;
use crate::model::found::{Failed, FailedRecord, Skipped};

/// Makes the error for a path that does not exist say that a folder is expected as well, if it is
/// one of the `named` paths.
pub(crate) fn expecting_folder(error: anyhow::Error, named: &[&[PathBuf]]) -> anyhow::Error {
    match error.downcast_ref() {
        Some(ReadTextError::Missing { path }) if named.iter().any(|all| all.contains(path)) => {
            let path = display_path(path);
            let what = format!("{path}: no such file or folder, expected a text file or a folder");
            Diagnostic::new(what).hint(diagnostics::hint(&error).unwrap_or_default()).into()
        }
        _ => error,
    }
}

/// The failures that were reported so far, and the number of sources that were skipped.
pub(crate) struct FailureReport<'f> {
    /// Makes the hint of an error say where the settings file causes it.
    with_origin: Box<dyn Fn(anyhow::Error) -> anyhow::Error + 'f>,
    /// The effect of a document that cannot be read.
    unreadable: Unreadable,
    /// Whether an error ends the run.
    has_end: bool,
    /// The field that must name each record, if there is one.
    id: Option<&'f str>,
    /// The field with the text of a record.
    text: &'f str,
    counts: Vec<FailureCount>,
    pub(crate) skipped: Skipped,
    /// Whether there was an error.
    pub(crate) has_errors: bool,
}

impl<'f> FailureReport<'f> {
    /// Makes a report without failures. `has_end` is whether an error ends the run.
    pub(crate) fn new(inputs: &'f InputFlags, settings: &'f SettingsFlags, has_end: bool) -> Self {
        let with_origin = move |error| {
            let error = inputs.with_text_origin(settings, error);
            expecting_folder(error, &[&inputs.paths, inputs.old()])
        };
        Self {
            unreadable: inputs.unreadable,
            ..Self::with_fields((inputs.id_as_given(), inputs.text()), has_end, with_origin)
        }
    }

    /// Makes a report without failures, each of which will be an error. `id` and `text` are the fields
    /// of a record, and `with_origin` makes the hint of an error say where the settings file causes it.
    pub(crate) fn with_fields(
        (id, text): (Option<&'f str>, &'f str),
        has_end: bool,
        with_origin: impl Fn(anyhow::Error) -> anyhow::Error + 'f,
    ) -> Self {
        Self {
            with_origin: Box::new(with_origin),
            unreadable: Unreadable::Error,
            has_end,
            id: id.filter(|id| *id != ID_OFF),
            text,
            counts: Vec::new(),
            skipped: Skipped::default(),
            has_errors: false,
        }
    }

    /// Reads all sources, batch by batch. `read` takes a batch, and returns its outcome; `keep` takes
    /// the record of each failure. Failures are reported as they are met.
    ///
    /// # Errors
    ///
    /// Returns the errors of `read` and `keep`, the error for sources that cannot be read to their
    /// end, and those of [`add_all`](Self::add_all).
    pub(crate) fn read_all(
        &mut self,
        mut sources: Sources,
        mut read: impl FnMut(Vec<Source>) -> anyhow::Result<BatchOutcome>,
        mut keep: impl FnMut(FailedRecord) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        for batch in &mut sources {
            let is_first = matches!(batch.first(), Some(Source::Line(line)) if line.is_first());
            let BatchOutcome { has_text, unopened } = read(batch)?;
            self.add_all(unopened, is_first && !has_text)?.into_iter().try_for_each(&mut keep)?;
        }
        self.skipped.add_all(&sources.skipped);
        Ok(sources.check()?)
    }

    /// Reports the failures of a batch, counts what was skipped, and returns the records of the
    /// failures. `is_first` is whether the batch begins with the first record of a file and no text
    /// was found in the batch.
    ///
    /// # Errors
    ///
    /// Returns the first failure that ends the run, or an error if [`MAX_SHOWN`] of the first
    /// records of a file lack a field.
    fn add_all(
        &mut self,
        unopened: Vec<Unopened>,
        is_first: bool,
    ) -> anyhow::Result<Vec<FailedRecord>> {
        let (mut records, mut lacking, mut skipped) = (Vec::new(), 0, Skipped::default());
        for failure in unopened.into_iter().flat_map(|why| why.failures(&mut skipped)) {
            lacking += usize::from(Diagnostic::kind_of(&failure.error) == Some(NO_FIELD));
            let is_wrong = is_first && lacking == MAX_SHOWN;
            let wrong = is_wrong.then(|| self.no_such_field(&failure));
            records.push(self.add(failure)?);
            if let Some(wrong) = wrong {
                return Err(wrong.into());
            }
        }
        self.skipped.add_all(&skipped);
        Ok(records)
    }

    /// Reports a failure, and returns its record.
    ///
    /// # Errors
    ///
    /// Returns the failure itself if it is an error and errors end the run.
    pub(crate) fn add(&mut self, failure: Failed) -> anyhow::Result<FailedRecord> {
        let severity = match self.unreadable {
            Unreadable::Warn if source::is_unreadable(&failure.error) => Severity::Warning,
            _ => Severity::Error,
        };
        if self.has_end && severity.is_error() {
            return Err(failure.error);
        }
        let kind = Kind::new(&failure.error);
        let failure = Failed { error: (self.with_origin)(failure.error), ..failure };
        self.print_one_of(kind, &failure, severity);
        Ok(FailedRecord::new(failure, severity))
    }

    /// Prints a failure as an error or as a warning, if it is one of the first of its kind.
    pub(crate) fn print(&mut self, failed: &Failed, severity: Severity) {
        self.print_one_of(Kind::new(&failed.error), failed, severity);
    }

    fn print_one_of(&mut self, kind: Kind, failed: &Failed, severity: Severity) {
        self.has_errors |= severity.is_error();
        let known = self.counts.iter().position(|count| count.kind == kind);
        let known = known.unwrap_or_else(|| {
            self.counts.push(FailureCount { kind, all: 0, last: String::new() });
            self.counts.len() - 1
        });
        let count = &mut self.counts[known];
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
        for FailureCount { all, last, .. } in &self.counts {
            note_more(*all, |more| format!("{} more like {last}", thousands(more)));
            is_more |= *all > MAX_SHOWN;
        }
        if let Some(hint) = hint.filter(|_| is_more) {
            diagnostics::advise(hint);
        }
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

/// What was read of a batch of sources.
pub(crate) struct BatchOutcome {
    /// Whether at least one source of the batch is a text.
    pub(crate) has_text: bool,
    /// The reasons why the others are not, in the order of the batch.
    pub(crate) unopened: Vec<Unopened>,
}

/// The failures of one kind.
struct FailureCount {
    kind: Kind,
    all: usize,
    /// The name of the last one that was printed.
    last: String,
}

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
