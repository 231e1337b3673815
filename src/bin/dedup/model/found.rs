//! The outcome of each source of a run: the texts that were found, with their unique names and
//! their places; the sources that should be texts but could not be read; and the sources that were
//! skipped.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::hash::BuildHasher;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use dedup_text::display::thousands;
use foldhash::fast::RandomState;
use serde::{Deserialize, Serialize};
use tempfile::SpooledTempFile;

use super::rendered::Spool;
use super::{name_of, name_of_line, name_of_row};
use crate::diagnostics::{self, Diagnostic, OfRecord, Severity};

/// The age of a text, which decides the texts that it is compared with.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Age {
    /// The text is new. It is compared with all others or, with `--against`, only with the texts
    /// that `--against` names.
    New,
    /// The text was named by `--against` and is compared only with new texts.
    Old,
    /// The text is new and was named by `--against` as well. It is compared with all others.
    Both,
}

impl Age {
    /// Returns the age of a file that is named twice, with these two ages.
    pub(crate) fn and(self, other: Self) -> Self {
        if self == other { self } else { Self::Both }
    }
}

/// The place where a text was found, from which it may be opened again.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum TextOrigin {
    /// A file.
    File,
    /// A file of an archive, given by its name there and its index among the files of that name.
    Member { archive: Arc<Path>, at: (String, usize) },
    /// Several files that form one text, each with its path and its place.
    Unit(Arc<[(PathBuf, TextOrigin)]>),
    /// A line of a file, counted from 1, that begins at byte `start`. If it is a row, with the
    /// header of its file.
    Line { file: Arc<Path>, number: u64, start: u64, header: Option<Arc<Header>> },
    /// A row of a Parquet file, counted from 1.
    Row { file: Arc<Path>, number: u64 },
    /// A text in an index, given by the path of the index. It is not opened again.
    Stored(Arc<Path>),
    /// A receipt of Blackboard, of which only a part is the text. It is not opened again.
    Receipt,
}

/// The header of a file of rows, such as CSV.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Header {
    /// The byte that separates cells.
    pub(crate) delimiter: u8,
    pub(crate) columns: Vec<String>,
    /// The number of the first line after the header.
    pub(crate) first_line: u64,
}

/// The unique names of texts, in the order in which they were added.
///
/// All names are stored in one string and looked up by 32-bit hashes, so that an entry of the table
/// takes 8 bytes. If another name has taken a hash, the next number is tried. No result depends on
/// the salt.
#[derive(Default)]
pub(crate) struct FoundTexts<S = RandomState> {
    written: String,
    /// The end of each name in `written`.
    ends: Vec<usize>,
    places: Vec<TextOrigin>,
    /// The index of each name, by its hash.
    known: HashMap<u32, u32, S>,
    salt: S,
}

impl<S: BuildHasher> FoundTexts<S> {
    /// Adds a name and returns its index, which is the number of names before it.
    ///
    /// # Errors
    ///
    /// Returns [`Failed`] if another text has the same name.
    pub(crate) fn add(&mut self, name: &str, place: TextOrigin) -> Result<usize, Failed> {
        let key = match self.find(name) {
            Ok(first) => return Err(self.name_taken(name, &place, first)),
            Err(key) => key,
        };
        let number = self.ends.len();
        // The names of 2³² texts alone would exceed the memory of any machine.
        self.known.insert(key, u32::try_from(number).unwrap_or(u32::MAX));
        self.written.push_str(name);
        self.ends.push(self.written.len());
        self.places.push(place);
        Ok(number)
    }

