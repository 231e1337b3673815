//! Text → what counts of it: all but what everyone was given, its quotations and its list of
//! references, where those are not to count.
//!
//! Goes in: a text, and where it has what is in a template. Comes out: the stretches that are left, and what was left out of it and
//! why. What is left out is as if the text ended before it and another began behind it: no
//! shingle reaches over the gap.

mod bibliography;
mod quotes;

use std::ops::Range;

use crate::text::Text;
use crate::tokens;

/// Why a part of a text does not count.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Why {
    /// Everyone was given it.
    Template,
    /// It is a quotation.
    Quotes,
    /// It is the list of references.
    Bibliography,
    /// Too many texts of a corpus have it.
    Common,
}

impl Why {
    /// All reasons, in the order in which they are told.
    pub const ALL: [Self; 4] = [Self::Template, Self::Quotes, Self::Bibliography, Self::Common];

    /// The name of the reason; never changes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Template => "template",
            Self::Quotes => "quotes",
            Self::Bibliography => "bibliography",
            Self::Common => "common",
        }
    }
}

/// A part of a text that does not count.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LeftOut {
    /// Why it does not count.
    pub why: Why,
    /// Where it stands in the text, in bytes.
    pub span: Range<usize>,
    /// Its words.
    pub words: usize,
}

/// What is left of a text.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Remaining<'t> {
    text: &'t str,
    /// In their order; none reaches into another.
    left_out: Vec<LeftOut>,
}

impl<'t> Remaining<'t> {
    /// All of a text.
    pub fn all(text: &'t str) -> Self {
        Self { text, left_out: Vec::new() }
    }

    /// A text without what is to be ignored. `given` is where it has what is in a template, in
    /// bytes.
    pub fn of(text: &'t Text, ignored: &[Why], given: &[Range<usize>]) -> Self {
        let content = text.content();
        let mut found: Vec<(Range<usize>, Why)> = Vec::new();
        for why in Why::ALL {
            let spans = match why {
                Why::Template => given.to_vec(),
                // What other texts have is found by whoever has them.
                Why::Common => continue,
                _ if !ignored.contains(&why) => continue,
                Why::Quotes => quotes::spans(content, text.block_quotes()),
                Why::Bibliography => bibliography::spans(content),
            };
            found.extend(spans.into_iter().map(|span| (span, why)));
        }
        found.sort_by_key(|(span, why)| (span.start, *why));
        let mut left_out: Vec<LeftOut> = Vec::new();
        for (span, why) in found {
            let start = left_out.last().map_or(0, |last| last.span.end).max(span.start);
            if start < span.end {
                let words = tokens::split(&content[start..span.end]).len();
                left_out.push(LeftOut { why, span: start..span.end, words });
            }
        }
        Self { text: content, left_out }
    }

    /// A text without parts of it: in their order, none reaching into another.
    pub fn without(text: &'t Text, left_out: Vec<LeftOut>) -> Self {
        Self { text: text.content(), left_out }
    }

    /// The text, what is left out included.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The parts that do not count, in their order.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// The parts of what is left, in their order, as spans in the text; they may be empty.
    pub fn spans(&self) -> impl Iterator<Item = Range<usize>> + Clone {
        let ends = self.left_out.iter().map(|part| part.span.start).chain([self.text.len()]);
        let starts = [0].into_iter().chain(self.left_out.iter().map(|part| part.span.end));
        starts.zip(ends).map(|(start, end)| start..end)
    }

    /// The parts of what is left.
    pub fn stretches(&self) -> impl Iterator<Item = &'t str> + Clone {
        let text = self.text;
        self.spans().map(move |span| &text[span])
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn what_is_left_out_leaves_stretches() {
        let content =
            "One. “Two three four five six.” Seven\n\nReferences\n\nNine “a b c d e” 2001.\n";
        let text = Text::from_bytes(Path::new("x"), content.into()).unwrap();
        let left = |ignored: &[Why]| -> Vec<&str> {
            Remaining::of(&text, ignored, &[]).stretches().map(str::trim).collect()
        };
        assert_eq!(left(&[]), [content.trim()]);
        assert_eq!(left(&[Why::Bibliography]), ["One. “Two three four five six.” Seven", ""]);
        assert_eq!(left(&[Why::Quotes]), ["One.", "Seven\n\nReferences\n\nNine", "2001."]);
        let both = Remaining::of(&text, &[Why::Bibliography, Why::Quotes], &[]);
        assert_eq!(both.stretches().map(str::trim).collect::<Vec<_>>(), ["One.", "Seven", ""]);
        let told: Vec<(Why, usize)> = both.left_out().iter().map(|it| (it.why, it.words)).collect();
        assert_eq!(told, [(Why::Quotes, 5), (Why::Bibliography, 8)]);
    }
}
