//! The texts that a run has read, and what is known of them before pairs are searched for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use dedup_text::corpus::join::{Pair, Place as CorpusPlace, Side};
use dedup_text::corpus::{CommonStretch, Corpus, Document};
use dedup_text::display::{counted, thousands, visible};
use dedup_text::text::properties::{is_generic_name, may_be_one_person};
use dedup_text::text::{Properties, Text, display_path};

use super::found::{Age, Failures, FoundTexts, Skipped, TextOrigin};
use super::name_of;
use super::persons::{Person, is_full_name};
use crate::diagnostics::Severity;

/// What is known of a text besides its name, its place, its content and its sketch.
#[derive(Debug)]
pub(crate) struct TextFacts {
    /// The age, which decides what the text is compared with.
    pub(crate) age: Age,
    /// Whether `--focus` names the file of the text or a folder that contains it.
    pub(crate) is_in_focus: bool,
    /// Whether the text consists of several files.
    pub(crate) is_unit: bool,
    /// The person whose text it is, if a course platform's file names or a list give one.
    pub(crate) owner: Option<Box<str>>,
    /// The person who submitted the text, if a list of persons names one.
    pub(crate) person: Option<Arc<Person>>,
    /// The name that is shown for the text: that of the person, followed by the text's own name if
    /// the person has several texts. `None` if it is the text's own name.
    pub(crate) shown: Option<Box<str>>,
    /// The value by which `--keep` chooses among similar texts, if the text has the field.
    pub(crate) worth: Option<Box<str>>,
}

impl TextFacts {
    /// The facts about a text of which nothing is known.
    const UNKNOWN: Self = Self {
        age: Age::New,
        is_in_focus: false,
        is_unit: false,
        owner: None,
        person: None,
        shown: None,
        worth: None,
    };

    /// Returns the facts about a text of an index.
    pub(crate) fn of_stored(
        owner: Option<String>,
        person: Option<Arc<Person>>,
        is_unit: bool,
    ) -> Self {
        let owner = owner.map(String::into_boxed_str);
        Self { age: Age::Old, is_unit, owner, person, ..Self::UNKNOWN }
    }
}

/// The inputs that were opened as texts, in the order of the input: their unique names, their
/// places, and what is known of each.
#[derive(Debug, Default)]
pub(crate) struct KnownTexts {
    pub(crate) names: Arc<FoundTexts>,
    /// The facts about each text, numbered like the names.
    facts: Vec<TextFacts>,
    /// The number of each text of the corpus among the names.
    numbers: Vec<u32>,
}

impl KnownTexts {
    /// Joins the texts of a corpus with the facts about them, which are numbered like the names.
    pub(crate) fn new(names: FoundTexts, mut facts: Vec<TextFacts>, corpus: &Corpus) -> Self {
        name_persons(&names, &mut facts);
        let number = |document: &Document| {
            let number = position(&names, document.text.path());
            number.and_then(|number| u32::try_from(number).ok()).unwrap_or(u32::MAX)
        };
        let numbers = corpus.documents.iter().map(number).collect();
        Self { names: Arc::new(names), facts, numbers }
    }

    /// Returns the number of texts, including those that are too short to be compared.
    pub(crate) fn len(&self) -> usize {
        self.facts.len()
    }

    /// Returns the facts about all texts, in the order of the input.
    pub(crate) fn all(&self) -> &[TextFacts] {
        &self.facts
    }

    pub(crate) fn facts(&self, text: u32) -> &TextFacts {
        static UNKNOWN: TextFacts = TextFacts::UNKNOWN;
        self.position(text).and_then(|at| self.facts.get(at)).unwrap_or(&UNKNOWN)
    }

    /// Returns the place of a text of the corpus in the order of the input. `None` if there is no
    /// such text.
    pub(crate) fn position(&self, text: u32) -> Option<usize> {
        let number = *self.numbers.get(text as usize)? as usize;
        (number < self.facts.len()).then_some(number)
    }

    /// Returns the place where a text of the corpus was found. `None` if there is no such text.
    pub(crate) fn place(&self, text: u32) -> Option<&TextOrigin> {
        Some(self.names.place_of(self.position(text)?))
    }

