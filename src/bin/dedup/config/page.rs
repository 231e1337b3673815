//! `dedup config`: prints the settings of a run as a settings file, and the JSON Schema of such a
//! file.

use std::fmt::Write;

use clap::{Arg, Command};
use dedup_text::display::{hides, visible, wrapped};

use super::merge::{self, Kind, Merged};

/// The JSON Schema (draft 2020-12) of a settings file, for editors. A test makes it of the flags of
/// all commands.
pub(crate) const SCHEMA: &str = include_str!("../schemas/dedup.settings.schema.json");

/// A setting that the settings file or the command line sets.
#[derive(Debug)]
pub(crate) struct SetLine {
    pub(crate) key: String,
    /// The line of a settings file that sets it: `max = 4`.
    pub(crate) line: String,
}

/// Returns the settings of a command that are set, as TOML, and the names of the others.
pub(crate) fn page(command: &Command, merged: &Merged) -> String {
    let file = merged.settings.as_ref().map(|settings| settings.name().into_owned());
    let mut page =
        format!("# settings file: {}\n", file.map_or("none".to_owned(), |it| visible(&it)));
    let set = set_lines(command, merged);
    page.extend(set.iter().map(|SetLine { line, .. }| format!("{line}\n")));
    let is_set = |key: &&str| set.iter().any(|it| it.key == *key);
    let others = command.get_arguments().filter_map(merge::key).filter(|key| !is_set(key));
    let others = format!("not set: {}", others.collect::<Vec<_>>().join(", "));
    page.extend(wrapped(&others, 78, 0).lines().map(|line| format!("# {line}\n")));
    page
}

/// Returns the settings of a command that are set, in the order of its flags.
pub(crate) fn set_lines(command: &Command, merged: &Merged) -> Vec<SetLine> {
    let mut probe = command.clone();
    let set_line = |arg: &Arg| {
        let key = merge::key(arg).filter(|key| merged.sets(key))?;
        let kind = merge::kind(&mut probe, arg);
        let typed = merged.selected_matches().get_raw(arg.get_id().as_str())?;
        let mut values: Vec<String> = typed.map(|it| value(&it.to_string_lossy(), kind)).collect();
        let value =
            if merge::is_many(arg) { format!("[{}]", values.join(", ")) } else { values.pop()? };
        Some(SetLine { key: key.to_owned(), line: format!("{key} = {value}") })
    };
    command.get_arguments().filter_map(set_line).collect()
}

/// Formats a typed value as TOML.
fn value(typed: &str, kind: Kind) -> String {
    match kind {
        Kind::Switch => typed.to_owned(),
        Kind::Whole | Kind::Decimal => number(typed).unwrap_or_else(|| string(typed)),
        Kind::Text => string(typed),
    }
}

/// Formats a number as TOML, without redundant leading zeros: `.50` becomes `0.50`. `None` for a
/// word.
fn number(typed: &str) -> Option<String> {
    let (whole, fraction) = typed.split_once('.').unwrap_or((typed, ""));
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let whole = whole.strip_prefix('+').unwrap_or(whole);
    if !is_digits(whole) || !is_digits(fraction) || whole.len() + fraction.len() == 0 {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    Some(if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") })
}

/// Formats a basic string of TOML. Control characters and invisible characters are escaped as `\u`
/// with four hexadecimal digits.
fn string(typed: &str) -> String {
    let mut string = String::from("\"");
    for letter in typed.chars() {
        match letter {
            '"' | '\\' => string.extend(['\\', letter]),
            letter if hides(letter) => {
                let _ = write!(string, "\\u{:04X}", u32::from(letter));
            }
            letter => string.push(letter),
        }
    }
    string + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_toml() {
        #[rustfmt::skip]
        let table = [
            ("a switch",           "true",      Kind::Switch,  "true"),
            ("a number",           "64",        Kind::Whole,   "64"),
            ("nothing",            "0",         Kind::Whole,   "0"),
            ("idle zeros",         "007",       Kind::Whole,   "7"),
            ("a sign",             "+7",        Kind::Whole,   "7"),
            ("a word",             "off",       Kind::Whole,   "\"off\""),
            ("a decimal",          "0.50",      Kind::Decimal, "0.50"),
            ("without its zero",   ".5",        Kind::Decimal, "0.5"),
            ("without a fraction", "1.",        Kind::Decimal, "1"),
            ("a point alone",      ".",         Kind::Decimal, "\".\""),
            ("text",               "a b",       Kind::Text,    "\"a b\""),
            ("a number as text",   "7",         Kind::Text,    "\"7\""),
            ("quotes",             "a\"b\\c",   Kind::Text,    "\"a\\\"b\\\\c\""),
            ("a control",          "a\u{1b}b",  Kind::Text,    "\"a\\u001Bb\""),
            ("delete",             "\u{7f}",    Kind::Text,    "\"\\u007F\""),
        ];
        for (why, typed, kind, want) in table {
            assert_eq!(value(typed, kind), want, "{why}");
            let line = format!("key = {want}");
            assert!(toml::de::DeTable::parse(&line).is_ok(), "{why}: {want}");
        }
    }
}
