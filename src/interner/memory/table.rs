//! An open table of numbers with linear probing.

use std::hash::{BuildHasher, RandomState};

use super::Meaning;

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
    pub(super) fn with_room_for(keys: usize) -> Self {
        let salt = RandomState::new();
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
