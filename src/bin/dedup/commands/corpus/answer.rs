//! Finds the pairs of a corpus, and writes the answer in the requested forms.

use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroUsize;

use anyhow::Context;
use dedup_text::corpus::FoundPairs;
use dedup_text::corpus::join::{
    Cluster, JoinError, NEIGHBOURS_COMPARED, Pair, Side, clusters_of, join_at_most,
    nearest_watched, removed_by_pairs, standing_out,
};
use dedup_text::corpus::preference::Keep;
use dedup_text::display::{counted, or_closer};
use dedup_text::jaccard::Share;
use dedup_text::pair::Judgement;
use dedup_text::pair::Search;
use dedup_text::parallel;
use dedup_text::text::Place;
use dedup_text::verdict::Verdict;

use super::blocks;
use super::clean::{self, Cleaning};
use super::gather::fields_hint;
use crate::args::CorpusFlags;
use crate::commands::baseline::{Matching, PairEntries, RunFindings};
use crate::commands::{Destination, destinations, no_record_has};
use crate::diagnostics::{self, Diagnostic, Exit};
use crate::io::inputs::again::{ReadTwice, temporary};
use crate::io::inputs::sources::MAX_TEXTS_AT_ALL_LEVELS;
use crate::io::output::{self, Reader};
use crate::model::corpus::{Answer, Keeping, Levels, Row, SharedPassages, Task, beginning_with};
use crate::model::names::Names;
use crate::model::{Format, Pair as Judged, Spool, Weight, Whole};
use crate::progress::{Progress, Stage};
use crate::render;
use crate::render::corpus::{FoundRecord, ITEM_SCHEMA, ItemRecord, Sides, closest_first};
use crate::render::exports::{Exporter, Listing, Piece, Pieces};

/// The number of pairs that are judged and written at a time.
const BATCH: usize = 4096;

/// The largest number of pairs whose coverage is shown: the passages of each are searched for once
/// more.
const MAX_COVERED: usize = 10_000;

/// Whether rows have the shares of their texts that passages cover.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Covered {
    Shown,
    Unknown,
}

/// The purpose of a run.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Purpose {
    /// It answers the request.
    Answer,
    /// Another run accepts its findings. It writes nothing.
    Accept,
}

/// A run over a corpus.
pub(crate) struct CorpusRun<'a> {
    pub(crate) answer: Answer<'a>,
    pub(crate) flags: &'a CorpusFlags,
    pub(crate) threads: NonZeroUsize,
    pub(crate) baseline: Option<&'a Matching<'a>>,
    /// The findings at the commit of `--since`, if it is given.
    pub(crate) earlier: Option<Matching<'a>>,
    pub(crate) progress: Progress,
    /// The files of records, which are read a second time for a clean corpus.
    pub(crate) twice: &'a ReadTwice,
    pub(crate) purpose: Purpose,
}

/// The results that the exit status and the baseline depend on.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// The closest verdict of a pair that counts. `None` if there is no such pair.
    pub(crate) closest: Option<Verdict>,
    /// The entries that a baseline would list.
    pub(crate) found: RunFindings,
}

