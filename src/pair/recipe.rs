//! How two texts are compared: every parameter of the pipeline.

use crate::language;
use crate::passages::{self, Templates};
use crate::shingles::Ngrams;
use crate::stems;
use crate::stopwords;
use crate::tokens::exclusions::Why;
use crate::verdict::ratio::Ratio;
use crate::verdict::{Limits, Verdict};

/// The parameters of a comparison; the default is what `dedup LEFT RIGHT` uses.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Recipe {
    /// The sizes of the n-grams.
    pub ngrams: Ngrams,
    /// What does not count of the texts.
    pub ignored: Vec<Why>,
    /// What everyone was given, and does not count either.
    pub templates: Templates,
    /// In a corpus, what more than this share of the texts have does not count either: words in
    /// a row, as many as [`Templates::least`] says; none where that does.
    pub common: Option<Ratio>,
    /// What is given of the texts' languages.
    pub languages: language::Choice,
    /// Which words are dropped.
    pub stopwords: stopwords::Choice,
    /// Whether words are stemmed.
    pub stemming: stems::Choice,
    /// The limits of the ladder.
    pub limits: Limits,
    /// When the passages that both texts share are looked for.
    pub search: Search,
    /// What a passage must have.
    pub least: passages::MinMatch,
    /// Passages of fewer aligned words are listed separately and decide nothing; none where all
    /// passages count.
    pub short: Option<usize>,
}

/// When the passages that both texts share are looked for.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Search {
    /// Always.
    #[default]
    Always,
    /// Where they could make the verdict this level or a closer one: enough to know whether it is
    /// reached.
    For(Verdict),
    /// Never: they decide nothing.
    Never,
}
