//! A file of Parquet → its rows, batch by batch: of them the cells that are asked for.

use std::fmt;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;

use super::footer::{Footer, Wanted, caught};
use super::pages;
use super::values::{Column, Meaning};
use super::{Lost, name_of_row};
use crate::diagnostics::Diagnostic;
use crate::io::inputs::record::{Asked, BadLine, Need};

/// The most rows of a batch.
const BATCH: usize = 1 << 12;

/// Bytes of texts from which on a batch is full.
const BLOCK: usize = 1 << 24;

/// A row; it shares its batch with the others in it.
pub(crate) struct Row {
    batch: Arc<Batch>,
    at: usize,
}

/// Rows of a file, one after the other.
struct Batch {
    file: Arc<Path>,
    /// The number of the first row, from 1.
    first: u64,
    /// Whether the file cannot be read again.
    is_piped: bool,
    /// The bytes of the file that are taken for each row's.
    share: u64,
    text: Vec<Option<ByteArray>>,
    /// The columns of the id, the group and the worth, where they are asked for and there.
    others: [Option<Vec<Option<Vec<u8>>>>; 3],
}

impl Row {
    /// Its file.
    pub(crate) fn file(&self) -> &Arc<Path> {
        &self.batch.file
    }

    /// Its number, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.batch.first + self.at as u64
    }

    /// Whether its file cannot be read again.
    pub(crate) fn is_read_once(&self) -> bool {
        self.batch.is_piped
    }

    /// Its share of the file.
    pub(crate) fn bytes(&self) -> u64 {
        self.batch.share
    }

    /// The cells of the text, the id, the group and the worth; none where it is null or not there.
    pub(crate) fn cells(&self) -> [Option<Vec<u8>>; 4] {
        let text = self.batch.text[self.at].as_ref().map(|text| text.data().to_vec());
        let other = |column: usize| self.batch.others[column].as_ref()?[self.at].clone();
        [text, other(0), other(1), other(2)]
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.debug_tuple("Row").field(self.file()).field(&self.number()).finish()
    }
}

/// Reads the rows of a file. Where a row group cannot be read, that is the last thing that comes.
pub(crate) struct Rows {
    footer: Footer,
    is_piped: bool,
    /// The most bytes of a text.
    most: usize,
    /// The most bytes that a page may unpack to; none where there is no limit.
    most_unpacked: Option<u64>,
    share: u64,
    text: (usize, Meaning),
    others: [Option<(usize, Meaning)>; 3],
    /// The row group that is read, or else the next one, from 0.
    group: usize,
    reading: Option<Group>,
    /// The number of the first row that is not read, from 1.
    number: u64,
    is_over: bool,
}

/// A row group, as far as it is not read.
struct Group {
    text: Column,
    others: [Option<Column>; 3],
    rows: usize,
    /// Rows that are read at once: there may be few of long texts.
    step: usize,
}

impl Rows {
    /// The rows of a file with the columns that are asked for.
    ///
    /// # Errors
    ///
    /// Where it is no file of Parquet, or a column is not there that must be.
    pub(crate) fn new(
        path: &Path,
        file: File,
        asked: &Asked,
        is_piped: bool,
        (most, most_unpacked): (usize, Option<u64>),
    ) -> anyhow::Result<Self> {
        let bytes = file.metadata().map_or(0, |known| known.len());
        let footer = Footer::read(path, file)?;
        let column = |(field, need): (&str, Need), of: Wanted| {
            let column = footer.column(field, of)?;
            if column.is_none() && need == Need::Required {
                let (field, there) = (field.to_owned(), footer.fields());
                return Err(footer.wrong(BadLine::Lacks { field, there }));
            }
            Ok(column)
        };
        let (text, others) = asked;
        let lacks = || BadLine::Lacks { field: (*text).to_owned(), there: footer.fields() };
        let text = column((text, Need::Required), Wanted::Strings)?;
        let text = text.ok_or_else(|| footer.wrong(lacks()))?;
        let mut found = [None; 3];
        for (found, asked) in found.iter_mut().zip(others) {
            if let Some(asked) = asked {
                *found = column(*asked, Wanted::Scalars)?;
            }
        }
        let share = bytes / footer.rows().max(1);
        Ok(Self {
            footer,
            is_piped,
            most,
            most_unpacked,
            share,
            text,
            others: found,
            group: 0,
            reading: None,
            number: 1,
            is_over: false,
        })
    }

