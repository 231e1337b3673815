use proptest::prelude::*;

use super::*;

fn words(text: &str) -> Vec<String> {
    split(text).0.into_iter().map(|token| token.word.into_owned()).collect()
}

#[test]
fn a_text_is_split_into_words() {
    #[rustfmt::skip]
    let table: &[(&str, &str, &[&str])] = &[
        ("nothing",                       "",                        &[]),
        ("white space",                   " \t\r\n\u{a0}\u{3000}",   &[]),
        ("punctuation",                   "… — !?",                  &[]),
        ("spaces and stops",              "One, two.  Three!",       &["one", "two", "three"]),
        ("an apostrophe inside",          "don't 'quoted'",          &["don't", "quoted"]),
        ("a typographic one",             "don’t ‘quoted’",          &["don't", "quoted"]),
        ("one that is typed",             "don`t l´e\u{301}te\u{301}`s I\u{2032}m", &["don't", "l'\u{e9}t\u{e9}'s", "i'm"]),
        ("but no quotation",              "``a` b´ 5`a a`5",         &["a", "b", "5", "a", "a", "5"]),
        ("nor where no letters join",     "水`火",                    &["水", "火"]),
        ("numbers",                       "3.14 and 1,000",          &["3.14", "and", "1,000"]),
        ("a hyphen in a line parts",      "well-known",              &["well", "known"]),
        ("a hyphen at a line's end joins", "exam-\nple",             &["example"]),
        ("by CR LF too",                  "exam-\r\nple",            &["example"]),
        ("by a soft hyphen too",          "exam\u{ad}\nple",         &["example"]),
        ("after an accent in two parts",  "cafe\u{301}-\nbar",       &["caf\u{e9}bar"]),
        ("twice",                         "ex-\nam-\nple",           &["example"]),
        ("not before a capital",          "Baden-\nWürttemberg",     &["baden", "württemberg"]),
        ("not after a digit",             "4-\nfold",                &["4", "fold"]),
        ("not over an empty line",        "exam-\n \nple",           &["exam", "ple"]),
        ("over an indent",                "exam-\n \tple",           &["example"]),
        ("after blanks",                  "exam- \t\r\nple",        &["example"]),
        ("in a quoted message",           "exam-\n> > ple",          &["example"]),
        ("by a not sign",                 "exam¬\nple",              &["example"]),
        ("by a double hyphen",            "exam⸗\nple",              &["example"]),
        ("and another",                   "exam⹀\nple",              &["example"]),
        ("not by an equals sign",         "exam=\nple",              &["exam", "ple"]),
        ("no blanks at a line separator", "exam-\u{2028} ple",       &["exam", "ple"]),
        ("not after a dash",              "exam –\nple",             &["exam", "ple"]),
        ("not after a space",             "exam -\nple",             &["exam", "ple"]),
        ("Persian on an Arabic keyboard", "می\u{200c}کنیم ۱۲",         &["ميكنيم", "١٢"]),
        ("Kurdish and Urdu",              "ەہھه",                     &["هههه"]),
        ("Romanian on a Turkish keyboard", "Știință",               &["ştiinţă"]),
        ("a radical of a PDF",            "⾔⼥⺠",                      &["言", "女", "民"]),
        ("Tamil au",                      "கௌ கெள",                  &["கெள", "கெள"]),
        ("not over two hyphens",          "exam--\nple",             &["exam", "ple"]),
        ("a hyphen at the text's end",    "exam-\n",                 &["exam"]),
        ("the middle dot of Catalan",     "col·lecció",              &["col·lecció"]),
        ("Arabic tatweel",                "كتــاب ــ هـ",             &["كتاب", "ه"]),
        ("a ligature of four words",      "a ﷺ b",                   &["a", "صلي", "الله", "عليه", "وسلم", "b"]),
    ];
    for (why, text, want) in table {
        assert_eq!(words(text), *want, "{why}");
    }
}

