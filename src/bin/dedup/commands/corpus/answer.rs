//! A joined corpus → what is printed, in the form that the flags ask for.

use std::num::NonZeroUsize;
use std::sync::OnceLock;

use dedup_text::corpus::join::{Pair, clusters_of, join_at_most, nearest_watched};
use dedup_text::corpus::{CommonStretch, Corpus, Document, FoundPairs};
use dedup_text::jaccard::Overlap;
use dedup_text::pair::Judgement;
use dedup_text::pair::recipe::Recipe;
use dedup_text::pair::warnings::Warning;
use dedup_text::parallel::{self, Advance};
use dedup_text::text::display_path;
use dedup_text::verdict::Verdict;

use crate::args::{CorpusFlags, Export, Format};
use crate::commands::baseline::{Baseline, Found, Seen};
use crate::commands::corpus::collided::Collided;
use crate::commands::corpus::gather::Gathered;
use crate::commands::corpus::output_sink::{Destination, OutputSink, Record};
use crate::commands::corpus::room::Room;
use crate::exit::Exit;
use crate::io::output::Reader;
use crate::progress::{Progress, Stage};
use crate::render;
use crate::render::corpus::clusters;
use crate::render::corpus::page;
use crate::render::corpus::table::{self, Row};
use crate::render::exports::{Names, Run};

/// Pairs that are judged and written at a time.
const BATCH: usize = 4096;

/// A corpus, and how it is answered for.
pub(crate) struct Answer<'a> {
    pub(crate) gathered: &'a Gathered<'a>,
    pub(crate) recipe: &'a Recipe,
    pub(crate) flags: &'a CorpusFlags,
    pub(crate) level: Verdict,
    pub(crate) threads: NonZeroUsize,
    pub(crate) baseline: Option<&'a Baseline>,
    pub(crate) progress: Progress,
    /// What texts go by in other programs.
    pub(crate) names: Names,
    /// The pairs that are partial or excerpts, or closer, once they are known.
    pub(crate) found: OnceLock<FoundPairs>,
    /// What looks made to deceive.
    pub(crate) collided: Collided<'a>,
}

/// What came of the answer.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// The closest verdict of a pair that counts; none where there is none.
    pub(crate) closest: Option<Verdict>,
    /// What a baseline would list.
    pub(crate) found: Found,
}

