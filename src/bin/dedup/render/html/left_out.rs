//! What does not count of a pair → the stretches to be shown grey, and what is said of them.

use dedup_text::pair::{Judgement, Match, Matches, Short};
use dedup_text::text::{Place, Side};
use dedup_text::tokens::exclusions::{LeftOut, Why};

use super::page::Out;
use crate::render::left_out;
use crate::words::counted;

/// What short passages are called.
const SHORT: &str = "short";

/// What does not count of a side, in order: what was left out of it, and its passages that
/// are too short.
pub(super) fn outs(judgement: &Judgement, side: Side) -> Vec<Out> {
    let left_out = left_out_of(judgement, side).iter();
    let mut outs: Vec<Out> =
        left_out.map(|out| Out { why: out.why.name(), span: out.span.clone() }).collect();
    let place = |found: &Match| -> Place {
        match side {
            Side::Left => found.left.clone(),
            Side::Right => found.right.clone(),
        }
    };
    let short = short(judgement).into_iter().flat_map(|short| &short.all);
    outs.extend(short.map(|found| Out { why: SHORT, span: place(found).content }));
    outs.sort_unstable_by_key(|out| out.span.start);
    outs
}

/// What does not count of both sides, a sentence for each reason.
pub(super) fn told(judgement: &Judgement) -> Vec<String> {
    let side = |name: &str, side: Side| {
        let told = |(why, parts, words): (Why, usize, usize)| {
            let [words, parts] =
                [(words, "word"), (parts, "part")].map(|(count, of)| counted(count, of));
            format!("{name} text, {}: {words} in {parts}", why.name())
        };
        left_out::counted(left_out_of(judgement, side)).map(told).collect::<Vec<_>>()
    };
    let mut told = [side("Left", Side::Left), side("Right", Side::Right)].concat();
    told.extend(short(judgement).filter(|short| !short.all.is_empty()).map(|short| {
        let words = short.all.iter().map(|found| found.passage.words()).sum();
        format!(
            "Both texts, {SHORT}: {} of fewer than {} words, {} in all",
            counted(short.all.len(), "passage"),
            short.below,
            counted(words, "word")
        )
    }));
    told
}

fn left_out_of(judgement: &Judgement, side: Side) -> &[LeftOut] {
    match side {
        Side::Left => &judgement.left_out_of_left,
        Side::Right => &judgement.left_out_of_right,
    }
}

fn short(judgement: &Judgement) -> Option<&Short> {
    judgement.matches.as_ref().and_then(|Matches { short, .. }| short.as_ref())
}
