//! The values of flags: each parsed once, into a type that admits no other.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, TypedValueParser};
use dedup_text::language::{Given, Language, table};
use dedup_text::ratio::Ratio;
use dedup_text::shingles::Ngrams;
use dedup_text::text::Side;
use dedup_text::verdict::Verdict;

use crate::trouble::Usage;

/// A limit of the ladder, or none.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Limit<T> {
    At(T),
    Off,
}

impl<T> From<Limit<T>> for Option<T> {
    fn from(limit: Limit<T>) -> Self {
        match limit {
            Limit::At(limit) => Some(limit),
            Limit::Off => None,
        }
    }
}

/// The language of one side, or of both.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Lang {
    side: Option<Side>,
    language: Option<Language>,
}

/// Which stop words are dropped.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum StopwordsFlag {
    On,
    Off,
    File(PathBuf),
}

impl StopwordsFlag {
    pub(super) fn as_given(&self) -> &Path {
        match self {
            Self::On => Path::new("on"),
            Self::Off => Path::new("off"),
            Self::File(path) => path,
        }
    }
}

/// A size of n-grams.
pub(super) fn ngram(typed: &str) -> Result<usize, String> {
    let size = typed.parse().ok().filter(|size| (1..=Ngrams::GREATEST).contains(size));
    size.ok_or_else(|| format!("wanted a whole number from 1 to {}", Ngrams::GREATEST))
}

/// A Hamming distance.
pub(super) fn bits(typed: &str) -> Result<Limit<u32>, String> {
    if typed == "off" {
        return Ok(Limit::Off);
    }
    let bits = typed.parse().ok().filter(|bits| *bits <= 64);
    bits.map(Limit::At)
        .ok_or_else(|| "wanted a whole number of bits from 0 to 64, or off".to_owned())
}

/// A size of files.
pub(super) fn bytes(typed: &str) -> Result<Limit<u64>, String> {
    if typed == "off" {
        return Ok(Limit::Off);
    }
    let bytes = typed.parse().map(Limit::At);
    bytes.map_err(|_| "wanted a whole number of bytes, or off".to_owned())
}

/// A share.
pub(super) fn ratio(typed: &str) -> Result<Limit<Ratio>, String> {
    if typed == "off" {
        return Ok(Limit::Off);
    }
    typed.parse().map(Limit::At).map_err(|error| format!("{error}, or off"))
}

/// A rung of the ladder.
pub(super) fn level(typed: &str) -> Result<Verdict, String> {
    let level = Verdict::LADDER.into_iter().find(|verdict| verdict.name() == typed);
    level.ok_or_else(|| "wanted different, partial, near-duplicate or identical".to_owned())
}

/// A language, with or without its side.
pub(super) fn lang(typed: &str) -> Result<Lang, String> {
    let (side, code) = match typed.split_once('=') {
        Some(("left", code)) => (Some(Side::Left), code),
        Some(("right", code)) => (Some(Side::Right), code),
        Some(_) => return Err("wanted left=CODE or right=CODE".to_owned()),
        None => (None, typed),
    };
    let language = match code.to_ascii_lowercase().as_str() {
        "none" => None,
        code => Some(Language::from_code(code).ok_or_else(unknown_language)?),
    };
    Ok(Lang { side, language })
}

fn unknown_language() -> String {
    let codes: Vec<_> = table::rows().iter().map(|row| row.short).collect();
    format!("not a known language, wanted none or one of {}", codes.join(" "))
}

/// `on`, `off`, or else the name of a file.
pub(super) fn stopwords() -> impl TypedValueParser<Value = StopwordsFlag> {
    OsStringValueParser::new().map(|typed: OsString| match typed.to_str() {
        Some("on") => StopwordsFlag::On,
        Some("off") => StopwordsFlag::Off,
        _ => StopwordsFlag::File(typed.into()),
    })
}

/// What was said of a side, or with none of both; twice is trouble.
pub(super) fn one_of(given: &[Lang], side: Option<Side>) -> Result<Option<Given>, Usage> {
    let mut same = given.iter().filter(|lang| lang.side == side);
    let first = same.next().map(|lang| Given::As(lang.language));
    if same.next().is_none() {
        return Ok(first);
    }
    Err(Usage {
        message: format!(
            "--lang is given twice for {}, wanted one language",
            match side {
                Some(Side::Left) => "the left text",
                Some(Side::Right) => "the right text",
                None => "both texts",
            }
        ),
        hint: Some("--lang left=ca --lang right=es names one for each".to_owned()),
    })
}
