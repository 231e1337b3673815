//! What the figures of labelled pairs were, by their length.

use std::sync::LazyLock;

use crate::words::thousands;

/// Steps in which figures are counted: twentieths, and pairs of bits.
pub(super) const STEPS: usize = 20;

/// The table: a row for each length, label and measure, and one for verdicts.
static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| parse(include_str!("pairs.tsv")));

/// From so many words on, lengths are not told to be short.
const LONG: usize = 200;

#[derive(Clone, Debug, Eq, PartialEq)]
struct Row {
    words: usize,
    is_related: bool,
    measure: &'static str,
    pairs: usize,
    /// How many of them reach each step.
    counts: Vec<usize>,
}

/// Pairs of one label, and how many of them have something.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Tail {
    pub(super) pairs: usize,
    pub(super) all: usize,
}

/// The pairs that are about as long as a text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Like {
    words: usize,
    is_longest: bool,
    is_shorter: bool,
}

impl Tail {
    /// Such as `1 in 19`, rounded; `none` where there is none.
    pub(super) fn one_in(self) -> String {
        match self.pairs {
            0 => "none".to_owned(),
            pairs => format!("1 in {}", thousands((2 * self.all + pairs) / (2 * pairs))),
        }
    }
}

impl Like {
    /// The nearest length that was measured, by ratio; of two equally near the shorter. None below
    /// the shortest.
    pub(super) fn of(words: usize) -> Option<Self> {
        let mut lengths: Vec<usize> = ROWS.iter().map(|row| row.words).collect();
        lengths.dedup();
        if words < *lengths.first()? {
            return None;
        }
        // The border of two lengths is where the square of the words is their product.
        let above = lengths
            .windows(2)
            .filter(|pair| words.saturating_mul(words) > pair[0] * pair[1])
            .count();
        let like = *lengths.get(above)?;
        Some(Self { words: like, is_longest: above + 1 == lengths.len(), is_shorter: words < LONG })
    }

    /// Such as `about 500 words`.
    pub(super) fn length(&self) -> String {
        let words = thousands(self.words);
        if self.is_longest {
            format!("{words} words, the longest measured")
        } else {
            format!("about {words} words")
        }
    }

    /// Unrelated and related pairs that reach a step.
    pub(super) fn tail(&self, measure: &str, step: usize) -> [Tail; 2] {
        [false, true].map(|is_related| {
            let row = self.row(measure, is_related);
            let count = |row: &Row| Tail {
                pairs: row.counts.get(step).copied().unwrap_or(0),
                all: row.pairs,
            };
            row.map_or(Tail { pairs: 0, all: 0 }, count)
        })
    }

    /// Those that do not.
    pub(super) fn rest(&self, measure: &str, step: usize) -> [Tail; 2] {
        self.tail(measure, step).map(|tail| Tail { pairs: tail.all - tail.pairs, ..tail })
    }

    /// Unrelated pairs that are partial or closer all the same, and related ones that are not; none
    /// for texts that are not short.
    pub(super) fn errors(&self) -> Option<[Tail; 2]> {
        let [flagged, found] = self.tail("verdict", 1);
        let missed = Tail { pairs: found.all - found.pairs, ..found };
        self.is_shorter.then_some([flagged, missed])
    }

    fn row(&self, measure: &str, is_related: bool) -> Option<&'static Row> {
        let is_it = |row: &&Row| {
            row.words == self.words && row.is_related == is_related && row.measure == measure
        };
        ROWS.iter().find(is_it)
    }
}

/// Reads the table, of which a test says that every line is sound.
fn parse(table: &'static str) -> Vec<Row> {
    let row = |line: &'static str| {
        let mut cells = line.split('\t');
        let words = cells.next()?.parse().ok()?;
        let is_related = cells.next()? == "yes";
        let measure = cells.next()?;
        let pairs = cells.next()?.parse().ok()?;
        let counts = cells.map(|cell| cell.parse().ok()).collect::<Option<_>>()?;
        Some(Row { words, is_related, measure, pairs, counts })
    };
    table.lines().filter(|line| !line.starts_with('#')).filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_sound() {
        let lines = include_str!("pairs.tsv").lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(ROWS.len(), lines);
        let measures = ["verdict", "passages", "jaccard", "containment", "coverage", "hamming"];
        assert_eq!(lines, 9 * 2 * measures.len());
        for row in ROWS.iter() {
            let steps = match row.measure {
                "verdict" => 3,
                "passages" => 1,
                _ => STEPS,
            };
            assert_eq!(row.counts.len(), steps, "{row:?}");
            assert!(row.counts.iter().all(|count| *count <= row.pairs), "{row:?}");
            let is_falling = row.counts.is_sorted_by(|one, next| one >= next);
            let is_growing = row.counts.is_sorted();
            assert!(if row.measure == "hamming" { is_growing } else { is_falling }, "{row:?}");
            assert!(measures.contains(&row.measure), "{row:?}");
        }
    }

    #[test]
    fn the_nearest_length_is_taken() {
        #[rustfmt::skip]
        let table = [
            ("the shortest",     5,         5),
            ("nearest to it",    7,         5),  // 49 < 5 · 10
            ("the next",         8,         10),
            ("one of them",      1_000,     1_000),
            ("between",          316,       200), // 99,856 < 200 · 500
            ("just above",       317,       500),
            ("the longest",      9_000_000, 2_000),
            ("all there can be", usize::MAX, 2_000),
            ("a square of 0 but for what is above it", 1 << (usize::BITS / 2), 2_000),
        ];
        for (why, words, want) in table {
            assert_eq!(Like::of(words).unwrap().words, want, "{why}");
        }
        assert_eq!([0, 1, 4].map(Like::of), [None; 3], "below the shortest");
        assert_eq!(Like::of(12).unwrap().length(), "about 10 words");
        assert_eq!(Like::of(5_000).unwrap().length(), "2,000 words, the longest measured");
    }

    #[test]
    fn what_does_not_reach_is_the_rest() {
        let like = Like::of(500).unwrap();
        for step in [0, 7, 19] {
            let [tail, rest] = [like.tail("jaccard", step), like.rest("jaccard", step)];
            assert_eq!([0, 1].map(|at| tail[at].pairs + rest[at].pairs), tail.map(|it| it.all));
        }
    }

    #[test]
    fn a_rate_is_told_as_one_in_so_many() {
        #[rustfmt::skip]
        let table = [
            ("never",       0,   1_000, "none"),
            ("always",      7,   7,     "1 in 1"),
            ("rounded up",  2,   3,     "1 in 2"),  // 1.5
            ("rounded",     85,  1_601, "1 in 19"), // 18.8
            ("and down",    119, 5_368, "1 in 45"), // 45.1
            ("of many",     1,   2_500, "1 in 2,500"),
        ];
        for (why, pairs, all, want) in table {
            assert_eq!(Tail { pairs, all }.one_in(), want, "{why}");
        }
    }

    #[test]
    fn only_short_texts_are_told_to_be_short() {
        let errors = |words| Like::of(words).unwrap().errors();
        let (flagged, missed) = (Tail { pairs: 846, all: 5857 }, Tail { pairs: 87, all: 1714 });
        assert_eq!(errors(12), Some([flagged, missed]));
        assert_eq!(errors(200), None);
    }
}
