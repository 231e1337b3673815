//! Warnings: what a reader should know about an answer that is valid nevertheless.

use super::Recipe;
use crate::jaccard::Share;
use crate::language::{By, Language, Settled};
use crate::text::disguises::Trick;
use crate::text::marked::{LoneMarker, Marker};
use crate::text::{FoundDisguise, Side, display_path};
use crate::tokens::exclusions::LargelyLeftOut;
use crate::{stems, stopwords};

/// A reason to doubt an answer.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Warning {
    /// No language was detected; for one text, or for both if the side is `None`.
    #[error("the language of {} is uncertain: no stop words dropped, no stemming", named(*.0))]
    LanguageUnknown(Option<Side>),
    /// The texts are in different languages; each is processed in its own.
    #[error("the texts are in two languages: left {}, right {}", .0.name(), .1.name())]
    LanguagesDiffer(Language, Language),
    /// The texts are read in other languages than by themselves, because most texts of their corpus
    /// are, and this changes their figures.
    #[error(
        "read in {}, because of the other texts; by themselves the two are read in {}, and {}",
        both(*languages), both(*alone), jaccard.map_or("share no word".to_owned(), |it| {
            format!("have a Jaccard index of {:.4}", it.ratio())
        })
    )]
    LanguageOfCorpus {
        /// The languages in which they are read, left and right; `None` for none.
        languages: [Option<Language>; 2],
        /// The languages in which they are read by themselves.
        alone: [Option<Language>; 2],
        /// The Jaccard index that they have by themselves; `None` if they have no shingle.
        jaccard: Option<Share>,
    },
    /// There is no list of stop words for the language of one text, or of both if the side is
    /// `None`.
    #[error(
        "no stop words are known for {}, the language of {}: none dropped", .1.name(), named(*.0)
    )]
    NoStopWords(Option<Side>, Language),
    /// There is no stemmer for the language of one text, or of both if the side is `None`.
    #[error(
        "no stemmer is known for {}, the language of {}: words compared as they are",
        .1.name(), named(*.0)
    )]
    NoStemmer(Option<Side>, Language),
    /// The name of a file is not UTF-8; its invalid bytes are shown in hexadecimal.
    #[error("the name of {} is not UTF-8: other bytes are shown as \\xNN", named(Some(*.0)))]
    PathNotUtf8(Side),
    /// The number of byte sequences that are invalid in the encoding and were replaced.
    #[error(
        "{} is damaged: bytes were replaced by U+FFFD in {} {}",
        named(Some(*.0)), .1, if *.1 == 1 { "place" } else { "places" }
    )]
    BytesReplaced(Side, usize),
    /// A part of a document was not read, or not as its pages show it; the message continues a
    /// sentence that begins with the name of the document.
    #[error("{} may be incomplete: {}", named(Some(*.0)), .1)]
    Incomplete(Side, String),
    /// The number of shingles that have the same residue as another shingle, which does not happen
    /// by chance. They are counted as different.
    #[error(
        "a text appears to be crafted: {} {} the Rabin residue of another one, which does not happen \
         by chance; they count as different",
        .0, if *.0 == 1 { "shingle has" } else { "shingles have" }
    )]
    Collisions(usize),
    /// A text was disguised so that a program sees another text than a reader; it is compared as
    /// the reader sees it.
    #[error("{} has {}", named(Some(*.0)), described(.1))]
    Disguised(Side, FoundDisguise),
    /// A marker in a text has no counterpart and marks nothing.
    #[error("{} has {}", named(Some(*.0)), marks_nothing(.1))]
    LoneMarker(Side, LoneMarker),
    /// More than a third of a text is left out for reasons that lie in the text itself.
    #[error("{} has {}", named(Some(*.0)), .1)]
    LargelyLeftOut(Side, LargelyLeftOut),
}

