//! Plain data about the texts of a corpus and the pairs that were found among them, for the
//! renderers.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use dedup_text::corpus::join::Pair;
use dedup_text::corpus::preference::Keep;
use dedup_text::corpus::{CommonStretch, Corpus, Document, FoundPairs};
use dedup_text::jaccard::{Overlap, Share};
use dedup_text::pair::Matches;
use dedup_text::pair::Recipe;
pub(crate) use dedup_text::record::AcceptedBy;
use dedup_text::sketch::Coverage;
use dedup_text::text::{Place, Side};
use dedup_text::verdict::Verdict;

use crate::diagnostics::Severity;
use crate::model::findings::{Finding, Findings};
use crate::model::gathered::Gathered;
use crate::model::names::{Names, Visibility};
use crate::model::persons::Person;
use crate::model::{Color, EARLIER};

/// A judged pair, as far as lists of pairs need it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JudgedRow {
    pub(crate) pair: Pair,
    pub(crate) verdict: Verdict,
    /// Why the pair is accepted; `None` if it is not.
    pub(crate) accepted: Option<AcceptedBy>,
    /// Whether the pair is listed a second time, with its texts the other way round, as with
    /// `--nearest` if each text is near to the other.
    pub(crate) is_listed_again: bool,
    /// Whether different shingles of the two texts have the same residue, which does not happen by
    /// chance.
    pub(crate) is_crafted: bool,
    /// A summary of the passages of the pair; `None` if passages were not searched for.
    pub(crate) shared: Option<SharedPassages>,
}

/// A summary of the passages of a pair, for a list of pairs.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct SharedPassages {
    /// The shares of the texts that the passages cover.
    pub(crate) coverage: Coverage,
    /// The number of words of all passages.
    pub(crate) words: usize,
    /// The start and end of the longest passage in each text, in bytes of its content; `None` if
    /// there is no passage.
    pub(crate) longest: Option<[[usize; 2]; 2]>,
    /// Whether at least one passage is reworded.
    pub(crate) is_reworded: bool,
}

impl SharedPassages {
    /// Summarizes the passages of a pair. If several are equally long, the first one is the
    /// longest.
    pub(crate) fn new(matches: &Matches) -> Self {
        let longest = matches.all.iter().rev().max_by_key(|found| found.passage.words());
        let ends = |place: &Place| [place.content.start, place.content.end];
        Self {
            coverage: matches.coverage,
            words: matches.all.iter().map(|found| found.passage.words()).sum(),
            longest: longest.map(|found| [ends(&found.left), ends(&found.right)]),
            is_reworded: matches.all.iter().any(|found| !found.passage.reworded[0].is_empty()),
        }
    }

    fn turned(self) -> Self {
        let longest = self.longest.map(|[left, right]| [right, left]);
        Self { coverage: self.coverage.turned(), longest, ..self }
    }
}

impl JudgedRow {
    /// Returns the greater share of a text, of the two that its passages give by `of_side`, as a sort key.
    /// Returns the Jaccard index if there is no passage, and 0 if passages were not searched for.
    fn greatest(&self, of_side: fn(&Coverage, usize) -> Option<Share>) -> f64 {
        let Some(SharedPassages { coverage, .. }) = &self.shared else { return 0.0 };
        if self.is_without_passage() {
            return self.jaccard();
        }
        let shares = (0..2).filter_map(|side| of_side(coverage, side)).map(Share::ratio);
        shares.fold(0.0, f64::max)
    }

    /// Reports whether no passage covers a word of either text.
    pub(crate) fn is_without_passage(&self) -> bool {
        self.shared.is_none_or(|shared| !shared.coverage.covers_a_word())
    }

    /// Returns the section of a report that lists the pair.
    pub(crate) fn section(&self) -> Section {
        match self.verdict {
            Verdict::Excerpt => Section::Parts,
            Verdict::Different => Section::Different,
            _ => Section::First,
        }
    }

