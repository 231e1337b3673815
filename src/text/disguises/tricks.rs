//! Detects and undoes the [tricks](Trick) other than letter-spacing and hidden text, and finds the
//! places of a text that may hide one.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, u8x64};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::compose;
use unicode_script::Script;
use unicode_segmentation::UnicodeSegmentation;

use super::{
    DisguiseCounts, FIRST_STYLED, Span, SpanEditor, SpanKind, Trick, confusable, escaped,
    is_invisible, is_mark, is_space, parted, typed, unstyled,
};
use crate::text::letters::{LetterTable, is_alphabetic, script};

// Look-alike letters of another script.

/// The smallest number of letters of a word with look-alike letters. Shorter words of two scripts
/// are abbreviations with a typing error at most: МB for MB.
const MIN_LETTERS: usize = 3;

/// The smallest number of letters of a Latin word in which a Greek letter is a disguise. In shorter
/// ones, as in formulas, it is more often intended.
const MIN_LETTERS_WITH_GREEK: usize = 4;

/// The script of a text, and the foreign script of its look-alike letters.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct ScriptPair {
    own: Script,
    foreign: Script,
}

#[derive(Clone, Copy)]
struct Word<I>(I);

/// Reports whether a digit looks like a letter.
fn is_zero(digit: char) -> bool {
    digit.is_numeric() && confusable(digit, Script::Latin).is_some()
}

impl<I: Iterator<Item = char> + Clone> Word<I> {
    fn letters(&self) -> impl Iterator<Item = (char, Script)> {
        self.0.clone().filter_map(|letter| match letter {
            'a'..='z' | 'A'..='Z' => Some((letter, Script::Latin)),
            letter if letter.is_ascii() || !is_alphabetic(letter) && !is_zero(letter) => None,
            letter => Some((letter, script(letter))),
        })
    }

    fn count(&self, script: Script) -> usize {
        self.letters().filter(|(_, other)| *other == script).count()
    }

    /// Returns the scripts that the word may be of if it has letters of two scripts. For each of
    /// them, all letters of the word either belong to it or look like letters of it. Empty if
    /// readers can see that the word is a mixture.
    fn pairs(&self) -> impl Iterator<Item = ScriptPair> {
        let may_be = |pair: &ScriptPair| {
            let has = |letters: usize| self.letters().nth(letters - 1).is_some();
            let is_long =
                || has(MIN_LETTERS_WITH_GREEK) && self.count(pair.own) >= self.count(pair.foreign);
            let is_greek = [pair.own, pair.foreign].contains(&Script::Greek);
            has(MIN_LETTERS)
                && (!is_greek || is_long())
                && pair.reads_as_own(self)
                && !self.ends_in_number()
        };
        self.script_pairs().into_iter().flatten().filter(may_be)
    }

    /// Reports whether digits that look like letters are a number behind the letters.
    fn ends_in_number(&self) -> bool {
        self.0.clone().last().is_some_and(|it| it.is_numeric() && !it.is_ascii())
    }

    /// Returns the first two scripts of the word's letters, in both orders; `None` if it has only
    /// one.
    fn script_pairs(&self) -> Option<[ScriptPair; 2]> {
        let is_script = |script: &Script| !matches!(script, Script::Common | Script::Inherited);
        let mut scripts = self.letters().map(|(_, script)| script).filter(is_script);
        let first = scripts.next()?;
        let other = scripts.find(|script| *script != first)?;
        Some([ScriptPair { own: first, foreign: other }, ScriptPair { own: other, foreign: first }])
    }

    /// Returns the most likely scripts of the word, judged by itself. If it can be read in both
    /// scripts, it is of the one with more letters, or of Latin if both have as many.
    fn pair(&self) -> Option<ScriptPair> {
        let weight = |pair: &ScriptPair| (self.count(pair.own), pair.own == Script::Latin);
        self.pairs().max_by_key(weight)
    }
}

impl ScriptPair {
    /// Reports whether a word has foreign letters and can be read as a word of the text's own
    /// script.
    fn reads_as_own(self, word: &Word<impl Iterator<Item = char> + Clone>) -> bool {
        let mut has_foreign = false;
        word.letters().all(|(letter, script)| {
            has_foreign |= script == self.foreign;
            script == self.own || confusable(letter, self.own).is_some()
        }) && has_foreign
    }