impl Warning {
    /// Returns the name of the kind of warning; it never changes.
    pub fn code(&self) -> &'static str {
        match self {
            Self::LanguageUnknown(_) => "language-unknown",
            Self::LanguagesDiffer(..) => "languages-differ",
            Self::LanguageOfCorpus { .. } => "language-of-corpus",
            Self::NoStopWords(..) => "no-stop-words",
            Self::NoStemmer(..) => "no-stemmer",
            Self::PathNotUtf8(_) => "path-not-utf-8",
            Self::BytesReplaced(..) => "bytes-replaced",
            Self::Incomplete(..) => "incomplete",
            Self::Collisions(_) => "collisions",
            Self::Disguised(_, found) => code(found.trick),
            Self::LoneMarker(..) => "lone-marker",
            Self::LargelyLeftOut(..) => "left-out",
        }
    }

    /// Returns the text that the warning is about; `None` if it is about both.
    pub fn side(&self) -> Option<Side> {
        match self {
            Self::LanguageUnknown(side) | Self::NoStopWords(side, _) | Self::NoStemmer(side, _) => {
                *side
            }
            Self::LanguagesDiffer(..) | Self::LanguageOfCorpus { .. } | Self::Collisions(_) => None,
            Self::PathNotUtf8(side)
            | Self::BytesReplaced(side, _)
            | Self::Incomplete(side, _)
            | Self::Disguised(side, _)
            | Self::LoneMarker(side, _)
            | Self::LargelyLeftOut(side, _) => Some(*side),
        }
    }
}

/// Names the languages of two texts, once if they are the same.
fn both(languages: [Option<Language>; 2]) -> String {
    let [left, right] = languages.map(|it| it.map_or("no language", Language::name));
    if left == right { left.to_owned() } else { format!("{left} and {right}") }
}

fn named(side: Option<Side>) -> &'static str {
    match side {
        Some(Side::Left) => "the left text",
        Some(Side::Right) => "the right text",
        None => "both texts",
    }
}

/// Returns the warnings about the languages, in a fixed order.
pub fn of_languages(settled: &Settled, recipe: &Recipe) -> Vec<Warning> {
    let mut warnings = Vec::new();
    match (settled.left.by, settled.right.by) {
        (By::None, By::None) => warnings.push(Warning::LanguageUnknown(None)),
        (By::None, _) => warnings.push(Warning::LanguageUnknown(Some(Side::Left))),
        (_, By::None) => warnings.push(Warning::LanguageUnknown(Some(Side::Right))),
        _ => {}
    }
    if let (Some(left), Some(right)) = (settled.left.language, settled.right.language)
        && left != right
    {
        warnings.push(Warning::LanguagesDiffer(left, right));
    }
    if recipe.stopwords == stopwords::Choice::On {
        let lacks = |language: Language| language.row().stop_words.is_none();
        warnings.extend(lacking(settled, lacks, Warning::NoStopWords));
    }
    if recipe.stemming == stems::Choice::On {
        let lacks = |language: Language| language.row().stemmer.is_none();
        warnings.extend(lacking(settled, lacks, Warning::NoStemmer));
    }
    warnings
}

/// Returns one warning if both texts are in the same language and it lacks something, otherwise one
/// for each text whose language lacks it.
fn lacking(
    settled: &Settled,
    lacks: fn(Language) -> bool,
    warning: fn(Option<Side>, Language) -> Warning,
) -> Vec<Warning> {
    let left = settled.left.language.filter(|language| lacks(*language));
    let right = settled.right.language.filter(|language| lacks(*language));
    if left == right {
        return left.map(|language| warning(None, language)).into_iter().collect();
    }
    let left = left.map(|language| warning(Some(Side::Left), language));
    let right = right.map(|language| warning(Some(Side::Right), language));
    left.into_iter().chain(right).collect()
}

// Descriptions of disguises and lone markers.

/// Returns the name of a trick; it never changes.
pub(super) fn code(trick: Trick) -> &'static str {
    match trick {
        Trick::Homoglyphs => "homoglyphs",
        Trick::InvisibleCharacters => "invisible-characters",
        Trick::ReversedText => "turned-text",
        Trick::CombiningMarks => "put-on-marks",
        Trick::LetterSpacing => "letter-spacing",
        Trick::StyledLetters => "styled-letters",
        Trick::HiddenText => "hidden-text",
        Trick::NotRecognized => "words-not-recognized",
    }
}

