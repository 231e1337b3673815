use std::path::Path;

use encoding_rs as whatwg;
use proptest::prelude::*;

use super::*;
use crate::text::{Encoding, Kind, ReadOptions};
use crate::tokens;

/// Decodes bytes, and returns the place of the first occurrence of a part.
fn place(path: &str, bytes: &[u8], label: &str, part: &str) -> Place {
    let encoding = (!label.is_empty()).then(|| Encoding::from_label(label).unwrap());
    let options = ReadOptions { encoding, lossy: true, ..ReadOptions::default() };
    let text = Text::decode(Path::new(path), bytes.to_vec(), &options).unwrap();
    let start = text.content().find(part).unwrap_or_else(|| panic!("{:?}", text.content()));
    let part = start..start + part.len();
    let place = text.places(std::slice::from_ref(&part)).remove(0);
    assert_eq!(place.content, part);
    place
}

#[test]
fn places_are_those_of_the_file_as_it_is_stored() {
    #[rustfmt::skip]
    let table: &[(&str, &str, &[u8], &str, &str, Range<usize>, [usize; 4])] = &[
        ("the first word",       "x", b"one two",                         "",      "one",      0..3,   [1, 1, 1, 4]),
        ("the last",             "x", b"one two",                         "",      "two",      4..7,   [1, 1, 5, 8]),
        ("columns are letters",  "x", "é né 😀 a".as_bytes(),             "",      "né 😀",    3..11,  [1, 1, 3, 7]),
        ("lines",                "x", b"one\ntwo\n\nthree",               "",      "three",    9..14,  [4, 4, 1, 6]),
        ("over lines",           "x", b"a one\ntwo b",                    "",      "one\ntwo", 2..9,   [1, 2, 3, 4]),
        ("CR LF",                "x", b"one\r\ntwo",                      "",      "two",      5..8,   [2, 2, 1, 4]),
        ("a mark",               "x", b"\xef\xbb\xbfone two",             "",      "two",      7..10,  [1, 1, 5, 8]),
        ("Latin-1",              "x", b"caf\xe9 noir",                    "latin1", "noir",    5..9,   [1, 1, 6, 10]),
        ("UTF-16 with a mark",   "x", b"\xff\xfea\0 \0b\0\n\0c\0",        "",      "b\nc",     6..12,  [1, 2, 3, 2]),
        ("a pair of surrogates", "x", b"\xff\xfe\x3d\xd8\x00\xde \0b\0",  "",      "b",        8..10,  [1, 1, 3, 4]),
        ("UTF-32",               "x", b"\0\0\0a\0\0\0 \0\0\0b",           "utf-32be", "b",     8..12,  [1, 1, 3, 4]),
        ("Shift JIS",            "x", b"\x93\xfa a\n\x96\x7b b",          "sjis",  "b",        8..9,   [2, 2, 3, 4]),
        ("its letter",           "x", b"\x93\xfa a\n\x96\x7b b",          "sjis",  "本",       5..7,   [2, 2, 1, 2]),
        ("two letters of one",   "x", b"a \x88\x62 b",                    "big5",  "b",        5..6,   [1, 1, 6, 7]),
        ("escapes belong to what follows", "x", b"a\x1b$B\x46\x7c\x1b(B\nb", "iso-2022-jp", "日", 1..6, [1, 1, 2, 3]),
        ("and so do those back", "x", b"a\x1b$B\x46\x7c\x1b(B\nb",        "iso-2022-jp", "b", 10..11, [2, 2, 1, 2]),
        ("damage",               "x", b"a\xff\xe2\x82 b\n\xfe c",         "utf-8", "b",        5..6,   [1, 1, 5, 6]),
        ("more of it",           "x", b"a\xff\xe2\x82 b\n\xfe c",         "utf-8", "c",        9..10,  [2, 2, 3, 4]),
        ("a disguised word",     "x", "a pl\u{430}gue b".as_bytes(),      "",      "plague",   2..9,   [1, 1, 3, 9]),
        ("behind it",            "x", "a pl\u{430}gue b".as_bytes(),      "",      "b",        10..11, [1, 1, 10, 11]),
        ("one of several words", "x", "水\u{200b}火山".as_bytes(),           "",      "火",       6..9,   [1, 1, 3, 4]),
        ("reversed text",        "x", "\u{202e}eugalp eht\u{202c} is".as_bytes(), "", "the plague", 0..16, [1, 1, 1, 13]),
        ("its first word",       "x", "\u{202e}eugalp eht\u{202c} is".as_bytes(), "", "the",      10..13, [1, 1, 9, 12]),
        ("its last word",        "x", "\u{202e}eugalp eht\u{202c} is".as_bytes(), "", "plague",   3..9,   [1, 1, 2, 8]),
        ("up to its line end",   "x", "\u{202e}eugalp eht\nis".as_bytes(), "",     "plague",   3..9,   [1, 1, 2, 8]),
        ("a part and others",    "x", "\u{202e}eugalp eht\u{202c} is".as_bytes(), "", "plague is", 17..19, [1, 1, 14, 16]),
        ("others and a part",    "x", "is \u{202e}eugalp eht\u{202c}".as_bytes(), "", "is the", 0..2,   [1, 1, 1, 3]),
        ("parts of two",         "x", "\u{202e}b a\n\u{202e}d c".as_bytes(), "",  "b\nc",     3..4,   [1, 1, 2, 3]),
        ("reversed in Markdown", "x.md", "*a* \u{202e}eugalp eht\u{202c} *b*".as_bytes(), "", "plague", 7..13, [1, 1, 6, 12]),
        ("Markdown",             "x.md", b"# One\n\n**bold**ly [b](c) d", "",      "boldly b", 9..20,  [3, 3, 3, 14]),
        ("in UTF-16",            "x.md", b"\xff\xfe*\0a\0*\0 \0b\0",      "",      "a b",      4..12,  [1, 1, 2, 6]),
        ("and disguised",        "x.md", "*a* pl\u{430}gue *b*".as_bytes(), "",    "plague b", 4..14,  [1, 1, 5, 14]),
        ("of others the text's", "x", b"<!doctype html><p>one<p>two",     "",      "two",      5..8,   [3, 3, 1, 4]),
        ("without the mark",     "x", b"\xef\xbb\xbf<!doctype html><p>one", "",    "one",      0..3,   [1, 1, 1, 4]),
        ("where they are UTF-8", "x", b"<!doctype html><p>\xe9 one",      "latin1", "one",     3..6,   [1, 1, 3, 6]),
    ];
    for (why, path, bytes, label, part, want, [first, last, from, to]) in table {
        let got = place(path, bytes, label, part);
        assert_eq!(got.bytes, *want, "{why}");
        assert_eq!((got.lines, got.columns), ([*first, *last], [*from, *to]), "{why}");
    }
}

