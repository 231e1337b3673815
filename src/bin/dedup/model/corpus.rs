//! Plain data about the texts of a corpus and the pairs that were found among them, for the
//! renderers.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use clap::ValueEnum;
use dedup_text::corpus::join::{Pair, Place as CorpusPlace, Side as CorpusSide};
use dedup_text::corpus::preference::Keep;
use dedup_text::corpus::{Collisions, CommonStretch, Corpus, Document, FoundPairs};
use dedup_text::display::{counted, thousands};
use dedup_text::jaccard::{Overlap, Share};
use dedup_text::pair::Recipe;
use dedup_text::pair::warnings::{Warning, described};
use dedup_text::pair::{Judgement, Matches};
use dedup_text::text::properties::{is_generic_name, may_be_one_person};
use dedup_text::text::{Place, Properties, Side, Text, display_path};
use dedup_text::verdict::Verdict;
use serde::Serialize;

use super::found::{Age, Failures, FoundTexts, Place as FoundPlace, Skipped};
use super::names::{Names, Visibility};
use super::persons::{Person, Persons, is_full_name};
use super::{Color, disguises, name_of};
use crate::diagnostics::Severity;

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
    /// The person whose text it is, for each text, by its name; only for the texts whose file names
    /// or list of persons give one.
    pub(crate) owners: BTreeMap<String, String>,
    /// The author names that occur in the properties of at least four documents and of at least
    /// half of those that have any, so that they identify no person; computed on first use.
    pub(crate) common_names: OnceLock<BTreeSet<String>>,
    /// The value by which `--keep` chooses among similar texts, by the name of the text; only for
    /// the texts that have the field.
    pub(crate) worth: BTreeMap<String, String>,
    /// The ages of the texts, which decide what each is compared with, in the order of the input.
    pub(crate) ages: Vec<Age>,
    /// Whether the pairs of each text are reported, in the order of the input; `None` if those of
    /// all texts are.
    pub(crate) in_focus: Option<Vec<bool>>,
    /// Opens a text again, given its path and the place where it was found; returns `None` if this
    /// is not possible.
    pub(crate) open_again: Box<dyn Fn(&Path, &FoundPlace) -> Option<Text> + Send + Sync>,
    /// The names of the texts, each with the place where it was found.
    pub(crate) found_at: Arc<FoundTexts>,
    /// The persons who submitted the texts, if there is a list of persons.
    pub(crate) persons: Persons,
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
    fn add(&mut self, side: CorpusSide) {
        self.all += 1;
        match side {
            CorpusSide::New => self.new += 1,
            CorpusSide::Old => self.old += 1,
            CorpusSide::Any => {}
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
    /// Reports whether every input is compared in full: nothing was skipped, nothing failed, no
    /// text is too short, and no stretch is left out because too many texts share it.
    pub(crate) fn is_whole(&self) -> bool {
        let nothing_skipped = self.skipped.counts().next().is_none();
        let nothing_common = self.corpus.common.is_empty();
        nothing_skipped && nothing_common && self.failed.is_empty() && self.corpus.short.is_empty()
    }

    /// Returns the texts with disguises, by number, each with descriptions of the disguises that
    /// were undone, the first one of each kind.
    pub(crate) fn disguised(&self) -> impl Iterator<Item = (u32, Vec<String>)> {
        let numbered = (0..).zip(&self.corpus.documents);
        numbered.filter_map(|(number, document)| {
            let found: Vec<String> = disguises(&document.text).map(described).collect();
            (!found.is_empty()).then_some((number, found))
        })
    }

    /// Returns the texts whose properties name a person other than their own, by number, each with
    /// sentences that say so. A name that many texts have in common comes from a template and is
    /// not counted. If only an id is known of the person, any name may be that of the person, so
    /// only the names of other persons who submitted texts count. Old texts are left out.
    pub(crate) fn named_otherwise(&self) -> impl Iterator<Item = (u32, Vec<String>)> {
        let common = self.common_names();
        let texts = self.corpus.documents.iter().map(|document| &document.text);
        let persons: BTreeSet<&str> = texts.filter_map(|text| self.person(text)).collect();
        let is_known =
            move |name: &str| persons.iter().any(|person| may_be_one_person(name, person));
        (0..).zip(&self.corpus.documents).filter_map(move |(number, document)| {
            let person =
                self.person(&document.text).filter(|_| !self.is_only_against(&document.text))?;
            let listed = self.persons.of(&document.text);
            let is_named =
                listed.is_some_and(|listed| listed.name.is_some()) || is_full_name(person);
            let is_other = |name: &str| {
                let is_own = may_be_one_person(name, person) || common.contains(name);
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
        let (Some(left), Some(right)) = (document(left), document(right)) else {
            return Vec::new();
        };
        let (left, right) = (&left.text, &right.text);
        let persons = [self.person(left), self.person(right)];
        if let [Some(one), Some(other)] = persons
            && one == other
        {
            return Vec::new();
        }
        let common = self.common_names();
        let both = [(left, right, persons), (right, left, [persons[1], persons[0]])];
        let credited = both.into_iter().flat_map(|(text, other, [own, others])| {
            credits(text).filter(move |(_, name, _)| {
                let is_own = own.is_some_and(|own| may_be_one_person(name, own));
                let is_others = others.is_some_and(|others| may_be_one_person(name, others))
                    || credits(other).any(|(_, also, _)| may_be_one_person(name, also));
                !common.contains(*name) && is_others && !is_own
            })
        });
        credited.map(|(_, _, sentence)| sentence).collect()
    }

    /// Returns the person whose text it is, from the list of persons or else from the names of the
    /// files, without the archive or folder that may precede the name.
    fn person(&self, text: &Text) -> Option<&str> {
        let listed = self.persons.of(text).and_then(|person| person.name.as_deref());
        let owner = || self.owners.get(&name_of(text.path())).map(String::as_str);
        let person = listed.or_else(owner)?;
        Some(person.rsplit('/').next().unwrap_or(person))
    }

    /// Returns the names that occur in at least four texts and in at least half of those that have
    /// any.
    fn common_names(&self) -> &BTreeSet<String> {
        self.common_names.get_or_init(|| self.counted_names())
    }

    fn counted_names(&self) -> BTreeSet<String> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let mut all = 0;
        for document in &self.corpus.documents {
            let names: BTreeSet<&str> = credits(&document.text).map(|(_, name, _)| name).collect();
            all += usize::from(!names.is_empty());
            for name in names {
                *counts.entry(name).or_default() += 1;
            }
        }
        let common = counts.into_iter().filter(|(_, count)| *count >= 4 && 2 * count >= all);
        common.map(|(name, _)| name.to_owned()).collect()
    }

    /// Returns the name of a text for people: that of the person who submitted it, if a list gives
    /// one.
    pub(crate) fn name(&self, text: &Text) -> String {
        let shown = self.persons.shown(text).map(str::to_owned);
        shown.unwrap_or_else(|| display_path(text.path()).into_owned())
    }

    /// Computes for each text, by its number, whether its pairs are reported; `None` if those of
    /// all texts are.
    pub(crate) fn focus(&self) -> Option<Vec<bool>> {
        let in_focus = self.in_focus.as_ref()?;
        let has = |document: &Document| {
            let position = self.position(document.text.path());
            position.and_then(|at| in_focus.get(at)).is_some_and(|it| *it)
        };
        Some(self.corpus.documents.iter().map(has).collect())
    }

    /// Returns the position of a text in the input, given its path; `None` if there is no such
    /// text.
    pub(crate) fn position(&self, path: &Path) -> Option<usize> {
        // The path of a record is its name.
        let of_record = path.to_str().and_then(|name| self.found_at.number(name));
        of_record.or_else(|| self.found_at.number(&name_of(path)))
    }

    /// Reports whether a text was named by `--against` alone, or is in an index.
    pub(crate) fn is_only_against(&self, text: &Text) -> bool {
        let age = self.position(text.path()).and_then(|position| self.ages.get(position));
        age == Some(&Age::Old)
    }

    /// Opens a text of the corpus again; `None` if this is not possible.
    pub(crate) fn open_again(&self, number: u32) -> Option<Text> {
        let path = self.corpus.documents.get(number as usize)?.text.path();
        let place = self.found_at.place_of(self.position(path)?);
        (self.open_again)(path, place)
    }
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

/// A pair and its verdict.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) pair: Pair,
    pub(crate) verdict: Verdict,
    pub(crate) is_accepted: bool,
    /// Whether the pair is accepted only because it was found at an earlier commit already.
    pub(crate) was_there: bool,
    /// Whether one text is by far the closest of all to the other; `false` if this was not checked.
    pub(crate) is_by_far: bool,
    /// A summary of the passages of the pair; `None` if passages were not searched for.
    pub(crate) shared: Option<SharedPassages>,
}

/// A summary of the passages of a pair, for a list of pairs.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct SharedPassages {
    /// The share of the words of each text that the passages cover.
    pub(crate) covered: [Option<Share>; 2],
    /// The number of words of all passages.
    pub(crate) words: usize,
    /// The start and end of the longest passage in each text, in bytes of its content; `None` if
    /// there is no passage.
    pub(crate) longest: Option<[[usize; 2]; 2]>,
    /// Whether at least one passage is reworded.
    pub(crate) is_reworded: bool,
}

impl SharedPassages {
    /// Summarizes the passages of a pair. If several are equally long, the first one is the
    /// longest.
    pub(crate) fn new(matches: &Matches) -> Self {
        let longest = matches.all.iter().rev().max_by_key(|found| found.passage.words());
        let ends = |place: &Place| [place.content.start, place.content.end];
        Self {
            covered: [matches.coverage.left, matches.coverage.right],
            words: matches.all.iter().map(|found| found.passage.words()).sum(),
            longest: longest.map(|found| [ends(&found.left), ends(&found.right)]),
            is_reworded: matches.all.iter().any(|found| found.passage.is_reworded),
        }
    }

    fn turned(self) -> Self {
        let ([left, right], longest) = (self.covered, self.longest);
        let longest = longest.map(|[left, right]| [right, left]);
        Self { covered: [right, left], longest, ..self }
    }
}

impl Row {
    /// Returns the greater of the two shares of a text that its passages cover, as a sort key.
    /// Returns the Jaccard index if there is no passage, and 0 if passages were not searched for.
    pub(crate) fn greatest_share(&self) -> f64 {
        let Some(SharedPassages { covered, .. }) = &self.shared else { return 0.0 };
        let shares = covered.iter().flatten().map(|share| share.ratio());
        let greatest = shares.fold(0.0, f64::max);
        if greatest > 0.0 { greatest } else { self.pair.all.jaccard().map_or(0.0, Share::ratio) }
    }

    /// Reports whether one text is by far the closest to the other and the verdict is not closer
    /// than *partial*, so that this adds to what the verdict says.
    pub(crate) fn stands_out(&self) -> bool {
        self.is_by_far && self.verdict < Verdict::NearDuplicate
    }

    /// Reports whether no passage covers a word of either text.
    pub(crate) fn is_without_passage(&self) -> bool {
        let covered = self.shared.iter().flat_map(|shared| shared.covered).flatten();
        covered.map(Share::shared).sum::<usize>() == 0
    }

    /// Returns the row with the two texts in the order of their numbers.
    pub(crate) fn in_order(self) -> Self {
        let Pair { a, b, .. } = self.pair;
        if a < b {
            return self;
        }
        let pair = beginning_with(self.pair, b);
        Self { pair, shared: self.shared.map(SharedPassages::turned), ..self }
    }
}

/// The pairs that are searched for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Levels {
    /// The pairs whose verdict reaches the requested level.
    Asked,
    /// All pairs that are at least an *excerpt*: those below the level are counted, and a report
    /// lists them.
    All,
}

/// The handling of the texts of which a duplicate is kept.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Duplicates {
    Removed,
    /// They are kept, with a field that names the kept text.
    Annotated,
}

