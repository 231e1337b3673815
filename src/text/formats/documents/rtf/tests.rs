use proptest::prelude::*;

use super::*;

mod hiding;

const PANDOC: &[u8] = include_bytes!("../../../../../tests/documents/pandoc.rtf");
const OFFICE: &[u8] = include_bytes!("../../../../../tests/documents/libreoffice.rtf");

/// Extracts the text of a document whose outermost group contains `inner`.
fn extract(inner: &str) -> Extracted {
    text(format!("{{\\rtf1\\ansi {inner}}}").as_bytes()).unwrap()
}

#[test]
fn documents_of_real_programs_are_read() {
    let head = "The café at the harbour
Zoë opens the café at six, while the fishing boats still lie in the fog. She grinds the coffee, \
puts Süßgebäck and fresh croûtons on the counter, and chalks the soup of the day on a slate.
By noon the tables by the window are taken, and whoever comes later sits on the steps in the sun.
";
    let list = "a pot of mint tea\ntwo bowls of fish soup\nbread, butter and olives\n";
    let table = "Dish\nPrice\nFish soup\nseven\nApple cake\nthree\n";
    let tail = "In the evening she counts the coins, sweeps the floor and locks the blue door.\n";
    let note = "The harbour master says that the fog was thicker in his father’s days.\n";
    let office = text(OFFICE).unwrap();
    let want = format!("{head}{list}{table}{tail}\t{note}");
    assert_eq!(office, Extracted { content: want, ..Extracted::default() });

    // Pandoc writes list bullets as text, and ends a paragraph before it ends a cell.
    let pandoc = text(PANDOC).unwrap();
    let bullets: String = list.lines().map(|line| ["•\t", line, "\n"].concat()).collect();
    let cells = table.replace('\n', "\n\n");
    let want = format!("{head}{bullets}{cells}\n{tail}\u{a0}{note}");
    assert_eq!(pandoc, Extracted { content: want, ..Extracted::default() });
}

#[test]
fn text_is_read_in_its_order() {
    #[rustfmt::skip]
    let table = [
        ("nothing",            "",                                              ""),
        ("a word",             "har\r\nbour",                                   "harbour"),
        ("a word in groups",   "{\\b har}{\\i bo}ur\\par",                      "harbour\n"),
        ("marks",              "a\\tab b\\line c\\page d\\\ne\\'0ae",           "a\tb\nc\nd\ne\ne"),
        ("hyphens",            "ice\\_cream\\-s\\~a",                           "ice\u{2011}cream\u{ad}s\u{a0}a"),
        ("braces",             "\\{a\\}\\\\",                                   "{a}\\"),
        ("quotes",             "\\ldblquote a\\rdblquote\\emdash\\rquote s",    "“a”—’s"),
        ("other words",        "\\fs24\\lang1033\\kerning0 a\\nosuchword b",    "ab"),
        ("a table",            "\\trowd a\\cell b\\cell\\row c\\par",           "a\nb\nc\n"),
        ("a nested table",     "a\\nestcell{\\*\\nesttableprops\\trowd\\nestrow}{\\nonesttables\\par}b\\cell\\row", "a\nb\n"),
        ("a field",            "{\\field{\\*\\fldinst PAGE}{\\fldrslt 7}}",     "7"),
        ("an old field",       "{\\field{\\fldinst PAGE}{\\fldrslt 7}}",        "7"),
        ("no text",            "{\\info{\\title no}}{\\pict\\wmetafile8 0102}{\\header no}{\\stylesheet{\\s0 no;}}a", "a"),
        ("may be ignored",     "{\\*\\generator no{\\b no}}{\\*\\nosuchword no}a", "a"),
        ("may not be",         "{\\nosuchword a}",                              "a"),
        ("a star before text", "{\\*a\\b b}",                                   "ab"),
        ("a comment",          "har{\\*\\atnid x}{\\*\\annotation no}{\\annotation no}bour", "harbour"),
        ("numbers of a list",  "{\\listtext 1.\\tab}{\\pntext 1.\\tab}a",       "a"),
        ("given twice",        "{\\upr{Soup}{\\*\\ud{S\\u252 up}}}a",           "Süpa"),
        (
            "a shape",
            "har{\\shp{\\*\\shpinst{\\sp{\\sn n}{\\sv v}}{\\shptxt menu\\par}}\
             {\\shprslt{\\*\\do{\\dptxbxtext menu\\par}}}}bour\\par",
            "harbour\nmenu\n",
        ),
        ("an old shape",       "har{\\*\\do{\\dptxbxtext menu\\par}}bour\\par", "harbour\nmenu\n"),
        ("notes",              "har{\\footnote first}bour{\\*\\footnote\\ftnalt last\\par}\\par tea\\par", "harbour\ntea\nfirst\nlast\n"),
        ("a picture's bytes",  "{\\pict\\bin4 }}{{}a",                          "a"),
        ("deleted",            "har{\\deleted gone\\par}{\\deleted0 bo}ur",     "harbour"),
        ("an object",          "{\\object{\\*\\objdata 01}{\\result a}}",       "a"),
        ("closed, then more",  "a} b {\\rtf1 c",                                "a"),
    ];
    for (why, inner, want) in table {
        let want = Extracted { content: want.to_owned(), ..Extracted::default() };
        assert_eq!(extract(inner), want, "{why}");
    }
}

