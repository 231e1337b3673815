//! `dedup corpus PATH…`: finds the pairs among many texts.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Args, Parser, ValueEnum, ValueHint};
use dedup_text::corpus::index::Index;
use dedup_text::corpus::join::Memory;
use dedup_text::corpus::preference::Keep;
use dedup_text::pair::{Recipe, Search};
use dedup_text::text::{ReadOptions, display_path};
use dedup_text::verdict::Verdict;
use dedup_text::verdict::ratio::Ratio;

use super::comparing::Passages;
use super::output::{OF_CORPUS, OF_NAMES};
use super::values::{self, Limit, formed, named};
use super::{Answering, BaselineFlags, Comparing, FormatFlags, ReportFlags, SettingsFlags};
use super::{ThreadsFlag, check_compression, check_format, usage_error};
use crate::config::Merged;
use crate::diagnostics::{Diagnostic, Flag};
use crate::io::disk::folder_of;
use crate::io::inputs::sources::{Gitignore, Globs};
use crate::io::inputs::submissions::{Submissions, Units};
use crate::io::inputs::table::{self, HeaderRow};
use crate::io::output;
use crate::model::Format;
use crate::model::corpus::{KeepBy, Levels, Task};

/// Compare many texts and find all pairs with something in common
#[derive(Debug, Parser)]
#[command(args_override_self = true, help_template = super::HELP)]
#[command(override_usage = "dedup corpus [PATH…] [OPTIONS]   (- is standard input)")]
#[command(mut_arg("lang", |arg| arg.help("Language of all texts: ca, cat or none").long_help(LANG)))]
#[command(mut_arg("encoding", |arg| arg.help("Encoding of all files, such as latin1").long_help(ENCODING)))]
#[command(mut_arg("report", |arg| arg.value_name("PATH").help(first_line(OF_CORPUS)).long_help(OF_CORPUS)))]
#[command(mut_arg("anonymous", |arg| arg.help(first_line(OF_NAMES)).long_help(OF_NAMES)))]
#[expect(clippy::struct_excessive_bools, reason = "flags that are there or not")]
pub(crate) struct CorpusFlags {
    /// Whether the command is `dedup check`.
    #[arg(skip)]
    pub(crate) is_check: bool,

    #[command(flatten)]
    pub(crate) inputs: InputFlags,

    #[command(flatten)]
    pub(crate) comparing: Comparing,

    #[command(flatten)]
    pub(crate) answering: Answering,

    #[command(flatten)]
    pub(crate) formats: FormatFlags,

    #[command(flatten)]
    pub(crate) baseline: BaselineFlags,

