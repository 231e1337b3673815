//! Assembles the text of a document.
//!
//! Input: the runs of text in document order, each with whether it is visible. Output: the text in
//! reading order. A text box follows the paragraph that it is anchored to, and notes are at the
//! end, so that neither interrupts a sentence. The module knows no kind of document.

use super::Extracted;

/// The text of a document under construction. Linear in the length of what is written.
#[derive(Debug, Default)]
pub(super) struct Flow {
    content: String,
    hidden: Vec<String>,
    /// The number of bytes of all hidden pieces.
    hidden_bytes: usize,
    /// Whether the last run was hidden and belongs to the current paragraph.
    is_hiding: bool,
    /// The texts of open boxes and notes, outermost first.
    asides: Vec<String>,
    /// The text boxes of the current paragraph.
    boxes: String,
    notes: String,
    /// The byte offsets in `content` at which pages begin.
    pages: Vec<usize>,
    has_pictures: bool,
}

impl Flow {
    /// Begins a page, after the text boxes of the previous one. Within a box or note, begins none.
    pub(super) fn begin_page(&mut self) {
        self.is_hiding = false;
        if self.asides.is_empty() {
            self.content.push_str(&self.boxes);
            self.boxes.clear();
            self.pages.push(self.content.len());
        }
    }

    /// Appends a run of text, visible or hidden.
    pub(super) fn write(&mut self, run: &str, is_visible: bool) {
        self.hidden_bytes += if is_visible { 0 } else { run.len() };
        if is_visible {
            self.target().push_str(run);
        } else if self.is_hiding
            && let Some(piece) = self.hidden.last_mut()
        {
            piece.push_str(run);
        } else {
            self.hidden.push(run.to_owned());
        }
        self.is_hiding = !is_visible;
    }

    /// Ends a paragraph, and appends its text boxes.
    pub(super) fn end_paragraph(&mut self) {
        self.is_hiding = false;
        self.target().push('\n');
        if self.asides.is_empty() {
            self.content.push_str(&self.boxes);
            self.boxes.clear();
        }
    }

    /// Begins a text apart from the current one: a box or a note.
    pub(super) fn open_aside(&mut self) {
        self.is_hiding = false;
        self.asides.push(String::new());
    }

    /// Ends the innermost open box or note, and returns its text; empty if none is open.
    pub(super) fn close_aside(&mut self) -> String {
        self.is_hiding = false;
        self.asides.pop().unwrap_or_default()
    }

    /// Adds a text box, which will follow the current paragraph.
    pub(super) fn add_box(&mut self, text: &str) {
        add(&mut self.boxes, text);
    }

    /// Adds a note, which will follow the end of the text.
    pub(super) fn add_note(&mut self, text: &str) {
        add(&mut self.notes, text);
    }

    /// Adds a hidden text as a piece of its own.
    pub(super) fn add_hidden(&mut self, text: String) {
        self.is_hiding = false;
        self.hidden_bytes += text.len();
        self.hidden.push(text);
    }

    /// Records that the document shows a picture.
    pub(super) fn add_picture(&mut self) {
        self.has_pictures = true;
    }

    /// Returns a count of what has been written here: the bytes of the current text, the boxes, the
    /// notes and the hidden pieces. A larger count than before means that something has been
    /// written.
    pub(super) fn length(&self) -> usize {
        let content = self.asides.last().unwrap_or(&self.content);
        content.len() + self.boxes.len() + self.notes.len() + self.hidden_bytes
    }

    /// Returns the complete text.
    pub(super) fn finish(mut self) -> Extracted {
        while let Some(aside) = self.asides.pop() {
            add(&mut self.boxes, &aside);
        }
        self.content.push_str(&self.boxes);
        self.content.push_str(&self.notes);
        self.hidden.retain(|piece| !piece.trim().is_empty());
        let Self { content, hidden, pages, has_pictures, .. } = self;
        Extracted { content, hidden, pages, has_pictures, ..Extracted::default() }
    }

    fn target(&mut self) -> &mut String {
        self.asides.last_mut().unwrap_or(&mut self.content)
    }
}

/// Appends a text, and a line end if it is not empty and does not end with one.
fn add(to: &mut String, text: &str) {
    to.push_str(text);
    if !text.is_empty() && !text.ends_with('\n') {
        to.push('\n');
    }
}

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
    fn what_is_written_is_counted() {
        let mut flow = Flow::default();
        let mut counts = vec![flow.length()];
        let mut write = |run: &str, is_visible| {
            flow.write(run, is_visible);
            counts.push(flow.length());
        };
        write("hidden", false);
        write("seen", true);
        write("x", false);
        write("", false);
        write("yz", false);
        flow.add_hidden("note".to_owned());
        assert_eq!((counts, flow.length()), (vec![0, 6, 10, 11, 11, 13], 17));
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
