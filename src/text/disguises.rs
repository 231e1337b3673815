//! Undoes the tricks of a text that was manipulated to escape detection.
//!
//! Input: a decoded text. Output: the text as its reader sees it, and a count of the words that
//! each trick was applied to. Undone are look-alike letters, invisible characters, artificial
//! combining marks, reversed text, letter-spacing and styled letters. Ligatures, soft hyphens and
//! hyphens at line ends are typography, which the normal form of words undoes. The module knows
//! neither files nor languages. A text without tricks, as nearly all are, costs one fast scan.

mod parted;
mod substitutes;
mod tricks;
mod typed;

use std::cell::LazyCell;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::LazyLock;

use foldhash::quality::RandomState;
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_script::{Script, UnicodeScript};
use unicode_security::skeleton;
use unicode_segmentation::UnicodeSegmentation;

use super::letters::LetterTable;
use super::source_map::Excerpt;
pub(super) use tricks::mirrored;

/// A way to make a text look different to a program while it looks the same to a reader.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub enum Trick {
    /// Letters of another script that look the same, or of the same one, such as small capitals.
    Homoglyphs,
    /// Invisible characters without width inside of words, and thin spaces and control characters
    /// that part words.
    InvisibleCharacters,
    /// Reversed text after a control character that makes it display in the right order.
    ReversedText,
    /// Combining marks on letters that no alphabet combines them with.
    CombiningMarks,
    /// Spaces between all letters of a word.
    LetterSpacing,
    /// Full-width, mathematical, circled or superscript letters.
    StyledLetters,
    /// Words that a document contains but does not show. They are found when the document is read,
    /// not by [`reveal`].
    HiddenText,
    /// Words that look like those of no language, whatever changed them. They are not restored, and
    /// they prove nothing.
    NotRecognized,
}

impl Trick {
    /// Reports whether the trick itself is unknown, so that it could not be undone.
    pub fn is_suspicion(self) -> bool {
        self == Self::NotRecognized
    }
}

/// The words that a trick was applied to.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Disguise {
    /// The trick.
    pub trick: Trick,
    /// The number of words that it was applied to.
    pub words: usize,
    /// The byte offset of the first of them in the text; `None` if they are not in the text.
    pub offset: Option<usize>,
    /// The first of them, with invisible or changed characters spelled out: `pl<U+0430>gue`.
    pub example: String,
}

/// A text as its reader sees it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Revealed {
    /// The revealed text; `None` if nothing had to be changed.
    pub excerpt: Option<Excerpt>,
    /// The tricks found, in the order of [`Trick`].
    pub disguises: Vec<Disguise>,
}

/// Returns the disguise to report for words that a document contains but does not show, given piece
/// by piece; `None` if there are no such words.
pub fn hidden(pieces: &[String]) -> Option<Disguise> {
    let words = pieces.iter().flat_map(|piece| piece.split_whitespace()).count();
    let first: Vec<char> = pieces.iter().find(|it| !it.trim().is_empty())?.trim().chars().collect();
    let example = escaped(&first, char::is_control);
    Some(Disguise { trick: Trick::HiddenText, words, offset: None, example })
}

/// Spells out those letters of a word, as it was written, that are not in the word as it is shown:
/// `pl<U+0430>gue`. ASCII letters are never spelled out.
pub fn spelled_out(written: &str, shown: &str) -> String {
    let letters: Vec<char> = written.chars().collect();
    escaped(&letters, |letter| !letter.is_ascii() && !shown.contains(letter))
}

