//! Rewrites XHTML as HTML: what a program for XML and one for HTML read differently.
//!
//! Input: a page that is XML, as those of a book are. Output: a page with the same text by the rules
//! of HTML, in which an empty element such as `<script/>` would not end, and a CDATA section would
//! be a comment. Linear in the length of the page; one that is not well formed is kept as it is
//! from there on.

use std::borrow::Cow;

/// The elements that have no content in HTML, either, and so no end tag.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// Returns a page of XHTML as HTML.
pub(in super::super) fn to_html(page: &str) -> Cow<'_, str> {
    if !page.contains("/>") && !page.contains("<![CDATA[") {
        return page.into();
    }
    let mut html = String::with_capacity(page.len() + page.len() / 8);
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        html.push_str(&rest[..at]);
        rest = &rest[at..];
        let Some(length) = length_of_markup(rest) else { break };
        let (markup, behind) = rest.split_at(length);
        rest = behind;
        if let Some(text) = markup.strip_prefix("<![CDATA[") {
            let text = text.strip_suffix("]]>").unwrap_or(text);
            html.push_str(&text.replace('&', "&amp;").replace('<', "&lt;"));
            continue;
        }
        let empty = markup.strip_suffix("/>").filter(|tag| !tag.starts_with("<!"));
        match empty.map(|tag| (tag, name(tag))) {
            Some((tag, name)) if !VOID.contains(&name) => {
                html.extend([tag, "></", name, ">"]);
            }
            _ => html.push_str(markup),
        }
    }
    html.push_str(rest);
    html.into()
}

/// Returns the name of the element of a start tag.
fn name(tag: &str) -> &str {
    tag[1..].split(|letter: char| letter.is_ascii_whitespace()).next().unwrap_or_default()
}

/// Returns the number of bytes of the tag, comment, section or instruction that a text begins with;
/// `None` if it does not end.
fn length_of_markup(text: &str) -> Option<usize> {
    for (begin, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] {
        if text.starts_with(begin) {
            return text.find(end).map(|at| at + end.len());
        }
    }
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(at + 1),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_elements_end_and_sections_are_text() {
        #[rustfmt::skip]
        let table = [
            ("nothing",               "",                               ""),
            ("nothing to do",         "<p>a</p>",                       "<p>a</p>"),
            ("an empty script",       "<script src='a>b'/><p>a</p>",    "<script src='a>b'></script><p>a</p>"),
            ("a blank before it",     "<div hidden=\"\" />a",            "<div hidden=\"\" ></div>a"),
            ("void in HTML",          "a<br/>b<img alt='/>'/>",         "a<br/>b<img alt='/>'/>"),
            ("a section",             "<p><![CDATA[1 < 2 & <b/>]]></p>", "<p>1 &lt; 2 &amp; &lt;b/></p>"),
            ("in a comment",          "<!-- <p/> --><p/>",              "<!-- <p/> --><p></p>"),
            ("an instruction",        "<?x <p/>?><p/>",                 "<?x <p/>?><p></p>"),
            ("no end",                "<p/><p a='",                     "<p></p><p a='"),
            ("a sign",                "<p/>1 < 2",                      "<p></p>1 < 2"),
        ];
        for (why, page, want) in table {
            assert_eq!(to_html(page), want, "{why}");
        }
    }
}
