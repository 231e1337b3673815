//! What is remembered of chunks and words, by their bytes.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

/// The longest key that is kept in the table itself, in bytes.
const SHORT: usize = 16;

/// What a chunk or a word comes to.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Meaning {
    /// Its stem, if there is one; where there are more, the place of the first.
    pub(super) first: u32,
    /// How many stems it has.
    pub(super) stems: u16,
    /// How many words it has.
    pub(super) words: u16,
}

/// Parts of a text and what they come to. Parts of up to 16 bytes, nearly all there are,
/// stand in an open table with linear probing, as numbers; longer ones in a hash map.
///
/// No text can be made to collide in it: the table is salted anew in each run, and no
/// answer depends on where things stand.
pub(super) struct Memory<'t> {
    bytes: &'t [u8],
    slots: Vec<Slot>,
    used: usize,
    salt: [u64; 2],
    long: HashMap<&'t [u8], Meaning>,
}

/// A key of up to 16 bytes, filled up with zeros; empty where it is 0, which no part of
/// a text is, since a text holds no NUL.
#[derive(Clone, Copy, Default)]
struct Slot {
    low: u64,
    high: u64,
    meaning: Meaning,
}

impl<'t> Memory<'t> {
    /// Remembers parts of `text`, which has no NUL.
    pub(super) fn new(text: &'t str) -> Self {
        let salt = RandomState::new();
        Self {
            bytes: text.as_bytes(),
            slots: vec![Slot::default(); 256],
            used: 0,
            salt: [salt.hash_one(0), salt.hash_one(1)],
            long: HashMap::new(),
        }
    }

    /// What the part at `span` comes to; none where it was not seen before. The part is
    /// not empty.
    pub(super) fn recall(&self, span: &Range<usize>) -> Option<Meaning> {
        if span.len() > SHORT {
            return self.long.get(&self.bytes[span.clone()]).copied();
        }
        let (low, high) = self.key(span);
        let slot = &self.slots[self.find(low, high)];
        (slot.low != 0).then_some(slot.meaning)
    }

    /// Remembers a part that was not seen before.
    pub(super) fn remember(&mut self, span: &Range<usize>, meaning: Meaning) {
        if span.len() > SHORT {
            self.long.insert(&self.bytes[span.clone()], meaning);
            return;
        }
        if (self.used + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let (low, high) = self.key(span);
        let at = self.find(low, high);
        self.slots[at] = Slot { low, high, meaning };
        self.used += 1;
    }

    /// The bytes of a part as two numbers.
    fn key(&self, span: &Range<usize>) -> (u64, u64) {
        let sixteen = match self.bytes[span.start..].first_chunk::<SHORT>() {
            Some(sixteen) => *sixteen,
            None => {
                let mut sixteen = [0; SHORT];
                sixteen[..span.len()].copy_from_slice(&self.bytes[span.clone()]);
                sixteen
            }
        };
        let key = u128::from_le_bytes(sixteen) & u128::MAX >> (8 * (SHORT - span.len()));
        (key as u64, (key >> 64) as u64)
    }

    /// The slot of a key, or the empty one where it belongs.
    fn find(&self, low: u64, high: u64) -> usize {
        let mask = self.slots.len() - 1;
        let product = u128::from(low ^ self.salt[0]) * u128::from(high ^ self.salt[1]);
        let mut at = (product as u64 ^ (product >> 64) as u64) as usize & mask;
        loop {
            let slot = &self.slots[at];
            if slot.low == low && slot.high == high || slot.low == 0 {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// Doubles the table twice.
    fn grow(&mut self) {
        let larger = vec![Slot::default(); self.slots.len() * 4];
        for slot in std::mem::replace(&mut self.slots, larger) {
            if slot.low != 0 {
                let at = self.find(slot.low, slot.high);
                self.slots[at] = slot;
            }
        }
    }
}
