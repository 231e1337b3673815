use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;

use proptest::prelude::*;

use super::super::pair::Pair;
use super::super::tests::{find, sequence, words};
use super::super::{
    Covered, MinMatch, Passage, Reworded, Sequence, WordPair, Words, covered, find_whole,
};
use super::*;
use crate::interner::StemTable;
use crate::parallel::{Advance, Watch};

const ONE: NonZeroUsize = NonZeroUsize::MIN;
const TWO: NonZeroUsize = NonZeroUsize::new(2).unwrap();

fn texts(all: &[Vec<String>]) -> Texts {
    Texts::new(all.iter().map(|words| sequence(words)).collect(), ONE)
}

/// Changes all sequences so that they share one list of words.
fn with_one_list(sequences: Vec<Sequence>) -> Vec<Sequence> {
    let mut distinct = StemTable::default();
    let mut all = Vec::new();
    for mut sequence in sequences {
        let places = distinct.append(&sequence.distinct);
        sequence.words.iter_mut().for_each(|word| *word += places.start);
        all.push(sequence);
    }
    let distinct = Arc::new(distinct);
    for sequence in &mut all {
        sequence.distinct = Arc::clone(&distinct);
    }
    all
}

fn with_reworded(passages: &PairPassages) -> Option<([u32; 2], Amount)> {
    let amount = passages.shared(Reworded::Found);
    (amount.passages > 0).then_some((passages.texts(), amount))
}

/// Judges every two texts.
fn judged(index: &Index) -> Vec<([u32; 2], Amount)> {
    let count = u32::try_from(index.texts.len()).unwrap();
    let each_two = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
    each_two.filter_map(|pair| with_reworded(&index.of_pair(pair, None))).collect()
}

/// Judges the candidates, and returns whether reworded passages alone were looked for.
fn found<T>(
    index: &Index,
    min_words: Option<usize>,
    pairing: (impl Fn(u32) -> bool, impl Fn(u32, u32) -> bool + Sync),
    judge: impl Fn(&PairPassages) -> Option<T>,
    threads: NonZeroUsize,
) -> (Vec<T>, Reworded) {
    let watch = Watch { threads, advance: &Advance::default() };
    let candidates = index.candidates(min_words, pairing, threads);
    let mut all = Vec::new();
    candidates.each(watch, |texts, found| {
        assert!(found.is_sorted() && found.iter().all(|it| texts.contains(&it.texts()[0])));
        all.extend(found.into_iter().filter_map(|it| judge(&candidates.passages(it)?)));
        ControlFlow::Continue(())
    });
    (all, candidates.reworded())
}

/// Returns all pairs that share a passage.
fn shared(index: &Index) -> Vec<([u32; 2], Amount)> {
    found(index, None, (|_| true, |_, _| true), with_reworded, ONE).0
}

/// The definition: finds the passages of every two texts.
fn plain_shared(
    sequences: &[Sequence],
    min_match: MinMatch,
    long: Option<usize>,
) -> Vec<([u32; 2], Amount)> {
    let mut all = Vec::new();
    for (a, left) in (0..).zip(sequences) {
        for (b, right) in (0..).zip(sequences).skip(a as usize + 1) {
            let mut found = find(left.clone(), right.clone(), min_match);
            found.retain(|it| long.is_none_or(|long| it.words() >= long));
            if let Some(longest) = found.iter().map(Passage::words).max() {
                let covered = [0, 1].map(|side| covered(found.iter(), side).count());
                let amount = Amount { covered, passages: found.len(), longest };
                all.push(([a, b], amount));
            }
        }
    }
    all
}

/// Returns the words of a sequence as a query takes them.
fn words_of(sequence: &Sequence) -> Words {
    let distinct: Vec<(u64, u8)> = sequence
        .distinct
        .stems
        .iter()
        .enumerate()
        .map(|(at, stem)| (stem.residue(), sequence.distinct.letter(at).less))
        .collect();
    let each = || sequence.words.iter().map(|word| distinct[*word as usize]);
    Words {
        keys: each().map(|(key, _)| key).collect(),
        less: each().map(|(_, less)| less).collect(),
        breaks: sequence.breaks.clone(),
    }
}