/// Every letter with its marks is a word, except that katakana, digits and Latin letters form runs.
#[test]
fn scripts_without_spaces_are_split_into_letters() {
    #[rustfmt::skip]
    let table: &[(&str, &str, &[(&str, Range<usize>)])] = &[
        ("Chinese",          "水开了，请关火。",
            &[("水", 0..3), ("开", 3..6), ("了", 6..9), ("请", 12..15), ("关", 15..18), ("火", 18..21)]),
        ("with Latin and digits", "用Linux 5写x1程",
            &[("用", 0..3), ("linux", 3..8), ("5", 9..10), ("写", 10..13), ("x1", 13..15), ("程", 15..18)]),
        ("Japanese",         "お湯をカップに注ぐ",
            &[("お", 0..3), ("湯", 3..6), ("を", 6..9), ("カップ", 9..18), ("に", 18..21), ("注", 21..24), ("ぐ", 24..27)]),
        ("half width",       "ﾔｶﾝと",          &[("ヤカン", 0..9), ("と", 9..12)]),
        ("a kana in two parts", "か\u{3099}水", &[("が", 0..6), ("水", 6..9)]),
        ("Thai",             "น้ำเดือด ๒๐ ครั้ง",
            &[("น้", 0..6), ("\u{e4d}า", 6..9), ("เ", 9..12), ("ดื", 12..18), ("อ", 18..21), ("ด", 21..24),
              ("๒๐", 25..31), ("ค", 32..35), ("รั้", 35..44), ("ง", 44..47)]),
        ("Thai in NFKC",     "น้\u{e4d}\u{e32}ท\u{e4d}\u{e32}ำ \u{e4d}\u{e32}",
            &[("น้", 0..6), ("\u{e4d}า", 6..12), ("ท", 12..15), ("\u{e4d}า", 15..21), ("\u{e4d}า", 21..24),
              ("\u{e4d}า", 25..31)]),
        ("the ring alone",   "ท\u{e4d}ก",       &[("ท\u{e4d}", 0..6), ("ก", 6..9)]),
        ("Lao in NFKC",      "ທ\u{ecd}\u{eb2}ທຳ", &[("ທ", 0..3), ("\u{ecd}າ", 3..9), ("ທ", 9..12), ("\u{ecd}າ", 12..15)]),
        ("Lao",              "ຟົດແລ້ວ",
            &[("ຟົ", 0..6), ("ດ", 6..9), ("ແ", 9..12), ("ລ້", 12..18), ("ວ", 18..21)]),
        ("Khmer",            "ទឹកពុះហើយ",
            &[("ទឹ", 0..6), ("ក", 6..9), ("ពុះ", 9..18), ("ហើ", 18..24), ("យ", 24..27)]),
        ("Burmese",          "ရေဆူပြီ။",        &[("ရေ", 0..6), ("ဆူ", 6..12), ("ပြီ", 12..21)]),
    ];
    for (why, text, want) in table {
        let got: Vec<(String, Range<usize>)> =
            split(text).0.into_iter().map(|token| (token.word.into_owned(), token.span)).collect();
        let want: Vec<(String, Range<usize>)> =
            want.iter().map(|(word, span)| ((*word).to_owned(), span.clone())).collect();
        assert_eq!(got, want, "{why}");
    }
}

#[test]
fn spans_are_those_of_the_words_as_written() {
    let text = "Café, the exam-\nple: ﷺ!";
    let written: Vec<&str> = split(text).0.iter().map(|token| &text[token.span.clone()]).collect();
    assert_eq!(written, ["Café", "the", "exam-\nple", "ﷺ", "ﷺ", "ﷺ", "ﷺ"]);
}

#[test]
fn words_of_stretches_know_where_one_begins() {
    let text = "one two “three” four";
    let stretches = [0..8, 8..8, 19..text.len()];
    let tokens = split_stretches(text, stretches.clone());
    let words: Vec<(&str, Range<usize>)> =
        tokens.0.iter().map(|token| (&*token.word, token.span.clone())).collect();
    assert_eq!(words, [("one", 0..3), ("two", 4..7), ("four", text.len() - 4..text.len())]);
    assert_eq!(tokens.breaks(stretches.into_iter()), [2]);
    assert_eq!(tokens.breaks(std::iter::once(0..text.len())), [0; 0]);
}

