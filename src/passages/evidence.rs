//! Measures how much evidence of copying a passage is, beyond what chance makes of such words.
//!
//! Two random sheets of 200 answers, *yes* or *no*, have about 15 equal answers in a row: a run is not
//! evidence by its length. So a passage must have a part that would be found in fewer than one of
//! [`ONE_FALSE_ALARM_IN`] pairs of texts whose words are drawn at random, as often as they occur in
//! these two. The expected number of runs of certain words is the number of places in either text,
//! multiplied, times the probabilities of the words (Karlin and Altschul 1990, who do so for
//! sequences of proteins). In bits:
//!
//! - A word that occurs c times among the n words of both texts has log₂(n / c) bits. If it has
//!   followed the word before it in c of n cases earlier in the passage, it has at most
//!   log₂((n + 1) / (c + ½)) bits (Krichevsky and Trofimov 1981): the words that stand beside each
//!   answer of a sheet are no evidence.
//! - If it and the word before it are frequent, it has at most log₂(n / c) bits if it follows in c of
//!   the n places of that word: the words of a form are no evidence.
//! - A number that counts up, from line to line, has none.
//! - An aligned word costs [`KEPT`], or half of its bits if these are fewer, and a word between two
//!   runs costs [`CHANGED`]. A run that is shifted against the one before it by d words costs
//!   2 + 2 · log₂(d + 1) bits: among that many shifts, chance finds a matching run that much more often.
//!
//! A stretch that a text repeats is counted once, so that copying more of it is never less evidence.

use std::collections::BTreeMap;
use std::ops::Range;

use super::MinMatch;
use super::common::{merge_ranges, windows};
use super::frequencies::{BIT, COUNTER, Follows, Frequencies, logarithm};
use super::pair::{Pair, WORD};
use super::runs::extent;
use crate::interner::common_runs::Run;

/// The share of pairs of random texts in which chance may make a passage, as a power of two: one in
/// 65,536.
const ONE_FALSE_ALARM_IN: u64 = 1 << 16;

/// The evidence that is enough in texts of any length, for each word in a row that a passage must
/// have: that of words each of which is one of eight equally frequent ones. Twelve words of ordinary
/// text have about twice as much.
const ENOUGH_PER_WORD: i64 = 3 * BIT;

/// The cost of an aligned word, and of a word between two runs of a passage: the binary logarithms of
/// 8/7 and 8, as if one word in eight of a copy were changed.
const KEPT: i64 = 3;
const CHANGED: i64 = 3 * BIT;

/// Reports whether a part of a passage is beyond chance. `tiles` are its runs.
pub(super) fn is_beyond_chance(pair: &Pair, tiles: &[Run], min_match: MinMatch) -> bool {
    if are_enough_different(pair, tiles, min_match) {
        return true;
    }
    let mut tiles = tiles.to_vec();
    tiles.sort_unstable();
    // Counting repeats once takes longer, and cannot help if rare words would not.
    let could_be = || {
        let least = Frequencies::least(&pair.words);
        is_enough_by(&Estimate::UpperBound, pair, &tiles, &least, min_match)
    };
    let without_repeats = || {
        let (distinct, length) = (pair.distinct_words(), min_match.words());
        Frequencies::without_repeats(&pair.words, distinct, (&windows(pair, length), length))
    };
    is_enough(pair, &tiles, pair.frequencies(), min_match)
        || could_be() && {
            let known = pair.frequencies_without_repeats(without_repeats);
            is_enough(pair, &tiles, known, min_match)
        }
}

/// Reports whether a part of a passage has enough evidence, given how often words occur. What often
/// follows what takes long to count, and most passages are decided by bounds without it.
fn is_enough(pair: &Pair, tiles: &[Run], known: &Frequencies, min_match: MinMatch) -> bool {
    let is_met = |by: Estimate| is_enough_by(&by, pair, tiles, known, min_match);
    is_met(Estimate::LowerBound)
        || is_met(Estimate::CloserLowerBound)
        || is_met(Estimate::UpperBound) && is_met(Estimate::Exact(pair.follows(known)))
}