    /// Ignore what the git commit REF already contains
    ///
    /// The same paths are also compared as they are at REF, a branch, a tag or another commit. Pairs
    /// that are found there are accepted unless they share more now, as by a baseline of REF. git
    /// reads them from the repository of the working folder; nothing is checked out, fetched or
    /// written. What --baseline lists is accepted, too.
    #[arg(
        long,
        value_name = "REF",
        conflicts_with = "update_baseline",
        allow_hyphen_values = true
    )]
    pub(crate) since: Option<String>,

    /// Only report pairs with this file or folder; repeatable
    ///
    /// All texts are compared, but no other pair is reported or counts for the exit status: for
    /// editors and pre-commit. A file that is not one of the texts, such as a picture, is noted.
    #[arg(long, value_name = "PATH")]
    pub(crate) focus: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) report: ReportFlags,

    /// Also show the Jaccard index and the Hamming distance
    #[arg(long)]
    pub(crate) details: bool,

    /// Pairs that the text answer lists: N or all [default 100]
    ///
    /// The closest are listed, and the others counted. All other formats have all pairs.
    #[arg(long, value_name = "N", value_parser = values::rows, default_value = "100")]
    rows: Limit<usize>,

    /// Only report the N nearest of each text, at any limit
    #[arg(long, value_name = "N", value_parser = values::positive)]
    pub(crate) nearest: Option<usize>,

    /// Also show clusters, pair by pair
    #[arg(long)]
    pub(crate) clusters: bool,

    #[command(flatten)]
    pub(crate) keeping: KeepFlags,

    #[command(flatten)]
    pub(crate) clean: CleanFlags,

    /// Maximum number of pairs [off; default 1000000]
    ///
    /// If there are more, it is an error, and no pair is reported. Every two similar texts are a
    /// pair: 2000 copies are 1999000 pairs, of 1.4 kB each as JSON. --clusters, --keep and --quiet
    /// list no pairs: with them this limits the pairs that are kept in memory, by default
    /// 100000000, and copies count as one text. --nearest has no limit unless this flag is given.
    #[arg(long, value_name = "N", value_parser = values::pairs)]
    pub(crate) max_pairs: Option<Limit<usize>>,

    /// Ignore text that more than this share of the texts have
    ///
    /// Above 0, at most 1: with 0.5, --min-match words in a row that occur in more than half of the
    /// texts, and in at least two, are considered part of the assignment. Texts of one group count
    /// once. No shingle extends across ignored text, and the output lists it. With fewer than three
    /// texts nothing is ignored. All texts are kept in memory.
    #[arg(
        long,
        value_name = "R",
        allow_negative_numbers = true,
        value_parser = values::part_of_all
    )]
    pub(crate) template_share: Option<Ratio>,

    /// Also pair texts by text that a tenth of them have
    ///
    /// Below near-duplicate, a passage that occurs in more than a tenth of the texts and in at
    /// least ten, or in a thousand, is listed once and does not make pairs by itself: it
    /// may be a notice, a form or a licence. With this flag every two of these texts are a pair.
    #[arg(long)]
    pub(crate) pair_common: bool,

    /// List the texts that would be compared, and exit
    ///
    /// One line each: name, kind, bytes and group, separated by tabs. It cannot be combined with
    /// flags of the result.
    #[arg(long, conflicts_with_all = [
        "nearest", "keep", "output", "removed", "dry_run", "each_against", "clusters", "format",
        "report", "baseline", "since", "focus", "max_pairs", "at_least", "fail_on", "details",
    ])]
    pub(crate) list: bool,

    #[command(flatten)]
    pub(crate) threads: ThreadsFlag,

    /// Memory for the shingles [default three quarters of the memory available]
    ///
    /// A size such as 512M or 2G, in powers of 1024. What does not fit is spilled to a temporary
    /// file, and the result is the same. The following stay in memory at any limit: 700 bytes per
    /// text; one byte per shingle; the index of --nearest and of levels below near-duplicate; and
    /// texts whose passages are searched for.
    #[arg(long, value_name = "SIZE", value_parser = values::memory)]
    memory: Option<u64>,

    /// Folder for temporary files, instead of the system's
    #[arg(long, value_name = "DIR")]
    temp_dir: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) settings: SettingsFlags,
}

/// The flags that set which duplicates a clean corpus keeps.
#[derive(Args, Debug)]
pub(crate) struct KeepFlags {
    /// Which duplicate to keep: first, longest, newest:FIELD or field:FIELD
    ///
    /// Prints the texts that a clean corpus keeps, in the order of the input; nothing is ever
    /// deleted. newest: the greatest value of a field of records; numbers are compared by value,
    /// everything else, such as dates, as text. field: the greatest number in the field, such as a
    /// score. Of equal ones the first is kept; a record without the field comes last.
    #[arg(long, value_name = "WHICH", value_parser = formed(values::keep, &["first", "longest"], &["newest:FIELD", "field:FIELD"]))]
    pub(crate) keep: Option<Keep>,

    /// Remove a text because of a pair, or of a chain of pairs: direct or linked [default direct]
    ///
    /// direct: in the order of --keep, a text is removed only if it is paired with a text that is
    /// kept. linked: one text of each cluster is kept, even if others are similar to it only
    /// through texts between them.
    #[arg(long, value_name = "HOW", default_value = "direct", requires = "keep")]
    pub(crate) keep_by: KeepBy,
}

