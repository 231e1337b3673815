//! The sources that should be texts but could not be read, for the answers that list them.
//!
//! Memory does not grow with their number: the first are kept in memory, the others in an unnamed
//! temporary file.

use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tempfile::SpooledTempFile;

use super::whole::Spool;
use super::{name_of, name_of_line};
use crate::diagnostics::{self, OfRecord, Severity};

/// A source that should be a text but could not be read.
#[derive(Debug)]
pub(crate) struct Failed {
    /// The name: a path, or a file and a line.
    pub(crate) name: String,
    /// The error; its message contains the name.
    pub(crate) error: anyhow::Error,
    /// The name of the file that it is a record of; `None` if it is a file itself.
    pub(crate) record_of: Option<String>,
}

/// The serialized form of a [`Failed`].
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct FailedRecord {
    /// The name.
    pub(crate) name: String,
    /// The error, as a chain of messages from the outermost to the innermost; it contains the name.
    pub(crate) error: String,
    /// What the user can do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
    /// Stored only if it does not affect the exit status.
    #[serde(default, skip_serializing_if = "Severity::is_error")]
    pub(crate) severity: Severity,
}

impl Failed {
    /// Creates the failure of a text by its name, which the message of the error must contain.
    pub(crate) fn new(name: String, error: impl Into<anyhow::Error>) -> Self {
        Self { name, error: error.into(), record_of: None }
    }

    /// Creates the failure of a whole file. The message of the error must contain its name.
    pub(crate) fn of_file(path: &Path, error: impl Into<anyhow::Error>) -> Self {
        Self::new(name_of(path), error)
    }

    /// Creates the failure of a line, counted from 1. The name of the line is added to the error.
    pub(crate) fn of_line(file: &Path, number: u64, error: impl Into<anyhow::Error>) -> Self {
        Self::of_record(file, name_of_line(file, number), error)
    }

    /// Creates the failure of a record of a file. The name of the record is added to the error.
    pub(crate) fn of_record(file: &Path, name: String, error: impl Into<anyhow::Error>) -> Self {
        let error = error.into().context(OfRecord(name.clone()));
        Self { name, error, record_of: Some(name_of(file)) }
    }
}

impl FailedRecord {
    pub(crate) fn new(failed: Failed, severity: Severity) -> Self {
        let error = format!("{:#}", failed.error);
        let hint = diagnostics::hint_at(&failed.error, severity);
        Self { name: failed.name, error, hint, severity }
    }

    /// Returns the error, followed by what the user can do about it if that is known.
    pub(crate) fn with_hint(&self) -> String {
        let Self { error, hint, .. } = self;
        hint.as_ref().map_or_else(|| error.clone(), |hint| format!("{error}; {hint}"))
    }
}

/// The number of failures that are kept in memory.
const MAX_IN_MEMORY: usize = if cfg!(test) { 2 } else { 1000 };

/// The number of bytes of the other failures that are kept in memory before they move to a file.
const IN_MEMORY: usize = 1 << 20;

/// All failures, in their order.
#[derive(Debug)]
pub(crate) struct Failures {
    count: usize,
    /// The number of those that affect the exit status.
    errors: usize,
    first: Vec<FailedRecord>,
    /// The other failures, each as a line of JSON.
    others: Mutex<SpooledTempFile>,
}

impl Default for Failures {
    fn default() -> Self {
        let others = Mutex::new(tempfile::spooled_tempfile(IN_MEMORY));
        Self { count: 0, errors: 0, first: Vec::new(), others }
    }
}

impl Failures {
    /// Adds a failure.
    ///
    /// # Errors
    ///
    /// Returns an error if the temporary file cannot be written.
    pub(crate) fn add(&mut self, failed: FailedRecord) -> io::Result<()> {
        self.count += 1;
        self.errors += usize::from(failed.severity.is_error());
        if self.first.len() < MAX_IN_MEMORY {
            self.first.push(failed);
            return Ok(());
        }
        let others = self.others.get_mut().unwrap_or_else(PoisonError::into_inner);
        let line = serde_json::to_string(&failed)? + "\n";
        others.write_all(line.as_bytes())
    }

    /// Returns the number of failures.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Returns the number of failures that affect the exit status.
    pub(crate) fn errors(&self) -> usize {
        self.errors
    }

    /// Reports whether there are no failures.
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the first failures, at most [`MAX_IN_MEMORY`].
    pub(crate) fn first(&self) -> &[FailedRecord] {
        &self.first
    }

    /// Returns all failures as records in the format that `write` gives them, with a separator
    /// between two.
    ///
    /// # Errors
    ///
    /// Returns an error if a temporary file cannot be written or read.
    pub(crate) fn written(
        &self,
        separator: &'static str,
        write: impl Fn(&FailedRecord) -> String,
    ) -> io::Result<Spool> {
        let mut records = Spool::new(separator);
        self.first.iter().try_for_each(|failed| records.add(&write(failed)))?;
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        others.rewind()?;
        for line in BufReader::new(&mut *others).lines() {
            records.add(&write(&serde_json::from_str(&line?)?))?;
        }
        others.seek(SeekFrom::End(0))?;
        Ok(records)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::whole::Whole;

    #[test]
    fn failures_are_written_in_their_order_each_time() {
        let mut failures = Failures::default();
        for count in 0..5 {
            let names: Vec<String> = (0..count).map(|number| format!("{number}\n\"é")).collect();
            for _ in 0..2 {
                let whole = Whole::from(String::new())
                    .with_records(failures.written("|", |failed| failed.name.clone()).unwrap());
                assert_eq!(whole.into_text().unwrap(), names.join("|"), "{count}");
            }
            assert_eq!((failures.len(), failures.is_empty()), (count, count == 0));
            assert_eq!(failures.first().len(), count.min(MAX_IN_MEMORY));
            let name = format!("{count}\n\"é");
            failures
                .add(FailedRecord {
                    name,
                    error: "gone".to_owned(),
                    hint: None,
                    severity: Severity::Warning,
                })
                .unwrap();
        }
    }
}
