//! Bytes with another value and the same residue.
//!
//! For inputs of one length the residue is linear in the bits that change. To change a bit of the
//! input changes its residue by a number of 64 bits; of 65 such numbers some add up to nothing
//! (Gaussian elimination over GF(2)), and the bits of these are changed together.

use dedup_text::rabin::residue;

/// The bytes with some of the changes made, of the same residue; none where no changes cancel each
/// other out. A change is a place and the bits that are flipped there; of 65 changes some do, and
/// no more than 128 are looked at.
pub(crate) fn collision(bytes: &[u8], changes: &[(usize, u8)]) -> Option<Vec<u8>> {
    // By its highest bit: a number, and the changes that are made for it.
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
