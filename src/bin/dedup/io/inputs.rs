//! Paths, lists and records → texts, in an order that depends on their names alone.

pub(crate) mod again;
pub(crate) mod archives;
pub(crate) mod course;
pub(crate) mod failures;
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
use sources::{Gitignore, Globs};
use submissions::{Submissions, Units};
use table::Format;

/// Which texts are read.
pub(crate) struct Inputs {
    /// Files and folders.
    pub(crate) paths: Vec<PathBuf>,
    /// Files and folders that are not compared with each other.
    pub(crate) against: Vec<PathBuf>,
    /// Files and folders that lists name.
    pub(crate) listed: Vec<PathBuf>,
    /// Files of records, each in the format that it is asked for.
    pub(crate) records: Vec<(PathBuf, Format)>,
    /// Files of records that are not compared with each other.
    pub(crate) old_records: Vec<(PathBuf, Format)>,
    /// The fields of records that are asked for; none where records are lines alone.
    pub(crate) fields: Option<Arc<Fields>>,
    /// The files of records that are read twice.
    pub(crate) twice: Arc<ReadTwice>,
    /// Whether `.gitignore` files are heeded in folders.
    pub(crate) gitignore: Gitignore,
    /// Which files of folders are left out.
    pub(crate) globs: Globs,
    /// Whether the files of a folder are a group.
    pub(crate) is_grouped_by_folder: bool,
    /// The most bytes of a file; none where there is no limit.
    pub(crate) max_bytes: Option<u64>,
    /// Whose the files of an archive are.
    pub(crate) submissions: Submissions,
    /// What is one text.
    pub(crate) units: Units,
    /// The list of persons.
    pub(crate) names: Option<PathBuf>,
    /// The most bytes that an archive unpacks to; none where there is no limit.
    pub(crate) max_unpacked: Option<u64>,
    /// The settings file, which is no text.
    pub(crate) settings: Option<PathBuf>,
    /// Files that are read for something else than their text.
    pub(crate) others: Vec<PathBuf>,
    /// Files that are written.
    pub(crate) outputs: OutputFiles,
}
