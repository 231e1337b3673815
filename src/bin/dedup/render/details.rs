//! The whole answer for a person (`--details`): both texts, the figures with their limits and
//! what they mean, and the verdict last.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use dedup_text::hamming::expected_jaccard_percent;
use dedup_text::jaccard::Share;
use dedup_text::language::{By, Known};
use dedup_text::pair::Judgement;
use dedup_text::record::excluded;
use dedup_text::record::meaning::meaning;
use dedup_text::sketch::Summary;
use dedup_text::text::formats::Kind;
use dedup_text::text::{Encoding, Text};
use dedup_text::tokens::exclusions::LeftOut;
use dedup_text::verdict::comparison::Coverage;
use dedup_text::verdict::ratio::Ratio;
use dedup_text::verdict::{Limits, Measure, Verdict};
use dedup_text::words::{counted, decimal, encoding, path, thousands, visible, wrapped};

use crate::model::Pair;

/// How wide the column of names is, in characters.
pub(super) const NAMES: usize = 12;
/// How wide the column of figures is.
const FIGURES: usize = 15;
/// How wide the column of limits is.
const OF_LIMITS: usize = 15;

/// The answer, its colours as escape sequences; the settings file, where one is read, follows the
/// texts, and the passages, written already, the figures; then what these mean, on lines as wide as
/// the screen.
pub(super) fn render(pair: &Pair, settings: Option<&str>, passages: &str, width: usize) -> String {
    let judgement = pair.judgement;
    let mut page = String::new();
    let (left_out, right_out) = (&judgement.left_out_of_left, &judgement.left_out_of_right);
    page += &side("left", pair.left, &judgement.languages.left, left_out, &judgement.left);
    page += &side("right", pair.right, &judgement.languages.right, right_out, &judgement.right);
    if let Some(settings) = settings {
        let _ = writeln!(page, "{:NAMES$} {}", "settings", visible(settings));
    }
    page.push('\n');
    for [name, figure, limit, meaning] in figures(pair) {
        page += &line([&name, &figure, &limit, &meaning]);
    }
    page += passages;
    page += &meaning_lines(pair, width);
    page.push('\n');
    page + &warnings(pair, usize::MAX) + &verdict(pair)
}

/// A line of the figures.
pub(super) fn line([name, figure, limit, meaning]: [&str; 4]) -> String {
    format!("{name:NAMES$} {figure:FIGURES$} {limit:OF_LIMITS$} {meaning}\n")
}

fn side(name: &str, text: &Text, known: &Known, left_out: &[LeftOut], sketch: &Summary) -> String {
    let language = match (known.language, known.by) {
        (Some(language), By::Given) => format!("{}, as given", language.name()),
        (Some(language), By::Together) => format!("{}, detected in both together", language.name()),
        (Some(language), _) => format!("{}, detected", language.name()),
        (None, By::Given) => "no language, as given".to_owned(),
        (None, _) => "language unknown".to_owned(),
    };
    let is_utf_8 = text.encoding() == Encoding::UTF_8;
    let kind = text.kind();
    let kind = if kind == Kind::Plain { String::new() } else { kind.name().to_owned() + "; " };
    let encoding = if is_utf_8 { String::new() } else { encoding(text) + "; " };
    let fingerprint = sketch.fingerprint.map_or("none".to_owned(), |bits| bits.to_string());
    format!(
        "{name:NAMES$} {}\n{:NAMES$} {kind}{encoding}{language}; {}{}, {}, {}; fingerprint {fingerprint}\n",
        path(text.path()),
        "",
        left_out_part(left_out),
        counted(sketch.words, "word"),
        counted(sketch.stems, "stem"),
        counted(sketch.shingles, "shingle"),
    )
}

