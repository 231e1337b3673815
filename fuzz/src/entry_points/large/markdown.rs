//! Generates a large Markdown document.

use std::iter;

use super::{Document, MOST};
use crate::choices::Choices;

/// The largest number of columns of a table. A parser fills in the cells that short rows lack: the
/// product of this and [`ROWS`] is a multiple of the number of cells that it fills in.
const COLUMNS: usize = 1 << 11;

/// The largest number of rows of a table.
const ROWS: usize = 1 << 13;

/// The largest number of levels of a list. Each level is indented by two more spaces, so the size
/// grows with the square of the number.
const LEVELS: usize = 1 << 10;

/// Marks that open or close something, single or paired.
const MARKS: [&str; 20] = [
    "*", "**", "_", "~~", "[", "]", "![", "](", "`", "<", ">", "$", "$$", "\\", "|", "#", "[^1]",
    "(", "- ", "<!--",
];

/// Generates a document of blocks from the choices of the input.
pub(super) fn document(choices: &mut Choices) -> String {
    let mut document = Document::new(choices);
    while !choices.is_empty() && !document.is_full() {
        block(&mut document, choices);
    }
    document.content
}

fn block(document: &mut Document, choices: &mut Choices) {
    match choices.below(16) {
        0 => table(document, choices),
        1 => {
            let (mark, depth) =
                (choices.pick(&["> ", ">", "> - ", "1. ", "- "]), choices.count(MOST));
            document.repeat(mark, depth);
            // The next lines belong to the innermost paragraph.
            document.repeat(&format!("{}\n", inline(choices)), 1 + choices.below(4));
        }
        2 => {
            let (mark, text) = (choices.pick(&["- ", "1. ", "- [ ] ", "> "]), inline(choices));
            document.each(choices.count(LEVELS), |level| {
                format!("{}{mark}{text}\n", "  ".repeat(level))
            });
        }
        3 => {
            let (mark, text) = (choices.pick(&["- ", "+ ", "7) ", "- [x] "]), inline(choices));
            let between = choices.pick(&["\n", "\n\n", "\n  "]);
            document.repeat(&format!("{mark}{text}{between}"), choices.count(MOST));
        }
        4 => {
            let part = inline(choices) + choices.pick(&["", " ", "\n", "  \n", "\\\n"]);
            document.repeat(&part, choices.count(MOST));
        }
        5 => document.repeat(&(inline(choices) + "\n\n"), choices.count(MOST)),
        6 => definitions(document, choices),
        7 => {
            let (mark, between) = (choices.pick(&MARKS), choices.pick(&["", " ", "a", "\n"]));
            let part = format!("{mark}{between}");
            document.repeat(&part, choices.count(MOST));
            document.push(&inline(choices));
            document.repeat(choices.pick(&[mark, part.as_str(), ""]), choices.count(MOST));
        }
        // Fences of code, each longer than the last.
        8 => {
            document.each(choices.count(LEVELS), |longer| format!("{} a ", "`".repeat(longer + 1)))
        }
        9 => {
            let fence = choices.pick(&["```\n", "~~~ rust\n", "    ", "$$\n", "`````\n"]);
            document.push(fence);
            document.repeat(&format!("{}\n", inline(choices)), choices.count(MOST));
            document.push(choices.pick(&[fence, "", "```\n"]));
        }
        10 => {
            let tag = choices.pick(&["div", "details", "b", "table", "!--", "script", "p hidden"]);
            let (open, close) = (format!("<{tag}>\n"), format!("</{tag}>\n"));
            document.nest([&open, &inline(choices), &close], choices.count(MOST));
        }
        11 => {
            let mark = choices.pick(&["# ", "###### ", "## a {#b} "]);
            let under = choices.pick(&["\n", "\n===\n", "\n---\n", " ##\n"]);
            document.repeat(&format!("{mark}{}{under}", inline(choices)), choices.count(MOST));
        }
        12 => {
            let fence = choices.pick(&["---\n", "+++\n"]);
            document.push(fence);
            document.repeat(&format!("a: {}\n", inline(choices)), choices.count(MOST));
            document.push(choices.pick(&[fence, "", "...\n"]));
        }
        13 => document.repeat(&choices.text(), choices.count(MOST)),
        14 => {
            document.repeat(choices.pick(&["\n", " ", "\t", "\r\n", "---\n"]), choices.count(MOST))
        }
        _ => document.push(&inline(choices)),
    }
    document.push(choices.pick(&["\n\n", "\n", ""]));
}

/// Appends a table. Its rows may have more cells than there are columns, or fewer, which a parser
/// fills in.
fn table(document: &mut Document, choices: &mut Choices) {
    let (columns, rows) = (choices.count(COLUMNS), choices.count(ROWS));
    let (head, cell) = (inline_of_a_line(choices), inline_of_a_line(choices));
    let rule = choices.pick(&["-|", ":-:|", "---|"]);
    let in_a_row = choices.pick(&[1, 0, columns, columns + 1, columns / 2]);
    let row = |cells: usize, cell: &str| format!("|{}\n", format!("{cell}|").repeat(cells));
    document.push(&row(columns, &head));
    document.push(&format!("|{}\n", rule.repeat(columns)));
    document.repeat(&row(in_a_row, &cell), rows);
}

/// Appends definitions of links or footnotes, and references to them.
fn definitions(document: &mut Document, choices: &mut Choices) {
    let (mark, count) = (choices.pick(&["", "^"]), choices.count(MOST));
    let distinct = 1 + choices.count(MOST);
    let text = choices.pick(&["/u", "</u v> 'x'", "a *b*", "a\n    b"]);
    let define = |number: usize| format!("[{mark}{}]: {text}\n", number % distinct);
    let refer = |number: usize| format!("[{mark}{}] ", number * 7 % distinct);
    if choices.below(2) == 0 {
        document.each(count, define);
        document.push("\n");
        document.each(count, refer);
    } else {
        document.each(count, refer);
        document.push("\n\n");
        document.each(count, define);
    }
}

/// Returns inline text without line ends.
fn inline_of_a_line(choices: &mut Choices) -> String {
    inline(choices).replace(['\n', '\r'], " ")
}

/// Returns inline text, which may contain line ends.
fn inline(choices: &mut Choices) -> String {
    let one = |choices: &mut Choices| match choices.below(20) {
        0 => "a".to_owned(),
        1 => "word ".to_owned(),
        2 => "*a* **b** ***c***".to_owned(),
        3 => "`a|b`".to_owned(),
        4 => "\\| \\* \\a".to_owned(),
        5 => "&amp;&#65;&nope;".to_owned(),
        6 => "[a](/b \"c\")".to_owned(),
        7 => "![a *b*](/c)".to_owned(),
        8 => "é\u{301}\u{fdfa}ß".to_owned(),
        9 => "<b hidden>a</b>".to_owned(),
        10 => "$a$ $$b$$".to_owned(),
        11 => "~~a~~ ~b~".to_owned(),
        12 => "<https://a.b> www.a.b".to_owned(),
        13 => "[^1] [a] [b][a]".to_owned(),
        14 => String::new(),
        15 => " ".to_owned(),
        16 => "a\nb".to_owned(),
        _ => choices.text(),
    };
    iter::repeat_with(|| ()).take(1 + choices.below(3)).map(|()| one(choices)).collect()
}
