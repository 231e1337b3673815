//! `dedup spans`: finds the runs of words that occur at two or more places in texts, and writes the
//! texts without the repeats.

mod answer;
mod flags;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use dedup_text::corpus::spans::TooMany;
use dedup_text::corpus::spans::words::{Borders, Part, Words};
use dedup_text::parallel::{self, Advance};
use dedup_text::text::formats::Kind;
use dedup_text::text::{Encoding, Place as TextPlace, ReadOptions, Text, display_path};

use crate::diagnostics::{self, Diagnostic, Exit, Flag, as_argument};
use crate::failures::no_text::no_text;
use crate::failures::{self, BatchOutcome, FailureReport};
use crate::io::disk::{self, CompressionFormat, folder_of};
use crate::io::inputs::Inputs;
use crate::io::inputs::again::{ReadTwice, unreadable};
use crate::io::inputs::record::Fields;
use crate::io::inputs::source::{OpenedText, Opener, Source};
use crate::io::inputs::sources::Sources;
use crate::io::inputs::table::Format;
use crate::io::output::{
    self, Sink, check_new, check_writable, is_output, write_in, write_together, write_tree,
};
use crate::io::rewrite::{Change, Layout, Stored, rewrite};
use crate::model::Color;
use crate::model::found::{Failed, FailedRecord, FoundTexts, Skipped, TextOrigin};
use crate::model::rendered::Syntax;
use crate::progress::{Progress, Stage};
use answer::{self as render, Amount, Removal, Spans};
use flags::Format as SpansFormat;

pub(crate) use flags::SpansFlags;

/// A byte range that is cut out of a text, and the number of its words.
type Cut = (Range<usize>, usize);

/// The texts that are named, and their words.
struct Read {
    texts: Vec<(String, Text)>,
    places: Vec<TextOrigin>,
    words: Words,
    skipped: Skipped,
    failed: Vec<FailedRecord>,
}

/// Runs `dedup spans` and returns the exit status.
///
/// # Errors
///
/// Returns an error if the flags, inputs or output cannot be used, if there is no text, or if there
/// are too many words.
pub(crate) fn answer(flags: &SpansFlags) -> anyhow::Result<Exit> {
    if let Some(path) = flags.output.as_deref().filter(|path| !is_output(path)) {
        check_new(path)?;
    }
    let inputs = inputs(flags)?;
    let progress = Progress::of_run(!flags.quiet);
    let opener =
        Opener::new(flags.opening.reading_of_all()?, fields(flags), flags.opening.disguises);
    let read = read(flags, &inputs, &opener, &progress)?;
    let Read { texts, places, words, skipped, failed } = read;
    if texts.is_empty() && !failed.is_empty() {
        return Ok(Exit::Error); // each failure was reported
    }
    if texts.is_empty() {
        return Err(no_text(&skipped).into());
    }
    let sorted = progress.begin(Stage::Sorting, 0);
    let (numbers, parts) = words.into_parts();
    let repeats = numbers.repeats(flags.min_words, sorted);
    let removable = repeats.removable();
    let earlier = removable.iter().flatten().map(Range::len).sum();
    let cuts = cuts(&texts, &parts, &removable, flags.borders());
    let removable = Amount {
        words: cuts.iter().flatten().map(|(_, words)| words).sum(),
        bytes: (texts.iter().zip(&cuts))
            .flat_map(|((_, text), cuts)| places_of(text, cuts))
            .map(|place| place.bytes.len())
            .sum(),
    };
    let runs = repeats.list();
    if flags.output.is_some() || flags.dry_run {
        let (texts, places, cuts, fields, twice) =
            (&texts, &places, &cuts, &fields(flags), &inputs.twice);
        let done = progress.begin(Stage::Writing, texts.len() as u64);
        let run = Cleaning { flags, texts, places, cuts, fields, twice, done };
        match flags.written() {
            Some(output) => write(&run, output)?,
            None => check_all(&run)?,
        }
    }
    let removal = match (flags.dry_run, &flags.output) {
        (true, _) => Removal::Counted,
        (false, Some(_)) => Removal::Done,
        (false, None) => Removal::NotAsked,
    };
    let spans = Spans {
        texts,
        words: parts.iter().map(|part| part.words).sum(),
        min_words: flags.min_words,
        spelling: flags.spelling(),
        borders: flags.borders(),
        parts,
        repeats,
        runs,
        earlier,
        removable,
        removal,
        settings: flags.settings.name(),
        skipped,
        failed,
    };
    drop(progress);
    if !flags.quiet && !flags.is_printed() {
        print(flags, &spans)?;
    }
    Ok(match (spans.failed.is_empty(), spans.runs.is_empty()) {
        (false, _) => Exit::Error,
        (true, true) if spans.removal == Removal::NotAsked => Exit::Failure,
        (true, _) => Exit::Success,
    })
}