/// The figures: name, figure, limit, meaning.
pub(super) fn figures(pair: &Pair) -> Vec<[String; 4]> {
    let (figures, limits) = (&pair.judgement.comparison, &pair.recipe.limits);
    let limit =
        |limit: Option<String>| limit.map_or("limit off".to_owned(), |l| format!("limit {l}"));
    let share = |share: Option<Share>| share.map_or("none".to_owned(), decimal);
    let of_side = |share: Option<Share>, side| match share {
        Some(share) => format!("{} of {side}", decimal(share)),
        None => "none".to_owned(),
    };
    let no_shingles = || "a text has no shingles".to_owned();
    let longest = format!("{}-grams", pair.recipe.ngrams.max());
    let all = figures.all;
    let contained = |share: Option<Share>, side: &str| match share {
        Some(share) => {
            let [shared, of] = [share.shared(), share.total()].map(thousands);
            format!("{shared} of its {of} distinct {longest} are in {side} too")
        }
        None => format!("a text has no {longest}"),
    };
    vec![
        [
            "Hamming".to_owned(),
            figures.hamming.map_or("none".to_owned(), |bits| format!("{bits} of 64 bits")),
            limit(limits.hamming.map(|bits| bits.to_string())),
            figures.hamming.map_or_else(no_shingles, hamming_meaning),
        ],
        [
            "Jaccard".to_owned(),
            share(figures.jaccard()),
            jaccard_limits(limits, pair.judgement.decision.verdict),
            match figures.jaccard() {
                Some(_) => {
                    let [shared, union] = [all.shared, all.union()].map(thousands);
                    format!("{shared} of {union} distinct shingles are in both")
                }
                None => no_shingles(),
            },
        ],
        [
            "Containment".to_owned(),
            of_side(figures.containment_left(), "left"),
            limit(limits.containment.map(|ratio| ratio.to_string())),
            contained(figures.containment_left(), "right"),
        ],
        [
            String::new(),
            of_side(figures.containment_right(), "right"),
            limit(limits.containment.map(|ratio| ratio.to_string())),
            contained(figures.containment_right(), "left"),
        ],
    ]
}

/// The limits of the Jaccard index: `limit 0.5`, or `limit 0.5, 0.12` where the pair is no more
/// than partial.
fn jaccard_limits(limits: &Limits, verdict: Verdict) -> String {
    let part = limits.partial_jaccard.filter(|_| verdict < Verdict::NearDuplicate);
    match (limits.jaccard, part) {
        (None, None) => "limit off".to_owned(),
        (Some(whole), None) => format!("limit {whole}"),
        (None, Some(part)) => format!("limit {part} of a part"),
        (Some(whole), Some(part)) => format!("limit {whole}, {part}"),
    }
}

fn hamming_meaning(bits: u32) -> String {
    match expected_jaccard_percent(bits) {
        Some(100) => "nearly all shingles shared would give that".to_owned(),
        Some(percent) => format!("about {percent} % of shingles shared would give that"),
        None => "texts with nothing in common are as far apart".to_owned(),
    }
}

/// The line that names the verdict and what decided it.
fn verdict(pair: &Pair) -> String {
    format!("{}: {}\n", headline(pair.judgement.decision.verdict), reasons(pair))
}

/// The name of a verdict in its colour; none for what is nothing to look at.
pub(super) fn headline(verdict: Verdict) -> String {
    let color = match verdict {
        Verdict::Identical | Verdict::NearDuplicate => Some(AnsiColor::Red),
        Verdict::Partial | Verdict::Excerpt => Some(AnsiColor::Yellow),
        Verdict::Different => None,
    };
    let style = Style::new().bold().fg_color(color.map(Into::into));
    format!("{style}{}{style:#}", verdict.name().to_uppercase())
}

/// The warnings, each on lines of `columns` characters at most.
pub(super) fn warnings(pair: &Pair, columns: usize) -> String {
    let style = Style::new().fg_color(Some(AnsiColor::Yellow.into()));
    let warnings = pair.judgement.warnings.iter().map(|warning| {
        // It may quote the text.
        let lines =
            wrapped(&visible(&warning.to_string()), columns.saturating_sub(WARNING.len()), 0);
        let lines = lines.trim_end().replace('\n', &format!("\n{:1$}", "", WARNING.len()));
        format!("{style}warning{style:#}: {lines}\n")
    });
    warnings.collect()
}

/// What a warning begins with.
const WARNING: &str = "warning: ";

