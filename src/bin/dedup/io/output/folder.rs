//! The files that a run is going to write, held apart from those that it reads, and how several of
//! them are written at once: all are whole, or none is there.

use std::collections::HashMap;
use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use dedup_text::text::display_path;
use dedup_text::verdict::Verdict;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use tempfile::{Builder, TempPath};

use super::{
    Audience, Target, cause_of, give_mode, half_written, is_output, remove_when_stopped,
    standard_output, target, unwritable,
};
use crate::diagnostics::Diagnostic;
use crate::io::disk::{self, FileId, Packing, folder_of};

/// The files that a run writes, each with the flag that names it.
#[derive(Debug, Default)]
pub(crate) struct OutputFiles {
    flags: Vec<String>,
    /// Those that exist, and all in a folder that is replaced, each with the place of its flag.
    existing: HashMap<FileId, usize>,
}

const HINT: &str = "name another file, such as report.html";

/// What to do about a text in the place of an output, in a folder that is compared.
const HINT_FOUND: &str = "only an empty file or an earlier output of dedup is replaced there: a report, json, jsonl, csv, \
     sarif, junit, gitlab, markdown or badge; name another file, or move this one away";

impl OutputFiles {
    /// Files with their flags; names of standard output are none.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] where two are one file.
    pub(crate) fn new(
        written: impl IntoIterator<Item = (String, PathBuf)>,
    ) -> Result<Self, Diagnostic> {
        let mut files = Self::default();
        let mut places: Vec<FileId> = Vec::new();
        for (flag, path) in written.into_iter().filter(|(_, path)| !is_output(path)) {
            let known = disk::metadata(&path);
            let id = FileId::with(&path, known.as_ref());
            if let Some(other) = places.iter().position(|place| *place == id) {
                return Err(conflict(&flag, &files.flags[other], HINT));
            }
            let place = files.flags.len();
            match known {
                Some(known) if known.is_dir() => {
                    let all = files_in(&path).into_iter().chain([path]);
                    files.existing.extend(all.map(|path| (FileId::new(&path), place)));
                }
                Some(known) if known.is_file() => {
                    files.existing.insert(id.clone(), place);
                }
                _ => {}
            }
            places.push(id);
            files.flags.push(flag);
        }
        Ok(files)
    }

    /// Whether a file is one that is written.
    pub(crate) fn has(&self, id: &FileId) -> bool {
        self.existing.contains_key(id)
    }

    /// Checks that a file that is read is none that is written.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] with the flag and with what the file is.
    pub(crate) fn check(&self, what: impl Display, path: &Path) -> Result<(), Diagnostic> {
        self.check_known(what, &FileId::new(path))
    }

    /// The same where the identity is known.
    pub(crate) fn check_known(&self, what: impl Display, id: &FileId) -> Result<(), Diagnostic> {
        let flag = self.existing.get(id).map(|place| &self.flags[*place]);
        flag.map_or(Ok(()), |flag| Err(conflict(flag, what, HINT)))
    }

    /// Whether a file that was found in a folder is an earlier output in the place of a new one,
    /// and so no text.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] where it is in the place of one and cannot be reported from a text.
    pub(crate) fn is_earlier(&self, path: &Path, id: &FileId) -> Result<bool, Diagnostic> {
        let Some(place) = self.existing.get(id) else { return Ok(false) };
        if is_earlier_output(path) {
            return Ok(true);
        }
        Err(conflict(&self.flags[*place], text(path), HINT_FOUND))
    }
}

/// What a text is called in such error.
pub(crate) fn text(path: &Path) -> String {
    format!("the text {}", display_path(path))
}

fn conflict(flag: &str, what: impl Display, hint: &str) -> Diagnostic {
    Diagnostic::new(format!("{flag}: is {what} too, expected a file of its own"))
        .hint(hint.to_owned())
}

// A folder of pages that was asked for: whole, or as if nothing had been.
//
// It is written beside its place under another name and then renamed. Nothing is deleted but an
// earlier folder of ours, and that only where all that is in it is ours.

/// The file that says whose a folder is.
const MARKER: &str = ".dedup-report";

/// The page that is opened first.
const INDEX: &str = "index.html";

