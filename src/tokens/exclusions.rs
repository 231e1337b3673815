//! Determines the parts of a text that count: all except, as requested, the parts that match a
//! template, quotations, lists of references, and stretches that the author marked.
//!
//! Input: a text, and the parts of it that match a template. Output: the remaining stretches, and
//! the parts that were left out with the reasons. The text before a gap and the text after it are
//! treated like separate texts: no shingle extends over a gap. The same holds for the border
//! between two files of a joined text.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::text::Text;
use crate::tokens;

/// The reason why a part of a text does not count.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub enum Why {
    /// It matches a template, which everyone was given.
    Template,
    /// It is a quotation.
    Quotes,
    /// It is in the list of references.
    Bibliography,
    /// The author marked it.
    Marked,
    /// Too many texts of a corpus contain it.
    Common,
}

impl Why {
    /// All reasons, in the order in which they are reported.
    pub const ALL: [Self; 5] =
        [Self::Template, Self::Quotes, Self::Bibliography, Self::Marked, Self::Common];

    /// Reports whether the reason lies in the text, so that its author decides what is left out; a
    /// template was given to everyone, and what is common depends on all texts.
    pub fn is_of_the_text(self) -> bool {
        matches!(self, Self::Quotes | Self::Bibliography | Self::Marked)
    }

    /// Returns the name of the reason. The names are stable.
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
    /// The reason.
    pub why: Why,
    /// Its byte range in the text.
    pub span: Range<usize>,
    /// The number of its words.
    pub words: usize,
}

/// Returns each reason that occurs, in a fixed order, with the number of excluded parts and that of
/// their words.
pub fn excluded(left_out: &[LeftOut]) -> impl Iterator<Item = (Why, usize, usize)> {
    let mut reasons = BTreeMap::new();
    for part in left_out {
        let (parts, words) = reasons.entry(part.why).or_insert((0, 0));
        *parts += 1;
        *words += part.words;
    }
    reasons.into_iter().map(|(why, (parts, words))| (why, parts, words))
}

/// More than a third of a text, left out for reasons that lie in the text itself. Its author decides
/// what is in quotation marks, in a list of references or between markers; a template was given to
/// everyone and does not belong to the text here.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LargelyLeftOut {
    /// The number of words that are left out for each of these reasons, in a fixed order.
    pub reasons: Vec<(Why, usize)>,
    /// The number of words of the text, without templates and without what is common in a corpus.
    pub words: usize,
}

impl LargelyLeftOut {
    /// Returns what is left out of a text of which `remaining` words are left; `None` if it is a
    /// third or less.
    pub fn new(left_out: &[LeftOut], remaining: usize) -> Option<Self> {
        let own = excluded(left_out).filter(|(why, ..)| why.is_of_the_text());
        let reasons: Vec<_> = own.map(|(why, _, words)| (why, words)).collect();
        let without: usize = reasons.iter().map(|(_, words)| words).sum();
        let words = without + remaining;
        (3 * without > words).then_some(Self { reasons, words })
    }
}

impl fmt::Display for LargelyLeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let without: usize = self.reasons.iter().map(|(_, words)| words).sum();
        write!(f, "{without} of {} words left out (", self.words)?;
        for (at, (why, words)) in self.reasons.iter().enumerate() {
            write!(f, "{}{} {words}", if at == 0 { "" } else { ", " }, why.name())?;
        }
        f.write_str(")")
    }
}

/// The part of a text that counts.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Remaining<'t> {
    text: &'t str,
    /// The parts that are left out, in order and disjoint.
    left_out: Vec<LeftOut>,
    /// The parts that are left out, and an empty range at each border between two files that is not
    /// within one of them, in order.
    gaps: Vec<Range<usize>>,
}

impl<'t> Remaining<'t> {
    /// Keeps all of a text.
    pub fn all(text: &'t str) -> Self {
        Self { text, left_out: Vec::new(), gaps: Vec::new() }
    }

