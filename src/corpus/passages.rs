//! The texts of a corpus → the pairs that are partial or excerpts, or closer.
//!
//! A pair is found by the figures of its sets or by an exact or edited passage. Reworded passages
//! count in pairs that are found, and find none. A passage that a tenth of the texts have is
//! listed once and finds none either, unless that is asked for.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;

use super::common::CommonStretch;
use super::join::{Collection, Condition, JoinError, Pair, Side, TooManyPairs, join_at_most};
use super::{Corpus, Document, WordsDigest};
use crate::interner::{Interner, WordOffsets, place};
use crate::jaccard::Share;
use crate::language::Settled;
use crate::pair::matches::Matches;
use crate::pair::vocabulary::{self, WordSequence};
use crate::pair::{Decided, Judgement, collect_warnings, decide};
use crate::pair::{Recipe, Search};
use crate::parallel::{self, Advance};
use crate::passages::Sequence;
use crate::passages::many::{
    Amount, Counting, Index, Listed, PairPassages, Shared, Texts, Widespread, least_texts,
};
use crate::sketch::Summary;
use crate::tokens::exclusions::Remaining;
use crate::verdict::Verdict;
use crate::verdict::comparison::{Comparison, Coverage};

/// Bytes of text by which it is known how many words are worth remembering.
const BYTES: usize = 1 << 25;

/// The pairs of a level or a closer one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundPairs {
    /// The pairs, by a and then by b, and their verdicts.
    pub pairs: Vec<(Pair, Verdict)>,
    /// The passages that are too common to make a pair, the longest first.
    pub widespread: Vec<CommonStretch>,
    /// The texts that have such passages, and the verdict of the pairs that these would make of each.
    pub widespread_in: Vec<(u32, Verdict)>,
}

/// The words of all texts of a corpus.
#[derive(Clone, Debug)]
pub(super) struct Words {
    texts: Texts,
    /// Where the words of each text stand.
    marks: Vec<WordOffsets>,
    /// For each text whether some of its words share a character.
    shares_characters: Vec<bool>,
}

