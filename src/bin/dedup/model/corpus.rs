//! What is found among many texts, as it is shown.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use clap::ValueEnum;
use dedup_text::corpus::join::Pair;
use dedup_text::corpus::{Collisions, CommonStretch, Corpus, Document, FoundPairs};
use dedup_text::jaccard::{Overlap, Share};
use dedup_text::pair::Recipe;
use dedup_text::pair::warnings::{Warning, described};
use dedup_text::pair::{Judgement, Matches};
use dedup_text::text::properties::{is_of_no_one, may_be_one_person};
use dedup_text::text::{Place, Properties, Side, Text, display_path};
use dedup_text::verdict::Verdict;
use dedup_text::words::thousands;

use super::names::{Names, Visibility};
use crate::diagnostics::{self, MAX_SHOWN};
use crate::io::inputs::course::Person;
use crate::io::inputs::failures::{Failures, Names as FoundAt};
use crate::io::inputs::source::{Age, Opener, Skipped, name_of};
use crate::io::output::Color;

/// What came of the texts that are named.
pub(crate) struct Gathered<'r> {
    pub(crate) corpus: Corpus<'r>,
    pub(crate) skipped: Skipped,
    /// What should have been a text.
    pub(crate) failed: Failures,
    /// Whether some of that, or a disguise, is an error of the run.
    pub(crate) has_errors: bool,
    /// Whose texts are by the names of a platform, by their names, where those say so.
    pub(crate) owners: BTreeMap<String, String>,
    /// Author names that occur in the properties of half of the documents, and in four at least, so
    /// that they identify no person; computed when first asked for.
    pub(crate) common_names: OnceLock<BTreeSet<String>>,
    /// What `--keep` goes by, of texts that have the field.
    pub(crate) worth: BTreeMap<String, String>,
    /// Which texts each is compared with, in the order of the input.
    pub(crate) ages: Vec<Age>,
    /// Whether each text is one of those whose pairs are reported, in the order of the input; `None`
    /// where all are.
    pub(crate) in_focus: Option<Vec<bool>>,
    pub(crate) opener: Opener,
    /// Where each text was found.
    pub(crate) found_at: FoundAt,
    /// Who handed in the texts, as far as a list says so.
    pub(crate) persons: Persons,
}

/// Who handed in texts, by the names of those.
#[derive(Debug, Default)]
pub(crate) struct Persons {
    known: BTreeMap<String, Arc<Person>>,
    /// What a text goes by: the person, and its own name where that is one of several.
    shown: BTreeMap<String, String>,
}

impl Persons {
    /// Of texts by their names, and whether each is made of files.
    pub(crate) fn new(known: BTreeMap<String, (Arc<Person>, bool)>) -> Self {
        let mut texts: BTreeMap<&str, usize> = BTreeMap::new();
        for (person, _) in known.values() {
            *texts.entry(&person.id).or_default() += 1;
        }
        let mut shown: BTreeMap<String, String> = BTreeMap::new();
        for (name, (person, is_unit)) in &known {
            let Some(of_person) = &person.name else { continue };
            let own = name.rsplit_once('/').map_or(name.as_str(), |(_, own)| own);
            let is_one = *is_unit || texts.get(person.id.as_str()) == Some(&1);
            let one = if is_one { of_person.clone() } else { format!("{of_person}/{own}") };
            shown.insert(name.clone(), one);
        }
        let mut count: BTreeMap<String, usize> = BTreeMap::new();
        for name in shown.values() {
            *count.entry(name.clone()).or_default() += 1;
        }
        for (name, shown) in &mut shown {
            if count.get(shown).is_some_and(|count| *count > 1) {
                *shown = format!("{shown} ({name})");
            }
        }
        let known = known.into_iter().map(|(name, (person, _))| (name, person)).collect();
        Self { known, shown }
    }

