//! Tests of `dedup index`: a stored index gives the answers that the texts give.

use std::fmt::Write as _;
use std::fs;
#[cfg(unix)]
use std::io::Read as _;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::common::{Run, command, empty_folder, read_file, records_without_text, with_input};
use crate::submissions::docx;
use crate::transcript::{Transcript, runs};

/// Returns words of a subject, followed by others.
fn text(subject: &str, count: usize, others: std::ops::Range<usize>) -> String {
    let mut text = String::new();
    for word in 0..count {
        let _ = write!(text, "{subject}{word} ");
    }
    for word in others {
        let _ = write!(text, "other{word} ");
    }
    text + "\n"
}

/// Creates a folder with old and new texts, and records. The new texts are a copy, an edited text,
/// and one that shares nothing.
fn folder(name: &str) -> PathBuf {
    let folder = empty_folder("index", name);
    let put = |path: &str, content: String| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    };
    put("old/boats.txt", text("boat", 60, 0..0));
    put("old/kettles.txt", text("kettle", 60, 0..0));
    put("old/more/lamps.txt", text("lamp", 60, 0..0));
    put("old/short.txt", "the of and\n".to_owned());
    put("new/copy.txt", text("boat", 60, 0..0));
    put("new/edited.txt", text("kettle", 50, 0..8));
    put("new/own.txt", text("own", 60, 0..0));
    let record = |id: &str, text: String| {
        serde_json::json!({ "id": id, "text": text, "author": "one" }).to_string() + "\n"
    };
    put("old.jsonl", record("7", text("boat", 60, 0..1)) + &record("8", text("mast", 60, 0..0)));
    put("new.jsonl", record("1", text("boat", 60, 0..2)) + &record("2", text("mast", 60, 0..0)));
    folder
}

/// Returns the content of the index of a folder.
fn bytes(folder: &Path) -> Vec<u8> {
    bytes_of(folder, "e.dedup")
}

#[expect(clippy::disallowed_methods, reason = "an index is no text")]
fn bytes_of(folder: &Path, index: &str) -> Vec<u8> {
    fs::read(folder.join(index)).unwrap()
}

/// Runs the program in a folder.
fn run(folder: &Path, line: &str) -> Run {
    with_input(folder, line, "")
}

/// Returns the output of a run, which must not fail.
fn printed(folder: &Path, line: &str) -> String {
    let run = run(folder, line);
    assert!(run.status < 2, "{line}: {}", run.errors);
    run.output
}

const FLAGS: &str = "--lang none --max 3 --min 3";

#[test]
fn every_format_answers_as_the_texts_do() {
    let folder = folder("formats");
    // Of one author alone, no two would be compared.
    let other = json!({"id": "9", "text": text("sail", 60, 0..0), "author": "two"}).to_string();
    let records = read_file(folder.join("old.jsonl")) + &other + "\n";
    fs::write(folder.join("old.jsonl"), records).unwrap();
    printed(&folder, &format!("index build old -o files.dedup {FLAGS}"));
    printed(
        &folder,
        &format!("index build --jsonl old.jsonl --group author -o records.dedup {FLAGS}"),
    );
    for format in ["text", "json", "jsonl", "csv", "paths"] {
        for flags in [
            "",
            "--clusters",
            "--keep first",
            "--jaccard 0.9",
            "--hamming 30 --jaccard off",
            "--at-least identical",
        ] {
            if format == "csv" && (flags == "--clusters" || flags.starts_with("--keep")) {
                continue;
            }
            let line = format!("corpus new {FLAGS} --passages off --format {format} {flags}");
            let stored = printed(&folder, &format!("{line} --against files.dedup"));
            let read = printed(&folder, &format!("{line} --against old"));
            assert_eq!(stored, read, "{format} {flags}");
        }
    }
    let line = format!("corpus --jsonl new.jsonl {FLAGS} --format jsonl --passages off");
    for group in ["", "--group author"] {
        let stored = printed(&folder, &format!("{line} {group} --against records.dedup"));
        let read = printed(&folder, &format!("{line} {group} --against old.jsonl"));
        assert_eq!(stored.is_empty(), !group.is_empty(), "{group}");
        assert_eq!(stored, read, "{group}");
    }
}

/// Returns the report in a folder, and removes it. Empty if there is none.
#[expect(clippy::disallowed_methods, reason = "a report is no text")]
fn report(folder: &Path) -> String {
    let page = folder.join("page.html");
    let content = fs::read_to_string(&page).unwrap_or_default();
    let _ = fs::remove_file(page);
    content
}

/// Checks that an index with texts gives the passages of the texts, in each format and in a report,
/// with a notice that ten of them have.
#[test]
fn stored_texts_share_the_passages_that_the_texts_do() {
    let folder = folder("texts");
    let put = |path: &str, content: String| fs::write(folder.join(path), content).unwrap();
    for number in 0..10 {
        let own = text(&format!("note{number}x"), 40, 0..0);
        put(&format!("old/note{number}.txt"), text("notice", 30, 0..0) + &own);
    }
    put(
        "old/page.html",
        format!("<p>{}</p><p>{}</p>", text("page", 30, 0..0), text("lamp", 0, 0..9)),
    );
    put("new/notice.txt", text("notice", 30, 0..0) + &text("mine", 40, 0..0));
    put("new/part.txt", text("lamp", 20, 0..0) + &text("mast", 80, 0..0) + &text("page", 14, 0..0));
    put("new/boats.txt", text("boat", 30, 0..60));
    let built = printed(&folder, &format!("index build old -o e.dedup --with-texts {FLAGS}"));
    assert_eq!(built, "15 texts added\n");
    for flags in [
        "",
        "--format json",
        "--format jsonl --at-least excerpt",
        "--format csv --at-least partial",
        "--format paths",
        "--format sarif",
        "--details --at-least excerpt",
        "--min-match 5 --at-least excerpt",
        "--clusters --at-least partial",
        "--report page.html",
    ] {
        let line = format!("corpus new {FLAGS} {flags}");
        let answers = ["e.dedup", "old"].map(|against| {
            let printed = printed(&folder, &format!("{line} --against {against}"));
            (printed, report(&folder))
        });
        assert_eq!(answers[0], answers[1], "{flags}");
        assert!(answers[1].0.len() + answers[1].1.len() > 20, "{flags}: {}", answers[1].0);
    }
    // Passages are found in the text that replaced another one.
    put("old/page.html", text("page", 3, 0..60));
    let added = printed(&folder, &format!("index add e.dedup old {FLAGS}"));
    assert_eq!(added, "0 texts added, 1 replaced, 14 unchanged; 15 in total\n");
    let line = format!("corpus new {FLAGS} --at-least excerpt --format jsonl");
    let [stored, read] =
        ["e.dedup", "old"].map(|it| printed(&folder, &format!("{line} --against {it}")));
    assert_eq!((stored.contains("page.html"), stored), (true, read));
}

