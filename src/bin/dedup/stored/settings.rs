//! The settings that an index records: how its texts are read and compared, one per line, as they would
//! be typed. Texts that are compared with the index must be read in the same way.

use std::path::Path;

use anyhow::Context;
use clap::{Args, Command, FromArgMatches};
use data_encoding::HEXLOWER;
use dedup_text::corpus::index::Index;
use dedup_text::language::{Given, Language};
use dedup_text::text::{Html, Markup, Text};
use dedup_text::{rabin, stopwords};
use sha2::{Digest, Sha256};

use crate::args::Comparing;
use crate::config::Merged;
use crate::diagnostics::Flag;
use crate::recipe;

/// Returns the settings that shingles depend on, one per line, as they would be typed; the last
/// line has the modulus of residues. An index records them, and
/// all texts that are compared with the index must have the same settings. The content of a
/// list or template is recorded as the beginning of its digest.
///
/// # Errors
///
/// Returns an error if flags contradict each other, or if a list or a template cannot be read.
pub(crate) fn recorded(comparing: &Comparing) -> anyhow::Result<String> {
    let reading = comparing.opening.reading_of_all()?;
    let list = match recipe::stopwords(comparing)? {
        stopwords::Choice::On => "on".to_owned(),
        stopwords::Choice::Off => "off".to_owned(),
        stopwords::Choice::List(list) => of_content(&list.words().join("\n")),
    };
    // The values as typed, even if they contradict each other: the error that they differ from
    // those of the index is more useful.
    let [min, max] = comparing.sizes();
    let mut lines = vec![
        format!("--min {min}"),
        format!("--max {max}"),
        format!("--stopwords {list}"),
        format!("--stem {}", comparing.stem.name()),
    ];
    if let Given::As(language) = comparing.language_of_all()?.left {
        lines.push(format!("--lang {}", language.map_or("none", Language::code)));
    }
    let ignored = comparing.evidence.ignored();
    let mut names: Vec<&str> = ignored.iter().map(|why| why.name()).collect();
    names.sort_unstable();
    names.dedup();
    if !names.is_empty() {
        lines.push(format!("--ignore {}", names.join(",")));
    }
    for path in &comparing.evidence.template {
        let text =
            Text::open(path, &comparing.opening.of_others()).context(Flag::new("template"))?;
        lines.push(format!("--template {}", of_content(text.content())));
    }
    if !comparing.evidence.template.is_empty() {
        lines.push(format!("--min-match {}", comparing.evidence.min_match.words()));
    }
    lines.extend(reading.encoding.map(|encoding| format!("--encoding {}", encoding.name())));
    lines.extend(reading.lossy.then(|| "--lossy".to_owned()));
    lines.extend(unusual("--html", &Html::NAMED, reading.html));
    lines.extend(unusual("--markdown", &Markup::NAMED, reading.markdown));
    lines.extend(unusual("--latex", &Markup::NAMED, reading.latex));
    lines.push(format!("modulus {:016x}", rabin::MODULUS));
    Ok(lines.join("\n"))
}

/// Formats a choice as it would be typed. `None` for the first one, the default.
fn unusual<T: Copy + PartialEq>(flag: &str, named: &[(&str, T)], choice: T) -> Option<String> {
    let (name, _) = named[1..].iter().find(|(_, value)| *value == choice)?;
    Some(format!("{flag} {name}"))
}

/// Takes over the settings that an index was [built with](recorded), for those flags that
/// neither the command line nor the settings file sets.
///
/// Lists and templates are not taken over, since only digests of them are recorded. If the
/// index cannot be opened, nothing is taken over, and the command reports the error later.
pub(crate) fn take_recorded(comparing: &mut Comparing, index: &Path, merged: &Merged) {
    if let Ok(index) = Index::open(index) {
        take_lines(comparing, index.settings(), |flag| merged.sets(flag));
    }
}

fn take_lines(comparing: &mut Comparing, built: &str, is_given: impl Fn(&str) -> bool) {
    let flags = Comparing::augment_args(Command::new("").no_binary_name(true));
    let flags = flags.mut_args(|arg| arg.default_value(None));
    for line in built.lines().filter(|line| !is_of_file(line)) {
        let is_given =
            line.split(' ').next().and_then(|it| it.strip_prefix("--")).is_none_or(&is_given);
        // A setting that this version does not know is reported later, as a difference.
        if !is_given && let Ok(mut taken) = flags.clone().try_get_matches_from(line.split(' ')) {
            let is_lossy = comparing.opening.lossy;
            let _ = comparing.update_from_arg_matches_mut(&mut taken);
            comparing.opening.lossy |= is_lossy; // for clap, a missing switch is one that is off
        }
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
            let built = recorded(&flags(typed)).unwrap();
            let (lines, version) = built.rsplit_once('\n').unwrap();
            assert_eq!(lines.replace('\n', " "), want, "{why}");
            assert!(version.starts_with("modulus "), "{version}");
            let mut taken = flags("");
            take_lines(&mut taken, &built, |_| false);
            assert_eq!(recorded(&taken).unwrap(), built, "{why}");
            let mut given = flags("--max 4");
            take_lines(&mut given, &built, |_| true);
            assert_eq!(recorded(&given).unwrap(), recorded(&flags("--max 4")).unwrap(), "{why}");
        }
    }

    #[test]
    fn words_of_a_template_are_taken_and_what_is_unknown_is_left() {
        let mut taken = flags("");
        let lines =
            "--min-match 20\n--stopwords FILE (0123456789abcdef)\n--min 99\n--new 3\nmodulus 7";
        take_lines(&mut taken, lines, |_| false);
        assert_eq!(taken.evidence.min_match.words(), 20);
        assert_eq!((taken.min, taken.stopwords), (None, "on".into()));
        let of_files = lines.lines().map(is_of_file).collect::<Vec<_>>();
        assert_eq!(of_files, [false, true, false, false, false]);
    }
}
