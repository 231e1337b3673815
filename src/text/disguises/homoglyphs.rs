//! Letters of one script in words of another that look the same.

use unicode_script::Script;

use super::Trick;
use super::letters::look_alike;
use super::stretch::{Span, Stretch};
use super::tally::{Tally, spelled};
use crate::text::letters::{is_alphabetic, script};

/// Shorter words of two scripts are abbreviations, mistyped if anything: МB for MB.
const LEAST_LETTERS: usize = 3;

/// A Greek letter in a Latin word is more often meant, as in formulas, than not: such words
/// have so many letters.
const LEAST_LETTERS_WITH_GREEK: usize = 4;

/// The script of a text, and the one whose letters stand in it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Pair {
    own: Script,
    foreign: Script,
}

/// The letters of a word, each with its script.
#[derive(Clone, Copy)]
struct Word<I>(I);

impl<I: Iterator<Item = char> + Clone> Word<I> {
    fn letters(&self) -> impl Iterator<Item = (char, Script)> {
        self.0.clone().filter_map(|letter| match letter {
            'a'..='z' | 'A'..='Z' => Some((letter, Script::Latin)),
            letter if letter.is_ascii() || !is_alphabetic(letter) => None,
            letter => Some((letter, script(letter))),
        })
    }

    fn count(&self, script: Script) -> usize {
        self.letters().filter(|(_, other)| *other == script).count()
    }

    /// The scripts that the word may be of, where it has letters of two: those whose own
    /// letters, and letters that look like them, are all that it has. None where it is a
    /// mixture that a reader sees as one.
    fn pairs(&self) -> impl Iterator<Item = Pair> {
        let may_be = |pair: &Pair| {
            let has = |letters: usize| self.letters().nth(letters - 1).is_some();
            let is_long = || {
                has(LEAST_LETTERS_WITH_GREEK) && self.count(pair.own) >= self.count(pair.foreign)
            };
            let is_greek = [pair.own, pair.foreign].contains(&Script::Greek);
            has(LEAST_LETTERS) && (!is_greek || is_long()) && pair.reads_as_own(self)
        };
        self.mixtures().into_iter().flatten().filter(may_be)
    }

    /// The first two scripts that the word has letters of, in either order.
    fn mixtures(&self) -> Option<[Pair; 2]> {
        let is_script = |script: &Script| !matches!(script, Script::Common | Script::Inherited);
        let mut scripts = self.letters().map(|(_, script)| script).filter(is_script);
        let first = scripts.next()?;
        let other = scripts.find(|script| *script != first)?;
        Some([Pair { own: first, foreign: other }, Pair { own: other, foreign: first }])
    }

    /// The scripts of the word alone: where either reads well, it is of the one with more
    /// letters; of as many, of Latin.
    fn pair(&self) -> Option<Pair> {
        let weight = |pair: &Pair| (self.count(pair.own), pair.own == Script::Latin);
        self.pairs().max_by_key(weight)
    }
}

impl Pair {
    /// Whether a word has foreign letters and reads as one of the own script.
    fn reads_as_own(self, word: &Word<impl Iterator<Item = char> + Clone>) -> bool {
        let mut has_foreign = false;
        word.letters().all(|(letter, script)| {
            has_foreign |= script == self.foreign;
            script == self.own || look_alike(letter, self.own).is_some()
        }) && has_foreign
    }

    /// Whether a word of a text that hides such letters may hide some, too.
    pub(super) fn may_hide(self, word: &str) -> bool {
        !word.is_ascii() && self.reads_as_own(&Word(word.chars()))
    }

    /// Whether a word has foreign letters alone, and such as look like nothing else.
    fn is_foreign(self, word: &str) -> bool {
        let word = Word(word.chars());
        let mut scripts = word.letters().map(|(_, script)| script).peekable();
        scripts.peek().is_some()
            && scripts.all(|script| script == self.foreign)
            && !self.reads_as_own(&word)
    }
}

/// The scripts of a text that has letters of another one in its words: those of most words
/// that can be read but one way. None where there are no such words, or as many words in the
/// other script alone that look like nothing else.
pub(super) fn pair(text: &str, spans: &[Span]) -> Option<Pair> {
    let mut words: Vec<(Pair, usize)> = Vec::new();
    let mut first = None;
    for span in spans {
        let word = Word(text[span.range()].chars());
        let mut pairs = word.pairs();
        let (Some(pair), other) = (pairs.next(), pairs.next()) else { continue };
        first = first.or(Some(pair));
        if other.is_none() {
            match words.iter_mut().find(|(known, _)| *known == pair) {
                Some((_, count)) => *count += 1,
                None => words.push((pair, 1)),
            }
        }
    }
    let most = words.into_iter().rev().max_by_key(|(_, count)| *count);
    let (pair, mixed) = most.or(first.map(|pair| (pair, 1)))?;
    let written = text.split(|letter: char| !is_alphabetic(letter));
    let written = written.filter(|word| pair.foreign == Script::Latin || !word.is_ascii());
    let foreign = written.filter(|word| pair.is_foreign(word));
    (foreign.take(mixed).count() < mixed).then_some(pair)
}

/// Replaces letters by those of the script that the word is of: in all words that read so
/// where the text's `pair` of scripts is known, and in others of two scripts.
pub(super) fn replace(stretch: &mut Stretch, pair: Option<Pair>, tally: &mut Tally) {
    if stretch.written().is_ascii() {
        return;
    }
    let word = Word(stretch.letters.iter().copied());
    let known = pair.filter(|pair| pair.reads_as_own(&word));
    let Some(pair) = known.or_else(|| word.pair()) else { return };
    let is_own = |letter: char| letter.is_ascii() && pair.own == Script::Latin;
    let own = |letter: char| {
        Some(letter).filter(|it| !is_own(*it)).and_then(|it| look_alike(it, pair.own))
    };
    let is_foreign = |letter: char| own(letter).is_some();
    tally.count(Trick::Homoglyphs, stretch.span().start, || spelled(&stretch.letters, is_foreign));
    for letter in &mut stretch.letters {
        *letter = own(*letter).unwrap_or(*letter);
    }
}
