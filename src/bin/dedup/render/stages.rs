//! What each stage made of a text, for `--explain` in either format.

use std::collections::HashSet;

use dedup_text::language::Known;
use dedup_text::pair::recipe::Recipe;
use dedup_text::pair::{Trace, trace};
use dedup_text::rabin;
use dedup_text::simhash::{Votes, vote};
use dedup_text::text::Text;

/// Every stage of one text.
pub(super) struct Stages<'t> {
    pub(super) trace: Trace<'t>,
    pub(super) votes: Votes,
}

/// A shingle, the size of n-gram that it is first cut as, and its residue.
pub(super) struct Shingle<'s> {
    pub(super) n: usize,
    pub(super) text: &'s str,
    pub(super) residue: u64,
}

impl<'t> Stages<'t> {
    /// Takes a text the plain way through all stages, so that what is shown does not rest
    /// on what is to be audited.
    pub(super) fn of(text: &'t Text, known: Known, recipe: &Recipe) -> Self {
        let trace = trace(text, known.language, recipe);
        let votes = vote(trace.shingles.all().residues());
        Self { trace, votes }
    }

    /// The distinct shingles, the shortest first, each where it first stands.
    pub(super) fn shingles(&self, recipe: &Recipe) -> Vec<Shingle<'_>> {
        let mut seen = HashSet::new();
        let sizes = recipe.ngrams.min()..=recipe.ngrams.max();
        sizes
            .flat_map(|n| self.trace.stems.windows(n).map(move |text| (n, text)))
            .map(|(n, text)| Shingle { n, text, residue: rabin::residue(text.as_bytes()) })
            .filter(|shingle| seen.insert(shingle.residue))
            .collect()
    }
}
