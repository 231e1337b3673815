//! What a text is made of, what comes of it, and why nothing may come of it.

use std::fmt;
use std::fs::Metadata;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use dedup_text::pair::warnings::described;
use dedup_text::text::formats::{Foreign, Refusal};
use dedup_text::text::{Encoding, ReadTextError, Reading, Text, display_path};
use ignore::overrides::Override;
use serde::{Deserialize, Serialize};

use super::course::Person;
use super::parquet::{Row, Rows, name_of_row};
use super::record::{self, Fields, Record};
use super::table::Table;
use super::{again, archives};
use crate::diagnostics::{self, Diagnostic};
use crate::io::disk;
use crate::io::git::Object;

/// What a text is made of.
#[derive(Debug)]
pub(crate) enum Source {
    /// A file.
    File(File),
    /// A file of an archive.
    Member(Member),
    /// Several files that are one text.
    Unit(Unit),
    /// A line of JSON, or a row of CSV.
    Line(Line),
    /// A row of Parquet.
    Row(Row, Age),
    /// What is lost before it is opened.
    Lost(Failed),
}

/// Several files that are one text.
#[derive(Debug)]
pub(crate) struct Unit {
    /// What it goes by: its folder, or its person.
    pub(crate) name: String,
    /// Files, and those of archives, in the order of their names.
    pub(crate) files: Vec<Source>,
    pub(crate) age: Age,
    /// The group that it is in; none where it is alone.
    pub(crate) group: Option<String>,
    /// Whose it is by the names of a platform, where those say so.
    pub(crate) owner: Option<String>,
    /// Who handed it in, where a list says so.
    pub(crate) person: Option<Arc<Person>>,
}

/// A file of an archive, unpacked.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) archive: Arc<Path>,
    /// What it is called in the archive, and its number among those of that name, from 0.
    pub(crate) at: (String, usize),
    /// What it goes by: the archive's name, and its own.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) age: Age,
    /// The group that it is in; none where it is alone.
    pub(crate) group: Option<String>,
    /// Whose it is by the names of a platform, where those say so.
    pub(crate) owner: Option<String>,
    /// Who handed it in, where a list says so.
    pub(crate) person: Option<Arc<Person>>,
}

/// A line, or a row that may be several; it shares its block with the others in it.
#[derive(Clone)]
pub(crate) struct Line {
    pub(crate) block: Arc<Block>,
    pub(crate) range: Range<usize>,
    /// From 1; of a row the line that it begins on.
    pub(crate) number: u64,
}

/// Lines of a file, one after the other.
pub(crate) struct Block {
    pub(crate) file: Arc<Path>,
    /// Where in the file it begins.
    pub(crate) start: u64,
    /// Whether that is a pipe.
    pub(crate) is_piped: bool,
    /// Which texts those of the file are compared with.
    pub(crate) age: Age,
    /// Its header, where its lines are rows of CSV.
    pub(crate) table: Option<Arc<Table>>,
    pub(crate) bytes: Vec<u8>,
}

/// A file of the corpus.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) path: PathBuf,
    pub(crate) found: Found,
    pub(crate) age: Age,
    /// Its size in bytes; none where that is not known.
    pub(crate) bytes: Option<u64>,
    /// The group that it is in; none where it is alone.
    pub(crate) group: Option<String>,
    /// Whose it is by the names of a platform, where those say so.
    pub(crate) owner: Option<String>,
    /// Who handed it in, where a list says so.
    pub(crate) person: Option<Arc<Person>>,
    /// The folder that it was found in; of an archive whose name was given, itself.
    pub(crate) folder: Option<Arc<Folder>>,
    pub(crate) content: FileContent,
}

/// Where the bytes of a file are.
#[derive(Debug)]
pub(crate) enum FileContent {
    OnDisk,
    /// In a commit.
    Object(Object),
    /// They were read from there.
    Read(Vec<u8>),
}

/// A folder that is named, and which of its files are left out.
#[derive(Debug)]
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    globs: Override,
}

impl Folder {
    pub(crate) fn new(path: &Path, globs: Override) -> Self {
        Self { path: path.to_owned(), globs }
    }

    /// The name of a file in it from there, its parts joined by `/`.
    pub(crate) fn inner(&self, path: &Path) -> String {
        name_of(path.strip_prefix(&self.path).unwrap_or(path))
    }

