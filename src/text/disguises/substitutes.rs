//! Latin letters that stand for others which look like them: small capitals, ɑ for a, ı for i.
//!
//! Some alphabets and phonetic transcriptions have such letters. They are replaced only in a text
//! that uses them as no alphabet does: in nearly all places of the letter that they look like, in
//! words that the text also has with that letter, or as small capitals among lower-case letters.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

use foldhash::quality::RandomState;
use memchr::memchr2_iter;
use memchr::memmem::{self, Finder};

use super::confusable_skeleton;
use crate::text::letters::is_alphabetic;

/// The smallest number of different words with a look-alike that has replaced nearly all of the
/// letters that it looks like, and the smallest number of its occurrences.
const MIN_REPLACED: (usize, usize) = (8, 12);

/// The smallest number of different words that the text has both with the look-alike and with the
/// letter. They must also be at least one in [`WORDS_PER_TWIN`] of the words with the look-alike;
/// in a language that has both letters there are fewer.
const MIN_TWINS: usize = 10;

const WORDS_PER_TWIN: usize = 4;

/// The smallest number of different words of small capitals and lower-case letters.
const MIN_SMALL_CAPITALS: usize = 5;

/// The largest number of words per phonetic one for a text to be taken for a transcription.
const WORDS_PER_PHONETIC: usize = 10;

static LOOKALIKES: LazyLock<HashMap<char, char, RandomState>> = LazyLock::new(|| {
    let plain: Vec<(char, String)> = ('a'..='z').map(|it| (it, confusable_skeleton(it))).collect();
    let others = (['ı'].into_iter()).chain('\u{250}'..='\u{2af}').chain(small_capitals());
    let pairs = others.filter_map(|other| {
        let looks = confusable_skeleton(other);
        plain.iter().find(|(_, of_plain)| *of_plain == looks).map(|(plain, _)| (other, *plain))
    });
    pairs.collect()
});

fn small_capitals() -> impl Iterator<Item = char> {
    ('\u{1d00}'..='\u{1d22}').chain('\u{a730}'..='\u{a731}')
}

/// Returns the letters of a text that stand for others, with these.
pub(super) fn substitutes(text: &str) -> BTreeMap<char, char> {
    let has = |letter: &str| memmem::find(text.as_bytes(), letter.as_bytes()).is_some();
    let dotless = || has("ı") && !has("ş") && !has("ğ");
    if text.is_ascii() {
        return BTreeMap::new();
    }
    if has_few_lookalikes(text) && !dotless() {
        return BTreeMap::new();
    }
    let words = LookalikeWords::of(text);
    let mut found: BTreeMap<char, char> = LOOKALIKES
        .iter()
        .filter(|(letter, plain)| words.has_instead(**letter, **plain))
        .map(|(letter, plain)| (*letter, *plain))
        .collect();
    if words.have_small_capitals() {
        found.extend(small_capitals().filter_map(|it| Some((it, *LOOKALIKES.get(&it)?))));
    }
    if !dotless() {
        found.remove(&'ı');
    }
    found
}

/// The number of bytes that are scanned for all look-alikes before the next ones. Most windows of
/// most long texts are ASCII: with windows, reading 9 MB takes 0.91 of the time.
const WINDOW: usize = 1 << 10;

/// Reports whether there are fewer look-alikes, other than ı, than any rule requires.
fn has_few_lookalikes(text: &str) -> bool {
    let bytes = text.as_bytes();
    // The first bytes of small capitals.
    let [one, other] = [b"\xe1\xb4", b"\xea\x9c"].map(Finder::new);
    let mut found = 0;
    for start in (0..bytes.len()).step_by(WINDOW) {
        // A letter of which the first byte is the last one of a window is found there.
        let window = &bytes[start..bytes.len().min(start + WINDOW + 1)];
        if window.is_ascii() {
            continue;
        }
        let phonetic = memchr2_iter(0xc9, 0xca, &window[..window.len().min(WINDOW)]);
        let places = phonetic.chain(one.find_iter(window)).chain(other.find_iter(window));
        let letters = places.filter_map(|at| text.get(start + at..)?.chars().next());
        found += letters.filter(|letter| LOOKALIKES.contains_key(letter)).count();
        if found >= MIN_SMALL_CAPITALS {
            return false;
        }
    }
    true
}

/// The words of a text that show whether letters stand for others.
#[derive(Debug, Default)]
struct LookalikeWords<'t> {
    /// The different words of ASCII letters.
    plain: HashSet<&'t str, RandomState>,
    /// The different words of ASCII letters and look-alikes, not only of those, with how often each
    /// occurs.
    mixed: BTreeMap<&'t str, usize>,
    /// The number of occurrences of each lower-case letter.
    letters: [usize; 26],
    /// The number of words with phonetic letters other than look-alikes.
    phonetic: usize,
}

