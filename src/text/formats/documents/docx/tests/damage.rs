//! Tests of documents that are truncated, changed or malicious.

use proptest::prelude::*;

use super::*;
use crate::text::formats::documents::document_tests::elements;
use crate::text::formats::tests::letters_are_of;

const OFFICE: &[u8] = include_bytes!("../../../../../../tests/documents/libreoffice.docx");

fn refused(parts: &[(&str, &str)]) -> String {
    read(parts).unwrap_err().to_string()
}

#[test]
fn a_cut_document_is_damaged_wherever_it_is_cut() {
    for length in (0..OFFICE.len()).step_by(97) {
        let reason = text(&OFFICE[..length], &Bounds::default()).unwrap_err();
        let want = "damaged docx: truncated, or without a list of its parts";
        assert_eq!(reason.to_string(), want, "{length} bytes");
    }
}

#[test]
fn parts_may_be_missing_where_nothing_is_lost() {
    let relations = ("word/_rels/document.xml.rels", RELATIONS);
    let plain = document(&paragraph("tea"));
    let noted = document("<w:p><w:r><w:footnoteReference w:id='1'/></w:r></w:p>");
    let top = |target: &str| {
        format!("<Relationships><Relationship Type='x/officeDocument' {target}/></Relationships>")
    };
    let (outside, odd) = (top("Target='../../etc/passwd'"), top("Target='odd/name.xml'"));
    let external = top("Target='http://example.org/a.xml' TargetMode='External'");
    let missing = "damaged docx: part word/footnotes.xml is missing";
    #[rustfmt::skip]
    let table: [(&str, &[(&str, &str)], Result<&str, &str>); 9] = [
        ("styles and notes",    &[("word/document.xml", &plain)],                             Ok("tea\n")),
        ("no styles",           &[("word/document.xml", &plain), relations], Ok("tea\n")),
        ("a part of notes",     &[("word/document.xml", &noted), relations],                  Err(missing)),
        ("notes without any",   &[("word/document.xml", &noted)],                             Err("damaged docx: part footnotes is missing")),
        ("the text",            &[("word/styles.xml", "<a/>")],                               Err("damaged docx: part word/document.xml is missing")),
        (
            "an empty text",
            &[("word/document.xml", "")],
            Err("damaged docx: word/document.xml, after 0 bytes: no element"),
        ),
        ("named otherwise",     &[("_rels/.rels", &odd), ("odd/name.xml", &plain)],           Ok("tea\n")),
        ("out of the document", &[("_rels/.rels", &outside), ("word/document.xml", &plain)],  Ok("tea\n")),
        ("on another machine",  &[("_rels/.rels", &external), ("word/document.xml", &plain)], Ok("tea\n")),
    ];
    for (why, parts, want) in table {
        let read = read(parts).map(|read| read.content).map_err(|reason| reason.to_string());
        assert_eq!(read.as_deref().map_err(String::as_str), want, "{why}");
    }
}

#[test]
fn an_archive_in_place_of_the_text_is_damaged() {
    let bytes = pack(&[("word/document.xml", OFFICE)]);
    let reason = text(&bytes, &Bounds::default()).unwrap_err().to_string();
    assert_eq!(reason, "damaged docx: word/document.xml: bytes that are not UTF-8");
}

#[test]
fn entities_are_not_expanded() {
    let laugh = |number: usize| {
        let before = format!("&e{};", number - 1).repeat(10);
        format!("<!ENTITY e{number} '{before}'>")
    };
    let laughs = (1..10).map(laugh).collect::<Vec<_>>().concat();
    let body =
        format!("<!DOCTYPE w [<!ENTITY e0 'haha'>{laughs}]>{}", document(&paragraph("&e9;")));
    let reason = refused(&[("word/document.xml", &body)]);
    assert!(reason.ends_with(": unknown entity &e9;"), "{reason}");
}

#[test]
fn a_part_that_nests_too_deeply_is_refused() {
    let deep = refused(&[("word/document.xml", &"<w:p>".repeat(1_000_000))]);
    assert_eq!(deep, "more than 1000 nested elements, expected fewer");
}

