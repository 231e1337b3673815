//! Searches for two lists with different results and one public checksum, and holds the corpus to
//! calling none of them identical: `cargo run --release --example birthday -- SECONDS`.
//!
//! A corpus once told texts apart by the sum of their words' Rabin residues times powers of a
//! public base, modulo 2⁶¹ − 1. Of 2¹⁵² lists in which each of 152 candidates has passed or
//! failed, very many have one sum; a birthday search over eight groups of 19 candidates finds some
//! in seconds (Wagner 2002). They are different texts, and are to stay different.

use std::env;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use dedup_text::corpus::join::Side;
use dedup_text::corpus::{CorpusBuilder, Opened};
use dedup_text::pair::{Recipe, Search};
use dedup_text::rabin::residue;
use dedup_text::text::Text;
use dedup_text::tokens;
use dedup_text::verdict::Verdict;

/// 2⁶¹ − 1, a prime.
const PRIME: u64 = (1 << 61) - 1;

/// The base that the sum had.
const BASE: u64 = 0x0123_4567_89ab_cdef;

/// Groups of candidates, and candidates in each.
const GROUPS: usize = 8;
const A_GROUP: usize = 19;

/// Sums that are kept after the first merge, and after the second.
const KEPT: [usize; 2] = [1 << 20, 1 << 21];

/// By how much each merge narrows the range that sums are in: 2 to this power.
const NARROWED: u32 = 17;

/// Pairs of lists that are compared of each search.
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

/// Lists of candidates, who are others for each number.
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

/// The words of a text, by their residues.
fn residues(text: &str) -> Vec<u64> {
    tokens::split(text).0.iter().map(|token| residue(token.word.as_bytes())).collect()
}

/// The sum that texts were distinguished by.
fn sum(text: &str) -> u64 {
    residues(text).iter().fold(1, |sum, residue| plus(times(sum, BASE), residue % PRIME))
}

/// Which candidates fail in lists that have the sum of the one in which all pass.
fn search(lists: &Lists) -> Vec<Vec<bool>> {
    let words = residues(&lists.text(&[false; GROUPS * A_GROUP]));
    let [passed, failed] = ["passed", "failed"].map(|word| residue(word.as_bytes()));
    let change = plus(failed % PRIME, PRIME - passed % PRIME);
    let places = words.iter().rev().zip(0..).filter(|(word, _)| **word == passed);
    let mut changes: Vec<u64> = places.map(|(_, behind)| times(change, power(behind))).collect();
    changes.reverse();
    // The sums of two groups near 0, of four near a narrower place: the first four groups by
    // their sums, the others by what these lack of the prime.
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

/// A sum of two, by their places.
#[derive(Clone, Copy)]
struct Sum {
    value: u64,
    one: usize,
    other: usize,
}

type Merged = Vec<Sum>;

/// The sums, modulo the prime, of one of each that are in a range; no more than so many.
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

/// The sums of all subsets of some changes, by the subset's bits.
fn sums(changes: &[u64]) -> Vec<u64> {
    let mut sums = vec![0];
    for change in changes {
        let more: Vec<u64> = sums.iter().map(|sum| plus(*sum, *change) % PRIME).collect();
        sums.extend(more);
    }
    sums
}

/// What a corpus of two texts calls them.
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
    let everything = dedup_text::corpus::join::Condition::at(Verdict::Different, &recipe.limits, 0);
    let joined =
        dedup_text::corpus::join::join(&corpus.collection, &everything, NonZeroUsize::MIN)?;
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