impl CorpusRun<'_> {
    /// Finds the pairs, and writes the answer and the report.
    ///
    /// # Errors
    ///
    /// Returns an error if there are too many pairs, if a temporary file cannot be read or written,
    /// or if an output cannot be written.
    pub(crate) fn write(&self) -> anyhow::Result<Outcome> {
        if let Task::Nearest(max_neighbours) = self.answer.options.task {
            return self.write_nearest(max_neighbours);
        }
        let sinks =
            if self.answer.options.task.is_of_clusters() { Vec::new() } else { self.sinks() };
        let limit = AnswerLimit::new(self.flags, self.needs_all() || !sinks.is_empty());
        let watched = (self.threads, self.progress.begin(Stage::Joining, 0));
        if self.answer.options.levels == Levels::All {
            let is_listed = !self.flags.pair_common;
            let max_pairs = limit.max_pairs().min(MAX_REPORTED);
            // Only the report shows the pairs below the level.
            let listed = if self.is_reported() { Verdict::Excerpt } else { self.answer.level };
            let corpus = self.answer.corpus();
            let found = corpus.found(Verdict::Excerpt, listed, is_listed, max_pairs, watched);
            // If there are too many pairs of all levels, those of the requested level may still be
            // few enough.
            match found {
                Ok(found) => return self.write_found(found, sinks),
                Err(JoinError::TooManyPairs(_)) => {
                    self.answer.exceeded.get_or_init(|| max_pairs);
                }
                Err(JoinError::TempFile(_)) => {}
            }
        }
        if matches!(self.answer.level, Verdict::Partial | Verdict::Excerpt) {
            let (level, is_listed) = (self.answer.level, !self.flags.pair_common);
            let corpus = self.answer.corpus();
            let found = corpus.found(level, level, is_listed, limit.max_pairs(), watched);
            return self.write_found(found.map_err(|error| limit.error(error, level))?, sinks);
        }
        let condition = self.answer.corpus().condition(self.answer.level);
        let is_by_words = self.answer.corpus().is_by_words(self.answer.level);
        let by_words = is_by_words.then(|| self.answer.corpus().by_words());
        let collection = by_words.as_ref().unwrap_or(&self.answer.corpus().collection);
        let joined = join_at_most(collection, &condition, limit.max_pairs(), watched)
            .map_err(|error| limit.error(error, self.answer.level))?;
        let pairs = || {
            let joined = joined.pairs().filter(|pair| self.answer.touches_focus(pair));
            joined.map(|pair| match by_words {
                Some(_) => self.answer.corpus().collection.pair(pair.a, pair.b),
                None => pair,
            })
        };
        limit.check(
            pairs,
            |pair| self.answer.corpus().verdict(pair) >= self.answer.level,
            self.answer.level,
        )?;
        if self.answer.options.task == Task::Items {
            return self.write_items(pairs());
        }
        let count = || pairs().take(MAX_COVERED + 1).count();
        if self.answer.options.task.is_of_clusters() {
            if self.is_reported() {
                self.write_pairs(pairs(), count(), self.answer.level, Vec::new())?;
            }
            let clusters = joined.clusters();
            return match &self.answer.options.task {
                Task::Keep(keep) => {
                    let old = |text| joined.old_partners(text).collect();
                    self.write_kept(keep, &clusters, old, |order| joined.removed(order))
                }
                _ => self.write_clusters(&clusters),
            };
        }
        self.write_pairs(pairs(), count(), self.answer.level, sinks)
    }

    /// Finds the nearest texts of each text, and writes the pairs and the report.
    fn write_nearest(&self, max_neighbours: NonZeroUsize) -> anyhow::Result<Outcome> {
        let joining = self.progress.begin(Stage::Joining, 0);
        let collection = &self.answer.corpus().collection;
        let compared = max_neighbours.max(NEIGHBOURS_COMPARED);
        let mut nearest = nearest_watched(collection, compared, self.threads, joining)?;
        self.answer.by_far.get_or_init(|| standing_out(collection, &nearest));
        for pairs in &mut nearest {
            pairs.truncate(max_neighbours.get());
        }
        let count = nearest.iter().map(Vec::len).sum();
        AnswerLimit::of_nearest(self.flags).check_count(count)?;
        self.answer.listed_again.get_or_init(|| listed_again(&nearest));
        let pairs = nearest.into_iter().zip(0..).flat_map(|(pairs, text)| {
            pairs.into_iter().map(move |pair| beginning_with(pair, text))
        });
        let pairs = pairs.filter(|pair| self.answer.touches_focus(pair));
        self.write_pairs(pairs, count, Verdict::Different, self.sinks())
    }

    /// Writes the pairs that were found, whether by their shingles or by their passages.
    fn write_found(&self, found: FoundPairs, sinks: Vec<OutputSink>) -> anyhow::Result<Outcome> {
        let found = self.answer.found.get_or_init(|| found);
        let common = self.look_at_widespread(found);
        let pairs = || {
            let pairs = found.pairs.iter().map(|(pair, _)| *pair);
            pairs.filter(|pair| self.answer.touches_focus(pair))
        };
        if self.answer.options.task == Task::Items {
            return self.write_items(pairs());
        }
        let mut outcome = Outcome::default();
        if !self.answer.options.task.is_of_clusters() || self.is_reported() {
            let mut others = self.others_by_far();
            others.retain(|pair| self.answer.touches_focus(pair));
            let count = pairs().count() + others.len();
            let all = pairs().chain(others);
            outcome = self.write_pairs(all, count, self.answer.level, sinks)?;
        }
        if self.answer.options.task.is_of_clusters() {
            let clusters = clusters_of(&self.answer.corpus().collection, pairs().collect());
            outcome = match &self.answer.options.task {
                Task::Keep(keep) => {
                    let pairs: Vec<(u32, u32)> = pairs().map(|pair| (pair.a, pair.b)).collect();
                    let texts = self.answer.corpus().documents.len();
                    let turned = pairs.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
                    let mut of_old: Vec<(u32, u32)> =
                        turned.filter(|(_, other)| self.answer.is_old(*other)).collect();
                    of_old.sort_unstable();
                    let old = |text| {
                        let first = of_old.partition_point(|(of, _)| *of < text);
                        let own = of_old[first..].iter().take_while(|(of, _)| *of == text);
                        own.map(|(_, other)| *other).collect()
                    };
                    self.write_kept(keep, &clusters, old, |order| {
                        removed_by_pairs(texts, &pairs, order)
                    })?
                }
                _ => self.write_clusters(&clusters)?,
            };
        }
        if self.answer.common_findings().next().is_some() {
            outcome.closest = outcome.closest.max(Some(self.answer.level));
        }
        for seen in common {
            outcome.found.extend(Some(seen));
        }
        Ok(outcome)
    }

    /// Looks up the passages that are too common to make a pair, and determines which are findings.
    /// Returns their entries of a baseline.
    fn look_at_widespread(&self, found: &FoundPairs) -> Vec<PairEntries> {
        let corpus = self.answer.corpus();
        let has_baseline = self.baseline.is_some() || self.earlier.is_some();
        let containing = if has_baseline { found.texts_of_widespread() } else { Vec::new() };
        let look = |it: &Matching, at: usize| {
            let number = found.widespread_texts[at];
            let text = &self.answer.document(number).text;
            it.look_at_common((number as usize, &containing[at]), text, &found.widespread[at])
        };
        let all = 0..found.widespread.len();
        let seen: Vec<Option<PairEntries>> =
            all.clone().map(|at| self.baseline.map(|it| look(it, at))).collect();
        // A baseline that is rewritten records all of them.
        let is_rewritten = seen.iter().flatten().any(|seen| seen.is_written);
        let was_there: Vec<bool> = all
            .map(|at| self.earlier.as_ref().is_some_and(|it| look(it, at).is_accepted))
            .collect();
        let is_listed = |at: usize| seen[at].as_ref().is_some_and(PairEntries::is_listed);
        let is_accepted = |at: usize| !is_rewritten && (is_listed(at) || was_there[at]);
        let is_in_focus = |text| self.answer.gathered.is_in_focus(text);
        let findings = corpus.common_findings(found, self.answer.level, is_accepted, is_in_focus);
        let used: Vec<bool> =
            (0..seen.len()).map(|at| findings.contains(&at) || is_accepted(at)).collect();
        self.answer
            .common_findings
            .get_or_init(|| if is_rewritten { Vec::new() } else { findings });
        let used = seen.into_iter().zip(used).filter(|(_, is_used)| *is_used);
        used.filter_map(|(seen, _)| seen).collect()
    }

    /// Returns the pairs of which one text is the closest by far to the other, and that were not
    /// found otherwise. Empty unless there is a report of all levels with at most
    /// [`MAX_TEXTS_AT_ALL_LEVELS`] texts.
    fn others_by_far(&self) -> Vec<Pair> {
        let corpus = self.answer.corpus();
        if !self.is_reported()
            || self.answer.options.levels != Levels::All
            || corpus.documents.len() > MAX_TEXTS_AT_ALL_LEVELS
        {
            return Vec::new();
        }
        let joining = self.progress.begin(Stage::Joining, 0);
        let nearest =
            nearest_watched(&corpus.collection, NEIGHBOURS_COMPARED, self.threads, joining);
        // If a temporary file cannot be read, the run ends with an error anyway.
        let nearest = nearest.unwrap_or_default();
        let by_far = self.answer.by_far.get_or_init(|| standing_out(&corpus.collection, &nearest));
        let in_order = by_far.iter().map(|(a, b)| (*a.min(b), *a.max(b)));
        let others: BTreeSet<(u32, u32)> =
            in_order.filter(|it| !self.answer.is_found(*it)).collect();
        others.into_iter().map(|(a, b)| corpus.collection.pair(a, b)).collect()
    }

    /// Chooses, for each text that is removed because of an old text, the closest of the old texts
    /// with which it is paired: by verdict, then by Jaccard index, then by name. All old texts are
    /// kept.
    fn take_closest_old(&self, keeping: &mut Keeping, old_partners: impl Fn(u32) -> Vec<u32>) {
        let (answer, collection) = (&self.answer, &self.answer.corpus().collection);
        let closeness = |text: u32, old: u32| {
            let pair = collection.pair(text.min(old), text.max(old));
            let jaccard = pair.all.jaccard().map_or(0.0, Share::ratio);
            (answer.verdict(&pair), jaccard, answer.document(old).text.path())
        };
        // Texts with the same words have the same partners.
        let mut known = HashMap::new();
        for (text, kept) in (0..).zip(&mut keeping.removed) {
            if !kept.is_some_and(|kept| answer.is_old(kept)) {
                continue;
            }
            let key = (answer.document(text).digest, collection.place(text));
            let closest = known.entry(key).or_insert_with(|| {
                let partners = old_partners(text).into_iter();
                let with_closeness = partners.map(|old| (closeness(text, old), old));
                let closest = with_closeness.max_by(|(one, _), (other, _)| {
                    let by_name = other.2.cmp(one.2);
                    one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)).then(by_name)
                });
                closest.map(|(_, old)| old)
            });
            *kept = closest.or(*kept);
        }
    }

    /// Writes the texts that are kept, and the clean corpus if it is requested. `old_partners`
    /// returns the old texts with which a text is paired.
    fn write_kept(
        &self,
        keep: &Keep,
        clusters: &[Cluster],
        old_partners: impl Fn(u32) -> Vec<u32>,
        direct: impl FnOnce(&[u32]) -> Vec<Option<u32>>,
    ) -> anyhow::Result<Outcome> {
        let answer = &self.answer;
        if let Some(field) = keep.field() {
            let texts = answer.gathered.texts.all().iter();
            let mut values = texts.filter_map(|facts| facts.worth.as_deref()).peekable();
            let is_empty = values.peek().is_none();
            if !values.any(|value| keep.worth(Some(value)).is_some()) {
                let there = is_empty.then(|| fields_hint(&self.flags.inputs));
                return Err(no_record_has(keep, field, there.as_deref()).into());
            }
        }
        let order = render::corpus::preference(answer, keep);
        let members = clusters.iter().map(|cluster| cluster.members.as_slice());
        let stays = |text| answer.is_old(text);
        let by = self.flags.keeping.keep_by;
        let mut keeping = Keeping::new(by, members, &order, stays, || direct(&order));
        self.take_closest_old(&mut keeping, old_partners);
        let flags = &self.flags.clean;
        if flags.written().next().is_some() {
            let (twice, threads) = (self.twice, self.threads);
            let records = clean::records(answer, &keeping, flags);
            let done = self.progress.begin(Stage::Writing, records);
            let most_unpacked = self.flags.reading()?.bounds.unpacked;
            let keeping = &keeping;
            let run = Cleaning { answer, keeping, flags, twice, most_unpacked, threads, done };
            clean::write(&run)?;
        }
        for sink in self.sinks() {
            if !flags.is_asked() || sink.format() != Format::Text {
                let whole = render::corpus::render_kept(answer, &keeping, sink.format())?;
                sink.write_whole(answer, whole)?;
                continue;
            }
            let summary = render::corpus::render_counts(answer, &keeping);
            if sink.to == Destination::Output && flags.is_printed() {
                summary.lines().for_each(diagnostics::note);
            } else {
                sink.write_whole(answer, summary.into())?;
            }
        }
        clean::warn_of_sources(answer, &keeping, &self.flags.inputs);
        if let Some(chains) = keeping.chains().filter(|_| !self.shows_text()) {
            diagnostics::note(&chains);
        }
        let closest = render::corpus::closest(answer, clusters);
        Ok(Outcome { closest, ..Outcome::default() })
    }

    /// Writes the findings for each old text.
    fn write_items(&self, pairs: impl Iterator<Item = Pair>) -> anyhow::Result<Outcome> {
        let (records, closest) = items_found(&self.answer, pairs, (self.threads, &self.progress));
        for sink in self.sinks() {
            let whole = render::corpus::render_items(&self.answer, &records, sink.format())?;
            sink.write_whole(&self.answer, whole)?;
        }
        Ok(Outcome { closest, ..Outcome::default() })
    }

    /// Reports whether the answer for people is printed.
    fn shows_text(&self) -> bool {
        !self.flags.answering.quiet && self.flags.formats.printed() == Format::Text
    }

    /// Writes the clusters.
    fn write_clusters(&self, clusters: &[Cluster]) -> anyhow::Result<Outcome> {
        let answer = &self.answer;
        let closest = render::corpus::closest(answer, clusters);
        for sink in self.sinks() {
            let whole = render::corpus::render_clusters(answer, clusters, sink.format())?;
            sink.write_whole(answer, whole)?;
        }
        Ok(Outcome { closest, ..Outcome::default() })
    }

    fn is_reported(&self) -> bool {
        self.purpose == Purpose::Answer && self.flags.report.file().is_some()
    }

    /// Reports whether all pairs must be found, whatever is printed.
    fn needs_all(&self) -> bool {
        self.is_reported() || self.baseline.is_some_and(Matching::needs_all)
    }

    /// Writes `count` pairs: those with at least the verdict `least` to the sinks, and to the
    /// report, if there is one. A report of all levels has the others as well.
    fn write_pairs(
        &self,
        mut pairs: impl Iterator<Item = Pair>,
        count: usize,
        least: Verdict,
        mut sinks: Vec<OutputSink>,
    ) -> anyhow::Result<Outcome> {
        let (mut outcome, mut rows) = (Outcome::default(), Vec::new());
        // The advice names the pair that the answer lists first: the closest pair in the answer for
        // people, and the first pair found in other formats.
        let is_sorted = self.shows_text() && !self.answer.options.task.is_nearest();
        let mut first: Option<Row> = None;
        let is_known = self.answer.recipe.search != Search::Never && count <= MAX_COVERED;
        let is_shown = sinks.iter().any(|sink| sink.format() == Format::Text);
        let is_covered = is_known && (is_shown || self.is_reported());
        let coverage = if is_covered { Covered::Shown } else { Covered::Unknown };
        let needs_all = self.needs_all();
        let texts = self.answer.corpus().documents.len() as u64;
        let (done, mut seen) = (self.progress.begin(Stage::Judging, texts), 0);
        loop {
            let batch: Vec<Pair> = pairs.by_ref().take(BATCH).collect();
            let Some(end) = batch.last() else { break };
            // The pairs are in the order of their left texts, except that the pairs that were found
            // as closest by far follow, in the same order.
            let reached = seen.max(u64::from(end.a));
            for judged in self.judged(batch, least, coverage, &sinks) {
                let (row, seen, records) = judged?;
                if !row.is_accepted {
                    outcome.closest = outcome.closest.max(Some(row.verdict));
                }
                if let Some(seen) = seen.as_ref().filter(|seen| !seen.is_accepted)
                    && first.is_none_or(|it| is_sorted && closest_first(&row, &it).is_lt())
                {
                    first = Some(row);
                    outcome.found.put_first(seen);
                }
                rows.push(row);
                outcome.found.extend(seen);
                for (sink, record) in sinks.iter_mut().zip(records) {
                    sink.add(record)?;
                }
            }
            done.add(reached - seen);
            seen = reached;
            if !self.is_reported() && !sinks.iter().any(OutputSink::is_of_rows) {
                rows.clear();
            }
            let mut read = Vec::with_capacity(sinks.len());
            for mut sink in sinks {
                if sink.write_so_far()? == Reader::Reads {
                    read.push(sink);
                }
            }
            sinks = read;
            // Stop if no further pair could change the exit status, and nothing reads them.
            if sinks.is_empty() && !needs_all && outcome.closest >= Some(self.answer.level) {
                break;
            }
        }
        if self.purpose == Purpose::Accept {
            return Ok(outcome);
        }
        #[cfg(feature = "report")]
        self.write_report(&rows)?;
        let advice = (self.shows_text() && !self.answer.options.task.is_nearest())
            .then(|| blocks::advice(&self.answer, &rows))
            .flatten();
        for sink in sinks {
            sink.write(&self.answer, &rows)?;
        }
        if let Some(advice) = advice {
            diagnostics::advise(&advice);
        }
        Ok(outcome)
    }

    /// Writes the report if one is requested, and prints a note on what it leaves out.
    #[cfg(feature = "report")]
    fn write_report(&self, rows: &[Row]) -> anyhow::Result<()> {
        use crate::render::corpus::page::{Report, Shape};
        use dedup_text::display::visible;
        use dedup_text::text::display_path;
        let flags = &self.flags.report;
        let Some(path) = flags.file() else { return Ok(()) };
        let is_folder = flags.folder().is_some();
        let shape = if is_folder { Shape::Folder } else { Shape::Page };
        let report = Report::new(&self.answer, rows, shape);
        // The key is written before the anonymous report, so that no report is without its key.
        if let Some(key) = flags.key() {
            output::write_key(&key, &report.key()?)?;
        }
        if is_folder {
            output::write_folder(path, |folder| {
                folder.write_index(&report.overview().map_err(std::io::Error::other)?)?;
                report.each_page(|name, page| folder.write_page(name, page))
            })?;
            return Ok(());
        }
        let (parts, note) = report.in_one_file()?;
        output::write_file_by(path, |file| {
            parts.iter().try_for_each(|part| file.write_all(part.as_bytes()))
        })?;
        if let Some(note) = note.filter(|_| !self.flags.answering.quiet) {
            diagnostics::note(&format!("{}: {note}", visible(&display_path(path))));
            diagnostics::advise("--report DIR writes a folder, with a page for each");
        }
        Ok(())
    }

    /// Judges pairs on all threads. Returns those with at least the verdict `least`, in their
    /// order, each with its record for every sink; for a report of all levels, also the others,
    /// without records.
    fn judged(
        &self,
        pairs: Vec<Pair>,
        least: Verdict,
        coverage: Covered,
        sinks: &[OutputSink],
    ) -> Vec<anyhow::Result<(Row, Option<PairEntries>, Vec<Record>)>> {
        let judged = parallel::map(self.threads, pairs, |pair| {
            // Every pair reaches *different*, so its verdict, which may take finding its
            // passages, is not needed before it is recorded.
            if least == Verdict::Different || self.answer.verdict(&pair) >= least {
                Some(self.recorded(pair, coverage, sinks))
            } else if self.is_reported() && self.answer.options.levels == Levels::All {
                Some(self.recorded(pair, coverage, &[]))
            } else {
                None
            }
        });
        judged.into_iter().flatten().collect()
    }

    /// Judges a pair. Returns its row, the entries of a baseline for it, and its record for every
    /// sink.
    fn recorded(
        &self,
        pair: Pair,
        coverage: Covered,
        sinks: &[OutputSink],
    ) -> anyhow::Result<(Row, Option<PairEntries>, Vec<Record>)> {
        let is_plain = self.baseline.is_none()
            && self.earlier.is_none()
            && sinks.iter().all(OutputSink::is_of_rows);
        if is_plain && coverage == Covered::Unknown {
            self.answer.collided.count(&pair);
            let is_by_far = self.answer.is_by_far(&pair) == Some(true);
            let verdict = self.answer.verdict(&pair);
            let (is_accepted, was_there) = (false, false);
            let row = Row { pair, verdict, is_accepted, was_there, is_by_far, shared: None };
            return Ok((row, None, Vec::new()));
        }
        let (left, right) =
            (&self.answer.document(pair.a).text, &self.answer.document(pair.b).text);
        let judgement = &self.answer.judge(&pair);
        let verdict = judgement.decision.verdict;
        let is_asked = verdict >= self.answer.level || self.answer.options.levels == Levels::Asked;
        let baseline = self.baseline.filter(|_| is_asked);
        let numbers = [pair.a, pair.b].map(|number| number as usize);
        let look = |it: &Matching| it.look(numbers, [left, right], judgement);
        let mut seen = baseline.map(look);
        let earlier = self.earlier.as_ref().filter(|_| is_asked);
        let earlier = earlier.map(|it| look(it).is_accepted);
        let is_listed = seen.as_ref().map(|seen| seen.is_accepted);
        let was_there = is_listed != Some(true) && earlier == Some(true);
        if let Some(seen) = &mut seen {
            seen.is_accepted |= was_there;
        }
        let is_accepted = is_listed.or(earlier).map(|it| it || was_there);
        let shared = judgement.matches.as_ref().filter(|_| coverage == Covered::Shown);
        let shared = shared.map(SharedPassages::new);
        let is_by_far = self.answer.is_by_far(&pair);
        let row = Row {
            pair,
            verdict,
            is_accepted: is_accepted == Some(true),
            was_there,
            is_by_far: is_by_far == Some(true),
            shared,
        };
        // Values that only the report needs must not change other outputs.
        let is_by_far = is_by_far.filter(|_| self.answer.options.task.is_nearest());
        let persons = [pair.a, pair.b].map(|text| self.answer.person(text));
        let shown = [pair.a, pair.b].map(|text| self.answer.shown(text));
        let listing = Listing::new(self.answer.is_listed_again(&pair));
        let (recipe, level) = (self.answer.recipe, self.answer.level);
        let pair = Judged::new([left, right], recipe, judgement, level);
        let pair = Judged { is_accepted, is_by_far, persons, shown, ..pair };
        let records = sinks.iter().map(|sink| sink.record(&pair, listing, &self.answer));
        Ok((row, seen, records.collect::<Result<_, _>>()?))
    }

    /// Returns the sinks of the output, standard output last.
    fn sinks(&self) -> Vec<OutputSink> {
        if self.purpose == Purpose::Accept {
            return Vec::new();
        }
        let weight = self.flags.answering.weight();
        destinations(&self.flags.formats, &self.flags.answering)
            .into_iter()
            .map(|(format, to)| OutputSink::new(format, to, &self.answer.names, weight))
            .collect()
    }

    /// Returns the exit status for the closest verdict.
    pub(crate) fn status(&self, closest: Option<Verdict>) -> Exit {
        match self.answer.gathered.has_errors {
            true => Exit::Error,
            false if self.flags.baseline.update_baseline => Exit::Success,
            false if self.flags.clean.is_asked() && !self.flags.answering.has_fail_on() => {
                Exit::Success
            }
            false => self.flags.answering.status(closest),
        }
    }
}