    /// Reports whether a word may hide look-alike letters, in a text that does so elsewhere.
    pub(super) fn may_hide(self, word: &str) -> bool {
        !word.is_ascii() && self.reads_as_own(&Word(word.chars()))
    }

    /// Reports whether all letters of a word are foreign, and some of them do not look like letters
    /// of the text's own script.
    fn is_foreign(self, word: &str) -> bool {
        let word = Word(word.chars());
        let mut scripts = word.letters().map(|(_, script)| script).peekable();
        scripts.peek().is_some()
            && scripts.all(|script| script == self.foreign)
            && !self.reads_as_own(&word)
    }
}

/// Returns the scripts of a text with look-alike letters: the most frequent pair among the words
/// that can be read in one way only, or the pair of the first word if all can be read in two.
/// `None` if there are no words with look-alike letters, or if the text has at least as many words
/// that are clearly in the foreign script.
pub(super) fn pair(text: &str, spans: &[Span]) -> Option<ScriptPair> {
    let mut words: Vec<(ScriptPair, usize)> = Vec::new();
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

/// Replaces look-alike letters by those of the script of the word. If the `pair` of scripts of the
/// text is known, all words that can be read in its own script are changed; other words only if
/// they mix two scripts by themselves. The text's `substitutes` of the same script are replaced
/// anyway.
pub(super) fn replace(
    editor: &mut SpanEditor,
    pair: Option<ScriptPair>,
    substitutes: &BTreeMap<char, char>,
    counts: &mut DisguiseCounts,
) {
    if editor.original().is_ascii() {
        return;
    }
    let word = Word(editor.letters.iter().copied());
    let known = pair.filter(|pair| pair.reads_as_own(&word));
    let script = known.or_else(|| word.pair()).map(|pair| pair.own);
    let is_own = |letter: char| letter.is_ascii() && script == Some(Script::Latin);
    let own = |letter: char| {
        let foreign = || script.filter(|_| !is_own(letter)).and_then(|it| confusable(letter, it));
        substitutes.get(&letter).copied().or_else(foreign)
    };
    let is_foreign = |letter: char| own(letter).is_some();
    if !editor.letters.iter().any(|letter| is_foreign(*letter)) {
        return;
    }
    counts.count(Trick::Homoglyphs, editor.span().start, || escaped(&editor.letters, is_foreign));
    for letter in &mut editor.letters {
        *letter = own(*letter).unwrap_or(*letter);
    }
}

// Combining marks that were put on letters with which no alphabet combines them.

/// The smallest number of different letters that make a mark artificial if no alphabet combines
/// them with it, although alphabets combine it with other letters.
const MIN_MARKED_LETTERS: usize = 3;

/// The smallest number of different letters for a mark that transcriptions put on any letter.
const MIN_TRANSCRIBED_LETTERS: usize = 10;

/// The letters on which notations of stress and tone put accents: vowels, and consonants that form
/// syllables.
const SYLLABIC: &str = "aeiouyæœøɑɐɒɔəɛɜɘɤɨɩɪɯɵʉʊʋʌlmnrŋаеиоуыэюяіөүұәӕѣѡр";

/// Returns the artificial marks of the spans: lines through, under, over or around letters, and
/// marks on several plain letters with which they have no composed form.
///
/// Accents on vowels have no composed form in many alphabets, either, but are ordinary, and so are
/// ties and other marks of transcriptions on a few letters, unless most of those letters have them.
pub(super) fn artificial_marks(text: &str, spans: &[Span]) -> BTreeSet<char> {
    let (mut pairs, mut ordinary) = (BTreeSet::new(), BTreeSet::new());
    for span in spans {
        let mut under = ' ';
        for letter in text[span.range()].chars() {
            if !is_mark(letter) {
                under = letter;
            } else if is_unusual(under, letter) {
                let is_ordinary = is_accent(letter) && is_syllabic(under);
                let pairs = if is_ordinary { &mut ordinary } else { &mut pairs };
                pairs.insert((letter, under.to_lowercase().next()));
            }
        }
    }
    let letters_with = |mark| pairs.iter().filter(|(other, _)| *other == mark).count();
    let least = |mark| {
        if is_transcription(mark) { MIN_TRANSCRIBED_LETTERS } else { MIN_MARKED_LETTERS }
    };
    let is_on_most = |mark: char| {
        let of_mark = pairs.iter().chain(&ordinary).filter(|(other, _)| *other == mark);
        (is_transcription(mark) || is_accent(mark))
            && marks_most(text, mark, &of_mark.filter_map(|(_, letter)| *letter).collect())
    };
    let marks: BTreeSet<char> = pairs.iter().chain(&ordinary).map(|(mark, _)| *mark).collect();
    let is_artificial =
        |&mark: &char| is_line(mark) || letters_with(mark) >= least(mark) || is_on_most(mark);
    marks.into_iter().filter(is_artificial).collect()
}

/// The smallest number of times that a mark is on letters, most of which have it.
const MIN_MARKED: usize = 20;

/// Reports whether a mark is on more than two thirds of the letters that have it anywhere, as no
/// notation of stress, tone or length puts it.
fn marks_most(text: &str, mark: char, letters: &BTreeSet<char>) -> bool {
    let (mut marked, mut all) = (0, 0);
    let mut characters = text.chars().peekable();
    while let Some(letter) = characters.next() {
        if letter.to_lowercase().next().is_some_and(|letter| letters.contains(&letter)) {
            all += 1;
            marked += usize::from(characters.peek() == Some(&mark));
        }
    }
    marked >= MIN_MARKED && 3 * marked > 2 * all
}

/// Reports whether a letter is unmarked, and of an alphabet that puts marks on some letters.
fn is_plain(letter: char) -> bool {
    static PLAIN: LetterTable<bool> = LetterTable::new(|letter| {
        matches!(script(letter), Script::Latin | Script::Greek | Script::Cyrillic)
            && letter.nfd().eq([letter])
    });
    PLAIN.get(letter)
}

/// Reports whether a mark on a letter is odd. On letters of other scripts than those of plain ones,
/// only lines are, and not in the scripts that abbreviate words by a line over them.
fn is_unusual(letter: char, mark: char) -> bool {
    let has_lines = [Script::Coptic, Script::Gothic, Script::Syriac].contains(&script(letter));
    let may_be = is_plain(letter) || is_line(mark) && is_alphabetic(letter) && !has_lines;
    may_be
        && script(mark) == Script::Inherited
        && compose(letter, mark).is_none()
        && !is_stress(letter, mark)
}

/// Reports whether notations of stress and tone put accents on a letter.
fn is_syllabic(letter: char) -> bool {
    letter.to_lowercase().all(|letter| SYLLABIC.contains(letter))
}

/// Reports whether a mark shows stress, tone, length or nasality.
fn is_accent(mark: char) -> bool {
    matches!(mark, '\u{300}'..='\u{304}' | '\u{306}' | '\u{30c}' | '\u{30f}' | '\u{311}')
}

/// Reports whether a mark is the macron, a ring or stroke below of phonetic script, or a tie: one
/// that transcriptions and romanizations put on any letter.
fn is_transcription(mark: char) -> bool {
    matches!(mark, '\u{304}' | '\u{325}' | '\u{329}' | '\u{32f}' | '\u{35c}'..='\u{362}')
}

/// Reports whether a mark is a line through, over or under letters, or an enclosure.
fn is_line(mark: char) -> bool {
    matches!(mark, '\u{305}' | '\u{332}' | '\u{333}' | '\u{334}'..='\u{338}' | '\u{33f}' | '\u{20d0}'..='\u{20f0}')
}

/// Reports whether a mark shows the stress of a Cyrillic word.
fn is_stress(letter: char, mark: char) -> bool {
    matches!(mark, '\u{300}' | '\u{301}' | '\u{30f}' | '\u{311}')
        && script(letter) == Script::Cyrillic
        && compose(letter, mark).is_none()
}

pub(super) fn has_artificial_marks(word: &str, artificial_marks: &BTreeSet<char>) -> bool {
    !artificial_marks.is_empty()
        && !word.is_ascii()
        && word.nfd().any(|letter| artificial_marks.contains(&letter))
}

/// Removes artificial marks, and stress marks.
pub(super) fn remove_marks(
    editor: &mut SpanEditor,
    artificial_marks: &BTreeSet<char>,
    counts: &mut DisguiseCounts,
) {
    if editor.original().is_ascii() {
        return;
    }
    if let Some(bare) = without(&editor.letters, artificial_marks) {
        let example = || escaped(&editor.letters, |letter| artificial_marks.contains(&letter));
        counts.count(Trick::CombiningMarks, editor.span().start, example);
        editor.letters = bare;
    }
    let bare = &editor.letters;
    let is_stressed = |at: usize| at > 0 && is_stress(bare[at - 1], bare[at]);
    if (0..bare.len()).any(is_stressed) {
        let unstressed = (0..bare.len()).filter(|&at| !is_stressed(at)).map(|at| bare[at]);
        editor.letters = unstressed.collect();
    }
}

/// Returns a word without the artificial marks; `None` if it has none of them.
fn without(letters: &[char], artificial_marks: &BTreeSet<char>) -> Option<Vec<char>> {
    if artificial_marks.is_empty() {
        return None;
    }
    let apart = || letters.iter().copied().nfd();
    apart()
        .any(|letter| artificial_marks.contains(&letter))
        .then(|| apart().filter(|letter| !artificial_marks.contains(letter)).nfc().collect())
}

// Reversed text after a control character that makes it display in the right order.

/// Reverses the text after it.
pub(super) const RIGHT_TO_LEFT_OVERRIDE: char = '\u{202e}';
const POP_DIRECTIONAL_FORMATTING: char = '\u{202c}';

/// Returns the range of the reversed text that begins at `place`. It ends with the control
/// character that ends it, or else at the end of the line, but not after `limit`, a byte offset.
pub(super) fn from(text: &str, place: usize, limit: usize) -> Range<usize> {
    let reversed = &text[place..limit];
    let ends_line =
        |letter: char| matches!(letter, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let ends = |letter: char| letter == POP_DIRECTIONAL_FORMATTING || ends_line(letter);
    let end = reversed.match_indices(ends).next().map_or(reversed.len(), |(end, letter)| {
        end + if letter.starts_with(ends_line) { 0 } else { letter.len() }
    });
    place..place + end
}

/// Returns the range of reversed text, which is `written` in full, that a part of what a reader sees of
/// it comes from; all of it if more was changed than its order.
pub(in super::super) fn mirrored(
    part: &Range<usize>,
    shown: &Range<usize>,
    written: &Range<usize>,
) -> Range<usize> {
    let [before, behind] = [RIGHT_TO_LEFT_OVERRIDE, POP_DIRECTIONAL_FORMATTING].map(char::len_utf8);
    let changed = written.len().checked_sub(shown.len() + before);
    if changed.is_none_or(|more| ![0, behind].contains(&more)) {
        return written.clone();
    }
    let end = written.start + before + shown.len();
    end - (part.end - shown.start)..end - (part.start - shown.start)
}

/// Restores the order in which a reader sees the text. A text of which at least half of the letters
/// are Hebrew or Arabic is not reversed, since those scripts run from right to left.
pub(super) fn restore_order(editor: &mut SpanEditor, counts: &mut DisguiseCounts) {
    if editor.span.kind != SpanKind::Reversed {
        return;
    }
    let is_control =
        |letter| [RIGHT_TO_LEFT_OVERRIDE, POP_DIRECTIONAL_FORMATTING].contains(&letter);
    let reversed: String = editor.letters.iter().filter(|letter| !is_control(**letter)).collect();
    let leftward = reversed.chars().filter(|&letter| runs_leftward(script(letter))).count();
    if leftward * 2 < reversed.chars().filter(|&letter| is_alphabetic(letter)).count() {
        counts.count(Trick::ReversedText, editor.span().start, || {
            escaped(&editor.letters, is_control)
        });
        editor.letters = reversed.graphemes(true).rev().flat_map(str::chars).collect();
    } else {
        editor.letters = reversed.chars().collect();
    }
}

// Styled letters, which the normal form of words undoes, too. They are counted here.

/// The smallest number of adjacent styled letters that are a word; fewer may be a formula.
const MIN_STYLED: usize = 3;

const SOFT_HYPHEN: char = '\u{ad}';

/// Replaces styled letters by plain ones, and counts the words that have them. Full-width letters are
/// ordinary in East Asian texts, and are left unchanged there.
pub(super) fn replace_styled(
    editor: &mut SpanEditor,
    is_east_asian: impl Fn() -> bool,
    counts: &mut DisguiseCounts,
) {
    let letters = &editor.letters;
    let is_styled = |letter: &char| unstyled(*letter).is_some();
    if letters.iter().all(|letter| *letter < FIRST_STYLED) {
        return;
    }
    let runs = letters.split(|letter| !is_styled(letter));
    if runs.map(<[char]>::len).max() >= Some(MIN_STYLED)
        && !(letters.iter().any(|&letter| is_full_width(letter)) && is_east_asian())
    {
        counts.count(Trick::StyledLetters, editor.span().start, || escaped(letters, |_| false));
        let plain = |&letter: &char| unstyled(letter).unwrap_or(letter);
        editor.letters = letters.iter().map(plain).collect();
    }
}

/// Reports whether a text has at least as many letters of Chinese, Japanese or Korean scripts as
/// full-width letters.
pub(super) fn is_east_asian(text: &str) -> bool {
    let scripts = [Script::Han, Script::Hiragana, Script::Katakana, Script::Hangul];
    let (mut east_asian, mut full_width) = (0, 0);
    for letter in text.chars().filter(|letter| *letter >= '\u{1100}') {
        full_width += usize::from(is_full_width(letter));
        east_asian += usize::from(scripts.contains(&script(letter)));
    }
    east_asian >= full_width
}

fn is_full_width(letter: char) -> bool {
    matches!(letter, '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}')
}

// Invisible characters: zero-width spaces, joiners, directional controls.

/// Removes invisible characters next to letters, and counts the words that contain them. Soft
/// hyphens are kept: the normal form of a word omits them.
pub(super) fn remove(editor: &mut SpanEditor, counts: &mut DisguiseCounts) {
    let may_go = |letter: &char| *letter != SOFT_HYPHEN && is_invisible(*letter);
    if !editor.letters.iter().any(may_go) {
        return;
    }
    let letters = std::mem::take(&mut editor.letters);
    let is_letter = |neighbour: Option<char>| neighbour.is_some_and(is_alphabetic);
    let is_digit = |neighbour: Option<char>| neighbour.is_some_and(char::is_numeric);
    let (mut has_inside, mut before) = (false, None);
    let mut visible = letters.iter().enumerate().filter(|(_, it)| !is_invisible(**it)).peekable();
    for (at, &letter) in letters.iter().enumerate() {
        if letter == SOFT_HYPHEN || !is_invisible(letter) {
            before = Some(letter).filter(|&letter| letter != SOFT_HYPHEN).or(before);
            editor.letters.push(letter);
            continue;
        }
        while visible.next_if(|(place, _)| *place < at).is_some() {}
        let after = visible.peek().map(|(_, letter)| **letter);
        let is_in_number = is_digit(before) && is_digit(after);
        if !is_letter(before) && !is_letter(after) && !is_in_number
            || is_needed(letter, [before, after])
        {
            editor.letters.push(letter);
        } else if is_letter(before) {
            has_inside |= is_letter(after) && !turns(letter, [before, after])
                || !is_letter(after) && !may_end_a_word(letter);
        } else {
            has_inside |= is_in_number;
        }
    }
    if has_inside {
        counts.count(Trick::InvisibleCharacters, editor.span().start, || {
            escaped(&letters, |letter| may_go(&letter))
        });
    }
}

/// Reports whether an invisible character has a meaning between its neighbours: a joiner in scripts
/// that join letters, a zero-width space in scripts without other spaces between words, a variation
/// selector in Mongolian or after a symbol.
fn is_needed(invisible: char, neighbours: [Option<char>; 2]) -> bool {
    let is_of_a_script = |neighbour: &char| !neighbour.is_numeric() && !is_kana_length(*neighbour);
    let letters = neighbours.into_iter().flatten().filter(is_of_a_script);
    let mut scripts = letters.map(script);
    match invisible {
        '\u{200b}' => scripts.any(has_no_spaces),
        '\u{200c}' | '\u{200d}' => scripts.any(|script| !knows_no_joiner(script)),
        '\u{180b}'..='\u{180f}' => scripts.any(|script| script == Script::Mongolian),
        '\u{fe00}'..='\u{fe0f}' => scripts.next() == Some(Script::Common),
        _ => false,
    }
}

/// Reports whether an invisible character is a directional mark between letters of which one script
/// runs leftward and the other does not, as word processors and printed pages have it there.
fn turns(invisible: char, neighbours: [Option<char>; 2]) -> bool {
    let is_mark = matches!(invisible,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202c}' | '\u{2066}'..='\u{2069}');
    let [before, after] = neighbours.map(|letter| letter.map(script).is_some_and(runs_leftward));
    is_mark && before != after
}

/// Reports whether the letters of a script run from right to left.
fn runs_leftward(script: Script) -> bool {
    matches!(
        script,
        Script::Arabic | Script::Hebrew | Script::Syriac | Script::Thaana | Script::Nko
    )
}

/// Reports whether a letter is ー, which makes a vowel of either kana long and so has no script.
fn is_kana_length(letter: char) -> bool {
    matches!(letter, '\u{30fc}' | '\u{ff70}')
}

/// Reports whether texts of a script have no spaces between words, but may have zero-width ones.
fn has_no_spaces(script: Script) -> bool {
    matches!(
        script,
        Script::Thai
            | Script::Lao
            | Script::Khmer
            | Script::Myanmar
            | Script::Tibetan
            | Script::Javanese
            | Script::Balinese
            | Script::Tai_Le
            | Script::New_Tai_Lue
            | Script::Tai_Tham
            | Script::Tai_Viet
    )
}

/// Reports whether the letters of a script are never joined or parted by joiners.
fn knows_no_joiner(script: Script) -> bool {
    matches!(
        script,
        Script::Latin
            | Script::Greek
            | Script::Cyrillic
            | Script::Armenian
            | Script::Georgian
            | Script::Hebrew
            | Script::Ethiopic
            | Script::Thai
            | Script::Lao
            | Script::Han
            | Script::Hiragana
            | Script::Katakana
            | Script::Hangul
    )
}

/// Reports whether an invisible character may be at the end of a word by accident or for a
/// legitimate reason: zero-width spaces that translation programs leave, directional marks,
/// variation selectors.
fn may_end_a_word(invisible: char) -> bool {
    matches!(invisible, '\u{61c}' | '\u{200b}' | '\u{200e}'..='\u{202e}' | '\u{2066}'..='\u{206f}')
        || matches!(invisible, '\u{fe00}'..='\u{feff}' | '\u{e0000}'..)
}

// Finds the places of a text that may hide something, 64 bytes at a time.

/// The number of bytes that are classified together.
const BLOCK: usize = 64;

/// The number of those bytes that can be judged, because enough of what follows them is in the
/// block: four spaces and letters of up to three bytes.
const STEP: usize = BLOCK - 12;

/// The classes of the bytes of a block: one bit per byte, the lowest bit for the first byte.
#[derive(Clone, Copy, Default)]
struct ByteClasses {
    white: u64,
    letter: u64,
    /// A continuation byte: a byte of a character other than its first one.
    inner: u64,
    /// The first byte of a two-byte letter of a script other than Latin.
    foreign: u64,
    /// Those of Greek.
    greek: u64,
    /// The first byte of a letter or digit of Indic scripts, Thai or Lao.
    indic: u64,
    /// The first byte of characters that some tricks use.
    odd: u64,
}

/// Returns the places in a text, in increasing order, at which a character begins that may hide
/// something, or a word that may be letter-spaced. Many of them turn out to be innocent.
pub(super) fn candidates(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let level = Level::new();
    let blocks = (0..bytes.len()).step_by(STEP);
    blocks
        .flat_map(move |start| {
            let mut bits = candidates_of(level, bytes, start);
            std::iter::from_fn(move || {
                let first = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                Some(start + first)
            })
        })
        .filter(|&place| is_candidate(text, place))
}

/// Returns a bit for each of the first [`STEP`] bytes from `start`, set if the byte is suspect.
fn candidates_of(level: Level, bytes: &[u8], start: usize) -> u64 {
    let rest = &bytes[start..];
    let classes = if let Some(block) = rest.first_chunk::<BLOCK>() {
        classes(level, block)
    } else {
        let mut block = [b' '; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        classes(level, &block)
    };
    let ByteClasses { white, letter, inner, foreign, greek, indic, odd } = classes;
    // White space before a single letter of one, two or three bytes, followed by white space.
    let alone = white
        & (letter >> 1 & white >> 2
            | inner >> 2 & white >> 3
            | inner >> 2 & inner >> 3 & white >> 4);
    let spaced = alone & (alone >> 2 | alone >> 3 | alone >> 4);
    let mixed = letter & foreign >> 1
        | foreign & letter >> 2
        | greek & (foreign & !greek) >> 2
        | foreign & !greek & greek >> 2
        | letter & indic >> 1 & (letter | indic) >> 4;
    (odd | mixed | spaced) & !(u64::MAX << STEP)
}

fn classes(level: Level, block: &[u8; BLOCK]) -> ByteClasses {
    dispatch!(level, simd => ByteClasses::classify(u8x64::from_slice(simd, block)))
}

impl ByteClasses {
    #[expect(clippy::inline_always, reason = "so that it is compiled for what the processor has")]
    #[inline(always)]
    fn classify<S: Simd>(bytes: u8x64<S>) -> Self {
        let is = |byte: u8| bytes.simd_eq(byte);
        let within = |first: u8, last: u8| (bytes - first).simd_le(last - first);
        // Control characters are classified as white space, and some punctuation as letters. The
        // places found are checked more closely later, and there are few of them.
        let white = bytes.simd_le(b' ').to_bitmask();
        let letter = bytes.simd_ge(b'A').to_bitmask();
        let beyond_ascii = bytes.simd_ge(0x80).to_bitmask();
        let control = (bytes.simd_le(0x08) | within(0x0e, 0x1f) | is(0x7f)).to_bitmask();
        // Most blocks of most texts are ASCII.
        if beyond_ascii == 0 {
            return Self { white, letter, odd: control, ..Self::default() };
        }
        let of_two = is(0xc2) | within(0xcc, 0xcd);
        let of_three = within(0xe1, 0xe2) | is(0xea) | is(0xef);
        // U+061C and U+3164, the only ones among many letters of Arabic and of Japanese.
        let mark_or_filler = is(0xd8).to_bitmask() & is(0x9c).to_bitmask() >> 1
            | is(0xe3).to_bitmask() & is(0x85).to_bitmask() >> 1 & is(0xa4).to_bitmask() >> 2;
        Self {
            white,
            letter: letter & !beyond_ascii,
            inner: within(0x80, 0xbf).to_bitmask(),
            foreign: within(0xcd, 0xd7).to_bitmask(),
            greek: within(0xcd, 0xcf).to_bitmask(),
            indic: is(0xe0).to_bitmask(),
            odd: (of_two | of_three | is(0xf0) | is(0xf3)).to_bitmask() | mark_or_filler | control,
        }
    }
}

/// Reports whether a place is still suspect when its characters are decoded.
fn is_candidate(text: &str, place: usize) -> bool {
    let before = text[..place].chars().next_back().unwrap_or(' ');
    let mut from_here = text[place..].chars();
    let letter = from_here.next().unwrap_or(' ');
    let after = from_here.next().unwrap_or(' ');
    match letter {
        _ if parted::is_inside_a_word(letter, before, after) => true,
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' => {
            after.is_alphabetic() && from_here.next().is_some_and(is_space)
        }
        '\u{200c}' | '\u{200d}' => {
            before.is_numeric()
                || is_kana_length(before)
                || knows_no_joiner(script(before))
                || typed::replaced(text, place).is_some()
        }
        '\u{201c}' | '\u{201d}' | '\u{201f}' | '\u{2022}' | '\u{2027}' | '\u{2219}'
        | '\u{22c5}' => typed::replaced(text, place).is_some(),
        _ if is_invisible(letter) => true,
        // Combining marks.
        '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20f0}'
        // Superscript, subscript, circled, full-width and mathematical letters.
        | '\u{1d2c}'..='\u{1d6a}' | '\u{2071}' | '\u{207f}' | '\u{2090}'..='\u{209c}'
        | '\u{2100}'..='\u{214f}' | '\u{24b6}'..='\u{24e9}'
        | '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' | '\u{1d400}'..='\u{1d7ff}'
        | '\u{1f110}'..='\u{1f189}' => true,
        // Scripts with letters that look like Latin ones: Georgian, Cherokee, Coptic, Lisu, Gothic.
        '\u{1040}' | '\u{101d}' | '\u{10a0}'..='\u{10ff}' | '\u{13a0}'..='\u{13ff}'
        | '\u{1c80}'..='\u{1cbf}' | '\u{1f00}'..='\u{1fff}' | '\u{2c00}'..='\u{2d2f}'
        | '\u{a4d0}'..='\u{a4ff}' | '\u{a640}'..='\u{a69f}' | '\u{ab70}'..='\u{abbf}'
        | '\u{10280}'..='\u{1044f}' | '\u{118a0}'..='\u{118df}' => {
            let is_foreign = |it: char| is_alphabetic(it) && script(it) != script(letter);
            is_foreign(before) || is_foreign(after)
        }
        // Adjacent letters of two scripts, or the space before a single letter.
        _ => matches!(letter, ' '..='~') || letter < '\u{600}' && letter > '\u{36f}',
    }
}

#[cfg(test)]
mod turned_tests {
    use super::*;

    #[test]
    fn text_is_turned_to_the_end_of_the_control_or_of_the_line() {
        #[rustfmt::skip]
        let table = [
            ("ended",               "a \u{202e}cb\u{202c} d", 2..10),
            ("not ended",           "a \u{202e}cb d",         2..9),
            ("at the line's end",   "a \u{202e}cb\nd",        2..7),
            ("nothing behind it",   "a \u{202e}",             2..5),
        ];
        for (why, text, want) in table {
            assert_eq!(from(text, 2, text.len()), want, "{why}");
        }
    }
}

#[cfg(test)]
mod suspects_tests {
    use proptest::prelude::*;

    use super::*;

    fn found(text: &str) -> Vec<usize> {
        candidates(text).collect()
    }

    #[test]
    fn what_may_hide_something_is_found() {
        #[rustfmt::skip]
        let table: &[(&str, &str, &[usize])] = &[
            ("nothing",                   "",                        &[]),
            ("plain",                     "The wooden spoon, a cup", &[]),
            ("accents",                   "L’été à Köln « ¿no? »",    &[]),
            ("Russian",                   "и в лесу, и на поле",      &[]),
            ("Chinese",                   "水，火。ABC中",             &[]),
            ("Persian and its joiner",    "می\u{200c}خواهم",         &[]),
            ("a space of no width",       "ab\u{200b}c",             &[2]),
            ("a joiner in Latin",         "ab\u{200d}c",             &[2]),
            ("a joiner in Hebrew",        "של\u{200d}ום",            &[4]),
            ("a joiner in a number",      "18\u{200d}42",            &[2]),
            ("Cyrillic in Latin",         "cаt",                     &[0, 1]),
            ("Latin in Cyrillic",         "слoво",                   &[2, 4]),
            ("Greek in Latin",            "cοw",                     &[0, 1]),
            ("Greek in Cyrillic",         "слοво",                   &[2, 4]),
            ("Cyrillic in Greek",         "λόгος",                   &[2, 4]),
            ("samekh in Latin",           "fסr",                     &[0, 1]),
            ("a Thai zero in Latin",      "f๐r",                     &[0]),
            ("two of them",               "f๐๐l",                    &[0]),
            ("but not behind it",         "ab๐",                     &[]),
            ("a Myanmar zero",            "f၀r",                     &[1]),
            ("Coptic in Latin",           "cⲟw",                     &[1]),
            ("in Cyrillic",               "слⲟво",                   &[4]),
            ("Georgian",                  "სიტყვა",                  &[]),
            ("Gothic in Latin",           "𐌀nd",                     &[0]),
            ("Cherokee in Latin",         "cᎪt",                     &[1]),
            ("a mark",                    "p\u{335}q",               &[1]),
            ("full width",                "Ａb",                      &[0]),
            ("a soft hyphen",             "ab\u{ad}c",               &[2]),
            ("letter-spaced",             "see t h e end",           &[3, 5]),
            ("by other spaces",           "t\u{a0}h\u{a0}e",         &[1]),
            ("at the end",                "t h e",                   &[1]),
            ("Cyrillic letters",          "с л о в о",               &[2, 5, 8]),
        ];
        for (why, text, want) in table {
            assert_eq!(found(text), *want, "{why}");
        }
    }

    proptest! {
        /// The same places are found regardless of what precedes them, including those at block
        /// boundaries.
        #[test]
        fn places_do_not_depend_on_what_is_before(
            before in 0..200usize,
            text in "[a-c é水а\u{200b}\u{301}]{0,100}",
        ) {
            let shifted = format!("{}. {text}", "x".repeat(before));
            let want: Vec<usize> = found(&format!(". {text}")).iter().map(|at| at + before).collect();
            prop_assert_eq!(found(&shifted), want);
        }
    }
}
