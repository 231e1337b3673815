//! The texts without what stands earlier, too: a file, records or a folder.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use anyhow::Context;
use dedup_text::parallel::Advance;
use dedup_text::text::formats::Kind;
use dedup_text::text::{Encoding, Reading, Text, display_path};

use super::Cut;
use crate::args::SpansFlags;
use crate::diagnostics::Diagnostic;
use crate::io::disk::{self, folder_of};
use crate::io::inputs::again::{ReadTwice, unreadable};
use crate::io::inputs::record::Fields;
use crate::io::inputs::source::{Failed, Place};
use crate::io::output::{Sink, write_in, write_together, write_tree};
use crate::io::packed::Packing;
use crate::io::rewrite::{Change, Layout, Stored, rewrite};

/// The texts, where each is, and what is cut out of it.
pub(super) struct Cleaning<'c> {
    pub(super) flags: &'c SpansFlags,
    pub(super) texts: &'c [(String, Text)],
    pub(super) places: &'c [Place],
    pub(super) cuts: &'c [Vec<Cut>],
    pub(super) fields: &'c Fields,
    pub(super) twice: &'c ReadTwice,
    /// How many texts are written.
    pub(super) done: &'c Advance,
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

/// Where files stand in a new folder: those of one folder as in it, and those of several paths as in
/// the nearest folder that has all of them. So no two have one name.
struct Tree<'p> {
    /// Where the paths that are named are.
    roots: BTreeMap<&'p Path, PathBuf>,
    /// The folder whose place the new one takes.
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
        // Of one folder the files stand in the new one as they stand in it.
        let base =
            if let ([_], Some(folder)) = (paths, roots.values().next()) { folder } else { shared };
        let base = base.to_owned();
        Ok(Self { roots, base })
    }

    /// The name of a file in the new folder.
    fn inner(&self, file: &Path) -> Result<PathBuf, Diagnostic> {
        let mut around = file.ancestors();
        let all = around.find_map(|path| {
            let (root, inner) = (self.roots.get(path)?, file.strip_prefix(path).ok()?);
            let is_within = |part| matches!(part, Component::Normal(_) | Component::CurDir);
            // A file that is named itself has nothing behind its name.
            let all = if inner == Path::new("") { root.clone() } else { root.join(inner) };
            inner.components().all(is_within).then_some(all)
        });
        let inner = all.as_ref().and_then(|all| all.strip_prefix(&self.base).ok());
        inner.map(Path::to_owned).ok_or_else(|| {
            let file = display_path(file);
            Diagnostic::new(format!("{file}: is in no folder that is named, expected one that is"))
        })
    }
}

/// A path from the root: links in the folders before its name are resolved.
fn whole(path: &Path) -> anyhow::Result<PathBuf> {
    let (folder, name) = match path.file_name() {
        Some(name) => (folder_of(path), Some(name)),
        None => (path, None), // such as ..
    };
    let folder = std::fs::canonicalize(folder).with_context(|| unreadable(path))?;
    Ok(name.map_or(folder.clone(), |name| folder.join(name)))
}

const ONE_FORMAT: &str = "each run of dedup spans --output writes records of one format";

/// Checks that a text can be read once more.
fn check((name, text): &(String, Text), place: &Place) -> Result<(), Diagnostic> {
    match place {
        Place::Member { .. } | Place::Unit(_) | Place::Stored(_) => {
            Err(Diagnostic::new(format!("{name}: is in an archive, expected a file for --output"))
                .hint("unpack it first"))
        }
        Place::File if disk::size(text.path()).is_none() => Err(Diagnostic::new(format!(
            "{name}: can be read once alone, expected a file for --output"
        ))
        .hint("records of --jsonl - can be written")),
        Place::File | Place::Line { .. } | Place::Row { .. } => Ok(()),
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

/// Writes all records; those of which nothing is cut out byte for byte.
fn write_records(run: &Cleaning, sink: &mut Sink) -> anyhow::Result<()> {
    let layout = Layout::new(run.twice, ONE_FORMAT, |_, _| Ok(()))?;
    let files: Vec<&Path> = run.twice.paths().collect();
    let cut = (0..run.texts.len()).filter(|number| !run.cuts[*number].is_empty());
    let places = cut.filter_map(|text| {
        let Place::Line { file, number, .. } = &run.places[text] else { return None };
        Some(((files.iter().position(|path| *path == &**file)?, *number), text))
    });
    let texts: BTreeMap<(usize, u64), usize> = places.collect();
    rewrite(run.twice, layout, sink, run.done, |stored| {
        let Some(text) = texts.get(&stored.at) else { return Ok(Change::Keep) };
        let cleaned = cleaned_record(run, stored, *text);
        Ok(Change::To(cleaned.map_err(|why| Failed::of_line(stored.path, stored.at.1, why).error)?))
    })
}

/// A line or row with another text in it.
fn cleaned_record(run: &Cleaning, stored: &Stored, number: usize) -> anyhow::Result<Vec<u8>> {
    let ((_, text), cuts) = (&run.texts[number], &run.cuts[number]);
    let kept = |bytes: &[u8]| without(text, bytes, cuts);
    match stored.table {
        Some(table) => run.fields.with_cell(table, stored.bytes, kept),
        None => run.fields.with_text(stored.bytes, kept),
    }
}
