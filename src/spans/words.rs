//! Texts → the numbers of their words, and back from words to bytes.
//!
//! A word is what it is everywhere else: its normal form, by UAX #29, so that case, line ends and
//! typography change none. Equal words have equal numbers: they are compared letter by letter. Where
//! [texts are compared as they are written](Spelling::Exact), the number of a word stands for its
//! bytes and those up to the next word. No run goes from one file of a text into the next, since each
//! is a part of its own.

use std::collections::HashMap;
use std::ops::Range;

use foldhash::quality::RandomState;

use super::{Texts, TooMany};
use crate::interner::{Interner, Spot, Stages, WordOffsets, place};
use crate::stems::Stems;
use crate::text::Text;
use crate::tokens::exclusions::Remaining;
use crate::tokens::{self, Tokens};

/// Bytes of text by which it is known how many words are worth remembering.
const BYTES: usize = 1 << 25;

/// Where a stretch that is cut out of a text may begin and end.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Borders {
    /// At any word.
    Words,
    /// Where a sentence begins or ends.
    Sentences,
}

/// By what two runs are equal.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Spelling {
    /// By the normal forms of their words.
    Folded,
    /// By all bytes from the first word to the last: spelling, spacing and punctuation.
    Exact,
}

/// The words of texts, as they are read.
pub struct Words {
    interner: Interner<Numbers>,
    /// The numbers of words as they are written, where those are compared.
    written: Option<WrittenNumbers>,
    texts: Texts,
    parts: Vec<Part>,
    /// How many texts were added.
    count: usize,
}

/// A part of a text that no run leaves: a file of it, or all of it. Its number is that of
/// [`Place::text`](super::Place::text).
#[derive(Clone, Debug)]
pub struct Part {
    /// The number of the text that it is of.
    pub text: usize,
    /// How many words it has.
    pub words: usize,
    /// Where it stands in the text.
    bytes: Range<usize>,
    marks: WordOffsets,
}

/// A stretch that is cut out.
struct Cut {
    words: Range<usize>,
    bytes: Range<usize>,
    /// Where the word before it stands.
    before: Option<Range<usize>>,
}

/// The numbers of words: equal ones for equal normal forms.
#[derive(Default)]
struct Numbers {
    known: HashMap<Box<str>, u32, RandomState>,
    /// By the place of the word among all that were analysed.
    numbers: Vec<u32>,
}

impl Stages for Numbers {
    fn stems(&mut self, words: Tokens, _: &str) -> Stems {
        for token in &words.0 {
            let next = place(self.known.len());
            let number = match self.known.get(&*token.word) {
                Some(known) => *known,
                None => *self.known.entry(token.word.as_ref().into()).or_insert(next),
            };
            self.numbers.push(number);
        }
        words.0.iter().map(|token| &*token.word).collect()
    }
}

/// The numbers of written words, each with what stands between it and the next one.
#[derive(Default)]
struct WrittenNumbers {
    /// What is written: words, and what stands between them.
    strings: HashMap<Box<str>, u32, RandomState>,
    /// The second word and those after it of several that share characters, by the number of what is
    /// written and their place there.
    others: HashMap<(u32, usize), u32, RandomState>,
    /// Words with what stands behind them.
    pairs: HashMap<(u32, u32), u32, RandomState>,
    /// The word of each pair.
    heads: Vec<u32>,
}

impl WrittenNumbers {
    /// What stands behind the last word of a text.
    const END: u32 = u32::MAX;
    /// What stands behind a word that shares characters with the next one.
    const WITHIN: u32 = u32::MAX - 1;

    /// The numbers of the words of a text.
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

/// Where the words of a text stand, and how many they are; those that share characters together.
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
    /// The words of no text.
    pub fn new(spelling: Spelling) -> Self {
        let interner = Interner::growing(BYTES, Numbers::default());
        let written = (spelling == Spelling::Exact).then(WrittenNumbers::default);
        Self { interner, written, texts: Texts::new(), parts: Vec::new(), count: 0 }
    }

