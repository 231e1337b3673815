//! Renders the answer about a pair as one HTML page that works without a network.
//!
//! Input: a judged pair. Output: the complete page, with the same bytes for the same pair. The
//! texts are escaped everywhere, so that they are nothing but text, and the page's policy forbids
//! everything except its own script and style. This module opens no files; it only shows their
//! names.

mod pieces;
mod page;

use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::Path;

use anyhow::Context;
use askama::Template;
use data_encoding::BASE64;
use dedup_text::display::{percent, thousands};
use dedup_text::jaccard::Share;
use dedup_text::text::Side as Which;
use sha2::{Digest, Sha256};

use crate::model::Pair;
use page::{Page, PagePlace, PageSide, Passage, gather, tint};
use pieces::{State, TextPiece, blocks};

pub(crate) use page::parameters;
pub(crate) use pieces::shown;

/// The script of the page of a pair.
pub(crate) const SCRIPT: &str = include_str!("report/page.js");
/// The style of every page.
pub(crate) const STYLE: &str = include_str!("report/page.css");

/// The data that a page shows in addition to the pair.
pub(crate) struct PageOptions<'t> {
    /// The names of the texts.
    pub(crate) names: [String; 2],
    /// The list of stop words of `--stopwords`; `None` if names are hidden.
    pub(crate) stopwords: Option<&'t Path>,
    /// The name of the settings file; `None` if none is read or names are hidden.
    pub(crate) settings: Option<String>,
    /// The position among other pairs; `None` if there are no others.
    pub(crate) among: Option<Among>,
}

/// The position of a pair among others, and the addresses of the pairs next to it.
pub(crate) struct Among {
    /// The number of the pair, counted from 1.
    pub(crate) number: usize,
    pub(crate) of: usize,
    /// The address of the pair in the table of all pairs.
    pub(crate) all: String,
    pub(crate) previous: Option<String>,
    pub(crate) next: Option<String>,
}

/// The data of the template of the page.
#[derive(Template)]
#[template(path = "page.html")]
struct Document<'p> {
    page: &'p Page<'p>,
    among: Option<&'p Among>,
    rows: Vec<ReportRow>,
    panes: [Pane<'p>; 2],
    policy: String,
    style: &'static str,
    script: &'static str,
    version: &'static str,
}

/// The same data for a page that is folded away within a page of many pairs.
#[derive(Template)]
#[template(path = "folded.html")]
struct Folded<'p> {
    page: &'p Page<'p>,
    among: Option<&'p Among>,
    number: usize,
    rows: Vec<ReportRow>,
    panes: [Pane<'p>; 2],
    version: &'static str,
}

/// A text and its map.
struct Pane<'p> {
    id: &'static str,
    which: &'static str,
    side: &'p PageSide<'p>,
    body: Body<'p>,
    map: Vec<Strip>,
    out_on_map: Vec<(usize, usize)>,
    map_height: usize,
}

/// The content of a pane: a text, or the positions at which a text that is elsewhere in the file is
/// cut.
enum Body<'p> {
    Blocks(Vec<Vec<TextPiece<'p>>>),
    Cuts { text: u32, cuts: String },
}

impl<'p> Pane<'p> {
    fn new(page: &'p Page<'p>, which: Which) -> Self {
        let body = Body::Blocks(blocks(&page.sides[which as usize], &page.passages, which));
        Self { body, ..Self::without_text(page, which) }
    }

    fn without_text(page: &'p Page<'p>, which: Which) -> Self {
        let (id, name) = match which {
            Which::Left => ("left", "left text"),
            Which::Right => ("right", "right text"),
        };
        let side = &page.sides[which as usize];
        Self {
            id,
            which: name,
            side,
            body: Body::Blocks(Vec::new()),
            map: strips(page, which),
            out_on_map: left_out(side),
            map_height: MAP,
        }
    }

    /// Same as [`new`](Self::new), but without the text, which is elsewhere in the file under the
    /// number `text`.
    fn folded(page: &'p Page<'p>, which: Which, text: u32) -> Self {
        let cuts = pieces::render(&blocks(&page.sides[which as usize], &page.passages, which));
        Self { body: Body::Cuts { text, cuts }, ..Self::without_text(page, which) }
    }
}

/// Writes the page of a single pair, part by part.
pub(crate) fn write(pair: &Pair, options: &PageOptions, to: &mut dyn Write) -> io::Result<()> {
    let mut to = BufWriter::new(to);
    document(&gather(pair, options), None).write_into(&mut to)?;
    to.write_all(b"\n")?;
    to.flush()
}

/// Renders the page of a pair.
pub(crate) fn page(pair: &Pair, options: &PageOptions) -> anyhow::Result<String> {
    render(&gather(pair, options), options.among.as_ref())
}

/// Renders the page of a pair for a page of many pairs, folded away and without its texts. These
/// are stored once in that page, under the numbers `texts`.
pub(crate) fn folded(
    pair: &Pair,
    options: &PageOptions,
    texts: [u32; 2],
) -> anyhow::Result<String> {
    let page = gather(pair, options);
    let [left, right] = texts;
    let folded = Folded {
        page: &page,
        among: options.among.as_ref(),
        number: options.among.as_ref().map_or(0, |among| among.number),
        rows: rows(&page),
        panes: [Pane::folded(&page, Which::Left, left), Pane::folded(&page, Which::Right, right)],
        version: env!("CARGO_PKG_VERSION"),
    };
    folded.render().context("the report cannot be written")
}

