//! Reads a list of persons in CSV: the id of each, the name, the group, and the time of submission.
//!
//! Input: a file that a teacher wrote, or a grading worksheet of Moodle. Output: its rows, which can
//! be looked up by the names of files, folders and persons.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use csv::StringRecord;
use dedup_text::display::{counted, thousands, visible};
use encoding_rs::Encoding;
use unicode_normalization::UnicodeNormalization;

use super::table::{MoreBytes, delimiter};
use crate::diagnostics::{self, Diagnostic, MAX_SHOWN};
use crate::model::persons::{Person, Time};

/// The name of a file that may be a list of persons that a teacher wrote.
const LIST: &str = "course.csv";

/// The way in which a list was chosen.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Origin {
    /// The user named it.
    Named,
    /// It was found next to the files.
    Found,
}

/// A row of a list.
#[derive(Debug)]
struct PersonRow {
    line: u64,
    person: Arc<Person>,
    /// The text or texts that the row was matched with; `None` if it was not matched yet.
    whose: Option<String>,
}

/// The indices of the columns of a list.
struct Columns {
    id: usize,
    name: Option<usize>,
    group: Option<usize>,
    submitted: Option<usize>,
}

/// A list of persons.
#[derive(Debug)]
pub(crate) struct Course {
    /// The name of the list.
    name: String,
    rows: Vec<PersonRow>,
    known: HashMap<String, usize>,
    /// The error for the first id that matched two different texts.
    ambiguous: Option<Diagnostic>,
    /// Whether it is a grading worksheet, which also has the persons who submitted nothing.
    is_worksheet: bool,
}

/// The columns of a list: the headers of each, in lower case and with letters and digits only. If a
/// list has several of them, the first one here counts.
const ID: &[&str] = &[
    "filename",
    "id",
    "identifier",
    "idnumber",
    "studentid",
    "userid",
    "username",
    "login",
    "sisuserid",
];
const NAME: &[&str] = &["name", "fullname", "displayname"];
const GROUP: &[&str] = &["group", "groups"];
const SUBMITTED: &[&str] = &[
    "submittedat",
    "submitted",
    "submissiontime",
    "createdat",
    "lastmodifiedsubmission",
    "timestamp",
    "time",
];

/// The columns that the first line must have, for messages.
const COLUMNS: &str = "id and at least one of name, group and submitted at";

impl Columns {
    /// Finds the columns by their headers; `None` if a required column is missing.
    fn find(headers: &StringRecord) -> Option<Self> {
        let folded: Vec<String> = headers.iter().map(plain).collect();
        let column = |names: &[&str]| {
            names.iter().find_map(|name| folded.iter().position(|header| header == name))
        };
        let id = column(ID)?;
        let [name, group, submitted] = [NAME, GROUP, SUBMITTED].map(column);
        name.or(group).or(submitted)?;
        Some(Self { id, name, group, submitted })
    }

    /// Finds the columns of a grading worksheet of Moodle by what they hold, since its headers are in the
    /// language of the course: the first has `Participant 4711` or `Teilnehmer/in4711`, and others have
    /// the name and the time of submission. `None` for another table.
    fn of_worksheet(headers: &StringRecord, rows: &[StringRecord]) -> Option<Self> {
        let [first, _, ..] = rows else { return None };
        let [word, _] = numbered(first.get(0)?)?;
        let numbers: HashSet<&str> = (rows.iter())
            .map(|row| numbered(row.get(0)?).filter(|[other, _]| *other == word).map(|it| it[1]))
            .collect::<Option<_>>()?;
        if numbers.len() < rows.len() || first.len() < MIN_WORKSHEET_COLUMNS {
            return None;
        }
        let column = |is: &dyn Fn(&str) -> bool| {
            (1..first.len()).find(|column| {
                let cells = rows.iter().map(|row| row.get(*column).unwrap_or_default().trim());
                let mut filled = cells.filter(|cell| !["", "-"].contains(cell)).peekable();
                filled.peek().is_some() && filled.all(is)
            })
        };
        let name = column(&|cell| !cell.contains(|it: char| it == '@' || it.is_numeric()))?;
        let submitted =
            column(&|cell| Time::parse(cell).is_some() && cell.contains(char::is_alphabetic));
        let group = headers.iter().position(|it| GROUP.contains(&&*plain(it)));
        Some(Self { id: 0, name: Some(name), group, submitted })
    }
}

