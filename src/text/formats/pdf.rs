//! A PDF → its text, through poppler's `pdftotext`.
//!
//! Goes in: the bytes of a PDF. Comes out: its lines as they stand on its pages, headers and
//! footers of pages included: nothing in a PDF parts them from its text. Letters in a PDF lie
//! where they are to be seen; what makes words and lines of them is a program of its own, that
//! is found on the search path. Words that no reader sees are [set apart](hidden).

mod hidden;

use std::process::Command;

use super::program::{Program, ProgramOutput, cleaned};
use super::{Bounds, Extracted, Refusal};
use crate::text::Properties;
use crate::text::properties::cleaned as cleaned_property;

const KIND: &str = "PDF";
const PROGRAM: Program = Program { name: "pdftotext", reads: "a PDF" };

/// Messages that are distinguished and counted, at most.
const MOST_TOLD_APART: usize = 100;

/// Reads the text of a PDF.
///
/// # Errors
///
/// A [`Refusal`] where it cannot be had; [`Refusal::OnlyPictures`] where there is not one
/// letter or digit, as in a PDF of scanned pages.
pub(crate) fn text(bytes: &[u8], bounds: &Bounds) -> Result<Extracted, Refusal> {
    // Both dashes are pipes: the PDF goes in, the text comes out.
    let plain = ["-enc", "UTF-8", "-", "-"];
    let with_properties = [&["-htmlmeta"], &plain[..]].concat();
    match read(&mut PROGRAM.command(&with_properties), bytes, bounds) {
        // Programs of the name that are not poppler's do not know the flag.
        Err(Refusal::Damaged { found, .. }) if found.starts_with(USAGE) => {
            read(&mut PROGRAM.command(&plain), bytes, bounds)
        }
        read => read,
    }
}

/// How the program begins to say which flags it has.
const USAGE: &str = "pdftotext version";

/// Reads the text of a PDF by a command.
fn read(command: &mut Command, bytes: &[u8], bounds: &Bounds) -> Result<Extracted, Refusal> {
    let output = PROGRAM.read(command, bytes, bounds)?;
    if !output.status.success() {
        return Err(refused(&output));
    }
    page_text(output, |text| hidden::seen(bytes, text, bounds))
}

/// The text that the program wrote, where it holds any, and what it complains of. A page without
/// a letter or digit is missing where it complains of damage: it skips what it cannot read, and
/// ends as if nothing was wrong. `seen` parts the text into what is seen and the words that are not.
fn page_text(
    output: ProgramOutput,
    seen: impl FnOnce(&str) -> Option<(String, Vec<String>)>,
) -> Result<Extracted, Refusal> {
    let messages = Messages::new(&output.stderr);
    let written = output.text();
    let (text, properties) = without_head(&written);
    if let Some(damage) = &messages.damage {
        let missing = messages.missing_page.clone().or_else(|| empty_page(text));
        if let Some(page) = missing {
            let found = format!("{page} has no text; {} says: {damage}", PROGRAM.name);
            return Err(Refusal::Damaged { kind: KIND, found });
        }
    }
    if !text.contains(char::is_alphanumeric) {
        return Err(Refusal::OnlyPictures { kind: KIND });
    }
    let (text, hidden) = seen(text).unwrap_or_else(|| (text.to_owned(), Vec::new()));
    let pages = page_starts(&text);
    let content = text.replace(END_OF_PAGE, "\n");
    let damage = messages.summary();
    Ok(Extracted { content, hidden, pages, damage, properties, ..Extracted::default() })
}

/// What `-htmlmeta` puts around the text, which stands there as it is.
const AROUND: [&str; 3] =
    ["<!DOCTYPE html PUBLIC", "</head>\n<body>\n<pre>\n", "</pre>\n</body>\n</html>\n"];

