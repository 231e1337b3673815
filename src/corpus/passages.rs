//! Finds the pairs of a corpus that are partial or excerpts, or closer.
//!
//! A pair is found by the figures of its sets, or by a passage of any kind. A passage that a tenth of the
//! texts share is also listed, with these texts.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use super::common::CommonStretch;
use super::join::{
    Condition, JoinError, Joined, Pair, Side, TempFileError, Traits, join_at_most, nearest_watched,
};
use super::{Corpus, Document, WordsDigest};
use crate::interner::chunks::chunks;
use crate::interner::{Interner, WordOffsets, place, stretches};
use crate::language::{By, Language, Settled, settle_known};
use crate::pair::matches::Matches;
use crate::pair::vocabulary::{self, WordSequence};
use crate::pair::warnings::Warning;
use crate::pair::{Analyzer, Decided, Judgement, collect_warnings, conclude, decide};
use crate::pair::{Recipe, Search};
use crate::parallel::{self, Advance, Watch};
use crate::passages::many::{Amount, Candidate, Index, PairPassages, Texts, least_texts};
use crate::passages::{CommonRange, Reworded, Sequence};
use crate::shingles::Variety;
use crate::sketch::{Comparison, Coverage, Summary};
use crate::text::Text;
use crate::tokens::{self, exclusions::Remaining};
use crate::verdict::Verdict;

/// The number of bytes of text from which the interner derives how many words it caches.
const EXPECTED_BYTES: usize = 1 << 25;

/// The pairs that are searched for.
#[derive(Clone, Copy, Debug)]
pub struct PairQuery {
    /// The lowest verdict of a pair that is found.
    pub level: Verdict,
    /// Pairs whose verdict is below this are only counted: their figures are not computed. For 776
    /// Markdown files with 6,600 pairs, 6,300 of them counted, the entire program takes 0.94 s of
    /// processor time instead of 1.01 s.
    pub listed: Verdict,
    /// The search fails if there are more pairs.
    pub max_pairs: usize,
}

/// The reason why pairs that reach a level are not found.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The sets have too many pairs, or the temporary file fails.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// There are more pairs than were allowed.
    #[error("more than {max_pairs} pairs, expected at most that many")]
    TooMany {
        /// The largest number of pairs allowed.
        max_pairs: usize,
        /// The passage that most of the texts share; `None` if none is shared by many.
        passage: Option<Box<CommonStretch>>,
        /// The first pairs that were found; none if they were not searched for.
        first: Vec<(u32, u32)>,
    },
}

impl SearchError {
    fn too_many(
        max_pairs: usize,
        widespread: &[(CommonStretch, Vec<u32>)],
        first: Vec<(u32, u32)>,
    ) -> Self {
        let most = widespread.iter().max_by_key(|(_, texts)| texts.len());
        let passage = most.map(|(passage, _)| Box::new(passage.clone()));
        Self::TooMany { max_pairs, passage, first }
    }
}

/// The pairs that reach a level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundPairs {
    /// The pairs with their verdicts, sorted by a and then by b.
    pub pairs: Vec<(Pair, Verdict)>,
    /// The pairs (a, b) that are only counted, and their verdicts, in any order.
    pub counted: Vec<((u32, u32), Verdict)>,
    /// The number of pairs that are [left out](Joined::unconfirmed) because their texts are not
    /// stored.
    pub unconfirmed: usize,
    /// Whether pairs that share nothing but reworded passages were not looked for, because there are
    /// more than 67 million pairs of texts, or half a million have sentences that may be reworded.
    pub skips_reworded: bool,
    /// The passages that [many](least_texts) texts share, the longest first, each with these texts;
    /// without those that are too short to count.
    pub widespread: Vec<(CommonStretch, Vec<u32>)>,
}

