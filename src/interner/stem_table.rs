//! The stems of distinct words, reduced to what shingles need.

use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use siphasher::sip::SipHasher13;

use super::chunks::chunks;
use super::numbers;
use crate::rabin::Suffix;
use crate::stems::Letter;
use crate::tokens;

/// A distinct stem of a text, reduced to what shingles need; the default is the empty stem.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Stem {
    /// A space and the stem, to be appended to a shingle.
    pub suffix: Suffix,
    /// A hash that distinguishes it from other stems with the same residue.
    pub check: Check,
}

impl Stem {
    /// Creates a stem from its letters.
    pub fn new(stem: &str) -> Self {
        Self { suffix: Suffix::new(b" ", stem.as_bytes()), check: Check::new(stem) }
    }

    /// Returns the residue of the stem, without the space.
    pub fn residue(self) -> u64 {
        self.suffix.residue_behind_space()
    }

    /// Returns a number that is equal for equal stems and, within one process, different for
    /// different ones: the residue, with its lowest bits combined with the [check](Check::bits).
    pub fn key(self) -> u64 {
        self.residue() ^ u64::from(self.check.bits())
    }
}

/// Distinct stems, in the order in which they were added.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct StemTable {
    /// The stems; a stem of two different written words is in the table twice.
    pub stems: Vec<Stem>,
    /// How each stem is counted if it is a letter of a script without spaces. It may be shorter than
    /// `stems`: those past its end are words. It is empty if no text has such a script.
    pub letters: Vec<Letter>,
    /// Whether each stem has a value as a [number](numbers::value): reading it from a residue takes
    /// as long as composing a window, and a corpus asks for it at each place of each text.
    are_numbers: Vec<bool>,
    /// The greatest number of additional stems of any. A corpus asks for it with each of its texts.
    greatest_more: u8,
}

impl StemTable {
    /// Adds a stem.
    pub fn push(&mut self, stem: &str) {
        self.add(Stem::new(stem), Letter::of(stem), numbers::is_number(stem));
    }

    /// Returns the greatest number of stems that a window may have in addition to n.
    pub fn greatest_more(&self) -> u8 {
        self.greatest_more
    }

    /// Adds the stems of `others` that this table does not have. `places` gives for each of their
    /// stems its index in the joined table.
    pub(crate) fn join(&mut self, others: &Self, places: &[u32]) {
        for (at, place) in places.iter().enumerate() {
            if *place as usize == self.stems.len() {
                self.add_from(others, at);
            }
        }
    }

    /// Appends all stems of `others` and returns the indices that they now have.
    pub(crate) fn append(&mut self, others: &Self) -> Range<u32> {
        let start = self.stems.len();
        self.stems.reserve_exact(others.stems.len());
        (0..others.stems.len()).for_each(|at| self.add_from(others, at));
        place(start)..place(self.stems.len())
    }

    /// Returns how the stem at an index is counted.
    pub(crate) fn letter(&self, at: usize) -> Letter {
        self.letters.get(at).copied().unwrap_or_default()
    }

    /// Reports whether the stem at an index has a value as a number.
    pub(crate) fn is_number(&self, at: usize) -> bool {
        self.are_numbers[at]
    }

    pub(crate) fn add_from(&mut self, others: &Self, at: usize) {
        self.add(others.stems[at], others.letter(at), others.is_number(at));
    }

    fn add(&mut self, stem: Stem, letter: Letter, is_number: bool) {
        self.greatest_more = self.greatest_more.max(letter.more);
        if letter != Letter::default() {
            self.letters.resize(self.stems.len(), Letter::default());
            self.letters.push(letter);
        }
        self.stems.push(stem);
        self.are_numbers.push(is_number);
    }
}

/// Converts the index of a stem or a word to 32 bits.
pub(crate) fn place(stem: usize) -> u32 {
    u32::try_from(stem).expect("texts have fewer than 2^32 distinct words")
}

// The offsets of the words of a text that was read chunk by chunk.

/// The byte offsets of a few of every hundred words of a text, from which those of all words can be
/// recovered fast.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct WordOffsets(pub(super) Vec<WordOffset>);

/// The position of a word in a text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Spot {
    /// The span of the word, in bytes.
    pub span: Range<usize>,
    /// The words that have this span: several if they share a character, as in a ligature.
    pub words: Range<usize>,
}

/// A byte offset at which a chunk begins or a stretch ends, and the number of words before it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct WordOffset {
    pub(super) words: usize,
    pub(super) byte: usize,
}

impl WordOffsets {
    /// Adds an offset after all others.
    pub(super) fn add(&mut self, words: usize, byte: usize) {
        self.0.push(WordOffset { words, byte });
    }

