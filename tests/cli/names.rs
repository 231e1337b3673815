//! Tests of lists of persons: names, groups and times.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::common::{self, Run, read_file, zipped};
use crate::transcript::{Transcript, errors, runs};

const FERRY: &str = "The ferry leaves the harbour at seven, and the baker who lives above the quay has \
    already sold his first loaves to the sailors when its horn is heard across the water.\n";
const BEES: &str = "A beekeeper counts her hives in autumn, wraps them in straw, and writes down \
    which of the queens she will replace as soon as the orchards are in flower again.\n";

/// Creates a folder for the test, with files.
fn folder(test: &str, files: &[(&str, &[u8])]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("names").join(test);
    let _ = fs::remove_dir_all(&folder);
    for (name, bytes) in files {
        fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
        fs::write(folder.join(name), bytes).unwrap();
    }
    folder
}

/// Returns the names and groups of the texts that would be compared.
fn listed(run: &Run) -> Vec<[&str; 2]> {
    let cells = |line| str::split(line, '\t').collect::<Vec<_>>();
    let rows = run.output.lines().map(cells).filter(|cells| cells.len() == 4);
    rows.map(|cells| [cells[0], cells[3]]).collect()
}

/// Submissions as Moodle packs them.
const EXPORT: [(&str, &str); 4] = [
    ("A. Muster_11_assignsubmission_file_/ferry.txt", FERRY),
    ("A. Muster_11_assignsubmission_file_/bees.txt", BEES),
    ("B. Beispiel_12_assignsubmission_file_/all.txt", FERRY),
    ("C. Probe_13_assignsubmission_file_/text.txt", BEES),
];

/// A grading worksheet as Moodle writes it.
const WORKSHEET: &str = "Identifier,Full name,Email address,Group,Last modified (submission)\n\
    Participant 11,Anna Muster,a@x.org,,\"Tuesday, 3 November 2026, 4:12 PM\"\n\
    Participant 12,Bert Beispiel,b@x.org,Red,\"Monday, 2 November 2026, 11:59 PM\"\n\
    Participant 13,Cleo Probe,c@x.org,Red,-\n\
    Participant 14,Dora Fehlt,d@x.org,Red,-\n";

#[test]
fn persons_go_by_the_names_of_a_list() {
    let folder =
        folder("moodle", &[("export.zip", &zipped(&EXPORT)), ("list.csv", WORKSHEET.as_bytes())]);
    let run =
        common::run(&folder, "corpus export.zip --names list.csv --unit person --at-least partial");
    let want = "shared       verdict         left | right\n 51 | 100 %  near-duplicate  Anna \
                Muster (later) | Bert Beispiel\n 48 | 100 %  partial         Anna Muster | Cleo \
                Probe\n2 pairs partial or closer\n3 texts compared\n1 pair not compared: of the \
                same group\n";
    assert_eq!(run.output, want, "{}", run.errors);
    let warning = "dedup: warning: list.csv: line 5: id Participant 14 matches no text, expected a \
                   person, folder or file\n";
    assert_eq!(run.errors, warning);
    let files = common::run(&folder, "corpus export.zip --names list.csv");
    assert!(
        files.output.contains("identical       Anna Muster/ferry.txt (later) | Bert Beispiel\n"),
        "{}",
        files.output
    );
    let groups = common::run(&folder, "corpus export.zip --names list.csv --list");
    let want = [
        ["A. Muster 11/bees.txt", "A. Muster 11"],
        ["A. Muster 11/ferry.txt", "A. Muster 11"],
        ["B. Beispiel 12/all.txt", "Red"],
        ["C. Probe 13/text.txt", "Red"],
    ];
    assert_eq!(listed(&groups), want);
}

