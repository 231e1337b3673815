//! Parses a line of JSON, a row of CSV or the cells of a row of Parquet into a record.
//!
//! Only the requested fields are read. The text is taken as bytes, so that its decoder can report
//! the bytes that are not valid.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use dedup_text::display::counted;
use dedup_text::display::inert;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Error as JsonError;
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::table::{Cells, Column, MARK, Ragged, Table, without_end};
use crate::diagnostics::Diagnostic;

/// A record of a file.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct TextRecord {
    /// The id; `None` if the record has none and needs none, because its place names it.
    pub(crate) name: Option<String>,
    pub(crate) group: Option<String>,
    pub(crate) worth: Option<String>,
    /// The bytes of the text: UTF-8, unless they are damaged.
    pub(crate) text: Vec<u8>,
}

/// The reason why a line is not a record.
#[derive(Debug, Eq, PartialEq)]
pub(crate) enum BadLine {
    /// The line is not JSON.
    NoJson {
        /// What was found, and where.
        found: String,
    },
    /// The line is JSON, but not an object.
    NoObject {
        /// The field with the id of a record; `None` if it is optional.
        id: Option<String>,
        /// The field with the text of a record.
        text: String,
    },
    /// The line is, or begins, an array.
    Array,
    /// The line is in UTF-16.
    Wide,
    /// The line is neither a pair of records nor the record of a pair, whichever is expected.
    NoPair {
        /// What was found.
        found: String,
        /// The fields of a pair.
        wanted: &'static str,
        hint: &'static str,
    },
    /// The record follows another schema.
    OtherSchema {
        /// The schema that the record names.
        schema: String,
        /// The schema that is expected.
        wanted: &'static str,
    },
    /// The record has figures that no two texts can have.
    Impossible {
        /// What was found.
        found: String,
    },
    /// A field is missing.
    Lacks {
        /// The missing field.
        field: String,
        /// The fields that the record has.
        there: Vec<String>,
    },
    /// A field has a value of the wrong type.
    WrongKind {
        /// The field.
        field: String,
        /// The expected type, with its article.
        wanted: &'static str,
    },
    /// A row has more or fewer cells than the header.
    Ragged(Ragged),
    /// The quotes of a row are probably letters of its text.
    StrayQuotes,
    /// Several columns have the same name.
    Twice {
        /// The name.
        field: String,
    },
}

