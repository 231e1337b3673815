//! Searches for pairs of different lists with the same public checksum, and checks that the
//! corpus calls none of them identical: `cargo run --release --example birthday -- SECONDS`.
//!
//! An earlier version of the corpus compared texts by a checksum: the sum of the Rabin residues
//! of their words times powers of a public base, modulo 2⁶¹ − 1. There are 2¹⁵² lists in which
//! each of 152 candidates has passed or failed, so very many of them have the same sum. A
//! birthday search over eight groups of 19 candidates finds some in seconds (Wagner 2002). They
//! are different texts, and must not be called identical.

use std::env;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use dedup_text::corpus::join::Side;
use dedup_text::corpus::{CorpusBuilder, Opened};
use dedup_text::pair::{Recipe, Search};
use dedup_text::parallel::{Advance, Watch};
use dedup_text::rabin::residue;
use dedup_text::text::Text;
use dedup_text::tokens;
use dedup_text::verdict::Verdict;

/// 2⁶¹ − 1, a prime.
const PRIME: u64 = (1 << 61) - 1;

/// The base of the earlier checksum.
const BASE: u64 = 0x0123_4567_89ab_cdef;

/// The number of groups of candidates, and the number of candidates in each.
const GROUPS: usize = 8;
const A_GROUP: usize = 19;

/// The largest numbers of sums that are kept after the first merge and after the second.
const KEPT: [usize; 2] = [1 << 20, 1 << 21];

/// The number of bits by which each merge narrows the range of the sums.
const NARROWED: u32 = 17;

/// The largest number of pairs of lists that are compared per search.
const COMPARED: usize = 100;

fn main() -> anyhow::Result<()> {
    let seconds = env::args().nth(1).context("expected a number of seconds")?.parse()?;
    let (begun, time) = (Instant::now(), Duration::from_secs(seconds));
    let (mut searches, mut pairs) = (0_u64, 0_usize);
    while begun.elapsed() < time {
        let lists = Lists { number: searches };
        let plain = lists.text(&[false; GROUPS * A_GROUP]);
        for results in search(&lists).into_iter().take(COMPARED) {
            let other = lists.text(&results);
            ensure!(sum(&plain) == sum(&other), "the search found what has another sum");
            let verdict = verdict([plain.clone(), other])?;
            ensure!(verdict != Verdict::Identical, "two different lists are {verdict:?}");
            pairs += 1;
        }
        searches += 1;
    }
    let taken = begun.elapsed().as_secs();
    writeln!(
        std::io::stdout().lock(),
        "{searches} searches in {taken} s: {pairs} pairs of different lists with one sum, none identical"
    )?;
    Ok(())
}

/// The lists of one search. Each `number` gives lists of other candidates.
struct Lists {
    number: u64,
}

impl Lists {
    fn text(&self, has_failed: &[bool]) -> String {
        let lines = has_failed.iter().zip(1..).map(|(has_failed, bench)| {
            let result = if *has_failed { "failed" } else { "passed" };
            format!("Candidate {bench} of school {} has {result} the examination.\n", self.number)
        });
        lines.collect()
    }
}

/// Returns the Rabin residues of the words of a text, in order.
fn residues(text: &str) -> Vec<u64> {
    tokens::split(text).0.iter().map(|token| residue(token.word.as_bytes())).collect()
}

/// Returns the checksum that an earlier version compared texts by.
fn sum(text: &str) -> u64 {
    residues(text).iter().fold(1, |sum, residue| plus(times(sum, BASE), residue % PRIME))
}

