//! Phrases about pairs that several renderers and exports use.

use std::fmt::Display;

use dedup_text::corpus::CommonStretch;
use dedup_text::display::{counted, decimal, thousands};
use dedup_text::jaccard::Share;
use dedup_text::pair::{Judgement, Matches, Short};
use dedup_text::sketch::Coverage;
use dedup_text::verdict::ratio::Ratio;
use dedup_text::verdict::{Limits, Measure, Verdict};

use super::Pair;

/// Describes the size of a stretch that many texts have: `226 words that 58 of 60 texts have`.
pub(crate) fn shared_by(stretch: &CommonStretch) -> String {
    let (words, texts) = (counted(stretch.words, "word"), thousands(stretch.texts));
    format!("{words} that {texts} of {} have", counted(stretch.of, "text"))
}

/// Returns what kind of copy a pair may be, for readers who do not know the verdicts.
pub(crate) fn kind(verdict: Verdict, coverage: Option<&Coverage>) -> &'static str {
    let is_nearly_all =
        |share: Share| 10 * share.shared() >= 9 * share.total() && share.shared() > 0;
    let are_nearly_all =
        coverage.is_some_and(|it| (0..2).all(|side| it.share(side).is_some_and(is_nearly_all)));
    match verdict {
        Verdict::Identical => "identical",
        Verdict::NearDuplicate => "near copy",
        Verdict::Partial if are_nearly_all => "reworked copy",
        Verdict::Partial => "large part",
        Verdict::Excerpt => "passage",
        Verdict::Different => "different",
    }
}

/// Returns what decided the verdict, in words.
pub(crate) fn reasons(pair: &Pair) -> String {
    let decision = &pair.judgement.decision;
    let reason = |measure: &Measure| reason(*measure, decision.verdict, pair);
    if decision.decided_by.is_empty() {
        return match pair.judgement.matches {
            Some(_) => format!("no figure reaches its limit; {}", no_passage(pair.judgement)),
            None => "no figure reaches its limit; passages were not looked for".to_owned(),
        };
    }
    let accepted = (pair.is_accepted == Some(true)).then(|| "accepted earlier".to_owned());
    decision.decided_by.iter().map(reason).chain(accepted).collect::<Vec<_>>().join("; ")
}

/// A figure and the limit that it is compared with, as they are shown.
pub(crate) struct Compared {
    pub(crate) name: &'static str,
    /// `None` if a text has too little for the figure, or if passages were not searched for.
    pub(crate) figure: Option<String>,
    /// `None` if the limit is off, or if the measure has none.
    pub(crate) limit: Option<String>,
}

/// Returns the figure and the limit that are compared for a measure on the rung of a verdict.
pub(crate) fn compared(measure: Measure, verdict: Verdict, pair: &Pair) -> Compared {
    let figures = &pair.judgement.comparison;
    let Limits { hamming, jaccard, partial_jaccard: _, coverage, containment } = pair.recipe.limits;
    let share = |name, share: Option<Share>, limit: Option<Ratio>| Compared {
        name,
        figure: share.map(decimal),
        limit: limit.map(|limit| limit.to_string()),
    };
    // The limit applies to all covered words. The share of those that are changed follows in brackets.
    let covered = |name, side: usize| {
        let share = share(name, figures.passages.and_then(|it| it.share(side)), coverage);
        let changed = figures.passages.and_then(|it| it.changed(side));
        match changed.filter(|it| it.shared() > 0).zip(share.figure.clone()) {
            Some((changed, all)) => {
                Compared { figure: Some(format!("{all} ({} changed)", decimal(changed))), ..share }
            }
            None => share,
        }
    };
    match measure {
        Measure::Words => {
            Compared { name: "the same words in the same order", figure: None, limit: None }
        }
        Measure::Hamming => Compared {
            name: "Hamming",
            figure: figures.hamming.map(|bits| bits.to_string()),
            limit: hamming.map(|bits| bits.to_string()),
        },
        Measure::CoverageLeft => covered("coverage of left", 0),
        Measure::CoverageRight => covered("coverage of right", 1),
        Measure::Jaccard => {
            let whole = share("Jaccard", figures.jaccard(), jaccard);
            let is_near = verdict == Verdict::NearDuplicate;
            if is_near { whole } else { Compared { limit: partial_jaccard(pair), ..whole } }
        }
        Measure::ContainmentLeft => {
            share("containment of left", figures.containment_left(), containment)
        }
        Measure::ContainmentRight => {
            share("containment of right", figures.containment_right(), containment)
        }
        Measure::Passages => Compared {
            name: "passages in both",
            figure: figures.passages.map(|it| thousands(it.passages)),
            limit: Some("1".to_owned()),
        },
    }
}