    /// Whether a file of an archive in it is kept, as if the archive were a folder.
    pub(crate) fn keeps(&self, path: &Path) -> bool {
        if self.globs.is_empty() {
            return true;
        }
        let around = path.ancestors().skip(1).take_while(|it| **it != self.path);
        let mut around = around.filter(|it| it.starts_with(&self.path));
        !around.any(|folder| self.globs.matched(folder, true).is_ignore())
            && !self.globs.matched(path, false).is_ignore()
    }
}

/// How a file was come by.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Found {
    /// Its name was given.
    Named,
    /// It was in a folder.
    Walked,
}

/// Which texts are compared with it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Age {
    /// All.
    New,
    /// New ones alone: it is one that `--against` names.
    Old,
    /// All: it is new, and `--against` names it as well.
    Both,
}

impl Age {
    /// That of a file which is named twice.
    pub(crate) fn and(self, other: Self) -> Self {
        if self == other { self } else { Self::Both }
    }
}

/// A text of the corpus.
#[derive(Debug)]
pub(crate) struct Opened {
    /// What it goes by: the path or the id.
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) age: Age,
    /// Texts of one group are not compared with each other; none where it is alone.
    pub(crate) group: Option<String>,
    /// Whose it is by the names of a platform, where those say so.
    pub(crate) owner: Option<String>,
    /// Who handed it in, where a list says so.
    pub(crate) person: Option<Arc<Person>>,
    /// The value that `--keep` goes by.
    pub(crate) worth: Option<String>,
    /// Whether it comes from a pipe, so that it cannot be opened again.
    pub(crate) is_read_once: bool,
    pub(crate) text: Text,
    /// Why some files of it are not in the text.
    pub(crate) unopened: Vec<Unopened>,
}

/// Where a text was come by.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Place {
    /// It is a file.
    File,
    /// It is a file of an archive, by its name there and its number among those of that name.
    Member { archive: Arc<Path>, at: (String, usize) },
    /// It is made of these, by what each goes by.
    Unit(Arc<[(PathBuf, Place)]>),
    /// It is a line of a file, from 1, and begins at a byte; where it is a row, by its table.
    Line { file: Arc<Path>, number: u64, start: u64, table: Option<Arc<Table>> },
    /// It is a row of a file of Parquet, from 1.
    Row { file: Arc<Path>, number: u64 },
    /// It is in an index, which has no content of it.
    Stored(Arc<Path>),
}

/// Why there is no text.
#[derive(Debug)]
pub(crate) enum Unopened {
    /// No one asked for it; by its name.
    Skipped(Skip, String),
    /// It should have been one.
    Failed(Failed),
    /// No file of several is one.
    Several(Vec<Unopened>),
}

impl Unopened {
    /// The reasons one by one.
    pub(crate) fn each(self) -> Vec<Self> {
        match self {
            Self::Several(several) => several.into_iter().flat_map(Self::each).collect(),
            one => vec![one],
        }
    }
}

/// A text that should have been one.
#[derive(Debug)]
pub(crate) struct Failed {
    /// What it goes by: its path, or its file and line.
    pub(crate) name: String,
    /// What is wrong with it; the name is given in it.
    pub(crate) error: anyhow::Error,
    /// Whether it is a file, not one of many lines.
    pub(crate) is_whole_file: bool,
}

/// Why something in a folder is skipped.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Skip {
    /// Its name begins with a full stop; of a folder, with all that is in it.
    Hidden,
    /// It is a symbolic link.
    Link,
    /// It is a pipe, a socket or a device.
    Special,
    /// It has no word.
    Empty,
    /// It is a picture.
    Picture,
    /// It is sound or a film.
    Recording,
    /// It is a program or a font.
    Program,
    /// Its bytes are no text, and of no kind that is known.
    NoText,
    /// It is the settings file of the run.
    Settings,
    /// It is read as something else: a template, a list, a file of records.
    Input,
    /// It is what an earlier run wrote: a report, a baseline.
    Output,
    /// It is another name of a file that is a text already.
    HardLink,
}