#[test]
fn letters_are_decoded_by_code_page_and_font() {
    let fonts = "{\\fonttbl{\\f0 A;}{\\f1\\fcharset204 B;}{\\f2\\fcharset128 C;}{\\f3\\fcharset2 D;}\
                 {\\f4\\fcharset134 E;}{\\f5\\fcharset1 F;}{\\f6\\cpg1253 G;}}";
    #[rustfmt::skip]
    let table = [
        ("Latin",                "caf\\'e9",                              "café"),
        ("a page",               "\\ansicpg1250 \\'b3",                   "ł"),
        ("UTF-8",                "\\ansicpg65001 \\'c3\\'a9",             "é"),
        ("of a Macintosh",       "\\mac \\'8e",                           "é"),
        ("a Cyrillic font",      "{\\f1 \\'e4\\'e0}\\'e4",                "даä"),
        ("plain again",          "\\f1 \\'e4\\plain \\'e4",               "дä"),
        ("two bytes",            "\\f2 \\'93\\'fa\\'96\\'7b",             "日本"),
        ("the second as it is",  "\\f2 \\'83A",                           "ア"),
        ("an escaped second",    "\\f2 \\'83\\\\",                        "ソ"),
        ("Chinese",              "\\f4 \\'d6\\'d0",                       "中"),
        ("signs",                "\\f3 a \\'fc",                          "\u{f061} \u{f0fc}"),
        ("the document's set",   "\\ansicpg1251\\f5 \\'e4",               "д"),
        ("a page of a font",     "\\f6 \\'e1",                            "α"),
        ("the font by default",  "\\deff1 \\'e4",                         "д"),
        ("no such font",         "\\f99 \\'e4",                           "ä"),
        ("half a letter",        "\\f2 \\'93}",                           "\u{fffd}"),
        ("an unknown page",      "\\ansicpg438 tea",                      "tea"),
        ("a page of DOS",        "\\ansicpg437 \\'84",                    "ä"),
        ("of a PC",              "\\pc \\'9b",                            "¢"),
        ("of another PC",        "\\pca \\'9b",                           "ø"),
        ("the font Symbol",      "{\\fonttbl{\\f9\\fcharset2 Symbol;}}\\f9 \\'61\\u-3998?\\f1 a", "αβa"),
    ];
    for (why, inner, want) in table {
        assert_eq!(extract(&format!("{fonts}{inner}")).content, want, "{why}");
    }
    for (why, inner, page) in [("a page", "\\ansicpg438", 438), ("another", "\\ansicpg1", 1)] {
        let reason = text(format!("{{\\rtf1{inner} \\'84}}").as_bytes()).unwrap_err();
        assert_eq!(
            reason.to_string(),
            format!("damaged RTF: letters of code page {page}"),
            "{why}"
        );
    }
}

