//! An inverted index of stretches of three words in a row: the texts that contain each, and where.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;

use crate::interner::numbers::{self, Number};
use crate::interner::{Stem, StemTable, place, stretches};
use crate::parallel;
use crate::passages::pair::{DistinctWord, Identity, NumberedLists, Pair, WORD, worth, worths};
use crate::passages::seeds::{MIN_SEED_WORTH, mixed};
use crate::passages::{MinMatch, Sequence, WordPair};

/// The number of stretches that are sorted at a time, to bound the memory.
const BATCH: usize = if cfg!(test) { 1 << 4 } else { 1 << 22 };

/// The number of words from which on stretches are sorted on all threads.
const WORTH_THREADS: usize = if cfg!(test) { 8 } else { 1 << 16 };

/// The number of texts whose words are numbered at a time, to bound the memory.
const TEXTS_AT_A_TIME: usize = if cfg!(test) { 2 } else { 1 << 10 };

/// The largest number of stretches of two texts that are examined individually. If there are more,
/// a passage is considered possible.
pub(super) const MAX_STRETCHES: u16 = if cfg!(test) { 40 } else { 200 };

/// The largest number of positions of one stretch in one text that are looked up, which bounds the
/// cost of texts that repeat themselves. A text with more is examined in any case.
const PLACES_PER_TEXT: usize = MAX_STRETCHES as usize + 1;

/// Returns the first positions of each text, of positions that are in order.
pub(super) fn first_of_texts(places: &[Position]) -> impl Iterator<Item = Position> {
    of_texts(places).flat_map(|of_text| of_text.iter().take(PLACES_PER_TEXT).copied())
}

/// The number of positions of a text from which on the end of its positions is looked up.
const MANY_PLACES: usize = 16;

/// Divides positions that are in order into those of each text. The cost is that of reading at most
/// [`MANY_PLACES`] of each text, and of a binary search for each text that has more.
pub(super) fn of_texts(mut places: &[Position]) -> impl Iterator<Item = &[Position]> {
    std::iter::from_fn(move || {
        let text = places.first()?.text;
        let few = places.iter().take(MANY_PLACES + 1).position(|it| it.text != text);
        let end = few.unwrap_or_else(|| places.partition_point(|it| it.text <= text));
        let (of_text, rest) = places.split_at(end);
        places = rest;
        Some(of_text)
    })
}

/// Marks a word at which no stretch begins that another text contains as well.
pub(super) const NO_STRETCH: u32 = u32::MAX;

/// The position of a stretch.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Position {
    pub(super) text: u32,
    /// The position of its first word, from 0.
    pub(super) at: u32,
}

/// The stretches of three words in a row, or of letters that are worth as much, that several texts
/// contain.
///
/// Stretches are distinguished by 64 bits: two different ones that are taken for equal make
/// candidates, but no passage. The index takes at most 12 bytes for each word of the texts, and as
/// many again while it is built.
#[derive(Clone, Debug)]
pub struct Index<'t> {
    pub(super) texts: &'t Texts,
    pub(super) min_match: MinMatch,
    /// For each word of all texts, the number of the stretch that begins there, or [`NO_STRETCH`].
    pub(super) stretches: Vec<u32>,
    /// The positions of each stretch, in order, by the numbers of the stretches: the first
    /// [`PLACES_PER_TEXT`] of each text.
    pub(super) places: Vec<Position>,
    /// The end of the positions of each stretch in `places`.
    pub(super) ends: Vec<usize>,
    /// A hash of all words of each text, and the text, in increasing order: equal texts share a
    /// passage, however short they are.
    pub(super) whole: Vec<(u64, u32)>,
}

impl<'t> Index<'t> {
    /// Builds the index for passages of at least `min_match` words. The cost is that of sorting the
    /// words.
    pub fn new(texts: &'t Texts, min_match: MinMatch, threads: NonZeroUsize) -> Self {
        let words = texts.words();
        let least = if words >= WORTH_THREADS { threads.get() } else { 1 };
        let batches = (words / BATCH + 1).max(least) as u64;
        let found = parallel::map(threads, 0..batches, |batch| {
            let is_due =
                |hash: u64| (u128::from(hash) * u128::from(batches)) >> 64 == u128::from(batch);
            groups(texts, is_due)
        });
        let (mut places, mut ends) = (Vec::new(), Vec::new());
        for (of_batch, sizes) in found {
            places.extend(of_batch);
            for size in sizes {
                ends.push(ends.last().map_or(0, |end| *end) + size);
            }
        }
        let mut whole: Vec<(u64, u32)> = (0..place(texts.len()))
            .map(|text| (hash_of_words(texts.numbers(text)), text))
            .collect();
        whole.sort_unstable();
        let mut index = Self { texts, min_match, stretches: Vec::new(), places, ends, whole };
        index.stretches = index.numbers();
        let is_bounded = |number: usize| {
            let places = &index.places[index.range(number)];
            places.len() <= PLACES_PER_TEXT || first_of_texts(places).count() == places.len()
        };
        if (0..index.ends.len()).all(is_bounded) { index } else { index.with_places() }
    }

