//! What the overview shows, and what stands around the pairs that are folded away.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use anyhow::Context;
use askama::Template;
use dedup_text::jaccard::Share;
use dedup_text::verdict::Verdict;

use super::found::{Found, MOST_ROWS, Shape, shade};
use crate::model::corpus::Levels;
use crate::model::names::Visibility;
use crate::render::corpus::table;
use crate::render::html;
use crate::words::{counted, decimal, or_closer, percent, thousands, visible};

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
    remarks: [Remarks; 2],
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

/// What must be known of single texts besides the pairs.
struct Remarks {
    id: &'static str,
    title: &'static str,
    lines: Vec<String>,
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
    let groups = Groups::new(found);
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
        remarks: [
            Remarks {
                id: "not-compared",
                title: "Not compared",
                lines: named(
                    found,
                    answer.gathered.failed.len() + answer.gathered.corpus.short.len(),
                    table::not_compared(answer),
                ),
            },
            Remarks {
                id: "disguised",
                title: "Disguised",
                lines: named(found, answer.gathered.disguised().count(), table::disguised(answer)),
            },
        ],
        histogram: Histogram::new(found),
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
        None if found.answer.options.levels == Levels::All
            && found.answer.found.get().is_some() =>
        {
            "All pairs that share anything, the greatest share first.".to_owned()
        }
        None => format!("All pairs that are {}.", or_closer(found.answer.level)),
    }
}

fn tiles(found: &Found, in_pairs: usize, groups: &Groups) -> Vec<Tile> {
    let tile = |count: usize, name, class| Tile { value: thousands(count), name, class };
    let count = |verdict| found.rows.iter().filter(|row| row.verdict == verdict).count();
    let mut tiles = vec![tile(found.answer.gathered.corpus.documents.len(), "texts compared", "")];
    let verdicts = Verdict::LADDER.into_iter().map(|verdict| (verdict, count(verdict)));
    let mut verdicts: Vec<_> = verdicts.filter(|(_, count)| *count > 0).collect();
    verdicts.sort_by_key(|(verdict, _)| Reverse(*verdict));
    tiles.push(tile(found.rows.len(), "pairs found", ""));
    tiles.extend(verdicts.into_iter().map(|(is, count)| tile(count, is.name(), is.name())));
    tiles.push(tile(in_pairs, "texts in a pair", ""));
    tiles.push(tile(groups.count(), "clusters", ""));
    tiles
}

/// What is in the folders and is no text, counted.
fn uncompared(found: &Found) -> Vec<String> {
    let skipped = found.answer.gathered.skipped.counts();
    skipped.map(|(why, count)| format!("{} ({})", why.name(), thousands(count))).collect()
}

/// Lines that name texts; where names are hidden, how many they are.
fn named(found: &Found, all: usize, lines: impl Iterator<Item = String>) -> Vec<String> {
    if found.answer.options.visibility == Visibility::Hidden {
        return Vec::from_iter((all > 0).then(|| counted(all, "text")));
    }
    let lines: Vec<String> = lines.map(|line| visible(&line)).collect();
    let more = all - lines.len().min(all);
    lines.into_iter().chain((more > 0).then(|| format!("and {} more", thousands(more)))).collect()
}

/// The verdicts that there are, the closest first.
fn verdicts(found: &Found) -> Vec<&'static str> {
    let mut verdicts: Vec<Verdict> = found.rows.iter().map(|row| row.verdict).collect();
    verdicts.dedup();
    verdicts.into_iter().map(Verdict::name).collect()
}

fn groups_told(groups: &Groups) -> Option<String> {
    let couples = (groups.couples > 0).then(|| {
        let of = if groups.couples == 1 { "of two texts is" } else { "of two texts each are" };
        format!("{} {of} listed in the table only.", counted(groups.couples, "cluster"))
    });
    let undrawn = (groups.undrawn > 0)
        .then(|| format!("{} more, no larger than these.", counted(groups.undrawn, "cluster")));
    let rendered: Vec<String> = undrawn.into_iter().chain(couples).collect();
    (!rendered.is_empty()).then(|| rendered.join(" "))
}

// The pairs → clusters, and who in it is how close to whom.

/// The most clusters that are drawn.
const MOST_MATRICES: usize = 24;

/// The most texts in the matrix of a cluster.
const MOST_MEMBERS: usize = 24;