// The output of a corpus in one format, to one place.

/// The output in one format, to one place.
pub(crate) struct OutputSink {
    format: Format,
    to: Destination,
    content: Content,
}

/// The output that has not been written yet.
enum Content {
    /// Nothing: the output is rendered from the rows when all of them are known.
    Rows,
    /// Lines that are printed as they are made, with the exporter if the format is an export.
    Lines(Option<Exporter>, String),
    /// The records of pairs.
    Records(Spool),
    /// The pieces of an export, one for each pair.
    Pieces(Exporter, Pieces),
}

/// A pair in the form that a sink takes.
pub(crate) enum Record {
    Row,
    Written(String),
    Piece(Piece),
}

impl OutputSink {
    pub(crate) fn new(format: Format, to: Destination, names: &Names, weight: Weight) -> Self {
        let is_printed = to == Destination::Output;
        let content = match format {
            Format::Text | Format::Paths | Format::Paths0 => Content::Rows,
            Format::Jsonl if is_printed => Content::Lines(None, String::new()),
            Format::Jsonl => Content::Records(Spool::new("")),
            Format::Json => Content::Records(Spool::new(",")),
            Format::Export(export) => {
                let exporter = Exporter::new(export, names.clone(), weight);
                match exporter.only_head() {
                    Some(head) if is_printed => Content::Lines(Some(exporter), head),
                    _ => {
                        let pieces = exporter.pieces();
                        Content::Pieces(exporter, pieces)
                    }
                }
            }
        };
        Self { format, to, content }
    }

    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// Reports whether the output is made of rows, not of records.
    fn is_of_rows(&self) -> bool {
        matches!(self.content, Content::Rows)
    }

