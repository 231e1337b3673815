//! The sets' sizes and the ladder, with the rung that decided.

use std::fmt::Write;

use dedup_text::jaccard::Share;
use dedup_text::verdict::ratio::Ratio;
use dedup_text::verdict::{Measure, Verdict};

use crate::model::pair::Pair;
use crate::words::{decimal, thousands};

/// The sizes of the sets, and each rung with what it asks for.
pub(super) fn render(pair: &Pair) -> String {
    let (figures, limits) = (&pair.judgement.comparison, &pair.recipe.limits);
    let mut page = "SETS          left, right, shared by both, in either\n".to_owned();
    let longest = format!("of {} stems", pair.recipe.ngrams.max());
    let sets = [("all shingles", figures.all), (&longest, figures.longest)];
    for (name, set) in sets {
        let [left, right, shared, union] =
            [set.left, set.right, set.shared, set.union()].map(thousands);
        let _ = writeln!(page, "  {name:12} {left}, {right}, {shared}, {union}");
    }

    let share = |name: &str, share: Option<Share>, limit: Option<Ratio>| {
        let share = share.map_or("none".to_owned(), decimal);
        let limit = limit.map_or("off".to_owned(), |limit| limit.to_string());
        format!("{name} {share}, limit {limit}")
    };
    let passages = figures.passages;
    let count = passages.map_or("not looked for".to_owned(), |it| thousands(it.passages));
    let hamming = figures.hamming.map_or("none".to_owned(), |bits| bits.to_string());
    let most = limits.hamming.map_or("off".to_owned(), |bits| bits.to_string());
    let of_left = figures.containment_left();
    let of_right = figures.containment_right();
    let (near, partial, excerpt) = (Verdict::NearDuplicate, Verdict::Partial, Verdict::Excerpt);
    let rungs = [
        (Verdict::Identical, Measure::Words, "the same words in the same order".to_owned()),
        (near, Measure::Hamming, format!("Hamming {hamming}, limit {most}")),
        (near, Measure::Jaccard, share("Jaccard", figures.jaccard(), limits.jaccard)),
        (
            partial,
            Measure::CoverageLeft,
            share("coverage of left", passages.and_then(|it| it.left), limits.coverage),
        ),
        (
            partial,
            Measure::CoverageRight,
            share("coverage of right", passages.and_then(|it| it.right), limits.coverage),
        ),
        (partial, Measure::Jaccard, share("Jaccard", figures.jaccard(), limits.partial_jaccard)),
        (
            partial,
            Measure::ContainmentLeft,
            share("containment of left", of_left, limits.containment),
        ),
        (
            partial,
            Measure::ContainmentRight,
            share("containment of right", of_right, limits.containment),
        ),
        (excerpt, Measure::Passages, format!("passages in both {count}, limit 1")),
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
