//! Exchanges tables with Python libraries through Arrow's C stream interface.

use std::iter;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{
    Array, ArrayRef, BooleanArray, LargeStringArray, RecordBatch, RecordBatchOptions, StructArray,
};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use arrow_select::nullif::nullif;
use dedup_text::display::counted;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::ffi::{ArrayIterator, to_schema_pycapsule, to_stream_pycapsule};
use pyo3_arrow::input::AnyArray;
use pyo3_arrow::{PyRecordBatch, PySchema};

use crate::settings::{raised, wrong_type};

/// A table for any library that reads Arrow's C stream: `pyarrow.table(it)`,
/// `polars.DataFrame(it)`, `duckdb.from_arrow(it)`.
#[pyclass(module = "dedup_text", frozen)]
pub(crate) struct Table {
    batches: Vec<RecordBatch>,
    schema: SchemaRef,
}

impl Table {
    pub(crate) fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        Self { batches, schema }
    }
}

#[pymethods]
impl Table {
    /// Exports the rows as a stream, as the Arrow `PyCapsule` interface requires.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        let batches = self.batches.clone().into_iter();
        let arrays = batches.map(|batch| Ok(Arc::new(StructArray::from(batch)) as ArrayRef));
        let field = Field::new_struct("", self.schema.fields().clone(), false)
            .with_metadata(self.schema.metadata().clone());
        let stream = ArrayIterator::new(arrays, Arc::new(field));
        to_stream_pycapsule(py, Box::new(stream), requested_schema)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        to_schema_pycapsule(py, self.schema.as_ref())
    }

    /// Returns the number of rows.
    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// Returns the names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect()
    }

    fn __repr__(&self) -> String {
        let rows = counted(self.__len__(), "row");
        format!("<dedup_text.Table: {rows} of {}>", self.column_names().join(", "))
    }
}

/// The batches of a table, each of which may fail.
type Batches = Box<dyn Iterator<Item = PyResult<RecordBatch>> + Send>;

/// Returns the schema and the batches of a table.
///
/// # Errors
///
/// Raises `TypeError` if the object is not a table, and what the object raises when it is exported.
pub(crate) fn batches(given: &Bound<PyAny>) -> PyResult<(SchemaRef, Batches)> {
    let not_a_table = || {
        wrong_type(
            "table",
            given,
            "one with the Arrow stream interface, such as a table of pyarrow or Polars, a relation of \
             DuckDB, a DataFrame of pandas or a dataset of Hugging Face",
        )
    };
    if given.get_type().hasattr("read_next_batch")? {
        return iterated(given);
    }
    if !given.hasattr("__arrow_c_array__")? && !given.hasattr("__arrow_c_stream__")? {
        return Err(not_a_table());
    }
    // It is exported only once, since that may run a query.
    let read = given.extract::<AnyArray>()?;
    let field = read.field()?;
    // A column alone is no table.
    let DataType::Struct(fields) = field.data_type() else { return Err(not_a_table()) };
    let schema = Arc::new(Schema::new_with_metadata(fields.clone(), field.metadata().clone()));
    let of = Arc::clone(&schema);
    let read = read.into_reader()?.map(move |rows| {
        let rows = rows.map_err(|error| PyValueError::new_err(error.to_string()))?;
        if rows.null_count() > 0 {
            return Err(PyValueError::new_err("a row of the table is null, expected none"));
        }
        let count = RecordBatchOptions::new().with_row_count(Some(rows.len()));
        let columns = rows.as_struct().columns().to_vec();
        RecordBatch::try_new_with_options(Arc::clone(&of), columns, &count).map_err(raised)
    });
    Ok((schema, Box::new(read)))
}

/// Returns the schema and the batches of a reader of pyarrow, which Python iterates over: Arrow's
/// stream has the message of an exception, but not the exception.
fn iterated(reader: &Bound<PyAny>) -> PyResult<(SchemaRef, Batches)> {
    let schema = reader.getattr("schema")?.extract::<PySchema>()?.into_inner();
    let batches = reader.try_iter()?.unbind();
    let of = Arc::clone(&schema);
    let checked = move |batch: &Bound<PyAny>| {
        let batch = batch.extract::<PyRecordBatch>()?.into_inner();
        let [own, wanted] = [batch.schema_ref(), &of].map(|it| it.fields().iter());
        let named = |field: &FieldRef| (field.name().clone(), field.data_type().clone());
        if !own.map(named).eq(wanted.map(named)) {
            return Err(PyValueError::new_err(
                "a batch has other columns than the schema of its reader, expected the same",
            ));
        }
        Ok(batch)
    };
    let next = move || {
        Python::attach(|py| {
            let batch = batches.bind(py).clone().next()?;
            Some(batch.and_then(|it| checked(&it)))
        })
    };
    Ok((schema, Box::new(iter::from_fn(next))))
}

