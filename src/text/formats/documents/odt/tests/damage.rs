//! Tests of documents that are truncated, encrypted or changed.

use proptest::prelude::*;

use super::*;
use crate::text::Properties;
use crate::text::formats::documents::document_tests::elements;
use crate::text::formats::tests::letters_are_of;

const OFFICE: &[u8] = include_bytes!("../../../../../../tests/documents/libreoffice.odt");

#[test]
fn what_cannot_be_read_is_reported() {
    let locked = "<manifest:manifest><manifest:file-entry manifest:full-path='content.xml'>\
                  <manifest:encryption-data/></manifest:file-entry></manifest:manifest>";
    let open = locked.replace("<manifest:encryption-data/>", "");
    let tea = document("", "<text:p>tea</text:p>");
    let laughs =
        format!("<!DOCTYPE a [<!ENTITY b 'haha'>]>{}", document("", "<text:p>&b;</text:p>"));
    #[rustfmt::skip]
    let table: [(&str, &[(&str, &str)], &str); 5] = [
        ("locked",          &[("META-INF/manifest.xml", locked), ("content.xml", "\u{1}")], "password-protected odt, expected one without a password"),
        ("no text",         &[("META-INF/manifest.xml", &open)],                            "damaged odt: part content.xml is missing"),
        ("cut",             &[("content.xml", "<text:p>tea")],                              "damaged odt: content.xml, after 11 bytes: cut"),
        ("damaged styles",  &[("content.xml", &tea), ("styles.xml", "tea")],                "damaged odt: styles.xml, after 3 bytes: no element"),
        ("entities",        &[("content.xml", &laughs)],                                    "damaged odt: content.xml, after 146 bytes: unknown entity &b;"),
    ];
    for (why, parts, want) in table {
        assert_eq!(read(parts).unwrap_err().to_string(), want, "{why}");
    }
    assert_eq!(
        read(&[("META-INF/manifest.xml", &open), ("content.xml", &tea)]).unwrap().content,
        "tea\n"
    );
    let deep = read(&[("content.xml", &"<text:span>".repeat(1_000_000))]).unwrap_err();
    assert!(matches!(deep, ExtractError::TooDeep { max_depth: 1_000 }));
}

#[test]
fn a_cut_document_is_damaged_wherever_it_is_cut() {
    for length in (0..OFFICE.len()).step_by(997) {
        let reason = text("odt", &OFFICE[..length], &Bounds::default()).unwrap_err();
        assert!(matches!(reason, ExtractError::Damaged { kind: "odt", .. }), "{length} bytes");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn bytes_that_are_not_a_document_are_damaged(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        let reason = text("odt", &bytes, &Bounds::default()).unwrap_err().to_string();
        let is_xml = bytes.trim_ascii_start().starts_with(b"<");
        let no_archive = "damaged odt: truncated, or without a list of its parts";
        prop_assert!(reason == no_archive || is_xml && reason.starts_with("damaged odt: "), "{}", reason);
        let packed = pack(&[("content.xml", &bytes)]);
        let reason = text("odt", &packed, &Bounds::default()).unwrap_err().to_string();
        prop_assert!(reason.starts_with("damaged odt: content.xml"), "{}", reason);
    }

    #[test]
    fn a_damaged_part_is_named_and_a_sound_one_has_all_letters_of_the_text(
        body in "(<text:p/>|<text:p>|</text:p>|<text:p>[a-zé ]{0,9}</text:p>|[a-z]{1,3}|&amp;|&x;|<!--|-->){0,9}",
    ) {
        match read(&[("content.xml", &document("", &body))]) {
            Ok(read) => prop_assert!(letters_are_of(&body, &read.content), "{}", read.content),
            Err(reason) => {
                let reason = reason.to_string();
                prop_assert!(reason.starts_with("damaged odt: content.xml, after "), "{}", reason);
            }
        }
    }

    #[test]
    fn a_changed_byte_is_reported_or_changes_no_word(at in 0..OFFICE.len(), byte in any::<u8>()) {
        let mut bytes = OFFICE.to_vec();
        bytes[at] = byte;
        if let Ok(read) = text("odt", &bytes, &Bounds::default()) {
            // The properties are not part of the text, and are lost if the name of their part is
            // changed.
            let want = text("odt", OFFICE, &Bounds::default()).unwrap();
            let properties = Properties::default();
            prop_assert_eq!(
                Extracted { properties: properties.clone(), ..read },
                Extracted { properties, ..want }
            );
        }
    }

    #[test]
    fn elements_in_any_order_have_no_text_but_their_own(
        steps in proptest::collection::vec(0_usize..17, 0..80),
    ) {
        const NAMES: [&str; 16] = [
            "p", "h", "span", "s", "note", "note-body", "note-citation", "text-box", "rect", "frame",
            "table", "table-cell", "covered-table-cell", "section display='none'",
            "hidden-paragraph is-hidden='true'", "hidden-text is-hidden='true'",
        ];
        let body = elements(&steps, "", &NAMES);
        let read = read(&[("content.xml", &document("", &body))]).unwrap();
        let text = read.hidden.concat() + &read.content;
        prop_assert!(text.replace("tea", "").trim().is_empty(), "{}", text);
    }
}
