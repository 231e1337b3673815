//! A page → its tree, as browsers build it.
//!
//! Goes in: the text of a page, however broken. Comes out: its tree, or why it is not
//! built. Browsers read any page, and some pages make one tag cost as much as all tags before
//! it. What is told of the builder after each small part of the page bounds that.

use std::cell::Cell;

use dom_query::{Document, NodeId};
use html5ever::driver::Parser;
use html5ever::interface::tree_builder::Tracer;
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};

use crate::text::formats::refusal::Refusal;

use super::attributes;

/// The most elements inside one another: where browsers stop, too.
pub(super) const DEEPEST: usize = 512;

/// The most attributes of the elements `html` and `body`, to which each of their tags adds.
const MOST_ATTRIBUTES: usize = 1_000;

/// The bytes of a page that are read at once.
const STEP: usize = 1 << 10;

/// The most bytes of a page: the tree holds a text of less than 4 GiB in one node.
const LARGEST: usize = 1 << 30;

/// Builds the tree of a page.
///
/// # Errors
///
/// A [`Refusal`] where elements stand inside one another too deeply, or tags or attributes
/// are more than a page has by any chance.
pub(super) fn parse(page: &str) -> Result<Document, Refusal> {
    if page.len() > LARGEST {
        return Err(Refusal::TooLarge { most: LARGEST as u64 });
    }
    if attributes::most_in_a_tag(page) > attributes::MOST {
        return Err(damaged("a tag with too many attributes"));
    }
    let tree_builder = TreeBuilderOpts { scripting_enabled: true, ..TreeBuilderOpts::default() };
    let options = ParseOpts { tree_builder, ..ParseOpts::default() };
    let mut parser = parse_document(Document::default(), options);
    let mut read = 0;
    while read < page.len() {
        let end = page.floor_char_boundary((read + STEP).min(page.len()));
        parser.process(StrTendril::from(&page[read..end]));
        read = end;
        check(&parser, read)?;
    }
    Ok(parser.finish())
}

/// Whether a tree that is being built is one of a page of so many bytes.
fn check(parser: &Parser<Document>, bytes: usize) -> Result<(), Refusal> {
    let builder = &parser.tokenizer.sink;
    let document = &builder.sink;
    let open = Open { document, elements: Cell::new(0), attributes: Cell::new(0) };
    builder.trace_handles(&open);
    if open.elements.get() > DEEPEST {
        return Err(Refusal::TooDeep { most: DEEPEST });
    }
    if open.attributes.get() > MOST_ATTRIBUTES {
        return Err(damaged("a tag with too many attributes"));
    }
    if document.tree.len() > bytes + STEP {
        return Err(damaged("more elements than bytes: each paragraph opens all others again"));
    }
    Ok(())
}

pub(super) fn damaged(found: &str) -> Refusal {
    Refusal::Damaged { kind: "web page", found: found.to_owned() }
}

/// What the builder holds open: elements, and formats that the next paragraph opens again.
struct Open<'d> {
    document: &'d Document,
    elements: Cell<usize>,
    /// The most attributes of the first few elements, `html` and `body` among them.
    attributes: Cell<usize>,
}

impl Tracer for Open<'_> {
    type Handle = NodeId;

    fn trace_handle(&self, node: &NodeId) {
        let elements = self.elements.get() + 1;
        self.elements.set(elements);
        if elements <= 4 {
            let count = |node: &dom_query::TreeNode| {
                node.as_element().map_or(0, |element| element.attrs.len())
            };
            let attributes = self.document.tree.query_node_or(node, 0, count);
            self.attributes.set(self.attributes.get().max(attributes));
        }
    }
}
