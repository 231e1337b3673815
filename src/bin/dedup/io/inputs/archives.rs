//! Reads the files of an archive that is named as a text or found in a folder.
//!
//! Nothing is written to disk: what is unpacked is kept in memory, within the limit for documents.
//! An archive in an archive is read as well, but an archive in that one is not.

use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

use dedup_text::text::ReadTextError;
use dedup_text::text::formats::{Foreign, Refusal, ZipMember, zip_members};
use dedup_text::text::packed;

use crate::io::disk;

/// The file name extensions of archives, each with its format.
const ENDINGS: [(&str, Packing); 12] = [
    (".zip", Packing::Zip),
    (".tar", Packing::Tar),
    (".tar.gz", Packing::PackedTar),
    (".tgz", Packing::PackedTar),
    (".tar.zst", Packing::PackedTar),
    (".tzst", Packing::PackedTar),
    (".tar.zstd", Packing::PackedTar),
    (".tar.bz2", Packing::PackedTar),
    (".tbz2", Packing::PackedTar),
    (".tbz", Packing::PackedTar),
    (".tar.xz", Packing::PackedTar),
    (".txz", Packing::PackedTar),
];

/// The format of an archive.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Packing {
    Zip,
    Tar,
    /// A tar archive that is compressed with gzip, Zstandard, bzip2 or xz, as its first bytes show.
    PackedTar,
}

impl Packing {
    /// Returns the format of a file from its name; `None` if it is not an archive.
    fn of_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let known = ENDINGS.iter().find(|(ending, _)| name.ends_with(ending));
        known.map(|(_, packing)| *packing)
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
    path.file_name().and_then(|name| name.to_str()).and_then(Packing::of_name).is_some()
}

/// Returns lower-case globs that match the names of all archives.
pub(crate) fn globs() -> impl Iterator<Item = String> {
    ENDINGS.iter().map(|(ending, _)| format!("*{ending}"))
}

/// The limits on the size of an archive and of its content.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The largest number of bytes of the archive itself; `None` for no limit.
    pub(crate) packed: Option<u64>,
    /// The largest number of bytes of all its files together; `None` for no limit.
    pub(crate) unpacked: Option<u64>,
}

/// A file of an archive.
pub(crate) struct Unpacked {
    /// The name of the archive, a slash, and the path of the file in the archive.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// The content of an archive.
#[derive(Default)]
pub(crate) struct Content {
    /// The files, sorted by name.
    pub(crate) files: Vec<Unpacked>,
    /// The number of hidden files.
    pub(crate) hidden: usize,
    /// The number of links and other entries that are not files.
    pub(crate) links: usize,
    /// The files that cannot be read, or the archive itself.
    pub(crate) failed: Vec<(PathBuf, ReadTextError)>,
    /// The number of bytes unpacked so far.
    unpacked: u64,
}

/// Reads the files of an archive whose names `is_kept` accepts. `name` is the name of the archive
/// in the names of its files.
pub(crate) fn open(
    path: &Path,
    name: &str,
    bounds: Bounds,
    is_kept: &dyn Fn(&str) -> bool,
) -> Content {
    unpack(path, name, whole(path, bounds.packed), bounds, is_kept)
}

/// Same as [`open`], for an archive whose bytes are already in memory.
pub(crate) fn unpack(
    path: &Path,
    name: &str,
    bytes: Result<Vec<u8>, ReadTextError>,
    bounds: Bounds,
    is_kept: &dyn Fn(&str) -> bool,
) -> Content {
    let mut content = Content::default();
    let packing = Packing::of_name(name).unwrap_or(Packing::Zip);
    let reader = Reader { most: bounds.unpacked, is_kept };
    let unpacked =
        bytes.and_then(|bytes| reader.unpack(&mut content, path, name, packing, bytes, 0));
    if let Err(error) = unpacked {
        // If an archive is too large or damaged, none of its files is known to be complete.
        return Content { failed: vec![(path.to_owned(), error)], ..Content::default() };
    }
    content.files.sort_by(|one, other| one.name.cmp(&other.name));
    content
}

/// Returns the bytes of a file of an archive, given its name and its index among the files of that
/// name; `None` if it is no longer there.
pub(crate) fn member(
    path: &Path,
    name: &str,
    (member, number): (&str, usize),
    bounds: Bounds,
) -> Option<Vec<u8>> {
    let is_around = |name: &str| member.strip_prefix(name).is_some_and(|it| it.starts_with('/'));
    let is_kept = |name: &str| name == member || is_around(name);
    let mut files = open(path, name, bounds, &is_kept).files;
    files.retain(|file| file.name == member);
    (number < files.len()).then(|| files.swap_remove(number).bytes)
}

/// Reads a file, or returns an error if it has more than `most` bytes.
fn whole(path: &Path, most: Option<u64>) -> Result<Vec<u8>, ReadTextError> {
    let bytes = disk::head(path, most.map_or(u64::MAX, |most| most.saturating_add(1)))?;
    match most.filter(|most| bytes.len() as u64 > *most) {
        Some(most) => Err(ReadTextError::TooLarge { path: path.to_owned(), most }),
        None => Ok(bytes),
    }
}

/// The settings with which an archive is read.
struct Reader<'k> {
    /// The largest number of bytes that it may unpack to; `None` for no limit.
    most: Option<u64>,
    /// Decides by its name whether a file is kept.
    is_kept: &'k dyn Fn(&str) -> bool,
}

