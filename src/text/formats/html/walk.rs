//! The tree of a page → its text, in the order it is read.
//!
//! Goes in: a tree, and the rules of its sheets. Comes out: the text that counts, the text
//! that is hidden, and which nodes were neither. The walk keeps its own stack.

use std::ops::Range;

use dom_query::{Document, Element, NodeData, NodeId, NodeRef};
use dom_smoothie::{Config, Readability};

use super::element::{
    Around, Gap, Lines, Mark, Role, gap, has_words, is_content, is_helper, mark, role,
};
use super::style::{InheritedStyle, Property, StyleSheet, Value, looks};
use super::tree::{self, DEEPEST};
use crate::text::formats::Refusal;

/// The most words of a text that only helps those who do not see the page.
const LONGEST_HELP: usize = 20;

/// An element that the walk is in.
struct Frame<'d> {
    node: NodeRef<'d>,
    gap: Gap,
    ink: InheritedStyle,
    kept: bool,
    around: Around,
    /// Whether a hidden text began with it.
    hides: bool,
    /// Whether it hides all that is in it.
    closed: bool,
    /// The part of the page that it marks, and the bytes of the content before it.
    mark: Option<(Mark, usize)>,
}

/// A text that is hidden.
#[derive(Default)]
struct Piece {
    lines: Lines,
    /// Whether it has a control: then the page shows it in time.
    is_control: bool,
}

struct Walk<'d> {
    sheet: &'d StyleSheet,
    frames: Vec<Frame<'d>>,
    lines: Lines,
    piece: Option<Piece>,
    seen: Seen,
}

/// Walks a tree.
///
/// # Errors
///
/// [`Refusal::TooDeep`] where it is deeper than one that [`parse`](super::tree::parse) gives.
pub(super) fn walk(document: &Document, sheet: &StyleSheet) -> Result<Seen, Refusal> {
    let mut walk = Walk {
        sheet,
        frames: Vec::new(),
        lines: Lines::default(),
        piece: None,
        seen: Seen::default(),
    };
    let mut next = document.root().first_child();
    loop {
        if let Some(node) = next {
            next = if walk.enter(node) { node.first_child() } else { node.next_sibling() };
            if walk.frames.len() > 2 * DEEPEST {
                return Err(Refusal::TooDeep { most: DEEPEST });
            }
        } else {
            let Some(frame) = walk.frames.pop() else { break };
            walk.leave(&frame);
            next = frame.node.next_sibling();
        }
    }
    walk.seen.content = walk.lines.finish();
    Ok(walk.seen)
}

impl<'d> Walk<'d> {
    /// Comes to a node; whether to go on to its children.
    fn enter(&mut self, node: NodeRef<'d>) -> bool {
        node.query_or(false, |data| match &data.data {
            NodeData::Text { contents } => {
                self.write(node, contents);
                false
            }
            NodeData::Element(element) => self.open(node, element),
            _ => false,
        })
    }

    fn open(&mut self, node: NodeRef<'d>, element: &Element) -> bool {
        let around = self.frames.last().map_or_else(Around::default, |frame| frame.around);
        let parted = match role(element, around) {
            Role::Text | Role::Kept if is_helper(element) && is_short(node) => {
                self.leave_out(node);
                Some(Gap::None)
            }
            Role::Text | Role::Kept if gap(element) == Gap::Break => Some(Gap::Break),
            Role::Text | Role::Kept => None,
            Role::Nothing => Some(Gap::None),
            Role::Thing | Role::Control => Some(Gap::Space),
            Role::Furniture => {
                self.leave_out(node);
                Some(Gap::Paragraph)
            }
        };
        if let Some(gap) = parted {
            self.part(gap, self.is_closed());
            if let Some(piece) = &mut self.piece {
                piece.is_control |= role(element, around) == Role::Control;
            }
            self.seen.emptied.push(node.id);
            return false;
        }
        self.seen.depths += 1 + self.frames.len();
        let frame = self.frame(node, element, around);
        if frame.closed {
            self.leave_out(node);
        }
        if frame.hides {
            self.piece = Some(Piece::default());
        }
        self.part(frame.gap, frame.closed);
        self.frames.push(frame);
        true
    }

