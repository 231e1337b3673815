//! Renders a calibration as text with plots, as JSON, and as an HTML page.

pub(crate) mod json;
#[cfg(feature = "report")]
pub(crate) mod page;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use dedup_text::calibration::{
    Calibration, Chosen, Counts, Interval, KeptTogether, Label, LabelCounts, Labelled, Limit,
    Measure, Measured, Rule, Rung, Scores, Warning,
};
use dedup_text::display::{counted, or_closer, path, thousands, visible};
use dedup_text::jaccard::Share;
use dedup_text::pair::Recipe;
use dedup_text::verdict::Limits;

/// The pairs of a list, with their figures.
pub(crate) struct Gathered {
    /// The names of the texts.
    pub(crate) names: Vec<String>,
    pub(crate) pairs: Vec<Labelled>,
    pub(crate) left_out: LeftOut,
}

/// The numbers of lines, texts and pairs of a list that do not count, by reason.
#[derive(Debug, Default)]
pub(crate) struct LeftOut {
    /// The number of lines that are not a pair.
    pub(crate) wrong_lines: usize,
    /// The labels that mean neither yes nor no, with the number of pairs of each.
    pub(crate) skipped: BTreeMap<String, usize>,
    pub(crate) repeated: usize,
    pub(crate) with_itself: usize,
    pub(crate) contradictory: Vec<[usize; 2]>,
    pub(crate) failed_texts: usize,
    pub(crate) failed_pairs: usize,
    pub(crate) short_texts: usize,
    pub(crate) short_pairs: usize,
}

impl LeftOut {
    /// Reports whether a part of the list could not be read.
    pub(crate) fn has_failed(&self) -> bool {
        self.wrong_lines > 0 || self.failed_texts > 0
    }
}

/// A calibration, and the other data that are shown with it.
pub(crate) struct Answer<'a> {
    pub(crate) recipe: &'a Recipe,
    pub(crate) gathered: &'a Gathered,
    pub(crate) calibration: &'a Calibration,
    /// The path of the list of pairs.
    pub(crate) list: &'a Path,
    /// The settings file to which the limits are written; `None` if there is none.
    pub(crate) settings_file: Option<&'a Path>,
    /// The name of the settings file that was read; `None` if none was.
    pub(crate) settings: Option<String>,
    /// The settings that the figures depend on: each key with its line in a settings file.
    pub(crate) figures: &'a [(String, String)],
    /// The entries that are kept of the settings file that is replaced.
    pub(crate) kept: Vec<Kept>,
    /// The key of the level in the settings file.
    pub(crate) level_key: &'static str,
    /// The list of stop words, as the user gave it.
    pub(crate) stopwords: &'a Path,
}

/// An entry of the settings file that is replaced, which the new file keeps.
pub(crate) struct Kept {
    pub(crate) key: String,
    pub(crate) lines: String,
    /// Whether the entry is a setting of the new file, not a comment.
    pub(crate) is_active: bool,
}

impl Answer<'_> {
    /// Returns the name of a text.
    pub(crate) fn name(&self, text: u32) -> &str {
        &self.gathered.names[text as usize]
    }

    /// Returns the best rule.
    pub(crate) fn best(&self) -> &Chosen {
        &self.calibration.chosen[self.calibration.best]
    }
}

// Parts that several renderings share: rules, figures, warnings, and what was left out.

/// Returns the name of a measure for people.
pub(crate) fn title(measure: Measure) -> &'static str {
    match measure {
        Measure::Jaccard => "Jaccard",
        Measure::Coverage => "coverage",
        Measure::Hamming => "Hamming",
    }
}

/// Returns the names of the measures of a rule for people.
fn titles(chosen: &Chosen) -> String {
    chosen.measures.iter().map(|measure| title(*measure)).collect::<Vec<_>>().join(" or ")
}

/// Returns the flag of a measure's limit on a rung, without its hyphens.
pub(crate) fn flag(measure: Measure, rung: Rung) -> &'static str {
    match (measure, rung) {
        (Measure::Jaccard, Rung::Partial) => "partial-jaccard",
        _ => measure.name(),
    }
}

