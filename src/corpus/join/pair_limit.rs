//! Room for pairs that are found: no more of them are held than somebody can use.

use std::sync::atomic::{AtomicUsize, Ordering};

/// More pairs than there is room for.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("more than {most} pairs, wanted as many at most")]
pub struct TooManyPairs {
    /// The most pairs that there is room for.
    pub most: usize,
}

/// Room for pairs. Where it does not suffice is known as soon as it is so, on every thread, so
/// that nobody looks on; which pairs were found by then is left to chance.
#[derive(Debug)]
pub(super) struct PairLimit {
    most: usize,
    taken: AtomicUsize,
}

impl PairLimit {
    pub(super) fn of(most: usize) -> Self {
        Self { most, taken: AtomicUsize::new(0) }
    }

    /// As much room, with nothing in it.
    pub(super) fn anew(&self) -> Self {
        Self::of(self.most)
    }

    /// Takes room for more pairs, and says whether there was.
    pub(super) fn take(&self, pairs: usize) -> bool {
        let before = self.taken.fetch_add(pairs, Ordering::Relaxed);
        before.saturating_add(pairs) <= self.most
    }

    /// Whether there was too little.
    pub(super) fn is_short(&self) -> bool {
        self.taken.load(Ordering::Relaxed) > self.most
    }

    /// The pairs that were found, where there was room for all.
    pub(super) fn checked<P>(&self, pairs: Vec<P>) -> Result<Vec<P>, TooManyPairs> {
        if self.is_short() { Err(TooManyPairs { most: self.most }) } else { Ok(pairs) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_short_from_the_first_pair_beyond_it() {
        #[rustfmt::skip]
        let table: &[(&str, usize, &[usize], bool)] = &[
            ("nothing, and no room",     0,          &[],              false),
            ("one, and no room",         0,          &[1],             true),
            ("as many as there is room", 3,          &[1, 2],          false),
            ("one more",                 3,          &[1, 2, 0, 1],    true),
            ("nothing more",             3,          &[3, 0],          false),
            ("room for all",             usize::MAX, &[1, usize::MAX - 1], false),
        ];
        for (why, most, taken, is_short) in table {
            let room = PairLimit::of(*most);
            let had_room = taken.iter().fold(true, |_, pairs| room.take(*pairs));
            assert_eq!((room.is_short(), !had_room), (*is_short, *is_short), "{why}");
            let trouble = TooManyPairs { most: *most };
            let want = if *is_short { Err(trouble) } else { Ok(vec![7]) };
            assert_eq!(room.checked(vec![7]), want, "{why}");
        }
    }
}
