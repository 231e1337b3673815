//! Reads the properties of an Office document from before 2007: its author, its last editor and its
//! creation time.
//!
//! Input: the stream `SummaryInformation`. Source: Microsoft, *\[MS-OLEPS\]: Object Linking and
//! Embedding (OLE) Property Set Data Structures*.

use encoding_rs::{Encoding, UTF_16LE, WINDOWS_1252};

use super::compound::{index, numbers, u16_at, u32_at};
use crate::text::Properties;
use crate::text::properties::cleaned;

/// The longest text of a property, in bytes.
const MAX_TEXT: usize = 1 << 12;

/// Reads the properties; `None` if the stream has none.
pub(super) fn properties(stream: &[u8]) -> Option<Properties> {
    let set = stream.get(index(u32_at(stream, 44)?)..)?;
    let count = index(u32_at(set, 4)?);
    let value = |wanted: u32| {
        let pairs = numbers(set.get(8..)?).zip(numbers(set.get(12..)?)).step_by(2);
        let (_, offset) = pairs.take(count).find(|(number, _)| *number == wanted)?;
        set.get(index(offset)..)
    };
    let encoding = encoding_of(value(1).and_then(|it| u16_at(it, 4)).unwrap_or(1252));
    Some(Properties {
        author: value(4).and_then(|it| text(it, encoding)),
        last_modified_by: value(8).and_then(|it| text(it, encoding)),
        created: value(12).and_then(time),
    })
}

/// Returns the encoding with the number of a code page of Windows.
fn encoding_of(page: u16) -> &'static Encoding {
    match page {
        932 => encoding_rs::SHIFT_JIS,
        936 => encoding_rs::GBK,
        950 => encoding_rs::BIG5,
        1200 => UTF_16LE,
        10000 => encoding_rs::MACINTOSH,
        65001 => encoding_rs::UTF_8,
        page => Encoding::for_label(format!("windows-{page}").as_bytes()).unwrap_or(WINDOWS_1252),
    }
}

/// Returns the text of a property, without its padding; `None` if it is empty or of another type.
fn text(value: &[u8], encoding: &'static Encoding) -> Option<String> {
    let size = index(u32_at(value, 4)?);
    let (size, encoding) = match u32_at(value, 0)? {
        0x1e => (size, encoding),
        0x1f => (size.saturating_mul(2), UTF_16LE),
        _ => return None,
    };
    let bytes = value.get(8..)?;
    let (text, _) =
        encoding.decode_without_bom_handling(&bytes[..bytes.len().min(size).min(MAX_TEXT)]);
    cleaned(text.split('\0').next()?)
}

/// Returns a time, which is stored in units of 100 ns since 1601; `None` if there is none.
fn time(value: &[u8]) -> Option<String> {
    let ticks = u64::from(u32_at(value, 8)?) << 32 | u64::from(u32_at(value, 4)?);
    let seconds = ticks / 10_000_000;
    if u32_at(value, 0)? != 0x40 || seconds == 0 {
        return None;
    }
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"))
}

/// Returns the year, month and day of the Gregorian calendar, from the days since 1601-01-01.
fn date(days: u64) -> (u64, u64, u64) {
    // Years that begin in March, in cycles of 400 years from 0000-03-01 (Hinnant, chrono-Compatible
    // Low-Level Date Algorithms, `civil_from_days`).
    let days = days + 584_694;
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let begins = u64::from(month >= 10);
    (cycle * 400 + year + begins, month + 3 - 12 * begins, day - (153 * month + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a stream with some properties, each with its number, its type and its value.
    fn stream(list: &[(u32, u32, &[u8])]) -> Vec<u8> {
        let count = u32::try_from(list.len()).unwrap();
        let (mut set, mut values) = ([0, count].map(u32::to_le_bytes).concat(), Vec::new());
        for (number, kind, value) in list {
            let offset = 8 + 8 * count + u32::try_from(values.len()).unwrap();
            set.extend([*number, offset].map(u32::to_le_bytes).concat());
            values.extend(kind.to_le_bytes());
            values.extend_from_slice(value);
            values.resize(values.len().next_multiple_of(4), 0);
        }
        [&[0; 44], &48_u32.to_le_bytes()[..], &set, &values].concat()
    }

    #[test]
    fn properties_are_read_in_their_code_page() {
        let author: &[u8] = &[5, 0, 0, 0, 0xc7, 0xee, 0xff, 0, 0];
        let wide: &[u8] = &[3, 0, 0, 0, 0x17, 0x04, 0x3e, 0x04, 0, 0];
        let created: &[u8] = &[0x00, 0xa0, 0x31, 0x7d, 0x25, 0x12, 0xc3, 0x01];
        let of = |list: &[_]| properties(&stream(list)).unwrap();
        assert_eq!(of(&[]), Properties::default());
        let read =
            of(&[(1, 2, &[0xe3, 0x04]), (4, 0x1e, author), (8, 0x1f, wide), (12, 0x40, created)]);
        let created = Some("2003-05-04T10:11:12Z".to_owned());
        assert_eq!(read.created, created);
        assert_eq!(
            [read.author.as_deref(), read.last_modified_by.as_deref()],
            [Some("Зоя"), Some("Зо")]
        );
        let read = of(&[(4, 0x1e, author), (8, 3, wide), (12, 0x40, &[0; 8])]);
        assert_eq!(read, Properties { author: Some("Çîÿ".to_owned()), ..Properties::default() });
        let read = of(&[(1, 2, &[0xe9, 0xfd]), (4, 0x1e, &[9, 0, 0, 0, 0xc3, 0xab])]);
        assert_eq!(read.author.as_deref(), Some("ë"), "a value that is cut");
        assert_eq!(properties(&[0; 40]), None);
    }

    #[test]
    fn days_are_dates() {
        let table = [
            (0, (1601, 1, 1)),
            (59, (1601, 3, 1)),
            (145_790, (2000, 2, 29)),
            (146_097, (2001, 1, 1)),
        ];
        for (days, want) in table {
            assert_eq!(date(days), want, "{days}");
        }
    }
}
