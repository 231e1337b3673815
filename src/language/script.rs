//! Prose → its letters in the script that it is written in.
//!
//! [`whatlang`] takes the script with the most letters; a sentence in Chinese has a third
//! of the letters that it has in English, so a few names of programs outweigh it. Here a
//! script has as much weight as it has words.

use std::borrow::Cow;

use unicode_script::{Script, UnicodeScript};

/// The prose with a space for each letter of another script than its main one: the one
/// with the most words, where a Latin word counts half, because names and terms in
/// Latin letters stand in texts of every script and hardly the other way round.
pub(super) fn letters_of_main_script(prose: &str) -> Cow<'_, str> {
    // All letters of ASCII are Latin.
    if prose.is_ascii() && prose.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return Cow::Borrowed(prose);
    }
    let Some(main) = main_script(prose) else { return Cow::Borrowed("") };
    let is_foreign = |&c: &char| script(c).is_some_and(|script| script != main);
    prose.chars().map(|c| if is_foreign(&c) { ' ' } else { c }).collect()
}

/// None where there is no letter; of two that weigh the same, the first to be met.
fn main_script(prose: &str) -> Option<Script> {
    let mut weights: Vec<(Script, usize)> = Vec::new();
    for script in prose.chars().filter_map(script) {
        match weights.iter_mut().find(|(known, _)| *known == script) {
            Some((_, weight)) => *weight += letter_weight(script),
            None => weights.push((script, letter_weight(script))),
        }
    }
    weights.into_iter().rev().max_by_key(|&(_, weight)| weight).map(|(script, _)| script)
}

/// The weight of a letter, in thirtieths of a word: a word has about five letters of an
/// alphabet, two of Chinese or Japanese, three of Korean.
fn letter_weight(script: Script) -> usize {
    match script {
        Script::Latin => 6 / 2,
        Script::Han => 15,
        Script::Hangul => 10,
        _ => 6,
    }
}

/// The script of a letter; kana count as Han, since Japanese is written in both. None for
/// what is no letter or stands in several scripts.
fn script(c: char) -> Option<Script> {
    if c.is_ascii() || !c.is_alphabetic() {
        return c.is_ascii_alphabetic().then_some(Script::Latin);
    }
    match c.script() {
        Script::Hiragana | Script::Katakana => Some(Script::Han),
        Script::Common | Script::Inherited | Script::Unknown => None,
        script => Some(script),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_weighs_as_much_as_its_words() {
        #[rustfmt::skip]
        let table = [
            ("no letter",                            "12, —",                 None),
            ("Latin alone",                          "a copper kettle",       Some(Script::Latin)),
            ("Japanese is in three scripts",         "やかんのふた",              Some(Script::Han)),
            ("an ideograph is half a word",          "水火 kettle lid",        Some(Script::Han)),
            ("and Latin letters a tenth",            "水 kettle",              Some(Script::Latin)),
            ("of equals the first",                  "水 kettl",               Some(Script::Han)),
            ("of equals the first, turned round",    "kettl 水",               Some(Script::Latin)),
            ("three syllables of Korean are a word", "주전자 kettle lid",       Some(Script::Hangul)),
            ("Cyrillic and more names",              "чайник of GNU Linux",   Some(Script::Cyrillic)),
            ("a Latin word counts half",             "чай of Debian Linux",   Some(Script::Latin)),
            ("a word quoted in English",             "the чайник is a kettle", Some(Script::Latin)),
        ];
        for (why, prose, want) in table {
            assert_eq!(main_script(prose), want, "{why}");
        }
    }

    #[test]
    fn other_scripts_are_blanked_out() {
        #[rustfmt::skip]
        let table = [
            ("nothing",       "",                        ""),
            ("no letter",     "12",                      ""),
            ("ASCII",         "A kettle, 12",            "A kettle, 12"),
            ("Cyrillic",      "¿Чай, GNU 水 e\u{301}?",    "¿Чай,        \u{301}?"),
            ("Latin",         "The чай, a café",          "The    , a café"),
            ("Japanese",      "水のカップ ok",              "水のカップ   "),
        ];
        for (why, prose, want) in table {
            assert_eq!(letters_of_main_script(prose), want, "{why}");
        }
    }
}
