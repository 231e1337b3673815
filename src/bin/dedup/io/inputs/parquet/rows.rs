//! Reads the requested cells of the rows of a Parquet file, batch by batch.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use chrono::DateTime;
use dedup_text::text::{defect, display_path};
use half::f16;
use parquet::basic::{ConvertedType, LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{DataType, Int96};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::schema::types::{ColumnDescriptor, SchemaDescriptor, Type};

use super::{ParquetRow, UnreadableRow, pages};
use crate::diagnostics::Diagnostic;
use crate::io::inputs::record::{BadLine, Need, OTHER_FIELDS, RequestedFields, shown};
use crate::io::inputs::table::MAGIC;
use crate::model::name_of_row;

/// The largest number of rows in a batch.
const BATCH: usize = 1 << 12;

/// The number of bytes of text at which a batch is full.
const BATCH_BYTES: usize = 1 << 24;

/// Reads the rows of a file. If a row group cannot be read, its error is the last item.
pub(crate) struct Rows {
    footer: Footer,
    is_piped: bool,
    /// The largest number of bytes of a text.
    max_bytes: usize,
    /// The largest number of bytes that a page may unpack to; `None` for no limit.
    max_unpacked: Option<u64>,
    /// The number of bytes of the file that each row accounts for.
    share: u64,
    /// The requested columns; `None` if one is not requested or does not exist.
    columns: [Option<(usize, ValueType)>; 4],
    /// The row group that is being read, or otherwise the next one, counted from 0.
    group: usize,
    reading: Option<Group>,
    /// The number of the first row that is not read yet, counted from 1.
    number: u64,
    is_over: bool,
}

/// The part of a row group that is not read yet.
struct Group {
    columns: [Option<Column>; 4],
    rows: usize,
    /// The number of rows that are read at once; it is small if the texts are long.
    step: usize,
}

impl Rows {
    /// Opens a file for reading the requested columns.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is not a Parquet file, if a required column is missing, or if a
    /// column has the wrong type or is not unique.
    pub(crate) fn new(
        path: &Path,
        file: File,
        asked: &RequestedFields,
        is_piped: bool,
        (max_bytes, max_unpacked): (usize, Option<u64>),
    ) -> anyhow::Result<Self> {
        let bytes = file.metadata().map_or(0, |known| known.len());
        let footer = Footer::read(path, file)?;
        let mut columns = [None; 4];
        for (at, asked) in asked.iter().enumerate() {
            let Some((field, need)) = *asked else { continue };
            columns[at] =
                footer.column(field, if at == 0 { Wanted::Strings } else { Wanted::Scalars })?;
            if columns[at].is_none() && need == Need::Required {
                let (field, there) = (field.to_owned(), footer.fields());
                return Err(footer.wrong(BadLine::Lacks { field, there }));
            }
        }
        let share = bytes / footer.rows().max(1);
        Ok(Self {
            footer,
            is_piped,
            max_bytes,
            max_unpacked,
            share,
            columns,
            group: 0,
            reading: None,
            number: 1,
            is_over: false,
        })
    }

    /// Returns the row with a number, counted from 1; `None` if there is none or it cannot be read.
    /// All rows before it in its row group are read as well.
    pub(crate) fn row(mut self, number: u64) -> Option<ParquetRow> {
        for group in self.footer.metadata.row_groups() {
            let next = self.number + group.num_rows().unsigned_abs();
            if number < next {
                break;
            }
            self.number = next;
            self.group += 1;
        }
        self.flatten().map_while(Result::ok).find(|row| row.number == number)
    }

    /// Reads the next rows, all from one row group; `None` at the end of the file.
    fn read(&mut self) -> Result<Option<Vec<ParquetRow>>, ParquetError> {
        while self.reading.as_ref().is_none_or(|group| group.rows == 0) {
            self.group += usize::from(self.reading.take().is_some());
            if self.group == self.footer.metadata.num_row_groups() {
                return Ok(None);
            }
            self.reading = Some(self.begin()?);
        }
        let Some(group) = &mut self.reading else { return Ok(None) };
        let (mut rows, mut bytes) = (Vec::new(), 0);
        while rows.len() < BATCH && bytes < BATCH_BYTES && group.rows > 0 {
            let step = group.step.min(group.rows).min(BATCH - rows.len());
            let mut columns = Vec::new();
            for column in &mut group.columns {
                let cells = column.as_mut().map(|column| column.cells(step)).transpose()?;
                columns.push(cells.unwrap_or_default().into_iter());
            }
            for _ in 0..step {
                let cells = [0, 1, 2, 3].map(|at| columns[at].next().flatten());
                bytes += cells[0].as_ref().map_or(0, Vec::len);
                rows.push(ParquetRow {
                    file: Arc::clone(&self.footer.path),
                    number: self.number,
                    is_read_once: self.is_piped,
                    bytes: self.share,
                    cells,
                });
                self.number += 1;
            }
            group.rows -= step;
        }
        Ok(Some(rows))
    }

    /// Opens the columns of the next row group.
    fn begin(&self) -> Result<Group, ParquetError> {
        let group = self.footer.metadata.row_group(self.group);
        let open = |(at, meaning): (usize, ValueType)| -> Result<Column, ParquetError> {
            let reader = pages::column(&self.footer.file, group, at, self.max_unpacked)?;
            Ok(Column::new(reader, meaning, &self.footer.schema().columns()[at]))
        };
        let mut columns = [const { None }; 4];
        for (column, place) in columns.iter_mut().zip(self.columns) {
            *column = place.map(open).transpose()?;
        }
        let rows = usize::try_from(group.num_rows())?;
        let text = self.columns[0].map_or(0, |(at, _)| group.column(at).uncompressed_size());
        let bytes = usize::try_from(text)?;
        let step = (BATCH_BYTES / (bytes / rows.max(1)).max(1)).clamp(1, BATCH);
        Ok(Group { columns, rows, step })
    }

    /// Returns a row, or an error if its text is too long.
    fn checked(&self, row: ParquetRow) -> Result<ParquetRow, UnreadableRow> {
        if row.cells[0].as_ref().is_none_or(|text| text.len() <= self.max_bytes) {
            return Ok(row);
        }
        let error = Diagnostic::new(format!("larger than the limit of {} bytes", self.max_bytes))
            .kind("too long")
            .hint("--max-bytes off lifts the limit")
            .flags(["max-bytes"]);
        let name = name_of_row(&row.file, row.number);
        Err(UnreadableRow { error: anyhow::Error::from(error).context(name.clone()), name })
    }
}

impl Iterator for Rows {
    type Item = Vec<Result<ParquetRow, UnreadableRow>>;

    /// Returns the next rows, each as a row or as an error.
    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        match caught(|| self.read()) {
            Ok(rows) => Some(rows?.into_iter().map(|row| self.checked(row)).collect()),
            Err(error) => {
                self.is_over = true;
                let error = self.footer.damaged(self.group, &error);
                let name = self.footer.name_of_group(self.group);
                Some(vec![Err(UnreadableRow { name, error })])
            }
        }
    }
}