/// The folder of the pages that it leads to.
const PAGES: &str = "pairs";

const WANTED: &str = "a new folder, an empty one or an earlier report";

/// A folder that is being written.
pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Writes the page that is opened first.
    pub(crate) fn write_index(&self, content: &str) -> io::Result<()> {
        write_new(&self.path.join(INDEX), content)
    }

    /// Writes one of the pages that it leads to.
    pub(crate) fn write_page(&self, name: &str, content: &str) -> io::Result<()> {
        write_new(&self.path.join(PAGES).join(name), content)
    }
}

/// Writes a file. Anyone who stops the program meanwhile waits for it, so that
/// none comes to be in a folder that is being removed.
fn write_new(path: &Path, content: &str) -> io::Result<()> {
    let _half = half_written();
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(content.as_bytes())
}

/// Finds out whether a folder may be written.
///
/// # Errors
///
/// Where something is there that is not an earlier report.
pub(crate) fn check_folder(path: &Path) -> Result<(), Diagnostic> {
    let occupied = |found| {
        let message = format!("{}: {found}, expected {WANTED}", display_path(path));
        let hint = "name another folder, or one page, such as report.html";
        Err(Diagnostic::new(message).hint(hint))
    };
    match fs::metadata(path) {
        Ok(known) if !known.is_dir() => occupied("is a file"),
        Ok(_) if !is_ours(path) => occupied("is a folder with other things in it"),
        _ => Ok(()),
    }
}

/// Finds out whether the key of a report may be written: what each text is called in it. Nothing
/// else is replaced, not even an empty file or another output.
///
/// # Errors
///
/// Where something is there that is no earlier key.
pub(crate) fn check_key(path: &Path) -> Result<(), Diagnostic> {
    let is_key = || {
        let head = disk::head(path, KEY.len() as u64);
        path.is_file() && head.is_ok_and(|head| head == KEY.as_bytes())
    };
    if fs::symlink_metadata(path).is_err() || is_key() {
        return Ok(());
    }
    let path = display_path(path);
    Err(Diagnostic::new(format!(
        "{path}: is there and no key, expected a new file or an earlier key"
    ))
    .hint("--anonymous writes which text is whose there; move it away, or name another report"))
}

/// Finds out whether the page that compares texts may be written to a place of that name.
///
/// # Errors
///
/// Where something is there that is neither empty nor an earlier output.
pub(crate) fn check_page(path: &Path) -> Result<(), Diagnostic> {
    let name = display_path(path);
    let (found, hint) = match fs::metadata(path) {
        Ok(known) if known.is_dir() => (
            "is a folder",
            format!("name a file in it: {}", display_path(&path.join("dedup.html"))),
        ),
        Ok(known) if known.is_file() && !is_earlier_output(path) => (
            "is there and no output of dedup",
            "name another file, or move this one away".to_owned(),
        ),
        _ => return Ok(()),
    };
    let wanted = "expected a new file, an empty one or an earlier page";
    Err(Diagnostic::new(format!("{name}: {found}, {wanted}")).hint(hint))
}

/// Writes a folder.
///
/// # Errors
///
/// Where something is there that is not an earlier report, or it cannot be written.
pub(crate) fn write_folder(
    path: &Path,
    write: impl FnOnce(&Folder) -> io::Result<()>,
) -> Result<(), Diagnostic> {
    check_folder(path)?;
    replace(path, write).map_err(|source| unwritable(path, source))
}

/// All files that are replaced with a folder.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let paths = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    [folder, &folder.join(PAGES)].into_iter().flat_map(paths).collect()
}

/// Whether a folder is empty, or has what an earlier report has and nothing else.
fn is_ours(folder: &Path) -> bool {
    let Some(names) = listed(folder) else { return false };
    let is_page = |(name, is_folder): &(String, bool)| {
        let number = name.strip_suffix(".html").unwrap_or_default();
        let is_numbered = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        !is_folder && is_numbered && is_earlier_output(&folder.join(PAGES).join(name))
    };
    let is_own = |(name, is_folder): &(String, bool)| match name.as_str() {
        MARKER => !is_folder,
        INDEX => !is_folder && is_earlier_output(&folder.join(INDEX)),
        PAGES => {
            *is_folder && listed(&folder.join(PAGES)).is_some_and(|pages| pages.iter().all(is_page))
        }
        _ => false,
    };
    let is_marked = names.iter().any(|(name, _)| name == MARKER);
    names.is_empty() || (is_marked && names.iter().all(is_own))
}

