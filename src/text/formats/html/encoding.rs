//! The encoding that a page says it is in.
//!
//! What browsers do before they know it: the prescan of the HTML standard (section 13.2.3.2),
//! on the first bytes of a page.

use encoding_rs as whatwg;

/// The bytes that are scanned.
const SCANNED: usize = 1024;

/// The label of the encoding that bytes of a page declare in a `meta` element, or else in an
/// XML declaration. None where there is neither, or no such encoding. Bytes that can be
/// scanned are not in UTF-16, whatever they say: then it is UTF-8.
pub(crate) fn declared_encoding(bytes: &[u8]) -> Option<&str> {
    let scan = &bytes[..bytes.len().min(SCANNED)];
    in_meta(scan).or_else(|| in_xml_declaration(scan))
}

/// A label as it holds for bytes that can be scanned; none where it is none.
fn known(label: &[u8]) -> Option<&str> {
    let encoding = whatwg::Encoding::for_label(label)?;
    if encoding == whatwg::UTF_16LE || encoding == whatwg::UTF_16BE {
        return Some("utf-8");
    }
    if encoding == whatwg::X_USER_DEFINED {
        return Some("windows-1252");
    }
    str::from_utf8(label.trim_ascii()).ok()
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}

fn in_xml_declaration(bytes: &[u8]) -> Option<&str> {
    let rest = bytes.strip_prefix(b"<?xml")?;
    let declaration = &rest[..memchr::memchr(b'>', rest)?];
    let at = memchr::memmem::find(declaration, b"encoding")? + b"encoding".len();
    let value = declaration[at..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (quote, value) = value.split_first()?;
    let end = memchr::memchr(*quote, value).filter(|_| matches!(quote, b'"' | b'\''))?;
    known(&value[..end])
}

fn in_meta(bytes: &[u8]) -> Option<&str> {
    let mut rest = bytes;
    loop {
        rest = &rest[memchr::memchr(b'<', rest)?..];
        let after = |end: u8| memchr::memchr(end, rest).map(|at| &rest[at..]);
        match rest {
            [b'<', b'!', b'-', b'-', ..] => {
                // The dashes that begin a comment may end it.
                rest = &rest[2 + memchr::memmem::find(&rest[2..], b"-->")?..];
            }
            [b'<', b'!' | b'?', ..] => rest = after(b'>')?,
            [b'<', b'/', letter, ..] | [b'<', letter, ..] if letter.is_ascii_alphabetic() => {
                let name_end =
                    1 + rest[1..].iter().position(|&byte| is_space(byte) || byte == b'>')?;
                let is_meta = rest.len() > 5
                    && rest[1..5].eq_ignore_ascii_case(b"meta")
                    && (is_space(rest[5]) || rest[5] == b'/');
                let mut attributes = Attributes(&rest[if is_meta { 5 } else { name_end }..]);
                let label = of_meta(&mut attributes).ok()?;
                if is_meta && label.is_some() {
                    return label;
                }
                rest = attributes.0;
            }
            [b'<', b'/', ..] => rest = after(b'>')?,
            _ => rest = &rest[1..],
        }
    }
}

/// The scan ends within a tag.
struct Cut;

/// The label that the attributes of a `meta` element give, if any.
fn of_meta<'b>(attributes: &mut Attributes<'b>) -> Result<Option<&'b str>, Cut> {
    let mut seen: [bool; 3] = [false; 3];
    let mut is_pragma = false;
    let mut needs_pragma = false;
    let mut label = None;
    while let Some((name, value)) = attributes.next()? {
        let names: [&[u8]; 3] = [b"http-equiv", b"content", b"charset"];
        let Some(which) = names.iter().position(|known| known.eq_ignore_ascii_case(name)) else {
            continue;
        };
        if std::mem::replace(&mut seen[which], true) {
            continue; // of two with one name the first one holds
        }
        match which {
            0 => is_pragma = value.eq_ignore_ascii_case(b"content-type"),
            1 if label.is_none() => {
                label = in_content(value);
                needs_pragma = label.is_some();
            }
            2 => {
                label = Some(value);
                needs_pragma = false;
            }
            _ => {}
        }
    }
    Ok(label.filter(|_| is_pragma || !needs_pragma).and_then(known))
}

/// The label in `text/html; charset=…`.
fn in_content(content: &[u8]) -> Option<&[u8]> {
    let mut rest = content;
    let value = loop {
        let at = rest.windows(7).position(|window| window.eq_ignore_ascii_case(b"charset"))?;
        rest = rest[at + 7..].trim_ascii_start();
        if let Some(value) = rest.strip_prefix(b"=") {
            break value.trim_ascii_start();
        }
    };
    if let (quote @ (b'"' | b'\''), value) = value.split_first()? {
        return Some(&value[..memchr::memchr(*quote, value)?]);
    }
    let end = value.iter().position(|&byte| is_space(byte) || byte == b';');
    Some(&value[..end.unwrap_or(value.len())])
}

/// The rest of a tag, from behind its name.
struct Attributes<'b>(&'b [u8]);

