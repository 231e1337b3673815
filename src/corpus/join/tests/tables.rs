//! Small cases computed by hand.

use super::*;
use crate::verdict::ratio::Ratio;

fn text(all: &[u64], longest: &[u64]) -> Made {
    Made { all: all.to_vec(), longest: longest.to_vec(), ..Made::default() }
}

fn numbers(pairs: impl Iterator<Item = Pair>) -> Vec<(u32, u32)> {
    pairs.map(|pair| (pair.a, pair.b)).collect()
}

const OFF: Condition = Condition { hamming: None, jaccard: None, containment: None };

fn two_thirds(typed: &str) -> Option<Limit> {
    typed.parse().ok().map(Limit::two_thirds_of)
}

/// Texts 0 and 1 share 2 of 4 residues, and 0 and 2 share 1 of 5; 3 equals 0; 4 is empty; 5 has no
/// longest shingles. The bits of the fingerprints are those of the residues.
fn six() -> Vec<Made> {
    vec![
        text(&[1, 2, 3], &[1, 2]),
        text(&[2, 3, 4], &[2, 4]),
        text(&[3, 5, 6], &[3, 5, 6]),
        text(&[1, 2, 3], &[1, 2]),
        text(&[], &[]),
        text(&[6], &[]),
    ]
}

#[test]
fn each_limit_has_its_pairs() {
    let every = [(0, 1), (0, 2), (0, 3), (0, 5), (1, 2), (1, 3), (1, 5), (2, 3), (2, 5), (3, 5)];
    #[rustfmt::skip]
    let table: &[(&str, Condition, &[(u32, u32)])] = &[
        ("all off",               OFF,                                           &[]),
        ("Jaccard reached",       Condition { jaccard: limit("0.5"), ..OFF },    &[(0, 1), (0, 3), (1, 3)]),
        ("just not",              Condition { jaccard: limit("0.500000000000000001"), ..OFF }, &[(0, 3)]),
        ("two thirds reached",    Condition { jaccard: two_thirds("0.75"), ..OFF }, &[(0, 1), (0, 3), (1, 3)]),
        ("a third",               Condition { jaccard: limit("0.3"), ..OFF },    &[(0, 1), (0, 3), (1, 3), (2, 5)]),
        ("all of it",             Condition { jaccard: limit("1"), ..OFF },      &[(0, 3)]),
        ("none of it",            Condition { jaccard: limit("0"), ..OFF },      &every),
        ("equal fingerprints",    Condition { hamming: Some(0), ..OFF },         &[(0, 3)]),
        ("two bits",              Condition { hamming: Some(2), ..OFF },         &[(0, 1), (0, 3), (1, 3), (2, 5)]),
        ("all bits",              Condition { hamming: Some(64), ..OFF },        &every),
        ("either",                Condition { hamming: Some(2), jaccard: limit("1"), ..OFF }, &[(0, 1), (0, 3), (1, 3), (2, 5)]),
    ];
    for (why, condition, want) in table {
        let collection = collection(&six(), 3);
        let found = numbers(join(&collection, condition, threads(2)).unwrap().pairs());
        assert_eq!(found, *want, "{why}");
    }
}

#[test]
fn a_containment_counts_from_three_shared_on() {
    let set = |longest: &[u64]| text(longest, longest);
    // Texts 0 and 1 share 3 of 6 and 8 residues, 3 is contained in both, and 2 shares only 2.
    let texts = [
        set(&[1, 2, 3, 4, 5, 6]),
        set(&[1, 2, 3, 7, 8, 9, 10, 11]),
        set(&[1, 2, 12]),
        set(&[1, 2, 3]),
    ];
    #[rustfmt::skip]
    let table: &[(&str, &str, &[(u32, u32)])] = &[
        ("by half",    "0.5",                  &[(0, 1), (0, 3), (1, 3)]),
        ("just more",  "0.500000000000000001", &[(0, 3), (1, 3)]),
        ("as a whole", "1",                    &[(0, 3), (1, 3)]),
        ("or not",     "0",                    &[(0, 1), (0, 3), (1, 3)]),
    ];
    for (why, containment, want) in table {
        for sizes in [1, 3] {
            let collection = collection(&texts, sizes);
            let condition = Condition { containment: limit(containment), ..OFF };
            let found = numbers(join(&collection, &condition, threads(2)).unwrap().pairs());
            assert_eq!(found, *want, "{why}, sizes to {sizes}");
        }
    }
}

#[test]
fn a_pair_has_its_figures() {
    let collection = collection(&six(), 3);
    let condition = Condition { jaccard: limit("0.5"), ..OFF };
    let pair = join(&collection, &condition, threads(1)).unwrap().pairs().next();
    let want = Pair {
        a: 0,
        b: 1,
        hamming: 2,
        all: Overlap { shared: 2, left: 3, right: 3 },
        longest: Overlap { shared: 1, left: 2, right: 2 },
    };
    assert_eq!(pair, Some(want));
}

