//! Texts that were manipulated to escape detection.

use proptest::prelude::*;

use super::*;

fn revealed(written: &str) -> String {
    match reveal(written).excerpt {
        Some(excerpt) => excerpt.content().to_owned(),
        None => written.to_owned(),
    }
}

/// Returns the tricks found, with the number of words of each.
fn found(written: &str) -> Vec<(Trick, usize)> {
    reveal(written).disguises.iter().map(|found| (found.trick, found.words)).collect()
}

#[test]
fn a_text_is_read_as_its_reader_sees_it() {
    use Trick::{CombiningMarks, Homoglyphs, InvisibleCharacters, ReversedText, StyledLetters};
    #[rustfmt::skip]
    let table: &[(&str, &str, &str, &[(Trick, usize)])] = &[
        ("nothing",                     "",                              "",                  &[]),
        ("a Cyrillic а in Latin",       "the plаgue",                    "the plague",        &[(Homoglyphs, 1)]),
        ("a Latin o in Cyrillic",       "три слoва",                     "три слова",         &[(Homoglyphs, 1)]),
        ("a Greek ο in Latin",          "wοoden spoon",                  "wooden spoon",      &[(Homoglyphs, 1)]),
        ("one in Cyrillic",             "три слοва",                     "три слова",         &[(Homoglyphs, 1)]),
        ("a Cyrillic о in Greek",       "τρία λоγια",                    "τρία λογια",        &[(Homoglyphs, 1)]),
        ("a Coptic ⲟ in Latin",         "wⲟⲟden spⲟⲟn",                  "wooden spoon",      &[(Homoglyphs, 2)]),
        ("a samekh in Latin",           "wססden spסon",                  "wooden spoon",      &[(Homoglyphs, 2)]),
        ("Thai zeros in Latin",         "w๐๐den sp๐on",                  "wooden spoon",      &[(Homoglyphs, 2)]),
        ("a number behind it",          "the ВERLIN2",                   "the BERLIN2",       &[(Homoglyphs, 1)]),
        ("numbers of Thai and Hindi",   "ABC๐๑ GST१०, ๑๐๐ ०२",           "ABC๐๑ GST१०, ๑๐๐ ०२", &[]),
        ("Latin names in Georgian",     "PDFის Linuxზე",                 "PDFის Linuxზე",     &[]),
        ("a prefix of Hebrew",          "וLinux הPDF",                   "וLinux הPDF",       &[]),
        ("capitals",                    "ВERLIN",                        "BERLIN",            &[(Homoglyphs, 1)]),
        ("whole words with them",       "а plаgue оr а cat",             "a plague or a cat", &[(Homoglyphs, 4)]),
        ("words that read either way",  "the саse аrе plаgue",           "the case are plague", &[(Homoglyphs, 3)]),
        ("less Russian than that",      "а plаgue оr plаgues, plаce, и все", "a plague or plagues, place, и все", &[(Homoglyphs, 5)]),
        ("unless there is Russian too", "а plаgue, и все",               "а plague, и все",   &[(Homoglyphs, 1)]),
        ("a suffix of its own",         "два PDFы и HTMLки",             "два PDFы и HTMLки", &[]),
        ("a symbol's variant",          "see ℹ\u{fe0f} there",           "see ℹ\u{fe0f} there", &[]),
        ("a variant of a letter",       "see a\u{fe0f} there",           "see a there",       &[]),
        ("a mistyped unit",             "9 MБ, 3 кB",                    "9 MБ, 3 кB",        &[]),
        ("an emoji's variant",          "yes ✔\u{fe0f}, no",             "yes ✔\u{fe0f}, no", &[]),
        ("a formula",                   "ρgh and μm, Δx",                "ρgh and μm, Δx",    &[]),
        ("zero-width space in a word",  "pla\u{200b}gue",                "plague",            &[(InvisibleCharacters, 1)]),
        ("beside a word: a translator's", "the \u{200b}\u{200b}plague",   "the plague", &[]),
        ("a joiner behind a word",      "plague\u{200d} is",             "plague is",         &[(InvisibleCharacters, 1)]),
        ("joiners of Persian",          "می\u{200c}خواهم",               "می\u{200c}خواهم",   &[]),
        ("a joiner in Hebrew",          "של\u{200d}ום",                  "שלום",              &[(InvisibleCharacters, 1)]),
        ("joiners in Chinese",          "小\u{200d}溪\u{200d}边",         "小溪边",             &[(InvisibleCharacters, 1)]),
        ("in Japanese",                 "水\u{200d}車の\u{200c}音",       "水車の音",           &[(InvisibleCharacters, 1)]),
        ("and in Korean",               "방\u{200d}앗간",                "방앗간",             &[(InvisibleCharacters, 1)]),
        ("but not in Hindi",            "क्\u{200d}ष",                   "क्\u{200d}ष",       &[]),
        ("zero-width space in Arabic",  "سل\u{200b}ام",                  "سلام",              &[(InvisibleCharacters, 1)]),
        ("and the grapheme joiner",     "سل\u{34f}ام",                   "سلام",              &[(InvisibleCharacters, 1)]),
        ("in a number",                 "18\u{200b}42 and 7\u{200d}50",  "1842 and 750",      &[(InvisibleCharacters, 2)]),
        ("behind one",                  "100\u{2060} %",                "100\u{2060} %",    &[]),
        ("between Thai and Latin",      "ไทย\u{200b}Linux",             "ไทย\u{200b}Linux", &[]),
        ("a mark of direction",         "pla\u{200f}gue",                "plague",            &[(InvisibleCharacters, 1)]),
        ("and of Arabic",               "pla\u{61c}gue pla\u{61c}",      "plague pla",        &[(InvisibleCharacters, 1)]),
        ("between Arabic and Latin",    "نص\u{61c}Linux",               "نصLinux",           &[]),
        ("a Hangul filler",             "pla\u{3164}gue \u{3164}",       "plague \u{3164}",   &[(InvisibleCharacters, 1)]),
        ("and one behind Hebrew",       "שלום\u{200f} now",              "שלום now",          &[]),
        ("space of no width in Thai",   "ภาษา\u{200b}ไทย",               "ภาษา\u{200b}ไทย",   &[]),
        ("turned round",                "\u{202e}eugalp eht\u{202c} is", "the plague is",     &[(ReversedText, 1)]),
        ("Hebrew under the control",    "\u{202e}שלום\u{202c}",          "שלום",              &[]),
        ("a line through letters",      "p\u{336}l\u{336}a\u{336}gue",   "plague",            &[(CombiningMarks, 1)]),
        ("through Chinese characters",  "蜂\u{336}蜜\u{336}",             "蜂蜜",               &[(CombiningMarks, 1)]),
        ("under Hangul",                "방\u{332}앗\u{332}간",           "방앗간",             &[(CombiningMarks, 1)]),
        ("through Arabic and vowels",   "عَ\u{336}س\u{336}ل",            "عَسل",               &[(CombiningMarks, 1)]),
        ("around Thai",                 "ก\u{20dd}า",                   "กา",                &[(CombiningMarks, 1)]),
        ("over Coptic: an abbreviation", "ⲓ\u{305}ⲥ\u{305}",            "ⲓ\u{305}ⲥ\u{305}",  &[]),
        ("accents on any letter",       "t\u{301}hi\u{301}s f\u{301}d\u{301}", "this fd",     &[(CombiningMarks, 2)]),
        ("also where a letter has it",  "b\u{301} d\u{301} f\u{301} ś",  "b d f s",           &[(CombiningMarks, 4)]),
        ("an accent that has a form",   "e\u{301}te\u{301}",             "e\u{301}te\u{301}", &[]),
        ("one letter so marked",        "g\u{303}uarani\u{301}",         "g\u{303}uarani\u{301}", &[]),
        ("macrons of Mansi",            "Ма̄ньси хо̄тас э̄лум ла̄тыӈ ё̄мас", "Ма̄ньси хо̄тас э̄лум ла̄тыӈ ё̄мас", &[]),
        ("accents of Serbian",          "пра̏вда ве̏тар и̏сто ку̏ћа", "правда ветар исто кућа", &[]),
        ("of Lithuanian",               "l̃aukas m̃es r̃anka",              "l̃aukas m̃es r̃anka", &[]),
        ("tones of Ewe",                "ɔ́ ɛ́ ə́ ŋ́ ɔ̌ ɛ̌ ə̌",                "ɔ́ ɛ́ ə́ ŋ́ ɔ̌ ɛ̌ ə̌", &[]),
        ("ties of a romanization",      "t͡si͡a z͡hi͡u i͡e k͡hto",               "t͡si͡a z͡hi͡u i͡e k͡hto", &[]),
        ("phonetic script",             "n̩ l̩ m̩ ɔ̃ ɑ̃ ɛ̃ t͡ʃ d͡ʒ k͡p",            "n̩ l̩ m̩ ɔ̃ ɑ̃ ɛ̃ t͡ʃ d͡ʒ k͡p", &[]),
        ("macrons on any letter",       "b̄c̄d̄f̄ h̄j̄k̄l̄m̄n̄ p̄q̄t̄",            "bcdf hjklmn pqt",   &[(CombiningMarks, 3)]),
        (
            "tildes on each of a few",
            "m\u{303}il\u{303}l\u{303} m\u{303}il\u{303}l\u{303} m\u{303}il\u{303}l\u{303} m\u{303}il\u{303}l\u{303} \
             m\u{303}il\u{303}l\u{303} m\u{303}il\u{303}l\u{303} m\u{303}il\u{303}l\u{303}",
            "mill mill mill mill mill mill mill",
            &[(CombiningMarks, 7)],
        ),
        ("in Japanese behind ー",       "サー\u{200d}バの水\u{200d}車",       "サーバの水車",        &[(InvisibleCharacters, 1)]),
        ("stress in Russian",           "за\u{301}мок",                  "замок",             &[]),
        ("full width",                  "the ｐｌａｇｕｅ",                   "the plague",        &[(StyledLetters, 1)]),
        ("ordinary in Japanese",        "これはＡＢＣです",                "これはＡＢＣです",      &[]),
        ("mathematical",                "the 𝐩𝐥𝐚𝐠𝐮𝐞",                   "the plague",        &[(StyledLetters, 1)]),
        ("the first of all raised ones", "ᴬᴬᴬ",                          "AAA",               &[(StyledLetters, 1)]),
        ("a variable",                  "let 𝑥 be",                      "let 𝑥 be",          &[]),
        ("a ligature",                  "the ﬁsh",                       "the ﬁsh",           &[]),
        ("a soft hyphen",               "pla\u{ad}gue",                  "pla\u{ad}gue",      &[]),
        ("a mark between two directions", "نص\u{202c}Linux\u{202b}نص", "نصLinuxنص",          &[]),
        ("alone on its line",           "pla\r\n\u{ad}\ngue",          "pla\u{ad}\ngue",    &[]),
        ("at the end of the text",      "pla\n\u{ad}",                 "pla\n\u{ad}",       &[]),
        ("all lines end in one",        "a pla-\ngue of wo-\nrds bro-\nken", "a pla-\ngue of wo-\nrds bro-\nken", &[]),
        ("several at once",             "p\u{200b}lаg\u{200d}ue",        "plague",            &[(Homoglyphs, 1), (InvisibleCharacters, 1)]),
    ];
    for (why, written, want, tricks) in table {
        assert_eq!(revealed(written), *want, "{why}");
        assert_eq!(found(written), *tricks, "{why}");
    }
}

