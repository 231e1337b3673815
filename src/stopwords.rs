//! Removes stop words from tokens.
//!
//! The lists are those of the `stop-words` crate: NLTK's list if there is one for the language,
//! else the ISO list. Words are compared in their normal form, before stemming.
//!
//! Negations are not stop words, although the lists have them: without them, "are equal" and "are
//! not equal" would be the same. A contraction with a negation becomes the words that it stands
//! for: don't is do not. `languages.tsv` names both. A user's own list is taken as it is, and
//! removes what it names; without a list, every word stays as it is written.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use foldhash::quality::RandomState;

use super::tokens::elision;
use crate::language::Language;
use crate::tokens::{self, Token, Tokens};

/// The choice of the words that are removed.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum Choice {
    /// Those in the list of the text's language that do not negate, and elided words.
    #[default]
    On,
    /// No words.
    Off,
    /// Those in the user's own list, whatever the language.
    List(StopWords),
}

/// A set of stop words, in their normal form.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct StopWords(HashSet<Cow<'static, str>, RandomState>);

impl StopWords {
    /// Returns the stop words of a language; `None` if there is no list for it.
    pub fn new(language: Language) -> Option<Self> {
        let list = stop_words::lookup(language.row().stop_words?)?;
        let mut words = HashSet::with_capacity_and_hasher(list.len(), RandomState::default());
        words.extend(list.iter().filter_map(|entry| entry_word(entry, Some(language))));
        for negation in language.row().negations().filter_map(|it| entry_word(it, Some(language))) {
            words.remove(&negation);
        }
        // No word of a text is one of these: they become their words first.
        for (contraction, _) in language.row().contractions() {
            words.remove(contraction);
        }
        Some(Self(words))
    }

    /// Parses a user's list of words, separated by white space. `#` begins a comment that ends at
    /// the end of the line. Empty if there are no words.
    pub fn parse(list: &str) -> Self {
        let lines = list.lines().filter_map(|line| line.split('#').next());
        let words = lines.flat_map(|line| tokens::split(line).0);
        Self(words.map(|token| token.word.into_owned().into()).collect())
    }

    /// Returns the number of distinct words.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Reports whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the words, in code point order.
    pub fn words(&self) -> Vec<&str> {
        let mut words: Vec<&str> = self.0.iter().map(|word| &**word).collect();
        words.sort_unstable();
        words
    }

    /// Reports whether the list contains a word, given in its normal form.
    pub fn has(&self, word: &str) -> bool {
        self.0.contains(word)
    }
}

/// Returns the single word of an entry of a list, without elided words: una for d'una, as in a
/// text. `None` for an entry of several words, which no token can equal.
fn entry_word(entry: &'static str, language: Option<Language>) -> Option<Cow<'static, str>> {
    if entry.bytes().all(|byte| byte.is_ascii_lowercase()) && !entry.is_empty() {
        return Some(Cow::Borrowed(entry));
    }
    let mut parts = elision::part(tokens::split(entry), entry, language).0;
    parts.retain(|token| !token.elided);
    let [token] = <[Token; 1]>::try_from(parts).ok()?;
    Some(token.word)
}

/// The words of a text, divided into two lists, each in the order of the text.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Filtered<'t> {
    /// The words that are kept.
    pub kept: Tokens<'t>,
    /// The stop words and the elided words.
    pub dropped: Tokens<'t>,
}

/// The words to remove from a text in one language.
#[derive(Clone, Debug)]
pub struct Filter<'c> {
    list: Cow<'c, StopWords>,
    elided_too: bool,
    contractions: Contractions,
}

/// The words that each contraction with a negation stands for, joined by `+`. The key says whether
/// it is elided; if so, it is without its apostrophe.
type Contractions = HashMap<(bool, &'static str), &'static str, RandomState>;

impl Choice {
    /// Returns the filter for a text in a language. If the language is unknown or has no list,
    /// [`Choice::On`] removes elided words only.
    pub fn filter(&self, language: Option<Language>) -> Filter<'_> {
        let as_it_is = |list| Filter { list, elided_too: false, contractions: HashMap::default() };
        match self {
            Self::Off => as_it_is(Cow::default()),
            Self::List(list) => as_it_is(Cow::Borrowed(list)),
            Self::On => {
                let list = Cow::Owned(language.and_then(StopWords::new).unwrap_or_default());
                let contractions = language.into_iter().flat_map(|it| it.row().contractions());
                Filter {
                    list,
                    elided_too: true,
                    contractions: contractions.map(contraction).collect(),
                }
            }
        }
    }
}

