//! Bytes → characters: the encoding that is given, marked, valid or found.

use std::path::Path;

use super::decode::{BadByte, Decoded, decode};
use super::detect::{ESCAPE, begins_with_controls, detect};
use super::ebcdic::is_ebcdic;
use super::{Encoding, EncodingBy, ReadTextError, Reading};
use crate::text::formats::foreign;

/// What a file's bytes are as characters. They may be none, but hold no NUL.
#[derive(Debug, Default)]
pub(super) struct Content {
    pub(super) characters: String,
    pub(super) encoding: Encoding,
    pub(super) by: EncodingBy,
    /// The size of the byte order mark.
    pub(super) mark: usize,
    pub(super) replaced: usize,
    /// The bytes, where the characters alone do not tell where each of them stood.
    pub(super) bytes: Option<Vec<u8>>,
}

impl Content {
    /// Decodes a file's bytes; `declared` is the encoding that they say they are in.
    pub(super) fn of(
        path: &Path,
        mut bytes: Vec<u8>,
        reading: &Reading,
        declared: Option<Encoding>,
    ) -> Result<Self, ReadTextError> {
        let mut text = Self::default();
        let marked = Encoding::marked(&bytes);
        // Escapes in ASCII are all that shows such an encoding: valid UTF-8.
        let escaped = declared.filter(|encoding| !encoding.is_ascii_compatible());
        if let Some(encoding) = reading.encoding.or(marked).or(escaped) {
            text.encoding = encoding;
            text.by = match (reading.encoding, marked) {
                (Some(_), _) => EncodingBy::Given,
                (None, Some(_)) => EncodingBy::Mark,
                (None, None) => EncodingBy::Content,
            };
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
            let declared = declared.filter(|encoding| is_allowed(&bytes, *encoding));
            text.encoding = match declared {
                Some(encoding) => encoding,
                None if is_ebcdic(&bytes) => {
                    return Err(ReadTextError::Ebcdic { path: path.to_owned() });
                }
                None => detect(&bytes).map_err(|bad| no_text(path, &bytes, &text, bad))?,
            };
        }
        if let Some(offset) = first_nul(&bytes, text.encoding.unit()) {
            return Err(no_text(path, &bytes, &text, BadByte { offset, byte: 0 }));
        }
        let decoded = decode(bytes, text.encoding, reading.lossy).map_err(|bad| {
            let (path, encoding) = (path.to_owned(), text.encoding);
            let offset = text.mark + bad.offset;
            ReadTextError::Damaged { path, encoding, offset, byte: bad.byte }
        })?;
        let Decoded { content, replaced, bytes } = decoded;
        Ok(Self { characters: content, replaced, bytes, ..text })
    }
}

/// Why bytes are no text: what they are, or else the first that no text has.
fn no_text(path: &Path, bytes: &[u8], text: &Content, bad: BadByte) -> ReadTextError {
    let path = path.to_owned();
    match foreign(bytes) {
        Some(refusal) => ReadTextError::Refused { path, refusal },
        None => ReadTextError::NotText { path, offset: text.mark + bad.offset, byte: bad.byte },
    }
}

/// Whether bytes that are not UTF-8 are all allowed in an encoding that a page names; pages
/// have been converted and say the old one.
fn is_allowed(bytes: &[u8], encoding: Encoding) -> bool {
    encoding.unit() == 1 && decode(bytes.to_vec(), encoding, false).is_ok()
}

/// Whether bytes that are valid UTF-8 can hardly be anything else: they have neither a NUL nor
/// an escape.
fn is_sure(bytes: &[u8]) -> bool {
    memchr::memchr2(0, ESCAPE, bytes).is_none() && !begins_with_controls(bytes)
}

/// The offset of the first unit of so many bytes that are all 0.
fn first_nul(bytes: &[u8], unit: usize) -> Option<usize> {
    if unit == 1 {
        return memchr::memchr(0, bytes);
    }
    let is_nul = |unit: &[u8]| unit.iter().all(|byte| *byte == 0);
    bytes.chunks_exact(unit).position(is_nul).map(|at| at * unit)
}
