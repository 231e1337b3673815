//! Where the words of a text stand that was read by its chunks.

use std::ops::Range;

use crate::interner::chunks::chunks;
use crate::tokens;

/// Places of words in a text, a few of each hundred, so that all are found again fast.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct WordOffsets(pub(super) Vec<Mark>);

/// Where a word stands.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Spot {
    /// In the text, in bytes.
    pub span: Range<usize>,
    /// All words that stand there: several where they share a character.
    pub words: Range<usize>,
}

/// A byte at which a chunk begins, and the words before it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Mark {
    pub(super) words: usize,
    pub(super) byte: usize,
}

impl WordOffsets {
    /// Adds a mark behind all others.
    pub(super) fn add(&mut self, words: usize, byte: usize) {
        self.0.push(Mark { words, byte });
    }

    /// Adds those of another text from so many words and such a byte on, as they stand behind so
    /// many words and such a byte of this one.
    pub(super) fn add_again(&mut self, others: &Self, from: (usize, usize), to: (usize, usize)) {
        let first = others.0.partition_point(|mark| mark.byte < from.1);
        self.extend(&others.0[first..], from, to);
    }

    /// Adds those of what comes behind so many words, and begins at such a byte.
    pub(crate) fn append(&mut self, next: Self, to: (usize, usize)) {
        if self.0.is_empty() && to == (0, 0) {
            self.0 = next.0;
        } else {
            self.extend(&next.0, (0, 0), to);
        }
    }

    fn extend(&mut self, marks: &[Mark], from: (usize, usize), to: (usize, usize)) {
        let moved = |mark: &Mark| Mark {
            words: mark.words - from.0 + to.0,
            byte: mark.byte - from.1 + to.1,
        };
        self.0.extend(marks.iter().map(moved));
    }

    /// Where words stand in the text that was read; the words are counted from 0 and increase. A
    /// word behind the last is nowhere, and so are all after it.
    pub fn spots(&self, text: &str, words: impl IntoIterator<Item = usize>) -> Vec<Spot> {
        let mut spots = Vec::new();
        let mut words = words.into_iter().peekable();
        while let Some(word) = words.peek() {
            let before = self.0.partition_point(|mark| mark.words <= *word);
            let Some(mark) = before.checked_sub(1).map(|at| self.0[at]) else { break };
            let end = self.0.get(before).map_or(text.len(), |next| next.byte);
            let (mut count, known) = (mark.words, spots.len());
            for chunk in chunks(&text[mark.byte..end]) {
                let chunk = mark.byte + chunk.start..mark.byte + chunk.end;
                for (span, more) in tokens::places(&text[chunk.clone()]) {
                    let there = count..count + more;
                    count = there.end;
                    while words.next_if(|word| *word < count).is_some() {
                        let span = chunk.start + span.start..chunk.start + span.end;
                        spots.push(Spot { span, words: there.clone() });
                    }
                }
            }
            if spots.len() == known {
                break;
            }
        }
        spots
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::interner::Interner;
    use crate::stems::Stems;
    use crate::tokens::Tokens;

    fn spots(text: &str, words: &[usize]) -> Vec<Spot> {
        let own =
            |words: Tokens, _: &str| words.0.iter().map(|token| &*token.word).collect::<Stems>();
        let (_, marks) =
            Interner::new(0, own).read_with_marks(text, std::iter::once(0..text.len()));
        marks.spots(text, words.iter().copied())
    }

    fn spans(text: &str, words: &[usize]) -> Vec<Range<usize>> {
        spots(text, words).into_iter().map(|spot| spot.span).collect()
    }

    #[test]
    fn a_word_behind_the_last_is_nowhere() {
        let nowhere: [Range<usize>; 0] = [];
        assert_eq!(spans("", &[0]), nowhere);
        assert_eq!(spans("a kettle lid", &[1, 2, 3]), [2..8, 9..12]);
        assert_eq!(spans("a \u{fdfa} kettle", &[1, 4, 5]), [2..5, 2..5, 6..12], "four in one");
    }

    #[test]
    fn words_that_share_a_character_share_a_spot() {
        let words: Vec<Range<usize>> = spots("a \u{fdfa} b\u{37a}c", &[0, 2, 4, 5, 6])
            .into_iter()
            .map(|it| it.words)
            .collect();
        assert_eq!(words, [0..1, 1..5, 1..5, 5..6, 6..7]);
    }

    proptest! {
        /// Few of many words, and all of them, against those of the whole text.
        #[test]
        fn marked_words_stand_where_they_are_split(
            text in "((kettle|exam-\n|l'home|水火|ﷺ|b\u{37a}c|ﷺﱞ|a\u{b8}|3.14|a|\u{ad}|'|é)[ \n,.]{0,2}){0,200}", step in 1_usize..50,
        ) {
            let split = tokens::split(&text).0;
            let words: Vec<usize> = (0..split.len()).step_by(step).collect();
            let want: Vec<Range<usize>> = words.iter().map(|word| split[*word].span.clone()).collect();
            prop_assert_eq!(spans(&text, &words), want);
        }
    }
}
