//! The tree of commands. The command line is parsed with it, and help, completions and the manual
//! are generated from it.

use std::error::Error as _;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::builder::StringValueParser;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, CommandFactory, FromArgMatches, Subcommand};
use dedup_text::text::{ReadTextError, display_path};

use crate::args::first_line;
use crate::args::headings::HEADINGS;
use crate::args::values::named;
use crate::args::{self, Comparing, SettingsFlags};
use crate::commands::calibrate::CalibrateFlags;
use crate::commands::clusters::ClustersFlags;
use crate::commands::compare::flags::CompareFlags;
use crate::commands::corpus::flags::CorpusFlags;
use crate::commands::index::flags::{IndexAction, IndexFlags};
use crate::commands::installation::{CompletionsFlags, WebFlags};
use crate::commands::spans::SpansFlags;
use crate::commands::text::TextFlags;
use crate::config::{self, Merged, NotMerged};
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
    /// The short help, for standard error, if there are no arguments.
    #[command(skip)]
    Usage(String),
    Corpus(Box<CorpusFlags>),
    /// A corpus, for a script or CI.
    Check(Box<CorpusFlags>),
    Text(Box<TextFlags>),
    Calibrate(Box<CalibrateFlags>),
    Clusters(ClustersFlags),
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
    ("clusters", "Find clusters of pairs, and what a clean corpus would keep", |command| {
        let command = with_common(ClustersFlags::augment_args(command));
        without_headings(command).mut_args(|arg| arg.hide_short_help(false))
    }),
    ("index", "Store texts in an index that later texts are compared with", |command| {
        with_headings(IndexFlags::augment_args(command))
    }),
    ("spans", "Find runs of words that occur at two or more places", |command| {
        with_headings(SpansFlags::augment_args(command))
    }),
    ("config", "Print the settings of a run, and where each comes from", |command| {
        with_headings(ConfigFlags::augment_args(command))
    }),
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

/// The names of the commands, for completions of `dedup man`.
const PAGES: &[&str] = &{
    let mut names = [""; COMMANDS.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = COMMANDS[at].0;
        at += 1;
    }
    names
};

/// The names of the commands of `dedup index`, for completions of `dedup man index`.
const ACTIONS: &[&str] = &["build", "add", "remove", "list", "info", "check", "compact"];

/// Returns the program with all its commands.
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
        Err(NotMerged::CommandLine(error)) => return not_read(&error, &arguments),
        Err(NotMerged::Settings(error)) => return Err(error.into()),
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
    if let Request::Compare(flags) = &request {
        let misplaced = misplaced_command(&[&flags.left, &flags.right], &arguments);
        misplaced.map_or(Ok(()), Err)?;
    }
    request = match request {
        Request::Corpus(flags) if is_against => Request::Against(flags),
        request => request,
    };
    request.take_settings(&merged)?;
    let checked = request.check();
    with_setting_origin(&request, checked)?;
    Ok(request)
}

/// Converts an error of clap. Help and the version, which were requested, become a [`Request`], and
/// so does the usage text if there are no arguments; everything else is an error of usage.
fn not_read(error: &clap::Error, arguments: &[OsString]) -> anyhow::Result<Request> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Ok(Request::Help(error.to_string())),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Ok(Request::Usage(error.to_string()))
        }
        _ => {
            let first = arguments.get(1).and_then(|first| first.to_str());
            let second = arguments.get(2).and_then(|second| second.to_str());
            let name = match first.filter(|first| is_command(first)) {
                Some("index") if second.is_some_and(IndexAction::has_subcommand) => {
                    format!("dedup index {}", second.unwrap_or_default())
                }
                Some(name) => format!("dedup {name}"),
                None => {
                    if let Some(wrong) = not_two_texts(error, arguments) {
                        return Err(wrong.into());
                    }
                    "dedup".to_owned()
                }
            };
            Err(diagnostic(error, &name).into())
        }
    }
}