#[test]
fn records_have_the_person_and_the_time() {
    let list =
        "id;name;submitted at\nanna;Anna =1;2026-11-03 16:12\nbert.txt;Bert;2026-11-03 16:13\n";
    let files: &[(&str, &[u8])] = &[
        ("in/anna/x.txt", FERRY.as_bytes()),
        ("in/bert.txt", FERRY.as_bytes()),
        ("list.csv", list.as_bytes()),
    ];
    let folder = folder("programs", files);
    let json = common::run(&folder, "corpus in --names list.csv --format json").output;
    let json: Value = serde_json::from_str(&json).unwrap();
    let pair = &json["pairs"][0];
    let person = |id: &str, name: &str, time: &str| json!({"id": id, "name": name, "group": null, "submitted": time});
    assert_eq!(pair["a"]["person"], person("anna", "Anna =1", "2026-11-03T16:12:00"));
    assert_eq!(pair["b"]["person"], person("bert.txt", "Bert", "2026-11-03T16:13:00"));
    assert_eq!([&pair["later"], &pair["a"]["path"]], [&json!("b"), &json!("in/anna/x.txt")]);
    let csv = common::run(&folder, "corpus in --names list.csv --format csv").output;
    let row = csv::Reader::from_reader(csv.as_bytes()).into_records().next().unwrap().unwrap();
    let cells: Vec<&str> = row.iter().skip(21).take(5).collect();
    assert_eq!(cells, ["Anna =1", "Bert", "2026-11-03T16:12:00", "2026-11-03T16:13:00", "b"]);
    assert_eq!(common::run(&folder, "corpus in --names list.csv --report board.html").status, 0);
    let board = read_file(folder.join("board.html"));
    assert!(board.contains("Anna =1") && board.contains("Bert"));
    assert_eq!(
        common::run(&folder, "corpus in --names list.csv --report board.html --anonymous").status,
        0
    );
    let board = read_file(folder.join("board.html"));
    assert!(!board.contains("Anna") && !board.contains("Bert"));
    let plain = common::run(&folder, "corpus in --format json").output;
    let plain: Value = serde_json::from_str(&plain).unwrap();
    assert_eq!(
        [plain["pairs"][0].get("later"), plain["pairs"][0]["a"].get("person")],
        [None, None]
    );
}

/// Checks that an id may be a path, a folder or the name of a file, which assigns all of these
/// files to one person.
#[test]
fn ids_are_names_of_files_and_folders() {
    let list = |id: &str| format!("id,name,group\n{id},Anna,\nbert,Bert,\n");
    let base: &[(&str, &[u8])] = &[
        ("in/anna/1.txt", FERRY.as_bytes()),
        ("in/anna/2.txt", BEES.as_bytes()),
        ("in/bert.txt", FERRY.as_bytes()),
        ("in/Zoe.tar.gz", b""),
    ];
    let cases = [
        ("a folder", "anna", ""),
        ("in capitals", "ANNA", ""),
        ("its path", "in/anna", ""),
        ("a file", "anna/2.txt", ""),
        ("its name", "2", ""),
        ("one text", "anna", " --unit person"),
    ];
    let mut transcript = Transcript::default();
    for (why, id, flags) in cases {
        let list = list(id);
        let mut files = base.to_vec();
        files.push(("list.csv", list.as_bytes()));
        let line = format!("corpus in --exclude *.gz --names list.csv --list{flags}");
        transcript.case(why);
        transcript.file("list.csv", &list);
        transcript.run(&line, &common::run(&folder("ids", &files), &line));
    }
    transcript.assert_snapshot("names_ids");
}

#[test]
fn a_list_that_is_none_is_named() {
    let files: &[(&str, &[u8])] = &[
        ("in/anna/a.txt", FERRY.as_bytes()),
        ("in/bert/a.txt", FERRY.as_bytes()),
        ("columns.csv", b"who,name\nanna,Anna\n"),
        ("twice.csv", b"id,name\nanna,Anna\nanna,Bert\n"),
        ("time.csv", b"id,submitted at\nanna,noon\n"),
        ("nobody.csv", b"id,name\ncleo,Cleo\n"),
        ("windows.csv", b"id,name\r\ncleo,Cleo\r\n"),
        ("both.csv", b"id,name\na.txt,Anna\n"),
        ("x.jsonl", b"{}\n"),
        ("long.csv", &b"id of a person, ".repeat(20)),
    ];
    let folder = folder("errors", files);
    let cases = [
        ("no column", "corpus in --names columns.csv"),
        ("an id twice", "corpus in --names twice.csv"),
        ("no time", "corpus in --names time.csv"),
        ("nobody", "corpus in --names nobody.csv"),
        ("lines of Windows", "corpus in --names windows.csv"),
        ("two files", "corpus in --names both.csv"),
        ("no file", "corpus in --names lost.csv"),
        ("a long line", "corpus in --names long.csv"),
        ("records", "corpus --jsonl x.jsonl --names twice.csv"),
    ];
    errors("names", &cases, |line| common::run(&folder, line));
    let run = common::run(&folder, "corpus in --names nobody.csv --list");
    assert_eq!(
        (run.output.lines().next(), run.status),
        (Some("in/anna/a.txt\tplain\t168\t-"), 2),
        "the names are printed: {}",
        run.errors
    );
}