impl Line {
    /// The line without its end.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.block.bytes[self.range.clone()]
    }

    /// The byte of the file that it begins at.
    pub(crate) fn start(&self) -> u64 {
        self.block.start + self.range.start as u64
    }

    /// Whether it comes from a pipe, so that it cannot be read again.
    pub(crate) fn is_read_once(&self) -> bool {
        self.block.is_piped
    }

    /// Where it stands.
    pub(crate) fn place(&self) -> Place {
        let (file, start) = (Arc::clone(&self.block.file), self.start());
        Place::Line { file, number: self.number, start, table: self.block.table.clone() }
    }

    /// Whether it is the first that may hold a record of its file.
    pub(crate) fn is_first(&self) -> bool {
        self.number == self.block.table.as_ref().map_or(1, |table| table.first)
    }

    /// A field of what may be no record: a string or a number, or a filled cell.
    pub(crate) fn field(&self, name: &str) -> Option<String> {
        match &self.block.table {
            Some(table) => table.value(self.bytes(), name),
            None => record::field(self.bytes(), name),
        }
    }

    /// Whether it is an object without a field, or a row.
    pub(crate) fn may_lack(&self, name: &str) -> bool {
        self.block.table.is_some() || record::lacks_field(self.bytes(), name)
    }

    /// What it goes by where no field names it: `in.jsonl:12`.
    pub(crate) fn id(&self) -> String {
        id_by_place(&self.block.file, self.number)
    }

    /// A failure with its place.
    pub(crate) fn failed(&self, error: impl Into<anyhow::Error>) -> Failed {
        Failed::of_line(&self.block.file, self.number, error)
    }
}

impl fmt::Debug for Line {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.debug_tuple("Line").field(&self.block.file).field(&self.number).finish()
    }
}

/// Something that should have been a text.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct FailedRecord {
    /// What it goes by.
    pub(crate) name: String,
    /// What is wrong with it; the name is given in it.
    pub(crate) error: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
}

impl Failed {
    /// A failure of a whole file.
    pub(crate) fn of_file(path: &Path, error: impl Into<anyhow::Error>) -> Self {
        Self { name: name_of(path), error: error.into(), is_whole_file: true }
    }

    /// A failure of a line, from 1 on.
    pub(crate) fn of_line(file: &Path, number: u64, error: impl Into<anyhow::Error>) -> Self {
        Self::of_record(name_of_line(file, number), error)
    }

    /// A failure of a record, by its name for people.
    pub(crate) fn of_record(name: String, error: impl Into<anyhow::Error>) -> Self {
        Self { error: error.into().context(name.clone()), name, is_whole_file: false }
    }
}

impl From<Failed> for FailedRecord {
    fn from(failed: Failed) -> Self {
        let (error, hint) = (format!("{:#}", failed.error), diagnostics::hint(&failed.error));
        Self { name: failed.name, error, hint }
    }
}

impl From<Failed> for Unopened {
    fn from(failed: Failed) -> Self {
        Self::Failed(failed)
    }
}

impl File {
    /// A file, with its size; what cannot be read has 0.
    pub(crate) fn new(path: PathBuf, found: Found, age: Age, known: Option<&Metadata>) -> Self {
        let bytes = known.map_or(Some(0), |known| known.is_file().then_some(known.len()));
        let bytes = bytes.filter(|_| path != Path::new("-"));
        let content = FileContent::OnDisk;
        Self {
            path,
            found,
            age,
            bytes,
            group: None,
            owner: None,
            person: None,
            folder: None,
            content,
        }
    }
}

impl Source {
    /// Its size in bytes, as far as it is known before it is opened.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::File(file) => file.bytes.unwrap_or_default(),
            Self::Member(member) => member.bytes.len() as u64,
            Self::Unit(unit) => unit.files.iter().map(Self::bytes).sum(),
            Self::Line(line) => line.bytes().len() as u64,
            Self::Row(row, _) => row.bytes(),
            Self::Lost(_) => 0,
        }
    }
}

impl Source {
    /// What it goes by; nothing where that is not known before it is opened.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::File(file) => name_of(&file.path),
            Self::Member(member) => member.name.clone(),
            Self::Unit(unit) => unit.name.clone(),
            Self::Lost(failed) => failed.name.clone(),
            Self::Line(_) | Self::Row(..) => String::new(),
        }
    }
}

impl Skip {
    const ALL: [Self; 12] = [
        Self::Hidden,
        Self::Link,
        Self::Special,
        Self::Empty,
        Self::Picture,
        Self::Recording,
        Self::Program,
        Self::NoText,
        Self::Settings,
        Self::Input,
        Self::Output,
        Self::HardLink,
    ];

