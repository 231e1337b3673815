//! A text made from another one, that knows where each of its bytes comes from.
//!
//! Goes in: parts of a source in their order, and what is written in their stead. Comes
//! out: the text, and for each place in it the place in the source. It knows neither
//! files nor their kinds.

use std::ops::Range;

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
    parts: Vec<Part>,
    /// The bytes of the text.
    length: usize,
}

/// A part of the source that stands in the text as it was, or what was written for it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Part {
    /// Bytes of the text before it.
    at: usize,
    /// Bytes of the source before it.
    from: usize,
    /// Bytes of the source that it stands for.
    length: usize,
    how: How,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum How {
    Copied,
    Written,
}

impl Excerpt {
    /// Adds a part of the source as it stands there. Parts come in the order of the source.
    ///
    /// # Panics
    ///
    /// Where the range is not one of the source, on its character boundaries.
    pub fn copy(&mut self, source: &str, range: Range<usize>) {
        let copied = &source[range.clone()];
        let follows = |last: &Part| {
            last.how == How::Copied
                && last.from + last.length == range.start
                && last.at + last.length == self.content.len()
        };
        match self.origin.parts.last_mut() {
            Some(last) if follows(last) => {
                last.length += copied.len();
                self.content.push_str(copied);
                self.origin.length = self.content.len();
            }
            _ => self.push(copied, range, How::Copied),
        }
    }

    /// Adds a text that stands for a part of the source, which may be empty.
    pub fn write(&mut self, text: &str, range: Range<usize>) {
        self.push(text, range, How::Written);
    }

    fn push(&mut self, text: &str, range: Range<usize>, how: How) {
        if !text.is_empty() {
            let (at, from) = (self.content.len(), range.start);
            self.origin.parts.push(Part { at, from, length: range.len(), how });
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
    /// The bytes of the source that a range of the text's bytes stands for; of what was
    /// written, all that it was written for. An empty range is the place where it begins,
    /// in an empty text the source's beginning.
    pub fn source(&self, range: Range<usize>) -> Range<usize> {
        let start = self.part(range.start).map_or(0, |part| match part.how {
            How::Copied => part.from + (range.start - part.at).min(part.length),
            How::Written if range.start < self.length => part.from,
            How::Written => part.from + part.length,
        });
        let last = if range.is_empty() { None } else { self.part(range.end - 1) };
        let end = last.map_or(start, |part| match part.how {
            How::Copied => part.from + (range.end - part.at).min(part.length),
            How::Written => part.from + part.length,
        });
        start..end
    }

    /// The bytes of the text that stand for a range of the source's bytes. A border within what
    /// something was written for is behind that in the text.
    pub fn target(&self, source: &Range<usize>) -> Range<usize> {
        self.place(source.start)..self.place(source.end)
    }

    /// Bytes of the text that stand for what the source has before a byte of it.
    fn place(&self, byte: usize) -> usize {
        let behind = self.parts.partition_point(|part| part.from <= byte);
        let next = self.parts.get(behind).map_or(self.length, |next| next.at);
        let Some(part) = behind.checked_sub(1).map(|last| self.parts[last]) else { return 0 };
        match part.how {
            How::Copied => part.at + (byte - part.from).min(part.length),
            How::Written if byte == part.from => part.at,
            How::Written => next,
        }
    }

    /// The part that a byte of the text is in; the last one for those behind it.
    fn part(&self, byte: usize) -> Option<Part> {
        let after = self.parts.partition_point(|part| part.at <= byte);
        after.checked_sub(1).map(|last| self.parts[last])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `**bold**ly &amp; caf&eacute;` as a reader sees it.
    fn example() -> (&'static str, Excerpt) {
        let source = "**bold**ly &amp; caf&eacute;s";
        let mut excerpt = Excerpt::default();
        excerpt.copy(source, 2..6);
        excerpt.copy(source, 8..11);
        excerpt.write("&", 11..16);
        excerpt.copy(source, 16..20);
        excerpt.write("é", 20..28);
        excerpt.copy(source, 28..29);
        (source, excerpt)
    }

    #[test]
    fn places_are_found_again_in_the_source() {
        let (source, excerpt) = example();
        assert_eq!(excerpt.content(), "boldly & cafés");
        #[rustfmt::skip]
        let table = [
            ("a word over a mark", 0..6,   "bold**ly"),
            ("inside a part",      1..3,   "ol"),
            ("up to a mark",       0..4,   "bold"),
            ("written for more",   7..8,   "&amp;"),
            ("a longer letter",    9..15,  "caf&eacute;s"),
            ("its letter alone",   12..14, "&eacute;"),
            ("before it",          9..12,  "caf"),
            ("behind it",          14..15, "s"),
            ("all",                0..15,  "bold**ly &amp; caf&eacute;s"),
        ];
        for (why, range, want) in table {
            assert_eq!(&source[excerpt.source(range)], want, "{why}");
        }
    }

    #[test]
    fn places_of_the_source_are_found_in_the_text() {
        let (source, excerpt) = example();
        #[rustfmt::skip]
        let table = [
            ("before all",         0..2,   ""),
            ("a word over a mark", 0..10,  "boldly"),
            ("up to a mark",       0..6,   "bold"),
            ("from a mark on",     6..10,  "ly"),
            ("inside a part",      3..5,   "ol"),
            ("written for more",   11..16, "&"),
            ("not all of that",    11..13, "&"),
            ("the rest of that",   13..20, " caf"),
            ("a letter at its end", 17..28, "café"),
            ("all",                0..29,  "boldly & cafés"),
        ];
        for (why, range, want) in table {
            assert_eq!(&excerpt.content()[excerpt.target(&range)], want, "{why}: {source}");
        }
        assert_eq!(Excerpt::default().target(&(0..9)), 0..0);
    }

    #[test]
    fn an_empty_range_is_a_place() {
        let (_, excerpt) = example();
        assert_eq!(excerpt.source(0..0), 2..2);
        assert_eq!(excerpt.source(15..15), 29..29);
        assert_eq!(Excerpt::default().source(0..0), 0..0);
    }

    #[test]
    fn what_is_written_is_one_place_however_long() {
        let mut excerpt = Excerpt::default();
        excerpt.write("ab", 0..2); // for é
        assert_eq!([excerpt.source(0..1), excerpt.source(1..2)], [0..2, 0..2]);
    }

    #[test]
    fn nothing_written_leaves_no_part() {
        let mut excerpt = Excerpt::default();
        excerpt.write("", 0..2);
        excerpt.copy("--ab", 2..2);
        assert_eq!(excerpt, Excerpt::default());
    }
}
