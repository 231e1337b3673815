//! What Unicode says of letters, looked up once.
//!
//! Its tables are searched, and a text may ask them of every letter that it has. What a function
//! says of one is kept here for its neighbours too, and found by the letter's number from
//! then on.

use std::sync::OnceLock;

use unicode_script::{Script, UnicodeScript};

/// How many neighbouring letters are asked for at once.
const BLOCK: u32 = 64;

/// The letters of the first two planes: all but rare ideographs. Those are asked for each time.
const LETTERS: u32 = 1 << 17;

/// How many blocks of neighbouring letters are kept.
const KEPT: usize = (LETTERS / BLOCK) as usize;

/// What a function says of each letter.
#[derive(Debug)]
pub struct Each<T> {
    of: fn(char) -> T,
    known: [OnceLock<Box<[T]>>; KEPT],
}

impl<T> Each<T> {
    /// What a function says, that says the same of a letter each time.
    #[expect(clippy::large_stack_arrays, reason = "of a static, which is on no stack")]
    pub const fn new(of: fn(char) -> T) -> Self {
        Self { of, known: [const { OnceLock::new() }; KEPT] }
    }

    /// Hands what it says of a letter to `read`.
    pub fn with<R>(&self, letter: char, read: impl FnOnce(&T) -> R) -> R {
        let (place, at) = place(letter);
        match self.known.get(place) {
            Some(known) => read(&known.get_or_init(|| self.block_of(letter))[at]),
            None => read(&(self.of)(letter)),
        }
    }

    /// What it says of a letter.
    pub fn get(&self, letter: char) -> T
    where
        T: Copy,
    {
        self.with(letter, |said| *said)
    }

    /// What it says of all letters of a block, by one of them; in the place of a surrogate stands
    /// what it says of no letter.
    #[cold]
    fn block_of(&self, letter: char) -> Box<[T]> {
        let first = u32::from(letter) / BLOCK * BLOCK;
        let letters = (first..first + BLOCK).map(char::from_u32);
        letters.map(|letter| (self.of)(letter.unwrap_or_default())).collect()
    }
}

/// Where what is given of a letter is kept, and which of the letters there it is.
fn place(letter: char) -> (usize, usize) {
    let number = u32::from(letter);
    ((number / BLOCK) as usize, (number % BLOCK) as usize)
}

/// What kind of character it is.
#[derive(Clone, Copy)]
struct Kind {
    is_alphabetic: bool,
    is_alphanumeric: bool,
    script: Script,
}

static KINDS: Each<Kind> = Each::new(|letter| Kind {
    is_alphabetic: letter.is_alphabetic(),
    is_alphanumeric: letter.is_alphanumeric(),
    script: letter.script(),
});

/// As [`char::is_alphabetic`].
pub fn is_alphabetic(letter: char) -> bool {
    KINDS.with(letter, |kind| kind.is_alphabetic)
}

/// As [`char::is_alphanumeric`].
pub fn is_alphanumeric(letter: char) -> bool {
    KINDS.with(letter, |kind| kind.is_alphanumeric)
}

/// As [`UnicodeScript::script`].
pub fn script(letter: char) -> Script {
    KINDS.with(letter, |kind| kind.script)
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
        let each = Each::new(|letter| (ASKED.fetch_add(1, Relaxed), letter).1);
        assert_eq!(['a', 'z', 'A'].map(|letter| each.get(letter)), ['a', 'z', 'A']);
        assert_eq!(ASKED.load(Relaxed), 64);
        assert_eq!(['𠮷', '𠮷'].map(|letter| each.get(letter)), ['𠮷', '𠮷']);
        assert_eq!(ASKED.load(Relaxed), 64 + 2);
    }
}
