//! Renders a calibration as a settings file with comments, and prints the reasons to doubt it.

use std::fmt::Write;

use dedup_text::calibration::{
    Calibration, Chosen, Counts, Label, LabelCounts, Limit, Measure, Rule, Rung, Warning,
};
use dedup_text::display::{counted, or_closer, path, thousands, visible, wrapped};
use dedup_text::jaccard::Share;
use dedup_text::pair::Recipe;
use dedup_text::verdict::Limits;

use super::{CalibrateFlags, Gathered, LeftOut};
use crate::config::SetLine;
use crate::diagnostics;

/// The width of a line, in characters.
const WIDTH: usize = 80;

/// The settings that the file always contains because the limits depend on them, each as its key
/// and its default value.
const FIGURES: [(&str, &str); 4] =
    [("min", "1"), ("max", "3"), ("stopwords", "\"on\""), ("stem", "\"on\"")];

/// Renders the settings file: how the limits were chosen and how good they are, the settings that
/// they depend on, and the limits. If the current limits do better, they stay.
pub(super) fn render(
    flags: &CalibrateFlags,
    recipe: &Recipe,
    gathered: &Gathered,
    calibration: &Calibration,
) -> String {
    let rung = calibration.rung;
    let list = path(&flags.pairs);
    let mut page = comment(&format!("{} in {list}", extent(calibration.all)));
    page += &comment(&task(recipe, rung));
    for reason in left_out(&gathered.left_out) {
        page += &comment(&format!("left out: {reason}"));
    }
    if let Some(settings) = flags.settings.name() {
        page += &comment(&format!("settings: {}", visible(&settings)));
    }
    page += "#\n";
    let is_split = !calibration.warnings.contains(&Warning::NotSplit);
    page += &comment(if is_split {
        "F1 on other texts than those a rule was chosen on:"
    } else {
        "F1 on the texts that a rule was chosen on:"
    });
    for (at, chosen) in calibration.chosen.iter().enumerate() {
        let mark = if at == calibration.best { " (best)" } else { "" };
        page += &scored(&(rule(chosen) + mark), &chosen.counts);
    }
    page += &scored("the current limits", &calibration.current.1);
    let own: &[&str] = match rung {
        _ if calibration.is_worse() => &[],
        Rung::NearDuplicate => &["hamming", "jaccard"],
        Rung::Partial => &["partial-jaccard", "coverage", "containment"],
    };
    page.push('\n');
    let is_repeated = |it: &&SetLine| it.key != "passages" && !own.contains(&it.key.as_str());
    let set: Vec<&SetLine> = flags.comparing_set.iter().filter(is_repeated).collect();
    for (key, usual) in FIGURES {
        if !set.iter().any(|it| it.key == *key) {
            let _ = writeln!(page, "{key} = {usual}");
        }
    }
    for SetLine { line, .. } in set {
        let _ = writeln!(page, "{line}");
    }
    let _ = writeln!(page, "at-least = \"{}\"", rung.level());
    if calibration.is_worse() {
        page += "# The current limits do better, so no others are set.\n";
    } else {
        let rule = &calibration.chosen[calibration.best].rule;
        for measure in rung.measures() {
            let value = rule.limit_of(measure).map_or("\"off\"".to_owned(), format_limit);
            let _ = writeln!(page, "{} = {value}", flag(measure, rung));
        }
    }
    page
}

/// Prints the reasons to doubt the limits as warnings.
pub(super) fn warn(gathered: &Gathered, calibration: &Calibration) {
    for warning in &calibration.warnings {
        diagnostics::warn("the limits", &describe_warning(warning, gathered));
    }
}

/// Renders the F1 of a rule as a comment.
fn scored(rule: &str, counts: &Counts) -> String {
    comment(&format!(
        "- {}, precision {}, recall {}: {rule}",
        figure(counts.f1()),
        figure(counts.precision()),
        figure(counts.recall()),
    ))
}

/// Renders a comment, wrapped at [`WIDTH`] characters.
fn comment(text: &str) -> String {
    let lines = wrapped(text, WIDTH - 2, 4);
    format!("# {}\n", lines.trim_end().replace('\n', "\n# "))
}

/// Returns the flag of a measure's limit on a rung, without its hyphens.
fn flag(measure: Measure, rung: Rung) -> &'static str {
    match (measure, rung) {
        (Measure::Jaccard, Rung::Partial) => "partial-jaccard",
        _ => measure.name(),
    }
}

/// Describes a rule in words: `Jaccard index at least 0.21`.
fn rule(chosen: &Chosen) -> String {
    let Some(limit) = chosen.rule.limit_of(chosen.measure) else { return String::new() };
    match (chosen.measure, chosen.rule.rung, limit) {
        (_, _, Limit::Most(bits)) => {
            format!("at most {} that differ", counted(bits as usize, "bit"))
        }
        (Measure::Coverage, _, least) => {
            format!("coverage of either text at least {}", format_limit(least))
        }
        (_, Rung::Partial, least) => format!(
            "Jaccard index at least {} (two thirds of it where a text has fewer than {} words)",
            format_limit(least),
            Limits::SHORT
        ),
        (_, Rung::NearDuplicate, least) => {
            format!("Jaccard index at least {}", format_limit(least))
        }
    }
}

