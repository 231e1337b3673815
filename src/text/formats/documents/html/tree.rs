//! Builds the tree of a web page, as browsers do.
//!
//! Input: the text of a page, however broken. Output: its tree, or the reason why it is not built.
//! Browsers read any page, and in some pages a single tag costs as much as all the tags before it.
//! This cost is bounded by checking the state of the tree builder after each small part of the
//! page.

use std::cell::Cell;

use dom_query::{Document, NodeId};
use encoding_rs as whatwg;
use html5ever::driver::Parser;
use html5ever::interface::tree_builder::Tracer;
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};

use crate::text::formats::ExtractError;

/// The largest nesting depth of elements, which is the limit of browsers, too.
pub(super) const MAX_DEPTH: usize = 512;

/// The largest number of attributes of the elements `html` and `body`. Each further `html` or
/// `body` tag of the page adds its own attributes to these.
const MAX_ATTRIBUTES: usize = 1_000;

/// The number of bytes of a page that are parsed between two checks.
const STEP: usize = 1 << 10;

/// The largest number of bytes of a page; a text node of the tree holds less than 4 GiB.
const MAX_PAGE_BYTES: usize = 1 << 30;

/// Builds the tree of a page.
///
/// # Errors
///
/// Returns an [`ExtractError`] if the page is too large, if its elements are nested too deeply, or
/// if it has more elements or attributes than any normal page.
pub(super) fn parse(page: &str) -> Result<Document, ExtractError> {
    if page.len() > MAX_PAGE_BYTES {
        return Err(ExtractError::TooLarge { max_bytes: MAX_PAGE_BYTES as u64 });
    }
    if max_attributes(page) > MAX_ATTRIBUTES_OF_A_TAG {
        return Err(damaged("a tag with too many attributes"));
    }
    let tree_builder = TreeBuilderOpts { scripting_enabled: true, ..TreeBuilderOpts::default() };
    let options = ParseOpts { tree_builder, ..ParseOpts::default() };
    let mut parser = parse_document(Document::default(), options);
    let mut read = 0;
    while read < page.len() {
        let end = page.floor_char_boundary((read + STEP).min(page.len()));
        parser.process(StrTendril::from(&page[read..end]));
        read = end;
        check(&parser, read)?;
    }
    Ok(parser.finish())
}

/// Checks that a tree under construction stays within the limits, after `bytes` bytes of the page.
fn check(parser: &Parser<Document>, bytes: usize) -> Result<(), ExtractError> {
    let builder = &parser.tokenizer.sink;
    let document = &builder.sink;
    let open = OpenElements { document, elements: Cell::new(0), attributes: Cell::new(0) };
    builder.trace_handles(&open);
    if open.elements.get() > MAX_DEPTH {
        return Err(ExtractError::TooDeep { max_depth: MAX_DEPTH });
    }
    if open.attributes.get() > MAX_ATTRIBUTES {
        return Err(damaged("a tag with too many attributes"));
    }
    if document.tree.len() > bytes + STEP {
        return Err(damaged("more elements than bytes: each paragraph opens all others again"));
    }
    Ok(())
}

fn damaged(found: &str) -> ExtractError {
    ExtractError::Damaged { kind: "web page", found: found.to_owned() }
}

/// The open elements of the tree builder, and the formatting elements that the next paragraph
/// reopens.
struct OpenElements<'d> {
    document: &'d Document,
    elements: Cell<usize>,
    /// The largest number of attributes of one of the first few elements, `html` and `body` among
    /// them.
    attributes: Cell<usize>,
}

impl Tracer for OpenElements<'_> {
    type Handle = NodeId;

    fn trace_handle(&self, node: &NodeId) {
        let elements = self.elements.get() + 1;
        self.elements.set(elements);
        if elements <= 4 {
            let count = |node: &dom_query::TreeNode| {
                node.as_element().map_or(0, |element| element.attrs.len())
            };
            let attributes = self.document.tree.query_node_or(node, 0, count);
            self.attributes.set(self.attributes.get().max(attributes));
        }
    }
}

// Bounds the number of attributes of any tag, wherever tags may begin.
//
// A parser compares each attribute with all others of its tag. Only the parser knows whether `<a`
// opens a tag, or is part of a script, a comment or a quoted value. So every `<a` is taken for the
// beginning of a tag, and the count is never too low.

/// The largest number of attributes of a tag in a page that is parsed.
const MAX_ATTRIBUTES_OF_A_TAG: usize = 10_000;

/// For each state in which a byte of a tag may be read, the largest number of attributes that begin
/// before that byte, over all paths to the state; `None` if there is no such path. The states are
/// those of the tokenizer of the HTML standard (section 13.2.5).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct AttributeCounts {
    tag_name: Option<usize>,
    before_name: Option<usize>,
    name: Option<usize>,
    after_name: Option<usize>,
    before_value: Option<usize>,
    unquoted: Option<usize>,
    single_quoted: Option<usize>,
    double_quoted: Option<usize>,
}

