//! Finds the texts of an index that may be paired with new texts.
//!
//! They are found in two ways: by the figures of two texts, and by the passages that they share.
//! For the figures, every shingle of the new texts is looked up, and counted for each stored text
//! that has it. So the figures of a stored text and a new one are known without the other shingles
//! of the stored text, and those are not read. They are represented by placeholders, which are keys
//! that no new text has. For the passages, every three words in a row are looked up. The minimum
//! size of a passage restricts the texts that may share one.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use super::file::BlockRef;
use super::postings::{GREATEST_SIZE_BIT, List, PostingAction, split_place};
use super::segment::{ReadingColumns, ReadingRow, Segment, beginning};
use super::{Index, IndexError, LanguageReading, StoredShingle, StoredText, name_of, unpacked};
use crate::interner::Check;
use crate::jaccard::Overlap;
use crate::language::Language;
use crate::parallel;
use crate::passages::MinMatch;
use crate::passages::many::{Lists, Query};
use crate::shingles::Variety;
use crate::simhash::Fingerprint;
use crate::{hamming, pair::Undecided};

/// A new text, for which the index is searched.
#[derive(Clone, Copy, Debug)]
pub struct QueryText<'t> {
    /// The keys of its shingles of all sizes, in increasing order.
    pub all: &'t [u64],
    /// The keys of its shingles of the greatest size, in increasing order.
    pub longest: &'t [u64],
    /// Its fingerprint; `None` if it has no shingles.
    pub fingerprint: Option<Fingerprint>,
    /// The digest of its words.
    pub digest: &'t [u8; 32],
}

/// The figures of a new text, left, and a stored one, right.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Figures {
    /// The number of bits in which the fingerprints differ.
    pub hamming: u32,
    /// The overlap of the shingles of all sizes.
    pub all: Overlap,
    /// The overlap of the shingles of the greatest size.
    pub longest: Overlap,
    /// Whether both texts may consist of the same words in the same order. Always true if they do.
    pub may_have_same_words: bool,
}

/// A stored text that may be paired with a new one.
///
/// Its sets are as large as those of the text. Of the keys of the new texts, they contain exactly
/// those that the text has. All other keys are placeholders with the check 0, except keys whose
/// residue may be that of a shingle of a new text or is that of another shingle of the text itself.
#[derive(Clone, Debug, PartialEq)]
pub struct OldText {
    /// The metadata of the text.
    pub stored: StoredText,
    /// The index of the reading that holds.
    pub reading: usize,
    /// Its fingerprint.
    pub fingerprint: u64,
    /// The keys of its shingles of all sizes, in increasing order; some are placeholders.
    pub all: Vec<u64>,
    /// The check of each key in `all`.
    pub checks: Vec<u32>,
    /// The keys of its shingles of the greatest size, in increasing order; some are placeholders.
    pub longest: Vec<u64>,
}

/// The texts that an index has for new texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Related {
    /// The texts that may be paired with a new one, in the order of their names.
    pub texts: Vec<OldText>,
    /// The number of stored texts that were compared, including these.
    pub compared: usize,
    /// The reasons that other texts were not compared: they are too short.
    pub short: Vec<Undecided>,
}

/// A query of an index.
#[derive(Clone, Copy, Debug)]
pub struct IndexQuery<'q> {
    /// The new texts.
    pub new_texts: &'q [QueryText<'q>],
    /// The language of most texts, new and stored.
    pub main: Option<Language>,
    /// The names of stored texts that are ignored, since new texts replace them.
    pub replaced: &'q BTreeSet<&'q str>,
    /// The largest number of different bits in the fingerprints of texts that may be paired without
    /// a shared shingle.
    pub bits: u32,
    /// Texts that are returned whatever their figures are.
    pub also: &'q TextNumbers,
    /// Whether all texts are returned with their contents, not only those with
    /// [repetitive](Variety::Repetitive) words.
    pub with_content: bool,
}

/// A shingle of a segment that a new text may have, and the readings that contain it.
struct FoundShingle {
    shingle: StoredShingle,
    readings: Vec<u32>,
}

