//! A line of JSON → the record that it holds.
//!
//! Only the fields that are asked for are read; the text is taken byte by byte, so that
//! its decoder says what is wrong with it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::error::Category;
use serde_json::value::RawValue;

use crate::diagnostics::Diagnostic;

/// A record.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Record {
    pub(crate) name: String,
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
        /// The field that names a record.
        id: String,
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
            BadLine::Lacks { .. } => (NO_FIELD, OTHER_FIELDS),
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
                format!("no JSON object, expected one with the fields {id} and {text}")
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

/// The most fields that are named, and the most characters of each.
const NAMED: (usize, usize) = (20, 40);

/// The fields of a line, in their order, as far as they are named.
fn fields_of(line: &[u8]) -> Vec<String> {
    struct Names;
    impl<'l> Visitor<'l> for Names {
        type Value = Vec<String>;

        fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
            formatter.write_str("an object")
        }

        fn visit_map<A: MapAccess<'l>>(self, mut object: A) -> Result<Self::Value, A::Error> {
            let mut names: Vec<String> = Vec::new();
            while let Some(name) = object.next_key::<String>()? {
                object.next_value::<IgnoredAny>()?;
                if names.len() < NAMED.0 && !names.contains(&name) {
                    names.push(name.chars().take(NAMED.1).collect());
                }
            }
            Ok(names)
        }
    }
    let mut json = serde_json::Deserializer::from_slice(line);
    json.deserialize_map(Names).unwrap_or_default()
}

const WRITERS: &str =
    "dedup corpus --format jsonl and the programs in integrations/ write such records";

const OTHER_FIELDS: &str = "--id FIELD and --text FIELD take other fields";

/// The most different fields that are asked for.
const MOST: usize = 4;

/// The fields that are asked for.
#[derive(Debug)]
pub(crate) struct Fields {
    /// Their names, no two the same.
    names: Vec<String>,
    text: usize,
    id: usize,
    group: Option<usize>,
    worth: Option<usize>,
}

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
        Self { names, text, id, group, worth }
    }

    /// Reads a record. The cost is linear in the line.
    ///
    /// # Errors
    ///
    /// [`BadLine`] where the line holds none.
    pub(crate) fn record(&self, line: &[u8]) -> Result<Record, BadLine> {
        let mut json = serde_json::Deserializer::from_slice(line);
        let read = json.deserialize_map(Fill(self)).and_then(|found| json.end().map(|()| found));
        let found = read.map_err(|error| self.bad_line(line, &error))?;
        let field = |place: usize| self.names[place].clone();
        let lacks = |place| BadLine::Lacks { field: field(place), there: fields_of(line) };
        let name = found.values[self.id].ok_or_else(|| lacks(self.id))?;
        let wrong = || BadLine::WrongKind { field: field(self.id), wanted: "a string or a number" };
        let optional = |place: Option<usize>| {
            let value = found.values[place?].filter(|value| value.get() != "null")?;
            Some(plain(value).unwrap_or_else(|| value.get().to_owned()))
        };
        Ok(Record {
            name: plain(name).ok_or_else(wrong)?,
            group: optional(self.group),
            worth: optional(self.worth),
            text: found.text.ok_or_else(|| lacks(self.text))?.into_owned(),
        })
    }

    /// What is wrong with a line, in our words.
    fn bad_line(&self, line: &[u8], error: &serde_json::Error) -> BadLine {
        let [text, id] = [self.text, self.id].map(|place| self.names[place].clone());
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
    let object: BTreeMap<String, &RawValue> = serde_json::from_slice(line).ok()?;
    plain(object.get(field)?)
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

/// What is found of the fields in a line; of one that stands twice, the last.
#[derive(Default)]
struct Values<'l> {
    text: Option<Cow<'l, [u8]>>,
    values: [Option<&'l RawValue>; MOST],
}

/// Fills the fields from an object.
struct Fill<'f>(&'f Fields);

impl<'l> Visitor<'l> for Fill<'_> {
    type Value = Values<'l>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'l>>(self, mut object: A) -> Result<Self::Value, A::Error> {
        let mut found = Values::default();
        while let Some(field) = object.next_key_seed(Key(&self.0.names))? {
            match field {
                Some(place) if place == self.0.text => {
                    found.text = Some(object.next_value_seed(TextSeed)?);
                }
                Some(place) => found.values[place] = Some(object.next_value()?),
                None => {
                    object.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(found)
    }
}

/// Finds the place of a field among those asked for.
struct Key<'f>(&'f [String]);

impl<'l> DeserializeSeed<'l> for Key<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'l>>(self, key: D) -> Result<Self::Value, D::Error> {
        key.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Option<usize>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a field")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|name| name == key))
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

#[cfg(test)]
mod tests;
