//! The tree of a page → its text, in the order it is read.
//!
//! Goes in: a tree, and the rules of its sheets. Comes out: the text that counts, the text
//! that is hidden, and which nodes were neither. The walk keeps its own stack.

use dom_query::{Document, Element, NodeData, NodeRef};

use crate::text::formats::refusal::Refusal;

use super::computed_style::{Property, Value};
use super::element::{Around, Mark, Role, gap, is_content, is_helper, mark, role};
use super::inherited_style::{InheritedStyle, looks};
use super::lines::{Gap, Lines, has_words};
use super::seen::Seen;
use super::sheet::Sheet;
use super::tree::DEEPEST;

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
    sheet: &'d Sheet,
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
pub(super) fn walk(document: &Document, sheet: &Sheet) -> Result<Seen, Refusal> {
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
            let ranges = self.seen.marked.of(mark);
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
