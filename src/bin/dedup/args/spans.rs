//! `dedup spans PATH…`: runs of words that stand at several places.

use std::path::PathBuf;

use clap::Args;
use dedup_text::text::Reading;

use super::Opening;
use super::conflicts::usage_error;
use super::values;
use crate::diagnostics::Diagnostic;
use crate::io::inputs::source::Disguises;
use crate::model::spans::Format;

/// The least words of a run, unless they are given.
const MIN_WORDS: usize = 50;

/// Find runs of words that stand at two or more places
///
/// Within a text and between texts, word for word: case, line ends and typography do not count.
/// The exit status is 0 where some are found, and 1 where none is; with --output or --dry-run it is 0.
#[derive(Args, Debug)]
#[command(args_override_self = true, help_template = super::HELP)]
#[command(override_usage = "dedup spans [PATH…] [OPTIONS]   (- is standard input)")]
#[command(mut_arg("encoding", |arg| arg.help("Encoding of all files, such as latin1").long_help(super::corpus::ENCODING)))]
pub(crate) struct SpansFlags {
    /// Files, and folders with all their texts; - is standard input
    ///
    /// Hidden files and what is no text are skipped in a folder; symbolic links are not followed.
    /// The files of an archive are texts.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Also records: a JSON object a line; repeatable
    ///
    /// In UTF-8; - is standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) jsonl: Vec<PathBuf>,

    /// The field that names a record [default id]
    ///
    /// Without this flag a record that has no id goes by its file and line.
    #[arg(long, value_name = "FIELD", requires = "jsonl")]
    id: Option<String>,

    /// The field with a record's text [default text]
    #[arg(long, value_name = "FIELD", requires = "jsonl")]
    text: Option<String>,

    /// Least words of a run [default 50]
    #[arg(
        long,
        value_name = "N",
        default_value_t = MIN_WORDS,
        hide_default_value = true,
        value_parser = values::positive
    )]
    pub(crate) min_words: usize,

    /// How it is written: text, json or jsonl [default text]
    ///
    /// text is for people: the runs that would save most. json is one object with all of them, by
    /// the schema dedup.spans/1, and jsonl a run a line.
    #[arg(
        long,
        value_name = "F",
        default_value = "text",
        hide_default_value = true,
        hide_possible_values = true
    )]
    pub(crate) format: Format,

    /// Print no answer; the exit status says it
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Skip what a .gitignore says
    #[arg(long)]
    pub(crate) gitignore: bool,

    /// In folders: only files that fit a GLOB; repeatable
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,

    /// In folders: no file or folder that fits a GLOB; repeatable
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,

    #[command(flatten)]
    pub(crate) opening: Opening,
}

impl SpansFlags {
    /// The field that names a record.
    pub(crate) fn id(&self) -> &str {
        self.id.as_deref().unwrap_or("id")
    }

    /// Whether that field is given, so that each record must have it.
    pub(crate) fn is_id_given(&self) -> bool {
        self.id.is_some()
    }

    /// The field with a record's text.
    pub(crate) fn text(&self) -> &str {
        self.text.as_deref().unwrap_or("text")
    }

    /// How each text is to be read.
    pub(crate) fn reading(&self) -> Result<Reading, Diagnostic> {
        self.opening.reading_of_all()
    }

    /// What is done about disguises.
    pub(crate) fn disguises(&self) -> Disguises {
        self.opening.disguises()
    }

    /// What cannot be meant, though each flag alone can.
    pub(super) fn check(&self) -> Result<(), Diagnostic> {
        if self.paths.is_empty() && self.jsonl.is_empty() {
            return usage_error(
                "no PATH and no --jsonl, expected texts",
                "dedup spans docs looks at all texts in a folder",
            );
        }
        if self.quiet && self.format != Format::Text {
            return usage_error(
                &format!(
                    "--quiet and --format {} together, expected one of them",
                    self.format.name()
                ),
                "--quiet prints nothing; leave it out to get the answer",
            );
        }
        Ok(())
    }
}
