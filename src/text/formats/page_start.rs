//! Whether a text begins as a web page does.

/// The bytes at the beginning that are looked at.
const LOOKED_AT: usize = 1 << 16;

/// The elements that a page, or a part of one, begins with.
const FIRST: &[&str] = &[
    "html",
    "head",
    "body",
    "title",
    "meta",
    "link",
    "style",
    "script",
    "base",
    "address",
    "article",
    "aside",
    "blockquote",
    "center",
    "details",
    "div",
    "dl",
    "fieldset",
    "figure",
    "footer",
    "form",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "table",
    "ul",
];

/// Whether a text, or bytes in any encoding that has ASCII in it, begins as a web page: with
/// a document type, or the tag of a page or of a block. A byte order mark, white space,
/// comments and an XML declaration may stand before.
pub(crate) fn is_html(start: impl AsRef<[u8]>) -> bool {
    let bytes = start.as_ref();
    let mut rest = &bytes[..bytes.len().min(LOOKED_AT)];
    rest = rest.strip_prefix(b"\xef\xbb\xbf").unwrap_or(rest);
    loop {
        rest = rest.trim_ascii_start();
        let end: &[u8] = match rest {
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            [b'<', b'?', ..] => b">",
            _ => break,
        };
        match memchr::memmem::find(rest, end) {
            Some(at) => rest = &rest[at + end.len()..],
            None => return false,
        }
    }
    let [b'<', rest @ ..] = rest else { return false };
    match rest.strip_prefix(b"!") {
        Some(declaration) => begins_with_word(declaration, "doctype")
            .is_some_and(|rest| begins_with_word(rest.trim_ascii_start(), "html").is_some()),
        None => FIRST.iter().any(|name| begins_with_word(rest, name).is_some()),
    }
}

/// What follows on a word, which ends there.
fn begins_with_word<'b>(bytes: &'b [u8], word: &str) -> Option<&'b [u8]> {
    let (begin, rest) = bytes.split_at_checked(word.len())?;
    let ends = matches!(rest.first(), Some(b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' | b'>' | b'/'));
    (ends && begin.eq_ignore_ascii_case(word.as_bytes())).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_told_by_its_beginning() {
        #[rustfmt::skip]
        let table = [
            ("nothing",                    "",                                              false),
            ("prose",                      "A page of <html>",                              false),
            ("a document type",            "<!DOCTYPE html>",                               true),
            ("of long ago",                "<!doctype HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">", true),
            ("of something else",          "<!DOCTYPE svg>",                                false),
            ("of a longer name",           "<!DOCTYPE htmlx>",                              false),
            ("no space in it",             "<!doctypehtml>",                                false),
            ("a tag",                      "<html>",                                        true),
            ("in capitals",                "<HTML LANG=en>",                                true),
            ("a tag cut",                  "<html",                                         false),
            ("after a mark",               "\u{feff}<html>",                                true),
            ("after white space",          "\r\n\t <html>",                                 true),
            ("after a comment",            "<!-- by hand -- ><p> -->\n<html>",              true),
            ("after several",              "<!----><!-- - --> <!-- > --><body>",            true),
            ("an open comment",            "<!-- <html>",                                   false),
            ("after a declaration",        "<?xml version='1.0'?><!DOCTYPE html>",          true),
            ("another XML",                "<?xml version='1.0'?><svg>",                    false),
            ("a paragraph",                "<p>Words",                                      true),
            ("with attributes",            "<div\nclass=a>",                                true),
            ("closed at once",             "<hr/>",                                         true),
            ("a heading",                  "<h6>",                                          true),
            ("there is no seventh",        "<h7>",                                          false),
            ("a longer name",              "<pre-view>",                                    false),
            ("not of a block",             "<b>Words</b>",                                  false),
            ("an address",                 "<https://example.org/>",                        false),
            ("an end",                     "</p>",                                          false),
            ("a space in it",              "< p>",                                          false),
        ];
        for (why, start, want) in table {
            assert_eq!(is_html(start), want, "{why}");
        }
        assert!(is_html(b"<p>caf\xe9"), "bytes");
    }

    #[test]
    fn only_the_beginning_is_looked_at() {
        let comment = |bytes: usize| format!("<!--{}--><html>", " ".repeat(bytes - 13));
        assert!(is_html(comment(LOOKED_AT)));
        assert!(!is_html(comment(LOOKED_AT + 1)));
        for unit in ["<!--", "<!---->", "<?", "<?>", "<", " "] {
            assert!(!is_html(unit.repeat(1_000_000)), "{unit}");
        }
    }
}