pub(crate) const LANG: &str = "Language of all texts: ca, cat or none\n\nAn ISO 639-1 or 639-3 code. Without this flag the language of each text is detected.";

pub(crate) const ENCODING: &str = "Encoding of all files, such as latin1\n\nA name from the WHATWG Encoding Standard. Without this flag the encoding is that of the byte order mark if there is one, otherwise UTF-8 if the bytes are valid, otherwise it is detected. Records are always in UTF-8.";

pub(crate) fn first_line(help: &'static str) -> &'static str {
    help.lines().next().unwrap_or_default()
}

impl CorpusFlags {
    /// Stores the settings file that was read, and takes over the settings that an index of
    /// `--against` was built with.
    pub(crate) fn take(&mut self, merged: &Merged) {
        self.settings.take(merged);
        // The settings file may set it for other runs.
        self.clean.each_against &= !self.inputs.against.is_empty();
        let index = self.inputs.against.iter().find(|path| Index::is_at(path));
        if let Some(index) = index {
            self.comparing.take_recorded(index, merged);
        }
    }

    /// Returns the largest number of pairs that the text answer lists; `None` if it lists all.
    pub(crate) fn rows(&self) -> Option<usize> {
        self.rows.into()
    }

    /// Returns what the flags ask for. Flags that ask for two things at once are refused before.
    pub(crate) fn task(&self) -> Task {
        if let Some(max_neighbours) = self.nearest.and_then(NonZeroUsize::new) {
            return Task::Nearest(max_neighbours);
        }
        match self.kept() {
            _ if self.clean.each_against => Task::Items,
            Some(keep) => Task::Keep(keep.clone()),
            None if self.clusters => Task::Clusters,
            None => Task::Pairs,
        }
    }

    /// Reports whether the answer is for people, who also want to know of pairs below the level. A
    /// run with `--fail-on` and without a report is for a program, which needs only pairs that
    /// reach the level.
    pub(crate) fn is_read_by_people(&self) -> bool {
        let is_text = !self.answering.quiet && self.formats.printed() == Format::Text;
        let is_for_ci = self.answering.has_fail_on() && self.report.file().is_none();
        let is_above = self.answering.level() > Verdict::Excerpt;
        let has_passages = self.comparing.evidence.passages() != Some(Passages::Off);
        self.task() == Task::Pairs
            && !is_for_ci
            && is_above
            && has_passages
            && (is_text || self.report.file().is_some())
    }

    /// Reports whether passages are not searched for because of `--passages off`.
    pub(crate) fn has_no_passages(&self) -> bool {
        self.comparing.evidence.has_no_passages()
    }

    /// Returns the recipe of the comparison. Passages are searched for if they are needed to decide
    /// a verdict, as for [`Levels::All`], or are part of an output, unless `--passages` decides.
    pub(crate) fn recipe(&self, levels: Levels) -> anyhow::Result<Recipe> {
        let is_written = self.report.file().is_some()
            || self.baseline.file().is_some()
            || self.since.is_some()
            || self.task() == Task::Items;
        // The verdict of a pair that is not a near-duplicate depends on its passages.
        let decide = self.answering.level() < Verdict::NearDuplicate
            || self.task().is_nearest()
            || levels == Levels::All;
        let search = match self.comparing.evidence.passages() {
            Some(Passages::On) => Search::Always,
            None if decide || is_written || self.formats.show_passages() => Search::Always,
            _ => Search::Never,
        };
        let recipe = self.comparing.recipe(self.comparing.language_of_all()?, search)?;
        Ok(Recipe { common: self.template_share, ..recipe })
    }

    /// Reports whether pairs without a text of `--focus` can be skipped: nothing in the answer
    /// depends on them.
    pub(crate) fn can_join_by_focus(&self) -> bool {
        !self.task().is_nearest() && self.report.file().is_none()
    }

    /// Reports whether text that more than a share of the texts contain is excluded.
    pub(crate) fn has_template_share(&self) -> bool {
        self.template_share.is_some()
    }

    /// Returns the reading options of each text.
    pub(crate) fn reading(&self) -> Result<ReadOptions, Diagnostic> {
        self.comparing.opening.reading_of_all()
    }

    /// Returns the folder for temporary files. `None` if `--temp-dir` is not given.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if it is not a folder.
    pub(crate) fn temp_dir(&self) -> Result<Option<&Path>, Diagnostic> {
        match self.temp_dir.as_deref() {
            Some(path) if !path.is_dir() => {
                let message = format!(
                    "{}: not a folder, expected a folder for --temp-dir",
                    display_path(path)
                );
                Err(Diagnostic::new(message)
                    .hint("create it with mkdir; without --temp-dir, the system's folder is used")
                    .flags(["temp-dir"]))
            }
            folder => Ok(folder),
        }
    }

    /// Returns how much memory the shingles may occupy, and the folder that the rest is spilled to.
    /// The default is three quarters of the memory that is available to the program.
    pub(crate) fn memory(&self) -> Memory {
        let bytes = self.memory.unwrap_or_else(|| values::memory_of_machine() / 4 * 3);
        Memory { bytes, folder: tempfile::env::temp_dir() }
    }
}

// The flags that choose the texts of a corpus.

/// The flags that choose the files of a folder.
#[derive(Args, Debug)]
pub(crate) struct FolderFlags {
    /// Skip files that a .gitignore excludes
    ///
    /// The .gitignore files in the folders searched and above them apply, in a repository or not.
    #[arg(long)]
    pub(crate) gitignore: bool,

    /// In folders, only read files that match a GLOB; repeatable
    ///
    /// As in a .gitignore: '*.md' is a name in any folder, 'drafts/*.md' a path relative to the given
    /// folder or archive, or to the working folder (in dedup.toml: its folder). A file that is given
    /// itself is always read, and so is a list of persons (course.csv, info.csv).
    #[arg(long, value_name = "GLOB", value_parser = values::glob)]
    include: Vec<String>,

    /// In folders, skip files and folders that match a GLOB; repeatable
    ///
    /// Globs are written as for --include, and --exclude takes precedence over it: 'drafts/' skips
    /// everything in folders of that name.
    #[arg(long, value_name = "GLOB", value_parser = values::glob)]
    exclude: Vec<String>,
}

impl FolderFlags {
    /// Reports whether `.gitignore` files are followed.
    pub(crate) fn gitignore(&self) -> Gitignore {
        if self.gitignore { Gitignore::Heeded } else { Gitignore::Unheeded }
    }

    /// Returns the globs that select files. Those of a settings file are relative to its folder.
    pub(crate) fn globs(&self, settings: &SettingsFlags) -> Globs {
        let base = |flag| settings.file().filter(|_| settings.sets(flag)).map(folder_of);
        Globs {
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            bases: ["include", "exclude"].map(|flag| base(flag).map(Path::to_owned)),
        }
    }
}

/// The texts of a corpus, how they are grouped, and what happens if one cannot be read.
#[derive(Args, Debug)]
pub(crate) struct InputFlags {
    /// Files, and folders with all their texts; - is standard input
    ///
    /// In a folder, hidden files, symbolic links and files that are not text are skipped, and the
    /// answer names them; templates and lists of this run are skipped and counted. A file with
    /// several names is one text, with the first of the names. Without a PATH, --files-from,
    /// --jsonl, --csv and --parquet the paths are those of the settings file.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Earlier texts to compare with; repeatable
    ///
    /// Only pairs of a PATH's text with one of these are looked for. A file on both sides is one
    /// text, and new: it is compared with all others. With --jsonl, --csv or --parquet, a file
    /// whose name ends in .jsonl, .ndjson, .csv, .tsv or .parquet contains records, and so does a
    /// file, standard input or <(…) that begins with a JSON object; in a folder, the name decides.
    /// Records are named by their file and id: old.jsonl/7.
    #[arg(long, value_name = "PATH")]
    pub(crate) against: Vec<PathBuf>,

    /// Also read the files that a list names, one per line
    ///
    /// - is standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "files0_from")]
    pub(crate) files_from: Option<PathBuf>,

    /// Also read the files that a list names, separated by NUL
    ///
    /// As written by git ls-files -z, rg --files -0 and find -print0.
    #[arg(long, value_name = "FILE")]
    pub(crate) files0_from: Option<PathBuf>,

    /// Also read records from JSON Lines; repeatable
    ///
    /// One JSON object per line, in UTF-8; - is standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) jsonl: Vec<PathBuf>,

    /// Also read records from CSV or TSV; repeatable
    ///
    /// One record per row, below a header, in UTF-8; - is standard input. The flags that name
    /// fields name columns. In a .tsv file the separator is a tab, otherwise a comma, a semicolon
    /// or a tab, whichever the header has most of. They follow the records of --jsonl.
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Vec<PathBuf>,

    /// Also read records from Apache Parquet; repeatable
    ///
    /// One record per row. Only the columns that the flags for fields name are read: meta.body is
    /// body in the struct meta. They follow the records of --jsonl and --csv. - is standard input,
    /// which is copied to a temporary file. The released programs read Parquet, and so do those
    /// built with --features parquet.
    #[arg(long, value_name = "FILE")]
    pub(crate) parquet: Vec<PathBuf>,

    /// The field that names a record, or off [default id]
    ///
    /// Ids are strings or numbers, and each must be unique. Without this flag, a record without an
    /// id is named by its file and line, such as in.jsonl:12; with off, all records are.
    #[arg(long, value_name = "FIELD")]
    id: Option<String>,

    /// The field with a record's text [default text]
    ///
    /// meta.body is the field of that name, or else body in the object meta; the same applies to
    /// all flags that name a field.
    #[arg(long, value_name = "FIELD")]
    text: Option<String>,

    /// Whether the first row of --csv names the columns
    ///
    /// With off it is a record, and the flags that name fields take the numbers of columns: --text 2.
    #[arg(long, value_name = "WHETHER")]
    header: Option<HeaderRow>,

    #[command(flatten)]
    pub(crate) folders: FolderFlags,

    /// Do not compare within a group: dir or FIELD
    ///
    /// dir: the files of one folder are a group. FIELD: the records with the same value of this
    /// field are a group; a record without it is in a group of its own.
    #[arg(long, value_name = "WHAT", value_parser = named(str::parse::<Group>, &[Group::DIR]))]
    pub(crate) group: Option<Group>,

    /// What makes one text: file, dir or person [default file]
    ///
    /// dir: all files of each folder directly inside a given folder, or in an archive. person: all
    /// files of a person, as named by --submissions. The files of a text are read in
    /// the order of their names; places name the file, and no passage extends from one file into
    /// the next.
    #[arg(long, value_name = "WHAT", default_value = "file")]
    pub(crate) unit: Units,

    /// Scheme of file names: auto, moodle, canvas, blackboard, dolos or off [default auto]
    ///
    /// The files of an archive (.zip, .tar.gz and others) are texts. If all their names are those
    /// that a course platform gives to submissions, a text is named after its person, and the files
    /// of one person are not compared with each other. In a folder, names are interpreted only with
    /// --unit person or if a platform is given.
    #[arg(long, value_name = "WHICH", default_value = "auto")]
    pub(crate) submissions: Submissions,

    /// List of persons: CSV with id, name, group, submitted at
    ///
    /// id is the person's number or name in the file names, or a folder, path or name of a file.
    /// Persons are shown by their names, texts of one group are not compared with each other, and
    /// of two texts the one submitted later is marked. A course.csv next to the files is used as
    /// such a list, unless --submissions off is given.
    #[arg(long, value_name = "FILE")]
    pub(crate) names: Option<PathBuf>,

    /// Stop at the first text that cannot be read
    ///
    /// Without this flag each is reported, the others are compared, and the exit status is 2.
    #[arg(long)]
    pub(crate) stop_on_error: bool,

    /// Handling of unreadable documents: error or warn [default error]
    ///
    /// Each is reported, with what to do about it, and all others are compared. With error the exit
    /// status is 2. Pictures, programs and empty files in a folder are counted, but never reported
    /// as unreadable.
    #[arg(long, value_name = "HOW", default_value = "error")]
    pub(crate) unreadable: Unreadable,
}

/// The effect of a document that cannot be read on the exit status.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Unreadable {
    Error,
    Warn,
}

