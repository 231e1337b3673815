//! What the overview shows, and what stands around the pairs that are folded away.

use anyhow::Context;
use askama::Template;
use dedup_text::verdict::Verdict;

use crate::render::corpus::page::found::{Found, MOST_ROWS, Shape};
use crate::render::corpus::page::groups::Groups;
use crate::render::corpus::page::histogram::{Histogram, SCALES};
use crate::render::corpus::page::members::{Member, members};
use crate::render::corpus::page::pairs::{PairRow, rows};

use crate::model::names::Visibility;
use crate::render::html;
use crate::words::{counted, or_closer, thousands, visible};

/// What moves the overview.
const SCRIPT: &str = include_str!("overview.js");
/// What makes the page of a pair of its text and how that is cut.
const UNFOLDING: &str = include_str!("unfold.js");
/// What it wears besides what every page wears.
const STYLE: &str = include_str!("overview.css");

/// The overview as the template takes it.
#[derive(Template)]
#[template(path = "overview.html")]
struct Overview<'a> {
    policy: String,
    style: String,
    version: &'static str,
    title: String,
    /// What a pair is shown for.
    condition: String,
    tiles: Vec<Tile>,
    uncompared: Vec<String>,
    failed: Vec<String>,
    histogram: Option<Histogram>,
    members: Vec<Member>,
    members_cut: Option<String>,
    rows: Vec<PairRow>,
    rows_cut: Option<String>,
    pages_cut: Option<String>,
    verdicts: Vec<&'static str>,
    groups: &'a Groups,
    groups_told: Option<String>,
    parameters: Vec<(&'static str, String)>,
    is_one_file: bool,
}

/// A figure of the run.
struct Tile {
    value: String,
    name: &'static str,
    class: &'static str,
}

/// The overview, all but what ends it.
pub(crate) fn head(found: &Found) -> anyhow::Result<String> {
    let Found { answer, shape, .. } = found;
    let groups = Groups::of(found);
    let (in_pairs, members) = members(found);
    let all = found.rows.len();
    let texts = answer.gathered.corpus.documents.len();
    let style = html::STYLE.to_owned() + STYLE;
    let more = |shown: usize, all: usize, what: &str| {
        (shown < all).then(|| format!("{what} {} of {}", thousands(shown), thousands(all)))
    };
    let overview = Overview {
        policy: html::policy(&style, &script(*shape)),
        style,
        version: env!("CARGO_PKG_VERSION"),
        title: format!("{} among {}", counted(all, "pair"), counted(texts, "text")),
        condition: condition(found),
        tiles: tiles(found, in_pairs, &groups),
        uncompared: uncompared(found),
        failed: failed(found),
        histogram: Histogram::of(found),
        members_cut: more(members.len(), in_pairs, "The texts in most pairs:"),
        members,
        rows_cut: more(all.min(MOST_ROWS), all, "The closest pairs:"),
        pages_cut: more(found.pages(), all, "Pairs with a page that shows both texts: the closest"),
        rows: rows(found),
        verdicts: verdicts(found),
        groups_told: groups_told(&groups),
        groups: &groups,
        parameters: html::parameters(answer.recipe, found.stopwords(), found.settings()),
        is_one_file: *shape == Shape::Page,
    };
    overview.render().context("the report cannot be written")
}

/// What ends the page.
pub(crate) fn tail(shape: Shape) -> String {
    format!("<script>{}</script>\n</body>\n</html>\n", script(shape))
}

/// A page with all pairs in it moves them, too.
fn script(shape: Shape) -> String {
    match shape {
        Shape::Folder => SCRIPT.to_owned(),
        Shape::Page => html::SCRIPT.to_owned() + UNFOLDING + SCRIPT,
    }
}

/// What a pair is shown for.
fn condition(found: &Found) -> String {
    match found.answer.options.nearest {
        Some(1) => "The nearest of each text, however far.".to_owned(),
        Some(most) => format!("The {most} nearest of each text, however far."),
        None => format!("All pairs that are {}.", or_closer(found.answer.level)),
    }
}

fn tiles(found: &Found, in_pairs: usize, groups: &Groups) -> Vec<Tile> {
    let tile = |count: usize, name, class| Tile { value: thousands(count), name, class };
    let count = |verdict| found.rows.iter().filter(|row| row.verdict == verdict).count();
    let mut tiles = vec![tile(found.answer.gathered.corpus.documents.len(), "texts compared", "")];
    let verdicts = Verdict::LADDER.into_iter().map(|verdict| (verdict, count(verdict)));
    let mut verdicts: Vec<_> = verdicts.filter(|(_, count)| *count > 0).collect();
    verdicts.sort_by_key(|(verdict, _)| std::cmp::Reverse(*verdict));
    tiles.push(tile(found.rows.len(), "pairs found", ""));
    tiles.extend(verdicts.into_iter().map(|(is, count)| tile(count, is.name(), is.name())));
    tiles.push(tile(in_pairs, "texts in a pair", ""));
    tiles.push(tile(groups.count(), "clusters", ""));
    tiles
}

/// What is in the corpus and was not compared, counted.
fn uncompared(found: &Found) -> Vec<String> {
    let gathered = found.answer.gathered;
    let short = gathered.corpus.short.len();
    let short = (short > 0).then(|| format!("{} too short", counted(short, "text")));
    let skipped = gathered.skipped.counts();
    let skipped =
        skipped.map(|(why, count)| format!("{} passed over: {}", thousands(count), why.name()));
    short.into_iter().chain(skipped).collect()
}

/// What should have been a text: why it is none, or, where names are hidden, how many they are.
fn failed(found: &Found) -> Vec<String> {
    let failed = &found.answer.gathered.failed;
    match found.answer.options.visibility {
        Visibility::Shown => {
            let told = failed.first().iter().map(|it| visible(&it.error));
            let more = failed.len() - failed.first().len();
            told.chain((more > 0).then(|| format!("and {} more", thousands(more)))).collect()
        }
        Visibility::Hidden if failed.is_empty() => Vec::new(),
        Visibility::Hidden => vec![format!("{} failed", counted(failed.len(), "text"))],
    }
}

/// The verdicts that there are, the closest first.
fn verdicts(found: &Found) -> Vec<&'static str> {
    let mut verdicts: Vec<Verdict> = found.rows.iter().map(|row| row.verdict).collect();
    verdicts.dedup();
    verdicts.into_iter().map(Verdict::name).collect()
}

fn groups_told(groups: &Groups) -> Option<String> {
    let couples = (groups.couples > 0).then(|| {
        let are = if groups.couples == 1 { "is of two texts" } else { "are of two texts each" };
        format!("{} {are}, and in the table alone.", counted(groups.couples, "cluster"))
    });
    let undrawn = (groups.undrawn > 0)
        .then(|| format!("{} more, no larger than these.", counted(groups.undrawn, "cluster")));
    let told: Vec<String> = undrawn.into_iter().chain(couples).collect();
    (!told.is_empty()).then(|| told.join(" "))
}