impl From<BadLine> for Diagnostic {
    /// Converts into an error whose message completes one that begins with the file and the line.
    fn from(bad: BadLine) -> Self {
        let flags: &[&str] = match bad {
            BadLine::NoObject { .. }
            | BadLine::Lacks { .. }
            | BadLine::Twice { .. }
            | BadLine::WrongKind { .. } => &["id", "text"],
            _ => &[],
        };
        let (kind, hint) = match bad {
            BadLine::NoJson { .. } => {
                ("not JSON", "each line is one record, such as {\"id\": 1, \"text\": \"…\"}")
            }
            BadLine::OtherSchema { .. } => ("schema", WRITERS),
            BadLine::Impossible { .. } => ("figures", WRITERS),
            BadLine::NoObject { .. } => ("no object", OTHER_FIELDS),
            BadLine::Array => ("array", "jq -c '.[]' writes each object of an array on one line"),
            BadLine::Wide => ("UTF-16", "iconv -f UTF-16 -t UTF-8 converts it"),
            BadLine::NoPair { hint, .. } => ("no pair", hint),
            BadLine::Lacks { .. } | BadLine::Twice { .. } => (NO_FIELD, OTHER_FIELDS),
            BadLine::Ragged(_) => ("ragged", QUOTES),
            BadLine::StrayQuotes => (
                "quote",
                "a field that begins with a quote must end with one; double the quotes inside it",
            ),
            BadLine::WrongKind { .. } => ("wrong field", OTHER_FIELDS),
        };
        let there = match &bad {
            BadLine::Lacks { there, .. } if !there.is_empty() => Some(there.join(", ")),
            _ => None,
        };
        let message = match bad {
            BadLine::NoJson { found } => format!("{found}, expected an object on one line"),
            BadLine::NoObject { id, text } => {
                format!("not a JSON object, expected one with {}", wanted(id.as_deref(), &text))
            }
            BadLine::Array => "a JSON array, expected an object on one line".to_owned(),
            BadLine::Wide => "a line in UTF-16, expected one in UTF-8".to_owned(),
            BadLine::NoPair { found, wanted, .. } => {
                format!("not a pair: {found}, expected {wanted}")
            }
            BadLine::OtherSchema { schema, wanted } => {
                format!("a record of the schema {schema}, expected {wanted}")
            }
            BadLine::Impossible { found } => format!("{found}, expected figures of two texts"),
            BadLine::Lacks { field, .. } => format!("no field {field}, expected one"),
            BadLine::WrongKind { field, wanted } => format!("the field {field} is not {wanted}"),
            BadLine::Ragged(Ragged { found, wanted }) => {
                format!("{}, expected {wanted} as in the header", counted(found, "field"))
            }
            BadLine::Twice { field } => format!("several columns {field}, expected one"),
            BadLine::StrayQuotes => {
                "a field that begins with a quote and does not end with it, expected one that does"
                    .to_owned()
            }
        };
        let hint = match there {
            Some(there) => format!("the fields are {there}; {hint}"),
            None => hint.to_owned(),
        };
        Self::new(message).kind(kind).hint(hint).flags(flags.iter().copied())
    }
}

impl From<BadLine> for anyhow::Error {
    fn from(bad: BadLine) -> Self {
        Diagnostic::from(bad).into()
    }
}

/// The kind of an error about a missing field.
pub(crate) const NO_FIELD: &str = "no field";

/// Returns the names of columns for a message: at most 20, each cut to 80 characters.
pub(crate) fn shown(columns: &[String]) -> Vec<String> {
    let short = |name: &String| name.chars().take(NAMED.1).collect();
    columns.iter().take(NAMED.0).map(short).collect()
}

/// Returns the fields that a record must have, for messages.
pub(crate) fn wanted(id: Option<&str>, text: &str) -> String {
    match id {
        Some(id) => format!("the fields {id} and {text}"),
        None => format!("the field {text}"),
    }
}

/// The hint for pairs that other programs write.
pub(crate) const WRITERS: &str =
    "dedup corpus --format jsonl and the programs in integrations/ write such records";

const QUOTES: &str = "a field that contains the delimiter, a quote or a line feed must be quoted";

/// The hint for a field that is missing or has the wrong type.
pub(crate) const OTHER_FIELDS: &str = "--id FIELD and --text FIELD select other fields";

/// The numbers that are not finite, as Python and JavaScript write them. JSON has none.
const NOT_FINITE: [&[u8]; 3] = [b"NaN", b"-Infinity", b"Infinity"];

/// Returns a line in which each number that is not finite is replaced by an [empty list](is_missing)
/// of as many bytes; `None` if there is none. Strings are left as they are.
fn with_finite_numbers(line: &[u8]) -> Option<Vec<u8>> {
    let mut finite = line.to_vec();
    let (mut at, mut is_changed) = (0, false);
    while let Some(byte) = line.get(at) {
        if *byte == b'"' {
            let mut is_escaped = false;
            let is_end = |byte: &u8| {
                let is_end = *byte == b'"' && !is_escaped;
                is_escaped = *byte == b'\\' && !is_escaped;
                is_end
            };
            at += 1 + line[at + 1..].iter().position(is_end).map_or(line.len(), |end| end + 1);
            continue;
        }
        match NOT_FINITE.iter().find(|name| line[at..].starts_with(name)) {
            Some(name) => {
                finite[at..at + name.len()].fill(b' ');
                finite[at] = b'[';
                at += name.len();
                finite[at - 1] = b']';
                is_changed = true;
            }
            None => at += 1,
        }
    }
    is_changed.then_some(finite)
}

