//! The findings of a run: each passage with all places where texts have it, and each pair that reaches
//! the level without a passage.
//!
//! The same passage is found once for each pair of the texts that have it. Two passages are one
//! finding if they have a place in common: a place is the text and the bytes of its first passage, and
//! later passages are at the same place if both ranges share at least three quarters of the longer
//! one. What is held grows with the places and, by a few bytes each, with the passages of excerpts.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use std::ops::Range;

use data_encoding::HEXLOWER;
use dedup_text::display::{
    EXCERPT, counted, excerpt, extent, file_of, position, thousands, visible,
};
use dedup_text::jaccard::Share;
use dedup_text::pair::Match;
use dedup_text::passages::{Kind, Passage};
use dedup_text::text::{Place, Side, Text};
use dedup_text::verdict::Verdict;
use sha2::{Digest, Sha256};

use super::Pair;
use super::names::Names;
use super::phrases::reasons;

/// How close the texts of a pair are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closeness {
    pub(crate) verdict: Verdict,
    pub(crate) jaccard: f64,
    pub(crate) hamming: u32,
}

impl Closeness {
    pub(crate) fn new(pair: &Pair) -> Self {
        let figures = &pair.judgement.comparison;
        Self {
            verdict: pair.judgement.decision.verdict,
            jaccard: figures.jaccard().map_or(0.0, Share::ratio),
            hamming: figures.hamming.unwrap_or(u64::BITS),
        }
    }

    /// Compares two pairs: the closer one is less.
    pub(crate) fn cmp(&self, other: &Self) -> Ordering {
        (other.verdict.cmp(&self.verdict))
            .then_with(|| other.jaccard.total_cmp(&self.jaccard))
            .then_with(|| self.hamming.cmp(&other.hamming))
    }
}

/// A passage of a pair, described.
#[derive(Clone, Debug)]
pub(crate) struct FoundPassage {
    /// The number of words that are the same.
    pub(crate) words: usize,
    pub(crate) changed_words: usize,
    pub(crate) kind: Kind,
    pub(crate) is_reordered: bool,
    pub(crate) fingerprint: u64,
    /// Its length, and how its two sides differ.
    pub(crate) extent: String,
}

impl FoundPassage {
    fn new(passage: &Passage) -> Self {
        Self {
            words: passage.words(),
            changed_words: passage.changed_words(),
            kind: passage.kind(),
            is_reordered: passage.is_reordered(),
            fingerprint: passage.fingerprint,
            extent: extent(passage),
        }
    }
}

/// A place of a finding.
#[derive(Clone, Debug)]
pub(crate) struct FoundAt<'t> {
    pub(crate) text: &'t Text,
    /// The number of the text.
    pub(crate) number: u32,
    /// The place in the text; `None` if the finding is about the text as a whole.
    pub(crate) place: Option<Place>,
    /// The name that people see; `None` where that is the name of the text.
    pub(crate) shown: Option<String>,
    /// What follows the name of the text: whether it is an earlier one.
    pub(crate) mark: &'static str,
    /// The number of passages that end here.
    pub(crate) passages: usize,
}

impl FoundAt<'_> {
    /// Returns the place in the file; `None` if there is no passage, or if the place is one in the text
    /// extracted from the file rather than in the file as it is stored.
    pub(crate) fn stored(&self) -> Option<&Place> {
        self.place.as_ref().filter(|place| self.text.file(place).kind().is_shown_as_stored())
    }

    /// Returns the file that contains the place, if the text consists of several files; otherwise the
    /// text. Without a place, that is the first file.
    pub(crate) fn file(&self) -> &Text {
        self.text.file(self.place.as_ref().unwrap_or(&Place::default()))
    }

    /// Returns the name of the text or of its file, followed by the position.
    pub(crate) fn named(&self, name: &str) -> String {
        let position = self.place.as_ref().map(|place| format!(", {}", in_file(self.text, place)));
        format!("{name}{}{}", self.mark, position.unwrap_or_default())
    }

    /// Returns the position in brackets, if the location that a format has for it cannot say it.
    fn unlocated(&self) -> String {
        match (&self.place, self.stored()) {
            (Some(place), None) => format!(" ({})", in_file(self.text, place)),
            _ => String::new(),
        }
    }
}

