//! The memory of words: a text → its stems, each distinct word analysed once.
//!
//! A text repeats its words: nine megabytes of English have 1.3 million words and 31
//! thousand distinct ones. So a text is cut into chunks, most of them a word; one seen for
//! the first time is split into words, a word seen for the first time goes through the
//! stages, and what came of either is remembered by its bytes. The answer is that of
//! the stages on the whole text, as `pair::trace` takes it; `tests/cli/twins.rs`
//! holds the two equal on any text.

pub mod chunks;
pub mod common_runs;
mod stem_table;

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState as RandomSeed};
use std::hint::select_unpredictable;
use std::ops::Range;

use foldhash::quality::RandomState;

use crate::stems::Stems;
use crate::tokens::{self, Tokens};
use chunks::chunks;
pub use common_runs::Pair;
pub(crate) use common_runs::{ReadPair, read_pair};
pub use stem_table::Check;
pub(crate) use stem_table::Multiplier;
pub(crate) use stem_table::place;
pub use stem_table::{AlreadySalted, Salt, salt, salt_checks};
pub use stem_table::{Spot, WordOffsets};
pub use stem_table::{Stem, StemTable};

/// The longest chunk or word that is remembered, in bytes. Longer ones hardly recur.
const LONGEST_REMEMBERED: usize = 64;

/// By how much the distinct chunks of up to 8 bytes are more than the root of a text's bytes:
/// nine megabytes of English have 21,000, 200 kB have 3,000. New words grow rarer by about
/// that (Heaps 1978). A guess that is wrong costs time and nothing else.
const DISTINCT_CHUNKS_A_ROOT: usize = 7;

/// Bytes of text for each chunk and each word that is remembered at most. Ten megabytes of
/// English have one in three hundred; a text of ever new words gains nothing by more.
const BYTES_A_REMEMBERED: usize = 32;

/// Chunks, and words, that are remembered of texts of any size.
const LEAST_REMEMBERED: usize = 1 << 16;

/// What a text yields: its stems, in order.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct StemSequence {
    /// The number of words.
    pub words: usize,
    /// The stems in order, as places in [`Interner::stems`].
    pub stems: Vec<u32>,
    /// Increasing: the stems that others do not stand right before in the text.
    pub breaks: Vec<usize>,
}

/// What makes the stems of words.
pub trait Stages {
    /// The stems of the words of one written word.
    fn stems(&mut self, words: Tokens, written: &str) -> Stems;

    /// Merges the stems of another one, which has made `others` stems while this one made `own`, and
    /// returns the new place of each of them. Unknown ones follow its own, in their order.
    fn join(&mut self, _others: &Self, [own, others]: [usize; 2]) -> Vec<u32> {
        (own..own + others).map(place).collect()
    }
}

impl<F: FnMut(Tokens, &str) -> Stems> Stages for F {
    fn stems(&mut self, words: Tokens, written: &str) -> Stems {
        self(words, written)
    }
}

/// The words of one or more texts in one language. `S` makes the stems of the words of
/// one written word; it is asked once for each distinct one of at most 64 bytes, as long as
/// there are not too many, and each time for a longer one.
pub struct Interner<S> {
    stages: S,
    chunks: Memory,
    /// The words that are not letters and digits alone; those are chunks.
    words: Memory,
    /// The stems of chunks and words that have more than one.
    several: Vec<u32>,
    stems: StemTable,
    /// How many chunks, and how many words, are remembered at most.
    most: usize,
}

impl<S: Stages> Interner<S> {
    /// An empty interner, for texts of `bytes` bytes together.
    pub fn new(bytes: usize, stages: S) -> Self {
        let chunks = Memory::with_capacity(bytes.isqrt() * DISTINCT_CHUNKS_A_ROOT);
        Self { chunks, ..Self::growing(bytes, stages) }
    }

    /// The same for texts that come one by one, and may be few: it begins small, and grows.
    pub fn growing(bytes: usize, stages: S) -> Self {
        Self {
            stages,
            chunks: Memory::with_capacity(0),
            words: Memory::with_capacity(0),
            several: Vec::new(),
            stems: StemTable::default(),
            most: (bytes / BYTES_A_REMEMBERED).max(LEAST_REMEMBERED),
        }
    }

    /// The stems of the distinct written words of all texts read.
    pub fn stems(&self) -> &StemTable {
        &self.stems
    }

    /// Only the stems, when all is read.
    pub fn into_stems(self) -> StemTable {
        self.stems
    }

    /// The stems and what made them, when all is read.
    pub fn into_parts(self) -> (S, StemTable) {
        (self.stages, self.stems)
    }

    /// What made them.
    pub fn stages(&self) -> &S {
        &self.stages
    }