/// Prints the answer in the requested format.
fn print(flags: &SpansFlags, spans: &Spans) -> anyhow::Result<()> {
    let listing = render::Listing::new(spans);
    match flags.format {
        SpansFormat::Text => return output::write(&render::text(spans), Color::Auto),
        SpansFormat::Json => {
            output::write_for_programs(Syntax::Json, |out| listing.write_json(out))?;
        }
        SpansFormat::Jsonl => {
            output::write_for_programs(Syntax::Json, |out| listing.write_json_lines(out))?;
        }
    }
    if let Some(note) = listing.note() {
        diagnostics::note(&note);
    }
    Ok(())
}

fn inputs(flags: &SpansFlags) -> anyhow::Result<Inputs> {
    let reading = flags.opening.reading_of_all()?;
    let records: Vec<_> = flags.records().map(|(path, format)| (path.to_owned(), format)).collect();
    let settings = flags.settings.file().map(Path::to_owned);
    let others = records.iter().map(|(path, _)| path.clone());
    let others = others.filter(|path| Some(path) != settings.as_ref()).collect();
    let header = flags.header.unwrap_or_default();
    let is_copied = flags.output.is_some() || flags.dry_run;
    let twice = if is_copied { ReadTwice::new(&records, header)? } else { ReadTwice::default() };
    Ok(Inputs {
        paths: flags.paths.clone(),
        records,
        header,
        twice: Arc::new(twice),
        gitignore: flags.folders.gitignore,
        globs: flags.folders.globs(&flags.settings),
        max_bytes: reading.max_bytes,
        max_unpacked: reading.bounds.unpacked,
        settings,
        others,
        ..Inputs::default()
    })
}

fn fields(flags: &SpansFlags) -> Fields {
    Fields::new(flags.text(), flags.id.as_deref(), None, None)
}

/// Opens all texts, and reads their words.
///
/// # Errors
///
/// Returns an error if the inputs cannot be read, if there are too many words, if none of the first
/// records of a file has a requested field, or, if texts are to be cut, if a text cannot be read.
fn read(
    flags: &SpansFlags,
    inputs: &Inputs,
    opener: &Opener,
    progress: &Progress,
) -> anyhow::Result<Read> {
    let sources = Sources::new(inputs)?;
    let advance = progress.begin(Stage::Reading, sources.bytes().unwrap_or_default());
    let (mut texts, mut failed) = (Vec::new(), Vec::new());
    let mut words = Words::new(flags.spelling());
    let mut names: FoundTexts = FoundTexts::default();
    let mut replaced = diagnostics::ReplacedBytes::default();
    let has_end = flags.output.is_some() || flags.dry_run;
    let mut failures =
        FailureReport::with_fields((flags.id.as_deref(), flags.text()), has_end, |error| {
            failures::expecting_folder(flags.with_text_origin(error), &[&flags.paths])
        });
    let open = |source: Source| opener.open_counted(source, advance);
    let read_batch = |batch: Vec<Source>| {
        let batch = parallel::map(flags.threads.number(), batch, open);
        let has_text = batch.iter().any(Result::is_ok);
        let mut unopened = Vec::new();
        for opened in batch {
            let text = opened.and_then(|OpenedText { text, details, .. }| {
                names.add(&details.name, details.place)?;
                Ok((details.name, text))
            });
            match text {
                Ok((name, text)) => {
                    replaced.meet(&name, text.replaced());
                    words.add(&text).map_err(too_many)?;
                    texts.push((name, text));
                }
                Err(why) => unopened.push(why),
            }
        }
        Ok(BatchOutcome { has_text, unopened })
    };
    failures.read_all(sources, read_batch, |record| {
        failed.push(record);
        Ok(())
    })?;
    replaced.end();
    failures.end((!texts.is_empty()).then_some("--format json lists all of them"));
    Ok(Read { texts, places: names.into_places(), words, skipped: failures.skipped, failed })
}