/// Returns lists with the same sum as the one in which everyone has passed: for each candidate,
/// whether they have failed.
fn search(lists: &Lists) -> Vec<Vec<bool>> {
    let words = residues(&lists.text(&[false; GROUPS * A_GROUP]));
    let [passed, failed] = ["passed", "failed"].map(|word| residue(word.as_bytes()));
    let change = plus(failed % PRIME, PRIME - passed % PRIME);
    let places = words.iter().rev().zip(0..).filter(|(word, _)| **word == passed);
    let mut changes: Vec<u64> = places.map(|(_, behind)| times(change, power(behind))).collect();
    changes.reverse();
    // First merge groups in pairs, so that the sums are near 0, then those in pairs, so that they
    // are in a narrower range. The last four groups use the negated sums, modulo the prime.
    let groups: Vec<Vec<u64>> = changes.chunks(A_GROUP).map(sums).collect();
    let width = PRIME >> NARROWED;
    let narrow = width >> NARROWED;
    let mut halves = groups.chunks(GROUPS / 2).zip([false, true]).map(|(groups, is_negative)| {
        let of_two = groups.chunks(2).map(|two| {
            let [one, other] = [&two[0], &two[1]].map(|sums| {
                let sign = |sum: &u64| if is_negative { (PRIME - sum) % PRIME } else { *sum };
                sums.iter().map(sign).collect::<Vec<_>>()
            });
            merged(&one, &other, 0, width, KEPT[0])
        });
        let of_two: Vec<Merged> = of_two.collect();
        let [one, other] =
            [0, 1].map(|at| of_two[at].iter().map(|it| it.value).collect::<Vec<_>>());
        (merged(&one, &other, width, narrow, KEPT[1]), of_two)
    });
    let (Some((left, of_left)), Some((right, of_right))) = (halves.next(), halves.next()) else {
        return Vec::new();
    };
    let mut right_sums: Vec<(u64, usize)> =
        right.iter().enumerate().map(|(at, it)| (it.value, at)).collect();
    right_sums.sort_unstable();
    let mut found = Vec::new();
    for of_first in &left {
        let first = right_sums.partition_point(|(sum, _)| *sum < of_first.value);
        let equal = right_sums[first..].iter().take_while(|(sum, _)| *sum == of_first.value);
        for (_, at) in equal {
            let halves = [(of_first, &of_left), (&right[*at], &of_right)];
            let chosen = halves.into_iter().flat_map(|(half, of_two)| {
                [(half.one, 0), (half.other, 1)].map(|(at, two)| of_two[two][at])
            });
            let subsets = chosen.flat_map(|it| [it.one, it.other]);
            let results: Vec<bool> = subsets
                .flat_map(|subset| (0..A_GROUP).map(move |bit| subset >> bit & 1 == 1))
                .collect();
            if results.contains(&true) {
                found.push(results);
            }
        }
    }
    found
}

/// The sum of two numbers, with the indices of both.
#[derive(Clone, Copy)]
struct Sum {
    value: u64,
    one: usize,
    other: usize,
}

type Merged = Vec<Sum>;

/// Returns the sums, modulo the prime, of one number from each slice that are in the range of
/// `width` from `start` on: at most `most` of them.
fn merged(one: &[u64], other: &[u64], start: u64, width: u64, most: usize) -> Merged {
    let mut sorted: Vec<(u64, usize)> = other.iter().copied().zip(0..).collect();
    sorted.sort_unstable();
    let mut sums = Vec::new();
    for (at, number) in one.iter().enumerate() {
        let least = plus(start, PRIME - number % PRIME) % PRIME;
        let first = sorted.partition_point(|(other, _)| *other < least);
        let end = least.saturating_add(width);
        for (other, other_at) in sorted[first..].iter().take_while(|(other, _)| *other < end) {
            sums.push(Sum { value: plus(*number, *other) % PRIME, one: at, other: *other_at });
            if sums.len() == most {
                return sums;
            }
        }
    }
    sums
}

/// Returns the sums of all subsets of `changes`. The bits of the index are the subset.
fn sums(changes: &[u64]) -> Vec<u64> {
    let mut sums = vec![0];
    for change in changes {
        let more: Vec<u64> = sums.iter().map(|sum| plus(*sum, *change) % PRIME).collect();
        sums.extend(more);
    }
    sums
}

/// Returns the verdict of a corpus of two texts on that pair.
fn verdict(texts: [String; 2]) -> anyhow::Result<Verdict> {
    let recipe = Recipe { search: Search::Never, ..Recipe::default() };
    let mut corpus = CorpusBuilder::new(&recipe, NonZeroUsize::MIN);
    let open = |(name, text): (&str, String)| {
        let text = Text::from_bytes(Path::new(name), text.into_bytes())?;
        Ok::<_, anyhow::Error>((
            Opened { text, group: None, side: Side::Any, is_read_once: false },
            (),
        ))
    };
    let failed = corpus.add(["a", "b"].into_iter().zip(texts).collect(), open, Ok);
    ensure!(failed.is_empty(), "a text cannot be read");
    let corpus = corpus.finish();
    let watch = Watch { threads: NonZeroUsize::MIN, advance: &Advance::default() };
    let joined = corpus.joined(Verdict::Different, usize::MAX, watch)?;
    let pair = joined.pairs().next().context("no pair of two texts")?;
    Ok(corpus.verdict(&pair))
}

fn power(exponent: usize) -> u64 {
    (0..exponent).fold(1, |power, _| times(power, BASE))
}

fn plus(one: u64, other: u64) -> u64 {
    (one + other) % PRIME
}

fn times(one: u64, other: u64) -> u64 {
    u64::try_from(u128::from(one) * u128::from(other) % u128::from(PRIME)).unwrap_or_default()
}