    /// Leaves out the parts of a text for the `ignored` reasons. `given` are the byte ranges that
    /// match a template, and those that many texts of the corpus have; they are always left out.
    pub fn new(text: &'t Text, ignored: &[Why], given: [&[Range<usize>]; 2]) -> Self {
        let content = text.content();
        let mut found: Vec<(Range<usize>, Why)> = Vec::new();
        for why in Why::ALL {
            let spans = match why {
                Why::Template => given[0].to_vec(),
                Why::Common => given[1].to_vec(),
                _ if !ignored.contains(&why) => continue,
                Why::Quotes => quotations(content, text.block_quotes()),
                Why::Marked => {
                    text.marked().stretches.iter().map(|stretch| stretch.whole.clone()).collect()
                }
                Why::Bibliography => {
                    let headed = text.parts().flat_map(|part| shifted(content, part));
                    headed.chain(text.references().iter().cloned()).collect()
                }
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

    /// Leaves out the given parts of a text, which must be in order and disjoint.
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

    /// Reports whether nothing is left out and the text is a single file.
    pub fn is_whole(&self) -> bool {
        self.gaps.is_empty()
    }

    /// Returns the text, including the parts that are left out.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Returns the parts that do not count, in order.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// Returns the remaining stretches as one text, each on lines of its own. The borders between
    /// files are not marked in it.
    pub fn content(&self) -> Cow<'t, str> {
        if self.left_out.is_empty() {
            return self.text.into();
        }
        self.stretches().collect::<Vec<_>>().join("\n").into()
    }

    /// Returns the byte ranges of the remaining stretches of the text, in order. They may be empty.
    pub fn spans(&self) -> impl Iterator<Item = Range<usize>> + Clone {
        let ends = self.gaps.iter().map(|gap| gap.start).chain([self.text.len()]);
        let starts = [0].into_iter().chain(self.gaps.iter().map(|gap| gap.end));
        starts.zip(ends).map(|(start, end)| start..end)
    }

    /// Returns the remaining stretches of the text, in order.
    pub fn stretches(&self) -> impl Iterator<Item = &'t str> + Clone {
        let text = self.text;
        self.spans().map(move |span| &text[span])
    }
}

// Finds the lists of references of a text: each extends from its heading to the next heading.

/// The headings of lists of references of many languages and style guides, one a line; `#` begins a
/// comment.
const HEADINGS: &str = include_str!("reference_headings.txt");

/// The largest number of words of a heading.
const MAX_HEADING_LENGTH: usize = 8;

/// Returns the lists of references of a text, including their headings. If another heading follows
/// at once, as in a table of contents, the list is the heading only.
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

/// Returns the lists of references of a part of a text, as byte ranges of the entire text.
fn shifted(text: &str, part: Range<usize>) -> impl Iterator<Item = Range<usize>> + use<> {
    let start = part.start;
    let lists = bibliographies(&text[part]).into_iter();
    lists.map(move |list| start + list.start..start + list.end)
}

/// Ends a list of references at its last line that is not blank. A list without references is its
/// heading only.
fn close(spans: &mut Vec<Range<usize>>, open: Option<(usize, usize)>, end: usize) {
    if let Some((start, filled)) = open
        && end > start
        && filled > start
    {
        spans.push(start..filled.min(end));
    }
}

/// The largest number of bytes of the heading of a list of references.
const MAX_HEADING_BYTES: usize = 256;

/// Reports whether a line is the heading of a list of references. Case and marks on letters are
/// ignored: Greek capitals have no accents.
fn is_references(line: &str) -> bool {
    static FOLDED: LazyLock<BTreeSet<String>> =
        LazyLock::new(|| HEADINGS.lines().filter(|it| !it.starts_with('#')).map(folded).collect());
    line.len() <= MAX_HEADING_BYTES && FOLDED.contains(&folded(bare(&unified(line))))
}

/// Returns a line in NFKC, in which full-width digits and punctuation are those of ASCII.
fn unified(line: &str) -> Cow<'_, str> {
    if line.is_ascii() { line.into() } else { line.nfkc().collect() }
}

