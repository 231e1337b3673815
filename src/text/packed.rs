//! Decompresses data piece by piece, in a format recognized by its first bytes.
//!
//! A text, or a file of records, may be compressed with gzip, Zstandard, bzip2 or xz, in one or
//! more consecutive members. Data is decompressed only as it is read. A stream is refused if it
//! decompresses to more than its limit and also to more than 200 times the compressed bytes read so
//! far, a ratio that no text reaches. So a corpus may be of any size, but a file of zeros in a few
//! kilobytes is refused.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bzip2::bufread::BzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::formats::{Bounds, ExtractError, WindowTooLarge};

/// The source of the bytes.
pub type Stream = Box<dyn Read + Send>;

/// A compression format.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum CompressionFormat {
    /// gzip.
    Gzip,
    /// Zstandard.
    Zstandard,
    /// bzip2.
    Bzip2,
    /// xz.
    Xz,
}

impl CompressionFormat {
    const ALL: [Self; 4] = [Self::Gzip, Self::Zstandard, Self::Bzip2, Self::Xz];

    /// Returns its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstandard => "Zstandard",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
        }
    }

    /// Returns its file extension.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Gzip => "gz",
            Self::Zstandard => "zst",
            Self::Bzip2 => "bz2",
            Self::Xz => "xz",
        }
    }

    /// Returns the format of data from its first bytes; 10 bytes are enough. `None` if they do not
    /// begin like any of the formats.
    pub fn from_content(head: &[u8]) -> Option<Self> {
        match head {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            // A frame, or a skippable frame (RFC 8878, section 3.1.2), with which pzstd begins.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
                Some(Self::Zstandard)
            }
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            // The signature is letters only, with which a text may begin, so that the next bytes
            // are checked, too.
            [b'B', b'Z', b'h', b'1'..=b'9', block @ ..] if block.len() > 1 => {
                let begins =
                    |magic: &[u8]| magic.iter().zip(block).all(|(one, other)| one == other);
                let is_it = begins(b"1AY&SY") || begins(b"\x17\x72\x45\x38\x50\x90");
                is_it.then_some(Self::Bzip2)
            }
            _ => None,
        }
    }

    /// Returns the format of a file from its file extension.
    pub fn from_name(path: &Path) -> Option<Self> {
        let ending = path.extension()?;
        Self::ALL.into_iter().find(|it| ending.eq_ignore_ascii_case(it.ending()))
    }
}

/// The number of bytes that are read to recognize the format.
const HEAD: usize = 10;

/// The ratio of decompressed to compressed size that is allowed beyond the limit. Even JSON that
/// repeats itself compresses only to about a fiftieth.
const RATIO: u64 = 200;

/// The number of bzip2 streams that may be of any size. All others must have [`STREAM_BYTES`]
/// compressed bytes on average.
const SHORT_STREAMS: u64 = if cfg!(test) { 10 } else { 10_000 };

/// The mean number of compressed bytes of further bzip2 streams; programs write hundreds of
/// thousands.
const STREAM_BYTES: u64 = 4_000;

/// The limit for the memory of the xz decoder, in kilobytes: its largest preset needs a dictionary
/// of half as much.
const XZ_KILOBYTES: u32 = 1 << 17;

/// Decompresses a stream if it is compressed, and returns its format. `max_bytes` is the number of
/// bytes that it may decompress to regardless of the ratio; `None` for no limit at all.
///
/// # Errors
///
/// Returns an error if the beginning of the stream cannot be read.
pub fn unpacked(
    mut stream: Stream,
    max_bytes: Option<u64>,
) -> io::Result<(Stream, Option<CompressionFormat>)> {
    let mut head = Vec::with_capacity(HEAD);
    stream.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
    let compression = CompressionFormat::from_content(&head);
    let whole: Stream = Box::new(Cursor::new(head).chain(stream));
    let Some(compression) = compression else { return Ok((whole, None)) };
    let read = Arc::new(AtomicU64::new(0));
    let packed = BufReader::with_capacity(
        1 << 16,
        CountingReader { stream: whole, read: Arc::clone(&read) },
    );
    let stream = compression.unpack(packed);
    Ok((Box::new(Bounded { stream, read, unpacked: 0, max_bytes }), Some(compression)))
}