impl Answer<'_> {
    pub(crate) fn corpus(&self) -> &Corpus<'_> {
        &self.gathered.corpus
    }

    /// The verdict on two of the texts.
    pub(crate) fn verdict(&self, pair: &Pair) -> Verdict {
        let found = self.found.get().map_or(&[][..], |found| &found.pairs);
        let known = found.binary_search_by_key(&(pair.a, pair.b), |(pair, _)| (pair.a, pair.b));
        known.map_or_else(|_| self.corpus().verdict(pair), |at| found[at].1)
    }

    /// Writes what is found.
    pub(crate) fn write(&self) -> anyhow::Result<Outcome> {
        if let Some(most) = self.flags.nearest.and_then(NonZeroUsize::new) {
            let joining = self.progress.begin(Stage::Joining, 0);
            let nearest = nearest_watched(&self.corpus().collection, most, self.threads, joining);
            Room::of_nearest(self.flags).check_count(nearest.iter().map(Vec::len).sum())?;
            let pairs = nearest.into_iter().zip(0..).flat_map(|(pairs, text)| {
                pairs.into_iter().map(move |pair| beginning_with(pair, text))
            });
            return self.write_pairs(pairs, Verdict::Different, self.sheets());
        }
        let is_of_clusters = self.flags.clusters || self.flags.keep.is_some();
        let sheets = if is_of_clusters { Vec::new() } else { self.sheets() };
        let room = Room::of(self.flags, self.needs_all() || !sheets.is_empty());
        let watched = (self.threads, self.progress.begin(Stage::Joining, 0));
        if matches!(self.level, Verdict::Partial | Verdict::Excerpt) {
            return self.write_found(room, watched, sheets);
        }
        let condition = self.corpus().condition(self.level);
        let by_words = (self.level == Verdict::Identical).then(|| self.corpus().by_words());
        let collection = by_words.as_ref().unwrap_or(&self.corpus().collection);
        let joined = join_at_most(collection, &condition, room.most(), watched)
            .map_err(|_| room.trouble(self.level))?;
        let pairs = || {
            joined.pairs().map(|pair| match by_words {
                Some(_) => self.corpus().collection.pair(pair.a, pair.b),
                None => pair,
            })
        };
        room.check(pairs, |pair| self.corpus().verdict(pair) >= self.level, self.level)?;
        if is_of_clusters {
            if self.is_reported() {
                self.write_pairs(pairs(), self.level, Vec::new())?;
            }
            return clusters::write(self, &joined.clusters());
        }
        self.write_pairs(pairs(), self.level, sheets)
    }

    /// Writes the pairs that are partial or excerpts, or closer: passages may decide that.
    fn write_found(
        &self,
        room: Room,
        watched: (NonZeroUsize, &Advance),
        sheets: Vec<OutputSink>,
    ) -> anyhow::Result<Outcome> {
        let is_listed = !self.flags.pair_common;
        let found = self.corpus().found(self.level, is_listed, room.most(), watched);
        let found = found.map_err(|_| room.trouble(self.level))?;
        let FoundPairs { pairs, closest, .. } = self.found.get_or_init(|| found);
        let pairs = || pairs.iter().map(|(pair, _)| *pair);
        let is_of_clusters = self.flags.clusters || self.flags.keep.is_some();
        let mut outcome = Outcome::default();
        if !is_of_clusters || self.is_reported() {
            outcome = self.write_pairs(pairs(), self.level, sheets)?;
        }
        if is_of_clusters {
            let clusters = clusters_of(&self.corpus().collection, pairs().collect());
            outcome = clusters::write(self, &clusters)?;
        }
        outcome.closest = outcome.closest.max(closest.filter(|closest| *closest >= self.level));
        Ok(outcome)
    }

    fn is_reported(&self) -> bool {
        self.flags.report.file().is_some()
    }

    /// Whether all pairs must be known, whatever is printed.
    fn needs_all(&self) -> bool {
        self.is_reported() || self.baseline.is_some_and(Baseline::needs_all)
    }

    /// Writes the pairs of a level or a closer one: the report, if there is to be one, and sheets.
    fn write_pairs(
        &self,
        mut pairs: impl Iterator<Item = Pair>,
        least: Verdict,
        mut sheets: Vec<OutputSink>,
    ) -> anyhow::Result<Outcome> {
        let (mut outcome, mut rows) = (Outcome::default(), Vec::new());
        let needs_all = self.needs_all();
        let done = self.progress.begin(Stage::Judging, 0);
        loop {
            let batch: Vec<Pair> = pairs.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                break;
            }
            done.add(batch.len() as u64);
            for judged in self.judged(batch, least, &sheets) {
                let (row, seen, records) = judged?;
                if !row.is_accepted {
                    outcome.closest = outcome.closest.max(Some(row.verdict));
                }
                rows.push(row);
                outcome.found.extend(seen);
                for (sheet, record) in sheets.iter_mut().zip(records) {
                    sheet.add(record)?;
                }
            }
            if !self.is_reported() && !sheets.iter().any(OutputSink::is_of_rows) {
                rows.clear();
            }
            let mut read = Vec::with_capacity(sheets.len());
            for mut sheet in sheets {
                if sheet.write_so_far()? == Reader::Reads {
                    read.push(sheet);
                }
            }
            sheets = read;
            // Nothing that follows would change the status, or be read.
            if sheets.is_empty() && !needs_all && outcome.closest >= Some(self.level) {
                break;
            }
        }
        page::write(self, &rows)?;
        for sheet in sheets {
            sheet.write(self, &rows)?;
        }
        Ok(outcome)
    }

    /// Judges pairs side by side; those of a level or a closer one, in their order, each with
    /// its record for every sheet.
    fn judged(
        &self,
        pairs: Vec<Pair>,
        least: Verdict,
        sheets: &[OutputSink],
    ) -> Vec<anyhow::Result<(Row, Option<Seen>, Vec<Record>)>> {
        let judged = parallel::each(
            self.threads,
            pairs,
            || (),
            |(), pair| {
                let verdict = self.verdict(&pair);
                (verdict >= least).then(|| self.recorded(pair, verdict, sheets))
            },
        );
        judged.into_iter().flatten().collect()
    }

    /// A pair, what a baseline says of it, and its record for every sheet.
    fn recorded(
        &self,
        pair: Pair,
        verdict: Verdict,
        sheets: &[OutputSink],
    ) -> anyhow::Result<(Row, Option<Seen>, Vec<Record>)> {
        if self.baseline.is_none() && sheets.iter().all(OutputSink::is_of_rows) {
            self.collided.of(&pair);
            let row = Row { pair, verdict, is_accepted: false };
            return Ok((row, None, Vec::new()));
        }
        let (left, right) = (&self.document(pair.a).text, &self.document(pair.b).text);
        let judgement = &self.judge(&pair);
        let seen = self.baseline.map(|it| it.look(left, right, judgement, self.level));
        let is_accepted = seen.as_ref().map(|seen| seen.is_accepted);
        let row = Row { pair, verdict, is_accepted: is_accepted == Some(true) };
        let (recipe, level) = (self.recipe, self.level);
        let pair = render::Pair { left, right, recipe, judgement, level, is_accepted };
        let records = sheets.iter().map(|sheet| sheet.record(&pair, self));
        Ok((row, seen, records.collect::<Result<_, _>>()?))
    }

    /// The judgement of a pair that is reported, with what is known of it beside its figures.
    pub(crate) fn judge(&self, pair: &Pair) -> Judgement {
        let mut judgement = self.corpus().judge(pair);
        let count = self.collided.of(pair);
        judgement.warnings.extend((count > 0).then_some(Warning::Collisions(count)));
        judgement
    }

    /// What is to be written, the printed sheet last.
    pub(crate) fn sheets(&self) -> Vec<OutputSink> {
        let formats = &self.flags.formats;
        let sheet = |format, to| OutputSink::new(format, to, &self.names);
        let files =
            formats.files().map(|(format, file)| sheet(format, Destination::File(file.to_owned())));
        let summary = formats.summary();
        let summary =
            summary.map(|file| sheet(Format::Export(Export::Markdown), Destination::EndOf(file)));
        let printed =
            (!self.flags.answering.quiet).then(|| sheet(formats.printed(), Destination::Output));
        files.chain(summary).chain(printed).collect()
    }

    /// The passages that are too common to make a pair.
    pub(crate) fn widespread(&self) -> &[CommonStretch] {
        self.found.get().map_or(&[], |found| &found.widespread)
    }

    /// What is known besides the pairs.
    pub(crate) fn run(&self) -> Run<'_> {
        let counts = table::totals(self);
        Run { level: self.level, counts, failed: &self.gathered.failed }
    }

    pub(crate) fn document(&self, number: u32) -> &Document {
        &self.corpus().documents[number as usize]
    }

    /// What a text goes by in other programs.
    pub(crate) fn told(&self, number: u32) -> String {
        self.names.given(self.document(number).text.path())
    }

    /// What a text goes by.
    pub(crate) fn name(&self, number: u32) -> String {
        display_path(self.document(number).text.path()).into_owned()
    }

    /// The exit status of what was found.
    pub(crate) fn status(&self, closest: Option<Verdict>) -> Exit {
        match self.gathered.failed.is_empty() {
            false => Exit::Error,
            true if self.flags.baseline.is_update() => Exit::Success,
            true => self.flags.answering.status(closest),
        }
    }
}

/// The pair with one of its texts as a.
pub(crate) fn beginning_with(pair: Pair, text: u32) -> Pair {
    let turned = |Overlap { shared, left, right }| Overlap { shared, left: right, right: left };
    if pair.a == text {
        return pair;
    }
    Pair { a: pair.b, b: pair.a, all: turned(pair.all), longest: turned(pair.longest), ..pair }
}
