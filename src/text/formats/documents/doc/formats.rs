//! Finds the format of each character of a Word document from before 2007: whether it is hidden or
//! deleted, and the symbol that stands for it.
//!
//! Formats are stored in pages of 512 bytes in the stream `WordDocument`, which tables list; each
//! covers a stretch of that stream. A format is a list of changes (*sprm*) to that of a style.
//! Source: Microsoft, *\[MS-DOC\]*, sections 2.6.1, 2.8.5, 2.8.6 and 2.9.

use std::ops::Range;

use super::compound::{index, u16_at, u32_at};
use super::plc;

const PAGE: usize = 512;

/// The largest number of styles that Word allows.
const MAX_STYLES: usize = 0x0ffe;

/// The longest chain of styles that are based on one another.
const MAX_DEPTH: usize = 16;

/// The format of a character.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Format {
    pub(super) is_deleted: bool,
    pub(super) hides: bool,
    /// The character of a symbol font that is shown in its place.
    pub(super) symbol: Option<char>,
}

/// The formats of a document.
#[derive(Default)]
pub(super) struct Formats {
    /// Those of characters, in the order of their places.
    characters: Vec<Stretch>,
    /// Those of paragraphs, likewise.
    paragraphs: Vec<Stretch>,
    /// Whether each style hides its text.
    hiding_styles: Vec<bool>,
}

/// A stretch of the stream with one format.
#[derive(Clone, Default)]
struct Stretch {
    bytes: Range<u32>,
    change: Change,
}

/// What a list of changes does.
#[derive(Clone, Copy, Default)]
struct Change {
    style: u16,
    is_deleted: bool,
    /// Whether it hides the text: no or yes; from 128 on, as the style does or not as it does.
    hides: Option<u8>,
    symbol: Option<char>,
}

impl Formats {
    /// Reads the formats of characters and paragraphs from the pages that two tables list, and a
    /// style sheet.
    pub(super) fn new(word: &[u8], characters: &[u8], paragraphs: &[u8], styles: &[u8]) -> Self {
        Self {
            characters: stretches(word, characters, 1, |page, at| {
                let length = usize::from(*page.get(at)?);
                Some(change(page.get(at + 1..at + 1 + length)?))
            }),
            paragraphs: stretches(word, paragraphs, 13, |page, at| {
                // The length may take a second byte, before the number of the style.
                let at = if *page.get(at)? == 0 { at + 2 } else { at + 1 };
                Some(Change { style: u16_at(page, at)?, ..Change::default() })
            }),
            hiding_styles: hiding_styles(styles),
        }
    }

    /// Returns the format of the character at a place, and the place up to which it is the same.
    pub(super) fn at(&self, place: usize) -> (Format, usize) {
        let (run, run_end) = find(&self.characters, place);
        let (paragraph, paragraph_end) = find(&self.paragraphs, place);
        let is_style_hidden = [run.style, paragraph.style]
            .iter()
            .any(|&style| self.hiding_styles.get(usize::from(style)) == Some(&true));
        let hides = toggled(run.hides, is_style_hidden);
        let format = Format { is_deleted: run.is_deleted, hides, symbol: run.symbol };
        (format, run_end.min(paragraph_end))
    }
}

/// Applies a change to what a style states.
fn toggled(change: Option<u8>, style: bool) -> bool {
    change.map_or(style, |it| if it < 0x80 { it != 0 } else { (it != 0x80) != style })
}

/// Returns the change at a place, and the place up to which it applies.
fn find(stretches: &[Stretch], place: usize) -> (Change, usize) {
    let place = u32::try_from(place).unwrap_or(u32::MAX);
    let after = stretches.partition_point(|it| it.bytes.end <= place);
    match stretches.get(after) {
        Some(it) if it.bytes.start <= place => (it.change, index(it.bytes.end)),
        Some(it) => (Change::default(), index(it.bytes.start)),
        None => (Change::default(), usize::MAX),
    }
}