    fn jaccard(&self) -> f64 {
        self.pair.all.jaccard().map_or(0.0, Share::ratio)
    }

    /// Compares two pairs by the greatest share of a text whose words are the same, by the greatest share
    /// with those that are changed, and then by [their figures](Self::by_figures): the closest is the
    /// least.
    pub(crate) fn closest_first(&self, other: &Self) -> Ordering {
        let [own, others] =
            [self, other].map(|row| [Coverage::same, Coverage::share].map(|it| row.greatest(it)));
        let by_share = others[0].total_cmp(&own[0]).then_with(|| others[1].total_cmp(&own[1]));
        by_share.then_with(|| self.by_figures(other))
    }

    /// Compares two pairs by verdict, Jaccard index, Hamming distance, and the numbers of their
    /// texts: the closest is the least.
    pub(crate) fn by_figures(&self, other: &Self) -> Ordering {
        let key = |row: &Self| (row.pair.hamming, row.pair.a, row.pair.b);
        (other.verdict.cmp(&self.verdict))
            .then_with(|| other.jaccard().total_cmp(&self.jaccard()))
            .then_with(|| key(self).cmp(&key(other)))
    }

    /// Returns the row with the two texts in the order of their numbers, as a report lists it.
    pub(crate) fn in_order(self) -> Self {
        let Pair { a, b, .. } = self.pair;
        if a < b {
            return self;
        }
        let pair = beginning_with(self.pair, b);
        Self { pair, shared: self.shared.map(SharedPassages::turned), ..self }
    }
}

/// The sections of a report, in the order in which they are to be read.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Section {
    /// A great part is the same: identical, near-duplicate and partial pairs.
    First,
    /// At least one passage is the same: excerpts.
    Parts,
    /// Below every level: found only because one text is among the nearest of the other, or because
    /// all pairs are requested.
    Different,
}

/// The judged pairs of a run: the closest of them, and how many there are.
#[derive(Debug, Default)]
pub(crate) struct JudgedPairs {
    /// The closest pairs that were not accepted earlier, in the order in which they were judged.
    pub(crate) rows: Vec<JudgedRow>,
    /// The number of pairs of the answer, with those that were accepted earlier, in as many
    /// directions as they are listed.
    pub(crate) shown: usize,
    /// The number of rows of the answer, of which [`rows`](Self::rows) has the closest.
    pub(crate) listed: usize,
    /// The number of pairs that reach the level and were not accepted earlier.
    pub(crate) reaching: usize,
    /// The number of pairs in each [`Section`] that were not accepted earlier, whatever their
    /// verdict.
    pub(crate) in_sections: [usize; 3],
    /// The number of pairs that a baseline accepts.
    pub(crate) accepted: usize,
    /// The number of pairs that are accepted only because they were found at an earlier commit.
    pub(crate) were_there: usize,
    /// The texts of the pairs that are shown and were not accepted earlier.
    pub(crate) texts: BTreeSet<u32>,
    /// The texts that appear to be crafted: some of their shingles have the same Rabin residue as
    /// other shingles.
    pub(crate) crafted: BTreeSet<u32>,
}

impl JudgedPairs {
    /// Counts a pair, and adds it to the rows unless it was accepted earlier. `is_shown` reports
    /// whether the pair is part of the answer, and not only of a report.
    pub(crate) fn add(&mut self, row: JudgedRow, is_shown: bool, reaches: bool) {
        if row.is_crafted {
            self.crafted.extend([row.pair.a, row.pair.b]);
        }
        let once = usize::from(!row.is_listed_again);
        self.shown += usize::from(is_shown);
        match row.accepted {
            Some(AcceptedBy::Baseline) => self.accepted += once,
            Some(AcceptedBy::Since) => self.were_there += once,
            None => {}
        }
        if row.accepted.is_some() {
            return;
        }
        self.reaching += if reaches { once } else { 0 };
        self.in_sections[row.section() as usize] += once;
        if is_shown {
            self.listed += 1;
            self.texts.extend([row.pair.a, row.pair.b]);
        }
        self.rows.push(row);
    }