    /// The name of the reason; never changes.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Hidden => "hidden",
            Self::Link => "link",
            Self::Special => "special",
            Self::Empty => "empty",
            Self::Picture => "picture",
            Self::Recording => "recording",
            Self::Program => "program",
            Self::NoText => "no-text",
            Self::Settings => "settings",
            Self::Input => "input",
            Self::Output => "output",
            Self::HardLink => "hard-link",
        }
    }

    /// What it is, for people.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Hidden => "hidden",
            Self::Link => "symbolic links",
            Self::Special => "pipes, sockets and devices",
            Self::Empty => "empty files",
            Self::Picture => "pictures",
            Self::Recording => "sound and films",
            Self::Program => "programs and fonts",
            Self::NoText => "files that are not text",
            Self::Settings => "settings",
            Self::Input => "templates and lists",
            Self::Output => "written by dedup",
            Self::HardLink => "hard links",
        }
    }
}

/// The most files that are skipped by name.
const NAMED: usize = 1000;

/// What was skipped.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Skipped {
    counts: [usize; Skip::ALL.len()],
    /// The first files that were opened and are none to be compared, in the order of the texts.
    files: Vec<(Skip, String)>,
}

impl Skipped {
    /// Counts some.
    pub(crate) fn add(&mut self, why: Skip, count: usize) {
        self.counts[why as usize] += count;
    }

    /// Counts a file that was opened.
    pub(crate) fn add_file(&mut self, why: Skip, name: String) {
        self.add(why, 1);
        if self.files.len() < NAMED {
            self.files.push((why, name));
        }
    }

    /// Counts those of another count.
    pub(crate) fn add_all(&mut self, more: &Self) {
        more.counts().for_each(|(why, count)| self.add(why, count));
    }

    /// Those there are, by why.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (Skip, usize)> {
        Skip::ALL.into_iter().zip(self.counts).filter(|(_, count)| *count > 0)
    }

    /// The names of the files of a kind, a thousand of all kinds at most.
    pub(crate) fn files(&self, why: Skip) -> impl Iterator<Item = &str> {
        self.files.iter().filter(move |(it, _)| *it == why).map(|(_, name)| &**name)
    }
}

/// What a file goes by: its path as given, its parts joined by `/`.
pub(crate) fn name_of(path: &Path) -> String {
    let shown = display_path(path);
    if cfg!(windows) { shown.replace('\\', "/") } else { shown.into_owned() }
}

/// The name of a line of a file, from 1 on, for people.
pub(crate) fn name_of_line(file: &Path, number: u64) -> String {
    format!("{}: line {number}", display_path(file))
}

/// What a record of a file goes by where no field names it: `in.jsonl:12`.
fn id_by_place(file: &Path, number: u64) -> String {
    format!("{}:{number}", name_of(file))
}

// A source → its text, on whichever thread.

/// The bytes that show the kind of a file.
const HEAD: u64 = 1 << 16;

/// What is done about disguises.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Disguises {
    Warn,
    Error,
}

/// Refuses a text with disguises where they are an error.
pub(crate) fn check_disguises(text: &Text, disguises: Disguises) -> Result<(), Diagnostic> {
    let Some(found) = text.disguises().first().filter(|_| disguises == Disguises::Error) else {
        return Ok(());
    };
    let (path, found) = (display_path(text.path()), described(found));
    Err(Diagnostic::new(format!("{path}: {found}, expected a text without disguises"))
        .hint("--disguises warn compares it as its reader sees it"))
}

/// How texts are opened.
#[derive(Debug)]
pub(crate) struct Opener {
    files: Reading,
    records: Reading,
    fields: Fields,
    disguises: Disguises,
}

impl Opener {
    /// Files as given, and records with fields.
    pub(crate) fn new(files: Reading, fields: Fields, disguises: Disguises) -> Self {
        // An id has no ending.
        let records = Reading { encoding: Some(Encoding::UTF_8), nameless: true, ..files };
        Self { files, records, fields, disguises }
    }

    /// Opens a text.
    ///
    /// # Errors
    ///
    /// [`Unopened`] where there is none.
    pub(crate) fn open(&self, source: Source) -> Result<Opened, Unopened> {
        match source {
            Source::File(file) => self.open_file(file),
            Source::Member(member) => self.open_member(member),
            Source::Unit(unit) => self.open_unit(unit),
            Source::Line(line) => self.open_line(&line).map_err(|error| line.failed(error).into()),
            Source::Row(row, age) => self.open_row(&row, age).map_err(|error| {
                Failed::of_record(name_of_row(row.file(), row.number()), error).into()
            }),
            Source::Lost(failed) => Err(failed.into()),
        }
    }

