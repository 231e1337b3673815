//! The parts of an excerpt, in no more than they take: a text may have one to the word.
//!
//! A part is told by what it adds to the one before: four numbers, mostly of a byte each. Every
//! so often one is told in full as well, from where the parts behind it are read.

/// A part of an excerpt is told in full every so many.
const FULL: usize = 32;

/// What was written for a part of the source, and what stands behind it there and in the text
/// alike, up to the next part.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Part {
    /// Bytes of the text before it.
    pub(super) at: usize,
    /// Bytes of the source before it.
    pub(super) from: usize,
    /// Bytes of the text that were written.
    pub(super) written: usize,
    /// Bytes of the source that they stand for.
    pub(super) length: usize,
}

impl Part {
    /// The byte of the text that what was written ends before.
    pub(super) fn end(self) -> usize {
        self.at + self.written
    }

    /// The byte of the source that what it was written for ends before.
    pub(super) fn source_end(self) -> usize {
        self.from + self.length
    }
}

/// Parts in the order of the text and of the source.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Parts {
    /// What each adds to the one before.
    steps: Vec<u8>,
    /// Of every so many, with the first: the part itself, and where in `steps` those behind it
    /// begin.
    full: Vec<(Part, usize)>,
    last: Part,
    count: usize,
}

impl Parts {
    /// Adds a part behind all others; in the text and in the source it begins where the last
    /// one ends or behind that.
    pub(super) fn push(&mut self, part: Part) {
        if self.count.is_multiple_of(FULL) {
            self.full.push((part, self.steps.len()));
        } else {
            let copied = part.at - self.last.end();
            let skipped = part.from - (self.last.source_end() + copied);
            for number in [copied, skipped, part.written, part.length] {
                push_number(&mut self.steps, number);
            }
        }
        self.last = part;
        self.count += 1;
    }

    /// The last part; none where there is none.
    pub(super) fn last(&self) -> Option<Part> {
        (self.count > 0).then_some(self.last)
    }

    /// The last part that is no further on than `is_before` says, and the one behind it. What
    /// is before all others that are, is, too.
    pub(super) fn around(&self, is_before: impl Fn(Part) -> bool) -> [Option<Part>; 2] {
        let behind = self.full.partition_point(|(part, _)| is_before(*part));
        let Some(near) = behind.checked_sub(1) else {
            return [None, self.full.first().map(|(part, _)| *part)];
        };
        let mut found = self.full[near].0;
        for part in self.behind_full(near).skip(1) {
            if !is_before(part) {
                return [Some(found), Some(part)];
            }
            found = part;
        }
        [Some(found), self.full.get(behind).map(|(part, _)| *part)]
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = Part> {
        (0..self.full.len()).flat_map(|full| self.behind_full(full))
    }

    /// The part with that number of those in full, and those behind it up to the next one.
    fn behind_full(&self, full: usize) -> impl Iterator<Item = Part> {
        let (first, start) = self.full[full];
        let end = self.full.get(full + 1).map_or(self.steps.len(), |(_, end)| *end);
        let mut steps = &self.steps[start..end];
        std::iter::successors(Some(first), move |last| {
            let is_done = steps.is_empty();
            let [copied, skipped, written, length] = [(); 4].map(|()| number(&mut steps));
            let (at, from) = (last.end() + copied, last.source_end() + copied + skipped);
            (!is_done).then_some(Part { at, from, written, length })
        })
    }

    /// The bytes of memory that they take.
    pub(super) fn size(&self) -> usize {
        self.steps.len() + size_of::<(Part, usize)>() * self.full.len()
    }
}

/// Adds a number, seven bits to the byte, the lowest first; all bytes but the last have their
/// highest bit set.
fn push_number(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

/// Takes the first number off bytes that hold some.
fn number(bytes: &mut &[u8]) -> usize {
    let (mut number, mut shift) = (0, 0);
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= usize::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            break;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The numbers are: copied, skipped, written and the length of what that is for.
        #[test]
        fn parts_are_found_as_in_a_list(
            steps in proptest::collection::vec([0..300_usize, 0..300, 0..300, 0..300], 0..70),
        ) {
            let (mut parts, mut list) = (Parts::default(), Vec::<Part>::new());
            for [copied, skipped, written, length] in steps {
                let last = list.last().copied().unwrap_or_default();
                let (at, from) = (last.end() + copied, last.source_end() + copied + skipped);
                list.push(Part { at, from, written, length });
                parts.push(list[list.len() - 1]);
            }
            prop_assert_eq!(parts.last(), list.last().copied());
            prop_assert!(parts.iter().eq(list.iter().copied()));
            for byte in 0..=list.last().map_or(0, |last| last.at + 1) {
                let behind = list.partition_point(|part| part.at <= byte);
                let want = [behind.checked_sub(1).map(|it| list[it]), list.get(behind).copied()];
                prop_assert_eq!(parts.around(|part| part.at <= byte), want);
            }
        }

        #[test]
        fn numbers_are_read_as_they_were_written(numbers: Vec<usize>) {
            let mut bytes = Vec::new();
            for number in &numbers {
                push_number(&mut bytes, *number);
            }
            let mut rest = &*bytes;
            let read: Vec<usize> = numbers.iter().map(|_| number(&mut rest)).collect();
            prop_assert_eq!(read, numbers);
            prop_assert!(rest.is_empty());
        }
    }
}
