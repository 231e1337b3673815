//! The words of two texts as numbers that are equal for equal words.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::frequencies::{COUNTER, Follows, Frequencies};

use crate::interner::numbers::{self, Number};
use crate::interner::{Stem, StemTable, place};
use crate::parallel;

/// The worth of a full word, in quarters of a word. A letter of a script without spaces is worth
/// less.
pub(super) const WORD: usize = 4;

/// A word is rare if it makes up at most one in this many of the words of both texts.
const RARE_ONE_IN: usize = 250;

/// A word that occurs at most this often in both texts together is rare, however short they are.
const ALWAYS_RARE: usize = 6;

/// A word that occurs more often than this in both texts together is not rare, however long they
/// are.
const NEVER_RARE: usize = 100;

/// The words of a text, in order.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Sequence {
    /// The words, as indices into `distinct`.
    pub words: Vec<u32>,
    /// The distinct words, of this text and perhaps of others; a word may occur twice. Those
    /// that are letters of scripts without spaces are worth less than a word.
    pub distinct: Arc<StemTable>,
    /// The words that do not directly follow the word before them in the text, in increasing order.
    /// No passage contains both.
    pub breaks: Vec<usize>,
}

/// Two texts, the lexicographically smaller first, so that no result depends on their order.
#[derive(Debug)]
pub(super) struct Pair {
    /// The words, as indices into `known` and `distinct`.
    pub(super) words: [Vec<u32>; 2],
    /// The breaks of both sequences, as in [`Sequence::breaks`].
    pub(super) breaks: [Vec<usize>; 2],
    /// The distinct words of both texts by their numbers; empty if the residues are not known.
    pub(super) distinct: Vec<Stem>,
    known: Vec<WordInfo>,
    /// For each side, the worth of the words before each block; empty if every word of both texts
    /// is a full word.
    blocks: [Vec<usize>; 2],
    /// What is computed only if it is needed.
    lazy: Lazy,
}

#[derive(Debug, Default)]
struct Lazy {
    /// The value of each distinct word that is written in digits.
    numbers: OnceLock<Vec<Option<Number>>>,
    /// For each side, the places of the numbers that count up, in order.
    counters: OnceLock<[Vec<usize>; 2]>,
    frequencies: OnceLock<Frequencies>,
    frequencies_without_repeats: OnceLock<Frequencies>,
}

/// The number of words in a block, whose worth is looked up at once.
const WORDS_PER_BLOCK: usize = 16;

/// The properties of a distinct word.
#[derive(Clone, Copy, Debug, Default)]
struct WordInfo {
    worth: u8,
    is_rare: bool,
    /// Whether both texts contain it.
    is_shared: bool,
}

#[cfg(test)]
impl Pair {
    pub(super) fn from_sequences(left: Sequence, right: Sequence) -> (Self, bool) {
        Self::of(Cow::Owned(left), Cow::Owned(right))
    }
}

impl Pair {
    /// Numbers the words of two texts, independently of which is left. Also returns whether the
    /// sides are swapped.
    pub(super) fn of(left: Cow<Sequence>, right: Cow<Sequence>) -> (Self, bool) {
        // Texts that were read together share one list.
        let is_one = Arc::ptr_eq(&left.distinct, &right.distinct);
        let lists = [&left, &right].map(|text| Arc::clone(&text.distinct)).into_iter();
        let lists: Vec<_> = lists.take(if is_one { 1 } else { 2 }).collect();
        let bytes = size_of::<u32>() * (left.words.len() + right.words.len());
        // Residues take half of the memory and time that identities take. They distinguish the
        // words of nearly all texts: of all but those with words that were constructed to have the
        // same residue.
        let mut numbered = NumberedLists::by(&lists, |word| word.residue(), bytes);
        if numbered.has_collisions {
            numbered = NumberedLists::by(&lists, Identity::new, bytes);
        }
        let NumberedLists { of_lists, distinct, .. } = numbered;
        let with_worth = |worth| WordInfo { worth, ..WordInfo::default() };
        let worths = worths(&lists, &of_lists, distinct.len()).into_iter();
        let mut known: Vec<WordInfo> = worths.map(with_worth).collect();
        drop(lists);
        let renumbered = |text: Cow<Sequence>, numbers: &[u32]| match text {
            // In place, since there may be very many words.
            Cow::Owned(Sequence { mut words, breaks, .. }) => {
                for word in &mut words {
                    *word = numbers[*word as usize];
                }
                (words, breaks)
            }
            Cow::Borrowed(Sequence { words, breaks, .. }) => {
                (words.iter().map(|word| numbers[*word as usize]).collect(), breaks.clone())
            }
        };
        let (of_left, of_right) = (&of_lists[0], of_lists.last().unwrap_or(&of_lists[0]));
        let ((left, left_breaks), (right, right_breaks)) =
            parallel::join(bytes, || renumbered(left, of_left), || renumbered(right, of_right));
        let words = [left, right];
        drop(of_lists);
        let mut counts = vec![[0_u32; 2]; known.len()];
        for (side, words) in words.iter().enumerate() {
            for word in words {
                let count = &mut counts[*word as usize][side];
                *count = count.saturating_add(1);
            }
        }
        let max_rare_count = max_rare_count(words.each_ref().map(Vec::len));
        let of_both = known.iter_mut().zip(counts).map(|(word, [left, right])| {
            let count = left.saturating_add(right);
            word.is_rare = count as usize <= max_rare_count;
            word.is_shared = left > 0 && right > 0;
            count
        });
        let frequencies = OnceLock::from(Frequencies::from_counts(of_both.collect()));
        let breaks = [left_breaks, right_breaks];
        let (pair, is_swapped) = Self::in_canonical_order(words, breaks, distinct, known);
        (Self { lazy: Lazy { frequencies, ..Lazy::default() }, ..pair }, is_swapped)
    }

