//! Parsers of flag values. Each value is parsed once, into a type that holds valid values only.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{
    OsStringValueParser, PossibleValue, PossibleValuesParser, Str, TypedValueParser,
};
use clap::{Arg, Command};
use dedup_text::language::{self, Language};
use dedup_text::pair::Short;
use dedup_text::passages::MinMatch;
use dedup_text::shingles::Ngrams;
use dedup_text::text::{Encoding, Side};
use dedup_text::tokens::exclusions::Why;
use dedup_text::verdict::Verdict;
use dedup_text::verdict::ratio::Ratio;

use crate::diagnostics::Diagnostic;

/// A value for one side, or for both.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct PerSide<T> {
    side: Option<Side>,
    value: T,
}

impl<T> PerSide<T> {
    /// Returns the name of the side as typed. `None` if the value is for both sides.
    fn side(&self) -> Option<&'static str> {
        self.side.map(|side| match side {
            Side::Left => "left",
            Side::Right => "right",
        })
    }
}

/// Parses the size of n-grams, in words: 1 to [`Ngrams::MAX_SIZE`].
pub(crate) fn ngram(typed: &str) -> Result<usize, String> {
    let size = typed.parse().ok().filter(|size| (1..=Ngrams::MAX_SIZE).contains(size));
    size.ok_or_else(|| format!("expected a whole number from 1 to {}", Ngrams::MAX_SIZE))
}

/// Parses the minimum number of words of a passage: [`MinMatch::SMALLEST`] or more.
pub(crate) fn min_match(typed: &str) -> Result<MinMatch, String> {
    let min_match = typed.parse().ok().and_then(MinMatch::new);
    min_match
        .ok_or_else(|| format!("expected a whole number of words, at least {}", MinMatch::SMALLEST))
}

/// Parses a number of items; 0 is allowed.
pub(crate) fn count(typed: &str) -> Result<usize, String> {
    typed.parse().map_err(|_| "expected a whole number".to_owned())
}

/// Parses a number of items that is at least 1.
pub(crate) fn positive(typed: &str) -> Result<usize, String> {
    let number = typed.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "expected a whole number, at least 1".to_owned())
}

/// Checks that a glob is not empty or blank: an empty glob would match every file.
pub(crate) fn glob(typed: &str) -> Result<String, String> {
    if typed.trim().is_empty() { Err("expected a glob".to_owned()) } else { Ok(typed.to_owned()) }
}

/// The largest number of threads.
pub(crate) const MAX_THREADS: usize = 256;

/// Parses a number of threads: 1 to [`MAX_THREADS`].
pub(crate) fn threads(typed: &str) -> Result<usize, String> {
    let threads = typed.parse().ok().filter(|threads| (1..=MAX_THREADS).contains(threads));
    threads.ok_or_else(|| format!("expected a whole number from 1 to {MAX_THREADS}"))
}

/// Parses an amount of memory and returns it in bytes. The units K, M, G and T are powers of 1024.
pub(crate) fn memory(typed: &str) -> Result<u64, String> {
    let units = ["K", "M", "G", "T"].into_iter().zip([10, 20, 30, 40]);
    let bytes = units.into_iter().find_map(|(unit, power)| {
        let number = typed.strip_suffix(unit).or(typed.strip_suffix(&unit.to_lowercase()))?;
        let is_whole = number.bytes().all(|digit| digit.is_ascii_digit());
        number.parse::<u64>().ok().filter(|_| is_whole)?.checked_mul(1 << power)
    });
    bytes.ok_or_else(|| {
        "expected a whole number followed by K, M, G or T, such as 512M or 2G".to_owned()
    })
}

/// Parses a share of the texts: above 0, at most 1, or `off`.
pub(crate) fn part_of_all(typed: &str) -> Result<Limit<Ratio>, String> {
    limit(typed, |typed| {
        let share = typed.parse().ok().filter(|share: &Ratio| share.parts().0 > 0);
        share.ok_or("expected a number above 0 and at most 1, or off")
    })
}

/// A value of `--ignore`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Ignored {
    /// Words in a part of the texts, such as quotations.
    Part(Why),
    /// Passages with fewer aligned words than this.
    Short(usize),
}

