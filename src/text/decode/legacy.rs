//! Old encodings that browsers do not know: the code pages of DOS, those of the Mac, and two of
//! Korean. Decodes them, and distinguishes them from the encodings that chardetng knows.
//!
//! Bytes in one of them are valid in windows-1252 as well, as other letters. So the text is decoded
//! in each candidate, and the words with letters beyond ASCII decide. Words that are stop words of
//! a language count for the candidate. Words that no language has, with a sign, a control character
//! or a capital after a small letter, count against it.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::quality::RandomState;
use oem_cp::code_table::DECODING_TABLE_CP_MAP;
use unicode_script::{Script, UnicodeScript};

use super::{Encoding, Form, decode};

/// The code pages of DOS, of the languages that most texts in them are in first.
const DOS: [u16; 15] = [850, 437, 852, 866, 855, 737, 857, 775, 865, 861, 860, 863, 869, 862, 720];

/// The encodings of the Mac that are not in the standard, each with its letters from 0x80 on
/// (unicode.org, Public/MAPPINGS/VENDORS/APPLE).
#[rustfmt::skip]
const MAC: [(&str, &str); 6] = [
    ("x-mac-ce", "ÄĀāÉĄÖÜáąČäčĆćéŹźĎíďĒēĖóėôöõúĚěü†°Ę£§•¶ß®©™ę¨≠ģĮįĪ≤≥īĶ∂∑łĻļĽľĹĺŅņŃ¬√ńŇ∆«»…\u{a0}ňŐÕőŌ–—“”‘’÷◊ōŔŕŘ‹›řŖŗŠ‚„šŚśÁŤťÍŽžŪÓÔūŮÚůŰűŲųÝýķŻŁżĢˇ"),
    ("x-mac-greek", "Ä¹²É³ÖÜ΅àâä΄¨çéèêë£™îï•½‰ôö¦€ùûü†ΓΔΘΛΞΠß®©ΣΪ§≠°·Α±≤≥¥ΒΕΖΗΙΚΜΦΫΨΩάΝ¬ΟΡ≈Τ«»…\u{a0}ΥΧΆΈœ–―“”‘’÷ΉΊΌΎέήίόΏύαβψδεφγηιξκλμνοπώρστθωςχυζϊϋΐΰ\u{ad}"),
    ("x-mac-turkish", "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“”‘’÷◊ÿŸĞğİıŞş‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙ\u{f8a0}\u{2c6}\u{2dc}¯˘˙˚¸˝˛ˇ"),
    ("x-mac-croatian", "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®Š™´¨≠ŽØ∞±≤≥∆µ∂∑∏š∫ªºΩžø¿¡¬√ƒ≈Ć«Č…\u{a0}ÀÃÕŒœĐ—“”‘’÷◊\u{f8ff}©⁄€‹›Æ»–·‚„‰ÂćÁčÈÍÎÏÌÓÔđÒÚÛÙı\u{2c6}\u{2dc}¯πË˚¸Êæˇ"),
    ("x-mac-romanian", "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ĂȘ∞±≤≥¥µ∂∑∏π∫ªºΩăș¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›Țț‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙı\u{2c6}\u{2dc}¯˘˙˚¸˝˛ˇ"),
    ("x-mac-icelandic", "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûüÝ°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€ÐðÞþý·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙı\u{2c6}\u{2dc}¯˘˙˚¸˝˛ˇ"),
];

/// An encoding of one byte for each character.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(in crate::text) enum SingleByte {
    /// A code page of DOS, by its number.
    Dos(u16),
    /// An encoding of [`MAC`], by its index.
    Mac(usize),
}

impl SingleByte {
    /// Returns the code page of DOS with a number; `None` if it is not known.
    fn dos(number: u16) -> Option<Self> {
        DECODING_TABLE_CP_MAP.contains_key(&number).then_some(Self::Dos(number))
    }

    /// Parses a label: `cp850`, `ibm850`, `x-mac-ce`.
    pub(super) fn from_label(label: &str) -> Option<Self> {
        let number = label.strip_prefix("cp").or_else(|| label.strip_prefix("ibm"));
        let mac = || MAC.iter().position(|(name, _)| *name == label).map(Self::Mac);
        number.and_then(|number| number.parse().ok()).and_then(Self::dos).or_else(mac)
    }

