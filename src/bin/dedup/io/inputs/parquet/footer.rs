//! A file → what its footer says of it: its columns, and where its row groups are.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use dedup_text::text::{defect, display_path};
use parquet::basic::{ConvertedType, LogicalType, Repetition};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::schema::types::{SchemaDescriptor, Type};

use super::values::Meaning;
use crate::diagnostics::Diagnostic;
use crate::io::inputs::record::{BadLine, OTHER_FIELDS, shown};
use crate::io::inputs::table::MAGIC;

/// What a file with encrypted columns, or all of it encrypted, ends with.
const ENCRYPTED: &[u8] = b"PARE";

/// A file, and what its footer says of it.
pub(crate) struct Footer {
    pub(super) path: Arc<Path>,
    pub(super) file: Arc<File>,
    pub(super) metadata: ParquetMetaData,
}

impl Footer {
    /// Reads the footer of a file.
    ///
    /// # Errors
    ///
    /// Where it is none, or says what cannot be.
    pub(crate) fn read(path: &Path, file: File) -> anyhow::Result<Self> {
        let name = display_path(path);
        let [head, tail, length] = ends(&file).map_err(|error| {
            Diagnostic::new(format!("{name}: cannot be read"))
                .source(error)
                .hint("check that it is there and may be read")
        })?;
        let wrong = |found: &str, hint: &str| {
            Err(Diagnostic::new(format!("{name}: {found}")).kind("no Parquet").hint(hint).into())
        };
        let bytes = u64::from_le_bytes(length);
        if bytes == 0 {
            return wrong("empty, expected a Parquet file", OTHERS);
        }
        if head[..4] == *ENCRYPTED || tail[4..] == *ENCRYPTED {
            return wrong(
                "encrypted Parquet, expected a file without a key",
                "write it anew without encryption",
            );
        }
        if head[..4] != *MAGIC {
            return wrong("no Parquet file: it does not begin with PAR1, expected one", OTHERS);
        }
        if bytes < 12 || tail[4..] != *MAGIC {
            return wrong(
                "cut short: it does not end with PAR1, expected a whole Parquet file",
                WHOLE,
            );
        }
        let footer = u64::from(u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]));
        if footer > bytes - 12 {
            let found =
                format!("a footer of {footer} bytes in a file of {bytes}, expected one that fits");
            return wrong(&found, WHOLE);
        }
        let read = || ParquetMetaDataReader::new().parse_and_finish(&file);
        let metadata = caught(read).map_err(|error| {
            let found = message(&error);
            Diagnostic::new(format!(
                "{name}: a damaged footer: {found}, expected what the file holds"
            ))
            .kind("no Parquet")
            .hint(WHOLE)
        })?;
        let footer = Self { path: path.into(), file: Arc::new(file), metadata };
        footer.check(bytes)?;
        Ok(footer)
    }

    /// Checks that all columns are within the file.
    fn check(&self, bytes: u64) -> anyhow::Result<()> {
        for (number, group) in self.metadata.row_groups().iter().enumerate() {
            if group.num_rows() < 0 {
                let found = format!("{} rows, expected none at least", group.num_rows());
                return Err(self.damaged(number, &ParquetError::General(found)));
            }
            for chunk in group.columns() {
                let name = chunk.column_path().string();
                let wrong = |found: &str| {
                    self.damaged(
                        number,
                        &ParquetError::General(format!("the column {name} {found}")),
                    )
                };
                if let Some(other) = chunk.file_path() {
                    return Err(wrong(&format!("is in the file {other}, expected it in this one")));
                }
                let range =
                    caught(|| Ok(chunk.byte_range())).map_err(|error| wrong(&message(&error)))?;
                if range.0.checked_add(range.1).is_none_or(|end| end > bytes) {
                    return Err(wrong("lies beyond the end of the file"));
                }
            }
        }
        Ok(())
    }

    /// The error where a row group, by its number from 0, cannot be read.
    pub(super) fn damaged(&self, group: usize, error: &ParquetError) -> anyhow::Error {
        let message = match error {
            ParquetError::NYI(_) => message(error),
            _ => format!("damaged: {}, expected what the footer says", message(error)),
        };
        let hint = match error {
            ParquetError::NYI(_) => "write it anew in another way",
            _ => WHOLE,
        };
        let name = self.name_of_group(group);
        anyhow::Error::from(Diagnostic::new(message).kind("no Parquet").hint(hint)).context(name)
    }

    /// The name of a row group, by its number from 0, for people.
    pub(super) fn name_of_group(&self, group: usize) -> String {
        format!("{}: row group {}", display_path(&self.path), group + 1)
    }

    pub(super) fn schema(&self) -> &SchemaDescriptor {
        self.metadata.file_metadata().schema_descr()
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> u64 {
        self.metadata.row_groups().iter().map(|group| group.num_rows().unsigned_abs()).sum()
    }

    /// Whether a file has the same columns.
    pub(crate) fn has_columns_of(&self, other: &Self) -> bool {
        let [one, other] = [self, other].map(|it| it.schema().root_schema().get_fields());
        one == other
    }

    /// Whether there is a field of a name.
    pub(crate) fn has(&self, field: &str) -> bool {
        self.schema().root_schema().get_fields().iter().any(|it| it.name() == field)
    }

    /// The place of the column of a field among all of them; none where there is none. `meta.body` is the field
    /// of that name, or else `body` in the struct `meta`.
    ///
    /// # Errors
    ///
    /// Where there are several, or it is no column of strings, or of strings or numbers.
    pub(super) fn column(
        &self,
        field: &str,
        of: Wanted,
    ) -> anyhow::Result<Option<(usize, Meaning)>> {
        let columns = self.schema().columns();
        let is_one = |parts: &[String]| parts.len() == 1 && parts[0] == field;
        let named = |is: &dyn Fn(&[String]) -> bool| -> Vec<usize> {
            (0..columns.len()).filter(|at| is(columns[*at].path().parts())).collect()
        };
        let mut found = named(&is_one);
        let group = group(self.schema().root_schema(), field);
        if found.is_empty() && !self.has(field) {
            found = named(&|parts| parts.join(".") == field);
        }
        let at = match (found.as_slice(), group) {
            ([at], _) => *at,
            ([], Some(group)) => return Err(self.no_column(field, kind(group), of)),
            ([], None) => return Ok(None),
            _ => return Err(self.wrong(BadLine::Twice { field: field.to_owned() })),
        };
        let column = &columns[at];
        if column.max_rep_level() > 0 {
            return Err(self.no_column(field, "a list", of));
        }
        let meaning = Meaning::of(column).filter(|meaning| match of {
            Wanted::Strings => {
                column.physical_type() == parquet::basic::Type::BYTE_ARRAY
                    && *meaning == Meaning::Plain
            }
            Wanted::Scalars => true,
        });
        let is = || match column.logical_type_ref() {
            Some(logical) => format!("{logical:?}"),
            None => column.physical_type().to_string(),
        };
        meaning
            .map(|meaning| Some((at, meaning)))
            .ok_or_else(|| self.no_column(field, &format!("of the type {}", is()), of))
    }

    fn no_column(&self, field: &str, is: &str, of: Wanted) -> anyhow::Error {
        let wanted = match of {
            Wanted::Strings => "strings",
            Wanted::Scalars => "strings or numbers",
        };
        let message = format!("the column {field} is {is}, expected one of {wanted}");
        let error = Diagnostic::new(message).kind("wrong field").hint(OTHER_FIELDS);
        anyhow::Error::from(error).context(display_path(&self.path).into_owned())
    }

    /// The error where a field is not as it must be.
    pub(super) fn wrong(&self, wrong: BadLine) -> anyhow::Error {
        anyhow::Error::from(wrong).context(display_path(&self.path).into_owned())
    }

    /// The names of the fields, as far as they are shown; of a struct those that are in it.
    pub(super) fn fields(&self) -> Vec<String> {
        let mut names = Vec::new();
        for field in self.schema().root_schema().get_fields() {
            add_names(field, field.name().to_owned(), &mut names);
        }
        shown(&names)
    }
}

