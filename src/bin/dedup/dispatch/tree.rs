//! The tree of commands. The command line is parsed with it, and help, completions and the manual
//! are generated from it.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Args, Command, CommandFactory, FromArgMatches, Subcommand};
use dedup_text::display::visible;
use dedup_text::text::{ReadTextError, display_path};

use crate::args::first_line;
use crate::args::headings::HEADINGS;
use crate::args::{self, Comparing, SettingsFlags};
use crate::commands::calibrate::CalibrateFlags;
use crate::commands::compare::flags::CompareFlags;
use crate::commands::corpus::flags::CorpusFlags;
use crate::commands::index::flags::IndexFlags;
use crate::commands::installation::{CompletionsFlags, WebFlags};
use crate::commands::spans::SpansFlags;
use crate::commands::text::TextFlags;
use crate::config::{self, Merged};
use crate::diagnostics::{self, Diagnostic, as_argument};
use crate::io::inputs::archives::is_archive;

/// A request of the command line.
#[derive(Debug, Subcommand)]
pub(crate) enum Request {
    /// The verdict on two texts, where no command is named.
    #[command(skip)]
    Compare(Box<CompareFlags>),
    /// A comparison with the texts of `--against`, where no command is named.
    #[command(skip)]
    Against(Box<CorpusFlags>),
    /// Help or the version, for standard output.
    #[command(skip)]
    Help(String),
    /// What clap prints to standard error: the short help if there are no arguments, or what is wrong
    /// with the command line.
    #[command(skip)]
    Usage(String),
    Corpus(Box<CorpusFlags>),
    /// A corpus, for a script or CI.
    Check(Box<CorpusFlags>),
    Text(Box<TextFlags>),
    Calibrate(Box<CalibrateFlags>),
    Index(Box<IndexFlags>),
    Spans(Box<SpansFlags>),
    Config(ConfigFlags),
    Web(WebFlags),
    Completions(CompletionsFlags),
    Man(ManFlags),
}

/// The description of the program, in one line.
const ABOUT: &str = "Decide whether two texts are near-duplicates, and show what they share";

/// The description of `dedup check`, which is `dedup corpus` with other defaults.
const CHECK: &str = "Exit with 1 if any two of many texts are near-duplicates: for CI";

/// The help of the levels of `dedup check`.
const AT_LEAST: &str = "Same as --fail-on";
const FAIL_ON: &str = "Exit 1 for LEVEL or closer, 0 otherwise [default near-duplicate]\n\nOne of different, excerpt, partial, near-duplicate, identical. Unlike `! dedup …` it does not hide an error, which exits with 2.";

/// The commands: the name, the description, and a function that adds the flags.
const COMMANDS: &[(&str, &str, fn(Command) -> Command)] = &[
    ("corpus", "Compare many texts and find all pairs with something in common", |command| {
        with_headings(CorpusFlags::augment_args(command))
            .after_long_help(args::status_help(args::CORPUS_STATUSES))
    }),
    ("check", CHECK, |command| {
        let command = with_headings(CorpusFlags::augment_args(command));
        let command = command.about(CHECK).override_usage("dedup check [PATH…] [OPTIONS]");
        command
            .after_long_help(args::status_help(args::CHECK_STATUSES))
            .mut_arg("at_least", |arg| arg.help(AT_LEAST).long_help(AT_LEAST))
            .mut_arg("fail_on", |arg| arg.help(first_line(FAIL_ON)).long_help(FAIL_ON))
    }),
    ("text", "Print the text of a file as it is compared", |command| {
        with_headings(TextFlags::augment_args(command))
    }),
    ("calibrate", "Choose limits from labelled pairs", |command| {
        with_headings(CalibrateFlags::augment_args(command))
    }),
    ("index", "Store texts in an index that later texts are compared with", |command| {
        with_headings(IndexFlags::augment_args(command))
    }),
    ("spans", "Find runs of words that occur at two or more places", |command| {
        with_headings(SpansFlags::augment_args(command))
    }),
    ("config", "Print the settings of a run", |command| with_headings(with_settings(command))),
    ("web", "Write the web page that compares texts in a browser", |command| {
        with_common(WebFlags::augment_args(command))
    }),
    ("completions", "Print the completion script for a shell", |command| {
        with_common(CompletionsFlags::augment_args(command))
    }),
    ("man", "Print the manual, or the page of a command, as roff", |command| {
        with_common(ManFlags::augment_args(command))
    }),
];

