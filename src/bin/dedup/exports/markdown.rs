//! Renders Markdown for a pull request or a job summary: a table of the pairs, findings before
//! those that were accepted earlier, the closest first, and a section for each finding.
//!
//! The page fits into a comment on GitHub (65,536 characters). What does not fit is counted in the
//! last line. Everything that comes from the texts is in code spans, so that nothing in it is a
//! link, a mention or a tag.

use std::cmp::Reverse;
use std::fmt::Write;

use dedup_text::display::{counted, decimal, extent, inert, or_closer, thousands, visible};
use dedup_text::pair::Match;
use dedup_text::text::Side;

use super::{Closest, Export, ExportFormat, RenderedPair, Run, described, stand};
use crate::model::Pair;
use crate::model::found::FailedRecord;
use crate::model::names::Names;
use crate::model::phrases::{hundredths, reasons};
use crate::model::remarks::RemarkKind;
use crate::model::rendered::{Rendered, Syntax};

/// The largest number of bytes of the page, of its last line, and of all that precedes the
/// sections.
const MAX_BYTES: usize = 65_000;
const MAX_LAST_LINE_BYTES: usize = 250;
const MAX_TABLE_BYTES: usize = MAX_BYTES / 2;

/// The largest number of bytes of a row. A longer row is left out, so that very long names do not
/// hide all other pairs.
const MAX_ROW_BYTES: usize = MAX_BYTES / 16;

/// The largest number of pairs that is kept. More never fit.
const MAX_PAIRS: usize = 1000;

/// The largest number of passages of a pair that are shown, and of characters of each.
const PASSAGES: usize = 5;
const LETTERS: usize = 200;

pub(super) const FORMAT: ExportFormat =
    ExportFormat::new("markdown", Syntax::Other, || Box::new(Markdown(Closest::new(MAX_PAIRS))));

/// The row and the section of the closest pairs.
struct Markdown(Closest);

impl Export for Markdown {
    /// Returns the row, and the section, which is empty if the pair is not a finding or was listed
    /// before.
    fn render(&self, pair: &Pair, names: &Names) -> anyhow::Result<Vec<String>> {
        let has_section = pair.is_finding() && !pair.is_listed_again;
        let section = if has_section { section(pair, names) } else { String::new() };
        Ok(vec![row(pair, names), section])
    }

    fn add(&mut self, pair: RenderedPair) -> anyhow::Result<()> {
        self.0.add(pair);
        Ok(())
    }

    fn finish(self: Box<Self>, run: &Run) -> anyhow::Result<Rendered> {
        Ok(page(self.0, run).into())
    }
}

fn row(pair: &Pair, names: &Names) -> String {
    let figures = &pair.judgement.comparison;
    let later = pair.later();
    let [left, right] = [Side::Left, Side::Right].map(|side| {
        cell(&shown(pair, side, names))
            + pair.mark(side)
            + if later == Some(side) { " (later)" } else { "" }
    });
    format!(
        "| {}{} | {} | {} | {} | {left} | {right} |\n",
        pair.judgement.decision.verdict,
        pair.accepted_by.map_or(String::new(), |by| format!(", accepted by --{}", by.name())),
        shared(pair),
        figures.jaccard().map_or("none".to_owned(), decimal),
        figures.hamming.map_or("none".to_owned(), |bits| bits.to_string()),
    )
}

/// Describes the shares of the texts that their passages cover or, for a pair without a passage,
/// the Jaccard index, as the text answer of a corpus does.
fn shared(pair: &Pair) -> String {
    let Some(matches) = &pair.judgement.matches else { return "not searched for".to_owned() };
    let coverage = &matches.coverage;
    if !coverage.covers_a_word() {
        return format!("~{} %", hundredths(pair.judgement.comparison.jaccard()));
    }
    let [left, right] = [0, 1].map(|side| hundredths(coverage.same(side)));
    if !coverage.has_changes() {
        return format!("{left} % of left, {right} % of right");
    }
    let [changed, others] = [0, 1].map(|side| hundredths(coverage.changed(side)));
    format!("{left} % of left the same, {changed} % changed; {right} % and {others} % of right")
}

/// Returns the name of a text: that of the person who submitted it, if a list gives one.
fn shown(pair: &Pair, side: Side, names: &Names) -> String {
    let (shown, text) = match side {
        Side::Left => (pair.shown[0], pair.left),
        Side::Right => (pair.shown[1], pair.right),
    };
    shown.map_or_else(|| names.plain(text), str::to_owned)
}

