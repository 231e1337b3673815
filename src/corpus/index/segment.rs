//! A segment: texts in the order of their names, and inverted lists of their shingles.
//!
//! It is written once, from its first byte to its last: blocks of texts, each preceded by the
//! contents of its texts if these are stored; blocks of shingles; blocks of stretches of words; two
//! columns; the lists of the blocks; and a directory of all of these.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::file::{Appender, BlockRef, IndexFile};
use super::postings::{Block, Entries, List, Posting, PostingAction};
use super::{IndexError, Languages, StoredText, name_of};
use crate::language::Language;

pub(super) const TEXTS_A_BLOCK: usize = 64;

/// The number of bytes at which a block of an inverted list is full. On average, half of a block is
/// read in vain for each key that is looked up. Blocks of half the size would double the list of
/// blocks, which is always read completely.
const LIST_BLOCK: usize = 1 << 12;

/// The number of bytes for a block in a list of blocks: its first key, its length and its checksum.
const LIST_ENTRY_BYTES: usize = 16;

const ROW_BYTES: usize = 24;

/// The location of a segment, and the texts in it that are removed.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(super) struct SegmentRef {
    /// The directory, which identifies the segment.
    pub(super) directory: BlockRef,
    pub(super) texts: u32,
    /// The numbers of the removed texts, in increasing order.
    pub(super) removed: Vec<u32>,
    /// The number of remaining texts in each language, of those whose language is settled.
    pub(super) languages: Vec<(Option<Language>, u64)>,
}

impl SegmentRef {
    /// Returns the number of texts that are not removed.
    pub(super) fn len(&self) -> usize {
        (self.texts as usize).saturating_sub(self.removed.len())
    }

    pub(super) fn remove(&mut self, number: u32, text: &StoredText) {
        let at = self.removed.partition_point(|other| *other < number);
        if self.removed.get(at) == Some(&number) {
            return;
        }
        self.removed.insert(at, number);
        let Some(known) = text.counted_language() else { return };
        let counted = self.languages.iter_mut().find(|(it, _)| *it == known.language);
        if let Some((_, texts)) = counted {
            *texts = texts.saturating_sub(1);
        }
    }

    pub(super) fn is_removed(&self, text: u32) -> bool {
        self.removed.binary_search(&text).is_ok()
    }
}

/// The location of an inverted list.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
struct ListRef {
    /// The offset of its first block; the others follow it.
    start: u64,
    blocks: BlockRef,
}

/// The locations of the parts of a segment.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(super) struct Directory {
    /// The blocks of texts, each with the name of its first text.
    texts: Vec<(String, BlockRef)>,
    /// The shingles, and the stretches of those texts whose contents are stored.
    lists: [ListRef; 2],
    /// The smallest worth of any word of those texts, in quarters of a word.
    least_worth: u8,
    fingerprints: BlockRef,
    /// The other properties of each reading: see [`ReadingRow`].
    rows: BlockRef,
    /// The languages for which readings hold; rows refer to them by index.
    languages: Vec<Languages>,
    /// The numbers of the texts that are too short in some language.
    short: Vec<u32>,
    /// The number of other texts that belong to no group.
    alone: u32,
}

/// A text, and the block of its content, if that is stored.
pub(super) type WithContent = (StoredText, Option<BlockRef>);

/// The properties of a reading with which pairs are found.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct ReadingRow {
    pub(super) text: u32,
    /// The number of distinct shingles of all sizes.
    pub(super) all: u32,
    /// The number of distinct shingles of the greatest size.
    pub(super) longest: u32,
    /// The languages for which it holds, as an index into the list of the segment.
    languages: u32,
    /// The first eight bytes of the digest of its words.
    pub(super) digest: u64,
}

impl ReadingRow {
    fn bytes(self) -> [u8; ROW_BYTES] {
        let mut bytes = [0; ROW_BYTES];
        let fields = [self.text, self.all, self.longest, self.languages];
        for (field, bytes) in fields.into_iter().zip(bytes.as_chunks_mut::<4>().0) {
            *bytes = field.to_le_bytes();
        }
        bytes[16..].copy_from_slice(&self.digest.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; ROW_BYTES]) -> Self {
        let (fields, _) = bytes.as_chunks::<4>();
        let field = |place: usize| u32::from_le_bytes(fields[place]);
        Self {
            text: field(0),
            all: field(1),
            longest: field(2),
            languages: field(3),
            digest: u64::from(field(4)) | u64::from(field(5)) << 32,
        }
    }
}

