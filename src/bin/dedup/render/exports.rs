//! Judged pairs → the formats that other programs and pull requests read.
//!
//! Goes in: a pair at a time, on whichever thread, and then what is known of the run. Comes
//! out: the whole, the same bytes for the same pairs. Each format but the badge is a file here:
//! what a pair comes to in it, and the whole from such pieces.

mod findings;
pub(crate) mod csv;
pub(super) mod sarif;
mod github;
mod junit;
mod gitlab;
mod markdown;

use dedup_text::inert;
use dedup_text::pair::Undecided;
use dedup_text::text::Text;
use dedup_text::verdict::Verdict;
use dedup_text::words::counted;
use serde::Serialize;

use crate::io::failures::Failures;
use crate::io::output::Whole;
use crate::model::names::Names;
use crate::model::{Export, Pair, Weight};

pub(crate) use findings::{Piece, Pieces};

/// A format, and what texts are called in it.
#[derive(Debug)]
pub(crate) struct Exporter {
    export: Export,
    names: Names,
    weight: Weight,
}

/// What is known of a run besides its pairs.
pub(crate) struct Run<'r> {
    /// The verdict that is asked for.
    pub(crate) level: Verdict,
    /// The texts that are compared with each other, but for those that are old.
    pub(crate) texts: Vec<&'r Text>,
    /// How many texts are compared, old ones included.
    pub(crate) compared: usize,
    /// Whether the run has errors, so that what it found may not be all.
    pub(crate) has_errors: bool,
    /// What was compared and what was not: `8 texts compared`.
    pub(crate) counts: String,
    /// What should have been a text.
    pub(crate) failed: &'r Failures,
    /// The texts that are too short to be compared, by name, each with the reason.
    pub(crate) short: Vec<(String, &'r Undecided)>,
    /// The texts that are not what they look like, by name, each with what was found.
    pub(crate) disguised: Vec<(String, String)>,
}

impl Exporter {
    pub(crate) fn new(export: Export, names: Names, weight: Weight) -> Self {
        Self { export, names, weight }
    }

    /// What a pair comes to.
    pub(crate) fn piece(&self, pair: &Pair) -> anyhow::Result<Piece> {
        let names = &self.names;
        let written = match self.export {
            Export::Csv => vec![csv::row(pair, names)?],
            Export::Sarif => sarif::results(pair, names)?,
            Export::Github => github::annotations(pair, names, self.weight),
            Export::Junit => junit::failures(pair, names),
            Export::Gitlab => gitlab::entries(pair, names)?,
            Export::Markdown => markdown::parts(pair, names),
            Export::Badge => Vec::new(),
        };
        Ok(Piece::new(pair, written))
    }

    /// Where the pieces go.
    pub(crate) fn pieces(&self) -> Pieces {
        match self.export {
            Export::Csv | Export::Badge => Pieces::all_with(""),
            Export::Junit => Pieces::by_text(junit::MOST_PAIRS),
            Export::Gitlab => Pieces::all_with(gitlab::SEPARATOR),
            Export::Sarif => Pieces::closest_of(sarif::MOST),
            Export::Github => Pieces::closest_of(github::MOST),
            Export::Markdown => Pieces::closest_of(markdown::MOST_PAIRS),
        }
    }

    /// What stands before the pieces of a format that has nothing else besides; none of others.
    pub(crate) fn only_head(&self) -> Option<String> {
        (self.export == Export::Csv).then(csv::head)
    }

    /// What stands behind the pieces of a format that has a head alone before them.
    pub(crate) fn tail(&self, run: &Run) -> anyhow::Result<String> {
        if self.export == Export::Csv { csv::remarks(run) } else { Ok(String::new()) }
    }

    /// The whole.
    pub(crate) fn whole(&self, pieces: Pieces, run: &Run) -> anyhow::Result<Whole> {
        Ok(match self.export {
            Export::Csv => {
                Whole::from(csv::head()).with_records(pieces.all()).with_text(csv::remarks(run)?)
            }
            Export::Sarif => sarif::log(pieces, run)?.into(),
            Export::Github => github::log(pieces, run).into(),
            Export::Junit => junit::suite(pieces, run, &self.names)?,
            Export::Gitlab => gitlab::list(pieces),
            Export::Markdown => markdown::page(pieces, run).into(),
            Export::Badge => badge(&pieces, run, self.weight)?.into(),
        })
    }

    /// The whole of one pair.
    pub(super) fn alone(&self, pair: &Pair) -> anyhow::Result<Whole> {
        let mut pieces = self.pieces();
        pieces.add(self.piece(pair)?)?;
        let is_one = self.names.plain(pair.left) == self.names.plain(pair.right);
        let run = Run {
            level: pair.level,
            texts: if is_one { vec![pair.left] } else { vec![pair.left, pair.right] },
            compared: 2,
            has_errors: false,
            counts: "2 texts compared".to_owned(),
            failed: &Failures::default(),
            short: Vec::new(),
            disguised: Vec::new(),
        };
        self.whole(pieces, &run)
    }
}

// A badge of shields.io, by the schema of its endpoint: how many pairs there are.

/// <https://shields.io/badges/endpoint-badge>
#[derive(Serialize)]
struct Badge {
    #[serde(rename = "schemaVersion")]
    schema_version: u32,
    label: &'static str,
    message: String,
    color: &'static str,
}

/// The badge. "none" is never said of texts that were not all compared.
fn badge(pieces: &Pieces, run: &Run, weight: Weight) -> anyhow::Result<String> {
    let is_compared = run.compared > 1 && !run.has_errors;
    let (message, color) = match (pieces.findings(), weight) {
        (0, _) if !is_compared => ("not compared".to_owned(), "lightgrey"),
        (0, _) => ("none".to_owned(), "brightgreen"),
        (pairs, Weight::Error) => (counted(pairs, "pair"), "red"),
        (pairs, Weight::Warning) => (counted(pairs, "pair"), "orange"),
    };
    Ok(inert::json(&Badge { schema_version: 1, label: "copies", message, color })? + "\n")
}
