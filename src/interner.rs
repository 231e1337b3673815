//! The interner: turns a text into its stems and analyses each distinct word only once.
//!
//! A text repeats its words: nine megabytes of English have 1.3 million words, of which 31 thousand
//! are distinct. So a text is cut into chunks, most of which are one word. A chunk that is seen for
//! the first time is split into words, and a word that is seen for the first time goes through the
//! stages. The results of both are cached by their bytes. The answer is the same as that of running
//! the stages on the entire text, as `pair::trace` does; `tests/cli/twins.rs` checks that the two
//! agree on any text.

pub mod chunks;
pub mod common_runs;
pub(crate) mod numbers;
mod stem_table;

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState as RandomSeed};
use std::hint::select_unpredictable;
use std::ops::Range;

use foldhash::quality::RandomState;

use crate::stems::Stems;
use crate::tokens::{self, Tokens};
use chunks::chunks;
pub use common_runs::StemPair;
pub(crate) use common_runs::{ReadPair, read_pair};
pub use stem_table::Check;
pub(crate) use stem_table::Multiplier;
pub(crate) use stem_table::place;
pub use stem_table::{AlreadySalted, Salt, salt, salt_checks};
pub use stem_table::{Spot, WordOffsets};
pub use stem_table::{Stem, StemTable};

/// The length in bytes of the longest chunk or word that is cached. Longer ones hardly ever recur.
const MAX_CACHED_LENGTH: usize = 64;

/// The estimated number of distinct chunks of up to 8 bytes, divided by the square root of the size
/// of the text in bytes.
///
/// Nine megabytes of English have 21,000 such chunks, 200 kB have 3,000. The number of distinct
/// words grows about as the square root of the length of a text (Heaps 1978). A wrong estimate
/// costs time and nothing else.
const DISTINCT_CHUNKS_PER_ROOT: usize = 7;

/// The minimum number of bytes of text per cached chunk and per cached word: it bounds the size of
/// each cache by the size of the text.
///
/// Ten megabytes of English have one distinct chunk or word for every three hundred bytes. A text
/// of ever new words gains nothing from a larger cache.
const BYTES_PER_ENTRY: usize = 32;

/// The number of chunks, and of words, that may be cached for a text of any size.
const MIN_ENTRIES: usize = 1 << 16;

/// The stems of a text, in order.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct StemSequence {
    /// The number of words, stop words included.
    pub words: usize,
    /// The stems in order, as indices into [`Interner::stems`].
    pub stems: Vec<u32>,
    /// The indices in `stems` of the stems that follow a gap in the text, increasing. A gap is a
    /// part that was excluded, or the end of a file. The first stem of the text is never one of
    /// them.
    pub breaks: Vec<usize>,
}

/// Splits a text of `words` words at its breaks, the words that follow a gap. The last stretch may be
/// empty.
pub fn stretches(breaks: &[usize], words: usize) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    breaks.iter().copied().chain([words]).map(move |end| std::mem::replace(&mut start, end)..end)
}

/// The stages that turn words into stems.
pub trait Stages {
    /// Returns the stems of the words that one written word stands for.
    fn stems(&mut self, words: Tokens, written: &str) -> Stems;

    /// Merges the state of `_others`, which has made `others` stems while this one has made `own`.
    /// Returns the new index of each of those stems. Stems that are not known here follow the own
    /// ones, in their order.
    fn join(&mut self, _others: &Self, [own, others]: [usize; 2]) -> Vec<u32> {
        (own..own + others).map(place).collect()
    }
}

impl<F: FnMut(Tokens, &str) -> Stems> Stages for F {
    fn stems(&mut self, words: Tokens, written: &str) -> Stems {
        self(words, written)
    }
}

/// An interner for the words of one or more texts in one language.
///
/// `S` makes the stems of the words that one written word stands for. It is called once for each
/// distinct written word of at most 64 bytes, as long as the cache is not full, and every time for
/// a longer one.
pub struct Interner<S> {
    stages: S,
    chunks: StemMemory,
    /// The words that do not consist of letters and digits only; a word that does is cached as a
    /// chunk.
    words: StemMemory,
    /// The stems of the chunks and words that have more than one stem.
    several: Vec<u32>,
    stems: StemTable,
    /// The largest number of chunks, and of words, that are cached.
    max_entries: usize,
}

impl<S: Stages> Interner<S> {
    /// Creates an empty interner for texts of `bytes` bytes in total.
    pub fn new(bytes: usize, stages: S) -> Self {
        let chunks = StemMemory::with_capacity(bytes.isqrt() * DISTINCT_CHUNKS_PER_ROOT);
        Self { chunks, ..Self::growing(bytes, stages) }
    }

