//! A text made from another one, that knows where each of its bytes comes from.
//!
//! Goes in: parts of a source in their order, and what is written in their stead. Comes
//! out: the text, and for each place in it the place in the source. It knows neither
//! files nor their kinds.

mod parts;

use std::ops::Range;

use parts::{Part, Parts};

/// A text made from parts of a source, both in UTF-8.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Excerpt {
    content: String,
    origin: Origin,
}

/// Where each byte of an [`Excerpt`] comes from.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
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

    /// Adds a text of which so many bytes were written for a range.
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

#[cfg(test)]
mod tests;
