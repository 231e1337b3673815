//! Converts texts to the numbers of their words, and ranges of words back to bytes.
//!
//! As elsewhere, a word is its normal form, and words are split by UAX #29, so that case, line ends
//! and typography make no difference. Equal words have equal numbers; they are compared letter by
//! letter. If [texts are compared as they are written](Spelling::Exact), the number of a word
//! identifies its bytes and those up to the next word. A run never crosses from one file of a text
//! into the next, since each file is a part of its own.

use std::collections::HashMap;
use std::ops::Range;

use foldhash::quality::RandomState;

use super::{Texts, TooMany};
use crate::interner::{Interner, Spot, Stages, WordOffsets, place};
use crate::stems::Stems;
use crate::text::Text;
use crate::tokens::exclusions::Remaining;
use crate::tokens::{self, Tokens};

/// The assumed size of the texts in bytes, which determines how many words are cached.
const EXPECTED_BYTES: usize = 1 << 24;

/// The positions at which a cut may begin and end.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Borders {
    /// Any word.
    Words,
    /// The beginning or end of a sentence.
    Sentences,
}

/// The property of two runs that makes them equal.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Spelling {
    /// The normal forms of their words.
    Folded,
    /// All bytes from the first word to the last: spelling, spacing and punctuation.
    Exact,
}

/// The words of texts that are read one by one.
pub struct Words {
    interner: Interner<Forms>,
    /// The numbers of words as they are written; `None` if normal forms are compared.
    exact: Option<ExactNumbers>,
    texts: Texts,
    parts: Vec<Part>,
    count: usize,
}

/// A part of a text whose boundaries no run crosses: one of its files, or the entire text. Its
/// index is the number in [`WordPlace::text`](super::WordPlace::text).
#[derive(Clone, Debug)]
pub struct Part {
    /// The number of the text that it belongs to.
    pub text: usize,
    /// The number of words in the part.
    pub words: usize,
    bytes: Range<usize>,
    offsets: WordOffsets,
}

/// A range that is cut out of a text.
struct Cut {
    words: Range<usize>,
    bytes: Range<usize>,
    /// The byte range of the word before the cut.
    before: Option<Range<usize>>,
}

/// The normal forms of the words that were analyzed, one after another.
#[derive(Default)]
struct Forms {
    all: String,
    ends: Vec<usize>,
}

impl Stages for Forms {
    fn stems(&mut self, words: Tokens, _: &str) -> Stems {
        for token in &words.0 {
            self.all += &token.word;
            self.ends.push(self.all.len());
        }
        words.0.iter().map(|_| "").collect()
    }
}

impl Forms {
    /// Returns the number of each form: its rank among the different forms.
    fn numbers(&self) -> Vec<u32> {
        let form = |at: u32| {
            let at = at as usize;
            &self.all[at.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[at]]
        };
        let mut order: Vec<u32> = (0..place(self.ends.len())).collect();
        order.sort_unstable_by_key(|at| form(*at));
        let mut numbers = vec![0; order.len()];
        for (rank, equal) in (0..).zip(order.chunk_by(|one, other| form(*one) == form(*other))) {
            for at in equal {
                numbers[*at as usize] = rank;
            }
        }
        numbers
    }
}

/// The numbers of words as they are written, each together with what is between it and the next
/// word.
#[derive(Default)]
struct ExactNumbers {
    /// The numbers of written strings: of words, and of what is between them.
    strings: HashMap<Box<str>, u32, RandomState>,
    /// The numbers of the second and later words among several that share characters, by the number
    /// of their string and their index in it.
    others: HashMap<(u32, usize), u32, RandomState>,
    /// The numbers of words together with what follows them.
    pairs: HashMap<(u32, u32), u32, RandomState>,
    /// The number of the word of each pair.
    heads: Vec<u32>,
}

impl ExactNumbers {
    /// Stands in place of what follows the last word of a text.
    const END: u32 = u32::MAX;
    /// Stands in place of what follows a word that shares characters with the next one.
    const WITHIN: u32 = u32::MAX - 1;

    fn read(&mut self, text: &str) -> Vec<u32> {
        let mut numbers = Vec::new();
        let mut units = units(text).peekable();
        while let Some((span, words)) = units.next() {
            let written = self.string(&text[span.clone()]);
            let behind = match units.peek() {
                Some((next, _)) => self.string(&text[span.end..next.start]),
                None => Self::END,
            };
            for word in 0..words {
                let head = if word == 0 { written } else { self.other(written, word) };
                let behind = if word + 1 < words { Self::WITHIN } else { behind };
                numbers.push(self.pair(head, behind));
            }
        }
        numbers
    }