#[test]
fn only_what_no_character_tells_is_kept() {
    let kept = |bytes: &[u8], label: &str| {
        let encoding = Encoding::from_label(label);
        let options = ReadOptions { encoding, lossy: true, ..ReadOptions::default() };
        let text = Text::decode(Path::new("x"), bytes.to_vec(), &options).unwrap();
        assert_eq!(text.kind(), Kind::Plain);
        (text.extras().stored.characters.is_some(), text.extras().stored.bytes.is_some())
    };
    assert_eq!(kept("né".as_bytes(), "utf-8"), (false, false));
    assert_eq!(kept(b"n\xe9", "latin1"), (false, false));
    assert_eq!(kept(b"a\0", "utf-16le"), (false, false));
    assert_eq!(kept(b"\x93\xfa", "sjis"), (false, true));
    assert_eq!(kept(b"n\xe9", "utf-8"), (false, true));
    assert_eq!(kept("pl\u{430}gue".as_bytes(), "utf-8"), (true, false));
}

proptest! {
    /// The bytes at a place decode to the part whose place was requested.
    #[test]
    fn what_stands_there_is_the_part(
        text in "[ab日本語カ。\n]{0,40}", label in prop::sample::select(vec![
            "utf-8", "gbk", "gb18030", "big5", "euc-jp", "euc-kr", "shift_jis",
        ]), from in 0_usize..40, to in 0_usize..40,
    ) {
        let encoding = whatwg::Encoding::for_label(label.as_bytes()).unwrap();
        let (bytes, _, _) = encoding.encode(&text);
        let options = ReadOptions { encoding: Encoding::from_label(label), ..ReadOptions::default() };
        let read = Text::decode(Path::new("x"), bytes.to_vec(), &options).unwrap();
        let ends: Vec<usize> = read.content().char_indices().map(|(at, _)| at).collect();
        let end = |at: usize| ends.get(at).copied().unwrap_or(read.content().len());
        let part = end(from.min(to))..end(from.max(to));
        let places = read.places(&[part.clone(), 0..0]);
        let there = encoding.decode(&bytes[places[0].bytes.clone()]).0;
        prop_assert_eq!(&read.content()[part], there);
        prop_assert_eq!(&places[1].bytes, &(0..0));
    }
}