/// What belongs together.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    /// Of three texts or more, the largest first.
    pub(crate) matrices: Vec<Matrix>,
    /// Those of three texts or more that are not drawn.
    pub(crate) undrawn: usize,
    /// Those of two texts.
    pub(crate) couples: usize,
}

/// A cluster: each of its texts with those before it.
#[derive(Debug, Default)]
pub(crate) struct Matrix {
    /// `5 texts, 9 pairs`.
    pub(crate) size: String,
    /// What is given where it does not show all texts.
    pub(crate) cut: Option<String>,
    pub(crate) lines: Vec<Line>,
}

/// A text and its pairs with those before it.
#[derive(Debug, Default)]
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) cells: Vec<Option<Cell>>,
}

/// A pair that was found.
#[derive(Debug)]
pub(crate) struct Cell {
    pub(crate) shade: usize,
    /// `.83`, cut rather than rounded.
    pub(crate) short: String,
    pub(crate) long: String,
    pub(crate) address: Option<String>,
}

impl Groups {
    pub(crate) fn count(&self) -> usize {
        self.matrices.len() + self.undrawn + self.couples
    }

    pub(crate) fn new(found: &Found) -> Self {
        let mut clusters = clusters(found.rows.iter().map(|row| [row.pair.a, row.pair.b]));
        let all = clusters.len();
        clusters.retain(|cluster| cluster.members.len() > 2);
        let couples = all - clusters.len();
        let undrawn = clusters.len().saturating_sub(MOST_MATRICES);
        clusters.sort_by_key(|cluster| Reverse(cluster.members.len()));
        clusters.truncate(MOST_MATRICES);
        Self { matrices: matrices(found, &clusters), undrawn, couples }
    }
}

/// Texts that belong together, with the number of pairs that each is in.
#[derive(Debug, Eq, PartialEq)]
struct Cluster {
    /// Increasing.
    members: Vec<(u32, usize)>,
}

impl Cluster {
    /// The texts of its matrix: those in most pairs, increasing.
    fn shown(&self) -> Vec<u32> {
        let mut members = self.members.clone();
        members.sort_by_key(|(text, pairs)| (Reverse(*pairs), *text));
        let mut shown: Vec<u32> =
            members.into_iter().take(MOST_MEMBERS).map(|(text, _)| text).collect();
        shown.sort_unstable();
        shown
    }

    fn pairs(&self) -> usize {
        self.members.iter().map(|(_, pairs)| pairs).sum::<usize>() / 2
    }
}

/// What belongs together by pairs, by the first text.
fn clusters(pairs: impl Iterator<Item = [u32; 2]>) -> Vec<Cluster> {
    let mut places: BTreeMap<u32, usize> = BTreeMap::new();
    let mut counts: Vec<usize> = Vec::new();
    let mut parents: Vec<usize> = Vec::new();
    for texts in pairs {
        let ends = texts.map(|text| {
            let place = *places.entry(text).or_insert(parents.len());
            if place == parents.len() {
                parents.push(place);
                counts.push(0);
            }
            counts[place] += 1;
            root(&mut parents, place)
        });
        parents[ends[0].max(ends[1])] = ends[0].min(ends[1]);
    }
    let mut members: BTreeMap<usize, Vec<(u32, usize)>> = BTreeMap::new();
    for (text, place) in places {
        members.entry(root(&mut parents, place)).or_default().push((text, counts[place]));
    }
    let mut clusters: Vec<Cluster> =
        members.into_values().map(|members| Cluster { members }).collect();
    clusters.sort_by_key(|cluster| cluster.members[0].0);
    clusters
}

/// The end of a chain, which is shortened on the way.
fn root(parents: &mut [usize], mut place: usize) -> usize {
    while parents[place] != place {
        parents[place] = parents[parents[place]];
        place = parents[place];
    }
    place
}

