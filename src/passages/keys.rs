//! Sets, sorting and counting of keys. First, a set of keys that may be present: entries that only
//! one text has need not be sorted.

/// A Bloom filter (Bloom 1970), with two bits of one word for each key: it reports some keys as
/// present that are not, but never the other way round.
pub(super) struct BloomFilter(Vec<u64>);

impl BloomFilter {
    /// The number of bits per key, with which one in twenty absent keys is reported as present.
    const BITS_PER_KEY: usize = 8;

    /// Returns an empty set with capacity for about `keys` keys.
    pub(super) fn with_capacity(keys: usize) -> Self {
        Self(vec![0; (keys * Self::BITS_PER_KEY / 64).next_power_of_two()])
    }

    /// Returns the index of the word for a key, and the bits of the key in it, from the best mixed
    /// bits of the key.
    fn place(&self, key: u64) -> (usize, u64) {
        let place = usize::try_from(key >> 38).unwrap_or_default();
        (place % self.0.len(), 1 << (key >> 32 & 63) | 1 << (key >> 26 & 63))
    }

    pub(super) fn add(&mut self, key: u64) {
        let (place, bits) = self.place(key);
        self.0[place] |= bits;
    }

    /// Reports whether a key may be present. If not, it is certainly absent.
    pub(super) fn may_have(&self, key: u64) -> bool {
        let (place, bits) = self.place(key);
        self.0[place] & bits == bits
    }
}

// A radix sort of numbers, which is faster than sorting by comparison if there are many.

/// The number of different digits.
const RADIX: usize = 1 << 11;

/// The smallest number of numbers for which the radix sort is used, since it is faster.
const MIN_FOR_RADIX_SORT: usize = if cfg!(test) { 1 << 4 } else { 1 << 11 };

/// Sorts numbers that are already in the order of their lowest `known` bits, which must be fewer
/// than 64. The cost is linear in the number of numbers, for each digit in which they differ.
pub(super) fn sort(numbers: &mut Vec<u64>, known: u32) {
    if numbers.len() < MIN_FOR_RADIX_SORT {
        numbers.sort_unstable();
        return;
    }
    let (all, any) =
        numbers.iter().fold((u64::MAX, 0), |(all, any), number| (all & number, any | number));
    let mut differ = (any & !all) >> known << known;
    let mut sorted = vec![0; numbers.len()];
    while differ != 0 {
        let shift = differ.trailing_zeros();
        let mask = RADIX as u64 - 1;
        let digit = |number: u64| usize::try_from(number >> shift & mask).unwrap_or_default();
        let mut places = [0; RADIX];
        for number in &*numbers {
            places[digit(*number)] += 1;
        }
        let mut before = 0;
        for place in &mut places {
            let count = *place;
            *place = before;
            before += count;
        }
        for number in &*numbers {
            let place = &mut places[digit(*number)];
            sorted[*place] = *number;
            *place += 1;
        }
        std::mem::swap(numbers, &mut sorted);
        differ &= !(mask << shift);
    }
}

// A cache of recent keys, so that what recurs too often to be useful is not kept.

/// Keys in slots, each with the number of times that it was met since it took its slot from another
/// key.
pub(super) struct RecentKeyCache(Vec<(u64, u32)>);

impl RecentKeyCache {
    /// The largest number of slots: as many as the fastest processor cache holds.
    const MAX_SLOTS: usize = if cfg!(test) { 1 << 2 } else { 1 << 10 };

    /// Returns an empty cache for about `keys` keys.
    pub(super) fn with_capacity(keys: usize) -> Self {
        Self(vec![(0, 0); keys.next_power_of_two().min(Self::MAX_SLOTS)])
    }

    /// Counts a key, and returns a lower bound on the number of times that it was met, including
    /// this one.
    pub(super) fn meet(&mut self, key: u64) -> u32 {
        let slot = usize::try_from(key >> 40).unwrap_or_default() % self.0.len();
        let (known, count) = &mut self.0[slot];
        if *known != key {
            (*known, *count) = (key, 0);
        }
        *count = count.saturating_add(1);
        *count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns well-mixed keys.
    fn mixed(range: std::ops::Range<u64>) -> impl Iterator<Item = u64> {
        range.map(|number| (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    #[test]
    fn what_is_there_is_found_and_most_of_what_is_not_is_distinguished_from_it() {
        for count in [0, 1, 8, 1000] {
            let mut keys = BloomFilter::with_capacity(usize::try_from(count).unwrap());
            mixed(0..count).for_each(|key| keys.add(key));
            assert!(mixed(0..count).all(|key| keys.may_have(key)), "{count} keys");
        }
        let mut keys = BloomFilter::with_capacity(1000);
        mixed(0..1000).for_each(|key| keys.add(key));
        let wrong = mixed(1000..2000).filter(|key| keys.may_have(*key)).count();
        assert!(wrong < 100, "{wrong} of 1,000");
        assert!(
            !mixed(0..1000).any(|key| BloomFilter::with_capacity(0).may_have(key)),
            "an empty one"
        );
    }
}

#[cfg(test)]
mod digits_tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Few and many numbers, with bits that none has and bits that all have, in the order of
        /// their lowest bits.
        #[test]
        fn digits_sort_as_numbers_do(
            mut numbers in proptest::collection::vec(any::<u64>(), 0..40),
            none in any::<u64>(), all in any::<u64>(), known in 0_u32..64,
        ) {
            for number in &mut numbers {
                *number = *number & none | all;
            }
            numbers.sort_by_key(|number| number & ((1 << known) - 1));
            let mut want = numbers.clone();
            want.sort_unstable();
            sort(&mut numbers, known);
            prop_assert_eq!(numbers, want);
        }
    }
}

#[cfg(test)]
mod recent_tests {
    use super::*;

    #[test]
    fn what_was_met_of_late_is_counted_until_another_takes_its_slot() {
        let keys = [1 << 40, 2 << 40, 1 << 40 | 1, 5 << 40];
        let [one, other, near, same_slot] = keys;
        let mut recent = RecentKeyCache::with_capacity(10);
        let met = [one, other, one, one, near, one, one, same_slot, one, other];
        assert_eq!(met.map(|key| recent.meet(key)), [1, 1, 2, 3, 1, 1, 2, 1, 1, 2]);
        assert_eq!([recent.meet(0), recent.meet(0)], [1, 2]);
    }
}
