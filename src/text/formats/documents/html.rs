//! Extracts the text of a web page, as its reader sees it.
//!
//! Input: a decoded page. Output: the text of its main part, or of its body, and separately the
//! text that the page contains but does not show. The module reads pages as browsers do, but runs
//! no scripts and fetches nothing.

mod style;
mod tree;
mod xhtml;

use std::collections::HashSet;
use std::iter;
use std::ops::Range;

use dom_query::{Document, Element, NodeData, NodeId, NodeRef};
use dom_smoothie::{Config, Readability};
use html5ever::{LocalName, local_name};

use super::{ExtractError, Extracted, Html, end_line};
use crate::text::formats::separator_of;
use crate::text::marked::{self, Marked};
use crate::text::source_map::Separator;
use style::{InheritedStyle, StyleSheet, Value, computed_style};
use tree::MAX_DEPTH;

pub(crate) use tree::declared_encoding;
pub(super) use xhtml::to_html;

/// Extracts the text of a web page.
///
/// # Errors
///
/// Returns an [`ExtractError`] if the elements of the page are nested too deeply, or if it is too
/// large or built to make parsing slow.
pub(crate) fn read(page: &str, part: Html) -> Result<Extracted, ExtractError> {
    read_within(page, part, ElementContext::default())
}

/// Extracts the text of a page of a book, which is XML. Its headers, footers and asides are part of the book:
/// they do not repeat on all pages, as those of a site do.
///
/// # Errors
///
/// Same as [`read`].
pub(crate) fn read_page_of_book(page: &str) -> Result<Extracted, ExtractError> {
    let around = ElementContext { content: true, ..ElementContext::default() };
    read_within(&to_html(page), Html::All, around)
}

/// Extracts the text of a page, whose elements are in a context.
fn read_within(page: &str, part: Html, around: ElementContext) -> Result<Extracted, ExtractError> {
    let document = tree::parse(page)?;
    let has_markers = memchr::memmem::find(page.as_bytes(), b"dedup:").is_some()
        && insert_marker_signs(&document);
    let (sheet, title) = read_head(&document);
    let mut seen = walk(&document, &sheet, around, None)?;
    let mut hidden = std::mem::take(&mut seen.hidden);
    if has_markers {
        for hidden_text in &mut hidden {
            (*hidden_text, _) = marked::taken_out(hidden_text).0.into_parts();
        }
    }
    if !has_words(&seen.content) {
        // A page without any text has its title as its text; but a page that hides all its text
        // does have some.
        let content = if hidden.is_empty() { title } else { String::new() };
        return Ok(Extracted { content, hidden, ..Extracted::default() });
    }
    let all = words(&seen.content) + seen.words_of_boilerplate;
    let mut unread;
    let (mut content, mut quotes) = if part == Html::Main {
        let main = main_part(&seen).unwrap_or(0..seen.content.len());
        let chosen = by_reader_view(&document, &sheet, &seen, &main)?;
        let (content, quotes) = if let Some(chosen) = chosen {
            unread = chosen.doubt(&(0..chosen.content.len()));
            chosen.whole()
        } else {
            unread = seen.doubt(&main);
            seen.part(&main)
        };
        let prose = seen.words_of_prose_around(&content);
        if prose >= MIN_PROSE_AROUND && prose * 3 >= words(&content) {
            let prose = format!("{prose} words of prose around its main part not read");
            unread = Some(unread.map_or(String::new(), |doubt| doubt + "; ") + &prose);
        }
        (content, quotes)
    } else {
        unread = seen.doubt(&(0..seen.content.len()));
        seen.whole()
    };
    let around = [all.saturating_sub(words(&content)), all];
    let mut marked = Marked::default();
    if has_markers {
        let kept;
        (kept, marked) = marked::taken_out(&content);
        quotes = quotes.iter().map(|quote| kept.target(quote)).collect();
        (content, _) = kept.into_parts();
    }
    Ok(Extracted { content, hidden, quotes, marked, unread, around, ..Extracted::default() })
}