/// Reports whether a value counts as missing: `null`, or what stands in place of a number that is not
/// finite.
fn is_missing(value: &RawValue) -> bool {
    value.get() == "null" || value.get().starts_with("[ ")
}

/// Returns a line in which each byte that is not UTF-8 is replaced by a question mark, so that every
/// value is at its place and can be parsed as a [`RawValue`].
fn masked(line: &[u8]) -> Cow<'_, [u8]> {
    if str::from_utf8(line).is_ok() {
        return Cow::Borrowed(line);
    }
    let mut masked = Vec::with_capacity(line.len());
    for chunk in line.utf8_chunks() {
        masked.extend_from_slice(chunk.valid().as_bytes());
        masked.resize(masked.len() + chunk.invalid().len(), b'?');
    }
    Cow::Owned(masked)
}

/// Serializes a text as a JSON string, in which bytes that are not UTF-8 are kept as they are.
fn json_string(text: &[u8]) -> Result<Vec<u8>, serde_json::Error> {
    let mut json = vec![b'"'];
    for chunk in text.utf8_chunks() {
        let valid = inert::json(&chunk.valid())?;
        json.extend_from_slice(&valid.as_bytes()[1..valid.len() - 1]);
        json.extend_from_slice(chunk.invalid());
    }
    json.push(b'"');
    Ok(json)
}

/// The fields of a record that are read.
#[derive(Debug)]
pub(crate) struct Fields {
    /// The distinct names of the fields. `meta.body` is the field of that name, or otherwise `body`
    /// in the object `meta`.
    names: Vec<String>,
    text: usize,
    /// `None` if the place of each record names it.
    id: Option<usize>,
    /// Whether a record may lack an id, or have `null` as its id, because its place names it.
    has_ids_by_place: bool,
    group: Option<usize>,
    worth: Option<usize>,
}

/// Whether a field must be present.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Need {
    Required,
    Optional,
}