/// What decided, in words.
pub(super) fn reasons(pair: &Pair) -> String {
    let decision = &pair.judgement.decision;
    let reason = |measure: &Measure| reason(*measure, decision.verdict, pair);
    if decision.decided_by.is_empty() {
        return match pair.judgement.matches {
            Some(_) => "no figure reaches its limit, and no passage is shared".to_owned(),
            None => "no figure reaches its limit; passages were not looked for".to_owned(),
        };
    }
    let accepted = (pair.is_accepted == Some(true)).then(|| "accepted earlier".to_owned());
    decision.decided_by.iter().map(reason).chain(accepted).collect::<Vec<_>>().join("; ")
}

/// A figure and the limit that it is held against, as they are shown.
pub(super) struct Compared {
    pub(super) name: &'static str,
    /// None where a text has too little for it, or nothing was looked for.
    pub(super) figure: Option<String>,
    /// None where it is off, and for what has none.
    pub(super) limit: Option<String>,
}

/// What is held against what on the rung of a verdict.
pub(super) fn compared(measure: Measure, verdict: Verdict, pair: &Pair) -> Compared {
    let figures = &pair.judgement.comparison;
    let Limits { hamming, jaccard, partial_jaccard, coverage, containment } = pair.recipe.limits;
    let share = |name, share: Option<Share>, limit: Option<Ratio>| Compared {
        name,
        figure: share.map(decimal),
        limit: limit.map(|limit| limit.to_string()),
    };
    let covered = |of: fn(Coverage) -> Option<Share>| figures.passages.and_then(of);
    match measure {
        Measure::Words => {
            Compared { name: "the same words in the same order", figure: None, limit: None }
        }
        Measure::Hamming => Compared {
            name: "Hamming",
            figure: figures.hamming.map(|bits| bits.to_string()),
            limit: hamming.map(|bits| bits.to_string()),
        },
        Measure::CoverageLeft => share("coverage of left", covered(|it| it.left), coverage),
        Measure::CoverageRight => share("coverage of right", covered(|it| it.right), coverage),
        Measure::Jaccard => {
            let is_near = verdict == Verdict::NearDuplicate;
            share("Jaccard", figures.jaccard(), if is_near { jaccard } else { partial_jaccard })
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

/// Why a measure held at the rung of a verdict.
fn reason(measure: Measure, verdict: Verdict, pair: &Pair) -> String {
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
            format!("{name} {figure} reaches two thirds of its limit {limit}, in a short text")
        }
        Measure::Passages if figure == "1" => "1 passage is in both".to_owned(),
        Measure::Passages => format!("{figure} passages are in both"),
        _ => format!("{name} {figure} reaches its limit {limit}"),
    }
}

// What the figures mean, a sentence each, on lines that fit.

/// The longest line, in characters, however wide the screen is.
const LONGEST: usize = 80;

/// The sentences below the figures; nothing where there is no figure.
pub(super) fn meaning_lines(pair: &Pair, width: usize) -> String {
    let width = width.min(LONGEST);
    let rendered = meaning(pair.judgement, pair.recipe).sentences().into_iter();
    let page: String = rendered
        .map(|(name, sentence)| wrapped(&format!("{name:NAMES$} {sentence}"), width, NAMES + 1))
        .collect();
    if page.is_empty() { page } else { format!("\n{page}") }
}

/// What was left out of left and of right, for a person: `57 words (quotes 40, bibliography 17)`;
/// none where nothing was.
pub(super) fn left_out_of_sides(judgement: &Judgement) -> [Option<String>; 2] {
    [&judgement.left_out_of_left, &judgement.left_out_of_right].map(|out| {
        let words = out.iter().map(|part| part.words).sum();
        (!out.is_empty()).then(|| format!("{} ({})", counted(words, "word"), reasons_left_out(out)))
    })
}

fn reasons_left_out(left_out: &[LeftOut]) -> String {
    let reasons = excluded(left_out).map(|(why, _, words)| format!("{} {words}", why.name()));
    reasons.collect::<Vec<_>>().join(", ")
}

/// What was left out, for a person: ` 57 words left out (quotes 40, bibliography 17);`.
pub(super) fn left_out_part(left_out: &[LeftOut]) -> String {
    if left_out.is_empty() {
        return String::new();
    }
    let words = left_out.iter().map(|part| part.words).sum();
    format!("{} left out ({}); ", counted(words, "word"), reasons_left_out(left_out))
}
