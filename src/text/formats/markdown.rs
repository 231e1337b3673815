//! Markdown → the text that its reader sees.
//!
//! Goes in: a document in Markdown, as GitHub and most others read it. Comes out: its words
//! without its marks, and for each byte where it comes from. What a page made from it does
//! not show as text does not count here: link targets, front matter, the texts of pictures,
//! tags. What other dialects add, such as short codes and imports, is text.

mod tags;

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::html::Gap;
use crate::text::source_map::Excerpt;
use tags::Tags;

/// The text of a document in Markdown.
pub(crate) fn read(source: &str) -> Excerpt {
    let mut reader = Reader { source, excerpt: Excerpt::default(), gap: Gap::None, end: 0 };
    let mut tags = Tags::default();
    let mut unread: usize = 0;
    for (event, range) in Parser::new_ext(source, dialect()).into_offset_iter() {
        match &event {
            Event::Start(tag) => {
                reader.part(gap(tag.to_end()));
                unread += usize::from(is_unread(tag));
            }
            Event::End(end) => {
                reader.part(gap(*end));
                let is_unread = matches!(end, TagEnd::Image | TagEnd::MetadataBlock(_));
                unread = unread.saturating_sub(usize::from(is_unread));
                tags.end_block();
            }
            _ if unread > 0 => {}
            Event::Text(text) => tags.between(&mut reader, text, range),
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                let inner = without_fence(source, range);
                tags.between(&mut reader, text, inner);
            }
            Event::SoftBreak | Event::HardBreak => reader.part(Gap::Break),
            Event::Html(_) => tags.block(&mut reader, range),
            Event::InlineHtml(_) => tags.inline(&mut reader, range),
            Event::Rule => reader.part(Gap::Paragraph),
            Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
        }
    }
    reader.finish()
}

/// The marks that are known beyond those of all Markdown.
fn dialect() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM
}

/// Whether what is in an element does not count.
fn is_unread(tag: &Tag<'_>) -> bool {
    matches!(tag, Tag::Image { .. } | Tag::MetadataBlock(_))
}

/// What parts the text of an element from that around it.
fn gap(tag: TagEnd) -> Gap {
    match tag {
        TagEnd::Paragraph
        | TagEnd::Heading(_)
        | TagEnd::BlockQuote(_)
        | TagEnd::CodeBlock
        | TagEnd::HtmlBlock
        | TagEnd::List(_)
        | TagEnd::FootnoteDefinition
        | TagEnd::Table
        | TagEnd::MetadataBlock(_) => Gap::Paragraph,
        TagEnd::Item | TagEnd::TableHead | TagEnd::TableRow => Gap::Line,
        TagEnd::TableCell => Gap::Cell,
        _ => Gap::None,
    }
}

/// The place between the fences of code or of a formula, without the one space that keeps
/// a fence apart from them.
fn without_fence(source: &str, range: Range<usize>) -> Range<usize> {
    let all = &source[range.clone()];
    let Some(mark @ ('`' | '$')) = all.chars().next() else { return range };
    let fence = all.len() - all.trim_start_matches(mark).len();
    let Some(inner) = all.get(fence..all.len().saturating_sub(fence)) else { return range };
    let is_kept_apart = mark == '`'
        && inner.starts_with(' ')
        && inner.ends_with(' ')
        && !inner.trim_matches(' ').is_empty();
    let space = usize::from(is_kept_apart);
    range.start + fence + space..range.end - fence - space
}

/// A text in the making.
struct Reader<'s> {
    source: &'s str,
    excerpt: Excerpt,
    gap: Gap,
    /// The end of what was read of the source.
    end: usize,
}

impl Reader<'_> {
    /// Parts what was read from what will be.
    fn part(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// Reads a text from its place in the source, where it may be written otherwise. What was
    /// read before is not read again: behind a table of 2¹⁸ filled-in cells, pulldown-cmark
    /// 0.13 gives its last line twice.
    fn read(&mut self, text: &str, range: Range<usize>) {
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
    fn finish(mut self) -> Excerpt {
        let content = self.excerpt.content();
        if !content.is_empty() && !content.ends_with('\n') {
            self.put("\n", self.end..self.source.len());
        }
        self.excerpt
    }
}

#[cfg(test)]
mod tests;
