//! An archive that is named as a text, or found in a folder → the files in it.
//!
//! Nothing is written anywhere: what is unpacked stays in memory, within the limit of documents.
//! An archive in an archive is read as well, and one in that is not.

use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use dedup_text::text::ReadTextError;
use dedup_text::text::formats::{Foreign, Refusal};
use zip::ZipArchive;
use zip::result::ZipError;

use crate::io::disk;

/// The endings of archives, each with how it is packed.
const ENDINGS: [(&str, Packing); 7] = [
    (".zip", Packing::Zip),
    (".tar", Packing::Tar),
    (".tar.gz", Packing::TarGz),
    (".tgz", Packing::TarGz),
    (".tar.zst", Packing::TarZst),
    (".tzst", Packing::TarZst),
    (".tar.zstd", Packing::TarZst),
];

/// How the files of an archive are packed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Packing {
    Zip,
    Tar,
    TarGz,
    TarZst,
}

impl Packing {
    /// That of a file, by its name; none of one that is no archive.
    fn of_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let known = ENDINGS.iter().find(|(ending, _)| name.ends_with(ending));
        known.map(|(_, packing)| *packing)
    }

    /// What it is called in messages.
    fn name(self) -> &'static str {
        match self {
            Self::Zip => "ZIP archive",
            Self::Tar | Self::TarGz | Self::TarZst => "tar archive",
        }
    }
}

/// Whether a file is an archive whose files are texts, by its name.
pub(crate) fn is_archive(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).and_then(Packing::of_name).is_some()
}

/// The most that archives may have and unpack to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Bytes of the archive itself; none where there is no limit.
    pub(crate) packed: Option<u64>,
    /// Bytes of all its files together; none where there is no limit.
    pub(crate) unpacked: Option<u64>,
}

/// A file of an archive.
pub(crate) struct Unpacked {
    /// What it goes by: the archive's name and its own, or its person's and its own.
    pub(crate) name: String,
    /// Whose it is, where that is known by its name.
    pub(crate) person: Option<String>,
    pub(crate) bytes: Vec<u8>,
}

/// What is in an archive.
#[derive(Default)]
pub(crate) struct Content {
    /// Its files, in the order of the names that they have in it.
    pub(crate) files: Vec<Unpacked>,
    /// How many are hidden.
    pub(crate) hidden: usize,
    /// How many are links, or no files at all.
    pub(crate) links: usize,
    /// Those that cannot be read, or the archive itself.
    pub(crate) failed: Vec<(PathBuf, ReadTextError)>,
    /// Bytes that were unpacked so far.
    unpacked: u64,
}

/// Reads all of an archive that is called by a name. Where the names of all its files are those of a
/// course platform, each is called by its person.
pub(crate) fn open(path: &Path, name: &str, bounds: Bounds, submissions: Submissions) -> Content {
    let mut content = read(path, name, bounds);
    let inner = |file: &str| file[(name.len() + 1).min(file.len())..].to_owned();
    let platform = submissions.platform(|| content.files.iter().map(|file| inner(&file.name)));
    for file in &mut content.files {
        let known = platform.and_then(|platform| platform.person_and_file(&inner(&file.name)));
        if let Some((person, own)) = known {
            file.name = format!("{person}/{own}");
            file.person = Some(person);
        }
    }
    content
}

/// The bytes of a file of an archive, by its number in the order of names; none where it is no more
/// there.
pub(crate) fn member(path: &Path, name: &str, number: usize, bounds: Bounds) -> Option<Vec<u8>> {
    let mut files = read(path, name, bounds).files;
    (number < files.len()).then(|| files.swap_remove(number).bytes)
}

/// Reads all of an archive.
fn read(path: &Path, name: &str, bounds: Bounds) -> Content {
    let mut content = Content::default();
    let packing = Packing::of_name(name).unwrap_or(Packing::Zip);
    let unpacked = whole(path, bounds.packed)
        .and_then(|bytes| content.unpack(path, name, packing, bytes, bounds.unpacked, 0));
    if let Err(error) = unpacked {
        // Of an archive that is too large or damaged nothing is known to be whole.
        return Content { failed: vec![(path.to_owned(), error)], ..Content::default() };
    }
    content.files.sort_by(|one, other| one.name.cmp(&other.name));
    content
}