    /// Reads a text.
    pub fn read(&mut self, text: &str) -> StemSequence {
        self.read_stretches(text, std::iter::once(0..text.len()))
    }

    /// Reads what is left of a text, stretch by stretch.
    pub fn read_stretches(
        &mut self,
        text: &str,
        stretches: impl IntoIterator<Item = Range<usize>>,
    ) -> StemSequence {
        self.read_and_mark(text, stretches, |_, _| {})
    }

    /// Reads what is left of a text, and marks where its words stand.
    pub fn read_with_marks(
        &mut self,
        text: &str,
        stretches: impl IntoIterator<Item = Range<usize>>,
    ) -> (StemSequence, WordOffsets) {
        let mut marks = WordOffsets::default();
        let reading = self.read_and_mark(text, stretches, |words, byte| marks.add(words, byte));
        (reading, marks)
    }

    /// Reads stretches of a text; `mark` is called now and then with a byte and the number of words
    /// before it, and at the end of each stretch.
    fn read_and_mark(
        &mut self,
        text: &str,
        stretches: impl IntoIterator<Item = Range<usize>>,
        mut mark: impl FnMut(usize, usize),
    ) -> StemSequence {
        let mut reading = StemSequence::default();
        for stretch in stretches {
            let stems = reading.stems.len();
            if stems > 0 && reading.breaks.last() != Some(&stems) {
                reading.breaks.push(stems);
            }
            let start = stretch.start;
            self.read_on(&mut reading, &text[stretch.clone()], |words, byte| {
                mark(words, start + byte);
            });
            mark(reading.words, stretch.end);
        }
        reading
    }

