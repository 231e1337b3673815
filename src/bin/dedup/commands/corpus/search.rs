//! Finds the pairs of a corpus: gathered texts → the pairs to be judged, and what is known of them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

use dedup_text::corpus::join::{
    Cluster, Collection, JoinError, Joined, Pair, Side, clusters_of, removed_by_pairs,
};
use dedup_text::corpus::{FoundPairs, PairQuery, PairSearch, SearchError};
use dedup_text::display::{counted, or_closer, thousands, visible};
use dedup_text::parallel::Watch;
use dedup_text::verdict::Verdict;

use super::flags::CorpusFlags;
use super::model::{ADVICE_ON_SHARE, Found, Levels, Options, Task, beginning_with};
use crate::diagnostics::{self, Diagnostic, MAX_SHOWN};
use crate::model::gathered::Gathered;
use crate::model::phrases::shared_by;
use crate::outputs::destinations;
use crate::progress::{Progress, Stage};

/// A search for the pairs of a corpus.
pub(super) struct Search<'a, 'o> {
    pub(super) gathered: &'a Gathered<'a>,
    /// The lowest verdict of the pairs that are asked for.
    pub(super) level: Verdict,
    pub(super) options: &'o Options,
    /// Whether a report shows the pairs below the level, too.
    pub(super) is_reported: bool,
    pub(super) limit: AnswerLimit,
    /// Whether all outputs have the pairs in the order in which they are found, and nothing else holds them.
    pub(super) streams: bool,
    pub(super) threads: NonZeroUsize,
    pub(super) progress: &'o Progress,
}

/// Prints a note if pairs of repetitive texts were left out: only their passages could show that
/// they are pairs, and the index has no texts to search for them.
fn note_unconfirmed(pairs: usize) {
    if pairs > 0 {
        diagnostics::note(&format!(
            "{} left out: the words of both texts merely repeat, and the index has no texts to \
             search for passages",
            counted(pairs, "pair"),
        ));
        diagnostics::advise("dedup index build --with-texts stores the texts");
    }
}

/// Prints a note that pairs which share nothing but reworded sentences were not looked for.
pub(super) fn note_skipped() {
    diagnostics::note(
        "too many pairs of texts may share reworded sentences: pairs that share nothing else were \
         not looked for",
    );
    diagnostics::advise("--focus and --against compare fewer pairs");
}

