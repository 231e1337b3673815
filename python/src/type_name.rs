//! The names of Arrow's types, as pyarrow writes them.

use arrow_schema::{DataType, Field, FieldRef, IntervalUnit, TimeUnit};

/// Returns the name of the type of a column.
pub(crate) fn of_field(field: &Field) -> String {
    match field.extension_type_name() {
        Some(name) => format!("extension<{name}>"),
        None => of_type(field.data_type()),
    }
}

fn of_type(of: &DataType) -> String {
    match of {
        DataType::Boolean => "bool".to_owned(),
        DataType::Float16 => "halffloat".to_owned(),
        DataType::Float32 => "float".to_owned(),
        DataType::Float64 => "double".to_owned(),
        DataType::Utf8 => "string".to_owned(),
        DataType::LargeUtf8 => "large_string".to_owned(),
        DataType::Utf8View => "string_view".to_owned(),
        DataType::LargeBinary => "large_binary".to_owned(),
        DataType::BinaryView => "binary_view".to_owned(),
        DataType::FixedSizeBinary(size) => format!("fixed_size_binary[{size}]"),
        DataType::Date32 => "date32[day]".to_owned(),
        DataType::Date64 => "date64[ms]".to_owned(),
        DataType::Time32(unit) => format!("time32[{}]", of_unit(*unit)),
        DataType::Time64(unit) => format!("time64[{}]", of_unit(*unit)),
        DataType::Timestamp(unit, None) => format!("timestamp[{}]", of_unit(*unit)),
        DataType::Timestamp(unit, Some(zone)) => {
            format!("timestamp[{}, tz={zone}]", of_unit(*unit))
        }
        DataType::Duration(unit) => format!("duration[{}]", of_unit(*unit)),
        DataType::Interval(IntervalUnit::MonthDayNano) => "month_day_nano_interval".to_owned(),
        DataType::Interval(_) => "interval".to_owned(),
        DataType::Decimal32(digits, scale) => format!("decimal32({digits}, {scale})"),
        DataType::Decimal64(digits, scale) => format!("decimal64({digits}, {scale})"),
        DataType::Decimal128(digits, scale) => format!("decimal128({digits}, {scale})"),
        DataType::Decimal256(digits, scale) => format!("decimal256({digits}, {scale})"),
        DataType::List(item) => format!("list<{}>", member(item)),
        DataType::LargeList(item) => format!("large_list<{}>", member(item)),
        DataType::ListView(item) => format!("list_view<{}>", member(item)),
        DataType::LargeListView(item) => format!("large_list_view<{}>", member(item)),
        DataType::FixedSizeList(item, size) => format!("fixed_size_list<{}>[{size}]", member(item)),
        DataType::Struct(fields) => {
            format!("struct<{}>", fields.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        DataType::Map(entries, _) => match entries.data_type() {
            DataType::Struct(both) if both.len() == 2 => {
                format!("map<{}, {}>", of_field(&both[0]), of_field(&both[1]))
            }
            _ => "map".to_owned(),
        },
        DataType::Union(..) => "union".to_owned(),
        DataType::Dictionary(keys, values) => {
            format!("dictionary<values={}, indices={}>", of_type(values), of_type(keys))
        }
        DataType::RunEndEncoded(ends, values) => {
            format!("run_end_encoded<run_ends: {}, values: {}>", of_field(ends), of_field(values))
        }
        // Null, the integers and Binary, in lower case.
        of => of.to_string().to_lowercase(),
    }
}

/// Returns the name and the type of a field of a nested type.
fn member(field: &FieldRef) -> String {
    let not_null = if field.is_nullable() { "" } else { " not null" };
    format!("{}: {}{not_null}", field.name(), of_field(field))
}

fn of_unit(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::Second => "s",
        TimeUnit::Millisecond => "ms",
        TimeUnit::Microsecond => "us",
        TimeUnit::Nanosecond => "ns",
    }
}