#[test]
fn what_is_done_is_said() {
    let folder = folder("told");
    let cases = [
        ("build", &*format!("index build old -o e.dedup {FLAGS}")),
        ("list", "index list e.dedup"),
        ("nothing is new", &format!("index add e.dedup old {FLAGS}")),
        ("one more", &format!("index add e.dedup new/own.txt {FLAGS}")),
        ("a folder goes", "index remove e.dedup old/more new/own.txt"),
        ("less is listed", "index list e.dedup"),
        ("it is whole", "index check e.dedup"),
        ("quietly", "index remove e.dedup old/boats.txt -q"),
    ];
    runs("index", &cases, |line| {
        let run = run(&folder, line);
        assert_eq!(run.status, 0, "{line}: {}", run.errors);
        run
    });
    fs::write(folder.join("old/kettles.txt"), text("kettle", 61, 0..0)).unwrap();
    let replaced = printed(&folder, &format!("index add e.dedup old/kettles.txt {FLAGS}"));
    assert_eq!(replaced, "0 texts added, 1 replaced, 0 unchanged; 2 in total\n");
    let listed = printed(&folder, "index list e.dedup --json");
    let first: Value = serde_json::from_str(listed.lines().next().unwrap()).unwrap();
    assert_eq!(
        first,
        serde_json::json!({ "name": "old/kettles.txt", "group": null, "words": 61, "language": null })
    );
    let info = printed(&folder, "index info e.dedup");
    let lines: Vec<&str> = info.lines().collect();
    assert!(lines[0].starts_with("2 texts in "), "{info}");
    assert_eq!(
        lines[1..6],
        ["built with", "  --min 3", "  --max 3", "  --stopwords on", "  --stem on"]
    );
}

#[test]
fn what_was_removed_is_not_in_the_file_once_it_is_compacted() {
    let folder = folder("compacted");
    printed(&folder, &format!("index build old -o e.dedup {FLAGS}"));
    let has = |part: &str| {
        let bytes = bytes(&folder);
        bytes.windows(part.len()).any(|window| window == part.as_bytes())
    };
    assert!(!has("kettle1"), "no word of a text is in it");
    let size = || fs::metadata(folder.join("e.dedup")).unwrap().len();
    printed(&folder, "index remove e.dedup old/kettles.txt");
    assert!(has("kettles.txt"));
    let before = size();
    let compacted = printed(&folder, "index compact e.dedup");
    assert!(compacted.contains(" bytes before, ") && size() < before, "{compacted}");
    assert!(!has("kettles.txt"), "its name is gone");
    // It is as large as one built without the text. Only checks and checksums differ.
    fs::remove_file(folder.join("old/kettles.txt")).unwrap();
    printed(&folder, &format!("index build old -o anew.dedup {FLAGS}"));
    let anew = fs::metadata(folder.join("anew.dedup")).unwrap().len();
    // A checksum takes one to five bytes.
    assert!(size().abs_diff(anew) < 64, "{} and {anew}", size());
    let line = format!("corpus new --against e.dedup {FLAGS} --format jsonl --passages off");
    assert_eq!(printed(&folder, &line), printed(&folder, &line.replace("e.dedup", "old")));
}

