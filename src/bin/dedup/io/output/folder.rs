//! The set of output files of a run, which must differ from its input files; and output that
//! consists of several files, which are written completely or not at all.

use std::collections::HashMap;
use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Cursor, ErrorKind, Read, Write};
use std::path::{self, Path, PathBuf};

use dedup_text::text::display_path;
use dedup_text::text::packed;
use dedup_text::verdict::Verdict;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use tempfile::{NamedTempFile, TempPath};

use super::temporary::{
    EARLIER, flush, flush_all, flush_folder, half_written, set_aside, temp_file_next_to,
    temp_folder_next_to,
};
use super::{Audience, Target, check_parent, is_output, standard_output, target, unwritable};
use crate::diagnostics::{Diagnostic, Flag};
use crate::io::disk::{self, CompressionFormat, FileId, folder_of};
use crate::model::KEY_HEADER;

/// The output files of a run, each with the flag that names it.
#[derive(Clone, Debug, Default)]
pub(crate) struct OutputFiles {
    flags: Vec<Flag>,
    /// The output files that exist, and all files in a folder that is replaced; each with the index
    /// of its flag in `flags`.
    existing: HashMap<FileId, usize>,
}

/// Returns the hint for an output file that is used for something else, too.
fn hint(flag: &Flag) -> &'static str {
    match flag.names().next() {
        Some("report") => "name another file, such as report.html",
        Some("output") => "name another file, such as clean.jsonl",
        Some("removed") => "name another file, such as removed.jsonl",
        _ => "name another file",
    }
}

/// The hint for a text that is found at the path of an output file, in a folder that is compared.
const HINT_FOUND: &str = "dedup replaces only an empty file or its own earlier output: a report, \
                          json, jsonl, csv, sarif, junit, gitlab, markdown or badge; name another \
                          file, or move this one away";

