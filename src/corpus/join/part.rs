//! The join of [`join_at_most`](super::join_at_most) in parts, for texts that do not fit on one
//! machine.
//!
//! Each text is processed on its own: its [keys](fn@keys) are its rarest residues, and it has the
//! [blocks](fn@blocks) of its fingerprint. The two texts of any pair that reaches a limit have a
//! key or a block in common. Every pair is found by bringing together the texts that do, and
//! applying the filters that the source explains above [`keys`](keys()). The frequency of residues
//! is taken from [`Counts`], to which the parts of a corpus are added one by one.

use serde::{Deserialize, Serialize};

use super::{Limit, fingerprints};
use crate::simhash::Fingerprint;
use crate::text::varint;

// The approximate frequency of the residues of a corpus, as counts that can be added up.

/// Upper bounds on the number of sets that have each residue: one byte for all residues with the
/// same top bits.
///
/// Each residue of each set is counted once, and a count stops at 255. So up to 255, a count is
/// never below the number of sets that have a residue: if it is one, no two sets share the residue.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Counts {
    bits: u32,
    /// The counts; there are 2 to the power of `bits` of them.
    slots: Vec<u8>,
}

/// Counts in their stored form.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Body {
    /// The format of the bytes.
    pub form: Form,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// The format in which counts are stored.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// All counts, one byte each.
    All,
    /// The counts above zero, one byte each. Each follows the number of zeros skipped before it,
    /// with seven bits per byte, the lowest first, and 128 added to all bytes but the last.
    Gaps,
}

/// The error of stored counts that are not valid.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum NotCounts {
    /// The bytes end too early or too late.
    #[error("cut off, or longer than it should be")]
    WrongLength,
    /// The number of slots is out of bounds.
    #[error("2 to the power of {bits} slots, expected {} to {}", Counts::BITS.start(), Counts::BITS.end())]
    WrongBits {
        /// The binary logarithm of the number of slots.
        bits: u32,
    },
    /// There is not enough memory for the slots.
    #[error("2 to the power of {bits} slots need as many bytes of free memory")]
    NoMemory {
        /// The binary logarithm of the number of slots.
        bits: u32,
    },
}

/// The largest number of bytes of a gap: enough for 2 to the power of 32 slots.
const MAX_GAP_LENGTH: usize = 5;

impl Counts {
    /// The allowed binary logarithms of the number of slots.
    pub const BITS: std::ops::RangeInclusive<u32> = 16..=32;

    /// Returns counts that are all zero.
    ///
    /// # Errors
    ///
    /// Returns [`NotCounts::WrongBits`] if the logarithm is not in [`BITS`](Self::BITS), and
    /// [`NotCounts::NoMemory`] if there is not enough memory.
    pub fn new(bits: u32) -> Result<Self, NotCounts> {
        let number = usize::try_from(Self::number_of_slots(bits)?).unwrap_or(usize::MAX);
        let mut slots = Vec::new();
        slots.try_reserve_exact(number).map_err(|_| NotCounts::NoMemory { bits })?;
        slots.resize(number, 0);
        Ok(Self { bits, slots })
    }

    /// Returns the binary logarithm of the number of slots.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns 2 to the power of `bits`, the number of slots. A [`body`](Self::body) has at most as
    /// many bytes.
    ///
    /// # Errors
    ///
    /// Returns [`NotCounts::WrongBits`] if the logarithm is not in [`BITS`](Self::BITS).
    pub fn number_of_slots(bits: u32) -> Result<u64, NotCounts> {
        if Self::BITS.contains(&bits) { Ok(1 << bits) } else { Err(NotCounts::WrongBits { bits }) }
    }

    /// Counts the residues of a set.
    pub fn add(&mut self, set: &[u64]) {
        for residue in set {
            let slot = self.slot(*residue);
            self.slots[slot] = self.slots[slot].saturating_add(1);
        }
    }

    /// Adds other counts with the same number of slots.
    ///
    /// # Errors
    ///
    /// Returns [`NotCounts::WrongBits`] if the number of slots differs.
    pub fn merge(&mut self, others: &Self) -> Result<(), NotCounts> {
        if self.bits != others.bits {
            return Err(NotCounts::WrongBits { bits: others.bits });
        }
        for (slot, more) in self.slots.iter_mut().zip(&others.slots) {
            *slot = slot.saturating_add(*more);
        }
        Ok(())
    }

    /// Returns an upper bound on the number of sets that have a residue; 255 means that or more.
    pub fn count(&self, residue: u64) -> u8 {
        self.slots[self.slot(residue)]
    }

