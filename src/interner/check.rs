//! A salted hash beside the Rabin residue, so that what is different stays different.
//!
//! Residues are linear and their modulus is public, so two words, or two shingles, with one
//! residue can be computed. A [`Check`] is salted anew in each process: nobody can choose
//! texts that collide in it. No answer depends on its value, only on whether two are equal.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use foldhash::quality::FixedState;

/// A hash of a stem, or of several in a row.
///
/// The high 32 bits are salted by a number that the operating system draws. Two different stems
/// agree in them with a probability of 2⁻³², and two different sequences of stems agree in their
/// [bits](Self::bits) with one of 2⁻²⁸, whatever their author intended. The low 32 bits of a
/// single stem are not salted, so that stems with one residue sort in the same order in each run.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub struct Check(u64);

/// Drawn once in each process.
static SALT: LazyLock<Salt> = LazyLock::new(|| {
    let drawn = RandomState::new();
    let [seed, multiplier] = ["seed", "multiplier"].map(|of| drawn.hash_one(of));
    Salt { state: FixedState::with_seed(seed), multiplier: multiplier | 1 }
});

struct Salt {
    state: FixedState,
    /// Odd, so that multiplying by it loses nothing.
    multiplier: u64,
}

impl Check {
    /// The check of one stem.
    pub fn new(stem: &str) -> Self {
        let salted = SALT.state.hash_one(stem.as_bytes());
        Self(salted & !u64::from(u32::MAX) | u64::from(fnv(stem.as_bytes())))
    }

    /// The check of stems in a row: a polynomial of theirs in a salted number, modulo 2⁶⁴.
    pub fn of_stems(stems: impl IntoIterator<Item = Self>) -> Self {
        let multiplier = Multiplier::get();
        let all = stems.into_iter().reduce(|all, next| all.then(next, multiplier));
        all.unwrap_or_default()
    }

    /// The check of the stems so far and one more; behind the end of a text, where the next is the
    /// default, of no more.
    #[inline]
    pub(crate) fn then(self, next: Self, multiplier: Multiplier) -> Self {
        let factor = if next.0 == 0 { 1 } else { multiplier.0 };
        Self(self.0.wrapping_mul(factor).wrapping_add(next.0))
    }

    /// Its highest bits, [`Self::BITS`] of them.
    #[inline]
    pub fn bits(self) -> u32 {
        u32::try_from(self.0 >> (u64::BITS - Self::BITS)).unwrap_or_default()
    }

    /// How many bits of it are kept beside a shingle.
    pub const BITS: u32 = 28;

    /// The check of a single stem as a number, the unsalted bits first: numbers have the same
    /// order in each run, but for stems whose unsalted bits are equal.
    pub(crate) fn in_stable_order(self) -> u64 {
        self.0.rotate_left(u32::BITS)
    }
}

/// What checks are multiplied by.
#[derive(Clone, Copy)]
pub(crate) struct Multiplier(u64);

impl Multiplier {
    pub(crate) fn get() -> Self {
        Self(SALT.multiplier)
    }
}

/// FNV-1a with 32 bits (Fowler, Noll, Vo 1991).
fn fnv(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_stems_have_equal_checks_and_others_do_not() {
        assert_eq!(Check::new("kettle"), Check::new("kettle"));
        let checks =
            ["kettle", "kettl", "", "water", "4000000000000000000001", "3616207136267326152070"];
        let mut distinct: Vec<Check> = checks.map(Check::new).to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), checks.len());
    }

    #[test]
    fn the_order_of_stems_counts() {
        let of = |stems: &[&str]| Check::of_stems(stems.iter().map(|stem| Check::new(stem)));
        assert_eq!(of(&["a"]), Check::new("a"));
        assert_eq!(of(&[]), Check::default());
        let different =
            [of(&["a", "b"]), of(&["b", "a"]), of(&["a", "b", "a"]), of(&["b", "a", "a"])];
        for (at, one) in different.iter().enumerate() {
            assert!(different[..at].iter().all(|other| other.bits() != one.bits()), "{at}");
        }
    }

    #[test]
    fn fnv_is_as_published() {
        // Test vectors of Noll's reference code.
        assert_eq!(fnv(b""), 0x811c_9dc5);
        assert_eq!(fnv(b"a"), 0xe40c_292c);
        assert_eq!(fnv(b"foobar"), 0xbf9c_f968);
    }
}