#[test]
fn words_in_disguise_are_those_of_the_content() {
    #[rustfmt::skip]
    let table: &[(&str, &str, &str, &[(&str, &str)])] = &[
        ("none",               "x",    "a plague",                  &[]),
        ("look-alike letters", "x",    "é pl\u{430}gue b",          &[("plague", "pl<U+0430>gue")]),
        ("several tricks",     "x",    "a ke\u{200b}ttle of l\u{430}mps", &[("kettle", "ke<U+200B>ttle"), ("lamps", "l<U+0430>mps")]),
        ("in Markdown",        "x.md", "*a* pl\u{430}gue",          &[("plague", "pl<U+0430>gue")]),
        ("in a web page",      "x",    "<!doctype html><p>a pl\u{430}gue", &[("plague", "pl<U+0430>gue")]),
        ("typesetting",        "x",    "\u{fb01}sh and ca\u{ad}ke", &[]),
    ];
    for (why, path, written, want) in table {
        let text = Text::from_bytes(Path::new(path), written.as_bytes().to_vec()).unwrap();
        let words: Vec<_> = text
            .disguised_words()
            .map(|(span, written)| (text.content()[span].to_owned(), written))
            .collect();
        let want: Vec<_> = want
            .iter()
            .map(|(word, written)| ((*word).to_owned(), (*written).to_owned()))
            .collect();
        assert_eq!(words, want, "{why}");
    }
}

#[test]
fn what_is_kept_in_addition_to_the_content_says_places() {
    let extra_bytes =
        |bytes: &[u8]| Text::from_bytes(Path::new("x"), bytes.to_vec()).unwrap().extra_bytes();
    assert_eq!([extra_bytes(b""), extra_bytes(b"plain text")], [0; 2]);
    let disguised = "a ke\u{200b}ttle";
    let parts = 5 * size_of::<usize>() + 4;
    assert_eq!(extra_bytes(disguised.as_bytes()), disguised.len() + parts, "copied, and written");
}

/// Joins a file in Latin-1, a disguised Markdown file, an empty file, and a web page.
fn of_files() -> Text {
    let file = |path: &str, bytes: &[u8]| Text::from_bytes(Path::new(path), bytes.to_vec());
    let files = [
        file("in/a.txt", b"caf\xe9 \xfcber\none"),
        file("in/b.md", "> two *pl\u{430}gue*\n> three".as_bytes()),
        file("in/c.txt", b""),
        file("other/d.html", b"<!doctype html><p>four<p>one"),
    ];
    Text::joined(Path::new("in"), files.into_iter().map(Result::unwrap).collect())
}

#[test]
fn places_in_a_text_of_files_are_those_of_each_file() {
    let text = of_files();
    assert_eq!(text.content(), "café über\none\n\ntwo plague\nthree\n\n\n\n\nfour\n\none\n");
    #[rustfmt::skip]
    let table: &[(&str, Range<usize>, usize, Range<usize>, [usize; 4])] = &[
        ("the first",           0..5,    0, 0..4,   [1, 1, 1, 5]),
        ("its second line",     12..15,  0, 10..13, [2, 2, 1, 4]),
        ("the second's first",  17..27,  1, 2..14,  [1, 1, 3, 14]),
        ("its last",            28..33,  1, 18..23, [2, 2, 3, 8]),
        ("the page's text",     38..42,  3, 0..4,   [1, 1, 1, 5]),
        ("over a border",       12..20,  0, 10..13, [2, 2, 1, 4]),
        ("between two",         16..17,  0, 13..13, [2, 2, 4, 4]),
        ("the empty one",       36..36,  2, 0..0,   [1, 1, 1, 1]),
    ];
    let ranges: Vec<Range<usize>> = table.iter().map(|row| row.1.clone()).collect();
    let places = text.places(&ranges);
    for ((why, _, file, bytes, [first, last, from, to]), place) in table.iter().zip(&places) {
        assert_eq!((place.file, &place.bytes), (*file, bytes), "{why}");
        assert_eq!((place.lines, place.columns), ([*first, *last], [*from, *to]), "{why}");
    }
    assert_eq!(places[0].content, 0..5);
    assert_eq!(places[5].content, 12..15, "what is in the first file");
    assert_eq!(text.file(&places[3]).path(), Path::new("in/b.md"));
    let kinds: Vec<Kind> = text.files().map(Text::kind).collect();
    assert_eq!(kinds, [Kind::Plain, Kind::Markdown, Kind::Plain, Kind::Html]);
    assert_eq!(text.kind(), Kind::Files);
}