    /// Keeps at most `most` rows, the closest by their figures, in their order.
    pub(crate) fn keep_closest(&mut self, most: usize) {
        if self.rows.len() <= most {
            return;
        }
        let mut rows: Vec<(usize, JudgedRow)> = self.rows.drain(..).enumerate().collect();
        rows.select_nth_unstable_by(most, |(_, one), (_, other)| one.by_figures(other));
        rows.truncate(most);
        rows.sort_unstable_by_key(|(at, _)| *at);
        self.rows.extend(rows.into_iter().map(|(_, row)| row));
    }

    /// Returns the number of pairs that were not accepted earlier, whatever their verdict.
    pub(crate) fn len(&self) -> usize {
        self.in_sections.iter().sum()
    }

    /// Reports whether pairs were accepted earlier.
    pub(crate) fn has_accepted(&self) -> bool {
        self.accepted + self.were_there > 0
    }
}

/// A cluster whose links were judged.
pub(crate) struct JudgedCluster {
    /// The texts of the cluster, at least two, in ascending order.
    pub(crate) members: Vec<u32>,
    /// The pairs that hold the cluster together.
    pub(crate) links: Vec<JudgedRow>,
}

/// The pairs that are searched for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Levels {
    /// The pairs whose verdict reaches the requested level.
    Asked,
    /// All pairs that are at least an *excerpt*: those below the level are counted, and a report
    /// lists them.
    All,
}

/// The handling of the texts of which a duplicate is kept.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Duplicates {
    Removed,
    /// They are kept, with a field that names the kept text.
    Annotated,
}

/// What a run over many texts is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Task {
    /// The pairs that reach the level.
    Pairs,
    /// The nearest texts of each text, up to this number, whatever the verdict.
    Nearest(NonZeroUsize),
    /// The clusters that the pairs form.
    Clusters,
    /// The texts that a clean corpus keeps, chosen by this rule.
    Keep(Keep),
    /// For each old text, the new texts that share a part of it.
    Items,
}

impl Task {
    /// Reports whether the nearest texts of each text are listed, whatever their verdict.
    pub(crate) fn is_nearest(&self) -> bool {
        matches!(self, Self::Nearest(_))
    }

    /// Reports whether pairs are only held to form clusters.
    pub(crate) fn is_of_clusters(&self) -> bool {
        matches!(self, Self::Clusters | Self::Keep(_))
    }
}

/// The figures of each pair in the text answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Columns {
    /// The shares of the texts that passages cover.
    Shares,
    /// The Jaccard index and the Hamming distance: passages are not to be searched for.
    Figures,
    Both,
}

impl Columns {
    pub(crate) fn has_shares(self) -> bool {
        self != Self::Figures
    }

    pub(crate) fn has_figures(self) -> bool {
        self != Self::Shares
    }
}

/// The advice if four fifths of the texts share a passage.
pub(crate) const ADVICE_ON_SHARE: &str = "--template-share 0.8 sets aside what four fifths of the \
    texts share; with --save-common FILE it can be read first";

