//! `dedup spans PATH…`: finds runs of words that occur at several places.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};
use dedup_text::corpus::spans::words::{Borders, Spelling};
use dedup_text::text::display_path;

use crate::args::headings::{CLEAN, OUTPUT, WHAT_COUNTS, WHAT_TO_COMPARE};
use crate::args::inputs::FolderFlags;
use crate::args::values;
use crate::args::{self, Opening, SettingsFlags, ThreadsFlag};
use crate::args::{
    check_compression, check_conflicts, check_format, check_standard_input, usage_error,
};
use crate::diagnostics::{Diagnostic, Flag};
use crate::io::disk::CompressionFormat;
use crate::io::inputs::table::{Format as Stored, HeaderRow};
use crate::io::output::{OutputFiles, check_file_name, is_output, text};

/// The default of `--min-words`: the minimum number of words of a run.
const MIN_WORDS: usize = 50;

/// A format of the answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
    Jsonl,
}

impl Format {
    /// Returns the name of the format, as typed.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// Find runs of words that occur at two or more places
///
/// Runs within a text and between texts are found, word for word: differences of case, line ends
/// and typography are ignored. A run that occurs only within longer ones is not listed, but removed
/// with them. The exit status is 0 if some are found, and 1 if none is; with --output or --dry-run
/// it is 0.
#[derive(Args, Debug)]
#[command(args_override_self = true, help_template = args::HELP)]
#[command(override_usage = "dedup spans [PATH…] [OPTIONS]   (- is standard input)")]
#[command(mut_arg("encoding", |arg| arg.help("Encoding of all files, such as latin1").long_help(args::inputs::ENCODING)))]
#[expect(clippy::struct_excessive_bools, reason = "flags that are there or not")]
pub(crate) struct SpansFlags {
    /// Files, and folders with all their texts; - is standard input
    ///
    /// In a folder, hidden files and files that are not text are skipped; symbolic links are not
    /// followed. The files of an archive are texts. Without a PATH, --jsonl and --csv the paths are
    /// those of the settings file.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Also read records from JSON Lines; repeatable
    ///
    /// One JSON object per line, in UTF-8; - is standard input.
    #[arg(long, value_name = "FILE", help_heading = WHAT_TO_COMPARE)]
    pub(crate) jsonl: Vec<PathBuf>,

    /// Also read records from CSV or TSV; repeatable
    ///
    /// One record per row, below a header, in UTF-8; - is standard input. The flags that name
    /// fields name columns. They follow the records of --jsonl.
    #[arg(long, value_name = "FILE", help_heading = WHAT_TO_COMPARE)]
    pub(crate) csv: Vec<PathBuf>,

    /// The field that names a record, or off [default id]
    ///
    /// Without this flag, a record without an id is named by its file and line; with off, all
    /// records are.
    #[arg(long, value_name = "FIELD", help_heading = WHAT_TO_COMPARE, hide_short_help = true)]
    pub(super) id: Option<String>,

    /// The field with a record's text [default text]
    #[arg(long, value_name = "FIELD", help_heading = WHAT_TO_COMPARE, hide_short_help = true)]
    text: Option<String>,

    /// Whether the first row of --csv names the columns
    ///
    /// With off it is a record, and the flags that name fields take the numbers of columns: --text 2.
    #[arg(long, value_name = "WHETHER", help_heading = WHAT_TO_COMPARE, hide_short_help = true)]
    pub(crate) header: Option<HeaderRow>,

    /// Minimum number of words of a run [default 50]
    #[arg(
        long,
        value_name = "N",
        default_value_t = MIN_WORDS,
        value_parser = values::positive, help_heading = WHAT_COUNTS)]
    pub(crate) min_words: usize,

    /// Compare byte for byte: case, spacing and punctuation count
    ///
    /// A run has the same bytes at all places, from its first word to its last. --min-words counts
    /// the same words as without this flag, and no word is cut.
    #[arg(long, help_heading = WHAT_COUNTS)]
    exact: bool,

    /// Write the texts without repeats; the first place of a run is kept
    ///
    /// With --jsonl and --csv all records are written; with one PATH that is a file, that file;
    /// with a folder, its texts into a new folder; with several PATHs, all their texts into a new
    /// folder, each at its path relative to the nearest folder that contains all of them. Only
    /// plain text is cut, and everything else is kept byte for byte. The output is written
    /// completely or not at all, nothing is overwritten, and nothing is written if a text cannot be
    /// read; - is standard output.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath, help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,

    /// Count what would be removed, and write nothing
    #[arg(long, help_heading = CLEAN, hide_short_help = true)]
    pub(crate) dry_run: bool,

    /// Remove only whole sentences
    ///
    /// If a run begins or ends within a sentence, that sentence is kept.
    #[arg(long, help_heading = CLEAN)]
    pub(crate) whole_sentences: bool,

    /// Output format: text, json or jsonl [default text]
    ///
    /// text is for people: the ten runs that would save most. json is one object with all runs
    /// listed, in the schema dedup.spans/1, and jsonl is one run per line. Both have at most a
    /// million places.
    #[arg(long, value_name = "F", default_value = "text", help_heading = OUTPUT)]
    pub(crate) format: Format,

    /// Print no result; only set the exit status
    #[arg(short, long, help_heading = OUTPUT)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) folders: FolderFlags,

    #[command(flatten)]
    pub(crate) threads: ThreadsFlag,

    #[command(flatten)]
    pub(crate) opening: Opening,

    #[command(flatten)]
    pub(crate) settings: SettingsFlags,
}

impl SpansFlags {
    /// Returns the field that names a record.
    pub(crate) fn id(&self) -> &str {
        self.id.as_deref().unwrap_or("id")
    }

