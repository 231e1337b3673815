//! `dedup spans`: texts → the runs of words that stand at two or more places.

mod clean;

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use dedup_text::parallel;
use dedup_text::spans::words::{Borders, Part, Words};
use dedup_text::spans::{Repeat, TooMany};
use dedup_text::text::Text;

use super::corpus::no_text;
use crate::args::SpansFlags;
use crate::diagnostics::{Diagnostic, Severity};
use crate::exit::Exit;
use crate::io::failures::FailedRecord;
use crate::io::inputs::Inputs;
use crate::io::inputs::again::ReadTwice;
use crate::io::inputs::names::{FailureLog, Names};
use crate::io::inputs::record::Fields;
use crate::io::inputs::source::{Opened, Opener, Place, Skipped, Source, Unopened};
use crate::io::inputs::sources::{Gitignore, Globs, Sources};
use crate::io::inputs::submissions::{Submissions, Units};
use crate::io::output::{self, Color, OutputFiles, Syntax, check_new, is_output};
use crate::model::names::Names as Shown;
use crate::model::spans::{Amount, Format, Removal, Run, RunPlace, Spans};
use crate::progress::{Progress, Stage};
use crate::render::spans as render;

/// Bytes of a text that are cut out, and how many words they have.
type Cut = (Range<usize>, usize);

/// The texts that are named, and their words.
struct Read {
    texts: Vec<(String, Text)>,
    places: Vec<Place>,
    words: Words,
    skipped: Skipped,
    failed: Vec<FailedRecord>,
}

/// Answers what is asked.
pub(crate) fn answer(flags: &SpansFlags) -> anyhow::Result<Exit> {
    if let Some(path) = flags.written().filter(|path| !is_output(path)) {
        check_new("--output", path)?;
    }
    let inputs = inputs(flags)?;
    let progress = Progress::of_run(!flags.quiet);
    let opener = Opener::new(flags.reading()?, fields(flags), flags.disguises());
    let read = read(flags, &inputs, &opener, &progress)?;
    let Read { texts, places, words, skipped, failed } = read;
    if texts.is_empty() && failed.is_empty() {
        return Err(no_text().into());
    }
    progress.begin(Stage::Sorting, 0);
    let (numbers, parts) = words.into_parts();
    let repeats = numbers.repeats(flags.min_words);
    let removable = repeats.removable();
    let earlier = removable.iter().flatten().map(Range::len).sum();
    let cuts = cuts(&texts, &parts, &removable, flags.borders());
    let removable = cuts.iter().flatten().fold(Amount::default(), |sum, (cut, words)| Amount {
        words: sum.words + words,
        bytes: sum.bytes + cut.len(),
    });
    let runs = runs(&texts, &parts, &repeats.list());
    let words = parts.iter().map(|part| part.words).sum();
    let least = flags.min_words;
    if let Some(output) = flags.written() {
        let (texts, places, cuts, fields, twice) =
            (&texts, &places, &cuts, &fields(flags), &inputs.twice);
        let done = progress.begin(Stage::Writing, texts.len() as u64);
        let run = clean::Cleaning { flags, texts, places, cuts, fields, twice, done };
        clean::write(&run, output)?;
    }
    let removal = match (flags.dry_run, &flags.output) {
        (true, _) => Removal::Counted,
        (false, Some(_)) => Removal::Done,
        (false, None) => Removal::NotAsked,
    };
    let (spelling, borders) = (flags.spelling(), flags.borders());
    let spans = Spans {
        texts,
        words,
        least,
        spelling,
        borders,
        runs,
        earlier,
        removable,
        removal,
        settings: flags.settings.name(),
        skipped,
        failed,
    };
    drop(progress);
    let names = if flags.records().next().is_none() { Shown::here() } else { Shown::Ids };
    if !flags.quiet && !flags.is_printed() {
        match flags.format {
            Format::Text => output::write(&render::text(&spans), Color::Auto)?,
            Format::Json => output::write_whole(Syntax::Json, render::json(&spans)?.into())?,
            Format::Sarif => {
                output::write_whole(Syntax::Json, render::sarif(&spans, &names)?.into())?;
            }
            Format::Jsonl => output::write_whole(Syntax::Json, render::json_lines(&spans)?.into())?,
        }
    }
    Ok(match (spans.failed.is_empty(), spans.runs.is_empty()) {
        (false, _) => Exit::Error,
        (true, _) if spans.removal != Removal::NotAsked => Exit::Success,
        (true, false) => Exit::Success,
        (true, true) => Exit::Failure,
    })
}

