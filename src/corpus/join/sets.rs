//! Sets of residues, in memory or in a temporary file.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

// The memory limit.

/// The memory that a collection may take before its sets go to a temporary file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Memory {
    /// The number of bytes for the sets of the texts, the index that finds pairs, and 700 bytes of
    /// other data per text. If they take more, the sets are in the file.
    pub bytes: u64,
    /// The folder in which the temporary file is created; the file has no name there.
    pub folder: PathBuf,
}

impl Memory {
    /// The number of bytes that are kept per text in addition to its residues.
    const OF_TEXT: u64 = 700;

    /// The number of bytes per residue: 8 for the residue, 1 for its frequency, and the rest for
    /// the tokens and postings of the rarest residues of each set.
    const OF_RESIDUE: u64 = 14;

    /// Reports whether texts with a total number of residues fit into the memory.
    pub(super) fn holds(&self, texts: usize, residues: usize) -> bool {
        texts as u64 * Self::OF_TEXT + residues as u64 * Self::OF_RESIDUE <= self.bytes
    }

    /// Returns the number of bytes that the texts leave for the index, but at least a quarter of
    /// all bytes.
    pub(super) fn left_for_index(&self, texts: usize) -> u64 {
        self.bytes.saturating_sub(texts as u64 * Self::OF_TEXT).max(self.bytes / 4)
    }
}

/// The error of a temporary file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: cannot use a temporary file in this folder", .folder.display())]
pub struct TempFileError {
    /// The folder of the file.
    pub folder: PathBuf,
    /// The cause.
    #[source]
    pub source: Arc<io::Error>,
}

/// A temporary file of numbers. It has no name, so it disappears with the process, however that
/// ends.
///
/// The first error is kept for [`check`](Self::check); after it, every read returns nothing. So
/// readers on several threads need not handle errors.
#[derive(Debug)]
pub(super) struct TempFile {
    pub(super) memory: Memory,
    /// The file, and the number of numbers that it contains.
    file: Mutex<(Option<File>, usize)>,
    failure: OnceLock<Arc<io::Error>>,
}

/// The number of bytes per number in the file.
const NUMBER: usize = size_of::<u64>();

impl TempFile {
    pub(super) fn new(memory: &Memory) -> Self {
        let failure = OnceLock::new();
        let made = tempfile::tempfile_in(&memory.folder);
        let file = made.map_err(|error| failure.set(Arc::new(error))).ok();
        Self { memory: memory.clone(), file: Mutex::new((file, 0)), failure }
    }

    /// Checks that everything could be written and read.
    ///
    /// # Errors
    ///
    /// Returns the first error that occurred.
    pub(super) fn check(&self) -> Result<(), TempFileError> {
        let error = |source: &Arc<io::Error>| TempFileError {
            folder: self.memory.folder.clone(),
            source: Arc::clone(source),
        };
        self.failure.get().map_or(Ok(()), |source| Err(error(source)))
    }

    /// Keeps the first error.
    fn remember(&self, done: io::Result<()>) {
        if let Err(error) = done {
            self.failure.get_or_init(|| Arc::new(error));
        }
    }

    /// Appends numbers, and returns the position of the first of them in the file; 0 after an
    /// error.
    pub(super) fn append(&self, numbers: impl ExactSizeIterator<Item = u64>) -> usize {
        let mut bytes = Vec::with_capacity(numbers.len() * NUMBER);
        numbers.for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        let mut guard = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, count) = &mut *guard;
        let Some(file) = file.as_mut().filter(|_| self.failure.get().is_none()) else { return 0 };
        let start = *count;
        *count += bytes.len() / NUMBER;
        self.remember(at(file, start).and_then(|()| file.write_all(&bytes)));
        start
    }

    /// Reads `count` numbers from position `start` on. Returns an empty vector after an error.
    pub(super) fn read(&self, start: usize, count: usize) -> Vec<u64> {
        let mut bytes = vec![0; count * NUMBER];
        let mut guard = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = guard.0.as_mut().filter(|_| self.failure.get().is_none()) else {
            return Vec::new();
        };
        self.remember(at(file, start).and_then(|()| file.read_exact(&mut bytes)));
        drop(guard);
        if self.failure.get().is_some() {
            return Vec::new();
        }
        let (numbers, _) = bytes.as_chunks::<NUMBER>();
        numbers.iter().map(|number| u64::from_le_bytes(*number)).collect()
    }
}

fn at(file: &mut File, number: usize) -> io::Result<()> {
    file.seek(SeekFrom::Start(number as u64 * NUMBER as u64)).map(drop)
}

// The sets.

/// The number of residues in a piece of memory, and of those that are read at a time when sets are
/// [visited](Sets::visit); more if a single set is larger.
const PIECE: usize = if cfg!(test) { 8 } else { 1 << 17 };

