//! Reworded sentences of small texts, worked out by hand, and properties that hold for any two
//! texts.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::super::tests::{sequence, swap, word_pair, words};
use super::super::{Kind, Passage, Sequence, find_whole};
use super::sentences as sentences_of;
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
    // In about 700 words, a word that occurs once on either side weighs log₂ (1 + 700 / 40),
    // rounded down four bits, so that 15 words are enough and 14 are not.
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
    let both = left("a1..9; b1..9");
    let long = left("a1..12; b1..12");
    let chinese = left("一二三四五六七八九十天地; 玄黄宇宙洪荒日月盈昃辰宿列张");
    #[rustfmt::skip]
    let table: &[(&str, String, &str, &[([usize; 4], usize)])] = &[
        ("two sentences",                  left("a1..8; b1..8"),   "z1..9; -b8; -a8; y1..320",         &[([330, 346, 9, 25], 16)]),
        ("just enough",                    left("a1..8; b1..7"),   "z1..9; -b7; -a8; y1..320",         &[([330, 345, 9, 24], 15)]),
        ("not enough",                     left("a1..7; b1..7"),   "z1..9; -b7; -a7; y1..320",         &[]),
        ("one sentence",                   left("a1..19"),         "z1..9; -a19; y1..320",             &[]),
        ("one on the left",                left("a1..19"),         "z1..9; -a9; a19 a18 a17 a16 a15 a14 a13 a12 a11 a10; y1..320", &[]),
        ("with words of their own",        left("a1..9 o1..3; b1..9"), "z1..9; -a9 p1..3; -b9; y1..320", &[([330, 351, 9, 30], 18)]),
        ("with too many of them",          left("a1..9 o1..30; b1..9"), "z1..9; -a9 p1..30; -b9; y1..320", &[]),
        ("as many as they may have",       left("a1..8 o1..3; b1..8"), "z1..9; -b8; -a8 p1..3; y1..320", &[([330, 349, 9, 28], 16)]),
        ("one more",                       left("a1..8 o1..4; b1..8"), "z1..9; -b8; -a8 p1..3; y1..320", &[]),
        ("four bits and a quarter",        left("a1..16; b1..2 o1..3"), "-b2 p1..3; y1..320; -a16",    &[([330, 346, 325, 341], 16)]),
        ("less than four bits",            left("a1..16; b1..2 o1..4"), "-b2 p1..3; y1..320; -a16",    &[]),
        ("200 words between",              both.clone(),           "-b9; y1..200; -a9; z1..100",       &[([330, 348, 0, 218], 18)]),
        ("201: two passages",              long.clone(),           "-b12; y1..201; -a12; z1..94",      &[([342, 354, 0, 12], 12), ([330, 342, 213, 225], 12)]),
        ("201: too few words in either",   both.clone(),           "-b9; y1..201; -a9; z1..100",       &[]),
        ("201: too few words in one",      left("a1..11; b1..13"), "-b13; y1..201; -a11; z1..94",      &[([341, 354, 0, 13], 13)]),
        ("400",                            long.clone(),           "-b12; y1..400; -a12",              &[([342, 354, 0, 12], 12), ([330, 342, 412, 424], 12)]),
        ("401",                            long.clone(),           "-b12; y1..401; -a12",              &[]),
        ("neighbours on neither side",     left("a1..9; q; b1..9"), "-b9; y1..300; -a9",               &[]),
        ("a break between",                left("a1..9~ b1..9"),   "-b9; y1..300; -a9",                &[]),
        ("a break between on the right",   long.clone(),           "-b12~ y1..300; -a12",              &[([342, 354, 0, 12], 12), ([330, 342, 312, 324], 12)]),
        ("parted by that",                 long.clone(),           "-b12; y1..150~ z1..150; -a12",     &[([342, 354, 0, 12], 12), ([330, 342, 312, 324], 12)]),
        ("an exact passage between",       both.clone(),           "-b9; x1..20; -a9; y1..300",        &[([0, 20, 9, 29], 20)]),
        ("letters of a script without spaces", chinese,            "z1..9; 张列宿辰昃盈月日荒洪宙宇黄玄; 地天十九八七六五四三二一; y1..320", &[]),
    ];
    for (why, left, right, want) in table {
        let texts = [text(left), text(&back(right))];
        let found = passages(&texts, 12);
        let got: Vec<_> = found
            .iter()
            .map(|it| ([it.left.start, it.left.end, it.right.start, it.right.end], it.words()))
            .collect();
        assert_eq!(got, *want, "{why}");
        let is_reworded = |it: &Passage| (it.kind() == Kind::Reworded) != why.contains("exact");
        assert!(found.iter().all(is_reworded), "{why}");
    }
}