impl AttributeCounts {
    /// Returns the states after one more byte.
    fn after(self, byte: u8) -> Self {
        let Self { tag_name, before_name, name, after_name, before_value, unquoted, .. } = self;
        let more = |count: Option<usize>| count.map(|count| count + 1);
        let begun = name.max(more(before_name.max(after_name)));
        let value = unquoted.max(before_value);
        let quoted = Self {
            single_quoted: self.single_quoted,
            double_quoted: self.double_quoted,
            ..Self::default()
        };
        match byte {
            b' ' | b'\t' | b'\n' | b'\x0c' | b'\r' => Self {
                before_name: tag_name.max(before_name).max(unquoted),
                after_name: name.max(after_name),
                before_value,
                ..quoted
            },
            b'>' => quoted,
            b'/' => Self {
                before_name: tag_name.max(before_name).max(name).max(after_name),
                unquoted: value,
                ..quoted
            },
            b'=' => Self {
                tag_name,
                name: more(before_name),
                before_value: name.max(after_name),
                unquoted: value,
                ..quoted
            },
            b'\'' => Self {
                tag_name,
                before_name: self.single_quoted,
                name: begun,
                unquoted,
                single_quoted: before_value,
                ..quoted
            },
            b'"' => Self {
                tag_name,
                before_name: self.double_quoted,
                name: begun,
                unquoted,
                double_quoted: before_value,
                ..quoted
            },
            _ => Self { tag_name, name: begun, unquoted: value, ..quoted },
        }
    }
}

/// Returns an upper bound on the number of attributes of any tag of a page.
fn max_attributes(page: &str) -> usize {
    let bytes = page.as_bytes();
    let mut counts = AttributeCounts::default();
    let mut most = 0;
    let mut at = 0;
    while at < bytes.len() {
        if counts == AttributeCounts::default() {
            // Outside of tags.
            let Some(next) = memchr::memchr(b'<', &bytes[at..]) else { break };
            at += next;
        }
        if bytes[at..].starts_with(b"</") {
            counts = counts.after(b'<');
            at += 1;
        }
        let begins = matches!(bytes[at], b'<' | b'/')
            && (bytes[at] == b'<' || at > 0 && bytes[at - 1] == b'<')
            && bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic);
        counts = counts.after(bytes[at]);
        most = most.max(counts.name.unwrap_or_default());
        if begins {
            counts.tag_name = counts.tag_name.max(Some(0));
        }
        at += 1;
    }
    most
}

// Finds the encoding that a page declares.
//
// This is what browsers do before they know the encoding: the prescan of the HTML standard (section
// 13.2.3.2), applied to the first bytes of a page.

const SCANNED: usize = 1024;

/// Returns the label of the encoding that a page declares in a `meta` element, or else in an XML
/// declaration. `None` if it has neither, or if the encoding is unknown. Bytes that can be scanned
/// are not UTF-16, whatever they declare: UTF-16 is read as UTF-8.
pub(crate) fn declared_encoding(bytes: &[u8]) -> Option<&str> {
    let scan = &bytes[..bytes.len().min(SCANNED)];
    prescan(scan).or_else(|| in_xml_declaration(scan))
}

/// Returns the label that applies to bytes which can be scanned; `None` if it is not a known label.
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

