//! Renders a calibration as a settings file with comments.

use std::fmt::Write;

use dedup_text::calibration::{Calibration, LabelCounts, Rung};
use dedup_text::display::{counted, path, thousands};
use dedup_text::jaccard::Share;
use dedup_text::verdict::ratio::Ratio;

use super::CalibrateFlags;
use crate::config::SetLine;
use crate::diagnostics;

/// The settings that the file always contains because the limits depend on them, each as its key
/// and its default value.
const FIGURES: [(&str, &str); 4] =
    [("min", "1"), ("max", "3"), ("stopwords", "\"on\""), ("stem", "\"on\"")];

/// The number of pairs of each label below which a warning is printed.
const WANTED_PAIRS: usize = 60;

/// Renders the settings file: how good the limits are, the settings that they depend on, and the
/// limits. If the current limits do better, they stay.
pub(super) fn render(flags: &CalibrateFlags, calibration: &Calibration) -> String {
    let limits = &calibration.limits;
    let ratio = |it: Option<Ratio>| it.map(|it| it.to_string());
    let (set, others): ([(&str, Option<String>); 2], &[&str]) = match flags.rung {
        Rung::NearDuplicate => {
            let bits = limits.hamming.map(|bits| bits.to_string());
            ([("jaccard", ratio(limits.jaccard)), ("hamming", bits)], &[])
        }
        Rung::Partial => {
            let partial_jaccard = ratio(limits.partial_jaccard);
            let set = [("partial-jaccard", partial_jaccard), ("coverage", ratio(limits.coverage))];
            (set, &["containment"])
        }
    };
    let mut page = format!("# {} in {}\n", extent(calibration.all), path(&flags.pairs));
    let tested = if calibration.is_split {
        "other texts than those the limits were chosen on"
    } else {
        "the texts that the limits were chosen on, so it is too high"
    };
    let _ = writeln!(
        page,
        "# F1 {}, of the current limits {}, on {tested}\n",
        rounded(calibration.f1),
        rounded(calibration.current_f1)
    );
    let is_worse = calibration.is_worse();
    let is_replaced = |key: &str| {
        !is_worse && (others.contains(&key) || set.iter().any(|(measure, _)| *measure == key))
    };
    let is_repeated = |it: &&SetLine| it.key != "passages" && !is_replaced(&it.key);
    let repeated: Vec<&SetLine> = flags.comparing_set.iter().filter(is_repeated).collect();
    for (key, usual) in FIGURES {
        if !repeated.iter().any(|it| it.key == *key) {
            let _ = writeln!(page, "{key} = {usual}");
        }
    }
    for SetLine { line, .. } in repeated {
        let _ = writeln!(page, "{line}");
    }
    let _ = writeln!(page, "at-least = \"{}\"", flags.rung.level());
    if is_worse {
        return page + "# The current limits do better, so no others are set.\n";
    }
    for (key, value) in set {
        let _ = writeln!(page, "{key} = {}", value.unwrap_or_else(|| "\"off\"".to_owned()));
    }
    page
}

/// Warns if there are few pairs of a label.
pub(super) fn warn(counts: LabelCounts) {
    for (label, pairs) in [("yes", counts.positives), ("no", counts.negatives)] {
        if pairs < WANTED_PAIRS {
            let found = counted(pairs, "pair");
            let what = format!("{found} labelled {label}, expected at least {WANTED_PAIRS}");
            diagnostics::warn("the limits", &what);
        }
    }
}

/// Rounds a share to three digits. Halves are rounded up, whatever digit is before them.
fn rounded(share: Share) -> String {
    format!("{:.3}", (share.ratio() * 1000.0).round() / 1000.0)
}

/// Formats the numbers of texts and pairs: `1,250 pairs of 412 texts (650 yes, 600 no)`.
fn extent(extent: LabelCounts) -> String {
    let [yes, no] = [extent.positives, extent.negatives].map(thousands);
    let pairs = counted(extent.positives + extent.negatives, "pair");
    format!("{pairs} of {} ({yes} yes, {no} no)", counted(extent.texts, "text"))
}