impl Corpus<'_> {
    /// Whether passages may make a pair that has this verdict or a closer one.
    pub fn passages_may_reach(&self, level: Verdict) -> bool {
        let is_looked_for = self.recipe.search != Search::Never;
        is_looked_for && self.recipe.limits.passages_may_reach(level, Verdict::Different)
    }

    /// The pairs that are partial or excerpts, or closer: those to which
    /// [`judge`](crate::pair::judge) gives such a verdict by the figures of their sets or, as
    /// far as [they are looked for](Self::passages_may_reach), by exact and edited passages. Where
    /// `are_widespread_listed`, passages that many texts have make none by themselves. Verdicts
    /// are those of each two texts by themselves. The cost is that of looking up each three words
    /// in a row, and of finding the passages of pairs that share enough of those.
    ///
    /// # Errors
    ///
    /// [`TooManyPairs`] where there are more than `most`; and as [`join_at_most`].
    pub fn found(
        &self,
        level: Verdict,
        are_widespread_listed: bool,
        most: usize,
        watched: (NonZeroUsize, &Advance),
    ) -> Result<FoundPairs, JoinError> {
        let limits = &self.recipe.limits;
        let by_sets = |pair: &Pair| limits.judge(&self.compare(pair)).verdict;
        let condition = self.condition(level);
        let joined = join_at_most(&self.collection, &condition, most, watched)?;
        let mut pairs: Vec<(Pair, Verdict)> = Vec::new();
        for pair in joined.pairs() {
            let verdict = by_sets(&pair);
            if verdict >= level {
                pairs.push((pair, verdict));
            }
            if pairs.len() > most {
                return Err(TooManyPairs { most }.into());
            }
        }
        drop(joined);
        let key = |(pair, _): &(Pair, Verdict)| (pair.a, pair.b);
        if !self.passages_may_reach(level) {
            return Ok(FoundPairs { pairs, ..FoundPairs::default() });
        }
        let words = self.words.get_or_init(|| self.read_words(watched.0));
        let mut index = Index::new(&words.texts, self.recipe.least, watched.0);
        let is_old = |text| self.collection.place(text).side == Side::Old;
        let widespread = if are_widespread_listed {
            let (groups, count) = self.submissions();
            let is_listed = |text| !self.is_of_new || !is_old(text);
            index.widespread((&groups, least_texts(count)), is_listed, watched.0)
        } else {
            Widespread::default()
        };
        let some = (!widespread.listed.is_empty()).then_some(&widespread);
        if let Some(widespread) = some {
            index = index.apart_from(widespread);
        }
        let counting = Counting { widespread: some, least: self.recipe.short };
        // What the sets decide is not looked at again: on many texts that is a pair in four.
        let is_open = |a, b| {
            self.collection.place(a).faces(self.collection.place(b))
                && pairs.binary_search_by_key(&(a, b), key).is_err()
        };
        let judged = |comparison: Comparison, passages: Coverage| {
            limits.judge(&Comparison { passages: Some(passages), ..comparison }).verdict
        };
        let by_passages = |passages: &PairPassages| {
            let [a, b] = passages.exact_or_edited().texts;
            let pair = self.collection.pair(a, b);
            let comparison = self.compare(&pair);
            if [a, b].iter().any(|text| words.shares_characters[*text as usize]) {
                let verdict = self.judge(&pair).decision.verdict;
                return (verdict >= level).then_some((pair, verdict));
            }
            let verdicts = |Shared { apart, all, .. }: Shared| {
                [apart, all].map(|it| judged(comparison, self.coverage([a, b], it)))
            };
            let [mut apart, mut all] = verdicts(passages.exact_or_edited());
            // No passage makes a pair closer than partial: reworded ones take as long to find as
            // all others, and change nothing in half of the pairs.
            if apart < level || all < Verdict::Partial {
                [apart, all] = verdicts(passages.with_reworded());
            }
            (apart >= level).then_some((pair, all))
        };
        let most_by_passages = most - pairs.len();
        // Old texts are not paired with each other.
        let pairing = (|text| !is_old(text), is_open);
        let found = index.shared(counting, pairing, by_passages, most_by_passages, watched);
        pairs.extend(found.map_err(|_| TooManyPairs { most })?);
        pairs.sort_unstable_by_key(key);
        let widespread_in = self.widespread_in(&widespread, &words.texts);
        let listed = widespread.listed.iter().filter_map(|listed| self.listed(listed));
        let widespread = listed.collect();
        Ok(FoundPairs { pairs, widespread, widespread_in })
    }

    /// Reads the words of all texts.
    fn read_words(&self, threads: NonZeroUsize) -> Words {
        let mut memories: Vec<_> = (0..threads.get())
            .map(|number| (number, Interner::growing(BYTES, vocabulary::stems)))
            .collect();
        let read = parallel::each_with(&mut memories, &self.documents, |memory, document| {
            let (number, lexicon) = memory;
            let content = document.text.content();
            let remaining = remaining(document);
            let (reading, marks) = lexicon.read_with_marks(content, remaining.spans());
            let starts = std::iter::once(0).chain(reading.breaks.iter().copied());
            let ends = reading.breaks.iter().copied().chain([reading.words]);
            let stretches: Vec<Range<usize>> =
                starts.zip(ends).map(|(from, to)| from..to).collect();
            let sentences: Vec<u32> =
                marks.sentences(content, &stretches).into_iter().map(place).collect();
            let shares_characters = !content.is_ascii()
                && marks.spots(content, 0..reading.words).iter().any(|spot| spot.words.len() > 1);
            (*number, reading, marks, sentences, shares_characters)
        });
        let lists: Vec<Arc<_>> =
            memories.into_iter().map(|(_, lexicon)| Arc::new(lexicon.into_stems())).collect();
        let (mut sequences, mut marks, mut sentences, mut shares_characters) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (number, reading, offsets, starts, shares) in read {
            let distinct = Arc::clone(&lists[number]);
            sequences.push(Sequence { words: reading.stems, distinct, breaks: reading.breaks });
            marks.push(offsets);
            sentences.push(starts);
            shares_characters.push(shares);
        }
        let texts = Texts::new(sequences).with_sentences(&sentences);
        Words { texts, marks, shares_characters }
    }

    /// The number of the submission that each text is of, and how many there are, those of an index
    /// that share too little among them.
    fn submissions(&self) -> (Vec<u32>, usize) {
        let mut numbers = BTreeMap::new();
        let groups = (0..place(self.documents.len())).map(|text| {
            let group = self.collection.place(text).group;
            let next = place(numbers.len());
            *numbers.entry(group.ok_or(text)).or_insert(next)
        });
        let groups: Vec<u32> = groups.collect();
        (groups, self.submissions.unwrap_or(numbers.len()))
    }

    fn coverage(&self, texts: [u32; 2], amount: Amount) -> Coverage {
        let share = |side: usize| {
            let words = self.documents[texts[side] as usize].words;
            Share::new(amount.covered[side], words)
        };
        Coverage {
            passages: amount.passages,
            left: share(0),
            right: share(1),
            longest: amount.longest,
        }
    }

    /// The texts with widespread passages, and the verdict that these would make of each.
    fn widespread_in(&self, widespread: &Widespread, texts: &Texts) -> Vec<(u32, Verdict)> {
        let limit = self.recipe.limits.coverage;
        let verdict = |text: u32| {
            let covered = widespread.ranges(text).iter().map(Range::len).sum();
            let share = Share::new(covered, self.documents[text as usize].words);
            let is_partial = limit.zip(share).is_some_and(|(limit, it)| limit.is_reached_by(it));
            let verdict = if is_partial { Verdict::Partial } else { Verdict::Excerpt };
            (covered > 0).then_some((text, verdict))
        };
        (0..place(texts.len())).filter_map(verdict).collect()
    }

    fn listed(&self, Listed { text, words, texts }: &Listed) -> Option<CommonStretch> {
        let document = &self.documents[*text as usize];
        let written = WordSequence::alone(&remaining(document));
        let span = written.spans(&document.text, std::slice::from_ref(words)).pop();
        CommonStretch::new(&document.text, span?, [words.len(), *texts])
    }
}