    /// Returns the place of a path in the order of the input. `None` if there is no such text.
    pub(crate) fn position_of(&self, path: &Path) -> Option<usize> {
        position(&self.names, path)
    }

    /// Records whether `--focus` names the file of a text of the corpus.
    pub(crate) fn put_in_focus(&mut self, text: u32, is_in_focus: bool) {
        if let Some(facts) = self.position(text).and_then(|at| self.facts.get_mut(at)) {
            facts.is_in_focus = is_in_focus;
        }
    }
}

fn position(names: &FoundTexts, path: &Path) -> Option<usize> {
    // The path of a record is its name.
    let of_record = path.to_str().and_then(|name| names.number(name));
    of_record.or_else(|| names.number(&name_of(path)))
}

/// Sets the names that are shown for the texts of the persons of a list. A name that two texts would
/// have is followed by their own names.
fn name_persons(names: &FoundTexts, facts: &mut [TextFacts]) {
    let mut texts: BTreeMap<&str, usize> = BTreeMap::new();
    for person in facts.iter().filter_map(|facts| facts.person.as_deref()) {
        *texts.entry(&person.id).or_default() += 1;
    }
    let shown = |(at, facts): (usize, &TextFacts)| {
        let person = facts.person.as_deref()?;
        let of_person = person.name.as_ref()?;
        let name = names.get(at);
        let own = name.rsplit_once('/').map_or(name, |(_, own)| own);
        let is_one = facts.is_unit || texts.get(person.id.as_str()) == Some(&1);
        let shown = if is_one { of_person.clone() } else { format!("{of_person}/{own}") };
        Some((at, shown))
    };
    let mut all: Vec<(usize, String)> = facts.iter().enumerate().filter_map(shown).collect();
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    for (_, shown) in &all {
        *count.entry(shown.clone()).or_default() += 1;
    }
    for (at, shown) in &mut all {
        if count.get(shown).is_some_and(|count| *count > 1) {
            *shown = format!("{shown} ({})", names.get(*at));
        }
    }
    for (at, shown) in all {
        facts[at].shown = Some(shown.into_boxed_str());
    }
}

/// The texts that a run has read, and what is known of them before pairs are searched for.
pub(crate) struct Gathered<'r> {
    pub(crate) corpus: Corpus<'r>,
    pub(crate) skipped: Skipped,
    /// The sources that should have been texts but could not be read.
    pub(crate) failed: Failures,
    /// Whether one of these failures, or a disguise that was found, is an error rather than a
    /// warning.
    pub(crate) has_errors: bool,
    /// The severity of disguises.
    pub(crate) disguises: Severity,
    /// The inputs that were opened as texts, and what is known of each.
    pub(crate) texts: KnownTexts,
    /// Whether `--focus` is given, so that only the pairs of some texts are reported.
    pub(crate) has_focus: bool,
    /// The author names that occur in the properties of at least four documents and of at least
    /// half of those that have any, so that they identify no person.
    pub(crate) common_names: BTreeSet<String>,
    /// Opens a text again, given its path and the place where it was found; returns `None` if this
    /// is not possible.
    pub(crate) open_again: Box<dyn Fn(&Path, &TextOrigin) -> Option<Text> + Send + Sync>,
    /// The pairs that are not compared because both texts are of one group or person.
    pub(crate) grouped: GroupedPairs,
}

/// The numbers of pairs that are not compared because both texts are of one group or person.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct GroupedPairs {
    pub(crate) of_group: usize,
    pub(crate) of_person: usize,
    /// Whether there are no other pairs, so that nothing is compared.
    pub(crate) are_all: bool,
}