/// Returns the first eight bytes of a digest, as a number.
pub(super) fn beginning(digest: &[u8; 32]) -> u64 {
    digest.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// The columns of a segment, encoded as in the file, since a query uses only few of the rows.
#[derive(Debug)]
pub(super) struct ReadingColumns {
    fingerprints: Vec<u8>,
    rows: Vec<u8>,
}

impl ReadingColumns {
    pub(super) fn len(&self) -> usize {
        self.fingerprints.len() / 8
    }

    pub(super) fn fingerprints(&self) -> impl Iterator<Item = u64> {
        self.fingerprints.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes))
    }

    /// Returns the fingerprint and the row of a reading; `None` if there is no such reading.
    pub(super) fn get(&self, reading: u32) -> Option<(u64, ReadingRow)> {
        let fingerprint = self.fingerprints.as_chunks::<8>().0.get(reading as usize)?;
        let row = self.rows.as_chunks::<ROW_BYTES>().0.get(reading as usize)?;
        Some((u64::from_le_bytes(*fingerprint), ReadingRow::from_bytes(row)))
    }

    /// Returns the readings of texts whose digests begin with one of the given numbers, each with
    /// that number, in increasing order.
    pub(super) fn with_digests(&self, digests: impl Iterator<Item = u64>) -> Vec<(u64, u32)> {
        let digests: BTreeSet<u64> = digests.collect();
        let rows = self.rows.as_chunks::<ROW_BYTES>().0.iter().map(ReadingRow::from_bytes);
        let known = rows.zip(0..).map(|(row, reading)| (row.digest, reading));
        let mut found: Vec<(u64, u32)> = known.filter(|(it, _)| digests.contains(it)).collect();
        found.sort_unstable();
        found
    }

    /// Returns the numbers of those readings of a text that are not too short.
    pub(super) fn of_text(&self, text: u32) -> Range<u32> {
        let rows = self.rows.as_chunks::<ROW_BYTES>().0;
        let behind = |text: u32| {
            let behind = rows.partition_point(|row| ReadingRow::from_bytes(row).text < text);
            u32::try_from(behind).unwrap_or(u32::MAX)
        };
        behind(text)..behind(text.saturating_add(1))
    }

    /// Returns the number of readings of the same text before a reading.
    pub(super) fn place_in_text(&self, reading: u32) -> usize {
        let text = |reading: u32| self.get(reading).map(|(_, row)| row.text);
        let before = (0..reading).rev();
        before.take_while(|before| text(*before) == text(reading)).count()
    }
}

/// The stored properties of a reading except its shingles.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct ReadingProperties {
    pub(super) fingerprint: u64,
    pub(super) all: u32,
    pub(super) longest: u32,
}

#[derive(Debug)]
struct ListWriter {
    start: Option<u64>,
    block: Block,
    /// The list of the blocks, encoded.
    blocks: Vec<u8>,
}

impl ListWriter {
    fn new(list: List) -> Self {
        Self { start: None, block: Block::new(list), blocks: Vec::new() }
    }

    fn push(&mut self, out: &mut Appender<'_>, posting: Posting<'_>) -> Result<(), IndexError> {
        let Posting { key, tag, having } = posting;
        self.start.get_or_insert(out.end);
        self.block.push(key, tag, having);
        if self.block.len() >= LIST_BLOCK { self.end_block(out) } else { Ok(()) }
    }

    fn end_block(&mut self, out: &mut Appender<'_>) -> Result<(), IndexError> {
        if self.block.is_empty() {
            return Ok(());
        }
        let (first, bytes) = self.block.take();
        let block = out.append(&bytes)?;
        self.blocks.extend_from_slice(&first.to_le_bytes());
        self.blocks.extend_from_slice(&block.length.to_le_bytes());
        self.blocks.extend_from_slice(&block.checksum.to_le_bytes());
        Ok(())
    }

