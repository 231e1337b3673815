//! The flags that say what of the texts counts, and what is shown as evidence.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};
use dedup_text::pair;
use dedup_text::passages::{MinMatch, Sequence, Templates};
use dedup_text::text::{Reading, Text};
use dedup_text::tokens::exclusions::Why;

use super::names::formed;
use super::values::{self, Ignored};
use crate::io::identity::FileId;

/// What counts, and what is shown as evidence.
#[derive(Args, Debug)]
pub(crate) struct Evidence {
    /// Leave out: quotes, bibliography, short
    ///
    /// quotes: what stands between paired quotation marks, from five words on, and block
    /// quotations. bibliography: the list of references, from its heading to the next one.
    /// No shingle and no passage reaches over what is left out. short: passages of fewer than
    /// 20 aligned words, or than WORDS with short=WORDS; they count neither for excerpt nor for coverage. The answer
    /// counts all of it. Several are parted by commas.
    #[arg(
        long,
        value_name = "WHAT",
        value_delimiter = ',',
        hide_short_help = true,
        hide_possible_values = true,
        value_parser = formed(values::ignored, &["quotes", "bibliography", "short"], &["short=WORDS"])
    )]
    ignore: Vec<Ignored>,

    /// Leave out what everyone was given: a FILE, repeatable
    ///
    /// The passages of --min-match words that a text shares with it, and each further place with as many of its words in
    /// a row. No shingle reaches over what is left out, and the answer counts it.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    template: Vec<PathBuf>,

    /// Words of a passage, in a row [3 or more, default 12]
    ///
    /// A passage that both texts share counts with WORDS aligned words in a row; or with five
    /// thirds as many different ones, in any order, if WORDS different ones of them stand three or
    /// more in a row, and four somewhere. Reworded sentences count with five bits for each of
    /// WORDS.
    #[arg(
        long,
        value_name = "WORDS",
        default_value = "12",
        hide_default_value = true,
        hide_short_help = true,
        value_parser = values::least
    )]
    min_match: MinMatch,

    /// Look for passages: on or off [default on]
    ///
    /// What is not looked for decides nothing. In a corpus the default is off where only
    /// near-duplicates are asked for, but on
    /// for sarif, github, junit, gitlab and markdown; with on, it is kept in memory whole.
    #[arg(long, value_name = "WHETHER", hide_possible_values = true, hide_short_help = true)]
    passages: Option<Passages>,
}

/// Whether passages are looked for.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(super) enum Passages {
    On,
    Off,
}

impl Evidence {
    /// What does not count of the texts.
    pub(super) fn ignored(&self) -> Vec<Why> {
        let part = |ignored: &Ignored| match ignored {
            Ignored::Part(why) => Some(*why),
            Ignored::Short(_) => None,
        };
        self.ignore.iter().filter_map(part).collect()
    }

    /// The words that a passage has at least that is not set apart; the last one said counts.
    pub(super) fn short(&self) -> Option<usize> {
        let words = |ignored: &Ignored| match ignored {
            Ignored::Part(_) => None,
            Ignored::Short(words) => Some(*words),
        };
        self.ignore.iter().rev().find_map(words)
    }

    /// What everyone was given. Texts are read in a given way.
    ///
    /// # Errors
    ///
    /// Where a file cannot be read, or has no word.
    pub(super) fn templates(&self, reading: &Reading) -> anyhow::Result<Templates> {
        let template = |path: &PathBuf| -> anyhow::Result<Sequence> {
            let text = Text::open(path, reading).context("--template")?;
            pair::template(&text).context("--template")
        };
        let mut known = Vec::new();
        let is_new = |path: &&PathBuf| {
            let id = FileId::of(path);
            !known.contains(&id) && {
                known.push(id);
                true
            }
        };
        let all = self.template.iter().filter(is_new).map(template).collect::<Result<_, _>>()?;
        Ok(Templates { all, least: self.min_match })
    }

    /// The files of what everyone was given.
    pub(super) fn template_files(&self) -> impl Iterator<Item = &Path> {
        self.template.iter().map(PathBuf::as_path)
    }

    /// What a passage must have.
    pub(super) fn least(&self) -> MinMatch {
        self.min_match
    }

    /// Whether it is said that they are not looked for.
    pub(super) fn has_no_passages(&self) -> bool {
        self.passages == Some(Passages::Off)
    }

    /// Whether passages are looked for; none where nothing is said of it.
    pub(super) fn passages(&self) -> Option<Passages> {
        self.passages
    }
}