/// Reports whether enough different words are in a row at the beginning of a tile, whatever their
/// frequencies are: the probabilities of d words add up to at most 1, so that together they have at
/// least d · log₂ d bits. Of most passages nothing else needs to be computed.
fn are_enough_different(pair: &Pair, tiles: &[Run], min_match: MinMatch) -> bool {
    let enough = enough(pair, min_match);
    let mut words: Vec<u32> = Vec::new();
    let length = min_match.words().saturating_mul(2);
    tiles.iter().filter(|tile| tile.length >= min_match.words()).any(|tile| {
        let row = &pair.words[0][tile.range(0)];
        let row = &row[..row.len().min(length)];
        words.clear();
        words.extend(row.iter().filter(|word| pair.number(**word).is_none()));
        words.sort_unstable();
        words.dedup();
        let [different, all] =
            [words.len(), row.len()].map(|it| i64::try_from(it).unwrap_or(i64::MAX));
        let bits = logarithm(words.len() as u64, 1).saturating_mul(different);
        bits.saturating_sub(KEPT.saturating_mul(all)) >= enough
    })
}

/// The number of words in which few are distinct if they are at most half as many.
const FEW_DISTINCT_IN: usize = 16;

/// The smallest number of words in which few are distinct that may be left out of a passage.
const MIN_FEW_DISTINCT: usize = 20;

/// The number of words of a passage from which on it is searched for few distinct words at some places
/// first.
const LONG: usize = 1 << 12;

/// Returns the tiles of a passage without those that are where few distinct words recur, if these are
/// not beyond chance by themselves: the answers of two sheets are not shared because the title is.
pub(super) fn without_chance(pair: &Pair, mut tiles: Vec<Run>, min_match: MinMatch) -> Vec<Run> {
    let whole = extent(&tiles, 0);
    let numbers = pair.numbers();
    let are_few = |at: &usize| {
        let words = *at..whole.end.min(at + FEW_DISTINCT_IN);
        // Most words are different, which a bit for each shows faster.
        let bit = |at: usize| {
            let word = pair.words[0][at];
            let word = if numbers[word as usize].is_some() { COUNTER } else { word };
            1_u64 << (word.wrapping_mul(0x9e37_79b9) >> 26)
        };
        let bits = words.clone().fold(0, |bits, at| bits | bit(at));
        2 * bits.count_ones() as usize <= FEW_DISTINCT_IN && {
            let mut words: Vec<u32> = words.map(|at| pair.symbol(0, at)).collect();
            words.sort_unstable();
            words.dedup();
            2 * words.len() <= FEW_DISTINCT_IN
        }
    };
    let end = (whole.end + 1).saturating_sub(FEW_DISTINCT_IN).max(whole.start);
    let fine = FEW_DISTINCT_IN / 4;
    let step = if whole.len() > LONG { 4 * FEW_DISTINCT_IN } else { fine };
    let near = |at: usize| {
        let first = at.saturating_sub(step - fine).max(whole.start);
        (first..(at + step).min(end)).step_by(fine)
    };
    let few = (whole.start..end).step_by(step).filter(are_few).flat_map(near).filter(are_few);
    let few = merge_ranges(few.map(|at| at..at + FEW_DISTINCT_IN).collect());
    let recurring = few.into_iter().map(|range| recurring(pair, range));
    let few: Vec<_> = recurring.filter(|range| range.len() >= MIN_FEW_DISTINCT).collect();
    if few.is_empty() {
        return tiles;
    }
    tiles.sort_unstable();
    let mut is_kept = vec![true; tiles.len()];
    for range in few {
        let first = tiles.partition_point(|tile| tile.at[0] < range.start);
        let inside = tiles[first..].iter().take_while(|tile| tile.range(0).end <= range.end);
        let inside = first..first + inside.count();
        let is_enough = is_enough(pair, &tiles[inside.clone()], pair.frequencies(), min_match);
        is_kept[inside].fill(is_enough);
    }
    tiles.into_iter().zip(is_kept).filter(|(_, is_kept)| *is_kept).map(|(tile, _)| tile).collect()
}

/// Returns a range of words of the first text without those at its ends that are in it only once.
fn recurring(pair: &Pair, range: Range<usize>) -> Range<usize> {
    let symbols: Vec<u32> = range.clone().map(|at| pair.symbol(0, at)).collect();
    let mut sorted = symbols.clone();
    sorted.sort_unstable();
    let recurs = |symbol: &u32| {
        let first = sorted.partition_point(|it| it < symbol);
        sorted.get(first + 1) == Some(symbol)
    };
    let first = symbols.iter().position(recurs).unwrap_or(symbols.len());
    let last = symbols.iter().rposition(recurs).map_or(first, |last| last + 1);
    range.start + first..range.start + last
}

