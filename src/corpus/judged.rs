//! Two texts of a corpus → their judgement.

use super::{Corpus, Document, WordsDigest};
use crate::corpus::join::{Collection, Condition, Pair};
use crate::language::Settled;
use crate::pair::matches::Matches;
use crate::pair::recipe::{Recipe, Search};
use crate::pair::{Decided, Judgement, collect_warnings, decide, word_sequence};
use crate::sketch::Summary;
use crate::tokens::exclusions::Remaining;
use crate::verdict::Verdict;
use crate::verdict::comparison::Comparison;

impl Corpus<'_> {
    /// The verdict on two of the texts, of which the figures of their sets are known.
    pub fn verdict(&self, pair: &Pair) -> Verdict {
        let known = self.recipe.limits.judge(&self.compare(pair)).verdict;
        // No passage makes a pair closer than partial.
        let is_known = known >= Verdict::Partial || self.recipe.search == Search::Never;
        if is_known { known } else { self.judge(pair).decision.verdict }
    }

    /// What holds of the sets of each pair that has this verdict or a closer one without passages.
    pub fn condition(&self, level: Verdict) -> Condition {
        let shortest = self.documents.iter().map(|document| document.words).min();
        Condition::at(level, &self.recipe.limits, shortest.unwrap_or_default())
    }

    pub(super) fn compare(&self, pair: &Pair) -> Comparison {
        let (left, right) = (&self.documents[pair.a as usize], &self.documents[pair.b as usize]);
        Comparison {
            same_words: left.has_words_of(right),
            hamming: Some(pair.hamming),
            all: pair.all,
            longest: pair.longest,
            passages: None,
            least_words: left.words.min(right.words),
        }
    }

    /// Judges two of the texts, of which the figures are known, and finds the passages that they
    /// share where those are asked for.
    pub fn judge(&self, pair: &Pair) -> Judgement {
        let [left, right] = [pair.a, pair.b].map(|number| &self.documents[number as usize]);
        let sketches = [pair.a, pair.b].map(|number| self.summary(number));
        judgement(self.recipe, [left, right], sketches, self.compare(pair))
    }

    /// The texts by their words in their order alone: those with the same ones have equal
    /// sets, and no others.
    pub fn by_words(&self) -> Collection {
        let mut collection = Collection::new(self.recipe.ngrams);
        let mut digests: Vec<&WordsDigest> =
            self.documents.iter().map(|document| &document.digest).collect();
        digests.sort_unstable();
        digests.dedup();
        for (document, number) in self.documents.iter().zip(0..) {
            let words = digests.partition_point(|digest| **digest < document.digest);
            collection.push_number(words as u64, self.collection.place(number));
        }
        collection
    }

    fn summary(&self, number: u32) -> Summary {
        let document = &self.documents[number as usize];
        Summary {
            words: document.words,
            stems: document.stems,
            shingles: self.collection.all(number).len(),
            fingerprint: self.collection.fingerprint(number),
        }
    }
}

/// The judgement of two texts that are sketched.
pub(super) fn judgement(
    recipe: &Recipe,
    [a, b]: [&Document; 2],
    [left, right]: [Summary; 2],
    comparison: Comparison,
) -> Judgement {
    let languages = Settled { left: a.language, right: b.language };
    let decided = decide(comparison, || matches([a, b], recipe), recipe);
    let Decided { matches, comparison, decision } = decided;
    Judgement {
        languages,
        left,
        right,
        left_out_of_left: a.left_out.clone(),
        left_out_of_right: b.left_out.clone(),
        decision,
        comparison,
        matches,
        warnings: collect_warnings(&a.text, &b.text, &languages, recipe),
    }
}

fn matches([a, b]: [&Document; 2], recipe: &Recipe) -> Matches {
    let remaining = [a, b].map(|it| Remaining::without(&it.text, it.left_out.clone()));
    let [left, right] = word_sequence::read([&remaining[0], &remaining[1]]).1;
    Matches::of((&a.text, left), (&b.text, right), recipe)
}