/// Writes the name of a place, where a format has no links.
pub(crate) fn unlinked(name: &str, _: usize) -> String {
    name.to_owned()
}

/// The largest number of places that a sentence names.
const NAMED: usize = 5;

/// A passage that texts share, or two texts that are close without sharing one.
#[derive(Debug)]
pub(crate) struct Finding<'t> {
    /// The closest pair of its texts.
    pub(crate) closest: Closeness,
    /// The verdict on the pair of its texts that is least close.
    pub(crate) farthest: Verdict,
    /// What decided the verdict on the closest pair.
    pub(crate) reasons: String,
    /// The passage with the fewest words of those that are one finding, so that no text has less; `None` if
    /// it is about texts as a whole.
    pub(crate) passage: Option<FoundPassage>,
    /// At least two places, in the order of the texts.
    pub(crate) places: Vec<FoundAt<'t>>,
    /// The index of the place where a reader should look first.
    pub(crate) first: usize,
    /// Its identity across runs, which depends on the texts and on the words that they share, not on the
    /// positions in the texts: 32 hexadecimal digits. The identities of a run are distinct unless a text
    /// is named twice.
    pub(crate) identity: String,
}

impl<'t> Finding<'t> {
    /// Returns the place where a reader should look first: in a text that is new and not an earlier one,
    /// where this is known; there, that of most pairs.
    pub(crate) fn main(&self) -> &FoundAt<'t> {
        &self.places[self.first]
    }

    /// Returns all places but one.
    pub(crate) fn others(&self, but: usize) -> impl Iterator<Item = &FoundAt<'t>> {
        self.places.iter().enumerate().filter(move |(at, _)| *at != but).map(|(_, place)| place)
    }

    /// Returns the numbers of its texts.
    pub(crate) fn texts(&self) -> BTreeSet<u32> {
        self.places.iter().map(|place| place.number).collect()
    }

    /// Reports whether more than two texts have it.
    pub(crate) fn is_in_several(&self) -> bool {
        self.places.len() > 2 && self.texts().len() > 2
    }

    /// Describes a passage in several texts: `In 3 texts: 41 words, word for word: "The ferry …"`.
    pub(crate) fn described(&self) -> String {
        let FoundAt { text, place, .. } = self.main();
        let begins = place.as_ref().and_then(|it| text.content().get(it.content.clone()));
        let begins = visible(&excerpt(begins.unwrap_or_default(), EXCERPT));
        let extent = self.passage.as_ref().map_or("", |it| &it.extent);
        format!("In {} texts: {extent}: \"{begins}\"", thousands(self.texts().len()))
    }

    /// Formats the finding as a sentence, from the point of view of one of its places. `linked` turns the
    /// name of each other place, with its number from 1, into a link.
    pub(crate) fn sentence(
        &self,
        at: usize,
        names: &Names,
        linked: impl Fn(&str, usize) -> String,
    ) -> String {
        let others: Vec<&FoundAt> = self.others(at).collect();
        let mut id = 0;
        let others = listed(&others, NAMED, |place| {
            id += 1;
            linked(&place.named(&names.visible(place.file())), id)
        });
        let Some(passage) = &self.passage else {
            return match self.closest.verdict {
                Verdict::Identical => format!("this text has the same words as {others}"),
                Verdict::NearDuplicate => format!("this text is a near-duplicate of {others}"),
                Verdict::Partial => format!("this text has much in common with {others}"),
                _ => format!("this text and {others}: {}", self.reasons),
            };
        };
        let how = match (passage.kind, passage.changed_words) {
            (Kind::Exact, _) => "",
            (Kind::Edited, 0) => ", in another order,",
            (Kind::Edited, _) if passage.is_reordered => ", edited and in another order,",
            (Kind::Edited, _) => ", edited,",
            (Kind::Reworded, _) => ", reworded,",
        };
        let words = counted(passage.words, "word");
        let occur = if passage.words == 1 { "occurs" } else { "occur" };
        format!("{words} here{} also {occur}{how} in {others}", self.places[at].unlocated())
    }
}