impl GroupedPairs {
    /// Counts the pairs, in time linear in the number of texts. `is_of_person` reports whether the
    /// group of a text is its person.
    pub(crate) fn new(
        places: impl Iterator<Item = CorpusPlace>,
        is_of_person: impl Fn(u32) -> bool,
    ) -> Self {
        let mut all = SideCounts::default();
        let mut groups: BTreeMap<u32, (u32, SideCounts)> = BTreeMap::new();
        for (place, text) in places.zip(0..) {
            all.add(place.side);
            if let Some(group) = place.group {
                groups.entry(group).or_insert((text, SideCounts::default())).1.add(place.side);
            }
        }
        let (mut of_group, mut of_person) = (0, 0);
        for (first, counts) in groups.into_values() {
            match counts.pairs() {
                0 => {}
                pairs if is_of_person(first) => of_person += pairs,
                pairs => of_group += pairs,
            }
        }
        let pairs = of_group + of_person;
        Self { of_group, of_person, are_all: pairs > 0 && pairs == all.pairs() }
    }

    /// Describes the pairs; `None` if there are none.
    pub(crate) fn described(self) -> Option<String> {
        let Self { of_group, of_person, .. } = self;
        let pairs = counted(of_group + of_person, "pair");
        match (of_group, of_person) {
            (0, 0) => None,
            (_, 0) => Some(format!("{pairs} not compared: of the same group")),
            (0, _) => Some(format!("{pairs} not compared: of the same person")),
            _ => {
                let [group, person] = [of_group, of_person].map(thousands);
                Some(format!(
                    "{pairs} not compared: {group} of the same group, {person} of the same person"
                ))
            }
        }
    }
}

/// The numbers of texts on each side.
#[derive(Clone, Copy, Debug, Default)]
struct SideCounts {
    all: usize,
    new: usize,
    old: usize,
}

impl SideCounts {
    fn add(&mut self, side: Side) {
        self.all += 1;
        match side {
            Side::New => self.new += 1,
            Side::Old => self.old += 1,
            Side::Any => {}
        }
    }

    /// Returns the number of pairs that the sides allow: new texts are not compared with each other,
    /// nor old ones.
    fn pairs(self) -> usize {
        let pairs = |texts: usize| texts * texts.saturating_sub(1) / 2;
        pairs(self.all) - pairs(self.new) - pairs(self.old)
    }
}

