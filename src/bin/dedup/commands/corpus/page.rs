//! Renders the pairs that were found in a corpus as HTML pages that work without a network.
//!
//! Input: the pairs. Output: an overview and a page for each of the closest pairs, in a folder or
//! in one file; the bytes are the same for the same texts. The content of a pair's page is rendered
//! by [`report`], which also renders the report about a single pair.

mod people;

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::Context;
use askama::Template;
use data_encoding::HEXLOWER;
use dedup_text::corpus::CommonStretch;
use dedup_text::corpus::join::Side;
use dedup_text::display::{counted, first_position, thousands, visible};
use dedup_text::jaccard::Share;
use dedup_text::language::Language;
use dedup_text::pair::{Judgement, Recipe};
use dedup_text::parallel;
use dedup_text::passages::MinMatch;
use dedup_text::sketch::Coverage;
use dedup_text::text::display_path;
use dedup_text::verdict::{Limits, Verdict};

use sha2::{Digest, Sha256};

use super::answer::accepted_earlier;
use super::model::{Answer, JudgedPairs, JudgedRow, Levels, Section, Task};
use super::review::REVIEW_DIGEST_BYTES;
use super::sources::SharedByText;
use crate::exports::csv;
use crate::model::Pair as Judged;
use crate::model::excluded::Excluded;
use crate::model::findings::{Findings, FoundAt, listed};
use crate::model::found::{Skip, Skipped};
use crate::model::names::{CommonEnds, Visibility};
use crate::model::phrases::{kind, same_and_changed, shared_by};
use crate::model::remarks::{Remark, RemarkKind};
use crate::report::{self, Among, PageOptions, shown};
use people::People;

/// The number of pages that each thread renders before they are written.
const PAGES_AT_A_TIME: usize = 4;

/// The largest number of pairs that have a page of their own.
const MAX_PAGES: usize = 500;

/// The largest number of pairs in the tables.
const MAX_ROWS: usize = 10_000;

/// The largest number of characters of a name, with its flags, that fit into a line in print.
const MAX_PRINTED_NAME: usize = 42;

/// The largest size of a report in one file, in bytes, so that it can be sent by mail. Pairs that
/// would make it larger are listed without a page.
const MAX_BYTES: usize = 20_000_000;

/// The largest number of entries of a list of notices that is not folded away.
const MAX_UNFOLDED: usize = 3;

/// The shape of a report.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Shape {
    /// A folder with a file for each page.
    Folder,
    /// One file.
    Page,
}

/// Renders the folded pages of pairs, followed by their texts, each once: as many pairs as fit, if
/// the complete file may have `max_bytes` bytes. Reduces `report.pages` to this number.
fn body(report: &mut Report, max_bytes: usize) -> anyhow::Result<String> {
    let around = head(report)?.len() + tail(Shape::Page).len();
    let mut space = max_bytes.saturating_sub(around);
    let mut texts: BTreeMap<u32, String> = BTreeMap::new();
    let mut pages: Vec<String> = Vec::new();
    each_pair(report, |number, page| {
        let pair = report.rows[number - 1].pair;
        let new = [pair.a, pair.b].into_iter().filter(|text| !texts.contains_key(text));
        let new = new.map(|text| Ok((text, stored(text, &shown(answer_text(report, text)))?)));
        let new: Vec<(u32, String)> =
            new.collect::<anyhow::Result<_>>().map_err(io::Error::other)?;
        let bytes = page.len() + new.iter().map(|(_, text)| text.len()).sum::<usize>();
        if bytes > space {
            return Ok(ControlFlow::Break(()));
        }
        space -= bytes;
        texts.extend(new);
        pages.push(page.to_owned());
        Ok(ControlFlow::Continue(()))
    })?;
    if pages.len() < report.pages {
        report.pages = pages.len();
        // The last page has no next page now.
        if let Some(last) = pages.last_mut() {
            *last = report.page(report.pages)?;
        }
    }
    Ok(pages.into_iter().chain(texts.into_values()).collect())
}

fn answer_text<'a>(report: &Report<'a>, text: u32) -> &'a dedup_text::text::Text {
    &report.answer.document(text).text
}

