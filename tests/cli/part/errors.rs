//! Tests of invalid input of `dedup part`.

use serde_json::{Value, json};

use super::{corpus, file, folder, part, record, rows};
use crate::transcript::{Transcript, errors};

#[test]
fn nothing_in_is_nothing_out() {
    let place = folder("nothing");
    let counts = part(&place, "part count --slots 18 --output all", "");
    assert_eq!((counts.status, counts.output.as_str(), counts.errors.as_str()), (0, "", ""));
    for line in ["part keys --counts all", "part judge", "part judge --counts all", "clusters"] {
        let run = part(&place, line, "");
        assert_eq!((run.status, run.output.as_str(), run.errors.as_str()), (0, "", ""), "{line}");
    }
}

#[test]
fn a_bad_line_is_reported_with_its_number_or_kept() {
    let place = folder("bad");
    let good = record("1", "A copper kettle and a wooden spoon");
    assert_eq!(part(&place, "part count --slots 18 --output all", &good).status, 0);
    let cases = [
        ("a text of null", r#"{"id": "7", "text": null}"#, Some("7")),
        ("no text", r#"{"id": 7}"#, Some("7")),
        ("no id", r#"{"text": "a"}"#, None),
        ("no JSON", r#"{"id": "#, None),
        ("no object", "7", None),
        ("not counted", r#"{"id": "8", "text": "otters"}"#, Some("8")),
    ];
    let mut transcript = Transcript::default();
    for (why, line, id) in cases {
        let input = format!("{good}{line}\n{good}");
        let mut stopped = part(&place, "part keys --counts all", &input);
        assert_eq!(std::mem::take(&mut stopped.output).lines().count(), 1, "{why}");
        transcript.case(why);
        transcript.file("docs.jsonl", &input);
        transcript.error("part keys --counts all < docs.jsonl", &stopped);
        let message = stopped.errors.lines().next().unwrap().strip_prefix("dedup: ");
        let kept = part(&place, "part keys --counts all --bad-lines keep", &input);
        let kept_rows = rows(&kept.output);
        assert_eq!((kept_rows.len(), kept.status, kept.errors.as_str()), (3, 0, ""), "{why}");
        assert_eq!(kept_rows[1], json!({"id": id, "error": message}), "{why}");
        if why != "not counted" {
            assert_eq!(part(&place, "part count --slots 18", &input).status, 2, "{why}");
            let kept = part(&place, "part count --slots 18 --bad-lines keep --output kept", &input);
            assert_eq!((kept.status, kept.errors.as_str()), (0, ""), "{why}");
        }
    }
    transcript.assert_snapshot("part_lines");
    let run = part(&place, "part judge --bad-lines keep", "{\"a\": {}}\n{\"a\": {}, \"b\": {}}\n");
    let errors: Vec<Value> = rows(&run.output).iter().map(|row| row["error"].clone()).collect();
    let no_pair = "-: line 1: not a pair: missing field `b`, expected {\"a\": {…}, \"b\": {…}}";
    assert_eq!(errors, [no_pair, "-: line 2: a: no field id, expected one"]);
    let run = part(&place, "clusters", "{\"a\": \"1\", \"b\": \"2\"}\n");
    assert!(run.errors.starts_with("dedup: -: line 1: not a pair: "), "{}", run.errors);
}

/// Checks that counts made with other settings are errors, because they would lose pairs silently.
#[test]
fn counts_made_otherwise_are_errors() {
    let place = folder("foreign");
    let docs = corpus();
    assert_eq!(part(&place, "part count --slots 18 --output all", &docs).status, 0);
    let bytes = file(&place.join("all"));
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap();
    let header = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let (version, other) =
        (format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION")), "\"version\":\"0.0.9\"");
    let mut older = header.replace(&version, other).into_bytes();
    older.extend(&bytes[end..]);
    std::fs::write(place.join("older"), older).unwrap();
    let earlier = header.replace("dedup.counts/4", "dedup.counts/1").into_bytes();
    std::fs::write(place.join("earlier"), [&earlier, &bytes[end..]].concat()).unwrap();
    // The digest covers the header as well: otherwise, texts of another language would be lost
    // silently.
    let mut changed = bytes.clone();
    let texts = header.find("]],").unwrap() - 1;
    assert!(changed[texts].is_ascii_digit());
    changed[texts] ^= 1;
    std::fs::write(place.join("changed"), changed).unwrap();
    let mut spaced = bytes.clone();
    spaced.insert(end, b' ');
    std::fs::write(place.join("spaced"), spaced).unwrap();
    let mut summed = bytes.clone();
    summed[end + 1 + 32] = b' ';
    std::fs::write(place.join("summed"), summed).unwrap();
    std::fs::write(place.join("headed"), &bytes[..=end]).unwrap();
    std::fs::write(place.join("cut"), &bytes[..bytes.len() - 1]).unwrap();
    std::fs::write(place.join("list"), "owls\n").unwrap();
    assert_eq!(part(&place, "part count --slots 17 --output few", &docs).status, 0);
    let cases = [
        ("another size", "part keys --counts all --min 2"),
        ("another language", "part keys --counts all --lang en"),
        ("other words", "part keys --counts all --stopwords off"),
        ("no stems", "part judge --counts all --stem off"),
        ("another version", "part keys --counts older"),
        ("an earlier format", "part keys --counts earlier"),
        ("another header", "part keys --counts changed"),
        ("a space in it", "part keys --counts spaced"),
        ("no line behind it", "part keys --counts summed"),
        ("nothing behind it", "part keys --counts headed"),
        ("cut off", "part keys --counts cut"),
        ("no counts", "part keys --counts list"),
        ("in merge", "part merge all list"),
        ("fewer slots", "part merge all few"),
        ("onto an input", "part merge all few --output few"),
        ("counts given twice", "part merge all ./all"),
        ("too few slots", "part count --slots 4"),
        ("not there", "part keys --counts nowhere"),
        ("no counts named", "part keys"),
        ("nothing to merge", "part merge"),
        ("records in a file", "part count docs.jsonl"),
        ("ids by line", "part keys --counts all --id off"),
        ("all pairs", "part keys --counts all --jaccard 0"),
        ("too many bits", "part keys --counts all --hamming 8"),
    ];
    errors("part", &cases, |line| {
        let mut run = part(&place, line, &docs);
        run.errors = run.errors.replace(env!("CARGO_PKG_VERSION"), "VERSION");
        run
    });
    let longest = "dedup: --keep longest without --texts, expected records with the field words\n\
                   hint: dedup corpus … --keep longest counts the words itself; --keep first \
                   needs no records\n";
    let field = "dedup: --keep by a field without --texts, expected records with that field\n\
                 hint: --keep first needs no records\n";
    let lacks = "dedup: --keep: no record has a field words, expected it in at least one\n\
                 hint: the fields are id, text; dedup corpus … --keep longest counts the words \
                 itself; --keep first prefers the records that come first\n";
    std::fs::write(place.join("docs.jsonl"), &docs).unwrap();
    for (line, want) in [
        ("clusters --keep longest", longest),
        ("clusters --keep newest:at", field),
        ("clusters --keep longest --texts docs.jsonl", lacks),
    ] {
        let keep = part(&place, line, "");
        assert_eq!((&*keep.output, &*keep.errors, keep.status), ("", want, 2), "{line}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("all", place.join("linked")).unwrap();
        let run = part(&place, "part merge all few --output linked", "");
        let want = "dedup: --output linked: is also the file of counts all, expected a separate \
                    file\nhint: name another file, such as clean.jsonl\n";
        assert_eq!((&*run.errors, run.status), (want, 2));
        let run = part(&place, "part merge all linked", "");
        let want = "dedup: linked: is given twice, expected each file of counts once\n\
                    hint: merge adds the counts of all files that are named\n";
        assert_eq!((&*run.errors, run.status), (want, 2));
        assert_eq!(file(&place.join("all")), bytes, "the input is as it was");
    }
    let others = part(&place, "part keys --counts all --lossy", "");
    assert!(
        others.errors.contains("counted with other settings, according to their digest"),
        "{}",
        others.errors
    );
}
