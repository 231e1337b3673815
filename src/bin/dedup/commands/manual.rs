//! The commands → the manual, one page of roff.

use clap::{Arg, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

/// The day on which the page was last changed, beside what it has from the flags.
const DATE: &str = "2026-11-21";

/// The longest line of roff, in bytes.
const LONGEST: usize = 80;

const DESCRIPTION: &[&str] = &[
    "dedup LEFT RIGHT decides whether two texts are near-duplicates, shows the figures behind \
     the answer, and gives it as an exit status. A name that is - is standard input. Each file \
     is told by its content: plain text in any encoding, web pages, Markdown, Word, Writer, PDF \
     (by pdftotext), RTF, EPUB and Jupyter notebooks.",
    "The first argument may be the name of a command: text, corpus, calibrate, part, \
     clusters, config, completions or man. A file of that name is ./text.",
];

const FILES: &str = "The settings: in the working folder, or the nearest above it up to the \
    root of the repository. Each long flag is a key at top level, without its hyphens: \
    jaccard = 0.8, quiet = true, template = [\"sheet.txt\"]. What is typed counts before it, and \
    --quiet=false undoes quiet = true. Files that it names are looked up from its folder.";

const ENVIRONMENT: &[(&str, &str)] = &[
    ("NO_COLOR", "Set to anything: no colours with --color auto."),
    ("CLICOLOR_FORCE", "Set to anything but 0: colours with --color auto, in a pipe as well."),
    ("COLUMNS", "How wide the answer may be, where the terminal is not to be asked."),
];

/// The page: all commands, their flags, the files they read and how they exit.
pub(crate) fn page(whole: &Command) -> anyhow::Result<String> {
    let mut whole = whole.clone();
    whole.build(); // with the flags that clap adds
    let mut head = Roff::new();
    let version = format!("dedup {}", env!("CARGO_PKG_VERSION"));
    head.control("TH", ["DEDUP", "1", DATE, version.as_str()]);
    head.control("SH", ["NAME"]);
    head.text([roman("dedup - decide whether two texts are near-duplicates")]);
    head.control("SH", ["SYNOPSIS"]);
    let mut forms = vec!["dedup LEFT RIGHT [OPTIONS]".to_owned()];
    forms.extend(whole.get_subcommands().map(usage));
    for (place, form) in forms.iter().enumerate() {
        if place > 0 {
            head.control("br", []);
        }
        let (name, rest) = form.split_once(' ').unwrap_or((form, ""));
        head.text([bold(name), roman(format!(" {rest}"))]);
    }
    head.control("SH", ["DESCRIPTION"]);
    paragraphs(&mut head, DESCRIPTION);
    let mut page = Vec::new();
    head.to_writer(&mut page)?;
    let mut page = String::from_utf8(page)?;
    let mut told: Vec<&Arg> = whole.get_arguments().collect();
    page += ".SH OPTIONS\n";
    page += &options(&told)?;
    for command in whole.get_subcommands() {
        page += &section(command, &told)?;
        told.extend(command.get_arguments());
    }
    page += &foot(&whole);
    Ok(page.lines().map(folded).collect())
}

/// How a command is used: the first line of its usage.
fn usage(command: &Command) -> String {
    let usage = command.get_overridden_usage().map(ToString::to_string).unwrap_or_default();
    let form = usage.split("   ").next().unwrap_or_default();
    form.to_owned()
}

/// A command: what it is for, and those of its flags that are its own.
fn section(command: &Command, above: &[&Arg]) -> anyhow::Result<String> {
    let title = format!("DEDUP {}", command.get_name().to_uppercase());
    let about = command.get_long_about().or(command.get_about());
    let about = about.map(ToString::to_string).unwrap_or_default();
    let is_above = |arg: &&Arg| {
        above.iter().any(|other| other.get_id() == arg.get_id() && told(other) == told(arg))
    };
    let is_shown = |arg: &&Arg| !arg.is_hide_set();
    let (shared, own): (Vec<&Arg>, Vec<&Arg>) =
        command.get_arguments().filter(is_shown).partition(is_above);
    let mut roff = Roff::new();
    roff.control("SH", [title.as_str()]);
    let about: Vec<&str> = about.split("\n\n").collect();
    paragraphs(&mut roff, &about);
    let missing: Vec<&Arg> = (above.iter().copied())
        .filter(|arg| command.get_arguments().all(|other| other.get_id() != arg.get_id()))
        .filter(|arg| arg.get_long().is_some())
        .collect();
    let list = |args: &[&Arg]| {
        let names = args.iter().filter_map(|arg| arg.get_long());
        names.map(|name| format!("--{name}")).collect::<Vec<_>>().join(", ")
    };
    let but = if missing.is_empty() { String::new() } else { format!(" but {}", list(&missing)) };
    if shared.len() > missing.len() {
        roff.control("PP", []);
        roff.text([roman(format!("It takes the options above{but}, and:"))]);
    } else if !shared.is_empty() {
        roff.control("PP", []);
        roff.text([roman(format!("Of the options above it takes {}, and:", list(&shared)))]);
    }
    Ok(roff.to_roff() + &options(&own)?)
}

/// What a flag's help says.
fn told(arg: &Arg) -> Option<String> {
    arg.get_long_help().or(arg.get_help()).map(ToString::to_string)
}

/// The flags of a list, each with its help.
fn options(args: &[&Arg]) -> anyhow::Result<String> {
    // What the short help leaves out is told here.
    let args = args.iter().map(|arg| (*arg).clone().hide_short_help(false).help_heading(None));
    let command = Command::new("dedup")
        .version("")
        .disable_help_flag(true)
        .disable_version_flag(true)
        .args(args);
    let mut section = Vec::new();
    Man::new(command).render_options_section(&mut section)?;
    let section = String::from_utf8(section)?;
    Ok(section
        .split_once(".SH OPTIONS\n")
        .map(|(_, options)| options.to_owned())
        .unwrap_or_default())
}

/// Files, environment, exit status and examples.
fn foot(whole: &Command) -> String {
    let mut roff = Roff::new();
    roff.control("SH", ["FILES"]);
    roff.control("TP", []);
    roff.text([bold("dedup.toml")]);
    roff.text([roman(FILES)]);
    roff.control("SH", ["ENVIRONMENT"]);
    for (name, meaning) in ENVIRONMENT {
        roff.control("TP", []);
        roff.text([bold(*name)]);
        roff.text([roman(*meaning)]);
    }
    let after = whole.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    for paragraph in after.split("\n\n") {
        let Some((title, lines)) = paragraph.split_once(":\n") else { continue };
        roff.control("SH", [title.to_uppercase().as_str()]);
        items(&mut roff, lines);
    }
    roff.to_roff()
}

/// Lines as items: what stands before the last two spaces within the first line of each, then
/// what it means. Lines further in go on with an item.
fn items(roff: &mut Roff, lines: &str) {
    let lines = lines.lines().map(|line| line.strip_prefix("  ").unwrap_or(line));
    for line in lines {
        match line.split_once("  ").filter(|(item, _)| !item.is_empty()) {
            Some((item, meaning)) => {
                roff.control("TP", []);
                roff.text([bold(item)]);
                roff.text([roman(meaning.trim_start())]);
            }
            None => {
                roff.text([roman(line.trim_start())]);
            }
        }
    }
}

fn paragraphs(roff: &mut Roff, paragraphs: &[&str]) {
    for (place, paragraph) in paragraphs.iter().enumerate() {
        if place > 0 {
            roff.control("PP", []);
        }
        roff.text([roman(*paragraph)]);
    }
}

/// A line of roff; where it is too long it goes on in the next ones, which begin with no control.
fn folded(line: &str) -> String {
    let (mut folded, mut length) = (String::new(), 0);
    for (place, word) in line.split(' ').enumerate() {
        let is_long = length + 1 + word.len() > LONGEST && !line.starts_with('.');
        if is_long && place > 0 && !word.is_empty() {
            let guard = if word.starts_with(['.', '\'']) { "\\&" } else { "" };
            folded = folded + "\n" + guard + word;
            length = guard.len() + word.len();
        } else {
            folded = folded + if place > 0 { " " } else { "" } + word;
            length += usize::from(place > 0) + word.len();
        }
    }
    folded + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_go_on_without_a_control() {
        let long = "a".repeat(LONGEST);
        let table = [
            ("short", "one two".to_owned(), "one two\n".to_owned()),
            ("empty", String::new(), "\n".to_owned()),
            ("just as long", long.clone(), format!("{long}\n")),
            ("a letter longer", format!("{long} b"), format!("{long}\nb\n")),
            ("a point first", format!("{long} .md or"), format!("{long}\n\\&.md or\n")),
            ("a quote first", format!("{long} 'x"), format!("{long}\n\\&'x\n")),
            ("a control", format!(".SH {long} b"), format!(".SH {long} b\n")),
        ];
        for (why, line, want) in table {
            assert_eq!(folded(&line), want, "{why}");
        }
    }
}