fn folded(heading: &str) -> String {
    let bare: String = heading.nfd().filter(|letter| !is_combining_mark(*letter)).collect();
    bare.to_lowercase()
}

/// Removes the number and the markup of a heading in NFKC.
fn bare(line: &str) -> &str {
    let is_mark =
        |letter: char| letter.is_whitespace() || "#*_=:.()[]§-【】〔〕「」。、".contains(letter);
    let line = line.trim_matches(is_mark);
    let numbered = line.split_once(['.', ' ', ')', '、']);
    let is_number = |number: &str| {
        let is_digits = number.chars().all(|it| it.is_numeric() || it == '.');
        is_digits
            || ["IVX", "一二三四五六七八九十"]
                .iter()
                .any(|digits| number.chars().all(|it| digits.contains(it)))
    };
    match numbered {
        Some((number, rest)) if is_number(number) => rest.trim_matches(is_mark),
        _ => line,
    }
}

/// The beginnings of headings of appendices, thanks and chapters in languages whose headings often
/// have digits or punctuation.
const NEXT_HEADINGS: &[&str] =
    &["附录", "附錄", "付録", "致谢", "致謝", "謝辞", "第", "부록", "الخلاصة", "ملحق"];

/// The largest number of characters of such a heading.
const MAX_NEXT_HEADING: usize = 20;

/// Reports whether a line that follows a blank one looks like a heading rather than a reference: it
/// is marked as one in Markdown, it begins as many headings do, or it is short, contains no digit,
/// comma, title mark or `(`, and does not end like a sentence.
fn is_heading(line: &str) -> bool {
    let heading = bare(line);
    let words = heading.split_whitespace().count();
    let is_marked = line.starts_with('#');
    let begins = NEXT_HEADINGS.iter().any(|it| heading.starts_with(it))
        && heading.chars().take(MAX_NEXT_HEADING + 1).count() <= MAX_NEXT_HEADING;
    let is_short = (1..=MAX_HEADING_LENGTH).contains(&words)
        && !line.trim_end().ends_with(['.', ',', ';', ':', '。', '，', '；', '؛', '।', '։'])
        && !heading.contains(|letter: char| letter.is_numeric() || ",，、،《『(".contains(letter));
    is_marked || begins || is_short
}

// Finds the quotations of a text: between paired quotation marks, and block quotations.

/// The smallest number of words of a quotation. A name or a term in quotation marks is not a
/// quotation.
const MIN_WORDS: usize = 5;

/// The marks that begin a quotation, each with those that end it. An apostrophe is not one of them:
/// see [`is_apostrophe`].
const MARKS: &[(char, &[char])] = &[
    ('\'', &['\'']),
    ('‘', &['’']),
    ('‚', &['‘', '’']),
    (LATEX_OPENING, &['\'']),
    ('"', &['"']),
    ('\u{5f4}', &['\u{5f4}']),
    ('“', &['”']),
    ('„', &['“', '”']),
    ('”', &['”']),
    ('«', &['»']),
    ('»', &['«', '»']),
    ('‹', &['›']),
    ('›', &['‹', '›']),
    ('「', &['」']),
    ('『', &['』']),
    ('《', &['》']),
];

/// The first of the two marks with which LaTeX begins a quotation. It ends with two as well.
const LATEX_OPENING: char = '`';

/// Returns the quotations of a text: `blocks`, lines that begin with `>` as in e-mails, and the
/// text between paired quotation marks within a paragraph. They may overlap.
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
    let mut paragraphs = paragraphs(text).into_iter().peekable();
    while let Some(paragraph) = paragraphs.next() {
        let next =
            paragraphs.peek().and_then(|next| text[next.clone()].trim_start().chars().next());
        in_paragraph(text, paragraph, next, &mut spans);
    }
    spans
}

/// Adds a quotation to `spans`, unless it is only a name or a term.
fn add_quotation(text: &str, span: Range<usize>, spans: &mut Vec<Range<usize>>) {
    if tokens::spans(&text[span.clone()]).take(MIN_WORDS).count() == MIN_WORDS {
        spans.push(span);
    }
}