/// Renders the pages of the closest pairs, a few in parallel, and passes them to `write` in order
/// with their numbers, until it breaks because there is no space for another page.
fn each_pair(
    report: &Report,
    mut write: impl FnMut(usize, &str) -> io::Result<ControlFlow<()>>,
) -> io::Result<()> {
    let threads = report.answer.options.threads;
    let numbers: Vec<usize> = (1..=report.pages).collect();
    for batch in numbers.chunks(PAGES_AT_A_TIME * threads.get()) {
        let pages = parallel::map(threads, batch.iter().copied(), |number| report.page(number));
        for (number, page) in batch.iter().zip(pages) {
            if write(*number, &page.map_err(io::Error::other)?)?.is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Embeds a text for the script, as JSON in which nothing can end the element.
fn stored(number: u32, content: &str) -> anyhow::Result<String> {
    let json = serde_json::to_string(content).context("a text cannot be written as JSON")?;
    let json = json.replace('<', "\\u003c");
    Ok(format!("<script type=\"application/json\" id=\"text-{number}\">{json}</script>\n"))
}

// The pairs of a report: their order, their names, their addresses and their pages.

/// What a report shows besides the rows of its pairs.
#[derive(Default)]
pub(crate) struct Board {
    /// The pairs that get a page of their own: the closest of those that were offered, at most
    /// [`MAX_PAGES`], each with its judgement, in [reading order](reading_order).
    closest: Vec<(JudgedRow, Judgement)>,
    /// How much of each text stands in any other.
    pub(crate) shared: SharedByText,
}

impl Board {
    /// Offers a pair, which was not accepted earlier.
    pub(crate) fn offer(&mut self, row: &JudgedRow, judgement: Judgement) {
        let row = row.in_order();
        let place = self.closest.binary_search_by(|(listed, _)| reading_order(listed, &row));
        if let Err(place) = place {
            self.closest.insert(place, (row, judgement));
            self.closest.truncate(MAX_PAGES);
        }
    }
}

/// Compares two rows as a report lists them: by section, and the closest first.
fn reading_order(one: &JudgedRow, other: &JudgedRow) -> Ordering {
    one.section().cmp(&other.section()).then_with(|| one.closest_first(other))
}

/// The pairs of a report, each once: those to be read first come first, and within a list the
/// closest.
pub(crate) struct Report<'a> {
    answer: &'a Answer<'a>,
    rows: Vec<JudgedRow>,
    /// The judgements of the first rows, which have a page of their own.
    judgements: Vec<Judgement>,
    /// The number of pairs, including those that are not listed.
    all: usize,
    /// The number of pairs in each section, including those that are not listed.
    in_sections: [usize; 3],
    /// A description of how many pairs are not among the rows because they were accepted earlier;
    /// `None` if there are none.
    accepted: Option<String>,
    shape: Shape,
    /// The number of pairs that have a page of their own.
    pages: usize,
    /// What each row is [known by](review_keys) in a review.
    keys: Vec<String>,
    /// The name of each text in the report.
    names: Vec<String>,
    /// The common beginning and the common end of the names, which the report states once.
    ends: CommonEnds,
    remarks: Vec<Remark>,
    /// The passages in more than two texts, each with its places.
    in_several: Vec<String>,
    /// How much of each text stands in any other.
    shared: SharedByText,
}

/// A text that was not compared.
#[derive(Debug, Eq, PartialEq)]
struct Uncompared {
    name: String,
    why: String,
    /// The hint on what to do about it; `None` if there is none.
    cure: Option<String>,
}

impl Report<'_> {
    /// Renders the overview of a folder of pages.
    pub(crate) fn overview(&self) -> anyhow::Result<String> {
        Ok(head(self)? + &tail(Shape::Folder))
    }

    /// Renders the pages that the overview links to, and passes each on with its file name.
    ///
    /// # Errors
    ///
    /// Returns the first error of `write`, or an error if a page cannot be rendered.
    pub(crate) fn each_page(
        &self,
        mut write: impl FnMut(&str, &str) -> io::Result<()>,
    ) -> io::Result<()> {
        each_pair(self, |number, page| {
            write(&file_name(number), page).map(|()| ControlFlow::Continue(()))
        })
    }

    /// Renders the report as one file, in parts, with as many pages as fit into [`MAX_BYTES`].
    /// Returns it with a note about the pages that did not fit; `None` if all did.
    pub(crate) fn in_one_file(mut self) -> anyhow::Result<([String; 3], Option<String>)> {
        let wished = self.pages;
        let body = body(&mut self, MAX_BYTES)?;
        let parts = [head(&self)?, body, tail(Shape::Page)];
        let [pages, all] = [self.pages, wished].map(thousands);
        let note = format!(
            "the first {pages} of {all} pairs have their texts in it: one file has at most {} MB",
            MAX_BYTES / 1_000_000
        );
        Ok((parts, (self.pages < wished).then_some(note)))
    }
}

impl<'a> Report<'a> {
    /// Sorts the pairs, and gives the first of them their pages. With `--nearest`, a pair may be
    /// listed twice, once in each direction; the report has it once.
    pub(crate) fn new(
        answer: &'a Answer<'a>,
        pairs: &JudgedPairs,
        findings: &Findings,
        (board, shape): (Board, Shape),
    ) -> Self {
        let accepted = pairs.has_accepted();
        let accepted =
            accepted.then(|| accepted_earlier(answer, pairs).collect::<Vec<_>>().join("; "));
        let once = pairs.rows.iter().filter(|row| !row.is_listed_again);
        let mut rows: Vec<JudgedRow> = once.map(|row| row.in_order()).collect();
        rows.sort_unstable_by(reading_order);
        let judgements: Vec<Judgement> = board.closest.into_iter().map(|(_, it)| it).collect();
        let remarks = answer.gathered.remarks();
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
                let remarked = remarks.iter().map(|remark| remark.text);
                let names = numbered(pairs.chain(remarked), paths.len());
                (names, CommonEnds::default())
            }
        };
        let place = |it: &FoundAt| it.named(&names[it.number as usize]);
        let several = answer.in_several(findings).into_iter().take(MAX_IN_SEVERAL);
        let several = several
            .map(|it| format!("{} ({})", it.described(), listed(&it.places, MAX_PLACES, place)));
        let in_several = several.collect();
        let pages = judgements.len();
        let (all, in_sections) = (pairs.len(), pairs.in_sections);
        let keys = review_keys(answer, &rows, &names);
        Self {
            answer,
            keys,
            rows,
            judgements,
            all,
            in_sections,
            accepted,
            shape,
            pages,
            names,
            ends,
            remarks,
            in_several,
            shared: board.shared,
        }
    }

    fn remarks_of(&self, kind: RemarkKind) -> impl Iterator<Item = &Remark> {
        self.remarks.iter().filter(move |remark| remark.kind == kind)
    }

    fn has_remark(&self, text: u32, kind: RemarkKind) -> bool {
        self.remarks.binary_search_by_key(&(kind, text), |it| (it.kind, it.text)).is_ok()
    }

    fn name(&self, text: u32) -> &str {
        &self.names[text as usize]
    }

    /// Returns the rows of a section, each with its number, counted from 1 over all sections.
    fn rows_of(&self, section: Section) -> impl Iterator<Item = (usize, &JudgedRow)> {
        let numbered = (1..).zip(&self.rows);
        numbered.filter(move |(_, row)| row.section() == section)
    }

    /// Returns the texts that were not compared. If names are hidden, their numbers follow those of
    /// the other texts.
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

    /// Same as [`uncompared`](Self::uncompared), but with the real names.
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

    /// Returns the key: the name of each text in the report and its real name, as CSV.
    pub(crate) fn key(&self) -> anyhow::Result<String> {
        let compared = (0..).zip(&self.names);
        let compared = compared.map(|(text, name)| (name.clone(), self.answer.name(text)));
        let uncompared = self.uncompared().into_iter().zip(self.real_uncompared());
        let uncompared = uncompared.map(|(shown, real)| (shown.name, real.name));
        let mut lines: Vec<(String, String)> = compared.chain(uncompared).collect();
        // By number: `Text 10` comes after `Text 9`.
        lines.sort_by(|(one, _), (other, _)| (one.len(), one).cmp(&(other.len(), other)));
        csv::key(&lines)
    }

    /// Returns the address of the page of a pair, relative to the overview; `None` if the pair has
    /// no page. Pairs are numbered from 1.
    fn page_address(&self, number: usize) -> Option<String> {
        (1..=self.pages).contains(&number).then(|| match self.shape {
            Shape::Folder => format!("pairs/{}", file_name(number)),
            Shape::Page => format!("#pair-{number}"),
        })
    }

    /// Renders the page of a pair in the shape of the report. Pairs are numbered from 1.
    ///
    /// # Panics
    ///
    /// Panics if there is no such pair.
    fn page(&self, number: usize) -> anyhow::Result<String> {
        let pair = self.rows[number - 1].pair;
        let answer = self.answer;
        let [left, right] = [pair.a, pair.b].map(|text| answer_text(self, text));
        let judgement = &self.judgements[number - 1];
        let judged = Judged {
            persons: [pair.a, pair.b].map(|text| answer.person(text)),
            ..Judged::new([left, right], answer.recipe, judgement, answer.level)
        };
        let options = PageOptions {
            names: [pair.a, pair.b].map(|text| self.name(text).to_owned()),
            stopwords: self.stopwords(),
            settings: self.settings(),
            among: Some(self.among(number)),
        };
        match self.shape {
            Shape::Folder => report::page(&judged, &options),
            Shape::Page => report::folded(&judged, &options, [pair.a, pair.b]),
        }
    }

    /// Returns the name of the settings file; `None` if none is read or names are hidden.
    fn settings(&self) -> Option<String> {
        let options = &self.answer.options;
        options.settings.clone().filter(|_| options.visibility == Visibility::Shown)
    }

    /// Returns the list of stop words; `None` if names are hidden.
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
            of: self.all,
            all: format!("{overview}#row-{number}"),
            previous: other(number - 1),
            next: other(number + 1),
        }
    }
}

