//! Tables of Python's libraries, by Arrow's C stream.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, BooleanArray, LargeStringArray, RecordBatch, StructArray};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use arrow_select::nullif::nullif;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::ffi::{ArrayIterator, to_schema_pycapsule, to_stream_pycapsule};
use pyo3_arrow::input::AnyRecordBatch;

/// Rows in columns, for whatever reads Arrow's C stream: `pyarrow.table(it)`,
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
    /// The rows as a stream, as the Arrow `PyCapsule` interface wants it.
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

    /// The number of rows.
    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect()
    }

    fn __repr__(&self) -> String {
        format!("<dedup_text.Table: {} rows of {}>", self.__len__(), self.column_names().join(", "))
    }
}

/// The batches of a table.
///
/// # Errors
///
/// `TypeError` where it is none.
pub(crate) fn batches(
    given: &Bound<PyAny>,
) -> PyResult<(SchemaRef, Box<dyn Iterator<Item = PyResult<RecordBatch>> + Send>)> {
    let read = given.extract::<AnyRecordBatch>().map_err(|error| {
        // A table that cannot be exported says why by itself.
        if given.hasattr("__arrow_c_stream__").unwrap_or(false) {
            return error;
        }
        let found = given.get_type().name().map_or_else(|_| "?".to_owned(), |it| it.to_string());
        PyTypeError::new_err(format!(
            "table is of type {found}, expected one with the Arrow stream interface, such as a table of \
             pyarrow or Polars, a relation of DuckDB, a DataFrame of pandas or a dataset of Hugging Face"
        ))
    })?;
    let reader = read.into_reader()?;
    let schema = reader.schema();
    let failed = |error: ArrowError| PyValueError::new_err(error.to_string());
    Ok((schema, Box::new(reader.map(move |batch| batch.map_err(failed)))))
}

/// A column by its name; `meta.body` is the column of that name, or else `body` in `meta`.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    name: String,
    /// The numbers of the column and of the fields within it.
    places: Vec<usize>,
}

impl Column {
    /// The column of a table; none where it is not there.
    pub(crate) fn find(schema: &Schema, name: &str) -> Option<Self> {
        let mut fields = schema.fields();
        let named = |places| Self { name: name.to_owned(), places };
        if let Some((at, _)) = fields.find(name) {
            return Some(named(vec![at]));
        }
        let (mut rest, mut places) = (name, Vec::new());
        loop {
            let (first, behind) = rest.split_once('.').map_or((rest, None), |(a, b)| (a, Some(b)));
            let (at, field) = fields.find(first)?;
            places.push(at);
            match (behind, field.data_type()) {
                (None, _) => return Some(named(places)),
                (Some(behind), DataType::Struct(within)) => (fields, rest) = (within, behind),
                _ => return None,
            }
        }
    }

    /// The same where it must be there.
    ///
    /// # Errors
    ///
    /// `KeyError`, with the columns that are there.
    pub(crate) fn new(schema: &Schema, name: &str) -> PyResult<Self> {
        Self::find(schema, name).ok_or_else(|| {
            let there: Vec<&str> = schema.fields().iter().map(|it| it.name().as_str()).collect();
            PyKeyError::new_err(format!("no column {name}, the columns are {}", there.join(", ")))
        })
    }

    /// Its type.
    pub(crate) fn data_type(&self, schema: &Schema) -> DataType {
        let mut fields = schema.fields();
        let mut of = &DataType::Null;
        for place in &self.places {
            of = fields[*place].data_type();
            if let DataType::Struct(within) = of {
                fields = within;
            }
        }
        of.clone()
    }

    /// Its values in a batch.
    pub(crate) fn values(&self, batch: &RecordBatch) -> ArrayRef {
        let (first, within) = self.places.split_first().expect("a column has a place");
        let mut values = Arc::clone(batch.column(*first));
        for place in within {
            let parts = values.as_any().downcast_ref::<StructArray>();
            let parts = parts.expect("the schema says that it is a struct");
            let mut inner = Arc::clone(parts.column(*place));
            if let Some(nulls) = parts.nulls() {
                let is_null = BooleanArray::new(!nulls.inner(), None);
                inner = nullif(&inner, &is_null).expect("both are as long as the struct");
            }
            values = inner;
        }
        values
    }

    /// Its values as strings.
    ///
    /// # Errors
    ///
    /// `TypeError` where they are not of a type that is `wanted`.
    pub(crate) fn strings(
        &self,
        batch: &RecordBatch,
        wanted: Wanted,
    ) -> PyResult<LargeStringArray> {
        let values = self.values(batch);
        let is_string =
            |of: &DataType| matches!(of, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
        let is_text = match values.data_type() {
            DataType::Dictionary(_, of) => is_string(of),
            of => is_string(of),
        };
        let is_it = is_text || wanted == Wanted::Plain && !values.data_type().is_nested();
        let strings = is_it.then(|| cast(&values, &DataType::LargeUtf8).ok()).flatten();
        let strings = strings.and_then(|it| it.as_any().downcast_ref().cloned());
        strings.ok_or_else(|| {
            let expected = match wanted {
                Wanted::Texts => "strings",
                Wanted::Plain => "strings, numbers or dates",
            };
            let (name, found) = (&self.name, values.data_type());
            PyTypeError::new_err(format!("the column {name} is of {found}, expected {expected}"))
        })
    }
}

/// Of which type a column must be.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Wanted {
    Texts,
    /// Anything that has no parts.
    Plain,
}
