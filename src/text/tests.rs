//! Tests of decoding entire files.

use proptest::prelude::*;

use super::assemble::Content;
use super::*;

fn decoded(bytes: &[u8]) -> Result<Text, ReadTextError> {
    Text::from_bytes(Path::new("x.txt"), bytes.to_vec())
}

#[test]
fn a_mark_is_no_part_of_the_text() {
    #[rustfmt::skip]
    let table: &[(&str, &[u8], &str, usize, &str)] = &[
        ("nothing",            b"",                         "",         0, "utf-8"),
        ("plain",              b"abc",                      "abc",      0, "utf-8"),
        ("mark and nothing",   b"\xef\xbb\xbf",             "",         3, "utf-8"),
        ("mark and text",      b"\xef\xbb\xbfabc",          "abc",      3, "utf-8"),
        ("a second one is invisible", b"\xef\xbb\xbf\xef\xbb\xbfa", "a", 3, "utf-8"),
        ("UTF-16",             b"\xff\xfea\0b\0",           "ab",       2, "utf-16le"),
        ("the other order",    b"\xfe\xff\0a\0b",           "ab",       2, "utf-16be"),
        ("UTF-32",             b"\xff\xfe\0\0a\0\0\0",     "a",        4, "utf-32le"),
        ("the other order",    b"\0\0\xfe\xff\0\0\0a",     "a",        4, "utf-32be"),
    ];
    for (why, bytes, content, mark, encoding) in table {
        let text = decoded(bytes).unwrap();
        assert_eq!((text.content(), text.bytes(), text.mark()), (*content, bytes.len(), *mark));
        assert_eq!(text.encoding().name(), *encoding, "{why}");
        let by = if *mark > 0 { EncodingBy::Mark } else { EncodingBy::Content };
        assert_eq!(text.encoding_by(), by, "{why}");
    }
}

#[test]
fn bad_bytes_are_named_by_their_offset_in_the_file() {
    #[rustfmt::skip]
    let table: &[(&str, &[u8], &str)] = &[
        ("after a mark",     b"\xef\xbb\xbfcaf\xe9 ",   "x.txt: damaged UTF-8: byte 0xe9 at offset 6, expected a text in UTF-8"),
        ("one among many",   "é, è, ê ".as_bytes(),      ""),
        ("a cut end",        b"ab\xe2\x82",             "x.txt: damaged UTF-8: byte 0xe2 at offset 2, expected a text in UTF-8"),
        ("a cut end, é before", b"\xc3\xa9 \xc3",       "x.txt: damaged UTF-8: byte 0xc3 at offset 3, expected a text in UTF-8"),
        ("a NUL",            b"ab\0cd",                 "x.txt: not a text: NUL byte at offset 2"),
        ("NUL after a mark", b"\xef\xbb\xbf\0",         "x.txt: not a text: NUL byte at offset 3"),
        ("NUL in UTF-16",    b"\xff\xfea\0\0\0",        "x.txt: not a text: NUL byte at offset 4"),
        ("half a surrogate", b"\xff\xfea\0\x3d\xd8b\0",  "x.txt: damaged UTF-16LE: byte 0x3d at offset 4, expected a text in UTF-16LE"),
        ("half a unit",      b"\xff\xfea\0b",           "x.txt: damaged UTF-16LE: byte 0x62 at offset 4, expected a text in UTF-16LE"),
        ("control characters", b"\x1f\x8a\x08\x03\xff\x02", "x.txt: not a text: control byte 0x1f at offset 0"),
        ("an archive",       b"7z\xbc\xaf\x27\x1c\0\x04", "x.txt: not a text: an archive (7z), expected a text or a document of text"),
        ("a NUL among letters", b"ab\0cde",              "x.txt: not a text: NUL byte at offset 2"),
        ("three bytes",      b"a\0b",                   "x.txt: not a text: NUL byte at offset 1"),
        ("an executable",    b"\x7fELF\x02\x01\x01\0\0\0\0\0", "x.txt: not a text: NUL byte at offset 7"),
    ];
    for (why, bytes, message) in table {
        let found = decoded(bytes).err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(found, *message, "{why}");
    }
    let mut damaged = "Grüße aus Köln, schöne Füße".as_bytes().to_vec();
    damaged.remove(3); // the second byte of ü
    let found = decoded(&damaged).unwrap_err().to_string();
    assert_eq!(found, "x.txt: damaged UTF-8: byte 0xc3 at offset 2, expected a text in UTF-8");
}