/// The bytes of a file that has no more than so many.
fn whole(path: &Path, most: Option<u64>) -> Result<Vec<u8>, ReadTextError> {
    let bytes = disk::head(path, most.map_or(u64::MAX, |most| most.saturating_add(1)))?;
    match most.filter(|most| bytes.len() as u64 > *most) {
        Some(most) => Err(ReadTextError::TooLarge { path: path.to_owned(), most }),
        None => Ok(bytes),
    }
}

impl Content {
    /// Adds the files of an archive that is called by a name; `depth` archives are around it.
    fn unpack(
        &mut self,
        path: &Path,
        name: &str,
        packing: Packing,
        bytes: Vec<u8>,
        most: Option<u64>,
        depth: usize,
    ) -> Result<(), ReadTextError> {
        let refused = |refusal| ReadTextError::Refused { path: path.to_owned(), refusal };
        let damaged = |found: String| refused(Refusal::Damaged { kind: packing.name(), found });
        match packing {
            Packing::Zip => {
                let archive = ZipArchive::new(Cursor::new(bytes));
                let mut archive = archive.map_err(|error| damaged(error.to_string()))?;
                for at in 0..archive.len() {
                    let named = archive.name_for_index(at).and_then(Result::ok);
                    let named = named.map(std::borrow::Cow::into_owned);
                    let mut file = match archive.by_index(at) {
                        Ok(file) => file,
                        Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)) => {
                            let path = format!("{name}/{}", named.unwrap_or_default());
                            self.fail(&path, Refusal::Locked { kind: packing.name() });
                            continue;
                        }
                        Err(error) => return Err(damaged(error.to_string())),
                    };
                    if file.is_dir() {
                        continue;
                    }
                    let is_link = file.is_symlink();
                    let inner = named
                        .unwrap_or_else(|| String::from_utf8_lossy(file.name_raw()).into_owned());
                    self.add(path, name, &inner, is_link, &mut file, most, depth)?;
                }
                Ok(())
            }
            Packing::Tar => self.untar(path, name, Cursor::new(bytes), most, depth),
            Packing::TarGz => {
                let stream = flate2::read::MultiGzDecoder::new(Cursor::new(bytes));
                self.untar(path, name, stream, most, depth)
            }
            Packing::TarZst => {
                let stream = ruzstd::decoding::StreamingDecoder::new(Cursor::new(bytes));
                let stream = stream.map_err(|error| damaged(error.to_string()))?;
                self.untar(path, name, stream, most, depth)
            }
        }
    }

    fn untar(
        &mut self,
        path: &Path,
        name: &str,
        stream: impl Read,
        most: Option<u64>,
        depth: usize,
    ) -> Result<(), ReadTextError> {
        let damaged = |error: io::Error| ReadTextError::Refused {
            path: path.to_owned(),
            refusal: Refusal::Damaged { kind: Packing::Tar.name(), found: error.to_string() },
        };
        // Headers are bytes that are unpacked, too: an archive of nothing else has an end.
        let bounded = stream.take(most.map_or(u64::MAX, |most| most.saturating_mul(2)));
        let mut archive = tar::Archive::new(bounded);
        for file in archive.entries().map_err(damaged)? {
            let mut file = file.map_err(damaged)?;
            let kind = file.header().entry_type();
            if kind.is_dir() || kind.is_pax_global_extensions() {
                continue;
            }
            let inner = String::from_utf8_lossy(&file.path_bytes()).into_owned();
            let is_link = !kind.is_file() && !kind.is_contiguous() && !kind.is_gnu_sparse();
            self.add(path, name, &inner, is_link, &mut file, most, depth)?;
        }
        Ok(())
    }

    /// Adds a file, or what is in it where it is an archive.
    #[expect(clippy::too_many_arguments, reason = "what is known of a file of an archive")]
    fn add(
        &mut self,
        path: &Path,
        archive: &str,
        inner: &str,
        is_link: bool,
        file: &mut dyn Read,
        most: Option<u64>,
        depth: usize,
    ) -> Result<(), ReadTextError> {
        let inner = inner.replace('\\', "/");
        let name = format!("{archive}/{inner}");
        let parts = || inner.split('/').filter(|part| !part.is_empty() && *part != ".");
        if is_link {
            self.links += 1;
            return Ok(());
        }
        if inner.starts_with('/') || parts().any(|part| part == "..") {
            let found = "a path that leads out of the archive".to_owned();
            self.fail(&name, Refusal::Damaged { kind: "archive", found });
            return Ok(());
        }
        if parts().any(|part| part.starts_with('.') || part == "__MACOSX") {
            self.hidden += 1;
            return Ok(());
        }
        let mut bytes = Vec::new();
        let left = most.map_or(u64::MAX, |most| most.saturating_sub(self.unpacked));
        let refused = |refusal| ReadTextError::Refused { path: path.to_owned(), refusal };
        file.take(left.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| {
            refused(Refusal::Damaged { kind: "archive", found: format!("{inner}: {error}") })
        })?;
        if let Some(most) = most.filter(|_| bytes.len() as u64 > left) {
            return Err(refused(Refusal::TooLarge { most }));
        }
        self.unpacked += bytes.len() as u64;
        match Packing::of_name(&inner) {
            None => self.files.push(Unpacked { name, person: None, bytes }),
            Some(packing) if depth == 0 => {
                let nested = Path::new(&name);
                if let Err(error) = self.unpack(nested, &name, packing, bytes, most, 1) {
                    self.failed.push((nested.to_owned(), error));
                }
            }
            Some(_) => {
                let found = "an archive in an archive in an archive".to_owned();
                self.fail(&name, Refusal::Foreign { holds: Foreign::Document, found });
            }
        }
        Ok(())
    }

    /// Notes a file that cannot be read.
    fn fail(&mut self, name: &str, refusal: Refusal) {
        let path = PathBuf::from(name);
        self.failed.push((path.clone(), ReadTextError::Refused { path, refusal }));
    }
}

