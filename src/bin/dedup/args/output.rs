//! The flags of the output: formats, files, exit status, report and baseline.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap_lex::OsStrExt;
use dedup_text::text::display_path;
use dedup_text::verdict::Verdict;

use super::comparing::Passages;
use super::headings::{CI, EVIDENCE, OUTPUT};
use super::values::{self, formed};
use super::{check_conflicts, usage_error};
use crate::diagnostics::{Diagnostic, Exit, Flag, Severity};
use crate::exports::{ExportFormat, Format};
use crate::io::disk::FileId;
use crate::io::output::is_output;
use crate::model::Color;
use crate::model::names::Visibility;

/// The formats of the answer, and the files that they are written to.
#[derive(Args, Debug)]
pub(crate) struct FormatFlags {
    /// Output format: text, json, … [default text]
    ///
    /// text is for people and should not be parsed by programs. json is one object, the same bytes
    /// on every run, in the schema dedup.pair/2 or, for a corpus, dedup.corpus/1; jsonl is one pair
    /// per line, in dedup.pair/2. paths prints the paths of the texts that are in a pair, or that
    /// --keep keeps, one per line; paths0 ends each with NUL, as find -print0 does. csv is one row
    /// per pair; sarif (2.1.0), gitlab (Code Quality) and junit are for programs that read these
    /// formats; github prints annotations for GitHub Actions, and adds a summary to the step
    /// summary if there is one; markdown is such a summary, short enough for a comment; badge is
    /// the count as a badge for shields.io. With =FILE the output is written to that file,
    /// completely or not at all, and the text is still printed; may be given several times. An
    /// input file is never overwritten, whatever its name.
    #[arg(
        id = "format",
        long,
        value_name = "F[=FILE]",
        value_parser = formed(form(), Format::ALL.map(Format::name), Format::ALL.map(|format| format!("{}=FILE", format.name()))), help_heading = OUTPUT)]
    asked: Vec<FormatOutput>,
}

/// A format and the file it is written to.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct FormatOutput {
    format: Format,
    /// `None` for standard output.
    file: Option<PathBuf>,
}

impl FormatFlags {
    /// Returns the format of standard output; text if none is given for it.
    pub(crate) fn printed(&self) -> Format {
        let printed = self.asked.iter().find(|form| form.file.is_none());
        printed.map_or(Format::Text, |form| form.format)
    }

    /// Returns the formats that are written to files, each with its file.
    pub(crate) fn files(&self) -> impl Iterator<Item = (Format, &Path)> {
        self.asked.iter().filter_map(|form| Some((form.format, form.file.as_deref()?)))
    }