/// Sets of residues. In memory they take 8 bytes per residue and 12 per set.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    /// The start of each set among the residues. The starts may be in any order.
    starts: Vec<usize>,
    sizes: Vec<u32>,
    residues: Residues,
}

/// The residues of all sets, in memory or in a temporary file.
#[derive(Clone, Debug)]
enum Residues {
    /// The residues in pieces, each set in one of them. The start of a set is [`PIECE`] times the
    /// index of its piece, plus its offset there. A single vector would take twice the memory while
    /// it grows, where the allocator has to move it.
    Held {
        pieces: Vec<Vec<u64>>,
        /// The number of residues in all pieces.
        count: usize,
    },
    /// The residues in a file. The start of a set is its offset there.
    Stored(Arc<TempFile>),
}

impl PartialEq for Sets {
    fn eq(&self, other: &Self) -> bool {
        let is_equal = |text| self.get(text) == other.get(text);
        self.sizes == other.sizes && (0..).take(self.sizes.len()).all(is_equal)
    }
}

impl Eq for Sets {}

impl Sets {
    pub(super) fn new() -> Self {
        let residues = Residues::Held { pieces: Vec::new(), count: 0 };
        Self { starts: Vec::new(), sizes: Vec::new(), residues }
    }

    pub(super) fn push(&mut self, set: &[u64]) {
        let start = match &mut self.residues {
            Residues::Held { pieces, count } => {
                // A set begins before the end of its piece, even if it is empty.
                let is_full = |last: &Vec<u64>| last.len() + set.len().max(1) > PIECE;
                if pieces.last().is_none_or(is_full) {
                    // The first piece grows, because most collections are small.
                    let capacity = if pieces.is_empty() { 0 } else { PIECE.max(set.len()) };
                    pieces.push(Vec::with_capacity(capacity));
                }
                let last = pieces.len() - 1;
                let start = last * PIECE + pieces[last].len();
                pieces[last].extend_from_slice(set);
                *count += set.len();
                start
            }
            Residues::Stored(file) => file.append(set.iter().copied()),
        };
        self.starts.push(start);
        // No text has 2³² shingles: they would take 32 GiB, and its words even more.
        self.sizes.push(u32::try_from(set.len()).unwrap_or(u32::MAX));
    }

    /// Returns the number of residues in memory.
    pub(super) fn held(&self) -> usize {
        match &self.residues {
            Residues::Held { count, .. } => *count,
            Residues::Stored(_) => 0,
        }
    }

    /// Returns the file with the residues; `None` if they are in memory.
    pub(super) fn file(&self) -> Option<&TempFile> {
        match &self.residues {
            Residues::Held { .. } => None,
            Residues::Stored(file) => Some(file),
        }
    }

    /// Moves the residues to a file; sets that are added later go there as well.
    pub(super) fn store(&mut self, memory: &Memory) {
        if let Residues::Held { pieces, .. } = &self.residues {
            let file = TempFile::new(memory);
            let append = |piece: &Vec<u64>| file.append(piece.iter().copied());
            let starts: Vec<usize> = pieces.iter().map(append).collect();
            for start in &mut self.starts {
                *start = starts[*start / PIECE] + *start % PIECE;
            }
            self.residues = Residues::Stored(Arc::new(file));
        }
    }

    /// Returns the sets in another order: set `order[i]` becomes set `i`. The residues are not
    /// moved.
    pub(super) fn reordered(self, order: &[u32]) -> Self {
        Self {
            starts: order.iter().map(|text| self.starts[*text as usize]).collect(),
            sizes: order.iter().map(|text| self.sizes[*text as usize]).collect(),
            residues: self.residues,
        }
    }

