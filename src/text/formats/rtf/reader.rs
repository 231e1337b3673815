//! Tokens → text.

use std::collections::BTreeMap;

use super::super::flow::Flow;
use super::super::look::{Ground, Look, is_white_rgb};
use super::group::{Aside, Destination, Group};
use super::letters::{Letters, character};
use super::{DEEPEST, Extracted, Refusal};

/// What is being read, and all that was.
pub(super) struct Reader {
    flow: Flow,
    group: Group,
    /// The groups around it, outermost first.
    around: Vec<Group>,
    /// Letters in the encoding of the group, which are not decoded yet.
    pending: Vec<u8>,
    /// The first half of a character whose second half is to follow.
    half: Option<u16>,
    /// How many letters are still to come that stand in for one of Unicode.
    stand_ins: usize,
    fonts: BTreeMap<i32, Letters>,
    /// The font that the table of fonts is at.
    font: i32,
    /// The font of text that names none.
    own_font: i32,
    page: Letters,
    /// Whether each colour is white; none for one that is not said.
    colours: Vec<Option<bool>>,
    /// The colour that the table of colours is at.
    colour: Option<[u8; 3]>,
    /// What the cells of a row lay under their text.
    row: Option<Ground>,
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            flow: Flow::default(),
            group: Group::default(),
            around: Vec::new(),
            pending: Vec::new(),
            half: None,
            stand_ins: 0,
            fonts: BTreeMap::new(),
            font: 0,
            own_font: 0,
            page: Letters::of_page(0),
            colours: Vec::new(),
            colour: None,
            row: None,
        }
    }
}

impl Reader {
    /// How many groups are open.
    pub(super) fn depth(&self) -> usize {
        self.around.len()
    }

    /// The whole text.
    pub(super) fn finish(self) -> Extracted {
        self.flow.finish()
    }

    /// Begins a group.
    pub(super) fn open(&mut self) -> Result<(), Refusal> {
        self.flush()?;
        self.stand_ins = 0;
        if self.around.len() == DEEPEST {
            return Err(Refusal::TooDeep { most: DEEPEST });
        }
        self.around.push(self.group);
        self.group = self.group.inner();
        Ok(())
    }

    /// Ends a group.
    pub(super) fn close(&mut self) -> Result<(), Refusal> {
        self.flush()?;
        self.stand_ins = 0;
        if let Some(aside) = self.group.aside {
            let text = self.flow.close_aside();
            match aside {
                Aside::Note => self.flow.add_note(&text),
                Aside::Box => self.flow.add_box(&text),
            }
        }
        self.group = self.around.pop().unwrap_or_default();
        Ok(())
    }