#[test]
fn what_is_typed_for_something_else_is_replaced_without_a_word() {
    #[rustfmt::skip]
    let table = [
        ("gershayim of Word",           "צה”ל צה''ל “צה”",            "צה\"ל צה\"ל “צה”"),
        ("a bullet in Catalan",         "col•lecció a•b l• •l",        "col·lecció a•b l• •l"),
        ("a Thai vowel twice",          "เเม่ เ",                      "แม่ เ"),
        ("a ring before a tone",        "น\u{e4d}\u{e49}\u{e32}",      "น\u{e49}\u{e4d}\u{e32}"),
        ("in Lao",                      "ເເ ນ\u{ecd}\u{ec9}\u{eb2}",   "ແ ນ\u{ec9}\u{ecd}\u{eb2}"),
        ("Malayalam before 5.1",        "അവന്\u{200d}",               "അവൻ"),
        ("Bengali before 4.1",          "ত\u{9cd}\u{200d}",           "ৎ"),
    ];
    for (why, written, want) in table {
        assert_eq!(revealed(written), want, "{why}");
        assert_eq!(found(written), [], "{why}");
    }
}

#[test]
fn letters_with_spaces_are_joined_only_to_words() {
    use Trick::LetterSpacing;
    #[rustfmt::skip]
    let table: &[(&str, &str, &str, &[(Trick, usize)])] = &[
        ("letter-spaced",               "t h e  o l d  p l a g u e",     "the  old  plague",  &[(LetterSpacing, 3)]),
        ("short words among others",    "t h e  o l d  c r y  i t  w a s", "the  old  cry  it  was", &[(LetterSpacing, 5)]),
        ("short words alone",           "see  o f  U S A  now",          "see  o f  U S A  now", &[]),
        ("a single heading so",         "--  d e a d",                   "--  dead",          &[]),
        ("a line of one word",          "t h e o l d p l a g u e o f t h e t o w n, a n d m o r e, i t i s", "theoldplagueofthetown, andmore, itis", &[(LetterSpacing, 3)]),
        ("answers of five",             "b d a c e\nc a b e d\ne b a d c\na b e c d", "b d a c e\nc a b e d\ne b a d c\na b e c d", &[]),
        ("chords and strings",          "G D E C A, E A D G B E, A G C F D B, D A F E B", "G D E C A, E A D G B E, A G C F D B, D A F E B", &[]),
        ("genes",                       "a c g t, c t g a, g a t c, t c a g u", "a c g t, c t g a, g a t c, t c a g u", &[]),
        ("keys of a typewriter",        "q w e r t y u i o p\na s d f g h j k l\nz x c v b n m", "q w e r t y u i o p\na s d f g h j k l\nz x c v b n m", &[]),
        ("sounds of a language",        "p t k b d g, m n r l, f s v z h, a e i o u, i u o", "p t k b d g, m n r l, f s v z h, a e i o u, i u o", &[]),
        ("a puzzle",                    "o a k e m\nr i v e n\nt o u s a", "o a k e m\nr i v e n\nt o u s a", &[]),
    ];
    for (why, written, want, tricks) in table {
        assert_eq!(revealed(written), *want, "{why}");
        assert_eq!(found(written), *tricks, "{why}");
    }
}