impl OutputFiles {
    /// Collects output files with their flags. A path that means standard output stands for the
    /// file that it is redirected to, if any.
    ///
    /// # Errors
    ///
    /// Returns a [`Diagnostic`] if two paths name the same file, or if a file that would be replaced
    /// is the one that standard output is redirected to.
    pub(crate) fn new(
        written: impl IntoIterator<Item = (Flag, PathBuf)>,
    ) -> Result<Self, Diagnostic> {
        let mut files = Self::default();
        let mut places: Vec<FileId> = Vec::new();
        let redirected = redirected();
        let (printed, written): (Vec<_>, Vec<_>) =
            written.into_iter().partition(|(_, path)| is_output(path));
        for (flag, path) in written {
            let known = disk::metadata(&path);
            let id = FileId::with(&path, known.as_ref());
            // In the null device, nothing is overwritten.
            let is_null = path == Path::new("/dev/null");
            let other = places.iter().position(|place| *place == id && !is_null);
            if let Some(other) = other {
                let other = &files.flags[other];
                return Err(conflict(&flag, other, hint(&flag)).flags(other.names()));
            }
            // The summary of a step has no flag, and is appended to.
            let is_replaced =
                flag.names().next().is_some() && matches!(target(&path), Target::File(_));
            if is_replaced && redirected.as_ref() == Some(&id) {
                return Err(conflict(&flag, "standard output", hint(&flag)));
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
        if let Some(((flag, _), id)) = printed.into_iter().next().zip(redirected) {
            files.existing.insert(id, files.flags.len());
            files.flags.push(flag);
        }
        Ok(files)
    }

    /// Reports whether a file is one of the existing output files, or in a folder that is replaced.
    pub(crate) fn has(&self, id: &FileId) -> bool {
        self.existing.contains_key(id)
    }

    /// Checks that an input file is not an output file as well. `what` describes the input file.
    ///
    /// # Errors
    ///
    /// Returns a [`Diagnostic`] with the flag and `what` if it is.
    pub(crate) fn check(&self, what: impl Display, path: &Path) -> Result<(), Diagnostic> {
        self.check_known(what, &FileId::new(path))
    }

    /// Same as [`check`](Self::check), for a file whose identity is already known.
    pub(crate) fn check_known(&self, what: impl Display, id: &FileId) -> Result<(), Diagnostic> {
        let flag = self.existing.get(id).map(|place| &self.flags[*place]);
        flag.map_or(Ok(()), |flag| Err(conflict(flag, what, hint(flag))))
    }

    /// Reports whether a file that was found in a folder is an earlier output that this run
    /// replaces, and therefore not a text.
    ///
    /// # Errors
    ///
    /// Returns a [`Diagnostic`] if the file would be replaced, is not empty and has no mark of an
    /// output of `dedup`, so that it may be a text.
    pub(crate) fn is_earlier(&self, path: &Path, id: &FileId) -> Result<bool, Diagnostic> {
        let Some(place) = self.existing.get(id) else { return Ok(false) };
        if is_earlier_output(path) {
            return Ok(true);
        }
        Err(conflict(&self.flags[*place], text(path), HINT_FOUND))
    }
}

/// Returns the identity of the file that standard output is redirected to. `None` if it is not a
/// regular file, and on platforms other than Unix.
fn redirected() -> Option<FileId> {
    let output = Path::new("/dev/stdout");
    let known = fs::metadata(output).ok().filter(|known| cfg!(unix) && known.is_file())?;
    Some(FileId::with(output, Some(&known)))
}

/// Returns the name of a text in an error of [`OutputFiles::check`].
pub(crate) fn text(path: &Path) -> String {
    format!("the text {}", display_path(path))
}

fn conflict(flag: &Flag, what: impl Display, hint: &str) -> Diagnostic {
    Diagnostic::new(format!("{flag}: is also {what}, expected a separate file"))
        .hint(hint)
        .flags(flag.names())
}

// A folder of pages: it is written completely or not at all.
//
// It is written to a temporary folder next to its path, which is then renamed. Nothing is deleted
// except an earlier report, and that only if everything in it was written by `dedup`.

/// The name of the file that marks a folder as a report of `dedup`.
const MARKER: &str = ".dedup-report";

/// The name of the page that the user opens first.
const INDEX: &str = "index.html";

/// The name of the folder of the pages that [`INDEX`] links to.
const PAGES: &str = "pairs";

const WANTED: &str = "a new folder, an empty one or an earlier report";

/// A folder of pages that is being written.
pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Writes the page that the user opens first.
    pub(crate) fn write_index(&self, content: &str) -> io::Result<()> {
        write_new(&self.path.join(INDEX), content)
    }

    /// Writes one of the pages that [`INDEX`] links to.
    pub(crate) fn write_page(&self, name: &str, content: &str) -> io::Result<()> {
        write_new(&self.path.join(PAGES).join(name), content)
    }
}

/// Writes a new file with the lock held, so that a signal is handled only afterwards: no file is
/// created in a folder that is being removed.
fn write_new(path: &Path, content: &str) -> io::Result<()> {
    let _half = half_written();
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(content.as_bytes())
}

/// Checks that a folder may be written to this path.
///
/// # Errors
///
/// Returns a [`Diagnostic`] if the path exists and is neither an empty folder nor an earlier
/// report.
pub(crate) fn check_folder(path: &Path) -> Result<(), Diagnostic> {
    let occupied = |found| {
        let message = format!("{}: {found}, expected {WANTED}", display_path(path));
        let hint = "name another folder, or one page, such as report.html";
        Err(Diagnostic::new(message).hint(hint))
    };
    match fs::metadata(path) {
        Ok(known) if !known.is_dir() => occupied("is a file"),
        Ok(_) if !is_ours(path) => occupied("is a folder with other files"),
        _ => Ok(()),
    }
}

/// Checks that the key of an anonymous report may be written: the file that maps the names in the
/// report to texts. Nothing except an earlier key is replaced, not even an empty file or another
/// output of `dedup`.
///
/// # Errors
///
/// Returns a [`Diagnostic`] if the path exists and is not an earlier key.
pub(crate) fn check_key(path: &Path) -> Result<(), Diagnostic> {
    let is_key = || {
        let head = disk::head(path, KEY_HEADER.len() as u64);
        path.is_file() && head.is_ok_and(|head| head == KEY_HEADER.as_bytes())
    };
    if fs::symlink_metadata(path).is_err() || is_key() {
        return Ok(());
    }
    let path = display_path(path);
    Err(Diagnostic::new(format!(
        "{path}: exists and is not a key, expected a new file or an earlier key"
    ))
    .hint("--anonymous writes the key there; move the file away, or name another report")
    .flags(["anonymous"]))
}

/// Checks that the page that compares texts in a browser may be written to this path.
///
/// # Errors
///
/// Returns a [`Diagnostic`] if the path is a folder, or a file that is neither empty nor an earlier
/// output of `dedup`.
pub(crate) fn check_page(path: &Path) -> Result<(), Diagnostic> {
    let name = display_path(path);
    let (found, hint) = match fs::metadata(path) {
        Ok(known) if known.is_dir() => (
            "is a folder",
            format!("name a file in it: {}", display_path(&path.join("dedup.html"))),
        ),
        Ok(known) if known.is_file() && !is_earlier_output(path) => (
            "exists and is not an output of dedup",
            "name another file, or move this one away".to_owned(),
        ),
        _ => return Ok(()),
    };
    let wanted = "expected a new file, an empty one or an earlier page";
    Err(Diagnostic::new(format!("{name}: {found}, {wanted}")).hint(hint))
}

/// Writes a folder of pages.
///
/// # Errors
///
/// Returns a [`Diagnostic`] if the path exists and is neither an empty folder nor an earlier
/// report, or if the folder cannot be written.
pub(crate) fn write_folder(
    path: &Path,
    write: impl FnOnce(&Folder) -> io::Result<()>,
) -> Result<(), Diagnostic> {
    check_folder(path)?;
    replace(path, write).map_err(|source| unwritable(path, source))
}

/// Returns the paths of all entries that are replaced together with a folder.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let paths = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    [folder, &folder.join(PAGES)].into_iter().flat_map(paths).collect()
}

