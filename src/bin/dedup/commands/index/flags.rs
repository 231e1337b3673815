//! `dedup index`: keeps the sketches of texts in a file, so that later texts can be compared with
//! them.

use std::path::{Path, PathBuf};

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand, ValueHint};
use dedup_text::pair::{Recipe, Search};
use dedup_text::passages::MinMatch;

use crate::args::headings::OUTPUT;
use crate::args::{Comparing, InputFlags, SettingsFlags, ThreadsFlag};
use crate::args::{check_standard_input, usage_error};
use crate::config::Merged;
use crate::diagnostics::{Diagnostic, Flag};
use crate::recipe::recipe;
use crate::stored::{ANONYMOUS, recorded, take_recorded};

/// Store texts in an index that later texts are compared with
///
/// dedup corpus NEW --against earlier.dedup finds the pairs that dedup corpus NEW --against with
/// the texts themselves would find, without reading them again. The file does not contain the
/// texts, unless it is built with --with-texts: it stores the name of each, its measures and its
/// shingles as numbers.
#[derive(Args, Debug)]
#[command(help_template = crate::args::HELP, override_usage = "dedup index COMMAND FILE …")]
pub(crate) struct IndexFlags {
    #[command(subcommand)]
    pub(crate) action: IndexAction,
}

/// An action on an index.
#[derive(Debug, Subcommand)]
pub(crate) enum IndexAction {
    Build(Box<BuildFlags>),
    Add(Box<AddFlags>),
    Remove(RemoveFlags),
    List(ListFlags),
    /// Show how an index was built, and its size
    #[command(override_usage = "dedup index info FILE")]
    Info(FileFlags),
    /// Read a whole index and verify every checksum
    ///
    /// The exit status is 0 if the index is intact, otherwise 2, and the error says what is lost.
    #[command(override_usage = "dedup index check FILE")]
    Check(FileFlags),
    /// Rewrite an index without the removed texts
    ///
    /// It is then as small and as fast to query as an index that was built in one run.
    #[command(override_usage = "dedup index compact FILE")]
    Compact(FileFlags),
}

/// Build an index of texts
///
/// dedup index build essays/2025 -o earlier.dedup. The index records how texts are read and
/// compared, which must be the same wherever it is used; the limits are those of the later query.
#[derive(Args, Debug)]
#[command(args_override_self = true, help_template = crate::args::HELP)]
#[command(override_usage = "dedup index build [PATH…] -o FILE [OPTIONS]")]
pub(crate) struct BuildFlags {
    /// The index to write; nothing is overwritten
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub(crate) output: PathBuf,

    /// Also store the texts, compressed, to find passages in them
    ///
    /// Without this flag the file does not contain the texts, and can only answer which texts are
    /// near-duplicates.
    #[arg(long)]
    pub(crate) with_texts: bool,

    /// Omit the names of the texts from the index
    ///
    /// A text is identified by an id, such as text-0f3c5a7be1d29864, which is computed from its
    /// name: anyone who guesses the name can verify it. Groups have such ids as well, and persons
    /// and authors are not stored. add, remove and --against an index take the names as usual.
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) anonymous: bool,

    #[command(flatten)]
    pub(crate) texts: IndexedFlags,
}

/// Add texts to an index, replacing those of the same name
///
/// They are read and compared like the texts in the index, without giving --max and the like again;
/// the files of --template and --stopwords must be given. A text that is in the index unchanged is
/// kept. A reader sees the index before or after the change, never in between.
#[derive(Args, Debug)]
#[command(args_override_self = true, help_template = crate::args::HELP)]
#[command(override_usage = "dedup index add FILE [PATH…] [OPTIONS]")]
pub(crate) struct AddFlags {
    /// The index
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) index: PathBuf,

    #[command(flatten)]
    pub(crate) texts: IndexedFlags,
}

/// The texts that are added to an index, and how they are read.
#[derive(Args, Debug)]
#[command(mut_arg("against", |arg| arg.hide(true)))]
#[command(mut_arg("earlier", |arg| arg.hide(true)))]
#[command(mut_arg("lang", |arg| arg.help("Language of all texts: ca, cat or none").long_help(crate::args::inputs::LANG)))]
#[command(mut_arg("encoding", |arg| arg.help("Encoding of all files, such as latin1").long_help(crate::args::inputs::ENCODING)))]
pub(crate) struct IndexedFlags {
    #[command(flatten)]
    pub(crate) inputs: InputFlags,

    #[command(flatten)]
    pub(crate) comparing: Comparing,

    /// Print no result; only set the exit status
    #[arg(short, long, help_heading = OUTPUT)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) threads: ThreadsFlag,

    #[command(flatten)]
    pub(crate) settings: SettingsFlags,
}