    /// Makes a pair from two of many texts. `own` are the distinct words of each text, by
    /// increasing numbers, and `words` are indices into them. Without residues, the pair can be
    /// searched for runs, but has no fingerprints. Also returns whether the sides are swapped.
    pub(super) fn from_numbers(
        own: [&[DistinctWord]; 2],
        words: [&[u32]; 2],
        breaks: [Vec<usize>; 2],
    ) -> (Self, bool) {
        let max_rare_count = max_rare_count(words.map(<[u32]>::len));
        let mut known = vec![WordInfo::default(); own[0].len() + own[1].len()];
        let mut numbers = vec![None; known.len()];
        let mut places = own.map(|own| vec![0; own.len()]);
        let [mut left, mut right, mut count] = [0; 3];
        while let (Some(one), Some(other)) = (own[0].get(left), own[1].get(right)) {
            // Without branches, which would be unpredictable: the index of the word with the
            // greater number is overwritten in a later iteration.
            let number = place(count);
            (places[0][left], places[1][right]) = (number, number);
            let is_of = [one.number <= other.number, other.number <= one.number];
            let times = [one, other].map(|word| usize::from(word.count));
            let times = times[0] * usize::from(is_of[0]) + times[1] * usize::from(is_of[1]);
            let worth = if is_of[0] { one.worth } else { other.worth };
            let is_shared = is_of[0] && is_of[1];
            known[count] = WordInfo { worth, is_rare: times <= max_rare_count, is_shared };
            numbers[count] = if is_of[0] { one.value } else { other.value };
            (left, right) = (left + usize::from(is_of[0]), right + usize::from(is_of[1]));
            count += 1;
        }
        for (side, next) in [left, right].into_iter().enumerate() {
            for (word, at) in own[side][next..].iter().zip(&mut places[side][next..]) {
                *at = place(count);
                let is_rare = usize::from(word.count) <= max_rare_count;
                known[count] = WordInfo { worth: word.worth, is_rare, is_shared: false };
                numbers[count] = word.value;
                count += 1;
            }
        }
        known.truncate(count);
        let words = [0, 1].map(|side| {
            words[side].iter().map(|word| places[side][*word as usize]).collect::<Vec<u32>>()
        });
        let (pair, is_swapped) = Self::in_canonical_order(words, breaks, Vec::new(), known);
        let lazy = Lazy { numbers: OnceLock::from(numbers), ..Lazy::default() };
        (Self { lazy, ..pair }, is_swapped)
    }

    fn in_canonical_order(
        mut words: [Vec<u32>; 2],
        mut breaks: [Vec<usize>; 2],
        distinct: Vec<Stem>,
        known: Vec<WordInfo>,
    ) -> (Self, bool) {
        let is_plain = known.iter().all(|word| usize::from(word.worth) == WORD);
        let is_swapped = (&words[1], &breaks[1]) < (&words[0], &breaks[0]);
        if is_swapped {
            words.reverse();
            breaks.reverse();
        }
        let blocks = |words: &Vec<u32>| if is_plain { Vec::new() } else { blocks(words, &known) };
        let blocks = words.each_ref().map(blocks);
        (Self { words, breaks, distinct, known, blocks, lazy: Lazy::default() }, is_swapped)
    }