fn is_command(name: &str) -> bool {
    COMMANDS.iter().any(|(command, ..)| *command == name)
}

/// Makes the diagnostic of a command line that names neither a command first nor two texts: a
/// command that is not the first argument, a single folder or archive, or three or more texts.
/// `None` for any other error.
fn not_two_texts(error: &Error, arguments: &[OsString]) -> Option<Diagnostic> {
    // For clap, a third text is the name of an unknown command.
    let third = names(error, ContextKind::InvalidSubcommand, ", ");
    let before = arguments.iter().take_while(|typed| **typed != *third);
    let parsed = CompareFlags::command().ignore_errors(true).try_get_matches_from(before).ok()?;
    let text = |name| Some(Path::new(parsed.get_raw(name)?.next()?));
    let texts: Vec<&Path> = ["left", "right"].into_iter().filter_map(text).collect();
    let misplaced = misplaced_command(&[&texts[..], &[Path::new(&third)]].concat(), arguments);
    if misplaced.is_some() {
        return misplaced;
    }
    match (error.kind(), &texts[..]) {
        (ErrorKind::MissingRequiredArgument, [path]) => {
            let what = match path {
                path if path.is_dir() => "a folder",
                path if path.is_file() && is_archive(path) => "an archive",
                _ => return None,
            };
            let folder = display_path(path);
            let wrong = Diagnostic::new(format!("{folder}: is {what}, expected two texts"));
            let folder = as_argument(path);
            Some(wrong.hint(format!("dedup corpus {folder} compares all texts in it")))
        }
        (ErrorKind::ArgumentConflict, [left, right]) if !third.is_empty() => {
            let [left, right, last] = [*left, *right, Path::new(&third)].map(as_argument);
            let more = if arguments.len() > 4 { " …" } else { "" };
            let corpus = format!("dedup corpus {left} {right} {last}{more}");
            let third = Diagnostic::new(format!("{third}: a third text, expected two texts"));
            Some(third.hint(format!("{corpus} compares all texts with each other")))
        }
        _ => None,
    }
}

/// Makes the diagnostic of a command that is not the first argument, and is therefore read as the
/// name of a text. `None` if there is a file of that name.
fn misplaced_command(texts: &[&Path], arguments: &[OsString]) -> Option<Diagnostic> {
    let is_misplaced = |name: &&str| is_command(name) && !Path::new(name).exists();
    let name = texts.iter().filter_map(|text| text.to_str()).find(is_misplaced)?;
    let first = arguments.get(1).filter(|first| *first != "help")?;
    let message =
        format!("the command {name} is after {}, expected it first", display_path(first.as_ref()));
    let is_flag = first.as_encoded_bytes().starts_with(b"-");
    let first = if is_flag { first.to_string_lossy().into_owned() } else { as_argument(first) };
    Some(Diagnostic::new(message).hint(format!("dedup {name} {first} …")))
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
    let listed = diagnostics::flags(error);
    let mut tree = command();
    tree.build();
    let commands = tree
        .get_subcommands()
        .flat_map(|command| [command].into_iter().chain(command.get_subcommands()));
    let mut unlisted: Vec<String> = [&tree]
        .into_iter()
        .chain(commands)
        .flat_map(Command::get_arguments)
        .filter(|arg| config::is_setting(arg))
        .filter_map(Arg::get_long)
        .filter(|flag| messages.iter().any(|message| is_named(flag, message)))
        .filter(|flag| !listed.contains(flag))
        .map(str::to_owned)
        .collect();
    unlisted.sort_unstable();
    unlisted.dedup();
    unlisted
}

/// Reports whether a text names a flag: `--max` itself, not as the start of `--max-bytes`.
fn is_named(flag: &str, text: &str) -> bool {
    let goes_on = |letter: char| letter.is_alphanumeric() || letter == '-';
    let flag = format!("--{flag}");
    text.split(&flag).skip(1).any(|rest| !rest.starts_with(goes_on))
}

