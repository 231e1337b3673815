//! A judged pair → what the report shows of it, in words.

use std::path::Path;

use dedup_text::language::{By, Known, Language};
use dedup_text::pair::Judgement;
use dedup_text::pair::recipe::{Recipe, Search};
use dedup_text::pair::warnings::Warning;
use dedup_text::sketch::Summary;
use dedup_text::text::{self, Text};
use dedup_text::tokens::exclusions::Why;
use dedup_text::{stems, stopwords};

use super::page;
use super::page::passages;
use super::page::{Disguised, Fact, Page, Side};
use super::{ReportOptions, shown};
use crate::render::details::{figures, reasons};
use crate::render::{Pair, sentence};
use crate::words::{counted, encoding, path, thousands};

/// Gathers what the report shows of a pair.
pub(super) fn gather<'p>(pair: &Pair<'p>, told: &ReportOptions) -> Page<'p> {
    let judgement = pair.judgement;
    let [left_name, right_name] = told.names.clone();
    let side = |text: &'p Text, name, known: Known, left_out, sketch: &Summary| Side {
        name,
        content: shown(text),
        disguised: text
            .disguised_words()
            .map(|(span, written)| Disguised { span, written })
            .collect(),
        language: known.language.map(|language| language.row().short),
        words: sketch.words,
        left_out,
    };
    let Judgement { left, right, languages, .. } = judgement;
    let [left_out, right_out] =
        [text::Side::Left, text::Side::Right].map(|side| page::outs(judgement, side));
    let (notes, warnings): (Vec<_>, Vec<_>) =
        judgement.warnings.iter().partition(|warning| is_technical(warning));
    Page {
        left: side(pair.left, left_name, languages.left, left_out, left),
        right: side(pair.right, right_name, languages.right, right_out, right),
        passages: passages(pair),
        verdict: judgement.decision.verdict.name(),
        sentence: answer(pair, &told.names),
        reasons: reasons(pair),
        figures: named(figures(pair)),
        measured: crate::model::meaning::meaning(pair).sentences(),
        facts: facts(pair),
        parameters: parameters(pair.recipe, told.stopwords, told.settings.clone()),
        warnings: warnings.iter().map(ToString::to_string).collect(),
        notes: notes.iter().map(ToString::to_string).collect(),
        left_out: page::told(judgement),
    }
}

/// The answer in one sentence, as in text. It begins with a capital, but for a name.
fn answer(pair: &Pair, names: &[String; 2]) -> String {
    let names = sentence::names(names.each_ref().map(Path::new));
    let sentence = sentence::sentence(pair, &names);
    let [left, _] = &names;
    let is_name = left != sentence::SIDES[0] && sentence.starts_with(&format!("{left} and "));
    match sentence.split_at_checked(1) {
        Some((first, rest)) if !is_name => first.to_ascii_uppercase() + rest,
        _ => sentence,
    }
}

/// Whether a warning is about how words were compared, and of no use to one who reads the texts.
fn is_technical(warning: &Warning) -> bool {
    use Warning::{LanguageUnknown, NoStemmer, NoStopWords, PathNotUtf8};
    matches!(warning, LanguageUnknown(_) | NoStopWords(..) | NoStemmer(..) | PathNotUtf8(_))
}

/// The figures, each line with a name; the limits are in a column that says so.
fn named(mut figures: Vec<[String; 4]>) -> Vec<[String; 4]> {
    let mut last = String::new();
    for [name, _, limit, _] in &mut figures {
        if let Some(bare) = limit.strip_prefix("limit ") {
            *limit = bare.to_owned();
        }
        if name.is_empty() {
            name.clone_from(&last);
        }
        last.clone_from(name);
    }
    figures
}

