//! The texts without what stands earlier, too: a file, records or a folder.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::path::{Component, Path};

use anyhow::Context;
use dedup_text::text::formats::Kind;
use dedup_text::text::{Encoding, Reading, Text, display_path};

use super::Cut;
use crate::args::SpansFlags;
use crate::diagnostics::Diagnostic;
use crate::io::disk;
use crate::io::inputs::again::{ReadTwice, unreadable};
use crate::io::inputs::record::Fields;
use crate::io::inputs::source::{Failed, Place};
use crate::io::output::{write_in, write_together, write_tree};
use crate::io::packed::Packing;

/// Bytes that are read at once.
const BLOCK: usize = 1 << 18;

/// The texts, where each is, and what is cut out of it.
pub(super) struct Cleaning<'c> {
    pub(super) flags: &'c SpansFlags,
    pub(super) texts: &'c [(String, Text)],
    pub(super) places: &'c [Place],
    pub(super) cuts: &'c [Vec<Cut>],
    pub(super) fields: &'c Fields,
    pub(super) twice: &'c ReadTwice,
}

/// Writes what stays: all of it, or nothing.
pub(super) fn write(run: &Cleaning, output: &Path) -> anyhow::Result<()> {
    for (text, place) in run.texts.iter().zip(run.places) {
        check(text, place)?;
    }
    let cut = run.texts.iter().zip(run.cuts).filter(|(_, cuts)| !cuts.is_empty());
    for ((name, text), _) in cut {
        check_kind(name, text)?;
    }
    match run.flags.paths.first() {
        None => write_together(&[output], |sinks| {
            let write = |bytes: &[u8]| sinks.iter_mut().try_for_each(|sink| sink.write(bytes));
            write_records(run, write)
        }),
        Some(path) if path.is_dir() => write_tree(output, |folder| {
            for number in 0..run.texts.len() {
                let file = run.texts[number].1.path();
                let inner = file.strip_prefix(path).unwrap_or(file);
                let is_within = |part| matches!(part, Component::Normal(_) | Component::CurDir);
                if !inner.components().all(is_within) {
                    let file = display_path(file);
                    let message = format!("{file}: is not in the folder, expected one that is");
                    return Err(Diagnostic::new(message).into());
                }
                write_in(folder, inner, &cleaned_file(run, number)?, output)?;
            }
            Ok(())
        }),
        Some(_) => write_together(&[output], |sinks| {
            for number in 0..run.texts.len() {
                let bytes = cleaned_file(run, number)?;
                sinks.iter_mut().try_for_each(|sink| sink.write(&bytes))?;
            }
            Ok(())
        }),
    }
}

/// Checks that a text can be read once more.
fn check((name, text): &(String, Text), place: &Place) -> Result<(), Diagnostic> {
    match place {
        Place::Member { .. } | Place::Unit(_) => {
            Err(Diagnostic::new(format!("{name}: is in an archive, expected a file for --output"))
                .hint("unpack it first"))
        }
        Place::File if disk::size(text.path()).is_none() => Err(Diagnostic::new(format!(
            "{name}: can be read once alone, expected a file for --output"
        ))
        .hint("records of --jsonl - can be written")),
        Place::File | Place::Line { .. } => Ok(()),
    }
}

/// Checks that something can be cut out of a text.
fn check_kind(name: &str, text: &Text) -> Result<(), Diagnostic> {
    if text.kind() == Kind::Plain {
        return Ok(());
    }
    let kind = text.kind().name();
    Err(Diagnostic::new(format!("{name}: is {kind}, expected plain text to cut out of"))
        .hint("--markdown off, --html off and --latex off read such files as plain text; --exclude leaves them out"))
}

