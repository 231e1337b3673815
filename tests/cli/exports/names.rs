//! Tests of names that would break out of a format, in every format.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{Run, command};

const TEXT: &str =
    "The copper kettle stands on the iron stove and sings before the water boils over.\n";

/// Returns names of files.
fn names() -> Vec<OsString> {
    let names = [
        "a, b.txt",
        "a::b.txt",
        "::error::x.txt",
        "100%0A%.txt",
        "quote\"s' .txt",
        "a|b\\|c.txt",
        "<b>&amp;.txt",
        "=1+1.txt",
        "-x.txt",
        "@SUM(1).txt",
        "[a](b) {0}.txt",
        "back`tick``.txt",
        "a\nb\r\n::warning::c.txt",
        "\t=tab.txt",
        "水 é.txt",
        "a\u{202e}b\u{1b}[2J.txt",
        "]]>.txt",
        "\u{ffff}.txt",
    ];
    let unreadable = OsStr::from_bytes(b"caf\xe9\xff.txt").to_owned();
    names.into_iter().map(OsString::from).chain([unreadable]).collect()
}

/// Creates a folder with a text under each name.
pub(super) fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exports").join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for name in names() {
        fs::write(folder.join(name), TEXT).unwrap();
    }
    folder
}

/// Runs a format on a pair of names. The second one is an absolute path.
fn exported(folder: &Path, format: &str, corpus: &[&str], name: &OsStr) -> Run {
    let mut command = command();
    command.current_dir(folder).args(corpus).arg("--format").arg(format).arg("--");
    command.arg(Path::new(".").join(name)).arg(folder.join("z.txt")).output().unwrap().into()
}

/// Returns a name as it is displayed. If it is not UTF-8, its bytes are escaped.
fn shown(name: &OsStr) -> String {
    name.to_str().map_or_else(|| "caf\\xe9\\xff.txt".to_owned(), str::to_owned)
}

#[test]
fn no_name_breaks_out_of_its_format() {
    let folder = folder("names");
    fs::write(folder.join("z.txt"), TEXT).unwrap();
    for name in names() {
        for corpus in [&[][..], &["corpus"]] {
            for (format, check) in CHECKS {
                let run = exported(&folder, format, corpus, &name);
                assert_eq!((run.errors.as_str(), run.status), ("", 0), "{format} {name:?}");
                check(&run.output, &name);
            }
        }
    }
}

const CHECKS: [(&str, fn(&str, &OsStr)); 7] = [
    ("csv", csv),
    ("sarif", sarif),
    ("github", github),
    ("junit", junit),
    ("gitlab", gitlab),
    ("markdown", markdown),
    ("badge", badge),
];

/// Checks that the name is on one side of the pair; a corpus may have it on either.
fn csv(output: &str, name: &OsStr) {
    let mut reader = csv::Reader::from_reader(output.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let [row] = &rows[..] else { panic!("{output}") };
    let name = shown(name);
    let guarded = if name.starts_with(['=', '-', '@', '\t']) { format!("'{name}") } else { name };
    assert!([&row[0], &row[1]].contains(&&*guarded), "{output}");
    assert!([&row[0], &row[1]].contains(&"z.txt"), "{output}");
}

fn sarif(output: &str, name: &OsStr) {
    let log: Value = serde_json::from_str(output).unwrap();
    let result = &log["runs"][0]["results"][0];
    let uri = |place: &str| {
        let location = &result[place][0]["physicalLocation"]["artifactLocation"];
        assert_eq!(location["uriBaseId"], "%SRCROOT%");
        location["uri"].as_str().unwrap().to_owned()
    };
    let uris = [uri("locations"), uri("relatedLocations")];
    for uri in &uris {
        assert!(
            uri.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>\"{}|\\^`:".contains(&byte)),
            "{uri}"
        );
    }
    let decoded = uris.map(|uri| percent_decoded(&uri));
    assert!(decoded.contains(&name.as_bytes().to_vec()), "{decoded:?}");
    let message = result["message"]["text"].as_str().unwrap();
    assert!(!message.contains('\n') && message.contains(", line 1](1)"), "{message}");
}

fn percent_decoded(uri: &str) -> Vec<u8> {
    let mut parts = uri.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
        bytes.extend(part[2..].bytes());
    }
    bytes
}

fn github(output: &str, _: &OsStr) {
    let lines: Vec<&str> = output.split('\n').collect();
    let [annotation, counts, ""] = lines[..] else { panic!("{output}") };
    assert!(!output.contains('\r') && counts.starts_with("dedup: 1 pair "), "{output}");
    // The runner treats everything before the second pair of colons as properties.
    let (properties, message) =
        annotation.strip_prefix("::warning ").unwrap().split_once("::").unwrap();
    let names: Vec<&str> = properties.split(',').map(|it| it.split_once('=').unwrap().0).collect();
    assert_eq!(names, ["file", "line", "endLine", "title"], "{annotation}");
    assert!(message.starts_with("15 words here also occur in "), "{annotation}");
}

fn junit(output: &str, name: &OsStr) {
    use quick_xml::escape::unescape;
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(output);
    let mut names = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Start(start) if start.name().as_ref() == "testcase" => {
                let attributes: Vec<_> = start.attributes().map(Result::unwrap).collect();
                assert_eq!(attributes.len(), 3);
                names.push(unescape(&attributes[1].value).unwrap().into_owned());
            }
            Event::Eof => break,
            _ => {}
        }
    }
    // A corpus has its texts in the order of their names.
    names.sort_by_key(|name| name == "z.txt");
    let [read, z] = &names[..] else { panic!("{names:?}") };
    let shown = shown(name).replace('\u{ffff}', "\u{fffd}");
    let hides = |letter: char| letter.is_control() || letter == '\u{202e}';
    for part in shown.split(hides) {
        assert!(read.contains(part), "{read} {part}");
    }
    assert!(z == "z.txt" && !read.contains('\n'), "{read}");
    assert!(output.chars().all(|letter| letter == '\n' || !letter.is_control()), "{output}");
}

fn gitlab(output: &str, name: &OsStr) {
    let entries: Value = serde_json::from_str(output).unwrap();
    let [entry] = entries.as_array().unwrap().as_slice() else { panic!("{output}") };
    let path = entry["location"]["path"].as_str().unwrap();
    assert!([&*shown(name), "z.txt"].contains(&path), "{output}");
    assert!(!entry["description"].as_str().unwrap().contains('\n'));
}

fn markdown(output: &str, _: &OsStr) {
    let rows: Vec<&str> = output.lines().filter(|line| line.starts_with('|')).collect();
    assert_eq!(rows.len(), 3, "{output}");
    assert_eq!(rows[2].matches('|').count(), 7, "{output}");
    assert!(output.chars().all(|letter| letter == '\n' || !letter.is_control()), "{output}");
}

fn badge(output: &str, _: &OsStr) {
    assert!(output.contains("\"message\":\"1 pair\""), "{output}");
}