/// The names in a folder, and whether each is of a folder; none where one cannot be reported.
fn listed(folder: &Path) -> Option<Vec<(String, bool)>> {
    let entry = |entry: io::Result<fs::DirEntry>| {
        let entry = entry.ok()?;
        Some((entry.file_name().into_string().ok()?, entry.file_type().ok()?.is_dir()))
    };
    fs::read_dir(folder).ok()?.map(entry).collect()
}

/// Writes beside a name and renames. A link stays a link.
fn replace(path: &Path, write: impl FnOnce(&Folder) -> io::Result<()>) -> io::Result<()> {
    remove_when_stopped()?;
    let known = fs::canonicalize(path).ok();
    let path = known.as_deref().unwrap_or(path);
    let mut half = half_written();
    let mut builder = Builder::new();
    builder.prefix(".dedup-").suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
    let temporary = builder.tempdir_in(folder_of(path)).map_err(cause_of)?;
    half.push(temporary.path().to_owned());
    drop(half);
    let folder = Folder { path: temporary.path().to_owned() };
    let written = filled(&folder, write);
    let mut half = half_written();
    let renamed = written.and_then(|()| {
        if known.is_none() {
            return fs::rename(&folder.path, path);
        }
        let old = folder.path.with_extension("old");
        fs::rename(path, &old)?;
        if let Err(error) = fs::rename(&folder.path, path) {
            return fs::rename(&old, path).and(Err(error));
        }
        // Anyone who stops the program now has the new one, and the old one goes all the same.
        *half = vec![old.clone()];
        fs::remove_dir_all(&old).map_err(|error| undeleted(&old, &error))
    });
    if renamed.is_ok() {
        let _ = temporary.keep(); // it goes by its own name now
    }
    half.clear();
    renamed
}

/// An error that says what stayed: the new report is in its place.
fn undeleted(old: &Path, error: &io::Error) -> io::Error {
    let old = display_path(old);
    io::Error::other(format!("it is, but the earlier one cannot be deleted from {old}: {error}"))
}

fn filled(folder: &Folder, write: impl FnOnce(&Folder) -> io::Result<()>) -> io::Result<()> {
    fs::create_dir(folder.path.join(PAGES))?;
    write(folder)?;
    write_new(
        &folder.path.join(MARKER),
        "An earlier report of dedup; the next one takes its place.\n",
    )
}

// Whether a file is an earlier output of dedup, by what it begins with.
//
// It decides what is replaced in a folder of texts, so that it errs on one side: a file without a
// mark of ours is somebody's text.

/// The element by which each page that we write says so.
const GENERATOR: &str = "<meta name=\"generator\" content=\"dedup\">";

/// The same element of the page that compares texts, up to its version; `web/page.html` has it.
const PAGE: &str = "<meta name=\"generator\" content=\"dedup ";

/// The version of the program in a page that compares texts, by what the page begins with; none where it
/// is no such page.
pub(crate) fn page_version(head: &str) -> Option<&str> {
    let (_, rest) = head.split_once(PAGE).filter(|_| head.starts_with(DOCUMENT))?;
    Some(rest.split_once("\">")?.0)
}

/// What each page that we write begins with.
const DOCUMENT: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n";

/// Bytes that the marks stand in.
const HEAD: u64 = 1 << 16;

/// Whether a file is empty, or begins as an output of dedup does. Plain text, paths and GitHub's
/// commands have no mark.
fn is_earlier_output(path: &Path) -> bool {
    disk::head(path, HEAD).is_ok_and(|head| is_marked(&String::from_utf8_lossy(&head)))
}

/// Endings of the names that outputs usually have.
const ENDINGS: [&str; 10] =
    ["html", "htm", "json", "jsonl", "csv", "xml", "sarif", "md", "txt", "baseline"];

/// The most bytes that an output has before its mark.
const MARKED_BYTES: usize = 1 << 11;
const MARKED: u64 = MARKED_BYTES as u64;

