//! A limit from 0 to 1, stored as the exact decimal that the user typed.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::ser::Error as _;
use serde::{Serialize, Serializer};

use crate::jaccard::Share;

/// A decimal from 0 to 1. It is compared with a [`Share`] in integers and never rounded.
///
/// Invariant: `numerator <= denominator`, and the denominator is a power of ten up to 10¹⁸. Equal
/// decimals are equal: 0.5 is 0.50.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Ratio {
    numerator: u64,
    denominator: u64,
}

/// The largest number of digits after the decimal point of a [`Ratio`].
const MAX_DIGITS: usize = 18;

impl Ratio {
    pub(crate) const fn hundredths(numerator: u64) -> Self {
        assert!(0 < numerator && numerator <= 100, "another power of ten");
        if numerator == 100 {
            return Self { numerator: 1, denominator: 1 };
        } else if numerator.is_multiple_of(10) {
            return Self { numerator: numerator / 10, denominator: 10 };
        }
        Self { numerator, denominator: 100 }
    }

    /// Reports whether a share is at least this ratio.
    pub fn is_reached_by(self, share: Share) -> bool {
        self.reached(share, [1, 1])
    }

    /// Reports whether a share is at least two thirds of this ratio.
    pub fn two_thirds_are_reached_by(self, share: Share) -> bool {
        self.reached(share, [2, 3])
    }

    /// Reports whether `shared / of >= numerator / denominator · times / parts`. No product
    /// overflows: a count is below 2⁶⁴, and the denominator is below 2⁶⁰.
    fn reached(self, share: Share, [times, parts]: [u128; 2]) -> bool {
        share.shared() as u128 * u128::from(self.denominator) * parts
            >= u128::from(self.numerator) * share.total() as u128 * times
    }

    /// Returns the numerator and the denominator, which is a power of ten up to 10¹⁸.
    pub fn parts(self) -> (u64, u64) {
        (self.numerator, self.denominator)
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        let across =
            |one: &Self, other: &Self| u128::from(one.numerator) * u128::from(other.denominator);
        across(self, other).cmp(&across(other, self))
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl FromStr for Ratio {
    type Err = NotARatio;

    /// Parses digits with at most one decimal point: `1`, `0.5`, `.25`.
    fn from_str(typed: &str) -> Result<Self, NotARatio> {
        let (whole, fraction) = typed.split_once('.').unwrap_or((typed, ""));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(fraction) || whole.is_empty() && fraction.is_empty() {
            return Err(NotARatio::NotADecimal);
        }
        let fraction = fraction.trim_end_matches('0');
        if fraction.len() > MAX_DIGITS {
            return Err(NotARatio::TooManyDigits);
        }
        match (whole.trim_start_matches('0'), fraction) {
            ("1", "") => Ok(Self { numerator: 1, denominator: 1 }),
            ("", fraction) => Ok(Self {
                numerator: fraction.bytes().fold(0, |n, digit| n * 10 + u64::from(digit - b'0')),
                denominator: fraction.bytes().fold(1, |n, _| n * 10),
            }),
            _ => Err(NotARatio::AboveOne),
        }
    }
}

impl fmt::Display for Ratio {
    /// Formats the shortest decimal: `0`, `0.5`, `1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.numerator == self.denominator || self.numerator == 0 {
            return write!(f, "{}", self.numerator / self.denominator);
        }
        let digits = self.denominator.ilog10() as usize;
        write!(f, "0.{:0digits$}", self.numerator)
    }
}

impl Serialize for Ratio {
    /// Serializes the nearest floating-point number.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.to_string().parse().map_err(S::Error::custom)?)
    }
}

/// The reason why something that the user typed is not a ratio.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NotARatio {
    /// It contains something other than digits and one decimal point, or no digit.
    #[error("not a decimal, expected 0 to 1, such as 0.5")]
    NotADecimal,
    /// It is above 1.
    #[error("above 1, expected 0 to 1, such as 0.5")]
    AboveOne,
    /// It has more digits after the decimal point than can be compared exactly.
    #[error("more than {MAX_DIGITS} digits after the point, expected 0 to 1, such as 0.5")]
    TooManyDigits,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_from_0_to_1_are_read() {
        #[rustfmt::skip]
        let table = [
            ("half",             "0.5",     Ok("0.5")),
            ("with zeros",       "00.50",   Ok("0.5")),
            ("without a whole",  ".25",     Ok("0.25")),
            ("small",            "0.007",   Ok("0.007")),
            ("none",             "0",       Ok("0")),
            ("all",              "1.000",   Ok("1")),
            ("a bare point",     ".",       Err(NotARatio::NotADecimal)),
            ("nothing",          "",        Err(NotARatio::NotADecimal)),
            ("NaN",              "NaN",     Err(NotARatio::NotADecimal)),
            ("inf",              "inf",     Err(NotARatio::NotADecimal)),
            ("negative",         "-0.5",    Err(NotARatio::NotADecimal)),
            ("an exponent",      "5e-1",    Err(NotARatio::NotADecimal)),
            ("a percentage",     "50%",     Err(NotARatio::NotADecimal)),
            ("a comma",          "0,5",     Err(NotARatio::NotADecimal)),
            ("above one",        "1.5",     Err(NotARatio::AboveOne)),
            ("just above",       "1.000000000000000001", Err(NotARatio::AboveOne)),
            ("ten",              "10",      Err(NotARatio::AboveOne)),
            ("18 digits",        "0.123456789012345678",  Ok("0.123456789012345678")),
            ("19 digits",        "0.1234567890123456789", Err(NotARatio::TooManyDigits)),
        ];
        for (why, typed, want) in table {
            let read = typed.parse::<Ratio>().map(|ratio| ratio.to_string());
            assert_eq!(read, want.map(str::to_owned), "{why}");
        }
        assert_eq!("0.5".parse(), Ok(Ratio { numerator: 5, denominator: 10 }));
    }

    #[test]
    fn limits_are_compared_as_typed() {
        #[rustfmt::skip]
        let table = [
            ("just reached",         "0.5",  1,  2,   true,  true),
            ("just missed",          "0.5",  49, 99,  false, true),
            ("a third is not 0.33…", "0.333333333333333334", 1, 3, false, true),
            ("but it is more than",  "0.333333333333333333", 1, 3, true,  true),
            ("two thirds reached",   "0.5",  1,  3,   false, true),
            ("two thirds missed",    "0.5",  33, 100, false, false),
            ("three tenths",         "0.3",  3,  10,  true,  true),
            ("nothing reaches 0",    "0",    0,  7,   true,  true),
            ("only all reaches 1",   "1",    6,  7,   false, true),
            ("all reaches 1",        "1",    7,  7,   true,  true),
            ("the greatest counts",  "0.999999999999999999", usize::MAX, usize::MAX, true, true),
        ];
        for (why, typed, shared, of, reached, two_thirds) in table {
            let (ratio, share) = (typed.parse::<Ratio>().unwrap(), Share::new(shared, of).unwrap());
            assert_eq!(ratio.is_reached_by(share), reached, "{why}");
            assert_eq!(ratio.two_thirds_are_reached_by(share), two_thirds, "{why}, two thirds");
        }
    }

    #[test]
    fn ratios_are_ordered_as_numbers() {
        let all: Vec<Ratio> = ["0", "0.08", "0.1", "0.12", "0.5", "0.500000000000000001", "1"]
            .map(|it| it.parse().unwrap())
            .into();
        assert!(all.is_sorted_by(|one, next| one < next));
        assert_eq!("0.50".parse::<Ratio>().unwrap().cmp(&all[4]), Ordering::Equal);
    }
}