/// Makes the error for too many words.
fn too_many(_: TooMany) -> Diagnostic {
    Diagnostic::new("more than 2,000,000,000 words, expected fewer")
        .hint("run it on parts of the texts")
}

/// Returns the ranges that may be cut out of each text, in order.
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
    for ((_, text), cuts) in texts.iter().zip(&mut cuts).filter(|(_, cuts)| !cuts.is_empty()) {
        leave_divided(text, cuts);
    }
    cuts
}

/// Removes the cuts that begin or end within a disguised word, because the bytes of the parts of
/// such a word are not known.
fn leave_divided(text: &Text, cuts: &mut Vec<Cut>) {
    let undone: Vec<Range<usize>> = text.disguised_words().map(|(span, _)| span).collect();
    let is_within = |byte: usize| {
        let behind = undone.partition_point(|span| span.start < byte);
        behind.checked_sub(1).is_some_and(|at| byte < undone[at].end)
    };
    cuts.retain(|(cut, _)| !is_within(cut.start) && !is_within(cut.end));
}

// The texts without repeats: a file, records or a folder.

/// The texts, the place of each, and what is cut out of it.
struct Cleaning<'c> {
    flags: &'c SpansFlags,
    texts: &'c [(String, Text)],
    places: &'c [TextOrigin],
    cuts: &'c [Vec<Cut>],
    fields: &'c Fields,
    twice: &'c ReadTwice,
    /// The number of texts that have been written.
    done: &'c Advance,
}

/// Checks that the remaining text could be written.
fn check_all(run: &Cleaning) -> anyhow::Result<()> {
    check_texts(run)?;
    if let Some(output) = &run.flags.output {
        check_writable(&[output])?;
    }
    if run.flags.paths.is_empty() {
        return write_records(run, &mut Sink::nowhere());
    }
    let mut cut = (0..run.texts.len()).filter(|number| !run.cuts[*number].is_empty());
    cut.try_for_each(|number| cleaned_file(run, number).map(drop))
}

/// Checks that each text can be read again, and that each text with a cut is plain text.
fn check_texts(run: &Cleaning) -> Result<(), Diagnostic> {
    for (text, place) in run.texts.iter().zip(run.places) {
        check(text, place)?;
    }
    for (number, (name, text)) in run.texts.iter().enumerate() {
        if !run.cuts[number].is_empty() {
            check_kind(name, text, &run.places[number])?;
        }
    }
    Ok(())
}

/// Writes the remaining text: either all of it, or nothing.
///
/// # Errors
///
/// Returns an error if a text cannot be read again or is not plain text that can be cut, or if the
/// output cannot be written.
fn write(run: &Cleaning, output: &Path) -> anyhow::Result<()> {
    check_texts(run)?;
    match &*run.flags.paths {
        [] => write_together(&[output], |sinks| {
            sinks.iter_mut().try_for_each(|sink| write_records(run, sink))
        }),
        [path] if !path.is_dir() => write_together(&[output], |sinks| {
            for number in 0..run.texts.len() {
                let bytes = cleaned_file(run, number)?;
                sinks.iter_mut().try_for_each(|sink| sink.write(&bytes))?;
            }
            Ok(())
        }),
        paths => {
            let tree = Tree::new(paths)?;
            write_tree(output, |folder| {
                for number in 0..run.texts.len() {
                    let inner = tree.inner(run.texts[number].1.path())?;
                    write_in(folder, &inner, &cleaned_file(run, number)?, output)?;
                    run.done.add(1);
                }
                Ok(())
            })
        }
    }
}

/// The paths of files in a new folder. The files of a single named folder keep their paths in it;
/// those of several named paths keep their paths in the nearest folder that contains all of them.
/// So no two files get the same path.
struct Tree<'p> {
    /// The absolute path of each named path.
    roots: BTreeMap<&'p Path, PathBuf>,
    /// The folder that the new folder corresponds to.
    base: PathBuf,
}