impl CompressionFormat {
    fn unpack<'p>(self, packed: impl BufRead + Send + 'p) -> Box<dyn Read + Send + 'p> {
        match self {
            Self::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(packed)),
            Self::Zstandard => {
                Box::new(Frames { packed, decoder: FrameDecoder::new(), is_begun: false })
            }
            Self::Bzip2 => Box::new(Bzip2Streams {
                decoder: Some(BzDecoder::new(packed)),
                streams: 0,
                packed: 0,
            }),
            Self::Xz => Box::new(lzma_rust2::XzReader::new_mem_limit(packed, true, XZ_KILOBYTES)),
        }
    }
}

/// Decompresses the bytes of a compressed file within the bounds of documents. Also returns the
/// name that the file would have uncompressed. `None` if the bytes are not compressed.
pub(super) fn whole<'p>(
    path: &'p Path,
    bytes: &[u8],
    bounds: &Bounds,
) -> Result<Option<(&'p Path, Vec<u8>)>, ExtractError> {
    let Some(compression) = CompressionFormat::from_content(&bytes[..bytes.len().min(HEAD)]) else {
        return Ok(None);
    };
    let mut unpacked = Vec::new();
    let max_bytes = bounds.unpacked.unwrap_or(u64::MAX);
    let read =
        compression.unpack(bytes).take(max_bytes.saturating_add(1)).read_to_end(&mut unpacked);
    match read {
        Ok(read) if read as u64 > max_bytes => Err(ExtractError::TooLarge { max_bytes }),
        Ok(_) => {
            let is_named = CompressionFormat::from_name(path).is_some();
            let inner = path.file_stem().filter(|_| is_named).map_or(path, Path::new);
            Ok(Some((inner, unpacked)))
        }
        Err(error) => Err(match error.get_ref().and_then(|cause| cause.downcast_ref()) {
            Some(too_large) => ExtractError::WindowTooLarge(*too_large),
            None => ExtractError::Damaged { kind: compression.name(), found: error.to_string() },
        }),
    }
}

/// A reader that counts the bytes that are read from it.
struct CountingReader {
    stream: Stream,
    read: Arc<AtomicU64>,
}

impl Read for CountingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer).map_err(|error| {
            io::Error::new(error.kind(), UnreadablePacked { error: Arc::new(error) })
        })?;
        self.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// The error if the compressed bytes of a stream cannot be read. It has nothing to do with what
/// they contain.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{error}")]
pub struct UnreadablePacked {
    error: Arc<io::Error>,
}

/// The error if a stream decompresses to too many bytes.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("unpacks to more than {max_bytes} bytes and {RATIO} times its size")]
pub struct UnpackedTooLarge {
    /// The number of bytes that are always allowed.
    pub max_bytes: u64,
}

/// A reader that fails if the stream decompresses to too many bytes.
struct Bounded {
    stream: Stream,
    read: Arc<AtomicU64>,
    unpacked: u64,
    max_bytes: Option<u64>,
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer)?;
        self.unpacked += read as u64;
        let packed = self.read.load(Ordering::Relaxed);
        match self.max_bytes {
            Some(max_bytes) if self.unpacked > max_bytes.max(packed.saturating_mul(RATIO)) => {
                Err(io::Error::other(UnpackedTooLarge { max_bytes }))
            }
            _ => Ok(read),
        }
    }
}

/// A decoder of consecutive bzip2 streams. As each needs a new decoder of megabytes, the number of
/// short streams is limited.
struct Bzip2Streams<R> {
    /// `None` after an error.
    decoder: Option<BzDecoder<R>>,
    /// The number of complete streams, and their compressed bytes.
    streams: u64,
    packed: u64,
}