#[test]
fn places_keep_texts_apart() {
    let group = |group| Place { group: Some(group), ..Place::default() };
    let side = |side| Place { group: None, side };
    let (any, new, old) = (Place::default(), side(Side::New), side(Side::Old));
    let new_of = |group| Place { group: Some(group), side: Side::New };
    let old_of = |group| Place { group: Some(group), side: Side::Old };
    #[rustfmt::skip]
    let table: &[(&str, [Place; 4], &[(u32, u32)])] = &[
        ("nothing",          [any, any, any, any],   &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]),
        ("one group",        [group(1), group(1), group(1), group(1)], &[]),
        ("two groups",       [group(1), group(2), group(1), group(2)], &[(0, 1), (0, 3), (1, 2), (2, 3)]),
        ("one of no group",  [group(1), any, group(1), group(1)],      &[(0, 1), (1, 2), (1, 3)]),
        ("new against old",  [old, new, new, old],   &[(0, 1), (0, 2), (1, 3), (2, 3)]),
        ("new only",         [new, new, new, new],   &[]),
        ("both",             [new_of(1), old_of(1), new_of(2), old_of(2)], &[(0, 3), (1, 2)]),
    ];
    for (why, places, want) in table {
        // The last text belongs to another class.
        let texts: Vec<Made> = (0..)
            .zip(places)
            .map(|(at, place)| Made {
                place: *place,
                ..text(if at == 3 { &[1, 2, 3, 4] } else { &[1, 2, 3] }, &[])
            })
            .collect();
        let collection = collection(&texts, 3);
        let joined =
            join(&collection, &Condition { jaccard: limit("0.5"), ..OFF }, threads(1)).unwrap();
        assert_eq!(numbers(joined.pairs()), *want, "{why}");
    }
}

#[test]
fn many_copies_cost_no_pair_until_one_is_asked_for() {
    let texts = vec![text(&[1, 2, 3], &[3]); 50_000];
    let collection = collection(&texts, 3);
    let condition = Condition { hamming: Some(3), jaccard: limit("0.5"), containment: limit("0") };
    let joined = join(&collection, &condition, threads(1)).unwrap();
    assert_eq!(joined.classes.len(), 1);
    assert_eq!(numbers(joined.pairs().take(2)), [(0, 1), (0, 2)]);
    let clusters = joined.clusters();
    assert_eq!(clusters.len(), 1);
    assert_eq!((clusters[0].members.len(), clusters[0].links.len()), (50_000, 49_999));
    let advance = Advance::default();
    let nearest = nearest_watched(&collection, NonZeroUsize::MIN, threads(1), &advance).unwrap();
    assert_eq!((nearest[0][0].b, nearest[49_999][0].a), (1, 0));
}

#[test]
fn a_level_asks_for_what_its_verdicts_do() {
    let limits = Limits::default();
    let off = Limits::OFF;
    let half: Option<Ratio> = "0.5".parse().ok();
    let both = half.map(Limit::new);
    #[rustfmt::skip]
    let table = [
        ("identical",         Verdict::Identical,     limits, OFF),
        ("near-duplicate",    Verdict::NearDuplicate, limits, Condition { hamming: Some(3), jaccard: both, ..OFF }),
        ("partial",           Verdict::Partial,       limits, Condition { hamming: Some(3), jaccard: two_thirds("0.12"), ..OFF }),
        ("excerpt",           Verdict::Excerpt,       limits, Condition { hamming: Some(3), jaccard: two_thirds("0.12"), ..OFF }),
        ("no limit of a part", Verdict::Partial, Limits { partial_jaccard: None, ..limits }, Condition { hamming: Some(3), jaccard: both, ..OFF }),
        ("different",         Verdict::Different,     limits, Condition { jaccard: Some(Limit::NONE), ..OFF }),
        ("all off, but identical",  Verdict::NearDuplicate, off, OFF),
        ("containment alone",  Verdict::Partial, Limits { containment: half, ..off }, Condition { containment: both, ..OFF }),
        ("Hamming alone",      Verdict::Partial, Limits { hamming: Some(3), ..off }, Condition { hamming: Some(3), ..OFF }),
    ];
    for (why, level, limits, want) in table {
        assert_eq!(Condition::at(level, &limits, 0), want, "{why}");
    }
    let of_shortest = |words| Condition::at(Verdict::Partial, &limits, words).jaccard;
    let whole: Option<Ratio> = "0.12".parse().ok();
    assert_eq!([99, 100].map(of_shortest), [two_thirds("0.12"), whole.map(Limit::new)]);
}
