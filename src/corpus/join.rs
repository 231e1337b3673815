//! Many sketches → every pair that reaches limits, and no other.
//!
//! In comes a [`Collection`] of sketches in flat arrays and a [`Condition`]; out come the
//! pairs of which it holds, exactly those that comparing every two would give, whatever the
//! number of threads. Texts with equal sets are one [class](Classes): what is found are
//! pairs of classes, and pairs of texts are made from them one by one.
//!
//! The module knows no path, word or language: whether two texts with equal sets are the same
//! word for word, and whether two sketches were made in one way, the caller knows.

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

use std::num::NonZeroUsize;

use crate::parallel::Advance;
use crate::verdict::{Limits, Verdict};
pub use clusters::Forest;
pub use clusters::{Cluster, clusters_of};
pub use collection::Classes;
pub use collection::{Collection, Place, Side};
pub use keeping::removed_by_pairs;
pub use nearest::{COMPARED, nearest, nearest_watched, standing_out};
use pairs::Bound;
pub use pairs::Limit;
use pairs::PairLimit;
pub use pairs::TooManyPairs;
pub use pairs::{Pair, Pairs};
pub use sets::{Memory, TempFileError};

/// What is to hold of a pair: one of the figures that are there is within its limit.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Condition {
    /// Most bits in which the fingerprints differ, 0 to 64.
    pub hamming: Option<u32>,
    /// Least Jaccard index of the shingles of all sizes.
    pub jaccard: Option<Limit>,
    /// Least containment of either text's longest shingles in the other's, of which enough must
    /// be [shared](Limits::LEAST_CONTAINED).
    pub containment: Option<Limit>,
}

impl Condition {
    /// What holds of each pair that has this verdict or a closer one by figures that its sets
    /// decide, not by passages, as long as its sets are not empty; of others it may hold, too. Of
    /// those with equal sets it holds at every level: they may be identical. `shortest` is the
    /// number of words of the shortest text.
    pub fn at(level: Verdict, limits: &Limits, shortest: usize) -> Self {
        let none = Self::default();
        let condition = match level {
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
        };
        let holds_of_equal = condition.hamming.is_some() || condition.jaccard.is_some();
        let jaccard = condition.jaccard.or((!holds_of_equal).then_some(Limit::ALL));
        Self { jaccard, ..condition }
    }
}

/// Two classes; the left one has the smaller number.
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

/// Two classes of which the condition holds, and how many shingles they share.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Link {
    classes: ClassPair,
    /// Of all sizes.
    all: u32,
    /// Of the greatest size.
    longest: u32,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// There would be too many pairs.
    #[error(transparent)]
    TooManyPairs(#[from] TooManyPairs),
    /// A temporary file cannot be written or read.
    #[error(transparent)]
    TempFile(#[from] TempFileError),
}

/// All pairs of a collection of which a condition holds.
#[derive(Clone, Debug)]
pub struct Joined<'a> {
    collection: &'a Collection,
    classes: Classes,
    condition: Condition,
    /// By left class, then by right.
    links: Vec<Link>,
    /// For each class, where its links as the left one start; and the end.
    starts: Vec<usize>,
    /// For each class, the links of which it is the right one, end to end.
    backward: Vec<usize>,
    backward_starts: Vec<usize>,
    /// Classes of which any two are linked by a limit that all reach, increasing. Those
    /// links are not written down.
    open: Vec<u32>,
}

/// Finds all pairs of which a condition holds.
///
/// The time goes with the residues and with the pairs of classes found. What many texts
/// share, such as a notice, costs little as long as the limits ask for more than that. A
/// limit of 0 is reached by all and is not computed, only written out by [`Joined::pairs`].
///
/// # Errors
///
/// [`TempFileError`], where the collection has a file.
pub fn join<'a>(
    collection: &'a Collection,
    condition: &Condition,
    threads: NonZeroUsize,
) -> Result<Joined<'a>, JoinError> {
    join_at_most(collection, condition, usize::MAX, (threads, &Advance::default()))
}