    /// Renders a pair for this sink.
    pub(crate) fn record(
        &self,
        pair: &Judged,
        listing: Listing,
        answer: &Answer,
    ) -> anyhow::Result<Record> {
        let options = &answer.options;
        let shown = render::ReportOptions {
            names: &answer.names,
            stopwords: &options.stopwords,
            settings: options.settings.as_deref(),
        };
        let json = || render::render_record(pair, false, &shown);
        Ok(match &self.content {
            Content::Rows => Record::Row,
            Content::Lines(Some(exporter), _) => {
                Record::Written(exporter.piece(pair, listing)?.into_text())
            }
            Content::Lines(None, _) | Content::Records(_) if self.format == Format::Jsonl => {
                Record::Written(json()? + "\n")
            }
            Content::Lines(None, _) | Content::Records(_) => Record::Written(json()?),
            Content::Pieces(exporter, _) => Record::Piece(exporter.piece(pair, listing)?),
        })
    }

    /// Adds a result of [`record`](Self::record).
    ///
    /// # Errors
    ///
    /// Returns an error if a temporary file cannot be written.
    pub(crate) fn add(&mut self, record: Record) -> anyhow::Result<()> {
        let added = match (&mut self.content, record) {
            (Content::Lines(_, lines), Record::Written(record)) => {
                lines.push_str(&record);
                Ok(())
            }
            (Content::Records(records), Record::Written(record)) => records.add(&record),
            (Content::Pieces(_, pieces), Record::Piece(piece)) => pieces.add(piece),
            _ => Ok(()),
        };
        added.with_context(temporary)
    }

