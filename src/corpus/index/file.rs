//! The file of an index: a header, followed by blocks that are never overwritten.
//!
//! Two slots in the header alternately contain the location of the root and the end of the file. A
//! change appends its blocks and a root after that end, and then writes the slot that is not in
//! use. So a writer that is killed at any moment leaves either the old or the new state. Every
//! reference to a block contains the checksum of the block, from the root down. The root refers to
//! the previous root.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{IndexError, VERSION};

/// The bytes with which the file begins.
pub(super) const MAGIC: [u8; 12] = *b"dedup index\n";

/// The offsets of the slots. Each is in a disk sector of its own, which is written atomically.
const SLOT_OFFSETS: [usize; 2] = [512, 1024];

/// The offset of the first block.
pub(super) const BLOCKS: u64 = 1536;

/// The number of bytes in a slot: five numbers, their checksum, and four zero bytes.
const SLOT: usize = 40;

/// The largest size of a block in bytes, so that a damaged reference cannot request more memory.
const MAX_BLOCK_BYTES: u32 = 1 << 31;

#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub(super) struct BlockRef {
    pub(super) offset: u64,
    pub(super) length: u32,
    /// The CRC-32 (ISO 3309) of its bytes.
    pub(super) checksum: u32,
}

impl BlockRef {
    pub(super) fn end(self) -> u64 {
        self.offset.saturating_add(u64::from(self.length))
    }
}

/// The contents of a slot of the header.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Slot {
    /// The number of changes so far. The slot with the greater number is valid.
    pub(super) generation: u64,
    pub(super) root: BlockRef,
    /// The size of the file in bytes. What follows is from a change that was not finished.
    pub(super) end: u64,
}

impl Slot {
    /// Returns the contents of a slot before there is a root.
    fn empty(generation: u64) -> Self {
        Self { generation, root: BlockRef::default(), end: BLOCKS }
    }

    fn bytes(self) -> [u8; SLOT] {
        let mut bytes = [0; SLOT];
        bytes[..8].copy_from_slice(&self.generation.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.root.offset.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.root.length.to_le_bytes());
        bytes[20..24].copy_from_slice(&self.root.checksum.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.end.to_le_bytes());
        let checksum = crc32fast::hash(&bytes[..SLOT - 8]);
        bytes[32..36].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let number = |at: usize| Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
        let half = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
        let root = BlockRef { offset: number(8)?, length: half(16)?, checksum: half(20)? };
        let slot = Self { generation: number(0)?, root, end: number(24)? };
        (slot.bytes() == *bytes).then_some(slot)
    }
}

/// The file of an index, open for reading and possibly for writing.
#[derive(Debug)]
pub(super) struct IndexFile {
    path: PathBuf,
    file: Mutex<File>,
    slots: [Slot; 2],
    /// The end of the last readable block: of the state, or of blocks that were appended since.
    end: AtomicU64,
}

impl IndexFile {
    pub(super) fn open(path: &Path, file: File) -> Result<Self, IndexError> {
        let mut opened = Self::new(path, file, Slot::empty(0));
        let bytes = opened.file().metadata().map_err(|source| opened.unreadable(source))?.len();
        let mut header = vec![0; usize::try_from(BLOCKS.min(bytes)).unwrap_or_default()];
        opened.read_at(0, &mut header)?;
        if !header.starts_with(&MAGIC) {
            return Err(IndexError::NoIndex { path: opened.path });
        }
        if bytes < BLOCKS {
            return Err(IndexError::CutOff { path: opened.path, bytes, expected: BLOCKS });
        }
        let version = header[MAGIC.len()..].first_chunk().map(|it| u32::from_le_bytes(*it));
        let slots = SLOT_OFFSETS.map(|at| Slot::from_bytes(&header[at..at + SLOT]));
        let mut rebuilt = new_header(Slot::empty(0));
        if let [Some(one), Some(other)] = slots {
            opened.slots = [one, other];
            for (slot, at) in opened.slots.iter().zip(SLOT_OFFSETS) {
                rebuilt[at..at + SLOT].copy_from_slice(&slot.bytes());
            }
        }
        if version != Some(VERSION) {
            let found = version.unwrap_or_default();
            return Err(IndexError::OtherVersion { path: opened.path, found, expected: VERSION });
        }
        if header != rebuilt {
            return Err(opened.damaged("the header"));
        }
        let expected = opened.slot().end;
        if bytes < expected {
            return Err(IndexError::CutOff { path: opened.path, bytes, expected });
        }
        opened.end = AtomicU64::new(expected);
        Ok(opened)
    }

    /// Writes the header of a new index to an empty file. `generation` is the number of changes so
    /// far.
    pub(super) fn create(path: &Path, file: File, generation: u64) -> Result<Self, IndexError> {
        let none = Slot::empty(generation);
        let created = Self::new(path, file, none);
        created.write_at(0, &new_header(none))?;
        Ok(created)
    }

