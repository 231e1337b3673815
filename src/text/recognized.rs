//! Finds stretches whose words are hardly words of a language, whichever tricks made them so.
//!
//! Input: a text as its reader sees it, as far as that is known. Output: the first stretch of 50
//! words, or of 240 glued letters, that looks like no language. It is no list of tricks: which three
//! letters follow each other is much alike in all languages of an alphabet, and random, replaced,
//! inserted or reversed letters make other triples. Words of two alphabets, with rare characters
//! between letters, glued words and split ones are counted as well. Nothing is known of scripts
//! that are not in [`ALPHABETS`], such as Han, Hangul, Kana, Thai and Ethiopic; there, only what
//! mixes them with letters of these alphabets is found.
//!
//! What is not prose is skipped: words in capitals, with digits or with symbols, such as code, and
//! lines of one or two words, such as lists.
//!
//! Samples of 64 bytes are taken of a text. Only around those that look suspicious, which are few in
//! nearly all texts, words are looked at. Up to 128 kB there is a sample in each 256 bytes, so that
//! every paragraph has one; in a text of 4 MB or more, there is one in each 8 kB.

use std::collections::HashSet;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::disguises::{Disguise, Trick};

/// The number of words of a stretch.
const WORDS: u32 = 50;

/// The number of letters of a stretch of glued words, and of each of them.
const GLUED: [u32; 2] = [240, 40];

/// The alphabets whose letter triples are known. Letters that no space separates have one sign, and
/// so have letters that differ only in their marks. The letters of the other Indic scripts have the
/// signs of their counterparts in Devanagari.
pub const ALPHABETS: [&str; 8] = [
    "aæəɑ bɓ c dđðɖɗ eɛǝ f gɣ hħ iı j kƙ l mɱ nŋɲ oøœɔ p q r sßʃ tþŧ uʊ v w x y zʒ",
    "аә б вѵ гґғ дђ еєэѣ жҗ зѕҙ иі йј кқҡ лљ м нњң оө п р с тћ уўүұ ф хҳһ цџ чҷ шщ ъь ы ю я",
    "αά β γ δ εέ ζ ηή θ ιίϊΐ κ λ μ ν ξ οό π ρ σ ς τ υύϋΰ φ χ ψ ωώ",
    "א ב ג ד ה ו ז ח ט י ך כ ל ם מ ן נ ס ע ף פ ץ צ ק ר ש ת",
    "اأإآ\u{671}ى بپ تٹ ثټ ج حځ خ دډڈ ذ رڑړ زژ سښ شچ ص ض ط ظ ع غ ف ق كکگ ل م نںڼ هہھة وؤ يئیےې ء",
    "क खट ग घड च छझ ज ठथ त दढ ध नऩ प ङञणफ ब भळऴ म य रऱ ल व शष स ह अआइईउऊऋएऐऍऎओऔऑऒ ाँंः िीेैॅॆ ुूृोौॉॊ ्",
    "ა ბ გ დ ე ვ ზჟ თ ი კ ლ მ ნ ო პ რ ს ტ უ ფ ქ ღ ყ შ ჩ ცძ წჭ ხ ჯჰ",
    "ա բ գ դ եէ զժ ը թ ի լ խ ծց կք հ ձ ղ ճջ մ յ ն շչ ոօ պփ ռր ս վ տ ևֆ ւ",
];

/// The first code point after those of the alphabets.
const END: usize = 0x1100;

/// The part of a sign that is the number of a letter in its alphabet, from 1 to 29. The rest is the
/// number of the alphabet. 0 is the beginning or end of a word.
const LETTER: u8 = 0x1f;

static SIGNS: [u8; END] = signs();