pub(crate) fn command() -> Command {
    tree(None, false)
}

/// Returns the program with all its commands, whose flags have headings unless the short help is
/// wanted. The flags of commands other than `run` are created on demand only: creating all of them
/// takes as long as comparing two texts of 4 kB (a run takes 1.9 ms instead of 1.4 ms).
fn tree(run: Option<&str>, is_short_help: bool) -> Command {
    let version = Arg::new("version").short('V').long("version").action(ArgAction::Version);
    let version = version.help("Print the version").hide_short_help(true);
    let commands = COMMANDS.iter().map(|(name, about, flags)| {
        let command = Command::new(*name).about(*about);
        if run == Some(*name) { flags(command) } else { command.defer(*flags) }
    });
    let program = with_headings(CompareFlags::command())
        // The short help has space for only one of the two flags for the exit status.
        .mut_arg("at_least", |arg| arg.hide_short_help(true))
        .about(ABOUT)
        .disable_version_flag(true)
        .arg(version)
        .subcommands(commands);
    if is_short_help { without_headings(program) } else { program }
}

/// Sets what all flags of a command have in common. Flags for numbers accept `-1` as a value, so
/// that the error names the flag. The help text of each flag states its default and its values, so
/// clap does not add them.
fn with_common(command: Command) -> Command {
    const NUMBERS: [&str; 7] = ["N", "R", "BITS", "BYTES", "SECONDS", "SIZE", "WORDS"];
    let is_number = |arg: &Arg| {
        let mut names = arg.get_value_names().unwrap_or_default().iter();
        names.any(|name| NUMBERS.contains(&name.as_str()))
    };
    command
        .mut_args(|arg| if is_number(&arg) { arg.allow_negative_numbers(true) } else { arg })
        .mut_args(|arg| {
            let has_values = arg.get_action().takes_values();
            arg.hide_default_value(has_values).hide_possible_values(has_values)
        })
}

/// Sorts the flags of a command and of its subcommands by heading, since help shows the headings in
/// the order of the flags.
fn with_headings(command: Command) -> Command {
    let mut args: Vec<(usize, Arg)> = Vec::new();
    let without_args = with_common(command).mut_args(|arg| {
        let heading = arg.get_help_heading();
        let place = HEADINGS.iter().position(|known| heading == Some(*known));
        args.push((place.unwrap_or(HEADINGS.len()), arg));
        Arg::default()
    });
    args.sort_by_key(|(place, _)| *place);
    // A short help that omits flags has no space for positional arguments either; its usage line
    // names them.
    let is_cut = args.iter().any(|(_, arg)| arg.is_hide_short_help_set());
    let mut args = args.into_iter().map(|(_, arg)| {
        let is_left_out = arg.is_hide_short_help_set() || is_cut && arg.is_positional();
        arg.hide_short_help(is_left_out)
    });
    let in_order = without_args.mut_args(|_| args.next().unwrap_or_default());
    in_order.mut_subcommands(with_headings)
}

/// Reports whether an argument may be short flags with `-h` among them, such as `-qh`. For another
/// argument with an `h`, such as `-opath`, the only effect is that headings are missing, and help
/// is not printed then.
fn may_hold_h(typed: &OsStr) -> bool {
    let typed = typed.as_encoded_bytes();
    typed.starts_with(b"-") && !typed.starts_with(b"--") && typed.contains(&b'h')
}

/// Removes the headings of a command and of its subcommands.
fn without_headings(command: Command) -> Command {
    command.mut_args(|arg| arg.help_heading(None)).mut_subcommands(without_headings)
}

/// Parses the command line, which begins with the name of the program. If the first argument is
/// exactly the name of a command, it is that command, not a file.
///
/// # Errors
///
/// Returns an error if the command line or the settings file is not valid, or if flags contradict
/// each other.
pub(crate) fn read(arguments: impl IntoIterator<Item = OsString>) -> anyhow::Result<Request> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    let is_against = is_against(&arguments);
    if is_against {
        arguments.insert(1, "corpus".into());
    }
    if arguments.get(1).is_some_and(|first| first == "help") {
        arguments.retain(|typed| typed != "-h" && typed != "--help");
    }
    let run = arguments.get(1).and_then(|first| first.to_str());
    let is_short_help = arguments.len() <= 1 || arguments.iter().any(|typed| may_hold_h(typed));
    let mut merged = match config::merge(&|| tree(run, is_short_help), &arguments) {
        Ok(merged) => merged,
        Err(error) => return not_read(&error.downcast()?, &arguments),
    };
    let request = if merged.matches.subcommand_name().is_some() {
        Request::from_arg_matches(&merged.matches)
    } else {
        CompareFlags::from_arg_matches(&merged.matches)
            .map(|flags| Request::Compare(Box::new(flags)))
    };
    let mut request = match request {
        Ok(request) => request,
        Err(error) => return not_read(&error.format(&mut merged.command), &arguments),
    };
    request = match request {
        Request::Corpus(flags) if is_against => Request::Against(flags),
        request => request,
    };
    request.take_settings(&merged)?;
    let checked = request.check();
    with_setting_origin(&request, checked)?;
    let command = merged.matches.subcommand_name().filter(|_| !is_against);
    if let Some(command) = command.filter(|name| Path::new(name).is_file()) {
        diagnostics::advise(&format!("{command} is a command; for the file, use ./{command}"));
    }
    Ok(request)
}

