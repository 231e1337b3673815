//! Finds every pair of a collection of sketches that reaches the limits.
//!
//! Input: a [`Collection`] of sketches in flat arrays, and a [`Condition`]. Output: the pairs for
//! which the condition holds, exactly those that comparing every two texts would find, whatever the
//! number of threads. Texts with equal sets form one [class](Classes): the join finds pairs of
//! classes, from which the pairs of texts are generated one by one.
//!
//! The module knows no paths, words or languages. Whether two texts have the same words, whether
//! their sets are evidence, and whether two sketches were made in the same way, is known to the
//! caller.

mod collection;
mod sets;
mod tokens;
mod clusters;
mod keeping;
mod overlapping;
mod fingerprints;
mod pairs;
mod nearest;
pub mod part;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

pub use crate::forest::Forest;
use crate::parallel::Watch;
use crate::shingles::Variety;
use crate::verdict::{Limits, Verdict};
pub use clusters::{Cluster, clusters_of};
pub use collection::Classes;
pub use collection::{Collection, Place, Side, SketchKeys};
pub use keeping::removed_by_pairs;
pub use nearest::nearest_watched;
use pairs::Bound;
pub use pairs::Limit;
pub use pairs::Pair;
use pairs::PairLimit;
pub use sets::{Memory, TempFileError};

/// A condition on a pair: at least one of the given limits is reached.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Condition {
    /// The largest number of bits in which the fingerprints differ, 0 to 64.
    pub hamming: Option<u32>,
    /// The smallest Jaccard index of the shingles of all sizes.
    pub jaccard: Option<Limit>,
    /// The smallest containment of either text's longest shingles in the other's; at least
    /// [`MIN_CONTAINED`](Limits::MIN_CONTAINED) of them must be shared.
    pub containment: Option<Limit>,
}

impl Condition {
    /// Returns a condition that holds for every pair of non-empty sets whose verdict reaches a
    /// level by figures of its sets, not by passages.
    ///
    /// It may hold for other pairs as well. Texts with the same words are pairs without it.
    /// `shortest` is the number of words of the shortest text.
    pub fn at(level: Verdict, limits: &Limits, shortest: usize) -> Self {
        let none = Self::default();
        match level {
            Verdict::Different => Self { jaccard: Some(Limit::NONE), ..none },
            Verdict::Identical => none,
            Verdict::NearDuplicate => {
                let jaccard = limits.jaccard.map(Limit::new);
                Self { hamming: limits.hamming, jaccard, ..none }
            }
            Verdict::Partial | Verdict::Excerpt => Self {
                hamming: limits.hamming,
                jaccard: (limits.partial_jaccard)
                    .map(if shortest < Limits::SHORT { Limit::two_thirds_of } else { Limit::new })
                    .or(limits.jaccard.map(Limit::new)),
                containment: limits.containment.map(Limit::new),
            },
        }
    }
}

/// What decides on the pairs of a collection besides its sets.
pub struct Traits<'t> {
    /// A number for each text. Texts with equal numbers have the same words in the same order, and
    /// are pairs whatever their sets are, which must not be empty.
    pub words: Vec<u32>,
    /// The variety of the words of each text. Sets of a text with
    /// [few stems](Variety::FewStems) make no pairs.
    pub varieties: Vec<Variety>,
    /// Reports whether any of some repetitive texts with the same words is a pair with any of some
    /// others, whose sets satisfy the condition; `None` if that is not known.
    pub confirm: &'t (dyn Fn(&[u32], &[u32]) -> Option<bool> + Sync),
}

/// A pair of classes; the left one has the smaller number.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct ClassPair {
    left: u32,
    right: u32,
}

impl ClassPair {
    fn new(one: u32, other: u32) -> Self {
        Self { left: one.min(other), right: one.max(other) }
    }
}

/// A pair of classes for which the condition holds, with the numbers of shared shingles.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Link {
    classes: ClassPair,
    /// The number of shared shingles of all sizes.
    all: u32,
    /// The number of shared shingles of the greatest size.
    longest: u32,
}

/// The reason why a join has no result.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// There would be too many pairs.
    #[error("more than {max_pairs} pairs, expected at most that many")]
    TooManyPairs {
        /// The largest number of pairs allowed.
        max_pairs: usize,
    },
    /// The temporary file cannot be written or read.
    #[error(transparent)]
    TempFile(#[from] TempFileError),
}

/// All pairs of a collection for which a condition holds.
#[derive(Clone, Debug)]
pub struct Joined<'a> {
    collection: &'a Collection,
    classes: Classes,
    condition: Condition,
    /// The links, sorted by left class and then by right class.
    links: Vec<Link>,
    /// The right class of each link and the index of the link, increasing.
    backward: Vec<(u32, usize)>,
    /// Classes any two of which are linked because every pair reaches a limit, increasing. These
    /// links are not stored.
    open: Vec<u32>,
    unconfirmed: usize,
}