/// A limit that was chosen: its measure, its flag, its value, and its interval in 95 of 100
/// bootstrap draws.
pub(crate) struct ChosenLimit {
    pub(crate) measure: Measure,
    pub(crate) flag: &'static str,
    pub(crate) value: String,
    pub(crate) interval: String,
}

/// Returns the limits that were chosen.
pub(crate) fn limits(chosen: &Chosen) -> Vec<ChosenLimit> {
    let limits = chosen.limits().map(|(measure, value, of)| ChosenLimit {
        measure,
        flag: flag(measure, chosen.rule.rung),
        value: format_limit(value),
        interval: match of {
            Some(it) if measure == Measure::Hamming => format!("{:.0} to {:.0}", it.low, it.high),
            _ => interval(of),
        },
    });
    limits.collect()
}

/// Describes a rule in words: `Jaccard index at least 0.21`.
pub(crate) fn rule(chosen: &Chosen) -> String {
    let words =
        chosen.limits().map(|(measure, value, _)| match (measure, chosen.rule.rung, value) {
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
        });
    words.collect::<Vec<_>>().join(", or ")
}

/// Describes a rule in words that begin with a capital letter: `At most 25 bits that differ`.
pub(crate) fn sentence(chosen: &Chosen) -> String {
    let rule = rule(chosen);
    rule[..1].to_uppercase() + &rule[1..]
}

