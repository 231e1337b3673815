//! The bytes of an XML document → UTF-8 (XML 1.0, appendix F).

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::Refusal;

/// Decodes a part of a document: by its byte order mark, else as its declaration says, else
/// from UTF-8.
///
/// # Errors
///
/// [`Refusal::Damaged`] where the encoding is unknown or does not allow the bytes.
pub(crate) fn decode(bytes: Vec<u8>, kind: &'static str, part: &str) -> Result<String, Refusal> {
    let damaged = |found: String| Refusal::Damaged { kind, found: format!("{part}: {found}") };
    let (encoding, mark) = match Encoding::for_bom(&bytes) {
        Some(marked) => marked,
        None => match declared(&bytes) {
            Declared::Nothing => (UTF_8, 0),
            Declared::Known(encoding) => (encoding, 0),
            Declared::Unknown(label) => {
                return Err(damaged(format!("in an encoding that is not known, {label}")));
            }
        },
    };
    let invalid = || damaged(format!("bytes that are not {}", encoding.name()));
    if encoding == UTF_8 {
        let mut text = String::from_utf8(bytes).map_err(|_| invalid())?;
        text.drain(..mark);
        return Ok(text);
    }
    let decoded = encoding.decode_without_bom_handling_and_without_replacement(&bytes[mark..]);
    Ok(decoded.ok_or_else(invalid)?.into_owned())
}

enum Declared {
    Nothing,
    Known(&'static Encoding),
    Unknown(String),
}

/// The encoding of a document without a mark.
fn declared(bytes: &[u8]) -> Declared {
    match bytes {
        [b'<', 0, b'?', 0, ..] => return Declared::Known(UTF_16LE),
        [0, b'<', 0, b'?', ..] => return Declared::Known(UTF_16BE),
        _ => {}
    }
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
    let declaration = head.strip_prefix("<?xml").and_then(|rest| Some(rest.split_once("?>")?.0));
    let value = declaration.and_then(|declaration| {
        let (_, value) = declaration.split_once("encoding")?;
        let value = value.trim_start().strip_prefix('=')?.trim_start();
        value.get(1..)?.split(['"', '\'']).next()
    });
    match value {
        None => Declared::Nothing,
        Some(label) => match Encoding::for_label_no_replacement(label.as_bytes()) {
            // A declaration that can be read byte by byte is not in what it says.
            Some(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => Declared::Nothing,
            Some(encoding) => Declared::Known(encoding),
            None => Declared::Unknown(label.to_owned()),
        },
    }
}