/// The names of the requested fields: the text, which is required, and the id, the group and the
/// value for `--keep`.
pub(crate) type RequestedFields<'f> = (&'f str, [Option<(&'f str, Need)>; 3]);

/// The value of `--id` with which each record is named by its place.
pub(crate) const ID_OFF: &str = "off";

/// Returns the value of a field; `None` if it is empty and so counts as missing.
fn filled(value: String) -> Option<String> {
    Some(value).filter(|value| !value.is_empty())
}

impl Fields {
    /// Creates the fields from their names and from the value of `--id`, if it is given.
    pub(crate) fn new(
        text: &str,
        id: Option<&str>,
        group: Option<&str>,
        worth: Option<&str>,
    ) -> Self {
        match id {
            Some(ID_OFF) => Self::with(text, None, group, worth).or_by_place(),
            Some(id) => Self::named(text, id, group, worth),
            None => Self::named(text, "id", group, worth).or_by_place(),
        }
    }

    /// Creates the fields from their names. The name of the text must differ from the others.
    pub(crate) fn named(text: &str, id: &str, group: Option<&str>, worth: Option<&str>) -> Self {
        Self::with(text, Some(id), group, worth)
    }

    fn with(text: &str, id: Option<&str>, group: Option<&str>, worth: Option<&str>) -> Self {
        let mut names: Vec<String> = Vec::with_capacity(MAX_FIELDS);
        let mut place = |name: &str| {
            names.iter().position(|known| known == name).unwrap_or_else(|| {
                names.push(name.to_owned());
                names.len() - 1
            })
        };
        let (text, id) = (place(text), id.map(&mut place));
        let (group, worth) = (group.map(&mut place), worth.map(&mut place));
        Self { names, text, id, has_ids_by_place: false, group, worth }
    }

    /// Makes the id optional: a record without an id is named after its place.
    pub(crate) fn or_by_place(self) -> Self {
        Self { has_ids_by_place: true, ..self }
    }

    /// Parses a record. The cost is linear in the length of the line.
    ///
    /// # Errors
    ///
    /// Returns [`BadLine`] if the line is not a record.
    pub(crate) fn record(&self, line: &[u8]) -> Result<TextRecord, BadLine> {
        let finite: Vec<u8>;
        let found = match values(line, &self.names, Some(self.text)) {
            Ok(found) => found,
            Err(error) => {
                finite = with_finite_numbers(line).ok_or_else(|| self.bad_line(line, &error))?;
                let found = values(&finite, &self.names, Some(self.text));
                found.map_err(|_| self.bad_line(line, &error))?
            }
        };
        let field = |place: usize| self.names[place].clone();
        let lacks = |place| BadLine::Lacks { field: field(place), there: names(line) };
        let wrong = |id, value: &RawValue| BadLine::WrongKind {
            field: field(id),
            wanted: match value.get().as_bytes() {
                [b'"', ..] => "valid Unicode: it has half of a surrogate pair",
                _ => "a string or a number",
            },
        };
        let name = match self.id.map(|id| (id, found.others[id])) {
            Some((_, Some(name))) if self.has_ids_by_place && is_missing(name) => None,
            Some((id, Some(name))) => Some(plain(name).ok_or_else(|| wrong(id, name))?),
            Some((id, None)) if !self.has_ids_by_place => return Err(lacks(id)),
            _ => None,
        };
        let optional = |place: Option<usize>| {
            let value = found.others[place?].filter(|value| !is_missing(value))?;
            Some(plain(value).unwrap_or_else(|| value.get().to_owned()))
        };
        Ok(TextRecord {
            name,
            group: optional(self.group).and_then(filled),
            worth: optional(self.worth),
            text: found.text.ok_or_else(|| lacks(self.text))?.into_owned(),
        })
    }

    /// Returns a line with another text: `change` gets the bytes of the present text and returns
    /// the new ones. Everything else is kept byte for byte, including bytes that are not UTF-8. A
    /// byte order mark before the record is allowed, and kept.
    ///
    /// # Errors
    ///
    /// Returns an error if the line is not a record, or if the new text is not UTF-8 although the
    /// line is: it has half a surrogate pair.
    pub(crate) fn with_text(
        &self,
        line: &[u8],
        change: impl FnOnce(&[u8]) -> Vec<u8>,
    ) -> anyhow::Result<Vec<u8>> {
        let record = line.strip_prefix(MARK).unwrap_or(line);
        let text = self.record(record)?.text;
        let masked = masked(record);
        let masked = with_finite_numbers(&masked).map_or(masked, Cow::Owned);
        let found = values(&masked, &self.names, None);
        let found = found.map_err(|error| self.bad_line(record, &error))?;
        let field = || self.names[self.text].clone();
        let value = found.others[self.text].map(RawValue::get);
        let value = value.ok_or_else(|| BadLine::Lacks { field: field(), there: Vec::new() })?;
        let start = line.len() - record.len() + value.as_ptr().addr() - masked.as_ptr().addr();
        let changed = change(&text);
        if str::from_utf8(record).is_ok() && str::from_utf8(&changed).is_err() {
            return Err(BadLine::WrongKind { field: field(), wanted: "a string" }.into());
        }
        Ok([&line[..start], &json_string(&changed)?, &line[start + value.len()..]].concat())
    }

    /// Returns a row with another text: `change` gets the bytes of the present text and returns the
    /// new ones. Everything else is kept byte for byte.
    ///
    /// # Errors
    ///
    /// Returns an error if the row is not a record.
    pub(crate) fn with_cell(
        &self,
        table: &Table,
        row: &[u8],
        change: impl FnOnce(&[u8]) -> Vec<u8>,
    ) -> anyhow::Result<Vec<u8>> {
        let (row, end) = row.split_at(without_end(row).len());
        let text = self.row(table, row)?.text;
        let field = || self.names[self.text].clone();
        let Column::One(place) = table.column(&self.names[self.text]) else {
            return Err(BadLine::Lacks { field: field(), there: Vec::new() }.into());
        };
        let mut changed = table.with_value(row, place, &change(&text));
        changed.extend_from_slice(end);
        Ok(changed)
    }

    /// Parses the record of a row. An optional field whose cell is empty counts as missing.
    ///
    /// # Errors
    ///
    /// Returns [`BadLine`] if the row is not a record.
    pub(crate) fn row(&self, table: &Table, row: &[u8]) -> Result<TextRecord, BadLine> {
        let mut cells = Cells::default();
        table.cells(row, &mut cells).map_err(BadLine::Ragged)?;
        if table.has_stray_quotes(row) {
            return Err(BadLine::StrayQuotes);
        }
        let cell = |place: usize| -> Result<&[u8], BadLine> {
            let name = &self.names[place];
            match table.column(name) {
                Column::One(place) => Ok(cells.get(place)),
                Column::Several => Err(BadLine::Twice { field: name.clone() }),
                Column::None => {
                    Err(BadLine::Lacks { field: name.clone(), there: shown(table.columns()) })
                }
            }
        };
        let filled = |place: usize| match cell(place) {
            Ok([]) | Err(BadLine::Lacks { .. }) => Ok(None),
            cell => cell.map(Some),
        };
        let name = match self.id {
            Some(id) if self.has_ids_by_place => filled(id)?.map(|name| (id, name)),
            Some(id) => Some((id, cell(id)?)),
            None => None,
        };
        let name = name.map(|(id, name)| match str::from_utf8(name) {
            Ok(name) => Ok(name.to_owned()),
            Err(_) => Err(BadLine::WrongKind { field: self.names[id].clone(), wanted: "UTF-8" }),
        });
        let optional = |place: Option<usize>| -> Result<Option<String>, BadLine> {
            let value = place.map(filled).transpose()?.flatten();
            Ok(value.map(|value| String::from_utf8_lossy(value).into_owned()))
        };
        Ok(TextRecord {
            name: name.transpose()?,
            group: optional(self.group)?,
            worth: optional(self.worth)?,
            text: cell(self.text)?.to_vec(),
        })
    }

    /// Returns the names of the fields.
    pub(crate) fn asked(&self) -> RequestedFields<'_> {
        let need = if self.has_ids_by_place { Need::Optional } else { Need::Required };
        let name = |place: usize| self.names[place].as_str();
        let optional = |place: Option<usize>| Some((name(place?), Need::Optional));
        let id = self.id.map(|id| (name(id), need));
        let others = [id, optional(self.group), optional(self.worth)];
        (name(self.text), others)
    }

    /// Builds a record from the cells of a row, in the order in which [`asked`](Self::asked)
    /// returns their fields.
    ///
    /// # Errors
    ///
    /// Returns [`BadLine`] if the row is not a record.
    pub(crate) fn cells(&self, cells: [Option<Vec<u8>>; 4]) -> Result<TextRecord, BadLine> {
        let [text, name, group, worth] = cells;
        let wrong =
            |place: usize, wanted| BadLine::WrongKind { field: self.names[place].clone(), wanted };
        let name = match (name.map(String::from_utf8), self.id) {
            (Some(Ok(name)), _) => Some(name),
            (Some(Err(_)), Some(id)) => return Err(wrong(id, "UTF-8")),
            (None, Some(id)) if !self.has_ids_by_place => {
                return Err(wrong(id, "a string or a number"));
            }
            _ => None,
        };
        let optional = |cell: Option<Vec<u8>>| Some(String::from_utf8_lossy(&cell?).into_owned());
        Ok(TextRecord {
            name,
            group: optional(group).and_then(filled),
            worth: optional(worth),
            text: text.ok_or_else(|| wrong(self.text, "a string"))?,
        })
    }

    /// Returns the reason why `serde_json` rejects a line.
    fn bad_line(&self, line: &[u8], error: &serde_json::Error) -> BadLine {
        if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, b'{', ..] | [b'{', 0, ..] | [0] = line {
            return BadLine::Wide;
        }
        if line.trim_ascii_start().starts_with(b"[") {
            return BadLine::Array;
        }
        let text = self.names[self.text].clone();
        let id = self.id.filter(|_| !self.has_ids_by_place).map(|id| self.names[id].clone());
        if error.classify() == Category::Data {
            return if line.trim_ascii_start().starts_with(b"{") {
                BadLine::WrongKind { field: text, wanted: "a string" }
            } else {
                BadLine::NoObject { id, text }
            };
        }
        if error.classify() == Category::Eof {
            return BadLine::NoJson { found: format!("not JSON: cut after byte {}", line.len()) };
        }
        BadLine::NoJson { found: format!("not JSON at byte {}", error.column()) }
    }
}

