//! The stems of a lexicon → the residues of their windows, without reading a byte again.

use std::mem::replace;
use std::ops::Range;

use super::{Ngrams, Shingles};
use crate::lexicon::Stem;
use crate::rabin;

/// Composes the same shingles as [`cut`](super::cut) from the residues of single stems,
/// which are places in `distinct`: a window is the one that was shorter by a stem, with
/// that stem appended. One that begins at one of the first places has as many more as
/// `more` has there. None reaches over a break, of which there is one before each of some
/// stems, increasing.
pub fn compose(
    stems: &[u32],
    breaks: &[usize],
    distinct: &[Stem],
    more: &[u8],
    ngrams: Ngrams,
) -> Shingles {
    let mut sizes = vec![Vec::new(); ngrams.max - ngrams.min + 1];
    // Stems are told apart by their places where that is less work than sorting them all.
    let is_worth_it = ngrams.min == 1 && distinct.len() / 8 <= stems.len();
    let mut seen = vec![false; if is_worth_it { distinct.len() } else { 0 }];
    let mut start = 0;
    for end in breaks.iter().copied().chain([stems.len()]) {
        compose_stretch(&stems[start..end], distinct, more, ngrams, &mut seen, &mut sizes);
        start = end;
    }
    Shingles::of_sizes(sizes)
}

/// Adds the windows of stems without a break to those of their sizes.
fn compose_stretch(
    stems: &[u32],
    distinct: &[Stem],
    more: &[u8],
    ngrams: Ngrams,
    seen: &mut [bool],
    sizes: &mut [Vec<u64>],
) {
    let runs = runs(stems, more);
    let mut windows: Vec<u64> =
        stems.iter().map(|place| distinct[*place as usize].residue).collect();
    // Where a window has come to the end, it takes what there is: the end of the zip.
    let append = |windows: &mut [u64], run: &Run, ahead: usize| {
        let next = stems.get(run.starts.start + ahead..).unwrap_or_default();
        for (window, next) in windows[run.starts.clone()].iter_mut().zip(next) {
            *window = rabin::append(*window, distinct[*next as usize].suffix);
        }
    };
    for run in &runs {
        (1..=run.more).for_each(|ahead| append(&mut windows, run, ahead));
    }
    let mut add = |n: usize, windows: Vec<u64>| {
        let size = &mut sizes[n - ngrams.min];
        if size.is_empty() { *size = windows } else { size.extend(windows) }
    };
    if ngrams.min == 1 && ngrams.max > 1 {
        add(1, single(stems, &windows, &runs, seen));
    }
    for n in 2..=ngrams.max {
        for run in &runs {
            append(&mut windows, run, n - 1 + run.more);
        }
        let count = (stems.len() + 1).saturating_sub(n);
        if n < ngrams.max && n >= ngrams.min {
            add(n, windows[..count].to_vec());
        }
    }
    windows.truncate((stems.len() + 1).saturating_sub(ngrams.max));
    add(ngrams.max, windows);
}

/// Windows side by side that have equally many stems more than n.
struct Run {
    starts: Range<usize>,
    more: usize,
}

/// All windows of one stem, in runs as long as can be.
fn runs(stems: &[u32], more: &[u8]) -> Vec<Run> {
    if more.is_empty() {
        return vec![Run { starts: 0..stems.len(), more: 0 }];
    }
    let more = |place: &u32| more.get(*place as usize).copied().unwrap_or_default();
    let runs = stems.chunk_by(|one, next| more(one) == more(next));
    let mut end = 0;
    let run = |run: &[u32]| {
        let start = end;
        end += run.len();
        Run { starts: start..end, more: usize::from(more(&run[0])) }
    };
    runs.map(run).collect()
}

/// The windows of one stem, each place that was not seen yet once where there are no more;
/// all where nothing is kept of what was seen.
fn single(stems: &[u32], windows: &[u64], runs: &[Run], seen: &mut [bool]) -> Vec<u64> {
    if seen.is_empty() {
        return windows.to_vec();
    }
    let mut single = Vec::new();
    for run in runs {
        for (place, window) in stems[run.starts.clone()].iter().zip(&windows[run.starts.clone()]) {
            if run.more > 0 || !replace(&mut seen[*place as usize], true) {
                single.push(*window);
            }
        }
    }
    single
}