/// The largest number of bytes in which the number of a person is looked for, before a table is read.
const MAX_ID_BYTES: usize = 200;

/// The smallest number of columns of a grading worksheet.
const MIN_WORKSHEET_COLUMNS: usize = 4;

/// Splits `Participant 4711` into its word and its number; `None` for any other cell.
fn numbered(cell: &str) -> Option<[&str; 2]> {
    let cell = cell.trim();
    let word = cell.trim_end_matches(|it: char| it.is_ascii_digit());
    let number = &cell[word.len()..];
    (!number.is_empty() && word.contains(char::is_alphabetic)).then_some([word, number])
}

/// Makes the error for a line of a list.
fn at_line(name: &str, line: u64, what: &str) -> Diagnostic {
    Diagnostic::new(format!("{name}: line {line}: {what}"))
}

impl Course {
    /// Parses a list or a grading worksheet. `name` is its name in messages.
    ///
    /// # Errors
    ///
    /// Returns a [`Diagnostic`] with the line if a column is missing, if a row has no id, if an id
    /// occurs twice, if a time is not valid, or if only some of the times have a time zone.
    pub(crate) fn read(name: &str, bytes: &[u8]) -> Result<Self, Diagnostic> {
        let decoded = decoded(bytes).replace("\r\n", "\n").replace('\r', "\n");
        let mut reader = rows_of(name, &decoded);
        let headers =
            reader.headers().cloned().map_err(|error| at_line(name, 1, &error.to_string()))?;
        let Some(columns) = Columns::find(&headers) else {
            if let Some(worksheet) = Self::worksheet(name, bytes) {
                return Ok(worksheet);
            }
            let found = headers.iter().collect::<Vec<_>>().join(", ");
            let found = if found.is_empty() { "nothing" } else { &*diagnostics::shortened(&found) };
            let what = format!("columns {found}, expected {COLUMNS}");
            let hint = "the first line must contain the column names";
            return Err(at_line(name, 1, &what).hint(hint));
        };
        let mut course = Self::new(name);
        for record in reader.records() {
            let record = record.map_err(|error| {
                let line = error.position().map_or(1, csv::Position::line);
                at_line(name, line, &error.to_string())
            })?;
            if !record.iter().all(str::is_empty) {
                course.add(&record, line_of(&record, &decoded), &columns)?;
            }
        }
        course.check_zones()?;
        Ok(course)
    }

    fn new(name: &str) -> Self {
        let (rows, known) = (Vec::new(), HashMap::new());
        Self { name: name.to_owned(), rows, known, ambiguous: None, is_worksheet: false }
    }

    /// Parses a grading worksheet of Moodle in any language; `None` if it is not one.
    pub(crate) fn worksheet(name: &str, bytes: &[u8]) -> Option<Self> {
        // Most tables are ruled out by their second line.
        let second =
            bytes.split(|byte| [b'\n', b'\r'].contains(byte)).filter(|it| !it.is_empty()).nth(1)?;
        if !second.iter().take(MAX_ID_BYTES).any(u8::is_ascii_digit) {
            return None;
        }
        let decoded = decoded(bytes).replace("\r\n", "\n").replace('\r', "\n");
        let mut reader = rows_of(name, &decoded);
        let headers = reader.headers().ok()?.clone();
        let rows: Vec<StringRecord> = reader.records().collect::<Result<_, _>>().ok()?;
        let columns = Columns::of_worksheet(&headers, &rows)?;
        let mut worksheet = Self { is_worksheet: true, ..Self::new(name) };
        for (row, at) in rows.iter().zip(0..) {
            let cell = |column: Option<usize>| Some(row.get(column?)?.trim());
            let filled = |column| cell(column).filter(|it| !["", "-"].contains(it));
            let [_, id] = numbered(cell(Some(columns.id))?)?;
            let person = Person {
                id: id.to_owned(),
                name: filled(columns.name).map(str::to_owned),
                group: filled(columns.group).map(str::to_owned),
                submitted: filled(columns.submitted).and_then(Time::parse),
            };
            worksheet.known.insert(folded_key(id), at);
            let (line, person) = (line_of(row, &decoded), Arc::new(person));
            worksheet.rows.push(PersonRow { line, person, whose: None });
        }
        Some(worksheet)
    }

