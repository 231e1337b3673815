//! Renders the answer about a pair. For people there are two forms, a short one and one with details
//! (`--details`); both have the figures, what decided, and the warnings.

use std::fmt::Write;
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use dedup_text::display::{counted, decimal, encoding, path, thousands, visible, wrapped};
use dedup_text::jaccard::Share;
use dedup_text::language::{By, Known};
use dedup_text::pair::Judgement;
use dedup_text::record::meaning::{chance, meaning};
use dedup_text::sketch::Summary;
use dedup_text::text::formats::Kind;
use dedup_text::text::{Encoding, Text};
use dedup_text::tokens::exclusions::{LeftOut, excluded};
use dedup_text::verdict::Verdict;

use super::{LABEL_WIDTH, explain, passages};
use crate::exports::Format;
use crate::model::Pair;
use crate::model::names::Names;
use crate::model::phrases::{limit, partial_jaccard, reasons};
use crate::model::rendered::Rendered;
use crate::render::answer::{color, disregarded, figures, names, sentence};
use crate::render::{ReportOptions, render_paths, render_record};

/// The options that set how a pair is rendered.
pub(crate) struct Options {
    /// Whether a text answer explains all stages.
    pub(crate) explains: bool,
    /// Whether a text answer has all figures.
    pub(crate) has_details: bool,
    /// The columns and lines of the screen.
    pub(crate) screen: [usize; 2],
    /// The largest number of passages that a text answer shows.
    pub(crate) passages: usize,
    /// The name of the settings file; `None` if none is read.
    pub(crate) settings: Option<String>,
    /// The list of stop words, as the user gave it.
    pub(crate) stopwords: PathBuf,
}

/// Renders the answer in a format. Unless the answer is empty, it ends with a line feed, in the
/// format `paths0` with NUL.
pub(crate) fn render(pair: &Pair, options: &Options, format: Format) -> anyhow::Result<Rendered> {
    Ok(match format {
        Format::Export(export) => export.alone(pair, options.settings.as_deref())?,
        Format::Json | Format::Jsonl => {
            let (names, stopwords) = (&Names::here(), options.stopwords.as_path());
            let settings = options.settings.as_deref();
            let shown = ReportOptions { names, stopwords, settings };
            (render_record(pair, options.explains, &shown)? + "\n").into()
        }
        Format::Paths | Format::Paths0 if !pair.is_finding() => String::new().into(),
        Format::Paths | Format::Paths0 => {
            render_paths(format, &Names::here(), [pair.left.path(), pair.right.path()])?.into()
        }
        Format::Text => {
            let stages = if options.explains { explain::render(pair) } else { String::new() };
            let [columns, lines] = options.screen;
            let limit = options.passages;
            let settings = options.settings.as_deref();
            let answer = if options.has_details || options.explains {
                let names = ["left", "right"].map(str::to_owned);
                let passages = passages::shown(pair, &names, limit, columns);
                render_details(pair, settings, &passages, columns)
            } else {
                let names = names([pair.left.path(), pair.right.path()]);
                let passages = passages::shown(pair, &names, limit, columns);
                render_short(pair, &names, settings, &passages, [columns, lines])
            };
            (stages + &answer).into()
        }
    })
}

/// The longest line of prose, in characters, even if the terminal is wider.
const MAX_LINE_LENGTH: usize = 80;

/// The width of the column of figures, in characters.
const FIGURES: usize = 15;

/// The width of the column of limits, in characters.
const OF_LIMITS: usize = 15;

/// Renders the short answer, with colors as escape sequences, for a terminal of `columns` and
/// `lines`: the verdict and one sentence, the given passages, the figures, the settings file if one
/// is read, what was left out, how often unrelated texts come as close, and the warnings. The
/// verdict and the sentence are repeated at the end if the page is too long for the terminal.
/// `names` are the names of the two texts.
fn render_short(
    pair: &Pair,
    names: &[String; 2],
    settings: Option<&str>,
    passages: &str,
    [columns, lines]: [usize; 2],
) -> String {
    let columns_of_prose = columns.min(MAX_LINE_LENGTH);
    let verdict = pair.judgement.decision.verdict;
    let answer = format!("{}: {}", verdict.name().to_uppercase(), sentence(pair, names));
    let answer = wrapped(&answer, columns_of_prose, 0);
    let answer = answer.replacen(&verdict.name().to_uppercase(), &headline(verdict), 1);

    let mut page = answer.clone() + passages + "\n";
    let left_out = names.iter().zip(left_out_of_sides(pair.judgement));
    let left_out = left_out.filter_map(|(name, out)| Some(format!("{} of {name}", out?)));
    let around = names.iter().zip([pair.left, pair.right]).filter_map(|(name, text)| {
        let [words, all] = text.around()?;
        let (words, all) = (thousands(words), counted(all, "word"));
        Some(match text.kind() {
            Kind::Pdf => {
                format!("{words} of {all} of {name}, which recur at the edges of its pages")
            }
            _ => format!("{words} of {all} of {name}, around its main part: --html all"),
        })
    });
    let chance = chance(pair.judgement, pair.recipe);
    let lines_of_names = (short_figures(pair).into_iter())
        .chain(settings.map(|settings| ("Settings", visible(settings))))
        .chain(left_out.chain(around).map(|out| ("Left out", out)))
        .chain(chance.map(|chance| ("Chance", chance)));
    for (name, value) in lines_of_names {
        page +=
            &wrapped(&format!("{name:LABEL_WIDTH$} {value}"), columns_of_prose, LABEL_WIDTH + 1);
    }
    page += &warnings(pair, columns_of_prose);
    if page.lines().count() >= lines {
        let _ = write!(page, "\n{answer}");
    }
    page
}

