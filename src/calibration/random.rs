//! Pseudorandom numbers, the same on every machine.

use crate::corpus::join::part::mixed;

/// The seed of all pseudorandom numbers; any number would do, but it must not change.
const SEED: u64 = 0x6465_6475_7020_3031;

/// A pseudorandom number generator: `SplitMix64` (Steele, Lea and Flood 2014), which yields the
/// same numbers on every machine.
pub(super) struct Generator(u64);

impl Generator {
    pub(super) fn new(stream: u64) -> Self {
        Self(Self(SEED ^ Self(stream).next()).next())
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0, 0)
    }

    /// Returns a number below `end`, which must be above 0; the bias is below one in 2³² if `end`
    /// is below 2³².
    #[expect(clippy::cast_possible_truncation, reason = "it is below `end`")]
    pub(super) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// Shuffles items (Durstenfeld 1964).
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (2..=items.len()).rev() {
            items.swap(end - 1, self.below(end));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers that the authors' program prints for seed 0.
    #[test]
    fn the_generator_is_splitmix64() {
        let mut generator = Generator(0);
        let numbers = [generator.next(), generator.next(), generator.next()];
        let want = [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f];
        assert_eq!(numbers, want);
    }

    #[test]
    fn what_is_drawn_is_below_the_end_and_reaches_it() {
        for end in [1, 2, 7] {
            let mut generator = Generator::new(end as u64);
            let mut is_drawn = vec![false; end];
            (0..200).for_each(|_| is_drawn[generator.below(end)] = true);
            assert!(is_drawn.iter().all(|is| *is), "{end}");
        }
    }

    #[test]
    fn shuffled_items_are_in_another_order() {
        let mut items: Vec<usize> = (0..100).collect();
        Generator::new(1).shuffle(&mut items);
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
