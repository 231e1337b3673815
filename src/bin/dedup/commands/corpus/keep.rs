//! `--keep`: decides which texts a clean corpus keeps.

use std::collections::HashMap;

use dedup_text::corpus::join::Cluster;
use dedup_text::corpus::preference::{Keep, Worth, in_order};
use dedup_text::jaccard::Share;

use super::model::Answer;
use super::search::Candidates;
use crate::args::InputFlags;
use crate::diagnostics::Diagnostic;
use crate::failures::no_text::fields_hint;
use crate::model::keeping::{KeepBy, Keeping};
use crate::outputs::no_record_has;

/// Checks that a record has a value in the field that decides which text is kept.
///
/// # Errors
///
/// [`Diagnostic`] if none has.
pub(super) fn check_field(
    answer: &Answer,
    keep: &Keep,
    inputs: &InputFlags,
) -> Result<(), Diagnostic> {
    let Some(field) = keep.field() else { return Ok(()) };
    let texts = answer.gathered.texts.all().iter();
    let mut values = texts.filter_map(|facts| facts.worth.as_deref()).peekable();
    let is_empty = values.peek().is_none();
    if values.any(|value| keep.worth(Some(value)).is_some()) {
        return Ok(());
    }
    let there = is_empty.then(|| fields_hint(inputs));
    Err(no_record_has(keep, field, there.as_deref()))
}

/// Decides which texts are kept.
pub(super) fn decide(
    answer: &Answer,
    (keep, by): (&Keep, KeepBy),
    candidates: &Candidates,
    clusters: &[Cluster],
) -> Keeping {
    let order = preference(answer, keep);
    let members = clusters.iter().map(|cluster| cluster.members.as_slice());
    let stays = |text| answer.is_old(text);
    let direct = || candidates.removed(&order);
    let mut keeping = Keeping::new(by, members, &order, stays, direct);
    take_closest_old(answer, &mut keeping, candidates);
    keeping
}

/// Chooses, for each text that is removed because of an old text, the closest of the old texts with
/// which it is paired: by verdict, then by Jaccard index, then by name. All old texts are kept.
fn take_closest_old(answer: &Answer, keeping: &mut Keeping, candidates: &Candidates) {
    let collection = &answer.corpus().collection;
    let old_partners = candidates.old_partners(answer.gathered);
    let closeness = |text: u32, old: u32| {
        let pair = collection.pair(text.min(old), text.max(old));
        let jaccard = pair.all.jaccard().map_or(0.0, Share::ratio);
        (answer.verdict(&pair), jaccard, answer.document(old).text.path())
    };
    // Texts with the same words have the same partners.
    let mut known = HashMap::new();
    for (text, kept) in (0..).zip(&mut keeping.removed) {
        if !kept.is_some_and(|kept| answer.is_old(kept)) {
            continue;
        }
        let key = (answer.document(text).digest, collection.place(text));
        let closest = known.entry(key).or_insert_with(|| {
            let partners = old_partners(text).into_iter();
            let with_closeness = partners.map(|old| (closeness(text, old), old));
            let closest = with_closeness.max_by(|(one, _), (other, _)| {
                let by_name = other.2.cmp(one.2);
                one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)).then(by_name)
            });
            closest.map(|(_, old)| old)
        });
        *kept = closest.or(*kept);
    }
}

/// Returns the texts in the order of preference: old ones, which are never removed, come first, by
/// their names.
fn preference(answer: &Answer, keep: &Keep) -> Vec<u32> {
    let known = &answer.gathered.texts;
    let texts = answer.corpus().documents.iter().zip(0..).map(|(document, text)| {
        let position = known.position(text).unwrap_or(usize::MAX);
        let words = document.words.to_string();
        let value = match keep {
            Keep::First => None,
            Keep::Longest => Some(words.as_str()),
            Keep::Newest(_) | Keep::Field(_) => known.facts(text).worth.as_deref(),
        };
        (position, keep.worth(value))
    });
    let mut texts: Vec<(usize, Worth)> = texts.collect();
    let mut old: Vec<u32> = (0..).take(texts.len()).filter(|text| answer.is_old(*text)).collect();
    old.sort_by_key(|text| answer.document(*text).text.path());
    for (place, text) in old.into_iter().enumerate() {
        texts[text as usize] = (place, Worth::Nothing);
    }
    let place = |text: u32| texts[text as usize].0;
    in_order(&texts, |text| answer.is_old(text), |(_, worth)| worth, place)
}
