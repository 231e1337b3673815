//! The commands for an installation: shell completions and the manual, generated from the tree of
//! commands, and the web page that compares texts in a browser.

mod flags;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Command;
use clap_complete::CompleteEnv;
use clap_complete::env::Shells;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use dedup_text::display::visible;
use dedup_text::text::display_path;

use crate::args::{self, EXAMPLES};
use crate::diagnostics::{self, Diagnostic, Exit};
use crate::io::{disk, output};
use crate::outputs;

pub(crate) use flags::{CompletionsFlags, WebFlags};

/// The environment variable that a shell sets, to its name, when it asks the program for
/// completions.
const VARIABLE: &str = "DEDUP_COMPLETE";

/// Returns the completion script of a shell. It runs the program itself to get the completions,
/// with [`VARIABLE`] set and the words of the line as arguments.
pub(crate) fn completions(flags: &CompletionsFlags) -> anyhow::Result<String> {
    let mut script = Vec::new();
    if let Some(shell) = Shells::builtins().completer(&flags.shell) {
        shell.write_registration(VARIABLE, "dedup", "dedup", "dedup", &mut script)?;
    }
    Ok(String::from_utf8(script)?)
}

/// Answers a shell that asks for completions. Returns whether one did.
pub(crate) fn answer_shell(arguments: &[OsString], tree: fn() -> Command) -> anyhow::Result<bool> {
    let folder = std::env::current_dir().ok();
    let asked = CompleteEnv::with_factory(tree).var(VARIABLE);
    Ok(asked.try_complete(arguments.iter().cloned(), folder.as_deref())?)
}

// The manual: a page in roff for the program, and one for each command.

/// The date on which the hand-written parts of the page were last changed; the rest comes from the
/// flags.
const DATE: &str = "2026-11-27";

const FILES: &[(&str, &str)] = &[(
    "dedup.toml",
    "The settings: in the working folder, or in a repository the nearest above it, up to its root. \
     Each long flag, except those for a single run, is a key at top level, without its \
     hyphens: jaccard = 0.8, quiet = true, template = [\"sheet.txt\"]. Flags on the command line \
     take precedence: --quiet=false overrides quiet = true. Paths in it are relative to its folder.",
)];

const ENVIRONMENT: &[(&str, &str)] = &[
    ("NO_COLOR", "Set to anything: no colours with --color auto."),
    ("CLICOLOR_FORCE", "If it is not empty: colours with --color auto, in a pipe as well."),
    ("COLUMNS", "The width of the output, instead of that of the terminal."),
];

/// Returns the manual page of the program, or of the command that is named in the tree of commands. The page of a command
/// with commands of its own lists them.
///
/// # Errors
///
/// [`Diagnostic`] if no command has the name.
pub(crate) fn manual(names: &[String], tree: Command) -> anyhow::Result<String> {
    // The commands that print help have no page.
    let without_help = |command: Command| command.disable_help_subcommand(true);
    let mut tree = without_help(tree).mut_subcommands(without_help);
    tree.build(); // adds the flags that clap generates
    let command = names.iter().try_fold(&tree, |command, name| {
        command.find_subcommand(name).ok_or_else(|| unknown(name, command))
    })?;
    let whole = command.clone().mut_args(|arg| arg.hide_short_help(false));
    let title = command.get_display_name().unwrap_or("dedup").to_uppercase();
    let man = Man::new(whole)
        .title(title)
        .date(DATE)
        .source(concat!("dedup ", env!("CARGO_PKG_VERSION")))
        .manual("dedup");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    let is_of_all = names.is_empty();
    let for_all = |title, items| is_of_all.then_some((title, items));
    let statuses = args::exit_statuses(command.get_name());
    let sections = [
        for_all("FILES", FILES),
        for_all("ENVIRONMENT", ENVIRONMENT),
        statuses.filter(|_| names.len() < 2).map(|items| ("EXIT STATUS", items)),
        for_all("EXAMPLES", EXAMPLES),
    ];
    let mut roff = Roff::new();
    let sections: Vec<_> = sections.into_iter().flatten().collect();
    for (title, items) in &sections {
        roff.control("SH", [*title]);
        for (item, meaning) in *items {
            roff.control("TP", []);
            roff.text([bold(*item)]);
            roff.text([roman(*meaning)]);
        }
    }
    if !sections.is_empty() {
        roff.to_writer(&mut page)?;
    }
    Ok(String::from_utf8(page)?)
}

