//! The flags that choose the texts of a corpus: files, folders, records, persons and groups.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Args, ValueEnum};

use super::headings::WHAT_TO_COMPARE;
use super::values::{self, named};
use super::{SettingsFlags, check_conflicts, usage_error};
use crate::diagnostics::{Diagnostic, Flag};
use crate::io::disk::folder_of;
use crate::io::inputs::sources::Globs;
use crate::io::inputs::submissions::{Submissions, Units};
use crate::io::inputs::table::{self, HeaderRow};

pub(crate) const LANG: &str = "Language of all texts: ca, cat or none\n\nAn ISO 639-1 or 639-3 code. Without this flag the language of each text is detected.";

pub(crate) const ENCODING: &str = "Encoding of all files, such as latin1\n\nA name from the WHATWG Encoding Standard. Without this flag the encoding is that of the byte order mark if there is one, otherwise UTF-8 if the bytes are valid, otherwise it is detected. Records are always in UTF-8.";

/// The flags that choose the files of a folder.
#[derive(Args, Debug)]
pub(crate) struct FolderFlags {
    /// Skip files that a .gitignore excludes
    ///
    /// The .gitignore files in the folders searched and above them apply, in a repository or not.
    #[arg(long, help_heading = WHAT_TO_COMPARE, hide_short_help = true)]
    pub(crate) gitignore: bool,

    /// In folders, only read files that match a GLOB; repeatable
    ///
    /// As in a .gitignore: '*.md' is a name in any folder, 'drafts/*.md' a path relative to the given
    /// folder or archive, or to the working folder (in dedup.toml: its folder). A file that is given
    /// itself is always read, and so is a list of persons (course.csv).
    #[arg(long, value_name = "GLOB", value_parser = values::glob, help_heading = WHAT_TO_COMPARE, hide_short_help = true)]
    include: Vec<String>,

    /// In folders, skip files and folders that match a GLOB; repeatable
    ///
    /// Globs are written as for --include, and --exclude takes precedence over it: 'drafts/' skips
    /// everything in folders of that name.
    #[arg(long, value_name = "GLOB", value_parser = values::glob, help_heading = WHAT_TO_COMPARE, hide_short_help = true)]
    exclude: Vec<String>,
}

impl FolderFlags {
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

    /// Only compare with these earlier texts; repeatable
    ///
    /// Only pairs of a PATH's text with one of these are looked for. A file on both sides is one
    /// text, and new: it is compared with all others. With --jsonl, --csv or --parquet, a file
    /// whose name ends in .jsonl, .ndjson, .csv, .tsv or .parquet contains records, and so does a
    /// file, standard input or <(…) that begins with a JSON object; in a folder, the name decides.
    /// Records are named by their file and id: old.jsonl/7.
    #[arg(long, value_name = "PATH", help_heading = WHAT_TO_COMPARE)]
    pub(crate) against: Vec<PathBuf>,

    /// Also compare with these earlier texts; repeatable
    ///
    /// Finds the pairs of two texts of PATH, and those that --against finds, but none of two
    /// earlier texts. With --output, records that duplicate an earlier text or each other are
    /// omitted. What it names is read like that of --against.
    #[arg(long, value_name = "PATH", conflicts_with = "against", help_heading = WHAT_TO_COMPARE)]
    pub(crate) earlier: Vec<PathBuf>,

    /// Also read the files that a list names, one per line
    ///
    /// - is standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "files0_from", help_heading = WHAT_TO_COMPARE, hide_short_help = true)]
    pub(crate) files_from: Option<PathBuf>,

    /// Also read the files that a list names, separated by NUL
    ///
    /// As written by git ls-files -z, rg --files -0 and find -print0.
    #[arg(long, value_name = "FILE", help_heading = WHAT_TO_COMPARE, hide_short_help = true)]
    pub(crate) files0_from: Option<PathBuf>,