// The names that course platforms give to submissions → person and file.

/// By which platform's names a file is of a person.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Submissions {
    /// By that platform's whose names all files have, if there is one.
    Auto,
    Moodle,
    Canvas,
    Blackboard,
    /// By none.
    Off,
}

impl Submissions {
    /// The platform whose names all files of an archive have, or that which is given.
    fn platform<N: Iterator<Item = String>>(self, names: impl Fn() -> N) -> Option<Self> {
        let fits = |platform: &Self| names().all(|name| platform.person_and_file(&name).is_some());
        match self {
            Self::Auto => [Self::Moodle, Self::Blackboard, Self::Canvas].into_iter().find(fits),
            Self::Off => None,
            platform => Some(platform),
        }
    }

    /// Whose a file is and what it was called, by its name in the archive; none where that is not
    /// of the platform. A person is called with the number that the platform gave, so that two of
    /// one name are two.
    fn person_and_file(self, name: &str) -> Option<(String, String)> {
        match self {
            Self::Moodle => moodle(name),
            Self::Canvas => canvas(name),
            Self::Blackboard => blackboard(name),
            Self::Auto | Self::Off => None,
        }
    }
}

/// `Anna Muster_1234_assignsubmission_file_/essay.docx`, or all in one folder:
/// `Anna Muster_1234_assignsubmission_file_essay.docx`.
fn moodle(name: &str) -> Option<(String, String)> {
    let (before, rest) = name.split_once("_assignsubmission_")?;
    let (person, number) = before.rsplit_once('_')?;
    let (_, file) = rest.split_once('/').or_else(|| rest.split_once('_'))?;
    let is_named = !person.is_empty() && !person.contains('/') && !file.is_empty();
    (is_named && is_number(number)).then(|| (format!("{person} {number}"), file.to_owned()))
}

/// `musteranna_1234_5678_essay.docx`, or `musteranna_LATE_1234_5678_essay.docx`.
fn canvas(name: &str) -> Option<(String, String)> {
    let (person, rest) = name.split_once('_').filter(|(person, _)| !person.contains('/'))?;
    let rest = rest.strip_prefix("LATE_").unwrap_or(rest);
    let (number, rest) = rest.split_once('_')?;
    let (submission, file) = rest.split_once('_')?;
    let is_named = !person.is_empty() && !file.is_empty();
    (is_named && is_number(number) && is_number(submission))
        .then(|| (format!("{person} {number}"), file.to_owned()))
}