fn render(page: &Page, among: Option<&Among>) -> anyhow::Result<String> {
    let mut page = document(page, among).render().context("the report cannot be written")?;
    page.push('\n');
    Ok(page)
}

fn document<'p>(page: &'p Page<'p>, among: Option<&'p Among>) -> Document<'p> {
    Document {
        page,
        among,
        rows: rows(page),
        panes: [Which::Left, Which::Right].map(|which| Pane::new(page, which)),
        policy: policy(STYLE, SCRIPT),
        style: STYLE,
        script: SCRIPT,
        version: env!("CARGO_PKG_VERSION"),
    }
}

/// Returns the content security policy of a page: it allows only its own script and style, given by
/// their hashes.
pub(crate) fn policy(style: &str, script: &str) -> String {
    let hash = |of: &str| BASE64.encode(&Sha256::digest(of));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(style),
        hash(script)
    )
}

// The passages of a page as the rows of its list.

/// The number of letters of a passage that the list shows.
const BEGINNING: usize = 80;

/// A passage in the list.
#[derive(Debug, Eq, PartialEq)]
struct ReportRow {
    number: usize,
    tint: &'static str,
    words: usize,
    /// The length of the passage: `125 words, in another order, 4 changed`.
    length: String,
    left: Spot,
    right: Spot,
    beginning: String,
}

/// The place of a passage in a text.
#[derive(Debug, Eq, PartialEq)]
struct Spot {
    byte: usize,
    /// The position: `lines 3–11`, `page 3`, or `essay.docx, lines 3–11`.
    position: String,
    /// The share of the words of the text: `34 %`.
    share: String,
}

/// Returns the rows, the longest passage first.
fn rows(page: &Page) -> Vec<ReportRow> {
    let spot = |side: &PageSide, place: &PagePlace| Spot {
        byte: place.span.start,
        position: place.file.clone() + &position(place.found_by),
        share: percent(Share::new(place.words, side.words)),
    };
    let mut rows: Vec<ReportRow> = (1..)
        .zip(&page.passages)
        .map(|(number, passage)| ReportRow {
            number,
            tint: tint(number),
            words: passage.words,
            length: passage.extent.clone(),
            left: spot(&page.sides[0], &passage.places[0]),
            right: spot(&page.sides[1], &passage.places[1]),
            beginning: beginning(page.sides[0].text(passage.places[0].span.clone())),
        })
        .collect();
    rows.sort_by_key(|row| (usize::MAX - row.words, row.number));
    rows
}

fn position((name, [first, last]): (&str, [usize; 2])) -> String {
    if first == last {
        format!("{name} {}", thousands(first))
    } else {
        format!("{name}s {}–{}", thousands(first), thousands(last))
    }
}

/// Returns the first letters of a passage on one line.
pub(crate) fn beginning(passage: &str) -> String {
    let mut beginning = String::new();
    let mut letters = 0;
    for word in passage.split_whitespace() {
        if !beginning.is_empty() {
            beginning.push(' ');
        }
        for letter in word.chars() {
            if letters == BEGINNING {
                beginning.push('…');
                return beginning;
            }
            beginning.push(letter);
            letters += 1;
        }
    }
    beginning
}

// The passages of a page as marks on the maps next to its texts.

/// The height of a map in units.
const MAP: usize = 1000;
/// The minimum height of a mark, in units, so that it can be seen and clicked.
const MIN_MARK_HEIGHT: usize = 4;

/// A passage on a map.
#[derive(Debug, Eq, PartialEq)]
struct Strip {
    number: usize,
    tint: &'static str,
    top: usize,
    height: usize,
}

/// Returns the marks of the map of a side from top to bottom. Of passages that begin at the same
/// unit of the map, only the longest is marked.
fn strips(page: &Page, which: Which) -> Vec<Strip> {
    let length = page.sides[which as usize].content.len();
    let strip = |(number, passage): (usize, &Passage)| {
        let (top, height) = on_map(&passage.places[which as usize].span, length);
        Strip { number, tint: tint(number), top, height }
    };
    let mut strips: Vec<Strip> = (1..).zip(&page.passages).map(strip).collect();
    strips.sort_by_key(|strip| (strip.top, MAP - strip.height, strip.number));
    strips.dedup_by_key(|strip| strip.top);
    strips
}

/// Returns the top and height on the map of the parts of a side that do not count.
fn left_out(side: &PageSide) -> Vec<(usize, usize)> {
    let mut parts: Vec<(usize, usize)> =
        side.left_out.iter().map(|out| on_map(&out.span, side.content.len())).collect();
    parts.dedup_by_key(|(top, _)| *top);
    parts
}

