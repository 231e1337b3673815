//! The source of a text, the opened text, and the reasons why a source is not a text.

use std::fs::Metadata;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use dedup_text::pair::warnings::described;
use dedup_text::parallel::Advance;
use dedup_text::text::formats::{ExtractError, FileCategory};
use dedup_text::text::{Encoding, ReadOptions, ReadTextError, Text, display_path};
use ignore::overrides::Override;

use super::parquet::{ParquetRow, Rows};
use super::record::{self, Fields, TextRecord};
use super::table::{self, Table};
use super::{again, archives, submissions};
use crate::diagnostics::Diagnostic;
use crate::io::disk;
use crate::io::git::TreeEntry;
use crate::model::found::{Age, Failed, Skip, Skipped, TextOrigin};
use crate::model::persons::Person;
use crate::model::{name_of, name_of_row};

/// The source of one text.
#[derive(Debug)]
pub(crate) enum Source {
    /// A file, which may be in an archive.
    File(File),
    /// Several files that form one text.
    Unit(Unit),
    /// A line of JSON, or a row of CSV.
    Line(Line),
    /// A row of Parquet.
    Row(ParquetRow, Age),
    /// A source that failed before it could be opened.
    Lost(Failed),
}

/// The owner and submitter of a text, and the properties that decide which texts it is compared
/// with.
#[derive(Clone, Debug)]
pub(crate) struct Provenance {
    pub(crate) age: Age,
    /// The group of the text; `None` if it is in no group. Texts of one group are not compared with
    /// each other.
    pub(crate) group: Option<String>,
    /// The person whose text it is, if a course platform's file names or a list give one.
    pub(crate) owner: Option<String>,
    /// The person in the list of persons who submitted the text, if there is one.
    pub(crate) person: Option<Arc<Person>>,
}

impl Provenance {
    /// Creates the provenance of a text that is in no group and of no known person.
    pub(crate) fn new(age: Age) -> Self {
        Self { age, group: None, owner: None, person: None }
    }
}

/// Several files that form one text.
#[derive(Debug)]
pub(crate) struct Unit {
    /// The name of the text: its folder or its person.
    pub(crate) name: String,
    /// The files, including those of archives, sorted by name.
    pub(crate) files: Vec<Source>,
    pub(crate) provenance: Provenance,
}

/// A line, or a row, which may span several lines. It shares its block with the other lines of the
/// block.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) block: Arc<Block>,
    pub(crate) range: Range<usize>,
    /// The line number, from 1; for a row, the number of the line on which it begins.
    pub(crate) number: u64,
}

/// Consecutive lines of a file.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) file: Arc<Path>,
    /// The byte offset of the block in the file.
    pub(crate) start: u64,
    /// Whether the block cannot be read again, because the file is a pipe or packed.
    pub(crate) is_piped: bool,
    /// The age of all texts of the file, which decides the texts that they are compared with.
    pub(crate) age: Age,
    /// The header of the file, if its lines are rows of CSV.
    pub(crate) table: Option<Table>,
    pub(crate) bytes: Vec<u8>,
}

/// A file of the corpus.
#[derive(Debug)]
pub(crate) struct File {
    /// The path. Of a file of an archive, the name of the archive, followed by its own.
    pub(crate) path: PathBuf,
    pub(crate) found: Discovery,
    pub(crate) provenance: Provenance,
    /// The size in bytes; `None` if it is not known.
    pub(crate) bytes: Option<u64>,
    /// The folder in which the file was found. For an archive that the user named, the archive
    /// itself.
    pub(crate) folder: Option<Arc<Folder>>,
    /// Whether it has the name of a receipt of Blackboard.
    pub(crate) is_receipt: bool,
    pub(crate) content: FileContent,
}

/// The place of the bytes of a file.
#[derive(Debug)]
pub(crate) enum FileContent {
    OnDisk,
    /// In a commit.
    Object(TreeEntry),
    /// In memory, after they were read from a commit.
    Read(Vec<u8>),
    /// In memory, after they were unpacked from an archive. `at` is the name there, and the index
    /// among the files of the same name, from 0.
    Unpacked {
        archive: Arc<Path>,
        at: (String, usize),
        bytes: Vec<u8>,
    },
}

/// A folder that the user named, and the globs that select its files.
#[derive(Debug)]
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    globs: FolderGlobs,
}

/// The globs that select files in a folder.
#[derive(Clone, Debug)]
pub(crate) struct FolderGlobs {
    pub(crate) texts: Override,
    /// Same as `texts`, but a list of persons need not be included.
    pub(crate) with_lists: Override,
}

