//! Explains how both texts pass through every stage, for people who learn or audit.

use std::collections::HashMap;
use std::fmt::Write;

use dedup_text::display::{counted, encoding, path, thousands, visible};
use dedup_text::language::{By, Known};
use dedup_text::rabin::MODULUS;
use dedup_text::record::Stages;
use dedup_text::shingles::Variety;
use dedup_text::simhash::{Fingerprint, Votes};
use dedup_text::sketch::{Comparison, Summary};
use dedup_text::stems::more_stems;
use dedup_text::text::Text;
use dedup_text::text::formats::Kind;
use dedup_text::tokens::Token;
use dedup_text::verdict::{Limits, Measure, Rung, Verdict};
use unicode_width::UnicodeWidthStr;

use crate::diagnostics::as_argument;
use crate::model::Pair;
use crate::model::phrases::{Compared, compared};

/// The width of a list on the terminal before it is cut, in columns.
const LIST: usize = 210;
/// The width of a line, in columns.
const LINE: usize = 78;
/// The number of shingles of each size that are shown.
const SHINGLES: usize = 6;

/// Renders the stages of both texts, the fingerprints one below the other, and the ladder of
/// verdicts.
pub(super) fn render(pair: &Pair) -> String {
    let judgement = pair.judgement;
    let left = Stages::new(pair.left, judgement.languages.left, pair.recipe);
    let right = Stages::new(pair.right, judgement.languages.right, pair.recipe);
    let mut page = String::new();
    page += &side("LEFT", pair, pair.left, judgement.languages.left, &judgement.left, &left);
    page += &side("RIGHT", pair, pair.right, judgement.languages.right, &judgement.right, &right);
    page += &fingerprints(judgement.left.fingerprint, judgement.right.fingerprint);
    page += &ladder(pair);
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
    let dropped = &stages.trace.filtered.dropped;
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
        &votes(&stages.votes),
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

/// Renders words on indented lines, cut after [`LIST`] columns.
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

/// Renders distinct words with their counts, the most frequent first.
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
        lines.push(
            "a shingle that begins with a letter of a script without spaces has more".to_owned(),
        );
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

/// Returns a line with the command that shows the text that is compared; an empty string if that is
/// the file itself.
fn shown_by(text: &Text) -> String {
    let is_the_file = text.kind() == Kind::Plain
        && text.disguises().iter().all(|found| found.trick.is_suspicion());
    if is_the_file {
        return String::new();
    }
    format!("{:15}shown by: dedup text {}\n", "", as_argument(text.path()))
}

// Votes and fingerprints as pictures, with bit 63 on the left.

/// Bars of one to eight eighths.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// The indentation of a picture, in characters.
const INDENT: usize = 15;

/// Draws the sums of the votes: a bar for each bit, in the upper row if the sum is above zero and
/// in the lower row if it is below, followed by the numbers.
pub(super) fn votes(votes: &Votes) -> String {
    let greatest = votes.0.iter().map(|sum| sum.unsigned_abs()).max().unwrap_or(0);
    let row = |sign: i64| -> String {
        let bars = votes.0.iter().map(|&sum| bar((sum * sign).max(0).unsigned_abs(), greatest));
        bars.collect()
    };
    let mut picture = format!("{:>INDENT$}{}|\n", "1 |", row(1));
    let _ = writeln!(picture, "{:>INDENT$}{}| a full bar is {greatest}", "0 |", row(-1));
    for (row, sums) in (0..8).zip(votes.0.chunks(8)) {
        let bit = 63 - 8 * row;
        let sums = sums.iter().fold(String::new(), |line, sum| format!("{line}{sum:>8}"));
        let _ = writeln!(picture, "{:>INDENT$}{sums}", format!("bit {bit} "));
    }
    picture
}

/// Returns the bar of a sum; a space if the sum is 0.
fn bar(sum: u64, greatest: u64) -> char {
    let eighths = (sum * 8).checked_div(greatest).unwrap_or(0);
    match usize::try_from(eighths) {
        _ if sum == 0 => ' ',
        Ok(eighths) => BARS[eighths.clamp(1, 8) - 1],
        Err(_) => ' ',
    }
}

/// Renders both fingerprints bit by bit, with the differing bits marked.
pub(super) fn fingerprints(left: Option<Fingerprint>, right: Option<Fingerprint>) -> String {
    let (Some(left), Some(right)) = (left, right) else {
        return "FINGERPRINTS  not compared: a text has no shingles\n\n".to_owned();
    };
    let differing = left.0 ^ right.0;
    let marks =
        format!("         {}", grouped(differing, |differs| if differs { '^' } else { ' ' }));
    let bits = |bits: u64| grouped(bits, |bit| if bit { '1' } else { '0' });
    format!(
        "FINGERPRINTS  a bit is 1 where its votes are above zero; {} of 64 differ\n\
         {:INDENT$}left   {left}\n{:INDENT$}right  {right}\n  left   {}\n  right  {}\n{}\n\n",
        differing.count_ones(),
        "",
        "",
        bits(left.0),
        bits(right.0),
        marks.trim_end(),
    )
}

/// Formats 64 marks in groups of eight, bit 63 first.
fn grouped(bits: u64, mark: fn(bool) -> char) -> String {
    let bytes = bits.to_be_bytes();
    let groups = bytes
        .iter()
        .map(|byte| -> String { (0..8).rev().map(|bit| mark((byte >> bit) & 1 == 1)).collect() });
    groups.collect::<Vec<_>>().join(" ")
}

// The sizes of the sets, and the ladder with the rung that decided.

/// Renders the sizes of the sets, and each rung of the ladder with its figure and limit.
pub(super) fn ladder(pair: &Pair) -> String {
    let (figures, limits) = (&pair.judgement.comparison, &pair.recipe.limits);
    let mut page = "SETS          left, right, shared by both, in either\n".to_owned();
    let longest = format!("of {} stems", pair.recipe.ngrams.max());
    let sets = [("all shingles", figures.all), (&longest, figures.longest)];
    for (name, set) in sets {
        let [left, right, shared, union] =
            [set.left, set.right, set.shared, set.union()].map(thousands);
        let _ = writeln!(page, "  {name:12} {left}, {right}, {shared}, {union}");
    }

    let decision = &pair.judgement.decision;
    page += "\nLADDER        from close to far; the closest rung that holds decides\n";
    for Rung { verdict, measure, holds } in limits.rungs(figures) {
        let Compared { name, figure, limit } = compared(measure, verdict, pair);
        let without = if measure == Measure::Passages { "not looked for" } else { "none" };
        let figure = figure.unwrap_or_else(|| without.to_owned());
        let limit = limit.unwrap_or_else(|| "off".to_owned());
        let what = match measure {
            Measure::Words => name.to_owned(),
            _ => format!("{name} {figure}, limit {limit}"),
        };
        let decides = verdict == decision.verdict && decision.decided_by.contains(&measure);
        let mark = match (decides, holds) {
            (true, _) => "<- decides".to_owned(),
            (false, true) => String::new(),
            (false, false) => by_chance(verdict, measure, pair),
        };
        let line = format!("  {:15} {what:40} {mark}", verdict.name());
        let _ = writeln!(page, "{}", line.trim_end());
    }
    let mark = if decision.verdict == Verdict::Different { "<- decides" } else { "" };
    let line = format!("  {:15} {:40} {mark}", Verdict::Different.name(), "nothing above holds");
    let _ = writeln!(page, "{}\n", line.trim_end());
    page
}

/// Describes why a figure of the sets does not count though it reaches its limit: because too few
/// shingles are shared (`1 shared, by chance`), or because the sets are no evidence (`few-stems`).
/// Returns an empty string otherwise.
fn by_chance(verdict: Verdict, measure: Measure, pair: &Pair) -> String {
    let (figures, limits) = (&pair.judgement.comparison, &pair.recipe.limits);
    let evidence = Comparison { variety: Variety::Varied, ..*figures };
    let would_hold =
        |rung: &Rung| (rung.verdict, rung.measure, rung.holds) == (verdict, measure, true);
    if limits.rungs(&evidence).iter().any(would_hold) {
        return format!("no evidence: {}", figures.variety.name());
    }
    let (limit, shared, least) = match measure {
        Measure::Jaccard if verdict == Verdict::Partial => {
            (limits.partial_jaccard, figures.all.shared, Limits::MIN_SHARED)
        }
        Measure::ContainmentLeft | Measure::ContainmentRight => {
            (limits.containment, figures.longest.shared, Limits::MIN_CONTAINED as usize)
        }
        _ => return String::new(),
    };
    let is_by_chance = limit.is_some() && (1..least).contains(&shared);
    if is_by_chance { format!("{shared} shared, by chance") } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_grow_with_the_sum() {
        #[rustfmt::skip]
        let table = [
            ("nothing",        0,  80, ' '),
            ("the least",      1,  80, '▁'),
            ("a half",         40, 80, '▄'),
            ("all",            80, 80, '█'),
            ("no votes",       0,  0,  ' '),
        ];
        for (why, sum, greatest, want) in table {
            assert_eq!(bar(sum, greatest), want, "{why}");
        }
    }

    #[test]
    fn differing_bits_are_marked() {
        let picture = fingerprints(Some(Fingerprint(1 << 63 | 1)), Some(Fingerprint(1)));
        let lines: Vec<&str> = picture.lines().collect();
        assert!(lines[0].ends_with("1 of 64 differ"));
        assert!(lines[3].starts_with("  left   10000000 00000000"));
        assert!(lines[4].starts_with("  right  00000000 00000000"));
        assert_eq!(lines[5], "         ^");
    }
}
