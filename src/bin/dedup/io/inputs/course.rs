//! Reads a list of persons in CSV: the id of each, the name, the group, and the time of submission.
//!
//! Input: a file that a teacher wrote, a grading worksheet of Moodle, or the `info.csv` of Dolos.
//! Output: its rows, which can be looked up by the names of files, folders and persons.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use csv::StringRecord;
use dedup_text::display::{counted, thousands, visible};
use encoding_rs::Encoding;
use unicode_normalization::UnicodeNormalization;

use crate::diagnostics::{self, Diagnostic, MAX_SHOWN};

/// A person who submitted a text.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Person {
    /// The id in the list. In a list of files, the name of the person, or the file if there is no
    /// name.
    pub(crate) id: String,
    pub(crate) name: Option<String>,
    /// The group. Texts of one group are not compared with each other.
    pub(crate) group: Option<String>,
    pub(crate) submitted: Option<Time>,
}

/// How a list came to be used.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Origin {
    /// The user named it.
    Named,
    /// It was found next to the files.
    Found,
}

/// What the rows of a list describe.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Rows {
    /// Persons: each id occurs once.
    Persons,
    /// Files, by their paths relative to the folder of the list. A person may have several.
    Files,
}

/// A row of a list.
#[derive(Debug)]
struct Row {
    line: u64,
    person: Arc<Person>,
    /// The text or texts that the row was matched with; `None` if it was not matched yet.
    whose: Option<String>,
}

/// The indices of the columns of a list.
struct Columns {
    rows_are: Rows,
    /// The file or the id.
    key: usize,
    name: Option<usize>,
    group: Option<usize>,
    submitted: Option<usize>,
}

/// A list of persons.
#[derive(Debug)]
pub(crate) struct Course {
    /// The name of the list.
    name: String,
    pub(crate) rows_are: Rows,
    rows: Vec<Row>,
    known: HashMap<String, usize>,
    /// The error for the first id that matched two different texts.
    ambiguous: Option<Diagnostic>,
}

/// The columns of a list: the headers of each, in lower case and with letters and digits only. If a
/// list has several of them, the first one here counts.
const ID: &[&str] =
    &["id", "identifier", "idnumber", "studentid", "userid", "username", "login", "sisuserid"];
const FILE: &[&str] = &["filename"];
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
    /// Finds the columns by their headers; `None` if those are missing that each list must have.
    fn find(headers: &StringRecord) -> Option<Self> {
        let folded: Vec<String> = headers.iter().map(plain).collect();
        let column = |names: &[&str]| {
            names.iter().find_map(|name| folded.iter().position(|header| header == name))
        };
        let file = column(FILE);
        let rows_are = if file.is_some() { Rows::Files } else { Rows::Persons };
        let key = file.or_else(|| column(ID))?;
        let [name, group, submitted] = [NAME, GROUP, SUBMITTED].map(column);
        name.or(group).or(submitted)?;
        // What Dolos calls a label is not a group: files with the same label are compared.
        let group = group.filter(|_| rows_are == Rows::Persons);
        Some(Self { rows_are, key, name, group, submitted })
    }
}

/// Makes the error for a line of a list.
fn at_line(name: &str, line: u64, what: &str) -> Diagnostic {
    Diagnostic::new(format!("{name}: line {line}: {what}"))
}

impl Course {
    /// Parses a list. `name` is its name in messages.
    ///
    /// # Errors
    ///
    /// Returns a [`Diagnostic`] with the line if a column is missing, if a row has no id, if an id
    /// occurs twice, if a time is not valid, or if only some of the times have a time zone.
    pub(crate) fn read(name: &str, bytes: &[u8]) -> Result<Self, Diagnostic> {
        let decoded = decoded(bytes);
        let delimiter = delimiter(&decoded);
        let mut reader = csv::ReaderBuilder::new();
        let reader = reader.delimiter(delimiter).flexible(true).trim(csv::Trim::All);
        let mut reader = reader.from_reader(decoded.as_bytes());
        let headers =
            reader.headers().cloned().map_err(|error| at_line(name, 1, &error.to_string()))?;
        let Some(columns) = Columns::find(&headers) else {
            let found = headers.iter().collect::<Vec<_>>().join(", ");
            let found = if found.is_empty() { "nothing".to_owned() } else { found };
            let what = format!("columns {found}, expected {COLUMNS}");
            let hint = "the first line must contain the column names";
            return Err(at_line(name, 1, &what).hint(hint));
        };
        let mut course = Self {
            name: name.to_owned(),
            rows_are: columns.rows_are,
            rows: Vec::new(),
            known: HashMap::new(),
            ambiguous: None,
        };
        for record in reader.records() {
            let record = record.map_err(|error| {
                let line = error.position().map_or(1, csv::Position::line);
                at_line(name, line, &error.to_string())
            })?;
            if !record.iter().all(str::is_empty) {
                course.add(&record, &columns)?;
            }
        }
        course.check_zones()?;
        Ok(course)
    }

