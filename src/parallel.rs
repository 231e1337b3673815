//! Runs work in parallel, if it is worth a thread and the system has one.

use std::io::{self, Cursor, Read};
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

/// The size of both texts in bytes from which a second thread is worth its start, and worth that
/// neither text can reuse the words of the other.
const WORTH_A_THREAD: usize = 1 << 19;

/// Reports whether texts of `bytes` bytes in total are worth a second thread.
pub fn worth_parallel(bytes: usize) -> bool {
    bytes >= WORTH_A_THREAD
}

/// Runs both closures: the right one on a thread of its own, if that is worth it and the system has
/// one. The results do not depend on it.
///
/// # Panics
///
/// If one of the closures panics.
pub fn join<L, R: Send>(
    bytes: usize,
    left: impl FnOnce() -> L,
    right: impl FnOnce() -> R + Send,
) -> (L, R) {
    if !worth_parallel(bytes) {
        return (left(), right());
    }
    let (right, of_right) = (Mutex::new(Some(right)), Mutex::new(None));
    let run_right = || {
        let taken = lock(&right).take();
        if let Some(right) = taken {
            let answer = right();
            *lock(&of_right) = Some(answer);
        }
    };
    let (mut left, mut of_left) = (Some(left), None);
    let mut run_left = || of_left = left.take().map(|left| left());
    at_once(&mut run_left, vec![Box::new(run_right)]);
    run_right(); // if there was no thread for it
    let of_right = of_right.into_inner().unwrap_or_else(PoisonError::into_inner);
    of_left.zip(of_right).expect("both were run")
}

/// Runs a closure on this thread and the others on a thread each, as many as the system has. The
/// rest are not run. A panic in any of them continues in the caller.
///
/// It is not generic, so that the code that starts threads is compiled once, not for every caller.
fn at_once(own: &mut dyn FnMut(), others: Vec<Box<dyn FnOnce() + Send + '_>>) {
    std::thread::scope(|scope| {
        let begin = |other| Builder::new().spawn_scoped(scope, other).ok();
        let others: Vec<_> = others.into_iter().map_while(begin).collect();
        own();
        for other in others {
            other.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does a piece of work for each item on up to `threads` threads; see [`each_with`].
pub fn map<I: Send, R: Send>(
    threads: NonZeroUsize,
    items: impl IntoIterator<Item = I, IntoIter: Send>,
    work: impl Fn(I) -> R + Sync,
) -> Vec<R> {
    each(threads, items, || (), |(), item| work(item))
}

/// Does a piece of work for each item on up to `threads` threads, each with a state of its own; see
/// [`each_with`].
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

/// Returns how many of the threads are worth starting: no more than there are items, and at least
/// one.
fn worth(threads: usize, items: &impl Iterator) -> usize {
    items.size_hint().1.map_or(threads, |items| threads.min(items)).max(1)
}

/// Does a piece of work for each item on one thread for each state, or on as many threads as there
/// are items or as the system has.
///
/// The results are in the order of the items, whichever thread took which. A state is what a thread
/// keeps from one item to the next in order to save memory or time; it must not change any result.
/// A panic in any of the threads continues in the caller. Without a state, nothing is done and the
/// result is empty.
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
    let (items, done) = (Mutex::new(items.enumerate()), Mutex::new(Vec::new()));
    let take = |state: &mut S| {
        let mut taken = Vec::new();
        while let Some((at, item)) = { lock(&items).next() } {
            taken.push((at, work(state, item)));
        }
        lock(&done).append(&mut taken);
    };
    let take = &take;
    let run = |state| Box::new(move || take(state)) as Box<dyn FnOnce() + Send>;
    at_once(&mut || take(own), others.iter_mut().map(run).collect());
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut answers: Vec<Option<R>> = done.iter().map(|_| None).collect();
    for (at, answer) in done {
        answers[at] = Some(answer);
    }
    answers.into_iter().flatten().collect()
}

// The progress of a task.

/// The progress of a task, to be watched by a thread that does no part of it, and a way to
/// [stop](Self::stop) the task. Nothing else depends on it.
#[derive(Debug, Default)]
pub struct Advance {
    works: AtomicU64,
    all: AtomicU64,
    done: AtomicU64,
    is_stopped: AtomicBool,
}

/// The threads that a task may use, and the progress that it reports.
#[derive(Clone, Copy, Debug)]
pub struct Watch<'a> {
    /// The largest number of threads.
    pub threads: NonZeroUsize,
    /// The progress of the task.
    pub advance: &'a Advance,
}

/// The payload of the panic by which a [stopped](Advance::stop) task unwinds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Stopped;

/// A snapshot of the progress of a task.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct ProgressSnapshot {
    /// The number of tasks that were begun, including this one.
    pub works: u64,
    /// The amount that is done.
    pub done: u64,
    /// The total amount; 0 if it is not known.
    pub all: u64,
}

impl Advance {
    /// Begins a task of the given amount, in any unit; 0 if it is not known.
    ///
    /// # Panics
    ///
    /// Panics with [`Stopped`], without a message, if the task was stopped.
    pub fn begin(&self, all: u64) {
        self.unwind_if_stopped();
        self.done.store(0, Ordering::Relaxed);
        self.all.store(all, Ordering::Relaxed);
        self.works.fetch_add(1, Ordering::Relaxed);
    }

    /// Adds to the amount that is done.
    ///
    /// # Panics
    ///
    /// Same as [`begin`](Self::begin).
    pub fn add(&self, done: u64) {
        self.unwind_if_stopped();
        self.done.fetch_add(done, Ordering::Relaxed);
    }

    /// Stops the task: when it next reports its progress, it unwinds with [`Stopped`], on all of
    /// its threads. The caller of the task must catch that panic.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    fn unwind_if_stopped(&self) {
        if self.is_stopped.load(Ordering::Relaxed) {
            resume_unwind(Box::new(Stopped));
        }
    }

    /// Returns a snapshot of the progress. While a task begins, its fields may be of two different
    /// tasks.
    pub fn snapshot(&self) -> ProgressSnapshot {
        ProgressSnapshot {
            works: self.works.load(Ordering::Relaxed),
            done: self.done.load(Ordering::Relaxed),
            all: self.all.load(Ordering::Relaxed),
        }
    }
}

