//! What is found among many texts → pages that open anywhere, without a network.
//!
//! Goes in: the pairs that were found. Comes out: an overview and a page for each of the closest
//! pairs, in a folder or all in one file, the same bytes for the same texts. What there is to
//! say of one pair is given by the pair's own report.

mod graph;
mod overview;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use anyhow::Context;
use dedup_text::jaccard::Share;
use dedup_text::parallel;
use dedup_text::text::display_path;
use dedup_text::verdict::Verdict;
use dedup_text::words::{thousands, visible};

use super::table::sort_closest_first;
use crate::io::output;
use crate::model::Pair as Judged;
use crate::model::corpus::{Answer, Row};
use crate::model::names::{CommonEnds, Visibility};
use crate::render::exports::csv;
use crate::render::html::{self, Among, ReportOptions, shown};

/// Pages that each thread makes before they are written.
const AT_A_TIME: usize = 4;

/// The most pairs that have a page of their own.
const MOST_PAGES: usize = 500;

/// The most pairs in the tables.
const MOST_ROWS: usize = 10_000;

/// The most bytes of a report in one file, which is to be sent by mail: pairs that would make it
/// larger are listed without their page.
const MOST_BYTES: usize = 20_000_000;

/// Where a report is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReportTarget<'p> {
    /// The page or the folder; none where no report is asked for.
    pub(crate) path: Option<&'p Path>,
    /// What it is written as.
    pub(crate) shape: Shape,
    /// The file that says which text has which name; none where the report has the names.
    pub(crate) key: Option<&'p Path>,
}

/// What a report is written as.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Shape {
    /// A folder with a file for each page.
    Folder,
    /// One file.
    Page,
}

/// Writes the report of pairs that were found, if one is asked for. The answer is what is not in
/// it for want of room; none where all is.
pub(crate) fn write(
    answer: &Answer,
    rows: &[Row],
    target: ReportTarget,
) -> anyhow::Result<Option<String>> {
    let Some(path) = target.path else { return Ok(None) };
    let mut found = Found::new(answer, rows, target.shape);
    // The key is written before the anonymous report, so that no report is without its key.
    if let Some(key) = target.key {
        output::write_key(key, &found.key()?)?;
    }
    match target.shape {
        Shape::Folder => output::write_folder(path, |folder| {
            let overview = overview::head(&found).map_err(io::Error::other)?;
            folder.write_index(&(overview + &overview::tail(Shape::Folder)))?;
            each_pair(&found, |number, page| {
                folder.write_page(&file_name(number), page)?;
                Ok(Room::Left)
            })
        })?,
        Shape::Page => {
            let wished = found.pages;
            let body = body(&mut found, MOST_BYTES)?;
            let page = [overview::head(&found)?, body, overview::tail(Shape::Page)];
            output::write_file_by(path, |file| {
                page.iter().try_for_each(|part| file.write_all(part.as_bytes()))
            })?;
            if found.pages < wished {
                let [pages, all] = [found.pages, wished].map(thousands);
                let file = visible(&display_path(path));
                return Ok(Some(format!(
                    "{file}: the first {pages} of {all} pairs have their texts in it: one file has \
                     at most {} MB",
                    MOST_BYTES / 1_000_000
                )));
            }
        }
    }
    Ok(None)
}

/// Whether there is room for another page.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Room {
    Left,
    Full,
}

/// The pages of pairs, folded away, and behind them each of their texts once: as many pairs as
/// `most` bytes of the whole file have room for. What is found has no more pages then.
fn body(found: &mut Found, most: usize) -> anyhow::Result<String> {
    let around = overview::head(found)?.len() + overview::tail(Shape::Page).len();
    let mut room = most.saturating_sub(around);
    let mut texts: BTreeMap<u32, String> = BTreeMap::new();
    let mut pages: Vec<String> = Vec::new();
    each_pair(found, |number, page| {
        let pair = found.rows[number - 1].pair;
        let new = [pair.a, pair.b].into_iter().filter(|text| !texts.contains_key(text));
        let new = new.map(|text| Ok((text, stored(text, &shown(answer_text(found, text)))?)));
        let new: Vec<(u32, String)> =
            new.collect::<anyhow::Result<_>>().map_err(io::Error::other)?;
        let bytes = page.len() + new.iter().map(|(_, text)| text.len()).sum::<usize>();
        if bytes > room {
            return Ok(Room::Full);
        }
        room -= bytes;
        texts.extend(new);
        pages.push(page.to_owned());
        Ok(Room::Left)
    })?;
    if pages.len() < found.pages {
        found.pages = pages.len();
        // None follows on the last one now.
        if let Some(last) = pages.last_mut() {
            *last = found.page(found.pages)?;
        }
    }
    Ok(pages.into_iter().chain(texts.into_values()).collect())
}