/// The options that set how the answer is rendered.
#[derive(Debug)]
pub(crate) struct Options {
    /// Whether a report shows the names of the texts.
    pub(crate) visibility: Visibility,
    /// The number of threads that render the pages of a report.
    pub(crate) threads: NonZeroUsize,
    /// The colors of the text on the terminal.
    pub(crate) color: Color,
    pub(crate) task: Task,
    /// The pairs that are searched for.
    pub(crate) levels: Levels,
    /// Whether the answer mentions the flag that shows more pairs; `false` with `--fail-on`,
    /// because then a program has chosen the level that it needs, and with an index without texts,
    /// in which passages cannot be found, unless they are turned off.
    pub(crate) names_levels: bool,
    /// Whether the answer mentions `--template-share`, which was not given.
    pub(crate) names_share: bool,
    /// The largest number of pairs that the text answer lists; `None` if it lists all.
    pub(crate) rows: Option<usize>,
    pub(crate) columns: Columns,
    /// The severity of the pairs that are findings.
    pub(crate) weight: Severity,
    /// The name of the settings file; `None` if none is read.
    pub(crate) settings: Option<String>,
    /// The list of stop words, as the user gave it.
    pub(crate) stopwords: PathBuf,
    /// The earlier commit whose findings are accepted; `None` if there is none.
    pub(crate) since: Option<String>,
    /// The review of an earlier report, as JSON in which nothing can end an element of a page.
    pub(crate) review: String,
    /// The handling of the texts of which a duplicate is kept.
    pub(crate) duplicates: Duplicates,
}

/// A corpus in which pairs were found, which are to be judged.
pub(crate) struct Answer<'a> {
    pub(crate) gathered: &'a Gathered<'a>,
    pub(crate) recipe: &'a Recipe,
    /// The lowest verdict of the pairs that are shown.
    pub(crate) level: Verdict,
    pub(crate) options: Options,
    /// The names of the texts for other programs.
    pub(crate) names: Names,
    pub(crate) found: Found,
}

/// What the search for pairs found, before any is judged.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The pairs that were found using passages as well, from *excerpt* or *partial* on, depending
    /// on the level. `None` if only the shingles decide.
    pub(crate) by_passages: Option<FoundPairs>,
    /// The largest number of pairs of all levels, if there are more of them.
    pub(crate) exceeded: Option<usize>,
    /// With `--nearest`, the pairs `(a, b)` with `a` > `b` whose other direction is listed as well,
    /// so that they do not count.
    pub(crate) listed_again: BTreeSet<(u32, u32)>,
    /// The passages that many texts share, the longest first, each with these texts; without texts if
    /// there are too many pairs of them.
    pub(crate) widespread: Vec<(CommonStretch, Vec<u32>)>,
}

impl Found {
    /// Reports whether pairs that share only reworded sentences were not looked for, since too many may.
    pub(crate) fn skips_reworded(&self) -> bool {
        self.by_passages.as_ref().is_some_and(|found| found.skips_reworded)
    }

    /// Returns the verdict on two texts, the one with the smaller number first, if they are a pair
    /// that was found using passages as well.
    pub(crate) fn verdict(&self, texts: (u32, u32)) -> Option<Verdict> {
        let found = self.by_passages.as_ref().map_or(&[][..], |found| &found.pairs);
        let known = found.binary_search_by_key(&texts, |(pair, _)| (pair.a, pair.b));
        known.ok().map(|at| found[at].1)
    }
}

