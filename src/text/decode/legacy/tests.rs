use super::*;

/// Encodes a text; each of its characters must be in the encoding.
fn encoded(text: &str, letters: SingleByte) -> Vec<u8> {
    let all: Vec<u8> = (0..=u8::MAX).collect();
    let table = letters.characters(&all);
    let byte =
        |letter: char| table.iter().position(|it| *it == Some(letter)).expect("a letter of it");
    text.chars().map(|letter| u8::try_from(byte(letter)).unwrap()).collect()
}

fn letters(label: &str) -> SingleByte {
    SingleByte::from_label(label).unwrap()
}

#[test]
fn letters_are_those_of_the_code_pages() {
    #[rustfmt::skip]
    let table: &[(&str, &[u8], &str)] = &[
        ("cp437",          b"caf\x82 \xe1",  "café ß"),
        ("cp850",          b"\x9b\xb5",      "øÁ"),
        ("ibm852",         b"\x88\xa5\xbe",  "łąż"),
        ("cp737",          b"\x98",          "α"),
        ("cp855",          b"\xa0\xa1",      "аА"),
        ("x-mac-ce",       b"\x88\xb8\xfd",  "ąłż"),
        ("x-mac-greek",    b"\xe1",          "α"),
        ("x-mac-turkish",  b"\xdb\xdd",      "ğı"),
    ];
    for (label, bytes, want) in table {
        let read: Option<String> = letters(label).characters(bytes).into_iter().collect();
        assert_eq!(read.as_deref(), Some(*want), "{label}");
        assert_eq!(encoded(want, letters(label)), *bytes, "{label}");
        let encoding = Encoding::from_label(label).unwrap();
        assert_eq!(Encoding::from_label(&encoding.name()), Some(encoding), "{label}");
    }
    assert_eq!(letters("cp857").characters(b"\xd5"), [None]);
    assert_eq!(SingleByte::from_label("cp1"), None);
    assert!(MAC.iter().all(|(_, letters)| letters.chars().count() == 128));
}

/// As encoded by Python: "한글은 말을 적는 글자이다".
#[test]
fn korean_is_read_in_both_of_its_old_encodings() {
    let want = "한글은 말을 적는 글자이다";
    let johab = b"\xd0\x65\x8b\x69\xb7\x65 \xa0\x69\xb7\x69 \xb8\xe2\x93\x65 \x8b\x69\xb8\x61\xb7\xa1\x94\x61";
    let switched = b"\x1b$)C\x0eGQ1[@:\x0f \x0e8;@;\x0f \x0e@{4B\x0f \x0e1[@Z@L4Y\x0f";
    for (label, bytes) in [("johab", &johab[..]), ("iso-2022-kr", switched)] {
        let encoding = Encoding::from_label(label).unwrap();
        assert_eq!(decode(bytes.to_vec(), encoding).strict().unwrap().content, want, "{label}");
        assert_eq!(super::super::detect(bytes), Ok(encoding), "{label}");
    }
    let lone = decode(b"a\xd0".to_vec(), Encoding::from_label("johab").unwrap()).strict();
    assert_eq!(lone.unwrap_err().offset, 1);
}

#[test]
fn words_show_the_encoding() {
    let french =
        "L'été dernier, les élèves étaient allés à la mer, où ils ont rencontré un pêcheur âgé.";
    let polish =
        "Wczesną jesienią rybacy wypływali w morze, żeby złowić śledzie, a ich żony suszyły sieci.";
    let german =
        "Über die Brücke führt für uns ein Weg, während größere Wagen nur hören, was möglich wäre.";
    let greek =
        "Το καλοκαίρι τα παιδιά πήγαν στη θάλασσα και είδαν από κοντά τον ψαρά που ήταν γέρος.";
    let russian =
        "Вчера вечером мы долго шли по лесу и собирали грибы, а потом пошёл дождь, и мы вернулись.";
    let ukrainian =
        "Учора ввечері ми довго йшли лісом і збирали гриби, а потім пішов дощ, і ми повернулися.";
    let czech = "Včera večer jsme dlouho šli lesem a sbírali houby, když začalo pršet, protože už bylo zataženo.";
    let hungarian = "Tegnap este sokáig mentünk az erdőben és gombát szedtünk, aztán eső esett, és hazatértünk, mert későre járt.";
    let turkish = "Dün akşam uzun süre ormanda yürüdük ve mantar topladık, sonra yağmur başladı çünkü gök karardı.";
    #[rustfmt::skip]
    let table = [
        (french, "cp850"), (french, "cp437"), (german, "cp850"), (german, "cp437"), (polish, "cp852"), (polish, "x-mac-ce"),
        (greek, "cp737"), (greek, "x-mac-greek"), (russian, "cp855"), (czech, "cp852"), (czech, "x-mac-ce"), (hungarian, "cp852"),
        (turkish, "cp857"), (turkish, "x-mac-turkish"),
    ];
    for (text, label) in table {
        let bytes = encoded(text, letters(label));
        let found = super::super::detect(&bytes).unwrap();
        assert_eq!(decode(bytes, found).strict().unwrap().content, text, "{label}: {found}");
        assert!(!is_doubtful(text), "{label}");
    }
    let standard =
        ["windows-1252", "windows-1250", "macintosh", "x-mac-cyrillic", "koi8-u", "windows-1251"];
    for text in [french, polish, german, russian, ukrainian, czech, hungarian] {
        for label in standard {
            let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
            let (bytes, _, is_lossy) = encoding.encode(text);
            if !is_lossy {
                let found = super::super::detect(&bytes).unwrap();
                let read = decode(bytes.to_vec(), found).strict().unwrap().content;
                assert_eq!(read, text, "{label}: {found}");
            }
        }
    }
}

#[test]
fn words_of_no_language_are_in_doubt() {
    #[rustfmt::skip]
    let table = [
        ("nothing",              "",                                     false),
        ("a control character",  "caf\u{8f}",                            true),
        ("names",                "café, Škoda, naïve, Ærø, l’été",        false),
        ("capitals in them",     "aŽb cŽd eŽf gŽh",                      true),
        ("one of many",          "aŽb café thé été né",                  false),
        ("two scripts",          "aж bж cж dж",                          true),
        ("signs",                "a§b c§d e§f g§h",                      true),
        ("words with a hyphen",  "été‑là été·là été’là été—là",          false),
    ];
    for (why, text, want) in table {
        assert_eq!(is_doubtful(text), want, "{why}");
    }
}
