//! The flags that say how texts are compared, two or many.

use std::path::Path;

use anyhow::Context;
use clap::{Args, ValueEnum};
use dedup_text::language::{Choice, Given, Language};
use dedup_text::pair::recipe::{Recipe, Search};
use dedup_text::shingles::Ngrams;
use dedup_text::text::{Side, Text};
use dedup_text::verdict::Limits;
use dedup_text::verdict::ratio::Ratio;
use dedup_text::{stems, stopwords};

use super::evidence::Evidence;
use super::names::named;
use super::opening::Opening;
use super::values::{self, Limit, Sided, StopwordsFlag, said_of};
use crate::diagnostics::Diagnostic;

/// How texts are compared.
#[derive(Args, Debug)]
pub(crate) struct Comparing {
    /// Smallest n-gram, in words [1 to 64, default 1]
    ///
    /// Shingles are cut for every n from --min to --max. A text with fewer words
    /// left after the stop words cannot be judged.
    #[arg(long, value_name = "N", value_parser = values::ngram)]
    min: Option<usize>,

    /// Greatest n-gram, in words [1 to 64, default 3]
    ///
    /// Containment counts the shingles of this size only. --max 3 --min 3 is the
    /// classic setting.
    #[arg(long, value_name = "N", value_parser = values::ngram)]
    max: Option<usize>,

    /// Most bits that differ [0 to 64, off; default 3]
    ///
    /// Of the 64-bit fingerprints of near-duplicates, after Manku, Jain and Das Sarma (2007). 3 bits are
    /// about one changed word in 280.
    #[arg(long, value_name = "BITS", default_value = "3", hide_default_value = true, value_parser = values::bits)]
    hamming: Limit<u32>,

    /// Least Jaccard index [0 to 1, off; default 0.5]
    ///
    /// Of near-duplicates: distinct shingles shared over distinct shingles in either
    /// text.
    #[arg(long, value_name = "R", default_value = "0.5", hide_default_value = true, value_parser = values::ratio)]
    jaccard: Limit<Ratio>,

    /// Least coverage [0 to 1, off; default 0.2]
    ///
    /// Of a partial pair, of either text: the share of its words that stand in passages which the
    /// other text has too.
    #[arg(long, value_name = "R", default_value = "0.2", hide_default_value = true, value_parser = values::ratio)]
    coverage: Limit<Ratio>,

    /// Least Jaccard index of a partial pair [0 to 1, off; default 0.12]
    ///
    /// Not above --jaccard, which is the default where it is lower. Where a text has fewer than 100
    /// words, two thirds of it.
    #[arg(long, value_name = "R", hide_short_help = true, value_parser = values::ratio)]
    partial_jaccard: Option<Limit<Ratio>>,

    /// Least containment [0 to 1, off; default off]
    ///
    /// Of a partial pair, either way: the share of one text's longest shingles that the other has
    /// too. Fewer than 3 shared are taken for chance.
    #[arg(long, value_name = "R", default_value = "off", hide_default_value = true, hide_short_help = true, value_parser = values::ratio)]
    containment: Limit<Ratio>,

    /// Language: ca, cat or none; left=ca for one side
    ///
    /// ISO 639-1 or 639-3. Without it the language is detected. May be given once for
    /// both sides, or once for each: --lang left=ca --lang right=es.
    #[arg(long, value_name = "CODE", value_parser = values::lang)]
    lang: Vec<Sided<Option<Language>>>,

    #[command(flatten)]
    pub(crate) opening: Opening,

    #[command(flatten)]
    pub(super) evidence: Evidence,

    /// Drop stop words: on, off or a FILE [default on]
    ///
    /// A file holds words parted by white space; # begins a comment. It replaces the
    /// lists of all languages.
    #[arg(long, value_name = "WHICH", default_value = "on", hide_default_value = true, value_parser = named(values::stopwords(), &["on", "off"]), hide_possible_values = true, value_hint = clap::ValueHint::FilePath)]
    stopwords: StopwordsFlag,

    /// Stem words: on or off [default on]
    #[arg(
        long,
        value_name = "WHETHER",
        default_value = "on",
        hide_default_value = true,
        hide_possible_values = true
    )]
    stem: Stem,
}

/// Whether words are stemmed.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Stem {
    On,
    Off,
}

