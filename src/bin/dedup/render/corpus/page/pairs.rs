//! The pairs → the rows of the table.

use dedup_text::jaccard::Share;

use crate::render::corpus::page::found::{Found, MOST_ROWS, shade};
use crate::words::decimal;

/// A pair in the table.
#[derive(Debug)]
pub(crate) struct PairRow {
    pub(crate) number: usize,
    /// The address of its page.
    pub(crate) address: Option<String>,
    pub(crate) verdict: &'static str,
    pub(crate) jaccard: String,
    pub(crate) shade: usize,
    pub(crate) hamming: u32,
    /// The containment of each side in the other.
    pub(crate) contained: [String; 2],
    pub(crate) names: [String; 2],
}

/// The closest pairs, in order.
pub(crate) fn rows(found: &Found) -> Vec<PairRow> {
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