impl Index {
    /// Finds the stored texts that may be paired with a new one according to the figures of both,
    /// and those that the query requests in addition.
    ///
    /// The cost is proportional to the number of shingles of the new texts and of stored texts that
    /// have each of them. In addition, 32 bytes are read for each reading of a stored text.
    ///
    /// # Errors
    ///
    /// Returns [`IndexError`] if the file cannot be read or is damaged.
    pub fn related(
        &self,
        query: &IndexQuery<'_>,
        may_be_paired: impl Fn(&Figures) -> bool + Sync,
        threads: NonZeroUsize,
    ) -> Result<Related, IndexError> {
        let IndexQuery { new_texts, main, replaced, bits, also, with_content } = *query;
        let mut keys: Vec<u64> = new_texts.iter().flat_map(|text| text.all).copied().collect();
        keys.sort_unstable();
        keys.dedup();
        let mut taken: Vec<u64> = keys.iter().map(|key| key >> Check::BITS).collect();
        taken.dedup();
        let mut related = Related::default();
        for (number, segment) in self.opened()?.into_iter().enumerate() {
            let readings = segment.readings()?;
            let found = found(&segment, &keys, threads)?;
            let known = QueriedReadings { segment: &segment, readings: &readings, main, bits };
            let same_words = readings.with_digests(new_texts.iter().map(|it| beginning(it.digest)));
            let shared = || (vec![(0_u32, 0_u32); readings.len()], Vec::new());
            let of_each = parallel::each(threads, new_texts, shared, |(shared, met), text| {
                known.paired(text, (&found, &same_words), (shared, met), &may_be_paired)
            });
            let mut paired: Vec<(u32, u64, ReadingRow)> = of_each.into_iter().flatten().collect();
            let also = also.of_segment(number).flat_map(|text| readings.of_text(text));
            let also = also.filter_map(|it| readings.get(it).map(|(own, row)| (it, own, row)));
            paired.extend(also.filter(|(.., row)| known.holds(*row)));
            paired.sort_unstable_by_key(|(reading, ..)| *reading);
            paired.dedup_by_key(|(reading, ..)| *reading);
            let own = shared_shingles(&paired, &found);
            let texts: Vec<u32> = paired.iter().map(|(.., row)| row.text).collect();
            let stored = paired.iter().zip(segment.texts(&texts)?).zip(own);
            let stored =
                stored.filter(|((_, (text, _)), _)| !replaced.contains(name_of(&text.text)));
            let old_texts = parallel::map(threads, stored, |((paired, text), shingles)| {
                let (reading, fingerprint, row) = *paired;
                let (mut stored, content) = text;
                let place = place_of_reading(&stored, readings.place_in_text(reading));
                let own = stored.readings.get(place);
                let is_repetitive = own.is_some_and(|it| it.variety == Variety::Repetitive);
                if let Some(content) = content.filter(|_| with_content || is_repetitive) {
                    let text = unpacked(&segment.content(content)?);
                    stored.text = text.ok_or_else(|| self.file.damaged("the content of a text"))?;
                }
                Ok(old_text(&taken, (stored, place), fingerprint, row, shingles))
            });
            for old in old_texts {
                related.texts.push(old?);
            }
            related.count(&segment, main, replaced)?;
        }
        related
            .texts
            .sort_by(|one, other| name_of(&one.stored.text).cmp(name_of(&other.stored.text)));
        Ok(related)
    }
}

impl Related {
    /// Counts the texts of a segment that are compared, and adds the reasons of those that are too
    /// short.
    fn count(
        &mut self,
        segment: &Segment<'_>,
        main: Option<Language>,
        names: &BTreeSet<&str>,
    ) -> Result<(), IndexError> {
        let short = |text: &StoredText| text.reading(main).and_then(|it| it.short.clone());
        self.compared += segment.known.len();
        for text in segment.short()? {
            let short = short(&text);
            self.compared -= usize::from(short.is_some());
            self.short.extend(short.filter(|_| !names.contains(name_of(&text.text))));
        }
        for name in names {
            let replaced = segment.find(name)?;
            let is_compared = replaced.is_some_and(|(_, (text, _))| short(&text).is_none());
            self.compared -= usize::from(is_compared);
        }
        Ok(())
    }
}

/// Returns the index of a reading among all readings of a text, from its number among those that
/// are not too short.
fn place_of_reading(text: &StoredText, number: usize) -> usize {
    let numbered = text.readings.iter().enumerate();
    let mut sketched = numbered.filter(|(_, reading)| reading.short.is_none());
    sketched.nth(number).map_or(0, |(place, _)| place)
}

