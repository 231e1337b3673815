//! The words of a text → a digest that only the same words in the same order have.

use sha2::{Digest, Sha256};

use crate::interner::Stages;
use crate::pair::vocabulary::SurfaceForms;
use crate::stems::Stems;
use crate::tokens::Tokens;

/// The SHA-256 of the words of a text in their normal form, each followed by a line feed, which no
/// word has. Two texts with one digest are taken for the same words in the same order.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct WordsDigest([u8; 32]);

impl WordsDigest {
    /// Its bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// The distinct words of texts: as they are written, and in their normal form.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    keeper: SurfaceForms,
    /// The normal forms, each followed by a line feed.
    normal: String,
    /// For each word of the lexicon, where that ends.
    ends: Vec<usize>,
}

/// Bytes that most words have at most, with their line feed.
const SHORT: usize = 16;

/// Bytes of words that are hashed at a time.
const AT_A_TIME: usize = 1 << 14;

impl Dictionary {
    /// The words as they are written.
    pub(super) fn keeper(&self) -> &SurfaceForms {
        &self.keeper
    }

    /// The digest of a text, whose words are places in this dictionary.
    pub(super) fn digest(&self, text: &[u32]) -> WordsDigest {
        let mut sha256 = Sha256::new();
        let mut waiting = Vec::with_capacity(AT_A_TIME.min(8 * text.len()) + 2 * SHORT);
        let normal = self.normal.as_bytes();
        for word in text {
            let word = *word as usize;
            let start = word.checked_sub(1).map_or(0, |before| self.ends[before]);
            let length = self.ends[word] - start;
            // To copy as many bytes for each word takes half as long as to copy as many as it has.
            if let Some(short) = normal[start..].first_chunk::<SHORT>()
                && length <= SHORT
            {
                waiting.extend_from_slice(short);
                waiting.truncate(waiting.len() - (SHORT - length));
            } else {
                waiting.extend_from_slice(&normal[start..start + length]);
            }
            if waiting.len() >= AT_A_TIME {
                sha256.update(&waiting);
                waiting.clear();
            }
        }
        sha256.update(&waiting);
        WordsDigest(sha256.finalize().into())
    }
}

impl Stages for Dictionary {
    fn stems(&mut self, words: Tokens, written: &str) -> Stems {
        for token in &words.0 {
            self.normal.push_str(&token.word);
            self.normal.push('\n');
            self.ends.push(self.normal.len());
        }
        self.keeper.stems(words, written)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::interner::Interner;
    use crate::tokens;

    proptest! {
        /// Against the words of the whole text, of texts that are read with one dictionary.
        #[test]
        fn a_digest_is_that_of_the_words(
            texts in proptest::collection::vec("((kettles|L'homme|the|ﷺ|水火|[a-c]{1,2}|x{70}|¸)[ .,\n]{1,3}){0,40}", 1..4),
            many in 0_usize..2,
        ) {
            let mut lexicon = Interner::new(0, Dictionary::default());
            for text in texts {
                let text = text.repeat(1 + many * 200);
                let reading = lexicon.read(&text);
                let tokens = tokens::split(&text);
                let words: Vec<&str> =
                    tokens.0.iter().flat_map(|token| [&*token.word, "\n"]).collect();
                let want = WordsDigest(Sha256::digest(words.concat().as_bytes()).into());
                prop_assert_eq!(lexicon.stages().digest(&reading.stems), want);
            }
        }
    }

    #[test]
    fn where_words_end_counts() {
        let digest = |text: &str| {
            let mut lexicon = Interner::new(0, Dictionary::default());
            let reading = lexicon.read(text);
            lexicon.stages().digest(&reading.stems)
        };
        assert_eq!(digest("A kettle!"), digest("a KETTLE"));
        let different = ["ab c", "a bc", "abc", "c ab", ""].map(digest);
        assert!((1..5).all(|at| !different[..at].contains(&different[at])));
    }
}
