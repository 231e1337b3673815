use super::*;

const OFFICE: &[u8] = include_bytes!("../../../../../../tests/documents/libreoffice.pdf");
const DAMAGED: &[u8] = include_bytes!("../../../../../../tests/documents/damaged.pdf");
const SCAN: &[u8] = include_bytes!("../../../../../../tests/documents/pillow.pdf");
const LOCKED: &[u8] = include_bytes!("../../../../../../tests/documents/qpdf-locked.pdf");

/// Parts of a PDF: the entries of its catalog, those of each of its pages, and other objects, from
/// number 10 on. Font F is Helvetica.
#[derive(Default)]
struct Parts<'p> {
    catalog: &'p str,
    page: &'p str,
    contents: Vec<String>,
    objects: Vec<String>,
}

impl Parts<'_> {
    /// Returns a PDF, whose pages are 600 by 800 points.
    fn pdf(&self) -> Vec<u8> {
        let first = 10 + self.objects.len();
        let kids: Vec<String> =
            (0..self.contents.len()).map(|at| format!("{} 0 R", first + 2 * at)).collect();
        let mut objects = vec![
            (1, format!("<</Type/Catalog/Pages 2 0 R{}>>", self.catalog)),
            (2, format!("<</Type/Pages/Kids[{}]/Count {}>>", kids.join(" "), kids.len())),
            (3, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned()),
        ];
        objects.extend(self.objects.iter().cloned().enumerate().map(|(at, it)| (10 + at, it)));
        for (at, content) in self.contents.iter().enumerate() {
            let page = format!(
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents {} 0 R{}>>",
                first + 2 * at + 1,
                if self.page.contains("/Resources") {
                    self.page.to_owned()
                } else {
                    format!("/Resources<</Font<</F 3 0 R>>>>{}", self.page)
                }
            );
            let stream = format!("<</Length {}>>stream\n{content}\nendstream", content.len());
            objects.extend([(first + 2 * at, page), (first + 2 * at + 1, stream)]);
        }
        let mut pdf = "%PDF-1.7\n".to_owned();
        let mut places = vec!["0000000000 00000 f \n".to_owned(); first + 2 * self.contents.len()];
        for (number, object) in objects {
            places[number] = format!("{:010} 00000 n \n", pdf.len());
            pdf = format!("{pdf}{number} 0 obj\n{object}\nendobj\n");
        }
        let (count, start) = (places.len(), pdf.len());
        let head = format!("xref\n0 {count}\n{}", places.concat());
        let end = format!("trailer\n<</Size {count}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n");
        (pdf + &head + &end).into_bytes()
    }

    fn read(&self) -> Result<Extracted, ExtractError> {
        read(&self.pdf(), 1_000_000)
    }
}

/// Returns the content of a page that shows a text at a place, in a size.
fn at(x: i32, y: i32, size: i32, text: &str) -> String {
    format!("BT /F {size} Tf {x} {y} Td ({text}) Tj ET\n")
}

fn one(content: String) -> Result<Extracted, ExtractError> {
    Parts { contents: vec![content], ..Parts::default() }.read()
}

fn content_of(content: &str) -> String {
    one(content.to_owned()).unwrap().content
}

#[test]
fn a_document_of_a_real_program_is_read() {
    let read = read(OFFICE, 1_000_000).unwrap();
    let words: Vec<&str> = read.content.split_whitespace().collect();
    let text = words.join(" ");
    for part in [
        "The café at the harbour Zoë opens the café at six, while the fishing boats still lie",
        "puts Süßgebäck and fresh croûtons on the counter",
        "In the evening she counts the coins, sweeps the floor and locks the blue door.",
        "the fog was thicker in his father’s days.",
    ] {
        assert_eq!(text.matches(part).count(), 1, "{part}");
    }
    assert!(read.content.contains(" She\ngrinds "));
    assert!(read.hidden.is_empty() && read.unread.is_none(), "{:?}", read.unread);
    assert_eq!(read.properties.created.as_deref(), Some("2026-11-21T16:07:14Z"));
}