    /// Who handed in a text.
    pub(crate) fn of(&self, text: &Text) -> Option<&Person> {
        if self.known.is_empty() {
            return None;
        }
        self.known.get(&name_of(text.path())).map(AsRef::as_ref)
    }

    /// What a text goes by; none where that is its own name.
    fn shown(&self, text: &Text) -> Option<&str> {
        if self.shown.is_empty() {
            return None;
        }
        self.shown.get(&name_of(text.path())).map(String::as_str)
    }
}

impl Gathered<'_> {
    /// Whether all that was named is compared.
    pub(crate) fn is_whole(&self) -> bool {
        let nothing_skipped = self.skipped.counts().next().is_none();
        let nothing_common = self.corpus.common.is_empty();
        nothing_skipped && nothing_common && self.failed.is_empty() && self.corpus.short.is_empty()
    }

    /// The texts that are not what they look like, by number, each with the first disguise of each
    /// kind that was undone. Typography, such as ligatures, is no disguise.
    pub(crate) fn disguised(&self) -> impl Iterator<Item = (u32, Vec<String>)> {
        let numbered = (0..).zip(&self.corpus.documents);
        numbered.filter_map(|(number, document)| {
            let disguises = document.text.disguises().iter();
            let found = disguises.filter(|it| !it.trick.is_typography()).map(described);
            let found: Vec<String> = found.collect();
            (!found.is_empty()).then_some((number, found))
        })
    }

    /// The texts whose properties name another person than theirs, by number, each with what they
    /// say. A name that a good part of all texts have is that of a form, and no person's that counts.
    pub(crate) fn named_otherwise(&self) -> impl Iterator<Item = (u32, Vec<String>)> {
        let common = self.common_names();
        (0..).zip(&self.corpus.documents).filter_map(move |(number, document)| {
            let person = self.person(&document.text)?;
            let is_other = |name: &str| !may_be_one_person(name, person) && !common.contains(name);
            let credited = credits(&document.text).filter(|(_, name, _)| is_other(name));
            let credited: Vec<String> = credited.map(|(_, _, sentence)| sentence).collect();
            (!credited.is_empty()).then_some((number, credited))
        })
    }

    /// What the properties of two texts say of one person, though they are not one person's: that
    /// one names the other's person, or that both name a third.
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

    /// Whose a text is, without the number that a platform gave.
    fn person(&self, text: &Text) -> Option<&str> {
        let listed = self.persons.of(text).and_then(|person| person.name.as_deref());
        let owner = || self.owners.get(&name_of(text.path())).map(String::as_str);
        let person = listed.or_else(owner)?;
        Some(person.rsplit('/').next().unwrap_or(person))
    }

    /// The names that four texts or more have, and half of those that have any.
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

    /// The texts whose pairs are reported, by number; `None` where all are.
    pub(crate) fn focus(&self) -> Option<Vec<bool>> {
        let in_focus = self.in_focus.as_ref()?;
        let has = |document: &Document| {
            let position = self.position(document.text.path());
            position.and_then(|at| in_focus.get(at)).is_some_and(|it| *it)
        };
        Some(self.corpus.documents.iter().map(has).collect())
    }

    /// The place of a text in the input, by its path; none where there is no such text.
    pub(crate) fn position(&self, path: &Path) -> Option<usize> {
        // A record's name is its path.
        let of_record = path.to_str().and_then(|name| self.found_at.number(name));
        of_record.or_else(|| self.found_at.number(&name_of(path)))
    }

    /// Opens a text of the corpus once more; none where that cannot be.
    pub(crate) fn open_again(&self, number: u32) -> Option<Text> {
        let path = self.corpus.documents.get(number as usize)?.text.path();
        let place = self.found_at.place_of(self.position(path)?);
        self.opener.open_again(path, place)
    }
}