/// What a run over many texts is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Task {
    /// The pairs that reach the level.
    Pairs,
    /// The nearest texts of each text, at most so many, whatever the verdict.
    Nearest(NonZeroUsize),
    /// The clusters that the pairs form.
    Clusters,
    /// The texts that a clean corpus keeps, chosen by this rule.
    Keep(Keep),
    /// For each old text, the new texts that share a part of it.
    Items,
}

impl Task {
    /// Reports whether the nearest texts of each text are listed, whatever their verdict.
    pub(crate) fn is_nearest(&self) -> bool {
        matches!(self, Self::Nearest(_))
    }

    /// Reports whether pairs are only held to form clusters.
    pub(crate) fn is_of_clusters(&self) -> bool {
        matches!(self, Self::Clusters | Self::Keep(_))
    }
}

/// The options that set how the answer is rendered.
#[derive(Debug)]
pub(crate) struct Options {
    /// Whether a report shows the names of the texts.
    pub(crate) visibility: Visibility,
    /// The number of threads that render the pages of a report.
    pub(crate) threads: NonZeroUsize,
    /// The colors of the text on the terminal.
    pub(crate) color: Color,
    pub(crate) task: Task,
    /// The pairs that are searched for.
    pub(crate) levels: Levels,
    /// Whether the answer mentions the flag that shows more pairs; `false` with `--fail-on`,
    /// because then a program has chosen the level that it needs, and with an index without texts,
    /// in which passages cannot be found, unless they are turned off.
    pub(crate) names_levels: bool,
    /// Whether some of the texts are those of a stored index.
    pub(crate) has_index: bool,
    /// Whether the figures of each pair are shown next to its shares.
    pub(crate) has_details: bool,
    /// The name of the settings file; `None` if none is read.
    pub(crate) settings: Option<String>,
    /// The list of stop words, as the user gave it.
    pub(crate) stopwords: PathBuf,
    /// The earlier commit whose findings are accepted; `None` if there is none.
    pub(crate) since: Option<String>,
    /// The handling of the texts of which a duplicate is kept.
    pub(crate) duplicates: Duplicates,
}

