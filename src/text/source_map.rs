//! A text made from another one, with a map from each of its bytes to the place that it comes from.
//!
//! Input: parts of a source, in order, and the text that replaces them. Output: the text, and for
//! each position in it the position in the source. The module knows neither files nor their kinds.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::text::varint;

/// A text made from parts of a source; both are UTF-8.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Excerpt {
    content: String,
    origin: Origin,
}

/// The map from the bytes of an [`Excerpt`] to those of its source: parts, in the order of both. Each
/// extends to the start of the next one.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Origin {
    /// The parts that are not stored in full: for each, the encoded differences from the one
    /// before.
    steps: Vec<u8>,
    /// The first of every [`FULL`] parts, and the offset in `steps` at which the parts after it
    /// begin.
    full: Vec<(OriginPart, usize)>,
    last: OriginPart,
    count: usize,
    /// The length of the text.
    length: usize,
}

impl Excerpt {
    /// Appends a part of the source unchanged. Parts should be added in the order of the source:
    /// one that begins before the end of the last one is mapped to what follows that end in its
    /// range.
    ///
    /// # Panics
    ///
    /// If the range is out of bounds of the source, or not on its character boundaries.
    pub fn copy(&mut self, source: &str, range: Range<usize>) {
        let copied = &source[range.clone()];
        let length = self.content.len();
        let follows = |last: OriginPart| last.source_end() + (length - last.end()) == range.start;
        if self.origin.last().is_some_and(follows) {
            self.content.push_str(copied);
            self.origin.length = self.content.len();
        } else {
            let is_behind = self.source_end() <= range.start;
            let inserted = if is_behind { 0 } else { copied.len() };
            self.push(copied, range.start..range.start + inserted, inserted);
        }
    }

    /// Appends a text that replaces a range of the source. The range may be empty.
    pub fn write(&mut self, text: &str, range: Range<usize>) {
        self.push(text, range, text.len());
    }

    /// Returns the end of the last part in the source.
    fn source_end(&self) -> usize {
        let last = self.origin.last();
        last.map_or(0, |last| last.source_end() + (self.content.len() - last.end()))
    }

    /// Appends a text whose first `inserted` bytes replace a range of the source.
    fn push(&mut self, text: &str, range: Range<usize>, inserted: usize) {
        if !text.is_empty() {
            let at = self.content.len();
            let from = range.start.max(self.source_end());
            let length = range.end.saturating_sub(from);
            self.origin.push(OriginPart { at, from, inserted, length });
            self.content.push_str(text);
            self.origin.length = self.content.len();
        }
    }

    /// Returns the text.
    pub fn content(&self) -> &str {
        &self.content
    }

    /// Returns the byte range of the source that a byte range of the text comes from; see
    /// [`Origin::source`].
    pub fn source(&self, range: Range<usize>) -> Range<usize> {
        self.origin.source(range)
    }

    /// Returns the byte range of the text that comes from a byte range of the source; see
    /// [`Origin::target`].
    pub fn target(&self, source: &Range<usize>) -> Range<usize> {
        self.origin.target(source)
    }

    /// Returns the text, and the map to its source.
    pub fn into_parts(self) -> (String, Origin) {
        (self.content, self.origin)
    }
}

impl Origin {
    /// Returns the byte range of the source that a byte range of the text comes from. Any part of a
    /// replacement maps to all that it replaces. An empty range maps to the position where it
    /// begins, and, in an empty text, to the beginning of the source.
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

    /// Returns the replacement that contains a byte of the text: its byte range in the text, and that
    /// of the source which it replaces. `None` if the byte is a copy.
    pub fn replacement(&self, byte: usize) -> Option<[Range<usize>; 2]> {
        let part = self.part(byte).filter(|part| byte < part.end())?;
        Some([part.at..part.end(), part.from..part.source_end()])
    }

    /// Returns the byte ranges of the text that are replacements, not copies, in order.
    pub fn replacements(&self) -> impl Iterator<Item = Range<usize>> {
        self.iter().filter(|part| part.inserted > 0).map(|part| part.at..part.end())
    }

