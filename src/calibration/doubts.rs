//! Pairs → why limits that are chosen on them may not hold for others.

use super::{Extent, Label, Labelled};

/// Pairs of a label from which on nothing is said of their being few.
pub const ENOUGH: usize = 30;

/// A reason to doubt.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Doubt {
    /// Of all pairs, fewer than [`ENOUGH`] have a label.
    Few(Label, usize),
    /// There are no halves with both labels: limits are held against the pairs that they were
    /// chosen on.
    NotSplit,
    /// Limits are chosen on fewer than [`ENOUGH`] pairs of a label, though there are more.
    FewToChooseOn(Label, usize),
    /// Limits are held against so few.
    FewToHoldAgainst(Label, usize),
    /// A text is in more than half of the pairs: in so many.
    InMostPairs(u32, usize),
    /// No text is in a pair of either label: the labels may tell the texts apart, rather than
    /// the pairs.
    NoTextInBoth,
    /// The current limits do as well on the pairs that the best rule is held against.
    NoBetter,
}

/// The reasons, in the order of [`Doubt`]. `halves` are what limits are chosen on and held
/// against; none where there are none.
pub(super) fn of(
    pairs: &[Labelled],
    texts: usize,
    all: Extent,
    halves: Option<[Extent; 2]>,
) -> Vec<Doubt> {
    let labels = |extent: Extent| [(Label::Yes, extent.positives), (Label::No, extent.negatives)];
    let few = |extent: Extent| labels(extent).into_iter().filter(|(_, count)| *count < ENOUGH);
    let mut doubts: Vec<Doubt> = few(all).map(|(label, count)| Doubt::Few(label, count)).collect();
    match halves {
        None => doubts.push(Doubt::NotSplit),
        Some([first, second]) => {
            let is_news = |(label, _): &(Label, usize)| few(all).all(|(known, _)| known != *label);
            let first = few(first).filter(is_news);
            doubts.extend(first.map(|(label, count)| Doubt::FewToChooseOn(label, count)));
            let second = few(second).filter(is_news);
            doubts.extend(second.map(|(label, count)| Doubt::FewToHoldAgainst(label, count)));
        }
    }
    let mut counts = vec![[0_usize; 2]; texts];
    for pair in pairs {
        for text in pair.texts {
            counts[text as usize][usize::from(pair.label == Label::Yes)] += 1;
        }
    }
    let most = (0_u32..).zip(&counts).find(|(_, [no, yes])| 2 * (no + yes) > pairs.len());
    // Of two pairs one text is easily in both.
    let most = most.filter(|_| pairs.len() > 2);
    doubts.extend(most.map(|(text, [no, yes])| Doubt::InMostPairs(text, no + yes)));
    if counts.iter().all(|[no, yes]| *no == 0 || *yes == 0) {
        doubts.push(Doubt::NoTextInBoth);
    }
    doubts
}