impl<'p> Tree<'p> {
    fn new(paths: &'p [PathBuf]) -> anyhow::Result<Self> {
        let root = |path: &'p PathBuf| anyhow::Ok((path.as_path(), whole(path)?));
        let roots: BTreeMap<&Path, PathBuf> = paths.iter().map(root).collect::<Result<_, _>>()?;
        let mut folders = roots.values().map(|root| folder_of(root));
        let first = folders.next().unwrap_or(Path::new(""));
        let shared = folders.fold(first, |shared, folder| {
            let mut shared = shared.ancestors();
            shared.find(|it| folder.starts_with(it)).unwrap_or(Path::new(""))
        });
        // The new folder corresponds to a single folder itself, not to its parent.
        let base =
            if let ([_], Some(folder)) = (paths, roots.values().next()) { folder } else { shared };
        let base = base.to_owned();
        Ok(Self { roots, base })
    }

    /// Returns the path of a file in the new folder.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if the file is in none of the named folders.
    fn inner(&self, file: &Path) -> Result<PathBuf, Diagnostic> {
        let mut around = file.ancestors();
        let all = around.find_map(|path| {
            let (root, inner) = (self.roots.get(path)?, file.strip_prefix(path).ok()?);
            let is_within = |part| matches!(part, Component::Normal(_) | Component::CurDir);
            // A file that is named itself has an empty path within its name.
            let all = if inner == Path::new("") { root.clone() } else { root.join(inner) };
            inner.components().all(is_within).then_some(all)
        });
        let inner = all.as_ref().and_then(|all| all.strip_prefix(&self.base).ok());
        inner.map(Path::to_owned).ok_or_else(|| {
            let file = display_path(file);
            Diagnostic::new(format!("{file}: not in a given folder, expected a file in one"))
        })
    }
}

/// Returns the absolute path, with symbolic links resolved in its folder but not in its name.
fn whole(path: &Path) -> anyhow::Result<PathBuf> {
    let (folder, name) = match path.file_name() {
        Some(name) => (folder_of(path), Some(name)),
        None => (path, None), // for example `..`
    };
    let folder = std::fs::canonicalize(folder).with_context(|| unreadable(path))?;
    Ok(name.map_or(folder.clone(), |name| folder.join(name)))
}

const ONE_FORMAT: &str = "a run of dedup spans --output writes records of only one format";

/// Checks that a text can be read again.
fn check((name, text): &(String, Text), place: &TextOrigin) -> Result<(), Diagnostic> {
    match place {
        TextOrigin::Member { .. }
        | TextOrigin::Unit(_)
        | TextOrigin::Stored(_)
        | TextOrigin::Receipt => Err(Diagnostic::new(format!(
            "{name}: is in an archive, expected a regular file for --output"
        ))
        .hint("unpack it first")
        .flags(["output"])),
        TextOrigin::File if disk::size(text.path()).is_none() => Err(Diagnostic::new(format!(
            "{name}: can be read only once, expected a regular file for --output"
        ))
        .hint("--output can write records of --jsonl -")
        .flags(["output"])),
        TextOrigin::File | TextOrigin::Line { .. } | TextOrigin::Row { .. } => Ok(()),
    }
}

/// Checks that a text is plain text, so that parts of it can be cut out. A file of JSON Lines is
/// not: what is left of it would not be JSON.
fn check_kind(name: &str, text: &Text, place: &TextOrigin) -> Result<(), Diagnostic> {
    let is_named = Format::from_name(text.path()) == Some(Format::JsonLines);
    if *place == TextOrigin::File && is_named && text.content().trim_start().starts_with('{') {
        let what = format!("{name}: is JSON Lines, expected plain text for --output");
        return Err(Diagnostic::new(what)
            .hint("--jsonl FILE reads its records; --exclude leaves such files out")
            .flags(["output"]));
    }
    if text.kind() == Kind::Plain {
        return Ok(());
    }
    let flag = text.kind().flag();
    let cure = match flag {
        Some(flag) => format!("--{flag} off reads such files as plain text"),
        None => {
            format!("dedup text {} prints its text, to be saved as plain text", as_argument(name))
        }
    };
    let kind = text.kind().name();
    Err(Diagnostic::new(format!("{name}: is {kind}, expected plain text for --output"))
        .hint(format!("{cure}; --exclude leaves them out"))
        .flags(["output"].into_iter().chain(flag)))
}

