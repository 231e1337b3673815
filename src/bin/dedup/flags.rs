//! The command line → what is asked for.

mod conflicts;
mod evidence;
mod opening;
mod report;
mod show;
mod values;
mod usage;

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Parser, ValueEnum};
use dedup_text::language::{Choice, Given, Language};
use dedup_text::ratio::Ratio;
use dedup_text::recipe::Recipe;
use dedup_text::shingles::Ngrams;
use dedup_text::text::{Reading, Side, Text};
use dedup_text::verdict::{Limits, Verdict};
use dedup_text::{stems, stopwords};

use crate::exit::Exit;
use crate::trouble::Usage;
use values::{Limit, Sided, StopwordsFlag, said_of};

pub(crate) use evidence::Evidence;
pub(crate) use opening::{Disguises, Opening};
pub(crate) use report::{Names, ReportFlags};
pub(crate) use show::ShowFlags;
pub(crate) use usage::{Request, SHOW, read};

/// Decide whether two texts are near-duplicates, and show the figures behind the answer
#[derive(Debug, Parser)]
#[command(name = "dedup", version, after_long_help = usage::AFTER_HELP, max_term_width = 80, args_override_self = true)]
#[command(help_template = "{about}\n\n{usage-heading} {usage}\n\n{all-args}{after-help}\n")]
#[command(override_usage = "dedup LEFT RIGHT [OPTIONS] | dedup text FILE   (- is standard input)")]
pub(crate) struct Flags {
    /// One text; - is standard input
    #[arg(value_name = "LEFT", hide_short_help = true)]
    pub(crate) left: PathBuf,

    /// The other text; - is standard input
    #[arg(value_name = "RIGHT", hide_short_help = true)]
    pub(crate) right: PathBuf,

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
    /// text. Half of it makes a pair partial.
    #[arg(long, value_name = "R", default_value = "0.5", hide_default_value = true, value_parser = values::ratio)]
    jaccard: Limit<Ratio>,

    /// Least containment [0 to 1, off; default 0.5]
    ///
    /// Of a partial pair, either way: the share of one text's longest shingles that the other has too: it finds a
    /// passage pasted into a longer text.
    #[arg(long, value_name = "R", default_value = "0.5", hide_default_value = true, value_parser = values::ratio)]
    containment: Limit<Ratio>,

    /// Exit 0 from this verdict on [default near-duplicate]
    ///
    /// One of different, partial, near-duplicate, identical. Anything less close
    /// exits 1.
    #[arg(long, value_name = "LEVEL", value_parser = values::level, conflicts_with = "fail_on")]
    at_least: Option<Verdict>,

    /// Exit 1 from this verdict on, 0 otherwise: for CI
    ///
    /// Unlike `! dedup …` it does not hide trouble, which exits 2.
    #[arg(long, value_name = "LEVEL", value_parser = values::level)]
    fail_on: Option<Verdict>,

    /// text or json [default text]
    ///
    /// json is one object, the same bytes on every run, by the schema dedup.pair/1.
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "text",
        hide_default_value = true,
        hide_possible_values = true
    )]
    pub(crate) format: Format,

    /// Print no answer; the exit status says it
    ///
    /// Errors are still told on standard error.
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Show both texts going through every stage
    ///
    /// Long lists are cut on screen; with --format json they are whole.
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) explain: bool,

    /// Language: ca, cat or none; left=ca for one side
    ///
    /// ISO 639-1 or 639-3. Without it the language is detected. May be given once for
    /// both sides, or once for each: --lang left=ca --lang right=es.
    #[arg(long, value_name = "CODE", value_parser = values::lang)]
    lang: Vec<Sided<Option<Language>>>,

    #[command(flatten)]
    opening: Opening,

    #[command(flatten)]
    evidence: Evidence,

    /// Drop stop words: on, off or a FILE [default on]
    ///
    /// A file holds words parted by white space; # begins a comment. It replaces the
    /// lists of all languages.
    #[arg(long, value_name = "WHICH", default_value = "on", hide_default_value = true, value_parser = values::stopwords())]
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

    /// Colours: auto, always or never [default auto]
    ///
    /// auto heeds the terminal, NO_COLOR and CLICOLOR_FORCE.
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        hide_possible_values = true
    )]
    pub(crate) color: Color,

    #[command(flatten)]
    pub(crate) report: ReportFlags,
}

/// How the answer is written.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

/// Whether words are stemmed.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Stem {
    On,
    Off,
}

/// Whether the answer has colours.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl Flags {
    /// How the pair is to be compared.
    pub(crate) fn recipe(&self) -> anyhow::Result<Recipe> {
        Ok(Recipe {
            ignored: self.evidence.ignored(),
            templates: self.evidence.templates(&self.opening.of_others())?,
            ngrams: self.ngrams()?,
            languages: self.languages()?,
            stopwords: self.stopwords()?,
            stemming: match self.stem {
                Stem::On => stems::Choice::On,
                Stem::Off => stems::Choice::Off,
            },
            limits: Limits {
                hamming: self.hamming.into(),
                jaccard: self.jaccard.into(),
                containment: self.containment.into(),
            },
            passages: self.shows_passages().then(|| self.evidence.least()).flatten(),
            short: self.evidence.short(),
        })
    }

    /// Whether the answer is one that tells of passages.
    fn shows_passages(&self) -> bool {
        self.report.is_wanted() || !self.quiet
    }

    /// How many passages a text answer shows at most.
    pub(crate) fn passages_shown(&self) -> usize {
        self.evidence.shown()
    }

    /// What is done about disguises.
    pub(crate) fn disguises(&self) -> Disguises {
        self.opening.disguises()
    }

    /// The exit status of a verdict.
    pub(crate) fn status(&self, verdict: Verdict) -> Exit {
        let yes = match (self.at_least, self.fail_on) {
            (_, Some(level)) => verdict < level,
            (level, None) => verdict >= level.unwrap_or(Verdict::NearDuplicate),
        };
        if yes { Exit::Yes } else { Exit::No }
    }

    /// `--stopwords` as it was typed.
    pub(crate) fn stopwords_as_given(&self) -> &Path {
        self.stopwords.as_given()
    }

    fn ngrams(&self) -> Result<Ngrams, Usage> {
        let (min, max) = (self.min.unwrap_or(1), self.max.unwrap_or(3));
        Ngrams::new(min, max).ok_or_else(|| Usage {
            message: match (self.min, self.max) {
                (Some(_), None) => format!("--min {min} is above --max, which is {max} by default"),
                (None, _) => format!("--max {max} is below --min, which is {min} by default"),
                _ => format!("--min {min} is above --max {max}, wanted min <= max"),
            },
            hint: Some(format!("--max {}", min.max(max))),
        })
    }

    fn languages(&self) -> Result<Choice, Usage> {
        let given = |side| {
            let said = said_of(&self.lang, side, "--lang", ["ca", "es"]);
            said.map(|said| said.map_or(Given::Detect, Given::As))
        };
        Ok(Choice { left: given(Side::Left)?, right: given(Side::Right)? })
    }

    /// How the text of a side is to be read.
    pub(crate) fn reading(&self, side: Side) -> Result<Reading, Usage> {
        self.opening.reading(side)
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
            return Err(Usage {
                message: format!(
                    "--stopwords {}: no word in it, wanted a list of stop words",
                    dedup_text::text::display_path(path)
                ),
                hint: Some("--stopwords off drops none".to_owned()),
            }
            .into());
        }
        Ok(stopwords::Choice::List(list))
    }
}
