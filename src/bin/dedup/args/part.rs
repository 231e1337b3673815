//! `dedup part STEP`: runs one step of the comparison of a corpus, for programs that distribute the
//! texts. `dedup clusters`: finds the clusters of pairs that were found before.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use dedup_text::corpus::preference::Keep;
use dedup_text::language::{Choice, Given, Language};
use dedup_text::pair::{Recipe, Search};
use dedup_text::text::display_path;
use dedup_text::verdict::Verdict;

use super::comparing::Passages;
use super::corpus::{KEEP_LONGEST, KeepFlags, first_line};
use super::values::{self, Level, NO_SIDE_IN_CORPUS};
use super::{Comparing, ThreadsFlag, usage_error};
use crate::diagnostics::{Diagnostic, Flag};
use crate::io::disk::FileId;
use crate::io::inputs::record::ID_OFF;
use crate::io::output::{OutputFiles, is_output};

/// Run one step of a distributed corpus, in an engine such as Spark
///
/// Records are read from standard input, one JSON object per line, and written to standard output:
/// count writes one small file of how often shingles occur, merge adds such files, keys prints the
/// keys that each text is to be joined by, judge prints the verdict on two texts. integrations/ has
/// programs that combine these steps; the pairs are those of dedup corpus. No settings file is read:
/// repeat the limits and the other settings of dedup.toml as flags.
#[derive(Args, Debug)]
#[command(args_override_self = true, help_template = super::HELP)]
#[command(
    override_usage = "dedup part count|keys|judge [OPTIONS] < RECORDS | dedup part merge FILE…"
)]
#[command(mut_arg("lang", |arg| arg.help("Language of all texts: ca, cat or none").long_help(super::corpus::LANG)))]
#[command(mut_arg("encoding", |arg| arg.hide(true)))]
pub(crate) struct PartFlags {
    /// count, merge, keys or judge
    #[arg(value_name = "STEP")]
    pub(crate) step: Step,

    /// For merge: files written by count
    ///
    /// All are added up, also an earlier sum that *.counts matches: keep the sum in another folder,
    /// or give it another extension.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// For keys and judge: the file written by count and merge
    ///
    /// It must be written by this version, with the same flags, from all texts.
    #[arg(long, value_name = "FILE")]
    pub(crate) counts: Option<PathBuf>,

    /// The field that names a record [default id]
    ///
    /// Every record must have it: the steps join texts by their ids, so off is an error here.
    #[arg(long, value_name = "FIELD", default_value = "id")]
    pub(crate) id: String,

    /// The field with a record's text [default text]
    #[arg(long, value_name = "FIELD", default_value = "text")]
    pub(crate) text: String,

    /// Handling of bad lines: stop or keep [default stop]
    ///
    /// With keep, a line that is not a record, or has no text, is answered with {"id", "error"};
    /// count skips it.
    #[arg(long, value_name = "HOW", default_value = "stop")]
    pub(crate) bad_lines: BadLines,

    /// For count and merge: the file to write [default -]
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,

    /// For count: slots, as a power of two [16 to 32, default 26]
    ///
    /// One byte each. Shingles that share a slot are considered more frequent than they are, which
    /// costs time but loses no pair.
    #[arg(long, value_name = "BITS", default_value = "26", value_parser = values::slots)]
    pub(crate) slots: u32,

    /// For count: the language of texts in doubt
    ///
    /// The language that at least half of all other texts have, or none; without this flag, the one
    /// that half of the texts counted together have. If merge finds another language, there are
    /// more keys than necessary.
    #[arg(long, value_name = "CODE", value_parser = values::lang)]
    main: Option<values::PerSide<Option<Language>>>,

    #[command(flatten)]
    pub(crate) threads: ThreadsFlag,

    #[command(flatten)]
    pub(crate) comparing: Comparing,
}

/// The default of `--slots`, as a power of two.
const SLOTS: u32 = 26;

/// A step of the comparison of a distributed corpus.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Step {
    Count,
    Merge,
    Keys,
    Judge,
}

/// The handling of a line that is not a record.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum BadLines {
    Stop,
    Keep,
}

