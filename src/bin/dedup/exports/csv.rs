//! Renders CSV for spreadsheets and data frames: a header, and a row for each pair.
//!
//! Follows RFC 4180, except that lines end with a line feed. An apostrophe is put before a cell
//! that a spreadsheet would read as a formula.

use std::path::Path;

use anyhow::Context;
use dedup_text::jaccard::Share;
use dedup_text::pair::warnings::described;
use dedup_text::record::{AcceptedBy, coverage};
use dedup_text::text::Side;

use super::{Export, ExportFormat, RenderedPair, Run, TextRemark};
use crate::model::names::Names;
use crate::model::persons::Time;
use crate::model::rendered::{Rendered, Spool, Syntax};
use crate::model::{KEY_HEADER, Pair};

pub(super) const FORMAT: ExportFormat = ExportFormat {
    has_passages: false,
    ..ExportFormat::new("csv", Syntax::Other, || {
        Box::new(Csv { head: head(), rows: Spool::new("") })
    })
};

/// The header and the rows of the pairs, as far as they were not taken.
struct Csv {
    head: String,
    rows: Spool,
}

impl Export for Csv {
    fn render(&self, pair: &Pair, names: &Names) -> anyhow::Result<String> {
        row(pair, names)
    }

    fn add(&mut self, pair: RenderedPair) -> anyhow::Result<()> {
        Ok(self.rows.add(&pair.record)?)
    }

    fn take_lines(&mut self) -> Option<Rendered> {
        let rows = std::mem::replace(&mut self.rows, Spool::new(""));
        Some(Rendered::from(std::mem::take(&mut self.head)).with_records(rows))
    }

    fn finish(self: Box<Self>, run: &Run) -> anyhow::Result<Rendered> {
        remarks(Rendered::from(self.head).with_records(self.rows), run)
    }
}

/// The names of the columns. They never change, and new columns are added at the end.
#[rustfmt::skip]
const COLUMNS: [&str; 31] = [
    "a", "b", "verdict", "decided_by",
    "hamming", "jaccard", "shared", "union", "containment_a", "containment_b", "words_a", "words_b",
    "passages", "coverage_words_a", "coverage_words_b", "coverage_share_a", "coverage_share_b", "coverage_longest",
    "accepted", "accepted_by", "note",
    "name_a", "name_b", "submitted_a", "submitted_b", "later",
    "coverage_same_a", "coverage_same_b", "coverage_changed_a", "coverage_changed_b",
    "earlier",
];

/// The index of the column of remarks.
const NOTE: usize = 20;

/// Returns the header line. None of its cells needs quotes.
fn head() -> String {
    COLUMNS.join(",") + "\n"
}

/// Renders the row of a pair. The cells of unknown values are empty.
fn row(pair: &Pair, names: &Names) -> anyhow::Result<String> {
    let judgement = pair.judgement;
    let figures = &judgement.comparison;
    let decided_by: Vec<&str> = judgement.decision.decided_by.iter().map(|it| it.name()).collect();
    let share = |share: Option<Share>| some(share.map(Share::ratio));
    let coverage = coverage(judgement);
    let coverage = coverage.as_ref();
    let person = |side: usize| pair.persons.get(side).copied().flatten();
    let name = |side| person(side).and_then(|it| it.name.clone()).unwrap_or_default();
    let submitted = |side| some(person(side).and_then(|it| it.submitted.as_ref()).map(Time::iso));
    let letter = |side: Option<Side>| some(side.map(|it| if it == Side::Left { "a" } else { "b" }));
    line([
        guarded(names.plain(pair.left)),
        guarded(names.plain(pair.right)),
        judgement.decision.verdict.name().to_owned(),
        decided_by.join(" "),
        some(figures.hamming),
        share(figures.jaccard()),
        figures.all.shared.to_string(),
        figures.all.union().to_string(),
        share(figures.containment_left()),
        share(figures.containment_right()),
        judgement.left.words.to_string(),
        judgement.right.words.to_string(),
        some(judgement.matches.as_ref().map(|matches| matches.all.len())),
        some(coverage.map(|it| it.words_a)),
        some(coverage.map(|it| it.words_b)),
        some(coverage.and_then(|it| it.share_a)),
        some(coverage.and_then(|it| it.share_b)),
        some(coverage.map(|it| it.longest)),
        some(pair.is_accepted),
        some(pair.accepted_by.map(AcceptedBy::name)),
        pair_note(pair),
        guarded(name(0)),
        guarded(name(1)),
        submitted(0),
        submitted(1),
        letter(pair.later()),
        some(coverage.and_then(|it| it.same_a)),
        some(coverage.and_then(|it| it.same_b)),
        some(coverage.and_then(|it| it.changed_a)),
        some(coverage.and_then(|it| it.changed_b)),
        letter(pair.earlier),
    ])
}

