//! Counts the bits in which two fingerprints differ.

use crate::simhash::Fingerprint;

/// Returns the Hamming distance, 0 to 64 bits. It is symmetric.
pub fn distance(left: Fingerprint, right: Fingerprint) -> u32 {
    (left.0 ^ right.0).count_ones()
}

/// Returns the Jaccard index, in percent, of two sets of equal size whose fingerprints differ in
/// `distance` bits on average; `None` from 32 bits on, which is the mean distance of sets that
/// share nothing.
///
/// If both sets share a fraction c of their members, the mean distance is 64/π · acos c (Charikar
/// 2002), and the Jaccard index is c / (2 − c). The numbers are stored, not computed, because the
/// cosine is not the same on every machine.
pub fn expected_jaccard_percent(distance: u32) -> Option<u8> {
    #[rustfmt::skip]
    const PERCENT: [u8; 32] = [
        100, 100, 99, 98, 96, 94, 92, 89, 86, 82, 79, 75, 71, 67, 63, 59,
        55, 51, 46, 42, 38, 35, 31, 27, 24, 20, 17, 14, 11, 8, 5, 3,
    ];
    PERCENT.get(distance as usize).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expected_index_follows_the_angle() {
        for distance in 0..32 {
            let cosine = (std::f64::consts::PI * f64::from(distance) / 64.0).cos();
            let percent = (100.0 * cosine / (2.0 - cosine)).round();
            assert_eq!(
                expected_jaccard_percent(distance).map(f64::from),
                Some(percent),
                "{distance}"
            );
        }
        assert_eq!(expected_jaccard_percent(32), None);
    }

    #[test]
    fn differing_bits_are_counted() {
        #[rustfmt::skip]
        let table = [
            ("the same",         0xabcd,   0xabcd,   0),
            ("one bit",          0b100,    0b000,    1),
            ("the top bit",      1 << 63,  0,        1),
            ("three bits",       0b1110,   0b0001 | 0b1000, 3),
            ("all",              0,        u64::MAX, 64),
        ];
        for (why, left, right, want) in table {
            assert_eq!(distance(Fingerprint(left), Fingerprint(right)), want, "{why}");
            assert_eq!(
                distance(Fingerprint(right), Fingerprint(left)),
                want,
                "{why}, turned round"
            );
        }
    }
}
