//! Several files that are written together: all of them are written completely, or none.

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::{NamedTempFile, TempPath};

use super::temporary::{flush, flush_folder, half_written, set_aside, temp_file_next_to};
use super::{Audience, Target, standard_output, target, unwritable};
use crate::diagnostics::Diagnostic;
use crate::io::disk::{CompressionFormat, folder_of};

/// The size of the write buffer in bytes.
const BUFFER_BYTES: usize = 1 << 18;

/// One of several files, while it is written.
pub(crate) struct Sink<'p> {
    path: &'p Path,
    to: Writer,
    /// The temporary file, and the path that it is renamed to once all files are written; `None`
    /// for a stream.
    renamed: Renamed,
}

type Renamed = Option<(TempPath, PathBuf)>;

/// The destination of the bytes.
enum Writer {
    /// A temporary file.
    File(BufWriter<fs::File>),
    /// The same, compressed by gzip, because the file name ends in `.gz`.
    Gzip(Box<GzEncoder<BufWriter<fs::File>>>),
    /// Standard output, a pipe or a device.
    Stream(BufWriter<UntilClosed<Box<dyn Write + Send>>>),
}

impl<'p> Sink<'p> {
    /// Opens a file for writing.
    fn new(path: &'p Path) -> Result<Self, Diagnostic> {
        let begun = match target(path) {
            Target::Output => standard_output().map(|to| (Writer::stream(to), None)),
            Target::Stream => {
                OpenOptions::new().append(true).open(path).map(|to| (Writer::stream(to), None))
            }
            Target::File(target) => Writer::file(target),
        };
        let (to, renamed) = begun.map_err(|source| unwritable(path, source))?;
        Ok(Self { path, to, renamed })
    }

    /// Creates a sink that keeps nothing, for a run that writes no file.
    pub(crate) fn nowhere() -> Self {
        Self { path: Path::new(""), to: Writer::stream(io::sink()), renamed: None }
    }

    /// Appends bytes.
    ///
    /// # Errors
    ///
    /// Returns a [`Diagnostic`] that names the file if the bytes cannot be written.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Diagnostic> {
        let to: &mut dyn Write = match &mut self.to {
            Writer::File(file) => file,
            Writer::Gzip(file) => file,
            Writer::Stream(stream) => stream,
        };
        to.write_all(bytes).map_err(|source| unwritable(self.path, source))
    }

    fn flush(&mut self) -> Result<(), Diagnostic> {
        let written = match &mut self.to {
            Writer::File(file) => file.flush().and_then(|()| flush(file.get_ref())),
            Writer::Gzip(file) => file.try_finish().and_then(|()| {
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
    fn file(target: PathBuf) -> io::Result<(Self, Renamed)> {
        // Errors of the file itself must not contain its temporary path.
        let (file, temporary) = temp_file_next_to(&target, Audience::Umask)?.into_parts();
        let file = BufWriter::with_capacity(BUFFER_BYTES, file);
        let to = match CompressionFormat::from_name(&target) {
            Some(CompressionFormat::Gzip) => {
                Self::Gzip(Box::new(GzEncoder::new(file, Compression::default())))
            }
            _ => Self::File(file),
        };
        Ok((to, Some((temporary, target))))
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
    for Sink { path, to, renamed } in sinks {
        drop(to); // all are flushed already; each is closed before it is renamed
        let Some((temporary, target)) = renamed else { continue };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::disk;

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
            let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
            let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
            names.sort();
            names
        };
        assert_eq!(names(folder.path()), ["last", "old"]);
        assert_eq!(disk::head(&old, 99).unwrap(), b"earlier");
        fs::remove_dir(&last).unwrap();
        let all = [&*old, &new, &last];
        write_together(&all, |sinks| {
            Ok(sinks.iter_mut().try_for_each(|sink| sink.write(b"later"))?)
        })
        .unwrap();
        assert_eq!(names(folder.path()), ["last", "new", "old"]);
        assert!(all.iter().all(|path| disk::head(path, 99).unwrap() == b"later"));
    }
}