    /// Returns, for each word, the number of the stretch that begins there.
    fn numbers(&self) -> Vec<u32> {
        let mut stretches = vec![NO_STRETCH; self.texts.words()];
        for number in 0..self.ends.len() {
            for Position { text, at } in &self.places[self.range(number)] {
                stretches[self.texts.range(*text).start + *at as usize] = place(number);
            }
        }
        stretches
    }

    /// Looks up the positions of each stretch from the numbers of the stretches of all words.
    fn with_places(mut self) -> Self {
        // For each stretch, the last text that has it, and how often.
        let mut last = vec![(u32::MAX, 0); self.ends.len()];
        let mut counts = vec![0; self.ends.len()];
        let mut each = |take: &mut dyn FnMut(usize, Position)| {
            last.fill((u32::MAX, 0));
            for text in 0..place(self.texts.len()) {
                let numbers = self.stretches[self.texts.range(text)].iter().zip(0..);
                for (number, at) in numbers.filter(|(number, _)| **number != NO_STRETCH) {
                    let (of, times) = &mut last[*number as usize];
                    *times = if *of == text { *times + 1 } else { 1 };
                    *of = text;
                    if *times <= PLACES_PER_TEXT {
                        take(*number as usize, Position { text, at });
                    }
                }
            }
        };
        each(&mut |number, _| counts[number] += 1);
        let mut next: Vec<usize> = Vec::with_capacity(counts.len());
        let mut end = 0;
        for count in counts {
            next.push(end);
            end += count;
        }
        let mut places = vec![Position { text: 0, at: 0 }; end];
        each(&mut |number, place| {
            places[next[number]] = place;
            next[number] += 1;
        });
        (self.places, self.ends) = (places, next);
        self
    }

    pub(super) fn hash_of(&self, text: u32) -> u64 {
        hash_of_words(self.texts.numbers(text))
    }

    /// Returns the range in `places` of a stretch, given by its number.
    pub(super) fn range(&self, number: usize) -> Range<usize> {
        number.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[number]
    }

    /// Returns the number of words in the stretch that begins at each word of a text; 0 if none
    /// does.
    pub(super) fn lengths(&self, text: u32) -> Vec<u32> {
        let mut lengths = vec![0; self.texts.range(text).len()];
        each(self.texts, text, |at, length, _| lengths[at] = place(length));
        lengths
    }
}

/// Returns the positions of the stretches that are due and occur in several texts, one stretch
/// after another, and the number of positions of each.
fn groups(texts: &Texts, is_due: impl Fn(u64) -> bool) -> (Vec<Position>, Vec<usize>) {
    let mut due: Vec<(u64, Position)> = Vec::new();
    for text in 0..place(texts.len()) {
        each(texts, text, |at, _, hash| {
            if is_due(hash) {
                due.push((hash, Position { text, at: place(at) }));
            }
        });
    }
    due.sort_unstable();
    let (mut places, mut sizes) = (Vec::new(), Vec::new());
    for group in due.chunk_by(|one, next| one.0 == next.0) {
        if group[0].1.text != group[group.len() - 1].1.text {
            places.extend(group.iter().map(|(_, place)| *place));
            sizes.push(group.len());
        }
    }
    (places, sizes)
}

/// Passes each stretch of a text to `take`: the position of its first word, its number of words,
/// and a hash of them.
fn each(texts: &Texts, text: u32, take: impl FnMut(usize, usize, u64)) {
    let numbers: Vec<u32> = texts.numbers(text).collect();
    let worth = |at: usize| texts.worth(numbers[at]);
    each_stretch(&numbers, worth, texts.breaks(text), take);
}

// The words of many texts, numbered by one dictionary.

/// The words of many texts. A text takes four bytes for each word, and eight for each distinct one.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// The words of all texts, one text after another, as indices into the part of `own` that
    /// belongs to the text.
    words: Vec<u32>,
    /// The end of the words of each text in `words`.
    ends: Vec<usize>,
    /// The distinct words of each text by increasing numbers, one text after another. The numbers
    /// increase with the residues of the words.
    own: Vec<DistinctWord>,
    distinct_ends: Vec<usize>,
    breaks: BTreeMap<u32, Vec<usize>>,
    /// The words that begin a sentence, one text after another, and the end of those of each text;
    /// `None` if they are not known.
    sentences: Option<(Vec<u32>, Vec<usize>)>,
    /// The worth of each word by its number, in quarters of a word; empty if all are full words.
    worths: Vec<u8>,
    /// For each text, the smallest worth of any word, in quarters of a word.
    least_worths: Vec<u8>,
    /// The distinct words of all texts, by their numbers.
    stems: Vec<Stem>,
}

