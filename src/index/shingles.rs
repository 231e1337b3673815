//! A block of shingles ↔ its bytes.
//!
//! Each shingle is what its key adds to that of the one before; its tag, four bytes, the lowest
//! first; and the readings that have it: the first one twice, plus one where there are more, then
//! how many more, then what each adds to the one before. All numbers but the tag have seven bits a
//! byte, the lowest first, and 128 added to all bytes but the last (LEB128).

/// The bit of a tag that says that the shingle is one of the greatest size; below it is its check.
pub(super) const LONGEST: u32 = 1 << 31;

/// A shingle and the readings that have it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Posting<'r> {
    pub(super) key: u64,
    pub(super) tag: u32,
    /// Increasing.
    pub(super) readings: &'r [u32],
}

/// Shingles that are written.
#[derive(Debug, Default)]
pub(super) struct Block {
    first: Option<u64>,
    last: u64,
    bytes: Vec<u8>,
}

impl Block {
    /// Adds a shingle; keys do not decrease, readings increase, and there is one at least.
    pub(super) fn push(&mut self, key: u64, tag: u32, readings: &[u32]) {
        let Some((first, more)) = readings.split_first() else { return };
        if self.first.is_none() {
            (self.first, self.last) = (Some(key), key);
        }
        number(&mut self.bytes, key - self.last);
        self.last = key;
        self.bytes.extend_from_slice(&tag.to_le_bytes());
        number(&mut self.bytes, u64::from(*first) << 1 | u64::from(!more.is_empty()));
        if !more.is_empty() {
            number(&mut self.bytes, more.len() as u64);
        }
        let mut before = *first;
        for reading in more {
            number(&mut self.bytes, u64::from(reading - before));
            before = *reading;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The first key and the bytes; the block is empty again.
    pub(super) fn take(&mut self) -> (u64, Vec<u8>) {
        let first = self.first.take().unwrap_or_default();
        (first, std::mem::take(&mut self.bytes))
    }
}

/// Appends a number.
fn number(bytes: &mut Vec<u8>, mut rest: u64) {
    while rest >= 128 {
        bytes.push(rest.to_le_bytes()[0] | 128);
        rest >>= 7;
    }
    bytes.push(rest.to_le_bytes()[0]);
}

/// Bytes that are no shingles.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct NotShingles;

/// The shingles of a block, one after the other.
#[derive(Debug)]
pub(super) struct Entries<'b> {
    key: u64,
    bytes: &'b [u8],
    readings: Vec<u32>,
}

impl<'b> Entries<'b> {
    /// Of a block with its first key.
    pub(super) fn new(first: u64, bytes: &'b [u8]) -> Self {
        Self { key: first, bytes, readings: Vec::new() }
    }

    /// The next shingle; none behind the last.
    pub(super) fn next(&mut self) -> Option<Result<Posting<'_>, NotShingles>> {
        if self.bytes.is_empty() {
            return None;
        }
        let read = self.read();
        if read.is_none() {
            self.bytes = &[];
        }
        Some(read.ok_or(NotShingles).map(|tag| Posting {
            key: self.key,
            tag,
            readings: &self.readings,
        }))
    }

    /// Reads the tag, and the rest in its place.
    fn read(&mut self) -> Option<u32> {
        self.readings.clear();
        self.key = self.key.checked_add(self.number()?)?;
        let (tag, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        let first = self.number()?;
        let more = if first & 1 == 1 { self.number()? } else { 0 };
        let mut reading = u32::try_from(first >> 1).ok()?;
        self.readings.push(reading);
        for _ in 0..more {
            reading = reading.checked_add(u32::try_from(self.number()?).ok()?)?;
            self.readings.push(reading);
        }
        Some(u32::from_le_bytes(*tag))
    }

    #[inline]
    fn number(&mut self) -> Option<u64> {
        match self.bytes.split_first() {
            Some((byte, rest)) if *byte < 128 => {
                self.bytes = rest;
                Some(u64::from(*byte))
            }
            _ => self.long_number(),
        }
    }

    fn long_number(&mut self) -> Option<u64> {
        let (mut number, mut shift) = (0_u64, 0);
        for (at, byte) in self.bytes.iter().enumerate() {
            number |= u64::from(byte & 127).checked_shl(shift)?;
            shift += 7;
            if *byte < 128 {
                self.bytes = &self.bytes[at + 1..];
                return Some(number);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(first: u64, bytes: &[u8]) -> Option<Vec<(u64, u32, Vec<u32>)>> {
        let mut entries = Entries::new(first, bytes);
        let mut all = Vec::new();
        while let Some(found) = entries.next() {
            let Posting { key, tag, readings } = found.ok()?;
            all.push((key, tag, readings.to_vec()));
        }
        Some(all)
    }

    #[test]
    fn bytes_are_as_they_are_documented() {
        let mut block = Block::default();
        block.push(1000, 7, &[3]);
        block.push(1000, LONGEST | 9, &[1, 2, 130]);
        block.push(1300, 1, &[0]);
        let (first, bytes) = block.take();
        #[rustfmt::skip]
        let want = [
            0, 7, 0, 0, 0, 3 << 1,
            0, 9, 0, 0, 0x80, 1 << 1 | 1, 2, 1, 128, 1,
            0x80 | 0x2c, 2, 1, 0, 0, 0, 0,
        ];
        assert_eq!((first, bytes.as_slice()), (1000, want.as_slice()));
        assert!(block.is_empty());
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            shingles in proptest::collection::btree_map(
                (prop_oneof![any::<u64>(), 0..300_u64], any::<u32>()),
                proptest::collection::btree_set(prop_oneof![any::<u32>(), 0..300_u32], 1..9), 0..30),
        ) {
            let mut block = Block::default();
            let mut want = Vec::new();
            for ((key, tag), readings) in shingles {
                let readings: Vec<u32> = readings.into_iter().collect();
                block.push(key, tag, &readings);
                want.push((key, tag, readings));
            }
            let (first, bytes) = block.take();
            prop_assert_eq!(read(first, &bytes), Some(want));
        }

        /// Whatever the bytes are, they are read or refused.
        #[test]
        fn any_bytes_are_read_to_their_end(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let mut entries = Entries::new(0, &bytes);
            let count = std::iter::from_fn(|| entries.next().map(|it| it.is_ok())).count();
            prop_assert!(count <= bytes.len());
        }
    }
}