/// Reports whether the command line has `--against`, but no command.
fn is_against(arguments: &[OsString]) -> bool {
    let is_command = |first: &OsString| first == "help" || first.to_str().is_some_and(is_command);
    let is_flag = |typed: &OsString| {
        let rest = typed.as_encoded_bytes().strip_prefix(b"--against");
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"="))
    };
    let mut flags = arguments.iter().skip(1).take_while(|typed| *typed != "--");
    !arguments.get(1).is_some_and(is_command) && flags.any(is_flag)
}

impl Request {
    /// Returns the name of the command. `None` for a comparison without a command, and for help.
    pub(crate) fn command(&self) -> Option<&'static str> {
        match self {
            Self::Compare(_) | Self::Against(_) | Self::Help(_) | Self::Usage(_) => None,
            Self::Corpus(_) => Some("corpus"),
            Self::Check(_) => Some("check"),
            Self::Text(_) => Some("text"),
            Self::Calibrate(_) => Some("calibrate"),
            Self::Clusters(_) => Some("clusters"),
            Self::Index(_) => Some("index"),
            Self::Spans(_) => Some("spans"),
            Self::Config(_) => Some("config"),
            Self::Web(_) => Some("web"),
            Self::Completions(_) => Some("completions"),
            Self::Man(_) => Some("man"),
        }
    }

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
            Self::Config(flags) => flags.page = page(merged)?,
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
            Self::Clusters(flags) => flags.check()?,
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
    /// A command, such as corpus or index
    #[arg(value_name = "COMMAND", value_parser = named(StringValueParser::new(), PAGES))]
    command: Option<String>,

    /// A command of dedup index, such as build
    #[arg(value_name = "ACTION", value_parser = named(StringValueParser::new(), ACTIONS))]
    action: Option<String>,
}

impl ManFlags {
    /// Returns the names of the command whose page is requested; none for the page of the program
    /// itself.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        [&self.command, &self.action].into_iter().flatten().map(String::as_str)
    }
}

/// The flags of `dedup config`: those of two texts, of a corpus, and of repeated spans.
#[derive(Debug, Default)]
pub(crate) struct ConfigFlags {
    /// The output: all settings as TOML, or the schema of the settings file.
    pub(crate) page: String,
}

impl Args for ConfigFlags {
    fn augment_args(config: Command) -> Command {
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
        config
            .about("Print the settings of a run, and where each comes from")
            .override_usage("dedup config [OPTIONS]")
            .help_template(args::HELP)
            .args_override_self(true)
            .args(args)
            .arg(
                Arg::new("schema")
                    .long("schema")
                    .action(ArgAction::SetTrue)
                    .help("Print the JSON Schema of dedup.toml instead, for editors"),
            )
    }

    fn augment_args_for_update(config: Command) -> Command {
        Self::augment_args(config)
    }
}

impl FromArgMatches for ConfigFlags {
    fn from_arg_matches(_: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self::default())
    }

    fn update_from_arg_matches(&mut self, _: &ArgMatches) -> Result<(), clap::Error> {
        Ok(())
    }
}

/// Returns the output of `dedup config`.
fn page(merged: &Merged) -> anyhow::Result<String> {
    let plain = ConfigFlags::augment_args(Command::new("config"));
    if merged.selected_matches().get_flag("schema") {
        return Ok(serde_json::to_string_pretty(&config::schema(&plain))? + "\n");
    }
    let checked = Comparing::from_arg_matches(merged.selected_matches())?.check();
    checked.map_err(|error| match &merged.settings {
        Some(settings) => settings.with_setting_origin(error.into()),
        None => error.into(),
    })?;
    Ok(config::page(&plain, merged))
}

// Errors of clap → diagnostics: what was found, what was expected, and a hint.

