//! A line of JSON → the record that it holds.
//!
//! Only the fields that are asked for are read; the text is taken byte by byte, so that
//! its decoder says what is wrong with it.

mod seek;

use std::collections::BTreeMap;

use dedup_text::inert;
use dedup_text::words::counted;
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::table::{Cells, Column, MARK, Ragged, Table, without_end};
use crate::diagnostics::Diagnostic;

/// A record.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Record {
    /// None where no field names it, and none has to: its place does.
    pub(crate) name: Option<String>,
    pub(crate) group: Option<String>,
    pub(crate) worth: Option<String>,
    /// Its text: UTF-8, unless it is damaged.
    pub(crate) text: Vec<u8>,
}

/// Why a line is no record.
#[derive(Debug, Eq, PartialEq)]
pub(crate) enum BadLine {
    /// It is not JSON.
    NoJson {
        /// What was found, and where.
        found: String,
    },
    /// It is JSON, but no object.
    NoObject {
        /// The field that names a record; none where it need not be there.
        id: Option<String>,
        /// The field with its text.
        text: String,
    },
    /// It holds no two records.
    NoPair {
        /// What was found.
        found: String,
    },
    /// It is a record by another schema.
    OtherSchema {
        /// What it says.
        schema: String,
        /// The one that is read.
        wanted: &'static str,
    },
    /// It has figures that no two texts have.
    Impossible {
        /// What was found.
        found: String,
    },
    /// A field is not there.
    Lacks {
        /// The field.
        field: String,
        /// The fields that are.
        there: Vec<String>,
    },
    /// A field is of another kind.
    WrongKind {
        /// The field.
        field: String,
        /// What it should be, with its article.
        wanted: &'static str,
    },
    /// A row has other columns than the header.
    Ragged(Ragged),
    /// Several columns have one name.
    Twice {
        /// The name.
        field: String,
    },
}

impl From<BadLine> for Diagnostic {
    /// The error, whose message follows on the name of the file and the line.
    fn from(bad: BadLine) -> Self {
        let (kind, hint) = match bad {
            BadLine::NoJson { .. } => {
                ("no JSON", "each line is one record, such as {\"id\": 1, \"text\": \"…\"}")
            }
            BadLine::OtherSchema { .. } => ("schema", WRITERS),
            BadLine::Impossible { .. } => ("figures", WRITERS),
            BadLine::NoObject { .. } => ("no object", OTHER_FIELDS),
            BadLine::NoPair { .. } => ("no pair", OTHER_FIELDS),
            BadLine::Lacks { .. } | BadLine::Twice { .. } => (NO_FIELD, OTHER_FIELDS),
            BadLine::Ragged(_) => ("ragged", QUOTES),
            BadLine::WrongKind { .. } => ("wrong field", OTHER_FIELDS),
        };
        let there = match &bad {
            BadLine::Lacks { there, .. } if !there.is_empty() => Some(there.join(", ")),
            _ => None,
        };
        let message = match bad {
            BadLine::NoJson { found } => {
                format!("no JSON: {found}, expected an object on one line")
            }
            BadLine::NoObject { id, text } => {
                format!("no JSON object, expected one with {}", wanted(id.as_deref(), &text))
            }
            BadLine::NoPair { found } => {
                format!("no pair: {found}, expected {{\"a\": {{…}}, \"b\": {{…}}}}")
            }
            BadLine::OtherSchema { schema, wanted } => {
                format!("a record by the schema {schema}, expected {wanted}")
            }
            BadLine::Impossible { found } => format!("{found}, expected figures of two texts"),
            BadLine::Lacks { field, .. } => format!("no field {field}, expected one"),
            BadLine::WrongKind { field, wanted } => format!("the field {field} is not {wanted}"),
            BadLine::Ragged(Ragged { found, wanted }) => {
                format!("{}, expected {wanted} as in the header", counted(found, "field"))
            }
            BadLine::Twice { field } => format!("several columns {field}, expected one"),
        };
        let hint = match there {
            Some(there) => format!("the fields are {there}; {hint}"),
            None => hint.to_owned(),
        };
        Self::new(message).kind(kind).hint(hint)
    }
}

impl From<BadLine> for anyhow::Error {
    fn from(bad: BadLine) -> Self {
        Diagnostic::from(bad).into()
    }
}

/// The kind of the error where a field is not there.
pub(crate) const NO_FIELD: &str = "no field";

/// The names of columns, as far as they are shown.
pub(crate) fn shown(columns: &[String]) -> Vec<String> {
    let short = |name: &String| name.chars().take(seek::NAMED.1).collect();
    columns.iter().take(seek::NAMED.0).map(short).collect()
}

