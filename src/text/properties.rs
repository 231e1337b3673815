//! Reads who wrote a document from its properties, and compares names of persons.
//!
//! Input: strings as the document stores them. Output: names and a time that are safe to display:
//! short, and without invisible characters. A name is what somebody once typed into a program,
//! which may be their own or that of the machine's previous owner: it proves nothing.

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

const MAX_CHARACTERS: usize = 100;

/// The properties of a document that say who wrote it. A field that is present is not empty, and
/// has at most 100 characters, none of them a control character.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Properties {
    /// The author.
    pub author: Option<String>,
    /// The person who saved it last; always `None` for a PDF.
    pub last_modified_by: Option<String>,
    /// The creation time, as the document stores it, mostly in the format of ISO 8601.
    pub created: Option<String>,
}

impl Properties {
    /// Reports whether no property is present.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Cleans a property for display; `None` if no visible character remains.
pub(super) fn cleaned(value: &str) -> Option<String> {
    let is_unseen = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
    };
    let spaced = value.chars().map(|letter| if letter.is_whitespace() { ' ' } else { letter });
    let seen: String =
        spaced.filter(|letter| !is_unseen(*letter)).take(10 * MAX_CHARACTERS).collect();
    let words: Vec<&str> = seen.split_whitespace().collect();
    let short: String = words.join(" ").chars().take(MAX_CHARACTERS).collect();
    let short = short.trim_end();
    (!short.is_empty()).then(|| short.to_owned())
}

/// Words that programs enter as the author if the user has not given a name, in the form of
/// [`words`].
const GENERIC_NAMES: &str = include_str!("generic_names.txt");

/// Reports whether a name is not that of a person: `Microsoft Office User`, `Windows-Benutzer`,
/// `admin`, or empty.
pub fn is_generic_name(name: &str) -> bool {
    let words = words(name);
    words.iter().all(|word| {
        let bare = bare(word);
        bare.is_empty() || GENERIC_NAMES.lines().any(|name| name == bare)
    })
}

/// Returns a word without the digits at its end.
fn bare(word: &str) -> &str {
    word.trim_end_matches(char::is_numeric)
}

/// Reports whether two names may belong to one person. Case, marks on letters, the order of words
/// and the separators between them are ignored. Words may be abbreviated to initials or missing, as
/// long as both names have at least one complete word in common. A name without spaces may be
/// several words joined, as in login names, which may end with a number. A name without words
/// matches no other.
pub fn may_be_one_person(one: &str, other: &str) -> bool {
    let (one, other) = (words(one), words(other));
    let (short, long) = if one.len() <= other.len() { (&one, &other) } else { (&other, &one) };
    are_within(short, long)
        || [(&one, &other), (&other, &one)]
            .into_iter()
            .any(|(login, name)| matches!(&login[..], [login] if is_written_by(bare(login), name, false)))
}

/// Reports whether each word equals one of the others, or is the initial of one or has one as its
/// initial, and at least one word longer than a letter is equal in both.
fn are_within(short: &[String], long: &[String]) -> bool {
    let mut left: Vec<&String> = long.iter().collect();
    let mut take = |fits: &dyn Fn(&str) -> bool| {
        let found = left.iter().position(|it| fits(it));
        found.map(|at| left.remove(at)).is_some()
    };
    let whole: Vec<bool> = short.iter().map(|word| take(&|it| it == word)).collect();
    let is_initial = |word: &str, it: &str| {
        let is_one = |text: &str| text.chars().count() == 1;
        (is_one(word) && it.starts_with(word)) || (is_one(it) && word.starts_with(it))
    };
    let mut initials = short.iter().zip(&whole).filter(|(_, is_whole)| !**is_whole);
    let are_all = initials.all(|(word, _)| take(&|it| is_initial(word, it)));
    let is_name = |(word, is_whole): (&String, &bool)| *is_whole && word.chars().count() > 1;
    are_all && short.iter().zip(&whole).any(is_name)
}

/// The largest number of words of a name that are tried as parts of a login name.
const MAX_WORDS: usize = 5;