#[test]
fn a_text_of_files_has_what_is_known_of_each() {
    let text = of_files();
    assert_eq!(text.bytes(), 13 + 23 + 28);
    let quotes = text.block_quotes().iter().map(|it| &text.content()[it.clone()]);
    assert_eq!(quotes.collect::<Vec<_>>(), ["two plague\nthree\n"]);
    let [found] = text.disguises() else { panic!("{:?}", text.disguises()) };
    assert_eq!((found.file.as_deref(), found.line), (Some(Path::new("b.md")), Some(1)));
    let words: Vec<_> = text.disguised_words().collect();
    assert_eq!(words, [(21..27, "pl<U+0430>gue".to_owned())]);
    let parts = text.parts().map(|part| &text.content()[part]);
    assert_eq!(
        parts.collect::<Vec<_>>(),
        ["café über\none", "two plague\nthree\n", "", "four\n\none\n"]
    );
    let bare = text.clone().without_content();
    assert_eq!((bare.content(), bare.extra_bytes(), bare.files().count()), ("", 0, 4));
    assert!(text.extra_bytes() > 0);
    let none = Text::joined(Path::new("in"), Vec::new());
    assert_eq!((none.content(), none.files().count()), ("", 0));
}

#[test]
fn pages_are_those_of_the_first_and_of_the_last_character() {
    let starts = [0, 10, 10, 20];
    #[rustfmt::skip]
    let table: &[(&str, Kind, &[usize], Range<usize>, Option<(&str, [usize; 2])>)] = &[
        ("the first page",          Kind::Pdf,   &starts,  0..9,    Some(("page", [1, 1]))),
        ("up to its end",           Kind::Pdf,   &starts,  3..10,   Some(("page", [1, 1]))),
        ("a byte more",             Kind::Pdf,   &starts,  3..11,   Some(("page", [1, 3]))),
        ("behind an empty slide",   Kind::Pptx,  &starts,  10..12,  Some(("slide", [3, 3]))),
        ("the last",                Kind::Odp,   &starts,  20..900, Some(("slide", [4, 4]))),
        ("a place of no length",    Kind::Pdf,   &starts,  20..20,  Some(("page", [4, 4]))),
        ("before the first",        Kind::Odp,   &[5],     0..9,    None),
        ("none",                    Kind::Odp,   &[],      0..9,    None),
        ("a kind without",          Kind::Docx,  &starts,  0..9,    None),
    ];
    for (why, kind, starts, range, want) in table {
        let pages = Pages::new(*kind, starts, range);
        assert_eq!(pages.map(|pages| (pages.name, pages.numbers)), *want, "{why}");
    }
}

proptest! {
    /// Parts of a text that do not overlap have places that do not, with reversed lines as well.
    #[test]
    fn places_of_parts_do_not_overlap(
        lines in prop::collection::vec((prop::collection::vec("[a-z]{1,9}", 1..6), any::<bool>(), any::<bool>()), 1..6),
        lengths in prop::collection::vec(1_usize..7, 30),
    ) {
        let written = lines.iter().map(|(words, is_reversed, is_ended)| {
            let line = words.join(" ");
            if !is_reversed {
                return line + "\n";
            }
            let end = if *is_ended { "\u{202c}\n" } else { "\n" };
            format!("\u{202e}{}{end}", line.chars().rev().collect::<String>())
        });
        let written = written.collect::<String>().into_bytes();
        let text = Text::decode(Path::new("x"), written, &ReadOptions::default()).unwrap();
        let mut words = text.content().split_whitespace().map(|word| {
            let start = word.as_ptr().addr() - text.content().as_ptr().addr();
            start..start + word.len()
        });
        let parts = lengths.into_iter().map_while(|length| {
            let part: Vec<Range<usize>> = words.by_ref().take(length).collect();
            Some(part.first()?.start..part.last()?.end)
        });
        let parts: Vec<Range<usize>> = parts.collect();
        let mut places: Vec<Range<usize>> = text.places(&parts).into_iter().map(|it| it.bytes).collect();
        places.sort_unstable_by_key(|place| place.start);
        prop_assert!(places.iter().all(|place| !place.is_empty()));
        prop_assert!(places.windows(2).all(|pair| pair[0].end <= pair[1].start), "{places:?}");
    }

    /// Reversed text from which other disguises were removed as well, with letters of several bytes.
    #[test]
    fn each_word_has_a_place_whatever_was_removed_around_it(
        written in "([aпйي][\u{200b}\u{301}\u{202e}\u{202c}\u{ad}]?| |\n|pаge|l´a|\u{202e}[aйي]{1,3}\u{200b}[aй]{1,3} ){0,30}",
    ) {
        let text = Text::decode(Path::new("x"), written.clone().into_bytes(), &ReadOptions::default()).unwrap();
        let words: Vec<Range<usize>> = tokens::split(text.content()).0.into_iter().map(|it| it.span).collect();
        for (word, place) in words.iter().zip(text.places(&words)) {
            prop_assert!(written.get(place.bytes.clone()).is_some(), "{word:?}: {place:?}");
        }
    }
}