/// Returns the byte ranges of the paragraphs: runs of lines without a blank one between them.
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

/// Adds the quotations of a paragraph to `spans`. `next` is the first character of the next paragraph:
/// a quotation of several paragraphs has an opening mark before each of them. Each character is
/// visited a fixed number of times.
fn in_paragraph(
    text: &str,
    paragraph: Range<usize>,
    next: Option<char>,
    spans: &mut Vec<Range<usize>>,
) {
    let mut before = ' ';
    let mut open: Option<(usize, &[char])> = None;
    let last_end = |mark: char| {
        let ends = text[paragraph.clone()].rmatch_indices(mark).map(|(at, _)| paragraph.start + at);
        ends.into_iter().find(|at| is_end(text, *at, mark))
    };
    // An apostrophe at the beginning of a word looks like an opening mark, but nothing closes it.
    let last_ends = [('\'', last_end('\'')), ('‘', last_end('’'))];
    let is_closed = |at: usize, mark: char| {
        let last = last_ends.iter().find(|(start, _)| *start == mark);
        next == Some(mark) || last.is_none_or(|(_, end)| end.is_some_and(|end| at < end))
    };
    for (at, mark) in text[paragraph.clone()].char_indices() {
        let at = paragraph.start + at;
        let after = text[at + mark.len_utf8()..].chars().next().unwrap_or(' ');
        let is_within_hebrew = is_hebrew(before) && is_hebrew(after);
        // Only an opening mark has white space before it and a word after it.
        let begins = before.is_whitespace() && after.is_alphanumeric();
        match open {
            // What was taken for an opening mark was that of an abbreviation.
            Some((start, ends))
                if begins
                    && text[start..].starts_with(mark)
                    && text[..start].chars().next_back().is_some_and(is_hebrew) =>
            {
                open = Some((at, ends));
            }
            Some(_) if is_apostrophe(text, at..paragraph.end, [before, after]) => {}
            Some((start, _))
                if text[start..].starts_with(LATEX_OPENING) && [mark, after] != ['\''; 2] => {}
            Some((start, ends))
                if ends.contains(&mark)
                    && !begins
                    && (!text[start..].starts_with(mark)
                        || may_close(before, after) && !is_within_hebrew) =>
            {
                add_quotation(text, start..at + mark.len_utf8(), spans);
                open = None;
            }
            None if may_open(before, mark, after)
                && is_closed(at, mark)
                && (!is_within_hebrew || is_behind_prefix(text, at, mark)) =>
            {
                let ends = MARKS.iter().find(|(start, _)| *start == mark);
                open = ends.map(|(_, ends)| (at, *ends));
            }
            _ => {}
        }
        before = mark;
    }
    if let Some((start, _)) = open
        && next.is_some_and(|next| text[start..].starts_with(next))
    {
        add_quotation(text, start..paragraph.end, spans);
    }
}

/// Reports whether the single mark with which a part of a paragraph begins is an apostrophe: between
/// two letters, or behind an s before a space if another mark ends the quotation further on, as in
/// ‘the residents’ rules are kept’.
fn is_apostrophe(text: &str, part: Range<usize>, [before, after]: [char; 2]) -> bool {
    let Some(mark @ ('\'' | '’')) = text[part.clone()].chars().next() else { return false };
    if before.is_alphanumeric() && after.is_alphanumeric() {
        return true;
    }
    let rest = part.start + mark.len_utf8()..part.end;
    let next = || text[rest.clone()].find(['\'', '‘', '’']).map(|at| rest.start + at);
    before == 's' && after == ' ' && next().is_some_and(|next| is_end(text, next, mark))
}

/// Reports whether a mark at an offset is one that may end a quotation by its neighbours.
fn is_end(text: &str, at: usize, mark: char) -> bool {
    let before = text[..at].chars().next_back().unwrap_or(' ');
    let rest = text[at..].strip_prefix(mark);
    rest.is_some_and(|rest| !before.is_whitespace() && !rest.starts_with(char::is_alphanumeric))
}

