//! The answer of a pair for a person: in short, and with details (`--details`).
//!
//! Both have the figures, what decided and the warnings. It knows no passage: these are given to it,
//! written already.

use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

use anstyle::{AnsiColor, Style};
use dedup_text::hamming::expected_jaccard_percent;
use dedup_text::jaccard::Share;
use dedup_text::language::{By, Known};
use dedup_text::pair::Judgement;
use dedup_text::passages::Kind as PassageKind;
use dedup_text::record::excluded;
use dedup_text::record::meaning::{chance, meaning};
use dedup_text::sketch::Summary;
use dedup_text::text::formats::Kind;
use dedup_text::text::{Encoding, Text};
use dedup_text::tokens::exclusions::LeftOut;
use dedup_text::verdict::comparison::Coverage;
use dedup_text::verdict::ratio::Ratio;
use dedup_text::verdict::{Limits, Measure, Verdict};
use dedup_text::words::{counted, decimal, encoding, path, percent, thousands, visible, wrapped};

use crate::model::Pair;

/// How wide the column of names is, in characters.
pub(super) const NAMES: usize = 12;
/// The longest line of prose, in characters, however wide the screen is.
const LONGEST: usize = 80;
/// How wide the column of figures is.
const FIGURES: usize = 15;
/// How wide the column of limits is.
const OF_LIMITS: usize = 15;

/// The short answer, its colours as escape sequences: the verdict and one sentence, the passages,
/// written already, the figures, and how often unrelated texts come as close; on a screen of
/// `columns` and `lines`. The texts go by the names given.
pub(super) fn render(
    pair: &Pair,
    names: &[String; 2],
    passages: &str,
    [columns, lines]: [usize; 2],
) -> String {
    let columns_of_prose = columns.min(LONGEST);
    let verdict = pair.judgement.decision.verdict;
    let answer = format!("{}: {}", verdict.name().to_uppercase(), sentence(pair, names));
    let answer = wrapped(&answer, columns_of_prose, 0);
    let answer = answer.replacen(&verdict.name().to_uppercase(), &headline(verdict), 1);

    let mut page = answer.clone() + passages + "\n";
    for (name, figure) in short_figures(pair) {
        let line = format!("{name:NAMES$} {figure}");
        page += &wrapped(&line, columns_of_prose, NAMES + 1);
    }
    for (name, out) in names.iter().zip(left_out_of_sides(pair.judgement)) {
        if let Some(out) = out {
            let line = format!("{:NAMES$} {out} of {name}", "Left out");
            page += &wrapped(&line, columns_of_prose, NAMES + 1);
        }
    }
    if let Some(chance) = chance(pair.judgement, pair.recipe) {
        page += &wrapped(&format!("{:NAMES$} {chance}", "Chance"), columns_of_prose, NAMES + 1);
    }
    page += &warnings(pair, columns_of_prose);
    if page.lines().count() >= lines {
        let _ = write!(page, "\n{answer}");
    }
    page
}

