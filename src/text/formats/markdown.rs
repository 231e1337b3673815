//! Markdown → the text that its reader sees.
//!
//! Goes in: a document in Markdown, as GitHub and most others read it. Comes out: its words
//! without its marks, and for each byte where it comes from. What a page made from it does
//! not show as text does not count here: link targets, front matter, the texts of pictures,
//! tags. What other dialects add, such as short codes and imports, is text.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::gap_of;
use crate::text::source_map::{Draft, Excerpt, Gap};

/// The text of a document in Markdown.
pub(crate) fn read(source: &str) -> Excerpt {
    let mut reader = Draft::new(source);
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

// The tags in Markdown → what they do to the text between them.
//
// Markdown knows where tags are, but not what they mean. Their text counts as it would in a
// page; that of scripts and sheets does not. Nothing is built: a tag says only how it parts
// the text, and which end closes what is not to be read.

/// The elements whose text is not one.
const UNREAD: &[&str] = &[
    "script", "style", "template", "noscript", "svg", "iframe", "object", "video", "audio",
    "canvas", "select", "button", "textarea", "nav", "rt", "rp",
];

/// The most bytes of an entity: `&CounterClockwiseContourIntegral;`.
const LONGEST_ENTITY: usize = 33;

/// What tags have left open.
#[derive(Debug, Default)]
pub(super) struct Tags {
    /// The element whose end is waited for, and how many of its name are in it.
    unread: Option<(&'static str, usize)>,
    /// The part of a block that is not read yet, since it goes on in the next line.
    state: State,
    /// Where the last end tag of each unread element stands.
    last_ends: Option<Vec<Option<usize>>>,
}

/// Where in a block of tags a line begins.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum State {
    #[default]
    Text,
    Tag,
    /// In a value, up to this quote.
    Quote(u8),
    Comment,
}

impl Tags {
    /// Reads a text between tags.
    fn between(&mut self, reader: &mut Draft<'_>, text: &str, range: Range<usize>) {
        if self.unread.is_none() {
            reader.read(text, range);
        }
    }

    /// Reads a tag, or a comment, within a paragraph.
    fn inline(&mut self, reader: &mut Draft<'_>, range: Range<usize>) {
        self.tag(reader, range);
    }

    /// Reads a line of a block of tags.
    fn block(&mut self, reader: &mut Draft<'_>, range: Range<usize>) {
        let line = &reader.source()[range.clone()];
        let bytes = line.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            let next = match self.state {
                State::Text => self.text(reader, line, at, range.start),
                State::Tag => match memchr::memchr3(b'>', b'"', b'\'', rest) {
                    Some(end) => {
                        let byte = rest[end];
                        self.state = if byte == b'>' { State::Text } else { State::Quote(byte) };
                        at + end + 1
                    }
                    None => bytes.len(),
                },
                State::Quote(quote) => match memchr::memchr(quote, rest) {
                    Some(end) => {
                        self.state = State::Tag;
                        at + end + 1
                    }
                    None => bytes.len(),
                },
                State::Comment => match memchr::memmem::find(rest, b"-->") {
                    Some(end) => {
                        self.state = State::Text;
                        at + end + 3
                    }
                    None => bytes.len(),
                },
            };
            at = next;
        }
    }

    /// Ends a block: what it has left open within a tag is closed.
    fn end_block(&mut self) {
        self.state = State::Text;
    }

    /// Reads the text of a block up to the next tag, and the beginning of that.
    fn text(&mut self, reader: &mut Draft<'_>, line: &str, at: usize, from: usize) -> usize {
        let rest = &line[at..];
        let is_tag = |open: usize| {
            let next = rest.as_bytes().get(open + 1);
            next.is_some_and(|byte| byte.is_ascii_alphabetic() || b"/!?".contains(byte))
        };
        let open = memchr::memchr_iter(b'<', rest.as_bytes()).find(|&open| is_tag(open));
        let text = &rest[..open.unwrap_or(rest.len())];
        if self.unread.is_none() {
            flow(reader, text, from + at);
        }
        let Some(open) = open else { return line.len() };
        let tag = &rest[open..];
        if tag.starts_with("<!--") {
            self.state = State::Comment;
            return at + open + 2; // whose dashes may end it, too
        }
        self.state = State::Tag;
        let start = from + at + open;
        self.tag(reader, start..start + tag.len());
        at + open + 1
    }

    /// Whether an unread element has an end after a place: without one, all text that follows
    /// would not count.
    fn ends_after(&mut self, source: &str, unread: usize, start: usize) -> bool {
        let last = self.last_ends.get_or_insert_with(|| last_ends(source));
        last[unread].is_some_and(|end| start < end)
    }

    /// Takes note of a tag that begins a part of the source.
    fn tag(&mut self, reader: &mut Draft<'_>, range: Range<usize>) {
        let (tag, start) = (&reader.source()[range.clone()], range.start);
        let (is_end, name) = match tag.strip_prefix("</") {
            Some(name) => (true, name),
            None => (false, tag.strip_prefix('<').unwrap_or_default()),
        };
        let length = name.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let name = name[..length.min(16)].to_ascii_lowercase();
        match self.unread {
            Some((unread, depth)) if unread == name => {
                self.unread = match (is_end, depth) {
                    (true, 0) => None,
                    (true, depth) => Some((unread, depth - 1)),
                    // In these all is text up to their end.
                    (false, depth) if matches!(unread, "script" | "style" | "textarea") => {
                        Some((unread, depth))
                    }
                    (false, depth) => Some((unread, depth + 1)),
                };
            }
            Some(_) => {}
            None => {
                reader.part(if name == "img" { Gap::Space } else { gap_of(&name) });
                let unread = UNREAD.iter().position(|unread| *unread == name);
                self.unread = unread
                    .filter(|&unread| !is_end && self.ends_after(reader.source(), unread, start))
                    .map(|unread| (UNREAD[unread], 0));
            }
        }
    }
}