/// Describes a disguise, as the end of a sentence that begins with the name of a text and "has":
/// how many words, where the first one is, and an example.
pub fn described(found: &FoundDisguise) -> String {
    let what = match found.trick {
        Trick::Homoglyphs => "with letters of another script that look the same",
        Trick::InvisibleCharacters => "with invisible characters",
        Trick::ReversedText => "reversed by a control character",
        Trick::CombiningMarks => "with marks added to letters",
        Trick::LetterSpacing => "with spaces between all letters",
        Trick::StyledLetters => "in styled letters",
        Trick::HiddenText => "that a reader of the document does not see",
        Trick::NotRecognized => {
            "unlike those of any language: letters may be hidden, glued or replaced"
        }
    };
    let words = if found.words == 1 { "word" } else { "words" };
    let file = found.file.as_ref().map_or(String::new(), |it| display_path(it).into_owned() + ", ");
    let place = match (found.page, found.line) {
        (Some(page), _) => format!("{} {}, ", page.name, page.numbers[0]),
        (None, Some(line)) => format!("line {line}, "),
        (None, None) => String::new(),
    };
    let example = match &*found.example {
        "" => String::new(),
        example => format!("\"{example}\""),
    };
    let where_and_what = format!("{file}{place}{example}");
    let shown = where_and_what.trim_end_matches(", ");
    let shown = if shown.is_empty() { String::new() } else { format!(" ({shown})") };
    format!("{} {words} {what}{shown}", found.words)
}