    fn string(&mut self, written: &str) -> u32 {
        if let Some(known) = self.strings.get(written) {
            return *known;
        }
        let next = place(self.strings.len() + self.others.len());
        *self.strings.entry(written.into()).or_insert(next)
    }

    fn other(&mut self, written: u32, word: usize) -> u32 {
        let next = place(self.strings.len() + self.others.len());
        *self.others.entry((written, word)).or_insert(next)
    }

    fn pair(&mut self, head: u32, behind: u32) -> u32 {
        let next = place(self.heads.len());
        let number = *self.pairs.entry((head, behind)).or_insert(next);
        if number == next {
            self.heads.push(head);
        }
        number
    }
}

/// Returns the byte ranges of the words of a text, each with its number of words. Words that share
/// characters have one range.
fn units(text: &str) -> impl Iterator<Item = (Range<usize>, usize)> {
    let mut places = tokens::places(text).filter(|(_, words)| *words > 0).peekable();
    std::iter::from_fn(move || {
        let (mut span, mut words) = places.next()?;
        while let Some((next, more)) = places.next_if(|(next, _)| next.start < span.end) {
            span.end = span.end.max(next.end);
            words += more;
        }
        Some((span, words))
    })
}

impl Words {
    /// Returns an empty collection.
    pub fn new(spelling: Spelling) -> Self {
        let interner = Interner::growing(EXPECTED_BYTES, Forms::default());
        let exact = (spelling == Spelling::Exact).then(ExactNumbers::default);
        Self { interner, exact, texts: Texts::default(), parts: Vec::new(), count: 0 }
    }

    /// Adds a text after the others.
    ///
    /// # Errors
    ///
    /// Returns [`TooMany`] if all texts together have too many words.
    pub fn add(&mut self, text: &Text) -> Result<(), TooMany> {
        for bytes in Remaining::without(text, Vec::new()).spans() {
            let stretch = std::iter::once(bytes.clone());
            let (reading, offsets) = self.interner.read_with_offsets(text.content(), stretch);
            let words = match &mut self.exact {
                Some(exact) => exact.read(&text.content()[bytes.clone()]),
                None => reading.stems,
            };
            self.texts.add(&words)?;
            self.parts.push(Part { text: self.count, words: words.len(), bytes, offsets });
        }
        self.count += 1;
        Ok(())
    }

    /// Returns the numbers of the words, and the parts with the offsets of their words.
    pub fn into_parts(mut self) -> (Texts, Vec<Part>) {
        if let Some(exact) = self.exact {
            return (self.texts.with_heads(exact.heads), self.parts);
        }
        self.texts.renumber(&self.interner.into_parts().0.numbers());
        (self.texts, self.parts)
    }
}

impl Part {
    /// Returns the byte ranges of runs in the content of the text: from the first character of the
    /// first word to the last character of the last word. Empty runs are skipped.
    pub fn spans(&self, content: &str, runs: &[Range<usize>]) -> Vec<Range<usize>> {
        let runs = || runs.iter().filter(|run| !run.is_empty());
        let mut words: Vec<usize> = runs().flat_map(|run| [run.start, run.end - 1]).collect();
        words.sort_unstable();
        words.dedup();
        let spots = self.offsets.spots(content, words.iter().copied());
        let spot = |word: usize| spots.get(words.partition_point(|it| *it < word));
        let span = |run: &Range<usize>| {
            let (first, last) = (spot(run.start)?, spot(run.end - 1)?);
            Some(first.span.start..last.span.end)
        };
        runs().filter_map(span).collect()
    }

    /// Returns what is cut out of the content of the text if the words of runs are removed: byte
    /// ranges, each with the number of words in it. A range extends from the first word of a run to
    /// the beginning of the next word that is kept. If no word follows, it extends to the end,
    /// without the white space there. The runs must be in order and must not touch.
    ///
    /// Less of a run is cut out, or nothing, if some of its words share a character with a word
    /// that is kept, if the kept words on both sides would be read as other words, or if the cut
    /// must begin and end with a sentence.
    pub fn cuts(
        &self,
        content: &str,
        runs: &[Range<usize>],
        borders: Borders,
    ) -> Vec<(Range<usize>, usize)> {
        let starts = match borders {
            _ if runs.is_empty() => return Vec::new(),
            Borders::Words => Vec::new(),
            Borders::Sentences => {
                let mut starts = vec![0];
                let all = 0..self.words;
                starts.extend(self.offsets.sentences(content, std::slice::from_ref(&all)));
                starts.push(self.words);
                starts
            }
        };
        let whole = |run: &Range<usize>| match borders {
            Borders::Words => Some(run.clone()),
            Borders::Sentences => {
                let first = starts.get(starts.partition_point(|it| *it < run.start))?;
                let last = starts.partition_point(|it| *it <= run.end).checked_sub(1)?;
                (*first < starts[last]).then(|| *first..starts[last])
            }
        };
        let mut cuts: Vec<Cut> = Vec::new();
        for run in runs.iter().filter_map(whole) {
            cuts.extend(self.cut(content, run, cuts.last()));
        }
        cuts.into_iter().map(|cut| (cut.bytes, cut.words.len())).collect()
    }

