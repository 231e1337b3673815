//! What pairs come to in a format, in their order or the closest first.

use std::cmp::Ordering;
use std::io;

use dedup_text::jaccard::Share;
use dedup_text::verdict::Verdict;

use crate::io::output::Spool;
use crate::model::pair::Pair;

/// What a pair comes to.
#[derive(Debug)]
pub(crate) struct Piece {
    verdict: Verdict,
    jaccard: f64,
    hamming: u32,
    is_finding: bool,
    /// Its parts, as the format has them.
    written: Vec<String>,
}

impl Piece {
    pub(super) fn new(pair: &Pair, written: Vec<String>) -> Self {
        let figures = &pair.judgement.comparison;
        Self {
            verdict: pair.judgement.decision.verdict,
            jaccard: figures.jaccard().map_or(0.0, Share::ratio),
            hamming: figures.hamming.unwrap_or(u64::BITS),
            is_finding: pair.is_finding(),
            written,
        }
    }

    /// One of a verdict that has these parts.
    #[cfg(test)]
    pub(super) fn made(verdict: Verdict, written: Vec<String>) -> Self {
        Self { verdict, jaccard: 0.0, hamming: 0, is_finding: true, written }
    }

    /// Its parts, one after the other.
    pub(crate) fn into_text(self) -> String {
        self.written.concat()
    }

    /// Less where it is closer.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.verdict.cmp(&self.verdict))
            .then_with(|| other.jaccard.total_cmp(&self.jaccard))
            .then_with(|| self.hamming.cmp(&other.hamming))
    }
}

/// The pieces of pairs: all of them as they come, or, where a format shows so many at most, the
/// closest; those that are further away are counted and forgotten.
#[derive(Debug)]
pub(crate) struct Pieces {
    /// None where all are kept.
    most: Option<usize>,
    closest: Vec<Piece>,
    all: Spool,
    pairs: usize,
    findings: usize,
    parts: usize,
}

impl Pieces {
    fn new(most: Option<usize>, separator: &'static str) -> Self {
        let all = Spool::new(separator);
        Self { most, closest: Vec::new(), all, pairs: 0, findings: 0, parts: 0 }
    }

    /// All, with something between two parts.
    pub(super) fn all_with(separator: &'static str) -> Self {
        Self::new(None, separator)
    }

    /// So many of the closest.
    pub(super) fn closest_of(most: usize) -> Self {
        Self::new(Some(most), "")
    }

    /// Adds the next piece.
    pub(crate) fn add(&mut self, piece: Piece) -> io::Result<()> {
        self.pairs += 1;
        self.findings += usize::from(piece.is_finding);
        self.parts += piece.written.len();
        let Some(most) = self.most else {
            return piece.written.iter().try_for_each(|part| self.all.add(part));
        };
        if !piece.written.is_empty() {
            self.closest.push(piece);
        }
        if self.closest.len() >= 2 * most {
            self.closest.sort_by(Piece::cmp);
            self.closest.truncate(most);
        }
        Ok(())
    }

    /// How many pairs there are.
    pub(super) fn pairs(&self) -> usize {
        self.pairs
    }

    /// How many pairs reach the level.
    pub(super) fn findings(&self) -> usize {
        self.findings
    }

    /// How many parts the pairs come to.
    pub(super) fn parts(&self) -> usize {
        self.parts
    }

    /// All parts in their order, where all are kept.
    pub(super) fn all(self) -> Spool {
        self.all
    }

    /// The parts of each pair, the closest first, where those are kept.
    pub(super) fn closest(mut self) -> impl Iterator<Item = Vec<String>> {
        self.closest.sort_by(Piece::cmp);
        self.closest.truncate(self.most.unwrap_or(usize::MAX));
        self.closest.into_iter().map(|piece| piece.written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece((verdict, jaccard, hamming, name): (Verdict, f64, u32, &str)) -> Piece {
        let is_finding = verdict >= Verdict::NearDuplicate;
        Piece { jaccard, hamming, is_finding, ..Piece::made(verdict, vec![name.to_owned()]) }
    }

    /// In the order in which they come; the names are in that of how close they are.
    const PAIRS: [(Verdict, f64, u32, &str); 6] = [
        (Verdict::NearDuplicate, 0.5, 3, "d"),
        (Verdict::NearDuplicate, 0.5, 2, "c"),
        (Verdict::Partial, 0.9, 0, "f"),
        (Verdict::NearDuplicate, 0.6, 9, "b"),
        (Verdict::Identical, 0.0, 64, "a"),
        (Verdict::NearDuplicate, 0.5, 3, "e"),
    ];

    #[test]
    fn the_closest_come_first_and_equals_as_they_came() {
        for (most, want) in [(9, "abcdef"), (6, "abcdef"), (2, "ab"), (1, "a")] {
            let mut pieces = Pieces::closest_of(most);
            PAIRS.map(piece).into_iter().for_each(|piece| pieces.add(piece).unwrap());
            assert_eq!((pieces.pairs(), pieces.findings(), pieces.parts()), (6, 5, 6));
            assert_eq!(pieces.closest().flatten().collect::<String>(), want, "{most}");
        }
    }

    #[test]
    fn all_stand_in_the_order_in_which_they_came() {
        for (separator, want) in [("", "dcfbaexy"), (",", "d,c,f,b,a,e,x,y")] {
            let mut pieces = Pieces::all_with(separator);
            PAIRS.map(piece).into_iter().for_each(|piece| pieces.add(piece).unwrap());
            pieces.add(Piece { written: Vec::new(), ..piece(PAIRS[0]) }).unwrap();
            let two = vec!["x".to_owned(), "y".to_owned()];
            pieces.add(Piece { written: two, ..piece(PAIRS[2]) }).unwrap();
            assert_eq!((pieces.pairs(), pieces.findings(), pieces.parts()), (8, 6, 8));
            let mut written = Vec::new();
            pieces.all().write_to(&mut written).unwrap();
            assert_eq!(String::from_utf8(written).unwrap(), want);
        }
    }
}
