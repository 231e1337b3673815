//! The answer as one page that opens anywhere, without a network.
//!
//! Goes in: a judged pair. Comes out: the page, whole, the same bytes for the same pair.
//! The texts are text and nothing else wherever they stand, and the page forbids itself
//! everything but its own script and style. It knows no file but by its name.

mod gather;
mod left_out;
mod list;
mod map;
mod page;
mod passages;
mod pieces;

use anyhow::Context;
use askama::Template;
use data_encoding::BASE64;
use dedup_text::text::Side as Which;
use sha2::{Digest, Sha256};

use super::Pair;
use crate::flags::Flags;
use gather::gather;
use list::{Row, rows};
use map::{MAP, Strip};
use page::{Page, Side};
use pieces::{Piece, State, blocks};

const SCRIPT: &str = include_str!("html/page.js");
const STYLE: &str = include_str!("html/page.css");

/// The page as the template takes it.
#[derive(Template)]
#[template(path = "page.html")]
struct Document<'p> {
    page: &'p Page<'p>,
    rows: Vec<Row>,
    panes: [Pane<'p>; 2],
    policy: String,
    style: &'static str,
    script: &'static str,
    version: &'static str,
}

/// A text with its map.
struct Pane<'p> {
    id: &'static str,
    which: &'static str,
    side: &'p Side<'p>,
    blocks: Vec<Vec<Piece<'p>>>,
    map: Vec<Strip>,
    out_on_map: Vec<(usize, usize)>,
    map_height: usize,
}

impl<'p> Pane<'p> {
    fn of(page: &'p Page<'p>, which: Which) -> Self {
        let (id, name) = match which {
            Which::Left => ("left", "Left text"),
            Which::Right => ("right", "Right text"),
        };
        let side = page.side(which);
        Self {
            id,
            which: name,
            side,
            blocks: blocks(side, &page.passages, which),
            map: map::strips(page, which),
            out_on_map: map::left_out(side),
            map_height: MAP,
        }
    }
}

/// The page of a pair.
pub(crate) fn written(pair: &Pair, flags: &Flags) -> anyhow::Result<String> {
    render(&gather(pair, flags))
}

fn render(page: &Page) -> anyhow::Result<String> {
    let document = Document {
        page,
        rows: rows(page),
        panes: [Which::Left, Which::Right].map(|which| Pane::of(page, which)),
        policy: policy(),
        style: STYLE,
        script: SCRIPT,
        version: env!("CARGO_PKG_VERSION"),
    };
    let page = document.render().context("the report cannot be written")?;
    Ok(page + "\n")
}

/// What the page may do: run its own script and wear its own style, by their hashes.
fn policy() -> String {
    let hash = |of: &str| BASE64.encode(&Sha256::digest(of));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    )
}

#[cfg(test)]
mod tests;