/// What a column must be of.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Wanted {
    Strings,
    Scalars,
}

const WHOLE: &str = "copy it or write it anew";

const OTHERS: &str = "--jsonl and --csv read records in other formats";

/// The first bytes of a file, its last ones, and how many there are. A file may have fewer.
fn ends(mut file: &File) -> io::Result<[[u8; 8]; 3]> {
    let bytes = file.metadata()?.len();
    let mut read = |from: u64| {
        let mut end = Vec::with_capacity(8);
        file.seek(SeekFrom::Start(from))?;
        file.take(8).read_to_end(&mut end)?;
        end.resize(8, 0);
        io::Result::Ok(end.try_into().unwrap_or_default())
    };
    Ok([read(0)?, read(bytes.saturating_sub(8))?, bytes.to_le_bytes()])
}

/// Does what the crate does, which may panic on what is damaged: that is an error as others are.
pub(super) fn caught<R>(
    work: impl FnOnce() -> parquet::errors::Result<R>,
) -> parquet::errors::Result<R> {
    let impossible = |_| Err(ParquetError::General("sizes or values that cannot be".to_owned()));
    defect::catch(work).unwrap_or_else(impossible)
}

/// What an error says.
pub(super) fn message(error: &ParquetError) -> String {
    match error {
        ParquetError::General(said) | ParquetError::NYI(said) | ParquetError::EOF(said) => {
            said.clone()
        }
        other => other.to_string(),
    }
}

/// The group of a name, which may be in others.
fn group<'t>(within: &'t Type, field: &str) -> Option<&'t Type> {
    within.get_fields().iter().filter(|it| it.is_group()).find_map(|it| {
        if it.name() == field {
            return Some(&**it);
        }
        group(it, field.strip_prefix(it.name())?.strip_prefix('.')?)
    })
}

/// What a group is, with its article.
fn kind(group: &Type) -> &'static str {
    let info = group.get_basic_info();
    match (info.logical_type_ref(), info.converted_type()) {
        (Some(LogicalType::List), _) | (_, ConvertedType::LIST) => "a list",
        (Some(LogicalType::Map), _) | (_, ConvertedType::MAP | ConvertedType::MAP_KEY_VALUE) => {
            "a map"
        }
        _ if info.has_repetition() && info.repetition() == Repetition::REPEATED => "a list",
        _ => "a struct",
    }
}

fn add_names(field: &Type, name: String, names: &mut Vec<String>) {
    if field.is_primitive() || kind(field) != "a struct" {
        names.push(name);
        return;
    }
    for inner in field.get_fields() {
        add_names(inner, format!("{name}.{}", inner.name()), names);
    }
}