/// Returns the pairs \[a, b\] for which a query for text a finds text b in the inverted lists of all
/// texts.
fn found_by_queries(sequences: &[Sequence], min_match: MinMatch) -> Vec<[u32; 2]> {
    let all: Vec<Words> = sequences.iter().map(words_of).collect();
    let mut places: Vec<(u64, u32, u32)> = (0..)
        .zip(&all)
        .flat_map(|(text, words)| {
            occurrences(words).into_iter().map(move |(key, at)| (key, text, at))
        })
        .collect();
    places.sort_unstable();
    let mut lists = Lists::default();
    for list in places.chunk_by(|one, next| one.0 == next.0) {
        lists.push(list[0].0, list.iter().map(|(_, text, at)| (*text, *at)));
    }
    let count = u32::try_from(all.len()).unwrap();
    let candidates = |(text, words): (u32, &Words)| {
        let others = (0..).zip(&all).filter(|(other, _)| *other != text);
        let least = others.map(|(_, words)| least_worth(words)).min().unwrap_or(u8::MAX);
        let found = Query::new(words.clone()).candidates(&lists, count, (min_match, least));
        found.into_iter().map(move |other| [text, other])
    };
    (0..).zip(&all).flat_map(candidates).collect()
}

#[test]
fn pairs_that_share_a_passage_are_those_worked_out_by_hand() {
    let twenty = "a1..4 x a5..8 x a9..12 x b1 x b2 x b3 x b4 x b5 x b6 x b7 x b8";
    let other = twenty.replace('x', "y");
    // The last row is more words from the first than five times the words in rows, but 60 of these
    // are letters, each worth half a word.
    let rows = "a1..5 s1 s2 s3 s4 s5 a6..9 s6 s7 s8 s9 s10 a10..13";
    let [letters, plain] = [" ก ก ก ก ก ", " x "].map(|between| rows.replace(' ', between));
    #[rustfmt::skip]
    let table: &[(&str, &[&str], &[([u32; 2], [usize; 2], usize, usize)])] = &[
        ("no text",           &[],                                                      &[]),
        ("one",               &["a1..30"],                                              &[]),
        ("empty ones",        &["", ""],                                                &[]),
        ("12 words",          &["x1..9 a1..12", "y", "a1..12 z"],                       &[([0, 2], [12, 12], 1, 12)]),
        ("11 words",          &["x1..9 a1..11", "y", "a1..11 z"],                       &[]),
        ("two words, equal",  &["a b", "a c", "a b"],                                   &[([0, 2], [2, 2], 1, 2)]),
        (
            "three of a kind",
            &["a1..12 x", "a1..12 y", "a1..12 z"],
            &[([0, 1], [12, 12], 1, 12), ([0, 2], [12, 12], 1, 12), ([1, 2], [12, 12], 1, 12)],
        ),
        ("two passages",      &["a1..12 x1..81 b1..13", "b1..13 y1..81 a1..12"],        &[([0, 1], [25, 25], 2, 13)]),
        ("close together",    &["a1..12 x1..80 b1..13", "b1..13 y1..80 a1..12"],        &[([0, 1], [25, 25], 1, 25)]),
        ("16 letters",        &["一二三四五六七八九十天地玄黄宇宙", "一二三四五六七八九十天地玄黄宇宙木"], &[([0, 1], [16, 16], 1, 16)]),
        ("twelve in rows",    &[twenty, &other],                                        &[([0, 1], [30, 30], 1, 20)]),
        ("letters in left",   &[&letters, &plain],                                      &[([0, 1], [83, 35], 1, 23)]),
        ("letters in right",  &[&plain, &letters],                                      &[([0, 1], [35, 83], 1, 23)]),
        ("a row far behind",  &["a1..12 x1..200 b1..3", "a1..12 y1..200 b1..3"],        &[([0, 1], [12, 12], 1, 12)]),
        ("58 stretches",      &["x a1..60", "a1..60 y"],                                &[([0, 1], [60, 60], 1, 60)]),
    ];
    for (why, all, want) in table {
        let all: Vec<_> = all.iter().map(|text| words(text)).collect();
        let texts = texts(&all);
        let index = Index::new(&texts, MinMatch::default(), ONE);
        let found = shared(&index);
        let figures = found
            .iter()
            .map(|it| (it.0, it.1.covered.map(Covered::all), it.1.passages, it.1.longest));
        assert_eq!(figures.collect::<Vec<_>>(), *want, "{why}");
        let sequences: Vec<Sequence> = all.iter().map(|words| sequence(words)).collect();
        let by_queries = found_by_queries(&sequences, MinMatch::default());
        for ([a, b], ..) in *want {
            assert!(by_queries.contains(&[*a, *b]) && by_queries.contains(&[*b, *a]), "{why}");
        }
    }
}

