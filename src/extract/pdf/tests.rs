use std::io::Write;
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

const OFFICE: &[u8] = include_bytes!("../../../tests/documents/libreoffice.pdf");
const SCAN: &[u8] = include_bytes!("../../../tests/documents/pillow.pdf");
const LOCKED: &[u8] = include_bytes!("../../../tests/documents/qpdf-locked.pdf");

/// Reads a PDF; none, and a word on standard error, where the program is not installed; under
/// `DEDUP_CI` that is a failure.
fn installed(bytes: &[u8]) -> Option<Result<Extracted, Refusal>> {
    match text(bytes, &Bounds::default()) {
        Err(Refusal::NoProgram { .. }) => {
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

#[test]
fn what_cannot_be_read_is_told() {
    let noise = [b"%PDF-1.7\n".as_slice(), &[0xa7; 500]].concat();
    #[rustfmt::skip]
    let table: [(&str, &[u8], &str); 5] = [
        ("pictures only", SCAN,                         "a PDF without text: its pages are pictures"),
        ("a password",    LOCKED,                       "PDF locked by a password, wanted one that opens without"),
        ("nothing",       b"",                          "damaged PDF: "),
        ("noise",         &noise,                       "damaged PDF: "),
        ("cut",           &OFFICE[..OFFICE.len() / 2],  "damaged PDF: "),
    ];
    for (why, bytes, want) in table {
        let Some(read) = installed(bytes) else { return };
        let refusal = read.unwrap_err().to_string();
        // What is wrong is said in the program's words, which its versions choose anew.
        let told = if want.ends_with(": ") { &refusal[..want.len()] } else { &refusal };
        assert_eq!(told, want, "{why}");
        assert!(refusal.len() > "damaged PDF: ".len(), "{why}");
    }
}

#[test]
fn no_program_is_told() {
    let refusal = read(&mut Command::new("no-such-program"), OFFICE, &Bounds::default());
    let want = "a PDF, which pdftotext reads: not found";
    assert_eq!(refusal.unwrap_err().to_string(), want);
    let refusal = read(&mut Command::new("/"), OFFICE, &Bounds::default()).unwrap_err();
    assert_eq!(refusal.to_string(), "a PDF, which pdftotext reads: could not be run");
}

/// A shell in place of the program.
#[cfg(unix)]
fn shell(script: &str, input: &[u8], bounds: Bounds) -> Result<Extracted, Refusal> {
    read(Command::new("sh").args(["-c", script]), input, &bounds)
}

#[cfg(unix)]
#[test]
fn a_program_is_held_to_its_bounds() {
    let bounds = |most: u64, milliseconds: u64| Bounds {
        unpacked: Some(most),
        time: Some(Duration::from_millis(milliseconds)),
    };
    let (slow, large) = (
        "pdftotext did not finish in 1 s, wanted it sooner",
        "unpacks to more than 1000 bytes, wanted at most so many",
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
        ("it fails silently",      "exit 1",                          bounds(1000, 9000), "damaged PDF: pdftotext gave up on it"),
        ("it breaks down",         "kill -9 $$",                      bounds(1000, 9000), "damaged PDF: pdftotext gave up on it"),
        ("it may not",             "exit 3",                          bounds(1000, 9000), "PDF locked by a password, wanted one that opens without"),
        ("controls",               "printf '\\n a\\033b\\nc' >&2; exit 1", bounds(1000, 9000), "damaged PDF: ab"),
    ];
    for (why, script, bounds, want) in table {
        let begin = Instant::now();
        assert_eq!(shell(script, b"", bounds).unwrap_err().to_string(), want, "{why}");
        assert!(begin.elapsed() < Duration::from_secs(2), "{why}: {:?}", begin.elapsed());
    }
}

#[cfg(unix)]
#[test]
fn no_pipe_blocks_another() {
    let input = vec![b'a'; 3_000_000]; // more than pipes hold
    let bounds = || Bounds { unpacked: None, time: Some(Duration::from_secs(20)) };
    assert_eq!(shell("cat", &input, bounds()).unwrap().content.len(), input.len());
    assert_eq!(shell("cat >&2; echo tea", &input, bounds()).unwrap().content, "tea\n");
    assert_eq!(shell("echo tea", &input, bounds()).unwrap().content, "tea\n"); // reads nothing
    let unbounded = Bounds { unpacked: None, time: None };
    assert_eq!(shell("printf 'a\\fb\\377'", b"", unbounded).unwrap().content, "a\nb\u{fffd}");
}

#[cfg(unix)]
#[test]
fn no_program_outlives_its_reader() {
    let file = std::env::temp_dir().join(format!("dedup-text-pid-{}", std::process::id()));
    let script = format!("echo $$ >{}; exec sleep 100", file.display());
    let bounds = Bounds { unpacked: None, time: Some(Duration::from_millis(500)) };
    shell(&script, b"", bounds).unwrap_err();
    let is_there = Command::new("sh")
        .arg("-c")
        .arg(format!("kill -0 $(cat {0}); there=$?; rm {0}; exit $there", file.display()))
        .output()
        .unwrap();
    assert!(!is_there.status.success());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        let _ = text(&[b"%PDF-1.7\n", &*bytes].concat(), &Bounds::default());
    }

    #[test]
    fn a_changed_document_is_read_or_refused(at in 0..OFFICE.len(), byte in any::<u8>()) {
        let mut bytes = OFFICE.to_vec();
        bytes[at] = byte;
        let _ = text(&bytes, &Bounds::default());
    }
}
