//! The answer for a person: the verdict and one sentence, the passages, the figures, and how often
//! unrelated texts come as close.

use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

use dedup_text::jaccard::Share;
use dedup_text::passages::Kind;
use dedup_text::record::meaning::chance;
use dedup_text::verdict::ratio::Ratio;
use dedup_text::verdict::{Limits, Verdict};
use dedup_text::words::{decimal, path, percent, wrapped};

use super::details::{NAMES, headline, left_out_of_sides, reasons, warnings};
use super::passages;
use crate::model::Pair;

/// The longest line of prose, in characters, however wide the screen is.
const LONGEST: usize = 80;

/// The answer, its colours as escape sequences, with `most` passages at most, on a screen of
/// `columns` and `lines`.
pub(super) fn render(pair: &Pair, most: usize, [columns, lines]: [usize; 2]) -> String {
    let names = names([pair.left.path(), pair.right.path()]);
    let columns_of_prose = columns.min(LONGEST);
    let verdict = pair.judgement.decision.verdict;
    let answer = format!("{}: {}", verdict.name().to_uppercase(), sentence(pair, &names));
    let answer = wrapped(&answer, columns_of_prose, 0);
    let answer = answer.replacen(&verdict.name().to_uppercase(), &headline(verdict), 1);

    let mut page = answer.clone() + &passages::shown(pair, &names, most, columns) + "\n";
    for (name, figure) in figures(pair) {
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
fn figures(pair: &Pair) -> [(&'static str, String); 3] {
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
                matches.map(|it| it.passage.kind()).any(|kind| kind == Kind::Reworded);
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