/// Returns the message of a JSON error without the line and column that `serde_json` appends, since
/// a record is a single line.
pub(crate) fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    message.strip_suffix(&place).map(str::to_owned).unwrap_or(message)
}

/// Returns the string or number in a field of a line, even if the line is not a valid record;
/// `None` if there is none.
pub(crate) fn field(line: &[u8], field: &str) -> Option<String> {
    plain(values(line, &[field.to_owned()], None).ok()?.others[0]?)
}

/// Reports whether a line is an object that lacks a field.
pub(crate) fn lacks_field(line: &[u8], field: &str) -> bool {
    let found = values(line, &[field.to_owned()], None);
    found.is_ok_and(|found| found.others[0].is_none())
}

/// Reports whether a line is an object that has a field.
pub(crate) fn has_field(line: &[u8], field: &str) -> bool {
    let object: Result<BTreeMap<String, &RawValue>, _> = serde_json::from_slice(line);
    object.is_ok_and(|object| object.contains_key(field))
}

/// Returns the content of a string, or the digits of a number as they are written; `None` for other
/// values.
fn plain(value: &RawValue) -> Option<String> {
    match value.get().as_bytes() {
        [b'"', ..] => serde_json::from_str(value.get()).ok(),
        [b'-' | b'0'..=b'9', ..] => Some(value.get().to_owned()),
        _ => None,
    }
}

