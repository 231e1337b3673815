//! The answer for a person: the verdict and one sentence, the passages, the figures, and how often
//! unrelated texts come as close.

use std::fmt::Write;

use dedup_text::jaccard::Share;
use dedup_text::verdict::ratio::Ratio;
use dedup_text::verdict::{Limits, Verdict};

use super::details::{NAMES, headline, warnings};
use super::sentence::{names, sentence};
use super::{matches, passages};
use crate::model::meaning::chance;
use crate::model::pair::Pair;
use crate::words::{decimal, wrapped};

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
    for (name, out) in names.iter().zip(matches::of_sides(pair.judgement)) {
        if let Some(out) = out {
            let line = format!("{:NAMES$} {out} of {name}", "Left out");
            page += &wrapped(&line, columns_of_prose, NAMES + 1);
        }
    }
    if let Some(chance) = chance(pair) {
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
