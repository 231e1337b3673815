//! Extracts the text of a Word document.
//!
//! Input: an Office Open XML document (ECMA-376), in its transitional or its strict form. Output:
//! its paragraphs, cells and text boxes in order, then the footnotes and the endnotes that it
//! refers to, each once. Within a sentence, a note would interrupt it; at the end, the notes are the
//! same wherever pages break. Documents that are embedded as chunks (17.17.2.1) are part of the
//! text, at their places; one that cannot be read is reported as not read. Headers and footers are
//! left out, since they repeat on every page and are not part of what is read. So are comments,
//! changes that are marked as deleted, and the codes of fields, but not the results of fields. A
//! note that nothing refers to is hidden text.

mod bound;
mod fields;
mod labels;

use std::collections::{BTreeMap, BTreeSet};

use encoding_rs::{Encoding, UTF_8};

use super::archive::Archive;
use super::flow::Flow;
use super::graphics::{Graphics, paint_with};
use super::relations::{Relations, properties_of};
use super::symbol_font::of_symbol_font;
use super::xml::{Element, Event, XmlReader};
use super::{Bounds, ExtractError, Extracted, Html, Kind, MarkupOptions};
use super::{NamedStyle, Paint, RunStyle, Sight};
use super::{declared_encoding, mail, rtf};
use bound::DataStore;
use fields::Field;
use labels::{Labels, ListLevel};

const KIND: &str = "docx";

/// Extracts the text of a Word document.
///
/// # Errors
///
/// Returns an [`ExtractError`] if the document or a part of its text cannot be read.
pub(crate) fn text(bytes: &[u8], bounds: &Bounds) -> Result<Extracted, ExtractError> {
    read_archive(&mut Archive::open(bytes, KIND, bounds)?, bounds, true)
}

/// Reads a document; embedded ones only if `has_chunks`: those of an embedded document are not read.
fn read_archive(
    archive: &mut Archive<'_>,
    bounds: &Bounds,
    has_chunks: bool,
) -> Result<Extracted, ExtractError> {
    let top = Relations::new("", archive)?;
    let main = top.target("officeDocument").unwrap_or("word/document.xml").to_owned();
    let document = archive.xml(&main)?;
    let relations = Relations::new(&main, archive)?;
    let mut body = Body::default();
    // Word opens a document without a part for its styles, and shows all of its text.
    if let Some(name) = relations.target("styles")
        && let Some(xml) = archive.optional_xml(name)?
    {
        body.styles = Styles::read(&mut XmlReader::new(&xml, KIND, name))?;
    }
    body.graphics = Graphics::read(&relations, archive)?;
    if let Some(name) = relations.target("numbering")
        && let Some(xml) = archive.optional_xml(name)?
    {
        body.labels = Labels::read(&mut XmlReader::new(&xml, KIND, name))?;
    }
    body.data = DataStore::read(&document, &relations, archive)?;
    for (id, target) in relations.with_ids("aFChunk") {
        if has_chunks && let Some(bytes) = archive.read(target)? {
            match read_chunk(target, &bytes, archive, bounds) {
                Ok(chunk) => body.chunks.extend(chunk.map(|chunk| (id.to_owned(), chunk))),
                // A warning says so where the body refers to it.
                Err(ExtractError::Damaged { .. }) => {}
                Err(error) => return Err(error),
            }
        }
    }
    body.read(&document, &main)?;
    drop(document);
    // Notes refer to documents by relations of their own, which are not read.
    body.chunks.clear();
    for (kind, part) in [(NoteKind::Foot, "footnotes"), (NoteKind::End, "endnotes")] {
        let (name, notes) = match relations.target(part) {
            Some(name) => (name, archive.optional_xml(name)?),
            None => (part, None),
        };
        match notes {
            Some(notes) => body.read(&notes, name)?,
            None if body.references.iter().any(|(known, _)| *known == kind) => {
                return Err(archive.damaged(format!("part {name} is missing")));
            }
            None => {}
        }
    }
    let properties = properties_of(archive, &top)?;
    Ok(Extracted { properties, ..body.finish() })
}

