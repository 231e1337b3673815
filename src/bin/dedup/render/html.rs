//! The answer as one page that opens anywhere, without a network.
//!
//! Goes in: a judged pair. Comes out: the page, whole, the same bytes for the same pair.
//! The texts are text and nothing else wherever they stand, and the page forbids itself
//! everything but its own script and style. It knows no file but by its name.

mod pieces;
mod page;
mod list;

use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use askama::Template;
use data_encoding::BASE64;
use dedup_text::text::Side as Which;
use dedup_text::words::path;
use sha2::{Digest, Sha256};

use super::Options;
use super::answer::SIDES;
use crate::model::Pair;
use crate::model::names::Visibility;
use list::{MAP, Strip};
use list::{Row, rows};
use page::gather;
use page::{Page, Side};
use pieces::{Piece, State, blocks};

pub(crate) use list::beginning;
pub(crate) use page::parameters;
pub(crate) use pieces::shown;

/// What moves the page of a pair.
pub(crate) const SCRIPT: &str = include_str!("html/page.js");
/// What every page wears.
pub(crate) const STYLE: &str = include_str!("html/page.css");

/// What a page says that is not of the pair itself.
pub(crate) struct ReportOptions<'t> {
    /// What the texts go by.
    pub(crate) names: [String; 2],
    /// What `--stopwords` names; none where names are hidden.
    pub(crate) stopwords: Option<&'t Path>,
    /// The settings file; none where none is read, or names are hidden.
    pub(crate) settings: Option<String>,
    /// None where there is no other pair.
    pub(crate) among: Option<Among>,
}

/// A pair's place among others, and the addresses of those next to it.
pub(crate) struct Among {
    /// From 1.
    pub(crate) number: usize,
    pub(crate) of: usize,
    /// The pair in the table of all.
    pub(crate) all: String,
    pub(crate) previous: Option<String>,
    pub(crate) next: Option<String>,
}

/// The page as the template takes it.
#[derive(Template)]
#[template(path = "page.html")]
struct Document<'p> {
    page: &'p Page<'p>,
    among: Option<&'p Among>,
    rows: Vec<Row>,
    panes: [Pane<'p>; 2],
    policy: String,
    style: &'static str,
    script: &'static str,
    version: &'static str,
}

/// The same within a page of many pairs, folded away.
#[derive(Template)]
#[template(path = "folded.html")]
struct Folded<'p> {
    page: &'p Page<'p>,
    among: Option<&'p Among>,
    number: usize,
    rows: Vec<Row>,
    panes: [Pane<'p>; 2],
    version: &'static str,
}

/// A text with its map.
struct Pane<'p> {
    id: &'static str,
    which: &'static str,
    side: &'p Side<'p>,
    body: Body<'p>,
    map: Vec<Strip>,
    out_on_map: Vec<(usize, usize)>,
    map_height: usize,
}

/// A text, or what makes one of it that stands elsewhere in the file.
enum Body<'p> {
    Blocks(Vec<Vec<Piece<'p>>>),
    Cuts { text: u32, cuts: String },
}

impl<'p> Pane<'p> {
    fn new(page: &'p Page<'p>, which: Which) -> Self {
        let body = Body::Blocks(blocks(page.side(which), &page.passages, which));
        Self { body, ..Self::without_text(page, which) }
    }

    fn without_text(page: &'p Page<'p>, which: Which) -> Self {
        let (id, name) = match which {
            Which::Left => ("left", "left text"),
            Which::Right => ("right", "right text"),
        };
        let side = page.side(which);
        Self {
            id,
            which: name,
            side,
            body: Body::Blocks(Vec::new()),
            map: list::strips(page, which),
            out_on_map: list::left_out(side),
            map_height: MAP,
        }
    }

    /// The same without the text, which stands elsewhere under a number.
    fn folded(page: &'p Page<'p>, which: Which, text: u32) -> Self {
        let cuts = pieces::render(&blocks(page.side(which), &page.passages, which));
        Self { body: Body::Cuts { text, cuts }, ..Self::without_text(page, which) }
    }
}

/// Writes the page of a pair by itself, part by part.
pub(crate) fn write(pair: &Pair, options: &Options, to: &mut dyn Write) -> io::Result<()> {
    let rendered = match options.visibility {
        Visibility::Shown => ReportOptions {
            names: [pair.left, pair.right].map(|text| path(text.path())),
            stopwords: Some(&options.stopwords),
            settings: options.settings.clone(),
            among: None,
        },
        Visibility::Hidden => ReportOptions {
            names: SIDES.map(str::to_owned),
            stopwords: None,
            settings: None,
            among: None,
        },
    };
    let mut to = BufWriter::new(to);
    document(&gather(pair, &rendered), None).write_into(&mut to)?;
    to.write_all(b"\n")?;
    to.flush()
}

/// The page of a pair.
pub(crate) fn page(pair: &Pair, rendered: &ReportOptions) -> anyhow::Result<String> {
    render(&gather(pair, rendered), rendered.among.as_ref())
}

/// The page of a pair within one of many, folded away and without its texts: those stand
/// there once under their numbers.
pub(crate) fn folded(
    pair: &Pair,
    rendered: &ReportOptions,
    texts: [u32; 2],
) -> anyhow::Result<String> {
    let page = gather(pair, rendered);
    let [left, right] = texts;
    let folded = Folded {
        page: &page,
        among: rendered.among.as_ref(),
        number: rendered.among.as_ref().map_or(0, |among| among.number),
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

/// What a page without a script may do: wear its own style, by its hash.
pub(crate) fn still_policy(style: &str) -> String {
    let hash = BASE64.encode(&Sha256::digest(style));
    format!("default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'")
}

/// What a page may do: run its own script and wear its own style, by their hashes.
pub(crate) fn policy(style: &str, script: &str) -> String {
    let hash = |of: &str| BASE64.encode(&Sha256::digest(of));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(style),
        hash(script)
    )
}

#[cfg(test)]
mod tests;
