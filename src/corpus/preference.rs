//! The order of preference among texts of which one is to be kept.

use std::cmp::Ordering;
use std::str::FromStr;

/// The rule that decides which of several texts is kept.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Keep {
    /// The text that comes first in the input.
    First,
    /// The text with the most words.
    Longest,
    /// The text with the greatest value in a field, such as a date.
    Newest(String),
    /// The text with the greatest number in a field, such as a score.
    Field(String),
}

impl Keep {
    /// Returns the field of a record that the rule compares; `None` for rules without one.
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::First | Self::Longest => None,
            Self::Newest(field) | Self::Field(field) => Some(field),
        }
    }

    /// Returns the worth of the value of a field, without the white space around it; an empty one
    /// has none. For [`Longest`](Self::Longest) the value is the number of words.
    pub fn worth(&self, value: Option<&str>) -> Worth {
        let value = value.map(str::trim).filter(|value| !value.is_empty() && *self != Self::First);
        let Some(value) = value else { return Worth::Nothing };
        match value.parse::<f64>() {
            // The words "inf" and "nan" are no numbers. Adding 0 makes 0 of -0, which is not less.
            Ok(number) if value.contains(|it: char| it.is_ascii_digit()) => {
                Worth::Number(number + 0.0, above(value, number))
            }
            _ if matches!(self, Self::Newest(_)) => Worth::Letters(value.to_owned()),
            _ => Worth::Nothing,
        }
    }
}

/// Returns the difference between a whole number and the floating-point number nearest to it; 0 for
/// other numbers.
fn above(written: &str, nearest: f64) -> i128 {
    let whole: Option<i128> = written.parse().ok();
    let nearest: Option<i128> = nearest.to_string().parse().ok();
    whole.zip(nearest).map_or(0, |(whole, nearest)| whole - nearest)
}

/// A string that names no rule.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("expected first, longest, newest:FIELD or field:FIELD")]
pub struct UnknownKeep;

impl FromStr for Keep {
    type Err = UnknownKeep;

    /// Parses `first`, `longest`, `newest:FIELD` or `field:FIELD`.
    fn from_str(typed: &str) -> Result<Self, UnknownKeep> {
        match (typed, typed.split_once(':')) {
            ("first", _) => Ok(Self::First),
            ("longest", _) => Ok(Self::Longest),
            (_, Some(("newest", field))) if !field.is_empty() => Ok(Self::Newest(field.to_owned())),
            (_, Some(("field", field))) if !field.is_empty() => Ok(Self::Field(field.to_owned())),
            _ => Err(UnknownKeep),
        }
    }
}

/// The worth of a text. No worth comes first, then numbers by size, then other values in the order
/// of their bytes.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub enum Worth {
    /// The text has no worth.
    Nothing,
    /// A number: the nearest floating-point number, which is infinite for one that is too large,
    /// and for a whole number by how much it is above that.
    Number(f64, i128),
    /// Any other value.
    Letters(String),
}

impl Worth {
    /// Reports whether there is a worth.
    pub fn is_some(&self) -> bool {
        !matches!(self, Self::Nothing)
    }

    /// Compares two values by a total order.
    pub fn total_cmp(&self, other: &Self) -> Ordering {
        self.partial_cmp(other).unwrap_or(Ordering::Equal) // no number is NaN
    }
}

/// Returns the indices of texts in the order of preference: preferred texts first, then those of
/// greater worth, then those of smaller position.
pub fn in_order<W>(
    texts: &[W],
    is_preferred: impl Fn(u32) -> bool,
    worth: impl Fn(&W) -> &Worth,
    position: impl Fn(u32) -> usize,
) -> Vec<u32> {
    let mut order: Vec<u32> = (0_u32..).take(texts.len()).collect();
    order.sort_by(|one, other| {
        let of = |text: &u32| worth(&texts[*text as usize]);
        (is_preferred(*other).cmp(&is_preferred(*one)))
            .then_with(|| of(other).total_cmp(of(one)))
            .then_with(|| position(*one).cmp(&position(*other)))
    });
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_named_with_its_field() {
        let field = |name: &str| Ok(Keep::Field(name.to_owned()));
        #[rustfmt::skip]
        let table = [
            ("first",                "first",     Ok(Keep::First)),
            ("longest",              "longest",   Ok(Keep::Longest)),
            ("newest",               "newest:ts", Ok(Keep::Newest("ts".to_owned()))),
            ("by a field",           "field:ts",  field("ts")),
            ("a field with a colon", "field:a:b", field("a:b")),
            ("no field",             "newest",    Err(UnknownKeep)),
            ("an empty field",       "newest:",   Err(UnknownKeep)),
            ("or of another rule",   "field:",    Err(UnknownKeep)),
            ("a field too many",     "first:ts",  Err(UnknownKeep)),
            ("another name",         "oldest:ts", Err(UnknownKeep)),
        ];
        for (why, typed, want) in table {
            assert_eq!(typed.parse::<Keep>(), want, "{why}");
        }
    }

    #[test]
    fn worth_has_one_order() {
        let newest = Keep::Newest("ts".to_owned());
        let score = Keep::Field("score".to_owned());
        #[rustfmt::skip]
        let table: &[(&str, &Keep, &[Option<&str>])] = &[
            ("numbers by their size",          &newest, &[None, Some("-1"), Some("9"), Some("10"), Some("1e3")]),
            (
                "whole numbers exactly",
                &newest,
                &[
                    Some("9007199254740992"), Some("9007199254740993"),
                    Some("1700000000000000000"), Some("1700000000000000001"), Some("1e30"),
                ],
            ),
            ("letters after numbers",          &newest, &[Some(""), Some("9"), Some("10"), Some("1a"), Some("2024-01-02"), Some("b")]),
            ("dates by their letters",         &newest, &[Some("2023-12-31"), Some("2024-01-01"), Some("2024-01-01T00:00:01Z")]),
            ("what is no number is nothing",   &score,  &[Some("high"), Some("0.25"), Some(" 0.5 "), Some("3")]),
            ("blanks around do not count",     &newest, &[Some("  "), Some(" 5"), Some("2023-01-01"), Some(" 2024-01-01 ")]),
            ("no number is above all others",  &score,  &[Some("inf"), Some("-2"), Some("0")]),
            ("too large for floating point",   &newest, &[Some("-1e400"), Some("-5"), Some("5"), Some("1e400"), Some("nan")]),
        ];
        for (why, keep, values) in table {
            for (at, one) in values.iter().enumerate() {
                for (other_at, other) in values.iter().enumerate() {
                    let got = keep.worth(*one).total_cmp(&keep.worth(*other));
                    assert_eq!(got, at.cmp(&other_at), "{why}: {one:?} and {other:?}");
                }
            }
        }
        let zeros = ["0", "-0", "0.0", "-0.0", "-0e5"].map(|zero| score.worth(Some(zero)));
        for zero in &zeros {
            assert_eq!(zeros[0].total_cmp(zero), Ordering::Equal, "{zero:?}");
        }
        let fives = ["5", "5.0", "0.5e1", "+5"].map(|five| score.worth(Some(five)));
        for five in &fives {
            assert_eq!(fives[0].total_cmp(five), Ordering::Equal, "{five:?}");
        }
        assert_eq!(Keep::First.worth(Some("9")).total_cmp(&Worth::Nothing), Ordering::Equal);
    }
}