    fn slot(&self, residue: u64) -> usize {
        usize::try_from(residue >> (u64::BITS - self.bits)).unwrap_or_default()
    }

    /// Serializes the counts in the shorter of the two formats.
    pub fn body(&self) -> Body {
        let mut gaps = Vec::new();
        let mut gap = 0;
        for count in &self.slots {
            if *count == 0 {
                gap += 1;
                continue;
            }
            varint::push(&mut gaps, gap);
            gaps.push(*count);
            gap = 0;
            if gaps.len() >= self.slots.len() {
                return Body { form: Form::All, bytes: self.slots.clone() };
            }
        }
        Body { form: Form::Gaps, bytes: gaps }
    }

    /// Parses the output of [`body`](Self::body).
    ///
    /// # Errors
    ///
    /// Returns [`NotCounts`] if the bytes are not valid, or if there is not enough memory.
    pub fn from_body(bits: u32, body: Body) -> Result<Self, NotCounts> {
        let wanted = Self::number_of_slots(bits)?;
        let mut counts = match body.form {
            Form::All if u64::try_from(body.bytes.len()) == Ok(wanted) => {
                return Ok(Self { bits, slots: body.bytes });
            }
            Form::All => return Err(NotCounts::WrongLength),
            Form::Gaps => Self::new(bits)?,
        };
        let mut bytes = body.bytes.as_slice();
        let mut next = 0_u64;
        while !bytes.is_empty() {
            let before = bytes.len();
            let gap = varint::take(&mut bytes).filter(|_| before - bytes.len() <= MAX_GAP_LENGTH);
            let (gap, (count, rest)) =
                gap.zip(bytes.split_first()).ok_or(NotCounts::WrongLength)?;
            let slot = usize::try_from(next + gap).ok().and_then(|slot| counts.slots.get_mut(slot));
            *slot.ok_or(NotCounts::WrongLength)? = *count;
            (bytes, next) = (rest, next + gap + 1);
        }
        Ok(counts)
    }
}

// A set → the keys that it is found by: its rarest residues, each with its position.
//
// All sets have their residues in one order: rarest first according to [`Counts`], and equally rare
// ones by value. For a limit t on the Jaccard index, the keys of a set of n residues are its first
// n − ⌈t·n⌉ + 1. If two sets reach the limit, the smaller with a residues and the larger with b,
// they share at least `need = ⌈t / (1 + t) · (a + b)⌉`, and a ≥ ⌈t·b⌉. For their `rows` common
// keys, with positions p and q in the two sets, counted from 0:
//
// * Each key has `min(p, q) + min(a − p, b − q) ≥ need`: at most min(p, q) shared residues precede
//   it, and at most min(a − p, b − q) follow from it on.
// * There are enough of them: `rows + max(⌈t·a⌉, ⌈t·b⌉) − 1 ≥ need`. A shared residue that is not a
//   key of both sets comes after the keys of one of them, where a set of n has ⌈t·n⌉ − 1 residues.
// * The first key has `min(a − p, b − q) ≥ need`: all shared residues follow from it on.
//
// Fewer keys are enough: for any m ≥ 0, those at the positions up to a − need + m of the smaller
// set and b − need + m of the larger one. After them there are max(need − m, ⌈t·n⌉) − 1 residues,
// so that `rows + max(need − m, ⌈t·a⌉, ⌈t·b⌉) − 1 ≥ need`. With any larger set, `need` is at least
// ⌈2t / (1 + t) · a⌉, so that later keys of a set are needed with smaller sets only. This saves
// most of the frequent keys; the integrations use it with m = 3.
//
// None of these filters loses a pair. Applying the last filter to every key before the keys are
// counted would: the later keys fail it, and the number of the remaining ones proves nothing
// (Bayardo, Ma, Srikant 2007; Xiao et al. 2008; the tests compare all of this with comparing every
// two sets).

/// The extent to which the counts cover the sets that are compared.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Known {
    /// Every set was counted with all of its residues: a residue with a count of one is in no other
    /// set.
    All,
    /// Some sets may have residues that were not counted with them.
    Some,
}

/// The keys of a set, and what is needed to verify its pairs.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Keys {
    /// The rarest residues that another set may have, rarest first, each with its position among
    /// all residues of the set, from 0.
    pub keys: Vec<(u64, usize)>,
    /// All residues that another set may have, increasing.
    pub shared: Vec<u64>,
    /// Whether a residue was not counted although the counts cover all sets, so that they are the
    /// counts of other sets.
    pub has_uncounted_key: bool,
}

