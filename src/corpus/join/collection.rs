//! Sketched texts, one after the other in flat arrays.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use super::Pair;
use crate::jaccard::Overlap;
use crate::parallel;
use crate::shingles::Ngrams;
use crate::simhash::Fingerprint;
use crate::sketch::Sketch;

/// Sets of residues. Eight bytes a residue and twelve a set.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    /// Where each set starts among the residues, in any order.
    starts: Vec<usize>,
    sizes: Vec<u32>,
    residues: Vec<u64>,
}

impl PartialEq for Sets {
    fn eq(&self, other: &Self) -> bool {
        self.sizes == other.sizes && self.each().eq(other.each())
    }
}

impl Eq for Sets {}

impl Sets {
    fn new() -> Self {
        Self { starts: Vec::new(), sizes: Vec::new(), residues: Vec::new() }
    }

    fn push(&mut self, set: &[u64]) {
        self.starts.push(self.residues.len());
        // No text has 2³² shingles: they would take 32 GiB, and its words more.
        self.sizes.push(u32::try_from(set.len()).unwrap_or(u32::MAX));
        self.residues.extend_from_slice(set);
    }

    fn append(&mut self, other: &Self) {
        let before = self.residues.len();
        self.residues.extend_from_slice(&other.residues);
        self.starts.extend(other.starts.iter().map(|start| before + start));
        self.sizes.extend_from_slice(&other.sizes);
    }

    /// The sets in another order, as their numbers are there. The residues stay where they are.
    fn reordered(self, order: &[u32]) -> Self {
        Self {
            starts: order.iter().map(|text| self.starts[*text as usize]).collect(),
            sizes: order.iter().map(|text| self.sizes[*text as usize]).collect(),
            residues: self.residues,
        }
    }

    fn each(&self) -> impl Iterator<Item = &[u64]> {
        let set = |(start, size): (&usize, &u32)| &self.residues[*start..*start + *size as usize];
        self.starts.iter().zip(&self.sizes).map(set)
    }

    /// A set: increasing, distinct residues.
    pub(super) fn get(&self, text: u32) -> &[u64] {
        let start = self.starts[text as usize];
        &self.residues[start..start + self.size(text) as usize]
    }