#[test]
fn candidates_are_passed_on_until_no_more_are_taken() {
    let all = vec![words("a1..12"); 6];
    let texts = texts(&all);
    let index = Index::new(&texts, MinMatch::default(), ONE);
    let advance = Advance::default();
    let watch = Watch { threads: ONE, advance: &advance };
    let candidates = index.candidates(None, (|_| true, |a, b| (a + b) % 2 == 1), ONE);
    let mut taken = Vec::new();
    candidates.each(watch, |texts, found| {
        taken.push((texts.start, found.iter().map(Candidate::texts).collect::<Vec<_>>()));
        if texts.start < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let of_first = vec![[0, 1], [0, 3], [0, 5], [1, 2], [1, 4]];
    assert_eq!(taken, [(0, of_first), (2, vec![[2, 3], [2, 5], [3, 4]])]);
}

/// Twelve texts begin with the same notice, and one of them has a word of its own in the middle.
#[test]
fn what_many_texts_have_is_listed_with_them() {
    let mut all: Vec<String> = (0..20).map(|k| format!("o{k}x1..40")).collect();
    for (k, text) in all.iter_mut().take(12).enumerate() {
        let middle = if k == 11 { "n1..10 own n11..30" } else { "n1..30" };
        *text = format!("{middle} {text}");
    }
    let all: Vec<_> = all.iter().map(|text| words(text)).collect();
    let texts = texts(&all);
    let index = Index::new(&texts, MinMatch::default(), ONE);
    assert_eq!(shared(&index).len(), 66, "each two of twelve");
    let listed = index.widespread((&[], least_texts(20).unwrap()), |_| true, ONE);
    let listed: Vec<_> =
        listed.iter().map(|(it, texts)| (it.text, it.words.clone(), it.texts, &**texts)).collect();
    let members: Vec<u32> = (0..12).collect();
    assert_eq!(listed, [(0, 0..30, 12, &*members)]);
    assert!(index.widespread((&[], 13), |_| true, ONE).is_empty(), "13 texts do not have it");
    let of_two_groups: Vec<u32> = (0..20).map(|text| text % 2).collect();
    assert!(index.widespread((&of_two_groups, 10), |_| true, ONE).is_empty(), "two groups");
    assert!(index.widespread((&[], 10), |text| text > 12, ONE).is_empty(), "none is asked for");
}

/// Texts with few distinct words and with breaks. Each contains parts of others, unchanged or
/// changed a little.
fn corpus() -> impl Strategy<Value = Vec<(Vec<String>, Vec<usize>)>> {
    let word = prop_oneof![
        4 => (0..60).prop_map(|word| format!("w{word}")), 1 => "[ab]", 1 => "[水火土]", 1 => "[กขค]",
    ];
    let own = proptest::collection::vec(word, 0..60);
    let times = prop_oneof![6 => Just(1_usize), 1 => 2_usize..9];
    let cuts =
        proptest::collection::vec((0_usize..9, 0_usize..60, 0_usize..40, 0_usize..8, times), 0..4);
    let breaks = proptest::collection::btree_set(1_usize..90, 0..3);
    let text = (own, cuts, breaks);
    proptest::collection::vec(text, 2..9).prop_map(|all| {
        let mut made: Vec<(Vec<String>, Vec<usize>)> = Vec::new();
        for (own, cuts, breaks) in all {
            let mut text = Vec::new();
            for (from, at, length, every, times) in cuts {
                let part = made.get(from).map_or(&[][..], |(text, _)| text);
                let part = part.iter().skip(at).take(length).enumerate();
                let part = part.map(|(k, word)| {
                    if every > 0 && k % (every + 1) == every {
                        format!("c{k}")
                    } else {
                        word.clone()
                    }
                });
                let part: Vec<String> = part.collect();
                text.extend((0..times).flat_map(|_| part.clone()));
                text.extend(own.iter().skip(at).take(length / 3).cloned());
            }
            if text.is_empty() {
                text = own;
            }
            let breaks = breaks.into_iter().filter(|at| *at < text.len()).collect();
            made.push((text, breaks));
        }
        made
    })
}

/// Returns the full words of texts: windows of letters may be worth too little.
fn full_words(corpus: Vec<(Vec<String>, Vec<usize>)>) -> Vec<Vec<String>> {
    let of_text =
        |(words, _): (Vec<String>, _)| words.into_iter().filter(|it| it.is_ascii()).collect();
    corpus.into_iter().map(of_text).collect()
}

#[test]
fn very_many_pairs_of_reworded_sentences_are_not_searched() {
    // Of twelve texts, 66 pairs share sentences of the same words; 46 texts are 1,035 pairs.
    let searched = |(count, shared): (usize, &str)| {
        let text = |k: usize| format!("{shared}1..8 t{k}x1..8 {shared}9..16 t{k}y1..8 t{k}z1..300");
        let text = |k: usize| text(k).replace('#', &format!("t{k}a"));
        let sequences = (0..count).map(|number| sequence(&words(&text(number)))).collect();
        let texts = Texts::new(sequences, ONE).with_sentences(&vec![vec![16, 32]; count]);
        let index = Index::new(&texts, MinMatch::default(), ONE);
        found(&index, None, (|_| true, |_, _| true), with_reworded, ONE).1
    };
    let got = [(11, "a"), (12, "a"), (45, "#"), (46, "#")].map(searched);
    let [found, skipped] = [Reworded::Found, Reworded::Skipped];
    assert_eq!(got, [found, skipped, found, skipped]);
}

#[test]
fn texts_that_share_a_reworded_passage_alone_are_found() {
    let back = |name: &str| {
        let mut all = words(&format!("{name}1..7"));
        all.reverse();
        all.join(" ")
    };
    let all = [
        ("z1..200", vec![]),
        ("x1..200 a1..7 o1..6 b1..7 o7..12", vec![200, 213]),
        (&*format!("{} p1..6 {} p7..12 y1..300", back("b"), back("a")), vec![13, 26]),
        // In one of the two sentences, the words are common.
        (
            &*format!("{} q1..6 {} q7..12 {}w1..200", back("b"), back("a"), "a1..7 r ".repeat(30)),
            vec![13, 26],
        ),
    ];
    let sequences = all.iter().map(|(text, _)| sequence(&words(text))).collect();
    let starts: Vec<Vec<u32>> = all.iter().map(|(_, starts)| starts.clone()).collect();
    let texts = Texts::new(sequences, ONE).with_sentences(&starts);
    let index = Index::new(&texts, MinMatch::default(), ONE);
    let found = shared(&index);
    assert_eq!(found.iter().map(|it| it.0).collect::<Vec<_>>(), [[1, 2]]);
    assert_eq!(found, judged(&index));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// No pair is missed, and what two texts share is what they share on their own. A text that is
    /// looked up in inverted lists is found from either side.
    #[test]
    fn pairs_are_those_of_each_two_texts(
        corpus in corpus(), min_match in 3_usize..16, long in proptest::option::of(3_usize..20), threads in 1_usize..4,
        asked in proptest::collection::vec(any::<bool>(), 9),
    ) {
        let sequences: Vec<Sequence> = corpus
            .iter()
            .map(|(words, breaks)| Sequence { breaks: breaks.clone(), ..sequence(words) })
            .collect();
        let min_match = MinMatch::new(min_match).unwrap();
        let threads = NonZeroUsize::new(threads).unwrap();
        let want = plain_shared(&sequences, min_match, long);
        let by_queries = found_by_queries(&sequences, min_match);
        for ([a, b], _) in &want {
            let (a, b) = (*a, *b);
            prop_assert!(by_queries.contains(&[a, b]) && by_queries.contains(&[b, a]));
        }
        for sequences in [sequences.clone(), with_one_list(sequences)] {
            let texts = Texts::new(sequences, ONE);
            let index = Index::new(&texts, min_match, threads);
            let (got, _) = found(&index, long, (|_| true, |_, _| true), with_reworded, threads);
            prop_assert_eq!(got, want.clone());
            let is_asked = |text: u32| asked[text as usize];
            let got = found(&index, long, (is_asked, |_, _| true), with_reworded, threads);
            let some = want.iter().filter(|it| it.0.into_iter().any(is_asked));
            prop_assert_eq!(got.0, some.copied().collect::<Vec<_>>());
        }
    }

    /// This includes the order of the sides, the fingerprints of passages, and which words are
    /// shared or rare.
    #[test]
    fn words_of_two_texts_are_those_of_their_sequences(corpus in corpus(), min_match in 3_usize..9) {
        let sequences: Vec<Sequence> = corpus
            .iter()
            .map(|(words, breaks)| Sequence { breaks: breaks.clone(), ..sequence(words) })
            .collect();
        let texts = Texts::new(sequences.clone(), TWO);
        let min_match = MinMatch::new(min_match).unwrap();
        let as_it_is = |_, ranges: &[std::ops::Range<usize>]| {
            ranges.iter().map(|range| (range.clone(), range.clone())).collect::<Vec<_>>()
        };
        for (a, left) in (0..).zip(&sequences) {
            for (b, right) in (0..).zip(&sequences).filter(|(b, _)| *b != a) {
                let words = texts.words_of([a, b]);
                let plain = WordPair::new(std::borrow::Cow::Borrowed(left), std::borrow::Cow::Borrowed(right));
                prop_assert_eq!(words.lengths(), plain.lengths());
                for (side, length) in words.pair.words.iter().map(Vec::len).enumerate() {
                    let of = |pair: &Pair, at| {
                        (pair.worth(side, at), pair.is_shared(side, at), pair.is_rare(side, at))
                    };
                    for at in 0..length {
                        prop_assert_eq!(of(&words.pair, at), of(&plain.pair, at));
                    }
                }
                let found = |words| find_whole(words, min_match, as_it_is, |_, _| None);
                prop_assert_eq!(found(words), found(plain));
            }
        }
    }

    /// Texts of sentences of their own and of such that others have in another order, with words of their
    /// own in them.
    #[test]
    fn reworded_passages_are_found_as_in_every_two_texts(
        corpus in proptest::collection::vec(
            (proptest::collection::vec((0_usize..6, 0_usize..10, 0_usize..6, any::<bool>()), 0..5), 1_usize..200), 2..8,
        ),
        min_match in 3_usize..8,
    ) {
        let (mut sequences, mut sentences) = (Vec::new(), Vec::new());
        for (number, (reworded, own)) in corpus.iter().enumerate() {
            let (mut all, mut starts) = (Vec::new(), Vec::new());
            for (at, (sentence, turned, others, are_letters)) in reworded.iter().enumerate() {
                let mut words: Vec<String> = (0..10_u32)
                    .map(|word| match char::from_u32(0x4e00 + word + 10 * u32::try_from(*sentence).unwrap()) {
                        Some(letter) if *are_letters => letter.to_string(),
                        _ => format!("s{sentence}w{word}"),
                    })
                    .collect();
                words.rotate_left(*turned);
                words.extend((0..*others).map(|other| format!("t{number}x{at}y{other}")));
                all.extend(words);
                starts.push(u32::try_from(all.len()).unwrap());
            }
            all.extend((0..*own).map(|word| format!("t{number}w{word}")));
            starts.retain(|start| (*start as usize) < all.len());
            sequences.push(sequence(&all));
            sentences.push(starts);
        }
        let texts = Texts::new(sequences, ONE).with_sentences(&sentences);
        let index = Index::new(&texts, MinMatch::new(min_match).unwrap(), ONE);
        prop_assert_eq!(shared(&index), judged(&index));
    }

    #[test]
    fn widespread_words_agree_with_the_definition(
        corpus in corpus(), min_match in 3_usize..9, least_texts in 2_usize..4,
    ) {
        let all = full_words(corpus);
        let texts = texts(&all);
        let index = Index::new(&texts, MinMatch::new(min_match).unwrap(), ONE);
        let listed = index.widespread((&[], least_texts), |_| true, ONE);
        let has = |text: &[String], window: &[String]| text.windows(min_match).any(|it| it == window);
        let having = |window: &[String]| all.iter().filter(|text| has(text, window)).count();
        // Each window that `least_texts` texts have is in a passage that is listed.
        let passages: Vec<&[String]> =
            listed.iter().map(|(it, _)| &all[it.text as usize][it.words.clone()]).collect();
        for window in all.iter().flat_map(|text| text.windows(min_match)) {
            let is_listed = passages.iter().any(|passage| has(passage, window));
            prop_assert!(is_listed || having(window) < least_texts);
        }
        for (passage, (it, texts)) in passages.iter().zip(&listed) {
            prop_assert_eq!(passage.windows(min_match).map(having).max(), Some(it.texts));
            prop_assert_eq!(texts.len(), it.texts);
        }
    }
}
