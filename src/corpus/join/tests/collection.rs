//! Tests of how a collection stores and numbers the texts that are added.

use std::path::PathBuf;

use super::*;
use crate::shingles;
use crate::sketch::Sketch;

fn sketch(stems: &str, ngrams: Ngrams) -> Sketch {
    let count = stems.split_whitespace().count();
    let stems = stems.split_whitespace().collect();
    Sketch::new(count, count, shingles::cut(&stems, ngrams))
}

#[test]
fn texts_are_numbered_and_keep_what_they_came_with() {
    for (min, max) in [(1, 2), (2, 2)] {
        let ngrams = Ngrams::new(min, max).unwrap();
        let mut collection = Collection::new(ngrams);
        for (number, stems) in (0..).zip(["a b a", "b c", "a"]) {
            let sketch = sketch(stems, ngrams);
            let place = Place { group: Some(number), side: Side::New };
            assert_eq!(collection.push(&SketchKeys::new(&sketch, ngrams), place), Some(number));
            assert_eq!(collection.all(number), sketch.shingles.all().keys());
            assert_eq!(collection.longest(number), sketch.shingles.longest().keys());
            assert_eq!(collection.fingerprint(number), sketch.fingerprint);
            assert_eq!(collection.place(number), place);
        }
    }
}

#[test]
fn texts_of_another_collection_are_added_at_new_places() {
    for ngrams in [Ngrams::new(2, 2), Ngrams::new(1, 2)].map(Option::unwrap) {
        let of = |place: Place| {
            let mut collection = Collection::new(ngrams);
            for stems in ["a b a", "b c", "a"] {
                collection.push(&SketchKeys::new(&sketch(stems, ngrams), ngrams), place);
            }
            collection
        };
        let (others, place) = (of(Place::default()), Place { group: Some(5), side: Side::Old });
        let mut collection = Collection::new(ngrams);
        let numbers = [0, 1, 2].map(|text| collection.push_from(&others, text, place));
        assert_eq!(numbers, [0, 1, 2].map(Some));
        assert_eq!(collection, of(place));
    }
}

/// With n-grams of one and two stems, "a b" has three shingles, one of them of the greatest size.
#[test]
fn a_collection_is_stored_once_it_exceeds_the_memory() {
    let ngrams = Ngrams::new(1, 2).unwrap();
    let keys = SketchKeys::new(&sketch("a b", ngrams), ngrams);
    for (bytes, stored) in [(2 * (700 + 4 * 14), false), (2 * (700 + 4 * 14) - 1, true)] {
        let memory = Memory { bytes, folder: std::env::temp_dir() };
        let mut collection = Collection::new(ngrams).within(memory);
        collection.push(&keys, Place::default());
        assert!(collection.all.file().is_none());
        collection.push(&keys, Place::default());
        assert_eq!(collection.all.file().is_some(), stored, "{bytes} bytes");
    }
}

#[test]
fn a_collection_that_cannot_be_stored_is_reported() {
    let folder = PathBuf::from("no such folder");
    for ngrams in [Ngrams::new(1, 1), Ngrams::new(1, 2)].map(Option::unwrap) {
        let memory = Memory { bytes: 0, folder: folder.clone() };
        let mut collection = Collection::new(ngrams).within(memory);
        assert!(collection.check().is_ok(), "nothing is stored yet");
        collection.push(&SketchKeys::new(&sketch("a b", ngrams), ngrams), Place::default());
        assert_eq!(collection.check().unwrap_err().folder, folder);
    }
}

#[test]
fn texts_with_one_number_are_of_one_class() {
    let mut collection = Collection::new(Ngrams::default());
    for (number, it) in (0..).zip([7, 9, 7]) {
        assert_eq!(collection.push_number(it, Place::default()), Some(number));
    }
    let classes = Classes::new(&collection);
    assert_eq!([0, 1, 2].map(|text| classes.of_text(text)), [0, 1, 0]);
}

#[test]
fn another_order_moves_all_of_a_text() {
    let ngrams = Ngrams::new(1, 2).unwrap();
    let of = |order: &[&str]| {
        let mut collection = Collection::new(ngrams);
        for stems in order {
            let group = u32::try_from(stems.len()).ok();
            let keys = SketchKeys::new(&sketch(stems, ngrams), ngrams);
            collection.push(&keys, Place { group, ..Place::default() });
        }
        collection
    };
    assert_eq!(of(&["a b a", "b c", "a"]).reordered(&[2, 0, 1]), of(&["a", "a b a", "b c"]));
}