    /// Returns the byte range of the text that comes from a byte range of the source. A boundary
    /// inside of a replaced range maps to the end of the replacement.
    pub fn target(&self, source: &Range<usize>) -> Range<usize> {
        self.place(source.start)..self.place(source.end)
    }

    /// Returns the number of bytes of the text that come from the source before a byte offset.
    fn place(&self, byte: usize) -> usize {
        let [part, next] = self.around(|part| part.from <= byte);
        let next = next.map_or(self.length, |next| next.at);
        let Some(part) = part else { return 0 };
        match byte.checked_sub(part.source_end()) {
            Some(behind) if part.end() < next => (part.end() + behind).min(next),
            _ if byte == part.from => part.at,
            _ => part.end(),
        }
    }

    /// Returns the part that contains a byte of the text; the last one if the byte is after all of
    /// them.
    fn part(&self, byte: usize) -> Option<OriginPart> {
        let [part, _] = self.around(|part| part.at <= byte);
        part
    }
}

// The parts of an excerpt, stored compactly, since a text may have one per word.
//
// A part is stored as its difference from the one before: four numbers, mostly of one byte each.
// Every [`FULL`] parts, one is stored in full, so that the parts after it can be decoded from
// there.

/// The distance between parts that are stored in full. The others are stored as differences from
/// the one before.
const FULL: usize = 32;

/// A replacement of a range of the source, and the unchanged text that follows it up to the next
/// part.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub(super) struct OriginPart {
    /// The byte offset of the part in the text.
    pub(super) at: usize,
    /// The byte offset of the part in the source.
    pub(super) from: usize,
    /// The length of the replacement, in bytes of the text.
    pub(super) inserted: usize,
    /// The length of the replaced range, in bytes of the source.
    pub(super) length: usize,
}

impl OriginPart {
    /// Returns the end of the replacement, as a byte offset in the text.
    pub(super) fn end(self) -> usize {
        self.at + self.inserted
    }

    /// Returns the end of the replaced range, as a byte offset in the source.
    pub(super) fn source_end(self) -> usize {
        self.from + self.length
    }
}

impl Origin {
    /// Appends a part. It must begin, in the text and in the source, at or after the end of the
    /// last one.
    fn push(&mut self, part: OriginPart) {
        if self.count.is_multiple_of(FULL) {
            self.full.push((part, self.steps.len()));
        } else {
            let copied = part.at - self.last.end();
            let skipped = part.from - (self.last.source_end() + copied);
            for number in [copied, skipped, part.inserted, part.length] {
                varint::push(&mut self.steps, number as u64);
            }
        }
        self.last = part;
        self.count += 1;
    }

    fn last(&self) -> Option<OriginPart> {
        (self.count > 0).then_some(self.last)
    }

    /// Returns the last part for which `is_before` holds, and the part after it. `is_before` must
    /// hold for a prefix of the parts: if it holds for one, it holds for all parts before it.
    fn around(&self, is_before: impl Fn(OriginPart) -> bool) -> [Option<OriginPart>; 2] {
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

    fn iter(&self) -> impl Iterator<Item = OriginPart> {
        (0..self.full.len()).flat_map(|full| self.behind_full(full))
    }

    /// Returns the part at index `full` of those stored in full, and the parts after it up to the
    /// next one stored in full.
    fn behind_full(&self, full: usize) -> impl Iterator<Item = OriginPart> {
        let (first, start) = self.full[full];
        let end = self.full.get(full + 1).map_or(self.steps.len(), |(_, end)| *end);
        let mut steps = &self.steps[start..end];
        std::iter::successors(Some(first), move |last| {
            let mut number = || usize::try_from(varint::take(&mut steps)?).ok();
            let (copied, skipped) = (number()?, number()?);
            let (at, from) = (last.end() + copied, last.source_end() + copied + skipped);
            Some(OriginPart { at, from, inserted: number()?, length: number()? })
        })
    }

    /// Returns the number of bytes of memory that the parts use.
    pub fn size(&self) -> usize {
        self.steps.len() + size_of::<(OriginPart, usize)>() * self.full.len()
    }
}

// Builds an [`Excerpt`] while its source is parsed, from pieces of text and the gaps between them.

/// The separation between two pieces of text, from the narrowest to the widest. If there are
/// several gaps between two pieces, the widest is used.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Separator {
    /// None: the pieces are parts of one word.
    #[default]
    None,
    /// White space.
    Space,
    /// The boundary of a table cell.
    Cell,
    /// A line end within a paragraph: a hyphen before it breaks a word.
    Break,
    /// The end of a list item or a table row.
    Line,
    /// The end of a paragraph.
    Paragraph,
}

