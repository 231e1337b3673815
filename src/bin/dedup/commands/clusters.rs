//! `dedup clusters`: finds the clusters of pairs, and the texts that a clean corpus would keep.

mod flags;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use anyhow::Context;
use dedup_text::corpus::join::{Forest, removed_by_pairs};
use dedup_text::corpus::preference::{Keep, Worth, in_order};
use dedup_text::display::{counted, inert};
use dedup_text::text::display_path;
use dedup_text::verdict::Verdict;
use serde::Deserialize;

use crate::diagnostics::{self, Diagnostic, Exit};
use crate::io::inputs::lines::Lines;
use crate::io::inputs::record::{BadLine, ID_OFF, WRITERS, field, without_place};
use crate::io::inputs::source::Line;
use crate::io::inputs::table::{Format, HeaderRow};
use crate::io::output;
use crate::model::keeping::Keeping;
use crate::model::rendered::Syntax;
use crate::outputs::no_record_has;
use crate::progress::{Progress, Stage};
use crate::render::records::{CLUSTER_SCHEMA, ClusterRecord, KeptRecord, LinkRecord};

pub(crate) use flags::ClustersFlags;

/// The number of pairs that are held in memory before the redundant ones are dropped.
const MAX_PAIRS_IN_MEMORY: usize = if cfg!(test) { 3 } else { 1 << 20 };

/// Clusters the pairs of standard input. Without `--keep`, the memory needed depends on the number
/// of texts, not of pairs; with `--keep`, the numbers of the texts of each linked pair are kept.
pub(crate) fn answer(flags: &ClustersFlags) -> anyhow::Result<Exit> {
    let progress = Progress::of_run(true);
    output::write_lines(Syntax::Json, &render(flags, Path::new("-"), &progress)?)?;
    Ok(Exit::Success)
}

/// Renders the answer to the pairs of a file; `-` is standard input.
pub(crate) fn render(
    flags: &ClustersFlags,
    file: &Path,
    progress: &Progress,
) -> anyhow::Result<String> {
    let lines = match &flags.keeping.keep {
        None => {
            let mut held = ClusterPairs::default();
            each_pair(file, progress, |pair| {
                if pair.links(flags.level()) { held.add(pair) } else { Ok(()) }
            })?;
            progress.begin(Stage::Joining, 0);
            found(held)?.iter().map(inert::json).collect::<Result<Vec<_>, _>>()?
        }
        Some(keep) => kept(flags, keep, file, progress)?
            .iter()
            .map(|path| inert::json(&KeptRecord { path }))
            .collect::<Result<_, _>>()?,
    };
    Ok(lines.into_iter().map(|line| line + "\n").collect())
}

/// Passes each pair of a file to `take`.
fn each_pair(
    file: &Path,
    progress: &Progress,
    mut take: impl FnMut(ListedPair) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    each_line(file, progress, |line| {
        take(pair(line.bytes()).map_err(|error| line.failed(error).error)?)
    })
}

/// Passes each line of a file to `take`.
fn each_line(
    file: &Path,
    progress: &Progress,
    mut take: impl FnMut(&Line) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let lines = Lines::of_pairs(file);
    let read = progress.begin(Stage::Reading, lines.bytes.unwrap_or_default());
    for source in lines.flatten() {
        read.add(source.bytes());
        take(&source.into_line().map_err(|failed| failed.error)?)?;
    }
    Ok(())
}

/// The pairs that may be needed to link the texts of a cluster.
#[derive(Default)]
struct ClusterPairs {
    pairs: Vec<ListedPair>,
    /// The number of pairs that were left when redundant ones were last dropped.
    thinned: usize,
}

impl ClusterPairs {
    fn add(&mut self, pair: ListedPair) -> anyhow::Result<()> {
        self.pairs.push(pair);
        if self.pairs.len() >= MAX_PAIRS_IN_MEMORY.max(2 * self.thinned) {
            self.thin()?;
        }
        Ok(())
    }

    /// Sorts the pairs, the closest first and equally close ones by name, and drops each pair whose
    /// texts are already linked by closer pairs. No later pair can make it necessary again (Kruskal
    /// 1956).
    fn thin(&mut self) -> anyhow::Result<()> {
        self.pairs.sort_by(|one, other| {
            let product = |shared: u64, union: u64| u128::from(shared) * u128::from(union);
            let nearness = product(other.shared, one.union).cmp(&product(one.shared, other.union));
            nearness.then_with(|| one.link.names().cmp(&other.link.names()))
        });
        let texts = Texts::new(&self.pairs)?;
        let mut forest = texts.forest();
        let is_needed: Vec<bool> = self
            .pairs
            .iter()
            .map(|ListedPair { link, .. }| {
                forest.unite(texts.number(&link.a), texts.number(&link.b))
            })
            .collect();
        let mut is_needed = is_needed.into_iter();
        self.pairs.retain(|_| is_needed.next() == Some(true));
        self.thinned = self.pairs.len();
        Ok(())
    }
}

