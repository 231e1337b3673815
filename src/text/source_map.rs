//! A text made from another one, that knows where each of its bytes comes from.
//!
//! Goes in: parts of a source in their order, and what is written in their stead. Comes
//! out: the text, and for each place in it the place in the source. It knows neither
//! files nor their kinds.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A text made from parts of a source, both in UTF-8.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Excerpt {
    content: String,
    origin: Origin,
}

/// Where each byte of an [`Excerpt`] comes from.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Origin {
    /// In the order of the text and of the source; each reaches to the next one.
    parts: Parts,
    /// The bytes of the text.
    length: usize,
}

impl Excerpt {
    /// Adds a part of the source as it stands there. Parts come in the order of the source; one
    /// that begins before the end of the last is taken to stand behind that.
    ///
    /// # Panics
    ///
    /// Where the range is not one of the source, on its character boundaries.
    pub fn copy(&mut self, source: &str, range: Range<usize>) {
        let copied = &source[range.clone()];
        let length = self.content.len();
        let follows = |last: Part| last.source_end() + (length - last.end()) == range.start;
        if self.origin.parts.last().is_some_and(follows) {
            self.content.push_str(copied);
            self.origin.length = self.content.len();
        } else {
            let is_behind = self.source_end() <= range.start;
            let written = if is_behind { 0 } else { copied.len() };
            self.push(copied, range.start..range.start + written, written);
        }
    }

    /// Adds a text that stands for a part of the source, which may be empty.
    pub fn write(&mut self, text: &str, range: Range<usize>) {
        self.push(text, range, text.len());
    }

    /// Where the last part ends in the source.
    fn source_end(&self) -> usize {
        let last = self.origin.parts.last();
        last.map_or(0, |last| last.source_end() + (self.content.len() - last.end()))
    }

    /// Adds a text whose first `written` bytes were written for a range of the source.
    fn push(&mut self, text: &str, range: Range<usize>, written: usize) {
        if !text.is_empty() {
            let at = self.content.len();
            let from = range.start.max(self.source_end());
            let length = range.end.saturating_sub(from);
            self.origin.parts.push(Part { at, from, written, length });
            self.content.push_str(text);
            self.origin.length = self.content.len();
        }
    }

    /// The text.
    pub fn content(&self) -> &str {
        &self.content
    }

    /// The bytes of the source that a range of the text's bytes stands for; see
    /// [`Origin::source`].
    pub fn source(&self, range: Range<usize>) -> Range<usize> {
        self.origin.source(range)
    }

    /// The bytes of the text that stand for a range of the source's; see [`Origin::target`].
    pub fn target(&self, source: &Range<usize>) -> Range<usize> {
        self.origin.target(source)
    }

    /// The text, and where it comes from.
    pub fn into_parts(self) -> (String, Origin) {
        (self.content, self.origin)
    }
}

impl Origin {
    /// The bytes of memory that it takes.
    pub fn size(&self) -> usize {
        self.parts.size()
    }

    /// The bytes of the source that a range of the text's bytes stands for; of what was
    /// written, all that it was written for. An empty range is the place where it begins,
    /// in an empty text the source's beginning.
    pub fn source(&self, range: Range<usize>) -> Range<usize> {
        let start = self.part(range.start).map_or(0, |part| {
            let behind = range.start.min(self.length).checked_sub(part.end());
            behind.map_or(part.from, |behind| part.source_end() + behind)
        });
        let last = if range.is_empty() { None } else { self.part(range.end - 1) };
        let end = last.map_or(start, |part| {
            part.source_end() + range.end.min(self.length).saturating_sub(part.end())
        });
        start..end
    }

    /// The ranges of the text that were written, not copied, in order.
    pub fn written(&self) -> impl Iterator<Item = Range<usize>> {
        self.parts.iter().filter(|part| part.written > 0).map(|part| part.at..part.end())
    }

    /// The bytes of the text that stand for a range of the source's bytes. A border within what
    /// something was written for is behind that in the text.
    pub fn target(&self, source: &Range<usize>) -> Range<usize> {
        self.place(source.start)..self.place(source.end)
    }

    /// Bytes of the text that stand for what the source has before a byte of it.
    fn place(&self, byte: usize) -> usize {
        let [part, next] = self.parts.around(|part| part.from <= byte);
        let next = next.map_or(self.length, |next| next.at);
        let Some(part) = part else { return 0 };
        match byte.checked_sub(part.source_end()) {
            Some(behind) if part.end() < next => (part.end() + behind).min(next),
            _ if byte == part.from => part.at,
            _ => part.end(),
        }
    }

