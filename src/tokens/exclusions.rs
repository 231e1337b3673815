//! Text → what counts of it: all but what everyone was given, its quotations, its list of
//! references and what its writer marked, where those are not to count.
//!
//! Goes in: a text, and where it has what is in a template. Comes out: the stretches that are left, and what was left out of it and
//! why. What is left out is as if the text ended before it and another began behind it: no
//! shingle reaches over the gap. So it is where one file of a text ends and the next begins.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::text::Text;
use crate::tokens;

/// Why a part of a text does not count.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub enum Why {
    /// Everyone was given it.
    Template,
    /// It is a quotation.
    Quotes,
    /// It is the list of references.
    Bibliography,
    /// Its writer marked it.
    Marked,
    /// Too many texts of a corpus have it.
    Common,
}

impl Why {
    /// All reasons, in the order in which they are reported.
    pub const ALL: [Self; 5] =
        [Self::Template, Self::Quotes, Self::Bibliography, Self::Marked, Self::Common];

    /// The name of the reason; never changes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Template => "template",
            Self::Quotes => "quotes",
            Self::Bibliography => "bibliography",
            Self::Marked => "marked",
            Self::Common => "common",
        }
    }
}

/// A part of a text that does not count.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct LeftOut {
    /// Why it does not count.
    pub why: Why,
    /// Where it stands in the text, in bytes.
    pub span: Range<usize>,
    /// Its words.
    pub words: usize,
}

/// What is left of a text.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Remaining<'t> {
    text: &'t str,
    /// In their order; none reaches into another.
    left_out: Vec<LeftOut>,
    /// What is left out, and the empty ranges where a file of the text ends, in their order.
    gaps: Vec<Range<usize>>,
}

impl<'t> Remaining<'t> {
    /// All of a text.
    pub fn all(text: &'t str) -> Self {
        Self { text, left_out: Vec::new(), gaps: Vec::new() }
    }

    /// A text without what is to be ignored. `given` is where it has what is in a template, in
    /// bytes.
    pub fn new(text: &'t Text, ignored: &[Why], given: &[Range<usize>]) -> Self {
        let content = text.content();
        let mut found: Vec<(Range<usize>, Why)> = Vec::new();
        for why in Why::ALL {
            let spans = match why {
                Why::Template => given.to_vec(),
                // What other texts have is found by anyone who has them.
                Why::Common => continue,
                _ if !ignored.contains(&why) => continue,
                Why::Quotes => quotations(content, text.block_quotes()),
                Why::Marked => {
                    text.marked().stretches.iter().map(|stretch| stretch.whole.clone()).collect()
                }
                Why::Bibliography => text.parts().flat_map(|part| shifted(content, part)).collect(),
            };
            found.extend(spans.into_iter().map(|span| (span, why)));
        }
        found.sort_by_key(|(span, why)| (span.start, *why));
        let mut left_out: Vec<LeftOut> = Vec::new();
        for (span, why) in found {
            let start = left_out.last().map_or(0, |last| last.span.end).max(span.start);
            if start < span.end {
                let words = tokens::split(&content[start..span.end]).len();
                left_out.push(LeftOut { why, span: start..span.end, words });
            }
        }
        Self::without(text, left_out)
    }

    /// A text without parts of it: in their order, none reaching into another.
    pub fn without(text: &'t Text, left_out: Vec<LeftOut>) -> Self {
        let mut gaps: Vec<Range<usize>> = left_out.iter().map(|part| part.span.clone()).collect();
        let borders = text.parts().skip(1).map(|part| part.start..part.start);
        let are_there = gaps.len();
        gaps.extend(borders);
        if gaps.len() > are_there {
            gaps.sort_by_key(|gap| (gap.start, usize::MAX - gap.end));
            let mut end = 0;
            gaps.retain(|gap| {
                let is_within = gap.is_empty() && gap.end <= end;
                end = end.max(gap.end);
                !is_within
            });
        }
        Self { text: text.content(), left_out, gaps }
    }

    /// Whether nothing is left out, and all of the text is one file.
    pub fn is_whole(&self) -> bool {
        self.gaps.is_empty()
    }

    /// The text, what is left out included.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The parts that do not count, in their order.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// The parts of what is left, in their order, as spans in the text; they may be empty.
    pub fn spans(&self) -> impl Iterator<Item = Range<usize>> + Clone {
        let ends = self.gaps.iter().map(|gap| gap.start).chain([self.text.len()]);
        let starts = [0].into_iter().chain(self.gaps.iter().map(|gap| gap.end));
        starts.zip(ends).map(|(start, end)| start..end)
    }