/// Finds all pairs of texts with the same words, and all pairs for which a condition holds and whose
/// sets are evidence by their [traits](Traits). Stops if there are more than `max_pairs` pairs
/// of [classes](Classes), each of which takes 32 bytes. Reports the progress of each step; steps
/// without a known length are short.
///
/// The time is proportional to the number of residues and to the number of pairs of classes found.
/// Residues that many texts share, such as those of a notice, cost little as long as the limits
/// demand more than that. A limit of 0, which every pair reaches, is not computed; its pairs are
/// only generated by [`Joined::pairs`].
///
/// # Errors
///
/// Returns [`TooManyPairs`](JoinError::TooManyPairs) as soon as more than `max_pairs` pairs are found. A pair of classes
/// does not count if all of their texts belong to one group, or to one side. Returns
/// [`TempFileError`] if the temporary file cannot be used.
pub fn join_at_most<'a>(
    collection: &'a Collection,
    traits: &Traits<'_>,
    condition: &Condition,
    max_pairs: usize,
    watch: Watch,
) -> Result<Joined<'a>, JoinError> {
    let (classes, mut found) = Classes::with_traits(collection, traits, condition);
    let unconfirmed = Mutex::new(BTreeSet::new());
    let confirm = |pair: ClassPair| {
        let ClassPair { left, right } = pair;
        match classes.variety(left).and(classes.variety(right)) {
            Variety::Varied => true,
            Variety::FewStems => false,
            Variety::Repetitive => {
                let confirmed = (traits.confirm)(classes.members(left), classes.members(right));
                if confirmed.is_none() {
                    unconfirmed.lock().unwrap_or_else(PoisonError::into_inner).insert(pair);
                }
                confirmed.unwrap_or_default()
            }
        }
    };
    let zero = |limit: Option<Limit>| limit.is_some_and(Limit::is_zero);
    let all_reach = zero(condition.jaccard) || condition.hamming.is_some_and(|max| max >= 64);
    let has = |class: &u32| {
        collection.all.size(classes.first(*class)) > 0 && classes.has_evidence(*class)
    };
    let (open, repetitive): (Vec<u32>, Vec<u32>) = (classes.numbers())
        .filter(|class| all_reach && has(class))
        .partition(|class| classes.variety(*class) == Variety::Varied);
    if all_reach {
        let is_open = |class: u32| open.binary_search(&class).is_ok();
        found.retain(|pair| !is_open(pair.left) || !is_open(pair.right));
        found.sort_unstable();
        let by_words = found.clone();
        let is_new = |pair: &ClassPair| by_words.binary_search(pair).is_err();
        for (at, class) in repetitive.iter().enumerate() {
            let pairs = open.iter().chain(&repetitive[..at]);
            let pairs = pairs.map(|other| ClassPair::new(*class, *other));
            let pairs = pairs.filter(|it| is_new(it) && classes.may_face(it.left, it.right));
            found.extend(pairs.filter(|it| confirm(*it)));
        }
    } else {
        let containment = condition.containment.map(|limit| (limit, Limits::MIN_CONTAINED));
        let both = Bound { jaccard: condition.jaccard, containment };
        let bounds = if collection.is_of_one_size() {
            vec![(&collection.all, both)]
        } else {
            vec![
                (&collection.all, Bound { containment: None, ..both }),
                (collection.longest_sets(), Bound { jaccard: None, ..both }),
            ]
        };
        found.sort_unstable();
        for (sets, bound) in bounds {
            if bound.jaccard.is_some() || bound.containment.is_some() {
                let is_new = |pair: ClassPair| found.binary_search(&pair).is_err();
                let accept = |pair: ClassPair| is_new(pair) && confirm(pair);
                let limit = PairLimit::new(max_pairs);
                found.extend(overlapping::pairs(sets, &classes, bound, accept, watch, &limit)?);
                found.sort_unstable();
            }
        }
        if let Some(bits) = condition.hamming {
            let is_new = |pair: ClassPair| found.binary_search(&pair).is_err();
            let accept = |pair: ClassPair| is_new(pair) && confirm(pair);
            let limit = PairLimit::new(max_pairs);
            found.extend(fingerprints::pairs(collection, &classes, bits, accept, watch, &limit)?);
        }
    }
    found.sort_unstable();
    found.dedup();
    let limit = PairLimit::new(max_pairs);
    limit.take(found.len());
    let found = limit.checked(found)?;
    watch.advance.begin(found.len() as u64);
    let unconfirmed = unconfirmed.into_inner().unwrap_or_else(PoisonError::into_inner);
    let pairs_of = |pair: &ClassPair| -> usize {
        let comparable = |text: &u32| {
            let place = collection.place(*text);
            classes.comparable_with(pair.right, place, 0, collection).count()
        };
        classes.members(pair.left).iter().map(comparable).sum()
    };
    let unconfirmed = unconfirmed.iter().map(pairs_of).sum();
    let links = clusters::links(collection, &classes, &found, watch);
    let mut backward: Vec<(u32, usize)> =
        links.iter().zip(0..).map(|(link, at)| (link.classes.right, at)).collect();
    backward.sort_unstable();
    collection.check()?;
    Ok(Joined { collection, classes, condition: *condition, links, backward, open, unconfirmed })
}

impl Joined<'_> {
    /// Returns the number of pairs of repetitive texts for which the condition holds, but which are
    /// left out because nobody knows what else the texts share: they are not stored.
    pub fn unconfirmed(&self) -> usize {
        self.unconfirmed
    }

    /// Reports whether any two texts of a class are a pair.
    fn holds_within(&self, class: u32) -> bool {
        if self.classes.has_same_words(class) {
            return true;
        }
        let text = self.classes.first(class);
        let Condition { hamming, jaccard, containment } = self.condition;
        let (all, longest) = self.collection.sizes(text);
        all > 0 && (hamming.is_some() || jaccard.is_some())
            || longest >= Limits::MIN_CONTAINED && containment.is_some()
    }
}