/// Makes the error for a name that no command has.
fn unknown(name: &str, tree: &Command) -> Diagnostic {
    let names: Vec<&str> = tree.get_subcommands().map(Command::get_name).collect();
    let expected =
        if names.is_empty() { "none".to_owned() } else { format!("one of {}", names.join(", ")) };
    Diagnostic::new(format!("no command {name}, expected {expected}"))
        .hint("dedup man prints the page of all commands")
}

// `dedup web`: finds the page that compares texts in a browser, and copies it.
//
// The page contains the program, so the program cannot contain the page. A release ships both: the
// page is next to the program, or in `share/dedup` next to the program's folder.

/// The places where the page may be, relative to the folder of the program.
const PAGE_PATHS: [&str; 2] = ["dedup.html", "../share/dedup/dedup.html"];

const VERSION: &str = env!("CARGO_PKG_VERSION");

const HINT: &str = concat!(
    "dedup.html is part of release ",
    env!("CARGO_PKG_VERSION"),
    "; to build it from source, run web/build"
);

/// The number of bytes at the start of the page that contain its version.
const HEAD: usize = 1 << 12;

/// The largest size of the page that is read, in bytes. The page is meant to be at most six million
/// bytes.
const MAX_PAGE_BYTES: u64 = 64 << 20;

pub(crate) fn web(flags: &WebFlags) -> anyhow::Result<Exit> {
    let (path, page) = page()?;
    let Some(file) = &flags.output else {
        return outputs::print(&format!("{}\n", display_path(&path)));
    };
    output::check_page(file)?;
    output::write_file_by(file, |written| written.write_all(&page))?;
    if !output::is_output(file) {
        diagnostics::note(&visible(&format!("page: {}", display_path(file))));
    }
    Ok(Exit::Success)
}

/// Finds the page that was installed with the program and has its version. Returns its path and
/// content.
///
/// # Errors
///
/// [`Diagnostic`] if there is none, with what was found instead.
fn page() -> Result<(PathBuf, Vec<u8>), Diagnostic> {
    let program = std::env::current_exe().and_then(|program| program.canonicalize());
    let folder = program.ok().and_then(|program| program.parent().map(Path::to_owned));
    let places = folder.iter().flat_map(|folder| {
        // `..` is resolved in the name, which also works if the folder does not exist.
        PAGE_PATHS.map(|place| match place.strip_prefix("../") {
            Some(place) => folder.parent().unwrap_or(folder).join(place),
            None => folder.join(place),
        })
    });
    let mut found = Vec::new();
    for place in places {
        let name = display_path(&place).into_owned();
        if !place.is_file() {
            found.push(format!("no {name}"));
            continue;
        }
        let page = match disk::head(&place, MAX_PAGE_BYTES) {
            Ok(page) => page,
            Err(error) => {
                found.push(error.to_string());
                continue;
            }
        };
        match output::page_version(&String::from_utf8_lossy(&page[..page.len().min(HEAD)])) {
            Some(VERSION) => return Ok((place, page)),
            Some(version) => found.push(format!("{name} belongs to dedup {version}")),
            None => found.push(format!("{name} is a different page")),
        }
    }
    if found.is_empty() {
        found.push("the folder of this program is unknown".to_owned());
    }
    let message = format!("the page of dedup {VERSION} was not found: {}", found.join(", "));
    Err(Diagnostic::new(message).hint(HINT))
}