/// The bytes of a file without what is cut out of it.
fn cleaned_file(run: &Cleaning, number: usize) -> anyhow::Result<Vec<u8>> {
    let ((_, text), cuts) = (&run.texts[number], &run.cuts[number]);
    let path = text.path();
    let reading = run.flags.reading()?;
    let bytes = disk::head(path, u64::MAX)?;
    if cuts.is_empty() {
        return Ok(bytes);
    }
    if let Some(packing) = Packing::of_content(&bytes) {
        let (path, packing) = (display_path(path), packing.name());
        let message = format!("{path}: is packed by {packing}, expected plain text to cut out of");
        return Err(Diagnostic::new(message).hint("unpack it first").into());
    }
    let again = Text::decode(path, bytes.clone(), &reading)?;
    if again.content() != text.content() {
        let path = display_path(path);
        let message = format!("{path}: changed while it was read, expected one content");
        let hint = "run it again when nothing writes to the file";
        return Err(Diagnostic::new(message).hint(hint).into());
    }
    let kept = without(text, &bytes, cuts);
    if text.encoding() != Encoding::UTF_8 {
        check_encoding(text, &kept, cuts, &reading)?;
    }
    Ok(kept)
}

/// Checks that what stays is read as before: in some encodings a byte depends on those before it.
fn check_encoding(text: &Text, kept: &[u8], cuts: &[Cut], reading: &Reading) -> anyhow::Result<()> {
    let reading = Reading { encoding: Some(text.encoding()), ..*reading };
    let again = Text::decode(text.path(), kept.to_vec(), &reading)?;
    let mut want = text.content().to_owned();
    cuts.iter().rev().for_each(|(cut, _)| want.replace_range(cut.clone(), ""));
    if again.content() == want {
        return Ok(());
    }
    let (path, encoding) = (display_path(text.path()), text.encoding());
    let message =
        format!("{path}: nothing can be cut out of a text in {encoding}, expected one in UTF-8");
    Err(Diagnostic::new(message).hint("convert it first").into())
}

/// Stored bytes of a text without what is cut out of its content.
fn without(text: &Text, stored: &[u8], cuts: &[Cut]) -> Vec<u8> {
    let ranges: Vec<Range<usize>> = cuts.iter().map(|(cut, _)| cut.clone()).collect();
    let (mut kept, mut done) = (Vec::with_capacity(stored.len()), 0);
    for place in text.places(&ranges) {
        kept.extend_from_slice(&stored[done..place.bytes.start]);
        done = place.bytes.end;
    }
    kept.extend_from_slice(&stored[done..]);
    kept
}

/// Writes the lines of all records; those of which nothing is cut out byte for byte.
fn write_records(
    run: &Cleaning,
    mut write: impl FnMut(&[u8]) -> Result<(), Diagnostic>,
) -> anyhow::Result<()> {
    let files: Vec<&Path> = run.twice.paths().collect();
    let cut = (0..run.texts.len()).filter(|number| !run.cuts[*number].is_empty());
    let places = cut.filter_map(|text| {
        let Place::Line { file, number, .. } = &run.places[text] else { return None };
        Some(((files.iter().position(|path| *path == &**file)?, *number), text))
    });
    let texts: BTreeMap<(usize, u64), usize> = places.collect();
    let mut has_end = true;
    for (file, path) in files.iter().enumerate() {
        let (stream, _) = run.twice.open_ahead(file)?;
        let mut lines = BufReader::with_capacity(BLOCK, stream);
        let (mut line, mut number) = (Vec::new(), 0);
        while lines.read_until(b'\n', &mut line).with_context(|| unreadable(path))? > 0 {
            number += 1;
            if !has_end {
                write(b"\n")?;
            }
            has_end = line.ends_with(b"\n");
            match texts.get(&(file, number)) {
                None => write(&line)?,
                Some(text) => {
                    let cleaned = cleaned_line(run, &line, *text);
                    write(&cleaned.map_err(|why| Failed::of_line(path, number, why).error)?)?;
                }
            }
            line.clear();
        }
        run.twice.check_read(file)?;
    }
    Ok(())
}

/// A line with another text in it.
fn cleaned_line(run: &Cleaning, line: &[u8], number: usize) -> anyhow::Result<Vec<u8>> {
    let ((_, text), cuts) = (&run.texts[number], &run.cuts[number]);
    run.fields.with_text(line, |stored| without(text, stored, cuts))
}