    pub(super) fn name(self) -> String {
        match self {
            Self::Dos(number) => format!("cp{number}"),
            Self::Mac(at) => MAC[at].0.to_owned(),
        }
    }

    /// Returns the characters of bytes; `None` for a byte that has none.
    pub(super) fn characters(self, bytes: &[u8]) -> Vec<Option<char>> {
        let letters: Vec<Option<char>> = match self {
            Self::Dos(number) => {
                let table = DECODING_TABLE_CP_MAP.get(&number);
                (0x80..=u8::MAX).map(|byte| table?.decode_char_checked(byte)).collect()
            }
            Self::Mac(at) => MAC[at].1.chars().map(Some).collect(),
        };
        let character = |byte: &u8| match byte.checked_sub(0x80) {
            Some(at) => letters[usize::from(at)],
            None => Some(char::from(*byte)),
        };
        bytes.iter().map(character).collect()
    }
}

// Korean: Johab (KS X 1001, annex 3), in which two bytes have the three letters of a syllable, and
// ISO-2022-KR, which switches between ASCII and the character set of EUC-KR.

/// The escape sequence with which a text in ISO-2022-KR begins.
const ISO_2022_KR: &[u8] = b"\x1b$)C";
const SHIFT_OUT: u8 = 0x0e;
const SHIFT_IN: u8 = 0x0f;

/// Returns the characters of Johab with their numbers of bytes; `None` for bytes that are none.
pub(super) fn johab(bytes: &[u8]) -> Vec<(Option<char>, usize)> {
    let mut characters = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, others @ ..] = rest {
        let (character, length) = match others {
            _ if first.is_ascii() => (Some(char::from(*first)), 1),
            [second, ..] => (syllable(u16::from_be_bytes([*first, *second])), 2),
            [] => (None, 1),
        };
        characters.push((character, length));
        rest = &rest[length..];
    }
    characters
}

/// Returns the syllable of the letters in two bytes, of five bits each.
fn syllable(pair: u16) -> Option<char> {
    let [initial, medial, last] = [10, 5, 0].map(|shift| u32::from(pair >> shift) & 0x1f);
    let initial = initial.checked_sub(2).filter(|initial| *initial < 19)?;
    let medial = match medial {
        3..=7 => medial - 3,
        10..=15 => medial - 5,
        18..=23 => medial - 7,
        26..=29 => medial - 9,
        _ => return None,
    };
    let last = match last {
        1..=17 => last - 1,
        19..=29 => last - 2,
        _ => return None,
    };
    char::from_u32(0xac00 + (initial * 21 + medial) * 28 + last)
}

/// Returns the bytes of a text in ISO-2022-KR as EUC-KR; `None` if it is in another encoding.
pub(super) fn iso_2022_kr(bytes: &[u8]) -> Option<Vec<u8>> {
    let start = memchr::memmem::find(bytes, ISO_2022_KR)?;
    let mut is_shifted = false;
    let rest = bytes[..start].iter().chain(&bytes[start + ISO_2022_KR.len()..]);
    let each = rest.filter_map(|byte| match byte {
        &SHIFT_OUT | &SHIFT_IN => {
            is_shifted = *byte == SHIFT_OUT;
            None
        }
        byte => Some(if is_shifted && *byte > b' ' { byte | 0x80 } else { *byte }),
    });
    bytes.is_ascii().then(|| each.collect())
}

// Detection.

/// The number of bytes that are decoded to compare encodings.
const SAMPLE: usize = 1 << 14;

/// The languages that texts in such encodings are in, each with its letters beyond ASCII.
#[rustfmt::skip]
const LANGUAGES: [(&str, &str); 29] = [
    ("af", "áèéêëíîïóôöúûü"),
    ("bg", "абвгдежзийклмнопрстуфхцчшщъьюя"),
    ("ca", "àçèéíïòóúü·"),
    ("cs", "áčďéěíňóřšťúůýž"),
    ("da", "æøåé"),
    ("de", "äöüß"),
    ("el", "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ"),
    ("es", "áéíñóúü"),
    ("et", "äõöüšž"),
    ("fi", "äöåšž"),
    ("fr", "àâæçéèêëîïôœùûüÿ"),
    ("gl", "áéíñóúüï"),
    ("hr", "čćđšž"),
    ("hu", "áéíóöőúüű"),
    ("it", "àèéìíîòóùú"),
    ("lt", "ąčęėįšųūž"),
    ("lv", "āčēģīķļņšūž"),
    ("nb", "æøåéòóô"),
    ("nl", "áéëèïóöüê"),
    ("pl", "ąćęłńóśźż"),
    ("pt", "áàâãçéêíóôõúü"),
    ("ro", "ăâîșțşţ"),
    ("ru", "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"),
    ("sk", "áäčďéíĺľňóôŕšťúýž"),
    ("sl", "čšž"),
    ("sr", "абвгдђежзијклљмнњопрстћуфхцчџш"),
    ("sv", "åäöé"),
    ("tr", "çğıöşüâîû"),
    ("uk", "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя"),
];

