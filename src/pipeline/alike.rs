//! Two texts in one language → what their words come to: what both say alike is read once.

use crate::alike;
use crate::exclusions::Remaining;
use crate::lexicon::{Both, Distinct, Lexicon, Stages};
use crate::threads;

/// Reads two texts with one memory, or long ones half by half side by side, with what `stages`
/// gives for each. None where something was left out of a text, and where long ones do not
/// agree in their middle: those are read text by text.
pub(super) fn read<S: Stages + Send>(
    texts: [&Remaining; 2],
    stages: impl Fn() -> S + Sync,
) -> Option<(Both, S, Distinct)> {
    if texts.iter().any(|text| !text.left_out().is_empty()) {
        return None;
    }
    let texts = texts.map(Remaining::text);
    let bytes = texts.iter().map(|text| text.len()).sum();
    if !threads::is_worth_it(bytes) {
        return Some(read_part(texts, stages()));
    }
    let middle = alike::middle(texts)?;
    let [(left, left_end), (right, right_end)] =
        [0, 1].map(|side| texts[side].split_at(middle[side]));
    let (first, second) = threads::side_by_side(
        bytes,
        || read_part([left, right], stages()),
        || read_part([left_end, right_end], stages()),
    );
    Some(joined(first, second, middle))
}

fn read_part<S: Stages>(texts: [&str; 2], stages: S) -> (Both, S, Distinct) {
    let mut lexicon =
        Lexicon::new(texts.map(str::len).into_iter().max().unwrap_or_default(), stages);
    let both = lexicon.read_both(texts);
    let (stages, distinct) = lexicon.into_parts();
    (both, stages, distinct)
}

/// Two parts of texts as one; the second begins at such bytes.
fn joined<S: Stages>(
    (mut both, mut stages, mut distinct): (Both, S, Distinct),
    (next, others, other_distinct): (Both, S, Distinct),
    starts: [usize; 2],
) -> (Both, S, Distinct) {
    let places = stages.join(&others, [&distinct, &other_distinct].map(|known| known.stems.len()));
    distinct.join(&other_distinct, &places);
    both.append(next, starts, |stem| places[stem as usize]);
    (both, stages, distinct)
}
