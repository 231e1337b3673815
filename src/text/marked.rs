//! Finds the stretches of a text that its author marked to be left out.
//!
//! A marker is a line that consists of `dedup: ignore-start` or `dedup: ignore-end`, alone or
//! inside a comment; in a web page, it is a comment. A stretch extends from a start to the next
//! end, including both markers. A marker without a counterpart marks nothing, so that a forgotten
//! end does not hide more than was intended; it is listed separately.

use std::ops::Range;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::source_map::Excerpt;

/// The stretches and lone markers of a text.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Marked {
    /// The marked stretches, in text order.
    pub stretches: Vec<Stretch>,
    /// The markers without a counterpart, in text order.
    pub lone: Vec<LoneMarker>,
}

/// A marked stretch, as byte ranges of the content.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Stretch {
    /// The stretch including its markers.
    pub whole: Range<usize>,
    /// The part between the markers.
    pub inner: Range<usize>,
}

/// A marker without a counterpart.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct LoneMarker {
    /// The kind of marker.
    pub marker: Marker,
    /// Its line, from 1: that of the file, or that of the content if places are not those of the
    /// file.
    pub line: usize,
    /// The file that contains it, if the text is joined from several files.
    pub file: Option<PathBuf>,
}

/// A marker.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub enum Marker {
    /// `dedup: ignore-start`
    Start,
    /// `dedup: ignore-end`
    End,
}

impl Marker {
    /// Returns the marker as it is written in a text.
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "dedup: ignore-start",
            Self::End => "dedup: ignore-end",
        }
    }

    /// Parses a text that is a marker, ignoring white space around and between its words; `None` if
    /// it is anything else.
    fn of(text: &str) -> Option<Self> {
        let is_it = |marker: &Self| text.split_whitespace().eq(marker.name().split(' '));
        [Self::Start, Self::End].into_iter().find(is_it)
    }
}

/// The delimiters of comments: how one starts and ends. The start may be repeated if there is no
/// end.
const COMMENTS: &[(&str, &str)] = &[
    ("<!--", "-->"),
    ("/*", "*/"),
    ("(*", "*)"),
    ("{#", "#}"),
    ("#", ""),
    ("//", ""),
    ("%", ""),
    ("--", ""),
    (";", ""),
    ("..", ""),
    ("'", ""),
];

/// The length of the longest line that is checked for a marker, in bytes and without the white
/// space around it.
const MAX_LINE_BYTES: usize = 200;

/// Parses a line that is a marker, alone or inside a comment.
fn on_line(line: &str) -> Option<Marker> {
    let line = line.trim();
    if line.len() > MAX_LINE_BYTES {
        return None;
    }
    let in_comment = |(start, end): &(&str, &str)| {
        let inner = line.strip_prefix(start)?.strip_suffix(end)?;
        Marker::of(if end.is_empty() { inner.trim_start_matches(start) } else { inner })
    };
    Marker::of(line).or_else(|| COMMENTS.iter().find_map(in_comment))
}

/// Markers in text order, each with its byte range in the text, which may be empty.
pub(super) type Markers = Vec<(Marker, Range<usize>)>;

pub(super) fn in_lines(text: &str) -> Marked {
    paired(text, markers(text))
}

pub(super) fn markers(text: &str) -> Markers {
    let mut markers = Vec::new();
    if memchr::memmem::find(text.as_bytes(), b"dedup:").is_none() {
        return markers;
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let range = start..start + line.len();
        start = range.end;
        markers.extend(on_line(line).map(|marker| (marker, range)));
    }
    markers
}

pub(super) fn paired(text: &str, markers: Markers) -> Marked {
    let mut marked = Marked::default();
    let mut open: Option<(Range<usize>, LoneMarker)> = None;
    let (mut number, mut counted) = (1, 0);
    for (marker, range) in markers {
        number += memchr::memchr_iter(b'\n', &text.as_bytes()[counted..range.start]).count();
        counted = range.start;
        let single = LoneMarker { marker, line: number, file: None };
        match (marker, open.take()) {
            (Marker::Start, before) => {
                marked.lone.extend(before.map(|(_, lone)| lone));
                open = Some((range, single));
            }
            (Marker::End, None) => marked.lone.push(single),
            (Marker::End, Some((start, _))) => {
                let (whole, inner) = (start.start..range.end, start.end..range.start);
                marked.stretches.push(Stretch { whole, inner });
            }
        }
    }
    marked.lone.extend(open.map(|(_, lone)| lone));
    marked
}

/// The largest number of lone markers of a text that are reported.
pub const REPORTED: usize = 3;

impl Marked {
    /// Moves the stretches to their positions in another text, using the function `target` on each
    /// range.
    pub(super) fn moved(self, target: impl Fn(&Range<usize>) -> Range<usize>) -> Self {
        let moved =
            |Stretch { whole, inner }| Stretch { whole: target(&whole), inner: target(&inner) };
        Self { stretches: self.stretches.into_iter().map(moved).collect(), lone: self.lone }
    }
}

// The comments of a web page are part of its tree, but not of its text: while the page is read,
// each marker is represented by a character that does not occur in texts.

/// The characters that represent a start and an end. They are noncharacters of Unicode, which do
/// not occur in texts.
const SIGNS: [(char, Marker); 2] = [('\u{fdd0}', Marker::Start), ('\u{fdd1}', Marker::End)];