fn matrices(found: &Found, clusters: &[Cluster]) -> Vec<Matrix> {
    let shown: Vec<Vec<u32>> = clusters.iter().map(Cluster::shown).collect();
    let mut places: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for (cluster, texts) in shown.iter().enumerate() {
        places.extend(texts.iter().enumerate().map(|(at, text)| (*text, (cluster, at))));
    }
    let line = |(at, text): (usize, &u32)| Line {
        name: found.name(*text),
        cells: (0..at).map(|_| None).collect(),
    };
    let mut matrices: Vec<Matrix> = clusters
        .iter()
        .zip(&shown)
        .map(|(cluster, texts)| Matrix {
            size: format!(
                "{}, {}",
                counted(cluster.members.len(), "text"),
                counted(cluster.pairs(), "pair")
            ),
            cut: (texts.len() < cluster.members.len())
                .then(|| format!("The {MOST_MEMBERS} texts that are in most pairs.")),
            lines: texts.iter().enumerate().map(line).collect(),
        })
        .collect();
    for (row, number) in found.rows.iter().zip(1..) {
        let (Some((cluster, left)), Some((_, right))) =
            (places.get(&row.pair.a), places.get(&row.pair.b))
        else {
            continue;
        };
        let jaccard = row.pair.all.jaccard();
        let digits = jaccard.map_or("none".to_owned(), decimal);
        let [a, b] = [row.pair.a, row.pair.b].map(|text| found.name(text));
        matrices[*cluster].lines[*right].cells[*left] = Some(Cell {
            shade: shade(jaccard),
            short: match digits.strip_prefix('0') {
                Some(fraction) => fraction.chars().take(3).collect(),
                None => digits.chars().take(1).collect(),
            },
            long: format!("{a} and {b}: {digits}, {}", row.verdict),
            address: found.address(number),
        });
    }
    matrices
}

// The pairs → how many have which similarity.

/// How many bars there are.
const BINS: usize = 20;

/// The units from the foot of the bars to their top.
const HEIGHT: usize = 150;

/// The units that a bar takes from side to side.
const WIDTH: usize = 20;

/// What a bar's height goes by.
pub(crate) const SCALES: [Scale; 2] =
    [Scale { at: 0, name: "linear" }, Scale { at: 1, name: "log" }];

/// The largest count that is written above its bar.
const LARGEST_LABEL: usize = 9_999;

/// How many pairs have which Jaccard index.
#[derive(Debug, Default)]
pub(crate) struct Histogram {
    pub(crate) bars: Vec<Bar>,
    /// Counts at whose height a line is drawn, by scale.
    ticks: [Vec<Tick>; SCALES.len()],
    pub(crate) limit: Option<Limit>,
}

/// The pairs of one range. The last one has 1 in it, the others not their end.
#[derive(Debug)]
pub(crate) struct Bar {
    /// `0.50 to 0.55`.
    pub(crate) range: String,
    pub(crate) count: String,
    pub(crate) left: usize,
    /// By scale; at least 1 where there is a pair.
    heights: [usize; SCALES.len()],
    pub(crate) has_label: bool,
}

/// What heights go by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    at: usize,
    pub(crate) name: &'static str,
}

impl Bar {
    pub(crate) fn height(&self, scale: Scale) -> usize {
        self.heights[scale.at]
    }
}

/// The similarity from which on a pair is a near-duplicate.
#[derive(Debug)]
pub(crate) struct Limit {
    pub(crate) left: usize,
    pub(crate) value: String,
}

/// A count with its height.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Tick {
    pub(crate) count: String,
    pub(crate) height: usize,
}

impl Histogram {
    /// None where no pair was found.
    pub(crate) fn new(found: &Found) -> Option<Self> {
        let shares = found.rows.iter().map(|row| row.pair.all.jaccard());
        let limit = found.answer.recipe.limits.jaccard.map(|limit| {
            let (numerator, denominator) = limit.parts();
            let share = Share::new(at(numerator), at(denominator));
            let left = share.map_or(0, |share| share.filled(BINS * WIDTH));
            Limit { left, value: limit.to_string() }
        });
        Self::counted(shares).map(|histogram| Self { limit, ..histogram })
    }

    /// The lines of a scale.
    pub(crate) fn ticks(&self, scale: Scale) -> &[Tick] {
        &self.ticks[scale.at]
    }

