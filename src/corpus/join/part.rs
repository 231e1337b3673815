//! The join of [`join`](super::join()) in parts, for texts that no machine holds together.
//!
//! Each text is reported by itself: its [keys](fn@keys) are its rarest residues and the
//! [blocks](fn@blocks) of its fingerprint. Of any pair that reaches a limit both have a key in
//! common. Anyone who brings together those that do, and filters as [`keys`](keys()) says,
//! finds every pair. What is rare is known from [`Counts`], which parts of a corpus are
//! counted into one by one.

use super::Limit;
use crate::simhash::{BITS, Fingerprint};

// How often residues occur in a corpus, roughly: counts that are added up.

/// How many sets have a residue, at least: a byte for all residues with the same top bits.
///
/// Each residue of each set counts once, and a count stops at 255. So a count is never below
/// the number of sets that have a residue, up to 255: where it says one, no two sets share it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Counts {
    bits: u32,
    /// 2 to the power of `bits`.
    slots: Vec<u8>,
}

/// Counts as they are stored.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Body {
    /// How they are written.
    pub form: Form,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// How counts are written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Form {
    /// One byte after the other.
    All,
    /// Those above zero: before each, how many zeros are skipped, seven bits a byte, the
    /// lowest first, 128 added to all but the last.
    Gaps,
}

/// Stored counts that are none.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum NotCounts {
    /// They end too early or too late.
    #[error("cut off, or longer than it should be")]
    WrongLength,
    /// The number of slots is out of bounds.
    #[error("2 to the power of {bits} slots, expected {} to {}", Counts::BITS.start(), Counts::BITS.end())]
    WrongBits {
        /// The logarithm of their number.
        bits: u32,
    },
    /// There is no memory for the slots.
    #[error("2 to the power of {bits} slots need as many bytes of free memory")]
    NoMemory {
        /// The logarithm of their number.
        bits: u32,
    },
}

impl Counts {
    /// The logarithms of the number of slots that there may be.
    pub const BITS: std::ops::RangeInclusive<u32> = 16..=32;

    /// No count yet.
    ///
    /// # Errors
    ///
    /// [`NotCounts::WrongBits`] unless the logarithm is one of [`BITS`](Self::BITS);
    /// [`NotCounts::NoMemory`].
    pub fn new(bits: u32) -> Result<Self, NotCounts> {
        let number = usize::try_from(number_of_slots(bits)?).unwrap_or(usize::MAX);
        let mut slots = Vec::new();
        slots.try_reserve_exact(number).map_err(|_| NotCounts::NoMemory { bits })?;
        slots.resize(number, 0);
        Ok(Self { bits, slots })
    }

    /// The logarithm of the number of slots.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The most bytes of a [`body`](Self::body) of 2 to the power of `bits` slots.
    ///
    /// # Errors
    ///
    /// [`NotCounts::WrongBits`] unless the logarithm is one of [`BITS`](Self::BITS).
    pub fn longest_body(bits: u32) -> Result<u64, NotCounts> {
        number_of_slots(bits)
    }

    /// Counts the residues of a set.
    pub fn add(&mut self, set: &[u64]) {
        for residue in set {
            let slot = self.slot(*residue);
            self.slots[slot] = self.slots[slot].saturating_add(1);
        }
    }

    /// Adds other counts, with as many slots.
    ///
    /// # Errors
    ///
    /// [`NotCounts::WrongBits`] where there are not as many.
    pub fn merge(&mut self, others: &Self) -> Result<(), NotCounts> {
        if self.bits != others.bits {
            return Err(NotCounts::WrongBits { bits: others.bits });
        }
        for (slot, more) in self.slots.iter_mut().zip(&others.slots) {
            *slot = slot.saturating_add(*more);
        }
        Ok(())
    }

    /// How many sets have a residue, at most, or 255.
    pub fn count(&self, residue: u64) -> u8 {
        self.slots[self.slot(residue)]
    }

    fn slot(&self, residue: u64) -> usize {
        usize::try_from(residue >> (u64::BITS - self.bits)).unwrap_or_default()
    }