const fn signs() -> [u8; END] {
    let mut signs = [0; END];
    let (mut alphabet, mut first) = (0, 1_u8);
    while alphabet < ALPHABETS.len() {
        let letters = ALPHABETS[alphabet].as_bytes();
        let (mut sign, mut at) = (first, 0);
        while at < letters.len() {
            let byte = letters[at] as usize;
            let (letter, length) = match byte {
                0..0x80 => (byte, 1),
                0x80..0xe0 => ((byte & 0x1f) << 6 | letters[at + 1] as usize & 0x3f, 2),
                _ => {
                    let low = letters[at + 1] as usize & 0x3f;
                    ((byte & 0xf) << 12 | low << 6 | letters[at + 2] as usize & 0x3f, 3)
                }
            };
            if byte == b' ' as usize {
                sign += 1;
            } else {
                signs[letter] = sign;
                let upper = match letter {
                    0x61..0x7b | 0x3b1..0x3ca | 0x430..0x450 => letter - 0x20,
                    0x450..0x460 => letter - 0x50,
                    0x561..0x587 => letter - 0x30,
                    _ => letter,
                };
                signs[upper] = sign;
                // The blocks of the other Indic scripts are parallel to that of Devanagari.
                let mut other = letter + 0x80;
                while letter & !0x7f == 0x900 && other < 0xd80 {
                    signs[other] = sign;
                    other += 0x80;
                }
            }
            at += length;
        }
        alphabet += 1;
        first = first.wrapping_add(LETTER + 1);
    }
    signs
}

/// Returns the sign of a letter; 0 if it is of no alphabet.
pub fn sign(letter: char) -> u8 {
    let known = |letter: char| SIGNS.get(letter as usize).copied().unwrap_or(0);
    let lower = || letter.to_lowercase().next().unwrap_or(letter);
    match known(letter) {
        0 if letter < '\u{c0}' => 0,
        0 if known(lower()) > 0 => known(lower()),
        0 => lower().nfd().next().map_or(0, known),
        sign => sign,
    }
}

/// Returns the number of signs of an alphabet, 0 included.
pub const fn sign_count(alphabet: usize) -> usize {
    let letters = ALPHABETS[alphabet].as_bytes();
    let (mut count, mut at) = (2, 0);
    while at < letters.len() {
        count += (letters[at] == b' ') as usize;
        at += 1;
    }
    count
}

/// For each alphabet and each two of its signs, the set of the signs that often follow them in a
/// language, as bits.
///
/// The file is printed by `examples/letter_triples`. It has a line for each alphabet and first sign,
/// with five digits of six bits, from `?`, for each second sign.
static FOLLOWING: [u32; ALPHABETS.len() << 10] = following(include_bytes!("letter_triples.txt"));

#[expect(clippy::large_stack_arrays, reason = "the compiler evaluates it")]
const fn following(file: &[u8]) -> [u32; ALPHABETS.len() << 10] {
    let mut table = [u32::MAX; ALPHABETS.len() << 10];
    let (mut alphabet, mut at) = (0, 0);
    while alphabet < ALPHABETS.len() {
        let signs = sign_count(alphabet);
        let mut pair = 0;
        while pair < signs * signs {
            let (mut bits, end) = (0, at + 5);
            while at < end {
                // A file of other alphabets is no error: with it, the next one is printed.
                let is_digit = at < file.len() && file[at] >= b'?';
                bits = bits << 6 | if is_digit { (file[at] - b'?') as u32 } else { 0 };
                at += 1;
            }
            // Between two words, and with a sign of no letter, no triple is rare.
            if pair % signs > 0 {
                table[alphabet << 10 | (pair / signs) << 5 | (pair % signs)] = bits | !0 << signs;
            }
            pair += 1;
            at += (pair % signs == 0) as usize;
        }
        alphabet += 1;
    }
    table
}

/// Reports whether a sign hardly ever follows two others.
fn is_rare([first, second, third]: [u8; 3]) -> bool {
    let [alphabet, first, second] = [second >> 5, first & LETTER, second & LETTER].map(usize::from);
    FOLLOWING[alphabet << 10 | first << 5 | second] >> (third & LETTER) & 1 == 0
}

const SAMPLE: usize = 64;

/// The smallest and the largest number of bytes from one sample to the next.
const SAMPLE_STEPS: [usize; 2] = [256, 8192];

/// The number of bytes on either side of a sample in which a stretch that is partly in it is looked
/// for.
const AROUND: usize = 450;

