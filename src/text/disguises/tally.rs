//! What was found of each trick so far.

use super::{Disguise, Trick};

/// The most characters of a word that is shown as an example.
const LONGEST_EXAMPLE: usize = 40;

/// What was found of each trick so far.
#[derive(Debug, Default)]
pub(super) struct Tally(Vec<Disguise>);

impl Tally {
    /// Counts a word `offset` bytes into the text; the first one is the example.
    pub(super) fn count(&mut self, trick: Trick, offset: usize, example: impl FnOnce() -> String) {
        self.count_all(trick, 1, offset, example);
    }

    /// Counts so many words, of which the first is `offset` bytes into the text.
    pub(super) fn count_all(
        &mut self,
        trick: Trick,
        words: usize,
        offset: usize,
        example: impl FnOnce() -> String,
    ) {
        if let Some(found) = self.0.iter_mut().find(|found| found.trick == trick) {
            found.words += words;
        } else {
            let example = example();
            self.0.push(Disguise { trick, words, offset: Some(offset), example });
        }
    }

    /// All that was found, in the order of [`Trick`].
    pub(super) fn found(mut self) -> Vec<Disguise> {
        self.0.sort_by_key(|found| found.trick);
        self.0
    }
}

/// A word with those letters that a reader does not see, or not as they are, spelled out;
/// cut where it is too long to be shown.
pub(super) fn spelled(letters: &[char], is_odd: impl Fn(char) -> bool) -> String {
    let (mut example, mut length) = (String::new(), 0);
    for &letter in letters {
        let shown = match letter {
            odd if is_odd(odd) => format!("<U+{:04X}>", u32::from(odd)),
            letter => letter.to_string(),
        };
        length += shown.chars().count();
        if length > LONGEST_EXAMPLE {
            return example + "…";
        }
        example += &shown;
    }
    example
}
