//! Extracts the text of a Markdown document, as its reader sees it.
//!
//! Input: a document in Markdown, in the dialect of GitHub and most other readers. Output: its
//! words without markup, and for each byte its position in the source. What the rendered page does
//! not show as text is left out: link targets, front matter, alternative texts of images, tags. What
//! an HTML element hides as in a web page is returned separately.
//! Extensions of other dialects, such as shortcodes and imports, are text.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::separator_of;
use crate::text::source_map::{Excerpt, ExcerptBuilder, Separator};

/// Extracts the text of a Markdown document, and the pieces of it that HTML elements hide.
pub(crate) fn read(source: &str) -> (Excerpt, Vec<String>) {
    let mut reader = ExcerptBuilder::new(source);
    let mut tags = Tags::default();
    let mut unread: usize = 0;
    for (event, range) in Parser::new_ext(source, dialect()).into_offset_iter() {
        match &event {
            Event::Start(tag) => {
                reader.part(gap(tag.to_end()));
                unread += usize::from(matches!(tag, Tag::Image { .. } | Tag::MetadataBlock(_)));
            }
            Event::End(end) => {
                reader.part(gap(*end));
                let is_unread = matches!(end, TagEnd::Image | TagEnd::MetadataBlock(_));
                unread = unread.saturating_sub(usize::from(is_unread));
                tags.state = State::Text; // closes any tag or comment that is still open
            }
            _ if unread > 0 => {}
            Event::Text(text) => tags.between(&mut reader, text, range),
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                let inner = without_fence(source, range);
                tags.between(&mut reader, text, inner);
            }
            Event::SoftBreak | Event::HardBreak => reader.part(Separator::Break),
            Event::Html(_) => tags.block(&mut reader, range),
            Event::InlineHtml(_) => tags.tag(&mut reader, range),
            Event::Rule => reader.part(Separator::Paragraph),
            Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
        }
    }
    reader.finish()
}

/// Returns the extensions of Markdown that are recognized.
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

/// Returns the gap between the text of an element and the text around it.
fn gap(tag: TagEnd) -> Separator {
    match tag {
        TagEnd::Paragraph
        | TagEnd::Heading(_)
        | TagEnd::BlockQuote(_)
        | TagEnd::CodeBlock
        | TagEnd::HtmlBlock
        | TagEnd::List(_)
        | TagEnd::FootnoteDefinition
        | TagEnd::Table
        | TagEnd::MetadataBlock(_) => Separator::Paragraph,
        TagEnd::Item | TagEnd::TableHead | TagEnd::TableRow => Separator::Line,
        TagEnd::TableCell => Separator::Cell,
        _ => Separator::None,
    }
}

/// Returns the range between the delimiters of code or of a formula, without the one space that
/// separates each delimiter from the code. Returns `range` itself if it has no delimiters.
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

// The effect of HTML tags in Markdown on the text between them.
//
// The Markdown parser finds tags but does not interpret them. Their text counts as it would in a
// web page; that of scripts and style sheets does not. No tree is built: a tag only determines how
// it separates text, and which end tag closes an element that is left out.

/// The elements whose content is left out: the first [`ALWAYS_UNREAD`] in any case, the others where
/// an attribute hides them.
#[rustfmt::skip]
const UNREAD: &[&str] = &[
    "script", "style", "template", "noscript", "svg", "iframe", "object", "video", "audio",
    "canvas", "select", "button", "textarea", "nav", "rt", "rp",
    "a", "abbr", "article", "b", "big", "blockquote", "center", "cite", "code", "del", "details",
    "div", "em", "font", "h1", "h2", "h3", "h4", "h5", "h6", "i", "ins", "kbd", "li", "mark", "ol",
    "p", "pre", "q", "s", "samp", "section", "small", "span", "strike", "strong", "sub", "sup",
    "table", "td", "tr", "tt", "u", "ul", "var",
];
const ALWAYS_UNREAD: usize = 16;

/// The largest number of bytes of an entity: `&CounterClockwiseContourIntegral;`.
const MAX_ENTITY_LENGTH: usize = 33;

#[derive(Debug, Default)]
pub(super) struct Tags {
    /// The element that is being left out, and the number of elements of the same name open within
    /// it.
    unread: Option<(&'static str, usize)>,
    /// The state at the end of the last line of an HTML block, which the next line continues.
    state: State,
    /// The offset of the last end tag of each element of [`UNREAD`] in the source; `None` until
    /// needed.
    last_ends: Option<Vec<Option<usize>>>,
}

/// The state of the scanner of an HTML block.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum State {
    #[default]
    Text,
    Tag,
    /// In an attribute value, up to this quote.
    Quote(u8),
    Comment,
}

impl Tags {
    /// Reads text between tags; skips it within an element that is left out.
    fn between(&mut self, reader: &mut ExcerptBuilder<'_>, text: &str, range: Range<usize>) {
        if self.is_read() {
            reader.read(text, range);
        }
    }

    /// Reports whether text is read, as hidden text if an element hides it.
    fn is_read(&self) -> bool {
        self.unread.is_none_or(|(unread, _)| !UNREAD[..ALWAYS_UNREAD].contains(&unread))
    }

