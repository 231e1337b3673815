//! Checks that nothing in a folder of submissions is skipped silently.

use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::common::{Run, command, read_file, zipped};
use crate::transcript::Transcript;

const TEXT: &str = "The ferry leaves the harbour at seven, and the baker who lives above the quay has \
    already sold his first loaves to the sailors when its horn is heard across the water.\n";
const OTHER: &str = "A beekeeper counts her hives in autumn, wraps them in straw, and writes down \
    which of the queens she will replace as soon as the orchards are in flower again.\n";

/// Returns the other text with Cyrillic letters that look like Latin ones.
fn disguised() -> String {
    OTHER.replacen("autumn", "аutumn", 1).replacen("orchards", "оrchаrds", 1)
}

/// A document of a program that cannot be read here, and a file that is not a text.
const OLD_DOC: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0\0\0\0\0\0";
const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

/// Adds files to the folder of a test. Files that exist there are kept.
pub(crate) fn folder(test: &str, files: &[(&str, &[u8])]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("submissions").join(test);
    for (name, bytes) in files {
        fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
        fs::write(folder.join(name), bytes).unwrap();
    }
    folder
}

/// Runs `dedup` with the arguments of a line in the folder of a test.
pub(crate) fn in_folder(test: &str, files: &[(&str, &[u8])], line: &str) -> Run {
    let folder = folder(test, files);
    command().current_dir(folder).args(line.split(' ')).output().unwrap().into()
}

fn run(test: &str, line: &str) -> Run {
    let disguised = disguised();
    let files: &[(&str, &[u8])] = &[
        ("in/anna.txt", TEXT.as_bytes()),
        ("in/bert.txt", TEXT.as_bytes()),
        ("in/vera.txt", disguised.as_bytes()),
        ("in/old.doc", OLD_DOC),
        ("in/picture.png", PICTURE),
        ("in/empty.txt", b""),
        ("in/short.txt", b"*** !!!"),
    ];
    in_folder(test, files, line)
}

const OLD: &str = "in/old.doc: not a text: an old Office document (such as .xls), expected a text or a document of text";
const CURE: &str = "save it as plain text, .docx, .odt or PDF first";
const FOUND: &str =
    "2 words with letters of another script that look the same (line 1, \"<U+0430>utumn\")";
const SHORT: &str = "in/short.txt: no words, expected a text with words";

/// Checks that texts without a match and texts that were not compared are listed in every format
/// for people and tables.
#[test]
fn nothing_is_left_unsaid() {
    let text = run("unsaid_text", "corpus in");
    assert_eq!(text.status, 2);
    let lines = text.output.split_whitespace().collect::<Vec<_>>().join(" ");
    for want in [FOUND, OLD, SHORT, "1 skipped: empty files; 1 skipped: pictures"] {
        assert!(lines.contains(want), "{want}: {}", text.output);
    }
    for line in text.output.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    let markdown = run("unsaid_markdown", "corpus in --format markdown").output;
    let cure = format!("- `{OLD}; {CURE}`\n");
    let skipped = "\nSkipped:\n\n- `empty files: in/empty.txt`\n- `pictures: in/picture.png`\n";
    for want in [FOUND, &cure, SHORT, skipped] {
        assert!(markdown.contains(want), "{want}: {markdown}");
    }
    let csv = run("unsaid_csv", "corpus in --format csv").output;
    let rows: Vec<csv::StringRecord> =
        csv::Reader::from_reader(csv.as_bytes()).records().map(Result::unwrap).collect();
    let cells = |row: &csv::StringRecord| [0, 1, 2, 20].map(|at| row[at].to_owned());
    assert_eq!(
        rows.iter().map(cells).collect::<Vec<_>>(),
        [
            ["in/anna.txt", "in/bert.txt", "identical", ""],
            ["in/vera.txt", "", "disguised", FOUND],
            ["in/old.doc", "", "not-compared", &format!("{OLD}; {CURE}")],
            ["in/short.txt", "", "not-compared", SHORT],
            ["in/empty.txt", "", "not-compared", "empty files"],
            ["in/picture.png", "", "not-compared", "pictures"],
        ]
    );
    let json: Value =
        serde_json::from_str(&run("unsaid_json", "corpus in --format json").output).unwrap();
    assert_eq!(json["disguised"], json!([{"name": "in/vera.txt", "found": [FOUND]}]));
    assert_eq!(json["too_short"], json!({"count": 1, "paths": ["in/short.txt"]}));
    assert_eq!(json["failed"], json!([{"name": "in/old.doc", "error": OLD, "hint": CURE}]));
    let skipped = json!([
        {"why": "empty", "count": 1, "names": ["in/empty.txt"]},
        {"why": "picture", "count": 1, "names": ["in/picture.png"]},
    ]);
    assert_eq!(json["skipped"], skipped);
}

#[test]
fn the_board_names_what_was_not_compared() {
    let files = run("board", "corpus in --report board.html");
    assert_eq!(files.status, 2);
    let folder = folder("board", &[]);
    let board = read_file(folder.join("board.html"));
    for want in [
        "<li><strong><bdi>vera</bdi></strong>: 2 words with letters",
        "<li><strong><bdi>old.doc</bdi></strong>: not a text",
        "<li><strong><bdi>short</bdi></strong>: ",
        "empty files: empty; pictures: picture.png",
    ] {
        assert!(board.contains(want), "{want}");
    }
    let hidden = run("board", "corpus in --report board.html --anonymous");
    assert_eq!(hidden.status, 2);
    let board = read_file(folder.join("board.html"));
    for name in [">vera<", "vera.txt", "old.doc", "short.txt", "empty.txt", "picture.png"] {
        assert!(!board.contains(name), "{name}");
    }
}

/// Checks that what is skipped without being opened is named, a hidden folder once, and that the
/// status does not depend on it.
#[cfg(unix)]
#[test]
fn what_is_not_opened_in_a_folder_is_named() {
    let texts: &[(&str, &[u8])] = &[
        ("in/a.txt", TEXT.as_bytes()),
        ("in/b.txt", TEXT.as_bytes()),
        ("in/.git/config", b"x"),
        ("in/.git/refs/head", b"x"),
        ("in/.notes.txt", b"x"),
    ];
    let folder = folder("unopened", texts);
    let [link, other, pipe] =
        ["link.txt", "other.txt", "pipe"].map(|it| folder.join("in").join(it));
    if fs::symlink_metadata(&link).is_err() {
        std::os::unix::fs::symlink("a.txt", &link).unwrap();
        fs::hard_link(folder.join("in/a.txt"), other).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    }
    let text = in_folder("unopened", &[], "corpus in");
    let want = "\n2 texts compared; 2 skipped: hidden; 1 skipped: symbolic links; \
                1 skipped:\n  pipes, sockets and devices; 1 skipped: hard links\n\nNot compared:\n  \
                hidden: in/.git/, in/.notes.txt (give the file or folder itself to compare it)\n  \
                symbolic links: in/link.txt (give the file or folder itself to compare it)\n  \
                pipes, sockets and devices: in/pipe (give the file or folder itself to compare\n    \
                it)\n  \
                hard links: in/other.txt\n";
    assert!(text.output.ends_with(want), "{}", text.output);
    assert_eq!((text.status, text.errors.as_str()), (0, ""));
    let hint = "give the file or folder itself to compare it";
    let json: Value =
        serde_json::from_str(&in_folder("unopened", &[], "corpus in --format json").output)
            .unwrap();
    let skipped = json!([
        {"why": "hidden", "count": 2, "hint": hint, "names": ["in/.git/", "in/.notes.txt"]},
        {"why": "link", "count": 1, "hint": hint, "names": ["in/link.txt"]},
        {"why": "special", "count": 1, "hint": hint, "names": ["in/pipe"]},
        {"why": "hard-link", "count": 1, "names": ["in/other.txt"]},
    ]);
    assert_eq!(json["skipped"], skipped);
    // An absolute path is shown relative to the working folder.
    let absolute = format!("corpus {} --format csv", folder.join("in").display());
    let csv = in_folder("unopened", &[], &absolute).output;
    let rows = csv::Reader::from_reader(csv.as_bytes()).into_records().map(Result::unwrap);
    let cells = |row: csv::StringRecord| [0, 2, 20].map(|at| row[at].to_owned());
    let note = |why: &str| format!("{why}; {hint}");
    assert_eq!(
        rows.map(cells).skip(1).collect::<Vec<_>>(),
        [
            ["in/.git/", "not-compared", &note("hidden")],
            ["in/.notes.txt", "not-compared", &note("hidden")],
            ["in/link.txt", "not-compared", &note("symbolic links")],
            ["in/pipe", "not-compared", &note("pipes, sockets and devices")],
            ["in/other.txt", "not-compared", "hard links"],
        ]
    );
    let markdown = in_folder("unopened", &[], "corpus in --format markdown").output;
    assert!(markdown.contains(&format!("\n- `hidden: in/.git/, in/.notes.txt ({hint})`\n")));
    in_folder("unopened", &[], "corpus in --report board.html");
    let board = read_file(folder.join("board.html"));
    let want = format!(
        "<p>Skipped: hidden: .git/, .notes ({hint}); symbolic links: link ({hint}); \
         pipes, sockets and devices: pipe ({hint}); hard links: other.</p>"
    );
    assert!(board.contains(&want));
    assert!(board.contains("<strong>5</strong> not compared"));
    in_folder("unopened", &[], "corpus in --report anonymous.html --anonymous");
    let board = read_file(folder.join("anonymous.html"));
    let want = "<p>Skipped: hidden (2); symbolic links (1); pipes, sockets and devices (1); \
                hard links (1).</p>";
    assert!(board.contains(want) && !board.contains(".git/") && !board.contains(".notes"));
}

