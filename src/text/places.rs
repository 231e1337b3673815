//! Where a part of a text stands in what its user can open.

use std::ops::Range;

use encoding_rs as whatwg;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::decode::Form;
use super::{Encoding, Kind, Text};
use crate::text::disguises;
use crate::text::source_map::Origin;

/// Where a part of a text stands. In plain text and Markdown all of it is reported of the file
/// as it is stored; of other kinds, of [`Text::content`].
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Place {
    /// The number of its file, from 0, in a text that is [made of several](Text::joined).
    pub file: usize,
    /// Its bytes in [`Text::content`].
    pub content: Range<usize>,
    /// Its bytes, the byte order mark counted.
    pub bytes: Range<usize>,
    /// The lines of its first and of its last character, from 1; a line ends with a line
    /// feed.
    pub lines: [usize; 2],
    /// The column of its first character and that behind its last, in code points from 1.
    pub columns: [usize; 2],
    /// The pages or slides that it is on; none where its file has none.
    pub pages: Option<Pages>,
}

/// Pages of a PDF, or slides, as who opens the file counts them.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct Pages {
    /// What one is called: `page`, `slide`.
    pub name: &'static str,
    /// The first and the last, from 1.
    pub numbers: [usize; 2],
}

impl Pages {
    /// Those that a range of a content is on; none where its kind has no pages, or it stands before
    /// the first. They begin where `starts` says.
    pub(super) fn new(kind: Kind, starts: &[usize], range: &Range<usize>) -> Option<Self> {
        let page = |byte: usize| starts.partition_point(|start| *start <= byte);
        let first = page(range.start);
        let last = if range.is_empty() { first } else { page(range.end - 1) };
        let name = kind.page_name().filter(|_| first > 0)?;
        Some(Self { name, numbers: [first, last] })
    }
}

/// Pages as they are stored.
#[derive(Deserialize)]
struct StoredPages {
    name: String,
    numbers: [usize; 2],
}

impl<'de> Deserialize<'de> for Pages {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let StoredPages { name, numbers } = StoredPages::deserialize(from)?;
        let known = [Kind::Pdf, Kind::Pptx].into_iter().filter_map(Kind::page_name);
        let known = known.into_iter().find(|known| *known == name);
        let name = known.ok_or_else(|| D::Error::custom("no name of a page"))?;
        Ok(Self { name, numbers })
    }
}

impl Place {
    /// How its reader finds it: the pages or slides that it is on, else its lines, by the name of
    /// one, and the first and the last.
    pub fn found_by(&self) -> (&'static str, [usize; 2]) {
        self.pages.map_or(("line", self.lines), |pages| (pages.name, pages.numbers))
    }
}

