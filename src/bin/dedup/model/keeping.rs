//! Which texts a clean corpus keeps, and for which of them the others go.

use std::cmp::Ordering;

use clap::ValueEnum;

/// Which text of several is kept.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Keep {
    /// The one that comes first in the input.
    First,
    /// The one with the most words.
    Longest,
    /// The one with the greatest value in a field, such as a date.
    Newest(String),
    /// The one with the greatest number in a field, such as a score.
    Field(String),
}

impl Keep {
    /// The field of records that it goes by.
    pub(crate) fn field(&self) -> Option<&str> {
        match self {
            Self::First | Self::Longest => None,
            Self::Newest(field) | Self::Field(field) => Some(field),
        }
    }

    /// What the value of a field is worth; of `longest` the field is the number of words.
    pub(crate) fn worth(&self, value: Option<&str>) -> Worth {
        let Some(value) = value.filter(|_| *self != Self::First) else { return Worth::Nothing };
        match value.trim().parse::<f64>() {
            Ok(number) if number.is_finite() => Worth::Number(number),
            _ if matches!(self, Self::Newest(_)) => Worth::Letters(value.to_owned()),
            _ => Worth::Nothing,
        }
    }
}

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

/// What a text is worth: nothing, then numbers by their size, then all else by its letters.
#[derive(Clone, Debug)]
pub(crate) enum Worth {
    Nothing,
    Number(f64),
    Letters(String),
}

impl Worth {
    /// An order that is total: any three values are in one, whatever they are.
    pub(crate) fn cmp(&self, other: &Self) -> Ordering {
        let kind = |worth: &Self| match worth {
            Self::Nothing => 0,
            Self::Number(_) => 1,
            Self::Letters(_) => 2,
        };
        match (self, other) {
            (Self::Number(one), Self::Number(other)) => one.total_cmp(other),
            (Self::Letters(one), Self::Letters(other)) => one.cmp(other),
            (one, other) => kind(one).cmp(&kind(other)),
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
        let more = crate::words::counted(self.linked_more, "text");
        (self.linked_more > 0).then(|| format!("--keep-by linked would remove {more} more"))
    }
}

/// Texts in the order of preference, the greatest worth first; of equal ones the first.
pub(crate) fn in_order<W>(
    texts: &[W],
    is_preferred: impl Fn(u32) -> bool,
    worth: impl Fn(&W) -> &Worth,
    position: impl Fn(u32) -> usize,
) -> Vec<u32> {
    let mut order: Vec<u32> = (0_u32..).take(texts.len()).collect();
    order.sort_by(|one, other| {
        let of = |text: &u32| worth(&texts[*text as usize]);
        (is_preferred(*other).cmp(&is_preferred(*one)))
            .then_with(|| of(other).cmp(of(one)))
            .then_with(|| position(*one).cmp(&position(*other)))
    });
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worth_has_one_order() {
        let newest = Keep::Newest("ts".to_owned());
        let score = Keep::Field("score".to_owned());
        #[rustfmt::skip]
        let table: &[(&str, &Keep, &[Option<&str>])] = &[
            ("numbers by their size",          &newest, &[None, Some("-1"), Some("9"), Some("10"), Some("1e3")]),
            ("letters after numbers",          &newest, &[None, Some("9"), Some("10"), Some("1a"), Some("2024-01-02"), Some("b")]),
            ("dates by their letters",         &newest, &[Some("2023-12-31"), Some("2024-01-01"), Some("2024-01-01T00:00:01Z")]),
            ("what is no number is nothing",   &score,  &[Some("high"), Some("0.25"), Some(" 0.5 "), Some("3")]),
            ("no number is above all others",  &score,  &[Some("inf"), Some("-2"), Some("0")]),
        ];
        for (why, keep, values) in table {
            for (at, one) in values.iter().enumerate() {
                for (other_at, other) in values.iter().enumerate() {
                    let got = keep.worth(*one).cmp(&keep.worth(*other));
                    assert_eq!(got, at.cmp(&other_at), "{why}: {one:?} and {other:?}");
                }
            }
        }
        assert_eq!(Keep::First.worth(Some("9")).cmp(&Worth::Nothing), Ordering::Equal);
    }

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
