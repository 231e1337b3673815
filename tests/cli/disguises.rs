//! Tests of texts in disguise, and of the text that is compared, as users see them.

use serde_json::{Value, json};

use crate::common::{Run, empty_folder, in_folder, read_file, run};

const PLAIN: &str = "The plague came to the old town by water.\nNobody closed the gates for it.\n";
const MADE_UP: &str = "The pl\u{430}gue c\u{430}me to the old town by water.\nNo\u{200b}body closed the gates for it.\n";

fn compared(line: &str) -> Run {
    let files = [("plain.txt", PLAIN.as_bytes()), ("made-up.txt", MADE_UP.as_bytes())];
    in_folder("disguises", &files, line)
}

#[test]
fn a_made_up_copy_is_identical_and_reported() {
    let run = compared("plain.txt made-up.txt --format json");
    assert_eq!((run.errors.as_str(), run.status), ("", 0));
    let record: Value = serde_json::from_str(&run.output).unwrap();
    assert_eq!(record["verdict"], "identical");
    assert_eq!(record["b"]["spans"], "file");
    let warnings: Vec<&Value> = record["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|warning| warning["count"].is_number())
        .collect();
    assert_eq!(
        warnings,
        [
            &json!({
                "code": "homoglyphs", "file": "b", "line": 1, "count": 2,
                "example": "pl<U+0430>gue",
                "text": "the right text has 2 words with letters of another script that look \
                         the same (line 1, \"pl<U+0430>gue\")",
            }),
            &json!({
                "code": "invisible-characters", "file": "b", "line": 2, "count": 1,
                "example": "No<U+200B>body",
                "text": "the right text has 1 word with invisible characters \
                         (line 2, \"No<U+200B>body\")",
            }),
        ]
    );
}

/// Words of no language: the letters `zq` are in each word.
const UNDONE: &str = "Tzqhe keezqper ozqf tzqhe ozqld lighzqthouse climzqbed tzqhe narzqrow staizqrs \
    evezqry evezqning, anzqd befzqore tzqhe lazqmp wazqs lizqt hzqe loozqked ozqut ovzqer tzqhe \
    grzqey wazqter fzqor a lozqng whizqle. Hizqs wizqfe sazqid tzqhat hzqe wazqs counzqting \
    tzqhe boazqts; hzqe himzqself nezqver sazqid whzqat izqt wazqs tzqhat hzqe counzqted. \
    Nozqbody elzqse knezqw.\n";

#[test]
fn words_of_no_language_are_reported_in_all_outputs() {
    let folder = empty_folder("disguises", "not-recognized");
    std::fs::write(folder.join("a.txt"), PLAIN).unwrap();
    std::fs::write(folder.join("b.txt"), UNDONE).unwrap();
    let in_it = |line: &str| run(&folder, line);
    let found = "50 words unlike those of any language: letters may be hidden, glued or replaced \
                 (line 1, \"Tzqhe keezqper ozqf tzqhe\")";
    let pair = in_it("a.txt b.txt --format json --disguises error");
    assert_eq!((pair.errors.as_str(), pair.status), ("", 1));
    let record: Value = serde_json::from_str(&pair.output).unwrap();
    let is_not_recognized = |warning: &&Value| warning["code"] == "words-not-recognized";
    assert_eq!(
        record["warnings"].as_array().unwrap().iter().filter(is_not_recognized).collect::<Vec<_>>(),
        [&json!({
            "code": "words-not-recognized", "file": "b", "line": 1, "count": 50,
            "example": "Tzqhe keezqper ozqf tzqhe",
            "text": format!("the right text has {found}"),
        })]
    );
    let corpus = |format: &str| in_it(&format!("corpus a.txt b.txt --format {format}")).output;
    let json: Value = serde_json::from_str(&corpus("json")).unwrap();
    assert_eq!(json["words_not_recognized"], json!([{"name": "b.txt", "remarks": [found]}]));
    assert_eq!(json["disguised"], json!([]));
    assert!(corpus("csv").contains("\nb.txt,,words-not-recognized,"), "{}", corpus("csv"));
    for format in ["text", "markdown"] {
        let output = corpus(format);
        assert!(output.contains("Words not recognized"), "{output}");
    }
    assert_eq!(in_it("corpus a.txt b.txt --report board.html --quiet").status, 1);
    assert!(read_file(folder.join("board.html")).contains("Words not recognized"));
}

#[test]
fn disguises_can_be_trouble() {
    let run = compared("made-up.txt plain.txt --disguises error");
    assert_eq!((run.output.as_str(), run.status), ("", 2));
    assert_eq!(
        run.errors,
        "dedup: made-up.txt: 2 words with letters of another script that look the same (line 1, \
         \"pl<U+0430>gue\"), expected a text without disguises\nhint: --disguises warn compares it \
         as a reader sees it\n"
    );
    assert_eq!(compared("plain.txt plain.txt --disguises error --quiet").status, 0);
    assert_eq!(compared("text made-up.txt --disguises error").status, 2);
    let typeset = "The pla\u{ad}gue came by the of\u{fb01}ce of the town.\n".as_bytes();
    let files = [("a.txt", typeset), ("b.txt", typeset)];
    for line in ["a.txt b.txt", "corpus a.txt b.txt", "text a.txt"] {
        let run = in_folder("disguises", &files, &format!("{line} --disguises error"));
        assert_eq!(run.status, 0, "{line}, typography is no disguise: {}", run.errors);
    }
}

#[test]
fn the_text_that_is_compared_is_shown() {
    let run = compared("text made-up.txt");
    assert_eq!((run.output.as_str(), run.status), (PLAIN, 0));
    assert_eq!(
        run.errors,
        "dedup: warning: made-up.txt: 2 words with letters of another script that look the \
         same (line 1, \"pl<U+0430>gue\")\n\
         dedup: warning: made-up.txt: 1 word with invisible characters (line 2, \
         \"No<U+200B>body\")\n"
    );
    let explained = compared("made-up.txt plain.txt --explain").output;
    assert_eq!(explained.matches("shown by: dedup text made-up.txt\n").count(), 1);
    assert!(!explained.contains("shown by: dedup text plain.txt"));
    let latin = [("latin.txt", &b"caf\xe9\n"[..])];
    let run = in_folder("shown", &latin, "text latin.txt --encoding latin1");
    assert_eq!((run.output.as_str(), run.errors.as_str(), run.status), ("caf\u{e9}\n", "", 0));
    let escapes = "a\u{1b}[1mb\u{7}\r\nc\t\u{c}";
    let run = in_folder("escapes", &[("a.txt", escapes.as_bytes())], "text a.txt");
    assert_eq!((run.output.as_str(), run.status), (escapes, 0), "byte for byte");
    let run = in_folder(
        "shown",
        &[("cut.txt", &b"caf\xe9\n"[..])],
        "text cut.txt --encoding utf-8 --lossy",
    );
    assert_eq!((run.output.as_str(), run.status), ("caf\u{fffd}\n", 0));
    assert_eq!(run.errors, "dedup: warning: cut.txt: bytes were replaced by U+FFFD in 1 place\n");
}

#[test]
fn the_name_of_the_subcommand_is_the_subcommand() {
    let files = [("text", &b"one two three\n"[..]), ("b", &b"one two three\n"[..])];
    let run = in_folder("subcommand", &files, "text b");
    assert_eq!(run.output, "one two three\n");
    assert_eq!(run.errors, "hint: text is a command; for the file, use ./text\n");
    for line in ["./text b --quiet", "--quiet -- text b"] {
        let run = in_folder("subcommand", &files, line);
        assert_eq!((run.errors.as_str(), run.status), ("", 0), "{line}");
    }
    let errors = [
        ("text", "required arguments were not provided"),
        ("text b b", "unexpected argument 'b' found"),
        ("text b --encoding left=latin1", "--encoding left=…, expected no side"),
        ("text none", "none: no such file"),
    ];
    for (line, message) in errors {
        let run = in_folder("subcommand", &files, line);
        assert!(run.errors.contains(message), "{line}: {}", run.errors);
        assert_eq!((run.output.as_str(), run.status), ("", 2), "{line}");
    }
    let help = in_folder("subcommand", &files, "text --help");
    assert!(help.output.contains("Usage: dedup text FILE"), "{}", help.output);
    assert_eq!(help.status, 0);
}

#[test]
fn a_warning_cannot_fool_the_terminal() {
    let turned = "The plague came\u{202e} to the \u{1b}[2J old town\u{202c} by water.\n";
    let files = [("plain.txt", PLAIN.as_bytes()), ("turned.txt", turned.as_bytes())];
    let run = in_folder("disguises_terminal", &files, "plain.txt turned.txt");
    assert!(run.output.contains("reversed by a control character"), "{}", run.output);
    assert!(run.output.contains("\\u{1b}[2J"), "{}", run.output);
    assert!(!run.output.contains('\u{1b}'), "{}", run.output);
}

/// A page has a mark of a hundred bytes for each, and a text may disguise each of its letters.
#[test]
fn a_report_marks_ten_thousand_disguised_words() {
    let folder = empty_folder("disguises", "marked");
    std::fs::write(folder.join("a.txt"), "\u{202e}ab\u{202c} ".repeat(10_001)).unwrap();
    std::fs::write(folder.join("b.txt"), "ba ".repeat(10_001)).unwrap();
    run(&folder, "a.txt b.txt --report page.html");
    let page = read_file(folder.join("page.html"));
    assert_eq!(page.matches("<span class=\"disguise\" title=").count(), 10_000);
    assert!(page.contains("(the first 10,000 of a text)"));
}
