//! Writes Parquet files: the kept rows of other files, or a table of strings and numbers.
//!
//! Columns are copied with their levels, as they are stored, so that each type stays as it is:
//! nothing is converted to the types of another data model and back. A row group of which all rows
//! are kept is copied without unpacking it.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::Arc;

use anyhow::anyhow;
use bytes::Bytes;
use dedup_text::parallel::{self, Advance};
use parquet::basic::{
    Compression, ConvertedType, Encoding, LogicalType, Repetition, Type as Physical,
};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::column::writer::{
    ColumnCloseResult, ColumnWriter, ColumnWriterImpl, get_column_writer,
    get_typed_column_writer_mut,
};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType,
    Int32Type, Int64Type, Int96Type,
};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, FileMetaData, KeyValue, RowGroupMetaData};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{
    SerializedColumnWriter, SerializedFileWriter, SerializedPageWriter, SerializedRowGroupWriter,
    TrackedWrite,
};
use parquet::schema::types::{ColumnDescPtr, Type, TypePtr};

use super::pages::{self, SharedFile};
use super::rows::{Footer, caught, message};
use crate::diagnostics::Diagnostic;
use crate::io::output::Sink;

/// The number of rows that are copied at once.
const ROWS_AT_ONCE: usize = 1 << 10;

/// The number of rows in a row group of a table.
const GROUP: usize = 1 << 16;

/// The destination of a file.
struct SinkWriter<'s, 'p> {
    sink: &'s mut Sink<'p>,
    /// The error of a write that failed.
    failed: Option<Diagnostic>,
}