/// Returns the address of the row of a pair in the table; `None` if it is not listed.
fn row_address(number: usize) -> Option<String> {
    (number <= MAX_ROWS).then(|| format!("#row-{number}"))
}

/// Returns anonymous names: `Text 1`, `Text 2`, … in the order of `texts`, and then of the
/// remaining texts. In the order of the real names, a list of persons would reveal who is who.
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

/// Reports whether a message contains a part of a name: a folder or a file, with or without its
/// extension.
fn mentions(message: &str, name: &str) -> bool {
    let parts = name.split(['/', '\\']).filter(|part| !part.is_empty());
    let stem = |part: &str| part.rsplit_once('.').map_or(part, |(stem, _)| stem).to_owned();
    let mut parts = parts.flat_map(|part| [part.to_owned(), stem(part)]);
    parts.any(|part| !part.is_empty() && message.contains(&part))
}

/// Returns the name of the file that contains the page of a pair.
fn file_name(number: usize) -> String {
    format!("{number:04}.html")
}

/// A share, drawn as a bar.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Bar {
    /// The share as text: `89 %`.
    percent: String,
    /// The length of the bar in percent, at least 1 unless the share is 0.
    width: usize,
    /// The length of its first part, the words that are the same, if the others are changed.
    same: Option<usize>,
}

impl Bar {
    fn new(share: Option<Share>) -> Self {
        let least = usize::from(share.is_some_and(|share| share.shared() > 0));
        let width = share.map_or(0, |share| share.filled(100)).max(least);
        Self { percent: dedup_text::display::percent(share), width, same: None }
    }

    /// Makes the bar of a text, of two tones if words are changed: `60+38 %`.
    fn of_text(coverage: &Coverage, side: usize) -> Self {
        let whole = Self::new(coverage.share(side));
        if coverage.changed(side).is_none_or(|share| share.shared() == 0) {
            return whole;
        }
        let percent = same_and_changed(coverage, side) + "\u{a0}%";
        let same = coverage.same(side).map(|share| share.filled(100));
        Self { percent, same, ..whole }
    }
}

// The content of the overview. It shows readers who do not know the measures which texts to read
// side by side.

/// The script of the overview.
const SCRIPT: &str = include_str!("page/overview.js");
/// The script that builds the page of a pair from its texts and the positions at which these are
/// cut.
const UNFOLDING: &str = include_str!("page/unfold.js");
/// The style of the overview, in addition to that of all pages.
const STYLE: &str = include_str!("page/overview.css");

/// The data of the template of the overview.
#[derive(Template)]
#[template(path = "overview.html")]
struct Overview<'a> {
    policy: String,
    style: String,
    version: &'static str,
    title: String,
    /// The condition under which a pair is shown.
    condition: String,
    figures: Vec<Figure>,
    uncompared: Vec<Uncompared>,
    /// Notes below these texts: how many more there are, and what was skipped.
    uncompared_rest: Vec<String>,
    /// The skipped files of each kind that has more than a few, folded away.
    skipped: Vec<SkippedFiles>,
    remarks: Vec<RemarkList<'a>>,
    sections: Vec<PairList>,
    people: Option<People>,
    rows_cut: Option<String>,
    pages_cut: Option<String>,
    /// What counts in no text because many texts have it, and what half of them share.
    first: Vec<AsideLine>,
    /// How often texts of which none is copied share something; `None` if that was not measured with these
    /// settings.
    chance: Option<&'static str>,
    /// The review of an earlier report, as JSON in which nothing can end the element.
    review: &'a str,
    /// The other stretches that many texts share.
    common: Vec<String>,
    /// The parts that all names have in common and that are not shown; `None` if there are none.
    ends: Option<String>,
    parameters: Vec<(&'static str, String)>,
    is_one_file: bool,
}