/// Checks that a `course.csv` that is clearly a list is used without a flag, and that this is
/// reported.
#[test]
fn a_list_beside_the_files_is_taken() {
    let list =
        "id,name,submitted at\n11,Anna,2026-11-03 16:12\n12,Bert,2026-11-02 16:12\n13,Cleo,\n";
    let mut within = EXPORT.to_vec();
    within.push(("course.csv", list));
    let files: &[(&str, &[u8])] = &[
        ("export.zip", &zipped(&EXPORT)),
        ("course.csv", list.as_bytes()),
        ("other/within.zip", &zipped(&within)),
        ("in/course.csv", b"a kettle\n"),
        ("in/a.txt", BEES.as_bytes()),
    ];
    let folder = folder("beside", files);
    let run = common::run(&folder, "corpus export.zip");
    assert_eq!(
        run.errors,
        "dedup: ./course.csv: read as a list of 3 persons; --submissions off compares it as a text\n"
    );
    assert!(run.output.contains("Anna/ferry.txt (later) | Bert\n"), "{}", run.output);
    assert!(
        run.output.ends_with("4 texts compared\n1 pair not compared: of the same person\n"),
        "{}",
        run.output
    );
    let off = common::run(&folder, "corpus export.zip --submissions off");
    assert!(off.output.contains("4 texts compared\n") && off.errors.is_empty(), "{}", off.output);
    // In a folder with the archive, the list is read for both, and noted once.
    let both: &[(&str, &[u8])] =
        &[("both/export.zip", &zipped(&EXPORT)), ("both/course.csv", list.as_bytes())];
    let both = common::run(&self::folder("beside-both", both), "corpus both");
    let note = "dedup: both/course.csv: read as a list of 3 persons; --submissions off compares it as \
                a text\n";
    assert_eq!(both.errors, note);
    assert!(both.output.contains("Anna/ferry.txt (later) | Bert\n"), "{}", both.output);
    // A worksheet that is named beside other files is one, too, whether they are packed or not.
    let loose = ["A_11_assignsubmission_file_a.txt", "B_12_assignsubmission_file_b.txt"];
    let named: &[(&str, &[u8])] = &[
        (loose[0], FERRY.as_bytes()),
        (loose[1], FERRY.as_bytes()),
        ("Grades.csv", WORKSHEET.as_bytes()),
        ("export.zip", &zipped(&EXPORT)),
    ];
    let place = self::folder("beside-named", named);
    let note =
        "dedup: Grades.csv: read as a list of 4 persons; --submissions off compares it as a text\n";
    let run = common::run(&place, &format!("corpus Grades.csv {}", loose.join(" ")));
    assert_eq!(run.errors, note);
    assert!(run.output.contains("Anna Muster (later) | Bert Beispiel\n"), "{}", run.output);
    let run = common::run(&place, "corpus Grades.csv export.zip");
    assert!(run.output.contains("Anna Muster/ferry.txt (later) | "), "{}", run.output);
    // Within an archive it is a text, whoever has packed it.
    let within = common::run(&folder, "corpus other/within.zip");
    assert!(within.output.contains("5 texts compared\n"), "{}", within.output);
    assert!(!within.output.contains("Anna/ferry.txt"), "{}", within.output);
    let other = common::run(&folder, "corpus in");
    assert!(
        other.output.contains("2 texts compared\n") && other.errors.is_empty(),
        "{}",
        other.output
    );
    let folder = self::folder(
        "beside-folder",
        &[
            ("in/course.csv", b"id,name\nanna,Anna\nbert,Bert\nbert,Bert\n"),
            ("in/anna.txt", FERRY.as_bytes()),
            ("in/bert.txt", FERRY.as_bytes()),
        ],
    );
    let run = common::run(&folder, "corpus in");
    assert!(
        run.errors.starts_with(
            "dedup: in/course.csv: line 4: id bert is already on line 3, expected each id only \
             once\n"
        ),
        "{}",
        run.errors
    );
    assert_eq!(run.status, 2);
}

