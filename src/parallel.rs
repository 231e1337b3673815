//! Things done side by side, where they are worth a thread and there is one to be had.

use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;

/// Bytes of both texts from which on a second thread is worth its start, and worth that
/// neither text learns from the other's words.
const WORTH_A_THREAD: usize = 1 << 19;

/// Whether texts of `bytes` bytes together are worth a second thread.
pub fn worth_parallel(bytes: usize) -> bool {
    bytes >= WORTH_A_THREAD
}

/// Does both, the right one on a thread of its own where that is worth it and the system has
/// one. What they return does not depend on it.
///
/// # Panics
///
/// Where either of them does.
pub fn join<L, R: Send>(
    bytes: usize,
    left: impl FnOnce() -> L,
    right: impl FnOnce() -> R + Send,
) -> (L, R) {
    if !worth_parallel(bytes) {
        return (left(), right());
    }
    // Anyone who takes it first does it.
    let right = Mutex::new(Some(right));
    let take = || right.lock().unwrap_or_else(PoisonError::into_inner).take();
    std::thread::scope(|threads| {
        let thread = Builder::new().spawn_scoped(threads, || take().map(|right| right()));
        let left = left();
        let there =
            thread.ok().and_then(|thread| thread.join().unwrap_or_else(|it| resume_unwind(it)));
        let right = there.or_else(|| take().map(|right| right()));
        (left, right.expect("one of both took it"))
    })
}

/// Does a piece of work for each item on several threads, as [`each_with`].
pub fn each<I: Send, S: Send, R: Send>(
    threads: NonZeroUsize,
    items: impl IntoIterator<Item = I, IntoIter: Send>,
    state: impl Fn() -> S,
    work: impl Fn(&mut S, I) -> R + Sync,
) -> Vec<R> {
    let items = items.into_iter();
    let mut states: Vec<S> = (0..worth(threads.get(), &items)).map(|_| state()).collect();
    each_with(&mut states, items, work)
}

/// As many of some threads as there are items for, one at least.
fn worth(threads: usize, items: &impl Iterator) -> usize {
    items.size_hint().1.map_or(threads, |items| threads.min(items)).max(1)
}

/// Does a piece of work for each item on a thread for each state, as long as there are items, or on as many as the system
/// has. What they return stands in the order of the items, whichever thread took which: what a
/// thread carries from piece to piece is for memory, and must change no answer. A panic in any
/// goes on here. Without a state nothing is done.
pub fn each_with<I: Send, S: Send, R: Send>(
    states: &mut [S],
    items: impl IntoIterator<Item = I, IntoIter: Send>,
    work: impl Fn(&mut S, I) -> R + Sync,
) -> Vec<R> {
    let items = items.into_iter();
    let threads = worth(states.len(), &items).min(states.len());
    let Some((own, others)) = states[..threads].split_first_mut() else { return Vec::new() };
    if others.is_empty() {
        return items.map(|item| work(own, item)).collect();
    }
    let items = Mutex::new(items.enumerate());
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let take = |state: &mut S| {
        std::iter::from_fn(next).map(|(at, item)| (at, work(state, item))).collect::<Vec<_>>()
    };
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let begin = |state| Builder::new().spawn_scoped(scope, || take(state)).ok();
        let others: Vec<_> = others.iter_mut().map_while(begin).collect();
        let own = take(own);
        let others = others
            .into_iter()
            .flat_map(|other| other.join().unwrap_or_else(|it| resume_unwind(it)));
        own.into_iter().chain(others).collect()
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, answer)| answer).collect()
}

// How far a work has come.

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
    /// All that there is to do; 0 where no one knows.
    pub all: u64,
}

impl Advance {
    /// Begins a work of so much, in whatever unit; 0 where no one knows how much.
    pub fn begin(&self, all: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.all.store(all, Ordering::Relaxed);
        self.works.fetch_add(1, Ordering::Relaxed);
    }

    /// Says that so much more is done.
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
    fn answers_stand_in_the_order_of_the_items() {
        let want: Vec<u64> = (0..1000).map(|item| item * item).collect();
        for threads in [1, 2, 7] {
            let threads = NonZeroUsize::new(threads).unwrap();
            let squares = each(
                threads,
                0..1000,
                || (),
                |(), item: u64| {
                    std::thread::sleep(std::time::Duration::from_micros(item % 7));
                    item * item
                },
            );
            assert_eq!(squares, want, "{threads} threads");
            assert!(each(threads, 0..0, || (), |(), item: u64| item).is_empty(), "nothing");
        }
    }

    #[test]
    fn no_more_threads_are_begun_than_there_are_items() {
        let threads = NonZeroUsize::new(200).unwrap();
        for (items, most) in [(0, 1), (1, 1), (3, 3), (1000, 200)] {
            let states = std::cell::Cell::new(0);
            let state = || states.set(states.get() + 1);
            let own = std::thread::current().id();
            let ids = each(threads, 0..items, state, |(), _| std::thread::current().id());
            assert_eq!(states.get(), most, "{items} items");
            let mut others: Vec<_> = ids.into_iter().filter(|id| *id != own).collect();
            others.sort_unstable_by_key(|id| format!("{id:?}"));
            others.dedup();
            assert!(others.len() < most, "{items} items: {} others", others.len());
        }
    }

    #[test]
    fn both_are_done_on_one_thread_or_two() {
        let own = std::thread::current().id();
        for (bytes, worth_parallel) in
            [(0, false), (WORTH_A_THREAD - 1, false), (WORTH_A_THREAD, true)]
        {
            let (left, right) = join(bytes, || "left", || std::thread::current().id());
            assert_eq!((left, right != own), ("left", worth_parallel), "{bytes} bytes");
        }
    }
}

#[cfg(test)]
mod advance_tests {
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
