//! What several answers say alike: rules, figures, doubts, and what was left out.

use dedup_text::calibration::{Chosen, Doubt, Extent, Interval, Label, Limit, Measure, Rule, Rung};
use dedup_text::jaccard::Share;
use dedup_text::verdict::Limits;
use dedup_text::words::{counted, or_closer, thousands, visible};

use crate::model::calibration::Answer;
use crate::model::calibration::LeftOut;

/// A measure, for people.
pub(crate) fn title(measure: Measure) -> &'static str {
    match measure {
        Measure::Jaccard => "Jaccard",
        Measure::Coverage => "coverage",
        Measure::Hamming => "Hamming",
    }
}

/// The measures of a rule, for people.
pub(crate) fn titles(chosen: &Chosen) -> String {
    chosen.measures.iter().map(|measure| title(*measure)).collect::<Vec<_>>().join(" or ")
}

/// The flag of a measure's limit at a rung, without its hyphens.
pub(crate) fn flag(measure: Measure, rung: Rung) -> &'static str {
    match (measure, rung) {
        (Measure::Jaccard, Rung::Partial) => "partial-jaccard",
        _ => measure.name(),
    }
}

/// A limit that was chosen: its measure, its flag, its value, and where it lies in draws.
pub(crate) struct ChosenLimit {
    pub(crate) measure: Measure,
    pub(crate) flag: &'static str,
    pub(crate) value: String,
    pub(crate) interval: String,
}

/// The limits that were chosen.
pub(crate) fn limits(chosen: &Chosen) -> Vec<ChosenLimit> {
    let limits = chosen.limits().map(|(measure, value, of)| ChosenLimit {
        measure,
        flag: flag(measure, chosen.rule.rung),
        value: limit(value),
        interval: match of {
            Some(it) if measure == Measure::Hamming => format!("{:.0} to {:.0}", it.low, it.high),
            _ => interval(of),
        },
    });
    limits.collect()
}

/// A rule in words: `Jaccard index at least 0.21`.
pub(crate) fn rule(chosen: &Chosen) -> String {
    let words =
        chosen.limits().map(|(measure, value, _)| match (measure, chosen.rule.rung, value) {
            (_, _, Limit::Most(bits)) => {
                format!("at most {} that differ", counted(bits as usize, "bit"))
            }
            (Measure::Coverage, _, least) => {
                format!("coverage of either text at least {}", limit(least))
            }
            (_, Rung::Partial, least) => format!(
                "Jaccard index at least {} (two thirds of it where a text has fewer than {} words)",
                limit(least),
                Limits::SHORT
            ),
            (_, Rung::NearDuplicate, least) => format!("Jaccard index at least {}", limit(least)),
        });
    words.collect::<Vec<_>>().join(", or ")
}