/// Reveals a text. The cost is linear in its length.
pub fn reveal(written: &str) -> Revealed {
    let mut counts = DisguiseCounts::default();
    let mut known = typed::places(written);
    let substitutes = substitutes::substitutes(written);
    if !substitutes.is_empty() {
        let places = written.char_indices().filter(|(_, it)| substitutes.contains_key(it));
        known.extend(places.map(|(place, _)| place));
    }
    let mut spans = if known.is_empty() {
        spans_around(written, tricks::candidates(written))
    } else {
        let all: BTreeSet<usize> = tricks::candidates(written).chain(known).collect();
        spans_around(written, all.into_iter())
    };
    if spans.is_empty() {
        return Revealed { excerpt: None, disguises: counts.found() };
    }
    let rows = spaced_rows(written, &spans);
    let is_spaced = rows.len() >= MIN_WORDS && are_words(&rows);
    spans.retain(|span| match span.kind {
        SpanKind::Spaced(Evidence::Certain) => is_spaced || rows.len() < MIN_WORDS,
        SpanKind::Spaced(Evidence::OnlyIfRepeated) => is_spaced,
        _ => true,
    });
    if !parted::are_words_parted(written, &spans) {
        spans = parted::pieces(written, spans);
    }
    let artificial_marks = tricks::artificial_marks(written, &spans);
    let scripts = tricks::pair(written, &spans);
    // A trick that was used on some words was probably used on all words that allow it.
    let may_hide = |word: &str| {
        tricks::has_artificial_marks(word, &artificial_marks)
            || scripts.is_some_and(|pair| pair.may_hide(word))
    };
    let spans: Box<dyn Iterator<Item = Span>> = match scripts {
        None if artificial_marks.is_empty() => Box::new(spans.into_iter()),
        _ => Box::new(with_words_between(written, spans, may_hide)),
    };
    let is_east_asian = LazyCell::new(|| tricks::is_east_asian(written));
    let mut excerpt = Excerpt::default();
    let (mut editor, mut done) = (SpanEditor::new(written), 0);
    for span in spans {
        editor.move_to(span);
        if is_spaced && matches!(editor.span.kind, SpanKind::Spaced(_)) {
            let letters: Vec<char> = editor.original().chars().collect();
            let example = || escaped(&letters, |_| false);
            counts.count(Trick::LetterSpacing, editor.span().start, example);
        }
        typed::replace(&mut editor, written);
        tricks::restore_order(&mut editor, &mut counts);
        parted::join(&mut editor, &mut counts);
        tricks::remove(&mut editor, &mut counts);
        tricks::remove_marks(&mut editor, &artificial_marks, &mut counts);
        tricks::replace(&mut editor, scripts, &substitutes, &mut counts);
        tricks::replace_styled(&mut editor, || *is_east_asian, &mut counts);
        if editor.is_changed() {
            excerpt.copy(written, done..editor.span().start);
            editor.write(&mut excerpt);
            done = editor.span().end;
        }
    }
    if done == 0 {
        return Revealed { excerpt: None, disguises: counts.found() };
    }
    excerpt.copy(written, done..written.len());
    Revealed { excerpt: Some(excerpt), disguises: counts.found() }
}

/// Reports whether a text begins with a control character that reverses it.
pub(super) fn is_reversed(text: &str) -> bool {
    text.starts_with(tricks::RIGHT_TO_LEFT_OVERRIDE)
}

// Finds the spans of a text that may be disguised.

/// The number of different letter-spaced words that make a trick likely: fewer may be headings of a
/// table.
const MIN_WORDS: usize = 3;

/// Returns the spans around places in a text. The places must be increasing; the spans do
/// not overlap.
fn spans_around(text: &str, places: impl Iterator<Item = usize>) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for place in places {
        let done = spans.last().map_or(0, |span| span.range().end);
        if place < done {
            continue;
        }
        if let Some(span) = span_around(text, place, done) {
            spans.push(span);
        }
    }
    spans
}

fn span_around(text: &str, place: usize, done: usize) -> Option<Span> {
    let letter = text[place..].chars().next()?;
    let is_faint = parted::is_faint(letter);
    if is_space(letter) {
        match spaced_word_around(text, place, done) {
            Some((range, evidence)) => {
                return Some(Span::new(&range, SpanKind::Spaced(evidence)));
            }
            None if !is_faint => return None,
            None => {}
        }
    }
    if letter == tricks::RIGHT_TO_LEFT_OVERRIDE {
        let limit = text.floor_char_boundary(place + MAX_SPAN_BYTES);
        return Some(Span::new(&tricks::from(text, place, limit), SpanKind::Reversed));
    }
    if let Some((range, _)) = typed::replaced(text, place).filter(|(range, _)| range.start >= done)
    {
        return Some(Span::new(&range, SpanKind::Word));
    }
    let before =
        &text[done.max(text.floor_char_boundary(place.saturating_sub(MAX_SPAN_BYTES / 2)))..place];
    let is_part = |it| is_word_character(it) || is_faint && parted::is_faint(it);
    let letters_before = before.chars().rev().take_while(|&letter| is_part(letter));
    let start = place - letters_before.map(char::len_utf8).sum::<usize>();
    let after = &text[place..text.floor_char_boundary(start + MAX_SPAN_BYTES)];
    let letters_after =
        after.chars().take_while(|&it| is_part(it) && it != tricks::RIGHT_TO_LEFT_OVERRIDE);
    let end = place + letters_after.map(char::len_utf8).sum::<usize>();
    let kind = if is_faint { SpanKind::Parted } else { SpanKind::Word };
    (start < end).then(|| Span::new(&(start..end), kind))
}

