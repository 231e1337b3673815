use proptest::prelude::*;

use super::super::archive::tests::pack;
use super::*;

const PANDOC: &[u8] = include_bytes!("../../../../../tests/documents/pandoc.epub");

const CONTAINER: &str = "<container><rootfiles><rootfile full-path='OPS/book.opf'/>\
                         <rootfile full-path='other.opf'/></rootfiles></container>";

/// Reads a page as the pieces between its tags; a piece that begins with `!` is hidden, and one
/// that begins with `=` is a quotation.
fn read_page(bytes: &[u8]) -> Result<Extracted, ExtractError> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    if text.contains("damaged") {
        return Err(ExtractError::Damaged { kind: "HTML", found: text });
    }
    let mut read = Extracted::default();
    for (number, piece) in text.split(['<', '>']).enumerate() {
        match piece.strip_prefix('!') {
            _ if number % 2 == 1 => {}
            Some(hidden) => read.hidden.push(hidden.to_owned()),
            None if piece.starts_with('=') => {
                let start = read.content.len();
                read.content.push_str(piece);
                read.quotes.push(start..read.content.len());
            }
            None => read.content.push_str(piece),
        }
    }
    Ok(read)
}

/// Packs a book of these manifest items and this spine, and reads it. Its pages are `OPS/a.xhtml`,
/// `OPS/b.xhtml`, `OPS/c d/é.xhtml`, `top.xhtml` and `OPS/broken.xhtml`.
fn book(items: &str, spine: &str, more: &[(&str, &str)]) -> Result<Extracted, ExtractError> {
    let package = format!("<package><manifest>{items}</manifest><spine>{spine}</spine></package>");
    let mut parts = vec![
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", CONTAINER),
        ("OPS/book.opf", &package),
        ("OPS/a.xhtml", "<p>one</p>"),
        ("OPS/b.xhtml", "<p>two</p><i>!secret</i>\n"),
        ("OPS/c d/é.xhtml", "<p>three</p>"),
        ("top.xhtml", "<p>four</p>"),
        ("OPS/broken.xhtml", "damaged"),
    ];
    parts.extend(more);
    let parts: Vec<_> = parts.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    text(&pack(&parts), &Bounds::default(), &read_page)
}

fn item(id: &str, href: &str) -> String {
    format!("<item id='{id}' href='{href}' media-type='application/xhtml+xml'/>")
}

#[test]
fn a_book_of_a_real_program_is_read() {
    let read = text(PANDOC, &Bounds::default(), &read_page).unwrap();
    for once in ["Süßgebäck", "Apple cake", "his father’s days"] {
        assert_eq!(read.content.matches(once).count(), 1, "{once}");
    }
    // It is on the title page, in the head of a page, and above the chapter; not in the table of
    // contents.
    assert_eq!(read.content.matches("The café at the harbour").count(), 3);
}

#[test]
fn pages_come_in_the_order_of_the_spine() {
    let refer = |ids: &str| {
        ids.split(' ').map(|id| format!("<itemref idref='{id}'/>")).collect::<Vec<_>>().concat()
    };
    let (a, b) = (item("a", "a.xhtml"), item("b", "b.xhtml"));
    let nav = a.replace("/>", " properties='scripted nav'/>");
    let picture = a.replace("application/xhtml+xml", "image/svg+xml");
    let html = a.replace("application/xhtml+xml", "TEXT/HTML");
    #[rustfmt::skip]
    let table = [
        ("in order",         format!("{a}{b}"), refer("a b"),  "one\ntwo\n"),
        ("in another",       format!("{a}{b}"), refer("b a"),  "two\none\n"),
        ("named twice",      format!("{a}{b}"), refer("a b a"), "one\ntwo\n"),
        ("not in it",        format!("{a}{b}"), refer("b"),    "two\n"),
        ("not listed",       b.clone(),         refer("a b"),  "two\n"),
        ("outside",          format!("{a}{b}"), format!("<itemref idref='a' linear='no'/>{}", refer("b")), "two\n"),
        ("said inside",      a.clone(),         "<itemref idref='a' linear='yes'/>".into(), "one\n"),
        ("contents",         format!("{nav}{b}"), refer("a b"), "two\n"),
        ("of another type",  format!("{picture}{b}"), refer("a b"), "one\ntwo\n"),
        ("an older kind",    html,              refer("a"),    "one\n"),
        ("odd letters",      item("c", "c%20d/%C3%A9.xhtml#top"), refer("c"), "three\n"),
        ("up",               item("d", "../top.xhtml"), refer("d"), "four\n"),
        ("from the top",     item("d", "/top.xhtml"), refer("d"), "four\n"),
        ("no page",          String::new(),     String::new(), ""),
    ];
    for (why, items, spine, want) in table {
        let read = book(&items, &spine, &[]).unwrap();
        assert_eq!(read.content, want, "{why}");
        assert_eq!(read.hidden.len(), usize::from(want.contains("two")), "{why}");
    }
}