#[test]
fn what_cannot_be_answered_is_refused() {
    let folder = folder("refused");
    printed(&folder, &format!("index build old -o e.dedup {FLAGS}"));
    fs::write(folder.join("no.dedup"), "dedup index").unwrap();
    #[rustfmt::skip]
    let table = [
        ("other n-grams",       "corpus new --against e.dedup --lang none --max 4 --min 3",
         "dedup: e.dedup: built with --max 3, expected --max 4"),
        ("no list of words",    "corpus new --against e.dedup --lang none --max 3 --min 3 --stopwords off",
         "dedup: e.dedup: built with --stopwords on, expected --stopwords off"),
        ("passages",            "corpus new --against e.dedup --lang none --max 3 --min 3 --at-least excerpt",
         "dedup: e.dedup: has no texts, expected an index with texts to search for passages"),
        ("a flag of the run",   "corpus new --against e.dedup --lossy",
         "dedup: e.dedup: built without --lossy, expected an index built with it"),
        ("marked text",         "check new --against e.dedup",
         "dedup: e.dedup: built with marked text, expected an index without it"),
        ("the nearest",         "corpus new --against e.dedup --lang none --max 3 --min 3 --nearest 2",
         "dedup: --nearest and the index e.dedup together, expected one of them"),
        ("it is there",         "index build old -o e.dedup",
         "dedup: --output e.dedup: already exists, expected a new name"),
        ("standard output",     "index build old -o -",
         "dedup: --output -: is not a file, expected a new file"),
        ("no folder",           "index build old -o no/x.dedup",
         "dedup: no/x.dedup: cannot be written: no such folder"),
        ("a folder's name",     "index build old -o new.dedup/",
         "dedup: --output new.dedup/: the name of a folder, expected that of a file"),
        ("no index to add to",  "index add none.dedup old",
         "dedup: none.dedup: no such file, expected an index"),
        ("no index to shrink",  "index compact none.dedup",
         "dedup: none.dedup: no such file, expected an index"),
        ("no text",             "index build -o x.dedup",
         "dedup: no input given, expected files or folders, --files-from, --jsonl, --csv or \
          --parquet"),
        ("no index",            "index list no.dedup",
         "dedup: no.dedup: not an index, expected the output of dedup index build"),
        ("nothing there",       "index info none.dedup",
         "dedup: none.dedup: no such file, expected an index"),
        ("no such text",        "index remove e.dedup old/boats",
         "dedup: e.dedup: no text old/boats and none in a folder of that name, expected one"),
        ("no such field",       "index build --jsonl old.jsonl --group nope -o x.dedup",
         "dedup: --group: no record has a field nope, expected it in at least one"),
        ("a field of files",    "index build old --group nope -o x.dedup",
         "dedup: --group nope without --jsonl, --csv or --parquet, expected records with that field"),
        ("against",             "index build old --against new -o x.dedup",
         "dedup: --against and dedup index together, expected only the texts of the index"),
        ("short passages",      "index build old --ignore quotes,short -o x.dedup",
         "dedup: --ignore short and dedup index together, expected it where texts are compared"),
        ("a passage's size",    "index build old --min-match 6 -o x.dedup",
         "dedup: --min-match without --template and dedup index together, expected it where texts are compared"),
    ];
    for (why, line, want) in table {
        let run = run(&folder, line);
        assert_eq!((run.errors.lines().next(), run.status), (Some(want), 2), "{why}");
        assert_eq!(run.output, "", "{why}");
    }
    for (line, hint) in [
        ("index add e.dedup", "dedup index add earlier.dedup essays/2025"),
        (
            "check new --against e.dedup",
            "dedup check leaves out marked text; dedup corpus with --fail-on near-duplicate \
             compares it",
        ),
    ] {
        let run = run(&folder, line);
        assert_eq!(run.errors.lines().nth(1), Some(&*format!("hint: {hint}")), "{line}");
    }
    #[cfg(unix)]
    {
        let device = run(&folder, "index build old -o /dev/full").errors;
        let want = "dedup: --output /dev/full: is not a file, expected a new file\n";
        assert!(device.starts_with(want), "{device}");
    }
    // No index is created if no text could be read.
    assert_eq!(run(&folder, "index build none.txt -o x.dedup").status, 2);
    assert!(!folder.join("x.dedup").exists());
    assert_eq!(printed(&folder, "index list e.dedup").lines().count(), 4);
}

#[test]
fn a_damaged_index_is_an_error_each_time() {
    let folder = folder("damaged");
    printed(&folder, &format!("index build old -o e.dedup {FLAGS}"));
    printed(&folder, &format!("index add e.dedup new/own.txt {FLAGS}"));
    let whole = bytes(&folder);
    let check = |bytes: &[u8]| {
        fs::write(folder.join("d.dedup"), bytes).unwrap();
        run(&folder, "index check d.dedup")
    };
    assert_eq!(check(&whole).status, 0);
    for at in (0..whole.len()).step_by(whole.len() / 40) {
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << (at % 8);
        let run = check(&flipped);
        assert_eq!(run.status, 2, "byte {at}");
        assert!(run.errors.starts_with("dedup: d.dedup: "), "byte {at}: {}", run.errors);
        assert_eq!(check(&whole[..at]).status, 2, "cut off at {at}");
    }
}

/// Checks that a writer that is killed leaves the old state or the new one.
#[cfg(unix)]
#[test]
fn an_index_of_an_earlier_version_is_refused() {
    let folder = folder("earlier_version");
    printed(&folder, "index build old -o e.dedup");
    let mut content = bytes(&folder);
    content[12] -= 1;
    let (found, expected) = (content[12], content[12] + 1);
    fs::write(folder.join("e.dedup"), &content).unwrap();
    let error = format!(
        "dedup: e.dedup: an index of version {found}, expected version {expected}\n\
         hint: build it again from the texts with dedup index build\n"
    );
    for line in ["corpus new --against e.dedup", "index add e.dedup new", "index info e.dedup"] {
        let run = run(&folder, line);
        assert_eq!((run.status, run.errors), (2, error.clone()), "{line}");
    }
    assert!(bytes(&folder) == content);
}

#[test]
fn a_writer_that_is_killed_leaves_the_old_state_or_the_new_one() {
    let folder = folder("killed");
    printed(&folder, &format!("index build old -o e.dedup {FLAGS}"));
    let mut many = String::new();
    for record in 0..400 {
        many += &serde_json::json!({ "id": record, "text": text("many", 30, record..record + 40) })
            .to_string();
        many.push('\n');
    }
    fs::write(folder.join("many.jsonl"), many).unwrap();
    let (mut old, mut new) = (0, 0);
    for delay in 0..12_u64 {
        fs::copy(folder.join("e.dedup"), folder.join("k.dedup")).unwrap();
        let line = format!("index add k.dedup --jsonl many.jsonl {FLAGS} -q");
        let mut command = Command::new(command().get_program());
        command.current_dir(&folder).args(line.split(' ')).stdout(Stdio::piped());
        let mut writer = command.spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(delay * delay * 4));
        let _ = writer.kill();
        writer.wait().unwrap();
        writer.stdout.take().unwrap().read_to_string(&mut String::new()).unwrap();
        let check = run(&folder, "index check k.dedup");
        assert_eq!((check.status, check.errors.as_str()), (0, ""), "after {delay}");
        match printed(&folder, "index list k.dedup").lines().count() {
            4 => old += 1,
            404 => new += 1,
            other => panic!("{other} texts after {delay}"),
        }
        // The next writer continues from that state.
        let added = printed(&folder, &format!("index add k.dedup new/own.txt {FLAGS}"));
        assert!(added.starts_with("1 text added"), "{added}");
    }
    assert!(old > 0 && old + new == 12, "{old} old, {new} new");
}