/// Returns the spans, and all words between them that may hide something.
fn with_words_between(
    text: &str,
    spans: Vec<Span>,
    may_hide: impl Fn(&str) -> bool + Copy,
) -> impl Iterator<Item = Span> {
    let mut done = 0;
    spans.into_iter().map(Some).chain([None]).flat_map(move |span| {
        let range = span.map_or(text.len()..text.len(), Span::range);
        let between = words(text, done..range.start);
        done = range.end;
        let hides = move |word: &Range<usize>| {
            word.len() <= MAX_SPAN_BYTES && may_hide(&text[word.clone()])
        };
        between.filter(hides).map(|word| Span::new(&word, SpanKind::Word)).chain(span)
    })
}

/// Returns the byte ranges of the words of a part of a text. Some of them may be empty.
fn words(text: &str, part: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut start = part.start;
    text[part].split_inclusive(|letter| !is_word_character(letter)).map(move |word| {
        let bare = word.trim_end_matches(|letter| !is_word_character(letter));
        let range = start..start + bare.len();
        start += word.len();
        range
    })
}

/// Returns the different rows of letters of a text that are surely letter-spaced.
fn spaced_rows(text: &str, spans: &[Span]) -> BTreeSet<String> {
    let is_sure = |span: &&Span| span.kind == SpanKind::Spaced(Evidence::Certain);
    let letters = |span: &Span| text[span.range()].to_lowercase().replace(is_space, "");
    spans.iter().filter(is_sure).map(letters).collect()
}

/// Reports whether rows of letters are words, and no answers to questions, chords, sequences of
/// genes, sounds of a language or puzzles: nearly all have vowels and consonants, and together they
/// have many different letters, many vowels, and many letters that stand late in the alphabet; and
/// they are no table.
fn are_words(rows: &BTreeSet<String>) -> bool {
    let letters = || rows.iter().flat_map(|row| row.chars());
    let all = letters().count();
    let share = |is: fn(char) -> bool| letters().filter(|it| is(*it)).count();
    let lengths: BTreeSet<usize> = rows.iter().map(|row| row.chars().count()).collect();
    let is_table = lengths.len() == 1 && lengths.iter().all(|it| TABLE_LENGTHS.contains(it));
    let is_mixed = |row: &&String| row.contains(is_vowel) && row.contains(is_consonant);
    letters().collect::<BTreeSet<char>>().len() >= MIN_DIFFERENT
        && 10 * share(is_vowel) >= 3 * all
        && 3 * share(|letter| !matches!(letter, 'a'..='h')) >= all
        && 4 * rows.iter().filter(is_mixed).count() >= 3 * rows.len()
        && !is_table
}

/// Reports whether a lower-case letter is a vowel. Letters of other alphabets than Latin, Greek and
/// Cyrillic may be vowels.
fn is_vowel(letter: char) -> bool {
    let base = letter.nfd().next().unwrap_or(letter);
    VOWELS.contains(base) || is_of_another_alphabet(letter)
}

/// Reports whether a lower-case letter is a consonant, or may be one.
fn is_consonant(letter: char) -> bool {
    !is_vowel(letter) || is_of_another_alphabet(letter)
}

fn is_of_another_alphabet(letter: char) -> bool {
    !matches!(letter.script(), Script::Latin | Script::Greek | Script::Cyrillic)
}

// Classifies characters, using tables that are cached for each letter.

/// Reports whether a character has neither width nor meaning to a reader: whether it is one of the
/// default ignorable code points of Unicode, an anchor of annotations, or the note without a head.
fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d159}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Reports whether a character is part of a word to a reader.
fn is_word_character(letter: char) -> bool {
    static OF_WORDS: LetterTable<bool> =
        LetterTable::new(|it| it.is_alphanumeric() || is_combining_mark(it) || is_invisible(it));
    OF_WORDS.get(letter)
}

