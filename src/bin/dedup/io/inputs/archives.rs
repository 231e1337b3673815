//! Reads the files of an archive that is named as a text or found in a folder.
//!
//! An archive on disk is read piece by piece, whatever its size. Nothing is written to disk: what
//! is unpacked is kept in memory, within the limit for documents. An archive in an archive is read
//! as well, but an archive in that one is not.

use std::cell::Cell;
use std::io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use dedup_text::text::formats::{ExtractError, FileCategory, ZipMember, zip_members};
use dedup_text::text::packed;
use dedup_text::text::{ReadTextError, is_never_text};

use crate::io::disk;
use crate::model::found::{Skip, Skipped, is_hidden};

/// The file name extensions of archives, each with its format.
const ENDINGS: [(&str, ArchiveFormat); 12] = [
    (".zip", ArchiveFormat::Zip),
    (".tar", ArchiveFormat::Tar),
    (".tar.gz", ArchiveFormat::PackedTar),
    (".tgz", ArchiveFormat::PackedTar),
    (".tar.zst", ArchiveFormat::PackedTar),
    (".tzst", ArchiveFormat::PackedTar),
    (".tar.zstd", ArchiveFormat::PackedTar),
    (".tar.bz2", ArchiveFormat::PackedTar),
    (".tbz2", ArchiveFormat::PackedTar),
    (".tbz", ArchiveFormat::PackedTar),
    (".tar.xz", ArchiveFormat::PackedTar),
    (".txz", ArchiveFormat::PackedTar),
];

/// The format of an archive.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum ArchiveFormat {
    Zip,
    Tar,
    /// A tar archive that is compressed with gzip, Zstandard, bzip2 or xz, as its first bytes show.
    PackedTar,
}

impl ArchiveFormat {
    /// Returns the format of a file from its name; `None` if it is not an archive.
    fn from_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let known = ENDINGS.iter().find(|(ending, _)| name.ends_with(ending));
        known.map(|(_, format)| *format)
    }

    /// Returns the name of the format for messages.
    fn name(self) -> &'static str {
        match self {
            Self::Zip => "ZIP archive",
            Self::Tar | Self::PackedTar => "tar archive",
        }
    }
}

/// Reports whether a file is an archive whose files are texts, according to its name.
pub(crate) fn is_archive(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).and_then(ArchiveFormat::from_name).is_some()
}

/// Returns lower-case globs that match the names of all archives.
pub(crate) fn globs() -> impl Iterator<Item = String> {
    ENDINGS.iter().map(|(ending, _)| format!("*{ending}"))
}

/// The limits on the size of the content of an archive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The largest number of bytes of one file of the archive, which may be an archive itself. The
    /// same limit applies to an archive that can be read only from beginning to end, such as a
    /// pipe. `None` for no limit.
    pub(crate) file: Option<u64>,
    /// The largest number of bytes of all files of the archive together; `None` for no limit.
    pub(crate) unpacked: Option<u64>,
}

/// The largest number of files of an archive, each of which takes memory even if it is empty.
const MAX_FILES: usize = if cfg!(test) { 3 } else { 1_000_000 };

