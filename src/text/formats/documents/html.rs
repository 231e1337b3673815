//! A web page → the text that its reader sees.
//!
//! Goes in: a page, decoded. Comes out: the text of its main part, or of all its body, and
//! apart from it the text that the page holds and does not show. The module reads pages as
//! browsers do, but runs no script and fetches nothing.

mod tree;
mod style;

use std::ops::Range;

use dom_query::{Document, Element, NodeData, NodeId, NodeRef};
use dom_smoothie::{Config, Readability};
use html5ever::{LocalName, local_name};

use super::{Extracted, Part, Refusal};
use crate::text::formats::gap_of;
use crate::text::marked::{self, Marked};
use crate::text::source_map::{Excerpt, Gap};
use style::{InheritedStyle, Property, StyleSheet, Value, looks};
use tree::DEEPEST;

pub(crate) use tree::declared_encoding;

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
    let mut seen = walk(&document, &sheet)?;
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
    } else if let Some(part) = main_part(&seen) {
        seen.part(&part)
    } else {
        by_reader_view(document, &seen)?.unwrap_or(seen).whole()
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
        let attribute = |name| attribute(&element, name);
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

// The tree of a page → its text, in the order it is read.
//
// Goes in: a tree, and the rules of its sheets. Comes out: the text that counts, the text
// that is hidden, and which nodes were neither. The walk keeps its own stack.

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
/// [`Refusal::TooDeep`] where it is deeper than one that [`parse`](tree::parse) gives.
fn walk(document: &Document, sheet: &StyleSheet) -> Result<Seen, Refusal> {
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
    /// Visits a node; whether its children are visited, too.
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
            let ranges = self.seen.landmarks.ranges_mut(mark);
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
fn main_part(seen: &Seen) -> Option<Range<usize>> {
    let Landmarks { mains, articles, .. } = &seen.landmarks;
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
fn by_reader_view(document: Document, seen: &Seen) -> Result<Option<Seen>, Refusal> {
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
struct Seen {
    /// The text that counts.
    content: String,
    /// The texts that are hidden.
    hidden: Vec<String>,
    /// Where in the content the parts are that the page marks, in bytes.
    landmarks: Landmarks,
    /// The nodes whose text does not count for where they stand or how they look, none of
    /// them within another.
    left_out: Vec<NodeId>,
    /// The nodes that stand in the text, but whose own text does not count.
    emptied: Vec<NodeId>,
    /// The sum over all elements that count of how many they are in, and they themselves.
    depths: usize,
    /// The bytes of the longest text that counts between two tags.
    longest_text: usize,
}

impl Seen {
    /// The text that counts, and where it has block quotations.
    fn whole(self) -> (String, Vec<Range<usize>>) {
        let quotes = self.quotes(&(0..self.content.len()));
        (self.content, quotes)
    }

    /// A part of it, without white space at its ends.
    fn part(&self, part: &Range<usize>) -> (String, Vec<Range<usize>>) {
        let part = trimmed(&self.content, part);
        (format!("{}\n", &self.content[part.clone()]), self.quotes(&part))
    }

    /// The block quotations within a part, in bytes of that; none is empty.
    fn quotes(&self, part: &Range<usize>) -> Vec<Range<usize>> {
        let quotes = self.landmarks.quotes.iter().map(|quote| {
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
struct Landmarks {
    mains: Vec<Range<usize>>,
    articles: Vec<Range<usize>>,
    quotes: Vec<Range<usize>>,
}

impl Landmarks {
    /// The parts of a kind.
    fn ranges_mut(&mut self, mark: Mark) -> &mut Vec<Range<usize>> {
        match mark {
            Mark::Main => &mut self.mains,
            Mark::Article => &mut self.articles,
            Mark::Quote => &mut self.quotes,
        }
    }
}

// The elements of a page: which count, and how they part the text.

/// What an element is to those who read the page's text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Role {
    /// Its text counts.
    Text,
    /// Its text counts as it stands, line by line.
    Kept,
    /// It does not count, and the text around it goes on as if it were not there.
    Nothing,
    /// It does not count, and parts the text: a picture, a control.
    Thing,
    /// A control for those who use the page; else a thing.
    Control,
    /// It does not count, and parts paragraphs: navigation.
    Furniture,
}

/// What stands around an element.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct Around {
    /// Whether it is in an article, or in the main part of the page, or in a section.
    content: bool,
    /// Whether it is in a `sup`.
    raised: bool,
}

/// An attribute without a namespace; empty where it is not there.
fn attribute(element: &Element, name: LocalName) -> &str {
    element.attr_ref(name).unwrap_or_default()
}

/// What an element is.
fn role(element: &Element, around: Around) -> Role {
    let aria = attribute(element, local_name!("role"));
    let aria = aria.split_ascii_whitespace().next().unwrap_or_default();
    match aria {
        "navigation" | "search" | "menu" | "menubar" | "toolbar" | "tablist" | "dialog"
        | "alertdialog" | "doc-toc" => return Role::Furniture,
        "banner" | "contentinfo" | "complementary" if !around.content => return Role::Furniture,
        // The mark of a footnote in the text, and the way back to it.
        "doc-noteref" | "doc-backlink" => return Role::Nothing,
        _ => {}
    }
    match &*element.name.local {
        "script" | "style" | "template" | "noscript" | "head" | "title" | "rt" | "rp" | "rtc"
        | "datalist" | "noframes" | "noembed" | "annotation" | "annotation-xml" => Role::Nothing,
        "svg" | "iframe" | "object" | "embed" | "applet" | "audio" | "video" | "canvas" | "img"
        | "map" | "progress" | "meter" => Role::Thing,
        "select" | "button" | "textarea" | "input" => Role::Control,
        "nav" | "search" => Role::Furniture,
        "dialog" if element.attr_ref(local_name!("open")).is_none() => Role::Furniture,
        "header" if attribute(element, local_name!("id")) == "title-block-header" => Role::Text,
        "header" | "footer" if !around.content => Role::Furniture,
        "aside" if !around.content && !aria.starts_with("doc-") => Role::Furniture,
        "a" if around.raised && leads_within_the_page(element) => Role::Nothing,
        "pre" | "listing" | "xmp" | "plaintext" => Role::Kept,
        _ => Role::Text,
    }
}

/// Whether a link leads to a place in the same page.
fn leads_within_the_page(element: &Element) -> bool {
    attribute(element, local_name!("href")).starts_with('#')
}

/// A part that a page marks as its content.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Mark {
    /// All that is not on every page of the site.
    Main,
    /// What stands for itself.
    Article,
    /// What somebody else has said.
    Quote,
}

/// The part that an element marks.
fn mark(element: &Element) -> Option<Mark> {
    match (&*element.name.local, attribute(element, local_name!("role"))) {
        ("main", _) | (_, "main") => Some(Mark::Main),
        ("article", _) | (_, "article") => Some(Mark::Article),
        ("blockquote", _) | (_, "blockquote") => Some(Mark::Quote),
        _ => None,
    }
}

/// Whether an element is one that holds the content of a page, or a part of it.
fn is_content(element: &Element) -> bool {
    &*element.name.local == "section" || matches!(mark(element), Some(Mark::Main | Mark::Article))
}

/// What parts the text of an element from that around it.
fn gap(element: &Element) -> Gap {
    gap_of(&element.name.local)
}

/// Parts of the class names that themes give to what is for ears, or for paper, only.
const HELPERS: &[&str] = &[
    "sr-only",
    "visually-hidden",
    "visuallyhidden",
    "screen-reader",
    "screenreader",
    "show-for-sr",
    "assistive-text",
    "element-invisible",
    "skip-link",
    "skip-to",
    "skip-nav",
    "skiplink",
    "jump-link",
    "print-only",
    "only-print",
    "visible-print",
];

/// Whether the classes of an element say that it helps those who do not see the page: "skip
/// to content", "opens in a new window".
fn is_helper(element: &Element) -> bool {
    attribute(element, local_name!("class")).split_ascii_whitespace().any(|class| {
        let class = class.to_ascii_lowercase();
        !class.starts_with("not-") && HELPERS.iter().any(|helper| class.contains(helper))
    })
}

// Runs of text → lines, as a browser sets them.
//
// Goes in: the text of a page piece by piece, and what stands between the pieces. Comes
// out: the text, each white space once. It knows no elements.

/// Lines of text.
#[derive(Debug, Default)]
struct Lines {
    text: String,
    gap: Gap,
}

impl Lines {
    /// Parts what was written from what will be.
    fn part(&mut self, gap: Gap) {
        let twice = gap == Gap::Break && self.gap == Gap::Break;
        self.gap = if twice { Gap::Paragraph } else { self.gap.max(gap) };
    }

    /// Writes text whose white space is as good as one space.
    fn flow(&mut self, text: &str) {
        let is_white = |letter: char| matches!(letter, ' ' | '\t' | '\n' | '\r' | '\x0c');
        for (place, run) in text.split(is_white).enumerate() {
            if place > 0 {
                self.part(Gap::Space);
            }
            self.keep(run);
        }
    }

    /// Writes text as it stands.
    fn keep(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let gap = std::mem::take(&mut self.gap);
        self.text.push_str(gap.white_space(&self.text));
        self.text.push_str(text);
    }

    /// The bytes of the text so far.
    fn len(&self) -> usize {
        self.text.len()
    }

    /// The text, which ends with a line end where it is not empty.
    fn finish(mut self) -> String {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text
    }
}

/// Whether a text has a word, or a number.
fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod walk_tests;

#[cfg(test)]
mod element_tests {
    use super::*;

    /// A piece: what parts it from the last one, and its text.
    fn set(pieces: &[(Gap, &str)]) -> String {
        let mut lines = Lines::default();
        for (gap, text) in pieces {
            lines.part(*gap);
            lines.flow(text);
        }
        lines.finish()
    }

    #[test]
    fn the_widest_gap_parts() {
        #[rustfmt::skip]
        let table: &[(&str, &[(Gap, &str)], &str)] = &[
            ("nothing",              &[],                                           ""),
            ("white space alone",    &[(Gap::Line, " \n ")],                        ""),
            ("no gap at the edges",  &[(Gap::Paragraph, " a "), (Gap::Line, " ")],  "a\n"),
            ("one word",             &[(Gap::None, "wo"), (Gap::None, "rd")],       "word\n"),
            ("any white space",      &[(Gap::None, "a\r\n\t\x0c b")],               "a b\n"),
            ("a hard space stays",   &[(Gap::None, "a\u{a0} b")],                   "a\u{a0} b\n"),
            ("a cell",               &[(Gap::None, "a "), (Gap::Cell, " b")],       "a\tb\n"),
            ("a row after a cell",   &[(Gap::None, "a"), (Gap::Cell, ""), (Gap::Line, "b")], "a\nb\n"),
            ("a broken word",        &[(Gap::None, "hy-"), (Gap::Break, "phen")],   "hy-\nphen\n"),
            ("two breaks",           &[(Gap::None, "hy-"), (Gap::Break, " "), (Gap::Break, "phen")], "hy-\n\nphen\n"),
            ("no word over items",   &[(Gap::None, "hy-"), (Gap::Line, "phen")],    "hy-\n\nphen\n"),
            ("nor a soft hyphen",    &[(Gap::None, "hy\u{ad}"), (Gap::Line, "phen")], "hy\u{ad}\n\nphen\n"),
        ];
        for (why, pieces, want) in table {
            assert_eq!(set(pieces), *want, "{why}");
        }
    }

    #[test]
    fn what_is_kept_keeps_its_lines() {
        let mut lines = Lines::default();
        lines.flow("code:");
        lines.part(Gap::Paragraph);
        lines.keep("fn  a()\n  b\n");
        lines.part(Gap::Paragraph);
        lines.flow("done");
        assert_eq!(lines.finish(), "code:\n\nfn  a()\n  b\n\ndone\n");
    }
}