/// Does as [`join`] as long as there are no more pairs of [classes](Classes) than that, each of
/// which takes 32 bytes, and says how far each of its steps has come; steps of which that is
/// not known are short.
///
/// # Errors
///
/// [`TooManyPairs`] where there are more, as soon as that is known. A pair of classes counts
/// where their texts are not of one group or side as a whole. [`TempFileError`].
pub fn join_at_most<'a>(
    collection: &'a Collection,
    condition: &Condition,
    most: usize,
    (threads, advance): (NonZeroUsize, &Advance),
) -> Result<Joined<'a>, JoinError> {
    let classes = Classes::new(collection);
    let zero = |limit: Option<Limit>| limit.is_some_and(Limit::is_zero);
    let all_reach = zero(condition.jaccard) || condition.hamming.is_some_and(|most| most >= 64);
    let has = |class: &u32| all_reach && collection.all.size(classes.first(*class)) > 0;
    let open: Vec<u32> = classes.numbers().filter(has).collect();
    let mut found: Vec<ClassPair> = Vec::new();
    if !all_reach {
        let containment = condition.containment.map(|limit| (limit, Limits::LEAST_CONTAINED));
        let both = Bound { jaccard: condition.jaccard, containment };
        let bounds = if collection.is_of_one_size() {
            vec![(&collection.all, both)]
        } else {
            vec![
                (&collection.all, Bound { containment: None, ..both }),
                (collection.longest_sets(), Bound { jaccard: None, ..both }),
            ]
        };
        for (sets, bound) in bounds {
            if bound.jaccard.is_some() || bound.containment.is_some() {
                let is_new = |pair: ClassPair| found.binary_search(&pair).is_err();
                let watched = (threads, advance, &PairLimit::new(most));
                found.extend(overlapping::pairs(sets, &classes, bound, is_new, watched)?);
                found.sort_unstable();
            }
        }
        if let Some(bits) = condition.hamming {
            let watched = (threads, advance, &PairLimit::new(most));
            found.extend(fingerprints::pairs(collection, &classes, bits, watched)?);
        }
        found.sort_unstable();
        found.dedup();
    }
    let limit = PairLimit::new(most);
    limit.take(found.len());
    let found = limit.checked(found)?;
    advance.begin(found.len() as u64);
    let joined = Joined::new(collection, classes, *condition, &found, open, (threads, advance));
    collection.check()?;
    Ok(joined)
}

impl<'a> Joined<'a> {
    /// From the pairs of classes, sorted.
    fn new(
        collection: &'a Collection,
        classes: Classes,
        condition: Condition,
        found: &[ClassPair],
        open: Vec<u32>,
        (threads, advance): (NonZeroUsize, &Advance),
    ) -> Self {
        let links = clusters::links(collection, &classes, found, (threads, advance));
        let by_class = |class_of: fn(&Link) -> u32| {
            let mut starts = vec![0; classes.len() + 1];
            for link in &links {
                starts[class_of(link) as usize + 1] += 1;
            }
            for class in 1..starts.len() {
                starts[class] += starts[class - 1];
            }
            starts
        };
        let starts = by_class(|link| link.classes.left);
        let backward_starts = by_class(|link| link.classes.right);
        let mut ends = backward_starts.clone();
        let mut backward = vec![0; links.len()];
        for (at, link) in links.iter().enumerate() {
            let end = &mut ends[link.classes.right as usize];
            backward[*end] = at;
            *end += 1;
        }
        Self { collection, classes, condition, links, starts, backward, backward_starts, open }
    }

    /// The texts with equal sets.
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// Whether the condition holds of two texts of a class.
    fn holds_within(&self, class: u32) -> bool {
        let text = self.classes.first(class);
        let Condition { hamming, jaccard, containment } = self.condition;
        let (all, longest) = self.collection.sizes(text);
        all > 0 && (hamming.is_some() || jaccard.is_some())
            || longest >= Limits::LEAST_CONTAINED && containment.is_some()
    }
}