/// The pairs that are to be judged.
pub(super) enum Candidates<'a> {
    /// The pairs with the same words, and those that a condition on their sets holds for.
    Joined(Box<Joined<'a>>),
    /// The pairs of [`Found::by_passages`].
    Found(Vec<Pair>),
    /// Those that passages find as well, when they are judged.
    Searched(Box<PairSearch<'a>>),
    /// For each text, the nearest others.
    Nearest(Vec<Vec<Pair>>),
}

impl<'a> Search<'a, '_> {
    /// Finds the pairs.
    ///
    /// # Errors
    ///
    /// Returns an error if there are too many pairs, or if a temporary file cannot be read or
    /// written.
    pub(super) fn run(&self) -> anyhow::Result<(Found, Candidates<'a>)> {
        if let Task::Nearest(max_neighbours) = self.options.task {
            return self.nearest(max_neighbours);
        }
        let mut found = Found::default();
        if self.options.levels == Levels::All {
            let max_pairs = self.limit.max_pairs().min(MAX_REPORTED);
            // Only the report shows the pairs below the level.
            let listed = if self.is_reported { Verdict::Excerpt } else { self.level };
            // If there are too many pairs of all levels, those of the requested level may still be
            // few enough.
            match self.by_passages(Verdict::Excerpt, listed, max_pairs) {
                Ok(pairs) => return Ok(self.with_pairs(pairs)),
                Err(SearchError::Join(JoinError::TooManyPairs { .. })) => {
                    found.exceeded = Some(max_pairs);
                }
                Err(SearchError::TooMany { passage, .. }) => {
                    found.exceeded = Some(max_pairs);
                    let passage = passage.into_iter();
                    found.widespread = passage.map(|it| (*it, Vec::new())).collect();
                }
                Err(SearchError::Join(JoinError::TempFile(_))) => {}
            }
        }
        if matches!(self.level, Verdict::Partial | Verdict::Excerpt) {
            if self.limit.max_pairs.is_none() && self.streams {
                return self.searched();
            }
            let pairs = self.by_passages(self.level, self.level, self.limit.max_pairs());
            let pairs = pairs.map_err(|error| self.limit.error(error, self))?;
            let (of_pairs, candidates) = self.with_pairs(pairs);
            return Ok((Found { exceeded: found.exceeded, ..of_pairs }, candidates));
        }
        let advance = self.progress.begin(Stage::Joining, 0);
        let watch = Watch { threads: self.threads, advance };
        let joined = self.gathered.corpus.joined(self.level, self.limit.searched(), watch);
        let joined = joined.map_err(|error| self.limit.error(error, self))?;
        note_unconfirmed(joined.unconfirmed());
        let candidates = Candidates::Joined(Box::new(joined));
        self.limit.check(
            || candidates.pairs(self.gathered),
            |pair| self.gathered.corpus.verdict(pair) >= self.level,
            self.level,
            |text| self.gathered.name(text),
        )?;
        Ok((found, candidates))
    }

    /// Finds the pairs from a level on, by their sets or their passages. Those below `listed` are
    /// only counted.
    fn by_passages(
        &self,
        level: Verdict,
        listed: Verdict,
        max_pairs: usize,
    ) -> Result<FoundPairs, SearchError> {
        let advance = self.progress.begin(Stage::Joining, 0);
        let watch = Watch { threads: self.threads, advance };
        self.gathered.corpus.found(&PairQuery { level, listed, max_pairs }, watch)
    }

    /// Prepares the search for pairs that are judged as they are found.
    fn searched(&self) -> anyhow::Result<(Found, Candidates<'a>)> {
        let advance = self.progress.begin(Stage::Joining, 0);
        let watch = Watch { threads: self.threads, advance };
        let search = self.gathered.corpus.search(self.level, usize::MAX, watch);
        let mut search = search.map_err(|error| self.limit.error(error, self))?;
        note_unconfirmed(search.unconfirmed);
        let widespread = std::mem::take(&mut search.widespread);
        Ok((Found { widespread, ..Found::default() }, Candidates::Searched(Box::new(search))))
    }

    /// Returns what is known of pairs that were found by their sets or their passages, and all that
    /// are to be judged.
    fn with_pairs(&self, mut pairs: FoundPairs) -> (Found, Candidates<'a>) {
        let widespread = std::mem::take(&mut pairs.widespread);
        note_unconfirmed(pairs.unconfirmed);
        if pairs.skips_reworded {
            note_skipped();
        }
        let mut all: Vec<Pair> = pairs.pairs.iter().map(|(pair, _)| *pair).collect();
        all.retain(|pair| self.gathered.touches_focus(pair));
        let found = Found { by_passages: Some(pairs), widespread, ..Found::default() };
        (found, Candidates::Found(all))
    }

    /// Finds the nearest texts of each text.
    fn nearest(&self, max_neighbours: NonZeroUsize) -> anyhow::Result<(Found, Candidates<'a>)> {
        let joining = self.progress.begin(Stage::Joining, 0);
        let corpus = &self.gathered.corpus;
        let nearest = corpus.nearest(max_neighbours, self.threads, joining)?;
        self.limit.check_count(nearest.iter().map(Vec::len).sum())?;
        let listed_again = listed_again(&nearest);
        let found = Found { listed_again, ..Found::default() };
        Ok((found, Candidates::Nearest(nearest)))
    }
}

impl Candidates<'_> {
    /// Returns the pairs in the order in which they are listed, without those that no text of
    /// `--focus` is in.
    pub(super) fn pairs<'c>(
        &'c self,
        gathered: &'c Gathered,
    ) -> Box<dyn Iterator<Item = Pair> + 'c> {
        let touches_focus = |pair: &Pair| gathered.touches_focus(pair);
        match self {
            Self::Joined(joined) => Box::new(joined.pairs().filter(touches_focus)),
            Self::Found(pairs) => Box::new(pairs.iter().copied()),
            Self::Searched(_) => Box::new(std::iter::empty()), // they are judged as they are found
            Self::Nearest(nearest) => {
                let pairs = nearest.iter().zip(0..).flat_map(|(pairs, text)| {
                    pairs.iter().map(move |pair| beginning_with(*pair, text))
                });
                Box::new(pairs.filter(touches_focus))
            }
        }
    }
}

