//! The pairs of a report: their order, their names, their addresses and their pages.

use dedup_text::jaccard::Share;

use crate::model::Pair as Judged;
use crate::model::corpus::{Answer, Row, beginning_with};
use crate::model::names::Visibility;
use crate::render::corpus::table::sort_closest_first;
use crate::render::html::{self, Among, ReportOptions};
use crate::words::visible;

/// The most pairs that have a page of their own.
const MOST_PAGES: usize = 500;

/// The most pairs in the table.
pub(crate) const MOST_ROWS: usize = 10_000;

/// The pairs of a report, the closest first, each once.
pub(crate) struct Found<'a> {
    pub(crate) answer: &'a Answer<'a>,
    pub(crate) rows: Vec<Row>,
    pub(crate) shape: Shape,
}

/// What a report is written as.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Shape {
    /// A folder with a file for each page.
    Folder,
    /// One file.
    Page,
}

impl<'a> Found<'a> {
    /// Without what was accepted earlier. Of the nearest of each text a pair may come twice, once
    /// each way.
    pub(crate) fn new(answer: &'a Answer<'a>, rows: &[Row], shape: Shape) -> Self {
        let in_order = |row: &Row| {
            let pair = beginning_with(row.pair, row.pair.a.min(row.pair.b));
            Row { pair, ..*row }
        };
        let rows = rows.iter().filter(|row| !row.is_accepted);
        let mut rows: Vec<Row> = rows.map(in_order).collect();
        sort_closest_first(&mut rows);
        rows.dedup_by_key(|row| (row.pair.a, row.pair.b));
        Self { answer, rows, shape }
    }

    /// How many pairs have a page of their own.
    pub(crate) fn pages(&self) -> usize {
        self.rows.len().min(MOST_PAGES)
    }

    /// What a text goes by.
    pub(crate) fn name(&self, text: u32) -> String {
        match self.answer.options.visibility {
            Visibility::Shown => visible(&self.answer.name(text)),
            Visibility::Hidden => format!("text {}", u64::from(text) + 1),
        }
    }

    /// The address of the page of the pair with a number from 1, as seen from the overview; none
    /// where it has none.
    pub(crate) fn page_address(&self, number: usize) -> Option<String> {
        (1..=self.pages()).contains(&number).then(|| match self.shape {
            Shape::Folder => format!("pairs/{}", file_name(number)),
            Shape::Page => format!("#pair-{number}"),
        })
    }

    /// The same, or else its row in the table; none where it has neither.
    pub(crate) fn address(&self, number: usize) -> Option<String> {
        let row = || (number <= MOST_ROWS).then(|| format!("#row-{number}"));
        self.page_address(number).or_else(row)
    }

    /// The page of the pair with a number from 1, as the shape wants it.
    ///
    /// # Panics
    ///
    /// Where there is no such pair.
    pub(crate) fn page(&self, number: usize) -> anyhow::Result<String> {
        let pair = self.rows[number - 1].pair;
        let answer = self.answer;
        let [left, right] = [pair.a, pair.b].map(|text| &answer.document(text).text);
        let (recipe, level) = (answer.recipe, answer.level);
        let judgement = &answer.judge(&pair);
        let judged =
            Judged { left, right, recipe, judgement, level, is_accepted: None, is_by_far: None };
        let rendered = ReportOptions {
            names: [pair.a, pair.b].map(|text| self.name(text)),
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
    pub(crate) fn settings(&self) -> Option<String> {
        let options = &self.answer.options;
        options.settings.clone().filter(|_| options.visibility == Visibility::Shown)
    }

    /// The list of stop words that may be named.
    pub(crate) fn stopwords(&self) -> Option<&std::path::Path> {
        let options = &self.answer.options;
        (options.visibility == Visibility::Shown).then_some(options.stopwords.as_path())
    }

    fn among(&self, number: usize) -> Among {
        let other = |number: usize| {
            (1..=self.pages()).contains(&number).then(|| match self.shape {
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

    /// The texts that are on some page, in order.
    pub(crate) fn texts_of_pages(&self) -> Vec<u32> {
        let rows = self.rows[..self.pages()].iter();
        let mut texts: Vec<u32> = rows.flat_map(|row| [row.pair.a, row.pair.b]).collect();
        texts.sort_unstable();
        texts.dedup();
        texts
    }
}

/// The name of the file with the page of a pair.
pub(crate) fn file_name(number: usize) -> String {
    format!("{number:04}.html")
}

/// The tenth that a similarity lies in, from 0 to 9; 1 is of the last one.
pub(crate) fn shade(similarity: Option<Share>) -> usize {
    similarity.map_or(0, |share| share.filled(10).min(9))
}
