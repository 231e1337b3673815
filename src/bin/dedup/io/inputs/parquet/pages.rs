//! Reads the pages of a column, and unpacks them within limits.
//!
//! The `parquet` crate unpacks a gzip page to its end, however long that is, and allocates memory
//! for as many dictionary values as a page claims to have. Both are checked first here, so that a
//! file of a few kilobytes cannot take gigabytes: pages are read without unpacking them, and then
//! unpacked as other inputs are.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::sync::Arc;

use bytes::Bytes;
use dedup_text::text::varint;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;

use crate::io::disk::{self, CompressionFormat};

/// The largest ratio of unpacked to packed size that a Snappy page may claim: more than Snappy can
/// reach.
const SNAPPY_RATIO: usize = 64;

/// The largest number of values in a page that stores their lengths before them, because memory is
/// allocated for all lengths.
const MAX_LENGTHS: u64 = 1 << 26;

/// Opens a column of a row group. `max_unpacked` is the number of bytes that a page may unpack to
/// regardless of its packed size; `None` for no limit.
///
/// # Errors
///
/// Returns an error if the compression is not supported, or if the position of the column is
/// impossible.
pub(super) fn column(
    file: &Arc<File>,
    group: &RowGroupMetaData,
    at: usize,
    max_unpacked: Option<u64>,
) -> Result<ColumnReader> {
    let chunk = group.column(at);
    let rows = usize::try_from(group.num_rows())?;
    let codec = match chunk.compression() {
        // LZ4 unpacks to the size that the page claims, which is at most 2 GB, or to 255 times its
        // packed size.
        Compression::UNCOMPRESSED | Compression::LZ4 | Compression::LZ4_RAW => Codec::OfCrate,
        Compression::SNAPPY => Codec::Snappy,
        Compression::GZIP(_) => Codec::Packed(CompressionFormat::Gzip),
        Compression::ZSTD(_) => Codec::Packed(CompressionFormat::Zstandard),
        other @ (Compression::LZO | Compression::BROTLI(_)) => {
            let name = chunk.column_path().string();
            let codec = if other == Compression::LZO { "LZO" } else { "Brotli" };
            let message = format!(
                "the column {name} is compressed with {codec}, expected Snappy, gzip, Zstandard or \
                 LZ4"
            );
            return Err(ParquetError::NYI(message));
        }
    };
    let as_it_is = match codec {
        Codec::OfCrate => chunk.clone(),
        _ => chunk.clone().into_builder().set_compression(Compression::UNCOMPRESSED).build()?,
    };
    let file = Arc::new(SharedFile(Arc::clone(file)));
    let as_they_are = SerializedPageReader::new(file, &as_it_is, rows, None)?;
    let descr = chunk.column_descr_ptr();
    let levels = [descr.max_rep_level(), descr.max_def_level()].map(|max_level| max_level > 0);
    Ok(get_column_reader(descr, Box::new(Pages { as_they_are, codec, max_unpacked, levels })))
}

/// A file that several threads read at given offsets at once: there is no shared read position.
pub(super) struct SharedFile(pub(super) Arc<File>);

/// A reader of a file from an offset on.
pub(super) struct FromOffset {
    file: Arc<File>,
    at: u64,
}

impl Length for SharedFile {
    fn len(&self) -> u64 {
        self.0.metadata().map_or(0, |known| known.len())
    }
}

