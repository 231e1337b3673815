//! What belongs together, and what a clean corpus would keep of it.

use std::cmp::Ordering;
use std::fmt::Write;
use std::path::Path;

use dedup_text::corpus::join::{Cluster, Pair};
use dedup_text::jaccard::Share;
use dedup_text::pair::undecided::Undecided;
use dedup_text::verdict::Verdict;
use serde::Serialize;

use super::table;
use crate::inert;
use crate::io::output::{Spool, Whole};
use crate::model::corpus::{Answer, Keep};
use crate::model::format::Format;
use crate::render::paths;
use crate::words::{counted, thousands, visible};

/// A cluster, by `dedup.corpus.schema.json`.
#[derive(Serialize)]
pub(crate) struct ClusterRecord {
    pub(crate) schema: &'static str,
    pub(crate) members: Vec<String>,
    pub(crate) links: Vec<LinkRecord>,
}

/// A pair that holds a cluster together.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LinkRecord {
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) verdict: &'static str,
    pub(crate) hamming: u32,
    pub(crate) jaccard: Option<f64>,
    pub(crate) containment_a: Option<f64>,
    pub(crate) containment_b: Option<f64>,
}

impl LinkRecord {
    /// What both go by.
    pub(crate) fn names(&self) -> (&str, &str) {
        (&self.a, &self.b)
    }
}

/// A text that is kept.
#[derive(Serialize)]
pub(crate) struct KeptRecord<'k> {
    pub(crate) path: &'k str,
}

/// The schema of a [`ClusterRecord`].
pub(crate) const SCHEMA: &str = "dedup.cluster/1";

/// The closest verdict of two texts of a cluster; none where there is no cluster.
pub(crate) fn closest(answer: &Answer, clusters: &[Cluster]) -> Option<Verdict> {
    let links = clusters.iter().flat_map(|cluster| &cluster.links);
    links.map(|link| verdict(answer, link)).max()
}

/// The clusters in a format.
pub(crate) fn render(
    answer: &Answer,
    clusters: &[Cluster],
    format: Format,
) -> anyhow::Result<Whole> {
    let records = || clusters.iter().map(|cluster| record(answer, cluster));
    match format {
        Format::Jsonl => Ok(lines(records().collect::<Result<_, _>>()?).into()),
        Format::Json => {
            let mut all = Spool::new(",");
            records().try_for_each(|record| anyhow::Ok(all.add(&record?)?))?;
            table::object(answer, "clusters", all)
        }
        Format::Paths | Format::Paths0 => {
            let mut members: Vec<u32> =
                clusters.iter().flat_map(|cluster| cluster.members.iter().copied()).collect();
            members.sort_unstable();
            let paths = members.into_iter().map(|member| answer.document(member).text.path());
            Ok(Whole::from(paths::written(format, &answer.names, paths)?))
        }
        // The flags let no other through.
        Format::Text | Format::Export(_) => {
            let mut page = String::new();
            for (cluster, number) in clusters.iter().zip(1..) {
                let _ =
                    writeln!(page, "cluster {number}: {}", counted(cluster.members.len(), "text"));
                for member in &cluster.members {
                    let _ = writeln!(page, "  {}", visible(&answer.name(*member)));
                }
            }
            let _ = writeln!(page, "{}", counted(clusters.len(), "cluster"));
            Ok((page + &table::counts(answer) + &table::remarks(answer)).into())
        }
    }
}

fn record(answer: &Answer, cluster: &Cluster) -> anyhow::Result<String> {
    let record = ClusterRecord {
        schema: SCHEMA,
        members: cluster.members.iter().map(|member| answer.given_name(*member)).collect(),
        links: cluster.links.iter().map(|pair| link(answer, pair)).collect(),
    };
    inert::json(&record)
}