/// A compared corpus.
pub(crate) struct Answer<'a> {
    pub(crate) gathered: &'a Gathered<'a>,
    pub(crate) recipe: &'a Recipe,
    /// The lowest verdict of the pairs that are shown.
    pub(crate) level: Verdict,
    pub(crate) options: Options,
    /// The names of the texts for other programs.
    pub(crate) names: Names,
    /// The pairs that were found using passages as well, from *excerpt* or *partial* on, depending
    /// on the level. Not set before the search is done, or if only the shingles decide.
    pub(crate) found: OnceLock<FoundPairs>,
    /// The largest number of pairs of all levels, if there are more of them; not set otherwise.
    pub(crate) exceeded: OnceLock<usize>,
    /// The texts that have a nearest text by far, each with that text; not set before they are
    /// computed.
    pub(crate) by_far: OnceLock<BTreeSet<(u32, u32)>>,
    /// With `--nearest`, the pairs `(a, b)` with `a` > `b` whose other direction is listed as well,
    /// so that they do not count; not set before they are computed.
    pub(crate) listed_again: OnceLock<BTreeSet<(u32, u32)>>,
    /// The indices of the passages that are too common to make a pair, but count as findings.
    pub(crate) common_findings: OnceLock<Vec<usize>>,
    /// The texts that have shingles whose residues collide with those of others.
    pub(crate) collided: Collided<'a>,
    /// Whether the pairs of each text are reported, by the number of the text; `None` if those of
    /// all texts are.
    pub(crate) focus: Option<Vec<bool>>,
}

