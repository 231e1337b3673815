//! A fuzz input read as choices, for generators of structured input.

/// The choices that are left. Where there are none left, each is zero.
pub(crate) struct Choices<'b>(&'b [u8]);

impl<'b> Choices<'b> {
    /// One choice per byte.
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self(bytes)
    }

    /// Whether no choice is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next byte.
    pub(crate) fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// A number below a limit of at most 256; zero for a limit of zero.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::from(self.byte()) % limit.max(1)
    }

    /// One of some values.
    pub(crate) fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// A count up to a limit: a byte below 128 is the count itself, and those above stand for
    /// 8 to 491,520, in steps of an eighth of a power of two, so that a single changed byte may
    /// make a document a thousand times larger.
    pub(crate) fn count(&mut self, most: usize) -> usize {
        let byte = usize::from(self.byte());
        let count = if byte < 128 { byte } else { (8 + (byte & 7)) << (byte >> 3 & 15) };
        count.min(most)
    }

    /// Up to sixteen of the next bytes, as text.
    pub(crate) fn text(&mut self) -> String {
        let length = self.below(17).min(self.0.len());
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        String::from_utf8_lossy(text).replace('\0', " ")
    }
}