/// What the labels stand for, and which limits are tried.
pub(crate) fn task(answer: &Answer) -> String {
    let rung = answer.calibration.rung;
    let [one, other] = rung.measures().map(|measure| flag(measure, rung));
    let level = or_closer(rung.level());
    let task = format!(
        "a pair labelled yes should be {level}; limits are tried for --{one} and --{other}"
    );
    [Some(task), always(answer)].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// Which pairs are a yes by every rule because of limits that stay as they are; `None` where limits
/// of near-duplicates are chosen.
pub(crate) fn always(answer: &Answer) -> Option<String> {
    let rung = Rung::NearDuplicate;
    let rule = Rule { limits: answer.recipe.limits, rung };
    let value = |measure| rule.limit_of(measure).map_or("off".to_owned(), limit);
    let limits = rung.measures().map(|it| format!("--{} {}", flag(it, rung), value(it)));
    (answer.calibration.rung == Rung::Partial)
        .then(|| format!("near-duplicates ({}) are a yes by every rule", limits.join(", ")))
}

/// A limit of a curve.
pub(crate) fn limit(limit: Limit) -> String {
    match limit {
        Limit::Most(bits) => bits.to_string(),
        Limit::Least(ratio) => ratio.to_string(),
    }
}

/// A share to three digits, cut rather than rounded.
pub(crate) fn figure(share: Option<Share>) -> String {
    share.map_or("none".to_owned(), |share| {
        let digits = share.shared() as u128 * 1000 / share.total() as u128;
        format!("{}.{:03}", digits / 1000, digits % 1000)
    })
}

/// Where a share lies.
pub(crate) fn interval(interval: Option<Interval>) -> String {
    interval.map_or("unknown".to_owned(), |it| format!("{:.3} to {:.3}", it.low, it.high))
}

/// Texts and pairs: `412 texts (650 yes, 600 no)`.
pub(crate) fn extent(extent: Extent) -> String {
    let [yes, no] = [extent.positives, extent.negatives].map(thousands);
    format!("{} ({yes} yes, {no} no)", counted(extent.texts, "text"))
}

/// Labels that were skipped, the most frequent first: `other 323, same 27`.
pub(crate) fn skipped(left_out: &LeftOut) -> String {
    /// The most labels that are reported.
    const MOST: usize = 5;
    let mut labels: Vec<(&String, &usize)> = left_out.skipped.iter().collect();
    labels.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let rendered = labels.iter().take(MOST);
    let rendered =
        rendered.map(|(label, count)| format!("{} {}", visible(label), thousands(**count)));
    let more = labels.len().saturating_sub(MOST);
    let more = (more > 0).then(|| format!("and {more} more"));
    rendered.chain(more).collect::<Vec<_>>().join(", ")
}

/// What is left out and why, counted.
pub(crate) fn left_out(left_out: &LeftOut) -> Vec<String> {
    let all: usize = left_out.skipped.values().sum();
    let with = |pairs, texts, what: &str| format!("{} with {texts} {what}", counted(pairs, "pair"));
    let [of_failed, of_short] =
        [left_out.failed_texts, left_out.short_texts].map(|count| counted(count, "text"));
    #[rustfmt::skip]
    let reasons = [
        (left_out.wrong_lines,         format!("{} that are no pair", counted(left_out.wrong_lines, "line"))),
        (all,                          format!("{} with other labels: {}", counted(all, "pair"), skipped(left_out))),
        (left_out.failed_texts,        with(left_out.failed_pairs, of_failed, "that failed")),
        (left_out.short_pairs,         with(left_out.short_pairs, of_short, "too short")),
        (left_out.contradictory.len(), format!("{} with both labels", counted(left_out.contradictory.len(), "pair"))),
        (left_out.repeated,            format!("{} given before", counted(left_out.repeated, "pair"))),
        (left_out.with_itself,         format!("{} of a text with itself", counted(left_out.with_itself, "pair"))),
    ];
    reasons.into_iter().filter(|(count, _)| *count > 0).map(|(_, rendered)| rendered).collect()
}

/// The name of a doubt, which never changes, and the doubt in words.
pub(crate) fn doubt(doubt: &Doubt, answer: &Answer) -> (&'static str, String) {
    const WANTED: usize = dedup_text::calibration::ENOUGH;
    let label = |label: &Label| if *label == Label::Yes { "yes" } else { "no" };
    let are = |count: &usize| if *count == 1 { "is" } else { "are" };
    match doubt {
        Doubt::Few(of, count) => (
            "few-pairs",
            format!("{} {} a {}, expected {WANTED} at least", counted(*count, "pair"), are(count), label(of)),
        ),
        Doubt::NotSplit => (
            "not-split",
            "no two halves have both labels: the figures are of the pairs that the limits were chosen on, and too good".to_owned(),
        ),
        Doubt::FewToChooseOn(of, count) => (
            "few-to-choose-on",
            format!(
                "limits are chosen on {} that {} a {}, expected {WANTED} at least",
                counted(*count, "pair"), are(count), label(of)
            ),
        ),
        Doubt::FewToHoldAgainst(of, count) => (
            "few-to-hold-against",
            format!(
                "they are held against {} that {} a {}, expected {WANTED} at least",
                counted(*count, "pair"), are(count), label(of)
            ),
        ),
        Doubt::InMostPairs(text, count) => (
            "one-text-in-most",
            format!(
                "{} is in {} of {}: the limits are about that text",
                visible(answer.name(*text)), thousands(*count),
                counted(answer.gathered.pairs.len(), "pair")
            ),
        ),
        Doubt::NoBetter => ("no-better", "the current limits do as well".to_owned()),
        Doubt::NoTextInBoth => (
            "no-text-in-both",
            "no text is in a yes and in a no: they may differ by their texts, not by what they share".to_owned(),
        ),
    }
}
