//! A web page → the text that its reader sees.
//!
//! Goes in: a page, decoded. Comes out: the text of its main part, or of all its body, and
//! apart from it the text that the page holds and does not show. The module reads pages as
//! browsers do, but runs no script and fetches nothing.

mod tree;
mod element;
mod encoding;
mod style;
mod walk;

use std::ops::Range;

use dom_query::{Document, NodeData, NodeId, NodeRef};
use html5ever::local_name;

use super::Extracted;
use super::Refusal;
use crate::text::marked::{self, Marked};
use crate::text::source_map::Excerpt;
use element::has_words;
use style::StyleSheet;

pub(crate) use encoding::declared_encoding;
pub(crate) use tree::is_html;

pub(super) use element::Gap;
pub(super) use element::gap_of;

/// Which part of a web page is its text.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Part {
    /// What a reader came for: the article, without what surrounds it on every page of the
    /// site. All where there is no such part.
    #[default]
    Main,
    /// All of the body but navigation, the page's header and footer, and what is no text.
    All,
}

/// Reads a web page.
///
/// # Errors
///
/// A [`Refusal`] where its elements stand inside one another too deeply, or it is made to
/// take too long.
pub(crate) fn read(page: &str, which: Part) -> Result<Extracted, Refusal> {
    let document = tree::parse(page)?;
    let has_markers =
        memchr::memmem::find(page.as_bytes(), b"dedup:").is_some() && write_signs(&document);
    let (sheet, title) = read_head(&document);
    let mut seen = walk::walk(&document, &sheet)?;
    let mut hidden = std::mem::take(&mut seen.hidden);
    if has_markers {
        for piece in &mut hidden {
            *piece = marked::without_signs(piece);
        }
    }
    if !has_words(&seen.content) {
        // Its title is what a page says that has nothing else; one that hides its words has them.
        let content = if hidden.is_empty() { title } else { String::new() };
        return Ok(Extracted { content, hidden, ..Extracted::default() });
    }
    let (content, quotes) = if which == Part::All {
        seen.whole()
    } else if let Some(part) = walk::marked(&seen) {
        seen.part(&part)
    } else {
        walk::by_reader_view(document, &seen)?.unwrap_or(seen).whole()
    };
    let (content, quotes, marked) = if has_markers {
        read_signs(&content, &quotes)
    } else {
        (content, quotes, Marked::default())
    };
    Ok(Extracted { content, hidden, quotes, marked, ..Extracted::default() })
}

/// Writes a sign before each comment that is a marker; whether there is one. Then the markers stand
/// in whatever part of the page is read.
fn write_signs(document: &Document) -> bool {
    let sign = |node: NodeRef<'_>| {
        node.query_or(None, |data| match &data.data {
            NodeData::Comment { contents } => marked::sign_of(contents),
            _ => None,
        })
    };
    let found: Vec<(NodeId, char)> = (document.root().descendants_it())
        .filter_map(|node| Some((node.id, sign(node)?)))
        .collect();
    for (id, sign) in &found {
        let written = document.tree.new_text(sign.to_string()).id;
        document.tree.insert_before_of(id, &written);
    }
    !found.is_empty()
}

/// A content with its quotations, without its signs, and what they mark.
fn read_signs(content: &str, quotes: &[Range<usize>]) -> (String, Vec<Range<usize>>, Marked) {
    let (parts, marked) = marked::taken_out(content);
    let mut kept = Excerpt::default();
    for part in parts {
        kept.copy(content, part);
    }
    let quotes = quotes.iter().map(|quote| kept.target(quote)).collect();
    (kept.into_parts().0, quotes, marked)
}

/// The rules of a page, and its title.
fn read_head(document: &Document) -> (StyleSheet, String) {
    let mut sheet = StyleSheet::default();
    let mut title = String::new();
    for node in document.root().descendants_it() {
        let Some(element) = node.element_ref() else { continue };
        let attribute = |name| element::attribute(&element, name);
        match &*element.name.local {
            "style" => sheet.add(&node.text(), attribute(local_name!("media"))),
            "link" if attribute(local_name!("rel")).to_ascii_lowercase().contains("stylesheet") => {
                sheet.add_unseen();
            }
            "title" if title.is_empty() => node.text().trim().clone_into(&mut title),
            _ => {}
        }
    }
    if !title.is_empty() {
        title.push('\n');
    }
    (sheet, title)
}

#[cfg(test)]
mod tests;
