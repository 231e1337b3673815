//! Apache Parquet, where it is built in: a file → its records, and records → a file.
//!
//! All that depends on the feature `parquet` stands here. Without it `none` has the same names, and each of its
//! functions says that such files are not read.

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

/// What cannot be read of a file, with its place for people; that is in the error, too.
pub(crate) struct Lost {
    pub(crate) name: String,
    pub(crate) error: anyhow::Error,
}

/// The name of a row of a file, from 1 on, for people.
pub(crate) fn name_of_row(file: &Path, number: u64) -> String {
    format!("{}: row {number}", display_path(file))
}