    fn read_on(
        &mut self,
        reading: &mut StemSequence,
        text: &str,
        mut mark: impl FnMut(usize, usize),
    ) {
        let mut chunks = chunks(text);
        let mut batch = Vec::with_capacity(BATCH);
        loop {
            batch.clear();
            chunks.fill(&mut batch);
            let Some(first) = batch.first() else { return };
            mark(reading.words, first.start);
            let meanings = self.chunks.glance(text, &batch);
            // Whether a word is a stop word cannot be foreseen: none or one stem is
            // appended without a branch on which.
            let mut stems = [0; BATCH];
            let mut ready = 0;
            for (chunk, meaning) in batch.iter().zip(meanings) {
                if meaning.stems() <= 1 {
                    reading.words += meaning.words();
                    stems[ready] = meaning.first();
                    ready += meaning.stems();
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
        if chunk.len() > LONGEST_REMEMBERED {
            self.split_chunk(reading, text, chunk);
        } else if let Some(meaning) = self.chunks.recall(text, chunk) {
            self.append(reading, meaning);
        } else {
            let before = (reading.words, reading.stems.len());
            self.split_chunk(reading, text, chunk);
            if self.chunks.len() < self.most {
                let meaning = self.meaning_since(reading, before);
                self.chunks.remember(text, chunk, meaning);
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
        } else if word.len() > LONGEST_REMEMBERED {
            self.read_long(reading, &text[word.clone()]);
        } else {
            self.read_alone(reading, text, word);
        }
    }

    /// Reads a written word that is too long to be remembered: where it stands for several, as a
    /// text of ligatures without an end does, each by itself.
    fn read_long(&mut self, reading: &mut StemSequence, written: &str) {
        let are_several = tokens::each_piece(written, |piece| {
            if piece.len() > LONGEST_REMEMBERED {
                self.analyse(reading, piece);
            } else {
                self.read_alone(reading, piece, &(0..piece.len()));
            }
        });
        if !are_several {
            self.analyse(reading, written);
        }
    }

    /// Reads a written word, if it is not too long to be remembered.
    fn read_alone(&mut self, reading: &mut StemSequence, text: &str, word: &Range<usize>) {
        if let Some(meaning) = self.words.recall(text, word) {
            self.append(reading, meaning);
        } else {
            let before = (reading.words, reading.stems.len());
            self.analyse(reading, &text[word.clone()]);
            if self.words.len() < self.most {
                let meaning = self.meaning_since(reading, before);
                self.words.remember(text, word, meaning);
            }
        }
    }

    /// Sends a written word through the stages.
    fn analyse(&mut self, reading: &mut StemSequence, written: &str) {
        let words = tokens::of_word(written);
        reading.words += words.len();
        for stem in self.stages.stems(words, written).iter() {
            reading.stems.push(place(self.stems.stems.len()));
            self.stems.push(stem);
        }
    }

    /// Reads once more what has been read before.
    fn append(&self, reading: &mut StemSequence, meaning: Meaning) {
        reading.words += meaning.words();
        if meaning.stems() == 1 {
            reading.stems.push(meaning.first());
        } else {
            let first = meaning.first() as usize;
            reading.stems.extend_from_slice(&self.several[first..first + meaning.stems()]);
        }
    }

    /// What has been read since there were `words` words and `stems` stems.
    fn meaning_since(&mut self, reading: &StemSequence, (words, stems): (usize, usize)) -> Meaning {
        let count = |n: usize| u16::try_from(n).expect("64 bytes have few words");
        let added = &reading.stems[stems..];
        let first = if let [stem] = added {
            *stem
        } else {
            let first = u32::try_from(self.several.len());
            self.several.extend_from_slice(added);
            first.expect("distinct chunks have fewer than 2^32 stems")
        };
        Meaning::new(first, count(added.len()), count(reading.words - words))
    }
}

// What is remembered of chunks and words, by their bytes.

/// How many parts are looked up at a time.
const BATCH: usize = 32;

/// The meaning of a chunk or a word, packed into one number so that it can be taken or
/// left without a branch: its stem, if it has one, or the place of the first of several;
/// how many stems it has, and one; how many words it has.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct Meaning(u64);

impl Meaning {
    /// The meaning of no part: 0, where the number of stems and one is at least 1.
    const UNSEEN: Self = Self(0);

    /// Of at most 64 bytes, so that the counts are small.
    fn new(first: u32, stems: u16, words: u16) -> Self {
        Self(u64::from(first) | u64::from(stems + 1) << 32 | u64::from(words) << 48)
    }

    /// The stem, if there is one; where there are more, the place of the first.
    #[expect(clippy::cast_possible_truncation, reason = "its low half")]
    fn first(self) -> u32 {
        self.0 as u32
    }

    /// How many stems there are; `usize::MAX` for what was not seen.
    fn stems(self) -> usize {
        ((self.0 >> 32 & 0xffff) as usize).wrapping_sub(1)
    }

    /// How many words there are.
    fn words(self) -> usize {
        (self.0 >> 48) as usize
    }

    /// This, or unseen, without a branch: one would be taken wrong for each word that has
    /// to be looked for further.
    fn only_if(self, is_it: bool) -> Self {
        select_unpredictable(is_it, self, Self::UNSEEN)
    }
}

/// Parts of texts and their stems. Parts of up to 16 bytes, nearly all there are,
/// stand in open tables as numbers; longer ones in a hash map. Tables and map are salted
/// anew in each run, so that no text can be made to collide in them; no answer depends
/// on where things stand.
struct Memory {
    /// Parts of up to 8 bytes.
    short: Table<u64>,
    /// Parts of 9 to 16 bytes.
    middle: Table<[u64; 2]>,
    long: HashMap<Box<[u8]>, Meaning, RandomState>,
}

impl Memory {
    /// With capacity for about `parts` short parts, and half as many of up to 16 bytes; it grows
    /// beyond that at the cost of moving all.
    fn with_capacity(parts: usize) -> Self {
        Self {
            short: Table::with_capacity(parts),
            middle: Table::with_capacity(parts / 2),
            long: HashMap::default(),
        }
    }

    /// How many parts are remembered.
    fn len(&self) -> usize {
        self.short.len() + self.middle.len() + self.long.len()
    }

    /// The meaning of the part of a text at `span`, which is not empty; none where it was
    /// not seen before.
    fn recall(&self, text: &str, span: &Range<usize>) -> Option<Meaning> {
        match span.len() {
            0..=8 => self.short.get(short_key(text.as_bytes(), span)),
            9..=16 => self.middle.get(middle_key(text.as_bytes(), span)),
            _ => self.long.get(&text.as_bytes()[span.clone()]).copied(),
        }
    }

    /// Remembers a part that was not seen before.
    fn remember(&mut self, text: &str, span: &Range<usize>, meaning: Meaning) {
        match span.len() {
            0..=8 => self.short.insert(short_key(text.as_bytes(), span), meaning),
            9..=16 => self.middle.insert(middle_key(text.as_bytes(), span), meaning),
            _ => {
                self.long.insert(text.as_bytes()[span.clone()].into(), meaning);
            }
        }
    }

    /// The stems of at most [`BATCH`] parts, of those that have up to 16 bytes and stand
    /// where they are first looked for; [`Meaning::UNSEEN`] for the others, be they
    /// remembered or not.
    ///
    /// Nothing here depends on what was found for another part, so the processor waits
    /// for all of them at once.
    fn glance(&self, text: &str, spans: &[Range<usize>]) -> [Meaning; BATCH] {
        let bytes = text.as_bytes();
        let mut meanings = [Meaning::UNSEEN; BATCH];
        let (mut middle, mut count) = ([0; BATCH], 0);
        for (k, (meaning, span)) in meanings.iter_mut().zip(spans).enumerate() {
            *meaning = self.short.glance(short_key(bytes, span));
            middle[count % BATCH] = k;
            count += usize::from(matches!(span.len(), 9..=16));
        }
        for &k in &middle[..count] {
            meanings[k] = self.middle.glance(middle_key(bytes, &spans[k]));
        }
        meanings
    }
}

/// Up to 8 bytes as a number, filled up with zeros, and 0 for more. Never 0 for a part
/// that is not empty: no text holds a NUL. There is no branch on the length.
fn short_key(bytes: &[u8], span: &Range<usize>) -> u64 {
    let key = match bytes[span.start..].first_chunk() {
        Some(eight) => u64::from_le_bytes(*eight),
        None => u64::from_le_bytes(filled_up(&bytes[span.start..])),
    };
    let length = span.end - span.start;
    let others = 64_usize.wrapping_sub(8 * length) & 63;
    key & (u64::MAX >> others) & u64::from(length <= 8).wrapping_neg()
}

/// The same of 9 to 16 bytes, as two numbers.
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

// An open table of numbers with linear probing.

/// A key: a number other than 0, which marks an empty slot.
trait Key: Copy + Default + Eq {
    /// 64 bits in which all of the key's count, salted.
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

/// The two halves of the product, one laid over the other.
#[expect(clippy::cast_possible_truncation, reason = "its two halves")]
fn folded_product(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// The slots of a table that is made for few keys.
const LEAST_SLOTS: usize = 256;

/// The slots of a table that is made for many; it grows when they come.
const MOST_SLOTS_AT_FIRST: usize = 1 << 17;

/// Keys and their meanings, at most three in four slots.
struct Table<K> {
    /// A power of two of slots.
    slots: Vec<(K, Meaning)>,
    used: usize,
    salt: [u64; 2],
}

impl<K: Key> Table<K> {
    fn with_capacity(keys: usize) -> Self {
        let salt = RandomSeed::new();
        let slots = (keys * 2).next_power_of_two().clamp(LEAST_SLOTS, MOST_SLOTS_AT_FIRST);
        Self {
            slots: vec![Default::default(); slots],
            used: 0,
            salt: [salt.hash_one(0), salt.hash_one(1)],
        }
    }

    /// How many keys there are.
    fn len(&self) -> usize {
        self.used
    }

    /// The meaning of a key, if it is there.
    fn get(&self, key: K) -> Option<Meaning> {
        let (there, meaning) = self.slots[self.find(key)];
        (there == key).then_some(meaning)
    }

    /// The meaning of a key that stands in its first slot; unseen where another stands
    /// there, and for a key of 0, which only empty slots have, and those mean nothing.
    fn glance(&self, key: K) -> Meaning {
        let (there, meaning) = self.slots[self.first(key)];
        meaning.only_if(there == key)
    }

    /// Adds a key that is not there.
    fn insert(&mut self, key: K, meaning: Meaning) {
        if (self.used + 1) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        let at = self.find(key);
        self.slots[at] = (key, meaning);
        self.used += 1;
    }

    /// The slot where a key is first looked for.
    #[expect(clippy::cast_possible_truncation, reason = "only the low bits count")]
    fn first(&self, key: K) -> usize {
        key.mixed(self.salt) as usize & (self.slots.len() - 1)
    }

    /// The slot of a key, or the empty one where it belongs.
    fn find(&self, key: K) -> usize {
        let mut at = self.first(key);
        while self.slots[at].0 != key && self.slots[at].0 != K::default() {
            at = (at + 1) & (self.slots.len() - 1);
        }
        at
    }

    fn grow(&mut self) {
        let larger = vec![Default::default(); self.slots.len() * 2];
        for (key, meaning) in std::mem::replace(&mut self.slots, larger) {
            if key != K::default() {
                let at = self.find(key);
                self.slots[at] = (key, meaning);
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
        /// Parts of all lengths, at the text's end too, against a plain map.
        #[test]
        fn memory_agrees_with_a_map(text in "[ab]{1,24}") {
            let mut memory = Memory::with_capacity(0);
            let mut map: HashMap<&str, Meaning> = HashMap::new();
            for end in 1..=text.len() {
                for start in 0..end {
                    let span = start..end;
                    let part = &text[span.clone()];
                    prop_assert_eq!(memory.recall(&text, &span), map.get(part).copied());
                    let glance = memory.glance(&text, std::slice::from_ref(&span))[0];
                    prop_assert!(glance == Meaning::UNSEEN || Some(glance) == map.get(part).copied());
                    if !map.contains_key(part) {
                        let meaning = Meaning::new(u32::try_from(map.len()).unwrap(), 1, 1);
                        memory.remember(&text, &span, meaning);
                        map.insert(part, meaning);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