/// The property that makes texts a group.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Group {
    /// The folder of a file; for records, the field of that name.
    Dir,
    /// A field of records.
    Field(String),
}

impl FromStr for Group {
    type Err = Infallible;

    fn from_str(typed: &str) -> Result<Self, Self::Err> {
        Ok(if typed == Self::DIR { Self::Dir } else { Self::Field(typed.to_owned()) })
    }
}

impl Group {
    const DIR: &str = "dir";

    /// Returns the field of records whose values are the groups.
    pub(crate) fn field(&self) -> &str {
        match self {
            Self::Dir => Self::DIR,
            Self::Field(field) => field,
        }
    }
}

impl InputFlags {
    /// Returns the field that names a record.
    pub(crate) fn id(&self) -> &str {
        self.id.as_deref().unwrap_or("id")
    }

    /// Returns the value of `--id` if it is given.
    pub(crate) fn id_as_given(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Returns the flags that apply to records only, each with its value if it is given.
    pub(crate) fn of_records(&self) -> [(&'static str, Option<&str>); 3] {
        let header = self.header.map(|header| if header == HeaderRow::On { "on" } else { "off" });
        [("id", self.id.as_deref()), ("text", self.text.as_deref()), ("header", header)]
    }

    /// Returns whether the first row of a CSV file names its columns.
    pub(crate) fn header(&self) -> HeaderRow {
        self.header.unwrap_or_default()
    }

    /// Makes the hint of the error of a text say where the settings file names the text, or sets the
    /// limit that it exceeds.
    pub(crate) fn with_text_origin(
        &self,
        settings: &SettingsFlags,
        error: anyhow::Error,
    ) -> anyhow::Error {
        let Self { paths, against, jsonl, csv, parquet, .. } = self;
        let named: [(&str, &[PathBuf]); 5] = [
            ("paths", paths),
            ("against", against),
            ("jsonl", jsonl),
            ("csv", csv),
            ("parquet", parquet),
        ];
        settings.with_text_origin(error, &named)
    }

    /// Returns the field with the text of a record.
    pub(crate) fn text(&self) -> &str {
        self.text.as_deref().unwrap_or("text")
    }

    /// Reports whether no argument names new texts, as opposed to those of `--against`.
    pub(crate) fn is_empty(&self) -> bool {
        let lists = [&self.files_from, &self.files0_from];
        self.paths.is_empty() && !self.has_records() && lists.iter().all(|it| it.is_none())
    }

    /// Returns the files of records, each with the format of its flag.
    pub(crate) fn records(&self) -> impl Iterator<Item = (&Path, table::Format)> {
        let jsonl = self.jsonl.iter().map(|path| (path.as_path(), table::Format::JsonLines));
        let csv = self.csv.iter().map(|path| (path.as_path(), table::Format::Csv));
        let parquet = self.parquet.iter().map(|path| (path.as_path(), table::Format::Parquet));
        jsonl.chain(csv).chain(parquet)
    }

    /// Returns the name of the flag of the first file of records; that of `--jsonl` if there is none.
    pub(crate) fn flag_of_records(&self) -> &'static str {
        match self.records().next() {
            Some((_, table::Format::Parquet)) => "parquet",
            Some((_, table::Format::Csv)) => "csv",
            _ => "jsonl",
        }
    }

    /// Reports whether there are files of records.
    pub(crate) fn has_records(&self) -> bool {
        self.records().next().is_some()
    }

    /// Returns the format of the records in a file of `--against`: that of its name, or JSON Lines
    /// if its first line is a JSON object. `None` if the file is a text, or if the new texts are
    /// not records.
    pub(crate) fn old_format(&self, path: &Path) -> Option<table::Format> {
        if !self.has_records() {
            return None;
        }
        table::Format::from_name(path)
            .or_else(|| table::begins_with_object(path).then_some(table::Format::JsonLines))
    }

    /// Reports whether files or folders are named, or lists that may name some.
    pub(crate) fn has_files(&self) -> bool {
        let lists = [&self.files_from, &self.files0_from];
        let has_old_files = self.against.iter().any(|path| self.old_format(path).is_none());
        !self.paths.is_empty() || has_old_files || lists.iter().any(|it| it.is_some())
    }

    /// Returns the files and folders that are named as texts.
    pub(crate) fn named(&self) -> impl Iterator<Item = &Path> {
        self.paths.iter().map(PathBuf::as_path)
    }

    /// Returns the paths of all inputs: files and folders, records, lists of files, and the list of
    /// persons.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        let lists = self.files_from.iter().chain(&self.files0_from);
        let records = self.jsonl.iter().chain(&self.csv).chain(&self.parquet);
        let texts = self.paths.iter().chain(&self.against).chain(records);
        texts.chain(lists).chain(&self.names).map(PathBuf::as_path)
    }
}

