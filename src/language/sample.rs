//! Extracts the sample of a text in which its language is detected: prose, of bounded length and in
//! composed form (NFC), which detectors expect.

use std::borrow::Cow;

use memchr::{memchr, memchr2};
use unicode_normalization::{UnicodeNormalization, is_nfc};
use unicode_script::{Script, UnicodeScript};

/// The number of stretches of a sample. They are spread evenly from the start of the text to its
/// end, so that a title page or a licence in another language does not determine the result.
const STRETCHES: usize = 16;

/// The length of each stretch that is searched for prose, in bytes.
const SEARCHED: usize = 1024;

/// The length of each stretch of the prose found that is kept, in bytes. Sixteen times this is
/// enough: whatlang errs once in a thousand on 665 bytes of prose, and no error was seen on 2,700.
const KEPT: usize = 256;

/// The largest ratio of the lengths of a text decomposed and composed: a syllable of Hangul, nine
/// bytes to three.
const DECOMPOSED: usize = 3;

/// Returns prose of a text, in stretches separated by line ends. It is at most [`STRETCHES`]
/// stretches of [`KEPT`] bytes, taken from the prose of as many stretches of [`SEARCHED`] bytes; or
/// all of the prose if there is not more than that.
pub(super) fn sample(text: &str) -> String {
    let prose: Vec<String> =
        stretches(text, SEARCHED).iter().map(|stretch| prose(stretch)).collect();
    stretches(&prose.concat(), KEPT).join("\n")
}

/// Returns the entire text if it is short when composed, or [`STRETCHES`] stretches of a long one,
/// each of `bytes` bytes, or fewer if that would divide a character. All of them are composed.
pub(super) fn stretches(text: &str, bytes: usize) -> Vec<Cow<'_, str>> {
    if text.len() > DECOMPOSED * STRETCHES * bytes {
        return spread(text, bytes).into_iter().map(composed).collect();
    }
    match composed(text) {
        Cow::Borrowed(text) => spread(text, bytes).into_iter().map(Cow::Borrowed).collect(),
        Cow::Owned(text) => {
            spread(&text, bytes).into_iter().map(|stretch| stretch.to_owned().into()).collect()
        }
    }
}

fn spread(text: &str, bytes: usize) -> Vec<&str> {
    if text.len() <= STRETCHES * bytes {
        return vec![text];
    }
    let step = (text.len() - bytes) / (STRETCHES - 1);
    let stretch = |k: usize| {
        let start = text.ceil_char_boundary(k * step);
        &text[start..text.floor_char_boundary(start + bytes)]
    };
    (0..STRETCHES).map(stretch).collect()
}

fn composed(text: &str) -> Cow<'_, str> {
    /// The first byte in UTF-8 of the first combining character, U+0300.
    const FIRST_MARK: u8 = 0xcc;
    if text.is_ascii() || text.bytes().all(|byte| byte < FIRST_MARK) || is_nfc(text) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

// Restricts prose to the letters of its main script.
//
// [`whatlang`] chooses the script with the most letters. But a sentence in Chinese has a third of
// the letters that it has in English, so that a few names of programs outweigh it. Here, a script
// is weighted by its number of words.

/// Replaces each letter of another script than the main one by a space. The main script is the one
/// with the most words, but Latin words count half, because names and terms in Latin letters occur
/// in texts of every script, and hardly the other way round. Empty if there are no letters.
pub(super) fn letters_of_main_script(prose: &str) -> Cow<'_, str> {
    // All letters of ASCII are Latin.
    if prose.is_ascii() && prose.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return Cow::Borrowed(prose);
    }
    let Some(main) = main_script(prose) else { return Cow::Borrowed("") };
    let is_foreign = |&c: &char| script(c).is_some_and(|script| script != main);
    prose.chars().map(|c| if is_foreign(&c) { ' ' } else { c }).collect()
}

/// Returns the script with the largest weight; the first one in the text if two weigh the same;
/// `None` if there are no letters.
fn main_script(prose: &str) -> Option<Script> {
    let counted = weights(prose).into_iter().rev().map(|(script, weight)| match script {
        Script::Latin => (script, weight / 2),
        _ => (script, weight),
    });
    counted.max_by_key(|&(_, weight)| weight).map(|(script, _)| script)
}

/// Returns the weight of each script, in the order in which they appear.
fn weights(prose: &str) -> Vec<(Script, usize)> {
    let mut weights: Vec<(Script, usize)> = Vec::new();
    for script in prose.chars().filter_map(script) {
        match weights.iter_mut().find(|(known, _)| *known == script) {
            Some((_, weight)) => *weight += letter_weight(script),
            None => weights.push((script, letter_weight(script))),
        }
    }
    weights
}