fn facts(pair: &Pair) -> Vec<Fact> {
    let judgement = pair.judgement;
    let fact = |name, of: &dyn Fn(&Text, Known, &Summary) -> String| Fact {
        name,
        left: of(pair.left, judgement.languages.left, &judgement.left),
        right: of(pair.right, judgement.languages.right, &judgement.right),
    };
    vec![
        fact("Language", &|_, known, _| language(known)),
        fact("Kind of file", &|text, _, _| text.kind().name().to_owned()),
        fact("Encoding", &|text, _, _| encoding(text)),
        fact("Bytes", &|text, _, _| thousands(text.bytes())),
        fact("Words that count", &|_, _, sketch| thousands(sketch.words)),
        fact("Stems compared", &|_, _, sketch| thousands(sketch.stems)),
        fact("Distinct shingles", &|_, _, sketch| thousands(sketch.shingles)),
        fact("Fingerprint", &|_, _, sketch| {
            sketch.fingerprint.map_or("none".to_owned(), |bits| bits.to_string())
        }),
    ]
}

fn language(known: Known) -> String {
    let name = known.language.map_or("unknown", Language::name);
    match known.by {
        By::Given => format!("{}, as given", known.language.map_or("none", Language::name)),
        By::Together => format!("{name}, detected in both together"),
        By::Detected => format!("{name}, detected"),
        By::Corpus => format!("{name}, as most texts of the corpus"),
        By::None => name.to_owned(),
    }
}

/// How texts are compared: name and value. The list of stop words is named where it may be.
pub(crate) fn parameters(
    recipe: &Recipe,
    stopwords: Option<&Path>,
    settings: Option<String>,
) -> Vec<(&'static str, String)> {
    let (min, max) = (recipe.ngrams.min(), recipe.ngrams.max());
    let limit = |limit: Option<String>| limit.unwrap_or("off".to_owned());
    let mut parameters = vec![
        (
            "Shingles of",
            if min == max { format!("{max} stems") } else { format!("{min} to {max} stems") },
        ),
        (
            "Stop words",
            match (&recipe.stopwords, stopwords) {
                (stopwords::Choice::On, _) => "dropped".to_owned(),
                (stopwords::Choice::Off, _) => "kept".to_owned(),
                (stopwords::Choice::List(_), None) => "those of a list dropped".to_owned(),
                (stopwords::Choice::List(_), Some(list)) => {
                    format!("those of {} dropped", path(list))
                }
            },
        ),
        (
            "Stemming",
            match recipe.stemming {
                stems::Choice::On => "on".to_owned(),
                stems::Choice::Off => "off".to_owned(),
            },
        ),
        ("Left out", left_out_by(recipe)),
        (
            "A passage has at least",
            match recipe.search {
                Search::Never => "not looked for".to_owned(),
                _ => format!("{} in a row", counted(recipe.least.words(), "word")),
            },
        ),
        ("Most bits that differ", limit(recipe.limits.hamming.map(|bits| bits.to_string()))),
        ("Least Jaccard index", limit(recipe.limits.jaccard.map(|ratio| ratio.to_string()))),
        ("Least coverage of a part", limit(recipe.limits.coverage.map(|ratio| ratio.to_string()))),
        (
            "Least Jaccard index of a part",
            limit(recipe.limits.partial_jaccard.map(|ratio| ratio.to_string())),
        ),
        ("Least containment", limit(recipe.limits.containment.map(|ratio| ratio.to_string()))),
    ];
    parameters.extend(settings.map(|name| ("Settings", name)));
    parameters
}

fn left_out_by(recipe: &Recipe) -> String {
    let is_asked_for = |why: &Why| match why {
        Why::Template => !recipe.templates.all.is_empty(),
        Why::Common => recipe.common.is_some(),
        _ => recipe.ignored.contains(why),
    };
    let reasons: Vec<&str> = Why::ALL.into_iter().filter(is_asked_for).map(Why::name).collect();
    if reasons.is_empty() { "nothing".to_owned() } else { reasons.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_figures_has_a_name() {
        let line = |name: &str| [name, "", "limit off", ""].map(str::to_owned);
        let lines = named(vec![line("Hamming"), line("Jaccard"), line("Containment"), line("")]);
        assert_eq!(lines[3], ["Containment", "", "off", ""]);
    }
}