/// The size in bytes of a piece of a stream, and the number of pieces that may wait to be read.
///
/// Together they are 16 MiB. With a quarter of that, the reader of 137 MB waited 2.5 s for Zstandard
/// on a busy machine; with all of it, 0.2 s.
const READ_AHEAD: (usize, usize) = (1 << 18, 64);

/// Returns the same stream, read ahead by at most 16 MiB on a thread of its own. Returns the stream
/// itself if the system has no thread.
pub fn ahead(stream: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
    match on_a_thread(stream, READ_AHEAD.1, hand_on) {
        Ok((pieces, _)) => Box::new(ReadAhead { pieces, piece: Cursor::default(), is_over: false }),
        Err(stream) => stream,
    }
}

/// Runs `send` with a source on a thread of its own, and returns the receiver of what it sends and
/// the thread. At most `room` items wait to be received. Returns the source if the system has no
/// thread.
fn on_a_thread<S: Send + 'static, T: Send + 'static>(
    source: S,
    room: usize,
    send: impl FnOnce(S, &SyncSender<T>) + Send + 'static,
) -> Result<(Receiver<T>, JoinHandle<()>), S> {
    let source = Arc::new(Mutex::new(Some(source)));
    let (sender, receiver) = sync_channel(room);
    let shared = Arc::clone(&source);
    let run = move || {
        let source = lock(&shared).take();
        if let Some(source) = source {
            send(source, &sender);
        }
    };
    match Builder::new().spawn(run) {
        Ok(thread) => Ok((receiver, thread)),
        Err(_) => Err(lock(&source).take().expect("no thread took it")),
    }
}

/// Sends a stream piece by piece; the last piece is empty.
fn hand_on(mut stream: Box<dyn Read + Send>, pieces: &SyncSender<io::Result<Vec<u8>>>) {
    loop {
        let mut piece = Vec::with_capacity(READ_AHEAD.0);
        let read = stream.by_ref().take(READ_AHEAD.0 as u64).read_to_end(&mut piece);
        let is_end = piece.is_empty();
        // An error follows the bytes that were read before it. A closed channel has no reader any
        // more.
        let is_read = (is_end && read.is_err()) || pieces.send(Ok(piece)).is_ok();
        if let Err(error) = read {
            let _ = pieces.send(Err(error));
            return;
        }
        if is_end || !is_read {
            return;
        }
    }
}

/// A stream that another thread reads.
struct ReadAhead {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Cursor<Vec<u8>>,
    is_over: bool,
}

impl Read for ReadAhead {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.piece.read(buffer)?;
            if read > 0 || buffer.is_empty() || self.is_over {
                return Ok(read);
            }
            // A thread that panics sends no last piece.
            let piece = self.pieces.recv().map_err(|_| io::Error::other("reading it failed"))??;
            self.is_over = piece.is_empty();
            self.piece = Cursor::new(piece);
        }
    }
}

