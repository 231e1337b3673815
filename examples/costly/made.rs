//! Recipes for generated texts, and small random changes to the recipes.

use std::fmt;

/// Characters that some part of the pipeline handles specially.
#[rustfmt::skip]
const CHARACTERS: &[char] = &[
    'a', 'b', 'e', 's', 'i', 'n', 'g', 'x', 'Z', '0', '7', ' ', ' ', '\n', '\r', '\t', '.', ',', '\'', '’', '"', '-', '_',
    '#', '*', '`', '[', ']', '(', ')', '<', '>', '&', ';', ':', '/', '|', '\\', '=', '!', '~', 'é', 'ß', 'İ', 'ı', 'ﬁ',
    '\u{301}', '\u{302}', '\u{345}', '\u{ad}', '\u{200b}', '\u{200d}', '\u{2028}', '\u{fdfa}', '\u{1d400}', '\u{e000}', 'а', 'я',
    'ё', 'α', 'ς', 'א', 'ا', 'ي', 'ก', 'ไ', 'ြ', 'က', '中', '的', 'は', 'カ', '한', '각', 'ᄀ', '😀', '🇦', '👩', '\u{1f3fd}',
];

/// The digits of the numbers that are appended to pieces.
const LETTERS: [char; 26] = [
    'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r', 's',
    't', 'u', 'v', 'w', 'x', 'y', 'z',
];

/// The largest number of characters in a piece, and of pieces in a recipe.
const MOST: usize = 12;

/// A pseudorandom number generator: SplitMix64 (Steele, Lea, Flood 2014).
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    /// Returns a number less than `end`, or 0 if `end` is 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ z >> 31) % end.max(1) as u64).unwrap_or_default()
    }

    fn character(&mut self) -> char {
        CHARACTERS[self.below(CHARACTERS.len())]
    }
}

/// A recipe for a text: pieces that are repeated in order or drawn at random, each followed by a
/// number in letters, if wanted, and by the joint.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pieces: Vec<String>,
    joint: String,
    is_shuffled: bool,
    is_numbered: bool,
}

impl Made {
    /// Returns the recipe for a text of ordinary words.
    pub(crate) fn prose() -> Self {
        let pieces = ["some", "words", "of", "a", "text"].map(str::to_owned).to_vec();
        Self { pieces, joint: " ".to_owned(), is_shuffled: true, is_numbered: false }
    }

    /// Returns a copy of the recipe with one or two random changes.
    pub(crate) fn changed(&self, chance: &mut Chance) -> Self {
        let mut made = self.clone();
        for _ in 0..=chance.below(2) {
            made.change(chance);
        }
        made
    }

    fn change(&mut self, chance: &mut Chance) {
        let at = chance.below(self.pieces.len());
        match chance.below(9) {
            0 => self.is_shuffled = !self.is_shuffled,
            1 => self.is_numbered = !self.is_numbered,
            2 => self.joint = (0..chance.below(3)).map(|_| chance.character()).collect(),
            3 if self.pieces.len() < MOST => self.pieces.push(chance.character().to_string()),
            4 if self.pieces.len() > 1 => drop(self.pieces.swap_remove(at)),
            5 if self.pieces.len() < MOST => self.pieces.push(self.pieces[at].clone()),
            _ => {
                let mut letters: Vec<char> = self.pieces[at].chars().collect();
                let place = chance.below(letters.len());
                match chance.below(3) {
                    0 if letters.len() < MOST => letters.insert(place, chance.character()),
                    1 if letters.len() > 1 => drop(letters.remove(place)),
                    _ => letters[place] = chance.character(), // no piece is empty
                }
                self.pieces[at] = letters.into_iter().collect();
            }
        }
    }

    /// Generates the text, of at least `bytes` bytes.
    pub(crate) fn text(&self, bytes: usize) -> String {
        let mut text = String::with_capacity(bytes + 64);
        let mut chance = Chance(7);
        for number in 0.. {
            if text.len() >= bytes {
                break;
            }
            let at = if self.is_shuffled { chance.below(self.pieces.len()) } else { number };
            text.push_str(&self.pieces[at % self.pieces.len()]);
            if self.is_numbered {
                let letter = |place: u32| LETTERS[number / 26_usize.pow(place) % 26];
                text.extend((0..4).map(letter));
            }
            text.push_str(&self.joint);
        }
        text
    }
}

impl fmt::Display for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = if self.is_shuffled { "in any order" } else { "in a row" };
        let numbers = if self.is_numbered { ", numbered in letters" } else { "" };
        write!(f, "{:?} joined by {:?} {order}{numbers}", self.pieces, self.joint)
    }
}

/// Repeats a text and cuts it at the first character boundary from `bytes` bytes on.
pub(crate) fn repeated(text: &str, bytes: usize) -> String {
    let whole = text.repeat(bytes / text.len().max(1) + 1);
    let end = (bytes..whole.len()).find(|end| whole.is_char_boundary(*end));
    whole[..end.unwrap_or(whole.len())].to_owned()
}

/// Swaps the halves of a text, and inserts a word at about a hundred places.
pub(crate) fn twin(text: &str) -> String {
    let half =
        (text.len() / 2..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    let turned = [&text[half..], &text[..half]].concat();
    let mut twin = String::with_capacity(turned.len() + 200);
    for (number, character) in turned.chars().enumerate() {
        if number % (turned.len() / 100).max(1) == 0 {
            twin.push_str("y ");
        }
        twin.push(character);
    }
    twin
}

/// Reverses the words of each ten, and ends a sentence there: a copy that has no three words in a row of the text.
pub(crate) fn reworded(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let sentences = words.chunks(10).map(|words| {
        let reversed: Vec<&str> = words.iter().rev().copied().collect();
        reversed.join(" ") + ". "
    });
    sentences.collect()
}