    /// Same as [`new`](Self::new), but for texts that arrive one by one and may be few: its tables
    /// start small and grow.
    pub fn growing(bytes: usize, stages: S) -> Self {
        Self {
            stages,
            chunks: StemMemory::with_capacity(0),
            words: StemMemory::with_capacity(0),
            several: Vec::new(),
            stems: StemTable::default(),
            max_entries: (bytes / BYTES_PER_ENTRY).max(MIN_ENTRIES),
        }
    }

    /// Returns the stems of the distinct written words of all texts read so far.
    pub fn stems(&self) -> &StemTable {
        &self.stems
    }

    /// Returns only the stems, when all texts are read.
    pub fn into_stems(self) -> StemTable {
        self.stems
    }

    /// Returns the stages and the stems that they made, when all texts are read.
    pub fn into_parts(self) -> (S, StemTable) {
        (self.stages, self.stems)
    }

    /// Returns the stages.
    pub fn stages(&self) -> &S {
        &self.stages
    }

    /// Reads a text and returns its stems.
    pub fn read(&mut self, text: &str) -> StemSequence {
        self.read_stretches(text, std::iter::once(0..text.len()))
    }

    /// Reads the given stretches of a text, which remain after parts of it were excluded.
    pub fn read_stretches(
        &mut self,
        text: &str,
        stretches: impl IntoIterator<Item = Range<usize>>,
    ) -> StemSequence {
        self.read_recording(text, stretches, |_, _| {})
    }

    /// Same as [`read_stretches`](Self::read_stretches), but also records the offsets of words.
    pub fn read_with_offsets(
        &mut self,
        text: &str,
        stretches: impl IntoIterator<Item = Range<usize>>,
    ) -> (StemSequence, WordOffsets) {
        let mut offsets = WordOffsets::default();
        let reading = self.read_recording(text, stretches, |words, byte| offsets.add(words, byte));
        (reading, offsets)
    }

    /// Reads stretches of a text. `record` is called with the number of words read so far and the
    /// byte offset reached: at the start of each batch of chunks, and at the end of each stretch.
    fn read_recording(
        &mut self,
        text: &str,
        stretches: impl IntoIterator<Item = Range<usize>>,
        mut record: impl FnMut(usize, usize),
    ) -> StemSequence {
        let mut reading = StemSequence::default();
        for stretch in stretches {
            let stems = reading.stems.len();
            if stems > 0 && reading.breaks.last() != Some(&stems) {
                reading.breaks.push(stems);
            }
            let start = stretch.start;
            self.read_on(&mut reading, &text[stretch.clone()], |words, byte| {
                record(words, start + byte);
            });
            record(reading.words, stretch.end);
        }
        reading
    }

    fn read_on(
        &mut self,
        reading: &mut StemSequence,
        text: &str,
        mut record: impl FnMut(usize, usize),
    ) {
        let mut chunks = chunks(text);
        let mut batch = Vec::with_capacity(BATCH);
        loop {
            batch.clear();
            chunks.fill(&mut batch);
            let Some(first) = batch.first() else { return };
            record(reading.words, first.start);
            let entries = self.chunks.probe_first_slot(text, &batch);
            // The processor cannot predict which words are stop words: zero or one stem is appended
            // without branching on it.
            let mut stems = [0; BATCH];
            let mut ready = 0;
            for (chunk, entry) in batch.iter().zip(entries) {
                if entry.stems() <= 1 {
                    reading.words += entry.words();
                    stems[ready] = entry.first();
                    ready += entry.stems();
                } else {
                    reading.stems.extend_from_slice(&stems[..ready]);
                    ready = 0;
                    self.read_chunk(reading, text, chunk);
                }
            }
            reading.stems.extend_from_slice(&stems[..ready]);
        }
    }

    fn read_chunk(&mut self, reading: &mut StemSequence, text: &str, chunk: &Range<usize>) {
        if chunk.len() > MAX_CACHED_LENGTH {
            self.split_chunk(reading, text, chunk);
        } else if let Some(entry) = self.chunks.get(text, chunk) {
            self.append(reading, entry);
        } else {
            let before = (reading.words, reading.stems.len());
            self.split_chunk(reading, text, chunk);
            if self.chunks.len() < self.max_entries {
                let entry = self.cache_entry_since(reading, before);
                self.chunks.insert(text, chunk, entry);
            }
        }
    }

