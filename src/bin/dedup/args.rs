//! The flags that several commands share.

pub(crate) mod headings;
pub(crate) mod output;
pub(crate) mod comparing;
pub(crate) mod inputs;
mod keeping;
pub(crate) mod values;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use dedup_text::text::display_path;

use crate::config::{Merged, Settings};
use crate::diagnostics::{Diagnostic, Flag};
use crate::io::disk::CompressionFormat;
use crate::io::inputs::table;
use headings::{OUTPUT, SETTINGS_FILE};
use values::MAX_THREADS;

pub(crate) use comparing::{Comparing, Opening};
pub(crate) use inputs::{Group, InputFlags, Unreadable};
pub(crate) use keeping::{KEEP_FIRST, KeepFlags};
pub(crate) use output::{Answering, BaselineFlags, FormatFlags, ReportFlags};

/// The template of help texts, in clap's syntax.
pub(crate) const HELP: &str = "{about}\n\n{usage-heading} {usage}\n\n{all-args}{after-help}\n";

/// Same as [`HELP`], for the program itself, without blank lines: its short help must fit on a
/// screen of 24 lines.
pub(crate) const HELP_OF_ALL: &str = "{about}\n{usage-heading} {usage}\n{all-args}{after-help}\n";

/// The exit statuses, each with its meaning.
const EXIT_STATUSES: &[(&str, &str)] = &[
    ("0", "the texts are near-duplicates, or as close as --at-least LEVEL"),
    ("1", "they are not; --fail-on LEVEL swaps 0 and 1"),
    ("2", "an error: a file that cannot be read or judged, or bad usage"),
];

/// The exit statuses of `dedup corpus` if it lists pairs.
pub(crate) const CORPUS_STATUSES: &[(&str, &str)] = &[
    ("0", "a pair is near-duplicate, or as close as --at-least LEVEL"),
    ("1", "none is; --fail-on LEVEL swaps 0 and 1"),
    ("2", "an error: a text that cannot be read, or bad usage"),
];

/// The exit statuses of `dedup check`.
pub(crate) const CHECK_STATUSES: &[(&str, &str)] = &[
    ("0", "no pair is near-duplicate, or as close as --fail-on LEVEL"),
    ("1", "one is"),
    ("2", "an error: a text that cannot be read, or bad usage"),
];

/// Returns the exit statuses of a command that judges pairs. `None` for any other command.
pub(crate) fn exit_statuses(command: &str) -> Option<&'static [(&'static str, &'static str)]> {
    match command {
        "dedup" => Some(EXIT_STATUSES),
        "corpus" => Some(CORPUS_STATUSES),
        "check" => Some(CHECK_STATUSES),
        _ => None,
    }
}

/// The command lines that help shows as examples, each with its purpose.
pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("dedup left.txt right.txt --max 3 --min 3", "the classic setting"),
    ("dedup draft.txt - --explain < final.txt", "every stage, step by step"),
    ("dedup --quiet --fail-on partial a.txt b.txt", "in CI: fails on copies"),
    ("dedup corpus essays --report board.html", "all pairs of a folder, as a page"),
    ("dedup new.txt --against earlier.dedup", "with all texts of an index"),
];

/// Returns the text that `--help` prints below the flags.
pub(crate) fn after_help() -> String {
    format!(
        "{}\nExamples:\n{}\nA command name is always a command: for a file named text, use ./text.",
        status_help(EXIT_STATUSES),
        listed(EXAMPLES),
    )
}

/// Returns the part of help about exit statuses.
pub(crate) fn status_help(statuses: &[(&str, &str)]) -> String {
    format!("Exit status:\n{}", listed(statuses))
}

fn listed(items: &[(&str, &str)]) -> String {
    let width = items.iter().map(|(item, _)| item.len()).max().unwrap_or(0);
    let lines = items.iter().map(|(item, meaning)| format!("  {item:width$}  {meaning}\n"));
    lines.collect::<Vec<_>>().concat()
}

/// Returns an error of usage with the [flags](Diagnostic::flags) that it is about, and a hint.
pub(crate) fn usage_error<'f>(
    flags: impl IntoIterator<Item = &'f str>,
    message: &str,
    hint: &str,
) -> Result<(), Diagnostic> {
    Err(Diagnostic::new(message).hint(hint).flags(flags))
}

/// Returns an error if standard input, which can be read only once, is more than one of the inputs.
pub(crate) fn check_standard_input<'p>(
    inputs: impl Iterator<Item = &'p Path>,
) -> Result<(), Diagnostic> {
    if inputs.filter(|path| *path == Path::new("-")).count() > 1 {
        return usage_error(
            [],
            "- is given twice, expected standard input only once",
            "name a file for the other, or use <(…) for both",
        );
    }
    Ok(())
}

/// A row of a table of conflicts: whether the conflict exists, the flag that would be ignored, the
/// flag that excludes it, and a hint.
type Conflict<'f> = (bool, Flag, Flag, &'f str);

/// Returns an error for the first row of a table whose conflict exists.
pub(crate) fn check_conflicts(rows: &[Conflict]) -> Result<(), Diagnostic> {
    match rows.iter().find(|(is_there, ..)| *is_there) {
        Some((_, one, other, hint)) => usage_error(
            one.names().chain(other.names()),
            &format!("{one} and {other} together, expected one of them"),
            hint,
        ),
        None => Ok(()),
    }
}

