//! What each stage made of a text.

use dedup_text::tokens::Token;
use serde::Serialize;

use crate::model::pair::Pair;
use crate::render::stages::Stages;

#[derive(Serialize)]
pub(super) struct StagesRecord<'r> {
    dropped: Vec<Dropped<'r>>,
    stems: Vec<&'r str>,
    shingles: Vec<ShingleRecord<'r>>,
    votes: Vec<i64>,
}

#[derive(Serialize)]
struct Dropped<'r> {
    word: &'r str,
    why: &'static str,
}

#[derive(Serialize)]
struct ShingleRecord<'r> {
    text: &'r str,
    residue: String,
}

/// The stages of a text, where they are wanted.
pub(super) fn stages<'r>(stages: Option<&'r Stages>, pair: &Pair) -> Option<StagesRecord<'r>> {
    let stages = stages?;
    let dropped = stages.trace.sifted.dropped.0.iter();
    let shingles = stages.shingles(pair.recipe).into_iter();
    Some(StagesRecord {
        dropped: dropped.map(|token| Dropped { word: &token.word, why: why(token) }).collect(),
        stems: stages.trace.stems.iter().collect(),
        shingles: shingles
            .map(|shingle| ShingleRecord {
                text: shingle.text,
                residue: format!("{:016x}", shingle.residue),
            })
            .collect(),
        votes: stages.votes.0.to_vec(),
    })
}

fn why(token: &Token) -> &'static str {
    if token.elided { "elided" } else { "stop-word" }
}
