use super::*;

/// Formats the events on one line: `<name`, `>`, and texts.
fn events(xml: &str) -> Result<String, String> {
    let mut reader = XmlReader::new(xml, "docx", "a.xml");
    let mut line = String::new();
    loop {
        match reader.next().map_err(|reason| reason.to_string())? {
            None => return Ok(line),
            Some(Event::Open(element)) => line.extend(["<", element.name()]),
            Some(Event::Close) => line.push('>'),
            Some(Event::Text(text)) => line.push_str(&text),
        }
    }
}

#[test]
fn elements_and_texts_come_in_their_order() {
    #[rustfmt::skip]
    let table = [
        ("one",           "<a>tea</a>",                          "<atea>"),
        ("empty",         "<a><b/><b></b></a>",                  "<a<b><b>>"),
        ("prefixes",      "<w:a xmlns:w='x'>tea</w:a>",          "<atea>"),
        ("its own five",  "<a>&lt;&gt;&amp;&quot;&apos;</a>",    "<a<>&\"'>"),
        ("by number",     "<a>caf&#233; &#x1F600;</a>",          "<acafé 😀>"),
        ("as it stands",  "<a><![CDATA[<b>&amp;]]></a>",         "<a<b>&amp;>"),
        ("line ends",     "<a>1\r\n2\r3</a>",                    "<a1\n2\n3>"),
        ("no text",       "<?xml version='1.0'?><a><!-- no --><?no no?></a>", "<a>"),
        ("a declaration", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>d</a>", "<ad>"),
    ];
    for (why, xml, want) in table {
        assert_eq!(events(xml).as_deref(), Ok(want), "{why}");
    }
}

#[test]
fn what_is_not_well_formed_is_damaged() {
    let laughs = "<!DOCTYPE a [<!ENTITY b 'haha'><!ENTITY c '&b;&b;'>]><a>&c;</a>";
    #[rustfmt::skip]
    let table = [
        ("nothing",          "",               "after 0 bytes: no element"),
        ("no element",       "tea",            "after 3 bytes: no element"),
        ("cut",              "<a><b>tea</b>",  "after 13 bytes: cut"),
        ("crossed",          "<a><b></a></b>", "after 6 bytes: ill-formed document: expected `</b>`, but `</a>` was found"),
        ("closed only",      "</a>",           "after 0 bytes: ill-formed document: close tag `</a>` does not match any open tag"),
        ("of a page",        "<a>&nbsp;</a>",  "after 9 bytes: unknown entity &nbsp;"),
        ("declared here",    laughs,           "after 59 bytes: unknown entity &c;"),
        ("no such letter",   "<a>&#0;</a>",    "after 7 bytes: unknown entity &#0;"),
        ("too high",         "<a>&#x110000;</a>", "after 13 bytes: unknown entity &#x110000;"),
    ];
    for (why, xml, want) in table {
        let want = format!("damaged docx: a.xml, {want}");
        assert_eq!(events(xml), Err(want), "{why}");
    }
}

#[test]
fn elements_inside_one_another_have_an_end() {
    let nested = |deep: usize| format!("{}{}", "<a>".repeat(deep), "</a>".repeat(deep));
    assert_eq!(events(&nested(1_000)).map(|line| line.len()), Ok(3_000));
    let reason = events(&"<a>".repeat(1_000_000)).unwrap_err();
    assert_eq!(reason, "more than 1000 nested elements, expected fewer");
}

#[test]
fn attributes_are_found_by_name() {
    let xml = "<a xmlns:w='1' w:val='two &amp; &#51;' val='4' w:b=\"\" c='&no;'/>";
    let mut reader = XmlReader::new(xml, "docx", "a.xml");
    let Ok(Some(Event::Open(element))) = reader.next() else { panic!("an element") };
    #[rustfmt::skip]
    let table = [
        ("the first of two", "val", Some("two & 3")),
        ("empty",            "b",   Some("")),
        ("none",             "d",   None),
        ("no attribute",     "w",   None),
        ("not well formed",  "c",   None),
    ];
    for (why, name, want) in table {
        assert_eq!(element.attribute(name).as_deref(), want, "{why}");
    }
}

#[test]
fn encodings_are_those_of_the_mark_or_the_declaration() {
    let wide = |text: &str, swap: bool| -> Vec<u8> {
        let bytes = |unit: u16| if swap { unit.to_be_bytes() } else { unit.to_le_bytes() };
        text.encode_utf16().flat_map(bytes).collect()
    };
    let declared = "<?xml version='1.0' encoding='UTF-16'?><a>é</a>";
    let marked = |mark: &[u8], rest: Vec<u8>| [mark, &rest].concat();
    #[rustfmt::skip]
    let table = [
        ("plain",           "<a>é</a>".into(),                                Ok("<a>é</a>".into())),
        ("a mark",          "\u{feff}<a>é</a>".into(),                        Ok("<a>é</a>".into())),
        ("little end",      marked(b"\xff\xfe", wide("<a>é</a>", false)),     Ok("<a>é</a>".into())),
        ("big end",         marked(b"\xfe\xff", wide("<a>é</a>", true)),      Ok("<a>é</a>".into())),
        ("no mark, little", wide(declared, false),                            Ok(declared.into())),
        ("no mark, big",    wide(declared, true),                             Ok(declared.into())),
        ("wrongly wide",    declared.into(),                                  Ok(declared.into())),
        ("Latin",           b"<?xml encoding = \"iso-8859-1\" ?><a>\xe9</a>".to_vec(), Ok("<?xml encoding = \"iso-8859-1\" ?><a>é</a>".into())),
        ("not declared",    b"<a>\xe9</a>".to_vec(),                          Err("bytes that are not UTF-8")),
        ("half a letter",   marked(b"\xff\xfe", b"<\0a".to_vec()),            Err("bytes that are not UTF-16LE")),
        ("unknown",         b"<?xml encoding='EBCDIC'?><a/>".to_vec(),        Err("in an unknown encoding, EBCDIC")),
        ("no value",        b"<?xml encoding?><a/>".to_vec(),                 Ok("<?xml encoding?><a/>".into())),
        ("nothing",         Vec::new(),                                       Ok(String::new())),
    ];
    for (why, bytes, want) in table {
        let read = decode(bytes, "docx", "a.xml").map_err(|reason| reason.to_string());
        let want = want.map_err(|found| format!("damaged docx: a.xml: {found}"));
        assert_eq!(read, want, "{why}");
    }
}

#[test]
fn properties_are_read_as_far_as_they_stand_there() {
    let names = ["creator", "lastModifiedBy", "created"];
    let said = |xml: &str| {
        let Properties { author, last_modified_by, created } = properties(xml, names);
        [author, last_modified_by, created].map(Option::unwrap_or_default)
    };
    #[rustfmt::skip]
    let table = [
        (
            "all",
            "<a><dc:creator>Olga &amp; B</dc:creator><x>no</x><cp:lastModifiedBy>Felix</cp:lastModifiedBy>\
             <b:created>2026</b:created></a>",
            ["Olga & B", "Felix", "2026"],
        ),
        ("twice",     "<a><creator>A</creator><creator>B</creator></a>",  ["A", "", ""]),
        ("empty",     "<a><creator/><lastModifiedBy> </lastModifiedBy></a>", ["", "", ""]),
        ("cut",       "<a><creator>A</creator><created>2",               ["A", "", ""]),
        ("unknown",   "<a><creator>A&x;</creator></a>",                  ["", "", ""]),
        ("nothing",   "",                                                ["", "", ""]),
    ];
    for (why, xml, want) in table {
        assert_eq!(said(xml), want, "{why}");
    }
}
