//! New texts → the texts of an index that may be paired with them.
//!
//! They are asked for in two ways: by the figures of two texts, and by the passages that they share.
//! For the figures every shingle of the new texts is looked up; how many of them a stored text has is what it shares.
//! So its figures with a new text are known without its other shingles, and those are not read: in
//! their stead stand placeholders: numbers that no new text has, one for each. For the passages every
//! three words in a row are looked up, and what a passage needs of them says which texts may share one.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use super::file::BlockRef;
use super::postings::{LONGEST, List, Sought, of_place};
use super::segment::{Readings, Row, Segment, beginning};
use super::{Index, IndexError, Reading, StoredText, name_of, unpacked};
use crate::interner::Check;
use crate::jaccard::Overlap;
use crate::language::Language;
use crate::parallel;
use crate::passages::MinMatch;
use crate::passages::many::{Lists, Query};
use crate::simhash::Fingerprint;
use crate::{hamming, pair::Undecided};

/// A new text.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'t> {
    /// The keys of its shingles of all sizes, increasing.
    pub all: &'t [u64],
    /// Those of the greatest size, increasing.
    pub longest: &'t [u64],
    /// Its fingerprint; none where it has no shingles.
    pub fingerprint: Option<Fingerprint>,
    /// The digest of its words.
    pub digest: &'t [u8; 32],
}

/// The figures of a new text, left, and a stored one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Figures {
    /// Bits in which the fingerprints differ.
    pub hamming: u32,
    /// The shingles of all sizes.
    pub all: Overlap,
    /// Those of the greatest size.
    pub longest: Overlap,
    /// Whether both may have the same words in the same order; where they have, it is so.
    pub may_have_same_words: bool,
}

/// A stored text that may be paired with a new one.
///
/// Its sets are as large as those of the text, and have of the keys of the new texts exactly those
/// that the text has. All other keys of it are placeholders with the check 0, but those whose residue
/// may be that of a new text's shingle, or is that of another of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct OldText {
    /// What is known of it.
    pub stored: StoredText,
    /// The one of its readings that holds, by its place.
    pub reading: usize,
    /// Its fingerprint.
    pub fingerprint: u64,
    /// Keys for its shingles of all sizes, increasing.
    pub all: Vec<u64>,
    /// The check of each.
    pub checks: Vec<u32>,
    /// Keys for those of the greatest size, increasing.
    pub longest: Vec<u64>,
}

/// What an index has for new texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Related {
    /// The texts that may be paired, in the order of their names.
    pub texts: Vec<OldText>,
    /// How many there are that were compared, these among them.
    pub compared: usize,
    /// Why others were not: they are too short.
    pub short: Vec<Undecided>,
}

/// What is asked of an index.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// The new texts.
    pub wanted: &'q [Wanted<'q>],
    /// The language of most texts, new and stored.
    pub main: Option<Language>,
    /// The names of stored texts that are left out: new ones are in their place.
    pub replaced: &'q BTreeSet<&'q str>,
    /// The most bits in which the fingerprints differ of texts that share no shingle.
    pub bits: u32,
    /// Texts that are asked for whatever their figures are.
    pub also: &'q TextNumbers,
    /// Whether the contents of the texts are asked for.
    pub with_content: bool,
}

/// A shingle of a segment that a new text may have, and which readings have it.
struct Found {
    key: u64,
    check: u32,
    is_longest: bool,
    readings: Vec<u32>,
}

