//! Apache Parquet, if it is built in: reads the records of a file, and writes records to a file.
//!
//! Everything that depends on the feature `parquet` is in this module. Without the feature, `none`
//! defines the same names, and each of its functions reports that such files cannot be read.

#[cfg(feature = "parquet")]
mod pages;
#[cfg(feature = "parquet")]
mod rows;
#[cfg(feature = "parquet")]
mod write;

use std::path::Path;
use std::sync::Arc;

#[cfg(not(feature = "parquet"))]
pub(crate) use none::{Footer, Rows, Writer, write_table};
#[cfg(feature = "parquet")]
pub(crate) use {
    rows::{Footer, Rows},
    write::{Writer, write_table},
};

/// A row of a file.
#[derive(Debug)]
pub(crate) struct ParquetRow {
    pub(crate) file: Arc<Path>,
    /// The row number, counted from 1.
    pub(crate) number: u64,
    /// Whether the file cannot be read again.
    pub(crate) is_read_once: bool,
    /// The number of bytes of the file that the row accounts for, used to show progress.
    pub(crate) bytes: u64,
    /// The cells of the text, the id, the group and the value for `--keep`; `None` for a cell that is
    /// null or missing.
    pub(crate) cells: [Option<Vec<u8>>; 4],
}

/// A row or row group that cannot be read, with its name for messages; the error contains the name
/// too.
pub(crate) struct UnreadableRow {
    pub(crate) name: String,
    pub(crate) error: anyhow::Error,
}

/// The replacement for Parquet if it is not built in: no Parquet file can be read or written.
#[cfg(not(feature = "parquet"))]
mod none {
    use std::fs::File;
    use std::num::NonZeroUsize;
    use std::path::Path;

    use dedup_text::parallel::Advance;
    use dedup_text::text::display_path;

    use super::{ParquetRow, UnreadableRow};
    use crate::diagnostics::Diagnostic;
    use crate::io::inputs::record::RequestedFields;
    use crate::io::output::Sink;

    /// Returns the error for a Parquet file.
    fn not_built_in(path: &Path) -> anyhow::Error {
        let path = display_path(path);
        let message = format!("{path}: Parquet, which this build of dedup does not read");
        let hint = "use a released program, or build with --features parquet";
        Diagnostic::new(message).kind("no Parquet").hint(hint).into()
    }

    /// The rows of a file; there are none in this build.
    pub(crate) enum Rows {}

    impl Rows {
        pub(crate) fn new(
            path: &Path,
            _: File,
            _: &RequestedFields,
            _: bool,
            _: (usize, Option<u64>),
        ) -> anyhow::Result<Self> {
            Err(not_built_in(path))
        }

        pub(crate) fn row(self, _: u64) -> Option<ParquetRow> {
            match self {}
        }
    }

    impl Iterator for Rows {
        type Item = Vec<Result<ParquetRow, UnreadableRow>>;

        fn next(&mut self) -> Option<Self::Item> {
            match *self {}
        }
    }

    /// The footer of a file; there is none in this build.
    pub(crate) enum Footer {}

    impl Footer {
        pub(crate) fn read(path: &Path, _: File) -> anyhow::Result<Self> {
            Err(not_built_in(path))
        }

        pub(crate) fn has_columns_of(&self, _: &Self) -> bool {
            match *self {}
        }

        pub(crate) fn has(&self, _: &str) -> bool {
            match *self {}
        }
    }

    /// The writer of a file; there is none in this build.
    pub(crate) enum Writer {}

    impl Writer {
        pub(crate) fn new(
            _: &mut Sink,
            first: &Footer,
            _: Option<&str>,
            _: Option<u64>,
        ) -> anyhow::Result<Self> {
            match *first {}
        }

        pub(crate) fn add(
            &mut self,
            _: &Footer,
            _: impl FnMut(u64) -> Option<u32>,
            _: impl Fn(u32) -> String,
            _: (NonZeroUsize, &Advance),
        ) -> anyhow::Result<()> {
            match *self {}
        }

        pub(crate) fn finish(self) -> anyhow::Result<()> {
            match self {}
        }
    }

    pub(crate) fn write_table(
        _: &mut Sink,
        _: ([&str; 3], [&str; 4]),
        _: impl Iterator<Item = anyhow::Result<([String; 3], [Option<f64>; 4])>>,
    ) -> anyhow::Result<()> {
        Err(not_built_in(Path::new("-")))
    }
}