/// Reports whether a character is a digit or a letter of a script in which a space or punctuation
/// separates a quotation from the words around it: Latin, Greek, Cyrillic or Armenian.
fn is_set_apart(letter: char) -> bool {
    letter.is_alphanumeric() && (letter < '\u{590}' || matches!(letter, '\u{1e00}'..='\u{1fff}'))
}

/// The letters of Hebrew that are words written together with the next one.
const HEBREW_PREFIXES: &str = "משהוכלב";

/// Reports whether a character is a letter of Hebrew, or a point on one.
fn is_hebrew(letter: char) -> bool {
    matches!(letter, '\u{591}'..='\u{5c7}' | 'א'..='ת')
}

/// Reports whether a mark between two Hebrew letters, at `at`, begins a quotation: it is between a
/// prefix and more than one letter. Otherwise, it is that of an abbreviation.
fn is_behind_prefix(text: &str, at: usize, mark: char) -> bool {
    let mut before = text[..at].chars().rev().take_while(|letter| is_hebrew(*letter));
    let mut after = text[at + mark.len_utf8()..].chars();
    before.all(|letter| HEBREW_PREFIXES.contains(letter)) && after.nth(1).is_some_and(is_hebrew)
}

/// Reports whether the neighbours of a mark allow it to begin a quotation. A mark that also ends
/// quotations, in this language or another, does not begin one directly behind a word. White space
/// must not follow, except in French.
fn may_open(before: char, mark: char, after: char) -> bool {
    let is_behind_word = match mark {
        '"' => {
            is_set_apart(before)
                || matches!(before, '\u{1100}'..='\u{11ff}' | '가'..='힣')
                || before.is_numeric()
                || before.is_alphanumeric() && !after.is_alphanumeric()
        }
        // An apostrophe at the beginning of a word begins no quotation behind a letter.
        '\'' | '‘' | '‚' => before.is_alphanumeric() || !after.is_alphabetic(),
        LATEX_OPENING => after != LATEX_OPENING,
        '“' | '«' | '‹' => is_set_apart(before),
        '”' | '»' | '›' => before.is_alphanumeric(),
        _ => false,
    };
    !is_behind_word && (mark == '«' || !after.is_whitespace())
}

