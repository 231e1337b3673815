//! Encodes and decodes a block of an inverted list.
//!
//! A posting is a key and what contains it. The key is encoded as its difference to the previous
//! key.
//!
//! * For a shingle, the key is followed by its tag (four bytes, the lowest first) and the readings
//!   that contain it: twice the first reading, plus one if there are more; then the number of
//!   further readings; then the difference of each to the previous one.
//! * For a stretch of words, the key is followed by the positions of the stretch: twice the text of
//!   the first position, plus one if there are more; the word of the first position; then the
//!   number of further positions; then for each the difference of its text to the previous one, and
//!   its word. In the same text, the difference to the previous word is encoded instead.
//!
//! The number of further entries is present only if there are any. All numbers except the tag are
//! encoded with seven bits per byte, the lowest first, and 128 is added to every byte except the
//! last (LEB128).

use crate::text::varint;

/// The bit of a tag which is set if the shingle is one of the greatest size. The bits below it are
/// the check.
pub(super) const GREATEST_SIZE_BIT: u32 = 1 << 31;

/// The kind of an inverted list.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum List {
    /// Numbers of readings, for the key and tag of a shingle.
    Shingles,
    /// Positions, encoded by [`place`], for the key of a stretch; the tag is 0.
    Stretches,
}

/// Encodes a text and a word of it as a number. Positions are ordered by text, then by word.
pub(super) fn place(text: u32, at: u32) -> u64 {
    u64::from(text) << 32 | u64::from(at)
}

/// Decodes a position into a text and a word of it.
pub(super) fn split_place(place: u64) -> (u32, u32) {
    let half = |number: u64| u32::try_from(number & u64::from(u32::MAX)).unwrap_or_default();
    (half(place >> 32), half(place))
}

/// A key, and the readings or positions that contain it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Posting<'r> {
    pub(super) key: u64,
    pub(super) tag: u32,
    /// The readings or positions, in increasing order.
    pub(super) having: &'r [u64],
}

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

    /// Adds a posting. Keys must not decrease, and `having` must be increasing. An empty one is
    /// skipped.
    pub(super) fn push(&mut self, key: u64, tag: u32, having: &[u64]) {
        let Some((first, more)) = having.split_first() else { return };
        if self.first.is_none() {
            (self.first, self.last) = (Some(key), key);
        }
        let bytes = &mut self.bytes;
        varint::push(bytes, key - self.last);
        self.last = key;
        let is_places = self.list == List::Stretches;
        let (text, at) = split_place(*first);
        if !is_places {
            bytes.extend_from_slice(&tag.to_le_bytes());
        }
        let number = if is_places { text.into() } else { *first };
        varint::push(bytes, number << 1 | u64::from(!more.is_empty()));
        if is_places {
            varint::push(bytes, at.into());
        }
        if !more.is_empty() {
            varint::push(bytes, more.len() as u64);
        }
        for (before, next) in having.iter().zip(more) {
            if is_places {
                let [(text_before, at_before), (text, at)] = [*before, *next].map(split_place);
                varint::push(bytes, (text - text_before).into());
                varint::push(bytes, (at - if text == text_before { at_before } else { 0 }).into());
            } else {
                varint::push(bytes, next - before);
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the first key and the bytes, and clears the block.
    pub(super) fn take(&mut self) -> (u64, Vec<u8>) {
        let first = self.first.take().unwrap_or_default();
        (first, std::mem::take(&mut self.bytes))
    }
}

/// The error of bytes that are not valid postings.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct NoPostings;

/// The treatment of a posting, depending on its key.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum PostingAction {
    Take,
    Skip,
    /// Stop, since neither this posting nor any after it is needed.
    End,
}

impl PostingAction {
    /// Takes the postings whose keys have one of the given parts. `part` returns the part of a key.
    /// It must not decrease from key to key, and `parts` must be in increasing order.
    pub(super) fn among(
        parts: impl Iterator<Item = u64>,
        part: impl Fn(u64) -> u64,
    ) -> impl FnMut(u64) -> Self {
        let mut rest = parts.peekable();
        move |key| {
            let own = part(key);
            while rest.next_if(|it| *it < own).is_some() {}
            match rest.peek() {
                Some(it) if *it == own => Self::Take,
                Some(_) => Self::Skip,
                None => Self::End,
            }
        }
    }
}

/// An iterator over the postings of a block.
#[derive(Debug)]
pub(super) struct Entries<'b> {
    list: List,
    key: u64,
    bytes: &'b [u8],
    having: Vec<u64>,
}

impl<'b> Entries<'b> {
    /// Starts at the beginning of a block. `first` is the first key of the block.
    pub(super) fn new(list: List, first: u64, bytes: &'b [u8]) -> Self {
        Self { list, key: first, bytes, having: Vec::new() }
    }