    /// Returns the values of the distinct words, by their numbers; `None` for a word that is not
    /// written in digits.
    pub(super) fn numbers(&self) -> &[Option<Number>] {
        let of_words = || self.distinct.iter().map(numbers::value).collect();
        self.lazy.numbers.get_or_init(of_words)
    }

    /// Returns the value of a distinct word that is written in digits.
    pub(super) fn number(&self, word: u32) -> Option<Number> {
        self.numbers()[word as usize]
    }

    /// Returns the number of a word, or [`COUNTER`].
    pub(super) fn symbol(&self, side: usize, at: usize) -> u32 {
        let word = self.words[side][at];
        let is_counter =
            self.number(word).is_some() && self.counters()[side].binary_search(&at).is_ok();
        if is_counter { COUNTER } else { word }
    }

    /// Returns for each side the places of the numbers that count up, in order.
    pub(super) fn counters(&self) -> &[Vec<usize>; 2] {
        self.lazy.counters.get_or_init(|| {
            let of_words = self.numbers();
            let of_side = |side: usize| {
                let values = self.words[side].iter().map(|word| of_words[*word as usize]);
                numbers::counting_up(values)
            };
            let bytes = size_of::<u32>() * self.words.iter().map(Vec::len).sum::<usize>();
            parallel::join(bytes, || of_side(0), || of_side(1)).into()
        })
    }

    /// Returns how often each word occurs.
    pub(super) fn frequencies(&self) -> &Frequencies {
        let count = || Frequencies::new(&self.words, self.distinct_words(), Default::default());
        self.lazy.frequencies.get_or_init(count)
    }

    /// Returns how often each word occurs if what a text repeats is counted once, as `count` does.
    pub(super) fn frequencies_without_repeats(
        &self,
        count: impl FnOnce() -> Frequencies,
    ) -> &Frequencies {
        self.lazy.frequencies_without_repeats.get_or_init(count)
    }

    pub(super) fn follows<'f>(&self, known: &'f Frequencies) -> &'f Follows {
        let lengths = self.words.each_ref().map(Vec::len);
        known.follows(lengths, |side, at| self.symbol(side, at))
    }

    /// Returns the words of a side that no break separates from a given word, that word included.
    pub(super) fn stretch(&self, side: usize, at: usize) -> Range<usize> {
        let breaks = &self.breaks[side];
        let behind = breaks.partition_point(|first| *first <= at);
        let start = behind.checked_sub(1).map_or(0, |before| breaks[before]);
        start..breaks.get(behind).copied().unwrap_or(usize::MAX).min(self.words[side].len())
    }

    /// Returns the number of distinct words; each number of a word is below it.
    pub(super) fn distinct_words(&self) -> usize {
        self.known.len()
    }

    /// Reports whether both texts consist of the same words in the same order.
    pub(super) fn is_same(&self) -> bool {
        self.words[0] == self.words[1]
    }

    /// Returns the worth of a word on one side, in quarters of a word: 1 to [`WORD`].
    pub(super) fn worth(&self, side: usize, at: usize) -> usize {
        usize::from(self.known[self.words[side][at] as usize].worth)
    }

    /// Reports whether all words are worth a full word.
    pub(super) fn is_plain(&self) -> bool {
        self.blocks[0].is_empty()
    }

    /// Reports whether a word, given by its number, is worth a full word.
    pub(super) fn is_whole(&self, number: usize) -> bool {
        usize::from(self.known[number].worth) == WORD
    }

    /// Returns the total worth of a range of words on one side, in quarters of a word.
    pub(super) fn worth_of(&self, side: usize, range: Range<usize>) -> usize {
        let blocks = &self.blocks[side];
        if blocks.is_empty() {
            return range.len() * WORD;
        }
        let worth_of = |range: Range<usize>| range.map(|at| self.worth(side, at)).sum::<usize>();
        let (first, last) = (range.start.div_ceil(WORDS_PER_BLOCK), range.end / WORDS_PER_BLOCK);
        if first >= last {
            return worth_of(range);
        }
        let between = blocks[last] - blocks[first];
        worth_of(range.start..first * WORDS_PER_BLOCK)
            + between
            + worth_of(last * WORDS_PER_BLOCK..range.end)
    }

    /// Reports whether a range of words on one side is worth more than a limit, in quarters of a
    /// word. The limit also bounds the cost.
    pub(super) fn is_worth_more(&self, side: usize, range: Range<usize>, limit: usize) -> bool {
        range.len() > limit || self.worth_of(side, range) > limit
    }

    /// Reports whether the other side also contains a word of one side.
    pub(super) fn is_shared(&self, side: usize, at: usize) -> bool {
        self.is_in_both(self.words[side][at])
    }

    /// Reports whether both sides contain a word, given by its number.
    pub(super) fn is_in_both(&self, number: u32) -> bool {
        self.known[number as usize].is_shared
    }

    /// Reports whether both sides contain a word, given by its number, and whether it is rare.
    #[inline]
    pub(super) fn is_in_both_and_rare(&self, number: u32) -> (bool, bool) {
        let WordInfo { is_rare, is_shared, .. } = self.known[number as usize];
        (is_shared, is_rare)
    }

    pub(super) fn is_rare(&self, side: usize, at: usize) -> bool {
        self.known[self.words[side][at] as usize].is_rare
    }
}