    /// Adds the person of a row.
    fn add(&mut self, record: &StringRecord, columns: &Columns) -> Result<(), Diagnostic> {
        let line = record.position().map_or(1, csv::Position::line);
        let wrong = |what: &str| at_line(&self.name, line, what);
        let cell = |column: Option<usize>| {
            let cell = column.and_then(|column| record.get(column)).unwrap_or_default().trim();
            (!["", "-"].contains(&cell)).then(|| cell.to_owned())
        };
        let id = cell(Some(columns.key)).ok_or_else(|| wrong("no id, expected one in each row"))?;
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
        let id = if self.rows_are == Rows::Files { name.clone().unwrap_or(id) } else { id };
        let person = Arc::new(Person { id, name, group: cell(columns.group), submitted });
        self.rows.push(Row { line, person, whose: None });
        Ok(())
    }

    /// Checks that all times have a time zone, or none has one.
    fn check_zones(&self) -> Result<(), Diagnostic> {
        let mut zones = self.rows.iter().filter_map(|row| {
            let time = row.person.submitted.as_ref()?;
            Some((row.line, time.offset.is_some()))
        });
        let Some((_, first)) = zones.next() else { return Ok(()) };
        let Some((line, has_zone)) = zones.find(|(_, has_zone)| *has_zone != first) else {
            return Ok(());
        };
        let found = if has_zone { "with a zone" } else { "without a zone" };
        let what = format!("a time {found}, expected all times with a zone or all without");
        Err(at_line(&self.name, line, &what))
    }

    /// Parses a list that was found next to files, if its name is `course.csv`, or `info.csv` as
    /// Dolos writes it. `None` if the name is another one or the first line does not have the
    /// columns of such a list.
    ///
    /// # Errors
    ///
    /// The same as of [`read`](Self::read), except for missing columns.
    pub(crate) fn found(name: &str, bytes: &[u8]) -> Option<Result<Self, Diagnostic>> {
        let rows_are = match name.rsplit_once('/').map_or(name, |(_, last)| last) {
            "course.csv" => Rows::Persons,
            "info.csv" => Rows::Files,
            _ => return None,
        };
        let first = decoded(bytes).lines().next().unwrap_or_default().to_owned();
        let head = Self::read(name, first.as_bytes()).ok()?;
        (head.rows_are == rows_are).then(|| {
            let list = Self::read(name, bytes)?;
            let rows = counted(list.len(), if rows_are == Rows::Files { "file" } else { "person" });
            let note = format!(
                "{name}: read as a list of {rows}; --submissions off compares it as a text"
            );
            diagnostics::note(&visible(&note));
            Ok(list)
        })
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Reports whether a name is an id of the list.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.known.contains_key(&folded_key(name))
    }

    /// Finds the person whose id is the first of some names that is an id; `None` if none of them
    /// is. Each name comes with the text or texts that it is a name of, which are stored in the
    /// row.
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

    /// Prints a warning for rows that match no text: the first [`MAX_SHOWN`], and the number of the
    /// others; a single one if there are rows but none of a list that was found matches a text.
    /// `platform` is the flag that finds the persons, if it is known.
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
            let hint = platform.map_or("--list prints the names of the texts".to_owned(), finds);
            let error = at_line(&self.name, first.line, &what).hint(hint);
            if origin == Origin::Found {
                diagnostics::warn_with_hint(&error.into());
                return Ok(());
            }
            return Err(error);
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

/// Decodes a list: by its byte order mark if it has one, otherwise as UTF-8 if it is valid,
/// otherwise as Windows-1252, which spreadsheets write.
fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    match (Encoding::for_bom(bytes), str::from_utf8(bytes)) {
        (Some((encoding, mark)), _) => encoding.decode_without_bom_handling(&bytes[mark..]).0,
        (None, Ok(text)) => text.into(),
        (None, Err(_)) => encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0,
    }
}