#[test]
fn what_cannot_be_read_is_reported() {
    let noise = [b"%PDF-1.7\n".as_slice(), &[0xa7; 500]].concat();
    let lost = Parts { contents: vec![at(50, 700, 12, "tea")], ..Parts::default() }.pdf();
    let lost = String::from_utf8(lost).unwrap().replace("/Count 1", "/Count 3");
    #[rustfmt::skip]
    let table: [(&str, &[u8], &str); 7] = [
        ("pictures only", SCAN,             "a PDF without text: its pages are pictures"),
        ("a password",    LOCKED,           "password-protected PDF, expected one without a password"),
        ("nothing",       b"",              "damaged PDF: no pages in it"),
        ("noise",         &noise,           "damaged PDF: no pages in it"),
        ("lost pages",    lost.as_bytes(),  "damaged PDF: 2 of its 3 pages are missing"),
        ("a page",        DAMAGED,          "damaged PDF: page 2 has no text, and cannot be unpacked"),
        ("too much",      OFFICE,           "unpacks to more than the limit of 99 bytes"),
    ];
    for (why, bytes, want) in table {
        let max_bytes = if why == "too much" { 99 } else { 1_000_000 };
        assert_eq!(read(bytes, max_bytes).unwrap_err().to_string(), want, "{why}");
    }
}

#[test]
fn glyphs_make_words_and_lines() {
    #[rustfmt::skip]
    let table: &[(&str, String, &str)] = &[
        ("a space",               at(50, 700, 12, "black tea"),                                "black tea\n"),
        ("a gap for a space",     "BT /F 12 Tf 50 700 Td [(black) -300 (tea)] TJ ET".into(),   "black tea\n"),
        ("kerning",               "BT /F 12 Tf 50 700 Td [(bla) -40 (ck) 30 (tea)] TJ ET".into(), "blacktea\n"),
        ("spaces with no width",  "BT /F 12 Tf 50 700 Td [(bla) 0 ( ) 278 (ck)] TJ ET".into(), "black\n"),
        ("spaced out",            "BT /F 12 Tf 3 Tc 50 700 Td (black tea) Tj ET".into(),       "black tea\n"),
        ("two lines",             at(50, 700, 12, "black") + &at(50, 685, 12, "tea"),          "black\ntea\n"),
        ("a word drawn later",    at(50, 700, 12, "black") + &at(150, 700, 12, "cup") + &at(50, 600, 12, "x") + &at(83, 700, 12, "tea in a"), "black tea in a cup\nx\n"),
        ("far on a line",         at(50, 700, 12, "black") + &at(250, 700, 12, "tea"),         "black tea\n"),
        ("an exponent",           at(50, 700, 12, "m") + &at(60, 704, 7, "2"),                 "m2\n"),
        ("bold by two strokes",   at(50, 700, 12, "tea") + "BT /F 12 Tf 50.3 700 Td (tea) Tj ET", "tea\n"),
        ("an outline",            "BT 2 Tr /F 12 Tf 50 700 Td (tea) Tj ET".into(),             "tea\n"),
        ("an accent drawn apart", "BT /F 12 Tf 50 700 Td [(caf) (e) 445 (\\301)] TJ ET".into(), "cafe\u{300}\n"),
        ("upwards",               "BT /F 12 Tf 0 1 -1 0 300 300 Tm (black tea) Tj ET".into(),  "black tea\n"),
        ("aslant",                "BT /F 12 Tf .8 .6 -.6 .8 300 300 Tm (black tea) Tj ET".into(), "black tea\n"),
        ("a margin note apart",   at(50, 700, 12, "black") + "BT /F 12 Tf 0 1 -1 0 20 300 Tm (ad) Tj ET " + &at(50, 685, 12, "tea"), "black\ntea\nad\n"),
        ("layers",                "/OC /X BDC ".to_owned() + &at(50, 700, 12, "tea") + "EMC",  "tea\n"),
        ("too few were saved",    "Q Q EMC ".to_owned() + &at(50, 700, 12, "tea"),             "tea\n"),
    ];
    for (why, content, want) in table {
        assert_eq!(content_of(content), *want, "{why}");
    }
}

