//! Values of a column → what they are in JSON, where they are a string or a number.

use chrono::DateTime;
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::{ParquetError, Result};
use parquet::schema::types::ColumnDescriptor;

/// The most digits behind the point of a whole number.
const MOST_DIGITS: usize = 18;

/// What the values of a column mean.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Meaning {
    /// Strings, or numbers as they stand.
    Plain,
    /// Numbers of which none is below zero.
    Unsigned,
    /// Days since 1970.
    Date,
    /// Parts of a second since 1970, and how many digits these are.
    Time {
        digits: u32,
        is_utc: bool,
    },
    /// Decimals; `scale` is the number of digits behind the point.
    Decimal {
        scale: usize,
    },
    Uuid,
}

impl Meaning {
    /// That of a column; none where its values are no strings, numbers, times or truth values.
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
            Some(LogicalType::Decimal(_)) if scale <= MOST_DIGITS => Self::Decimal { scale },
            Some(LogicalType::Uuid) => Self::Uuid,
            _ => match column.converted_type() {
                ConvertedType::UINT_8
                | ConvertedType::UINT_16
                | ConvertedType::UINT_32
                | ConvertedType::UINT_64 => Self::Unsigned,
                ConvertedType::DATE => Self::Date,
                ConvertedType::TIMESTAMP_MILLIS => Self::Time { digits: 3, is_utc },
                ConvertedType::TIMESTAMP_MICROS => Self::Time { digits: 6, is_utc },
                ConvertedType::DECIMAL if scale <= MOST_DIGITS => Self::Decimal { scale },
                _ if column.physical_type() == Type::INT96 => {
                    Self::Time { digits: 9, is_utc: false }
                }
                _ => Self::Plain,
            },
        };
        let is_read = match column.physical_type() {
            Type::INT32 | Type::INT64 => meant != Self::Uuid,
            Type::INT96 => matches!(meant, Self::Time { .. }),
            Type::BOOLEAN | Type::FLOAT | Type::DOUBLE | Type::BYTE_ARRAY => meant == Self::Plain,
            Type::FIXED_LEN_BYTE_ARRAY => meant == Self::Uuid,
        };
        is_read.then_some(meant)
    }

    /// A whole number.
    fn number(self, number: i64) -> String {
        match self {
            Self::Date => time(number.checked_mul(86_400), 0, "%Y-%m-%d"),
            Self::Time { digits, is_utc } => {
                let parts = 10_i64.pow(digits);
                let nanoseconds = number.rem_euclid(parts) * 10_i64.pow(9 - digits);
                let format =
                    format!("%Y-%m-%dT%H:%M:%S%.{digits}f{}", if is_utc { "Z" } else { "" });
                time(Some(number.div_euclid(parts)), nanoseconds, &format)
            }
            Self::Decimal { scale: scale @ 1.. } => {
                let (sign, digits) = (if number < 0 { "-" } else { "" }, number.unsigned_abs());
                let digits = format!("{digits:0>width$}", width = scale + 1);
                let (whole, rest) = digits.split_at(digits.len() - scale);
                return format!("{sign}{whole}.{rest}");
            }
            Self::Plain | Self::Unsigned | Self::Decimal { .. } | Self::Uuid => None,
        }
        .unwrap_or_else(|| number.to_string())
    }
}

/// A time as it is written; none where no calendar has it.
fn time(seconds: Option<i64>, nanoseconds: i64, format: &str) -> Option<String> {
    let time = DateTime::from_timestamp(seconds?, u32::try_from(nanoseconds).ok()?)?;
    Some(time.format(format).to_string())
}

/// A column of a row group, which is read from its first row on.
pub(super) struct Column {
    reader: ColumnReader,
    meaning: Meaning,
    /// The definition level of a value that is not null.
    max_level: i16,
}

impl Column {
    pub(super) fn new(reader: ColumnReader, meaning: Meaning, column: &ColumnDescriptor) -> Self {
        Self { reader, meaning, max_level: column.max_def_level() }
    }

    /// Reads the next values: one for each row, none where it is null.
    ///
    /// # Errors
    ///
    /// Where there are fewer, or they are damaged.
    pub(super) fn cells(&mut self, count: usize) -> Result<Vec<Option<Vec<u8>>>> {
        let (meaning, max_level) = (self.meaning, self.max_level);
        let written = |value: String| Some(value.into_bytes());
        let number = |number: i64| written(meaning.number(number));
        let is_unsigned = meaning == Meaning::Unsigned;
        // No number of JSON is infinite.
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
                read(column, max_level, count, |value| number(value.to_nanos()))
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
                read(column, max_level, count, |value| written(uuid(value.data())))
            }
        }
    }

    /// The same of strings, none of which is copied.
    ///
    /// # Errors
    ///
    /// As [`cells`](Self::cells).
    pub(super) fn strings(&mut self, count: usize) -> Result<Vec<Option<ByteArray>>> {
        match &mut self.reader {
            ColumnReader::ByteArrayColumnReader(column) => {
                read(column, self.max_level, count, Some)
            }
            _ => Err(ParquetError::General("a column that is none of strings".to_owned())),
        }
    }
}

fn read<T: DataType, V>(
    column: &mut ColumnReaderImpl<T>,
    max_level: i16,
    count: usize,
    value: impl Fn(T::T) -> Option<V>,
) -> Result<Vec<Option<V>>> {
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
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_in_json() {
        let time = |digits, is_utc| Meaning::Time { digits, is_utc };
        #[rustfmt::skip]
        let table = [
            ("a number",            Meaning::Plain,                -7,                        "-7"),
            ("a day",               Meaning::Date,                 20_417,                    "2025-11-25"),
            ("before 1970",         Meaning::Date,                 -1,                        "1969-12-31"),
            ("beyond the calendar", Meaning::Date,                 i64::MAX,                  "9223372036854775807"),
            ("milliseconds",        time(3, true),                 1_700_000_000_007,         "2023-11-14T22:13:20.007Z"),
            ("microseconds",        time(6, false),                1_700_000_000_000_007,     "2023-11-14T22:13:20.000007"),
            ("nanoseconds",         time(9, true),                 1_700_000_000_000_000_007, "2023-11-14T22:13:20.000000007Z"),
            ("a part before 1970",  time(3, true),                 -1,                        "1969-12-31T23:59:59.999Z"),
            ("a decimal",           Meaning::Decimal { scale: 2 }, -1234,                     "-12.34"),
            ("below one",           Meaning::Decimal { scale: 3 }, 7,                         "0.007"),
            ("without a point",     Meaning::Decimal { scale: 0 }, 7,                         "7"),
        ];
        for (why, meaning, number, want) in table {
            assert_eq!(meaning.number(number), want, "{why}");
        }
        let bytes: Vec<u8> = (0..16).collect();
        assert_eq!(uuid(&bytes), "00010203-0405-0607-0809-0a0b0c0d0e0f");
    }
}