#[test]
fn seeds_are_words_that_are_rare_in_either_text() {
    let sentences = |count: usize, words: &str| format!("{words} ; ").repeat(count);
    #[rustfmt::skip]
    let table: &[(&str, &[(&str, usize, usize)], usize)] = &[
        ("none",                        &[],                                                             0),
        ("one word",                    &[("p", 1, 1)],                                                  0),
        ("two",                         &[("p q", 1, 1)],                                                1),
        ("one twice",                   &[("p p", 1, 1)],                                                0),
        ("four times four",             &[("p q", 4, 4)],                                                16),
        ("four times five",             &[("p q", 4, 5)],                                                0),
        ("16 times in one",             &[("p q", 16, 1)],                                               16),
        ("17 times",                    &[("p q", 1, 17)],                                               0),
        ("too many pairs",              &[("p q", 4, 4), ("r s", 4, 4), ("t u", 4, 4)],                  0),
        ("of which some share more",    &[("p q", 4, 4), ("r s", 4, 4), ("t u v", 4, 4)],                16),
    ];
    for (why, families, want) in table {
        let side = |side: usize| {
            let own =
                families.iter().map(|(words, left, right)| sentences([*left, *right][side], words));
            // Without other words, no word would be rare enough to have a weight.
            let rest = ["x1..40", "y1..40"][side];
            text(&format!("{}{rest};", own.collect::<String>()))
        };
        let texts = [side(0), side(1)];
        let (pair, is_swapped) = Pair::from_sequences(texts[0].0.clone(), texts[1].0.clone());
        let weights = Weights::new(&pair);
        let of_side = |side: usize| {
            let all = 0..pair.words[side].len();
            let starts = &texts[if is_swapped { 1 - side } else { side }].1;
            sentences_of(&pair, &weights, side, std::slice::from_ref(&all), starts)
        };
        let sides = [of_side(0), of_side(1)];
        let search = RewordedSearch { pair: &pair, weights, sentences: sides };
        assert_eq!(search.candidates().len(), *want, "{why}");
    }
}

#[test]
fn what_is_needed_goes_with_the_words_that_a_passage_must_have() {
    let right = format!("z1..9; {}; {}; y1..320;", back("b", 9), back("a", 9));
    let texts = [text("x1..330; a1..9; b1..9; x331..340;"), text(&right)];
    assert_eq!([12, 14, 15].map(|min_match| passages(&texts, min_match).len()), [1, 1, 0]);
}

#[test]
fn nothing_is_reworded_where_sentences_are_not_known() {
    let right = format!("{} {} y1..320", back("b", 8), back("a", 8));
    let texts = ["x1..330 a1..8 b1..8", &right].map(|it| text(it).0);
    let whole = |_: usize, ranges: &[Range<usize>]| {
        ranges.iter().map(|range| (range.clone(), ())).collect::<Vec<_>>()
    };
    let found = |starts: Option<Vec<usize>>| {
        find_whole(word_pair(&texts), MinMatch::default(), whole, move |_, _| starts.clone()).len()
    };
    assert_eq!([found(None), found(Some(vec![8, 16, 330, 338]))], [0, 1]);
}

/// The definition: compares every sentence with every other.
struct Plain<'p> {
    pair: &'p Pair,
    weights: Weights,
    sentences: [Vec<Sentence>; 2],
}

