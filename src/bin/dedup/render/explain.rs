//! Both texts on their way through every stage, for whoever learns or audits.

mod fingerprints;
mod ladder;

use std::collections::HashMap;
use std::fmt::Write;

use dedup_text::language::{By, Known};
use dedup_text::rabin::MODULUS;
use dedup_text::sketch::Summary;
use dedup_text::stems::more_stems;
use dedup_text::text::Text;
use dedup_text::text::formats::Kind;
use dedup_text::tokens::Token;
use unicode_width::UnicodeWidthStr;

use super::stages::Stages;
use crate::model::pair::Pair;
use crate::words::{counted, encoding, path, thousands, visible};

/// How many columns a list on screen takes before it is cut.
const LIST: usize = 210;
/// How wide a line is, in columns.
const LINE: usize = 78;
/// How many shingles of each size are shown.
const SHINGLES: usize = 6;

/// The stages of both texts, the fingerprints side by side, and the ladder.
pub(super) fn render(pair: &Pair) -> String {
    let judgement = pair.judgement;
    let left = Stages::of(pair.left, judgement.languages.left, pair.recipe);
    let right = Stages::of(pair.right, judgement.languages.right, pair.recipe);
    let mut page = String::new();
    page += &side("LEFT", pair, pair.left, judgement.languages.left, &judgement.left, &left);
    page += &side("RIGHT", pair, pair.right, judgement.languages.right, &judgement.right, &right);
    page += &fingerprints::render(judgement.left.fingerprint, judgement.right.fingerprint);
    page += &ladder::render(pair);
    page
}

fn side(
    name: &str,
    pair: &Pair,
    text: &Text,
    known: Known,
    sketch: &Summary,
    stages: &Stages,
) -> String {
    let recipe = pair.recipe;
    let dropped = &stages.trace.sifted.dropped;
    let mut page = format!("{name}  {}\n", path(text.path()));
    let mut stage = |name: &str, what: &str, list: &str| {
        let _ = write!(page, "  {name:12} {what}\n{list}");
    };

    let file =
        format!("{}, {}, {}", counted(text.bytes(), "byte"), encoding(text), text.kind().name());
    stage("text", &file, &shown_by(text));
    stage("language", &language(known), "");
    stage(
        "words",
        &thousands(sketch.words),
        &list(stages.trace.words.0.iter().map(|token| &*token.word)),
    );
    let (elided, stop): (Vec<_>, Vec<_>) = dropped.0.iter().partition(|token| token.elided);
    stage("stop words", &format!("{} dropped", thousands(stop.len())), &tally(&stop));
    if !elided.is_empty() {
        stage("elided", &format!("{} dropped", thousands(elided.len())), &tally(&elided));
    }
    stage("stems", &thousands(sketch.stems), &list(stages.trace.stems.iter()));
    let sizes = match (recipe.ngrams.min(), recipe.ngrams.max()) {
        (min, max) if min == max => format!("of {max}"),
        (min, max) => format!("of {min} to {max}"),
    };
    stage(
        "shingles",
        &format!(
            "{} distinct, {sizes} stems, with their residues mod x^64 + {MODULUS:016x}",
            thousands(sketch.shingles)
        ),
        &shingles(stages, pair),
    );
    stage(
        "votes",
        "for each bit, shingles that have it less those that do not",
        &fingerprints::votes(&stages.votes),
    );
    page.push('\n');
    page
}

fn language(known: Known) -> String {
    let how = match (known.by, known.confidence) {
        (By::Given, _) => "as given".to_owned(),
        (By::Detected, Some(sure)) => format!("detected, confidence {sure:.2}"),
        (By::Together, Some(sure)) => {
            format!("detected in both texts together, confidence {sure:.2}")
        }
        (_, Some(sure)) => format!("not sure enough, confidence {sure:.2}"),
        (_, None) => "nothing to detect it by".to_owned(),
    };
    match known.language {
        Some(language) => format!("{} ({}), {how}", language.name(), language.code()),
        None => format!("none, {how}"),
    }
}

/// Words on indented lines, cut after [`LIST`] columns.
fn list<S: AsRef<str>>(words: impl Iterator<Item = S>) -> String {
    let mut words = words.map(|word| visible(word.as_ref()));
    let (mut lines, mut length) = (vec![String::new()], 0);
    while length < LIST {
        let Some(word) = words.next() else { return indented(&lines) };
        let width = word.width();
        length += width + 1;
        match lines.last_mut() {
            Some(line) if line.width() + width < LINE - 15 => {
                if !line.is_empty() {
                    line.push(' ');
                }
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    let more = words.count();
    if more > 0 {
        lines.push(format!("… and {} more", thousands(more)));
    }
    indented(&lines)
}

fn indented(lines: &[String]) -> String {
    let lines = lines.iter().filter(|line| !line.is_empty());
    lines.fold(String::new(), |page, line| format!("{page}{:15}{line}\n", ""))
}

/// Distinct words with their counts, the most frequent first.
fn tally(tokens: &[&Token]) -> String {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for token in tokens {
        *counts.entry(&token.word).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    list(counts.iter().map(|(word, count)| match count {
        1 => (*word).to_owned(),
        _ => format!("{word}×{count}"),
    }))
}

fn shingles(stages: &Stages, pair: &Pair) -> String {
    let all = stages.shingles(pair.recipe);
    let mut lines = Vec::new();
    if stages.trace.stems.iter().any(|stem| more_stems(stem) > 0) {
        lines.push("one that begins with a letter of a script without spaces has more".to_owned());
    }
    for n in pair.recipe.ngrams.min()..=pair.recipe.ngrams.max() {
        let size: Vec<_> = all.iter().filter(|shingle| shingle.n == n).collect();
        for shingle in size.iter().take(SHINGLES) {
            lines.push(format!("{:016x}  {}", shingle.residue, visible(shingle.text)));
        }
        if size.len() > SHINGLES {
            lines.push(format!("… and {} more of {n}", thousands(size.len() - SHINGLES)));
        }
    }
    indented(&lines)
}

/// How the text is shown that is compared, where it is not the file's.
fn shown_by(text: &Text) -> String {
    let is_the_file = text.kind() == Kind::Plain && text.disguises().is_empty();
    if is_the_file {
        return String::new();
    }
    format!("{:15}shown by: dedup text {}\n", "", path(text.path()))
}