    /// Makes the error for a name that the text with the index `first` has already.
    fn name_taken(&self, name: &str, place: &TextOrigin, first: usize) -> Failed {
        let first = match &self.places[first] {
            TextOrigin::File | TextOrigin::Member { .. } | TextOrigin::Receipt => {
                "a file".to_owned()
            }
            TextOrigin::Unit(_) => "other files".to_owned(),
            TextOrigin::Line { file, number, .. } => name_of_line(file, *number),
            TextOrigin::Row { file, number } => name_of_row(file, *number),
            TextOrigin::Stored(index) => format!("a text in {}", name_of(index)),
        };
        let is_of_record = matches!(place, TextOrigin::Line { .. } | TextOrigin::Row { .. });
        let shown = match name {
            "" => Cow::Borrowed("\"\""),
            // It is a field of a record, perhaps the wrong one, and as long as a text.
            name if is_of_record => diagnostics::shortened(name),
            name => Cow::Borrowed(name),
        };
        let stored = match place {
            TextOrigin::Stored(index) => format!(" of a text in {}", name_of(index)),
            _ => String::new(),
        };
        let (hint, flag) = match place {
            TextOrigin::Member { .. } => ("unpack the archive and rename the files", None),
            TextOrigin::Line { .. } | TextOrigin::Row { .. } => {
                ("--id FIELD uses another field as name, --id off the file and line", Some("id"))
            }
            TextOrigin::Stored(_) => (
                "if both are the same text, naming the index is enough; otherwise rename one of \
                 them",
                Some("against"),
            ),
            TextOrigin::File | TextOrigin::Unit(_) | TextOrigin::Receipt => {
                ("rename one of them", None)
            }
        };
        let message =
            format!("the name {shown}{stored} is already used by {first}, expected a unique name");
        let error = Diagnostic::new(message).kind("name").hint(hint).flags(flag);
        match place {
            TextOrigin::Line { file, number, .. } => Failed::of_line(file, *number, error),
            TextOrigin::Row { file, number } => {
                Failed::of_record(file, name_of_row(file, *number), error)
            }
            _ => Failed::new(name.to_owned(), error),
        }
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
    pub(crate) fn place_of(&self, number: usize) -> &TextOrigin {
        &self.places[number]
    }

    /// Returns only the places, in the order of the names.
    pub(crate) fn into_places(self) -> Vec<TextOrigin> {
        self.places
    }

    /// Returns the index of a name; `None` if there is no such name.
    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        self.find(name).ok()
    }

    /// Returns the index of a name, or the key in `known` that a new name is inserted with.
    fn find(&self, name: &str) -> Result<usize, u32> {
        let mut key = u32::try_from(self.salt.hash_one(name) >> 32).unwrap_or_default();
        while let Some(number) = self.known.get(&key) {
            let number = *number as usize;
            if self.get(number) == name {
                return Ok(number);
            }
            key = key.wrapping_add(1);
        }
        Err(key)
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }
}

impl<S: BuildHasher> fmt::Debug for FoundTexts<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.debug_list().entries((0..self.len()).map(|number| self.get(number))).finish()
    }
}

// The sources that should be texts but could not be read. Memory does not grow with their number:
// the first are kept in memory, the others in an unnamed temporary file.

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
    /// The hint on what the user can do about the failure.
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

/// All failures, in the order in which they were added.
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

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Returns the number of failures that affect the exit status.
    pub(crate) fn errors(&self) -> usize {
        self.errors
    }

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

// The sources that were skipped, and why.

/// The reason why something in a folder is skipped.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Skip {
    /// It is hidden by its name, as by [`is_hidden`]. A hidden folder is skipped with everything in
    /// it.
    Hidden,
    /// A `.gitignore` excludes it, which the run follows. An excluded folder is skipped with
    /// everything in it.
    Ignored,
    /// It is a symbolic link.
    Link,
    /// It is a pipe, a socket or a device.
    Special,
    /// Its text is empty or only white space.
    Empty,
    /// It is a picture.
    Picture,
    /// It is a sound recording or a film.
    Recording,
    /// It is a program or a font.
    Program,
    /// It is not text, and its format is not known.
    NoText,
    /// It is the settings file of the run.
    Settings,
    /// It is read for another purpose: as a template, a list or a file of records.
    Input,
    /// It is another name of a file that is already a text of the corpus.
    HardLink,
    /// It is a receipt of Blackboard without a typed text.
    Receipt,
}

impl Skip {
    /// The reasons in the order of the variants, each with its [code](Self::code) and its
    /// [name](Self::name).
    const ALL: [(Self, &str, &str); 13] = [
        (Self::Hidden, "hidden", "hidden"),
        (Self::Ignored, "ignored", "excluded by .gitignore"),
        (Self::Link, "link", "symbolic links"),
        (Self::Special, "special", "pipes, sockets and devices"),
        (Self::Empty, "empty", "empty files"),
        (Self::Picture, "picture", "pictures"),
        (Self::Recording, "recording", "audio and video"),
        (Self::Program, "program", "programs and fonts"),
        (Self::NoText, "no-text", "files that are not text"),
        (Self::Settings, "settings", "settings"),
        (Self::Input, "input", "templates and lists"),
        (Self::HardLink, "hard-link", "hard links"),
        (Self::Receipt, "receipt", "Blackboard receipts without a text"),
    ];

