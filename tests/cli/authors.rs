//! What the author of a submission decides, its bytes, its names and its files, takes no copy out of an
//! answer in silence: each output has the pair as it would be without that, or a note on the submission.

pub(crate) mod told;

use std::path::Path;

use dedup_text::Text;
use proptest::prelude::*;
use proptest::sample::select;

use crate::common::{Run, empty_folder, read_file, run, zipped};
use crate::course;
use told::{FORMATS, covered, has_note};

/// The command lines of those who compare the class in the working folder.
const RUNS: [&str; 4] = [
    "check .",
    "corpus . --fail-on excerpt",
    "check . --gitignore --ignore quotes,bibliography",
    "corpus . --fail-on excerpt --template-share 0.6 --ignore marked",
];

/// Returns an essay that shares nothing with that of another number, a sentence a line.
fn essay(number: u64) -> String {
    course::essay(number, 14).replace(". ", ".\n")
}

/// The copy has a part of the text, and more words of its own.
const PART: &str = "a part of the text, between markers";

/// What the author does to the bytes of the copy.
const CONTENTS: [(&str, fn(&str) -> Vec<u8>); 19] = [
    ("nothing", |copy| copy.into()),
    ("a beginning like a baseline", |copy| format!("# dedup baseline 2\n\n{copy}").into()),
    ("a beginning like a record", |copy| format!("{{\"path\":\"x\"}}\n{copy}").into()),
    ("ignore markers", |copy| format!("dedup: ignore-start\n{copy}dedup: ignore-end\n").into()),
    ("markers around half", |copy| {
        let half = copy.len() / 2;
        let half = half + copy[half..].find('\n').unwrap() + 1;
        let (first, last) = copy.split_at(half);
        format!("dedup: ignore-start\n{first}dedup: ignore-end\n{last}").into()
    }),
    (PART, |copy| {
        let part: Vec<&str> = copy.lines().take(4).collect();
        format!(
            "{}dedup: ignore-start\n{}\ndedup: ignore-end\n",
            essay(90) + &essay(91),
            part.join("\n")
        )
        .into()
    }),
    ("quotation marks", |copy| format!("“{}”\n", copy.trim_end()).into()),
    ("a heading", |copy| format!("References\n\n{copy}").into()),
    ("a title and a heading", |copy| format!("My essay\n\nBibliography\n\n{copy}").into()),
    ("NUL bytes", |copy| copy.replacen(' ', "\0", 3).into()),
    ("UTF-16 without a mark", |copy| copy.encode_utf16().flat_map(u16::to_be_bytes).collect()),
    ("zero-width spaces", |copy| copy.replace("th", "t\u{200b}h").into()),
    ("Cyrillic letters", |copy| copy.replace('e', "\u{435}").into()),
    ("white space", |copy| ("\n".repeat(100_000) + copy).into()),
    ("a frame in French", |copy| {
        let frame =
            "Le petit chat est dans la maison et il ne veut pas sortir parce que la pluie tombe. ";
        (frame.repeat(4) + copy).into() // more would be a text of its own, of which the copy is a part
    }),
    ("repeated words", |copy| (copy.to_owned() + &"river ".repeat(4000)).into()),
    ("a picture", |copy| [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice(), copy.as_bytes()].concat()),
    ("a damaged document", |copy| format!("PK\u{3}\u{4}{copy}").into()),
    ("a hidden page", |copy| {
        format!("<html><body><p>Nothing.</p><div hidden>{copy}</div></body></html>").into()
    }),
];

/// The path of the copy in the folder of the author.
const PATHS: [&str; 11] = [
    "essay.txt",
    "essay.md",
    "essay.html",
    ".essay.txt",
    ".git/essay.txt",
    "essay.png",
    "essay",
    "README",
    "dedup.toml",
    "course.csv",
    ".gitignore",
];

/// Files beside the copy, each with its content.
const BESIDE: [&[(&str, &str)]; 5] = [
    &[],
    &[(".gitignore", "*\n")],
    &[(".gitignore", "*.txt\n!.gitignore\n"), (".ignore", "*\n"), (".dedupignore", "*\n")],
    &[
        ("dedup.toml", "jaccard = 0.99\nmin-match = 900\nexclude = [\"*\"]\n"),
        (".dedup.toml", "level = \"identical\"\n"),
    ],
    &[
        ("course.csv", "file,person\nessay.txt,anna\n"),
        ("names.txt", "anna\n"),
        (".dedup-report", ""),
    ],
];

/// Returns the name of a file in the folder of the author.
fn name() -> impl Strategy<Value = String> {
    let any = "[^\\x00]{1,9}(/[^\\x00]{1,6})?".prop_map(|name| {
        let parts = name.split('/').filter(|part| !["", ".", ".."].contains(part));
        let name = parts.collect::<Vec<_>>().join("/");
        if name.is_empty() { "essay".to_owned() } else { name }
    });
    prop_oneof![select(&PATHS[..]).prop_map(str::to_owned), any]
}

/// Returns what the author writes before a line.
fn piece() -> impl Strategy<Value = String> {
    let known = [
        "",
        "\n",
        "dedup: ignore-start\n",
        "dedup: ignore-end\n",
        "“",
        "”",
        "References\n\n",
        "# dedup baseline 2\n",
    ];
    prop_oneof![select(known.to_vec()).prop_map(str::to_owned), "[^\\x00]{0,16}"]
}

fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

