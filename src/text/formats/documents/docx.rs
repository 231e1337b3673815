//! A document of Word → its text.
//!
//! Goes in: an Office Open XML document (ECMA-376), as the standard has it or in its strict
//! form. Comes out: its paragraphs, cells and text boxes in their order, then the footnotes
//! and the endnotes that it refers to, each once: between the words of a sentence they would
//! part it, and at the end they stand alike wherever pages break. Headers and footers are left
//! out: they repeat on every page and are no part of what is read. So are comments, changes
//! that are marked as deleted, and the codes of fields, but not what the fields show. A note
//! that nothing refers to is hidden text.

use std::collections::{BTreeMap, BTreeSet};

use super::archive::{Archive, resolve};
use super::flow::Flow;
use super::xml::{Element, Event, Reader, decode, properties};
use super::{Bounds, Extracted, Refusal};
use super::{Ground, Look, is_white};
use crate::text::Properties;

const KIND: &str = "docx";

/// Reads the text of a document of Word.
///
/// # Errors
///
/// A [`Refusal`] where the document or a part of its text cannot be had.
pub(crate) fn text(bytes: &[u8], bounds: &Bounds) -> Result<Extracted, Refusal> {
    let mut archive = Archive::open(bytes, KIND, bounds)?;
    let top = Relations::new("", &mut archive)?;
    let main = top.target("officeDocument").unwrap_or("word/document.xml").to_owned();
    let document = decode(archive.need(&main)?, KIND, &main)?;
    let relations = Relations::new(&main, &mut archive)?;
    // Without its styles a document opens in Word, and shows all of its text.
    let styles = match relations.target("styles") {
        Some(name) => match archive.read(name)? {
            Some(bytes) => Styles::read(&mut Reader::new(&decode(bytes, KIND, name)?, KIND, name))?,
            None => Styles::default(),
        },
        None => Styles::default(),
    };
    let mut body = Body::new(&styles);
    body.read(&mut Reader::new(&document, KIND, &main))?;
    drop(document);
    for kind in [NoteKind::Foot, NoteKind::End] {
        let notes = match relations.target(kind.part()) {
            Some(name) => (name, archive.read(name)?),
            None => (kind.part(), None),
        };
        match notes {
            (name, Some(notes)) => {
                body.read(&mut Reader::new(&decode(notes, KIND, name)?, KIND, name))?;
            }
            (name, None) if body.refers_to(kind) => {
                return Err(archive.damaged(format!("no part {name}")));
            }
            _ => {}
        }
    }
    let properties = properties_of(&mut archive, &top)?;
    Ok(Extracted { properties, ..body.finish() })
}

/// What a document of Office says of those who wrote it, as far as that can be read.
pub(super) fn properties_of(archive: &mut Archive, top: &Relations) -> Result<Properties, Refusal> {
    let name = top.target("core-properties").unwrap_or("docProps/core.xml");
    Ok(match archive.read(name)?.map(|part| decode(part, KIND, name)) {
        Some(Ok(xml)) => properties(&xml, ["creator", "lastModifiedBy", "created"]),
        _ => Properties::default(),
    })
}

// The elements of a part with text → its text, run by run.

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
                self.grounds.push(page(element));
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

// The elements inside a paragraph that are no text: properties, and what stands for letters.

impl Body<'_> {
    /// Adds a property of a paragraph.
    pub(super) fn add_to_paragraph(&mut self, property: &Element) {
        let Some(paragraph) = self.paragraphs.last_mut() else { return };
        match property.name() {
            "pStyle" => {
                let id = property.attribute("val").unwrap_or_default();
                paragraph.style = self.styles.look(&id);
            }
            "shd" => paragraph.ground = shade(property),
            _ => {}
        }
    }

    /// Adds a property of a run.
    pub(super) fn add_to_run(&mut self, property: &Element) {
        let Some(run) = self.runs.last_mut() else { return };
        match property.name() {
            "rStyle" => {
                let id = property.attribute("val").unwrap_or_default();
                run.style = self.styles.look(&id);
            }
            _ => add(&mut run.look, property),
        }
    }

    /// Adds a property of a table or of a cell.
    pub(super) fn add_to_table(&mut self, property: &Element) {
        let ground = match property.name() {
            "shd" => shade(property),
            "tblStyle" => self.styles.look(&property.attribute("val").unwrap_or_default()).ground,
            _ => None,
        };
        if let Some(here) = self.grounds.last_mut() {
            *here = ground.or(*here);
        }
    }

    /// Writes what an element in a run stands for.
    pub(super) fn write_mark(&mut self, mark: &Element) {
        match mark.name() {
            "tab" | "ptab" => self.write("\t"),
            "br" | "cr" => self.write("\n"),
            "noBreakHyphen" => self.write("\u{2011}"),
            "softHyphen" => self.write("\u{ad}"),
            "sym" => {
                let code = mark.attribute("char").unwrap_or_default();
                let code = u32::from_str_radix(&code, 16).ok().and_then(char::from_u32);
                if let Some(symbol) = code.filter(|symbol| !symbol.is_control()) {
                    self.write(symbol.encode_utf8(&mut [0; 4]));
                }
            }
            "fldChar" => self.turn_field(&mark.attribute("fldCharType").unwrap_or_default()),
            "footnoteReference" => self.refer(NoteKind::Foot, mark),
            "endnoteReference" => self.refer(NoteKind::End, mark),
            _ => {}
        }
    }

    /// Begins a field, comes to its result or ends it. A text in its code is not seen.
    fn turn_field(&mut self, turn: &str) {
        match (turn, self.fields.last_mut()) {
            ("begin", _) => {
                self.fields.push(false);
                self.codes += 1;
            }
            ("separate", Some(result @ false)) => {
                *result = true;
                self.codes -= 1;
            }
            ("end", Some(_)) => self.codes -= usize::from(self.fields.pop() == Some(false)),
            _ => {}
        }
    }

    /// Notes a reference to a note, if it is seen.
    fn refer(&mut self, kind: NoteKind, mark: &Element) {
        let is_seen = self.codes == 0 && Look { tiny: None, ..self.look() }.is_seen();
        if is_seen && let Some(id) = mark.attribute("id") {
            self.references.push((kind, id.into_owned()));
        }
    }
}