/// Lists the first places, and how many more there are.
pub(crate) fn listed<P>(places: &[P], most: usize, named: impl FnMut(&P) -> String) -> String {
    let shown: Vec<String> = places.iter().take(most).map(named).collect();
    let more = places.len() - shown.len();
    let more =
        if more > 0 { format!("; and {}", counted(more, "more place")) } else { String::new() };
    shown.join("; ") + &more
}

/// Formats a position: that in the extracted text, if the document has neither pages nor lines; for
/// a text of several files, with the name of the file.
pub(crate) fn stand(text: &Text, place: &Place) -> String {
    file_of(text, place) + &in_file(text, place)
}

/// Formats a position within its file.
pub(crate) fn in_file(text: &Text, place: &Place) -> String {
    let is_of_file = place.pages.is_some() || text.file(place).kind().is_shown_as_stored();
    position(place) + if is_of_file { "" } else { " of its text" }
}

/// All findings of a run.
#[derive(Debug, Default)]
pub(crate) struct Findings<'t> {
    /// The findings in the order in which their first pairs were added.
    pub(crate) all: Vec<Finding<'t>>,
    /// The excerpts that share nothing but findings in more than two texts.
    pub(crate) of_several_alone: BTreeSet<(u32, u32)>,
}

/// What is known of the passages that are linked so far.
#[derive(Debug)]
struct Group {
    closest: Closeness,
    farthest: Verdict,
    reasons: String,
    passage: Option<FoundPassage>,
    /// When the first of its passages was added.
    added: usize,
}

impl Group {
    fn with(self, other: Self) -> Self {
        let (mut first, later) =
            if self.added < other.added { (self, other) } else { (other, self) };
        if later.closest.cmp(&first.closest).is_lt() {
            (first.closest, first.reasons) = (later.closest, later.reasons);
        }
        first.farthest = first.farthest.min(later.farthest);
        let words = |group: &Option<FoundPassage>| group.as_ref().map(|it| it.words);
        if words(&later.passage) < words(&first.passage) {
            first.passage = later.passage;
        }
        first
    }
}

/// The findings of the pairs that were judged so far.
#[derive(Debug)]
pub(crate) struct FindingsBuilder<'t> {
    /// The lowest verdict of the pairs that are added.
    level: Verdict,
    places: Vec<FoundAt<'t>>,
    /// For each text, the places in it by their first byte.
    of_text: HashMap<u32, BTreeMap<usize, Vec<usize>>>,
    /// For each place, a place of the same finding; itself for the one that has the group.
    linked: Vec<usize>,
    groups: Vec<Option<Group>>,
    added: usize,
    /// The left place of each passage of an excerpt.
    excerpts: Vec<((u32, u32), usize)>,
}

impl<'t> FindingsBuilder<'t> {
    pub(crate) fn new(level: Verdict) -> Self {
        Self {
            level,
            places: Vec::new(),
            of_text: HashMap::new(),
            linked: Vec::new(),
            groups: Vec::new(),
            added: 0,
            excerpts: Vec::new(),
        }
    }

