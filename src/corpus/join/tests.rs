//! Compares the join with a naive twin that compares every two texts by definition.

mod advance;
mod classes;
mod collection;
mod filters;
mod merge;
mod clusters;
mod keeping;
mod nearest;
mod pair_limit;
mod tables;

use std::num::NonZeroUsize;

use proptest::prelude::*;

use super::*;
use crate::jaccard::Overlap;
use crate::parallel::Advance;
use crate::parallel::ProgressSnapshot;
use crate::shingles::Ngrams;

/// A text, given by its sets, which are increasing and distinct.
#[derive(Clone, Debug, Default)]
struct Made {
    all: Vec<u64>,
    longest: Vec<u64>,
    place: Place,
    variety: Variety,
    /// A number that is equal for texts with the same words; `None` if no other text has them.
    words: Option<u32>,
}

impl Made {
    /// Returns a fingerprint that is near for similar sets, and equal for equal ones: each residue
    /// flips one bit.
    fn fingerprint(&self) -> u64 {
        self.all.iter().fold(0, |bits, residue| bits ^ 1 << (residue % 64))
    }
}

/// Joins texts with different words whose sets are evidence, without a limit on the number of pairs.
fn join<'a>(
    collection: &'a Collection,
    condition: &Condition,
    threads: NonZeroUsize,
) -> Result<Joined<'a>, JoinError> {
    join_texts(&vec![Made::default(); collection.len()], collection, condition, threads)
}

/// Joins texts, which the collection has the sets of.
fn join_texts<'a>(
    texts: &[Made],
    collection: &'a Collection,
    condition: &Condition,
    threads: NonZeroUsize,
) -> Result<Joined<'a>, JoinError> {
    let watch = Watch { threads, advance: &Advance::default() };
    join_limited(texts, collection, condition, usize::MAX, watch)
}

fn join_limited<'a>(
    texts: &[Made],
    collection: &'a Collection,
    condition: &Condition,
    max_pairs: usize,
    watch: Watch,
) -> Result<Joined<'a>, JoinError> {
    let words = words(texts);
    let traits = Traits {
        words: words.clone(),
        varieties: texts.iter().map(|text| text.variety).collect(),
        confirm: &|a, b| is_confirmed(words[a[0] as usize], words[b[0] as usize]),
    };
    join_at_most(collection, &traits, condition, max_pairs, watch)
}

/// Returns a number for each text, equal for texts with the same words.
fn words(texts: &[Made]) -> Vec<u32> {
    texts.iter().zip(100..).map(|(text, own)| text.words.unwrap_or(own)).collect()
}

/// Reports whether repetitive texts are confirmed as pairs, which depends on their words only.
fn is_confirmed(left: u32, right: u32) -> Option<bool> {
    [Some(true), Some(false), None].get((left + right) as usize % 3).copied().flatten()
}

fn collection(texts: &[Made], sizes: usize) -> Collection {
    add_to(Collection::new(Ngrams::new(1, sizes).unwrap()), texts)
}

fn add_to(mut collection: Collection, texts: &[Made]) -> Collection {
    for text in texts {
        let sets = (&text.all[..], &text.longest[..]);
        collection.add(sets, text.fingerprint(), text.place);
    }
    collection
}

/// Generates the bytes of memory for small collections: 0, so that all sets are in a file and each
/// is indexed alone; some, so that they are moved there on the way; or no limit.
fn memory() -> impl Strategy<Value = Option<u64>> {
    prop_oneof![Just(None), Just(Some(0)), (0_u64..60_000).prop_map(Some)]
}

fn within(memory: Option<u64>, texts: &[Made], sizes: usize) -> Collection {
    let mut collection = Collection::new(Ngrams::new(1, sizes).unwrap());
    if let Some(bytes) = memory {
        collection = collection.within(Memory { bytes, folder: std::env::temp_dir() });
    }
    add_to(collection, texts)
}