impl Write for SinkWriter<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.sink.write(bytes) {
            Ok(()) => Ok(bytes.len()),
            Err(error) => {
                self.failed = Some(error);
                Err(io::Error::other("cannot be written"))
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes rows of files that have the same columns.
pub(crate) struct Writer<'s, 'p> {
    file: SerializedFileWriter<SinkWriter<'s, 'p>>,
    /// Whether there is an additional column with the text that a row is a duplicate of.
    is_annotated: bool,
    /// The largest number of bytes that a page may unpack to; `None` for no limit.
    max_unpacked: Option<u64>,
}

impl<'s, 'p> Writer<'s, 'p> {
    /// Begins a file with the columns and the metadata of another one, plus a column `annotated` if
    /// that is given.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub(crate) fn new(
        sink: &'s mut Sink<'p>,
        first: &Footer,
        annotated: Option<&str>,
        max_unpacked: Option<u64>,
    ) -> anyhow::Result<Self> {
        let metadata = first.metadata.file_metadata();
        let mut properties = WriterProperties::builder()
            .set_created_by(concat!("dedup ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::SNAPPY)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_key_value_metadata(key_values(metadata, annotated));
        for chunk in first.metadata.row_groups().first().map_or(&[][..], RowGroupMetaData::columns)
        {
            let path = chunk.column_path().clone();
            properties = properties
                .set_column_compression(path.clone(), packed_by(chunk))
                .set_column_dictionary_enabled(path, is_by_dictionary(chunk));
        }
        let schema = schema(first, annotated).map_err(|error| anyhow!(message(&error)))?;
        let to = SinkWriter { sink, failed: None };
        let file = caught(|| SerializedFileWriter::new(to, schema, Arc::new(properties.build())));
        let file = file.map_err(|error| anyhow!(message(&error)))?;
        Ok(Self { file, is_annotated: annotated.is_some(), max_unpacked })
    }

    /// Adds the kept rows of a file. `removed` is called with the number of each row, counted from
    /// 1, in their order. It returns `None` if the row is kept, otherwise the number of the text
    /// that is kept instead; `name` returns the name of that text. If there is an additional
    /// column, all rows are written, with that name in it.
    ///
    /// # Errors
    ///
    /// Returns an error if a row group cannot be read or written.
    pub(crate) fn add(
        &mut self,
        footer: &Footer,
        mut removed: impl FnMut(u64) -> Option<u32>,
        name: impl Fn(u32) -> String,
        (threads, done): (NonZeroUsize, &Advance),
    ) -> anyhow::Result<()> {
        let mut number = 0;
        let groups: Vec<usize> = (0..footer.metadata.num_row_groups()).collect();
        // One row group per thread at a time, because each result is kept until it is written.
        for groups in groups.chunks(threads.get()) {
            let mut tasks = Vec::new();
            for group in groups {
                let rows = 0..footer.metadata.row_group(*group).num_rows();
                let removed = rows.map(|_| {
                    number += 1;
                    removed(number)
                });
                let removed: Vec<Option<u32>> = removed.collect();
                let is_kept = removed.iter().map(|it| self.is_annotated || it.is_none()).collect();
                tasks.push(GroupCopy { group: *group, removed, is_kept });
            }
            let columns = self.file.schema_descr().columns().to_vec();
            let properties = self.file.properties().clone();
            let max_unpacked = self.max_unpacked;
            let copied = |task: &GroupCopy| {
                caught(|| task.copy(footer, &columns, &properties, max_unpacked))
            };
            let all = parallel::map(threads, tasks.iter(), copied);
            for (task, copied) in tasks.iter().zip(all) {
                let written = copied.and_then(|copied| {
                    caught(|| task.write(footer, copied, &mut self.file, self.is_annotated, &name))
                });
                let damaged = |error: &ParquetError| footer.damaged(task.group, error);
                checked(&mut self.file, written, damaged)?;
                done.add(task.is_kept.iter().filter(|is_kept| **is_kept).count() as u64);
            }
        }
        Ok(())
    }

    /// Writes the footer.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        finish(&mut self.file)
    }
}

fn finish(file: &mut SerializedFileWriter<SinkWriter>) -> anyhow::Result<()> {
    let finished = caught(|| file.finish().map(|_| ()));
    checked(file, finished, |error| anyhow!(message(error)))
}

/// Returns the error of a step of writing: that of the sink, or otherwise what `other` makes of it.
fn checked(
    file: &mut SerializedFileWriter<SinkWriter>,
    written: Result<()>,
    other: impl FnOnce(&ParquetError) -> anyhow::Error,
) -> anyhow::Result<()> {
    let mut failed = || file.inner_mut().failed.take().map(anyhow::Error::from);
    written.map_err(|error| failed().unwrap_or_else(|| other(&error)))
}

/// Returns the compression of a copied column, given the original column. Zstandard and the older
/// form of LZ4 are never written; only a C library compresses well with Zstandard.
fn packed_by(chunk: &ColumnChunkMetaData) -> Compression {
    match chunk.compression() {
        Compression::UNCOMPRESSED => Compression::UNCOMPRESSED,
        Compression::GZIP(_) => Compression::GZIP(parquet::basic::GzipLevel::default()),
        Compression::LZ4 | Compression::LZ4_RAW => Compression::LZ4_RAW,
        _ => Compression::SNAPPY,
    }
}

/// Reports whether the values of a column are indices into a dictionary. It returns `false` if some
/// pages have plain values, as a writer stores them after it has found too many distinct values.
fn is_by_dictionary(chunk: &ColumnChunkMetaData) -> bool {
    let is_plain = chunk.page_encoding_stats_mask().is_some_and(|it| it.is_set(Encoding::PLAIN));
    chunk.dictionary_page_offset().is_some() && !is_plain
}

/// Returns the metadata of a file. The Arrow schema in it lists all columns, so it is left out if
/// there is an additional column; the columns are then those of the Parquet schema.
fn key_values(file: &FileMetaData, annotated: Option<&str>) -> Option<Vec<KeyValue>> {
    let mut pairs = file.key_value_metadata()?.clone();
    pairs.retain(|it| annotated.is_none() || it.key != ARROW_SCHEMA);
    Some(pairs)
}

/// The metadata key of the Arrow schema.
const ARROW_SCHEMA: &str = "ARROW:schema";

/// Returns the columns of a file, plus a column of strings if its name is given.
fn schema(first: &Footer, annotated: Option<&str>) -> Result<TypePtr> {
    let root = first.schema().root_schema_ptr();
    let Some(name) = annotated else { return Ok(root) };
    let added = strings(name, Repetition::OPTIONAL)?;
    let fields = root.get_fields().iter().cloned().chain([added]).collect();
    Ok(Arc::new(Type::group_type_builder(root.name()).with_fields(fields).build()?))
}

fn strings(name: &str, repetition: Repetition) -> Result<TypePtr> {
    let column = Type::primitive_type_builder(name, Physical::BYTE_ARRAY);
    let column = column.with_repetition(repetition).with_converted_type(ConvertedType::UTF8);
    Ok(Arc::new(column.with_logical_type(Some(LogicalType::String)).build()?))
}

/// Opens the next column of a row group.
fn next_column<'w>(
    group: &'w mut SerializedRowGroupWriter<SinkWriter>,
) -> Result<SerializedColumnWriter<'w>> {
    group.next_column()?.ok_or_else(|| ParquetError::General("no more columns".to_owned()))
}

/// A row group of which some rows are copied.
struct GroupCopy {
    group: usize,
    /// For each row, the text that is kept instead of it, if there is one.
    removed: Vec<Option<u32>>,
    is_kept: Vec<bool>,
}

