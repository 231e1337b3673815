//! Tests of encodings, as users see them: an old file and its UTF-8 form, flags, and damage.

use crate::common::in_folder;

const FRENCH: &str =
    "L’été dernier, à la forêt, nous avons mangé des crêpes et bu du café « noir ».\n";
const JAPANESE: &str = "昨日の夜、私たちは長い間森の中を歩きました。そして雨が降り始めました。\n";

fn in_encoding(text: &str, label: &str) -> Vec<u8> {
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
    encoding.encode(text).0.into_owned()
}

fn utf_16(text: &str, mark: bool) -> Vec<u8> {
    let mark = if mark { "\u{feff}" } else { "" };
    mark.encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

/// Returns [`JAPANESE`] as `iconv -t ISO-2022-JP` writes it.
fn iso_2022_jp() -> Vec<u8> {
    let in_euc = in_encoding(JAPANESE.trim_end(), "euc-jp");
    let in_jis: Vec<u8> = in_euc.iter().map(|byte| byte & 0x7f).collect();
    [b"\x1b$B", in_jis.as_slice(), b"\x1b(B\n"].concat()
}

/// The output of Python's `"…".encode("cp037")`. Read as IBM866, it would be Russian letters.
const EBCDIC: &[u8] = b"\xe3\x88\x85\x40\x83\x96\x97\x97\x85\x99\x40\x92\x85\xa3\xa3\x93\x85\x40\
    \xa2\xa3\x96\x96\x84\x40\x96\x95\x40\xa3\x88\x85\x40\x96\x93\x84\x40\xa3\x81\x82\x93\x85\x4b\x25";

#[test]
fn ebcdic_is_named_and_not_guessed_at() {
    let files = [("old.txt", EBCDIC), ("good.txt", FRENCH.as_bytes())];
    let error = "dedup: old.txt: a text in EBCDIC, expected one in UTF-8 or in an encoding of the web\n\
        hint: convert it first: iconv -f IBM037 -t UTF-8 FILE, or from IBM500, IBM1047 or IBM273\n";
    let run = in_folder("ebcdic", &files, "old.txt good.txt");
    assert_eq!((run.output.as_str(), run.errors.as_str(), run.status), ("", error, 2));
    let run = in_folder("ebcdic", &files, "corpus .");
    assert_eq!(
        (run.errors.as_str(), run.status),
        (error.replace("old.txt", "./old.txt").as_str(), 2)
    );
    assert!(run.output.contains("1 text compared; 1 failed"), "{}", run.output);
}

#[test]
fn escapes_that_terminals_are_sent_are_not_japanese() {
    let colored = b"\x1b[1mThe copper kettle\x1b(B\x1b[m stood on the stove $B and (I) was hot\n";
    let plain = b"The copper kettle stood on the stove";
    let run =
        in_folder("terminal", &[("a.txt", colored), ("b.txt", plain)], "a.txt b.txt --format json");
    let record: serde_json::Value = serde_json::from_str(&run.output).unwrap();
    assert_eq!(record["a"]["encoding"], "utf-8");
}

#[test]
fn a_text_is_identical_to_its_utf_8_form_and_the_report_says_how_it_was_read() {
    #[rustfmt::skip]
    let table: &[(&str, Vec<u8>, &str, &str, &str)] = &[
        (FRENCH,   in_encoding(FRENCH, "windows-1252"), "", "windows-1252", "content"),
        (JAPANESE, in_encoding(JAPANESE, "shift_jis"),  "", "shift_jis",    "content"),
        (JAPANESE, iso_2022_jp(),                       "", "iso-2022-jp",  "content"),
        (JAPANESE, utf_16(JAPANESE, false),             "", "utf-16le",     "content"),
        (JAPANESE, utf_16(JAPANESE, true),              "", "utf-16le",     "mark"),
        (JAPANESE, in_encoding(JAPANESE, "euc-jp"), "--encoding right=EUC-JP", "euc-jp", "given"),
    ];
    for (text, bytes, flags, encoding, by) in table {
        let files = [("utf8.txt", text.as_bytes()), ("old.txt", bytes.as_slice())];
        let run = |more: &str| {
            in_folder("identical", &files, &format!("utf8.txt old.txt {flags} {more}"))
        };
        let json = run("--format json");
        assert_eq!((json.errors.as_str(), json.status), ("", 0), "{encoding}");
        let record: serde_json::Value = serde_json::from_str(&json.output).unwrap();
        assert_eq!(record["verdict"], "identical", "{encoding}");
        assert_eq!(
            (&record["a"]["encoding"], &record["a"]["encoding_by"]),
            (&"utf-8".into(), &"content".into())
        );
        assert_eq!(
            (&record["b"]["encoding"], &record["b"]["encoding_by"]),
            (&(*encoding).into(), &(*by).into())
        );
        assert_eq!(record["b"]["bytes"], bytes.len());
        let known = match *by {
            "mark" => "UTF-16LE with byte order mark; ".to_owned(),
            "given" => "EUC-JP as given; ".to_owned(),
            _ => " by content; ".to_owned(),
        };
        let lines = run("--details").output;
        assert!(lines.lines().nth(3).unwrap().contains(&known), "{lines}");
    }
}

#[test]
fn damage_is_an_error_unless_it_may_be_replaced() {
    let french = format!("{FRENCH}Le voisin apportait du pain frais.\n");
    let mut damaged = french.as_bytes().to_vec();
    damaged.remove(5); // the second byte of the first é
    let files = [("good.txt", french.as_bytes()), ("bad.txt", damaged.as_slice())];
    let run = |line: &str| in_folder("damaged", &files, line);
    let strict = run("bad.txt good.txt");
    assert_eq!(
        strict.errors,
        "dedup: bad.txt: damaged UTF-8: byte 0xc3 at offset 4, expected a text in UTF-8\nhint: \
         --lossy reads it anyway, with a warning; --encoding NAME reads it in another encoding\n"
    );
    assert_eq!((strict.output.as_str(), strict.status), ("", 2));
    let lossy = run("bad.txt good.txt --lossy");
    let warning = "warning: the left text is damaged: bytes were replaced by U+FFFD in 1 place\n";
    assert!(lossy.output.contains(warning), "{}", lossy.output);
    assert_eq!((lossy.errors.as_str(), lossy.status), ("", 0));
    let record: serde_json::Value =
        serde_json::from_str(&run("good.txt bad.txt --lossy --format json").output).unwrap();
    let warning = &record["warnings"][0];
    assert_eq!((&warning["code"], &warning["file"]), (&"bytes-replaced".into(), &"b".into()));
}
