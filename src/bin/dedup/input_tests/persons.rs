//! Invariants of lists of persons.

use super::check;
use crate::io::inputs::course::Course;
use crate::model::persons::Time;

#[test]
fn a_list_of_persons_is_read_or_its_line_is_named() {
    check("persons", 1, persons);
}

/// Checks that a list is read, or that the error names its line, and that the time of each person
/// that is found is parsed again from its printed form.
fn persons(bytes: &[u8]) {
    let mut list = match Course::read("x.csv", bytes) {
        Ok(list) => list,
        Err(error) => {
            assert!(error.to_string().starts_with("x.csv: line "), "{error}");
            return;
        }
    };
    assert!(list.len() < bytes.len(), "a row takes a byte");
    let text = String::from_utf8_lossy(bytes);
    for name in text.split([',', ';', '\t', '\n', '\r', '"']) {
        let Some(person) = list.find([(name, "x")]) else { continue };
        assert!(!person.id.is_empty());
        if let Some(time) = &person.submitted {
            assert_eq!(Time::parse(&time.iso()).as_ref(), Some(time));
            // Of two texts of one day, without a time of day, neither is known to be later.
            let has_clock = time.iso().contains('T');
            assert_eq!(time.is_later(time), has_clock.then_some(false));
        }
    }
}