// The footer of a file: its columns, and the positions of its row groups.

/// The bytes at the end of a file that is encrypted, completely or in some columns.
const ENCRYPTED: &[u8] = b"PARE";

/// A file and its footer.
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
    /// Returns an error if there is none, or if its content is impossible.
    pub(crate) fn read(path: &Path, file: File) -> anyhow::Result<Self> {
        let name = display_path(path);
        let [head, tail, length] = ends(&file).map_err(|error| {
            Diagnostic::new(format!("{name}: cannot be read"))
                .source(error)
                .hint("check that the file exists and is readable")
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
                "write it again without encryption",
            );
        }
        if head[..4] != *MAGIC {
            return wrong("does not begin with PAR1, expected a Parquet file", OTHERS);
        }
        if bytes < 12 || tail[4..] != *MAGIC {
            return wrong(
                "truncated: does not end with PAR1, expected a complete Parquet file",
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
                "{name}: a damaged footer: {found}, expected a description of the file"
            ))
            .kind("no Parquet")
            .hint(WHOLE)
        })?;
        let footer = Self { path: path.into(), file: Arc::new(file), metadata };
        footer.check(bytes)?;
        Ok(footer)
    }

    /// Checks that all columns are inside the file.
    fn check(&self, bytes: u64) -> anyhow::Result<()> {
        for (number, group) in self.metadata.row_groups().iter().enumerate() {
            if group.num_rows() < 0 {
                let found = format!("{} rows, expected at least 0", group.num_rows());
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

    /// Returns the error for a row group, counted from 0, that cannot be read.
    pub(super) fn damaged(&self, group: usize, error: &ParquetError) -> anyhow::Error {
        let message = match error {
            ParquetError::NYI(_) => message(error),
            _ => format!("damaged: {}, expected what the footer says", message(error)),
        };
        let hint = match error {
            ParquetError::NYI(_) => "write it again in another way",
            _ => WHOLE,
        };
        let name = self.name_of_group(group);
        anyhow::Error::from(Diagnostic::new(message).kind("no Parquet").hint(hint)).context(name)
    }

    /// Returns the name of a row group for messages. The index counts from 0, the name from 1.
    fn name_of_group(&self, group: usize) -> String {
        format!("{}: row group {}", display_path(&self.path), group + 1)
    }

    pub(super) fn schema(&self) -> &SchemaDescriptor {
        self.metadata.file_metadata().schema_descr()
    }

    /// Returns the number of rows.
    pub(super) fn rows(&self) -> u64 {
        self.metadata.row_groups().iter().map(|group| group.num_rows().unsigned_abs()).sum()
    }

    /// Reports whether another file has the same columns.
    pub(crate) fn has_columns_of(&self, other: &Self) -> bool {
        let [one, other] = [self, other].map(|it| it.schema().root_schema().get_fields());
        one == other
    }

    /// Reports whether there is a field with a name.
    pub(crate) fn has(&self, field: &str) -> bool {
        self.schema().root_schema().get_fields().iter().any(|it| it.name() == field)
    }

    /// Returns the index of the column of a field; `None` if there is none. `meta.body` is the
    /// field of that name, or otherwise `body` in the struct `meta`.
    ///
    /// # Errors
    ///
    /// Returns an error if there are several such columns, or if the column has neither strings
    /// nor, where these are accepted, numbers.
    pub(super) fn column(
        &self,
        field: &str,
        of: Wanted,
    ) -> anyhow::Result<Option<(usize, ValueType)>> {
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
        let meaning = ValueType::of(column).filter(|meaning| match of {
            Wanted::Strings => {
                column.physical_type() == Physical::BYTE_ARRAY && *meaning == ValueType::Plain
            }
            Wanted::Scalars => true,
        });
        let is = || match (column.logical_type_ref(), column.converted_type()) {
            (Some(LogicalType::Decimal(_)), _) | (_, ConvertedType::DECIMAL) => {
                format!("DECIMAL({}, {})", column.type_precision(), column.type_scale())
            }
            (_, ConvertedType::NONE) => column.physical_type().to_string(),
            (_, converted) => converted.to_string(),
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
        let error = error.flags(["id", "text"]);
        anyhow::Error::from(error).context(display_path(&self.path).into_owned())
    }

    /// Returns the error for a field that is missing or occurs twice.
    fn wrong(&self, wrong: BadLine) -> anyhow::Error {
        anyhow::Error::from(wrong).context(display_path(&self.path).into_owned())
    }

    /// Returns the names of the fields for a message. A struct is replaced by the fields in it.
    pub(super) fn fields(&self) -> Vec<String> {
        let mut names = Vec::new();
        for field in self.schema().root_schema().get_fields() {
            add_names(field, field.name().to_owned(), &mut names);
        }
        shown(&names)
    }
}

/// The type that a column must have.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Wanted {
    Strings,
    Scalars,
}

const WHOLE: &str = "copy it or write it again";

const OTHERS: &str = "--jsonl and --csv read records in other formats";

/// Returns the first eight bytes of a file, its last eight bytes, and its size in little-endian
/// order. If the file is shorter than eight bytes, they are padded with zeros.
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

/// Calls `work` in the `parquet` crate, which may panic on damaged data, and turns a panic into an
/// error.
pub(super) fn caught<R>(work: impl FnOnce() -> Result<R>) -> Result<R> {
    let impossible = |_| Err(ParquetError::General("sizes or values that cannot be".to_owned()));
    defect::catch(work).unwrap_or_else(impossible)
}

/// Returns the message of an error.
pub(super) fn message(error: &ParquetError) -> String {
    match error {
        ParquetError::General(said) | ParquetError::NYI(said) | ParquetError::EOF(said) => {
            said.clone()
        }
        other => other.to_string(),
    }
}

/// Returns the group with a name, which may be a dotted path of nested groups.
fn group<'t>(within: &'t Type, field: &str) -> Option<&'t Type> {
    within.get_fields().iter().filter(|it| it.is_group()).find_map(|it| {
        if it.name() == field {
            return Some(&**it);
        }
        group(it, field.strip_prefix(it.name())?.strip_prefix('.')?)
    })
}