/// A bit for each of [`LANGUAGES`], and one for Korean, and for Chinese and Japanese.
type Languages = u32;
const KOREAN: Languages = 1 << LANGUAGES.len();
const CHINESE_OR_JAPANESE: Languages = KOREAN << 1;

/// The most frequent syllables of Korean, and characters of Chinese and Japanese.
const SYLLABLES: &str = "이다는의에을가은한를고로도지기하";
const CHARACTERS: &str = "的一是不了在人有我他這这個们中来上大の に は を が と で て し た い";

/// The languages that have a letter, and those of which a word is a stop word.
struct LetterLanguages {
    letters: HashMap<char, Languages, RandomState>,
    words: HashMap<&'static str, Languages, RandomState>,
}

static KNOWN: LazyLock<LetterLanguages> = LazyLock::new(|| {
    let mut known = LetterLanguages { letters: HashMap::default(), words: HashMap::default() };
    for (at, (language, letters)) in LANGUAGES.iter().enumerate() {
        letters.chars().for_each(|it| *known.letters.entry(it).or_default() |= 1 << at);
        let words = stop_words::lookup(language).unwrap_or_default();
        for word in words.iter().filter(|word| !word.is_ascii() && !word.contains(' ')) {
            *known.words.entry(word).or_default() |= 1 << at;
        }
    }
    known
});

/// Counts of the words of a decoded text that have characters beyond ASCII.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
struct Score {
    all: usize,
    /// For each language, the number of words that have only its letters, and the number of its
    /// stop words, or of words with a frequent syllable.
    fit: [usize; LANGUAGES.len() + 2],
    known: [usize; LANGUAGES.len() + 2],
    /// The number of words that no language has.
    strange: usize,
}

impl Score {
    fn new(text: &str) -> Self {
        let mut score = Self::default();
        let is_parting = |letter: char| {
            letter.is_ascii() && !letter.is_ascii_alphanumeric() || letter.is_whitespace()
        };
        let mut lower = String::new();
        for word in text.split(is_parting).filter(|word| !word.is_ascii()) {
            score.all += 1;
            if is_strange(word) {
                score.strange += 1;
                continue;
            }
            lower.clear();
            lower.extend(
                word.trim_matches(|it: char| !it.is_alphabetic())
                    .chars()
                    .flat_map(char::to_lowercase),
            );
            let beyond_ascii = lower.chars().filter(|letter| !letter.is_ascii());
            let fit = beyond_ascii.map(languages_of).fold(Languages::MAX, |all, it| all & it);
            let has = |letters: &str| lower.contains(|it| letters.contains(it));
            let known = KNOWN.words.get(&*lower).copied().unwrap_or_default()
                | if has(SYLLABLES) { KOREAN } else { 0 }
                | if has(CHARACTERS) { CHINESE_OR_JAPANESE } else { 0 };
            for (at, (all, of_language)) in score.known.iter_mut().zip(&mut score.fit).enumerate() {
                *of_language += usize::from(fit >> at & 1 == 1);
                *all += usize::from((fit & known) >> at & 1 == 1);
            }
        }
        score
    }

    /// Returns the evidence for an encoding, which is that for the language with the most.
    fn worth(&self) -> isize {
        let of_languages = self.fit.iter().zip(&self.known).map(|(fit, known)| fit + 2 * known);
        of_languages.max().unwrap_or_default().cast_signed() - 2 * self.strange.cast_signed()
    }

    /// Reports whether the text is in a language beyond doubt: 19 of 20 words are of its letters, and
    /// one of 20 is a stop word.
    fn is_sure(&self) -> bool {
        let of_languages = self.fit.iter().zip(&self.known);
        self.all < 3 && self.strange == 0
            || of_languages
                .into_iter()
                .any(|(fit, known)| fit * 20 >= self.all * 19 && known * 20 >= self.all)
    }
}