/// Checks that a pipe is not read to find out whether it is an index.
#[cfg(target_os = "linux")]
#[test]
fn old_records_may_come_from_a_pipe() {
    let folder = folder("pipe");
    let line = format!("corpus --jsonl new.jsonl --against old.jsonl {FLAGS} --format paths");
    let read = printed(&folder, &line);
    let piped = format!(
        "mkfifo pipe.jsonl; timeout 20 cat old.jsonl > pipe.jsonl & timeout 20 '{}' {line}",
        command().get_program().display()
    );
    let piped = piped.replace("--against old.jsonl", "--against pipe.jsonl");
    let piped = Command::new("bash").current_dir(&folder).args(["-c", &piped]).output().unwrap();
    let piped = String::from_utf8(piped.stdout).unwrap();
    assert_eq!((piped.replace("pipe.jsonl", "old.jsonl"), read.is_empty()), (read, false));
}

/// Checks that the persons of stored texts are known like those of texts that are read.
#[test]
fn records_replace_the_stored_ones_of_their_file_and_id() {
    let folder = folder("same-records");
    let lines = [text("boat", 60, 0..0), text("kettle", 60, 0..0)];
    let without_id = lines.map(|text| json!({ "text": text }).to_string() + "\n").concat();
    fs::write(folder.join("no-id.jsonl"), without_id).unwrap();
    for (records, build) in [("new", ""), ("new", "--anonymous"), ("no-id", "")] {
        let file = format!("{records}.jsonl");
        let index = format!("{records}{build}.dedup");
        printed(&folder, &format!("index build --jsonl {file} -o {index} {build}"));
        for flags in ["--format jsonl", "--output -"] {
            let line = format!("corpus --jsonl {file} {flags} --against");
            let stored = printed(&folder, &format!("{line} {index}"));
            assert_eq!(stored, printed(&folder, &format!("{line} {file}")), "{file} {build}");
        }
    }
}

#[test]
fn persons_are_stored() {
    let folder = folder("persons");
    let list =
        "id,name,submitted at\nboats.txt,Ann,2025-01-02 10:00\ncopy.txt,Ben,2026-01-02 10:00\n";
    fs::write(folder.join("list.csv"), list).unwrap();
    printed(&folder, &format!("index build old --names list.csv -o e.dedup {FLAGS}"));
    let line = format!("corpus new --names list.csv {FLAGS} --format jsonl");
    let stored = printed(&folder, &format!("{line} --against e.dedup"));
    assert!(stored.contains("\"name\":\"Ann\"") && stored.contains("\"later\":\"a\""), "{stored}");
    assert_eq!(stored, printed(&folder, &format!("{line} --against old")));
}

/// Checks that the flags with which an index was built need not be repeated.
#[test]
fn what_it_was_built_with_counts_where_nothing_is_said() {
    let folder = folder("recorded");
    fs::write(folder.join("list.txt"), "other0 other1\n").unwrap();
    let flags = format!("{FLAGS} --ignore quotes --encoding latin1 --html off");
    printed(&folder, &format!("index build old -o e.dedup {flags}"));
    printed(&folder, &format!("index build old -o list.dedup {FLAGS} --stopwords list.txt"));
    let answer = "--format jsonl --passages off";
    let read = printed(&folder, &format!("corpus new --against old {flags} {answer}"));
    assert_eq!(read.lines().count(), 2, "{read}");
    assert_eq!(printed(&folder, &format!("corpus new --against e.dedup {answer}")), read);
    let named = "--against list.dedup --stopwords list.txt";
    assert_eq!(printed(&folder, &format!("corpus new {named} {answer}")).lines().count(), 2);
    let added = printed(&folder, "index add e.dedup new/own.txt");
    assert_eq!(added, "1 text added, 0 replaced, 0 unchanged; 5 in total\n");
    let digest = printed(&folder, "index info list.dedup");
    let digest = digest.lines().find_map(|line| line.trim().strip_prefix("--stopwords ")).unwrap();
    #[rustfmt::skip]
    let cases = [
        ("typed otherwise",      "",                         "corpus new --against e.dedup --max 4"),
        ("above the other",      "",                         "corpus new --against e.dedup --min 4"),
        ("typed beside it",      "",                         "corpus new --against e.dedup --lossy"),
        ("a list",               "",                         "corpus new --against list.dedup"),
        ("texts that are added", "",                         "index add list.dedup new"),
        ("added otherwise",      "",                         "index add e.dedup new --html all"),
        ("the settings file",    "max = 4",                  "corpus new --against e.dedup"),
        ("an index in it",       "against = [\"e.dedup\"]", "corpus new --max 4"),
    ];
    let mut transcript = Transcript::default();
    for (why, settings, line) in cases {
        fs::write(folder.join("dedup.toml"), settings).unwrap();
        let mut run = run(&folder, line);
        run.errors = run.errors.replace(digest, "DIGEST");
        transcript.case(why);
        transcript.file("dedup.toml", settings);
        transcript.error(line, &run);
    }
    transcript.assert_snapshot("index_built");
    fs::write(folder.join("dedup.toml"), printed(&folder, "config --no-config")).unwrap();
    let settled = printed(&folder, &format!("corpus new --against e.dedup {answer}"));
    assert_eq!(settled.replace(",\"settings\":\"dedup.toml\"", ""), read, "the page of settings");
    fs::write(folder.join("dedup.toml"), "against = [\"e.dedup\"]\nmax = 4\n").unwrap();
    let typed = printed(&folder, &format!("corpus new --max 3 {answer}"));
    assert_eq!(typed.replace(",\"settings\":\"dedup.toml\"", ""), read, "typed before it");
}