// What is open while a part is read, and how text looks there.

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

// What a document of Word says about the look of a run.

/// The largest size, in half points, that no one can read.
const TINY: u32 = 2;

/// Adds what one property of a run says (ECMA-376, part 1, 17.3.2).
pub(super) fn add(look: &mut Look, property: &Element) {
    let value = property.attribute("val");
    let value = value.as_deref().unwrap_or_default();
    match property.name() {
        "vanish" => look.hidden = Some(!matches!(value, "0" | "false" | "off")),
        "color" => look.white = Some(is_white(value) == Some(true)),
        "sz" => look.tiny = value.parse().ok().map(|size: u32| size <= TINY),
        "highlight" if value != "none" => look.ground = Some(Ground::new(value == "white")),
        "shd" => look.ground = look.ground.or(shade(property)), // a highlight lies above it
        _ => {}
    }
}

/// The ground that a shading lays; none where it is `auto`.
pub(super) fn shade(shading: &Element) -> Option<Ground> {
    let pattern = shading.attribute("val");
    let fill = match pattern.as_deref() {
        Some("nil") => return None,
        // All of it is in the colour of the pattern, and `auto` is black there.
        Some("solid") => {
            let colour = shading.attribute("color");
            let white = is_white(colour.as_deref().unwrap_or_default());
            return Some(Ground::new(white.unwrap_or(false)));
        }
        None | Some("clear") => shading.attribute("fill"),
        Some(_) => return Some(Ground::Other),
    };
    is_white(fill.as_deref().unwrap_or_default()).map(Ground::new)
}

/// The ground that the page's colour lays.
pub(super) fn page(background: &Element) -> Option<Ground> {
    is_white(background.attribute("color").as_deref().unwrap_or_default()).map(Ground::new)
}

// The styles of a document of Word, as far as they hide text.

/// The longest line of styles each of which is based on the next; further ones add nothing.
const LONGEST_LINE: usize = 32;

/// The styles of a document; without any, nothing is hidden by one.
#[derive(Default)]
pub(super) struct Styles {
    by_id: BTreeMap<String, Style>,
    /// What holds of every run unless something else is given.
    pub(super) defaults: Look,
    /// The style of paragraphs that name none.
    of_paragraphs: Option<String>,
}

#[derive(Default)]
struct Style {
    based_on: Option<String>,
    look: Look,
}

/// Where in the part an element stands.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Place {
    Style,
    Defaults,
    /// Properties of runs, of a style or of all.
    Runs,
    /// Properties of paragraphs, of a style.
    Paragraphs,
    Elsewhere,
}

impl Styles {
    /// Reads the part of the styles.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where it is not well formed.
    pub(super) fn read(reader: &mut Reader) -> Result<Self, Refusal> {
        let mut styles = Self::default();
        let mut places = Vec::new();
        let (mut id, mut style, mut is_table) = (String::new(), Style::default(), false);
        while let Some(event) = reader.next()? {
            match event {
                Event::Open(element) => {
                    let parent = places.last().copied().unwrap_or(Place::Elsewhere);
                    if element.name() == "style" {
                        let kind = element.attribute("type");
                        is_table = kind.as_deref() == Some("table");
                        id = element.attribute("styleId").unwrap_or_default().into_owned();
                        style = Style::default();
                        if kind.as_deref() == Some("paragraph") && is_default(&element) {
                            styles.of_paragraphs = Some(id.clone());
                        }
                    }
                    style.add(&element, parent, is_table, &mut styles.defaults);
                    places.push(Place::new(&element, parent, &places));
                }
                Event::Close => {
                    if places.pop() == Some(Place::Style) {
                        styles.by_id.insert(std::mem::take(&mut id), std::mem::take(&mut style));
                    }
                }
                Event::Text(_) => {}
            }
        }
        Ok(styles)
    }