fn in_xml_declaration(bytes: &[u8]) -> Option<&str> {
    let rest = bytes.strip_prefix(b"<?xml")?;
    let declaration = &rest[..memchr::memchr(b'>', rest)?];
    let at = memchr::memmem::find(declaration, b"encoding")? + b"encoding".len();
    let value = declaration[at..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (quote, value) = value.split_first()?;
    let end = memchr::memchr(*quote, value).filter(|_| matches!(quote, b'"' | b'\''))?;
    known(&value[..end])
}

fn prescan(bytes: &[u8]) -> Option<&str> {
    let mut rest = bytes;
    loop {
        rest = &rest[memchr::memchr(b'<', rest)?..];
        let after = |end: u8| memchr::memchr(end, rest).map(|at| &rest[at..]);
        match rest {
            [b'<', b'!', b'-', b'-', ..] => {
                // The dashes that begin a comment may also end it.
                rest = &rest[2 + memchr::memmem::find(&rest[2..], b"-->")?..];
            }
            [b'<', b'!' | b'?', ..] => rest = after(b'>')?,
            [b'<', b'/', letter, ..] | [b'<', letter, ..] if letter.is_ascii_alphabetic() => {
                let name_end = 1 + rest[1..]
                    .iter()
                    .position(|byte| byte.is_ascii_whitespace() || *byte == b'>')?;
                let is_meta = rest.len() > 5
                    && rest[1..5].eq_ignore_ascii_case(b"meta")
                    && (rest[5].is_ascii_whitespace() || rest[5] == b'/');
                let mut attributes = Attributes(&rest[if is_meta { 5 } else { name_end }..]);
                let label = meta_encoding(&mut attributes).ok()?;
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

/// The error of a scan that ends within a tag.
struct Truncated;

/// Returns the label that the attributes of a `meta` element declare, if any.
fn meta_encoding<'b>(attributes: &mut Attributes<'b>) -> Result<Option<&'b str>, Truncated> {
    const NAMES: [&[u8]; 3] = [b"http-equiv", b"content", b"charset"];
    let mut values: [Option<&[u8]>; 3] = [None; 3];
    while let Some((name, value)) = attributes.next()? {
        if let Some(which) = NAMES.iter().position(|known| known.eq_ignore_ascii_case(name)) {
            values[which].get_or_insert(value); // of two with the same name the first counts
        }
    }
    let [pragma, content, charset] = values;
    let is_pragma = pragma.is_some_and(|value| value.eq_ignore_ascii_case(b"content-type"));
    let of_content = || content.filter(|_| is_pragma).and_then(charset_of_content);
    Ok(charset.or_else(of_content).and_then(known))
}

/// Returns the label in `text/html; charset=…`.
fn charset_of_content(content: &[u8]) -> Option<&[u8]> {
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
    let end = value.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b';');
    Some(&value[..end.unwrap_or(value.len())])
}

/// The rest of a tag after its name.
struct Attributes<'b>(&'b [u8]);

impl<'b> Attributes<'b> {
    /// Returns the next attribute, as its name and its value; `None` after the last one.
    fn next(&mut self) -> Result<Option<(&'b [u8], &'b [u8])>, Truncated> {
        let all = self.0;
        let pass = |from: usize, skipped: fn(u8) -> bool| {
            let at = all[from..].iter().position(|&byte| !skipped(byte));
            at.map(|at| from + at).ok_or(Truncated)
        };
        let start = pass(0, |byte| byte.is_ascii_whitespace() || byte == b'/')?;
        if all[start] == b'>' {
            self.0 = &all[start..];
            return Ok(None);
        }
        // An equals sign at the beginning of a name is part of it.
        let in_name = |byte: u8| !byte.is_ascii_whitespace() && !matches!(byte, b'=' | b'/' | b'>');
        let name_end = pass(start + 1, in_name)?;
        let name = &all[start..name_end];
        let equals = pass(name_end, |byte| byte.is_ascii_whitespace())?;
        if all[equals] != b'=' {
            self.0 = &all[equals..];
            return Ok(Some((name, &[])));
        }
        let value = pass(equals + 1, |byte| byte.is_ascii_whitespace())?;
        let (value, end) = if let quote @ (b'"' | b'\'') = all[value] {
            let length = memchr::memchr(quote, &all[value + 1..]).ok_or(Truncated)?;
            (value + 1..value + 1 + length, value + 2 + length)
        } else {
            let end = pass(value, |byte| !byte.is_ascii_whitespace() && byte != b'>')?;
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
    fn attributes_are_counted_from_every_beginning() {
        #[rustfmt::skip]
        let table = [
            ("nothing",                 "",                              0),
            ("no tag",                  "a < b c d e",                   0),
            ("none",                    "<a>b c d",                      0),
            ("every kind of value",     "<a b c=d e = f g='h i' j=\"k\">", 5),
            ("without a space",         "<a/b/c=d/e f='g'h>",            4),
            ("a value of several words","<a b='c d e f'>",               1),
            ("a quoted end",            "<a b='>' c>",                   2),
            ("two tags",                "<a b><c d e>",                  2),
            ("an end tag",              "</a b c>",                      2),
            ("a tag in a tag",          "<a <b <c",                      2),
            ("a tag in a value",        "<a b='<c d e f'>",              3),
            ("an unclosed quote",       "<a b='c d e f",                 1),
            ("an equals sign first",    "<a =b =c>",                     1),
            ("a quote in a name",       "<a b'c d'e>",                   2),
        ];
        for (why, page, want) in table {
            assert_eq!(max_attributes(page), want, "{why}");
        }
    }

    #[test]
    fn many_attributes_are_counted_in_linear_time() {
        for attribute in [" a", " a=b", " a='b'", "/a", " <a"] {
            let page = format!("<a{}", attribute.repeat(200_000));
            assert_eq!(max_attributes(&page), 200_000, "{attribute}");
        }
    }
}

#[cfg(test)]
mod encoding_tests {
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
    fn only_the_first_bytes_state_the_encoding() {
        let meta = "<meta charset=utf-8>";
        let at = |place: usize| format!("{}{meta}", " ".repeat(place));
        assert_eq!(declared_encoding(at(SCANNED - meta.len()).as_bytes()), Some("utf-8"));
        assert_eq!(declared_encoding(at(SCANNED - meta.len() + 1).as_bytes()), None);
        assert_eq!(declared_encoding(b"\xff<meta charset=\xe9><meta charset=gbk>"), Some("gbk"));
    }

    proptest::proptest! {
        #[test]
        fn a_declared_encoding_is_one_that_is_known(page in "(<|meta|charset|=|[ /'\"a>!?-]){0,40}") {
            if let Some(label) = declared_encoding(page.as_bytes()) {
                proptest::prop_assert!(whatwg::Encoding::for_label(label.as_bytes()).is_some());
            }
        }
    }
}