impl Gathered<'_> {
    /// Returns the stretches that count in no text because many texts have them, the longest first.
    pub(crate) fn set_aside(&self) -> &[CommonStretch] {
        self.corpus.common.as_ref().map_or(&[], |common| &common.stretches)
    }

    /// Reports whether every input is compared in full: nothing was skipped, nothing failed, no
    /// text is too short, and no stretch is left out because too many texts share it.
    pub(crate) fn is_whole(&self) -> bool {
        let nothing_skipped = self.skipped.counts().next().is_none();
        let nothing_common = self.set_aside().is_empty();
        nothing_skipped && nothing_common && self.failed.is_empty() && self.corpus.short.is_empty()
    }

    /// Returns the texts whose properties name a person other than their own, by number, each with
    /// sentences that say so. A name that many texts have in common comes from a template and is
    /// not counted. If only an id is known of the person, any name may be that of the person, so
    /// only the names of other persons who submitted texts count. Old texts are left out.
    pub(super) fn named_otherwise(&self) -> impl Iterator<Item = (u32, Vec<String>)> {
        let persons: BTreeSet<&str> =
            (0..).take(self.corpus.documents.len()).filter_map(|text| self.owner(text)).collect();
        let is_known =
            move |name: &str| persons.iter().any(|person| may_be_one_person(name, person));
        (0..).zip(&self.corpus.documents).filter_map(move |(number, document)| {
            let person = self.owner(number).filter(|_| !self.is_earlier(number))?;
            let listed = self.texts.facts(number).person.as_ref();
            let is_named =
                listed.is_some_and(|listed| listed.name.is_some()) || is_full_name(person);
            let is_other = |name: &str| {
                let is_own = may_be_one_person(name, person) || self.common_names.contains(name);
                !is_own && (is_named || is_known(name))
            };
            let credited = credits(&document.text).filter(|(_, name, _)| is_other(name));
            let credited: Vec<String> = credited.map(|(_, _, sentence)| sentence).collect();
            (!credited.is_empty()).then_some((number, credited))
        })
    }

    /// Returns sentences about the properties of two texts that link the two, although the texts
    /// are of different persons: one names the person of the other, or both name the same third
    /// person. Returns an empty vector if there are none, or if one person submitted both texts.
    pub(crate) fn named_in_both(&self, left: u32, right: u32) -> Vec<String> {
        let document = |number: u32| self.corpus.documents.get(number as usize);
        let (Some(of_left), Some(of_right)) = (document(left), document(right)) else {
            return Vec::new();
        };
        let persons = [left, right].map(|text| self.owner(text));
        if let [Some(one), Some(other)] = persons
            && one == other
        {
            return Vec::new();
        }
        let (left, right) = (&of_left.text, &of_right.text);
        let both = [(left, right, persons), (right, left, [persons[1], persons[0]])];
        let credited = both.into_iter().flat_map(|(text, other, [own, others])| {
            credits(text).filter(move |(_, name, _)| {
                let is_own = own.is_some_and(|own| may_be_one_person(name, own));
                let is_others = others.is_some_and(|others| may_be_one_person(name, others))
                    || credits(other).any(|(_, also, _)| may_be_one_person(name, also));
                !self.common_names.contains(*name) && is_others && !is_own
            })
        });
        credited.map(|(_, _, sentence)| sentence).collect()
    }

    /// Returns the person whose text it is, from the list of persons or else from the names of the
    /// files, without the archive or folder that may precede the name.
    fn owner(&self, text: u32) -> Option<&str> {
        let TextFacts { person, owner, .. } = self.texts.facts(text);
        let listed = person.as_ref().and_then(|person| person.name.as_deref());
        let person = listed.or(owner.as_deref())?;
        Some(person.rsplit('/').next().unwrap_or(person))
    }

    /// Returns what identifies the person whose text it is; `None` if no person is known.
    pub(crate) fn person_of(&self, text: u32) -> Option<&str> {
        let TextFacts { person, owner, .. } = self.texts.facts(text);
        person.as_ref().map(|person| &*person.id).or(owner.as_deref())
    }

    /// Returns the name of the person whose text it is; `None` if no person is known.
    pub(crate) fn name_of_person(&self, text: u32) -> Option<String> {
        let listed = self.texts.facts(text).person.as_ref().and_then(|it| it.name.as_deref());
        listed.or_else(|| self.person_of(text)).map(visible)
    }

    /// Returns the name of a text for people: that of the person who submitted it, if a list gives
    /// one.
    pub(crate) fn name(&self, text: u32) -> String {
        let shown = self.texts.facts(text).shown.as_deref().map(str::to_owned);
        let own = || display_path(self.corpus.documents[text as usize].text.path()).into_owned();
        shown.unwrap_or_else(own)
    }

    /// Reports whether the pairs of a text are reported.
    pub(crate) fn is_in_focus(&self, text: u32) -> bool {
        !self.has_focus || self.texts.facts(text).is_in_focus
    }

    /// Reports whether the pairs of at least one of two texts are reported.
    pub(crate) fn touches_focus(&self, pair: &Pair) -> bool {
        self.is_in_focus(pair.a) || self.is_in_focus(pair.b)
    }

    /// Reports whether a text was named by `--against` or `--earlier` alone, or is in an index.
    pub(crate) fn is_earlier(&self, text: u32) -> bool {
        self.texts.facts(text).age == Age::Old
    }

    /// Returns the number of texts that are compared, without [earlier](Self::is_earlier) ones.
    pub(crate) fn given(&self) -> usize {
        (0..).zip(&self.corpus.documents).filter(|(text, _)| !self.is_earlier(*text)).count()
    }

    /// Returns the number of earlier texts that are compared.
    pub(crate) fn earlier(&self) -> usize {
        self.corpus.len() - self.given()
    }

    /// Describes how many texts were compared, and with what.
    pub(crate) fn compared(&self) -> String {
        let given = format!("{} compared", counted(self.given(), "text"));
        if self.earlier() == 0 {
            return given;
        }
        let places = (0..).take(self.corpus.documents.len());
        let places = places.map(|text| self.corpus.collection.place(text).side);
        let apart = places.filter(|side| *side == Side::New).nth(1);
        let only = apart.map_or("", |_| ", not with each other (--earlier does both)");
        format!("{given} with {}{only}", counted(self.earlier(), "earlier one"))
    }

    /// Opens a text of the corpus again; `None` if this is not possible.
    pub(crate) fn open_again(&self, number: u32) -> Option<Text> {
        let path = self.corpus.documents.get(number as usize)?.text.path();
        (self.open_again)(path, self.texts.place(number)?)
    }
}

