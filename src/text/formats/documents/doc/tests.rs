use std::io::Write;

use super::*;

const OFFICE: &[u8] = include_bytes!("../../../../../tests/documents/libreoffice.doc");

/// Reads a document with one of the programs. `None`, with a message on standard error, if it is
/// not installed; fails instead if `DEDUP_CI` is set.
fn installed(which: usize, bytes: &[u8]) -> Option<Result<Extracted, ExtractError>> {
    let (program, arguments) = PROGRAMS[which];
    match read([(program, program.command(arguments))], bytes, &Bounds::default()) {
        Err(ExtractError::NoProgram { .. }) => {
            assert!(std::env::var_os("DEDUP_CI").is_none(), "{} is missing", program.name);
            let _ = writeln!(std::io::stderr(), "skipped: {} is not installed", program.name);
            None
        }
        read => Some(read),
    }
}

#[test]
fn a_document_of_a_real_program_is_read() {
    let table = "Dish\tPrice\nFish soup\tseven\nApple cake\tthree\n";
    for which in [0, 1] {
        let Some(read) = installed(which, OFFICE) else { continue };
        let content = read.unwrap().content;
        let sentence =
            "Zoë opens the café at six, while the fishing boats still lie in the fog. She";
        for part in ["The café at the harbour\n", sentence, "a pot of mint tea\n", table] {
            assert!(content.contains(part), "{part} in {content}");
        }
        assert!(content.contains("The harbour master says"), "{content}");
        assert!(!content.contains(['[', '|']), "{content}");
    }
}

#[test]
fn what_cannot_be_read_is_reported() {
    let cut = &OFFICE[..3_000];
    for which in [0, 1] {
        let Some(read) = installed(which, cut) else { continue };
        let reason = read.unwrap_err().to_string();
        assert!(reason.starts_with("damaged old Word document: "), "{reason}");
    }
    let none = read([(PROGRAMS[0].0, Command::new("no-such-program"))], OFFICE, &Bounds::default());
    assert_eq!(
        none.unwrap_err().to_string(),
        "an old Word document (.doc), which antiword or catdoc reads: program not found"
    );
}

/// Uses shell scripts instead of the programs.
#[cfg(unix)]
#[test]
fn the_next_program_reads_what_the_first_cannot() {
    let shell = |script: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        (PROGRAMS[1].0, command)
    };
    #[rustfmt::skip]
    let table = [
        ("the first can",   ["echo one", "echo two"],                  Ok("one\n")),
        ("it cannot",       ["exit 1", "echo two"],                    Ok("two\n")),
        ("it is silent",    ["echo no >&2", "echo two"],               Ok("two\n")),
        ("none can",        ["echo no >&2; exit 1", "exit 1"],         Err("damaged old Word document: no")),
        ("not a word",      ["exit 1", "exit 1"],                      Err("damaged old Word document: catdoc failed")),
        ("a password",      ["echo Encrypted >&2; exit 1", "exit 1"],  Err("password-protected Word document, expected one without a password")),
        ("nothing in it",   ["exit 0", "exit 1"],                      Ok("")),
        ("it is too slow",  ["exec sleep 9", "echo two"],              Err("catdoc did not finish in 1 s, expected it sooner")),
    ];
    let bounds = Bounds { time: Some(std::time::Duration::from_secs(1)), ..Bounds::default() };
    for (why, scripts, want) in table {
        let read = read(scripts.map(shell), b"", &bounds);
        let read = read.map(|it| it.content).map_err(|reason| reason.to_string());
        assert_eq!(read.as_deref().map_err(String::as_str), want, "{why}");
    }
}

#[test]
fn what_antiword_writes_is_put_as_it_stands_in_the_document() {
    let rule = format!("\n{RULE}\n");
    #[rustfmt::skip]
    let table = [
        ("nothing",          String::new(),                                          ""),
        ("paragraphs",       "one\n\ntwo [1]\n".to_owned(),                          "one\n\ntwo [1]\n"),
        ("notes",            format!("one[1] two[2].\n{rule}[1]\tthree\n\tmore\n[2]\tfour\n"), "one two.\nthree\n\tmore\nfour\n"),
        ("a list in it",     format!("[2] one[1] two\n{rule}[1]\tthree\n"),          "[2] one two\nthree\n"),
        ("a rule alone",     format!("one{rule}two\n"),                              "one\n-----------------------\ntwo\n"),
        ("rows",             "|one |two |\n|ab  |c   |\n".to_owned(),                "one\ttwo\nab\tc\n"),
        (
            "a row in lines",
            "|a long first line   |four |\n|seventeen           |five |\n|                    |six  |\n".to_owned(),
            "a long first line seventeen\tfour five\n\tsix\n",
        ),
        (
            "in one column",
            "|a long first line   |four |\n|seventeen           |     |\n|a                   |b    |\n".to_owned(),
            "a long first line seventeen\tfour\na\tb\n",
        ),
        ("other columns",    "|a |b |\n|c |\n".to_owned(),                           "a\tb\nc\n"),
        ("no table",         "|a\nb|\n|".to_owned(),                                 "|a\nb|\n|\n"),
    ];
    for (why, written, want) in table {
        assert_eq!(normalized(&written), want, "{why}");
    }
}
