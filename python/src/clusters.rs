//! Groups the texts of pairs that were found before.

use dedup_text::corpus::join::{Forest, removed_by_pairs};
use pyo3::prelude::*;

/// Returns for each text, of which there are `texts`, the text that is kept in its place, or the
/// text itself. The text with the smaller number is preferred.
///
/// # Panics
///
/// If a pair has a text that does not exist.
#[pyfunction]
pub(crate) fn kept(py: Python, pairs: Vec<(u32, u32)>, texts: u32, are_linked: bool) -> Vec<u32> {
    py.detach(|| {
        if are_linked {
            let mut forest = Forest::new(texts);
            for (a, b) in pairs {
                forest.unite(a, b);
            }
            return (0..texts).map(|text| forest.root(text)).collect();
        }
        let order: Vec<u32> = (0..texts).collect();
        let removed = removed_by_pairs(&pairs, &order);
        order.into_iter().zip(removed).map(|(text, partner)| partner.unwrap_or(text)).collect()
    })
}