#[test]
fn a_panic_costs_the_text_that_is_read_and_names_it() {
    let read = isolated(Path::new("x.txt"), || panic!("made up by a test"));
    let message = read.unwrap_err().to_string();
    assert_eq!(message, "x.txt: a bug in dedup: made up by a test, expected to read any file");
    let text = isolated(Path::new("x.txt"), || decoded(b"kettle")).unwrap();
    assert_eq!(text.content(), "kettle");
    let error = isolated(Path::new("x.txt"), || decoded(b"ab\0cd")).unwrap_err();
    assert_eq!(error.to_string(), "x.txt: not a text: NUL byte at offset 2");
}

#[test]
fn a_given_encoding_is_not_detected() {
    let read = |bytes: &[u8], label, lossy| {
        let encoding = Encoding::from_label(label);
        let options = ReadOptions { encoding, lossy, ..ReadOptions::default() };
        let text = Text::decode(Path::new("x"), bytes.to_vec(), &options)?;
        assert_eq!(text.encoding_by(), EncodingBy::Given);
        Ok::<_, ReadTextError>((text.content().to_owned(), text.replaced()))
    };
    let utf_8 = "é".as_bytes();
    assert_eq!(read(utf_8, "latin1", false).unwrap(), ("Ã©".to_owned(), 0));
    // The byte order mark of the given encoding is removed, that of another one is decoded.
    assert_eq!(read(b"\xff\xfea\0", "utf-16", false).unwrap(), ("a".to_owned(), 0));
    assert_eq!(read(b"\xef\xbb\xbfa", "latin1", false).unwrap(), ("ï»¿a".to_owned(), 0));
    assert_eq!(read(b"a\xe9b \xff", "utf-8", true).unwrap(), ("a\u{fffd}b \u{fffd}".to_owned(), 2));
    let strict = read(b"a\xe9b \xff", "utf-8", false).unwrap_err().to_string();
    assert_eq!(strict, "x: damaged UTF-8: byte 0xe9 at offset 1, expected a text in UTF-8");
}

proptest! {
    #[test]
    fn a_string_is_read_like_a_file(
        name in "a(\\.(txt|md|tex|html|ipynb|csv))?",
        content in "(\u{feff}|<html>|# |[{]\"cells\":|%PDF-|\u{1b}\\$B|PK\u{3}\u{4})?([a-z\u{0}\u{ad}\u{202e}п]|<b>|[ \n]){0,60}",
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, &content).unwrap();
        let opened = Text::open(&path, &ReadOptions::default()).map_err(|it| it.to_string());
        prop_assert_eq!(Text::new(&path, content).map_err(|it| it.to_string()), opened);
    }

    #[test]
    fn utf_8_is_never_read_as_anything_else(content in "[^\\x00-\\x1f]{0,80}|[ -~\n\té水]{0,80}") {
        let options = ReadOptions::default();
        let read = Content::new(Path::new("x"), content.clone().into_bytes(), &options, None).unwrap();
        let content = content.strip_prefix('\u{feff}').unwrap_or(&content);
        prop_assert_eq!((&*read.characters, read.encoding), (content, Encoding::UTF_8));
    }

    /// Any bytes are either a text without a NUL or an error. If invalid bytes may be replaced,
    /// damage is not an error.
    #[test]
    fn any_bytes_are_a_text_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(text) = decoded(&bytes) {
            prop_assert!(!text.content().contains('\0'));
            prop_assert_eq!(text.bytes(), bytes.len());
        }
        let options = ReadOptions { lossy: true, ..ReadOptions::default() };
        let lossy = Text::decode(Path::new("x"), bytes, &options);
        let is_allowed = matches!(lossy, Ok(_) | Err(ReadTextError::NotText { .. } | ReadTextError::Refused { .. }));
        prop_assert!(is_allowed, "{:?}", lossy);
    }
}

/// No name of a person or a file is left at any level of the text.
#[test]
fn a_renamed_text_has_no_name_but_the_new_one() {
    let marker = "dedup: ignore-start\n";
    let files = ["ann/a.txt", "ann/b.txt"].map(|name| {
        let mut file =
            Text::from_bytes(Path::new(name), format!("{marker}a\u{430}ple\n").into()).unwrap();
        let author = Some("ann".to_owned());
        let properties = Properties { author, ..Properties::default() };
        let own = file.extras.take().map_or(TextExtras::NONE, |own| *own);
        file.extras = TextExtras { unread: Some("ann".to_owned()), properties, ..own }.boxed();
        file
    });
    let text = Text::joined(Path::new("ann"), files.to_vec());
    assert_eq!((text.disguises().len(), text.marked().lone.len()), (2, 2));
    let renamed = text.clone().renamed(&|path| format!("x{}", path.as_os_str().len()).into());
    let written = format!("{renamed:?}");
    assert!(!written.contains("ann") && !written.contains(".txt"), "{written}");
    let names = renamed.files().map(|file| file.path().to_str().unwrap()).collect::<Vec<_>>();
    assert_eq!((renamed.path(), names), (Path::new("x3"), vec!["x9", "x9"]));
    assert_eq!((renamed.content(), renamed.bytes()), (text.content(), text.bytes()));
}