impl Index {
    /// The stored texts that may be paired with one of some new ones, by the figures of both, and
    /// those that are asked for besides.
    ///
    /// The cost goes with the shingles of the new texts and with the stored texts that have each of them,
    /// and 32 bytes are read of every stored text.
    ///
    /// # Errors
    ///
    /// [`IndexError`].
    pub fn related(
        &self,
        question: &Question<'_>,
        may_be_paired: impl Fn(&Figures) -> bool + Sync,
        threads: NonZeroUsize,
    ) -> Result<Related, IndexError> {
        let Question { wanted, main, replaced, bits, also, with_content } = *question;
        let mut keys: Vec<u64> = wanted.iter().flat_map(|text| text.all).copied().collect();
        keys.sort_unstable();
        keys.dedup();
        let placeholders = Placeholders::new(&keys);
        let mut related = Related::default();
        for (number, segment) in self.opened()?.into_iter().enumerate() {
            let readings = segment.readings()?;
            let found = found(&segment, &keys, threads)?;
            let known = Known { segment: &segment, readings: &readings, main, bits };
            let shared = || (vec![(0_u32, 0_u32); readings.len()], Vec::new());
            let of_each = parallel::each(threads, wanted, shared, |(shared, met), text| {
                known.paired(text, &found, (shared, met), &may_be_paired)
            });
            let mut paired: Vec<(u32, u64, Row)> = of_each.into_iter().flatten().collect();
            let also = also.of_segment(number).iter().flat_map(|text| readings.of_text(*text));
            let also = also.filter_map(|it| readings.get(it).map(|(own, row)| (it, own, row)));
            paired.extend(also.filter(|(.., row)| known.holds(*row)));
            paired.sort_unstable_by_key(|(reading, ..)| *reading);
            paired.dedup_by_key(|(reading, ..)| *reading);
            let own = shared_shingles(&paired, found);
            let texts: Vec<u32> = paired.iter().map(|(.., row)| row.text).collect();
            let stored = paired.iter().zip(segment.texts(&texts)?).zip(own);
            let stored =
                stored.filter(|((_, (text, _)), _)| !replaced.contains(name_of(&text.text)));
            let old_texts = parallel::each(
                threads,
                stored,
                || (),
                |(), ((paired, text), shingles)| {
                    let (reading, fingerprint, row) = *paired;
                    let (mut stored, content) = text;
                    if let Some(content) = content.filter(|_| with_content) {
                        let text = unpacked(&segment.content(content)?);
                        stored.text =
                            text.ok_or_else(|| self.file.damaged("the content of a text"))?;
                    }
                    let place = place_of_reading(&stored, readings.place_in_text(reading));
                    Ok(placeholders.old_text((stored, place), fingerprint, row, shingles))
                },
            );
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
    /// Counts the texts of a segment that are compared, and says which are too short.
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

/// The place of a reading among all of a text, by its number among those that are not too short.
fn place_of_reading(text: &StoredText, number: usize) -> usize {
    let numbered = text.readings.iter().enumerate();
    let mut sketched = numbered.filter(|(_, reading)| reading.short.is_none());
    sketched.nth(number).map_or(0, |(place, _)| place)
}

/// The shingles of a segment whose keys are among those that are sought, or agree with one of them in
/// all that is left of the residue. In the order of their keys; each block is read once.
fn found(
    segment: &Segment<'_>,
    keys: &[u64],
    threads: NonZeroUsize,
) -> Result<Vec<Found>, IndexError> {
    let blocks = segment.list_blocks(List::Shingles)?;
    let residue = |key: u64| key >> Check::BITS;
    let mut numbers = BTreeSet::new();
    for key in keys {
        let [lowest, highest] = [key & !LOW_BITS, key | LOW_BITS];
        // The block before the first that begins with such a key may end with one.
        let from = blocks.partition_point(|(first, _)| *first < lowest).saturating_sub(1);
        let to = blocks.partition_point(|(first, _)| *first <= highest);
        numbers.extend(from..to);
    }
    let of_block = |number: usize| {
        let block = blocks[number];
        // Of the last keys the next block may have more.
        let next = blocks.get(number + 1).map_or(u64::MAX, |(first, _)| *first);
        let from = keys.partition_point(|key| residue(*key) < residue(block.0));
        let to = keys.partition_point(|key| residue(*key) <= residue(next));
        let sought = Sought::among(keys[from..to].iter().map(|key| residue(*key)), residue);
        let mut found = Vec::new();
        segment.postings_of(List::Shingles, block, sought, |posting| {
            let reading = |it: &u64| u32::try_from(*it).unwrap_or(u32::MAX);
            found.push(Found {
                key: posting.key,
                check: posting.tag & !LONGEST,
                is_longest: posting.tag & LONGEST != 0,
                readings: posting.having.iter().map(reading).collect(),
            });
        })?;
        Ok(found)
    };
    let found = parallel::each(threads, numbers, || (), |(), number| of_block(number));
    let found: Vec<Vec<Found>> = found.into_iter().collect::<Result<_, IndexError>>()?;
    Ok(found.into_iter().flatten().collect())
}

/// The bits of a key in which a check is.
const LOW_BITS: u64 = (1 << Check::BITS) - 1;

/// What is known of the readings of a segment.
struct Known<'s> {
    segment: &'s Segment<'s>,
    readings: &'s Readings,
    main: Option<Language>,
    /// The most bits in which the fingerprint of a text that shares nothing differs.
    bits: u32,
}

impl Known<'_> {
    /// The readings that may be paired with a new text, in any order, each with its fingerprint and
    /// row. What each shares is counted in `shared`, which is 0 before and behind.
    fn paired(
        &self,
        text: &Wanted<'_>,
        found: &[Found],
        (shared, met): (&mut [(u32, u32)], &mut Vec<u32>),
        may_be_paired: &impl Fn(&Figures) -> bool,
    ) -> Vec<(u32, u64, Row)> {
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

    /// Whether a reading is one to be compared.
    fn holds(&self, row: Row) -> bool {
        let languages = self.segment.languages(row);
        !self.segment.known.is_removed(row.text)
            && languages.is_some_and(|it| it.hold_for(self.main))
    }
}

/// Counts what each reading shares with a new text: of all sizes, and of the greatest. Those that
/// share something are `met`, each once.
fn count_shared(text: &Wanted<'_>, found: &[Found], shared: &mut [(u32, u32)], met: &mut Vec<u32>) {
    let mut found = found;
    for key in text.all {
        found = &found[found.partition_point(|it| it.key < *key)..];
        let is_longest = text.longest.binary_search(key).is_ok();
        for it in found.iter().take_while(|it| it.key == *key) {
            for reading in &it.readings {
                let Some(counts) = shared.get_mut(*reading as usize) else { continue };
                if counts.0 == 0 {
                    met.push(*reading);
                }
                counts.0 += 1;
                counts.1 += u32::from(is_longest && it.is_longest);
            }
        }
    }
}

/// The shingles that some readings have, of those that were found, in the order of their keys.
fn shared_shingles(readings: &[(u32, u64, Row)], found: Vec<Found>) -> Vec<Vec<Found>> {
    let mut own: Vec<Vec<Found>> = readings.iter().map(|_| Vec::new()).collect();
    for Found { key, check, is_longest, readings: having } in found {
        for reading in having {
            if let Ok(at) = readings.binary_search_by_key(&reading, |it| it.0) {
                own[at].push(Found { key, check, is_longest, readings: Vec::new() });
            }
        }
    }
    own
}

/// Keys that no new text has, nor one that agrees with them in what is left of the residue.
struct Placeholders {
    /// What is left of the residues of the new texts' shingles, increasing.
    taken: Vec<u64>,
}

impl Placeholders {
    fn new(keys: &[u64]) -> Self {
        let mut taken: Vec<u64> = keys.iter().map(|key| key >> Check::BITS).collect();
        taken.dedup();
        Self { taken }
    }

    /// A stored text with its shingles that were found, and keys for the others.
    fn old_text(
        &self,
        (stored, place): (StoredText, usize),
        fingerprint: u64,
        row: Row,
        found: Vec<Found>,
    ) -> OldText {
        let collided = stored.readings.get(place).map_or(&[][..], |it: &Reading| &it.collided);
        let mut known: Vec<(u64, u32, bool)> =
            found.into_iter().map(|it| (it.key, it.check, it.is_longest)).collect();
        known.extend(collided.iter().map(|it| (it.key, it.check, it.is_longest)));
        known.sort_unstable();
        known.dedup_by_key(|shingle| shingle.0);
        let count = |is_longest: bool| known.iter().filter(|it| it.2 == is_longest).count();
        let (shorter, longest) = (count(false), count(true));
        let others = (row.all as usize).saturating_sub(shorter + longest);
        let others_longest = (row.longest as usize).saturating_sub(longest).min(others);
        let own: Vec<u64> = known.iter().map(|it| it.0 >> Check::BITS).collect();
        let is_free =
            |it: &u64| self.taken.binary_search(it).is_err() && own.binary_search(it).is_err();
        let free = (0_u64..).filter(is_free).take(others);
        let placeholders =
            free.zip(0..).map(|(key, at)| (key << Check::BITS, 0, at < others_longest));
        known.extend(placeholders);
        known.sort_unstable();
        let all = known.iter().map(|it| it.0).collect();
        let checks = known.iter().map(|it| it.1).collect();
        let longest = known.iter().filter(|it| it.2).map(|it| it.0).collect();
        OldText { stored, reading: place, fingerprint, all, checks, longest }
    }
}

// The texts that may share a passage with new ones.

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