/// Reads the stretches of all pages that a table lists. A page has, for each of them, `size` bytes
/// that begin with the offset of its format. Stretches that overlap earlier ones are left out.
fn stretches(
    word: &[u8],
    table: &[u8],
    size: usize,
    change: impl Fn(&[u8], usize) -> Option<Change>,
) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    // A sound table does not list more pages than the stream has.
    for (_, number) in plc(table, 4).take(word.len() / PAGE + 1) {
        let begin = index(u32_at(number, 0).unwrap_or(0) & 0x3f_ffff).saturating_mul(PAGE);
        let Some(page) = word.get(begin..begin.saturating_add(PAGE)) else { continue };
        let count = usize::from(page[PAGE - 1]);
        for at in 0..count {
            let place = |at| u32_at(page, 4 * at);
            let Some((begin, end)) = place(at).zip(place(at + 1)) else { break };
            let offset = page.get(4 * (count + 1) + size * at).map_or(0, |&it| 2 * usize::from(it));
            let change = if offset == 0 { None } else { change(&page[..PAGE - 1], offset) };
            stretches.push(Stretch { bytes: begin..end, change: change.unwrap_or_default() });
        }
    }
    stretches.sort_by_key(|it| it.bytes.start);
    let mut end = 0;
    stretches.retain(|it| {
        let is_next = it.bytes.start >= end && it.bytes.end > it.bytes.start;
        end = if is_next { it.bytes.end } else { end };
        is_next
    });
    stretches
}

/// Reads a list of changes to the format of characters.
fn change(mut list: &[u8]) -> Change {
    let mut change = Change::default();
    while let Some(code) = u16_at(list, 0) {
        let operand = &list[2..];
        let length = match code >> 13 {
            0 | 1 => 1,
            2 | 4 | 5 => 2,
            3 => 4,
            7 => 3,
            _ => 1 + usize::from(operand.first().copied().unwrap_or(0)),
        };
        let flag = operand.first().copied();
        match code {
            0x0800 => change.is_deleted = flag.is_some_and(|it| it != 0),
            0x083c => change.hides = flag,
            0x4a30 => change.style = u16_at(operand, 0).unwrap_or(0),
            0x6a09 => change.symbol = u16_at(operand, 2).and_then(|it| char::from_u32(it.into())),
            _ => {}
        }
        list = operand.get(length..).unwrap_or_default();
    }
    change
}

/// Reads from a style sheet whether each style hides its text.
fn hiding_styles(sheet: &[u8]) -> Vec<bool> {
    let styles = styles(sheet);
    let hides = |first: usize| {
        let chain = std::iter::successors(styles.get(first), |(base, _)| styles.get(*base));
        let changes: Vec<_> = chain.take(MAX_DEPTH).map(|(_, change)| *change).collect();
        changes.into_iter().rev().fold(false, |hides, change| toggled(change, hides))
    };
    (0..styles.len()).map(hides).collect()
}

/// Reads the styles of a style sheet: of each, the number of the one that it is based on, and
/// whether it hides its text.
fn styles(sheet: &[u8]) -> Vec<(usize, Option<u8>)> {
    let size = |at| usize::from(u16_at(sheet, at).unwrap_or(0));
    let (begin, fixed) = (2 + size(0), size(4));
    let mut rest = sheet.get(begin..).unwrap_or_default();
    let mut styles = Vec::new();
    while let Some(length) = u16_at(rest, 0).map(usize::from).filter(|_| styles.len() < MAX_STYLES)
    {
        let style = rest.get(2..2 + length).unwrap_or_default();
        styles.push(style_of(style, fixed).unwrap_or((usize::MAX, None)));
        rest = rest.get(2 + length + length % 2..).unwrap_or_default();
    }
    styles
}

/// Reads a style, whose name follows `fixed` bytes, and its lists of changes follow the name.
fn style_of(style: &[u8], fixed: usize) -> Option<(usize, Option<u8>)> {
    let word = u16_at(style, 2)?;
    let name = usize::from(u16_at(style, fixed)?);
    let mut lists = style.get(fixed + 2 + 2 * name + 2..).unwrap_or_default();
    if word & 0xf == 1 {
        // The list for the paragraph precedes that for its characters.
        let length = usize::from(u16_at(lists, 0)?);
        lists = lists.get(2 + length + length % 2..)?;
    }
    let hides = match (word & 0xf, u16_at(lists, 0)) {
        (1 | 2, Some(length)) => change(lists.get(2..2 + usize::from(length))?).hides,
        _ => None,
    };
    Some((usize::from(word >> 4), hides))
}