impl Folder {
    pub(crate) fn new(path: &Path, globs: FolderGlobs) -> Self {
        Self { path: path.to_owned(), globs }
    }

    /// Returns the path of a file relative to the folder, with its parts joined by `/`.
    pub(crate) fn inner(&self, path: &Path) -> String {
        name_of(path.strip_prefix(&self.path).unwrap_or(path))
    }

    /// Reports whether the globs keep a text in the folder, or in an archive in the folder, which is
    /// treated like a folder.
    pub(crate) fn keeps(&self, path: &Path) -> bool {
        self.is_kept(path, &self.globs.texts)
    }

    fn is_kept(&self, path: &Path, globs: &Override) -> bool {
        if globs.is_empty() {
            return true;
        }
        let around = path.ancestors().skip(1).take_while(|it| **it != self.path);
        let mut around = around.filter(|it| it.starts_with(&self.path));
        !around.any(|folder| globs.matched(folder, true).is_ignore())
            && !globs.matched(path, false).is_ignore()
    }
}

/// The way in which a file was found.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Discovery {
    /// The user gave its name.
    Named,
    /// It was found in a folder.
    Walked,
    /// It was found in an archive.
    Unpacked,
}

/// A text of the corpus.
#[derive(Debug)]
pub(crate) struct OpenedText {
    pub(crate) text: Text,
    /// Whether the text cannot be opened again, because it comes from a pipe, a packed file of
    /// records or a commit, or is a part of a receipt.
    pub(crate) is_read_once: bool,
    pub(crate) provenance: Provenance,
    pub(crate) details: TextDetails,
}

/// What is known of a text, apart from its content and its provenance.
#[derive(Debug)]
pub(crate) struct TextDetails {
    /// The name of the text: its path or its id.
    pub(crate) name: String,
    pub(crate) place: TextOrigin,
    /// The value by which `--keep` chooses among similar records.
    pub(crate) worth: Option<String>,
    /// The number of places where bytes were replaced.
    pub(crate) replaced: usize,
    /// The reasons why some files of a [`Unit`] are not part of its text.
    pub(crate) unopened: Vec<Unopened>,
}

impl OpenedText {
    fn new(text: Text, name: String, place: TextOrigin, provenance: Provenance) -> Self {
        let (replaced, worth, unopened) = (text.replaced(), None, vec![]);
        let details = TextDetails { name, place, worth, replaced, unopened };
        Self { text, is_read_once: false, provenance, details }
    }
}

/// The reason why a source does not yield a text.
#[derive(Debug)]
pub(crate) enum Unopened {
    /// The file was skipped because it was not expected to be a text; with its name.
    Skipped(Skip, String),
    /// The source should be a text but could not be read.
    Failed(Failed),
    /// None of the files of a unit is a text.
    Several(Vec<Unopened>),
}

impl Unopened {
    /// Adds what was skipped to the counts, and returns the failures.
    pub(crate) fn failures(self, skipped: &mut Skipped) -> Vec<Failed> {
        match self {
            Self::Skipped(why, name) => {
                skipped.add_file(why, name);
                Vec::new()
            }
            Self::Failed(failed) => vec![failed],
            Self::Several(all) => all.into_iter().flat_map(|one| one.failures(skipped)).collect(),
        }
    }
}

impl Line {
    /// Returns the line without its line end.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.block.bytes[self.range.clone()]
    }

    /// Returns the byte offset in the file at which the line begins.
    pub(crate) fn start(&self) -> u64 {
        self.block.start + self.range.start as u64
    }

    /// Returns the place of the line.
    pub(crate) fn place(&self) -> TextOrigin {
        let (file, start) = (Arc::clone(&self.block.file), self.start());
        let header = self.block.table.clone().map(|table| table.0);
        TextOrigin::Line { file, number: self.number, start, header }
    }

    /// Reports whether it is the first line of its file that may contain a record: the first line,
    /// or the first after a header.
    pub(crate) fn is_first(&self) -> bool {
        self.number == self.block.table.as_ref().map_or(1, |table| table.first_line)
    }

    /// Returns the names of the fields of the line, up to the limit for messages.
    pub(crate) fn fields(&self) -> Vec<String> {
        match &self.block.table {
            Some(table) => record::shown(&table.columns),
            None => record::names(self.bytes()),
        }
    }

    /// Returns a failure at the place of the line.
    pub(crate) fn failed(&self, error: impl Into<anyhow::Error>) -> Failed {
        Failed::of_line(&self.block.file, self.number, error)
    }
}

