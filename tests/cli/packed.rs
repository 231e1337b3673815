//! Records that are packed: the same answers, and bounds.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::common::{Run, command, empty_folder, golden, present};

/// The programs that pack, each with the ending of its files.
const PROGRAMS: [(&str, &str); 4] =
    [("gzip", "gz"), ("zstd", "zst"), ("bzip2", "bz2"), ("xz", "xz")];

/// Runs a program with standard input.
fn run(program: &mut std::process::Command, input: &[u8]) -> std::process::Output {
    program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_vec());
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn packed(program: &str, bytes: &[u8]) -> Vec<u8> {
    run(std::process::Command::new(program).arg("-c"), bytes).stdout
}

fn corpus(folder: &Path, flags: &str, input: &[u8]) -> Run {
    let line = format!("corpus {flags}");
    run(command().current_dir(folder).args(line.split_whitespace()), input).into()
}

fn folder(name: &str) -> PathBuf {
    empty_folder("packed", name)
}

#[expect(clippy::disallowed_methods, reason = "no text that is compared")]
fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap()
}

/// By a name that says so, by one that does not, on standard input, and in several members.
#[test]
fn packed_records_are_read_as_they_are_unpacked() {
    let folder = folder("formats");
    let plain = golden("samples/notices.jsonl");
    let (first, second) = plain.split_at(plain.find("{\"id\": \"library-1\"").unwrap());
    fs::write(folder.join("plain.jsonl"), &plain).unwrap();
    let keep = "--keep longest --output out --removed gone";
    let want = corpus(&folder, "--jsonl plain.jsonl --format jsonl", b"").output;
    assert!(!want.is_empty());
    assert_eq!(corpus(&folder, &format!("--jsonl plain.jsonl {keep}"), b"").status, 0);
    let clean = ["out", "gone"].map(|name| read(&folder.join(name)));
    for (program, ending) in PROGRAMS {
        if !present(program, "--version") {
            continue;
        }
        let whole = packed(program, plain.as_bytes());
        let members =
            [packed(program, first.as_bytes()), packed(program, second.as_bytes())].concat();
        for bytes in [whole, members] {
            fs::write(folder.join(format!("in.jsonl.{ending}")), &bytes).unwrap();
            fs::write(folder.join("in"), &bytes).unwrap();
            for name in [&*format!("in.jsonl.{ending}"), "in", "-"] {
                let found = corpus(&folder, &format!("--jsonl {name} --format jsonl"), &bytes);
                let got = (found.output.as_str(), found.errors.as_str());
                assert_eq!(got, (want.as_str(), ""), "{program}: {name}");
                let found = corpus(&folder, &format!("--jsonl {name} {keep}"), &bytes);
                assert_eq!(found.status, 0, "{program}: {name}: {}", found.errors);
                let written = ["out", "gone"].map(|name| read(&folder.join(name)));
                assert!(written == clean, "{program}: {name}");
            }
        }
        // The records of the other side, too.
        let against =
            format!("--jsonl plain.jsonl --against in.jsonl.{ending} --output out --quiet");
        assert_eq!(corpus(&folder, &against, b"").status, 0);
        assert_eq!(read(&folder.join("out")), b"", "{program}: all is there already");
    }
}