/// Reports whether the neighbours of a mark that also begins quotations allow it to end one.
fn may_close(before: char, after: char) -> bool {
    before.is_alphanumeric() || !is_set_apart(after)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn more_than_a_third_is_of_what_is_no_template() {
        use Why::{Bibliography, Common, Marked, Quotes, Template};
        #[rustfmt::skip]
        let table: &[(&str, &[(Why, usize)], usize, Option<&str>)] = &[
            ("nothing",              &[],                                   9, None),
            ("a third",              &[(Quotes, 10)],                       20, None),
            ("a word more",          &[(Quotes, 11)],                       20, Some("11 of 31 words left out (quotes 11)")),
            ("together",             &[(Quotes, 4), (Marked, 3), (Bibliography, 4), (Quotes, 1)], 9,
                Some("12 of 21 words left out (quotes 5, bibliography 4, marked 3)")),
            ("templates are not",    &[(Template, 90), (Common, 90)],       10, None),
            ("nor do they count",    &[(Template, 90), (Quotes, 11)],       20, Some("11 of 31 words left out (quotes 11)")),
            ("everything",           &[(Marked, 1)],                        0, Some("1 of 1 words left out (marked 1)")),
            ("no word",              &[(Quotes, 0)],                        0, None),
        ];
        for (why, parts, remaining, want) in table {
            let part = |&(why, words): &(Why, usize)| LeftOut { why, span: 0..1, words };
            let parts: Vec<LeftOut> = parts.iter().map(part).collect();
            let found = LargelyLeftOut::new(&parts, *remaining).map(|found| found.to_string());
            assert_eq!(found.as_deref(), *want, "{why}");
        }
    }

    #[test]
    fn what_is_left_out_leaves_stretches() {
        let content =
            "One. “Two three four five six.” Seven\n\nReferences\n\nNine “a b c d e” 2001.\n";
        let text = Text::from_bytes(Path::new("x"), content.into()).unwrap();
        let left = |ignored: &[Why]| -> Vec<&str> {
            Remaining::new(&text, ignored, [&[], &[]]).stretches().map(str::trim).collect()
        };
        assert_eq!(left(&[]), [content.trim()]);
        assert_eq!(left(&[Why::Bibliography]), ["One. “Two three four five six.” Seven", ""]);
        assert_eq!(left(&[Why::Quotes]), ["One.", "Seven\n\nReferences\n\nNine", "2001."]);
        let both = Remaining::new(&text, &[Why::Bibliography, Why::Quotes], [&[], &[]]);
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
    fn headings_of_references_are_in_lower_case_and_only_once() {
        let headings: Vec<&str> = HEADINGS.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(
            headings
                .iter()
                .all(|it| it.to_lowercase() == *it && it.trim() == *it && !it.is_empty())
        );
        assert!(headings.iter().all(|heading| is_references(heading)));
        let distinct: BTreeSet<&str> = headings.iter().copied().collect();
        assert_eq!(distinct.len(), headings.len());
    }

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
            ("in parts",           "Re\u{301}fe\u{301}rences\nDoe 2001",              &["Re\u{301}fe\u{301}rences\nDoe 2001"]),
            (
                "Korean in parts",
                "\u{110e}\u{1161}\u{11b7}\u{1100}\u{1169}\u{1106}\u{116e}\u{11ab}\u{1112}\u{1165}\u{11ab}\n김 2001",
                &["\u{110e}\u{1161}\u{11b7}\u{1100}\u{1169}\u{1106}\u{116e}\u{11ab}\u{1112}\u{1165}\u{11ab}\n김 2001"],
            ),
            ("Greek capitals",     "ΒΙΒΛΙΟΓΡΑΦΙΑ\nΔε 2001",                            &["ΒΙΒΛΙΟΓΡΑΦΙΑ\nΔε 2001"]),
            ("a wide colon",       "参考文献：\n王 2001",                                &["参考文献：\n王 2001"]),
            ("a wide number",      "５．参考文献\n王 2001",                               &["５．参考文献\n王 2001"]),
            ("a Chinese number",   "十一、参考文献\n王 2001",                             &["十一、参考文献\n王 2001"]),
            ("wide brackets",      "【参考文献】\n王 2001",                               &["【参考文献】\n王 2001"]),
            ("Chinese entries",    "参考文献\n\n王，《山》，社。\n\n《水》\n\n附录\n\n文。", &["参考文献\n\n王，《山》，社。\n\n《水》\n"]),
            ("Japanese entries",   "参考文献\n\n山田『水車』岩波\n\n佐藤　水車の音。\n\n謝辞\n", &["参考文献\n\n山田『水車』岩波\n\n佐藤　水車の音。\n"]),
            ("a Chinese appendix", "参考文献\n\n王，《山》，社。\n\n附录一、调查问卷\n\n文。", &["参考文献\n\n王，《山》，社。\n"]),
            ("a Chinese chapter",  "参考文献\n\n王，《山》，社。\n\n第二章　《红楼梦》研究\n\n文。", &["参考文献\n\n王，《山》，社。\n"]),
            ("Arabic entries",     "المراجع\n\nخوري، طواحين\n\nسعد ١٩٩٩\n\nملحق\n",       &["المراجع\n\nخوري، طواحين\n\nسعد ١٩٩٩\n"]),
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
            ("Swedish",               "Hon sa: »ett två tre fyra fem» nu",       &["»ett två tre fyra fem»"]),
            ("German guillemets",     "Er: »eins zwei drei vier fünf«, so",      &["»eins zwei drei vier fünf«"]),
            ("Chinese",               "他说：“明天大家集合。”同学们都“非常高兴啊”吗", &["“明天大家集合。”", "“非常高兴啊”"]),
            ("Chinese, straight",     "他说\"明天大家集合\"。2020年又说\"非常高兴啊\"2次", &["\"明天大家集合\"", "\"非常高兴啊\""]),
            ("closed, not opened",    "天大家集合”他说，同学们都听见了”",          &[]),
            ("Korean, a particle behind", "늘 \"강물은 소리 없이 흘러도 닿는다\"라고 말했다. \"하나\"", &["\"강물은 소리 없이 흘러도 닿는다\""]),
            ("Turkish, an ending behind", "“bir iki üç dört beş”ı ve \"bir iki üç dört beş\"i de", &["“bir iki üç dört beş”", "\"bir iki üç dört beş\""]),
            ("Thai",                  "เขาพูดว่า“น้ำเดือดแล้ว”และ\"ไปเถอะนะ\"ครับ", &["“น้ำเดือดแล้ว”", "\"ไปเถอะนะ\""]),
            (
                "Hebrew, a prefix before",
                "אמר ש\"אחת שתיים שלוש ארבע חמש\" וש“אחת שתיים שלוש ארבע חמש”.",
                &["\"אחת שתיים שלוש ארבע חמש\"", "“אחת שתיים שלוש ארבע חמש”"],
            ),
            ("abbreviations in it",   "צה\"ל אמר: \"דובר צה\"ל וד\"ר לוי באו הנה\" אתמול", &["\"דובר צה\"ל וד\"ר לוי באו הנה\""]),
            ("with its own mark",     "אמר: ״דובר צה״ל וד״ר לוי באו הנה״ אתמול",     &["״דובר צה״ל וד״ר לוי באו הנה״"]),
            (
                "Arabic",
                "قال «واحد اثنان ثلاثة أربعة خمسة» و«واحد اثنان ثلاثة أربعة خمسة»",
                &["«واحد اثنان ثلاثة أربعة خمسة»", "«واحد اثنان ثلاثة أربعة خمسة»"],
            ),
            ("begun before, Korean",  "흘러도 닿는다\"라고 그는 말했다. 그리고 물은 \"다시\" 흘렀다", &[]),
            ("an abbreviation first", "המש\"קית אמרה: \"אחת שתיים שלוש ארבע חמש\".", &["\"אחת שתיים שלוש ארבע חמש\""]),
            ("inches, Japanese",      "１５\"の画面と１７\"の画面がある",             &[]),
            ("an inner one, German",  "„Als wir “draußen im Walde” waren, sang er“", &["„Als wir “draußen im Walde”"]),
            ("one in the other",      "\"one \"two three four five\" six",         &["\"one \"two three four five\""]),
            ("British",               "He said ‘one two three four five’, then ‘one’", &["‘one two three four five’"]),
            ("British, straight",     "He said 'one two don't four five', then", &["'one two don't four five'"]),
            ("the owner of several",  "‘one two boys’ three four five’ six",     &["‘one two boys’ three four five’"]),
            ("the owner is the end",  "‘one two three four boys’ five six",      &["‘one two three four boys’"]),
            ("an apostrophe first",   "’Tis ‘tis one two “three four five six seven” eight", &["“three four five six seven”"]),
            ("years and an owner",    "in the '90s one two three four five girls' six", &[]),
            ("German, single",        "Er: ‚eins zwei drei vier fünf‘, so",       &["‚eins zwei drei vier fünf‘"]),
            ("LaTeX",                 "as ``one `two' three four five'' six",    &["``one `two' three four five'"]),
            ("one mark of LaTeX",     "as `one two three four five' six",        &[]),
            ("two paragraphs",        "a “one two three four five\n\n“six seven eight nine ten” b", &["“one two three four five\n", "“six seven eight nine ten”"]),
            ("single, two paragraphs", "‘one two three four five\n\n‘six seven eight nine ten’", &["‘one two three four five\n", "‘six seven eight nine ten’"]),
            ("not the next one",      "“one two three four five\n\nsix “seven”",  &[]),
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
