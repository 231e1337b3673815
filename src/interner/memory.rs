//! What is remembered of chunks and words, by their bytes.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState as RandomSeed};
use std::hint::select_unpredictable;
use std::ops::Range;

use foldhash::quality::RandomState;

/// How many parts are looked up at a time.
pub(super) const BATCH: usize = 32;

/// The meaning of a chunk or a word, packed into one number so that it can be taken or
/// left without a branch: its stem, if it has one, or the place of the first of several;
/// how many stems it has, and one; how many words it has.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Meaning(u64);

impl Meaning {
    /// The meaning of no part: 0, where the number of stems and one is at least 1.
    pub(super) const UNSEEN: Self = Self(0);

    /// Of at most 64 bytes, so that the counts are small.
    pub(super) fn new(first: u32, stems: u16, words: u16) -> Self {
        Self(u64::from(first) | u64::from(stems + 1) << 32 | u64::from(words) << 48)
    }

    /// The stem, if there is one; where there are more, the place of the first.
    #[expect(clippy::cast_possible_truncation, reason = "its low half")]
    pub(super) fn first(self) -> u32 {
        self.0 as u32
    }

    /// How many stems there are; `usize::MAX` for what was not seen.
    pub(super) fn stems(self) -> usize {
        ((self.0 >> 32 & 0xffff) as usize).wrapping_sub(1)
    }

    /// How many words there are.
    pub(super) fn words(self) -> usize {
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
pub(super) struct Memory {
    /// Parts of up to 8 bytes.
    short: Table<u64>,
    /// Parts of 9 to 16 bytes.
    middle: Table<[u64; 2]>,
    long: HashMap<Box<[u8]>, Meaning, RandomState>,
}

impl Memory {
    /// With capacity for about `parts` short parts, and half as many of up to 16 bytes; it grows
    /// beyond that at the cost of moving all.
    pub(super) fn with_capacity(parts: usize) -> Self {
        Self {
            short: Table::with_capacity(parts),
            middle: Table::with_capacity(parts / 2),
            long: HashMap::default(),
        }
    }

    /// How many parts are remembered.
    pub(super) fn len(&self) -> usize {
        self.short.len() + self.middle.len() + self.long.len()
    }

    /// The meaning of the part of a text at `span`, which is not empty; none where it was
    /// not seen before.
    pub(super) fn recall(&self, text: &str, span: &Range<usize>) -> Option<Meaning> {
        match span.len() {
            0..=8 => self.short.get(short_key(text.as_bytes(), span)),
            9..=16 => self.middle.get(middle_key(text.as_bytes(), span)),
            _ => self.long.get(&text.as_bytes()[span.clone()]).copied(),
        }
    }

    /// Remembers a part that was not seen before.
    pub(super) fn remember(&mut self, text: &str, span: &Range<usize>, meaning: Meaning) {
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
    pub(super) fn glance(&self, text: &str, spans: &[Range<usize>]) -> [Meaning; BATCH] {
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
pub(super) trait Key: Copy + Default + Eq {
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
pub(super) struct Table<K> {
    /// A power of two of slots.
    slots: Vec<(K, Meaning)>,
    used: usize,
    salt: [u64; 2],
}

impl<K: Key> Table<K> {
    pub(super) fn with_capacity(keys: usize) -> Self {
        let salt = RandomSeed::new();
        let slots = (keys * 2).next_power_of_two().clamp(LEAST_SLOTS, MOST_SLOTS_AT_FIRST);
        Self {
            slots: vec![Default::default(); slots],
            used: 0,
            salt: [salt.hash_one(0), salt.hash_one(1)],
        }
    }

    /// How many keys there are.
    pub(super) fn len(&self) -> usize {
        self.used
    }

    /// The meaning of a key, if it is there.
    pub(super) fn get(&self, key: K) -> Option<Meaning> {
        let (there, meaning) = self.slots[self.find(key)];
        (there == key).then_some(meaning)
    }

    /// The meaning of a key that stands in its first slot; unseen where another stands
    /// there, and for a key of 0, which only empty slots have, and those mean nothing.
    pub(super) fn glance(&self, key: K) -> Meaning {
        let (there, meaning) = self.slots[self.first(key)];
        meaning.only_if(there == key)
    }

    /// Adds a key that is not there.
    pub(super) fn insert(&mut self, key: K, meaning: Meaning) {
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
mod tests {
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
