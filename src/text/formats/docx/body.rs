//! The elements of a part with text → its text, run by run.

mod marks;
mod open;

use std::collections::BTreeMap;

use super::super::Extracted;
use super::super::flow::Flow;
use super::super::look::Ground;
use super::super::xml::{Element, Event, Reader};
use super::styles::Styles;
use super::{Refusal, properties};
use open::{Open, Paragraph, Run};

/// What is being read, and all that was.
pub(super) struct Body<'a> {
    styles: &'a Styles,
    flow: Flow,
    /// The elements that are open, outermost first.
    open: Vec<Open>,
    /// How many of them are of a part that does not count.
    skipped: usize,
    paragraphs: Vec<Paragraph>,
    runs: Vec<Run>,
    /// What pages, tables, cells and text boxes lay under the text, innermost last.
    grounds: Vec<Option<Ground>>,
    /// For each field that is open, whether its result has begun.
    fields: Vec<bool>,
    /// How many of these have not come to their result.
    codes: usize,
    references: Vec<NoteId>,
    notes: BTreeMap<NoteId, String>,
}

/// Which notes.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum NoteKind {
    Foot,
    End,
}

type NoteId = (NoteKind, String);

impl NoteKind {
    /// The name of the relation to the part that holds them.
    pub(super) fn part(self) -> &'static str {
        match self {
            Self::Foot => "footnotes",
            Self::End => "endnotes",
        }
    }
}

impl<'a> Body<'a> {
    /// Nothing yet.
    pub(super) fn new(styles: &'a Styles) -> Self {
        Self {
            styles,
            flow: Flow::default(),
            open: Vec::new(),
            skipped: 0,
            paragraphs: Vec::new(),
            runs: Vec::new(),
            grounds: Vec::new(),
            fields: Vec::new(),
            codes: 0,
            references: Vec::new(),
            notes: BTreeMap::new(),
        }
    }

    /// Reads a part: the document itself, then those with its notes.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where it is not well formed.
    pub(super) fn read(&mut self, reader: &mut Reader) -> Result<(), Refusal> {
        self.fields.clear();
        self.codes = 0;
        while let Some(event) = reader.next()? {
            match event {
                Event::Open(_) if self.skipped > 0 => self.skipped += 1,
                Event::Close if self.skipped > 0 => self.skipped -= 1,
                Event::Text(_) if self.skipped > 0 => {}
                Event::Open(element) if self.is_skipped(&element) => self.skipped = 1,
                Event::Open(element) => self.open(&element),
                Event::Close => self.close(),
                Event::Text(text) => {
                    if let Some(Open::Text) = self.open.last() {
                        self.write(&text);
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether an endnote or a footnote is referred to.
    pub(super) fn refers_to(&self, kind: NoteKind) -> bool {
        self.references.iter().any(|(known, _)| *known == kind)
    }

    /// The text, with the notes in the order in which they are referred to.
    pub(super) fn finish(mut self) -> Extracted {
        self.references.sort_by_key(|(kind, _)| *kind);
        for id in &self.references {
            // Taken out, so that a note counts once however often it is referred to.
            if let Some(note) = self.notes.remove(id) {
                self.flow.add_note(&note);
            }
        }
        for note in self.notes.into_values() {
            self.flow.add_hidden(note);
        }
        self.flow.finish()
    }

    /// Whether an element and all within it does not count.
    fn is_skipped(&self, element: &Element) -> bool {
        match (element.name(), self.open.last()) {
            // In the properties of a mark they are a property, and empty.
            ("del" | "moveFrom", Some(Open::MarkProperties)) => false,
            // Changes that are marked as deleted; what stood before a change of properties;
            // settings of a field that is filled in; how ruby is read aloud.
            ("del" | "moveFrom" | "sdtPr" | "sdtEndPr" | "ctrlPr" | "rt", _) => true,
            // Of a thing told twice, the first that has any text counts.
            ("Choice" | "Fallback", Some(Open::Alternate(before))) => self.flow.written() > *before,
            (name, _) => name.ends_with("PrChange"),
        }
    }

    fn open(&mut self, element: &Element) {
        let open = match (element.name(), self.open.last()) {
            ("p", _) => {
                let style = self.styles.look_of_paragraphs();
                self.paragraphs.push(Paragraph { style, ..Paragraph::default() });
                Open::Paragraph
            }
            ("r", _) => {
                self.runs.push(Run::default());
                Open::Run
            }
            ("t", _) => Open::Text,
            ("pPr", Some(Open::Paragraph)) => Open::ParagraphProperties,
            ("rPr", Some(Open::ParagraphProperties)) => Open::MarkProperties,
            ("rPr", Some(Open::Run)) => Open::RunProperties,
            ("tbl", _) => self.open_on(None, Open::Table),
            ("tc", _) => self.open_on(None, Open::Cell),
            ("tblPr", Some(Open::Table)) | ("tcPr", Some(Open::Cell)) => Open::TableProperties,
            ("txbxContent" | "txBody", _) => {
                self.flow.open_aside();
                // What a box is filled with is not worked out.
                self.open_on(Some(Ground::Other), Open::Box)
            }
            ("footnote", _) => self.open_note(NoteKind::Foot, element),
            ("endnote", _) => self.open_note(NoteKind::End, element),
            ("AlternateContent", _) => Open::Alternate(self.flow.written()),
            (_, Some(Open::ParagraphProperties)) => {
                self.add_to_paragraph(element);
                Open::Other
            }
            (_, Some(Open::MarkProperties)) => {
                if let ("del" | "moveFrom", Some(it)) = (element.name(), self.paragraphs.last_mut())
                {
                    it.goes_on = true;
                }
                Open::Other
            }
            (_, Some(Open::RunProperties)) => {
                self.add_to_run(element);
                Open::Other
            }
            (_, Some(Open::TableProperties)) => {
                self.add_to_table(element);
                Open::Other
            }
            (_, Some(Open::Run | Open::Paragraph)) => {
                self.write_mark(element);
                Open::Other
            }
            ("background", _) => {
                self.grounds.push(properties::page(element));
                Open::Other
            }
            _ => Open::Other,
        };
        self.open.push(open);
    }

    fn close(&mut self) {
        match self.open.pop() {
            Some(Open::Paragraph) => {
                let ended = self.paragraphs.pop();
                self.end(ended.unwrap_or_default());
            }
            Some(Open::Run) => drop(self.runs.pop()),
            Some(Open::Table | Open::Cell) => drop(self.grounds.pop()),
            Some(Open::Box) => {
                self.grounds.pop();
                let text = self.flow.close_aside();
                self.flow.add_box(&text);
            }
            Some(Open::Note(id)) => {
                let text = self.flow.close_aside();
                self.notes.entry(id).or_default().push_str(&text);
            }
            _ => {}
        }
    }

    fn end(&mut self, paragraph: Paragraph) {
        if !paragraph.goes_on {
            self.flow.end_paragraph();
        }
    }

    /// Opens what lays a ground under its text, or leaves the one that is there.
    fn open_on(&mut self, ground: Option<Ground>, open: Open) -> Open {
        self.grounds.push(ground.or(self.ground()));
        open
    }

    fn open_note(&mut self, kind: NoteKind, note: &Element) -> Open {
        self.flow.open_aside();
        Open::Note((kind, note.attribute("id").unwrap_or_default().into_owned()))
    }

    /// What lies under the text, without what its paragraph and its run lay.
    fn ground(&self) -> Option<Ground> {
        self.grounds.last().copied().flatten()
    }
}
