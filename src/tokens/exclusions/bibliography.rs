//! Where a text lists its references: from their heading to the next one.

use std::ops::Range;

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
pub(super) fn spans(text: &str) -> Vec<Range<usize>> {
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

#[cfg(test)]
mod tests {
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
            let found = spans(text);
            assert_eq!(
                found.into_iter().map(|span| &text[span]).collect::<Vec<_>>(),
                *want,
                "{why}"
            );
        }
    }
}
