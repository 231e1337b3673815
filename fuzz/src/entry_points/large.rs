//! Large documents. A small input is read as choices of the elements of a document and their
//! numbers, so that a few bytes make up to four megabytes. The assertions are those of the targets
//! of small documents.

mod html;
mod markdown;
mod office;

use super::reading::{check, check_markdown};
use crate::choices::Choices;

/// The target sizes of a document, in bytes. The first byte of an input chooses one.
const SIZES: [usize; 5] = [1 << 12, 1 << 14, 1 << 17, 1 << 20, 1 << 22];

/// The largest number of times that a part is repeated or nested.
const MOST: usize = 1 << 16;

/// Reads a large Markdown document.
pub fn large_markdown(bytes: &[u8]) {
    let document = markdown::document(&mut Choices::new(bytes));
    check("fuzzed.md", document.as_bytes());
    check_markdown(&document);
}

/// Reads a large web page.
pub fn large_page(bytes: &[u8]) {
    let page = html::page(&mut Choices::new(bytes));
    check("fuzzed", &[b"<!doctype html>", page.as_bytes()].concat());
}

/// Reads a large document that is an archive: docx, odt or epub.
pub fn large_office(bytes: &[u8]) {
    check("fuzzed", &office::document(&mut Choices::new(bytes)));
}

/// Returns a text that is valid in any markup, one of `own`, or one read from the input. There are
/// always eight choices, however many texts `own` has, so that stored inputs keep their meaning.
fn text_or(own: &[&str], choices: &mut Choices) -> String {
    let fixed = ["a", "a word and another ", "", " "];
    let chosen = fixed.iter().chain(own).nth(choices.below(8));
    chosen.map_or_else(|| choices.text(), |text| (*text).to_owned())
}

/// A document that is being generated. Parts beyond its size are dropped.
struct Document {
    content: String,
    size: usize,
}

impl Document {
    /// Returns an empty document. The input chooses its size.
    fn new(choices: &mut Choices) -> Self {
        Self { content: String::new(), size: choices.pick(&SIZES) }
    }

    /// Reports whether the document has reached its size.
    fn is_full(&self) -> bool {
        self.content.len() >= self.size
    }

    /// Appends a complete part, unless the document is full.
    fn push(&mut self, part: &str) {
        if !self.is_full() {
            self.content.push_str(part);
        }
    }

    /// Appends a part `times` times, until the document is full.
    fn repeat(&mut self, part: &str, times: usize) {
        for _ in 0..times {
            if self.is_full() {
                break;
            }
            self.content.push_str(part);
        }
    }

    /// Appends the parts with the numbers from 0 to `times`, until the document is full.
    fn each(&mut self, times: usize, mut part: impl FnMut(usize) -> String) {
        for number in 0..times {
            if self.is_full() {
                break;
            }
            self.content.push_str(&part(number));
        }
    }

    /// Nests an inner part in `depth` pairs of `open` and `close`. All that is opened is closed,
    /// even if the document gets larger than its size.
    fn nest(&mut self, [open, inner, close]: [&str; 3], depth: usize) {
        let before = self.content.len();
        self.repeat(open, depth);
        let opened = (self.content.len() - before).checked_div(open.len()).unwrap_or(depth);
        self.content.push_str(inner);
        self.content.push_str(&close.repeat(opened));
    }
}