#[test]
fn what_cannot_be_read_is_reported() {
    let encrypted_parts =
        |uri: &str| format!("<encryption><CipherReference URI='{uri}'/></encryption>");
    let (page, font) = (encrypted_parts("OPS/a%2Exhtml"), encrypted_parts("OPS/font.otf"));
    #[rustfmt::skip]
    let table: [(&str, &str, &[(&str, &str)], &str); 8] = [
        ("a locked page",   "a.xhtml",     &[("META-INF/encryption.xml", &page)], "password-protected epub, expected one without a password"),
        ("a locked font",   "a.xhtml",     &[("META-INF/encryption.xml", &font)], "one\n"),
        ("a page is gone",  "none.xhtml",  &[], "damaged epub: part OPS/none.xhtml is missing"),
        ("out of the book", "../../x",     &[], "damaged epub: OPS/book.opf: ../../x is not in the book"),
        ("another machine", "http://x/y",  &[], "damaged epub: OPS/book.opf: http://x/y is not in the book"),
        ("with no scheme",  "//x/y",       &[], "damaged epub: OPS/book.opf: //x/y is not in the book"),
        ("a file",          "file:/etc/a", &[], "damaged epub: OPS/book.opf: file:/etc/a is not in the book"),
        ("a broken page",   "broken.xhtml", &[], "damaged HTML: damaged"),
    ];
    for (why, href, more, want) in table {
        let read = book(&item("a", href), "<itemref idref='a'/>", more);
        let read = read.map_or_else(|reason| reason.to_string(), |read| read.content);
        assert_eq!(read, want, "{why}");
    }
    let refused = |parts: &[(&str, &[u8])]| {
        text(&pack(parts), &Bounds::default(), &read_page).unwrap_err().to_string()
    };
    assert_eq!(refused(&[]), "damaged epub: part META-INF/container.xml is missing");
    let container: (&str, &[u8]) = ("META-INF/container.xml", b"<container/>");
    assert_eq!(
        refused(&[container]),
        "damaged epub: META-INF/container.xml: does not refer to a book"
    );
    let container = ("META-INF/container.xml", CONTAINER.as_bytes());
    assert_eq!(refused(&[container]), "damaged epub: part OPS/book.opf is missing");
}

#[test]
fn pages_together_unpack_to_so_much() {
    let reason = text(PANDOC, &Bounds { unpacked: Some(3_000), ..Bounds::default() }, &read_page)
        .unwrap_err();
    assert!(matches!(reason, ExtractError::TooLarge { max_bytes: 3_000 }));
}

#[test]
fn references_are_decoded() {
    #[rustfmt::skip]
    let table = [
        ("a space",        "a%20b",  "a b"),
        ("two bytes",      "%c3%A9", "é"),
        ("cut",            "a%2",    "a%2"),
        ("no number",      "%zz%",   "%zz%"),
        ("a sign",         "%+1",    "%+1"),
        ("not UTF-8",      "a%ff",   "a%ff"),
        ("nothing",        "",       ""),
    ];
    for (why, reference, want) in table {
        assert_eq!(percent_decoded(reference), want, "{why}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn bytes_that_are_not_a_book_are_damaged(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        let refused = |bytes: &[u8]| text(bytes, &Bounds::default(), &read_page).unwrap_err().to_string();
        let is_xml = bytes.trim_ascii_start().starts_with(b"<");
        let no_archive = "damaged epub: truncated, or without a list of its parts";
        let reason = refused(&bytes);
        prop_assert!(reason == no_archive || is_xml && reason.starts_with("damaged epub: "), "{}", reason);
        let reason = refused(&pack(&[("META-INF/container.xml", &bytes)]));
        prop_assert!(reason.starts_with("damaged epub: META-INF/container.xml"), "{}", reason);
    }

    #[test]
    fn a_changed_byte_is_reported_or_changes_no_word(at in 0..PANDOC.len(), byte in any::<u8>()) {
        let mut bytes = PANDOC.to_vec();
        bytes[at] = byte;
        if let Ok(read) = text(&bytes, &Bounds::default(), &read_page) {
            prop_assert_eq!(read, text(PANDOC, &Bounds::default(), &read_page).unwrap());
        }
    }
}

#[test]
fn quotations_are_those_of_the_book() {
    let pages = [("OPS/q.xhtml", "<p>one</p><q>=two</q>"), ("OPS/r.xhtml", "<q>=three</q>")];
    let items = [item("q", "q.xhtml"), item("r", "r.xhtml")].concat();
    let read = book(&items, "<itemref idref='q'/><itemref idref='r'/>", &pages).unwrap();
    let quotes: Vec<&str> = read.quotes.iter().map(|it| &read.content[it.clone()]).collect();
    assert_eq!((quotes, &*read.content), (vec!["=two", "=three"], "one=two\n=three\n"));
}
