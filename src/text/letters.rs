//! Caches the Unicode properties of letters.
//!
//! Looking up a property searches a table, and a text may need it for each of its letters. The
//! result for a letter is therefore cached, together with those of its neighbours, and found by its
//! code point from then on.

use std::sync::OnceLock;

use unicode_script::{Script, UnicodeScript};

/// The number of neighbouring code points that are looked up at once.
const BLOCK: u32 = 64;

/// The number of code points that are cached: those of the first two planes, which have all letters
/// but rare ideographs. Those are looked up each time.
const LETTERS: u32 = 1 << 17;

/// The number of blocks that the cache can hold.
const KEPT: usize = (LETTERS / BLOCK) as usize;

/// A function of a character, with a cache of its values.
#[derive(Debug)]
pub struct LetterTable<T> {
    of: fn(char) -> T,
    known: [OnceLock<Box<[T]>>; KEPT],
}

impl<T> LetterTable<T> {
    /// Creates the cache of a function, which must be pure.
    #[expect(clippy::large_stack_arrays, reason = "of a static, which is on no stack")]
    pub const fn new(of: fn(char) -> T) -> Self {
        Self { of, known: [const { OnceLock::new() }; KEPT] }
    }

    /// Calls `read` with the value of the function for a letter.
    pub fn with<R>(&self, letter: char, read: impl FnOnce(&T) -> R) -> R {
        let (place, at) = place(letter);
        match self.known.get(place) {
            Some(known) => read(&known.get_or_init(|| self.block_of(letter))[at]),
            None => read(&(self.of)(letter)),
        }
    }

    /// Returns the value of the function for a letter.
    pub fn get(&self, letter: char) -> T
    where
        T: Copy,
    {
        self.with(letter, |said| *said)
    }

    /// Computes the values for all letters of the block of a letter. The entry of a surrogate,
    /// which is not a character, is the value for NUL and is never read.
    #[cold]
    fn block_of(&self, letter: char) -> Box<[T]> {
        let first = u32::from(letter) / BLOCK * BLOCK;
        let letters = (first..first + BLOCK).map(char::from_u32);
        letters.map(|letter| (self.of)(letter.unwrap_or_default())).collect()
    }
}

/// Returns the index of the block of a letter, and its index in that block.
fn place(letter: char) -> (usize, usize) {
    let number = u32::from(letter);
    ((number / BLOCK) as usize, (number % BLOCK) as usize)
}

#[derive(Clone, Copy)]
struct LetterProperties {
    is_alphabetic: bool,
    is_alphanumeric: bool,
    script: Script,
}

static PROPERTIES: LetterTable<LetterProperties> = LetterTable::new(|letter| LetterProperties {
    is_alphabetic: letter.is_alphabetic(),
    is_alphanumeric: letter.is_alphanumeric(),
    script: letter.script(),
});

/// Same as [`char::is_alphabetic`].
pub fn is_alphabetic(letter: char) -> bool {
    PROPERTIES.with(letter, |it| it.is_alphabetic)
}

/// Same as [`char::is_alphanumeric`].
pub fn is_alphanumeric(letter: char) -> bool {
    PROPERTIES.with(letter, |it| it.is_alphanumeric)
}

/// Same as [`UnicodeScript::script`].
pub fn script(letter: char) -> Script {
    PROPERTIES.with(letter, |it| it.script)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_letter_is_what_it_is_to_unicode() {
        for letter in '\0'..=char::MAX {
            assert_eq!(is_alphabetic(letter), letter.is_alphabetic(), "{letter:?}");
            assert_eq!(is_alphanumeric(letter), letter.is_alphanumeric(), "{letter:?}");
            assert_eq!(script(letter), letter.script(), "{letter:?}");
        }
    }

    #[test]
    fn a_function_is_asked_once_of_neighbouring_letters() {
        use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
        static ASKED: AtomicUsize = AtomicUsize::new(0);
        let each = LetterTable::new(|letter| (ASKED.fetch_add(1, Relaxed), letter).1);
        assert_eq!(['a', 'z', 'A'].map(|letter| each.get(letter)), ['a', 'z', 'A']);
        assert_eq!(ASKED.load(Relaxed), 64);
        assert_eq!(['𠮷', '𠮷'].map(|letter| each.get(letter)), ['𠮷', '𠮷']);
        assert_eq!(ASKED.load(Relaxed), 64 + 2);
    }
}
