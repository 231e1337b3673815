//! What an entry of a settings file says → the values of a flag, as they would be typed.

use std::ffi::OsString;
use std::ops::Range;

use clap::Arg;
use toml::de::DeValue;

use super::keys::{self, Kind, Probe};
use super::source::{Entry, Source};
use crate::diagnostics::Diagnostic;

/// What to do about a value that is wrong in itself.
pub(super) fn hint(command: &str, flag: &str) -> String {
    format!("{command} --help says what --{flag} takes")
}

/// The values of an entry, as they would be typed; files are looked up from the folder of the
/// settings.
///
/// # Errors
///
/// Where one is of another type than the flag takes.
pub(super) fn typed(
    entry: &Entry,
    arg: &Arg,
    probe: &mut Probe,
    source: &Source,
) -> Result<Vec<OsString>, Diagnostic> {
    let kind = probe.kind(arg);
    let items: Vec<(&DeValue, Range<usize>)> = match entry.value {
        DeValue::Array(items) if keys::is_many(arg) => {
            items.iter().map(|item| (item.get_ref(), item.span())).collect()
        }
        value => vec![(value, entry.span.clone())],
    };
    let typed = items.into_iter().map(|(item, span)| {
        let text = text(item, kind).ok_or_else(|| {
            let found = format!("{} = {}: {}", entry.key, source.shown(&span), found(item));
            let is_number = matches!(kind, Kind::Whole | Kind::Decimal);
            let off = if is_number && probe.takes(entry.key, "off") { " or \"off\"" } else { "" };
            let many = if keys::is_many(arg) { ", or an array of such" } else { "" };
            let wanted = format!("{found}, wanted {}{off}{many}", wanted(kind));
            source.trouble(&span, &wanted, &hint(probe.name(), entry.key))
        })?;
        Ok(resolved(text, arg, source))
    });
    typed.collect()
}

/// A value as it would be typed; none where it is of another type.
fn text(value: &DeValue, kind: Kind) -> Option<String> {
    match (kind, value) {
        (Kind::Switch, DeValue::Boolean(value)) => Some(value.to_string()),
        (Kind::Text, DeValue::String(text)) => Some(text.to_string()),
        (Kind::Whole | Kind::Decimal, DeValue::String(text)) => {
            // A number in quotes is none.
            text.parse::<f64>().is_err().then(|| text.to_string())
        }
        (Kind::Whole | Kind::Decimal, DeValue::Float(float)) => Some(float.as_str().to_owned()),
        (Kind::Whole | Kind::Decimal, DeValue::Integer(number)) => {
            let value = i128::from_str_radix(number.as_str(), number.radix());
            Some(value.map_or_else(|_| number.to_string(), |value| value.to_string()))
        }
        _ => None,
    }
}

fn found(value: &DeValue) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}

fn wanted(kind: Kind) -> &'static str {
    match kind {
        Kind::Switch => "true or false",
        Kind::Whole => "a whole number",
        Kind::Decimal => "a number",
        Kind::Text => "a string",
    }
}

/// A value with the name of a file in it as seen from the working folder.
fn resolved(text: String, arg: &Arg, source: &Source) -> OsString {
    let is_word = |text: &str| {
        text.is_empty()
            || text == "-"
            || arg.get_possible_values().iter().any(|value| value.get_name() == text)
    };
    if keys::is_path(arg) && !is_word(&text) {
        return source.resolved(&text).into_os_string();
    }
    match text.split_once('=') {
        Some((what, path)) if keys::has_path(arg) && !is_word(path) => {
            let mut typed = OsString::from(format!("{what}="));
            typed.push(source.resolved(path));
            typed
        }
        _ => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use clap::ValueHint;
    use clap::builder::PossibleValuesParser;

    use super::*;
    use crate::config::source::By;

    #[test]
    fn names_of_files_are_looked_up_from_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("dedup.toml");
        std::fs::File::create(&file).unwrap().write_all(b"").unwrap();
        let source = Source::read(file, By::Flag).unwrap();
        let inside = |name: &str| folder.path().join(name).into_os_string();
        let of = |what: &str, name: &str| {
            let mut typed = OsString::from(what);
            typed.push(inside(name));
            typed
        };
        let words = Arg::new("w").long("w").value_parser(["on", "off"]);
        let files = Arg::new("f").long("f").value_hint(ValueHint::FilePath);
        let both = files.clone().value_parser(PossibleValuesParser::new(["on", "off"]));
        let formats = Arg::new("o").long("o").value_name("FORMAT[=FILE]");
        #[rustfmt::skip]
        let table = [
            ("no file",            &words,   "on",         "on".into()),
            ("a file",             &files,   "a/b.txt",    inside("a/b.txt")),
            ("above",              &files,   "../b.txt",   inside("../b.txt")),
            ("by its whole name",  &files,   "/b.txt",     "/b.txt".into()),
            ("standard input",     &files,   "-",          "-".into()),
            ("a word",             &both,    "off",        "off".into()),
            ("no word",            &both,    "of",         inside("of")),
            ("no file after it",   &formats, "json",       "json".into()),
            ("a file after it",    &formats, "json=a.txt", of("json=", "a.txt")),
            ("standard output",    &formats, "json=-",     "json=-".into()),
        ];
        for (why, arg, text, want) in table {
            assert_eq!(resolved(text.to_owned(), arg, &source), want, "{why}");
        }
    }
}