/// Whether a file that was found in a folder begins with the mark of an output, so that it is no
/// submission. An empty file has none.
pub(crate) fn has_mark(path: &Path) -> bool {
    may_have_mark(path) && disk::head(path, MARKED).is_ok_and(|head| is_marked_head(&head))
}

/// The same of the bytes of a file.
pub(crate) fn begins_with_mark(path: &Path, bytes: &[u8]) -> bool {
    may_have_mark(path) && is_marked_head(&bytes[..bytes.len().min(MARKED_BYTES)])
}

fn may_have_mark(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    ENDINGS.iter().any(|it| ending.eq_ignore_ascii_case(it))
}

fn is_marked_head(head: &[u8]) -> bool {
    !head.is_empty() && is_marked(&String::from_utf8_lossy(head))
}

fn is_marked(head: &str) -> bool {
    let line = head.lines().next().unwrap_or_default();
    head.is_empty()
        || head.starts_with("{\"schema\":\"dedup.")
        || head.starts_with(DOCUMENT) && head.contains(GENERATOR)
        || page_version(head).is_some()
        || head.starts_with(CSV)
        || head.starts_with(KEY)
        || head.starts_with(JUNIT)
        || head.starts_with(BADGE)
        || head.starts_with("# dedup baseline ")
        || head.starts_with("{\"$schema\":\"https://docs.oasis-open.org/sarif/")
            && head.contains(SARIF)
        || is_gitlab(head)
        || is_markdown(head)
        || is_kept(line)
}

/// The first columns, which never change.
const CSV: &str =
    "a,b,verdict,decided_by,hamming,jaccard,shared,union,containment_a,containment_b,";

/// The first line of a key: what a text is called in a report without names, and its name.
pub(crate) const KEY: &str = "name in the dedup report,text\n";

const JUNIT: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"dedup\" ";

const BADGE: &str = "{\"schemaVersion\":1,\"label\":\"copies\",\"message\":\"";

const SARIF: &str = "{\"description\":{\"text\":\"The folder in which dedup ran.\"}}";

/// A list without an issue, or one whose first issue is of a verdict.
fn is_gitlab(head: &str) -> bool {
    let is_issue = |verdict: Verdict| {
        let name = verdict.name();
        head.starts_with(&format!("[{{\"description\":\"{name}: "))
            && head.contains(&format!("\",\"check_name\":\"{name}\",\"fingerprint\":\""))
    };
    head.trim_end() == "[]" || Verdict::LADDER.into_iter().any(is_issue)
}

/// How many pairs there are, then how many texts.
fn is_markdown(head: &str) -> bool {
    let lines: Vec<&str> = head.lines().take(3).collect();
    let [first, "", third] = lines[..] else { return false };
    let is_count = |line: &str, noun: &str| {
        let (count, rest) = line.split_once(' ').unwrap_or_default();
        let is_number = count.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
        !count.is_empty() && (is_number || count == "no") && rest.starts_with(noun)
    };
    let pairs = first.strip_prefix("## dedup: ");
    pairs.is_some_and(|line| is_count(line, "pair")) && is_count(third, "text")
}

/// A line of what is kept: the name of a text and nothing else.
fn is_kept(line: &str) -> bool {
    let Ok(Value::Object(record)) = serde_json::from_str(line) else { return false };
    record.len() == 1 && record.get("path").is_some_and(Value::is_string)
}

// Several files that are written together: all of them are whole, or none is there.

/// Bytes that are written at once.
const BLOCK: usize = 1 << 18;

/// One of the files, while it is written.
pub(crate) struct Sink<'p> {
    path: &'p Path,
    to: Writer,
}

/// Where the bytes go.
enum Writer {
    /// A file that takes the place of another, or a free name, when all are written.
    File(BufWriter<fs::File>, TempPath, PathBuf),
    /// The same, packed by gzip, as its name says.
    Gzip(Box<GzEncoder<BufWriter<fs::File>>>, TempPath, PathBuf),
    /// Standard output, a pipe or a device.
    Stream(BufWriter<UntilClosed<Box<dyn Write + Send>>>),
}