impl PartFlags {
    /// Returns the recipe of the comparison. Passages are searched for only with `--passages on`.
    pub(crate) fn recipe(&self) -> anyhow::Result<Recipe> {
        let search = match self.comparing.evidence.passages() {
            Some(Passages::On) => Search::Always,
            _ => Search::Never,
        };
        self.comparing.recipe(self.language_of_all()?, search)
    }

    fn language_of_all(&self) -> Result<Choice, Diagnostic> {
        self.comparing.language_of_all()
    }

    /// Returns the language of texts whose language is in doubt, from `--main`.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if a side is named.
    pub(crate) fn main(&self) -> Result<Given, Diagnostic> {
        let language = values::given_for_all(self.main.as_slice(), "main", NO_SIDE_IN_CORPUS)?;
        Ok(language.map_or(Given::Detect, Given::As))
    }

    /// Checks that the flags suit the step and can be combined.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if a file is missing or is not expected, if a flag does not apply to the
    /// step, if `--id` and `--text` name the same field, if a file of counts is given twice, or if
    /// the output would overwrite an input.
    pub(super) fn check(&self) -> Result<(), Diagnostic> {
        match (self.step, self.files.is_empty(), &self.counts) {
            (Step::Merge, true, _) => {
                return usage_error(
                    [],
                    "no file given, expected files written by dedup part count",
                    "dedup part merge 1.counts 2.counts > all.counts",
                );
            }
            (Step::Merge, false, _) => {}
            (_, false, _) => {
                let step = self.step.to_possible_value();
                let step = step.as_ref().map_or("keys", |step| step.get_name());
                return usage_error(
                    [],
                    "a FILE argument, expected records on standard input",
                    &format!("dedup part {step} … < docs.jsonl"),
                );
            }
            (Step::Keys, _, None) => {
                return usage_error(
                    ["counts"],
                    "keys without --counts, expected the file that dedup part count wrote for all \
                     texts",
                    "dedup part count < docs.jsonl > all.counts",
                );
            }
            _ => {}
        }
        if self.id == ID_OFF {
            return usage_error(
                ["id"],
                "--id off with dedup part, expected a field",
                "the steps join texts by their ids; dedup corpus can name records by their lines",
            );
        }
        if self.id == self.text {
            return usage_error(
                ["id", "text"],
                "--id and --text name the same field, expected two fields",
                "--id is the name of a text, --text its content",
            );
        }
        self.check_ignored()?;
        let flag = Flag::with("output", display_path(&self.output));
        let outputs = OutputFiles::new([(flag, self.output.clone())])?;
        if self.step == Step::Count {
            outputs.check("the file of records", Path::new("-"))?;
        }
        let mut known = HashSet::new();
        for path in &self.files {
            let (id, shown) = (FileId::new(path), display_path(path));
            outputs.check_known(format!("the file of counts {shown}"), &id)?;
            if !known.insert(id) {
                let what = format!("{shown}: is given twice, expected each file of counts once");
                return usage_error([], &what, "merge adds the counts of all files that are named");
            }
        }
        self.comparing.files().try_for_each(|(what, path)| outputs.check(what, path))
    }

    /// Returns an error if a flag is given that the step ignores.
    fn check_ignored(&self) -> Result<(), Diagnostic> {
        let makes_a_file = matches!(self.step, Step::Count | Step::Merge);
        let is_count = self.step == Step::Count;
        #[rustfmt::skip]
        let ignored = [
            ("--output",    !makes_a_file && !is_output(&self.output),               "it prints lines; write them to a file with > FILE"),
            ("--counts",    makes_a_file && self.counts.is_some(),                   "only keys and judge read counts"),
            ("--slots",     !is_count && self.slots != SLOTS,           "only count sets the number of slots"),
            ("--main",      !is_count && self.main.is_some(),                        "only count uses it"),
            ("--bad-lines", self.step == Step::Merge && self.bad_lines != BadLines::Stop, "merge does not read records"),
        ];
        let Some((flag, _, hint)) = ignored.into_iter().find(|(_, is_there, _)| *is_there) else {
            return Ok(());
        };
        let step = self.step.to_possible_value();
        let step = step.as_ref().map_or("it", |step| step.get_name());
        Err(Diagnostic::new(format!("{flag} and {step} together, expected no {flag}"))
            .hint(hint.to_owned()))
    }
}

