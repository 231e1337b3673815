//! Draws the clusters of texts that share passages, one graph for each cluster.
//!
//! Input: the pairs to be read first. Output: graphs whose nodes are texts and whose edges are
//! pairs. The coordinates are integers that are computed from the pairs alone, so that they are the
//! same on every machine.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use dedup_text::corpus::join::Forest;
use dedup_text::display::{counted, thousands};

use super::super::model::{JudgedRow, Section};
use super::{MAX_ROWS, Report};

/// The largest number of clusters that are drawn.
const MAX_GRAPHS: usize = 24;

/// The largest number of nodes of a graph.
const MAX_NODES: usize = 24;

/// The width of a graph in units: that of a phone's screen.
const WIDTH: usize = 380;

/// The distance between a node and the next one below it, in units: two lines of a name.
const NODE_DISTANCE: usize = 36;

/// The horizontal distance of a node from the middle, in units: that of the first row, and how much
/// it increases up to the middle row. The rest of the width is for names.
const BULGE: [usize; 2] = [46, 30];

/// The largest number of letters in a line of a name next to its node.
const LETTERS: usize = 15;

/// The clusters that the pairs to be read first form.
#[derive(Debug, Default)]
pub(super) struct Graphs {
    /// The clusters of at least three texts, the largest first.
    pub(super) drawn: Vec<Graph>,
    /// A note on the clusters that are not drawn; `None` if all are.
    pub(super) others: Option<String>,
}

/// The drawing of a cluster.
#[derive(Debug)]
pub(super) struct Graph {
    /// The size of the cluster: `5 texts, 9 pairs`.
    pub(super) size: String,
    /// A note if not all of its texts are drawn.
    pub(super) cut: Option<String>,
    pub(super) height: usize,
    pub(super) nodes: Vec<Node>,
    /// The pairs, the closest first.
    pub(super) edges: Vec<Edge>,
}

/// A text.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) x: usize,
    pub(super) y: usize,
    /// The radius, which increases with the number of pairs that the text is in.
    pub(super) radius: usize,
    /// The part of the name that fits: one or two lines, each with its y coordinate.
    pub(super) lines: Vec<(usize, String)>,
    pub(super) name: String,
}

/// A pair.
#[derive(Debug)]
pub(super) struct Edge {
    /// The path as SVG path data.
    pub(super) path: String,
    /// The width, 1 to 5, which increases with the share.
    pub(super) width: usize,
    pub(super) names: [String; 2],
    /// The shares of the texts: `89 | 45 %`.
    pub(super) shares: String,
    pub(super) address: Option<String>,
}

impl Node {
    /// Returns the x coordinate at which the name begins, on the right side, or ends, on the left
    /// side.
    pub(super) fn name_x(&self) -> usize {
        if self.is_left() { self.x - self.radius - 5 } else { self.x + self.radius + 5 }
    }

    pub(super) fn is_left(&self) -> bool {
        self.x < WIDTH / 2
    }
}