/// The figures with their limits, each on a line.
fn short_figures(pair: &Pair) -> [(&'static str, String); 3] {
    let (figures, limits) = (&pair.judgement.comparison, &pair.recipe.limits);
    let share = |share: Option<Share>| share.map_or("none".to_owned(), decimal);
    let limit =
        |limit: Option<String>| limit.map_or("limit off".to_owned(), |it| format!("limit {it}"));
    let hamming = figures.hamming.map_or("none".to_owned(), |bits| format!("{bits} of 64 bits"));
    let contained = [(figures.containment_left(), "left"), (figures.containment_right(), "right")]
        .map(|(of, side)| format!("{} of {side}", share(of)));
    let ratio = |limit: Option<Ratio>| limit.map(|it| it.to_string());
    [
        ("Hamming", format!("{hamming}, {}", limit(limits.hamming.map(|bits| bits.to_string())))),
        (
            "Jaccard",
            format!(
                "{}, {}{}",
                share(figures.jaccard()),
                limit(ratio(limits.jaccard)),
                of_part(pair)
            ),
        ),
        ("Containment", {
            let limit =
                ratio(limits.containment).map_or(String::new(), |it| format!(", limit {it}"));
            format!("{}{limit}", contained.join(", "))
        }),
    ]
}

/// The limit of the Jaccard index of a part, where the pair is no more than that.
fn of_part(pair: &Pair) -> String {
    let limits = &pair.recipe.limits;
    let is_whole = pair.judgement.decision.verdict >= Verdict::NearDuplicate;
    let Some(limit) = limits.partial_jaccard.filter(|_| !is_whole) else { return String::new() };
    let is_short = pair.judgement.comparison.least_words < Limits::SHORT;
    let part = if is_short { "two thirds of " } else { "" };
    format!("; {part}{limit} for partial")
}

// A judged pair → its answer in one sentence, in shares of the texts.

/// What texts go by that have no names of their own.
pub(super) const SIDES: [&str; 2] = ["the left text", "the right text"];

/// The answer, without a full stop. The texts go by the names given.
pub(crate) fn sentence(pair: &Pair, [left, right]: &[String; 2]) -> String {
    let judgement = pair.judgement;
    let verdict = judgement.decision.verdict;
    let figures = &judgement.comparison;
    let answer = match figures.passages {
        _ if verdict == Verdict::Identical => {
            let is_whole =
                judgement.left_out_of_left.is_empty() && judgement.left_out_of_right.is_empty();
            let part = if is_whole { "" } else { " in what is left" };
            format!("{left} and {right} have the same words in the same order{part}")
        }
        None => return reasons(pair),
        Some(coverage) if coverage.passages > 0 => {
            let matches = judgement.matches.iter().flat_map(|matches| &matches.all);
            let is_reworded =
                matches.map(|it| it.passage.kind()).any(|kind| kind == PassageKind::Reworded);
            let part = if is_reworded { ", reworded in part" } else { "" };
            format!(
                "{} of {left} also stands in {right}, {} of {right} in {left}{part}",
                percent(coverage.left),
                percent(coverage.right),
            )
        }
        Some(_) if verdict == Verdict::Different => "no shared passage found".to_owned(),
        Some(_) => format!(
            "no shared passage found, but {} of all distinct words and phrases are in both",
            percent(figures.jaccard())
        ),
    };
    let accepted = if pair.is_accepted == Some(true) { "; accepted earlier" } else { "" };
    answer + accepted
}

/// The names of two files without the folders that both paths begin with. Where that leaves one
/// name for both, they go by their sides.
pub(super) fn names([left, right]: [&Path; 2]) -> [String; 2] {
    let folders = |file: &Path| -> Vec<PathBuf> {
        let parts: Vec<Component> = file.components().collect();
        let folders = parts.split_last().map_or(&[][..], |(_, folders)| folders);
        folders.iter().map(|part| PathBuf::from(part.as_os_str())).collect()
    };
    let (of_left, of_right) = (folders(left), folders(right));
    let shared = of_left.iter().zip(&of_right).take_while(|(left, right)| left == right).count();
    let name = |file: &Path| {
        if file == Path::new("-") {
            return "standard input".to_owned();
        }
        path(&file.components().skip(shared).collect::<PathBuf>())
    };
    let names = [left, right].map(name);
    if names[0] == names[1] { SIDES.map(str::to_owned) } else { names }
}

// The answer with details.

/// The answer with details, its colours as escape sequences: both texts, the figures with their
/// limits and what they mean, and the verdict last. The settings file, where one is read, follows the
/// texts, and the passages, written already, the figures; then what these mean, on lines as wide as
/// the screen.
pub(super) fn render_details(
    pair: &Pair,
    settings: Option<&str>,
    passages: &str,
    width: usize,
) -> String {
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

/// The sentences below the figures; nothing where there is no figure.
pub(super) fn meaning_lines(pair: &Pair, width: usize) -> String {
    let width = width.min(LONGEST);
    let sentences = meaning(pair.judgement, pair.recipe).sentences().into_iter();
    let page: String = sentences
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_without_what_both_paths_share() {
        #[rustfmt::skip]
        let table = [
            ("one folder",        ["essays/a.txt", "essays/b.txt"],         ["a.txt", "b.txt"]),
            ("deeper",            ["x/y/a.txt", "x/z/a.txt"],               ["y/a.txt", "z/a.txt"]),
            ("no folder",         ["a.txt", "b.txt"],                       ["a.txt", "b.txt"]),
            ("nothing shared",    ["x/a.txt", "b.txt"],                     ["x/a.txt", "b.txt"]),
            ("from the root",     ["/x/a.txt", "/x/b.txt"],                 ["a.txt", "b.txt"]),
            ("one is a folder's", ["x/a", "x/a/b"],                         ["a", "a/b"]),
            ("the same file",     ["x/a.txt", "x/a.txt"],                   ["the left text", "the right text"]),
            ("standard input",    ["-", "x/a.txt"],                         ["standard input", "x/a.txt"]),
            ("half a name",       ["essay1/a.txt", "essay2/a.txt"],         ["essay1/a.txt", "essay2/a.txt"]),
            ("what would move the cursor", ["a\u{1b}.txt", "b.txt"],        ["a\\u{1b}.txt", "b.txt"]),
        ];
        for (why, paths, want) in table {
            assert_eq!(names(paths.map(Path::new)), want, "{why}");
        }
    }
}
