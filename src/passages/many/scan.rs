//! A text → those behind it that it may share a passage with.
//!
//! 1. Each place behind it where one of its stretches stands adds the words of that stretch to
//!    what the other text has of it; a word between two stretches takes a sixteenth of a word
//!    away. Of a passage at least one word in five stands in stretches ([`DENSITY_IN_ROWS`]), and
//!    four others for each take a quarter of it away: three quarters of the words in a row that a
//!    passage must have are left.
//! 2. Of the texts that reach that, the stretches are collected, and [`Near`] looks at them.

use super::super::pair::WORD;
use super::super::rule::DENSITY_IN_ROWS;
use super::index::{ALONE, Index, Place};
use super::near::{self, Hit, Left, Marks, Near};
use crate::interner::place;

/// What is known of another text while one is looked at, in parts of a word.
#[derive(Clone, Copy, Default)]
struct Met {
    /// Behind the last word that is in a stretch of both; later the slot of the text, from 1.
    end: u32,
    /// What the words are worth that are, less a part of those between.
    worth: u16,
    /// The most that it was.
    most: u16,
}

/// A word between two stretches takes one in so many parts away of what it is worth.
const LOSS: u32 = 16;

/// Texts that are looked at together: as many as the caches hold what is known of.
const BLOCK: usize = if cfg!(test) { 2 } else { 1 << 15 };

/// Stretches of two texts that are held: one more than are looked at one by one.
const STRIDE: usize = near::MOST + 1;

/// A stretch of a text that others behind it have.
struct Stretch<'i> {
    at: u32,
    end: u32,
    places: &'i [Place],
}

/// A memory for one text after the other.
pub(super) struct Scan<'i> {
    index: &'i Index<'i>,
    /// Of each text of a block.
    met: Vec<Met>,
    /// The texts of a block that may be near enough, counted from its first.
    texts: Vec<u32>,
    /// The stretches that some of them share, [`STRIDE`] of each.
    hits: Vec<Hit>,
    /// How many of them there are of each.
    counts: Vec<u8>,
    left: Left,
    marks: Marks,
    least_worth: usize,
}

impl<'i> Scan<'i> {
    pub(super) fn of(index: &'i Index<'i>) -> Self {
        Self {
            index,
            met: vec![Met::default(); BLOCK.min(index.texts.len())],
            texts: Vec::new(),
            hits: Vec::new(),
            counts: Vec::new(),
            left: Left::default(),
            marks: Marks::new(),
            least_worth: index.texts.least_worth(),
        }
    }

    /// The texts behind one that it may share a passage with, increasing. The cost is that of
    /// the places where its stretches stand behind it, each looked at twice.
    pub(super) fn behind(&mut self, text: u32) -> Vec<u32> {
        self.read(text);
        let mut rest = self.stretches(text);
        let mut found: Vec<u32> = self.equal(text).collect();
        for start in (text as usize + 1..self.index.texts.len()).step_by(BLOCK) {
            self.block(place(start), &mut rest, &mut found);
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Adds those of a block of texts, and takes their places out of the stretches.
    fn block(&mut self, start: u32, rest: &mut Vec<Stretch<'i>>, found: &mut Vec<u32>) {
        let enough = u16::try_from(self.least_gain()).unwrap_or(u16::MAX);
        let behind = start.saturating_add(place(BLOCK));
        let mut all: Vec<Stretch> = Vec::with_capacity(rest.len());
        rest.retain_mut(|stretch| {
            let [at, end] =
                [stretch.at, stretch.end].map(|at| place(self.left.before[at as usize]));
            let mut count = 0;
            for other in stretch.places.iter().take_while(|other| other.text < behind) {
                count += 1;
                // Without branches, none of which could be foreseen.
                let met = &mut self.met[(other.text - start) as usize];
                let loss = at.saturating_sub(met.end) / LOSS;
                let gain = end.saturating_sub(at.max(met.end));
                let worth = u32::from(met.worth).saturating_sub(loss).saturating_add(gain);
                met.worth = u16::try_from(worth).unwrap_or(u16::MAX);
                met.end = met.end.max(end);
                met.most = met.most.max(met.worth);
            }
            let (places, others) = stretch.places.split_at(count);
            if count > 0 {
                all.push(Stretch { places, ..*stretch });
            }
            stretch.places = others;
            !others.is_empty()
        });
        let reached = self.met.iter().zip(0..).filter(|(met, _)| met.most >= enough);
        self.texts.extend(reached.map(|(_, other)| other));
        self.met.fill(Met::default());
        self.collect(start, &all);
        let near = std::mem::take(&mut self.texts);
        found.extend(
            near.iter()
                .map(|other| start + other)
                .zip(0..)
                .filter_map(|(other, slot)| self.may_share_a_passage(other, slot).then_some(other)),
        );
        self.texts = near;
        for other in self.texts.drain(..) {
            self.met[other as usize] = Met::default();
        }
    }

    /// What a passage is worth at least when the words between its stretches are taken away.
    fn least_gain(&self) -> usize {
        let (loss, between) = (LOSS as usize, DENSITY_IN_ROWS - 1);
        self.index.least.in_a_row() * (loss - between) / loss
    }

    /// Whether the text may share a passage with another one, by the stretches in a slot.
    fn may_share_a_passage(&mut self, other: u32, slot: usize) -> bool {
        let Self { index, left, marks, least_worth, .. } = self;
        let hits = &self.hits[slot * STRIDE..][..usize::from(self.counts[slot])];
        let near = Near { left, hits, least: index.least, least_worth: *least_worth };
        let (own, places) = (index.texts.own(other), index.texts.places(other));
        let right = |from: usize, to: usize| {
            places[from..to.min(places.len())].iter().map(|word| own[*word as usize])
        };
        near.may_have_passage(right, marks)
    }

    /// Collects the stretches that the texts share which were met, each in the order of its words.
    fn collect(&mut self, start: u32, all: &[Stretch]) {
        let others = &self.texts;
        for (slot, other) in (1..).zip(others) {
            self.met[*other as usize].end = slot;
        }
        self.counts.clear();
        self.counts.resize(others.len(), 0);
        let none = Hit { at: [0, 0], end: 0 };
        self.hits.resize(self.hits.len().max(others.len() * STRIDE), none);
        for Stretch { at, end, places } in all {
            for other in *places {
                let slot = self.met[(other.text - start) as usize].end as usize;
                if slot != 0 {
                    let count = &mut self.counts[slot - 1];
                    if usize::from(*count) < STRIDE {
                        let hit = Hit { at: [*at, other.at], end: *end };
                        self.hits[(slot - 1) * STRIDE + usize::from(*count)] = hit;
                        *count += 1;
                    }
                }
            }
        }
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
        let mut all = Vec::with_capacity(numbers.len());
        for (at, number) in numbers.iter().enumerate().filter(|(_, number)| **number != ALONE) {
            let places = &index.places[index.range(*number as usize)];
            let behind = places.partition_point(|it| it.text <= text);
            if behind < places.len() {
                all.push(Stretch {
                    at: place(at),
                    end: self.end(at + lengths[at] as usize),
                    places: &places[behind..],
                });
            }
        }
        all
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
