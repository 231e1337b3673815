//! Counts how much of each text stands in any other: judged pairs → words, over all sources.

use std::collections::{BTreeMap, BTreeSet};

use dedup_text::jaccard::Share;
use dedup_text::pair::Judgement;
use dedup_text::passages::{Covered, CoveredWords, covered};

use super::model::JudgedRow;

/// What a text has in common with any other text of the run.
#[derive(Debug, Default)]
pub(crate) struct SharedWords {
    words: CoveredWords,
    /// The number of words of the text that count.
    pub(crate) of: usize,
    /// The texts that it shares them with.
    pub(crate) sources: BTreeSet<u32>,
}

impl SharedWords {
    /// Counts the words, each once, whatever the number of texts that have it.
    pub(crate) fn count(&self) -> Covered {
        self.words.count()
    }
}

/// What each text has in common with any other, for the texts that share a passage.
#[derive(Debug, Default)]
pub(crate) struct SharedByText(BTreeMap<u32, SharedWords>);

impl SharedByText {
    /// Adds the passages of a pair that was not accepted earlier; nothing if they were not searched for, or
    /// if there are none.
    pub(crate) fn add(&mut self, row: &JudgedRow, judgement: &Judgement) {
        let matches = judgement.matches.as_ref().filter(|it| !it.all.is_empty());
        let Some(matches) = matches.filter(|_| row.accepted.is_none() && !row.is_listed_again)
        else {
            return;
        };
        let texts = [row.pair.a, row.pair.b];
        for side in 0..2 {
            let shared = self.0.entry(texts[side]).or_default();
            shared.words.add(covered(matches.all.iter().map(|it| &it.passage), side));
            shared.of = matches.coverage.share(side).map_or(0, Share::total);
            shared.sources.insert(texts[1 - side]);
        }
    }

    /// Returns the texts that share a passage, in increasing order, each with what it shares.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (u32, &SharedWords)> {
        self.0.iter().map(|(text, shared)| (*text, shared))
    }
}