/// No example of a disguise and no person is left at any level.
#[test]
fn a_text_without_words_keeps_what_has_none() {
    let files = ["a.txt", "b.txt"].map(|name| {
        let mut file = Text::from_bytes(Path::new(name), "One a\u{430}ple\n".into()).unwrap();
        let named = || Some("ann".to_owned());
        let created = Some("2026-11-29".to_owned());
        let properties = Properties { author: named(), last_modified_by: named(), created };
        let own = file.extras.take().map_or(TextExtras::NONE, |own| *own);
        file.extras = TextExtras { properties, ..own }.boxed();
        file
    });
    let text = Text::joined(Path::new("both"), files.to_vec());
    let bare = text.clone().without_words();
    assert!(bare.disguises().iter().all(|found| found.example.is_empty()));
    let persons = bare.files().map(|file| {
        let Properties { author, last_modified_by, .. } = file.properties();
        (author.clone(), last_modified_by.clone())
    });
    assert_eq!(persons.collect::<Vec<_>>(), [(None, None), (None, None)]);
    let kept = |text: &Text| {
        let files =
            text.files().map(|file| (file.path().to_owned(), file.properties().created.clone()));
        let disguises =
            text.disguises().iter().map(|it| (it.trick, it.words, it.line, it.file.clone()));
        (text.content().to_owned(), files.collect::<Vec<_>>(), disguises.collect::<Vec<_>>())
    };
    assert_eq!(kept(&bare), kept(&text));
    let plain = Text::from_bytes(Path::new("c"), "One apple\n".into()).unwrap();
    assert_eq!(plain.clone().without_words(), plain);
}

mod detected {
    use super::*;

    const FRENCH: &str =
        "L’été dernier, à la forêt, nous avons mangé des crêpes et bu du café « noir ».\n";
    const GERMAN: &str =
        "Die Bäckerei öffnet früh; über den Dächern hört man Vögel, und draußen riecht es süß.\n";
    const POLISH: &str =
        "Zażółć gęślą jaźń. Wieczorem książka leżała na półce, a źrebię spało w stajni.\n";
    const RUSSIAN: &str =
        "Вчера вечером мы долго шли по лесу и собирали грибы. Потом пошёл дождь.\n";
    const JAPANESE: &str = "昨日の夜、私たちは長い間森の中を歩きました。そして雨が降り始めたので、急いで家に帰りました。\n";
    const CHINESE: &str =
        "昨天晚上，我们在森林里走了很久，采了许多蘑菇。后来下起了雨，大家就赶快回家了。\n";
    const KOREAN: &str =
        "어제 저녁에 우리는 숲 속을 오래 걸으며 버섯을 땄다. 그러다가 비가 내리기 시작했다.\n";

    fn encoded(text: &str, label: &str) -> Vec<u8> {
        match label {
            "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            "utf-16be" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            "utf-32le" => text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
            "utf-32be" => text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect(),
            label => {
                let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
                let (bytes, _, unmappable) = encoding.encode(text);
                assert!(!unmappable, "{label}");
                bytes.into_owned()
            }
        }
    }

    #[test]
    fn every_encoding_gives_the_text_that_was_written() {
        #[rustfmt::skip]
        let table = [
            (FRENCH,   &["windows-1252"][..]),
            (GERMAN,   &["latin1", "iso-8859-15"]),
            (POLISH,   &["iso-8859-2", "windows-1250"]),
            (RUSSIAN,  &["koi8-r", "windows-1251", "ibm866", "iso-8859-5"]),
            (JAPANESE, &["shift_jis", "euc-jp"]),
            (CHINESE,  &["gbk", "gb18030"]),
            (KOREAN,   &["euc-kr"]),
        ];
        for (text, labels) in table {
            let unicode = ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"];
            for label in labels.iter().chain(&unicode) {
                for times in [1, 4] {
                    let text = text.repeat(times);
                    let read = decoded(&encoded(&text, label)).unwrap();
                    assert_eq!(read.content(), text, "{label} read as {}", read.encoding().name());
                    assert_eq!(read.encoding_by(), EncodingBy::Content);
                }
            }
        }
    }