/// Checks that the ids of a list in a folder are those of the platform's names, as in an archive,
/// and that a list that was found and fits no text is a warning.
#[test]
fn a_list_beside_unpacked_submissions_is_taken() {
    let list = "id,name,group\n11,Anna,\n12,Bert,\n13,Cleo,Red\n";
    let others = "id,name\n21,Anna\n22,Bert\n";
    let files = |test: &str, list: &str, more: &[(&str, &str)]| {
        let named = EXPORT.iter().chain(more).map(|(name, text)| (format!("in/{name}"), *text));
        let named: Vec<(String, &str)> = named.collect();
        let mut files: Vec<(&str, &[u8])> =
            named.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
        files.push(("in/course.csv", list.as_bytes()));
        folder(test, &files)
    };
    let note = |count| {
        format!(
            "dedup: in/course.csv: read as a list of {count} persons; --submissions off compares \
             it as a text\n"
        )
    };
    let run = common::run(&files("unpacked", list, &[]), "corpus in");
    assert_eq!((run.errors, run.status), (note(3), 0));
    assert!(run.output.contains("Anna/ferry.txt | Bert\n"), "{}", run.output);
    assert!(run.output.contains("Anna/bees.txt | Cleo\n"), "{}", run.output);
    assert!(run.output.ends_with("\n1 pair not compared: of the same person\n"), "{}", run.output);
    let warning = "dedup: warning: in/course.csv: line 2: id 21 and all others match no text, \
                   expected persons, folders or files\nhint: ";
    let run = common::run(&files("unpacked-others", others, &[]), "corpus in");
    let hint = "compare the ids with the names that --list prints\n";
    assert_eq!((run.errors, run.status), (note(2) + warning + hint, 0));
    let folder = files("unpacked-nearly", list, &[("readme.txt", "Rain.\n")]);
    let run = common::run(&folder, "corpus in");
    assert_eq!((run.errors, run.status), (note(3), 0));
    assert!(run.output.contains("Anna/ferry.txt | Bert\n"), "{}", run.output);
}

/// Where a list names files, a number that a platform would give to a person is no id.
#[test]
fn a_list_of_files_is_none_of_a_platform() {
    let files: &[(&str, &[u8])] = &[
        ("in/kapitel_1_2_a.txt", FERRY.as_bytes()),
        ("in/kapitel_3_4_b.txt", FERRY.as_bytes()),
        ("in/course.csv", b"id,name\nkapitel_1_2_a,One\n3,Three\n"),
    ];
    let run = common::run(&folder("list-of-files", files), "corpus in");
    assert!(run.output.contains("One | in/kapitel_3_4_b.txt\n"), "{}", run.output);
    assert!(run.errors.contains("id 3 matches no text"), "{}", run.errors);
}

/// `--include` selects texts, and a list is none; `--exclude` leaves it out.
#[test]
fn a_list_need_not_be_included() {
    let list = "id,group\nanna,A\nbert,A\ncleo,B\n";
    let all = [("anna.txt", FERRY), ("bert.txt", FERRY), ("cleo.txt", BEES), ("course.csv", list)];
    let packed = zipped(&all);
    let files: &[(&str, &[u8])] = &[
        ("in/anna.txt", FERRY.as_bytes()),
        ("in/bert.txt", FERRY.as_bytes()),
        ("in/cleo.txt", BEES.as_bytes()),
        ("in/course.csv", list.as_bytes()),
        ("in/more/course.csv", list.as_bytes()),
        ("other/info.csv", b"a kettle\n"),
        ("other/a.txt", BEES.as_bytes()),
        ("x.zip", &packed),
    ];
    let folder = folder("include", files);
    let group = "3 texts compared; 1 skipped: templates and lists\n\
                 1 pair not compared: of the same group\n";
    let pair = "1 pair near-duplicate or closer\n3 texts compared\n";
    for (line, want) in [
        ("in --include *.txt", group),
        ("in --include *.txt --exclude course.csv", pair),
        ("in --include *.txt --submissions off", pair),
        ("x.zip --include *.txt", pair),
        ("x.zip --include *.txt --exclude course.csv", pair),
        ("x.zip --include *.txt --submissions off", pair),
        ("in/anna.txt other --include *.txt", "2 texts compared\n"),
    ] {
        let run = common::run(&folder, &format!("corpus {line}"));
        assert!(run.output.ends_with(want), "{line}: {}{}", run.output, run.errors);
    }
}

/// A time on the day of another submission is neither earlier nor later than the day.
#[test]
fn a_day_without_a_time_marks_nothing_on_it() {
    let list = "id,name,submitted at\nanna,Anna,2026-11-03\nbert,Bert,2026-11-03 16:12\n\
                cleo,Cleo,\"3 November 2026\"\ndora,Dora,4 November 2026\n";
    let files: &[(&str, &[u8])] = &[
        ("in/anna.txt", FERRY.as_bytes()),
        ("in/bert.txt", FERRY.as_bytes()),
        ("in/cleo.txt", FERRY.as_bytes()),
        ("in/dora.txt", FERRY.as_bytes()),
        ("in/course.csv", list.as_bytes()),
    ];
    let folder = folder("days", files);
    let run = common::run(&folder, "corpus in");
    let pairs = run.output.lines().filter_map(|line| line.split_once("identical       "));
    let pairs: Vec<&str> = pairs.map(|(_, names)| names).collect();
    let want = [
        "Anna | Bert",
        "Anna | Cleo",
        "Anna | Dora (later)",
        "Bert | Cleo",
        "Bert | Dora (later)",
        "Cleo | Dora (later)",
    ];
    assert_eq!(pairs, want, "{}", run.errors);
    let csv = common::run(&folder, "corpus in --format csv").output;
    assert!(csv.contains(",2026-11-03,2026-11-03T16:12:00,"), "{csv}");
    let markdown = common::run(&folder, "corpus in --format markdown").output;
    assert!(markdown.contains("| `Anna` | `Dora` (later) |\n"), "{markdown}");
    assert!(markdown.contains("\n### `Anna`, `Bert` and 2 more texts\n"), "{markdown}");
    let markdown = common::run(&folder, "corpus in --format markdown --report b.html --anonymous");
    assert!(!markdown.output.contains("Dora"), "{}", markdown.output);
}