impl<'a> Answer<'a> {
    /// Creates the answer about some texts, before pairs are searched for.
    pub(crate) fn new(
        gathered: &'a Gathered<'a>,
        recipe: &'a Recipe,
        level: Verdict,
        options: Options,
        names: Names,
    ) -> Self {
        Self {
            gathered,
            recipe,
            level,
            options,
            names,
            found: OnceLock::new(),
            exceeded: OnceLock::new(),
            by_far: OnceLock::new(),
            listed_again: OnceLock::new(),
            common_findings: OnceLock::new(),
            collided: Collided::new(gathered),
            focus: gathered.focus(),
        }
    }
}

impl Answer<'_> {
    pub(crate) fn corpus(&self) -> &Corpus<'_> {
        &self.gathered.corpus
    }

    /// Reports whether the pairs of a text are reported.
    pub(crate) fn is_in_focus(&self, number: u32) -> bool {
        self.focus.as_ref().is_none_or(|focus| focus.get(number as usize) == Some(&true))
    }

    /// Reports whether the pairs of at least one of the two texts are reported.
    pub(crate) fn touches_focus(&self, pair: &Pair) -> bool {
        self.is_in_focus(pair.a) || self.is_in_focus(pair.b)
    }

    /// Returns the verdict on a pair.
    pub(crate) fn verdict(&self, pair: &Pair) -> Verdict {
        self.found_verdict((pair.a, pair.b)).unwrap_or_else(|| self.corpus().verdict(pair))
    }

    /// Reports whether two texts, the one with the smaller number first, are a pair that was found
    /// using passages as well.
    pub(crate) fn is_found(&self, texts: (u32, u32)) -> bool {
        self.found_verdict(texts).is_some()
    }

    fn found_verdict(&self, texts: (u32, u32)) -> Option<Verdict> {
        let found = self.found.get().map_or(&[][..], |found| &found.pairs);
        let known = found.binary_search_by_key(&texts, |(pair, _)| (pair.a, pair.b));
        known.ok().map(|at| found[at].1)
    }

    /// Judges a pair that is reported. Adds a warning to the judgement if shingles of the pair
    /// collide.
    pub(crate) fn judge(&self, pair: &Pair) -> Judgement {
        let mut judgement = self.corpus().judge(pair);
        let count = self.collided.count(pair);
        judgement.warnings.extend((count > 0).then_some(Warning::Collisions(count)));
        judgement
    }

    /// Reports whether one text of a pair is by far the closest of all to the other; with
    /// `--nearest`, where the pair lists a text near to `a`, whether `b` is by far the closest to
    /// `a`. `None` if this was not checked.
    pub(crate) fn is_by_far(&self, pair: &Pair) -> Option<bool> {
        let by_far = self.by_far.get()?;
        let turned = !self.options.task.is_nearest() && by_far.contains(&(pair.b, pair.a));
        Some(turned || by_far.contains(&(pair.a, pair.b)))
    }

    /// Reports whether a pair is listed a second time, with its texts the other way round, as with
    /// `--nearest` if each text is near to the other.
    pub(crate) fn is_listed_again(&self, pair: &Pair) -> bool {
        self.listed_again.get().is_some_and(|again| again.contains(&(pair.a, pair.b)))
    }

    /// Returns the passages that are too common to make a pair, the longest first.
    pub(crate) fn widespread(&self) -> &[CommonStretch] {
        self.found.get().map_or(&[], |found| &found.widespread)
    }

    /// Returns the [widespread](Self::widespread) passages that count as findings, each with the
    /// first text that contains it: pairs of the requested level would share them, and they were
    /// not accepted earlier.
    pub(crate) fn common_findings(&self) -> impl Iterator<Item = (u32, &CommonStretch)> {
        let numbers = self.common_findings.get().into_iter().flatten();
        let found = self.found.get();
        numbers.zip(std::iter::repeat(found)).filter_map(|(at, found)| {
            let found = found?;
            Some((found.widespread_texts[*at], &found.widespread[*at]))
        })
    }

    /// Reports whether a text is on the side that new texts are compared with, from which no text
    /// is removed.
    pub(crate) fn is_old(&self, number: u32) -> bool {
        self.corpus().collection.place(number).side == dedup_text::corpus::join::Side::Old
    }

    pub(crate) fn document(&self, number: u32) -> &Document {
        &self.corpus().documents[number as usize]
    }

    /// Returns the name of a text for other programs.
    pub(crate) fn given_name(&self, number: u32) -> String {
        self.names.given(self.document(number).text.path())
    }

    /// Returns the name of a text for people: that of the person who submitted it, if a list gives
    /// one.
    pub(crate) fn name(&self, number: u32) -> String {
        self.gathered.name(&self.document(number).text)
    }

    /// Returns the name of a text in a list of persons, unless names are hidden; `None` if it has
    /// none.
    pub(crate) fn shown(&self, number: u32) -> Option<&str> {
        let are_shown = self.options.visibility == Visibility::Shown;
        let text = &self.document(number).text;
        are_shown.then(|| self.gathered.persons.shown(text)).flatten()
    }

    /// Returns the person who submitted a text; `None` if there is no list or it does not name one.
    pub(crate) fn person(&self, number: u32) -> Option<&Person> {
        self.gathered.persons.of(&self.document(number).text)
    }

    /// Returns the text of a pair that was submitted later; `None` if one of the two times is
    /// unknown, or if they are the same or cannot be compared.
    pub(crate) fn later(&self, pair: &Pair) -> Option<u32> {
        super::later([self.person(pair.a), self.person(pair.b)]).map(|side| match side {
            Side::Left => pair.a,
            Side::Right => pair.b,
        })
    }
}

