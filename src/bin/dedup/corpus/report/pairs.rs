//! The pairs → the rows of the table.

use dedup_text::jaccard::Share;

use super::found::{Found, MOST_ROWS, shade};
use crate::words::decimal;

/// A pair in the table.
#[derive(Debug)]
pub(super) struct PairRow {
    pub(super) number: usize,
    /// The address of its page.
    pub(super) address: Option<String>,
    pub(super) verdict: &'static str,
    pub(super) jaccard: String,
    pub(super) shade: usize,
    pub(super) hamming: u32,
    /// The containment of each side in the other.
    pub(super) contained: [String; 2],
    pub(super) names: [String; 2],
}

/// The closest pairs, in order.
pub(super) fn rows(found: &Found) -> Vec<PairRow> {
    let told = |share: Option<Share>| share.map_or("none".to_owned(), decimal);
    let rows = found.rows.iter().take(MOST_ROWS).zip(1..);
    rows.map(|(row, number)| {
        let pair = &row.pair;
        let jaccard = pair.all.jaccard();
        PairRow {
            number,
            address: found.page_address(number),
            verdict: row.verdict.name(),
            jaccard: told(jaccard),
            shade: shade(jaccard),
            hamming: pair.hamming,
            contained: [
                told(pair.longest.containment_of_left()),
                told(pair.longest.containment_of_right()),
            ],
            names: [found.name(pair.a), found.name(pair.b)],
        }
    })
    .collect()
}