/// Reports whether a folder is empty, or contains only the files of an earlier report.
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

/// Returns the names of the entries of a folder, each with whether it is a folder; `None` if one of
/// them cannot be read.
fn listed(folder: &Path) -> Option<Vec<(String, bool)>> {
    let entry = |entry: io::Result<fs::DirEntry>| {
        let entry = entry.ok()?;
        Some((entry.file_name().into_string().ok()?, entry.file_type().ok()?.is_dir()))
    };
    fs::read_dir(folder).ok()?.map(entry).collect()
}

/// Writes a temporary folder next to the path, then renames it. If the path is a link, the link is
/// kept.
fn replace(path: &Path, write: impl FnOnce(&Folder) -> io::Result<()>) -> io::Result<()> {
    let known = fs::canonicalize(path).ok();
    let path = known.as_deref().unwrap_or(path);
    let temporary = temp_folder_next_to(path)?;
    let folder = Folder { path: temporary.folder.path().to_owned() };
    filled(&folder, write)?;
    flush_all(&folder.path)?;
    let mut half = half_written();
    let renamed = take_place(&folder.path, path, &mut half);
    if renamed.is_ok() {
        let _ = temporary.folder.keep(); // renamed: nothing is left to remove
    }
    half.clear();
    renamed.and_then(|()| flush_folder(folder_of(path)))
}

/// Renames a folder to a path, and deletes the earlier report there.
fn take_place(new: &Path, path: &Path, half: &mut Vec<PathBuf>) -> io::Result<()> {
    match fs::rename(new, path) {
        Err(_) if path.is_dir() && is_ours(path) => {} // it is not empty
        renamed => return renamed,
    }
    let mut old = new.to_owned();
    if exchange(new, path).is_err() {
        old.set_extension(&EARLIER[1..]);
        fs::rename(path, &old)?;
        if let Err(error) = fs::rename(new, path) {
            return fs::rename(&old, path).and(Err(error));
        }
        // A signal from here on removes the old folder: the new one is already at its path.
        half.push(old.clone());
    }
    fs::remove_dir_all(&old).map_err(|error| undeleted(&old, &error))
}

/// Exchanges two folders at once, so that there is one at both paths at any time.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