    fn frame(&self, node: NodeRef<'d>, element: &Element, around: Around) -> Frame<'d> {
        let looks = looks(element, self.sheet);
        let outer = self.frames.last();
        let ink = outer.map_or_else(|| InheritedStyle::of_page(self.sheet), |frame| frame.ink);
        let name = &*element.name.local;
        // Pages hide themselves whole by their sheets until a script has run; what their own
        // attributes hide stays so.
        let is_page = matches!(name, "html" | "body");
        let closed = if is_page { looks.hide_by_attribute() } else { looks.hide() };
        let ink = ink.within(&looks);
        let ink = if is_page { ink.shown() } else { ink };
        let is_block = looks.get(Property::Display) == Some(Value::Block);
        Frame {
            node,
            gap: if is_block { Gap::Paragraph } else { gap(element) },
            ink,
            kept: outer.is_some_and(|frame| frame.kept) || role(element, around) == Role::Kept,
            around: Around {
                content: around.content || is_content(element),
                raised: around.raised || name == "sup",
            },
            hides: self.piece.is_none() && (closed || ink.hides()),
            closed: closed || outer.is_some_and(|frame| frame.closed),
            mark: mark(element).map(|mark| (mark, self.lines.len())),
        }
    }

    fn leave(&mut self, frame: &Frame<'_>) {
        self.part(frame.gap, frame.closed);
        if let Some((mark, start)) = frame.mark {
            let ranges = self.seen.marked.ranges_mut(mark);
            // The outer one ends after those in it.
            while ranges.pop_if(|inner| inner.start >= start).is_some() {}
            ranges.push(start..self.lines.len());
        }
        if !frame.hides {
            return;
        }
        let Some(piece) = self.piece.take() else { return };
        let text = piece.lines.finish();
        if has_words(&text) && !piece.is_control {
            self.seen.hidden.push(text);
        }
    }

    /// Writes a text where it belongs.
    fn write(&mut self, node: NodeRef<'d>, text: &str) {
        let (kept, hidden) = self
            .frames
            .last()
            .map_or((false, false), |frame| (frame.kept, frame.closed || frame.ink.hides()));
        let lines = match &mut self.piece {
            Some(piece) if hidden => &mut piece.lines,
            _ => &mut self.lines,
        };
        self.seen.longest_text = self.seen.longest_text.max(text.len());
        if kept {
            lines.keep(text);
        } else {
            lines.flow(text);
        }
        if hidden {
            self.leave_out(node);
        }
    }

    /// Parts the hidden text, and the one that counts unless the element is not there for
    /// its readers.
    fn part(&mut self, gap: Gap, is_closed: bool) {
        if let Some(piece) = &mut self.piece {
            piece.lines.part(gap);
        }
        if !is_closed {
            self.lines.part(gap);
        }
    }

    /// Whether all is hidden where the walk is.
    fn is_closed(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.closed)
    }

    /// Notes a node that does not count, unless it is within one.
    fn leave_out(&mut self, node: NodeRef<'d>) {
        if !self.is_closed() {
            self.seen.left_out.push(node.id);
        }
    }
}

/// Whether a text is short enough to be there for help.
fn is_short(node: NodeRef<'_>) -> bool {
    let words = |node: NodeRef<'_>| {
        node.query_or(0, |data| match &data.data {
            NodeData::Text { contents } => contents.split_whitespace().count(),
            _ => 0,
        })
    };
    let mut count = 0;
    node.descendants_it().all(|node| {
        count += words(node);
        count <= LONGEST_HELP
    })
}

// What was seen of a page → the text of its main part.
//
// Goes in: the text of a page, and its tree. Comes out: the text that a reader came for,
// where there is one. A page that marks its main part is believed: over 27 pages of manuals
// the reader view of Firefox, by `dom_smoothie`, loses up to three words in ten of such a
// part, most of them in lists and tables of links. It decides on all other pages.

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
    let part = walk(&tree::parse(&article.content)?, &StyleSheet::default())?;
    Ok(is_enough(&part.content, &seen.content).then_some(part))
}

/// Whether a part has a quarter of the words.
fn is_enough(part: &str, all: &str) -> bool {
    words(part) * 4 >= words(all)
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

// What a walk through a page has seen: its text, and where its parts are.

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
    pub(super) fn ranges_mut(&mut self, mark: Mark) -> &mut Vec<Range<usize>> {
        match mark {
            Mark::Main => &mut self.mains,
            Mark::Article => &mut self.articles,
            Mark::Quote => &mut self.quotes,
        }
    }
}

#[cfg(test)]
mod tests;