impl ChunkReader for SharedFile {
    type T = BufReader<FromOffset>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(BufReader::new(FromOffset { file: Arc::clone(&self.0), at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let there = Length::len(self).saturating_sub(start);
        if length as u64 > there {
            return Err(damaged(&format!("{length} bytes that end beyond the file")));
        }
        let mut bytes = Vec::with_capacity(length);
        let from = FromOffset { file: Arc::clone(&self.0), at: start };
        from.take(length as u64).read_to_end(&mut bytes)?;
        if bytes.len() < length {
            return Err(damaged("a file that has become shorter"));
        }
        Ok(bytes.into())
    }
}

impl Read for FromOffset {
    #[cfg(unix)]
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = std::os::unix::fs::FileExt::read_at(&*self.file, buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }

    #[cfg(not(unix))]
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = std::os::windows::fs::FileExt::seek_read(&*self.file, buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// The compression of the pages.
#[derive(Clone, Copy)]
enum Codec {
    /// The pages are not compressed, or the `parquet` crate has unpacked them.
    OfCrate,
    Snappy,
    Packed(CompressionFormat),
}

/// The pages of a column.
struct Pages {
    as_they_are: SerializedPageReader<SharedFile>,
    codec: Codec,
    max_unpacked: Option<u64>,
    /// Whether there are repetition levels, and whether there are definition levels.
    levels: [bool; 2],
}

impl Pages {
    /// Unpacks a page, except its first `first` bytes, which are copied.
    fn unpack(&self, page: &Bytes, first: usize) -> Result<Bytes> {
        if first > page.len() {
            return Err(damaged("levels that are longer than their page"));
        }
        let mut all = page[..first].to_vec();
        let packed = page.slice(first..);
        match self.codec {
            Codec::OfCrate => return Ok(page.clone()),
            _ if packed.is_empty() => {}
            Codec::Snappy => {
                let says = snap::raw::decompress_len(&packed).map_err(of_page)?;
                if says / SNAPPY_RATIO > packed.len() {
                    return Err(damaged(&format!(
                        "a page of {} bytes that claims to unpack to {says}",
                        packed.len()
                    )));
                }
                all.resize(first + says, 0);
                snap::raw::Decoder::new()
                    .decompress(&packed, &mut all[first..])
                    .map_err(of_page)?;
            }
            Codec::Packed(compression) => {
                let (mut stream, found) =
                    disk::unpacked(Box::new(Cursor::new(packed)), self.max_unpacked)?;
                if found != Some(compression) {
                    return Err(damaged(&format!(
                        "a page that is not compressed with {}",
                        compression.name()
                    )));
                }
                stream.read_to_end(&mut all).map_err(of_page)?;
            }
        }
        Ok(all.into())
    }

    /// Checks that a page can have as many values as it claims.
    fn check(&self, page: &Page) -> Result<()> {
        match page {
            Page::DictionaryPage { buf, num_values, .. } if *num_values as usize > buf.len() => {
                let (bytes, says) = (buf.len(), num_values);
                let found =
                    format!("a dictionary of {bytes} bytes that claims to have {says} values");
                return Err(damaged(&found));
            }
            Page::DataPage { encoding, .. } | Page::DataPageV2 { encoding, .. }
                if matches!(
                    encoding,
                    Encoding::DELTA_LENGTH_BYTE_ARRAY | Encoding::DELTA_BYTE_ARRAY
                ) =>
            {
                let limit = MAX_LENGTHS.min(u64::from(page.num_values()));
                let lists = if *encoding == Encoding::DELTA_BYTE_ARRAY { 2 } else { 1 };
                let mut bytes = self.values(page).unwrap_or_default();
                for _ in 0..lists {
                    let says = lengths(&mut bytes, limit).unwrap_or_default();
                    if says > limit {
                        let values = page.num_values();
                        return Err(damaged(&format!("{says} lengths for {values} values")));
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the values of a page, which follow its levels; `None` if the page is too short for
    /// these.
    fn values<'p>(&self, page: &'p Page) -> Option<&'p [u8]> {
        let mut bytes: &[u8] = page.buffer();
        if let Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } = page {
            return bytes.get(def_levels_byte_len.checked_add(*rep_levels_byte_len)? as usize..);
        }
        for _ in self.levels.iter().filter(|are_there| **are_there) {
            let (length, rest) = bytes.split_first_chunk()?;
            bytes = rest.get(u32::from_le_bytes(*length) as usize..)?;
        }
        Some(bytes)
    }
}

/// Removes a delta-encoded list of lengths from the front of `bytes`, and returns the number of
/// lengths that it claims to have. If that is more than `limit`, only the header is removed. `None`
/// if the list is cut short or invalid.
fn lengths(bytes: &mut &[u8], limit: u64) -> Option<u64> {
    // The header: the block size, the parts of a block, the number of lengths, and the first
    // length.
    let [block, parts, count, _] = [(); 4].map(|()| varint::take(bytes));
    let (block, parts, count) = (block?, parts?, count?);
    if count > limit {
        return Some(count);
    }
    let in_part = block.checked_div(parts).filter(|in_part| *in_part > 0)?;
    let mut left = count.saturating_sub(1);
    while left > 0 {
        varint::take(bytes)?;
        let all = *bytes;
        let (widths, rest) = all.split_at_checked(usize::try_from(parts).ok()?)?;
        *bytes = rest;
        for width in widths {
            if left == 0 {
                break;
            }
            let size = u64::from(*width).checked_mul(in_part)? / 8;
            *bytes = bytes.get(usize::try_from(size).ok()?..)?;
            left = left.saturating_sub(in_part);
        }
    }
    Some(count)
}

fn damaged(found: &str) -> ParquetError {
    ParquetError::General(found.to_owned())
}

fn of_page(error: impl std::fmt::Display) -> ParquetError {
    damaged(&error.to_string())
}

impl Iterator for Pages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let Some(mut page) = self.as_they_are.get_next_page()? else { return Ok(None) };
        match &mut page {
            Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. } => {
                *buf = self.unpack(buf, 0)?;
            }
            Page::DataPageV2 {
                buf,
                def_levels_byte_len,
                rep_levels_byte_len,
                is_compressed: true,
                ..
            } => {
                let levels = u64::from(*def_levels_byte_len) + u64::from(*rep_levels_byte_len);
                *buf = self.unpack(buf, usize::try_from(levels)?)?;
            }
            Page::DataPageV2 { .. } => {}
        }
        self.check(&page)?;
        Ok(Some(page))
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.as_they_are.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.as_they_are.skip_next_page()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_lengths_are_taken_as_there_are() {
        #[rustfmt::skip]
        let table: &[(&str, &[u8], Option<u64>, &[u8])] = &[
            ("none",              &[128, 1, 4, 0, 0, 9],                                 Some(0),   &[9]),
            ("one",               &[128, 1, 4, 1, 14, 9],                                Some(1),   &[9]),
            ("three of one bit",  &[128, 1, 4, 3, 14, 0, 1, 7, 7, 7, 3, 0, 0, 0, 9],     Some(3),   &[9]),
            ("two parts",         &[128, 1, 4, 34, 14, 0, 0, 1, 7, 7, 3, 0, 0, 0, 9],    Some(34),  &[9]),
            ("too many",          &[128, 1, 4, 128, 8, 0, 9],                            Some(1024), &[0, 9]),
            ("no parts",          &[128, 1, 0, 3, 14, 0, 9],                             None,      &[0, 9]),
            ("cut in its widths", &[128, 1, 4, 3, 14, 0, 1],                             None,      &[1]),
            ("cut in a number",   &[128],                                                None,      &[]),
        ];
        for (why, bytes, want, rest) in table {
            let mut bytes = *bytes;
            assert_eq!(lengths(&mut bytes, 100), *want, "{why}");
            assert_eq!(
                bytes.strip_prefix(&[0]).unwrap_or(bytes),
                rest.strip_prefix(&[0]).unwrap_or(rest),
                "{why}"
            );
        }
    }
}