/// Extracts the text of an embedded document: a web page, plain text, RTF, or a Word document
/// without embedded ones. `None` if it is of another kind, or in an unknown encoding.
///
/// # Errors
///
/// Returns an [`ExtractError`] if it is of one of these kinds and its text cannot be read.
fn read_chunk(
    part: &str,
    bytes: &[u8],
    archive: &mut Archive<'_>,
    bounds: &Bounds,
) -> Result<Option<Extracted>, ExtractError> {
    match Kind::from_bytes(bytes) {
        Ok(None) => {}
        Ok(Some(Kind::Rtf)) => return rtf::text(bytes).map(Some),
        Ok(Some(Kind::Mail)) => return mail::text(bytes, bounds).map(Some),
        Ok(Some(Kind::Docx)) => {
            let read = |inner: &mut Archive<'_>| read_archive(inner, bounds, false);
            return archive.within(bytes, read).map(Some);
        }
        _ => return Ok(None),
    }
    let declared = declared_encoding(bytes).and_then(|it| Encoding::for_label(it.as_bytes()));
    let (text, _, has_errors) = declared.unwrap_or(UTF_8).decode(bytes);
    let ending = part.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
    match &*ending {
        _ if has_errors => Ok(None),
        "htm" | "html" | "xhtml" => {
            let options = MarkupOptions { html: Html::All, is_xml: false, bounds };
            super::page(&text, &options).map(Some)
        }
        "txt" => Ok(Some(Extracted { content: text.into_owned(), ..Extracted::default() })),
        _ => Ok(None),
    }
}

// Reads the elements of a part, and collects its text run by run.

/// The state of reading a document, and its text so far.
#[derive(Default)]
pub(super) struct Body {
    styles: Styles,
    flow: Flow,
    /// The open elements, outermost first.
    open: Vec<Open>,
    paragraphs: Vec<Paragraph>,
    /// Whether the last paragraph to end continues in the next one.
    continues: bool,
    runs: Vec<Run>,
    /// The backgrounds that pages, tables, cells and text boxes give to the text, innermost last.
    backgrounds: Vec<Option<Paint>>,
    fields: Vec<Field>,
    /// The number of open fields whose result has not begun.
    open_field_codes: usize,
    begun_fields: usize,
    /// The numbers of those that never end, whose codes are text.
    unended_fields: BTreeSet<usize>,
    references: Vec<NoteId>,
    notes: BTreeMap<NoteId, String>,
    /// The embedded documents that can be read and have not been referred to, by their ids.
    chunks: BTreeMap<String, Extracted>,
    /// Whether an embedded document was not read.
    has_unread_chunk: bool,
    /// The charts and diagrams that have not been referred to.
    graphics: Graphics,
    /// The number of open versions of some content that Word does not know.
    unknown_versions: usize,
    labels: Labels,
    /// The list and the name of the style of the paragraph whose properties are open.
    list: (ListLevel, String),
    data: DataStore,
    /// What the next content of a control is bound to; `None` if it is not bound.
    bound: Option<String>,
}

#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum NoteKind {
    Foot,
    End,
}

type NoteId = (NoteKind, String);

impl Body {
    /// Reads a part: first the document itself, then the parts with its notes.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtractError`] if the part is not well formed.
    pub(super) fn read(&mut self, xml: &str, part: &str) -> Result<(), ExtractError> {
        self.fields.clear();
        self.open_field_codes = 0;
        self.begun_fields = 0;
        self.unended_fields = fields::unended(xml, part)?;
        let reader = &mut XmlReader::new(xml, KIND, part);
        while let Some(event) = reader.next()? {
            match event {
                Event::Open(element) if self.is_skipped(&element) => reader.skip_element()?,
                Event::Open(element) => self.open(&element),
                Event::Close => self.close(),
                Event::Text(text) => match (self.open.last(), self.fields.last_mut()) {
                    (Some(Open::Text), _) => self.write_letters(&text),
                    (Some(Open::Code), Some(field)) => field.code.push_str(&text),
                    (Some(Open::Code), None) => self.write(&text),
                    _ => {}
                },
            }
        }
        Ok(())
    }

