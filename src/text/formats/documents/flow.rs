//! Assembles the text of a document.
//!
//! Input: the runs of text in document order, each with whether it is visible. Output: the text in
//! reading order. A text box follows the paragraph that it is anchored to, and notes are at the
//! end, so that neither interrupts a sentence. Hidden white space separates words if it takes up
//! space on the page. The module knows no kind of document.

use super::{Extracted, Sight, end_line};

/// The text of a document under construction. Linear in the length of what is written.
#[derive(Debug, Default)]
pub(super) struct Flow {
    content: Written,
    hidden: Vec<String>,
    /// The number of bytes of all hidden pieces.
    hidden_bytes: usize,
    /// Whether the last run was hidden and belongs to the current paragraph.
    is_hiding: bool,
    /// Whether some of the hidden letters of the last run take up space on the page.
    takes_room: bool,
    /// The texts of open boxes and notes, outermost first.
    asides: Vec<Written>,
    /// The text boxes of the current paragraph.
    boxes: String,
    notes: String,
    /// The byte offsets in `content` at which pages begin.
    pages: Vec<usize>,
    /// Whether the document shows a picture.
    pub(super) has_pictures: bool,
}

/// A text, and the hidden spaces of the paragraph at its end.
#[derive(Debug, Default)]
struct Written {
    text: String,
    /// The byte offset at which the paragraph begins.
    paragraph: usize,
    /// The number of hidden runs in the paragraph that were written as a space.
    spaces: usize,
    /// The byte offsets of hidden runs that are written as a space only if most spaces of the
    /// paragraph are hidden.
    gaps: Vec<usize>,
}

/// The least number of hidden spaces of a paragraph for most of its spaces to count as hidden.
const MIN_HIDDEN_SPACES: usize = 3;

impl Written {
    /// Ends the paragraph. Returns the number of its hidden spaces if at least two thirds of its
    /// spaces are hidden; 0 otherwise.
    fn settle(&mut self) -> usize {
        let (begin, spaces) = (self.paragraph, std::mem::take(&mut self.spaces));
        let gaps = std::mem::take(&mut self.gaps);
        let hidden = spaces + gaps.len();
        let words = self.text[begin..].split_whitespace().count();
        let seen = words.saturating_sub(1 + spaces);
        let is_hidden = hidden >= MIN_HIDDEN_SPACES && hidden >= 2 * seen;
        if is_hidden && !gaps.is_empty() {
            let rest = self.text.split_off(begin);
            let mut from = 0;
            for gap in gaps {
                self.text.extend([&rest[from..gap - begin], " "]);
                from = gap - begin;
            }
            self.text.push_str(&rest[from..]);
        }
        self.paragraph = self.text.len();
        if is_hidden { hidden } else { 0 }
    }
}

impl Flow {
    /// Begins a page, after the text boxes of the previous one. Within a box or note, begins none.
    pub(super) fn begin_page(&mut self) {
        if self.asides.is_empty() {
            self.settle();
            self.content.text.push_str(&std::mem::take(&mut self.boxes));
            self.settle();
            self.pages.push(self.content.text.len());
        }
        self.is_hiding = false;
    }

    /// Appends a run of text, visible or hidden.
    pub(super) fn write(&mut self, run: &str, sight: Sight) {
        if sight == Sight::Seen {
            self.part_at(run);
            self.target().text.push_str(run);
            self.is_hiding &= run.is_empty();
            return;
        }
        self.hidden_bytes += run.len();
        if self.is_hiding
            && let Some(piece) = self.hidden.last_mut()
        {
            piece.push_str(run);
        } else {
            self.hidden.push(run.to_owned());
            self.takes_room = false;
        }
        self.takes_room |= sight == Sight::Gap;
        self.is_hiding = true;
    }