/// Returns the largest number of occurrences in both texts together with which a word is rare, from
/// the number of words in each text.
fn max_rare_count(words: [usize; 2]) -> usize {
    (words.iter().sum::<usize>() / RARE_ONE_IN).clamp(ALWAYS_RARE, NEVER_RARE)
}

/// A distinct word of one of many texts.
#[derive(Clone, Copy, Debug)]
pub(super) struct DistinctWord {
    /// The number of the word, the same in all texts.
    pub(super) number: u32,
    /// The number of occurrences in the text; 255 if there are more, which is [not
    /// rare](NEVER_RARE).
    pub(super) count: u8,
    /// Its worth, in quarters of a word.
    pub(super) worth: u8,
    /// Its value, if it is written in digits.
    pub(super) value: Option<Number>,
}

/// A distinct word, identified by its residue and its check, the latter in an order that is the
/// same in every run. Equal for equal words and different for different ones, even if these were
/// constructed to have the same residue.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Identity {
    residue: u64,
    check: u64,
}

impl Identity {
    pub(super) fn new(word: &Stem) -> Self {
        Self { residue: word.residue(), check: word.check.in_stable_order() }
    }
}

/// The words of lists, numbered in the order of their keys.
pub(super) struct NumberedLists {
    pub(super) of_lists: Vec<Vec<u32>>,
    pub(super) distinct: Vec<Stem>,
    /// Whether two different words have the same key, and therefore the same number.
    has_collisions: bool,
}

impl NumberedLists {
    pub(super) fn by<K: Copy + Ord + Send + Sync>(
        lists: &[Arc<StemTable>],
        key: impl Fn(&Stem) -> K + Sync,
        bytes: usize,
    ) -> Self {
        let mut keys: Vec<K> = lists.iter().flat_map(|list| &list.stems).map(&key).collect();
        keys.sort_unstable();
        keys.dedup();
        let number = |word: &Stem| {
            let key = key(word);
            place(keys.partition_point(|known| *known < key))
        };
        let numbers = |list: &Arc<StemTable>| list.stems.iter().map(number).collect();
        let of_some = |lists: &[_]| lists.iter().map(numbers).collect::<Vec<Vec<u32>>>();
        let (first, others) = lists.split_at(lists.len() / 2);
        let (mut of_lists, of_others) =
            parallel::join(bytes, || of_some(first), || of_some(others));
        of_lists.extend(of_others);
        let mut distinct = vec![Stem::default(); keys.len()];
        drop(keys);
        let mut has_collisions = false;
        for (list, numbers) in lists.iter().zip(&of_lists) {
            for (word, number) in list.stems.iter().zip(numbers) {
                let known = &mut distinct[*number as usize];
                has_collisions |= *known != Stem::default() && known != word;
                *known = *word;
            }
        }
        Self { of_lists, distinct, has_collisions }
    }
}

/// Returns the worth of each of the `count` numbered words.
pub(super) fn worths(lists: &[Arc<StemTable>], numbers: &[Vec<u32>], count: usize) -> Vec<u8> {
    let mut known = vec![0; count];
    for (list, numbers) in lists.iter().zip(numbers) {
        for (at, number) in numbers.iter().enumerate() {
            let known: &mut u8 = &mut known[*number as usize];
            *known = (*known).max(worth(list.letter(at).less));
        }
    }
    known
}

/// Returns the worth of the words before each block, and of those before the end of the last full
/// block.
fn blocks(words: &[u32], known: &[WordInfo]) -> Vec<usize> {
    let of_block = |block: &[u32; WORDS_PER_BLOCK]| {
        block.iter().map(|word| usize::from(known[*word as usize].worth)).sum::<usize>()
    };
    let mut blocks = vec![0];
    let mut sum = 0;
    for block in words.as_chunks().0 {
        sum += of_block(block);
        blocks.push(sum);
    }
    blocks
}

