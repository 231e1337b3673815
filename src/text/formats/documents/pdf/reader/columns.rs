//! Puts the lines of a page in reading order.
//!
//! Input: lines with their places, in the order in which they are drawn. Output: the same in the
//! order in which they are read. Nearly all programs draw a page in this order, so it is kept,
//! unless the lines jump up and down, or are drawn across two columns of text. Then they are
//! sorted: from the top to the bottom, and where lines have a gap at the same place, first what is
//! on one side of it. The rows of a table stay rows.

use super::lines::Line;
use super::order::is_leftwards;

/// The smallest gap between columns, as a share of the size of the type.
const GUTTER: f64 = 0.8;

/// The smallest number of lines in a row that have a gap at the same place for these to be columns.
const MIN_ROWS: usize = 4;

/// The smallest average number of words of a line in a column; a table has fewer.
const MIN_WORDS: usize = 3;

/// The least number of jumps upwards, and how many lines there are for each, for lines not to be in
/// reading order.
const MIN_JUMPS: usize = 4;
const LINES_PER_JUMP: usize = 6;

/// Lines with nearly the same baseline, from left to right.
type Row = Vec<Line>;

/// Puts lines in reading order.
pub(super) fn in_reading_order(lines: Vec<Line>) -> Vec<Line> {
    let jumps = lines.windows(2).filter(|it| is_jump(&it[0], &it[1])).count();
    let is_jumbled = jumps >= MIN_JUMPS && jumps * LINES_PER_JUMP >= lines.len();
    let rows = rows(lines.clone());
    let bands = bands(rows);
    let is_across = bands.iter().any(Band::is_drawn_across);
    if !is_jumbled && !is_across {
        return lines;
    }
    bands.into_iter().flat_map(Band::into_lines).collect()
}

/// Reports whether a line jumps up within the column of the line before.
fn is_jump(line: &Line, next: &Line) -> bool {
    let is_above = next.baseline < line.baseline - 0.5 * line.size.min(next.size);
    is_above && next.left < line.right && line.left < next.right
}

/// Groups lines into rows, from top to bottom.
fn rows(mut lines: Vec<Line>) -> Vec<Row> {
    lines.sort_by(|one, other| one.baseline.total_cmp(&other.baseline));
    let mut rows: Vec<Row> = Vec::new();
    for line in lines {
        match rows.last_mut() {
            Some(row)
                if (line.baseline - row[0].baseline).abs() <= 0.4 * line.size.min(row[0].size) =>
            {
                row.push(line);
            }
            _ => rows.push(vec![line]),
        }
    }
    for row in &mut rows {
        row.sort_by(|one, other| one.left.total_cmp(&other.left));
    }
    rows
}

/// Rows one below the other, with the gaps that all of them have.
struct Band {
    rows: Vec<Row>,
    /// The left and right edges of the gaps, from left to right.
    gutters: Vec<(f64, f64)>,
}

/// Groups rows into bands. A band ends where no gap is left.
fn bands(rows: Vec<Row>) -> Vec<Band> {
    let mut bands: Vec<Band> = Vec::new();
    for row in rows {
        let own = gaps(&row);
        match bands.last_mut() {
            Some(band) if !band.gutters.is_empty() => {
                let left = band.gutters_with(&row);
                if left.is_empty() {
                    bands.push(Band { gutters: own, rows: vec![row] });
                } else {
                    band.gutters = left;
                    band.rows.push(row);
                }
            }
            Some(band) if own.is_empty() => band.rows.push(row),
            _ => bands.push(Band { gutters: own, rows: vec![row] }),
        }
    }
    bands
}

/// Returns the gaps between the lines of a row.
fn gaps(row: &[Line]) -> Vec<(f64, f64)> {
    let gaps =
        row.windows(2).filter(|it| it[1].left - it[0].right >= GUTTER * it[0].size.min(it[1].size));
    gaps.map(|it| (it[0].right, it[1].left)).collect()
}

impl Band {
    /// Returns the parts of the gutters that a row leaves free.
    fn gutters_with(&self, row: &[Line]) -> Vec<(f64, f64)> {
        let size = row.iter().map(|line| line.size).fold(f64::INFINITY, f64::min);
        let cut = |(left, right): (f64, f64)| {
            // A line that begins or ends within the gutter makes it narrower; one across closes it.
            let (mut from, mut to) = (left, right);
            for line in row.iter().filter(|line| line.left < right && left < line.right) {
                if line.left <= left && line.right >= right {
                    return None;
                }
                if line.left <= left { from = from.max(line.right) } else { to = to.min(line.left) }
            }
            (to - from >= GUTTER * size).then_some((from, to))
        };
        self.gutters.iter().copied().filter_map(cut).collect()
    }

    /// Returns the column of a line.
    fn column(&self, line: &Line) -> usize {
        self.gutters.iter().take_while(|(left, _)| line.left >= *left).count()
    }

    /// Reports whether the band has columns of text.
    fn has_columns(&self) -> bool {
        let split = self.rows.iter().filter(|row| row.len() > 1);
        let (mut rows, mut lines, mut words) = (0, 0, 0);
        for row in split {
            rows += 1;
            lines += row.len();
            words += row.iter().map(|line| line.text.split(' ').count()).sum::<usize>();
        }
        !self.gutters.is_empty() && rows >= MIN_ROWS && words >= MIN_WORDS * lines
    }

    /// Reports whether most rows of columns are drawn from one column to the next.
    fn is_drawn_across(&self) -> bool {
        let mut steps: Vec<(usize, usize, usize)> = Vec::new();
        for (row, lines) in self.rows.iter().enumerate() {
            steps.extend(lines.iter().map(|line| (line.drawn, row, self.column(line))));
        }
        steps.sort_unstable();
        let across = steps.windows(2).filter(|it| it[0].1 == it[1].1 && it[0].2 != it[1].2).count();
        self.has_columns() && 2 * across >= self.rows.len()
    }

    fn into_lines(self) -> Vec<Line> {
        if !self.has_columns() {
            return self.rows.into_iter().flatten().collect();
        }
        let mut columns: Vec<Vec<Line>> = vec![Vec::new(); self.gutters.len() + 1];
        let gutters = Band { rows: Vec::new(), gutters: self.gutters };
        for line in self.rows.into_iter().flatten() {
            columns[gutters.column(&line)].push(line);
        }
        let leftwards = columns.iter().flatten().filter(|line| is_leftwards(&line.text)).count();
        if 2 * leftwards > columns.iter().map(Vec::len).sum() {
            columns.reverse();
        }
        columns.concat()
    }
}