// Looks up the values of fields in a line of JSON.
//
// A name with full stops is the name of a field of the object, or otherwise the path to a field in
// a nested object: `meta.body` is the field `meta.body`, or `body` in `meta`. At each level the
// longest matching name wins, so a field of the object itself takes precedence over a nested one;
// if a field occurs twice, the last occurrence counts. Other fields are skipped, however deeply
// they are nested.

/// The largest number of different fields that can be requested.
const MAX_FIELDS: usize = 4;

/// The largest number of fields that are listed, and the largest number of characters of each.
const NAMED: (usize, usize) = (20, 80);

/// The values of the requested fields in a line, in the order of their names.
#[derive(Default)]
struct Values<'l> {
    /// The bytes of the string in the text field.
    text: Option<Cow<'l, [u8]>>,
    /// The values of the other fields.
    others: [Option<&'l RawValue>; MAX_FIELDS],
    /// The rank of each value found so far; see [`FieldPath::rank`].
    ranks: [Option<u64>; MAX_FIELDS],
}

/// Looks up fields in an object; the text is read as bytes. The cost is linear in the length of the
/// line.
///
/// # Errors
///
/// Returns an error if the line is not an object, or if the text is not a string.
fn values<'l>(
    line: &'l [u8],
    names: &[String],
    text: Option<usize>,
) -> Result<Values<'l>, JsonError> {
    let mut level: Level = [None; MAX_FIELDS];
    for (sought, name) in level.iter_mut().zip(names) {
        *sought = Some(FieldPath { rest: name, dots: 0, cuts: 0 });
    }
    let mut found = Values::default();
    let mut json = serde_json::Deserializer::from_slice(line);
    json.deserialize_map(ValueVisitor(Object { level, text, found: &mut found }))?;
    json.end()?;
    Ok(found)
}