/// Returns the column delimiter: the one of comma, semicolon and tab that occurs most often in the
/// first line, a comma if none does.
fn delimiter(list: &str) -> u8 {
    let first = list.lines().next().unwrap_or_default().bytes();
    let count = |mark: u8| first.clone().filter(|byte| *byte == mark).count();
    [b'\t', b';', b','].into_iter().max_by_key(|mark| count(*mark)).unwrap_or(b',')
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

// Times as course platforms and spreadsheets write them.

/// The time of a submission.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Time {
    /// Seconds since the beginning of 1970 in local time, at the place where the time was written.
    seconds: i64,
    /// The offset of local time from UTC in seconds; `None` if it is not known.
    offset: Option<i64>,
    /// Whether only the day is known; `seconds` is then its beginning.
    is_day: bool,
}

const DAY: i64 = 86_400;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

impl Time {
    /// Parses a time in ISO 8601 with or without a time zone, such as `2026-11-03 16:12` and
    /// `2026-11-03T16:12:00+01:00`, as Moodle writes it, `Tuesday, 3 November 2026, 4:12 PM`, or in
    /// seconds since 1970 (9 to 11 digits). The time of day may be missing. `None` for anything else.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if (9..=11).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let seconds = text.parse().ok()?;
            return Some(Self { seconds, offset: Some(0), is_day: false });
        }
        iso(text).or_else(|| written_out(text))
    }

    /// Reports whether the time is later than another one; `None` if only one of them has a time
    /// zone, or if both are on one day and the time of day is missing.
    pub(crate) fn is_later(&self, other: &Self) -> Option<bool> {
        let day = |time: &Self| time.seconds.div_euclid(DAY);
        if (self.is_day || other.is_day) && day(self) == day(other) {
            return None;
        }
        match (self.offset, other.offset) {
            (Some(own), Some(others)) => Some(self.seconds - own > other.seconds - others),
            (None, None) => Some(self.seconds > other.seconds),
            _ => None,
        }
    }

    /// Formats the time in ISO 8601: `2026-11-03T16:12:00+01:00`, or `2026-11-03` if only the day is
    /// known.
    pub(crate) fn iso(&self) -> String {
        let (days, rest) = (self.seconds.div_euclid(DAY), self.seconds.rem_euclid(DAY));
        let (year, month, day) = date(days);
        if self.is_day {
            return format!("{year:04}-{month:02}-{day:02}");
        }
        let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
        let zone = match self.offset {
            None => String::new(),
            Some(0) => "Z".to_owned(),
            Some(offset) => {
                let sign = if offset < 0 { '-' } else { '+' };
                format!("{sign}{:02}:{:02}", offset.abs() / 3600, offset.abs() / 60 % 60)
            }
        };
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{zone}")
    }
}

/// Returns the number of days from 1 January 1970 to a date (Hinnant, *chrono-compatible low-level
/// date algorithms*); `None` if the date does not exist or is not in the years 1970 to 9999.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) {
        return None;
    }
    let before = year - i64::from(month <= 2);
    let (era, of_era) = (before / 400, before % 400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    (day >= 1 && date(days) == (year, month, day)).then_some(days)
}

/// Returns the year, month and day that are a number of days after 1 January 1970, in the Gregorian
/// calendar (Howard Hinnant, 2013).
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

/// Parses the number at the beginning of a text, of at most `max_digits` digits, and returns it
/// with the rest of the text; `None` if the text does not begin with a digit.
fn number(text: &str, max_digits: usize) -> Option<(i64, &str)> {
    let end = text.bytes().take(max_digits).take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at_checked(end)?;
    Some((digits.parse().ok()?, rest))
}

/// Parses `16:12`, `16:12:30` or `16:12:30.5` into seconds, and returns them with the rest of the
/// text. Fractions of a second are dropped.
fn clock(text: &str) -> Option<(i64, &str)> {
    let (hour, rest) = number(text, 2)?;
    let (minute, mut rest) = number(rest.strip_prefix(':')?, 2)?;
    let mut second = 0;
    if let Some(behind) = rest.strip_prefix(':') {
        (second, rest) = number(behind, 2)?;
        if let Some(behind) = rest.strip_prefix(['.', ',']) {
            (_, rest) = number(behind, 9)?;
        }
    }
    (hour < 24 && minute < 60 && second < 60).then_some((hour * 3600 + minute * 60 + second, rest))
}