impl Texts {
    /// Numbers the words of texts. The texts are numbered from 0, in their order; those beyond 2³²
    /// − 1 texts are skipped. Texts that were read together should share one list of distinct
    /// words, since the cost is that of sorting the words of all lists, and of each text.
    pub fn new(sequences: Vec<Sequence>, threads: NonZeroUsize) -> Self {
        let mut lists: Vec<Arc<StemTable>> = Vec::new();
        let mut known: BTreeMap<usize, usize> = BTreeMap::new();
        let of_sequence: Vec<usize> = sequences
            .iter()
            .map(|sequence| {
                let list = known.entry(Arc::as_ptr(&sequence.distinct).addr());
                *list.or_insert_with(|| {
                    lists.push(Arc::clone(&sequence.distinct));
                    lists.len() - 1
                })
            })
            .collect();
        let NumberedLists { of_lists: numbers, distinct: stems, .. } =
            NumberedLists::by(&lists, Identity::new, 0);
        let is_plain = lists.iter().all(|list| list.letters.is_empty());
        let worths = if is_plain { vec![] } else { worths(&lists, &numbers, stems.len()) };
        let mut texts = Self { worths, stems, ..Self::default() };
        let values: Vec<Option<Number>> = texts.stems.iter().map(numbers::value).collect();
        drop(lists);
        let mut rest = sequences.into_iter().zip(of_sequence).take(u32::MAX as usize);
        loop {
            let batch: Vec<_> = rest.by_ref().take(TEXTS_AT_A_TIME).collect();
            if batch.is_empty() {
                return texts;
            }
            let number = |(sequence, list): (Sequence, usize)| {
                let value = |word: u32| values[word as usize];
                NumberedText::new(sequence, &numbers[list], (|word| texts.worth(word), value))
            };
            for text in parallel::map(threads, batch, number) {
                texts.add(text);
            }
        }
    }

    /// Adds the words of each text that begin a sentence, in increasing order and without the first
    /// word after a break. Without them, no reworded passages are found.
    #[must_use]
    pub fn with_sentences(mut self, of_texts: &[Vec<u32>]) -> Self {
        let ends = of_texts.iter().scan(0, |end, of_text| {
            *end += of_text.len();
            Some(*end)
        });
        self.sentences = Some((of_texts.concat(), ends.collect()));
        self
    }

    /// Returns the words that begin a sentence within ranges of a text, without the first word of
    /// each range; `None` if they are not known.
    pub fn sentences(&self, text: u32, ranges: &[Range<usize>]) -> Option<Vec<usize>> {
        let (all, ends) = self.sentences.as_ref()?;
        let starts = &all[range(ends, text)];
        let within = |range: Range<usize>| {
            let from = starts.partition_point(|start| *start as usize <= range.start);
            starts[from..].iter().map(|start| *start as usize).take_while(move |at| *at < range.end)
        };
        Some(ranges.iter().cloned().flat_map(within).collect())
    }

    fn add(&mut self, text: NumberedText) {
        self.least_worths.push(text.own.iter().map(|word| word.worth).min().unwrap_or(worth(0)));
        self.words.extend(text.words);
        if !text.breaks.is_empty() {
            self.breaks.insert(place(self.ends.len()), text.breaks);
        }
        self.own.extend(text.own);
        self.ends.push(self.words.len());
        self.distinct_ends.push(self.own.len());
    }

    /// Returns the number of texts.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the number of words of all texts together.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// Returns the number of distinct words of all texts together.
    pub(super) fn distinct_words(&self) -> usize {
        self.stems.len()
    }

    /// Returns the range of the words of a text among those of all texts.
    pub(super) fn range(&self, text: u32) -> Range<usize> {
        range(&self.ends, text)
    }

    /// Returns the distinct words of a text, by increasing numbers.
    pub(super) fn own(&self, text: u32) -> &[DistinctWord] {
        &self.own[range(&self.distinct_ends, text)]
    }

    /// Returns the numbers of a text's words, in order.
    pub(super) fn numbers(&self, text: u32) -> impl ExactSizeIterator<Item = u32> + Clone {
        let own = self.own(text);
        self.places(text).iter().map(|word| own[*word as usize].number)
    }

    /// Returns the words of a text, as indices into its [distinct ones](Self::own).
    pub(super) fn places(&self, text: u32) -> &[u32] {
        &self.words[self.range(text)]
    }

    pub(super) fn breaks(&self, text: u32) -> &[usize] {
        self.breaks.get(&text).map_or(&[], Vec::as_slice)
    }