    /// Adds a text behind the others.
    ///
    /// # Errors
    ///
    /// [`TooMany`] where all of them have too many words together.
    pub fn add(&mut self, text: &Text) -> Result<(), TooMany> {
        for bytes in Remaining::without(text, Vec::new()).spans() {
            let stretch = std::iter::once(bytes.clone());
            let (reading, marks) = self.interner.read_with_marks(text.content(), stretch);
            let numbers = &self.interner.stages().numbers;
            let words: Vec<u32> = match &mut self.written {
                Some(written) => written.read(&text.content()[bytes.clone()]),
                None => reading.stems.iter().map(|it| numbers[*it as usize]).collect(),
            };
            self.texts.add(&words)?;
            self.parts.push(Part { text: self.count, words: words.len(), bytes, marks });
        }
        self.count += 1;
        Ok(())
    }

    /// The words by their numbers, part by part, and where those stand.
    pub fn into_parts(self) -> (Texts, Vec<Part>) {
        let texts = match self.written {
            Some(written) => self.texts.with_heads(written.heads),
            None => self.texts,
        };
        (texts, self.parts)
    }
}

impl Part {
    /// Where runs of its words stand in the content of its text: from the first character of the
    /// first word to the last one of the last.
    pub fn spans(&self, content: &str, runs: &[Range<usize>]) -> Vec<Range<usize>> {
        let runs = || runs.iter().filter(|run| !run.is_empty());
        let mut words: Vec<usize> = runs().flat_map(|run| [run.start, run.end - 1]).collect();
        words.sort_unstable();
        words.dedup();
        let spots = self.marks.spots(content, words.iter().copied());
        let spot = |word: usize| spots.get(words.partition_point(|it| *it < word));
        let span = |run: &Range<usize>| {
            let (first, last) = (spot(run.start)?, spot(run.end - 1)?);
            Some(first.span.start..last.span.end)
        };
        runs().filter_map(span).collect()
    }

    /// What is cut out of the content of its text where words are removed: from the first of a run
    /// to the beginning of the next one that stays; behind the last, to the end, but for the white
    /// space there. Runs are in their order and do not touch.
    ///
    /// Of a run less is cut, or nothing, where some of its words share a character with one that
    /// stays, where what stays on both sides would be read as other words, or
    /// where it has to end with sentences. Returned are the bytes, and how many words are in them.
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
                starts.extend(self.marks.sentences(content, std::slice::from_ref(&all)));
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

    /// What is cut out for a run, behind the last cut.
    fn cut(&self, content: &str, run: Range<usize>, last: Option<&Cut>) -> Option<Cut> {
        let Range { mut start, mut end } = run;
        // With the words that stand before and behind it.
        let known = start.saturating_sub(2);
        let spots = self.marks.spots(content, known..(end + 2).min(self.words));
        let spot = |word: usize| word.checked_sub(known).and_then(|at| spots.get(at));
        // Where words stand, those that share characters in one place.
        let spans = |words: Range<usize>| {
            let mut spans: Vec<Range<usize>> = Vec::new();
            for Spot { span, .. } in words.filter_map(spot) {
                match spans.last_mut().filter(|last| span.start < last.end) {
                    Some(last) => last.end = last.end.max(span.end),
                    None => spans.push(span.clone()),
                }
            }
            spans
        };
        let is_apart = |one: usize| match (spot(one), spot(one + 1)) {
            (Some(Spot { span: one, .. }), Some(Spot { span: other, .. })) => {
                one.end <= other.start
            }
            _ => true,
        };
        while start < end && end < self.words && !is_apart(end - 1) {
            end -= 1;
        }
        let behind = match spot(end).filter(|_| end < self.words) {
            Some(next) => next.span.start,
            None => content[self.bytes.clone()].trim_end().len() + self.bytes.start,
        };
        while start < end {
            if start > 0 && !is_apart(start - 1) {
                start += 1;
                continue;
            }
            let cut = spot(start)?.span.start..behind;
            // What stays is read as before, also where a mark or a full stop follows on another
            // letter: two words on either side, and what is between them.
            let right = spans(end..end + 2);
            // Between two cuts there may be one word alone.
            let near = last.filter(|last| last.words.end + 1 == start);
            let left: Vec<Range<usize>> = match near {
                Some(near) => {
                    near.before.clone().into_iter().chain(spans(start - 1..start)).collect()
                }
                None => spans(start.saturating_sub(2)..start),
            };
            let first = near.map_or(left.first(), |near| near.before.as_ref());
            let from = first.map_or(self.bytes.start, |it| it.start);
            let removed = near.map_or(from..from, |near| near.bytes.clone());
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

#[cfg(test)]
mod tests;