/// Returns an error if the name of an output file of records implies a format that none of the
/// input files has.
///
/// `flag` is the flag that names the output file. `records` are the input files, each with the
/// format of its flag. Nothing is checked if the name implies no format, or if there are no input
/// files.
pub(crate) fn check_format<'r>(
    flag: &Flag,
    path: &Path,
    records: impl Iterator<Item = (&'r Path, table::Format)>,
) -> Result<(), Diagnostic> {
    let Some(named) = table::Format::from_name(path) else { return Ok(()) };
    let records: Vec<(&Path, table::Format)> = records.collect();
    // The actual format of an input file may be the one that its name implies, not that of its
    // flag.
    let may_be = |(path, asked): &(&Path, table::Format)| {
        *asked == named || table::Format::from_name(path) == Some(named)
    };
    match records.first() {
        Some((first, asked)) if !records.iter().any(may_be) => {
            let (named, asked) = (named.name_in(path), asked.name_in(first));
            let first = display_path(first);
            usage_error(
                flag.names(),
                &format!("{flag}: {named} according to its name, expected {asked} as in {first}"),
                "records are written in the format of the input",
            )
        }
        _ => Ok(()),
    }
}

/// Returns an error if records cannot be compressed as the name of the output file implies.
pub(crate) fn check_compression(flag: &Flag, path: &Path) -> Result<(), Diagnostic> {
    let compression = CompressionFormat::from_name(path);
    let Some(compression) = compression.filter(|it| *it != CompressionFormat::Gzip) else {
        return Ok(());
    };
    let (name, ending) = (compression.name(), compression.ending());
    let printed = flag.names().next().unwrap_or_default();
    usage_error(
        flag.names(),
        &format!("{flag}: {name} cannot be written, expected .gz or an uncompressed file"),
        &format!("--{printed} - prints the records; pipe them to a program that writes .{ending}"),
    )
}

/// The flag of commands that use several threads.
#[derive(Args, Debug)]
pub(crate) struct ThreadsFlag {
    /// Number of threads [1 to 256, default the number of cores]
    ///
    /// The result does not depend on it.
    #[arg(long, value_name = "N", value_parser = values::threads, help_heading = OUTPUT, hide_short_help = true)]
    threads: Option<usize>,
}

impl ThreadsFlag {
    /// Returns the number of threads: 1 to [`MAX_THREADS`].
    pub(crate) fn number(&self) -> NonZeroUsize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.unwrap_or_else(cores).min(MAX_THREADS);
        NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN)
    }
}

// The flags that choose the settings file.

/// The flags that choose the settings file, and the file that was read.
#[derive(Args, Debug)]
pub(crate) struct SettingsFlags {
    /// Read settings from a FILE [default dedup.toml]
    ///
    /// In the file each long flag, except those for a single run, is a setting: jaccard = 0.8,
    /// quiet = true, stopwords = "off". Flags on the command line take precedence over it, and
    /// --quiet=false undoes quiet = true.
    /// Without --config the file is dedup.toml in the working folder or, in a repository, in the
    /// nearest folder above it, up to its root. Files that it names are relative to its folder.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "no_config",
        value_hint = clap::ValueHint::FilePath, help_heading = SETTINGS_FILE, hide_short_help = true)]
    config: Option<PathBuf>,

    /// Do not read a settings file
    #[arg(long, help_heading = SETTINGS_FILE, hide_short_help = true)]
    no_config: bool,

    #[arg(skip)]
    read: Option<Settings>,
}

impl SettingsFlags {
    /// Stores the settings file that was read.
    pub(crate) fn take(&mut self, merged: &Merged) {
        self.read.clone_from(&merged.settings);
    }

    /// Reports whether the settings file sets a flag and the command line does not override it.
    pub(crate) fn sets(&self, flag: &str) -> bool {
        self.read.as_ref().is_some_and(|read| read.sets(flag))
    }

    /// Returns the name of the settings file, relative to the working folder. `None` if none is
    /// read.
    pub(crate) fn name(&self) -> Option<String> {
        self.read.as_ref().map(|read| read.name().into_owned())
    }

    /// Returns the path of the settings file. `None` if none is read.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.read.as_ref().map(Settings::file)
    }

    /// Returns the settings file with its description for error messages. `None` if none is read.
    pub(crate) fn read(&self) -> Option<(&'static str, &Path)> {
        self.file().map(|file| ("the settings file", file))
    }

    /// Adds to an error the places in the settings file that set the flags which the error is
    /// about.
    pub(crate) fn with_setting_origin<T>(&self, answer: anyhow::Result<T>) -> anyhow::Result<T> {
        answer.map_err(|error| match &self.read {
            Some(read) => read.with_setting_origin(error),
            None => error,
        })
    }

    /// Makes the hint of the error of a text say where the settings file names the text, or sets
    /// the limit that it exceeds. `named` lists keys of the settings file, each with its paths.
    pub(crate) fn with_text_origin(
        &self,
        error: anyhow::Error,
        named: &[(&str, &[PathBuf])],
    ) -> anyhow::Error {
        match &self.read {
            Some(read) => read.with_text_origin(error, named),
            None => error,
        }
    }
}

pub(crate) fn first_line(help: &'static str) -> &'static str {
    help.lines().next().unwrap_or_default()
}