    /// Returns the requested exports: formats for other programs or for pull requests.
    pub(crate) fn exports(&self) -> impl Iterator<Item = &'static ExportFormat> {
        self.asked.iter().filter_map(|form| match form.format {
            Format::Export(export) => Some(export),
            _ => None,
        })
    }

    /// Returns the file that GitHub Actions shows as the summary of a step, from
    /// `GITHUB_STEP_SUMMARY`, and its format.
    ///
    /// `None` if no requested export asks for a summary, if the variable is unset or empty, or if a
    /// format is written to that file anyway.
    pub(crate) fn summary(&self) -> Option<(Format, PathBuf)> {
        let format = Format::Export(self.exports().find_map(|export| export.summary)?);
        let file = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|name| !name.is_empty())?;
        let file = PathBuf::from(file);
        let id = FileId::new(&file);
        let is_written = self.files().any(|(_, other)| FileId::new(other) == id);
        (!is_written).then_some((format, file))
    }

    /// Reports whether a requested export contains the passages of pairs.
    pub(crate) fn show_passages(&self) -> bool {
        self.exports().any(|export| export.has_passages)
    }

    /// Returns the files to be written, each with the flag that names it.
    pub(crate) fn written(&self) -> impl Iterator<Item = (Flag, PathBuf)> {
        self.files().map(|(format, file)| {
            let value = format!("{}={}", format.name(), display_path(file));
            (Flag::with("format", value), file.to_owned())
        })
    }

    /// Returns the summary of the step, with the variable that names it.
    pub(crate) fn written_summary(&self) -> Option<(Flag, PathBuf)> {
        let (_, file) = self.summary()?;
        Some((Flag::of(&[], format!("GITHUB_STEP_SUMMARY {}", display_path(&file))), file))
    }

    /// Checks that the formats can be combined.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if two formats go to standard output, or if `--quiet` suppresses a format
    /// that is given for it.
    pub(crate) fn check(&self, is_quiet: bool) -> Result<(), Diagnostic> {
        let printed: Vec<&FormatOutput> =
            self.asked.iter().filter(|form| form.file.is_none()).collect();
        if let [first, second, ..] = printed[..] {
            let [first, second] = [first, second].map(|form| form.format.name());
            return usage_error(
                ["format"],
                &format!(
                    "--format {first} and --format {second} both to standard output, expected one \
                     of them"
                ),
                &format!("--format {second}=FILE writes {second} to a file"),
            );
        }
        let name = self.printed().name();
        check_conflicts(&[(
            is_quiet && self.printed() != Format::Text,
            Flag::new("quiet"),
            Flag::with("format", name),
            &format!("--quiet prints nothing; leave it out to print {name}"),
        )])
    }
}

/// Parses `FORMAT` or `FORMAT=FILE`. A name of standard output counts as no file.
pub(crate) fn form() -> impl TypedValueParser<Value = FormatOutput> {
    OsStringValueParser::new().try_map(|typed: OsString| {
        let (name, file) = match typed.split_once("=") {
            Some((name, file)) => (name, Some(file)),
            None => (&*typed, None),
        };
        let format = name.to_str().and_then(Format::named).ok_or_else(|| {
            let names = Format::ALL.map(Format::name).join(", ");
            format!("expected one of {names}, or one with =FILE")
        })?;
        match file {
            Some(file) if file.is_empty() => Err(format!("expected {}=FILE", format.name())),
            file => Ok(FormatOutput {
                format,
                file: file.map(PathBuf::from).filter(|it| !is_output(it)),
            }),
        }
    })
}

// The flags that set the exit status and the way the answer is shown.

/// The flags that set the exit status and how the answer is shown.
#[derive(Args, Debug)]
pub(crate) struct Answering {
    /// Exit 0 for LEVEL or closer [default near-duplicate]
    ///
    /// One of different, excerpt, partial, near-duplicate, identical. Any less close verdict exits
    /// with 1.
    #[arg(long, value_name = "LEVEL", value_parser = values::level(), conflicts_with = "fail_on", help_heading = CI)]
    at_least: Option<Verdict>,

    /// Exit 1 for LEVEL or closer, 0 otherwise: for CI
    ///
    /// Unlike `! dedup …` it does not hide an error, which exits with 2.
    #[arg(long, value_name = "LEVEL", value_parser = values::level(), help_heading = CI)]
    fail_on: Option<Verdict>,

    /// Print no result; only set the exit status
    ///
    /// Errors are still printed to standard error.
    #[arg(short, long, help_heading = OUTPUT)]
    pub(crate) quiet: bool,

    /// Use colours: auto, always or never [default auto]
    ///
    /// auto depends on the terminal, NO_COLOR and CLICOLOR_FORCE.
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) color: Color,
}

impl Answering {
    /// Makes a verdict that reaches the level a failure, whichever of `--at-least` and `--fail-on`
    /// sets the level. The level is near-duplicate if neither is given.
    pub(crate) fn fail_at_level(&mut self) {
        self.fail_on = Some(self.at_least.take().unwrap_or(self.level()));
    }

    /// Returns the verdict that `--at-least` or `--fail-on` names; near-duplicate if neither is
    /// given.
    pub(crate) fn level(&self) -> Verdict {
        self.at_least.or(self.fail_on).unwrap_or(Verdict::NearDuplicate)
    }

