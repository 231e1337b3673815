//! Tests of what is known about classes before their texts are examined.

use super::*;

const ANY: Place = Place { group: None, side: Side::Any };
const NEW: Place = Place { group: None, side: Side::New };
const OLD: Place = Place { group: None, side: Side::Old };

const fn in_group(group: u32, place: Place) -> Place {
    Place { group: Some(group), ..place }
}

/// Returns the classes of texts with these sets, at these places.
fn classes(texts: &[(u64, Place)]) -> (Collection, Classes) {
    let made = |(residue, place): &(u64, Place)| {
        let set = vec![*residue];
        Made { all: set.clone(), longest: set, place: *place, ..Made::default() }
    };
    let collection = collection(&texts.iter().map(made).collect::<Vec<_>>(), 3);
    let classes = Classes::new(&collection);
    (collection, classes)
}

#[test]
fn classes_are_looked_at_where_some_of_their_texts_may_face() {
    #[rustfmt::skip]
    let table: &[(&str, &[Place], &[Place], bool)] = &[
        ("no group, no side",        &[ANY],                 &[ANY],          true),
        ("one group",                &[in_group(1, ANY)],          &[in_group(1, ANY)],   false),
        ("two groups",               &[in_group(1, ANY)],          &[in_group(2, ANY)],   true),
        ("a group and none",         &[in_group(1, ANY)],          &[ANY],          true),
        ("one group among others",   &[in_group(1, ANY), in_group(2, ANY)], &[in_group(1, ANY)], true),
        ("one group among none",     &[in_group(1, ANY), ANY],     &[in_group(1, ANY)],   true),
        ("new only",                 &[NEW, NEW],            &[NEW],          false),
        ("old only",                 &[OLD],                 &[OLD, OLD],     false),
        ("new and old",              &[NEW],                 &[OLD],          true),
        ("new and any",              &[NEW],                 &[ANY],          true),
        ("old and any",              &[OLD],                 &[ANY],          true),
        ("new among old",            &[NEW, OLD],            &[NEW],          true),
        ("old among new",            &[NEW, OLD],            &[OLD],          true),
        ("any among new",            &[NEW, ANY],            &[NEW],          true),
        ("any among old",            &[ANY, OLD],            &[OLD],          true),
        ("new and old of one group", &[in_group(1, NEW)],          &[in_group(1, OLD)],   false),
    ];
    for (why, left, right, want) in table {
        let side =
            |residue, places: &[Place]| places.iter().map(move |it| (residue, *it)).collect();
        let texts: [Vec<_>; 2] = [side(1, left), side(2, right)];
        let (_, classes) = classes(&texts.concat());
        assert_eq!(classes.may_face(0, 1), *want, "{why}");
        assert_eq!(classes.may_face(1, 0), *want, "{why}, turned round");
    }
}

#[test]
fn there_is_no_class_where_there_is_no_text() {
    for (texts, want) in [(&[][..], 0), (&[(1, ANY)], 1), (&[(1, ANY), (1, ANY), (2, ANY)], 2)] {
        let (collection, classes) = classes(texts);
        assert_eq!(classes.len(), want);
        assert_eq!((collection.len(), collection.is_empty()), (texts.len(), texts.is_empty()));
    }
}