    /// Opens a text once more; none where that is no file, or cannot be opened any more.
    pub(crate) fn open_again(&self, path: &Path, place: &Place) -> Option<Text> {
        match place {
            Place::File => disk::size(path).and_then(|_| Text::open(path, &self.files).ok()),
            Place::Member { archive, at } => {
                let bounds = archives::Bounds {
                    packed: self.files.most,
                    unpacked: self.files.bounds.unpacked,
                };
                let bytes = archives::member(archive, &name_of(archive), (&at.0, at.1), bounds)?;
                Text::decode(path, bytes, &self.files).ok()
            }
            Place::Unit(files) => {
                let files = files.iter().map(|(path, place)| self.open_again(path, place));
                Some(Text::joined(path, files.collect::<Option<_>>()?))
            }
            Place::Line { file, start, table, .. } => {
                let record = match table {
                    Some(table) => self.fields.row(table, &table.row_at(file, *start)?),
                    None => self.fields.record(&disk::line_at(file, *start)?),
                };
                self.decoded(path, record.ok()?.text).ok()
            }
            Place::Stored(_) => None,
            Place::Row { file, number } => {
                let stream = disk::open(file).ok()?;
                let whole = again::whole(file, stream, None).ok()?;
                let limits = (usize::MAX, None);
                let asked = self.fields.asked();
                let rows = Rows::new(file, whole, &asked, false, limits).ok()?;
                let record = self.fields.cells(rows.row(*number)?.cells()).ok()?;
                self.decoded(path, record.text).ok()
            }
        }
    }

    fn open_file(&self, file: File) -> Result<Opened, Unopened> {
        let File { path, found, age, group, owner, person, bytes, content, .. } = file;
        let name = name_of(&path);
        let is_read_once = bytes.is_none() || matches!(content, FileContent::Read(_));
        let text = match content {
            FileContent::Read(bytes) => Text::decode(&path, bytes, &self.files),
            FileContent::OnDisk | FileContent::Object(_) => Text::open(&path, &self.files),
        };
        let text = match text {
            Ok(text) => text,
            Err(error) => {
                let skip = (found == Found::Walked).then(|| self.skip(&path, &error)).flatten();
                return Err(match skip {
                    Some(why) => Unopened::Skipped(why, name),
                    None => Unopened::Failed(failed(name, error)),
                });
            }
        };
        if found == Found::Walked && text.content().trim().is_empty() {
            return Err(Unopened::Skipped(Skip::Empty, name));
        }
        if let Err(error) = check_disguises(&text, self.disguises) {
            return Err(Unopened::Failed(failed(name, error)));
        }
        let place = Place::File;
        let (worth, unopened) = (None, vec![]);
        Ok(Opened { name, place, age, group, owner, person, worth, is_read_once, text, unopened })
    }

    /// Opens the files of a unit: all that can be read are one text.
    fn open_unit(&self, unit: Unit) -> Result<Opened, Unopened> {
        let Unit { name, files, age, group, owner, person } = unit;
        let (mut texts, mut places, mut unopened) = (Vec::new(), Vec::new(), Vec::new());
        let mut is_read_once = false;
        for file in files {
            match self.open(file) {
                Ok(opened) => {
                    is_read_once |= opened.is_read_once;
                    places.push((opened.text.path().to_owned(), opened.place));
                    texts.push(opened.text);
                }
                Err(why) => unopened.push(why),
            }
        }
        if texts.is_empty() {
            return Err(Unopened::Several(unopened));
        }
        let text = Text::joined(Path::new(&name), texts);
        let place = Place::Unit(places.into());
        let worth = None;
        Ok(Opened { name, place, age, group, owner, person, worth, is_read_once, text, unopened })
    }