/// Returns the evidence that chance makes in too few pairs of texts.
fn enough(pair: &Pair, min_match: MinMatch) -> i64 {
    let [left, right] = pair.words.each_ref().map(|words| logarithm(words.len() as u64, 1));
    let beyond = left + right + logarithm(ONE_FALSE_ALARM_IN, 1);
    let most = i64::try_from(min_match.words()).unwrap_or(i64::MAX / ENOUGH_PER_WORD);
    beyond.min(most.saturating_mul(ENOUGH_PER_WORD))
}

/// How exactly the evidence of a word is computed.
enum Estimate<'f> {
    /// A lower bound: a number, and a frequent word behind another, have none.
    LowerBound,
    /// The same, but only a number that counts up has none.
    CloserLowerBound,
    /// The evidence itself, given how often words follow each other.
    Exact(&'f Follows),
    /// An upper bound: how words follow each other is not considered.
    UpperBound,
}

/// Reports whether a part of a passage has enough evidence by an estimate.
fn is_enough_by(
    estimate: &Estimate,
    pair: &Pair,
    tiles: &[Run],
    known: &Frequencies,
    min_match: MinMatch,
) -> bool {
    let enough = enough(pair, min_match);
    let symbol = |side: usize, at: usize| match estimate {
        Estimate::LowerBound if pair.number(pair.words[side][at]).is_some() => COUNTER,
        _ => pair.symbol(side, at),
    };
    // How often a word followed another earlier in the passage, and how often any word did.
    let mut followed: BTreeMap<(u32, Option<u32>), u64> = BTreeMap::new();
    let (mut sum, mut last): (i64, Option<Run>) = (0, None);
    for tile in tiles {
        sum = (sum - last.map_or(0, |last| transition(pair, last, *tile))).max(0);
        last = Some(*tile);
        for (at, other) in tile.range(0).zip(tile.range(1)) {
            let this = symbol(0, at);
            let before = at.checked_sub(1).map(|before| symbol(0, before));
            let mut bits = if this == COUNTER && symbol(1, other) == COUNTER {
                0
            } else {
                known.bits(pair.words[0][at])
            };
            if let Some(before) = before {
                let are_frequent = known.is_frequent(before) && known.is_frequent(this);
                bits = match estimate {
                    Estimate::LowerBound if are_frequent || before == COUNTER => 0,
                    Estimate::CloserLowerBound if are_frequent => 0,
                    Estimate::Exact(follows) if are_frequent => {
                        bits.min(follows.bits(before, this))
                    }
                    _ => bits,
                };
                let all = followed.entry((before, None)).or_default();
                *all += 1;
                let all = *all;
                let count = followed.entry((before, Some(this))).or_default();
                if *count > 0 {
                    bits = bits.min(logarithm(2 * all, 2 * *count + 1));
                }
                *count += 1;
            }
            sum += bits - KEPT.min(bits / 2);
            if sum >= enough {
                return true;
            }
        }
    }
    false
}