/// The names of the texts that are in some pair, sorted.
struct Texts {
    names: Vec<String>,
}

impl Texts {
    fn new(pairs: &[ListedPair]) -> anyhow::Result<Self> {
        let names = pairs.iter().flat_map(|pair| [&*pair.link.a, &pair.link.b]);
        let names: BTreeSet<&str> = names.collect();
        u32::try_from(names.len()).context("more than 2^32 texts in pairs")?;
        Ok(Self { names: names.into_iter().map(str::to_owned).collect() })
    }

    /// Returns the number of a text, which must be in some pair.
    fn number(&self, name: &str) -> u32 {
        let before = self.names.partition_point(|known| known.as_str() < name);
        u32::try_from(before).unwrap_or(u32::MAX) // there are no more texts
    }

    /// Returns a forest in which each text is a tree by itself.
    fn forest(&self) -> Forest {
        Forest::new(u32::try_from(self.names.len()).unwrap_or(u32::MAX))
    }
}

/// Returns the clusters, ordered by their first texts, each with the closest links that hold it
/// together.
fn found(mut held: ClusterPairs) -> anyhow::Result<Vec<ClusterRecord>> {
    held.thin()?;
    let texts = Texts::new(&held.pairs)?;
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
        schema: CLUSTER_SCHEMA,
        links: of_tree.remove(&members[0]).unwrap_or_default(),
        members: members.iter().map(|member| texts.names[*member as usize].clone()).collect(),
        earlier: Vec::new(),
    };
    Ok(forest.trees().into_iter().map(cluster).collect())
}

/// Returns the names of the texts that are kept, in the order in which they are first mentioned.
/// The texts are those of `--texts`, followed by those that only occur in pairs.
fn kept(
    flags: &ClustersFlags,
    keep: &Keep,
    file: &Path,
    progress: &Progress,
) -> anyhow::Result<Vec<String>> {
    let mut texts = KnownTexts::default();
    let by = match keep {
        Keep::First => None,
        Keep::Longest => Some("words"),
        Keep::Newest(field) | Keep::Field(field) => Some(field.as_str()),
    };
    let (mut has_field, mut has_worth) = (false, false);
    read_texts(flags, progress, |id, line| {
        let number = texts.number(id)?;
        let value = by.and_then(|by| line.field(by));
        let worth = keep.worth(value.as_deref());
        (has_field, has_worth) = (has_field || value.is_some(), has_worth || worth.is_some());
        texts.worth[number as usize] = worth;
        Ok(())
    })?;
    if let Some(by) = by.filter(|_| !has_worth) {
        let texts = flags.texts.as_deref().unwrap_or(Path::new("-"));
        let there =
            (!has_field).then(|| Lines::fields_hint(texts, Format::JsonLines, HeaderRow::On));
        return Err(no_record_has(keep, by, there.as_deref()).into());
    }
    let given = texts.names.len();
    let mut is_any_given = false;
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    each_pair(file, progress, |pair| {
        let is_link = pair.links(flags.level());
        let (a, b) = (texts.number(pair.link.a)?, texts.number(pair.link.b)?);
        is_any_given |= (a.min(b) as usize) < given;
        if is_link {
            pairs.push((a, b));
        }
        Ok(())
    })?;
    if let (Some(path), [text, ..], lacking @ [other, ..]) =
        (&flags.texts, &texts.names[..given], &texts.names[given..])
    {
        let (what, hint) = if is_any_given {
            let what =
                format!("lacks {} of the pairs, such as {other}", counted(lacking.len(), "text"));
            (what, "--texts needs the records of all texts, in one file")
        } else {
            let what = format!(
                "no text is in any pair: its texts have names such as {text}, pairs such as {other}"
            );
            (what, "--id FIELD names the field with their ids")
        };
        let warning = Diagnostic::new(format!("{}: {what}", display_path(path))).hint(hint);
        diagnostics::warn_with_hint(&warning.into());
    }
    progress.begin(Stage::Joining, 0);
    let count = texts.names.len();
    let position = |text| text as usize;
    let order = in_order(&texts.worth, |_| false, |worth| worth, position);
    let mut forest = Forest::new(u32::try_from(count).unwrap_or(u32::MAX));
    for (a, b) in &pairs {
        forest.unite(*a, *b);
    }
    let clusters = forest.trees();
    let members = clusters.iter().map(Vec::as_slice);
    let direct = || removed_by_pairs(&pairs, &order);
    let keeping = Keeping::new(flags.keeping.keep_by, members, &order, |_| false, direct);
    if let Some(chains) = keeping.chains() {
        diagnostics::note(&chains);
    }
    let kept = texts.names.into_iter().zip(&keeping.removed);
    Ok(kept.filter(|(_, partner)| partner.is_none()).map(|(name, _)| name).collect())
}

