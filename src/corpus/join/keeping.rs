//! Selects the texts that a deduplicated corpus keeps, given the pairs and an order of preference.
//!
//! In the order of preference, a text is kept unless it is paired with one that is kept already. A
//! chain of pairs is not enough to remove a text: each removed text has a kept partner. The kept
//! texts are the lexicographically first maximal independent set of the pairs (Luby 1986, section
//! 1).

use super::clusters::REPRESENTATIVES;
use super::{Collection, Joined, Place, Side};

impl Joined<'_> {
    /// Returns for each text the kept text for which it is removed, the most preferred one if there
    /// are several; `None` if the text itself is kept. `order` contains each text once, the most
    /// preferred first.
    ///
    /// Texts with equal sets cost no more than as many single ones, because a few kept texts
    /// represent each class.
    ///
    /// # Panics
    ///
    /// If the order names a text that does not exist.
    pub fn removed(&self, order: &[u32]) -> Vec<Option<u32>> {
        let mut rank = vec![u32::MAX; self.collection.len()];
        (0..).zip(order).for_each(|(at, text)| rank[*text as usize] = at);
        let mut removed = vec![None; self.collection.len()];
        let mut classes = vec![KeptOfClass::default(); self.classes.len()];
        let mut open = Vec::new();
        for text in order {
            let (class, place) = (self.classes.of_text(*text), self.collection.place(*text));
            let is_open = self.open.binary_search(&class).is_ok();
            let known = classes[class as usize].last.filter(|(like, _)| *like == place);
            let partner = known.map(|(_, partner)| partner).or_else(|| {
                let own = self.holds_within(class).then_some(class);
                let linked = self.links_of(class).map(|(other, _)| other).chain(own);
                let of_classes = linked.map(|class| &classes[class as usize].representatives);
                let kept = of_classes.chain(is_open.then_some(&open)).filter_map(|kept| {
                    kept.iter()
                        .copied()
                        .find(|it| self.collection.place(*it).is_compared_with(place))
                });
                kept.min_by_key(|kept| rank[*kept as usize])
            });
            removed[*text as usize] = partner;
            let of_class = &mut classes[class as usize];
            if let Some(partner) = partner {
                of_class.last = Some((place, partner));
                continue;
            }
            add_representative(&mut of_class.representatives, *text, self.collection);
            if is_open {
                add_representative(&mut open, *text, self.collection);
            }
        }
        removed
    }

    /// Returns the old texts with which a text is paired, in no particular order.
    ///
    /// # Panics
    ///
    /// If there is no such text.
    pub fn old_partners(&self, text: u32) -> impl Iterator<Item = u32> {
        let (class, place) = (self.classes.of_text(text), self.collection.place(text));
        let own = self.holds_within(class).then_some(class);
        let linked = self.links_of(class).map(|(other, _)| other);
        let others = linked.chain(self.open_to(class)).chain(own);
        let compared = move |other| self.classes.comparable_with(other, place, 0, self.collection);
        others.flat_map(compared).filter(|other| self.collection.place(*other).side == Side::Old)
    }
}

/// The decisions so far on the texts of a class.
#[derive(Clone, Debug, Default)]
struct KeptOfClass {
    /// Up to [`REPRESENTATIVES`] kept texts of each side, in the order of preference. They suffice
    /// to decide on other texts: a text that is compared with any kept text of the class is
    /// compared with one of these, and the most preferred kept text is among them.
    representatives: Vec<u32>,
    /// The place of the text that was removed last, and the kept text for which it was removed. A
    /// later text at the same place is removed for the same text.
    last: Option<(Place, u32)>,
}

/// Adds a kept text to the representatives, unless every text that it is compared with is already
/// compared with one of them.
fn add_representative(representatives: &mut Vec<u32>, text: u32, collection: &Collection) {
    let place = collection.place(text);
    let same_side = || {
        representatives.iter().map(|it| collection.place(*it)).filter(|it| it.side == place.side)
    };
    let is_other = place.group.is_none() || same_side().all(|other| other != place);
    if is_other && same_side().count() < REPRESENTATIVES {
        representatives.push(text);
    }
}

/// Same as [`Joined::removed`], but for pairs of texts, in any order.
///
/// # Panics
///
/// If the order or a pair names a text whose number is not below the length of the order.
pub fn removed_by_pairs(pairs: &[(u32, u32)], order: &[u32]) -> Vec<Option<u32>> {
    let mut partners: Vec<(u32, u32)> =
        pairs.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]).collect();
    partners.sort_unstable();
    let mut is_settled = vec![false; order.len()];
    let mut removed = vec![None; order.len()];
    for text in order {
        if std::mem::replace(&mut is_settled[*text as usize], true) {
            continue;
        }
        let first = partners.partition_point(|(of, _)| of < text);
        for (_, other) in partners[first..].iter().take_while(|(of, _)| of == text) {
            if !std::mem::replace(&mut is_settled[*other as usize], true) {
                removed[*other as usize] = Some(*text);
            }
        }
    }
    removed
}
