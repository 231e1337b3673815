//! Splits the texts of pairs in two halves, one to choose limits on and one to evaluate them on.
//!
//! A text is in one half only, and a pair whose texts are not in the same half is in neither. Texts
//! that pairs connect should be in the same half, but if all texts are connected, there are no two
//! halves. So three splits are tried, which keep more or fewer texts together,
//! and the one is used in which the rarest label has the most pairs in a half.

use super::Label;
use super::random::Generator;
use crate::forest::Forest;

#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Split {
    /// For each text, whether it is in the second half.
    is_second: Vec<bool>,
}

/// Texts that are kept together.
#[derive(Clone, Debug, Default)]
struct Unit {
    texts: Vec<u32>,
    /// The numbers of pairs within the unit that are labelled no and yes.
    pairs: [usize; 2],
}

/// The numbers of the two texts of a pair, and its label.
pub(super) type LabelledTexts = ([u32; 2], Label);

/// Splits the texts in two halves; `None` if, in each of the three ways, one half would have no
/// pair of one label. The cost is that of sorting.
pub(super) fn split(texts: usize, pairs: &[LabelledTexts]) -> Option<Split> {
    let mut best: Option<(usize, Split)> = None;
    // What is kept together: texts that are connected by a chain of pairs, by a chain of pairs
    // labelled yes, or none.
    let are_joined: [fn(Label) -> bool; 3] = [|_| true, |label| label == Label::Yes, |_| false];
    for are_joined in are_joined {
        let split = halve(units(texts, pairs, are_joined), texts);
        let rarest = split.rarest(pairs);
        if rarest > best.as_ref().map_or(0, |(most, _)| *most) {
            best = Some((rarest, split));
        }
    }
    best.map(|(_, split)| split)
}

impl Split {
    /// Returns the half (0 or 1) that a pair is in; `None` if its texts are not in the same half.
    pub(super) fn half(&self, [one, other]: [u32; 2]) -> Option<usize> {
        let [one, other] = [one, other].map(|text| self.is_second[text as usize]);
        (one == other).then_some(usize::from(one))
    }

    /// Returns the smallest number of pairs that any label has in any half.
    fn rarest(&self, pairs: &[LabelledTexts]) -> usize {
        let mut counts = [0; 4];
        for (texts, label) in pairs {
            if let Some(half) = self.half(*texts) {
                counts[2 * half + usize::from(*label == Label::Yes)] += 1;
            }
        }
        counts.into_iter().min().unwrap_or(0)
    }
}

/// Assigns each unit to the half that has less of what the unit has. Units with pairs labelled yes
/// come first, then units with other pairs, then single texts; the large before the small.
fn halve(mut units: Vec<Unit>, texts: usize) -> Split {
    Generator::new(0).shuffle(&mut units);
    units.sort_by_key(|unit| {
        let [no, yes] = unit.pairs;
        std::cmp::Reverse((yes, no, unit.texts.len()))
    });
    let mut is_second = vec![false; texts];
    // For each half: the numbers of pairs labelled no, of pairs labelled yes, and of texts.
    let mut has = [[0_usize; 3]; 2];
    for unit in units {
        let [no, yes] = unit.pairs;
        let first = if yes > 0 {
            1
        } else if no > 0 {
            0
        } else {
            2
        };
        let load = |half: usize| [has[half][first], has[half][2]];
        let half = usize::from(load(1) < load(0));
        for text in &unit.texts {
            is_second[*text as usize] = half == 1;
        }
        has[half] = [has[half][0] + no, has[half][1] + yes, has[half][2] + unit.texts.len()];
    }
    Split { is_second }
}

/// Groups the texts that are in a pair into units of what is kept together.
fn units(texts: usize, pairs: &[LabelledTexts], are_joined: fn(Label) -> bool) -> Vec<Unit> {
    let numbers = 0..u32::try_from(texts).expect("texts are numbered in 32 bits");
    let mut forest = Forest::new(numbers.end);
    let mut is_in_pair = vec![false; texts];
    for ([one, other], label) in pairs {
        (is_in_pair[*one as usize], is_in_pair[*other as usize]) = (true, true);
        if are_joined(*label) {
            forest.unite(*one, *other);
        }
    }
    let mut units = vec![Unit::default(); texts];
    for text in numbers.filter(|text| is_in_pair[*text as usize]) {
        units[forest.root(text) as usize].texts.push(text);
    }
    for ([one, other], label) in pairs {
        let [one, other] = [forest.root(*one), forest.root(*other)];
        if one == other {
            units[one as usize].pairs[usize::from(*label == Label::Yes)] += 1;
        }
    }
    units.retain(|unit| !unit.texts.is_empty());
    units
}

#[cfg(test)]
mod tests;