/// Returns all pairs of texts with the same words, or for which a condition holds and whose sets are
/// evidence, by definition.
fn plain(texts: &[Made], condition: &Condition) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let words = words(texts);
    for (a, left) in (0..).zip(texts) {
        for (b, right) in (0..).zip(texts).skip(a as usize + 1) {
            let all = Overlap::new(&left.all, &right.all);
            let longest = Overlap::new(&left.longest, &right.longest);
            let hamming = (left.fingerprint() ^ right.fingerprint()).count_ones();
            let reached = |limit: Option<Limit>, share| {
                limit.zip(share).is_some_and(|(limit, share)| limit.is_reached_by(share))
            };
            let has_fingerprints = !left.all.is_empty() && !right.all.is_empty();
            let holds = has_fingerprints && condition.hamming.is_some_and(|max| hamming <= max)
                || reached(condition.jaccard, all.jaccard())
                || longest.shared >= 3
                    && (reached(condition.containment, longest.containment_of_left())
                        || reached(condition.containment, longest.containment_of_right()));
            let [one, other] = [words[a as usize], words[b as usize]];
            let is_evidence = match (left.variety, right.variety) {
                (Variety::FewStems, _) | (_, Variety::FewStems) => false,
                (Variety::Repetitive, Variety::Repetitive) => {
                    is_confirmed(one, other) == Some(true)
                }
                _ => true,
            };
            let is_pair = one == other || holds && is_evidence;
            if is_pair && left.place.is_compared_with(right.place) {
                pairs.push(Pair { a, b, hamming, all, longest });
            }
        }
    }
    pairs
}

fn limit(typed: &str) -> Option<Limit> {
    typed.parse().ok().map(Limit::new)
}

fn threads(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).unwrap()
}

/// The origin of a text: new, or derived from a previous one.
#[derive(Clone, Debug)]
enum Origin {
    Fresh(Vec<u8>),
    Copy { of: usize, changed: Vec<u8> },
    Whole { of: usize, more: Vec<u8> },
    Equal { of: usize },
}

fn origins(max: usize) -> impl Strategy<Value = Vec<Origin>> {
    let members = |max| proptest::collection::vec(prop_oneof![0_u8..10, 0_u8..90], 0..max);
    let origin = prop_oneof![
        3 => members(40).prop_map(Origin::Fresh),
        3 => (any::<prop::sample::Index>(), members(6))
            .prop_map(|(of, changed)| Origin::Copy { of: of.index(64), changed }),
        1 => (any::<prop::sample::Index>(), members(30))
            .prop_map(|(of, more)| Origin::Whole { of: of.index(64), more }),
        1 => any::<prop::sample::Index>().prop_map(|of| Origin::Equal { of: of.index(64) }),
    ];
    proptest::collection::vec(origin, 0..max)
}

fn places() -> impl Strategy<Value = Vec<Place>> {
    let side = prop_oneof![Just(Side::New), Just(Side::Any), Just(Side::Old)];
    let group = proptest::option::of(0_u32..3);
    let all = prop_oneof![
        2 => proptest::collection::vec(Just(Place::default()), 1),
        1 => proptest::collection::vec(group.clone().prop_map(|group| Place { group, side: Side::Any }), 1..40),
        1 => proptest::collection::vec((group, side).prop_map(|(group, side)| Place { group, side }), 1..40),
    ];
    all
}

/// Generates texts that share much, have similar sizes, and have residues that are far apart or
/// near each other.
fn texts(max: usize) -> impl Strategy<Value = Vec<Made>> {
    let factor = prop_oneof![Just(1), Just(1 << 57), Just(0x9e37_79b9_7f4a_7c15_u64)];
    (origins(max), places(), factor, any::<bool>()).prop_map(|(origins, places, factor, odd)| {
        let mut sets: Vec<Vec<u8>> = Vec::new();
        for origin in &origins {
            let before = |of: &usize| sets.get(of % sets.len().max(1)).cloned().unwrap_or_default();
            let mut set = match origin {
                Origin::Fresh(set) => set.clone(),
                Origin::Equal { of } => before(of),
                Origin::Whole { of, more } => [before(of), more.clone()].concat(),
                Origin::Copy { of, changed } => {
                    let (mut set, old) = (before(of), changed.clone());
                    set.retain(|member| !old.contains(member));
                    set.extend(changed.iter().filter(|it| !before(of).contains(it)));
                    set
                }
            };
            set.sort_unstable();
            set.dedup();
            sets.push(set);
        }
        let made = |(at, set): (usize, &Vec<u8>)| {
            let residues = |keep: &dyn Fn(u8) -> bool| {
                let kept = set.iter().filter(|member| keep(**member));
                let mut residues: Vec<u64> =
                    kept.map(|member| u64::from(*member).wrapping_mul(factor)).collect();
                residues.sort_unstable();
                residues
            };
            // Some equal sets differ in which members are the longest.
            let shift = u8::from(odd && at % 5 == 0);
            Made {
                all: residues(&|_| true),
                longest: residues(&|member| (member + shift) % 3 != 0),
                // Some equal sets are at different places.
                place: places[at % places.len()],
                ..Made::default()
            }
        };
        sets.iter().enumerate().map(made).collect()
    })
}