    /// The parts of what is left.
    pub fn stretches(&self) -> impl Iterator<Item = &'t str> + Clone {
        let text = self.text;
        self.spans().map(move |span| &text[span])
    }
}

// Where a text lists its references: from their heading to the next one.

/// What the heading says, in small letters.
#[rustfmt::skip]
const HEADINGS: &[&str] = &[
    "references", "bibliography", "works cited", "literature cited", "list of references", "sources",
    "literatur", "literaturverzeichnis", "quellen", "quellenverzeichnis", "bibliografie", "bibliographie",
    "bibliografía", "referencias", "referencias bibliográficas", "obras citadas", "fuentes",
    "bibliografia", "referències", "referències bibliogràfiques", "fonts",
    "références", "références bibliographiques", "ouvrages cités", "sources citées",
    "riferimenti", "riferimenti bibliografici", "opere citate", "fonti",
    "referências", "referências bibliográficas",
    "литература", "список литературы", "библиография", "источники", "список источников",
    "література", "список літератури", "джерела", "бібліографія",
    "literatura", "piśmiennictwo", "źródła", "seznam literatury", "použitá literatura", "zdroje",
    "literatuur", "literatuurlijst", "referenties", "bronnen",
    "referenser", "litteratur", "litteraturförteckning", "källor", "källförteckning",
    "referencer", "referanser", "litteraturliste", "kilder",
    "lähteet", "lähdeluettelo", "kirjallisuus", "irodalom", "irodalomjegyzék", "hivatkozások",
    "referințe", "referințe bibliografice", "kaynakça", "kaynaklar", "daftar pustaka", "tài liệu tham khảo",
    "βιβλιογραφία", "αναφορές", "πηγές", "المراجع", "المصادر", "قائمة المراجع", "منابع", "מקורות", "ביבליוגרפיה",
    "संदर्भ", "参考文献", "參考文獻", "引用文献", "참고문헌", "참고 문헌", "บรรณานุกรม", "เอกสารอ้างอิง",
];

/// The most words of a heading.
const LONGEST_HEADING: usize = 8;

/// The lists of references of a text, headings included; a heading that another one follows
/// at once, as in a table of contents, begins none.
pub(super) fn bibliographies(text: &str) -> Vec<Range<usize>> {
    let mut spans: Vec<Range<usize>> = Vec::new();
    let (mut start, mut open, mut was_blank) = (0, None, true);
    for line in text.split_inclusive('\n') {
        if is_references(line) {
            close(&mut spans, open, start);
            open = Some((start, start + line.len()));
        } else if open.is_some() && was_blank && is_heading(line) {
            close(&mut spans, open.take(), start);
        } else if let Some((_, filled)) = &mut open
            && !line.trim().is_empty()
        {
            *filled = start + line.len();
        }
        was_blank = line.trim().is_empty();
        start += line.len();
    }
    close(&mut spans, open, text.len());
    spans
}

/// The lists of references of a part of a text, as spans of all of it.
fn shifted(text: &str, part: Range<usize>) -> impl Iterator<Item = Range<usize>> + use<> {
    let start = part.start;
    let lists = bibliographies(&text[part]).into_iter();
    lists.map(move |list| start + list.start..start + list.end)
}

/// Ends a list that begins with its heading; it may be empty.
fn close(spans: &mut Vec<Range<usize>>, open: Option<(usize, usize)>, end: usize) {
    if let Some((start, filled)) = open
        && end > start
        && filled > start
    {
        spans.push(start..filled.min(end));
    }
}

/// Whether a line is the heading of a list of references.
fn is_references(line: &str) -> bool {
    let heading = bare(line).to_lowercase();
    HEADINGS.contains(&heading.as_str())
}

/// A heading without its number and marks.
fn bare(line: &str) -> &str {
    let is_mark = |letter: char| letter.is_whitespace() || "#*_=:.()[]§-".contains(letter);
    let line = line.trim_matches(is_mark);
    let numbered = line.split_once(['.', ' ', ')']);
    let is_number = |number: &str| {
        let is_digits = number.chars().all(|it| it.is_ascii_digit() || it == '.');
        is_digits || number.chars().all(|it| "IVX".contains(it))
    };
    match numbered {
        Some((number, rest)) if is_number(number) => rest.trim_matches(is_mark),
        _ => line,
    }
}