    fn new(path: &Path, file: File, slot: Slot) -> Self {
        let end = AtomicU64::new(slot.end);
        Self { path: path.to_owned(), file: Mutex::new(file), slots: [slot, slot], end }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the valid slot.
    pub(super) fn slot(&self) -> Slot {
        let [one, other] = self.slots;
        if other.generation > one.generation { other } else { one }
    }

    /// Makes an appended root, and all blocks before it, the state of the index.
    pub(super) fn commit(&mut self, root: BlockRef) -> Result<(), IndexError> {
        let slot = Slot { generation: self.slot().generation + 1, root, end: root.end() };
        self.sync()?;
        let unused = usize::from(self.slots[0].generation >= self.slots[1].generation);
        // Even if this fails, the slot may be in the file: its blocks must not be truncated.
        self.slots[unused] = slot;
        self.write_at(SLOT_OFFSETS[unused] as u64, &slot.bytes())?;
        self.sync()
    }

    /// Reads a block. `what` describes it in errors.
    ///
    /// # Errors
    ///
    /// Returns [`IndexError::Damaged`] if the block is not as it was written, or
    /// [`IndexError::Unreadable`] if it cannot be read.
    pub(super) fn block(&self, block: BlockRef, what: &str) -> Result<Vec<u8>, IndexError> {
        let is_within = block.offset >= BLOCKS && block.end() <= self.end.load(Ordering::Relaxed);
        if block.length > MAX_BLOCK_BYTES || !is_within {
            return Err(self.damaged(what));
        }
        let mut bytes = vec![0; block.length as usize];
        self.read_at(block.offset, &mut bytes)?;
        if crc32fast::hash(&bytes) == block.checksum {
            Ok(bytes)
        } else {
            Err(self.damaged(&format!("{what}, at byte {}", block.offset)))
        }
    }

    pub(super) fn records<T: DeserializeOwned>(
        &self,
        block: BlockRef,
        what: &str,
    ) -> Result<T, IndexError> {
        postcard::from_bytes(&self.block(block, what)?).map_err(|_| self.damaged(what))
    }

    pub(super) fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<(), IndexError> {
        let mut file = self.file();
        let read = file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(bytes));
        read.map_err(|source| match source.kind() {
            io::ErrorKind::UnexpectedEof => self.damaged("its end"),
            _ => self.unreadable(source),
        })
    }

    pub(super) fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<(), IndexError> {
        let mut file = self.file();
        let written = file.seek(SeekFrom::Start(offset)).and_then(|_| file.write_all(bytes));
        written.map_err(|source| self.unwritable(source))
    }

    /// Truncates the file to remove what an unfinished change left.
    pub(super) fn drop_unfinished(&self) -> Result<(), IndexError> {
        self.file().set_len(self.slot().end).map_err(|source| self.unwritable(source))
    }

    /// Locks the file against other writers, as long as it is open.
    pub(super) fn lock(&self) -> Result<(), IndexError> {
        self.file().try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => IndexError::Locked { path: self.path.clone() },
            TryLockError::Error(source) => self.unwritable(source),
        })
    }

    fn sync(&self) -> Result<(), IndexError> {
        self.file().sync_data().map_err(|source| self.unwritable(source))
    }

    fn file(&self) -> MutexGuard<'_, File> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn damaged(&self, what: &str) -> IndexError {
        IndexError::Damaged { path: self.path.clone(), what: what.to_owned() }
    }

    fn unreadable(&self, source: io::Error) -> IndexError {
        IndexError::Unreadable { path: self.path.clone(), source }
    }

    fn unwritable(&self, source: io::Error) -> IndexError {
        IndexError::Unwritable { path: self.path.clone(), source }
    }
}

/// Returns a header with two empty slots; all unused bytes are zero.
fn new_header(none: Slot) -> Vec<u8> {
    let mut header = vec![0; usize::try_from(BLOCKS).unwrap_or_default()];
    header[..MAGIC.len()].copy_from_slice(&MAGIC);
    header[MAGIC.len()..MAGIC.len() + 4].copy_from_slice(&VERSION.to_le_bytes());
    for at in SLOT_OFFSETS {
        header[at..at + SLOT].copy_from_slice(&none.bytes());
    }
    header
}

/// A writer that appends blocks to a file.
#[derive(Debug)]
pub(super) struct Appender<'f> {
    file: &'f IndexFile,
    /// The offset of the next byte.
    pub(super) end: u64,
    /// The bytes that are not yet written.
    waiting: Vec<u8>,
}

/// The number of bytes from which on waiting bytes are written.
const WRITE_THRESHOLD: usize = 1 << 20;

impl<'f> Appender<'f> {
    pub(super) fn new(file: &'f IndexFile) -> Self {
        Self { file, end: file.end.load(Ordering::Relaxed), waiting: Vec::new() }
    }

    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<BlockRef, IndexError> {
        let length = u32::try_from(bytes.len()).ok().filter(|length| *length <= MAX_BLOCK_BYTES);
        let length = length.ok_or_else(|| IndexError::TooLarge { path: self.file.path.clone() })?;
        let block = BlockRef { offset: self.end, length, checksum: crc32fast::hash(bytes) };
        self.waiting.extend_from_slice(bytes);
        self.end += bytes.len() as u64;
        if self.waiting.len() >= WRITE_THRESHOLD {
            self.flush()?;
        }
        Ok(block)
    }

    pub(super) fn append_records<T: Serialize>(
        &mut self,
        records: &T,
    ) -> Result<BlockRef, IndexError> {
        let bytes = postcard::to_stdvec(records)
            .map_err(|_| IndexError::NotStorable { path: self.file.path.clone() })?;
        self.append(&bytes)
    }

    pub(super) fn flush(&mut self) -> Result<(), IndexError> {
        let start = self.end - self.waiting.len() as u64;
        self.file.write_at(start, &self.waiting)?;
        self.waiting.clear();
        self.file.end.store(self.end, Ordering::Relaxed);
        Ok(())
    }
}
