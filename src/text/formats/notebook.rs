//! Extracts the text of a Jupyter notebook.
//!
//! Input: the JSON of a notebook of format 3 or 4, and a function that reads Markdown. Output: its
//! cells in order, each on lines of its own, without their outputs, and the stretches that markers
//! in the cells mark. The module knows nothing of Markdown.

use std::ops::Range;

use memchr::memmem;
use serde::Deserialize;
use serde_json::error::Category;

use super::{ExtractError, end_line};
use crate::text::marked::{self, Marked, Markers};

/// A notebook; in format 3 its cells are grouped into worksheets.
#[derive(Deserialize)]
struct Notebook {
    cells: Option<Vec<Cell>>,
    #[serde(default)]
    worksheets: Vec<Worksheet>,
}

#[derive(Deserialize)]
struct Worksheet {
    #[serde(default)]
    cells: Vec<Cell>,
}

#[derive(Deserialize)]
struct Cell {
    #[serde(default, rename = "cell_type")]
    kind: String,
    source: Option<SourceLines>,
    /// The source of a code cell in format 3.
    input: Option<SourceLines>,
}

/// The source of a cell, as one string or line by line.
#[derive(Deserialize)]
#[serde(untagged)]
enum SourceLines {
    Together(String),
    OneByOne(Vec<String>),
}

/// Reports whether a text is a notebook: a JSON object that states its notebook format and has
/// cells, or begins with a cell, as nearly all do. The notebook may still be damaged, since the JSON
/// is not parsed: the format comes last, so that a cut one lacks it.
pub(crate) fn is_notebook(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_ascii_start();
    let says_format = |at: usize| {
        let value = text[at..].trim_start_matches("\"nbformat\"").trim_ascii_start();
        let value = value.strip_prefix(':').unwrap_or_default().trim_ascii_start();
        value.starts_with(|digit: char| digit.is_ascii_digit())
    };
    let has = |key: &str| memmem::find(text.as_bytes(), key.as_bytes()).is_some();
    begins_with_cell(text)
        || text.starts_with('{')
            && memmem::find_iter(text.as_bytes(), "\"nbformat\"").any(says_format)
            && (has("\"cells\"") || has("\"worksheets\""))
}

/// Reports whether a JSON text begins with a cell of a notebook, whose type may be cut.
fn begins_with_cell(mut json: &str) -> bool {
    let begins = ["{", "\"cells\"", ":", "[", "{", "\"cell_type\"", ":"].iter().all(|token| {
        let rest = json.trim_ascii_start().strip_prefix(token);
        json = rest.unwrap_or_default();
        rest.is_some()
    });
    let value = json.trim_ascii_start();
    let mut types = ["\"markdown\"", "\"code\"", "\"raw\"", "\"heading\""].into_iter();
    begins && types.any(|name| value.starts_with(name) || name.starts_with(value.trim_ascii_end()))
}

/// Extracts the text of a notebook, and what is marked in it: a stretch may end in a later cell.
/// `markdown` reads the Markdown cells and the markers in them; all others are copied unchanged.
///
/// # Errors
///
/// Returns [`ExtractError::Damaged`] if the notebook is truncated, or if it is not a notebook.
pub(crate) fn text(
    json: &str,
    markdown: &dyn Fn(&str) -> (String, Markers),
) -> Result<(String, Marked), ExtractError> {
    let damaged = |found: String| ExtractError::Damaged { kind: "notebook", found };
    let json = json.trim_start_matches('\u{feff}');
    let notebook: Notebook = serde_json::from_str(json).map_err(|error| {
        let what = match error.classify() {
            Category::Eof => "cut",
            Category::Io | Category::Syntax => "not JSON",
            Category::Data => "not laid out as notebooks are",
        };
        damaged(format!("{what} at line {}, column {}", error.line(), error.column()))
    })?;
    if notebook.cells.is_none() && notebook.worksheets.is_empty() {
        return Err(damaged("no cells".to_owned()));
    }
    let in_worksheets = notebook.worksheets.into_iter().flat_map(|sheet| sheet.cells);
    let (mut text, mut markers) = (String::new(), Markers::new());
    for cell in notebook.cells.into_iter().flatten().chain(in_worksheets) {
        let source = match cell.source.or(cell.input) {
            Some(SourceLines::Together(source)) => source,
            Some(SourceLines::OneByOne(lines)) => lines.concat(),
            None => continue,
        };
        let (content, of_cell) = if cell.kind == "markdown" {
            markdown(&source)
        } else {
            let of_cell = marked::markers(&source);
            (source, of_cell)
        };
        let start = text.len();
        let moved = |(marker, it): (_, Range<usize>)| (marker, start + it.start..start + it.end);
        markers.extend(of_cell.into_iter().map(moved));
        text.push_str(&content);
        end_line(&mut text);
    }
    let marked = marked::paired(&text, markers);
    Ok((text, marked))
}

#[cfg(test)]
mod tests;