fn link(answer: &Answer, pair: &Pair) -> LinkRecord {
    let pair = answer.corpus().collection.pair(pair.a, pair.b);
    LinkRecord {
        a: answer.given_name(pair.a),
        b: answer.given_name(pair.b),
        verdict: answer.verdict(&pair).name(),
        hamming: pair.hamming,
        jaccard: pair.all.jaccard().map(Share::ratio),
        containment_a: pair.longest.containment_of_left().map(Share::ratio),
        containment_b: pair.longest.containment_of_right().map(Share::ratio),
    }
}

fn verdict(answer: &Answer, pair: &Pair) -> Verdict {
    let pair = answer.corpus().collection.pair(pair.a, pair.b);
    answer.collided.count(&pair);
    answer.verdict(&pair)
}

/// What is kept: of each cluster one text, and all that is in none, also what is too short to
/// be compared; by name.
fn kept<'a>(answer: &'a Answer, clusters: &[Cluster], keep: &Keep) -> Vec<&'a Path> {
    let mut is_kept = vec![true; answer.corpus().documents.len()];
    for cluster in clusters {
        for member in &cluster.members {
            is_kept[*member as usize] = false;
        }
        let best = cluster.members.iter().copied().reduce(|best, next| {
            if rank(answer, keep, next, best) == Ordering::Greater { next } else { best }
        });
        if let Some(best) = best {
            is_kept[best as usize] = true;
        }
    }
    let numbers = (0..).zip(is_kept).filter(|(_, is_kept)| *is_kept);
    let short = answer.corpus().short.iter().map(Undecided::path);
    let mut kept: Vec<&Path> =
        numbers.map(|(number, _)| answer.document(number).text.path()).chain(short).collect();
    kept.sort_by_cached_key(|path| answer.names.given(path));
    kept
}

/// Whether one text is to be kept rather than another; equal ones go by name.
fn rank(answer: &Answer, keep: &Keep, one: u32, other: u32) -> Ordering {
    match keep {
        Keep::First => Ordering::Equal,
        Keep::Longest => answer.document(one).words.cmp(&answer.document(other).words),
        Keep::Newest(_) => {
            let value = |number| answer.gathered.newest.get(&answer.name(number));
            by_value(value(one).map(String::as_str), value(other).map(String::as_str))
        }
    }
}

/// Texts with a value of a field after those without.
pub(crate) fn by_value(one: Option<&str>, other: Option<&str>) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) => by_number_or_letters(one, other),
        (one, other) => one.is_some().cmp(&other.is_some()),
    }
}

/// Numbers by their size, all else, as dates are, by their letters.
fn by_number_or_letters(one: &str, other: &str) -> Ordering {
    match (one.parse::<f64>(), other.parse::<f64>()) {
        (Ok(one), Ok(other)) => one.total_cmp(&other),
        _ => one.cmp(other),
    }
}

/// What is kept of a corpus, in a format.
pub(crate) fn render_kept(
    answer: &Answer,
    clusters: &[Cluster],
    keep: &Keep,
    format: Format,
) -> anyhow::Result<Whole> {
    let kept = kept(answer, clusters, keep);
    let record = |path: &&Path| inert::json(&KeptRecord { path: &answer.names.given(path) });
    match format {
        Format::Jsonl => Ok(lines(kept.iter().map(record).collect::<Result<_, _>>()?).into()),
        Format::Json => {
            let mut all = Spool::new(",");
            kept.iter().try_for_each(|path| anyhow::Ok(all.add(&record(path)?)?))?;
            table::object(answer, "kept", all)
        }
        Format::Paths | Format::Paths0 => {
            Ok(Whole::from(paths::written(format, &answer.names, kept.iter().copied())?))
        }
        // The flags let no other through.
        Format::Text | Format::Export(_) => {
            let all = answer.corpus().documents.len() + answer.corpus().short.len();
            let rendered = format!("{} of {} kept\n", thousands(kept.len()), counted(all, "text"));
            let shown = kept.iter().map(|path| visible(&answer.names.given(path))).collect();
            let counts = table::counts(answer) + &table::remarks(answer);
            Ok((lines(shown) + &rendered + &counts).into())
        }
    }
}

fn lines(lines: Vec<String>) -> String {
    lines.into_iter().map(|line| line + "\n").collect()
}
