//! A stretch of a text → its prose: the words that a writer chose for a reader.
//!
//! Code, markup and addresses are in no language, and their letters are Latin in a text
//! of any script. What is left out is what Markdown and HTML mark as such, and words that
//! are none. A mistake costs a few words of a sample and nothing else, so nothing is
//! parsed: a rule looks at one line, or no further than [`LONGEST_MARK`] bytes.

use memchr::{memchr, memchr2};

/// The marks of a fenced code block.
const FENCES: [&str; 2] = ["```", "~~~"];

/// The lines that enclose what programs, not readers, are told of a page.
const FRONT_MATTER: [&str; 2] = ["---", "+++"];

/// Bytes in which a tag, a piece of code or a link's target must end; what opens none is
/// a character like others.
const LONGEST_MARK: usize = 512;

/// The words of prose in a stretch, as they stand there, each followed by white space;
/// empty where there are none.
pub(super) fn of(stretch: &str) -> String {
    let mut prose = String::with_capacity(stretch.len());
    for line in without_tags(&without_code_blocks(stretch)).lines() {
        for word in without_code_and_links(line).split_whitespace().filter(|word| is_prose(word)) {
            prose.push_str(word);
            prose.push(' ');
        }
        prose.push('\n');
    }
    prose
}

/// The lines that are neither front matter nor between two fences; a block that is not
/// closed ends with the stretch. A fence that names a language opens a block even where
/// one is open: then the stretch began in a block, and it was the end that opened one.
fn without_code_blocks(stretch: &str) -> String {
    let mut kept = String::with_capacity(stretch.len());
    let mut open = None;
    for line in after_front_matter(stretch).lines().map(str::trim) {
        let fence = FENCES.into_iter().find(|fence| line.starts_with(fence));
        match fence.map(|fence| (fence, line.trim_start_matches(['`', '~']))) {
            Some((fence, "")) if open == Some(fence) => open = None,
            Some((fence, name)) if open.is_none() && !name.contains('`') => open = Some(fence),
            _ if open.is_some() => {}
            _ => {
                kept.push_str(line);
                kept.push('\n');
            }
        }
    }
    kept
}

fn after_front_matter(stretch: &str) -> &str {
    let mut lines = stretch.split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| FRONT_MATTER.contains(&line.trim_end())) else {
        return stretch;
    };
    let mut end = first.len();
    for line in lines {
        end += line.len();
        if line.trim_end() == first.trim_end() {
            return &stretch[end..];
        }
    }
    stretch
}

/// The text with a space for each tag and comment of HTML.
fn without_tags(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr(b'<', rest.as_bytes()) {
        let (before, inside) = (&rest[..at], &rest[at + 1..]);
        let is_tag = inside.starts_with(|c: char| c.is_ascii_alphabetic() || "/!".contains(c));
        let end = is_tag.then(|| end_of_mark(inside, b"<>")).flatten();
        rest = match end {
            Some(end) if inside.as_bytes()[end] == b'>' => &inside[end + 1..],
            _ => inside,
        };
        kept.push_str(before);
        kept.push(' ');
    }
    kept + rest
}

/// The line with a space for each `code` and for the target of each link.
fn without_code_and_links(line: &str) -> String {
    let mut kept = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = memchr2(b'`', b']', rest.as_bytes()) {
        let (mark, inside) = rest[at..].split_at(1);
        let end = match (mark, inside.bytes().next()) {
            ("`", _) => end_of_mark(inside, b"`"),
            (_, Some(b'(')) => end_of_mark(inside, b")"),
            (_, Some(b'[')) => end_of_mark(inside, b"]"),
            _ => None,
        };
        kept.push_str(&rest[..at]);
        kept.push(' ');
        rest = end.map_or(inside, |end| &inside[end + 1..]);
    }
    kept + rest
}

/// Where the first of these bytes, all ASCII, stands; none where it is too far.
fn end_of_mark(inside: &str, ends: &[u8]) -> Option<usize> {
    inside.bytes().take(LONGEST_MARK).position(|byte| ends.contains(&byte))
}

/// Whether a word can be one of prose: inside it has no digit, no mark but an apostrophe
/// or a hyphen, and no capital after a small letter. A word with letters that are not
/// Latin is one whatever else it has: it may be a whole sentence without spaces.
fn is_prose(written: &str) -> bool {
    if written.is_ascii() {
        return is_ascii_prose(written.as_bytes());
    }
    is_prose_of_any_script(written)
}

fn is_prose_of_any_script(written: &str) -> bool {
    let word = written.trim_matches(|c: char| !c.is_alphanumeric());
    let is_mark = |c: char| c.is_ascii() && !c.is_ascii_alphabetic() && !"'-".contains(c);
    let is_hump = |(c, next): (char, char)| c.is_lowercase() && next.is_uppercase();
    let is_plain =
        || !word.contains(is_mark) && !word.chars().zip(word.chars().skip(1)).any(is_hump);
    !word.is_empty() && (word.chars().any(is_beyond_latin) || is_plain())
}