/// Checks that a hidden file or folder that is given itself, in another spelling, is not listed as
/// skipped.
#[test]
fn what_is_hidden_and_given_itself_is_compared() {
    let files: &[(&str, &[u8])] = &[
        ("a.txt", TEXT.as_bytes()),
        ("b.txt", TEXT.as_bytes()),
        (".github/c.txt", TEXT.as_bytes()),
        (".notes.txt", TEXT.as_bytes()),
    ];
    let table = [
        ("corpus .", 2, json!([["./.github/", "./.notes.txt"]])),
        ("corpus . .notes.txt", 3, json!([["./.github/"]])),
        ("corpus .github . .notes.txt", 4, json!([])),
    ];
    for (line, texts, names) in table {
        let run = in_folder("given", files, &format!("{line} --format json"));
        let json: Value = serde_json::from_str(&run.output).unwrap();
        let skipped = json["skipped"].as_array().unwrap().iter();
        let named = skipped.map(|kind| kind["names"].clone()).collect::<Value>();
        assert_eq!((&json["texts"], named), (&json!(texts), names), "{line}");
    }
}

/// Checks that files that cannot be read are named, however many kinds of skipped files there are.
#[cfg(unix)]
#[test]
fn all_kinds_at_once_leave_room_for_what_cannot_be_read() {
    let program = [b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01", &[0; 44][..]].concat();
    let mut files: Vec<(String, &[u8])> = [
        ("in/.hidden", &b"x"[..]),
        ("in/a.txt", TEXT.as_bytes()),
        ("in/empty.txt", b""),
        ("in/music.mp3", b"ID3\x03\0\0\0"),
        ("in/nul", b"a\0b"),
        ("in/picture.png", PICTURE),
        ("in/program", &program),
    ]
    .map(|(name, bytes)| (name.to_owned(), bytes))
    .to_vec();
    files.extend((1..=4).map(|number| (format!("in/old{number}.doc"), OLD_DOC)));
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    let folder = folder("all-kinds", &files);
    let _ = std::os::unix::fs::symlink("a.txt", folder.join("in/link.txt"));
    let _ = fs::hard_link(folder.join("in/a.txt"), folder.join("in/other.txt"));
    let pipe = std::process::Command::new("mkfifo").arg(folder.join("in/pipe")).output().unwrap();
    assert!(pipe.status.success() || folder.join("in/pipe").exists());
    let run = in_folder("all-kinds", &[], "corpus in");
    let named = |what: &str| run.output.matches(&format!("\n  {what}")).count();
    assert_eq!(named("in/old"), 3, "{}", run.output);
    for kind in [
        "hidden: in/.hidden (",
        "symbolic links: in/link.txt (",
        "pipes, sockets and devices: in/pipe (",
        "empty files: in/empty.txt\n",
        "pictures: in/picture.png\n",
        "audio and video: in/music.mp3\n",
        "programs and fonts: in/program\n",
        "files that are not text: in/nul\n",
        "hard links: in/other.txt\n  and 1 more; --format json lists all\n",
    ] {
        assert_eq!(named(kind), 1, "{kind}: {}", run.output);
    }
}

/// Checks that the board says what to do about a kind of which it folds the names away.
#[test]
fn names_that_are_folded_away_have_their_cure() {
    let files: &[(&str, &[u8])] = &[
        ("in/a.txt", TEXT.as_bytes()),
        ("in/b.txt", TEXT.as_bytes()),
        ("in/.1", b"x"),
        ("in/.2", b"x"),
        ("in/.3", b"x"),
        ("in/.git/x", b"x"),
    ];
    let run = in_folder("folded", files, "corpus in --report board.html");
    assert_eq!(run.status, 0, "{}", run.errors);
    let names = ["1", "2", "3", "git/"].map(|it| format!("\n<li><bdi>.{it}</bdi></li>")).concat();
    let details = format!(
        "<summary>Skipped: hidden (4)</summary>\n<p class=\"cure\">What to do: give the file or \
         folder itself to compare it.</p>\n<ul>{names}\n</ul>"
    );
    assert!(read_file(folder("folded", &[]).join("board.html")).contains(&details));
}

/// Each kind has its turn in the text answer, which counts the files that it does not name; the board
/// and the tables name all.
#[test]
fn every_kind_that_was_not_compared_is_named() {
    let folder = folder("kinds", &[("in/a.txt", TEXT.as_bytes()), ("in/b.txt", TEXT.as_bytes())]);
    for number in 1..=12 {
        fs::write(folder.join(format!("in/old{number:02}.doc")), OLD_DOC).unwrap();
    }
    for number in 1..=4 {
        fs::write(folder.join(format!("in/e{number}.txt")), "").unwrap();
    }
    let run = in_folder("kinds", &[], "corpus in --unreadable warn --report board.html");
    assert_eq!(run.status, 0, "{}", run.errors);
    let named = (1..=12).filter(|it| run.output.contains(&format!("in/old{it:02}.doc: "))).count();
    assert_eq!(named, 9, "{}", run.output);
    let end = "\n  empty files: in/e1.txt, in/e2.txt, in/e3.txt and 1 more\n  \
        and 3 more; --format json lists all\n";
    assert!(run.output.ends_with(end), "{}", run.output);
    let board = read_file(folder.join("board.html"));
    let items = (1..=4).map(|it| format!("\n<li><bdi>e{it}</bdi></li>"));
    let skipped = items.collect::<Vec<_>>().concat();
    let details = format!("<summary>Skipped: empty files (4)</summary>\n<ul>{skipped}\n</ul>");
    assert!(board.contains(&details));
    assert!(board.contains("<strong>16</strong> not compared"));
    assert_eq!(board.matches("not a text: an old Office document").count(), 12);
    let few = in_folder("kinds", &[], "corpus in --unreadable warn --exclude old*");
    let end = "in/e3.txt and 1 more\n  --format json lists all\n";
    assert!(few.output.ends_with(end), "{}", few.output);
    let hidden = in_folder("kinds", &[], "corpus in -q --report hidden.html --anonymous");
    assert_eq!(hidden.status, 2);
    let board = read_file(folder.join("hidden.html"));
    assert!(board.contains("Skipped: empty files (4)."), "only their number");
}

/// Checks that a document that cannot be read is an error, unless a flag says otherwise. A picture
/// never is.
#[test]
fn what_cannot_be_read_is_an_error_or_a_warning() {
    #[rustfmt::skip]
    let table = [
        ("an error",                    "corpus in",                                   2, "dedup: in/old.doc"),
        ("a warning",                   "corpus in --unreadable warn",                 0, "dedup: warning: in/old.doc"),
        ("none is left",                "corpus in --exclude *.doc",                   0, ""),
        ("nor where others are meant",  "corpus in --include *.txt",                   0, ""),
        ("a disguise",                  "corpus in --exclude *.doc --disguises error", 2, "dedup: in/vera.txt"),
        ("the first ends it",           "corpus in --stop-on-error",                   2, "dedup: in/old.doc"),
    ];
    for (why, line, status, start) in table {
        let run = run("unreadable", line);
        assert_eq!(run.status, status, "{why}: {}", run.errors);
        assert!(run.errors.starts_with(start), "{why}: {}", run.errors);
        assert_eq!(run.errors.is_empty(), start.is_empty(), "{why}: {}", run.errors);
    }
}

/// Checks that with `--disguises error`, everything is compared first: the text is in its pair.
#[test]
fn a_disguised_text_is_compared_before_it_is_an_error() {
    let disguised = disguised();
    let files: &[(&str, &[u8])] =
        &[("in/cleo.txt", OTHER.as_bytes()), ("in/vera.txt", disguised.as_bytes())];
    let run = in_folder("disguised_pair", files, "corpus in --disguises error --format csv");
    assert_eq!(run.status, 2);
    assert!(run.output.contains("\nin/cleo.txt,in/vera.txt,identical,"), "{}", run.output);
}

/// Checks that a beginning like that of an output, which a reader may not even see, takes no text out
/// of a run: in a folder, in an archive, compressed, and in an index.
#[test]
fn a_text_that_begins_like_an_output_is_compared() {
    let page = |head: &str| {
        format!("<!DOCTYPE html>\n<html lang=\"en\">\n<head>{head}</head><p>{TEXT}</p></html>\n")
    };
    let generator = "<meta name=\"generator\" content=\"dedup 0.1.0\">";
    #[rustfmt::skip]
    let table = [
        ("txt",  format!("# dedup baseline 2\n\n{TEXT}")),
        ("md",   format!("{{\"path\":\"x\"}}\n\n{TEXT}")),
        ("txt",  format!("{{\"schema\":\"dedup.pair/2\"}}\n{TEXT}")),
        ("md",   format!("## dedup: no pairs\n\n3 texts\n\n{TEXT}")),
        ("txt",  format!("a,b,verdict,decided_by,hamming,jaccard,shared,union,containment_a,containment_b,\n{TEXT}")),
        ("html", page(generator)),
    ];
    for (number, (ending, text)) in table.iter().enumerate() {
        let test = format!("like-output-{number}");
        let _ = fs::remove_dir_all(folder(&test, &[]));
        let ben = format!("in/ben.{ending}");
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packed.write_all(text.as_bytes()).unwrap();
        let zip = zipped(&[
            (&format!("ben.{ending}")[..], text.as_bytes()),
            ("anna.txt", TEXT.as_bytes()),
            ("cleo.txt", OTHER.as_bytes()),
        ]);
        let files: &[(&str, &[u8])] = &[
            ("in/anna.txt", TEXT.as_bytes()),
            ("in/cleo.txt", OTHER.as_bytes()),
            (&ben, text.as_bytes()),
            ("packed/anna.txt", TEXT.as_bytes()),
            (&format!("packed/ben.{ending}.gz"), &packed.finish().unwrap()),
            ("one/anna.txt", TEXT.as_bytes()),
            ("all.zip", &zip),
        ];
        folder(&test, files);
        for line in ["corpus in", "corpus packed", "corpus all.zip", "corpus one --against in"] {
            let run = in_folder(&test, &[], &format!("{line} --at-least partial"));
            assert_eq!(run.status, 0, "{line}: {text}: {}", run.errors);
            assert!(run.output.contains("ben"), "{line}: {text}: {}", run.output);
        }
        let built = in_folder(&test, &[], "index build in -o in.dedup --with-texts");
        assert_eq!(built.errors, "");
        let by_index = in_folder(&test, &[], "corpus one --against in.dedup --at-least partial");
        let by_folder = in_folder(&test, &[], "corpus one --against in --at-least partial");
        assert!(by_folder.output.contains("in/ben"), "{}", by_folder.output);
        assert!(by_index.output.contains("in/ben"), "{}", by_index.output);
    }
}

/// A `.gitignore` in a submission leaves nothing out in silence.
#[test]
fn what_a_gitignore_excludes_is_listed() {
    let files: &[(&str, &[u8])] = &[
        ("in/anna/essay.txt", TEXT.as_bytes()),
        ("in/ben/.gitignore", b"/essay.txt\nold/\n!kept.txt\n"),
        ("in/ben/essay.txt", TEXT.as_bytes()),
        ("in/ben/kept.txt", OTHER.as_bytes()),
        ("in/ben/old/essay.txt", TEXT.as_bytes()),
        ("in/.gitignore", b"kept.txt\n*.log\n"),
        ("in/x.log", TEXT.as_bytes()),
        ("in/y.log", TEXT.as_bytes()),
    ];
    let test = "gitignored";
    let run = in_folder(test, files, "check in --gitignore --include=*.txt --include=y.log");
    // What --include names is compared, as git adds what it is told to add by name.
    assert!(run.output.contains("in/anna/essay.txt | in/y.log"), "{}", run.output);
    let run = in_folder(test, &[], "check in --gitignore");
    assert!(run.output.contains("2 texts compared; 2 skipped: hidden; 4 skipped: excluded by"));
    let list = "\n  excluded by .gitignore: in/ben/essay.txt, in/ben/old/, in/x.log and 1 more\n    \
                (leave out --gitignore to compare it)\n";
    assert!(run.output.contains(list), "{}", run.output);
    let json = in_folder(test, &[], "check in --gitignore --format json").output;
    let skipped = &serde_json::from_str::<Value>(&json).unwrap()["skipped"];
    let names = json!(["in/ben/essay.txt", "in/ben/old/", "in/x.log", "in/y.log"]);
    let hint = "leave out --gitignore to compare it";
    assert_eq!(skipped[1], json!({"why": "ignored", "count": 4, "hint": hint, "names": names}));
}

/// A run that can compare nothing must not pass for one that found nothing.
#[test]
fn fewer_than_two_texts_to_compare_are_no_green_answer() {
    #[rustfmt::skip]
    let table: &[(&str, &[(&str, &str)], &str, i32, &str, &str)] = &[
        ("two texts",           &[("a.txt", TEXT), ("b.txt", OTHER)],           "", 0, "none", ""),
        ("one is too short",    &[("a.txt", TEXT), ("b.txt", "Oak")],           " --min 3", 2, "not compared",
            "dedup: 1 text and 1 too short, expected at least two that can be compared\n"),
        ("both are too short",  &[("a.txt", "Elm"), ("b.txt", "Oak")],          " --min 3", 2, "not compared",
            "dedup: 0 texts and 2 too short, expected at least two that can be compared\n"),
        ("two and a short one", &[("a.txt", TEXT), ("b.txt", OTHER), ("c.txt", "Oak")], " --min 3", 0, "not compared", ""),
        ("one is unreadable",   &[("a.txt", TEXT), ("b.txt", OTHER), ("c.pdf", "%PDF-1.4 cut")], "", 2, "not compared", "dedup: in/c.pdf: "),
        ("and warned of",       &[("a.txt", TEXT), ("b.txt", OTHER), ("c.pdf", "%PDF-1.4 cut")], " --unreadable warn", 0, "not compared", "dedup: warning: in/c.pdf: "),
    ];
    for (why, files, more, status, badge, errors) in table {
        let test = "too-few";
        let _ = fs::remove_dir_all(folder(test, &[]));
        let files: Vec<(String, &[u8])> =
            files.iter().map(|(name, text)| (format!("in/{name}"), text.as_bytes())).collect();
        let files: Vec<(&str, &[u8])> =
            files.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
        let run = in_folder(test, &files, &format!("check in{more} --format badge=badge.json"));
        assert_eq!(run.status, *status, "{why}: {}", run.errors);
        assert!(run.errors.starts_with(errors), "{why}: {}", run.errors);
        let written = read_file(folder(test, &[]).join("badge.json"));
        let written = serde_json::from_str::<Value>(&written).unwrap();
        let color = if *badge == "none" { "brightgreen" } else { "lightgrey" };
        assert_eq!(
            (&written["message"], &written["color"]),
            (&json!(badge), &json!(color)),
            "{why}"
        );
    }
}

/// Checks that the output that a run replaces is not a text of it, and that those of other runs are.
#[test]
fn only_what_a_run_writes_is_left_out() {
    let test = "own-output";
    let _ = fs::remove_dir_all(folder(test, &[]));
    let files: &[(&str, &[u8])] = &[("in/a.txt", TEXT.as_bytes()), ("in/b.txt", OTHER.as_bytes())];
    let line = "corpus in --format markdown --report in/board.html";
    let first = in_folder(test, files, line);
    assert_eq!(in_folder(test, &[], line).output, first.output);
    assert!(first.output.contains("2 texts compared"), "{}", first.output);
    let other = in_folder(test, &[], "corpus in --format markdown");
    assert!(other.output.contains("3 texts compared"), "{}", other.output);
}

/// Checks that a glob with a slash is relative to the given folder or archive, or to the working
/// folder or that of the settings file.
#[test]
fn globs_are_relative_to_either_folder() {
    let archive = zipped(&[("a.md", b"kettle four"), ("drafts/b.md", b"kettle five")]);
    let files: &[(&str, &[u8])] = &[
        ("docs/a.md", b"kettle one"),
        ("docs/api/b.md", b"kettle two"),
        ("docs/api/deep/c.md", b"kettle three"),
        ("x.zip", &archive),
        ("set/dedup.toml", b"paths = [\"docs\"]\nexclude = [\"docs/api/\"]\n"),
        ("set/docs/a.md", b"kettle one"),
        ("set/docs/api/b.md", b"kettle two"),
        ("set/below/c.md", b"kettle three"),
    ];
    let folder = folder("globs-either", files);
    #[rustfmt::skip]
    let table = [
        ("",          "docs",                                    "docs/a.md docs/api/b.md docs/api/deep/c.md"),
        ("",          "docs --exclude docs/api/**",              "docs/a.md"),
        ("",          "docs --exclude /docs/api",                "docs/a.md"),
        ("",          "docs --exclude api/deep/",                "docs/a.md docs/api/b.md"),
        ("",          "./docs/ --exclude docs/api",              "./docs/a.md"),
        ("",          "docs/api --exclude docs/*/deep/",         "docs/api/b.md"),
        ("",          "docs/api --exclude docs/api/",            "docs/api/b.md docs/api/deep/c.md"),
        ("",          "docs --include docs/api/*.md",            "docs/api/b.md"),
        ("",          "docs --include *.md --include !docs/api/*.md", "docs/a.md docs/api/deep/c.md"),
        ("",          "docs --include !docs/api/*.md --include *.md", "docs/a.md docs/api/b.md docs/api/deep/c.md"),
        ("",          "docs --include *.md --exclude docs/a.md", "docs/api/b.md docs/api/deep/c.md"),
        ("docs/api",  "../../docs --exclude deep/c.md",          "../../docs/a.md ../../docs/api/b.md ../../docs/api/deep/c.md"),
        ("",          "x.zip --exclude drafts/**",               "x.zip/a.md"),
        ("",          "x.zip --exclude x.zip/drafts/",           "x.zip/a.md"),
        ("set",       "",                                        "docs/a.md"),
        ("set/below", "--config ../dedup.toml",                  "../docs/a.md"),
    ];
    for (place, line, want) in table {
        let line = format!("corpus --list {line}");
        let mut run = command();
        run.current_dir(folder.join(place)).args(line.split_whitespace());
        let run: Run = run.output().unwrap().into();
        let lines = run.output.lines().filter(|line| line.contains('\t'));
        let names: Vec<&str> = lines.filter_map(|line| line.split('\t').next()).collect();
        assert_eq!(names.join(" "), want, "{place} {line}: {}", run.errors);
    }
}

#[test]
fn globs_are_those_of_a_gitignore() {
    let files: &[(&str, &[u8])] = &[
        ("in/a.md", b"kettle one"),
        ("in/b.txt", b"kettle two"),
        ("in/drafts/c.md", b"kettle three"),
        ("in/deep/drafts/d.txt", b"kettle four"),
    ];
    #[rustfmt::skip]
    let table = [
        ("all",                 "",                                   "in/a.md in/b.txt in/deep/drafts/d.txt in/drafts/c.md"),
        ("by ending",           "--include *.md",                     "in/a.md in/drafts/c.md"),
        ("two endings",         "--include *.md --include *.txt",     "in/a.md in/b.txt in/deep/drafts/d.txt in/drafts/c.md"),
        ("not a folder",        "--exclude drafts/",                  "in/a.md in/b.txt"),
        ("not that at the top", "--exclude /drafts/",                 "in/a.md in/b.txt in/deep/drafts/d.txt"),
        ("both",                "--include *.md --exclude drafts",    "in/a.md"),
        ("a name that is given", "in/b.txt --include *.md",           "in/a.md in/b.txt in/drafts/c.md"),
    ];
    for (why, flags, want) in table {
        let run = in_folder("globs", files, format!("corpus in --list {flags}").trim_end());
        let names = run.output.lines().filter_map(|line| Some(line.split_once('\t')?.0));
        let mut names: Vec<&str> = names.collect();
        names.sort_unstable();
        assert_eq!(names.join(" "), want, "{why}: {}", run.errors);
    }
    let run = in_folder("globs", files, "corpus in --exclude a[");
    let want = "dedup: --exclude a[: expected a glob: unclosed character class; missing ']'\n";
    assert!(run.errors.starts_with(want), "{}", run.errors);
    assert_eq!(run.status, 2);
}

/// Checks that the greatest share comes first, on whichever side, that pairs below the level are
/// counted, and that the level decides the status.
#[test]
fn people_see_the_greatest_share_first_and_what_is_left_out() {
    let source = format!("{OTHER}{OTHER}").replacen("autumn", "October", 1);
    let copied = format!("{TEXT}{source}");
    let edited = TEXT.replacen("baker", "fisher", 1);
    let files: &[(&str, &[u8])] = &[
        ("in/a.txt", TEXT.as_bytes()),
        ("in/b.txt", edited.as_bytes()),
        ("in/long.txt", copied.as_bytes()),
    ];
    let seen = |flags: &str| {
        in_folder("levels", files, format!("corpus in --lang none {flags}").trim_end())
    };
    let head = "same+changed     verdict         left | right\n";
    // One of 32 words is changed; 32 of 92 words, rounded down.
    let pair = " 96+3 |  96+3 %  near-duplicate  in/a.txt | in/b.txt\n";
    let parts = [
        "  100 |    34 %  partial         in/a.txt | in/long.txt\n",
        " 96+3 |  33+1 %  partial         in/b.txt | in/long.txt\n",
    ];
    let run = seen("");
    let counted = "1 pair near-duplicate or closer; 2 partial (--at-least partial)\n";
    assert_eq!(run.output, format!("{head}{pair}{counted}3 texts compared\n"));
    let run = seen("--at-least partial");
    let several = "In 3 texts: 32 words, 1 changed: \"The ferry leaves the harbour at seven, and the\n  \
        baker who lives above the quay…\"\n  in/a.txt, line 1; in/b.txt, line 1; in/long.txt, line 1\n";
    let listed = format!("{head}{}{pair}{}", parts[0], parts[1]);
    let all = format!("{listed}{several}3 pairs partial or closer\n3 texts compared\n");
    assert_eq!((run.output, run.status), (all, 0));
    let identical = seen("--at-least identical");
    let counted = "0 pairs identical; 1 near-duplicate, 2 partial (--at-least partial)\n";
    assert_eq!((identical.output, identical.status), (format!("{counted}3 texts compared\n"), 1));
    // The same for records.
    let record = |(path, text): &(&str, &[u8])| {
        let id = path.trim_start_matches("in/").trim_end_matches(".txt");
        format!("{}\n", json!({"id": id, "text": String::from_utf8_lossy(text)}))
    };
    let records: String = files.iter().map(record).collect();
    let of_records = in_folder(
        "levels_of_records",
        &[("in.jsonl", records.as_bytes())],
        "corpus --jsonl in.jsonl --lang none",
    );
    assert_eq!(of_records.output, seen("").output.replace("in/", "").replace(".txt", ""));
    // With `--fail-on`, which programs use, the other levels are not counted.
    let ci = seen("--fail-on near-duplicate");
    assert!(ci.output.contains("1 pair near-duplicate or closer\n"), "{}", ci.output);
    assert_eq!(ci.status, 1);
    assert!(seen("--details").output.starts_with("same+changed     Jaccard  Hamming  verdict "));
    let json = seen("--format json").output;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["pairs"].as_array().unwrap().len(), 1, "of the level alone");
}

