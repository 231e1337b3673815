//! Formats numbers and names for people, and output for logs.

pub mod inert;

use std::fmt::Write;
use std::path::Path;

use unicode_width::UnicodeWidthStr;

use crate::jaccard::Share;
use crate::passages::{Kind, Passage};
use crate::text::{Encoding, EncodingBy, Place, Text, display_path};
use crate::verdict::Verdict;

/// Formats a count with a comma between thousands: 1,204.
pub fn thousands(count: usize) -> String {
    let digits = count.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    groups.map(|group| String::from_utf8_lossy(group)).collect::<Vec<_>>().join(",")
}

/// Formats a share with four decimals, truncated rather than rounded, so that a share below a limit
/// never looks as if it had reached it.
pub fn decimal(share: Share) -> String {
    let digits = share.shared() as u128 * 10_000 / share.total() as u128;
    format!("{}.{:04}", digits / 10_000, digits % 10_000)
}

/// Formats a share in per cent, truncated rather than rounded, so that 100 % means all; `None` is 0
/// %.
pub fn percent(share: Option<Share>) -> String {
    match share.map_or((0, 0), |share| (share.filled(100), share.shared())) {
        (0, 1..) => "under 1\u{a0}%".to_owned(),
        (percent, _) => format!("{percent}\u{a0}%"),
    }
}

/// Formats the encoding of a text, and how it was determined unless it is UTF-8 without a byte
/// order mark.
pub fn encoding(text: &Text) -> String {
    let name = text.encoding().to_string();
    match text.encoding_by() {
        EncodingBy::Content if text.encoding() == Encoding::UTF_8 => name,
        EncodingBy::Content => name + " by content",
        EncodingBy::Mark => name + " with byte order mark",
        EncodingBy::Given => name + " as given",
    }
}

/// Formats a path for a terminal.
pub fn path(path: &Path) -> String {
    visible(&display_path(path))
}

/// Formats a text for a terminal: characters that would move the cursor, change the colour or
/// reverse the direction of writing are shown as escape sequences with their code points.
pub fn visible(text: &str) -> String {
    text.chars()
        .map(
            |letter| {
                if hides(letter) { letter.escape_unicode().to_string() } else { letter.into() }
            },
        )
        .collect()
}

/// Reports whether a character would move the cursor or is invisible.
///
/// A soft hyphen is not counted, as texts have it in their words, nor are the selectors that give a
/// character another form.
pub fn hides(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Formats a count with a noun in the singular or the plural: `1 word`, `2 words`.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{} {noun}{}", thousands(count), if count == 1 { "" } else { "s" })
}

/// Formats a range of verdicts: `level` and all closer ones.
pub fn or_closer(level: Verdict) -> String {
    match level {
        Verdict::Identical => "identical".to_owned(),
        level => format!("{level} or closer"),
    }
}

/// Formats the length of a passage, which is that of its longer side, how its two sides differ, and
/// how often the texts repeat it.
pub fn extent(passage: &Passage) -> String {
    match passage.repeats.iter().map(Vec::len).sum() {
        0 => extent_alone(passage),
        times => format!("{}, repeated {}", extent_alone(passage), counted(times, "time")),
    }
}

fn extent_alone(passage: &Passage) -> String {
    let (kept, changed) = (passage.words(), passage.changed_words());
    let words = counted(kept + changed, "word");
    let order = if passage.is_reordered() { ", in another order" } else { "" };
    let how = match (passage.kind(), changed) {
        (Kind::Exact, _) => ", word for word".to_owned(),
        (Kind::Reworded, _) => format!("{order}, {} of them the same", thousands(kept)),
        (Kind::Edited, 0) => order.to_owned(),
        (Kind::Edited, _) if passage.is_mostly_changed() => {
            format!("{order}, {} of them the same", thousands(kept))
        }
        (Kind::Edited, changed) => format!("{order}, {} changed", thousands(changed)),
    };
    let is_part = passage.kind() == Kind::Edited && !passage.reworded[0].is_empty();
    let part = if is_part { ", reworded in part" } else { "" };
    match passage.own_words(0).max(passage.own_words(1)) {
        0 => format!("{words}{how}{part}"),
        own => format!("{words}{how}{part}, {} among them", counted(own, "other word")),
    }
}

/// Breaks prose between words into lines of at most `max_width` columns. Lines after the first
/// begin with `indent` spaces. A word longer than a line is not broken.
pub fn wrapped(prose: &str, max_width: usize, indent: usize) -> String {
    let (mut page, mut width) = (String::new(), 0);
    for word in prose.split(' ') {
        let columns = word.width();
        if width > indent && width + 1 + columns > max_width {
            let _ = write!(page, "\n{:indent$}", "");
            width = indent;
        } else if !page.is_empty() {
            page.push(' ');
            width += 1;
        }
        page += word;
        width += columns;
    }
    page + "\n"
}