/// Generates the same texts; some have few or repetitive words, or the same words as another one,
/// with equal or with different sets.
fn varied_texts(max: usize) -> impl Strategy<Value = Vec<Made>> {
    use Variety::{FewStems, Repetitive, Varied};
    let variety = prop::sample::select(vec![Varied, Varied, Varied, Repetitive, FewStems]);
    let traits = proptest::collection::vec((variety, 0_u32..9), max);
    (texts(max), traits).prop_map(|(mut texts, traits)| {
        for (text, (variety, words)) in texts.iter_mut().zip(traits) {
            let size = u32::try_from(text.all.len()).unwrap();
            text.variety = variety;
            text.words = [None, Some(size % 6), Some(words)]
                .get(words as usize / 3)
                .copied()
                .flatten()
                .filter(|_| size > 0); // an empty set has no figures
        }
        texts
    })
}

/// Changes texts to shingles of one size only, so that all are the longest.
fn of_one_size(mut texts: Vec<Made>) -> Vec<Made> {
    for text in &mut texts {
        text.longest.clone_from(&text.all);
    }
    texts
}

fn limits() -> impl Strategy<Value = Option<Limit>> {
    let typed = prop::sample::select(vec![
        "0",
        "0.000000000000000001",
        "0.1",
        "0.25",
        "0.333333333333333333",
        "0.5",
        "0.500000000000000001",
        "0.6",
        "0.75",
        "0.8",
        "0.999999999999999999",
        "1",
    ]);
    let limit = (typed, any::<bool>()).prop_map(|(typed, two_thirds): (&str, _)| {
        let ratio = typed.parse().unwrap();
        if two_thirds { Limit::two_thirds_of(ratio) } else { Limit::new(ratio) }
    });
    proptest::option::of(limit)
}

fn condition() -> impl Strategy<Value = Condition> {
    let bits = prop::sample::select(vec![0, 1, 2, 3, 6, 7, 8, 12, 40, 63, 64]);
    (proptest::option::of(bits), limits(), limits())
        .prop_map(|(hamming, jaccard, containment)| Condition { hamming, jaccard, containment })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn joining_agrees_with_comparing_every_two(
        texts in prop_oneof![texts(60).boxed(), varied_texts(60).boxed()], condition in condition(),
        one_size in any::<bool>(), count in 1_usize..4, memory in memory(),
    ) {
        let (texts, sizes) = if one_size { (of_one_size(texts), 1) } else { (texts, 3) };
        let collection = within(memory, &texts, sizes);
        prop_assert!(collection.all.file().is_some() || memory != Some(0) || texts.is_empty());
        let joined = join_texts(&texts, &collection, &condition, threads(count)).unwrap();
        prop_assert_eq!(joined.pairs().collect::<Vec<_>>(), plain(&texts, &condition));
        let (words, by_sets) = (words(&texts), texts.iter().cloned());
        let by_sets: Vec<Made> = by_sets.map(|it| Made { words: None, variety: Variety::Varied, ..it }).collect();
        let is_open = |pair: &Pair| {
            let [a, b] = [pair.a, pair.b].map(|it| it as usize);
            let are_repetitive = [a, b].iter().all(|it| texts[*it].variety == Variety::Repetitive);
            are_repetitive && words[a] != words[b] && is_confirmed(words[a], words[b]).is_none()
        };
        let unconfirmed = plain(&by_sets, &condition).iter().filter(|pair| is_open(pair)).count();
        prop_assert_eq!(joined.unconfirmed(), unconfirmed);
    }
}
