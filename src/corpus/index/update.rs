//! Changes an index: adds texts, removes others, and commits the result as its next state.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::path::Path;
use std::sync::OnceLock;
use std::vec::IntoIter;

use super::file::{Appender, BlockRef, IndexFile};
use super::postings::{GREATEST_SIZE_BIT, List, Posting, PostingAction, place, split_place};
use super::segment::{
    ReadingColumns, ReadingProperties, Segment, SegmentRef, SegmentWriter, WithContent,
};
use super::{
    FoundText, Index, IndexError, NewText, Root, StoredShingle, StoredSketch, StoredText, name_of,
};
use crate::interner::Salt;

/// The number of shingles and stretches that are held in memory before they are written as a
/// segment. They take a quarter of a gigabyte, or half of one while the list grows.
const MAX_IN_MEMORY: usize = 1 << 24;

/// The largest number of texts in a segment that is the result of merging small ones when texts are
/// added. Each segment is searched for every question, and this many texts are merged in 50 ms.
const MAX_SMALL_TEXTS: usize = 1 << 12;

/// A shingle of a reading, in the form that is sorted.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct ReadingShingle {
    key: u64,
    tag: u32,
    reading: u32,
}

/// A stretch of a text, in the form that is sorted.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct TextStretch {
    key: u64,
    text: u32,
    at: u32,
}

/// Returns the tag of a shingle in a block.
fn tag(shingle: &StoredShingle) -> u32 {
    shingle.check | if shingle.is_longest { GREATEST_SIZE_BIT } else { 0 }
}

/// A writer of an index: a new one, or the next state of an existing one.
///
/// No change takes effect before [`commit`](Self::commit). Without it, the file remains as it was.
/// If the process is killed, bytes may be left after its end, which the next writer removes.
#[derive(Debug)]
pub struct IndexWriter {
    /// The current state with the changes so far. Of its segments, only those that existed when it
    /// was opened can be read.
    index: Index,
    /// The root of the current state; `None` for a new index.
    previous: Option<BlockRef>,
    /// The texts that are not written yet.
    waiting: Vec<NewText>,
    /// The number of their shingles and stretches.
    held: usize,
}

impl IndexWriter {
    /// Creates an index in an empty file; errors name it by `path`. If it has texts, all texts must
    /// be added with their contents, and otherwise none.
    ///
    /// # Errors
    ///
    /// Returns [`IndexError`] if the file cannot be written.
    pub fn create(
        path: &Path,
        file: File,
        settings: String,
        (salt, has_texts): (Salt, bool),
    ) -> Result<Self, IndexError> {
        let file = IndexFile::create(path, file, 0)?;
        let (segments, merged) = (Vec::new(), Vec::new());
        let root = Root { previous: None, settings, salt, has_texts, segments, merged };
        Self::new(Index { file, root, directories: OnceLock::new() }, None)
    }

    /// Opens an index to change it. No other process can do so until this writer is dropped.
    ///
    /// # Errors
    ///
    /// Returns [`IndexError::Locked`] if another process is changing it, and any other
    /// [`IndexError`] if the file cannot be opened, read or written, or is not a valid index.
    pub fn open(path: &Path) -> Result<Self, IndexError> {
        let unwritable = |source| IndexError::Unwritable { path: path.to_owned(), source };
        let opened = File::options().read(true).write(true).open(path).map_err(unwritable)?;
        let index = Index::from_file(path, opened)?;
        index.file.lock()?;
        // Before this process acquired the lock, another writer may have changed or replaced the
        // file.
        if Index::open(path)?.file.slot() != index.file.slot() {
            return Err(IndexError::Changed { path: path.to_owned() });
        }
        index.file.drop_unfinished()?;
        let previous = Some(index.file.slot().root);
        Self::new(index, previous)
    }

    fn new(index: Index, previous: Option<BlockRef>) -> Result<Self, IndexError> {
        index.opened()?;
        Ok(Self { index, previous, waiting: Vec::new(), held: 0 })
    }

    /// Returns the index that is changed.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Reports whether the stored text with the same name as a given text is equal to it; `None` if
    /// there is none. Texts that were added with this writer are not considered.
    ///
    /// # Errors
    ///
    /// Returns [`IndexError`] if the file cannot be read or is damaged.
    pub fn has(&self, text: &NewText) -> Result<Option<bool>, IndexError> {
        let names = self.index.names()?;
        let Some(found) = names.find_numbered(name_of(&text.stored.text))? else { return Ok(None) };
        let packed = |content| names.segments[found.segment].content(content);
        let packed = found.content.map(packed).transpose()?;
        let content = text.content.as_ref().map(|it| &it.packed);
        Ok(Some(found.text == text.stored && packed.as_ref() == content))
    }

