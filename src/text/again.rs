//! Places in characters → places in the bytes that they were decoded from.
//!
//! Where characters take as many bytes as they please, or bytes were replaced, only
//! decoding them once more says where each stood.

use encoding_rs as whatwg;

use super::decode::{Encoding, Form};

/// The bytes before each of some offsets into what bytes were decoded to; the offsets
/// increase and are on character boundaries. The cost is that of decoding.
pub(super) fn offsets(bytes: &[u8], encoding: Encoding, wanted: &[usize]) -> Vec<usize> {
    let Form::Whatwg(encoding) = encoding.0 else { return wanted.to_vec() };
    let mut found = Vec::with_capacity(wanted.len());
    let (mut read, mut written) = (0, 0);
    for piece in pieces(bytes, encoding) {
        let next = wanted.get(found.len()..).and_then(|rest| rest.first());
        let length = match next {
            None => break,
            Some(_) if piece.is_ascii() && encoding.is_ascii_compatible() => piece.len(),
            Some(_) => encoding.decode_without_bom_handling(piece).0.len(),
        };
        if next.is_some_and(|next| *next < written + length) {
            within(piece, encoding, (read, written), wanted, &mut found);
        }
        read += piece.len();
        written += length;
    }
    found.resize(wanted.len(), bytes.len());
    found
}

/// The lines of a text, where a decoder begins anew at each; else all of it.
fn pieces<'b>(
    bytes: &'b [u8],
    encoding: &'static whatwg::Encoding,
) -> impl Iterator<Item = &'b [u8]> {
    let by_line = encoding.is_ascii_compatible();
    bytes.split_inclusive(move |byte| by_line && *byte == b'\n')
}

/// Finds the offsets that are in one piece, which begins after so many bytes read and
/// written, byte by byte.
fn within(
    piece: &[u8],
    encoding: &'static whatwg::Encoding,
    (read, written): (usize, usize),
    wanted: &[usize],
    found: &mut Vec<usize>,
) {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut characters = [0; 64];
    let mut written = written;
    for (at, byte) in piece.iter().enumerate() {
        while wanted.get(found.len()).is_some_and(|next| *next == written) {
            found.push(read + at);
        }
        let is_last = at + 1 == piece.len();
        let (_, _, more, _) = decoder.decode_to_utf8(&[*byte], &mut characters, is_last);
        written += more;
        // Characters that come of one byte together: what is between them is before it.
        while wanted.get(found.len()).is_some_and(|next| *next < written) {
            found.push(read + at);
        }
    }
}