/// Returns the bytes of a file without what is cut out of it.
///
/// # Errors
///
/// Returns an error if the file cannot be read, is packed, has changed, or is in an encoding in
/// which nothing can be cut out.
fn cleaned_file(run: &Cleaning, number: usize) -> anyhow::Result<Vec<u8>> {
    let ((_, text), cuts) = (&run.texts[number], &run.cuts[number]);
    let path = text.path();
    let reading = run.flags.opening.reading_of_all()?;
    let bytes = disk::head(path, u64::MAX)?;
    if cuts.is_empty() {
        return Ok(bytes);
    }
    if let Some(compression) = CompressionFormat::from_content(&bytes) {
        let (path, compression) = (display_path(path), compression.name());
        let message =
            format!("{path}: is compressed with {compression}, expected plain text for --output");
        let error = Diagnostic::new(message).hint("decompress it first");
        return Err(error.flags(["output"]).into());
    }
    let again = Text::decode(path, bytes.clone(), &reading)?;
    if again.content() != text.content() {
        let path = display_path(path);
        let message = format!("{path}: changed while it was read, expected no change");
        let hint = "run dedup again when nothing writes to the file";
        return Err(Diagnostic::new(message).hint(hint).into());
    }
    let kept = without(text, &bytes, cuts);
    if text.encoding() != Encoding::UTF_8 {
        check_encoding(text, &kept, cuts, &reading)?;
    }
    Ok(kept)
}

/// Checks that the remaining bytes are decoded as before: in some encodings, the meaning of a byte
/// depends on the bytes before it.
fn check_encoding(
    text: &Text,
    kept: &[u8],
    cuts: &[Cut],
    reading: &ReadOptions,
) -> anyhow::Result<()> {
    let reading = ReadOptions { encoding: Some(text.encoding()), ..*reading };
    let again = Text::decode(text.path(), kept.to_vec(), &reading);
    let mut want = text.content().to_owned();
    cuts.iter().rev().for_each(|(cut, _)| want.replace_range(cut.clone(), ""));
    if again.is_ok_and(|again| again.content() == want) {
        return Ok(());
    }
    let (path, encoding) = (display_path(text.path()), text.encoding());
    let message = format!("{path}: is in {encoding}, expected UTF-8 for --output");
    Err(Diagnostic::new(message).hint("convert it first").flags(["output"]).into())
}

/// Returns the places of what is cut out of a text. The text is scanned a few times, so that not all
/// of very many places are in memory.
fn places_of(text: &Text, cuts: &[Cut]) -> impl Iterator<Item = TextPlace> {
    const SCANS: usize = 16;
    const FEW: usize = 1 << 14;
    cuts.chunks(FEW.max(cuts.len() / SCANS)).flat_map(|cuts| {
        let ranges: Vec<Range<usize>> = cuts.iter().map(|(cut, _)| cut.clone()).collect();
        text.places(&ranges)
    })
}

/// Returns the stored bytes of a text without what is cut out of its content.
fn without(text: &Text, stored: &[u8], cuts: &[Cut]) -> Vec<u8> {
    let (mut kept, mut done) = (Vec::with_capacity(stored.len()), 0);
    for place in places_of(text, cuts) {
        kept.extend_from_slice(&stored[done..place.bytes.start]);
        done = place.bytes.end;
    }
    kept.extend_from_slice(&stored[done..]);
    kept
}

/// Writes all records; those in which nothing is cut stay as they are, byte for byte.
fn write_records(run: &Cleaning, sink: &mut Sink) -> anyhow::Result<()> {
    let layout = Layout::new(run.twice, ONE_FORMAT, |_, _| Ok(()))?;
    if let Some(output) = &run.flags.output {
        layout.check_name(&Flag::with("output", display_path(output)), output)?;
    }
    let files: Vec<&Path> = run.twice.paths().collect();
    let cut = (0..run.texts.len()).filter(|number| !run.cuts[*number].is_empty());
    let places = cut.filter_map(|text| {
        let TextOrigin::Line { file, number, .. } = &run.places[text] else { return None };
        Some(((files.iter().position(|path| *path == &**file)?, *number), text))
    });
    let texts: BTreeMap<(usize, u64), usize> = places.collect();
    rewrite(run.twice, layout, sink, run.done, |stored| {
        let Some(text) = texts.get(&stored.at) else { return Ok(Change::Keep) };
        let cleaned = cleaned_record(run, stored, *text);
        Ok(Change::To(cleaned.map_err(|why| Failed::of_line(stored.path, stored.at.1, why).error)?))
    })
}

