//! `dedup clusters`: pairs → what hangs together, and what a clean corpus would keep of it.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Context;
use dedup_text::join::Forest;
use dedup_text::verdict::Verdict;
use serde::Deserialize;

use crate::corpus::clusters::{ClusterRecord, KeptRecord, LinkRecord, SCHEMA, by_value};
use crate::corpus::lines::Lines;
use crate::corpus::record::{BadLine, field};
use crate::corpus::source::Source;
use crate::exit::Exit;
use crate::flags::{ClustersFlags, Keep};
use crate::output;

/// A pair as the integrations write it, or its full record.
#[derive(Deserialize)]
struct PairRecord {
    a: Name,
    b: Name,
    verdict: String,
    #[serde(flatten)]
    figures: Option<Figures>,
    measures: Option<Figures>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Name {
    Id(String),
    Text { path: String },
}

#[derive(Deserialize)]
struct Figures {
    hamming: u32,
    jaccard: Option<f64>,
    shared: u64,
    union: u64,
    containment_a: Option<f64>,
    containment_b: Option<f64>,
}

/// A pair that was read.
struct Pair {
    shared: u64,
    union: u64,
    link: LinkRecord,
}

/// Clusters the pairs of standard input.
pub(crate) fn answer(flags: &ClustersFlags) -> anyhow::Result<Exit> {
    let pairs = pairs()?;
    let names: BTreeSet<&str> =
        pairs.iter().flat_map(|pair| [pair.link.a.as_str(), &pair.link.b]).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let found = found(&pairs, &names)?;
    let lines = match &flags.keep {
        None => found.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?,
        Some(keep) => kept(flags, keep, &found)?
            .iter()
            .map(|path| serde_json::to_string(&KeptRecord { path }))
            .collect::<Result<_, _>>()?,
    };
    output::write_lines(&lines.into_iter().map(|line| line + "\n").collect::<String>())?;
    Ok(Exit::Yes)
}

fn pairs() -> anyhow::Result<Vec<Pair>> {
    let mut pairs = Vec::new();
    for source in Lines::of(Path::new("-"), None).flatten() {
        match source {
            Source::Line(line) => {
                pairs.push(pair(line.bytes()).map_err(|error| line.failed(error).error)?);
            }
            Source::Lost(failed) => return Err(failed.error),
            Source::File(_) => {} // there are lines alone
        }
    }
    Ok(pairs)
}

fn pair(line: &[u8]) -> anyhow::Result<Pair> {
    let no_pair = |found: &str| BadLine::NoPair { found: found.to_owned() };
    let record: PairRecord = serde_json::from_slice(line).map_err(|error| {
        no_pair(error.to_string().split(" at line ").next().unwrap_or_default())
    })?;
    let figures = record.measures.or(record.figures).ok_or_else(|| no_pair("no figures"))?;
    let verdict = Verdict::LADDER.into_iter().find(|level| level.name() == record.verdict);
    let verdict = verdict.ok_or_else(|| no_pair("no verdict of ours"))?.name();
    let [a, b] = [record.a, record.b].map(|name| match name {
        Name::Id(name) | Name::Text { path: name } => name,
    });
    let Figures { hamming, jaccard, shared, union, containment_a, containment_b } = figures;
    let jaccard = jaccard.filter(|_| union > 0);
    let told = LinkRecord { a, b, verdict, hamming, jaccard, containment_a, containment_b };
    Ok(Pair { shared, union, link: told })
}

/// The clusters by their first texts, each with the closest links that hold it together.
fn found(pairs: &[Pair], names: &[&str]) -> anyhow::Result<Vec<ClusterRecord>> {
    let number = |name: &str| names.partition_point(|known| *known < name);
    let mut closest: Vec<(usize, usize, &Pair)> =
        pairs.iter().map(|pair| (number(&pair.link.a), number(&pair.link.b), pair)).collect();
    closest.sort_by(|(a, b, one), (c, d, other)| {
        let product = |shared: u64, union: u64| u128::from(shared) * u128::from(union);
        let nearness = product(other.shared, one.union).cmp(&product(one.shared, other.union));
        nearness.then_with(|| (a, b).cmp(&(c, d)))
    });
    let small = |number: usize| u32::try_from(number).context("more than 2^32 texts in pairs");
    let mut forest = Forest::of(small(names.len())?);
    let mut links = Vec::new();
    for (a, b, pair) in closest {
        if forest.unite(small(a)?, small(b)?) {
            links.push((a, b, pair));
        }
    }
    links.sort_by_key(|(a, b, _)| (*a, *b));
    let mut of_tree: BTreeMap<u32, Vec<LinkRecord>> = BTreeMap::new();
    for (a, _, pair) in links {
        of_tree.entry(forest.root(small(a)?)).or_default().push(pair.link.clone());
    }
    let cluster = |members: Vec<u32>| ClusterRecord {
        schema: SCHEMA,
        links: of_tree.remove(&members[0]).unwrap_or_default(),
        members: members.iter().map(|member| names[*member as usize].to_owned()).collect(),
    };
    Ok(forest.trees().into_iter().map(cluster).collect())
}

/// What is kept: of each cluster one text, and all that is in none, as far as it is known.
fn kept(
    flags: &ClustersFlags,
    keep: &Keep,
    clusters: &[ClusterRecord],
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
    let others = texts.keys().filter(|name| !members.contains(name.as_str())).cloned();
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
    let lines = Lines::of(Path::new(path), None);
    for source in lines.flatten() {
        match source {
            Source::Line(line) => {
                let id = field(line.bytes(), &flags.id).ok_or_else(|| {
                    line.failed(BadLine::Lacks { field: flags.id.clone() }.into()).error
                })?;
                texts.insert(id, by.and_then(|by| field(line.bytes(), by)));
            }
            Source::Lost(failed) => return Err(failed.error),
            Source::File(_) => {} // there are lines alone
        }
    }
    Ok(texts)
}
