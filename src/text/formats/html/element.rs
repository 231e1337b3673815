//! The elements of a page: which count, and how they part the text.

use dom_query::Element;
use html5ever::{LocalName, local_name};

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

// Runs of text → lines, as a browser sets them.
//
// Goes in: the text of a page piece by piece, and what stands between the pieces. Comes
// out: the text, each white space once. It knows no elements.

/// What stands between two pieces of text; of several, the widest.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(in crate::text::formats) enum Gap {
    /// Nothing: the pieces are one word.
    #[default]
    None,
    /// White space.
    Space,
    /// The edge of a table's cell.
    Cell,
    /// A line end within a paragraph, at which a hyphen breaks a word.
    Break,
    /// The end of an item or a row.
    Line,
    /// The end of a paragraph.
    Paragraph,
}

impl Gap {
    /// The white space that it is, behind a text. A word that ends in a hyphen goes on in the
    /// next line, but not in the next item.
    pub(in crate::text::formats) fn white_space(self, before: &str) -> &'static str {
        match self {
            _ if before.is_empty() => "",
            Self::None => "",
            Self::Space => " ",
            Self::Cell => "\t",
            Self::Line if before.ends_with(['-', '\u{ad}', '\u{2010}']) => "\n\n",
            Self::Line | Self::Paragraph if before.ends_with("\n\n") => "",
            Self::Paragraph if before.ends_with('\n') => "\n",
            Self::Line if before.ends_with('\n') => "",
            Self::Break | Self::Line => "\n",
            Self::Paragraph => "\n\n",
        }
    }
}

/// Lines of text.
#[derive(Debug, Default)]
pub(super) struct Lines {
    text: String,
    gap: Gap,
}

impl Lines {
    /// Parts what was written from what will be.
    pub(super) fn part(&mut self, gap: Gap) {
        let twice = gap == Gap::Break && self.gap == Gap::Break;
        self.gap = if twice { Gap::Paragraph } else { self.gap.max(gap) };
    }

    /// Writes text whose white space is as good as one space.
    pub(super) fn flow(&mut self, text: &str) {
        let is_white = |letter: char| matches!(letter, ' ' | '\t' | '\n' | '\r' | '\x0c');
        for (place, run) in text.split(is_white).enumerate() {
            if place > 0 {
                self.part(Gap::Space);
            }
            self.keep(run);
        }
    }

    /// Writes text as it stands.
    pub(super) fn keep(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let gap = std::mem::take(&mut self.gap);
        self.text.push_str(gap.white_space(&self.text));
        self.text.push_str(text);
    }

    /// The bytes of the text so far.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// The text, which ends with a line end where it is not empty.
    pub(super) fn finish(mut self) -> String {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text
    }
}

/// Whether a text has a word, or a number.
pub(super) fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A piece: what parts it from the last one, and its text.
    fn set(pieces: &[(Gap, &str)]) -> String {
        let mut lines = Lines::default();
        for (gap, text) in pieces {
            lines.part(*gap);
            lines.flow(text);
        }
        lines.finish()
    }

    #[test]
    fn the_widest_gap_parts() {
        #[rustfmt::skip]
        let table: &[(&str, &[(Gap, &str)], &str)] = &[
            ("nothing",              &[],                                           ""),
            ("white space alone",    &[(Gap::Line, " \n ")],                        ""),
            ("no gap at the edges",  &[(Gap::Paragraph, " a "), (Gap::Line, " ")],  "a\n"),
            ("one word",             &[(Gap::None, "wo"), (Gap::None, "rd")],       "word\n"),
            ("any white space",      &[(Gap::None, "a\r\n\t\x0c b")],               "a b\n"),
            ("a hard space stays",   &[(Gap::None, "a\u{a0} b")],                   "a\u{a0} b\n"),
            ("a cell",               &[(Gap::None, "a "), (Gap::Cell, " b")],       "a\tb\n"),
            ("a row after a cell",   &[(Gap::None, "a"), (Gap::Cell, ""), (Gap::Line, "b")], "a\nb\n"),
            ("a broken word",        &[(Gap::None, "hy-"), (Gap::Break, "phen")],   "hy-\nphen\n"),
            ("two breaks",           &[(Gap::None, "hy-"), (Gap::Break, " "), (Gap::Break, "phen")], "hy-\n\nphen\n"),
            ("no word over items",   &[(Gap::None, "hy-"), (Gap::Line, "phen")],    "hy-\n\nphen\n"),
            ("nor a soft hyphen",    &[(Gap::None, "hy\u{ad}"), (Gap::Line, "phen")], "hy\u{ad}\n\nphen\n"),
        ];
        for (why, pieces, want) in table {
            assert_eq!(set(pieces), *want, "{why}");
        }
    }

    #[test]
    fn what_is_kept_keeps_its_lines() {
        let mut lines = Lines::default();
        lines.flow("code:");
        lines.part(Gap::Paragraph);
        lines.keep("fn  a()\n  b\n");
        lines.part(Gap::Paragraph);
        lines.flow("done");
        assert_eq!(lines.finish(), "code:\n\nfn  a()\n  b\n\ndone\n");
    }
}