#[test]
fn an_example_spells_out_what_is_not_seen() {
    let examples = |written| {
        let found = reveal(written).disguises;
        found.into_iter().map(|it| (it.offset.unwrap(), it.example)).collect::<Vec<_>>()
    };
    assert_eq!(examples("the plаgue"), [(4, "pl<U+0430>gue".to_owned())]);
    assert_eq!(examples("the pla\u{200b}gue"), [(4, "pla<U+200B>gue".to_owned())]);
    assert_eq!(examples("\u{202e}eht"), [(0, "<U+202E>eht".to_owned())]);
    let cut = format!("{}p…", "pl<U+0430>gue".repeat(3));
    assert_eq!(examples(&"plаgue".repeat(9)), [(0, cut)]);
}

#[test]
fn hidden_pieces_are_counted_by_their_words() {
    let of = |pieces: &[&str]| hidden(&pieces.iter().map(|&it| it.to_owned()).collect::<Vec<_>>());
    assert_eq!(of(&[]), None);
    assert_eq!(of(&[" ", "\n"]), None);
    let found = of(&["", " not\nseen ", "at all"]).unwrap();
    assert_eq!((found.words, found.offset), (4, None));
    assert_eq!(found.example, "not<U+000A>seen");
}

#[test]
fn places_of_revealed_words_are_those_of_what_was_written() {
    let written = "a plаgue of t h e  o l d  p l a g u e.";
    let excerpt = reveal(written).excerpt.unwrap();
    let source = |word: &str| {
        let start = excerpt.content().rfind(word).unwrap();
        &written[excerpt.source(start..start + word.len())]
    };
    assert_eq!(
        ["plague of", "the", "old", "plague."].map(source),
        ["plаgue of", "t h e", "o l d", "p l a g u e."]
    );
}