/// Fails: there is no such call.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Returns an error that names the earlier folder, which stays; the new report is at its path
/// already.
fn undeleted(old: &Path, error: &io::Error) -> io::Error {
    let old = display_path(old);
    io::Error::other(format!(
        "the new one is complete, but the earlier one cannot be deleted from {old}: {error}"
    ))
}

fn filled(folder: &Folder, write: impl FnOnce(&Folder) -> io::Result<()>) -> io::Result<()> {
    fs::create_dir(folder.path.join(PAGES))?;
    write(folder)?;
    write_new(
        &folder.path.join(MARKER),
        "An earlier report of dedup; the next one takes its place.\n",
    )
}

// Recognizes an earlier output of `dedup` by the beginning of the file.
//
// This decides what is replaced in a folder of texts, so it errs on the safe side: a file without a
// mark of `dedup` is taken for a text of the user.

/// The element that marks every HTML page that `dedup` writes.
const GENERATOR: &str = "<meta name=\"generator\" content=\"dedup\">";

/// The same element in the page that compares texts, up to the version; the source is
/// `web/page.html`.
const PAGE: &str = "<meta name=\"generator\" content=\"dedup ";

/// Returns the program version in a page that compares texts, given the beginning of the file;
/// `None` if it is not such a page.
pub(crate) fn page_version(head: &str) -> Option<&str> {
    let (_, rest) = head.split_once(PAGE).filter(|_| head.starts_with(DOCUMENT))?;
    Some(rest.split_once("\">")?.0)
}

/// The beginning of every HTML page that `dedup` writes.
const DOCUMENT: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n";

/// The number of bytes at the beginning of a file that are searched for a mark.
const HEAD: u64 = 1 << 16;

/// Reports whether a file is empty or begins like an output of `dedup`. Plain text, lists of paths
/// and GitHub workflow commands have no mark and are not recognized.
fn is_earlier_output(path: &Path) -> bool {
    let is_ours = |head: Vec<u8>| is_marked(&String::from_utf8_lossy(&head));
    path.is_file() && disk::head(path, HEAD).is_ok_and(is_ours)
}

/// The number of bytes that are enough to recognize an output.
const MARKED_BYTES: usize = 1 << 11;
const MARKED: u64 = MARKED_BYTES as u64;

/// Reports whether a file begins like an output of `dedup`, which is worth a remark and nothing more:
/// anybody can write such a beginning. An empty file does not. A compressed file is decompressed as far
/// as needed.
pub(crate) fn looks_like_output(path: &Path) -> bool {
    disk::head(path, MARKED).is_ok_and(|head| match CompressionFormat::from_content(&head) {
        Some(_) => disk::from_byte(path, 0).is_some_and(|file| is_marked_stream(Box::new(file))),
        None => is_marked_head(&head),
    })
}

/// Same as [`looks_like_output`], for a file whose bytes are already in memory.
pub(crate) fn begins_like_output(bytes: &[u8]) -> bool {
    match CompressionFormat::from_content(bytes) {
        Some(_) => is_marked_stream(Box::new(Cursor::new(bytes.to_vec()))),
        None => is_marked_head(&bytes[..bytes.len().min(MARKED_BYTES)]),
    }
}

/// Same as [`looks_like_output`], for a compressed stream.
fn is_marked_stream(stream: Box<dyn Read + Send>) -> bool {
    let mut head = Vec::new();
    // Of a damaged stream, the bytes before the damage count.
    let _ = packed::unpacked(stream, None)
        .and_then(|(stream, _)| stream.take(MARKED).read_to_end(&mut head));
    is_marked_head(&head)
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
        || head.starts_with(KEY_HEADER)
        || head.starts_with(JUNIT)
        || head.starts_with(BADGE)
        || head.starts_with("# dedup baseline ")
        || head.starts_with("{\"$schema\":\"https://docs.oasis-open.org/sarif/")
            && head.contains(SARIF)
        || is_gitlab(head)
        || is_markdown(head)
        || is_kept(line)
}

/// The first columns of the CSV output, which never change.
const CSV: &str =
    "a,b,verdict,decided_by,hamming,jaccard,shared,union,containment_a,containment_b,";

const JUNIT: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"dedup\" ";