/// A search for the pairs that reach a level, whose sets have been compared.
#[derive(Debug)]
pub struct PairSearch<'c> {
    corpus: &'c Corpus<'c>,
    level: Verdict,
    /// The pairs that reach the level by the figures of their sets, sorted by a and then by b.
    by_sets: Vec<(Pair, Verdict)>,
    /// The number of pairs that are [left out](Joined::unconfirmed) because their texts are not
    /// stored.
    pub unconfirmed: usize,
    /// `None` if passages do not decide.
    index: Option<(Index<'c>, &'c CorpusWords)>,
    /// As in [`FoundPairs::widespread`].
    pub widespread: Vec<(CommonStretch, Vec<u32>)>,
}

/// How many times as many pairs may be joined by their sets as may reach a level.
const JOINED: usize = 16;

/// The largest number of pairs that are judged at a time, to bound the memory.
const PAIRS_AT_A_TIME: usize = if cfg!(test) { 4 } else { 4096 };

/// What a pair that may reach the level was found by.
enum FoundBy<'p> {
    Sets(&'p (Pair, Verdict)),
    Passages(Box<PairPassages<'p>>),
}

impl PairSearch<'_> {
    /// Judges the pairs that reach the level, on all threads. Passes what `record` returns for them to `take`, some
    /// at a time, sorted by a and then by b, until it breaks. Returns whether pairs that share nothing but reworded
    /// passages were [looked for](FoundPairs::skips_reworded).
    ///
    /// The memory does not depend on how many pairs passages find.
    pub fn judge_each<T: Send>(
        &self,
        watch: Watch,
        record: impl Fn(&Pair, Judgement) -> Option<T> + Sync,
        take: impl FnMut(Vec<T>) -> ControlFlow<()>,
    ) -> Reworded {
        let judge = |found: FoundBy| match found {
            FoundBy::Sets((pair, _)) => record(pair, self.corpus.judge(pair)),
            FoundBy::Passages(passages) => {
                // At the lowest level, nearly every candidate is a pair.
                let is_doubtful = self.level > Verdict::Excerpt;
                if is_doubtful && self.verdict_by_passages(&passages) < self.level {
                    return None;
                }
                let [a, b] = passages.texts();
                let matches = self.corpus.matches_of([a, b], Some(*passages));
                if matches.all.is_empty() {
                    return None; // the sets do not reach the level
                }
                let pair = self.corpus.collection.pair(a, b);
                let judgement = self.corpus.judge_with(&pair, || matches);
                (judgement.decision.verdict >= self.level).then(|| record(&pair, judgement))?
            }
        };
        self.each(watch, judge, take)
    }

    /// Calls `judge` for all pairs that may reach the level, on all threads, and passes the results to `take`, some
    /// at a time, sorted by a and then by b, until it breaks.
    fn each<T: Send>(
        &self,
        watch: Watch,
        judge: impl Fn(FoundBy) -> Option<T> + Sync,
        mut take: impl FnMut(Vec<T>) -> ControlFlow<()>,
    ) -> Reworded {
        let key = |(pair, _): &(Pair, Verdict)| (pair.a, pair.b);
        let Some((index, _)) = &self.index else {
            for batch in self.by_sets.chunks(PAIRS_AT_A_TIME) {
                let judged = parallel::map(watch.threads, batch, |it| judge(FoundBy::Sets(it)));
                if take(judged.into_iter().flatten().collect()).is_break() {
                    break;
                }
            }
            return Reworded::Found;
        };
        let collection = &self.corpus.collection;
        let is_asked = |text| collection.place(text).side != Side::Old;
        // Pairs that the sets already decide are skipped: a quarter of the pairs of a large corpus.
        let is_open = |a, b| {
            collection.place(a).is_compared_with(collection.place(b))
                && self.by_sets.binary_search_by_key(&(a, b), key).is_err()
        };
        let pairing = (is_asked, is_open);
        let candidates = index.candidates(self.corpus.recipe.short, pairing, watch.threads);
        candidates.each(watch, |texts, found| {
            let [from, to] = [texts.start, texts.end]
                .map(|text| self.by_sets.partition_point(|(pair, _)| pair.a < text));
            let by_sets = self.by_sets[from..to].iter().map(|it| (key(it), Ok(it)));
            let by_passages = found.into_iter().map(|it| (it.texts().into(), Err(it)));
            let mut all: Vec<((u32, u32), Result<_, Candidate>)> =
                by_sets.chain(by_passages).collect();
            all.sort_unstable_by_key(|(texts, _)| *texts);
            for batch in all.chunks(PAIRS_AT_A_TIME) {
                let judged = parallel::map(watch.threads, batch, |(_, found)| match found {
                    Ok(pair) => judge(FoundBy::Sets(pair)),
                    Err(candidate) => {
                        judge(FoundBy::Passages(Box::new(candidates.passages(*candidate)?)))
                    }
                });
                take(judged.into_iter().flatten().collect())?;
            }
            ControlFlow::Continue(())
        });
        candidates.reworded()
    }

    /// Returns the verdict on two texts that share passages but whose sets do not reach a level.
    fn verdict_by_passages(&self, passages: &PairPassages) -> Verdict {
        let texts @ [a, b] = passages.texts();
        let corpus = self.corpus;
        let shares_characters = |(_, words): &(_, &CorpusWords)| {
            texts.iter().any(|text| words.shares_characters[*text as usize])
        };
        if self.index.as_ref().is_some_and(shares_characters) {
            return corpus.judge(&corpus.collection.pair(a, b)).decision.verdict;
        }
        let judged = |reworded| {
            let words = texts.map(|text| corpus.documents[text as usize].words);
            let Amount { passages, covered, longest } = passages.shared(reworded);
            let coverage = Some(Coverage::new(passages, covered, words, longest));
            conclude(Comparison::default(), coverage, corpus.recipe).1.verdict
        };
        // Passages raise no pair above partial. Finding the reworded ones takes as long as finding
        // all others, and for half of the pairs they would change nothing.
        match judged(Reworded::Skipped) {
            Verdict::Partial => Verdict::Partial,
            _ => judged(Reworded::Found),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct CorpusWords {
    texts: Texts,
    offsets: Vec<WordOffsets>,
    /// For each text, whether some of its words share a character.
    shares_characters: Vec<bool>,
}

impl Corpus<'_> {
    /// Reports whether passages may raise the verdict of a pair to a level.
    pub fn passages_may_reach(&self, level: Verdict) -> bool {
        let is_looked_for = self.recipe.search != Search::Never;
        is_looked_for && self.recipe.limits.passages_may_reach(level, Verdict::Different)
    }

    /// Finds the pairs whose verdict reaches a level, sorted by a and then by b.
    ///
    /// # Errors
    ///
    /// Returns [`JoinError::TempFile`] if the builder was given a memory limit and the temporary
    /// file fails.
    pub fn pairs(
        &self,
        level: Verdict,
        threads: NonZeroUsize,
    ) -> Result<Vec<(Pair, Verdict)>, SearchError> {
        let query = PairQuery { level, listed: level, max_pairs: usize::MAX };
        Ok(self.found(&query, Watch { threads, advance: &Advance::default() })?.pairs)
    }

    /// Finds the pairs whose verdict reaches the level of the query.
    ///
    /// The pairs are those to which [`judge`](crate::pair::judge) gives such a verdict, based on
    /// the figures of their sets or, if [passages may reach the level](Self::passages_may_reach),
    /// on passages. Pairs that share nothing but reworded passages are [left
    /// out](FoundPairs::skips_reworded) if they could be very many. The verdict of a pair is that
    /// of the two texts on their own. The cost is that of looking up every three consecutive words
    /// and the rare words of every sentence, and of finding the passages of pairs that share enough
    /// of these.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::TooMany`] if there are too many pairs; other errors as in
    /// [`join_at_most`].
    pub fn found(&self, query: &PairQuery, watch: Watch) -> Result<FoundPairs, SearchError> {
        let PairQuery { level, listed, max_pairs } = *query;
        let search = self.search(level, max_pairs, watch)?;
        let judge = |found: FoundBy| match found {
            FoundBy::Sets((pair, verdict)) => Some(((pair.a, pair.b), *verdict, Some(*pair))),
            FoundBy::Passages(passages) => {
                let [a, b] = passages.texts();
                let verdict = search.verdict_by_passages(&passages);
                let pair = (verdict >= listed).then(|| self.collection.pair(a, b));
                (verdict >= level).then_some(((a, b), verdict, pair))
            }
        };
        let (mut pairs, mut counted) = (Vec::new(), Vec::new());
        let searched = search.each(watch, judge, |found| {
            for (texts, verdict, pair) in found {
                match pair.filter(|_| verdict >= listed) {
                    Some(pair) => pairs.push((pair, verdict)),
                    None => counted.push((texts, verdict)),
                }
            }
            let is_beyond = pairs.len() + counted.len() > max_pairs;
            if is_beyond { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if pairs.len() + counted.len() > max_pairs {
            let mut first: Vec<(u32, u32)> =
                pairs.iter().map(|(pair, _)| (pair.a, pair.b)).collect();
            first.extend(counted.iter().map(|(texts, _)| texts));
            return Err(SearchError::too_many(max_pairs, &search.widespread, first));
        }
        let PairSearch { unconfirmed, widespread, .. } = search;
        let skips_reworded = searched == Reworded::Skipped;
        Ok(FoundPairs { pairs, counted, unconfirmed, skips_reworded, widespread })
    }

    /// Compares the sets of all texts, and prepares the search for passages.
    ///
    /// # Errors
    ///
    /// As in [`found`](Self::found), if that is known before passages are searched for.
    pub fn search(
        &self,
        level: Verdict,
        max_pairs: usize,
        watch: Watch,
    ) -> Result<PairSearch<'_>, SearchError> {
        let (by_sets, unconfirmed) = self.found_by_sets(level, max_pairs, watch)?;
        let mut search = PairSearch {
            corpus: self,
            level,
            by_sets,
            unconfirmed,
            index: None,
            widespread: vec![],
        };
        if !self.passages_may_reach(level) {
            return Ok(search);
        }
        let words = self.words.get_or_init(|| self.read_words(watch.threads));
        let index = Index::new(&words.texts, self.recipe.min_match, watch.threads);
        search.widespread = self.widespread(&index, watch.threads);
        // Every two texts that share a passage are an excerpt, and need not be found one by one.
        let is_too_common = |(_, texts): &(_, Vec<u32>)| self.has_more_pairs(texts, max_pairs);
        if level <= Verdict::Excerpt && search.widespread.iter().any(is_too_common) {
            return Err(SearchError::too_many(max_pairs, &search.widespread, Vec::new()));
        }
        search.index = Some((index, words));
        Ok(search)
    }

    /// Finds the pairs whose verdict reaches a level by the figures of their sets or by their words,
    /// sorted by a and then by b, and the number of those that are left out.
    fn found_by_sets(
        &self,
        level: Verdict,
        max_pairs: usize,
        watch: Watch,
    ) -> Result<(Vec<(Pair, Verdict)>, usize), SearchError> {
        // Not all of these reach the level, and the first ones are named if there are too many.
        let joined = self.joined(level, max_pairs.saturating_mul(JOINED), watch)?;
        let mut pairs: Vec<(Pair, Verdict)> = Vec::new();
        for pair in joined.pairs() {
            let verdict = self.verdict_by_sets(&pair);
            if verdict >= level {
                pairs.push((pair, verdict));
            }
            if pairs.len() > max_pairs {
                let first = pairs.iter().map(|(pair, _)| (pair.a, pair.b)).collect();
                return Err(SearchError::TooMany { max_pairs, passage: None, first });
            }
        }
        Ok((pairs, joined.unconfirmed()))
    }

    fn read_words(&self, threads: NonZeroUsize) -> CorpusWords {
        let mut memories: Vec<_> = (0..threads.get())
            .map(|number| (number, Interner::growing(EXPECTED_BYTES, vocabulary::stems)))
            .collect();
        let read = parallel::each_with(&mut memories, &self.documents, |memory, document| {
            let (number, interner) = memory;
            let content = document.text.content();
            let remaining = remaining(document);
            let (reading, offsets) = interner.read_with_offsets(content, remaining.spans());
            let stretches: Vec<_> = stretches(&reading.breaks, reading.words).collect();
            let sentences: Vec<u32> =
                offsets.sentences(content, &stretches).into_iter().map(place).collect();
            let shares_characters =
                remaining.spans().any(|span| has_shared_characters(&content[span]));
            (*number, reading, offsets, sentences, shares_characters)
        });
        let lists: Vec<Arc<_>> =
            memories.into_iter().map(|(_, interner)| Arc::new(interner.into_stems())).collect();
        let (mut sequences, mut word_offsets, mut sentences, mut shares_characters) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (number, reading, offsets, starts, shares) in read {
            let distinct = Arc::clone(&lists[number]);
            sequences.push(Sequence { words: reading.stems, distinct, breaks: reading.breaks });
            word_offsets.push(offsets);
            sentences.push(starts);
            shares_characters.push(shares);
        }
        let texts = Texts::new(sequences, threads).with_sentences(&sentences);
        CorpusWords { texts, offsets: word_offsets, shares_characters }
    }

    /// Reports whether more than `max_pairs` pairs of some texts are compared, as far as a few times as
    /// many show.
    fn has_more_pairs(&self, texts: &[u32], max_pairs: usize) -> bool {
        if texts.len().saturating_pow(2) / 2 <= max_pairs {
            return false;
        }
        let place = |text: u32| self.collection.place(text);
        let with_later =
            texts.iter().zip(1..).flat_map(|(a, at)| texts[at..].iter().map(|b| (*a, *b)));
        let compared = with_later.take(max_pairs.saturating_mul(4));
        compared.filter(|(a, b)| place(*a).is_compared_with(place(*b))).nth(max_pairs).is_some()
    }

    /// Lists the passages that many texts share, unless only old texts do.
    fn widespread(&self, index: &Index, threads: NonZeroUsize) -> Vec<(CommonStretch, Vec<u32>)> {
        let mut numbers = BTreeMap::new();
        let groups = (0..place(self.documents.len())).map(|text| {
            let group = self.collection.place(text).group;
            let next = place(numbers.len());
            *numbers.entry(group.ok_or(text)).or_insert(next)
        });
        let groups: Vec<u32> = groups.collect();
        let of = numbers.len() + self.unlisted;
        let Some(least_texts) = least_texts(of) else { return Vec::new() };
        let is_listed = |text| self.collection.place(text).side != Side::Old;
        let mut all = index.widespread((&groups, least_texts), is_listed, threads);
        all.retain(|(it, _)| it.words.len() >= self.recipe.short.unwrap_or_default());
        let stretch = |(CommonRange { text, words, texts, .. }, members): (_, Vec<u32>)| {
            let document = &self.documents[text as usize];
            let sequence = WordSequence::alone(&remaining(document));
            let span = sequence.spans(&document.text, std::slice::from_ref(&words));
            let stretch = CommonStretch::new(&document.text, &span, [words.len(), texts, of])?;
            Some((stretch, members))
        };
        all.into_iter().filter_map(stretch).collect()
    }
}

/// Reports whether some words of a text share a character, such as U+FDFA.
fn has_shared_characters(text: &str) -> bool {
    let not_ascii = || chunks(text).map(|chunk| &text[chunk]).filter(|chunk| !chunk.is_ascii());
    !text.is_ascii() && not_ascii().flat_map(tokens::places).any(|(_, words)| words > 1)
}

/// Returns the part of a text that counts; nothing of a text whose content is not known, such as that
/// of an index without texts.
pub(super) fn remaining(document: &Document) -> Remaining<'_> {
    let is_known = !document.text.content().is_empty();
    let left_out = if is_known { document.left_out().to_vec() } else { Vec::new() };
    Remaining::without(&document.text, left_out)
}

// Two texts of a corpus → their judgement.

impl Corpus<'_> {
    /// Joins the texts: finds the pairs with the same words, and those whose verdict may reach a level
    /// by the figures of their sets. At the level near-duplicate or closer, it does reach it.
    ///
    /// # Errors
    ///
    /// As in [`join_at_most`].
    pub fn joined(
        &self,
        level: Verdict,
        max_pairs: usize,
        watch: Watch,
    ) -> Result<Joined<'_>, JoinError> {
        // Texts with the same words may have different sentences, and so different reworded
        // passages; those with the same content have the same. One of each is judged, and of each
        // language, on which the sets depend.
        let content = |text: &u32| {
            let document = &self.documents[*text as usize];
            let language = document.language.language.map(Language::code);
            (document.digest, language, document.text.content())
        };
        let is_repetitive =
            |text: &u32| self.documents[*text as usize].variety() == Variety::Repetitive;
        let mut judged: Vec<u32> = (0..place(self.documents.len())).filter(is_repetitive).collect();
        judged.sort_by_key(content);
        judged.dedup_by_key(|text| content(text));
        judged.sort_unstable();
        let confirm = |left: &[u32], right: &[u32]| {
            let of = |all: &[u32]| -> Vec<u32> {
                all.iter().copied().filter(|text| judged.binary_search(text).is_ok()).collect()
            };
            let [left, right] = [of(left), of(right)];
            let mut is_known = true;
            for (a, b) in left.iter().flat_map(|a| right.iter().map(move |b| (*a, *b))) {
                let is_stored = |text| !self.documents[text as usize].text.content().is_empty();
                if !(is_stored(a) && is_stored(b)) {
                    is_known = false;
                } else if self.verdict(&self.collection.pair(a.min(b), a.max(b))) >= level {
                    return Some(true);
                }
            }
            is_known.then_some(false)
        };
        let mut digests: Vec<&WordsDigest> =
            self.documents.iter().map(|document| &document.digest).collect();
        digests.sort_unstable();
        digests.dedup();
        let number = |of: &Document| place(digests.partition_point(|digest| **digest < of.digest));
        // Every pair is at least different, whatever the sets are worth.
        let is_any = level == Verdict::Different;
        let variety = |of: &Document| if is_any { Variety::Varied } else { of.variety() };
        let traits = Traits {
            words: self.documents.iter().map(number).collect(),
            varieties: self.documents.iter().map(variety).collect(),
            confirm: &confirm,
        };
        let shortest = self.documents.iter().map(|document| document.words).min();
        let limits = &self.recipe.limits;
        let condition = Condition::at(level, limits, shortest.unwrap_or_default());
        join_at_most(&self.collection, &traits, &condition, max_pairs, watch)
    }

    /// Finds for each text up to `max_neighbours` others: first those with the same words, even if
    /// they were read in another language, and then the [nearest](nearest_watched) by their sets.
    ///
    /// # Errors
    ///
    /// As in [`nearest_watched`].
    pub fn nearest(
        &self,
        max_neighbours: NonZeroUsize,
        threads: NonZeroUsize,
        advance: &Advance,
    ) -> Result<Vec<Vec<Pair>>, TempFileError> {
        let collection = &self.collection;
        let mut nearest = nearest_watched(collection, max_neighbours, threads, advance)?;
        let digest = |text: &u32| self.documents[*text as usize].digest;
        let mut texts: Vec<u32> = (0..place(self.documents.len())).collect();
        texts.sort_by_key(digest);
        for same_words in texts.chunk_by(|one, next| digest(one) == digest(next)) {
            let set = |text: &u32| collection.all(*text);
            if same_words.iter().all(|text| set(text) == set(&same_words[0])) {
                continue; // their Jaccard index is 1
            }
            for text in same_words {
                let own_place = collection.place(*text);
                let is_compared =
                    |it: &&u32| *it != text && own_place.is_compared_with(collection.place(**it));
                let others = same_words.iter().filter(is_compared).take(max_neighbours.get());
                let pair = |other: &u32| collection.pair(*text.min(other), *text.max(other));
                let mut pairs: Vec<Pair> = others.map(pair).collect();
                let by_sets = &mut nearest[*text as usize];
                by_sets.retain(|pair| !pairs.contains(pair));
                pairs.append(by_sets);
                pairs.truncate(max_neighbours.get());
                *by_sets = pairs;
            }
        }
        Ok(nearest)
    }

    /// Returns the verdict on a pair, given the figures of its sets.
    pub fn verdict(&self, pair: &Pair) -> Verdict {
        let known = self.verdict_by_sets(pair);
        // Passages raise no other pair above partial.
        let is_known = known >= Verdict::Partial || self.recipe.search == Search::Never;
        if is_known { known } else { self.judge(pair).decision.verdict }
    }

    /// Returns the verdict on a pair by its words and the figures of its sets. Passages are only
    /// searched for if these depend on them.
    fn verdict_by_sets(&self, pair: &Pair) -> Verdict {
        let figures = self.compare(pair);
        if self.recipe.limits.awaits_passages(&figures).is_some() {
            return self.judge(pair).decision.verdict;
        }
        conclude(figures, None, self.recipe).1.verdict
    }

    fn compare(&self, pair: &Pair) -> Comparison {
        let [left, right] = [pair.a, pair.b].map(|number| &self.documents[number as usize]);
        let sketches = [pair.a, pair.b].map(|number| self.summary(number));
        let same_words = left.has_words_of(right);
        let by_sets = Comparison::from_overlaps(sketches, [pair.all, pair.longest]);
        Comparison { same_words, ..by_sets }
    }

    /// Judges a pair whose figures are known, and finds the passages that its texts share if the
    /// recipe asks for them.
    pub fn judge(&self, pair: &Pair) -> Judgement {
        self.judge_with(pair, || self.matches_of([pair.a, pair.b], None))
    }

    /// Same as [`judge`](Self::judge), with the passages that `find` finds.
    fn judge_with(&self, pair: &Pair, find: impl FnOnce() -> Matches) -> Judgement {
        let [left, right] = [pair.a, pair.b].map(|number| &self.documents[number as usize]);
        let sketches = [pair.a, pair.b].map(|number| self.summary(number));
        judgement(self.recipe, [left, right], sketches, self.compare(pair), find)
    }

    /// Finds the passages of two texts, or those that are not `known`. If the words of all texts were read,
    /// they are not read again, which would take two thirds of the time.
    fn matches_of(&self, texts: [u32; 2], known: Option<PairPassages>) -> Matches {
        let documents = texts.map(|number| &self.documents[number as usize]);
        let Some(CorpusWords { texts: words, offsets, .. }) = self.words.get() else {
            return matches(documents, self.recipe);
        };
        let [left, right] = texts.map(|number| &offsets[number as usize]);
        let sentences = |side: usize, ranges: &[Range<usize>]| words.sentences(texts[side], ranges);
        let [a, b] = documents.map(|document| &document.text);
        let pair = known.map_or_else(|| words.words_of(texts), PairPassages::into_words);
        Matches::from_pair(pair, [(a, left), (b, right)], sentences, self.recipe)
    }

    /// Finds the passages of a pair whose content was not kept, in its texts, opened again. `None` if
    /// one of them has another size than before.
    pub fn matches_in(&self, pair: &Pair, texts: [Text; 2]) -> Option<Matches> {
        let [left, right] = [pair.a, pair.b].map(|number| &self.documents[number as usize]);
        let [a, b] = texts;
        if [a.bytes(), b.bytes()] != [left.text.bytes(), right.text.bytes()] {
            return None;
        }
        let left = Document { text: a, ..left.clone() };
        let right = Document { text: b, ..right.clone() };
        Some(matches([&left, &right], self.recipe))
    }

    fn summary(&self, number: u32) -> Summary {
        let document = &self.documents[number as usize];
        Summary {
            words: document.words,
            stems: document.stems,
            shingles: self.collection.sizes(number).0 as usize,
            variety: document.variety(),
            fingerprint: self.collection.fingerprint(number),
        }
    }
}

/// Returns the judgement of two sketched texts. `find` finds their passages, and is called if these
/// are asked for.
pub(super) fn judgement(
    recipe: &Recipe,
    [a, b]: [&Document; 2],
    [left, right]: [Summary; 2],
    comparison: Comparison,
    find: impl FnOnce() -> Matches,
) -> Judgement {
    let languages = Settled { left: a.language, right: b.language };
    let read_otherwise = read_otherwise([a, b], &comparison, recipe);
    let decided = decide(comparison, find, recipe);
    let Decided { matches, comparison, decision } = decided;
    Judgement {
        languages,
        left,
        right,
        left_out_of_left: a.left_out().to_vec(),
        left_out_of_right: b.left_out().to_vec(),
        decision,
        comparison,
        matches,
        warnings: {
            let texts = [a, b].map(|it| (&it.text, it.left_out(), it.words));
            let mut warnings = collect_warnings(texts, &languages, recipe);
            warnings.extend(read_otherwise);
            warnings
        },
    }
}

/// Returns a warning if two texts by themselves, without the other texts of their corpus, would be
/// read in other languages, and have other figures. `None` also if their content is not kept.
///
/// Only texts whose language is in doubt can be. The cost is that of sketching them again, if they
/// would be read in other languages.
fn read_otherwise(
    documents: [&Document; 2],
    comparison: &Comparison,
    recipe: &Recipe,
) -> Option<Warning> {
    let is_in_doubt = |it: &&Document| matches!(it.language.by, By::Corpus | By::None);
    let is_kept = documents.iter().all(|it| !it.text.content().is_empty());
    if !is_kept || !documents.iter().any(is_in_doubt) {
        return None;
    }
    let remaining = documents.map(remaining);
    let contents = remaining.each_ref().map(Remaining::content);
    let known = documents.map(|it| (!is_in_doubt(&it)).then_some(it.language));
    let settled = settle_known(contents.each_ref().map(|it| &**it), known);
    let alone = [settled.left.language, settled.right.language];
    let languages = documents.map(|it| it.language.language);
    if alone == languages {
        return None;
    }
    let sketch = |side: usize| {
        let analyzer = Analyzer::new(alone[side], recipe);
        let ([stems], distinct) = analyzer.read([&remaining[side]]);
        analyzer.compose(&stems, &distinct)
    };
    let figures = Comparison::new(&sketch(0), &sketch(1));
    let is_other = figures != Comparison { same_words: false, passages: None, ..*comparison };
    let jaccard = figures.jaccard();
    is_other.then_some(Warning::LanguageOfCorpus { languages, alone, jaccard })
}

/// Reads the words of two texts, and finds the passages that they share.
pub(super) fn matches([a, b]: [&Document; 2], recipe: &Recipe) -> Matches {
    let remaining = [a, b].map(remaining);
    let [left, right] = vocabulary::read([&remaining[0], &remaining[1]]).1.map(Cow::Owned);
    Matches::new((&a.text, left), (&b.text, right), recipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_share_a_character_that_stands_for_several() {
        #[rustfmt::skip]
        let table = [
            ("nothing",              "",                false),
            ("ASCII",                "a kettle's lid",  false),
            ("other letters",        "é 水火 l’eau",     false),
            ("a ligature of words",  "a ﷺ b",           true),
            ("within a word",        "éﷺ",              true),
            ("two words of one",     "b\u{37a}c",       false),
        ];
        for (why, text, want) in table {
            assert_eq!(has_shared_characters(text), want, "{why}");
        }
    }
}
