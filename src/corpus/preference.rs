//! Which text of several is preferred, where one is to be kept.

use std::cmp::Ordering;
use std::str::FromStr;

/// Which text of several is kept.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Keep {
    /// The one that comes first in the input.
    First,
    /// The one with the most words.
    Longest,
    /// The one with the greatest value in a field, such as a date.
    Newest(String),
    /// The one with the greatest number in a field, such as a score.
    Field(String),
}

impl Keep {
    /// The field of records that it goes by.
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::First | Self::Longest => None,
            Self::Newest(field) | Self::Field(field) => Some(field),
        }
    }

    /// What the value of a field is worth; of `longest` the field is the number of words.
    pub fn worth(&self, value: Option<&str>) -> Worth {
        let Some(value) = value.filter(|_| *self != Self::First) else { return Worth::Nothing };
        match value.trim().parse::<f64>() {
            Ok(number) if number.is_finite() => Worth::Number(number),
            _ if matches!(self, Self::Newest(_)) => Worth::Letters(value.to_owned()),
            _ => Worth::Nothing,
        }
    }
}

/// What is not one of the ways to choose.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("expected first, longest, newest:FIELD or field:FIELD")]
pub struct UnknownKeep;

impl FromStr for Keep {
    type Err = UnknownKeep;

    /// Reads `first`, `longest`, `newest:FIELD` or `field:FIELD`.
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

/// What a text is worth: nothing, then numbers by their size, then all else by its letters.
#[derive(Clone, Debug)]
pub enum Worth {
    /// It has none.
    Nothing,
    /// A number, which is finite.
    Number(f64),
    /// Anything else.
    Letters(String),
}

impl Worth {
    /// An order that is total: any three values are in one, whatever they are.
    pub fn total_cmp(&self, other: &Self) -> Ordering {
        let kind = |worth: &Self| match worth {
            Self::Nothing => 0,
            Self::Number(_) => 1,
            Self::Letters(_) => 2,
        };
        match (self, other) {
            (Self::Number(one), Self::Number(other)) => one.total_cmp(other),
            (Self::Letters(one), Self::Letters(other)) => one.cmp(other),
            (one, other) => kind(one).cmp(&kind(other)),
        }
    }
}

/// Texts in the order of preference, the greatest worth first; of equal ones the first.
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
    fn worth_has_one_order() {
        let newest = Keep::Newest("ts".to_owned());
        let score = Keep::Field("score".to_owned());
        #[rustfmt::skip]
        let table: &[(&str, &Keep, &[Option<&str>])] = &[
            ("numbers by their size",          &newest, &[None, Some("-1"), Some("9"), Some("10"), Some("1e3")]),
            ("letters after numbers",          &newest, &[None, Some("9"), Some("10"), Some("1a"), Some("2024-01-02"), Some("b")]),
            ("dates by their letters",         &newest, &[Some("2023-12-31"), Some("2024-01-01"), Some("2024-01-01T00:00:01Z")]),
            ("what is no number is nothing",   &score,  &[Some("high"), Some("0.25"), Some(" 0.5 "), Some("3")]),
            ("no number is above all others",  &score,  &[Some("inf"), Some("-2"), Some("0")]),
        ];
        for (why, keep, values) in table {
            for (at, one) in values.iter().enumerate() {
                for (other_at, other) in values.iter().enumerate() {
                    let got = keep.worth(*one).total_cmp(&keep.worth(*other));
                    assert_eq!(got, at.cmp(&other_at), "{why}: {one:?} and {other:?}");
                }
            }
        }
        assert_eq!(Keep::First.worth(Some("9")).total_cmp(&Worth::Nothing), Ordering::Equal);
    }
}