/// Reports whether a character is a combining mark, placed on the letter before it.
fn is_mark(letter: char) -> bool {
    static MARKS: LetterTable<bool> = LetterTable::new(is_combining_mark);
    MARKS.get(letter)
}

/// The first character that is checked for a style: no letter before it, accented ones included, is
/// a disguise.
const FIRST_STYLED: char = '\u{1d2c}';

/// Returns the ASCII letter that a superscript, subscript, circled, full-width or mathematical
/// letter is a variant of; `None` if it is not such a variant.
fn unstyled(letter: char) -> Option<char> {
    if letter < FIRST_STYLED {
        return None;
    }
    let mut plain = letter.nfkc();
    plain.next().filter(|plain| plain.is_ascii_alphabetic() && letter.nfkc().count() == 1)
}

/// Returns the letter of a script (Latin, Greek or Cyrillic) that looks the same as a letter of
/// another script and has the same case, if any, according to the confusable characters of Unicode
/// Technical Standard #39; `None` if there is no such letter.
fn confusable(foreign: char, script: Script) -> Option<char> {
    CONFUSABLES.get(&(foreign, script)).copied()
}

static CONFUSABLES: LazyLock<HashMap<(char, Script), char, RandomState>> = LazyLock::new(|| {
    let latin = ('A'..='Z').chain('a'..='z');
    let greek = ('Α'..='Ω').chain('α'..='ω').filter(|letter| letter.is_alphabetic());
    let own: Vec<(Script, String, char)> = latin
        .chain(greek)
        .chain('Ѐ'..='џ')
        .map(|it| (it.script(), confusable_skeleton(it), it))
        .collect();
    // The ranges of alphabets. Ideographs and syllables do not look like letters.
    let alphabets = [
        'A'..='z',
        '\u{370}'..='\u{58f}',
        '\u{10a0}'..='\u{10ff}',
        '\u{13a0}'..='\u{13ff}',
        '\u{1c80}'..='\u{1cbf}',
        '\u{1f00}'..='\u{1fff}',
        '\u{2c00}'..='\u{2d2f}',
        '\u{a4d0}'..='\u{a4ff}',
        '\u{a640}'..='\u{a69f}',
        '\u{ab70}'..='\u{abbf}',
        '\u{10280}'..='\u{1044f}',
        '\u{118a0}'..='\u{118df}',
    ];
    let letters = alphabets.into_iter().flatten().filter(|letter| letter.is_alphabetic());
    // Those of other scripts that are round like an o: samekh, and Indic and Thai zeros.
    let is_round = |letter: &char| {
        (*letter == 'ס' || *letter >= '\u{900}') && confusable_skeleton(*letter) == "o"
    };
    let round = ('\u{5d0}'..='\u{109f}').filter(is_round);
    let mut found = HashMap::default();
    for foreign in letters.chain(round) {
        let looks_like = confusable_skeleton(foreign);
        let has_case = foreign.is_uppercase() || foreign.is_lowercase();
        for (script, looks, letter) in &own {
            let is_of_case = !has_case || letter.is_uppercase() == foreign.is_uppercase();
            if *looks == looks_like && is_of_case && *script != foreign.script() {
                found.entry((foreign, *script)).or_insert(*letter);
            }
        }
    }
    found
});

/// Returns the skeleton of a letter, which is equal for letters that look alike.
fn confusable_skeleton(letter: char) -> String {
    skeleton(letter.encode_utf8(&mut [0; 4])).collect()
}

// Finds words with a space between all letters: `t h e`.

/// The smallest number of letters of a letter-spaced word.
const MIN_LETTERS: usize = 3;

/// The smallest number of letters if all are capitals, since single capitals occur in table
/// headings.
const MIN_CAPITALS: usize = 5;

/// The largest number of letters that are looked at on either side of a space.
const MAX_LETTERS: usize = 64;

/// The smallest number of different letters of several words. Answers and genes have fewer.
const MIN_DIFFERENT: usize = 6;

/// The lengths that rows of a table have. Words may be shorter, and lines of a text, in which the
/// spaces between words are like those inside of them, longer.
const TABLE_LENGTHS: Range<usize> = 5..MAX_LETTERS / 2;

