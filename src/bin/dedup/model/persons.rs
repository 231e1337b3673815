//! The persons who submitted the texts, and the times of submission.

use chrono::format::{Parsed, StrftimeItems};
use chrono::{
    DateTime, Datelike, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Offset, Timelike, Utc,
};
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
    /// The local time at the place where the time was written, in whole seconds.
    local: NaiveDateTime,
    /// The offset of local time from UTC; `None` if it is not known.
    offset: Option<FixedOffset>,
    /// Whether only the day is known; `local` is then its beginning.
    is_day: bool,
}

/// The forms of a date: `2026-11-03`, `3 November 2026` and `November 3, 2026`.
const DATES: [&str; 3] = ["%Y-%m-%d", "%d %B %Y", "%B %d, %Y"];

/// The forms of a time of day: `4:12 PM`, `4:12:30 PM`, `16:12:30.5` and `16:12`.
const CLOCKS: [&str; 4] = ["%I:%M %p", "%I:%M:%S%.f %p", "%H:%M:%S%.f", "%H:%M"];

/// How the names of the months begin in Catalan, Danish, Dutch, French, German, Italian, Polish,
/// Portuguese, Spanish and Swedish, as far as English names do not begin so.
const MONTHS: [(&str, &[&str]); 12] = [
    ("January", &["gen", "jän", "sty", "ene"]),
    ("February", &["fév", "feb", "fev", "lut"]),
    ("March", &["mär", "mars", "març", "marz", "maa", "marts"]),
    ("April", &["avr", "abr", "kwi"]),
    ("May", &["mai", "maj", "mei", "mag"]),
    ("June", &["juin", "juni", "jun", "giu", "cze"]),
    ("July", &["juil", "juli", "jul", "lug", "lip"]),
    ("August", &["aoû", "ago", "aug", "sie"]),
    ("September", &["set", "sep", "wrz"]),
    ("October", &["okt", "oct", "ott", "out", "paź"]),
    ("November", &["nov", "lis"]),
    ("December", &["dez", "des", "déc", "dic", "dec", "gru"]),
];

/// Returns a date such as `Dienstag, 3. November 2026, 16:12` or `martes, 3 de noviembre de 2026, 16:12`
/// in the form of Moodle in English; `None` if it has another form.
fn in_english(text: &str) -> Option<String> {
    let parts = text.split([' ', ',']).filter(|part| !part.is_empty());
    let mut parts = parts.skip_while(|part| !part.starts_with(|it: char| it.is_ascii_digit()));
    let day = parts.next()?.trim_end_matches(['.', 'º']);
    let mut words = parts.filter(|part| !["de", "del", "d'"].contains(part));
    let written = words.next()?.to_lowercase();
    let written = written.trim_start_matches("d'").trim_start_matches("d’");
    let begins = |(_, starts): &&(&str, &[&str])| starts.iter().any(|it| written.starts_with(it));
    let (month, _) = MONTHS.iter().find(begins)?;
    let year = words.next().filter(|year| is_number(day) && is_number(year))?;
    let clock = words.collect::<Vec<_>>().join(" ");
    let clock = if clock.is_empty() { clock } else { format!(", {clock}") };
    Some(format!("{day} {month} {year}{clock}"))
}