/// Returns the pair with `text`, which is one of its two, as `a`.
pub(crate) fn beginning_with(pair: Pair, text: u32) -> Pair {
    let turned = |Overlap { shared, left, right }| Overlap { shared, left: right, right: left };
    if pair.a == text {
        return pair;
    }
    Pair { a: pair.b, b: pair.a, all: turned(pair.all), longest: turned(pair.longest), ..pair }
}

/// The texts of reported pairs that appear to be crafted: some of their shingles have the same
/// Rabin residue as other shingles.
#[derive(Debug)]
pub(crate) struct Collided<'a> {
    collisions: Collisions<'a>,
    /// The texts of the pairs whose shingles collide across the two texts.
    texts: Mutex<BTreeSet<u32>>,
}

impl<'a> Collided<'a> {
    pub(crate) fn new(gathered: &'a Gathered<'a>) -> Self {
        let open = |number| gathered.open_again(number);
        Self { collisions: Collisions::new(&gathered.corpus, open), texts: Mutex::default() }
    }

    /// Returns the number of shingles of a reported pair that have the same residue as another one,
    /// and notes the texts if shingles collide across the two.
    pub(crate) fn count(&self, pair: &Pair) -> usize {
        let collided = self.collisions.between(pair);
        if collided.is_across {
            let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
            texts.extend([pair.a, pair.b]);
        }
        collided.count
    }