/// Returns a contraction of the table as the key and the value that the filter has for it.
fn contraction(
    (written, words): (&'static str, &'static str),
) -> ((bool, &'static str), &'static str) {
    let bare = written.strip_suffix('\'');
    ((bare.is_some(), bare.unwrap_or(written)), words)
}

/// Removes the stop words. A contraction with a negation becomes its words first, which share its
/// span.
pub fn remove<'t>(mut tokens: Tokens<'t>, filter: &Filter) -> Filtered<'t> {
    let words = |token: &Token| filter.contractions.get(&(token.elided, &*token.word)).copied();
    if !filter.contractions.is_empty() && tokens.0.iter().any(|token| words(token).is_some()) {
        let expanded = tokens.0.into_iter().flat_map(|token| match words(&token) {
            None => vec![token],
            Some(words) => {
                let of_word = |word: &str| Token {
                    word: word.to_owned().into(),
                    span: token.span.clone(),
                    elided: false,
                };
                words.split('+').map(of_word).collect()
            }
        });
        tokens = Tokens(expanded.collect());
    }
    let drops =
        |token: &mut Token| token.elided && filter.elided_too || filter.list.has(&token.word);
    let dropped = tokens.0.extract_if(.., drops).collect();
    Filtered { kept: tokens, dropped: Tokens(dropped) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filtered(text: &str, code: &str, choice: &Choice) -> (String, String) {
        let language = Language::from_code(code);
        let tokens = elision::part(tokens::split(text), text, language);
        let filtered = remove(tokens, &choice.filter(language));
        let joined = |tokens: &Tokens| {
            tokens.0.iter().map(|token| token.word.to_string()).collect::<Vec<_>>().join(" ")
        };
        (joined(&filtered.kept), joined(&filtered.dropped))
    }

    #[test]
    fn stop_words_are_dropped_in_the_language_of_the_text() {
        let own = Choice::List(StopWords::parse("# ours\r\nCopper  kettle # both\nL'\r\n"));
        let negations = Choice::List(StopWords::parse("do not"));
        #[rustfmt::skip]
        let table: &[(&str, &str, &str, &Choice, &str, &str)] = &[
            ("English",                "eng", "The keeper of lamps",   &Choice::On,  "keeper lamps", "the of"),
            ("a negation",             "eng", "The lamps are not lit", &Choice::On,  "lamps not lit", "the are"),
            ("a contraction is two words", "eng", "The lamps aren't lit", &Choice::On, "lamps not lit", "the are"),
            ("capitals, typographic",  "eng", "DON’T lamps",           &Choice::On,  "not lamps",    "do"),
            ("a letter apostrophe",    "eng", "canʼt lamps",           &Choice::On,  "not lamps",    "can"),
            ("full width",             "eng", "won＇t lamps",           &Choice::On,  "not lamps",    "will"),
            ("the other quotation mark", "eng", "don‘t lamps",         &Choice::On,  "not lamps",    "do"),
            ("written together",       "eng", "cannot lamps",          &Choice::On,  "not lamps",    "can"),
            ("another language",       "deu", "don't",                 &Choice::On,  "don't",        ""),
            ("an acute accent",        "eng", "can´t lamps",           &Choice::On,  "not lamps",    "can"),
            ("off takes it as it is",  "eng", "don't",                 &Choice::Off, "don't",        ""),
            ("content in the ISO list", "eng", "computer system",      &Choice::On,  "computer system", ""),
            ("Catalan, elided",        "cat", "l'home d'una illa",     &Choice::On,  "home illa",    "l d una"),
            ("French, elided",         "fra", "qu'il l'eau",           &Choice::On,  "eau",          "qu il l"),
            ("French negation",        "fra", "il n'est pas, ne sera", &Choice::On,  "ne pas ne",    "il est sera"),
            ("a letter n is none",     "fra", "la lettre n",           &Choice::On,  "lettre",       "la n"),
            ("Greek, by normal form",  "ell", "ΟΎΔΕΊΣ",                &Choice::On,  "ούδείσ",       ""),
            ("off keeps all",          "cat", "l'home",                &Choice::Off, "l home",       ""),
            ("no language",            "",    "the lamp",              &Choice::On,  "the lamp",     ""),
            ("no list",                "kat", "the lamp",              &Choice::On,  "the lamp",     ""),
            ("the user's own list",    "eng", "the copper kettle lid", &own,         "the lid",      "copper kettle"),
            ("and negations, as written", "eng", "do not, don't, are", &negations, "don't are", "do not"),
            ("drops what it names",    "fra", "l'eau d'ici",           &own,         "eau d ici",    "l"),
            ("nothing",                "eng", "",                      &Choice::On,  "",             ""),
        ];
        for (why, code, text, choice, kept, dropped) in table {
            let want = ((*kept).to_owned(), (*dropped).to_owned());
            assert_eq!(filtered(text, code, choice), want, "{why}");
        }
    }

    /// However the apostrophe is typed.
    #[test]
    fn a_contraction_with_a_negation_is_its_words() {
        for row in super::super::language::rows() {
            for (written, words) in row.contractions() {
                let elides = if written.ends_with('\'') { "une" } else { "" };
                let words = format!("{} {elides}", words.replace('+', " "));
                for apostrophe in ["'", "’", "‘", "ʼ", "＇"] {
                    let written = format!("{written}{elides}").replace('\'', apostrophe);
                    for written in [written.to_uppercase(), written] {
                        let [one, other] =
                            [&written, &words].map(|text| filtered(text, row.code, &Choice::On));
                        assert_eq!(one, other, "{written}");
                    }
                }
            }
        }
    }

    #[test]
    fn entries_are_read_as_words_of_a_text() {
        let word = |entry, code| entry_word(entry, Language::from_code(code));
        assert_eq!(word("d'una", "cat").as_deref(), Some("una"));
        assert_eq!(word("D’UNA", "cat").as_deref(), Some("una"));
        assert_eq!(word("in front of", "eng"), None);
        assert_eq!(word("—", "eng"), None);
    }

    #[test]
    fn every_list_that_is_named_is_there_and_holds_words() {
        for row in super::super::language::rows() {
            let list = StopWords::new(Language::from_code(row.code).unwrap());
            assert_eq!(list.is_some(), row.stop_words.is_some(), "{}", row.name);
            assert!(list.is_none_or(|list| !list.is_empty()), "{}", row.name);
        }
        // NLTK's 198, without 3 negations, 18 contractions and the 20 parts of them.
        assert_eq!(StopWords::new(Language::from_code("eng").unwrap()).unwrap().len(), 157);
    }

    #[test]
    fn the_negations_of_every_language_are_entries_of_its_list_and_stay() {
        for row in super::super::language::rows() {
            let language = Language::from_code(row.code).unwrap();
            let list = StopWords::new(language).unwrap_or_default();
            let entries = row.stop_words.and_then(stop_words::lookup).unwrap_or_default();
            for negation in row.negations() {
                assert!(entries.iter().any(|entry| entry.trim() == negation), "{negation}");
                let word = entry_word(negation, Some(language)).unwrap();
                assert!(!list.has(&word), "{} {negation}", row.name);
            }
            for (written, words) in row.contractions() {
                let negates = |word| row.negations().any(|negation| negation == word);
                assert!(words.split('+').any(negates), "{written}");
            }
            // The lists of these have no word that negates; that of Urdu is in a lost encoding.
            let has_none = ["hye", "tam", "tha", "urd", "zul"].contains(&row.code);
            let want = row.stop_words.is_some() && !has_none;
            assert_eq!(row.negations().next().is_some(), want, "{}", row.name);
        }
    }
}
