//! Invariants of `dedup clusters` for any file of pairs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dedup_text::verdict::Verdict;
use serde_json::Value;

use super::{check, parts};
use crate::commands::clusters;
use crate::dispatch;
use crate::dispatch::tree::Request;
use crate::progress::Progress;

/// The largest number of lines of an input; longer inputs are skipped.
const MOST: usize = 64;

/// The fields of a valid record that the clusters depend on.
struct Pair {
    names: [String; 2],
    verdict: Verdict,
    is_accepted: bool,
}

#[test]
fn clusters_are_connected_components() {
    check("clusters", 1, clusters);
}

/// Checks that the clusters are the connected components of the pairs, each with the links of a
/// spanning tree. With `--keep first --keep-by linked`, the first text of each cluster is kept, and
/// each text that is in no cluster, once. For invalid lines, the error names the line.
///
/// A NUL separates the pairs from the ids of further texts, one per line.
fn clusters(bytes: &[u8]) {
    let [pairs, more] = parts::<2>(bytes);
    let lines: Vec<&str> = pairs.split('\n').map(str::trim_ascii_end).collect();
    if lines.len() > MOST {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (file, texts) = (path("pairs.jsonl"), path("texts.jsonl"));
    std::fs::write(&file, &pairs).expect("written");
    if let Err(error) = answered(&[], &file) {
        let place = format!("{file}: line ");
        assert!(format!("{error:#}").starts_with(&place), "{error:#}");
        let is_sound = |line: &&str| line.is_empty() || pair(line).is_some();
        assert!(!lines.iter().all(is_sound), "{error:#}");
        return;
    }
    // The program accepts the records, but another JSON reader may not accept them all.
    let filled = lines.iter().filter(|line| !line.is_empty());
    let Some(pairs) = filled.map(|line| pair(line)).collect::<Option<Vec<Pair>>>() else { return };
    let ids = pairs.iter().flat_map(|pair| pair.names.iter().map(String::as_str));
    let ids: BTreeSet<&str> = ids.chain(more.lines()).collect();
    let listed = ids.iter().map(|id| serde_json::json!({ "id": id }).to_string() + "\n");
    std::fs::write(&texts, listed.collect::<String>()).expect("written");
    for level in [Verdict::NearDuplicate, Verdict::Partial] {
        let at_least = ["--at-least", level.name()];
        let found = answered(&at_least, &file).expect("the same pairs");
        let components = components(&pairs, level);
        check_clusters(&found, &components, |names| {
            pairs.iter().any(|pair| pair.links(level) && pair.names == names)
        });
        let keep = [&at_least[..], &["--keep", "first", "--keep-by", "linked", "--texts", &texts]]
            .concat();
        let kept = answered(&keep, &file).expect("the same pairs");
        let kept: Vec<String> = kept.lines().map(|line| name(&record(line)["path"])).collect();
        let others = components.iter().flat_map(|members| members.iter().skip(1));
        let dropped: BTreeSet<&str> = others.map(String::as_str).collect();
        let wanted: Vec<&str> = ids.iter().filter(|id| !dropped.contains(*id)).copied().collect();
        assert_eq!(kept, wanted);
    }
}

/// Checks that the clusters are the components, and that the links of each are pairs that form a
/// spanning tree.
fn check_clusters(found: &str, components: &[Vec<String>], is_link: impl Fn([String; 2]) -> bool) {
    let records: Vec<Value> = found.lines().map(record).collect();
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let members: Vec<Vec<String>> =
        records.iter().map(|record| list(&record["members"]).iter().map(name).collect()).collect();
    assert_eq!(members, components);
    for (record, members) in records.iter().zip(members) {
        let links = list(&record["links"]);
        assert_eq!(links.len() + 1, members.len(), "a spanning tree");
        assert!(links.iter().all(|link| is_link([name(&link["a"]), name(&link["b"])])));
    }
}

fn record(line: &str) -> Value {
    serde_json::from_str(line).expect("JSON")
}

fn name(value: &Value) -> String {
    value.as_str().expect("a name").to_owned()
}

fn answered(more: &[&str], file: &str) -> anyhow::Result<String> {
    let words = ["dedup", "clusters"].iter().chain(more);
    let Ok(Request::Clusters(flags)) = dispatch::read(words.map(Into::into)) else {
        panic!("sound flags");
    };
    clusters::render(&flags, Path::new(file), &Progress::of_run(false))
}

impl Pair {
    /// Reports whether the pair links two texts of a cluster.
    fn links(&self, level: Verdict) -> bool {
        self.verdict >= level && !self.is_accepted
    }
}

/// Parses a record that every reader understands in the same way: each field occurs once, and the
/// figures are possible. `None` for any other line.
fn pair(line: &str) -> Option<Pair> {
    let value: Value = serde_json::from_str(line).ok()?;
    // No field occurs twice, and no name is spelled with escapes.
    let is_plain = value.to_string().len() == line.len();
    let name = |name: &Value| {
        let name = name.as_str().or_else(|| name["path"].as_str())?;
        (!name.is_empty() && !name.contains(char::is_control)).then(|| name.to_owned())
    };
    let names = [name(&value["a"])?, name(&value["b"])?];
    let verdict = Verdict::LADDER.into_iter().find(|level| value["verdict"] == level.name())?;
    let figures = value.get("measures").unwrap_or(&value);
    let (shared, union) = (figures["shared"].as_u64()?, figures["union"].as_u64()?);
    let is_share = |share: &Value| {
        share.is_null() || share.as_f64().is_some_and(|share| (0.0..=1.0).contains(&share))
    };
    let jaccard = &figures["jaccard"];
    #[expect(clippy::cast_precision_loss, reason = "small counts")]
    let is_quotient =
        || jaccard.as_f64().is_some_and(|it| (it - shared as f64 / union as f64).abs() < 1e-9);
    let is_possible = figures["hamming"].as_u64()? <= 64
        && (1..1 << 20).contains(&union)
        && shared <= union
        && (jaccard.is_null() || is_quotient())
        && is_share(&figures["containment_a"])
        && is_share(&figures["containment_b"]);
    let is_accepted = match &value["accepted"] {
        Value::Null => false,
        accepted => accepted.as_bool()?,
    };
    let is_known = value.get("schema").is_none_or(|schema| schema == "dedup.pair/2");
    let is_sound = is_plain && is_possible && is_known && names[0] != names[1];
    is_sound.then_some(Pair { names, verdict, is_accepted })
}

/// Returns the connected components of at least two texts, each sorted, ordered by their first
/// text. This is the plain definition: each pair merges the sets of its two texts.
fn components(pairs: &[Pair], level: Verdict) -> Vec<Vec<String>> {
    let mut of: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for Pair { names: [a, b], .. } in pairs.iter().filter(|pair| pair.links(level)) {
        let set = |name: &str| of.get(name).cloned().unwrap_or_default();
        let mut united: BTreeSet<&str> = set(a).union(&set(b)).copied().collect();
        united.extend([a.as_str(), b]);
        for name in &united {
            of.insert(name, united.clone());
        }
    }
    let distinct: BTreeSet<&BTreeSet<&str>> = of.values().collect();
    distinct.into_iter().map(|set| set.iter().map(|name| (*name).to_owned()).collect()).collect()
}