/// The vowels of Latin, Greek and Cyrillic, in lower case and without accents.
const VOWELS: &str = "aeiouyæøœəıαεηιουωаеиоуыэюяієө";

/// Letters that are words by themselves in some language: three of them may be three words.
const LONE_WORDS: &str = "aeiouyàéèóòwzksvhаеиоуявксжізє";

/// Reports whether a character is a space that may separate the letters of a word.
fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}')
}

/// The evidence that letters with spaces between them are one word.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Evidence {
    /// They can hardly be anything else.
    Certain,
    /// They are set apart from the text around them. They count as a word only if the text has
    /// other letter-spaced words.
    OnlyIfRepeated,
}

/// Returns the byte range of the letter-spaced word that has a space at `place`; `None` if the
/// letters around the space are not such a word. Letters before `from` are ignored.
fn spaced_word_around(text: &str, place: usize, from: usize) -> Option<(Range<usize>, Evidence)> {
    let space = text[place..].chars().next().filter(|&space| is_space(space))?;
    let behind = place + space.len_utf8();
    let back: usize = lone_letters(text[from..place].chars().rev()).sum();
    let on: usize = lone_letters(text[behind..].chars()).sum();
    let range = place - back..behind + on;
    let letters: Vec<char> =
        text[range.clone()].chars().filter(|&letter| !is_space(letter)).collect();
    if back == 0 || on == 0 {
        return None;
    }
    if is_word(&letters) && !is_key(&letters) {
        return Some((range, Evidence::Certain));
    }
    let stands_apart = begins_with_wide_gap(text[..range.start].chars().rev())
        && begins_with_wide_gap(text[range.end..].chars());
    stands_apart.then_some((range, Evidence::OnlyIfRepeated))
}

/// Reports whether the characters next to a word begin with the edge of a line or with two spaces.
fn begins_with_wide_gap(mut characters: impl Iterator<Item = char>) -> bool {
    let first = characters.next();
    first.is_none_or(char::is_control)
        || first.is_some_and(is_space) && characters.next().is_none_or(char::is_whitespace)
}

/// Returns the lengths in bytes of the next single letters that are separated by spaces. The length
/// of a letter includes the space before it.
fn lone_letters(letters: impl Iterator<Item = char>) -> impl Iterator<Item = usize> {
    let mut letters = letters.peekable();
    let mut space = Some(0);
    let lengths = std::iter::from_fn(move || {
        let before = space.take()?;
        let letter = letters.next_if(|letter| letter.is_lowercase() || letter.is_uppercase())?;
        if letters.peek().is_some_and(|&next| is_word_character(next)) {
            return None;
        }
        space = letters.next_if(|&next| is_space(next)).map(char::len_utf8);
        Some(before + letter.len_utf8())
    });
    lengths.take(MAX_LETTERS)
}

/// Reports whether single letters are more likely one word than a list of letters or several words
/// of one letter.
fn is_word(letters: &[char]) -> bool {
    let Some((first, rest)) = letters.split_first() else { return false };
    let is_list = letters.windows(2).all(|pair| u32::from(pair[0]) + 1 == u32::from(pair[1]));
    let capitals = rest.iter().filter(|letter| letter.is_uppercase()).count();
    let least = if capitals == 0 { MIN_LETTERS } else { MIN_CAPITALS };
    let is_one_case = capitals == 0 || capitals == rest.len() && first.is_uppercase();
    let lone_words =
        letters.iter().all(|letter| letter.to_lowercase().all(|it| LONE_WORDS.contains(it)));
    letters.len() >= least && is_one_case && !is_list && !(letters.len() == 3 && lone_words)
}

/// Reports whether single letters may be answers to questions, or a sequence of a gene: few of them
/// are different, and at most half.
fn is_key(letters: &[char]) -> bool {
    let different: BTreeSet<char> = letters.iter().flat_map(|it| it.to_lowercase()).collect();
    different.len() < MIN_DIFFERENT && 2 * different.len() <= letters.len()
}

// The spans of a text that are examined letter by letter.

/// The largest length of a span in bytes, which no word exceeds.
const MAX_SPAN_BYTES: usize = 4096;

/// The byte range and the kind of a span, stored compactly in 8 bytes, since a text may have one
/// per word.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Span {
    /// The byte offset of its start, in little-endian order.
    start: [u8; 5],
    length: u16,
    kind: SpanKind,
}

