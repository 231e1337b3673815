//! What pairs come to in a format, in their order or the closest first.

use std::cmp::Ordering;

use dedup_text::jaccard::Share;
use dedup_text::verdict::Verdict;

use crate::report::Pair;

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

    /// Less where it is closer.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.verdict.cmp(&self.verdict))
            .then_with(|| other.jaccard.total_cmp(&self.jaccard))
            .then_with(|| self.hamming.cmp(&other.hamming))
    }
}

/// The pieces of pairs. Where a format shows so many at most, those that are further away are
/// counted and forgotten.
#[derive(Debug)]
pub(crate) struct Pieces {
    all: Vec<Piece>,
    most: Option<usize>,
    pairs: usize,
    findings: usize,
    parts: usize,
}

impl Pieces {
    pub(super) fn new(most: Option<usize>) -> Self {
        Self { all: Vec::new(), most, pairs: 0, findings: 0, parts: 0 }
    }

    /// Adds the next piece.
    pub(crate) fn add(&mut self, piece: Piece) {
        self.pairs += 1;
        self.findings += usize::from(piece.is_finding);
        self.parts += piece.written.len();
        if !piece.written.is_empty() {
            self.all.push(piece);
        }
        if let Some(most) = self.most.filter(|most| self.all.len() >= 2 * most) {
            self.all.sort_by(Piece::cmp);
            self.all.truncate(most);
        }
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

    /// All parts, one after the other.
    pub(super) fn concat(self) -> String {
        self.all.into_iter().flat_map(|piece| piece.written).collect()
    }

    /// All parts, parted by something.
    pub(super) fn join(self, between: &str) -> String {
        self.all.into_iter().flat_map(|piece| piece.written).collect::<Vec<_>>().join(between)
    }

    /// The parts of each pair, the closest first.
    pub(super) fn closest(mut self) -> impl Iterator<Item = Vec<String>> {
        self.all.sort_by(Piece::cmp);
        self.all.truncate(self.most.unwrap_or(usize::MAX));
        self.all.into_iter().map(|piece| piece.written)
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
        for (most, want) in [(None, "abcdef"), (Some(9), "abcdef"), (Some(2), "ab"), (Some(1), "a")]
        {
            let mut pieces = Pieces::new(most);
            PAIRS.map(piece).into_iter().for_each(|piece| pieces.add(piece));
            assert_eq!((pieces.pairs(), pieces.findings(), pieces.parts()), (6, 5, 6));
            assert_eq!(pieces.closest().flatten().collect::<String>(), want, "{most:?}");
        }
    }

    #[test]
    fn all_stand_in_the_order_in_which_they_came() {
        let pieces = || {
            let mut pieces = Pieces::new(None);
            PAIRS.map(piece).into_iter().for_each(|piece| pieces.add(piece));
            pieces.add(Piece { written: Vec::new(), ..piece(PAIRS[0]) });
            pieces
        };
        assert_eq!(pieces().concat(), "dcfbae");
        assert_eq!(pieces().join(","), "d,c,f,b,a,e");
        assert_eq!((pieces().pairs(), pieces().findings()), (7, 6));
    }
}