    /// Returns the texts that appear to be crafted, including those with collisions within a single
    /// text, in ascending order.
    pub(crate) fn texts(&self, gathered: &Gathered) -> BTreeSet<u32> {
        let texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let documents = (0..).zip(&gathered.corpus.documents);
        let within = documents.filter(|(_, it)| it.collisions() > 0).map(|(number, _)| number);
        texts.iter().copied().chain(within).collect()
    }
}

// Which texts of a corpus are removed, and for which others.

/// The reason why a text is removed.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum KeepBy {
    /// The text forms a pair with a text that is kept.
    Direct,
    /// The text is in a cluster with a text that is kept.
    Linked,
}

/// The decisions on which texts of a corpus to keep, by the numbers of the texts.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Keeping {
    /// For each text, the text that is kept instead of it; `None` if the text itself is kept.
    pub(crate) removed: Vec<Option<u32>>,
    pub(crate) by: KeepBy,
    /// The number of additional texts that removing by cluster ([`KeepBy::Linked`]) would remove.
    pub(crate) linked_more: usize,
    /// The number of texts in the largest cluster; 0 if there is no cluster.
    pub(crate) largest_cluster: usize,
}

impl Keeping {
    /// Decides by clusters or, using `direct`, by pairs. `order` has all texts, the most preferred
    /// first. `stays` reports whether a text must never be removed.
    pub(crate) fn new<'c>(
        by: KeepBy,
        clusters: impl Iterator<Item = &'c [u32]>,
        order: &[u32],
        stays: impl Fn(u32) -> bool,
        direct: impl FnOnce() -> Vec<Option<u32>>,
    ) -> Self {
        let mut rank = vec![usize::MAX; order.len()];
        (0..).zip(order).for_each(|(at, text)| rank[*text as usize] = at);
        let mut linked = vec![None; order.len()];
        let mut largest_cluster = 0;
        for members in clusters {
            largest_cluster = largest_cluster.max(members.len());
            let best = members.iter().copied().min_by_key(|member| rank[*member as usize]);
            for member in members.iter().filter(|member| Some(**member) != best) {
                linked[*member as usize] = best.filter(|_| !stays(*member));
            }
        }
        let of_linked = linked.iter().flatten().count();
        let removed = match by {
            KeepBy::Direct => direct(),
            KeepBy::Linked => linked,
        };
        let linked_more = of_linked.saturating_sub(removed.iter().flatten().count());
        Self { removed, by, linked_more, largest_cluster }
    }

    /// Returns a note on how many more texts `--keep-by linked` would remove; `None` if it would
    /// remove no more.
    pub(crate) fn chains(&self) -> Option<String> {
        let more = counted(self.linked_more, "text");
        (self.linked_more > 0).then(|| format!("--keep-by linked would remove {more} more"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts are those of a check of every two places.
    #[test]
    fn pairs_of_one_group_are_those_that_groups_alone_keep_apart() {
        let sides = [CorpusSide::Any, CorpusSide::New, CorpusSide::Old];
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

    #[test]
    fn linking_keeps_one_of_a_cluster_and_all_that_stays() {
        let clusters: [&[u32]; 2] = [&[0, 1, 3], &[2, 4]];
        let keeping = |by, stays: &[u32]| {
            let (clusters, stays) = (clusters.into_iter(), stays.to_vec());
            let direct = || vec![None, None, None, Some(1), None];
            Keeping::new(by, clusters, &[1, 4, 3, 2, 0], |text| stays.contains(&text), direct)
        };
        let linked = keeping(KeepBy::Linked, &[]);
        assert_eq!(linked.removed, [Some(1), None, Some(4), Some(1), None]);
        assert_eq!((linked.linked_more, linked.largest_cluster), (0, 3));
        let direct = keeping(KeepBy::Direct, &[]);
        assert_eq!(direct.removed, [None, None, None, Some(1), None]);
        assert_eq!((direct.linked_more, direct.largest_cluster), (2, 3));
        assert_eq!(keeping(KeepBy::Linked, &[0, 1]).removed, [None, None, Some(4), Some(1), None]);
    }
}