/// A compressed column; `None` if the original one is copied.
type Packed = Option<(Bytes, ColumnCloseResult)>;

impl GroupCopy {
    /// Compresses the rows that are kept, column by column. Empty if no row is kept.
    fn copy(
        &self,
        footer: &Footer,
        columns: &[ColumnDescPtr],
        properties: &WriterPropertiesPtr,
        max_unpacked: Option<u64>,
    ) -> Result<Vec<Packed>> {
        let group = footer.metadata.row_group(self.group);
        if !self.is_kept.contains(&true) {
            return Ok(Vec::new());
        }
        let are_all_kept = !self.is_kept.contains(&false);
        let column = |(at, chunk): (usize, &ColumnChunkMetaData)| {
            let begin = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
            if are_all_kept && begin > 0 && begin <= chunk.data_page_offset() {
                return Ok(None);
            }
            let reader = pages::column(&footer.file, group, at, max_unpacked)?;
            let mut packed = TrackedWrite::new(Vec::new());
            let to = Box::new(SerializedPageWriter::new(&mut packed));
            let mut to = get_column_writer(columns[at].clone(), properties.clone(), to);
            copy_column(reader, &mut to, &self.is_kept).map_err(|error| {
                let name = chunk.column_path().string();
                ParquetError::General(format!("the column {name}: {}", message(&error)))
            })?;
            let close = to.close()?;
            Ok(Some((packed.into_inner()?.into(), close)))
        };
        group.columns().iter().enumerate().map(column).collect()
    }

    /// Writes the row group.
    fn write(
        &self,
        footer: &Footer,
        copied: Vec<Packed>,
        file: &mut SerializedFileWriter<SinkWriter>,
        is_annotated: bool,
        name: impl Fn(u32) -> String,
    ) -> Result<()> {
        let group = footer.metadata.row_group(self.group);
        if copied.is_empty() {
            return Ok(());
        }
        let mut written = file.next_row_group()?;
        for (chunk, packed) in group.columns().iter().zip(copied) {
            if let Some((bytes, close)) = packed {
                written.append_column(&bytes, close)?;
            } else {
                let file = SharedFile(Arc::clone(&footer.file));
                written.append_column(&file, as_it_is(chunk, group)?)?;
            }
        }
        if is_annotated {
            annotate(&mut written, &self.removed, name)?;
        }
        written.close().map(|_| ())
    }
}

/// Returns the description of a column that is copied without unpacking it.
fn as_it_is(chunk: &ColumnChunkMetaData, group: &RowGroupMetaData) -> Result<ColumnCloseResult> {
    Ok(ColumnCloseResult {
        bytes_written: chunk.compressed_size().unsigned_abs(),
        rows_written: u64::try_from(group.num_rows())?,
        metadata: chunk.clone(),
        bloom_filter: None,
        column_index: None,
        offset_index: None,
    })
}

fn copy_column(from: ColumnReader, to: &mut ColumnWriter, is_kept: &[bool]) -> Result<()> {
    match from {
        ColumnReader::BoolColumnReader(from) => copy::<BoolType>(from, to, is_kept),
        ColumnReader::Int32ColumnReader(from) => copy::<Int32Type>(from, to, is_kept),
        ColumnReader::Int64ColumnReader(from) => copy::<Int64Type>(from, to, is_kept),
        ColumnReader::Int96ColumnReader(from) => copy::<Int96Type>(from, to, is_kept),
        ColumnReader::FloatColumnReader(from) => copy::<FloatType>(from, to, is_kept),
        ColumnReader::DoubleColumnReader(from) => copy::<DoubleType>(from, to, is_kept),
        ColumnReader::ByteArrayColumnReader(from) => copy::<ByteArrayType>(from, to, is_kept),
        ColumnReader::FixedLenByteArrayColumnReader(from) => {
            copy::<FixedLenByteArrayType>(from, to, is_kept)
        }
    }
}