impl Plain<'_> {
    fn words(&self, side: usize, sentences: &Range<usize>) -> Vec<u32> {
        let sentences = self.sentences[side][sentences.clone()].iter();
        sentences.flat_map(|it| &self.pair.words[side][it.words()]).copied().collect()
    }

    fn set(&self, side: usize, sentences: &Range<usize>) -> BTreeSet<u32> {
        let words = self.words(side, sentences).into_iter();
        words.filter(|word| self.weights.of_word(*word) > 0).collect()
    }

    fn is_rare(&self, word: u32) -> bool {
        let counts = [0, 1].map(|side| {
            let all = self.words(side, &(0..self.sentences[side].len()));
            all.into_iter().filter(|other| *other == word).count()
        });
        counts[0] * counts[1] <= MAX_SEEDS as usize
    }

    fn candidates(&self) -> Vec<[usize; 2]> {
        let mut by_seeds: BTreeMap<usize, Vec<[usize; 2]>> = BTreeMap::new();
        for i in 0..self.sentences[0].len() {
            for j in 0..self.sentences[1].len() {
                let (left, right) = (self.set(0, &(i..i + 1)), self.set(1, &(j..j + 1)));
                let shared = left.intersection(&right).filter(|word| self.is_rare(**word)).count();
                for many in MIN_SHARED_SEEDS..=shared.min(MAX_COUNT_LENGTH) {
                    by_seeds.entry(many).or_default().push([i, j]);
                }
            }
        }
        let words: usize = self.pair.words.iter().map(Vec::len).sum();
        let limit = words / WORDS_A_CANDIDATE + MIN_CANDIDATES_SCORED;
        by_seeds.into_values().find(|pairs| pairs.len() <= limit).unwrap_or_default()
    }

    fn around(&self, side: usize, at: usize) -> Vec<Range<usize>> {
        let sentences = &self.sentences[side];
        let is_whole = |range: &Range<usize>| {
            range.end <= sentences.len()
                && (range.start + 1..range.end).all(|at| sentences[at].follows)
        };
        let before = at.checked_sub(1).map(|one| one..at + 1);
        [Some(at..at + 1), Some(at..at + 2), before]
            .into_iter()
            .flatten()
            .filter(is_whole)
            .collect()
    }

    fn groups(&self) -> BTreeSet<SentenceMatch> {
        let weigh = |words: &mut dyn Iterator<Item = &u32>| {
            words.map(|word| self.weights.of_word(*word)).sum::<u32>()
        };
        let mut groups = BTreeSet::new();
        for [i, j] in self.candidates() {
            for left in self.around(0, i) {
                for right in self.around(1, j) {
                    let (one, other) = (self.set(0, &left), self.set(1, &right));
                    let shared = SHARED_WEIGHT * weigh(&mut one.intersection(&other));
                    let own = weigh(&mut one.symmetric_difference(&other));
                    if shared >= own + MIN_SCORE {
                        let first = Reverse([left.start, right.start]);
                        let count = [left.len(), right.len()];
                        groups.insert(SentenceMatch { score: shared - own, first, count });
                    }
                }
            }
        }
        groups
    }

    fn place(&self, group: &SentenceMatch, side: usize) -> Range<usize> {
        let sentences = &self.sentences[side][group.range(side)];
        sentences[0].words().start..sentences[sentences.len() - 1].words().end
    }

    fn are_neighbours(&self, one: &SentenceMatch, next: &SentenceMatch) -> bool {
        (0..2).any(|side| {
            let [start, end] = [next.range(side).start, one.range(side).end];
            end == start
                && self.sentences[side][start].follows
                && gap(&self.place(one, 1 - side), &self.place(next, 1 - side))
                    <= MAX_NEIGHBOUR_DISTANCE
        })
    }

    fn are_together(&self, one: &SentenceMatch, next: &SentenceMatch) -> bool {
        (0..2).all(|side| {
            let [one, next] = [self.place(one, side), self.place(next, side)];
            let whole = one.start.min(next.start) + 1..one.end.max(next.end);
            gap(&one, &next) <= MAX_PASSAGE_GAP
                && !self.pair.breaks[side].iter().any(|at| whole.contains(at))
        })
    }

    fn found(&self, min_match: MinMatch) -> Vec<Reworded> {
        let mut best: Vec<SentenceMatch> = Vec::new();
        for group in self.groups().into_iter().rev() {
            let is_free = |other: &SentenceMatch| {
                (0..2).all(|side| are_apart(&group.range(side), &other.range(side)))
            };
            if best.iter().all(is_free) {
                best.push(group);
            }
        }
        let mut sets = linked(best, |one, next| self.are_neighbours(one, next));
        let needed = u32::try_from(min_match.words()).unwrap() * MIN_SCORE_PER_WORD;
        let sentences =
            |set: &[SentenceMatch], side: usize| set.iter().map(|it| it.count[side]).sum::<usize>();
        sets.retain(|set| {
            score(set) >= needed && (0..2).all(|side| sentences(set, side) >= MIN_SENTENCES)
        });
        let mut sets = linked(sets.concat(), |one, next| self.are_together(one, next));
        for set in &mut sets {
            set.sort_by_key(|group| group.first.0);
        }
        sets.sort_by_key(|set| (Reverse(score(set)), set[0].first.0));
        let mut found: Vec<Reworded> = Vec::new();
        for set in sets {
            let ranges = [0, 1].map(|side| {
                let places = || set.iter().map(|group| self.place(group, side));
                places().map(|it| it.start).min().unwrap()..places().map(|it| it.end).max().unwrap()
            });
            let aligned = |group: &SentenceMatch| {
                aligned(self.pair, &self.weights, &[self.place(group, 0), self.place(group, 1)])
            };
            let runs: Vec<Run> = set.iter().flat_map(aligned).collect();
            let is_free =
                |other: &Reworded| (0..2).all(|side| are_apart(&ranges[side], &other.ranges[side]));
            let shared: usize = runs.iter().map(|run| run.length).sum();
            if shared >= min_match.words() && found.iter().all(is_free) {
                found.push(Reworded { ranges, runs });
            }
        }
        found
    }
}