/// The hint at the rule of `--keep` that needs no field. It holds for each `--keep-by`: with
/// `direct`, several texts of a cluster may be kept.
pub(crate) const KEEP_FIRST: &str = "--keep first prefers the records that come first";

/// The hint at the command that keeps the longest texts without records of their own.
pub(crate) const KEEP_LONGEST: &str = "dedup corpus … --keep longest counts the words itself";

// The flags that write a clean corpus.

/// The flags that set which files a clean corpus is written to.
#[derive(Args, Debug)]
pub(crate) struct CleanFlags {
    /// Write the records that are kept, as a clean corpus
    ///
    /// Lines of --jsonl or rows of --csv, byte for byte and in their order, or rows of --parquet
    /// with all their columns; - is standard output. It requires --keep or --against; with
    /// --against, records that are similar to an earlier text are omitted. The files are written
    /// completely or not at all, and nothing is written if a line cannot be read.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Write a line for each record that is removed
    ///
    /// In the format of the records: its id, the id of the kept record that it duplicates, the
    /// verdict, the Jaccard index, and the share of its words in passages of that record, which is
    /// null if passages are not looked for.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) removed: Option<PathBuf>,

    /// Keep all records, and add a field with the id that each duplicates
    ///
    /// Changes what --output writes. The field is null, or empty in CSV, in records that are kept.
    #[arg(long, value_name = "FIELD", requires = "output")]
    pub(crate) annotate: Option<String>,