#[test]
fn characters_come_by_number_and_their_stand_ins_go() {
    #[rustfmt::skip]
    let table = [
        ("one stand-in",       "caf\\u233?s",                    "cafés"),
        ("a byte",             "caf\\u233\\'e9s",                "cafés"),
        ("a symbol",           "a\\u8209\\_b",                   "a\u{2011}b"),
        ("a brace",            "a\\u8209\\{b",                   "a\u{2011}b"),
        ("two of them",        "\\uc2\\u26085\\'93\\'fas",       "日s"),
        ("none",               "\\uc0 caf\\u233 s",              "cafés"),
        ("in a group only",    "{\\uc0\\u233 a}\\u233?b",        "éaéb"),
        ("missing in a group", "{\\u233}b",                      "éb"),
        ("missing at a word",  "\\u233\\tab b",                  "é\tb"),
        ("below zero",         "\\u-10179?\\u-8704?",            "😀"),
        ("in halves",          "\\u55357?\\u56832?",             "😀"),
        ("half of one",        "\\u55357?a",                     "\u{fffd}a"),
        ("the other half",     "\\u56832?a",                     "\u{fffd}a"),
        ("two first halves",   "\\u55357?\\u55357?\\u56832?",    "\u{fffd}\u{fffd}\u{fffd}"),
        ("NUL",                "a\\u0?b",                        "ab"),
        ("no number",          "a\\u b",                         "a"),
        ("of nothing",         "{\\info\\u233?}b",               "b"),
    ];
    for (why, inner, want) in table {
        assert_eq!(extract(inner).content, want, "{why}");
    }
}

#[test]
fn what_cannot_be_read_is_reported() {
    let deep = format!("{{\\rtf1{}", "{".repeat(1_000_000));
    #[rustfmt::skip]
    let table: [(&str, &[u8], &str); 7] = [
        ("nothing",       b"",               "damaged RTF: it does not begin with {\\rtf"),
        ("a text",        b"tea",            "damaged RTF: it does not begin with {\\rtf"),
        ("its beginning", b"{\\rtf",         "damaged RTF: truncated: not all groups are closed"),
        ("cut",           b"{\\rtf1 {\\b a", "damaged RTF: truncated: not all groups are closed"),
        ("cut in a word", b"{\\rtf1 a\\",    "damaged RTF: truncated: not all groups are closed"),
        ("cut picture",   b"{\\rtf1{\\pict\\bin99 }}", "damaged RTF: truncated: not all groups are closed"),
        ("too deep",      deep.as_bytes(),   "more than 1000 nested elements, expected fewer"),
    ];
    for (why, bytes, want) in table {
        assert_eq!(text(bytes).unwrap_err().to_string(), want, "{why}");
    }
    for length in (0..OFFICE.len() - 1).step_by(97) {
        assert!(text(&OFFICE[..length]).is_err(), "{length} bytes");
    }
}

/// Returns any bytes in a group, control words in any order, or a document with one byte changed.
fn damaged_documents() -> impl Strategy<Value = Vec<u8>> {
    let words = "(\\\\(par|u-?[0-9]{1,6}|uc[0-9]|f[0-9]|fonttbl|colortbl|footnote|shptxt|upr|ud|v\
                 |'[0-9a-g]{2}|bin[0-9]|[*~{}-]) ?|[{}a;]){0,60}";
    let bytes = proptest::collection::vec(any::<u8>(), 0..600);
    prop_oneof![
        bytes.prop_map(|bytes| [b"{\\rtf1 ", &*bytes, b"}"].concat()),
        words.prop_map(|words| format!("{{\\rtf1 {words}").into_bytes()),
        (0..OFFICE.len(), any::<u8>()).prop_map(|(at, byte)| {
            let mut bytes = OFFICE.to_vec();
            bytes[at] = byte;
            bytes
        }),
    ]
}

proptest! {
    #[test]
    fn a_document_that_is_cut_is_refused_or_complete(
        bytes in damaged_documents(), cut in any::<prop::sample::Index>(),
    ) {
        let [whole, cut] = [&bytes, &bytes[..cut.index(bytes.len())]].map(|bytes| text(bytes).ok());
        prop_assert!(cut.is_none() || cut == whole, "{:?} of {:?}", cut, whole);
    }
}
