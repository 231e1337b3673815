//! What belongs together, and what a clean corpus would keep of it.

use std::fmt::Write;
use std::path::Path;

use dedup_text::corpus::join::{Cluster, Pair};
use dedup_text::corpus::preference::{Keep, Worth, in_order};
use dedup_text::inert;
use dedup_text::jaccard::Share;
use dedup_text::pair::undecided::Undecided;
use dedup_text::verdict::Verdict;
use dedup_text::words::{counted, thousands, visible};
use serde::Serialize;

use super::table;
use crate::io::inputs::source::Age;
use crate::io::output::{Spool, Whole};
use crate::model::corpus::Answer;
use crate::model::format::Format;
use crate::model::keeping::Keeping;
use crate::render::paths;

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
    Ok(inert::json(&record)?)
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

/// What is kept of the texts that are not old, also what is too short to be compared; in the order
/// of the input.
fn kept<'a>(answer: &'a Answer, keeping: &Keeping) -> Vec<&'a Path> {
    let gathered = answer.gathered;
    let numbered = (0..).zip(&keeping.removed).filter(|(_, partner)| partner.is_none());
    let compared = numbered.map(|(number, _)| answer.document(number).text.path());
    let all = compared.chain(answer.corpus().short.iter().map(Undecided::path));
    let placed = all.map(|path| (gathered.position(path).unwrap_or(usize::MAX), path));
    let mut kept: Vec<(usize, &Path)> =
        placed.filter(|(position, _)| gathered.ages.get(*position) != Some(&Age::Old)).collect();
    kept.sort_unstable_by_key(|(position, _)| *position);
    kept.into_iter().map(|(_, path)| path).collect()
}

/// The texts in the order of preference: old ones, which stay, before all others.
pub(crate) fn preference(answer: &Answer, keep: &Keep) -> Vec<u32> {
    let gathered = answer.gathered;
    let texts = answer.corpus().documents.iter().map(|document| {
        let position = gathered.position(document.text.path()).unwrap_or(usize::MAX);
        let words = document.words.to_string();
        let value = match keep {
            Keep::First => None,
            Keep::Longest => Some(words.as_str()),
            Keep::Newest(_) | Keep::Field(_) => (position < gathered.found_at.len())
                .then(|| gathered.worth.get(gathered.found_at.get(position)))
                .flatten()
                .map(String::as_str),
        };
        (position, keep.worth(value))
    });
    let texts: Vec<(usize, Worth)> = texts.collect();
    let place = |text: u32| texts[text as usize].0;
    in_order(&texts, |text| answer.is_old(text), |(_, worth)| worth, place)
}

/// What is known of a decision besides the texts.
#[derive(Serialize)]
struct KeepingRecord {
    keep_by: &'static str,
    removed: usize,
    linked_more: usize,
    largest_cluster: usize,
}

/// What is kept of a corpus, in a format.
pub(crate) fn render_kept(
    answer: &Answer,
    keeping: &Keeping,
    format: Format,
) -> anyhow::Result<Whole> {
    let kept = kept(answer, keeping);
    let record = |path: &&Path| inert::json(&KeptRecord { path: &answer.names.given(path) });
    match format {
        Format::Jsonl => Ok(lines(kept.iter().map(record).collect::<Result<_, _>>()?).into()),
        Format::Json => {
            let mut all = Spool::new(",");
            kept.iter().try_for_each(|path| anyhow::Ok(all.add(&record(path)?)?))?;
            let decision = KeepingRecord {
                keep_by: keeping.by.name(),
                removed: keeping.removed.iter().flatten().count(),
                linked_more: keeping.linked_more,
                largest_cluster: keeping.largest_cluster,
            };
            let decision = format!("\"keeping\":{}", inert::json(&decision)?);
            table::object_with(answer, &decision, "kept", all)
        }
        Format::Paths | Format::Paths0 => {
            Ok(Whole::from(paths::written(format, &answer.names, kept.iter().copied())?))
        }
        // The flags let no other through.
        Format::Text | Format::Export(_) => {
            let shown = kept.iter().map(|path| visible(&answer.names.given(path))).collect();
            let counts = table::counts(answer) + &table::remarks(answer);
            Ok((lines(shown) + &summary(answer, keeping, kept.len()) + &counts).into())
        }
    }
}

/// The same for people, without the texts.
pub(crate) fn render_counts(answer: &Answer, keeping: &Keeping) -> String {
    let kept = kept(answer, keeping).len();
    summary(answer, keeping, kept) + &table::counts(answer) + &table::remarks(answer)
}

/// How many texts are kept, and what chains of pairs would do.
fn summary(answer: &Answer, keeping: &Keeping, kept: usize) -> String {
    let all = answer.gathered.ages.iter().filter(|age| **age != Age::Old).count();
    let mut page = format!("{} of {} kept\n", thousands(kept), counted(all, "text"));
    if keeping.largest_cluster > 0 {
        let largest = counted(keeping.largest_cluster, "text");
        let _ = write!(page, "the largest cluster has {largest}");
        let chains = keeping.chains().map(|chains| format!("; {chains}"));
        page = page + &chains.unwrap_or_default() + "\n";
    }
    page
}

fn lines(lines: Vec<String>) -> String {
    lines.into_iter().map(|line| line + "\n").collect()
}
