//! Finds stretches whose words are hardly words of a language, whichever tricks made them so.
//!
//! Input: a text as its reader sees it, as far as that is known. Output: the first stretch of 50
//! words, or of 300 letters, that looks like no language. It is no list of tricks: which three
//! letters follow each other is much alike in all languages in the Latin alphabet, and random,
//! replaced, inserted or turned letters make other triples. Words of two alphabets, with rare
//! characters between letters, glued words and split ones are counted as well. Of other alphabets
//! only what mixes them with Latin letters is seen.
//!
//! What is not prose is passed over: words in capitals, with digits or with symbols, such as code,
//! and lines of one or two words, such as lists. A text in a language, as nearly all are, costs a
//! scan of a quarter of its bytes, and of a sixteenth if it is long: there, a stretch must be longer to
//! be found surely.

use std::collections::HashSet;
use std::ops::{AddAssign, Range};

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::disguises::{Disguise, Trick};

/// The number of words of a stretch.
const WORDS: u32 = 50;

/// The number of letters of a stretch of glued words, and of each of them.
const GLUED: [u32; 2] = [300, 40];

/// The number of letters of the alphabet, and the end of a word.
const SIGNS: usize = 27;

/// For each two signs, the set of those that often follow them in a language, as bits. A sign is a
/// letter without its marks, from 1, or 0 for the beginning or end of a word.
///
/// The file has a line for each first sign. They are those triples that make up at least one in
/// 5,800 of the triples in the words of languages, as an average over the sixth of 57 languages in
/// which they are most frequent.
static FOLLOWING: [u32; 32 * 32] = following(include_bytes!("letter_triples.txt"));

const fn following(file: &[u8]) -> [u32; 32 * 32] {
    let mut table = [u32::MAX; 32 * 32];
    let mut at = 0;
    while at < SIGNS * SIGNS {
        let (mut bits, mut digit) = (0, 0);
        while digit < 7 {
            let byte = file[at * 8 + digit];
            bits = bits << 4 | (if byte > b'9' { byte - b'a' + 10 } else { byte - b'0' }) as u32;
            digit += 1;
        }
        // Between two words, and with bytes that are no sign, no triple is rare.
        if at % SIGNS > 0 {
            table[at / SIGNS * 32 + at % SIGNS] = bits | !0 << SIGNS;
        }
        at += 1;
    }
    table
}

/// Reports whether a sign hardly ever follows two others.
fn is_rare([first, second, third]: [u8; 3]) -> bool {
    FOLLOWING[usize::from(first) * 32 + usize::from(second)] >> third & 1 == 0
}

/// The size of the blocks of a text, of which the first quarter is looked at.
const BLOCK: usize = 256;

/// In a text of more bytes, only every fourth block is looked at.
const LONG: usize = 1 << 18;

/// The number of bytes on either side of a block in which a stretch that is partly in it is looked
/// for.
const AROUND: usize = 600;

/// Returns the first stretch of a text that looks like no language; `None` if there is none, as in
/// an empty text. The cost is linear in the length of the text.
pub fn unrecognized(text: &str) -> Option<Disguise> {
    let (mut stretch, mut searched) = (Stretch::default(), 0);
    let step = if text.len() > LONG { 4 * BLOCK } else { BLOCK };
    for at in (0..text.len()).step_by(step) {
        let end = at + BLOCK + AROUND;
        if end <= searched || !is_suspicious(&text.as_bytes()[at..text.len().min(at + BLOCK / 4)]) {
            continue;
        }
        let start = at.saturating_sub(AROUND);
        if start > searched {
            let before = &text.as_bytes()[searched..start];
            searched += before.iter().rposition(u8::is_ascii_whitespace).unwrap_or(0);
            stretch = Stretch::default();
        }
        while searched < text.len().min(end) {
            let rest = &text[searched..];
            let start = searched + rest.len() - rest.trim_start_matches(is_separator).len();
            let length = text[start..].find(is_separator).unwrap_or(text.len() - start);
            let is_line = text[searched..start].contains('\n');
            searched = start + length;
            if let Some(words) = stretch.add(Word::new(text, start..searched, is_line)) {
                return Some(disguise(text, words));
            }
        }
    }
    None
}

