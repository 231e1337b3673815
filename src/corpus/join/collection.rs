//! A collection of sketched texts in flat arrays.

use std::borrow::Cow;
use std::hash::BuildHasher;

use super::sets::{Memory, Sets, TempFile, TempFileError};
use super::{ClassPair, Condition, Pair, Traits};
use crate::interner::place;
use crate::jaccard::Overlap;
use crate::shingles::{Ngrams, Variety};
use crate::simhash::Fingerprint;
use crate::sketch::Sketch;

/// The side of a text when new texts are compared only with old ones.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Side {
    /// A new text.
    New,
    /// A text on neither side: it is compared with all others.
    #[default]
    Any,
    /// An old text.
    Old,
}

impl Side {
    /// All sides, in their order.
    pub const ALL: [Self; 3] = [Self::New, Self::Any, Self::Old];
}

/// The group and the side of a text; they decide which others it is not compared with.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub struct Place {
    /// The submission that the text belongs to. Texts of one submission are not compared.
    pub group: Option<u32>,
    /// New or old. Texts of one of these sides are not compared.
    pub side: Side,
}

impl Place {
    /// Reports whether two texts at these places are compared with each other.
    pub fn is_compared_with(self, other: Self) -> bool {
        let in_one_group = self.group.is_some() && self.group == other.group;
        let on_one_side = self.side != Side::Any && self.side == other.side;
        !in_one_group && !on_one_side
    }
}

/// The part of a sketch that a [`Collection`] keeps.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SketchKeys {
    all: Vec<u64>,
    /// `None` if all shingles are of one size.
    longest: Option<Vec<u64>>,
    fingerprint: u64,
}

impl SketchKeys {
    /// Returns the keys of the shingles of a text with n-grams of these sizes.
    pub fn new(sketch: &Sketch, ngrams: Ngrams) -> Self {
        Self {
            all: sketch.shingles.all().keys(),
            longest: (!ngrams.is_one_size()).then(|| sketch.shingles.longest().keys()),
            fingerprint: sketch.fingerprint.map_or(0, |fingerprint| fingerprint.0),
        }
    }
}

/// The sketches of many texts, numbered from 0 in the order in which they were added.
///
/// The sets are in memory, or in a temporary file if they exceed the [memory limit](Self::within).
/// A set that cannot be read from the file is empty, so call [`check`](Self::check) before you use
/// a result.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Collection {
    /// The memory limit; `None` if all sets stay in memory.
    memory: Option<Memory>,
    pub(super) all: Sets,
    /// The sets of the shingles of the greatest size; `None` if there is only one size.
    longest: Option<Sets>,
    fingerprints: Vec<u64>,
    places: Vec<Place>,
}

impl Collection {
    /// Returns an empty collection for texts with n-grams of these sizes.
    pub fn new(ngrams: Ngrams) -> Self {
        let longest = (!ngrams.is_one_size()).then(Sets::new);
        let (fingerprints, places) = (Vec::new(), Vec::new());
        Self { memory: None, all: Sets::new(), longest, fingerprints, places }
    }

    /// Sets the memory limit: the sets go to a temporary file once they exceed it.
    #[must_use]
    pub fn within(self, memory: Memory) -> Self {
        Self { memory: Some(memory), ..self }
    }

    /// Checks that the temporary file, if there is one, could be written and read.
    ///
    /// # Errors
    ///
    /// Returns the first [`TempFileError`] that occurred.
    pub fn check(&self) -> Result<(), TempFileError> {
        let files = [self.all.file(), self.longest.as_ref().and_then(Sets::file)];
        files.into_iter().flatten().try_for_each(TempFile::check)
    }

    /// Adds a text and returns its number; `None`, and nothing is added, if there are 2³² − 1 texts
    /// already. A text without shingles has no figures, and one without longest shingles has none
    /// for these.
    pub fn push(
        &mut self,
        SketchKeys { all, longest, fingerprint }: &SketchKeys,
        place: Place,
    ) -> Option<u32> {
        self.add((all, longest.as_deref().unwrap_or(all)), *fingerprint, place)
    }