    /// Adds the offsets of another text, beginning with the one at the word and byte `from`. They
    /// are moved so that `from` becomes `to`, which is a word and a byte of this text.
    pub(super) fn add_again(&mut self, others: &Self, from: (usize, usize), to: (usize, usize)) {
        let first = others.0.partition_point(|offset| offset.byte < from.1);
        self.extend(&others.0[first..], from, to);
    }

    /// Appends the offsets of the next part of the text. `to` is the word and the byte of the text
    /// at which that part begins.
    pub(crate) fn append(&mut self, next: Self, to: (usize, usize)) {
        if self.0.is_empty() && to == (0, 0) {
            self.0 = next.0;
        } else {
            self.extend(&next.0, (0, 0), to);
        }
    }

    fn extend(&mut self, offsets: &[WordOffset], from: (usize, usize), to: (usize, usize)) {
        let moved = |offset: &WordOffset| WordOffset {
            words: offset.words - from.0 + to.0,
            byte: offset.byte - from.1 + to.1,
        };
        self.0.extend(offsets.iter().map(moved));
    }

    /// Returns the positions of words in the text that was read; the words are counted from 0 and
    /// must increase. The result ends before the first word that is not in the text.
    pub fn spots(&self, text: &str, words: impl IntoIterator<Item = usize>) -> Vec<Spot> {
        let mut spots = Vec::new();
        let mut words = words.into_iter().peekable();
        while let Some(word) = words.peek() {
            let before = self.0.partition_point(|offset| offset.words <= *word);
            let Some(offset) = before.checked_sub(1).map(|at| self.0[at]) else { break };
            let end = self.0.get(before).map_or(text.len(), |next| next.byte);
            let (mut count, known) = (offset.words, spots.len());
            for chunk in chunks(&text[offset.byte..end]) {
                let chunk = offset.byte + chunk.start..offset.byte + chunk.end;
                for (span, more) in tokens::places(&text[chunk.clone()]) {
                    let there = count..count + more;
                    count = there.end;
                    while words.next_if(|word| *word < count).is_some() {
                        let span = chunk.start + span.start..chunk.start + span.end;
                        spots.push(Spot { span, words: there.clone() });
                    }
                    if words.peek().is_none() {
                        return spots;
                    }
                }
            }
            if spots.len() == known {
                break;
            }
        }
        spots
    }
}

// A salted hash in addition to the Rabin residue, so that different words stay different.
//
// Residues are linear and their modulus is public, so two words, or two shingles, with the same
// residue can be computed. A [`Check`] is salted anew in each process, unless a stored index
// [supplies its salt](salt_checks): no one can choose texts that collide in it. No answer depends
// on its value, only on whether two of them are equal.

/// A hash of a stem, or of several stems in a row.
///
/// The high 32 bits are salted by a random number from the operating system. Two different stems
/// agree in them with a probability of 2⁻³², and two different sequences of stems agree in their
/// [bits](Self::bits) with a probability of 2⁻²⁸, whatever their author intended. The low 32 bits
/// of the check of a single stem are not salted, so that stems with the same residue sort in the
/// same order in each run.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub struct Check(u64);

/// The salt of checks. Anyone who knows it can choose texts that collide.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Salt(pub [u8; 16]);

/// The error if this process already uses another salt.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("the checks of this process are salted already")]
pub struct AlreadySalted;

/// The salt of this process, which is drawn when it is first needed.
static SALTED: OnceLock<Salted> = OnceLock::new();

/// The salt of this process, and the keys that are derived from it.
struct Salted {
    salt: Salt,
    /// `SipHash`-1-3 (Aumasson, Bernstein 2012), keyed by the salt.
    hasher: SipHasher13,
    /// Odd, so that a multiplication by it can be undone.
    multiplier: u64,
}

impl Salted {
    fn new(salt: Salt) -> Self {
        let hasher = SipHasher13::new_with_key(&salt.0);
        Self { salt, hasher, multiplier: hasher.hash(b"multiplier") | 1 }
    }

    fn of_process() -> &'static Self {
        SALTED.get_or_init(|| {
            let drawn = RandomState::new();
            let [low, high] = ["low", "high"].map(|half| u128::from(drawn.hash_one(half)));
            Self::new(Salt((low | high << 64).to_le_bytes()))
        })
    }
}

/// Returns the salt of the checks of this process.
pub fn salt() -> Salt {
    Salted::of_process().salt
}

/// Sets the salt of the checks of this process to that of a stored index, so that the checks of
/// both can be compared.
///
/// # Errors
///
/// Returns [`AlreadySalted`] if this process already uses another salt.
pub fn salt_checks(salt: Salt) -> Result<(), AlreadySalted> {
    let salted = SALTED.get_or_init(|| Salted::new(salt));
    if salted.salt == salt { Ok(()) } else { Err(AlreadySalted) }
}

