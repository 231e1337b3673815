//! Extracts the text of a `LibreOffice` Writer or Impress document.
//!
//! Input: an `OpenDocument` text or presentation (ISO/IEC 26300). Output: its paragraphs, cells and
//! text boxes in order, then the footnotes, then the endnotes, as for a Word document. Headers and
//! footers, comments, numbers of lists and changes that are marked as deleted are left out, but not
//! the words in labels of lists, such as *Chapter* in *Chapter 1*.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::archive::Archive;
use super::flow::Flow;
use super::xml::{Element, Event, XmlReader};
use super::{Bounds, ExtractError, Extracted, label_words};
use super::{NamedStyle, Paint, RunStyle, Sight};

/// Extracts the text of a `LibreOffice` Writer document, or of an Impress presentation, whose
/// slides have the same form. `kind` is its kind in messages: `odt`, or `odp` for a presentation.
///
/// # Errors
///
/// Returns an [`ExtractError`] if the document or a part of its text cannot be read.
pub(crate) fn text(
    kind: &'static str,
    bytes: &[u8],
    bounds: &Bounds,
) -> Result<Extracted, ExtractError> {
    let mut archive = Archive::open(bytes, kind, bounds)?;
    if is_locked(&mut archive)? {
        return Err(ExtractError::Locked { kind });
    }
    let content = archive.xml("content.xml")?;
    let mut styles = Styles::default();
    if let Some(common) = archive.optional_xml("styles.xml")? {
        styles.read(&mut XmlReader::new(&common, kind, "styles.xml"))?;
    }
    styles.read(&mut XmlReader::new(&content, kind, "content.xml"))?;
    let run_styles = vec![RunStyle::with_background(styles.page)];
    let mut body = Body { styles, run_styles, has_slides: kind == "odp", ..Body::default() };
    body.read(&mut XmlReader::new(&content, kind, "content.xml"))?;
    let properties =
        archive.properties("meta.xml", ["initial-creator", "creator", "creation-date"])?;
    Ok(Extracted { properties, ..body.finish() })
}

/// Reports whether the manifest lists an encrypted part: the archive itself does not show it.
fn is_locked(archive: &mut Archive) -> Result<bool, ExtractError> {
    let name = "META-INF/manifest.xml";
    let Some(manifest) = archive.optional_xml(name)? else { return Ok(false) };
    let mut reader = XmlReader::new(&manifest, archive.kind, name);
    while let Some(event) = reader.next()? {
        if matches!(event, Event::Open(element) if element.name() == "encryption-data") {
            return Ok(true);
        }
    }
    Ok(false)
}

// Reads the elements of an `OpenDocument`'s content, and collects its text run by run.

/// The elements that are skipped, with everything within them: comments and changes that are marked
/// as deleted; the marks of notes, lists and headings; the readings of ruby text; elements that are
/// not text.
#[rustfmt::skip]
const SKIPPED: [&str; 13] = [
    "annotation", "tracked-changes", "deletion",
    "note-citation", "number",
    "ruby-text",
    "automatic-styles", "master-styles", "font-face-decls", "scripts", "script", "forms", "binary-data",
];

/// The state of reading a document, and its text so far.
#[derive(Default)]
pub(super) struct Body {
    styles: Styles,
    flow: Flow,
    /// The open elements, outermost first.
    open: Vec<Open>,
    /// The number of open elements that hide their content.
    hiding: usize,
    /// The styles of the open elements that have one, innermost last; the first is that of the
    /// pages.
    run_styles: Vec<RunStyle>,
    /// The endnotes, which follow the footnotes.
    endnotes: String,
    /// The styles of the open lists, outermost first.
    lists: Vec<String>,
    /// The words in the label of the next paragraph; empty for most.
    label: String,
    /// Whether each `page` element is a slide, as in Impress; in Writer it does not begin a page.
    has_slides: bool,
}

/// The role of an open element.
enum Open {
    /// A paragraph, and whether a field in it hides the rest of it.
    Paragraph(bool),
    /// An element within a line, whose text counts.
    Inline,
    /// Same as [`Open::Inline`], but with a style.
    Span,
    /// An element that may give a background to its text.
    Background,
    Hiding,
    Box,
    Footnote,
    Endnote,
    List,
    Other,
}