impl From<Failed> for Unopened {
    fn from(failed: Failed) -> Self {
        Self::Failed(failed)
    }
}

impl File {
    /// Creates a file whose content is on disk. Its size is taken from its metadata: 0 if there are
    /// none because the file cannot be read, and `None` for a pipe or standard input.
    pub(crate) fn new(path: PathBuf, found: Discovery, age: Age, known: Option<&Metadata>) -> Self {
        let bytes = known.map_or(Some(0), |known| known.is_file().then_some(known.len()));
        let bytes = bytes.filter(|_| path != Path::new("-"));
        let content = FileContent::OnDisk;
        Self {
            path,
            found,
            provenance: Provenance::new(age),
            bytes,
            folder: None,
            is_receipt: false,
            content,
        }
    }
}

impl Source {
    /// Returns the size in bytes, as far as it is known before the source is opened; otherwise 0.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::File(file) => file.bytes.unwrap_or_default(),
            Self::Unit(unit) => unit.files.iter().map(Self::bytes).sum(),
            Self::Line(line) => line.bytes().len() as u64,
            Self::Row(row, _) => row.bytes,
            Self::Lost(_) => 0,
        }
    }

    /// Returns the name; empty if it is not known before the source is opened.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::File(file) => name_of(&file.path),
            Self::Unit(unit) => unit.name.clone(),
            Self::Lost(failed) => failed.name.clone(),
            Self::Line(_) | Self::Row(..) => String::new(),
        }
    }
}

/// Returns the name of a record of an earlier file: `old.jsonl/7`.
pub(crate) fn name_of_old(file: &Path, id: &str) -> String {
    format!("{}/{id}", name_of(file))
}

// Opening a source as a text, on any thread.

/// The number of bytes that are enough to recognize the format of a file.
const HEAD: u64 = 1 << 16;

/// The handling of a text with disguises.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Disguises {
    Warn,
    Error,
}

/// Returns an error for a text with disguises if `policy` makes them an error. Words of no language
/// are none: they prove nothing.
pub(crate) fn check_disguises(text: &Text, policy: Disguises) -> Result<(), Diagnostic> {
    let mut proven = text.disguises().iter().filter(|found| !found.trick.is_suspicion());
    let Some(found) = proven.next().filter(|_| policy == Disguises::Error) else {
        return Ok(());
    };
    let (path, found) = (display_path(text.path()), described(found));
    Err(Diagnostic::new(format!("{path}: {found}, expected a text without disguises"))
        .hint("--disguises warn compares it as a reader sees it")
        .flags(["disguises"]))
}

/// The settings with which texts are opened.
#[derive(Debug)]
pub(crate) struct Opener {
    files: ReadOptions,
    records: ReadOptions,
    fields: Fields,
    disguises: Disguises,
}

impl Opener {
    /// Creates an opener that reads files with `files`, and records with `fields`.
    pub(crate) fn new(files: ReadOptions, fields: Fields, disguises: Disguises) -> Self {
        // The id of a record is not a file name, so its extension does not count.
        let records = ReadOptions { encoding: Some(Encoding::UTF_8), nameless: true, ..files };
        Self { files, records, fields, disguises }
    }

    /// Opens a text.
    ///
    /// # Errors
    ///
    /// Returns [`Unopened`] if the source does not yield a text.
    pub(crate) fn open(&self, source: Source) -> Result<OpenedText, Unopened> {
        match source {
            Source::File(file) => self.open_file(file),
            Source::Unit(unit) => self.open_unit(unit),
            Source::Line(line) => self.open_line(&line).map_err(|error| line.failed(error).into()),
            Source::Row(row, age) => self.open_row(&row, age).map_err(|error| {
                Failed::of_record(&row.file, name_of_row(&row.file, row.number), error).into()
            }),
            Source::Lost(failed) => Err(failed.into()),
        }
    }

    /// Same as [`open`](Self::open); then adds the bytes of the source to those that were read.
    pub(crate) fn open_counted(
        &self,
        source: Source,
        read: &Advance,
    ) -> Result<OpenedText, Unopened> {
        let bytes = source.bytes();
        let opened = self.open(source);
        read.add(bytes);
        opened
    }