/// What counts of a text.
pub(super) fn remaining(document: &Document) -> Remaining<'_> {
    Remaining::without(&document.text, document.left_out.clone())
}

// Two texts of a corpus → their judgement.

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
        let find = || self.matches([pair.a, pair.b]);
        judgement(self.recipe, [left, right], sketches, self.compare(pair), find)
    }

    /// Finds the passages of two texts. Their words are not read again where those of all were: that
    /// takes two thirds of the time.
    fn matches(&self, texts: [u32; 2]) -> Matches {
        let documents = texts.map(|number| &self.documents[number as usize]);
        let Some(Words { texts: words, marks, .. }) = self.words.get() else {
            return matches(documents, self.recipe);
        };
        let [left, right] = texts.map(|number| &marks[number as usize]);
        let sentences = |side: usize, ranges: &[Range<usize>]| words.sentences(texts[side], ranges);
        let [a, b] = documents.map(|document| &document.text);
        Matches::of_pair(words.words_of(texts), [(a, left), (b, right)], sentences, self.recipe)
    }

    /// Whether nothing but the words in their order decides whether two texts have this verdict
    /// or a closer one: [`by_words`](Self::by_words) finds them then.
    pub fn is_by_words(&self, level: Verdict) -> bool {
        let limits = &self.recipe.limits;
        let has_no_limit = limits.hamming.is_none() && limits.jaccard.is_none();
        level == Verdict::Identical || level == Verdict::NearDuplicate && has_no_limit
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
            shingles: self.collection.sizes(number).0 as usize,
            fingerprint: self.collection.fingerprint(number),
        }
    }
}

/// The judgement of two texts that are sketched; `find` finds their passages where those are asked
/// for.
pub(super) fn judgement(
    recipe: &Recipe,
    [a, b]: [&Document; 2],
    [left, right]: [Summary; 2],
    comparison: Comparison,
    find: impl FnOnce() -> Matches,
) -> Judgement {
    let languages = Settled { left: a.language, right: b.language };
    let decided = decide(comparison, find, recipe);
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

/// Reads the words of two texts, and finds their passages.
pub(super) fn matches([a, b]: [&Document; 2], recipe: &Recipe) -> Matches {
    let remaining = [a, b].map(remaining);
    let [left, right] = vocabulary::read([&remaining[0], &remaining[1]]).1;
    Matches::new((&a.text, left), (&b.text, right), recipe)
}