impl Body {
    /// Reads the content.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtractError`] if the content is not well formed.
    pub(super) fn read(&mut self, reader: &mut XmlReader) -> Result<(), ExtractError> {
        while let Some(event) = reader.next()? {
            match event {
                Event::Open(element) if self.is_skipped(&element) => reader.skip_element()?,
                Event::Open(element) if self.write_conditional(&element) => {
                    reader.skip_element()?;
                }
                Event::Open(element) => {
                    let open = self.open(&element);
                    self.open.push(open);
                }
                Event::Close => self.close(),
                Event::Text(text) if self.is_in_line() => {
                    self.write(&text.replace(['\n', '\t', '\r'], " "));
                }
                Event::Text(_) => {}
            }
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Extracted {
        self.flow.add_note(&self.endnotes);
        self.flow.finish()
    }

    /// Reports whether to skip an element and everything within it.
    fn is_skipped(&self, element: &Element) -> bool {
        match element.name() {
            // The alternative text of an image, and the properties of a document in one XML file; but
            // within a line, a field, and text with a subject.
            "title" | "desc" | "meta" => !self.is_in_line(),
            // The settings from which an index is generated.
            name if name.ends_with("-source") => true,
            name => SKIPPED.contains(&name),
        }
    }

    fn is_in_line(&self) -> bool {
        matches!(self.open.last(), Some(Open::Paragraph(_) | Open::Inline | Open::Span))
    }

    fn open(&mut self, element: &Element) -> Open {
        let says_hidden = || element.attribute("is-hidden").as_deref() == Some("true");
        match element.name() {
            "p" | "h" => {
                let background = RunStyle::with_background(self.run_style().background);
                self.push_run_style("paragraph", element, background);
                self.write_label(element);
                Open::Paragraph(false)
            }
            "list" => {
                let name = element.attribute("style-name").map(Cow::into_owned);
                self.lists.push(name.or(self.lists.last().cloned()).unwrap_or_default());
                Open::List
            }
            "list-item" => {
                let level = (self.lists.last().cloned().unwrap_or_default(), self.lists.len());
                self.label = self.styles.labels.get(&level).cloned().unwrap_or_default();
                Open::Other
            }
            "span" => {
                self.push_run_style("text", element, self.run_style());
                Open::Span
            }
            "table" | "table-row" | "table-cell" => {
                let background = RunStyle::with_background(self.run_style().background);
                self.push_run_style(element.name(), element, background);
                Open::Background
            }
            "text-box" | "custom-shape" | "rect" | "ellipse" | "circle" | "line" | "polyline"
            | "polygon" | "regular-polygon" | "path" | "connector" | "measure" | "caption" => {
                self.flow.open_aside();
                // The fill of a box is not evaluated.
                self.run_styles.push(RunStyle::with_background(Some(Paint::Other)));
                Open::Box
            }
            "note" => match element.attribute("note-class").as_deref() {
                Some("endnote") => Open::Endnote,
                _ => Open::Footnote,
            },
            "note-body" => {
                self.flow.open_aside();
                Open::Other
            }
            // Cells covered by a merged cell, and sections that are not shown.
            "covered-table-cell" => self.hide(),
            "section" if says_hidden() || is_not_shown(element) => self.hide(),
            "hidden-paragraph" if says_hidden() => {
                self.hide_rest();
                Open::Inline
            }
            "hidden-text" if says_hidden() => {
                let text = element.attribute("string-value").unwrap_or_default();
                self.flow.write(&text, Sight::Gone);
                self.hide()
            }
            "page" if self.has_slides => {
                self.flow.begin_page();
                Open::Other
            }
            "image" => {
                self.flow.has_pictures = true;
                Open::Other
            }
            "frame" | "g" | "object" | "control" => Open::Other,
            _ if self.is_in_line() => {
                match element.name() {
                    // It may stand for several spaces, but one separates words as well as many.
                    "s" => self.write(" "),
                    "tab" => self.write("\t"),
                    "line-break" => self.write("\n"),
                    _ => {}
                }
                Open::Inline
            }
            _ => Open::Other,
        }
    }

    fn close(&mut self) {
        match self.open.pop() {
            Some(Open::Paragraph(hides_rest)) => {
                self.run_styles.pop();
                self.hiding -= usize::from(hides_rest);
                self.flow.end_paragraph();
            }
            Some(Open::Span | Open::Background) => drop(self.run_styles.pop()),
            Some(Open::Hiding) => self.hiding -= 1,
            Some(Open::List) => {
                self.lists.pop();
                self.label.clear(); // of an item without a paragraph
            }
            Some(Open::Box) => {
                self.run_styles.pop();
                let text = self.flow.close_aside();
                self.flow.add_box(&text);
            }
            Some(Open::Footnote) => {
                let note = self.flow.close_aside();
                self.flow.add_note(&note);
            }
            Some(Open::Endnote) => {
                let note = self.flow.close_aside();
                self.endnotes.push_str(&note);
            }
            Some(Open::Inline | Open::Other) | None => {}
        }
    }

    /// Writes the words in the label of a paragraph, or of a heading outside lists.
    fn write_label(&mut self, paragraph: &Element) {
        let mut label = std::mem::take(&mut self.label);
        if let Some(level) = paragraph.attribute("outline-level").filter(|_| self.lists.is_empty())
        {
            let level = (OUTLINE.to_owned(), level.parse().unwrap_or_default());
            label.extend(self.styles.labels.get(&level).map(String::as_str));
        }
        if !label.is_empty() {
            self.write(&(label + " "));
        }
    }

    fn push_run_style(&mut self, family: &str, element: &Element, around: RunStyle) {
        let name = element.attribute("style-name").unwrap_or_default();
        self.run_styles.push(self.styles.run_style(family, &name).or_inherited(around));
    }

    /// Writes the text that a conditional field shows, if its condition is constant: programs
    /// evaluate the condition, whatever text is stored. Reports whether it did.
    fn write_conditional(&mut self, element: &Element) -> bool {
        let chosen = match constant(element).filter(|_| element.name() == "conditional-text") {
            Some(true) => "string-value-if-true",
            Some(false) => "string-value-if-false",
            None => return false,
        };
        self.write(&element.attribute(chosen).unwrap_or_default());
        true
    }

    fn hide(&mut self) -> Open {
        self.hiding += 1;
        Open::Hiding
    }

    fn hide_rest(&mut self) {
        let paragraph = self.open.iter_mut().rfind(|open| matches!(open, Open::Paragraph(_)));
        if let Some(Open::Paragraph(hides @ false)) = paragraph {
            *hides = true;
            self.hiding += 1;
        }
    }

    fn run_style(&self) -> RunStyle {
        self.run_styles.last().copied().unwrap_or_default()
    }

    fn write(&mut self, text: &str) {
        let sight = if self.hiding == 0 { self.run_style().sight() } else { Sight::Gone };
        self.flow.write(text, sight);
    }
}

/// Reports whether a section is never shown: it is hidden always, or by a condition that is
/// constant.
fn is_not_shown(section: &Element) -> bool {
    match section.attribute("display").as_deref() {
        Some("none") => true,
        Some("condition") => constant(section) == Some(true),
        _ => false,
    }
}

/// Returns the value of a condition that is constant; `None` for others.
fn constant(element: &Element) -> Option<bool> {
    let condition = element.attribute("condition")?;
    match condition.rsplit(':').next()?.trim().to_ascii_lowercase().as_str() {
        "1" | "true" => Some(true),
        "0" | "false" => Some(false),
        _ => None,
    }
}

// The styles of an `OpenDocument`, as far as they hide text.

/// The styles of a document, each by a [`key`]; the default style of a family has an empty name.
#[derive(Default)]
pub(super) struct Styles {
    by_key: BTreeMap<String, NamedStyle>,
    /// The background that the pages give to the text.
    pub(super) page: Option<Paint>,
    /// The labels of lists that have a word, by the style and the level, from 1.
    labels: BTreeMap<(String, usize), String>,
}

/// The name under which the style of headings is stored among those of lists; no list has this
/// name.
const OUTLINE: &str = " ";

impl Styles {
    /// Reads the styles of a part, up to its body or its master pages.
    ///
    /// # Errors
    ///
    /// Returns an [`ExtractError`] if the part is not well formed up to there.
    pub(super) fn read(&mut self, reader: &mut XmlReader) -> Result<(), ExtractError> {
        let [mut style, mut list] = [const { String::new() }; 2];
        while let Some(event) = reader.next()? {
            let Event::Open(element) = event else { continue };
            match element.name() {
                "body" | "master-styles" => return Ok(()),
                "style" | "default-style" => {
                    let family = element.attribute("family").unwrap_or_default();
                    let name = element.attribute("name").filter(|_| element.name() == "style");
                    style = key(&family, &name.unwrap_or_default());
                    let parent = element.attribute("parent-style-name");
                    let parent = parent.map(|parent| key(&family, &parent));
                    let named = NamedStyle { parent, run_style: RunStyle::default() };
                    self.by_key.insert(style.clone(), named);
                }
                "list-style" => {
                    list = element.attribute("name").unwrap_or_default().into_owned();
                }
                "outline-style" => OUTLINE.clone_into(&mut list),
                "list-level-style-number" | "outline-level-style" => {
                    let part = |name| element.attribute(name).unwrap_or_default();
                    let label = [part("num-prefix"), part("num-suffix")].join(" ");
                    let level = part("level").parse().unwrap_or_default();
                    let words = label_words(&label);
                    self.labels.extend(words.map(|words| ((list.clone(), level), words)));
                }
                "page-layout-properties" => self.page = background(&element).or(self.page),
                properties if properties.ends_with("-properties") => {
                    if let Some(style) = self.by_key.get_mut(&style) {
                        let mut added = style_of_properties(&element);
                        // A colour is only for programs that know no other areas.
                        if style.run_style.background == Some(Paint::Other) {
                            added.background = Some(Paint::Other);
                        }
                        style.run_style = added.or_inherited(style.run_style);
                    }
                }
                "background-image" if element.attribute("href").is_some() => {
                    if let Some(style) = self.by_key.get_mut(&style) {
                        style.run_style.background = Some(Paint::Other);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the properties of a style, including those of its parents and the default of its
    /// family.
    pub(super) fn run_style(&self, family: &str, name: &str) -> RunStyle {
        let run_style = NamedStyle::resolve(&self.by_key, &key(family, name));
        let default = self.by_key.get(&key(family, ""));
        default.map_or(run_style, |default| run_style.or_inherited(default.run_style))
    }
}

/// Returns the name under which a style is stored.
fn key(family: &str, name: &str) -> String {
    format!("{family} {name}")
}

/// Returns the properties of a run that a properties element sets.
fn style_of_properties(properties: &Element) -> RunStyle {
    let mut run_style = RunStyle::with_background(background(properties));
    if properties.name() == "text-properties" {
        let length = |name| properties.attribute(name).and_then(|it| hundredths(&it));
        let is_not = |name, off: &str| Some(properties.attribute(name)? != off);
        run_style.hidden = is_not("display", "true");
        run_style.colour = properties.attribute("color").and_then(|it| Paint::from_hex(&it));
        let opacity = properties.attribute("opacity").and_then(|it| percent(&it));
        run_style.fill = opacity.filter(|it| *it < MIN_OPACITY).map(|_| Paint::None);
        // The automatic colour is black on a light and white on a dark background, and is written
        // as if it were transparent.
        if properties.attribute("use-window-font-color").as_deref() == Some("true") {
            (run_style.colour, run_style.fill) = (Some(Paint::Other), None);
        }
        let effects = [("text-shadow", "none"), ("font-relief", "none"), ("text-outline", "false")];
        for is_on in effects.into_iter().filter_map(|(name, off)| is_not(name, off)) {
            run_style.add_effect(is_on);
        }
        run_style.size = length("font-size");
        run_style.scale = properties.attribute("text-scale").and_then(|it| percent(&it));
        run_style.spacing = length("letter-spacing");
    }
    run_style
}

/// The smallest opacity of letters that are seen, in per cent.
const MIN_OPACITY: i32 = 5;

fn background(properties: &Element) -> Option<Paint> {
    match properties.attribute("fill").as_deref() {
        Some("gradient" | "bitmap" | "hatch") => Some(Paint::Other),
        Some("solid") => Paint::from_hex(&properties.attribute("fill-color")?),
        _ => Paint::from_hex(&properties.attribute("background-color")?),
    }
}

fn percent(value: &str) -> Option<i32> {
    value.strip_suffix('%')?.parse().ok()
}

/// Returns a length in hundredths of a point; `None` if it is relative.
fn hundredths(length: &str) -> Option<i32> {
    let units = [("pt", 100.0), ("in", 7_200.0), ("cm", 7_200.0 / 2.54), ("mm", 720.0 / 2.54)];
    let hundredths = units
        .iter()
        .find_map(|(unit, size)| Some(length.strip_suffix(unit)?.parse::<f64>().ok()? * size))?;
    #[expect(clippy::cast_possible_truncation, reason = "too long a length saturates")]
    Some(hundredths as i32)
}

#[cfg(test)]
mod tests;
