//! Several files that are written together: all of them are whole, or none is there.

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use dedup_text::text::display_path;
use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::{Builder, TempPath};

use super::{
    Audience, Target, cause_of, give_mode, half_written, remove_when_stopped, standard_output,
    target, unwritable,
};
use crate::diagnostics::Diagnostic;
use crate::io::disk::{Packing, folder_of};

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
            Target::File(target) => Writer::beside(target),
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
    fn beside(target: PathBuf) -> io::Result<Self> {
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
    let beside = builder.tempdir_in(folder_of(path)).map_err(cause_of).map_err(unwritten)?;
    half.push(beside.path().to_owned());
    drop(half);
    let written = write(beside.path());
    // With the lock held no signal comes before the name.
    let mut half = half_written();
    let renamed = written.and_then(|()| {
        check_new("--output", path)?;
        Ok(fs::rename(beside.path(), path).map_err(unwritten)?)
    });
    if renamed.is_ok() {
        let _ = beside.keep(); // it goes by its own name now
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
