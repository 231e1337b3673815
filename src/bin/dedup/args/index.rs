//! `dedup index`: keeps the sketches of texts in a file, so that later texts can be compared with
//! them.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand, ValueEnum, ValueHint};
use data_encoding::HEXLOWER;
use dedup_text::corpus::index::Index;
use dedup_text::language::{Given, Language};
use dedup_text::pair::{Recipe, Search};
use dedup_text::passages::MinMatch;
use dedup_text::text::{Html, Markup, ReadOptions, Text};
use dedup_text::{rabin, stopwords};
use sha2::{Digest, Sha256};

use super::comparing::{HtmlFlag, MarkupFlag, Stem};
use super::values::{self, StopwordsFlag};
use super::{Comparing, InputFlags, SettingsFlags, ThreadsFlag};
use super::{check_standard_input, usage_error};
use crate::config::Merged;
use crate::diagnostics::{Diagnostic, Flag};

/// Store texts in an index that later texts are compared with
///
/// dedup corpus NEW --against earlier.dedup finds the pairs that dedup corpus NEW --against with
/// the texts themselves would find, without reading them again. The file does not contain the
/// texts, unless it is built with --with-texts: it stores the name of each, its measures and its
/// shingles as numbers.
#[derive(Args, Debug)]
#[command(help_template = super::HELP, override_usage = "dedup index COMMAND FILE …")]
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
#[command(args_override_self = true, help_template = super::HELP)]
#[command(override_usage = "dedup index build [PATH…] -o FILE [OPTIONS]")]
#[command(mut_arg("against", |arg| arg.hide(true)))]
#[command(mut_arg("lang", |arg| arg.help("Language of all texts: ca, cat or none").long_help(super::corpus::LANG)))]
#[command(mut_arg("encoding", |arg| arg.help("Encoding of all files, such as latin1").long_help(super::corpus::ENCODING)))]
pub(crate) struct BuildFlags {
    /// The index to write; nothing is overwritten
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
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
    #[arg(long)]
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
#[command(args_override_self = true, help_template = super::HELP)]
#[command(override_usage = "dedup index add FILE [PATH…] [OPTIONS]")]
#[command(mut_arg("against", |arg| arg.hide(true)))]
#[command(mut_arg("lang", |arg| arg.help("Language of all texts: ca, cat or none").long_help(super::corpus::LANG)))]
#[command(mut_arg("encoding", |arg| arg.help("Encoding of all files, such as latin1").long_help(super::corpus::ENCODING)))]
pub(crate) struct AddFlags {
    /// The index
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) index: PathBuf,

    #[command(flatten)]
    pub(crate) texts: IndexedFlags,
}

/// The texts that are added to an index, and how they are read.
#[derive(Args, Debug)]
pub(crate) struct IndexedFlags {
    #[command(flatten)]
    pub(crate) inputs: InputFlags,

    #[command(flatten)]
    pub(crate) comparing: Comparing,

    /// Print no result; only set the exit status
    #[arg(short, long)]
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
#[command(help_template = super::HELP, override_usage = "dedup index remove FILE NAME…")]
pub(crate) struct RemoveFlags {
    /// The index
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) index: PathBuf,

    /// Names of texts, and of folders with all their texts
    #[arg(value_name = "NAME", required = true, value_parser = NonEmptyStringValueParser::new())]
    pub(crate) names: Vec<String>,

