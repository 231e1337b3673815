//! The suffix array of a sequence of numbers by induced sorting (SA-IS; Nong, Zhang and Chan 2009),
//! and what neighbours in it have in common (Kasai et al. 2001). Both take linear time.

/// An entry of the array that has no suffix yet.
const NONE: u32 = u32::MAX;

fn index(number: u32) -> usize {
    number as usize
}

/// A place in a sequence, which is shorter than 2^32.
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(NONE)
}

/// The places of all suffixes in the order of the suffixes. The letters are below `letters`; there
/// are fewer than 2^32 − 1 of them in the sequence.
pub(super) fn sorted(sequence: &[u32], letters: usize) -> Vec<u32> {
    match sequence {
        [] => return Vec::new(),
        [_] => return vec![0],
        _ => {}
    }
    let buckets = Buckets::new(sequence, letters);
    let is_small = smaller_than_next(sequence);
    let is_leftmost = |at: usize| at > 0 && is_small.get(at) && !is_small.get(at - 1);
    let leftmost: Vec<u32> =
        (1..sequence.len()).filter(|at| is_leftmost(*at)).map(number).collect();
    let mut suffixes = vec![NONE; sequence.len()];
    buckets.induce(sequence, &is_small, &leftmost, &mut suffixes);
    if leftmost.is_empty() {
        return suffixes;
    }
    let in_order: Vec<u32> =
        suffixes.iter().copied().filter(|at| is_leftmost(index(*at))).collect();
    let (names, count) = named(sequence, &leftmost, &in_order);
    let order = if count == leftmost.len() {
        in_order // all are different
    } else {
        drop(in_order);
        let order = sorted(&names, count);
        order.into_iter().map(|of| leftmost[index(of)]).collect()
    };
    drop((names, leftmost));
    buckets.induce(sequence, &is_small, &order, &mut suffixes);
    suffixes
}

/// For each substring from one leftmost place to the next, in the order of the text, its number in
/// the order of the substrings; and how many numbers there are.
fn named(sequence: &[u32], leftmost: &[u32], in_order: &[u32]) -> (Vec<u32>, usize) {
    // No two leftmost places are neighbours.
    let mut ranks = vec![0; sequence.len() / 2 + 1];
    for (rank, at) in leftmost.iter().enumerate() {
        ranks[index(*at) / 2] = number(rank);
    }
    let rank = |at: u32| index(ranks[index(at) / 2]);
    // The last ends with the text. Where it equals another one, it is the smaller suffix by its
    // length, and so it is among the numbers.
    let substring = |of: usize| {
        let end = leftmost.get(of + 1).map_or(sequence.len(), |next| index(*next) + 1);
        &sequence[index(leftmost[of])..end]
    };
    let mut names = vec![0; leftmost.len()];
    let (mut last, mut count): (Option<&[u32]>, usize) = (None, 0);
    for of in in_order.iter().map(|at| rank(*at)) {
        let this = substring(of);
        count += usize::from(last != Some(this));
        names[of] = number(count - 1);
        last = Some(this);
    }
    (names, count)
}

/// A set of places, a bit each.
struct Bits(Vec<u64>);

impl Bits {
    fn get(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }
}

/// The suffixes that are smaller than the one that begins a place later.
fn smaller_than_next(sequence: &[u32]) -> Bits {
    let mut bits = vec![0; sequence.len().div_ceil(64)];
    let mut is_small = false;
    for (at, pair) in sequence.windows(2).enumerate().rev() {
        is_small = pair[0] < pair[1] || pair[0] == pair[1] && is_small;
        bits[at / 64] |= u64::from(is_small) << (at % 64);
    }
    Bits(bits)
}

/// Where the suffixes that begin with each letter stand in the array.
struct Buckets {
    /// Where each begins; one more than there are letters.
    starts: Vec<u32>,
}

impl Buckets {
    fn new(sequence: &[u32], letters: usize) -> Self {
        let mut starts = vec![0; letters + 1];
        for letter in sequence {
            starts[index(*letter) + 1] += 1;
        }
        for at in 0..letters {
            starts[at + 1] += starts[at];
        }
        Self { starts }
    }

    /// Sorts all suffixes by those that are given, which are in order.
    fn induce(&self, sequence: &[u32], is_small: &Bits, given: &[u32], suffixes: &mut [u32]) {
        suffixes.fill(NONE);
        let mut ends = self.starts[1..].to_vec();
        for at in given.iter().rev() {
            let end = &mut ends[index(sequence[index(*at)])];
            *end -= 1;
            suffixes[index(*end)] = *at;
        }
        let mut starts = self.starts.clone();
        let mut put_large = |at: usize, suffixes: &mut [u32]| {
            let start = &mut starts[index(sequence[at])];
            suffixes[index(*start)] = number(at);
            *start += 1;
        };
        // The last suffix has no next one, and is larger than it.
        put_large(sequence.len() - 1, suffixes);
        for place in 0..suffixes.len() {
            let at = suffixes[place];
            if at != NONE && at > 0 && !is_small.get(index(at) - 1) {
                put_large(index(at) - 1, suffixes);
            }
        }
        ends.copy_from_slice(&self.starts[1..]);
        for place in (0..suffixes.len()).rev() {
            let at = suffixes[place];
            if at != NONE && at > 0 && is_small.get(index(at) - 1) {
                let end = &mut ends[index(sequence[index(at) - 1])];
                *end -= 1;
                suffixes[index(*end)] = at - 1;
            }
        }
    }
}

/// How many letters each suffix of the array has in common with the one before it; of the first, 0.
pub(super) fn common(sequence: &[u32], suffixes: &[u32]) -> Vec<u32> {
    // The suffix that stands before each, by the place in the sequence (Kärkkäinen et al. 2009).
    let mut before = vec![NONE; sequence.len()];
    for pair in suffixes.windows(2) {
        before[index(pair[1])] = pair[0];
    }
    let mut length = 0;
    for at in 0..sequence.len() {
        let Some(other) = Some(before[at]).filter(|other| *other != NONE).map(index) else {
            (before[at], length) = (0, 0);
            continue;
        };
        let (one, other) = (&sequence[at + length..], &sequence[other + length..]);
        length += one.iter().zip(other).take_while(|(one, other)| one == other).count();
        before[at] = number(length);
        length = length.saturating_sub(1);
    }
    suffixes.iter().map(|at| before[index(*at)]).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The order is that of the suffixes themselves.
        #[test]
        fn suffixes_are_sorted_as_they_read(
            letters in 1_u32..5, sequence in proptest::collection::vec(0_u32..4, 0..60),
        ) {
            let sequence: Vec<u32> = sequence.into_iter().map(|it| it % letters).collect();
            let mut want: Vec<u32> = (0..number(sequence.len())).collect();
            want.sort_by_key(|at| &sequence[index(*at)..]);
            let found = sorted(&sequence, index(letters));
            prop_assert_eq!(&found, &want);
            let shared = |pair: &[u32]| {
                let [one, other] = [pair[0], pair[1]].map(|at| &sequence[index(at)..]);
                number(one.iter().zip(other).take_while(|(one, other)| one == other).count())
            };
            let want: Vec<u32> =
                want.first().map(|_| 0).into_iter().chain(want.windows(2).map(shared)).collect();
            prop_assert_eq!(common(&sequence, &found), want);
        }
    }
}
