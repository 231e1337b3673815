//! A group, and what it is for.

use super::super::look::{Ground, Look};

/// What holds inside a group. A new one begins as the one around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) destination: Destination,
    /// Whether the group begins a text beside the others.
    pub(super) aside: Option<Aside>,
    /// Whether a reader that does not know the next word is to ignore the group.
    pub(super) is_ignorable: bool,
    /// The number of the font; none for the document's own.
    pub(super) font: Option<i32>,
    /// How many letters stand in for one of Unicode.
    pub(super) stand_ins: usize,
    /// How letters look.
    pub(super) look: Look,
    /// Whether letters are marked as deleted.
    pub(super) is_deleted: bool,
    /// What the paragraph lays under its text.
    pub(super) ground: Option<Ground>,
    /// Whether the paragraph stands in a table.
    pub(super) in_table: bool,
    /// What a text box lays under its text.
    pub(super) in_box: Option<Ground>,
}

/// Where the letters of a group go.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Destination {
    Text,
    Fonts,
    Colours,
    /// The same text twice: first for old readers, then as Unicode.
    Twice,
    Nowhere,
}

/// A text beside the others.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Aside {
    Note,
    Box,
}

/// Groups that are no text and need not say that they may be ignored.
#[rustfmt::skip]
const NOWHERE: [&str; 36] = [
    "stylesheet", "info", "pict", "nonshppict", "objdata", "objclass", "shprslt", "background",
    "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf",
    "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn",
    "annotation", "atnid", "atnauthor", "fldinst", "listtext", "pntext", "pntxta", "pntxtb",
    "xe", "tc", "sp", "nonesttables", "template", "filetbl",
];

impl Default for Group {
    fn default() -> Self {
        Self {
            destination: Destination::Text,
            aside: None,
            is_ignorable: false,
            font: None,
            stand_ins: 1,
            look: Look::default(),
            is_deleted: false,
            ground: None,
            in_table: false,
            in_box: None,
        }
    }
}

impl Group {
    /// The group that begins inside this one.
    pub(super) fn inner(self) -> Self {
        Self { aside: None, is_ignorable: false, ..self }
    }

    /// Learns from a word what the group is for. Whether it said so.
    pub(super) fn is_for(&mut self, word: &str) -> bool {
        let is_ignorable = std::mem::take(&mut self.is_ignorable);
        if self.destination == Destination::Nowhere {
            return true;
        }
        match word {
            "fonttbl" => self.destination = Destination::Fonts,
            "colortbl" => self.destination = Destination::Colours,
            "upr" => self.destination = Destination::Twice,
            "ud" if self.destination == Destination::Twice => self.destination = Destination::Text,
            "footnote" => self.aside = Some(Aside::Note),
            "shptxt" | "dptxbxtext" => {
                self.aside = Some(Aside::Box);
                self.in_box = Some(Ground::Other); // what it is filled with is not worked out
            }
            "shpinst" | "do" | "nesttableprops" => {}
            _ if is_ignorable || NOWHERE.contains(&word) => self.destination = Destination::Nowhere,
            _ => return false,
        }
        true
    }

    /// Begins the look of letters anew, as at the beginning.
    pub(super) fn plain(&mut self) {
        (self.look, self.font, self.is_deleted) = (Look::default(), None, false);
    }
}