    /// Print no result; only set the exit status
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// List the texts of an index, one name per line
#[derive(Args, Debug)]
#[command(help_template = super::HELP, override_usage = "dedup index list FILE [OPTIONS]")]
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
#[command(help_template = super::HELP)]
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
                flags.texts.comparing.take_recorded(&flags.index, merged);
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
    /// `--against` or a flag about passages is given, or if the flags of records contradict each
    /// other.
    pub(crate) fn check(&self) -> Result<(), Diagnostic> {
        let Some(texts) = self.texts() else { return Ok(()) };
        if !texts.inputs.against.is_empty() {
            return usage_error(
                ["against"],
                "--against and dedup index together, expected only the texts of the index",
                "dedup corpus NEW --against FILE compares with it",
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
                evidence.min_match() != MinMatch::default()
                    && evidence.template_files().next().is_none(),
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
        let recorded = self.texts.comparing.recorded()?;
        Ok(if self.anonymous { format!("{ANONYMOUS}\n{recorded}") } else { recorded })
    }
}

impl IndexedFlags {
    /// Returns the reading options of each text.
    pub(crate) fn reading(&self) -> Result<ReadOptions, Diagnostic> {
        self.comparing.opening.reading_of_all()
    }

    /// Returns the recipe by which texts are sketched. Passages are not searched for.
    pub(crate) fn recipe(&self) -> anyhow::Result<Recipe> {
        self.comparing.recipe(self.comparing.language_of_all()?, Search::Never)
    }

    /// Returns the files that are read in addition to the texts.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.comparing.files().map(|(_, path)| path)
    }
}

impl Comparing {
    /// Returns the settings that shingles depend on, one per line, as they would be typed; the last
    /// line has the modulus of residues. An index records them, and
    /// all texts that are compared with the index must have the same settings. The content of a
    /// list or template is recorded as the beginning of its digest.
    ///
    /// # Errors
    ///
    /// Returns an error if flags contradict each other, or if a list or a template cannot be read.
    pub(crate) fn recorded(&self) -> anyhow::Result<String> {
        let reading = self.opening.reading_of_all()?;
        let list = match self.stopwords()? {
            stopwords::Choice::On => "on".to_owned(),
            stopwords::Choice::Off => "off".to_owned(),
            stopwords::Choice::List(list) => of_content(&list.words().join("\n")),
        };
        let stem = match self.stem {
            Stem::On => "on",
            Stem::Off => "off",
        };
        // The values as typed, even if they contradict each other: the error that they differ from
        // those of the index is more useful.
        let mut lines = vec![
            format!("--min {}", self.min.unwrap_or(1)),
            format!("--max {}", self.max.unwrap_or(3)),
            format!("--stopwords {list}"),
            format!("--stem {stem}"),
        ];
        if let Given::As(language) = self.language_of_all()?.left {
            lines.push(format!("--lang {}", language.map_or("none", Language::code)));
        }
        let ignored = self.evidence.ignored();
        let mut names: Vec<&str> = ignored.iter().map(|why| why.name()).collect();
        names.sort_unstable();
        names.dedup();
        if !names.is_empty() {
            lines.push(format!("--ignore {}", names.join(",")));
        }
        for path in self.evidence.template_files() {
            let text =
                Text::open(path, &self.opening.of_others()).context(Flag::new("template"))?;
            lines.push(format!("--template {}", of_content(text.content())));
        }
        if self.evidence.template_files().next().is_some() {
            lines.push(format!("--min-match {}", self.evidence.min_match().words()));
        }
        lines.extend(reading.encoding.map(|encoding| format!("--encoding {}", encoding.name())));
        lines.extend(reading.lossy.then(|| "--lossy".to_owned()));
        lines.extend(match reading.html {
            Html::Auto => None,
            Html::Main => Some("--html main".to_owned()),
            Html::All => Some("--html all".to_owned()),
            Html::Off => Some("--html off".to_owned()),
        });
        for (flag, markup) in [("--markdown", reading.markdown), ("--latex", reading.latex)] {
            lines.extend(match markup {
                Markup::Auto => None,
                Markup::On => Some(format!("{flag} on")),
                Markup::Off => Some(format!("{flag} off")),
            });
        }
        lines.push(format!("modulus {:016x}", rabin::MODULUS));
        Ok(lines.join("\n"))
    }

    /// Takes over the settings that an index was [built with](Self::recorded), for those flags that
    /// neither the command line nor the settings file sets.
    ///
    /// Lists and templates are not taken over, since only digests of them are recorded. If the
    /// index cannot be opened, nothing is taken over, and the command reports the error later.
    pub(crate) fn take_recorded(&mut self, index: &Path, merged: &Merged) {
        if let Ok(index) = Index::open(index) {
            self.take_lines(index.settings(), |flag| merged.sets(flag));
        }
    }

    fn take_lines(&mut self, built: &str, is_given: impl Fn(&str) -> bool) {
        for line in built.lines() {
            let (flag, value) = line.split_once(' ').unwrap_or((line, ""));
            if let Some(flag) = flag.strip_prefix("--").filter(|flag| !is_given(flag)) {
                // A setting that this version does not know is reported later, as a difference.
                let _ = self.take_line(flag, value);
            }
        }
    }