/// Converts an error of clap. Help and the version, which were requested, are for standard output;
/// the short help without arguments, and what clap says of a wrong command line, for standard error.
fn not_read(error: &clap::Error, arguments: &[OsString]) -> anyhow::Result<Request> {
    let text = error.to_string();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => return Ok(Request::Help(text)),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => return Ok(Request::Usage(text)),
        _ => {}
    }
    if let Some(wrong) = not_two_texts(error, arguments) {
        return Err(wrong.into());
    }
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let lines = text.lines().map(|line| visible(line) + "\n");
    Ok(Request::Usage(format!("dedup: {}", lines.collect::<String>())))
}

fn is_command(name: &OsString) -> bool {
    COMMANDS.iter().any(|(command, ..)| name == command)
}

/// Makes the error for a folder or an archive alone, or for three or more texts, in the place of two
/// texts. `None` for any other error.
fn not_two_texts(error: &clap::Error, arguments: &[OsString]) -> Option<Diagnostic> {
    match (error.kind(), arguments) {
        (ErrorKind::MissingRequiredArgument, [_, path]) => {
            let path = Path::new(path);
            let what = match path {
                path if path.is_dir() => "a folder",
                path if path.is_file() && is_archive(path) => "an archive",
                _ => return None,
            };
            let message = format!("{}: is {what}, expected two texts", display_path(path));
            let hint = format!("dedup corpus {} compares all texts in it", as_argument(path));
            Some(Diagnostic::new(message).hint(hint))
        }
        (ErrorKind::ArgumentConflict, [_, first, ..]) if !is_command(first) => {
            // For clap, a third text is the name of an unknown command.
            let Some(ContextValue::String(third)) = error.get(ContextKind::InvalidSubcommand)
            else {
                return None;
            };
            let message = format!("{third}: a third text, expected two texts");
            let hint = "dedup corpus PATH… compares all texts with each other";
            (!is_command(&third.into())).then(|| Diagnostic::new(message).hint(hint))
        }
        _ => None,
    }
}

/// Adds to an error of a request the places in the settings file that set the flags which the error
/// is about.
pub(crate) fn with_setting_origin<T>(
    request: &Request,
    answer: anyhow::Result<T>,
) -> anyhow::Result<T> {
    let Some(settings) = request.settings() else { return answer };
    if let Err(error) = &answer {
        // The only place where a message of our own is searched: it makes each test of an error a
        // test of its flags, too.
        debug_assert_eq!(unlisted_settings(error), [""; 0], "{error:#}");
    }
    settings.with_setting_origin(answer)
}

/// Returns the settings of all commands that the message of an error names, and that are not among
/// [its flags](diagnostics::flags). The messages of [`ReadTextError`] are not searched, since the
/// name of a file may look like a flag.
fn unlisted_settings(error: &anyhow::Error) -> Vec<String> {
    let messages = error.chain().filter(|cause| !cause.is::<ReadTextError>());
    let messages: Vec<String> = messages.map(ToString::to_string).collect();
    let is_listed = |flag: &&str| diagnostics::flags(error).contains(flag);
    let mut tree = command();
    tree.build();
    let commands = tree.get_subcommands();
    let settings: BTreeSet<&str> = commands
        .flat_map(|command| [command].into_iter().chain(command.get_subcommands()))
        .chain([&tree])
        .flat_map(Command::get_arguments)
        .filter(|arg| config::is_setting(arg))
        .filter_map(Arg::get_long)
        .collect();
    let named = messages.iter().flat_map(|message| flags_in(message));
    let unlisted = named.filter(|flag| settings.contains(flag) && !is_listed(flag));
    unlisted.collect::<BTreeSet<_>>().into_iter().map(str::to_owned).collect()
}

