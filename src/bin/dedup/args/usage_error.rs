//! What clap finds wrong with a command line → what was found, what was wanted, and a hint.

use std::error::Error as _;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

use super::CorpusFlags;
use crate::diagnostics::Diagnostic;

/// The message for an error, by its kind and what clap knows about it.
pub(super) fn diagnostic(error: &Error, command: &str) -> Diagnostic {
    let arg = names(error, ContextKind::InvalidArg, ", ");
    let command_like = names(error, ContextKind::InvalidSubcommand, ", ");
    let prior = names(error, ContextKind::PriorArg, ", ");
    let value = names(error, ContextKind::InvalidValue, ", ");
    let wanted = names(error, ContextKind::ValidValue, ", ");
    let possible = if wanted.is_empty() { wanted } else { format!(" [possible values: {wanted}]") };
    if error.kind() == ErrorKind::UnknownArgument && is_of_a_corpus(&arg) {
        return Diagnostic::new(format!("{arg} is for a corpus only, expected no such flag here"))
            .hint(format!("dedup corpus PATH… {arg} … compares all texts with each other"));
    }
    let message = match error.kind() {
        ErrorKind::InvalidValue if value.is_empty() => {
            format!("a value is required for '{arg}' but none was supplied{possible}")
        }
        ErrorKind::InvalidValue => format!("invalid value '{value}' for '{arg}'{possible}"),
        ErrorKind::ValueValidation => {
            let why = error.source().map(|why| format!(": {why}")).unwrap_or_default();
            format!("invalid value '{value}' for '{arg}'{why}")
        }
        ErrorKind::UnknownArgument => format!("unexpected argument '{arg}' found"),
        ErrorKind::TooManyValues => format!("unexpected value '{value}' for '{arg}' found"),
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
    };
    let similar = |kind: ContextKind, what: &str| {
        let name = names(error, kind, "', '");
        (!name.is_empty()).then(|| format!("a similar {what} exists: '{name}'"))
    };
    let more = match error.get(ContextKind::Suggested) {
        Some(ContextValue::StyledStrs(more)) => more.as_slice(),
        _ => &[],
    };
    let hints = (similar(ContextKind::SuggestedArg, "argument").into_iter())
        .chain(similar(ContextKind::SuggestedValue, "value"))
        .chain(more.iter().map(ToString::to_string))
        .chain([format!("{command} --help lists the flags")]);
    Diagnostic::new(message).hint(hints.collect::<Vec<_>>().join("; "))
}

/// What clap knows of a kind, where it is text; several are joined.
fn names(error: &Error, kind: ContextKind, separator: &str) -> String {
    match error.get(kind) {
        Some(ContextValue::String(name)) => name.clone(),
        Some(ContextValue::Strings(names)) => names.join(separator),
        _ => String::new(),
    }
}

/// Whether `dedup corpus` has a flag.
fn is_of_a_corpus(flag: &str) -> bool {
    let name = flag.strip_prefix("--");
    name.is_some() && CorpusFlags::command().get_arguments().any(|known| known.get_long() == name)
}