/// A column, found by its name. `meta.body` is the column of that name, or else the field `body` of
/// the column `meta`. Names may contain full stops; a longer name goes before a shorter one.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    name: String,
    /// The indices of the column in the table and of each nested field in its parent.
    places: Vec<usize>,
    field: FieldRef,
}

impl Column {
    /// Finds a column in a schema. `None` if there is no such column.
    ///
    /// # Errors
    ///
    /// Raises `ValueError` if there are several.
    pub(crate) fn find(schema: &Schema, name: &str) -> PyResult<Option<Self>> {
        let found = within(schema.fields(), name).map_err(|Several| {
            PyValueError::new_err(format!("several columns {name}, expected one"))
        })?;
        Ok(found.map(|(places, field)| Self { name: name.to_owned(), places, field }))
    }

    /// Same as [`find`](Self::find), for a column that must exist.
    ///
    /// # Errors
    ///
    /// The same as of [`find`](Self::find), and raises `KeyError`, with the names of the columns, if
    /// there is none.
    pub(crate) fn new(schema: &Schema, name: &str) -> PyResult<Self> {
        Self::find(schema, name)?.ok_or_else(|| {
            let there = names(schema.fields()).join(", ");
            let there = if there.is_empty() {
                "the table has none"
            } else {
                &format!("the columns are {there}")
            };
            PyKeyError::new_err(format!("no column {name}, {there}"))
        })
    }

    /// Returns the column's field in the schema.
    pub(crate) fn field(&self) -> &Field {
        &self.field
    }

    /// Returns the values of the column in a batch.
    pub(crate) fn values(&self, batch: &RecordBatch) -> ArrayRef {
        let (first, within) = self.places.split_first().expect("a column has a place");
        let mut values = Arc::clone(batch.column(*first));
        for place in within {
            let parts = values.as_any().downcast_ref::<StructArray>();
            let parts = parts.expect("the schema says that it is a struct");
            let mut inner = Arc::clone(parts.column(*place));
            if let Some(nulls) = parts.nulls() {
                let is_null = BooleanArray::new(!nulls.inner(), None);
                let some = nullif(&decoded(inner), &is_null);
                inner = some.expect("both are as long as the struct");
            }
            values = inner;
        }
        decoded(values)
    }

    /// Returns the values of the column in a batch, which begins with the row `start`, as strings.
    ///
    /// # Errors
    ///
    /// Raises `TypeError` if the column is not of a type that is `wanted`, and `ValueError` if a
    /// value is not UTF-8 or is out of range.
    pub(crate) fn strings(
        &self,
        batch: &RecordBatch,
        start: u64,
        wanted: Wanted,
    ) -> PyResult<LargeStringArray> {
        let mut values = self.values(batch);
        if wanted == Wanted::Newest && values.data_type().is_floating() {
            values = finite(&values).map_err(raised)?;
        }
        let of = without_dictionary(values.data_type());
        let found = self.field.data_type();
        let is_it = match of {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
            DataType::FixedSizeBinary(_) => wanted != Wanted::Texts && self.is_uuid(),
            of => wanted != Wanted::Texts && !of.is_nested(),
        };
        let converted = || match of {
            DataType::FixedSizeBinary(_) => Ok(uuids(&values)),
            of if wanted.is_compared_as_number(of) => {
                cast(&cast(&values, &DataType::Int64)?, &DataType::LargeUtf8)
            }
            _ => cast(&values, &DataType::LargeUtf8),
        };
        let strings = is_it.then(converted).transpose();
        let name = &self.name;
        let strings = strings.map_err(|error| {
            PyValueError::new_err(match error {
                ArrowError::CastError(_) => {
                    format!("the column {name}: a value of the type {found} is out of range")
                }
                ArrowError::ParseError(error) => format!("the column {name}: {error}"),
                error => format!("the column {name}: {error}"),
            })
        })?;
        let strings =
            strings.and_then(|it| it.as_any().downcast_ref::<LargeStringArray>().cloned());
        let expected = match wanted {
            Wanted::Texts => "strings",
            Wanted::Plain | Wanted::Newest | Wanted::Greatest => "strings, numbers or dates",
        };
        let strings = strings.ok_or_else(|| {
            PyTypeError::new_err(format!("the column {name} is of {found}, expected {expected}"))
        })?;
        // A value that cannot be converted becomes null.
        let nulls = values.logical_nulls();
        let is_null = |row: usize| nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
        match (0..strings.len()).find(|row| strings.is_null(*row) && !is_null(*row)) {
            Some(row) => Err(PyValueError::new_err(format!(
                "row {}: the {found} in the column {name} is not UTF-8, expected {expected}",
                start + row as u64
            ))),
            None => Ok(strings),
        }
    }