    /// Reads a chunk word by word.
    fn split_chunk(&mut self, reading: &mut StemSequence, text: &str, chunk: &Range<usize>) {
        let written = &text[chunk.clone()];
        if tokens::is_lone_word(written) {
            self.analyse(reading, written);
        } else {
            for word in tokens::spans(written) {
                self.read_word(reading, text, &(chunk.start + word.start..chunk.start + word.end));
            }
        }
    }

    fn read_word(&mut self, reading: &mut StemSequence, text: &str, word: &Range<usize>) {
        if tokens::is_lone_word(&text[word.clone()]) {
            self.read_chunk(reading, text, word);
        } else if word.len() > MAX_CACHED_LENGTH {
            self.read_long(reading, &text[word.clone()]);
        } else {
            self.read_alone(reading, text, word);
        }
    }

    /// Reads a written word that is too long to be cached. If it stands for several words, as an
    /// endless run of ligatures does, each of them is read by itself.
    fn read_long(&mut self, reading: &mut StemSequence, written: &str) {
        let are_several = tokens::each_piece(written, |piece| {
            if piece.len() > MAX_CACHED_LENGTH {
                self.analyse(reading, piece);
            } else {
                self.read_alone(reading, piece, &(0..piece.len()));
            }
        });
        if !are_several {
            self.analyse(reading, written);
        }
    }

    /// Reads a written word that is not too long to be cached.
    fn read_alone(&mut self, reading: &mut StemSequence, text: &str, word: &Range<usize>) {
        if let Some(entry) = self.words.get(text, word) {
            self.append(reading, entry);
        } else {
            let before = (reading.words, reading.stems.len());
            self.analyse(reading, &text[word.clone()]);
            if self.words.len() < self.max_entries {
                let entry = self.cache_entry_since(reading, before);
                self.words.insert(text, word, entry);
            }
        }
    }

    /// Runs a written word through the stages and appends its stems.
    fn analyse(&mut self, reading: &mut StemSequence, written: &str) {
        let words = tokens::split_word(written);
        reading.words += words.len();
        for stem in self.stages.stems(words, written).iter() {
            reading.stems.push(place(self.stems.stems.len()));
            self.stems.push(stem);
        }
    }

    /// Appends the stems of a chunk or word that is in the cache.
    fn append(&self, reading: &mut StemSequence, entry: CachedStems) {
        reading.words += entry.words();
        if entry.stems() == 1 {
            reading.stems.push(entry.first());
        } else {
            let first = entry.first() as usize;
            reading.stems.extend_from_slice(&self.several[first..first + entry.stems()]);
        }
    }

    /// Returns the entry of what was read since there were `words` words and `stems` stems.
    fn cache_entry_since(
        &mut self,
        reading: &StemSequence,
        (words, stems): (usize, usize),
    ) -> CachedStems {
        let count = |n: usize| u16::try_from(n).expect("64 bytes have few words");
        let added = &reading.stems[stems..];
        let first = if let [stem] = added {
            *stem
        } else {
            let first = u32::try_from(self.several.len());
            self.several.extend_from_slice(added);
            first.expect("distinct chunks have fewer than 2^32 stems")
        };
        CachedStems::new(first, count(added.len()), count(reading.words - words))
    }
}

// The caches of chunks and words, by their bytes.

/// The number of chunks that are looked up at a time.
const BATCH: usize = 32;

/// The cached stems of a chunk or word, packed into one number so that it can be selected without a
/// branch.
///
/// The low 32 bits are its stem, if it has exactly one, or else the index of the first of them in
/// [`Interner::several`]. The next 16 bits are its number of stems plus one, the highest 16 bits
/// its number of words.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct CachedStems(u64);

impl CachedStems {
    /// The value for a part that is not in the cache: 0. No entry is it, because the number of
    /// stems plus one is at least 1.
    const MISSING: Self = Self(0);

    /// Packs the entry of a part of at most 64 bytes, so that both counts fit.
    fn new(first: u32, stems: u16, words: u16) -> Self {
        Self(u64::from(first) | u64::from(stems + 1) << 32 | u64::from(words) << 48)
    }

    /// Returns the stem if there is exactly one, or else the index of the first one in
    /// [`Interner::several`].
    #[expect(clippy::cast_possible_truncation, reason = "its low half")]
    fn first(self) -> u32 {
        self.0 as u32
    }

    /// Returns the number of stems; `usize::MAX` for a part that is not in the cache.
    fn stems(self) -> usize {
        ((self.0 >> 32 & 0xffff) as usize).wrapping_sub(1)
    }

    fn words(self) -> usize {
        (self.0 >> 48) as usize
    }
}

