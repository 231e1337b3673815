//! `dedup clusters`: pairs → what hangs together, and what a clean corpus would keep of it.

mod record;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Context;
use dedup_text::corpus::join::Forest;
use dedup_text::verdict::Verdict;

use crate::args::ClustersFlags;
use crate::exit::Exit;
use crate::inert;
use crate::io::inputs::lines::Lines;
use crate::io::inputs::record::{BadLine, field};
use crate::io::inputs::source::Source;
use crate::io::output::{self, Syntax};
use crate::model::corpus::Keep;
use crate::render::corpus::clusters::{ClusterRecord, KeptRecord, LinkRecord, SCHEMA, by_value};
use record::Pair;

/// Pairs that are held before those that hold nothing together are let go.
const HELD: usize = if cfg!(test) { 3 } else { 1 << 20 };

/// Clusters the pairs of standard input. What is held of them goes with the texts.
pub(crate) fn answer(flags: &ClustersFlags) -> anyhow::Result<Exit> {
    output::write_lines(Syntax::Json, &render(flags, Path::new("-"))?)?;
    Ok(Exit::Success)
}

/// The answer to the pairs of a file; `-` is standard input.
pub(crate) fn render(flags: &ClustersFlags, file: &Path) -> anyhow::Result<String> {
    let mut held = pairs(file, flags.level())?;
    let named = std::mem::take(&mut held.others);
    let found = found(held)?;
    let lines = match &flags.keep {
        None => found.iter().map(inert::json).collect::<Result<Vec<_>, _>>()?,
        Some(keep) => kept(flags, keep, &found, named)?
            .iter()
            .map(|path| inert::json(&KeptRecord { path }))
            .collect::<Result<_, _>>()?,
    };
    Ok(lines.into_iter().map(|line| line + "\n").collect())
}

/// The pairs of a level or a closer one that were not accepted.
fn pairs(file: &Path, level: Verdict) -> anyhow::Result<Held> {
    let mut held = Held::default();
    for source in Lines::of_pairs(file).flatten() {
        match source {
            Source::Line(line) => {
                let pair = record::pair(line.bytes());
                let pair = pair.map_err(|error| line.failed(error).error)?;
                if pair.verdict >= level && !pair.is_accepted {
                    held.add(pair)?;
                } else {
                    held.others.extend([pair.link.a, pair.link.b]);
                }
            }
            Source::Lost(failed) => return Err(failed.error),
            Source::File(_) => {} // there are lines alone
        }
    }
    Ok(held)
}

/// Pairs that may hold a cluster together.
#[derive(Default)]
struct Held {
    pairs: Vec<Pair>,
    /// The texts of pairs that hold nothing together.
    others: BTreeSet<String>,
    /// How many there were when the others had been let go.
    thinned: usize,
}

impl Held {
    fn add(&mut self, pair: Pair) -> anyhow::Result<()> {
        self.pairs.push(pair);
        if self.pairs.len() >= HELD.max(2 * self.thinned) {
            self.thin()?;
        }
        Ok(())
    }

    /// Puts the closest first, of equal ones those that came first, and lets go each that closer
    /// ones make idle: no later pair is in need of it (Kruskal 1956).
    fn thin(&mut self) -> anyhow::Result<()> {
        self.pairs.sort_by(|one, other| {
            let product = |shared: u64, union: u64| u128::from(shared) * u128::from(union);
            let nearness = product(other.shared, one.union).cmp(&product(one.shared, other.union));
            nearness.then_with(|| one.link.names().cmp(&other.link.names()))
        });
        let texts = Texts::of(&self.pairs)?;
        let mut forest = texts.forest();
        let is_needed: Vec<bool> = self
            .pairs
            .iter()
            .map(|Pair { link, .. }| forest.unite(texts.number(&link.a), texts.number(&link.b)))
            .collect();
        let mut is_needed = is_needed.into_iter();
        self.pairs.retain(|_| is_needed.next() == Some(true));
        self.thinned = self.pairs.len();
        Ok(())
    }
}

/// The texts that are in some pair, by their names.
struct Texts {
    names: Vec<String>,
}