/// Returns the cost of the words between two runs, and of the shift of the second.
fn transition(pair: &Pair, last: Run, next: Run) -> i64 {
    let between = last.range(0).end..next.at[0].max(last.range(0).end);
    let between = pair.worth_of(0, between) / WORD;
    let shift = (last.at[0] + next.at[1]).abs_diff(last.at[1] + next.at[0]) as u64;
    let shifted = if shift == 0 { 0 } else { 2 * BIT + 2 * logarithm(shift + 1, 1) };
    shifted.saturating_add(CHANGED.saturating_mul(i64::try_from(between).unwrap_or(i64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{find, sequence, words};
    use super::super::{Passage, covered};
    use super::*;

    /// Returns pseudorandom numbers below a limit: SplitMix64 (Steele, Lea and Flood 2014).
    fn random(seed: u64, below: usize) -> impl Iterator<Item = usize> {
        (1..).map(move |step: u64| {
            let z = (seed << 32 | step).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            usize::try_from((z ^ z >> 31) % below as u64).unwrap()
        })
    }

    fn passages(left: &str, right: &str) -> (Vec<Passage>, usize) {
        let [left, right] = [left, right].map(words);
        let length = left.len();
        (find(sequence(&left), sequence(&right), MinMatch::default()), length)
    }

    proptest::proptest! {
        /// What a lower bound decides, the evidence decides in the same way, and what that decides, the
        /// upper bound does.
        #[test]
        fn bounds_are_bounds(
            shared in "([abc] |[1-9] |1[0-9] ){1,60}", tails in ["([a-h] ){0,40}", "([a-h] ){0,40}"],
            count in 0_usize..20,
        ) {
            let counted = (1..=count).map(|n| format!("{n} a ")).collect::<Vec<_>>().concat();
            let texts = tails.map(|tail| words(&format!("{counted}{shared}{tail}")));
            let [left, right] = texts.each_ref().map(|text| sequence(text));
            let (pair, _) = Pair::from_sequences(left, right);
            let length = words(&format!("{counted}{shared}")).len();
            let tiles = [Run { at: [0, 0], length }];
            let known = pair.frequencies();
            for min_match in (3..20).map(|words| MinMatch::new(words).unwrap()) {
                let by = |by: Estimate| is_enough_by(&by, &pair, &tiles, known, min_match);
                let order = [
                    by(Estimate::LowerBound),
                    by(Estimate::CloserLowerBound),
                    by(Estimate::Exact(pair.follows(known))),
                    by(Estimate::UpperBound),
                ];
                proptest::prop_assert!(order.is_sorted(), "{:?}", order);
            }
        }
    }

    /// Sheets of the same form: unrelated ones share nothing, and copies are found.
    #[test]
    fn random_answers_share_no_passage_and_copied_ones_do() {
        type Line = fn(usize, usize) -> String;
        let prose =
            "the examiners thank all pupils who took part in this survey of our school".to_owned();
        #[rustfmt::skip]
        let forms: &[(&str, usize, Line)] = &[
            ("yes or no",         2,   |_, answer| ["yes", "no"][answer].to_owned()),
            ("one to five",       5,   |_, answer| (answer + 1).to_string()),
            ("nought to ten",     11,  |_, answer| answer.to_string()),
            ("a question each",   2,   |n, answer| format!("question {n} {}", ["true", "false"][answer])),
            ("multiple choice",   4,   |n, answer| format!("{n} {}", ["a", "b", "c", "d"][answer])),
            ("without a number",  2,   |_, answer| format!("my answer is {}", ["yes", "no"][answer])),
            ("in a sentence",     2,   |n, answer| format!("my answer to question {n} is {}", ["yes", "no"][answer])),
            ("in words",          5,   |n, answer| format!("{n} {}", ["agree", "disagree", "strongly agree", "strongly disagree", "neither"][answer])),
            ("a numbered list",   100, |n, answer| format!("{n} {answer}")),
        ];
        for (why, kinds, line) in forms {
            for count in [60, 200, 1000] {
                let sheet = |seed: u64| -> Vec<String> {
                    (1..).zip(random(seed, *kinds)).take(count).map(|(n, it)| line(n, it)).collect()
                };
                for seed in 0..if count == 1000 { 2 } else { 10 } {
                    let [left, right] = [2 * seed, 2 * seed + 1].map(sheet);
                    let (found, _) = passages(&left.join(" "), &right.join(" "));
                    assert_eq!(found, [], "{why}, {count} answers, {seed}");
                    let [before, behind] =
                        [&left, &right].map(|it| format!("{} {prose}", it.join(" ")));
                    let (found, length) = passages(&before, &behind);
                    let places: Vec<_> = found.iter().map(|it| it.left.clone()).collect();
                    assert!(
                        // If there are more than ten different answers, too few of them recur in
                        // 16 words for the sheet to be left out beside prose.
                        *kinds > 10 || places.iter().all(|it| it.end == length && it.len() < 60),
                        "{why}, {count}: {places:?}"
                    );
                    let mut copy = left.clone();
                    for at in [count / 7, count / 2, count / 2 + 9] {
                        copy[at].clone_from(&right[at]);
                    }
                    copy.push("end".to_owned());
                    let (found, length) = passages(&left.join(" "), &copy.join(" "));
                    assert!(
                        // Copies of 60 answers are hardly beyond chance.
                        count == 60 || covered(found.iter(), 0).count().all() * 5 > length,
                        "{why}, {count}, {seed}: {found:?}"
                    );
                }
            }
        }
    }
}