/// Returns the weight of a letter, in thirtieths of a word. A word has about five letters of an
/// alphabet, two of Chinese or Japanese, or three of Korean.
fn letter_weight(script: Script) -> usize {
    match script {
        Script::Han => 15,
        Script::Hangul => 10,
        _ => ALPHABETIC,
    }
}

/// The weight of a letter of an alphabet.
const ALPHABETIC: usize = 6;

/// Returns the number of letters of an alphabet that weigh as much as the letters of the prose.
pub(super) fn letters(prose: &str) -> usize {
    if prose.is_ascii() {
        return prose.bytes().filter(u8::is_ascii_alphabetic).count();
    }
    let weight = |c: char| script(c).map_or(ALPHABETIC, letter_weight);
    prose.chars().filter(|c| c.is_alphabetic()).map(weight).sum::<usize>() / ALPHABETIC
}

/// Reports whether at least two of five letters are kana, as in Japanese prose.
pub(super) fn has_many_kana(prose: &str) -> bool {
    let letters = || prose.chars().filter(|letter| letter.is_alphabetic());
    let kana = letters().filter(|letter| matches!(letter, '\u{3041}'..='\u{30ff}')).count();
    5 * kana >= 2 * letters().count()
}

/// Reports whether at least two thirds of the prose, by weight, are in a script in which one or two
/// of the known languages are written.
pub(super) fn is_in_script_of_few_languages(prose: &str) -> bool {
    if prose.is_ascii() {
        return false;
    }
    let weights = weights(prose);
    let all: usize = weights.iter().map(|(_, weight)| weight).sum();
    let main = weights.into_iter().find(|(_, weight)| 3 * weight >= 2 * all);
    main.is_some_and(|(script, _)| !is_of_many_languages(script))
}

/// Reports whether three or more of the known languages are written in a script.
fn is_of_many_languages(script: Script) -> bool {
    matches!(script, Script::Latin | Script::Cyrillic | Script::Arabic | Script::Devanagari)
}

/// Returns the script of a letter. Kana count as Han, since Japanese is written in both. `None` for
/// characters that are not letters, or that are used in several scripts.
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

// Extracts the prose of a stretch of a text: the words that the author wrote for a reader.
//
// Code, markup and addresses are not in any language, and their letters are Latin in a text of any
// script. Left out are parts that Markdown and HTML mark as such, and words that are not prose. An
// error costs only a few words of a sample, so nothing is parsed: each rule looks at one line, or
// at most [`MAX_MARK_LENGTH`] bytes ahead.

/// The marks of a fenced code block.
const FENCES: [&str; 2] = ["```", "~~~"];

/// The lines that enclose the metadata of a page, which is for programs, not readers.
const FRONT_MATTER: [&str; 2] = ["---", "+++"];

/// The number of bytes within which a tag, a piece of code or the target of a link must end;
/// otherwise, its first character is an ordinary one.
const MAX_MARK_LENGTH: usize = 512;

/// Returns the words of prose in a stretch, as they are written, each followed by white space;
/// empty if there are none.
pub(super) fn prose(stretch: &str) -> String {
    let mut prose = String::with_capacity(stretch.len());
    for line in without_tags(&without_code_blocks(stretch)).lines() {
        for word in without_code_and_links(line).split_whitespace().filter(|word| is_prose(word)) {
            prose.push_str(word);
            prose.push(' ');
        }
        prose.push('\n');
    }
    prose
}

/// Returns the lines that are neither front matter nor between two fences. A block that is not
/// closed ends with the stretch. A fence that names a language never closes a block. If one is open
/// there, the stretch probably began inside of a block whose closing fence was taken for an opening
/// one, and this fence begins the next block.
fn without_code_blocks(stretch: &str) -> String {
    let mut kept = String::with_capacity(stretch.len());
    let mut open = None;
    for line in after_front_matter(stretch).lines().map(str::trim) {
        let fence = FENCES.into_iter().find(|fence| line.starts_with(fence));
        match fence.map(|fence| (fence, line.trim_start_matches(['`', '~']))) {
            Some((fence, "")) if open == Some(fence) => open = None,
            Some((fence, name)) if open.is_none() && !name.contains('`') => open = Some(fence),
            _ if open.is_some() => {}
            _ => {
                kept.push_str(line);
                kept.push('\n');
            }
        }
    }
    kept
}

fn after_front_matter(stretch: &str) -> &str {
    let mut lines = stretch.split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| FRONT_MATTER.contains(&line.trim_end())) else {
        return stretch;
    };
    let mut end = first.len();
    for line in lines {
        end += line.len();
        if line.trim_end() == first.trim_end() {
            return &stretch[end..];
        }
    }
    stretch
}

