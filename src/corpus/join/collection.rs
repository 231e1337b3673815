//! Sketched texts, one after the other in flat arrays.

use std::borrow::Cow;
use std::hash::BuildHasher;

use super::Pair;
use super::sets::{Memory, Sets, TempFile, TempFileError};
use crate::jaccard::Overlap;
use crate::shingles::Ngrams;
use crate::simhash::Fingerprint;
use crate::sketch::Sketch;

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
///
/// Their sets are in memory, or in a temporary file where they are more than memory [is to
/// hold](Self::within). A set that cannot be read from it is
/// empty, so [`check`](Self::check) comes before an answer is given.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Collection {
    /// None where all are to be in memory.
    memory: Option<Memory>,
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
        Self { memory: None, all: Sets::new(), longest, fingerprints, places }
    }

    /// With sets in a temporary file once there is not memory enough for them.
    #[must_use]
    pub fn within(self, memory: Memory) -> Self {
        Self { memory: Some(memory), ..self }
    }

    /// Whether the temporary file could be written and read, if there is one.
    ///
    /// # Errors
    ///
    /// [`TempFileError`], the first that was met.
    pub fn check(&self) -> Result<(), TempFileError> {
        let files = [self.all.file(), self.longest.as_ref().and_then(Sets::file)];
        files.into_iter().flatten().try_for_each(TempFile::check)
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

    pub(in crate::corpus) fn add(
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
        let held = self.all.held() + self.longest.as_ref().map_or(0, Sets::held);
        if let Some(memory) = self.memory.as_ref().filter(|it| !it.holds(self.len(), held)) {
            self.all.store(memory);
            self.longest.iter_mut().for_each(|sets| sets.store(memory));
        }
        Some(number)
    }

    /// Adds a text of another collection, made with the same sizes of n-grams, at a place of its
    /// own, and returns its number; nothing is added to 2³² − 1 texts.
    pub fn push_from(&mut self, other: &Self, text: u32, place: Place) -> Option<u32> {
        let (all, longest) = (other.all(text), other.longest(text));
        self.add((&all, &longest), other.fingerprints[text as usize], place)
    }

    /// The texts in another order, as their numbers are there.
    #[must_use]
    pub fn reordered(self, order: &[u32]) -> Self {
        Self {
            fingerprints: order.iter().map(|text| self.fingerprints[*text as usize]).collect(),
            places: order.iter().map(|text| self.place(*text)).collect(),
            all: self.all.reordered(order),
            longest: self.longest.map(|sets| sets.reordered(order)),
            memory: self.memory,
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
    pub fn all(&self, text: u32) -> Cow<'_, [u64]> {
        self.all.get(text)
    }

    /// Those of the greatest size.
    pub fn longest(&self, text: u32) -> Cow<'_, [u64]> {
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

    /// How many distinct shingles a text has: of all sizes, and of the greatest.
    pub fn sizes(&self, text: u32) -> (u32, u32) {
        (self.all.size(text), self.longest_sets().size(text))
    }

    /// How many shingles two texts share: of all sizes, and of the greatest.
    pub(super) fn shared(&self, left: u32, right: u32) -> (u32, u32) {
        let shared = |sets: &Sets| {
            let overlap = Overlap::new(&sets.get(left), &sets.get(right));
            u32::try_from(overlap.shared).unwrap_or(u32::MAX)
        };
        let all = shared(&self.all);
        (all, self.longest.as_ref().map_or(all, shared))
    }
}

// Texts with equal sets as one: what holds for one of them holds for all.

/// Texts in classes of equal sets: of all sizes, of the greatest, and with repeats. Classes are
/// numbered from 0 in the order of their first texts.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Classes {
    class_of: Vec<u32>,
    starts: Vec<usize>,
    /// By class, then by side, then by number.
    members: Vec<u32>,
    /// For each member, where the next one of its class stands that is of another group, or
    /// their end. It may be on another side, where no one looks.
    next_group: Vec<u32>,
    first: Vec<u32>,
    outlooks: Vec<ClassSides>,
}

