//! Renders the answer about a pair for people: in short, or with details (`--details`).
//!
//! Both forms have the figures, what decided, and the warnings. The passages are rendered elsewhere
//! and passed in as text.

use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

use anstyle::{AnsiColor, Style};
use dedup_text::display::{counted, decimal, encoding, path, percent, thousands, visible, wrapped};
use dedup_text::hamming::expected_jaccard_percent;
use dedup_text::jaccard::Share;
use dedup_text::language::{By, Known};
use dedup_text::pair::{Judgement, Matches, Short};
use dedup_text::passages::Kind as PassageKind;
use dedup_text::record::meaning::{chance, meaning};
use dedup_text::shingles::Variety;
use dedup_text::sketch::{Coverage, Summary};
use dedup_text::text::formats::Kind;
use dedup_text::text::{Encoding, Text};
use dedup_text::tokens::exclusions::LeftOut;
use dedup_text::tokens::exclusions::excluded;
use dedup_text::verdict::ratio::Ratio;
use dedup_text::verdict::{Limits, Measure, Verdict};

use crate::model::Pair;

/// The width of the column of names, in characters.
pub(super) const NAMES: usize = 12;
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
pub(super) fn render(
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
        let all = counted(all, "word");
        Some(format!("{} of {all} of {name}, around its main part: --html all", thousands(words)))
    });
    let chance = chance(pair.judgement, pair.recipe);
    let lines_of_names = (short_figures(pair).into_iter())
        .chain(settings.map(|settings| ("Settings", visible(settings))))
        .chain(left_out.chain(around).map(|out| ("Left out", out)))
        .chain(chance.map(|chance| ("Chance", chance)));
    for (name, value) in lines_of_names {
        page += &wrapped(&format!("{name:NAMES$} {value}"), columns_of_prose, NAMES + 1);
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
                "{}, {}{}{}",
                share(figures.jaccard()),
                limit(ratio(limits.jaccard)),
                of_part(pair),
                disregarded(pair)
            ),
        ),
        ("Containment", {
            let limit =
                ratio(limits.containment).map_or(String::new(), |it| format!(", limit {it}"));
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

/// Describes why the figures of the sets do not count though they reach a limit: `; not counted: …`.
/// Returns an empty string if they count or reach none.
pub(super) fn disregarded(pair: &Pair) -> String {
    let (figures, limits) = (&pair.judgement.comparison, &pair.recipe.limits);
    match limits.disregarded(figures) {
        Some((Variety::FewStems, _)) => {
            format!("; not counted: a text has fewer than {} different stems", Variety::MIN_STEMS)
        }
        Some(_) => {
            let share = Limits::SHARED_OF_REPETITIVE;
            format!("; not counted: words repeat, and less than {share} of a text is in passages")
        }
        None => String::new(),
    }
}

/// Formats the minimum Jaccard index of a partial pair: `0.12`, or `two thirds of 0.12` if a text
/// is short; `None` if it is off.
fn partial_jaccard(pair: &Pair) -> Option<String> {
    let limit = pair.recipe.limits.partial_jaccard?;
    let is_short = pair.judgement.comparison.least_words < Limits::SHORT;
    Some(if is_short { format!("two thirds of {limit}") } else { limit.to_string() })
}

// The answer about a judged pair in one sentence, with shares of the texts.

/// The names of texts that have no distinct names of their own.
pub(super) const SIDES: [&str; 2] = ["the left text", "the right text"];

/// Returns the answer without a full stop, using the given names of the two texts.
pub(crate) fn sentence(pair: &Pair, names: &[String; 2]) -> String {
    let [left, right] = names;
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
            format!(
                "{} of {left} is also in {right}, {} of {right} in {left}{}",
                percent(coverage.left),
                percent(coverage.right),
                what_differs(judgement),
            )
        }
        Some(_) => {
            // Of the measures that decided, the Jaccard index is the easiest to understand.
            let decided_by = &judgement.decision.decided_by;
            let jaccard = decided_by.iter().find(|it| **it == Measure::Jaccard);
            match jaccard.or(decided_by.first()) {
                None => no_passage(judgement),
                Some(measure) => {
                    let why = without_passage(*measure, pair, names);
                    format!("{}, but {why}", no_passage(judgement))
                }
            }
        }
    };
    let accepted = if pair.is_accepted == Some(true) { "; accepted earlier" } else { "" };
    answer + accepted
}

