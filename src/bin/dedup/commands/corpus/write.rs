//! Judges the pairs that were found, and writes the answer in each requested form. All outputs and
//! the exit status come from the same judged pairs.

use std::ops::ControlFlow;

use dedup_text::corpus::PairSearch;
use dedup_text::corpus::join::{Cluster, Pair};
use dedup_text::corpus::preference::Keep;
use dedup_text::display::visible;
use dedup_text::pair::{Judgement, Search};
use dedup_text::parallel::{self, Watch};
use dedup_text::passages::Reworded;
use dedup_text::text::{Side, display_path};
use dedup_text::verdict::Verdict;

use super::clean::{self, Cleaning};
use super::flags::CorpusFlags;
use super::judge::{Depth, Judge, Judged, Outcome};
use super::model::{Answer, JudgedCluster, JudgedPairs, JudgedRow, Levels, SharedPassages, Task};
use super::page::{Board, Report, Shape};
use super::search::{Candidates, note_skipped};
use super::sink::OutputSink;
use super::{items, keep};
use crate::diagnostics::{self, Exit};
use crate::exports::{Format, RenderedPair};
use crate::io::inputs::again::ReadTwice;
use crate::io::output::{self, PipeReader};
use crate::model::Pair as JudgedTexts;
use crate::model::findings::{Findings, FindingsBuilder};
use crate::outputs::destinations;
use crate::progress::{Progress, Stage};

/// The number of pairs that are judged and written at a time.
pub(super) const BATCH: usize = 4096;

/// The largest number of pairs that are listed with the shares of their texts, unless more are
/// asked for. Of more pairs, the closest by their figures are listed: the passages of each pair are
/// searched for once more.
const MAX_LISTED: usize = 10_000;

/// A run whose pairs were found.
pub(super) struct Run<'a> {
    pub(super) flags: &'a CorpusFlags,
    pub(super) judge: &'a Judge<'a>,
    pub(super) candidates: &'a Candidates<'a>,
    pub(super) progress: &'a Progress,
    /// The files of records, which are read a second time for a clean corpus.
    pub(super) twice: &'a ReadTwice,
}

