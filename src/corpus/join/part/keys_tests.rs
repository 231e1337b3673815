use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;

use super::tests::counts as counted;
use super::*;
use crate::hamming;
use crate::jaccard::Overlap;

/// The filters that are applied.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Filters {
    /// Those that the module describes.
    All,
    /// Also requires that each key is followed by enough residues, before keys are counted: the
    /// usual mistake.
    Overdone,
    /// The filters of the integrations, with this many more keys than necessary.
    Few(usize),
}

/// Generates sets with few residues each, in few slots; some sets are similar.
fn sets() -> impl Strategy<Value = Vec<Vec<u64>>> {
    let set = btree_set((0_u64..24, 0_u64..3), 1..20);
    let near = (any::<prop::sample::Index>(), btree_set((0_u64..24, 0_u64..3), 0..4));
    (vec(set, 1..8), vec(near, 0..8)).prop_map(|(mut sets, near)| {
        for (at, changed) in near {
            let old = at.get(&sets);
            let set = old.symmetric_difference(&changed).copied().collect::<BTreeSet<_>>();
            sets.push(set);
        }
        sets.retain(|set| !set.is_empty());
        let residue = |(slot, low): &(u64, u64)| slot << 48 | low;
        sets.iter().map(|set| set.iter().map(residue).collect()).collect()
    })
}

/// Does what an engine does: joins on keys, filters, counts, filters again, and counts the shared
/// residues.
fn joined(
    sets: &[Vec<u64>],
    counts: &Counts,
    known: Known,
    (numerator, denominator): (usize, usize),
    filters: Filters,
) -> BTreeSet<(usize, usize)> {
    let typed = LIMITS.iter().position(|limit| *limit == (numerator, denominator)).unwrap();
    let limit = Limit::new(["0.5", "0.25", "0.8", "1", "0.1", "0.375"][typed].parse().unwrap());
    let keys: Vec<Keys> = sets.iter().map(|set| keys(set, counts, known, Some(limit))).collect();
    let mut by_key: BTreeMap<u64, Vec<(usize, usize)>> = BTreeMap::new();
    for (text, keys) in keys.iter().enumerate() {
        for (residue, place) in &keys.keys {
            by_key.entry(*residue).or_default().push((text, *place));
        }
    }
    let required = |size: usize| (numerator * size).div_ceil(denominator);
    let mut rows: BTreeMap<(usize, usize), Vec<(usize, usize)>> = BTreeMap::new();
    for texts in by_key.values() {
        for (one, p) in texts {
            for (other, q) in texts {
                let (a, b) = (sets[*one].len(), sets[*other].len());
                if (a, one) < (b, other) && a >= required(b) {
                    rows.entry((*one, *other)).or_default().push((*p, *q));
                }
            }
        }
    }
    let mut found = BTreeSet::new();
    for ((one, other), mut rows) in rows {
        let (a, b) = (sets[one].len(), sets[other].len());
        let need = (numerator * (a + b)).div_ceil(numerator + denominator);
        rows.retain(|(p, q)| {
            let behind = (a - p).min(b - q);
            match filters {
                Filters::All => p.min(q) + behind >= need,
                Filters::Overdone => behind >= need,
                Filters::Few(more) => {
                    let least_need = (2 * numerator * a).div_ceil(numerator + denominator);
                    let is_small = p + least_need <= a + more;
                    is_small && p + need <= a + more && q + need <= b + more
                }
            }
        });
        let (p, q) = (rows.iter().map(|row| row.0).min(), rows.iter().map(|row| row.1).min());
        let Some((p, q)) = p.zip(q) else { continue };
        let behind = match filters {
            Filters::Few(more) => need.saturating_sub(more).max(required(a)).max(required(b)),
            _ => required(a).max(required(b)),
        };
        let enough = rows.len() + behind > need && (a - p).min(b - q) >= need;
        let shared = Overlap::new(&keys[one].shared, &keys[other].shared).shared;
        if enough && shared >= need {
            found.insert((one.min(other), one.max(other)));
        }
    }
    found
}

/// Returns the pairs that reach a limit, by definition.
fn plain(sets: &[Vec<u64>], (numerator, denominator): (usize, usize)) -> BTreeSet<(usize, usize)> {
    let mut found = BTreeSet::new();
    for one in 0..sets.len() {
        for other in one + 1..sets.len() {
            let overlap = Overlap::new(&sets[one], &sets[other]);
            if overlap.shared * denominator >= numerator * overlap.union() {
                found.insert((one, other));
            }
        }
    }
    found
}

const LIMITS: [(usize, usize); 6] = [(1, 2), (1, 4), (4, 5), (1, 1), (1, 10), (3, 8)];