/// The fields that a record must have, for messages.
pub(crate) fn wanted(id: Option<&str>, text: &str) -> String {
    match id {
        Some(id) => format!("the fields {id} and {text}"),
        None => format!("the field {text}"),
    }
}

const WRITERS: &str =
    "dedup corpus --format jsonl and the programs in integrations/ write such records";

const QUOTES: &str = "a field with a comma, a quote or a line feed in it stands in quotes";

/// What to do where a field is not as it must be.
pub(crate) const OTHER_FIELDS: &str = "--id FIELD and --text FIELD take other fields";

/// The fields that are asked for.
#[derive(Debug)]
pub(crate) struct Fields {
    /// Their names, no two the same. `meta.body` is the field of that name, or else `body` in the
    /// object `meta`.
    names: Vec<String>,
    text: usize,
    id: usize,
    /// Whether a record without an id is one, which goes by its place.
    has_ids_by_place: bool,
    group: Option<usize>,
    worth: Option<usize>,
}

/// Whether a field must be there.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Need {
    Required,
    Optional,
}

/// The names of the fields that are asked for: of the text, which must be there, and of the id, the group and
/// the worth.
pub(crate) type Asked<'f> = (&'f str, [Option<(&'f str, Need)>; 3]);

impl Fields {
    /// Fields by their names; that of the text is none of the others.
    pub(crate) fn named(text: &str, id: &str, group: Option<&str>, worth: Option<&str>) -> Self {
        let mut names: Vec<String> = Vec::with_capacity(seek::MOST);
        let mut place = |name: &str| {
            names.iter().position(|known| known == name).unwrap_or_else(|| {
                names.push(name.to_owned());
                names.len() - 1
            })
        };
        let (text, id) = (place(text), place(id));
        let (group, worth) = (group.map(&mut place), worth.map(&mut place));
        Self { names, text, id, has_ids_by_place: false, group, worth }
    }

    /// The same where a record without an id is one, too: its place names it.
    pub(crate) fn or_by_place(self) -> Self {
        Self { has_ids_by_place: true, ..self }
    }

    /// Reads a record. The cost is linear in the line.
    ///
    /// # Errors
    ///
    /// [`BadLine`] where the line holds none.
    pub(crate) fn record(&self, line: &[u8]) -> Result<Record, BadLine> {
        let found = seek::values(line, &self.names, Some(self.text));
        let found = found.map_err(|error| self.bad_line(line, &error))?;
        let field = |place: usize| self.names[place].clone();
        let lacks = |place| BadLine::Lacks { field: field(place), there: seek::names(line) };
        let wrong = || BadLine::WrongKind { field: field(self.id), wanted: "a string or a number" };
        let name = match found.others[self.id] {
            Some(name) => Some(plain(name).ok_or_else(wrong)?),
            None if self.has_ids_by_place => None,
            None => return Err(lacks(self.id)),
        };
        let optional = |place: Option<usize>| {
            let value = found.others[place?].filter(|value| value.get() != "null")?;
            Some(plain(value).unwrap_or_else(|| value.get().to_owned()))
        };
        Ok(Record {
            name,
            group: optional(self.group),
            worth: optional(self.worth),
            text: found.text.ok_or_else(|| lacks(self.text))?.into_owned(),
        })
    }

    /// A line with another text in its field: what `change` makes of the bytes of the one that is
    /// there. All else stays byte for byte. A byte order mark is none of the record.
    ///
    /// # Errors
    ///
    /// Where the line holds no record, or the new text is not UTF-8.
    pub(crate) fn with_text(
        &self,
        line: &[u8],
        change: impl FnOnce(&[u8]) -> Vec<u8>,
    ) -> anyhow::Result<Vec<u8>> {
        let record = line.strip_prefix(MARK).unwrap_or(line);
        let text = self.record(record)?.text;
        let found = seek::values(record, &self.names, None);
        let found = found.map_err(|error| self.bad_line(record, &error))?;
        let field = || self.names[self.text].clone();
        let value = found.others[self.text].map(RawValue::get);
        let value = value.ok_or_else(|| BadLine::Lacks { field: field(), there: Vec::new() })?;
        let start = value.as_ptr().addr() - line.as_ptr().addr();
        let changed = String::from_utf8(change(&text));
        let changed =
            changed.map_err(|_| BadLine::WrongKind { field: field(), wanted: "a string" })?;
        let changed = inert::json(&changed)?;
        Ok([&line[..start], changed.as_bytes(), &line[start + value.len()..]].concat())
    }

    /// A row with another text in its cell: what `change` makes of the one that is there. All else
    /// stays byte for byte.
    ///
    /// # Errors
    ///
    /// Where the row holds no record.
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

    /// Reads the record of a row. An empty cell of an optional field is none.
    ///
    /// # Errors
    ///
    /// [`BadLine`] where the row holds none.
    pub(crate) fn row(&self, table: &Table, row: &[u8]) -> Result<Record, BadLine> {
        let mut cells = Cells::default();
        table.cells(row, &mut cells).map_err(BadLine::Ragged)?;
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
        let wrong = |_| BadLine::WrongKind { field: self.names[self.id].clone(), wanted: "UTF-8" };
        let name = if self.has_ids_by_place { filled(self.id)? } else { Some(cell(self.id)?) };
        let optional = |place: Option<usize>| -> Result<Option<String>, BadLine> {
            let value = place.map(filled).transpose()?.flatten();
            Ok(value.map(|value| String::from_utf8_lossy(value).into_owned()))
        };
        Ok(Record {
            name: name
                .map(|name| str::from_utf8(name).map(str::to_owned))
                .transpose()
                .map_err(wrong)?,
            group: optional(self.group)?,
            worth: optional(self.worth)?,
            text: cell(self.text)?.to_vec(),
        })
    }

    /// The names of the fields.
    pub(crate) fn asked(&self) -> Asked<'_> {
        let need = if self.has_ids_by_place { Need::Optional } else { Need::Required };
        let name = |place: usize| self.names[place].as_str();
        let optional = |place: Option<usize>| Some((name(place?), Need::Optional));
        let others = [Some((name(self.id), need)), optional(self.group), optional(self.worth)];
        (name(self.text), others)
    }

    /// Reads the record of the cells of a row, in the order in which they are [`asked`](Self::asked) for.
    ///
    /// # Errors
    ///
    /// [`BadLine`] where the row holds none.
    pub(crate) fn cells(&self, cells: [Option<Vec<u8>>; 4]) -> Result<Record, BadLine> {
        let [text, name, group, worth] = cells;
        let wrong =
            |place: usize, wanted| BadLine::WrongKind { field: self.names[place].clone(), wanted };
        let name = match name.map(String::from_utf8) {
            Some(Ok(name)) => Some(name),
            Some(Err(_)) => return Err(wrong(self.id, "UTF-8")),
            None if self.has_ids_by_place => None,
            None => return Err(wrong(self.id, "a string or a number")),
        };
        let optional = |cell: Option<Vec<u8>>| Some(String::from_utf8_lossy(&cell?).into_owned());
        Ok(Record {
            name,
            group: optional(group),
            worth: optional(worth),
            text: text.ok_or_else(|| wrong(self.text, "a string"))?,
        })
    }

    /// What is wrong with a line, in our words.
    fn bad_line(&self, line: &[u8], error: &serde_json::Error) -> BadLine {
        let text = self.names[self.text].clone();
        let id = (!self.has_ids_by_place).then(|| self.names[self.id].clone());
        if error.classify() == Category::Data {
            return if line.trim_ascii_start().starts_with(b"{") {
                BadLine::WrongKind { field: text, wanted: "a string" }
            } else {
                BadLine::NoObject { id, text }
            };
        }
        if error.classify() == Category::Eof {
            return BadLine::NoJson { found: format!("cut after byte {}", line.len()) };
        }
        let what = without_place(error);
        BadLine::NoJson { found: format!("{what} at byte {}", error.column()) }
    }
}

/// What is wrong with JSON, without the line and column that `serde_json` adds: a record is one line.
pub(crate) fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    message.strip_suffix(&place).map(str::to_owned).unwrap_or(message)
}

/// A field of a line that may hold no record: a string or a number.
pub(crate) fn field(line: &[u8], field: &str) -> Option<String> {
    plain(seek::values(line, &[field.to_owned()], None).ok()?.others[0]?)
}

/// Whether a line is an object without a field.
pub(crate) fn lacks_field(line: &[u8], field: &str) -> bool {
    let found = seek::values(line, &[field.to_owned()], None);
    found.is_ok_and(|found| found.others[0].is_none())
}

/// Whether a line is an object with a field of a name.
pub(crate) fn has_field(line: &[u8], field: &str) -> bool {
    let object: Result<BTreeMap<String, &RawValue>, _> = serde_json::from_slice(line);
    object.is_ok_and(|object| object.contains_key(field))
}

/// A string, or a number as it stands.
fn plain(value: &RawValue) -> Option<String> {
    match value.get().as_bytes() {
        [b'"', ..] => serde_json::from_str(value.get()).ok(),
        [b'-' | b'0'..=b'9', ..] => Some(value.get().to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