impl Run<'_> {
    /// Writes the answer and the report.
    ///
    /// # Errors
    ///
    /// Returns an error if a temporary file cannot be read or written, or if an output cannot be
    /// written.
    pub(super) fn write(&self) -> anyhow::Result<Outcome> {
        Ok(match &self.judge.answer.options.task {
            Task::Pairs | Task::Nearest(_) => match self.candidates {
                Candidates::Searched(search) => self.write_searched(search, self.sinks())?,
                _ => self.write_pairs(self.sinks())?,
            },
            Task::Items => self.write_items()?,
            Task::Clusters | Task::Keep(_) => {
                if self.is_reported() {
                    self.write_pairs(Vec::new())?;
                }
                self.write_clusters()?
            }
        })
    }

    /// Writes the findings for each old text.
    fn write_items(&self) -> anyhow::Result<Outcome> {
        let answer = self.judge.answer;
        let pairs = self.candidates.pairs(answer.gathered);
        let (records, outcome) = items::find(self.judge, pairs, self.progress);
        for sink in self.sinks() {
            let rendered = super::answer::render_items(answer, &records, sink.format)?;
            sink.write_rendered(answer, rendered)?;
        }
        Ok(outcome)
    }

    /// Writes the clusters, or what is kept of them.
    fn write_clusters(&self) -> anyhow::Result<Outcome> {
        let answer = self.judge.answer;
        let clusters = self.candidates.clusters(&answer.corpus().collection);
        let judged = self.judge_links(&clusters);
        let mut outcome = Outcome::default();
        for row in judged.iter().flat_map(|cluster| &cluster.links) {
            outcome.closest = outcome.closest.max(Some(row.verdict));
            outcome.pairs.add(*row, true, row.verdict >= answer.level);
        }
        if let Task::Keep(keep) = &answer.options.task {
            self.write_kept(keep, &clusters)?;
            return Ok(outcome);
        }
        for sink in self.sinks() {
            let rendered = super::answer::render_clusters(answer, &judged, sink.format)?;
            sink.write_rendered(answer, rendered)?;
        }
        Ok(outcome)
    }

    /// Judges the pairs that link the texts of clusters.
    fn judge_links(&self, clusters: &[Cluster]) -> Vec<JudgedCluster> {
        let collection = &self.judge.answer.corpus().collection;
        let links = clusters.iter().flat_map(|cluster| &cluster.links);
        let links = links.map(|link| collection.pair(link.a, link.b));
        let judged = self.judge.all(links, |_| Some(Depth::Figures), |_| ());
        let mut rows = judged.into_iter().map(|(judged, ())| judged.row);
        let judged = clusters.iter().map(|cluster| JudgedCluster {
            members: cluster.members.clone(),
            links: rows.by_ref().take(cluster.links.len()).collect(),
        });
        judged.collect()
    }

    /// Writes the texts that are kept, and the clean corpus if it is requested.
    fn write_kept(&self, rule: &Keep, clusters: &[Cluster]) -> anyhow::Result<()> {
        let (answer, flags) = (self.judge.answer, &self.flags.clean);
        keep::check_field(answer, rule, &self.flags.inputs)?;
        let keeping =
            keep::decide(answer, (rule, self.flags.keeping.keep_by), self.candidates, clusters);
        if flags.written().next().is_some() {
            let records = clean::records(answer, &keeping, flags);
            let run = Cleaning {
                judge: self.judge,
                keeping: &keeping,
                flags,
                twice: self.twice,
                most_unpacked: self.flags.reading()?.bounds.unpacked,
                done: self.progress.begin(Stage::Writing, records),
            };
            clean::write(&run)?;
        }
        for sink in self.sinks() {
            if !flags.is_asked() || sink.format != Format::Text {
                let rendered = super::answer::render_kept(answer, &keeping, sink.format)?;
                sink.write_rendered(answer, rendered)?;
                continue;
            }
            let summary = super::answer::render_counts(answer, &keeping);
            if sink.is_printed() && flags.is_printed() {
                summary.lines().for_each(diagnostics::note);
            } else {
                sink.write_rendered(answer, summary.into())?;
            }
        }
        clean::warn_of_sources(answer, &keeping, &self.flags.inputs);
        if let Some(chains) = keeping.chains().filter(|_| !self.shows_text()) {
            diagnostics::note(&chains);
        }
        Ok(())
    }

    /// Reports whether the answer for people is printed.
    fn shows_text(&self) -> bool {
        !self.flags.answering.quiet && self.flags.formats.printed() == Format::Text
    }

    fn is_reported(&self) -> bool {
        self.flags.report.file().is_some()
    }

    /// Judges the pairs, and writes those of the answer to the sinks and to the report, if there is
    /// one. A report of all levels has the others as well.
    fn write_pairs(&self, mut sinks: Vec<OutputSink>) -> anyhow::Result<Outcome> {
        let answer = self.judge.answer;
        let (outcome, board, (findings, of_board)) =
            self.judge_pairs(&mut sinks, self.is_reported())?;
        self.write_report(&outcome.pairs, of_board.as_ref().unwrap_or(&findings), board)?;
        for sink in sinks {
            sink.write(answer, &outcome.pairs, &findings)?;
        }
        Ok(outcome)
    }

    /// Judges the pairs as they are found, and writes them as they are judged.
    fn write_searched(
        &self,
        search: &PairSearch,
        mut sinks: Vec<OutputSink>,
    ) -> anyhow::Result<Outcome> {
        let Answer { gathered, level, .. } = *self.judge.answer;
        let (mut outcome, mut written) = (Outcome::default(), Ok(()));
        let judge = |pair: &Pair, judgement| {
            gathered.touches_focus(pair).then(|| self.judge.judged(pair, judgement))
        };
        let mut write = |judged: Vec<Judged>| -> anyhow::Result<bool> {
            let records =
                parallel::map(self.judge.threads, &judged, |it| self.records(it, level, &sinks));
            for (Judged { row, .. }, records) in judged.into_iter().zip(records) {
                outcome.closest = outcome.closest.max(Some(row.verdict));
                outcome.pairs.add(row, true, true);
                for (sink, record) in sinks.iter_mut().zip(records?) {
                    sink.add(record)?;
                }
            }
            outcome.pairs.rows.clear();
            write_so_far(&mut sinks)?;
            Ok(sinks.is_empty() && outcome.closest.is_some())
        };
        let advance = self.progress.begin(Stage::Judging, 0);
        let watch = Watch { threads: self.judge.threads, advance };
        let reworded = search.judge_each(watch, judge, |judged| match write(judged) {
            Ok(false) => ControlFlow::Continue(()),
            Ok(true) => ControlFlow::Break(()),
            Err(error) => {
                written = Err(error);
                ControlFlow::Break(())
            }
        });
        written?;
        if reworded == Reworded::Skipped {
            note_skipped();
        }
        for sink in sinks {
            // No format that streams lists findings.
            sink.write(self.judge.answer, &outcome.pairs, &Findings::default())?;
        }
        Ok(outcome)
    }

    /// Judges the pairs, and adds those of the answer to the sinks. Sinks that nobody reads any more
    /// are removed. The outcome has rows if a sink or a report lists them. The findings are those of the
    /// answer and, if the report lists pairs below the level, those of the report.
    fn judge_pairs(
        &self,
        sinks: &mut Vec<OutputSink>,
        is_reported: bool,
    ) -> anyhow::Result<(Outcome, Board, (Findings<'_>, Option<Findings<'_>>))> {
        let answer = self.judge.answer;
        let gathered = answer.gathered;
        let least =
            if answer.options.task.is_nearest() { Verdict::Different } else { answer.level };
        let shows_text = sinks.iter().any(|sink| sink.format == Format::Text);
        let is_listed = shows_text || is_reported;
        let most = match answer.options.rows {
            Some(rows) => rows.max(MAX_LISTED),
            None if shows_text => usize::MAX,
            None => MAX_LISTED,
        };
        let is_searched = answer.recipe.search != Search::Never;
        let is_few = || self.candidates.pairs(gathered).nth(most).is_none();
        let is_covered = is_listed && is_searched && is_few();
        let needs_all = is_reported || self.judge.needs_all();
        let all_of_rows = sinks.iter().all(OutputSink::is_of_rows);
        let whole = if is_covered || !all_of_rows { Depth::Passages } else { Depth::Figures };
        let shows_below = is_reported && answer.options.levels == Levels::All;
        // Every pair reaches *different*, so its verdict, which may take finding its passages, is
        // not needed before it is judged.
        let reaches = |pair: &Pair| least == Verdict::Different || answer.verdict(pair) >= least;
        let depth = |pair: &Pair| match reaches(pair) {
            true if all_of_rows => Some(self.judge.depth_of_row(pair, whole)),
            true => Some(whole),
            false if shows_below && is_covered => Some(Depth::Passages),
            false => shows_below.then_some(Depth::Figures),
        };
        let (mut outcome, mut board) = (Outcome::default(), Board::default());
        let of_board = shows_below.then_some(Verdict::Excerpt);
        let mut findings: Vec<FindingsBuilder> =
            std::iter::once(answer.level).chain(of_board).map(FindingsBuilder::new).collect();
        let has_findings = |sink: &OutputSink| match sink.format {
            Format::Text => true,
            Format::Export(export) => export.has_passages,
            _ => false,
        };
        let has_findings = is_reported || sinks.iter().any(has_findings);
        // The advice names the pair that the answer lists first: the closest pair in the answer for
        // people, and the first pair found in other formats.
        let is_sorted = self.shows_text() && !answer.options.task.is_nearest();
        let mut first: Option<JudgedRow> = None;
        let texts = answer.corpus().documents.len() as u64;
        let (done, mut seen) = (self.progress.begin(Stage::Judging, texts), 0);
        let mut pairs = self.candidates.pairs(gathered);
        loop {
            let batch: Vec<Pair> = pairs.by_ref().take(BATCH).collect();
            let Some(end) = batch.last() else { break };
            let passed = seen.max(u64::from(end.a));
            let record = |judged: &Judged| self.records(judged, least, sinks);
            for (judged, records) in self.judge.all(batch, depth, record) {
                let Judged { row, judgement, entries } = judged;
                if row.accepted.is_none() {
                    outcome.closest = outcome.closest.max(Some(row.verdict));
                }
                if let Some(entries) = entries.as_ref().filter(|it| !it.is_accepted)
                    && first.is_none_or(|it| is_sorted && row.closest_first(&it).is_lt())
                {
                    first = Some(row);
                    outcome.found.put_first(entries);
                }
                if let Some(judgement) = judgement.as_ref().filter(|_| has_findings) {
                    self.add_findings(&mut findings, &row, judgement);
                    if is_reported {
                        board.shared.add(&row, judgement);
                    }
                }
                outcome.found.extend(entries);
                outcome.pairs.add(row, row.verdict >= least, row.verdict >= answer.level);
                for (sink, record) in sinks.iter_mut().zip(records?) {
                    sink.add(record)?;
                }
                if is_reported && is_covered && row.accepted.is_none() {
                    self.offer(&mut board, &row, judgement);
                }
            }
            done.add(passed - seen);
            seen = passed;
            if !is_listed {
                outcome.pairs.rows.clear();
            } else if outcome.pairs.rows.len() / 2 > most {
                outcome.pairs.keep_closest(most);
            }
            write_so_far(sinks)?;
            // Stop if no further pair could change the exit status, and nothing reads them.
            if sinks.is_empty() && !needs_all && outcome.closest >= Some(answer.level) {
                break;
            }
        }
        outcome.pairs.keep_closest(most);
        if is_listed && is_searched && !is_covered {
            let board = is_reported.then_some(&mut board);
            self.cover(&mut outcome.pairs.rows, board, &mut findings);
        } else if is_listed && !is_searched && answer.options.columns.has_shares() {
            outcome.pairs.keep_closest(answer.options.rows.unwrap_or(usize::MAX));
            self.cover_again(&mut outcome.pairs.rows);
        }
        let unchanged = self.judge.accepted.unchanged_texts;
        let has_changed = |text| unchanged.is_some_and(|unchanged| !unchanged.contains(&text));
        let mut findings = findings.into_iter().map(|it| it.finish(&answer.names, has_changed));
        let findings = (findings.next().unwrap_or_default(), findings.next());
        Ok((outcome, board, findings))
    }

    /// Searches for the passages of rows, offers their judgements to a report, and adds the findings of those that were judged without them.
    fn cover<'a>(
        &'a self,
        rows: &mut [JudgedRow],
        mut board: Option<&mut Board>,
        findings: &mut [FindingsBuilder<'a>],
    ) {
        for batch in rows.chunks_mut(BATCH) {
            let pairs = batch.iter().map(|row| row.pair);
            let judged = self.judge.all(pairs, |_| Some(Depth::Passages), |_| ());
            for (row, (judged, ())) in batch.iter_mut().zip(judged) {
                if let (None, Some(judgement)) = (row.shared, &judged.judgement) {
                    self.add_findings(findings, row, judgement);
                    if let Some(board) = &mut board {
                        board.shared.add(row, judgement);
                    }
                }
                row.shared = judged.row.shared;
                if let Some(board) = &mut board {
                    self.offer(board, row, judged.judgement);
                }
            }
        }
    }

    /// Searches for the passages of rows whose texts were not kept, in the texts, opened again: for
    /// the list alone. A row whose texts cannot be opened again stays as it is.
    fn cover_again(&self, rows: &mut [JudgedRow]) {
        let gathered = self.judge.answer.gathered;
        let shared = parallel::map(self.judge.threads, rows.iter(), |row| {
            let texts = [gathered.open_again(row.pair.a)?, gathered.open_again(row.pair.b)?];
            let matches = gathered.corpus.matches_in(&row.pair, texts)?;
            Some(SharedPassages::new(&matches))
        });
        rows.iter_mut().zip(shared).for_each(|(row, shared)| row.shared = shared);
    }

    /// Offers a pair to the pages of a report, with its texts in the order of their numbers.
    fn offer(&self, board: &mut Board, row: &JudgedRow, judgement: Option<Judgement>) {
        let is_turned = row.pair.a > row.pair.b;
        let in_order =
            is_turned.then(|| self.judge.judge(&row.in_order().pair, Depth::Passages).judgement);
        if let Some(judgement) = in_order.unwrap_or(judgement) {
            board.offer(row, judgement);
        }
    }

    /// Renders a judged pair for each sink.
    fn records(
        &self,
        Judged { row, judgement, .. }: &Judged,
        least: Verdict,
        sinks: &[OutputSink],
    ) -> anyhow::Result<Vec<RenderedPair>> {
        let Some(judgement) = judgement.as_ref().filter(|_| row.verdict >= least) else {
            return Ok(Vec::new());
        };
        let pair = self.judged_texts(row, judgement);
        sinks.iter().map(|sink| sink.render(&pair, self.judge.answer)).collect()
    }

    /// Adds the findings of a pair, unless it was accepted or listed before.
    fn add_findings<'a>(
        &'a self,
        findings: &mut [FindingsBuilder<'a>],
        row: &JudgedRow,
        judgement: &Judgement,
    ) {
        if row.accepted.is_some() || row.is_listed_again {
            return;
        }
        let numbers = [row.pair.a, row.pair.b];
        let texts = numbers.map(|number| &self.judge.answer.document(number).text);
        let pair = self.judged_texts(row, judgement);
        for builder in findings {
            builder.add(&pair, texts, numbers);
        }
    }

    fn judged_texts<'j>(&'j self, row: &JudgedRow, judgement: &'j Judgement) -> JudgedTexts<'j> {
        let answer = self.judge.answer;
        let gathered = answer.gathered;
        let numbers = [row.pair.a, row.pair.b];
        let texts = numbers.map(|number| &answer.document(number).text);
        JudgedTexts {
            is_accepted: self.judge.checks_accepted(row).then_some(row.accepted.is_some()),
            accepted_by: row.accepted,
            weight: answer.options.weight,
            persons: numbers.map(|text| answer.person(text)),
            shown: numbers.map(|text| answer.shown(text)),
            earlier: ([Side::Left, Side::Right].into_iter().zip(numbers))
                .find_map(|(side, text)| gathered.is_earlier(text).then_some(side)),
            ..JudgedTexts::new(texts, answer.recipe, judgement, answer.level)
        }
    }

    /// Writes the report if one is requested, and prints a note on what it leaves out.
    fn write_report(
        &self,
        pairs: &JudgedPairs,
        findings: &Findings,
        board: Board,
    ) -> anyhow::Result<()> {
        let flags = &self.flags.report;
        let Some(path) = flags.file() else { return Ok(()) };
        let is_folder = flags.folder().is_some();
        let shape = if is_folder { Shape::Folder } else { Shape::Page };
        let report = Report::new(self.judge.answer, pairs, findings, (board, shape));
        // The key is written when the anonymous report is complete, but before that gets its name:
        // no report is without its key.
        let key = flags.key().map(|path| anyhow::Ok((path, report.key()?))).transpose()?;
        let write_key = || match &key {
            Some((path, key)) => output::write_key(path, key).map_err(std::io::Error::other),
            None => Ok(()),
        };
        if is_folder {
            output::write_folder(path, |folder| {
                folder.write_index(&report.overview().map_err(std::io::Error::other)?)?;
                report.each_page(|name, page| folder.write_page(name, page))?;
                write_key()
            })?;
            return Ok(());
        }
        let (parts, note) = report.in_one_file()?;
        output::write_file_by(path, |file| {
            parts.iter().try_for_each(|part| file.write_all(part.as_bytes()))?;
            write_key()
        })?;
        if let Some(note) = note.filter(|_| !self.flags.answering.quiet) {
            diagnostics::note(&format!("{}: {note}", visible(&display_path(path))));
            diagnostics::advise("--report DIR writes a folder, with a page for each");
        }
        Ok(())
    }

    /// Returns the sinks of the output, standard output last.
    fn sinks(&self) -> Vec<OutputSink> {
        destinations(&self.flags.formats, &self.flags.answering)
            .into_iter()
            .map(|(format, to)| OutputSink::new(format, to))
            .collect()
    }
}

/// Returns the exit status of a run, given the closest verdict of its pairs.
pub(super) fn status(answer: &Answer, flags: &CorpusFlags, closest: Option<Verdict>) -> Exit {
    match answer.gathered.has_errors {
        true => Exit::Error,
        false if flags.baseline.update_baseline => Exit::Success,
        false if flags.clean.is_asked() && !flags.answering.has_fail_on() => Exit::Success,
        false => flags.answering.status(closest),
    }
}

/// Writes what each sink can write already, and removes those that nobody reads any more.
fn write_so_far(sinks: &mut Vec<OutputSink>) -> anyhow::Result<()> {
    let mut read = Vec::with_capacity(sinks.len());
    for mut sink in sinks.drain(..) {
        if sink.write_so_far()? == PipeReader::Reads {
            read.push(sink);
        }
    }
    *sinks = read;
    Ok(())
}