    fn block(&mut self, reader: &mut ExcerptBuilder<'_>, range: Range<usize>) {
        let line = &reader.source[range.clone()];
        let bytes = line.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            let end = match self.state {
                State::Text => {
                    at = self.text(reader, line, at, range.start);
                    continue;
                }
                State::Tag => memchr::memchr3(b'>', b'"', b'\'', rest).map(|end| {
                    let byte = rest[end];
                    (end + 1, if byte == b'>' { State::Text } else { State::Quote(byte) })
                }),
                State::Quote(quote) => memchr::memchr(quote, rest).map(|end| (end + 1, State::Tag)),
                State::Comment => {
                    memchr::memmem::find(rest, b"-->").map(|end| (end + 3, State::Text))
                }
            };
            let Some((length, next)) = end else { return };
            self.state = next;
            at += length;
        }
    }

    /// Reads the text of an HTML block up to the next tag, and the beginning of that tag. Returns
    /// the offset in `line` at which to continue.
    fn text(
        &mut self,
        reader: &mut ExcerptBuilder<'_>,
        line: &str,
        at: usize,
        from: usize,
    ) -> usize {
        let rest = &line[at..];
        let is_tag = |open: usize| {
            let next = rest.as_bytes().get(open + 1);
            next.is_some_and(|byte| byte.is_ascii_alphabetic() || b"/!?".contains(byte))
        };
        let open = memchr::memchr_iter(b'<', rest.as_bytes()).find(|&open| is_tag(open));
        let text = &rest[..open.unwrap_or(rest.len())];
        if self.is_read() {
            flow(reader, text, from + at);
        }
        let Some(open) = open else { return line.len() };
        let tag = &rest[open..];
        if tag.starts_with("<!--") {
            self.state = State::Comment;
            return at + open + 2; // the dashes of `<!--` may also be those of `-->`
        }
        self.state = State::Tag;
        let start = from + at + open;
        self.tag(reader, start..start + tag.len());
        at + open + 1
    }

    /// Reports whether an element of [`UNREAD`] has an end tag after a byte offset. An element
    /// without one is not left out, since all the text that follows it would be lost.
    fn ends_after(&mut self, source: &str, unread: usize, start: usize) -> bool {
        let last = self.last_ends.get_or_insert_with(|| last_ends(source));
        last[unread].is_some_and(|end| start < end)
    }

    /// Processes the tag at the beginning of a range of the source.
    fn tag(&mut self, reader: &mut ExcerptBuilder<'_>, range: Range<usize>) {
        let (tag, start) = (&reader.source[range.clone()], range.start);
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
                    // Within these elements everything is text, up to their end tag.
                    (false, depth) if matches!(unread, "script" | "style" | "textarea") => {
                        Some((unread, depth))
                    }
                    (false, depth) => Some((unread, depth + 1)),
                };
            }
            Some(_) => {}
            None => {
                reader.part(if name == "img" { Separator::Space } else { separator_of(&name) });
                let unread = UNREAD.iter().position(|unread| *unread == name);
                self.unread = unread
                    .filter(|&unread| !is_end && (unread < ALWAYS_UNREAD || hides(tag)))
                    .filter(|&unread| self.ends_after(reader.source, unread, start))
                    .map(|unread| (UNREAD[unread], 0));
            }
        }
        reader.hide(self.unread.is_some());
    }
}

/// Reports whether an attribute of the tag at the beginning of a text hides its element.
fn hides(tag: &str) -> bool {
    let tag = &tag[..tag.find('>').map_or(tag.len(), |end| end + 1)];
    let lower = tag.to_ascii_lowercase();
    ["style", "hidden", "color"].into_iter().any(|name| lower.contains(name))
        && super::documents::hides(tag)
}

/// Returns the offset of the last end tag of each element of [`UNREAD`] in a source.
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

/// Reads text in which white space collapses to one space, and entities stand for characters.
fn flow(reader: &mut ExcerptBuilder<'_>, text: &str, from: usize) {
    let is_special = |letter: char| letter == '&' || letter.is_ascii_whitespace();
    let mut at = 0;
    while let Some(length) = text[at..].find(is_special) {
        let special = at + length;
        reader.read(&text[at..special], from + at..from + special);
        at = special + 1;
        if text.as_bytes()[special] != b'&' {
            reader.part(Separator::Space);
        } else if let Some((decoded, length)) = entity(&text[special..]) {
            at = special + length;
            reader.read(&decoded, from + special..from + at);
        } else {
            reader.read("&", from + special..from + at);
        }
    }
    reader.read(&text[at..], from + at..from + text.len());
}

/// Decodes the entity at the beginning of a text, and returns its characters and its length in
/// bytes; `None` if there is no entity.
fn entity(text: &str) -> Option<(String, usize)> {
    let bytes = text.as_bytes();
    let length = 1 + memchr::memchr(b';', &bytes[..bytes.len().min(MAX_ENTITY_LENGTH)])?;
    let written = &text[..length];
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'#';
    if !bytes[1..length - 1].iter().all(is_name) {
        return None;
    }
    // The Markdown parser decodes entities.
    let decoded = Parser::new(written).find_map(|event| match event {
        Event::Text(text) => Some(text.into_string()),
        _ => None,
    })?;
    Some((decoded, length))
}

#[cfg(test)]
mod tests;