impl Span {
    fn new(range: &Range<usize>, kind: SpanKind) -> Self {
        let number = (range.start as u64).to_le_bytes();
        let (start, rest) = number.split_first_chunk().expect("5 of 8 bytes");
        assert_eq!(rest, [0; 3], "no text has 2^40 bytes");
        let length = u16::try_from(range.len()).expect("no stretch is so long");
        Self { start: *start, length, kind }
    }

    fn range(self) -> Range<usize> {
        let start = self.start.iter().rfold(0, |start, byte| start << 8 | usize::from(*byte));
        start..start + usize::from(self.length)
    }
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum SpanKind {
    /// Letters, digits, marks and characters without width.
    Word,
    /// Letters with spaces between them.
    Spaced(Evidence),
    /// A word with thin spaces or control characters between its letters.
    Parted,
    /// A control character that reverses text, and that text.
    Reversed,
}

/// A span of a text whose letters are being changed. It is moved from one span to the next.
#[derive(Debug)]
struct SpanEditor<'t> {
    text: &'t str,
    span: Span,
    /// The letters as a reader sees them, as far as the tricks have been undone.
    letters: Vec<char>,
    /// A buffer for the letters as a string.
    shown: String,
}

impl<'t> SpanEditor<'t> {
    fn new(text: &'t str) -> Self {
        let span = Span::new(&(0..0), SpanKind::Word);
        Self { text, span, letters: Vec::new(), shown: String::new() }
    }

    fn move_to(&mut self, span: Span) {
        self.span = span;
        let is_spaced = matches!(span.kind, SpanKind::Spaced(_));
        let letters = self.original().chars();
        let letters = letters.filter(|&letter| !(is_spaced && is_space(letter)));
        self.letters.clear();
        self.letters.extend(letters);
    }

    fn original(&self) -> &'t str {
        &self.text[self.span()]
    }

    fn span(&self) -> Range<usize> {
        self.span.range()
    }

    /// Reports whether a reader sees the span differently from how it was written.
    fn is_changed(&self) -> bool {
        !self.letters.iter().copied().eq(self.original().chars())
    }

    /// Writes the span, as a reader sees it, to an excerpt: word by word, unless the letters have
    /// another order.
    fn write(&mut self, excerpt: &mut Excerpt) {
        self.shown.clear();
        self.shown.extend(&self.letters);
        let is_one_word = || self.letters.iter().all(char::is_ascii_alphanumeric);
        if self.span.kind == SpanKind::Reversed || is_one_word() {
            return excerpt.write(&self.shown, self.span());
        }
        let (mut shown_done, mut written_done) = (0, 0);
        for (shown_end, written_end) in word_ends(&self.shown, self.original()) {
            let shown = &self.shown[shown_done..shown_end];
            let start = self.span().start;
            let source = start + written_done..start + written_end;
            if self.text[source.clone()] == *shown {
                excerpt.copy(self.text, source);
            } else {
                excerpt.write(shown, source);
            }
            (shown_done, written_done) = (shown_end, written_end);
        }
    }
}

/// Returns the byte offsets at which the words of a span end, as shown and as written. If their
/// letters do not correspond one to one, the only end is that of the span.
fn word_ends(shown: &str, written: &str) -> impl Iterator<Item = (usize, usize)> {
    let (of_shown, of_written) = (letter_ends(shown), letter_ends(written));
    let end = (shown.len(), written.len());
    let is_paired = of_shown.clone().count() == of_written.clone().count();
    let mut borders = shown.split_word_bound_indices().map(|(start, _)| start).peekable();
    let pairs = of_shown.zip(of_written).take_while(move |pair| is_paired && *pair != end);
    let is_border = move |pair: &(usize, usize)| {
        while borders.next_if(|border| *border < pair.0).is_some() {}
        borders.peek() == Some(&pair.0)
    };
    pairs.filter(is_border).chain([end])
}

/// Returns the byte offset at which each letter of a span ends, including the characters around it
/// that may be removed: marks, invisible characters and spaces.
fn letter_ends(text: &str) -> impl Iterator<Item = usize> + Clone {
    let is_attached = |letter| is_mark(letter) || is_invisible(letter) || is_space(letter);
    let starts = text.char_indices().filter(move |(_, letter)| !is_attached(*letter));
    starts.map(|(start, _)| start).skip(1).chain([text.len()])
}