/// The known texts, by name, numbered in the order in which they are first mentioned.
#[derive(Default)]
struct KnownTexts {
    names: Vec<String>,
    worth: Vec<Worth>,
    numbers: HashMap<String, u32>,
}

impl KnownTexts {
    /// Returns the number of a text. A new name gets a new number.
    fn number(&mut self, name: String) -> anyhow::Result<u32> {
        if let Some(number) = self.numbers.get(&name) {
            return Ok(*number);
        }
        let number = u32::try_from(self.names.len()).context("more than 2^32 texts in pairs")?;
        self.names.push(name.clone());
        self.worth.push(Worth::Nothing);
        self.numbers.insert(name, number);
        Ok(number)
    }
}

/// Passes the ID and the line of each record of `--texts` to `take`.
fn read_texts(
    flags: &ClustersFlags,
    progress: &Progress,
    mut take: impl FnMut(String, &Line) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let Some(path) = &flags.texts else { return Ok(()) };
    each_line(Path::new(path), progress, |line| {
        let is_off = flags.id() == ID_OFF;
        let has_place = || is_off || flags.id.is_none() && line.may_lack(flags.id());
        let field = if is_off { None } else { line.field(flags.id()) };
        let id = field.or_else(|| has_place().then(|| line.id()));
        let lacks = || BadLine::Lacks { field: flags.id().to_owned(), there: Vec::new() };
        take(id.ok_or_else(|| line.failed(lacks()).error)?, line)
    })
}

// A line of input → the pair that it records.

/// The schema of full records. The records of the integrations have none.
const PAIR_SCHEMA: &str = "dedup.pair/2";

/// The largest difference between a Jaccard index and the ratio of its counts that is accepted as
/// rounding.
const ROUNDING: f64 = 1e-6;

/// A pair as the integrations write it, or its full record.
#[derive(Deserialize)]
struct PairRecord {
    schema: Option<String>,
    a: Name,
    b: Name,
    verdict: String,
    accepted: Option<bool>,
    #[serde(flatten)]
    figures: Option<Figures>,
    measures: Option<Figures>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a text that is neither an id nor an object with path")]
enum Name {
    Id(String),
    Text { path: String },
}

#[derive(Clone, Copy, Deserialize)]
struct Figures {
    hamming: u32,
    jaccard: Option<f64>,
    shared: u64,
    union: u64,
    containment_a: Option<f64>,
    containment_b: Option<f64>,
}

/// A pair that was read.
#[derive(Debug)]
pub(super) struct ListedPair {
    pub(super) shared: u64,
    pub(super) union: u64,
    pub(super) verdict: Verdict,
    /// Whether a baseline has accepted the pair.
    pub(super) is_accepted: bool,
    pub(super) link: LinkRecord,
}

impl ListedPair {
    /// Reports whether the pair links its texts: it reaches the level, and was not accepted.
    fn links(&self, level: Verdict) -> bool {
        self.verdict >= level && !self.is_accepted
    }
}

/// Parses a pair.
///
/// # Errors
///
/// [`BadLine::NoPair`] if the line is not a pair, [`BadLine::OtherSchema`] if it has another
/// schema, and [`BadLine::Impossible`] if it has figures that no two texts can have.
pub(super) fn pair(line: &[u8]) -> Result<ListedPair, BadLine> {
    let wanted = "an object with a, b, verdict, hamming, shared and union";
    let no_pair = |found: String| BadLine::NoPair { found, wanted, hint: WRITERS };
    let read: Result<PairRecord, _> = serde_json::from_slice(line);
    let schema = match &read {
        Ok(record) => record.schema.clone(),
        // A record of another schema has other fields, so that it cannot be parsed as a pair.
        Err(_) => field(line, "schema"),
    };
    if let Some(schema) = schema.filter(|schema| schema != PAIR_SCHEMA) {
        return Err(BadLine::OtherSchema { schema, wanted: PAIR_SCHEMA });
    }
    let record = read.map_err(|error| no_pair(without_place(&error)))?;
    let figures = record.measures.or(record.figures);
    let figures = figures.ok_or_else(|| no_pair("no figures".to_owned()))?;
    if let Some(found) = figures.impossible() {
        return Err(BadLine::Impossible { found });
    }
    let verdict = Verdict::from_name(&record.verdict)
        .ok_or_else(|| no_pair("not a verdict of dedup".to_owned()))?;
    let [a, b] = [record.a, record.b].map(|name| match name {
        Name::Id(name) | Name::Text { path: name } => name,
    });
    let Figures { hamming, jaccard, shared, union, containment_a, containment_b } = figures;
    let jaccard = (union > 0).then(|| jaccard.unwrap_or(figures.ratio()));
    let name = verdict.name();
    Ok(ListedPair {
        shared,
        union,
        verdict,
        is_accepted: record.accepted == Some(true),
        link: LinkRecord { a, b, verdict: name, hamming, jaccard, containment_a, containment_b },
    })
}

impl Figures {
    /// Returns the first figure that no two texts can have. `None` if all are possible.
    fn impossible(self) -> Option<String> {
        let Self { hamming, jaccard, shared, union, containment_a, containment_b } = self;
        if hamming > 64 {
            return Some(format!("hamming {hamming} of 64 bits"));
        }
        if shared > union {
            return Some(format!("shared {shared} of union {union}"));
        }
        let shares = [
            ("jaccard", jaccard),
            ("containment_a", containment_a),
            ("containment_b", containment_b),
        ];
        let is_share = |share: f64| (0.0..=1.0).contains(&share);
        let beyond = shares.into_iter().find(|(_, share)| share.is_some_and(|it| !is_share(it)));
        if let Some((name, Some(share))) = beyond {
            return Some(format!("{name} {share}"));
        }
        jaccard
            .filter(|jaccard| union > 0 && (jaccard - self.ratio()).abs() > ROUNDING)
            .map(|jaccard| format!("jaccard {jaccard}, shared {shared} and union {union}"))
    }