/// Describes the words of a stretch, given by the byte ranges of all of them.
fn disguise(text: &str, words: &[Word]) -> Disguise {
    let offset = words[0].range.start;
    let first = &text[offset..words[words.len().min(EXAMPLE_WORDS) - 1].range.end];
    let example: String = first
        .chars()
        .take(EXAMPLE_LETTERS)
        .map(|letter| if letter.is_whitespace() { ' ' } else { letter })
        .collect();
    Disguise { trick: Trick::NotRecognized, words: words.len(), offset: Some(offset), example }
}

/// The largest numbers of words and of characters of an example.
const EXAMPLE_WORDS: usize = 4;
const EXAMPLE_LETTERS: usize = 40;

/// Reports whether a part of a text may belong to a stretch that looks like no language. Most parts
/// that do not are passed over.
fn is_suspicious(part: &[u8]) -> bool {
    let count = |is: fn(u8) -> bool| part.iter().filter(|byte| is(**byte)).count();
    let letters = count(|byte| byte.is_ascii_alphabetic());
    let spaces = count(|byte| byte == b' ');
    let words = part.windows(2).filter(|it| it[0] == b' ' && it[1].is_ascii_alphabetic()).count();
    // The first bytes of Greek, Cyrillic and combining letters, of thin spaces, of symbols and of
    // phonetic letters.
    let strange = count(|byte| matches!(byte, 0xc9..=0xd4 | 0xe1 | 0xe2));
    let mut last = [0; 2];
    let mut rare = 0;
    for byte in part {
        let sign = SIGN_OF_BYTE[usize::from(*byte)];
        rare += usize::from(is_rare([last[0], last[1], sign]));
        last = [last[1], sign];
    }
    // Of code and tables, more is digits and symbols than of any stretch that counts.
    let code = count(|byte| byte.is_ascii_digit() || b"_=<>{}[]()/\\|#*+&$@^~`".contains(&byte));
    letters * 4 > part.len()
        && code * 8 < part.len()
        && (rare * 6 > letters
            || words * 4 > part.len()
            || spaces * 40 < part.len()
            || strange * 20 > part.len())
}

/// The sign of each byte; for one that is not ASCII, a sign that follows everything.
static SIGN_OF_BYTE: [u8; 256] = {
    let mut signs = [0; 256];
    let mut byte = u8::MIN;
    loop {
        let lower = byte.to_ascii_lowercase();
        signs[byte as usize] = match lower {
            b'a'..=b'z' => lower - b'a' + 1,
            0x80.. => 31,
            _ => 0,
        };
        if byte == u8::MAX {
            break signs;
        }
        byte += 1;
    }
};

/// Returns the sign of a letter; `None` if it is not a letter of the Latin alphabet.
fn sign(letter: char) -> Option<u8> {
    let base = match letter {
        'A'..='Z' | 'a'..='z' => letter,
        'ß' => 's',
        'Æ' | 'æ' | 'ə' | 'Ə' => 'a',
        'Ø' | 'ø' | 'Œ' | 'œ' | 'Ɔ' | 'ɔ' => 'o',
        'Ɛ' | 'ɛ' => 'e',
        'Ł' | 'ł' => 'l',
        'Đ' | 'đ' | 'Ð' | 'ð' | 'Ɗ' | 'ɗ' => 'd',
        'Þ' | 'þ' | 'Ŧ' | 'ŧ' => 't',
        'ı' => 'i',
        'Ŋ' | 'ŋ' => 'n',
        'Ħ' | 'ħ' => 'h',
        'Ɓ' | 'ɓ' => 'b',
        'Ƙ' | 'ƙ' => 'k',
        _ => letter.nfd().next()?,
    };
    base.is_ascii_alphabetic().then(|| base.to_ascii_lowercase() as u8 - b'a' + 1)
}

/// Reports whether a character separates words. A thin space between letters may not.
fn is_separator(letter: char) -> bool {
    letter.is_whitespace() && !matches!(letter, '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}')
}

/// A word with what tells whether it is one of a language.
#[derive(Clone, Debug, Default)]
struct Word {
    range: Range<usize>,
    /// The word without marks, for a count of distinct words.
    signs: Vec<u8>,
    counts: Counts,
    /// Whether the word is as long as only several words are.
    is_glued: bool,
}