/// Describes that no passage is shared: `no shared passage found`, or
/// `no shared passage of 20 words or more` if shorter passages are listed separately.
fn no_passage(judgement: &Judgement) -> String {
    match judgement.matches.as_ref().and_then(some_short) {
        Some(short) => format!("no shared passage of {} or more", counted(short.below, "word")),
        None => "no shared passage found".to_owned(),
    }
}

/// Describes the measure that decided the verdict on a pair without a shared passage, with its
/// figure.
fn without_passage(measure: Measure, pair: &Pair, [left, right]: &[String; 2]) -> String {
    let Judgement { comparison: figures, left: of_left, right: of_right, .. } = pair.judgement;
    let has_stop_words = of_left.stems < of_left.words || of_right.stems < of_right.words;
    let besides = if has_stop_words { " besides stop words" } else { "" };
    let contained = |share: Option<Share>, one: &str, other: &str| {
        let phrases = match pair.recipe.ngrams.max() {
            1 => "words".to_owned(),
            max => format!("phrases of {max} words"),
        };
        format!("{} of the distinct {phrases} of {one}{besides} are in {other}", percent(share))
    };
    match measure {
        Measure::Jaccard => format!(
            "{} of all distinct words and phrases{besides} are in both",
            percent(figures.jaccard())
        ),
        Measure::ContainmentLeft => contained(figures.containment_left(), left, right),
        Measure::ContainmentRight => contained(figures.containment_right(), right, left),
        _ => reason(measure, pair.judgement.decision.verdict, pair),
    }
}

/// Returns the passages that are listed separately because they are too short to count; `None` if
/// there are none.
pub(super) fn some_short(matches: &Matches) -> Option<&Short> {
    matches.short.as_ref().filter(|short| !short.all.is_empty())
}

/// Describes how the passages differ: `, reworded in part`, `, 132 words changed`, or both;
/// `, 59 of 152 words unchanged` if more words are changed than not. Returns an empty string if
/// they do not differ. Only the changed words that passages are shown with are counted; reworded
/// passages are shown without them.
fn what_differs(judgement: &Judgement) -> String {
    let passages = judgement.matches.iter().flat_map(|matches| &matches.all).map(|it| &it.passage);
    let (reworded, others): (Vec<_>, Vec<_>) =
        passages.partition(|passage| passage.kind() == PassageKind::Reworded);
    let part = if reworded.is_empty() { "" } else { ", reworded in part" };
    let changed: usize = others.iter().map(|passage| passage.changed_words()).sum();
    let unchanged: usize = others.iter().map(|passage| passage.words()).sum();
    let words = |count: usize| counted(count, "word").replace(' ', "\u{a0}");
    match changed {
        0 => part.to_owned(),
        _ if changed > unchanged => {
            format!("{part}, {} of {} unchanged", thousands(unchanged), words(unchanged + changed))
        }
        _ => format!("{part}, {} changed", words(changed)),
    }
}

/// Returns the names of two files without the folders that both paths begin with. If both names
/// would be the same, returns [`SIDES`].
pub(crate) fn names(files: [&Path; 2]) -> [String; 2] {
    // `./x` is `x`.
    let parts = files.map(|file| -> Vec<Component> {
        file.components().filter(|part| *part != Component::CurDir).collect()
    });
    let folders = parts.each_ref().map(|parts| parts.split_last().map_or(&[][..], |(_, all)| all));
    let shared =
        folders[0].iter().zip(folders[1]).take_while(|(left, right)| left == right).count();
    let name = |side: usize| {
        unnamed(files[side], SIDES[side])
            .unwrap_or_else(|| path(&parts[side].iter().skip(shared).collect::<PathBuf>()))
    };
    let names = [name(0), name(1)];
    if names[0] == names[1] { SIDES.map(str::to_owned) } else { names }
}

