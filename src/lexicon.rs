//! The memory of words: a text → its stems, each distinct word analysed once.
//!
//! A text repeats its words: nine megabytes of English have 1.3 million words and 31
//! thousand distinct ones. So a text is cut at white space into chunks; a chunk seen for
//! the first time is split into words, a word seen for the first time goes through the
//! stages, and what came of either is remembered by its bytes. The answer is that of
//! the stages on the whole text: `the_lexicon_agrees_with_the_plain_line` holds it.

mod memory;

use std::ops::Range;

use crate::chunks::chunks;
use crate::rabin::{self, Suffix};
use crate::stems::Stems;
use crate::tokens::{self, Tokens};
use memory::{Meaning, Memory};

/// The longest chunk or word that is remembered, in bytes. Longer ones hardly recur.
const LONGEST_REMEMBERED: usize = 64;

/// A distinct stem of a text, as far as shingles need it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Stem {
    /// Its residue.
    pub residue: u64,
    /// A space and the stem, to be appended to a shingle.
    pub suffix: Suffix,
}

/// What a text comes to.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Reading {
    /// The number of words.
    pub words: usize,
    /// The stems in order, as indices of `distinct`.
    pub stems: Vec<u32>,
    /// The stems of the distinct written words; a stem that comes of two written words
    /// is here twice.
    pub distinct: Vec<Stem>,
}

/// Reads a text. `stages` makes the stems of the words of one written word; it is asked
/// once for each distinct one of at most 64 bytes, and each time for a longer one.
pub fn read<'t>(text: &'t str, stages: impl FnMut(Tokens<'t>, &'t str) -> Stems) -> Reading {
    let mut lexicon = Lexicon {
        text,
        stages,
        chunks: Memory::new(text),
        words: Memory::new(text),
        several: Vec::new(),
        reading: Reading::default(),
    };
    for chunk in chunks(text) {
        lexicon.read_chunk(chunk);
    }
    lexicon.reading
}

struct Lexicon<'t, S> {
    text: &'t str,
    stages: S,
    chunks: Memory<'t>,
    words: Memory<'t>,
    /// The stems of chunks and words that come to more than one.
    several: Vec<u32>,
    reading: Reading,
}

impl<'t, S: FnMut(Tokens<'t>, &'t str) -> Stems> Lexicon<'t, S> {
    fn read_chunk(&mut self, chunk: Range<usize>) {
        if chunk.len() > LONGEST_REMEMBERED {
            return self.split_chunk(chunk);
        }
        match self.chunks.recall(&chunk) {
            Some(meaning) => self.append(meaning),
            None => {
                let before = self.mark();
                self.split_chunk(chunk.clone());
                let meaning = self.meaning_since(before);
                self.chunks.remember(&chunk, meaning);
            }
        }
    }

    /// Reads a chunk word by word.
    fn split_chunk(&mut self, chunk: Range<usize>) {
        let start = chunk.start;
        for span in tokens::spans(&self.text[chunk]) {
            self.read_word(start + span.start..start + span.end);
        }
    }

    fn read_word(&mut self, word: Range<usize>) {
        if word.len() > LONGEST_REMEMBERED {
            return self.analyse(word);
        }
        match self.words.recall(&word) {
            Some(meaning) => self.append(meaning),
            None => {
                let before = self.mark();
                self.analyse(word.clone());
                let meaning = self.meaning_since(before);
                self.words.remember(&word, meaning);
            }
        }
    }

    /// Sends a written word through the stages.
    fn analyse(&mut self, word: Range<usize>) {
        let written = &self.text[word];
        let words = tokens::of_word(written);
        self.reading.words += words.len();
        for stem in (self.stages)(words, written).iter() {
            let id = u32::try_from(self.reading.distinct.len());
            self.reading.stems.push(id.expect("a text has fewer than 2^32 distinct words"));
            self.reading.distinct.push(Stem {
                residue: rabin::residue(stem.as_bytes()),
                suffix: Suffix::of(b" ", stem.as_bytes()),
            });
        }
    }

    /// Reads once more what has been read before.
    fn append(&mut self, meaning: Meaning) {
        self.reading.words += usize::from(meaning.words);
        match meaning.stems {
            0 => {}
            1 => self.reading.stems.push(meaning.first),
            stems => {
                let first = meaning.first as usize;
                let several = &self.several[first..first + usize::from(stems)];
                self.reading.stems.extend_from_slice(several);
            }
        }
    }

    /// How many words and stems there are so far.
    fn mark(&self) -> (usize, usize) {
        (self.reading.words, self.reading.stems.len())
    }

    /// What has been read since there were so many words and stems.
    fn meaning_since(&mut self, (words, stems): (usize, usize)) -> Meaning {
        let count = |n: usize| u16::try_from(n).expect("64 bytes have few words");
        let added = &self.reading.stems[stems..];
        let first = match added {
            [stem] => *stem,
            several => {
                let first = u32::try_from(self.several.len());
                self.several.extend_from_slice(several);
                first.expect("distinct chunks have fewer than 2^32 stems")
            }
        };
        Meaning { first, stems: count(added.len()), words: count(self.reading.words - words) }
    }
}