/// Same as [`zipped`], but a tar archive.
fn tarred(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        archive.append(&header, *bytes).unwrap();
    }
    archive.into_inner().unwrap()
}

/// Returns submissions as Moodle packs them. One is an archive that its person packed.
fn export() -> Vec<u8> {
    let disguised = disguised();
    let packed = zipped(&[("draft/essay.txt", TEXT.as_bytes())]);
    zipped(&[
        ("Anna Muster_11_assignsubmission_file_/essay.txt", TEXT.as_bytes()),
        ("Anna Muster_11_assignsubmission_file_/copy.txt", TEXT.as_bytes()),
        ("Bert Beispiel_12_assignsubmission_file_/my essay.txt", TEXT.as_bytes()),
        ("Vera Vorbild_13_assignsubmission_file_/text.txt", disguised.as_bytes()),
        ("Cleo Probe_14_assignsubmission_file_/all.zip", &packed),
        ("Otto Alt_15_assignsubmission_file_/old.doc", OLD_DOC),
    ])
}

#[test]
fn an_export_is_texts_by_their_persons() {
    let files: &[(&str, &[u8])] = &[("export.zip", &export())];
    let run = in_folder("export", files, "corpus export.zip --format csv");
    let rows = csv::Reader::from_reader(run.output.as_bytes());
    let rows: Vec<[String; 3]> = (rows.into_records().map(Result::unwrap))
        .map(|row| [0, 1, 2].map(|at| row[at].to_owned()))
        .collect();
    let [anna, copy] = ["Anna Muster 11/essay.txt", "Anna Muster 11/copy.txt"];
    let [bert, cleo] = ["Bert Beispiel 12/my essay.txt", "Cleo Probe 14/all.zip/draft/essay.txt"];
    let old = "Otto Alt 15/old.doc";
    #[rustfmt::skip]
    let want = [
        [copy, bert, "identical"],
        [copy, cleo, "identical"],
        [anna, bert, "identical"],
        [anna, cleo, "identical"],
        [bert, cleo, "identical"],
        ["Vera Vorbild 13/text.txt", "", "disguised"],
        [old, "", "not-compared"],
    ];
    assert_eq!(rows, want, "{}", run.errors);
    assert_eq!(run.status, 2);
    let off = in_folder("export", files, "corpus export.zip --submissions off --list");
    assert!(off.output.starts_with("export.zip/Anna Muster_11_assignsubmission_file_/copy.txt\t"));
}

