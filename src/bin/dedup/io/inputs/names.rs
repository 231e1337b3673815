//! Errors of many texts → what is reported of them: the first of each kind, and how many more.

use std::collections::HashMap;
use std::fmt;
use std::hash::BuildHasher;
use std::mem::{Discriminant, discriminant};

use dedup_text::text::ReadTextError;
use dedup_text::text::formats::Refusal;
use dedup_text::words::{thousands, visible};
use foldhash::fast::RandomState;

use super::parquet::name_of_row;
use super::source::{Failed, Place, name_of, name_of_line};
use crate::diagnostics::{self, Diagnostic, MAX_SHOWN, Severity};

/// Errors with one cause.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Kind {
    Named(&'static str),
    Document(Discriminant<Refusal>),
    Text(Discriminant<ReadTextError>),
    Other,
}

impl Kind {
    fn new(error: &anyhow::Error) -> Self {
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

/// What was reported of one kind.
struct Count {
    kind: Kind,
    all: usize,
    /// What the last that was reported goes by.
    last: String,
}

/// What was reported.
#[derive(Default)]
pub(crate) struct FailureLog(Vec<Count>);

impl FailureLog {
    /// Prints a failure, if it is one of the first of its kind: as an error, or as a warning.
    pub(crate) fn report(&mut self, failed: &Failed, severity: Severity) {
        let kind = Kind::new(&failed.error);
        let known = self.0.iter().position(|count| count.kind == kind);
        let known = known.unwrap_or_else(|| {
            self.0.push(Count { kind, all: 0, last: String::new() });
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

    /// Says how many more there are of each kind, and how to see them.
    pub(crate) fn end(&self, hint: Option<&str>) {
        let mut is_more = false;
        for Count { all, last, .. } in self.0.iter().filter(|count| count.all > MAX_SHOWN) {
            let more = thousands(all - MAX_SHOWN);
            diagnostics::note(&visible(&format!("and {more} more like {last}")));
            is_more = true;
        }
        if let Some(hint) = hint.filter(|_| is_more) {
            diagnostics::advise(hint);
        }
    }
}

// The names of texts, no two the same.

/// The names of texts, in the order in which they came.
///
/// They stand in one string, and are looked up by 64 bits of theirs; where those are taken by
/// another name, the next number is tried. Nothing depends on the salt.
#[derive(Default)]
pub(crate) struct Names<S = RandomState> {
    written: String,
    /// Where each ends in `written`.
    ends: Vec<usize>,
    places: Vec<Place>,
    known: HashMap<u64, usize, S>,
    salt: S,
}

impl<S: BuildHasher> Names<S> {
    /// Adds a name, and says its number: how many came before it.
    ///
    /// # Errors
    ///
    /// Where another text has the name.
    pub(crate) fn add(&mut self, name: &str, place: Place) -> Result<usize, Failed> {
        let mut key = self.salt.hash_one(name);
        while let Some(first) = self.known.get(&key) {
            if self.get(*first) == name {
                let first = match &self.places[*first] {
                    Place::File | Place::Member { .. } => "a file".to_owned(),
                    Place::Unit(_) => "other files".to_owned(),
                    Place::Line { file, number, .. } => name_of_line(file, *number),
                    Place::Row { file, number } => name_of_row(file, *number),
                    Place::Stored(index) => format!("a text in {}", name_of(index)),
                };
                let message =
                    format!("the name {name} is taken by {first}, expected one of its own");
                let error = Diagnostic::new(message)
                    .kind("name")
                    .hint("--id FIELD names by another field")
                    .into();
                return Err(match place {
                    Place::File | Place::Member { .. } | Place::Unit(_) | Place::Stored(_) => {
                        Failed { name: name.to_owned(), error, is_whole_file: true }
                    }
                    Place::Line { file, number, .. } => Failed::of_line(&file, number, error),
                    Place::Row { file, number } => {
                        Failed::of_record(name_of_row(&file, number), error)
                    }
                });
            }
            key = key.wrapping_add(1);
        }
        let number = self.ends.len();
        self.known.insert(key, number);
        self.written.push_str(name);
        self.ends.push(self.written.len());
        self.places.push(place);
        Ok(number)
    }

    /// A name by its number.
    ///
    /// # Panics
    ///
    /// Where no name has the number.
    pub(crate) fn get(&self, number: usize) -> &str {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.written[start..self.ends[number]]
    }

    /// Where the text of a number was found.
    ///
    /// # Panics
    ///
    /// Where no text has the number.
    pub(crate) fn place_of(&self, number: usize) -> &Place {
        &self.places[number]
    }

    /// The number of a name; none where there is no such name.
    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        let mut key = self.salt.hash_one(name);
        while let Some(number) = self.known.get(&key) {
            if self.get(*number) == name {
                return Some(*number);
            }
            key = key.wrapping_add(1);
        }
        None
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }
}

impl<S: BuildHasher> fmt::Debug for Names<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.debug_list().entries((0..self.len()).map(|number| self.get(number))).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasherDefault, Hasher};
    use std::path::Path;

    use super::*;

    /// Gives every name the same number, the last there is.
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
            let rendered = format!(
                "f: line 9: the name {name} is taken by f: line {first}, expected one of its own"
            );
            assert_eq!(format!("{:#}", failed.error), rendered);
        }
        assert_eq!(names.add("c", Place::File).unwrap(), 4);
        assert_eq!(names.number("ab").map(|it| names.place_of(it)), Some(&line(3)));
        assert_eq!((names.number("c"), names.number("abc")), (Some(4), None));
        assert_eq!(names.place_of(4), &Place::File);
        let rendered = names.add("c", Place::File).unwrap_err().error;
        assert_eq!(
            format!("{rendered:#}"),
            "the name c is taken by a file, expected one of its own"
        );
        assert_eq!((names.len(), names.get(1), names.get(2), names.get(4)), (5, "", "ab", "c"));
    }

    #[test]
    fn each_name_is_taken_once() {
        check::<RandomState>();
    }

    #[test]
    fn names_with_one_hash_are_told_apart() {
        check::<BuildHasherDefault<Same>>();
    }
}
