use std::io::{self, Write};
#[cfg(unix)]
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

const OFFICE: &[u8] = include_bytes!("../../../../../tests/documents/libreoffice.pdf");
const SCAN: &[u8] = include_bytes!("../../../../../tests/documents/pillow.pdf");
const LOCKED: &[u8] = include_bytes!("../../../../../tests/documents/qpdf-locked.pdf");

/// Reads a PDF. `None`, with a message on standard error, if the program is not installed; fails
/// instead if `DEDUP_CI` is set.
fn installed(bytes: &[u8]) -> Option<Result<Extracted, ExtractError>> {
    match text(bytes, &Bounds::default()) {
        Err(ExtractError::NoProgram { .. }) => {
            assert!(std::env::var_os("DEDUP_CI").is_none(), "pdftotext is missing");
            let _ = writeln!(io::stderr(), "skipped: no pdftotext on the search path");
            None
        }
        read => Some(read),
    }
}

#[test]
fn a_document_of_a_real_program_is_read() {
    let Some(read) = installed(OFFICE) else { return };
    let read = read.unwrap();
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
    assert!(read.content.contains(" She\ngrinds ") && !read.content.contains('\u{c}'));
    assert!(read.hidden.is_empty());
}

/// Returns a PDF with one page of 600 by 800 points, of which the lowest 40 are cropped.
fn pdf(content: &str) -> Vec<u8> {
    turned_pdf(content, 0)
}

/// Same as [`pdf`], but the page is rotated clockwise by some degrees.
fn turned_pdf(content: &str, degrees: u32) -> Vec<u8> {
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/CropBox[0 40 600 800]/Rotate {degrees}\
             /Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>"
        ),
        format!("<</Length {}>>stream\n{content}\nendstream", content.len()),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
    ];
    let (mut pdf, mut places) = ("%PDF-1.7\n".to_owned(), String::new());
    for (object, number) in objects.iter().zip(1..) {
        places = format!("{places}{:010} 00000 n \n", pdf.len());
        pdf = format!("{pdf}{number} 0 obj\n{object}\nendobj\n");
    }
    let (count, start) = (objects.len() + 1, pdf.len());
    let head = format!("xref\n0 {count}\n0000000000 65535 f \n");
    let end = format!("trailer\n<</Size {count}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n");
    (pdf + &head + &places + &end).into_bytes()
}

