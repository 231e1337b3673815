//! Judges the pairs that were found: pairs → rows, each with the judgement that it summarizes.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use dedup_text::corpus::Collisions;
use dedup_text::corpus::join::Pair;
use dedup_text::pair::Judgement;
use dedup_text::pair::warnings::Warning;
use dedup_text::parallel;
use dedup_text::verdict::Verdict;

use super::model::{AcceptedBy, Answer, JudgedPairs, JudgedRow, Levels, SharedPassages};
use crate::baseline::{Matching, PairEntries, RunFindings};

/// What was accepted before the run: the pairs of a baseline, and those of an earlier commit.
pub(super) struct Accepted<'a> {
    pub(super) baseline: Option<&'a Matching<'a>>,
    pub(super) since: Option<&'a Matching<'a>>,
    /// The pairs of an earlier commit whose texts have not changed since, by their numbers, in
    /// increasing order.
    pub(super) unchanged: &'a [(u32, u32)],
    /// The texts that have not changed since an earlier commit; `None` if there is none to compare with.
    pub(super) unchanged_texts: Option<&'a BTreeSet<u32>>,
}

impl Accepted<'_> {
    /// Reports whether nothing is accepted and nothing is to be recorded.
    fn is_none(&self) -> bool {
        self.baseline.is_none() && self.since.is_none()
    }

    /// Reports whether a pair was found at an earlier commit and neither text has changed since.
    fn is_unchanged(&self, pair: &Pair) -> bool {
        self.unchanged.binary_search(&(pair.a.min(pair.b), pair.a.max(pair.b))).is_ok()
    }
}

/// A judged pair.
pub(super) struct Judged {
    pub(super) row: JudgedRow,
    /// The judgement with the passages. `None` if only the figures of the sets were needed.
    pub(super) judgement: Option<Judgement>,
    /// The entries of a baseline for the pair. `None` if there is no baseline, or if the pair does
    /// not reach the level.
    pub(super) entries: Option<PairEntries>,
}

/// What the judged pairs of a run decide.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// The closest verdict of a pair that counts. `None` if there is no such pair.
    pub(crate) closest: Option<Verdict>,
    /// What a baseline would list.
    pub(crate) found: RunFindings,
    pub(crate) pairs: JudgedPairs,
}

/// What is needed of a judged pair.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Depth {
    /// The figures of the sets and the verdict.
    Figures,
    /// The passages as well.
    Passages,
}

/// A judge of the pairs of a corpus.
pub(super) struct Judge<'a> {
    pub(super) answer: &'a Answer<'a>,
    pub(super) accepted: Accepted<'a>,
    pub(super) threads: NonZeroUsize,
    collisions: Collisions<'a>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(
        answer: &'a Answer<'a>,
        accepted: Accepted<'a>,
        threads: NonZeroUsize,
    ) -> Self {
        let open = |number| answer.gathered.open_again(number);
        let collisions = Collisions::new(answer.corpus(), open);
        Self { answer, accepted, threads, collisions }
    }

    /// Judges pairs on all threads, in their order, and renders each by `record`.
    pub(super) fn all<R: Send>(
        &self,
        pairs: impl IntoIterator<Item = Pair>,
        depth: impl Fn(&Pair) -> Option<Depth> + Sync,
        record: impl Fn(&Judged) -> R + Sync,
    ) -> Vec<(Judged, R)> {
        let pairs: Vec<Pair> = pairs.into_iter().collect();
        let judged = parallel::map(self.threads, pairs, |pair| {
            let judged = self.judge(&pair, depth(&pair)?);
            let record = record(&judged);
            Some((judged, record))
        });
        judged.into_iter().flatten().collect()
    }

    /// Judges a pair.
    pub(super) fn judge(&self, pair: &Pair, depth: Depth) -> Judged {
        let answer = self.answer;
        let is_unchanged = self.accepted.is_unchanged(pair);
        let is_settled =
            self.accepted.is_none() || is_unchanged && self.accepted.baseline.is_none();
        if depth == Depth::Figures && is_settled {
            let accepted = is_unchanged.then_some(AcceptedBy::Since);
            let is_crafted = self.collisions.between(pair).is_across;
            let row = JudgedRow { accepted, is_crafted, ..self.row(pair, answer.verdict(pair)) };
            return Judged { row, judgement: None, entries: None };
        }
        self.judged(pair, answer.corpus().judge(pair))
    }

    fn row(&self, pair: &Pair, verdict: Verdict) -> JudgedRow {
        JudgedRow {
            pair: *pair,
            verdict,
            accepted: None,
            is_listed_again: self.answer.is_listed_again(pair),
            is_crafted: false,
            shared: None,
        }
    }

    /// Makes a judged pair of its judgement.
    pub(super) fn judged(&self, pair: &Pair, mut judgement: Judgement) -> Judged {
        let answer = self.answer;
        let collided = self.collisions.between(pair);
        let count = collided.count;
        judgement.warnings.extend((count > 0).then_some(Warning::Collisions(count)));
        let verdict = judgement.decision.verdict;
        let texts = [pair.a, pair.b].map(|number| &answer.document(number).text);
        let numbers = [pair.a, pair.b].map(|number| number as usize);
        let look = |it: &Matching| it.look(numbers, texts, &judgement);
        let is_asked = verdict >= answer.level || answer.options.levels == Levels::Asked;
        let mut entries = self.accepted.baseline.filter(|_| is_asked).map(look);
        let is_listed = entries.as_ref().is_some_and(|entries| entries.is_accepted);
        let since = self.accepted.since.filter(|_| is_asked && !is_listed);
        let was_there =
            since.is_some_and(|it| self.accepted.is_unchanged(pair) || look(it).is_accepted);
        if let Some(entries) = &mut entries {
            entries.is_accepted |= was_there;
        }
        let shared = judgement.matches.as_ref().map(SharedPassages::new);
        let accepted = match (is_listed, was_there) {
            (true, _) => Some(AcceptedBy::Baseline),
            (false, true) => Some(AcceptedBy::Since),
            (false, false) => None,
        };
        let is_crafted = collided.is_across;
        let row = JudgedRow { accepted, is_crafted, shared, ..self.row(pair, verdict) };
        Judged { row, judgement: Some(judgement), entries }
    }

    /// Returns what is needed of a pair that is not rendered one by one: no passages if it is accepted
    /// without them.
    pub(super) fn depth_of_row(&self, pair: &Pair, depth: Depth) -> Depth {
        if self.accepted.is_unchanged(pair) { Depth::Figures } else { depth }
    }

    /// Reports whether all pairs must be judged, not only the closest.
    pub(super) fn needs_all(&self) -> bool {
        self.accepted.baseline.is_some_and(Matching::needs_all)
    }

    /// Reports whether it was checked that a pair of this verdict was accepted earlier.
    pub(super) fn checks_accepted(&self, row: &JudgedRow) -> bool {
        let is_asked =
            row.verdict >= self.answer.level || self.answer.options.levels == Levels::Asked;
        is_asked && !self.accepted.is_none()
    }
}