    /// Writes a space before a visible run if the hidden text before it is white space that takes
    /// up space. Hidden letters that take up space, and white space that does not, are recorded:
    /// they may be a space.
    fn part_at(&mut self, run: &str) {
        let piece = if self.is_hiding { self.hidden.last() } else { None };
        let Some(piece) = piece.filter(|_| run.starts_with(|it: char| !it.is_whitespace())) else {
            return;
        };
        let has_space = piece.contains(char::is_whitespace);
        let is_blank = piece.trim().is_empty() && !piece.is_empty();
        let takes_room = self.takes_room;
        let written = self.target();
        let is_in_line =
            written.text[written.paragraph..].ends_with(|it: char| !it.is_whitespace());
        match (is_in_line, takes_room) {
            (true, true) if has_space => {
                written.text.push(' ');
                written.spaces += 1;
            }
            (true, takes_room) if takes_room || is_blank => written.gaps.push(written.text.len()),
            _ => {}
        }
    }

    /// Ends the paragraph at the end of the current text, and records its hidden spaces if most of
    /// its spaces are hidden.
    fn settle(&mut self) {
        let spaces = self.target().settle();
        self.hidden.extend(std::iter::repeat_n(HIDDEN_SPACE.to_owned(), spaces));
    }

    /// Ends a paragraph, and appends its text boxes.
    pub(super) fn end_paragraph(&mut self) {
        self.is_hiding = false;
        self.settle();
        self.target().text.push('\n');
        if self.asides.is_empty() {
            self.content.text.push_str(&std::mem::take(&mut self.boxes));
        }
        let written = self.target();
        written.paragraph = written.text.len();
    }

    /// Ends a line, unless the last one has ended or nothing has been written.
    pub(super) fn end_line(&mut self) {
        let text = &self.target().text;
        if !text.is_empty() && !text.ends_with('\n') {
            self.end_paragraph();
        }
        self.is_hiding = false;
    }

    /// Begins a text apart from the current one: a box or a note.
    pub(super) fn open_aside(&mut self) {
        self.is_hiding = false;
        self.asides.push(Written::default());
    }