    /// Prints the lines that are complete, if the output consists of lines.
    fn write_so_far(&mut self) -> anyhow::Result<Reader> {
        match &mut self.content {
            Content::Lines(_, lines) => {
                output::write_lines(self.format.syntax(), &std::mem::take(lines))
            }
            _ => Ok(Reader::Reads),
        }
    }

    /// Writes the complete output, or what remains of it.
    pub(crate) fn write(mut self, answer: &Answer, rows: &[Row]) -> anyhow::Result<()> {
        let is_nearest = answer.options.task.is_nearest();
        let whole = match std::mem::replace(&mut self.content, Content::Rows) {
            Content::Rows if self.format != Format::Text => render::render_paths(
                self.format,
                &answer.names,
                render::corpus::paths(answer, rows),
            )?
            .into(),
            Content::Rows => render::corpus::render_pairs(answer, rows).into(),
            Content::Lines(Some(exporter), lines) => {
                exporter.with_tail(lines.into(), &render::corpus::run(answer))?
            }
            Content::Lines(None, lines) => lines.into(),
            Content::Records(records) if self.format == Format::Json => render::corpus::object(
                answer,
                if is_nearest { "nearest" } else { "pairs" },
                records,
            )?,
            Content::Records(records) => Whole::from(String::new()).with_records(records),
            Content::Pieces(exporter, pieces) => {
                exporter.whole(pieces, &render::corpus::run(answer))?
            }
        };
        self.write_whole(answer, whole)
    }