/// What is kept of a file so that places in it can be reported, and what words were written as.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
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
        let Stored { characters, bytes, .. } = &self.extras().stored;
        let characters = characters.as_ref().map_or(0, String::len);
        let origins: usize = self.extras().stored.origins().map(Origin::size).sum();
        let files: usize = self.files().map(Self::beside).sum();
        characters + origins + bytes.as_ref().map_or(0, Vec::len) + files
    }

    /// Where the content shows words in other characters than they were written in, in bytes and
    /// in order, each with the first characters of what was written: `pl<U+0430>gue`.
    pub fn disguised_words(&self) -> impl Iterator<Item = (Range<usize>, String)> {
        let files = self.extras().files.iter().map(|(part, file)| (part.clone(), file));
        let whole = [(0..self.content.len(), self)];
        whole.into_iter().chain(files).flat_map(|(part, file)| {
            let (start, content) = (part.start, &self.content[part]);
            let characters = file.extras().stored.characters.as_deref().unwrap_or_default();
            file.extras().stored.revealed.iter().flat_map(Origin::written).map(move |span| {
                let written = &characters[file.extras().stored.source(span.clone())];
                let spelled = disguises::spelled_out(written, &content[span.clone()]);
                (start + span.start..start + span.end, spelled)
            })
        })
    }

    /// Says where parts of the content stand, in the same order. One skip the text
    /// for all of them. Of a part that begins in one file and ends in another, what is in the
    /// first.
    ///
    /// # Panics
    ///
    /// Where a range is not one of the content, on its character boundaries.
    pub fn places(&self, ranges: &[Range<usize>]) -> Vec<Place> {
        if self.extras().files.is_empty() {
            return self.places_in(&self.content, ranges);
        }
        let mut of_files: Vec<(Vec<usize>, Vec<Range<usize>>)> =
            vec![Default::default(); self.extras().files.len()];
        for (number, range) in ranges.iter().enumerate() {
            let behind = self.extras().files.partition_point(|(part, _)| part.start <= range.start);
            let Some(file) = behind.checked_sub(1) else { continue };
            let part = &self.extras().files[file].0;
            let [start, end] = [range.start, range.end].map(|byte| byte.min(part.end) - part.start);
            of_files[file].0.push(number);
            of_files[file].1.push(start..end);
        }
        let mut places = vec![Place::default(); ranges.len()];
        for (number, ((part, file), (numbers, ranges))) in
            self.extras().files.iter().zip(of_files).enumerate()
        {
            let known = file.places_in(&self.content[part.clone()], &ranges);
            for (at, place) in numbers.into_iter().zip(known) {
                let Range { start, end } = place.content;
                let content = part.start + start..part.start + end;
                places[at] = Place { file: number, content, ..place };
            }
        }
        places
    }

    /// The same of one file with a content.
    fn places_in(&self, content: &str, ranges: &[Range<usize>]) -> Vec<Place> {
        let source = |range: &Range<usize>| {
            let is_stored = self.kind.is_shown_as_stored();
            if is_stored { self.extras().stored.source(range.clone()) } else { range.clone() }
        };
        let parts: Vec<Range<usize>> = ranges.iter().map(source).collect();
        let mut offsets: Vec<usize> =
            parts.iter().flat_map(|part| [part.start, part.end]).collect();
        offsets.sort_unstable();
        offsets.dedup();
        let points = self.points(content, &offsets);
        let point = |offset: usize| points[offsets.partition_point(|known| *known < offset)];
        let place = |(content, part): (&Range<usize>, Range<usize>)| {
            let (start, end) = (point(part.start), point(part.end));
            Place {
                file: 0,
                content: content.clone(),
                bytes: start.byte..end.byte,
                lines: [start.line, end.line],
                columns: [start.column, end.column],
                pages: Pages::new(self.kind, &self.extras().pages, content),
            }
        };
        ranges.iter().zip(parts).map(place).collect()
    }

    /// The points of the file at offsets into its characters, which increase.
    fn points(&self, content: &str, offsets: &[usize]) -> Vec<Point> {
        let is_stored = self.kind.is_shown_as_stored();
        let characters = self.extras().stored.characters.as_ref().filter(|_| is_stored);
        let characters = characters.map_or(content, String::as_str);
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
        if let Some(bytes) = &self.extras().stored.bytes {
            let known = byte_offsets(bytes, self.encoding, offsets);
            points.iter_mut().zip(known).for_each(|(point, byte)| point.byte = mark + byte);
        }
        points
    }
}

// Places in characters → places in the bytes that they were decoded from.
//
// Where characters take as many bytes as they please, or bytes were replaced, only decoding them
// once more says where each stood.

/// The bytes before each of some offsets into what bytes were decoded to; the offsets
/// increase and are on character boundaries. The cost is that of decoding.
fn byte_offsets(bytes: &[u8], encoding: Encoding, wanted: &[usize]) -> Vec<usize> {
    let Form::Whatwg(encoding) = encoding.0 else { return wanted.to_vec() };
    let mut found = Vec::with_capacity(wanted.len());
    let (mut read, mut written) = (0, 0);
    for piece in pieces(bytes, encoding) {
        let next = wanted.get(found.len()..).and_then(|rest| rest.first());
        let length = match next {
            None => break,
            Some(_) if piece.is_ascii() && encoding.is_ascii_compatible() => piece.len(),
            Some(_) => encoding.decode_without_bom_handling(piece).0.len(),
        };
        if next.is_some_and(|next| *next < written + length) {
            within(piece, encoding, (read, written), wanted, &mut found);
        }
        read += piece.len();
        written += length;
    }
    found.resize(wanted.len(), bytes.len());
    found
}

/// The lines of a text, where a decoder begins anew at each; else all of it.
fn pieces<'b>(
    bytes: &'b [u8],
    encoding: &'static whatwg::Encoding,
) -> impl Iterator<Item = &'b [u8]> {
    let by_line = encoding.is_ascii_compatible();
    bytes.split_inclusive(move |byte| by_line && *byte == b'\n')
}

/// Finds the offsets that are in one piece, byte by byte. The piece begins `read` bytes into the source
/// and `written` bytes into the text.
fn within(
    piece: &[u8],
    encoding: &'static whatwg::Encoding,
    (read, written): (usize, usize),
    wanted: &[usize],
    found: &mut Vec<usize>,
) {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut characters = [0; 64];
    let mut written = written;
    for (at, byte) in piece.iter().enumerate() {
        while wanted.get(found.len()).is_some_and(|next| *next == written) {
            found.push(read + at);
        }
        let is_last = at + 1 == piece.len();
        let (_, _, more, _) = decoder.decode_to_utf8(&[*byte], &mut characters, is_last);
        written += more;
        // Characters that come of one byte together: what is between them is before it.
        while wanted.get(found.len()).is_some_and(|next| *next < written) {
            found.push(read + at);
        }
    }
}

#[cfg(test)]
mod tests;