    /// Returns the next posting that is taken; `None` after the last.
    pub(super) fn next(
        &mut self,
        mut action: impl FnMut(u64) -> PostingAction,
    ) -> Option<Result<Posting<'_>, NoPostings>> {
        while !self.bytes.is_empty() {
            let Some(key) =
                varint::take(&mut self.bytes).and_then(|more| self.key.checked_add(more))
            else {
                return Some(Err(self.end()));
            };
            self.key = key;
            match action(key) {
                PostingAction::Take => {
                    let Some(tag) = self.read() else { return Some(Err(self.end())) };
                    return Some(Ok(Posting { key, tag, having: &self.having }));
                }
                PostingAction::Skip => {
                    if self.skip().is_none() {
                        return Some(Err(self.end()));
                    }
                }
                PostingAction::End => self.bytes = &[],
            }
        }
        None
    }

    /// Prevents reading beyond invalid bytes.
    fn end(&mut self) -> NoPostings {
        self.bytes = &[];
        NoPostings
    }

    /// Reads the readings or positions of a key, and returns its tag.
    fn read(&mut self) -> Option<u32> {
        self.having.clear();
        let Self { list, bytes, having, .. } = self;
        let is_places = *list == List::Stretches;
        let mut tag = 0;
        if !is_places {
            let (own, rest) = bytes.split_first_chunk()?;
            (tag, *bytes) = (u32::from_le_bytes(*own), rest);
        }
        let half = |bytes: &mut &[u8]| u32::try_from(varint::take(bytes)?).ok();
        let first = varint::take(bytes)?;
        let mut number = first >> 1;
        if is_places {
            number = place(u32::try_from(number).ok()?, half(bytes)?);
        }
        let more = if first & 1 == 1 { varint::take(bytes)? } else { 0 };
        having.push(number);
        for _ in 0..more {
            number = if is_places {
                let (text, at) = split_place(number);
                let (step, word) = (half(bytes)?, half(bytes)?);
                place(text.checked_add(step)?, if step == 0 { at.checked_add(word)? } else { word })
            } else {
                number.checked_add(varint::take(bytes)?)?
            };
            having.push(number);
        }
        Some(tag)
    }

    /// Skips the readings or positions of a key.
    fn skip(&mut self) -> Option<()> {
        let bytes = &mut self.bytes;
        let (first, numbers) = match self.list {
            List::Shingles => {
                *bytes = bytes.get(4..)?;
                (varint::take(bytes)?, 1)
            }
            List::Stretches => {
                let first = varint::take(bytes)?;
                varint::take(bytes)?;
                (first, 2)
            }
        };
        let more = if first & 1 == 1 { varint::take(bytes)? } else { 0 };
        skip(bytes, more.checked_mul(numbers)?)
    }
}

/// Skips numbers at the front of bytes, eight bytes at a time. The last byte of each number is the
/// only one whose highest bit is not set.
fn skip(bytes: &mut &[u8], numbers: u64) -> Option<()> {
    const HIGHEST: u64 = 0x8080_8080_8080_8080;
    let mut left = numbers;
    while left >= 8
        && let Some((eight, rest)) = bytes.split_first_chunk()
    {
        left -= u64::from((!u64::from_le_bytes(*eight) & HIGHEST).count_ones());
        *bytes = rest;
    }
    while left > 0 {
        let (byte, rest) = bytes.split_first()?;
        left -= u64::from(*byte < 128);
        *bytes = rest;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(
        (list, first, bytes): (List, u64, &[u8]),
        action: impl Fn(u64) -> PostingAction,
    ) -> Option<Vec<(u64, u32, Vec<u64>)>> {
        let mut entries = Entries::new(list, first, bytes);
        let mut all = Vec::new();
        while let Some(found) = entries.next(&action) {
            let Posting { key, tag, having } = found.ok()?;
            all.push((key, tag, having.to_vec()));
        }
        Some(all)
    }

    #[test]
    fn bytes_are_as_they_are_documented() {
        let mut block = Block::new(List::Shingles);
        block.push(1000, 7, &[3]);
        block.push(1000, GREATEST_SIZE_BIT | 9, &[1, 2, 130]);
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
                proptest::collection::btree_set((prop_oneof![any::<u32>(), 0..300_u32], prop_oneof![any::<u32>(), 0..300_u32]), 1..30), 0..30),
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
            let bytes = (list, first, bytes.as_slice());
            prop_assert_eq!(read(bytes, |_| PostingAction::Take), Some(want.clone()));
            let odd = |key| if key % 2 == 1 { PostingAction::Take } else { PostingAction::Skip };
            let below = |key| if key < 200 { PostingAction::Take } else { PostingAction::End };
            let (mut of_odd, mut of_below) = (want.clone(), want);
            of_odd.retain(|(key, ..)| key % 2 == 1);
            of_below.retain(|(key, ..)| *key < 200);
            prop_assert_eq!(read(bytes, odd), Some(of_odd));
            prop_assert_eq!(read(bytes, below), Some(of_below));
        }

        /// Any bytes are either read or rejected.
        #[test]
        fn any_bytes_are_read_to_their_end(
            list in prop_oneof![Just(List::Shingles), Just(List::Stretches)],
            bytes in proptest::collection::vec(any::<u8>(), 0..60),
        ) {
            let odd = |key| if key % 2 == 1 { PostingAction::Take } else { PostingAction::Skip };
            for action in [|_| PostingAction::Take, odd] {
                let mut entries = Entries::new(list, 0, &bytes);
                let next = || entries.next(action).map(|it| it.is_ok());
                let count = std::iter::from_fn(next).count();
                prop_assert!(count <= bytes.len());
            }
        }
    }
}