// Counts what was found of each trick.

/// The largest number of characters of a word that is shown as an example.
const MAX_EXAMPLE_LENGTH: usize = 40;

#[derive(Debug, Default)]
struct DisguiseCounts(Vec<Disguise>);

impl DisguiseCounts {
    /// Counts one word, `offset` bytes into the text. The first one of a trick is its example.
    fn count(&mut self, trick: Trick, offset: usize, example: impl FnOnce() -> String) {
        if let Some(found) = self.0.iter_mut().find(|found| found.trick == trick) {
            found.words += 1;
        } else {
            let example = example();
            self.0.push(Disguise { trick, words: 1, offset: Some(offset), example });
        }
    }

    /// Returns everything found, in the order of [`Trick`].
    fn found(mut self) -> Vec<Disguise> {
        self.0.sort_by_key(|found| found.trick);
        self.0
    }
}

/// Formats a word with its odd letters spelled out, for example those that a reader does not see.
/// Truncates it with an ellipsis if it is too long to be shown.
fn escaped(letters: &[char], is_odd: impl Fn(char) -> bool) -> String {
    let (mut example, mut length) = (String::new(), 0);
    for &letter in letters {
        let shown = match letter {
            odd if is_odd(odd) => format!("<U+{:04X}>", u32::from(odd)),
            letter => letter.to_string(),
        };
        length += shown.chars().count();
        if length > MAX_EXAMPLE_LENGTH {
            return example + "…";
        }
        example += &shown;
    }
    example
}

#[cfg(test)]
mod find_tests {
    use super::*;