/// What all members of a class have in common of their places.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct ClassSides {
    /// The group of all.
    group: Option<u32>,
    has_new: bool,
    has_any: bool,
    has_old: bool,
}

impl ClassSides {
    fn is_all_old(self) -> bool {
        !self.has_any && !self.has_new
    }
}

impl Classes {
    /// Puts texts with equal sets together. Equal sets have equal fingerprints and sizes:
    /// only texts that have those are looked at, side by side once sorted.
    pub(super) fn new(collection: &Collection) -> Self {
        let texts = u32::try_from(collection.len()).unwrap_or(u32::MAX);
        let key =
            |text| (collection.fingerprint(text).map(|bits| bits.0), collection.all.size(text));
        let sets = |text| (collection.all(text), collection.longest(text));
        let mut sorted: Vec<_> = (0..texts).map(|text| (key(text), text)).collect();
        sorted.sort_unstable();
        let mut first_of: Vec<u32> = (0..texts).collect();
        let state = foldhash::fast::RandomState::default();
        for alike in sorted.chunk_by(|one, next| one.0 == next.0).filter(|alike| alike.len() > 1) {
            // Each set is read once to be hashed, then with the next of the same hash.
            let hash = |(_, text): &(_, u32)| (state.hash_one(sets(*text)), *text);
            let mut by_hash: Vec<(u64, u32)> = alike.iter().map(hash).collect();
            by_hash.sort_unstable();
            for alike in by_hash.chunk_by_mut(|one, next| one.0 == next.0) {
                alike.sort_by(|one, other| sets(one.1).cmp(&sets(other.1))); // stable: numbers increase
                for equal in alike.chunk_by(|one, next| sets(one.1) == sets(next.1)) {
                    for (_, text) in equal {
                        first_of[*text as usize] = equal[0].1;
                    }
                }
            }
        }
        drop(sorted);
        Self::from_firsts(&first_of, collection)
    }

    /// From the first text that each text is equal to.
    fn from_firsts(first_of: &[u32], collection: &Collection) -> Self {
        let mut class_of = Vec::with_capacity(first_of.len());
        let mut first = Vec::new();
        let mut starts = vec![0];
        for (text, equal) in (0..).zip(first_of) {
            if *equal == text {
                class_of.push(u32::try_from(first.len()).unwrap_or(u32::MAX));
                first.push(text);
                starts.push(0);
            } else {
                class_of.push(class_of[*equal as usize]);
            }
            starts[class_of[text as usize] as usize + 1] += 1;
        }
        for class in 1..starts.len() {
            starts[class] += starts[class - 1];
        }
        let mut ends = starts.clone();
        let mut members = vec![0; first_of.len()];
        for (text, class) in (0..).zip(&class_of) {
            members[ends[*class as usize]] = text;
            ends[*class as usize] += 1;
        }
        let mut classes = Self {
            class_of,
            starts,
            next_group: Vec::new(),
            members,
            outlooks: Vec::with_capacity(first.len()),
            first,
        };
        classes.look_at_places(collection);
        classes
    }

    fn look_at_places(&mut self, collection: &Collection) {
        self.next_group = vec![0; self.members.len()];
        for class in 0..self.first.len() {
            let (start, end) = (self.starts[class], self.starts[class + 1]);
            let members = &mut self.members[start..end];
            members.sort_by_key(|text| collection.place(*text).side);
            let place = |at: usize| collection.place(members[at]);
            let next_group = &mut self.next_group[start..end];
            for at in (0..members.len()).rev() {
                let is_last = at + 1 == members.len();
                let ends_group = is_last || place(at).group != place(at + 1).group;
                let next = if ends_group { at + 1 } else { next_group[at + 1] as usize };
                next_group[at] = u32::try_from(next).unwrap_or(u32::MAX);
            }
            let sides = |side| members.iter().any(|text| collection.place(*text).side == side);
            let group = place(0).group;
            let is_one = members.iter().all(|text| collection.place(*text).group == group);
            self.outlooks.push(ClassSides {
                group: group.filter(|_| is_one),
                has_new: sides(Side::New),
                has_any: sides(Side::Any),
                has_old: sides(Side::Old),
            });
        }
    }