impl Reader<'_> {
    /// Adds the files of an archive to `content`. `depth` is the number of archives that contain
    /// it.
    fn unpack(
        &self,
        content: &mut Content,
        path: &Path,
        name: &str,
        packing: Packing,
        bytes: Vec<u8>,
        depth: usize,
    ) -> Result<(), ReadTextError> {
        let refused = |refusal| ReadTextError::Refused { path: path.to_owned(), refusal };
        let damaged = |found: String| refused(Refusal::Damaged { kind: packing.name(), found });
        match packing {
            Packing::Zip => zip_members(bytes, refused, |member| match member {
                ZipMember::Locked { name: inner } => {
                    let path = format!("{name}/{inner}");
                    if (self.is_kept)(&path) {
                        content.fail(&path, Refusal::Locked { kind: packing.name() });
                    }
                    Ok(())
                }
                ZipMember::File { name: inner, is_link, file } => {
                    self.add(content, path, name, (&inner, is_link), file, depth)
                }
            }),
            Packing::Tar => self.untar(content, path, name, Cursor::new(bytes), depth),
            Packing::PackedTar => {
                let stream = packed::unpacked(Box::new(Cursor::new(bytes)), None);
                let (stream, packing) = stream.map_err(|error| damaged(error.to_string()))?;
                if packing.is_none() {
                    return Err(damaged("not packed as its name says".to_owned()));
                }
                self.untar(content, path, name, stream, depth)
            }
        }
    }

    fn untar(
        &self,
        content: &mut Content,
        path: &Path,
        name: &str,
        stream: impl Read,
        depth: usize,
    ) -> Result<(), ReadTextError> {
        let damaged = |error: io::Error| ReadTextError::Refused {
            path: path.to_owned(),
            refusal: Refusal::Damaged { kind: Packing::Tar.name(), found: error.to_string() },
        };
        // Headers also count as unpacked bytes, so that an archive of headers alone cannot be
        // endless.
        let bounded = stream.take(self.most.map_or(u64::MAX, |most| most.saturating_mul(2)));
        let mut archive = tar::Archive::new(bounded);
        for file in archive.entries().map_err(damaged)? {
            let mut file = file.map_err(damaged)?;
            let kind = file.header().entry_type();
            if kind.is_dir() || kind.is_pax_global_extensions() {
                continue;
            }
            let inner = String::from_utf8_lossy(&file.path_bytes()).into_owned();
            let is_link = !kind.is_file() && !kind.is_contiguous() && !kind.is_gnu_sparse();
            self.add(content, path, name, (&inner, is_link), &mut file, depth)?;
        }
        Ok(())
    }

    /// Adds a file; if it is an archive itself, its files.
    fn add(
        &self,
        content: &mut Content,
        path: &Path,
        archive: &str,
        (inner, is_link): (&str, bool),
        file: &mut dyn Read,
        depth: usize,
    ) -> Result<(), ReadTextError> {
        let written = inner.replace('\\', "/");
        let parts = || written.split('/').filter(|part| !part.is_empty() && *part != ".");
        let inner = parts().collect::<Vec<_>>().join("/");
        let name = format!("{archive}/{inner}");
        if !(self.is_kept)(&name) {
            return Ok(());
        }
        if is_link {
            content.links += 1;
            return Ok(());
        }
        if written.starts_with('/') || parts().any(|part| part == "..") {
            let found = "a path that leads out of the archive".to_owned();
            let name = format!("{archive}/{written}");
            content.fail(&name, Refusal::Damaged { kind: "archive", found });
            return Ok(());
        }
        if parts().any(|part| part.starts_with('.') || part == "__MACOSX") {
            content.hidden += 1;
            return Ok(());
        }
        let mut bytes = Vec::new();
        let left = self.most.map_or(u64::MAX, |most| most.saturating_sub(content.unpacked));
        let refused = |refusal| ReadTextError::Refused { path: path.to_owned(), refusal };
        file.take(left.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| {
            refused(Refusal::Damaged { kind: "archive", found: format!("{inner}: {error}") })
        })?;
        if let Some(most) = self.most.filter(|_| bytes.len() as u64 > left) {
            return Err(refused(Refusal::TooLarge { most }));
        }
        content.unpacked += bytes.len() as u64;
        match Packing::of_name(&inner) {
            None => content.files.push(Unpacked { name, bytes }),
            Some(packing) if depth == 0 => {
                let nested = Path::new(&name);
                if let Err(error) = self.unpack(content, nested, &name, packing, bytes, 1) {
                    content.failed.push((nested.to_owned(), error));
                }
            }
            Some(_) => {
                let found = "an archive in an archive in an archive".to_owned();
                content.fail(&name, Refusal::Foreign { holds: Foreign::Document, found });
            }
        }
        Ok(())
    }
}

impl Content {
    /// Records a file that cannot be read.
    fn fail(&mut self, name: &str, refusal: Refusal) {
        let path = PathBuf::from(name);
        self.failed.push((path.clone(), ReadTextError::Refused { path, refusal }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