/// Parses a value of `--ignore`.
pub(crate) fn ignored(typed: &str) -> Result<Ignored, String> {
    let part =
        [Why::Quotes, Why::Bibliography, Why::Marked].into_iter().find(|why| why.name() == typed);
    let words = |typed: &str| typed.parse().ok().filter(|words| *words > 0);
    match (part, typed.split_once('=')) {
        (Some(why), _) => Ok(Ignored::Part(why)),
        (None, None) if typed == "short" => Ok(Ignored::Short(Short::DEFAULT)),
        (None, Some(("short", typed))) => words(typed)
            .map(Ignored::Short)
            .ok_or_else(|| "expected short=WORDS with a whole number, at least 1".to_owned()),
        _ => Err("expected quotes, bibliography, marked, short or short=WORDS".to_owned()),
    }
}

/// Makes a parser of a verdict that is a threshold.
pub(crate) fn level() -> impl TypedValueParser<Value = Verdict> {
    let wanted = "expected different, excerpt, partial, near-duplicate or identical";
    let verdict = move |typed: &str| Verdict::from_name(typed).ok_or(wanted);
    named(verdict, &["different", "excerpt", "partial", "near-duplicate", "identical"])
}

/// Parses a value that may have a side: `VALUE`, `left=VALUE` or `right=VALUE`.
fn sided<T>(
    typed: &str,
    what: &str,
    parse: fn(&str) -> Result<T, String>,
) -> Result<PerSide<T>, String> {
    let (side, value) = match typed.split_once('=') {
        Some(("left", value)) => (Some(Side::Left), value),
        Some(("right", value)) => (Some(Side::Right), value),
        Some(_) => return Err(format!("expected left={what} or right={what}")),
        None => (None, typed),
    };
    Ok(PerSide { side, value: parse(value)? })
}

/// Parses the code of a language, with or without a side. `none` means no language.
pub(crate) fn lang(typed: &str) -> Result<PerSide<Option<Language>>, String> {
    sided(typed, "CODE", |code| match code.to_ascii_lowercase().as_str() {
        "none" => Ok(None),
        code => Language::from_code(code).map(Some).ok_or_else(unknown_language),
    })
}

/// Parses the name of an encoding, with or without a side.
pub(crate) fn encoding(typed: &str) -> Result<PerSide<Encoding>, String> {
    sided(typed, "NAME", |name| {
        let nearest =
            || format!("not a known encoding; the nearest is {}", Encoding::nearest_name(name));
        Encoding::from_label(name).ok_or_else(nearest)
    })
}

fn unknown_language() -> String {
    let codes: Vec<_> = language::rows().iter().map(|row| row.short).collect();
    format!("not a known language, expected none or one of {}", codes.join(" "))
}

/// Parses any value as a path, even an empty one.
pub(crate) fn path() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

/// The reason why the flags of a corpus accept no side.
pub(crate) const NO_SIDE_IN_CORPUS: &str = "a corpus has no sides";

/// Returns the value of a flag for texts that have no sides. `None` if it is not given.
///
/// # Errors
///
/// [`Diagnostic`] if a side is named, with `why` as the reason, or if the flag is given twice.
pub(crate) fn given_for_all<T: Copy>(
    given: &[PerSide<T>],
    flag: &str,
    why: &str,
) -> Result<Option<T>, Diagnostic> {
    let message = match given {
        [] => return Ok(None),
        [PerSide { side: None, value }] => return Ok(Some(*value)),
        _ => match given.iter().find_map(PerSide::side) {
            Some(side) => format!("--{flag} {side}=…, expected no side: {why}"),
            None => format!("--{flag} is given twice, expected it once"),
        },
    };
    Err(Diagnostic::new(message).flags([flag]))
}

/// Returns the value of a flag for a side, or else the one for both sides. `None` if there is
/// neither.
///
/// # Errors
///
/// [`Diagnostic`] if the flag is given twice for this side, or twice for both.
pub(crate) fn given_for<T: Copy>(
    given: &[PerSide<T>],
    side: Side,
    flag: &str,
    example: [&str; 2],
) -> Result<Option<T>, Diagnostic> {
    let of_side = one_of(given, Some(side), flag, example)?;
    let of_both = one_of(given, None, flag, example)?;
    Ok(of_side.or(of_both))
}