#[test]
fn a_clean_corpus_is_packed_as_its_name_says() {
    let folder = folder("written");
    let plain = golden("samples/notices.jsonl");
    fs::write(folder.join("in.jsonl"), &plain).unwrap();
    let keep = "--jsonl in.jsonl --keep first --quiet --output";
    assert_eq!(corpus(&folder, &format!("{keep} out.jsonl"), b"").status, 0);
    let written = corpus(&folder, &format!("{keep} out.jsonl.gz"), b"");
    assert_eq!((written.status, written.errors.as_str()), (0, ""));
    let bytes = read(&folder.join("out.jsonl.gz"));
    assert!(bytes.starts_with(b"\x1f\x8b"));
    if present("gzip", "--version") {
        let unpacked = run(std::process::Command::new("gzip").arg("-dc"), &bytes).stdout;
        assert!(unpacked == read(&folder.join("out.jsonl")));
    }
    let again = corpus(&folder, &format!("{keep} out.jsonl.gz"), b"");
    assert_eq!((again.status, read(&folder.join("out.jsonl.gz"))), (0, bytes), "the same bytes");
    for (name, ending) in [("Zstandard", "zst"), ("bzip2", "bz2"), ("xz", "xz")] {
        let found = corpus(&folder, &format!("{keep} new.jsonl.{ending}"), b"");
        let want = format!(
            "dedup: --output new.jsonl.{ending}: {name} cannot be written, expected .gz or an \
             unpacked file\nhint: --output - prints the records, for a program that writes .{ending}\n"
        );
        assert_eq!((found.status, found.errors), (2, want));
    }
}

/// Each is an error that names the file and the line, and nothing is written.
#[test]
fn what_is_damaged_or_unpacks_to_too_much_is_an_error() {
    let folder = folder("damaged");
    let plain = golden("samples/notices.jsonl");
    for (program, ending) in PROGRAMS {
        if !present(program, "--version") {
            continue;
        }
        let whole = packed(program, plain.as_bytes());
        let zeros = packed(program, &vec![0; 30_000_000]);
        let blanks = packed(program, &b" \n".repeat(15_000_000));
        #[rustfmt::skip]
        let table = [
            ("cut",           whole[..whole.len() / 2].to_vec(),     ""),
            ("nothing in it", whole[..8].to_vec(),                   ""),
            ("zeros",         zeros,                                 "--max-bytes off --max-unpacked 1000000"),
            ("blank lines",   blanks,                                "--max-unpacked 1000000"),
            ("what follows",  [&whole, &b"no member at all"[..]].concat(), ""),
        ];
        for (why, bytes, flags) in table {
            fs::write(folder.join("in"), &bytes).unwrap();
            let line = format!("--jsonl in --keep first --output out {flags}");
            let found = corpus(&folder, &line, b"");
            let got = (found.status, found.output.as_str());
            assert_eq!(got, (2, ""), "{program}: {why}: {}", found.errors);
            let is_named = found.errors.starts_with("dedup: in: line ");
            assert!(is_named, "{program}: {why}: {}", found.errors);
            assert!(!folder.join("out").exists(), "{program}: {why}");
            if !flags.is_empty() {
                let want = "unpacks to more than 1000000 bytes and 200 times its size";
                assert!(found.errors.contains(want), "{program} {ending}: {why}: {}", found.errors);
            }
        }
    }
}

/// Three are enough to see that a name is wrong.
#[test]
fn a_wrong_field_ends_after_three_examples() {
    let folder = folder("fields");
    let line = "{\"url\":\"u\",\"content\":\"a copper kettle\",\"meta\":{\"ts\":1,\"by\":{}}}\n";
    fs::write(folder.join("in.jsonl"), line.repeat(20_000)).unwrap();
    let fields = "the fields are url, content, meta.ts, meta.by; --id FIELD and --text FIELD take \
                  other fields";
    let lacks = |number: u32, field: &str| {
        format!("dedup: in.jsonl: line {number}: no field {field}, expected one\nhint: {fields}\n")
    };
    for (flags, field, wanted) in [
        ("", "text", "the field text"),
        ("--id url", "text", "the fields url and text"),
        ("--id key --text content", "key", "the fields key and content"),
        ("--id url --text meta.body", "meta.body", "the fields url and meta.body"),
    ] {
        let found = corpus(&folder, &format!("--jsonl in.jsonl {flags}"), b"");
        let lines = [1, 2, 3].map(|number| lacks(number, field)).concat();
        let want = format!(
            "{lines}dedup: in.jsonl: none of the first 3 records is one, expected {wanted}\nhint: \
             {fields}\n"
        );
        assert_eq!((found.status, found.output.as_str(), found.errors), (2, "", want), "{flags}");
    }
}