/// What is counted of words.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    /// Words of Latin letters that are no capitals, but the first perhaps.
    plain: u32,
    /// Words that are no words of prose: with digits, symbols or several capitals.
    other: u32,
    /// Words of the letters of two alphabets, or with rare characters between letters.
    mixed: u32,
    /// Words with a mark of a sentence behind them.
    stops: u32,
    /// Words that begin a line.
    lines: u32,
    /// Plain words of several letters without a vowel.
    vowelless: u32,
    /// Plain words that begin with a capital.
    capitals: u32,
    letters: u32,
    triples: u32,
    /// Triples that hardly any language has.
    rare: u32,
    /// The same for each word read from its end.
    turned: u32,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.plain += other.plain;
        self.other += other.other;
        self.mixed += other.mixed;
        self.stops += other.stops;
        self.lines += other.lines;
        self.vowelless += other.vowelless;
        self.capitals += other.capitals;
        self.letters += other.letters;
        self.triples += other.triples;
        self.rare += other.rare;
        self.turned += other.turned;
    }
}

/// Reports whether a character is of an alphabet that is mixed with Latin letters for their looks.
fn is_of_another_alphabet(letter: char) -> bool {
    matches!(letter, '\u{370}'..='\u{58f}' | '\u{10a0}'..='\u{10ff}' | '\u{13a0}'..='\u{13ff}'
        | '\u{1d00}'..='\u{1dbf}' | '\u{1f00}'..='\u{1fff}' | '\u{2c00}'..='\u{2dff}' | '\u{a4d0}'..='\u{a4ff}'
        | '\u{10280}'..='\u{10fff}' | '\u{118a0}'..='\u{118ff}')
}

/// Reports whether a character that is neither a letter nor a digit is rare between letters.
fn is_rare_between_letters(letter: char) -> bool {
    !letter.is_ascii()
        && !is_combining_mark(letter)
        && !matches!(letter, '\u{fffd}' | '\u{a0}'..='\u{bf}' | '\u{200b}'..='\u{201f}' | '\u{2026}' | '\u{2027}' | '\u{2032}'..='\u{203a}')
        || letter == '\u{a6}'
}

/// The marks behind a word, or between glued words, of a sentence.
const STOPS: [char; 6] = ['.', ',', ';', ':', '!', '?'];

/// Reports whether a word begins like no word of a sentence, but like one of code.
fn is_code(written: &str) -> bool {
    let quotes = ['\'', '"', '`'];
    let is_quoted = written.trim_end_matches(STOPS).ends_with(quotes);
    written.starts_with(|first: char| {
        first.is_ascii_punctuation() && first != '(' && (is_quoted || !quotes.contains(&first))
    })
}

impl Word {
    fn new(text: &str, range: Range<usize>, is_line: bool) -> Self {
        let written = &text[range.clone()];
        let core = written.trim_matches(|letter: char| !letter.is_alphanumeric());
        let mut signs = vec![0];
        let (mut latin, mut foreign, mut junk, mut capitals, mut harmless) = (0, 0, 0, 0, 0);
        let mut symbols = u32::from(is_code(written));
        for letter in core.chars() {
            if let Some(sign) = sign(letter) {
                signs.push(sign);
                latin += 1;
                capitals += u32::from(letter.is_uppercase());
            } else if letter.is_alphabetic() {
                foreign += u32::from(is_of_another_alphabet(letter));
                symbols += u32::from(!is_of_another_alphabet(letter));
            } else if matches!(letter, '\'' | '’' | '-' | '‐' | '–' | '—') {
                signs.push(0);
            } else if !is_combining_mark(letter) {
                junk += u32::from(is_rare_between_letters(letter));
                harmless += u32::from(
                    STOPS.contains(&letter) || "()\"“”«»".contains(letter) || letter.is_numeric(),
                );
                symbols += 1;
            }
        }
        signs.push(0);
        let mut counts = Counts {
            lines: is_line.into(),
            stops: written.ends_with(STOPS).into(),
            letters: latin,
            ..Counts::default()
        };
        let is_capitalized = core.starts_with(char::is_uppercase);
        if latin > 0 && foreign + junk > 0 && symbols == junk {
            counts.mixed = 1;
        } else if latin > 1 && foreign + symbols == 0 && capitals <= u32::from(is_capitalized) {
            counts.plain = 1;
            counts.capitals = is_capitalized.into();
            let is_vowel = |sign: &u8| [1, 5, 9, 15, 21, 25].contains(sign);
            counts.vowelless = u32::from(!signs.iter().any(is_vowel));
            for triple in signs.windows(3) {
                let [first, second, third] = [triple[0], triple[1], triple[2]];
                counts.triples += u32::from(second > 0);
                counts.rare += u32::from(is_rare([first, second, third]));
                counts.turned += u32::from(is_rare([third, second, first]));
            }
        } else {
            counts.other = u32::from(symbols > 0 || latin > 1);
        }
        // No address, no code, and no sequence of a few letters.
        let is_glued = latin >= GLUED[1]
            && foreign == 0
            && symbols == harmless
            && harmless * 12 < latin
            && capitals * 10 < latin
            && signs.iter().collect::<HashSet<_>>().len() > 10;
        Self { range, signs, counts, is_glued }
    }
}

