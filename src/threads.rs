//! Two things done side by side, where they are worth a thread.

/// Bytes of both texts from which on a second thread is worth its start, and worth that
/// neither text learns from the other's words.
const WORTH_A_THREAD: usize = 1 << 18;

/// Whether texts of so many bytes together are worth a second thread.
pub fn is_worth_it(bytes: usize) -> bool {
    bytes >= WORTH_A_THREAD
}

/// Does both, the right one on a thread of its own where that is worth it. What they
/// return does not depend on it. A panic in either goes on here.
pub fn side_by_side<L, R: Send>(
    bytes: usize,
    left: impl FnOnce() -> L,
    right: impl FnOnce() -> R + Send,
) -> (L, R) {
    if !is_worth_it(bytes) {
        return (left(), right());
    }
    std::thread::scope(|threads| {
        let right = threads.spawn(right);
        let left = left();
        (left, right.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_are_done_on_one_thread_or_two() {
        for bytes in [0, WORTH_A_THREAD] {
            assert_eq!(side_by_side(bytes, || "left", || 2), ("left", 2));
        }
    }
}
