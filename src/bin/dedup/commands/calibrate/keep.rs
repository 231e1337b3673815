//! The best limits → a settings file, with the others as comments.

use std::fmt::Write;
use std::path::Path;

use dedup_text::calibration::{Chosen, Rung};
use dedup_text::words::{path, thousands};

use crate::args::CalibrateFlags;
use crate::diagnostics::Diagnostic;
use crate::io::output::is_output;
use crate::model::calibration::Answer;
use crate::render::calibration::{self, figure, interval};

/// What the limits hold for, in its default: key and value.
const FIGURES: [(&str, &str); 4] =
    [("min", "1"), ("max", "3"), ("stopwords", "\"on\""), ("stem", "\"on\"")];

/// An error where the file would name others, and not from where they are named.
pub(crate) fn check(flags: &CalibrateFlags) -> Result<(), Diagnostic> {
    let Some(file) = &flags.settings_file else { return Ok(()) };
    let is_here = is_output(file) || file.parent().is_none_or(|folder| folder == Path::new(""));
    let stopwords = flags.stopwords_as_given().to_str().unwrap_or_default();
    let names_file = |(key, _): &&(String, String)| match key.as_str() {
        "template" => true,
        "stopwords" => !["on", "off"].contains(&stopwords),
        _ => false,
    };
    match flags.figures.iter().find(names_file) {
        Some((_, line)) if !is_here => Err(Diagnostic::new(format!(
            "--settings {} and {line}, expected it in the working folder",
            path(file)
        ))
        .hint("the files that settings name are looked up from their folder")),
        _ => Ok(()),
    }
}

/// The file.
pub(crate) fn render(answer: &Answer) -> String {
    let calibration = answer.calibration;
    let [yes, no] = [calibration.all.positives, calibration.all.negatives].map(thousands);
    let held = if calibration.together.is_some() {
        "on texts that they were not chosen on"
    } else {
        "on the very texts that they were chosen on"
    };
    let rung = calibration.rung;
    let mut page = format!(
        "# Limits that dedup calibrate chose for {}, by {}: {yes} pairs yes, {no} no.\n\
         # Figures are {held}, those in brackets of 95 in 100 draws.\n\
         # Limits of other verdicts are not chosen: they are here only where they were given.\n",
        rung.level(),
        path(answer.list)
    );
    if let Some(always) = calibration::always(answer) {
        let _ = writeln!(page, "# By the other limits, {always}.");
    }
    for doubt in &calibration.doubts {
        let _ = writeln!(page, "# warning: {}", calibration::describe_doubt(doubt, answer).1);
    }
    page += "\n# What the limits hold for.\n";
    let is_kept = |(key, _): &&(String, String)| !own_keys(rung).contains(&key.as_str());
    let set: Vec<&(String, String)> = answer.figures.iter().filter(is_kept).collect();
    for (key, usual) in FIGURES {
        if !set.iter().any(|(known, _)| known == key) {
            let _ = writeln!(page, "{key} = {usual}");
        }
    }
    for (_, line) in set {
        let _ = writeln!(page, "{line}");
    }
    let level = rung.level();
    let best = answer.best();
    let _ = write!(page, "\nat-least = \"{level}\"\n\n# {}\n{}", rendered(best), limits(best));
    for chosen in calibration.chosen.iter().filter(|it| it.measures != best.measures) {
        let limits = limits(chosen);
        let lines = limits.lines().fold(String::new(), |all, line| all + "# " + line + "\n");
        let _ = write!(page, "\n# Instead: {}\n{lines}", rendered(chosen));
    }
    page
}

/// A rule, and how good it is.
fn rendered(chosen: &Chosen) -> String {
    let scores = &chosen.scores;
    let counts = &scores.counts;
    let shares = [
        ("precision", counts.precision(), scores.precision),
        ("recall", counts.recall(), scores.recall),
        ("F1", counts.f1(), scores.f1),
    ];
    let shares =
        shares.map(|(name, share, of)| format!("{name} {} ({})", figure(share), interval(of)));
    format!("{}.\n# {}", calibration::rule(chosen), shares.join(", "))
}

/// The settings of a rung, of which the file says nothing but what was chosen.
fn own_keys(rung: Rung) -> &'static [&'static str] {
    match rung {
        Rung::NearDuplicate => &["hamming", "jaccard"],
        Rung::Partial => &["partial-jaccard", "coverage", "containment"],
    }
}

/// The limits of the rung, as lines of a settings file.
fn limits(chosen: &Chosen) -> String {
    let rule = &chosen.rule;
    let line = |measure| {
        let value = rule.limit_of(measure).map_or("\"off\"".to_owned(), calibration::format_limit);
        format!("{} = {value}\n", calibration::flag(measure, rule.rung))
    };
    rule.rung.measures().map(line).concat()
}
