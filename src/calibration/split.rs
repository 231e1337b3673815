//! Texts in pairs → two halves, one to choose limits on and one to hold them against.
//!
//! A text is in one half alone, and a pair whose texts are not in one half is in neither. What
//! hangs together is best kept together, but where all of it does there would be no halves: so
//! it is split in three ways, and the one counts that leaves most to go by.

use super::Label;
use super::draws::Generator;

/// What is kept together.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Together {
    /// Texts that a chain of pairs joins.
    Pairs,
    /// Texts that a chain of pairs labelled yes joins.
    Positives,
    /// Nothing: each text by itself.
    Nothing,
}

/// Two halves.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Split {
    pub(super) together: Together,
    /// For each text whether it is in the second half.
    is_second: Vec<bool>,
}

/// Texts that are kept together.
#[derive(Clone, Debug, Default)]
struct Unit {
    texts: Vec<u32>,
    /// Pairs within it that are labelled no and yes.
    pairs: [usize; 2],
}

/// Two texts by their numbers, and the label of the pair.
pub(super) type Joint = ([u32; 2], Label);

/// Splits so many texts; none where one half would have no pair of one label, however it is
/// done. The cost is that of sorting.
pub(super) fn split(texts: usize, pairs: &[Joint]) -> Option<Split> {
    let mut best: Option<(usize, Split)> = None;
    for together in [Together::Pairs, Together::Positives, Together::Nothing] {
        let split = halve(units(texts, pairs, together), texts, together);
        let rarest = split.rarest(pairs);
        if rarest > best.as_ref().map_or(0, |(most, _)| *most) {
            best = Some((rarest, split));
        }
    }
    best.map(|(_, split)| split)
}

impl Split {
    /// The half of a pair, the first or the second; none where its texts are not in one.
    pub(super) fn half(&self, [one, other]: [u32; 2]) -> Option<usize> {
        let [one, other] = [one, other].map(|text| self.is_second[text as usize]);
        (one == other).then_some(usize::from(one))
    }

    /// How many pairs the rarer label has in the half with fewer of them.
    fn rarest(&self, pairs: &[Joint]) -> usize {
        let mut counts = [0; 4];
        for (texts, label) in pairs {
            if let Some(half) = self.half(*texts) {
                counts[2 * half + usize::from(*label == Label::Yes)] += 1;
            }
        }
        counts.into_iter().min().unwrap_or(0)
    }
}

/// Gives each unit to the half that has less of what it brings: those with pairs labelled yes
/// first, then those with others, then single texts; the large before the small.
fn halve(mut units: Vec<Unit>, texts: usize, together: Together) -> Split {
    Generator::of(0).shuffle(&mut units);
    units.sort_by_key(|unit| {
        let [no, yes] = unit.pairs;
        std::cmp::Reverse((yes, no, unit.texts.len()))
    });
    let mut is_second = vec![false; texts];
    // Of each half: pairs labelled no, those labelled yes, and texts.
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
    Split { together, is_second }
}

/// The texts that are in a pair, by what is kept together.
fn units(texts: usize, pairs: &[Joint], together: Together) -> Vec<Unit> {
    let mut roots = Roots((0..texts).collect());
    let mut is_in_pair = vec![false; texts];
    for ([one, other], label) in pairs {
        let [one, other] = [*one as usize, *other as usize];
        (is_in_pair[one], is_in_pair[other]) = (true, true);
        let is_joined = match together {
            Together::Pairs => true,
            Together::Positives => *label == Label::Yes,
            Together::Nothing => false,
        };
        if is_joined {
            roots.join(one, other);
        }
    }
    let mut units = vec![Unit::default(); texts];
    for text in (0..texts).filter(|text| is_in_pair[*text]) {
        let number = u32::try_from(text).expect("texts are numbered in 32 bits");
        units[roots.of(text)].texts.push(number);
    }
    for ([one, other], label) in pairs {
        let [one, other] = [roots.of(*one as usize), roots.of(*other as usize)];
        if one == other {
            units[one].pairs[usize::from(*label == Label::Yes)] += 1;
        }
    }
    units.retain(|unit| !unit.texts.is_empty());
    units
}

/// Which texts hang together (Galler and Fischer 1964): each has one that stands for it.
struct Roots(Vec<usize>);

impl Roots {
    /// The one that stands for all that hang together.
    fn of(&mut self, mut text: usize) -> usize {
        while self.0[text] != text {
            self.0[text] = self.0[self.0[text]];
            text = self.0[text];
        }
        text
    }

    fn join(&mut self, one: usize, other: usize) {
        let [one, other] = [self.of(one), self.of(other)];
        self.0[one.max(other)] = one.min(other);
    }
}

#[cfg(test)]
mod tests;