    /// Returns the text, with the notes in the order in which they are referred to.
    pub(super) fn finish(mut self) -> Extracted {
        self.references.sort_by_key(|(kind, _)| *kind);
        for id in &self.references {
            // Removed, so that a note counts once however often it is referred to.
            if let Some(note) = self.notes.remove(id) {
                self.flow.add_note(&note);
            }
        }
        for note in self.notes.into_values() {
            self.flow.add_hidden(note);
        }
        let unread = self
            .has_unread_chunk
            .then(|| "an embedded document in it was not read, or only once".to_owned());
        Extracted { unread, ..self.flow.finish() }
    }

    /// Reports whether to skip an element and everything within it.
    fn is_skipped(&self, element: &Element) -> bool {
        match (element.name(), self.open.last()) {
            // In the properties of a paragraph mark they are properties, and empty.
            ("del" | "moveFrom", Some(Open::MarkProperties)) => false,
            // Changes that are marked as deleted, the former value of a changed property, the
            // settings of content controls, and the readings of ruby text.
            ("del" | "moveFrom" | "sdtEndPr" | "ctrlPr" | "rt", _) => true,
            (name, Some(Open::ControlProperties)) => name != "dataBinding",
            // Of two versions of the same content, the first that Word knows and that has any text
            // counts.
            ("Choice" | "Fallback", Some(Open::Alternate(before))) => self.flow.length() > *before,
            (name, _) => name.ends_with("PrChange"),
        }
    }

    fn open(&mut self, element: &Element) {
        let open = match (element.name(), self.open.last()) {
            ("p", _) => {
                let style = self.styles.of_paragraphs.as_deref();
                let style = style.map_or_else(RunStyle::default, |id| self.styles.run_style(id));
                self.paragraphs.push(Paragraph { style, ..Paragraph::default() });
                Open::Paragraph
            }
            ("r", _) => {
                self.runs.push(Run::default());
                Open::Run
            }
            ("t", _) => Open::Text,
            ("instrText", _) => Open::Code,
            ("bdo", _) => {
                let is_leftward = element.attribute("val").as_deref() == Some("rtl");
                self.write(if is_leftward { "\u{202e}" } else { "\u{202d}" });
                Open::Override
            }
            ("sdtPr", _) => {
                self.bound = None;
                Open::ControlProperties
            }
            ("sdtContent", _) => Open::Control(self.flow.position(), self.bound.take()),
            ("pPr", Some(Open::Paragraph)) => {
                self.list = (ListLevel::default(), String::new());
                Open::ParagraphProperties
            }
            ("numPr", Some(Open::ParagraphProperties)) => Open::ListProperties,
            ("rPr", Some(Open::ParagraphProperties)) => Open::MarkProperties,
            ("rPr", Some(Open::Run)) => Open::RunProperties,
            ("tbl", _) => {
                self.end_continued();
                self.open_with_background(None, Open::Table)
            }
            ("tc", _) => self.open_with_background(None, Open::Cell),
            ("tblPr", Some(Open::Table)) | ("tcPr", Some(Open::Cell)) => Open::TableProperties,
            ("txbxContent" | "txBody", _) => {
                self.flow.open_aside();
                // The fill of a box is not evaluated.
                self.open_with_background(Some(Paint::Other), Open::Box)
            }
            ("footnote", _) => self.open_note(NoteKind::Foot, element),
            ("endnote", _) => self.open_note(NoteKind::End, element),
            ("AlternateContent", _) => Open::Alternate(self.flow.length()),
            ("Choice", Some(Open::Alternate(_))) if !is_known(element) => {
                self.unknown_versions += 1;
                Open::UnknownVersion
            }
            (_, Some(Open::RunProperties)) => {
                self.add_to_run(element);
                Painted::new(element).map_or(Open::Other, Open::Painted)
            }
            (_, Some(&Open::Painted(painted))) => {
                if let Some(run) = self.runs.last_mut() {
                    painted.add(&mut run.direct, element);
                }
                Open::Painted(painted)
            }
            _ => {
                self.read_element(element);
                Open::Other
            }
        };
        self.open.push(open);
    }