#[test]
fn what_is_invisible_is_removed_from_words() {
    let has_own_trick = |letter| letter == '\u{ad}' || letter == tricks::RIGHT_TO_LEFT_OVERRIDE;
    for letter in ('\0'..=char::MAX).filter(|it| is_invisible(*it) && !has_own_trick(*it)) {
        let written = format!("pla{letter}gue");
        assert_eq!(found(&written).first(), Some(&(Trick::InvisibleCharacters, 1)), "{written:?}");
        assert_eq!(revealed(&written), "plague", "{written:?}");
    }
}

/// Places are looked for in blocks of bytes, and these two characters by several bytes.
#[test]
fn what_is_invisible_is_found_across_the_ends_of_blocks() {
    for letter in ['\u{61c}', '\u{3164}'] {
        for before in 0..200 {
            let before = ".".repeat(before);
            assert_eq!(revealed(&format!("{before}pla{letter}gue")), before + "plague");
        }
    }
}

proptest! {
    #[test]
    fn plain_text_is_left_as_it_is(written in "[a-zA-Z,.é水]{0,9}( [a-zé]{2,9}[,.\n]){0,9}") {
        prop_assert_eq!(reveal(&written), Revealed::default());
    }

    /// Every manipulation of the letters of a text is undone exactly.
    #[test]
    fn what_was_done_to_a_text_is_undone(
        text in "d[a-z]{2,8}( d[a-z]{2,8}){0,6}",
        tricks in proptest::collection::vec(0..8usize, 7 * 10),
    ) {
        let mut written = String::new();
        for (letter, trick) in text.chars().zip(tricks) {
            match (trick, letter) {
                (_, ' ') => written.push(' '),
                (0, 'a') => written.push('а'),
                (0, 'e') => written.push('е'),
                (0, 'o') => written.push('о'),
                (1, _) => written.extend([letter, '\u{200b}']),
                (2, _) => written.extend([letter, '\u{200d}', '\u{2060}']),
                (3, _) => written.extend([letter, '\u{336}']),
                _ => written.push(letter),
            }
        }
        prop_assert_eq!(revealed(&written), text);
    }

    #[test]
    fn each_letter_of_a_revealed_text_has_a_place_in_it(written in any::<String>()) {
        if let Some(excerpt) = reveal(&written).excerpt {
            let content = excerpt.content();
            for (start, letter) in content.char_indices() {
                let source = excerpt.source(start..start + letter.len_utf8());
                prop_assert!(written.get(source).is_some_and(|it| !it.is_empty()));
            }
        }
    }
}