/// Copies the rows of a column that are kept.
fn copy<T: DataType>(
    mut from: ColumnReaderImpl<T>,
    to: &mut ColumnWriter,
    is_kept: &[bool],
) -> Result<()> {
    let to: &mut ColumnWriterImpl<T> = get_typed_column_writer_mut(to);
    let max_level = to.get_descriptor().max_def_level();
    let is_repeated = to.get_descriptor().max_rep_level() > 0;
    let (mut levels, mut repeated, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for is_kept in is_kept.chunks(ROWS_AT_ONCE) {
        levels.clear();
        repeated.clear();
        values.clear();
        let (rows, _, count) =
            from.read_records(is_kept.len(), Some(&mut levels), Some(&mut repeated), &mut values)?;
        if rows != is_kept.len() {
            let message = "it has fewer rows than its row group";
            return Err(ParquetError::EOF(message.to_owned()));
        }
        if is_kept.contains(&false) {
            // Without levels, all values of a column have the same level.
            let (mut row, mut kept) = (0, vec![false; count]);
            for (at, kept) in kept.iter_mut().enumerate() {
                row += usize::from(!is_repeated || repeated[at] == 0);
                *kept = row.checked_sub(1).is_some_and(|row| is_kept[row]);
            }
            let is_defined = |at: usize| max_level == 0 || levels[at] == max_level;
            let mut of_values = (0..count).filter(|at| is_defined(*at)).map(|at| kept[at]);
            values.retain(|_| of_values.next() == Some(true));
            for levels in [&mut levels, &mut repeated] {
                let mut of_levels = kept.iter();
                levels.retain(|_| of_levels.next() == Some(&true));
            }
        }
        let levels = Some(levels.as_slice()).filter(|_| max_level > 0);
        to.write_batch(&values, levels, Some(repeated.as_slice()).filter(|_| is_repeated))?;
    }
    Ok(())
}

/// Writes the name of the text that each row is a duplicate of, or null.
fn annotate(
    group: &mut SerializedRowGroupWriter<SinkWriter>,
    removed: &[Option<u32>],
    name: impl Fn(u32) -> String,
) -> Result<()> {
    let mut column = next_column(group)?;
    for removed in removed.chunks(ROWS_AT_ONCE) {
        let levels: Vec<i16> = removed.iter().map(|kept| i16::from(kept.is_some())).collect();
        let names = removed.iter().flatten().map(|kept| ByteArray::from(name(*kept).into_bytes()));
        let names: Vec<ByteArray> = names.collect();
        column.typed::<ByteArrayType>().write_batch(&names, Some(&levels), None)?;
    }
    column.close()
}

/// Writes a table of strings and numbers with the given column names.
///
/// # Errors
///
/// Returns the errors of the rows, and an error if the file cannot be written.
pub(crate) fn write_table(
    sink: &mut Sink,
    (texts, figures): ([&str; 3], [&str; 4]),
    mut rows: impl Iterator<Item = anyhow::Result<([String; 3], [Option<f64>; 4])>>,
) -> anyhow::Result<()> {
    let of_string = texts.iter().map(|name| strings(name, Repetition::REQUIRED));
    let of_figure = figures.iter().map(|name| {
        let column = Type::primitive_type_builder(name, Physical::DOUBLE);
        Ok(Arc::new(column.with_repetition(Repetition::OPTIONAL).build()?))
    });
    let schema = of_string.chain(of_figure).collect::<Result<_>>().and_then(|fields| {
        Ok(Arc::new(Type::group_type_builder("removed").with_fields(fields).build()?))
    });
    let schema = schema.map_err(|error| anyhow!(message(&error)))?;
    let properties = WriterProperties::builder()
        .set_created_by(concat!("dedup ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::SNAPPY);
    let to = SinkWriter { sink, failed: None };
    let mut file = SerializedFileWriter::new(to, schema, Arc::new(properties.build()))
        .map_err(|error| anyhow!(message(&error)))?;
    loop {
        let rows = rows.by_ref().take(GROUP).collect::<anyhow::Result<Vec<_>>>()?;
        if rows.is_empty() {
            return finish(&mut file);
        }
        let written = caught(|| write_group(&mut file, &rows));
        checked(&mut file, written, |error| anyhow!(message(error)))?;
    }
}

fn write_group(
    file: &mut SerializedFileWriter<SinkWriter>,
    rows: &[([String; 3], [Option<f64>; 4])],
) -> Result<()> {
    let mut group = file.next_row_group()?;
    for at in 0..3 {
        let mut column = next_column(&mut group)?;
        let cells: Vec<ByteArray> =
            rows.iter().map(|(texts, _)| texts[at].as_str().into()).collect();
        column.typed::<ByteArrayType>().write_batch(&cells, None, None)?;
        column.close()?;
    }
    for at in 0..4 {
        let mut column = next_column(&mut group)?;
        let cells = rows.iter().map(|(_, figures)| figures[at]);
        let levels: Vec<i16> = cells.clone().map(|cell| i16::from(cell.is_some())).collect();
        let cells: Vec<f64> = cells.flatten().collect();
        column.typed::<DoubleType>().write_batch(&cells, Some(&levels), None)?;
        column.close()?;
    }
    group.close().map(|_| ())
}