/// A font that is not embedded is replaced by another, whose glyphs are stretched to the widths of the
/// PDF: here letters that are narrower than those of any usual font.
#[test]
fn letters_of_a_font_in_place_of_another_have_the_widths_of_the_pdf() {
    let widths = (b'a'..=b'z').map(|letter| if letter == b'l' { "150 " } else { "400 " });
    let parts = Parts {
        page: "/Resources<</Font<</F 10 0 R>>>>",
        contents: vec![at(50, 700, 12, "all come home")],
        objects: vec![format!(
            "<</Type/Font/Subtype/TrueType/BaseFont/Narrow/Encoding/WinAnsiEncoding/FirstChar 97/LastChar 122\
             /Widths[{}]/FontDescriptor<</Flags 32/FontName/Narrow/MissingWidth 277>>>>",
            widths.collect::<Vec<_>>().concat()
        )],
        ..Parts::default()
    };
    assert_eq!(parts.read().unwrap().content, "all come home\n");
}

#[test]
fn a_page_is_read_as_it_is_turned() {
    let content = [at(50, 700, 12, "first"), at(50, 680, 12, "second"), at(300, 680, 12, "third")];
    for degrees in [0, 90, 180, 270] {
        let page = &format!("/Rotate {degrees}");
        let parts = Parts { page, contents: vec![content.concat()], ..Parts::default() };
        assert_eq!(parts.read().unwrap().content, "first\nsecond third\n", "{degrees}");
    }
}

#[test]
fn columns_are_read_one_after_the_other() {
    let (left, right) = ("left lines of some words", "right lines of some words");
    let line = |column: i32, row: i32| {
        let text = if column == 0 { left } else { right };
        at(50 + 260 * column, 700 - 15 * row, 12, &format!("{text} {row}"))
    };
    let text = |column: i32| -> String {
        let text = if column == 0 { left } else { right };
        (0..6).map(|row| format!("{text} {row}\n")).collect::<Vec<_>>().concat()
    };
    let columns: String =
        (0..2).flat_map(|column| (0..6).map(move |row| line(column, row))).collect();
    let across: String =
        (0..6).flat_map(|row| (0..2).map(move |column| line(column, row))).collect();
    let head = at(50, 730, 12, "A head that goes over both of these columns of lines");
    let table: String = (0..6)
        .flat_map(|row| {
            (0..3).map(move |column| {
                at(50 + 160 * column, 700 - 15 * row, 12, &format!("{row}{column}"))
            })
        })
        .collect();
    let rows = (0..6).map(|row| format!("{row}0 {row}1 {row}2\n")).collect::<Vec<_>>().concat();
    let upwards: String =
        (0..9).rev().map(|row| at(50, 700 - 15 * row, 12, &format!("line {row}"))).collect();
    let downwards = (0..9).map(|row| format!("line {row}\n")).collect::<Vec<_>>().concat();
    let both = text(0) + &text(1);
    #[rustfmt::skip]
    let cases = [
        ("drawn so",            columns,          both.clone()),
        ("drawn across",        across.clone(),   both.clone()),
        ("below a head",        head + &across,   format!("A head that goes over both of these columns of lines\n{both}")),
        ("rows of a table",     table,            rows),
        ("drawn from below",    upwards,          downwards),
    ];
    for (why, content, want) in cases {
        assert_eq!(content_of(&content), want, "{why}");
    }
}