const BADGE: &str = "{\"schemaVersion\":1,\"label\":\"copies\",\"message\":\"";

const SARIF: &str = "{\"description\":{\"text\":\"The folder in which dedup ran.\"}}";

/// Recognizes the GitLab format: a list without issues, or one whose first issue is named after a
/// verdict.
fn is_gitlab(head: &str) -> bool {
    let is_issue = |verdict: Verdict| {
        let name = verdict.name();
        head.starts_with(&format!("[{{\"description\":\"{name}: "))
            && head.contains(&format!("\",\"check_name\":\"{name}\",\"fingerprint\":\""))
    };
    head.trim_end() == "[]" || Verdict::LADDER.into_iter().any(is_issue)
}

/// Recognizes the Markdown summary: a heading with the number of pairs, then the number of texts.
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

/// Recognizes a line of the list of kept texts: an object with the name of a text and nothing else.
fn is_kept(line: &str) -> bool {
    let Ok(Value::Object(record)) = serde_json::from_str(line) else { return false };
    record.len() == 1 && record.get("path").is_some_and(Value::is_string)
}

// Several files that are written together: all of them are written completely, or none.

/// The size of the write buffer in bytes.
const BUFFER_BYTES: usize = 1 << 18;

/// One of several files, while it is written.
pub(crate) struct Sink<'p> {
    path: &'p Path,
    to: Writer,
}

/// The destination of the bytes.
enum Writer {
    /// A temporary file, which is renamed to the last path once all files are written.
    File(BufWriter<fs::File>, TempPath, PathBuf),
    /// The same, compressed by gzip, because the file name ends in `.gz`.
    Gzip(Box<GzEncoder<BufWriter<fs::File>>>, TempPath, PathBuf),
    /// Standard output, a pipe or a device.
    Stream(BufWriter<UntilClosed<Box<dyn Write + Send>>>),
}

impl<'p> Sink<'p> {
    /// Opens a file for writing.
    fn new(path: &'p Path) -> Result<Self, Diagnostic> {
        let begun = match target(path) {
            Target::Output => standard_output().map(Writer::stream),
            Target::Stream => OpenOptions::new().append(true).open(path).map(Writer::stream),
            Target::File(target) => Writer::file(target),
        };
        let to = begun.map_err(|source| unwritable(path, source))?;
        Ok(Self { path, to })
    }

    /// Creates a sink that keeps nothing, for a run that writes no file.
    pub(crate) fn nowhere() -> Self {
        Self { path: Path::new(""), to: Writer::stream(io::sink()) }
    }

    /// Appends bytes.
    ///
    /// # Errors
    ///
    /// Returns a [`Diagnostic`] that names the file if the bytes cannot be written.
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
            Writer::File(file, ..) => file.flush().and_then(|()| flush(file.get_ref())),
            Writer::Gzip(file, ..) => file.try_finish().and_then(|()| {
                let file = file.get_mut();
                file.flush().and_then(|()| flush(file.get_ref()))
            }),
            Writer::Stream(stream) => stream.flush(),
        };
        written.map_err(|source| unwritable(self.path, source))
    }
}

impl Writer {
    fn stream(to: impl Write + Send + 'static) -> Self {
        let to: Box<dyn Write + Send> = Box::new(to);
        let until_closed = UntilClosed { to, is_closed: false };
        Self::Stream(BufWriter::with_capacity(BUFFER_BYTES, until_closed))
    }

    /// Creates a temporary file next to the target, to which it is renamed at the end.
    fn file(target: PathBuf) -> io::Result<Self> {
        // Errors of the file itself must not contain its temporary path.
        let (file, temporary) = temp_file_next_to(&target, Audience::Umask)?.into_parts();
        let file = BufWriter::with_capacity(BUFFER_BYTES, file);
        if CompressionFormat::from_name(&target) == Some(CompressionFormat::Gzip) {
            let packed = GzEncoder::new(file, Compression::default());
            return Ok(Self::Gzip(Box::new(packed), temporary, target));
        }
        Ok(Self::File(file, temporary, target))
    }
}

/// A writer that ignores everything after its pipe was closed: the reader has read enough.
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

