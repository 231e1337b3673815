//! Reworded sentences of small texts, worked out by hand, and properties that hold for any two
//! texts.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::super::sentences::{MAX_RARE, weight};
use super::super::tests::{sequence, swap, word_pair, words};
use super::super::{Passage, Sequence, covered, find_whole};
use super::*;

/// Returns a text and the starts of its sentences: `;` ends a sentence, and `~` marks a place where
/// something was left out.
fn text(text: &str) -> (Sequence, Vec<usize>) {
    let (mut all, mut starts, mut breaks) = (Vec::new(), Vec::new(), Vec::new());
    for sentence in text.split_inclusive([';', '~']) {
        all.extend(words(sentence.trim_end_matches([';', '~'])));
        (if sentence.ends_with(';') { &mut starts } else { &mut breaks }).push(all.len());
    }
    breaks.retain(|at| *at < all.len());
    (Sequence { breaks, ..sequence(&all) }, starts)
}

fn passages(texts: &[(Sequence, Vec<usize>); 2], min_match: usize) -> Vec<Passage> {
    let whole = |_: usize, ranges: &[Range<usize>]| {
        ranges.iter().map(|range| (range.clone(), ())).collect::<Vec<_>>()
    };
    // Only the starts within the given ranges.
    let starts = |side: usize, ranges: &[Range<usize>]| {
        let starts = texts[side].1.iter().copied();
        let is_within = |at: &usize| ranges.iter().any(|it| it.start < *at && *at < it.end);
        Some(starts.filter(is_within).collect::<Vec<_>>())
    };
    let sequences = texts.each_ref().map(|(sequence, _)| sequence.clone());
    let found = find_whole(word_pair(&sequences), MinMatch::new(min_match).unwrap(), whole, starts);
    found.into_iter().map(|(passage, _)| passage).collect()
}

/// Returns words in reverse order: `a3 a2 a1`.
fn back(name: &str, last: usize) -> String {
    let words: Vec<String> = (1..=last).rev().map(|at| format!("{name}{at}")).collect();
    words.join(" ") + " "
}