/// Whom the properties of a text, and of its files, name: of each the file, the name, and a sentence.
fn credits(text: &Text) -> impl Iterator<Item = (&Text, &str, String)> {
    std::iter::once(text).chain(text.files()).flat_map(|file| {
        let Properties { author, last_modified_by, .. } = file.properties();
        let author = author.iter().map(|name| (name, "was written by"));
        let last =
            last_modified_by.iter().filter(|name| Some(*name) != file.properties().author.as_ref());
        let last = last.map(|name| (name, "was last saved by"));
        let named = author.chain(last).filter(|(name, _)| !is_of_no_one(name));
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
    /// Whether it is accepted only because it was there at an earlier commit.
    pub(crate) was_there: bool,
    /// Whether one text is closest by far of all to the other; false where that was not looked for.
    pub(crate) is_by_far: bool,
    /// What their passages say; none where they were not looked for.
    pub(crate) shared: Option<SharedPassages>,
}

/// What the passages of a pair say, as far as a list of pairs shows it.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct SharedPassages {
    /// How much of each text stands in the other.
    pub(crate) covered: [Option<Share>; 2],
    /// The words of all passages.
    pub(crate) words: usize,
    /// Where the longest passage begins and ends in each text, in bytes of its content; none where
    /// there is no passage.
    pub(crate) longest: Option<[[usize; 2]; 2]>,
    /// Whether a passage says the same in other words.
    pub(crate) is_reworded: bool,
}

impl SharedPassages {
    /// Of passages that are equally long, the first is the longest.
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
    /// The share of a text that stands in the other one, of that of which it is more, as a number
    /// to sort by; where no passage was found, the Jaccard index, and 0 where none was looked for.
    pub(crate) fn greatest_share(&self) -> f64 {
        let Some(SharedPassages { covered, .. }) = &self.shared else { return 0.0 };
        let shares = covered.iter().flatten().map(|share| share.ratio());
        let greatest = shares.fold(0.0, f64::max);
        if greatest > 0.0 { greatest } else { self.pair.all.jaccard().map_or(0.0, Share::ratio) }
    }

    /// Whether the texts are closest by far, and that says more than the verdict does.
    pub(crate) fn stands_out(&self) -> bool {
        self.is_by_far && self.verdict < Verdict::NearDuplicate
    }

    /// Whether the texts have words in common, but no passage.
    pub(crate) fn is_without_passage(&self) -> bool {
        let covered = self.shared.iter().flat_map(|shared| shared.covered).flatten();
        covered.map(Share::shared).sum::<usize>() == 0
    }

    /// The same with the text first that was named first.
    pub(crate) fn in_order(self) -> Self {
        let Pair { a, b, .. } = self.pair;
        if a < b {
            return self;
        }
        let pair = beginning_with(self.pair, b);
        Self { pair, shared: self.shared.map(SharedPassages::turned), ..self }
    }
}

/// Which pairs are looked for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Levels {
    /// Those of the level that is asked for, or closer.
    Asked,
    /// Also those that share anything: they are counted, and in the report.
    All,
}

/// How the answer is shown.
#[derive(Debug)]
pub(crate) struct Options {
    /// Whether a report has the names of the texts.
    pub(crate) visibility: Visibility,
    /// How many threads make the pages of a report.
    pub(crate) threads: NonZeroUsize,
    /// Colours of the text that is printed.
    pub(crate) color: Color,
    /// How many of the nearest of each text are shown, whatever their verdicts; none where all
    /// pairs of a level are.
    pub(crate) nearest: Option<usize>,
    /// Which pairs are looked for.
    pub(crate) levels: Levels,
    /// Whether the flag is named that shows more pairs: no program said which ones it needs.
    pub(crate) names_levels: bool,
    /// Whether the figures of each pair are shown beside its shares.
    pub(crate) has_details: bool,
    /// The settings file; none where none is read.
    pub(crate) settings: Option<String>,
    /// The list of stop words, as it was given.
    pub(crate) stopwords: PathBuf,
    /// The earlier commit whose findings are accepted.
    pub(crate) since: Option<String>,
}

