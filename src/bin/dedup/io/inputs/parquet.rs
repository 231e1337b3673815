//! Apache Parquet, if it is built in: reads the records of a file, and writes records to a file.
//!
//! Everything that depends on the feature `parquet` is in this module. Without the feature, `none`
//! defines the same names, and each of its functions reports that such files cannot be read.

#[cfg(not(feature = "parquet"))]
mod none;
#[cfg(feature = "parquet")]
mod pages;
#[cfg(feature = "parquet")]
mod rows;
#[cfg(feature = "parquet")]
mod write;

use std::path::Path;

use dedup_text::text::display_path;

#[cfg(not(feature = "parquet"))]
pub(crate) use none::{Footer, Row, Rows, Writer, write_table};
#[cfg(feature = "parquet")]
pub(crate) use {
    rows::{Footer, Row, Rows},
    write::{Writer, write_table},
};

/// A row or row group that cannot be read, with its name for messages; the error contains the name
/// too.
pub(crate) struct UnreadableRow {
    pub(crate) name: String,
    pub(crate) error: anyhow::Error,
}

/// Returns the name of a row of a file, counted from 1, for messages.
pub(crate) fn name_of_row(file: &Path, number: u64) -> String {
    format!("{}: row {number}", display_path(file))
}