    /// What a style says, with those that it is based on; nothing where there is none such.
    pub(super) fn look(&self, id: &str) -> Look {
        let mut look = Look::default();
        let mut next = Some(id);
        for _ in 0..LONGEST_LINE {
            let Some(style) = next.and_then(|id| self.by_id.get(id)) else { break };
            look = look.over(style.look);
            next = style.based_on.as_deref();
        }
        look
    }

    /// What the style of paragraphs that name none says.
    pub(super) fn look_of_paragraphs(&self) -> Look {
        self.of_paragraphs.as_deref().map_or_else(Look::default, |id| self.look(id))
    }
}

impl Style {
    fn add(&mut self, element: &Element, parent: Place, is_table: bool, defaults: &mut Look) {
        match (element.name(), parent) {
            ("basedOn", Place::Style) => {
                self.based_on = element.attribute("val").map(std::borrow::Cow::into_owned);
            }
            // Which cells a style of tables shades is not worked out: any of them may be dark.
            ("shd", _) if is_table => {
                let shade = shade(element);
                if self.look.ground != Some(Ground::Other) {
                    self.look.ground = shade.or(self.look.ground);
                }
            }
            ("shd", Place::Paragraphs) => {
                self.look.ground = self.look.ground.or(shade(element));
            }
            (_, Place::Runs) => add(&mut self.look, element),
            (_, Place::Defaults) => add(defaults, element),
            _ => {}
        }
    }
}

impl Place {
    fn new(element: &Element, parent: Self, places: &[Self]) -> Self {
        match (element.name(), parent) {
            ("style", _) => Self::Style,
            ("rPr", Self::Style) => Self::Runs,
            ("pPr", Self::Style) => Self::Paragraphs,
            // docDefaults/rPrDefault/rPr, the one set of properties in no style
            ("rPr", Self::Elsewhere) if !places.contains(&Self::Style) => Self::Defaults,
            _ => Self::Elsewhere,
        }
    }
}

fn is_default(style: &Element) -> bool {
    matches!(style.attribute("default").as_deref(), Some("1" | "true" | "on"))
}

// How one part of an Office document names the others.

/// The parts that a part refers to, by what they are to it.
pub(super) struct Relations(Vec<Relation>);

/// What a part is to another one.
struct Relation {
    /// What the part calls it.
    id: String,
    kind: String,
    target: String,
}

impl Relations {
    /// Reads the relations of a part; of the document as a whole for an empty name. Those
    /// that lead out of the document are left out.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where they are there and cannot be read. There may be none.
    pub(super) fn new(part: &str, archive: &mut Archive) -> Result<Self, Refusal> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let separator = if folder.is_empty() { "" } else { "/" };
        let name = format!("{folder}{separator}_rels/{file}.rels");
        let mut relations = Vec::new();
        let Some(bytes) = archive.read(&name)? else { return Ok(Self(relations)) };
        let xml = decode(bytes, archive.kind(), &name)?;
        let mut reader = Reader::new(&xml, archive.kind(), &name);
        while let Some(event) = reader.next()? {
            let Event::Open(element) = event else { continue };
            let is_inside = element.attribute("TargetMode").as_deref() != Some("External");
            if let (Some(url), Some(target), true) =
                (element.attribute("Type"), element.attribute("Target"), is_inside)
                && let Some(target) = resolve(part, &target)
            {
                // The address before the last slash is that of the standard, or of its strict form.
                let kind = url.rsplit_once('/').map_or(&*url, |(_, kind)| kind);
                let id = element.attribute("Id").unwrap_or_default().into_owned();
                relations.push(Relation { id, kind: kind.to_owned(), target });
            }
        }
        Ok(Self(relations))
    }

    /// All parts that are of a kind, in the order in which they are named.
    pub(super) fn targets<'r>(&'r self, kind: &'r str) -> impl Iterator<Item = &'r str> {
        let of_kind = self.0.iter().filter(move |relation| relation.kind == kind);
        of_kind.map(|relation| relation.target.as_str())
    }

    /// All parts that are of a kind: first those that are called by the ids, in their order, then
    /// the others in the order in which they are named; each once.
    pub(super) fn ordered<'r>(&'r self, kind: &'r str, ids: &[String]) -> Vec<&'r str> {
        let of_kind = || self.0.iter().filter(|relation| relation.kind == kind);
        let by_id: BTreeMap<&str, &str> =
            of_kind().map(|relation| (&*relation.id, &*relation.target)).collect();
        let called = ids.iter().filter_map(|id| by_id.get(&**id).copied());
        let mut seen = BTreeSet::new();
        called.chain(self.targets(kind)).filter(|target| seen.insert(*target)).collect()
    }

    /// The first part that is of a kind: `styles`, `footnotes`.
    pub(super) fn target(&self, kind: &str) -> Option<&str> {
        self.0.iter().find(|relation| relation.kind == kind).map(|it| it.target.as_str())
    }
}

#[cfg(test)]
mod tests;
