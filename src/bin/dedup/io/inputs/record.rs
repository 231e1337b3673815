//! Parses a line of JSON, a row of CSV or the cells of a row of Parquet into a record.
//!
//! Only the requested fields are read. The text is taken as bytes, so that its decoder can report
//! the bytes that are not valid.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use dedup_text::display::counted;
use dedup_text::display::inert;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde_json::Error as JsonError;
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::table::{MARK, Ragged, Table, without_end};
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
        let mut names = String::new();
        let (kind, message, hint) = match bad {
            BadLine::NoJson { found } => (
                "not JSON",
                format!("{found}, expected an object on one line"),
                "each line is one record, such as {\"id\": 1, \"text\": \"…\"}",
            ),
            BadLine::NoObject { id, text } => {
                let wanted = wanted(id.as_deref(), &text);
                let message = format!("not a JSON object, expected one with {wanted}");
                ("no object", message, OTHER_FIELDS)
            }
            BadLine::Array => (
                "array",
                "a JSON array, expected an object on one line".to_owned(),
                "jq -c '.[]' writes each object of an array on one line",
            ),
            BadLine::Wide => (
                "UTF-16",
                "a line in UTF-16, expected one in UTF-8".to_owned(),
                "iconv -f UTF-16 -t UTF-8 converts it",
            ),
            BadLine::Lacks { field, there } => {
                if !there.is_empty() {
                    names = format!("the fields are {}; ", there.join(", "));
                }
                (NO_FIELD, format!("no field {field}, expected one"), OTHER_FIELDS)
            }
            BadLine::Twice { field } => {
                (NO_FIELD, format!("several columns {field}, expected one"), OTHER_FIELDS)
            }
            BadLine::WrongKind { field, wanted } => {
                ("wrong field", format!("the field {field} is not {wanted}"), OTHER_FIELDS)
            }
            BadLine::Ragged(Ragged { found, wanted }) => {
                let found = counted(found, "field");
                ("ragged", format!("{found}, expected {wanted} as in the header"), QUOTES)
            }
            BadLine::StrayQuotes => (
                "quote",
                "a field that begins with a quote and does not end with it, expected one that does"
                    .to_owned(),
                "a field that begins with a quote must end with one; double the quotes inside it",
            ),
        };
        let error = Self::new(message).kind(kind).hint(names + hint);
        if hint == OTHER_FIELDS { error.flags(["id", "text"]) } else { error }
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

/// The names of the fields of a record that are read. `meta.body` is the field of that name, or
/// otherwise `body` in the object `meta`. The name of the text differs from the others.
#[derive(Debug)]
pub(crate) struct Fields {
    text: String,
    /// `None` if the place of each record names it.
    id: Option<String>,
    /// Whether a record may lack an id, or have `null` as its id, because its place names it.
    has_ids_by_place: bool,
    group: Option<String>,
    worth: Option<String>,
}

/// Whether a field must be present.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Need {
    Required,
    Optional,
}

