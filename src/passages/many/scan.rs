//! A text → those behind it that it may share a passage with.

use std::collections::HashSet;

use foldhash::quality::RandomState;

use super::super::pair::WORD;
use super::index::{ALONE, Index, Place};
use super::near::{self, Hit, Left, Marks, Near};
use crate::lexicon::place;

/// What is known of another text while one is looked at.
#[derive(Clone, Copy, Default)]
struct Met {
    /// Behind the last word that is in a stretch of both; 0 where there is none.
    end: u32,
    /// What the words are worth that are.
    worth: u32,
}

/// A stretch of a text that others behind it have.
struct Stretch<'i> {
    at: u32,
    end: u32,
    places: &'i [Place],
    /// Whether the same words stand in the text before; not told of texts with letters that are
    /// worth less than a word.
    is_again: bool,
    /// Whether it is part of enough words in a row of which too few are different.
    is_monotonous: bool,
}

/// A memory for one text after the other, of eight bytes for each text.
pub(super) struct Scan<'i> {
    index: &'i Index<'i>,
    met: Vec<Met>,
    /// The texts that were met, in no order.
    texts: Vec<u32>,
    /// Of texts that share enough, the stretches; by the number that is in `met` then.
    hits: Vec<Vec<Hit>>,
    left: Left,
    marks: Marks,
    least_worth: usize,
}

impl<'i> Scan<'i> {
    pub(super) fn of(index: &'i Index<'i>) -> Self {
        Self {
            index,
            met: vec![Met::default(); index.texts.len()],
            texts: Vec::new(),
            hits: Vec::new(),
            left: Left::default(),
            marks: Marks::new(),
            least_worth: index.texts.least_worth(),
        }
    }

    /// The texts behind one that it may share a passage with, increasing. The cost is that of
    /// the places where its stretches stand behind it, each looked at twice.
    pub(super) fn behind(&mut self, text: u32) -> Vec<u32> {
        self.read(text);
        let all = self.stretches(text);
        let enough = self.index.least.in_rows();
        for Stretch { at, end, places, is_again, is_monotonous } in &all {
            // What stands there again adds no different word.
            if *is_again && !is_monotonous {
                continue;
            }
            for other in *places {
                let met = &mut self.met[other.text as usize];
                if met.end == 0 {
                    self.texts.push(other.text);
                }
                if met.end < *end {
                    let start = met.end.max(*at) as usize;
                    let before = &self.left.before;
                    met.worth += place(before[*end as usize] - before[start]);
                    met.end = *end;
                }
                if *is_monotonous {
                    met.worth = met.worth.max(place(enough));
                }
            }
        }
        let mut near: Vec<u32> = std::mem::take(&mut self.texts);
        near.retain(|other| {
            let met = &mut self.met[*other as usize];
            let is_enough = met.worth as usize >= enough;
            if !is_enough {
                *met = Met::default();
            }
            is_enough
        });
        if !near.is_empty() {
            self.collect(&near, &all);
            let Self { index, met, hits, left, marks, least_worth, .. } = self;
            near.retain(|other| {
                let at = std::mem::take(&mut met[*other as usize]).worth as usize;
                let (hits, left, least_worth) = (&*hits[at], &*left, *least_worth);
                let near = Near { left, hits, least: index.least, least_worth };
                let (own, places) = (index.texts.own(*other), index.texts.places(*other));
                let right = |from: usize, to: usize| {
                    places[from..to.min(places.len())].iter().map(|word| own[*word as usize])
                };
                near.may_have_passage(right, marks)
            });
        }
        near.extend(self.equal(text));
        near.sort_unstable();
        near.dedup();
        near
    }

    /// Reads the words of a text.
    fn read(&mut self, text: u32) {
        let texts = self.index.texts;
        let Left { places, numbers, before } = &mut self.left;
        places.clear();
        places.extend_from_slice(texts.places(text));
        numbers.clear();
        numbers.extend(texts.numbers(text));
        before.clear();
        before.push(0);
        let mut sum = 0;
        before.extend(numbers.iter().map(|number| {
            sum += texts.worth(*number);
            sum
        }));
    }

    /// The stretches of a text that others behind it have, in order.
    fn stretches(&self, text: u32) -> Vec<Stretch<'i>> {
        let index = self.index;
        let lengths = index.lengths(text);
        let numbers = &index.stretches[index.texts.range(text)];
        let is_monotonous = self.monotonous();
        let is_plain = self.least_worth == WORD;
        let mut known: HashSet<u32, RandomState> = HashSet::default();
        let mut all = Vec::with_capacity(numbers.len());
        for (at, number) in numbers.iter().enumerate().filter(|(_, number)| **number != ALONE) {
            let places = &index.places[index.range(*number as usize)];
            let behind = places.partition_point(|it| it.text <= text);
            if behind < places.len() {
                all.push(Stretch {
                    at: place(at),
                    end: self.end(at + lengths[at] as usize),
                    places: &places[behind..],
                    is_again: is_plain && !known.insert(*number),
                    is_monotonous: is_monotonous.get(at).is_some_and(|is| *is),
                });
            }
        }
        all
    }

    /// The words of the text that are among enough in a row of which too few are different;
    /// empty where none is.
    fn monotonous(&self) -> Vec<bool> {
        let Left { places, before, .. } = &self.left;
        let least = self.index.least;
        let mut marked = Vec::new();
        let mut counts = vec![0_u32; places.len()];
        let (mut different, mut end) = (0, 0);
        for start in 0..places.len() {
            while end < places.len() && before[end] - before[start] < least.in_a_row() {
                let count = &mut counts[places[end] as usize];
                different += if *count == 0 { before[end + 1] - before[end] } else { 0 };
                *count += 1;
                end += 1;
            }
            let is_whole = before[end] - before[start] >= least.in_a_row();
            if is_whole && different < least.in_rows() {
                marked.resize(places.len(), false);
                marked[start..end].fill(true);
            }
            let count = &mut counts[places[start] as usize];
            *count -= 1;
            different -= if *count == 0 { before[start + 1] - before[start] } else { 0 };
        }
        marked
    }

    /// Collects the stretches that a text shares with some others, and numbers these.
    fn collect(&mut self, others: &[u32], all: &[Stretch]) {
        for (number, other) in others.iter().enumerate() {
            self.met[*other as usize] = Met { end: 1, worth: place(number) };
        }
        self.hits.iter_mut().take(others.len()).for_each(Vec::clear);
        self.hits.resize_with(self.hits.len().max(others.len()), Vec::new);
        for Stretch { at, end, places, .. } in all {
            for other in *places {
                let met = self.met[other.text as usize];
                if met.end != 0 {
                    let hits = &mut self.hits[met.worth as usize];
                    if hits.len() <= near::MOST {
                        hits.push(Hit { at: [*at, other.at], end: *end });
                    }
                }
            }
        }
    }

    /// The end of a stretch, and one word more where that may be part of the run and of no
    /// stretch: a last letter that is not worth a word.
    fn end(&self, end: usize) -> u32 {
        let before = &self.left.before;
        let is_letter = before.get(end + 1).is_some_and(|next| next - before[end] < WORD);
        place(end + usize::from(is_letter))
    }

    /// The texts behind one that have the same words.
    fn equal(&self, text: u32) -> impl Iterator<Item = u32> {
        let whole = &self.index.whole;
        let hash = self.index.hash_of(text);
        let from = whole.partition_point(|known| *known <= (hash, text));
        whole[from..].iter().take_while(move |known| known.0 == hash).map(|known| known.1)
    }
}
