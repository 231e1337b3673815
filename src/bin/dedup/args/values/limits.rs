//! Limits that can be lifted: a number, or `off`.

use std::str::FromStr;
use std::time::Duration;

use dedup_text::verdict::ratio::Ratio;

/// A limit, or none.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Limit<T> {
    At(T),
    Off,
}

impl<T> From<Limit<T>> for Option<T> {
    fn from(limit: Limit<T>) -> Self {
        match limit {
            Limit::At(limit) => Some(limit),
            Limit::Off => None,
        }
    }
}

/// A Hamming distance.
pub(in super::super) fn bits(typed: &str) -> Result<Limit<u32>, String> {
    if typed == "off" {
        return Ok(Limit::Off);
    }
    let bits = typed.parse().ok().filter(|bits| *bits <= 64);
    bits.map(Limit::At)
        .ok_or_else(|| "wanted a whole number of bits from 0 to 64, or off".to_owned())
}

/// A size of files.
pub(in super::super) fn bytes(typed: &str) -> Result<Limit<u64>, String> {
    number(typed, "wanted a whole number of bytes, or off")
}

/// A number of pairs.
pub(in super::super) fn pairs(typed: &str) -> Result<Limit<usize>, String> {
    number(typed, "wanted a whole number of pairs, or off")
}

fn number<N: FromStr>(typed: &str, wanted: &str) -> Result<Limit<N>, String> {
    let off = (typed == "off").then_some(Limit::Off);
    off.or_else(|| typed.parse().ok().map(Limit::At)).ok_or_else(|| wanted.to_owned())
}

/// A time.
pub(in super::super) fn seconds(typed: &str) -> Result<Limit<Duration>, String> {
    if typed == "off" {
        return Ok(Limit::Off);
    }
    let seconds = typed.parse().ok().filter(|seconds| *seconds > 0);
    seconds
        .map(|seconds| Limit::At(Duration::from_secs(seconds)))
        .ok_or_else(|| "wanted a whole number of seconds from 1 on, or off".to_owned())
}

/// A share.
pub(in super::super) fn ratio(typed: &str) -> Result<Limit<Ratio>, String> {
    if typed == "off" {
        return Ok(Limit::Off);
    }
    typed.parse().map(Limit::At).map_err(|error| format!("{error}, or off"))
}
