//! A line of JSON → the record that it holds.
//!
//! Only the fields that are asked for are read; the text is taken byte by byte, so that
//! its decoder says what is wrong with it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use dedup_text::inert;
use dedup_text::words::counted;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Error as JsonError;
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
    let short = |name: &String| name.chars().take(NAMED.1).collect();
    columns.iter().take(NAMED.0).map(short).collect()
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
        let mut names: Vec<String> = Vec::with_capacity(MOST);
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
        let found = values(line, &self.names, Some(self.text));
        let found = found.map_err(|error| self.bad_line(line, &error))?;
        let field = |place: usize| self.names[place].clone();
        let lacks = |place| BadLine::Lacks { field: field(place), there: names(line) };
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
        let found = values(record, &self.names, None);
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
    plain(values(line, &[field.to_owned()], None).ok()?.others[0]?)
}

/// Whether a line is an object without a field.
pub(crate) fn lacks_field(line: &[u8], field: &str) -> bool {
    let found = values(line, &[field.to_owned()], None);
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

// A line of JSON and the names of fields → their values.
//
// A name with full stops is that of a field of the object, or else of one in an object in it:
// `meta.body` is the field `meta.body`, or `body` in `meta`. At each level the longest name of a
// field wins, so that what stands in the object itself comes before what is nested; of a field that
// stands twice the last counts. Nothing is read of other fields, however deep they are.

/// The most different fields that are asked for.
const MOST: usize = 4;

/// The most fields that are named, and the most characters of each.
const NAMED: (usize, usize) = (20, 80);

/// What is found of the fields in a line, by the places of their names.
#[derive(Default)]
struct Values<'l> {
    /// The bytes of the string in the field of the text.
    text: Option<Cow<'l, [u8]>>,
    /// The values of the others.
    others: [Option<&'l RawValue>; MOST],
    /// How deep each stands, once it is found; see [`Sought::rank`].
    ranks: [Option<u64>; MOST],
}

/// Finds fields in an object; that of the text is read as bytes. The cost is linear in the line.
///
/// # Errors
///
/// Where the line is no object, or the text no string.
fn values<'l>(
    line: &'l [u8],
    names: &[String],
    text: Option<usize>,
) -> Result<Values<'l>, JsonError> {
    let mut level: Level = [None; MOST];
    for (sought, name) in level.iter_mut().zip(names) {
        *sought = Some(Sought { rest: name, dots: 0, cuts: 0 });
    }
    let mut found = Values::default();
    let mut json = serde_json::Deserializer::from_slice(line);
    json.deserialize_map(Object { level, text, found: &mut found })?;
    json.end()?;
    Ok(found)
}

/// A field that is looked for in an object, by the rest of its name.
#[derive(Clone, Copy)]
struct Sought<'n> {
    rest: &'n str,
    /// The full stops before the rest.
    dots: u32,
    /// A bit for each full stop before the rest at which an object begins, the first the lowest.
    cuts: u64,
}

impl Sought<'_> {
    /// What is sought in the object that a key names; none where it names none.
    fn inside(self, key: &str) -> Option<Self> {
        let rest = self.rest.strip_prefix(key)?.strip_prefix('.')?;
        let dots = self.dots + u32::try_from(key.matches('.').count()).ok()?;
        let cuts = self.cuts | 1_u64.checked_shl(dots)?;
        Some(Sought { rest, dots: dots + 1, cuts })
    }

    /// The lower, the longer are the names of the outer fields: 0 of one that is not nested.
    fn rank(self) -> u64 {
        self.cuts.reverse_bits()
    }
}

/// What is looked for in an object, by the places of the names.
type Level<'n> = [Option<Sought<'n>>; MOST];

/// An object in which fields are looked for; what is none has none.
struct Object<'n, 'v, 'l> {
    level: Level<'n>,
    text: Option<usize>,
    found: &'v mut Values<'l>,
}

impl<'l> Object<'_, '_, 'l> {
    /// Takes the value of a field that is sought, or leaves it where a better one is found.
    fn take<A: MapAccess<'l>>(&mut self, place: usize, object: &mut A) -> Result<(), A::Error> {
        let rank = self.level[place].map(Sought::rank);
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

impl<'l> DeserializeSeed<'l> for Object<'_, '_, 'l> {
    type Value = ();

    fn deserialize<D: Deserializer<'l>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_any(self)
    }
}

impl<'l> Visitor<'l> for Object<'_, '_, 'l> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'l>>(mut self, mut object: A) -> Result<(), A::Error> {
        while let Some(Key { itself, inside }) = object.next_key_seed(KeySeed(&self.level))? {
            match (itself, inside) {
                (None, None) => {
                    object.next_value::<IgnoredAny>()?;
                }
                (None, Some(level)) => {
                    let inner = Object { level, text: self.text, found: &mut *self.found };
                    object.next_value_seed(inner)?;
                }
                (Some(place), None) => self.take(place, &mut object)?,
                // A text is no object.
                (Some(place), Some(_)) if self.text == Some(place) => {
                    self.take(place, &mut object)?;
                }
                (Some(place), Some(level)) => {
                    self.take(place, &mut object)?;
                    let value = self.found.others[place].map(RawValue::get).unwrap_or_default();
                    let inner = Object { level, text: self.text, found: &mut *self.found };
                    let mut json = serde_json::Deserializer::from_str(value);
                    inner.deserialize(&mut json).map_err(Error::custom)?;
                }
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'l>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }
}

/// What a field is among those that are sought: one of them, or an object that may have some.
struct Key<'n> {
    itself: Option<usize>,
    inside: Option<Level<'n>>,
}

/// Finds the fields that a key names.
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
        let is_it = |sought: &Option<Sought>| sought.is_some_and(|sought| sought.rest == key);
        let itself = self.0.iter().position(is_it);
        let level = self.0.map(|sought| sought?.inside(key));
        let inside = level.iter().any(Option::is_some).then_some(level);
        Ok(Key { itself, inside })
    }
}

/// Takes the bytes of a string.
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

/// The fields of a line in their order, as far as they are named: of an object in it, those that it
/// has, by their dotted names.
fn names(line: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    let mut json = serde_json::Deserializer::from_slice(line);
    // What follows on a mistake has no names.
    let _ = json.deserialize_map(Names { names: &mut names, around: None });
    names
}

/// Lists the fields of an object.
struct Names<'v> {
    names: &'v mut Vec<String>,
    /// The name of the object; none of the line's.
    around: Option<String>,
}

impl Names<'_> {
    /// Lists the field itself, where it is no object or has no field.
    fn list(self) {
        if let Some(name) = self.around.filter(|name| !self.names.contains(name))
            && self.names.len() < NAMED.0
        {
            self.names.push(name);
        }
    }
}

impl<'l> DeserializeSeed<'l> for Names<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'l>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_any(self)
    }
}

impl<'l> Visitor<'l> for Names<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'l>>(self, mut object: A) -> Result<(), A::Error> {
        let mut is_empty = true;
        while let Some(name) = object.next_key::<String>()? {
            is_empty = false;
            let name = match &self.around {
                Some(around) => format!("{around}.{name}"),
                None => name,
            };
            let around = Some(name.chars().take(NAMED.1).collect());
            object.next_value_seed(Names { names: &mut *self.names, around })?;
        }
        if is_empty {
            self.list();
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'l>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        self.list();
        Ok(())
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        self.list();
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.list();
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.list();
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.list();
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.list();
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.list();
        Ok(())
    }
}

#[cfg(test)]
mod tests;
