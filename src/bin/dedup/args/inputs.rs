//! The flags that say which texts a corpus has.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;

/// Which texts a corpus has.
#[derive(Args, Debug)]
pub(crate) struct InputFlags {
    /// Files, and folders with all their texts; - is standard input
    ///
    /// Hidden files and what is no text are passed over in a folder, and counted, and so are
    /// templates and lists of this run; symbolic links are not followed. A file with several names
    /// is one text, by the first of them.
    #[arg(value_name = "PATH", hide_short_help = true)]
    pub(crate) paths: Vec<PathBuf>,

    /// Texts that are there already, repeatable
    ///
    /// Only pairs of a PATH's text with one of these are looked for. A file on both sides is one
    /// text, and new: it is compared with all others.
    #[arg(long, value_name = "PATH")]
    pub(crate) against: Vec<PathBuf>,

    /// Also the files that a list names, one a line
    ///
    /// - is standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "files0_from")]
    pub(crate) files_from: Option<PathBuf>,

    /// Also the files that a list names, parted by NUL
    ///
    /// As git ls-files -z, rg --files -0 and find -print0 write it.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) files0_from: Option<PathBuf>,

    /// Also records: a JSON object a line; repeatable
    ///
    /// In UTF-8; - is standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) jsonl: Vec<PathBuf>,

    /// The field that names a record [default id]
    ///
    /// A string or a number, and no two the same.
    #[arg(long, value_name = "FIELD", requires = "jsonl")]
    id: Option<String>,

    /// The field with a record's text [default text]
    #[arg(long, value_name = "FIELD", requires = "jsonl")]
    text: Option<String>,

    /// Pass over what a .gitignore says
    ///
    /// Those in the folders walked and above them, in a repository or not.
    #[arg(long)]
    pub(crate) gitignore: bool,

    /// Do not compare within a group: dir or FIELD
    ///
    /// dir: the files of one folder are a group. FIELD: the records with one value of it are;
    /// those without it are each alone.
    #[arg(long, value_name = "WHAT")]
    pub(crate) group: Option<Group>,

    /// End with the first text that cannot be read
    ///
    /// Without it each is named, the others are compared, and the exit status is 2.
    #[arg(long)]
    pub(crate) stop_on_error: bool,
}

/// What makes texts a group.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Group {
    /// The folder of files; of records the field of that name.
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

    /// The field of records that it is.
    pub(crate) fn field(&self) -> &str {
        match self {
            Self::Dir => Self::DIR,
            Self::Field(field) => field,
        }
    }
}

impl InputFlags {
    /// The field that names a record.
    pub(crate) fn id(&self) -> &str {
        self.id.as_deref().unwrap_or("id")
    }

    /// The field with a record's text.
    pub(crate) fn text(&self) -> &str {
        self.text.as_deref().unwrap_or("text")
    }

    /// Whether nothing is named that could be new.
    pub(super) fn is_empty(&self) -> bool {
        let lists = [&self.files_from, &self.files0_from];
        self.paths.is_empty() && self.jsonl.is_empty() && lists.iter().all(|it| it.is_none())
    }

    /// Whether files or folders are named, or may be.
    pub(crate) fn has_files(&self) -> bool {
        let lists = [&self.files_from, &self.files0_from];
        let named = [&self.paths, &self.against];
        named.iter().any(|it| !it.is_empty()) || lists.iter().any(|it| it.is_some())
    }

    /// All files that are named on the command line.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        let lists = self.files_from.iter().chain(&self.files0_from);
        let texts = self.paths.iter().chain(&self.against).chain(&self.jsonl);
        texts.chain(lists).map(PathBuf::as_path)
    }
}