/// Where in a source the last end tag of each unread element stands.
fn last_ends(source: &str) -> Vec<Option<usize>> {
    let mut last = vec![None; UNREAD.len()];
    for start in memchr::memmem::find_iter(source.as_bytes(), b"</") {
        let rest = &source.as_bytes()[start + 2..];
        let length = rest.iter().take(16).take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let is_it = |unread: &&str| rest[..length].eq_ignore_ascii_case(unread.as_bytes());
        if let Some(unread) = UNREAD.iter().position(is_it) {
            last[unread] = Some(start);
        }
    }
    last
}

/// Reads text whose white space is as good as one space, and in which entities stand for
/// characters.
fn flow(reader: &mut Draft<'_>, text: &str, from: usize) {
    let is_special = |letter: char| letter == '&' || letter.is_ascii_whitespace();
    let mut at = 0;
    while let Some(length) = text[at..].find(is_special) {
        let special = at + length;
        reader.read(&text[at..special], from + at..from + special);
        at = special + 1;
        if text.as_bytes()[special] != b'&' {
            reader.part(Gap::Space);
        } else if let Some((decoded, length)) = entity(&text[special..]) {
            at = special + length;
            reader.read(&decoded, from + special..from + at);
        } else {
            reader.read("&", from + special..from + at);
        }
    }
    reader.read(&text[at..], from + at..from + text.len());
}

/// The characters that an entity at the beginning of a text stands for, and its length.
fn entity(text: &str) -> Option<(String, usize)> {
    let bytes = text.as_bytes();
    let length = 1 + memchr::memchr(b';', &bytes[..bytes.len().min(LONGEST_ENTITY)])?;
    let written = &text[..length];
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'#';
    if !bytes[1..length - 1].iter().all(is_name) {
        return None;
    }
    // What an entity stands for, Markdown knows.
    let decoded = Parser::new(written).find_map(|event| match event {
        Event::Text(text) => Some(text.into_string()),
        _ => None,
    })?;
    Some((decoded, length))
}

#[cfg(test)]
mod tests;