impl Answer<'_> {
    pub(crate) fn corpus(&self) -> &Corpus<'_> {
        &self.gathered.corpus
    }

    /// Returns the verdict on a pair.
    pub(crate) fn verdict(&self, pair: &Pair) -> Verdict {
        let known = self.found.verdict((pair.a, pair.b));
        known.unwrap_or_else(|| self.corpus().verdict(pair))
    }

    /// Reports whether a pair is listed a second time, with its texts the other way round, as with
    /// `--nearest` if each text is near to the other.
    pub(crate) fn is_listed_again(&self, pair: &Pair) -> bool {
        self.found.listed_again.contains(&(pair.a, pair.b))
    }

    /// Returns the passages that at least half of the texts share, and which were not set aside: parts
    /// of a sheet, or copies from one source.
    pub(crate) fn shared_by_half(&self) -> impl Iterator<Item = &CommonStretch> {
        let all = self.found.widespread.iter().map(|(stretch, _)| stretch);
        all.filter(|stretch| 2 * stretch.texts >= stretch.of)
    }

    /// Returns the other passages that many texts share, each with these texts.
    pub(crate) fn shared_by_fewer(&self) -> impl Iterator<Item = &(CommonStretch, Vec<u32>)> {
        self.found.widespread.iter().filter(|(stretch, _)| 2 * stretch.texts < stretch.of)
    }

    /// Returns the passages in more than two texts, the longest first. Not those that make whole copies,
    /// which are pairs, nor those that many texts share, which are listed as such.
    pub(crate) fn in_several<'f, 't>(&self, findings: &'f Findings<'t>) -> Vec<&'f Finding<'t>> {
        let least = self.found.widespread.iter().map(|(stretch, _)| stretch.texts).min();
        let is_many = |it: &Finding| least.is_some_and(|least| it.texts().len() >= least);
        let is_part = |it: &Finding| it.farthest < Verdict::NearDuplicate && it.is_in_several();
        let several = findings.all.iter().filter(|it| is_part(it) && !is_many(it));
        let mut several: Vec<&Finding> = several.collect();
        several.sort_by_key(|it| Reverse(it.passage.as_ref().map(|passage| passage.words)));
        several
    }

    /// Returns the flag that sets aside what most texts share, if that was not said.
    pub(crate) fn advice_on_share(&self) -> Option<&'static str> {
        let is_of_most = |stretch: &CommonStretch| 5 * stretch.texts >= 4 * stretch.of;
        let is_open = self.options.names_share && self.shared_by_half().any(is_of_most);
        is_open.then_some(ADVICE_ON_SHARE)
    }

    /// Reports whether a text is on the side that new texts are compared with, from which no text
    /// is removed.
    pub(crate) fn is_old(&self, number: u32) -> bool {
        self.corpus().collection.place(number).side == dedup_text::corpus::join::Side::Old
    }

    /// Returns what follows the name of a text: whether it is an earlier one.
    pub(crate) fn mark(&self, number: u32) -> &'static str {
        if self.gathered.is_earlier(number) { EARLIER } else { "" }
    }

    pub(crate) fn document(&self, number: u32) -> &Document {
        &self.corpus().documents[number as usize]
    }

    /// Returns the name of a text for other programs.
    pub(crate) fn given_name(&self, number: u32) -> String {
        self.names.given(self.document(number).text.path())
    }

    /// Returns the name of a text for people: that of the person who submitted it, if a list gives
    /// one.
    pub(crate) fn name(&self, number: u32) -> String {
        self.gathered.name(number)
    }

    /// Returns the name of a text in a list of persons, unless names are hidden; `None` if it has
    /// none.
    pub(crate) fn shown(&self, number: u32) -> Option<&str> {
        let are_shown = self.options.visibility == Visibility::Shown;
        self.gathered.texts.facts(number).shown.as_deref().filter(|_| are_shown)
    }

    /// Returns the person who submitted a text; `None` if there is no list or it does not name one.
    pub(crate) fn person(&self, number: u32) -> Option<&Person> {
        self.gathered.texts.facts(number).person.as_deref()
    }

    /// Returns the text of a pair that was submitted later; `None` if one of the two times is
    /// unknown, or if they are the same or cannot be compared.
    pub(crate) fn later(&self, pair: &Pair) -> Option<u32> {
        crate::model::later([self.person(pair.a), self.person(pair.b)]).map(|side| match side {
            Side::Left => pair.a,
            Side::Right => pair.b,
        })
    }
}

/// Returns the pair with `text`, which is one of its two, as `a`.
pub(crate) fn beginning_with(pair: Pair, text: u32) -> Pair {
    let turned = |Overlap { shared, left, right }| Overlap { shared, left: right, right: left };
    if pair.a == text {
        return pair;
    }
    Pair { a: pair.b, b: pair.a, all: turned(pair.all), longest: turned(pair.longest), ..pair }
}

// Which texts of a corpus are removed, and for which others.