    /// Also read records from JSON Lines; repeatable
    ///
    /// One JSON object per line, in UTF-8; - is standard input.
    #[arg(long, value_name = "FILE", help_heading = WHAT_TO_COMPARE)]
    pub(crate) jsonl: Vec<PathBuf>,

    /// Also read records from CSV or TSV; repeatable
    ///
    /// One record per row, below a header, in UTF-8; - is standard input. The flags that name
    /// fields name columns. In a .tsv file the separator is a tab, otherwise a comma, a semicolon
    /// or a tab, whichever the header has most of. They follow the records of --jsonl.
    #[arg(long, value_name = "FILE", help_heading = WHAT_TO_COMPARE)]
    pub(crate) csv: Vec<PathBuf>,

    /// Also read records from Apache Parquet; repeatable
    ///
    /// One record per row. Only the columns that the flags for fields name are read: meta.body is
    /// body in the struct meta. They follow the records of --jsonl and --csv. - is standard input,
    /// which is copied to a temporary file. The released programs read Parquet, and so do those
    /// built with --features parquet.
    #[arg(long, value_name = "FILE", help_heading = WHAT_TO_COMPARE)]
    pub(crate) parquet: Vec<PathBuf>,

    /// The field that names a record, or off [default id]
    ///
    /// Ids are strings or numbers, and each must be unique. Without this flag, a record without an
    /// id is named by its file and line, such as in.jsonl:12; with off, all records are.
    #[arg(long, value_name = "FIELD", help_heading = WHAT_TO_COMPARE, hide_short_help = true)]
    id: Option<String>,

    /// The field with a record's text [default text]
    ///
    /// meta.body is the field of that name, or else body in the object meta; the same applies to
    /// all flags that name a field.
    #[arg(long, value_name = "FIELD", help_heading = WHAT_TO_COMPARE, hide_short_help = true)]
    text: Option<String>,

    /// Whether the first row of --csv names the columns
    ///
    /// With off it is a record, and the flags that name fields take the numbers of columns: --text 2.
    #[arg(long, value_name = "WHETHER", help_heading = WHAT_TO_COMPARE, hide_short_help = true)]
    header: Option<HeaderRow>,

    #[command(flatten)]
    pub(crate) folders: FolderFlags,

    /// Do not compare within a group: dir or FIELD
    ///
    /// dir: the files of one folder are a group. FIELD: the records with the same value of this
    /// field are a group; a record without it is in a group of its own.
    #[arg(long, value_name = "WHAT", value_parser = named(str::parse::<Group>, &[Group::DIR]), help_heading = WHAT_TO_COMPARE, hide_short_help = true)]
    pub(crate) group: Option<Group>,

    /// What makes one text: file, dir or person [default file]
    ///
    /// dir: all files of each folder directly inside a given folder, or in an archive. person: all
    /// files of a person, as named by --submissions. The files of a text are read in
    /// the order of their names; places name the file, and no passage extends from one file into
    /// the next.
    #[arg(long, value_name = "WHAT", default_value = "file", help_heading = WHAT_TO_COMPARE, hide_short_help = true)]
    pub(crate) unit: Units,

    /// Scheme of file names: auto, moodle, canvas, blackboard or off [default auto]
    ///
    /// The files of an archive (.zip, .tar.gz and others) are texts. If all their names are those
    /// that a course platform gives to submissions, a text is named after its person, and the files
    /// of one person are not compared with each other. In a folder, names are interpreted only with
    /// --unit person or if a platform is given.
    #[arg(long, value_name = "WHICH", default_value = "auto", help_heading = WHAT_TO_COMPARE, hide_short_help = true)]
    pub(crate) submissions: Submissions,

    /// List of persons: CSV with id, name, group, submitted at
    ///
    /// id is the person's number or name in the file names, or a folder, path or name of a file.
    /// Persons are shown by their names, texts of one group are not compared with each other, and
    /// of two texts the one submitted later is marked. A course.csv next to the files is used as
    /// such a list, unless --submissions off is given.
    #[arg(long, value_name = "FILE", help_heading = WHAT_TO_COMPARE, hide_short_help = true)]
    pub(crate) names: Option<PathBuf>,

