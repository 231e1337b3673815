//! Answers and labels → how often they agree, and the shares that are made of it.

use crate::jaccard::Share;

/// How often answers are right, and in which way they are wrong. A pair that is drawn twice
/// counts twice.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Counts {
    /// Yes, and labelled so.
    pub true_positives: usize,
    /// Yes, but labelled no.
    pub false_positives: usize,
    /// No, but labelled yes.
    pub false_negatives: usize,
    /// No, and labelled so.
    pub true_negatives: usize,
}

impl Counts {
    /// Counts an answer so many times.
    pub(super) fn add(&mut self, (is_yes, is_labelled_yes): (bool, bool), times: usize) {
        let count = match (is_yes, is_labelled_yes) {
            (true, true) => &mut self.true_positives,
            (true, false) => &mut self.false_positives,
            (false, true) => &mut self.false_negatives,
            (false, false) => &mut self.true_negatives,
        };
        *count += times;
    }

    /// The share of the answers yes that are right; none where there is none.
    pub fn precision(&self) -> Option<Share> {
        Share::new(self.true_positives, self.true_positives + self.false_positives)
    }

    /// The share of the pairs labelled yes that are answered so; none where there is none.
    pub fn recall(&self) -> Option<Share> {
        Share::new(self.true_positives, self.true_positives + self.false_negatives)
    }

    /// The harmonic mean of precision and recall (van Rijsbergen 1979), as a share of counts; 0
    /// where one of them is not there, none where neither is.
    pub fn f1(&self) -> Option<Share> {
        let right = 2 * self.true_positives;
        Share::new(right, right + self.false_positives + self.false_negatives)
    }

    /// Pairs labelled yes.
    pub fn positives(&self) -> usize {
        self.true_positives + self.false_negatives
    }

    /// Pairs labelled no.
    pub fn negatives(&self) -> usize {
        self.false_positives + self.true_negatives
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_made_of_counts() {
        let share = Share::new;
        #[rustfmt::skip]
        let table = [
            ("nothing",             [0, 0, 0, 0], None,        None,        None),
            ("all right",           [3, 0, 0, 4], share(3, 3), share(3, 3), share(6, 6)),
            ("one too many",        [3, 1, 0, 0], share(3, 4), share(3, 3), share(6, 7)),
            ("one missed",          [3, 0, 1, 0], share(3, 3), share(3, 4), share(6, 7)),
            ("both",                [1, 2, 3, 9], share(1, 3), share(1, 4), share(2, 7)),
            ("never yes",           [0, 0, 2, 5], None,        share(0, 2), share(0, 2)),
            ("nothing to be found", [0, 2, 0, 5], share(0, 2), None,        share(0, 2)),
            ("rightly never yes",   [0, 0, 0, 5], None,        None,        None),
        ];
        for (why, [tp, fp, false_negatives, tn], precision, recall, f1) in table {
            let mut counts = Counts::default();
            counts.add((true, true), tp);
            counts.add((true, false), fp);
            counts.add((false, true), false_negatives);
            counts.add((false, false), tn);
            assert_eq!(counts.precision(), precision, "{why}, precision");
            assert_eq!(counts.recall(), recall, "{why}, recall");
            assert_eq!(counts.f1(), f1, "{why}, F1");
            assert_eq!([counts.positives(), counts.negatives()], [tp + false_negatives, fp + tn]);
        }
    }
}