impl Comparing {
    /// How texts are to be compared, with what is said of their languages, and when passages are
    /// looked for.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] where the flags do not go together; trouble where a file that they name
    /// cannot be read.
    pub(super) fn recipe(&self, languages: Choice, search: Search) -> anyhow::Result<Recipe> {
        Ok(Recipe {
            ignored: self.evidence.ignored(),
            templates: self.evidence.templates(&self.opening.of_others())?,
            common: None,
            ngrams: self.ngrams()?,
            languages,
            stopwords: self.stopwords()?,
            stemming: match self.stem {
                Stem::On => stems::Choice::On,
                Stem::Off => stems::Choice::Off,
            },
            limits: self.limits()?,
            search,
            least: self.evidence.least(),
            short: self.evidence.short(),
        })
    }

    /// What is said of the languages of two texts.
    pub(super) fn languages(&self) -> Result<Choice, Diagnostic> {
        Ok(Choice { left: self.language(Side::Left)?, right: self.language(Side::Right)? })
    }

    /// What is said of the languages of many texts: no side may be named.
    pub(super) fn language_of_all(&self) -> Result<Choice, Diagnostic> {
        let said = values::said_of_all(&self.lang, "--lang", values::MANY)?;
        let given = said.map_or(Given::Detect, Given::As);
        Ok(Choice { left: given, right: given })
    }

    fn language(&self, side: Side) -> Result<Given, Diagnostic> {
        let said = said_of(&self.lang, side, "--lang", ["ca", "es"]);
        said.map(|said| said.map_or(Given::Detect, Given::As))
    }

    /// `--stopwords` as it was typed.
    pub(crate) fn stopwords_as_given(&self) -> &Path {
        self.stopwords.as_given()
    }

    /// The files that are read besides the texts, each with what it is.
    pub(super) fn files(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let list = match &self.stopwords {
            StopwordsFlag::File(list) => Some(("the list of stop words", list.as_path())),
            _ => None,
        };
        let templates = self.evidence.template_files().map(|path| ("a template", path));
        templates.chain(list)
    }

    fn ngrams(&self) -> Result<Ngrams, Diagnostic> {
        let (min, max) = (self.min.unwrap_or(1), self.max.unwrap_or(3));
        Ngrams::new(min, max).ok_or_else(|| {
            Diagnostic::new(match (self.min, self.max) {
                (Some(_), None) => format!("--min {min} is above --max, which is {max} by default"),
                (None, _) => format!("--max {max} is below --min, which is {min} by default"),
                _ => format!("--min {min} is above --max {max}, wanted min <= max"),
            })
            .hint(format!("--max {}", min.max(max)))
        })
    }

    /// The limits of the ladder.
    fn limits(&self) -> Result<Limits, Diagnostic> {
        let jaccard: Option<Ratio> = self.jaccard.into();
        let usual = Limits::default().partial_jaccard;
        let lesser = usual.into_iter().chain(jaccard).min().filter(|_| usual.is_some());
        let limits = Limits {
            hamming: self.hamming.into(),
            jaccard,
            partial_jaccard: self.partial_jaccard.map_or(lesser, Into::into),
            coverage: self.coverage.into(),
            containment: self.containment.into(),
        };
        match (limits.partial_jaccard, limits.jaccard) {
            (Some(partial), Some(whole)) if partial > whole => Err(Diagnostic::new(format!(
                "--partial-jaccard {partial} is above --jaccard {whole}, wanted at most that"
            ))
            .hint(format!("--partial-jaccard {whole}, or off"))),
            _ => Ok(limits),
        }
    }

    fn stopwords(&self) -> anyhow::Result<stopwords::Choice> {
        let path = match &self.stopwords {
            StopwordsFlag::On => return Ok(stopwords::Choice::On),
            StopwordsFlag::Off => return Ok(stopwords::Choice::Off),
            StopwordsFlag::File(path) => path,
        };
        let text = Text::open(path, &self.opening.list()).context("--stopwords")?;
        let list = stopwords::StopWords::parse(text.content());
        if list.is_empty() {
            return Err(Diagnostic::new(format!(
                "--stopwords {}: no word in it, wanted a list of stop words",
                dedup_text::text::display_path(path)
            ))
            .hint("--stopwords off drops none")
            .into());
        }
        Ok(stopwords::Choice::List(list))
    }
}