/// Returns the same items, made on a thread of its own up to `room` items ahead. Returns the
/// iterator itself if the system has no thread. A panic in making an item continues in the caller.
pub fn ahead_of<T: Send + 'static>(
    items: impl Iterator<Item = T> + Send + 'static,
    room: usize,
) -> Box<dyn Iterator<Item = T> + Send> {
    // The channel is closed once the receiver is dropped.
    let send = |mut items, sender: &SyncSender<T>| {
        let _ = Iterator::try_for_each(&mut items, |it| sender.send(it));
    };
    match on_a_thread(items, room, send) {
        Ok((made, thread)) => Box::new(MadeAhead { made, thread: Some(thread) }),
        Err(items) => Box::new(items),
    }
}

/// An iterator whose items another thread makes.
struct MadeAhead<T> {
    made: Receiver<T>,
    thread: Option<JoinHandle<()>>,
}

impl<T> Iterator for MadeAhead<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.made.recv().ok().or_else(|| {
            let ended = self.thread.take().map_or(Ok(()), JoinHandle::join);
            ended.unwrap_or_else(|panic| resume_unwind(panic));
            None
        })
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
    fn a_second_thread_is_begun_where_the_work_is_worth_it() {
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
        assert_eq!(advance.snapshot(), ProgressSnapshot { works: 2, done: 1000, all: 1000 });
    }

    #[test]
    fn a_work_that_is_stopped_ends_on_all_threads() {
        for threads in [1, 2, 7] {
            let (advance, begun) = (Advance::default(), AtomicU64::new(0));
            let threads = NonZeroUsize::new(threads).unwrap();
            let work = |(): &mut (), item: u64| {
                begun.fetch_add(1, Ordering::Relaxed);
                if item >= 10 {
                    advance.stop();
                }
                advance.add(1);
            };
            let done = std::panic::AssertUnwindSafe(|| each(threads, 0..1_000_000, || (), work));
            let caught = std::panic::catch_unwind(done).unwrap_err();
            assert_eq!(caught.downcast_ref(), Some(&Stopped), "{threads} threads");
            assert!(begun.into_inner() < 1_000_000, "{threads} threads");
        }
    }
}

#[cfg(test)]
mod ahead_tests {
    use super::*;

    /// A stream that fails after its bytes, or panics if the flag is set.
    struct Failing(Cursor<Vec<u8>>, bool);

    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.read(buffer)? {
                0 if self.1 => panic!("a defect"),
                0 => Err(io::Error::other("torn")),
                read => Ok(read),
            }
        }
    }

    #[test]
    fn a_stream_that_is_read_ahead_is_the_same() {
        for size in [
            0,
            1,
            READ_AHEAD.0 - 1,
            READ_AHEAD.0,
            READ_AHEAD.0 + 1,
            3 * READ_AHEAD.0 * READ_AHEAD.1,
        ] {
            let bytes: Vec<u8> = (0..=250_u8).cycle().take(size).collect();
            let mut all = Vec::new();
            ahead(Box::new(Cursor::new(bytes.clone()))).read_to_end(&mut all).unwrap();
            assert!(all == bytes, "{size} bytes");
            for (panics, want) in [(false, "torn"), (true, "reading it failed")] {
                let mut all = Vec::new();
                let mut failing = ahead(Box::new(Failing(Cursor::new(bytes.clone()), panics)));
                let error = failing.read_to_end(&mut all).unwrap_err();
                assert_eq!(error.to_string(), want, "{size} bytes");
                assert!(panics || all == bytes, "{size} bytes: what came before it is read");
            }
        }
    }

    #[test]
    fn a_stream_without_an_end_need_not_be_read_to_it() {
        let mut first = [0; 3];
        ahead(Box::new(io::repeat(7))).read_exact(&mut first).unwrap();
        assert_eq!(first, [7; 3]);
    }

    #[test]
    fn items_come_as_they_are_made() {
        let made: Vec<u32> = ahead_of(0..1000, 2).collect();
        assert_eq!(made, (0..1000).collect::<Vec<_>>());
        // Items that are not requested need not be made.
        assert_eq!(ahead_of(0_u64.., 2).nth(7), Some(7));
        let panicking = ahead_of((0..3).inspect(|it| assert!(*it < 2, "made up by a test")), 1);
        let taken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| panicking.count()));
        assert!(taken.is_err());
    }
}