    #[test]
    fn a_nul_here_and_there_is_white_space() {
        let text = |nuls: usize, bytes: usize| {
            let mut text = "kettle ".repeat(bytes / 7 + 1).into_bytes();
            text.truncate(bytes);
            text.iter_mut().skip(6).step_by(7).take(nuls).for_each(|byte| *byte = 0);
            text
        };
        #[rustfmt::skip]
        let table = [
            ("one in a thousand",  text(1, 1000), Some("1 NUL byte read as white space")),
            ("several",            text(3, 3500), Some("3 NUL bytes read as white space")),
            ("more than that",     text(1, 999),  None),
            ("in windows-1252",    [b"caf\xe9 ".to_vec(), text(1, 1000)].concat(), Some("1 NUL byte read as white space")),
        ];
        for (why, bytes, want) in table {
            let read = decoded(&bytes);
            assert_eq!(read.as_ref().ok().and_then(Text::unread), want, "{why}");
            assert!(read.is_err() || !read.unwrap().content().contains('\0'), "{why}");
        }
    }

    #[test]
    fn utf_16_without_a_line_end_has_no_nul_and_is_known_all_the_same() {
        for text in [RUSSIAN, JAPANESE, CHINESE] {
            let text: String = text.chars().filter(|letter| !letter.is_ascii()).collect();
            for label in ["utf-16le", "utf-16be"] {
                let bytes = encoded(&text, label);
                assert!(!bytes.contains(&0), "{text}");
                assert_eq!(decoded(&bytes).unwrap().content(), text, "{label}");
            }
        }
    }

    #[test]
    fn what_is_named_as_text_is_read_whole() {
        let mail = "MIME-Version: 1.0\nContent-Type: image/png\n\nkettle";
        let flat =
            "<office:document x='opendocument.text'><text:p>kettle</text:p></office:document>";
        #[rustfmt::skip]
        let table = [
            ("a message",     "a.eml", mail, Kind::Mail),
            ("without a name", "a",    mail, Kind::Mail),
            ("as Word",       "a.doc", mail, Kind::Mail),
            ("as text",       "a.txt", mail, Kind::Plain),
            ("as Markdown",   "a.md",  mail, Kind::Markdown),
            ("a document",    "a.fodt", flat, Kind::Odt),
            ("as text",       "a.TXT", flat, Kind::Plain),
        ];
        for (why, name, bytes, want) in table {
            let text = Text::from_bytes(Path::new(name), bytes.as_bytes().to_vec()).unwrap();
            assert_eq!(text.kind(), want, "{why}");
        }
    }

    #[test]
    fn ten_bytes_are_not_guessed_to_be_utf_16() {
        for label in ["utf-16le", "utf-16be"] {
            assert!(decoded(&encoded("kettl", label)).is_err(), "{label}");
            assert_eq!(decoded(&encoded("kettle", label)).unwrap().content(), "kettle", "{label}");
        }
    }

    /// With their bytes swapped, the letters of either alphabet are ideographs.
    #[test]
    fn the_right_one_of_two_byte_orders_is_found() {
        for text in ["kettle", "если бы"] {
            for label in ["utf-16le", "utf-16be"] {
                assert_eq!(decoded(&encoded(text, label)).unwrap().content(), text, "{label}");
            }
        }
    }

    #[test]
    fn a_single_word_of_another_encoding_is_not_utf_16() {
        for (text, label) in [("café", "latin1"), ("garçon", "latin1"), ("Müller", "latin1")] {
            assert_eq!(decoded(&encoded(text, label)).unwrap().content(), text);
        }
    }
}

#[test]
fn the_beginning_of_a_file_without_text_is_known() {
    let film = b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom";
    #[rustfmt::skip]
    let table: &[(&str, &[u8], bool)] = &[
        ("nothing",                         b"",                                 false),
        ("a text",                          b"BMWs are cars",                    false),
        ("a picture",                       b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",   true),
        ("a film",                          film,                                true),
        ("bytes of no known kind",          b"\x01\x02\0\x03 and more",         true),
        ("UTF-16 with a mark",              b"\xff\xfek\0e\0t\0t\0l\0e\0",     false),
        ("a PDF",                           b"%PDF-1.7\n\0",                     false),
        ("an old Office document",          b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0", false),
        ("a document, cut",                 b"PK\x03\x04\x14\0\0\0",            false),
    ];
    for (why, head, want) in table {
        assert_eq!(is_never_text(head), *want, "{why}");
    }
}