/// A handler of a value of JSON, which is an object or any other value.
trait ObjectOrOther<'l>: Sized {
    fn object<A: MapAccess<'l>>(self, object: A) -> Result<(), A::Error>;

    fn other(self);
}

/// Visits a value of any kind.
struct ValueVisitor<T>(T);

impl<'l, T: ObjectOrOther<'l>> DeserializeSeed<'l> for ValueVisitor<T> {
    type Value = ();

    fn deserialize<D: Deserializer<'l>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_any(self)
    }
}

impl<'l, T: ObjectOrOther<'l>> Visitor<'l> for ValueVisitor<T> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'l>>(self, object: A) -> Result<(), A::Error> {
        self.0.object(object)
    }

    fn visit_seq<A: SeqAccess<'l>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        self.0.other();
        Ok(())
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        self.0.other();
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.0.other();
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.0.other();
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.0.other();
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.0.other();
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.0.other();
        Ok(())
    }
}

/// A field that is looked up in an object, and the part of its name that is not matched yet.
#[derive(Clone, Copy)]
struct FieldPath<'n> {
    rest: &'n str,
    /// The number of full stops before `rest`.
    dots: u32,
    /// A bit for each full stop before `rest`, the first in the lowest bit: set if a nested object
    /// begins there.
    cuts: u64,
}

impl FieldPath<'_> {
    /// Returns what to look up in the object that is the value of `key`; `None` if `key` does not
    /// match.
    fn inside(self, key: &str) -> Option<Self> {
        let rest = self.rest.strip_prefix(key)?.strip_prefix('.')?;
        let dots = self.dots + u32::try_from(key.matches('.').count()).ok()?;
        let cuts = self.cuts | 1_u64.checked_shl(dots)?;
        Some(FieldPath { rest, dots: dots + 1, cuts })
    }

    /// Returns the rank of a value: lower if the names of the outer fields are longer, and 0 for a
    /// field that is not nested.
    fn rank(self) -> u64 {
        self.cuts.reverse_bits()
    }
}

/// The fields that are looked up in an object, in the order of their names.
type Level<'n> = [Option<FieldPath<'n>>; MAX_FIELDS];

/// An object in which fields are looked up. A value that is not an object has no fields.
struct Object<'n, 'v, 'l> {
    level: Level<'n>,
    text: Option<usize>,
    found: &'v mut Values<'l>,
}

impl<'l> Object<'_, '_, 'l> {
    /// Stores the value of a requested field, or skips it if a value of lower rank was found
    /// before.
    fn take<A: MapAccess<'l>>(&mut self, place: usize, object: &mut A) -> Result<(), A::Error> {
        let rank = self.level[place].map(FieldPath::rank);
        if self.found.ranks[place].is_some_and(|known| Some(known) < rank) {
            return object.next_value::<IgnoredAny>().map(|_| ());
        }
        self.found.ranks[place] = rank;
        if self.text == Some(place) {
            self.found.text = Some(object.next_value_seed(TextSeed)?);
        } else {
            self.found.others[place] = Some(object.next_value()?);
        }
        Ok(())
    }
}

