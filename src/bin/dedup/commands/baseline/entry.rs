//! What a pair is recorded by.

use std::fmt;

use dedup_text::pair::Judgement;
use dedup_text::rabin;
use dedup_text::text::Text;
use dedup_text::tokens;

use crate::words::{counted, visible};

/// What is accepted. None of it tells a place or the name of a file.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Entry {
    /// The fingerprint of a passage.
    Passage(u64),
    /// The fingerprints of two texts that have no passage in common, the smaller first.
    Texts(u64, u64),
}

/// Words of a passage or a text that are its name.
const WORDS: usize = 8;

/// Bytes of a text that its first words are looked for in.
const HEAD: usize = 1 << 10;

impl Entry {
    const PASSAGE: &str = "passage";
    const TEXTS: &str = "texts";

    /// The entry and the name that a line has; none where it is no entry.
    pub(super) fn parse(line: &str) -> Option<(Self, String)> {
        let (kind, rest) = line.split_once(' ')?;
        match kind {
            Self::PASSAGE => {
                let (fingerprint, name) = fingerprint(rest)?;
                Some((Self::Passage(fingerprint), name.to_owned()))
            }
            Self::TEXTS => {
                let (one, rest) = fingerprint(rest)?;
                let (other, name) = fingerprint(rest)?;
                Some((Self::Texts(one.min(other), one.max(other)), name.to_owned()))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Passage(fingerprint) => write!(formatter, "{} {fingerprint:016x}", Self::PASSAGE),
            Self::Texts(one, other) => write!(formatter, "{} {one:016x} {other:016x}", Self::TEXTS),
        }
    }
}

/// Sixteen hexadecimal digits, and what follows them behind a space.
fn fingerprint(typed: &str) -> Option<(u64, &str)> {
    let (digits, rest) = typed.split_once(' ').unwrap_or((typed, ""));
    let is_one = digits.len() == 16 && digits.bytes().all(|it| it.is_ascii_hexdigit());
    let number = u64::from_str_radix(digits, 16).ok().filter(|_| is_one)?;
    Some((number, rest))
}

/// What a pair is recorded by, each entry with its name: its passages, or where it has none
/// both its texts.
pub(super) fn entries(left: &Text, right: &Text, judgement: &Judgement) -> Vec<(Entry, String)> {
    let passages = judgement.matches.iter().flat_map(|matches| &matches.all);
    let entries: Vec<(Entry, String)> = passages
        .map(|found| {
            let count = counted(found.passage.words(), "word");
            let name = format!("{count}: {}", beginning(left, found.left.content.start));
            (Entry::Passage(found.passage.fingerprint), name)
        })
        .collect();
    if !entries.is_empty() {
        return entries;
    }
    let fingerprint = |text: &Text, known: Option<u64>| known.unwrap_or_else(|| of_words(text));
    let known = [&judgement.left, &judgement.right].map(|it| it.fingerprint.map(|bits| bits.0));
    let mut sides = [
        (fingerprint(left, known[0]), beginning(left, 0)),
        (fingerprint(right, known[1]), beginning(right, 0)),
    ];
    sides.sort();
    let [(one, name), (other, its_name)] = sides;
    vec![(Entry::Texts(one, other), format!("{name} | {its_name}"))]
}

/// The residue of a text's words, for one that is too short for a shingle.
fn of_words(text: &Text) -> u64 {
    let words: Vec<_> = tokens::split(text.content()).0.iter().map(|it| it.word.clone()).collect();
    rabin::residue(words.join(" ").as_bytes())
}

/// The first words from a place of a text on, in their normal form.
fn beginning(text: &Text, start: usize) -> String {
    let content = &text.content()[start..];
    let head = &content[..content.floor_char_boundary(HEAD)];
    let words = tokens::split(head).0;
    let first: Vec<_> = words.iter().take(WORDS).map(|token| token.word.clone()).collect();
    let more = if words.len() > WORDS { " …" } else { "" };
    visible(&(first.join(" ") + more))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_an_entry_and_a_name() {
        let (a, b) = ("0000000000000001", "ffffffffffffffff");
        #[rustfmt::skip]
        let table = [
            ("a passage",        format!("passage {a} 12 words: x y"), Some((Entry::Passage(1), "12 words: x y"))),
            ("no name",          format!("passage {b}"),               Some((Entry::Passage(u64::MAX), ""))),
            ("two texts",        format!("texts {a} {b} x | y"),       Some((Entry::Texts(1, u64::MAX), "x | y"))),
            ("turned round",     format!("texts {b} {a} x | y"),       Some((Entry::Texts(1, u64::MAX), "x | y"))),
            ("capitals",         "passage 00000000000000AB x".into(),  Some((Entry::Passage(0xab), "x"))),
            ("one text",         format!("texts {a}"),                 None),
            ("a digit short",    "passage 000000000000001 x".into(),   None),
            ("a digit more",     "passage 00000000000000001 x".into(), None),
            ("a sign",           "passage +000000000000001 x".into(),  None),
            ("no digit",         "passage 000000000000000g x".into(),  None),
            ("another kind",     format!("pair {a} x"),                None),
            ("no kind",          a.to_owned(),                         None),
            ("nothing",          String::new(),                        None),
        ];
        for (why, line, want) in table {
            let want = want.map(|(entry, name)| (entry, name.to_owned()));
            assert_eq!(Entry::parse(&line), want, "{why}");
        }
    }

    #[test]
    fn an_entry_is_read_as_it_is_written() {
        for entry in [Entry::Passage(0), Entry::Passage(0xabc), Entry::Texts(7, 1 << 63)] {
            assert_eq!(Entry::parse(&entry.to_string()), Some((entry, String::new())));
        }
    }
}