impl Graphs {
    pub(super) fn new(report: &Report, shares: impl Fn(&JudgedRow) -> String) -> Self {
        let rows = || report.rows_of(Section::First).take_while(|(number, _)| *number <= MAX_ROWS);
        let mut clusters = clusters(rows().map(|(_, row)| [row.pair.a, row.pair.b]));
        let all = clusters.len();
        clusters.retain(|cluster| cluster.members.len() > 2);
        let couples = all - clusters.len();
        clusters.sort_by_key(|cluster| Reverse(cluster.members.len()));
        let undrawn = clusters.len().saturating_sub(MAX_GRAPHS);
        clusters.truncate(MAX_GRAPHS);
        let shown: Vec<Vec<u32>> = clusters.iter().map(Cluster::shown).collect();
        let of_text = |(cluster, texts): (usize, &Vec<u32>)| {
            texts.iter().map(|text| (*text, cluster)).collect::<Vec<_>>()
        };
        let places: BTreeMap<u32, usize> = shown.iter().enumerate().flat_map(of_text).collect();
        let mut pairs: Vec<Vec<(usize, &JudgedRow)>> = vec![Vec::new(); clusters.len()];
        for (number, row) in rows() {
            let [a, b] = [row.pair.a, row.pair.b].map(|text| places.get(&text));
            if let Some(cluster) = a.filter(|_| a == b) {
                pairs[*cluster].push((number, row));
            }
        }
        let all = clusters.iter().zip(&shown).zip(&pairs);
        let drawn =
            all.map(|((cluster, texts), pairs)| Graph::new(report, cluster, texts, pairs, &shares));
        Self { drawn: drawn.collect(), others: others(undrawn, couples) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.drawn.is_empty()
    }
}

fn others(undrawn: usize, couples: usize) -> Option<String> {
    let undrawn = (undrawn > 0).then(|| {
        format!("{} more clusters, no larger than these, are not drawn.", thousands(undrawn))
    });
    let couples = match couples {
        0 => None,
        1 => Some("1 pair of texts in no other pair is not drawn.".to_owned()),
        couples => {
            Some(format!("{} pairs of texts in no other pair are not drawn.", thousands(couples)))
        }
    };
    let sentences: Vec<String> = undrawn.into_iter().chain(couples).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

impl Graph {
    fn new(
        report: &Report,
        cluster: &Cluster,
        texts: &[u32],
        pairs: &[(usize, &JudgedRow)],
        shares: impl Fn(&JudgedRow) -> String,
    ) -> Self {
        let ties: Vec<Tie> = pairs
            .iter()
            .map(|(_, row)| Tie { ends: [row.pair.a, row.pair.b], strength: row.greatest_share() })
            .collect();
        let order = ring(texts, &ties);
        let places = places(order.len());
        let at: BTreeMap<u32, [usize; 2]> = order.iter().copied().zip(places).collect();
        let degree = |text| ties.iter().filter(|tie| tie.ends.contains(&text)).count();
        let nodes = order.iter().map(|text| {
            let ([x, y], name) = (at[text], report.name(*text).to_owned());
            Node { x, y, radius: 5 + degree(*text).min(4), lines: lines(&name, y), name }
        });
        let edges = pairs.iter().zip(&ties).map(|((number, row), tie)| Edge {
            path: path(tie.ends.map(|text| at[&text])),
            width: width(tie.strength),
            names: tie.ends.map(|text| report.name(text).to_owned()),
            shares: shares(row),
            address: report.address(*number),
        });
        let (all, pairs) = (cluster.members.len(), cluster.pairs());
        Self {
            size: format!("{}, {}", counted(all, "text"), counted(pairs, "pair")),
            cut: (texts.len() < all)
                .then(|| format!("The {MAX_NODES} texts that are in most pairs are drawn.")),
            height: order.len().div_ceil(2).max(2) * NODE_DISTANCE,
            nodes: nodes.collect(),
            edges: edges.collect(),
        }
    }
}

/// A pair of texts of a cluster.
#[derive(Clone, Copy, Debug)]
struct Tie {
    ends: [u32; 2],
    /// The share, 0 to 1.
    strength: f64,
}

/// Orders the texts around the ring. The first is the one in most pairs; each is followed by the
/// remaining text that shares most with it, so that edges are short, or by the remaining one in
/// most pairs if none shares anything with it.
fn ring(texts: &[u32], ties: &[Tie]) -> Vec<u32> {
    let degree = |text: u32| ties.iter().filter(|tie| tie.ends.contains(&text)).count();
    let mut left: Vec<u32> = texts.to_vec();
    left.sort_by_key(|text| (Reverse(degree(*text)), *text));
    let mut ring = Vec::with_capacity(left.len());
    let mut at = 0;
    while !left.is_empty() {
        let text = left.remove(at);
        ring.push(text);
        let strength = |other: &u32| {
            let tie =
                ties.iter().find(|tie| tie.ends == [text, *other] || tie.ends == [*other, text]);
            tie.map_or(0.0, |tie| tie.strength)
        };
        // Of several equally strong ones, takes the first.
        let next = left
            .iter()
            .enumerate()
            .rev()
            .max_by(|(_, one), (_, other)| strength(one).total_cmp(&strength(other)));
        at = next.filter(|(_, other)| strength(other) > 0.0).map_or(0, |(at, _)| at);
    }
    ring
}

/// Returns the coordinates of nodes around an oval: down the right side and up the left side. The
/// nodes of a side are one step apart, so that their names do not overlap.
fn places(count: usize) -> Vec<[usize; 2]> {
    let right = count.div_ceil(2);
    let rows = right.max(2);
    // In half rows: if one side has one node less, its nodes are between the rows of the other
    // side.
    let side = |nodes: usize| {
        (0..nodes).map(move |node| {
            let middle = rows - nodes + 2 * node + 1;
            let off = middle.abs_diff(rows);
            let bulge = (BULGE[1] * BULGE[1] * (rows * rows - off * off)).isqrt() / rows;
            (BULGE[0] + bulge, middle * NODE_DISTANCE / 2)
        })
    };
    let left = side(count - right).rev().map(|(out, y)| [WIDTH / 2 - out, y]);
    side(right).map(|(out, y)| [WIDTH / 2 + out, y]).chain(left).collect()
}

/// Returns the path of an edge: a straight line, or a curve through the inside if both nodes are on
/// the same side.
fn path([[x, y], [to_x, to_y]]: [[usize; 2]; 2]) -> String {
    if (x > WIDTH / 2) == (to_x > WIDTH / 2) {
        let (bow_x, bow_y) = (WIDTH / 2, usize::midpoint(y, to_y));
        return format!("M{x} {y}Q{bow_x} {bow_y} {to_x} {to_y}");
    }
    format!("M{x} {y}L{to_x} {to_y}")
}

/// Returns the width of an edge: 1 for a share below an eighth, and one more for each further
/// quarter.
fn width(strength: f64) -> usize {
    [0.125, 0.375, 0.625, 0.875].iter().filter(|step| strength >= **step).count() + 1
}

/// Splits a name into one or two lines, each with its y coordinate next to the node. A longer name
/// is cut in the middle, because names differ at the beginning or at the end.
fn lines(name: &str, y: usize) -> Vec<(usize, String)> {
    if name.chars().count() <= LETTERS {
        return vec![(y + 4, name.to_owned())];
    }
    let at = |letters: usize| name.char_indices().nth(letters).map_or(name.len(), |(at, _)| at);
    let space = name[..at(LETTERS + 1)].rfind(' ').filter(|space| *space > 0);
    let (first, rest) = name.split_at(space.unwrap_or_else(|| at(LETTERS)));
    let rest = rest.trim_start();
    let second = match rest.chars().count().checked_sub(LETTERS) {
        None | Some(0) => rest.to_owned(),
        Some(more) => "…".to_owned() + rest.chars().skip(more + 1).collect::<String>().trim_start(),
    };
    vec![(y - 3, first.to_owned()), (y + 11, second)]
}

/// Texts that are linked by pairs, with the number of pairs that each is in.
#[derive(Debug, Eq, PartialEq)]
struct Cluster {
    /// The texts in increasing order.
    members: Vec<(u32, usize)>,
}

impl Cluster {
    /// Returns the texts that are drawn: those in most pairs, in increasing order.
    fn shown(&self) -> Vec<u32> {
        let mut members = self.members.clone();
        members.sort_by_key(|(text, pairs)| (Reverse(*pairs), *text));
        let mut shown: Vec<u32> =
            members.into_iter().take(MAX_NODES).map(|(text, _)| text).collect();
        shown.sort_unstable();
        shown
    }

    fn pairs(&self) -> usize {
        self.members.iter().map(|(_, pairs)| pairs).sum::<usize>() / 2
    }
}

/// Groups texts that are linked by pairs into clusters, sorted by their first texts.
fn clusters(pairs: impl Iterator<Item = [u32; 2]>) -> Vec<Cluster> {
    let pairs: Vec<[u32; 2]> = pairs.collect();
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    pairs.iter().flatten().for_each(|text| *counts.entry(*text).or_default() += 1);
    let mut forest = Forest::new(counts.last_key_value().map_or(0, |(last, _)| last + 1));
    for [one, other] in &pairs {
        forest.unite(*one, *other);
    }
    let with_counts = |texts: Vec<u32>| Cluster {
        members: texts.into_iter().map(|text| (text, counts[&text])).collect(),
    };
    forest.trees().into_iter().map(with_counts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_the_texts_that_pairs_connect() {
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
            let report: Vec<Vec<(u32, usize)>> =
                clusters(pairs.iter().copied()).into_iter().map(|it| it.members).collect();
            assert_eq!(report, *want, "{why}");
        }
    }

    #[test]
    fn of_a_large_cluster_those_in_most_pairs_are_shown() {
        let star = clusters((1..40).map(|leaf| [0, leaf]).chain([[38, 39]]));
        let shown = star[0].shown();
        assert_eq!((star[0].pairs(), shown.len()), (40, 24));
        assert_eq!((shown[0], &shown[21..]), (0, &[21, 38, 39][..]));
    }

    #[test]
    fn texts_that_share_most_are_neighbours() {
        let tie = |a, b, strength| Tie { ends: [a, b], strength };
        #[rustfmt::skip]
        let table: &[(&str, &[u32], &[Tie], &[u32])] = &[
            ("a triangle",     &[1, 2, 3],    &[tie(1, 2, 0.2), tie(1, 3, 0.9), tie(2, 3, 0.5)], &[1, 3, 2]),
            ("equal ones",     &[1, 2, 3],    &[tie(1, 2, 0.5), tie(1, 3, 0.5), tie(2, 3, 0.5)], &[1, 2, 3]),
            ("a star",         &[1, 2, 3, 4], &[tie(1, 3, 0.4), tie(2, 3, 0.5), tie(3, 4, 0.6)], &[3, 4, 1, 2]),
            ("a chain",        &[1, 2, 3, 4], &[tie(1, 4, 0.4), tie(2, 4, 0.5), tie(2, 3, 0.6)], &[2, 3, 4, 1]),
        ];
        for (why, texts, ties, want) in table {
            assert_eq!(ring(texts, ties), *want, "{why}");
        }
    }

    #[test]
    fn nodes_stand_around_an_oval() {
        assert_eq!(places(3), [[261, 18], [261, 54], [114, 36]]);
        assert_eq!(places(5), [[258, 18], [266, 54], [258, 90], [116, 72], [116, 36]]);
        for count in 3..=MAX_NODES {
            let places = places(count);
            assert_eq!(places.len(), count);
            let rows = count.div_ceil(2) * NODE_DISTANCE;
            let margin = BULGE[0] + BULGE[1];
            let is_inside = |[x, y]: &[usize; 2]| {
                x.abs_diff(WIDTH / 2) <= margin && *y >= 18 && *y + 18 <= rows
            };
            assert!(places.iter().all(is_inside), "{places:?}");
            for (at, [x, y]) in places.iter().enumerate() {
                let meets = |[other_x, other_y]: &[usize; 2]| {
                    (*x > WIDTH / 2) == (*other_x > WIDTH / 2)
                        && y.abs_diff(*other_y) < NODE_DISTANCE
                };
                assert!(!places[at + 1..].iter().any(meets), "{places:?}");
            }
        }
    }

    #[test]
    fn an_edge_is_as_broad_as_its_pair_shares() {
        assert_eq!([0.0, 0.12, 0.125, 0.5, 0.87, 1.0].map(width), [1, 1, 2, 3, 4, 5]);
        assert_eq!(path([[261, 18], [261, 54]]), "M261 18Q190 36 261 54");
        assert_eq!(path([[261, 18], [114, 36]]), "M261 18L114 36");
    }

    #[test]
    fn a_long_name_has_two_lines() {
        #[rustfmt::skip]
        let table: &[(&str, &[&str])] = &[
            ("Béla Bartos",                          &["Béla Bartos"]),
            ("ééééééééééééééé",                      &["ééééééééééééééé"]),
            ("éééééééééééééééé",                     &["ééééééééééééééé", "é"]),
            ("Anneliese von der Hohenstein-Wartenberg", &["Anneliese von", "…ein-Wartenberg"]),
            ("Jonas Zimmerman 11",                   &["Jonas Zimmerman", "11"]),
            ("an essay on the tide mill, draft 1",   &["an essay on the", "…mill, draft 1"]),
            ("an essay on the tide mill, draft 2",   &["an essay on the", "…mill, draft 2"]),
            ("an essay on the mill, draft 2",        &["an essay on the", "mill, draft 2"]),
            (" of-a-space-at-the-beginning-of-it",   &[" of-a-space-at-", "…eginning-of-it"]),
        ];
        for (name, want) in table {
            let lines: Vec<String> = lines(name, 18).into_iter().map(|(_, line)| line).collect();
            assert_eq!(lines, *want, "{name}");
        }
        assert_eq!(lines("a", 18)[0].0, 22);
    }
}
