//! The flags that say how the answer is written, and where.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, ValueEnum};

use dedup_text::text::display_path;

use super::names::formed;
use crate::diagnostics::Diagnostic;
use crate::io::identity::FileId;
use crate::io::output::is_output;
use crate::model::format::{Export, Format};

/// How the answer is written, and where.
#[derive(Args, Debug)]
pub(crate) struct FormatFlags {
    /// How it is written: text, json, … [default text]
    ///
    /// text is for people, and no program should read it. json is one object, the same bytes on
    /// every run, by the schema dedup.pair/2 or, of a corpus, dedup.corpus/1; jsonl is a pair a
    /// line, by dedup.pair/2. paths are those of the texts that are in a pair, or that --keep
    /// keeps, a line each; paths0 ends each with NUL, as find -print0 does. csv is a row a pair; sarif (2.1.0), gitlab (Code Quality) and junit are for those
    /// who read them; github annotates in GitHub Actions, and adds a summary to the step's where
    /// there is one; markdown is such a summary. With =FILE it is written there, whole or not at
    /// all, and the text is printed all the same; may be given once for each. A file that is read
    /// is never written, whatever it is called.
    #[arg(
        id = "format",
        long,
        value_name = "F[=FILE]",
        value_parser = formed(form(), Format::NAMES, Format::FORMS),
        hide_possible_values = true
    )]
    asked: Vec<Form>,
}

/// A format, and the file that it is written to.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Form {
    format: Format,
    /// None for standard output.
    file: Option<PathBuf>,
}

impl FormatFlags {
    /// Whether one is given.
    pub(super) fn is_said(&self) -> bool {
        !self.asked.is_empty()
    }

    /// The format of what is printed.
    pub(crate) fn printed(&self) -> Format {
        let printed = self.asked.iter().find(|form| form.file.is_none());
        printed.map_or(Format::Text, |form| form.format)
    }

    /// The formats that are written to files.
    pub(crate) fn files(&self) -> impl Iterator<Item = (Format, &Path)> {
        self.asked.iter().filter_map(|form| Some((form.format, form.file.as_deref()?)))
    }

    /// The formats of others.
    pub(super) fn exports(&self) -> impl Iterator<Item = Format> {
        let all = self.asked.iter().map(|form| form.format);
        all.filter(|format| matches!(format, Format::Export(_)))
    }

    /// The file that GitHub Actions shows as the summary of the step; none where nothing is
    /// written for it, or where a format is written to it anyhow.
    pub(crate) fn summary(&self) -> Option<PathBuf> {
        let is_wanted = self.exports().any(|format| format == Format::Export(Export::Github));
        let file = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|name| !name.is_empty())?;
        let file = PathBuf::from(file);
        let id = FileId::of(&file);
        let is_written = self.files().any(|(_, other)| FileId::of(other) == id);
        (is_wanted && !is_written).then_some(file)
    }

    /// Whether some format tells the passages of a pair.
    pub(super) fn tell_passages(&self) -> bool {
        self.exports().any(|format| format != Format::Export(Export::Csv))
    }

    /// The files that are written, each with its flag.
    pub(super) fn written(&self) -> impl Iterator<Item = (String, PathBuf)> {
        self.files().map(|(format, file)| {
            (format!("--format {}={}", format.name(), display_path(file)), file.to_owned())
        })
    }

    /// The summary of the step, with its variable.
    pub(super) fn written_summary(&self) -> Option<(String, PathBuf)> {
        let file = self.summary()?;
        Some((format!("GITHUB_STEP_SUMMARY {}", display_path(&file)), file))
    }

    /// What cannot be meant, though each format alone can.
    pub(super) fn check(&self, is_quiet: bool) -> Result<(), Diagnostic> {
        let printed: Vec<&Form> = self.asked.iter().filter(|form| form.file.is_none()).collect();
        if let [first, second, ..] = printed[..] {
            return Err(Diagnostic::new(format!(
                "--format {} and --format {} both to standard output, wanted one of them",
                first.format.name(),
                second.format.name()
            ))
            .hint(format!("--format {0}=FILE writes {0} to a file", second.format.name())));
        }
        if is_quiet && self.printed() != Format::Text {
            let name = self.printed().name();
            return Err(Diagnostic::new(format!(
                "--quiet and --format {name} together, wanted one of them"
            ))
            .hint(format!("--quiet prints nothing; leave it out to get the {name}")));
        }
        Ok(())
    }
}

/// `FORMAT` or `FORMAT=FILE`; a name of standard output is as none.
fn form() -> impl TypedValueParser<Value = Form> {
    OsStringValueParser::new().try_map(|typed: OsString| {
        let (name, file) = parted(&typed);
        let format = Format::value_variants().iter().find(|format| name == format.name());
        let format = *format.ok_or_else(|| {
            format!("wanted one of {}, or one with =FILE", Format::NAMES.join(", "))
        })?;
        match file {
            Some(file) if file.is_empty() => Err(format!("wanted {}=FILE", format.name())),
            file => Ok(Form { format, file: file.map(PathBuf::from).filter(|it| !is_output(it)) }),
        }
    })
}

/// What stands before the first `=`, and what stands after it.
#[cfg(unix)]
fn parted(typed: &OsStr) -> (OsString, Option<OsString>) {
    use std::os::unix::ffi::OsStrExt;
    let mut parts = typed.as_bytes().splitn(2, |byte| *byte == b'=');
    let mut part = || parts.next().map(|part| OsStr::from_bytes(part).to_owned());
    (part().unwrap_or_default(), part())
}

/// The same of names that are all Unicode.
#[cfg(not(unix))]
fn parted(typed: &OsStr) -> (OsString, Option<OsString>) {
    match typed.to_string_lossy().split_once('=') {
        Some((name, file)) => (name.into(), Some(file.into())),
        None => (typed.to_owned(), None),
    }
}