    /// Returns the Jaccard index by its counts; NaN if the union is empty.
    #[expect(clippy::cast_precision_loss, reason = "it is rounded, as in JSON")]
    fn ratio(self) -> f64 {
        self.shared as f64 / self.union as f64
    }
}

#[cfg(test)]
mod record_tests {
    use super::*;

    fn line(figures: &str) -> String {
        format!("{{\"a\":\"x\",\"b\":\"y\",\"verdict\":\"partial\",{figures}}}")
    }

    #[test]
    fn what_no_two_texts_have_is_no_pair() {
        #[rustfmt::skip]
        let table = [
            ("as they are",            r#""hamming":3,"shared":1,"union":3,"jaccard":0.3333333333333333"#,      None),
            ("rounded",                r#""hamming":3,"shared":1,"union":3,"jaccard":0.3333333"#,               None),
            ("no shingle",             r#""hamming":0,"shared":0,"union":0,"jaccard":null"#,                    None),
            ("all bits",               r#""hamming":64,"shared":0,"union":3,"jaccard":0"#,                      None),
            ("a bit more",             r#""hamming":65,"shared":0,"union":3,"jaccard":0"#,                      Some("hamming 65 of 64 bits")),
            ("more shared than there", r#""hamming":3,"shared":4,"union":3,"jaccard":1"#,                       Some("shared 4 of union 3")),
            ("more than all",          r#""hamming":3,"shared":3,"union":3,"jaccard":1.5"#,                     Some("jaccard 1.5")),
            ("less than none",         r#""hamming":3,"shared":0,"union":3,"jaccard":-0.25"#,                   Some("jaccard -0.25")),
            ("another share",          r#""hamming":3,"shared":1,"union":4,"jaccard":0.5"#,                     Some("jaccard 0.5, shared 1 and union 4")),
            ("contained too much",     r#""hamming":3,"shared":1,"union":1,"jaccard":1,"containment_b":1.25"#,  Some("containment_b 1.25")),
        ];
        for (why, figures, want) in table {
            let found = pair(line(figures).as_bytes()).map(|pair| pair.verdict);
            let want = want.map_or(Ok(Verdict::Partial), |found| {
                Err(BadLine::Impossible { found: found.to_owned() })
            });
            assert_eq!(found, want, "{why}");
        }
    }

    #[test]
    fn a_record_is_of_our_schema_or_of_none() {
        let figures = "\"hamming\":3,\"shared\":1,\"union\":2,\"jaccard\":0.5";
        let read = |more: &str| pair(line(&format!("{more}{figures}")).as_bytes());
        assert!(!read("").unwrap().is_accepted);
        assert!(!read(r#""schema":"dedup.pair/2","accepted":false,"#).unwrap().is_accepted);
        assert!(read(r#""schema":"dedup.pair/2","accepted":true,"#).unwrap().is_accepted);
        for schema in ["dedup.pair/1", "dedup.cluster/1", ""] {
            let want = BadLine::OtherSchema { schema: schema.to_owned(), wanted: PAIR_SCHEMA };
            assert_eq!(read(&format!("\"schema\":\"{schema}\",")).unwrap_err(), want);
        }
        assert!(matches!(read(r#""accepted":"yes","#).unwrap_err(), BadLine::NoPair { .. }));
    }
}

#[cfg(test)]
mod tests;