/// The text of what the program wrote, and what it says of those who wrote it. In the head, which
/// is HTML, no name holds what ends that.
fn without_head(written: &str) -> (&str, Properties) {
    let [start, begin, end] = AROUND;
    let parts = written.starts_with(start).then(|| written.split_once(begin)).flatten();
    let Some((head, text)) = parts else { return (written, Properties::default()) };
    let value = |name: &str| {
        let (_, value) = head.split_once(&format!("<meta name=\"{name}\" content=\""))?;
        let (value, _) = value.split_once("\"/>")?;
        cleaned_property(&quick_xml::escape::unescape(value).ok()?)
    };
    let properties = Properties {
        author: value("Author"),
        last_modified_by: None,
        created: value("CreationDate"),
    };
    (text.strip_suffix(end).unwrap_or(text), properties)
}

/// What the program writes behind each page.
const END_OF_PAGE: char = '\u{c}';

/// The pages, in order.
fn pages(text: &str) -> impl Iterator<Item = &str> {
    text.strip_suffix(END_OF_PAGE).unwrap_or(text).split(END_OF_PAGE)
}

/// Where each page begins, in bytes.
fn page_starts(text: &str) -> Vec<usize> {
    let mut end = 0;
    let start = |page: &str| {
        let start = end;
        end += page.len() + END_OF_PAGE.len_utf8();
        start
    };
    pages(text).map(start).collect()
}

/// The first page without a letter or digit.
fn empty_page(text: &str) -> Option<String> {
    let empty = |page: &str| !page.contains(char::is_alphanumeric);
    pages(text).zip(1..).find(|(page, _)| empty(page)).map(|(_, number)| format!("page {number}"))
}

/// What the program complains of, though it gave a text.
#[derive(Debug, Default)]
struct Messages {
    /// The first.
    first: Option<String>,
    /// How many different ones there are.
    count: usize,
    /// The first that some of the text may be missing for.
    damage: Option<String>,
    /// The page that it says is missing.
    missing_page: Option<String>,
}

/// What a message is about that leaves no text out: how letters look, layers and links. Many
/// sound PDFs give reason for such.
const HARMLESS: [&str; 5] = ["font", "optional content", "color", "annotation", "destination"];

/// What is about letters and leaves them out all the same.
const HARMFUL: &str = "no font in";

impl Messages {
    /// Of what the program wrote on standard error, without what it calls warnings itself.
    fn new(written: &str) -> Self {
        let mut all: Vec<String> = Vec::new();
        let mut messages = Self::default();
        for line in written.lines().map(cleaned) {
            if line.is_empty() || line.starts_with("Syntax Warning") || all.contains(&line) {
                continue;
            }
            let small = line.to_ascii_lowercase();
            let is_harmless = HARMLESS.into_iter().any(|what| small.contains(what));
            if !is_harmless || small.contains(HARMFUL) {
                messages.damage.get_or_insert_with(|| line.clone());
            }
            // "Kid object (page 2) is wrong type (null)": such a page is not even written empty.
            if let Some(page) =
                line.split_once("Kid object (page ").and_then(|(_, it)| it.split_once(')'))
            {
                messages.missing_page.get_or_insert_with(|| format!("page {}", page.0));
            }
            if all.len() < MOST_TOLD_APART {
                all.push(line);
            }
        }
        messages.count = all.len();
        messages.first = all.into_iter().next();
        messages
    }

    /// All of them in a line; none where there are none.
    fn summary(&self) -> Option<String> {
        let first = self.damage.as_ref().or(self.first.as_ref())?;
        let more = match self.count {
            0 | 1 => String::new(),
            count if count >= MOST_TOLD_APART => format!(", and {} or more others", count - 1),
            count => format!(", and {} more", count - 1),
        };
        Some(format!("some of its text may be missing; {} says: {first}{more}", PROGRAM.name))
    }
}

/// What the program's end and its messages mean (poppler's manual, "Exit codes").
fn refused(output: &ProgramOutput) -> Refusal {
    const NOT_PERMITTED: Option<i32> = Some(3);
    if output.stderr.contains("Incorrect password") || output.status.code() == NOT_PERMITTED {
        return Refusal::Locked { kind: KIND };
    }
    let gave_up = || format!("{} gave up on it", PROGRAM.name);
    Refusal::Damaged { kind: KIND, found: output.first_message().unwrap_or_else(gave_up) }
}

#[cfg(test)]
mod tests;
