//! A complete answer, and the records in it, which are written once all are known. Few records are
//! kept in memory, many in an unnamed temporary file: a corpus may have more pairs than fit into
//! memory.

use std::io::{self, ErrorKind, Read, Seek, Write};

use dedup_text::display::inert;
use dedup_text::text::cut_short;
use serde::Serialize;
use tempfile::SpooledTempFile;

/// The syntax of an answer that programs read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Syntax {
    Json,
    Other,
}

/// The number of bytes that are kept in memory before the records move to a temporary file.
const IN_MEMORY: usize = 1 << 26;

/// A sequence of records, kept in the order in which they were added.
#[derive(Debug)]
pub(crate) struct Spool {
    /// The string between two records.
    separator: &'static str,
    is_empty: bool,
    file: SpooledTempFile,
}

impl Spool {
    pub(crate) fn new(separator: &'static str) -> Self {
        Self::with_memory(separator, IN_MEMORY)
    }

    fn with_memory(separator: &'static str, bytes: usize) -> Self {
        Self { separator, is_empty: true, file: tempfile::spooled_tempfile(bytes) }
    }

    /// Appends a record.
    pub(crate) fn add(&mut self, record: &str) -> io::Result<()> {
        if !std::mem::replace(&mut self.is_empty, false) {
            self.file.write_all(self.separator.as_bytes())?;
        }
        self.file.write_all(record.as_bytes())
    }

    /// Writes all records.
    pub(crate) fn write_to(mut self, out: &mut dyn Write) -> io::Result<()> {
        let mut left = self.file.stream_position()?;
        self.file.rewind()?;
        let mut block = vec![0; 1 << 16];
        loop {
            match self.file.read(&mut block) {
                Ok(0) if left > 0 => return Err(cut_short(left)),
                Ok(0) => return Ok(()),
                Ok(read) => {
                    left = left.saturating_sub(read as u64);
                    out.write_all(&block[..read])?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// A complete answer: a sequence of texts and of records.
#[derive(Debug, Default)]
pub(crate) struct Rendered(Vec<Part>);

#[derive(Debug)]
enum Part {
    Bytes(Vec<u8>),
    Records(Spool),
}

impl From<String> for Rendered {
    fn from(all: String) -> Self {
        Self::from(all.into_bytes())
    }
}

impl From<Vec<u8>> for Rendered {
    fn from(all: Vec<u8>) -> Self {
        Self(vec![Part::Bytes(all)])
    }
}

impl From<Spool> for Rendered {
    fn from(records: Spool) -> Self {
        Self(vec![Part::Records(records)])
    }
}

impl Rendered {
    /// Appends a text.
    pub(crate) fn with_text(mut self, text: impl Into<String>) -> Self {
        self.0.push(Part::Bytes(text.into().into_bytes()));
        self
    }

    /// Appends records.
    pub(crate) fn with_records(mut self, records: Spool) -> Self {
        self.0.push(Part::Records(records));
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|part| match part {
            Part::Bytes(bytes) => bytes.is_empty(),
            Part::Records(records) => records.is_empty,
        })
    }

    /// Writes all parts.
    pub(crate) fn write_to(self, out: &mut dyn Write) -> io::Result<()> {
        self.0.into_iter().try_for_each(|part| match part {
            Part::Bytes(bytes) => out.write_all(&bytes),
            Part::Records(records) => records.write_to(out),
        })
    }

    /// Returns all parts as one string in memory.
    pub(crate) fn into_text(self) -> io::Result<String> {
        let mut text = Vec::new();
        self.write_to(&mut text)?;
        String::from_utf8(text).map_err(io::Error::other)
    }
}

/// A JSON object that is written field by field, so that the records in it need not be in memory.
#[derive(Default)]
pub(crate) struct JsonObject(Rendered);

impl JsonObject {
    /// Adds a field. Its name must not need escapes.
    pub(crate) fn with(self, name: &str, value: impl Serialize) -> anyhow::Result<Self> {
        self.with_some(name, Some(value))
    }

    /// Adds a field if it has a value.
    pub(crate) fn with_some(
        self,
        name: &str,
        value: Option<impl Serialize>,
    ) -> anyhow::Result<Self> {
        let Some(value) = value else { return Ok(self) };
        let value = inert::json(&value)?;
        Ok(Self(self.named(name).with_text(value)))
    }

    /// Adds an array of records that are JSON, separated by commas.
    pub(crate) fn with_records(self, name: &str, records: Spool) -> Self {
        Self(self.named(name).with_text("[").with_records(records).with_text("]"))
    }

    fn named(self, name: &str) -> Rendered {
        let before = if self.0.is_empty() { '{' } else { ',' };
        self.0.with_text(format!("{before}\"{name}\":"))
    }

    /// Returns the complete object, on one line.
    pub(crate) fn end(self) -> Rendered {
        self.0.with_text("}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_in_their_order_wherever_they_are_held() {
        #[rustfmt::skip]
        let table: [(&str, &'static str, &[&str], &str); 4] = [
            ("none",              ",", &[],                    ""),
            ("one",               ",", &["{}"],                "{}"),
            ("several",           ",", &["{\"a\":1}", "", "2"], "{\"a\":1},,2"),
            ("with their own end", "", &["a\n", "é\n"],        "a\né\n"),
        ];
        for (why, separator, records, want) in table {
            for bytes in [0, 3, 1000] {
                let mut spool = Spool::with_memory(separator, bytes);
                for record in records {
                    spool.add(record).unwrap();
                }
                let mut written = Vec::new();
                spool.write_to(&mut written).unwrap();
                assert_eq!(String::from_utf8(written).unwrap(), want, "{why}, {bytes} in memory");
            }
        }
    }

    #[test]
    fn records_stand_between_head_and_tail() {
        #[rustfmt::skip]
        let table: [(&str, &str, &[&str], &str, &str); 5] = [
            ("nothing",       "",  &[],         "",  ""),
            ("a head alone",  "[", &[],         "",  "["),
            ("a tail alone",  "",  &[],         "]", "]"),
            ("records alone", "",  &["1"],      "",  "1"),
            ("all three",     "[", &["1", "é"], "]", "[1,é]"),
        ];
        for (why, head, records, tail, want) in table {
            let mut spool = Spool::new(",");
            for record in records {
                spool.add(record).unwrap();
            }
            let rendered = Rendered::from(head.to_owned()).with_records(spool).with_text(tail);
            assert_eq!(rendered.is_empty(), want.is_empty(), "{why}");
            assert_eq!(rendered.into_text().unwrap(), want, "{why}");
        }
    }

    #[test]
    fn an_object_has_its_fields_and_records_in_their_order() {
        let records = |all: &[&str]| {
            let mut spool = Spool::new(",");
            for record in all {
                spool.add(record).unwrap();
            }
            spool
        };
        let object = JsonObject::default().with_some("no", None::<u32>).unwrap();
        let object = object.with_records("a", records(&["1", "{}"])).with("b", "\"}").unwrap();
        let object = object.with_some("c", Some([2])).unwrap().with_records("d", records(&[]));
        let want = "{\"a\":[1,{}],\"b\":\"\\\"}\",\"c\":[2],\"d\":[]}\n";
        assert_eq!(object.end().into_text().unwrap(), want);
    }

    #[test]
    fn many_records_come_back_whole() {
        let mut spool = Spool::with_memory("", 100);
        let record = "x".repeat(999) + "\n";
        for _ in 0..500 {
            spool.add(&record).unwrap();
        }
        let mut written = Vec::new();
        spool.write_to(&mut written).unwrap();
        assert!(written == record.repeat(500).as_bytes());
    }
}
