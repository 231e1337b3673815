//! The persons who submitted the texts.

use std::collections::BTreeMap;
use std::sync::Arc;

use dedup_text::text::Text;
use dedup_text::text::properties::is_generic_name;

use super::name_of;
use super::time::Time;

/// A person who submitted a text.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Person {
    /// The id in the list. In a list of files, the name of the person, or the file if there is no
    /// name.
    pub(crate) id: String,
    pub(crate) name: Option<String>,
    /// The group. Texts of one group are not compared with each other.
    pub(crate) group: Option<String>,
    pub(crate) submitted: Option<Time>,
}

/// The persons who submitted the texts, by the names of the texts.
#[derive(Debug, Default)]
pub(crate) struct Persons {
    known: BTreeMap<String, Arc<Person>>,
    /// The name that is shown for each text: that of the person, followed by the text's own name if
    /// the person has several texts.
    shown: BTreeMap<String, String>,
}

impl Persons {
    /// Returns the persons of a list. `known` has, for each text by its name, the person who
    /// submitted it and whether the text is made of several files.
    pub(crate) fn new(known: BTreeMap<String, (Arc<Person>, bool)>) -> Self {
        let mut texts: BTreeMap<&str, usize> = BTreeMap::new();
        for (person, _) in known.values() {
            *texts.entry(&person.id).or_default() += 1;
        }
        let mut shown: BTreeMap<String, String> = BTreeMap::new();
        for (name, (person, is_unit)) in &known {
            let Some(of_person) = &person.name else { continue };
            let own = name.rsplit_once('/').map_or(name.as_str(), |(_, own)| own);
            let is_one = *is_unit || texts.get(person.id.as_str()) == Some(&1);
            let one = if is_one { of_person.clone() } else { format!("{of_person}/{own}") };
            shown.insert(name.clone(), one);
        }
        let mut count: BTreeMap<String, usize> = BTreeMap::new();
        for name in shown.values() {
            *count.entry(name.clone()).or_default() += 1;
        }
        for (name, shown) in &mut shown {
            if count.get(shown).is_some_and(|count| *count > 1) {
                *shown = format!("{shown} ({name})");
            }
        }
        let known = known.into_iter().map(|(name, (person, _))| (name, person)).collect();
        Self { known, shown }
    }

    /// Returns the person who submitted a text; `None` if there is no list or it does not name one.
    pub(crate) fn of(&self, text: &Text) -> Option<&Person> {
        if self.known.is_empty() {
            return None;
        }
        self.known.get(&name_of(text.path())).map(AsRef::as_ref)
    }

    /// Returns the name that is shown for a text; `None` if that is its own name.
    pub(crate) fn shown(&self, text: &Text) -> Option<&str> {
        if self.shown.is_empty() {
            return None;
        }
        self.shown.get(&name_of(text.path())).map(String::as_str)
    }
}

/// Returns the names that a person may have in a list: with the number of the platform, the number
/// alone, and without it.
pub(crate) fn ids(person: &str) -> [&str; 3] {
    match person.rsplit_once(' ').filter(|(_, number)| is_number(number)) {
        Some((name, number)) => [person, number, name],
        None => [person; 3],
    }
}

/// Reports whether a person is known by more than an id such as `amuster` or `Participant 300`: the
/// name has several words, as in Moodle, or the number of Canvas, and is not generic.
pub(crate) fn is_full_name(person: &str) -> bool {
    let [_, _, name] = ids(person);
    let is_id = name.contains(char::is_numeric) || is_generic_name(name);
    person.contains(' ') && !is_id
}

/// Reports whether a text consists of digits, at least one.
pub(crate) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_not_a_full_name() {
        for (person, want) in [
            ("Anna Muster", true),
            ("Anna Muster 12", true),
            ("musteranna 12", true),
            ("amuster", false),
            ("ab12345", false),
            ("1000", false),
            ("Participant 300", false),
            ("Participant 300 1234", false),
            ("Teilnehmer_in 300 1234", false),
            ("", false),
        ] {
            assert_eq!(is_full_name(person), want, "{person}");
        }
    }
}
