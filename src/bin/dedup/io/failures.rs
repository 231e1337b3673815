//! What could not be read of many texts, for the answers that list it.
//!
//! Memory does not grow with their number: the first are held, the others wait in a file without
//! a name.

use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tempfile::SpooledTempFile;

use super::output::Spool;

/// How many are held.
const HELD: usize = if cfg!(test) { 2 } else { 1000 };

/// Bytes of the others that are in memory.
const IN_MEMORY: usize = 1 << 20;

/// Something that should have been a text.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct FailedRecord {
    /// What it goes by.
    pub(crate) name: String,
    /// What is wrong with it; the name is given in it.
    pub(crate) error: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
}

/// All that should have been texts, in their order.
#[derive(Debug)]
pub(crate) struct Failures {
    count: usize,
    first: Vec<FailedRecord>,
    /// A line of JSON for each of the others.
    others: Mutex<SpooledTempFile>,
}

impl Default for Failures {
    fn default() -> Self {
        let others = Mutex::new(tempfile::spooled_tempfile(IN_MEMORY));
        Self { count: 0, first: Vec::new(), others }
    }
}

impl Failures {
    /// Adds one.
    ///
    /// # Errors
    ///
    /// Where a temporary file cannot be written.
    pub(crate) fn add(&mut self, failed: FailedRecord) -> io::Result<()> {
        self.count += 1;
        if self.first.len() < HELD {
            self.first.push(failed);
            return Ok(());
        }
        let others = self.others.get_mut().unwrap_or_else(PoisonError::into_inner);
        let line = serde_json::to_string(&failed)? + "\n";
        others.write_all(line.as_bytes())
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The first of them, up to a thousand.
    pub(crate) fn first(&self) -> &[FailedRecord] {
        &self.first
    }

    /// All of them as a format writes them, with something between two.
    ///
    /// # Errors
    ///
    /// Where a temporary file cannot be written or read.
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
    use super::super::output::Whole;
    use super::*;

    #[test]
    fn all_are_written_in_their_order_as_often_as_one_asks() {
        let mut failures = Failures::default();
        for count in 0..5 {
            let names: Vec<String> = (0..count).map(|number| format!("{number}\n\"é")).collect();
            for _ in 0..2 {
                let whole = Whole::from(String::new())
                    .with_records(failures.written("|", |failed| failed.name.clone()).unwrap());
                assert_eq!(whole.into_text().unwrap(), names.join("|"), "{count}");
            }
            assert_eq!((failures.len(), failures.is_empty()), (count, count == 0));
            assert_eq!(failures.first().len(), count.min(HELD));
            let name = format!("{count}\n\"é");
            failures.add(FailedRecord { name, error: "gone".to_owned(), hint: None }).unwrap();
        }
    }
}