/// Returns the name of a text whose path does not name it: `standard input`, or `side` if the shell
/// passes the text in a pipe, as `<(…)` does. Returns `None` for any other path.
pub(super) fn unnamed(file: &Path, side: &str) -> Option<String> {
    if file == Path::new("-") {
        return Some("standard input".to_owned());
    }
    let is_passed = ["/dev/fd", "/proc/self/fd"].map(Path::new).contains(&file.parent()?);
    is_passed.then(|| side.to_owned())
}

// The answer with details.

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

/// Formats a line of the figures.
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

/// Returns the lines of the figures: name, figure, limit and meaning.
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
            let are = if share.shared() == 1 { "is" } else { "are" };
            format!("{shared} of its {of} distinct {longest} {are} also in {side}")
        }
        None => format!("a text has no {longest}"),
    };
    let mut lines = vec![
        [
            "Hamming".to_owned(),
            figures.hamming.map_or("none".to_owned(), |bits| format!("{bits} of 64 bits")),
            limit(limits.hamming.map(|bits| bits.to_string())),
            figures.hamming.map_or_else(no_shingles, hamming_meaning),
        ],
        [
            "Jaccard".to_owned(),
            share(figures.jaccard()),
            jaccard_limits(pair),
            match figures.jaccard() {
                Some(_) => {
                    let are = if all.shared == 1 { "is" } else { "are" };
                    let [shared, union] = [all.shared, all.union()].map(thousands);
                    let what = format!("{shared} of {union} distinct shingles {are} in both");
                    what + &disregarded(pair)
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
    ];
    lines.extend(pair.judgement.matches.as_ref().map(passages_figure));
    lines
}

/// Returns the line of the figures that is about all passages.
pub(super) fn passages_figure(matches: &Matches) -> [String; 4] {
    let coverage = matches.coverage;
    let part = |share: Option<Share>| {
        share.map_or("none".to_owned(), |it| {
            format!("{} of {}", thousands(it.shared()), thousands(it.total()))
        })
    };
    let min_match = matches.min_match.words();
    let (figure, meaning) = match matches.all.len() {
        0 => (
            "none".to_owned(),
            some_short(matches).map_or("none this long was found".to_owned(), |short| {
                format!("none of {} or more was found", counted(short.below, "word"))
            }),
        ),
        count => (
            format!("{} in both", thousands(count)),
            format!(
                "{} {} of left, {} of right",
                part(coverage.left),
                if coverage.left.is_some_and(|it| it.total() == 1) { "word" } else { "words" },
                part(coverage.right)
            ),
        ),
    };
    ["Passages".to_owned(), figure, format!("limit {min_match}"), meaning]
}

/// Formats the limits of the Jaccard index: `limit 0.5`, or `limit 0.5, 0.12` if the verdict is not
/// closer than *partial*.
fn jaccard_limits(pair: &Pair) -> String {
    let is_whole = pair.judgement.decision.verdict >= Verdict::NearDuplicate;
    let part = partial_jaccard(pair).filter(|_| !is_whole);
    match (pair.recipe.limits.jaccard, part) {
        (None, None) => "limit off".to_owned(),
        (Some(whole), None) => format!("limit {whole}"),
        (None, Some(part)) => format!("limit {part} of a part"),
        (Some(whole), Some(part)) => format!("limit {whole}, {part}"),
    }
}

fn hamming_meaning(bits: u32) -> String {
    match expected_jaccard_percent(bits) {
        Some(100) => "as if nearly all shingles were shared".to_owned(),
        Some(percent) => format!("as if about {percent} % of the shingles were shared"),
        None => "no closer than texts with nothing in common".to_owned(),
    }
}

/// Renders the line with the verdict and what decided it.
fn verdict(pair: &Pair) -> String {
    format!("{}: {}\n", headline(pair.judgement.decision.verdict), reasons(pair))
}

/// Formats a share in percent, rounded down as in sentences, or `<1`; `0` if it is `None`.
pub(super) fn hundredths(share: Option<Share>) -> String {
    match share.map_or((0, 0), |share| (share.filled(100), share.shared())) {
        (0, 1..) => "<1".to_owned(),
        (hundredths, _) => hundredths.to_string(),
    }
}

/// Returns the name of a verdict in its color. *Different* has no color, since there is nothing to
/// look at.
pub(super) fn headline(verdict: Verdict) -> String {
    let style = Style::new().bold().fg_color(color(verdict).map(Into::into));
    format!("{style}{}{style:#}", verdict.name().to_uppercase())
}

/// Returns the name of a verdict for a row of a list, in its color; *different* is grey.
pub(super) fn in_row(verdict: Verdict) -> String {
    let color = color(verdict).unwrap_or(AnsiColor::BrightBlack);
    let style = Style::new().fg_color(Some(color.into()));
    format!("{style}{:<14}{style:#}", verdict.name())
}

fn color(verdict: Verdict) -> Option<AnsiColor> {
    match verdict {
        Verdict::Identical | Verdict::NearDuplicate => Some(AnsiColor::Red),
        Verdict::Partial | Verdict::Excerpt => Some(AnsiColor::Yellow),
        Verdict::Different => None,
    }
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

/// Returns what decided the verdict, in words.
pub(super) fn reasons(pair: &Pair) -> String {
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
pub(super) struct Compared {
    pub(super) name: &'static str,
    /// `None` if a text has too little for the figure, or if passages were not searched for.
    pub(super) figure: Option<String>,
    /// `None` if the limit is off, or if the measure has none.
    pub(super) limit: Option<String>,
}

/// Returns the figure and the limit that are compared for a measure on the rung of a verdict.
pub(super) fn compared(measure: Measure, verdict: Verdict, pair: &Pair) -> Compared {
    let figures = &pair.judgement.comparison;
    let Limits { hamming, jaccard, partial_jaccard: _, coverage, containment } = pair.recipe.limits;
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
            format!("{name} {figure} reaches {limit}, its limit in a short text")
        }
        Measure::Passages if figure == "1" => "1 passage is in both".to_owned(),
        Measure::Passages => format!("{figure} passages are in both"),
        _ => format!("{name} {figure} reaches its limit {limit}"),
    }
}

// The meaning of the figures: one sentence each, wrapped.

/// Renders the sentences below the figures. Returns an empty string if there are none.
pub(super) fn meaning_lines(pair: &Pair, width: usize) -> String {
    let width = width.min(MAX_LINE_LENGTH);
    let sentences = meaning(pair.judgement, pair.recipe).sentences().into_iter();
    let page: String = sentences
        .map(|(name, sentence)| wrapped(&format!("{name:NAMES$} {sentence}"), width, NAMES + 1))
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
            ("both of <(…)",      ["/dev/fd/63", "/dev/fd/62"],             ["the left text", "the right text"]),
            ("one of them",       ["x/a.txt", "/proc/self/fd/11"],          ["x/a.txt", "the right text"]),
            ("from here",         ["./x/y/a.txt", "x/z/a.txt"],             ["y/a.txt", "z/a.txt"]),
            ("here",              ["./a.txt", "b.txt"],                     ["a.txt", "b.txt"]),
            ("above",             ["../x/a.txt", "../x/b.txt"],             ["a.txt", "b.txt"]),
            ("half a name",       ["essay1/a.txt", "essay2/a.txt"],         ["essay1/a.txt", "essay2/a.txt"]),
            ("what would move the cursor", ["a\u{1b}.txt", "b.txt"],        ["a\\u{1b}.txt", "b.txt"]),
        ];
        for (why, paths, want) in table {
            assert_eq!(names(paths.map(Path::new)), want, "{why}");
        }
    }
}