/// A cache from parts of texts, chunks or words, to their entries.
///
/// Parts of up to 16 bytes, which are nearly all, are stored as numbers in tables with open
/// addressing; longer ones are in a hash map. Tables and map are salted anew in each run, so that
/// no text can be constructed to collide in them. No answer depends on where an entry is stored.
struct StemMemory {
    /// Parts of up to 8 bytes.
    short: StemCacheTable<u64>,
    /// Parts of 9 to 16 bytes.
    middle: StemCacheTable<[u64; 2]>,
    long: HashMap<Box<[u8]>, CachedStems, RandomState>,
}

impl StemMemory {
    /// Creates a cache with capacity for about `parts` parts of up to 8 bytes, and half as many of
    /// up to 16. It grows beyond that, at the cost of moving all entries.
    fn with_capacity(parts: usize) -> Self {
        Self {
            short: StemCacheTable::with_capacity(parts),
            middle: StemCacheTable::with_capacity(parts / 2),
            long: HashMap::default(),
        }
    }

    /// Returns the number of cached parts.
    fn len(&self) -> usize {
        self.short.len() + self.middle.len() + self.long.len()
    }

    /// Returns the entry of the part of a text at `span`, which must not be empty; `None` if it
    /// is not in the cache.
    fn get(&self, text: &str, span: &Range<usize>) -> Option<CachedStems> {
        match span.len() {
            0..=8 => self.short.get(short_key(text.as_bytes(), span)),
            9..=16 => self.middle.get(middle_key(text.as_bytes(), span)),
            _ => self.long.get(&text.as_bytes()[span.clone()]).copied(),
        }
    }

    /// Adds a part that is not in the cache.
    fn insert(&mut self, text: &str, span: &Range<usize>, entry: CachedStems) {
        match span.len() {
            0..=8 => self.short.insert(short_key(text.as_bytes(), span), entry),
            9..=16 => self.middle.insert(middle_key(text.as_bytes(), span), entry),
            _ => {
                self.long.insert(text.as_bytes()[span.clone()].into(), entry);
            }
        }
    }

    /// Returns the entries of at most [`BATCH`] parts, as far as they have up to 16 bytes and are
    /// in the slot where they are first looked for; [`CachedStems::MISSING`] for all others,
    /// whether they are cached or not.
    ///
    /// No lookup depends on the result of another, so the processor waits for all of them at once.
    fn probe_first_slot(&self, text: &str, spans: &[Range<usize>]) -> [CachedStems; BATCH] {
        let bytes = text.as_bytes();
        let mut entries = [CachedStems::MISSING; BATCH];
        let (mut middle, mut count) = ([0; BATCH], 0);
        for (k, (entry, span)) in entries.iter_mut().zip(spans).enumerate() {
            *entry = self.short.probe_first_slot(short_key(bytes, span));
            middle[count % BATCH] = k;
            count += usize::from(matches!(span.len(), 9..=16));
        }
        for &k in &middle[..count] {
            entries[k] = self.middle.probe_first_slot(middle_key(bytes, &spans[k]));
        }
        entries
    }
}

/// Returns up to 8 bytes as a number, padded with zeros; 0 if there are more. It is never 0 for 1
/// to 8 bytes, because no text contains a NUL. It does not branch on the length, except near the
/// end of the text.
fn short_key(bytes: &[u8], span: &Range<usize>) -> u64 {
    let key = match bytes[span.start..].first_chunk() {
        Some(eight) => u64::from_le_bytes(*eight),
        None => u64::from_le_bytes(filled_up(&bytes[span.start..])),
    };
    let length = span.end - span.start;
    let others = 64_usize.wrapping_sub(8 * length) & 63;
    key & (u64::MAX >> others) & u64::from(length <= 8).wrapping_neg()
}

/// Same as [`short_key`], but for 9 to 16 bytes, as two numbers.
fn middle_key(bytes: &[u8], span: &Range<usize>) -> [u64; 2] {
    let sixteen = match bytes[span.start..].first_chunk::<16>() {
        Some(sixteen) => *sixteen,
        None => filled_up(&bytes[span.clone()]),
    };
    let (eights, _) = sixteen.as_chunks::<8>();
    let [first, second] = [eights[0], eights[1]].map(u64::from_le_bytes);
    [first, second & (u64::MAX >> (8 * (16 - span.len())))]
}

fn filled_up<const SIZE: usize>(bytes: &[u8]) -> [u8; SIZE] {
    let mut filled = [0; SIZE];
    filled[..bytes.len()].copy_from_slice(bytes);
    filled
}

// An open-addressing table of numbers, with linear probing.

/// A key of a [`StemCacheTable`]: a number other than 0, which marks an empty slot.
trait Key: Copy + Default + Eq {
    /// Returns a salted 64-bit hash that depends on all bits of the key.
    fn mixed(self, salt: [u64; 2]) -> u64;
}