#[test]
fn words_are_compared_wherever_they_stand() {
    let same = |left: &[&'static str], right: &[&'static str]| {
        same_words(left.iter().copied(), right.iter().copied())
    };
    assert!(same(&["One, two"], &["  one\nTWO."]));
    assert!(same(&["ﷺ"], &["صلى الله عليه وسلم"]));
    assert!(same(&["צה״ל ג׳ורג׳ גר בת״א"], &["צה\"ל ג'ורג' גר בת\"א"]));
    assert!(!same(&["one two"], &["one two three"]));
    assert!(!same(&["one two"], &["two one"]));
    assert!(same(&["one", "", "two"], &["one two"]));
    assert!(!same(&["one", "two"], &["onetwo"]));
}

/// Every letter whose decomposition contains white space, alone and in words.
#[test]
fn letters_that_stand_for_several_words_stand_for_so_many() {
    let parts = |letter: char| {
        let mut parts = String::new();
        unicode_normalization::char::decompose_compatible(letter, |part| parts.push(part));
        parts
    };
    let several = ('\u{80}'..=char::MAX).filter(|letter| parts(*letter).contains(' '));
    let mut letters = 0;
    for letter in several {
        letters += 1;
        for word in ["#", "#’", "’#", "a#", "#a", "#\u{301}", "##", "a#’"] {
            let text = word.replace('#', letter.encode_utf8(&mut [0; 4]));
            let each = places(&text).flat_map(|(span, words)| std::iter::repeat_n(span, words));
            assert!(each.eq(split(&text).0.into_iter().map(|token| token.span)), "{text:?}");
        }
    }
    assert!(letters > 50, "{letters}");
}

/// Tests one letter or digit of each class of UAX #29 that can form a lone word.
#[test]
fn letters_of_lone_words_join_those_of_each_class() {
    assert!(
        ["é", "Ж", "λόγος", "א", "سلام", "가", "٣", "x9"].map(is_lone_word).iter().all(|it| *it)
    );
    assert!(
        !["", "_", "ـ", "ก", "水", "カ", "ﷺ", "l'a", "a\u{301}", "بﹰ", "ﹰ", "aͺ"]
            .map(is_lone_word)
            .iter()
            .any(|it| *it)
    );
    for letter in ('\u{80}'..=char::MAX).filter(|letter| JOINS.get(*letter)) {
        for other in ['a', '1', 'א', '가', '٣', letter] {
            for text in [format!("{letter}{other}"), format!("{other}{letter}")] {
                assert_eq!(text.split_word_bounds().count(), 1, "{text:?}");
            }
        }
    }
}

#[test]
fn a_word_ends_with_a_character_where_it_can() {
    #[rustfmt::skip]
    let table: &[(&str, &str, &[(&str, usize)])] = &[
        ("one word",             "kettle",            &[("kettle", 1)]),
        ("four in one",          "ﷺ",                 &[("ﷺ", 4)]),
        ("within a word",        "aﷺb",               &[("aﷺb", 4)]),
        ("twice: two share one", "ﷺﷺ",                &[("ﷺﷺ", 7)]),
        ("one begins a word",    "a\u{37a}b\u{37a}",  &[("a", 1), ("\u{37a}b", 1), ("\u{37a}", 1)]),
        ("with two marks",       "a\u{fc5e}b",        &[("a", 1), ("\u{fc5e}b", 1)]),
        ("no letter itself",     "a\u{b8}b",          &[("a", 1), ("\u{b8}b", 1)]),
        ("nor beside it",        "a\u{b8}",           &[("a\u{b8}", 2)]),
        ("a soft hyphen",        "a\u{ad}\u{37a}b",   &[("a\u{ad}", 1), ("\u{37a}b", 1)]),
    ];
    for (why, text, want) in table {
        let parts = normal::parts(text).into_iter();
        let parts: Vec<(&str, usize)> = parts.map(|(part, words)| (&text[part], words)).collect();
        assert_eq!(parts, *want, "{why}");
    }
}

