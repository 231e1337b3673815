//! The memory of words: a text → its stems, each distinct word analysed once.
//!
//! A text repeats its words: nine megabytes of English have 1.3 million words and 31
//! thousand distinct ones. So a text is cut into chunks, most of them a word; one seen for
//! the first time is split into words, a word seen for the first time goes through the
//! stages, and what came of either is remembered by its bytes. The answer is that of
//! the stages on the whole text, as `pair::trace` takes it; `tests/cli/twins.rs`
//! holds the two equal on any text.

pub mod chunks;
pub mod common_runs;
mod pair;
mod stem_table;
mod memory;

use std::ops::Range;

use crate::stems::Stems;
use crate::tokens::{self, Tokens};
use chunks::chunks;
use memory::{BATCH, Meaning, Memory};
pub use pair::Pair;
pub(crate) use pair::{ReadPair, read_pair};
pub use stem_table::Check;
pub(crate) use stem_table::Multiplier;
pub(crate) use stem_table::place;
pub use stem_table::{AlreadySalted, Salt, salt, salt_checks};
pub use stem_table::{Spot, WordOffsets};
pub use stem_table::{Stem, StemTable};

/// The longest chunk or word that is remembered, in bytes. Longer ones hardly recur.
const LONGEST_REMEMBERED: usize = 64;

/// By how much the distinct chunks of up to 8 bytes are more than the root of a text's bytes:
/// nine megabytes of English have 21,000, 200 kB have 3,000. New words grow rarer by about
/// that (Heaps 1978). A guess that is wrong costs time and nothing else.
const DISTINCT_CHUNKS_A_ROOT: usize = 7;

/// Bytes of text for each chunk and each word that is remembered at most. Ten megabytes of
/// English have one in three hundred; a text of ever new words gains nothing by more.
const BYTES_A_REMEMBERED: usize = 32;

/// Chunks, and words, that are remembered of texts of any size.
const LEAST_REMEMBERED: usize = 1 << 16;

/// What a text yields: its stems, in order.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct StemSequence {
    /// The number of words.
    pub words: usize,
    /// The stems in order, as places in [`Interner::stems`].
    pub stems: Vec<u32>,
    /// Increasing: the stems that others do not stand right before in the text.
    pub breaks: Vec<usize>,
}

/// What makes the stems of words.
pub trait Stages {
    /// The stems of the words of one written word.
    fn stems(&mut self, words: Tokens, written: &str) -> Stems;

    /// Merges the stems of another one, which has made `others` stems while this one made `own`, and
    /// returns the new place of each of them. Unknown ones follow its own, in their order.
    fn join(&mut self, _others: &Self, [own, others]: [usize; 2]) -> Vec<u32> {
        (own..own + others).map(place).collect()
    }
}

impl<F: FnMut(Tokens, &str) -> Stems> Stages for F {
    fn stems(&mut self, words: Tokens, written: &str) -> Stems {
        self(words, written)
    }
}

/// The words of one or more texts in one language. `S` makes the stems of the words of
/// one written word; it is asked once for each distinct one of at most 64 bytes, as long as
/// there are not too many, and each time for a longer one.
pub struct Interner<S> {
    stages: S,
    chunks: Memory,
    /// The words that are not letters and digits alone; those are chunks.
    words: Memory,
    /// The stems of chunks and words that have more than one.
    several: Vec<u32>,
    stems: StemTable,
    /// How many chunks, and how many words, are remembered at most.
    most: usize,
}

impl<S: Stages> Interner<S> {
    /// An empty interner, for texts of `bytes` bytes together.
    pub fn new(bytes: usize, stages: S) -> Self {
        let chunks = Memory::with_capacity(bytes.isqrt() * DISTINCT_CHUNKS_A_ROOT);
        Self { chunks, ..Self::growing(bytes, stages) }
    }

    /// The same for texts that come one by one, and may be few: it begins small, and grows.
    pub fn growing(bytes: usize, stages: S) -> Self {
        Self {
            stages,
            chunks: Memory::with_capacity(0),
            words: Memory::with_capacity(0),
            several: Vec::new(),
            stems: StemTable::default(),
            most: (bytes / BYTES_A_REMEMBERED).max(LEAST_REMEMBERED),
        }
    }

    /// The stems of the distinct written words of all texts read.
    pub fn stems(&self) -> &StemTable {
        &self.stems
    }

    /// Only the stems, when all is read.
    pub fn into_stems(self) -> StemTable {
        self.stems
    }

    /// The stems and what made them, when all is read.
    pub fn into_parts(self) -> (S, StemTable) {
        (self.stages, self.stems)
    }

    /// What made them.
    pub fn stages(&self) -> &S {
        &self.stages
    }

    /// Reads a text.
    pub fn read(&mut self, text: &str) -> StemSequence {
        self.read_stretches(text, std::iter::once(0..text.len()))
    }

    /// Reads what is left of a text, stretch by stretch.
    pub fn read_stretches(
        &mut self,
        text: &str,
        stretches: impl IntoIterator<Item = Range<usize>>,
    ) -> StemSequence {
        self.read_and_mark(text, stretches, |_, _| {})
    }

    /// Reads what is left of a text, and marks where its words stand.
    pub fn read_with_marks(
        &mut self,
        text: &str,
        stretches: impl IntoIterator<Item = Range<usize>>,
    ) -> (StemSequence, WordOffsets) {
        let mut marks = WordOffsets::default();
        let reading = self.read_and_mark(text, stretches, |words, byte| marks.add(words, byte));
        (reading, marks)
    }

