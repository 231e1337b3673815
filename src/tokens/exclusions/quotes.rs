//! Where a text quotes: between paired marks, and in block quotations.

use std::ops::Range;

use crate::tokens;

/// The fewest words of a quotation: a name or a term in marks is none.
const LEAST_WORDS: usize = 5;

/// Marks that begin a quotation, each with those that end it.
const MARKS: &[(char, &[char])] = &[
    ('"', &['"']),
    ('“', &['”']),
    ('„', &['“', '”']),
    ('”', &['”']),
    ('«', &['»']),
    ('»', &['«']),
    ('‹', &['›']),
    ('›', &['‹']),
    ('「', &['」']),
    ('『', &['』']),
    ('《', &['》']),
];

/// The quotations of a text: `blocks`, lines that begin with `>` as in mails, and what stands
/// between a pair of marks within a paragraph. They may overlap.
pub(super) fn spans(text: &str, blocks: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut spans = blocks.to_vec();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_start_matches(' ').starts_with('>') {
            match spans.last_mut() {
                Some(last) if last.end == start => last.end += line.len(),
                _ => spans.push(start..start + line.len()),
            }
        }
        start += line.len();
    }
    for paragraph in paragraphs(text) {
        in_paragraph(text, paragraph, &mut spans);
    }
    spans
}

/// Where paragraphs stand: lines without a blank one between.
fn paragraphs(text: &str) -> Vec<Range<usize>> {
    let mut paragraphs: Vec<Range<usize>> = Vec::new();
    let (mut start, mut is_open) = (0, false);
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        match paragraphs.last_mut() {
            _ if line.trim().is_empty() => is_open = false,
            Some(last) if is_open => last.end = end,
            _ => {
                paragraphs.push(start..end);
                is_open = true;
            }
        }
        start = end;
    }
    paragraphs
}

/// Adds what stands between marks. Each mark is looked at once.
fn in_paragraph(text: &str, paragraph: Range<usize>, spans: &mut Vec<Range<usize>>) {
    let mut before = ' ';
    let mut open: Option<(usize, &[char])> = None;
    for (at, mark) in text[paragraph.clone()].char_indices() {
        let at = paragraph.start + at;
        let after = text[at + mark.len_utf8()..].chars().next().unwrap_or(' ');
        match open {
            Some((start, ends))
                if ends.contains(&mark) && !(is_two_ways(mark) && after.is_alphanumeric()) =>
            {
                let span = start..at + mark.len_utf8();
                if tokens::spans(&text[span.clone()]).take(LEAST_WORDS).count() == LEAST_WORDS {
                    spans.push(span);
                }
                open = None;
            }
            None if !(is_two_ways(mark) && before.is_alphanumeric()) && may_open(mark, after) => {
                let ends = MARKS.iter().find(|(start, _)| *start == mark);
                open = ends.map(|(_, ends)| (at, *ends));
            }
            _ => {}
        }
        before = mark;
    }
}

/// Whether a mark begins quotations and ends them, in one language or another: then what is
/// beside it tells which.
fn is_two_ways(mark: char) -> bool {
    matches!(mark, '"' | '”' | '“' | '»' | '›' | '«' | '‹')
}

/// Whether what follows allows a mark to begin a quotation: no space, but in French.
fn may_open(mark: char, after: char) -> bool {
    mark == '«' || !after.is_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_told_by_their_marks() {
        #[rustfmt::skip]
        let table: &[(&str, &str, &[&str])] = &[
            ("nothing",               "",                                        &[]),
            ("English",               "He said “one two three four five” then",   &["“one two three four five”"]),
            ("straight",              "(\"one two three four five.\")",           &["\"one two three four five.\""]),
            ("German",                "Er: „eins zwei drei vier fünf“, so",       &["„eins zwei drei vier fünf“"]),
            ("Polish",                "On: „raz dwa trzy cztery pięć” tak",       &["„raz dwa trzy cztery pięć”"]),
            ("French",                "« un deux trois quatre cinq »",           &["« un deux trois quatre cinq »"]),
            ("French, a narrow space", "«\u{202f}un deux trois quatre cinq\u{202f}»", &["«\u{202f}un deux trois quatre cinq\u{202f}»"]),
            ("Spanish",               "«uno dos tres cuatro cinco»",             &["«uno dos tres cuatro cinco»"]),
            ("Japanese",              "彼は「今日は雨だ」と言った",                  &["「今日は雨だ」"]),
            ("a term",                "the “big bad” wolf",                      &[]),
            ("over a line's end",     "“one two\nthree four five”",              &["“one two\nthree four five”"]),
            ("not over a blank line", "“one two three\n\nfour five six”",        &[]),
            ("not closed",            "“one two three four five six",            &[]),
            ("feet and inches",       "6\" by one two three four five\" wide",   &[]),
            ("an apostrophe inside",  "“one don't two three four five” and",     &["“one don't two three four five”"]),
            ("a mail",                "Hi\n> one two\n> three\nno",              &["> one two\n> three\n"]),
        ];
        for (why, text, want) in table {
            let found = spans(text, &[]);
            assert_eq!(
                found.into_iter().map(|span| &text[span]).collect::<Vec<_>>(),
                *want,
                "{why}"
            );
        }
    }
}