impl<R: BufRead> Read for Bzip2Streams<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.decoder {
            let read = decoder.read(buffer)?;
            if read > 0 || buffer.is_empty() || decoder.get_mut().fill_buf()?.is_empty() {
                return Ok(read);
            }
            self.streams += 1;
            self.packed += decoder.total_in();
            let packed = self.decoder.take().map(BzDecoder::into_inner);
            if self.streams > SHORT_STREAMS + self.packed / STREAM_BYTES {
                let (streams, packed) = (self.streams, self.packed);
                return Err(io::Error::other(format!(
                    "{streams} streams in {packed} bytes, expected at most one for {STREAM_BYTES} \
                     bytes and {SHORT_STREAMS} more"
                )));
            }
            self.decoder = packed.map(BzDecoder::new);
        }
        Ok(0)
    }
}

/// A decoder of consecutive Zstandard frames. Skippable frames contain no text and are ignored.
struct Frames<R> {
    packed: R,
    decoder: FrameDecoder,
    /// Whether a frame has been started but not read to its end.
    is_begun: bool,
}

impl<R: BufRead> Frames<R> {
    /// Starts the next frame. Returns `false` at the end of the data.
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
                Err(error) => return Err(plain(&error)),
            }
        }
        Ok(false)
    }
}

/// Returns the error for a frame that cannot be decoded, in the same words as for other formats.
fn plain(error: &FrameDecoderError) -> io::Error {
    if let FrameDecoderError::WindowSizeTooBig { requested, max } = *error {
        return io::Error::other(WindowTooLarge { bytes: requested, max_bytes: max });
    }
    let first: &(dyn std::error::Error + 'static) = error;
    let mut causes = std::iter::successors(Some(first), |cause| cause.source());
    match causes.find_map(|cause| cause.downcast_ref::<io::Error>()) {
        Some(cause) => match cause.get_ref().and_then(|it| it.downcast_ref::<UnreadablePacked>()) {
            Some(unreadable) => io::Error::new(cause.kind(), unreadable.clone()),
            None => cause.kind().into(),
        },
        None => io::Error::other("not a Zstandard frame"),
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
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
                decoded.map_err(|error| plain(&error))?;
            }
            let read = self.decoder.read(buffer)?;
            if read > 0 {
                return Ok(read);
            }
            self.is_begun = !self.decoder.is_finished();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{ErrorKind, Write};

    use super::*;

    /// A stream that ends with an error: the disk is full.
    struct Full(Cursor<Vec<u8>>);

    impl Read for Full {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.read(buffer)? {
                0 => Err(io::Error::new(ErrorKind::StorageFull, "the disk is full")),
                read => Ok(read),
            }
        }
    }

    #[test]
    fn a_window_that_is_too_large_is_no_damage() {
        // The window descriptor (RFC 8878, section 3.1.1.1.2): an exponent of 18 above 2^10.
        let header = b"\x28\xb5\x2f\xfd\x00\x90\x01\0\0";
        let (mut stream, _) = unpacked(Box::new(Cursor::new(header)), None).unwrap();
        let error = stream.read_to_end(&mut Vec::new()).unwrap_err();
        let found = error.get_ref().and_then(|it| it.downcast_ref::<WindowTooLarge>());
        let want = "Zstandard data with a window of 268435456 bytes, expected at most 134217728";
        assert_eq!(found.map(ToString::to_string).as_deref(), Some(want));
        let refused = whole(Path::new("a.zst"), header, &Bounds::default()).unwrap_err();
        assert_eq!(refused.to_string(), want);
    }

    #[test]
    fn skippable_frames_contain_no_text() {
        let level = ruzstd::encoding::CompressionLevel::Fastest;
        let frame = |text: &[u8]| ruzstd::encoding::compress_to_vec(text, level);
        let skippable = b"\x50\x2a\x4d\x18\x04\0\0\0size".to_vec();
        let packed =
            [&skippable[..], &frame(b"a copper "), &skippable, &frame(b"kettle"), &skippable];
        let packed = Cursor::new(packed.concat());
        let (mut stream, found) = unpacked(Box::new(packed), None).unwrap();
        let mut read = String::new();
        stream.read_to_string(&mut read).unwrap();
        assert_eq!((read.as_str(), found), ("a copper kettle", Some(CompressionFormat::Zstandard)));
    }

    #[test]
    fn short_bzip2_streams_are_counted() {
        let packed = |text: &[u8]| {
            let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            bzip2.write_all(text).unwrap();
            bzip2.finish().unwrap()
        };
        let mut state = 1_u32;
        let mut noise = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        let noise: Vec<u8> = (0..6_000).map(|_| noise()).collect();
        let damaged = "damaged bzip2: 11 streams in 154 bytes, expected at most one for 4000 bytes \
                       and 10 more";
        #[rustfmt::skip]
        let table: [(&str, &[u8], usize, Result<usize, &str>); 5] = [
            ("empty",              b"",    11, Ok(0)),
            ("too many",           b"",    12, Err(damaged)),
            ("short",              b"a ",  11, Ok(22)),
            ("long",               &noise, 40, Ok(240_000)),
            ("one",                &noise, 1,  Ok(6_000)),
        ];
        for (why, text, streams, want) in table {
            let found =
                whole(Path::new("a.bz2"), &packed(text).repeat(streams), &Bounds::default());
            let found = found.map(|found| found.unwrap().1.len());
            assert_eq!(
                found.map_err(|error| error.to_string()),
                want.map_err(str::to_owned),
                "{why}"
            );
        }
    }

    #[test]
    fn compressed_bytes_that_cannot_be_read_are_not_damaged() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(b"a copper kettle").unwrap();
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bzip2.write_all(b"a copper kettle").unwrap();
        let level = ruzstd::encoding::CompressionLevel::Fastest;
        let zstandard = ruzstd::encoding::compress_to_vec(&b"a copper kettle"[..], level);
        let table = [
            (CompressionFormat::Gzip, gzip.finish().unwrap()),
            (CompressionFormat::Bzip2, bzip2.finish().unwrap()),
            (CompressionFormat::Zstandard, zstandard),
            (CompressionFormat::Xz, b"\xfd7zXZ\0\0\x04\xe6\xd6\xb4\x46\x02".to_vec()),
        ];
        for (compression, packed) in table {
            let cut = packed[..12].to_vec();
            let (mut stream, found) = unpacked(Box::new(Full(Cursor::new(cut))), None).unwrap();
            assert_eq!(found, Some(compression));
            let error = stream.read_to_end(&mut Vec::new()).unwrap_err();
            let cause =
                error.get_ref().and_then(<dyn std::error::Error + Send + Sync>::downcast_ref);
            let cause = cause.map(UnreadablePacked::to_string);
            let want = (ErrorKind::StorageFull, Some("the disk is full".to_owned()));
            assert_eq!((error.kind(), cause), want, "{}", compression.name());
        }
    }

    #[test]
    fn a_packing_is_known_by_how_it_begins() {
        #[rustfmt::skip]
        let table: [(&str, &[u8], Option<CompressionFormat>); 14] = [
            ("nothing",             b"",                             None),
            ("words",               b"kettle",                       None),
            ("gzip",                b"\x1f\x8b\x08",                 Some(CompressionFormat::Gzip)),
            ("Zstandard",           b"\x28\xb5\x2f\xfd\x04",         Some(CompressionFormat::Zstandard)),
            ("a skippable frame",   b"\x50\x2a\x4d\x18\x04",         Some(CompressionFormat::Zstandard)),
            ("the last of them",    b"\x5f\x2a\x4d\x18\x04",         Some(CompressionFormat::Zstandard)),
            ("a word like it",      b"P*M, text",                    None),
            ("xz",                  b"\xfd7zXZ\0\0",                 Some(CompressionFormat::Xz)),
            ("bzip2",               b"BZh91AY&SY",                   Some(CompressionFormat::Bzip2)),
            ("bzip2 of nothing",    b"BZh9\x17\x72\x45\x38\x50\x90", Some(CompressionFormat::Bzip2)),
            ("bzip2, cut",          b"BZh91AY&",                     Some(CompressionFormat::Bzip2)),
            ("letters of it",       b"BZh",                          None),
            ("a word with them",    b"BZhang,text",                  None),
            ("a number with them",  b"BZh9123456",                   None),
        ];
        for (why, head, want) in table {
            assert_eq!(CompressionFormat::from_content(head), want, "{why}");
        }
    }
}
