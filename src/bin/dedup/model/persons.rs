//! The persons who submitted the texts, and the times of submission.

use dedup_text::text::properties::is_generic_name;

/// A person who submitted a text.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Person {
    /// The id in the list. In a list of files, the name of the person, or the file if there is no
    /// name.
    pub(crate) id: String,
    pub(crate) name: Option<String>,
    /// The group. Texts of one group are not compared with each other.
    pub(crate) group: Option<String>,
    pub(crate) submitted: Option<Time>,
}

/// Returns the names that a person may have in a list: the name with the number of the platform,
/// the number alone, and the name without the number. All three are the name itself if it has no
/// number.
pub(crate) fn ids(person: &str) -> [&str; 3] {
    match person.rsplit_once(' ').filter(|(_, number)| is_number(number)) {
        Some((name, number)) => [person, number, name],
        None => [person; 3],
    }
}

/// Reports whether a person is known by more than an id such as `amuster` or `Participant 300`: the
/// name has several words, as in Moodle, or the number of Canvas, and is not generic.
pub(crate) fn is_full_name(person: &str) -> bool {
    let [_, _, name] = ids(person);
    let is_id = name.contains(char::is_numeric) || is_generic_name(name);
    person.contains(' ') && !is_id
}

/// Reports whether a text consists of digits, at least one.
pub(crate) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

// Times as course platforms and spreadsheets write them.

/// The time of a submission.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Time {
    /// Seconds since the beginning of 1970 in local time, at the place where the time was written.
    seconds: i64,
    /// The offset of local time from UTC in seconds; `None` if it is not known.
    offset: Option<i64>,
    /// Whether only the day is known; `seconds` is then its beginning.
    is_day: bool,
}

const DAY: i64 = 86_400;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

impl Time {
    /// Parses a time: in ISO 8601 with or without a time zone, such as `2026-11-03 16:12` and
    /// `2026-11-03T16:12:00+01:00`; in the form of Moodle, `Tuesday, 3 November 2026, 4:12 PM`; or
    /// in seconds since 1970 (9 to 11 digits). The time of day may be missing. `None` for anything
    /// else.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if (9..=11).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let seconds = text.parse().ok()?;
            return Some(Self { seconds, offset: Some(0), is_day: false });
        }
        iso(text).or_else(|| written_out(text))
    }

    /// Reports whether the time zone is known.
    pub(crate) fn has_zone(&self) -> bool {
        self.offset.is_some()
    }

    /// Reports whether the time is later than another one; `None` if only one of them has a time
    /// zone, or if both are on one day and at least one has no time of day.
    pub(crate) fn is_later(&self, other: &Self) -> Option<bool> {
        let day = |time: &Self| time.seconds.div_euclid(DAY);
        if (self.is_day || other.is_day) && day(self) == day(other) {
            return None;
        }
        match (self.offset, other.offset) {
            (Some(own), Some(others)) => Some(self.seconds - own > other.seconds - others),
            (None, None) => Some(self.seconds > other.seconds),
            _ => None,
        }
    }

    /// Formats the time in ISO 8601: `2026-11-03T16:12:00+01:00`, or `2026-11-03` if only the day is
    /// known.
    pub(crate) fn iso(&self) -> String {
        let (days, rest) = (self.seconds.div_euclid(DAY), self.seconds.rem_euclid(DAY));
        let (year, month, day) = date(days);
        if self.is_day {
            return format!("{year:04}-{month:02}-{day:02}");
        }
        let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
        let zone = match self.offset {
            None => String::new(),
            Some(0) => "Z".to_owned(),
            Some(offset) => {
                let sign = if offset < 0 { '-' } else { '+' };
                format!("{sign}{:02}:{:02}", offset.abs() / 3600, offset.abs() / 60 % 60)
            }
        };
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{zone}")
    }
}

/// Returns the number of days from 1 January 1970 to a date (Hinnant, *chrono-compatible low-level
/// date algorithms*); `None` if the date does not exist or is not in the years 1970 to 9999.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) {
        return None;
    }
    let before = year - i64::from(month <= 2);
    let (era, of_era) = (before / 400, before % 400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    (day >= 1 && date(days) == (year, month, day)).then_some(days)
}

/// Returns the year, month and day that are a number of days after 1 January 1970, in the Gregorian
/// calendar (Howard Hinnant, 2013).
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

/// Parses the number at the beginning of a text, of at most `max_digits` digits, and returns it
/// with the rest of the text; `None` if the text does not begin with a digit.
fn number(text: &str, max_digits: usize) -> Option<(i64, &str)> {
    let end = text.bytes().take(max_digits).take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at_checked(end)?;
    Some((digits.parse().ok()?, rest))
}