#[test]
fn words_that_no_reader_sees_are_set_apart() {
    let shown = |how: &str, line: i32, text: &str| {
        format!("q {how} BT /F 12 Tf 50 {} Td ({text}) Tj ET Q\n", 700 - 20 * line)
    };
    #[rustfmt::skip]
    let table: &[(&str, String, &str, &str)] = &[
        ("white",                     shown("1 g", 1, "snow falls"),                "first last", "snow falls"),
        ("nearly white",              shown(".99 .98 .97 rg", 1, "snow falls"),     "first last", "snow falls"),
        ("not painted",               shown("3 Tr", 1, "ghosts"),                   "first last", "ghosts"),
        ("white on blue",             shown("0 0 .6 rg 40 670 300 30 re f 1 g", 1, "sky"), "first sky last", ""),
        ("not painted over a picture", shown("0 g 50 680 2 9 re f 3 Tr", 1, "scan"), "first scan last", ""),
        ("light grey",                shown(".85 g", 1, "fog"),                     "first fog last", ""),
        ("off the page",              shown("", 34, "cellar"),                      "first last", "cellar"),
        ("off the medium",            shown("", 40, "cellar"),                      "first last", ""),
        ("far off the medium",        shown("", 1800, "cellar vault"),              "first last", ""),
        ("over its edge",             shown("1 0 0 1 525 0 cm", 1, "shore sea"),    "first shore last", ""),
        ("white, and off the medium", shown("1 g", 1, "snow") + &shown("", 40, "ice"), "first last", "snow"),
    ];
    for (why, content, seen, hidden) in table {
        let all = shown("", 0, "first") + content + &shown("", 2, "last");
        let Some(read) = installed(&pdf(&all)) else { return };
        let read = read.unwrap();
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
fn words_that_are_cropped_away_are_set_apart_however_a_page_is_turned() {
    let word = |x: i32, y: i32, word: &str| format!("BT /F 12 Tf {x} {y} Td ({word}) Tj ET\n");
    let content = [word(50, 700, "first"), word(500, 20, "cellar"), word(50, 50, "last")].concat();
    for degrees in [0, 90, 180, 270] {
        let Some(read) = installed(&turned_pdf(&content, degrees)) else { return };
        let read = read.unwrap();
        let mut words: Vec<&str> = read.content.split_whitespace().collect();
        words.sort_unstable();
        assert_eq!(
            (words, read.hidden.join(" ")),
            (vec!["first", "last"], "cellar".to_owned()),
            "{degrees}"
        );
    }
}

#[test]
fn what_cannot_be_read_is_reported() {
    let noise = [b"%PDF-1.7\n".as_slice(), &[0xa7; 500]].concat();
    #[rustfmt::skip]
    let table: [(&str, &[u8], &str); 5] = [
        ("pictures only", SCAN,                         "a PDF without text: its pages are pictures"),
        ("a password",    LOCKED,                       "password-protected PDF, expected one without a password"),
        ("nothing",       b"",                          "damaged PDF: "),
        ("noise",         &noise,                       "damaged PDF: "),
        ("cut",           &OFFICE[..OFFICE.len() / 2],  "damaged PDF: "),
    ];
    for (why, bytes, want) in table {
        let Some(read) = installed(bytes) else { return };
        let reason = read.unwrap_err().to_string();
        // The reason is worded by the program, and differs between its versions.
        let message = if want.ends_with(": ") { &reason[..want.len()] } else { &reason };
        assert_eq!(message, want, "{why}");
        assert!(reason.len() > "damaged PDF: ".len(), "{why}");
    }
}

#[test]
fn a_missing_program_is_reported() {
    let reason = read(&mut Command::new("no-such-program"), OFFICE, &Bounds::default());
    let want = "a PDF, which pdftotext reads: program not found";
    assert_eq!(reason.unwrap_err().to_string(), want);
    let reason = read(&mut Command::new("/"), OFFICE, &Bounds::default()).unwrap_err();
    assert_eq!(reason.to_string(), "a PDF, which pdftotext reads: program could not be run");
}

/// Runs a shell script instead of the program.
#[cfg(unix)]
fn shell(script: &str, input: &[u8], bounds: Bounds) -> Result<Extracted, ExtractError> {
    read(Command::new("sh").args(["-c", script]), input, &bounds)
}

#[cfg(unix)]
#[test]
fn a_program_is_held_to_its_bounds() {
    let bounds = |max_bytes: u64, milliseconds: u64| Bounds {
        unpacked: Some(max_bytes),
        time: Some(Duration::from_millis(milliseconds)),
        ..Bounds::default()
    };
    let (slow, large) = (
        "pdftotext did not finish in 1 s, expected it sooner",
        "unpacks to more than the limit of 1000 bytes",
    );
    #[rustfmt::skip]
    let table = [
        ("it sleeps",              "exec sleep 100",                  bounds(1000, 1000), slow),
        ("silently",               "exec >&- 2>&-; exec sleep 100",   bounds(1000, 1000), slow),
        ("what it started does",   "sleep 3 & wait",                  bounds(1000, 1000), slow),
        ("it writes without end",  "exec yes",                        bounds(1000, 9000), large),
        ("a byte too much",        "head -c 1001 /dev/zero",          bounds(1000, 9000), large),
        ("just enough",            "head -c 1000 /dev/zero",          bounds(1000, 9000), "a PDF without text: its pages are pictures"),
        ("complaints without end", "yes >&2 & sleep 0.1; kill $!; exit 1", bounds(1000, 9000), "damaged PDF: y"),
        ("it fails silently",      "exit 1",                          bounds(1000, 9000), "damaged PDF: pdftotext failed"),
        ("it breaks down",         "kill -9 $$",                      bounds(1000, 9000), "damaged PDF: pdftotext failed"),
        ("it may not",             "exit 3",                          bounds(1000, 9000), "password-protected PDF, expected one without a password"),
        ("controls",               "printf '\\n a\\033b\\nc' >&2; exit 1", bounds(1000, 9000), "damaged PDF: ab"),
    ];
    for (why, script, bounds, want) in table {
        let begin = Instant::now();
        assert_eq!(shell(script, b"", bounds).unwrap_err().to_string(), want, "{why}");
        assert!(begin.elapsed() < Duration::from_secs(2), "{why}: {:?}", begin.elapsed());
    }
}

/// Two pages, of which the second is damaged: pdftotext extracts the first and exits with 0.
const DAMAGED: &[u8] = include_bytes!("../../../../../tests/documents/damaged.pdf");

#[test]
fn a_page_that_is_lost_is_damage() {
    let Some(read) = installed(DAMAGED) else { return };
    let reason = read.unwrap_err().to_string();
    assert!(reason.starts_with("damaged PDF: page 2 has no text; pdftotext says: "), "{reason}");
}

#[cfg(unix)]
#[test]
fn what_a_program_complains_of_is_reported() {
    let bounds = || Bounds { unpacked: None, ..Bounds::default() };
    let some =
        |of: &str| Ok(Some(format!("some of its text may be missing; pdftotext says: {of}")));
    let lost = |page: usize, of: &str| {
        Err(format!("damaged PDF: page {page} has no text; pdftotext says: {of}"))
    };
    let flate = "Syntax Error (724): Bad block header in flate stream";
    let layers =
        "Syntax Error: Expected the optional content group list, but wasn't able to find it";
    let font = "Syntax Error: Couldn't find a font for 'X'";
    let no_font = "Syntax Error (9): No font in show";
    let kid = "Syntax Error: Kid object (page 3) is wrong type (null)";
    #[rustfmt::skip]
    let table: &[(&str, &str, &[&str], Result<Option<String>, String>)] = &[
        ("nothing",                   "a\\fb\\f",      &[],                  Ok(None)),
        ("a blank page",              "a\\f\\f",       &[],                  Ok(None)),
        ("what it calls a warning",   "a\\f\\f",       &["Syntax Warning: Invalid Font Weight", ""], Ok(None)),
        ("harmless",                  "a\\fb\\f",      &[layers],            some(layers)),
        ("and a blank page",          "a\\f\\f",       &[font, layers],      some(&format!("{font}, and 1 more"))),
        ("damage within a page",      "a\\fb\\f",      &[flate],             some(flate)),
        ("given twice",               "a\\fb\\f",      &[flate, flate],      some(flate)),
        ("damage comes first",        "a\\fb\\f",      &[font, layers, flate], some(&format!("{flate}, and 2 more"))),
        ("a page that is lost",       "a\\f\\f",       &[font, flate],       lost(2, flate)),
        ("the first page",            "\\f-\\fb\\f",  &[flate],             lost(1, flate)),
        ("without its font",          "a\\f\\f",       &[no_font],           lost(2, no_font)),
        ("every page",                "\\f",             &[flate],             lost(1, flate)),
        ("not even an empty page",    "a\\fb\\f",      &[kid],               lost(3, kid)),
        ("no end of the last page",   "a\\fb",           &[flate],             some(flate)),
        ("pictures only",             "\\f",             &[font],              Err("a PDF without text: its pages are pictures".to_owned())),
    ];
    for (why, pages, complaints, want) in table {
        let complaints = complaints.join("\n");
        let script = format!("printf '{pages}'; cat >&2");
        let read = shell(&script, complaints.as_bytes(), bounds());
        let message = read.map(|it| it.damage).map_err(|reason| reason.to_string());
        assert_eq!(message, *want, "{why}");
    }
    let many: Vec<String> =
        (0..300).map(|at| format!("Syntax Error ({at}): Unknown operator")).collect();
    let read = shell("printf 'a\\f'; cat >&2", many.join("\n").as_bytes(), bounds()).unwrap();
    assert_eq!(
        read.damage,
        some("Syntax Error (0): Unknown operator, and 99 or more others").unwrap()
    );
}

#[cfg(unix)]
#[test]
fn no_pipe_blocks_another() {
    let input = vec![b'a'; 3_000_000]; // more than a pipe can hold
    let bounds = || Bounds { unpacked: None, ..Bounds::default() };
    assert_eq!(shell("cat", &input, bounds()).unwrap().content.len(), input.len());
    assert_eq!(shell("cat >&2; echo tea", &input, bounds()).unwrap().content, "tea\n");
    assert_eq!(shell("echo tea", &input, bounds()).unwrap().content, "tea\n"); // reads nothing
    let unbounded = Bounds { unpacked: None, ..Bounds::default() };
    assert_eq!(shell("printf 'a\\fb\\377'", b"", unbounded).unwrap().content, "a\nb\u{fffd}");
}

#[cfg(unix)]
#[test]
fn no_program_outlives_its_reader() {
    let file = std::env::temp_dir().join(format!("dedup-text-pid-{}", std::process::id()));
    let script = format!("echo $$ >{}; exec sleep 100", file.display());
    let bounds = Bounds { time: Some(Duration::from_millis(500)), ..Bounds::default() };
    shell(&script, b"", bounds).unwrap_err();
    let is_there = Command::new("sh")
        .arg("-c")
        .arg(format!("kill -0 $(cat {0}); there=$?; rm {0}; exit $there", file.display()))
        .output()
        .unwrap();
    assert!(!is_there.status.success());
}

#[cfg(unix)]
#[test]
fn pages_begin_behind_the_end_of_another() {
    let bounds = || Bounds { unpacked: None, ..Bounds::default() };
    #[rustfmt::skip]
    let table: &[(&str, &str, &[usize])] = &[
        ("one page",            "a\\f",          &[0]),
        ("two",                 "a b\\nc\\fd\\f", &[0, 6]),
        ("an empty one",        "a\\f\\fd\\f",    &[0, 2, 3]),
        ("an empty first one",  "\\fd\\f",       &[0, 1]),
        ("an empty last one",   "a\\f\\f",       &[0, 2]),
        ("no end of the last",  "a\\fb",         &[0, 2]),
    ];
    for (why, written, want) in table {
        let read = shell(&format!("printf '{written}'"), b"", bounds()).unwrap();
        assert_eq!(read.pages, *want, "{why}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn bytes_without_pages_are_damaged(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        if let Some(read) = installed(&[b"%PDF-1.7\n", &*bytes].concat()) {
            let is_damaged = matches!(read, Err(ExtractError::Damaged { kind: KIND, .. }));
            prop_assert!(is_damaged, "{:?}", read);
        }
    }

    #[test]
    fn pages_of_a_changed_document_begin_on_lines_of_its_text(at in 0..OFFICE.len(), byte in any::<u8>()) {
        let mut bytes = OFFICE.to_vec();
        bytes[at] = byte;
        if let Some(Ok(Extracted { content, pages, .. })) = installed(&bytes) {
            prop_assert!(!content.contains(END_OF_PAGE));
            prop_assert!(pages.starts_with(&[0]) && pages.is_sorted(), "{:?}", pages);
            prop_assert!(pages[1..].iter().all(|at| content[..*at].ends_with('\n')), "{:?}", pages);
        }
    }
}

#[test]
fn what_a_pdf_says_of_itself_is_no_part_of_its_text() {
    let head = "<!DOCTYPE html PUBLIC \"x\">\n<head>\n<title>&lt;/head&gt;</title>\n";
    let page = |meta: &str, text: &str| {
        format!("{head}{meta}</head>\n<body>\n<pre>\n{text}</pre>\n</body>\n</html>\n")
    };
    let author = "<meta name=\"Author\" content=\"Olga &lt;I&gt;\nB\"/>\n";
    let date = "<meta name=\"CreationDate\" content=\"2026-01-02T03:04:05Z\"/>\n";
    let text = "one & </pre>\n</body>\n<two>\n\u{c}";
    let (both, none) = (page(&format!("{author}{date}"), text), page("", text));
    let said = |author: Option<&str>, created: Option<&str>| Properties {
        author: author.map(str::to_owned),
        last_modified_by: None,
        created: created.map(str::to_owned),
    };
    #[rustfmt::skip]
    let table = [
        ("both",        &*both,      (text, said(Some("Olga <I> B"), Some("2026-01-02T03:04:05Z")))),
        ("none",        &*none,      (text, said(None, None))),
        ("no head",     text,        (text, said(None, None))),
        ("a cut head",  head,        (head, said(None, None))),
        ("nothing",     "",          ("", said(None, None))),
    ];
    for (why, written, want) in table {
        assert_eq!(without_head(written), want, "{why}");
    }
    let Some(read) = installed(OFFICE) else { return };
    assert_eq!(read.unwrap().properties, said(None, Some("2026-11-21T16:07:14Z")));
}