    /// Returns a set: its distinct residues, increasing.
    pub(super) fn get(&self, text: u32) -> Cow<'_, [u64]> {
        let (start, size) = (self.start(text), self.size(text) as usize);
        match &self.residues {
            Residues::Held { pieces, .. } => {
                Cow::Borrowed(&pieces[start / PIECE][start % PIECE..][..size])
            }
            Residues::Stored(file) => Cow::Owned(file.read(start, size)),
        }
    }

    /// Passes sets to `give` one after the other, with their indices in `texts`, which must be
    /// sorted by [`start`](Self::start). Sets in a file are read in larger pieces.
    pub(super) fn visit(&self, texts: &[u32], mut give: impl FnMut(usize, &[u64])) {
        let Residues::Stored(file) = &self.residues else {
            return (texts.iter().enumerate()).for_each(|(at, text)| give(at, &self.get(*text)));
        };
        let end = |text: u32| self.start(text) + self.size(text) as usize;
        let mut at = 0;
        while let Some(first) = texts.get(at) {
            let start = self.start(*first);
            let more = texts[at + 1..].iter().take_while(|text| end(**text) - start <= PIECE);
            let in_piece = &texts[at..at + 1 + more.count()];
            let last = in_piece.iter().map(|text| end(*text)).max().unwrap_or(start);
            let piece = file.read(start, last - start);
            for (at, text) in (at..).zip(in_piece) {
                let set = self.start(*text) - start..end(*text) - start;
                give(at, piece.get(set).unwrap_or_default());
            }
            at += in_piece.len();
        }
    }

    /// Returns the start of a set among all residues.
    pub(super) fn start(&self, text: u32) -> usize {
        self.starts[text as usize]
    }

    pub(super) fn size(&self, text: u32) -> u32 {
        self.sizes[text as usize]
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;

    fn memory() -> Memory {
        Memory { bytes: 0, folder: std::env::temp_dir() }
    }

    fn missing() -> Memory {
        Memory { bytes: 0, folder: Path::new("no such folder").to_owned() }
    }

    proptest! {
        /// The sets are in memory, in a file from the start, or moved there on the way, and in any
        /// order.
        #[test]
        fn sets_are_the_same_wherever_they_are(
            sets in prop::collection::vec(prop::collection::vec(any::<u64>(), 0..12), 0..20),
            stored_at in 0_usize..25,
            order in any::<prop::sample::Index>(),
        ) {
            let (mut held, mut stored) = (Sets::new(), Sets::new());
            for (at, set) in sets.iter().enumerate() {
                if at == stored_at {
                    stored.store(&memory());
                }
                held.push(set);
                stored.push(set);
            }
            prop_assert_eq!(held.held(), sets.concat().len());
            let is_stored = stored_at < sets.len();
            prop_assert_eq!(stored.file().is_some(), is_stored);
            prop_assert_eq!(stored.held(), if is_stored { 0 } else { held.held() });
            prop_assert_eq!(&held, &stored);
            let mut texts: Vec<u32> = (0..).take(sets.len()).collect();
            for all in [&held, &stored] {
                let mut seen = Vec::new();
                all.visit(&texts, |at, set| seen.push((at, set.to_vec())));
                prop_assert_eq!(seen, sets.iter().cloned().enumerate().collect::<Vec<_>>());
            }
            if !texts.is_empty() {
                let middle = order.index(texts.len());
                texts.rotate_left(middle);
            }
            let moved = stored.reordered(&texts);
            for (at, text) in (0..).zip(&texts) {
                prop_assert_eq!(&*moved.get(at), &*sets[*text as usize]);
            }
        }
    }

    #[test]
    fn sets_are_equal_if_all_of_them_are() {
        let of = |all: &[&[u64]]| {
            let mut sets = Sets::new();
            for set in all {
                sets.push(set);
            }
            sets
        };
        let sets = of(&[&[1], &[2, 3]]);
        assert_eq!(sets, of(&[&[1], &[2, 3]]));
        for others in [of(&[&[1], &[2, 4]]), of(&[&[1]]), of(&[&[1], &[2, 3], &[]])] {
            assert_ne!(sets, others);
        }
    }

    #[test]
    fn a_file_that_cannot_be_made_is_remembered_and_gives_nothing() {
        let mut sets = Sets::new();
        sets.push(&[1, 2]);
        sets.store(&missing());
        sets.push(&[3]);
        assert!(sets.get(0).is_empty() && sets.get(1).is_empty());
        let mut seen = Vec::new();
        sets.visit(&[0, 1], |at, set| seen.push((at, set.len())));
        assert_eq!(seen, [(0, 0), (1, 0)]);
        let error = sets.file().unwrap().check().unwrap_err();
        assert_eq!(error.to_string(), "no such folder: cannot use a temporary file in this folder");
    }

    #[test]
    fn what_is_not_in_a_file_is_remembered_too() {
        let file = TempFile::new(&memory());
        assert_eq!([file.append([7, 8].into_iter()), file.append([9].into_iter())], [0, 2]);
        assert_eq!(file.read(1, 2), [8, 9]);
        assert!(file.check().is_ok());
        assert_eq!(file.read(2, 2), Vec::<u64>::new());
        assert_eq!(file.check().unwrap_err().source.kind(), io::ErrorKind::UnexpectedEof);
        assert_eq!((file.read(0, 1), file.append([1].into_iter())), (Vec::new(), 0));
    }

    #[test]
    fn what_fits_is_counted_by_texts_and_residues() {
        let memory = |bytes| Memory { bytes, ..memory() };
        assert!(memory(2 * 700 + 10 * 14).holds(2, 10));
        assert!(!memory(2 * 700 + 10 * 14 - 1).holds(2, 10));
        assert!(memory(0).holds(0, 0));
        assert_eq!([memory(1000).left_for_index(1), memory(1000).left_for_index(5)], [300, 250]);
    }
}