impl<'b> Attributes<'b> {
    /// The next attribute, its name and its value; none behind the last one.
    fn next(&mut self) -> Result<Option<(&'b [u8], &'b [u8])>, Cut> {
        let all = self.0;
        let pass = |from: usize, skipped: fn(u8) -> bool| {
            let at = all[from..].iter().position(|&byte| !skipped(byte));
            at.map(|at| from + at).ok_or(Cut)
        };
        let start = pass(0, |byte| is_space(byte) || byte == b'/')?;
        if all[start] == b'>' {
            self.0 = &all[start..];
            return Ok(None);
        }
        // An equals sign is part of a name that it begins.
        let in_name = |byte| !is_space(byte) && !matches!(byte, b'=' | b'/' | b'>');
        let name_end = pass(start + 1, in_name)?;
        let name = &all[start..name_end];
        let equals = pass(name_end, is_space)?;
        if all[equals] != b'=' {
            self.0 = &all[equals..];
            return Ok(Some((name, &[])));
        }
        let value = pass(equals + 1, is_space)?;
        let (value, end) = if let quote @ (b'"' | b'\'') = all[value] {
            let length = memchr::memchr(quote, &all[value + 1..]).ok_or(Cut)?;
            (value + 1..value + 1 + length, value + 2 + length)
        } else {
            let end = pass(value, |byte| !is_space(byte) && byte != b'>')?;
            (value..end, end)
        };
        self.0 = &all[end..];
        Ok(Some((name, &all[value])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_says_its_encoding() {
        let latin = Some("iso-8859-1");
        #[rustfmt::skip]
        let table: &[(&str, &str, Option<&str>)] = &[
            ("nothing",                     "",                                                  None),
            ("no declaration",              "<html><head>",                                      None),
            ("as one does",                 "<meta charset=\"iso-8859-1\">",                   latin),
            ("without quotes",              "<meta charset=iso-8859-1>",                         latin),
            ("closed",                      "<META/CHARSET='iso-8859-1'/>",                      latin),
            ("spaced",                      "<meta charset = ' iso-8859-1 ' >",                  latin),
            ("after others",                "<!doctype html><html lang=\"a>b\"><meta name=x><meta charset=iso-8859-1>", latin),
            ("as one did",                  "<meta http-equiv=Content-Type content='text/html; charset=iso-8859-1'>", latin),
            ("in the other order",          "<meta content='text/html; charset = \"iso-8859-1\"' http-equiv=content-type>", latin),
            ("no pragma",                   "<meta content='text/html; charset=iso-8859-1'>",    None),
            ("a charset and no charset",    "<meta http-equiv=content-type content='charset; charset=iso-8859-1;'>", latin),
            ("an open quote in it",         "<meta http-equiv=content-type content='charset=\"iso-8859-1'>", None),
            ("the attribute goes first",    "<meta content='charset=utf-8' charset=iso-8859-1>", latin),
            ("the first of two",            "<meta charset=iso-8859-1 charset=utf-8>",           latin),
            ("the first element of two",    "<meta charset=iso-8859-1><meta charset=utf-8>",     latin),
            ("no encoding, then one",       "<meta charset=x><meta charset=iso-8859-1>",         latin),
            ("in a comment",                "<!-- <meta charset=utf-8> --><meta charset=iso-8859-1>", latin),
            ("after the shortest comment",  "<!--><meta charset=iso-8859-1>",                    latin),
            ("in an open comment",          "<!-- <meta charset=iso-8859-1>",                    None),
            ("in another's value",          "<a title='<meta charset=utf-8>'><meta charset=iso-8859-1>", latin),
            ("in an end tag's value",       "</a title='<meta charset=utf-8>'><meta charset=iso-8859-1>", latin),
            ("another name",                "<metal charset=utf-8>",                             None),
            ("another attribute",           "<meta xcharset=utf-8 =charset=utf-8>",              None),
            ("cut",                         "<meta charset=iso-8859-1",                          None),
            ("cut in quotes",               "<meta charset='iso-8859-1>",                        None),
            ("it cannot be",                "<meta charset=utf-16le>",                           Some("utf-8")),
            ("a browser's own",             "<meta charset=x-user-defined>",                     Some("windows-1252")),
            ("XML",                         "<?xml version='1.0' encoding='iso-8859-1'?><html>", latin),
            ("the element over XML",        "<?xml version='1.0' encoding=\"utf-8\"?><meta charset=iso-8859-1>", latin),
            ("XML that says nothing",       "<?xml version='1.0'?><html>",                       None),
            ("XML, not at the start",       " <?xml encoding='iso-8859-1'?>",                    None),
            ("XML, of no encoding",         "<?xml encoding='x'?>",                              None),
            ("signs of all kinds",          "< </ <! <a<b =/> </> <?> <meta charset=iso-8859-1>", latin),
        ];
        for (why, page, want) in table {
            assert_eq!(declared_encoding(page.as_bytes()), *want, "{why}");
        }
    }

    #[test]
    fn only_the_first_bytes_say_it() {
        let meta = "<meta charset=utf-8>";
        let at = |place: usize| format!("{}{meta}", " ".repeat(place));
        assert_eq!(declared_encoding(at(SCANNED - meta.len()).as_bytes()), Some("utf-8"));
        assert_eq!(declared_encoding(at(SCANNED - meta.len() + 1).as_bytes()), None);
        assert_eq!(declared_encoding(b"\xff<meta charset=\xe9><meta charset=gbk>"), Some("gbk"));
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_scanned(page in "(<|meta|charset|=|[ /'\"a>!?-]){0,40}") {
            if let Some(label) = declared_encoding(page.as_bytes()) {
                proptest::prop_assert!(whatwg::Encoding::for_label(label.as_bytes()).is_some());
            }
        }
    }
}