/// Checks that texts are stored with the settings of a settings file.
#[test]
fn the_settings_file_holds_for_texts_that_are_stored() {
    let folder = folder("settings");
    let settings = "min = 3\nmax = 3\nlang = \"none\"\nhtml = \"all\"\npaths = [\"old\"]\n\
                    against = [\"e.dedup\"]\noutput = \"clean.jsonl\"\nformat = \"paths\"\n\
                    passages = \"off\"\nanonymous = true\n";
    fs::write(folder.join("dedup.toml"), settings).unwrap();
    let cases = [
        ("what is typed", "index build -o e.dedup new/own.txt"),
        ("the paths of it", "index add e.dedup"),
        ("a switch of it", "index add e.dedup old --quiet=true"),
        ("a limit is ignored", "index add e.dedup --jaccard 0.9"),
        ("another file", "index add e.dedup new --config other.toml"),
        ("none", "index add e.dedup new --no-config"),
        ("above the greatest", "index build -o x.dedup --max 2"),
    ];
    fs::write(folder.join("other.toml"), "max = 4\n").unwrap();
    runs("index_settings", &cases, |line| run(&folder, line));
    let built = printed(&folder, "index info e.dedup");
    assert!(built.contains("--min 3\n") && built.contains("--html all\n"), "{built}");
    assert!(!built.contains("--anonymous"), "that of a report: {built}");
    // In its own folder, the settings file is not a text.
    let all = printed(&folder, "index build . -o all.dedup --exclude *.jsonl --exclude *.dedup");
    assert!(all.starts_with("8 texts added; "), "{all}");
    assert!(all.ends_with("; 1 skipped: settings; settings: dedup.toml\n"), "{all}");
}

/// Checks that comparing a text with old ones needs no command: `corpus` is implied.
#[test]
fn a_text_is_compared_with_the_old_ones_without_a_command() {
    let folder = folder("short");
    printed(&folder, &format!("index build old -o e.dedup {FLAGS}"));
    fs::create_dir(folder.join("corpus")).unwrap();
    let text = text("boat", 60, 0..0);
    #[rustfmt::skip]
    let table = [
        ("an index",         "new/copy.txt --against e.dedup",                 0),
        ("flags before",     "--format json --against=e.dedup new/copy.txt",   0),
        ("standard input",   "- --against e.dedup --fail-on identical",        1),
        ("no pair",          "new/own.txt --against e.dedup",                  1),
        ("a folder",         "new --against e.dedup --format jsonl",           0),
        ("the texts",        "new/copy.txt --against old --details",           0),
        ("a mistake",        "new/copy.txt --against e.dedup --jacard 1",      2),
        ("no value",         "new/copy.txt --against",                         2),
        ("no text",          "--against e.dedup",                              2),
        ("refused",          "new/copy.txt --against e.dedup --nearest 1",     2),
    ];
    for (why, line, status) in table {
        let short = with_input(&folder, line, &text);
        let long = with_input(&folder, &format!("corpus {line}"), &text);
        let hint = "hint: corpus is a command; for the file, use ./corpus\n";
        assert_eq!((&short.output, short.status), (&long.output, status), "{why}");
        let no_hint = long.errors.replace(hint, "");
        assert_eq!(short.errors, no_hint, "{why}");
    }
    let two = run(&folder, "new/copy.txt new/own.txt --against e.dedup");
    assert_eq!(
        two.errors,
        "dedup: new/copy.txt, new/own.txt and --against together, expected only one text\nhint: \
         dedup corpus new/copy.txt new/own.txt --against … compares both with the old texts\n"
    );
    // An argument after -- is a text.
    let named = run(&folder, "new/copy.txt -- --against");
    assert!(named.errors.starts_with("dedup: --against: no such file"), "{}", named.errors);
    fs::write(folder.join("dedup.toml"), "paths = [\"new\", \"old\"]\n").unwrap();
    assert_eq!(run(&folder, "--against e.dedup").status, 0, "the paths of the settings");
}

