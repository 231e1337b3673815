//! What was seen of a page → the text of its main part.
//!
//! Goes in: the text of a page, and its tree. Comes out: the text that a reader came for,
//! where there is one. A page that marks its main part is believed: over 27 pages of manuals
//! the reader view of Firefox, by `dom_smoothie`, loses up to three words in ten of such a
//! part, most of them in lists and tables of links. It decides on all other pages.

use std::ops::Range;

use dom_query::Document;
use dom_smoothie::{Config, Readability};

use crate::text::formats::refusal::Refusal;

use super::seen::{Marked, Seen};
use super::sheet::Sheet;
use super::tree;
use super::walk::walk;

/// The most elements that the reader view looks through, each counted as often as elements
/// it is in: it asks for these again and again.
const MOST_DEPTHS: usize = 1_000_000;

/// The most bytes of a text without a tag that the reader view is given: to write it takes the
/// square of its length.
const LONGEST_TEXT: usize = 1 << 14;

/// The words that a part must have to be one on a page with more than four times as many.
const ENOUGH: usize = 50;

/// The part of the text that a page marks as its main part, in bytes; none where it marks
/// none, or several, or a scrap.
pub(super) fn marked(seen: &Seen) -> Option<Range<usize>> {
    let Marked { mains, articles, .. } = &seen.marked;
    let text = |range: &Range<usize>| &seen.content[range.clone()];
    let part = match (&mains[..], &articles[..]) {
        ([main], [article]) => {
            let is_most = words(text(article)) * 2 >= words(text(main));
            let is_within = main.start <= article.start && article.end <= main.end;
            if is_most && is_within { article } else { main }
        }
        ([main], _) => main,
        ([], [article]) => article,
        _ => return None,
    };
    let is_part = words(text(part)) >= ENOUGH || is_enough(text(part), &seen.content);
    is_part.then(|| part.clone())
}

/// The text of the part that the reader view shows of a page; none where it shows none, or a
/// scrap of it, or the page is too much for it.
///
/// # Errors
///
/// As [`walk`].
pub(super) fn by_reader_view(document: Document, seen: &Seen) -> Result<Option<Seen>, Refusal> {
    if seen.depths > MOST_DEPTHS || seen.longest_text > LONGEST_TEXT {
        return Ok(None);
    }
    // It is to judge the text alone: nothing else in the page can mislead or upset it.
    for node in &seen.left_out {
        document.tree.remove_from_parent(node);
    }
    for node in &seen.emptied {
        document.tree.remove_children_of(node);
    }
    if let Some(head) = document.head() {
        head.remove_from_parent();
    }
    for node in document.root().descendants() {
        node.retain_attrs(&["class", "href", "id", "role"]);
    }
    let config = Config { disable_json_ld: true, ..Config::default() };
    let Ok(mut view) = Readability::with_document(document, None, Some(config)) else {
        return Ok(None);
    };
    let Ok(article) = view.parse() else { return Ok(None) };
    let part = walk(&tree::parse(&article.content)?, &Sheet::default())?;
    Ok(is_enough(&part.content, &seen.content).then_some(part))
}

/// Whether a part has a quarter of the words.
fn is_enough(part: &str, all: &str) -> bool {
    words(part) * 4 >= words(all)
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

#[cfg(test)]
mod tests;
