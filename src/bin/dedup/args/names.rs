//! Parsers of values that also say which names they take, for completions and editors.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};

/// A parser, and the names among what it takes.
#[derive(Clone)]
pub(super) struct Named<P> {
    parser: P,
    names: &'static [&'static str],
    /// What else it takes, capitals standing for something: `newest:FIELD`.
    forms: &'static [&'static str],
}

/// A parser that takes names, and perhaps more.
pub(super) fn named<P: TypedValueParser>(parser: P, names: &'static [&'static str]) -> Named<P> {
    Named { parser, names, forms: &[] }
}

/// A parser that takes names and forms.
pub(super) fn formed<P: TypedValueParser>(
    parser: P,
    names: &'static [&'static str],
    forms: &'static [&'static str],
) -> Named<P> {
    Named { parser, names, forms }
}

impl<P: TypedValueParser> TypedValueParser for Named<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        typed: &OsStr,
    ) -> Result<Self::Value, clap::Error> {
        self.parser.parse_ref(command, arg, typed)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = self.names.iter().map(PossibleValue::new);
        let forms = self.forms.iter().map(|form| PossibleValue::new(form).hide(true));
        Some(Box::new(names.chain(forms)))
    }
}
