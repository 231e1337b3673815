//! Keys that may be there: it spares the sorting of what only one text has.

/// A set of keys that says of some that they are there though they are not, and never the other
/// way round (Bloom 1970, with two bits of one word for each).
pub(super) struct Keys(Vec<u64>);

impl Keys {
    /// Bits for each key, so that one in twenty of those that are not there seems to be.
    const BITS: usize = 8;

    /// None yet, of about so many.
    pub(super) fn with_room_for(keys: usize) -> Self {
        Self(vec![0; (keys * Self::BITS / 64).next_power_of_two()])
    }

    /// Where a key's bits are, from the part of the key that is mixed best.
    fn place(&self, key: u64) -> (usize, u64) {
        let place = usize::try_from(key >> 38).unwrap_or_default();
        (place % self.0.len(), 1 << (key >> 32 & 63) | 1 << (key >> 26 & 63))
    }

    pub(super) fn add(&mut self, key: u64) {
        let (place, bits) = self.place(key);
        self.0[place] |= bits;
    }

    /// Whether a key may be there; it is not where this says no.
    pub(super) fn may_have(&self, key: u64) -> bool {
        let (place, bits) = self.place(key);
        self.0[place] & bits == bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys that are mixed well.
    fn mixed(range: std::ops::Range<u64>) -> impl Iterator<Item = u64> {
        range.map(|number| (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    #[test]
    fn what_is_there_is_found_and_most_of_what_is_not_is_told_from_it() {
        for count in [0, 1, 8, 1000] {
            let mut keys = Keys::with_room_for(usize::try_from(count).unwrap());
            mixed(0..count).for_each(|key| keys.add(key));
            assert!(mixed(0..count).all(|key| keys.may_have(key)), "{count} keys");
        }
        let mut keys = Keys::with_room_for(1000);
        mixed(0..1000).for_each(|key| keys.add(key));
        let wrong = mixed(1000..2000).filter(|key| keys.may_have(*key)).count();
        assert!(wrong < 100, "{wrong} of 1,000");
        assert!(!mixed(0..1000).any(|key| Keys::with_room_for(0).may_have(key)), "an empty one");
    }
}