    /// The row of a number, from 1; none where there is none, or it cannot be read. All before it in its row
    /// group are read.
    pub(crate) fn row(mut self, number: u64) -> Option<Row> {
        for group in self.footer.metadata.row_groups() {
            let next = self.number + group.num_rows().unsigned_abs();
            if number < next {
                break;
            }
            self.number = next;
            self.group += 1;
        }
        self.flatten().map_while(Result::ok).find(|row| row.number() == number)
    }

    /// Reads the next rows, of one row group; none at the end.
    fn read(&mut self) -> Result<Option<Batch>, ParquetError> {
        while self.reading.as_ref().is_none_or(|group| group.rows == 0) {
            self.group += usize::from(self.reading.take().is_some());
            if self.group == self.footer.metadata.num_row_groups() {
                return Ok(None);
            }
            self.reading = Some(self.begin()?);
        }
        let Some(group) = &mut self.reading else { return Ok(None) };
        let mut batch = Batch {
            file: Arc::clone(&self.footer.path),
            is_piped: self.is_piped,
            first: self.number,
            share: self.share,
            text: Vec::new(),
            others: group.others.each_ref().map(|column| column.as_ref().map(|_| Vec::new())),
        };
        let mut bytes = 0;
        while batch.text.len() < BATCH && bytes < BLOCK && group.rows > 0 {
            let step = group.step.min(group.rows).min(BATCH - batch.text.len());
            let texts = group.text.strings(step)?;
            bytes += texts.iter().flatten().map(ByteArray::len).sum::<usize>();
            batch.text.extend(texts);
            for (cells, column) in batch.others.iter_mut().zip(&mut group.others) {
                if let (Some(cells), Some(column)) = (cells, column) {
                    cells.extend(column.cells(step)?);
                }
            }
            group.rows -= step;
        }
        self.number += batch.text.len() as u64;
        Ok(Some(batch))
    }

    /// Opens the columns of the next row group.
    fn begin(&self) -> Result<Group, ParquetError> {
        let group = self.footer.metadata.row_group(self.group);
        let open = |(at, meaning): (usize, Meaning)| -> Result<Column, ParquetError> {
            let reader = pages::column(&self.footer.file, group, at, self.most_unpacked)?;
            Ok(Column::new(reader, meaning, &self.footer.schema().columns()[at]))
        };
        let mut others = [None, None, None];
        for (column, other) in others.iter_mut().zip(self.others) {
            *column = other.map(open).transpose()?;
        }
        let rows = usize::try_from(group.num_rows())?;
        let bytes = usize::try_from(group.column(self.text.0).uncompressed_size())?;
        let step = (BLOCK / (bytes / rows.max(1)).max(1)).clamp(1, BATCH);
        Ok(Group { text: open(self.text)?, others, rows, step })
    }

    fn rows(&self, batch: Batch) -> Vec<Result<Row, Lost>> {
        let batch = Arc::new(batch);
        let row = |(at, text): (usize, &Option<ByteArray>)| {
            if text.as_ref().is_none_or(|text| text.len() <= self.most) {
                return Ok(Row { batch: Arc::clone(&batch), at });
            }
            let error = Diagnostic::new(format!("larger than the limit of {} bytes", self.most))
                .kind("too long")
                .hint("--max-bytes off lifts the limit");
            let name = name_of_row(&batch.file, batch.first + at as u64);
            Err(Lost { error: anyhow::Error::from(error).context(name.clone()), name })
        };
        batch.text.iter().enumerate().map(row).collect()
    }
}

impl Iterator for Rows {
    type Item = Vec<Result<Row, Lost>>;

    /// The next rows, and what is lost of them.
    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        match caught(|| self.read()) {
            Ok(batch) => Some(self.rows(batch?)),
            Err(error) => {
                self.is_over = true;
                let error = self.footer.damaged(self.group, &error);
                let name = self.footer.name_of_group(self.group);
                Some(vec![Err(Lost { name, error })])
            }
        }
    }
}

#[cfg(test)]
mod tests;
