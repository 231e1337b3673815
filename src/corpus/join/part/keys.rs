//! A set → what it is found by: its rarest residues, each with its place.
//!
//! All sets have their residues in one order, rarest first by [`Counts`], then by size. For a
//! limit t on the Jaccard index, the keys of a set of n are its first n − ⌈t·n⌉ + 1. Where two
//! sets reach the limit, the smaller of a residues, the larger of b, they share
//! `need = ⌈t / (1 + t) · (a + b)⌉` at least, and a ≥ ⌈t·b⌉. Of the keys that both have, each
//! at the places p and q, from 0:
//!
//! * each has `min(p, q) + min(a − p, b − q) ≥ need`: no more lie before it in both, nor from
//!   it on;
//! * so many of them are there that `rows + max(⌈t·a⌉, ⌈t·b⌉) − 1 ≥ need`: behind the keys of
//!   one set lie ⌈t·n⌉ − 1 of its residues, and what is shared and no key of both lies behind
//!   the keys of one of them;
//! * the first has `min(a − p, b − q) ≥ need`: all that is shared lies from it on.
//!
//! Fewer keys will do: with any number m ≥ 0, those at the places up to a − need + m of the smaller
//! and b − need + m of the larger. Behind them lie max(need − m, ⌈t·n⌉) − 1, so that
//! `rows + max(need − m, ⌈t·a⌉, ⌈t·b⌉) − 1 ≥ need`, and `need` is at least ⌈2t / (1 + t) · a⌉ for
//! any larger set: what comes later in a set is only met by smaller ones. That spares most of the
//! frequent keys, and is what the integrations do, with m = 3.
//!
//! So none of these filters loses a pair. To ask the last of each key before they are counted
//! would: the later ones fail it, and the count of the rest says nothing (Bayardo, Ma, Srikant
//! 2007; Xiao et al. 2008; the tests hold all of them to comparing every two sets).

use crate::corpus::join::Limit;
use crate::simhash::{BITS, Fingerprint};

use super::Counts;

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
    let mut ranked: Vec<(u8, u64)> = set.iter().map(|it| (counts.of(*it), *it)).collect();
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

/// What a fingerprint is found by: of two that differ in at most so many bits, one block at
/// least is the same.
///
/// The bits are cut into two stretches more than may differ, or three more where there are many
/// texts; any so many of them as are left when each difference falls into another one make a
/// block (Manku, Jain, Das Sarma 2007). With 3 bits these are 10 blocks of 26 bits or 20 of 32. A
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

/// The bits of every choice of so many stretches out of so many.
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
mod tests;