    /// A pair without a similarity has 0.
    fn counted(shares: impl Iterator<Item = Option<Share>>) -> Option<Self> {
        let mut counts = [0_usize; BINS];
        for share in shares {
            counts[share.map_or(0, |share| share.filled(BINS).min(BINS - 1))] += 1;
        }
        let most = counts.into_iter().max().filter(|most| *most > 0)?;
        let bar = |(bin, count): (usize, usize)| {
            let hundredth = |bin: usize| {
                let hundredths = bin * 100 / BINS;
                format!("{}.{:02}", hundredths / 100, hundredths % 100)
            };
            let least = usize::from(count > 0);
            Bar {
                range: format!("{} to {}", hundredth(bin), hundredth(bin + 1)),
                count: thousands(count),
                left: bin * WIDTH,
                heights: [linear(count, most).max(least), logarithmic(count, most).max(least)],
                has_label: (1..=LARGEST_LABEL).contains(&count),
            }
        };
        let tick = |count, height| Tick { count: thousands(count), height };
        let half = (most % 2 == 0).then(|| tick(most / 2, HEIGHT / 2));
        let linear = half.into_iter().chain([tick(most, HEIGHT)]).collect();
        let powers = std::iter::successors(Some(1_usize), |power| power.checked_mul(10));
        let powers = powers.take_while(|power| *power <= most);
        Some(Self {
            bars: counts.into_iter().enumerate().map(bar).collect(),
            ticks: [linear, powers.map(|power| tick(power, logarithmic(power, most))).collect()],
            limit: None,
        })
    }
}

fn at(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn linear(count: usize, most: usize) -> usize {
    Share::new(count, most).map_or(0, |share| share.filled(HEIGHT))
}

/// By the logarithm of one more, so that none is 0 high and one is seen.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a whole number of units from 0 to 150"
)]
fn logarithmic(count: usize, most: usize) -> usize {
    let logarithm = |count: usize| (count as f64).ln_1p();
    (logarithm(count) / logarithm(most) * HEIGHT as f64).round() as usize
}

// The pairs → the texts that are in one, each with the closest other.

/// The most texts in the list.
pub(crate) const MOST: usize = 1_000;

/// A text that is in a pair.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) words: String,
    pub(crate) pairs: String,
    /// The closest other text.
    pub(crate) closest: String,
    pub(crate) jaccard: String,
    pub(crate) shade: usize,
    /// The address of the pair with it.
    pub(crate) address: Option<String>,
}

/// How many texts are in a pair, and those in most pairs, of as many those with a closer one
/// first.
pub(crate) fn members(found: &Found) -> (usize, Vec<Member>) {
    let pairs = found.rows.iter().map(|row| [row.pair.a, row.pair.b]);
    let counts = counts(pairs);
    let most = counts.iter().take(MOST).map(|(text, count)| {
        let row = &found.rows[count.first];
        let other = if row.pair.a == *text { row.pair.b } else { row.pair.a };
        let jaccard = row.pair.all.jaccard();
        Member {
            name: found.name(*text),
            words: thousands(found.answer.document(*text).words),
            pairs: thousands(count.pairs),
            closest: found.name(other),
            jaccard: jaccard.map_or("none".to_owned(), decimal),
            shade: shade(jaccard),
            address: found.address(count.first + 1),
        }
    });
    (counts.len(), most.collect())
}

/// The pairs that a text is in.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Count {
    pairs: usize,
    /// The place of the closest.
    first: usize,
}

fn counts(pairs: impl Iterator<Item = [u32; 2]>) -> Vec<(u32, Count)> {
    let mut counts: BTreeMap<u32, Count> = BTreeMap::new();
    for (first, texts) in pairs.enumerate() {
        for text in texts {
            counts.entry(text).or_insert(Count { pairs: 0, first }).pairs += 1;
        }
    }
    let mut counts: Vec<(u32, Count)> = counts.into_iter().collect();
    counts.sort_by_key(|(text, count)| (Reverse(count.pairs), count.first, *text));
    counts
}

// The pairs → the rows of the table.

/// A pair in the table.
#[derive(Debug)]
pub(crate) struct PairRow {
    pub(crate) number: usize,
    /// The address of its page.
    pub(crate) address: Option<String>,
    pub(crate) verdict: &'static str,
    pub(crate) jaccard: String,
    pub(crate) shade: usize,
    pub(crate) hamming: u32,
    /// How much of each side stands in the other, by passages; where these are not known, the
    /// containment.
    pub(crate) contained: [String; 2],
    pub(crate) names: [String; 2],
}