    /// Reads an element whose content is of no other kind than that of any element.
    fn read_element(&mut self, element: &Element) {
        match (element.name(), self.open.last()) {
            ("relIds" | "chart", _) => {
                if let Some(text) = self.graphics.take(element) {
                    self.flow.add_box(&text);
                }
            }
            ("textpath", _) => {
                self.flow.add_box(&element.attribute("string").unwrap_or_default());
            }
            ("altChunk", _) => self.write_chunk(&element.attribute("id").unwrap_or_default()),
            ("blip" | "imagedata", _) => self.flow.has_pictures = true,
            ("dataBinding", Some(Open::ControlProperties)) => {
                self.bound = self.data.text(&element.attribute("xpath").unwrap_or_default());
            }
            (_, Some(Open::ListProperties)) => self.list.0.add(element),
            (_, Some(Open::ParagraphProperties)) => self.add_to_paragraph(element),
            ("del" | "moveFrom", Some(Open::MarkProperties)) => {
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.continues = true;
                }
            }
            (_, Some(Open::TableProperties)) => self.add_to_table(element),
            (_, Some(Open::Run | Open::Paragraph)) => self.write_special_character(element),
            // The colour of the page.
            ("background", _) => {
                let color = element.attribute("color").unwrap_or_default();
                self.backgrounds.push(Paint::from_hex(&color));
            }
            ("listEntry" | "result" | "default", _) => self.read_list(element),
            _ => {}
        }
    }

    fn close(&mut self) {
        match self.open.pop() {
            Some(Open::Paragraph) => {
                self.continues = self.paragraphs.pop().is_some_and(|ended| ended.continues);
                if !self.continues {
                    self.flow.end_paragraph();
                }
            }
            Some(Open::ParagraphProperties) => self.write_label(),
            Some(Open::Control(begin, Some(text))) if !self.flow.has_words_from(begin, &text) => {
                self.flow.add_box(&text);
            }
            Some(Open::Run) => drop(self.runs.pop()),
            Some(Open::Override) => self.write("\u{202c}"),
            Some(Open::Cell) => {
                self.end_continued();
                self.backgrounds.pop();
            }
            Some(Open::Table) => drop(self.backgrounds.pop()),
            Some(Open::UnknownVersion) => {
                self.unknown_versions -= 1;
                // The next version counts, whatever this one has hidden.
                if let Some(Open::Alternate(before)) = self.open.last_mut() {
                    *before = self.flow.length();
                }
            }
            Some(Open::Box) => {
                self.backgrounds.pop();
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

    /// Writes an embedded document, each only once.
    fn write_chunk(&mut self, id: &str) {
        self.end_continued();
        let Some(Extracted { content, hidden, unread, .. }) = self.chunks.remove(id) else {
            self.has_unread_chunk = true;
            return;
        };
        self.has_unread_chunk |= unread.is_some();
        self.flow.write(content.trim_end_matches('\n'), Sight::Seen);
        self.flow.end_paragraph();
        for piece in hidden {
            self.flow.add_hidden(piece);
        }
    }

    /// Writes the words in the label of the paragraph whose properties have been read.
    fn write_label(&mut self) {
        let (list, style) = std::mem::take(&mut self.list);
        let words = self.labels.words(list.or(self.styles.list(&style)), &style);
        if let Some(label) = words.map(|words| format!("{words} ")) {
            self.write(&label);
        }
    }

    /// Ends a paragraph that would continue in the next one, if that is in another cell or outside
    /// a table.
    fn end_continued(&mut self) {
        if std::mem::take(&mut self.continues) {
            self.flow.end_paragraph();
        }
    }

    /// Opens an element with a background, or with that of the element around it if `None`.
    fn open_with_background(&mut self, background: Option<Paint>, open: Open) -> Open {
        self.backgrounds.push(background.or(self.background()));
        open
    }

    fn open_note(&mut self, kind: NoteKind, note: &Element) -> Open {
        self.flow.open_aside();
        Open::Note((kind, note.attribute("id").unwrap_or_default().into_owned()))
    }

    /// Returns the background of the text, apart from those of its paragraph and its run.
    fn background(&self) -> Option<Paint> {
        self.backgrounds.last().copied().flatten()
    }
}

// Reads the elements of a paragraph that are not text: properties, and elements that stand for
// characters.

impl Body {
    pub(super) fn add_to_paragraph(&mut self, property: &Element) {
        let Some(paragraph) = self.paragraphs.last_mut() else { return };
        match property.name() {
            "pStyle" => {
                let id = property.attribute("val").unwrap_or_default();
                paragraph.style = self.styles.run_style(&id);
                self.list.1 = id.into_owned();
            }
            "shd" => paragraph.background = shading(property),
            "framePr" => {
                let drop_cap = property.attribute("dropCap");
                paragraph.continues |= matches!(drop_cap.as_deref(), Some("drop" | "margin"));
            }
            _ => {}
        }
    }

    pub(super) fn add_to_run(&mut self, property: &Element) {
        let Some(run) = self.runs.last_mut() else { return };
        match property.name() {
            "rStyle" => {
                let id = property.attribute("val").unwrap_or_default();
                run.style = self.styles.run_style(&id);
            }
            "rFonts" => {
                let font = property.attribute("ascii").or_else(|| property.attribute("hAnsi"));
                run.is_in_symbol_font = font.as_deref() == Some(SYMBOL_FONT);
            }
            _ => add(&mut run.direct, property),
        }
    }

    pub(super) fn add_to_table(&mut self, property: &Element) {
        let background = match property.name() {
            "shd" => shading(property),
            "tblStyle" => {
                self.styles.run_style(&property.attribute("val").unwrap_or_default()).background
            }
            _ => None,
        };
        if let Some(here) = self.backgrounds.last_mut() {
            *here = background.or(*here);
        }
    }

    /// Writes the characters that an element of a run stands for.
    pub(super) fn write_special_character(&mut self, mark: &Element) {
        match mark.name() {
            "tab" | "ptab" => self.write("\t"),
            "br" | "cr" => self.write("\n"),
            "noBreakHyphen" => self.write("\u{2011}"),
            "softHyphen" => self.write("\u{ad}"),
            "sym" => {
                let code = mark.attribute("char").unwrap_or_default();
                let code = u32::from_str_radix(&code, 16).ok().and_then(char::from_u32);
                if let Some(symbol) = code.filter(|symbol| !symbol.is_control()) {
                    let is_symbol_font = mark.attribute("font").as_deref() == Some(SYMBOL_FONT);
                    let shown = if is_symbol_font { of_symbol_font(symbol) } else { symbol };
                    self.write(shown.encode_utf8(&mut [0; 4]));
                }
            }
            "fldChar" => {
                self.read_field_character(&mark.attribute("fldCharType").unwrap_or_default());
            }
            "footnoteReference" => self.add_note_reference(NoteKind::Foot, mark),
            "endnoteReference" => self.add_note_reference(NoteKind::End, mark),
            _ => {}
        }
    }

    /// Begins a field, begins its result, or ends it. The text of its code is not visible, but some
    /// fields show text of their code or of a form.
    fn read_field_character(&mut self, turn: &str) {
        match (turn, self.fields.last_mut()) {
            ("begin", _) => {
                self.begun_fields += 1;
                if !self.unended_fields.contains(&(self.begun_fields - 1)) {
                    self.fields.push(Field::default());
                    self.open_field_codes += 1;
                }
            }
            ("separate", Some(field)) if !field.has_result => {
                field.has_result = true;
                self.open_field_codes -= 1;
            }
            ("end", Some(_)) => {
                let ended = self.fields.pop().filter(|field| !field.has_result);
                if let Some(field) = ended {
                    self.open_field_codes -= 1;
                    self.write(&field.shown());
                }
            }
            _ => {}
        }
    }

    fn read_list(&mut self, element: &Element) {
        let value = element.attribute("val").unwrap_or_default();
        let Some(field) = self.fields.last_mut() else { return };
        match element.name() {
            "listEntry" => field.entries.push(value.into_owned()),
            "result" | "default" => field.chosen = value.parse().unwrap_or(field.chosen),
            _ => {}
        }
    }

    /// Records a reference to a note, if the reference is visible.
    fn add_note_reference(&mut self, kind: NoteKind, mark: &Element) {
        let sight = RunStyle { size: None, ..self.run_style() }.sight();
        let is_visible = self.open_field_codes == 0 && sight == Sight::Seen;
        if is_visible && let Some(id) = mark.attribute("id") {
            self.references.push((kind, id.into_owned()));
        }
    }
}

// The open elements, and the style of the text in them.

#[derive(Clone, Copy, Default)]
pub(super) struct Paragraph {
    pub(super) style: RunStyle,
    pub(super) background: Option<Paint>,
    /// Whether it continues in the next paragraph: its end is marked as deleted, or it is a drop
    /// cap.
    pub(super) continues: bool,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Run {
    /// The properties that the run itself sets.
    pub(super) direct: RunStyle,
    /// The properties that its character style sets.
    pub(super) style: RunStyle,
    /// Whether its letters are Greek by their font.
    is_in_symbol_font: bool,
}

/// The prefixes of the extensions that Word knows, by convention. Of two versions of the same
/// content, it shows the first for which it knows all that are required.
const EXTENSIONS: [&str; 15] =
    ["w", "wp", "wps", "wpg", "wpc", "wpi", "a", "aink", "am3d", "c", "cx", "o", "p", "v", "x"];

/// Reports whether Word knows the extensions that a version of some content requires.
fn is_known(version: &Element) -> bool {
    let required = version.attribute("Requires").unwrap_or_default();
    let known = |prefix: &str| {
        // w14, wps, wpg, cx1: a name with a number or the initial of what it extends.
        let bare = prefix.trim_end_matches(|letter: char| letter.is_ascii_digit());
        EXTENSIONS.contains(&bare) || bare.starts_with("w16")
    };
    required.split_ascii_whitespace().all(known)
}

/// The role of an open element.
pub(super) enum Open {
    Paragraph,
    ParagraphProperties,
    /// Those of the mark that ends a paragraph, which do not affect its runs.
    MarkProperties,
    ListProperties,
    ControlProperties,
    /// The content of a control, with the position at which it begins, and the text of the data
    /// that it is bound to.
    Control(usize, Option<String>),
    Run,
    RunProperties,
    /// What letters are painted with, or a part of it.
    Painted(Painted),
    /// Runs in one direction, whatever their letters are.
    Override,
    /// The only element whose text counts.
    Text,
    /// The code of a field, or a part of it.
    Code,
    Table,
    Cell,
    /// Those of a table or a cell.
    TableProperties,
    Box,
    Note(NoteId),
    /// The same content in two versions, for new and for old programs, with the count of what had
    /// been written before it.
    Alternate(usize),
    /// A version that Word does not know, and so does not show.
    UnknownVersion,
    Other,
}

/// The name of the font whose letters are Greek.
const SYMBOL_FONT: &str = "Symbol";

impl Body {
    /// Writes the letters of a run.
    fn write_letters(&mut self, text: &str) {
        if self.runs.last().is_some_and(|run| run.is_in_symbol_font) {
            self.write(&text.chars().map(of_symbol_font).collect::<String>());
        } else {
            self.write(text);
        }
    }

    /// Writes text in the current style.
    pub(super) fn write(&mut self, text: &str) {
        let is_shown = self.open_field_codes == 0 && self.unknown_versions == 0;
        let sight = if is_shown { self.run_style().sight() } else { Sight::Gone };
        self.flow.write(text, sight);
    }

    /// Returns the style of the current run: that of the run itself, then of its named style, its
    /// paragraph, the named style of that, the defaults of all runs, and the background.
    pub(super) fn run_style(&self) -> RunStyle {
        let run = self.runs.last().copied().unwrap_or_default();
        let paragraph = self.paragraphs.last().copied().unwrap_or_default();
        let defaults = self.styles.defaults;
        let mut styles = run
            .style
            .or_inherited(RunStyle::with_background(paragraph.background))
            .or_inherited(paragraph.style);
        // The property is a toggle, so two styles that both hide cancel out (17.7.3).
        styles.hidden = match (run.style.hidden, paragraph.style.hidden) {
            _ if defaults.hidden == Some(true) => Some(true),
            (Some(run), Some(paragraph)) => Some(run != paragraph),
            (run, paragraph) => run.or(paragraph),
        };
        run.direct
            .or_inherited(styles)
            .or_inherited(defaults)
            .or_inherited(RunStyle::with_background(self.background()))
    }
}

// The properties of a Word document that affect the style of a run.

/// Applies a property of a run (ECMA-376, part 1, 17.3.2).
pub(super) fn add(run_style: &mut RunStyle, property: &Element) {
    let value = &*property.attribute("val").unwrap_or_default();
    let is_on = !matches!(value, "0" | "false" | "off");
    let number =
        |unit: i32| Some(value.trim_end_matches('%').parse::<i32>().ok()?.saturating_mul(unit));
    match property.name() {
        "vanish" => run_style.hidden = Some(is_on),
        "color" => run_style.colour = Some(Paint::from_hex(value).unwrap_or(Paint::Other)),
        "sz" => run_style.size = number(50),
        "w" => run_style.scale = number(1),
        "spacing" => run_style.spacing = number(5),
        "outline" | "shadow" | "emboss" | "imprint" if Painted::new(property).is_none() => {
            run_style.add_effect(is_on);
        }
        "highlight" if value != "none" => run_style.background = Some(highlight(value)),
        "shd" => run_style.background = run_style.background.or(shading(property)), // a highlight is above it
        _ => {}
    }
}

/// Returns the colour of a highlight by its name (17.18.40).
fn highlight(name: &str) -> Paint {
    Paint::Rgb(match name {
        "black" => [0, 0, 0],
        "blue" => [0, 0, 0xff],
        "cyan" => [0, 0xff, 0xff],
        "green" => [0, 0xff, 0],
        "magenta" => [0xff, 0, 0xff],
        "red" => [0xff, 0, 0],
        "yellow" => [0xff, 0xff, 0],
        "white" => [0xff; 3],
        "darkBlue" => [0, 0, 0x80],
        "darkCyan" => [0, 0x80, 0x80],
        "darkGreen" => [0, 0x80, 0],
        "darkMagenta" => [0x80, 0, 0x80],
        "darkRed" => [0x80, 0, 0],
        "darkYellow" => [0x80, 0x80, 0],
        "darkGray" => [0x80; 3],
        "lightGray" => [0xc0; 3],
        _ => return Paint::Other,
    })
}

/// A property of a run that paints its letters, by elements within it ([MS-DOCX], 2.6.2).
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Painted {
    Fill,
    Effect,
}

impl Painted {
    /// Returns what the property paints; `None` for other properties. An older property `shadow`
    /// has only a switch.
    fn new(property: &Element) -> Option<Self> {
        match property.name() {
            "textFill" => Some(Self::Fill),
            "textOutline" | "glow" => Some(Self::Effect),
            "shadow" => property.attribute("blurRad").map(|_| Self::Effect),
            _ => None,
        }
    }

    /// Applies an element within the property.
    fn add(self, run_style: &mut RunStyle, element: &Element) {
        let paint = match self {
            Self::Fill => &mut run_style.fill,
            Self::Effect => &mut run_style.effect,
        };
        paint_with(paint, element, |transparency| transparency > MAX_TRANSPARENCY);
    }
}

/// The largest transparency of letters that are seen, in thousandths of a per cent.
const MAX_TRANSPARENCY: i32 = 95_000;

/// Returns the background of a shading; `None` if it is `auto`.
pub(super) fn shading(shading: &Element) -> Option<Paint> {
    let pattern = shading.attribute("val");
    let colour = |name: &str, theme: &str, auto: Option<Paint>| {
        let value = shading.attribute(name);
        let named = shading.attribute(theme).map(|_| Paint::Other);
        Paint::from_hex(value.as_deref().unwrap_or_default()).or(named).or(auto)
    };
    match pattern.as_deref() {
        Some("nil") => None,
        // The area is filled with the colour of the pattern, for which `auto` means black.
        Some("solid") => colour("color", "themeColor", Some(Paint::Rgb([0; 3]))),
        None | Some("clear") => colour("fill", "themeFill", None),
        Some(_) => Some(Paint::Other),
    }
}

// The styles of a Word document, as far as they hide text.

/// The styles of a document. Without any, no style hides text.
#[derive(Default)]
pub(super) struct Styles {
    by_id: BTreeMap<String, NamedStyle>,
    pub(super) defaults: RunStyle,
    /// The id of the style of paragraphs that do not name one.
    of_paragraphs: Option<String>,
    lists: BTreeMap<String, ListLevel>,
}

/// The context of an element in the part of the styles.
#[derive(Clone, Copy, Eq, PartialEq)]
enum StyleContext {
    Style,
    Defaults,
    Runs,
    /// What these paint letters with.
    Painted(Painted),
    Paragraphs,
    List,
    Elsewhere,
}

impl Styles {
    /// Reads the part of the styles.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtractError`] if the part is not well formed.
    pub(super) fn read(reader: &mut XmlReader) -> Result<Self, ExtractError> {
        let mut styles = Self::default();
        let mut contexts = Vec::new();
        let (mut id, mut style, mut is_table) = (String::new(), NamedStyle::default(), false);
        while let Some(event) = reader.next()? {
            match event {
                Event::Open(element) => {
                    let parent = contexts.last().copied().unwrap_or(StyleContext::Elsewhere);
                    if element.name() == "style" {
                        let kind = element.attribute("type");
                        is_table = kind.as_deref() == Some("table");
                        id = element.attribute("styleId").unwrap_or_default().into_owned();
                        style = NamedStyle::default();
                        let default = element.attribute("default");
                        let is_default = matches!(default.as_deref(), Some("1" | "true" | "on"));
                        if kind.as_deref() == Some("paragraph") && is_default {
                            styles.of_paragraphs = Some(id.clone());
                        }
                    }
                    if is_table && element.name() == "shd" {
                        style.add_table_shading(&element);
                    } else {
                        style.add(&element, parent, &mut styles.defaults);
                    }
                    if parent == StyleContext::List {
                        styles.lists.entry(id.clone()).or_default().add(&element);
                    }
                    contexts.push(StyleContext::new(&element, parent, &contexts));
                }
                Event::Close => {
                    if contexts.pop() == Some(StyleContext::Style) {
                        styles.by_id.insert(std::mem::take(&mut id), std::mem::take(&mut style));
                    }
                }
                Event::Text(_) => {}
            }
        }
        Ok(styles)
    }

    /// Returns the properties of a style, including those that it is based on.
    pub(super) fn run_style(&self, id: &str) -> RunStyle {
        NamedStyle::resolve(&self.by_id, id)
    }

    /// Returns the list of a style, or of those that it is based on.
    fn list(&self, id: &str) -> ListLevel {
        let lists = NamedStyle::chain(&self.by_id, id).filter_map(|(id, _)| self.lists.get(id));
        lists.fold(ListLevel::default(), |list, next| list.or(*next))
    }
}

impl NamedStyle {
    /// Adds the shading of cells of a table style. Which cells it shades is not evaluated: any of
    /// them may be dark.
    fn add_table_shading(&mut self, element: &Element) {
        let is_dark = |paint: &Paint| paint.is_seen_on(None);
        let shading = shading(element);
        if !self.run_style.background.as_ref().is_some_and(is_dark) {
            let unknown = shading.filter(is_dark).map(|_| Paint::Other);
            self.run_style.background = unknown.or(shading).or(self.run_style.background);
        }
    }

    fn add(&mut self, element: &Element, parent: StyleContext, defaults: &mut RunStyle) {
        match (element.name(), parent) {
            ("basedOn", StyleContext::Style) => {
                self.parent = element.attribute("val").map(std::borrow::Cow::into_owned);
            }
            ("shd", StyleContext::Paragraphs) => {
                self.run_style.background = self.run_style.background.or(shading(element));
            }
            (_, StyleContext::Runs) => add(&mut self.run_style, element),
            (_, StyleContext::Painted(painted)) => painted.add(&mut self.run_style, element),
            (_, StyleContext::Defaults) => add(defaults, element),
            _ => {}
        }
    }
}

impl StyleContext {
    fn new(element: &Element, parent: Self, contexts: &[Self]) -> Self {
        match (element.name(), parent) {
            ("style", _) => Self::Style,
            ("rPr", Self::Style) => Self::Runs,
            ("pPr", Self::Style) => Self::Paragraphs,
            ("numPr", Self::Paragraphs) => Self::List,
            (_, Self::Runs) => Painted::new(element).map_or(Self::Elsewhere, Self::Painted),
            (_, Self::Painted(_)) => parent,
            // `docDefaults/rPrDefault/rPr`, the only run properties outside a style.
            ("rPr", Self::Elsewhere) if !contexts.contains(&Self::Style) => Self::Defaults,
            _ => Self::Elsewhere,
        }
    }
}

#[cfg(test)]
mod tests;
