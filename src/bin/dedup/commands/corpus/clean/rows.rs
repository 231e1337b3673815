//! A clean corpus of CSV: the cells that are added to its rows, and the rows of what is removed.

use std::path::Path;

use dedup_text::inert;
use dedup_text::text::display_path;

use super::{Cleaning, RemovedRecord};
use crate::diagnostics::Diagnostic;
use crate::io::inputs::source::Failed;
use crate::io::inputs::table::{cell, without_end};
use crate::io::rewrite::{Columns, Layout};

/// The columns of a record that is removed: strings, and figures.
pub(super) const NAMES: [&str; 3] = ["id", "kept_id", "verdict"];
pub(super) const FIGURES: [&str; 2] = ["jaccard", "coverage"];

/// What stands before the records that are removed.
pub(super) fn removed_header(layout: Layout) -> String {
    match layout {
        Layout::JsonLines | Layout::Parquet => String::new(),
        Layout::Rows { delimiter } => {
            let columns = [NAMES.as_slice(), &FIGURES].concat();
            columns.join(&char::from(delimiter).to_string()) + "\n"
        }
    }
}

/// The line of a record that is removed.
pub(super) fn removed(layout: Layout, record: &RemovedRecord) -> anyhow::Result<String> {
    match layout {
        Layout::Rows { delimiter } => Ok(removed_row(record, delimiter)),
        Layout::JsonLines | Layout::Parquet => Ok(inert::json(record)? + "\n"),
    }
}

/// Checks that a field which is to be added is not there.
pub(super) fn check(run: &Cleaning, path: &Path, columns: Columns) -> anyhow::Result<()> {
    let Some(field) = &run.flags.annotate else { return Ok(()) };
    let failed = match columns {
        Columns::OfHeader(table) if table.columns().contains(field) => {
            Failed::of_line(path, table.first - 1, has_already(field))
        }
        Columns::OfFooter(footer) if footer.has(field) => {
            Failed::of_record(display_path(path).into_owned(), has_already(field))
        }
        _ => return Ok(()),
    };
    Err(failed.error)
}

/// The error where a field that is to be added is there.
pub(super) fn has_already(field: &str) -> Diagnostic {
    Diagnostic::new(format!("has a field {field} already, expected a new one for --annotate"))
        .hint("--annotate takes any other name")
}

/// A row with one more cell before its end.
pub(super) fn with_cell(row: &[u8], value: &str, delimiter: u8) -> Vec<u8> {
    let (content, end) = row.split_at(without_end(row).len());
    [content, &[delimiter], &cell(value.as_bytes(), delimiter), end].concat()
}

/// The row of a record that is removed.
fn removed_row(record: &RemovedRecord, delimiter: u8) -> String {
    let figure = |value: Option<f64>| value.map(|value| format!("{value:?}")).unwrap_or_default();
    let quoted =
        |value: &str| String::from_utf8_lossy(&cell(value.as_bytes(), delimiter)).into_owned();
    let RemovedRecord { id, kept_id, verdict, jaccard, coverage } = record;
    let cells =
        [quoted(id), quoted(kept_id), (*verdict).to_owned(), figure(*jaccard), figure(*coverage)];
    cells.join(&char::from(delimiter).to_string()) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_added_to_a_row_and_nothing_else() {
        #[rustfmt::skip]
        let table: [(&str, &str, &str, u8, &str); 7] = [
            ("a duplicate",     "1,a\n",          "x",    b',',  "1,a,x\n"),
            ("none",            "1,a\r\n",        "",     b',',  "1,a,\r\n"),
            ("no end",          "1,a",            "x",    b',',  "1,a,x"),
            ("a quote in it",   "1,a\r",          "x\"y", b',',  "1,a,\"x\"\"y\"\r"),
            ("a comma in it",   "1,a\n",          "x,y",  b',',  "1,a,\"x,y\"\n"),
            ("by tabs",         "1\ta\n",         "x,y",  b'\t', "1\ta\tx,y\n"),
            ("a feed in cells", "1,\"a\nb\"\n",   "x",    b',',  "1,\"a\nb\",x\n"),
        ];
        for (why, row, value, delimiter, want) in table {
            let got = with_cell(row.as_bytes(), value, delimiter);
            assert_eq!(String::from_utf8(got).unwrap(), want, "{why}");
        }
    }
}
