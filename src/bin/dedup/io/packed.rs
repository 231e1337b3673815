//! What is packed → its bytes, unpacked on a thread of its own, ahead of what reads them.

use std::io;

use dedup_text::parallel;
pub(crate) use dedup_text::text::packed::{Packing, unpacked};

use super::disk::Stream;

/// A stream that is unpacked where it is packed, and how it is; as [`unpacked`]. Its thread may still
/// read when what is returned is dropped.
///
/// # Errors
///
/// Where its beginning cannot be read.
pub(crate) fn unpacked_ahead(
    stream: Stream,
    most: Option<u64>,
) -> io::Result<(Stream, Option<Packing>)> {
    let (stream, packing) = unpacked(stream, most)?;
    Ok(match packing {
        Some(_) => (parallel::ahead(stream), packing),
        None => (stream, None),
    })
}