    /// Writes an output that was rendered elsewhere.
    pub(crate) fn write_whole(&self, answer: &Answer, whole: Whole) -> anyhow::Result<()> {
        if self.to == Destination::Output && whole.is_empty() {
            return Ok(());
        }
        self.to.write(self.format, whole, answer.options.color)
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

/// The default limit on pairs that are only held in memory, to find clusters or the closest
/// verdict. Each takes 32 bytes. Texts with the same shingles count as one text.
const MAX_PAIRS_HELD: usize = 100_000_000;

/// The largest number of pairs of an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnswerLimit {
    /// `None` if there is no limit.
    max_pairs: Option<usize>,
    /// Whether pairs are reported one by one.
    is_listed: bool,
    /// Whether clusters or the nearest texts could be requested instead.
    has_others: bool,
}

impl AnswerLimit {
    pub(crate) fn new(flags: &CorpusFlags, is_listed: bool) -> Self {
        let usual = if is_listed { MAX_REPORTED } else { MAX_PAIRS_HELD };
        let max_pairs = flags.max_pairs.map_or(Some(usual), Option::from);
        Self { max_pairs, is_listed, has_others: is_listed && flags.task() != Task::Items }
    }

    /// Returns the limit with `--nearest`. As `--nearest` bounds the pairs of each text, there is
    /// no limit unless one is given.
    fn of_nearest(flags: &CorpusFlags) -> Self {
        let max_pairs = flags.max_pairs.and_then(Option::from);
        Self { max_pairs, is_listed: true, has_others: true }
    }