/// Checks that the same persons may hand in twice, for example in two years.
#[test]
fn two_exports_have_the_same_persons() {
    let folder = folder(
        "twice",
        &[
            ("a.zip", &zipped(&EXPORT)),
            ("b.zip", &zipped(&EXPORT)),
            ("list.csv", WORKSHEET.as_bytes()),
        ],
    );
    let run = common::run(
        &folder,
        "corpus a.zip --against b.zip --unit person --names list.csv --unreadable warn",
    );
    assert!(
        run.output.contains(
            "identical       Anna Muster (A. Muster 11) | Anna Muster (b.zip/A. Muster 11) (earlier)\n"
        ),
        "{}{}",
        run.output,
        run.errors
    );
    assert_eq!(run.status, 0);
}

/// Where all texts are of one group or person nothing is compared, and that is an error which says so.
#[test]
fn texts_of_one_group_are_an_error() {
    let one = "id,name,group\n11,Anna,10B\n12,Bert,10B\n13,Cleo,10B\n";
    let two = "id,name,group\n11,Anna,10B\n12,Bert,10B\n13,Cleo,10C\n";
    let records = format!("{{\"id\":\"a\",\"text\":{FERRY:?},\"of\":\"x\"}}\n");
    let records = records.clone() + &records.replace("\"a\"", "\"b\"");
    let files: &[(&str, &[u8])] = &[
        ("export.zip", &zipped(&EXPORT)),
        ("anna.zip", &zipped(&EXPORT[..2])),
        ("one.csv", one.as_bytes()),
        ("two.csv", two.as_bytes()),
        ("list/11.txt", FERRY.as_bytes()),
        ("list/12.txt", FERRY.as_bytes()),
        ("list/course.csv", one.as_bytes()),
        ("flat/a.txt", FERRY.as_bytes()),
        ("flat/b.txt", FERRY.as_bytes()),
        ("deep/x/a.txt", FERRY.as_bytes()),
        ("deep/y/b.txt", FERRY.as_bytes()),
        ("in.jsonl", records.as_bytes()),
    ];
    let folder = folder("one_group", files);
    let cases = [
        ("a list", "corpus export.zip --names one.csv"),
        (
            "with units, and a report",
            "corpus export.zip --names one.csv --unit person --report b.html",
        ),
        ("a list beside the files", "corpus list"),
        ("one folder", "corpus flat --group dir"),
        ("folders are units", "corpus deep --unit dir --group dir"),
        ("records", "corpus --jsonl in.jsonl --group of --format jsonl"),
        ("which a clean corpus keeps", "corpus --jsonl in.jsonl --group of --keep first"),
        ("a person", "corpus anna.zip"),
        ("old ones, too", "corpus flat/a.txt --against flat/b.txt --group dir"),
        ("some groups", "corpus export.zip --names two.csv --at-least partial"),
        ("some persons", "corpus export.zip --at-least partial"),
        ("groups in Markdown", "corpus export.zip --names two.csv --format markdown"),
        ("no folder is inside", "corpus flat --unit dir"),
    ];
    runs("one_group", &cases, |line| common::run(&folder, line));
    assert!(!folder.join("b.html").exists());
    let board = common::run(&folder, "corpus export.zip --names two.csv --quiet --report b.html");
    assert_eq!(board.status, 0, "{}", board.errors);
    let page = read_file(folder.join("b.html"));
    assert!(page.contains(" 3 pairs not compared: of the same group.</p>"));
    let json = common::run(&folder, "corpus export.zip --format json").output;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["pairs_not_compared"], json!([{"why": "person", "count": 1}]));
    let json = common::run(&folder, "corpus flat --format json").output;
    assert!(!json.contains("pairs_not_compared"), "{json}");
}
