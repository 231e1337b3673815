//! Letters of one script in words of another that look the same.

use unicode_script::{Script, UnicodeScript};

use super::Trick;
use super::letters::look_alike;
use super::stretch::{Span, Stretch};
use super::tally::{Tally, spelled};

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
struct Word(Vec<(char, Script)>);

impl Word {
    fn of(written: impl Iterator<Item = char>) -> Self {
        let with_script = |letter: char| match letter {
            'a'..='z' | 'A'..='Z' => Some((letter, Script::Latin)),
            letter if letter.is_ascii() || !letter.is_alphabetic() => None,
            letter => Some((letter, letter.script())),
        };
        Self(written.filter_map(with_script).collect())
    }

    fn count(&self, script: Script) -> usize {
        self.0.iter().filter(|(_, other)| *other == script).count()
    }

    /// The scripts that the word may be of, where it has letters of two: those whose own
    /// letters, and letters that look like them, are all that it has. None where it is a
    /// mixture that a reader sees as one.
    fn pairs(&self) -> Vec<Pair> {
        let is_script = |script: &Script| !matches!(script, Script::Common | Script::Inherited);
        let mut scripts = self.0.iter().map(|(_, script)| *script).filter(is_script);
        let Some(first) = scripts.next() else { return Vec::new() };
        let Some(other) = scripts.find(|script| *script != first) else { return Vec::new() };
        let may_be = |pair: &Pair| {
            let is_greek = [pair.own, pair.foreign].contains(&Script::Greek);
            let is_long = self.0.len() >= LEAST_LETTERS_WITH_GREEK
                && self.count(pair.own) >= self.count(pair.foreign);
            self.0.len() >= LEAST_LETTERS && (is_long || !is_greek) && pair.reads_as_own(self)
        };
        let pairs = [Pair { own: first, foreign: other }, Pair { own: other, foreign: first }];
        pairs.into_iter().filter(may_be).collect()
    }

    /// The scripts of the word alone: where either reads well, it is of the one with more
    /// letters; of as many, of Latin.
    fn pair(&self) -> Option<Pair> {
        let weight = |pair: &Pair| (self.count(pair.own), pair.own == Script::Latin);
        self.pairs().into_iter().max_by_key(weight)
    }
}

impl Pair {
    /// Whether a word has foreign letters and reads as one of the own script.
    fn reads_as_own(self, word: &Word) -> bool {
        let is_own = |script: Script| script == self.own;
        let fits = |(letter, script): &(char, Script)| {
            is_own(*script) || look_alike(*letter, self.own).is_some()
        };
        word.0.iter().any(|(_, script)| *script == self.foreign) && word.0.iter().all(fits)
    }

    /// Whether a word of a text that hides such letters may hide some, too.
    pub(super) fn may_hide(self, word: &str) -> bool {
        !word.is_ascii() && self.reads_as_own(&Word::of(word.chars()))
    }
}

/// The scripts of a text that has letters of another one in its words: those of most words
/// that can be read but one way. None where there are no such words, or as many words in the
/// other script alone that look like nothing else.
pub(super) fn pair(text: &str, spans: &[Span]) -> Option<Pair> {
    let word = |span: &Span| Word::of(text[span.range.clone()].chars());
    let mut words: Vec<(Pair, usize)> = Vec::new();
    let mut first = None;
    for pairs in spans.iter().map(|span| word(span).pairs()) {
        first = first.or(pairs.first().copied());
        if let [pair] = pairs[..] {
            match words.iter_mut().find(|(known, _)| *known == pair) {
                Some((_, count)) => *count += 1,
                None => words.push((pair, 1)),
            }
        }
    }
    let most = words.into_iter().rev().max_by_key(|(_, count)| *count);
    let (pair, mixed) = most.or(first.map(|pair| (pair, 1)))?;
    let is_foreign = |written: &&str| {
        let word = Word::of(written.chars());
        let foreign = word.count(pair.foreign);
        foreign > 0 && foreign == word.0.len() && !pair.reads_as_own(&word)
    };
    let written = text.split(|letter: char| !letter.is_alphabetic());
    let written = written.filter(|word| pair.foreign == Script::Latin || !word.is_ascii());
    (written.filter(is_foreign).take(mixed).count() < mixed).then_some(pair)
}

/// Replaces letters by those of the script that the word is of: in all words that read so
/// where the text's `pair` of scripts is known, and in others of two scripts.
pub(super) fn replace(stretch: &mut Stretch, pair: Option<Pair>, tally: &mut Tally) {
    if stretch.written().is_ascii() {
        return;
    }
    let word = Word::of(stretch.letters.iter().copied());
    let known = pair.filter(|pair| pair.reads_as_own(&word));
    let Some(pair) = known.or_else(|| word.pair()) else { return };
    let letters = stretch.letters.clone();
    let is_own = |letter: char| letter.is_ascii() && pair.own == Script::Latin;
    let own = |letter: char| {
        Some(letter).filter(|it| !is_own(*it)).and_then(|it| look_alike(it, pair.own))
    };
    let is_foreign = |letter: char| own(letter).is_some();
    tally.count(Trick::Homoglyphs, stretch.span().start, || spelled(&letters, is_foreign));
    stretch.letters = letters.iter().map(|&letter| own(letter).unwrap_or(letter)).collect();
}