/// Returns the reason why a measure decided the verdict.
pub(crate) fn reason(measure: Measure, verdict: Verdict, pair: &Pair) -> String {
    let Compared { name, figure, limit } = compared(measure, verdict, pair);
    let [figure, limit] = [figure, limit].map(Option::unwrap_or_default);
    let judgement = pair.judgement;
    let is_short = judgement.comparison.least_words < Limits::SHORT;
    match measure {
        Measure::Words => {
            let is_whole =
                judgement.left_out_of_left.is_empty() && judgement.left_out_of_right.is_empty();
            let what = if is_whole { "" } else { " in what is left" };
            format!("{name}{what}")
        }
        Measure::Hamming => format!("{name} {figure} is within its limit {limit}"),
        Measure::Jaccard if is_short && verdict != Verdict::NearDuplicate => {
            format!("{name} {figure} reaches {limit}, its limit in a short text")
        }
        Measure::Passages if figure == "1" => "1 passage is in both".to_owned(),
        Measure::Passages => format!("{figure} passages are in both"),
        _ => format!("{name} {figure} reaches its limit {limit}"),
    }
}

/// Formats a limit as it is shown beside a figure: `limit 0.5`, or `limit off`.
pub(crate) fn limit(limit: Option<impl Display>) -> String {
    limit.map_or("limit off".to_owned(), |limit| format!("limit {limit}"))
}

/// Describes that no passage is shared: `no shared passage found`, or
/// `no shared passage of 20 words or more` if shorter passages are listed separately.
pub(crate) fn no_passage(judgement: &Judgement) -> String {
    match judgement.matches.as_ref().and_then(some_short) {
        Some(short) => format!("no shared passage of {} or more", counted(short.below, "word")),
        None => "no shared passage found".to_owned(),
    }
}

/// Formats the minimum Jaccard index of a partial pair: `0.12`, or `two thirds of 0.12` if a text
/// is short; `None` if it is off.
pub(crate) fn partial_jaccard(pair: &Pair) -> Option<String> {
    let limit = pair.recipe.limits.partial_jaccard?;
    let is_short = pair.judgement.comparison.least_words < Limits::SHORT;
    Some(if is_short { format!("two thirds of {limit}") } else { limit.to_string() })
}

/// Returns the passages that are listed separately because they are too short to count; `None` if
/// there are none.
pub(crate) fn some_short(matches: &Matches) -> Option<&Short> {
    matches.short.as_ref().filter(|short| !short.all.is_empty())
}

/// Formats the shares of the words of a text that are the same and that are changed, in percent: `60+38`,
/// or `60` if none is changed.
pub(crate) fn same_and_changed(coverage: &Coverage, side: usize) -> String {
    let same = hundredths(coverage.same(side));
    match coverage.changed(side).filter(|share| share.shared() > 0) {
        Some(changed) => format!("{same}+{}", hundredths(Some(changed))),
        None => same,
    }
}

/// Formats a share in percent, rounded down as in sentences, or `<1`; `0` if it is `None`.
pub(crate) fn hundredths(share: Option<Share>) -> String {
    match share.map_or((0, 0), |share| (share.filled(100), share.shared())) {
        (0, 1..) => "<1".to_owned(),
        (hundredths, _) => hundredths.to_string(),
    }
}