/// Returns the text with each HTML tag and comment replaced by a space.
fn without_tags(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr(b'<', rest.as_bytes()) {
        let (before, inside) = (&rest[..at], &rest[at + 1..]);
        let is_tag = inside.starts_with(|c: char| c.is_ascii_alphabetic() || "/!".contains(c));
        let end = is_tag.then(|| end_of_mark(inside, b"<>")).flatten();
        rest = match end {
            Some(end) if inside.as_bytes()[end] == b'>' => &inside[end + 1..],
            _ => inside,
        };
        kept.push_str(before);
        kept.push(' ');
    }
    kept + rest
}

/// Returns the line with each `code` span and the target of each link replaced by a space.
fn without_code_and_links(line: &str) -> String {
    let mut kept = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = memchr2(b'`', b']', rest.as_bytes()) {
        let (mark, inside) = rest[at..].split_at(1);
        let end = match (mark, inside.bytes().next()) {
            ("`", _) => end_of_mark(inside, b"`"),
            (_, Some(b'(')) => end_of_mark(inside, b")"),
            (_, Some(b'[')) => end_of_mark(inside, b"]"),
            _ => None,
        };
        kept.push_str(&rest[..at]);
        kept.push(' ');
        rest = end.map_or(inside, |end| &inside[end + 1..]);
    }
    kept + rest
}

/// Returns the position of the first of these ASCII bytes; `None` if there is none close enough.
fn end_of_mark(inside: &str, ends: &[u8]) -> Option<usize> {
    inside.bytes().take(MAX_MARK_LENGTH).position(|byte| ends.contains(&byte))
}

/// Reports whether a word can be prose: inside, it has no digit, no punctuation other than an
/// apostrophe or a hyphen, and no capital letter after a lower-case one. A word with letters that
/// are not Latin always is, since it may be an entire sentence without spaces.
fn is_prose(written: &str) -> bool {
    let word = written.trim_matches(|c: char| !c.is_alphanumeric());
    let is_mark = |c: char| c.is_ascii() && !c.is_ascii_alphabetic() && !"'-".contains(c);
    let is_hump = |(c, next): (char, char)| c.is_lowercase() && next.is_uppercase();
    let is_plain =
        || !word.contains(is_mark) && !word.chars().zip(word.chars().skip(1)).any(is_hump);
    !word.is_empty() && (word.chars().any(is_beyond_latin) || is_plain())
}

/// Reports whether a character is a letter after the blocks that contain ASCII, the Latin letters
/// and their combining marks.
fn is_beyond_latin(c: char) -> bool {
    c > '\u{36f}' && c.is_alphabetic()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_short_text_all_prose_is_sampled() {
        #[rustfmt::skip]
        let table = [
            ("nothing",            "",                      ""),
            ("no prose",           "x_1 (2)",               "\n"),
            ("a word",             "lamp",                  "lamp \n"),
            ("as it is written",   "A «lamp»,\n¿don’t?\n",  "A «lamp», \n¿don’t? \n"),
        ];
        for (why, text, want) in table {
            assert_eq!(sample(text), want, "{why}");
        }
    }

    #[test]
    fn a_decomposed_text_is_the_composed_one() {
        for text in ["été kettle".to_owned(), "한국어 ".repeat(1500), "é".repeat(8_000)] {
            let decomposed: String = text.nfd().collect();
            assert_ne!(decomposed, text);
            assert_eq!(sample(&decomposed), sample(&text));
            assert!(is_nfc(&sample(&decomposed.repeat(9))), "long");
        }
    }

    #[test]
    fn a_long_text_is_searched_from_its_start_to_its_end() {
        let text: String = ('a'..='p').flat_map(|c| std::iter::repeat_n(c, 4096)).collect();
        // 64 KiB: a stretch begins every (65536 - 1024) / 15 = 4300 bytes, so that there is one per
        // letter, and its 1026 bytes of prose are reduced to about 256.
        let sample = sample(&text);
        for letter in 'a'..='p' {
            assert!((200..=320).contains(&sample.matches(letter).count()), "{letter}: {sample}");
        }
        assert!(sample.len() <= STRETCHES * (KEPT + 1), "{}", sample.len());
    }

    #[test]
    fn prose_between_code_is_found() {
        let code = "```rust\nlet lamp = kettle(spoon);\n```\n".repeat(40);
        let text = format!("{code}The keeper trimmed it.\n{code}").repeat(20);
        let sample = sample(&text);
        assert!(sample.contains("keeper"), "{sample}");
        assert!(sample.matches("lamp").count() < 16, "{sample}");
    }

    #[test]
    fn no_character_is_cut() {
        for shift in 0..4 {
            let text = "x".repeat(shift) + &"水".repeat(50_000);
            let sample = sample(&text);
            assert!(sample.len() > STRETCHES * (KEPT - 4));
            assert!(sample.chars().all(|c| matches!(c, 'x' | '水' | ' ' | '\n')));
        }
    }
}