/// Makes the diagnostic of an error, from its kind and its context.
fn diagnostic(error: &Error, command: &str) -> Diagnostic {
    let arg = names(error, ContextKind::InvalidArg, ", ");
    if error.kind() == ErrorKind::UnknownArgument
        && let Some(misplaced) = misplaced_flag(&arg, command)
    {
        return misplaced;
    }
    let similar = |kind: ContextKind, what: &str| {
        let name = names(error, kind, "', '");
        (!name.is_empty()).then(|| format!("a similar {what} exists: '{name}'"))
    };
    // The suggestion of clap to put `--` before a text whose name looks like a flag.
    let more = match error.get(ContextKind::Suggested) {
        _ if !Path::new(&arg).exists() => &[],
        Some(ContextValue::StyledStrs(more)) => more.as_slice(),
        _ => &[],
    };
    let is_file = error.kind() == ErrorKind::UnknownArgument && !arg.starts_with('-');
    let is_of_pairs = is_file && command == "dedup clusters";
    let is_of_command = error.kind() == ErrorKind::InvalidSubcommand;
    let listed = if is_of_command { "commands" } else { "flags" };
    let hints = (similar(ContextKind::SuggestedSubcommand, "command").into_iter())
        .chain(similar(ContextKind::SuggestedArg, "argument"))
        .chain(similar(ContextKind::SuggestedValue, "value"))
        .chain(is_of_pairs.then(|| format!("the pairs are standard input: dedup clusters < {arg}")))
        .chain(more.iter().map(ToString::to_string))
        .chain([format!("{command} --help lists the {listed}")]);
    let hint = hints.collect::<Vec<_>>().join("; ");
    Diagnostic::new(message(error, &arg, command)).hint(hint)
}

/// Makes the diagnostic of a flag that a command does not have, but another command has. `None` if
/// no other command has it, or if `dedup corpus` has it and the command is not `dedup`.
fn misplaced_flag(arg: &str, command: &str) -> Option<Diagnostic> {
    if is_of_a_corpus(arg) {
        let message = format!("{arg} applies only to a corpus, expected a flag for two texts");
        let hint = format!("dedup corpus PATH… {arg} … compares all texts with each other");
        return (command == "dedup").then(|| Diagnostic::new(message).hint(hint));
    }
    let owners = owners(arg);
    let ((owner, hint), others) = owners.split_first()?;
    let others = others.iter().map(|(other, _)| format!(" and {other}")).collect::<Vec<_>>();
    let wanted = match command {
        "dedup" => "a flag for two texts".to_owned(),
        "dedup corpus" | "dedup check" => "a flag for a corpus".to_owned(),
        _ => format!("a flag of {command}"),
    };
    let message = format!("{arg} applies only to {owner}{}, expected {wanted}", others.concat());
    Some(Diagnostic::new(message).hint(hint))
}