/// Describes what the labels mean, and which pairs are a yes whatever the limits are.
fn task(recipe: &Recipe, rung: Rung) -> String {
    let task = format!("a pair labelled yes should be {}", or_closer(rung.level()));
    if rung == Rung::NearDuplicate {
        return task;
    }
    let rung = Rung::NearDuplicate;
    let rule = Rule { limits: recipe.limits, rung };
    let value = |measure| rule.limit_of(measure).map_or("off".to_owned(), format_limit);
    let limits = rung.measures().map(|it| format!("--{} {}", flag(it, rung), value(it)));
    format!("{task}; near-duplicates ({}) are a yes under every rule", limits.join(", "))
}

/// Formats a limit.
fn format_limit(limit: Limit) -> String {
    match limit {
        Limit::Most(bits) => bits.to_string(),
        Limit::Least(ratio) => ratio.to_string(),
    }
}

/// Formats a share, rounded to three digits.
fn figure(share: Option<Share>) -> String {
    share.map_or("none".to_owned(), |share| rounded(share.ratio()))
}

/// Rounds a share to three digits. Halves are rounded up, whatever digit is before them.
fn rounded(share: f64) -> String {
    format!("{:.3}", (share * 1000.0).round() / 1000.0)
}

/// Formats the numbers of texts and pairs: `1,250 pairs of 412 texts (650 yes, 600 no)`.
fn extent(extent: LabelCounts) -> String {
    let [yes, no] = [extent.positives, extent.negatives].map(thousands);
    let pairs = counted(extent.positives + extent.negatives, "pair");
    format!("{pairs} of {} ({yes} yes, {no} no)", counted(extent.texts, "text"))
}

/// Lists the labels that were skipped, the most frequent first: `other 323, same 27`.
pub(super) fn skipped(left_out: &LeftOut) -> String {
    /// The largest number of labels that are listed.
    const MAX_LABELS: usize = 5;
    let mut labels: Vec<(&String, &usize)> = left_out.skipped.iter().collect();
    labels.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let counts = labels.iter().take(MAX_LABELS);
    let counts = counts.map(|(label, count)| format!("{} {}", visible(label), thousands(**count)));
    let more = labels.len().saturating_sub(MAX_LABELS);
    let more = (more > 0).then(|| format!("and {more} more"));
    counts.chain(more).collect::<Vec<_>>().join(", ")
}

/// Describes what is left out: a count and a reason each.
fn left_out(left_out: &LeftOut) -> Vec<String> {
    let all: usize = left_out.skipped.values().sum();
    let with = |pairs, texts, what: &str| format!("{} with {texts} {what}", counted(pairs, "pair"));
    let [of_failed, of_short] =
        [left_out.failed_texts, left_out.short_texts].map(|count| counted(count, "text"));
    #[rustfmt::skip]
    let reasons = [
        (left_out.wrong_lines,         format!("{} that are not a pair", counted(left_out.wrong_lines, "line"))),
        (all,                          format!("{} with other labels: {}", counted(all, "pair"), skipped(left_out))),
        (left_out.failed_texts,        with(left_out.failed_pairs, of_failed, "that failed")),
        (left_out.short_pairs,         with(left_out.short_pairs, of_short, "too short")),
        (left_out.contradictory.len(), format!("{} with both labels", counted(left_out.contradictory.len(), "pair"))),
        (left_out.repeated,            format!("{} given before", counted(left_out.repeated, "pair"))),
        (left_out.with_itself,         format!("{} of a text with itself", counted(left_out.with_itself, "pair"))),
    ];
    reasons.into_iter().filter(|(count, _)| *count > 0).map(|(_, reason)| reason).collect()
}

/// Describes a warning.
fn describe_warning(warning: &Warning, gathered: &Gathered) -> String {
    const WANTED: usize = dedup_text::calibration::MIN_PAIRS_PER_LABEL;
    match warning {
        Warning::NotSplit => "no two halves of the texts have pairs of both labels, so the limits \
                              are tested on the pairs that they were chosen on, and look too good"
            .to_owned(),
        Warning::Few(label, count) => format!(
            "chosen or tested on {} labelled {}, expected at least {WANTED}",
            counted(*count, "pair"),
            if *label == Label::Yes { "yes" } else { "no" },
        ),
        Warning::InMostPairs(text, count) => format!(
            "{} is in {} of {}, on which they mainly depend",
            visible(&gathered.names[*text as usize]),
            thousands(*count),
            counted(gathered.pairs.len(), "pair")
        ),
        Warning::NoTextInBoth => "no text is in both a yes and a no: these may differ in their \
                                  texts, not in what they share"
            .to_owned(),
        Warning::NoBetter => "the current limits do as well".to_owned(),
        Warning::Worse => "the current limits do better".to_owned(),
    }
}