/// Returns the names of the figures, and the figures with their limits, for one line each.
fn short_figures(pair: &Pair) -> [(&'static str, String); 3] {
    let (figures, limits) = (&pair.judgement.comparison, &pair.recipe.limits);
    let share = |share: Option<Share>| share.map_or("none".to_owned(), decimal);
    let hamming = figures.hamming.map_or("none".to_owned(), |bits| format!("{bits} of 64 bits"));
    let contained = [(figures.containment_left(), "left"), (figures.containment_right(), "right")]
        .map(|(of, side)| format!("{} of {side}", share(of)));
    [
        ("Hamming", format!("{hamming}, {}", limit(limits.hamming))),
        (
            "Jaccard",
            format!(
                "{}, {}{}{}",
                share(figures.jaccard()),
                limit(limits.jaccard),
                of_part(pair),
                disregarded(pair)
            ),
        ),
        ("Containment", {
            let limit = limits.containment.map_or(String::new(), |it| format!(", limit {it}"));
            format!("{}{limit}", contained.join(", "))
        }),
    ]
}

/// Formats the limit of the Jaccard index for *partial*: `; 0.12 for partial`. Returns an empty
/// string if the verdict is closer than *partial*, or if the limit is off.
fn of_part(pair: &Pair) -> String {
    let is_whole = pair.judgement.decision.verdict >= Verdict::NearDuplicate;
    let Some(limit) = partial_jaccard(pair).filter(|_| !is_whole) else { return String::new() };
    format!("; {limit} for partial")
}

/// Renders the answer with details, with colors as escape sequences: both texts, the settings file
/// if one is read, the figures with their limits, the given passages, what the figures mean, in
/// lines of at most `width` or [`MAX_LINE_LENGTH`] characters, the warnings, and the verdict last.
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
        let _ = writeln!(page, "{:LABEL_WIDTH$} {}", "settings", visible(settings));
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

/// Formats a line of the figures.
pub(super) fn line([name, figure, limit, meaning]: [&str; 4]) -> String {
    format!("{name:LABEL_WIDTH$} {figure:FIGURES$} {limit:OF_LIMITS$} {meaning}\n")
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
        "{name:LABEL_WIDTH$} {}\n{:LABEL_WIDTH$} {kind}{encoding}{language}; {}{}, {}, {}; fingerprint {fingerprint}\n",
        path(text.path()),
        "",
        left_out_part(left_out),
        counted(sketch.words, "word"),
        counted(sketch.stems, "stem"),
        counted(sketch.shingles, "shingle"),
    )
}

/// Renders the line with the verdict and what decided it.
fn verdict(pair: &Pair) -> String {
    format!("{}: {}\n", headline(pair.judgement.decision.verdict), reasons(pair))
}

/// Returns the name of a verdict in its color. *Different* has no color, since there is nothing to
/// look at.
pub(super) fn headline(verdict: Verdict) -> String {
    let style = Style::new().bold().fg_color(color(verdict).map(Into::into));
    format!("{style}{}{style:#}", verdict.name().to_uppercase())
}

/// Renders the warnings in lines of at most `columns` characters.
pub(super) fn warnings(pair: &Pair, columns: usize) -> String {
    let style = Style::new().fg_color(Some(AnsiColor::Yellow.into()));
    let warnings = pair.judgement.warnings.iter().map(|warning| {
        // A warning may quote the text.
        let lines =
            wrapped(&visible(&warning.to_string()), columns.saturating_sub(WARNING.len()), 0);
        let lines = lines.trim_end().replace('\n', &format!("\n{:1$}", "", WARNING.len()));
        format!("{style}warning{style:#}: {lines}\n")
    });
    warnings.collect()
}

/// The label at the beginning of a warning.
const WARNING: &str = "warning: ";

/// Renders the sentences below the figures. Returns an empty string if there are none.
pub(super) fn meaning_lines(pair: &Pair, width: usize) -> String {
    let width = width.min(MAX_LINE_LENGTH);
    let sentences = meaning(pair.judgement, pair.recipe).sentences().into_iter();
    let page: String = sentences
        .map(|(name, sentence)| {
            wrapped(&format!("{name:LABEL_WIDTH$} {sentence}"), width, LABEL_WIDTH + 1)
        })
        .collect();
    if page.is_empty() { page } else { format!("\n{page}") }
}

/// Describes what was left out of left and of right: `57 words (quotes 40, bibliography 17)`;
/// `None` if nothing was.
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

/// Describes what was left out of a text, as a part of a line:
/// `57 words left out (quotes 40, bibliography 17); `. Returns an empty string if nothing was.
pub(super) fn left_out_part(left_out: &[LeftOut]) -> String {
    if left_out.is_empty() {
        return String::new();
    }
    let words = left_out.iter().map(|part| part.words).sum();
    format!("{} left out ({}); ", counted(words, "word"), reasons_left_out(left_out))
}