/// Which texts the flags name.
fn inputs(flags: &SpansFlags) -> anyhow::Result<Inputs> {
    let reading = flags.reading()?;
    let records: Vec<_> = flags.records().map(|(path, format)| (path.to_owned(), format)).collect();
    let settings = flags.settings.file().map(Path::to_owned);
    let others = records.iter().map(|(path, _)| path.clone());
    let others = others.filter(|path| Some(path) != settings.as_ref()).collect();
    let is_copied = flags.written().is_some();
    let twice = if is_copied { ReadTwice::new(&records)? } else { ReadTwice::default() };
    Ok(Inputs {
        paths: flags.paths.clone(),
        against: Vec::new(),
        listed: Vec::new(),
        records,
        old_records: Vec::new(),
        fields: None,
        twice: Arc::new(twice),
        gitignore: if flags.gitignore { Gitignore::Heeded } else { Gitignore::Unheeded },
        globs: Globs { include: flags.include.clone(), exclude: flags.exclude.clone() },
        is_grouped_by_folder: false,
        max_bytes: reading.most,
        submissions: Submissions::Off,
        units: Units::File,
        names: None,
        max_unpacked: reading.bounds.unpacked,
        settings,
        others,
        outputs: OutputFiles::default(),
    })
}

/// The fields of records.
fn fields(flags: &SpansFlags) -> Fields {
    let fields = Fields::named(flags.text(), flags.id(), None, None);
    if flags.is_id_given() { fields } else { fields.or_by_place() }
}

/// Opens all texts, and reads their words.
fn read(
    flags: &SpansFlags,
    inputs: &Inputs,
    opener: &Opener,
    progress: &Progress,
) -> anyhow::Result<Read> {
    let mut sources = Sources::new(inputs)?;
    let advance = progress.begin(Stage::Reading, sources.bytes().unwrap_or_default());
    let mut read = Read {
        texts: Vec::new(),
        places: Vec::new(),
        words: Words::new(flags.spelling()),
        skipped: Skipped::default(),
        failed: Vec::new(),
    };
    let (mut names, mut log) = (Names::<std::hash::RandomState>::default(), FailureLog::default());
    let has_end = flags.output.is_some() || flags.dry_run;
    let open = |(): &mut (), source: Source| {
        let bytes = source.bytes();
        let text = opener.open(source);
        advance.add(bytes);
        text
    };
    for batch in &mut sources {
        for opened in parallel::each(flags.threads(), batch, || (), open) {
            let text = opened.and_then(|opened| {
                names.add(&opened.name, opened.place.clone())?;
                Ok(opened)
            });
            match text {
                Ok(Opened { name, place, text, .. }) => {
                    read.words.add(&text).map_err(too_many)?;
                    read.texts.push((name, text));
                    read.places.push(place);
                }
                Err(why) => {
                    for why in why.each() {
                        match why {
                            Unopened::Skipped(why, name) => read.skipped.add_file(why, name),
                            Unopened::Failed(failure) if has_end => return Err(failure.error),
                            Unopened::Failed(failure) => {
                                log.report(&failure, Severity::Error);
                                read.failed.push(failure.into());
                            }
                            Unopened::Several(_) => {} // they come one by one
                        }
                    }
                }
            }
        }
    }
    sources.check()?;
    read.skipped.add_all(sources.skipped());
    log.end((!read.texts.is_empty()).then_some("--format json lists all of them"));
    Ok(read)
}

/// The error where there are too many words.
fn too_many(_: TooMany) -> Diagnostic {
    Diagnostic::new("more than 2,000,000,000 words, expected fewer")
        .hint("run it on parts of the texts")
}

/// What may be cut out of each text, in order.
fn cuts(
    texts: &[(String, Text)],
    parts: &[Part],
    removable: &[Vec<Range<usize>>],
    borders: Borders,
) -> Vec<Vec<Cut>> {
    let mut cuts = vec![Vec::new(); texts.len()];
    for (part, runs) in parts.iter().zip(removable) {
        cuts[part.text].extend(part.cuts(texts[part.text].1.content(), runs, borders));
    }
    cuts
}

/// The runs with their places, which are looked up text by text.
fn runs(texts: &[(String, Text)], parts: &[Part], repeats: &[Repeat]) -> Vec<Run> {
    let mut of_parts = vec![Vec::new(); parts.len()];
    for (run, repeat) in repeats.iter().enumerate() {
        for place in &repeat.places {
            of_parts[place.text].push((run, place.word..place.word + repeat.words));
        }
    }
    let mut runs: Vec<Run> =
        repeats.iter().map(|it| Run { words: it.words, places: Vec::new() }).collect();
    for (part, of_part) in parts.iter().zip(of_parts) {
        let text = &texts[part.text].1;
        let (numbers, words): (Vec<usize>, Vec<_>) = of_part.into_iter().unzip();
        let places = text.places(&part.spans(text.content(), &words));
        for (run, place) in numbers.into_iter().zip(places) {
            runs[run].places.push(RunPlace { text: part.text, place });
        }
    }
    for run in &mut runs {
        run.places.sort_by_key(|it| (it.text, it.place.content.start));
    }
    runs
}