/// Returns the top and height on the map of a part of a text.
fn on_map(span: &Range<usize>, length: usize) -> (usize, usize) {
    let [start, end] = [span.start, span.end]
        .map(|byte| Share::new(byte, length).map_or(0, |share| share.filled(MAP)));
    let height = (end - start).max(MIN_MARK_HEIGHT);
    (start.min(MAP - height), height)
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod list_tests {
    use super::*;

    fn passage(words: usize, extent: &str, left: usize, right: usize) -> Passage {
        let place =
            |start: usize| PagePlace { span: start..start + 4, words, ..PagePlace::default() };
        let extent = extent.to_owned();
        Passage { words, extent, places: [left, right].map(place), repeats: Default::default() }
    }

    #[test]
    fn rows_are_the_longest_first_with_their_places() {
        let side = |content: &'static str, words| PageSide {
            content: content.into(),
            words,
            ..PageSide::default()
        };
        let mut page = Page {
            sides: [side("one\r\ntwo\rthree\nfour", 10), side("aaaa bbbb cccc dddd", 400)],
            passages: vec![passage(1, "1 word", 15, 0), passage(3, "3 words, 2 changed", 3, 5)],
            ..Page::default()
        };
        page.passages[0].places[0].found_by = ("line", [4, 4]);
        page.passages[0].places[1].found_by = ("page", [1, 1]);
        page.passages[1].places[0].found_by = ("line", [1, 1204]);
        page.passages[1].places[0].words = 5;
        page.passages[1].places[1].found_by = ("slide", [2, 3]);
        let spot = |byte, position: &str, share: &str| Spot {
            byte,
            position: position.to_owned(),
            share: share.to_owned(),
        };
        let want = [
            ReportRow {
                number: 2,
                tint: "tint-1",
                words: 3,
                length: "3 words, 2 changed".to_owned(),
                left: spot(3, "lines 1–1,204", "50\u{a0}%"),
                right: spot(5, "slides 2–3", "under 1\u{a0}%"),
                beginning: "tw".to_owned(),
            },
            ReportRow {
                number: 1,
                tint: "tint-0",
                words: 1,
                length: "1 word".to_owned(),
                left: spot(15, "line 4", "10\u{a0}%"),
                right: spot(0, "page 1", "under 1\u{a0}%"),
                beginning: "four".to_owned(),
            },
        ];
        assert_eq!(rows(&page), want);
    }

    #[test]
    fn a_beginning_is_one_short_line() {
        let long = "é".repeat(81);
        #[rustfmt::skip]
        let table = [
            ("lines are joined",   "a\r\n  b\tc", "a b c".to_owned()),
            ("just short enough",  &long[..160],  "é".repeat(80)),
            ("cut by letters",     &long,         "é".repeat(80) + "…"),
            ("nothing",            "",            String::new()),
        ];
        for (why, passage, want) in table {
            assert_eq!(beginning(passage), want, "{why}");
        }
    }
}

#[cfg(test)]
mod map_tests {
    use super::page::{Out, PagePlace};
    use super::*;

    fn passage(left: usize) -> Passage {
        let left = PagePlace { span: left..left + 4, ..PagePlace::default() };
        Passage {
            words: 1,
            extent: String::new(),
            places: [left, PagePlace::default()],
            repeats: Default::default(),
        }
    }

    #[test]
    fn a_map_has_each_passage_that_can_be_distinguished_from_others() {
        let content = "x".repeat(100_000);
        let side = PageSide { content: content.as_str().into(), ..PageSide::default() };
        let mut passages: Vec<_> = [99_996, 50_010, 50_000, 0].map(passage).into();
        passages[2].places[0].span.end = 50_600;
        let page = Page { sides: [side, PageSide::default()], passages, ..Page::default() };
        let strips = strips(&page, Which::Left);
        let drawn: Vec<_> = strips.iter().map(|s| (s.number, s.top, s.height)).collect();
        // The short ones are four units high. The second begins at the same unit as the third,
        // which is longer.
        assert_eq!(drawn, [(4, 0, 4), (3, 500, 6), (1, 996, 4)]);
    }

    #[test]
    fn what_does_not_count_is_on_the_map_too() {
        let content = "x".repeat(10_000);
        let spans = [0..100, 105..106, 109..400, 9_999..10_000];
        let left_out = spans.map(|span| Out { why: "", span }).into();
        let side = PageSide { content: content.as_str().into(), left_out, ..PageSide::default() };
        // The second and the third begin at the same unit.
        assert_eq!(super::left_out(&side), [(0, 10), (10, 4), (996, 4)]);
    }

    #[test]
    fn a_place_is_where_its_share_of_the_text_is() {
        const MAX: usize = usize::MAX;
        #[rustfmt::skip]
        let table = [
            ("all of it",              0..10,           10,  (0, 1000)),
            ("a text of nothing",      0..0,            0,   (0, 4)),
            ("the last half",          5..10,           10,  (500, 500)),
            ("as long as can be",      MAX / 2..MAX,    MAX, (499, 501)),
            ("the end of that",        MAX - 1..MAX,    MAX, (996, 4)),
        ];
        for (why, span, length, want) in table {
            assert_eq!(on_map(&span, length), want, "{why}");
        }
    }
}