/// Whether a line that follows on a blank one looks like a heading rather than a reference:
/// it is short, has no number and does not end as a sentence does.
fn is_heading(line: &str) -> bool {
    let heading = bare(line);
    let words = heading.split_whitespace().count();
    let is_marked = line.starts_with('#');
    let is_short = (1..=LONGEST_HEADING).contains(&words)
        && !line.trim_end().ends_with(['.', ',', ';', ':'])
        && !heading
            .contains(|letter: char| letter.is_ascii_digit() || letter == ',' || letter == '(');
    is_marked || is_short
}

// Where a text quotes: between paired marks, and in block quotations.

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
pub(super) fn quotations(text: &str, blocks: &[Range<usize>]) -> Vec<Range<usize>> {
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
/// beside it says which.
fn is_two_ways(mark: char) -> bool {
    matches!(mark, '"' | '”' | '“' | '»' | '›' | '«' | '‹')
}

/// Whether what follows allows a mark to begin a quotation: no space, but in French.
fn may_open(mark: char, after: char) -> bool {
    mark == '«' || !after.is_whitespace()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn what_is_left_out_leaves_stretches() {
        let content =
            "One. “Two three four five six.” Seven\n\nReferences\n\nNine “a b c d e” 2001.\n";
        let text = Text::from_bytes(Path::new("x"), content.into()).unwrap();
        let left = |ignored: &[Why]| -> Vec<&str> {
            Remaining::new(&text, ignored, &[]).stretches().map(str::trim).collect()
        };
        assert_eq!(left(&[]), [content.trim()]);
        assert_eq!(left(&[Why::Bibliography]), ["One. “Two three four five six.” Seven", ""]);
        assert_eq!(left(&[Why::Quotes]), ["One.", "Seven\n\nReferences\n\nNine", "2001."]);
        let both = Remaining::new(&text, &[Why::Bibliography, Why::Quotes], &[]);
        assert_eq!(both.stretches().map(str::trim).collect::<Vec<_>>(), ["One.", "Seven", ""]);
        let reasons: Vec<(Why, usize)> =
            both.left_out().iter().map(|it| (it.why, it.words)).collect();
        assert_eq!(reasons, [(Why::Quotes, 5), (Why::Bibliography, 8)]);
    }
}

#[cfg(test)]
mod bibliography_tests {
    use super::*;

    #[test]
    fn a_list_reaches_from_its_heading_to_the_next() {
        #[rustfmt::skip]
        let table: &[(&str, &str, &[&str])] = &[
            ("nothing",            "",                                                  &[]),
            ("none",               "A text about references.\n",                        &[]),
            ("to the end",         "Text.\n\nReferences\n\nDoe, J. 2001.\nRoe 2002.\n",  &["References\n\nDoe, J. 2001.\nRoe 2002.\n"]),
            ("to a heading",       "References\n\nDoe 2001.\n\nAppendix\n\nMore.\n",     &["References\n\nDoe 2001.\n"]),
            ("in Markdown",        "## References\nDoe 2001\n\n## Thanks 2\nTo all\n",   &["## References\nDoe 2001\n"]),
            ("numbered",           "7. References\n[1] Doe 2001\n",                     &["7. References\n[1] Doe 2001\n"]),
            ("Roman",              "VII. REFERENCES:\nDoe 2001",                        &["VII. REFERENCES:\nDoe 2001"]),
            ("German",             "Literaturverzeichnis\nDoe 2001",                    &["Literaturverzeichnis\nDoe 2001"]),
            ("Russian",            "Список литературы\nДоу 2001",                       &["Список литературы\nДоу 2001"]),
            ("Chinese",            "参考文献\n王 2001",                                   &["参考文献\n王 2001"]),
            ("a table of contents", "References\n\nAppendix\n\nText here.\n",            &["References\n"]),
        ];
        for (why, text, want) in table {
            let found = bibliographies(text);
            assert_eq!(
                found.into_iter().map(|span| &text[span]).collect::<Vec<_>>(),
                *want,
                "{why}"
            );
        }
    }
}

#[cfg(test)]
mod quotes_tests {
    use super::*;

    #[test]
    fn quotations_are_recognized_by_their_marks() {
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
            let found = quotations(text, &[]);
            assert_eq!(
                found.into_iter().map(|span| &text[span]).collect::<Vec<_>>(),
                *want,
                "{why}"
            );
        }
    }
}