    /// The counts to be stored, in the shorter form.
    pub fn body(&self) -> Body {
        let mut gaps = Vec::new();
        let mut gap = 0_usize;
        for count in &self.slots {
            if *count == 0 {
                gap += 1;
                continue;
            }
            while gap >= 128 {
                gaps.push(128 | low_bits(gap));
                gap >>= 7;
            }
            gaps.extend([low_bits(gap), *count]);
            gap = 0;
            if gaps.len() >= self.slots.len() {
                return Body { form: Form::All, bytes: self.slots.clone() };
            }
        }
        Body { form: Form::Gaps, bytes: gaps }
    }

    /// Reads what [`body`](Self::body) stored.
    ///
    /// # Errors
    ///
    /// [`NotCounts`] where it is no such thing, or there is no memory for it.
    pub fn of_body(bits: u32, body: Body) -> Result<Self, NotCounts> {
        let wanted = number_of_slots(bits)?;
        let mut counts = match body.form {
            Form::All if u64::try_from(body.bytes.len()) == Ok(wanted) => {
                return Ok(Self { bits, slots: body.bytes });
            }
            Form::All => return Err(NotCounts::WrongLength),
            Form::Gaps => Self::new(bits)?,
        };
        let mut bytes = body.bytes.into_iter();
        let mut next = 0_u64;
        while !bytes.as_slice().is_empty() {
            let (mut gap, mut shift) = (0_u64, 0);
            loop {
                let byte = bytes.next().filter(|_| shift < 35).ok_or(NotCounts::WrongLength)?;
                gap |= u64::from(byte & 127) << shift;
                shift += 7;
                if byte < 128 {
                    break;
                }
            }
            let count = bytes.next().ok_or(NotCounts::WrongLength)?;
            let slot = usize::try_from(next + gap).ok().and_then(|slot| counts.slots.get_mut(slot));
            *slot.ok_or(NotCounts::WrongLength)? = count;
            next += gap + 1;
        }
        Ok(counts)
    }
}

/// 2 to the power of the bits, if that number is allowed.
fn number_of_slots(bits: u32) -> Result<u64, NotCounts> {
    if Counts::BITS.contains(&bits) { Ok(1 << bits) } else { Err(NotCounts::WrongBits { bits }) }
}

/// The lowest seven bits.
fn low_bits(number: usize) -> u8 {
    (number & 127).to_le_bytes()[0]
}

// A set → what it is found by: its rarest residues, each with its place.
//
// All sets have their residues in one order, rarest first by [`Counts`], then by size. For a
// limit t on the Jaccard index, the keys of a set of n are its first n − ⌈t·n⌉ + 1. Where two
// sets reach the limit, the smaller of a residues, the larger of b, they share
// `need = ⌈t / (1 + t) · (a + b)⌉` at least, and a ≥ ⌈t·b⌉. Of the keys that both have, each
// at the places p and q, from 0:
//
// * each has `min(p, q) + min(a − p, b − q) ≥ need`: no more lie before it in both, nor from
//   it on;
// * there are enough of them: `rows + max(⌈t·a⌉, ⌈t·b⌉) − 1 ≥ need`: behind the keys of
//   one set lie ⌈t·n⌉ − 1 of its residues, and what is shared and no key of both lies behind
//   the keys of one of them;
// * the first has `min(a − p, b − q) ≥ need`: all that is shared lies from it on.
//
// Fewer keys will do: with any number m ≥ 0, those at the places up to a − need + m of the smaller
// and b − need + m of the larger. Behind them lie max(need − m, ⌈t·n⌉) − 1, so that
// `rows + max(need − m, ⌈t·a⌉, ⌈t·b⌉) − 1 ≥ need`, and `need` is at least ⌈2t / (1 + t) · a⌉ for
// any larger set: what comes later in a set is only met by smaller ones. That spares most of the
// frequent keys, and is what the integrations do, with m = 3.
//
// So none of these filters loses a pair. To ask the last of each key before they are counted
// would: the later ones fail it, and the count of the rest says nothing (Bayardo, Ma, Srikant
// 2007; Xiao et al. 2008; the tests hold all of them to comparing every two sets).