/// A person is not compared with herself, and names that are not those of the platform are named.
#[test]
fn persons_that_are_not_found_are_explained() {
    let moodle = [
        ("Anna Muster_11_assignsubmission_file_/essay.txt", TEXT.as_bytes()),
        ("Anna Muster_11_assignsubmission_onlinetext_/onlinetext.txt", TEXT.as_bytes()),
        ("Bert Beispiel_12_assignsubmission_file_/essay.txt", TEXT.as_bytes()),
    ];
    let others = [("readme.txt", OTHER.as_bytes()), ("sheet.txt", TEXT.as_bytes())];
    let stray = [&moodle[..], &others].concat();
    let files: &[(&str, &[u8])] = &[("x.zip", &zipped(&moodle)), ("stray.zip", &zipped(&stray))];
    let mut transcript = Transcript::default();
    for line in [
        "corpus x.zip --unit dir",
        "corpus x.zip --submissions canvas",
        "corpus stray.zip",
        "corpus stray.zip --unit person",
        "corpus stray.zip --unit person --submissions moodle --list",
    ] {
        transcript.run(line, &in_folder("persons", files, line));
    }
    transcript.assert_snapshot("submissions_persons");
}

/// Of a receipt of Blackboard only what was typed is a text, at its place in the file.
#[test]
fn receipts_of_blackboard_are_no_texts() {
    let receipt = |person: &str, text: &str| {
        format!(
            "Name: {person}\nAssignment: Essay 1\nDate Submitted: Tuesday, November 24, 2026\n\
             Current Grade: Needs Grading\n\nSubmission Field:\n{text}\n\nComments:\n\
             There are no student comments for this assignment.\n\nFiles:\n\tOriginal filename: essay.txt\n"
        )
    };
    let none = "There is no student submission text data for this assignment.";
    let name = |person: &str, file: &str| {
        format!("Essay 1_{person}_attempt_2026-11-24-10-15-00{file}.txt")
    };
    let texts = [
        (name("ada", ""), receipt("Ada", none)),
        (name("ada", "_essay"), TEXT.to_owned()),
        (name("ben", ""), receipt("Ben", none)),
        (name("ben", "_essay"), OTHER.to_owned()),
        (name("cleo", ""), receipt("Cleo", TEXT)),
    ];
    let packed: Vec<(&str, &[u8])> =
        texts.iter().map(|(name, text)| (&**name, text.as_bytes())).collect();
    let zip = zipped(&packed);
    let named: Vec<String> = texts.iter().map(|(name, _)| format!("in/{name}")).collect();
    let unpacked = named.iter().zip(&packed).map(|(name, (_, text))| (&**name, *text));
    let files: Vec<(&str, &[u8])> = [("x.zip", &*zip)].into_iter().chain(unpacked).collect();
    let mut transcript = Transcript::default();
    for line in [
        "corpus x.zip --at-least excerpt --format jsonl",
        "corpus x.zip --at-least excerpt",
        "corpus in --at-least excerpt --submissions blackboard",
        "corpus x.zip --submissions off",
        "corpus x.zip --unit person --list",
    ] {
        transcript.run(line, &in_folder("receipts", &files, line));
    }
    transcript.assert_snapshot("submissions_receipts");
}