impl Overview<'_> {
    fn has_uncompared(&self) -> bool {
        !self.uncompared.is_empty() || !self.uncompared_rest.is_empty() || !self.skipped.is_empty()
    }

    /// Reports whether the list of texts that were not compared is closed at first, because it is long.
    fn folds_uncompared(&self) -> bool {
        self.uncompared.len() + self.uncompared_rest.len() > MAX_UNFOLDED
    }
}

/// The remarks of one kind.
struct RemarkList<'a> {
    /// The identifier of the section.
    id: &'static str,
    title: &'static str,
    /// What the remarks mean.
    meaning: &'static str,
    /// The name of each text, and what was found; empty if it is not shown.
    texts: Vec<(&'a str, String)>,
}

impl RemarkList<'_> {
    fn is_folded(&self) -> bool {
        self.texts.len() > MAX_UNFOLDED
    }
}

/// Returns the remarks of a kind; `None` if there are none.
fn remark_list<'a>(report: &'a Report, kind: RemarkKind) -> Option<RemarkList<'a>> {
    let (title, meaning) = match kind {
        RemarkKind::Disguised => (
            "Disguised",
            "These texts have characters that a program notices but a reader does not. They were \
             compared as a reader sees them.",
        ),
        RemarkKind::NotRecognized => (
            "Words not recognized",
            "Words of these texts look like those of no language. A trick that was not undone may \
             be the reason; what was compared are these words.",
        ),
        RemarkKind::LeftOut => (
            "Largely left out",
            "More than a third of these texts was not compared, because it is in quotation marks, \
             in a list of references or between markers.",
        ),
        RemarkKind::Properties => (
            "Written or saved by another person",
            "The properties of these files name a person other than the one who handed them in, \
             which a shared computer or a form that was handed out may cause, too.",
        ),
    };
    let is_hidden = report.answer.options.visibility == Visibility::Hidden;
    let found = |remark: &Remark| match kind {
        RemarkKind::Disguised | RemarkKind::NotRecognized | RemarkKind::LeftOut => {
            visible(&remark.found.join("; "))
        }
        RemarkKind::Properties if !is_hidden => {
            let path = report.answer.document(remark.text).text.path();
            let start = format!("{} was ", display_path(path));
            let said = remark.found.iter().map(|it| it.strip_prefix(&start).unwrap_or(it));
            visible(&said.collect::<Vec<_>>().join("; "))
        }
        RemarkKind::Properties => String::new(),
    };
    let texts: Vec<_> =
        report.remarks_of(kind).map(|it| (report.name(it.text), found(it))).collect();
    (!texts.is_empty()).then(|| RemarkList { id: kind.code(), title, meaning, texts })
}

/// The skipped files of one kind.
struct SkippedFiles {
    /// The kind and the number of files.
    what: String,
    /// The hint on how to have them compared; `None` if there is none.
    cure: Option<&'static str>,
    /// The names that are kept.
    names: Vec<String>,
    /// The number of files whose names are not kept; `None` if all are.
    more: Option<String>,
}

/// A count of the run.
struct Figure {
    value: String,
    name: &'static str,
    /// The heading of the section that lists what is counted.
    address: Option<&'static str>,
}

/// The list of the pairs of a section.
struct PairList {
    id: &'static str,
    title: &'static str,
    about: &'static str,
    /// The text that is shown instead of the list if it is empty.
    empty: &'static str,
    rows: Vec<PairRow>,
    /// The flags of its rows, which are explained above the list.
    flags: Vec<&'static Flag>,
}

impl PairList {
    /// Reports whether a bar has two tones.
    fn has_changes(&self) -> bool {
        let mut bars = self.rows.iter().flat_map(|row| &row.texts).filter_map(|it| it.bar.as_ref());
        bars.any(|bar| bar.same.is_some())
    }
}

/// A pair in a list.
struct PairRow {
    number: usize,
    /// What the pair is [known by](review_keys) in a review.
    key: String,
    /// The names of the persons, or of the texts where none is known, and of the groups, each on a line.
    persons: String,
    groups: String,
    /// The address of its page.
    address: Option<String>,
    texts: [NamedText; 2],
    /// The Jaccard index, if the texts share no passage.
    both: Option<Bar>,
    /// The number of words of the passages; empty if there are none.
    words: String,
    /// The beginning of the longest passage.
    beginning: String,
    language: Option<&'static str>,
    /// What kind of copy it may be.
    kind: &'static str,
    flags: Vec<&'static Flag>,
}

/// A text of a pair.
struct NamedText {
    name: String,
    /// The share of the text that passages cover; `None` if the texts share no passage.
    bar: Option<Bar>,
    flags: Vec<&'static Flag>,
}

impl NamedText {
    /// Reports whether the name and its flags may need more than a line in print.
    fn is_long(&self) -> bool {
        let flags: usize = self.flags.iter().map(|flag| flag.label.len() + 1).sum();
        self.name.chars().count() + flags > MAX_PRINTED_NAME
    }
}

// Flags, which show at a glance what is special about a row.

/// A short label of a pair or of one of its texts, and its meaning.
#[derive(Debug, Eq, PartialEq)]
struct Flag {
    label: &'static str,
    meaning: &'static str,
}

const REWORDED: Flag =
    Flag { label: "reworded", meaning: "sentences of one text are reworded in the other" };
const SCATTERED: Flag = Flag {
    label: "no passage",
    meaning: "no long run of words is the same: the percentage is the share of all their words and \
              short word sequences that both have",
};
const DISGUISED: Flag = Flag {
    label: "disguised",
    meaning: "the text has characters that a reader does not notice, such as letters of another \
              script; it was compared as a reader sees it",
};
const PROPERTIES: Flag = Flag {
    label: "same person in both files",
    meaning: "both files name the same person as their author or as the last to save them; a form \
              that was handed out may cause this, too",
};
const LATER: Flag = Flag {
    label: "later",
    meaning: "it was handed in later than the other, which does not show who wrote first",
};

