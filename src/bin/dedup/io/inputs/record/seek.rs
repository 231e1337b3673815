//! A line of JSON and the names of fields → their values.
//!
//! A name with full stops is that of a field of the object, or else of one in an object in it:
//! `meta.body` is the field `meta.body`, or `body` in `meta`. At each level the longest name of a
//! field wins, so that what stands in the object itself comes before what is nested; of a field that
//! stands twice the last counts. Nothing is read of other fields, however deep they are.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Error as JsonError;
use serde_json::value::RawValue;

/// The most different fields that are asked for.
pub(super) const MOST: usize = 4;

/// The most fields that are named, and the most characters of each.
pub(super) const NAMED: (usize, usize) = (20, 80);

/// What is found of the fields in a line, by the places of their names.
#[derive(Default)]
pub(super) struct Values<'l> {
    /// The bytes of the string in the field of the text.
    pub(super) text: Option<Cow<'l, [u8]>>,
    /// The values of the others.
    pub(super) others: [Option<&'l RawValue>; MOST],
    /// How deep each stands, once it is found; see [`Sought::rank`].
    ranks: [Option<u64>; MOST],
}

/// Finds fields in an object; that of the text is read as bytes. The cost is linear in the line.
///
/// # Errors
///
/// Where the line is no object, or the text no string.
pub(super) fn values<'l>(
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
pub(super) fn names(line: &[u8]) -> Vec<String> {
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
