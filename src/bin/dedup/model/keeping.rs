//! Which texts a clean corpus keeps, and which text each of the others duplicates.

use clap::ValueEnum;
use dedup_text::display::counted;
use serde::Serialize;

/// The reason why a text is removed.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum KeepBy {
    /// The text forms a pair with a text that is kept.
    Direct,
    /// The text is in a cluster with a text that is kept.
    Linked,
}

/// The decisions on which texts of a corpus to keep, by the numbers of the texts.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Keeping {
    /// For each text, the text that is kept instead of it; `None` if the text itself is kept.
    pub(crate) removed: Vec<Option<u32>>,
    pub(crate) by: KeepBy,
    /// The number of additional texts that removing by cluster ([`KeepBy::Linked`]) would remove.
    pub(crate) linked_more: usize,
    /// The number of texts in the largest cluster; 0 if there is no cluster.
    pub(crate) largest_cluster: usize,
}

impl Keeping {
    /// Decides by clusters or, using `direct`, by pairs. `order` has all texts, the most preferred
    /// first. `stays` reports whether a text must never be removed.
    pub(crate) fn new<'c>(
        by: KeepBy,
        clusters: impl Iterator<Item = &'c [u32]>,
        order: &[u32],
        stays: impl Fn(u32) -> bool,
        direct: impl FnOnce() -> Vec<Option<u32>>,
    ) -> Self {
        let mut rank = vec![usize::MAX; order.len()];
        (0..).zip(order).for_each(|(at, text)| rank[*text as usize] = at);
        let mut linked = vec![None; order.len()];
        let mut largest_cluster = 0;
        for members in clusters {
            largest_cluster = largest_cluster.max(members.len());
            let best = members.iter().copied().min_by_key(|member| rank[*member as usize]);
            for member in members.iter().filter(|member| Some(**member) != best) {
                linked[*member as usize] = best.filter(|_| !stays(*member));
            }
        }
        let of_linked = linked.iter().flatten().count();
        let removed = match by {
            KeepBy::Direct => direct(),
            KeepBy::Linked => linked,
        };
        let linked_more = of_linked.saturating_sub(removed.iter().flatten().count());
        Self { removed, by, linked_more, largest_cluster }
    }

    /// Returns a note on how many more texts `--keep-by linked` would remove; `None` if it would
    /// remove no more.
    pub(crate) fn chains(&self) -> Option<String> {
        let more = counted(self.linked_more, "text");
        (self.linked_more > 0).then(|| format!("--keep-by linked would remove {more} more"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linking_keeps_one_of_a_cluster_and_all_that_stays() {
        let clusters: [&[u32]; 2] = [&[0, 1, 3], &[2, 4]];
        let keeping = |by, stays: &[u32]| {
            let (clusters, stays) = (clusters.into_iter(), stays.to_vec());
            let direct = || vec![None, None, None, Some(1), None];
            Keeping::new(by, clusters, &[1, 4, 3, 2, 0], |text| stays.contains(&text), direct)
        };
        let linked = keeping(KeepBy::Linked, &[]);
        assert_eq!(linked.removed, [Some(1), None, Some(4), Some(1), None]);
        assert_eq!((linked.linked_more, linked.largest_cluster), (0, 3));
        let direct = keeping(KeepBy::Direct, &[]);
        assert_eq!(direct.removed, [None, None, None, Some(1), None]);
        assert_eq!((direct.linked_more, direct.largest_cluster), (2, 3));
        assert_eq!(keeping(KeepBy::Linked, &[0, 1]).removed, [None, None, Some(4), Some(1), None]);
    }
}