fn are_apart(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.end <= other.start || other.end <= one.start
}

fn gap(one: &Range<usize>, other: &Range<usize>) -> usize {
    one.start.saturating_sub(other.end).max(other.start.saturating_sub(one.end))
}

/// Merges groups into sets, as long as two of them are linked.
fn linked(
    groups: Vec<SentenceMatch>,
    are_linked: impl Fn(&SentenceMatch, &SentenceMatch) -> bool,
) -> Vec<Vec<SentenceMatch>> {
    let mut sets: Vec<Vec<SentenceMatch>> = groups.into_iter().map(|group| vec![group]).collect();
    loop {
        let pairs = (0..sets.len()).flat_map(|x| (0..sets.len()).map(move |y| (x, y)));
        let linked = |(x, y): &(usize, usize)| {
            x != y && sets[*x].iter().any(|one| sets[*y].iter().any(|next| are_linked(one, next)))
        };
        let Some((x, y)) = pairs.into_iter().find(linked) else { return sets };
        let other = std::mem::take(&mut sets[y]);
        sets[x].extend(other);
        sets.remove(y);
    }
}

fn plain(pair: &Pair, starts: &[Vec<usize>; 2], min_match: MinMatch) -> Vec<Reworded> {
    let weights = Weights::new(pair);
    let sentences = [0, 1].map(|side| {
        let all = vec![Range { start: 0, end: pair.words[side].len() }];
        let free = runs::cut(all, &pair.breaks[side]);
        sentences(pair, &weights, side, &free, &starts[side])
    });
    Plain { pair, weights, sentences }.found(min_match)
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

proptest! {
    #[test]
    fn reworded_sentences_are_those_of_the_definition(texts in texts(), min_match in 3_usize..8) {
        let (pair, is_swapped) = Pair::from_sequences(texts[0].0.clone(), texts[1].0.clone());
        let mut starts = texts.each_ref().map(|(_, starts)| starts.clone());
        if is_swapped {
            starts.reverse();
        }
        let min_match = MinMatch::new(min_match).unwrap();
        let mut got = find(&pair, [Vec::new(), Vec::new()], min_match, |side, _| Some(starts[side].clone()));
        let mut want = if pair.is_same() { Vec::new() } else { plain(&pair, &starts, min_match) };
        got.sort_by_key(|it| it.ranges[0].start);
        want.sort_by_key(|it| it.ranges[0].start);
        prop_assert_eq!(got, want);
    }

    #[test]
    fn reworded_passages_overlap_nothing_and_reach_over_no_break(texts in texts(), min_match in 3_usize..8) {
        let found = passages(&texts, min_match);
        for side in 0..2 {
            let range = |it: &Passage| [&it.left, &it.right][side].clone();
            let ranges: Vec<Range<usize>> = found.iter().map(range).collect();
            for (one, of_one) in found.iter().zip(&ranges).filter(|(it, _)| it.is_reworded) {
                for (_, of_other) in found.iter().zip(&ranges).filter(|(it, _)| *it != one) {
                    prop_assert!(of_one.end <= of_other.start || of_other.end <= of_one.start);
                }
            }
            let breaks = &texts[side].0.breaks;
            prop_assert!(ranges.iter().all(|it| breaks.iter().all(|at| *at <= it.start || it.end <= *at)));
        }
        for passage in &found {
            let mut aligned = [BTreeSet::new(), BTreeSet::new()];
            for run in &passage.runs {
                prop_assert!(run.length > 0);
                for (side, aligned) in aligned.iter_mut().enumerate() {
                    let range = [&passage.left, &passage.right][side];
                    prop_assert!(run.range(side).all(|at| range.contains(&at) && aligned.insert(at)));
                }
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

    #[test]
    fn turned_round_the_reworded_passages_are_the_same(texts in texts(), min_match in 3_usize..8) {
        let [left, right] = texts;
        let mut is_swapped = passages(&[right.clone(), left.clone()], min_match);
        is_swapped.iter_mut().for_each(swap);
        is_swapped.sort_unstable_by_key(|passage| (passage.right.start, passage.left.start));
        prop_assert_eq!(is_swapped, passages(&[left, right], min_match));
    }
}
