//! How many texts have which language, and which of them most have.

use std::collections::BTreeMap;

use super::Language;

/// How many texts have which language, of those whose language is settled.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Tally {
    /// By code.
    known: BTreeMap<&'static str, (Language, u64)>,
    /// Those that are in no known language.
    others: u64,
}

impl Tally {
    /// Counts some texts more.
    pub fn add(&mut self, language: Option<Language>, texts: u64) {
        let count = match language {
            Some(language) => &mut self.known.entry(language.code()).or_insert((language, 0)).1,
            None => &mut self.others,
        };
        *count = count.saturating_add(texts);
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
mod tests {
    use super::*;

    #[test]
    fn at_least_half_have_the_main_language() {
        #[rustfmt::skip]
        let table: &[(&str, &[(&str, u64)], Option<&str>)] = &[
            ("no text",               &[],                                   None),
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