/// Inserts a sign before each comment that is a marker, and reports whether there is one. This way
/// the markers are found in whatever part of the page is read.
fn insert_marker_signs(document: &Document) -> bool {
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

/// Returns the style rules of a page and its title.
fn read_head(document: &Document) -> (StyleSheet, String) {
    let mut sheet = StyleSheet::default();
    let mut title = String::new();
    for node in document.root().descendants_it() {
        let Some(element) = node.element_ref() else { continue };
        let attribute = |name| attribute(&element, name);
        match &*element.name.local {
            "style" => sheet.add(&node.text(), attribute(local_name!("media"))),
            "link" if attribute(local_name!("rel")).to_ascii_lowercase().contains("stylesheet") => {
                sheet.has_external = true;
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

// Walks the tree of a page, and collects its text in reading order.
//
// Input: a tree, and the rules of its style sheets. Output: the text that counts, the text that is
// hidden, and the nodes that are neither. The walk keeps its own stack.

/// The largest number of words in a text that counts as help for those who do not see the page.
const MAX_HELP_LENGTH: usize = 20;

/// An open element of the walk.
#[expect(clippy::struct_excessive_bools, reason = "each says what the text in it is")]
struct Frame<'d> {
    node: NodeRef<'d>,
    gap: Separator,
    inherited: InheritedStyle,
    kept: bool,
    around: ElementContext,
    /// Whether a hidden text begins with this element.
    hides: bool,
    is_subtree_hidden: bool,
    /// The outermost element around it that a style which is not evaluated may hide.
    doubtful: Option<NodeRef<'d>>,
    /// Whether the letters of this element are written in reverse.
    reverses: bool,
    /// The landmark that the element is, and the number of bytes of content before it.
    landmark: Option<(LandmarkKind, usize)>,
}

#[derive(Default)]
struct HiddenText {
    lines: Lines,
    /// Whether it contains a control: such a text is shown later, so it does not count as hidden.
    is_control: bool,
}

/// The state of a walk through the tree of a page.
struct Walk<'d> {
    sheet: &'d StyleSheet,
    around: ElementContext,
    /// The text nodes that count, if not all of them do. White space counts anyway.
    chosen: Option<&'d HashSet<NodeId>>,
    frames: Vec<Frame<'d>>,
    lines: Lines,
    hidden_text: Option<HiddenText>,
    /// Whether text in reverse has begun and not ended.
    is_reversed: bool,
    seen: PageText,
}

/// Walks a tree; of its text, only that of the chosen nodes counts, or all of it.
///
/// # Errors
///
/// Returns [`ExtractError::TooDeep`] if the tree is deeper than any that [`parse`](tree::parse)
/// returns.
fn walk(
    document: &Document,
    sheet: &StyleSheet,
    around: ElementContext,
    chosen: Option<&HashSet<NodeId>>,
) -> Result<PageText, ExtractError> {
    let mut walk = Walk {
        sheet,
        around,
        chosen,
        frames: Vec::new(),
        lines: Lines::default(),
        hidden_text: None,
        is_reversed: false,
        seen: PageText::default(),
    };
    let mut next = document.root().first_child();
    loop {
        if let Some(node) = next {
            next = if walk.enter(node) { node.first_child() } else { node.next_sibling() };
            if walk.frames.len() > 2 * MAX_DEPTH {
                return Err(ExtractError::TooDeep { max_depth: MAX_DEPTH });
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
    /// Visits a node, and returns whether to visit its children as well.
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
        let around = self.frames.last().map_or(self.around, |frame| frame.around);
        let role_of_it =
            if is_note_reference(node, element) { Role::Ignored } else { role(element, around) };
        let own_gap = separator_of(&element.name.local);
        let parted = match role_of_it {
            Role::Text | Role::Preformatted if is_screen_reader_only(element) && is_short(node) => {
                self.exclude(node);
                Some(Separator::None)
            }
            Role::Text | Role::Preformatted if own_gap == Separator::Break => {
                Some(Separator::Break)
            }
            Role::Text | Role::Preformatted => None,
            Role::Ignored => Some(Separator::None),
            Role::Replaced | Role::Control => Some(Separator::Space),
            Role::Boilerplate => {
                self.seen.words_of_boilerplate += words_within(node);
                self.exclude(node);
                Some(Separator::Paragraph)
            }
        };
        if let Some(gap) = parted {
            self.part(gap, self.is_subtree_hidden());
            if let Some(hidden_text) = &mut self.hidden_text {
                hidden_text.is_control |= role(element, around) == Role::Control;
            }
            self.seen.not_entered.push(node.id);
            return false;
        }
        self.seen.depths += 1 + self.frames.len();
        let frame = self.frame(node, element, around);
        if frame.is_subtree_hidden {
            self.exclude(node);
        }
        if frame.hides {
            self.hidden_text = Some(HiddenText::default());
        }
        self.part(frame.gap, frame.is_subtree_hidden);
        self.frames.push(frame);
        true
    }

    fn frame(&mut self, node: NodeRef<'d>, element: &Element, around: ElementContext) -> Frame<'d> {
        let computed_style = computed_style(element, self.sheet);
        let outer = self.frames.last();
        let inherited =
            outer.map_or_else(|| InheritedStyle::of_page(self.sheet), |frame| frame.inherited);
        let name = &*element.name.local;
        // Many pages hide all of themselves with a style sheet until a script has run. Only their
        // own attributes hide them for good.
        let is_page = matches!(name, "html" | "body");
        let is_subtree_hidden =
            if is_page { computed_style.hide_by_attribute() } else { computed_style.hide() };
        let inherited = inherited.within(&computed_style);
        let inherited = if is_page { inherited.shown() } else { inherited };
        let is_block = computed_style.get("display") == Some(Value::Block);
        let gap = if is_block { Separator::Paragraph } else { separator_of(name) };
        let is_inline = !is_page && gap == Separator::None;
        let may_hide =
            || is_inline && self.sheet.may_hide(node, element, &computed_style, inherited);
        let doubtful =
            outer.and_then(|frame| frame.doubtful).or_else(|| may_hide().then_some(node));
        let reverses =
            outer.is_some_and(|frame| frame.reverses) || inherited.overrides(&computed_style);
        Frame {
            node,
            gap,
            inherited,
            kept: outer.is_some_and(|frame| frame.kept)
                || role(element, around) == Role::Preformatted,
            around: ElementContext {
                content: around.content || is_content(element),
                in_superscript: around.in_superscript || name == "sup",
                in_note_mark: around.in_note_mark || is_note_mark(node, element),
                in_drawing: around.in_drawing && name != "foreignObject" || name == "svg",
                in_link: around.in_link
                    || name == "a" && element.attr_ref(local_name!("href")).is_some(),
            },
            hides: self.hidden_text.is_none() && (is_subtree_hidden || inherited.hides()),
            is_subtree_hidden: is_subtree_hidden
                || outer.is_some_and(|frame| frame.is_subtree_hidden),
            doubtful,
            reverses,
            landmark: landmark(element).map(|landmark| (landmark, self.lines.len())),
        }
    }

    fn leave(&mut self, frame: &Frame<'_>) {
        let is_reversed = self.frames.last().is_some_and(|outer| outer.reverses);
        if self.is_reversed && frame.reverses && !is_reversed {
            self.is_reversed = false;
            self.lines.keep("\u{202c}");
        }
        self.part(frame.gap, frame.is_subtree_hidden);
        if let Some((landmark, start)) = frame.landmark {
            let ranges = &mut self.seen.landmarks[landmark as usize];
            // An outer range replaces those within it, since it ends after them.
            while ranges.pop_if(|inner| inner.start >= start).is_some() {}
            ranges.push(start..self.lines.len());
        }
        if !frame.hides {
            return;
        }
        let Some(hidden_text) = self.hidden_text.take() else { return };
        if hidden_text.lines.is_blank() && self.lines.gap == Separator::None {
            // A space between words, which the page may show or not.
            self.seen.doubts.push((self.lines.len(), 1, None));
            self.lines.part(Separator::Space);
        }
        let text = hidden_text.lines.finish();
        if has_words(&text) && !hidden_text.is_control {
            self.seen.hidden.push(text);
        }
    }

    /// Writes a text to the hidden piece or to the content.
    fn write(&mut self, node: NodeRef<'d>, text: &str) {
        let is_chosen = self.chosen.is_none_or(|chosen| chosen.contains(&node.id));
        let Some(frame) = self.frames.last() else { return };
        let hidden = frame.is_subtree_hidden || frame.inherited.hides();
        if !is_chosen && (frame.kept || !text.trim_ascii().is_empty()) {
            return;
        }
        let keeps_spaces = !frame.is_subtree_hidden && !frame.inherited.tiny;
        if hidden && keeps_spaces && text.contains(char::is_whitespace) {
            self.lines.part(Separator::Space);
        }
        if let Some(doubtful) = frame.doubtful.filter(|_| !hidden) {
            let tag = doubtful.element_ref().map(|element| tag(&element));
            self.seen.doubts.push((self.lines.len(), words(text), tag));
        }
        // Letters that run from right to left anyway are in their order.
        let is_leftward = |letter: char| ('\u{590}'..='\u{8ff}').contains(&letter);
        let is_reversed = frame.reverses && !hidden && !text.contains(is_leftward);
        if is_reversed && !self.is_reversed && !text.trim().is_empty() {
            self.is_reversed = true;
            self.lines.keep("\u{202e}");
        }
        let lines = match &mut self.hidden_text {
            Some(hidden_text) if hidden => &mut hidden_text.lines,
            _ => &mut self.lines,
        };
        self.seen.longest_text = self.seen.longest_text.max(text.len());
        if frame.around.in_link && !hidden {
            self.seen.links.push((lines.len(), letters(text)));
        }
        if frame.kept {
            lines.keep(text);
        } else {
            lines.flow(text);
        }
        if hidden {
            self.exclude(node);
        }
    }

    /// Separates the hidden text. Also separates the content, unless the element is hidden from its
    /// readers altogether.
    fn part(&mut self, gap: Separator, is_subtree_hidden: bool) {
        if let Some(hidden_text) = &mut self.hidden_text {
            hidden_text.lines.part(gap);
        }
        if !is_subtree_hidden {
            self.lines.part(gap);
        }
    }

    /// Reports whether everything at this point of the walk is hidden.
    fn is_subtree_hidden(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.is_subtree_hidden)
    }

    /// Records a node that does not count, unless it is within another such node.
    fn exclude(&mut self, node: NodeRef<'d>) {
        if !self.is_subtree_hidden() {
            self.seen.excluded.push(node.id);
        }
    }
}

/// Reports whether a text is short enough to be help.
fn is_short(node: NodeRef<'_>) -> bool {
    let mut count = 0;
    node.descendants_it().filter(NodeRef::is_text).all(|text| {
        count += words(&text.text());
        count <= MAX_HELP_LENGTH
    })
}

// Selects the main part of a page.
//
// Input: the text of a page, and its tree. Output: the main text, if there is one. A page that
// marks its main part is believed: over 27 pages of manuals, the reader view of Firefox, as
// implemented by `dom_smoothie`, loses up to three in ten words of the marked part, most of them in
// lists and tables of links. The reader view decides on all other pages.

/// The largest sum of the depths of all elements of a page that the reader view is applied to: it
/// walks up the ancestors of the elements again and again.
const MAX_DEPTHS: usize = 1_000_000;

/// The largest number of bytes of a text node in a page that the reader view is applied to: writing
/// one takes quadratic time.
const MAX_TEXT_LENGTH: usize = 1 << 14;

/// The number of words from which on a part counts as the main part, even with less than a quarter
/// of the words of the page.
const MIN_MAIN_PART_WORDS: usize = 50;

/// The number of letters from which on the part that the reader view selects counts, even with less
/// than a quarter of the words of the page: 50 words of English.
const MIN_READER_VIEW_LETTERS: usize = 250;

/// The number of words of prose around a main part from which on a warning reports them, if they
/// are at least a third of its own words: an author may have hidden text there.
const MIN_PROSE_AROUND: usize = 100;

/// A warning reports words that styles may hide if they are at least one in this many words of the
/// page. Fewer change no verdict, and many pages hide a word with a style that is not evaluated.
const WORDS_PER_DOUBT: usize = 20;

/// The largest number of bytes of a tag in a warning.
const MAX_TAG_LENGTH: usize = 64;

/// The smallest number of words of a line that is prose, unless a tenth of its letters are in links.
const MIN_PROSE_LINE: usize = 20;

/// Text that the reader view leaves out is navigation if at least one letter in this many is in a
/// link.
const REST_PER_LINK: usize = 10;

/// Returns the byte range of the part that a page marks as its main part: its only `main`, or its
/// only `article` if there is no `main`, or if it is within the `main` and has at least half of its
/// words. `None` if the page marks no such part or several, or if that part is too short.
fn main_part(seen: &PageText) -> Option<Range<usize>> {
    let [mains, articles, _] = &seen.landmarks;
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
    let is_part = words(text(part)) >= MIN_MAIN_PART_WORDS || is_enough(text(part), &seen.content);
    is_part.then(|| part.clone())
}

/// Extracts the text of the part that the reader view selects; `None` if it selects none, if that
/// part is too short, if it leaves out text of the part `around` it that is hardly in links, or if the
/// page is too complex for it. What surrounds an article on each page of a site leads to other pages;
/// what does not is text of this page, which the reader view has missed. It only chooses the text: it
/// turns cells and other elements into divisions, so the page itself says what separates words.
///
/// On the 130 pages of Mozilla's Readability (2026-11, `test/test-pages`), the mean F1 of words is
/// 0.990 with this rule, and the worst 0.77; 0.926 and 0.25 if a marked main part is always taken, and
/// the reader view if it has a quarter of the words.
///
/// # Errors
///
/// Same as [`walk`].
fn by_reader_view(
    document: &Document,
    sheet: &StyleSheet,
    seen: &PageText,
    around: &Range<usize>,
) -> Result<Option<PageText>, ExtractError> {
    // Without enough links, the reader view could leave nothing out.
    let has_links = seen.letters_of_links(around) > 0;
    if !has_links || seen.depths > MAX_DEPTHS || seen.longest_text > MAX_TEXT_LENGTH {
        return Ok(None);
    }
    // The reader view gets nothing but the text to judge, so that the rest of the page cannot
    // mislead it or make it fail.
    let judged = document.clone();
    for node in &seen.excluded {
        judged.tree.remove_from_parent(node);
    }
    for node in &seen.not_entered {
        judged.tree.remove_children_of(node);
    }
    if let Some(head) = judged.head() {
        head.remove_from_parent();
    }
    for node in judged.root().descendants() {
        node.retain_attrs(&["class", "href", "id", "role"]);
    }
    let config = Config { disable_json_ld: true, ..Config::default() };
    let Ok(mut view) = Readability::with_document(judged, None, Some(config)) else {
        return Ok(None);
    };
    if view.parse().is_err() {
        return Ok(None);
    }
    // A copy of a tree numbers its nodes as the tree does.
    let part = view.doc.select_single("#readability-page-1");
    let tops =
        part.nodes().iter().flat_map(|part| iter::once(*part).chain(part.children_it(false)));
    let mut rows =
        tops.map(|top| NodeRef::new(top.id, &document.tree)).filter(|top| top.has_name("tr"));
    // Of a short table, the reader view may select one row. Those with as many cells belong to it,
    // but rows of one cell lay out a page, and the others may be its navigation.
    let cells = |row: &NodeRef| {
        let is_cell = |cell: &NodeRef| cell.has_name("td") || cell.has_name("th");
        row.children_it(false).filter(is_cell).count()
    };
    let selected = rows.next().map(|row| (row, cells(&row))).filter(|(_, count)| *count >= 2);
    let others: Vec<NodeRef> = selected
        .and_then(|(row, count)| Some((row.parent()?, count)))
        .into_iter()
        .flat_map(|(table, count)| {
            let is_like_it = move |row: &NodeRef| row.has_name("tr") && cells(row) == count;
            table.children_it(false).filter(is_like_it).collect::<Vec<_>>()
        })
        .collect();
    let parts = part.nodes().iter().chain(&others);
    let nodes = parts.flat_map(NodeRef::descendants_it);
    let chosen = nodes.filter(NodeRef::is_text).map(|node| node.id).collect();
    let part = walk(document, sheet, ElementContext::default(), Some(&chosen))?;
    let rest = letters(&seen.content[around.clone()]).saturating_sub(letters(&part.content));
    let links_of_part = part.letters_of_links(&(0..part.content.len()));
    let links = seen.letters_of_links(around).saturating_sub(links_of_part);
    let is_enough = letters(&part.content) >= MIN_READER_VIEW_LETTERS
        || is_enough(&part.content, &seen.content[around.clone()]);
    Ok((is_enough && rest > 0 && links * REST_PER_LINK >= rest).then_some(part))
}

/// Reports whether a part has at least a quarter of the words.
fn is_enough(part: &str, all: &str) -> bool {
    words(part) * 4 >= words(all)
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// Returns the number of words in an element, without those of scripts and style sheets.
fn words_within(node: NodeRef<'_>) -> usize {
    let is_code = |node: &NodeRef<'_>| {
        node.parent().is_some_and(|it| it.has_name("script") || it.has_name("style"))
    };
    let texts = node.descendants_it().filter(|it| it.is_text() && !is_code(it));
    texts.map(|text| words(&text.text())).sum()
}

fn letters(text: &str) -> usize {
    text.chars().filter(|letter| !letter.is_whitespace()).count()
}

// The results of a walk through a page: its text, and the positions of its parts.

#[derive(Debug, Default)]
struct PageText {
    /// The text that counts.
    content: String,
    hidden: Vec<String>,
    /// The byte ranges in the content of the parts that the page marks, by their [`LandmarkKind`]: in
    /// increasing order, not nested within others of the same kind, and possibly empty.
    landmarks: [Vec<Range<usize>>; 3],
    /// The nodes whose text does not count because of their position or their style. None of them
    /// is within another.
    excluded: Vec<NodeId>,
    /// The nodes within the text that were not entered, since their own text does not count.
    not_entered: Vec<NodeId>,
    /// The sum of the depths of all elements that were entered, each counted from 1.
    depths: usize,
    /// The number of bytes of the longest text node that was visited.
    longest_text: usize,
    /// The number of words in navigation and the like, which was not entered.
    words_of_boilerplate: usize,
    /// The texts within links: the number of bytes of content before each, and its number of letters.
    links: Vec<(usize, usize)>,
    /// The texts that a style which is not evaluated may hide, and the blank ones that one hides: the
    /// number of bytes of content before each, its number of words, and the tag of its element unless
    /// it is blank.
    doubts: Vec<(usize, usize, Option<String>)>,
}

impl PageText {
    /// Describes the words in a range of the content that styles may hide or divide, for a warning;
    /// `None` if they are less than one in [`WORDS_PER_DOUBT`].
    fn doubt(&self, part: &Range<usize>) -> Option<String> {
        let doubts = || self.doubts.iter().filter(|(at, ..)| part.contains(at));
        let count: usize = doubts().map(|(_, words, _)| words).sum();
        if count == 0 || count * WORDS_PER_DOUBT < words(&self.content[part.clone()]) {
            return None;
        }
        let tag = doubts().find_map(|(.., tag)| tag.as_ref());
        let tag = tag.map_or_else(String::new, |tag| format!(": {tag}"));
        Some(format!("{count} words that styles may hide or part{tag}"))
    }

    /// Returns the number of words in lines of prose that a part of the content does not have.
    fn words_of_prose_around(&self, part: &str) -> usize {
        let known: HashSet<&str> = part.lines().map(str::trim).collect();
        let (mut start, mut prose) = (0, 0);
        for line in self.content.split_inclusive('\n') {
            let range = start..start + line.len();
            start = range.end;
            if words(line) >= MIN_PROSE_LINE
                && !known.contains(line.trim())
                && self.letters_of_links(&range) * REST_PER_LINK < letters(line)
            {
                prose += words(line);
            }
        }
        prose
    }

    /// Returns the number of letters within links in a range of the content.
    fn letters_of_links(&self, range: &Range<usize>) -> usize {
        let before = |end: usize| self.links.partition_point(|(at, _)| *at < end);
        self.links[before(range.start)..before(range.end)].iter().map(|(_, letters)| letters).sum()
    }

    /// Returns the text that counts, and the ranges of its block quotations.
    fn whole(self) -> (String, Vec<Range<usize>>) {
        let quotes = self.quotes(&(0..self.content.len()));
        (self.content, quotes)
    }

    /// Returns a part of the text, without white space at its ends, and the ranges of its block
    /// quotations.
    fn part(&self, part: &Range<usize>) -> (String, Vec<Range<usize>>) {
        let part = trimmed(&self.content, part);
        (format!("{}\n", &self.content[part.clone()]), self.quotes(&part))
    }

    /// Returns the block quotations within a part, as byte ranges in that part; none is empty.
    fn quotes(&self, part: &Range<usize>) -> Vec<Range<usize>> {
        let quotes = self.landmarks[LandmarkKind::Quote as usize].iter().map(|quote| {
            let within = quote.start.max(part.start)..quote.end.min(part.end);
            let quote = trimmed(&self.content, &(within.start..within.end.max(within.start)));
            quote.start.saturating_sub(part.start)..quote.end.saturating_sub(part.start)
        });
        quotes.filter(|quote| !quote.is_empty()).collect()
    }
}

/// Returns the range of a part of a text without white space at its ends.
fn trimmed(text: &str, part: &Range<usize>) -> Range<usize> {
    let (part, end) = (&text[part.clone()], part.end);
    let start = end - part.trim_start().len();
    start..start + part.trim().len()
}

// The elements of a page: which of them count, and how they separate the text.

/// The role of an element for a reader of the text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Role {
    /// Its text counts.
    Text,
    /// Its text counts, with its white space preserved, line by line.
    Preformatted,
    /// It does not count, and the text around it continues as if it were not there.
    Ignored,
    /// It does not count, and separates the text with a space: an image.
    Replaced,
    /// A control of the page; in the text, treated as a [`Role::Replaced`].
    Control,
    /// It does not count, and separates paragraphs: navigation.
    Boilerplate,
}

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each says what an element is within")]
struct ElementContext {
    /// Whether it is within an article, the main part of the page, or a section.
    content: bool,
    /// Whether it is within a `sup`.
    in_superscript: bool,
    /// Whether it is within a link that is the mark of a note.
    in_note_mark: bool,
    in_drawing: bool,
    in_link: bool,
}

/// Returns the value of an attribute without a namespace; empty if the element does not have it.
fn attribute(element: &Element, name: LocalName) -> &str {
    element.attr_ref(name).unwrap_or_default()
}

/// Returns the beginning of the tag of an element, on one line.
fn tag(element: &Element) -> String {
    let attributes = element.attrs.iter().map(|it| format!("{}=\"{}\"", it.name.local, it.value));
    let tag: Vec<_> = iter::once(element.name.local.to_string()).chain(attributes).collect();
    let mut tag = format!("<{}>", tag.join(" ").split_whitespace().collect::<Vec<_>>().join(" "));
    tag.truncate(tag.floor_char_boundary(MAX_TAG_LENGTH));
    tag
}

fn role(element: &Element, around: ElementContext) -> Role {
    let aria = attribute(element, local_name!("role"));
    let aria = aria.split_ascii_whitespace().next().unwrap_or_default();
    match aria {
        "navigation" | "search" | "menu" | "menubar" | "toolbar" | "tablist" | "dialog"
        | "alertdialog" | "doc-toc" => return Role::Boilerplate,
        "banner" | "contentinfo" | "complementary" if !around.content => return Role::Boilerplate,
        // The reference to a footnote, and the link back to it.
        "doc-noteref" | "doc-backlink" => return Role::Ignored,
        _ => {}
    }
    match &*element.name.local {
        // The elements of a drawing that show text, and those around them.
        "svg" | "g" | "a" | "switch" | "text" | "tspan" | "textPath" | "foreignObject"
            if around.in_drawing || &*element.name.local == "svg" =>
        {
            Role::Text
        }
        _ if around.in_drawing => Role::Ignored,
        "script" | "style" | "template" | "noscript" | "head" | "title" | "rt" | "rp" | "rtc"
        | "datalist" | "noframes" | "noembed" | "annotation" | "annotation-xml" => Role::Ignored,
        "iframe" | "object" | "embed" | "applet" | "audio" | "video" | "canvas" | "img" | "map"
        | "progress" | "meter" => Role::Replaced,
        "select" | "button" | "textarea" | "input" => Role::Control,
        "nav" | "search" => Role::Boilerplate,
        "dialog" if element.attr_ref(local_name!("open")).is_none() => Role::Boilerplate,
        "header" if attribute(element, local_name!("id")) == "title-block-header" => Role::Text,
        "header" | "footer" if !around.content => Role::Boilerplate,
        "aside" if !around.content && !aria.starts_with("doc-") => Role::Boilerplate,
        "a" if around.in_superscript && leads_within_the_page(element) => Role::Ignored,
        "sup" if around.in_note_mark => Role::Ignored,
        "pre" | "listing" | "xmp" | "plaintext" => Role::Preformatted,
        _ => Role::Text,
    }
}

/// Reports whether a link leads to a place in the same page.
fn leads_within_the_page(element: &Element) -> bool {
    attribute(element, local_name!("href")).starts_with('#')
}

/// Reports whether an element is a link to a place in the same page, of which all text is
/// superscript.
fn is_note_mark(node: NodeRef<'_>, element: &Element) -> bool {
    &*element.name.local == "a"
        && leads_within_the_page(element)
        && node.children_it(false).all(|child| match child.node_name() {
            Some(name) => &*name == "sup",
            None => !child.is_nonempty_text(),
        })
}

/// Reports whether a link is the reference to a note of a book, or the link back to it, and shows
/// only a number or a sign.
fn is_note_reference(node: NodeRef<'_>, element: &Element) -> bool {
    let mut types = element.attrs.iter().filter(|it| &*it.name.local == "epub:type");
    &*element.name.local == "a"
        && types.any(|it| {
            it.value.split_ascii_whitespace().any(|it| it == "noteref" || it == "backlink")
        })
        && node.text().chars().filter(|letter| letter.is_alphabetic()).count() <= 2
}

/// A kind of landmark: a part that a page marks as content.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum LandmarkKind {
    /// Everything that is not repeated on each page of the site.
    Main,
    /// A self-contained piece.
    Article,
    /// A quotation of somebody else.
    Quote,
}

fn landmark(element: &Element) -> Option<LandmarkKind> {
    match (&*element.name.local, attribute(element, local_name!("role"))) {
        ("main", _) | (_, "main") => Some(LandmarkKind::Main),
        ("article", _) | (_, "article") => Some(LandmarkKind::Article),
        ("blockquote", _) | (_, "blockquote") => Some(LandmarkKind::Quote),
        _ => None,
    }
}

/// Reports whether an element contains the content of a page, or a part of it.
fn is_content(element: &Element) -> bool {
    &*element.name.local == "section"
        || matches!(landmark(element), Some(LandmarkKind::Main | LandmarkKind::Article))
}

/// Substrings of the class names that themes give to text for screen readers or for print only.
const SCREEN_READER_CLASSES: &[&str] = &[
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

/// Reports whether the classes of an element mark it as help for those who do not see the page:
/// "skip to content", "opens in a new window".
fn is_screen_reader_only(element: &Element) -> bool {
    attribute(element, local_name!("class")).split_ascii_whitespace().any(|class| {
        let class = class.to_ascii_lowercase();
        !class.starts_with("not-")
            && SCREEN_READER_CLASSES.iter().any(|helper| class.contains(helper))
    })
}

// Joins runs of text into lines, as a browser does.
//
// Input: the pieces of text of a page, and the gaps between them. Output: the text, with each white
// space collapsed. Nothing here knows elements.

/// Lines of text under construction.
#[derive(Debug, Default)]
struct Lines {
    text: String,
    gap: Separator,
}

impl Lines {
    /// Separates the text so far from what follows; two breaks in a row make a paragraph.
    fn part(&mut self, gap: Separator) {
        let twice = gap == Separator::Break && self.gap == Separator::Break;
        self.gap = if twice { Separator::Paragraph } else { self.gap.max(gap) };
    }

    /// Appends text in which any white space counts as one space.
    fn flow(&mut self, text: &str) {
        for (place, run) in text.split(|letter: char| letter.is_ascii_whitespace()).enumerate() {
            if place > 0 {
                self.part(Separator::Space);
            }
            self.keep(run);
        }
    }

    /// Appends text unchanged.
    fn keep(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let gap = std::mem::take(&mut self.gap);
        self.text.push_str(gap.white_space(&self.text));
        self.text.push_str(text);
    }

    /// Reports whether the text so far is white space, and not nothing.
    fn is_blank(&self) -> bool {
        self.text.is_empty() && self.gap == Separator::Space
    }

    fn len(&self) -> usize {
        self.text.len()
    }

    /// Returns the text, which ends with a line end unless it is empty.
    fn finish(mut self) -> String {
        end_line(&mut self.text);
        self.text
    }
}

/// Reports whether a text contains a letter or a digit.
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

    /// Joins pieces: each is the gap before it, and its text.
    fn set(pieces: &[(Separator, &str)]) -> String {
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
        let table: &[(&str, &[(Separator, &str)], &str)] = &[
            ("nothing",              &[],                                           ""),
            ("white space alone",    &[(Separator::Line, " \n ")],                        ""),
            ("no gap at the edges",  &[(Separator::Paragraph, " a "), (Separator::Line, " ")],  "a\n"),
            ("one word",             &[(Separator::None, "wo"), (Separator::None, "rd")],       "word\n"),
            ("any white space",      &[(Separator::None, "a\r\n\t\x0c b")],               "a b\n"),
            ("a hard space stays",   &[(Separator::None, "a\u{a0} b")],                   "a\u{a0} b\n"),
            ("a cell",               &[(Separator::None, "a "), (Separator::Cell, " b")],       "a\tb\n"),
            ("a row after a cell",   &[(Separator::None, "a"), (Separator::Cell, ""), (Separator::Line, "b")], "a\nb\n"),
            ("a broken word",        &[(Separator::None, "hy-"), (Separator::Break, "phen")],   "hy-\nphen\n"),
            ("two breaks",           &[(Separator::None, "hy-"), (Separator::Break, " "), (Separator::Break, "phen")], "hy-\n\nphen\n"),
            ("no word over items",   &[(Separator::None, "hy-"), (Separator::Line, "phen")],    "hy-\n\nphen\n"),
            ("nor a soft hyphen",    &[(Separator::None, "hy\u{ad}"), (Separator::Line, "phen")], "hy\u{ad}\n\nphen\n"),
        ];
        for (why, pieces, want) in table {
            assert_eq!(set(pieces), *want, "{why}");
        }
    }

    #[test]
    fn what_is_kept_keeps_its_lines() {
        let mut lines = Lines::default();
        lines.flow("code:");
        lines.part(Separator::Paragraph);
        lines.keep("fn  a()\n  b\n");
        lines.part(Separator::Paragraph);
        lines.flow("done");
        assert_eq!(lines.finish(), "code:\n\nfn  a()\n  b\n\ndone\n");
    }
}
