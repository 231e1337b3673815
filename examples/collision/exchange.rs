//! Changes bytes so that their residue stays the same.
//!
//! For inputs of one length, the residue is linear over GF(2): flipping a bit of the input XORs a
//! fixed 64-bit number into the residue. Of 65 such numbers, some XOR to zero. Gaussian elimination
//! finds them, and their bits are flipped together.

use dedup_text::rabin::residue;

/// Makes some of the changes to the bytes, so that the residue stays the same.
///
/// A change is an offset and the bits that are flipped there. Only the first 128 changes are
/// considered. `None` if no changes cancel each other out; of 65 changes, some always do.
pub(crate) fn collision(bytes: &[u8], changes: &[(usize, u8)]) -> Option<Vec<u8>> {
    // By its highest bit: a number, and the set of changes that gives it.
    let mut known: [Option<(u64, u128)>; 64] = [None; 64];
    for (number, (place, bits)) in changes.iter().take(128).enumerate() {
        let mut flipped = bytes.to_vec();
        flipped[*place] ^= bits;
        let mut sum = residue(bytes) ^ residue(&flipped);
        let mut made = 1_u128 << number;
        while sum != 0 {
            let highest = &mut known[sum.ilog2() as usize];
            let Some((of_highest, made_for_it)) = *highest else {
                *highest = Some((sum, made));
                break;
            };
            sum ^= of_highest;
            made ^= made_for_it;
        }
        if sum == 0 {
            let mut other = bytes.to_vec();
            for (number, (place, bits)) in changes.iter().take(128).enumerate() {
                if made >> number & 1 == 1 {
                    other[*place] ^= bits;
                }
            }
            return Some(other);
        }
    }
    None
}