    /// Adds the person of a row.
    fn add(
        &mut self,
        record: &StringRecord,
        line: u64,
        columns: &Columns,
    ) -> Result<(), Diagnostic> {
        let wrong = |what: &str| at_line(&self.name, line, what);
        let cell = |column: Option<usize>| {
            let cell = column.and_then(|column| record.get(column)).unwrap_or_default().trim();
            (!["", "-"].contains(&cell)).then(|| cell.to_owned())
        };
        let id = cell(Some(columns.id)).ok_or_else(|| wrong("no id, expected one in each row"))?;
        let submitted = cell(columns.submitted).map(|cell| {
            Time::parse(&cell).ok_or_else(|| {
                let what = format!("submitted at {}, expected a time", visible(&cell));
                wrong(&what).hint("such as 2026-11-03 16:12, 2026-11-03T16:12:00+01:00 or Tuesday, 3 November 2026, 4:12 PM")
            })
        });
        let submitted = submitted.transpose()?;
        let key = folded_key(&id);
        if let Some(first) = self.known.get(&key) {
            let (id, first) = (visible(&id), self.rows[*first].line);
            let what = format!("id {id} is already on line {first}, expected each id only once");
            return Err(wrong(&what));
        }
        self.known.insert(key, self.rows.len());
        let name = cell(columns.name);
        let person = Arc::new(Person { id, name, group: cell(columns.group), submitted });
        self.rows.push(PersonRow { line, person, whose: None });
        Ok(())
    }

    /// Checks that all times have a time zone, or none has one.
    fn check_zones(&self) -> Result<(), Diagnostic> {
        let mut zones = self.rows.iter().filter_map(|row| {
            let time = row.person.submitted.as_ref()?;
            Some((row.line, time.has_zone()))
        });
        let Some((_, first)) = zones.next() else { return Ok(()) };
        let Some((line, has_zone)) = zones.find(|(_, has_zone)| *has_zone != first) else {
            return Ok(());
        };
        let found = if has_zone { "with a zone" } else { "without a zone" };
        let what = format!("a time {found}, expected all times with a zone or all without");
        Err(at_line(&self.name, line, &what))
    }

    /// Parses a file that was found next to others: a grading worksheet, or a file of the name
    /// [`LIST`] whose first line has the columns of a list. `None` for any other file.
    ///
    /// # Errors
    ///
    /// The same as of [`read`](Self::read), except for missing columns.
    pub(crate) fn found(name: &str, bytes: &[u8]) -> Option<Result<Self, Diagnostic>> {
        if let Some(worksheet) = Self::worksheet(name, bytes) {
            return Some(Ok(worksheet));
        }
        let is_named = name.rsplit_once('/').map_or(name, |(_, last)| last) == LIST;
        let first = decoded(bytes).lines().next().unwrap_or_default().to_owned();
        let is_list = is_named && Self::read(name, first.as_bytes()).is_ok();
        is_list.then(|| Self::read(name, bytes))
    }

    /// Notes that a list that was found is not compared.
    pub(crate) fn note(&self) {
        let (name, persons) = (&self.name, counted(self.len(), "person"));
        let what =
            format!("{name}: read as a list of {persons}; --submissions off compares it as a text");
        diagnostics::note(&visible(&what));
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the name of the list.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Reports whether a row matched a text.
    pub(crate) fn fits(&self) -> bool {
        self.rows.iter().any(|row| row.whose.is_some())
    }

    /// Reports whether a name is an id of the list.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.known.contains_key(&folded_key(name))
    }