    /// Reports whether `--fail-on` is given.
    pub(crate) fn has_fail_on(&self) -> bool {
        self.fail_on.is_some()
    }

    /// Returns the severity of a finding: an error with `--fail-on`, otherwise a warning.
    pub(crate) fn weight(&self) -> Severity {
        if self.has_fail_on() { Severity::Error } else { Severity::Warning }
    }

    /// Returns the exit status for a verdict, or for the closest verdict of many pairs.
    ///
    /// `None` means that there is no finding: the level is not reached.
    pub(crate) fn status(&self, closest: Option<Verdict>) -> Exit {
        let is_reached = closest.is_some_and(|verdict| verdict >= self.level());
        if is_reached == self.fail_on.is_none() { Exit::Success } else { Exit::Failure }
    }
}

// The flags of the report that is written to a file.

/// The help text of `--report` for a corpus.
pub(crate) const OF_CORPUS: &str = "Also write a report: a folder, or one web page\n\nIt shows people with the share of their words that stands in other texts, the pairs to read first, what was not compared, and a page for each of the closest 500 pairs, with both texts. If the name ends in .html, it is one page with everything, of at most 20 MB: if the texts are longer, fewer pairs have their page in it. Otherwise it is a folder with index.html and a page for each pair. It opens from disk, without a network, and can be shared, but it contains the texts in full. Passages are searched for, as with --passages on, and the texts are kept in memory. An earlier report is replaced; a folder that contains anything else is not changed. A report inside a folder that is compared is skipped there.";

/// The help text of `--anonymous` for a corpus.
pub(crate) const OF_NAMES: &str = "Omit the names of the texts from the report\n\nThey are replaced by \"Text 1\", \"Text 2\" and so on, in order. The key, which lists the name of each text, is a separate file: report.key.csv next to report.html. Only its owner may read it, and only an earlier key is replaced. The texts are not changed, and may contain names.";

/// The flags of the report.
#[derive(Args, Debug)]
pub(crate) struct ReportFlags {
    /// Also write a report as one web page
    ///
    /// It shows both texts side by side with the passages that they share, the measures and the
    /// verdict. It opens from disk, without a network, and can be shared, but it contains both
    /// texts in full. It is written completely or not at all, with --quiet too.
    #[arg(long, value_name = "FILE.html", help_heading = EVIDENCE)]
    report: Option<PathBuf>,

    /// Omit the file names from the report
    ///
    /// They are replaced by "left text" and "right text". The texts are not changed, and may
    /// contain names.
    #[arg(long, requires = "report", help_heading = OUTPUT, hide_short_help = true)]
    anonymous: bool,
}

impl ReportFlags {
    /// Returns the path of the report. `None` if no report is requested.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.report.as_deref()
    }

    /// Returns the path of the report with its flag. `None` if no report is requested.
    pub(crate) fn written(&self) -> Option<(Flag, PathBuf)> {
        let file = self.report.clone()?;
        Some((Flag::with("report", display_path(&file)), file))
    }

    /// Returns the folder that the report is written to. `None` if it is one page, or if no report
    /// is requested.
    ///
    /// It is one page if its name ends in `.html` or `.htm`, if it is standard output, or if the
    /// path exists and is neither a file nor a folder.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.file().filter(|path| {
            let ending = path.extension().unwrap_or_default();
            let is_named_page =
                ["html", "htm"].iter().any(|name| ending.eq_ignore_ascii_case(name));
            let is_stream = path.metadata().is_ok_and(|known| !known.is_file() && !known.is_dir());
            !is_named_page && !is_stream && !is_output(path)
        })
    }

    /// Returns the path of the key of an anonymous report, the file that lists the name of each
    /// text. It is next to the report and is named after it.
    ///
    /// `None` if names are shown, or if the report is written to standard output or to another
    /// stream.
    pub(crate) fn key(&self) -> Option<PathBuf> {
        let path = self.file().filter(|path| self.anonymous && !is_output(path))?;
        if path.metadata().is_ok_and(|known| !known.is_file() && !known.is_dir()) {
            return None;
        }
        // `..` and `/` have no file name; a report with such a path is rejected elsewhere.
        let name = if self.folder().is_some() { path.file_name() } else { path.file_stem() }?;
        let mut key = name.to_owned();
        key.push(".key.csv");
        Some(path.with_file_name(key))
    }

    /// Reports whether the names of the files are shown or hidden in the report.
    pub(crate) fn names(&self) -> Visibility {
        if self.anonymous { Visibility::Hidden } else { Visibility::Shown }
    }
}