fn section(pair: &Pair, names: &Names) -> String {
    let [left, right] = [Side::Left, Side::Right].map(|side| code(&shown(pair, side, names)));
    let verdict = pair.judgement.decision.verdict;
    let mut page = format!("\n### {left} and {right}\n\n{verdict}: {}\n", reasons(pair));
    let mut longest: Vec<&Match> = pair.judgement.matches.iter().flat_map(|it| &it.all).collect();
    longest.sort_by_key(|found| Reverse(found.passage.words()));
    for (found, at) in longest.iter().zip(0..PASSAGES) {
        let [on_left, on_right] = [stand(pair.left, &found.left), stand(pair.right, &found.right)];
        let before = if at == 0 { "\n" } else { "" };
        let begins = code(&beginning(&pair.left.content()[found.left.content.clone()]));
        let words = extent(&found.passage);
        let _ =
            write!(page, "{before}- {words}; left, {on_left}; right, {on_right}:\n  {begins}\n");
    }
    if let Some(more @ 1..) = longest.len().checked_sub(PASSAGES) {
        let _ = writeln!(page, "- and {}", counted(more, "more passage"));
    }
    page
}

/// Renders the complete page.
fn page(closest: Closest, run: &Run) -> String {
    let found = match run.findings {
        0 => format!("no pair {}", or_closer(run.level)),
        _ => run.found(),
    };
    let mut page = format!("## dedup: {found}\n\n{}", run.counts);
    if let Some(settings) = run.settings {
        let _ = write!(page, "; settings: {}", code(settings));
    }
    page += "\n";
    let failed = run.failed.first().iter().map(FailedRecord::with_hint);
    let short = run.short.iter().map(|(_, why)| why.to_string());
    let uncompared = run.failed.len() + run.short.len();
    page += &list("Not compared", failed.chain(short), uncompared, MAX_TABLE_BYTES / 4);
    let skipped = run.skipped.by_kind();
    page += &list("Skipped", skipped.iter().cloned(), skipped.len(), MAX_TABLE_BYTES / 8);
    for kind in RemarkKind::ALL {
        let lines = run.remarks_of(kind).map(|remark| remark.line.clone());
        page += &list(kind.title(), lines, run.remarks_of(kind).count(), MAX_TABLE_BYTES / 8);
    }
    let left_out = run.left_out.iter().map(|(_, stretch)| described(stretch));
    page += &list("Set aside", left_out, run.left_out.len(), MAX_TABLE_BYTES / 8);
    let widespread = run.widespread.iter().map(|stretch| described(stretch));
    page += &list("Shared by many", widespread, run.widespread.len(), MAX_TABLE_BYTES / 8);
    if run.pairs == 0 {
        return page;
    }
    page +=
        "\n| verdict | shared | Jaccard | Hamming | left | right |\n|---|---|---|---|---|---|\n";
    let (mut sections, mut rows, mut shown) = (Vec::new(), 0, 0);
    for parts in closest.into_parts() {
        let [row, section] = parts.try_into().unwrap_or_default();
        if row.len() > MAX_ROW_BYTES {
            continue;
        }
        if page.len() + row.len() > MAX_TABLE_BYTES {
            break;
        }
        page += &row;
        rows += 1;
        sections.push(section);
    }
    for section in sections.iter().filter(|section| !section.is_empty()) {
        if page.len() + section.len() > MAX_BYTES - MAX_LAST_LINE_BYTES {
            break;
        }
        page += section;
        shown += 1;
    }
    page + &not_shown(run.pairs - rows, run.findings - shown)
}

/// Renders the last line: how many rows and sections did not fit, and where to find them. Returns
/// an empty string if all are shown.
fn not_shown(rows: usize, sections: usize) -> String {
    let rows = (rows > 0).then(|| counted(rows, "more pair"));
    let sections = (sections > 0).then(|| format!("the passages of {}", counted(sections, "pair")));
    let parts: Vec<String> = rows.into_iter().chain(sections).collect();
    if parts.is_empty() {
        return String::new();
    }
    let parts = parts.join(", and ");
    format!(
        "\nNot shown: {parts}; `--format json=FILE` writes all of them, `--report FILE.html` a page to read\n"
    )
}

/// Renders a titled list of at most `max_bytes` bytes, and the number of lines that did not fit.
/// Returns an empty string if the list is empty.
fn list(title: &str, lines: impl Iterator<Item = String>, all: usize, max_bytes: usize) -> String {
    let mut page = if all > 0 { format!("\n{title}:\n\n") } else { String::new() };
    let mut listed = 0;
    for line in lines.map(|line| format!("- {}\n", code(&line))) {
        if page.len() + line.len() > max_bytes {
            break;
        }
        page += &line;
        listed += 1;
    }
    if let Some(more @ 1..) = all.checked_sub(listed) {
        let _ = writeln!(page, "- and {} more", thousands(more));
    }
    page
}