/// Reports whether a word is a concatenation of words of a name or their initials, in any order and
/// each used at most once, of which at least one is a complete word.
fn is_written_by(word: &str, name: &[String], has_whole: bool) -> bool {
    if word.is_empty() {
        return has_whole;
    }
    (0..name.len().min(MAX_WORDS)).any(|at| {
        let mut rest = name[..name.len().min(MAX_WORDS)].to_vec();
        let part = rest.remove(at);
        let first = part.chars().next().map_or(0, char::len_utf8);
        let whole = word.strip_prefix(part.as_str()).filter(|_| part.len() > first);
        whole.is_some_and(|word| is_written_by(word, &rest, true))
            || word
                .strip_prefix(&part[..first])
                .is_some_and(|it| is_written_by(it, &rest, has_whole))
    })
}

/// Returns the words of a name in lower case, without marks. Words that are only numbers are left
/// out.
fn words(name: &str) -> Vec<String> {
    let plain: String = name
        .nfkd()
        .filter(|letter| !is_combining_mark(*letter))
        .flat_map(char::to_lowercase)
        .map(|letter| match letter {
            'ß' => 's',
            'ø' => 'o',
            'ł' => 'l',
            'ı' => 'i',
            letter => letter,
        })
        .collect();
    let words = plain.split(|letter: char| !letter.is_alphanumeric());
    words
        .filter(|word| word.contains(|letter: char| !letter.is_numeric()))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_property_is_short_and_seen() {
        #[rustfmt::skip]
        let table = [
            ("a name",       " Olga  Ivanova\n",              Some("Olga Ivanova")),
            ("controls",     "Ol\u{1b}[1mga\u{202e}\u{200b}", Some("Ol[1mga")),
            ("nothing",      "",                               None),
            ("nothing seen", " \u{feff}\u{7}\u{200e} ",       None),
        ];
        for (why, value, want) in table {
            assert_eq!(cleaned(value).as_deref(), want, "{why}");
        }
        assert_eq!(cleaned(&"é".repeat(10_000)).unwrap(), "é".repeat(100));
    }

    #[test]
    fn what_programs_write_is_no_ones_name() {
        for name in [
            "",
            " ",
            "Microsoft Office User",
            "user",
            "USER1",
            "Participant 300",
            "Admin",
            "Windows User",
            "Windows-Benutzer",
            "Usuario de Windows",
            "python-docx",
            "HP",
            "Пользователь Windows",
            "123",
        ] {
            assert!(is_generic_name(name), "{name}");
        }
        for name in ["Olga", "Felix Braun", "User Felix", "李明"] {
            assert!(!is_generic_name(name), "{name}");
        }
    }

    #[test]
    fn names_are_compared_leniently() {
        #[rustfmt::skip]
        let table = [
            ("the same",          "Felix Braun",    "Felix Braun",       true),
            ("another order",     "Braun, Felix",   "felix braun",       true),
            ("marks",             "Zoë Müller",     "Zoe Muller",        true),
            ("initials",          "F. Braun",       "Felix Braun",       true),
            ("one name",          "Felix",          "Felix Braun",       true),
            ("a middle name",     "Felix M. Braun", "Braun Felix",       true),
            ("a number",          "Felix Braun 12", "Felix Braun",       true),
            ("of Canvas",         "braunfelix",     "Felix Braun",       true),
            ("logged in by",      "fbraun",         "Felix Braun",       true),
            ("a second fbraun",   "fbraun02",       "Felix Braun",       true),
            ("a number in it",    "f2braun",        "Felix Braun",       false),
            ("an id",             "fb12345",        "Felix Braun",       false),
            ("with an address",   "felix.braun@x.y", "Felix Braun",      true),
            ("initials alone",    "F. B.",          "Felix Braun",       false),
            ("joined initials",   "fb",             "Felix Braun",       false),
            ("a sister",          "Anna Braun",     "Felix Braun",       false),
            ("another",           "Olga",           "Felix Braun",       false),
            ("a part of a word",  "Fel",            "Felix Braun",       false),
            ("nothing",           "",               "Felix Braun",       false),
            ("nothing at all",    "",               "",                  false),
            ("letters of Han",    "李明",           "李明",              true),
        ];
        for (why, one, other, want) in table {
            assert_eq!(may_be_one_person(one, other), want, "{why}");
            assert_eq!(may_be_one_person(other, one), want, "{why}, turned round");
        }
        let long = "a ".repeat(10_000);
        assert!(!may_be_one_person(&long, "Felix Braun"));
    }
}
