//! A joined corpus → what is printed, in the form that the flags ask for.

use std::num::NonZeroUsize;

use dedup_text::jaccard::Overlap;
use dedup_text::join::{Condition, Pair, join, nearest};
use dedup_text::pipeline::corpus::{Corpus, Document};
use dedup_text::recipe::Recipe;
use dedup_text::text::display_path;
use dedup_text::threads;
use dedup_text::verdict::Verdict;

use super::clusters;
use super::gather::Gathered;
use super::records;
use super::table::{self, Row};
use crate::exit::Exit;
use crate::flags::{CorpusFlags, CorpusFormat};
use crate::output::{self, Reader};
use crate::report;

/// Pairs that are judged and written at a time.
const BATCH: usize = 4096;

/// A corpus, and how it is answered for.
pub(super) struct Answer<'a> {
    pub(super) gathered: &'a Gathered<'a>,
    pub(super) recipe: &'a Recipe,
    pub(super) flags: &'a CorpusFlags,
    pub(super) level: Verdict,
    pub(super) threads: NonZeroUsize,
}

impl Answer<'_> {
    pub(super) fn corpus(&self) -> &Corpus<'_> {
        &self.gathered.corpus
    }

    /// Writes what is found, and returns the closest verdict that is; none where no pair
    /// reaches the level.
    pub(super) fn write(&self) -> anyhow::Result<Option<Verdict>> {
        if let Some(most) = self.flags.nearest.and_then(NonZeroUsize::new) {
            let nearest = nearest(&self.corpus().collection, most, self.threads);
            let pairs = nearest.into_iter().zip(0..).flat_map(|(pairs, text)| {
                pairs.into_iter().map(move |pair| beginning_with(pair, text))
            });
            return self.write_pairs(pairs, Verdict::Different);
        }
        let condition = Condition::at(self.level, &self.recipe.limits);
        let by_words = (self.level == Verdict::Identical).then(|| self.corpus().by_words());
        let collection = by_words.as_ref().unwrap_or(&self.corpus().collection);
        let joined = join(collection, &condition, self.threads);
        if self.flags.clusters || self.flags.keep.is_some() {
            return clusters::write(self, &joined);
        }
        if by_words.is_some() {
            let pairs = joined.pairs().map(|pair| self.corpus().collection.pair(pair.a, pair.b));
            return self.write_pairs(pairs, self.level);
        }
        self.write_pairs(joined.pairs(), self.level)
    }

    /// Writes the pairs of a level or a closer one.
    fn write_pairs(
        &self,
        mut pairs: impl Iterator<Item = Pair>,
        least: Verdict,
    ) -> anyhow::Result<Option<Verdict>> {
        let (mut closest, mut rows, mut records) = (None, Vec::new(), String::new());
        loop {
            let batch: Vec<Pair> = pairs.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                break;
            }
            for judged in self.judged(batch, least) {
                let (row, record) = judged?;
                closest = closest.max(Some(row.verdict));
                match self.flags.format {
                    CorpusFormat::Jsonl => records += &(record + "\n"),
                    CorpusFormat::Json if records.is_empty() => records = record,
                    CorpusFormat::Json => records += &(",".to_owned() + &record),
                    CorpusFormat::Text | CorpusFormat::Paths => rows.push(row),
                }
            }
            // Nothing that follows would change the status, or be read.
            if self.flags.answering.quiet && closest >= Some(self.level) {
                break;
            }
            if self.flags.format == CorpusFormat::Jsonl {
                let reader = self.print(&std::mem::take(&mut records))?;
                if reader == Reader::HasEnough && closest >= Some(self.level) {
                    break;
                }
            }
        }
        let is_nearest = self.flags.nearest.is_some();
        self.print(&match self.flags.format {
            CorpusFormat::Jsonl => String::new(),
            CorpusFormat::Json => {
                records::object(self, if is_nearest { "nearest" } else { "pairs" }, &records)?
            }
            CorpusFormat::Text => table::written(self, rows, is_nearest),
            CorpusFormat::Paths => self.names_of(&rows),
        })?;
        Ok(closest)
    }

    /// Judges pairs side by side; those of a level or a closer one, in their order, each with
    /// its record where one is written.
    fn judged(&self, pairs: Vec<Pair>, least: Verdict) -> Vec<anyhow::Result<(Row, String)>> {
        let judged = threads::each(
            self.threads,
            pairs,
            || (),
            |(), pair| {
                let verdict = self.corpus().verdict(&pair);
                let is_record =
                    matches!(self.flags.format, CorpusFormat::Json | CorpusFormat::Jsonl);
                (verdict >= least).then(|| {
                    let record = if is_record { self.record(&pair)? } else { String::new() };
                    Ok((Row { pair, verdict }, record))
                })
            },
        );
        judged.into_iter().flatten().collect()
    }

    /// The record of a pair, by dedup.pair/1.
    fn record(&self, pair: &Pair) -> anyhow::Result<String> {
        let text = |number: u32| &self.document(number).text;
        let pair = report::Pair {
            left: text(pair.a),
            right: text(pair.b),
            recipe: self.recipe,
            judgement: &self.corpus().judge(pair),
        };
        report::json::written(&pair, false, self.flags.comparing.stopwords_as_given())
    }

    pub(super) fn document(&self, number: u32) -> &Document {
        &self.corpus().documents[number as usize]
    }

    /// What a text goes by.
    pub(super) fn name(&self, number: u32) -> String {
        display_path(self.document(number).text.path()).into_owned()
    }

    /// The texts that are in some pair, a line each.
    fn names_of(&self, rows: &[Row]) -> String {
        let mut numbers: Vec<u32> = rows.iter().flat_map(|row| [row.pair.a, row.pair.b]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_iter().map(|number| self.name(number) + "\n").collect()
    }

    pub(super) fn print(&self, answer: &str) -> anyhow::Result<Reader> {
        if self.flags.answering.quiet || answer.is_empty() {
            return Ok(Reader::Reads);
        }
        output::write_part(answer, self.flags.answering.color)
    }

    /// The exit status of what was found.
    pub(super) fn status(&self, closest: Option<Verdict>) -> Exit {
        if self.gathered.failed.is_empty() {
            self.flags.answering.status(closest)
        } else {
            Exit::Trouble
        }
    }
}

/// The pair with one of its texts as a.
fn beginning_with(pair: Pair, text: u32) -> Pair {
    let turned = |Overlap { shared, left, right }| Overlap { shared, left: right, right: left };
    if pair.a == text {
        return pair;
    }
    Pair { a: pair.b, b: pair.a, all: turned(pair.all), longest: turned(pair.longest), ..pair }
}