impl Candidates<'_> {
    pub(super) fn clusters(&self, collection: &Collection) -> Vec<Cluster> {
        match self {
            Self::Joined(joined) => joined.clusters(),
            Self::Found(pairs) => clusters_of(collection, pairs.clone()),
            Self::Searched(_) | Self::Nearest(_) => Vec::new(),
        }
    }

    /// Returns for each text the one that is kept instead of it because the two are a pair; `None` if
    /// it is kept. `order` has each text once, the most preferred first.
    pub(super) fn removed(&self, order: &[u32]) -> Vec<Option<u32>> {
        match self {
            Self::Joined(joined) => joined.removed(order),
            Self::Found(pairs) => {
                let pairs: Vec<(u32, u32)> = pairs.iter().map(|pair| (pair.a, pair.b)).collect();
                removed_by_pairs(&pairs, order)
            }
            Self::Searched(_) | Self::Nearest(_) => vec![None; order.len()],
        }
    }

    /// Returns a function that returns the old texts which a text is paired with.
    pub(super) fn old_partners<'c>(
        &'c self,
        gathered: &'c Gathered,
    ) -> Box<dyn Fn(u32) -> Vec<u32> + 'c> {
        match self {
            Self::Joined(joined) => Box::new(|text| joined.old_partners(text).collect()),
            Self::Found(pairs) => {
                let turned = pairs.iter().flat_map(|pair| [(pair.a, pair.b), (pair.b, pair.a)]);
                let is_old = |text| gathered.corpus.collection.place(text).side == Side::Old;
                let mut of_old: Vec<(u32, u32)> =
                    turned.filter(|(_, other)| is_old(*other)).collect();
                of_old.sort_unstable();
                Box::new(move |text| {
                    let first = of_old.partition_point(|(of, _)| *of < text);
                    let own = of_old[first..].iter().take_while(|(of, _)| *of == text);
                    own.map(|(_, other)| *other).collect()
                })
            }
            Self::Searched(_) | Self::Nearest(_) => Box::new(|_| Vec::new()),
        }
    }
}

/// Returns the pairs that are listed for both of their texts, each as it is listed for the text
/// with the greater number. `nearest` has the pairs of each text.
fn listed_again(nearest: &[Vec<Pair>]) -> BTreeSet<(u32, u32)> {
    let listed = nearest.iter().zip(0..).flat_map(|(pairs, text)| {
        pairs.iter().map(move |pair| (text, if pair.a == text { pair.b } else { pair.a }))
    });
    let (first, last): (Vec<_>, Vec<_>) = listed.partition(|(text, other)| text < other);
    let first: BTreeSet<(u32, u32)> = first.into_iter().collect();
    last.into_iter().filter(|(text, other)| first.contains(&(*other, *text))).collect()
}

// The largest number of pairs of an answer, and the check of it.

/// The default limit on pairs that are reported one by one. Each has 1.4 kB as JSON.
const MAX_REPORTED: usize = 1_000_000;

/// How many times as many pairs are searched for as may be reported, to name the texts that most of
/// them are of.
const SEARCHED: usize = 16;

/// The default limit on pairs that are only held in memory, to find clusters or the closest
/// verdict. Each takes 32 bytes. Texts with the same shingles count as one text.
const MAX_PAIRS_HELD: usize = 100_000_000;

/// Reports whether pairs are listed one by one.
pub(super) fn lists_pairs(flags: &CorpusFlags) -> bool {
    let is_written = !destinations(&flags.formats, &flags.answering).is_empty();
    flags.report.file().is_some() || is_written && !flags.task().is_of_clusters()
}

/// Reports whether all outputs have the pairs in the order in which they are judged, and nothing holds
/// them in memory, such as a baseline.
pub(super) fn streams_pairs(flags: &CorpusFlags) -> bool {
    let is_held = flags.task() != Task::Pairs
        || flags.report.file().is_some()
        || flags.baseline.file().is_some()
        || flags.since.is_some();
    let mut formats = destinations(&flags.formats, &flags.answering).into_iter();
    !is_held && formats.all(|(format, _)| matches!(format.name(), "jsonl" | "csv"))
}

/// The largest number of pairs of an answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnswerLimit {
    /// `None` if there is no limit.
    max_pairs: Option<usize>,
    /// Whether pairs are reported one by one.
    is_listed: bool,
    /// Whether clusters or the nearest texts could be requested instead.
    has_others: bool,
}

impl AnswerLimit {
    /// Returns the limit of a run. As `--nearest` bounds the pairs of each text, it has no limit
    /// unless one is given, and neither has a run that writes pairs as they are judged.
    pub(super) fn new(flags: &CorpusFlags, is_listed: bool) -> Self {
        if flags.task().is_nearest() {
            let max_pairs = flags.max_pairs.and_then(|limit| limit.0);
            return Self { max_pairs, is_listed: true, has_others: true };
        }
        let usual = match is_listed {
            true if streams_pairs(flags) => None,
            true => Some(MAX_REPORTED),
            false => Some(MAX_PAIRS_HELD),
        };
        let max_pairs = flags.max_pairs.map_or(usual, |limit| limit.0);
        Self { max_pairs, is_listed, has_others: is_listed && flags.task() != Task::Items }
    }

    pub(super) fn max_pairs(self) -> usize {
        self.max_pairs.unwrap_or(usize::MAX)
    }

    /// Returns the largest number of pairs that are searched for, of those whose sets decide.
    fn searched(self) -> usize {
        let max_pairs = self.max_pairs();
        let more = max_pairs.saturating_mul(SEARCHED).min(MAX_PAIRS_HELD);
        if self.is_listed { more.max(max_pairs) } else { max_pairs }
    }