    /// Returns what is cut out for a run, after the last cut; `None` if it is nothing.
    fn cut(&self, content: &str, run: Range<usize>, last: Option<&Cut>) -> Option<Cut> {
        let Range { mut start, mut end } = run;
        let mut near = Near { part: self, content, spots: Vec::new(), reach: 8 };
        while start < end && end < self.words && !near.is_apart(end - 1) {
            end -= 1;
        }
        let behind = match near.spot(end) {
            Some(next) => next.span.start,
            None => content[self.bytes.clone()].trim_end().len() + self.bytes.start,
        };
        // The kept words must be read as before, even if a combining mark or a full stop now
        // follows another letter. So compare two words on either side, and what is between them.
        let right = near.spans(end..end + 2);
        while start < end {
            if start > 0 && !near.is_apart(start - 1) {
                start += 1;
                continue;
            }
            let cut = near.spot(start)?.span.start..behind;
            // There may be just one word between two cuts.
            let beside = last.filter(|last| last.words.end + 1 == start);
            let left: Vec<Range<usize>> = match beside {
                Some(last) => {
                    last.before.clone().into_iter().chain(near.spans(start - 1..start)).collect()
                }
                None => near.spans(start.saturating_sub(2)..start),
            };
            let first = beside.map_or(left.first(), |last| last.before.as_ref());
            let from = first.map_or(self.bytes.start, |it| it.start);
            let removed = beside.map_or(from..from, |last| last.bytes.clone());
            let mut joined = content[from..removed.start].to_owned();
            joined += &content[removed.end..cut.start];
            let before = left.last().cloned();
            let end_of_left = before.as_ref().map(|it| joined.len() - (cut.start - it.end));
            if let (Some(first), Some(last)) = (right.first(), right.last()) {
                joined += &content[first.start..last.end];
            }
            let own = left.iter().chain(&right).map(|it| tokens::split(&content[it.clone()]));
            let own = own.flat_map(|words| words.0).map(|token| token.word);
            let split = tokens::split(&joined).0;
            let is_border =
                end_of_left.is_none_or(|at| split.iter().any(|token| token.span.end == at));
            if is_border && own.eq(split.iter().map(|token| &*token.word)) {
                return Some(Cut { words: start..end, bytes: cut, before });
            }
            start += 1;
        }
        None
    }
}

/// The positions of the words near the one that was last asked for. A run may have very many.
struct Near<'p> {
    part: &'p Part,
    content: &'p str,
    spots: Vec<Spot>,
    /// The number of words on either side that are looked up. It doubles each time, because all
    /// words around one of them are scanned if no space is between them.
    reach: usize,
}

impl Near<'_> {
    /// Returns the position of a word; `None` if the part has fewer words.
    fn spot(&mut self, word: usize) -> Option<&Spot> {
        let at = |spots: &[Spot]| {
            let at = spots.partition_point(|spot| spot.words.end <= word);
            spots.get(at).is_some_and(|spot| spot.words.start <= word).then_some(at)
        };
        if at(&self.spots).is_none() && word < self.part.words {
            let end = word.saturating_add(self.reach).min(self.part.words);
            let words = word.saturating_sub(self.reach)..end;
            self.spots = self.part.offsets.spots(self.content, words);
            self.reach = self.reach.saturating_mul(2);
        }
        at(&self.spots).map(|at| &self.spots[at])
    }

    /// Returns the byte ranges of words. Words that share characters have one range.
    fn spans(&mut self, words: Range<usize>) -> Vec<Range<usize>> {
        let mut spans: Vec<Range<usize>> = Vec::new();
        for word in words {
            let Some(Spot { span, .. }) = self.spot(word) else { continue };
            match spans.last_mut().filter(|last| span.start < last.end) {
                Some(last) => last.end = last.end.max(span.end),
                None => spans.push(span.clone()),
            }
        }
        spans
    }

    /// Reports whether a word and the next one share no character.
    fn is_apart(&mut self, one: usize) -> bool {
        let end = self.spot(one).map(|one| one.span.end);
        let next = self.spot(one + 1).map(|other| other.span.start);
        end.zip(next).is_none_or(|(end, next)| end <= next)
    }
}

#[cfg(test)]
mod tests;