/// A font whose codes are letters of Hebrew and Arabic, all half as wide as high.
fn with_letters(content: &str) -> String {
    let map = "1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <41> <5A> <05D0> endbfrange \
               1 beginbfrange <20> <39> <0020> endbfrange 1 beginbfrange <61> <7A> <0061> endbfrange \
               2 beginbfchar <5B> <06440627> <5D> <0301> endbfchar";
    let widths = "500 ".repeat(256);
    let parts = Parts {
        page: "/Resources<</Font<</F 10 0 R>>>>",
        contents: vec![content.to_owned()],
        objects: vec![
            format!(
                "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 0/LastChar 255/Widths[{widths}]/ToUnicode 11 0 R>>"
            ),
            format!("<</Length {}>>stream\n{map}\nendstream", map.len()),
        ],
        ..Parts::default()
    };
    parts.read().unwrap().content
}

#[test]
fn lines_from_the_right_are_read_so() {
    let backwards = "BT /F 10 Tf 100 700 Td (C) Tj 5 0 Td (B) Tj 5 0 Td (A) Tj ET";
    let logical = "BT /F 10 Tf 110 700 Td (A) Tj -5 0 Td (B) Tj -5 0 Td (C) Tj ET";
    let shown = |text: &str| format!("BT /F 10 Tf 100 700 Td ({text}) Tj ET");
    #[rustfmt::skip]
    let table: &[(&str, String, &str)] = &[
        ("drawn from the left",   backwards.to_owned(),           "אבג\n"),
        ("drawn from the right",  logical.to_owned(),             "אבג\n"),
        ("two words",             shown("ED CBA"),                "אבג דה\n"),
        ("a number",              shown("ED 3.14 CBA"),           "אבג 3.14 דה\n"),
        ("two numbers",           shown("12 34 CBA"),             "אבג 34 12\n"),
        ("words of two scripts",  shown("ED of tea CBA"),         "אבג of tea דה\n"),
        ("mostly of another",     shown("read DCBA as it is"),    "as it is אבגד read\n"),
        ("two letters in one",    shown("B[A"),                   "א\u{644}\u{627}ב\n"),
        ("of another only",       shown("of tea"),                "of tea\n"),
    ];
    for (why, content, want) in table {
        assert_eq!(with_letters(content), *want, "{why}");
    }
}

