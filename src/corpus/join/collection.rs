//! Sketched texts, one after the other in flat arrays.

use super::Pair;
use crate::jaccard::Overlap;
use crate::shingles::Ngrams;
use crate::simhash::Fingerprint;
use crate::sketch::Sketch;

/// Sets of residues, end to end. Eight bytes a residue and eight a set.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Sets {
    /// Where each set starts, and where the last one ends.
    starts: Vec<usize>,
    residues: Vec<u64>,
}

impl Sets {
    fn new() -> Self {
        Self { starts: vec![0], residues: Vec::new() }
    }

    fn push(&mut self, set: &[u64]) {
        self.residues.extend_from_slice(set);
        self.starts.push(self.residues.len());
    }

    fn append(&mut self, other: &Self) {
        let before = self.residues.len();
        self.residues.extend_from_slice(&other.residues);
        self.starts.extend(other.starts.iter().skip(1).map(|start| before + start));
    }

    /// A set: increasing, distinct residues.
    pub(super) fn get(&self, text: u32) -> &[u64] {
        let text = text as usize;
        &self.residues[self.starts[text]..self.starts[text + 1]]
    }

    /// The size of a set.
    pub(super) fn size(&self, text: u32) -> u32 {
        let text = text as usize;
        // No text has 2³² shingles: they would take 32 GiB, and its words more.
        u32::try_from(self.starts[text + 1] - self.starts[text]).unwrap_or(u32::MAX)
    }
}

/// Which side a text is on where new texts are compared with old ones only.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub enum Side {
    /// Among the new ones.
    New,
    /// On no side: it is compared with all.
    #[default]
    Any,
    /// Among the old ones.
    Old,
}

impl Side {
    /// All sides, in their order.
    pub const ALL: [Self; 3] = [Self::New, Self::Any, Self::Old];
}

/// With which others a text is not compared.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Place {
    /// The submission that it belongs to; texts of one are not compared.
    pub group: Option<u32>,
    /// New or old; texts of one side are not compared.
    pub side: Side,
}

impl Place {
    /// Whether two texts at these places are compared.
    pub fn faces(self, other: Self) -> bool {
        let in_one_group = self.group.is_some() && self.group == other.group;
        let on_one_side = self.side != Side::Any && self.side == other.side;
        !in_one_group && !on_one_side
    }
}

/// The sketches of many texts, numbered from 0 in the order in which they came.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Collection {
    pub(super) all: Sets,
    /// Those of the greatest size; none where there is one size only.
    longest: Option<Sets>,
    fingerprints: Vec<u64>,
    places: Vec<Place>,
}

impl Collection {
    /// No text yet; all that come have n-grams of these sizes.
    pub fn new(ngrams: Ngrams) -> Self {
        let longest = (ngrams.min() < ngrams.max()).then(Sets::new);
        let (fingerprints, places) = (Vec::new(), Vec::new());
        Self { all: Sets::new(), longest, fingerprints, places }
    }

    /// Adds a text and returns its number; nothing is added to 2³² − 1 texts. What it has
    /// no shingles of, it has no figures of.
    pub fn push(&mut self, sketch: &Sketch, place: Place) -> Option<u32> {
        let fingerprint = sketch.fingerprint.map_or(0, |fingerprint| fingerprint.0);
        let all = sketch.shingles.all().keys();
        let longest = self.longest.is_some().then(|| sketch.shingles.longest().keys());
        self.add((&all, longest.as_deref().unwrap_or(&all)), fingerprint, place)
    }

    /// Adds a text of which one number is known: the same number, the same text.
    pub fn push_number(&mut self, number: u64, place: Place) -> Option<u32> {
        self.add((&[number], &[number]), number, place)
    }

    pub(super) fn add(
        &mut self,
        (all, longest): (&[u64], &[u64]),
        fingerprint: u64,
        place: Place,
    ) -> Option<u32> {
        let number = u32::try_from(self.len()).ok().filter(|number| *number < u32::MAX)?;
        self.all.push(all);
        if let Some(sets) = &mut self.longest {
            sets.push(longest);
        }
        self.fingerprints.push(fingerprint);
        self.places.push(place);
        Some(number)
    }

    /// Adds the texts of another collection, made with the same sizes of n-grams, and
    /// returns the number of the first; nothing is added above 2³² − 1 texts.
    pub fn append(&mut self, other: &Self) -> Option<u32> {
        let number = u32::try_from(self.len()).ok()?;
        u32::try_from(self.len() + other.len()).ok()?;
        self.all.append(&other.all);
        if let Some((longest, other)) = self.longest.as_mut().zip(other.longest.as_ref()) {
            longest.append(other);
        }
        self.fingerprints.extend_from_slice(&other.fingerprints);
        self.places.extend_from_slice(&other.places);
        Some(number)
    }

    /// The texts in another order, as their numbers are there.
    #[must_use]
    pub fn reordered(&self, order: &[u32]) -> Self {
        let sets = |sets: &Sets| {
            let mut new =
                Sets { starts: vec![0], residues: Vec::with_capacity(sets.residues.len()) };
            for text in order {
                new.push(sets.get(*text));
            }
            new
        };
        Self {
            all: sets(&self.all),
            longest: self.longest.as_ref().map(sets),
            fingerprints: order.iter().map(|text| self.fingerprints[*text as usize]).collect(),
            places: order.iter().map(|text| self.place(*text)).collect(),
        }
    }

    /// The number of texts.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The distinct residues of a text's shingles of all sizes, increasing.
    pub fn all(&self, text: u32) -> &[u64] {
        self.all.get(text)
    }

    /// Those of the greatest size.
    pub fn longest(&self, text: u32) -> &[u64] {
        self.longest_sets().get(text)
    }

    pub(super) fn longest_sets(&self) -> &Sets {
        self.longest.as_ref().unwrap_or(&self.all)
    }

    /// Whether all shingles are the longest.
    pub(super) fn is_of_one_size(&self) -> bool {
        self.longest.is_none()
    }

    /// The fingerprint; nothing where the text has no shingles.
    pub fn fingerprint(&self, text: u32) -> Option<Fingerprint> {
        (self.all.size(text) > 0).then(|| Fingerprint(self.fingerprints[text as usize]))
    }

    /// Two texts with their figures, whatever they are; the sets of both are not empty.
    pub fn pair(&self, a: u32, b: u32) -> Pair {
        Pair::new(self, a, b, self.shared(a, b))
    }

    /// With which others a text is not compared.
    pub fn place(&self, text: u32) -> Place {
        self.places[text as usize]
    }

    /// How many shingles a text has: of all sizes, and of the greatest.
    pub(super) fn sizes(&self, text: u32) -> (u32, u32) {
        (self.all.size(text), self.longest_sets().size(text))
    }

    /// How many shingles two texts share: of all sizes, and of the greatest.
    pub(super) fn shared(&self, left: u32, right: u32) -> (u32, u32) {
        let shared = |sets: &Sets| {
            let overlap = Overlap::of(sets.get(left), sets.get(right));
            u32::try_from(overlap.shared).unwrap_or(u32::MAX)
        };
        let all = shared(&self.all);
        (all, self.longest.as_ref().map_or(all, shared))
    }
}