    /// Adds a text. No other text may have its name: [remove](Self::remove) a stored one first. It
    /// must have its content if and only if the index stores texts.
    ///
    /// # Errors
    ///
    /// Returns [`IndexError`] if the name is not UTF-8, the content is missing or must not be
    /// there, or the file cannot be written.
    pub fn add(&mut self, text: NewText) -> Result<(), IndexError> {
        let path = text.stored.text.path();
        if path.to_str().is_none() {
            return Err(IndexError::NoUtf8 { name: path.to_owned() });
        }
        if text.content.is_some() != self.index.root.has_texts {
            return Err(IndexError::NotStorable { path: path.to_owned() });
        }
        self.held += text.sketches.iter().map(|it| it.shingles.len()).sum::<usize>();
        self.held += text.content.as_ref().map_or(0, |it| it.stretches.len());
        self.waiting.push(text);
        if self.held >= MAX_IN_MEMORY { self.write_waiting() } else { Ok(()) }
    }

    /// Removes the texts for whose names `is_asked` is true, and returns their names in order.
    /// Texts that were added with this writer are not considered. The bytes of removed texts remain
    /// in the file until it is [compacted](Self::compact).
    ///
    /// # Errors
    ///
    /// Returns [`IndexError`] if the file cannot be read or is damaged.
    pub fn remove(
        &mut self,
        mut is_asked: impl FnMut(&str) -> bool,
    ) -> Result<Vec<String>, IndexError> {
        let mut names = Vec::new();
        let mut gone: Vec<Vec<(u32, StoredText)>> = Vec::new();
        for segment in self.index.opened()? {
            let mut removed = Vec::new();
            for found in segment.each_text() {
                let (number, (text, _)) = found?;
                let name = name_of(&text.text);
                if is_asked(name) {
                    names.push(name.to_owned());
                    removed.push((number, text));
                }
            }
            gone.push(removed);
        }
        for (known, removed) in self.index.root.segments.iter_mut().zip(&gone) {
            for (number, text) in removed {
                known.remove(*number, text);
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Removes the text with a name, and returns whether there was one. Texts that were added with
    /// this writer are not considered.
    ///
    /// # Errors
    ///
    /// Returns [`IndexError`] if the file cannot be read or is damaged.
    pub fn remove_one(&mut self, name: &str) -> Result<bool, IndexError> {
        let found = self.index.names()?.find_numbered(name)?;
        let Some(FoundText { segment, number, text, .. }) = found else { return Ok(false) };
        self.index.root.segments[segment].remove(number, &text);
        Ok(true)
    }

    fn write_waiting(&mut self) -> Result<(), IndexError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let mut waiting = std::mem::take(&mut self.waiting);
        self.held = 0;
        waiting.sort_by(|one, other| name_of(&one.stored.text).cmp(name_of(&other.stored.text)));
        let mut out = Appender::new(&self.index.file);
        let mut segment = SegmentWriter::new(&mut out);
        let (mut occurrences, mut stretches) = (Vec::new(), Vec::new());
        for NewText { stored, sketches, content } in waiting {
            for (sketch, reading) in sketches.iter().zip(segment.readings()..) {
                let of_reading =
                    |it: &StoredShingle| ReadingShingle { key: it.key, tag: tag(it), reading };
                occurrences.extend(sketch.shingles.iter().map(of_reading));
            }
            let readings: Vec<ReadingProperties> = sketches.iter().map(properties).collect();
            drop(sketches);
            let text = segment.texts();
            let of_text = |&(key, at): &(u64, u32)| TextStretch { key, text, at };
            stretches.extend(content.iter().flat_map(|it| &it.stretches).map(of_text));
            let content = content.as_ref().map(|it| (it.packed.as_slice(), it.least_worth));
            segment.text(stored, content, &readings)?;
        }
        occurrences.sort_unstable();
        let mut having: Vec<u64> = Vec::new();
        for equal in occurrences.chunk_by(|one, next| (one.key, one.tag) == (next.key, next.tag)) {
            having.clear();
            having.extend(equal.iter().map(|it| u64::from(it.reading)));
            let Some(ReadingShingle { key, tag, .. }) = equal.first() else { continue };
            segment.posting(List::Shingles, Posting { key: *key, tag: *tag, having: &having })?;
        }
        drop(occurrences);
        stretches.sort_unstable();
        // If an entire text has the same key as its first stretch, that position occurs twice.
        stretches.dedup();
        for equal in stretches.chunk_by(|one, next| one.key == next.key) {
            having.clear();
            having.extend(equal.iter().map(|it| place(it.text, it.at)));
            let Some(TextStretch { key, .. }) = equal.first() else { continue };
            segment.posting(List::Stretches, Posting { key: *key, tag: 0, having: &having })?;
        }
        let segment = segment.finish()?;
        self.index.root.segments.push(segment);
        Ok(())
    }

    /// Makes the changes the state of the index, and returns the number of texts in it.
    ///
    /// # Errors
    ///
    /// Returns [`IndexError`] if the file cannot be read or written, or is damaged.
    pub fn commit(mut self) -> Result<usize, IndexError> {
        self.write_waiting()?;
        self.index.root.segments.retain(|segment| segment.len() > 0);
        self.index.root.merged.clear();
        if self.previous.is_some() {
            self.merge_small()?;
        }
        self.index.root.previous = self.previous;
        let mut out = Appender::new(&self.index.file);
        let root = out.append_records(&self.index.root)?;
        out.flush()?;
        self.index.file.commit(root)?;
        Ok(self.index.root.segments.iter().map(SegmentRef::len).sum())
    }

    /// Merges the last segments into one, as long as each has at most twice as many texts as those
    /// after it together, and all have at most [`MAX_SMALL_TEXTS`] together.
    fn merge_small(&mut self) -> Result<(), IndexError> {
        let (mut from, mut texts) = (self.index.root.segments.len(), 0);
        while let Some(before) = from.checked_sub(1) {
            let size = self.index.root.segments[before].len();
            if texts + size > MAX_SMALL_TEXTS || (texts > 0 && size > 2 * texts) {
                break;
            }
            (from, texts) = (before, texts + size);
        }
        if self.index.root.segments.len() - from < 2 {
            return Ok(());
        }
        let merged = self.index.root.segments.split_off(from);
        let mut out = Appender::new(&self.index.file);
        let segments = merged.iter().map(|known| Segment::open(&self.index.file, known));
        let segments: Vec<Segment> = segments.collect::<Result<_, _>>()?;
        let one = merge(&segments, &mut out)?;
        drop(segments);
        self.index.root.segments.push(one);
        self.index.root.merged = merged;
        Ok(())
    }

    /// Writes the index to an empty file, as one segment, without removed texts and without earlier
    /// states. Errors name the new file by the path of the index. To replace the index, the caller
    /// must move the new file to that path.
    ///
    /// # Errors
    ///
    /// Returns [`IndexError`] if a file cannot be read or written, or is damaged.
    pub fn compact(&self, file: File) -> Result<Compacted, IndexError> {
        let mut new =
            IndexFile::create(self.index.file.path(), file, self.index.file.slot().generation)?;
        let mut segments = self.index.opened()?;
        segments.retain(|segment| segment.known.len() > 0);
        let mut out = Appender::new(&new);
        let is_any = !segments.is_empty();
        let merged = is_any.then(|| merge(&segments, &mut out)).transpose()?;
        let segments = merged.into_iter().collect();
        let root = Root { previous: None, segments, merged: Vec::new(), ..self.index.root.clone() };
        let root = out.append_records(&root)?;
        out.flush()?;
        new.commit(root)?;
        Ok(Compacted { before: self.index.file.slot().end, after: new.slot().end })
    }
}

impl Drop for IndexWriter {
    /// Truncates the file to its last committed state, so that a change that failed, for example
    /// because the disk is full, takes no space.
    fn drop(&mut self) {
        let _ = self.index.file.drop_unfinished();
    }
}

/// The size of an index in bytes, before and after it was compacted.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Compacted {
    /// The size before.
    pub before: u64,
    /// The size after.
    pub after: u64,
}

fn properties(sketch: &StoredSketch) -> ReadingProperties {
    let size = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    ReadingProperties {
        fingerprint: sketch.fingerprint,
        all: size(sketch.shingles.len()),
        longest: size(sketch.shingles.iter().filter(|it| it.is_longest).count()),
    }
}

/// Returns the texts of segments that are not removed, in the order of their names.
pub(super) fn texts_by_name(
    segments: &[Segment<'_>],
) -> impl Iterator<Item = Result<FoundText, IndexError>> {
    /// Returns the name of a text; an error comes first.
    fn name(found: &Result<(u32, WithContent), IndexError>) -> Option<&str> {
        found.as_ref().ok().map(|(_, (text, _))| name_of(&text.text))
    }
    let mut each: Vec<_> = segments.iter().map(|it| it.each_text().peekable()).collect();
    std::iter::from_fn(move || {
        let heads = each.iter_mut().enumerate();
        let heads = heads.filter_map(|(segment, texts)| Some((name(texts.peek()?), segment)));
        let (_, segment) = heads.min()?;
        let found = each[segment].next()?;
        Some(found.map(|(number, (text, content))| FoundText { segment, number, text, content }))
    })
}

/// Merges segments into one, without removed texts.
fn merge(segments: &[Segment<'_>], out: &mut Appender<'_>) -> Result<SegmentRef, IndexError> {
    let mut merged = SegmentWriter::new(out);
    let readings: Vec<ReadingColumns> =
        segments.iter().map(Segment::readings).collect::<Result<_, _>>()?;
    // The new number of each reading and of each text, in their order; `None` if the text is
    // removed.
    let mut numbers: Vec<Vec<Option<u32>>> =
        readings.iter().map(|it| Vec::with_capacity(it.len())).collect();
    let mut text_numbers: Vec<Vec<Option<u32>>> =
        segments.iter().map(|it| vec![None; it.texts_written() as usize]).collect();
    for found in texts_by_name(segments) {
        let FoundText { segment: place, number, text, content } = found?;
        let numbers = &mut numbers[place];
        let mut kept = Vec::new();
        let next = |numbers: &Vec<_>| u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        while let Some((fingerprint, row)) = readings[place].get(next(numbers))
            && row.text <= number
        {
            let is_own = row.text == number;
            let new = merged.readings() + u32::try_from(kept.len()).unwrap_or(u32::MAX);
            numbers.push(is_own.then_some(new));
            kept.extend(is_own.then_some(ReadingProperties {
                fingerprint,
                all: row.all,
                longest: row.longest,
            }));
        }
        if let Some(new) = text_numbers[place].get_mut(number as usize) {
            *new = Some(merged.texts());
        }
        let content = content.map(|content| segments[place].content(content)).transpose()?;
        let worth = segments[place].least_worth();
        merged.text(text, content.as_ref().map(|it| (it.as_slice(), worth)), &kept)?;
    }
    merge_list(List::Shingles, segments, &mut merged, |place, reading| {
        let reading = usize::try_from(reading).ok()?;
        numbers[place].get(reading).copied().flatten().map(u64::from)
    })?;
    merge_list(List::Stretches, segments, &mut merged, |segment, it| {
        let (text, at) = split_place(it);
        let text = text_numbers[segment].get(text as usize).copied().flatten()?;
        Some(place(text, at))
    })?;
    merged.finish()
}

/// A posting of a segment: its key and tag, and the new numbers of what contains it.
type Renumbered = (u64, u32, Vec<u64>);

/// Merges inverted lists, reading one block of each segment at a time. `renumbered` returns the new
/// number for one of a segment; `None` if the text is removed.
fn merge_list(
    list: List,
    segments: &[Segment<'_>],
    merged: &mut SegmentWriter<'_, '_>,
    renumbered: impl Fn(usize, u64) -> Option<u64>,
) -> Result<(), IndexError> {
    let mut blocks: Vec<(usize, IntoIter<Renumbered>)> =
        segments.iter().map(|_| (0, Vec::new().into_iter())).collect();
    let mut heads = BinaryHeap::new();
    let advance = |place: usize, block: &mut (usize, IntoIter<Renumbered>)| {
        let segment = &segments[place];
        let known = segment.list_blocks(list)?;
        loop {
            if let Some((key, tag, having)) = block.1.next() {
                return Ok::<_, IndexError>(Some(Reverse((key, tag, place, having))));
            }
            let Some(next) = known.get(block.0) else { return Ok(None) };
            let mut read = Vec::new();
            let all = |_| PostingAction::Take;
            segment.postings_of(list, *next, all, |posting| {
                let kept = posting.having.iter().filter_map(|it| renumbered(place, *it));
                let having: Vec<u64> = kept.collect();
                if !having.is_empty() {
                    read.push((posting.key, posting.tag, having));
                }
            })?;
            *block = (block.0 + 1, read.into_iter());
        }
    };
    for (place, block) in blocks.iter_mut().enumerate() {
        heads.extend(advance(place, block)?);
    }
    let mut having: Vec<u64> = Vec::new();
    while let Some(Reverse((key, tag, place, own))) = heads.pop() {
        having.extend(own);
        heads.extend(advance(place, &mut blocks[place])?);
        let is_last = heads.peek().is_none_or(|Reverse(next)| (next.0, next.1) != (key, tag));
        if is_last {
            having.sort_unstable();
            merged.posting(list, Posting { key, tag, having: &having })?;
            having.clear();
        }
    }
    Ok(())
}