const EARLIER: Flag = Flag {
    label: "earlier",
    meaning: "the text is one that the given ones are compared with (--against, --earlier)",
};

/// The kinds of pairs, by their [names](kind), and what they mean.
const KINDS: [Flag; 5] = [
    Flag { label: "identical", meaning: "both texts have the same words in the same order" },
    Flag {
        label: "near copy",
        meaning: "most of both texts is the same: one may be a version of the other",
    },
    Flag {
        label: "reworked copy",
        meaning: "nine tenths of both texts are in both, much of it changed or in another order",
    },
    Flag { label: "large part", meaning: "a large part of one text is also in the other" },
    Flag { label: "passage", meaning: "only a passage is in both" },
];

/// The other flags, in the order in which they are explained.
const FLAGS: [&Flag; 6] = [&REWORDED, &SCATTERED, &PROPERTIES, &DISGUISED, &LATER, &EARLIER];

/// Returns the flags of a pair. A new fact about pairs is added here, on a line of its own.
fn flags_of_pair(report: &Report, row: &JudgedRow) -> Vec<&'static Flag> {
    let gathered = report.answer.gathered;
    let flags = [
        (row.shared.is_some_and(|shared| shared.is_reworded), &REWORDED),
        (row.verdict != Verdict::Identical && row.is_without_passage(), &SCATTERED),
        (!gathered.named_in_both(row.pair.a, row.pair.b).is_empty(), &PROPERTIES),
    ];
    flags.into_iter().filter(|(is, _)| *is).map(|(_, flag)| flag).collect()
}

/// Returns the flags of one text of a pair.
fn flags_of_text(report: &Report, row: &JudgedRow, text: u32) -> Vec<&'static Flag> {
    let later = (report.answer.later(&row.pair) == Some(text)).then_some(&LATER);
    flags_of_text_alone(report, text).chain(later).collect()
}

/// Returns the flags of a text, whatever pair it is in, each on a line of its own.
fn flags_of_text_alone(report: &Report, text: u32) -> impl Iterator<Item = &'static Flag> {
    let flags = [
        (report.has_remark(text, RemarkKind::Disguised), &DISGUISED),
        (report.answer.gathered.is_earlier(text), &EARLIER),
    ];
    flags.into_iter().filter(|(is, _)| *is).map(|(_, flag)| flag)
}

/// Renders the overview except for the end of the page.
fn head(report: &Report) -> anyhow::Result<String> {
    let Report { answer, shape, .. } = report;
    let gathered = answer.gathered;
    let sections = sections(report);
    let uncompared = report.uncompared();
    let failed = gathered.failed.len() + gathered.corpus.short.len();
    let skipped = gathered.skipped.counts().filter(|(why, _)| gathered.skipped.has_names(*why));
    let skipped: usize = skipped.map(|(_, count)| count).sum();
    let count = |section: Section| report.in_sections[section as usize];
    let texts = gathered.given();
    let all = report.all;
    let style = format!("{}{STYLE}{}", report::STYLE, widths());
    let overview = Overview {
        policy: report::policy(&style, &script(*shape)),
        style,
        version: env!("CARGO_PKG_VERSION"),
        title: title(report, count(Section::First), gathered.corpus.len()),
        condition: condition(report),
        figures: figures(&[
            (texts, ["text compared", "texts compared"], None),
            (
                count(Section::First),
                ["pair to read first", "pairs to read first"],
                (texts > 0).then_some("read-first"),
            ),
            (gathered.earlier(), ["earlier text", "earlier texts"], None),
            (
                count(Section::Parts),
                ["more shares parts", "more share parts"],
                Some("shared-parts"),
            ),
            (failed + skipped, ["not compared"; 2], Some("not-compared")),
            (report.remarks_of(RemarkKind::Disguised).count(), ["disguised"; 2], Some("disguised")),
            (
                report.remarks_of(RemarkKind::Properties).count(),
                ["names another person", "name another person"],
                Some("properties"),
            ),
        ]),
        uncompared_rest: uncompared_rest(report, failed - uncompared.len().min(failed)),
        uncompared,
        skipped: skipped_files(report),
        remarks: RemarkKind::ALL.iter().filter_map(|kind| remark_list(report, *kind)).collect(),
        rows_cut: (all > MAX_ROWS).then(|| {
            let [shown, all] = [MAX_ROWS, all].map(thousands);
            format!(
                "The first {shown} of {all} pairs are listed; --format jsonl writes all of them."
            )
        }),
        pages_cut: (report.pages < all).then(|| pages_cut(report.pages, all)),
        sections,
        people: people::people(report),
        first: set_aside(report),
        chance: chance(report),
        review: &answer.options.review,
        common: common(report),
        ends: ends(report),
        parameters: report::parameters(answer.recipe, report.stopwords(), report.settings()),
        is_one_file: *shape == Shape::Page,
    };
    overview.render().context("the report cannot be written")
}

/// Renders the end of the page.
fn tail(shape: Shape) -> String {
    format!("<script>{}</script>\n</body>\n</html>\n", script(shape))
}

/// Returns the scripts of the page. One that contains the pages of all pairs needs their scripts,
/// too.
fn script(shape: Shape) -> String {
    match shape {
        Shape::Folder => SCRIPT.to_owned(),
        Shape::Page => report::SCRIPT.to_owned() + UNFOLDING + SCRIPT,
    }
}

/// Returns a class for the length of each bar and one for that of its first part, because the page's policy allows no styles on
/// elements.
fn widths() -> String {
    let class = |width| format!(".w{width}{{--w:{width}%}}.s{width}{{--s:{width}%}}");
    (0..=100).map(class).collect::<Vec<_>>().concat()
}