/// Describes the disguises that were undone in the texts of a pair before they were compared.
fn pair_note(pair: &Pair) -> String {
    let sides = [("a", pair.left), ("b", pair.right)];
    let notes = sides.into_iter().flat_map(|(side, text)| {
        text.disguises().iter().map(move |found| format!("{side}: {}", described(found)))
    });
    notes.collect::<Vec<_>>().join("; ")
}

/// Appends rows for single texts to `before`: remarks, whether the texts are in a pair or not; and texts
/// that were not compared, with the reason and what to do about it. A skipped file has a row if its name is kept.
/// Only `a`, `verdict` and `note` are filled.
fn remarks(before: Rendered, run: &Run) -> anyhow::Result<Rendered> {
    let mut first = String::new();
    for TextRemark { name, kind, found, .. } in &run.remarks {
        first += &remark(name, kind.code(), found)?;
    }
    if let Some(excluded) = run.excluded_by_authors() {
        first += &remark("", "left-out", &excluded.to_string())?;
    }
    let failed = run.failed.written("", |failed| {
        let name = run.names.plain_path(Path::new(&failed.name));
        remark(&name, "not-compared", &failed.with_hint()).unwrap_or_default()
    })?;
    let mut others = String::new();
    for (name, why) in &run.short {
        others += &remark(name, "not-compared", &why.to_string())?;
    }
    for (why, _) in run.skipped.counts() {
        for name in run.skipped.files(why) {
            others += &remark(name, "not-compared", &why.with_hint())?;
        }
    }
    Ok(before.with_text(first).with_records(failed).with_text(others))
}

/// Renders the row of a single text.
fn remark(name: &str, what: &str, note: &str) -> anyhow::Result<String> {
    let mut cells = [const { String::new() }; COLUMNS.len()];
    (cells[0], cells[2]) = (guarded(name.to_owned()), what.to_owned());
    cells[NOTE] = guarded(note.to_owned());
    line(cells)
}

/// Renders the key of a report that hides the names: the name that the report shows for each text,
/// and its real name.
pub(crate) fn key(lines: &[(String, String)]) -> anyhow::Result<String> {
    let rows = lines.iter().map(|(shown, name)| line([shown.clone(), guarded(name.clone())]));
    Ok(KEY_HEADER.to_owned() + &rows.collect::<anyhow::Result<String>>()?)
}

fn some(figure: Option<impl ToString>) -> String {
    figure.map(|figure| figure.to_string()).unwrap_or_default()
}

/// Returns a cell that no spreadsheet reads as a formula (OWASP, CSV Injection).
fn guarded(cell: String) -> String {
    let begins_one =
        cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    if begins_one { format!("'{cell}") } else { cell }
}

fn line<const CELLS: usize>(cells: [impl AsRef<[u8]>; CELLS]) -> anyhow::Result<String> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    let written = writer.write_record(cells).map_err(anyhow::Error::from);
    let bytes = written
        .and_then(|()| Ok(writer.into_inner()?))
        .and_then(|bytes| Ok(String::from_utf8(bytes)?));
    bytes.context("the answer cannot be written as CSV")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        #[rustfmt::skip]
        let table = [
            ("a sum",             "=1+1.txt",      "'=1+1.txt"),
            ("a plus",            "+1",            "'+1"),
            ("a minus",           "-",             "'-"),
            ("a function",        "@SUM(A1)",      "'@SUM(A1)"),
            ("a tab",             "\t=1",          "'\t=1"),
            ("a carriage return", "\r=1",          "'\r=1"),
            ("a line feed",       "\n=1",          "'\n=1"),
            ("of full width",     "＝1",           "'＝1"),
            ("further on",        "a=1",           "a=1"),
            ("nothing",           "",              ""),
        ];
        for (why, cell, want) in table {
            assert_eq!(guarded(cell.to_owned()), want, "{why}");
        }
    }

    #[test]
    fn no_name_of_a_column_is_quoted() {
        assert_eq!(head(), line(COLUMNS).unwrap());
    }

    #[test]
    fn cells_are_quoted_where_that_is_needed() {
        let cells = ["a", "b c", "d,e", "f\"g", "h\ni", ""];
        assert_eq!(line(cells).unwrap(), "a,b c,\"d,e\",\"f\"\"g\",\"h\ni\",\n");
    }
}