/// Returns the languages that have a small letter.
fn languages_of(letter: char) -> Languages {
    match letter.script() {
        Script::Hangul => KOREAN,
        Script::Han | Script::Hiragana | Script::Katakana => CHINESE_OR_JAPANESE,
        Script::Common | Script::Inherited => Languages::MAX,
        _ => KNOWN.letters.get(&letter).copied().unwrap_or_default(),
    }
}

/// Reports whether no language has such a word: one with a control or private character, a sign
/// between letters, a capital after a small letter, or letters of two scripts.
fn is_strange(word: &str) -> bool {
    let is_odd = |letter: char| matches!(letter, '\u{80}'..='\u{9f}' | '\u{2500}'..='\u{259f}' | '\u{e000}'..='\u{f8ff}' | char::REPLACEMENT_CHARACTER);
    let letters: Vec<char> = word.chars().collect();
    let has = |two: fn(char, char) -> bool| letters.windows(2).any(|it| two(it[0], it[1]));
    let has_sign = || {
        letters.windows(3).any(|it| {
            let is_apostrophe = matches!(
                it[1],
                '\'' | '\u{2019}' | '\u{2018}' | '\u{ad}' | '\u{b7}' | '\u{2010}'..='\u{2014}'
            );
            it[0].is_alphabetic()
                && it[2].is_alphabetic()
                && !it[1].is_alphanumeric()
                && !is_apostrophe
        })
    };
    let is_sign = |letter: &&char| {
        !letter.is_alphanumeric()
            && !letter.is_ascii()
            && !matches!(letter, '«' | '»' | '\u{300}'..='\u{36f}' | '\u{2010}'..='\u{205e}')
    };
    letters.iter().any(|letter| is_odd(*letter))
        || letters.iter().filter(is_sign).count() >= 2
        || has(|one, next| {
            one.is_lowercase() && next.is_uppercase() && !(one.is_ascii() && next.is_ascii())
        })
        || has(|one, next| {
            let [one, next] = [one, next].map(|letter| letter.script());
            let is_letter = |script| !matches!(script, Script::Common | Script::Inherited);
            is_letter(one) && is_letter(next) && one != next
        })
        || has_sign()
}

/// The encodings of the standard that bytes are decoded in.
const STANDARD: &str = "windows-1252 windows-1250 windows-1251 windows-1253 windows-1254 windows-1257 \
    macintosh x-mac-cyrillic iso-8859-2 koi8-r iso-8859-5 euc-kr";

/// Returns the encoding of bytes that chardetng takes for `guess`: `guess` itself, unless there is
/// clearly more evidence for another one.
pub(super) fn better(bytes: &[u8], guess: Encoding) -> Encoding {
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let score = |encoding: Encoding| Score::new(&decode(sample.to_vec(), encoding).content);
    let known = score(guess);
    if known.is_sure() {
        return guess;
    }
    let standard = STANDARD.split(' ').filter_map(Encoding::from_label).map(|it| it.0);
    let dos = DOS.into_iter().map(|number| Form::SingleByte(SingleByte::Dos(number)));
    let mac = (0..MAC.len()).map(|at| Form::SingleByte(SingleByte::Mac(at)));
    let candidates = standard.chain(dos).chain(mac).chain([Form::Johab]).map(Encoding);
    let scored = candidates.map(|candidate| (candidate, score(candidate).worth()));
    // Of several that are as good, the first.
    let best = scored.reduce(|best, next| if next.1 > best.1 { next } else { best });
    let margin = 1 + known.all.cast_signed() / 20;
    match best {
        Some((best, worth)) if worth > 0 && worth >= known.worth() + margin => best,
        _ => guess,
    }
}

/// Reports whether a decoded text is hardly in the encoding that was guessed for it: it has control
/// characters, or a quarter of its words with letters beyond ASCII are words of no language.
pub(in crate::text) fn is_doubtful(text: &str) -> bool {
    let sample = &text[..text.floor_char_boundary(SAMPLE)];
    let Score { all, strange, .. } = Score::new(sample);
    sample.contains(|letter| matches!(letter, '\u{80}'..='\u{9f}'))
        || all >= 4 && strange * 4 >= all
}

#[cfg(test)]
mod tests;
