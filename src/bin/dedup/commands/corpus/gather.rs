//! The texts that are named → a corpus, and what is not in it.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use dedup_text::corpus::join::Side;
use dedup_text::corpus::{self, Corpus, CorpusBuilder};
use dedup_text::pair::recipe::Recipe;
use dedup_text::text::{ReadTextError, Text};

use crate::args::CorpusFlags;
use crate::diagnostics;
use crate::io::failures::{FailedRecord, Failures};
use crate::io::inputs::failure_log::FailureLog;
use crate::io::inputs::names::Names;
use crate::io::inputs::open::{self, Opener};
use crate::io::inputs::source::{Age, Failed, Opened, Place, Skipped, Source, Unopened};
use crate::io::inputs::sources::Sources;
use crate::progress::{Progress, Stage};

/// What came of the texts that are named.
pub(crate) struct Gathered<'r> {
    pub(crate) corpus: Corpus<'r>,
    pub(crate) skipped: Skipped,
    /// What should have been a text.
    pub(crate) failed: Failures,
    /// What `--keep newest:FIELD` goes by, of texts that have it.
    pub(crate) newest: BTreeMap<String, String>,
    opener: Opener,
    /// Where texts were come by.
    names: Names,
}

impl Gathered<'_> {
    /// Whether all that was named is compared.
    pub(crate) fn is_whole(&self) -> bool {
        let nothing_skipped = self.skipped.counts().next().is_none();
        let nothing_common = self.corpus.common.is_empty();
        nothing_skipped && nothing_common && self.failed.is_empty() && self.corpus.short.is_empty()
    }

    /// Opens a text of the corpus once more; none where that cannot be.
    pub(crate) fn open_again(&self, number: u32) -> Option<Text> {
        let path = self.corpus.documents.get(number as usize)?.text.path();
        // A record's name is its path.
        let of_record = path.to_str().and_then(|name| self.names.place(name));
        let place = of_record.or_else(|| self.names.place(&open::name_of(path)))?;
        self.opener.open_again(path, place)
    }
}

/// What is known of a text besides itself.
struct Met {
    name: String,
    place: Place,
    newest: Option<String>,
    /// What is wrong with it, though it is compared.
    damage: Option<String>,
}

/// Opens and sketches all texts. The first of those that fail are told at once.
pub(crate) fn gather<'r>(
    flags: &CorpusFlags,
    recipe: &'r Recipe,
    threads: NonZeroUsize,
    progress: &Progress,
) -> anyhow::Result<Gathered<'r>> {
    let opener = Opener::of(flags)?;
    let mut sources = Sources::of(flags)?;
    let has_old = !flags.inputs.against.is_empty();
    let read = progress.begin(Stage::Reading, sources.bytes().unwrap_or_default());
    let open = |source: Source| {
        let bytes = source.bytes();
        let text = opener.open(source);
        read.add(bytes);
        let Opened { name, place, age, group, newest, is_read_once, text } = text?;
        let side = match age {
            Age::New if has_old => Side::New,
            Age::New | Age::Both => Side::Any,
            Age::Old => Side::Old,
        };
        let damage = text.damage().map(str::to_owned);
        Ok((
            corpus::Opened { text, group, side, is_read_once },
            Met { name, place, newest, damage },
        ))
    };
    let mut gathering = CorpusBuilder::new(recipe, threads);
    let mut names: Names = Names::default();
    let (mut newest, mut skipped) = (BTreeMap::new(), Skipped::default());
    let (mut failed, mut told) = (Failures::default(), FailureLog::default());
    let mut fail = |failure: Failed| {
        if flags.inputs.stop_on_error {
            return Err(failure.error);
        }
        told.tell(&failure);
        let error = format!("{:#}", failure.error);
        Ok(failed.add(FailedRecord { name: failure.name, error })?)
    };
    for batch in &mut sources {
        let admit = |met: Met| {
            names.add(&met.name, met.place)?;
            if let Some(damage) = &met.damage {
                diagnostics::warn(&met.name, damage);
            }
            newest.extend(met.newest.map(|value| (met.name, value)));
            Ok(())
        };
        for unopened in gathering.add(batch, open, admit) {
            match unopened {
                Unopened::Skipped(why) => skipped.add(why, 1),
                Unopened::Failed(failure) => fail(failure)?,
            }
        }
    }
    skipped.add_all(sources.skipped());
    let mut corpus = gathering.finish_watched(progress.begin(Stage::Settling, 0));
    for (path, defect) in std::mem::take(&mut corpus.defects) {
        let name = open::name_of(&path);
        fail(open::failed(name, ReadTextError::Defect { path, defect }))?;
    }
    // Without any text there is no answer.
    let is_any = !corpus.documents.is_empty() || !corpus.short.is_empty();
    told.end(is_any.then_some("--format json lists all of them"));
    Ok(Gathered { corpus, skipped, failed, newest, opener, names })
}