/// Writes several files: `write` gets a [`Sink`] for each path, in the order of the paths. If one
/// of the files cannot be written, or if `write` fails, none of them is created, and existing files
/// stay as they were. Bytes that were already written to a pipe cannot be taken back.
///
/// # Errors
///
/// Returns the errors of `write`, or a [`Diagnostic`] if a file cannot be created or renamed.
pub(crate) fn write_together(
    paths: &[&Path],
    write: impl FnOnce(&mut [Sink]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let written = begin(paths).and_then(|mut sinks| {
        write(&mut sinks)?;
        sinks.iter_mut().try_for_each(Sink::flush)?;
        Ok(sinks)
    });
    // The lock is held, so no signal interrupts the renaming of several files.
    let mut half = half_written();
    let renamed = written.and_then(rename);
    half.clear();
    renamed
}

/// Checks that [`write_together`] could write to the paths: creates its temporary files, and removes
/// them. Pipes and devices are not opened.
///
/// # Errors
///
/// Returns a [`Diagnostic`] if a file cannot be created.
pub(crate) fn check_writable(paths: &[&Path]) -> anyhow::Result<()> {
    let is_file = |path: &&Path| matches!(target(path), Target::File(_));
    let files: Vec<&Path> = paths.iter().copied().filter(is_file).collect();
    let begun = begin(&files).map(drop);
    half_written().clear();
    begun
}

fn begin<'p>(paths: &[&'p Path]) -> anyhow::Result<Vec<Sink<'p>>> {
    Ok(paths.iter().map(|path| Sink::new(path)).collect::<Result<_, _>>()?)
}

/// Renames the temporary files to their targets. If one of them cannot be renamed, the new files
/// before it are removed, and the files that they replaced are restored.
fn rename(sinks: Vec<Sink>) -> anyhow::Result<()> {
    let mut replaced: Vec<(PathBuf, Option<NamedTempFile<_>>)> = Vec::new();
    for Sink { path, to } in sinks {
        // All are flushed already; each is closed before it is renamed.
        let (temporary, target) = match to {
            Writer::File(file, temporary, target) => {
                drop(file);
                (temporary, target)
            }
            Writer::Gzip(file, temporary, target) => {
                drop(file);
                (temporary, target)
            }
            Writer::Stream(_) => continue,
        };
        let old = target.is_file().then(|| set_aside(&target)).transpose();
        let named = old.and_then(|old| {
            let named = temporary.persist(&target).map_err(|lost| lost.error);
            if named.is_ok() {
                replaced.push((target, old));
                return Ok(());
            }
            named.and(restore(&target, old))
        });
        if let Err(source) = named {
            for (path, old) in replaced.into_iter().rev() {
                let _ = restore(&path, old);
            }
            return Err(unwritable(path, source).into());
        }
    }
    for (path, _) in &replaced {
        flush_folder(folder_of(path)).map_err(|source| unwritable(path, source))?;
    }
    Ok(())
}

/// Restores a file that was set aside, or removes the new file if there was none.
fn restore<F>(path: &Path, old: Option<NamedTempFile<F>>) -> io::Result<()> {
    match old {
        Some(old) => fs::rename(old.path(), path),
        None => fs::remove_file(path),
    }
}

// A new folder of files: it is created completely or not at all.

/// Checks that an output file could be written to a path.
///
/// # Errors
///
/// Returns a [`Diagnostic`] if the path is a folder, or is in a folder that does not exist.
pub(crate) fn check_file(flag: &Flag, path: &Path) -> Result<(), Diagnostic> {
    if path.is_dir() {
        let what = format!("{flag}: is a folder, expected a file");
        return Err(Diagnostic::new(what).hint(hint(flag)).flags(flag.names()));
    }
    check_file_name(flag, path)?;
    check_parent(path)
}

/// Checks that the name of an output file does not end as that of a folder.
///
/// # Errors
///
/// Returns a [`Diagnostic`] if it ends in a slash.
pub(crate) fn check_file_name(flag: &Flag, path: &Path) -> Result<(), Diagnostic> {
    let last = path.as_os_str().as_encoded_bytes().last();
    if !last.is_some_and(|byte| path::is_separator(char::from(*byte))) {
        return Ok(());
    }
    let what = format!("{flag}: the name of a folder, expected that of a file");
    Err(Diagnostic::new(what).hint("leave out the slash at its end").flags(flag.names()))
}