    /// The part that a byte of the text is in; the last one for those behind it.
    fn part(&self, byte: usize) -> Option<Part> {
        let [part, _] = self.parts.around(|part| part.at <= byte);
        part
    }
}

// The parts of an excerpt, in no more than they take: a text may have one to the word.
//
// A part is reported by what it adds to the one before: four numbers, mostly of a byte each. Every
// so often one is reported in full as well, from where the parts behind it are read.

/// One part of an excerpt in this many is stored in full; others as steps from the one before.
const FULL: usize = 32;

/// What was written for a part of the source, and what stands behind it there and in the text
/// alike, up to the next part.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub(super) struct Part {
    /// Bytes of the text before it.
    pub(super) at: usize,
    /// Bytes of the source before it.
    pub(super) from: usize,
    /// Bytes of the text that were written.
    pub(super) written: usize,
    /// Bytes of the source that they stand for.
    pub(super) length: usize,
}

impl Part {
    /// The byte of the text that what was written ends before.
    pub(super) fn end(self) -> usize {
        self.at + self.written
    }

    /// The byte of the source that what it was written for ends before.
    pub(super) fn source_end(self) -> usize {
        self.from + self.length
    }
}

/// Parts in the order of the text and of the source.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub(super) struct Parts {
    /// What each adds to the one before.
    steps: Vec<u8>,
    /// Of every [`FULL`] parts the first: the part itself, and where in `steps` those behind it
    /// begin.
    full: Vec<(Part, usize)>,
    last: Part,
    count: usize,
}

impl Parts {
    /// Adds a part behind all others; in the text and in the source it begins where the last
    /// one ends or behind that.
    pub(super) fn push(&mut self, part: Part) {
        if self.count.is_multiple_of(FULL) {
            self.full.push((part, self.steps.len()));
        } else {
            let copied = part.at - self.last.end();
            let skipped = part.from - (self.last.source_end() + copied);
            for number in [copied, skipped, part.written, part.length] {
                push_number(&mut self.steps, number);
            }
        }
        self.last = part;
        self.count += 1;
    }

    /// The last part; none where there is none.
    pub(super) fn last(&self) -> Option<Part> {
        (self.count > 0).then_some(self.last)
    }

    /// The last part that is no further on than `is_before` says, and the one behind it. What
    /// is before all others that are, is, too.
    pub(super) fn around(&self, is_before: impl Fn(Part) -> bool) -> [Option<Part>; 2] {
        let behind = self.full.partition_point(|(part, _)| is_before(*part));
        let Some(near) = behind.checked_sub(1) else {
            return [None, self.full.first().map(|(part, _)| *part)];
        };
        let mut found = self.full[near].0;
        for part in self.behind_full(near).skip(1) {
            if !is_before(part) {
                return [Some(found), Some(part)];
            }
            found = part;
        }
        [Some(found), self.full.get(behind).map(|(part, _)| *part)]
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = Part> {
        (0..self.full.len()).flat_map(|full| self.behind_full(full))
    }

    /// The part with that number of those in full, and those behind it up to the next one.
    fn behind_full(&self, full: usize) -> impl Iterator<Item = Part> {
        let (first, start) = self.full[full];
        let end = self.full.get(full + 1).map_or(self.steps.len(), |(_, end)| *end);
        let mut steps = &self.steps[start..end];
        std::iter::successors(Some(first), move |last| {
            let is_done = steps.is_empty();
            let [copied, skipped, written, length] = [(); 4].map(|()| number(&mut steps));
            let (at, from) = (last.end() + copied, last.source_end() + copied + skipped);
            (!is_done).then_some(Part { at, from, written, length })
        })
    }

    /// The bytes of memory that they take.
    pub(super) fn size(&self) -> usize {
        self.steps.len() + size_of::<(Part, usize)>() * self.full.len()
    }
}

/// Adds a number, seven bits to the byte, the lowest first; all bytes but the last have their
/// highest bit set.
fn push_number(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

/// Takes the first number off bytes that hold some.
fn number(bytes: &mut &[u8]) -> usize {
    let (mut number, mut shift) = (0, 0);
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= usize::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            break;
        }
    }
    number
}

// An excerpt that is shown as it is stored, while its source is being read: piece by piece, and what
// stands between the pieces.

/// What stands between two pieces of text; of several, the widest.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Gap {
    /// Nothing: the pieces are one word.
    #[default]
    None,
    /// White space.
    Space,
    /// The edge of a table's cell.
    Cell,
    /// A line end within a paragraph, at which a hyphen breaks a word.
    Break,
    /// The end of an item or a row.
    Line,
    /// The end of a paragraph.
    Paragraph,
}