/// Returns the kind of a group, with its article, for a message.
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

// Converts the values of a column to strings or numbers as JSON has them.

/// The largest number of digits after the decimal point that fits into a 128-bit integer.
const MAX_DIGITS: usize = 38;

/// The largest number of bytes of a decimal: those of a 128-bit integer.
const MAX_DECIMAL_BYTES: i32 = 16;

/// The interpretation of the values of a column.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum ValueType {
    /// Strings, or numbers without a special interpretation.
    Plain,
    /// Unsigned integers.
    Unsigned,
    /// Days since 1 January 1970.
    Date,
    /// Milliseconds, microseconds or nanoseconds since 1970; `digits` is 3, 6 or 9 accordingly.
    Time {
        digits: u32,
        is_utc: bool,
    },
    /// Decimals; `scale` is the number of digits after the decimal point.
    Decimal {
        scale: usize,
    },
    /// Numbers of 16 bits with a binary point.
    Half,
    Uuid,
}

impl ValueType {
    /// Returns the interpretation of a column; `None` if its values are not strings, numbers, times
    /// or truth values.
    pub(super) fn of(column: &ColumnDescriptor) -> Option<Self> {
        let scale = usize::try_from(column.type_scale()).unwrap_or_default();
        let is_utc = true;
        let meant = match column.logical_type_ref() {
            Some(LogicalType::Integer(int)) if !int.is_signed => Self::Unsigned,
            Some(LogicalType::Date) => Self::Date,
            Some(LogicalType::Timestamp(time)) => {
                let digits = match time.unit {
                    TimeUnit::MILLIS => 3,
                    TimeUnit::MICROS => 6,
                    TimeUnit::NANOS => 9,
                };
                Self::Time { digits, is_utc: time.is_adjusted_to_u_t_c }
            }
            Some(LogicalType::Decimal(_)) if scale <= MAX_DIGITS => Self::Decimal { scale },
            Some(LogicalType::Float16) => Self::Half,
            Some(LogicalType::Uuid) => Self::Uuid,
            _ => match column.converted_type() {
                ConvertedType::UINT_8
                | ConvertedType::UINT_16
                | ConvertedType::UINT_32
                | ConvertedType::UINT_64 => Self::Unsigned,
                ConvertedType::DATE => Self::Date,
                ConvertedType::TIMESTAMP_MILLIS => Self::Time { digits: 3, is_utc },
                ConvertedType::TIMESTAMP_MICROS => Self::Time { digits: 6, is_utc },
                ConvertedType::DECIMAL if scale <= MAX_DIGITS => Self::Decimal { scale },
                _ if column.physical_type() == Physical::INT96 => {
                    Self::Time { digits: 9, is_utc: false }
                }
                _ => Self::Plain,
            },
        };
        let is_read = match column.physical_type() {
            Physical::INT32 | Physical::INT64 => !matches!(meant, Self::Half | Self::Uuid),
            Physical::INT96 => matches!(meant, Self::Time { .. }),
            Physical::BOOLEAN | Physical::FLOAT | Physical::DOUBLE | Physical::BYTE_ARRAY => {
                meant == Self::Plain
            }
            Physical::FIXED_LEN_BYTE_ARRAY => match meant {
                Self::Decimal { .. } => column.type_length() <= MAX_DECIMAL_BYTES,
                _ => matches!(meant, Self::Half | Self::Uuid),
            },
        };
        is_read.then_some(meant)
    }