/// Returns a line or row with the remaining text in it.
fn cleaned_record(run: &Cleaning, stored: &Stored, number: usize) -> anyhow::Result<Vec<u8>> {
    let ((_, text), cuts) = (&run.texts[number], &run.cuts[number]);
    let kept = |bytes: &[u8]| without(text, bytes, cuts);
    match stored.table {
        Some(table) => run.fields.with_cell(table, stored.bytes, kept),
        None => run.fields.with_text(stored.bytes, kept),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use dedup_text::parallel::Advance;

    use super::*;

    /// Returns the bytes of a text without its repeats, and the number of words that were cut out.
    fn cleaned(written: &str, min_words: usize) -> (String, usize) {
        let reading = ReadOptions::default();
        let text = Text::decode(Path::new("a"), written.as_bytes().to_vec(), &reading).unwrap();
        let mut words = Words::new(dedup_text::corpus::spans::words::Spelling::Folded);
        words.add(&text).unwrap();
        let (numbers, parts) = words.into_parts();
        let removable = numbers.repeats(min_words, &Advance::default()).removable();
        let texts = [("a".to_owned(), text)];
        let cuts = cuts(&texts, &parts, &removable, Borders::Words).remove(0);
        let kept = without(&texts[0].1, written.as_bytes(), &cuts);
        let kept = String::from_utf8(kept).unwrap();
        // The remaining text is read as before.
        let mut want = texts[0].1.content().to_owned();
        cuts.iter().rev().for_each(|(cut, _)| want.replace_range(cut.clone(), ""));
        let again = Text::decode(Path::new("a"), kept.clone().into_bytes(), &reading).unwrap();
        let seen = |text: &str| text.replace('\u{200b}', "");
        assert_eq!(seen(again.content()), seen(&want), "{written:?}");
        (kept, cuts.iter().map(|(_, words)| words).sum())
    }

    #[test]
    fn what_stays_of_a_disguised_text_is_what_is_not_cut_out() {
        #[rustfmt::skip]
        let table: &[(&str, &str, usize, &str, usize)] = &[
            ("behind a letter",        "字字字\u{200b} end",         1, "字end",                   2),
            ("within a run",           "水\u{200b}火山川水火山",       3, "水\u{200b}火山川",          3),
            ("in what is cut out",     "水火山川水\u{200b}火山",       3, "水火山川",                 3),
            ("behind other letters",   "字字イ字x\u{200b}",          1, "字イx\u{200b}",             2),
            ("a look-alike",           "the plаgue is the plague", 2, "the plаgue is ",          2),
            ("turned round, all of it", "水火 \u{202e}火水\u{202c} 山", 2, "水火 山",                 2),
            ("a part of it",           "水火 \u{202e}山火水\u{202c}", 2, "水火 \u{202e}山火水\u{202c}", 0),
        ];
        for (why, written, min_words, want, words) in table {
            assert_eq!(cleaned(written, *min_words), ((*want).to_owned(), *words), "{why}");
        }
    }

    proptest! {
        #[test]
        fn invisible_characters_change_nothing_of_what_is_cut_out(
            letters in proptest::collection::vec("[水火山川]\u{200b}{0,2}| ", 0..40), min_words in 1_usize..4,
        ) {
            let written = letters.concat();
            let plain = written.replace('\u{200b}', "");
            let (kept, words) = cleaned(&written, min_words);
            prop_assert_eq!((kept.replace('\u{200b}', ""), words), cleaned(&plain, min_words));
        }

        #[test]
        fn what_stays_beside_turned_text_is_read_as_before(
            pieces in proptest::collection::vec("[水火 ]{1,3}|\u{202e}[水火, ]{1,4}\u{202c}|\u{200b}", 0..20),
            min_words in 1_usize..4,
        ) {
            cleaned(&pieces.concat(), min_words);
        }
    }
}