    fn finish(&self, out: &mut Appender<'_>) -> Result<ListRef, IndexError> {
        Ok(ListRef { start: self.start.unwrap_or_default(), blocks: out.append(&self.blocks)? })
    }
}

#[derive(Debug)]
pub(super) struct SegmentWriter<'a, 'f> {
    out: &'a mut Appender<'f>,
    directory: Directory,
    /// The texts of the unfinished block, and the blocks of their contents.
    waiting: Vec<WithContent>,
    texts: u32,
    languages: Vec<(Option<Language>, u64)>,
    fingerprints: Vec<u8>,
    rows: Vec<u8>,
    lists: [ListWriter; 2],
}

impl<'a, 'f> SegmentWriter<'a, 'f> {
    pub(super) fn new(out: &'a mut Appender<'f>) -> Self {
        Self {
            out,
            directory: Directory { least_worth: u8::MAX, ..Directory::default() },
            waiting: Vec::new(),
            texts: 0,
            languages: Vec::new(),
            fingerprints: Vec::new(),
            rows: Vec::new(),
            lists: [List::Shingles, List::Stretches].map(ListWriter::new),
        }
    }

    /// Writes a text, with the properties of those of its readings that are not too short, in
    /// order. If its content is stored, that is written as well, and the smallest worth of any word
    /// is recorded. Texts must be written in the order of their names.
    pub(super) fn text(
        &mut self,
        text: StoredText,
        content: Option<(&[u8], u8)>,
        columns: &[ReadingProperties],
    ) -> Result<(), IndexError> {
        let mut columns = columns.iter();
        for reading in &text.readings {
            if reading.short.is_some() {
                if self.directory.short.last() != Some(&self.texts) {
                    self.directory.short.push(self.texts);
                }
                continue;
            }
            let Some(column) = columns.next() else { break };
            let known = self.directory.languages.iter().position(|it| *it == reading.languages);
            let languages = known.unwrap_or_else(|| {
                self.directory.languages.push(reading.languages.clone());
                self.directory.languages.len() - 1
            });
            let row = ReadingRow {
                text: self.texts,
                all: column.all,
                longest: column.longest,
                languages: u32::try_from(languages).unwrap_or(u32::MAX),
                digest: beginning(&text.digest),
            };
            self.rows.extend_from_slice(&row.bytes());
            self.fingerprints.extend_from_slice(&column.fingerprint.to_le_bytes());
        }
        if let Some(known) = text.counted_language() {
            match self.languages.iter_mut().find(|(it, _)| *it == known.language) {
                Some((_, texts)) => *texts += 1,
                None => self.languages.push((known.language, 1)),
            }
        }
        let is_short = self.directory.short.last() == Some(&self.texts);
        self.directory.alone += u32::from(text.group.is_none() && !is_short);
        self.texts += 1;
        let stored = |(content, worth)| {
            self.directory.least_worth = self.directory.least_worth.min(worth);
            self.out.append(content)
        };
        let content = content.map(stored).transpose()?;
        self.waiting.push((text, content));
        if self.waiting.len() == TEXTS_A_BLOCK { self.end_block_of_texts() } else { Ok(()) }
    }

    pub(super) fn readings(&self) -> u32 {
        u32::try_from(self.rows.len() / ROW_BYTES).unwrap_or(u32::MAX)
    }

    pub(super) fn texts(&self) -> u32 {
        self.texts
    }

    fn end_block_of_texts(&mut self) -> Result<(), IndexError> {
        let Some((first, _)) = self.waiting.first() else { return Ok(()) };
        let name = name_of(&first.text).to_owned();
        let block = self.out.append_records(&self.waiting)?;
        self.directory.texts.push((name, block));
        self.waiting.clear();
        Ok(())
    }

    /// Writes a posting of a list. All texts must be written before, and all postings of shingles
    /// before those of stretches, each in order.
    pub(super) fn posting(&mut self, list: List, posting: Posting<'_>) -> Result<(), IndexError> {
        self.end_block_of_texts()?;
        if list == List::Stretches {
            self.lists[List::Shingles as usize].end_block(self.out)?;
        }
        self.lists[list as usize].push(self.out, posting)
    }