    /// The number of classes.
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// The numbers of all classes.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + Clone + use<> {
        0..u32::try_from(self.len()).unwrap_or(u32::MAX)
    }

    /// Whether there is no class, as there is no text.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// The class of a text.
    pub fn of_text(&self, text: u32) -> u32 {
        self.class_of[text as usize]
    }

    /// The first text of a class.
    pub fn first(&self, class: u32) -> u32 {
        self.first[class as usize]
    }

    /// The texts of a class; increasing, as long as none is new or old.
    pub fn members(&self, class: u32) -> &[u32] {
        &self.members[self.starts[class as usize]..self.starts[class as usize + 1]]
    }

    /// The members of a class on a side, increasing, and for each the place of the next one
    /// of another group.
    fn section(&self, class: u32, side: Side, collection: &Collection) -> Section<'_> {
        let start = self.starts[class as usize];
        let members = self.members(class);
        let from = members.partition_point(|text| collection.place(*text).side < side);
        let to = members.partition_point(|text| collection.place(*text).side <= side);
        Section {
            members: &members[from..to],
            next_group: &self.next_group[start + from..start + to],
            from,
        }
    }

    /// The members of a class that are compared with a text at a place, from a number on,
    /// by side and then increasing. Those of its own group are skipped as a run.
    pub(super) fn comparable_with<'a>(
        &'a self,
        class: u32,
        place: Place,
        from: u32,
        collection: &'a Collection,
    ) -> impl Iterator<Item = u32> + 'a {
        Side::ALL
            .into_iter()
            .flat_map(move |side| self.facing_on(side, class, place, from, collection))
    }

    /// The first of those in all, increasing.
    pub(super) fn first_facing(
        &self,
        class: u32,
        place: Place,
        most: usize,
        collection: &Collection,
    ) -> Vec<u32> {
        let on = |side| self.facing_on(side, class, place, 0, collection).take(most);
        let mut first: Vec<u32> = Side::ALL.into_iter().flat_map(on).collect();
        first.sort_unstable();
        first.truncate(most);
        first
    }

    /// Those on one side.
    fn facing_on<'a>(
        &'a self,
        side: Side,
        class: u32,
        place: Place,
        from: u32,
        collection: &'a Collection,
    ) -> impl Iterator<Item = u32> + 'a {
        let section = self.section(class, side, collection);
        let mut at = section.members.partition_point(|text| *text < from);
        if !(Place { group: None, side }.faces(place)) {
            at = section.members.len();
        }
        std::iter::from_fn(move || {
            while let Some(text) = section.members.get(at) {
                if place.faces(collection.place(*text)) {
                    at += 1;
                    return Some(*text);
                }
                at = section.next_group[at] as usize - section.from;
            }
            None
        })
    }

    /// Whether any member of one class may be compared with any of the other; only where it
    /// cannot be is the answer sure.
    pub(super) fn may_face(&self, left: u32, right: u32) -> bool {
        let (left, right) = (self.outlooks[left as usize], self.outlooks[right as usize]);
        let in_one_group = left.group.is_some() && left.group == right.group;
        let all_new = |it: ClassSides| !it.has_any && !it.has_old;
        let on_one_side =
            all_new(left) && all_new(right) || left.is_all_old() && right.is_all_old();
        !in_one_group && !on_one_side
    }

    /// Whether all members of a class are old: it is not compared with other such classes.
    pub(super) fn is_all_old(&self, class: u32) -> bool {
        self.outlooks[class as usize].is_all_old()
    }
}

/// Members of a class on one side.
struct Section<'a> {
    members: &'a [u32],
    /// Counted from the start of the class.
    next_group: &'a [u32],
    /// Where the section starts in the class.
    from: usize,
}