impl<'l> ObjectOrOther<'l> for Object<'_, '_, 'l> {
    fn object<A: MapAccess<'l>>(mut self, mut object: A) -> Result<(), A::Error> {
        while let Some(Key { itself, inside }) = object.next_key_seed(KeySeed(&self.level))? {
            match (itself, inside) {
                (None, None) => {
                    object.next_value::<IgnoredAny>()?;
                }
                (None, Some(level)) => {
                    let inner = Object { level, text: self.text, found: &mut *self.found };
                    object.next_value_seed(ValueVisitor(inner))?;
                }
                (Some(place), None) => self.take(place, &mut object)?,
                // The text is a string, so it has no nested fields.
                (Some(place), Some(_)) if self.text == Some(place) => {
                    self.take(place, &mut object)?;
                }
                (Some(place), Some(level)) => {
                    self.take(place, &mut object)?;
                    let value = self.found.others[place].map(RawValue::get).unwrap_or_default();
                    let inner = Object { level, text: self.text, found: &mut *self.found };
                    let mut json = serde_json::Deserializer::from_str(value);
                    ValueVisitor(inner).deserialize(&mut json).map_err(Error::custom)?;
                }
            }
        }
        Ok(())
    }

    fn other(self) {}
}

/// The meaning of a key: one of the requested fields, an object that may contain some, or both.
struct Key<'n> {
    itself: Option<usize>,
    inside: Option<Level<'n>>,
}

/// Finds the requested fields that a key matches.
struct KeySeed<'v, 'n>(&'v Level<'n>);

impl<'l, 'n> DeserializeSeed<'l> for KeySeed<'_, 'n> {
    type Value = Key<'n>;

    fn deserialize<D: Deserializer<'l>>(self, key: D) -> Result<Self::Value, D::Error> {
        key.deserialize_identifier(self)
    }
}

impl<'n> Visitor<'_> for KeySeed<'_, 'n> {
    type Value = Key<'n>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a field")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        let is_it = |sought: &Option<FieldPath>| sought.is_some_and(|sought| sought.rest == key);
        let itself = self.0.iter().position(is_it);
        let level = self.0.map(|sought| sought?.inside(key));
        let inside = level.iter().any(Option::is_some).then_some(level);
        Ok(Key { itself, inside })
    }
}

/// Reads the bytes of a string.
struct TextSeed;

impl<'l> DeserializeSeed<'l> for TextSeed {
    type Value = Cow<'l, [u8]>;

    fn deserialize<D: Deserializer<'l>>(self, value: D) -> Result<Self::Value, D::Error> {
        value.deserialize_bytes(self)
    }
}

impl<'l> Visitor<'l> for TextSeed {
    type Value = Cow<'l, [u8]>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a string")
    }

    fn visit_borrowed_bytes<E: Error>(self, text: &'l [u8]) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_bytes<E: Error>(self, text: &[u8]) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_vec()))
    }
}

/// Returns the names of the fields of a line, in their order and up to the limit for messages.
/// Fields of a nested object have dotted names.
pub(super) fn names(line: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    let mut json = serde_json::Deserializer::from_slice(line);
    // If the JSON is invalid, the fields after the error are not listed.
    let _ = json.deserialize_map(ValueVisitor(Names { names: &mut names, around: None }));
    names
}

/// Lists the fields of an object.
struct Names<'v> {
    names: &'v mut Vec<String>,
    /// The dotted name of the object; `None` for the object of the line itself.
    around: Option<String>,
}

impl<'l> ObjectOrOther<'l> for Names<'_> {
    fn object<A: MapAccess<'l>>(self, mut object: A) -> Result<(), A::Error> {
        let mut is_empty = true;
        while let Some(name) = object.next_key::<String>()? {
            is_empty = false;
            let name = match &self.around {
                Some(around) => format!("{around}.{name}"),
                None => name,
            };
            let around = Some(name.chars().take(NAMED.1).collect());
            object.next_value_seed(ValueVisitor(Names { names: &mut *self.names, around }))?;
        }
        if is_empty {
            self.other();
        }
        Ok(())
    }

    /// Lists the field itself, because it is not an object or is an empty one.
    fn other(self) {
        if let Some(name) = self.around.filter(|name| !self.names.contains(name))
            && self.names.len() < NAMED.0
        {
            self.names.push(name);
        }
    }
}

#[cfg(test)]
mod tests;