/// A compared corpus.
pub(crate) struct Answer<'a> {
    pub(crate) gathered: &'a Gathered<'a>,
    pub(crate) recipe: &'a Recipe,
    /// The verdict from which on pairs are shown.
    pub(crate) level: Verdict,
    pub(crate) options: Options,
    /// What texts are called in other programs.
    pub(crate) names: Names,
    /// The pairs that are partial or excerpts, or closer, once they are known.
    pub(crate) found: OnceLock<FoundPairs>,
    /// The texts whose nearest one stands out, each with that, once they are known.
    pub(crate) by_far: OnceLock<BTreeSet<(u32, u32)>>,
    /// The texts whose shingles collide with others.
    pub(crate) collided: Collided<'a>,
    /// The texts whose pairs are reported, by number; `None` where all are.
    pub(crate) focus: Option<Vec<bool>>,
}

impl Answer<'_> {
    pub(crate) fn corpus(&self) -> &Corpus<'_> {
        &self.gathered.corpus
    }

    /// Whether a text is one of those whose pairs are reported.
    pub(crate) fn is_in_focus(&self, number: u32) -> bool {
        self.focus.as_ref().is_none_or(|focus| focus.get(number as usize) == Some(&true))
    }

    /// Whether a pair has one of the texts whose pairs are reported.
    pub(crate) fn touches_focus(&self, pair: &Pair) -> bool {
        self.is_in_focus(pair.a) || self.is_in_focus(pair.b)
    }

    /// The verdict on two of the texts.
    pub(crate) fn verdict(&self, pair: &Pair) -> Verdict {
        self.found_verdict((pair.a, pair.b)).unwrap_or_else(|| self.corpus().verdict(pair))
    }

    /// Whether two texts, in order, are a pair that was found, also by their passages.
    pub(crate) fn is_found(&self, texts: (u32, u32)) -> bool {
        self.found_verdict(texts).is_some()
    }

    fn found_verdict(&self, texts: (u32, u32)) -> Option<Verdict> {
        let found = self.found.get().map_or(&[][..], |found| &found.pairs);
        let known = found.binary_search_by_key(&texts, |(pair, _)| (pair.a, pair.b));
        known.ok().map(|at| found[at].1)
    }

    /// The judgement of a pair that is reported, with what is known of it beside its figures.
    pub(crate) fn judge(&self, pair: &Pair) -> Judgement {
        let mut judgement = self.corpus().judge(pair);
        let count = self.collided.count(pair);
        judgement.warnings.extend((count > 0).then_some(Warning::Collisions(count)));
        judgement
    }

    /// Whether one text of a pair is closest by far of all to the other; of those nearest to a text,
    /// which is a, whether b is; none where that was not looked for.
    pub(crate) fn is_by_far(&self, pair: &Pair) -> Option<bool> {
        let by_far = self.by_far.get()?;
        let turned = self.options.nearest.is_none() && by_far.contains(&(pair.b, pair.a));
        Some(turned || by_far.contains(&(pair.a, pair.b)))
    }

    /// The passages that are too common to make a pair.
    pub(crate) fn widespread(&self) -> &[CommonStretch] {
        self.found.get().map_or(&[], |found| &found.widespread)
    }

    /// Whether a text is on the side that new ones are compared with, of which nothing is removed.
    pub(crate) fn is_old(&self, number: u32) -> bool {
        self.corpus().collection.place(number).side == dedup_text::corpus::join::Side::Old
    }

    pub(crate) fn document(&self, number: u32) -> &Document {
        &self.corpus().documents[number as usize]
    }

    /// What a text goes by in other programs.
    pub(crate) fn given_name(&self, number: u32) -> String {
        self.names.given(self.document(number).text.path())
    }

    /// What a text goes by, for people: its person, where a list names that.
    pub(crate) fn name(&self, number: u32) -> String {
        let text = &self.document(number).text;
        let shown = self.gathered.persons.shown(text).map(str::to_owned);
        shown.unwrap_or_else(|| display_path(text.path()).into_owned())
    }

    /// Who handed in a text, as far as a list says so.
    pub(crate) fn person(&self, number: u32) -> Option<&Person> {
        self.gathered.persons.of(&self.document(number).text)
    }

    /// The text of a pair that was handed in later; none where that is not known of both.
    pub(crate) fn later(&self, pair: &Pair) -> Option<u32> {
        super::later([self.person(pair.a), self.person(pair.b)]).map(|side| match side {
            Side::Left => pair.a,
            Side::Right => pair.b,
        })
    }
}