    /// Takes bytes of text.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.group.is_ignorable = false;
        let skipped = self.stand_ins.min(bytes.len());
        self.stand_ins -= skipped;
        let bytes = &bytes[skipped..];
        match self.group.destination {
            Destination::Text => self.pending.extend(bytes),
            Destination::Colours => {
                for _ in bytes.iter().filter(|byte| **byte == b';') {
                    self.colours.push(self.colour.take().map(is_white_rgb));
                }
            }
            Destination::Fonts | Destination::Twice | Destination::Nowhere => {}
        }
    }

    /// Takes a control symbol.
    pub(super) fn symbol(&mut self, symbol: u8) -> Result<(), Refusal> {
        match symbol {
            b'*' => self.group.is_ignorable = true,
            b'\n' => self.end_paragraph()?,
            b'{' | b'}' | b'\\' => self.bytes(&[symbol]),
            _ if self.stand_ins > 0 => self.stand_ins -= 1,
            b'~' => self.write("\u{a0}")?,
            b'-' => self.write("\u{ad}")?,
            b'_' => self.write("\u{2011}")?,
            b'\t' => self.write("\t")?,
            _ => {}
        }
        Ok(())
    }

    /// Takes a control word.
    pub(super) fn word(&mut self, name: &str, number: Option<i32>) -> Result<(), Refusal> {
        self.flush()?;
        if name != "u" {
            self.stand_ins = 0; // it stands in for nothing
        }
        let had = self.group.aside.is_some();
        if self.group.is_for(name) {
            if !had && self.group.aside.is_some() {
                self.flow.open_aside();
                self.group.plain();
            }
            return Ok(());
        }
        let value = number.unwrap_or(0);
        match (self.group.destination, name) {
            (Destination::Nowhere, _) => {}
            (Destination::Fonts, "f") => self.font = value,
            (Destination::Fonts, "fcharset") => {
                self.fonts.extend(Letters::of_set(value).map(|letters| (self.font, letters)));
            }
            (Destination::Fonts, "cpg") => {
                self.fonts.insert(self.font, Letters::of_page(value));
            }
            (Destination::Colours, "red" | "green" | "blue") => {
                let part = usize::from(name == "green") + 2 * usize::from(name == "blue");
                self.colour.get_or_insert_default()[part] = u8::try_from(value).unwrap_or(0);
            }
            (_, "ansicpg") => self.page = Letters::of_page(value),
            (_, "mac") => self.page = Letters::of_page(10_000),
            (_, "pc") => self.page = Letters::of_page(437),
            (_, "pca") => self.page = Letters::of_page(850),
            (_, "deff") => self.own_font = value,
            (_, "uc") => self.group.stand_ins = usize::try_from(value).unwrap_or(0),
            (_, "u") => self.unicode(value)?,
            (_, "f") => self.group.font = Some(value),
            (_, "par" | "sect" | "cell" | "nestcell") => self.end_paragraph()?,
            (_, "trowd") => self.row = None,
            (_, "clcbpat") => self.row = self.shade(number).or(self.row),
            (_, "clshdng") if value > 0 => self.row = Some(Ground::Other),
            _ => match character(name) {
                Some(written) => self.write(written)?,
                None => self.property(name, number),
            },
        }
        Ok(())
    }

    /// Takes a word about the look of letters or of a paragraph.
    fn property(&mut self, name: &str, number: Option<i32>) {
        const TINY: i32 = 2; // half points
        let is_on = number != Some(0);
        let (white, shade) = (self.colour(number), self.shade(number));
        let group = &mut self.group;
        match name {
            "plain" => group.plain(),
            "pard" => (group.ground, group.in_table) = (None, false),
            "intbl" => group.in_table = true,
            "v" => group.look.hidden = Some(is_on),
            "deleted" => group.is_deleted = is_on,
            "fs" => group.look.tiny = number.map(|size| size <= TINY),
            "cf" => group.look.white = white,
            "highlight" | "cb" | "chcbpat" => group.look.ground = shade,
            "chshdng" if number > Some(0) => group.look.ground = Some(Ground::Other),
            "cbpat" => group.ground = shade,
            "shdng" if number > Some(0) => group.ground = Some(Ground::Other),
            _ => {}
        }
    }

    /// Whether a colour of the table is white; none where it says nothing.
    fn colour(&self, number: Option<i32>) -> Option<bool> {
        let number = usize::try_from(number.unwrap_or(0)).ok()?;
        self.colours.get(number).copied().flatten()
    }

    fn shade(&self, number: Option<i32>) -> Option<Ground> {
        self.colour(number).map(Ground::of)
    }

    /// Takes a character by its number; letters that stand in for it follow.
    fn unicode(&mut self, number: i32) -> Result<(), Refusal> {
        // Numbers of 16 bits, which many programs write as if they had a sign.
        let Ok(unit) = u16::try_from(number & 0xffff) else { return Ok(()) };
        self.stand_ins = self.group.stand_ins;
        let units = match (self.half.take(), unit) {
            (None, 0xd800..0xdc00) => {
                self.half = Some(unit);
                return Ok(());
            }
            (None, 0) => return Ok(()),
            (half, unit) => half.into_iter().chain([unit]),
        };
        let read = char::decode_utf16(units);
        let read: String = read.map(|it| it.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        self.write(&read)
    }

    /// Decodes and writes the letters that are pending.
    fn flush(&mut self) -> Result<(), Refusal> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let font = self.group.font.unwrap_or(self.own_font);
        let letters = self.fonts.get(&font).copied().unwrap_or(self.page);
        let read = letters.decode(&self.pending)?;
        self.pending.clear();
        self.write_run(&read);
        Ok(())
    }

    fn write(&mut self, text: &str) -> Result<(), Refusal> {
        self.flush()?;
        self.write_run(text);
        Ok(())
    }

    fn write_run(&mut self, text: &str) {
        let group = &self.group;
        if group.destination != Destination::Text || group.is_deleted {
            return;
        }
        let row = self.row.filter(|_| group.in_table);
        let ground = group.ground.or(row).or(group.in_box);
        let is_seen = group.look.over(Look::on(ground)).is_seen();
        if self.half.take().is_some() {
            self.flow.write("\u{fffd}", is_seen);
        }
        self.flow.write(text, is_seen);
    }

    /// Ends a paragraph or a cell; one whose end is deleted goes on in the next.
    fn end_paragraph(&mut self) -> Result<(), Refusal> {
        self.flush()?;
        if self.group.destination == Destination::Text && !self.group.is_deleted {
            self.flow.end_paragraph();
        }
        Ok(())
    }
}