    /// Stop at the first text that cannot be read
    ///
    /// Without this flag each is reported, the others are compared, and the exit status is 2.
    #[arg(long, help_heading = WHAT_TO_COMPARE, hide_short_help = true)]
    pub(crate) stop_on_error: bool,

    /// Handling of unreadable documents: error or warn [default error]
    ///
    /// Each is reported, with what to do about it, and all others are compared. With error the exit
    /// status is 2. Pictures, programs and empty files in a folder are counted, but never reported
    /// as unreadable.
    #[arg(long, value_name = "HOW", default_value = "error", help_heading = WHAT_TO_COMPARE, hide_short_help = true)]
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
        let Self { paths, jsonl, csv, parquet, .. } = self;
        let named: [(&str, &[PathBuf]); 5] = [
            ("paths", paths),
            (self.old_flag(), self.old()),
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

    /// Returns the paths of old texts: those of `--against` or of `--earlier`, of which only one can
    /// be given.
    pub(crate) fn old(&self) -> &[PathBuf] {
        if self.earlier.is_empty() { &self.against } else { &self.earlier }
    }

    /// Returns the name of the flag that [`old`](Self::old) comes from.
    pub(crate) fn old_flag(&self) -> &'static str {
        if self.earlier.is_empty() { "against" } else { "earlier" }
    }

    /// Reports whether no argument names new texts, as opposed to [old](Self::old) ones.
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

    /// Reports whether files or folders are named as new texts, or lists that may name some.
    pub(crate) fn names_files(&self) -> bool {
        let lists = [&self.files_from, &self.files0_from];
        !self.paths.is_empty() || lists.iter().any(|it| it.is_some())
    }

    /// Same as [`Self::names_files`], for old texts too. One whose name is that of records is none.
    fn has_files(&self) -> bool {
        let is_text = |path: &PathBuf| table::Format::from_name(path).is_none();
        self.names_files() || self.old().iter().any(is_text)
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
        let texts = self.paths.iter().chain(self.old()).chain(records);
        texts.chain(lists).chain(&self.names).map(PathBuf::as_path)
    }

    /// Checks the flags that apply to records only, and those that cannot be combined with records.
    pub(crate) fn check_records(&self) -> Result<(), Diagnostic> {
        if !self.has_records() {
            return match &self.group {
                Some(Group::Field(field)) => usage_error(
                    ["group", "jsonl", "csv", "parquet"],
                    &format!(
                        "--group {field} without --jsonl, --csv or --parquet, expected records \
                         with that field"
                    ),
                    "--group dir makes one group of the files in each folder",
                ),
                _ => Ok(()),
            };
        }
        if self.folders.gitignore && !self.has_files() {
            return usage_error(
                ["gitignore", "jsonl", "csv", "parquet"],
                "--gitignore without a folder, expected a folder to search",
                "--jsonl, --csv and --parquet read one file each; leave out --gitignore",
            );
        }
        if self.names.is_some() && !self.has_files() {
            return usage_error(
                ["names"],
                "--names without files or folders, expected the files of the listed persons",
                "--names does not apply to records; leave it out",
            );
        }
        check_conflicts(&[(
            self.unit != Units::File,
            Flag::new("unit"),
            Flag::new(self.flag_of_records()),
            "each record is one text; --group FIELD does not compare records with the same value",
        )])?;
        let [id, text] = [self.id(), self.text()];
        if id == text {
            return usage_error(
                ["id", "text"],
                &format!("--id {id} and --text {text}, expected two fields"),
                "--id is the name of a text, --text its content",
            );
        }
        if self.group.as_ref().is_some_and(|group| group.field() == text) {
            return usage_error(
                ["group", "text"],
                &format!("--group {text} and --text {text}, expected two fields"),
                "dedup searches for records with the same text, so it cannot be their group",
            );
        }
        Ok(())
    }
}