    /// The size of a set.
    pub(super) fn size(&self, text: u32) -> u32 {
        self.sizes[text as usize]
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

    /// Adds a text of another collection, made with the same sizes of n-grams, at a place of its
    /// own, and returns its number; nothing is added to 2³² − 1 texts.
    pub fn push_from(&mut self, other: &Self, text: u32, place: Place) -> Option<u32> {
        let sets = (other.all(text), other.longest(text));
        self.add(sets, other.fingerprints[text as usize], place)
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
    pub fn reordered(self, order: &[u32]) -> Self {
        Self {
            fingerprints: order.iter().map(|text| self.fingerprints[*text as usize]).collect(),
            places: order.iter().map(|text| self.place(*text)).collect(),
            all: self.all.reordered(order),
            longest: self.longest.map(|sets| sets.reordered(order)),
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
            let overlap = Overlap::new(sets.get(left), sets.get(right));
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
        for alike in sorted.chunk_by_mut(|one, next| one.0 == next.0) {
            alike.sort_by(|one, other| sets(one.1).cmp(&sets(other.1))); // stable: numbers increase
            for equal in alike.chunk_by(|one, next| sets(one.1) == sets(next.1)) {
                for (_, text) in equal {
                    first_of[*text as usize] = equal[0].1;
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
        let all_old = |it: ClassSides| !it.has_any && !it.has_new;
        let on_one_side = all_new(left) && all_new(right) || all_old(left) && all_old(right);
        !in_one_group && !on_one_side
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

// Rows of residues, dealt out to columns: those with the same top bits stand together.
//
// A table with a place for each of millions of residues is far larger than a cache, and a
// look at it for each residue of each row is a look at the memory. A column needs a small
// part of the table only.

/// What the rows have in a column, by stretch of rows; in a stretch in their order.
pub(super) type Column<T> = Vec<Vec<T>>;

/// Stretches into which rows are cut: the unit of work, whatever the number of threads.
const STRETCHES: usize = 16;

/// The number of rows in a stretch.
pub(super) fn stretch(rows: usize) -> usize {
    rows.div_ceil(STRETCHES).max(1)
}

/// Distributes what `partition` gives of each row, by its residue, to `2^bits` columns, of which
/// only `kept` are made. Their capacity is that for `count` in all `2^bits`, and a little more.
pub(super) fn partition<R: Sync, T: Send>(
    rows: &[R],
    (bits, kept, count): (u32, Range<usize>, usize),
    threads: NonZeroUsize,
    partition: impl Fn(usize, &R, &mut Partitions<T>) + Sync,
) -> Vec<Column<T>> {
    let expected = count / STRETCHES / (1 << bits);
    let stretch = stretch(rows.len());
    let stretches = rows.chunks(stretch).enumerate();
    let dealt = parallel::each(
        threads,
        stretches,
        || (),
        |(), (number, rows)| {
            let mut partitions = Partitions { columns: Vec::new(), first: kept.start, bits };
            partitions
                .columns
                .resize_with(kept.len(), || Vec::with_capacity(expected + expected / 8));
            for (row, content) in (number * stretch..).zip(rows) {
                partition(row, content, &mut partitions);
            }
            partitions.columns
        },
    );
    let mut columns: Vec<Column<T>> = Vec::new();
    columns.resize_with(kept.len(), Vec::new);
    for stretch in dealt {
        for (column, part) in columns.iter_mut().zip(stretch) {
            column.push(part);
        }
    }
    columns
}

/// Where a stretch is dealt to.
pub(super) struct Partitions<T> {
    columns: Vec<Vec<T>>,
    /// The number of the first of them.
    first: usize,
    bits: u32,
}

impl<T> Partitions<T> {
    /// Gives something to the column of a residue, which is one of those that are made.
    pub(super) fn give(&mut self, residue: u64, it: T) {
        self.columns[column_of(residue, self.bits) - self.first].push(it);
    }
}

/// The column of a residue: its top bits, of which there may be none.
pub(super) fn column_of(residue: u64, bits: u32) -> usize {
    (residue >> 1 >> (u64::BITS - 1 - bits)) as usize
}

/// The place of a residue in its column: the bits after those, 1 to 32.
pub(super) fn slot(residue: u64, bits: u32, slot_bits: u32) -> u32 {
    let [.., a, b, c, d] = ((residue << bits) >> (u64::BITS - slot_bits)).to_be_bytes();
    u32::from_be_bytes([a, b, c, d])
}

/// The logarithm of the number of columns, so that each has about `size` of the residues.
pub(super) fn bits(residues: usize, size: usize) -> u32 {
    (residues / size).checked_ilog2().map_or(0, |log| log + 1).min(MOST_BITS)
}

/// Bits that choose the column, at most.
const MOST_BITS: u32 = 12;

// The classes that have a set, by its size, and their residues by how rare they are.

/// The classes that have a set, by its size.
pub(super) struct Ranked<'a> {
    pub(super) of: &'a Classes,
    pub(super) classes: Vec<u32>,
    pub(super) sets: Vec<&'a [u64]>,
    pub(super) sizes: Vec<u32>,
}

impl<'a> Ranked<'a> {
    pub(super) fn new(sets: &'a Sets, of: &'a Classes) -> Self {
        let size = |class: u32| sets.size(of.first(class));
        let mut classes: Vec<u32> = of.numbers().filter(|class| size(*class) > 0).collect();
        classes.sort_by_key(|class| size(*class));
        let sizes = classes.iter().map(|class| size(*class)).collect();
        let sets = classes.iter().map(|class| sets.get(of.first(*class))).collect();
        Self { of, classes, sets, sizes }
    }

    /// The first of the sets below a rank that has at least `least_size` members.
    pub(super) fn smallest(&self, least_size: u32, rank: usize) -> usize {
        self.sizes[..rank].partition_point(|size| *size < least_size)
    }

    /// How many residues the sets of some ranks have: what looking them up costs goes with it.
    pub(super) fn residues(&self, ranks: Range<usize>) -> u64 {
        self.sizes[ranks].iter().map(|size| u64::from(*size)).sum()
    }

    /// The residues of each set that may be in another, and have at least `least_rest` of the set's size
    /// behind them, 1 or more; rarest first.
    pub(super) fn tokens(
        &self,
        least_rest: impl Fn(u32) -> u32 + Sync,
        threads: NonZeroUsize,
    ) -> Vec<Tokens> {
        let Steps { of_stretches, bits } = Steps::new(&self.sets, threads);
        let stretches = self.sets.chunks(stretch(self.sets.len())).zip(of_stretches);
        parallel::each(
            threads,
            stretches,
            || (),
            |(), (stretch, steps)| Tokens::new(stretch, &least_rest, Reader::new(steps, bits)),
        )
    }
}

/// The tokens of a stretch of sets, end to end.
pub(super) struct Tokens {
    /// Where those of each set end, and of how many.
    ends: Vec<(usize, u32)>,
    tokens: Vec<Token>,
}

impl Tokens {
    fn new(stretch: &[&[u64]], least_rest: impl Fn(u32) -> u32, mut reader: Reader) -> Self {
        let (mut ends, mut tokens) = (Vec::with_capacity(stretch.len()), Vec::new());
        for set in stretch {
            let size = u32::try_from(set.len()).unwrap_or(u32::MAX);
            let shared = reader.tokens(set, least_rest(size), &mut tokens);
            ends.push((tokens.len(), shared));
        }
        tokens.shrink_to_fit();
        Self { ends, tokens }
    }

    /// Those of one set after the other.
    pub(super) fn each(&self) -> impl Iterator<Item = Row<'_>> {
        let starts = [0].into_iter().chain(self.ends.iter().map(|(end, _)| *end));
        let row = |(start, (end, shared)): (usize, &(usize, u32))| Row {
            tokens: &self.tokens[start..*end],
            shared: *shared,
        };
        starts.zip(&self.ends).map(row)
    }
}

// How often residues occur, roughly, and the order that follows: rarest first.

/// A rough count of how many sets have each residue, in [steps](step) of one byte.
///
/// Residues with the same top bits share a counter, so a count may be too high, and it
/// stops at 65,535. Any fixed order of the residues makes the filters exact; the count has
/// only to make the rare ones come first, and where it says one, no two sets share the
/// residue.
pub(super) struct Steps {
    /// One at a time is read and freed.
    of_stretches: Vec<StretchSteps>,
    /// The top bits that are a column.
    bits: u32,
}

/// Residues that are counted at a time.
const COLUMN: usize = if cfg!(test) { 32 } else { 1 << 17 };

/// Columns that are counted in one pass over the rows: four bytes for each of their residues.
const AT_ONCE: usize = if cfg!(test) { 3 } else { 128 };

/// The bits that choose the counter within a column: 2¹⁹ of two bytes fit a cache.
const MOST_COUNTER_BITS: u32 = if cfg!(test) { 3 } else { 19 };

impl Steps {
    /// Counts the residues of increasing rows.
    pub(super) fn new(rows: &[&[u64]], threads: NonZeroUsize) -> Self {
        let residues: usize = rows.iter().map(|row| row.len()).sum();
        let bits = bits(residues, COLUMN);
        let counter_bits = (residues.max(1).ilog2() + 2).min(MOST_COUNTER_BITS);
        // Columns are increasing, and so are the residues of a row: each pass goes on from here.
        let passed: Vec<AtomicU32> = rows.iter().map(|_| AtomicU32::new(0)).collect();
        let stretch_steps = |rows: &[&[u64]]| StretchSteps {
            steps: Vec::with_capacity(rows.iter().map(|row| row.len()).sum()),
            starts: Vec::with_capacity(1 << bits),
        };
        let mut of_stretches: Vec<StretchSteps> =
            rows.chunks(stretch(rows.len())).map(stretch_steps).collect();
        for first in (0..1 << bits).step_by(AT_ONCE) {
            let kept = first..(first + AT_ONCE).min(1 << bits);
            let end = kept.end;
            let slots = partition(rows, (bits, kept, residues), threads, |at, row, partitions| {
                let mut passed_now = passed[at].load(Ordering::Relaxed);
                for residue in &row[passed_now as usize..] {
                    if column_of(*residue, bits) >= end {
                        break;
                    }
                    partitions.give(*residue, slot(*residue, bits, counter_bits));
                    passed_now += 1;
                }
                passed[at].store(passed_now, Ordering::Relaxed);
            });
            let columns = parallel::each(threads, slots, Vec::new, |counters, column| {
                counters.clear();
                counters.resize(1 << counter_bits, 0_u16);
                for slot in column.iter().flatten() {
                    let counter = &mut counters[*slot as usize];
                    *counter = counter.saturating_add(1);
                }
                let steps = |slots: &Vec<u32>| {
                    slots.iter().map(|slot| step(counters[*slot as usize])).collect()
                };
                column.iter().map(steps).collect::<Column<u8>>()
            });
            for column in columns {
                for (of_stretch, steps) in of_stretches.iter_mut().zip(&column) {
                    of_stretch.starts.push(of_stretch.steps.len());
                    of_stretch.steps.extend_from_slice(steps);
                }
            }
        }
        Self { of_stretches, bits }
    }
}

/// The steps of the residues of a stretch, column by column, end to end; in a column in the order
/// of the rows.
struct StretchSteps {
    steps: Vec<u8>,
    /// Where each column starts.
    starts: Vec<usize>,
}

/// Where a residue that may be in another set stands in the one order of all, rarest first: by
/// its [step], then by all of its bits but the lowest eight. Two that differ in those alone stand
/// at one place, so that what is counted by tokens may be too much, never too little.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Token(u64);

impl Token {
    pub(super) fn new(step: u8, residue: u64) -> Self {
        Self(u64::from(step) << 56 | residue >> 8)
    }

    /// The residue but for its lowest bits, which are 0.
    pub(super) fn residue(self) -> u64 {
        self.0 << 8
    }
}

/// The tokens of a set that have enough behind them, rarest first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    pub(super) tokens: &'a [Token],
    /// How many residues of the set may be in another.
    pub(super) shared: u32,
}

impl<'a> Row<'a> {
    /// How many residues of the set are as frequent as that of a token or more, itself among
    /// them.
    pub(super) fn rest(self, at: usize) -> u32 {
        self.shared.saturating_sub(u32::try_from(at).unwrap_or(u32::MAX))
    }

    /// The tokens that have at least `least_rest` members behind them, 1 or more.
    pub(super) fn kept(self, least_rest: u32) -> &'a [Token] {
        let kept = (self.shared + 1).saturating_sub(least_rest) as usize;
        &self.tokens[..self.tokens.len().min(kept)]
    }

    /// Each with what is behind it.
    pub(super) fn each(self) -> impl Iterator<Item = (Token, u32)> {
        self.tokens.iter().copied().zip((0..=self.shared).rev())
    }
}

/// Reads the steps of the rows of a stretch one after the other.
pub(super) struct Reader {
    of_columns: Vec<u8>,
    /// Where the next step of each column stands.
    next: Vec<usize>,
    bits: u32,
    steps: Vec<u8>,
}

impl Reader {
    fn new(steps: StretchSteps, bits: u32) -> Self {
        Self { of_columns: steps.steps, next: steps.starts, bits, steps: Vec::new() }
    }

    /// Adds the residues of the next row that may be in another and have enough behind
    /// them, rarest first, and says how many may be in another. What is enough is 1 at least, the
    /// residue itself.
    ///
    /// Rarest first is the order of (step, residue). A row is increasing, so a stable
    /// counting sort by step alone makes it.
    pub(super) fn tokens(&mut self, row: &[u64], least_rest: u32, tokens: &mut Vec<Token>) -> u32 {
        let mut places = [0_u32; 256];
        self.steps.clear();
        for residue in row {
            let next = &mut self.next[column_of(*residue, self.bits)];
            let step = self.of_columns.get(*next).copied().unwrap_or_default();
            *next += 1;
            places[usize::from(step)] += 1;
            self.steps.push(step);
        }
        let mut rest = 0;
        for place in places.iter_mut().rev() {
            rest += *place;
            *place = rest;
        }
        let shared = places[2];
        let kept = (shared + 1).saturating_sub(least_rest) as usize;
        let before = tokens.len();
        tokens.resize(before + kept, Token::default());
        for (residue, step) in row.iter().zip(&self.steps) {
            let place = &mut places[usize::from(*step)];
            let rest = *place;
            *place -= 1;
            if *step > 1 && rest >= least_rest {
                tokens[before + (shared - rest) as usize] = Token::new(*step, *residue);
            }
        }
        shared
    }
}

/// How frequent a count is, in 208 steps: below 16 it is itself, and above there are 16
/// steps to each doubling.
fn step(count: u16) -> u8 {
    let [_, low] = count.to_be_bytes();
    let Some(doublings) = count.checked_ilog2().and_then(|log| log.checked_sub(4)) else {
        return low;
    };
    let [_, sixteenths] = ((count >> doublings) & 15).to_be_bytes();
    let [.., doublings] = doublings.to_be_bytes();
    16 + 16 * doublings + sixteenths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_counts_below_16_and_then_sixteen_to_each_doubling() {
        let counts = [0, 1, 15, 16, 17, 31, 32, 33, 34, 63, 64, 67, 68, 1 << 15, u16::MAX];
        let steps = [0, 1, 15, 16, 17, 31, 32, 32, 33, 47, 48, 48, 49, 192, 207];
        assert_eq!(counts.map(step), steps);
    }

    #[test]
    fn tokens_stand_rarest_first_and_then_by_all_of_a_residue_but_its_lowest_bits() {
        let residue = 0x1234_5678_9abc_def0;
        assert_eq!(Token::new(2, residue).residue(), 0x1234_5678_9abc_de00);
        assert!(Token::new(2, u64::MAX) < Token::new(3, residue));
        assert!(Token::new(3, residue) < Token::new(3, residue + 0x100));
        assert_eq!(Token::new(3, residue), Token::new(3, residue + 1));
    }
}
