//! The columns of a screen that passages stand in.

use super::rows::Row;

/// The columns from which on two texts stand side by side.
const WIDE: usize = 100;

/// The most columns that are used: longer rows are hard to read.
const WIDEST: usize = 200;

/// The rows of a side of a passage, at most: side by side, and where there is another side to
/// be shown below. The last one says how much more there is.
const ROWS: [usize; 2] = [8, 5];

/// What stands between two texts.
pub(super) const BESIDE: &str = " | ";

/// The digits of a line's number that there is room for at least.
const DIGITS: usize = 3;

/// The spaces around a line's number.
const AROUND: usize = 3;

/// The fewest columns of text: a letter that takes two, in brackets.
const NARROWEST: usize = 4;

/// The bytes of the text that a column is cut from, for each of its places: a letter with its
/// marks seldom has more.
const BYTES: usize = 8;

/// One column or two.
pub(super) struct Columns {
    each: usize,
    /// The digits of the greatest number of a line.
    digits: usize,
    are_two: bool,
}

impl Columns {
    /// Those of a screen of so many, for lines up to a number.
    pub(super) fn of(width: usize, greatest: usize) -> Self {
        let width = width.min(WIDEST);
        let are_two = width >= WIDE;
        let each = if are_two { (width - BESIDE.len()) / 2 } else { width };
        Self { each, digits: greatest.to_string().len().max(DIGITS), are_two }
    }

    /// Whether two texts stand side by side.
    pub(super) fn are_two(&self) -> bool {
        self.are_two
    }

    /// The width of each, numbers included.
    pub(super) fn each(&self) -> usize {
        self.each
    }

    /// The width that is left for text.
    pub(super) fn room(&self) -> usize {
        self.each.saturating_sub(self.digits + AROUND).max(NARROWEST)
    }

    /// The rows of a side of a passage, at most.
    pub(super) fn rows(&self) -> usize {
        ROWS[usize::from(!self.are_two)]
    }

    /// The bytes of a text that are enough for all of its rows.
    pub(super) fn head(&self) -> usize {
        self.room() * self.rows() * BYTES
    }

    /// A row as it is printed, with spaces up to the end of its column.
    pub(super) fn padded(&self, row: Option<&Row>) -> String {
        let Some(row) = row else { return " ".repeat(self.each) };
        let number = row.line.map_or(String::new(), |line| line.to_string());
        let spaces = self.room().saturating_sub(row.width());
        format!(" {number:>digits$}  {row}{:spaces$}", "", digits = self.digits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_the_screen_allows() {
        #[rustfmt::skip]
        let table = [
            ("a telephone",       20,   9,       20,  14, false),
            ("next to nothing",   1,    9,       1,   4,  false),
            ("a usual terminal",  80,   999,     80,  74, false),
            ("many lines",        80,   1_000,   80,  73, false),
            ("not quite enough",  99,   9,       99,  93, false),
            ("enough for two",    100,  9,       48,  42, true),
            ("one more",          101,  9,       49,  43, true),
            ("wide",              200,  9,       98,  92, true),
            ("too wide",          500,  9,       98,  92, true),
        ];
        for (why, width, greatest, each, room, are_two) in table {
            let columns = Columns::of(width, greatest);
            let got = (columns.each(), columns.room(), columns.are_two());
            assert_eq!(got, (each, room, are_two), "{why}");
        }
    }
}
