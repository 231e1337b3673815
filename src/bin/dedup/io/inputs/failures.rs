//! Collects the errors of many texts: prints the first of each kind and the number of the others,
//! and keeps all of them for the answers that list them.

use std::collections::HashMap;
use std::fmt;
use std::hash::BuildHasher;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::mem::{Discriminant, discriminant};
use std::sync::{Mutex, PoisonError};

use dedup_text::display::{thousands, visible};
use dedup_text::text::ReadTextError;
use dedup_text::text::formats::ExtractError;
use foldhash::fast::RandomState;
use tempfile::SpooledTempFile;

use super::parquet::name_of_row;
use super::source::{Failed, FailedRecord, Place, name_of, name_of_line};
use crate::diagnostics::{self, Diagnostic, MAX_SHOWN, Severity};
use crate::io::output::Spool;

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

/// Prints how many of `count` messages were not printed because they are not among the first
/// [`MAX_SHOWN`], in the words of `describe`. Prints nothing if all were printed.
pub(crate) fn note_more(count: usize, describe: impl FnOnce(usize) -> String) {
    if let Some(more @ 1..) = count.checked_sub(MAX_SHOWN) {
        diagnostics::note(&visible(&format!("and {}", describe(more))));
    }
}

// The names of texts, which are unique.

/// The unique names of texts, in the order in which they were added.
///
/// All names are stored in one string and looked up by 32-bit hashes, so that an entry of the table
/// takes 8 bytes. If another name has taken a hash, the next number is tried. No result depends on
/// the salt.
#[derive(Default)]
pub(crate) struct Names<S = RandomState> {
    written: String,
    /// The end of each name in `written`.
    ends: Vec<usize>,
    places: Vec<Place>,
    /// The index of each name, by its hash.
    known: HashMap<u32, u32, S>,
    salt: S,
}

impl<S: BuildHasher> Names<S> {
    /// Adds a name and returns its index, which is the number of names before it.
    ///
    /// # Errors
    ///
    /// Returns [`Failed`] if another text has the same name.
    pub(crate) fn add(&mut self, name: &str, place: Place) -> Result<usize, Failed> {
        let mut key = self.key(name);
        while let Some(first) = self.known.get(&key) {
            let first = *first as usize;
            if self.get(first) == name {
                let first = match &self.places[first] {
                    Place::File | Place::Member { .. } | Place::Receipt => "a file".to_owned(),
                    Place::Unit(_) => "other files".to_owned(),
                    Place::Line { file, number, .. } => name_of_line(file, *number),
                    Place::Row { file, number } => name_of_row(file, *number),
                    Place::Stored(index) => format!("a text in {}", name_of(index)),
                };
                let message =
                    format!("the name {name} is already used by {first}, expected a unique name");
                let error = Diagnostic::new(message).kind("name");
                let error = match &place {
                    Place::Member { .. } => error.hint("unpack the archive and rename the files"),
                    Place::Line { .. } | Place::Row { .. } => error
                        .hint("--id FIELD uses another field as name, --id off the file and line")
                        .flags(["id"]),
                    Place::File | Place::Unit(_) | Place::Stored(_) | Place::Receipt => {
                        error.hint("rename one of them")
                    }
                };
                let error = error.into();
                return Err(match place {
                    Place::File
                    | Place::Member { .. }
                    | Place::Unit(_)
                    | Place::Stored(_)
                    | Place::Receipt => Failed { name: name.to_owned(), error, record_of: None },
                    Place::Line { file, number, .. } => Failed::of_line(&file, number, error),
                    Place::Row { file, number } => {
                        Failed::of_record(&file, name_of_row(&file, number), error)
                    }
                });
            }
            key = key.wrapping_add(1);
        }
        let number = self.ends.len();
        // The names of 2³² texts alone would exceed the memory of any machine.
        self.known.insert(key, u32::try_from(number).unwrap_or(u32::MAX));
        self.written.push_str(name);
        self.ends.push(self.written.len());
        self.places.push(place);
        Ok(number)
    }

    /// Returns the name with an index.
    ///
    /// # Panics
    ///
    /// Panics if there is no such index.
    pub(crate) fn get(&self, number: usize) -> &str {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.written[start..self.ends[number]]
    }

    /// Returns the place where the text with an index was found.
    ///
    /// # Panics
    ///
    /// Panics if there is no such index.
    pub(crate) fn place_of(&self, number: usize) -> &Place {
        &self.places[number]
    }

    /// Returns the index of a name; `None` if there is no such name.
    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        let mut key = self.key(name);
        while let Some(number) = self.known.get(&key) {
            let number = *number as usize;
            if self.get(number) == name {
                return Some(number);
            }
            key = key.wrapping_add(1);
        }
        None
    }

    /// Returns the hash of a name.
    fn key(&self, name: &str) -> u32 {
        u32::try_from(self.salt.hash_one(name) >> 32).unwrap_or_default()
    }

    /// Returns the number of names.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }
}

impl<S: BuildHasher> fmt::Debug for Names<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.debug_list().entries((0..self.len()).map(|number| self.get(number))).finish()
    }
}

// The failures of many texts, for the answers that list them.
//
// Memory does not grow with their number: the first are kept in memory, the others in an unnamed
// temporary file.

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
    use std::hash::{BuildHasherDefault, Hasher};
    use std::path::Path;

    use super::*;

    /// A hasher that gives every name the same hash, the largest number.
    #[derive(Default)]
    struct Same;

    impl Hasher for Same {
        fn finish(&self) -> u64 {
            u64::MAX
        }

        fn write(&mut self, _: &[u8]) {}
    }

    fn check<S: BuildHasher + Default>() {
        let mut names = Names::<S>::default();
        let line = |number| Place::Line {
            file: Path::new("f").into(),
            number,
            start: 9 * number,
            table: None,
        };
        for (number, name) in ["a", "", "ab", "b"].into_iter().enumerate() {
            assert_eq!(names.add(name, line(number as u64 + 1)).unwrap(), number, "{name}");
        }
        for (name, first) in [("a", 1), ("", 2), ("ab", 3), ("b", 4)] {
            let failed = names.add(name, line(9)).unwrap_err();
            let message = format!(
                "f: line 9: the name {name} is already used by f: line {first}, expected a unique \
                 name"
            );
            assert_eq!(format!("{:#}", failed.error), message);
        }
        assert_eq!(names.add("c", Place::File).unwrap(), 4);
        assert_eq!(names.number("ab").map(|it| names.place_of(it)), Some(&line(3)));
        assert_eq!((names.number("c"), names.number("abc")), (Some(4), None));
        assert_eq!(names.place_of(4), &Place::File);
        let message = names.add("c", Place::File).unwrap_err().error;
        assert_eq!(
            format!("{message:#}"),
            "the name c is already used by a file, expected a unique name"
        );
        assert_eq!((names.len(), names.get(1), names.get(2), names.get(4)), (5, "", "ab", "c"));
    }

    #[test]
    fn each_name_is_taken_once() {
        check::<RandomState>();
    }

    #[test]
    fn names_with_one_hash_are_distinguished() {
        check::<BuildHasherDefault<Same>>();
    }
}

#[cfg(test)]
mod failures_tests {
    use super::*;
    use crate::io::output::Whole;

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