#[test]
fn pieces_are_words_of_their_own() {
    #[rustfmt::skip]
    let table: &[(&str, &str, Option<&[&str]>)] = &[
        ("a single word",             "kettle",       None),
        ("four words in a character", "ﷺ",            Some(&["صلى", "الله", "عليه", "وسلم"])),
        ("apostrophes at the end",    "0\u{2000}'",   Some(&["0"])),
        ("an apostrophe inside",      "a'\u{2000}b",  None),
    ];
    for (why, written, want) in table {
        let mut pieces = Vec::new();
        let is_split = each_piece(written, |piece| pieces.push(piece.to_owned()));
        assert_eq!(
            is_split.then_some(pieces),
            want.map(|it| it.iter().map(|it| (*it).to_owned()).collect()),
            "{why}"
        );
    }
}

proptest! {
    #[test]
    fn words_are_never_empty_and_spans_never_run_backwards(text in any::<String>()) {
        let mut end = 0;
        for token in split(&text).0 {
            prop_assert!(!token.word.is_empty() && !token.word.contains(char::is_whitespace));
            prop_assert!(token.span.start >= end || token.span.end == end);
            prop_assert!(text.get(token.span.clone()).is_some());
            end = token.span.end;
        }
    }

    #[test]
    fn places_are_those_of_the_words(text in "([a-cé’ﷺـ水\u{ad}\u{301}]{1,3}|-\n| ){0,20}|\\PC{0,20}") {
        let each = places(&text).flat_map(|(span, words)| std::iter::repeat_n(span, words));
        prop_assert!(each.eq(split(&text).0.into_iter().map(|token| token.span)));
    }

    /// Spans are either equal or disjoint, and the text of a span consists of the same words by
    /// itself.
    #[test]
    fn words_share_a_span_only_where_they_share_a_character(
        text in "([ab1ﷺͺﱞـ¸é\u{ad}\u{301}]{1,4}|[ทาำ_\u{e4d}\u{e49}]{1,4}|-\n|[ .]){0,20}|\\PC{0,20}",
    ) {
        let places: Vec<_> = places(&text).collect();
        let mut end = 0;
        for (span, words) in places {
            prop_assert!(end <= span.start && span.start < span.end);
            let normal = normal_form(&text[span.clone()]).into_owned();
            prop_assert_eq!(normal.split_whitespace().count(), words, "{:?}", &text[span.clone()]);
            end = span.end;
        }
    }

    #[test]
    fn pieces_of_a_word_are_its_words(written in "([aA'’`´׳אéﷺͺـ水\u{ad}\u{301}]|\\PC){1,6}") {
        let mut pieces = Vec::new();
        let is_split = each_piece(&written, |piece| {
            pieces.extend(split_word(piece).0.into_iter().map(|token| token.word.into_owned()));
        });
        if is_split {
            prop_assert_eq!(pieces, split_word(&written).0.into_iter().map(|token| token.word.into_owned()).collect::<Vec<_>>());
        } else {
            prop_assert!(pieces.is_empty());
            let is_cut = written.contains(['\'', '’', '＇', '׳', ' ']) || written.contains(TYPED_APOSTROPHES);
            prop_assert!(is_cut || split_word(&written).len() <= 1);
        }
    }

    #[test]
    fn segments_are_those_of_the_annex(text in "[aB1é水กبـ'’.:_ \u{ad}\u{301}]{0,20}|\\PC{0,20}") {
        let is_kept = |(_, word): &(usize, &str)| word.chars().any(is_letter_or_digit);
        prop_assert!(segments(&text).eq(text.split_word_bound_indices().filter(is_kept)));
    }

    #[test]
    fn a_lone_word_is_the_only_one(
        text in "[a-zA-Z0-9]{0,8}|[a-z_.,:;'(é)-]{0,3}|[aé1Жא가カกﷺﹰͺ٣水ـ]{1,3}|\\PC{1,3}",
    ) {
        if is_lone_word(&text) {
            prop_assert!(spans(&text).eq(std::iter::once(0..text.len())));
            prop_assert_eq!(split_word(&text).len(), 1);
        }
    }

    #[test]
    fn white_space_beside_white_space_changes_nothing(
        text in "[a-zA-Zé’'.,\u{ad} \n]{0,40}",
        more in "[ \n\t]{1,3}",
    ) {
        // A line end behind a soft hyphen breaks a word.
        let text = if more.contains('\n') { text.replace('\u{ad}', "") } else { text };
        prop_assert_eq!(words(&text.replace(' ', &format!(" {more}"))), words(&text));
    }
}