impl Gap {
    /// The white space that it is, behind a text. A word that ends in a hyphen goes on in the
    /// next line, but not in the next item.
    pub(crate) fn white_space(self, before: &str) -> &'static str {
        match self {
            _ if before.is_empty() => "",
            Self::None => "",
            Self::Space => " ",
            Self::Cell => "\t",
            Self::Line if before.ends_with(['-', '\u{ad}', '\u{2010}']) => "\n\n",
            Self::Line | Self::Paragraph if before.ends_with("\n\n") => "",
            Self::Paragraph if before.ends_with('\n') => "\n",
            Self::Line if before.ends_with('\n') => "",
            Self::Break | Self::Line => "\n",
            Self::Paragraph => "\n\n",
        }
    }
}

/// An excerpt in the making. Linear in what is read.
#[derive(Debug)]
pub(crate) struct Draft<'s> {
    source: &'s str,
    excerpt: Excerpt,
    gap: Gap,
    /// The end of what was read of the source.
    end: usize,
}

impl<'s> Draft<'s> {
    /// Nothing yet of a source.
    pub(crate) fn new(source: &'s str) -> Self {
        Self { source, excerpt: Excerpt::default(), gap: Gap::None, end: 0 }
    }

    /// The source.
    pub(crate) fn source(&self) -> &'s str {
        self.source
    }

    /// The text so far.
    pub(crate) fn content(&self) -> &str {
        self.excerpt.content()
    }

    /// Parts what was read from what will be.
    pub(crate) fn part(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// Reads a text from its place in the source, where it may be written otherwise. What was
    /// read before is not read again: behind a table of 2¹⁸ filled-in cells, pulldown-cmark
    /// 0.13 gives its last line twice.
    pub(crate) fn read(&mut self, text: &str, range: Range<usize>) {
        let (text, range) = match self.end.checked_sub(range.start) {
            None | Some(0) => (text, range),
            Some(_) if range.end <= self.end => return,
            Some(again) if self.source.get(range.clone()) == Some(text) => {
                (&text[again..], self.end..range.end)
            }
            Some(_) => (text, self.end..range.end),
        };
        if text.is_empty() {
            return;
        }
        let gap = std::mem::take(&mut self.gap).white_space(self.excerpt.content());
        self.put(gap, self.end..range.start);
        self.put(text, range);
    }

    /// Appends a text for a part of the source, which it may be.
    fn put(&mut self, text: &str, range: Range<usize>) {
        self.end = range.end;
        if &self.source[range.clone()] == text {
            self.excerpt.copy(self.source, range);
        } else {
            self.excerpt.write(text, range);
        }
    }

    /// The text, which ends with a line end where it is not empty.
    pub(crate) fn finish(mut self) -> Excerpt {
        let content = self.excerpt.content();
        if !content.is_empty() && !content.ends_with('\n') {
            self.put("\n", self.end..self.source.len());
        }
        self.excerpt
    }
}

#[cfg(test)]
mod parts_tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The numbers are: copied, skipped, written and the length of what that is for.
        #[test]
        fn parts_are_found_as_in_a_list(
            steps in proptest::collection::vec([0..300_usize, 0..300, 0..300, 0..300], 0..70),
        ) {
            let (mut parts, mut list) = (Parts::default(), Vec::<Part>::new());
            for [copied, skipped, written, length] in steps {
                let last = list.last().copied().unwrap_or_default();
                let (at, from) = (last.end() + copied, last.source_end() + copied + skipped);
                list.push(Part { at, from, written, length });
                parts.push(list[list.len() - 1]);
            }
            prop_assert_eq!(parts.last(), list.last().copied());
            prop_assert!(parts.iter().eq(list.iter().copied()));
            for byte in 0..=list.last().map_or(0, |last| last.at + 1) {
                let behind = list.partition_point(|part| part.at <= byte);
                let want = [behind.checked_sub(1).map(|it| list[it]), list.get(behind).copied()];
                prop_assert_eq!(parts.around(|part| part.at <= byte), want);
            }
        }

        #[test]
        fn numbers_are_read_as_they_were_written(numbers: Vec<usize>) {
            let mut bytes = Vec::new();
            for number in &numbers {
                push_number(&mut bytes, *number);
            }
            let mut rest = &*bytes;
            let read: Vec<usize> = numbers.iter().map(|_| number(&mut rest)).collect();
            prop_assert_eq!(read, numbers);
            prop_assert!(rest.is_empty());
        }
    }
}

#[cfg(test)]
mod tests;