/// Returns the character that represents a comment; `None` if the comment is not a marker.
pub(super) fn sign_of(comment: &str) -> Option<char> {
    let marker = Marker::of(comment)?;
    SIGNS.into_iter().find_map(|(sign, it)| (it == marker).then_some(sign))
}

/// Returns a text without these characters, and the stretches that they mark in it.
pub(super) fn taken_out(text: &str) -> (Excerpt, Marked) {
    let (mut kept, mut markers, mut start) = (Excerpt::default(), Vec::new(), 0);
    for (at, letter) in text.char_indices() {
        let Some((sign, marker)) = SIGNS.into_iter().find(|(sign, _)| *sign == letter) else {
            continue;
        };
        kept.copy(text, start..at);
        markers.push((marker, kept.content().len()..kept.content().len()));
        start = at + sign.len_utf8();
    }
    kept.copy(text, start..text.len());
    let marked = paired(kept.content(), markers);
    (kept, marked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_is_a_line_of_its_own() {
        use Marker::{End, Start};
        #[rustfmt::skip]
        let table = [
            ("plain",                "dedup: ignore-start",                Some(Start)),
            ("an end",               "dedup: ignore-end",                  Some(End)),
            ("white space",          " \tdedup:   ignore-end \r\n",        Some(End)),
            ("HTML and Markdown",    "<!-- dedup: ignore-start -->",       Some(Start)),
            ("without spaces",       "<!--dedup: ignore-end-->",           Some(End)),
            ("TeX",                  "% dedup: ignore-start",              Some(Start)),
            ("Python",               "    # dedup: ignore-start\n",        Some(Start)),
            ("a heavier comment",    "### dedup: ignore-start",            Some(Start)),
            ("C",                    "// dedup: ignore-start",             Some(Start)),
            ("Rust",                 "/// dedup: ignore-end",              None),
            ("Rust, by four",        "//// dedup: ignore-end",             Some(End)),
            ("C, between",           "/* dedup: ignore-end */",            Some(End)),
            ("SQL and Lua",          "-- dedup: ignore-end",               Some(End)),
            ("Lisp",                 ";; dedup: ignore-end",               Some(End)),
            ("reStructuredText",     ".. dedup: ignore-end",               Some(End)),
            ("templates",            "{# dedup: ignore-end #}",            Some(End)),
            ("an open comment",      "<!-- dedup: ignore-start",           None),
            ("text before it",       "See dedup: ignore-start",            None),
            ("text behind it",       "# dedup: ignore-start here",         None),
            ("in a sentence",        "Write `dedup: ignore-start`.",       None),
            ("another word",         "# dedup: ignore-all",                None),
            ("capitals",             "# Dedup: ignore-start",              None),
            ("one word",             "# dedup:ignore-start",               None),
            ("nothing",              "",                                   None),
        ];
        for (why, line, want) in table {
            assert_eq!(on_line(line), want, "{why}");
        }
    }

    #[test]
    fn a_stretch_reaches_from_a_start_to_the_next_end() {
        let (start, end) = (Marker::Start.name(), Marker::End.name());
        #[rustfmt::skip]
        let table: &[(&str, &str, &[&str], &[(Marker, usize)])] = &[
            ("nothing",            "",                        &[],              &[]),
            ("none",               "a dedup: b\n",            &[],              &[]),
            ("one",                "a\nS\nb\nE\nc\n",         &["b\n"],         &[]),
            ("empty",              "S\nE",                    &[""],            &[]),
            ("two",                "S\nb\nE\nc\nS\nd\nE",     &["b\n", "d\n"],  &[]),
            ("no end",             "a\nS\nb\n",               &[],              &[(Marker::Start, 2)]),
            ("no start",           "a\nE\nb\n",               &[],              &[(Marker::End, 2)]),
            ("two starts",         "S\na\nS\nb\nE\n",         &["b\n"],         &[(Marker::Start, 1)]),
            ("two ends",           "S\na\nE\nb\nE\n",         &["a\n"],         &[(Marker::End, 5)]),
            ("the wrong way",      "E\na\nS\n",               &[],              &[(Marker::End, 1), (Marker::Start, 3)]),
        ];
        for (why, text, want, lone) in table {
            let text = text.replace('S', start).replace('E', end);
            let marked = in_lines(&text);
            let inner: Vec<&str> =
                marked.stretches.iter().map(|it| &text[it.inner.clone()]).collect();
            assert_eq!(inner, *want, "{why}");
            for stretch in &marked.stretches {
                let whole = &text[stretch.whole.clone()];
                assert!(whole.starts_with(start) && whole.trim_end().ends_with(end), "{why}");
            }
            let found: Vec<(Marker, usize)> =
                marked.lone.iter().map(|it| (it.marker, it.line)).collect();
            assert_eq!(found, *lone, "{why}");
        }
    }

    #[test]
    fn signs_are_taken_out_and_mark_what_is_between() {
        let (kept, marked) = taken_out("a\u{fdd0}bé\u{fdd1}\nc\u{fdd1}");
        assert_eq!(kept.content(), "abé\nc");
        assert_eq!([0..1, 1..4, 4..6].map(|it| kept.source(it)), [0..1, 4..7, 10..12]);
        assert_eq!(marked.stretches, [Stretch { whole: 1..4, inner: 1..4 }]);
        assert_eq!(marked.lone, [LoneMarker { marker: Marker::End, line: 2, file: None }]);
    }
}
