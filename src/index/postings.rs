//! A block of an inverted list ↔ its bytes.
//!
//! Each key is what it adds to the one before, then what has it. Of a shingle that is its tag, four
//! bytes, the lowest first, and the readings that have it: the first one twice, plus one where
//! there are more, then how many more, then what each adds to the one before. Of a stretch of words it is
//! the places where it stands: the text of the first one twice, plus one where there are more, and the word,
//! then how many more, then for each what its text adds to the one before and its word; of a text that is
//! the same the word less the one before. All numbers but the tag have seven bits a byte, the
//! lowest first, and 128 added to all bytes but the last (LEB128).

/// The bit of a tag that says that the shingle is one of the greatest size; below it is its check.
pub(super) const LONGEST: u32 = 1 << 31;

/// What has the keys of a block.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum List {
    /// Readings, by their numbers, have the shingle of a key and a tag.
    Shingles,
    /// Places have the stretch: [`place`]; the tag is 0.
    Stretches,
}

/// A word of a text as a number, so that places increase as texts and their words do.
pub(super) fn place(text: u32, at: u32) -> u64 {
    u64::from(text) << 32 | u64::from(at)
}

/// A text and a word of it.
pub(super) fn of_place(place: u64) -> (u32, u32) {
    let half = |number: u64| u32::try_from(number & u64::from(u32::MAX)).unwrap_or_default();
    (half(place >> 32), half(place))
}

/// A key, and what has it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Posting<'r> {
    pub(super) key: u64,
    pub(super) tag: u32,
    /// Readings or places, increasing.
    pub(super) having: &'r [u64],
}

/// Postings that are written.
#[derive(Debug)]
pub(super) struct Block {
    list: List,
    first: Option<u64>,
    last: u64,
    bytes: Vec<u8>,
}

impl Block {
    pub(super) fn new(list: List) -> Self {
        Self { list, first: None, last: 0, bytes: Vec::new() }
    }