    /// Makes the error of a search that failed.
    fn error(self, error: impl Into<SearchError>, search: &Search) -> anyhow::Error {
        let level = search.level;
        match error.into() {
            SearchError::Join(JoinError::TooManyPairs { .. }) => self.too_many(level, "").into(),
            SearchError::TooMany { passage: Some(passage), .. } => {
                let excerpt = visible(&passage.excerpt);
                let most = format!("; most of them share {}: \"{excerpt}\"", shared_by(&passage));
                self.too_many(level, &most).hint(ADVICE_ON_SHARE).into()
            }
            SearchError::TooMany { passage: None, first, .. } => {
                let most = with_most_pairs(first.into_iter(), |text| search.gathered.name(text));
                self.too_many(level, &most).into()
            }
            SearchError::Join(JoinError::TempFile(error)) => error.into(),
        }
    }

    /// Makes the error for more pairs than the limit. `most` says which texts most of them are of.
    fn too_many(self, level: Verdict, most: &str) -> Diagnostic {
        let (pairs, level) = (counted(self.max_pairs(), "pair"), or_closer(level));
        let hint = if self.has_others {
            "--clusters or --keep finds the clusters, --nearest N the nearest texts of each; \
             --max-pairs off lifts the limit"
        } else {
            "a closer level has fewer pairs; --max-pairs off lifts the limit"
        };
        let what = format!("more than {pairs} {level}, expected at most that many{most}");
        Diagnostic::new(what).hint(hint).flags(["max-pairs", "nearest"])
    }

    /// Checks that no more pairs are reported than the limit allows; `name` names a text in the error. Costs some nanoseconds per
    /// pair; pairs are judged only if there may be too many.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if there are too many.
    pub(super) fn check<P: Iterator<Item = Pair>>(
        self,
        pairs: impl Fn() -> P,
        counts: impl Fn(&Pair) -> bool,
        level: Verdict,
        name: impl Fn(u32) -> String,
    ) -> Result<(), Diagnostic> {
        let Some(max_pairs) = self.max_pairs.filter(|_| self.is_listed) else { return Ok(()) };
        let is_beyond =
            pairs().nth(max_pairs).is_some() && pairs().filter(counts).nth(max_pairs).is_some();
        if !is_beyond {
            return Ok(());
        }
        let searched = pairs().take(self.searched()).map(|pair| (pair.a, pair.b));
        Err(self.too_many(level, &with_most_pairs(searched, name)))
    }

    /// Checks a number of pairs, whatever their verdicts.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if there are too many.
    pub(super) fn check_count(self, pairs: usize) -> Result<(), Diagnostic> {
        if pairs > self.max_pairs() { Err(self.too_many(Verdict::Different, "")) } else { Ok(()) }
    }
}

/// Names the texts with the most pairs, and how many pairs each has, in this order.
fn with_most_pairs(
    pairs: impl Iterator<Item = (u32, u32)>,
    name: impl Fn(u32) -> String,
) -> String {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for text in pairs.flat_map(|(a, b)| [a, b]) {
        *counts.entry(text).or_default() += 1;
    }
    let mut counts: Vec<(u32, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, pairs)| Reverse(*pairs)); // the sort is stable
    let named =
        |(text, pairs): &(u32, usize)| format!("{} ({})", visible(&name(*text)), thousands(*pairs));
    let most: Vec<String> = counts.iter().take(MAX_SHOWN).map(named).collect();
    format!("; the texts with most pairs: {}", most.join(", "))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn pairs_that_stream_have_no_limit() {
        #[rustfmt::skip]
        let table: &[(&str, &str, Option<usize>)] = &[
            ("rows",               "",                                          Some(MAX_REPORTED)),
            ("lines",              "--format jsonl",                            None),
            ("lines and rows",     "--format jsonl=a --format csv",             None),
            ("one object",         "--format jsonl=a --format json",            Some(MAX_REPORTED)),
            ("a limit",            "--format jsonl --max-pairs 7",              Some(7)),
            ("by passages",        "--format csv --at-least partial",           None),
            ("a report",           "--format csv --report a.html",              Some(MAX_REPORTED)),
            ("a baseline",         "--format csv --baseline a",                 Some(MAX_REPORTED)),
            ("an earlier commit",  "--format csv --since HEAD",                 Some(MAX_REPORTED)),
            ("nearest texts",      "--nearest 2",                               None),
            ("earlier texts",      "--against b --each-against --format jsonl", Some(MAX_REPORTED)),
            ("clusters",           "--clusters --format jsonl",                 Some(MAX_PAIRS_HELD)),
        ];
        for (why, flags, want) in table {
            let flags = CorpusFlags::parse_from(
                ["corpus", "a"].into_iter().chain(flags.split_whitespace()),
            );
            let limit = AnswerLimit::new(&flags, lists_pairs(&flags));
            assert_eq!(limit.max_pairs, *want, "{why}");
        }
    }
}