    /// Returns the identifier of the reason in machine-readable output. It never changes.
    pub(crate) fn code(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Returns the description of the reason for the user.
    pub(crate) fn name(self) -> &'static str {
        Self::ALL[self as usize].2
    }

    /// Returns what the user can do to have such a file compared, if there is something.
    pub(crate) fn hint(self) -> Option<&'static str> {
        match self {
            Self::Hidden | Self::Link | Self::Special => {
                Some("give the file or folder itself to compare it")
            }
            Self::Ignored => Some("leave out --gitignore to compare it"),
            _ => None,
        }
    }

    /// Returns the name, followed by the hint if there is one.
    pub(crate) fn with_hint(self) -> String {
        let name = self.name();
        self.hint().map_or_else(|| name.to_owned(), |hint| format!("{name}; {hint}"))
    }
}

/// Reports whether the name of a file or folder hides it: it begins with a full stop, or is one of
/// those in which Windows stores pictures and settings of a folder, and which it hides.
pub(crate) fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
        || ["Thumbs.db", "desktop.ini"].iter().any(|it| it.eq_ignore_ascii_case(name))
}

/// The largest number of skipped files of one kind whose names are kept.
const NAMED: usize = 1000;

/// Counts of skipped files.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Skipped {
    counts: [usize; Skip::ALL.len()],
    /// The first files of each kind: those that were opened and turned out not to be texts, in the
    /// order of the texts, and then those that were not opened.
    files: Vec<(Skip, String)>,
}

impl Skipped {
    /// Adds to the count of a reason.
    pub(crate) fn add(&mut self, why: Skip, count: usize) {
        self.counts[why as usize] += count;
    }

    /// Counts a file, and keeps its name unless there are [`NAMED`] of its kind already.
    pub(crate) fn add_file(&mut self, why: Skip, name: String) {
        self.add(why, 1);
        if self.count(why) <= NAMED {
            self.files.push((why, name));
        }
    }

    /// Adds the counts and the names of another value, of each kind at most [`NAMED`] names.
    pub(crate) fn add_all(&mut self, more: &Self) {
        more.files.iter().for_each(|(why, name)| self.add_file(*why, name.clone()));
        more.counts().for_each(|(why, count)| self.add(why, count - more.files(why).count()));
    }

    /// Returns the same counts, with other names for the files.
    pub(crate) fn renamed(&self, name: impl Fn(&str) -> String) -> Self {
        let files = self.files.iter().map(|(why, file)| (*why, name(file))).collect();
        Self { counts: self.counts, files }
    }

    /// Returns the number of files that were skipped for a reason.
    pub(crate) fn count(&self, why: Skip) -> usize {
        self.counts[why as usize]
    }