/// What [`is_prose_of_any_script`] says, of a word in ASCII, where a byte is a character.
fn is_ascii_prose(written: &[u8]) -> bool {
    let Some(start) = written.iter().position(u8::is_ascii_alphanumeric) else { return false };
    let end = written.iter().rposition(u8::is_ascii_alphanumeric).map_or(start, |last| last + 1);
    let word = &written[start..end];
    let is_mark = |byte: &u8| !byte.is_ascii_alphabetic() && !b"'-".contains(byte);
    let is_hump = |pair: &[u8]| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase();
    !word.iter().any(is_mark) && !word.windows(2).any(is_hump)
}

/// Whether this is a letter beyond the blocks that begin with ASCII and hold Latin
/// letters and what combines with them.
fn is_beyond_latin(c: char) -> bool {
    c > '\u{36f}' && c.is_alphabetic()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The words of prose, parted by one space.
    fn prose(stretch: &str) -> String {
        of(stretch).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_a_reader_reads_is_prose() {
        #[rustfmt::skip]
        let table = [
            ("nothing",                  "",                                 ""),
            ("a sentence",               "¿The lamp, (that) don’t-know…",    "¿The lamp, (that) don’t-know…"),
            ("a heading and a list",     "## Lamp\n* **oil** and",           "Lamp **oil** and"),
            ("a combining accent",       "cafe\u{301} noir",                 "cafe\u{301} noir"),
            ("code in a line",           "the `let lamp` here",              "the here"),
            ("code without an end",      "the ` lamp",                       "the lamp"),
            ("not over a line's end",    "the ` lamp\nand ` oil",            "the lamp and oil"),
            ("LaTeX's quotes",           "a ``lamp'' here",                  "a lamp'' here"),
            ("a link's target",          "[the lamp](oil.md) is",            "[the lamp is"),
            ("a reference",              "[the lamp][oil lid] is",           "[the lamp is"),
            ("brackets",                 "[sic] is",                         "[sic is"),
            ("a target without an end",  "[the lamp](oil is",                "[the lamp (oil is"),
            ("an address",               "see https://a.example/lamp now",   "see now"),
            ("a number",                 "in 1984 or x2",                    "in or"),
            ("names of programs",        "a lamp_oil lampOil lamp.rs Lamp",  "a Lamp"),
            ("a tag",                    "a <b>lamp</b> <img\nsrc=x>lid",     "a lamp lid"),
            ("a comment",                "a <!-- copper --> lid",            "a lid"),
            ("less than",                "a < b and c <d is >e",             "a b and c e"),
            ("less than a number",       "a <3 lamps> b",                    "a lamps> b"),
            ("a straight apostrophe",    "don't 'quote'",                    "don't 'quote'"),
            ("a tag without an end",     "a <b lamp\n<i>lid",                "a b lamp lid"),
            ("a sentence without spaces", "在Linux下的x_1。",                 "在Linux下的x_1。"),
            ("another script with marks", "п'ять/шість 5",                   "п'ять/шість"),
        ];
        for (why, stretch, want) in table {
            assert_eq!(prose(stretch), want, "{why}");
        }
    }

    #[test]
    fn code_blocks_and_front_matter_are_not() {
        #[rustfmt::skip]
        let table = [
            ("a block",                 "a\n```\nlamp\n```\nb",               "a b"),
            ("with a language, deeper", "a\n  ~~~ rust\n lamp\n  ~~~~\nb",      "a b"),
            ("by CR LF",                "a\r\n```\r\nlamp\r\n```\r\nb",       "a b"),
            ("the other fence inside",  "a\n```\n~~~\nlamp\n```\nb",          "a b"),
            ("without an end",          "a\n```\nlamp",                       "a"),
            ("on one line",             "```lamp``` a",                       "a"),
            ("begun before",            "lamp\n```\na\n```c\noil\n```\nb",      "lamp b"),
            ("front matter",            "---\nlang: en\nlamp: oil\n---\na",    "a"),
            ("of the other kind",       "+++\nlamp = oil\n+++\na",             "a"),
            ("a rule",                  "---\na",                             "a"),
            ("front matter later on",   "a\n---\nlamp\n---\n",                "a lamp"),
        ];
        for (why, stretch, want) in table {
            assert_eq!(prose(stretch), want, "{why}");
        }
    }

    proptest! {
        #[test]
        fn of_ascii_both_ways_say_the_same(written in "[ -~]{0,4}[a-zA-Z'-]{0,8}[ -~]{0,3}") {
            prop_assert_eq!(is_ascii_prose(written.as_bytes()), is_prose_of_any_script(&written));
        }
    }

    /// An end is looked for no further than it may be.
    #[test]
    fn marks_are_short() {
        for (open, close) in [("`", "`"), ("](", ")"), ("<b", ">")] {
            for (length, want) in [(LONGEST_MARK - 4, "lid"), (LONGEST_MARK, "oil lid")] {
                let stretch = format!("{open}{} oil {close} lid", " ".repeat(length - 4));
                let prose = prose(&stretch);
                assert!(
                    prose.ends_with("lid") && prose.contains("oil") == want.contains("oil"),
                    "{open} {length}: {prose}"
                );
            }
        }
    }
}
