//! The formats of an answer.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::io::output::Syntax;

/// How the answer is written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Format {
    Text,
    Json,
    Jsonl,
    Paths,
    Paths0,
    Export(Export),
}

/// A format of other programs and of pull requests, made of pairs.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Export {
    Csv,
    Sarif,
    Github,
    Junit,
    Gitlab,
    Markdown,
    Badge,
}

impl ValueEnum for Format {
    fn value_variants<'v>() -> &'v [Self] {
        use Export::{Badge, Csv, Github, Gitlab, Junit, Markdown, Sarif};
        &[
            Self::Text,
            Self::Json,
            Self::Jsonl,
            Self::Export(Csv),
            Self::Export(Sarif),
            Self::Export(Github),
            Self::Export(Junit),
            Self::Export(Gitlab),
            Self::Export(Markdown),
            Self::Export(Badge),
            Self::Paths,
            Self::Paths0,
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()))
    }
}

impl Format {
    /// The names, as they are typed, in the order of the variants.
    pub(crate) const NAMES: &[&str] = &[
        "text", "json", "jsonl", "csv", "sarif", "github", "junit", "gitlab", "markdown", "badge",
        "paths", "paths0",
    ];

    /// The same with a file.
    #[rustfmt::skip]
    pub(crate) const FORMS: &[&str] = &[
        "text=FILE", "json=FILE", "jsonl=FILE", "csv=FILE", "sarif=FILE", "github=FILE",
        "junit=FILE", "gitlab=FILE", "markdown=FILE", "badge=FILE",
        "paths=FILE", "paths0=FILE",
    ];

    /// What it is written in.
    pub(crate) fn syntax(self) -> Syntax {
        match self {
            Self::Json
            | Self::Jsonl
            | Self::Export(Export::Sarif | Export::Gitlab | Export::Badge) => Syntax::Json,
            _ => Syntax::Other,
        }
    }

    /// Its name, as it is typed.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Paths => "paths",
            Self::Paths0 => "paths0",
            Self::Export(Export::Csv) => "csv",
            Self::Export(Export::Sarif) => "sarif",
            Self::Export(Export::Github) => "github",
            Self::Export(Export::Junit) => "junit",
            Self::Export(Export::Gitlab) => "gitlab",
            Self::Export(Export::Markdown) => "markdown",
            Self::Export(Export::Badge) => "badge",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_those_of_the_variants() {
        let variants = Format::value_variants().iter();
        let names = variants.map(|it| it.to_possible_value().unwrap().get_name().to_owned());
        assert_eq!(names.collect::<Vec<_>>(), Format::NAMES);
        let forms = Format::NAMES.iter().map(|name| format!("{name}=FILE"));
        assert_eq!(forms.collect::<Vec<_>>(), Format::FORMS);
    }
}
