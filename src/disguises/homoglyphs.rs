//! Letters of one script in words of another that look the same.
//!
//! Which letters look the same is in the tables of confusable characters of Unicode
//! Technical Standard #39, by [`unicode_security`].

use std::sync::LazyLock;

use unicode_script::{Script, UnicodeScript};
use unicode_security::skeleton;

use super::Trick;
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

impl Pair {
    /// Whether a word has foreign letters and reads as one of the own script.
    pub(super) fn reads_as_own(self, word: &str) -> bool {
        let mut foreign = 0;
        let reads = word.chars().filter(|letter| letter.is_alphabetic()).all(|letter| {
            let is_own = letter.script() == self.own;
            foreign += usize::from(!is_own);
            is_own || letter.script() == self.foreign && own_letter(letter, self.own).is_some()
        });
        reads && foreign > 0
    }
}

/// The scripts whose letters are taken for others, each with letters that look like no
/// other of its own.
static LOOKS: LazyLock<Vec<(Script, String, char)>> = LazyLock::new(|| {
    let latin = ('A'..='Z').chain('a'..='z');
    let greek = ('Α'..='Ω').chain('α'..='ω').filter(|letter| letter.is_alphabetic());
    let cyrillic = 'Ѐ'..='џ';
    latin.chain(greek).chain(cyrillic).map(|it| (it.script(), look(it), it)).collect()
});

/// What a letter looks like, as a text that can be compared.
fn look(letter: char) -> String {
    skeleton(letter.encode_utf8(&mut [0; 4])).collect()
}

/// The letter of a script that looks the same, of the same case.
fn own_letter(foreign: char, script: Script) -> Option<char> {
    let look = look(foreign);
    let same = |(other, its_look, letter): &&(Script, String, char)| {
        *other == script && *its_look == look && letter.is_uppercase() == foreign.is_uppercase()
    };
    LOOKS.iter().find(same).map(|(.., letter)| *letter)
}

/// The script that a word of two scripts is of: the one whose own letters, and letters that
/// look like them, are all that it has. None where the word is of one script, or a mixture
/// that a reader sees as one.
fn pair_of(word: &[char]) -> Option<Pair> {
    let letters = || word.iter().filter(|letter| letter.is_alphabetic());
    let is_script = |script: &Script| !matches!(script, Script::Common | Script::Inherited);
    let first = letters().map(UnicodeScript::script).find(is_script)?;
    let other = letters().map(UnicodeScript::script).find(|it| is_script(it) && *it != first)?;
    let count = |script: Script| letters().filter(|it| it.script() == script).count();
    let may_be = |pair: &Pair| {
        let fits = |it: &char| it.script() == pair.own || own_letter(*it, pair.own).is_some();
        let is_greek = [pair.own, pair.foreign].contains(&Script::Greek);
        let is_long =
            letters().count() >= LEAST_LETTERS_WITH_GREEK && count(pair.own) >= count(pair.foreign);
        matches!(pair.own, Script::Latin | Script::Greek | Script::Cyrillic)
            && letters().count() >= LEAST_LETTERS
            && letters().all(fits)
            && (is_long || !is_greek)
    };
    let pairs = [Pair { own: first, foreign: other }, Pair { own: other, foreign: first }];
    // Where either reads well, it is the one with more letters; of as many, Latin.
    pairs.into_iter().filter(may_be).max_by_key(|pair| (count(pair.own), pair.own == Script::Latin))
}

/// The scripts of the first word of the stretches that has letters of another, unless the
/// text has words in that other one as well which look like nothing else.
pub(super) fn pair(text: &str, spans: &[Span]) -> Option<Pair> {
    let word = |span: &Span| pair_of(&text[span.range.clone()].chars().collect::<Vec<_>>());
    let pair = spans.iter().find_map(word)?;
    let is_foreign = |word: &str| {
        let is_of_it = |letter: char| letter.script() == pair.foreign;
        word.chars().any(is_of_it) && word.chars().all(is_of_it) && !pair.reads_as_own(word)
    };
    let mut words = text.split(|letter: char| !letter.is_alphabetic());
    (!words.any(is_foreign)).then_some(pair)
}

/// Replaces letters by those of the script that the word is of: in words of two scripts,
/// and in all that read so where the text's `pair` of scripts is known.
pub(super) fn replace(stretch: &mut Stretch, pair: Option<Pair>, tally: &mut Tally) {
    let letters = stretch.letters.clone();
    let known = pair.filter(|pair| pair.reads_as_own(&letters.iter().collect::<String>()));
    let Some(pair) = pair_of(&letters).or(known) else { return };
    let is_foreign = |letter: char| letter.is_alphabetic() && letter.script() != pair.own;
    tally.count(Trick::Homoglyphs, stretch.span().start, || spelled(&letters, is_foreign));
    let own = |&letter: &char| own_letter(letter, pair.own).filter(|_| is_foreign(letter));
    stretch.letters = letters.iter().map(|letter| own(letter).unwrap_or(*letter)).collect();
}