/// `Essay 1_amuster_attempt_2026-11-24-10-15-00_essay.docx`; what was typed has no name of its own.
fn blackboard(name: &str) -> Option<(String, String)> {
    let (before, rest) = name.split_once("_attempt_").filter(|(it, _)| !it.contains('/'))?;
    let (_, person) = before.rsplit_once('_')?;
    let date = rest.get(..19)?;
    let is_date = date.split('-').count() == 6 && date.split('-').all(is_number);
    let file = match rest[19..].strip_prefix('_') {
        Some(file) => file.to_owned(),
        None => format!("submission{}", &rest[19..]),
    };
    (is_date && !person.is_empty()).then(|| (person.to_owned(), file))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_platforms_are_persons_and_files() {
        use Submissions::{Blackboard, Canvas, Moodle};
        #[rustfmt::skip]
        let table = [
            ("a folder each",      Moodle,     "Anna Muster_12_assignsubmission_file_/a/essay.docx", Some(("Anna Muster 12", "a/essay.docx"))),
            ("one folder",         Moodle,     "Anna Muster_12_assignsubmission_file_essay_2.docx",  Some(("Anna Muster 12", "essay_2.docx"))),
            ("typed online",       Moodle,     "Anna Muster_12_assignsubmission_onlinetext_/onlinetext.html", Some(("Anna Muster 12", "onlinetext.html"))),
            ("a name with a bar",  Moodle,     "Anna_Muster_12_assignsubmission_file_/x.txt",        Some(("Anna_Muster 12", "x.txt"))),
            ("no number",          Moodle,     "Anna Muster_assignsubmission_file_/x.txt",           None),
            ("another name",       Moodle,     "essay.docx",                                         None),
            ("of Canvas",          Canvas,     "musteranna_12_345_essay_final.docx",                 Some(("musteranna 12", "essay_final.docx"))),
            ("too late",           Canvas,     "musteranna_LATE_12_345_essay.docx",                  Some(("musteranna 12", "essay.docx"))),
            ("one number",         Canvas,     "musteranna_12_essay.docx",                           None),
            ("in a folder",        Canvas,     "a/b_12_345_essay.docx",                              None),
            ("of Blackboard",      Blackboard, "Essay 1_amuster_attempt_2026-11-24-10-15-00_my essay.docx", Some(("amuster", "my essay.docx"))),
            ("its own note",       Blackboard, "Essay 1_amuster_attempt_2026-11-24-10-15-00.txt",    Some(("amuster", "submission.txt"))),
            ("no date",            Blackboard, "Essay 1_amuster_attempt_x.txt",                      None),
            ("letters in it",      Blackboard, "Essay_b_attempt_2026-11-24-10-15-ééé",               None),
        ];
        for (why, platform, name, want) in table {
            let want = want.map(|(person, file)| (person.to_owned(), file.to_owned()));
            assert_eq!(platform.person_and_file(name), want, "{why}");
        }
    }

    #[test]
    fn a_platform_is_known_by_all_names() {
        let platform = |names: &[&str]| {
            Submissions::Auto.platform(|| names.iter().map(|name| (*name).to_owned()))
        };
        let moodle = "A B_1_assignsubmission_file_/x.txt";
        let other = "C_2_assignsubmission_file_/y.txt";
        assert_eq!(platform(&[moodle, other]), Some(Submissions::Moodle));
        assert_eq!(platform(&[moodle, "readme.txt"]), None);
        assert_eq!(platform(&["a_1_2_x.txt"]), Some(Submissions::Canvas));
    }

    #[test]
    fn archives_are_known_by_their_names() {
        for name in ["a.zip", "a.ZIP", "a.tar", "b/a.tar.gz", "a.tgz", "a.tar.zst", "a.tzst"] {
            assert!(is_archive(Path::new(name)), "{name}");
        }
        for name in ["a.docx", "a.gz", "zip", "a.zip.txt", "-"] {
            assert!(!is_archive(Path::new(name)), "{name}");
        }
    }
}