    /// Adds a text that a number represents: texts with equal numbers have equal sets.
    #[cfg(test)]
    pub(super) fn push_number(&mut self, number: u64, place: Place) -> Option<u32> {
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

    /// Adds a text of another collection with the same sizes of n-grams, at the given place, and
    /// returns its number; `None`, and nothing is added, if there are 2³² − 1 texts already.
    pub fn push_from(&mut self, other: &Self, text: u32, place: Place) -> Option<u32> {
        let (all, longest) = (other.all(text), other.longest(text));
        self.add((&all, &longest), other.fingerprints[text as usize], place)
    }

    /// Returns the texts in another order: text `order[i]` becomes text `i`.
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

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Reports whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns the distinct [keys](crate::shingles::ShingleSet::keys) of a text's shingles of all
    /// sizes, increasing. The join calls them residues.
    pub fn all(&self, text: u32) -> Cow<'_, [u64]> {
        self.all.get(text)
    }

    /// Same as [`all`](Self::all), for the shingles of the greatest size.
    pub fn longest(&self, text: u32) -> Cow<'_, [u64]> {
        self.longest_sets().get(text)
    }

    pub(super) fn longest_sets(&self) -> &Sets {
        self.longest.as_ref().unwrap_or(&self.all)
    }

    /// Reports whether there is only one size, so that all shingles are the longest.
    pub(super) fn is_of_one_size(&self) -> bool {
        self.longest.is_none()
    }

    /// Returns the fingerprint of a text; `None` if it has no shingles.
    pub fn fingerprint(&self, text: u32) -> Option<Fingerprint> {
        (self.all.size(text) > 0).then(|| Fingerprint(self.fingerprints[text as usize]))
    }

    /// Returns two texts as a pair with its figures, whether or not they reach a limit. The sets of
    /// both must not be empty.
    pub fn pair(&self, a: u32, b: u32) -> Pair {
        Pair::new(self, a, b, self.shared(a, b))
    }

    /// Returns the group and the side of a text.
    pub fn place(&self, text: u32) -> Place {
        self.places[text as usize]
    }

    /// Returns the numbers of distinct shingles of a text: of all sizes, and of the greatest size.
    pub fn sizes(&self, text: u32) -> (u32, u32) {
        (self.all.size(text), self.longest_sets().size(text))
    }

    /// Returns the numbers of shingles that two texts share: of all sizes, and of the greatest
    /// size.
    pub(super) fn shared(&self, left: u32, right: u32) -> (u32, u32) {
        let shared = |sets: &Sets| {
            let overlap = Overlap::new(&sets.get(left), &sets.get(right));
            u32::try_from(overlap.shared).unwrap_or(u32::MAX)
        };
        let all = shared(&self.all);
        (all, self.longest.as_ref().map_or(all, shared))
    }
}

// Texts with equal sets as one class: what holds for one of them holds for all.

/// The classes of texts with equal sets, both of all sizes and of the greatest size. Classes are
/// numbered from 0 in the order of their first texts.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Classes {
    class_of: Vec<u32>,
    starts: Vec<usize>,
    /// The texts by class, then by side, then by number.
    members: Vec<u32>,
    /// For each member, the index within its class of the next member of another group, or the size
    /// of the class. That member may be on another side, where the index is not followed.
    next_group: Vec<u32>,
    first: Vec<u32>,
    sides: Vec<ClassSides>,
    kinds: Vec<ClassKind>,
}

/// What the members of a class have in common besides their sets.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct ClassKind {
    /// Whether all members are known to have the same words in the same order.
    has_same_words: bool,
    variety: Variety,
}