/// Checks that each kind of archive gives the same texts, also if it is in a folder.
#[test]
fn archives_of_all_kinds_are_read() {
    let texts: &[(&str, &[u8])] =
        &[("in/anna.txt", TEXT.as_bytes()), ("in/bert.txt", TEXT.as_bytes()), ("in/.x", b"x")];
    let tar = tarred(texts);
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(&tar).unwrap();
    let zst = ruzstd::encoding::compress_to_vec(&*tar, ruzstd::encoding::CompressionLevel::Fastest);
    let files = [
        ("a.zip", zipped(texts)),
        ("a.tar", tar),
        ("a.tar.gz", gz.finish().unwrap()),
        ("a.tar.zst", zst),
    ];
    for (name, bytes) in files {
        let inside = format!("folder-{name}/{name}");
        let files: &[(&str, &[u8])] = &[(name, &bytes), (&inside, &bytes)];
        for named in [name, &format!("folder-{name}")] {
            let run = in_folder("kinds", files, &format!("corpus {named}"));
            let path = if named == name { name } else { &*inside };
            let pair =
                format!("100 | 100 %  identical       {path}/in/anna.txt | {path}/in/bert.txt\n");
            assert!(run.output.contains(&pair), "{named}: {}{}", run.output, run.errors);
            assert!(run.output.contains("2 texts compared; 1 skipped: hidden\n"), "{}", run.output);
            assert_eq!(run.status, 0, "{named}");
        }
    }
}

/// A ZIP archive of two texts that are alike, and one between them.
fn three() -> Vec<u8> {
    let [text, other] = [TEXT, OTHER].map(str::as_bytes);
    zipped(&[("a.txt", text), ("b.txt", other), ("c.txt", text)])
}

/// What is no file in a tar archive is counted by what it is.
#[test]
fn links_and_devices_are_counted_by_their_kinds() {
    use tar::EntryType;
    let mut archive = tar::Builder::new(Vec::new());
    let kinds =
        [EntryType::Symlink, EntryType::Link, EntryType::Fifo, EntryType::Char, EntryType::Block];
    for (number, kind) in kinds.into_iter().enumerate() {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(0);
        archive.append_link(&mut header, number.to_string(), "a.txt").unwrap();
    }
    let files: &[(&str, &[u8])] = &[
        ("x.tar", &archive.into_inner().unwrap()),
        ("a.txt", TEXT.as_bytes()),
        ("b.txt", TEXT.as_bytes()),
    ];
    let run = in_folder("tar-kinds", files, "corpus a.txt b.txt x.tar");
    let want = "2 texts compared; 1 skipped: symbolic links; \
                3 skipped: pipes, sockets and\n  devices; 1 skipped: hard links\n\n\
                Not compared:\n  \
                symbolic links: x.tar/0 (give the file or folder itself to compare it)\n  \
                pipes, sockets and devices: x.tar/2, x.tar/3, x.tar/4 (give the file or folder\n    \
                itself to compare it)\n  \
                hard links: x.tar/1\n";
    assert!(run.output.ends_with(want), "{}", run.output);
}

/// Of several files of one name, one is compared, and the others are an error.
#[test]
fn files_of_one_name_are_named() {
    let [text, other] = [TEXT, OTHER].map(str::as_bytes);
    let files = [("a.txt", text), ("a.txu", other), ("A.txt", text), ("b.txt", other)];
    let mut zip = zipped(&files);
    for at in 0..zip.len() - 5 {
        if zip[at..].starts_with(b"a.txu") {
            zip[at + 4] = b't';
        }
    }
    let twice = [("a.txt", text), ("a.txt", other), ("b.txt", other)];
    let files: &[(&str, &[u8])] = &[("x.zip", &zip), ("x.tar", &tarred(&twice))];
    let mut transcript = Transcript::default();
    for line in ["corpus x.zip", "corpus x.tar", "corpus x.zip --unreadable warn --quiet"] {
        transcript.run(line, &in_folder("one-name", files, line));
    }
    transcript.assert_snapshot("archives_one_name");
}

/// Checks that of an archive in an archive that exceeds a limit no file is compared.
#[test]
fn an_inner_archive_is_compared_completely_or_not_at_all() {
    let text = [TEXT.as_bytes(); 12].concat();
    let names: Vec<String> = (0..40).map(|number| format!("{number}.txt")).collect();
    let texts: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &*text)).collect();
    let files: &[(&str, &[u8])] = &[(
        "x.zip",
        &zipped(&[("c.txt", OTHER.as_bytes()), ("in.zip", &zipped(&texts)), ("z.txt", &text)]),
    )];
    let run = in_folder("inner-limit", files, "corpus x.zip --list --max-unpacked 50000");
    assert_eq!(run.output.lines().next().unwrap().split('\t').next(), Some("x.zip/c.txt"));
    // What was unpacked of it does not count towards the limit.
    assert!(run.output.contains("\n2 texts, 1 failed\n"), "{}", run.output);
    assert!(
        run.errors.starts_with("dedup: x.zip/in.zip: unpacks to more than the limit"),
        "{}",
        run.errors
    );
}