/// Returns the shingles of a segment whose keys are searched for, or agree with one of those keys in
/// the bits above the check. They are in the order of their keys, and each block is read once.
fn found(
    segment: &Segment<'_>,
    keys: &[u64],
    threads: NonZeroUsize,
) -> Result<Vec<FoundShingle>, IndexError> {
    let blocks = segment.list_blocks(List::Shingles)?;
    let residue = |key: u64| key >> Check::BITS;
    let mut numbers = BTreeSet::new();
    for key in keys {
        let [lowest, highest] = [key & !LOW_BITS, key | LOW_BITS];
        // The block before the first that begins with a key in this range may end with one.
        let from = blocks.partition_point(|(first, _)| *first < lowest).saturating_sub(1);
        let to = blocks.partition_point(|(first, _)| *first <= highest);
        numbers.extend(from..to);
    }
    let of_block = |number: usize| {
        let block = blocks[number];
        // The next block may continue the last keys of this one.
        let next = blocks.get(number + 1).map_or(u64::MAX, |(first, _)| *first);
        let from = keys.partition_point(|key| residue(*key) < residue(block.0));
        let to = keys.partition_point(|key| residue(*key) <= residue(next));
        let action = PostingAction::among(keys[from..to].iter().map(|key| residue(*key)), residue);
        let mut found = Vec::new();
        segment.postings_of(List::Shingles, block, action, |posting| {
            let reading = |it: &u64| u32::try_from(*it).unwrap_or(u32::MAX);
            let shingle = StoredShingle {
                key: posting.key,
                check: posting.tag & !GREATEST_SIZE_BIT,
                is_longest: posting.tag & GREATEST_SIZE_BIT != 0,
            };
            let readings = posting.having.iter().map(reading).collect();
            found.push(FoundShingle { shingle, readings });
        })?;
        Ok(found)
    };
    let found = parallel::map(threads, numbers, of_block);
    let found: Vec<Vec<FoundShingle>> = found.into_iter().collect::<Result<_, IndexError>>()?;
    Ok(found.into_iter().flatten().collect())
}

/// The bits of a key that contain the check.
const LOW_BITS: u64 = (1 << Check::BITS) - 1;

/// The readings of a segment, and the conditions of the query.
struct QueriedReadings<'s> {
    segment: &'s Segment<'s>,
    readings: &'s ReadingColumns,
    main: Option<Language>,
    /// The largest number of different bits in the fingerprints of texts that share no shingle.
    bits: u32,
}

impl QueriedReadings<'_> {
    /// Returns the readings that may be paired with a new text, in no particular order, each with
    /// its fingerprint and row. The shared shingles of each reading are counted in `shared`, which
    /// must be 0 before and is 0 afterwards.
    fn paired(
        &self,
        text: &QueryText<'_>,
        (found, same_words): (&[FoundShingle], &[(u64, u32)]),
        (shared, met): (&mut [(u32, u32)], &mut Vec<u32>),
        may_be_paired: &impl Fn(&Figures) -> bool,
    ) -> Vec<(u32, u64, ReadingRow)> {
        let Some(fingerprint) = text.fingerprint else { return Vec::new() };
        count_shared(text, found, shared, met);
        for (own, reading) in self.readings.fingerprints().zip(0_u32..) {
            if hamming::distance(fingerprint, Fingerprint(own)) <= self.bits
                && shared.get(reading as usize).is_some_and(|counts| counts.0 == 0)
            {
                met.push(reading);
            }
        }
        let digest = beginning(text.digest);
        let first = same_words.partition_point(|(known, _)| *known < digest);
        for (_, reading) in same_words[first..].iter().take_while(|(known, _)| *known == digest) {
            let Some((own, _)) = self.readings.get(*reading) else { continue };
            let is_far = hamming::distance(fingerprint, Fingerprint(own)) > self.bits;
            met.extend((is_far && shared[*reading as usize].0 == 0).then_some(*reading));
        }
        let mut paired = Vec::new();
        for reading in met.drain(..) {
            let (all, longest) = std::mem::take(&mut shared[reading as usize]);
            let Some((own, row)) = self.readings.get(reading) else { continue };
            let overlap = |shared: u32, left: usize, right: u32| Overlap {
                shared: shared as usize,
                left,
                right: right as usize,
            };
            let figures = Figures {
                hamming: hamming::distance(fingerprint, Fingerprint(own)),
                all: overlap(all, text.all.len(), row.all),
                longest: overlap(longest, text.longest.len(), row.longest),
                may_have_same_words: row.digest == digest,
            };
            if may_be_paired(&figures) && self.holds(row) {
                paired.push((reading, own, row));
            }
        }
        paired
    }

    /// Reports whether a reading holds and its text is not removed.
    fn holds(&self, row: ReadingRow) -> bool {
        let languages = self.segment.languages(row);
        !self.segment.known.is_removed(row.text)
            && languages.is_some_and(|it| it.hold_for(self.main))
    }
}

/// Counts the shingles that each reading shares with a new text, of all sizes and of the greatest
/// size. Each reading that shares any is added to `met` once.
fn count_shared(
    text: &QueryText<'_>,
    found: &[FoundShingle],
    shared: &mut [(u32, u32)],
    met: &mut Vec<u32>,
) {
    let mut found = found;
    for key in text.all {
        found = &found[found.partition_point(|it| it.shingle.key < *key)..];
        let is_longest = text.longest.binary_search(key).is_ok();
        for it in found.iter().take_while(|it| it.shingle.key == *key) {
            for reading in &it.readings {
                let Some(counts) = shared.get_mut(*reading as usize) else { continue };
                if counts.0 == 0 {
                    met.push(*reading);
                }
                counts.0 += 1;
                counts.1 += u32::from(is_longest && it.shingle.is_longest);
            }
        }
    }
}

