//! What labelled pairs say about limits, as it is shown.

use std::collections::BTreeMap;
use std::path::Path;

use dedup_text::calibration::{Calibration, Chosen, Labelled};
use dedup_text::pair::Recipe;

/// What came of a list.
pub(crate) struct Gathered {
    /// What the texts go by.
    pub(crate) names: Vec<String>,
    pub(crate) pairs: Vec<Labelled>,
    pub(crate) left_out: LeftOut,
}

/// What does not count, and why.
#[derive(Debug, Default)]
pub(crate) struct LeftOut {
    /// Lines that are no pair.
    pub(crate) wrong_lines: usize,
    /// Labels that are neither a yes nor a no.
    pub(crate) skipped: BTreeMap<String, usize>,
    pub(crate) repeated: usize,
    pub(crate) with_itself: usize,
    pub(crate) contradictory: Vec<[usize; 2]>,
    pub(crate) failed_texts: usize,
    pub(crate) failed_pairs: usize,
    pub(crate) short_texts: usize,
    pub(crate) short_pairs: usize,
}

impl LeftOut {
    /// Whether something of the list could not be read.
    pub(crate) fn has_failed(&self) -> bool {
        self.wrong_lines > 0 || self.failed_texts > 0
    }
}

/// A calibration, and what is shown with it.
pub(crate) struct Answer<'a> {
    pub(crate) recipe: &'a Recipe,
    pub(crate) gathered: &'a Gathered,
    pub(crate) calibration: &'a Calibration,
    /// The list of pairs.
    pub(crate) list: &'a Path,
    /// The settings file that is written; none where none is.
    pub(crate) settings_file: Option<&'a Path>,
    /// The settings file that was read; none where none was.
    pub(crate) settings: Option<String>,
    /// The settings that figures depend on, each key with its line of a settings file.
    pub(crate) figures: &'a [(String, String)],
    /// The list of stop words, as it was given.
    pub(crate) stopwords: &'a Path,
}

impl Answer<'_> {
    /// What a text goes by.
    pub(crate) fn name(&self, text: u32) -> &str {
        &self.gathered.names[text as usize]
    }

    /// The rule that is best.
    pub(crate) fn best(&self) -> &Chosen {
        &self.calibration.chosen[self.calibration.best]
    }
}