// The flags of the baseline, the file of accepted pairs.

/// The baseline, and how it is used and updated.
#[derive(Args, Debug)]
pub(crate) struct BaselineFlags {
    /// Ignore pairs that are accepted in a FILE
    ///
    /// The file lists pairs of texts with how much they share. A pair is new again if it shares
    /// more: a passage at a new place, 12 more words in passages, or, without a passage, a Jaccard
    /// index that is higher by 0.05. Texts may be renamed and edited; a copy of a text is another
    /// text. Accepted pairs do not affect the exit status and are not reported as findings.
    #[arg(long, value_name = "FILE", help_heading = CI, hide_short_help = true)]
    baseline: Option<PathBuf>,

    /// Rewrite the baseline, accepting all that is found
    ///
    /// Entries that are not found are removed, but not those of files that exist and are not among
    /// the PATHs. The exit status is 0 unless there is an error.
    #[arg(long, requires = "baseline", help_heading = CI, hide_short_help = true)]
    pub(crate) update_baseline: bool,

    /// Add a pair to the baseline; repeatable
    ///
    /// What is found in the pair is accepted. The other entries of the baseline are kept.
    #[arg(
        long,
        value_names = ["LEFT", "RIGHT"],
        num_args = 2,
        requires = "baseline",
        conflicts_with = "update_baseline", help_heading = CI, hide_short_help = true)]
    accept: Vec<PathBuf>,

    /// Write digests to the baseline instead of names and words
    ///
    /// A digest hides a name or words from readers, but not from those who can guess them.
    #[arg(long, requires = "baseline", help_heading = CI, hide_short_help = true)]
    pub(crate) anonymous_baseline: bool,
}

impl BaselineFlags {
    /// Returns the path of the baseline. `None` if none is given.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.baseline.as_deref()
    }

    /// Reports whether the baseline is to be rewritten or added to.
    pub(crate) fn is_written(&self) -> bool {
        self.update_baseline || !self.accept.is_empty()
    }

    /// Returns the pairs that `--accept` adds.
    pub(crate) fn accepted(&self) -> impl Iterator<Item = [&Path; 2]> {
        let pairs = self.accept.chunks_exact(2);
        pairs.map(|pair| [pair[0].as_path(), pair[1].as_path()])
    }

    /// Checks that the baseline can be combined with the other flags.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if the baseline is standard input, or with `--passages off`.
    pub(crate) fn check(&self, passages: Option<Passages>) -> Result<(), Diagnostic> {
        if self.file() == Some(Path::new("-")) {
            return usage_error(
                ["baseline"],
                "--baseline -, expected a file that can be updated",
                "name a file, such as baseline.txt",
            );
        }
        check_conflicts(&[(
            self.file().is_some() && passages == Some(Passages::Off),
            Flag::new("baseline"),
            Flag::with("passages", "off"),
            "a baseline accepts passages; leave out --passages off",
        )])
    }

    /// Returns the path of the baseline with its flag. `None` if none is given.
    pub(crate) fn written(&self) -> Option<(Flag, PathBuf)> {
        let file = self.file()?.to_owned();
        Some((Flag::with("baseline", display_path(&file)), file))
    }
}
