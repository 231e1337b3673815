//! The elements inside a paragraph that are no text: properties, and what stands for letters.

use super::super::super::look::Look;
use super::super::properties;
use super::{Body, Element, NoteKind};

impl Body<'_> {
    /// Adds a property of a paragraph.
    pub(super) fn add_to_paragraph(&mut self, property: &Element) {
        let Some(paragraph) = self.paragraphs.last_mut() else { return };
        match property.name() {
            "pStyle" => {
                let id = property.attribute("val").unwrap_or_default();
                paragraph.style = self.styles.look(&id);
            }
            "shd" => paragraph.ground = properties::shade(property),
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
            _ => properties::add(&mut run.look, property),
        }
    }

    /// Adds a property of a table or of a cell.
    pub(super) fn add_to_table(&mut self, property: &Element) {
        let ground = match property.name() {
            "shd" => properties::shade(property),
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