    fn is_uuid(&self) -> bool {
        *self.field.data_type() == DataType::FixedSizeBinary(16)
            && self.field.extension_type_name() == Some("arrow.uuid")
    }
}

/// Returns the type of the values, which a dictionary or runs may contain.
pub(crate) fn without_dictionary(of: &DataType) -> &DataType {
    match of {
        DataType::Dictionary(_, of) => of,
        DataType::RunEndEncoded(_, of) => without_dictionary(of.data_type()),
        of => of,
    }
}

/// Returns a value for each row if the values are run-end encoded: `nullif` counts runs as rows.
fn decoded(values: ArrayRef) -> ArrayRef {
    match values.data_type() {
        DataType::RunEndEncoded(_, of) => {
            cast(&values, of.data_type()).expect("runs have values of their type")
        }
        _ => values,
    }
}

/// Replaces infinite numbers and NaN, which the program does not read from Parquet, by nulls.
fn finite(values: &dyn Array) -> Result<ArrayRef, ArrowError> {
    let numbers = cast(values, &DataType::Float64)?;
    let numbers = numbers.as_primitive::<Float64Type>().iter();
    let is_other = numbers.map(|number| Some(number.is_some_and(|number| !number.is_finite())));
    nullif(values, &is_other.collect())
}

/// Formats UUIDs as the program does: `00010203-0405-0607-0809-0a0b0c0d0e0f`.
fn uuids(values: &dyn Array) -> ArrayRef {
    let written = |bytes: &[u8]| {
        let digits = format!("{:032x}", u128::from_be_bytes(bytes.try_into().ok()?));
        Some([0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &digits[part]).join("-"))
    };
    let values = values.as_fixed_size_binary().iter();
    Arc::new(values.map(|value| value.and_then(written)).collect::<LargeStringArray>())
}

/// Several fields have the same name.
struct Several;

/// Finds a field by its name, or by the names of the structs that it is in and its own. Returns the
/// index of each of them in its parent; `None` if there is no such field.
///
/// # Errors
///
/// [`Several`] if more than one field has one of the names.
fn within(fields: &Fields, name: &str) -> Result<Option<(Vec<usize>, FieldRef)>, Several> {
    if let Some((at, field)) = only(fields, name)? {
        return Ok(Some((vec![at], Arc::clone(field))));
    }
    for (stop, _) in name.rmatch_indices('.') {
        let Some((at, outer)) = only(fields, &name[..stop])? else { continue };
        let DataType::Struct(inner) = outer.data_type() else { continue };
        if let Some((mut places, field)) = within(inner, &name[stop + 1..])? {
            places.insert(0, at);
            return Ok(Some((places, field)));
        }
    }
    Ok(None)
}

/// Finds the only field of a name, and its index.
fn only<'f>(fields: &'f Fields, name: &str) -> Result<Option<(usize, &'f FieldRef)>, Several> {
    let mut found = fields.iter().enumerate().filter(|(_, field)| field.name() == name);
    match (found.next(), found.next()) {
        (Some(_), Some(_)) => Err(Several),
        (first, _) => Ok(first),
    }
}

/// Returns the names of the columns, and of the fields in structs by their dotted names.
fn names(fields: &Fields) -> Vec<String> {
    let of = |field: &FieldRef| match field.data_type() {
        DataType::Struct(within) if !within.is_empty() => {
            names(within).iter().map(|name| format!("{}.{name}", field.name())).collect()
        }
        _ => vec![field.name().clone()],
    };
    fields.iter().flat_map(of).collect()
}

/// The types that a column may have.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Wanted {
    Texts,
    /// Any type that is not nested.
    Plain,
    /// The same, for `newest`.
    Newest,
    /// The same, for `field`.
    Greatest,
}

impl Wanted {
    /// Reports whether values of a type are compared by the numbers that they are stored as. The
    /// strings of times have no fixed number of digits, so that their order is another.
    fn is_compared_as_number(self, of: &DataType) -> bool {
        match of {
            DataType::Duration(_) | DataType::Time32(_) | DataType::Time64(_) => {
                matches!(self, Self::Newest | Self::Greatest)
            }
            DataType::Timestamp(..) | DataType::Date32 | DataType::Date64 => self == Self::Newest,
            _ => false,
        }
    }
}