    /// Returns the worth of a word, in quarters of a word: 1 to [`WORD`].
    pub(super) fn worth(&self, number: u32) -> usize {
        self.worths.get(number as usize).map_or(WORD, |worth| usize::from(*worth))
    }

    /// Returns the smallest worth of any word of a text, in quarters of a word; that of a full word
    /// if there are none.
    pub(super) fn least_worth(&self, text: u32) -> usize {
        usize::from(self.least_worths[text as usize])
    }

    /// Returns the words of two texts, as those of a pair whose sequences are prepared for it alone.
    pub fn words_of(&self, texts: [u32; 2]) -> WordPair {
        let (mut pair, is_swapped) = self.pair(texts);
        pair.distinct = self.distinct_of(texts);
        WordPair { pair, is_swapped, found: None }
    }

    /// Returns the distinct words of two texts, in the order of their [pair](Self::pair).
    pub(super) fn distinct_of(&self, texts: [u32; 2]) -> Vec<Stem> {
        let [mut one, mut other] = texts.map(|text| self.own(text));
        let mut distinct = Vec::with_capacity(one.len() + other.len());
        while let ([first, ..], [second, ..]) = (one, other) {
            let number = first.number.min(second.number);
            distinct.push(self.stems[number as usize]);
            one = &one[usize::from(first.number == number)..];
            other = &other[usize::from(second.number == number)..];
        }
        distinct.extend(one.iter().chain(other).map(|word| self.stems[word.number as usize]));
        distinct
    }

    /// Returns two texts as a pair without [`Pair::distinct`], and whether its sides are swapped.
    pub(super) fn pair(&self, texts: [u32; 2]) -> (Pair, bool) {
        let own = texts.map(|text| self.own(text));
        let words = texts.map(|text| self.places(text));
        let breaks = texts.map(|text| self.breaks(text).to_vec());
        Pair::from_numbers(own, words, breaks)
    }
}

/// A text whose words are numbered.
struct NumberedText {
    /// The words, as indices into `own`.
    words: Vec<u32>,
    /// The distinct words, by increasing numbers.
    own: Vec<DistinctWord>,
    breaks: Vec<usize>,
}

impl NumberedText {
    /// Replaces the words of a sequence, which are indices into a list, by their `numbers`.
    fn new(
        sequence: Sequence,
        numbers: &[u32],
        (worth, value): (impl Fn(u32) -> usize, impl Fn(u32) -> Option<Number>),
    ) -> Self {
        let Sequence { mut words, breaks, distinct: _ } = sequence;
        for word in &mut words {
            *word = numbers[*word as usize];
        }
        let mut sorted = words.clone();
        sorted.sort_unstable();
        let own: Vec<DistinctWord> = sorted
            .chunk_by(|one, next| one == next)
            .map(|same| DistinctWord {
                number: same[0],
                count: u8::try_from(same.len()).unwrap_or(u8::MAX),
                worth: u8::try_from(worth(same[0])).unwrap_or(u8::MAX),
                value: value(same[0]),
            })
            .collect();
        for word in &mut words {
            *word = place(own.partition_point(|known| known.number < *word));
        }
        Self { words, own, breaks }
    }
}

fn range(ends: &[usize], text: u32) -> Range<usize> {
    let text = text as usize;
    text.checked_sub(1).map_or(0, |before| ends[before])..ends[text]
}

// The stretches of a text: from each word, the fewest words in a row that are worth three words.

/// Passes to `take` the shortest stretch from each word that is worth enough and contains no break:
/// the position of its first word, its number of words, and a hash of them. `worth` returns the
/// worth of a word, given by its position.
pub(super) fn each_stretch<N: Copy + Into<u64>>(
    words: &[N],
    worth: impl Fn(usize) -> usize,
    breaks: &[usize],
    mut take: impl FnMut(usize, usize, u64),
) {
    for Range { start, end } in stretches(breaks, words.len()) {
        for at in start..end {
            let (mut sum, mut sum_of_worths, mut last) = (0, 0, at);
            while sum_of_worths < MIN_SEED_WORTH && last < end {
                sum = mixed(sum, words[last].into());
                sum_of_worths += worth(last);
                last += 1;
            }
            if sum_of_worths >= MIN_SEED_WORTH {
                take(at, last - at, spread(sum));
            }
        }
    }
}

pub(super) fn hash_of_words<N: Into<u64>>(words: impl Iterator<Item = N>) -> u64 {
    spread(words.fold(0, |sum, word| mixed(sum, word.into())))
}

/// Makes every bit of a hash depend on all of its words.
fn spread(sum: u64) -> u64 {
    let sum = sum.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    sum ^ (sum >> 29)
}