#[test]
fn words_that_no_reader_sees_are_set_apart() {
    let shown = |how: &str, line: i32, text: &str| {
        format!("q {how} BT /F 12 Tf 50 {} Td ({text}) Tj ET Q\n", 700 - 20 * line)
    };
    let later = |how: &str, text: &str| shown("", 1, text) + how;
    #[rustfmt::skip]
    let table: &[(&str, String, &str, &str)] = &[
        ("white",                     shown("1 g", 1, "snow falls"),                "first last", "snow falls"),
        ("nearly white",              shown(".99 .98 .97 rg", 1, "snow falls"),     "first last", "snow falls"),
        ("no ink",                    shown("0 0 0 0 k", 1, "snow"),                "first last", "snow"),
        ("not painted",               shown("3 Tr", 1, "ghosts"),                   "first last", "ghosts"),
        ("for clipping only",         shown("7 Tr", 1, "ghosts"),                   "first last", "ghosts"),
        ("white on blue",             shown("0 0 .6 rg 40 670 300 30 re f 1 g", 1, "sky"), "first sky last", ""),
        ("blue on blue",              shown("0 0 .6 rg 40 670 300 30 re f", 1, "sky"), "first last", "sky"),
        ("white on a round ground",   shown("0 0 .6 rg 40 670 m 40 700 300 700 300 670 c f 1 g 1 0 0 1 60 0 cm", 1, "sky"), "first sky last", ""),
        ("on a thick line",           shown("0 0 .6 RG 30 w 40 685 m 300 685 l S 1 g", 1, "sky"), "first sky last", ""),
        ("white with blue outlines",  shown("1 g 0 0 .6 RG 2 Tr", 1, "sky"),        "first sky last", ""),
        ("light grey",                shown(".85 g", 1, "fog"),                     "first fog last", ""),
        ("transparent",               shown("/T gs", 1, "air"),                     "first last", "air"),
        ("half transparent",          shown("/H gs", 1, "mist"),                    "first mist last", ""),
        ("small",                     shown("1 0 0 1 0 0 cm .2 0 0 .2 40 544 cm", 1, "mite"), "first last", "mite"),
        ("covered",                   later("0 0 .6 rg 40 670 300 30 re f\n", "cave"), "first last", "cave"),
        ("highlighted",               later("q /M gs 1 1 0 rg 40 670 300 30 re f Q\n", "lamp"), "first lamp last", ""),
        ("framed",                    later("40 670 300 30 re S\n", "lamp"),        "first lamp last", ""),
        ("clipped",                   shown("300 0 300 800 re W n", 1, "cut"),      "first last", "cut"),
        ("clipped in part",           shown("60 0 300 800 re W n", 1, "cut off"),   "first cut off last", ""),
        ("off the page",              shown("", 40, "cellar"),                      "first last", "cellar"),
        ("far off the page",          shown("", 1800, "cellar vault"),              "first last", "cellar vault"),
        ("over its edge",             shown("1 0 0 1 525 0 cm", 1, "shore sea"),    "first shore last", "sea"),
        ("and drawn where it is seen", shown("1 g", 1, "tea") + &shown("", 1, "tea"), "first tea last", ""),
        ("hidden spaces",             "q 1 g BT /F 12 Tf 50 680 Td ( ) Tj 0 g (a) Tj 1 g ( ) Tj 0 g (b) Tj ET Q\n".to_owned(), "first a b last", ""),
    ];
    let states = "/Resources<</Font<</F 3 0 R>>/ExtGState<</T<</ca 0.05>>/H<</ca 0.5>>/M<</BM/Multiply>>>>>>";
    for (why, content, seen, hidden) in table {
        let all = shown("", 0, "first") + content + &shown("", 2, "last");
        let parts = Parts { page: states, contents: vec![all], ..Parts::default() };
        let read = parts.read().unwrap();
        let words: Vec<&str> = read.content.split_whitespace().collect();
        assert_eq!(
            (words.join(" "), read.hidden.join(" ")),
            ((*seen).to_owned(), (*hidden).to_owned()),
            "{why}"
        );
        assert_eq!(read.pages, [0], "{why}");
    }
}

#[test]
fn the_text_of_a_scan_is_seen() {
    let image = |width: i32, height: i32| {
        format!("q {width} 0 0 {height} 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q\n")
    };
    let hidden = "3 Tr ".to_owned() + &at(50, 700, 12, "tea");
    #[rustfmt::skip]
    let table: &[(&str, String, &str, &str)] = &[
        ("a picture below it",     image(600, 800) + &hidden,                       "tea\n", ""),
        ("a picture on it",        hidden.clone() + &image(600, 800),               "tea\n", ""),
        ("painted, a picture on it", at(50, 700, 12, "tea") + &image(600, 800),     "tea\n", ""),
        ("a small one below it",   image(200, 720) + &hidden,                       "tea\n", ""),
        ("a small one elsewhere",  image(200, 500) + &hidden + "0 Tr " + &at(50, 600, 12, "cup"), "cup\n", "tea"),
        ("a small one on it",      at(50, 700, 12, "tea") + &image(200, 720) + &at(50, 750, 12, "cup"), "cup\n", "tea"),
    ];
    for (why, content, seen, hidden) in table {
        let read = one(content.clone()).unwrap();
        assert_eq!((&*read.content, &*read.hidden.join(" ")), (*seen, *hidden), "{why}");
    }
    let pages = vec![at(50, 700, 12, "tea"), image(600, 800), image(600, 800)];
    let read = Parts { contents: pages, ..Parts::default() }.read().unwrap();
    assert_eq!(read.unread.as_deref(), Some("pages 2, 3 without text, only with pictures"));
    assert_eq!(read.pages, [0, 4, 4]);
}