    /// Returns the largest number of pairs.
    pub(crate) fn max_pairs(self) -> usize {
        self.max_pairs.unwrap_or(usize::MAX)
    }

    /// Makes the error of a join that failed.
    fn error(self, error: JoinError, level: Verdict) -> anyhow::Error {
        match error {
            JoinError::TooManyPairs(_) => self.too_many(level).into(),
            JoinError::TempFile(error) => error.into(),
        }
    }

    /// Makes the error for more pairs than the limit.
    pub(crate) fn too_many(self, level: Verdict) -> Diagnostic {
        let (pairs, level) = (counted(self.max_pairs(), "pair"), or_closer(level));
        let hint = if self.has_others {
            "--clusters or --keep finds the clusters, --nearest N the nearest texts of each; \
             --max-pairs off lifts the limit"
        } else {
            "a closer level has fewer pairs; --max-pairs off lifts the limit"
        };
        let what = format!("more than {pairs} {level}, expected at most that many");
        Diagnostic::new(what).hint(hint).flags(["max-pairs", "nearest"])
    }

    /// Checks that no more pairs are reported than the limit allows. Costs some nanoseconds per
    /// pair; pairs are judged only if there may be too many.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if there are too many.
    pub(crate) fn check<P: Iterator<Item = Pair>>(
        self,
        pairs: impl Fn() -> P,
        counts: impl Fn(&Pair) -> bool,
        level: Verdict,
    ) -> Result<(), Diagnostic> {
        let Some(max_pairs) = self.max_pairs.filter(|_| self.is_listed) else { return Ok(()) };
        let is_beyond =
            pairs().nth(max_pairs).is_some() && pairs().filter(counts).nth(max_pairs).is_some();
        if is_beyond { Err(self.too_many(level)) } else { Ok(()) }
    }