impl Texts {
    fn of(pairs: &[Pair]) -> anyhow::Result<Self> {
        let names = pairs.iter().flat_map(|pair| [&*pair.link.a, &pair.link.b]);
        let names: BTreeSet<&str> = names.collect();
        u32::try_from(names.len()).context("more than 2^32 texts in pairs")?;
        Ok(Self { names: names.into_iter().map(str::to_owned).collect() })
    }

    /// The number of a text that is in some pair.
    fn number(&self, name: &str) -> u32 {
        let before = self.names.partition_point(|known| known.as_str() < name);
        u32::try_from(before).unwrap_or(u32::MAX) // there are no more
    }

    /// Each alone.
    fn forest(&self) -> Forest {
        Forest::of(u32::try_from(self.names.len()).unwrap_or(u32::MAX))
    }
}

/// The clusters by their first texts, each with the closest links that hold it together.
fn found(mut held: Held) -> anyhow::Result<Vec<ClusterRecord>> {
    held.thin()?;
    let texts = Texts::of(&held.pairs)?;
    let mut forest = texts.forest();
    let mut links: Vec<_> = held.pairs.into_iter().map(|pair| pair.link).collect();
    links.sort_by(|one, other| one.names().cmp(&other.names()));
    for link in &links {
        forest.unite(texts.number(&link.a), texts.number(&link.b));
    }
    let mut of_tree: BTreeMap<u32, Vec<LinkRecord>> = BTreeMap::new();
    for link in links {
        of_tree.entry(forest.root(texts.number(&link.a))).or_default().push(link);
    }
    let cluster = |members: Vec<u32>| ClusterRecord {
        schema: SCHEMA,
        links: of_tree.remove(&members[0]).unwrap_or_default(),
        members: members.iter().map(|member| texts.names[*member as usize].clone()).collect(),
    };
    Ok(forest.trees().into_iter().map(cluster).collect())
}

/// What is kept: of each cluster one text, and all that is in none, as far as it is known: by
/// `--texts`, or as one that is named in a pair.
fn kept(
    flags: &ClustersFlags,
    keep: &Keep,
    clusters: &[ClusterRecord],
    named: BTreeSet<String>,
) -> anyhow::Result<Vec<String>> {
    let by = match keep {
        Keep::First => None,
        Keep::Longest => Some("words"),
        Keep::Newest(field) => Some(field.as_str()),
    };
    let texts = texts(flags, by)?;
    let value = |name: &str| texts.get(name).and_then(Option::as_deref);
    let members: BTreeSet<&str> =
        clusters.iter().flat_map(|cluster| &cluster.members).map(String::as_str).collect();
    let all: BTreeSet<String> = texts.keys().cloned().chain(named).collect();
    let others = all.into_iter().filter(|name| !members.contains(name.as_str()));
    let best = clusters.iter().filter_map(|cluster| {
        cluster.members.iter().reduce(|best, next| {
            let is_better = by_value(value(next), value(best)) == Ordering::Greater;
            if by.is_some() && is_better { next } else { best }
        })
    });
    let mut kept: Vec<String> = best.cloned().chain(others).collect();
    kept.sort_unstable();
    Ok(kept)
}

/// All texts that a file names, each with the value of a field.
fn texts(
    flags: &ClustersFlags,
    by: Option<&str>,
) -> anyhow::Result<BTreeMap<String, Option<String>>> {
    let mut texts = BTreeMap::new();
    let Some(path) = &flags.texts else { return Ok(texts) };
    let lines = Lines::of_pairs(Path::new(path));
    for source in lines.flatten() {
        match source {
            Source::Line(line) => {
                let id = field(line.bytes(), flags.id()).ok_or_else(|| {
                    line.failed(BadLine::Lacks { field: flags.id().to_owned() }).error
                })?;
                texts.insert(id, by.and_then(|by| field(line.bytes(), by)));
            }
            Source::Lost(failed) => return Err(failed.error),
            Source::File(_) => {} // there are lines alone
        }
    }
    Ok(texts)
}

#[cfg(test)]
mod tests;
