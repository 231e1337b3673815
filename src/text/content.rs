//! Bytes → characters: the encoding that is given, marked, valid or found.

use std::path::Path;

use super::decode::{BadByte, decode};
use super::detect::{begins_with_controls, detect};
use super::{Encoding, EncodingBy, ReadTextError, Reading};

/// What a file's bytes are as characters. They may be none, but hold no NUL.
#[derive(Debug, Default)]
pub(super) struct Content {
    pub(super) characters: String,
    pub(super) encoding: Encoding,
    pub(super) by: EncodingBy,
    /// The size of the byte order mark.
    pub(super) mark: usize,
    pub(super) replaced: usize,
}

impl Content {
    /// Decodes a file's bytes.
    pub(super) fn of(
        path: &Path,
        mut bytes: Vec<u8>,
        reading: &Reading,
    ) -> Result<Self, ReadTextError> {
        let mut text = Self::default();
        let marked = Encoding::marked(&bytes);
        if let Some(encoding) = reading.encoding.or(marked) {
            text.encoding = encoding;
            text.by = if reading.encoding.is_none() { EncodingBy::Mark } else { EncodingBy::Given };
            text.mark = if marked == Some(encoding) { encoding.mark().len() } else { 0 };
            bytes.drain(..text.mark);
        } else {
            // Nearly every text ends here, and has paid for no more than it must.
            bytes = match String::from_utf8(bytes) {
                Ok(content) if is_sure(content.as_bytes()) => {
                    return Ok(Self { characters: content, ..text });
                }
                Ok(content) => content.into_bytes(),
                Err(error) => error.into_bytes(),
            };
            text.encoding = detect(&bytes).map_err(|bad| text.no_text(path, bad))?;
        }
        if let Some(offset) = first_nul(&bytes, text.encoding.unit()) {
            return Err(text.no_text(path, BadByte { offset, byte: 0 }));
        }
        let decoded = decode(bytes, text.encoding, reading.lossy).map_err(|bad| {
            let (path, encoding) = (path.to_owned(), text.encoding);
            let offset = text.mark + bad.offset;
            ReadTextError::Damaged { path, encoding, offset, byte: bad.byte }
        })?;
        Ok(Self { characters: decoded.content, replaced: decoded.replaced, ..text })
    }

    fn no_text(&self, path: &Path, bad: BadByte) -> ReadTextError {
        let (path, offset) = (path.to_owned(), self.mark + bad.offset);
        ReadTextError::NotText { path, offset, byte: bad.byte }
    }
}

/// Whether bytes that are valid UTF-8 can hardly be anything else.
fn is_sure(bytes: &[u8]) -> bool {
    memchr::memchr(0, bytes).is_none() && !begins_with_controls(bytes)
}

/// The offset of the first unit of so many bytes that are all 0.
fn first_nul(bytes: &[u8], unit: usize) -> Option<usize> {
    if unit == 1 {
        return memchr::memchr(0, bytes);
    }
    let is_nul = |unit: &[u8]| unit.iter().all(|byte| *byte == 0);
    bytes.chunks_exact(unit).position(is_nul).map(|at| at * unit)
}