#[test]
fn text_that_stands_for_what_is_drawn_is_taken_if_it_does_not_lie() {
    let span = |said: &str, shown: &str| {
        format!("/Span <</ActualText {said}>> BDC BT /F 12 Tf 50 700 Td ({shown}) Tj ET EMC")
    };
    #[rustfmt::skip]
    let table: &[(&str, String, &str, usize)] = &[
        ("a ligature",        span("(ffi)", "\\001"),                         "ffi\n", 0),
        ("the same",          span("(tea)", "tea"),                           "tea\n", 0),
        ("in UTF-16",         span("<FEFF007400E8>", "t\\350"),               "tè\n", 0),
        ("another word",      span("(eat)", "tea"),                           "tea\n", 1),
        ("another letter",    span("(x)", "t"),                               "t\n", 1),
        ("a capital",         span("(t)", "T"),                               "t\n", 0),
        ("words",             span("(eat an ox)", "tea is hot"),              "tea is hot\n", 3),
        ("within another",    "/Span <</ActualText (tea)>> BDC ".to_owned() + &span("(eat)", "tea") + " EMC", "tea\n", 0),
        ("never ended",       span("(eat)", "tea").replace("EMC", ""),        "tea\n", 0),
    ];
    for (why, content, want, replaced) in table {
        let mut fonts = Fonts::default();
        let mut page = Page::new([600.0, 800.0], 1_000, &mut fonts);
        let parts = Parts {
            contents: vec![format!("{content}\n{}", at(50, 600, 12, "z"))],
            ..Parts::default()
        };
        let pdf = Pdf::new(parts.pdf()).unwrap();
        let cache = InterpreterCache::new();
        let mut context = Context::new(
            pdf.pages()[0].initial_transform(true).to_kurbo(),
            Rect::new(0.0, 0.0, 600.0, 800.0),
            &cache,
            pdf.xref(),
            InterpreterSettings::default(),
        );
        interpret_page(&pdf.pages()[0], &mut context, &mut page);
        let [seen, _] = page.take_glyphs().map(page_lines);
        let text: String =
            seen.iter().filter(|it| it.text != "z").map(|it| it.text.clone()).collect();
        assert_eq!((text, page.replaced), (want.trim_end().to_owned(), *replaced), "{why}");
    }
    let lies = span("(eat eat eat eat eat eat eat eat eat eat)", "tea");
    let unread = one(lies).unwrap().unread;
    assert_eq!(
        unread.as_deref(),
        Some("10 words that its pages show are others in its /ActualText")
    );
}

/// A document whose `/ToUnicode` gives the next letter in place of each.
const LYING: &[u8] = include_bytes!("../../../../../../tests/documents/lying.pdf");

