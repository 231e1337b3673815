//! The elements of a page: which count, and how they part the text.

use dom_query::Element;
use html5ever::{LocalName, local_name};

use super::lines::Gap;

/// What an element is to those who read the page's text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Role {
    /// Its text counts.
    Text,
    /// Its text counts as it stands, line by line.
    Kept,
    /// It does not count, and the text around it goes on as if it were not there.
    Nothing,
    /// It does not count, and parts the text: a picture, a control.
    Thing,
    /// A control for those who use the page; else a thing.
    Control,
    /// It does not count, and parts paragraphs: navigation.
    Furniture,
}

/// What stands around an element.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Around {
    /// Whether it is in an article, or in the main part of the page, or in a section.
    pub(super) content: bool,
    /// Whether it is in a `sup`.
    pub(super) raised: bool,
}

/// An attribute without a namespace; empty where it is not there.
pub(super) fn attribute(element: &Element, name: LocalName) -> &str {
    element.attr_ref(name).unwrap_or_default()
}

/// What an element is.
pub(super) fn role(element: &Element, around: Around) -> Role {
    let aria = attribute(element, local_name!("role"));
    let aria = aria.split_ascii_whitespace().next().unwrap_or_default();
    match aria {
        "navigation" | "search" | "menu" | "menubar" | "toolbar" | "tablist" | "dialog"
        | "alertdialog" | "doc-toc" => return Role::Furniture,
        "banner" | "contentinfo" | "complementary" if !around.content => return Role::Furniture,
        // The mark of a footnote in the text, and the way back to it.
        "doc-noteref" | "doc-backlink" => return Role::Nothing,
        _ => {}
    }
    match &*element.name.local {
        "script" | "style" | "template" | "noscript" | "head" | "title" | "rt" | "rp" | "rtc"
        | "datalist" | "noframes" | "noembed" | "annotation" | "annotation-xml" => Role::Nothing,
        "svg" | "iframe" | "object" | "embed" | "applet" | "audio" | "video" | "canvas" | "img"
        | "map" | "progress" | "meter" => Role::Thing,
        "select" | "button" | "textarea" | "input" => Role::Control,
        "nav" | "search" => Role::Furniture,
        "dialog" if element.attr_ref(local_name!("open")).is_none() => Role::Furniture,
        "header" if attribute(element, local_name!("id")) == "title-block-header" => Role::Text,
        "header" | "footer" if !around.content => Role::Furniture,
        "aside" if !around.content && !aria.starts_with("doc-") => Role::Furniture,
        "a" if around.raised && leads_within_the_page(element) => Role::Nothing,
        "pre" | "listing" | "xmp" | "plaintext" => Role::Kept,
        _ => Role::Text,
    }
}

/// Whether a link leads to a place in the same page.
pub(super) fn leads_within_the_page(element: &Element) -> bool {
    attribute(element, local_name!("href")).starts_with('#')
}

/// A part that a page marks as its content.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Mark {
    /// All that is not on every page of the site.
    Main,
    /// What stands for itself.
    Article,
    /// What somebody else has said.
    Quote,
}

/// The part that an element marks.
pub(super) fn mark(element: &Element) -> Option<Mark> {
    match (&*element.name.local, attribute(element, local_name!("role"))) {
        ("main", _) | (_, "main") => Some(Mark::Main),
        ("article", _) | (_, "article") => Some(Mark::Article),
        ("blockquote", _) | (_, "blockquote") => Some(Mark::Quote),
        _ => None,
    }
}

/// Whether an element is one that holds the content of a page, or a part of it.
pub(super) fn is_content(element: &Element) -> bool {
    &*element.name.local == "section" || matches!(mark(element), Some(Mark::Main | Mark::Article))
}

/// What parts the text of an element from that around it.
pub(super) fn gap(element: &Element) -> Gap {
    gap_of(&element.name.local)
}

/// What parts the text of an element of a name from that around it.
pub(in crate::text::formats) fn gap_of(name: &str) -> Gap {
    match name {
        "br" => Gap::Break,
        "td" | "th" => Gap::Cell,
        "li" | "dt" | "dd" | "tr" | "legend" | "option" | "summary" => Gap::Line,
        "address" | "article" | "aside" | "blockquote" | "body" | "caption" | "center"
        | "details" | "dialog" | "dir" | "div" | "dl" | "fieldset" | "figcaption" | "figure"
        | "footer" | "form" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "header" | "hgroup"
        | "hr" | "html" | "listing" | "main" | "menu" | "nav" | "ol" | "p" | "plaintext"
        | "pre" | "search" | "section" | "table" | "tbody" | "tfoot" | "thead" | "ul" | "xmp" => {
            Gap::Paragraph
        }
        _ => Gap::None,
    }
}

/// Parts of the class names that themes give to what is for ears, or for paper, only.
const HELPERS: &[&str] = &[
    "sr-only",
    "visually-hidden",
    "visuallyhidden",
    "screen-reader",
    "screenreader",
    "show-for-sr",
    "assistive-text",
    "element-invisible",
    "skip-link",
    "skip-to",
    "skip-nav",
    "skiplink",
    "jump-link",
    "print-only",
    "only-print",
    "visible-print",
];

/// Whether the classes of an element say that it helps those who do not see the page: "skip
/// to content", "opens in a new window".
pub(super) fn is_helper(element: &Element) -> bool {
    attribute(element, local_name!("class")).split_ascii_whitespace().any(|class| {
        let class = class.to_ascii_lowercase();
        !class.starts_with("not-") && HELPERS.iter().any(|helper| class.contains(helper))
    })
}