    /// Opens a text again; `None` if its place is not a file (such as a pipe), or if it can no
    /// longer be opened.
    pub(crate) fn open_again(&self, path: &Path, place: &TextOrigin) -> Option<Text> {
        match place {
            TextOrigin::File => disk::size(path).and_then(|_| Text::open(path, &self.files).ok()),
            TextOrigin::Member { archive, at } => {
                let bounds = archives::Bounds {
                    file: self.files.max_bytes,
                    unpacked: self.files.bounds.unpacked,
                };
                let bytes = archives::member(archive, &name_of(archive), (&at.0, at.1), bounds)?;
                Text::decode(path, bytes, &self.files).ok()
            }
            TextOrigin::Unit(files) => {
                let files = files.iter().map(|(path, place)| self.open_again(path, place));
                Some(Text::joined(path, files.collect::<Option<_>>()?))
            }
            TextOrigin::Line { file, start, header, .. } => {
                let table = header.clone().map(Table);
                let delimiter = table.as_ref().map(|table| table.delimiter);
                let line = table::row_at(file, *start, delimiter)?;
                self.decoded(path, self.fields.line(table.as_ref(), &line).ok()?.text).ok()
            }
            TextOrigin::Stored(_) | TextOrigin::Receipt => None,
            TextOrigin::Row { file, number } => {
                let stream = disk::open(file).ok()?;
                let whole = again::whole(file, stream, None).ok()?;
                let limits = (usize::MAX, None);
                let asked = self.fields.asked();
                let rows = Rows::new(file, whole, &asked, false, limits).ok()?;
                let record = self.fields.cells(rows.row(*number)?.cells).ok()?;
                self.decoded(path, record.text).ok()
            }
        }
    }

    fn open_file(&self, file: File) -> Result<OpenedText, Unopened> {
        let File { path, found, provenance, bytes, is_receipt, content, .. } = file;
        let (name, mut place, mut is_read_once) =
            (name_of(&path), TextOrigin::File, bytes.is_none());
        // `None` if it is read from disk.
        let mut content = match content {
            FileContent::OnDisk | FileContent::Object(_) => None,
            FileContent::Read(bytes) => {
                is_read_once = true;
                Some(bytes)
            }
            FileContent::Unpacked { archive, at, bytes } => {
                if bytes.trim_ascii().is_empty() {
                    return Err(Unopened::Skipped(Skip::Empty, name));
                }
                place = TextOrigin::Member { archive, at };
                Some(bytes)
            }
        };
        if is_receipt {
            let on_disk = || disk::read(&path, self.files.max_bytes).ok();
            let receipt = content.clone().or_else(on_disk);
            if let Some(typed) = receipt.and_then(|bytes| submissions::typed(&bytes)) {
                if typed.trim_ascii().is_empty() {
                    return Err(Unopened::Skipped(Skip::Receipt, name));
                }
                (content, place, is_read_once) = (Some(typed), TextOrigin::Receipt, true);
            }
        }
        let text = match content {
            Some(bytes) => Text::decode(&path, bytes, &self.files),
            None if disk::is_looked_at(&path) => {
                let bytes = disk::read_at_most(&path, self.files.max_bytes);
                bytes.and_then(|bytes| Text::decode(&path, bytes, &self.files))
            }
            None => Text::open(&path, &self.files),
        };
        let text = match text {
            Ok(text) => text,
            Err(error) => {
                let skip = (found != Discovery::Named).then(|| self.skip(&path, &error)).flatten();
                return Err(match skip {
                    Some(why) => Unopened::Skipped(why, name),
                    None => Unopened::Failed(Failed::new(name, error)),
                });
            }
        };
        if found == Discovery::Walked && text.content().trim().is_empty() {
            return Err(Unopened::Skipped(Skip::Empty, name));
        }
        if found != Discovery::Unpacked
            && let Err(error) = check_disguises(&text, self.disguises)
        {
            return Err(Unopened::Failed(Failed::new(name, error)));
        }
        let mut opened = OpenedText::new(text, name, place, provenance);
        opened.is_read_once = is_read_once;
        Ok(opened)
    }

    /// Opens the files of a unit and joins those that can be read into one text.
    fn open_unit(&self, unit: Unit) -> Result<OpenedText, Unopened> {
        let Unit { name, files, provenance } = unit;
        let (mut texts, mut places, mut unopened) = (Vec::new(), Vec::new(), Vec::new());
        let mut is_read_once = false;
        for file in files {
            match self.open(file) {
                Ok(opened) => {
                    is_read_once |= opened.is_read_once;
                    places.push((opened.text.path().to_owned(), opened.details.place));
                    texts.push(opened.text);
                }
                Err(why) => unopened.push(why),
            }
        }
        if texts.is_empty() {
            return Err(Unopened::Several(unopened));
        }
        let text = Text::joined(Path::new(&name), texts);
        let place = TextOrigin::Unit(places.into());
        let opened = OpenedText::new(text, name, place, provenance);
        let details = TextDetails { unopened, ..opened.details };
        Ok(OpenedText { is_read_once, details, ..opened })
    }

