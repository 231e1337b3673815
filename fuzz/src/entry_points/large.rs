//! Large documents. A small input is read as parts that are repeated, numbered or nested, so that a
//! few bytes make up to four megabytes: tables, lists, long lines, deep nesting, style sheets. The
//! assertions are those of the targets of small documents.

use super::documents::archive;
use super::reading::{check, check_markdown};

/// The target sizes of a document, in bytes. The first byte of an input chooses one.
const SIZES: [usize; 5] = [1 << 12, 1 << 14, 1 << 17, 1 << 20, 1 << 22];

/// The largest number of times that a part is repeated or nested.
const MOST: usize = 1 << 16;

/// Is before the inner part of a nested one, and before what closes it.
const WITHIN: char = '\u{1}';

/// Stands for the number of a repetition, which counts from 0.
const NUMBER: char = '\u{2}';

/// Stands for the number of the next repetition.
const NEXT: char = '\u{3}';

/// Ends the fuzzed part of an archive. What follows replaces the last of the valid parts.
const OTHER_PART: char = '\u{4}';

/// Reads a large Markdown document.
pub fn large_markdown(bytes: &[u8]) {
    let document = expanded(bytes);
    check("fuzzed.md", document.as_bytes());
    check_markdown(&document);
}

/// Reads a large web page.
pub fn large_page(bytes: &[u8]) {
    check("fuzzed", &[b"<!doctype html>", expanded(bytes).as_bytes()].concat());
}

/// Reads a large document that is an archive. The last byte chooses its kind.
pub fn large_office(bytes: &[u8]) {
    let Some((kind, bytes)) = bytes.split_last() else { return };
    let document = expanded(bytes);
    let mut parts = document.split(OTHER_PART).map(str::as_bytes);
    check("fuzzed", &archive(*kind, parts.next().unwrap_or_default(), parts.next()));
}

/// Makes the document of an input. After the size, each NUL-terminated part begins with the number
/// of times that its text is repeated. Text after [`WITHIN`] is written once, behind all
/// repetitions, and text after another [`WITHIN`] as often as the first. Repetitions that exceed
/// the size are dropped.
fn expanded(bytes: &[u8]) -> String {
    let Some((size, parts)) = bytes.split_first() else { return String::new() };
    let size = SIZES[usize::from(*size) % SIZES.len()];
    let mut document = String::new();
    for part in parts.split(|byte| *byte == 0) {
        let Some((times, text)) = part.split_first() else { continue };
        let text = String::from_utf8_lossy(text);
        let mut sections = text.splitn(3, WITHIN);
        let [open, inner, close] = [(); 3].map(|()| sections.next().unwrap_or_default());
        let mut opened = 0;
        while opened < count(*times) && document.len() + opened * close.len() < size {
            let number = |more: usize| (opened + more).to_string();
            document += &open.replace(NUMBER, &number(0)).replace(NEXT, &number(1));
            opened += 1;
        }
        document += inner;
        document += &close.repeat(opened);
    }
    document
}

/// Returns the number of repetitions that a byte stands for. A byte below 128 is the number itself.
/// Bytes from 128 on stand for numbers from 8, in steps of an eighth of a power of two, so that
/// changing a single byte can make a document a thousand times larger.
fn count(byte: u8) -> usize {
    let byte = usize::from(byte);
    let count = if byte < 128 { byte } else { (8 + (byte & 7)) << (byte >> 3 & 15) };
    count.min(MOST)
}