    /// Adds the passages of a pair that reaches the level, or the pair as a whole if it has none. The
    /// texts are those of the pair, with their numbers.
    pub(crate) fn add(&mut self, pair: &Pair, texts: [&'t Text; 2], numbers: [u32; 2]) {
        if pair.judgement.decision.verdict < self.level {
            return;
        }
        let matches = pair.judgement.matches.iter().flat_map(|matches| &matches.all);
        let passages: Vec<Option<&Match>> = matches.map(Some).collect();
        let is_whole = passages.is_empty();
        let (closest, reasons) = (Closeness::new(pair), reasons(pair));
        for found in if is_whole { vec![None] } else { passages } {
            let places = [found.map(|it| &it.left), found.map(|it| &it.right)];
            let ends = [Side::Left, Side::Right].map(|side| {
                let at = side as usize;
                let end = FoundAt {
                    text: texts[at],
                    number: numbers[at],
                    place: places[at].cloned(),
                    shown: pair.shown[at].map(str::to_owned),
                    mark: pair.mark(side),
                    passages: 1,
                };
                self.place(end)
            });
            let passage = found.map(|found| FoundPassage::new(&found.passage));
            let reasons = reasons.clone();
            let farthest = closest.verdict;
            self.link(ends, Group { closest, farthest, reasons, passage, added: self.added });
            self.added += 1;
            if closest.verdict == Verdict::Excerpt {
                self.excerpts.push((numbers.into(), ends[0]));
            }
        }
    }

    /// Returns the index of a place, which is added if it is new.
    fn place(&mut self, end: FoundAt<'t>) -> usize {
        let starts = self.of_text.entry(end.number).or_default();
        if let Some(place) = &end.place {
            let (Range { start, end }, length) = (&place.content, place.content.len());
            // A place that shares so much of the longer range begins within one length of this one.
            let near = starts.range(start.saturating_sub(length)..*end).flat_map(|(_, at)| at);
            let known = near.copied().find(|at| {
                let known = self.places[*at].place.as_ref();
                known.is_some_and(|known| is_same(&known.content, &place.content))
            });
            if let Some(at) = known {
                self.places[at].passages += 1;
                return at;
            }
        }
        let at = self.places.len();
        if let Some(place) = &end.place {
            starts.entry(place.content.start).or_default().push(at);
        }
        self.places.push(end);
        self.linked.push(at);
        self.groups.push(None);
        at
    }

    /// Joins what is known of two places and of a passage between them.
    fn link(&mut self, ends: [usize; 2], mut group: Group) {
        let [root, other] = ends.map(|end| self.root(end));
        for root in [root, other] {
            group = match self.groups[root].take() {
                Some(known) => known.with(group),
                None => group,
            };
        }
        self.linked[other] = root;
        self.groups[root] = Some(group);
    }

    /// Returns the place that has the group of a place.
    fn root(&mut self, mut at: usize) -> usize {
        while self.linked[at] != at {
            self.linked[at] = self.linked[self.linked[at]];
            at = self.linked[at];
        }
        at
    }

    /// Returns all findings, which are identified by the given names of their texts. `is_new` reports
    /// whether a text is new or was changed, as far as this is known.
    pub(crate) fn finish(mut self, names: &Names, is_new: impl Fn(u32) -> bool) -> Findings<'t> {
        let roots: Vec<usize> = (0..self.places.len()).map(|at| self.root(at)).collect();
        let mut places: BTreeMap<usize, Vec<FoundAt>> = BTreeMap::new();
        for (place, root) in self.places.into_iter().zip(&roots) {
            places.entry(*root).or_default().push(place);
        }
        let mut several = BTreeSet::new();
        let mut all = Vec::with_capacity(places.len());
        for (root, mut places) in places {
            let Some(Group { closest, farthest, reasons, passage, added }) =
                self.groups[root].take()
            else {
                continue;
            };
            let start = |it: &FoundAt| it.place.as_ref().map(|place| place.content.start);
            places.sort_by_key(|place| (place.number, start(place)));
            let weight = |it: &FoundAt| (it.mark.is_empty(), is_new(it.number), it.passages);
            let heaviest = places.iter().map(weight).max();
            let first = places.iter().position(|it| Some(weight(it)) == heaviest);
            let first = first.unwrap_or_default();
            let identity = String::new();
            let finding = Finding { closest, farthest, reasons, passage, places, first, identity };
            if finding.is_in_several() {
                several.insert(root);
            }
            all.push((added, finding));
        }
        all.sort_by_key(|(added, _)| *added);
        let mut of_several_alone = BTreeSet::new();
        for pair in self.excerpts.chunk_by(|one, other| one.0 == other.0) {
            if pair.iter().all(|(_, place)| several.contains(&roots[*place])) {
                of_several_alone.insert(pair[0].0);
            }
        }
        let mut all: Vec<Finding> = all.into_iter().map(|(_, finding)| finding).collect();
        identify(&mut all, names);
        Findings { all, of_several_alone }
    }
}