/// The last words of a text.
#[derive(Debug, Default)]
struct Stretch {
    words: Vec<Word>,
    /// The number of the last words that are glued ones, and that of their letters.
    glued: (usize, u32),
}

/// The number of words by which a stretch moves on.
const STEP: usize = 5;

impl Stretch {
    /// Adds the next word of the text. Returns the words of the stretch that now looks like no
    /// language, if any.
    fn add(&mut self, word: Word) -> Option<&[Word]> {
        let (words, letters) = self.glued;
        self.glued =
            if word.is_glued { (words + 1, letters + word.counts.letters) } else { (0, 0) };
        self.words.push(word);
        let (words, letters) = self.glued;
        if letters >= GLUED[0] {
            return Some(&self.words[self.words.len().saturating_sub(words)..]);
        }
        if self.words.len() > WORDS as usize {
            self.words.drain(..STEP);
        }
        (self.words.len() == WORDS as usize && self.is_of_no_language()).then_some(&self.words)
    }

    /// Reports whether the words look like those of no language.
    fn is_of_no_language(&self) -> bool {
        let mut of = Counts::default();
        for word in &self.words {
            of += word.counts;
        }
        if of.mixed * 4 >= WORDS {
            return true;
        }
        let is_prose = of.plain * 10 >= 7 * WORDS
            && of.capitals * 10 < 4 * WORDS
            && of.other * 5 <= WORDS
            && of.lines * 3 <= WORDS
            && (1..=20).contains(&of.stops);
        if !is_prose {
            return false;
        }
        let share = |count: u32, of: u32| f64::from(count) / f64::from(of.max(1));
        let rare = share(of.rare, of.triples);
        let turned = share(of.turned, of.triples);
        let letters = share(of.letters, WORDS);
        let distinct = || self.words.iter().map(|word| &*word.signs).collect::<HashSet<_>>().len();
        rare > 0.3
            || rare > 0.22 && distinct() * 100 >= 96 * WORDS as usize
            || rare > 0.12 && rare - turned > 0.06
            || of.other == 0 && letters < 3.5 && share(of.vowelless, of.plain) > 0.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGLISH: &str = "The keeper of the old lighthouse climbed the narrow stairs every evening, \
        and before the lamp was lit he looked out over the grey water for a long while. His wife said \
        that he was counting the boats; he himself never said what it was that he counted. On the \
        last day of October, when the wind had turned to the north, there was nothing to count.";

    const GERMAN: &str = "Der Wärter des alten Leuchtturms stieg jeden Abend die enge Treppe hinauf, \
        und bevor die Lampe brannte, sah er lange über das graue Wasser. Seine Frau sagte, dass er die \
        Boote zähle; er selbst sagte nie, was er eigentlich zählte. Am letzten Tag des Oktobers, als \
        der Wind nach Norden gedreht hatte, gab es nichts mehr zu zählen, und er ging früh zu Bett.";

    const SWAHILI: &str = "Mlinzi wa mnara wa zamani alipanda ngazi nyembamba kila jioni, na kabla ya \
        kuwasha taa aliangalia bahari kwa muda mrefu. Mke wake alisema kwamba alikuwa anahesabu \
        mashua; yeye mwenyewe hakusema kamwe alichokuwa anahesabu. Siku ya mwisho ya mwezi wa kumi, \
        upepo ulipogeuka kutoka kaskazini, hapakuwa na kitu cha kuhesabu, naye akaenda kulala mapema.";

    const CODE: &str = "let mut idx = ptr.add(len); if idx < max && !buf.is_empty() { fn_tbl[idx] = \
        xs; } else { return Err(e); } for (k, v) in map.iter() { tx.send((k, v)); } while let \
        Some(x) = rx.recv() { acc += x; cnt += 1; } assert_eq!(acc, 42); drop(tx); let s = &buf[..n]; \
        match s { b\"q\" => vec![], _ => s.chunks(4).map(|c| u32::from(c)).collect() } mov eax, ebx;";

    fn each_word(text: &str, change: impl Fn(&str) -> String) -> String {
        let mut changed = String::new();
        for part in text.split_inclusive(|letter: char| !letter.is_alphabetic()) {
            let word = part.trim_end_matches(|letter: char| !letter.is_alphabetic());
            changed += &(change(word) + &part[word.len()..]);
        }
        changed
    }

    fn halves(word: &str, between: &str) -> String {
        let letters: Vec<char> = word.chars().collect();
        let (first, last) = letters.split_at(letters.len() / 2);
        if first.is_empty() {
            return word.to_owned();
        }
        first.iter().chain(&between.chars().collect::<Vec<_>>()).chain(last).collect()
    }

    fn rot13(word: &str) -> String {
        let turned = |letter: char| match letter {
            'a'..='m' | 'A'..='M' => char::from(letter as u8 + 13),
            'n'..='z' | 'N'..='Z' => char::from(letter as u8 - 13),
            other => other,
        };
        word.chars().map(turned).collect()
    }

    #[test]
    fn honest_texts_are_recognized() {
        let numbers = "17 0x11 204 0xcc 3.14 1e-9 #4a ".repeat(30);
        let names = "Krzysztof Szczepański, Nguyễn Thị Hương, Bjørn Þórðarson, ".repeat(20);
        for text in ["", ENGLISH, GERMAN, SWAHILI, CODE, &numbers, &names, &"GATTACA".repeat(99)] {
            assert_eq!(unrecognized(text), None, "{text}");
        }
        assert_eq!(unrecognized(&[ENGLISH, GERMAN, SWAHILI, CODE].concat().repeat(30)), None);
    }

    #[test]
    fn words_of_no_language_are_found() {
        let change: [(&str, fn(&str) -> String, &str); 6] = [
            ("turned", |word| word.chars().rev().collect(), "ehT repeek fo eht"),
            ("rot13", rot13, "Gur xrrcre bs gur"),
            ("inserted", |word| halves(word, "zq"), "Tzqhe keezqper ozqf tzqhe"),
            ("replaced", |word| word.replace('e', "x"), "Thx kxxpxr of thx"),
            ("thin spaces", |word| halves(word, "\u{200a}"), "T he kee per o f t he"),
            ("symbols", |word| halves(word, "\u{2022}"), "T•he kee•per o•f t•he"),
        ];
        for (name, change, example) in change {
            let found = unrecognized(&each_word(ENGLISH, change)).unwrap();
            let expected = Disguise {
                trick: Trick::NotRecognized,
                words: WORDS as usize,
                offset: Some(0),
                example: example.to_owned(),
            };
            assert_eq!(found, expected, "{name}");
            let german = each_word(GERMAN, change);
            assert!(name == "turned" || unrecognized(&german).is_some(), "{name}: {german}");
        }
    }

    #[test]
    fn glued_and_split_words_are_found() {
        let glued = ENGLISH.repeat(2).replace(' ', "");
        let found = unrecognized(&glued).unwrap();
        assert_eq!((found.words, &*found.example), (1, &glued[..EXAMPLE_LETTERS]));
        let split = each_word(ENGLISH, |word| halves(word, " "));
        assert_eq!(unrecognized(&split).unwrap().example, "T he kee per");
    }

    #[test]
    fn a_paragraph_is_found_wherever_it_is() {
        let turned = each_word(ENGLISH, rot13);
        for before in 0..300 {
            let text = [&"in ".repeat(before), ENGLISH, "\n\n", &turned, "\n\n", GERMAN].concat();
            let start = text.len() - turned.len() - 2 - GERMAN.len();
            let found = unrecognized(&text).unwrap();
            assert_eq!(found.trick, Trick::NotRecognized);
            assert!(found.offset.unwrap().abs_diff(start) < 200, "{before}");
        }
    }
}
