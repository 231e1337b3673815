//! For which texts of a clean corpus the others go.

use clap::ValueEnum;

/// Why a text goes.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum KeepBy {
    /// It is paired with a text that is kept.
    Direct,
    /// It is in a cluster with one.
    Linked,
}

impl KeepBy {
    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Linked => "linked",
        }
    }
}

/// What was decided of the texts of a corpus, by their numbers.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Keeping {
    /// The text that is kept in the place of each; none where it is kept itself.
    pub(crate) removed: Vec<Option<u32>>,
    pub(crate) by: KeepBy,
    /// How many more texts would go if those of a cluster did.
    pub(crate) linked_more: usize,
    /// How many texts the largest cluster has; 0 where there is none.
    pub(crate) largest_cluster: usize,
}

impl Keeping {
    /// What is decided by clusters, or by what goes directly. `order` has all texts, the most
    /// preferred first; `stays` says which of them never go.
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

    /// What a reader of the answer should know of chains; none where linking removes no more.
    pub(crate) fn chains(&self) -> Option<String> {
        let more = dedup_text::words::counted(self.linked_more, "text");
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
