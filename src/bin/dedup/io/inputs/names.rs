//! The names of texts, no two the same.

use std::collections::HashMap;
use std::fmt;
use std::hash::BuildHasher;

use foldhash::fast::RandomState;

use super::source::{Failed, Place, name_of_line};
use crate::diagnostics::Diagnostic;

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
    /// Adds a name, and tells its number: how many came before it.
    ///
    /// # Errors
    ///
    /// Where another text has the name.
    pub(crate) fn add(&mut self, name: &str, place: Place) -> Result<usize, Failed> {
        let mut key = self.salt.hash_one(name);
        while let Some(first) = self.known.get(&key) {
            if self.get(*first) == name {
                let first = match &self.places[*first] {
                    Place::File => "a file".to_owned(),
                    Place::Line { file, number, .. } => name_of_line(file, *number),
                };
                let message = format!("the name {name} is taken by {first}, wanted one of its own");
                let error = Diagnostic::new(message)
                    .kind("name")
                    .hint("--id FIELD names by another field")
                    .into();
                return Err(match place {
                    Place::File => Failed { name: name.to_owned(), error, is_whole_file: true },
                    Place::Line { file, number, .. } => Failed::of_line(&file, number, error),
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
    /// Where there are not so many.
    pub(crate) fn get(&self, number: usize) -> &str {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.written[start..self.ends[number]]
    }

    /// Where the text of a name was come by; none where there is no such name.
    pub(crate) fn place(&self, name: &str) -> Option<&Place> {
        let mut key = self.salt.hash_one(name);
        while let Some(number) = self.known.get(&key) {
            if self.get(*number) == name {
                return self.places.get(*number);
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
        let line = |number| Place::Line { file: Path::new("f").into(), number, start: 9 * number };
        for (number, name) in ["a", "", "ab", "b"].into_iter().enumerate() {
            assert_eq!(names.add(name, line(number as u64 + 1)).unwrap(), number, "{name}");
        }
        for (name, first) in [("a", 1), ("", 2), ("ab", 3), ("b", 4)] {
            let failed = names.add(name, line(9)).unwrap_err();
            let told = format!(
                "f: line 9: the name {name} is taken by f: line {first}, wanted one of its own"
            );
            assert_eq!(format!("{:#}", failed.error), told);
        }
        assert_eq!(names.add("c", Place::File).unwrap(), 4);
        assert_eq!(names.place("ab"), Some(&line(3)));
        assert_eq!((names.place("c"), names.place("abc")), (Some(&Place::File), None));
        let told = names.add("c", Place::File).unwrap_err().error;
        assert_eq!(format!("{told:#}"), "the name c is taken by a file, wanted one of its own");
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