    /// Count what would be kept, and write no clean corpus
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Report for each text of --against which texts share it
    ///
    /// Each with how much of either text occurs in the other, and the positions of the passages, in
    /// bytes, in both texts.
    #[arg(long, requires = "against")]
    pub(crate) each_against: bool,
}

impl CleanFlags {
    /// Reports whether a clean corpus is requested.
    pub(crate) fn is_asked(&self) -> bool {
        self.output.is_some() || self.removed.is_some() || self.dry_run
    }

    /// Returns the files to be written, each with the flag that names it.
    pub(crate) fn written(&self) -> impl Iterator<Item = (Flag, PathBuf)> {
        let both = [("output", &self.output), ("removed", &self.removed)];
        both.into_iter().filter_map(|(flag, path)| {
            let path = path.clone()?;
            Some((Flag::with(flag, display_path(&path)), path))
        })
    }

    /// Reports whether one of the files is standard output.
    pub(crate) fn is_printed(&self) -> bool {
        let mut files = self.output.iter().chain(&self.removed);
        !self.dry_run && files.any(|path| output::is_output(path))
    }
}

impl CorpusFlags {
    /// Returns the name of the command, for hints.
    pub(crate) fn command_name(&self) -> &'static str {
        if self.is_check { "check" } else { "corpus" }
    }

    /// Returns the rule that chooses which of several texts is kept: `first` for a clean corpus
    /// without `--keep`. `None` if no text is to be chosen.
    pub(crate) fn kept(&self) -> Option<&Keep> {
        self.keeping.keep.as_ref().or(self.clean.is_asked().then_some(&Keep::First))
    }

    /// Checks the flags of a clean corpus and of `--each-against`.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if flags contradict each other, if nothing determines which records are
    /// removed, if the inputs are not records alone, or if the records cannot be written as the
    /// name of an output implies.
    pub(crate) fn check_clean(&self) -> Result<(), Diagnostic> {
        let printed = (!self.answering.quiet).then(|| self.formats.printed());
        self.check_each_against(printed)?;
        self.check_printed(printed)?;
        let CleanFlags { output, removed, dry_run, annotate, .. } = &self.clean;
        let flags =
            [("output", output.is_some()), ("removed", removed.is_some()), ("dry-run", *dry_run)];
        let Some((flag, _)) = flags.into_iter().find(|(_, is_there)| *is_there) else {
            return Ok(());
        };
        if self.keeping.keep.is_none() && self.inputs.against.is_empty() {
            return usage_error(
                [flag, "keep", "against"],
                &format!("--{flag} without --keep or --against, expected one of them"),
                KEEP_FIRST,
            );
        }
        let lists = self.inputs.files_from.iter().chain(&self.inputs.files0_from);
        if let Some(path) = self.inputs.paths.iter().chain(lists).next() {
            return usage_error(
                [flag],
                &format!("--{flag} and {} together, expected only records", display_path(path)),
                "a clean corpus is written from records of --jsonl, --csv or --parquet; --keep \
                 first --format paths0 lists files",
            );
        }
        self.clean.written().try_for_each(|(flag, path)| self.check_written(&flag, &path))?;
        let [id, text] = [self.inputs.id(), self.inputs.text()];
        if let Some(field) = annotate.as_deref().filter(|it| [id, text].contains(it)) {
            return usage_error(
                ["annotate"],
                &format!("--annotate {field}, expected a field that no record has"),
                "name another field, such as duplicate_of",
            );
        }
        Ok(())
    }

    /// Checks that records can be written as the name of an output file implies.
    fn check_written(&self, flag: &Flag, path: &Path) -> Result<(), Diagnostic> {
        check_compression(flag, path)?;
        check_format(flag, path, self.inputs.records())
    }

    /// Checks that standard output is not used twice: for kept records, for removed records, for
    /// the report, or for an answer in a format other than text.
    fn check_printed(&self, printed: Option<Format>) -> Result<(), Diagnostic> {
        let CleanFlags { output, removed, dry_run, .. } = &self.clean;
        let is_output = |path: &Option<PathBuf>| path.as_deref().is_some_and(output::is_output);
        let report = self.report.file().filter(|path| output::is_output(path));
        let format = printed.filter(|it| *it != Format::Text);
        let format = format.map(|it| Flag::with("format", it.name()));
        let other = report.map(|_| Flag::new("report")).or(format);
        if let Some(other) = other.filter(|_| self.clean.is_printed()) {
            let flag = if is_output(output) { "output" } else { "removed" };
            return usage_error(
                other.names().chain([flag]),
                &format!("standard output for both records and {other}, expected only one of them"),
                &format!("--{flag} FILE writes the records to a file"),
            );
        }
        if is_output(output) && is_output(removed) && !dry_run {
            return usage_error(
                ["output", "removed"],
                "standard output for both --output and --removed, expected only one of them",
                "--removed FILE writes the removed records to a file",
            );
        }
        Ok(())
    }
}