#[test]
fn a_note_is_written_once_however_often_it_is_referred_to() {
    let body = "<w:p><w:r><w:footnoteReference w:id='1'/></w:r></w:p>".repeat(10_000);
    let note = format!(
        "<w:footnotes><w:footnote w:id='1'>{}</w:footnote></w:footnotes>",
        paragraph(&"tea ".repeat(1_000))
    );
    let relations = ("word/_rels/document.xml.rels", RELATIONS);
    let ends = ("word/endnotes.xml", "<w:endnotes/>");
    let parts =
        [("word/document.xml", &*document(&body)), relations, ("word/footnotes.xml", &note), ends];
    assert_eq!(read(&parts).unwrap().content.len(), 10_000 + 4 * 1_000 + 1);
}

#[test]
fn a_part_that_lost_its_name_takes_no_word_with_it() {
    let name = b"docProps/core.xml";
    let mut bytes = OFFICE.to_vec();
    let at = bytes.windows(name.len()).rposition(|it| it == name).unwrap();
    bytes[at] = b'x';
    let [whole, damaged] = [OFFICE, &bytes].map(|bytes| text(bytes, &Bounds::default()).unwrap());
    assert!(whole.properties.created.is_some() && damaged.properties.is_empty());
    assert_eq!(damaged.content, whole.content);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn bytes_that_are_not_a_document_are_damaged(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        let reason = text(&bytes, &Bounds::default()).unwrap_err().to_string();
        let is_xml = bytes.trim_ascii_start().starts_with(b"<");
        let no_archive = "damaged docx: truncated, or without a list of its parts";
        prop_assert!(reason == no_archive || is_xml && reason.starts_with("damaged docx: "), "{}", reason);
        let packed = pack(&[("word/document.xml", &bytes)]);
        let reason = text(&packed, &Bounds::default()).unwrap_err().to_string();
        prop_assert!(reason.starts_with("damaged docx: word/document.xml"), "{}", reason);
    }

    #[test]
    fn a_damaged_part_is_named_and_a_sound_one_has_all_letters_of_the_text(
        body in "(<w:p/>|<w:p>|</w:p>|<w:tab/>|<w:t>[a-zé ]{0,9}</w:t>|[a-z]{1,3}|&amp;|&x;|<!--|-->){0,9}",
    ) {
        match read(&[("word/document.xml", &document(&body))]) {
            Ok(read) => prop_assert!(letters_are_of(&body, &read.content), "{}", read.content),
            Err(reason) => {
                let reason = reason.to_string();
                prop_assert!(reason.starts_with("damaged docx: word/document.xml, after "), "{}", reason);
            }
        }
    }

    #[test]
    fn a_changed_byte_is_reported_or_changes_no_word(at in 0..OFFICE.len(), byte in any::<u8>()) {
        let mut bytes = OFFICE.to_vec();
        bytes[at] = byte;
        if let Ok(read) = text(&bytes, &Bounds::default()) {
            // The properties are not part of the text, and are lost if the name of their part is
            // changed.
            let want = text(OFFICE, &Bounds::default()).unwrap();
            let properties = crate::text::Properties::default();
            prop_assert_eq!(
                Extracted { properties: properties.clone(), ..read },
                Extracted { properties, ..want }
            );
        }
    }

    #[test]
    fn elements_in_any_order_have_no_text_but_their_own(
        steps in proptest::collection::vec(0_usize..20, 0..80),
    ) {
        const NAMES: [&str; 19] = [
            "p", "r", "t", "pPr", "rPr", "tbl", "tc", "tcPr", "txbxContent", "footnote",
            "AlternateContent", "Choice", "Fallback", "del", "vanish", "fldChar w:fldCharType='begin'",
            "fldChar w:fldCharType='end'", "tab", "shd w:fill='000000'",
        ];
        let body = elements(&steps, "w:", &NAMES);
        let read = read(&[("word/document.xml", &document(&body))]).unwrap();
        let text = read.hidden.concat() + &read.content;
        prop_assert!(text.replace("tea", "").trim().is_empty(), "{}", text);
    }
}