    /// Adds a key; keys do not decrease, what has one increases, and there is one thing at least.
    pub(super) fn push(&mut self, key: u64, tag: u32, having: &[u64]) {
        let Some((first, more)) = having.split_first() else { return };
        if self.first.is_none() {
            (self.first, self.last) = (Some(key), key);
        }
        let bytes = &mut self.bytes;
        number(bytes, key - self.last);
        self.last = key;
        let count = |bytes: &mut Vec<u8>| {
            if !more.is_empty() {
                number(bytes, more.len() as u64);
            }
        };
        let mut before = *first;
        match self.list {
            List::Shingles => {
                bytes.extend_from_slice(&tag.to_le_bytes());
                number(bytes, first << 1 | u64::from(!more.is_empty()));
                count(bytes);
                for reading in more {
                    number(bytes, reading - before);
                    before = *reading;
                }
            }
            List::Stretches => {
                let (text, at) = of_place(*first);
                number(bytes, u64::from(text) << 1 | u64::from(!more.is_empty()));
                number(bytes, at.into());
                count(bytes);
                for place in more {
                    let [(text, at), (text_before, at_before)] = [*place, before].map(of_place);
                    number(bytes, (text - text_before).into());
                    let is_same = text == text_before;
                    number(bytes, (at - if is_same { at_before } else { 0 }).into());
                    before = *place;
                }
            }
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

/// Bytes that are no postings.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct NoPostings;

/// The postings of a block, one after the other.
#[derive(Debug)]
pub(super) struct Entries<'b> {
    list: List,
    key: u64,
    bytes: &'b [u8],
    having: Vec<u64>,
}

impl<'b> Entries<'b> {
    /// Of a block with its first key.
    pub(super) fn new(list: List, first: u64, bytes: &'b [u8]) -> Self {
        Self { list, key: first, bytes, having: Vec::new() }
    }

    /// The next posting; none behind the last.
    pub(super) fn next(&mut self) -> Option<Result<Posting<'_>, NoPostings>> {
        if self.bytes.is_empty() {
            return None;
        }
        let read = self.read();
        if read.is_none() {
            self.bytes = &[];
        }
        Some(read.ok_or(NoPostings).map(|tag| Posting { key: self.key, tag, having: &self.having }))
    }

    /// Reads the tag, and the rest in its place.
    fn read(&mut self) -> Option<u32> {
        self.having.clear();
        self.key = self.key.checked_add(self.number()?)?;
        match self.list {
            List::Shingles => self.read_readings(),
            List::Stretches => self.read_places().map(|()| 0),
        }
    }

    fn read_readings(&mut self) -> Option<u32> {
        let (tag, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        let first = self.number()?;
        let more = if first & 1 == 1 { self.number()? } else { 0 };
        let mut reading = first >> 1;
        self.having.push(reading);
        for _ in 0..more {
            reading = reading.checked_add(self.number()?)?;
            self.having.push(reading);
        }
        Some(u32::from_le_bytes(*tag))
    }

    fn read_places(&mut self) -> Option<()> {
        let first = self.number()?;
        let mut text = u32::try_from(first >> 1).ok()?;
        let mut at = u32::try_from(self.number()?).ok()?;
        let more = if first & 1 == 1 { self.number()? } else { 0 };
        self.having.push(place(text, at));
        for _ in 0..more {
            let step = u32::try_from(self.number()?).ok()?;
            let word = u32::try_from(self.number()?).ok()?;
            text = text.checked_add(step)?;
            at = if step == 0 { at.checked_add(word)? } else { word };
            self.having.push(place(text, at));
        }
        Some(())
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

    fn read(list: List, first: u64, bytes: &[u8]) -> Option<Vec<(u64, u32, Vec<u64>)>> {
        let mut entries = Entries::new(list, first, bytes);
        let mut all = Vec::new();
        while let Some(found) = entries.next() {
            let Posting { key, tag, having } = found.ok()?;
            all.push((key, tag, having.to_vec()));
        }
        Some(all)
    }

    #[test]
    fn bytes_are_as_they_are_documented() {
        let mut block = Block::new(List::Shingles);
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
        let mut block = Block::new(List::Stretches);
        block.push(500, 0, &[place(3, 9)]);
        block.push(510, 0, &[place(1, 5), place(1, 8), place(4, 2)]);
        let (first, bytes) = block.take();
        let want = [0, 3 << 1, 9, 10, 1 << 1 | 1, 5, 2, 0, 3, 3, 2];
        assert_eq!((first, bytes.as_slice()), (500, want.as_slice()));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            list in prop_oneof![Just(List::Shingles), Just(List::Stretches)],
            postings in proptest::collection::btree_map(
                (prop_oneof![any::<u64>(), 0..300_u64], any::<u32>()),
                proptest::collection::btree_set((prop_oneof![any::<u32>(), 0..300_u32], prop_oneof![any::<u32>(), 0..300_u32]), 1..9), 0..30),
        ) {
            let mut block = Block::new(list);
            let mut want = Vec::new();
            for ((key, tag), having) in postings {
                let is_places = list == List::Stretches;
                let numbered = |(text, at)| place(if is_places { text } else { text >> 1 }, at);
                let mut having: Vec<u64> = having.into_iter().map(numbered).collect();
                having.sort_unstable();
                having.dedup();
                let tag = if is_places { 0 } else { tag };
                block.push(key, tag, &having);
                want.push((key, tag, having));
            }
            let (first, bytes) = block.take();
            prop_assert_eq!(read(list, first, &bytes), Some(want));
        }

        /// Whatever the bytes are, they are read or refused.
        #[test]
        fn any_bytes_are_read_to_their_end(
            list in prop_oneof![Just(List::Shingles), Just(List::Stretches)],
            bytes in proptest::collection::vec(any::<u8>(), 0..60),
        ) {
            let mut entries = Entries::new(list, 0, &bytes);
            let count = std::iter::from_fn(|| entries.next().map(|it| it.is_ok())).count();
            prop_assert!(count <= bytes.len());
        }
    }
}