/// Parses `16:12`, `16:12:30` or `16:12:30.5` into seconds, and returns them with the rest of the
/// text. Fractions of a second are dropped.
fn clock(text: &str) -> Option<(i64, &str)> {
    let (hour, rest) = number(text, 2)?;
    let (minute, mut rest) = number(rest.strip_prefix(':')?, 2)?;
    let mut second = 0;
    if let Some(behind) = rest.strip_prefix(':') {
        (second, rest) = number(behind, 2)?;
        if let Some(behind) = rest.strip_prefix(['.', ',']) {
            (_, rest) = number(behind, 9)?;
        }
    }
    (hour < 24 && minute < 60 && second < 60).then_some((hour * 3600 + minute * 60 + second, rest))
}

fn iso(text: &str) -> Option<Time> {
    let (year, rest) = number(text, 4)?;
    let (month, rest) = number(rest.strip_prefix('-')?, 2)?;
    let (day, rest) = number(rest.strip_prefix('-')?, 2)?;
    let start = days(year, month, day)? * DAY;
    if rest.is_empty() {
        return Some(Time { seconds: start, offset: None, is_day: true });
    }
    let (clock, zone) = clock(rest.strip_prefix(['T', 't', ' '])?)?;
    let offset = match zone.trim_start() {
        "" => None,
        "Z" | "z" | "UTC" => Some(0),
        zone => {
            let sign = if zone.starts_with('-') { -1 } else { 1 };
            let (hours, rest) = number(zone.strip_prefix(['+', '-'])?, 2)?;
            let rest = rest.strip_prefix(':').unwrap_or(rest);
            let (minutes, rest) = if rest.is_empty() { (0, rest) } else { number(rest, 2)? };
            let is_one = rest.is_empty() && hours <= 14 && minutes < 60;
            Some(is_one.then_some(sign * (hours * 3600 + minutes * 60))?)
        }
    };
    Some(Time { seconds: start + clock, offset, is_day: false })
}

