//! `--each-against`: for each text that `--against` names, the new texts that share passages with
//! it.

use dedup_text::corpus::join::{Pair, Side};
use dedup_text::jaccard::Share;
use dedup_text::sketch::Coverage;
use dedup_text::text::Place;

use super::answer::{FoundRecord, ITEM_SCHEMA, ItemRecord, Sides};
use super::judge::{Depth, Judge, Judged, Outcome};
use super::model::{Answer, beginning_with};
use crate::progress::{Progress, Stage};

/// Finds, for each old text in the order of the input, the new texts that reach the level.
pub(super) fn find(
    judge: &Judge,
    pairs: impl Iterator<Item = Pair>,
    progress: &Progress,
) -> (Vec<ItemRecord>, Outcome) {
    let answer = judge.answer;
    let corpus = answer.corpus();
    let is_old = |text: u32| corpus.collection.place(text).side == Side::Old;
    let position = |text: u32| answer.gathered.texts.position(text).unwrap_or(usize::MAX);
    // A pair of which neither text is old, as when both are named on both sides, belongs to no
    // item.
    let turned = pairs.filter_map(|pair| match (is_old(pair.a), is_old(pair.b)) {
        (true, _) => Some(pair),
        (_, true) => Some(beginning_with(pair, pair.b)),
        _ => None,
    });
    let mut pairs: Vec<Pair> = turned.collect();
    pairs.sort_by_cached_key(|pair| (position(pair.a), position(pair.b)));
    let done = progress.begin(Stage::Judging, pairs.len() as u64);
    let judged = judge.all(pairs, |_| Some(Depth::Passages), |_| done.add(1));
    let mut outcome = Outcome::default();
    let judged = judged.into_iter().map(|(judged, ())| judged);
    let found: Vec<Judged> = judged.filter(|it| it.row.verdict >= answer.level).collect();
    for Judged { row, .. } in &found {
        outcome.closest = outcome.closest.max(Some(row.verdict));
        outcome.pairs.add(*row, true, true);
    }
    let mut items: Vec<u32> =
        (0_u32..).take(corpus.documents.len()).filter(|text| is_old(*text)).collect();
    items.sort_by_cached_key(|item| position(*item));
    let mut rest = found.as_slice();
    let mut records: Vec<ItemRecord> = Vec::with_capacity(items.len());
    for item in items {
        let count = rest.iter().take_while(|judged| judged.row.pair.a == item).count();
        let (of_item, others) = rest.split_at(count);
        rest = others;
        let found = of_item.iter().map(|judged| record(answer, judged)).collect();
        records.push(ItemRecord { schema: ITEM_SCHEMA, id: answer.given_name(item), found });
    }
    (records, outcome)
}

fn record(answer: &Answer, Judged { row, judgement, .. }: &Judged) -> FoundRecord {
    let matches = judgement.as_ref().and_then(|judgement| judgement.matches.as_ref());
    let covered = matches.map_or_else(Coverage::default, |matches| matches.coverage);
    let sides = |share: fn(&Coverage, usize) -> Option<Share>| {
        let [item, text] = [0, 1].map(|side| share(&covered, side).map(Share::ratio));
        Sides { item, text }
    };
    let ends = |place: &Place| [place.bytes.start, place.bytes.end];
    let places = matches
        .map_or(&[][..], |matches| &matches.all)
        .iter()
        .map(|found| Sides { item: ends(&found.left), text: ends(&found.right) });
    FoundRecord {
        id: answer.given_name(row.pair.b),
        verdict: row.verdict.name(),
        jaccard: row.pair.all.jaccard().map(Share::ratio),
        coverage: sides(Coverage::share),
        same: sides(Coverage::same),
        changed: sides(Coverage::changed),
        covered,
        places: places.collect(),
    }
}