    pub(super) fn finish(mut self) -> Result<SegmentRef, IndexError> {
        self.end_block_of_texts()?;
        for list in &mut self.lists {
            list.end_block(self.out)?;
        }
        self.directory.fingerprints = self.out.append(&self.fingerprints)?;
        self.directory.rows = self.out.append(&self.rows)?;
        for (known, list) in self.directory.lists.iter_mut().zip(&self.lists) {
            *known = list.finish(self.out)?;
        }
        let directory = self.out.append_records(&self.directory)?;
        self.out.flush()?;
        let Self { texts, languages, .. } = self;
        Ok(SegmentRef { directory, texts, removed: Vec::new(), languages })
    }
}

#[derive(Debug)]
pub(super) struct Segment<'f> {
    file: &'f IndexFile,
    pub(super) known: &'f SegmentRef,
    directory: Arc<Directory>,
    /// The blocks of the shingles and of the stretches, each with its first key, once they are
    /// read.
    blocks: [OnceLock<Vec<(u64, BlockRef)>>; 2],
}

impl<'f> Segment<'f> {
    pub(super) fn open(file: &'f IndexFile, known: &'f SegmentRef) -> Result<Self, IndexError> {
        Ok(Self::new(file, known, Self::directory(file, known)?))
    }

    pub(super) fn new(
        file: &'f IndexFile,
        known: &'f SegmentRef,
        directory: Arc<Directory>,
    ) -> Self {
        Self { file, known, directory, blocks: [OnceLock::new(), OnceLock::new()] }
    }

    pub(super) fn directory(
        file: &IndexFile,
        known: &SegmentRef,
    ) -> Result<Arc<Directory>, IndexError> {
        file.records(known.directory, "the directory of a segment").map(Arc::new)
    }

    pub(super) fn texts_of_block(&self, block: usize) -> Result<Vec<WithContent>, IndexError> {
        let Some((_, block)) = self.directory.texts.get(block) else { return Ok(Vec::new()) };
        self.file.records(*block, "a block of texts")
    }

    /// Returns the texts that are not removed, each with its number.
    pub(super) fn each_text(&self) -> impl Iterator<Item = Result<(u32, WithContent), IndexError>> {
        let of_block = |block| match self.texts_of_block(block) {
            Ok(texts) => texts.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        };
        let all = (0..).zip((0..self.directory.texts.len()).flat_map(of_block));
        let is_kept = |it: &(u32, Result<_, _>)| it.1.is_err() || !self.known.is_removed(it.0);
        all.filter(is_kept).map(|(number, text)| Ok((number, text?)))
    }

    /// Returns the number of texts that were written, but at most as many as the blocks can hold,
    /// since the root may be wrong.
    pub(super) fn texts_written(&self) -> u32 {
        let limit = u32::try_from(self.directory.texts.len() * TEXTS_A_BLOCK).unwrap_or(u32::MAX);
        self.known.texts.min(limit)
    }

    /// Finds a text that is not removed by its name, and returns its number and the text; `None` if
    /// there is none.
    pub(super) fn find(&self, name: &str) -> Result<Option<(u32, WithContent)>, IndexError> {
        let after = self.directory.texts.partition_point(|(first, _)| first.as_str() <= name);
        let Some(block) = after.checked_sub(1) else { return Ok(None) };
        let texts = self.texts_of_block(block)?;
        let first = u32::try_from(block * TEXTS_A_BLOCK).unwrap_or(u32::MAX);
        let found = (first..).zip(texts).find(|(_, (text, _))| name_of(&text.text) == name);
        Ok(found.filter(|(number, _)| !self.known.is_removed(*number)))
    }

    /// Reads texts by their numbers, which must be in increasing order, and the blocks of their
    /// contents.
    pub(super) fn texts(&self, numbers: &[u32]) -> Result<Vec<WithContent>, IndexError> {
        let mut found = Vec::with_capacity(numbers.len());
        let block_of = |number: &u32| *number as usize / TEXTS_A_BLOCK;
        for of_block in numbers.chunk_by(|one, next| block_of(one) == block_of(next)) {
            let Some(block) = of_block.first().map(block_of) else { continue };
            let mut texts: Vec<_> = self.texts_of_block(block)?.into_iter().map(Some).collect();
            for number in of_block {
                let at = *number as usize % TEXTS_A_BLOCK;
                let text = texts.get_mut(at).and_then(Option::take);
                found.push(text.ok_or_else(|| self.file.damaged("a block of texts"))?);
            }
        }
        Ok(found)
    }

