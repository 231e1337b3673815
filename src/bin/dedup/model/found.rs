//! The texts that were found: where, under which names, which are unique, and what each is compared
//! with.

use std::collections::HashMap;
use std::fmt;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::failures::Failed;
use super::{name_of, name_of_line, name_of_row};
use crate::diagnostics::Diagnostic;

/// The age of a text, which decides the texts that it is compared with.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Age {
    /// The text is new and is compared with all others.
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
pub(crate) enum Place {
    /// A file.
    File,
    /// A file of an archive, given by its name there and its index among the files of that name.
    Member { archive: Arc<Path>, at: (String, usize) },
    /// Several files that form one text, each with its path and its place.
    Unit(Arc<[(PathBuf, Place)]>),
    /// A line of a file, counted from 1, that begins at byte `start`. If it is a row, with the
    /// header of its file.
    Line { file: Arc<Path>, number: u64, start: u64, header: Option<Arc<Header>> },
    /// A row of a Parquet file, counted from 1.
    Row { file: Arc<Path>, number: u64 },
    /// A text in an index, which does not store its content.
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
    places: Vec<Place>,
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
                let stored = match &place {
                    Place::Stored(index) => format!(" of a text in {}", name_of(index)),
                    _ => String::new(),
                };
                let message = format!(
                    "the name {name}{stored} is already used by {first}, expected a unique name"
                );
                let error = Diagnostic::new(message).kind("name");
                let error = match &place {
                    Place::Member { .. } => error.hint("unpack the archive and rename the files"),
                    Place::Line { .. } | Place::Row { .. } => error
                        .hint("--id FIELD uses another field as name, --id off the file and line")
                        .flags(["id"]),
                    Place::Stored(_) => error
                        .hint(
                            "if both are the same text, --against with the index is enough; \
                             otherwise rename one of them",
                        )
                        .flags(["against"]),
                    Place::File | Place::Unit(_) | Place::Receipt => {
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

impl<S: BuildHasher> fmt::Debug for FoundTexts<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.debug_list().entries((0..self.len()).map(|number| self.get(number))).finish()
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
        let line = |number| Place::Line {
            file: Path::new("f").into(),
            number,
            start: 9 * number,
            header: None,
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
        let stored = names.add("ab", Place::Stored(Path::new("x.dedup").into())).unwrap_err().error;
        assert_eq!(
            format!("{stored:#}"),
            "the name ab of a text in x.dedup is already used by f: line 3, expected a unique name"
        );
        assert_eq!(
            diagnostics::hint(&stored).unwrap(),
            "if both are the same text, --against with the index is enough; otherwise rename one \
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