    /// Finds the person with the first of some names that is an id of the list; `None` if no name
    /// is. Each name is paired with the name of the text or texts that it belongs to, which the row
    /// then stores.
    pub(crate) fn find<'k>(
        &mut self,
        names: impl IntoIterator<Item = (&'k str, &'k str)>,
    ) -> Option<Arc<Person>> {
        let mut names = names.into_iter();
        let (number, whose) =
            names.find_map(|(name, whose)| Some((*self.known.get(&folded_key(name))?, whose)))?;
        let row = self.rows.get_mut(number)?;
        match &row.whose {
            Some(first) if first != whose => {
                let (id, line) = (visible(&row.person.id), row.line);
                let [first, second] = [first, whose].map(visible);
                self.ambiguous.get_or_insert_with(|| {
                    let what =
                        format!("id {id} matches both {first} and {second}, expected only one");
                    at_line(&self.name, line, &what).hint("an id may also be a path")
                });
            }
            _ => row.whose = Some(whose.to_owned()),
        }
        Some(Arc::clone(&row.person))
    }

    /// Prints a warning for each of the first [`MAX_SHOWN`] rows that match no text, and the number
    /// of the others. If the list was found, not named, and none of its rows matches a text, prints
    /// a single warning. `platform` is the flag, for the hint, that finds the persons by the names
    /// of files; `None` if it is not known.
    ///
    /// # Errors
    ///
    /// Returns a [`Diagnostic`] if an id matches two texts, or if there are rows but none of a list
    /// that the user named matches a text.
    pub(crate) fn check(
        &mut self,
        origin: Origin,
        platform: Option<&str>,
    ) -> Result<(), Diagnostic> {
        if let Some(ambiguous) = self.ambiguous.take() {
            return Err(ambiguous);
        }
        let without_text = || self.rows.iter().filter(|row| row.whose.is_none());
        if let (Some(first), true) = (self.rows.first(), without_text().count() == self.rows.len())
        {
            let id = visible(&first.person.id);
            let what =
                format!("id {id} and all others match no text, expected persons, folders or files");
            let finds = |flag| format!("{flag} finds the persons of the files by their names");
            let hint = platform
                .map_or("compare the ids with the names that --list prints".to_owned(), finds);
            let error = at_line(&self.name, first.line, &what).hint(hint);
            if origin == Origin::Found {
                diagnostics::warn_with_hint(&error.into());
                return Ok(());
            }
            return Err(error);
        }
        if self.is_worksheet {
            return Ok(());
        }
        for row in without_text().take(MAX_SHOWN) {
            let what =
                format!("id {} matches no text, expected a person, folder or file", row.person.id);
            diagnostics::warn(&format!("{}: line {}", self.name, row.line), &what);
        }
        if let Some(more @ 1..) = without_text().count().checked_sub(MAX_SHOWN) {
            diagnostics::note(&format!("and {} more ids that match no text", thousands(more)));
        }
        Ok(())
    }
}

/// Returns a reader of the rows of a list, whose delimiter is guessed.
fn rows_of<'l>(name: &str, list: &'l str) -> csv::Reader<&'l [u8]> {
    let delimiter = delimiter(Path::new(name), list.as_bytes(), MoreBytes::None);
    let mut reader = csv::ReaderBuilder::new();
    reader.delimiter(delimiter.unwrap_or(b',')).flexible(true).trim(csv::Trim::All);
    reader.from_reader(list.as_bytes())
}

/// Decodes a list: by its byte order mark if it has one, otherwise as UTF-8 if it is valid,
/// otherwise as Windows-1252, which spreadsheets write.
fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    match (Encoding::for_bom(bytes), str::from_utf8(bytes)) {
        (Some((encoding, mark)), _) => encoding.decode_without_bom_handling(&bytes[mark..]).0,
        (None, Ok(text)) => text.into(),
        (None, Err(_)) => encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0,
    }
}

/// Returns the number of the line on which a row of a list begins. For `csv`, a row begins with the
/// blank lines before it.
fn line_of(row: &StringRecord, list: &str) -> u64 {
    let Some(position) = row.position() else { return 1 };
    let start = usize::try_from(position.byte()).unwrap_or(usize::MAX);
    let rest = list.as_bytes().get(start..).unwrap_or_default();
    position.line() + rest.iter().take_while(|byte| **byte == b'\n').count() as u64
}

