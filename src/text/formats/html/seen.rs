//! What a walk through a page has seen: its text, and where its parts are.

use std::ops::Range;

use dom_query::NodeId;

use super::element::Mark;

/// What a walk has seen.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The text that counts.
    pub(super) content: String,
    /// The texts that are hidden.
    pub(super) hidden: Vec<String>,
    /// Where in the content the parts are that the page marks, in bytes.
    pub(super) marked: Marked,
    /// The nodes whose text does not count for where they stand or how they look, none of
    /// them within another.
    pub(super) left_out: Vec<NodeId>,
    /// The nodes that stand in the text, but whose own text does not count.
    pub(super) emptied: Vec<NodeId>,
    /// The sum over all elements that count of how many they are in, and they themselves.
    pub(super) depths: usize,
    /// The bytes of the longest text that counts between two tags.
    pub(super) longest_text: usize,
}

impl Seen {
    /// The text that counts, and where it has block quotations.
    pub(super) fn whole(self) -> (String, Vec<Range<usize>>) {
        let quotes = self.quotes(&(0..self.content.len()));
        (self.content, quotes)
    }

    /// A part of it, without white space at its ends.
    pub(super) fn part(&self, part: &Range<usize>) -> (String, Vec<Range<usize>>) {
        let part = trimmed(&self.content, part);
        (format!("{}\n", &self.content[part.clone()]), self.quotes(&part))
    }

    /// The block quotations within a part, in bytes of that; none is empty.
    fn quotes(&self, part: &Range<usize>) -> Vec<Range<usize>> {
        let quotes = self.marked.quotes.iter().map(|quote| {
            let within = quote.start.max(part.start)..quote.end.min(part.end);
            let quote = trimmed(&self.content, &(within.start..within.end.max(within.start)));
            quote.start.saturating_sub(part.start)..quote.end.saturating_sub(part.start)
        });
        quotes.filter(|quote| !quote.is_empty()).collect()
    }
}

/// A part of a text without white space at its ends.
fn trimmed(text: &str, part: &Range<usize>) -> Range<usize> {
    let (part, end) = (&text[part.clone()], part.end);
    let start = end - part.trim_start().len();
    start..start + part.trim().len()
}

/// The parts that a page marks, none of them within another of its kind, increasing; they may
/// be empty.
#[derive(Debug, Default)]
pub(super) struct Marked {
    pub(super) mains: Vec<Range<usize>>,
    pub(super) articles: Vec<Range<usize>>,
    pub(super) quotes: Vec<Range<usize>>,
}

impl Marked {
    /// The parts of a kind.
    pub(super) fn of(&mut self, mark: Mark) -> &mut Vec<Range<usize>> {
        match mark {
            Mark::Main => &mut self.mains,
            Mark::Article => &mut self.articles,
            Mark::Quote => &mut self.quotes,
        }
    }
}