/// Sets the identity of each finding. Those of the same words in the same texts are numbered.
fn identify(findings: &mut [Finding], names: &Names) {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for finding in findings {
        let texts = finding.places.iter().map(|it| names.plain(it.text) + "\0");
        let mut known = texts.collect::<String>();
        if let Some(passage) = &finding.passage {
            let _ = write!(known, "{:016x}", passage.fingerprint);
            let times = seen.entry(known.clone()).or_insert(0);
            *times += 1;
            let _ = write!(known, ":{times}");
        }
        finding.identity = HEXLOWER.encode(&Sha256::digest(known)[..16]);
    }
}

/// Reports whether two ranges of a text share at least three quarters of the longer one.
fn is_same(one: &Range<usize>, other: &Range<usize>) -> bool {
    let shared = one.end.min(other.end).saturating_sub(one.start.max(other.start));
    4 * shared >= 3 * one.len().max(other.len()) && shared > 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A passage of two texts, each with its first and last byte.
    type Ends = [(u32, usize, usize); 2];

    /// Links passages as [`FindingsBuilder::add`] does, without what it says of each. Text 9 is an earlier
    /// one.
    fn built<'t>(texts: &'t [Text], passages: &[Ends]) -> FindingsBuilder<'t> {
        let mut builder = FindingsBuilder::new(Verdict::Excerpt);
        for (passage, added) in passages.iter().zip(0..) {
            let ends = passage.map(|(number, start, end)| {
                let place = Some(Place { content: start..end, ..Place::default() });
                let mark = if number == 9 { " (earlier)" } else { "" };
                let text = &texts[number as usize];
                builder.place(FoundAt { text, number, place, shown: None, mark, passages: 1 })
            });
            let closest = Closeness { verdict: Verdict::Excerpt, jaccard: 0.0, hamming: 0 };
            let (farthest, reasons) = (closest.verdict, String::new());
            builder.link(ends, Group { closest, farthest, reasons, passage: None, added });
            builder.excerpts.push(((passage[0].0, passage[1].0), ends[0]));
        }
        builder
    }

    fn linked<'t>(texts: &'t [Text], passages: &[Ends]) -> Findings<'t> {
        built(texts, passages).finish(&Names::here(), |_| false)
    }

    fn texts(count: u32) -> Vec<Text> {
        let text = |number: u32| Text::new(number.to_string(), "").unwrap();
        (0..count).map(text).collect()
    }

    /// Returns the text, first and last byte of each place of each finding.
    fn places(findings: &Findings) -> Vec<Vec<(u32, usize, usize)>> {
        let place = |it: &FoundAt| {
            let content = &it.place.as_ref().unwrap().content;
            (it.number, content.start, content.end)
        };
        findings.all.iter().map(|it| it.places.iter().map(place).collect()).collect()
    }

    #[test]
    fn passages_that_share_most_of_a_place_are_one_finding() {
        let texts = texts(4);
        #[rustfmt::skip]
        let table: [(&str, &[Ends], &[&[(u32, usize, usize)]]); 7] = [
            ("none", &[], &[]),
            ("three texts with a paragraph",
             &[[(0, 10, 30), (1, 0, 20)], [(0, 10, 30), (2, 5, 25)], [(1, 0, 20), (2, 5, 25)]],
             &[&[(0, 10, 30), (1, 0, 20), (2, 5, 25)]]),
            ("three quarters of the longer range",
             &[[(0, 10, 30), (1, 0, 20)], [(0, 15, 30), (2, 0, 15)]],
             &[&[(0, 10, 30), (1, 0, 20), (2, 0, 15)]]),
            ("less than that",
             &[[(0, 10, 30), (1, 0, 20)], [(0, 16, 30), (2, 0, 14)]],
             &[&[(0, 10, 30), (1, 0, 20)], &[(0, 16, 30), (2, 0, 14)]]),
            ("a longer range that begins before",
             &[[(0, 5, 20), (1, 0, 15)], [(0, 0, 20), (2, 0, 20)]],
             &[&[(0, 5, 20), (1, 0, 15), (2, 0, 20)]]),
            ("two places of a text",
             &[[(0, 0, 10), (1, 0, 10)], [(0, 50, 60), (1, 0, 10)]],
             &[&[(0, 0, 10), (0, 50, 60), (1, 0, 10)]]),
            ("two findings that meet later",
             &[[(0, 0, 10), (1, 0, 10)], [(2, 0, 10), (3, 0, 10)], [(1, 0, 10), (2, 0, 10)]],
             &[&[(0, 0, 10), (1, 0, 10), (2, 0, 10), (3, 0, 10)]]),
        ];
        for (why, passages, want) in table {
            assert_eq!(places(&linked(&texts, passages)), want, "{why}");
        }
    }

    #[test]
    fn an_excerpt_of_what_more_texts_have_is_told_from_others() {
        let texts = texts(4);
        let (shared, own) = ((0, 10), (50, 60));
        let ends = |a, b, (start, end): (usize, usize)| [(a, start, end), (b, start, end)];
        let passages =
            [ends(0, 1, shared), ends(0, 2, shared), ends(1, 2, shared), ends(1, 2, own)];
        let findings = linked(&texts, &passages);
        assert_eq!(findings.of_several_alone, [(0, 1), (0, 2)].into());
        assert_eq!(
            findings.all.iter().map(Finding::is_in_several).collect::<Vec<_>>(),
            [true, false]
        );
    }

    #[test]
    fn a_reader_looks_first_at_what_is_new() {
        let texts = texts(10);
        let passages = [[(0, 0, 9), (1, 0, 9)], [(1, 0, 9), (9, 0, 9)]];
        let first = |is_new: fn(u32) -> bool| {
            let findings = built(&texts, &passages).finish(&Names::here(), is_new);
            findings.all[0].main().number
        };
        assert_eq!(first(|_| false), 1, "in most pairs");
        assert_eq!(first(|text| text == 0), 0, "new");
        assert_eq!(first(|text| text == 9), 1, "an earlier text is never first");
    }

    proptest! {
        /// The plain twin compares each range with all places of its text, and walks over the links.
        #[test]
        fn findings_are_what_links_connect(
            passages in proptest::collection::vec(
                proptest::array::uniform2((0_u32..4, 0_usize..40, 1_usize..30)), 0..40),
        ) {
            let texts = texts(4);
            let ends = |(text, start, length)| (text, start, start + length);
            let passages: Vec<Ends> = passages.into_iter().map(|it| it.map(ends)).collect();
            let mut known: Vec<(u32, usize, usize)> = Vec::new();
            let mut links: Vec<[usize; 2]> = Vec::new();
            for passage in &passages {
                links.push(passage.map(|(text, start, end)| {
                    let is_at = |it: &(u32, usize, usize)| {
                        it.0 == text && is_same(&(it.1..it.2), &(start..end))
                    };
                    let mut at = (0..known.len()).filter(|at| is_at(&known[*at]));
                    // Of several, the one that begins first, and there the one that was added first.
                    let at = at.by_ref().min_by_key(|at| (known[*at].1, *at));
                    at.unwrap_or_else(|| {
                        known.push((text, start, end));
                        known.len() - 1
                    })
                }));
            }
            let mut names: Vec<usize> = (0..known.len()).collect();
            for _ in 0..known.len() {
                for [one, other] in &links {
                    let least = names[*one].min(names[*other]);
                    (names[*one], names[*other]) = (least, least);
                }
            }
            let mut want: Vec<Vec<(u32, usize, usize)>> = Vec::new();
            for [one, _] in &links {
                let of = |at: &usize| names[*at] == names[*one];
                let mut members: Vec<_> = (0..known.len()).filter(of).map(|at| known[at]).collect();
                members.sort_by_key(|(text, start, _)| (*text, *start));
                if !want.contains(&members) {
                    want.push(members);
                }
            }
            prop_assert_eq!(places(&linked(&texts, &passages)), want);
        }
    }
}