impl Key for u64 {
    fn mixed(self, salt: [u64; 2]) -> u64 {
        folded_product(self ^ salt[0], salt[1])
    }
}

impl Key for [u64; 2] {
    fn mixed(self, salt: [u64; 2]) -> u64 {
        folded_product(self[0] ^ salt[0], self[1] ^ salt[1])
    }
}

/// Returns the two halves of the product, combined by exclusive or.
#[expect(clippy::cast_possible_truncation, reason = "its two halves")]
fn folded_product(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// The smallest number of slots of a new table.
const MIN_SLOTS: usize = 256;

/// The largest number of slots of a new table; it grows beyond that as keys are added.
const MAX_SLOTS_AT_FIRST: usize = 1 << 17;

/// A map from keys to entries, which fills at most three quarters of its slots.
///
/// It is not a general hash table because a batch of chunks probes only
/// [first slots](Self::probe_first_slot), without a branch, so that the waits for memory overlap.
/// When batches and tables of numbers were introduced, two texts of 9.1 MB went from 1.9 to 1.5
/// times the time of `wc -w`.
struct StemCacheTable<K> {
    /// The slots; their number is a power of two.
    slots: Vec<(K, CachedStems)>,
    used: usize,
    salt: [u64; 2],
}

impl<K: Key> StemCacheTable<K> {
    fn with_capacity(keys: usize) -> Self {
        let salt = RandomSeed::new();
        let slots = (keys * 2).next_power_of_two().clamp(MIN_SLOTS, MAX_SLOTS_AT_FIRST);
        Self {
            slots: vec![Default::default(); slots],
            used: 0,
            salt: [salt.hash_one(0), salt.hash_one(1)],
        }
    }

    fn len(&self) -> usize {
        self.used
    }

    /// Returns the entry of a key; `None` if the table does not contain it.
    fn get(&self, key: K) -> Option<CachedStems> {
        let (there, entry) = self.slots[self.find(key)];
        (there == key).then_some(entry)
    }

    /// Returns the entry of a key if it is in its first slot, [`CachedStems::MISSING`] otherwise.
    /// A key of 0 yields that, too: only empty slots have it, and [`CachedStems::MISSING`] is their
    /// entry. It does not branch: a branch would be mispredicted for every word that needs a further
    /// lookup.
    fn probe_first_slot(&self, key: K) -> CachedStems {
        let (there, entry) = self.slots[self.first(key)];
        select_unpredictable(there == key, entry, CachedStems::MISSING)
    }

    /// Adds a key that the table does not contain.
    fn insert(&mut self, key: K, entry: CachedStems) {
        if (self.used + 1) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        let at = self.find(key);
        self.slots[at] = (key, entry);
        self.used += 1;
    }

    /// Returns the slot where a key is first looked for.
    #[expect(clippy::cast_possible_truncation, reason = "only the low bits count")]
    fn first(&self, key: K) -> usize {
        key.mixed(self.salt) as usize & (self.slots.len() - 1)
    }

    /// Returns the slot of a key, or the empty slot where it belongs.
    fn find(&self, key: K) -> usize {
        let mut at = self.first(key);
        while self.slots[at].0 != key && self.slots[at].0 != K::default() {
            at = (at + 1) & (self.slots.len() - 1);
        }
        at
    }

    fn grow(&mut self) {
        let larger = vec![Default::default(); self.slots.len() * 2];
        for (key, entry) in std::mem::replace(&mut self.slots, larger) {
            if key != K::default() {
                let at = self.find(key);
                self.slots[at] = (key, entry);
            }
        }
    }
}

#[cfg(test)]
mod memory_tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Parts of all lengths, also at the end of the text, against a plain map.
        #[test]
        fn memory_agrees_with_a_map(text in "[ab]{1,24}") {
            let mut memory = StemMemory::with_capacity(0);
            let mut map: HashMap<&str, CachedStems> = HashMap::new();
            for end in 1..=text.len() {
                for start in 0..end {
                    let span = start..end;
                    let part = &text[span.clone()];
                    prop_assert_eq!(memory.get(&text, &span), map.get(part).copied());
                    let probe_first_slot = memory.probe_first_slot(&text, std::slice::from_ref(&span))[0];
                    prop_assert!(probe_first_slot == CachedStems::MISSING || Some(probe_first_slot) == map.get(part).copied());
                    if !map.contains_key(part) {
                        let entry = CachedStems::new(u32::try_from(map.len()).unwrap(), 1, 1);
                        memory.insert(&text, &span, entry);
                        map.insert(part, entry);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