/// Returns the found shingles of each of some readings, in the order of their keys.
fn shared_shingles(
    readings: &[(u32, u64, ReadingRow)],
    found: &[FoundShingle],
) -> Vec<Vec<StoredShingle>> {
    let mut own = vec![Vec::new(); readings.len()];
    for FoundShingle { shingle, readings: having } in found {
        for reading in having {
            if let Ok(at) = readings.binary_search_by_key(reading, |it| it.0) {
                own[at].push(*shingle);
            }
        }
    }
    own
}

/// Makes a stored text from its known shingles, and placeholders for the others: keys that differ from
/// those of all new texts in the bits above the check, of which `taken` are in increasing order.
fn old_text(
    taken: &[u64],
    (stored, place): (StoredText, usize),
    fingerprint: u64,
    row: ReadingRow,
    mut known: Vec<StoredShingle>,
) -> OldText {
    let collided = stored.readings.get(place).map_or(&[][..], |it: &LanguageReading| &it.collided);
    known.extend(collided);
    known.sort_unstable();
    known.dedup_by_key(|shingle| shingle.key);
    let longest = known.iter().filter(|it| it.is_longest).count();
    let others = (row.all as usize).saturating_sub(known.len());
    let others_longest = (row.longest as usize).saturating_sub(longest).min(others);
    let own: Vec<u64> = known.iter().map(|it| it.key >> Check::BITS).collect();
    let is_free = |it: &u64| taken.binary_search(it).is_err() && own.binary_search(it).is_err();
    let free = (0_u64..).filter(is_free).take(others);
    known.extend(free.zip(0..).map(|(key, at)| StoredShingle {
        key: key << Check::BITS,
        check: 0,
        is_longest: at < others_longest,
    }));
    known.sort_unstable();
    let all = known.iter().map(|it| it.key).collect();
    let checks = known.iter().map(|it| it.check).collect();
    let longest = known.iter().filter(|it| it.is_longest).map(|it| it.key).collect();
    OldText { stored, reading: place, fingerprint, all, checks, longest }
}

// The texts that may share a passage with new ones.

/// A set of texts of an index, each by its segment and its number there.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct TextNumbers(BTreeSet<(usize, u32)>);

impl TextNumbers {
    /// The empty set.
    pub const NONE: Self = Self(BTreeSet::new());

    /// Adds texts of the same index.
    pub fn add(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Returns the texts of a segment, given by its index, in increasing order.
    pub(super) fn of_segment(&self, segment: usize) -> impl Iterator<Item = u32> {
        self.0.range((segment, 0)..=(segment, u32::MAX)).map(|(_, text)| *text)
    }
}

impl Index {
    /// Finds the texts that may share a passage of at least `min_match` words with a new text. They
    /// are a superset, and may include removed texts. The cost is proportional to the number of words
    /// in the new texts, and of positions at which every three of these words in a row occur.
    ///
    /// # Errors
    ///
    /// Returns [`IndexError`] if the file cannot be read or is damaged.
    pub fn sharing(
        &self,
        queries: &[Query],
        min_match: MinMatch,
        threads: NonZeroUsize,
    ) -> Result<TextNumbers, IndexError> {
        let mut keys: Vec<u64> = queries.iter().flat_map(Query::keys).collect();
        keys.sort_unstable();
        keys.dedup();
        let segments = self.opened()?;
        let lists = segments.iter().map(|it| lists(it, &keys, threads));
        let lists = lists.collect::<Result<Vec<Lists>, IndexError>>()?;
        let each = || segments.iter().zip(&lists).enumerate();
        let of_each = queries.iter().flat_map(|query| each().map(move |it| (query, it)));
        let candidates =
            |(query, (number, (segment, lists))): (&Query, (usize, (&Segment<'_>, _)))| {
                let needed = (min_match, segment.least_worth());
                let found = query.candidates(lists, segment.texts_written(), needed);
                found.into_iter().map(move |text| (number, text))
            };
        let candidates = parallel::map(threads, of_each.collect::<Vec<_>>(), candidates);
        Ok(TextNumbers(candidates.into_iter().flatten().collect()))
    }
}

/// Reads the inverted lists of keys, which must be in increasing order. Each block is read once.
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
        let action = PostingAction::among(keys.iter().copied(), |key| key);
        segment.postings_of(List::Stretches, block, action, |posting| {
            let places = posting.having.iter().map(|it| split_place(*it));
            found.push(posting.key, places.take_while(|(text, _)| *text < texts));
        })?;
        Ok(found)
    };
    let each = parallel::map(threads, of_blocks, of_block);
    each.into_iter().try_fold(Lists::default(), |mut all, lists| {
        all.append(lists?);
        Ok(all)
    })
}
