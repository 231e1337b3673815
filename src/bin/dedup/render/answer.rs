//! Words and figures for the answer about a pair, which terminal, pages and exports share.

use std::path::{Component, Path, PathBuf};

use anstyle::{AnsiColor, Style};
use dedup_text::display::{counted, decimal, path, percent, thousands};
use dedup_text::hamming::expected_jaccard_percent;
use dedup_text::jaccard::Share;
use dedup_text::pair::{Judgement, Matches};
use dedup_text::shingles::Variety;
use dedup_text::verdict::{Limits, Measure, Verdict};

use crate::model::Pair;
use crate::model::phrases::{limit, no_passage, partial_jaccard, reason, reasons, some_short};

/// Describes why the figures of the sets do not count though they reach a limit: `; not counted: …`.
/// Returns an empty string if they count or reach none.
pub(crate) fn disregarded(pair: &Pair) -> String {
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

// The answer about a judged pair in one sentence, with shares of the texts.

/// The names of texts that have no distinct names of their own.
pub(crate) const SIDES: [&str; 2] = ["the left text", "the right text"];

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
            let has_changes = coverage.has_changes();
            let of = |side: usize| {
                let [same, changed] = [coverage.same(side), coverage.changed(side)].map(percent);
                if has_changes { format!("{same} and {changed}") } else { same }
            };
            let [same, changed] = [coverage.same(0), coverage.changed(0)].map(percent);
            let more =
                if has_changes { format!(", {changed} more with changes") } else { String::new() };
            format!("{same} of {left} is in {right} word for word{more}; of {right} {}", of(1))
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
pub(crate) fn unnamed(file: &Path, side: &str) -> Option<String> {
    if file == Path::new("-") {
        return Some("standard input".to_owned());
    }
    let is_passed = ["/dev/fd", "/proc/self/fd"].map(Path::new).contains(&file.parent()?);
    is_passed.then(|| side.to_owned())
}

// The answer with details.

/// Returns the lines of the figures: name, figure, limit and meaning.
pub(crate) fn figures(pair: &Pair) -> Vec<[String; 4]> {
    let (figures, limits) = (&pair.judgement.comparison, &pair.recipe.limits);
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
            limit(limits.hamming),
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
            limit(limits.containment),
            contained(figures.containment_left(), "right"),
        ],
        [
            String::new(),
            of_side(figures.containment_right(), "right"),
            limit(limits.containment),
            contained(figures.containment_right(), "left"),
        ],
    ];
    lines.extend(pair.judgement.matches.as_ref().map(passages_figure));
    lines
}

/// Returns the line of the figures that is about all passages.
pub(crate) fn passages_figure(matches: &Matches) -> [String; 4] {
    let coverage = matches.coverage;
    let part = |side: usize| match (coverage.same(side), coverage.changed(side)) {
        (Some(same), Some(changed)) => {
            let changed = match changed.shared() {
                0 => String::new(),
                changed => format!("+{}", thousands(changed)),
            };
            format!("{}{changed} of {}", thousands(same.shared()), thousands(same.total()))
        }
        _ => "none".to_owned(),
    };
    let min_match = matches.min_match.words();
    let (figure, meaning) = match matches.all.len() {
        0 => (
            "none".to_owned(),
            some_short(matches).map_or("none this long was found".to_owned(), |short| {
                format!("none of {} or more was found", counted(short.below, "word"))
            }),
        ),
        count => {
            let is_one = coverage.left.is_some_and(|it| it.total() == 1);
            let words = if is_one { "word" } else { "words" };
            let meaning = format!("{} {words} of left, {} of right", part(0), part(1));
            (format!("{} in both", thousands(count)), meaning)
        }
    };
    ["Passages".to_owned(), figure, format!("limit {min_match}"), meaning]
}

/// Formats the limits of the Jaccard index: `limit 0.5`, or `limit 0.5, 0.12` if the verdict is not
/// closer than *partial*.
fn jaccard_limits(pair: &Pair) -> String {
    let is_whole = pair.judgement.decision.verdict >= Verdict::NearDuplicate;
    let part = partial_jaccard(pair).filter(|_| !is_whole);
    match (pair.recipe.limits.jaccard, part) {
        (whole, None) => limit(whole),
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

/// Returns the name of a verdict for a row of a list, in its color; *different* is grey.
pub(crate) fn in_row(verdict: Verdict) -> String {
    let color = color(verdict).unwrap_or(AnsiColor::BrightBlack);
    let style = Style::new().fg_color(Some(color.into()));
    format!("{style}{:<14}{style:#}", verdict.name())
}

pub(crate) fn color(verdict: Verdict) -> Option<AnsiColor> {
    match verdict {
        Verdict::Identical | Verdict::NearDuplicate => Some(AnsiColor::Red),
        Verdict::Partial | Verdict::Excerpt => Some(AnsiColor::Yellow),
        Verdict::Different => None,
    }
}

// The meaning of the figures: one sentence each, wrapped.

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
