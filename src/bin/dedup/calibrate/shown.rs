//! What several answers say alike: rules, figures, doubts, and what was left out.

use dedup_text::calibration::{Chosen, Doubt, Extent, Interval, Kind, Label, Limit, Measure, Rule};
use dedup_text::jaccard::Share;

use super::Answer;
use super::gather::LeftOut;
use crate::words::{counted, or_closer, thousands, visible};

/// A measure, for people.
pub(super) fn title(measure: Measure) -> &'static str {
    match measure {
        Measure::Jaccard => "Jaccard",
        Measure::Containment => "containment",
        Measure::Hamming => "Hamming",
    }
}

/// What a rule goes by.
pub(super) fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Alone(measure) => title(measure),
        Kind::Either => "Jaccard or containment",
    }
}

/// The limits that were chosen, each with its flag: as many as [`Chosen::limits`].
pub(super) fn limits(chosen: &Chosen) -> Vec<(&'static str, String)> {
    let limits = &chosen.rule.limits;
    let jaccard = limits.jaccard.map(|limit| ("jaccard", limit.to_string()));
    let containment = limits.containment.map(|limit| ("containment", limit.to_string()));
    let hamming = limits.hamming.map(|limit| ("hamming", limit.to_string()));
    let chosen = match chosen.kind {
        Kind::Alone(Measure::Hamming) => vec![hamming],
        Kind::Alone(_) | Kind::Either => vec![jaccard, containment],
    };
    chosen.into_iter().flatten().collect()
}

/// A rule in words: `Jaccard at least 0.21`.
pub(super) fn rule(kind: Kind, rule: &Rule) -> String {
    let limits = &rule.limits;
    let most = |bits: u32| format!("at most {} that differ", counted(bits as usize, "bit"));
    let or = |limit: Option<String>| limit.unwrap_or("off".to_owned());
    match kind {
        Kind::Alone(Measure::Hamming) => or(limits.hamming.map(most)),
        Kind::Alone(Measure::Jaccard) => {
            format!("Jaccard at least {}", or(limits.jaccard.map(|limit| limit.to_string())))
        }
        Kind::Alone(Measure::Containment) => {
            let limit = or(limits.containment.map(|limit| limit.to_string()));
            format!("containment at least {limit}")
        }
        Kind::Either => format!(
            "Jaccard at least half of {}, or containment at least {}",
            or(limits.jaccard.map(|limit| limit.to_string())),
            or(limits.containment.map(|limit| limit.to_string())),
        ),
    }
}

/// A limit of a curve.
pub(super) fn limit(limit: Limit) -> String {
    match limit {
        Limit::Most(bits) => bits.to_string(),
        Limit::Least(ratio) => ratio.to_string(),
    }
}

/// A share to three digits, cut rather than rounded.
pub(super) fn figure(share: Option<Share>) -> String {
    share.map_or("none".to_owned(), |share| {
        let digits = share.shared() as u128 * 1000 / share.of() as u128;
        format!("{}.{:03}", digits / 1000, digits % 1000)
    })
}

/// Where a share lies.
pub(super) fn interval(interval: Option<Interval>) -> String {
    interval.map_or("unknown".to_owned(), |it| format!("{:.3} to {:.3}", it.low, it.high))
}

/// Where a limit lies.
pub(super) fn interval_of(kind: Kind, of: Option<Interval>) -> String {
    match (kind, of) {
        (Kind::Alone(Measure::Hamming), Some(it)) => format!("{:.0} to {:.0}", it.low, it.high),
        _ => interval(of),
    }
}

/// Texts and pairs: `412 texts (650 yes, 600 no)`.
pub(super) fn extent(extent: Extent) -> String {
    let [yes, no] = [extent.positives, extent.negatives].map(thousands);
    format!("{} ({yes} yes, {no} no)", counted(extent.texts, "text"))
}

/// Labels that were skipped, the most frequent first: `other 323, same 27`.
pub(super) fn skipped(left_out: &LeftOut) -> String {
    /// The most labels that are told.
    const MOST: usize = 5;
    let mut labels: Vec<(&String, &usize)> = left_out.skipped.iter().collect();
    labels.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let told = labels.iter().take(MOST);
    let told = told.map(|(label, count)| format!("{} {}", visible(label), thousands(**count)));
    let more = labels.len().saturating_sub(MOST);
    let more = (more > 0).then(|| format!("and {more} more"));
    told.chain(more).collect::<Vec<_>>().join(", ")
}

/// What is left out and why, counted.
pub(super) fn left_out(left_out: &LeftOut) -> Vec<String> {
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
    reasons.into_iter().filter(|(count, _)| *count > 0).map(|(_, told)| told).collect()
}

/// The name of a doubt, which never changes, and the doubt in words.
pub(super) fn doubt(doubt: &Doubt, answer: &Answer) -> (&'static str, String) {
    const WANTED: usize = dedup_text::calibration::ENOUGH;
    let label = |label: &Label| if *label == Label::Yes { "yes" } else { "no" };
    let are = |count: &usize| if *count == 1 { "is" } else { "are" };
    match doubt {
        Doubt::Few(of, count) => (
            "few-pairs",
            format!("{} {} a {}, wanted {WANTED} at least", counted(*count, "pair"), are(count), label(of)),
        ),
        Doubt::NotSplit => (
            "not-split",
            "no two halves have both labels: the figures are of the pairs that the limits were chosen on, and too good".to_owned(),
        ),
        Doubt::FewToChooseOn(of, count) => (
            "few-to-choose-on",
            format!(
                "limits are chosen on {} that {} a {}, wanted {WANTED} at least",
                counted(*count, "pair"), are(count), label(of)
            ),
        ),
        Doubt::FewToHoldAgainst(of, count) => (
            "few-to-hold-against",
            format!(
                "they are held against {} that {} a {}, wanted {WANTED} at least",
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
        Doubt::NoBetter(level) => (
            "no-better",
            format!("the limits as they are do as well, from {level} on"),
        ),
        Doubt::NoTextInBoth => (
            "no-text-in-both",
            "no text is in a yes and in a no: they may differ by their texts, not by what they share".to_owned(),
        ),
    }
}

/// From which verdict on the answer is yes.
pub(super) fn level(rule: &Rule) -> String {
    or_closer(rule.level)
}