/// The names of the requested fields: the text, which is required, and the id, the group and the
/// value for `--keep`.
pub(crate) type RequestedFields<'f> = [Option<(&'f str, Need)>; 4];

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
        let [group, worth] = [group, worth].map(|name| name.map(str::to_owned));
        Self {
            text: text.to_owned(),
            id: Some(id.unwrap_or("id").to_owned()).filter(|id| id != ID_OFF),
            has_ids_by_place: id.is_none_or(|id| id == ID_OFF),
            group,
            worth,
        }
    }

    /// Parses a line, or a row if the file has a header.
    pub(crate) fn line(&self, table: Option<&Table>, line: &[u8]) -> Result<TextRecord, BadLine> {
        table.map_or_else(|| self.record(line), |table| self.row(table, line))
    }

    /// Parses a record. The cost is linear in the length of the line.
    ///
    /// # Errors
    ///
    /// Returns [`BadLine`] if the line is not a record.
    pub(crate) fn record(&self, line: &[u8]) -> Result<TextRecord, BadLine> {
        Ok(self.record_and_place(line)?.0)
    }

    /// Parses a record, and finds the bytes of the string that is its text.
    fn record_and_place(&self, line: &[u8]) -> Result<(TextRecord, Range<usize>), BadLine> {
        let is_string = |value: &RawValue| value.get().starts_with('"');
        let masked = masked(line);
        let finite: Vec<u8>;
        let (json, fields) = match object(&masked) {
            Ok(fields) => (&*masked, fields),
            Err(error) => {
                let bad = || self.bad_line(line, &error);
                finite = with_finite_numbers(&masked).ok_or_else(bad)?;
                let fields = object(&finite).map_err(|_| bad())?;
                if !find(&fields, &self.text).is_none_or(is_string) {
                    return Err(bad());
                }
                (finite.as_slice(), fields)
            }
        };
        let place = |value: &RawValue| {
            let start = value.get().as_ptr().addr() - json.as_ptr().addr();
            start..start + value.get().len()
        };
        let value = |field: &Option<String>| match find(&fields, field.as_ref()?) {
            Some(value) if str::from_utf8(&line[place(value)]).is_err() => {
                let found = format!("not JSON at byte {}", place(value).end);
                Some(Err(BadLine::NoJson { found }))
            }
            value => value.map(Ok),
        };
        let wrong = |field: &str, wanted| BadLine::WrongKind { field: field.to_owned(), wanted };
        let lacks = |field: &str| BadLine::Lacks { field: field.to_owned(), there: names(line) };
        let text = find(&fields, &self.text);
        if !text.is_none_or(is_string) {
            return Err(wrong(&self.text, "a string"));
        }
        let name = match (value(&self.id).transpose()?, &self.id) {
            (Some(name), _) if self.has_ids_by_place && is_missing(name) => None,
            (Some(name), Some(id)) => Some(plain(name).ok_or_else(|| {
                let half = "valid Unicode: it has half of a surrogate pair";
                wrong(id, if is_string(name) { half } else { "a string or a number" })
            })?),
            (None, Some(id)) if !self.has_ids_by_place => return Err(lacks(id)),
            _ => None,
        };
        let optional = |field: &Option<String>| {
            let value = value(field).transpose()?.filter(|value| !is_missing(value));
            Ok(value.map(|value| plain(value).unwrap_or_else(|| value.get().to_owned())))
        };
        let (group, worth) = (optional(&self.group)?.and_then(filled), optional(&self.worth)?);
        let place = place(text.ok_or_else(|| lacks(&self.text))?);
        let text = serde_json::Deserializer::from_slice(&line[place.clone()])
            .deserialize_bytes(TextVisitor)
            .map_err(|error| self.bad_line(line, &error))?;
        Ok((TextRecord { name, group, worth, text }, place))
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
        let (TextRecord { text, .. }, place) = self.record_and_place(record)?;
        let changed = change(&text);
        if str::from_utf8(record).is_ok() && str::from_utf8(&changed).is_err() {
            let field = self.text.clone();
            return Err(BadLine::WrongKind { field, wanted: "a string" }.into());
        }
        let (before, after) = (&record[..place.start], &record[place.end..]);
        let mark = &line[..line.len() - record.len()];
        Ok([mark, before, &json_string(&changed)?, after].concat())
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
        let place = column(table, &self.text)?;
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
        let cells = table.cells(row).map_err(BadLine::Ragged)?;
        if table.has_stray_quotes(row) {
            return Err(BadLine::StrayQuotes);
        }
        let cell = |name: &str| Ok(cells[column(table, name)?].clone());
        let optional = |name: &Option<String>| match name.as_deref().map(cell) {
            None | Some(Err(BadLine::Lacks { .. })) => Ok(None),
            Some(cell) => cell.map(|cell| Some(cell).filter(|cell| !cell.is_empty())),
        };
        let id = match &self.id {
            Some(id) if !self.has_ids_by_place => Some(cell(id)?),
            id => optional(id)?,
        };
        let (group, worth) = (optional(&self.group)?, optional(&self.worth)?);
        self.cells([Some(cell(&self.text)?), id, group, worth])
    }

    /// Returns the names of the fields.
    pub(crate) fn asked(&self) -> RequestedFields<'_> {
        let need = if self.has_ids_by_place { Need::Optional } else { Need::Required };
        let id = self.id.as_deref().map(|id| (id, need));
        let others = [&self.group, &self.worth];
        let [group, worth] = others.map(|name| Some((name.as_deref()?, Need::Optional)));
        [Some((self.text.as_str(), Need::Required)), id, group, worth]
    }

    /// Builds a record from the cells of a row, in the order in which [`asked`](Self::asked)
    /// returns their fields.
    ///
    /// # Errors
    ///
    /// Returns [`BadLine`] if the row is not a record.
    pub(crate) fn cells(&self, cells: [Option<Vec<u8>>; 4]) -> Result<TextRecord, BadLine> {
        let [text, name, group, worth] = cells;
        let wrong = |field: &str, wanted| BadLine::WrongKind { field: field.to_owned(), wanted };
        let name = match (name.map(String::from_utf8), &self.id) {
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
            text: text.ok_or_else(|| wrong(&self.text, "a string"))?,
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
        let found = match error.classify() {
            Category::Data => {
                let id = self.id.clone().filter(|_| !self.has_ids_by_place);
                return BadLine::NoObject { id, text: self.text.clone() };
            }
            Category::Eof => format!("not JSON: cut after byte {}", line.len()),
            _ => format!("not JSON at byte {}", error.column()),
        };
        BadLine::NoJson { found }
    }
}