impl Check {
    /// Computes the check of one stem.
    pub fn new(stem: &str) -> Self {
        let salted = Salted::of_process().hasher.hash(stem.as_bytes());
        Self(salted & !u64::from(u32::MAX) | u64::from(fnv(stem.as_bytes())))
    }

    /// Computes the check of stems in a row: a polynomial of their checks in a salted number,
    /// modulo 2⁶⁴. It is the default if there are no stems.
    pub fn from_stems(stems: impl IntoIterator<Item = Self>) -> Self {
        let multiplier = Multiplier::get();
        let all = stems.into_iter().reduce(|all, next| all.then(next, multiplier));
        all.unwrap_or_default()
    }

    /// Returns the check of the stems so far and one more. If `next` is the default, as past the
    /// end of a text, it returns the check of the stems so far.
    #[inline]
    pub(crate) fn then(self, next: Self, multiplier: Multiplier) -> Self {
        let factor = if next.0 == 0 { 1 } else { multiplier.0 };
        Self(self.0.wrapping_mul(factor).wrapping_add(next.0))
    }

    /// Returns the highest [`Self::BITS`] bits.
    #[inline]
    pub fn bits(self) -> u32 {
        u32::try_from(self.0 >> (u64::BITS - Self::BITS)).unwrap_or_default()
    }

    /// The number of bits of a check that are stored with a shingle.
    pub const BITS: u32 = 28;

    /// Returns the check of a single stem as a number with the unsalted bits first. These numbers
    /// have the same order in each run, except for stems whose unsalted bits are equal.
    pub(crate) fn in_stable_order(self) -> u64 {
        self.0.rotate_left(u32::BITS)
    }
}

/// The salted number that the check of a sequence is multiplied by for each further stem.
#[derive(Clone, Copy)]
pub(crate) struct Multiplier(u64);

impl Multiplier {
    pub(crate) fn get() -> Self {
        Self(Salted::of_process().multiplier)
    }
}

/// Computes FNV-1a with 32 bits (Fowler, Noll, Vo 1991).
fn fnv(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Interner;
    use super::*;
    use crate::stems::Stems;
    use crate::tokens::Tokens;

    fn spots(text: &str, words: &[usize]) -> Vec<Spot> {
        let own =
            |words: Tokens, _: &str| words.0.iter().map(|token| &*token.word).collect::<Stems>();
        let (_, offsets) =
            Interner::new(0, own).read_with_offsets(text, std::iter::once(0..text.len()));
        offsets.spots(text, words.iter().copied())
    }

    fn spans(text: &str, words: &[usize]) -> Vec<Range<usize>> {
        spots(text, words).into_iter().map(|spot| spot.span).collect()
    }

    #[test]
    fn a_word_behind_the_last_is_nowhere() {
        let nowhere: [Range<usize>; 0] = [];
        assert_eq!(spans("", &[0]), nowhere);
        assert_eq!(spans("a kettle lid", &[1, 2, 3]), [2..8, 9..12]);
        assert_eq!(spans("a \u{fdfa} kettle", &[1, 4, 5]), [2..5, 2..5, 6..12], "four in one");
    }

    #[test]
    fn words_that_share_a_character_share_a_spot() {
        let words: Vec<Range<usize>> = spots("a \u{fdfa} b\u{37a}c", &[0, 2, 4, 5, 6])
            .into_iter()
            .map(|it| it.words)
            .collect();
        assert_eq!(words, [0..1, 1..5, 1..5, 5..6, 6..7]);
    }

    proptest! {
        /// Few of many words, and all of them, against those of the entire text.
        #[test]
        fn marked_words_stand_where_they_are_split(
            text in "((kettle|exam-\n|l'home|水火|ﷺ|b\u{37a}c|بﹰ|ﷺﱞ|a\u{b8}|3.14|a|\u{ad}|'|é)[ \n,.]{0,2}){0,200}", step in 1_usize..50,
        ) {
            let split = tokens::split(&text).0;
            let words: Vec<usize> = (0..split.len()).step_by(step).collect();
            let want: Vec<Range<usize>> = words.iter().map(|word| split[*word].span.clone()).collect();
            prop_assert_eq!(spans(&text, &words), want);
        }
    }
}

#[cfg(test)]
mod check_tests {
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
        let of = |stems: &[&str]| Check::from_stems(stems.iter().map(|stem| Check::new(stem)));
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
        // The test vectors of Noll's reference code.
        assert_eq!(fnv(b""), 0x811c_9dc5);
        assert_eq!(fnv(b"a"), 0xe40c_292c);
        assert_eq!(fnv(b"foobar"), 0xbf9c_f968);
    }
}