/// Runs a command line over a class, and returns its outputs in the order of [`FORMATS`].
fn outputs(folder: &Path, line: &str) -> (Run, Vec<String>) {
    let out = folder.with_extension("out");
    let _ = std::fs::remove_dir_all(&out);
    std::fs::create_dir_all(&out).unwrap();
    let files: Vec<String> =
        FORMATS[1..].iter().map(|it| format!("{}/{it}", out.display())).collect();
    let written: Vec<String> = FORMATS[1..9]
        .iter()
        .zip(&files)
        .map(|(format, file)| format!("--format {format}={file}"))
        .collect();
    let board = format!("{}.html", files[8]);
    let run = run(folder, &format!("{line} --no-config {} --report {board}", written.join(" ")));
    let mut all = vec![run.output.clone()];
    if run.status < 2 || out.join("json").exists() {
        all.extend(files[..8].iter().map(read_file));
        all.push(read_file(board));
    }
    (run, all)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn no_copy_leaves_an_answer_in_silence(
        content in 0..CONTENTS.len(), path in 0..2 * PATHS.len(), beside in 0..2 * BESIDE.len(),
        copies in prop_oneof![4 => Just(1_usize), 1 => 2..9_usize], is_packed in proptest::bool::weighted(0.2),
        is_linked in proptest::bool::weighted(0.1), others in 2..5_u64, line in 0..RUNS.len(),
    ) {
        // Most of the time, one thing is done.
        let path = PATHS.get(path).unwrap_or(&PATHS[0]);
        // Several copies may make the words those of most texts, which are left out as asked for.
        let copies = if RUNS[line].contains("--template-share") { 1 } else { copies };
        let beside = BESIDE.get(beside).unwrap_or(&BESIDE[0]);
        let folder = empty_folder("authors", "class");
        write(&folder, "anna/essay.txt", essay(1));
        for number in 0..others {
            write(&folder, &format!("other{number}/essay.txt"), essay(2 + number));
        }
        write(&folder, "ben/essay.txt", essay(1));
        let (plain, of_plain) = outputs(&folder, RUNS[line]);
        prop_assert_eq!((plain.status, covered(&of_plain[1])), (1, 1.0), "{}", plain.errors);

        std::fs::remove_dir_all(folder.join("ben")).unwrap();
        let (what, changed) = CONTENTS[content];
        let bytes = changed(&essay(1));
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        for number in 0..copies {
            files.push((format!("{}{path}", "copy/".repeat(number)), bytes.clone()));
        }
let beside = beside.iter().filter(|(name, _)| name != path);
        files.extend(beside.map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())));
        if is_packed {
            write(&folder, "ben/all.zip", zipped(&files));
        } else {
            for (name, bytes) in &files {
                write(&folder.join("ben"), name, bytes);
            }
        }
        #[cfg(unix)]
        if is_linked && !is_packed {
            // The copy is outside of the class, and a link to it within.
            let aside = folder.with_extension("aside");
            std::fs::rename(folder.join("ben").join(path), &aside).unwrap();
            std::os::unix::fs::symlink(&aside, folder.join("ben").join(path)).unwrap();
        }
        let (run, all) = outputs(&folder, RUNS[line]);
        let names: Vec<&str> = files.iter().map(|(name, _)| &**name).collect();
        let how = format!("{}: {what}, {names:?}, {is_packed}", RUNS[line]);
        if all.len() == 1 {
            // Nothing is written, and the error is the answer.
            prop_assert!(run.status == 2 && run.errors.contains("ben"), "{how}: {}", run.errors);
            return Ok(());
        }
        let want = if what == PART { 0.2 } else { 1.0 };
        if run.status == 1 && covered(&all[1]) >= want {
            return Ok(());
        }
        for (format, output) in FORMATS.iter().zip(&all) {
            prop_assert!(has_note(format, output), "{how}: status {}: {format}: {output}", run.status);
        }
    }
    /// The author writes between the lines of the copy, into its name, and into other files.
    #[test]
    fn nothing_between_the_lines_of_a_copy_hides_it_in_silence(
        name in name(), pieces in prop::collection::vec(piece(), 15),
        others in prop::collection::vec((name(), piece()), 0..3),
        ignore in select(vec!["short", "marked", "quotes,bibliography"]),
    ) {
        let folder = empty_folder("authors", "lines");
        write(&folder, "anna/essay.txt", essay(1));
        write(&folder, "cleo/essay.txt", essay(2));
        let lines = essay(1);
        let lines = lines.lines().chain([""]).zip(&pieces);
        let copy: String = lines.flat_map(|(line, piece)| [piece, line, "\n"]).collect();
        let mut files = vec![(name, copy)];
        for (name, content) in others {
            let clashes = |(other, _): &(String, String)| {
                Path::new(other).starts_with(&name) || Path::new(&name).starts_with(other)
            };
            if !files.iter().any(clashes) {
                files.push((name, content));
            }
        }
        for (name, content) in &files {
            // What documents hide is tested with their formats.
            let is_plain = Text::new(name, content.as_str()).map_or(true, |it| it.kind().is_shown_as_stored());
            prop_assume!(is_plain);
            write(&folder.join("ben"), name, content);
        }
        let (run, all) = outputs(&folder, &format!("check . --fail-on excerpt --ignore {ignore}"));
        if all.len() == 1 {
            prop_assert!(run.status == 2 && run.errors.contains("ben"), "{files:?}: {}", run.errors);
        } else if covered(&all[1]) < 0.6 {
            for (format, output) in FORMATS.iter().zip(&all) {
                prop_assert!(has_note(format, output), "{files:?}: {format}: {output}");
            }
        }
    }
}
