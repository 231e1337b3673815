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

use dom_query::Document;
use html5ever::local_name;

use super::Extracted;
use super::Refusal;
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
    let (sheet, title) = read_head(&document);
    let mut seen = walk::walk(&document, &sheet)?;
    let hidden = std::mem::take(&mut seen.hidden);
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
    Ok(Extracted { content, hidden, quotes, ..Extracted::default() })
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
