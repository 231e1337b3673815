//! What is painted on a page, in cells of about two points.
//!
//! Input: areas in the order in which they are painted. Output: what was painted last at a place,
//! and when. The module knows nothing of letters.

use std::ops::Range;

use hayro_interpret::kurbo::{BezPath, PathEl, Point, Rect, Shape, flatten};

use crate::text::formats::documents::Paint;

/// The width and height of a cell in points, on a page of at most [`MAX_CELLS`] cells.
const CELL_SIZE: f64 = 2.0;

/// The largest number of cells: those of a page of one metre by one and a half.
const MAX_CELLS: f64 = 3_000_000.0;

/// The largest distance of a curve from the lines that replace it, in points.
const TOLERANCE: f64 = 0.5;

/// The largest distance of a path from the page, in points.
const MAX_DISTANCE: f64 = 100_000.0;

/// What was painted last at a place.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Painted {
    pub(super) paint: Paint,
    /// Whether the paint belongs to a picture.
    pub(super) is_picture: bool,
    /// The number of areas that had been painted when it was; 0 for the page itself.
    pub(super) time: u32,
}

/// What a picture shows at a place is not looked at.
pub(super) const PICTURE: Painted = Painted { paint: Paint::Other, is_picture: true, time: 0 };

/// A page as far as it has been painted.
pub(super) struct Canvas {
    columns: usize,
    cells: Vec<Painted>,
    cell_size: f64,
    /// The number of areas that have been painted.
    pub(super) time: u32,
}

impl Canvas {
    /// Returns a white page of a size in points.
    pub(super) fn new(width: f64, height: f64) -> Self {
        let [width, height] = [width, height].map(|it| it.clamp(1.0, MAX_DISTANCE));
        let cell_size = (width * height / MAX_CELLS).sqrt().max(CELL_SIZE);
        let [columns, rows] = [width, height].map(|it| whole(it / cell_size) + 1);
        let page = Painted { paint: Paint::WHITE, is_picture: false, time: 0 };
        Self { columns, cells: vec![page; columns * rows], cell_size, time: 0 }
    }

    /// Returns what was painted last at a place; `None` off the page.
    pub(super) fn at(&self, place: Point) -> Option<Painted> {
        let is_inside = place.x >= 0.0 && place.y >= 0.0;
        let [column, row] = [place.x, place.y].map(|it| whole(it / self.cell_size));
        let is_inside = is_inside && column < self.columns;
        is_inside.then(|| self.cells.get(row.checked_mul(self.columns)? + column).copied())?
    }

