//! How far a work has come.

use std::sync::atomic::{AtomicU64, Ordering};

/// How far a work has come, for a thread that does no part of it to look at. Nothing depends
/// on it.
#[derive(Debug, Default)]
pub struct Advance {
    works: AtomicU64,
    all: AtomicU64,
    done: AtomicU64,
}

/// What was seen of a work.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Seen {
    /// How many works were begun, this one among them.
    pub works: u64,
    /// What is done of it.
    pub done: u64,
    /// All that there is to do; 0 where nobody knows.
    pub all: u64,
}

impl Advance {
    /// Begins a work of so much, in whatever unit; 0 where nobody knows how much.
    pub fn begin(&self, all: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.all.store(all, Ordering::Relaxed);
        self.works.fetch_add(1, Ordering::Relaxed);
    }

    /// Tells that so much more is done.
    pub fn add(&self, done: u64) {
        self.done.fetch_add(done, Ordering::Relaxed);
    }

    /// What there is to be seen. While a work begins, its parts may be of two works.
    pub fn seen(&self) -> Seen {
        Seen {
            works: self.works.load(Ordering::Relaxed),
            done: self.done.load(Ordering::Relaxed),
            all: self.all.load(Ordering::Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_several_threads_have_done_is_added_up() {
        let advance = Advance::default();
        advance.begin(7);
        advance.add(7);
        advance.begin(1000);
        std::thread::scope(|threads| {
            for _ in 0..4 {
                threads.spawn(|| (0..250).for_each(|_| advance.add(1)));
            }
        });
        assert_eq!(advance.seen(), Seen { works: 2, done: 1000, all: 1000 });
    }
}