/// The pairs that are searched for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Scope {
    /// Those of any two texts.
    All,
    /// Those of a new text with an earlier one, by `--against`.
    Against,
    /// Those with a new text, by `--earlier`, or by `--against` if some texts are both new and earlier
    /// ones.
    New,
    /// Those with a text that `--focus` names.
    Focus,
}

impl Scope {
    fn new(answer: &Answer) -> Self {
        let corpus = answer.corpus();
        let texts = corpus.documents.len();
        let has = |side| (0..).take(texts).any(|it| corpus.collection.place(it).side == side);
        // Without --against, the texts outside the focus are on the old side, and none is new.
        let has_old = has(Side::Old);
        if answer.gathered.has_focus && !has(Side::New) {
            Self::Focus
        } else if has_old && has(Side::Any) {
            Self::New
        } else if has_old || has(Side::New) {
            Self::Against
        } else {
            Self::All
        }
    }
}

fn title(report: &Report, first: usize, texts: usize) -> String {
    if texts == 0 {
        return "Nothing was compared".to_owned();
    }
    let texts = counted(texts, "text");
    match (first, report.rows.len(), Scope::new(report.answer)) {
        (0, 0, _) if report.accepted.is_some() => format!("Nothing new among {texts}"),
        (0, 0, Scope::All) => format!("Nothing shared among {texts}"),
        (0, 0, Scope::New) => "Nothing shared with the new texts".to_owned(),
        (0, 0, Scope::Against) => "Nothing shared with the earlier texts".to_owned(),
        (0, 0, Scope::Focus) => "Nothing shared with the texts in focus".to_owned(),
        (0, ..) => format!("No pair to read first among {texts}"),
        (first, ..) => format!("{} to read first among {texts}", counted(first, "pair")),
    }
}

/// Returns the sentence that is shown if there are no pairs to read first.
fn no_pair(report: &Report) -> &'static str {
    match Scope::new(report.answer) {
        _ if report.accepted.is_some() => "No new pair shares a large part.",
        Scope::All => "No two texts share a large part.",
        Scope::Against => "No new text shares a large part with an earlier one.",
        Scope::New => "No new text shares a large part with another.",
        Scope::Focus => "No text in focus shares a large part with another.",
    }
}

/// Returns a sentence on how many pairs have a page. A folder has more only if the size of one file
/// left some out.
fn pages_cut(shown: usize, all: usize) -> String {
    let is_by_size = shown < all.min(MAX_PAGES);
    let [shown, all] = [shown, all].map(thousands);
    let folder = if is_by_size { " A folder, --report DIR, has more." } else { "" };
    format!("The first {shown} of {all} pairs open side by side.{folder}")
}

/// Returns sentences on the pairs that are shown, and on those that are not. Empty if nothing was
/// compared, or if all pairs are searched for, none is found and nothing is left out.
fn condition(report: &Report) -> String {
    if report.answer.corpus().is_empty() {
        return String::new();
    }
    let options = &report.answer.options;
    let scope = Scope::new(report.answer);
    let searched = match scope {
        Scope::All => "",
        Scope::Against => "Only pairs of a new text with an earlier one were compared.",
        Scope::New => "Only pairs with a new text were compared.",
        Scope::Focus => "Only pairs with a text that --focus names are listed.",
    };
    let pairs = if scope == Scope::All { "pairs" } else { "of these" };
    let shown = match &options.task {
        Task::Nearest(count) if count.get() == 1 => {
            "The nearest of each text, however far.".to_owned()
        }
        Task::Nearest(count) => format!("The {count} nearest of each text, however far."),
        _ if options.levels == Levels::All && report.answer.found.by_passages.is_some() => {
            let is_none = report.rows.is_empty();
            let all = format!("All {pairs} that share anything, the largest share first.");
            if is_none { String::new() } else { all }
        }
        _ => format!("All {pairs} that {}.", at_least(report.answer.level)),
    };
    let exceeded = match &report.answer.found.exceeded {
        Some(max_pairs) => format!(
            "More than {} with anything in common, which are too many to list here.",
            counted(*max_pairs, "pair")
        ),
        None => String::new(),
    };
    let is_of_some = scope == Scope::Against && report.answer.gathered.has_focus;
    let focus = if is_of_some { "Only those with a text that --focus names." } else { "" };
    let accepted = report.accepted.as_ref().map(|pairs| format!("Not shown: {pairs}"));
    let grouped = report.answer.gathered.grouped.described();
    let others = accepted.into_iter().chain(grouped).chain(
        Excluded::new(report.answer.gathered, report.answer.recipe).map(|it| it.to_string()),
    );
    let others = others.map(|others| format!("{others}."));
    let sentences =
        [searched.to_owned(), shown, exceeded, focus.to_owned()].into_iter().chain(others);
    sentences.filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Describes the pairs of a level or closer, for readers who do not know the verdicts.
fn at_least(level: Verdict) -> &'static str {
    match level {
        Verdict::Identical => "are identical",
        Verdict::NearDuplicate => "are near copies or identical",
        Verdict::Partial => "share a large part or more",
        Verdict::Excerpt => "share a passage or more",
        Verdict::Different => "were compared",
    }
}