    /// Reads stretches of a text; `mark` is called now and then with a byte and the number of words
    /// before it, and at the end of each stretch.
    fn read_and_mark(
        &mut self,
        text: &str,
        stretches: impl IntoIterator<Item = Range<usize>>,
        mut mark: impl FnMut(usize, usize),
    ) -> StemSequence {
        let mut reading = StemSequence::default();
        for stretch in stretches {
            let stems = reading.stems.len();
            if stems > 0 && reading.breaks.last() != Some(&stems) {
                reading.breaks.push(stems);
            }
            let start = stretch.start;
            self.read_on(&mut reading, &text[stretch.clone()], |words, byte| {
                mark(words, start + byte);
            });
            mark(reading.words, stretch.end);
        }
        reading
    }

    fn read_on(
        &mut self,
        reading: &mut StemSequence,
        text: &str,
        mut mark: impl FnMut(usize, usize),
    ) {
        let mut chunks = chunks(text);
        let mut batch = Vec::with_capacity(BATCH);
        loop {
            batch.clear();
            chunks.fill(&mut batch);
            let Some(first) = batch.first() else { return };
            mark(reading.words, first.start);
            let meanings = self.chunks.glance(text, &batch);
            // Whether a word is a stop word cannot be foreseen: none or one stem is
            // appended without a branch on which.
            let mut stems = [0; BATCH];
            let mut ready = 0;
            for (chunk, meaning) in batch.iter().zip(meanings) {
                if meaning.stems() <= 1 {
                    reading.words += meaning.words();
                    stems[ready] = meaning.first();
                    ready += meaning.stems();
                } else {
                    reading.stems.extend_from_slice(&stems[..ready]);
                    ready = 0;
                    self.read_chunk(reading, text, chunk);
                }
            }
            reading.stems.extend_from_slice(&stems[..ready]);
        }
    }

    fn read_chunk(&mut self, reading: &mut StemSequence, text: &str, chunk: &Range<usize>) {
        if chunk.len() > LONGEST_REMEMBERED {
            self.split_chunk(reading, text, chunk);
        } else if let Some(meaning) = self.chunks.recall(text, chunk) {
            self.append(reading, meaning);
        } else {
            let before = (reading.words, reading.stems.len());
            self.split_chunk(reading, text, chunk);
            if self.chunks.len() < self.most {
                let meaning = self.meaning_since(reading, before);
                self.chunks.remember(text, chunk, meaning);
            }
        }
    }

    /// Reads a chunk word by word.
    fn split_chunk(&mut self, reading: &mut StemSequence, text: &str, chunk: &Range<usize>) {
        let written = &text[chunk.clone()];
        if tokens::is_lone_word(written) {
            self.analyse(reading, written);
        } else {
            for word in tokens::spans(written) {
                self.read_word(reading, text, &(chunk.start + word.start..chunk.start + word.end));
            }
        }
    }

    fn read_word(&mut self, reading: &mut StemSequence, text: &str, word: &Range<usize>) {
        if tokens::is_lone_word(&text[word.clone()]) {
            self.read_chunk(reading, text, word);
        } else if word.len() > LONGEST_REMEMBERED {
            self.read_long(reading, &text[word.clone()]);
        } else {
            self.read_alone(reading, text, word);
        }
    }

    /// Reads a written word that is too long to be remembered: where it stands for several, as a
    /// text of ligatures without an end does, each by itself.
    fn read_long(&mut self, reading: &mut StemSequence, written: &str) {
        let are_several = tokens::each_piece(written, |piece| {
            if piece.len() > LONGEST_REMEMBERED {
                self.analyse(reading, piece);
            } else {
                self.read_alone(reading, piece, &(0..piece.len()));
            }
        });
        if !are_several {
            self.analyse(reading, written);
        }
    }

    /// Reads a written word, if it is not too long to be remembered.
    fn read_alone(&mut self, reading: &mut StemSequence, text: &str, word: &Range<usize>) {
        if let Some(meaning) = self.words.recall(text, word) {
            self.append(reading, meaning);
        } else {
            let before = (reading.words, reading.stems.len());
            self.analyse(reading, &text[word.clone()]);
            if self.words.len() < self.most {
                let meaning = self.meaning_since(reading, before);
                self.words.remember(text, word, meaning);
            }
        }
    }

    /// Sends a written word through the stages.
    fn analyse(&mut self, reading: &mut StemSequence, written: &str) {
        let words = tokens::of_word(written);
        reading.words += words.len();
        for stem in self.stages.stems(words, written).iter() {
            reading.stems.push(place(self.stems.stems.len()));
            self.stems.push(stem);
        }
    }

    /// Reads once more what has been read before.
    fn append(&self, reading: &mut StemSequence, meaning: Meaning) {
        reading.words += meaning.words();
        if meaning.stems() == 1 {
            reading.stems.push(meaning.first());
        } else {
            let first = meaning.first() as usize;
            reading.stems.extend_from_slice(&self.several[first..first + meaning.stems()]);
        }
    }

    /// What has been read since there were `words` words and `stems` stems.
    fn meaning_since(&mut self, reading: &StemSequence, (words, stems): (usize, usize)) -> Meaning {
        let count = |n: usize| u16::try_from(n).expect("64 bytes have few words");
        let added = &reading.stems[stems..];
        let first = if let [stem] = added {
            *stem
        } else {
            let first = u32::try_from(self.several.len());
            self.several.extend_from_slice(added);
            first.expect("distinct chunks have fewer than 2^32 stems")
        };
        Meaning::new(first, count(added.len()), count(reading.words - words))
    }
}

#[cfg(test)]
mod tests;