/// Describes what the labels mean, and which limits are tried.
pub(crate) fn task(answer: &Answer) -> String {
    let rung = answer.calibration.rung;
    let [one, other] = rung.measures().map(|measure| flag(measure, rung));
    let level = or_closer(rung.level());
    let task = format!(
        "a pair labelled yes should be {level}; limits are tried for --{one} and --{other}"
    );
    [Some(task), always(answer)].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// Describes which pairs every rule calls a yes, because of limits that are not changed; `None` if
/// the limits of near-duplicates are chosen.
pub(crate) fn always(answer: &Answer) -> Option<String> {
    let rung = Rung::NearDuplicate;
    let rule = Rule { limits: answer.recipe.limits, rung };
    let value = |measure| rule.limit_of(measure).map_or("off".to_owned(), format_limit);
    let limits = rung.measures().map(|it| format!("--{} {}", flag(it, rung), value(it)));
    (answer.calibration.rung == Rung::Partial)
        .then(|| format!("near-duplicates ({}) are a yes under every rule", limits.join(", ")))
}

/// Formats a limit of a curve.
pub(crate) fn format_limit(limit: Limit) -> String {
    match limit {
        Limit::Most(bits) => bits.to_string(),
        Limit::Least(ratio) => ratio.to_string(),
    }
}

/// Formats a share, rounded to three digits.
pub(crate) fn figure(share: Option<Share>) -> String {
    share.map_or("none".to_owned(), |share| rounded(share.ratio()))
}

/// Formats the interval of a share.
pub(crate) fn interval(interval: Option<Interval>) -> String {
    interval
        .map_or("unknown".to_owned(), |it| format!("{} to {}", rounded(it.low), rounded(it.high)))
}

/// Rounds a share to three digits. Halves are rounded up, whatever digit is before them.
fn rounded(share: f64) -> String {
    format!("{:.3}", (share * 1000.0).round() / 1000.0)
}

/// Formats precision, recall and F1, each with its interval.
pub(crate) fn figures(scores: &Scores) -> [(String, String); 3] {
    let counts = &scores.counts;
    [
        (counts.precision(), scores.precision),
        (counts.recall(), scores.recall),
        (counts.f1(), scores.f1),
    ]
    .map(|(share, of)| (figure(share), interval(of)))
}

/// Formats the numbers of texts and pairs: `412 texts (650 yes, 600 no)`.
pub(crate) fn extent(extent: LabelCounts) -> String {
    let [yes, no] = [extent.positives, extent.negatives].map(thousands);
    format!("{} ({yes} yes, {no} no)", counted(extent.texts, "text"))
}

/// Lists the labels that were skipped, the most frequent first: `other 323, same 27`.
pub(crate) fn skipped(left_out: &LeftOut) -> String {
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
pub(crate) fn left_out(left_out: &LeftOut) -> Vec<String> {
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

/// Returns the code of a warning, which never changes, and the warning in words.
pub(crate) fn describe_warning(warning: &Warning, answer: &Answer) -> (&'static str, String) {
    const WANTED: usize = dedup_text::calibration::MIN_PAIRS_PER_LABEL;
    let label = |label: &Label| if *label == Label::Yes { "yes" } else { "no" };
    let are = |count: &usize| if *count == 1 { "is" } else { "are" };
    match warning {
        Warning::Few(of, count) => (
            "few-pairs",
            format!(
                "{} {} a {}, expected at least {WANTED}",
                counted(*count, "pair"),
                are(count),
                label(of)
            ),
        ),
        Warning::NotSplit => (
            "not-split",
            "no two halves have both labels: the figures are for the pairs that the limits were \
             chosen on, and too optimistic"
                .to_owned(),
        ),
        Warning::FewToChooseOn(of, count) => (
            "few-to-choose-on",
            format!(
                "limits are chosen on {} that {} a {}, expected at least {WANTED}",
                counted(*count, "pair"),
                are(count),
                label(of)
            ),
        ),
        Warning::FewToEvaluateOn(of, count) => (
            "few-to-hold-against",
            format!(
                "they are tested on {} that {} a {}, expected at least {WANTED}",
                counted(*count, "pair"),
                are(count),
                label(of)
            ),
        ),
        Warning::InMostPairs(text, count) => (
            "one-text-in-most",
            format!(
                "{} is in {} of {}: the limits depend mainly on that text",
                visible(answer.name(*text)),
                thousands(*count),
                counted(answer.gathered.pairs.len(), "pair")
            ),
        ),
        Warning::NoBetter => ("no-better", "the current limits do as well".to_owned()),
        Warning::Worse => ("worse", "the current limits do better".to_owned()),
        Warning::NoTextInBoth => (
            "no-text-in-both",
            "no text is in both a yes and a no: these may differ in their texts, not in what they \
             share"
                .to_owned(),
        ),
    }
}

// The answer for people: the pairs, the limits and how good they are, a plot of the best measure,
// the warnings, and the best rule last.

/// The width of the column of names, in characters.
const NAMES: usize = 12;

/// The width of the answer, in characters.
const WIDTH: usize = 80;

/// Renders the answer.
pub(crate) fn render(answer: &Answer) -> String {
    let calibration = answer.calibration;
    let mut page = String::new();
    page += &folded("pairs", &pairs(answer));
    page += &folded("verdict", &task(answer));
    for left_out in left_out(&answer.gathered.left_out) {
        page += &folded("left out", &left_out);
    }
    page += &folded("halves", &halves(answer));
    if let Some(settings) = answer.settings.clone() {
        page += &folded("settings", &visible(&settings));
    }
    page += "\n            AUC     limit  in 95 of 100    precision recall F1    in 95 of 100\n";
    for chosen in &calibration.chosen {
        page += &lines(answer, chosen);
    }
    page += &line("current limits", "", "", Some(&calibration.current.1));
    let (measured, chosen) = drawn(answer);
    let title = title(measured.measure);
    let _ = writeln!(page, "\n{title}, all pairs: {LEGEND}");
    page += &plot(measured, chosen);
    page.push('\n');
    for warning in &calibration.warnings {
        page += &wrapped("warning: ", &describe_warning(warning, answer).1, 9);
    }
    page + &best(answer)
}

/// Counts the pairs of the list, and the texts in them.
fn pairs(answer: &Answer) -> String {
    let all = answer.calibration.all;
    let count = counted(all.positives + all.negatives, "pair");
    format!("{count} of {} in {}", extent(all), path(answer.list))
}

/// Describes how the texts were split into halves.
fn halves(answer: &Answer) -> String {
    let calibration = answer.calibration;
    let kept = match calibration.together {
        None => {
            return "no two halves have both labels: limits are chosen on all pairs, and tested on \
                    the same pairs"
                .to_owned();
        }
        Some(KeptTogether::Pairs) => "texts joined by pairs are in the same half",
        Some(KeptTogether::Positives) => "texts joined by a yes are in the same half",
        Some(KeptTogether::Nothing) => "each text is assigned by itself",
    };
    let across = match calibration.across {
        0 => String::new(),
        pairs => format!(", {} between the halves in neither", counted(pairs, "pair")),
    };
    let [first, second] = [calibration.chosen_on, calibration.evaluated_on].map(extent);
    format!("limits are chosen on {first} and tested on {second}; {kept}{across}")
}

/// Renders a rule as a line for each limit.
fn lines(answer: &Answer, chosen: &Chosen) -> String {
    let mut lines = String::new();
    for (at, limit) in limits(chosen).iter().enumerate() {
        let title = title(limit.measure);
        let measured = answer.calibration.measures.iter().find(|it| it.measure == limit.measure);
        let name = match (chosen.is_alone(), at) {
            (true, _) => format!("{title:NAMES$}{}", figure(measured.and_then(|it| it.auc))),
            (false, 0) => format!("either: {title}"),
            (false, _) => format!("  or {title}"),
        };
        let scores = (at == 0).then_some(&chosen.scores);
        lines += &line(&name, &limit.value, &limit.interval, scores);
    }
    lines
}

/// Renders a row of the table, in lines of at most [`WIDTH`] characters.
fn line(name: &str, limit: &str, of_limit: &str, scores: Option<&Scores>) -> String {
    let mut line = format!("{name:19} {limit:6}");
    // A limit of many digits has a line of its own.
    if limit.len() > 6 {
        line = line + "\n" + &" ".repeat(26);
    }
    let _ = write!(line, " {of_limit:15}");
    if let Some(scores) = scores {
        let [(precision, _), (recall, _), (f1, of_f1)] = figures(scores);
        let _ = write!(line, " {precision:9} {recall:6} {f1:5} {of_f1}");
    }
    line.trim_end().to_owned() + "\n"
}

/// Returns the measure whose curves are drawn, and its limit: the best measure or, if the best rule
/// has two measures, the one that is best alone.
fn drawn<'a>(answer: &Answer<'a>) -> (&'a Measured, f64) {
    let calibration = answer.calibration;
    let at = if answer.best().is_alone() { calibration.best } else { calibration.best_alone };
    let limit = calibration.chosen[at].limits().next();
    (&calibration.measures[at], limit.map_or(0.0, |(_, limit, _)| limit.value()))
}

/// Renders the best rule, and how good it is compared with the current limits.
fn best(answer: &Answer) -> String {
    let best = answer.best();
    let f1 = |scores: &Scores| figure(scores.counts.f1());
    let of = if answer.calibration.together.is_some() {
        "on texts that it was not chosen on"
    } else {
        "on the same texts that it was chosen on"
    };
    let current = f1(&answer.calibration.current.1);
    let sentence = format!("{}: F1 {} {of}", rule(best), f1(&best.scores));
    let page = if answer.calibration.is_worse() {
        wrapped("CHOSEN: ", &format!("{sentence}; the current limits do better: {current}"), 8)
    } else {
        wrapped("BEST: ", &format!("{sentence}; by the current limits {current}"), 6)
    };
    let Some(file) = answer.settings_file else { return page };
    let keys = |is_active| {
        let kept = answer.kept.iter().filter(|kept| kept.is_active == is_active);
        kept.map(|kept| kept.key.as_str()).collect::<Vec<_>>().join(", ")
    };
    let mut written = path(file);
    if answer.calibration.is_worse() {
        written += ", with the current limits";
    }
    for (what, keys) in [("kept of it", keys(true)), ("kept as comments", keys(false))] {
        if !keys.is_empty() {
            let _ = write!(written, "; {what}: {keys}");
        }
    }
    page + &wrapped("written to ", &written, 0)
}

/// Renders a name and its value, wrapped into several lines if needed.
fn folded(name: &str, said: &str) -> String {
    wrapped(&format!("{name:NAMES$} "), said, NAMES + 1)
}

/// Wraps words into lines, and indents all lines except the first.
fn wrapped(start: &str, said: &str, indent: usize) -> String {
    let mut page = String::new();
    let mut line = start.to_owned();
    let mut is_new = true;
    for word in said.split(' ') {
        if !is_new && line.chars().count() + 1 + word.chars().count() > WIDTH {
            page = page + &line + "\n";
            line = " ".repeat(indent);
            is_new = true;
        }
        if !is_new {
            line.push(' ');
        }
        line += word;
        is_new = false;
    }
    page + &line + "\n"
}

// The curves of a measure as a plot in plain characters.

/// The number of rows of the plot, minus one: the row of the share 0.
const ROWS: usize = 10;

/// The step between the limits that are drawn if the limits are shares.
const STEP: usize = 2;

/// The distance between two labelled columns: a fifth of the range if the limits are shares, a
/// quarter if they are bits.
const FEET: [usize; 2] = [10, 16];

/// The meaning of the letters in the plot.
const LEGEND: &str = "p precision, r recall, F F1, * several of them";

/// Plots precision, recall and F1 over the limits, from the loosest share to the strictest, or from
/// 0 bits up. A mark is drawn below the limit that is nearest to `chosen`.
pub(crate) fn plot(measured: &Measured, chosen: f64) -> String {
    let columns = columns(measured);
    let mut plot = String::new();
    for row in 0..=ROWS {
        let height = match row {
            0 => "1.0",
            5 => "0.5",
            ROWS => "0.0",
            _ => "",
        };
        let letters: String = columns.iter().map(|(_, counts)| letter(counts, row)).collect();
        let _ = writeln!(plot, "{height:>5} |{}", letters.trim_end());
    }
    let (mut axis, mut feet) = (String::new(), String::new());
    for (at, (limit, _)) in columns.iter().enumerate() {
        let [of_shares, of_bits] = FEET;
        let is_foot = at % if matches!(limit, Limit::Least(_)) { of_shares } else { of_bits } == 0;
        axis.push(if is_foot { '+' } else { '-' });
        if is_foot {
            let _ = write!(feet, "{:at$}", "", at = at.saturating_sub(feet.len()));
            feet += &format_limit(*limit);
        }
    }
    let distance = |limit: &Limit| (limit.value() - chosen).abs();
    let nearest = columns
        .iter()
        .enumerate()
        .min_by(|(_, (one, _)), (_, (other, _))| distance(one).total_cmp(&distance(other)))
        .map_or(0, |(at, _)| at);
    let _ = writeln!(plot, "      +{axis}");
    let _ = writeln!(plot, "       {feet}");
    let _ = writeln!(plot, "       {:nearest$}^ chosen", "");
    plot
}

fn columns(measured: &Measured) -> Vec<(Limit, Counts)> {
    match measured.curve.first() {
        Some((Limit::Least(_), _)) => measured.curve.iter().rev().step_by(STEP).copied().collect(),
        _ => measured.curve.clone(),
    }
}

/// Returns the character of a row for a limit.
fn letter(counts: &Counts, row: usize) -> char {
    let shares = [('p', counts.precision()), ('r', counts.recall()), ('F', counts.f1())];
    let mut here = shares.iter().filter(|(_, share)| share.is_some_and(|it| height(it) == row));
    match (here.next(), here.next()) {
        (None, _) => ' ',
        (Some((letter, _)), None) => *letter,
        _ => '*',
    }
}

/// Returns the row that is nearest to a share; if two are, the upper one.
fn height(share: Share) -> usize {
    let up = (2 * ROWS as u128 * share.shared() as u128 + share.total() as u128)
        / (2 * share.total() as u128);
    ROWS - usize::try_from(up).unwrap_or(ROWS).min(ROWS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_and_intervals_are_rounded_alike() {
        #[rustfmt::skip]
        let table = [
            ("up",           8, 9,    "0.889"),
            ("down",         1, 3,    "0.333"),
            ("an even half", 1, 16,   "0.063"), // 0.0625
            ("an odd half",  3, 16,   "0.188"), // 0.1875
            ("a fifth half", 41, 2000, "0.021"), // 0.0205
            ("all",          5, 5,    "1.000"),
        ];
        for (why, shared, of, want) in table {
            let share = Share::new(shared, of).unwrap();
            assert_eq!(figure(Some(share)), want, "{why}");
            let both = Interval { low: share.ratio(), high: share.ratio() };
            assert_eq!(interval(Some(both)), format!("{want} to {want}"), "{why}");
        }
    }

    #[test]
    fn a_limit_of_many_digits_has_a_line_of_its_own() {
        let row =
            |limit| line("Jaccard     0.983", limit, "0.162 to 0.507", Some(&Scores::default()));
        let short = "Jaccard     0.983   0.1234 0.162 to 0.507  none      none   none  unknown\n";
        assert_eq!(row("0.1234"), short);
        let long = "Jaccard     0.983   0.123456789012345\n\
                    \x20                          0.162 to 0.507  none      none   none  unknown\n";
        assert_eq!(row("0.123456789012345"), long);
    }
}

#[cfg(test)]
mod plot_tests {
    use dedup_text::calibration::Measure;

    use super::*;

    #[test]
    fn a_share_stands_in_the_nearest_row() {
        for (shared, of, want) in
            [(0, 7, 10), (1, 1, 0), (1, 2, 5), (19, 20, 0), (18, 20, 1), (1, 21, 10), (1, 20, 9)]
        {
            assert_eq!(height(Share::new(shared, of).unwrap()), want, "{shared}/{of}");
        }
    }

    #[test]
    fn a_limit_has_a_letter_for_each_share() {
        let counts = |[tp, fp, missed]: [usize; 3]| Counts {
            true_positives: tp,
            false_positives: fp,
            false_negatives: missed,
            true_negatives: 0,
        };
        let column =
            |counts: &Counts| (0..=ROWS).map(|row| letter(counts, row)).collect::<String>();
        #[rustfmt::skip]
        let table = [
            ("nothing",      [0, 0, 0], "           "),
            ("all right",    [1, 0, 0], "*          "),
            ("never yes",    [0, 0, 1], "          *"),
            ("one of each",  [1, 1, 0], "r  F p     "), // F1 2/3
            ("missed",       [1, 0, 3], "p     Fr   "), // F1 2/5, recall 1/4 stands at 0.3
        ];
        for (why, figures, want) in table {
            let found = column(&counts(figures));
            assert_eq!(found.len(), 11);
            assert_eq!(found.trim_end(), want.trim_end(), "{why}");
        }
    }

    #[test]
    fn the_mark_stands_below_the_chosen_limit() {
        let measured = |measure: Measure| Measured {
            measure,
            auc: None,
            curve: measure.curve().into_iter().map(|limit| (limit, Counts::default())).collect(),
        };
        #[rustfmt::skip]
        let table = [
            ("the loosest",  Measure::Jaccard, 0.0,  0),
            ("the strictest", Measure::Jaccard, 1.0, 50),
            ("in between",   Measure::Jaccard, 0.5,  25),
            ("no bit",       Measure::Hamming, 0.0,  0),
            ("seven bits",   Measure::Hamming, 7.0,  7),
        ];
        for (why, measure, chosen, want) in table {
            let plot = plot(&measured(measure), chosen);
            let mark = plot.lines().last().unwrap();
            assert_eq!(mark.find('^'), Some(7 + want), "{why}");
            assert!(plot.lines().all(|line| line.len() <= 80), "{plot}");
        }
        let feet =
            |measure| plot(&measured(measure), 0.0).lines().nth(12).unwrap().trim().to_owned();
        assert_eq!(
            feet(Measure::Jaccard).split_whitespace().collect::<Vec<_>>(),
            ["0", "0.2", "0.4", "0.6", "0.8", "1"]
        );
        assert_eq!(
            feet(Measure::Hamming).split_whitespace().collect::<Vec<_>>(),
            ["0", "16", "32", "48", "64"]
        );
    }
}
