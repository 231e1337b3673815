//! The languages of two texts, settled together.

use std::collections::BTreeMap;

use whatlang::Info;

use super::sample::letters_of_main_script;
use super::sample::sample;
use super::{By, Known, Language, common_words};
use crate::text::Text;

/// Letters of prose that a sample must have for its text to be detected alone.
///
/// Of stretches of Markdown in 27 languages a detection that was sure was wrong for 5 in
/// 100 with 100 or 200 letters, for 3 with 400 and for 2 with 800, nearly always for a
/// stretch of English or of program code; two texts of one language must not be parted
/// by such a stretch.
pub const LEAST_LETTERS: usize = 800;

/// The language that the user gave for one text.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Given {
    /// Nothing: detect it.
    #[default]
    Detect,
    /// The language, or that it is to be treated in none.
    As(Option<Language>),
}

/// The languages that the user gave for both texts.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Choice {
    /// Of the left text.
    pub left: Given,
    /// Of the right text.
    pub right: Given,
}

/// The languages of both texts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settled {
    /// Of the left text.
    pub left: Known,
    /// Of the right text.
    pub right: Known,
}

/// Settles the languages of two texts.
///
/// What is given, holds. Texts that both say their language by common words, or by a
/// reliable detection of at least [`LEAST_LETTERS`] letters, keep their own. Otherwise both
/// samples are
/// detected once together, in an order that does not depend on the sides, and a
/// reliable answer holds for both; else neither has a language. Beside a text whose
/// language is given, the other is detected alone or has none.
pub fn settle(left: &Text, right: &Text, choice: &Choice) -> Settled {
    match (choice.left, choice.right) {
        (Given::Detect, Given::Detect) => settle_both(left.content(), right.content()),
        (Given::As(language), Given::Detect) => {
            Settled { left: Known::given(language), right: settle_one(right.content()) }
        }
        (Given::Detect, Given::As(language)) => {
            Settled { left: settle_one(left.content()), right: Known::given(language) }
        }
        (Given::As(left), Given::As(right)) => {
            Settled { left: Known::given(left), right: Known::given(right) }
        }
    }
}

fn settle_both(left: &str, right: &str) -> Settled {
    let rendered = [left, right].map(told_by_common_words);
    if let [Some(left), Some(right)] = rendered {
        return Settled { left, right };
    }
    let [left, right] = [left, right].map(sample);
    let alone = |rendered: Option<Known>, sample| rendered.or_else(|| detect_alone(sample));
    if let (Some(left), Some(right)) = (alone(rendered[0], &left), alone(rendered[1], &right)) {
        return Settled { left, right };
    }
    let both = detect_together(&left, &right);
    Settled { left: both, right: both }
}

/// Settles the languages of two texts of which it is known what each says [by itself](alone),
/// as [`settle`](fn@settle) does where nothing is given of them.
pub fn settle_told(texts: [&Text; 2], rendered: [Option<Known>; 2]) -> Settled {
    if let [Some(left), Some(right)] = rendered {
        return Settled { left, right };
    }
    let [left, right] = texts.map(|text| sample(text.content()));
    let both = detect_together(&left, &right);
    Settled { left: both, right: both }
}

/// The language of two samples as one, in an order that does not depend on the sides.
fn detect_together(left: &str, right: &str) -> Known {
    let (first, second) = if left <= right { (left, right) } else { (right, left) };
    match detect(&format!("{first}\n{second}")) {
        Some(info) if info.is_reliable() => known(&info, By::Together),
        unsure => unknown(unsure.as_ref()),
    }
}

fn settle_one(text: &str) -> Known {
    told_by_common_words(text).unwrap_or_else(|| {
        let sample = sample(text);
        detect_alone(&sample).unwrap_or_else(|| unknown(detect(&sample).as_ref()))
    })
}

/// The language of a text by itself; none in doubt.
pub fn alone(text: &Text) -> Option<Known> {
    let content = text.content();
    told_by_common_words(content).or_else(|| detect_alone(&sample(content)))
}

fn told_by_common_words(text: &str) -> Option<Known> {
    let (language, confidence) = common_words::detect(text)?;
    Some(Known {
        language: Some(language),
        by: By::Detected,
        confidence: Some(confidence),
        reliable: Some(true),
    })
}