/// Returns the first stretch of a text that looks like no language; `None` if there is none, as in
/// an empty text. The cost is linear in the length of the text.
pub fn unrecognized(text: &str) -> Option<Disguise> {
    let (mut stretch, mut searched) = (RecentWords::default(), 0);
    let part = |start: usize, end: usize| {
        &text[text.floor_char_boundary(start)..text.floor_char_boundary(end)]
    };
    for at in (0..text.len()).step_by((text.len() / 512).clamp(SAMPLE_STEPS[0], SAMPLE_STEPS[1])) {
        let end = at + SAMPLE;
        if end + AROUND <= searched
            || !is_suspicious(part(at, end), 12)
            || !is_suspicious(part(at, at + 4 * SAMPLE), 7)
                && !is_suspicious(part(end.saturating_sub(4 * SAMPLE), end), 7)
        {
            continue;
        }
        let start = at.saturating_sub(AROUND);
        if start > searched {
            let before = &text.as_bytes()[searched..start];
            searched += before.iter().rposition(u8::is_ascii_whitespace).unwrap_or(0);
            stretch = RecentWords::default();
        }
        while searched < text.len().min(end + AROUND) {
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

/// Reports whether a part of a text may be of a stretch that looks like no language. Of the triples,
/// more than one in `limit` are rare, or more than if the words were read from their ends.
fn is_suspicious(part: &str, limit: u32) -> bool {
    let [mut length, mut letters, mut words, mut rare, mut reversed, mut strange] = [0; 6];
    // The last two signs, and their alphabet, as an index in `FOLLOWING`.
    let mut last = 0;
    let mut count = |alphabet: usize, sign: usize| {
        let (first, second) = (last >> 5 & 0x1f, last & 0x1f);
        length += 1;
        letters += u32::from(sign > 0 && sign < 0x1f);
        words += u32::from(sign == 0 && second > 0);
        strange += u32::from(alphabet != last >> 10 && second > 0);
        rare += FOLLOWING[last] >> sign & 1 ^ 1;
        reversed += FOLLOWING[last & !0x3ff | sign << 5 | second] >> first & 1 ^ 1;
        last = alphabet << 10 | second << 5 | sign;
    };
    if part.is_ascii() {
        part.bytes().for_each(|byte| count(0, usize::from(SIGNS[usize::from(byte)] & LETTER)));
    } else {
        let mut alphabet = 0;
        for letter in part.chars() {
            let sign = match (SIGNS.get(letter as usize), letter) {
                (Some(sign @ 1..), _) => *sign,
                (_, '\0'..'\u{c0}' | '\u{2010}'..'\u{2020}' | '\u{2026}') => 0,
                // Of characters of no alphabet, those that are mixed with others for their looks.
                (
                    _,
                    '\u{240}'..'\u{300}'
                    | '\u{370}'..'\u{590}'
                    | '\u{10a0}'..'\u{1e00}'
                    | '\u{1f00}'..'\u{2e80}',
                ) => u8::MAX,
                _ => LETTER,
            };
            if sign > 0 {
                alphabet = usize::from(sign >> 5);
            }
            count(alphabet, usize::from(sign & LETTER));
        }
    }
    let is_strange = strange * 20 > length;
    // Of code and tables, more is digits and symbols than of any stretch that counts.
    let is_code = |byte: &u8| b"0123456789_=<>{}[]()/\\|#*+&$@^~`".contains(byte);
    (rare * limit > letters
        || rare > reversed + letters / 32
        || words * 3 > letters
        || words * 15 < letters
        || is_strange)
        && (letters * 4 > length || is_strange)
        && part.bytes().filter(is_code).count() * 8 < part.len()
}

/// Reports whether a character separates words. A thin space between letters may not.
fn is_separator(letter: char) -> bool {
    letter.is_whitespace() && !matches!(letter, '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}')
}

/// A word, and the counts that show whether it looks like a word of a language.
#[derive(Clone, Debug, Default)]
struct Word {
    range: Range<usize>,
    /// A hash of its signs, for a count of distinct words.
    hash: u32,
    /// The number of its letters, if they are as many as only several words have; else 0.
    glued: u32,
    counts: WordCounts,
}

#[derive(Clone, Copy, Debug, Default)]
struct WordCounts {
    /// Words of letters of one alphabet that are no capitals, but the first perhaps.
    plain: u32,
    /// Words that are no words of prose: with digits, symbols or several capitals.
    other: u32,
    /// Words of the letters of two alphabets, or with rare characters between letters.
    mixed: u32,
    /// Words with a mark of a sentence behind them.
    stops: u32,
    /// Words that begin a line.
    lines: u32,
    /// Plain words of Latin letters.
    latin: u32,
    /// Plain words of several Latin letters without a vowel.
    vowelless: u32,
    /// Plain words that begin with a capital.
    capitals: u32,
    /// Plain words of one letter.
    single: u32,
    /// The letters of plain words.
    letters: u32,
    /// The triples of plain words.
    triples: u32,
    /// Triples that hardly any language has.
    rare: u32,
    /// The same for each word read from its end.
    reversed: u32,
}

/// Reports whether a letter that has no sign is mixed with others for its looks.
fn is_lookalike(letter: char) -> bool {
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
const STOPS: [char; 11] = ['.', ',', ';', ':', '!', '?', '،', '؛', '؟', '।', '։'];

/// The vowels of the Latin alphabet: the set of their signs, as bits.
const VOWELS: u32 = 1 << 1 | 1 << 5 | 1 << 9 | 1 << 15 | 1 << 21 | 1 << 25;

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
        let mut of = WordCounts::default();
        let (mut hash, mut signs, mut last) = (0_u32, 0_u32, [0; 2]);
        let [mut mixed, mut small, mut rare, mut harmless, mut capitals] = [0; 5];
        let mut symbols = u32::from(is_code(written));
        for letter in core.chars().chain(['-']) {
            let mut next = sign(letter);
            if next > 0 {
                of.letters += 1;
                capitals += u32::from(letter.is_uppercase());
                signs |= 1 << (next & LETTER);
                hash = (hash ^ u32::from(next)).wrapping_mul(0x0100_0193);
                if last[1] > 0 && next >> 5 != last[1] >> 5 {
                    mixed += 1;
                    next = 0;
                }
            } else if letter.is_alphabetic() {
                // Small capitals are hardly in any word of a language.
                small += u32::from(matches!(letter, '\u{1d00}'..='\u{1d2b}'));
                mixed += u32::from(is_lookalike(letter));
                symbols += u32::from(!is_lookalike(letter));
                continue;
            } else if is_combining_mark(letter) || "\u{200c}\u{200d}\u{640}".contains(letter) {
                continue;
            } else if !matches!(letter, '\'' | '’' | '-' | '‐' | '–' | '—' | '־') {
                rare += u32::from(is_rare_between_letters(letter));
                let is_harmless = STOPS.contains(&letter) || "()\"“”«»".contains(letter);
                harmless += u32::from(is_harmless || letter.is_numeric());
                symbols += 1;
                continue;
            }
            if last[1] > 0 {
                of.triples += 1;
                of.rare += u32::from(is_rare([last[0], last[1], next]));
                of.reversed += u32::from(is_rare([next, last[1], last[0]]));
            }
            last = [last[1], next];
        }
        // No address, no code, and no sequence of a few letters.
        let is_glued = of.letters >= GLUED[1]
            && mixed * 16 < of.letters
            && (symbols - harmless) * 40 < of.letters
            && symbols * 12 < of.letters
            && capitals * 10 < of.letters
            && signs.count_ones() > 10;
        let glued = if is_glued { of.letters } else { 0 };
        let is_capitalized = core.starts_with(char::is_uppercase);
        if of.letters > 0 && mixed + symbols == 0 && capitals <= u32::from(is_capitalized) {
            of.plain = 1;
            of.capitals = is_capitalized.into();
            of.single = (of.letters == 1).into();
            of.latin = (last[0] < 0x20).into();
            of.vowelless = (of.letters > 1 && last[0] < 0x20 && signs & VOWELS == 0).into();
        } else {
            of = WordCounts {
                other: (symbols > 0 || of.letters > 1).into(),
                ..WordCounts::default()
            };
            if small > 0 || signs > 0 && mixed + rare > 0 && symbols == rare {
                (of.mixed, of.other) = (1, 0);
            }
        }
        of.lines = is_line.into();
        of.stops = written.ends_with(STOPS).into();
        Self { range, hash, glued, counts: of }
    }
}

/// The last words of a text.
#[derive(Debug, Default)]
struct RecentWords {
    words: Vec<Word>,
    /// The number of the last words that are glued ones, and that of their letters.
    glued: (usize, u32),
}

/// The number of words by which a stretch moves on.
const STEP: usize = 5;

impl RecentWords {
    /// Adds the next word of the text. Returns the words of the stretch that now looks like no
    /// language, if any.
    fn add(&mut self, word: Word) -> Option<&[Word]> {
        let (words, letters) = self.glued;
        self.glued = if word.glued > 0 { (words + 1, letters + word.glued) } else { (0, 0) };
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
        let all = |count: fn(&WordCounts) -> u32| -> u32 {
            self.words.iter().map(|word| count(&word.counts)).sum()
        };
        if all(|it| it.mixed) * 4 >= WORDS {
            return true;
        }
        let [plain, other] = [all(|it| it.plain), all(|it| it.other)];
        let is_prose = plain * 10 >= 7 * WORDS
            && all(|it| it.capitals) * 10 < 4 * WORDS
            && other * 5 <= WORDS
            && all(|it| it.lines) * 3 <= WORDS
            && (1..=20).contains(&all(|it| it.stops));
        if !is_prose {
            return false;
        }
        let share = |count: u32, of: u32| f64::from(count) / f64::from(of.max(1));
        let triples = all(|it| it.triples);
        let rare = share(all(|it| it.rare), triples);
        let letters = share(all(|it| it.letters), plain);
        // The fewer languages the table has of an alphabet, the more triples of a text are new to it.
        rare > if all(|it| it.latin) * 2 > plain { 0.17 } else { 0.24 }
            || rare > 0.03 && rare - share(all(|it| it.reversed), triples) > 0.025
            || other <= 2 && letters < 3.5 && share(all(|it| it.vowelless), plain) > 0.1
            || other <= 2 && letters < 3.0 && self.distinct() * 100 >= 78 * WORDS as usize
            || all(|it| it.single) * 10 >= 8 * WORDS && self.distinct() >= 12
    }

    /// Returns the number of distinct words. Halves of words recur less often than the short words of
    /// a language do.
    fn distinct(&self) -> usize {
        self.words.iter().map(|word| word.hash).collect::<HashSet<_>>().len()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

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

    /// The beginning of the Universal Declaration of Human Rights in Russian, Greek, Hebrew, Arabic and
    /// Hindi.
    const DECLARATION: [&str; 5] = [
        "Принимая во внимание, что признание достоинства, присущего всем членам человеческой \
        семьи, и равных и неотъемлемых прав их является основой свободы, справедливости и \
        всеобщего мира; и принимая во внимание, что пренебрежение и презрение к правам \
        человека привели к варварским актам, которые возмущают совесть человечества, и что \
        создание такого мира, в котором люди будут иметь свободу слова и убеждений и будут \
        свободны от страха и нужды,",
        "Επειδή η αναγνώριση της αξιοπρέπειας, που είναι σύμφυτη σε όλα τα μέλη της ανθρώπινης \
        οικογένειας, καθώς και των ίσων και αναπαλλοτρίωτων δικαιωμάτων τους αποτελεί το \
        θεμέλιο της ελευθερίας, της δικαιοσύνης και της ειρήνης στον κόσμο. Επειδή η \
        παραγνώριση και η περιφρόνηση των δικαιωμάτων του ανθρώπου οδήγησαν σε πράξεις \
        βαρβαρότητας, που εξεγείρουν την ανθρώπινη συνείδηση, και η προοπτική ενός κόσμου όπου \
        οι άνθρωποι θα είναι",
        "הואיל והכרה בכבוד הטבעי אשר לכל בני משפחת האדם ובזכויותיהם השוות והבלתי נפקעות הוא \
        יסוד החופש, הצדק והשלום בעולם. הואיל והזלזול בזכויות האדם וביזוין הבשילו מעשים פראיים \
        שפגעו קשה במצפונה של האנושות; ובנין עולם, שבו ייהנו כל יצורי אנוש מחירות הדיבור \
        והאמונה ומן החירות מפחד וממחסור, הוכרז כראש שאיפותיו של כל אדם. הואיל והכרח חיוני הוא \
        שזכויות האדם תהיינה מוגנות בכוח שלטונו של החוק,",
        "لمّا كان الاعتراف بالكرامة المتأصلة في جميع أعضاء الأسرة البشرية وبحقوقهم المتساوية \
        الثابتة هو أساس الحرية والعدل والسلام في العالم. ولما كان تناسي حقوق الإنسان وازدراؤها \
        قد أفضيا إلى أعمال همجية آذت الضمير الإنساني. وكان غاية ما يرنو إليه عامة البشر انبثاق \
        عالم يتمتع فيه الفرد بحرية القول والعقيدة ويتحرر من الفزع والفاقة. ولما كان من الضروري \
        أن يتولى القانون حماية حقوق الإنسان لكيلا",
        "चूंकि मानव परिवार के सभी सदस्यों के जन्मजात गौरव और समान तथा अविच्छिन्न अधिकार की \
        स्वीकृति ही विश्व-शान्ति, न्याय और स्वतन्त्रता की बुनियाद है, चूंकि मानव अधिकारों के \
        प्रति उपेक्षा और घृणा के फलस्वरूप ही ऐसे बर्बर कार्य हुए जिनसे मनुष्य की आत्मा पर \
        अत्याचार किया गया, चूंकि एक ऐसी विश्व-व्यवस्था की उस स्थापना को ( जिसमें लोगों को भाषण \
        और धर्म की आज़ादी",
    ];

    fn each_word(text: &str, change: impl Fn(&str) -> String) -> String {
        let is_letter = |letter: char| letter.is_alphabetic() || is_combining_mark(letter);
        let mut changed = String::new();
        for part in text.split_inclusive(|letter: char| !is_letter(letter)) {
            let word = part.trim_end_matches(|letter: char| !is_letter(letter));
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
        for text in DECLARATION {
            assert_eq!(unrecognized(text), None, "{text}");
        }
        assert_eq!(unrecognized(&[ENGLISH, GERMAN, SWAHILI, CODE].concat().repeat(30)), None);
    }

    #[test]
    fn words_of_no_language_are_found() {
        let change: [(&str, fn(&str) -> String, &str); 6] = [
            ("reversed", |word| word.chars().rev().collect(), "ehT repeek fo eht"),
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
            assert!(name == "reversed" || unrecognized(&german).is_some(), "{name}: {german}");
        }
    }

    #[test]
    fn words_of_other_alphabets_are_found() {
        for text in DECLARATION {
            let letters: BTreeSet<char> =
                text.to_lowercase().chars().filter(|it| sign(*it) > 0).collect();
            let letters: Vec<char> = letters.into_iter().collect();
            let other = |letter: char| match letters.binary_search(&letter) {
                Ok(at) => letters[(at + letters.len() / 2) % letters.len()],
                Err(_) => letter,
            };
            let changes: [(&str, &dyn Fn(&str) -> String); 5] = [
                ("reversed", &|word| word.chars().rev().collect()),
                ("replaced", &|word| word.chars().map(other).collect()),
                ("inserted", &|word| word.chars().flat_map(|it| [it, other(it)]).collect()),
                ("thin spaces", &|word| halves(word, "\u{200a}")),
                ("glued", &str::to_owned),
            ];
            for (name, change) in changes {
                let mut written = each_word(text, change);
                if name == "glued" {
                    written.retain(|letter| letter != ' ');
                }
                assert!(unrecognized(&written).is_some(), "{name}: {written}");
            }
        }
    }

    /// Nearly all texts must cost no more than a look at their samples.
    #[test]
    fn samples_of_prose_are_not_suspicious() {
        for text in [ENGLISH, GERMAN, SWAHILI] {
            for at in (0..text.len()).step_by(SAMPLE_STEPS[0]) {
                let [start, end] = [at, at + SAMPLE].map(|at| text.floor_char_boundary(at));
                assert!(!is_suspicious(&text[start..end], 12), "{}", &text[start..end]);
            }
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