fn iso(text: &str) -> Option<Time> {
    let (year, rest) = number(text, 4)?;
    let (month, rest) = number(rest.strip_prefix('-')?, 2)?;
    let (day, rest) = number(rest.strip_prefix('-')?, 2)?;
    let start = days(year, month, day)? * DAY;
    if rest.is_empty() {
        return Some(Time { seconds: start, offset: None, is_day: true });
    }
    let (clock, zone) = clock(rest.strip_prefix(['T', 't', ' '])?)?;
    let offset = match zone.trim_start() {
        "" => None,
        "Z" | "z" | "UTC" => Some(0),
        zone => {
            let sign = if zone.starts_with('-') { -1 } else { 1 };
            let (hours, rest) = number(zone.strip_prefix(['+', '-'])?, 2)?;
            let rest = rest.strip_prefix(':').unwrap_or(rest);
            let (minutes, rest) = if rest.is_empty() { (0, rest) } else { number(rest, 2)? };
            let is_one = rest.is_empty() && hours <= 14 && minutes < 60;
            Some(is_one.then_some(sign * (hours * 3600 + minutes * 60))?)
        }
    };
    Some(Time { seconds: start + clock, offset, is_day: false })
}

/// Parses `Tuesday, 3 November 2026, 4:12 PM` or `Tuesday, November 3, 2026, 4:12 PM`, with or
/// without the day of the week and the time of day.
fn written_out(text: &str) -> Option<Time> {
    let text = text.replace(['\u{a0}', '\u{202f}'], " ").to_lowercase();
    let mut parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.first()?.chars().all(char::is_alphabetic) {
        parts.remove(0);
    }
    let (time, date) = match parts.split_last()? {
        (time, date) if time.contains(':') => (Some(*time), date),
        _ => (None, &parts[..]),
    };
    let words: Vec<&str> = date.iter().flat_map(|part| part.split_whitespace()).collect();
    let (day, month, year) = match (date, &words[..]) {
        ([_], [day, month, year]) | ([_, _], [month, day, year]) => (*day, *month, *year),
        _ => return None,
    };
    let month = MONTHS.iter().zip(1..).find(|(name, _)| **name == month)?.1;
    let start = days(year.parse().ok()?, month, day.parse().ok()?)? * DAY;
    let Some(time) = time else {
        return Some(Time { seconds: start, offset: None, is_day: true });
    };
    let (clock, half) = clock(time)?;
    let (hour, rest) = (clock / 3600, clock % 3600);
    let hour = match (half.trim(), hour) {
        ("", hour) => hour,
        ("am", 1..=12) => hour % 12,
        ("pm", 1..=12) => hour % 12 + 12,
        _ => return None,
    };
    Some(Time { seconds: start + hour * 3600 + rest, offset: None, is_day: false })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn times_are_read_as_they_are_written() {
        #[rustfmt::skip]
        let table = [
            ("ISO 8601",            "2026-11-03T16:12:05",                  "2026-11-03T16:12:05"),
            ("a space",             "2026-11-03 16:12",                     "2026-11-03T16:12:00"),
            ("a day",               "2026-11-03",                           "2026-11-03"),
            ("a day written out",   "Tuesday, 3 November 2026",             "2026-11-03"),
            ("in English (US)",     "November 3, 2026",                     "2026-11-03"),
            ("UTC",                 "2026-11-03T16:12:05.123Z",             "2026-11-03T16:12:05Z"),
            ("by name",             "2026-11-03 16:12:05 UTC",              "2026-11-03T16:12:05Z"),
            ("an offset",           "2026-11-03T16:12:00+01:00",            "2026-11-03T16:12:00+01:00"),
            ("as Dodona has it",    "2026-11-03 16:12:00 -0330",            "2026-11-03T16:12:00-03:30"),
            ("hours alone",         "2026-11-03 16:12+01",                  "2026-11-03T16:12:00+01:00"),
            ("Moodle's",            "Tuesday, 3 November 2026, 4:12 PM",    "2026-11-03T16:12:00"),
            ("in English (US)",     "Tuesday, November 3, 2026, 4:12 PM",   "2026-11-03T16:12:00"),
            ("at noon",             "Tuesday, 3 November 2026, 12:00 PM",   "2026-11-03T12:00:00"),
            ("at midnight",         "3 November 2026, 12:05\u{202f}AM",     "2026-11-03T00:05:00"),
            ("without a half",      "3 November 2026, 16:12",               "2026-11-03T16:12:00"),
            ("seconds",             "1793722320",                           "2026-11-03T16:12:00Z"),
            ("a leap day",          "2028-02-29 00:00",                     "2028-02-29T00:00:00"),
        ];
        for (why, text, want) in table {
            assert_eq!(Time::parse(text).map(|time| time.iso()).as_deref(), Some(want), "{why}");
        }
        let none = [
            "",
            "x",
            "2026",
            "3.11.2026",
            "2026-13-01",
            "2026-02-29",
            "2026-11-31 10:00",
            "2026-11-03 24:00",
            "2026-11-03 16:60",
            "2026-11-03T16:12 noon",
            "2026-11-03T16:12+99:00",
            "1969-01-01",
            "Tuesday, 3 Novembre 2026, 4:12 PM",
            "3 November 2026, 13:12 PM",
            "3 November 2026, 0:12 PM",
            "November 3 2026, 4:12 PM",
            "Tuesday, 3 November, 2026, 4:12 PM",
            "November, 3, 2026, 4:12 PM",
            ", 4:12 PM",
            "12345678",
            "123456789012",
            "2026-11-03T16:12+01:00x",
        ];
        for text in none {
            assert_eq!(Time::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_later_of_two_is_known_where_both_say_the_zone_or_none() {
        #[rustfmt::skip]
        let table = [
            ("a minute",        "2026-11-03 16:13",       "2026-11-03 16:12",       Some(true)),
            ("the same",        "2026-11-03 16:12",       "2026-11-03 16:12",       Some(false)),
            ("a day and a time", "2026-11-03",            "2026-11-03 16:12",       None),
            ("a time and a day", "2026-11-03 16:12",      "2026-11-03",             None),
            ("the same day",    "2026-11-03",             "2026-11-03",             None),
            ("another day",     "2026-11-04",             "2026-11-03 16:12",       Some(true)),
            ("in two zones",    "2026-11-03T16:12+01:00", "2026-11-03T15:30Z",      Some(false)),
            ("the other way",   "2026-11-03T15:30Z",      "2026-11-03T16:12+01:00", Some(true)),
            ("not known",       "2026-11-03T16:12Z",      "2026-11-03T15:30",       None),
        ];
        for (why, one, other, want) in table {
            let [one, other] = [one, other].map(|text| Time::parse(text).unwrap());
            assert_eq!(one.is_later(&other), want, "{why}");
        }
    }

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
    fn files_have_persons_as_dolos_lists_them() {
        let list = "filename,full_name,id,label,created_at\na/1.txt,Anna,7,X,2026-11-03 16:12:00 +0100\n\
            a/2.txt,Anna,8,X,2026-11-04 16:12:00 +0100\n";
        let mut course = read(list).unwrap();
        assert_eq!((course.rows_are, course.len()), (Rows::Files, 2));
        let found = course.find([("a/2.txt", "a/2.txt")]).unwrap();
        assert_eq!((found.id.as_str(), found.group.as_deref()), ("Anna", None));
        assert_eq!(found.submitted.as_ref().unwrap().iso(), "2026-11-04T16:12:00+01:00");
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

        #[test]
        fn a_time_is_read_back(seconds in 0_i64..4_000_000_000, minutes in proptest::option::of(-840_i64..=840)) {
            let time = Time { seconds, offset: minutes.map(|minutes| minutes * 60), is_day: false };
            prop_assert_eq!(Time::parse(&time.iso()), Some(time));
            let day = Time { seconds: seconds - seconds % DAY, offset: None, is_day: true };
            prop_assert_eq!(Time::parse(&day.iso()), Some(day));
        }

        #[test]
        fn a_time_is_the_same_once_it_is_in_iso_8601(
            text in "[0-9]{8,12}|20[0-9]{2}-[01][0-9]-[0-3][0-9]\
                ([T ][0-2][0-9]:[0-5][0-9](:[0-9]{2}([.,][0-9]{1,9})?)?(Z| ?[+-][01][0-9]:?[0-9]{2})?)?\
                |([a-z]{3}, )?[0-3]?[0-9] (May|june|x) [0-9]{4}(, [0-9]{1,2}:[0-9]{2} [AP]M)?",
            any: String,
        ) {
            for time in [&text, &any].into_iter().filter_map(|text| Time::parse(text)) {
                prop_assert_eq!(Time::parse(&time.iso()), Some(time));
            }
        }
    }
}