/// A file of an archive.
pub(crate) struct Unpacked {
    /// The name of the archive, a slash, and the path of the file in the archive.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// The content of an archive.
#[derive(Default)]
pub(crate) struct Content {
    /// The files, sorted by name. Of a large file without text only the beginning is kept.
    pub(crate) files: Vec<Unpacked>,
    /// The files that are not kept: hidden files, links, pipes and devices, and outputs of earlier
    /// runs.
    pub(crate) skipped: Skipped,
    /// The files that cannot be read, each with its name, like those of `files`.
    pub(crate) failed: Vec<(String, ReadTextError)>,
    /// The number of bytes unpacked so far.
    unpacked: u64,
}

/// The number of bytes at the beginning of a file that show whether it is a picture, a recording or
/// a program. Of such a file no more is unpacked.
const HEAD: u64 = 1 << 14;

/// Reads the files of an archive whose names `is_kept` accepts. `name` is the name of the archive
/// in the names of its files.
///
/// # Errors
///
/// Returns an error if the archive cannot be read, if it is truncated, if it has no valid list of
/// its files, or if its files together exceed a limit: none of its files is then known to be
/// complete.
pub(crate) fn open(
    path: &Path,
    name: &str,
    bounds: Bounds,
    is_kept: &dyn Fn(&str) -> bool,
) -> Result<Content, ReadTextError> {
    if let Some(file) = disk::from_byte(path, 0) {
        return unpack(path, name, file, bounds, is_kept);
    }
    unpack(path, name, Cursor::new(disk::read_at_most(path, bounds.file)?), bounds, is_kept)
}

/// Same as [`open`], for an archive that is already open.
///
/// # Errors
///
/// The same as of [`open`].
pub(crate) fn unpack(
    path: &Path,
    name: &str,
    archive: impl Read + Seek + Send + 'static,
    bounds: Bounds,
    is_kept: &dyn Fn(&str) -> bool,
) -> Result<Content, ReadTextError> {
    let format = ArchiveFormat::from_name(name).unwrap_or(ArchiveFormat::Zip);
    let mut reader = ArchiveReader { bounds, content: Content::default(), is_kept };
    let failure = Failure::default();
    let archive = Watched { archive, failure: Arc::clone(&failure) };
    let unpacked = reader.unpack(MemberPlace { name, format, depth: 0 }, archive);
    // A read error is not damage of the archive.
    if let Some(failure) = failure.get() {
        let source = match failure.raw_os_error() {
            Some(code) => io::Error::from_raw_os_error(code),
            None => failure.kind().into(),
        };
        return Err(ReadTextError::Unreadable { path: path.to_owned(), source });
    }
    unpacked.map_err(|reason| ReadTextError::Refused { path: path.to_owned(), reason })?;
    reader.content.files.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(reader.content)
}

/// The first error with which an archive could not be read.
type Failure = Arc<OnceLock<io::Error>>;

/// A reader of an archive that keeps the first read error, since the code that unpacks the archive
/// keeps only the message of an error.
struct Watched<A> {
    archive: A,
    failure: Failure,
}

impl<A> Watched<A> {
    fn watch<T>(&mut self, act: impl FnOnce(&mut A) -> io::Result<T>) -> io::Result<T> {
        act(&mut self.archive).map_err(|error| match error.kind() {
            ErrorKind::Interrupted => error, // its reader tries again
            kind => {
                let _ = self.failure.set(error);
                kind.into()
            }
        })
    }
}

impl<A: Read> Read for Watched<A> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.watch(|archive| archive.read(buffer))
    }
}

impl<A: Seek> Seek for Watched<A> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.watch(|archive| archive.seek(to))
    }
}

/// Returns the bytes of a file of an archive, given its name and its index among the files of that
/// name; `None` if the file is no longer there, or if the archive cannot be read.
pub(crate) fn member(
    path: &Path,
    name: &str,
    (member, number): (&str, usize),
    bounds: Bounds,
) -> Option<Vec<u8>> {
    let is_around = |name: &str| member.strip_prefix(name).is_some_and(|it| it.starts_with('/'));
    let is_kept = |name: &str| name == member || is_around(name);
    let mut files = open(path, name, bounds, &is_kept).ok()?.files;
    files.retain(|file| file.name == member);
    (number < files.len()).then(|| files.swap_remove(number).bytes)
}

/// The largest number of bytes of the headers of one file of a tar archive. A name, a property or a
/// list of holes there may be of any length, and is kept in memory.
const MAX_HEADER: u64 = 1 << 20;

/// A reader of a tar archive that limits the bytes of headers: those that are read, not skipped,
/// between two files.
struct Headers<'l, R> {
    stream: R,
    position: u64,
    /// The number of bytes that may still be read before the next file.
    left: &'l Cell<u64>,
}

impl<R: Read> Read for Headers<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let room = usize::try_from(self.left.get()).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.stream.read(&mut buffer[..room])?;
        self.position += read as u64;
        self.left.set(self.left.get() - read as u64);
        Ok(read)
    }
}