fn one_of<T: Copy>(
    given: &[PerSide<T>],
    side: Option<Side>,
    flag: &str,
    [left, right]: [&str; 2],
) -> Result<Option<T>, Diagnostic> {
    let mut same = given.iter().filter(|sided| sided.side == side);
    let first = same.next().map(|sided| sided.value);
    if same.next().is_none() {
        return Ok(first);
    }
    let of = match side {
        Some(Side::Left) => "the left text",
        Some(Side::Right) => "the right text",
        None => "both texts",
    };
    Err(Diagnostic::new(format!("--{flag} is given twice for {of}, expected it once"))
        .hint(format!("--{flag} left={left} --{flag} right={right} names one for each"))
        .flags([flag]))
}

// Limits that can be turned off: a number, or `off`.

/// A limit. `None` if it is off. (Clap takes an `Option` for a flag that may be missing.)
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Limit<T>(pub(crate) Option<T>);

/// Parses a Hamming distance, in bits: 0 to 64, or `off`.
pub(crate) fn bits(typed: &str) -> Result<Limit<u32>, String> {
    limit(typed, |typed| {
        let bits = typed.parse().ok().filter(|bits| *bits <= 64);
        bits.ok_or("expected a whole number of bits from 0 to 64, or off")
    })
}

/// Parses the size of a file, in bytes, or `off`.
pub(crate) fn bytes(typed: &str) -> Result<Limit<u64>, String> {
    limit(typed, |typed| typed.parse().map_err(|_| "expected a whole number of bytes, or off"))
}

/// Parses a number of pairs, or `off`.
pub(crate) fn pairs(typed: &str) -> Result<Limit<usize>, String> {
    limit(typed, |typed| typed.parse().map_err(|_| "expected a whole number of pairs, or off"))
}

/// Parses a number of rows, or `all`.
pub(crate) fn rows(typed: &str) -> Result<Limit<usize>, String> {
    if typed == "all" {
        return Ok(Limit(None));
    }
    let rows = typed.parse().map(|rows| Limit(Some(rows)));
    rows.map_err(|_| "expected a whole number of pairs, or all".to_owned())
}

/// Parses a duration in whole seconds: 1 or more, or `off`.
pub(crate) fn seconds(typed: &str) -> Result<Limit<Duration>, String> {
    limit(typed, |typed| {
        let seconds = typed.parse().ok().filter(|seconds| *seconds > 0);
        seconds
            .map(Duration::from_secs)
            .ok_or("expected a whole number of seconds, at least 1, or off")
    })
}

/// Parses a ratio from 0 to 1, or `off`.
pub(crate) fn ratio(typed: &str) -> Result<Limit<Ratio>, String> {
    limit(typed, |typed| typed.parse().map_err(|error| format!("{error}, or off")))
}

/// Parses a limit, or `off`.
fn limit<T, E: Into<String>>(
    typed: &str,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<Limit<T>, String> {
    let limit = if typed == "off" { None } else { Some(parse(typed).map_err(Into::into)?) };
    Ok(Limit(limit))
}

// Parsers that list the names that they accept, for completions and editors.

/// Makes a parser of the names of some values.
pub(crate) fn choice<T: Copy + Send + Sync>(
    named: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let is_named = |name: &str| named.iter().find(|(known, _)| *known == name).map(|row| row.1);
    PossibleValuesParser::new(named.iter().map(|(name, _)| *name))
        .map(move |name| is_named(&name).expect("the parser accepts these names only"))
}

/// A parser with the values that it lists.
#[derive(Clone)]
pub(crate) struct Named<P> {
    parser: P,
    values: Vec<PossibleValue>,
}

/// Makes a parser that lists the names that it accepts; it may accept other values as well.
pub(crate) fn named<P: TypedValueParser>(parser: P, names: &'static [&'static str]) -> Named<P> {
    formed(parser, names, [""; 0])
}

/// Makes a parser that lists the names that it accepts, and the forms of other values, with capitals
/// as placeholders: `newest:FIELD`.
pub(crate) fn formed<P: TypedValueParser>(
    parser: P,
    names: impl IntoIterator<Item: Into<Str>>,
    forms: impl IntoIterator<Item: Into<Str>>,
) -> Named<P> {
    let names = names.into_iter().map(PossibleValue::new);
    let forms = forms.into_iter().map(|form| PossibleValue::new(form).hide(true));
    Named { parser, values: names.chain(forms).collect() }
}

impl<P: TypedValueParser> TypedValueParser for Named<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        typed: &OsStr,
    ) -> Result<Self::Value, clap::Error> {
        self.parser.parse_ref(command, arg, typed)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.values.iter().cloned()))
    }
}