    /// Formats an integer according to the interpretation.
    fn number(self, number: i64) -> String {
        match self {
            Self::Date => time(number.checked_mul(86_400), 0, "%Y-%m-%d"),
            Self::Time { digits, is_utc } => {
                let parts = 10_i64.pow(digits);
                let nanoseconds = number.rem_euclid(parts) * 10_i64.pow(9 - digits);
                time(Some(number.div_euclid(parts)), nanoseconds, &format_of_time(digits, is_utc))
            }
            Self::Decimal { scale } => return decimal(number.into(), scale),
            Self::Plain | Self::Unsigned | Self::Half | Self::Uuid => None,
        }
        .unwrap_or_else(|| number.to_string())
    }
}

/// Formats a decimal, given without its decimal point, which has `scale` digits after it.
fn decimal(number: i128, scale: usize) -> String {
    let (sign, digits) = (if number < 0 { "-" } else { "" }, number.unsigned_abs());
    let digits = format!("{digits:0>width$}", width = scale + 1);
    let (whole, rest) = digits.split_at(digits.len() - scale);
    let point = if scale > 0 { "." } else { "" };
    format!("{sign}{whole}{point}{rest}")
}

/// Parses an integer of at most 16 bytes in two's complement, the most significant byte first.
fn big_endian(bytes: &[u8]) -> i128 {
    let is_negative = bytes.first().is_some_and(|first| *first >= 0x80);
    bytes.iter().fold(if is_negative { -1 } else { 0 }, |high, byte| high << 8 | i128::from(*byte))
}