impl<R: Read> Seek for Headers<'_, R> {
    /// Skips bytes; tar archives are read from their beginning to their end.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let SeekFrom::Current(skipped) = to else { return Err(ErrorKind::Unsupported.into()) };
        let skipped = u64::try_from(skipped).map_err(io::Error::other)?;
        let read = io::copy(&mut self.stream.by_ref().take(skipped), &mut io::sink())?;
        self.position += read;
        if read < skipped { Err(ErrorKind::UnexpectedEof.into()) } else { Ok(self.position) }
    }
}

/// The settings with which an archive is read, and what was read of it.
struct ArchiveReader<'k> {
    bounds: Bounds,
    content: Content,
    /// Decides by its name whether a file is kept.
    is_kept: &'k dyn Fn(&str) -> bool,
}

/// An archive while it is read.
#[derive(Clone, Copy)]
struct MemberPlace<'n> {
    /// The name of the archive in the names of its files.
    name: &'n str,
    format: ArchiveFormat,
    /// The number of archives that contain it.
    depth: usize,
}

impl ArchiveReader<'_> {
    /// Adds the files of an archive to the content.
    fn unpack(
        &mut self,
        place: MemberPlace,
        mut archive: impl Read + Seek + Send + 'static,
    ) -> Result<(), ExtractError> {
        let MemberPlace { name, format, .. } = place;
        let damaged = |found: String| ExtractError::Damaged { kind: format.name(), found };
        let unreadable = |error: io::Error| damaged(error.to_string());
        match format {
            ArchiveFormat::Zip => zip_members(archive, |member| {
                let (inner, reason) = match member {
                    ZipMember::Lost { name, reason } => (name, reason),
                    ZipMember::File { name: inner, is_link, bytes, file } => {
                        let skip = is_link.then_some(Skip::Link);
                        return self.add(place, (&inner, skip), (bytes, file));
                    }
                };
                let name = format!("{name}/{inner}");
                if (self.is_kept)(&name) { self.content.fail(name, reason) } else { Ok(()) }
            }),
            ArchiveFormat::Tar => self.untar(place, archive, u64::MAX),
            ArchiveFormat::PackedTar => {
                // Skipped files are unpacked as well, and headers are not counted elsewhere: this
                // limit is on both, so that neither can be endless. It includes the packed size
                // because a video is hardly smaller when it is compressed.
                let packed = archive.seek(SeekFrom::End(0)).map_err(unreadable)?;
                archive.rewind().map_err(unreadable)?;
                let max_bytes = self.bounds.unpacked.map_or(u64::MAX, |max| max.saturating_mul(2));
                let max_bytes = max_bytes.saturating_add(packed);
                let stream = packed::unpacked(Box::new(archive), None);
                let (stream, compression) = stream.map_err(unreadable)?;
                if compression.is_none() {
                    return Err(damaged("not packed as its name says".to_owned()));
                }
                self.untar(place, stream, max_bytes)
            }
        }
    }

    /// Adds the files of a tar archive, of which at most `max_bytes` bytes are read.
    fn untar(
        &mut self,
        place: MemberPlace,
        stream: impl Read,
        max_bytes: u64,
    ) -> Result<(), ExtractError> {
        let left = Cell::new(MAX_HEADER);
        let stream = Headers { stream: stream.take(max_bytes), position: 0, left: &left };
        let mut archive = tar::Archive::new(stream);
        let added = self.add_all(place, &mut archive, &left);
        match self.bounds.unpacked {
            // The archive was not read to its end, whether or not this looks like damage.
            Some(limit) if archive.into_inner().stream.limit() == 0 => {
                Err(ExtractError::TooLarge { max_bytes: limit })
            }
            _ => added,
        }
    }

    fn add_all(
        &mut self,
        place: MemberPlace,
        archive: &mut tar::Archive<Headers<impl Read>>,
        left: &Cell<u64>,
    ) -> Result<(), ExtractError> {
        let damaged = |error: io::Error| {
            if left.get() == 0 {
                return ExtractError::LongHeader { max_bytes: MAX_HEADER };
            }
            ExtractError::Damaged { kind: place.format.name(), found: error.to_string() }
        };
        let mut files = archive.entries_with_seek().map_err(damaged)?;
        loop {
            left.set(MAX_HEADER);
            let Some(file) = files.next() else { return Ok(()) };
            let mut file = file.map_err(damaged)?;
            left.set(u64::MAX);
            let kind = file.header().entry_type();
            if kind.is_dir() || kind.is_pax_global_extensions() {
                continue;
            }
            let inner = String::from_utf8_lossy(&file.path_bytes()).into_owned();
            let is_file = kind.is_file() || kind.is_contiguous() || kind.is_gnu_sparse();
            let skip = match kind {
                _ if is_file => None,
                tar::EntryType::Symlink => Some(Skip::Link),
                tar::EntryType::Link => Some(Skip::HardLink),
                _ => Some(Skip::Special),
            };
            let bytes = file.size();
            self.add(place, (&inner, skip), (bytes, &mut file))?;
        }
    }

    /// Adds a file, or counts it if there is a reason to skip it. `size` is the number of bytes that
    /// the archive declares for it.
    fn add(
        &mut self,
        place: MemberPlace,
        (inner, skip): (&str, Option<Skip>),
        (size, file): (u64, &mut dyn Read),
    ) -> Result<(), ExtractError> {
        let written = inner.replace('\\', "/");
        let parts = || written.split('/').filter(|part| !part.is_empty() && *part != ".");
        let inner = parts().collect::<Vec<_>>().join("/");
        let name = format!("{}/{inner}", place.name);
        if !(self.is_kept)(&name) {
            return Ok(());
        }
        if skip.is_none() && (written.starts_with('/') || parts().any(|part| part == "..")) {
            let found = "a path that leads out of the archive".to_owned();
            let name = format!("{}/{}", place.name, written.trim_start_matches('/'));
            return self.content.fail(name, ExtractError::NotRead { found });
        }
        let is_hidden = || parts().any(|part| is_hidden(part) || part == "__MACOSX");
        if let Some(why) = skip.or_else(|| is_hidden().then_some(Skip::Hidden)) {
            self.content.skipped.add_file(why, name);
            return Ok(());
        }
        let Some(bytes) = self.read(place, (&inner, &name), (size, file))? else { return Ok(()) };
        match ArchiveFormat::from_name(&inner) {
            None => {
                self.content.files.push(Unpacked { name, bytes });
                self.content.check_count()
            }
            Some(format) if place.depth == 0 => {
                let before = [self.content.files.len(), self.content.failed.len()];
                let skipped = mem::take(&mut self.content.skipped);
                let unpacked = self.content.unpacked;
                let inner = MemberPlace { name: &name, format, depth: 1 };
                let added = self.unpack(inner, Cursor::new(bytes));
                let inner = mem::replace(&mut self.content.skipped, skipped);
                if let Err(reason) = added {
                    // None of its files is known to be complete.
                    self.content.files.truncate(before[0]);
                    self.content.failed.truncate(before[1]);
                    self.content.unpacked = unpacked;
                    return self.content.fail(name, reason);
                }
                self.content.skipped.add_all(&inner);
                Ok(())
            }
            Some(_) => {
                let found = "an archive in an archive in an archive".to_owned();
                let holds = FileCategory::Archive;
                self.content.fail(name, ExtractError::Unsupported { holds, found })
            }
        }
    }

    /// Reads the bytes of a file; `None` if it cannot be read, which is added to the content. A file
    /// that declares more than a limit is not unpacked; one that declares less than it has is
    /// counted while it is unpacked.
    fn read(
        &mut self,
        place: MemberPlace,
        (inner, name): (&str, &str),
        (size, file): (u64, &mut dyn Read),
    ) -> Result<Option<Vec<u8>>, ExtractError> {
        let content = &mut self.content;
        let Bounds { file: max_of_file, unpacked: max_unpacked } = self.bounds;
        let left = max_unpacked.map_or(u64::MAX, |max| max.saturating_sub(content.unpacked));
        let mut bytes = Vec::new();
        let mut read = file.take(left.min(HEAD)).read_to_end(&mut bytes);
        let is_long = bytes.len() as u64 == HEAD;
        if read.is_ok() && !(is_long && is_never_text(&bytes)) {
            if let Some(max_bytes) = max_of_file.filter(|max| size > *max) {
                let error = ReadTextError::TooLarge { path: name.into(), max_bytes };
                return content.add_failed(name.to_owned(), error).map(|()| None);
            }
            if let Some(max_bytes) = max_unpacked.filter(|max| size > *max) {
                let reason = ExtractError::TooLarge { max_bytes };
                return content.fail(name.to_owned(), reason).map(|()| None);
            }
            let rest = left.saturating_sub(bytes.len() as u64).saturating_add(1);
            read = file.take(rest).read_to_end(&mut bytes);
        }
        if let Some(max_bytes) = max_unpacked.filter(|_| bytes.len() as u64 > left) {
            return Err(ExtractError::TooLarge { max_bytes });
        }
        content.unpacked += bytes.len() as u64;
        match read {
            Ok(_) => Ok(Some(bytes)),
            Err(error) if place.format == ArchiveFormat::Zip => {
                content.fail(name.to_owned(), unread(&error)).map(|()| None)
            }
            Err(error) => {
                let found = format!("{inner}: {error}");
                Err(ExtractError::Damaged { kind: place.format.name(), found })
            }
        }
    }
}