#[test]
fn reworded_passages_are_those_worked_out_by_hand() {
    // In about 700 words, a word that occurs once on either side weighs log₂ (1 + 700 / 40), rounded
    // down four bits, and one that only one side has, log₂ (1 + 700 / 20), five.
    let left = |text: &str| format!("x1..330; {text}; x331..340;");
    let back = |text: &str| {
        let words = text.split(' ').map(|word| match word.strip_prefix('-') {
            Some(word) => {
                let number = word[1..].trim_end_matches([';', '~']);
                back(&word[..1], number.parse().unwrap()) + &word[1 + number.len()..]
            }
            None => word.to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    };
    let both = left("a1..7 o1..6; b1..7 o7..12");
    let one = left("a1..15 o1..9");
    let three = left("a1..5 o1..3; b1..5 o4..6; c1..5 o7..9");
    let chinese = left("一二三四五六七八九十天地; 玄黄宇宙洪荒日月盈昃辰宿列张");
    let mixed = left("m1..12 a1..7 o1..6");
    #[rustfmt::skip]
    let table: &[(&str, String, &str, &[([usize; 4], usize)])] = &[
        ("two sentences",                  both.clone(),           "z1..9; -b7 p1..6; -a7 p7..12; y1..300", &[([330, 356, 9, 35], 14)]),
        ("too few aligned words",          left("a1..6 o1..6; b1..5 o7..12"), "z1..9; -b5 p1..7; -a6 p7..13; y1..300", &[]),
        ("too few words on one side",      left("a1..7 o1..5; b1..7 o6..9"), "z1..9; -b7 p1..6; -a7 p7..12; y1..300", &[]),
        ("one sentence",                   one.clone(),            "z1..9; -a15 p1..9; y1..300",       &[([330, 354, 9, 33], 15)]),
        ("with too little evidence",       left("a1..14 o1..10"),  "z1..9; -a14 p1..10; y1..300",      &[]),
        ("with too many words of their own", left("a1..7 o1..30; b1..7 o31..60"), "z1..9; -b7 p1..30; -a7 p31..60; y1..240", &[]),
        ("two shared words are no seed",   left("a1..15 o1..9; b1..2"), "z1..9; -a15 p1..9; y1..11; -b2; y12..300", &[([330, 354, 9, 33], 15)]),
        ("80 words between",               both.clone(),           "-b7 p1..6; y1..80; -a7 p7..12; z1..240", &[([330, 356, 0, 106], 14)]),
        ("81: too little in either",       both.clone(),           "-b7 p1..6; y1..81; -a7 p7..12; z1..240", &[]),
        ("a break between",                left("a1..7 o1..6~ b1..7 o7..12"), "-b7 p1..6; -a7 p7..12; z1..300", &[]),
        ("a break between on the right",   both.clone(),           "-b7 p1..6~ -a7 p7..12; z1..300",   &[]),
        ("beside an exact passage",        left("m1..12; a1..5 o1..3"), "z1..9; m1..12; -a5 p1..3; y1..320", &[([330, 350, 9, 29], 17)]),
        ("in one sentence with it",        mixed,                  "z1..9; m1..12 -a7 p1..6; y1..320", &[([330, 355, 9, 34], 19)]),
        ("grown by ten words",             left("m1..12; x1..10; a1 a2"), "z1..9; m1..12; y1..10; a2 a1; y11..320", &[([330, 342, 9, 21], 12)]),
        ("a summary of three places",      three.clone(),          "-a5 p1..3; y1..90; -b5 p4..6; y91..180; -c5 p7..9; z1..99", &[([330, 354, 0, 204], 15)]),
        ("of two",                         left("a1..7 o1..5; b1..7 o6..10"), "-a7 p1..5; y1..90; -b7 p6..10; z1..199", &[]),
        ("letters of a script without spaces", chinese,            "z1..9; 张列宿辰昃盈月日荒洪宙宇黄玄; 地天十九八七六五四三二一; y1..320", &[]),
    ];
    let mut wrong = Vec::new();
    for (why, left, right, want) in table {
        let texts = [text(left), text(&back(right))];
        let found = passages(&texts, 12);
        let got: Vec<_> = found
            .iter()
            .map(|it| ([it.left.start, it.left.end, it.right.start, it.right.end], it.words()))
            .collect();
        if got != *want {
            wrong.push(format!("{why}: {got:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn nothing_is_reworded_where_sentences_are_not_known() {
    let right = format!("{} {} y1..320", back("b", 12), back("a", 12));
    let texts = ["x1..330 a1..12 b1..12", &right].map(|it| text(it).0);
    let whole = |_: usize, ranges: &[Range<usize>]| {
        ranges.iter().map(|range| (range.clone(), ())).collect::<Vec<_>>()
    };
    let found = |starts: Option<Vec<usize>>| {
        find_whole(word_pair(&texts), MinMatch::default(), whole, move |_, _| starts.clone()).len()
    };
    assert_eq!([found(None), found(Some(vec![12, 24, 330, 342]))], [0, 1]);
}

/// The number of words between two ranges; 0 if they touch or overlap.
fn distance(one: &Range<usize>, other: &Range<usize>) -> usize {
    one.start.saturating_sub(other.end).max(other.start.saturating_sub(one.end))
}

/// The definition: compares every sentence with every other.
struct Plain<'p> {
    pair: &'p Pair,
    /// The words of each sentence.
    words: [Vec<Range<usize>>; 2],
    /// Weights and prose, which have tests of their own.
    sentences: &'p Sentences,
    min_match: usize,
}

/// A group of parts, as in [`Grown`].
struct PlainGroup {
    place: Place,
    known: Vec<usize>,
    pairs: Vec<[usize; 2]>,
    evidence: (usize, i64),
}

impl Plain<'_> {
    fn terms(&self, side: usize, at: usize) -> BTreeSet<u32> {
        self.sentences.terms_of(&self.pair.words[side][self.words[side][at].clone()]).collect()
    }

    /// The first sentence that is nearly equal to each, over any number of others.
    fn nearly_equal(&self, side: usize) -> Vec<usize> {
        let all: Vec<BTreeSet<u32>> =
            (0..self.words[side].len()).map(|at| self.terms(side, at)).collect();
        let count = |term: &u32| all.iter().filter(|terms| terms.contains(term)).count();
        let keys: Vec<BTreeSet<[u32; 2]>> = all
            .iter()
            .map(|terms| {
                let mut rarest: Vec<u32> = terms.iter().copied().collect();
                rarest.sort_by_key(|term| (count(term), *term));
                rarest.truncate(3);
                rarest.retain(|term| count(term) > 1);
                rarest.sort_unstable();
                let pairs = rarest.iter().flat_map(|one| rarest.iter().map(|other| [*one, *other]));
                pairs.filter(|[one, other]| one < other).collect()
            })
            .collect();
        let are_equal = |one: &usize, other: &usize| {
            let first = |key: &[u32; 2]| keys.iter().position(|keys| keys.contains(key));
            let is_first = keys[*other].iter().any(|key| first(key) == Some(*one));
            let shared = all[*one].intersection(&all[*other]).count();
            is_first && 2 * shared >= all[*one].union(&all[*other]).count()
        };
        let sets = groups((0..all.len()).collect(), are_equal);
        (0..all.len()).map(|at| sets.iter().find(|set| set.contains(&at)).unwrap()[0]).collect()
    }

    /// The number of rare terms that each pair of sentences shares, where it is not 0, and which are rare.
    fn candidates(&self) -> (BTreeMap<[usize; 2], usize>, BTreeSet<u32>) {
        let sets = [0, 1].map(|side| self.nearly_equal(side));
        let (mut pairs, mut rare) = (BTreeMap::new(), BTreeSet::new());
        for term in 0..u32::try_from(self.pair.distinct_words()).unwrap() {
            let with_it = [0, 1].map(|side: usize| {
                let all = 0..self.words[side].len();
                all.filter(|at| self.terms(side, *at).contains(&term)).collect::<Vec<_>>()
            });
            let of_set = |side: usize, at: usize| -> Vec<usize> {
                let all = with_it[side].iter().copied();
                all.filter(|other| sets[side][*other] == sets[side][at]).collect()
            };
            let different = [0, 1].map(|side: usize| {
                with_it[side].iter().map(|at| sets[side][*at]).collect::<BTreeSet<_>>().len()
            });
            if !(1..=MAX_RARE).contains(&(different[0] * different[1])) {
                continue;
            }
            rare.insert(term);
            for (i, j) in with_it[0].iter().flat_map(|i| with_it[1].iter().map(move |j| (*i, *j))) {
                let (left, right) = (of_set(0, i), of_set(1, j));
                if left.len() * right.len() <= MAX_RARE || left[0] == i || right[0] == j {
                    *pairs.entry([i, j]).or_default() += 1;
                }
            }
        }
        (pairs, rare)
    }

    fn scores(&self, [i, j]: [usize; 2], rare: &BTreeSet<u32>) -> [i64; 2] {
        let (left, right) = (self.terms(0, i), self.terms(1, j));
        let weigh = |terms: &mut dyn Iterator<Item = &u32>| {
            terms.map(|term| i64::from(self.sentences.weight(*term))).sum::<i64>()
        };
        let others = weigh(&mut left.symmetric_difference(&right));
        let of_rare = weigh(&mut left.intersection(&right).filter(|term| rare.contains(*term)));
        [10 * of_rare - others, 8 * weigh(&mut left.intersection(&right)) - others]
    }

    fn place(&self, at: [usize; 2]) -> Place {
        [0, 1].map(|side: usize| self.words[side][at[side]].clone())
    }

    /// Whether two sentences score as a seed by the words that weigh a bit and a half in their own text.
    fn are_indexable_seed(&self, at: [usize; 2]) -> bool {
        let [left, right] = [0, 1].map(|side: usize| {
            let all: Vec<u32> = self.words[side]
                .iter()
                .flat_map(|range| self.pair.words[side][range.clone()].iter().copied())
                .collect();
            let weigh = |term: u32| {
                let count = all.iter().filter(|word| **word == term).count();
                (term, i64::from(weight(count as u64, all.len() as u64)))
            };
            let of_sentence = self.terms(side, at[side]).into_iter().map(weigh);
            of_sentence.filter(|(_, weight)| *weight >= 6).collect::<BTreeMap<u32, i64>>()
        });
        let shared: Vec<[i64; 2]> =
            left.iter().filter_map(|(term, one)| Some([*one, *right.get(term)?])).collect();
        let of_both = shared.iter().flatten().sum::<i64>();
        let others = left.values().chain(right.values()).sum::<i64>() - of_both;
        let score = shared.iter().map(|[one, other]| 10 * one.min(other)).sum::<i64>() - others;
        shared.len() >= 3 && score > 280
    }

    fn are_near(&self, one: &Place, other: &Place, gaps: [usize; 2]) -> bool {
        (0..2).all(|side| {
            let whole =
                one[side].start.min(other[side].start) + 1..one[side].end.max(other[side].end);
            distance(&one[side], &other[side]) <= gaps[side]
                && !self.pair.breaks[side].iter().any(|at| whole.contains(at))
        })
    }

    fn groups(&self, known: &[Cluster], gaps: [usize; 2]) -> Vec<PlainGroup> {
        let (candidates, rare) = self.candidates();
        let prose: Vec<[usize; 2]> = candidates
            .keys()
            .copied()
            .filter(|at| (0..2).any(|side: usize| self.sentences.is_prose[side][at[side]]))
            .collect();
        let words: usize = self.pair.words.iter().map(Vec::len).sum();
        let fewest = (3..=words).find(|fewest| {
            candidates.values().filter(|shared| *shared >= fewest).count() <= words / 8 + 16
        });
        let score = |at: &[usize; 2]| self.scores(*at, &rare)[0];
        let is_seed =
            |at: &&[usize; 2]| candidates[*at] >= fewest.unwrap_or(words + 1) && score(at) > 7 * 40;
        let seeds: Vec<[usize; 2]> = prose.iter().filter(is_seed).copied().collect();
        let places: Vec<Place> = known
            .iter()
            .map(|it| it.place.clone())
            .chain(seeds.iter().map(|at| self.place(*at)))
            .collect();
        let are_near =
            |one: &usize, other: &usize| self.are_near(&places[*one], &places[*other], gaps);
        let groups = groups((0..places.len()).collect(), are_near);
        let grown = |group: Vec<usize>| {
            let (of_known, of_seeds): (Vec<usize>, Vec<usize>) =
                group.iter().partition(|at| **at < known.len());
            let place = extent(group.iter().map(|at| &places[*at]));
            let mut pairs: Vec<[usize; 2]> =
                of_seeds.iter().map(|at| seeds[at - known.len()]).collect();
            pairs.extend(prose.iter().filter(|at| {
                let [score, of_all] = self.scores(**at, &rare);
                let is_near = self.are_near(&self.place(**at), &place, [MAX_GROWTH; 2]);
                is_near && (score > 0 || of_all > 2 * 4 * 8)
            }));
            pairs.sort_by_key(|at| (Reverse(score(at)), *at));
            pairs.dedup();
            let (mut evidence, mut paired) = (0, Vec::<[usize; 2]>::new());
            let mut members = Vec::<[usize; 2]>::new();
            for (number, at) in pairs.iter().enumerate() {
                let is_new = |others: &[[usize; 2]], side: usize| {
                    others.iter().all(|other| other[side] != at[side])
                };
                if score(at) > 0 && (0..2).all(|side| is_new(&paired, side)) {
                    evidence += score(at);
                    paired.push(*at);
                }
                if (0..2).any(|side| is_new(&pairs[..number], side)) {
                    members.push(*at);
                }
            }
            let of_members: Vec<Place> = members.iter().map(|at| self.place(*at)).collect();
            let place = extent([place].iter().chain(&of_members));
            let words = of_known.iter().map(|at| places[*at][0].len()).sum();
            PlainGroup { place, known: of_known, pairs: members, evidence: (words, evidence) }
        };
        let mut grown: Vec<PlainGroup> = groups.into_iter().map(grown).collect();
        grown.retain(|it| {
            let is_one = (0..2).any(|side| it.pairs.iter().all(|at| at[side] == it.pairs[0][side]));
            let words = i64::try_from(self.min_match).unwrap();
            let needed = words * if is_one { 156 } else { 116 };
            let is_long = it.place.iter().all(|range| range.len() >= 2 * self.min_match);
            let has_indexable_seed = it.pairs.iter().any(|at| self.are_indexable_seed(*at));
            !it.known.is_empty() || is_long && it.evidence.1 >= needed && has_indexable_seed
        });
        grown.sort_by_key(|it| (Reverse(it.evidence), [it.place[0].start, it.place[1].start]));
        grown
    }

    fn cluster(
        &self,
        place: Place,
        passages: BTreeSet<usize>,
        sentences: Vec<Place>,
    ) -> Option<Cluster> {
        let runs = aligned(self.pair, self.sentences, &sentences);
        let words: usize = runs.iter().map(|run| run.length).sum();
        let passages: Vec<usize> = passages.into_iter().collect();
        let is_enough = !passages.is_empty() || words >= self.min_match;
        is_enough.then_some(Cluster { place, passages, sentences, runs })
    }

    /// The pairs of a group that are as strong as a seed.
    fn counted(&self, group: &PlainGroup) -> Vec<Place> {
        let (_, rare) = self.candidates();
        let strong = group.pairs.iter().filter(|at| self.scores(**at, &rare)[0] > 7 * 40);
        strong.map(|at| self.place(*at)).collect()
    }

    fn found(&self, known: &[Cluster]) -> Vec<Cluster> {
        let mut chosen: Vec<Cluster> = Vec::new();
        for group in self.groups(known, [MAX_GAP; 2]) {
            let is_free = |other: &Cluster| !overlap(&group.place, &other.place);
            let others = (0..known.len()).filter(|at| !group.known.contains(at));
            let is_alone = others.map(|at| &known[at]).all(is_free) && chosen.iter().all(is_free);
            let passages = group.known.iter().flat_map(|at| known[*at].passages.clone()).collect();
            let sentences = self.counted(&group);
            match self.cluster(group.place.clone(), passages, sentences) {
                Some(cluster) if is_alone => chosen.push(cluster),
                _ => chosen.extend(group.known.iter().map(|at| known[*at].clone())),
            }
        }
        for side in 0..2 {
            let gaps = [[33, 1000], [1000, 33]][side];
            for group in self.groups(known, gaps) {
                let [short, long] = [side, 1 - side].map(|side| group.place[side].len());
                let of_known = group.known.iter().map(|at| known[*at].place[1 - side].clone());
                let of_pairs = group.pairs.iter().map(|at| self.place(*at)[1 - side].clone());
                let parts: Vec<Range<usize>> = of_known.chain(of_pairs).collect();
                let are_near =
                    |one: &usize, other: &usize| distance(&parts[*one], &parts[*other]) <= 33;
                if 2 * long < 5 * short || groups((0..parts.len()).collect(), are_near).len() < 3 {
                    continue;
                }
                let (inner, rest): (Vec<Cluster>, Vec<Cluster>) =
                    chosen.iter().cloned().partition(|it| overlap(&group.place, &it.place));
                let place = extent(inner.iter().map(|it| &it.place).chain([&group.place]));
                let is_inside = |it: &Cluster| {
                    (0..2).all(|side| {
                        let (inner, outer) = (&it.place[side], &group.place[side]);
                        outer.start <= inner.start + 10 && inner.end <= outer.end + 10
                    })
                };
                if !inner.iter().all(is_inside) || rest.iter().any(|it| overlap(&place, &it.place))
                {
                    continue;
                }
                let passages = inner.iter().flat_map(|it| it.passages.clone()).collect();
                let mut sentences = self.counted(&group);
                sentences.extend(inner.iter().flat_map(|it| it.sentences.clone()));
                if let Some(cluster) = self.cluster(place, passages, sentences) {
                    chosen = rest;
                    chosen.push(cluster);
                }
            }
        }
        chosen
    }
}

fn overlap(one: &Place, other: &Place) -> bool {
    one.iter().zip(other).any(|(one, other)| one.start < other.end && other.start < one.end)
}

/// Puts items that are linked, in either direction and over any number of others, into one group, in
/// increasing order.
fn groups(items: Vec<usize>, are_linked: impl Fn(&usize, &usize) -> bool) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = items.into_iter().map(|item| vec![item]).collect();
    loop {
        let pairs = (0..groups.len()).flat_map(|x| (0..groups.len()).map(move |y| (x, y)));
        let is_linked = |(x, y): &(usize, usize)| {
            x < y
                && groups[*x].iter().any(|one| {
                    groups[*y].iter().any(|other| are_linked(one, other) || are_linked(other, one))
                })
        };
        let Some((x, y)) = pairs.into_iter().find(is_linked) else { return groups };
        let other = groups.remove(y);
        groups[x].extend(other);
        groups[x].sort_unstable();
    }
}

/// Two texts of sentences, some of which have most of their words in common.
fn texts() -> impl Strategy<Value = [(Sequence, Vec<usize>); 2]> {
    let sentence = (proptest::collection::vec(0_usize..90, 1..14), ";|;|;|~|");
    let sides =
        proptest::collection::vec((sentence, 0_usize..4, any::<prop::sample::Index>()), 1..14);
    sides.prop_map(|sentences| {
        let write = |words: &[usize], end: &str| {
            let words: Vec<String> = words.iter().map(|word| format!("w{word}")).collect();
            words.join(" ") + " the " + end
        };
        let left: String = sentences.iter().map(|((words, end), ..)| write(words, end)).collect();
        let mut right: Vec<(usize, String)> = Vec::new();
        for ((words, end), changes, at) in &sentences {
            let mut words: Vec<usize> = words.iter().rev().copied().collect();
            words.iter_mut().step_by(3).take(*changes).for_each(|word| *word += 90);
            right.push((at.index(5), write(&words, end)));
        }
        right.sort_by_key(|(place, _)| *place);
        let right: String = right.into_iter().map(|(_, sentence)| sentence).collect();
        [text(&left), text(&right)]
    })
}

/// The number of words of a few sentences; 0 for none.
fn own() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(prop_oneof![1 => Just(0), 4 => 3_usize..90], 5)
}

proptest! {
    #[test]
    fn reworded_sentences_are_those_of_the_definition(texts in texts(), min_match in 3_usize..8) {
        let (pair, is_swapped) = Pair::from_sequences(texts[0].0.clone(), texts[1].0.clone());
        let mut starts = texts.each_ref().map(|(_, starts)| starts.clone());
        if is_swapped {
            starts.reverse();
        }
        let min_match = MinMatch::new(min_match).unwrap();
        let found = super::super::found(&pair, min_match);
        let passages: Vec<Place> =
            found.iter().map(|it| [0, 1].map(|side| runs::extent(&it.runs, side))).collect();
        let known = clusters::join(&pair, &passages);
        let within = |side: usize, free: &[Range<usize>]| {
            let starts = starts[side].iter().copied();
            Some(starts.filter(|at| free.iter().any(|it| it.start < *at && *at < it.end)).collect())
        };
        let mut got = join(&pair, &passages, known.clone(), min_match, within);
        let mut want = known.clone();
        if !pair.is_same() {
            let free = [0, 1].map(|side: usize| {
                let taken = passages.iter().map(|place| place[side].clone()).collect();
                runs::cut(runs::gaps(taken, pair.words[side].len()), &pair.breaks[side])
            });
            let words = [0, 1].map(|side: usize| {
                sentences::split(&free[side], &within(side, &free[side]).unwrap_or_default())
            });
            let sentences = Sentences::new(&pair, words.clone());
            let plain =
                Plain { pair: &pair, words, sentences: &sentences, min_match: min_match.words() };
            want = plain.found(&known);
        }
        got.sort_by_key(|it| it.place[0].start);
        want.sort_by_key(|it| it.place[0].start);
        for cluster in got.iter_mut().chain(&mut want) {
            cluster.runs.sort_unstable();
        }
        prop_assert_eq!(got, want);
    }

    #[test]
    fn passages_overlap_nothing_and_reach_over_no_break(texts in texts(), min_match in 3_usize..8) {
        let found = passages(&texts, min_match);
        for side in 0..2 {
            let range = |it: &Passage| [&it.left, &it.right][side].clone();
            let ranges: Vec<Range<usize>> = found.iter().map(range).collect();
            for (number, one) in ranges.iter().enumerate() {
                for other in &ranges[..number] {
                    prop_assert!(one.end <= other.start || other.end <= one.start);
                }
            }
            let breaks = &texts[side].0.breaks;
            prop_assert!(ranges.iter().all(|it| breaks.iter().all(|at| *at <= it.start || it.end <= *at)));
        }
        for passage in &found {
            for side in 0..2 {
                let range = [&passage.left, &passage.right][side];
                let mut words = BTreeSet::new();
                for run in &passage.runs {
                    prop_assert!(run.length > 0);
                    prop_assert!(run.range(side).all(|at| range.contains(&at) && words.insert(at)));
                }
                // Changed words are no aligned ones, and all words of reworded sentences are either.
                let mut changed = passage.changed[side].iter().cloned().flatten();
                prop_assert!(changed.all(|at| range.contains(&at) && words.insert(at)));
                prop_assert!(passage.reworded[side].iter().cloned().flatten().all(|at| words.contains(&at)));
                prop_assert_eq!(passage.own_words(side), range.len() - words.len());
            }
            for run in &passage.runs {
                let words = [0, 1].map(|side| {
                    let sequence = &texts[side].0;
                    let of = |at: &u32| sequence.distinct.stems[*at as usize];
                    sequence.words[run.range(side)].iter().map(of).collect::<Vec<_>>()
                });
                prop_assert_eq!(&words[0], &words[1]);
            }
            prop_assert!(passage.words() > 0);
        }
        prop_assert!(found.is_sorted_by_key(|it| it.right.start));
    }

    /// A sentence of its own between two copied ones is neither the same nor changed. One of fewer than three
    /// words is no sentence by itself.
    #[test]
    fn own_sentences_are_not_covered(
        copied in proptest::collection::vec(4_usize..30, 2..5),
        own in [own(), own()],
    ) {
        let side = |name: &str, own: &[usize]| {
            let sentence = |name: &str, k: usize, words: usize| format!("{name}{k}x1..{words}; ");
            let all = copied.iter().zip(own).enumerate().map(|(k, (words, own))| {
                let own = if *own > 0 { sentence(name, k, *own) } else { String::new() };
                sentence("a", k, *words) + &own
            });
            text(&all.collect::<String>())
        };
        let found = passages(&[side("b", &own[0]), side("c", &own[1])], 12);
        for side in 0..2 {
            let covered = covered(found.iter(), side).count();
            prop_assert!(covered.same <= copied.iter().sum() && covered.changed == 0, "{covered:?}");
        }
    }

    #[test]
    fn turned_round_the_reworded_passages_are_the_same(texts in texts(), min_match in 3_usize..8) {
        let [left, right] = texts;
        let mut is_swapped = passages(&[right.clone(), left.clone()], min_match);
        is_swapped.iter_mut().for_each(swap);
        is_swapped.sort_unstable_by_key(|passage| (passage.right.start, passage.left.start));
        prop_assert_eq!(is_swapped, passages(&[left, right], min_match));
    }
}
