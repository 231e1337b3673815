//! The words of a text → its stretches: from each word on as few in a row as are worth three words.

use crate::passages::seeds::IN_A_ROW;

/// Takes the shortest stretch that is worth enough from each word on, which no break parts: its
/// first word, how many it has, and a hash of them. `worth` is that of a word, by its place.
pub(super) fn each<N: Copy + Into<u64>>(
    words: &[N],
    worth: impl Fn(usize) -> usize,
    breaks: &[usize],
    mut take: impl FnMut(usize, usize, u64),
) {
    let mut start = 0;
    for end in breaks.iter().copied().chain([words.len()]) {
        for at in start..end {
            let (mut sum, mut sum_of_worths, mut last) = (0, 0, at);
            while sum_of_worths < IN_A_ROW && last < end {
                sum = mixed(sum, words[last].into());
                sum_of_worths += worth(last);
                last += 1;
            }
            if sum_of_worths >= IN_A_ROW {
                take(at, last - at, spread(sum));
            }
        }
        start = end;
    }
}

/// A hash of words in a row.
pub(super) fn hash<N: Into<u64>>(words: impl Iterator<Item = N>) -> u64 {
    spread(words.fold(0, |sum, word| mixed(sum, word.into())))
}

fn mixed(sum: u64, word: u64) -> u64 {
    let sum = (sum ^ word.wrapping_add(1)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    sum ^ (sum >> 32)
}

/// Makes all bits of a sum depend on all of its words.
fn spread(sum: u64) -> u64 {
    let sum = sum.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    sum ^ (sum >> 29)
}
