//! The words of new texts → the texts of an index that may share a passage with them.

use std::num::NonZeroUsize;

use super::file::BlockRef;
use super::postings::{List, Sought, of_place};
use super::segment::Segment;
use super::{Index, IndexError};
use crate::parallel;
use crate::passages::MinMatch;
use crate::passages::many::{Lists, Query};

/// Texts of an index: of each of its segments some, by their numbers, increasing.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct TextNumbers(Vec<Vec<u32>>);

impl TextNumbers {
    /// No text.
    pub const NONE: Self = Self(Vec::new());

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds others of the same index.
    pub fn add(&mut self, others: &Self) {
        self.0.resize(self.0.len().max(others.0.len()), Vec::new());
        for (own, others) in self.0.iter_mut().zip(&others.0) {
            own.extend(others);
            own.sort_unstable();
            own.dedup();
        }
    }

    /// Those of a segment, by its place.
    pub(super) fn of_segment(&self, segment: usize) -> &[u32] {
        self.0.get(segment).map_or(&[], Vec::as_slice)
    }
}

/// Which texts may share a passage with one of some new ones: a superset, those that are removed
/// among it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Sharing {
    /// The texts.
    pub texts: TextNumbers,
    /// For each window of a new text that many have all texts that have it, and perhaps others.
    pub windows: Vec<TextNumbers>,
}

impl Index {
    /// Which texts may share a passage of at least `least` words with one of some new ones; and for
    /// each window of a new text that `many` texts or more may have, which those are. The cost goes with the words of the
    /// new texts and with the places where each three of them in a row stand.
    ///
    /// # Errors
    ///
    /// [`IndexError`].
    pub fn sharing(
        &self,
        queries: &[Query],
        (least, many): (MinMatch, usize),
        threads: NonZeroUsize,
    ) -> Result<Sharing, IndexError> {
        let mut keys: Vec<u64> = queries.iter().flat_map(Query::keys).collect();
        keys.sort_unstable();
        keys.dedup();
        let segments = self.opened()?;
        let lists = segments.iter().map(|it| lists(it, &keys, threads));
        let lists = lists.collect::<Result<Vec<Lists>, IndexError>>()?;
        let of_each =
            queries.iter().flat_map(|query| segments.iter().zip(&lists).map(move |it| (query, it)));
        let candidates = |(query, (segment, lists)): (&Query, (&Segment<'_>, &Lists))| {
            let needed = (least, segment.least_worth());
            query.candidates(lists, segment.texts_written(), needed)
        };
        let candidates = parallel::each(threads, of_each, || (), |(), it| candidates(it));
        let windows = |query: &Query| {
            let windows = query.windows(least).into_iter();
            let often = windows.filter(|(_, window)| query.most_places(window, &lists) >= many);
            let windows = often.map(|window| {
                TextNumbers(lists.iter().map(|it| query.texts_with(&window, it)).collect())
            });
            windows.filter(|it| it.len() >= many).collect::<Vec<TextNumbers>>()
        };
        let windows = parallel::each(threads, queries, || (), |(), it| windows(it)).into_iter();
        let mut sharing = Sharing { windows: windows.flatten().collect(), ..Sharing::default() };
        for of_query in candidates.chunks(segments.len().max(1)) {
            sharing.texts.add(&TextNumbers(of_query.to_vec()));
        }
        Ok(sharing)
    }
}

/// The lists of some keys, which increase; each block is read once.
fn lists(segment: &Segment<'_>, keys: &[u64], threads: NonZeroUsize) -> Result<Lists, IndexError> {
    let blocks = segment.list_blocks(List::Stretches)?;
    let texts = segment.texts_written();
    let mut of_blocks = Vec::new();
    let mut rest = keys;
    while let Some(key) = rest.first() {
        let behind = blocks.partition_point(|(first, _)| first <= key);
        let next = blocks.get(behind).map_or(u64::MAX, |(first, _)| *first);
        let (of_block, others) = rest.split_at(rest.partition_point(|key| *key < next).max(1));
        rest = others;
        of_blocks.extend(behind.checked_sub(1).map(|block| (blocks[block], of_block)));
    }
    let of_block = |(block, keys): ((u64, BlockRef), &[u64])| {
        let mut found = Lists::default();
        let sought = Sought::among(keys.iter().copied(), |key| key);
        segment.postings_of(List::Stretches, block, sought, |posting| {
            let places = posting.having.iter().map(|it| of_place(*it));
            found.push(posting.key, places.take_while(|(text, _)| *text < texts));
        })?;
        Ok(found)
    };
    let each = parallel::each(threads, of_blocks, || (), |(), it| of_block(it));
    each.into_iter().try_fold(Lists::default(), |mut all, lists| {
        all.append(lists?);
        Ok(all)
    })
}
