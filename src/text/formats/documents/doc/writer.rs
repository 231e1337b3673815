//! Assembles the text of a Word document from before 2007.
//!
//! Input: its characters in document order, and their formats. Output: the visible text, and the
//! hidden pieces. Leaves out deleted text and the codes of fields.

use super::formats::Format;
use crate::text::formats::documents::rtf::CodePage;
use crate::text::formats::documents::symbol_font::of_symbol_font;

/// The least number of bytes that a stretch of text of one format counts as, since a hidden piece
/// takes more memory than its text.
const MIN_COST: usize = 16;

/// The text under construction. Linear in the length of what is written.
#[derive(Default)]
pub(super) struct Writer {
    pub(super) text: String,
    hidden: Vec<String>,
    /// Whether the last text was hidden.
    is_hiding: bool,
    /// The fields that are open in the part of the document that is being written.
    pub(super) fields: Fields,
    /// The number of bytes that may still be read.
    room: usize,
}

/// The open fields.
#[derive(Default)]
pub(super) struct Fields {
    /// Whether each field is in its code, not in its result; the outermost first.
    in_code: Vec<bool>,
    /// The number of those that are in their code.
    codes: usize,
}

impl Fields {
    /// Begins a field, in its code.
    fn begin(&mut self) {
        self.in_code.push(true);
        self.codes += 1;
    }

    /// Begins the result of the innermost field.
    fn begin_result(&mut self) {
        if let Some(in_code) = self.in_code.last_mut() {
            self.codes -= usize::from(std::mem::take(in_code));
        }
    }

    /// Ends the innermost field.
    fn end(&mut self) {
        self.begin_result();
        self.in_code.pop();
    }
}

impl Writer {
    /// Begins a text that is read from at most `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self { room: limit, ..Self::default() }
    }

    /// Counts the bytes of a stretch of one format; `None` if they exceed the limit.
    pub(super) fn take(&mut self, bytes: usize) -> Option<()> {
        self.room = self.room.checked_sub(bytes.max(MIN_COST))?;
        Some(())
    }

    /// Returns the text and its hidden pieces.
    pub(super) fn finish(mut self) -> (String, Vec<String>) {
        self.hidden.retain(|piece| !piece.trim().is_empty());
        (self.text, self.hidden)
    }

    /// Writes characters of one format: a control character, or some others.
    pub(super) fn write(
        &mut self,
        units: &[u16],
        width: usize,
        code_page: CodePage,
        format: Format,
    ) {
        match units {
            [0x13] => return self.fields.begin(),
            [0x14] => return self.fields.begin_result(),
            [0x15] => return self.fields.end(),
            _ if format.is_deleted || self.fields.codes > 0 => return,
            _ => {}
        }
        let shown = match (units, format.symbol) {
            ([0x07], _) if self.text.ends_with('\t') && !format.hides => {
                // The second mark in a row ends the row of the table.
                self.text.pop();
                "\n".into()
            }
            ([0x07 | 0x09], _) => "\t".into(),
            ([0x0b..=0x0e], _) => "\n".into(),
            ([0x1e], _) => "\u{2011}".into(),
            ([0x1f], _) => "\u{ad}".into(),
            ([..0x20], _) => return,
            (_, Some(symbol)) => of_symbol_font(symbol).to_string().repeat(units.len()),
            (_, None) if width == 2 => String::from_utf16_lossy(units),
            (_, None) => {
                let bytes: Vec<u8> = units.iter().map(|unit| unit.to_le_bytes()[0]).collect();
                code_page.decode(&bytes).unwrap_or_default()
            }
        };
        if !format.hides {
            self.text.push_str(&shown);
        } else if self.is_hiding
            && let Some(piece) = self.hidden.last_mut()
        {
            piece.push_str(&shown);
        } else {
            self.hidden.push(shown);
        }
        self.is_hiding = format.hides;
    }
}