    /// A file of an archive is as one that was found in a folder.
    fn open_member(&self, member: Member) -> Result<Opened, Unopened> {
        let Member { archive, at, name, bytes, age, group, owner, person } = member;
        if bytes.trim_ascii().is_empty() {
            return Err(Unopened::Skipped(Skip::Empty, name));
        }
        let text = match Text::decode(Path::new(&name), bytes, &self.files) {
            Ok(text) => text,
            Err(error) => {
                return Err(match not_a_text(&error) {
                    Some(why) => Unopened::Skipped(why, name),
                    None => Unopened::Failed(failed(name, error)),
                });
            }
        };
        let (place, is_read_once) = (Place::Member { archive, at }, false);
        let (worth, unopened) = (None, vec![]);
        Ok(Opened { name, place, age, group, owner, person, worth, is_read_once, text, unopened })
    }

    /// Why a file that cannot be read is none that anybody takes for a text; none where it is a
    /// document. One that is too large is judged by how it begins.
    fn skip(&self, path: &Path, error: &ReadTextError) -> Option<Skip> {
        let ReadTextError::TooLarge { .. } = error else { return not_a_text(error) };
        let head = disk::head(path, HEAD).unwrap_or_default();
        Text::decode(path, head, &self.files).err().and_then(|error| not_a_text(&error))
    }

    /// Opens the text of a record on a line.
    pub(crate) fn open_line(&self, line: &Line) -> anyhow::Result<Opened> {
        let record = match &line.block.table {
            Some(table) => self.fields.row(table, line.bytes())?,
            None => self.fields.record(line.bytes())?,
        };
        let opened = self.opened(record, &line.block.file, line.block.age, line.place())?;
        Ok(Opened { is_read_once: line.is_read_once(), ..opened })
    }

    /// Opens the text of a row.
    fn open_row(&self, row: &Row, age: Age) -> anyhow::Result<Opened> {
        let place = Place::Row { file: Arc::clone(row.file()), number: row.number() };
        let opened = self.opened(self.fields.cells(row.cells())?, row.file(), age, place)?;
        Ok(Opened { is_read_once: row.is_read_once(), ..opened })
    }

    /// Opens the text of a record of a file.
    fn opened(
        &self,
        record: Record,
        file: &Path,
        age: Age,
        place: Place,
    ) -> anyhow::Result<Opened> {
        let Record { name, group, worth, text } = record;
        let name = match (name, age, &place) {
            // Ids of the other side may be the same.
            (Some(name), Age::Old, _) => format!("{}/{name}", name_of(file)),
            (Some(name), ..) => name,
            (None, _, Place::Line { number, .. } | Place::Row { number, .. }) => {
                id_by_place(file, *number)
            }
            (None, ..) => String::new(),
        };
        let text = self.decoded(Path::new(&name), text)?;
        let (owner, person, unopened, is_read_once) = (None, None, vec![], false);
        Ok(Opened { name, place, age, group, owner, person, worth, is_read_once, text, unopened })
    }

    /// Opens the text of a record.
    pub(crate) fn text(&self, record: &[u8]) -> anyhow::Result<Text> {
        let Record { name, text, .. } = self.fields.record(record)?;
        self.decoded(Path::new(&name.unwrap_or_default()), text)
    }

    fn decoded(&self, name: &Path, text: Vec<u8>) -> anyhow::Result<Text> {
        let text = Text::decode(name, text, &self.records)?;
        check_disguises(&text, self.disguises)?;
        Ok(text)
    }
}

/// Why something is no text at all, rather than a document that cannot be read.
fn not_a_text(error: &ReadTextError) -> Option<Skip> {
    match error {
        ReadTextError::NotText { .. } => Some(Skip::NoText),
        ReadTextError::Refused { refusal: Refusal::Foreign { holds, .. }, .. } => match holds {
            Foreign::Picture => Some(Skip::Picture),
            Foreign::Recording => Some(Skip::Recording),
            Foreign::Program => Some(Skip::Program),
            _ => None,
        },
        _ => None,
    }
}

/// Whether an error is that of a document which is there and cannot be read, rather than one of
/// the system.
pub(crate) fn is_unreadable(error: &anyhow::Error) -> bool {
    use ReadTextError::{Damaged, Ebcdic, NotText, Refused, TooLarge};
    matches!(
        error.downcast_ref(),
        Some(Refused { .. } | NotText { .. } | Damaged { .. } | Ebcdic { .. } | TooLarge { .. })
    )
}

/// A file that should have been a text.
pub(crate) fn failed(name: String, error: impl Into<anyhow::Error>) -> Failed {
    Failed { name, error: error.into(), is_whole_file: true }
}