impl<'p> Sink<'p> {
    /// Begins a file.
    fn new(path: &'p Path) -> Result<Self, Diagnostic> {
        let begun = match target(path) {
            Target::Output => standard_output().map(Writer::stream),
            Target::Stream => OpenOptions::new().append(true).open(path).map(Writer::stream),
            Target::File(target) => Writer::file(target),
        };
        let to = begun.map_err(|source| unwritable(path, source))?;
        Ok(Self { path, to })
    }

    /// Writes bytes behind those that are written.
    ///
    /// # Errors
    ///
    /// Where they cannot be written, with the name of the file.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Diagnostic> {
        let written = match &mut self.to {
            Writer::File(file, ..) => file.write_all(bytes),
            Writer::Gzip(file, ..) => file.write_all(bytes),
            Writer::Stream(stream) => stream.write_all(bytes),
        };
        written.map_err(|source| unwritable(self.path, source))
    }

    fn flush(&mut self) -> Result<(), Diagnostic> {
        let written = match &mut self.to {
            Writer::File(file, ..) => file.flush(),
            Writer::Gzip(file, ..) => file.try_finish().and_then(|()| file.get_mut().flush()),
            Writer::Stream(stream) => stream.flush(),
        };
        written.map_err(|source| unwritable(self.path, source))
    }
}

impl Writer {
    fn stream(to: impl Write + Send + 'static) -> Self {
        let to: Box<dyn Write + Send> = Box::new(to);
        let until_closed = UntilClosed { to, is_closed: false };
        Self::Stream(BufWriter::with_capacity(BLOCK, until_closed))
    }

    /// A file beside a name, which it is to have in the end.
    fn file(target: PathBuf) -> io::Result<Self> {
        remove_when_stopped()?;
        let mut half = half_written();
        let mut builder = Builder::new();
        give_mode(&mut builder, &target, Audience::Umask);
        let file = builder.prefix(".dedup-").suffix(".tmp").tempfile_in(folder_of(&target));
        let file = file.map_err(cause_of)?;
        half.push(file.path().to_owned());
        drop(half);
        // Errors of the file itself do not name it.
        let (file, beside) = file.into_parts();
        let file = BufWriter::with_capacity(BLOCK, file);
        if Packing::of_name(&target) == Some(Packing::Gzip) {
            let packed = GzEncoder::new(file, Compression::default());
            return Ok(Self::Gzip(Box::new(packed), beside, target));
        }
        Ok(Self::File(file, beside, target))
    }
}

/// A pipe whose reader may close it: it has read enough, and what follows is dropped.
struct UntilClosed<W> {
    to: W,
    is_closed: bool,
}

impl<W: Write> Write for UntilClosed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_closed {
            return Ok(bytes.len());
        }
        match self.to.write(bytes) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(bytes.len())
            }
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes files, each by its place. Where one of them cannot be written, or `write` fails, none of
/// them is there, and what was there before stays; what went to a pipe is gone.
///
/// # Errors
///
/// Those of `write`, and where a file cannot be begun or put in its place.
pub(crate) fn write_together(
    paths: &[&Path],
    write: impl FnOnce(&mut [Sink]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let written = begin(paths).and_then(|mut sinks| {
        write(&mut sinks)?;
        sinks.iter_mut().try_for_each(Sink::flush)?;
        Ok(sinks)
    });
    // With the lock held no signal comes between two names.
    let mut half = half_written();
    let renamed = written.and_then(rename);
    half.clear();
    renamed
}

fn begin<'p>(paths: &[&'p Path]) -> anyhow::Result<Vec<Sink<'p>>> {
    Ok(paths.iter().map(|path| Sink::new(path)).collect::<Result<_, _>>()?)
}

/// Gives files their names. Where one of them cannot have its own, new ones before it are removed.
fn rename(sinks: Vec<Sink>) -> anyhow::Result<()> {
    let mut new: Vec<PathBuf> = Vec::new();
    for Sink { path, to } in sinks {
        // All of them are flushed, and closed before they have their names.
        let (beside, target) = match to {
            Writer::File(file, beside, target) => {
                drop(file);
                (beside, target)
            }
            Writer::Gzip(file, beside, target) => {
                drop(file);
                (beside, target)
            }
            Writer::Stream(_) => continue,
        };
        let is_new = !target.exists();
        let named = beside.persist(&target).map_err(|lost| lost.error);
        if let Err(source) = named {
            for path in new {
                let _ = fs::remove_file(path);
            }
            return Err(unwritable(path, source).into());
        }
        if is_new {
            new.push(target);
        }
    }
    Ok(())
}

