//! Tests of the progress that is reported while pairs are searched for.

use super::*;

/// There are several units of work: sets of 1 to 40 residues, 820 in total, and one fingerprint for
/// each set.
#[test]
fn each_step_comes_to_its_end() {
    let text = |size: u64| Made {
        all: (0..size).map(|residue| residue << 57 | residue).collect(),
        longest: vec![size],
        ..Made::default()
    };
    let texts: Vec<Made> = (1..=40).map(text).collect();
    let collection = collection(&texts, 3);
    let classes = Classes::new(&collection);
    let bound = Bound { jaccard: Some(Limit::new("0.5".parse().unwrap())), containment: None };
    let distinct = {
        let mut distinct: Vec<u64> = texts.iter().map(Made::fingerprint).collect();
        distinct.sort_unstable();
        distinct.dedup();
        distinct.len() as u64
    };
    let progress_of = |step: &dyn Fn(Watch)| {
        [1, 3].map(|threads| {
            let advance = Advance::default();
            let threads = NonZeroUsize::new(threads).unwrap();
            step(Watch { threads, advance: &advance });
            let ProgressSnapshot { done, all, .. } = advance.snapshot();
            (done, all)
        })
    };
    let limit = &PairLimit::new(usize::MAX);
    let pairs_of_sets = |watch: Watch| {
        overlapping::pairs(&collection.all, &classes, bound, |_| true, watch, limit).unwrap();
    };
    assert_eq!(progress_of(&pairs_of_sets), [(820, 820); 2]);
    let neighbours = |Watch { threads, advance }: Watch| {
        nearest_watched(&collection, NonZeroUsize::MIN, threads, advance).unwrap();
    };
    assert_eq!(progress_of(&neighbours), [(820, 820); 2]);
    let in_blocks = |watch: Watch| {
        fingerprints::pairs(&collection, &classes, 3, |_| true, watch, limit).unwrap();
    };
    assert_eq!(progress_of(&in_blocks), [(4, 4); 2]);
    let all_with_all = |watch: Watch| {
        fingerprints::pairs(&collection, &classes, 8, |_| true, watch, limit).unwrap();
    };
    let every = distinct * (distinct - 1) / 2;
    assert_eq!(progress_of(&all_with_all), [(every, every); 2]);
    let condition = Condition { jaccard: bound.jaccard, ..Condition::default() };
    let whole = |watch: Watch| {
        let joined = join_limited(&texts, &collection, &condition, usize::MAX, watch);
        let links = joined.unwrap().links.len() as u64;
        assert_eq!(
            watch.advance.snapshot(),
            ProgressSnapshot { works: 3, done: links, all: links }
        );
    };
    progress_of(&whole);
}