impl<'t> LookalikeWords<'t> {
    fn of(text: &'t str) -> Self {
        let mut found = Self::default();
        for letter in text.bytes().filter(u8::is_ascii_lowercase) {
            found.letters[usize::from(letter - b'a')] += 1;
        }
        let is_lookalike = |letter: char| !letter.is_ascii() && LOOKALIKES.contains_key(&letter);
        let is_phonetic = |letter: char| {
            matches!(letter, '\u{250}'..='\u{2af}' | '\u{1d00}'..='\u{1d7f}')
                && !is_lookalike(letter)
        };
        for word in text.split(|letter| !is_alphabetic(letter)).filter(|word| !word.is_empty()) {
            if word.is_ascii() {
                found.plain.insert(word);
            } else if word.contains(is_phonetic) {
                found.phonetic += 1;
            } else if word.contains(|letter: char| letter.is_ascii_lowercase())
                && word.chars().all(|letter| letter.is_ascii() || is_lookalike(letter))
            {
                *found.mixed.entry(word).or_default() += 1;
            }
        }
        let mixed: usize = found.mixed.values().sum();
        if found.phonetic * WORDS_PER_PHONETIC >= mixed {
            found.mixed.clear();
        }
        found
    }

    /// Reports whether the text has a look-alike nearly always in place of the letter, or has many
    /// words in both spellings.
    fn has_instead(&self, letter: char, plain: char) -> bool {
        let with = || self.mixed.iter().filter(|(word, _)| word.contains(letter));
        let different = with().count();
        let all: usize = with().map(|(word, times)| word.matches(letter).count() * times).sum();
        let others = self.letters[usize::from(plain as u8 - b'a')];
        let (least, occurrences) = MIN_REPLACED;
        let has_twin = |word: &&str| self.plain.contains(plain_form(word).as_str());
        different >= least && all >= occurrences && 20 * others <= all
            || different >= MIN_TWINS && {
                let twins = with().filter(|(word, _)| has_twin(word)).count();
                twins >= MIN_TWINS && WORDS_PER_TWIN * twins >= different
            }
    }

    fn have_small_capitals(&self) -> bool {
        let has = |word: &&&str| small_capitals().any(|letter| word.contains(letter));
        self.mixed.keys().filter(has).count() >= MIN_SMALL_CAPITALS
    }
}

/// Returns a word with ASCII letters in place of those that look like them.
fn plain_form(word: &str) -> String {
    word.chars().map(|letter| LOOKALIKES.get(&letter).copied().unwrap_or(letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Trick, reveal};
    use super::{WINDOW, has_few_lookalikes};

    const PLAIN: &str = "this miller had waited again for the water since march and the big meadow \
                         below was dry while nobody said a thing about what had happened inside \
                         his garden until rain fell in april";

    #[test]
    fn letters_at_the_end_of_a_window_count_once() {
        for before in WINDOW - 4..WINDOW + 2 {
            let has_few = |letters: &str| has_few_lookalikes(&("a".repeat(before) + letters));
            assert!(has_few("ᴄᴏᴠᴡ"), "{before}");
            assert!(!has_few("ᴄᴏᴠᴡꜱ"), "{before}");
        }
    }

    #[test]
    fn letters_that_stand_for_others_are_undone() {
        let long = format!("{PLAIN}. {PLAIN}");
        #[rustfmt::skip]
        let table = [
            ("a script a",           long.replace('a', "ɑ"),                    &long),
            ("a dotless i",          long.replace('i', "ı"),                    &long),
            ("small capitals",       long.replace('w', "ᴡ").replace('c', "ᴄ"),  &long),
            ("in half of the words", PLAIN.replace('a', "ɑ") + ". " + PLAIN,    &long),
        ];
        for (why, written, shown) in table {
            let words = written.split(' ').filter(|word| !word.is_ascii()).count();
            let found = reveal(&written);
            assert_eq!(found.excerpt.unwrap().content(), shown, "{why}");
            let found: Vec<_> = found.disguises.iter().map(|it| (it.trick, it.words)).collect();
            assert_eq!(found, [(Trick::Homoglyphs, words)], "{why}");
        }
    }

    #[test]
    fn alphabets_and_transcriptions_are_left_alone() {
        #[rustfmt::skip]
        let table = [
            ("nothing",          String::new()),
            ("Turkish",          "kız kısa sınır ısı kapı tatlı balık kırk altın yazı; kiz kisa sinir isi kapi tatli balik kirk altin yazi; ağaç ".repeat(3)),
            ("Karakalpak",       "qala hám awıl adamları bir jıl ishinde kóp is qıldı, sonıń ushın barlıq balalar quwanıshlı edi ".repeat(4)),
            ("with two letters", "bɑn bɑt fɑk mɑl nɑp kɑt lɑm sɑn tɑk zɑm; ban bef dak fam gat hab kal lap map nab ".repeat(9)),
            ("a transcription",  "ɡɑd θɪŋ ɡəʊ mʌðə ɡɑdn fɑðə ɡet bɪɡ ɡlɑs dɔɡ ɡuz ɡɪv ɡɜl eɡ leɡ ɡræs ".repeat(4)),
            ("examples",         PLAIN.to_owned() + ": ɑ, ɡ, [ɡɑt], [ɡɑp], [lɑɡ], [dɑm], [fɑm], [kɑp], [ɡet], [ɡuz]"),
            ("glosses",          "see-ᴘꜱᴛ go-ꜱɢ house-ᴘʟ 3ꜱɢ-ᴀᴄᴄ ".repeat(9) + PLAIN),
            ("a heading",        "Tʜᴇ Oʟᴅ Hᴏᴜꜱᴇ ᴏꜰ Dᴏᴄᴛᴏʀ Wᴏᴏᴅ ᴀɴᴅ Cᴏ. ".to_owned() + PLAIN),
        ];
        for (why, text) in table {
            assert_eq!(reveal(&text).excerpt, None, "{why}");
            assert_eq!(reveal(&text).disguises, [], "{why}");
        }
    }
}