/// Returns the index of the column of a field, of which there must be exactly one.
fn column(table: &Table, name: &str) -> Result<usize, BadLine> {
    let mut found = (0..).zip(&table.columns).filter(|(_, column)| *column == name);
    let field = name.to_owned();
    match (found.next(), found.next()) {
        (None, _) => Err(BadLine::Lacks { field, there: shown(&table.columns) }),
        (Some((place, _)), None) => Ok(place),
        _ => Err(BadLine::Twice { field }),
    }
}

/// Reports whether a line is an object that has a field.
pub(crate) fn has_field(line: &[u8], field: &str) -> bool {
    object(line).is_ok_and(|fields| fields.iter().any(|(name, _)| name == field))
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

/// The largest number of fields that are listed, and the largest number of characters of each.
const NAMED: (usize, usize) = (20, 80);

/// Parses an object into its fields, in their order. Their values are not parsed, however deeply
/// they are nested.
fn object(json: &[u8]) -> Result<Vec<(String, &RawValue)>, JsonError> {
    let mut json = serde_json::Deserializer::from_slice(json);
    let fields = json.deserialize_map(ObjectVisitor)?;
    json.end()?;
    Ok(fields)
}

/// Collects the fields of an object.
struct ObjectVisitor;

impl<'l> Visitor<'l> for ObjectVisitor {
    type Value = Vec<(String, &'l RawValue)>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'l>>(self, mut object: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = object.next_entry()? {
            fields.push(field);
        }
        Ok(fields)
    }
}

/// Returns the value of a field of an object. A name with full stops is the name of a field, or
/// otherwise the path to a field in a nested object: `meta.body` is the field `meta.body`, or `body`
/// in `meta`. At each level the longest matching name wins; of several fields of one name, the last.
fn find<'l>(fields: &[(String, &'l RawValue)], name: &str) -> Option<&'l RawValue> {
    let named = |name: &str| {
        let name = name.to_owned();
        fields.iter().rev().filter(move |(key, _)| *key == name).map(|(_, value)| *value)
    };
    let mut dots = name.rmatch_indices('.').map(|(dot, _)| dot);
    named(name).next().or_else(|| {
        dots.find_map(|dot| {
            let inside =
                |outer: &'l RawValue| find(&object(outer.get().as_bytes()).ok()?, &name[dot + 1..]);
            named(&name[..dot]).find_map(inside)
        })
    })
}

/// Reads the bytes of a string.
struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = Vec<u8>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a string")
    }

    fn visit_bytes<E: Error>(self, text: &[u8]) -> Result<Self::Value, E> {
        Ok(text.to_vec())
    }
}

/// Returns the names of the fields of a line, in their order and up to the limit for messages.
/// Fields of a nested object have dotted names. Empty if the line is not an object.
pub(super) fn names(line: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    add_names(&masked(line), "", &mut names);
    names
}

/// Adds the names of the fields of an object, each behind the name of the object and a full stop.
fn add_names(json: &[u8], around: &str, names: &mut Vec<String>) {
    for (name, value) in object(json).unwrap_or_default() {
        let name: String = format!("{around}{name}").chars().take(NAMED.1).collect();
        let is_empty = value.get()[1..].trim_ascii_start().starts_with('}');
        if value.get().starts_with('{') && !is_empty && name.chars().count() < NAMED.1 {
            add_names(value.get().as_bytes(), &format!("{name}."), names);
        } else if names.len() < NAMED.0 && !names.contains(&name) {
            names.push(name);
        }
    }
}

#[cfg(test)]
mod tests;
