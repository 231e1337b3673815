//! The inputs: turns paths, lists and records into texts, in an order that depends only on their
//! names.

pub(crate) mod again;
pub(crate) mod archives;
pub(crate) mod course;
pub(crate) mod lines;
pub(crate) mod parquet;
pub(crate) mod source;
pub(crate) mod sources;
pub(crate) mod submissions;
pub(crate) mod record;
pub(crate) mod table;

use std::path::PathBuf;
use std::sync::Arc;

use super::output::OutputFiles;
use again::ReadTwice;
use record::Fields;
use sources::Globs;
use submissions::{Submissions, Units};
use table::{Format, HeaderRow};

/// The texts that a run reads, and how it reads them.
#[derive(Clone, Default)]
pub(crate) struct Inputs {
    /// Files and folders that are compared.
    pub(crate) paths: Vec<PathBuf>,
    /// Old files and folders (`--against` or `--earlier`), which are not compared with each other.
    pub(crate) old: Vec<PathBuf>,
    /// Files and folders that are named in lists.
    pub(crate) listed: Vec<PathBuf>,
    /// Files of records, each with the format that was requested for it.
    pub(crate) records: Vec<(PathBuf, Format)>,
    /// Old files of records, which are not compared with each other.
    pub(crate) old_records: Vec<(PathBuf, Format)>,
    /// Whether the first row of a CSV file names its columns.
    pub(crate) header: HeaderRow,
    /// The fields of a record that are read; `None` if only complete lines are read.
    pub(crate) fields: Option<Arc<Fields>>,
    /// The files of records that are read a second time, to copy them.
    pub(crate) twice: Arc<ReadTwice>,
    /// Whether `.gitignore` files are followed in folders.
    pub(crate) gitignore: bool,
    /// The globs that select files in folders.
    pub(crate) globs: Globs,
    /// Whether the files of each folder form a group.
    pub(crate) is_grouped_by_folder: bool,
    /// The largest number of bytes of a file; `None` for no limit.
    pub(crate) max_bytes: Option<u64>,
    /// The course platform by whose file names the owner of a file is found.
    pub(crate) submissions: Submissions,
    /// The unit that forms one text: a file, a folder or a person.
    pub(crate) units: Units,
    /// The file that lists persons.
    pub(crate) names: Option<PathBuf>,
    /// The largest number of bytes that an archive may unpack to; `None` for no limit.
    pub(crate) max_unpacked: Option<u64>,
    /// The settings file, which is not a text.
    pub(crate) settings: Option<PathBuf>,
    /// Files that are read for another purpose than their text.
    pub(crate) others: Vec<PathBuf>,
    /// The files that the run writes.
    pub(crate) outputs: OutputFiles,
}