impl Separator {
    /// Returns the white space to write for the gap after the text `before`. A word that ends in a
    /// hyphen may continue in the next line, but must not continue in the next item, so that a
    /// blank line follows.
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

/// An excerpt that is being built. Takes time linear in the length of what is read.
#[derive(Debug)]
pub(crate) struct ExcerptBuilder<'s> {
    pub(crate) source: &'s str,
    excerpt: Excerpt,
    gap: Separator,
    /// The end of what has been read of the source, as a byte offset.
    end: usize,
    /// Whether what is read is hidden.
    hides: bool,
    hidden: Vec<String>,
}

impl<'s> ExcerptBuilder<'s> {
    /// Returns an empty draft of an excerpt of a source.
    pub(crate) fn new(source: &'s str) -> Self {
        let gap = Separator::None;
        Self { source, excerpt: Excerpt::default(), gap, end: 0, hides: false, hidden: Vec::new() }
    }

    pub(crate) fn content(&self) -> &str {
        self.excerpt.content()
    }

    /// Separates what has been read from what will be read next.
    pub(crate) fn part(&mut self, gap: Separator) {
        self.gap = self.gap.max(gap);
    }

    /// Begins or ends a hidden piece: what is read within it is not part of the excerpt.
    pub(crate) fn hide(&mut self, hides: bool) {
        if hides && !self.hides {
            self.hidden.push(String::new());
        }
        self.hides = hides;
    }

    /// Appends a text that comes from a range of the source, and may be spelled differently there.
    /// What has been read before is not read again: after a table of 2¹⁸ filled-in cells,
    /// pulldown-cmark 0.13 emits its last line twice.
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
        if self.hides
            && let Some(hidden) = self.hidden.last_mut()
        {
            hidden.push_str(text);
            return;
        }
        let gap = std::mem::take(&mut self.gap).white_space(self.excerpt.content());
        self.put(gap, self.end..range.start);
        self.put(text, range);
    }

    /// Appends a text for a range of the source, as a copy if the two are equal.
    fn put(&mut self, text: &str, range: Range<usize>) {
        self.end = range.end;
        if &self.source[range.clone()] == text {
            self.excerpt.copy(self.source, range);
        } else {
            self.excerpt.write(text, range);
        }
    }

    /// Returns the excerpt and the hidden pieces. Its text ends with a line end, unless it is empty.
    pub(crate) fn finish(mut self) -> (Excerpt, Vec<String>) {
        let content = self.excerpt.content();
        if !content.is_empty() && !content.ends_with('\n') {
            self.put("\n", self.end..self.source.len());
        }
        self.hidden.retain(|piece| !piece.is_empty());
        (self.excerpt, self.hidden)
    }
}

#[cfg(test)]
mod parts_tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The numbers are the bytes copied, skipped and written, and the length of the replaced
        /// range.
        #[test]
        fn parts_are_found_as_in_a_list(
            steps in proptest::collection::vec([0..300_usize, 0..300, 0..300, 0..300], 0..70),
        ) {
            let (mut parts, mut list) = (Origin::default(), Vec::<OriginPart>::new());
            for [copied, skipped, inserted, length] in steps {
                let last = list.last().copied().unwrap_or_default();
                let (at, from) = (last.end() + copied, last.source_end() + copied + skipped);
                list.push(OriginPart { at, from, inserted, length });
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
    }
}

#[cfg(test)]
mod tests;
