//! Tests of what is known about two sets before they are merged.

use super::*;
use crate::corpus::join::pairs::{fall_short, share};
use crate::corpus::join::tokens::{Ranked, SetTokens};

/// Ranks some sets, and passes them to `look` with their tokens: all residues that another set may
/// have.
fn ranked<T>(sets: &[Vec<u64>], look: impl FnOnce(&Ranked, &[SetTokens]) -> T) -> T {
    let made = |set: &Vec<u64>| Made { all: set.clone(), longest: set.clone(), ..Made::default() };
    let collection = collection(&sets.iter().map(made).collect::<Vec<_>>(), 3);
    let classes = Classes::new(&collection);
    let ranked = Ranked::new(&collection.all, &classes);
    let tokens = ranked.tokens(|_| 1, None, threads(1));
    tokens.with(0..tokens.len(), |tokens| look(&ranked, tokens))
}

fn count(count: usize) -> u32 {
    u32::try_from(count).unwrap()
}

/// Returns the number of shared tokens whose suffix has at least `rest` residues in both sets.
fn met(left: SetTokens, right: SetTokens, rest: u32) -> u32 {
    let kept = right.kept(rest);
    count(left.kept(rest).iter().filter(|token| kept.contains(token)).count())
}

/// Returns a set of which only the first `limit` tokens are available.
fn part(row: SetTokens, limit: usize) -> SetTokens {
    SetTokens { tokens: &row.tokens[..row.tokens.len().min(limit)], ..row }
}

fn sets() -> impl Strategy<Value = Vec<Vec<u64>>> {
    let set = prop::collection::btree_set(0_u64..24, 1..16);
    prop::collection::vec(set.prop_map(|set| set.iter().map(|it| it << 59).collect()), 2..7)
}

proptest! {
    /// With all tokens available, `fall_short` is exact; with only some of them, it never excludes
    /// a pair that shares enough.
    #[test]
    fn sets_fall_short_that_do_not_share_enough(sets in sets(), cut in (0_usize..16, 0_usize..16)) {
        ranked(&sets, |ranked, tokens| {
            for one in 0..tokens.len() {
                for other in 0..one {
                    let pair = [tokens[one], tokens[other]];
                    let shared = count(Overlap::new(&ranked.set(one), &ranked.set(other)).shared);
                    let parts = [part(pair[0], cut.0), part(pair[1], cut.1)];
                    let first = pair[0].shared.min(pair[1].shared);
                    for rest in 2..=first {
                        let met = met(pair[0], pair[1], rest);
                        for required in rest..20 {
                            let fall = |rows| fall_short(rows, (met, rest), required);
                            prop_assert_eq!(fall(pair), shared < required, "{} {}", shared, required);
                            prop_assert!(!fall(parts) || shared < required, "{} {}", shared, required);
                        }
                    }
                }
            }
            Ok(())
        })?;
    }

    #[test]
    fn sets_share_as_many_as_they_do(sets in sets()) {
        for (one, other) in sets.iter().zip(&sets[1..]) {
            let shared = count(Overlap::new(one, other).shared);
            for required in 0..18 {
                prop_assert_eq!(share(one, other, required), shared >= required);
            }
        }
    }
}
