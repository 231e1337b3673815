//! The words of many texts as numbers of one dictionary.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::super::Sequence;
use super::super::pair::{Identity, Pair, WORD, worth};
use crate::interner::{StemTable, place};

/// The words of many texts. A text takes four bytes for each word and for each different one.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// The words of all texts, one text behind the other: the places of their numbers in `own`,
    /// counted from where the text's begin.
    words: Vec<u32>,
    /// Where the words of each text end.
    ends: Vec<usize>,
    /// The numbers of the different words of each text, increasing, one text behind the other.
    /// Numbers increase with the residues of their words.
    own: Vec<u32>,
    own_ends: Vec<usize>,
    /// The breaks of texts that have some.
    breaks: BTreeMap<u32, Vec<usize>>,
    /// The words that begin a sentence, one text behind the other; none where that is not known.
    sentences: Option<(Vec<u32>, Vec<usize>)>,
    /// What each word is worth, by its number; empty where all are worth a whole one.
    worths: Vec<u8>,
}

impl Texts {
    /// Texts in their order, numbered from 0; as many as fit in 32 bits, others are left out.
    /// Those that were read together should have one list of words: the cost is that of sorting
    /// the words of all lists.
    pub fn of(sequences: Vec<Sequence>) -> Self {
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
        let mut all: Vec<Identity> =
            lists.iter().flat_map(|list| &list.stems).map(Identity::new).collect();
        all.sort_unstable();
        all.dedup();
        let is_plain = lists.iter().all(|list| list.more.iter().all(|more| *more == 0));
        let mut texts = Self::default();
        if !is_plain {
            texts.worths = vec![0; all.len()];
        }
        let mut numbers = Vec::with_capacity(lists.len());
        for list in &lists {
            let of_list: Vec<u32> = list
                .stems
                .iter()
                .map(|word| all.partition_point(|known| *known < Identity::new(word)))
                .map(place)
                .collect();
            if !is_plain {
                for ((_, more), number) in list.each().zip(&of_list) {
                    let known = &mut texts.worths[*number as usize];
                    *known = (*known).max(worth(more));
                }
            }
            numbers.push(of_list);
        }
        drop((all, lists));
        let most = u32::MAX as usize;
        for (sequence, list) in sequences.into_iter().zip(of_sequence).take(most) {
            texts.add(sequence, &numbers[list]);
        }
        texts
    }

    /// With the words of each text that begin a sentence, but for the first behind a break,
    /// increasing: only then are passages reworded.
    #[must_use]
    pub fn with_sentences(mut self, of_texts: &[Vec<u32>]) -> Self {
        let ends = of_texts.iter().scan(0, |end, of_text| {
            *end += of_text.len();
            Some(*end)
        });
        self.sentences = Some((of_texts.concat(), ends.collect()));
        self
    }

    /// Of ranges of words of a text those behind the first one that begin a sentence.
    pub(super) fn sentences(&self, text: u32, ranges: &[Range<usize>]) -> Option<Vec<usize>> {
        let (all, ends) = self.sentences.as_ref()?;
        let starts = &all[range(ends, text)];
        let within = |range: Range<usize>| {
            let from = starts.partition_point(|start| *start as usize <= range.start);
            starts[from..].iter().map(|start| *start as usize).take_while(move |at| *at < range.end)
        };
        Some(ranges.iter().cloned().flat_map(within).collect())
    }

    fn add(&mut self, sequence: Sequence, numbers: &[u32]) {
        let Sequence { mut words, breaks, distinct: _ } = sequence;
        for word in &mut words {
            *word = numbers[*word as usize];
        }
        let mut own = words.clone();
        own.sort_unstable();
        own.dedup();
        let local = |word: &u32| place(own.partition_point(|known| known < word));
        self.words.extend(words.iter().map(local));
        if !breaks.is_empty() {
            self.breaks.insert(place(self.ends.len()), breaks);
        }
        self.own.extend(own);
        self.ends.push(self.words.len());
        self.own_ends.push(self.own.len());
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many words all texts have together.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// Where the words of a text stand among those of all.
    pub(super) fn range(&self, text: u32) -> Range<usize> {
        range(&self.ends, text)
    }

    /// The numbers of the different words of a text, increasing.
    pub(super) fn own(&self, text: u32) -> &[u32] {
        &self.own[range(&self.own_ends, text)]
    }

    /// The numbers of a text's words, in order.
    pub(super) fn numbers(&self, text: u32) -> impl ExactSizeIterator<Item = u32> + Clone {
        let own = self.own(text);
        self.places(text).iter().map(|word| own[*word as usize])
    }

    /// The words of a text as places among its different ones.
    pub(super) fn places(&self, text: u32) -> &[u32] {
        &self.words[self.range(text)]
    }

    /// The breaks of a text.
    pub(super) fn breaks(&self, text: u32) -> &[usize] {
        self.breaks.get(&text).map_or(&[], Vec::as_slice)
    }

    /// What a word is worth: 1 to [`WORD`].
    pub(super) fn worth(&self, number: u32) -> usize {
        self.worths.get(number as usize).map_or(WORD, |worth| usize::from(*worth))
    }

    /// What the word is worth that is worth least.
    pub(super) fn least_worth(&self) -> usize {
        self.worths.iter().map(|worth| usize::from(*worth)).min().unwrap_or(WORD)
    }

    /// Two texts as a pair, and whether they are turned.
    pub(super) fn pair(&self, texts: [u32; 2]) -> (Pair, bool) {
        let own = texts.map(|text| self.own(text));
        let words = texts.map(|text| self.places(text));
        let breaks = texts.map(|text| self.breaks(text).to_vec());
        let worths = (!self.worths.is_empty()).then_some(self.worths.as_slice());
        Pair::of_numbers(own, words, breaks, worths)
    }
}

fn range(ends: &[usize], text: u32) -> Range<usize> {
    let text = text as usize;
    text.checked_sub(1).map_or(0, |before| ends[before])..ends[text]
}
