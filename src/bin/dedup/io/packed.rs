//! What is packed → its bytes, part by part, known by how it begins.
//!
//! A file of records may be packed by gzip, Zstandard, bzip2 or xz, in several members one after the
//! other. Nothing is unpacked that is not read. What unpacks to more than its limit is refused where
//! it is also more than [`RATIO`] times of what was read, which no text is: so a corpus may be as large
//! as it likes, and a few kilobytes of zeros may not.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::disk::Stream;

/// How something is packed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Packing {
    Gzip,
    Zstandard,
    Bzip2,
    Xz,
}

impl Packing {
    const ALL: [Self; 4] = [Self::Gzip, Self::Zstandard, Self::Bzip2, Self::Xz];

    /// What it is called in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstandard => "Zstandard",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
        }
    }

    /// The ending of files.
    pub(crate) fn ending(self) -> &'static str {
        match self {
            Self::Gzip => "gz",
            Self::Zstandard => "zst",
            Self::Bzip2 => "bz2",
            Self::Xz => "xz",
        }
    }

    /// The bytes that it begins with; none of them begins a line of JSON.
    fn magic(self) -> &'static [u8] {
        match self {
            Self::Gzip => b"\x1f\x8b",
            Self::Zstandard => b"\x28\xb5\x2f\xfd",
            Self::Bzip2 => b"BZh",
            Self::Xz => b"\xfd7zXZ\0",
        }
    }

    /// That of a file, by the ending of its name.
    pub(crate) fn of_name(path: &Path) -> Option<Self> {
        let ending = path.extension()?;
        Self::ALL.into_iter().find(|it| ending.eq_ignore_ascii_case(it.ending()))
    }
}

/// Bytes that are looked at to know how something is packed.
const HEAD: usize = 6;

/// Times of what it is packed in that a text may unpack to, beyond the limit: JSON that repeats itself
/// packs to a fiftieth.
const RATIO: u64 = 200;

/// The most kilobytes that xz may take for its dictionary: those of its strongest preset, and more.
const XZ_KILOBYTES: u32 = 1 << 17;

/// A stream that is unpacked where it is packed, and how it is. `most` are the bytes that it may unpack
/// to in any case; none where there is no limit.
///
/// # Errors
///
/// Where its beginning cannot be read.
pub(crate) fn unpacked(
    mut stream: Stream,
    most: Option<u64>,
) -> io::Result<(Stream, Option<Packing>)> {
    let mut head = Vec::with_capacity(HEAD);
    stream.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
    let packing = Packing::ALL.into_iter().find(|it| head.starts_with(it.magic()));
    let whole: Stream = Box::new(Cursor::new(head).chain(stream));
    let Some(packing) = packing else { return Ok((whole, None)) };
    let read = Arc::new(AtomicU64::new(0));
    let packed =
        BufReader::with_capacity(1 << 16, Counted { stream: whole, read: Arc::clone(&read) });
    let stream: Stream = match packing {
        Packing::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(packed)),
        Packing::Zstandard => Box::new(Frames::new(packed)),
        Packing::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(packed)),
        Packing::Xz => Box::new(lzma_rust2::XzReader::new_mem_limit(packed, true, XZ_KILOBYTES)),
    };
    Ok((Box::new(Bounded { stream, read, unpacked: 0, most }), Some(packing)))
}

/// Counts the bytes that are read.
struct Counted {
    stream: Stream,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(room)?;
        self.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// Refuses what unpacks to too much.
struct Bounded {
    stream: Stream,
    read: Arc<AtomicU64>,
    unpacked: u64,
    most: Option<u64>,
}

impl Read for Bounded {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(room)?;
        self.unpacked += read as u64;
        let packed = self.read.load(Ordering::Relaxed);
        match self.most {
            Some(most) if self.unpacked > most.max(packed.saturating_mul(RATIO)) => {
                Err(io::Error::other(format!(
                    "unpacks to more than {most} bytes and {RATIO} times its size"
                )))
            }
            _ => Ok(read),
        }
    }
}

/// Frames of Zstandard, one after the other; those that are to be skipped hold no text.
struct Frames<R> {
    packed: R,
    decoder: FrameDecoder,
    /// Whether a frame is begun that is not read to its end.
    is_begun: bool,
}

impl<R: BufRead> Frames<R> {
    fn new(packed: R) -> Self {
        Self { packed, decoder: FrameDecoder::new(), is_begun: false }
    }

    /// Begins the next frame; false at the end.
    fn begin(&mut self) -> io::Result<bool> {
        while !self.packed.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.packed) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    let mut skipped = self.packed.by_ref().take(length);
                    if io::copy(&mut skipped, &mut io::sink())? < length {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Ok(false)
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if room.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.is_begun && !self.begin()? {
                return Ok(0);
            }
            self.is_begun = true;
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let decoded = self
                    .decoder
                    .decode_blocks(&mut self.packed, BlockDecodingStrategy::UptoBlocks(1));
                decoded.map_err(io::Error::other)?;
            }
            let read = self.decoder.read(room)?;
            if read > 0 {
                return Ok(read);
            }
            self.is_begun = !self.decoder.is_finished();
        }
    }
}