impl Content {
    /// Adds a file that cannot be read.
    fn add_failed(&mut self, name: String, error: ReadTextError) -> Result<(), ExtractError> {
        self.failed.push((name, error));
        self.check_count()
    }

    /// Same as [`add_failed`](Self::add_failed), for a file that is refused.
    fn fail(&mut self, name: String, reason: ExtractError) -> Result<(), ExtractError> {
        let path = PathBuf::from(&name);
        self.add_failed(name, ReadTextError::Refused { path, reason })
    }

    /// Returns an error if there are more than [`MAX_FILES`] files.
    fn check_count(&self) -> Result<(), ExtractError> {
        match self.files.len() + self.failed.len() {
            count if count > MAX_FILES => Err(ExtractError::TooMany { max_files: MAX_FILES }),
            _ => Ok(()),
        }
    }
}

/// Returns the reason why a file of a ZIP archive cannot be read, given the error that occurred when
/// it was unpacked.
fn unread(error: &io::Error) -> ExtractError {
    let damaged = |found| ExtractError::Damaged { kind: "file of an archive", found };
    match error.kind() {
        ErrorKind::UnexpectedEof => damaged("cut off".to_owned()),
        ErrorKind::Unsupported => {
            ExtractError::NotRead { found: "compressed with an unsupported method".to_owned() }
        }
        _ => damaged(format!("does not unpack: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// An archive has at most [`MAX_FILES`] files, whether or not they can be read.
    #[test]
    fn files_are_counted() {
        let tar = |names: &[&str]| {
            let mut archive = tar::Builder::new(Vec::new());
            for name in names {
                let mut header = tar::Header::new_gnu();
                header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
                header.set_size(0);
                header.set_cksum();
                archive.append(&header, io::empty()).unwrap();
            }
            Cursor::new(archive.into_inner().unwrap())
        };
        let bounds = Bounds { file: None, unpacked: None };
        let path = Path::new("x.tar");
        for (names, want) in [
            (["a", "b", "../c", ".d"], Ok((2, 1))),
            (["a", "b", "../c", "d"], Err("x.tar: more than 3 files in it, expected fewer")),
            (["a", "b", "c", "../d"], Err("x.tar: more than 3 files in it, expected fewer")),
        ] {
            let content = unpack(path, "x.tar", tar(&names), bounds, &|_| true);
            let got = content.map(|content| (content.files.len(), content.failed.len()));
            assert_eq!(got.map_err(|error| error.to_string()), want.map_err(str::to_owned));
        }
    }

    /// The name of a file may have any length in a tar archive, which is read into memory.
    #[test]
    fn a_long_name_is_an_error() {
        let content = vec![b'a'; 2_000_000];
        let tar = |bytes: usize| {
            let mut archive = tar::Builder::new(Vec::new());
            for name in ["a".to_owned(), "b".repeat(bytes)] {
                let mut header = tar::Header::new_gnu();
                header.set_size(2_000_000);
                archive.append_data(&mut header, name, &content[..]).unwrap();
            }
            Cursor::new(archive.into_inner().unwrap())
        };
        let bounds = Bounds { file: None, unpacked: None };
        let long = "x.tar: more than 1048576 bytes for the name and properties of one file, \
                    expected fewer";
        for (bytes, want) in [(1_000_000, Ok(2)), (1_100_000, Err(long))] {
            for is_kept in [true, false] {
                let found = unpack(Path::new("x.tar"), "x.tar", tar(bytes), bounds, &|_| is_kept);
                let found = found.map(|found| found.files.len()).map_err(|it| it.to_string());
                let want = want.map(|files| if is_kept { files } else { 0 });
                assert_eq!(found, want.map_err(str::to_owned), "{bytes} {is_kept}");
            }
        }
    }

    /// A disk that fails from a byte on.
    struct Failing(Cursor<Vec<u8>>, u64);

    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.1.saturating_sub(self.0.position()) {
                0 if self.0.position() < self.0.get_ref().len() as u64 => {
                    Err(io::Error::from_raw_os_error(5))
                }
                rest => Read::by_ref(&mut self.0).take(rest).read(buffer),
            }
        }
    }

    impl Seek for Failing {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }

    #[test]
    fn a_disk_that_fails_is_no_damage() {
        // Bytes that no format makes smaller.
        let random = |size: usize| -> Vec<u8> {
            let next = |sum: &u32| Some(sum.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
            let numbers = std::iter::successors(Some(1_u32), next);
            numbers.map(|number| number.to_be_bytes()[0]).take(size).collect()
        };
        let texts = ["a.txt", "b.txt"].map(|name| (name, random(100_000)));
        let mut tar = tar::Builder::new(Vec::new());
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in &texts {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            tar.append_data(&mut header, name, bytes.as_slice()).unwrap();
            zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        let (tar, zip) = (tar.into_inner().unwrap(), zip.finish().unwrap().into_inner());
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(&tar).unwrap();
        let gz = gz.finish().unwrap();
        let bounds = Bounds { file: None, unpacked: None };
        for (name, archive) in [("x.tar", &tar), ("x.tar.gz", &gz), ("x.zip", &zip)] {
            if name == "x.zip" && !cfg!(feature = "documents") {
                continue;
            }
            let read = |fails_from: usize| {
                let disk = Failing(Cursor::new(archive.clone()), fails_from as u64);
                let content = unpack(Path::new(name), name, disk, bounds, &|_| true);
                content.map(|content| (content.files.len(), content.failed.len()))
            };
            assert_eq!(read(archive.len()).unwrap(), (2, 0), "{name}");
            // At the beginning, in the first file, in the second, and at the end.
            for from in [0, 50_000, 150_000, archive.len() - 600] {
                let error = anyhow::Error::from(read(from).unwrap_err());
                let disk = io::Error::from_raw_os_error(5);
                let want = format!("{name}: cannot be read, expected a text file: {disk}");
                assert_eq!(format!("{error:#}"), want, "from byte {from}");
            }
        }
    }

    #[test]
    fn archives_are_known_by_their_names() {
        for name in [
            "a.zip",
            "a.ZIP",
            "a.tar",
            "b/a.tar.gz",
            "a.tgz",
            "a.tar.zst",
            "a.tzst",
            "a.tar.bz2",
            "a.tbz",
            "a.tar.xz",
            "a.txz",
        ] {
            assert!(is_archive(Path::new(name)), "{name}");
        }
        for name in ["a.docx", "a.gz", "zip", "a.zip.txt", "-"] {
            assert!(!is_archive(Path::new(name)), "{name}");
        }
    }
}
