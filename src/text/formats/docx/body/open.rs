//! What is open while a part is read, and how text looks there.

use super::super::super::look::{Ground, Look};
use super::{Body, NoteId};

/// A paragraph that is open.
#[derive(Clone, Copy, Default)]
pub(super) struct Paragraph {
    pub(super) style: Look,
    pub(super) ground: Option<Ground>,
    /// Whether its end is marked as deleted: it goes on in the next one.
    pub(super) goes_on: bool,
}

/// A run that is open.
#[derive(Clone, Copy, Default)]
pub(super) struct Run {
    pub(super) look: Look,
    pub(super) style: Look,
}

/// What an open element is to the text.
pub(super) enum Open {
    Paragraph,
    ParagraphProperties,
    /// Of the mark that ends a paragraph; they say nothing about its runs.
    MarkProperties,
    Run,
    RunProperties,
    /// The one element whose text counts.
    Text,
    Table,
    Cell,
    /// Of a table or a cell.
    TableProperties,
    Box,
    Note(NoteId),
    /// The same thing told twice, for new programs and for old ones; with what had been
    /// written before.
    Alternate(usize),
    Other,
}

impl Body<'_> {
    /// Writes text as it looks here.
    pub(super) fn write(&mut self, text: &str) {
        let is_seen = self.codes == 0 && self.look().is_seen();
        self.flow.write(text, is_seen);
    }

    /// How a run looks here: what it says itself, then its style, its paragraph, that one's
    /// style, what holds of every run, and what lies under them.
    pub(super) fn look(&self) -> Look {
        let run = self.runs.last().copied().unwrap_or_default();
        let paragraph = self.paragraphs.last().copied().unwrap_or_default();
        let defaults = self.styles.defaults;
        let mut styles = run.style.over(Look::on(paragraph.ground)).over(paragraph.style);
        // Two styles that both hide show: the property is a toggle (17.7.3).
        styles.hidden = match (run.style.hidden, paragraph.style.hidden) {
            _ if defaults.hidden == Some(true) => Some(true),
            (Some(run), Some(paragraph)) => Some(run != paragraph),
            (run, paragraph) => run.or(paragraph),
        };
        run.look.over(styles).over(defaults).over(Look::on(self.ground()))
    }
}