    /// Returns the reasons whose counts are not zero, with their counts.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (Skip, usize)> {
        Skip::ALL.map(|(why, ..)| why).into_iter().zip(self.counts).filter(|(_, count)| *count > 0)
    }

    /// The largest number of files of one kind that a description names.
    pub(crate) const MAX_NAMED: usize = 3;

    /// Describes the files of each kind of which names are kept.
    pub(crate) fn by_kind(&self) -> Vec<String> {
        self.counts().filter_map(|(why, count)| self.described(why, count)).collect()
    }

    /// Describes the first files of a kind, how many more there are, and what to do about them if
    /// that is known. `None` if no name of the kind is kept.
    pub(crate) fn described(&self, why: Skip, count: usize) -> Option<String> {
        let named: Vec<&str> = self.files(why).take(Self::MAX_NAMED).collect();
        let more = count - named.len();
        let and_more =
            if more > 0 { format!(" and {} more", thousands(more)) } else { String::new() };
        let hint = why.hint().map_or_else(String::new, |hint| format!(" ({hint})"));
        let named = (!named.is_empty()).then(|| named.join(", "));
        named.map(|named| format!("{}: {named}{and_more}{hint}", why.name()))
    }

    /// Reports whether names of files that were skipped for a reason are kept.
    pub(crate) fn has_names(&self, why: Skip) -> bool {
        self.files(why).next().is_some()
    }

    /// Returns the names of the files that were skipped for a reason, at most [`NAMED`].
    pub(crate) fn files(&self, why: Skip) -> impl Iterator<Item = &str> {
        self.files.iter().filter(move |(it, _)| *it == why).map(|(_, name)| &**name)
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasherDefault, Hasher};
    use std::path::Path;

    use super::*;
    use crate::diagnostics;

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
        let mut names = FoundTexts::<S>::default();
        let line = |number| TextOrigin::Line {
            file: Path::new("f").into(),
            number,
            start: 9 * number,
            header: None,
        };
        for (number, name) in ["a", "", "ab", "b"].into_iter().enumerate() {
            assert_eq!(names.add(name, line(number as u64 + 1)).unwrap(), number, "{name}");
        }
        for (name, shown, first) in [("a", "a", 1), ("", "\"\"", 2), ("ab", "ab", 3), ("b", "b", 4)]
        {
            let failed = names.add(name, line(9)).unwrap_err();
            let message = format!(
                "f: line 9: the name {shown} is already used by f: line {first}, expected a unique \
                 name"
            );
            assert_eq!(format!("{:#}", failed.error), message);
        }
        assert_eq!(names.add("c", TextOrigin::File).unwrap(), 4);
        assert_eq!(names.number("ab").map(|it| names.place_of(it)), Some(&line(3)));
        assert_eq!((names.number("c"), names.number("abc")), (Some(4), None));
        assert_eq!(names.place_of(4), &TextOrigin::File);
        let message = names.add("c", TextOrigin::File).unwrap_err().error;
        assert_eq!(
            format!("{message:#}"),
            "the name c is already used by a file, expected a unique name"
        );
        let stored =
            names.add("ab", TextOrigin::Stored(Path::new("x.dedup").into())).unwrap_err().error;
        assert_eq!(
            format!("{stored:#}"),
            "the name ab of a text in x.dedup is already used by f: line 3, expected a unique name"
        );
        assert_eq!(
            diagnostics::hint(&stored).unwrap(),
            "if both are the same text, naming the index is enough; otherwise rename one \
             of them"
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
    use crate::model::rendered::Rendered;

    #[test]
    fn failures_are_written_in_their_order_each_time() {
        let mut failures = Failures::default();
        for count in 0..5 {
            let names: Vec<String> = (0..count).map(|number| format!("{number}\n\"é")).collect();
            for _ in 0..2 {
                let rendered =
                    Rendered::from(failures.written("|", |failed| failed.name.clone()).unwrap());
                assert_eq!(rendered.into_text().unwrap(), names.join("|"), "{count}");
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

#[cfg(test)]
mod skipped_tests {
    use super::*;

    #[test]
    fn each_reason_is_at_its_place_in_the_table() {
        for (at, (why, ..)) in Skip::ALL.into_iter().enumerate() {
            assert_eq!(why as usize, at, "{why:?}");
        }
    }

    #[test]
    fn many_files_of_one_kind_leave_room_for_the_names_of_others() {
        let mut opened = Skipped::default();
        (0..NAMED).for_each(|number| opened.add_file(Skip::Empty, number.to_string()));
        let mut walked = Skipped::default();
        walked.add_file(Skip::Empty, "one more".to_owned());
        walked.add_file(Skip::Hidden, ".git/".to_owned());
        walked.add(Skip::Input, 2);
        opened.add_all(&walked);
        opened.add_all(&walked);
        let kinds = [(Skip::Hidden, 2), (Skip::Empty, NAMED + 2), (Skip::Input, 4)];
        assert_eq!(opened.counts().collect::<Vec<_>>(), kinds);
        assert_eq!(opened.files(Skip::Empty).count(), NAMED);
        assert_eq!(opened.files(Skip::Empty).last(), Some("999"));
        assert_eq!(opened.files(Skip::Hidden).collect::<Vec<_>>(), [".git/", ".git/"]);
        assert_eq!(
            opened.by_kind(),
            [
                "hidden: .git/, .git/ (give the file or folder itself to compare it)",
                "empty files: 0, 1, 2 and 999 more",
            ]
        );
    }
}