impl Time {
    /// Parses a time: in ISO 8601 with or without a time zone, such as `2026-11-03 16:12` and
    /// `2026-11-03T16:12:00+01:00`; in the form of Moodle, `Tuesday, 3 November 2026, 4:12 PM`; or
    /// in seconds since 1970 (9 to 11 digits). The time of day and the day of the week may be
    /// missing, and the month may be written in another of [several languages](MONTHS). `None` for anything else, and outside the years 1970 to 9999.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim().replace(['\u{a0}', '\u{202f}'], " ");
        let text = in_english(&text).unwrap_or(text);
        if (9..=11).contains(&text.len()) && is_number(&text) {
            let local = DateTime::from_timestamp(text.parse().ok()?, 0)?.naive_utc();
            return Some(Self { local, offset: Some(Utc.fix()), is_day: false });
        }
        let is_weekday = |part: &str| part.chars().all(char::is_alphabetic);
        let text = match text.split_once(',') {
            Some((part, rest)) if is_weekday(part) => rest.trim_start(),
            _ => &text,
        };
        let mut dates = DATES.iter();
        let (date, rest) =
            dates.find_map(|form| NaiveDate::parse_and_remainder(text, form).ok())?;
        if !(1970..=9999).contains(&date.year()) {
            return None;
        }
        if rest.is_empty() {
            return Some(Self { local: date.into(), offset: None, is_day: true });
        }
        // ISO 8601 allows a comma before the fraction of a second.
        let rest = rest.strip_prefix(['T', 't', ' ', ','])?.trim_start().replace(',', ".");
        let mut clocks = CLOCKS.iter();
        let (clock, zone) =
            clocks.find_map(|form| NaiveTime::parse_and_remainder(&rest, form).ok())?;
        let offset = match zone.trim() {
            "" => None,
            "UTC" => Some(Utc.fix()),
            zone => {
                let mut parsed = Parsed::new();
                chrono::format::parse(&mut parsed, zone, StrftimeItems::new("%#z")).ok()?;
                Some(parsed.to_fixed_offset().ok()?)
            }
        };
        Some(Self { local: date.and_time(clock.with_nanosecond(0)?), offset, is_day: false })
    }

    pub(crate) fn has_zone(&self) -> bool {
        self.offset.is_some()
    }

    /// Reports whether the time is later than another one; `None` if only one of them has a time
    /// zone, or if both are on one day and at least one has no time of day.
    pub(crate) fn is_later(&self, other: &Self) -> Option<bool> {
        if (self.is_day || other.is_day) && self.local.date() == other.local.date() {
            return None;
        }
        match (self.offset, other.offset) {
            (Some(own), Some(others)) => Some(self.local - own > other.local - others),
            (None, None) => Some(self.local > other.local),
            _ => None,
        }
    }

    /// Formats the time in ISO 8601: `2026-11-03T16:12:00+01:00`, or `2026-11-03` if only the day is
    /// known.
    pub(crate) fn iso(&self) -> String {
        if self.is_day {
            return self.local.date().to_string();
        }
        let zone = match self.offset {
            None => String::new(),
            Some(offset) if offset == Utc.fix() => "Z".to_owned(),
            Some(offset) => offset.to_string(),
        };
        format!("{}{zone}", self.local.format("%Y-%m-%dT%H:%M:%S"))
    }
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
            ("seconds before noon", "3 November 2026, 4:12:05.5 AM",        "2026-11-03T04:12:05"),
            ("in German",           "Dienstag, 3. November 2026, 16:12",    "2026-11-03T16:12:00"),
            ("with an umlaut",      "Montag, 2. M\u{e4}rz 2026, 08:05",       "2026-03-02T08:05:00"),
            ("in Spanish",          "martes, 3 de noviembre de 2026, 16:12", "2026-11-03T16:12:00"),
            ("in French",           "mercredi 1 juillet 2026, 16:12",       "2026-07-01T16:12:00"),
            ("June in French",      "lundi 1 juin 2026, 16:12",             "2026-06-01T16:12:00"),
            ("in Catalan",          "dimarts, 3 d’octubre de 2026, 16:12",  "2026-10-03T16:12:00"),
            ("in Italian",          "marted\u{ec}, 3 gennaio 2026, 16:12",    "2026-01-03T16:12:00"),
            ("in Polish",           "wtorek, 3 pa\u{17a}dziernika 2026, 16:12", "2026-10-03T16:12:00"),
            ("in Dutch",            "dinsdag, 3 maart 2026, 16:12",         "2026-03-03T16:12:00"),
            ("in Portuguese",       "terça, 3 de março de 2026, 16:12",     "2026-03-03T16:12:00"),
            ("one comma more",      "Tuesday, 3 November, 2026, 4:12 PM",   "2026-11-03T16:12:00"),
            ("a comma",             "2026-11-03T16:12:05,5-03:30",          "2026-11-03T16:12:05-03:30"),
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
            "Tuesday, 3 Quintember 2026, 4:12 PM",
            "3 November 2026, 13:12 PM",
            "3 November 2026, 0:12 PM",
            "November 3 2026, 4:12 PM",
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
        fn a_time_is_read_back(seconds in 0_i64..4_000_000_000, minutes in proptest::option::of(-840_i32..=840)) {
            let local = DateTime::from_timestamp(seconds, 0).unwrap().naive_utc();
            let offset = minutes.map(|minutes| FixedOffset::east_opt(minutes * 60).unwrap());
            let time = Time { local, offset, is_day: false };
            prop_assert_eq!(Time::parse(&time.iso()), Some(time));
            let day = Time { local: local.date().into(), offset: None, is_day: true };
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
