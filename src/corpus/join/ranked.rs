//! The classes that have a set, by its size, and their residues by how rare they are.

use std::num::NonZeroUsize;
use std::ops::Range;

use super::classes::Classes;
use super::collection::Sets;
use super::columns;
use super::rarity::{Reader, Row, Steps, Token};
use crate::parallel;

/// The classes that have a set, by its size.
pub(super) struct Ranked<'a> {
    pub(super) of: &'a Classes,
    pub(super) classes: Vec<u32>,
    pub(super) sets: Vec<&'a [u64]>,
    pub(super) sizes: Vec<u32>,
}

impl<'a> Ranked<'a> {
    pub(super) fn of(sets: &'a Sets, of: &'a Classes) -> Self {
        let size = |class: u32| sets.size(of.first(class));
        let mut classes: Vec<u32> = of.numbers().filter(|class| size(*class) > 0).collect();
        classes.sort_by_key(|class| size(*class));
        let sizes = classes.iter().map(|class| size(*class)).collect();
        let sets = classes.iter().map(|class| sets.get(of.first(*class))).collect();
        Self { of, classes, sets, sizes }
    }

    /// The first of the sets below a rank that has so many members.
    pub(super) fn smallest(&self, least_size: u32, rank: usize) -> usize {
        self.sizes[..rank].partition_point(|size| *size < least_size)
    }

    /// How many residues the sets of some ranks have: what looking them up costs goes with it.
    pub(super) fn residues(&self, ranks: Range<usize>) -> u64 {
        self.sizes[ranks].iter().map(|size| u64::from(*size)).sum()
    }

    /// The residues of each set that may be in another, and have so much behind them as is
    /// asked for by the size of the set, 1 at least; rarest first.
    pub(super) fn tokens(
        &self,
        least_rest: impl Fn(u32) -> u32 + Sync,
        threads: NonZeroUsize,
    ) -> Vec<Tokens> {
        let steps = Steps::of(&self.sets, threads);
        let stretches = self.sets.chunks(columns::stretch(self.sets.len())).enumerate();
        parallel::each(
            threads,
            stretches,
            || (),
            |(), (number, stretch)| Tokens::of(stretch, &least_rest, steps.reader(number)),
        )
    }
}

/// The tokens of a stretch of sets, end to end.
pub(super) struct Tokens {
    /// Where those of each set end, and of how many.
    ends: Vec<(usize, u32)>,
    tokens: Vec<Token>,
}

impl Tokens {
    fn of(stretch: &[&[u64]], least_rest: impl Fn(u32) -> u32, mut reader: Reader) -> Self {
        let (mut ends, mut tokens) = (Vec::with_capacity(stretch.len()), Vec::new());
        for set in stretch {
            let size = u32::try_from(set.len()).unwrap_or(u32::MAX);
            let shared = reader.tokens(set, least_rest(size), &mut tokens);
            ends.push((tokens.len(), shared));
        }
        Self { ends, tokens }
    }

    /// Those of one set after the other.
    pub(super) fn each(&self) -> impl Iterator<Item = Row<'_>> {
        let starts = [0].into_iter().chain(self.ends.iter().map(|(end, _)| *end));
        let row = |(start, (end, shared)): (usize, &(usize, u32))| Row {
            tokens: &self.tokens[start..*end],
            shared: *shared,
        };
        starts.zip(&self.ends).map(row)
    }
}
