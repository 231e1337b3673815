//! Tests of compressed records and texts: the same answers, and limits.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;

use crate::common::{Run, command, empty_folder, is_installed, read_file};

/// The compression programs, each with the extension of its files.
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

/// Checks files with and without the extension, standard input, and files of several members.
#[test]
fn packed_records_are_read_as_they_are_unpacked() {
    let folder = folder("formats");
    let plain = read_file("samples/notices.jsonl");
    let (first, second) = plain.split_at(plain.find("{\"id\": \"library-1\"").unwrap());
    fs::write(folder.join("plain.jsonl"), &plain).unwrap();
    let keep = "--keep longest --output out --removed gone";
    let want = corpus(&folder, "--jsonl plain.jsonl --format jsonl", b"").output;
    assert!(!want.is_empty());
    assert_eq!(corpus(&folder, &format!("--jsonl plain.jsonl {keep}"), b"").status, 0);
    let clean = ["out", "gone"].map(|name| read(&folder.join(name)));
    for (program, ending) in PROGRAMS {
        if !is_installed(program, "--version") {
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
        // The same for the records of the other side.
        let against =
            format!("--jsonl plain.jsonl --against in.jsonl.{ending} --output out --quiet");
        assert_eq!(corpus(&folder, &against, b"").status, 0);
        assert_eq!(read(&folder.join("out")), b"", "{program}: all is there already");
    }
}

#[test]
fn a_clean_corpus_is_packed_as_its_name_says() {
    let folder = folder("written");
    let plain = read_file("samples/notices.jsonl");
    fs::write(folder.join("in.jsonl"), &plain).unwrap();
    let keep = "--jsonl in.jsonl --keep first --quiet --output";
    assert_eq!(corpus(&folder, &format!("{keep} out.jsonl"), b"").status, 0);
    let written = corpus(&folder, &format!("{keep} out.jsonl.gz"), b"");
    assert_eq!((written.status, written.errors.as_str()), (0, ""));
    let bytes = read(&folder.join("out.jsonl.gz"));
    assert!(bytes.starts_with(b"\x1f\x8b"));
    if is_installed("gzip", "--version") {
        let unpacked = run(std::process::Command::new("gzip").arg("-dc"), &bytes).stdout;
        assert!(unpacked == read(&folder.join("out.jsonl")));
    }
    let again = corpus(&folder, &format!("{keep} out.jsonl.gz"), b"");
    assert_eq!((again.status, read(&folder.join("out.jsonl.gz"))), (0, bytes), "the same bytes");
    for (name, ending) in [("Zstandard", "zst"), ("bzip2", "bz2"), ("xz", "xz")] {
        let found = corpus(&folder, &format!("{keep} new.jsonl.{ending}"), b"");
        let want = format!(
            "dedup: --output new.jsonl.{ending}: {name} cannot be written, expected .gz or an \
             uncompressed file\nhint: --output - prints the records; pipe them to a program that \
             writes .{ending}\n"
        );
        assert_eq!((found.status, found.errors), (2, want));
        let keep = "--jsonl in.jsonl --keep first --removed";
        let found = corpus(&folder, &format!("{keep} gone.{ending}"), b"");
        let want = "\nhint: --removed - prints the records; pipe them to a program that writes ";
        assert!(found.errors.contains(want), "{}", found.errors);
    }
}

/// Checks records that do not fit, compressed, into one read of a pipe.
#[test]
fn old_records_on_standard_input_are_recognized_in_each_format() {
    let folder = folder("against");
    let words = |seed: u32| -> String {
        let word = |at: u32| format!("w{}", (seed * 7919 + at * at * 31) % 999_983);
        (0..200).map(word).collect::<Vec<_>>().join(" ")
    };
    let record = |id: u32| format!("{{\"id\":{id},\"text\":\"{}\"}}\n", words(id));
    let records = (0..500).map(record).collect::<Vec<_>>().concat();
    fs::write(folder.join("new.jsonl"), record(7)).unwrap();
    for (program, _) in PROGRAMS {
        if !is_installed(program, "--version") {
            continue;
        }
        let bytes = packed(program, records.as_bytes());
        let found = corpus(&folder, "--jsonl new.jsonl --against - --format paths", &bytes);
        assert_eq!((found.output.as_str(), found.errors.as_str()), ("-/7\n7\n", ""), "{program}");
    }
}

/// Checks that each is an error that names the file and the line, and that nothing is written.
#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn what_is_damaged_or_unpacks_to_too_much_is_an_error() {
    let folder = folder("damaged");
    let plain = read_file("samples/notices.jsonl");
    for (program, ending) in PROGRAMS {
        if !is_installed(program, "--version") {
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

/// Checks that three records without a field are enough to stop with an error.
#[test]
fn a_wrong_field_ends_after_three_examples() {
    let folder = folder("fields");
    let line = "{\"url\":\"u\",\"content\":\"a copper kettle\",\"meta\":{\"ts\":1,\"by\":{}}}\n";
    fs::write(folder.join("in.jsonl"), line.repeat(20_000)).unwrap();
    let fields = "the fields are url, content, meta.ts, meta.by; --id FIELD and --text FIELD \
                  select other fields";
    let lacks = |number: u32, field: &str| {
        format!("dedup: in.jsonl: line {number}: no field {field}, expected one\nhint: {fields}\n")
    };
    for (flags, field, wanted) in [
        ("", "text", "the field text"),
        ("--list", "text", "the field text"),
        ("--id url", "text", "the fields url and text"),
        ("--id key --text content", "key", "the fields key and content"),
        ("--id url --text meta.body", "meta.body", "the fields url and meta.body"),
    ] {
        let found = corpus(&folder, &format!("--jsonl in.jsonl {flags}"), b"");
        let lines = [1, 2, 3].map(|number| lacks(number, field)).concat();
        let want = format!(
            "{lines}dedup: in.jsonl: none of the first 3 records is valid, expected \
             {wanted}\nhint: {fields}\n"
        );
        assert_eq!((found.status, found.output.as_str(), found.errors), (2, "", want), "{flags}");
    }
}

/// Checks a pair of texts one of which is compressed, which its content shows, whatever its name.
#[test]
fn packed_texts_are_read_as_they_are_unpacked() {
    let folder = folder("texts");
    let [one, other] = ["samples/edited_1.txt", "samples/edited_2.txt"].map(read_file);
    let page = format!("<!DOCTYPE html><title>t</title><p>{one}</p>");
    fs::write(folder.join("one.txt"), &one).unwrap();
    fs::write(folder.join("other.txt"), &other).unwrap();
    fs::write(folder.join("page.html"), &page).unwrap();
    fs::write(folder.join("note.md"), format!("# *{one}*")).unwrap();
    let answer = |line: &str, from: &str| {
        let found: Run =
            run(command().current_dir(&folder).args(line.split_whitespace()), b"").into();
        assert_eq!(found.errors, "", "{line}");
        (found.output.replace(from, "one.txt"), found.status)
    };
    let judged = |name: &str| {
        let (found, status) = answer(&format!("{name} other.txt --format json"), "one.txt");
        let found: Value = serde_json::from_str(&found).unwrap();
        assert_eq!(found["a"]["path"], name);
        let kept = ["verdict", "measures", "matches", "coverage"].map(|it| found[it].clone());
        (kept, found["a"]["words"].clone(), status)
    };
    let want = judged("one.txt");
    for (program, ending) in PROGRAMS {
        if !is_installed(program, "--version") {
            continue;
        }
        let pack = |name: &str, bytes: &[u8]| {
            fs::write(folder.join(name), packed(program, bytes)).unwrap();
        };
        let [named, page_named] = [format!("one.txt.{ending}"), format!("page.html.{ending}")];
        pack(&named, one.as_bytes());
        pack("unnamed", one.as_bytes());
        pack(&page_named, page.as_bytes());
        pack("note.md.packed", format!("# *{one}*").as_bytes());
        pack(&format!("note.md.{ending}"), format!("# *{one}*").as_bytes());
        for name in [&*named, "unnamed"] {
            assert_eq!(judged(name), want, "{program}: {name}");
            let text = answer(&format!("text {name}"), name);
            assert_eq!(text, (one.clone(), 0), "{program}: {name}");
        }
        let text = |name: &str| answer(&format!("text {name}"), name).0;
        assert_eq!(text(&page_named), text("page.html"), "{program}: of the kind of its content");
        assert_eq!(text(&format!("note.md.{ending}")), text("note.md"), "{program}: by its name");
        assert_ne!(text("note.md.packed"), text("note.md"), "{program}: a name that says nothing");
        // In a folder, and in an archive.
        let inner = folder.join(format!("in-{ending}"));
        fs::create_dir_all(&inner).unwrap();
        for name in [&*named, "other.txt"] {
            fs::copy(folder.join(name), inner.join(name)).unwrap();
        }
        fs::write(inner.join("picture.gz"), packed(program, b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"))
            .unwrap();
        let found = corpus(&folder, &format!("in-{ending}"), b"");
        assert!(found.output.contains(&format!("in-{ending}/{named} |")), "{}", found.output);
        assert!(found.output.contains("2 texts compared; 1 skipped: pictures"), "{}", found.output);
        assert_eq!((found.status, found.errors.as_str()), (0, ""), "{program}");
    }
}

/// Checks that each is an error that names the file and the cause.
#[test]
fn packed_texts_are_within_bounds() {
    let folder = folder("hostile");
    let plain = read_file("samples/edited_1.txt");
    fs::write(folder.join("plain.txt"), &plain).unwrap();
    for (program, ending) in PROGRAMS {
        if !is_installed(program, "--version") {
            continue;
        }
        let whole = packed(program, plain.as_bytes());
        let twice = packed(program, &whole);
        let bomb = packed(program, &vec![b'a'; 30_000_000]);
        let damaged = packed(program, b"caf\xe9 caf\xc3\xa9 \xff");
        let name = match ending {
            "zst" => "Zstandard",
            "gz" => "gzip",
            "bz2" => "bzip2",
            _ => "xz",
        };
        let table: [(&str, &[u8], &str, String); 6] = [
            ("cut", &whole[..whole.len() / 2], "", format!("damaged {name}: ")),
            ("nothing in it", &whole[..8], "", format!("damaged {name}: ")),
            (
                "what follows",
                &[&whole, &b"no member"[..]].concat(),
                "",
                format!("damaged {name}: "),
            ),
            (
                "a bomb",
                &bomb,
                "--max-unpacked 1000000",
                "unpacks to more than the limit of 1000000 bytes".to_owned(),
            ),
            ("packed twice", &twice, "", "not a text: an archive (".to_owned()),
            (
                "a damaged text",
                &damaged,
                "--encoding utf-8",
                "damaged UTF-8: byte 0xe9 at offset 3, ".to_owned(),
            ),
        ];
        for (why, bytes, flags, want) in table {
            let file = format!("in.txt.{ending}");
            fs::write(folder.join(&file), bytes).unwrap();
            for line in [format!("{file} plain.txt {flags}"), format!("plain.txt {file} {flags}")] {
                let found: Run =
                    run(command().current_dir(&folder).args(line.split_whitespace()), b"").into();
                assert_eq!((found.status, found.output.as_str()), (2, ""), "{program}: {why}");
                let want = format!("dedup: {file}: {want}");
                assert!(found.errors.starts_with(&want), "{program}: {why}: {}", found.errors);
            }
        }
    }
}

/// Three whole lines, then a member that is cut.
#[test]
fn damage_of_packed_records_is_reported_with_its_line() {
    let folder = folder("damage");
    let line = |id: u32| format!("{{\"id\":{id},\"text\":\"the kettle {id}\"}}\n");
    let records = |from: u32| [from, from + 1, from + 2].map(line).concat();
    for (program, name) in
        PROGRAMS.map(|it| it.0).into_iter().zip(["gzip", "Zstandard", "bzip2", "xz"])
    {
        if !is_installed(program, "--version") {
            continue;
        }
        let (first, second) =
            (packed(program, records(1).as_bytes()), packed(program, records(4).as_bytes()));
        fs::write(folder.join("in.jsonl"), [&first, &second[..10]].concat()).unwrap();
        let found = corpus(&folder, "--jsonl in.jsonl -q", b"");
        let want = format!("dedup: in.jsonl: line 4: damaged {name} data: ");
        assert!(found.errors.starts_with(&want), "{}", found.errors);
        let want = ", expected complete data\nhint: compress it again\n";
        assert!(found.errors.contains(want), "{}", found.errors);
        assert!(!found.errors.contains(['{', '(']), "{}", found.errors);
        fs::write(folder.join("in.jsonl"), packed(program, &vec![b'a'; 30_000_000])).unwrap();
        let found = corpus(&folder, "--jsonl in.jsonl -q --max-unpacked 1000000", b"");
        let want = format!(
            "dedup: in.jsonl: line 1: {name} data that unpacks to more than 1000000 bytes and 200 times its \
             size, expected less\nhint: --max-unpacked off lifts the limit\n"
        );
        assert!(found.errors.starts_with(&want), "{}", found.errors);
    }
}

/// Checks archives with several extensions, which need not name the compression.
#[test]
fn packed_archives_are_read() {
    let folder = folder("archives");
    let text = read_file("samples/edited_1.txt");
    let mut archive = tar::Builder::new(Vec::new());
    for name in ["in/anna.txt", "in/bert.txt"] {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, text.as_bytes()).unwrap();
    }
    let archive = archive.into_inner().unwrap();
    for (program, ending) in PROGRAMS {
        if !is_installed(program, "--version") {
            continue;
        }
        let bytes = packed(program, &archive);
        let short = match ending {
            "gz" => "tgz",
            "zst" => "tzst",
            "bz2" => "tbz2",
            _ => "txz",
        };
        for name in [format!("a.tar.{ending}"), format!("a.{short}")] {
            fs::write(folder.join(&name), &bytes).unwrap();
            let found = corpus(&folder, &name, b"");
            let want =
                format!("100 | 100 %  identical       {name}/in/anna.txt | {name}/in/bert.txt\n");
            assert!(found.output.contains(&want), "{name}: {}{}", found.output, found.errors);
            assert_eq!((found.status, found.errors.as_str()), (0, ""), "{name}");
            fs::write(folder.join(&name), &bytes[..bytes.len() / 2]).unwrap();
            let found = corpus(&folder, &name, b"");
            assert_eq!((found.status, found.output.as_str()), (2, ""), "{name}: {}", found.output);
            let want = format!("dedup: {name}: damaged ");
            assert!(found.errors.starts_with(&want), "{name}: {}", found.errors);
            fs::write(folder.join(&name), &archive).unwrap();
            let found = corpus(&folder, &name, b"");
            let want = format!("dedup: {name}: damaged tar archive: not packed as its name says");
            assert!(found.errors.starts_with(&want), "{name}: {}", found.errors);
        }
    }
}
