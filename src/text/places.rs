//! Where a part of a text stands in what its user can open.

use std::ops::Range;

use super::{Encoding, Text, again};
use crate::text::disguises;
use crate::text::source_map::Origin;

/// Where a part of a text stands. In plain text and Markdown all of it is reported of the file
/// as it is stored; of other kinds, of [`Text::content`].
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Place {
    /// Its bytes in [`Text::content`].
    pub content: Range<usize>,
    /// Its bytes, the byte order mark counted.
    pub bytes: Range<usize>,
    /// The lines of its first and of its last character, from 1; a line ends with a line
    /// feed.
    pub lines: [usize; 2],
    /// The column of its first character and that behind its last, in code points from 1.
    pub columns: [usize; 2],
}

/// What is kept of a file so that places in it can be reported, and what words were written as.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Stored {
    /// The file's characters; none where the content is all of them.
    pub(super) characters: Option<String>,
    /// From the content back to what its disguises were undone in.
    pub(super) revealed: Option<Origin>,
    /// From there back to the characters.
    pub(super) taken: Option<Origin>,
    /// The file's bytes without the mark, where the characters do not say where they stood.
    pub(super) bytes: Option<Vec<u8>>,
}

impl Stored {
    /// The bytes of the characters that a range of the content stands for.
    pub(super) fn source(&self, range: Range<usize>) -> Range<usize> {
        self.origins().fold(range, |range, origin| origin.source(range))
    }

    fn origins(&self) -> impl Iterator<Item = &Origin> {
        self.revealed.iter().chain(&self.taken)
    }
}

/// A place between two characters.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct Point {
    byte: usize,
    line: usize,
    column: usize,
}

impl Text {
    /// The bytes of memory that are kept beside the content so that places can be reported.
    pub fn beside(&self) -> usize {
        let Stored { characters, bytes, .. } = &self.stored;
        let characters = characters.as_ref().map_or(0, String::len);
        let origins: usize = self.stored.origins().map(Origin::size).sum();
        characters + origins + bytes.as_ref().map_or(0, Vec::len)
    }

    /// Where the content shows words in other characters than they were written in, in bytes and
    /// in order, each with the first characters of what was written: `pl<U+0430>gue`.
    pub fn disguised_words(&self) -> impl Iterator<Item = (Range<usize>, String)> {
        let characters = self.stored.characters.as_deref().unwrap_or_default();
        self.stored.revealed.iter().flat_map(Origin::written).map(move |span| {
            let written = &characters[self.stored.source(span.clone())];
            let spelled = disguises::spelled_out(written, &self.content[span.clone()]);
            (span, spelled)
        })
    }

    /// Says where parts of the content stand, in the same order. One skip the text
    /// for all of them.
    ///
    /// # Panics
    ///
    /// Where a range is not one of the content, on its character boundaries.
    pub fn places(&self, ranges: &[Range<usize>]) -> Vec<Place> {
        let source = |range: &Range<usize>| {
            let is_stored = self.kind.is_shown_as_stored();
            if is_stored { self.stored.source(range.clone()) } else { range.clone() }
        };
        let parts: Vec<Range<usize>> = ranges.iter().map(source).collect();
        let mut offsets: Vec<usize> =
            parts.iter().flat_map(|part| [part.start, part.end]).collect();
        offsets.sort_unstable();
        offsets.dedup();
        let points = self.points(&offsets);
        let point = |offset: usize| points[offsets.partition_point(|known| *known < offset)];
        let place = |(content, part): (&Range<usize>, Range<usize>)| {
            let (start, end) = (point(part.start), point(part.end));
            Place {
                content: content.clone(),
                bytes: start.byte..end.byte,
                lines: [start.line, end.line],
                columns: [start.column, end.column],
            }
        };
        ranges.iter().zip(parts).map(place).collect()
    }

    /// The points of the file at offsets into its characters, which increase.
    fn points(&self, offsets: &[usize]) -> Vec<Point> {
        let is_stored = self.kind.is_shown_as_stored();
        let characters = self.stored.characters.as_ref().filter(|_| is_stored);
        let characters = characters.unwrap_or(&self.content);
        let is_utf_8 = self.encoding == Encoding::UTF_8;
        let width = self.encoding.width().filter(|_| is_stored && !is_utf_8);
        let mark = if is_stored { self.mark } else { 0 };
        let mut here = Point { byte: mark, line: 1, column: 1 };
        let mut done = 0;
        let mut points: Vec<Point> = Vec::with_capacity(offsets.len());
        for offset in offsets {
            let passed = &characters[done..*offset];
            here.line += memchr::memchr_iter(b'\n', passed.as_bytes()).count();
            here.column = match memchr::memrchr(b'\n', passed.as_bytes()) {
                Some(end) => 1 + passed[end + 1..].chars().count(),
                None => here.column + passed.chars().count(),
            };
            here.byte += match width {
                Some(width) => passed.chars().map(width).sum(),
                None => passed.len(),
            };
            done = *offset;
            points.push(here);
        }
        if let Some(bytes) = &self.stored.bytes {
            let known = again::offsets(bytes, self.encoding, offsets);
            points.iter_mut().zip(known).for_each(|(point, byte)| point.byte = mark + byte);
        }
        points
    }
}

#[cfg(test)]
mod tests;