#[cfg(test)]
mod script_tests {
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

#[cfg(test)]
mod prose_tests {
    use super::*;

    /// Returns the words of prose, separated by one space.
    fn words(stretch: &str) -> String {
        prose(stretch).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_a_reader_reads_is_prose() {
        #[rustfmt::skip]
        let table = [
            ("nothing",                  "",                                 ""),
            ("a sentence",               "¿The lamp, (that) don’t-know…",    "¿The lamp, (that) don’t-know…"),
            ("a heading and a list",     "## Lamp\n* **oil** and",           "Lamp **oil** and"),
            ("a combining accent",       "cafe\u{301} noir",                 "cafe\u{301} noir"),
            ("code in a line",           "the `let lamp` here",              "the here"),
            ("code without an end",      "the ` lamp",                       "the lamp"),
            ("not over a line's end",    "the ` lamp\nand ` oil",            "the lamp and oil"),
            ("LaTeX's quotes",           "a ``lamp'' here",                  "a lamp'' here"),
            ("a link's target",          "[the lamp](oil.md) is",            "[the lamp is"),
            ("a reference",              "[the lamp][oil lid] is",           "[the lamp is"),
            ("brackets",                 "[sic] is",                         "[sic is"),
            ("a target without an end",  "[the lamp](oil is",                "[the lamp (oil is"),
            ("an address",               "see https://a.example/lamp now",   "see now"),
            ("a number",                 "in 1984 or x2",                    "in or"),
            ("names of programs",        "a lamp_oil lampOil lamp.rs Lamp",  "a Lamp"),
            ("a tag",                    "a <b>lamp</b> <img\nsrc=x>lid",     "a lamp lid"),
            ("a comment",                "a <!-- copper --> lid",            "a lid"),
            ("less than",                "a < b and c <d is >e",             "a b and c e"),
            ("less than a number",       "a <3 lamps> b",                    "a lamps> b"),
            ("a straight apostrophe",    "don't 'quote'",                    "don't 'quote'"),
            ("a tag without an end",     "a <b lamp\n<i>lid",                "a b lamp lid"),
            ("a sentence without spaces", "在Linux下的x_1。",                 "在Linux下的x_1。"),
            ("another script with marks", "п'ять/шість 5",                   "п'ять/шість"),
        ];
        for (why, stretch, want) in table {
            assert_eq!(words(stretch), want, "{why}");
        }
    }

    #[test]
    fn code_blocks_and_front_matter_are_not_prose() {
        #[rustfmt::skip]
        let table = [
            ("a block",                 "a\n```\nlamp\n```\nb",               "a b"),
            ("with a language, deeper", "a\n  ~~~ rust\n lamp\n  ~~~~\nb",      "a b"),
            ("by CR LF",                "a\r\n```\r\nlamp\r\n```\r\nb",       "a b"),
            ("the other fence inside",  "a\n```\n~~~\nlamp\n```\nb",          "a b"),
            ("without an end",          "a\n```\nlamp",                       "a"),
            ("on one line",             "```lamp``` a",                       "a"),
            ("begun before",            "lamp\n```\na\n```c\noil\n```\nb",      "lamp b"),
            ("front matter",            "---\nlang: en\nlamp: oil\n---\na",    "a"),
            ("of the other kind",       "+++\nlamp = oil\n+++\na",             "a"),
            ("a rule",                  "---\na",                             "a"),
            ("front matter later on",   "a\n---\nlamp\n---\n",                "a lamp"),
        ];
        for (why, stretch, want) in table {
            assert_eq!(words(stretch), want, "{why}");
        }
    }

    /// The end of a mark is searched for only within the limit.
    #[test]
    fn a_mark_that_is_too_long_is_prose() {
        for (open, close) in [("`", "`"), ("](", ")"), ("<b", ">")] {
            for (length, want) in [(MAX_MARK_LENGTH - 4, "lid"), (MAX_MARK_LENGTH, "oil lid")] {
                let stretch = format!("{open}{} oil {close} lid", " ".repeat(length - 4));
                let prose = words(&stretch);
                assert!(
                    prose.ends_with("lid") && prose.contains("oil") == want.contains("oil"),
                    "{open} {length}: {prose}"
                );
            }
        }
    }
}
