//! What is found of each text that `--against` names: which new texts have it.

use std::num::NonZeroUsize;

use dedup_text::corpus::join::{Pair, Side};
use dedup_text::jaccard::Share;
use dedup_text::pair::Judgement;
use dedup_text::parallel;
use dedup_text::text::Place;
use dedup_text::verdict::Verdict;

use crate::model::corpus::{Answer, beginning_with};
use crate::render::corpus::{FoundRecord, ITEM_SCHEMA, ItemRecord, Sides};

/// Finds, for each old text in the order of the input, the new ones that reach the level; and the
/// closest verdict of them.
pub(super) fn found(
    answer: &Answer,
    pairs: impl Iterator<Item = Pair>,
    threads: NonZeroUsize,
) -> (Vec<ItemRecord>, Option<Verdict>) {
    let corpus = answer.corpus();
    let is_old = |text: u32| corpus.collection.place(text).side == Side::Old;
    let position = |text: u32| {
        answer.gathered.position(answer.document(text).text.path()).unwrap_or(usize::MAX)
    };
    // Of two texts that are named on both sides, neither is an item.
    let turned = pairs.filter_map(|pair| match (is_old(pair.a), is_old(pair.b)) {
        (true, _) => Some(pair),
        (_, true) => Some(beginning_with(pair, pair.b)),
        _ => None,
    });
    let mut pairs: Vec<Pair> = turned.collect();
    pairs.sort_by_cached_key(|pair| (position(pair.a), position(pair.b)));
    let judged = parallel::each(
        threads,
        pairs,
        || (),
        |(), pair| {
            let judgement = answer.judge(&pair);
            let is_found = judgement.decision.verdict >= answer.level;
            is_found.then_some((pair, judgement))
        },
    );
    let found: Vec<(Pair, Judgement)> = judged.into_iter().flatten().collect();
    let mut items: Vec<u32> =
        (0_u32..).take(corpus.documents.len()).filter(|text| is_old(*text)).collect();
    items.sort_by_cached_key(|item| position(*item));
    let mut rest = found.as_slice();
    let mut records: Vec<ItemRecord> = Vec::with_capacity(items.len());
    for item in items {
        let count = rest.iter().take_while(|(pair, _)| pair.a == item).count();
        let (of_item, others) = rest.split_at(count);
        rest = others;
        let found =
            of_item.iter().map(|(pair, judgement)| record(answer, pair, judgement)).collect();
        records.push(ItemRecord { schema: ITEM_SCHEMA, id: answer.given_name(item), found });
    }
    let closest = found.iter().map(|(_, it)| it.decision.verdict).max();
    (records, closest)
}

fn record(answer: &Answer, pair: &Pair, judgement: &Judgement) -> FoundRecord {
    let matches = judgement.matches.as_ref();
    let coverage = matches.map(|matches| [matches.coverage.left, matches.coverage.right]);
    let covered = coverage.unwrap_or_default();
    let [of_item, of_text] = covered.map(|share| share.map(Share::ratio));
    let ends = |place: &Place| [place.content.start, place.content.end];
    let places = matches
        .map_or(&[][..], |matches| &matches.all)
        .iter()
        .map(|found| Sides { item: ends(&found.left), text: ends(&found.right) });
    FoundRecord {
        id: answer.given_name(pair.b),
        verdict: judgement.decision.verdict.name(),
        jaccard: pair.all.jaccard().map(Share::ratio),
        coverage: Sides { item: of_item, text: of_text },
        covered,
        places: places.collect(),
    }
}