/// Returns the worth of a word in quarters of a word, of which it is worth `less` than a word.
pub(super) fn worth(less: u8) -> u8 {
    4 - less.min(3)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{sequence, words};
    use super::*;

    #[test]
    fn a_word_is_rare_by_how_often_both_texts_have_it() {
        // Both texts together have `all` words: one occurs `times` times, all others once.
        #[rustfmt::skip]
        let table: &[(&str, usize, usize, bool)] = &[
            ("6 times is rare in any text",        6,   20,     true),
            ("7 times of 1,749 words",             7,   1_749,  false),
            ("7 times of 1,750 words",             7,   1_750,  true),
            ("100 times of 25,000 words",          100, 25_000, true),
            ("101 times is not, however long",     101, 30_000, false),
        ];
        for (why, times, all, want) in table {
            let half = times / 2;
            let left = words(&format!("{}x1..{}", "a ".repeat(half), all / 2 - half));
            let rest = (all - all / 2) - (times - half);
            let right = words(&format!("{}y1..{rest}", "a ".repeat(times - half)));
            assert_eq!(left.len() + right.len(), *all, "{why}");
            let (pair, _) = Pair::from_sequences(sequence(&left), sequence(&right));
            assert_eq!(pair.is_rare(0, 0), *want, "{why}");
            let other = left.len().min(right.len()) - 1;
            assert!(pair.is_shared(0, 0) && !pair.is_shared(0, other), "{why}");
        }
    }

    #[test]
    fn equal_words_have_one_number_whichever_text_comes_first() {
        let [left, right] = ["a b a c", "c b d"].map(|text| sequence(&words(text)));
        let (pair, is_swapped) = Pair::from_sequences(left.clone(), right.clone());
        let (borrowed, _) = Pair::of(Cow::Borrowed(&left), Cow::Borrowed(&right));
        let (other, other_turned) = Pair::from_sequences(right, left.clone());
        assert_eq!((&pair.words, is_swapped), (&other.words, !other_turned));
        assert_eq!((&borrowed.words, &borrowed.distinct), (&pair.words, &pair.distinct));
        let [one, two] = if is_swapped {
            [&pair.words[1], &pair.words[0]]
        } else {
            [&pair.words[0], &pair.words[1]]
        };
        assert_eq!((one[0], one[3], one[1]), (one[2], two[0], two[1]));
        assert_eq!([one[0], one[1], one[3]].iter().filter(|word| **word == two[2]).count(), 0);
        assert!(!pair.is_same() && Pair::from_sequences(left.clone(), left).0.is_same());
    }

    #[test]
    fn a_word_that_is_known_twice_is_one() {
        let mut left = sequence(&words("a b"));
        Arc::make_mut(&mut left.distinct).push("a");
        left.words.push(2);
        let (pair, _) = Pair::from_sequences(left, sequence(&words("a b a")));
        assert!(pair.is_same());
    }

    #[test]
    fn letters_are_worth_less_and_what_recurs_is_not_rare() {
        // 6 of 1,500 words are rare; 7 are more than one in 250.
        let text = ["a ".repeat(6), "b ".repeat(7), "x1..1484 水 の ก".to_owned()].concat();
        let text = sequence(&words(&text));
        let (pair, _) = Pair::from_sequences(text, Sequence::default());
        let of = |at: usize| (pair.worth(1, at), pair.is_rare(1, at));
        assert_eq!([of(0), of(6), of(13)], [(4, true), (4, false), (4, true)]);
        assert_eq!([of(1497), of(1498), of(1499)], [(3, true), (2, true), (2, true)]);
        assert_eq!((pair.worth_of(1, 1496..1500), pair.worth_of(1, 0..0)), (11, 0));
        assert!(pair.is_worth_more(1, 1496..1500, 10) && !pair.is_worth_more(1, 1496..1500, 11));
    }

    #[test]
    fn words_are_worth_together_what_each_is() {
        let text = sequence(&words(&"a 水 の b ".repeat(13)));
        let (pair, _) = Pair::from_sequences(text, sequence(&words("a")));
        let side = usize::from(pair.words[0].len() < pair.words[1].len());
        for start in 0..=52 {
            for end in start..=52 {
                let want: usize = (start..end).map(|at| pair.worth(side, at)).sum();
                assert_eq!(pair.worth_of(side, start..end), want, "{start}..{end}");
            }
        }
    }
}
