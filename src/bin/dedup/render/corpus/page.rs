//! What is found among many texts → pages that open anywhere, without a network.
//!
//! Goes in: the pairs that were found. Comes out: an overview and a page for each of the closest
//! pairs, in a folder or all in one file, the same bytes for the same texts. What there is to
//! say of one pair is given by the pair's own report.

mod found;
mod overview;

use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use dedup_text::parallel;

use crate::io::output;
use crate::model::corpus::{Answer, Row};
use crate::render::html::shown;
use found::{Found, Shape};

/// Pages that each thread makes before they are written.
const AT_A_TIME: usize = 4;

/// Writes the report of pairs that were found, if one is asked for.
pub(crate) fn write(
    answer: &Answer,
    rows: &[Row],
    (file, folder): (Option<&Path>, Option<&Path>),
) -> anyhow::Result<()> {
    match (file, folder) {
        (None, _) => Ok(()),
        (_, Some(folder)) => {
            let found = Found::new(answer, rows, Shape::Folder);
            Ok(output::write_folder(folder, |folder| {
                let overview = overview::head(&found).map_err(io::Error::other)?;
                folder.write_index(&(overview + &overview::tail(Shape::Folder)))?;
                each_pair(&found, |number, page| folder.write_page(&found::file_name(number), page))
            })?)
        }
        (Some(file), None) => {
            let found = Found::new(answer, rows, Shape::Page);
            Ok(output::write_file_by(file, |file| write_page(&found, file))?)
        }
    }
}

/// Writes everything on one page: the pairs folded away, and behind them each text once.
fn write_page(found: &Found, file: &mut dyn Write) -> io::Result<()> {
    let mut page = BufWriter::new(file);
    page.write_all(overview::head(found).map_err(io::Error::other)?.as_bytes())?;
    each_pair(found, |_, folded| page.write_all(folded.as_bytes()))?;
    for text in found.texts_of_pages() {
        let content = shown(&found.answer.document(text).text);
        page.write_all(stored(text, &content).map_err(io::Error::other)?.as_bytes())?;
    }
    page.write_all(overview::tail(Shape::Page).as_bytes())?;
    page.flush()
}

/// Makes the page of each of the closest pairs, a few at a time side by side, and hands them
/// on in order with their numbers.
fn each_pair(
    found: &Found,
    mut write: impl FnMut(usize, &str) -> io::Result<()>,
) -> io::Result<()> {
    let threads = found.answer.options.threads;
    let numbers: Vec<usize> = (1..=found.pages()).collect();
    for batch in numbers.chunks(AT_A_TIME * threads.get()) {
        let pages =
            parallel::each(threads, batch.iter().copied(), || (), |(), number| found.page(number));
        for (number, page) in batch.iter().zip(pages) {
            write(*number, &page.map_err(io::Error::other)?)?;
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
}