// A new folder of files: it is there whole, or not at all.

/// Checks that no file and no folder is at a name, so that nothing is overwritten.
///
/// # Errors
///
/// [`Diagnostic`] where something is.
pub(crate) fn check_new(flag: &str, path: &Path) -> Result<(), Diagnostic> {
    if !path.is_file() && !path.is_dir() {
        return Ok(());
    }
    let path = display_path(path);
    Err(Diagnostic::new(format!("{flag} {path}: is there already, expected a new name"))
        .hint("nothing is overwritten; name another one, or move it away"))
}

/// Writes a new folder beside its name, and renames it. `write` is given where it stands meanwhile.
///
/// # Errors
///
/// Those of `write`, and where the folder cannot be made or named.
pub(crate) fn write_tree(
    path: &Path,
    write: impl FnOnce(&Path) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let unwritten = |source| unwritable(path, source);
    remove_when_stopped().map_err(unwritten)?;
    let mut half = half_written();
    let mut builder = Builder::new();
    builder.prefix(".dedup-").suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
    let temporary = builder.tempdir_in(folder_of(path)).map_err(cause_of).map_err(unwritten)?;
    half.push(temporary.path().to_owned());
    drop(half);
    let written = write(temporary.path());
    // With the lock held no signal comes before the name.
    let mut half = half_written();
    let renamed = written.and_then(|()| {
        check_new("--output", path)?;
        Ok(fs::rename(temporary.path(), path).map_err(unwritten)?)
    });
    if renamed.is_ok() {
        let _ = temporary.keep(); // it goes by its own name now
    }
    half.clear();
    renamed
}

/// Writes a file in such a folder, and the folders that it is in.
///
/// # Errors
///
/// [`Diagnostic`] where it cannot be written, or is there, by the name that it is to have.
pub(crate) fn write_in(
    folder: &Path,
    inner: &Path,
    bytes: &[u8],
    name: &Path,
) -> Result<(), Diagnostic> {
    let file = folder.join(inner);
    // With the lock held no signal has the folder removed while something is put into it.
    let _half = half_written();
    let written = fs::create_dir_all(folder_of(&file))
        .and_then(|()| OpenOptions::new().write(true).create_new(true).open(&file))
        .and_then(|mut file| file.write_all(bytes));
    written.map_err(|source| unwritable(&name.join(inner), source))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(entries: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for entry in entries {
            let path = folder.path().join(entry);
            if entry.ends_with('/') {
                fs::create_dir_all(path).unwrap();
            } else {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, "").unwrap();
            }
        }
        folder
    }

    #[test]
    fn nothing_is_ours_that_has_anything_else() {
        #[rustfmt::skip]
        let table: &[(&str, &[&str], bool)] = &[
            ("an empty folder",     &[],                                                     true),
            ("an earlier report",   &[".dedup-report", "index.html", "pairs/0001.html"],     true),
            ("without a pair",      &[".dedup-report", "index.html", "pairs/"],              true),
            ("without a mark",      &["index.html", "pairs/0001.html"],                      false),
            ("a file more",         &[".dedup-report", "index.html", "pairs/", "notes.txt"], false),
            ("a hidden file more",  &[".dedup-report", "index.html", "pairs/", ".git/x"],    false),
            ("a page more",         &[".dedup-report", "index.html", "pairs/mine.html"],     false),
            ("without a number",    &[".dedup-report", "index.html", "pairs/.html"],         false),
            ("a folder for a page", &[".dedup-report", "index.html", "pairs/0001.html/"],    false),
            ("a file for a folder", &[".dedup-report", "index.html", "pairs"],               false),
            ("a folder of texts",   &["a.txt"],                                              false),
        ];
        for (why, entries, want) in table {
            let folder = with(entries);
            assert_eq!(is_ours(folder.path()), *want, "{why}");
            assert_eq!(check_folder(folder.path()).is_ok(), *want, "{why}");
        }
    }

    #[test]
    fn a_folder_is_there_whole_or_not_at_all() {
        let outer = tempfile::tempdir().unwrap();
        let path = outer.path().join("report");
        let list = |folder: &Path| {
            let mut names: Vec<String> =
                listed(folder).unwrap().into_iter().map(|(name, _)| name).collect();
            names.sort();
            names
        };
        let one = |folder: &Folder| {
            folder.write_index("")?;
            folder.write_page("0001.html", "")
        };
        write_folder(&path, one).unwrap();
        assert_eq!(list(&path), [".dedup-report", "index.html", "pairs"]);
        assert_eq!(list(&path.join("pairs")), ["0001.html"]);
        // An error in the middle leaves the earlier one.
        let half = |folder: &Folder| folder.write_index("").and(Err(io::Error::other("made up")));
        assert!(write_folder(&path, half).is_err());
        assert_eq!(
            (list(outer.path()), list(&path.join("pairs"))),
            (vec!["report".to_owned()], vec!["0001.html".to_owned()])
        );
        write_folder(&path, |folder| folder.write_index("")).unwrap();
        assert_eq!(
            (list(outer.path()), list(&path.join("pairs"))),
            (vec!["report".to_owned()], vec![])
        );
        fs::write(path.join("notes.txt"), "").unwrap();
        let error = write_folder(&path, one).unwrap_err().to_string();
        let want = "is a folder with other things in it, expected a new folder, an empty one or an earlier report";
        assert_eq!(error, format!("{}: {want}", path.display()));
        assert_eq!(list(&path), [".dedup-report", "index.html", "notes.txt", "pairs"]);
    }
}