/// Formats the file of a place, relative to the path of the joined text, followed by a comma. Empty
/// if the text is a single file.
pub fn file_of(text: &Text, place: &Place) -> String {
    let is_one = text.files().next().is_none();
    if is_one { String::new() } else { file_name(text, text.file(place)) + ", " }
}

/// Formats the path of a file relative to the joined text that contains it.
pub fn file_name(text: &Text, file: &Text) -> String {
    path(file.path().strip_prefix(text.path()).unwrap_or(file.path()))
}

/// Formats the position of a place in its file: `page 3`, `slides 3 to 4`, or `lines 3 to 11` if
/// the file has no pages.
pub fn position(place: &Place) -> String {
    let (name, numbers) = place.found_by();
    match numbers.map(thousands) {
        [first, last] if first == last => format!("{name} {first}"),
        [first, last] => format!("{name}s {first} to {last}"),
    }
}

/// Formats the position at which a place begins in its file: `page 3`, `line 3`.
pub fn first_position(place: &Place) -> String {
    let (name, [first, _]) = place.found_by();
    format!("{name} {}", thousands(first))
}

/// The usual number of characters of an [`excerpt`].
pub const EXCERPT: usize = 80;

/// Returns the beginning of a part of a text: whole words, up to `most` characters. A longer first
/// word is cut. An ellipsis follows if anything is left out.
pub fn excerpt(content: &str, most: usize) -> String {
    let (mut excerpt, mut length) = (String::new(), 0);
    for word in content.split_whitespace() {
        let space = usize::from(length > 0);
        length += space + word.chars().take(most + 1).count();
        if length > most {
            excerpt.extend(word.chars().take(if space == 0 { most } else { 0 }));
            return excerpt + "…";
        }
        excerpt.extend(std::iter::repeat_n(' ', space));
        excerpt.push_str(word);
    }
    excerpt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_whole_words() {
        let forty = "é".repeat(40);
        #[rustfmt::skip]
        let table = [
            ("nothing",            String::new(), String::new()),
            ("short",              "One  two\n\tthree".to_owned(), "One two three".to_owned()),
            ("79 and a space",     format!("{forty} {}", &"x".repeat(39)), format!("{forty} {}", "x".repeat(39))),
            ("one too many",       format!("{forty} {}", "x".repeat(40)), format!("{forty}…")),
            ("a long word",        "水".repeat(81), format!("{}…", "水".repeat(80))),
        ];
        for (why, content, want) in table {
            assert_eq!(excerpt(&content, EXCERPT), want, "{why}");
        }
    }

    #[test]
    fn thousands_are_parted() {
        for (count, want) in
            [(0, "0"), (7, "7"), (999, "999"), (1204, "1,204"), (1_000_000, "1,000,000")]
        {
            assert_eq!(thousands(count), want);
        }
    }

    #[test]
    fn decimals_are_cut_not_rounded() {
        for (shared, of, want) in
            [(0, 7, "0.0000"), (1, 2, "0.5000"), (49_999, 100_000, "0.4999"), (7, 7, "1.0000")]
        {
            assert_eq!(decimal(Share::new(shared, of).unwrap()), want);
        }
    }

    #[test]
    fn shares_in_per_cent_are_cut_not_rounded() {
        #[rustfmt::skip]
        let table = [
            ("none",       0,   7,    "0 %"),
            ("a little",   1,   101,  "under 1 %"),
            ("nearly all", 999, 1000, "99 %"),
            ("all",        7,   7,    "100 %"),
            ("of nothing", 0,   0,    "0 %"),
        ];
        for (why, shared, of, want) in table {
            assert_eq!(percent(Share::new(shared, of)).replace('\u{a0}', " "), want, "{why}");
        }
    }

    #[test]
    fn lines_break_between_words() {
        #[rustfmt::skip]
        let table = [
            ("one line",        "of a kind",      9, 2, "of a kind\n"),
            ("a word more",     "of a kind b",    9, 2, "of a kind\n  b\n"),
            ("longer than all", "abcdefghij of a", 4, 0, "abcdefghij\nof a\n"),
            ("behind a name",   "Name it is",     8, 5, "Name it\n     is\n"),
            ("nothing",         "",               9, 2, "\n"),
            ("letters of two columns", "水火 水火", 8, 0, "水火\n水火\n"),
            ("that just fit",   "水火 水火",      9, 0, "水火 水火\n"),
        ];
        for (why, prose, max_width, indent, want) in table {
            assert_eq!(wrapped(prose, max_width, indent), want, "{why}");
        }
    }

    #[test]
    fn what_would_fool_a_terminal_is_shown_by_its_number() {
        assert_eq!(visible("a\u{1b}[2J\u{202e}b\nc"), "a\\u{1b}[2J\\u{202e}b\\u{a}c");
        assert_eq!(visible("l’home 水"), "l’home 水");
        assert_eq!(
            visible("a\u{61c}\u{2028}\u{3164}\u{e0041}b"),
            "a\\u{61c}\\u{2028}\\u{3164}\\u{e0041}b"
        );
    }
}
