//! Generates a large web page.

use super::{Document, MOST, text_or};
use crate::choices::Choices;

/// Elements that nest, or that implicitly close others of their kind.
const ELEMENTS: [&str; 32] = [
    "div",
    "p",
    "span",
    "b",
    "i",
    "a",
    "font",
    "ul",
    "ol",
    "li",
    "dl",
    "dd",
    "table",
    "tr",
    "td",
    "th",
    "tbody",
    "blockquote",
    "article",
    "main",
    "section",
    "pre",
    "h1",
    "q",
    "form",
    "button",
    "select",
    "option",
    "svg",
    "math",
    "template",
    "ruby",
];

/// Elements whose content is not markup, or does not appear on the page.
const RAW: [&str; 10] = [
    "script",
    "style",
    "textarea",
    "title",
    "noscript",
    "iframe",
    "xmp",
    "plaintext",
    "!--",
    "noframes",
];

/// Declarations that determine whether text is visible, and some that do not.
const DECLARATIONS: [&str; 14] = [
    "display:none",
    "display:block!important",
    "visibility:hidden",
    "visibility:visible",
    "opacity:0",
    "color:#fff",
    "color:white;background:#ffffff",
    "font-size:0",
    "font:0/0 a",
    "position:absolute;left:-9999px",
    "text-indent:-100em",
    "clip-path:inset(50%)",
    "margin:0",
    "x:y(z[{\"",
];

/// Attributes that hide or name an element, or make a cell span others.
const ATTRIBUTES: [&str; 12] = [
    "hidden",
    "class=c1",
    "id=c2",
    "style='display:none'",
    "style=color:#fff",
    "colspan=1000",
    "rowspan=65534",
    "aria-hidden=true",
    "lang=ca",
    "dir=rtl",
    "bgcolor=white",
    "open",
];

/// Generates a page from the choices of the input.
pub(super) fn page(choices: &mut Choices) -> String {
    let mut page = Document::new(choices);
    content(&mut page, choices);
    page.content
}

/// Appends content until no choice is left, or the page is full.
pub(super) fn content(page: &mut Document, choices: &mut Choices) {
    while !choices.is_empty() && !page.is_full() {
        part(page, choices);
    }
}

fn part(page: &mut Document, choices: &mut Choices) {
    match choices.below(14) {
        0 => {
            let (open, close) = element(choices);
            page.nest([&open, &text(choices), &close], choices.count(MOST));
        }
        // Elements that are not closed, and end tags of elements that are not open.
        1 => {
            let (open, close) = element(choices);
            page.repeat(&open, choices.count(MOST));
            page.push(&text(choices));
            page.repeat(&close, choices.count(MOST));
        }
        // Elements that are closed in the order in which they were opened.
        2 => {
            let (one, other, third) = (element(choices), element(choices), element(choices));
            let crossed = [&one.0, &other.0, &third.0, "a", &one.1, &other.1].map(String::from);
            page.repeat(&crossed.concat(), choices.count(MOST));
        }
        3 => table(page, choices),
        4 => sheet(page, choices),
        5 => {
            let (open, close) = element(choices);
            page.push(open.trim_end_matches('>'));
            match choices.below(4) {
                0 => page.each(choices.count(MOST), |number| format!(" a{number}=b")),
                1 => page.repeat(&format!(" {}", choices.pick(&ATTRIBUTES)), choices.count(MOST)),
                2 => {
                    page.push(" style=\"");
                    page.repeat(&format!("{};", choices.pick(&DECLARATIONS)), choices.count(MOST));
                    page.push("\"");
                }
                _ => {
                    page.push(" class='");
                    page.each(choices.count(MOST), |number| format!("c{number} "));
                    page.push("'");
                }
            }
            page.content.push('>');
            page.push(&(text(choices) + &close));
        }
        6 => {
            let (open, close) = element(choices);
            let part = open + &text(choices) + &close;
            page.repeat(&part, choices.count(MOST));
        }
        7 => {
            let (open, close) = element(choices);
            let (before, after) = (open.trim_end_matches('>').to_owned(), text(choices) + &close);
            page.each(choices.count(MOST), |number| format!("{before} class=c{number}>{after}"));
        }
        8 => {
            let tag = choices.pick(&RAW);
            page.push(&format!("<{tag}>"));
            page.repeat(&text(choices), choices.count(MOST));
            page.push(choices.pick(&[
                "",
                "-->",
                "</script>",
                "</style>",
                "</title>",
                "</textarea>",
            ]));
        }
        9 => page.repeat(&text(choices), choices.count(MOST)),
        10 => page.repeat(
            choices.pick(&["&amp;", "&#x41", "&notit;", "&", "&#0;", "<", "\u{fdfa}"]),
            choices.count(MOST),
        ),
        11 => page.repeat(
            choices.pick(&["<br>", "<hr>", "<img alt=a>", "<input value=a>", "<wbr>", "\n", " "]),
            choices.count(MOST),
        ),
        12 => {
            let part = choices.text();
            page.repeat(&part, choices.count(MOST));
        }
        _ => page.push(&text(choices)),
    }
}

fn element(choices: &mut Choices) -> (String, String) {
    let name = choices.pick(&ELEMENTS);
    let attribute = match choices.below(4) {
        0 => format!(" {}", choices.pick(&ATTRIBUTES)),
        _ => String::new(),
    };
    (format!("<{name}{attribute}>"), format!("</{name}>"))
}

fn table(page: &mut Document, choices: &mut Choices) {
    let (columns, rows) = (choices.count(1 << 12), choices.count(MOST));
    let attribute = choices.pick(&ATTRIBUTES);
    let cell = choices.pick(&["<td>", "<th>", "<td><p>", "<td><table><tr><td>", "<caption>"]);
    let row = format!("<tr>{}", format!("{cell}{}", text(choices)).repeat(columns));
    page.push(&format!("<table {attribute}>"));
    page.repeat(&row, rows);
    page.push(choices.pick(&["</table>", ""]));
}

/// Appends a style sheet: many rules, a rule with many selectors or declarations, or deep nesting.
fn sheet(page: &mut Document, choices: &mut Choices) {
    page.push("<style>");
    let selector = choices.pick(&[".c", "#c", "div .c", "p>.c", "*,.c", "body .c:not(.d) ~ a.c"]);
    let declaration = choices.pick(&DECLARATIONS);
    let count = choices.count(MOST);
    match choices.below(5) {
        0 => page.each(count, |number| format!("{selector}{number}{{{declaration}}}")),
        1 => {
            page.each(count, |number| format!("{selector}{number},"));
            page.push(&format!("a{{{declaration}}}"));
        }
        2 => {
            page.push(&format!("{selector}1{{"));
            page.repeat(&format!("{declaration};"), count);
            page.push("}");
        }
        3 => page.nest(["@media screen{", &format!("p{{{declaration}}}"), "}"], count),
        _ => page.nest(
            [choices.pick(&["(", "[", "{", "a{", "/*", "@import '"]), declaration, ")"],
            count,
        ),
    }
    page.content.push_str(choices.pick(&["</style>", "</style", "-->"]));
}

fn text(choices: &mut Choices) -> String {
    text_or(&["é\u{301}\u{fdfa}ß&szlig;", "<b>a</b> <i hidden>b</i>"], choices)
}