    #[test]
    fn words_between_the_stretches_are_added_where_they_may_hide_something() {
        let text = "aé b, é-éa 1é";
        let editor = Span::new(&(9..10), SpanKind::Reversed);
        let added = |spans| {
            let spans = with_words_between(text, spans, |word| word.contains('é'));
            spans.map(|span| &text[span.range()]).collect::<Vec<_>>()
        };
        assert_eq!(added(vec![editor]), ["aé", "é", "-", "éa", "1é"]);
        assert_eq!(added(Vec::new()), ["aé", "é", "éa", "1é"]);
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod letters_tests {
    use super::*;

    /// The skeletons of confusable texts leave out the default ignorable code points.
    #[test]
    fn invisible_are_those_of_unicode() {
        for letter in '\0'..=char::MAX {
            let more = matches!(letter, '\u{fff9}'..='\u{fffb}' | '\u{1d159}');
            assert_eq!(
                is_invisible(letter),
                confusable_skeleton(letter).is_empty() || more,
                "{:x}",
                u32::from(letter)
            );
        }
    }

    #[test]
    fn letters_of_style_have_a_plain_form() {
        for (letter, plain) in [
            ('Ａ', Some('A')),
            ('𝐩', Some('p')),
            ('ⓐ', Some('a')),
            ('ᵃ', Some('a')),
            ('ﬁ', None),
            ('Ⅷ', None),
            ('a', None),
            ('é', None),
            ('水', None),
            ('１', None),
        ] {
            assert_eq!(unstyled(letter), plain, "{letter}");
        }
        let below = '\0'..'\u{1d2c}';
        let is_styled = |letter: &char| {
            let plain: String = letter.nfkc().collect();
            !letter.is_ascii()
                && plain.len() == 1
                && plain.chars().all(|it| it.is_ascii_alphabetic())
        };
        // ª, º, ſ, and modifier letters that are not a disguise.
        let known = ['ª', 'º', 'ſ', 'ʰ', 'ʲ', 'ʳ', 'ʷ', 'ʸ', 'ˡ', 'ˢ', 'ˣ'];
        assert_eq!(below.filter(is_styled).collect::<Vec<_>>(), known);
    }

    #[test]
    fn letters_that_look_the_same_are_found() {
        for (foreign, script, own) in [
            ('а', Script::Latin, Some('a')),
            ('А', Script::Latin, Some('A')),
            ('ж', Script::Latin, None),
            ('o', Script::Cyrillic, Some('о')),
            ('ο', Script::Latin, Some('o')),
            ('Ꭺ', Script::Latin, Some('A')),
            ('水', Script::Latin, None),
            ('a', Script::Latin, None),
            ('ⲟ', Script::Latin, Some('o')),
            ('ⲟ', Script::Cyrillic, Some('о')),
            ('ο', Script::Cyrillic, Some('о')),
            ('𐊠', Script::Latin, Some('A')),
            ('ס', Script::Latin, Some('o')),
            ('ו', Script::Latin, None),
            ('๐', Script::Latin, Some('o')),
            ('०', Script::Latin, Some('o')),
        ] {
            assert_eq!(confusable(foreign, script), own, "{foreign}");
        }
    }
}

#[cfg(test)]
mod spacing_tests {
    use super::*;

    #[test]
    fn letters_with_spaces_between_are_a_word() {
        #[rustfmt::skip]
        let table = [
            ("a word",                 "see t h e end",       Some("t h e")),
            ("at both ends",           "t h e",               Some("t h e")),
            ("a capital first",        "T h e end",           Some("T h e")),
            ("in brackets",            "(t e x t)",           Some("t e x t")),
            ("capitals",               "so T I T L E it",     Some("T I T L E")),
            ("Cyrillic",               "это т е к с т и",     Some("т е к с т и")),
            ("other spaces",           "t\u{a0}h\u{2009}e",   Some("t\u{a0}h\u{2009}e")),
            ("two spaces part",        "t h e  c a t",        Some("t h e")),
            ("a line end parts",       "t h e\nc a t",        Some("t h e")),
            ("two letters",            "or h e said",         None),
            ("a list",                 "a b c d e f",         None),
            ("variables",              "x y z",               None),
            ("letters of a table",     "A X F Q",             None),
            ("a mixture",              "B C D i s",           None),
            ("words of one letter",    "X i Z",               None),
            ("and in Polish",          "a i w",               None),
            ("a longer word begins",   "an a b",              None),
            ("digits",                 "1 2 4 8",             None),
            ("ideographs",             "水 火 木",              None),
            ("answers",                "1 to 8: b d a c b a d c", None),
            ("genes",                  "a c g t t g c a",     None),
        ];
        for (why, text, want) in table {
            let mut spaces = text.char_indices().filter(|&(_, letter)| is_space(letter));
            let found = spaces.find_map(|(place, _)| spaced_word_around(text, place, 0));
            let evidence = found.filter(|(_, evidence)| *evidence == Evidence::Certain);
            assert_eq!(evidence.map(|(range, _)| &text[range]), want, "{why}");
        }
    }

    #[test]
    fn what_stands_before_is_left_alone() {
        assert_eq!(spaced_word_around("a x t h e", 3, 2), Some((2..9, Evidence::Certain)));
        assert_eq!(spaced_word_around("t h e", 1, 1), None);
    }

    #[test]
    fn letters_that_stand_apart_may_be_a_word() {
        #[rustfmt::skip]
        let table = [
            ("two letters",      "end  o f  it",  Some("o f")),
            ("at the edges",     "o f",           Some("o f")),
            ("of a line",        "end\no f\nit",  Some("o f")),
            ("capitals",         "a  U S A  b",   Some("U S A")),
            ("one space before", "end o f  it",   None),
            ("one space behind", "end  o f it",   None),
            ("a comma behind",   "end  o f, it",  None),
        ];
        for (why, text, want) in table {
            let mut spaces = text.char_indices().filter(|&(_, letter)| is_space(letter));
            let found = spaces.find_map(|(place, _)| spaced_word_around(text, place, 0));
            let want = want.map(|word| (word, Evidence::OnlyIfRepeated));
            assert_eq!(found.map(|(range, evidence)| (&text[range], evidence)), want, "{why}");
        }
    }
}

#[cfg(test)]
mod stretch_tests {
    use super::*;

    #[test]
    fn a_span_is_kept_in_8_bytes() {
        let far = usize::try_from((1_u64 << 40) - 1).unwrap_or(usize::MAX - MAX_SPAN_BYTES);
        for start in [0, 1, 255, 256, 70_000, far] {
            for (length, kind) in
                [(0, SpanKind::Word), (1, SpanKind::Reversed), (MAX_SPAN_BYTES, SpanKind::Word)]
            {
                let span = Span::new(&(start..start + length), kind);
                assert_eq!((span.range(), span.kind), (start..start + length, kind));
            }
        }
        assert_eq!(size_of::<Span>(), 8);
    }
}