#[test]
fn letters_are_those_of_the_font_if_the_pdf_says_others() {
    let read = read(LYING, 1_000_000).unwrap();
    assert_eq!(
        (read.content.trim_end(), read.unread.as_deref()),
        (
            "The keeper counted the lamps twice before the harbour was dark.",
            Some("51 letters are others in its /ToUnicode")
        )
    );
    // Here A is said to be B, and so on.
    let map = "1 begincodespacerange <00> <FF> endcodespacerange 2 beginbfrange <41> <59> <0042> \
               <61> <79> <0062> endbfrange";
    let shown = "the lamp of a harbour";
    #[rustfmt::skip]
    let table = [
        ("a known encoding",     "/Encoding/WinAnsiEncoding",                       shown),
        ("one with differences", "/Encoding<</BaseEncoding/WinAnsiEncoding/Differences[97/x]>>", "the lxmp of x hxrbour"),
        ("names of glyphs only", "/Encoding<</Differences[97/a/b/c/d/e/f]>>",       "uie manq pf a iasbpvs"),
        ("few of them",          "/Encoding<</Differences[97/a/b]>>",               "uif mbnq pg b ibscpvs"),
        ("no letters",           "/Encoding<</Differences[97/g1/g2/g3/g4]>>",       "uif mbnq pg b ibscpvs"),
        ("an unknown encoding",  "",                                                "uif mbnq pg b ibscpvs"),
        ("a font of symbols",    "/Encoding/WinAnsiEncoding/FontDescriptor<</Flags 4>>", "uif mbnq pg b ibscpvs"),
    ];
    for (why, encoding, want) in table {
        let parts = Parts {
            page: "/Resources<</Font<</F 10 0 R>>>>",
            contents: vec![at(50, 700, 12, shown)],
            objects: vec![
                format!(
                    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica{encoding}/ToUnicode 11 0 R>>"
                ),
                format!("<</Length {}>>stream\n{map}\nendstream", map.len()),
            ],
            ..Parts::default()
        };
        assert_eq!(parts.read().unwrap().content.trim_end(), want, "{why}");
    }
}

#[test]
fn what_is_not_read_is_counted() {
    let page = "/Annots[<</Subtype/Widget/V(sugar)>><</Subtype/Widget/V()>><</Subtype/Widget/Parent<</V(milk)>>>>\
        <</Subtype/Text/Contents(note)>><</Subtype/Link>><</Subtype/FileAttachment>>]";
    let catalog = "/Names<</EmbeddedFiles<</Kids[10 0 R]>>>>/OCProperties<</D<</OFF[10 0 R]>>>>";
    let parts = Parts {
        catalog,
        page,
        contents: vec![at(50, 700, 12, "tea")],
        objects: vec!["<</Names[(a)<<>>(b)<<>>]/Kids[10 0 R]>>".to_owned()],
    };
    let unread = parts.read().unwrap().unread.unwrap();
    assert!(unread.starts_with("2 form fields, 1 annotation, "), "{unread}");
    assert!(unread.ends_with(" attachments, 1 hidden layer not read"), "{unread}");
}

#[test]
fn letters_of_a_bitmap_font_are_its_codes() {
    let parts = Parts {
        page: "/Resources<</Font<</F 10 0 R>>>>",
        contents: vec![at(50, 700, 1, "tea")],
        objects: vec![
            "<</Type/Font/Subtype/Type3/FontMatrix[.24 0 0 .24 0 0]/FontBBox[0 0 30 30]/FirstChar 97/LastChar 116\
             /Widths[20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20]\
             /Encoding<</Differences[97/a0 101/a4 116/a19]>>/CharProcs<</a0 11 0 R/a4 11 0 R/a19 11 0 R>>>>"
                .to_owned(),
            "<</Length 31>>stream\n20 0 0 0 20 20 d1 0 0 20 20 re f\nendstream".to_owned(),
        ],
        ..Parts::default()
    };
    let read = parts.read().unwrap();
    assert_eq!(read.content, "tea\n");
    let want =
        "3 letters taken for those of their codes, since their fonts do not say which they are";
    assert_eq!(read.unread.as_deref(), Some(want));
}

#[test]
fn lines_go_on_over_pages() {
    let page = |number: i32, text: &str| {
        at(50, 780, 9, "An essay") + &at(50, 700, 12, text) + &at(300, 20, 9, &number.to_string())
    };
    let lines = [
        "at noon they all came down to the quay to look at the fish-",
        "ing boats that had been out on the sea for most of the night",
        "and had so very little to show for it when they came back in",
    ];
    let contents = (1..).zip(lines).map(|(number, line)| page(number, line)).collect();
    let read = Parts { contents, ..Parts::default() }.read().unwrap();
    assert_eq!(read.content, lines.map(|line| line.to_owned() + "\n").concat());
    assert_eq!((read.pages, read.around), (vec![0, 60, 121], [9, 51]));
}