    /// Fills the inside of a path, by the rule of non-zero winding numbers, within a clip.
    pub(super) fn fill(&mut self, path: &BezPath, clip: Rect, fill: Painted) {
        self.time = self.time.saturating_add(1);
        let painted = Painted { time: self.time, ..fill };
        let bounds = path.bounding_box();
        let is_near = |edge: f64| edge.abs() <= MAX_DISTANCE; // not of a number that is none
        if ![bounds.x0, bounds.y0, bounds.x1, bounds.y1].into_iter().all(is_near) {
            return;
        }
        let rows = self.cells_between(clip.y0, clip.y1, self.cells.len() / self.columns);
        let mut crossings: Vec<(usize, f64, i32)> = Vec::new();
        let mut cross = |from: Point, to: Point| {
            let (upper, lower, turn) = if from.y < to.y { (from, to, 1) } else { (to, from, -1) };
            let slope = (lower.x - upper.x) / (lower.y - upper.y);
            let crossed = self.cells_between(upper.y, lower.y, rows.end);
            crossings.extend(
                (crossed.start.max(rows.start)..crossed.end)
                    .map(|row| (row, upper.x + (self.centre(row) - upper.y) * slope, turn)),
            );
        };
        let (mut start, mut last) = (Point::ZERO, Point::ZERO);
        flatten(path, TOLERANCE, |element| match element {
            PathEl::MoveTo(to) => {
                cross(last, start);
                (start, last) = (to, to);
            }
            PathEl::LineTo(to) | PathEl::QuadTo(_, to) | PathEl::CurveTo(_, _, to) => {
                cross(last, to);
                last = to;
            }
            PathEl::ClosePath => {
                cross(last, start);
                last = start;
            }
        });
        cross(last, start);
        crossings.sort_by(|one, other| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)));
        for row in crossings.chunk_by(|one, other| one.0 == other.0) {
            let mut winding = 0;
            for pair in row.windows(2) {
                winding += pair[0].2;
                if winding != 0 {
                    let [left, right] = [pair[0].1.max(clip.x0), pair[1].1.min(clip.x1)];
                    let inside = self.cells_between(left, right, self.columns);
                    let begin = row[0].0 * self.columns;
                    self.cells[begin + inside.start..begin + inside.end].fill(painted);
                }
            }
        }
    }

    /// Returns the cells whose centres lie between two edges, of a number of cells in a line.
    fn cells_between(&self, from: f64, to: f64, cells: usize) -> Range<usize> {
        let [from, to] = [from, to].map(|edge| whole((edge / self.cell_size + 0.5).max(0.0)));
        from.min(cells)..to.min(cells).max(from.min(cells))
    }

    /// Returns the distance of the centre of a cell from the first edge of its line of cells.
    #[expect(clippy::cast_precision_loss, reason = "a line has far fewer cells than 2⁵²")]
    fn centre(&self, cell: usize) -> f64 {
        (cell as f64 + 0.5) * self.cell_size
    }
}

/// Returns the whole part of a number; 0 for one that is none.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
fn whole(number: f64) -> usize {
    number as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_painted_last_is_seen() {
        let mut canvas = Canvas::new(100.0, 50.0);
        let everything = Rect::new(0.0, 0.0, 100.0, 50.0);
        let ink = |blue| Painted { paint: Paint::Rgb([0, 0, blue]), is_picture: false, time: 0 };
        let mut ring = Rect::new(10.0, 10.0, 40.0, 40.0).to_path(0.1);
        let hole = Rect::new(20.0, 20.0, 30.0, 30.0);
        ring.extend(hole.to_path(0.1).reverse_subpaths());
        canvas.fill(&ring, everything, ink(1));
        canvas.fill(&Rect::new(34.0, 0.0, 99.0, 99.0).to_path(0.1), everything, PICTURE);
        canvas.fill(&Rect::new(-1e9, 0.0, 1e9, 99.0).to_path(0.1), everything, ink(9));
        let narrow = Rect::new(60.0, 0.0, 70.0, 20.0);
        canvas.fill(&Rect::new(50.0, -9.0, 80.0, 99.0).to_path(0.1), narrow, ink(2));
        #[rustfmt::skip]
        let table: &[(&str, f64, f64, Option<(Paint, u32)>)] = &[
            ("the page",            5.0, 5.0,    Some((Paint::WHITE, 0))),
            ("a ring",             15.0, 25.0,   Some((Paint::Rgb([0, 0, 1]), 1))),
            ("its hole",           25.0, 25.0,   Some((Paint::WHITE, 0))),
            ("a picture on it",    37.0, 25.0,   Some((Paint::Other, 2))),
            ("within a clip",      65.0, 10.0,   Some((Paint::Rgb([0, 0, 2]), 4))),
            ("beside it",          55.0, 10.0,   Some((Paint::Other, 2))),
            ("below it",           65.0, 30.0,   Some((Paint::Other, 2))),
            ("off the page",       -1.0, 10.0,   None),
            ("right of it",        110.0, 10.0,  None),
            ("below the page",     10.0, 60.0,   None),
            ("nowhere",            f64::NAN, 1.0, None),
        ];
        for (why, x, y, want) in table {
            let painted = canvas.at(Point::new(*x, *y));
            assert_eq!(painted.map(|it| (it.paint, it.time)), *want, "{why}");
        }
    }
}