/// Returns the keys of an increasing set for a limit above 0 on the Jaccard index. Without a limit
/// there are no keys.
pub fn keys(set: &[u64], counts: &Counts, known: Known, limit: Option<Limit>) -> Keys {
    let mut ranked: Vec<(u8, u64)> = set.iter().map(|it| (counts.count(*it), *it)).collect();
    let may_be_elsewhere = |count: u8| count > 1 || known == Known::Some;
    let shared = ranked.iter().filter(|(count, _)| may_be_elsewhere(*count));
    let shared = shared.map(|(_, residue)| *residue).collect();
    let has_uncounted_key = known == Known::All && ranked.iter().any(|(count, _)| *count == 0);
    ranked.sort_unstable();
    let prefix = limit.map_or(0, |limit| prefix(set.len(), limit));
    let places = ranked.into_iter().take(prefix).zip(0..);
    let keys = places.filter(|((count, _), _)| may_be_elsewhere(*count));
    Keys {
        keys: keys.map(|((_, residue), place)| (residue, place)).collect(),
        shared,
        has_uncounted_key,
    }
}

/// Returns the number of residues of a set of n that are its keys: n − ⌈t·n⌉ + 1, and 0 for an
/// empty set.
fn prefix(size: usize, limit: Limit) -> usize {
    (size + 1).saturating_sub(limit.least_of(size)).min(size)
}

/// The binary logarithm of the number of texts from which on fingerprints are cut into more blocks.
const MANY_TEXTS_BITS: u32 = 26;

/// The largest number of differing bits for which there are blocks.
pub const MAX_BITS: u32 = 7;

/// Returns the blocks that a fingerprint is found by: two fingerprints that differ in at most
/// `max_distance` bits have at least one block in common.
///
/// The bits are cut into two more stretches than may differ, or three more if there are many texts.
/// If every differing bit is in another stretch, two or three stretches are equal; each choice of
/// that many stretches is a block (Manku, Jain and Das Sarma 2007). With 3 bits there are 10 blocks
/// of about 26 bits, or 20 of about 32. A block is hashed with its number, so two equal blocks may
/// still differ in bits. Returns an empty vector if `max_distance` exceeds [`MAX_BITS`], because
/// most fingerprints would share some block.
pub fn blocks(fingerprint: Fingerprint, max_distance: u32, texts: u64) -> Vec<u64> {
    if max_distance > MAX_BITS {
        return Vec::new();
    }
    let stretches = max_distance + if texts >> MANY_TEXTS_BITS == 0 { 2 } else { 3 };
    let masks = masks(stretches, stretches - max_distance);
    masks.zip(1..).map(|(mask, number)| mixed(fingerprint.0 & mask, number)).collect()
}

/// Returns the masks of every choice of `chosen` out of `stretches` stretches.
fn masks(stretches: u32, chosen: u32) -> impl Iterator<Item = u64> {
    let masks = fingerprints::masks(stretches as usize);
    let choices = (0_u32..1 << stretches).filter(move |choice| choice.count_ones() == chosen);
    choices.map(move |choice| {
        let is_chosen = |(at, _): &(usize, &u64)| choice >> at & 1 == 1;
        masks.iter().enumerate().filter(is_chosen).fold(0, |all, (_, mask)| all | mask)
    })
}

/// Hashes two numbers into one; different ones rarely have the same hash (Steele, Lea, Flood 2014).
pub(crate) fn mixed(bits: u64, number: u64) -> u64 {
    let mix = |it: u64, shift: u32, factor: u64| (it ^ (it >> shift)).wrapping_mul(factor);
    let sum = bits.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mixed = mix(mix(sum, 30, 0xbf58_476d_1ce4_e5b9), 27, 0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns a residue in one of 2¹⁶ slots.
    fn residue(slot: u64) -> u64 {
        slot << 48 | 0x1234
    }

    pub(super) fn counts(sets: &[Vec<u64>]) -> Counts {
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
        // There are 299 zeros in between: 299 = 2 · 128 + 0x2b.
        assert_eq!(
            some.body(),
            Body { form: Form::Gaps, bytes: vec![0, 1, 1, 1, 0x80 | 0x2b, 2, 1] }
        );
        let all: Vec<u64> = (0..1 << 16).map(residue).collect();
        let full = counts(&[all]);
        assert_eq!(full.body(), Body { form: Form::All, bytes: vec![1; 1 << 16] });
        assert_eq!(Counts::number_of_slots(16), Ok(1 << 16));
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
            assert_eq!(
                Counts::from_body(*bits, body).map(|counts| counts.count(0)),
                *want,
                "{why}"
            );
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
            prop_assert_eq!(Counts::from_body(16, whole.body()).unwrap(), whole);
        }
    }
}

#[cfg(test)]
mod keys_tests;