    /// Checks a number of pairs, whatever their verdicts.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if there are too many.
    pub(crate) fn check_count(self, pairs: usize) -> Result<(), Diagnostic> {
        if pairs > self.max_pairs() { Err(self.too_many(Verdict::Different)) } else { Ok(()) }
    }
}

// `--each-against`: for each text that `--against` names, the new texts that share passages with
// it.

/// Finds, for each old text in the order of the input, the new texts that reach the level. Also
/// returns the closest verdict of all.
fn items_found(
    answer: &Answer,
    pairs: impl Iterator<Item = Pair>,
    (threads, progress): (NonZeroUsize, &Progress),
) -> (Vec<ItemRecord>, Option<Verdict>) {
    let corpus = answer.corpus();
    let is_old = |text: u32| corpus.collection.place(text).side == Side::Old;
    let position = |text: u32| answer.gathered.texts.position(text).unwrap_or(usize::MAX);
    // A pair of which neither text is old, as when both are named on both sides, belongs to no
    // item.
    let turned = pairs.filter_map(|pair| match (is_old(pair.a), is_old(pair.b)) {
        (true, _) => Some(pair),
        (_, true) => Some(beginning_with(pair, pair.b)),
        _ => None,
    });
    let mut pairs: Vec<Pair> = turned.collect();
    pairs.sort_by_cached_key(|pair| (position(pair.a), position(pair.b)));
    let done = progress.begin(Stage::Judging, pairs.len() as u64);
    let judged = parallel::map(threads, pairs, |pair| {
        let judgement = answer.judge(&pair);
        done.add(1);
        let is_found = judgement.decision.verdict >= answer.level;
        is_found.then_some((pair, judgement))
    });
    let found: Vec<(Pair, Judgement)> = judged.into_iter().flatten().collect();
    let mut items: Vec<u32> =
        (0_u32..).take(corpus.documents.len()).filter(|text| is_old(*text)).collect();
    items.sort_by_cached_key(|item| position(*item));
    let mut rest = found.as_slice();
    let mut records: Vec<ItemRecord> = Vec::with_capacity(items.len());
    for item in items {
        let count = rest.iter().take_while(|(pair, _)| pair.a == item).count();
        let (of_item, others) = rest.split_at(count);
        rest = others;
        let found =
            of_item.iter().map(|(pair, judgement)| record(answer, pair, judgement)).collect();
        records.push(ItemRecord { schema: ITEM_SCHEMA, id: answer.given_name(item), found });
    }
    let closest = found.iter().map(|(_, it)| it.decision.verdict).max();
    (records, closest)
}

fn record(answer: &Answer, pair: &Pair, judgement: &Judgement) -> FoundRecord {
    let matches = judgement.matches.as_ref();
    let coverage = matches.map(|matches| [matches.coverage.left, matches.coverage.right]);
    let covered = coverage.unwrap_or_default();
    let [of_item, of_text] = covered.map(|share| share.map(Share::ratio));
    let ends = |place: &Place| [place.bytes.start, place.bytes.end];
    let places = matches
        .map_or(&[][..], |matches| &matches.all)
        .iter()
        .map(|found| Sides { item: ends(&found.left), text: ends(&found.right) });
    FoundRecord {
        id: answer.given_name(pair.b),
        verdict: judgement.decision.verdict.name(),
        jaccard: pair.all.jaccard().map(Share::ratio),
        coverage: Sides { item: of_item, text: of_text },
        covered,
        places: places.collect(),
    }
}