    fn take_line(&mut self, flag: &str, value: &str) -> Result<(), String> {
        let Self { opening, evidence, .. } = self;
        let markup = || MarkupFlag::from_str(value, false);
        match flag {
            "min" => self.min = Some(values::ngram(value)?),
            "max" => self.max = Some(values::ngram(value)?),
            "stopwords" if value == "on" => self.stopwords = StopwordsFlag::On,
            "stopwords" if value == "off" => self.stopwords = StopwordsFlag::Off,
            "stem" => self.stem = Stem::from_str(value, false)?,
            "lang" => self.lang = vec![values::lang(value)?],
            "ignore" => {
                evidence.ignore =
                    value.split(',').map(values::ignored).collect::<Result<_, _>>()?;
            }
            "min-match" => evidence.min_match = values::min_match(value)?,
            "encoding" => opening.encoding = vec![values::encoding(value)?],
            "lossy" => opening.lossy = true,
            "html" => opening.html = HtmlFlag::from_str(value, false)?,
            "markdown" => opening.markdown = markup()?,
            "latex" => opening.latex = markup()?,
            _ => {}
        }
        Ok(())
    }
}

/// The line in the settings of an index without names.
pub(crate) const ANONYMOUS: &str = "--anonymous";

/// The word that is recorded instead of the name of a file.
const FILE: &str = "FILE";

/// Formats the content of a file for the settings of an index, as `FILE` and the first 16
/// hexadecimal digits of its SHA-256 digest.
fn of_content(content: &str) -> String {
    let digest = HEXLOWER.encode(&Sha256::digest(content));
    format!("{FILE} ({})", &digest[..16])
}

/// Reports whether a recorded line has the digest of a file, so that the user must name the file.
pub(crate) fn is_of_file(line: &str) -> bool {
    line.split(' ').nth(1) == Some(FILE)
}

#[cfg(test)]
mod tests {
    use clap::{Command, FromArgMatches};

    use super::*;

    /// Parses the flags of a command line.
    fn flags(line: &str) -> Comparing {
        let command = Comparing::augment_args(Command::new("").no_binary_name(true));
        let matches = command.try_get_matches_from(line.split_whitespace()).unwrap();
        Comparing::from_arg_matches(&matches).unwrap()
    }

    /// A recorded setting is taken over unless it names a file or the user sets it.
    #[test]
    fn what_is_recorded_is_taken() {
        #[rustfmt::skip]
        let table = [
            ("the defaults",         "",                                  "--min 1 --max 3 --stopwords on --stem on"),
            ("n-grams",              "--min 3 --max 5",                   "--min 3 --max 5 --stopwords on --stem on"),
            ("no list, no stems",    "--stopwords off --stem off",        "--min 1 --max 3 --stopwords off --stem off"),
            ("a language",           "--lang en",                         "--min 1 --max 3 --stopwords on --stem on --lang eng"),
            ("none",                 "--lang none",                       "--min 1 --max 3 --stopwords on --stem on --lang none"),
            ("left out",             "--ignore quotes,marked,short",      "--min 1 --max 3 --stopwords on --stem on --ignore marked,quotes"),
            (
                "how it is read",
                "--encoding latin1 --lossy --html all",
                "--min 1 --max 3 --stopwords on --stem on --encoding windows-1252 --lossy --html all",
            ),
            ("markup",               "--html off --markdown on --latex off", "--min 1 --max 3 --stopwords on --stem on --html off --markdown on --latex off"),
        ];
        for (why, typed, want) in table {
            let built = flags(typed).recorded().unwrap();
            let (lines, version) = built.rsplit_once('\n').unwrap();
            assert_eq!(lines.replace('\n', " "), want, "{why}");
            assert!(version.starts_with("modulus "), "{version}");
            let mut taken = flags("");
            taken.take_lines(&built, |_| false);
            assert_eq!(taken.recorded().unwrap(), built, "{why}");
            let mut given = flags("--max 4");
            given.take_lines(&built, |_| true);
            assert_eq!(given.recorded().unwrap(), flags("--max 4").recorded().unwrap(), "{why}");
        }
    }

    #[test]
    fn a_page_of_settings_leaves_what_is_recorded_to_the_index() {
        let all = "--lang en --ignore quotes --encoding latin1 --lossy --html all --markdown on \
                   --latex on --template samples/filled_in_sheet.txt";
        let built = flags(all).recorded().unwrap();
        let lines = built.lines().filter_map(|line| line.strip_prefix("--"));
        let mut recorded: Vec<&str> = lines.map(|line| line.split(' ').next().unwrap()).collect();
        let mut want = crate::config::RECORDED;
        recorded.sort_unstable();
        want.sort_unstable();
        assert_eq!(recorded, want);
    }

    #[test]
    fn words_of_a_template_are_taken_and_what_is_unknown_is_left() {
        let mut taken = flags("");
        let lines =
            "--min-match 20\n--stopwords FILE (0123456789abcdef)\n--min 99\n--new 3\nmodulus 7";
        taken.take_lines(lines, |_| false);
        assert_eq!(taken.evidence.min_match().words(), 20);
        assert_eq!((taken.min, taken.stopwords), (None, StopwordsFlag::On));
        let of_files = lines.lines().map(is_of_file).collect::<Vec<_>>();
        assert_eq!(of_files, [false, true, false, false, false]);
    }
}
