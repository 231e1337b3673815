//! Numbers sorted by their digits, which is faster than by comparing where they are many.

/// How many digits there are.
const PLACES: usize = 1 << 11;

/// So many numbers at least are worth tables of digits.
const MANY: usize = if cfg!(test) { 1 << 4 } else { 1 << 11 };

/// Sorts numbers that stand in the order of their lowest `known` bits already, fewer than 64. The
/// cost is linear in how many they are, for each digit in which they differ.
pub(super) fn sort(numbers: &mut Vec<u64>, known: u32) {
    if numbers.len() < MANY {
        numbers.sort_unstable();
        return;
    }
    let (all, any) =
        numbers.iter().fold((u64::MAX, 0), |(all, any), number| (all & number, any | number));
    let mut differ = (any & !all) >> known << known;
    let mut sorted = vec![0; numbers.len()];
    while differ != 0 {
        let shift = differ.trailing_zeros();
        let mask = PLACES as u64 - 1;
        let digit = |number: u64| usize::try_from(number >> shift & mask).unwrap_or_default();
        let mut places = [0; PLACES];
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Few and many, with bits that none has and bits that all have, in order below or not.
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
