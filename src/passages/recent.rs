//! What was met of late: it spares keeping what recurs too often to say anything.

/// Keys, and how often each was met since another one took its slot or it took that of another.
pub(super) struct RecentKeyCache(Vec<(u64, u32)>);

impl RecentKeyCache {
    /// As many as the nearest cache holds.
    const MOST: usize = if cfg!(test) { 1 << 2 } else { 1 << 10 };

    /// None yet, of about so many.
    pub(super) fn with_room_for(keys: usize) -> Self {
        Self(vec![(0, 0); keys.next_power_of_two().min(Self::MOST)])
    }

    /// Meets a key; how often it has been, at most.
    pub(super) fn meet(&mut self, key: u64) -> u32 {
        let slot = usize::try_from(key >> 40).unwrap_or_default() % self.0.len();
        let (known, count) = &mut self.0[slot];
        if *known != key {
            (*known, *count) = (key, 0);
        }
        *count = count.saturating_add(1);
        *count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_met_of_late_is_counted_until_another_takes_its_slot() {
        let keys = [1 << 40, 2 << 40, 1 << 40 | 1, 5 << 40];
        let [one, other, near, same_slot] = keys;
        let mut recent = RecentKeyCache::with_room_for(10);
        let met = [one, other, one, one, near, one, one, same_slot, one, other];
        assert_eq!(met.map(|key| recent.meet(key)), [1, 1, 2, 3, 1, 1, 2, 1, 1, 2]);
        assert_eq!([recent.meet(0), recent.meet(0)], [1, 2]);
    }
}