/// Returns the flags that a text names, without their hyphens.
fn flags_in(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
    words.filter_map(|word| word.strip_prefix("--"))
}

/// Reports whether the command line has `--against`, but no command.
fn is_against(arguments: &[OsString]) -> bool {
    let is_command = |first: &OsString| first == "help" || is_command(first);
    let is_flag = |typed: &OsString| {
        let rest = typed.as_encoded_bytes().strip_prefix(b"--against");
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"="))
    };
    let mut flags = arguments.iter().skip(1).take_while(|typed| *typed != "--");
    !arguments.get(1).is_some_and(is_command) && flags.any(is_flag)
}

impl Request {
    /// Returns the settings of the command. `None` if it reads no settings file.
    pub(crate) fn settings(&self) -> Option<&SettingsFlags> {
        match self {
            Self::Compare(flags) => Some(&flags.settings),
            Self::Corpus(flags) | Self::Check(flags) | Self::Against(flags) => {
                Some(&flags.settings)
            }
            Self::Text(flags) => Some(&flags.settings),
            Self::Calibrate(flags) => Some(&flags.settings),
            Self::Spans(flags) => Some(&flags.settings),
            Self::Index(flags) => flags.settings(),
            _ => None,
        }
    }

    /// Stores the settings file that was read, and all that depends on it: how an index was built,
    /// the defaults of `dedup check`, the settings that `dedup calibrate` prints, and the page of
    /// `dedup config`.
    fn take_settings(&mut self, merged: &Merged) -> anyhow::Result<()> {
        match self {
            Self::Compare(flags) => flags.settings.take(merged),
            Self::Corpus(flags) | Self::Against(flags) => flags.take(merged),
            Self::Check(flags) => {
                flags.take(merged);
                flags.is_check = true;
                if !flags.list {
                    flags.answering.fail_at_level();
                    flags.comparing.evidence.ignore_marked();
                }
            }
            Self::Index(flags) => flags.take(merged),
            Self::Text(flags) => flags.settings.take(merged),
            Self::Spans(flags) => flags.settings.take(merged),
            Self::Calibrate(flags) => {
                flags.settings.take(merged);
                let comparing = Comparing::augment_args(Command::new("calibrate"));
                flags.comparing_set = config::set_lines(&comparing, merged);
            }
            Self::Config(flags) => flags.page = page(flags.schema, merged)?,
            _ => {}
        }
        Ok(())
    }

    /// Checks that the flags can be combined.
    ///
    /// # Errors
    ///
    /// Returns an error if flags contradict each other or cannot be used as they are given.
    fn check(&self) -> anyhow::Result<()> {
        match self {
            Self::Compare(flags) => flags.check()?,
            Self::Corpus(flags) | Self::Check(flags) => flags.check()?,
            Self::Against(flags) => flags.check_against()?,
            Self::Calibrate(flags) => flags.check()?,
            Self::Index(flags) => flags.check()?,
            Self::Spans(flags) => flags.check()?,
            _ => {}
        }
        Ok(())
    }
}

/// Print the manual, or the page of a command, as roff
///
/// To view it: dedup man | man -l -
#[derive(Args, Debug)]
#[command(override_usage = "dedup man [COMMAND]…", help_template = args::HELP)]
pub(crate) struct ManFlags {
    /// A command, such as corpus, or two words for one of dedup index, such as index build
    #[arg(value_name = "COMMAND", num_args = 0..=2)]
    pub(super) names: Vec<String>,
}

/// Print the settings of a run
#[derive(Args, Debug)]
#[command(args_override_self = true, help_template = args::HELP)]
#[command(override_usage = "dedup config [OPTIONS]")]
pub(crate) struct ConfigFlags {
    /// Print the JSON Schema of dedup.toml instead, for editors
    #[arg(long)]
    schema: bool,

    /// The output: all settings as TOML, or the schema of the settings file.
    #[arg(skip)]
    pub(crate) page: String,
}

/// Adds the flags of `dedup config`: those of two texts, of a corpus, and of repeated spans.
fn with_settings(config: Command) -> Command {
    let spans = SpansFlags::augment_args(Command::new("spans"));
    let mut args: Vec<Arg> = Vec::new();
    for command in [CompareFlags::command(), CorpusFlags::command(), spans] {
        for arg in command.get_arguments() {
            let is_known = args.iter().any(|known| known.get_id() == arg.get_id());
            let is_text = arg.is_positional() && arg.get_id() != "paths";
            if !is_known && !is_text {
                args.push(arg.clone().hide(arg.is_positional()));
            }
        }
    }
    ConfigFlags::augment_args(config.args(args))
}

