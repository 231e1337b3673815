//! Renders Markdown for a pull request or a job summary: a section for the findings in the same texts,
//! and a table of the pairs, those that were accepted earlier last. The closest come first.
//!
//! The page fits into a comment on GitHub (65,536 characters). What does not fit is counted in the
//! last line. Everything that comes from the texts is in code spans, so that nothing in it is a
//! link, a mention or a tag.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

use dedup_text::display::{counted, decimal, excerpt, inert, or_closer, thousands, visible};
use dedup_text::text::Side;

use super::{Closest, Export, ExportFormat, RenderedPair, Run, described};
use crate::model::Pair;
use crate::model::findings::{Finding, FoundAt, FoundPassage, listed, stand};
use crate::model::found::FailedRecord;
use crate::model::names::Names;
use crate::model::phrases::hundredths;
use crate::model::remarks::RemarkKind;
use crate::model::rendered::{Rendered, Syntax};

/// The largest number of bytes of the page, of its last line, of the lists before the findings, and of
/// all that precedes the table.
const MAX_BYTES: usize = 65_000;
const MAX_LAST_LINE_BYTES: usize = 250;
const MAX_LIST_BYTES: usize = MAX_BYTES / 2;
const MAX_SECTION_BYTES: usize = MAX_BYTES / 4 * 3;

/// The largest number of bytes of a row. A longer row is left out, so that very long names do not
/// hide all other pairs.
const MAX_ROW_BYTES: usize = MAX_BYTES / 16;

/// The largest number of pairs that is kept. More never fit.
const MAX_PAIRS: usize = 1000;

/// The largest number of passages of a section, of places of each, and of characters.
const PASSAGES: usize = 5;
const PLACES: usize = 10;
const LETTERS: usize = 200;

pub(super) const FORMAT: ExportFormat =
    ExportFormat::new("markdown", Syntax::Other, || Box::new(Markdown(Closest::new(MAX_PAIRS))));

/// The rows of the closest pairs.
struct Markdown(Closest);

impl Export for Markdown {
    fn render(&self, pair: &Pair, names: &Names) -> anyhow::Result<String> {
        Ok(row(pair, names))
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

/// Renders the findings in the same texts as a section: the longest passages, and where they stand.
fn section(findings: &[&Finding], names: &Names) -> String {
    let [first, ..] = findings else { return String::new() };
    let mut of_texts: BTreeMap<u32, &FoundAt> = BTreeMap::new();
    for place in &first.places {
        of_texts.entry(place.number).or_insert(place);
    }
    let title = |it: &&FoundAt| code(&it.shown.clone().unwrap_or_else(|| names.plain(it.text)));
    let shown: Vec<String> = of_texts.values().take(2).map(title).collect();
    let title = match of_texts.len().checked_sub(shown.len()) {
        Some(more @ 1..) => format!("{} and {}", shown.join(", "), counted(more, "more text")),
        _ => shown.join(" and "),
    };
    let mut page = format!("\n### {title}\n\n");
    if !first.is_in_several() {
        let _ = writeln!(page, "{}: {}\n", first.closest.verdict, first.reasons);
    }
    let longest: Vec<(&FoundPassage, &Finding)> =
        findings.iter().filter_map(|it| Some((it.passage.as_ref()?, *it))).collect();
    for (passage, finding) in longest.iter().take(PASSAGES) {
        let places = places(finding, names);
        let begins = finding.main();
        let begins = begins.place.as_ref().map(|it| &begins.text.content()[it.content.clone()]);
        let begins = code(&excerpt(begins.unwrap_or_default(), LETTERS));
        let _ = write!(page, "- {}; {places}:\n  {begins}\n", passage.extent);
    }
    if let Some(more @ 1..) = longest.len().checked_sub(PASSAGES) {
        let _ = writeln!(page, "- and {}", counted(more, "more passage"));
    }
    page
}

/// Lists the places of a finding: those in two texts as left and right.
fn places(finding: &Finding, names: &Names) -> String {
    let at = |it: &FoundAt| it.place.as_ref().map_or(String::new(), |place| stand(it.text, place));
    if let [left, right] = &finding.places[..] {
        return format!("left, {}; right, {}", at(left), at(right));
    }
    listed(&finding.places, PLACES, |it| format!("{}, {}", code(&names.plain(it.text)), at(it)))
}

/// Renders the complete page.
fn page(closest: Closest, run: &Run) -> String {
    let found = match run.reaching {
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
    page += &list("Not compared", failed.chain(short), uncompared, MAX_LIST_BYTES / 4);
    let skipped = run.skipped.by_kind();
    page += &list("Skipped", skipped.iter().cloned(), skipped.len(), MAX_LIST_BYTES / 8);
    for kind in RemarkKind::ALL {
        let lines = run.remarks_of(kind).map(|remark| remark.line.clone());
        page += &list(kind.title(), lines, run.remarks_of(kind).count(), MAX_LIST_BYTES / 8);
    }
    let left_out = run.left_out.iter().map(|(_, stretch)| described(stretch));
    page += &list("Set aside", left_out, run.left_out.len(), MAX_LIST_BYTES / 8);
    let widespread = run.widespread.iter().map(|stretch| described(stretch));
    page += &list("Shared by many", widespread, run.widespread.len(), MAX_LIST_BYTES / 8);
    let mut left_out = run.findings.len();
    for findings in by_texts(run) {
        let section = section(&findings, run.names);
        if page.len() + section.len() > MAX_SECTION_BYTES {
            break;
        }
        page += &section;
        left_out -= findings.len();
    }
    let mut rows = 0;
    for row in closest.into_records() {
        if row.len() > MAX_ROW_BYTES {
            continue;
        }
        if page.len() + row.len() > MAX_BYTES - MAX_LAST_LINE_BYTES {
            break;
        }
        page += if rows == 0 { HEAD } else { "" };
        page += &row;
        rows += 1;
    }
    page + &not_shown(run.pairs - rows, left_out)
}

/// The head of the table of pairs.
const HEAD: &str = "\n### Pairs\n\n| verdict | shared | Jaccard | Hamming | left | right |\n\
    |---|---|---|---|---|---|\n";

/// Returns the findings in the same texts together, those of the closest pairs first.
fn by_texts<'r>(run: &Run<'r>) -> Vec<Vec<&'r Finding<'r>>> {
    let mut by_texts: Vec<Vec<&Finding>> = Vec::new();
    let mut known: HashMap<BTreeSet<u32>, usize> = HashMap::new();
    for finding in run.closest() {
        let at = *known.entry(finding.texts()).or_insert(by_texts.len());
        if at == by_texts.len() {
            by_texts.push(Vec::new());
        }
        by_texts[at].push(finding);
    }
    by_texts
}

/// Renders the last line: how many rows and findings did not fit, and where to find them. Returns
/// an empty string if all are shown.
fn not_shown(rows: usize, findings: usize) -> String {
    let parts = [(rows, "more pair"), (findings, "more finding")];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, what)| counted(count, what)).collect();
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
}