/// Returns the names that the properties of at least four texts have in common, and at least half
/// of those that have any.
pub(crate) fn common_names(corpus: &Corpus) -> BTreeSet<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut all = 0;
    for document in &corpus.documents {
        let names: BTreeSet<&str> = credits(&document.text).map(|(_, name, _)| name).collect();
        all += usize::from(!names.is_empty());
        for name in names {
            *counts.entry(name).or_default() += 1;
        }
    }
    let common = counts.into_iter().filter(|(_, count)| *count >= 4 && 2 * count >= all);
    common.map(|(name, _)| name.to_owned()).collect()
}

/// Returns the people whom the properties of a text and of its files name: for each the file, the
/// name, and a sentence. Names that do not identify a person, such as `admin`, are skipped.
fn credits(text: &Text) -> impl Iterator<Item = (&Text, &str, String)> {
    std::iter::once(text).chain(text.files()).flat_map(|file| {
        let Properties { author, last_modified_by, .. } = file.properties();
        let author = author.iter().map(|name| (name, "was written by"));
        let last =
            last_modified_by.iter().filter(|name| Some(*name) != file.properties().author.as_ref());
        let last = last.map(|name| (name, "was last saved by"));
        let named = author.chain(last).filter(|(name, _)| !is_generic_name(name));
        named.map(move |(name, says)| {
            (file, name.as_str(), format!("{} {says} {name}", display_path(file.path())))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts are those of a check of every two places.
    #[test]
    fn pairs_of_one_group_are_those_that_groups_alone_keep_apart() {
        let sides = [Side::Any, Side::New, Side::Old];
        let groups = [None, Some(0), Some(1)];
        let all: Vec<CorpusPlace> = (sides.iter())
            .flat_map(|side| groups.map(|group| CorpusPlace { group, side: *side }))
            .collect();
        let mut sets: Vec<Vec<CorpusPlace>> = vec![vec![], all.clone(), [&all[..], &all].concat()];
        for one in &all {
            for other in &all {
                sets.push(vec![*one, *other]);
                sets.push(vec![*one, *other, *other]);
            }
        }
        for places in sets {
            let (mut by_group, mut compared) = ([0, 0], 0);
            for (at, one) in places.iter().enumerate() {
                for other in &places[at + 1..] {
                    let alone = |place: &CorpusPlace| CorpusPlace { group: None, ..*place };
                    compared += usize::from(alone(one).is_compared_with(alone(other)));
                    if alone(one).is_compared_with(alone(other)) && !one.is_compared_with(*other) {
                        by_group[one.group.unwrap() as usize] += 1;
                    }
                }
            }
            let is_of_person = |text: u32| places[text as usize].group == Some(1);
            let found = GroupedPairs::new(places.iter().copied(), is_of_person);
            let [of_group, of_person] = by_group;
            let are_all = of_group + of_person > 0 && of_group + of_person == compared;
            assert_eq!(found, GroupedPairs { of_group, of_person, are_all }, "{places:?}");
        }
    }

    #[test]
    fn pairs_of_one_group_are_described_by_why() {
        let described = |of_group, of_person| {
            let pairs = GroupedPairs { of_group, of_person, are_all: false };
            pairs.described().unwrap_or_default()
        };
        assert_eq!(described(0, 0), "");
        assert_eq!(described(1, 0), "1 pair not compared: of the same group");
        assert_eq!(described(0, 1200), "1,200 pairs not compared: of the same person");
        assert_eq!(
            described(2, 3),
            "5 pairs not compared: 2 of the same group, 3 of the same person"
        );
    }
}