/// Returns the message of an error about an argument: what was found, and what was expected.
fn message(error: &Error, arg: &str, command: &str) -> String {
    let command_like = names(error, ContextKind::InvalidSubcommand, ", ");
    let prior = names(error, ContextKind::PriorArg, ", ");
    let value = names(error, ContextKind::InvalidValue, ", ");
    let wanted = names(error, ContextKind::ValidValue, ", ");
    let possible = if wanted.is_empty() { wanted } else { format!(" [possible values: {wanted}]") };
    match error.kind() {
        ErrorKind::InvalidValue if value.is_empty() => {
            format!("a value is required for '{arg}' but none was supplied{possible}")
        }
        ErrorKind::InvalidValue => format!("invalid value '{value}' for '{arg}'{possible}"),
        ErrorKind::ValueValidation => {
            let why = error.source().map(|why| format!(": {why}")).unwrap_or_default();
            format!("invalid value '{value}' for '{arg}'{why}")
        }
        ErrorKind::UnknownArgument if is_of_a_corpus(arg) => {
            format!("{arg} is not a flag of {command}")
        }
        ErrorKind::UnknownArgument => format!("unexpected argument '{arg}' found"),
        ErrorKind::TooManyValues => format!("unexpected value '{value}' for '{arg}' found"),
        ErrorKind::InvalidSubcommand => format!("unknown command '{command_like}'"),
        ErrorKind::WrongNumberOfValues => {
            let [wanted, found] = [ContextKind::ExpectedNumValues, ContextKind::ActualNumValues]
                .map(|kind| number(error, kind));
            format!("{wanted} values are required for '{arg}', {found} found")
        }
        ErrorKind::NoEquals => format!("equal sign is needed when assigning values to '{arg}'"),
        ErrorKind::ArgumentConflict if !command_like.is_empty() => {
            format!("unexpected argument '{command_like}' found")
        }
        ErrorKind::ArgumentConflict if prior == arg => {
            format!("the argument '{arg}' cannot be used multiple times")
        }
        ErrorKind::ArgumentConflict => {
            format!("the argument '{arg}' cannot be used with '{prior}'")
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = names(error, ContextKind::InvalidArg, " ");
            format!("the following required arguments were not provided: {missing}")
        }
        kind => kind.as_str().unwrap_or("bad usage").to_owned(),
    }
}

/// Returns the context of a kind that an error has. Several values are joined; the result is empty
/// if there is no such context, or if it is not text.
fn names(error: &Error, kind: ContextKind, separator: &str) -> String {
    match error.get(kind) {
        Some(ContextValue::String(name)) => name.clone(),
        Some(ContextValue::Strings(names)) => names.join(separator),
        _ => String::new(),
    }
}

/// Returns the number in the context of a kind that an error has; 0 if there is none.
fn number(error: &Error, kind: ContextKind) -> isize {
    match error.get(kind) {
        Some(ContextValue::Number(number)) => *number,
        _ => 0,
    }
}

/// Reports whether `dedup corpus` has a flag.
fn is_of_a_corpus(flag: &str) -> bool {
    let name = flag.strip_prefix("--");
    name.is_some() && CorpusFlags::command().get_arguments().any(|known| known.get_long() == name)
}

/// Returns what a flag applies to, two texts or a command, each with a hint. `dedup config`, which
/// has the flags of others, is left out.
fn owners(flag: &str) -> Vec<(String, String)> {
    let Some(name) = flag.strip_prefix("--") else { return Vec::new() };
    let mut tree = command();
    tree.build();
    let has = |command: &Command| command.get_arguments().any(|arg| arg.get_long() == Some(name));
    let of_texts = has(&tree)
        .then(|| ("two texts".to_owned(), format!("dedup LEFT RIGHT {flag} … compares two texts")));
    let commands = tree.get_subcommands().filter(|command| command.get_name() != "config");
    let all = commands.flat_map(|command| [command].into_iter().chain(command.get_subcommands()));
    let of_commands = all.filter(|command| has(command)).filter_map(|command| {
        let name = command.get_bin_name()?;
        Some((name.to_owned(), format!("{name} --help lists its flags")))
    });
    of_texts.into_iter().chain(of_commands).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Flag;

    #[test]
    fn the_tree_is_sound() {
        let mut tree = command();
        tree.build();
        for (name, about, _) in COMMANDS {
            let command = tree.find_subcommand(name).unwrap();
            assert_eq!(command.get_about().unwrap().to_string(), *about, "{name}");
        }
        let actions = tree.find_subcommand("index").unwrap().get_subcommands();
        let actions = actions.map(Command::get_name).filter(|name| *name != "help");
        assert_eq!(actions.collect::<Vec<_>>(), ACTIONS);
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
            assert_eq!(is_named("max", text), want, "{why}");
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
            let default = config::default(arg);
            assert_eq!(in_help(arg), default, "{arg}");
            flags += 1;
        }
        assert!(flags > 60, "{flags}");
    }
}