/// Parses a number of 16 bits with a binary point (IEEE 754 binary16), the least significant byte
/// first. `None` if it is infinite or NaN.
fn half(bytes: &[u8]) -> Option<f32> {
    let number = f16::from_le_bytes(bytes.try_into().ok()?).to_f32();
    number.is_finite().then_some(number)
}

/// Returns the format of a time with a number of digits after the second.
fn format_of_time(digits: u32, is_utc: bool) -> String {
    format!("%Y-%m-%dT%H:%M:%S%.{digits}f{}", if is_utc { "Z" } else { "" })
}

/// Formats an INT96, which is a day and a nanosecond of the day; `None` if it is outside the range
/// of the calendar. It is not converted to nanoseconds since 1970, which may not fit into 64 bits.
fn time_of_day(time: Int96) -> Option<String> {
    let nanoseconds = u64::from(time.data()[1]) << 32 | u64::from(time.data()[0]);
    let nanoseconds = i64::try_from(nanoseconds % 1_000_000_000).ok()?;
    self::time(Some(time.to_seconds()), nanoseconds, &format_of_time(9, false))
}

/// Formats a time; `None` if it is outside the range of the calendar.
fn time(seconds: Option<i64>, nanoseconds: i64, format: &str) -> Option<String> {
    let time = DateTime::from_timestamp(seconds?, u32::try_from(nanoseconds).ok()?)?;
    Some(time.format(format).to_string())
}

/// A column of a row group, read from its first row on.
pub(super) struct Column {
    reader: ColumnReader,
    meaning: ValueType,
    /// The definition level of a value that is not null.
    max_level: i16,
}

impl Column {
    pub(super) fn new(reader: ColumnReader, meaning: ValueType, column: &ColumnDescriptor) -> Self {
        Self { reader, meaning, max_level: column.max_def_level() }
    }

