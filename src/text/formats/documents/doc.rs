//! Extracts the text of a Word document from before 2007 with `antiword`, or else with `catdoc`.
//!
//! Input: the bytes of a `.doc`. Output: its paragraphs, each on a line, its tables, and its notes
//! at the end. The document is read with the first of the two programs that is installed and can
//! read it.

use std::process::Command;

use super::program::{Program, ProgramOutput};
use super::{Bounds, ExtractError, Extracted};

const READS: &str = "an old Word document (.doc)";

/// The programs, the better one first, with the arguments that make them read standard input, and
/// write UTF-8 with one paragraph per line.
const PROGRAMS: [(Program, &[&str]); 2] = [
    (Program { name: "antiword", reads: READS }, &["-m", "UTF-8.txt", "-w", "0", "-"]),
    (Program { name: "catdoc", reads: READS }, &["-d", "utf-8", "-w", "-"]),
];

/// Extracts the text of a document; empty if it has none.
///
/// # Errors
///
/// Returns an [`ExtractError`] if its text cannot be extracted: [`ExtractError::NoProgram`] if
/// neither program is installed, else that of the first program that is installed, or of one that
/// could not be run or exceeded the limits.
pub(crate) fn text(bytes: &[u8], bounds: &Bounds) -> Result<Extracted, ExtractError> {
    let commands = PROGRAMS.map(|(program, arguments)| (program, program.command(arguments)));
    read(commands, bytes, bounds)
}

/// Reads a document with the first command that can.
fn read(
    commands: impl IntoIterator<Item = (Program, Command)>,
    bytes: &[u8],
    bounds: &Bounds,
) -> Result<Extracted, ExtractError> {
    let mut refused = None;
    for (program, mut command) in commands {
        match program.read(&mut command, bytes, bounds) {
            Ok(output) if has_text(&output) => {
                let text = output.text();
                let content = if program.name == "antiword" { normalized(&text) } else { text };
                return Ok(Extracted { content, ..Extracted::default() });
            }
            Ok(output) => refused = refused.or(Some(error_of(program, &output))),
            Err(ExtractError::NoProgram { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Err(refused.unwrap_or(ExtractError::NoProgram { kind: READS, program: "antiword or catdoc" }))
}

/// Reports whether a program has read the document. On a damaged document catdoc complains and
/// writes nothing, but exits successfully.
fn has_text(output: &ProgramOutput) -> bool {
    let is_silent = output.stderr.trim().is_empty();
    output.status.success() && (is_silent || !output.stdout.trim_ascii().is_empty())
}

/// Returns the refusal of a document that a program could not read.
fn error_of(program: Program, output: &ProgramOutput) -> ExtractError {
    if output.stderr.to_ascii_lowercase().contains("encrypted") {
        return ExtractError::Locked { kind: "Word document" };
    }
    let gave_up = || format!("{} failed", program.name);
    ExtractError::Damaged {
        kind: "old Word document",
        found: output.first_message().unwrap_or_else(gave_up),
    }
}

// Cleans the output of antiword, to match the document: joins the lines of each table cell, and
// removes the numbers of notes.

/// The line between the text and its notes.
const RULE: &str = "-----------------------";

/// Returns the text of a document, cleaned from the output of antiword. Linear in its length.
fn normalized(written: &str) -> String {
    let (body, notes) = match written.rsplit_once(&format!("\n{RULE}\n[1]\t")) {
        Some((body, notes)) => (body, Some(notes)),
        None => (written, None),
    };
    let mut text = String::with_capacity(written.len());
    let mut table: Vec<Vec<&str>> = Vec::new();
    let body = if notes.is_some() { &without_numbers(body) } else { body };
    for line in body.lines() {
        match cells(line) {
            Some(row) if table.last().is_none_or(|last| last.len() == row.len()) => table.push(row),
            row => {
                add_table(&mut text, &std::mem::take(&mut table));
                match row {
                    Some(row) => table.push(row),
                    None => text.extend([line, "\n"]),
                }
            }
        }
    }
    add_table(&mut text, &table);
    let notes = notes.map(|notes| format!("[1]\t{notes}")).unwrap_or_default();
    let mut number = 1;
    for line in notes.lines() {
        let note = line.strip_prefix(&format!("[{number}]\t"));
        number += usize::from(note.is_some());
        text.extend([note.unwrap_or(line), "\n"]);
    }
    text
}

/// Returns the text without the numbers of its notes, which count up from 1.
fn without_numbers(body: &str) -> String {
    let mut text = String::with_capacity(body.len());
    let mut rest = body;
    for number in 1.. {
        let mark = format!("[{number}]");
        let Some((before, behind)) = rest.split_once(&mark) else { break };
        text.push_str(before);
        rest = behind;
    }
    text.push_str(rest);
    text
}

/// Returns the cells of a line of a table, with their padding; `None` if the line is not one of a
/// table.
fn cells(line: &str) -> Option<Vec<&str>> {
    Some(line.strip_prefix('|')?.strip_suffix('|')?.split('|').collect())
}

/// Appends the rows of a table. A row may take several lines: the text that does not fit the width
/// of its cell continues on the next line.
fn add_table(text: &mut String, lines: &[Vec<&str>]) {
    for (at, line) in lines.iter().enumerate() {
        // The lines of a row are joined at the first one, cell by cell.
        if at > 0 && goes_on(&lines[at - 1], line) {
            continue;
        }
        let more = lines[at..].windows(2).take_while(|two| goes_on(&two[0], &two[1])).count();
        for cell in 0..line.len() {
            let pieces = lines[at..=at + more].iter().map(|line| line[cell].trim());
            let pieces: Vec<&str> = pieces.filter(|piece| !piece.is_empty()).collect();
            text.push_str(if cell > 0 { "\t" } else { "" });
            text.push_str(&pieces.join(" "));
        }
        text.push('\n');
    }
}

/// The minimum width of a cell, in characters, for a line break in it to count as a lack of space;
/// the text of a narrower cell may fill it by chance.
const WIDE: usize = 20;

/// Reports whether a line of a table continues the row of the line above: in no cell did its first
/// word fit above, and at least one of these cells is wide.
fn goes_on(above: &[&str], line: &[&str]) -> bool {
    let width = |text: &str| text.chars().count();
    let mut is_any_wide = false;
    let is_full = above.iter().zip(line).all(|(above, cell)| {
        let Some(word) = cell.split_whitespace().next() else { return true };
        is_any_wide |= width(above) >= WIDE;
        width(above.trim_end()) + 1 + width(word) >= width(above)
    });
    is_full && is_any_wide
}

#[cfg(test)]
mod tests;
