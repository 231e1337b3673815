//! Runs of text → lines, as a browser sets them.
//!
//! Goes in: the text of a page piece by piece, and what stands between the pieces. Comes
//! out: the text, each white space once. It knows no elements.

/// What stands between two pieces of text; of several, the widest.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(in crate::text::formats) enum Gap {
    /// Nothing: the pieces are one word.
    #[default]
    None,
    /// White space.
    Space,
    /// The edge of a table's cell.
    Cell,
    /// A line end within a paragraph, at which a hyphen breaks a word.
    Break,
    /// The end of an item or a row.
    Line,
    /// The end of a paragraph.
    Paragraph,
}

impl Gap {
    /// The white space that it is, behind a text. A word that ends in a hyphen goes on in the
    /// next line, but not in the next item.
    pub(in crate::text::formats) fn white_space(self, before: &str) -> &'static str {
        match self {
            _ if before.is_empty() => "",
            Self::None => "",
            Self::Space => " ",
            Self::Cell => "\t",
            Self::Line if before.ends_with(['-', '\u{ad}', '\u{2010}']) => "\n\n",
            Self::Line | Self::Paragraph if before.ends_with("\n\n") => "",
            Self::Paragraph if before.ends_with('\n') => "\n",
            Self::Line if before.ends_with('\n') => "",
            Self::Break | Self::Line => "\n",
            Self::Paragraph => "\n\n",
        }
    }
}

/// Lines of text.
#[derive(Debug, Default)]
pub(super) struct Lines {
    text: String,
    gap: Gap,
}

impl Lines {
    /// Parts what was written from what will be.
    pub(super) fn part(&mut self, gap: Gap) {
        let twice = gap == Gap::Break && self.gap == Gap::Break;
        self.gap = if twice { Gap::Paragraph } else { self.gap.max(gap) };
    }

    /// Writes text whose white space is as good as one space.
    pub(super) fn flow(&mut self, text: &str) {
        let is_white = |letter: char| matches!(letter, ' ' | '\t' | '\n' | '\r' | '\x0c');
        for (place, run) in text.split(is_white).enumerate() {
            if place > 0 {
                self.part(Gap::Space);
            }
            self.keep(run);
        }
    }

    /// Writes text as it stands.
    pub(super) fn keep(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let gap = std::mem::take(&mut self.gap);
        self.text.push_str(gap.white_space(&self.text));
        self.text.push_str(text);
    }

    /// The bytes of the text so far.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// The text, which ends with a line end where it is not empty.
    pub(super) fn finish(mut self) -> String {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text
    }
}

/// Whether a text has a word, or a number.
pub(super) fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A piece: what parts it from the last one, and its text.
    fn set(pieces: &[(Gap, &str)]) -> String {
        let mut lines = Lines::default();
        for (gap, text) in pieces {
            lines.part(*gap);
            lines.flow(text);
        }
        lines.finish()
    }

    #[test]
    fn the_widest_gap_parts() {
        #[rustfmt::skip]
        let table: &[(&str, &[(Gap, &str)], &str)] = &[
            ("nothing",              &[],                                           ""),
            ("white space alone",    &[(Gap::Line, " \n ")],                        ""),
            ("no gap at the edges",  &[(Gap::Paragraph, " a "), (Gap::Line, " ")],  "a\n"),
            ("one word",             &[(Gap::None, "wo"), (Gap::None, "rd")],       "word\n"),
            ("any white space",      &[(Gap::None, "a\r\n\t\x0c b")],               "a b\n"),
            ("a hard space stays",   &[(Gap::None, "a\u{a0} b")],                   "a\u{a0} b\n"),
            ("a cell",               &[(Gap::None, "a "), (Gap::Cell, " b")],       "a\tb\n"),
            ("a row after a cell",   &[(Gap::None, "a"), (Gap::Cell, ""), (Gap::Line, "b")], "a\nb\n"),
            ("a broken word",        &[(Gap::None, "hy-"), (Gap::Break, "phen")],   "hy-\nphen\n"),
            ("two breaks",           &[(Gap::None, "hy-"), (Gap::Break, " "), (Gap::Break, "phen")], "hy-\n\nphen\n"),
            ("no word over items",   &[(Gap::None, "hy-"), (Gap::Line, "phen")],    "hy-\n\nphen\n"),
            ("nor a soft hyphen",    &[(Gap::None, "hy\u{ad}"), (Gap::Line, "phen")], "hy\u{ad}\n\nphen\n"),
        ];
        for (why, pieces, want) in table {
            assert_eq!(set(pieces), *want, "{why}");
        }
    }

    #[test]
    fn what_is_kept_keeps_its_lines() {
        let mut lines = Lines::default();
        lines.flow("code:");
        lines.part(Gap::Paragraph);
        lines.keep("fn  a()\n  b\n");
        lines.part(Gap::Paragraph);
        lines.flow("done");
        assert_eq!(lines.finish(), "code:\n\nfn  a()\n  b\n\ndone\n");
    }
}
