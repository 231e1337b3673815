//! The text of a source that is shown as it is stored, while it is being read.
//!
//! Goes in: what is read of the source, piece by piece, and what stands between the pieces. Comes out: the text, and
//! where each part of it stands in the source. It knows no kind of source.

use std::ops::Range;

use crate::text::source_map::Excerpt;

/// What stands between two pieces of text; of several, the widest.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Gap {
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
    pub(super) fn white_space(self, before: &str) -> &'static str {
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

/// What parts the text of an element of a name from that around it.
pub(super) fn gap_of(name: &str) -> Gap {
    match name {
        "br" => Gap::Break,
        "td" | "th" => Gap::Cell,
        "li" | "dt" | "dd" | "tr" | "legend" | "option" | "summary" => Gap::Line,
        "address" | "article" | "aside" | "blockquote" | "body" | "caption" | "center"
        | "details" | "dialog" | "dir" | "div" | "dl" | "fieldset" | "figcaption" | "figure"
        | "footer" | "form" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "header" | "hgroup"
        | "hr" | "html" | "listing" | "main" | "menu" | "nav" | "ol" | "p" | "plaintext"
        | "pre" | "search" | "section" | "table" | "tbody" | "tfoot" | "thead" | "ul" | "xmp" => {
            Gap::Paragraph
        }
        _ => Gap::None,
    }
}

/// An excerpt in the making. Linear in what is read.
#[derive(Debug)]
pub(super) struct Draft<'s> {
    source: &'s str,
    excerpt: Excerpt,
    gap: Gap,
    /// The end of what was read of the source.
    end: usize,
}

impl<'s> Draft<'s> {
    /// Nothing yet of a source.
    pub(super) fn new(source: &'s str) -> Self {
        Self { source, excerpt: Excerpt::default(), gap: Gap::None, end: 0 }
    }

    /// The source.
    pub(super) fn source(&self) -> &'s str {
        self.source
    }

    /// The text so far.
    pub(super) fn content(&self) -> &str {
        self.excerpt.content()
    }

    /// Parts what was read from what will be.
    pub(super) fn part(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// Reads a text from its place in the source, where it may be written otherwise. What was
    /// read before is not read again: behind a table of 2¹⁸ filled-in cells, pulldown-cmark
    /// 0.13 gives its last line twice.
    pub(super) fn read(&mut self, text: &str, range: Range<usize>) {
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
    pub(super) fn finish(mut self) -> Excerpt {
        let content = self.excerpt.content();
        if !content.is_empty() && !content.ends_with('\n') {
            self.put("\n", self.end..self.source.len());
        }
        self.excerpt
    }
}