#[cfg(test)]
mod earlier_tests {
    use super::*;

    #[test]
    fn what_has_no_mark_of_ours_is_a_text() {
        #[rustfmt::skip]
        let table = [
            ("nothing",                "",                                                            true),
            ("a space",                " ",                                                           false),
            ("an answer of a pair",    "{\"schema\":\"dedup.pair/2\",\"tool\":{}}",                   true),
            ("of somebody else",       "{\"schema\":\"other.pair/1\",\"tool\":{}}",                   false),
            ("about the schema",       "The field \"schema\":\"dedup.pair/2\" says it.",              false),
            ("what is kept",           "{\"path\":\"a.txt\"}\n{\"path\":\"b.txt\"}\n",                true),
            ("records of texts",       "{\"path\":\"a.txt\",\"text\":\"kettle\"}\n",                  false),
            ("a record without path",  "{\"text\":\"kettle\"}\n",                                     false),
            ("a heading about it",     "## dedup: what we learned\n\nIt found two pairs.\n",          false),
            ("a summary",              "## dedup: 1 pair partial or closer\n\n2 texts compared\n",    true),
            ("of many",                "## dedup: 1,204 pairs identical\n\n2,000 texts compared; 1 failed\n", true),
            ("of none",                "## dedup: no pair identical\n\n3 texts compared\n",          true),
            ("a summary cut short",    "## dedup: 1 pair partial or closer\n",                        false),
            ("no issue",               "[]\n",                                                        true),
            ("an issue of others",     "[{\"description\":\"identical: to x\",\"check_name\":\"copy\",\"fingerprint\":\"1\"}]", false),
            ("an issue",               "[{\"description\":\"identical: x\",\"check_name\":\"identical\",\"fingerprint\":\"1\"}]", true),
            ("a badge",                "{\"schemaVersion\":1,\"label\":\"copies\",\"message\":\"none\",\"color\":\"brightgreen\"}", true),
            ("a badge of others",      "{\"schemaVersion\":1,\"label\":\"build\",\"message\":\"none\"}", false),
            ("a page of others",       "<!DOCTYPE html>\n<html lang=\"en\">\n<p>dedup",               false),
            ("a spreadsheet",          "a,b,verdict\n1,2,3\n",                                        false),
            ("a key",                  "name in the dedup report,text\nText 1,a.txt\n",              true),
            ("a table like a key",     "name in the report,text\nText 1,a.txt\n",                    false),
            ("a text",                 "A copper kettle.\n",                                          false),
        ];
        for (why, head, want) in table {
            assert_eq!(is_marked(head), want, "{why}");
        }
    }
}