    /// Returns the reason to skip a file of a folder that cannot be read, if the file is not a
    /// document; `None` for a document, whose failure is an error. A file that is too large is
    /// judged by its first [`HEAD`] bytes.
    fn skip(&self, path: &Path, error: &ReadTextError) -> Option<Skip> {
        let ReadTextError::TooLarge { .. } = error else { return not_a_text(error) };
        let head = disk::head(path, HEAD).unwrap_or_default();
        Text::decode(path, head, &self.files).err().and_then(|error| not_a_text(&error))
    }

    /// Opens the text of the record on a line.
    pub(crate) fn open_line(&self, line: &Line) -> anyhow::Result<OpenedText> {
        let record = self.fields.line(line.block.table.as_ref(), line.bytes())?;
        let opened = self.opened(record, &line.block.file, line.block.age, line.place())?;
        Ok(OpenedText { is_read_once: line.block.is_piped, ..opened })
    }

    /// Opens the text of a row of Parquet.
    fn open_row(&self, row: &ParquetRow, age: Age) -> anyhow::Result<OpenedText> {
        let place = TextOrigin::Row { file: Arc::clone(&row.file), number: row.number };
        let opened = self.opened(self.fields.cells(row.cells.clone())?, &row.file, age, place)?;
        Ok(OpenedText { is_read_once: row.is_read_once, ..opened })
    }

    /// Opens the text of a record of a file.
    fn opened(
        &self,
        record: TextRecord,
        file: &Path,
        age: Age,
        place: TextOrigin,
    ) -> anyhow::Result<OpenedText> {
        let TextRecord { name, group, worth, text } = record;
        let name = match (name, age, &place) {
            // A new text may have the same id, so the name of the file is added.
            (Some(name), Age::Old, _) => name_of_old(file, &name),
            (Some(name), ..) => name,
            (None, _, TextOrigin::Line { number, .. } | TextOrigin::Row { number, .. }) => {
                format!("{}:{number}", name_of(file)) // such as in.jsonl:12
            }
            (None, ..) => String::new(),
        };
        let text = self.decoded(Path::new(&name), text)?;
        let provenance = Provenance { group, ..Provenance::new(age) };
        let mut opened = OpenedText::new(text, name, place, provenance);
        opened.details.worth = worth;
        Ok(opened)
    }

    fn decoded(&self, name: &Path, text: Vec<u8>) -> anyhow::Result<Text> {
        let surrogates = text.windows(3).find_map(lone_surrogate);
        let text = Text::decode(name, text, &self.records);
        let text = match (text, surrogates) {
            (Err(error @ ReadTextError::Damaged { .. }), Some(lone)) => {
                let half = format!("\\u{lone:04x} is half of a surrogate pair");
                return Err(anyhow::Error::from(error).context(half));
            }
            (text, _) => text?,
        };
        check_disguises(&text, self.disguises)?;
        Ok(text)
    }
}

/// Returns the half of a surrogate pair that three bytes encode: the decoder of JSON turns an
/// escape such as `\ud800` into these bytes. `None` for other bytes.
fn lone_surrogate(bytes: &[u8]) -> Option<u32> {
    match bytes {
        [0xed, two @ 0xa0..=0xbf, three @ 0x80..=0xbf] => {
            Some(0xd000 | u32::from(two & 0x3f) << 6 | u32::from(three & 0x3f))
        }
        _ => None,
    }
}

/// Returns the reason to skip something that is not text at all; `None` for a document that cannot
/// be read.
fn not_a_text(error: &ReadTextError) -> Option<Skip> {
    match error {
        ReadTextError::NotText { .. } => Some(Skip::NoText),
        ReadTextError::Refused { reason: ExtractError::Unsupported { holds, .. }, .. } => {
            match holds {
                FileCategory::Picture => Some(Skip::Picture),
                FileCategory::Recording => Some(Skip::Recording),
                FileCategory::Program => Some(Skip::Program),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Reports whether an error means that a document exists but cannot be read as a text, rather than
/// that the operating system reported an error.
pub(crate) fn is_unreadable(error: &anyhow::Error) -> bool {
    use ReadTextError::{Damaged, Ebcdic, NotText, Refused, TooLarge};
    matches!(
        error.downcast_ref(),
        Some(Refused { .. } | NotText { .. } | Damaged { .. } | Ebcdic { .. } | TooLarge { .. })
    )
}