/// Normalizes the header of a column: lower case, letters and digits only.
fn plain(header: &str) -> String {
    let letters = header.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Normalizes a name for the lookup: trimmed, in NFC and lower case, and without the `Participant`
/// that Moodle writes before the number of a person.
fn folded_key(name: &str) -> String {
    let name: String = name.trim().nfc().collect::<String>().to_lowercase();
    let number = name.strip_prefix("participant ").map(str::to_owned);
    number.unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(list: &str) -> Result<Course, String> {
        Course::read("x.csv", list.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn columns_are_found_by_their_names() {
        let person = |name: &str, group: Option<&str>, time: Option<&str>| Person {
            id: "11".to_owned(),
            name: Some(name.to_owned()),
            group: group.map(str::to_owned),
            submitted: time.and_then(Time::parse),
        };
        let anna = "Anna Muster";
        let time = Some("2026-11-03 16:12");
        #[rustfmt::skip]
        let table = [
            ("all",              "id,name,group,submitted at\n11,Anna Muster,A,2026-11-03 16:12\n",     person(anna, Some("A"), time)),
            ("semicolons",       "ID;Name\r\n11;Anna Muster\r\n",                                        person(anna, None, None)),
            ("tabs",             "name\tid\nAnna Muster\t11",                                            person(anna, None, None)),
            ("others besides",   "Points,ID number,Full name\n3,11,\"Anna Muster\"\n",                   person(anna, None, None)),
            ("empty cells",      "id,name,group,submitted_at\n11,Anna Muster,,-\n,,,\n",                 person(anna, None, None)),
            ("cells that lack",  "id,name,group\n11,Anna Muster\n",                                      person(anna, None, None)),
            ("a quoted comma",   "id,name\n11,\"Muster, Anna\"\n",                                       person("Muster, Anna", None, None)),
            ("a column of files", "id,filename,full_name\n7,11,Anna Muster\n",                          person(anna, None, None)),
            ("a mark",           "\u{feff}id,name\n11,Anna Muster\n",                                    person(anna, None, None)),
        ];
        for (why, list, want) in table {
            let mut course = read(list).unwrap();
            let found = course.find([("10", "x"), ("11", "y")]);
            assert_eq!(found.as_deref(), Some(&want), "{why}");
        }
        let moodle = "Identifier,Full name,Email address,Status,Group,Last modified (submission)\n\
            Participant 11,Anna Muster,a@b.c,Submitted,A,\"Tuesday, 3 November 2026, 4:12 PM\"\n";
        let mut course = read(moodle).unwrap();
        let found = course.find([("11", "Anna Muster 11")]).unwrap();
        let want = Person { id: "Participant 11".to_owned(), ..person(anna, Some("A"), time) };
        assert_eq!(*found, want, "the grading worksheet of Moodle");
        let latin = Course::read("x.csv", b"id,name\n11,J\xfcrgen\n").unwrap().find([("11", "x")]);
        assert_eq!(latin.unwrap().name.as_deref(), Some("Jürgen"));
        let wide: Vec<u8> =
            "\u{feff}id;name\n11;Zoë\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let found = Course::read("x.csv", &wide).unwrap().find([("11", "x")]);
        assert_eq!(found.unwrap().name.as_deref(), Some("Zoë"));
        assert_eq!(
            read("id,name\n\"e\u{301}\",x\n").unwrap().find([("É", "x")]).unwrap().id,
            "e\u{301}"
        );
    }

    #[test]
    fn what_is_no_list_is_named_with_its_line() {
        #[rustfmt::skip]
        let table = [
            (
                "nothing",
                "",
                "x.csv: line 1: columns nothing, expected id and at least one of name, group and submitted at",
            ),
            (
                "no id",
                "name,points\na,1\n",
                "x.csv: line 1: columns name, points, expected id and at least one of name, group and submitted at",
            ),
            (
                "an id alone",
                "id,points\na,1\n",
                "x.csv: line 1: columns id, points, expected id and at least one of name, group and submitted at",
            ),
            ("an id twice",       "id,name\na,x\nb,y\nA,z\n",             "x.csv: line 4: id A is already on line 2, expected each id only once"),
            ("CR LF",             "id,name\r\na,x\r\nb,y\r\nA,z\r\n",     "x.csv: line 4: id A is already on line 2, expected each id only once"),
            ("CR",                "id,name\ra,x\rb,y\rA,z\r",             "x.csv: line 4: id A is already on line 2, expected each id only once"),
            ("CR LF, no time",    "id,submitted\r\na,\r\nb,noon\r\n",       "x.csv: line 3: submitted at noon, expected a time"),
            ("blank lines",       "\nid,name\r\n\r\na,x\n\n\nA,\"z\"\n",     "x.csv: line 7: id A is already on line 4, expected each id only once"),
            ("a cell of lines",   "id,name\r\na,\"x\r\ny\"\r\nA,z\r\n",      "x.csv: line 4: id A is already on line 2, expected each id only once"),
            ("no id in a row",    "id,name\na,x\n,y\n",                   "x.csv: line 3: no id, expected one in each row"),
            ("no time",           "id,submitted\na,noon\n",               "x.csv: line 2: submitted at noon, expected a time"),
            (
                "a zone and none",
                "id,submitted\na,2026-01-01\nb,2026-01-01T10:00Z\n",
                "x.csv: line 3: a time with a zone, expected all times with a zone or all without",
            ),
            (
                "none and a zone",
                "id,submitted\na,1793722320\nb,2026-01-01\n",
                "x.csv: line 3: a time without a zone, expected all times with a zone or all without",
            ),
        ];
        for (why, list, want) in table {
            assert_eq!(read(list).err().as_deref(), Some(want), "{why}");
        }
    }

    #[test]
    fn a_worksheet_is_known_by_what_its_columns_hold() {
        let german = "Teilnehmer/in,Vollst\u{e4}ndiger Name,E-Mail,Status,Zuletzt ge\u{e4}ndert (Abgabe)\n\
            Teilnehmer/in4711,Anna Muster,a@b.de,Abgegeben,\"Dienstag, 3. November 2026, 16:12\"\n\
            Teilnehmer/in4712,Bert Pohl,b@b.de,Keine Abgabe,-\n";
        let worksheet = Course::worksheet("x.csv", german.as_bytes()).unwrap();
        let person = |at: usize| (*worksheet.rows[at].person).clone();
        let anna = Person {
            id: "4711".to_owned(),
            name: Some("Anna Muster".to_owned()),
            group: None,
            submitted: Time::parse("2026-11-03 16:12"),
        };
        assert_eq!(person(0), anna);
        assert_eq!((person(1).name.as_deref(), person(1).submitted), (Some("Bert Pohl"), None));
        assert_eq!(Course::read("x.csv", german.as_bytes()).unwrap().len(), 2);
        #[rustfmt::skip]
        let others = [
            ("one row",           "a,b,c,d\nP1,x,y,z\n"),
            ("another word",      "a,b,c,d\nP1,x,y,z\nQ2,x,y,z\n"),
            ("one number twice",  "a,b,c,d\nP1,x,y,z\nP1,x,y,z\n"),
            ("no number",         "a,b,c,d\nP,x,y,z\nQ,x,y,z\n"),
            ("numbers alone",     "a,b,c,d\n1,x,y,z\n2,x,y,z\n"),
            ("three columns",     "a,b,c\nP1,x,y\nP2,x,y\n"),
            ("no name",           "a,b,c,d\nP1,1,2,3\nP2,1,2,3\n"),
            ("prose",             "The ferry leaves at seven, and nobody waits.\nIt is late.\n"),
        ];
        for (why, list) in others {
            assert!(Course::worksheet("x.csv", list.as_bytes()).is_none(), "{why}");
        }
    }

    #[test]
    fn an_id_is_of_one_person() {
        let mut course = read("id,name\nanna,Anna\nbert,Bert\n").unwrap();
        assert_eq!(course.find([("cleo", "x"), ("cleo.txt", "x")]), None);
        assert!(course.find([("anna", "in/anna")]).is_some());
        assert!(course.find([("anna", "in/anna")]).is_some(), "another file of hers");
        assert!(course.check(Origin::Named, None).is_ok(), "bert may have handed in nothing");
        assert!(course.find([("anna", "other/anna")]).is_some());
        let error = course.check(Origin::Named, None).unwrap_err().to_string();
        let want = "x.csv: line 2: id anna matches both in/anna and other/anna, expected only one";
        assert_eq!(error, want);
        let error = read("id,name\nanna,Anna\n")
            .unwrap()
            .check(Origin::Named, None)
            .unwrap_err()
            .to_string();
        let want = "x.csv: line 2: id anna and all others match no text, expected persons, folders \
                    or files";
        assert_eq!(error, want);
    }

    proptest! {
        /// The bytes may be arbitrary.
        #[test]
        fn a_list_is_read_or_named(bytes: Vec<u8>, cells in "[id,;\t\"\nname0-9 :]{0,60}") {
            for list in [&bytes[..], cells.as_bytes()] {
                match Course::read("x.csv", list) {
                    Ok(course) => prop_assert!(course.known.len() == course.len()),
                    Err(error) => prop_assert!(error.to_string().starts_with("x.csv: line ")),
                }
            }
        }
    }
}