/// Checks that the names are not in an anonymous index, but are recognized by their ids.
#[test]
fn an_anonymous_index_has_no_names() {
    let folder = folder("anonymous");
    let list = "id,name\nboats.txt,Annabel\n";
    fs::write(folder.join("list.csv"), list).unwrap();
    fs::write(folder.join("old/empty.txt"), "?\n").unwrap();
    for (path, words) in [("units/Mary/part.txt", 0..40), ("units/Mary/rest.txt", 40..80)] {
        fs::create_dir_all(folder.join("units/Mary")).unwrap();
        let disguised = text("w", 0, words).replace("other1", "other\u{200b}1");
        fs::write(folder.join(path), disguised).unwrap();
    }
    let inputs =
        format!("old units --unit dir --names list.csv --group dir {FLAGS} --ignore marked");
    let whole = format!("old --names list.csv --group dir {FLAGS}");
    for (name, line) in [("units", &inputs), ("e", &whole)] {
        printed(&folder, &format!("index build {line} -o {name}.dedup"));
        printed(&folder, &format!("index build {line} -o no-{name}.dedup --anonymous"));
    }
    let has = |index: &str, part: &str| {
        let bytes = bytes_of(&folder, index);
        bytes.windows(part.len()).any(|window| window == part.as_bytes())
    };
    #[rustfmt::skip]
    let table = [
        ("e",     ["boats", "lamps.txt", "empty.txt", "old/more", "Annabel"]),
        ("units", ["Mary", "part.txt", "rest.txt", "lamps.txt", "old/more"]),
    ];
    for (index, names) in table {
        for name in names {
            assert!(has(&format!("{index}.dedup"), name), "{name} is in {index}.dedup");
            assert!(!has(&format!("no-{index}.dedup"), name), "{name} is not in no-{index}.dedup");
        }
    }
    assert!(
        printed(&folder, "index info no-e.dedup")
            .contains("built with\n  --anonymous\n  --min 3\n")
    );
    let ids = printed(&folder, "index list no-e.dedup");
    let is_id = |line: &str| line.len() == 21 && line.starts_with("text-");
    assert!(ids.lines().count() == 5 && ids.lines().all(is_id), "{ids}");

    // The pairs are the same except for the names, which are ids.
    let pairs = |index: &str, more: &str| -> Vec<Value> {
        let line = format!("corpus new --against {index} --format jsonl --passages off {more}");
        let lines = printed(&folder, &line);
        let mut pairs: Vec<Value> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for pair in &mut pairs {
            let name = pair["b"]["path"].take();
            assert_eq!(ids.contains(name.as_str().unwrap()), index == "no-e.dedup", "{name}");
            let person = pair["b"].as_object_mut().unwrap().remove("person");
            assert!(person.is_none() || index == "e.dedup");
        }
        pairs
    };
    assert_eq!(pairs("no-e.dedup", ""), pairs("e.dedup", ""));
    assert_eq!(pairs("no-e.dedup", "").len(), 2);
    // A text replaces the stored one of its name. Texts of the same group are not paired.
    fs::write(folder.join("old/boats2.txt"), text("boat", 60, 0..0)).unwrap();
    for (line, status) in [
        ("old/boats2.txt", 0),
        ("old/boats2.txt --group dir", 1),
        ("old/boats.txt", 1),
        ("old/boats.txt new/copy.txt", 0),
    ] {
        for index in ["e.dedup", "no-e.dedup"] {
            let run = run(&folder, &format!("corpus {line} --against {index}"));
            assert_eq!((run.status, run.errors.as_str()), (status, ""), "{line} {index}");
        }
    }
    fs::write(folder.join("old/kettles.txt"), text("kettle", 61, 0..0)).unwrap();
    let first = ids.lines().next().unwrap();
    for (line, want) in [
        (
            "index add no-e.dedup old --group dir --names list.csv",
            "1 text added, 1 replaced, 4 unchanged; 6 in total\n",
        ),
        ("index remove no-e.dedup old/boats2.txt", "1 text removed; 5 in total\n"),
        (&format!("index remove no-e.dedup {first}"), "1 text removed; 4 in total\n"),
    ] {
        assert_eq!(printed(&folder, line), want, "{line}");
    }
    printed(&folder, "index compact no-e.dedup");
    assert!(
        !has("no-e.dedup", "boats2") && !printed(&folder, "index list no-e.dedup").contains(first)
    );
    let by_folder = run(&folder, "index remove no-e.dedup old");
    assert_eq!(
        by_folder.errors,
        "dedup: no-e.dedup: no text old, expected one\nhint: nothing was removed; with \
         --anonymous, an index has names and ids but no folders\n"
    );
}

/// Writes records of an id each, whose texts share no shingle.
fn records(folder: &Path, name: &str, ids: &[&str]) {
    let record =
        |id: &&str| json!({ "id": id, "text": text(&format!("w{}x", id.len()), 20, 0..0) });
    let lines: String = ids.iter().map(|id| record(id).to_string() + "\n").collect();
    fs::write(folder.join(name), lines).unwrap();
}

#[test]
fn an_index_that_is_not_there_is_named() {
    let folder = empty_folder("index", "missing");
    for action in ["add", "remove", "list", "info", "check", "compact"] {
        let name = if ["add", "remove"].contains(&action) { " x" } else { "" };
        let run = run(&folder, &format!("index {action} no.dedup{name}"));
        let want = "dedup: no.dedup: no such file, expected an index\n\
                    hint: dedup index build PATH… -o no.dedup builds it\n";
        assert_eq!((run.errors.as_str(), run.status), (want, 2), "{action}");
    }
}

#[test]
fn a_text_is_removed_by_its_name_alone_and_a_folder_with_its_texts() {
    let folder = empty_folder("index", "names");
    records(&folder, "u.jsonl", &["https://e.org/p", "https://e.org/p/", "https://e.org/p/22"]);
    printed(&folder, "index build --jsonl u.jsonl -o u.dedup");
    for (name, want) in [
        ("u.jsonl/https://e.org/p", "1 text removed; 2 in total\n"),
        ("u.jsonl/https://e.org/p/", "1 text removed; 1 in total\n"),
        ("u.jsonl/", "1 text removed; 0 in total\n"),
    ] {
        assert_eq!(printed(&folder, &format!("index remove u.dedup {name}")), want, "{name}");
    }
    let remove = |index: &str, name: &str| -> Run {
        command()
            .args(["index", "remove", index, name])
            .current_dir(&folder)
            .output()
            .unwrap()
            .into()
    };
    let none = remove("u.dedup", "");
    assert_eq!(none.status, 2, "{}", none.output);
    // Once or twice, by itself and by its folder.
    for (names, want) in [
        ("old/boats.txt old/boats.txt", "1 text removed; 3 in total\n"),
        ("old/more old/more/lamps.txt", "1 text removed; 3 in total\n"),
    ] {
        let folder = self::folder("names-twice");
        printed(&folder, &format!("index build old -o e.dedup {FLAGS}"));
        let removed = printed(&folder, &format!("index remove e.dedup {names}"));
        assert_eq!(removed, want, "{names}");
    }
    // As it is listed, with its control characters escaped.
    records(&folder, "c.jsonl", &["one\nline"]);
    printed(&folder, "index build --jsonl c.jsonl -o c.dedup");
    let listed = printed(&folder, "index list c.dedup");
    assert_eq!(listed, "c.jsonl/one\\u{a}line\n");
    let removed = remove("c.dedup", listed.trim_end());
    assert_eq!((&*removed.errors, &*removed.output), ("", "1 text removed; 0 in total\n"));
}