/// Returns for each text the first text with equal sets. These have equal fingerprints and sizes, so
/// only texts with both in common are compared, which are adjacent once sorted.
fn equal_sets(collection: &Collection) -> Vec<u32> {
    let texts = u32::try_from(collection.len()).unwrap_or(u32::MAX);
    let key = |text| (collection.fingerprint(text).map(|bits| bits.0), collection.all.size(text));
    let sets = |text| (collection.all(text), collection.longest(text));
    let mut sorted: Vec<_> = (0..texts).map(|text| (key(text), text)).collect();
    sorted.sort_unstable();
    let mut first_of: Vec<u32> = (0..texts).collect();
    let state = foldhash::fast::RandomState::default();
    for alike in sorted.chunk_by(|one, next| one.0 == next.0).filter(|alike| alike.len() > 1) {
        // Each set is read once to be hashed; then only sets with equal hashes are compared.
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
    first_of
}

/// The group and the sides of the members of a class.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct ClassSides {
    /// The group that all members belong to; `None` if they do not belong to the same one.
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
    pub(super) fn new(collection: &Collection) -> Self {
        Self::from_firsts(&equal_sets(collection), collection)
    }

    /// Groups texts with equal sets, but puts texts with [different words](Traits::words) in
    /// different classes if their equal sets do not prove that they are a pair: if the sets are no
    /// evidence, or if the condition has no limit that equal sets always reach. Texts that have the same words but different sets are in
    /// different classes as well.
    ///
    /// Returns the pairs of classes with the same words as well.
    pub(super) fn with_traits(
        collection: &Collection,
        traits: &Traits,
        condition: &Condition,
    ) -> (Self, Vec<ClassPair>) {
        // Equal sets may be too small to be contained in each other.
        let by_sets = condition.hamming.is_some() || condition.jaccard.is_some();
        let equal = equal_sets(collection);
        let variety = |text: u32| traits.varieties[text as usize];
        let key = |text: u32| (traits.words[text as usize], equal[text as usize], variety(text));
        let mut sorted: Vec<u32> = (0..).take(equal.len()).collect();
        sorted.sort_unstable_by_key(|text| (key(*text), *text));
        // For each text that is separated, the first text of its class.
        let mut separated = vec![None; equal.len()];
        let mut firsts: Vec<Vec<u32>> = Vec::new();
        for same_words in sorted.chunk_by(|one, next| key(*one).0 == key(*next).0) {
            let classes = || same_words.chunk_by(|one, next| key(*one) == key(*next));
            let is_alone = classes().nth(1).is_none();
            if by_sets && is_alone && variety(same_words[0]) == Variety::Varied {
                continue;
            }
            for class in classes() {
                for text in class {
                    separated[*text as usize] = Some(class[0]);
                }
            }
            if !is_alone {
                firsts.push(classes().map(|class| class[0]).collect());
            }
        }
        let mut first_of_set = vec![None; equal.len()];
        let first_of: Vec<u32> = (0..)
            .zip(&equal)
            .map(|(text, equal)| {
                let of_set = &mut first_of_set[*equal as usize];
                separated[text as usize].unwrap_or_else(|| *of_set.get_or_insert(text))
            })
            .collect();
        let mut classes = Self::from_firsts(&first_of, collection);
        classes.kinds = (classes.first.iter())
            .map(|first| ClassKind {
                has_same_words: separated[*first as usize].is_some(),
                variety: variety(*first),
            })
            .collect();
        let pairs = firsts.iter().flat_map(|firsts| {
            let class = |at: usize| classes.of_text(firsts[at]);
            let all = 0..firsts.len();
            all.flat_map(move |at| {
                (0..at).map(move |before| ClassPair::new(class(before), class(at)))
            })
        });
        let pairs = pairs.filter(|pair| classes.may_face(pair.left, pair.right)).collect();
        (classes, pairs)
    }

    /// Builds the classes from the first text that each text is equal to.
    fn from_firsts(first_of: &[u32], collection: &Collection) -> Self {
        let (mut class_of, mut first) = (Vec::with_capacity(first_of.len()), Vec::new());
        for (text, equal) in (0..).zip(first_of) {
            if *equal == text {
                class_of.push(place(first.len()));
                first.push(text);
            } else {
                class_of.push(class_of[*equal as usize]);
            }
        }
        let class = |text: &u32| class_of[*text as usize];
        let place_of = |text: &u32| collection.place(*text);
        let mut members: Vec<u32> = (0..).take(first_of.len()).collect();
        members.sort_by_key(|text| (class(text), place_of(text).side)); // stable: numbers increase
        let (mut starts, mut sides) = (vec![0], Vec::with_capacity(first.len()));
        let mut next_group: Vec<u32> = Vec::with_capacity(members.len());
        for members in members.chunk_by(|one, next| class(one) == class(next)) {
            let start = next_group.len();
            for group in members.chunk_by(|one, next| place_of(one).group == place_of(next).group) {
                let end = next_group.len() + group.len();
                next_group.resize(end, place(end - start));
            }
            starts.push(next_group.len());
            let has = |side| members.iter().any(|text| place_of(text).side == side);
            let group = place_of(&members[0]).group;
            let is_one = members.iter().all(|text| place_of(text).group == group);
            sides.push(ClassSides {
                group: group.filter(|_| is_one),
                has_new: has(Side::New),
                has_any: has(Side::Any),
                has_old: has(Side::Old),
            });
        }
        let kinds = vec![ClassKind::default(); first.len()];
        Self { class_of, starts, members, next_group, first, sides, kinds }
    }

    pub(super) fn has_same_words(&self, class: u32) -> bool {
        self.kinds[class as usize].has_same_words
    }

    pub(super) fn variety(&self, class: u32) -> Variety {
        self.kinds[class as usize].variety
    }

    /// Reports whether the sets of a class may be evidence.
    pub(super) fn has_evidence(&self, class: u32) -> bool {
        self.variety(class) != Variety::FewStems
    }

    /// Returns the number of classes.
    pub(super) fn len(&self) -> usize {
        self.first.len()
    }

    /// Returns the numbers of all classes.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + Clone + use<> {
        0..u32::try_from(self.len()).unwrap_or(u32::MAX)
    }

    /// Returns the class of a text.
    pub fn of_text(&self, text: u32) -> u32 {
        self.class_of[text as usize]
    }

    /// Returns the first text of a class.
    pub fn first(&self, class: u32) -> u32 {
        self.first[class as usize]
    }

    /// Returns the texts of a class, by side and then by number.
    pub fn members(&self, class: u32) -> &[u32] {
        &self.members[self.starts[class as usize]..self.starts[class as usize + 1]]
    }

    /// Returns the members of a class on a side, increasing, and for each the index of the next one
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

    /// Returns the members of a class that are compared with a text at a place, and whose number is
    /// at least `from`: by side, and then increasing. A run of members of the text's own group is
    /// skipped in one step.
    pub(super) fn comparable_with<'a>(
        &'a self,
        class: u32,
        place: Place,
        from: u32,
        collection: &'a Collection,
    ) -> impl Iterator<Item = u32> + 'a {
        Side::ALL
            .into_iter()
            .flat_map(move |side| self.comparable_side(side, class, place, from, collection))
    }

    /// Returns the first `limit` members of a class that are compared with a text at a place,
    /// increasing.
    pub(super) fn first_facing(
        &self,
        class: u32,
        place: Place,
        limit: usize,
        collection: &Collection,
    ) -> Vec<u32> {
        let on = |side| self.comparable_side(side, class, place, 0, collection).take(limit);
        let mut first: Vec<u32> = Side::ALL.into_iter().flat_map(on).collect();
        first.sort_unstable();
        first.truncate(limit);
        first
    }

    /// Returns the members that [`comparable_with`](Self::comparable_with) returns for one side.
    fn comparable_side<'a>(
        &'a self,
        side: Side,
        class: u32,
        place: Place,
        from: u32,
        collection: &'a Collection,
    ) -> impl Iterator<Item = u32> + 'a {
        let section = self.section(class, side, collection);
        let mut at = section.members.partition_point(|text| *text < from);
        if !(Place { group: None, side }.is_compared_with(place)) {
            at = section.members.len();
        }
        std::iter::from_fn(move || {
            while let Some(text) = section.members.get(at) {
                if place.is_compared_with(collection.place(*text)) {
                    at += 1;
                    return Some(*text);
                }
                at = section.next_group[at] as usize - section.from;
            }
            None
        })
    }

    /// Reports whether any member of one class may be compared with any of another. `false` is
    /// certain, `true` is not.
    pub(super) fn may_face(&self, left: u32, right: u32) -> bool {
        let (left, right) = (self.sides[left as usize], self.sides[right as usize]);
        let in_one_group = left.group.is_some() && left.group == right.group;
        let all_new = |it: ClassSides| !it.has_any && !it.has_old;
        let on_one_side =
            all_new(left) && all_new(right) || left.is_all_old() && right.is_all_old();
        !in_one_group && !on_one_side
    }

    /// Reports whether all members of a class are old, so that it is not compared with other
    /// classes of old texts.
    pub(super) fn is_all_old(&self, class: u32) -> bool {
        self.sides[class as usize].is_all_old()
    }
}

/// The members of a class on one side.
struct Section<'a> {
    members: &'a [u32],
    /// Indices from the start of the class.
    next_group: &'a [u32],
    /// The start of the section within the class.
    from: usize,
}