/// A reliable detection of a sample with enough letters.
fn detect_alone(sample: &str) -> Option<Known> {
    let info = if letters(sample) >= LEAST_LETTERS { detect(sample) } else { None };
    info.filter(Info::is_reliable).map(|info| known(&info, By::Detected))
}

fn letters(sample: &str) -> usize {
    if sample.is_ascii() {
        return sample.bytes().filter(u8::is_ascii_alphabetic).count();
    }
    sample.chars().filter(|c| c.is_alphabetic()).count()
}

/// Detects in the main script of a sample; none where it has no letter.
fn detect(prose: &str) -> Option<Info> {
    whatlang::detect(&letters_of_main_script(prose))
}

impl Known {
    /// What a user says of it.
    pub fn given(language: Option<Language>) -> Self {
        Self { language, by: By::Given, confidence: None, reliable: None }
    }
}

fn known(info: &Info, by: By) -> Known {
    Known {
        language: Language::from_code(info.lang().code()),
        by,
        confidence: Some(info.confidence()),
        reliable: Some(info.is_reliable()),
    }
}

/// No language; a detection that was not sure enough leaves how sure it was.
fn unknown(unsure: Option<&Info>) -> Known {
    Known {
        language: None,
        by: By::None,
        confidence: unsure.map(Info::confidence),
        reliable: unsure.map(|_| false),
    }
}

// How many texts have which language, and which of them most have.

/// How many texts have which language, of those whose language is settled.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Tally {
    /// By code.
    known: BTreeMap<&'static str, (Language, u64)>,
    /// Those that are in no known language.
    others: u64,
}

impl Tally {
    /// Counts some texts more, or none.
    pub fn add(&mut self, language: Option<Language>, texts: u64) {
        if texts == 0 {
            return;
        }
        let count = match language {
            Some(language) => &mut self.known.entry(language.code()).or_insert((language, 0)).1,
            None => &mut self.others,
        };
        *count = count.saturating_add(texts);
    }

    /// Takes a text out that was counted.
    pub fn remove(&mut self, language: Option<Language>) {
        let count = match language {
            Some(language) => self.known.get_mut(language.code()).map(|(_, texts)| texts),
            None => Some(&mut self.others),
        };
        if let Some(texts) = count {
            *texts = texts.saturating_sub(1);
        }
        self.known.retain(|_, (_, texts)| *texts > 0);
    }

    /// What was counted, by code, those in no known language last.
    pub fn counts(&self) -> impl Iterator<Item = (Option<Language>, u64)> {
        let known = self.known.values().map(|(language, texts)| (Some(*language), *texts));
        known.chain((self.others > 0).then_some((None, self.others)))
    }

    /// The language that at least half of the texts have, of two the first by code.
    pub fn main(&self) -> Option<Language> {
        let all = self.counts().map(|(_, texts)| u128::from(texts)).sum::<u128>();
        let is_main = |texts: u64| 2 * u128::from(texts) >= all;
        self.known.values().find(|(_, texts)| is_main(*texts)).map(|(language, _)| *language)
    }
}

#[cfg(test)]
mod tally_tests {
    use super::*;

    #[test]
    fn at_least_half_have_the_main_language() {
        #[rustfmt::skip]
        let table: &[(&str, &[(&str, u64)], Option<&str>)] = &[
            ("no text",               &[],                                   None),
            ("none in a language",    &[("eng", 0)],                         None),
            ("one language",          &[("eng", 1)],                         Some("eng")),
            ("just half",             &[("eng", 2), ("cat", 1), ("", 1)],    Some("eng")),
            ("less than half",        &[("eng", 2), ("cat", 2), ("", 1)],    None),
            ("half each, the first",  &[("eng", 2), ("cat", 2)],             Some("cat")),
            ("none is no language",   &[("", 3), ("eng", 1)],                None),
            ("counted in parts",      &[("eng", 1), ("cat", 2), ("eng", 2)], Some("eng")),
        ];
        for (why, counts, want) in table {
            let mut tally = Tally::default();
            counts.iter().for_each(|(code, texts)| tally.add(Language::from_code(code), *texts));
            assert_eq!(tally.main().map(Language::code), *want, "{why}");
        }
    }
}

#[cfg(test)]
mod tests;
