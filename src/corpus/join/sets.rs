//! Sets of residues, in memory or in a temporary file.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

// How much memory there may be.

/// How much memory a collection takes before its sets go to a temporary file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Memory {
    /// Bytes for the sets of the texts, the index that finds pairs, and 700 bytes of other data for
    /// each text. Sets beyond that are in the file.
    pub bytes: u64,
    /// The folder of the file, which has no name there.
    pub folder: PathBuf,
}

impl Memory {
    /// Bytes that are kept of a text besides its residues.
    const OF_TEXT: u64 = 700;

    /// Bytes for each residue: its own eight, one that says how frequent it is, and what the
    /// rarest of a set take as tokens and postings.
    const OF_RESIDUE: u64 = 14;

    /// Whether texts fit that have a number of residues in all.
    pub(super) fn holds(&self, texts: usize, residues: usize) -> bool {
        texts as u64 * Self::OF_TEXT + residues as u64 * Self::OF_RESIDUE <= self.bytes
    }

    /// The bytes that texts leave for the index, but a quarter of all at least.
    pub(super) fn left_for_index(&self, texts: usize) -> u64 {
        self.bytes.saturating_sub(texts as u64 * Self::OF_TEXT).max(self.bytes / 4)
    }
}

/// A temporary file that could not be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: cannot use a temporary file there", .folder.display())]
pub struct TempFileError {
    /// Its folder.
    pub folder: PathBuf,
    /// Why.
    #[source]
    pub source: Arc<io::Error>,
}

/// Numbers in a temporary file without a name, which is gone with the program, however it ends.
///
/// The first failure is kept for [`check`](Self::check); after it every read gives nothing. So
/// readers on many threads need handle no errors.
#[derive(Debug)]
pub(super) struct TempFile {
    memory: Memory,
    /// The file, and how many numbers are in it.
    file: Mutex<(Option<File>, usize)>,
    failure: OnceLock<Arc<io::Error>>,
}

/// Bytes of a number in a file.
const NUMBER: usize = size_of::<u64>();

impl TempFile {
    pub(super) fn new(memory: &Memory) -> Self {
        let failure = OnceLock::new();
        let made = tempfile::tempfile_in(&memory.folder);
        let file = made.map_err(|error| failure.set(Arc::new(error))).ok();
        Self { memory: memory.clone(), file: Mutex::new((file, 0)), failure }
    }

    /// Whether all that was written and read is as it should be.
    ///
    /// # Errors
    ///
    /// The first that was met.
    pub(super) fn check(&self) -> Result<(), TempFileError> {
        let error = |source: &Arc<io::Error>| TempFileError {
            folder: self.memory.folder.clone(),
            source: Arc::clone(source),
        };
        self.failure.get().map_or(Ok(()), |source| Err(error(source)))
    }

    /// How much memory there may be.
    pub(super) fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Keeps the first failure.
    fn remember(&self, done: io::Result<()>) {
        if let Err(error) = done {
            self.failure.get_or_init(|| Arc::new(error));
        }
    }

    /// Appends numbers, and returns where the first of them is.
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

    /// Reads some numbers; none after a failure.
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

/// Goes to a number of a file.
fn at(file: &mut File, number: usize) -> io::Result<()> {
    file.seek(SeekFrom::Start(number as u64 * NUMBER as u64)).map(drop)
}

// The sets.

/// Numbers that are read at a time where sets are [visited](Sets::visit), or the longest set.
const PIECE: usize = if cfg!(test) { 8 } else { 1 << 17 };

/// Sets of residues. In memory eight bytes a residue, and twelve a set.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    /// Where each set starts among the residues, in any order.
    starts: Vec<usize>,
    sizes: Vec<u32>,
    residues: Residues,
}

#[derive(Clone, Debug)]
enum Residues {
    Held(Vec<u64>),
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
        Self { starts: Vec::new(), sizes: Vec::new(), residues: Residues::Held(Vec::new()) }
    }

    pub(super) fn push(&mut self, set: &[u64]) {
        let start = match &mut self.residues {
            Residues::Held(residues) => {
                let start = residues.len();
                residues.extend_from_slice(set);
                start
            }
            Residues::Stored(file) => file.append(set.iter().copied()),
        };
        self.starts.push(start);
        // No text has 2³² shingles: they would take 32 GiB, and its words more.
        self.sizes.push(u32::try_from(set.len()).unwrap_or(u32::MAX));
    }

    /// How many residues are in memory.
    pub(super) fn held(&self) -> usize {
        match &self.residues {
            Residues::Held(residues) => residues.len(),
            Residues::Stored(_) => 0,
        }
    }

    /// The file that the residues are in, if they are not in memory.
    pub(super) fn file(&self) -> Option<&TempFile> {
        match &self.residues {
            Residues::Held(_) => None,
            Residues::Stored(file) => Some(file),
        }
    }

    /// Puts the residues into a file, those to come as well.
    pub(super) fn store(&mut self, memory: &Memory) {
        if let Residues::Held(residues) = &self.residues {
            let file = TempFile::new(memory);
            for piece in residues.chunks(PIECE) {
                file.append(piece.iter().copied());
            }
            self.residues = Residues::Stored(Arc::new(file));
        }
    }

    /// The sets in another order, as their numbers are there. The residues stay where they are.
    pub(super) fn reordered(self, order: &[u32]) -> Self {
        Self {
            starts: order.iter().map(|text| self.starts[*text as usize]).collect(),
            sizes: order.iter().map(|text| self.sizes[*text as usize]).collect(),
            residues: self.residues,
        }
    }

    /// A set: increasing, distinct residues.
    pub(super) fn get(&self, text: u32) -> Cow<'_, [u64]> {
        let (start, size) = (self.start(text), self.size(text) as usize);
        match &self.residues {
            Residues::Held(residues) => Cow::Borrowed(&residues[start..start + size]),
            Residues::Stored(file) => Cow::Owned(file.read(start, size)),
        }
    }

    /// Gives sets one after the other, with their places among `texts`, which are by where they
    /// [start](Self::start): what is in a file is read in larger pieces.
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

    /// Where a set starts among the residues of all.
    pub(super) fn start(&self, text: u32) -> usize {
        self.starts[text as usize]
    }

    /// The size of a set.
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
        /// In memory, in a file from the start, or put there on the way, and in any order.
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
            prop_assert_eq!(stored.file().is_some(), stored_at < sets.len());
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
        assert_eq!(error.to_string(), "no such folder: cannot use a temporary file there");
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