/// An archive in the place of a text names the command that reads it, and one that is not read names
/// what to do.
#[test]
fn archives_have_hints() {
    let zip = three();
    let inner = zipped(&[("c.zip", &*zip), ("d.rar", b"Rar!\x1a\x07\x01\0")]);
    let files: &[(&str, &[u8])] = &[
        ("a.txt", TEXT.as_bytes()),
        ("x.zip", &zip),
        ("y.tar", &tarred(&[("a.txt", TEXT.as_bytes())])),
        ("m.zip", &zipped(&[("Fay W_106_assignsubmission_file_/in.zip", &inner)])),
    ];
    let mut transcript = Transcript::default();
    for line in [
        "x.zip",
        "a.txt x.zip",
        "lost.txt x.zip",
        "y.tar a.txt",
        "x.zip y.tar",
        "text x.zip",
        "corpus m.zip",
    ] {
        transcript.run(line, &in_folder("archive-hints", files, line));
    }
    transcript.assert_snapshot("archives_hints");
    let folder = folder("quoted-hints", &[("Anna M/a b.txt", TEXT.as_bytes()), ("c d.txt", b"x")]);
    #[rustfmt::skip]
    let table = [
        (&["c d.txt", "Anna M"][..],                "dedup corpus 'c d.txt' --against 'Anna M' compares it with all texts there"),
        (&["Anna M"],                               "dedup corpus 'Anna M' compares all texts in it"),
        (&["index", "add", "e f.dedup", "Anna M"],  "dedup index build PATH… -o 'e f.dedup' builds it"),
    ];
    for (arguments, want) in table {
        let run = command().current_dir(&folder).args(arguments).output().unwrap();
        let errors = String::from_utf8(run.stderr).unwrap();
        let hint = errors.lines().nth(1).unwrap_or_default();
        assert_eq!(hint, format!("hint: {want}"), "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_in_an_archive_is_no_path() {
    let archive = zipped(&[("a.txt", TEXT.as_bytes())]);
    let files: &[(&str, &[u8])] = &[("x.zip", &archive), ("a.txt", TEXT.as_bytes())];
    let run = in_folder("archive-path", files, "a.txt x.zip/a.txt");
    let want = "dedup: x.zip/a.txt: cannot be read, expected a text file: Not a directory (os \
                error 20)\nhint: a folder in the path is a file; if that is an archive, extract the \
                text, or compare all its texts with dedup corpus ARCHIVE\n";
    assert_eq!((run.errors.as_str(), run.status), (want, 2));
}

/// Where the entry of a file begins in the list at the end of a ZIP archive.
fn list_of(archive: &[u8], name: &str) -> usize {
    let is_it = |at: &usize| {
        archive[*at..].starts_with(b"PK\x01\x02") && archive[at + 46..].starts_with(name.as_bytes())
    };
    (0..archive.len()).find(is_it).unwrap()
}

/// The beginning of a film, and more than the limit of what is no film.
fn film() -> Vec<u8> {
    [b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom", &*vec![7; 1_000_000]].concat()
}

/// A film costs no more than its beginning, wherever it is and whether or not it is left out, and
/// whatever size the archive has; a text that is too large is an error, and never damage, and the
/// others are compared.
#[test]
fn films_are_counted_and_texts_are_limited() {
    let gz = |bytes: &[u8]| {
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
        gz.write_all(bytes).unwrap();
        gz.finish().unwrap()
    };
    let (film, bomb) = (film(), vec![b'0'; 1_000_000]);
    let [with_film, with_bomb] = [("v.mp4", film), ("z.txt", bomb)].map(|(name, bytes)| {
        let files = [("a.txt", TEXT.as_bytes()), (name, &*bytes), ("b.txt", TEXT.as_bytes())];
        [("zip", zipped(&files)), ("tar", tarred(&files)), ("tar.gz", gz(&tarred(&files)))]
    });
    let flags = "--max-unpacked 100000 --max-bytes 1000";
    for (ending, bytes) in with_film {
        let name = format!("x.{ending}");
        let files: &[(&str, &[u8])] = &[(&name, &bytes)];
        let pair = format!("100 | 100 %  identical       {name}/a.txt | {name}/b.txt\n");
        for (more, count) in [("", "; 1 skipped: audio and video"), (" --exclude *.mp4", "")] {
            let run = in_folder("films", files, &format!("corpus {name} {flags}{more}"));
            assert!(run.output.contains(&pair), "{name}{more}: {}", run.errors);
            let counted = format!("\n2 texts compared{count}\n");
            assert!(run.output.contains(&counted), "{name}{more}: {}", run.output);
            assert_eq!((run.status, &*run.errors), (0, ""), "{name}{more}");
        }
    }
    for (ending, bytes) in with_bomb {
        let name = format!("x.{ending}");
        let files: &[(&str, &[u8])] = &[(&name, &bytes)];
        for (limit, why) in [
            ("--max-unpacked 100000", "unpacks to more than the limit of 100000 bytes"),
            ("--max-bytes 1000", "larger than the limit of 1000 bytes"),
        ] {
            let run = in_folder("bombs", files, &format!("corpus {name} {limit}"));
            let (flag, _) = limit.split_once(' ').unwrap();
            let errors = format!("dedup: {name}/z.txt: {why}\nhint: {flag} off lifts the limit\n");
            let output = format!(
                "shared verdict left | right \
                 100 | 100 % identical {name}/a.txt | {name}/b.txt \
                 1 pair near-duplicate or closer 2 texts compared; 1 failed \
                 Not compared: {name}/z.txt: {why}; {flag} off lifts the limit"
            );
            let words = run.output.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!((run.status, run.errors, words), (2, errors, output), "{name}");
            let run = in_folder("bombs", files, &format!("corpus {name} {limit} --exclude z.txt"));
            assert_eq!((run.status, &*run.errors), (0, ""), "{name} {limit}");
        }
    }
    // What is skipped in a compressed archive is unpacked as well, and is limited, too.
    let zeros = tarred(&[("v.mp4", &vec![0; 1_000_000]), ("a.txt", TEXT.as_bytes())]);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(&zeros).unwrap();
    let files: &[(&str, &[u8])] = &[("z.tar.gz", &packed.finish().unwrap())];
    let line = "corpus z.tar.gz --max-unpacked 100000 --exclude *.mp4";
    let run = in_folder("bombs", files, line);
    let want = "dedup: z.tar.gz: unpacks to more than the limit of 100000 bytes\n";
    assert!(run.errors.starts_with(want) && run.status == 2, "{}", run.errors);
}

/// Checks that a damaged or malicious archive is reported in one clear line, and that nothing is
/// written.
#[test]
fn hostile_archives_are_named() {
    let twice = zipped(&[("b.zip", &zipped(&[("c.zip", &zipped(&[("x.txt", b"x")]))]))]);
    let bomb = zipped(&[("a.txt", &*vec![b'0'; 3_000_000]), ("b.txt", TEXT.as_bytes())]);
    let half = vec![b'0'; 600_000];
    let halves = zipped(&[("a.txt", &half), ("b.txt", &half)]);
    let mut liar = bomb.clone();
    // The size stands 24 bytes from the beginning in the list at the end.
    let place = list_of(&liar, "a.txt");
    liar[place + 24..][..4].copy_from_slice(&9_u32.to_le_bytes());
    let leading = zipped(&[("../up.txt", b"x"), ("/root.txt", b"x"), ("a/../../b.txt", b"x")]);
    let many: Vec<String> = (0..3000).map(|number| format!("{number}.txt")).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|name| (&**name, &b"kettle"[..])).collect();
    let mut locked = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    locked.start_file("a.txt", options).unwrap();
    locked.write_all(b"secret").unwrap();
    let mut locked = locked.finish().unwrap().into_inner();
    // Set the flag of an encrypted file, in its header and in the central directory.
    locked[6] |= 1;
    let list = locked.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    locked[list + 8] |= 1;
    let whole = zipped(&[("a.txt", TEXT.as_bytes())]);
    let (mut checksum, mut method) = (three(), three());
    // In the list at the end the checksum stands 16 bytes, and the method 10, from the beginning.
    let place = list_of(&checksum, "b.txt");
    checksum[place + 16] ^= 1;
    method[place + 10..][..2].copy_from_slice(&98_u16.to_le_bytes());
    let cases: &[(&str, &[u8], &str)] = &[
        ("three deep", &twice, "corpus x.zip"),
        ("a bomb", &bomb, "corpus x.zip --max-unpacked 1000000"),
        ("one that declares less", &liar, "corpus x.zip --max-unpacked 1000000"),
        ("too much together", &halves, "corpus x.zip --max-unpacked 1000000"),
        ("too large", &whole, "corpus x.zip --max-bytes 20"),
        ("paths", &leading, "corpus x.zip"),
        ("empty", &zipped::<&str, &str>(&[]), "corpus x.zip"),
        ("cut", &whole[..whole.len() / 2], "corpus x.zip"),
        ("no archive", b"kettle", "corpus x.zip"),
        ("locked", &locked, "corpus x.zip"),
        ("a wrong checksum in it", &checksum, "corpus x.zip"),
        ("an unknown method in it", &method, "corpus x.zip"),
    ];
    let mut transcript = Transcript::default();
    for (why, bytes, line) in cases {
        let folder = format!("hostile-{}", why.replace(' ', "-"));
        let run = in_folder(&folder, &[("x.zip", bytes)], line);
        assert_eq!(run.status, 2, "{why}");
        let left: Vec<_> = fs::read_dir(self::folder(&folder, &[])).unwrap().collect();
        assert_eq!(left.len(), 1, "{why}: nothing is written");
        transcript.case(why);
        transcript.run(line, &run);
    }
    transcript.assert_snapshot("archives");
    let files: &[(&str, &[u8])] = &[("x.zip", &zipped(&many))];
    let run = in_folder("hostile-many", files, "corpus x.zip --clusters");
    assert!(run.output.ends_with("1 cluster\n3,000 texts compared\n"), "{}", run.errors);
}

/// Returns a Word document with properties.
pub(crate) fn docx(author: &str, last: &str, text: &str) -> Vec<u8> {
    let kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
    let core = format!(
        "<c><dc:creator>{author}</dc:creator><cp:lastModifiedBy>{last}</cp:lastModifiedBy></c>"
    );
    let types =
        format!("<T><Override PartName=\"/word/document.xml\" ContentType=\"{kind}\"/></T>");
    let document = format!("<d><p><r><t>{text}</t></r></p></d>");
    zipped(&[
        ("[Content_Types].xml", types.as_bytes()),
        ("word/document.xml", document.as_bytes()),
        ("docProps/core.xml", core.as_bytes()),
    ])
}

/// Checks that properties are reported if they name another person, and only then.
#[test]
fn properties_that_name_another_person_are_reported() {
    let shared = "the tall ships lay at anchor in the bay while the fog came in from the sea";
    let documents = [
        ("Olga Ivanova_1", docx("Olga Ivanova", "Braun, Felix", shared)),
        ("Felix Braun_2", docx("felix braun", "Microsoft Office User", shared)),
        ("Zoë Maier_3", docx("Zoe Maier", "", "A kettle of copper stood on the old table")),
    ];
    let named: Vec<(String, Vec<u8>)> = documents
        .into_iter()
        .map(|(person, bytes)| (format!("in/{person}_assignsubmission_file_/a.docx"), bytes))
        .collect();
    let files: Vec<(&str, &[u8])> =
        named.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    let line = "corpus in --submissions moodle --at-least excerpt";
    let text = in_folder("properties", &files, line).output;
    let said = "in/Olga Ivanova_1_assignsubmission_file_/a.docx was last saved by Braun, Felix";
    assert_eq!(text.matches(said).count(), 2, "under its pair, and in the list: {text}");
    let title = "\nProperties that name another person:\n";
    assert_eq!(text.matches(title).count(), 1, "{text}");
    assert_eq!(text.matches("was written by").count(), 0, "{text}");
    let new = docx("Karl Neu", "Microsoft Office User", shared);
    let of_new = ("new/Karl Neu_4_assignsubmission_file_/a.docx", new.as_slice());
    let again = line.replace(" in ", " new --against in ");
    let of_old = in_folder("properties_of_old", &[&files[..], &[of_new]].concat(), &again).output;
    assert!(
        of_old.ends_with("\n2 pairs excerpt or closer\n1 text compared with 3 earlier ones\n"),
        "{of_old}"
    );
    // With --focus, texts that are not in focus are new, too.
    let focus = "in/Ina_5_assignsubmission_file_/a.txt";
    let with_focus = [&files[..], &[(focus, b"Ina wrote this on her own")]].concat();
    let near = format!("corpus in --submissions moodle --focus {focus}");
    let near = in_folder("properties_focus", &with_focus, &near).output;
    assert!(near.contains(title) && near.contains(said), "{near}");
    let json = in_folder("properties", &files, &format!("{line} --format json")).output;
    let answer: Value = serde_json::from_str(&json).unwrap();
    let name = "in/Olga Ivanova_1_assignsubmission_file_/a.docx";
    assert_eq!(answer["properties"], json!([{"name": name, "remarks": [said]}]));
    let both = ["a", "b"].map(|side| answer["pairs"][0][side]["properties"].clone());
    let own =
        json!({"author": "Olga Ivanova", "last_modified_by": "Braun, Felix", "created": null});
    assert!(both.contains(&own), "{both:?}");
    let board =
        |flags: &str| in_folder("properties", &files, &format!("{line} --report - {flags}")).output;
    let page = board("--quiet");
    let own = "<li><strong><bdi>Olga Ivanova_1_assignsubmission_file_</bdi></strong>: last saved by \
               Braun, Felix</li>";
    assert!(page.contains(own), "{page}");
    let page = board("--quiet --anonymous");
    assert!(page.contains("<li><strong><bdi>Text 2</bdi></strong></li>"), "{page}");
    assert!(!page.contains("Braun") && !page.contains("Olga"), "{page}");
    let markdown = in_folder("properties", &files, &format!("{line} --format markdown")).output;
    assert_eq!(markdown.matches(&format!("{title}\n- `{said}`\n")).count(), 1, "{markdown}");
    let csv = in_folder("properties", &files, &format!("{line} --format csv")).output;
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    let of_text = |row: &csv::StringRecord| [0, 1, 2, 20].map(|at| row[at].to_owned());
    assert_eq!(of_text(rows.last().unwrap()), [name, "", "properties", said]);
}

/// Checks that whose text it is by an id alone is not said to be another person than its author,
/// unless the author is somebody else of the course.
#[test]
fn persons_known_by_an_id_are_not_reported_for_their_own_names() {
    let document = |author: &str| docx(author, "", &format!("A kettle of {author} stood there"));
    let blackboard = |login| format!("in/E_{login}_attempt_2026-11-24-10-15-00_a.docx");
    let moodle = |person| format!("in/{person}_assignsubmission_file_/a.docx");
    let plain = |id| format!("in/{id}.docx");
    let list: &[u8] = b"id,group\n1000,A\n1001,B\n";
    let (ids, numbers) = (["ab12345", "dzed02"], ["Participant 300_1", "Participant 301_2"]);
    let own = ["Anna Braun", "Dora Zed"];
    #[rustfmt::skip]
    let cases = [
        ("user names",             "--submissions blackboard", ids.map(blackboard),                          own,                      None),
        ("blind marking",          "--submissions moodle",     numbers.map(moodle),                          own,                      None),
        ("ids in a list",          "--names names.csv",        ["1000", "1001"].map(plain),                  own,                      None),
        ("a user name of another", "--submissions blackboard", ids.map(blackboard),                          ["Dora Zed", "Dora Zed"], Some(0)),
        ("a third person",         "--submissions canvas",     ["braunanna_1_2_a", "zeddora_3_4_a"].map(plain), ["Anna Braun", "Olga"], Some(1)),
    ];
    for (why, flags, names, authors, want) in cases {
        let bytes = authors.map(document);
        let mut files: Vec<(&str, &[u8])> =
            names.iter().map(String::as_str).zip(bytes.iter().map(Vec::as_slice)).collect();
        files.push(("names.csv", list));
        let line = format!("corpus in {flags} --format json");
        let run = in_folder(&format!("ids-{}", why.replace(' ', "-")), &files, &line);
        let said = want.map(|at: usize| {
            let said = format!("{} was written by {}", names[at], authors[at]);
            json!([{"name": names[at], "remarks": [said]}])
        });
        let answer: Value = serde_json::from_str(&run.output).unwrap();
        assert_eq!(answer.get("properties"), said.as_ref(), "{why}: {}", run.errors);
    }
}

/// A file of a few words is no passage by itself, but a part of a text that is identical.
#[test]
fn identical_texts_of_several_files_are_shared_in_full() {
    let files: &[(&str, &[u8])] = &[
        ("in/anna/essay.txt", TEXT.as_bytes()),
        ("in/anna/note.txt", b"My essay is attached.\n"),
        ("in/bert/essay.txt", TEXT.as_bytes()),
        ("in/bert/note.txt", b"My essay is attached.\n"),
        ("in/cleo/essay.txt", TEXT.as_bytes()),
    ];
    let run = in_folder("few-words", files, "corpus in --unit dir");
    let want = "\
        shared       verdict         left | right\n\
        100 | 100 %  identical       in/anna | in/bert\n \
        88 | 100 %  near-duplicate  in/anna | in/cleo\n \
        88 | 100 %  near-duplicate  in/bert | in/cleo\n\
        3 pairs near-duplicate or closer\n\
        3 texts compared\n";
    assert_eq!((run.output.as_str(), run.status), (want, 0));
    let json =
        in_folder("few-words", files, "corpus in --unit dir --passages on --format json").output;
    let answer: Value = serde_json::from_str(&json).unwrap();
    let pair = &answer["pairs"][0];
    let coverage = json!({"words_a": 36, "words_b": 36, "share_a": 1.0, "share_b": 1.0, "same_a": 1.0, "same_b": 1.0,
            "changed_a": 0.0, "changed_b": 0.0, "longest": 32});
    assert_eq!(pair["coverage"], coverage);
}

#[test]
fn files_of_systems_are_hidden() {
    let packed = zipped(&[
        ("a.txt", TEXT.as_bytes()),
        ("Thumbs.db", OLD_DOC),
        ("x/desktop.ini", b"[.ShellClassInfo]\n"),
    ]);
    let files: &[(&str, &[u8])] = &[
        ("in/a.txt", TEXT.as_bytes()),
        ("in/Thumbs.db", OLD_DOC),
        ("in/x/Desktop.ini", b"[.ShellClassInfo]\n"),
        ("in/x.zip", &packed),
    ];
    let run = in_folder("systems", files, "corpus in");
    let want = "\n2 texts compared; 4 skipped: hidden\n\nNot compared:\n  \
                hidden: in/Thumbs.db, in/x/Desktop.ini, in/x.zip/Thumbs.db and 1 more (give\n    \
                the file or folder itself to compare it)\n  --format json lists all\n";
    assert!(run.output.ends_with(want), "{}", run.output);
    assert_eq!((run.status, run.errors.as_str()), (0, ""));
}

/// Returns a ZIP archive of one uncompressed file, with the bytes of its name, flags, and an extra
/// field.
fn stored(name: &[u8], flags: u16, extra: &[u8]) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(TEXT.as_bytes());
    let size = u32::try_from(TEXT.len()).unwrap();
    let mut common = Vec::new();
    common.extend([20_u16, flags, 0, 0, 0x21].map(u16::to_le_bytes).concat());
    common.extend([crc.sum(), size, size].map(u32::to_le_bytes).concat());
    let lengths = [name.len(), extra.len()].map(|length| u16::try_from(length).unwrap());
    common.extend(lengths.map(u16::to_le_bytes).concat());
    let mut bytes = [b"PK\x03\x04", &*common, name, extra, TEXT.as_bytes()].concat();
    let start = u32::try_from(bytes.len()).unwrap();
    bytes.extend([b"PK\x01\x02\x14\0", &*common, &[0; 14], name, extra].concat());
    let list = u32::try_from(bytes.len()).unwrap() - start;
    bytes.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    bytes.extend([list, start].map(u32::to_le_bytes).concat());
    bytes.extend([0; 2]);
    bytes
}

/// Checks names as several programs write them.
#[test]
fn names_in_zip_archives_are_those_that_were_given() {
    let mut crc = flate2::Crc::new();
    crc.update(b"M?ller.txt");
    let unicode = [&[1][..], &crc.sum().to_le_bytes(), "Müller.txt".as_bytes()].concat();
    let length = u16::try_from(unicode.len()).unwrap().to_le_bytes();
    let unicode = [&[0x75, 0x70][..], &length, &unicode].concat();
    #[rustfmt::skip]
    let table: &[(&str, &[u8], u16, &[u8], &str)] = &[
        ("said to be UTF-8",      "Müller 水.txt".as_bytes(),   1 << 11, b"",       "Müller 水.txt"),
        ("as macOS does",         "Müller.txt".as_bytes(),      0,       b"",       "Müller.txt"),
        ("in code page 437",      b"M\x81ller \xe1\x94.txt", 0,       b"",       "Müller ßö.txt"),
        ("named once more",       b"M?ller.txt",                0,       &unicode,  "Müller.txt"),
        ("with backslashes",      b"a\\b.txt",                0,       b"",       "a/b.txt"),
        ("from where it was",     b"./a//b.txt",                0,       b"",       "a/b.txt"),
    ];
    for (why, name, flags, extra, want) in table {
        let files: &[(&str, &[u8])] = &[("x.zip", &stored(name, *flags, extra))];
        let run = in_folder("zip-names", files, "corpus x.zip --list");
        assert!(
            run.output.starts_with(&format!("x.zip/{want}\t")),
            "{why}: {}{}",
            run.output,
            run.errors
        );
    }
}

/// Checks that globs apply to an archive like to a folder, and that excluded files are not
/// unpacked.
#[test]
fn globs_are_heeded_in_archives() {
    let large = vec![b'0'; 1_000_000];
    let inner = zipped(&[("notes/d.txt", TEXT.as_bytes()), ("e.md", TEXT.as_bytes())]);
    let packed = zipped(&[
        ("a.md", TEXT.as_bytes()),
        ("b.txt", TEXT.as_bytes()),
        ("notes/c.md", TEXT.as_bytes()),
        ("film.mp4", &large),
        ("in.zip", &inner),
    ]);
    let files: &[(&str, &[u8])] =
        &[("x.zip", &packed), ("in/x.ZIP", &packed), ("in/f.md", TEXT.as_bytes())];
    let cases = [
        ("too large", "x.zip --max-unpacked 10000"),
        ("a film left out", "x.zip --max-unpacked 10000 --exclude *.mp4"),
        ("an ending", "x.zip --include *.md"),
        ("not a folder", "x.zip --max-unpacked 10000 --exclude *.mp4 --exclude notes/"),
        ("not at the top", "x.zip --max-unpacked 10000 --exclude *.mp4 --exclude /notes/"),
        ("no archive in it", "x.zip --max-unpacked 10000 --exclude *.mp4 --exclude *.zip"),
        ("in a folder", "in --include *.md"),
        ("by its path", "in --include /x.ZIP/notes/*.md"),
    ];
    let mut transcript = Transcript::default();
    for (why, line) in cases {
        let line = format!("corpus --list {line}");
        transcript.case(why);
        transcript.run(&line, &in_folder("archive-globs", files, &line));
    }
    transcript.assert_snapshot("archives_globs");
}

/// The first thousand failures are in memory, the others in a file: CSV has a row for each.
#[test]
fn csv_has_every_failure() {
    let folder = folder("many_failures", &[]);
    fs::create_dir_all(folder.join("in")).unwrap();
    for number in 0..1_002 {
        fs::write(folder.join(format!("in/{number:04}.doc")), OLD_DOC).unwrap();
    }
    for name in ["in/x.txt", "in/y.txt"] {
        fs::write(folder.join(name), TEXT).unwrap();
    }
    for line in ["corpus in --format csv", "corpus in -q --format csv=all.csv"] {
        let run = in_folder("many_failures", &[], line);
        let written =
            if line.contains('=') { read_file(folder.join("all.csv")) } else { run.output };
        let rows: Vec<&str> = written.lines().filter(|row| row.contains("not-compared")).collect();
        assert_eq!(rows.len(), 1_002, "{line}");
        assert!(rows[1_001].starts_with("in/1001.doc,,not-compared,"), "{line}: {}", rows[1_001]);
    }
}

/// Checks that programs are told what makes a run fail, and what does not.
#[test]
fn each_failure_has_its_own_severity() {
    let folder = crate::common::empty_folder("submissions", "severity");
    let plain = "One two three four five six seven eight nine ten.\n";
    fs::write(folder.join("a.txt"), plain).unwrap();
    fs::write(folder.join("d.txt"), plain.replace('o', "\u{43e}")).unwrap();
    fs::write(folder.join("x.pdf"), "%PDF-1.4 x").unwrap();
    let line = "check . --unreadable warn --disguises error --jaccard off --hamming off --format";
    let run = |folder: &Path, line: &str| crate::common::run(folder, line);
    let junit = run(&folder, &format!("{line} junit"));
    assert_eq!(junit.status, 2);
    let (start, disguised) =
        ("<testsuites name=\"dedup\" tests=\"4\"", "<error type=\"disguised\"");
    assert!(
        junit.output.contains(&format!("{start} failures=\"2\" errors=\"1\">")),
        "{}",
        junit.output
    );
    let case = |what: &str, name: &str| {
        let begin = format!("classname=\"dedup.{what}\" name=\"{name}\" file=");
        let (_, rest) = junit.output.split_once(&begin).unwrap();
        rest.split("<testcase").next().unwrap().to_owned()
    };
    assert!(case("disguised", "d.txt").contains(disguised));
    for name in ["a.txt", "d.txt"] {
        assert!(case("text", name).contains("<failure") && !case("text", name).contains("<error"));
    }
    assert!(case("text", "x.pdf").contains("<skipped"));
    let github = run(&folder, &format!("{line} github")).output;
    assert!(github.starts_with("::error file=d.txt,title=dedup%3A disguised::d.txt: "), "{github}");
    assert!(github.contains("\n::warning file=x.pdf,title=dedup%3A unreadable::"), "{github}");
    let sarif = run(&folder, &format!("{line} sarif")).output;
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let invocation = &sarif["runs"][0]["invocations"][0];
    let levels: Vec<&str> = (invocation["toolExecutionNotifications"].as_array().unwrap().iter())
        .map(|it| it["level"].as_str().unwrap())
        .collect();
    assert_eq!(
        (invocation["executionSuccessful"].as_bool(), levels),
        (Some(false), vec!["warning", "error"])
    );
    let json = run(&folder, &format!("{line} json")).output;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["failed"][0]["severity"], "warning", "{json}");
    // A list is no answer: it has the same status, whatever the settings file says of answers.
    for (settings, flags, status) in [
        ("", "--unreadable warn", 0),
        ("", "", 2),
        ("quiet = true\n", "--unreadable warn", 0),
        ("report = \"x.pdf/rep\"\n", "--unreadable warn", 0),
    ] {
        fs::write(folder.join("dedup.toml"), settings).unwrap();
        let listed = run(&folder, &format!("corpus . --list {flags}"));
        assert_eq!(listed.status, status, "{settings}{flags}: {}", listed.errors);
        assert!(listed.output.starts_with("./a.txt\t"), "{settings}{flags}: {}", listed.output);
    }
    fs::create_dir(folder.join("none")).unwrap();
    fs::rename(folder.join("x.pdf"), folder.join("none/x.pdf")).unwrap();
    let none = run(&folder, "corpus none --list --unreadable warn --no-config");
    assert_eq!(none.status, 2, "as that of the run: {}", none.output);
}
