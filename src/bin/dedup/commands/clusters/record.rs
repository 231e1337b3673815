//! A line → the pair that it records.

use dedup_text::verdict::Verdict;
use serde::Deserialize;

use crate::io::inputs::record::{BadLine, field};
use crate::render::corpus::clusters::LinkRecord;

/// The schema of full records. Those of the integrations have none.
const SCHEMA: &str = "dedup.pair/2";

/// How far a Jaccard index may be from the counts that it is made of: programs round it.
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
#[serde(untagged)]
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
pub(super) struct Pair {
    pub(super) shared: u64,
    pub(super) union: u64,
    pub(super) verdict: Verdict,
    /// Whether a baseline has accepted it.
    pub(super) is_accepted: bool,
    pub(super) link: LinkRecord,
}

/// Reads a pair.
///
/// # Errors
///
/// [`BadLine::NoPair`] where it is none, is of another schema, or has figures that no two texts
/// have.
pub(super) fn pair(line: &[u8]) -> Result<Pair, BadLine> {
    let no_pair = |found: String| BadLine::NoPair { found };
    let read: Result<PairRecord, _> = serde_json::from_slice(line);
    let schema = match &read {
        Ok(record) => record.schema.clone(),
        // A record by another schema has other fields.
        Err(_) => field(line, "schema"),
    };
    if let Some(schema) = schema.filter(|schema| schema != SCHEMA) {
        return Err(BadLine::OtherSchema { schema, wanted: SCHEMA });
    }
    let record = read.map_err(|error| {
        no_pair(error.to_string().split(" at line ").next().unwrap_or_default().to_owned())
    })?;
    let figures = record.measures.or(record.figures);
    let figures = figures.ok_or_else(|| no_pair("no figures".to_owned()))?;
    if let Some(found) = figures.impossible() {
        return Err(BadLine::Impossible { found });
    }
    let verdict = Verdict::from_name(&record.verdict)
        .ok_or_else(|| no_pair("no verdict of ours".to_owned()))?;
    let [a, b] = [record.a, record.b].map(|name| match name {
        Name::Id(name) | Name::Text { path: name } => name,
    });
    let Figures { hamming, jaccard, shared, union, containment_a, containment_b } = figures;
    let jaccard = jaccard.filter(|_| union > 0);
    let name = verdict.name();
    let told = LinkRecord { a, b, verdict: name, hamming, jaccard, containment_a, containment_b };
    let is_accepted = record.accepted == Some(true);
    Ok(Pair { shared, union, verdict, is_accepted, link: told })
}

impl Figures {
    /// What no two texts can have; none where all is possible.
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
        #[expect(clippy::cast_precision_loss, reason = "it is compared as it is rounded")]
        let ratio = shared as f64 / union as f64;
        jaccard
            .filter(|jaccard| union > 0 && (jaccard - ratio).abs() > ROUNDING)
            .map(|jaccard| format!("jaccard {jaccard}, shared {shared} and union {union}"))
    }
}

#[cfg(test)]
mod tests {
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
            let want = BadLine::OtherSchema { schema: schema.to_owned(), wanted: SCHEMA };
            assert_eq!(read(&format!("\"schema\":\"{schema}\",")).unwrap_err(), want);
        }
        assert!(matches!(read(r#""accepted":"yes","#).unwrap_err(), BadLine::NoPair { .. }));
    }
}