// `dedup clusters`: clusters of pairs that were found earlier.

/// Find clusters of pairs, and what a clean corpus would keep
///
/// Pairs are read from standard input, one JSON object per line, as written by dedup corpus
/// --format jsonl and the programs in integrations/. The clusters are those of dedup corpus
/// --clusters. No settings file is read: repeat --at-least and --keep-by of dedup.toml as flags.
#[derive(Args, Debug)]
#[command(args_override_self = true, help_template = super::HELP)]
#[command(override_usage = "dedup clusters [OPTIONS] < PAIRS")]
#[command(mut_arg("keep", |arg| arg.help(first_line(KEEP)).long_help(KEEP)))]
#[command(mut_arg("keep_by", |arg| arg.long_help(KEEP_BY)))]
pub(crate) struct ClustersFlags {
    /// Link pairs of this verdict or closer [default near-duplicate]
    ///
    /// One of different, excerpt, partial, near-duplicate, identical. Less close pairs, such as
    /// those of --nearest, and pairs that a baseline has accepted are not linked.
    #[arg(long, value_name = "LEVEL")]
    at_least: Option<Level>,

    #[command(flatten)]
    pub(crate) keeping: KeepFlags,

    /// Records of all texts, so that texts without pairs are kept, too
    #[arg(long, value_name = "FILE", requires = "keep", value_hint = clap::ValueHint::FilePath)]
    pub(crate) texts: Option<PathBuf>,

    /// For --texts: the field that names a record, or off [default id]
    ///
    /// Without this flag, a record without an id is named by its file and line; with off, all
    /// records are.
    #[arg(long, value_name = "FIELD", requires = "texts")]
    id: Option<String>,
}

const KEEP: &str = "Print what a clean corpus keeps: first, longest, newest:FIELD or field:FIELD\n\nIn the order of --texts, otherwise in the order in which the pairs name them. longest uses the field words of --texts, as written by dedup part keys --counts FILE. Each line of the answer is an object with the name of a text as path; dedup corpus --keep prints the names alone.";

const KEEP_BY: &str = "Remove a text because of a pair, or of a chain of pairs: direct or linked [default direct]\n\ndirect: in the order of --keep, a text is removed only if it is paired with a text that is kept. linked: one text of each cluster is kept, even if others are similar to it only through texts between them. direct needs all pairs of the level: --nearest omits some.";

impl ClustersFlags {
    /// Returns the verdict that a pair must reach to link its texts.
    pub(crate) fn level(&self) -> Verdict {
        self.at_least.unwrap_or_default().0
    }

    /// Returns the field that names a record of `--texts`.
    pub(crate) fn id(&self) -> &str {
        self.id.as_deref().unwrap_or("id")
    }

    /// Reports whether `--id` is given, so that every record must have that field.
    pub(crate) fn is_id_given(&self) -> bool {
        self.id.is_some()
    }

    /// Reports whether all records are named by file and line.
    pub(crate) fn is_id_off(&self) -> bool {
        self.id.as_deref() == Some(ID_OFF)
    }

    /// Checks that the flags can be combined.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if `--keep` has a rule other than `first` and `--texts` is not given, or if
    /// `--texts` is standard input, from which the pairs are read.
    pub(super) fn check(&self) -> Result<(), Diagnostic> {
        const FIRST: &str = "--keep first needs no records";
        if self.texts.as_deref() == Some(Path::new("-")) {
            return usage_error(
                [],
                "- is given twice, expected standard input only once",
                "the pairs are standard input; name a file for --texts",
            );
        }
        let (rule, field, hint) = match &self.keeping.keep {
            Some(Keep::Longest) => {
                ("longest", "the field words", &*format!("{KEEP_LONGEST}; {FIRST}"))
            }
            Some(Keep::Newest(_) | Keep::Field(_)) => ("by a field", "that field", FIRST),
            Some(Keep::First) | None => return Ok(()),
        };
        if self.texts.is_some() {
            return Ok(());
        }
        let what = format!("--keep {rule} without --texts, expected records with {field}");
        Err(Diagnostic::new(what).hint(hint))
    }
}