/// The closest pairs, in order.
pub(crate) fn rows(found: &Found) -> Vec<PairRow> {
    let rendered = |share: Option<Share>| share.map_or("none".to_owned(), decimal);
    let rows = found.rows.iter().take(MOST_ROWS).zip(1..);
    rows.map(|(row, number)| {
        let pair = &row.pair;
        let jaccard = pair.all.jaccard();
        PairRow {
            number,
            address: found.page_address(number),
            verdict: row.verdict.name(),
            jaccard: rendered(jaccard),
            shade: shade(jaccard),
            hamming: pair.hamming,
            contained: match row.covered {
                Some(covered) => covered.map(percent),
                None => [
                    rendered(pair.longest.containment_of_left()),
                    rendered(pair.longest.containment_of_right()),
                ],
            },
            names: [found.name(pair.a), found.name(pair.b)],
        }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_pair_joins_hangs_together() {
        #[rustfmt::skip]
        let table: &[(&str, &[[u32; 2]], &[&[(u32, usize)]])] = &[
            ("nothing",        &[],                               &[]),
            ("two",            &[[3, 9]],                         &[&[(3, 1), (9, 1)]]),
            ("a chain",        &[[1, 2], [2, 3]],                 &[&[(1, 1), (2, 2), (3, 1)]]),
            ("two apart",      &[[5, 6], [1, 9]],                 &[&[(1, 1), (9, 1)], &[(5, 1), (6, 1)]]),
            ("joined at last", &[[1, 2], [3, 4], [5, 6], [2, 5], [4, 6]],
                               &[&[(1, 1), (2, 2), (3, 1), (4, 2), (5, 2), (6, 2)]]),
        ];
        for (why, pairs, want) in table {
            let found: Vec<Vec<(u32, usize)>> =
                clusters(pairs.iter().copied()).into_iter().map(|it| it.members).collect();
            assert_eq!(found, *want, "{why}");
        }
    }

    #[test]
    fn of_a_large_cluster_those_in_most_pairs_are_shown() {
        let star = clusters((1..40).map(|leaf| [0, leaf]).chain([[38, 39]]));
        let shown = star[0].shown();
        assert_eq!((star[0].pairs(), shown.len()), (40, 24));
        assert_eq!((shown[0], &shown[21..]), (0, &[21, 38, 39][..]));
    }
}

#[cfg(test)]
mod histogram_tests {
    use super::*;

    fn histogram(shares: &[(usize, usize)]) -> Option<Histogram> {
        Histogram::counted(shares.iter().map(|(shared, of)| Share::new(*shared, *of)))
    }

    #[test]
    fn each_pair_is_in_the_bar_of_its_range() {
        assert!(histogram(&[]).is_none());
        let shares = [(0, 1), (49, 1000), (1, 20), (999, 1000), (1, 1), (1, 1), (0, 0)];
        let histogram = histogram(&shares).unwrap();
        let counted: Vec<(&str, &str)> = histogram
            .bars
            .iter()
            .filter(|bar| bar.count != "0")
            .map(|bar| (bar.range.as_str(), bar.count.as_str()))
            .collect();
        assert_eq!(counted, [("0.00 to 0.05", "3"), ("0.05 to 0.10", "1"), ("0.95 to 1.00", "3")]);
        assert_eq!(histogram.bars.len(), 20);
    }

    #[test]
    fn bars_are_as_high_as_the_scale_says() {
        let mut shares = vec![(1, 2); 999];
        shares.push((1, 1));
        shares.extend([(1, 4); 9]);
        let histogram = histogram(&shares).unwrap();
        let heights = |bar: usize| histogram.bars[bar].heights;
        // log 1000 is three times log 10; log 2 a tenth of it, cut at 0.1003.
        assert_eq!(
            [heights(10), heights(5), heights(19), heights(0)],
            [[150, 150], [1, 50], [1, 15], [0, 0]]
        );
        let tick = |count: &str, height| Tick { count: count.to_owned(), height };
        assert_eq!(histogram.ticks[0], [tick("999", 150)]);
        // log 11 and log 101 of log 1000.
        assert_eq!(histogram.ticks[1], [tick("1", 15), tick("10", 52), tick("100", 100)]);
    }
}

#[cfg(test)]
mod members_tests {
    use super::*;

    #[test]
    fn those_in_most_pairs_come_first() {
        let count = |text, pairs, first| (text, Count { pairs, first });
        let found = counts([[7, 8], [1, 2], [1, 3], [7, 9]].into_iter());
        let want = [
            count(7, 2, 0),
            count(1, 2, 1),
            count(8, 1, 0),
            count(2, 1, 1),
            count(3, 1, 2),
            count(9, 1, 3),
        ];
        assert_eq!(found, want);
    }
}