    /// Returns the field with the text of a record.
    pub(crate) fn text(&self) -> &str {
        self.text.as_deref().unwrap_or("text")
    }

    /// Returns the files of records, each with the format of its flag.
    pub(crate) fn records(&self) -> impl Iterator<Item = (&Path, Stored)> {
        let jsonl = self.jsonl.iter().map(|path| (path.as_path(), Stored::JsonLines));
        jsonl.chain(self.csv.iter().map(|path| (path.as_path(), Stored::Csv)))
    }

    /// Makes the hint of the error of a text say where the settings file names the text, or sets the
    /// limit that it exceeds.
    pub(crate) fn with_text_origin(&self, error: anyhow::Error) -> anyhow::Error {
        let named: [(&str, &[PathBuf]); 3] =
            [("paths", &self.paths), ("jsonl", &self.jsonl), ("csv", &self.csv)];
        self.settings.with_text_origin(error, &named)
    }

    /// Returns how runs are compared: byte for byte, or with case, line ends and typography folded.
    pub(crate) fn spelling(&self) -> Spelling {
        if self.exact { Spelling::Exact } else { Spelling::Folded }
    }

    /// Returns where removed text may begin and end: at words, or at sentences.
    pub(crate) fn borders(&self) -> Borders {
        if self.whole_sentences { Borders::Sentences } else { Borders::Words }
    }

    /// Returns the path that the remaining text is written to. `None` if no output is requested, or
    /// with `--dry-run`.
    pub(crate) fn written(&self) -> Option<&Path> {
        self.output.as_deref().filter(|_| !self.dry_run)
    }

    /// Reports whether the remaining text is written to standard output, so that no answer can be
    /// printed there.
    pub(crate) fn is_printed(&self) -> bool {
        self.written().is_some_and(is_output)
    }

    /// Checks that the flags can be combined.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if no text is named, if standard input is named twice, if flags contradict
    /// each other, or if the output cannot be written as its name implies.
    pub(crate) fn check(&self) -> Result<(), Diagnostic> {
        if self.paths.is_empty() && self.records().next().is_none() {
            return usage_error(
                ["jsonl", "csv"],
                "no input given, expected files or folders, --jsonl or --csv",
                "dedup spans docs searches all texts in a folder",
            );
        }
        let named = self.paths.iter().map(PathBuf::as_path);
        check_standard_input(named.chain(self.records().map(|(path, _)| path)))?;
        self.check_records()?;
        if let Some(path) = self.output.as_deref() {
            self.check_output(path)?;
        }
        check_conflicts(&[(
            self.quiet && self.format != Format::Text,
            Flag::new("quiet"),
            Flag::with("format", self.format.name()),
            "--quiet prints nothing; leave it out to print the result",
        )])
    }

    /// Checks the flags that apply to records only, and that records and files are not cleaned
    /// together.
    fn check_records(&self) -> Result<(), Diagnostic> {
        let has_records = self.records().next().is_some();
        let fields = [("id", self.id.as_deref()), ("text", self.text.as_deref())];
        for (flag, field) in fields.into_iter().filter(|(flag, _)| !self.settings.sets(flag)) {
            let Some(field) = field.filter(|_| !has_records) else { continue };
            return usage_error(
                [flag, "jsonl", "csv"],
                &format!("--{flag} {field} without --jsonl or --csv, expected records"),
                "--jsonl FILE and --csv FILE read records",
            );
        }
        if self.id() == self.text() && has_records {
            return usage_error(
                ["id", "text"],
                &format!("--id {} and --text {}, expected two fields", self.id(), self.text()),
                "--id is the name of a text, --text its content",
            );
        }
        let is_cleaned = has_records && (self.dry_run || self.output.is_some());
        if let Some(first) = self.paths.first().filter(|_| is_cleaned) {
            let cleaning = if self.output.is_some() { "output" } else { "dry-run" };
            let flag = if self.jsonl.is_empty() { "csv" } else { "jsonl" };
            let first = display_path(first);
            return usage_error(
                [cleaning, flag],
                &format!("--{cleaning} with both --{flag} and {first}, expected only one of them"),
                "run it once for records and once for files",
            );
        }
        Ok(())
    }

    /// Checks that the remaining text can be written to the path of `--output`.
    fn check_output(&self, path: &Path) -> Result<(), Diagnostic> {
        let flag = Flag::with("output", display_path(path));
        let is_tree = self.paths.len() > 1 || self.paths.first().is_some_and(|it| it.is_dir());
        if !is_tree {
            check_file_name(&flag, path)?;
        }
        let compression = CompressionFormat::from_name(path);
        if let Some(compression) = compression.filter(|_| !self.paths.is_empty()) {
            let name = compression.name();
            return usage_error(
                ["output"],
                &format!("{flag}: {name} cannot be written, expected an uncompressed file"),
                "only records can be compressed, with gzip",
            );
        }
        check_compression(&flag, path)?;
        check_format(&flag, path, self.records())?;
        if is_output(path) && is_tree {
            return usage_error(
                ["output"],
                "--output - with several files, expected the name of a new folder",
                "standard output can hold only records or one file",
            );
        }
        if is_output(path) && self.format != Format::Text {
            let format = self.format.name();
            return usage_error(
                ["output", "format"],
                &format!(
                    "standard output for both texts and --format {format}, expected only one of \
                     them"
                ),
                "--output FILE writes the texts to a file",
            );
        }
        if is_output(path) {
            let outputs = OutputFiles::new([(flag, path.to_owned())])?;
            self.paths.iter().try_for_each(|path| outputs.check(text(path), path))?;
            self.records().try_for_each(|(path, _)| outputs.check("a file of records", path))?;
        }
        Ok(())
    }
}
