//! The pairs → what hangs together, and who in it is how close to whom.

use std::collections::BTreeMap;

use crate::render::corpus::page::found::{Found, shade};
use crate::words::{counted, decimal};

/// The most clusters that are drawn.
const MOST_MATRICES: usize = 24;

/// The most texts in the matrix of a cluster.
const MOST_MEMBERS: usize = 24;

/// What hangs together.
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
    /// What is said where it does not show all texts.
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

    pub(crate) fn of(found: &Found) -> Self {
        let mut clusters = clusters(found.rows.iter().map(|row| [row.pair.a, row.pair.b]));
        let all = clusters.len();
        clusters.retain(|cluster| cluster.members.len() > 2);
        let couples = all - clusters.len();
        let undrawn = clusters.len().saturating_sub(MOST_MATRICES);
        clusters.sort_by_key(|cluster| std::cmp::Reverse(cluster.members.len()));
        clusters.truncate(MOST_MATRICES);
        Self { matrices: matrices(found, &clusters), undrawn, couples }
    }
}

/// Texts that hang together, with the number of pairs that each is in.
#[derive(Debug, Eq, PartialEq)]
struct Cluster {
    /// Increasing.
    members: Vec<(u32, usize)>,
}

impl Cluster {
    /// The texts of its matrix: those in most pairs, increasing.
    fn shown(&self) -> Vec<u32> {
        let mut members = self.members.clone();
        members.sort_by_key(|(text, pairs)| (std::cmp::Reverse(*pairs), *text));
        let mut shown: Vec<u32> =
            members.into_iter().take(MOST_MEMBERS).map(|(text, _)| text).collect();
        shown.sort_unstable();
        shown
    }

    fn pairs(&self) -> usize {
        self.members.iter().map(|(_, pairs)| pairs).sum::<usize>() / 2
    }
}

/// What hangs together by pairs, by the first text.
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