    /// Ends the innermost open box or note, and returns its text; empty if none is open.
    pub(super) fn close_aside(&mut self) -> String {
        self.is_hiding = false;
        if self.asides.is_empty() {
            return String::new();
        }
        self.settle();
        self.asides.pop().unwrap_or_default().text
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

    /// Returns a count of what has been written here: the bytes of the current text, the boxes, the
    /// notes and the hidden pieces. A larger count than before means that something has been
    /// written.
    pub(super) fn length(&self) -> usize {
        self.position() + self.boxes.len() + self.notes.len() + self.hidden_bytes
    }

    /// Returns the position at the end of the current text.
    pub(super) fn position(&self) -> usize {
        self.asides.last().unwrap_or(&self.content).text.len()
    }

    /// Reports whether the words of the current text from a position on are those of another text.
    pub(super) fn has_words_from(&self, position: usize, text: &str) -> bool {
        let written = self.asides.last().unwrap_or(&self.content);
        let words = written.text.get(position..).unwrap_or_default().split_whitespace();
        words.eq(text.split_whitespace())
    }

    pub(super) fn finish(mut self) -> Extracted {
        while !self.asides.is_empty() {
            let aside = self.close_aside();
            add(&mut self.boxes, &aside);
        }
        self.settle();
        let Self { content: Written { text: mut content, .. }, mut hidden, .. } = self;
        content.extend([self.boxes, self.notes]);
        hidden.retain(|piece| !piece.trim().is_empty());
        let (pages, has_pictures) = (self.pages, self.has_pictures);
        Extracted { content, hidden, pages, has_pictures, ..Extracted::default() }
    }

    fn target(&mut self) -> &mut Written {
        self.asides.last_mut().unwrap_or(&mut self.content)
    }
}

/// Represents a hidden space in the list of hidden pieces.
const HIDDEN_SPACE: &str = "<U+0020>";

/// Appends a text, and a line end if it is not empty and does not end with one.
fn add(to: &mut String, text: &str) {
    to.push_str(text);
    end_line(to);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_follows_its_paragraph_and_a_note_stands_at_the_end() {
        let mut flow = Flow::default();
        flow.write("har", Sight::Seen);
        flow.open_aside();
        flow.write("boxed", Sight::Seen);
        flow.end_paragraph();
        let boxed = flow.close_aside();
        flow.add_box(&boxed);
        flow.open_aside();
        flow.write("noted", Sight::Seen);
        let noted = flow.close_aside();
        flow.add_note(&noted);
        flow.write("bour", Sight::Seen);
        flow.end_paragraph();
        flow.write("fog", Sight::Seen);
        flow.end_paragraph();
        assert_eq!(flow.finish().content, "harbour\nboxed\nfog\nnoted\n");
    }

    #[test]
    fn hidden_runs_are_a_piece_until_something_else_comes() {
        let mut flow = Flow::default();
        flow.write("hid", Sight::Gone);
        flow.write("den", Sight::Gone);
        flow.write("seen", Sight::Seen);
        flow.write("two", Sight::Gone);
        flow.end_paragraph();
        flow.write("three", Sight::Gone);
        flow.write(" ", Sight::Seen);
        flow.write(" ", Sight::Gone);
        let text = flow.finish();
        assert_eq!(text.hidden, ["hidden", "two", "three"]);
        assert_eq!(text.content, "seen\n ");
    }

    #[test]
    fn hidden_white_space_parts_words_as_on_the_page() {
        use Sight::{Gap, Gone, Seen};
        let of = |between: &str, sight, seen: &str| {
            let mut flow = Flow::default();
            for word in ["one", "two", "three", "four", seen] {
                flow.write(word, Seen);
                flow.write(between, sight);
            }
            flow.end_paragraph();
            let read = flow.finish();
            (read.content, read.hidden.iter().filter(|it| *it == HIDDEN_SPACE).count())
        };
        #[rustfmt::skip]
        let table = [
            ("white spaces",           " ",   Gap,  "five",      "one two three four five\n", 4),
            ("of no size",             " ",   Gone, "five",      "one two three four five\n", 4),
            ("white letters for them", "x",   Gap,  "five",      "one two three four five\n", 4),
            ("with white spaces",      " x ", Gap,  "five",      "one two three four five\n", 4),
            ("letters of no size",     "x",   Gone, "five",      "onetwothreefourfive\n", 0),
            ("with spaces",            " x ", Gone, "five",      "onetwothreefourfive\n", 0),
            ("some white spaces",      " ",   Gap,  "a b c d",   "one two three four a b c d\n", 0),
            ("some letters",           "x",   Gap,  "a b c d",   "onetwothreefoura b c d\n", 0),
            ("some of no size",        " ",   Gone, "a b c d",   "onetwothreefoura b c d\n", 0),
        ];
        for (why, between, sight, seen, want, count) in table {
            assert_eq!(of(between, sight, seen), (want.to_owned(), count), "{why}");
        }
    }

    #[test]
    fn what_is_written_is_counted() {
        let mut flow = Flow::default();
        let mut counts = vec![flow.length()];
        let mut write = |run: &str, sight| {
            flow.write(run, sight);
            counts.push(flow.length());
        };
        write("hidden", Sight::Gone);
        write("seen", Sight::Seen);
        write("x", Sight::Gone);
        write("", Sight::Gone);
        write("yz", Sight::Gone);
        flow.add_hidden("note".to_owned());
        assert_eq!((counts, flow.length()), (vec![0, 6, 10, 11, 11, 13], 17));
    }

    #[test]
    fn what_is_left_open_is_not_lost() {
        let mut flow = Flow::default();
        flow.write("one", Sight::Seen);
        flow.end_paragraph();
        flow.open_aside();
        flow.write("two", Sight::Seen);
        flow.open_aside();
        flow.write("three", Sight::Seen);
        assert_eq!(flow.finish().content, "one\nthree\ntwo\n");
        assert_eq!(Flow::default().finish(), Extracted::default());
    }
}