/// The pair with one of its texts as a.
pub(crate) fn beginning_with(pair: Pair, text: u32) -> Pair {
    let turned = |Overlap { shared, left, right }| Overlap { shared, left: right, right: left };
    if pair.a == text {
        return pair;
    }
    Pair { a: pair.b, b: pair.a, all: turned(pair.all), longest: turned(pair.longest), ..pair }
}

/// Texts that look made to deceive, of the pairs that are reported: some of their shingles have the
/// Rabin residue of other ones.
#[derive(Debug)]
pub(crate) struct Collided<'a> {
    collisions: Collisions<'a>,
    /// The texts of pairs that collide with each other.
    texts: Mutex<BTreeSet<u32>>,
}

impl<'a> Collided<'a> {
    pub(crate) fn new(gathered: &'a Gathered<'a>) -> Self {
        let open = |number| gathered.open_again(number);
        Self { collisions: Collisions::new(&gathered.corpus, open), texts: Mutex::default() }
    }

    /// How many shingles of a pair that is reported have the residue of another one.
    pub(crate) fn count(&self, pair: &Pair) -> usize {
        let collided = self.collisions.between(pair);
        if collided.is_across {
            let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
            texts.extend([pair.a, pair.b]);
        }
        collided.count
    }

    /// Warns of all such texts at once, also of those that collide in themselves.
    pub(crate) fn warn(&self, gathered: &Gathered, name: impl Fn(u32) -> String) {
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let documents = (0..).zip(&gathered.corpus.documents);
        texts.extend(documents.filter(|(_, it)| it.collisions > 0).map(|(number, _)| number));
        if texts.is_empty() {
            return;
        }
        let mut names: Vec<String> = texts.iter().take(MAX_SHOWN).map(|text| name(*text)).collect();
        let more = texts.len() - names.len();
        if let (Some(last), 1..) = (names.last_mut(), more) {
            *last = format!("{last} and {} more", thousands(more));
        }
        diagnostics::warn(
            &names.join(", "),
            "a text looks made to deceive: shingles have the Rabin residue of other ones, \
             which does not happen by chance; counted as different",
        );
    }
}

// For which texts of a clean corpus the others go.

/// Why a text goes.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum KeepBy {
    /// It is paired with a text that is kept.
    Direct,
    /// It is in a cluster with one.
    Linked,
}

impl KeepBy {
    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Linked => "linked",
        }
    }
}

/// What was decided of the texts of a corpus, by their numbers.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Keeping {
    /// The text that is kept in the place of each; none where it is kept itself.
    pub(crate) removed: Vec<Option<u32>>,
    pub(crate) by: KeepBy,
    /// How many more texts would go if those of a cluster did.
    pub(crate) linked_more: usize,
    /// How many texts the largest cluster has; 0 where there is none.
    pub(crate) largest_cluster: usize,
}

impl Keeping {
    /// What is decided by clusters, or by what goes directly. `order` has all texts, the most
    /// preferred first; `stays` says which of them never go.
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

    /// What a reader of the answer should know of chains; none where linking removes no more.
    pub(crate) fn chains(&self) -> Option<String> {
        let more = dedup_text::words::counted(self.linked_more, "text");
        (self.linked_more > 0).then(|| format!("--keep-by linked would remove {more} more"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