/// A count, its name in the singular and in the plural, and the section that lists what is counted.
type Counted = (usize, [&'static str; 2], Option<&'static str>);

/// Returns the figures that are not 0. The first two, those of all texts and of the pairs to be
/// read first, are always shown.
fn figures(all: &[Counted]) -> Vec<Figure> {
    let is_shown = |(at, (count, ..)): &(usize, &Counted)| *at < 2 || *count > 0;
    let figure = |(_, (count, [one, more], address)): (usize, &Counted)| Figure {
        value: thousands(*count),
        name: if *count == 1 { one } else { more },
        address: *address,
    };
    all.iter().enumerate().filter(is_shown).map(figure).collect()
}

/// Reports whether the names of the skipped files of a kind are folded away, because there are more
/// than a few.
fn are_folded(report: &Report, why: Skip, count: usize) -> bool {
    let is_named = report.answer.options.visibility == Visibility::Shown;
    is_named && count > Skipped::MAX_NAMED && report.answer.gathered.skipped.has_names(why)
}

/// Returns the skipped files of the kinds that are folded away.
fn skipped_files(report: &Report) -> Vec<SkippedFiles> {
    let skipped = &report.answer.gathered.skipped;
    let folded = skipped.counts().filter(|(why, count)| are_folded(report, *why, *count));
    let files = folded.map(|(why, count)| {
        let names = skipped.files(why).map(|name| visible(report.ends.without(name)));
        let names: Vec<String> = names.collect();
        let more = count - names.len();
        SkippedFiles {
            what: format!("{} ({})", why.name(), thousands(count)),
            cure: why.hint(),
            names,
            more: (more > 0).then(|| format!("and {} more", thousands(more))),
        }
    });
    files.collect()
}

/// Returns how many more texts were not compared than are named, and which files were skipped,
/// except for those that are folded away.
fn uncompared_rest(report: &Report, more: usize) -> Vec<String> {
    let more =
        (more > 0).then(|| format!("And {} more; --format json lists all.", thousands(more)));
    let all = &report.answer.gathered.skipped;
    let named = all.renamed(|name| report.ends.without(name).to_owned());
    let skipped = all.counts();
    let skipped = skipped.filter(|(why, count)| !are_folded(report, *why, *count));
    let is_named = report.answer.options.visibility == Visibility::Shown;
    let skipped = skipped.map(|(why, count)| {
        let files = is_named.then(|| named.described(why, count)).flatten();
        files.map_or_else(
            || format!("{} ({})", why.name(), thousands(count)),
            |files| visible(&files),
        )
    });
    let skipped: Vec<String> = skipped.collect();
    let skipped = (!skipped.is_empty()).then(|| format!("Skipped: {}.", skipped.join("; ")));
    more.into_iter().chain(skipped).collect()
}

/// The largest number of passages in several texts that are listed, and of places of each.
const MAX_IN_SEVERAL: usize = 20;
const MAX_PLACES: usize = 10;

/// A line about a stretch that many texts share.
struct AsideLine {
    about: String,
    /// All of its words; `None` if the line is not about one stretch.
    whole: Option<String>,
}

/// How often texts of which none is copied share something: docs/accuracy.md.
const CHANCE: &str = concat!(
    "Could it be chance? Of 998 pairs of texts on one subject, of which neither is copied, 2 share a \
     passage: of 10,000 pairs, about 20 are listed though nobody copied (PAN 2013, measured with dedup ",
    env!("CARGO_PKG_VERSION"),
    ")."
);

/// The largest number of stretches above the pairs.
const FIRST: usize = 3;

/// Describes the longest stretches that count in no text because many texts have them, and those
/// that half of the texts share.
fn set_aside(report: &Report) -> Vec<AsideLine> {
    let line = |what: &'static str| {
        move |stretch: &CommonStretch| AsideLine {
            about: described(what, stretch, report),
            whole: whole(stretch, report),
        }
    };
    let bare = |about: String| AsideLine { about, whole: None };
    let all = report.answer.gathered.set_aside();
    let mut lines: Vec<AsideLine> = all.iter().take(FIRST).map(line("Set aside:")).collect();
    let more = all.len().checked_sub(FIRST).filter(|more| *more > 0);
    lines.extend(more.map(|more| bare(format!("Set aside: {} more such.", thousands(more)))));
    lines.extend(report.answer.shared_by_half().take(FIRST).map(line("Sheet or common source?")));
    lines.extend(report.answer.advice_on_share().map(|advice| bare(format!("Hint: {advice}."))));
    lines
}

/// Returns all words of a stretch, as the text that it is named after has them; `None` if the content of
/// that text is not kept.
fn whole(stretch: &CommonStretch, report: &Report) -> Option<String> {
    let documents = &report.answer.corpus().documents;
    let document = documents.iter().find(|it| it.text.path() == stretch.path)?;
    document.text.content().get(stretch.place.content.clone()).map(visible)
}

/// Returns a sentence on how often texts of which none is copied share something, if passages are searched
/// for as they were when that was measured. docs/accuracy.md has the figures.
fn chance(report: &Report) -> Option<&'static str> {
    let Recipe { min_match, limits, .. } = report.answer.recipe;
    let is_measured = *min_match == MinMatch::default() && *limits == Limits::default();
    is_measured.then_some(CHANCE)
}

/// Describes the other stretches that many texts share, and the passages in more than two texts.
fn common(report: &Report) -> Vec<String> {
    let fewer = report.answer.shared_by_fewer();
    let fewer = fewer.map(|(stretch, _)| described("Shared by many:", stretch, report));
    fewer.chain(report.in_several.iter().cloned()).collect()
}

fn described(what: &str, stretch: &CommonStretch, report: &Report) -> String {
    let CommonStretch { path, place, excerpt, .. } = stretch;
    let first = match report.answer.options.visibility {
        Visibility::Shown => {
            let path = display_path(path);
            format!(" ({}, {})", report.ends.without(&path), first_position(place))
        }
        Visibility::Hidden => String::new(),
    };
    visible(&format!("{what} {}: “{excerpt}”{first}", shared_by(stretch)))
}

/// Describes what is not shown of each name; `None` if names are shown in full.
fn ends(report: &Report) -> Option<String> {
    let before = Some(&report.ends.before).filter(|it| !it.is_empty());
    let behind = Some(&report.ends.behind).filter(|it| !it.is_empty());
    let before = before.map(|before| format!("“{}” at the beginning", visible(before)));
    let behind = behind.map(|behind| format!("“{}” at the end", visible(behind)));
    let ends: Vec<String> = before.into_iter().chain(behind).collect();
    (!ends.is_empty()).then(|| ends.join(" and "))
}