/// Parses `Tuesday, 3 November 2026, 4:12 PM` or `Tuesday, November 3, 2026, 4:12 PM`, with or
/// without the day of the week and the time of day.
fn written_out(text: &str) -> Option<Time> {
    let text = text.replace(['\u{a0}', '\u{202f}'], " ").to_lowercase();
    let mut parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.first()?.chars().all(char::is_alphabetic) {
        parts.remove(0);
    }
    let (time, date) = match parts.split_last()? {
        (time, date) if time.contains(':') => (Some(*time), date),
        _ => (None, &parts[..]),
    };
    let words: Vec<&str> = date.iter().flat_map(|part| part.split_whitespace()).collect();
    let (day, month, year) = match (date, &words[..]) {
        ([_], [day, month, year]) | ([_, _], [month, day, year]) => (*day, *month, *year),
        _ => return None,
    };
    let month = MONTHS.iter().zip(1..).find(|(name, _)| **name == month)?.1;
    let start = days(year.parse().ok()?, month, day.parse().ok()?)? * DAY;
    let Some(time) = time else {
        return Some(Time { seconds: start, offset: None, is_day: true });
    };
    let (clock, half) = clock(time)?;
    let (hour, rest) = (clock / 3600, clock % 3600);
    let hour = match (half.trim(), hour) {
        ("", hour) => hour,
        ("am", 1..=12) => hour % 12,
        ("pm", 1..=12) => hour % 12 + 12,
        _ => return None,
    };
    Some(Time { seconds: start + hour * 3600 + rest, offset: None, is_day: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_not_a_full_name() {
        for (person, want) in [
            ("Anna Muster", true),
            ("Anna Muster 12", true),
            ("musteranna 12", true),
            ("amuster", false),
            ("ab12345", false),
            ("1000", false),
            ("Participant 300", false),
            ("Participant 300 1234", false),
            ("Teilnehmer_in 300 1234", false),
            ("", false),
        ] {
            assert_eq!(is_full_name(person), want, "{person}");
        }
    }
}

#[cfg(test)]
mod time_tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn times_are_read_as_they_are_written() {
        #[rustfmt::skip]
        let table = [
            ("ISO 8601",            "2026-11-03T16:12:05",                  "2026-11-03T16:12:05"),
            ("a space",             "2026-11-03 16:12",                     "2026-11-03T16:12:00"),
            ("a day",               "2026-11-03",                           "2026-11-03"),
            ("a day written out",   "Tuesday, 3 November 2026",             "2026-11-03"),
            ("in English (US)",     "November 3, 2026",                     "2026-11-03"),
            ("UTC",                 "2026-11-03T16:12:05.123Z",             "2026-11-03T16:12:05Z"),
            ("by name",             "2026-11-03 16:12:05 UTC",              "2026-11-03T16:12:05Z"),
            ("an offset",           "2026-11-03T16:12:00+01:00",            "2026-11-03T16:12:00+01:00"),
            ("as Dodona has it",    "2026-11-03 16:12:00 -0330",            "2026-11-03T16:12:00-03:30"),
            ("hours alone",         "2026-11-03 16:12+01",                  "2026-11-03T16:12:00+01:00"),
            ("Moodle's",            "Tuesday, 3 November 2026, 4:12 PM",    "2026-11-03T16:12:00"),
            ("in English (US)",     "Tuesday, November 3, 2026, 4:12 PM",   "2026-11-03T16:12:00"),
            ("at noon",             "Tuesday, 3 November 2026, 12:00 PM",   "2026-11-03T12:00:00"),
            ("at midnight",         "3 November 2026, 12:05\u{202f}AM",     "2026-11-03T00:05:00"),
            ("without a half",      "3 November 2026, 16:12",               "2026-11-03T16:12:00"),
            ("seconds",             "1793722320",                           "2026-11-03T16:12:00Z"),
            ("a leap day",          "2028-02-29 00:00",                     "2028-02-29T00:00:00"),
        ];
        for (why, text, want) in table {
            assert_eq!(Time::parse(text).map(|time| time.iso()).as_deref(), Some(want), "{why}");
        }
        let none = [
            "",
            "x",
            "2026",
            "3.11.2026",
            "2026-13-01",
            "2026-02-29",
            "2026-11-31 10:00",
            "2026-11-03 24:00",
            "2026-11-03 16:60",
            "2026-11-03T16:12 noon",
            "2026-11-03T16:12+99:00",
            "1969-01-01",
            "Tuesday, 3 Novembre 2026, 4:12 PM",
            "3 November 2026, 13:12 PM",
            "3 November 2026, 0:12 PM",
            "November 3 2026, 4:12 PM",
            "Tuesday, 3 November, 2026, 4:12 PM",
            "November, 3, 2026, 4:12 PM",
            ", 4:12 PM",
            "12345678",
            "123456789012",
            "2026-11-03T16:12+01:00x",
        ];
        for text in none {
            assert_eq!(Time::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_later_of_two_is_known_where_both_say_the_zone_or_none() {
        #[rustfmt::skip]
        let table = [
            ("a minute",        "2026-11-03 16:13",       "2026-11-03 16:12",       Some(true)),
            ("the same",        "2026-11-03 16:12",       "2026-11-03 16:12",       Some(false)),
            ("a day and a time", "2026-11-03",            "2026-11-03 16:12",       None),
            ("a time and a day", "2026-11-03 16:12",      "2026-11-03",             None),
            ("the same day",    "2026-11-03",             "2026-11-03",             None),
            ("another day",     "2026-11-04",             "2026-11-03 16:12",       Some(true)),
            ("in two zones",    "2026-11-03T16:12+01:00", "2026-11-03T15:30Z",      Some(false)),
            ("the other way",   "2026-11-03T15:30Z",      "2026-11-03T16:12+01:00", Some(true)),
            ("not known",       "2026-11-03T16:12Z",      "2026-11-03T15:30",       None),
        ];
        for (why, one, other, want) in table {
            let [one, other] = [one, other].map(|text| Time::parse(text).unwrap());
            assert_eq!(one.is_later(&other), want, "{why}");
        }
    }

    proptest! {
        #[test]
        fn a_time_is_read_back(seconds in 0_i64..4_000_000_000, minutes in proptest::option::of(-840_i64..=840)) {
            let time = Time { seconds, offset: minutes.map(|minutes| minutes * 60), is_day: false };
            prop_assert_eq!(Time::parse(&time.iso()), Some(time));
            let day = Time { seconds: seconds - seconds % DAY, offset: None, is_day: true };
            prop_assert_eq!(Time::parse(&day.iso()), Some(day));
        }

        #[test]
        fn a_time_is_the_same_once_it_is_in_iso_8601(
            text in "[0-9]{8,12}|20[0-9]{2}-[01][0-9]-[0-3][0-9]\
                ([T ][0-2][0-9]:[0-5][0-9](:[0-9]{2}([.,][0-9]{1,9})?)?(Z| ?[+-][01][0-9]:?[0-9]{2})?)?\
                |([a-z]{3}, )?[0-3]?[0-9] (May|june|x) [0-9]{4}(, [0-9]{1,2}:[0-9]{2} [AP]M)?",
            any: String,
        ) {
            for time in [&text, &any].into_iter().filter_map(|text| Time::parse(text)) {
                prop_assert_eq!(Time::parse(&time.iso()), Some(time));
            }
        }
    }
}