    /// Reads the texts that are not removed and are too short in some language.
    pub(super) fn short(&self) -> Result<Vec<StoredText>, IndexError> {
        let short = self.directory.short.iter().filter(|it| !self.known.is_removed(**it));
        let short = self.texts(&short.copied().collect::<Vec<_>>())?;
        Ok(short.into_iter().map(|(text, _)| text).collect())
    }

    pub(super) fn content(&self, content: BlockRef) -> Result<Vec<u8>, IndexError> {
        self.file.block(content, "the content of a text")
    }

    /// Returns the smallest worth of any word of the texts whose contents are stored, in quarters
    /// of a word.
    pub(super) fn least_worth(&self) -> u8 {
        self.directory.least_worth
    }

    pub(super) fn readings(&self) -> Result<ReadingColumns, IndexError> {
        let fingerprints = self.file.block(self.directory.fingerprints, "the fingerprints")?;
        let rows = self.file.block(self.directory.rows, "the rows")?;
        let readings = ReadingColumns { fingerprints, rows };
        let is_whole = readings.rows.len() / ROW_BYTES == readings.len();
        if is_whole { Ok(readings) } else { Err(self.file.damaged("the columns of a segment")) }
    }

    /// Returns the languages for which a row holds; `None` if the row is invalid.
    pub(super) fn languages(&self, row: ReadingRow) -> Option<&Languages> {
        self.directory.languages.get(row.languages as usize)
    }

    /// Returns all blocks of an inverted list, each with its first key.
    pub(super) fn list_blocks(&self, list: List) -> Result<&[(u64, BlockRef)], IndexError> {
        let known = &self.blocks[list as usize];
        let ListRef { start, blocks } = self.directory.lists[list as usize];
        if let Some(known) = known.get() {
            return Ok(known);
        }
        let bytes = self.file.block(blocks, "a list of blocks")?;
        let (listed, _) = bytes.as_chunks::<LIST_ENTRY_BYTES>();
        let mut offset = start;
        let mut blocks = Vec::with_capacity(listed.len());
        for entry in listed {
            let (fields, _) = entry.as_chunks::<4>();
            let field = |place: usize| u32::from_le_bytes(fields[place]);
            let key = u64::from(field(0)) | u64::from(field(1)) << 32;
            let block = BlockRef { offset, length: field(2), checksum: field(3) };
            offset = block.end();
            blocks.push((key, block));
        }
        Ok(known.get_or_init(|| blocks))
    }

    /// Passes the postings of a block that `action` takes to `each`, in order.
    pub(super) fn postings_of(
        &self,
        list: List,
        (first, block): (u64, BlockRef),
        mut action: impl FnMut(u64) -> PostingAction,
        mut each: impl FnMut(Posting<'_>),
    ) -> Result<(), IndexError> {
        let bytes = self.file.block(block, "a block of a list")?;
        let mut rest = Entries::new(list, first, &bytes);
        while let Some(found) = rest.next(&mut action) {
            each(found.map_err(|_| self.file.damaged("a block of a list"))?);
        }
        Ok(())
    }

    /// Reads every block of the segment, and returns their locations, the directory last.
    pub(super) fn check(&self) -> Result<Vec<BlockRef>, IndexError> {
        let mut all = Vec::new();
        for (block, (_, at)) in self.directory.texts.iter().enumerate() {
            all.push(*at);
            for (_, content) in self.texts_of_block(block)? {
                let Some(content) = content else { continue };
                self.content(content)?;
                all.push(content);
            }
        }
        for list in [List::Shingles, List::Stretches] {
            for block in self.list_blocks(list)? {
                self.postings_of(list, *block, |_| PostingAction::Take, |_| ())?;
                all.push(block.1);
            }
        }
        self.readings()?;
        let Directory { fingerprints, rows, lists, .. } = &*self.directory;
        all.extend([*fingerprints, *rows].into_iter().chain(lists.map(|list| list.blocks)));
        all.push(self.known.directory);
        Ok(all)
    }
}