/// Returns the lists that have a pair, and the first list in any case, unless nothing was compared.
fn sections(report: &Report) -> Vec<PairList> {
    let different = if report.answer.options.task.is_nearest() {
        (
            Section::Different,
            "nearest",
            "The nearest of the other texts",
            "Each is the closest of all texts, but may share nothing.",
        )
    } else {
        (
            Section::Different,
            "different",
            "Reach no limit",
            "No figure reaches its limit: most share only single words and short phrases.",
        )
    };
    #[rustfmt::skip]
    let lists = [
        (Section::First, "read-first", "To read first",
         "A large part of one text is also in the other. Open a pair to read both side by side, \
          with the shared parts in colour."),
        (Section::Parts, "shared-parts", "Also shares parts",
         "Only a passage is the same: it may be a quotation, the question, or a common phrase."),
        different,
    ];
    let section = |(list, id, title, about)| {
        let rows = report.rows_of(list).take_while(|(number, _)| *number <= MAX_ROWS);
        let rows: Vec<PairRow> = rows.map(|(number, row)| pair_row(report, number, row)).collect();
        let has = |flag: &&'static Flag| {
            let of_texts = |row: &PairRow| row.texts.iter().any(|it| it.flags.contains(flag));
            let is = |row: &PairRow| row.kind == flag.label || row.flags.contains(flag);
            rows.iter().any(|row| is(row) || of_texts(row))
        };
        let flags = KINDS.iter().chain(FLAGS).filter(has).collect();
        PairList { id, title, about, empty: no_pair(report), rows, flags }
    };
    let sections = lists.into_iter().map(section);
    let is_any = !report.answer.corpus().is_empty();
    sections.filter(|it| it.id == "read-first" && is_any || !it.rows.is_empty()).collect()
}

/// Returns what each pair is known by in a review: the digests of the words of both texts. Of several pairs
/// of equal texts, each is known by the names as well: a decision about one is none about the others.
fn review_keys(answer: &Answer, rows: &[JudgedRow], names: &[String]) -> Vec<String> {
    let by_words = |row: &JudgedRow| {
        let mut digests = [row.pair.a, row.pair.b].map(|text| {
            HEXLOWER.encode(&answer.document(text).digest.bytes()[..REVIEW_DIGEST_BYTES])
        });
        digests.sort_unstable();
        digests.join("-")
    };
    let mut keys: Vec<String> = rows.iter().map(by_words).collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for key in &keys {
        *counts.entry(key.clone()).or_default() += 1;
    }
    for (key, row) in keys.iter_mut().zip(rows) {
        if counts[key] > 1 {
            let both = [row.pair.a, row.pair.b].map(|text| &*names[text as usize]);
            let digest = Sha256::digest(both.join("\n"));
            *key = format!("{key}-{}", HEXLOWER.encode(&digest[..REVIEW_DIGEST_BYTES]));
        }
    }
    keys
}

fn pair_row(report: &Report, number: usize, row: &JudgedRow) -> PairRow {
    let texts = [row.pair.a, row.pair.b];
    let covered = row.shared.filter(|_| !row.is_without_passage()).map(|it| it.coverage);
    let both = covered.is_none().then(|| Bar::new(row.pair.all.jaccard()));
    let left = report.answer.document(row.pair.a);
    let longest = row.shared.and_then(|shared| shared.longest);
    let passage = longest.and_then(|[[start, end], _]| left.text.content().get(start..end));
    let lines = |of: &dyn Fn(u32) -> Option<String>| {
        texts.into_iter().filter_map(of).collect::<Vec<_>>().join("\n")
    };
    let group = |text| report.answer.person(text).and_then(|it| it.group.clone());
    let is_shown = report.answer.options.visibility == Visibility::Shown;
    PairRow {
        number,
        key: report.keys[number - 1].clone(),
        persons: lines(&|text| Some(people::name(report, text))),
        groups: if is_shown { lines(&group) } else { String::new() },
        address: report.page_address(number),
        texts: [0, 1].map(|side| NamedText {
            name: report.name(texts[side]).to_owned(),
            bar: covered.as_ref().map(|coverage| Bar::of_text(coverage, side)),
            flags: flags_of_text(report, row, texts[side]),
        }),
        both,
        words: row.shared.filter(|it| it.words > 0).map_or(String::new(), |it| thousands(it.words)),
        beginning: passage.map(report::beginning).unwrap_or_default(),
        language: left.language.language.map(|it: Language| it.row().short),
        kind: kind(row.verdict, row.shared.map(|it| it.coverage).as_ref()),
        flags: flags_of_pair(report, row),
    }
}

#[cfg(test)]
mod tests {
    use dedup_text::passages::Covered;

    use super::*;

    #[test]
    fn a_folder_is_named_where_it_has_more() {
        let start = "The first 500 of 1,000 pairs open side by side.";
        assert_eq!(pages_cut(500, 1000), start, "a folder has no more");
        let by_size =
            "The first 499 of 1,000 pairs open side by side. A folder, --report DIR, has more.";
        assert_eq!(pages_cut(499, 1000), by_size);
        let few = "The first 7 of 8 pairs open side by side. A folder, --report DIR, has more.";
        assert_eq!(pages_cut(7, 8), few);
    }

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
            let Bar { percent, width, .. } = Bar::new(Share::new(shared, of));
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

    #[test]
    fn a_bar_of_changed_words_has_two_tones() {
        let covered = |same, changed| Covered { same, changed };
        let coverage = Coverage::new(1, [covered(60, 38), covered(3, 0)], [100, 9], 60);
        let bars = [0, 1].map(|side| Bar::of_text(&coverage, side));
        let bars = bars.map(|it| (it.percent.replace('\u{a0}', " "), it.width, it.same));
        assert_eq!(bars, [("60+38 %".to_owned(), 98, Some(60)), ("33 %".to_owned(), 33, None)]);
        let turned = Bar::of_text(&coverage.turned(), 1);
        assert_eq!((turned.width, turned.same), (98, Some(60)));
    }
}
