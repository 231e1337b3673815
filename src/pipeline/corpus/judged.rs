//! Two texts of a corpus → their judgement.

use super::super::matches::Matches;
use super::super::{Judgement, doubts, written};
use super::Corpus;
use crate::comparison::Comparison;
use crate::exclusions::Remaining;
use crate::join::{Collection, Pair};
use crate::language::Settled;
use crate::passages::Least;
use crate::shingles::Shingles;
use crate::sketch::Sketch;
use crate::verdict::Verdict;

impl Corpus<'_> {
    /// The verdict on two of the texts, of which the figures are known.
    pub fn verdict(&self, pair: &Pair) -> Verdict {
        self.recipe.limits.judge(&self.compare(pair)).verdict
    }

    fn compare(&self, pair: &Pair) -> Comparison {
        let (left, right) = (&self.documents[pair.a as usize], &self.documents[pair.b as usize]);
        let known = Comparison {
            same_words: left.words == right.words && left.order == right.order,
            hamming: Some(pair.hamming),
            all: pair.all,
            longest: pair.longest,
            counted: None,
        };
        let hang = self.collection.keeps_counted() && self.recipe.limits.hang_on_weighted(&known);
        let counted = hang.then(|| self.collection.counted_overlap(pair.a, pair.b));
        Comparison { counted, ..known }
    }

    /// Judges two of the texts, of which the figures are known, and finds the passages that they
    /// share where those are asked for.
    pub fn judge(&self, pair: &Pair) -> Judgement {
        let (left, right) = (&self.documents[pair.a as usize], &self.documents[pair.b as usize]);
        let comparison = self.compare(pair);
        let languages = Settled { left: left.language, right: right.language };
        Judgement {
            languages,
            left: self.sketch(pair.a),
            right: self.sketch(pair.b),
            left_out_of_left: left.left_out.clone(),
            left_out_of_right: right.left_out.clone(),
            decision: self.recipe.limits.judge(&comparison),
            comparison,
            matches: self.recipe.passages.map(|least| self.matches(pair, least)),
            warnings: doubts(&left.text, &right.text, &languages, self.recipe),
        }
    }

    fn matches(&self, pair: &Pair, least: Least) -> Matches {
        let [a, b] = [pair.a, pair.b].map(|number| &self.documents[number as usize]);
        let remaining = [a, b].map(|it| Remaining::without(&it.text, it.left_out.clone()));
        let [left, right] = written::read([&remaining[0], &remaining[1]]).1;
        Matches::of((&a.text, &left), (&b.text, &right), least, self.recipe.short)
    }

    /// The texts by their words in their order alone: those with the same ones have equal
    /// sets, and no others.
    pub fn by_words(&self) -> Collection {
        let mut collection = Collection::new(self.recipe.ngrams);
        for (document, number) in self.documents.iter().zip(0..) {
            collection.push_number(document.order, self.collection.place(number));
        }
        collection
    }

    fn sketch(&self, number: u32) -> Sketch {
        let document = &self.documents[number as usize];
        let (all, longest) = (self.collection.all(number), self.collection.longest(number));
        Sketch {
            words: document.words,
            stems: document.stems,
            shingles: Shingles::of_sets(all, longest, self.recipe.ngrams),
            fingerprint: self.collection.fingerprint(number),
        }
    }
}