/// Remove texts from an index
///
/// Texts are given by their names as dedup index list prints them, or by a folder that contains
/// them. They are no longer found; their numbers stay in the file until dedup index compact.
#[derive(Args, Debug)]
#[command(help_template = crate::args::HELP, override_usage = "dedup index remove FILE NAME…")]
pub(crate) struct RemoveFlags {
    /// The index
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) index: PathBuf,

    /// Names of texts, and of folders with all their texts
    #[arg(value_name = "NAME", required = true, value_parser = NonEmptyStringValueParser::new())]
    pub(crate) names: Vec<String>,

    /// Print no result; only set the exit status
    #[arg(short, long, help_heading = OUTPUT)]
    pub(crate) quiet: bool,
}

/// List the texts of an index, one name per line
#[derive(Args, Debug)]
#[command(help_template = crate::args::HELP, override_usage = "dedup index list FILE [OPTIONS]")]
pub(crate) struct ListFlags {
    /// The index
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) index: PathBuf,

    /// Print one JSON object per line: name, group, words, language
    #[arg(long)]
    pub(crate) json: bool,
}

/// The argument of an action that needs only an index.
#[derive(Args, Debug)]
#[command(help_template = crate::args::HELP)]
pub(crate) struct FileFlags {
    /// The index
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) index: PathBuf,
}

impl IndexFlags {
    /// Stores the settings file that was read. When texts are added to an index, takes over how the
    /// index was built.
    pub(crate) fn take(&mut self, merged: &Merged) {
        match &mut self.action {
            IndexAction::Build(flags) => flags.texts.settings.take(merged),
            IndexAction::Add(flags) => {
                flags.texts.settings.take(merged);
                take_recorded(&mut flags.texts.comparing, &flags.index, merged);
            }
            _ => {}
        }
    }

    /// Returns the settings of an action that reads texts. `None` for the others.
    pub(crate) fn settings(&self) -> Option<&SettingsFlags> {
        self.texts().map(|texts| &texts.settings)
    }

    /// Returns the flags of the texts that an action adds to the index. `None` for the others.
    fn texts(&self) -> Option<&IndexedFlags> {
        match &self.action {
            IndexAction::Build(flags) => Some(&flags.texts),
            IndexAction::Add(flags) => Some(&flags.texts),
            _ => None,
        }
    }

    /// Checks that the flags can be combined.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if texts are read but none is named, if standard input is named twice, if
    /// `--against`, `--earlier` or a flag about passages is given, or if the flags of records contradict each
    /// other.
    pub(crate) fn check(&self) -> Result<(), Diagnostic> {
        let Some(texts) = self.texts() else { return Ok(()) };
        if !texts.inputs.old().is_empty() {
            let flag = texts.inputs.old_flag();
            return usage_error(
                [flag],
                &format!("--{flag} and dedup index together, expected only the texts of the index"),
                &format!("dedup corpus NEW --{flag} FILE compares with it"),
            );
        }
        if texts.inputs.is_empty() {
            return usage_error(
                ["files-from", "jsonl", "csv", "parquet"],
                "no input given, expected files or folders, --files-from, --jsonl, --csv or \
                 --parquet",
                match self.action {
                    IndexAction::Add(_) => "dedup index add earlier.dedup essays/2025",
                    _ => "dedup index build essays/2025 -o earlier.dedup",
                },
            );
        }
        check_standard_input(texts.inputs.files().chain(texts.files()))?;
        let evidence = &texts.comparing.evidence;
        let of_passages = [
            (Flag::with("ignore", "short"), evidence.short().is_some()),
            (
                Flag::of(&["min-match", "template"], "--min-match without --template"),
                evidence.min_match != MinMatch::default() && evidence.template.is_empty(),
            ),
        ];
        let typed = |flag: &Flag| !flag.names().any(|name| texts.settings.sets(name));
        let is_typed = |(flag, is_there): &&(Flag, bool)| *is_there && typed(flag);
        if let Some((flag, _)) = of_passages.iter().find(is_typed) {
            return usage_error(
                flag.names(),
                &format!("{flag} and dedup index together, expected it where texts are compared"),
                "an index records no passages; each dedup corpus NEW --against FILE chooses which \
                 of them count",
            );
        }
        texts.inputs.check_records()
    }
}

impl BuildFlags {
    /// Returns the settings that the index records: how the texts are read and compared, and
    /// whether the names are left out.
    ///
    /// # Errors
    ///
    /// Returns an error if flags contradict each other, or if a list or a template cannot be read.
    pub(crate) fn recorded(&self) -> anyhow::Result<String> {
        let recorded = recorded(&self.texts.comparing)?;
        Ok(if self.anonymous { format!("{ANONYMOUS}\n{recorded}") } else { recorded })
    }
}

impl IndexedFlags {
    /// Returns the recipe by which texts are sketched. Passages are not searched for.
    pub(crate) fn recipe(&self) -> anyhow::Result<Recipe> {
        recipe(&self.comparing, self.comparing.language_of_all()?, Search::Never)
    }

    /// Returns the files that are read in addition to the texts.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.comparing.files().map(|(_, path)| path)
    }
}