fn answer_text<'a>(found: &Found<'a>, text: u32) -> &'a dedup_text::text::Text {
    &found.answer.document(text).text
}

/// Makes the page of each of the closest pairs, a few at a time side by side, and hands them
/// on in order with their numbers, as long as there is room.
fn each_pair(
    found: &Found,
    mut write: impl FnMut(usize, &str) -> io::Result<Room>,
) -> io::Result<()> {
    let threads = found.answer.options.threads;
    let numbers: Vec<usize> = (1..=found.pages).collect();
    for batch in numbers.chunks(AT_A_TIME * threads.get()) {
        let pages =
            parallel::each(threads, batch.iter().copied(), || (), |(), number| found.page(number));
        for (number, page) in batch.iter().zip(pages) {
            if write(*number, &page.map_err(io::Error::other)?)? == Room::Full {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// A text for the script, as JSON in which nothing can end an element.
fn stored(number: u32, content: &str) -> anyhow::Result<String> {
    let json = serde_json::to_string(content).context("a text cannot be written as JSON")?;
    let json = json.replace('<', "\\u003c");
    Ok(format!("<script type=\"application/json\" id=\"text-{number}\">{json}</script>\n"))
}

// The pairs of a report: their order, their names, their addresses and their pages.

/// The list of a report that a pair is in, those to be read first before the others.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum List {
    /// A great part is the same: identical, near-duplicates and partial. Also those that are
    /// closest by far.
    First,
    /// Some passage is the same: excerpts.
    Parts,
    /// Found as the nearest of a text only.
    Nearest,
}

impl List {
    fn new(row: &Row) -> Self {
        match row.verdict {
            _ if row.stands_out() => Self::First,
            Verdict::Excerpt => Self::Parts,
            Verdict::Different => Self::Nearest,
            _ => Self::First,
        }
    }
}

/// The pairs of a report, those to be read first before the others and the closest first, each
/// once.
struct Found<'a> {
    answer: &'a Answer<'a>,
    rows: Vec<Row>,
    shape: Shape,
    /// How many pairs have a page of their own.
    pages: usize,
    /// What each text goes by.
    names: Vec<String>,
    /// What the names have in common at their ends, which is not shown.
    ends: CommonEnds,
    /// The texts in disguise, each with what was found.
    disguised: BTreeMap<u32, Vec<String>>,
}

/// A text that was not compared.
#[derive(Debug, Eq, PartialEq)]
struct Uncompared {
    name: String,
    why: String,
    /// What to do about it, where that is known.
    cure: Option<String>,
}

impl<'a> Found<'a> {
    /// Without what was accepted earlier. Of the nearest of each text a pair may come twice, once
    /// each way.
    fn new(answer: &'a Answer<'a>, rows: &[Row], shape: Shape) -> Self {
        let rows = rows.iter().filter(|row| !row.is_accepted);
        let mut rows: Vec<Row> = rows.map(|row| row.in_order()).collect();
        rows.sort_by_key(|row| (row.pair.a, row.pair.b));
        rows.dedup_by(|again, row| {
            let is_same = (again.pair.a, again.pair.b) == (row.pair.a, row.pair.b);
            row.is_by_far |= is_same && again.is_by_far;
            is_same
        });
        sort_closest_first(&mut rows);
        rows.sort_by_key(List::new);
        let disguised = answer.gathered.disguised();
        let disguised: BTreeMap<u32, Vec<String>> = disguised
            .map(|(text, what)| (text, what.iter().map(|it| visible(it)).collect()))
            .collect();
        let paths = answer.corpus().documents.iter().map(|it| display_path(it.text.path()));
        let paths: Vec<_> = paths.collect();
        let (names, ends) = match answer.options.visibility {
            Visibility::Shown => {
                let ends = CommonEnds::new(&paths);
                let has_name = |text| answer.person(text).is_some_and(|it| it.name.is_some());
                let names = paths.iter().zip(0..).map(|(path, text)| {
                    if has_name(text) {
                        visible(&answer.name(text))
                    } else {
                        visible(ends.without(path))
                    }
                });
                (names.collect(), ends)
            }
            Visibility::Hidden => {
                let pairs = rows.iter().flat_map(|row| [row.pair.a, row.pair.b]);
                let names = numbered(pairs.chain(disguised.keys().copied()), paths.len());
                (names, CommonEnds::default())
            }
        };
        let pages = rows.len().min(MOST_PAGES);
        Self { answer, rows, shape, pages, names, ends, disguised }
    }

    /// What a text goes by.
    fn name(&self, text: u32) -> &str {
        &self.names[text as usize]
    }

    /// The rows of a list, each with its number from 1.
    fn rows_of(&self, list: List) -> impl Iterator<Item = (usize, &Row)> {
        let numbered = (1..).zip(&self.rows);
        numbered.filter(move |(_, row)| List::new(row) == list)
    }

    /// The texts that were not compared; with hidden names they are numbered behind the others.
    fn uncompared(&self) -> Vec<Uncompared> {
        let hidden = self.answer.options.visibility == Visibility::Hidden;
        let all = self.real_uncompared().into_iter().zip(self.names.len() + 1..);
        all.map(|(real, number)| {
            let start = format!("{}: ", real.name);
            let why = real.why.strip_prefix(&start).unwrap_or(&real.why);
            if !hidden {
                let name = visible(self.ends.without(&real.name));
                return Uncompared { name, why: visible(why), ..real };
            }
            let is_safe = |message: &&str| !mentions(message, &real.name);
            let why = Some(why).filter(is_safe).unwrap_or("cannot be read");
            let cure = real.cure.as_deref().filter(is_safe).map(str::to_owned);
            Uncompared { name: format!("Text {number}"), why: visible(why), cure }
        })
        .collect()
    }

    /// The same by their names.
    fn real_uncompared(&self) -> Vec<Uncompared> {
        let failed = self.answer.gathered.failed.first().iter();
        let failed = failed.map(|failed| Uncompared {
            name: failed.name.clone(),
            why: failed.error.clone(),
            cure: failed.hint.clone(),
        });
        let short = self.answer.corpus().short.iter().map(|short| Uncompared {
            name: display_path(short.path()).into_owned(),
            why: short.to_string(),
            cure: None,
        });
        failed.chain(short).collect()
    }

    /// Which text has which name, as CSV.
    fn key(&self) -> anyhow::Result<String> {
        let compared = (0..).zip(&self.names);
        let compared = compared.map(|(text, name)| (name.clone(), self.answer.name(text)));
        let uncompared = self.uncompared().into_iter().zip(self.real_uncompared());
        let uncompared = uncompared.map(|(shown, real)| (shown.name, real.name));
        let mut lines: Vec<(String, String)> = compared.chain(uncompared).collect();
        // By the number: `Text 10` comes after `Text 9`.
        lines.sort_by(|(one, _), (other, _)| (one.len(), one).cmp(&(other.len(), other)));
        csv::key(&lines)
    }

    /// The address of the page of the pair with a number from 1, as seen from the overview; none
    /// where it has none.
    fn page_address(&self, number: usize) -> Option<String> {
        (1..=self.pages).contains(&number).then(|| match self.shape {
            Shape::Folder => format!("pairs/{}", file_name(number)),
            Shape::Page => format!("#pair-{number}"),
        })
    }

    /// The same, or else its row in the table; none where it has neither.
    fn address(&self, number: usize) -> Option<String> {
        let row = || (number <= MOST_ROWS).then(|| format!("#row-{number}"));
        self.page_address(number).or_else(row)
    }

    /// The page of the pair with a number from 1, as the shape asks for it.
    ///
    /// # Panics
    ///
    /// Where there is no such pair.
    fn page(&self, number: usize) -> anyhow::Result<String> {
        let pair = self.rows[number - 1].pair;
        let answer = self.answer;
        let [left, right] = [pair.a, pair.b].map(|text| answer_text(self, text));
        let (recipe, level) = (answer.recipe, answer.level);
        let judgement = &answer.judge(&pair);
        let judged = Judged {
            left,
            right,
            recipe,
            judgement,
            level,
            is_accepted: None,
            is_by_far: None,
            persons: [pair.a, pair.b].map(|text| answer.person(text)),
        };
        let rendered = ReportOptions {
            names: [pair.a, pair.b].map(|text| self.name(text).to_owned()),
            stopwords: self.stopwords(),
            settings: self.settings(),
            among: Some(self.among(number)),
        };
        match self.shape {
            Shape::Folder => html::page(&judged, &rendered),
            Shape::Page => html::folded(&judged, &rendered, [pair.a, pair.b]),
        }
    }

    /// The settings file, where it may be named.
    fn settings(&self) -> Option<String> {
        let options = &self.answer.options;
        options.settings.clone().filter(|_| options.visibility == Visibility::Shown)
    }

    /// The list of stop words that may be named.
    fn stopwords(&self) -> Option<&Path> {
        let options = &self.answer.options;
        (options.visibility == Visibility::Shown).then_some(options.stopwords.as_path())
    }

    fn among(&self, number: usize) -> Among {
        let other = |number: usize| {
            (1..=self.pages).contains(&number).then(|| match self.shape {
                Shape::Folder => file_name(number),
                Shape::Page => format!("#pair-{number}"),
            })
        };
        let overview = match self.shape {
            Shape::Folder => "../index.html",
            Shape::Page => "",
        };
        Among {
            number,
            of: self.rows.len(),
            all: format!("{overview}#row-{number}"),
            previous: other(number - 1),
            next: other(number + 1),
        }
    }
}

/// Names without persons: `Text 1`, `Text 2`, in the order in which texts come, then those that do
/// not. By the order of their names a list of persons would name them.
fn numbered(texts: impl Iterator<Item = u32>, all: usize) -> Vec<String> {
    let mut names = vec![String::new(); all];
    let mut number = 0;
    for text in texts.map(|text| text as usize).chain(0..all) {
        if names[text].is_empty() {
            number += 1;
            names[text] = format!("Text {number}");
        }
    }
    names
}

/// Whether a message has a part of a name in it: a folder or a file, with its ending or without.
fn mentions(message: &str, name: &str) -> bool {
    let parts = name.split(['/', '\\']).filter(|part| !part.is_empty());
    let stem = |part: &str| part.rsplit_once('.').map_or(part, |(stem, _)| stem).to_owned();
    let mut parts = parts.flat_map(|part| [part.to_owned(), stem(part)]);
    parts.any(|part| !part.is_empty() && message.contains(&part))
}

/// The name of the file with the page of a pair.
fn file_name(number: usize) -> String {
    format!("{number:04}.html")
}

/// How much of something there is, for a bar.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Bar {
    /// `89 %`.
    percent: String,
    /// The same in hundredths, for its length: at least 1 where there is any.
    width: usize,
}

impl Bar {
    fn new(share: Option<Share>) -> Self {
        let least = usize::from(share.is_some_and(|share| share.shared() > 0));
        let width = share.map_or(0, |share| share.filled(100)).max(least);
        Self { percent: dedup_text::words::percent(share), width }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_element() {
        let hostile = "</script><!--<script>\r\n\u{0}\"\\ é";
        let stored = stored(7, hostile).unwrap();
        let json = stored.strip_prefix("<script type=\"application/json\" id=\"text-7\">").unwrap();
        let json = json.strip_suffix("</script>\n").unwrap();
        assert!(!json.contains('<') && !json.contains('\r'), "{json}");
        assert_eq!(serde_json::from_str::<String>(json).unwrap(), hostile);
    }

    #[test]
    fn hidden_names_are_numbered_as_they_come() {
        let names = numbered([3, 1, 3, 4, 1].into_iter(), 6);
        assert_eq!(names, ["Text 4", "Text 2", "Text 5", "Text 1", "Text 3", "Text 6"]);
        assert_eq!(numbered(std::iter::empty(), 0), Vec::<String>::new());
    }

    #[test]
    fn a_message_with_a_part_of_a_name_names_it() {
        #[rustfmt::skip]
        let table = [
            ("nothing of it",   "damaged PDF: no trailer",      false),
            ("the file",        "cannot open Ada Abel.pdf",     true),
            ("without ending",  "convert Ada Abel to text",     true),
            ("the folder",      "in essays there is no such file", true),
            ("another letter",  "ada abel is not read",         false),
        ];
        for (why, message, want) in table {
            assert_eq!(mentions(message, "essays/Ada Abel.pdf"), want, "{why}");
        }
    }

    #[test]
    fn bars_are_cut_not_rounded_and_none_vanishes() {
        let bar = |shared, of| {
            let Bar { percent, width } = Bar::new(Share::new(shared, of));
            (percent.replace('\u{a0}', " "), width)
        };
        let bar = |shared, of, percent: &str, width| {
            assert_eq!(bar(shared, of), (percent.to_owned(), width));
        };
        bar(0, 0, "0 %", 0);
        bar(0, 9, "0 %", 0);
        bar(1, 1000, "under 1 %", 1);
        bar(999, 1000, "99 %", 99);
        bar(7, 7, "100 %", 100);
    }
}