/// Whether counts are of all sets that are compared.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Known {
    /// Each was counted with all its residues: what counts one is in no other set.
    All,
    /// Some may have residues that were not counted with them.
    Some,
}

/// What a set is found by.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Keys {
    /// Its rarest residues that another set may have, each with its place among all, from 0,
    /// rarest first.
    pub keys: Vec<(u64, usize)>,
    /// All its residues that another set may have, increasing.
    pub shared: Vec<u64>,
    /// Whether none of its residues was counted, so that the counts are of other sets.
    pub is_strange: bool,
}

/// The keys of an increasing set for a limit above 0 on the Jaccard index; none without one.
pub fn keys(set: &[u64], counts: &Counts, known: Known, limit: Option<Limit>) -> Keys {
    let mut ranked: Vec<(u8, u64)> = set.iter().map(|it| (counts.count(*it), *it)).collect();
    let may_be_elsewhere = |count: u8| count > 1 || known == Known::Some;
    let shared = ranked.iter().filter(|(count, _)| may_be_elsewhere(*count));
    let shared = shared.map(|(_, residue)| *residue).collect();
    let is_strange = known == Known::All && ranked.iter().any(|(count, _)| *count == 0);
    ranked.sort_unstable();
    let prefix = limit.map_or(0, |limit| prefix(set.len(), limit));
    let places = ranked.into_iter().take(prefix).zip(0..);
    let keys = places.filter(|((count, _), _)| may_be_elsewhere(*count));
    Keys { keys: keys.map(|((_, residue), place)| (residue, place)).collect(), shared, is_strange }
}

/// How many residues of a set of n are its keys: n − ⌈t·n⌉ + 1, and none of an empty one.
fn prefix(size: usize, limit: Limit) -> usize {
    (size + 1).saturating_sub(limit.least_of(size)).min(size)
}

/// Texts from which on blocks are cut finer: 2 to this power.
const MANY: u32 = 26;

/// The most bits that may differ for there to be blocks.
pub const MOST_BITS: u32 = 7;

/// What a fingerprint is found by: two that differ in at most `bits` bits have at least one block in
/// common.
///
/// The bits are cut into two stretches more than may differ, or three more where there are many
/// texts; each choice of as many stretches as are left when every difference is in another one is a
/// block (Manku, Jain and Das Sarma 2007). With 3 bits these are 10 blocks of 26 bits or 20 of 32. A
/// block is mixed with its number; two that are the same may differ in bits all the same. None
/// for more than [`MOST_BITS`], where most share some block.
pub fn blocks(fingerprint: Fingerprint, most: u32, texts: u64) -> Vec<u64> {
    if most > MOST_BITS {
        return Vec::new();
    }
    let stretches = most + if texts >> MANY == 0 { 2 } else { 3 };
    let masks = masks(stretches, stretches - most);
    masks.zip(1..).map(|(mask, number)| mixed(fingerprint.0 & mask, number)).collect()
}

/// The masks of every choice of `chosen` out of `stretches` stretches.
fn masks(stretches: u32, chosen: u32) -> impl Iterator<Item = u64> {
    let bits = u32::try_from(BITS).unwrap_or(u64::BITS);
    let choices = (0_u32..1 << stretches).filter(move |choice| choice.count_ones() == chosen);
    choices.map(move |choice| {
        let is_chosen = |bit: &u32| choice >> (bit * stretches / bits) & 1 == 1;
        (0..bits).filter(is_chosen).fold(0, |mask, bit| mask | 1 << bit)
    })
}

