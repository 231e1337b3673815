//! The sets' sizes and the ladder, with the rung that decided.

use std::fmt::Write;

use dedup_text::jaccard::Share;
use dedup_text::ratio::Ratio;
use dedup_text::verdict::{Measure, Verdict};

use crate::report::Pair;
use crate::words::{decimal, thousands};

/// The sizes of the sets, and each rung with what it asks for.
pub(super) fn written(pair: &Pair) -> String {
    let (figures, limits) = (&pair.judgement.comparison, &pair.recipe.limits);
    let mut page = "SETS          left, right, shared by both, in either\n".to_owned();
    let longest = format!("of {} stems", pair.recipe.ngrams.max());
    let counted = figures.counted.map(|counted| ("with repeats", counted));
    let sets = [("all shingles", figures.all), (&longest, figures.longest)];
    for (name, set) in sets.into_iter().chain(counted) {
        let [left, right, shared, union] =
            [set.left, set.right, set.shared, set.union()].map(thousands);
        let _ = writeln!(page, "  {name:12} {left}, {right}, {shared}, {union}");
    }

    let share = |name: &str, share: Option<Share>, limit: Option<Ratio>, half: &str| {
        let share = share.map_or("none".to_owned(), decimal);
        let limit = limit.map_or("off".to_owned(), |limit| format!("{half}{limit}"));
        format!("{name} {share}, limit {limit}")
    };
    let hamming = figures.hamming.map_or("none".to_owned(), |bits| bits.to_string());
    let most = limits.hamming.map_or("off".to_owned(), |bits| bits.to_string());
    let of_left = figures.containment_left();
    let of_right = figures.containment_right();
    let (near, partial) = (Verdict::NearDuplicate, Verdict::Partial);
    let rungs = [
        (Verdict::Identical, Measure::Words, "the same words in the same order".to_owned()),
        (near, Measure::Hamming, format!("Hamming {hamming}, limit {most}")),
        (near, Measure::Jaccard, share("Jaccard", figures.jaccard(), limits.jaccard, "")),
        (
            partial,
            Measure::Jaccard,
            share("Jaccard", figures.jaccard(), limits.jaccard, "half of "),
        ),
        (
            partial,
            Measure::ContainmentLeft,
            share("containment of left", of_left, limits.containment, ""),
        ),
        (
            partial,
            Measure::ContainmentRight,
            share("containment of right", of_right, limits.containment, ""),
        ),
        (
            partial,
            Measure::WeightedJaccard,
            share("weighted Jaccard", figures.weighted_jaccard(), limits.weighted_jaccard, ""),
        ),
    ];

    let decision = &pair.judgement.decision;
    page += "\nLADDER        from close to far; the closest rung that holds decides\n";
    for (verdict, measure, what) in rungs {
        let decides = verdict == decision.verdict && decision.decided_by.contains(&measure);
        let mark = if decides { "<- decides" } else { "" };
        let line = format!("  {:15} {what:40} {mark}", verdict.name());
        let _ = writeln!(page, "{}", line.trim_end());
    }
    let mark = if decision.verdict == Verdict::Different { "<- decides" } else { "" };
    let line = format!("  {:15} {:40} {mark}", Verdict::Different.name(), "nothing above holds");
    let _ = writeln!(page, "{}\n", line.trim_end());
    page
}