#[test]
fn the_pairs_in_focus_are_those_of_the_texts() {
    let folder = folder("focus");
    printed(&folder, &format!("index build old -o e.dedup {FLAGS}"));
    for (focus, pairs) in [("old", 2), ("old/boats.txt", 1), ("old/more", 0), ("new/copy.txt", 1)] {
        let line = format!("corpus new --passages off --format jsonl --focus {focus} {FLAGS}");
        let [stored, read] = ["e.dedup", "old"]
            .map(|it| run(&folder, &format!("{line} --against {it} --fail-on near-duplicate")));
        assert_eq!(read.output.lines().count(), pairs, "{focus}");
        assert_eq!((stored.output, stored.status), (read.output, read.status), "{focus}");
        assert_eq!(stored.errors, "", "{focus}");
    }
}

#[test]
fn no_new_record_is_no_error() {
    let folder = folder("no-record");
    fs::write(folder.join("day.jsonl"), "").unwrap();
    printed(&folder, "index build --jsonl old.jsonl -o e.dedup");
    for flags in ["", "--keep first --output out", "--clusters", "--format json", "--format csv"] {
        let [stored, read] = ["e.dedup", "old.jsonl"].map(|it| {
            let _ = fs::remove_file(folder.join("out"));
            let line = format!("corpus --jsonl day.jsonl --passages off {flags} --against {it}");
            let run = run(&folder, &line);
            (run.output, run.errors, run.status, folder.join("out").exists())
        });
        assert_eq!(stored, read, "{flags}");
        assert!(stored.2 < 2, "{flags}: {}", stored.1);
    }
    printed(&folder, "index remove e.dedup old.jsonl");
    let none = run(&folder, "corpus --jsonl day.jsonl --against e.dedup");
    assert_eq!(none.status, 2, "neither a new text nor a stored one: {}", none.output);
}

/// Checks that the hint has the name of the template, and no length that is not given.
#[test]
fn a_template_that_the_index_lacks_is_named() {
    let folder = folder("lacks_template");
    printed(&folder, "index build --jsonl old.jsonl -o e.dedup");
    fs::write(folder.join("the sheet.txt"), "the assignment of this week is a ferry").unwrap();
    for (flags, typed) in [("", ""), (" --min-match 20", " --min-match 20")] {
        let line = "corpus --jsonl new.jsonl --against e.dedup --passages off --template";
        let words: Vec<&str> = line.split(' ').chain(["the sheet.txt"]).collect();
        let words = words.into_iter().chain(flags.split_whitespace());
        let run: Run = command().current_dir(&folder).args(words).output().unwrap().into();
        let want = format!(
            "hint: leave out --template 'the sheet.txt'{typed} to use the index as built, or \
             rebuild it: dedup index build … --template 'the sheet.txt'{typed}"
        );
        assert_eq!((run.errors.lines().last(), run.status), (Some(&*want), 2));
    }
}

/// Checks that the error for a text that is in an index, and whose file is an old text as well, says
/// which is which, and what to leave out.
#[test]
fn an_old_text_is_not_given_with_its_index() {
    let folder = folder("both");
    printed(&folder, "index build --jsonl old.jsonl -o e.dedup");
    let line = "corpus --jsonl new.jsonl --passages off --against e.dedup --against old.jsonl";
    let run = run(&folder, line);
    let want = "dedup: the name old.jsonl/7 of a text in e.dedup is already used by old.jsonl: line \
                1, expected a unique name\nhint: if both are the same text, naming the index is \
                enough; otherwise rename one of them\n";
    assert_eq!((&*run.output, &*run.errors, run.status), ("", want, 2));
}

/// Checks that standard input is an error if it is named twice: the second reader would find nothing.
#[test]
fn standard_input_is_read_once() {
    let folder = folder("input");
    printed(&folder, "index build --jsonl old.jsonl -o e.dedup");
    let input = read_file(folder.join("new.jsonl"));
    #[rustfmt::skip]
    let table = [
        ("records twice",        "index build -o x.dedup --jsonl - -"),
        ("in two formats",       "index build -o x.dedup --jsonl - --csv -"),
        ("a list and a text",    "index build -o x.dedup --files-from - -"),
        ("a template",           "index build -o x.dedup --jsonl - --template -"),
        ("added",                "index add e.dedup --jsonl - -"),
        ("a list of stop words", "index add e.dedup --jsonl - --stopwords -"),
    ];
    let want = "dedup: - is given twice, expected standard input only once\nhint: name a file for \
                the other, or use <(…) for both\n";
    for (why, line) in table {
        let run = with_input(&folder, line, &input);
        assert_eq!((&*run.output, &*run.errors, run.status), ("", want, 2), "{why}");
        assert!(!folder.join("x.dedup").exists(), "{why}");
    }
}

/// Checks that three records without a field end the run, as in `dedup corpus`, and nothing is
/// stored.
#[test]
fn a_wrong_field_ends_after_three_examples() {
    let folder = folder("fields");
    let (records, want) = records_without_text();
    fs::write(folder.join("in.jsonl"), records).unwrap();
    printed(&folder, "index build old -o e.dedup");
    let before = bytes(&folder);
    for line in
        ["index build -o x.dedup --jsonl in.jsonl", "index add e.dedup new --jsonl in.jsonl"]
    {
        let run = run(&folder, line);
        assert_eq!((&*run.output, &*run.errors, run.status), ("", &*want, 2), "{line}");
    }
    assert!(!folder.join("x.dedup").exists());
    assert_eq!(bytes(&folder), before);
}

#[test]
fn no_flag_is_advised_that_an_index_cannot_have() {
    let folder = empty_folder("index", "advice");
    let block = text("block", 30, 0..0);
    for number in 0..8 {
        fs::create_dir_all(folder.join("old")).unwrap();
        let own = text(&format!("own{number}x"), 12, 0..0);
        fs::write(folder.join(format!("old/{number}.txt")), block.clone() + &own).unwrap();
    }
    fs::create_dir_all(folder.join("new")).unwrap();
    for number in 0..4 {
        let own = text(&format!("new{number}x"), 12, 0..0);
        fs::write(folder.join(format!("new/{number}.txt")), block.clone() + &own).unwrap();
    }
    printed(&folder, &format!("index build old -o without.dedup {FLAGS}"));
    // Without texts, no smaller share can be found.
    let run = run(&folder, &format!("corpus new --against without.dedup {FLAGS}"));
    assert!(run.status < 2 && !run.output.contains("--at-least"), "{}{}", run.output, run.errors);
}

