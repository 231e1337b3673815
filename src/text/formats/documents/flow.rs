//! The text of a document while it is being read.
//!
//! Goes in: what is written, run by run, and whether it is seen. Comes out: the text as its
//! reader has it before him: a text box stands after the paragraph that it depends on, notes
//! stand at the end, so that neither parts the words of a sentence. It knows no kind of
//! document.

use super::Extracted;

/// The text of a document while it is being read. Linear in what is written.
#[derive(Debug, Default)]
pub(super) struct Flow {
    content: String,
    hidden: Vec<String>,
    /// Whether what was written last was hidden, and of the same paragraph.
    is_hiding: bool,
    /// Texts that stand beside the others, inside one another, as far as they are read.
    asides: Vec<String>,
    /// Text boxes of the paragraph that is being read.
    boxes: String,
    notes: String,
    /// Where pages begin.
    pages: Vec<usize>,
}

impl Flow {
    /// Begins a page, behind all text boxes of the one before.
    pub(super) fn begin_page(&mut self) {
        self.is_hiding = false;
        if self.asides.is_empty() {
            self.content.push_str(&self.boxes);
            self.boxes.clear();
            self.pages.push(self.content.len());
        }
    }

    /// Writes a run of text.
    pub(super) fn write(&mut self, run: &str, is_seen: bool) {
        if is_seen {
            self.target().push_str(run);
        } else if self.is_hiding
            && let Some(piece) = self.hidden.last_mut()
        {
            piece.push_str(run);
        } else {
            self.hidden.push(run.to_owned());
        }
        self.is_hiding = !is_seen;
    }

    /// Ends a paragraph; its text boxes follow.
    pub(super) fn end_paragraph(&mut self) {
        self.is_hiding = false;
        self.target().push('\n');
        if self.asides.is_empty() {
            self.content.push_str(&self.boxes);
            self.boxes.clear();
        }
    }

    /// Begins a text that stands beside the one that is being read.
    pub(super) fn open_aside(&mut self) {
        self.is_hiding = false;
        self.asides.push(String::new());
    }

    /// Ends the text beside that began last; empty where none did.
    pub(super) fn close_aside(&mut self) -> String {
        self.is_hiding = false;
        self.asides.pop().unwrap_or_default()
    }

    /// Adds a text box, which follows on the paragraph that is being read.
    pub(super) fn add_box(&mut self, text: &str) {
        add(&mut self.boxes, text);
    }

    /// Adds a note, which stands at the end.
    pub(super) fn add_note(&mut self, text: &str) {
        add(&mut self.notes, text);
    }

    /// Adds a text that is nowhere seen.
    pub(super) fn add_hidden(&mut self, text: String) {
        self.is_hiding = false;
        self.hidden.push(text);
    }

    /// Bytes that were written to where the text stands now, hidden ones of all included.
    pub(super) fn written(&self) -> usize {
        let (content, boxes) = (self.asides.last().unwrap_or(&self.content), &self.boxes);
        let hidden = self.hidden.last().map_or(0, String::len);
        content.len() + boxes.len() + self.notes.len() + self.hidden.len() + hidden
    }

    /// The whole text.
    pub(super) fn finish(mut self) -> Extracted {
        while let Some(aside) = self.asides.pop() {
            add(&mut self.boxes, &aside);
        }
        self.content.push_str(&self.boxes);
        self.content.push_str(&self.notes);
        self.hidden.retain(|piece| !piece.trim().is_empty());
        let Self { content, hidden, pages, .. } = self;
        Extracted { content, hidden, pages, ..Extracted::default() }
    }

    fn target(&mut self) -> &mut String {
        self.asides.last_mut().unwrap_or(&mut self.content)
    }
}

/// Adds a text that ends its last paragraph, if it has any.
fn add(to: &mut String, text: &str) {
    to.push_str(text);
    if !text.is_empty() && !text.ends_with('\n') {
        to.push('\n');
    }
}

// A text that is read out of another, of which it is parts in their order.
//
// Goes in: what is read, with its place in the source, and how it is parted. Comes out: the text,
// which knows where each of its bytes comes from.

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_follows_its_paragraph_and_a_note_stands_at_the_end() {
        let mut flow = Flow::default();
        flow.write("har", true);
        flow.open_aside();
        flow.write("boxed", true);
        flow.end_paragraph();
        let boxed = flow.close_aside();
        flow.add_box(&boxed);
        flow.open_aside();
        flow.write("noted", true);
        let noted = flow.close_aside();
        flow.add_note(&noted);
        flow.write("bour", true);
        flow.end_paragraph();
        flow.write("fog", true);
        flow.end_paragraph();
        assert_eq!(flow.finish().content, "harbour\nboxed\nfog\nnoted\n");
    }

    #[test]
    fn hidden_runs_are_a_piece_until_something_else_comes() {
        let mut flow = Flow::default();
        flow.write("hid", false);
        flow.write("den", false);
        flow.write("seen", true);
        flow.write("two", false);
        flow.end_paragraph();
        flow.write("three", false);
        flow.write(" ", true);
        flow.write(" ", false);
        let text = flow.finish();
        assert_eq!(text.hidden, ["hidden", "two", "three"]);
        assert_eq!(text.content, "seen\n ");
    }

    #[test]
    fn what_is_left_open_is_not_lost() {
        let mut flow = Flow::default();
        flow.write("one", true);
        flow.end_paragraph();
        flow.open_aside();
        flow.write("two", true);
        flow.open_aside();
        flow.write("three", true);
        assert_eq!(flow.finish().content, "one\nthree\ntwo\n");
        assert_eq!(Flow::default().finish(), Extracted::default());
    }
}