/// Returns the output of `dedup config`.
fn page(schema: bool, merged: &Merged) -> anyhow::Result<String> {
    if schema {
        return Ok(config::SCHEMA.to_owned());
    }
    let checked = Comparing::from_arg_matches(merged.selected_matches())?.check();
    checked.map_err(|error| match &merged.settings {
        Some(settings) => settings.with_setting_origin(error.into()),
        None => error.into(),
    })?;
    Ok(config::page(&with_settings(Command::new("config")), merged))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Flag;

    #[test]
    fn the_schema_of_settings_has_all_flags() {
        let file = "src/bin/dedup/schemas/dedup.settings.schema.json";
        let command = with_settings(Command::new("config"));
        let schema = config::schema_tests::schema(&command);
        let schema = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            std::fs::write(file, schema).unwrap();
        } else {
            let how = "UPDATE_SCHEMA=1 cargo test --bin dedup the_schema writes the file";
            assert!(schema == config::SCHEMA, "{file} is not up to date: {how}");
        }
    }

    #[test]
    fn the_tree_is_sound() {
        let mut tree = command();
        tree.build();
        for (name, about, _) in COMMANDS {
            let command = tree.find_subcommand(name).unwrap();
            assert_eq!(command.get_about().unwrap().to_string(), *about, "{name}");
        }
        // All flags of two texts and of a corpus are under a heading.
        for command in [&tree, tree.find_subcommand("corpus").unwrap()] {
            let flags = command.get_arguments().filter(|arg| arg.get_help_heading().is_none());
            let flags: Vec<&str> = flags.filter_map(Arg::get_long).collect();
            assert!(flags.iter().all(|flag| ["help", "version"].contains(flag)), "{flags:?}");
        }
        command().debug_assert();
    }

    #[test]
    fn a_flag_is_named_whole() {
        #[rustfmt::skip]
        let table = [
            ("alone",             "--max",                  true),
            ("with a value",      "--max 3 is below --min", true),
            ("with its sign",     "--max=3",                true),
            ("a longer one",      "--max-bytes off",        false),
            ("a longer, then it", "--max-bytes, --max",     true),
            ("a word",            "max",                    false),
        ];
        for (why, text, want) in table {
            assert_eq!(flags_in(text).any(|flag| flag == "max"), want, "{why}");
        }
    }

    #[test]
    fn settings_in_a_message_are_among_its_flags() {
        let error = |flags: &[&str]| {
            let error = Diagnostic::new("--min 5 is above --max 3, --list").hint("--stem off");
            anyhow::Error::from(error.flags(flags.iter().copied()))
        };
        assert_eq!(unlisted_settings(&error(&[])), ["max", "min"]);
        assert_eq!(unlisted_settings(&error(&["min"])), ["max"]);
        assert_eq!(unlisted_settings(&error(&["max", "min"])), [""; 0]);
        let of_file = || ReadTextError::Folder { path: "--max".into() };
        assert_eq!(unlisted_settings(&of_file().into()), [""; 0]);
        let context = |text: &'static str| anyhow::Error::from(of_file()).context(text);
        assert_eq!(unlisted_settings(&context("--stopwords")), ["stopwords"]);
        let typed = anyhow::Error::from(of_file()).context(Flag::new("stopwords"));
        assert_eq!(unlisted_settings(&typed), [""; 0]);
    }

    /// The defaults in the help texts, such as `[1 to 64, default 1]`, are those of the settings.
    #[test]
    fn help_says_the_defaults() {
        let in_help = |arg: &Arg| {
            let help = arg.get_help()?.to_string();
            let (_, default) = help.strip_suffix(']')?.rsplit_once("default ")?;
            Some(default.to_owned())
        };
        let mut tree = command();
        tree.build();
        let settled = [&tree].into_iter().chain(tree.find_subcommand("corpus"));
        let mut flags = 0;
        for arg in settled.flat_map(Command::get_arguments).filter(|arg| config::is_setting(arg)) {
            let default = config::schema_tests::default(arg);
            assert_eq!(in_help(arg), default, "{arg}");
            flags += 1;
        }
        assert!(flags > 60, "{flags}");
    }
}