#[cfg(unix)]
#[test]
fn a_link_to_an_index_stays_a_link() {
    let folder = folder("link");
    printed(&folder, &format!("index build old -o v1.dedup {FLAGS}"));
    std::os::unix::fs::symlink("v1.dedup", folder.join("current.dedup")).unwrap();
    printed(&folder, "index remove current.dedup old/kettles.txt");
    let before = bytes_of(&folder, "v1.dedup").len();
    printed(&folder, "index compact current.dedup");
    assert!(folder.join("current.dedup").symlink_metadata().unwrap().is_symlink());
    assert!(bytes_of(&folder, "v1.dedup").len() < before);
}

#[cfg(unix)]
#[test]
fn a_change_that_fails_takes_no_space() {
    let folder = folder("no-space");
    printed(&folder, &format!("index build old -o e.dedup {FLAGS}"));
    let before = bytes(&folder);
    let many: String = (0..3000)
        .map(|id| {
            json!({ "id": id, "text": text(&format!("w{id}x"), 30, 0..0) }).to_string() + "\n"
        })
        .collect();
    fs::write(folder.join("many.jsonl"), many).unwrap();
    let script =
        format!("ulimit -f 64; trap '' XFSZ; \"$0\" index add e.dedup --jsonl many.jsonl {FLAGS}");
    let mut bash = Command::new("bash");
    bash.args(["-c", &script, env!("CARGO_BIN_EXE_dedup")]).current_dir(&folder);
    let run: Run = bash.output().unwrap().into();
    assert_eq!(run.status, 2);
    let hint = "\nhint: ulimit -f shows the limit on the size of a file\n";
    assert!(run.errors.ends_with(hint), "{}", run.errors);
    assert!(bytes(&folder) == before, "{} bytes before", before.len());
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_cannot_be_stored_is_reported_and_the_others_are_stored() {
    use std::os::unix::ffi::OsStringExt as _;
    let folder = folder("no-utf8");
    let name = std::ffi::OsString::from_vec(b"old/caf\xe9.txt".to_vec());
    fs::write(folder.join(name), text("sail", 40, 0..0)).unwrap();
    let built = run(&folder, &format!("index build old -o e.dedup {FLAGS}"));
    let want = "dedup: old/caf\\xe9.txt: a name that is not UTF-8, expected UTF-8\nhint: give it \
                another name\n";
    assert_eq!((&*built.errors, built.status), (want, 2));
    assert_eq!(printed(&folder, "index list e.dedup").lines().count(), 4);
}

#[test]
fn an_index_among_the_texts_is_named_as_one() {
    let folder = folder("among");
    printed(&folder, &format!("index build old -o e.dedup {FLAGS}"));
    let run = run(&folder, "new/copy.txt e.dedup");
    let want = "\nhint: it is an index: dedup corpus PATH… --against FILE compares texts with it\n";
    assert!(run.errors.ends_with(want), "{}", run.errors);
}

/// Checks that an index without texts has no word that a reader does not see, and no person that a
/// document names; and that one with texts has both.
#[test]
fn an_index_without_texts_has_no_hidden_words_and_no_authors() {
    let folder = empty_folder("index", "no-words");
    let page = format!(
        "<html><head><meta name=\"author\" content=\"litugelus\"></head><body><p>{}</p>\
         <p style=\"display:none\">bocepebaj cegirohof saxedajuz pesagivam</p></body></html>",
        text("boat", 60, 0..0)
    );
    let document = docx("piqunedap", "litugelus", &text("lamp", 60, 0..0));
    fs::create_dir(folder.join("in")).unwrap();
    fs::write(folder.join("in/page.html"), page).unwrap();
    fs::write(folder.join("in/document.docx"), document).unwrap();
    fs::write(
        folder.join("in/disguised.txt"),
        "x b\u{43e}cepebaj ".to_owned() + &text("mast", 60, 0..0),
    )
    .unwrap();
    let words = ["bocepebaj", "cepebaj", "piqunedap", "litugelus"];
    for (flags, has_them) in [("", false), (" --with-texts", true)] {
        let _ = fs::remove_file(folder.join("e.dedup"));
        let built = run(&folder, &format!("index build in -o e.dedup{flags}"));
        assert_eq!(built.status, 0, "{}", built.errors);
        let bytes = bytes(&folder);
        for word in words {
            let is_in = bytes.windows(word.len()).any(|it| it == word.as_bytes());
            assert!(is_in == has_them || (has_them && word == "bocepebaj"), "{flags}: {word}");
        }
    }
}

/// Checks that parts which a template leaves out of a stored text are not looked for in content that is
/// not stored: the words of the text merely repeat, so that its passages would decide.
#[test]
fn a_template_in_a_text_that_is_not_stored_is_no_error() {
    let folder = empty_folder("index", "template");
    let sentence = text("boat", 12, 0..0);
    let put = |path: &str, content: String| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    };
    put("sheet.txt", text("task", 20, 0..0));
    put("old/a.txt", text("task", 20, 0..0) + &sentence.repeat(5));
    put("new/b.txt", sentence.repeat(4) + &text("boat", 11, 0..0));
    let flags = "--template sheet.txt --passages off";
    let built = run(&folder, "index build old -o e.dedup --template sheet.txt");
    assert_eq!(built.status, 0, "{}", built.errors);
    let line = format!("corpus new --against e.dedup {flags} --at-least different");
    let found = run(&folder, &line);
    assert_eq!((found.errors.as_str(), found.status), ("", 0));
    assert!(found.output.contains("  new/b.txt | old/a.txt (earlier)\n"), "{}", found.output);
}