/// Checks that there is no file or folder at the path of `--output`, so that nothing is overwritten,
/// and that the folder that it is in exists.
///
/// # Errors
///
/// Returns a [`Diagnostic`] if there is a file or folder, or no folder to write to.
pub(crate) fn check_new(path: &Path) -> Result<(), Diagnostic> {
    if !path.is_file() && !path.is_dir() {
        return check_parent(path);
    }
    let path = display_path(path);
    Err(Diagnostic::new(format!("--output {path}: already exists, expected a new name"))
        .hint("nothing is overwritten; choose another name, or move it away")
        .flags(["output"]))
}

/// Writes a new folder: `write` fills a temporary folder, whose path it gets; the folder is then
/// renamed to `path`.
///
/// # Errors
///
/// Returns the errors of `write`, or a [`Diagnostic`] if the folder cannot be created or renamed.
pub(crate) fn write_tree(
    path: &Path,
    write: impl FnOnce(&Path) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let unwritten = |source| unwritable(path, source);
    let temporary = temp_folder_next_to(path).map_err(unwritten)?;
    write(temporary.folder.path())?;
    flush_all(temporary.folder.path()).map_err(unwritten)?;
    check_new(path)?;
    // The lock is held, so no signal removes the folder before it is renamed.
    let mut half = half_written();
    let renamed = fs::rename(temporary.folder.path(), path);
    if renamed.is_ok() {
        let _ = temporary.folder.keep(); // renamed: nothing is left to remove
    }
    half.clear();
    Ok(renamed.and_then(|()| flush_folder(folder_of(path))).map_err(unwritten)?)
}

/// Writes a new file in the folder of [`write_tree`], and creates the folders that it is in.
///
/// # Errors
///
/// Returns a [`Diagnostic`] if the file cannot be written or exists already. The diagnostic names
/// the final path of the file, which is below `name`.
pub(crate) fn write_in(
    folder: &Path,
    inner: &Path,
    bytes: &[u8],
    name: &Path,
) -> Result<(), Diagnostic> {
    let file = folder.join(inner);
    // The lock is held, so no signal removes the folder while a file is added to it.
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
        // An error halfway leaves the earlier folder as it was.
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
        let want = "is a folder with other files, expected a new folder, an empty one or an \
                    earlier report";
        assert_eq!(error, format!("{}: {want}", path.display()));
        assert_eq!(list(&path), [".dedup-report", "index.html", "notes.txt", "pairs"]);
    }
}

#[cfg(test)]
mod together_tests {
    use super::*;

    #[test]
    fn what_was_there_is_restored_if_a_later_file_cannot_be_renamed() {
        let folder = tempfile::tempdir().unwrap();
        let [old, new, last] = ["old", "new", "last"].map(|name| folder.path().join(name));
        fs::write(&old, "earlier").unwrap();
        let written = write_together(&[&old, &new, &last], |sinks| {
            sinks.iter_mut().try_for_each(|sink| sink.write(b"later"))?;
            Ok(fs::create_dir(&last)?)
        });
        let error = written.unwrap_err().to_string();
        assert_eq!(error, format!("{}: cannot be written", last.display()));
        let names = |folder: &Path| {
            let mut names: Vec<String> =
                listed(folder).unwrap().into_iter().map(|it| it.0).collect();
            names.sort();
            names
        };
        assert_eq!(names(folder.path()), ["last", "old"]);
        assert_eq!(disk::head(&old, HEAD).unwrap(), b"earlier");
        fs::remove_dir(&last).unwrap();
        let all = [&*old, &new, &last];
        write_together(&all, |sinks| {
            Ok(sinks.iter_mut().try_for_each(|sink| sink.write(b"later"))?)
        })
        .unwrap();
        assert_eq!(names(folder.path()), ["last", "new", "old"]);
        assert!(all.iter().all(|path| disk::head(path, HEAD).unwrap() == b"later"));
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
