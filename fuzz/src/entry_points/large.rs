//! Large documents: a small input is read as choices of what a document has and how often, so
//! that a few bytes make up to four megabytes. What is asserted is what the targets of small
//! documents assert.

mod html;
mod markdown;
mod office;

use super::reading::{check, check_markdown};
use crate::choices::Choices;

/// The sizes in bytes at which a document is complete; the first byte of an input chooses one.
const SIZES: [usize; 5] = [1 << 12, 1 << 14, 1 << 17, 1 << 20, 1 << 22];

/// How often a part is repeated at most, and how deep one is nested.
const MOST: usize = 1 << 16;

/// Large documents in Markdown.
pub fn large_markdown(bytes: &[u8]) {
    let document = markdown::document(&mut Choices::new(bytes));
    check("fuzzed.md", document.as_bytes());
    check_markdown(&document);
}

/// Large web pages.
pub fn large_page(bytes: &[u8]) {
    let page = html::page(&mut Choices::new(bytes));
    check("fuzzed", &[b"<!doctype html>", page.as_bytes()].concat());
}

/// Large documents in archives: docx, odt and epub.
pub fn large_office(bytes: &[u8]) {
    check("fuzzed", &office::document(&mut Choices::new(bytes)));
}

/// A text that any markup may have, one of those given, or one chosen letter by letter. It is one
/// of eight choices however many are given, so that kept inputs keep their meaning.
fn text_or(own: &[&str], choices: &mut Choices) -> String {
    let fixed = ["a", "a word and another ", "", " "];
    let chosen = fixed.iter().chain(own).nth(choices.below(8));
    chosen.map_or_else(|| choices.text(), |text| (*text).to_owned())
}

/// A document in the making; what is written beyond its size is dropped.
struct Document {
    content: String,
    size: usize,
}

impl Document {
    /// An empty one, of the size that is chosen.
    fn new(choices: &mut Choices) -> Self {
        Self { content: String::new(), size: choices.pick(&SIZES) }
    }

    /// Whether it has its size.
    fn is_full(&self) -> bool {
        self.content.len() >= self.size
    }

    /// Writes a part whole, unless the document is full.
    fn push(&mut self, part: &str) {
        if !self.is_full() {
            self.content.push_str(part);
        }
    }

    /// Writes a part so many times.
    fn repeat(&mut self, part: &str, times: usize) {
        for _ in 0..times {
            if self.is_full() {
                break;
            }
            self.content.push_str(part);
        }
    }

    /// Writes parts by their numbers, from 0.
    fn each(&mut self, times: usize, mut part: impl FnMut(usize) -> String) {
        for number in 0..times {
            if self.is_full() {
                break;
            }
            self.content.push_str(&part(number));
        }
    }

    /// Writes what is nested so deep around an inner part. What is opened is closed, however
    /// large the document gets.
    fn nest(&mut self, [open, inner, close]: [&str; 3], depth: usize) {
        let before = self.content.len();
        self.repeat(open, depth);
        let opened = (self.content.len() - before).checked_div(open.len()).unwrap_or(depth);
        self.content.push_str(inner);
        self.content.push_str(&close.repeat(opened));
    }
}