/// Returns the first characters of a passage on one line.
fn beginning(passage: &str) -> String {
    let mut words = String::new();
    for word in passage.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words += word;
        // Checked after each word, so that the rest of a long passage is not read.
        if let Some((end, _)) = words.char_indices().nth(LETTERS) {
            words.truncate(end);
            return words + "…";
        }
    }
    words
}

/// Formats a text as code in a table cell. A bar would end the cell, and a backslash before it does
/// not escape it after another backslash.
fn cell(text: &str) -> String {
    code(&text.replace('|', "\\u{7c}"))
}

/// Formats a text as code on one line.
fn code(text: &str) -> String {
    let text = inert::part(&visible(text)).into_owned();
    let runs = text.split(|letter| letter != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or_default() + 1);
    // Markdown strips one space at each end if both ends are spaces, unless there are only spaces.
    let is_spaced =
        text.starts_with(' ') && text.ends_with(' ') && !text.trim_matches(' ').is_empty();
    let is_padded = is_spaced || text.starts_with('`') || text.ends_with('`');
    let pad = if is_padded { " " } else { "" };
    if text.is_empty() { "(empty)".to_owned() } else { format!("{fence}{pad}{text}{pad}{fence}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pulldown_cmark::{Event, Options, Parser, Tag};

    /// Parses a page and returns the contents of its code spans and its tags.
    fn read(page: &str) -> (Vec<String>, Vec<Tag<'_>>) {
        let (mut code, mut tags) = (Vec::new(), Vec::new());
        for event in Parser::new_ext(page, Options::ENABLE_TABLES | Options::ENABLE_GFM) {
            match event {
                Event::Code(text) => code.push(text.into_string()),
                Event::Start(tag) => tags.push(tag),
                Event::Html(text) | Event::InlineHtml(text) => panic!("{text}"),
                _ => {}
            }
        }
        (code, tags)
    }

    #[test]
    fn names_are_code_and_nothing_else() {
        #[rustfmt::skip]
        let table = [
            ("plain",              "a.txt",                    "a.txt"),
            ("a tag",              "<b onclick=x>.txt",        "<b onclick=x>.txt"),
            ("a link",             "[a](http://b.example)",    "[a](http://b.example)"),
            ("a mention",          "@all #1 !1",               "@all #1 !1"),
            ("a backtick",         "a`b",                      "a`b"),
            ("only backticks",     "``",                       "``"),
            ("backticks around",   "`a``b`",                   "`a``b`"),
            ("spaces around",      " a ",                      " a "),
            ("only a space",       " ",                        " "),
            ("a backslash",        "a\\",                      "a\\"),
            ("a bar",              "a|b",                      "a\\u{7c}b"),
            ("an escaped bar",     "a\\|b",                    "a\\\\u{7c}b"),
            ("a line end",         "a\n\n# b",                 "a\\u{a}\\u{a}# b"),
            ("an entity",          "a&lt;b",                   "a&lt;b"),
            ("turned round",       "a\u{202e}b",               "a\\u{202e}b"),
        ];
        for (why, name, want) in table {
            let page = format!("| x | y |\n|---|---|\n| {} | z |\n", cell(name));
            let (code, tags) = read(&page);
            assert_eq!(code, [want], "{why}");
            let cells = tags.iter().filter(|tag| **tag == Tag::TableCell).count();
            assert_eq!(cells, 4, "{why}: {tags:?}");
            assert!(tags.iter().all(|tag| !matches!(tag, Tag::Link { .. } | Tag::Image { .. })));
        }
        assert_eq!(cell(""), "(empty)");
        assert_eq!(read(&format!("### {}", code("a|b\\|c"))).0, ["a|b\\|c"]);
    }

    #[test]
    fn a_passage_begins_on_one_line() {
        #[rustfmt::skip]
        let table = [
            ("nothing",        String::new(),               String::new()),
            ("white space",    " a \n\t b\r\n".to_owned(),  "a b".to_owned()),
            ("as long",        "é".repeat(LETTERS),         "é".repeat(LETTERS)),
            ("longer",         "é".repeat(LETTERS + 1),     "é".repeat(LETTERS) + "…"),
            ("many words",     "ab ".repeat(LETTERS),       "ab ".repeat(67)[..LETTERS].to_owned() + "…"),
        ];
        for (why, passage, want) in table {
            assert_eq!(beginning(&passage), want, "{why}");
        }
    }
}