/// One number for two; different ones seldom have the same (Steele, Lea, Flood 2014).
fn mixed(bits: u64, number: u64) -> u64 {
    let mix = |it: u64, shift: u32, factor: u64| (it ^ (it >> shift)).wrapping_mul(factor);
    let sum = bits.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mixed = mix(mix(sum, 30, 0xbf58_476d_1ce4_e5b9), 27, 0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A residue in a slot of 2¹⁶.
    fn residue(slot: u64) -> u64 {
        slot << 48 | 0x1234
    }

    fn counts(sets: &[Vec<u64>]) -> Counts {
        let mut counts = Counts::new(16).unwrap();
        for set in sets {
            counts.add(set);
        }
        counts
    }

    #[test]
    fn a_count_is_of_all_residues_with_the_same_top_bits() {
        let counts = counts(&[vec![residue(7), residue(7) + 1, residue(9)], vec![residue(7)]]);
        let of = [6, 7, 8, 9].map(|slot| counts.count(residue(slot)));
        assert_eq!(of, [0, 3, 0, 1]);
    }

    #[test]
    fn counts_stop_at_255() {
        let mut some = counts(&vec![vec![residue(1)]; 300]);
        assert_eq!(some.count(residue(1)), 255);
        some.merge(&some.clone()).unwrap();
        assert_eq!(some.count(residue(1)), 255);
    }

    #[test]
    fn what_is_stored_is_bytes_for_gaps_and_counts() {
        let some = counts(&[vec![residue(0), residue(2), residue(2 + 300)]]);
        // 299 zeros lie between: 299 = 2 · 128 + 0x2b.
        assert_eq!(
            some.body(),
            Body { form: Form::Gaps, bytes: vec![0, 1, 1, 1, 0x80 | 0x2b, 2, 1] }
        );
        let all: Vec<u64> = (0..1 << 16).map(residue).collect();
        let full = counts(&[all]);
        assert_eq!(full.body(), Body { form: Form::All, bytes: vec![1; 1 << 16] });
    }

    #[test]
    fn what_is_damaged_is_reported() {
        use Form::{All, Gaps};
        use NotCounts::{WrongBits, WrongLength};
        #[rustfmt::skip]
        let table: &[(&str, u32, Form, Vec<u8>, Result<u8, NotCounts>)] = &[
            ("empty",                 16, Gaps, vec![],                     Ok(0)),
            ("the first slot",        16, Gaps, vec![0, 9],                 Ok(9)),
            ("the last slot",         16, Gaps, vec![255, 255, 3, 9],       Ok(0)),
            ("behind the last",       16, Gaps, vec![128, 128, 4, 9],       Err(WrongLength)),
            ("no count",              16, Gaps, vec![0],                    Err(WrongLength)),
            ("no end of a gap",       16, Gaps, vec![128],                  Err(WrongLength)),
            ("a gap of five bytes",   16, Gaps, vec![128, 128, 128, 128, 0, 9],      Ok(9)),
            ("a gap of six",          16, Gaps, vec![128, 128, 128, 128, 128, 0, 9], Err(WrongLength)),
            ("a gap of 2³²",          16, Gaps, vec![128, 128, 128, 128, 16, 9],     Err(WrongLength)),
            ("an endless gap",        16, Gaps, vec![255; 40],              Err(WrongLength)),
            ("too few slots",         15, Gaps, vec![],                     Err(WrongBits { bits: 15 })),
            ("too many slots",        64, All,  vec![],                     Err(WrongBits { bits: 64 })),
            ("all but one",           16, All,  vec![3; (1 << 16) - 1],     Err(WrongLength)),
            ("all",                   16, All,  vec![3; 1 << 16],           Ok(3)),
        ];
        for (why, bits, form, bytes, want) in table {
            let body = Body { form: *form, bytes: bytes.clone() };
            assert_eq!(Counts::of_body(*bits, body).map(|counts| counts.count(0)), *want, "{why}");
        }
        let (mut few, many) = (counts(&[]), Counts::new(17).unwrap());
        assert_eq!((few.bits(), many.bits()), (16, 17));
        assert_eq!(few.merge(&many), Err(WrongBits { bits: 17 }));
    }

    proptest! {
        #[test]
        fn parts_come_to_the_whole_and_back_from_where_they_are_stored(
            sets in proptest::collection::vec(proptest::collection::vec(any::<u64>(), 0..40), 0..8),
            at in any::<prop::sample::Index>(),
        ) {
            let (some, others) = sets.split_at(at.index(sets.len() + 1));
            let mut merged = counts(some);
            merged.merge(&counts(others)).unwrap();
            let whole = counts(&sets);
            prop_assert_eq!(&merged, &whole);
            prop_assert_eq!(Counts::of_body(16, whole.body()).unwrap(), whole);
        }
    }
}

#[cfg(test)]
mod keys_tests;