/// Describes a lone marker, as the end of a sentence that begins with the name of a text and "has".
pub fn marks_nothing(lone: &LoneMarker) -> String {
    let LoneMarker { marker, line, file } = lone;
    let file = file.as_ref().map_or(String::new(), |it| display_path(it).into_owned() + ", ");
    let lacking = match marker {
        Marker::Start => Marker::End,
        Marker::End => Marker::Start,
    };
    let (marker, lacking) = (marker.name(), lacking.name());
    format!("\"{marker}\" without \"{lacking}\", so it marks nothing; {file}line {line}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Known;

    fn settled(left: &str, right: &str) -> Settled {
        let known = |code| {
            let language = Language::from_code(code);
            let by = if language.is_some() { By::Detected } else { By::None };
            Known { language, by, confidence: None, reliable: None }
        };
        Settled { left: known(left), right: known(right) }
    }

    #[test]
    fn what_a_language_lacks_is_stated_once() {
        use Side::{Left, Right};
        use Warning::{LanguageUnknown, LanguagesDiffer, NoStemmer, NoStopWords};
        let (eng, spa) = (Language::from_code("eng").unwrap(), Language::from_code("spa").unwrap());
        let (cmn, kat) = (Language::from_code("cmn").unwrap(), Language::from_code("kat").unwrap());
        let table: &[(&str, Settled, Vec<Warning>)] = &[
            ("nothing lacks", settled("eng", "eng"), vec![]),
            ("two languages", settled("eng", "spa"), vec![LanguagesDiffer(eng, spa)]),
            ("no stemmer", settled("cmn", "cmn"), vec![NoStemmer(None, cmn)]),
            ("neither", settled("kat", "kat"), vec![NoStopWords(None, kat), NoStemmer(None, kat)]),
            (
                "on one side",
                settled("eng", "cmn"),
                vec![LanguagesDiffer(eng, cmn), NoStemmer(Some(Right), cmn)],
            ),
            ("unknown", settled("", ""), vec![LanguageUnknown(None)]),
            ("on the left", settled("", "eng"), vec![LanguageUnknown(Some(Left))]),
            (
                "each its own",
                settled("kat", "cmn"),
                vec![
                    LanguagesDiffer(kat, cmn),
                    NoStopWords(Some(Left), kat),
                    NoStemmer(Some(Left), kat),
                    NoStemmer(Some(Right), cmn),
                ],
            ),
        ];
        for (why, settled, want) in table {
            assert_eq!(of_languages(settled, &Recipe::default()), *want, "{why}");
        }
    }

    #[test]
    fn no_warning_is_given_of_a_stage_that_is_off() {
        let recipe = Recipe {
            stopwords: stopwords::Choice::Off,
            stemming: stems::Choice::Off,
            ..Recipe::default()
        };
        assert_eq!(of_languages(&settled("kat", "kat"), &recipe), []);
    }
}

#[cfg(test)]
mod disguised_tests {
    use super::*;
    use crate::text::Pages;

    #[test]
    fn a_trick_is_reported_with_its_place_and_an_example() {
        let described = |words, line, page, example: &str| {
            let (trick, example) = (Trick::Homoglyphs, example.to_owned());
            described(&FoundDisguise { trick, words, line, page, example, file: None })
        };
        let found = |words, line, page| described(words, line, page, "pl<U+0430>gue");
        assert_eq!(
            found(1, Some(7), None),
            "1 word with letters of another script that look the same (line 7, \"pl<U+0430>gue\")"
        );
        assert_eq!(
            found(2, None, None),
            "2 words with letters of another script that look the same (\"pl<U+0430>gue\")"
        );
        assert_eq!(
            found(2, Some(7), Some(Pages { name: "slide", numbers: [3, 3] })),
            "2 words with letters of another script that look the same (slide 3, \"pl<U+0430>gue\")"
        );
        // An index without texts has no example.
        assert_eq!(
            described(1, Some(7), None, ""),
            "1 word with letters of another script that look the same (line 7)"
        );
        assert_eq!(
            described(1, None, None, ""),
            "1 word with letters of another script that look the same"
        );
    }
}

#[cfg(test)]
mod marked_tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;
    use crate::language::{Choice, Given, Language};
    use crate::pair::judge;
    use crate::text::Text;
    use crate::tokens::exclusions::Why;

    fn text(content: &str) -> Text {
        Text::from_bytes(Path::new("a.txt"), content.into()).unwrap()
    }

    fn recipe() -> Recipe {
        let english = Given::As(Language::from_code("en"));
        let languages = Choice { left: english, right: english };
        Recipe { languages, ignored: vec![Why::Marked], ..Recipe::default() }
    }

    /// Returns the lines that are left after exclusions, in parts: a start, its end and the lines
    /// between them are excluded.
    fn left_of(lines: &[String]) -> Vec<Vec<&str>> {
        let mut out = vec![false; lines.len()];
        for (end, _) in lines.iter().enumerate().filter(|(_, line)| *line == "E") {
            let starts = (0..end).rev().take_while(|at| lines[*at] != "E");
            let start = starts.into_iter().find(|at| lines[*at] == "S");
            if let Some(start) = start {
                out[start..=end].fill(true);
            }
        }
        let mut parts = vec![Vec::new()];
        for (line, is_out) in lines.iter().zip(out) {
            match parts.last_mut() {
                Some(part) if !is_out => part.push(line.as_str()),
                _ => parts.push(Vec::new()),
            }
        }
        parts
    }

    fn written(line: &str) -> String {
        match line {
            "S" => "# dedup: ignore-start\n".to_owned(),
            "E" => "# dedup: ignore-end\n".to_owned(),
            line => line.to_owned() + "\n",
        }
    }

    proptest! {
        /// The twin consists of the parts that are left, each in a file of its own, whose ends
        /// nothing spans.
        #[test]
        fn what_is_left_of_a_marked_text_is_judged_as_files_of_it_are(
            lines in proptest::collection::vec("(S|E|([a-z](a|o)t(le)?){1,2}( [a-d](a|o)t(le)?){0,9})", 0..16),
            other in proptest::collection::vec(0_usize..16, 0..8),
        ) {
            let content: String = lines.iter().map(|line| written(line)).collect();
            let marked = text(&content);
            let parts = left_of(&lines).into_iter().map(|part| {
                text(&part.into_iter().map(written).collect::<String>())
            });
            let twin = Text::joined(Path::new("a.txt"), parts.collect());
            let other: Vec<&str> = (other.iter().filter_map(|at| lines.get(*at)))
                .map(String::as_str)
                .filter(|line| !matches!(*line, "S" | "E"))
                .collect();
            let right = text(&format!("boats left\n{}", other.join("\n")));
            let judged = [&marked, &twin].map(|left| judge(left, &right, &recipe()).ok());
            let [marked, twin] = judged.map(|judged| judged.map(|it| {
                let passages: Vec<usize> = (it.matches.iter().flat_map(|found| &found.all))
                    .map(|found| found.passage.words())
                    .collect();
                (it.comparison, it.decision, it.left, it.right, passages)
            }));
            prop_assert_eq!(marked, twin);
        }
    }
}
