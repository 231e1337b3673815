//! Reads a fuzz input as a sequence of choices, for generators of structured input.

/// The remaining choices. After the last one, every choice is zero.
pub(crate) struct Choices<'b>(&'b [u8]);

impl<'b> Choices<'b> {
    /// Reads one choice per byte.
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self(bytes)
    }

    /// Reports whether no choice is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the next byte, or zero if none is left.
    pub(crate) fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// Returns a number below `limit`, which must be at most 256, or zero if `limit` is zero.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::from(self.byte()) % limit.max(1)
    }

    /// Returns one of the values.
    pub(crate) fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}