    /// Reads the next `count` values: one for each row, `None` for a null.
    ///
    /// # Errors
    ///
    /// Returns an error if there are fewer values, or if they are damaged.
    pub(super) fn cells(&mut self, count: usize) -> Result<Vec<Option<Vec<u8>>>> {
        let (meaning, max_level) = (self.meaning, self.max_level);
        let written = |value: String| Some(value.into_bytes());
        let number = |number: i64| written(meaning.number(number));
        let is_unsigned = meaning == ValueType::Unsigned;
        // JSON has no infinite numbers and no NaN.
        match &mut self.reader {
            ColumnReader::BoolColumnReader(column) => {
                read(column, max_level, count, |value| written(value.to_string()))
            }
            ColumnReader::Int32ColumnReader(column) => read(column, max_level, count, |value| {
                number(if is_unsigned { value.cast_unsigned().into() } else { value.into() })
            }),
            ColumnReader::Int64ColumnReader(column) => read(column, max_level, count, |value| {
                if is_unsigned { written(value.cast_unsigned().to_string()) } else { number(value) }
            }),
            ColumnReader::Int96ColumnReader(column) => {
                read(column, max_level, count, |value| written(time_of_day(value)?))
            }
            ColumnReader::FloatColumnReader(column) => read(column, max_level, count, |value| {
                written(format!("{value:?}")).filter(|_| value.is_finite())
            }),
            ColumnReader::DoubleColumnReader(column) => read(column, max_level, count, |value| {
                written(format!("{value:?}")).filter(|_| value.is_finite())
            }),
            ColumnReader::ByteArrayColumnReader(column) => {
                read(column, max_level, count, |value| Some(value.data().to_vec()))
            }
            ColumnReader::FixedLenByteArrayColumnReader(column) => {
                read(column, max_level, count, |value| match meaning {
                    ValueType::Decimal { scale } => {
                        written(decimal(big_endian(value.data()), scale))
                    }
                    ValueType::Half => written(format!("{:?}", half(value.data())?)),
                    _ => written(uuid(value.data())),
                })
            }
        }
    }
}

fn read<T: DataType>(
    column: &mut ColumnReaderImpl<T>,
    max_level: i16,
    count: usize,
    value: impl Fn(T::T) -> Option<Vec<u8>>,
) -> Result<Vec<Option<Vec<u8>>>> {
    let (mut levels, mut values) = (Vec::new(), Vec::with_capacity(count));
    let (read, ..) = column.read_records(count, Some(&mut levels), None, &mut values)?;
    if read != count {
        return Err(ParquetError::EOF("a column with fewer rows than its row group".to_owned()));
    }
    let mut values = values.into_iter();
    if max_level == 0 {
        return Ok(values.map(value).collect());
    }
    let cell = |level| if level == max_level { values.next().and_then(&value) } else { None };
    Ok(levels.into_iter().map(cell).collect())
}

fn uuid(bytes: &[u8]) -> String {
    let digits = data_encoding::HEXLOWER.encode(bytes);
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32];
    parts.map(|part| digits.get(part).unwrap_or_default().to_owned()).join("-")
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod values_tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_in_json() {
        let time = |digits, is_utc| ValueType::Time { digits, is_utc };
        #[rustfmt::skip]
        let table = [
            ("a number",            ValueType::Plain,                -7,                        "-7"),
            ("a day",               ValueType::Date,                 20_417,                    "2025-11-25"),
            ("before 1970",         ValueType::Date,                 -1,                        "1969-12-31"),
            ("beyond the calendar", ValueType::Date,                 i64::MAX,                  "9223372036854775807"),
            ("milliseconds",        time(3, true),                 1_700_000_000_007,         "2023-11-14T22:13:20.007Z"),
            ("microseconds",        time(6, false),                1_700_000_000_000_007,     "2023-11-14T22:13:20.000007"),
            ("nanoseconds",         time(9, true),                 1_700_000_000_000_000_007, "2023-11-14T22:13:20.000000007Z"),
            ("a part before 1970",  time(3, true),                 -1,                        "1969-12-31T23:59:59.999Z"),
            ("a decimal",           ValueType::Decimal { scale: 2 }, -1234,                     "-12.34"),
            ("below one",           ValueType::Decimal { scale: 3 }, 7,                         "0.007"),
            ("without a point",     ValueType::Decimal { scale: 0 }, 7,                         "7"),
        ];
        for (why, meaning, number, want) in table {
            assert_eq!(meaning.number(number), want, "{why}");
        }
        for (day, nanoseconds, want) in [
            (2_440_588, 1_500_000_000, "1970-01-01T00:00:01.500000000"),
            (5_373_484, 0, "9999-12-31T00:00:00.000000000"),
        ] {
            let mut time = Int96::new();
            time.set_data(nanoseconds, 0, day);
            assert_eq!(time_of_day(time).as_deref(), Some(want));
        }
        let bytes: Vec<u8> = (0..16).collect();
        assert_eq!(uuid(&bytes), "00010203-0405-0607-0809-0a0b0c0d0e0f");
    }
}