proptest! {
    #[test]
    fn no_filter_loses_a_pair(sets in sets(), limit in prop::sample::select(LIMITS.to_vec())) {
        let found = joined(&sets, &counted(&sets), Known::All, limit, Filters::All);
        prop_assert_eq!(found, plain(&sets, limit));
    }

    #[test]
    fn fewer_keys_lose_no_pair(
        sets in sets(),
        limit in prop::sample::select(LIMITS.to_vec()),
        more in 0_usize..5,
    ) {
        let found = joined(&sets, &counted(&sets), Known::All, limit, Filters::Few(more));
        prop_assert_eq!(found, plain(&sets, limit));
    }

    #[test]
    fn pairs_are_found_whatever_order_was_counted(
        sets in sets(),
        others in sets(),
        limit in prop::sample::select(LIMITS.to_vec()),
    ) {
        let found = joined(&sets, &counted(&others), Known::Some, limit, Filters::All);
        prop_assert_eq!(found, plain(&sets, limit));
    }

    #[test]
    fn near_fingerprints_share_a_block(
        one: u64,
        bits in vec(0_u32..64, 0..7),
        texts in prop::sample::select(vec![10, 1 << 30]),
    ) {
        let other = bits.iter().fold(one, |other, bit| other ^ 1 << bit);
        let max_distance = hamming::distance(Fingerprint(one), Fingerprint(other));
        let [one, other] = [one, other].map(|it| blocks(Fingerprint(it), max_distance, texts));
        prop_assert!(one.iter().zip(&other).any(|(one, other)| one == other));
    }
}

/// Two sets of 12 share 8 residues, as many as they must, after 4 of their own. Of the 7 keys of
/// each, three are shared, and 3 + 6 − 1 is enough. Only the first shared key has 8 residues from
/// its position on.
#[test]
fn the_usual_filter_would_lose_a_pair() {
    let set = |own: std::ops::Range<u64>| (1..9).chain(own).map(|slot| slot << 48).collect();
    let sets: [Vec<u64>; 2] = [set(20..24), set(10..14)];
    let find = |filters| joined(&sets, &counted(&sets), Known::Some, (1, 2), filters);
    assert_eq!(find(Filters::All), BTreeSet::from([(0, 1)]));
    assert_eq!(find(Filters::Overdone), BTreeSet::new());
}

#[test]
fn keys_are_the_rarest_with_their_places() {
    let slot = |slot: u64| slot << 48;
    let (a, b, c, d) = (slot(1), slot(2), slot(3), slot(4));
    let mut counts = Counts::new(16).unwrap();
    for set in [vec![a, b, c, d], vec![a, c], vec![a]] {
        counts.add(&set);
    }
    let [half, whole] = ["0.5", "1"].map(|limit| Limit::new(limit.parse().unwrap()));
    let set = [a, b, c, d];
    // By count, b and d have 1, c has 2, and a has 3; n − ⌈n / 2⌉ + 1 = 3 of them are keys.
    #[rustfmt::skip]
    let table: &[(&str, &[u64], Known, Option<Limit>, &[(u64, usize)], &[u64], bool)] = &[
        ("ones left out",     &set,       Known::All,  Some(half),       &[(c, 2)],                 &[a, c],       false),
        ("ones may be two",   &set,       Known::Some, Some(half),       &[(b, 0), (d, 1), (c, 2)], &[a, b, c, d], false),
        ("all must be there", &set,       Known::Some, Some(whole),      &[(b, 0)],                 &[a, b, c, d], false),
        ("no limit",          &set,       Known::Some, None,             &[],                       &[a, b, c, d], false),
        ("one residue",       &[a],       Known::All,  Some(half),       &[(a, 0)],                 &[a],          false),
        ("none",              &[],        Known::All,  Some(half),       &[],                       &[],           false),
        ("not counted",       &[slot(9)], Known::All,  Some(half),       &[],                       &[],           true),
        ("perhaps counted",   &[slot(9)], Known::Some, Some(half),       &[(slot(9), 0)],           &[slot(9)],    false),
    ];
    for (why, set, known, limit, want, shared, has_uncounted_key) in table {
        let want = Keys {
            keys: want.to_vec(),
            shared: shared.to_vec(),
            has_uncounted_key: *has_uncounted_key,
        };
        assert_eq!(keys(set, &counts, *known, *limit), want, "{why}");
    }
}

#[test]
fn blocks_are_as_many_as_the_choices() {
    let texts = |power: u32| 1_u64 << power;
    #[rustfmt::skip]
    let table = [
        ("equal ones",    0, texts(1),  1,  64),
        ("usual",         3, texts(25), 10, 26),
        ("many texts",    3, texts(26), 20, 33),
        ("the most bits", 7, texts(1),  36, 15),
    ];
    for (why, max_distance, texts, count, widest) in table {
        assert_eq!(blocks(Fingerprint(9), max_distance, texts).len(), count, "{why}");
        let stretches = max_distance + if texts < 1 << 26 { 2 } else { 3 };
        let masks: Vec<u64> = masks(stretches, stretches - max_distance).collect();
        assert_eq!(masks.iter().map(|mask| mask.count_ones()).max(), Some(widest), "{why}");
    }
    assert!(blocks(Fingerprint(9), 8, 1).is_empty());
}

/// SplitMix64 starting from 1234567, as computed by its authors' C program (Vigna 2015).
#[test]
fn a_block_is_mixed_with_its_number_as_published() {
    let mixed = [1, 2, 3, 4, 5].map(|number| mixed(1_234_567, number));
    assert_eq!(
        mixed,
        [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ]
    );
}
