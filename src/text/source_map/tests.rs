use proptest::prelude::*;

use super::*;

/// `**bold**ly &amp; caf&eacute;` as a reader sees it.
fn example() -> (&'static str, Excerpt) {
    let source = "**bold**ly &amp; caf&eacute;s";
    let mut excerpt = Excerpt::default();
    excerpt.copy(source, 2..6);
    excerpt.copy(source, 8..11);
    excerpt.write("&", 11..16);
    excerpt.copy(source, 16..20);
    excerpt.write("é", 20..28);
    excerpt.copy(source, 28..29);
    (source, excerpt)
}

#[test]
fn places_are_found_again_in_the_source() {
    let (source, excerpt) = example();
    assert_eq!(excerpt.content(), "boldly & cafés");
    #[rustfmt::skip]
    let table = [
        ("a word over a mark", 0..6,   "bold**ly"),
        ("inside a part",      1..3,   "ol"),
        ("up to a mark",       0..4,   "bold"),
        ("written for more",   7..8,   "&amp;"),
        ("a longer letter",    9..15,  "caf&eacute;s"),
        ("its letter alone",   12..14, "&eacute;"),
        ("before it",          9..12,  "caf"),
        ("behind it",          14..15, "s"),
        ("all",                0..15,  "bold**ly &amp; caf&eacute;s"),
    ];
    for (why, range, want) in table {
        assert_eq!(&source[excerpt.source(range)], want, "{why}");
    }
}

#[test]
fn places_of_the_source_are_found_in_the_text() {
    let (source, excerpt) = example();
    #[rustfmt::skip]
    let table = [
        ("before all",         0..2,   ""),
        ("a word over a mark", 0..10,  "boldly"),
        ("up to a mark",       0..6,   "bold"),
        ("from a mark on",     6..10,  "ly"),
        ("inside a part",      3..5,   "ol"),
        ("written for more",   11..16, "&"),
        ("not all of that",    11..13, "&"),
        ("the rest of that",   13..20, " caf"),
        ("a letter at its end", 17..28, "café"),
        ("all",                0..29,  "boldly & cafés"),
    ];
    for (why, range, want) in table {
        assert_eq!(&excerpt.content()[excerpt.target(&range)], want, "{why}: {source}");
    }
    assert_eq!(Excerpt::default().target(&(0..9)), 0..0);
}

#[test]
fn a_part_to_the_word_takes_some_bytes_each() {
    let mut excerpt = Excerpt::default();
    let source = "wo\u{ad}rd ".repeat(3200);
    for start in (0..source.len()).step_by(7) {
        excerpt.write("word", start..start + 6);
        excerpt.copy(&source, start + 6..start + 7);
    }
    let (full, behind) = (3200 / 32, 31);
    assert_eq!(excerpt.into_parts().1.size(), full * (5 * size_of::<usize>() + behind * 4));
}

#[test]
fn an_empty_range_is_a_place() {
    let (_, excerpt) = example();
    assert_eq!(excerpt.source(0..0), 2..2);
    assert_eq!(excerpt.source(15..15), 29..29);
    assert_eq!(Excerpt::default().source(0..0), 0..0);
}

#[test]
fn what_is_written_is_one_place_however_long() {
    let mut excerpt = Excerpt::default();
    excerpt.write("ab", 0..2); // replaces é
    assert_eq!([excerpt.source(0..1), excerpt.source(1..2)], [0..2, 0..2]);
}

/// Each byte of the text comes from the source, and positions never decrease.
#[test]
fn parts_out_of_order_stand_behind_the_last() {
    let source = "one two three";
    let mut excerpt = Excerpt::default();
    excerpt.copy(source, 4..8);
    excerpt.copy(source, 0..4);
    excerpt.write("2", 4..7);
    excerpt.write("tw", 6..10);
    excerpt.copy(source, 10..13);
    assert_eq!(excerpt.content(), "two one 2twree");
    let places: Vec<_> = [0..4, 4..8, 8..9, 9..11, 11..14].map(|at| excerpt.source(at)).into();
    assert_eq!(places, [4..8, 8..8, 8..8, 8..10, 10..13]);
}

#[test]
fn nothing_written_leaves_no_part() {
    let mut excerpt = Excerpt::default();
    excerpt.write("", 0..2);
    excerpt.copy("--ab", 2..2);
    assert_eq!(excerpt, Excerpt::default());
}

/// A part as it was added: its start in the text, its range in the source, and whether it was
/// copied.
type Given = (usize, Range<usize>, bool);

/// The definition of [`Origin::source`]: looks up the part of each end by a linear search.
fn plain_source(parts: &[Given], text: usize, range: Range<usize>) -> Range<usize> {
    let part = |byte: usize| parts.iter().rfind(|(at, ..)| *at <= byte);
    let start = part(range.start).map_or(0, |(at, source, is_copied)| match is_copied {
        true => source.start + (range.start - at),
        false if range.start < text => source.start,
        false => source.end,
    });
    let last = if range.is_empty() { None } else { part(range.end - 1) };
    let end =
        last.map_or(
            start,
            |(at, source, is_copied)| {
                if *is_copied { source.start + (range.end - at) } else { source.end }
            },
        );
    start..end
}

/// The definition of [`Origin::target`], for one end of a range.
fn plain_place(parts: &[Given], text: usize, byte: usize) -> usize {
    let Some(last) = parts.iter().rposition(|(_, source, _)| source.start <= byte) else {
        return 0;
    };
    let next = parts.get(last + 1).map_or(text, |(at, ..)| *at);
    let (at, source, is_copied) = &parts[last];
    match is_copied {
        true => at + (byte - source.start).min(source.len()),
        false if byte == source.start => *at,
        false => next,
    }
}

proptest! {
    /// Parts of a source, by their lengths in bytes: each one is copied, replaced or skipped.
    #[test]
    fn places_agree_with_the_definition(
        steps in proptest::collection::vec((0_usize..3, 0_usize..4, 0_usize..3), 0..12),
    ) {
        let source = "s".repeat(40);
        let (mut excerpt, mut given, mut at) = (Excerpt::default(), Vec::<Given>::new(), 0);
        for (what, length, written) in steps {
            let (range, before) = (at..at + length, excerpt.content().len());
            at += length;
            match what {
                0 => excerpt.copy(&source, range.clone()),
                1 => excerpt.write(&"w".repeat(written), range.clone()),
                _ => continue,
            }
            if before == excerpt.content().len() {
                continue;
            }
            match given.last_mut() {
                Some((_, last, true)) if what == 0 && last.end == range.start => last.end = range.end,
                _ => given.push((before, range, what == 0)),
            }
        }
        let text = excerpt.content().len();
        for start in 0..=text {
            for end in start..=text {
                prop_assert_eq!(excerpt.source(start..end), plain_source(&given, text, start..end));
            }
        }
        for byte in 0..=at {
            prop_assert_eq!(excerpt.target(&(byte..byte)).start, plain_place(&given, text, byte));
        }
    }
}
