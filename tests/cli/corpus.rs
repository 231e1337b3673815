//! Compares a corpus with its plain twin, which judges every pair of texts separately.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use dedup_text::corpus::join::{Memory, Pair, Side};
use dedup_text::corpus::{Corpus, CorpusBuilder, Opened, PairQuery};
use dedup_text::language::{By, Choice, Given, Language};
use dedup_text::pair::Undecided;
use dedup_text::pair::warnings::Warning;
use dedup_text::pair::{Judgement, judge};
use dedup_text::pair::{Recipe, Search};
use dedup_text::parallel::{Advance, Watch};
use dedup_text::text::Text;
use dedup_text::verdict::{Limits, Verdict};
use dedup_text::{stems, stopwords};
use proptest::prelude::*;
use serde_json::Value;

use crate::common::{read_file, sample_rows, sample_text};

fn threads(threads: usize) -> NonZeroUsize {
    NonZeroUsize::new(threads).unwrap()
}

fn opened(text: Text) -> Opened {
    Opened { text, group: None, side: Side::Any, is_read_once: false }
}

fn corpus<'r>(texts: &[Text], recipe: &'r Recipe, count: usize) -> Corpus<'r> {
    // With an even number of threads, the sets are in a temporary file.
    let bytes = if count.is_multiple_of(2) { 0 } else { u64::MAX };
    let memory = Memory { bytes, folder: std::env::temp_dir() };
    let mut gathering = CorpusBuilder::new(recipe, threads(count)).within(memory);
    for batch in texts.chunks(7) {
        let open = |text: Text| Ok::<_, Infallible>((opened(text), ()));
        assert!(gathering.add(batch.to_vec(), open, Ok).is_empty());
    }
    gathering.finish()
}

/// Returns all pairs of a corpus at a level, with their judgements.
fn found(corpus: &Corpus, level: Verdict, count: usize) -> Vec<(Pair, Judgement)> {
    if corpus.passages_may_reach(level) {
        let watch = Watch { threads: threads(count), advance: &Advance::default() };
        let found = |listed| {
            let query = PairQuery { level, listed, max_pairs: usize::MAX };
            corpus.found(&query, watch).unwrap()
        };
        let counted = found(Verdict::Identical);
        let found = found(level);
        let verdicts = |pairs: &[(Pair, Verdict)]| -> BTreeMap<(u32, u32), Verdict> {
            pairs.iter().map(|(pair, verdict)| ((pair.a, pair.b), *verdict)).collect()
        };
        let mut of_all = verdicts(&counted.pairs);
        assert!(of_all.values().all(|verdict| *verdict == Verdict::Identical));
        let listed = of_all.len();
        of_all.extend(counted.counted.iter().copied());
        assert_eq!(of_all.len(), listed + counted.counted.len(), "each pair once");
        assert_eq!((of_all, found.counted.len()), (verdicts(&found.pairs), 0));
        let judged = |(pair, verdict): (Pair, Verdict)| {
            let judgement = corpus.judge(&pair);
            assert_eq!(verdict, judgement.decision.verdict);
            (pair, judgement)
        };
        let all: Vec<(Pair, Judgement)> = found.pairs.into_iter().map(judged).collect();
        let mut streamed = Vec::new();
        let search = corpus.search(level, usize::MAX, watch).unwrap();
        let record = |pair: &Pair, judgement| Some((*pair, judgement));
        search.judge_each(watch, record, |pairs| {
            streamed.extend(pairs);
            ControlFlow::Continue(())
        });
        assert!(streamed == all, "{level}: pairs that are judged as they are found");
        return all;
    }
    let watch = Watch { threads: threads(count), advance: &Advance::default() };
    let joined = corpus.joined(level, usize::MAX, watch).unwrap();
    let judged = joined.pairs().map(|pair| (pair, corpus.judge(&pair)));
    judged.filter(|(_, judgement)| judgement.decision.verdict >= level).collect()
}

/// Returns all pairs of texts at the level, each judged separately.
fn plain(texts: &[Text], recipe: &Recipe, level: Verdict) -> Vec<(String, Judgement)> {
    let mut texts: Vec<&Text> = texts.iter().collect();
    texts.sort_by_key(|text| text.path().to_owned());
    let mut pairs = Vec::new();
    for (k, left) in texts.iter().enumerate() {
        for right in &texts[k + 1..] {
            let Ok(judgement) = judge(left, right, recipe) else { continue };
            let has_shingles = judgement.left.shingles > 0 && judgement.right.shingles > 0;
            if judgement.decision.verdict >= level && has_shingles {
                pairs.push((
                    format!("{} {}", left.path().display(), right.path().display()),
                    judgement,
                ));
            }
        }
    }
    pairs
}

fn names(corpus: &Corpus, pair: &Pair) -> String {
    let path = |number: u32| corpus.documents[number as usize].text.path();
    format!("{} {}", path(pair.a).display(), path(pair.b).display())
}

fn agree(texts: &[Text], recipe: &Recipe, count: usize) {
    let corpus = corpus(texts, recipe, count);
    for level in Verdict::LADDER {
        let found = found(&corpus, level, count);
        let found: Vec<_> =
            found.into_iter().map(|(pair, judged)| (names(&corpus, &pair), judged)).collect();
        let want = plain(texts, recipe, level);
        assert!(found == want, "{level}");
    }
}

/// Compares the samples whose language is detected without the others, in ten languages.
#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn the_samples_compare_as_every_two_of_them() {
    let rows = sample_rows();
    let texts = rows.iter().flat_map(|row| row.files.iter()).map(|path| sample_text(path));
    let texts: Vec<Text> =
        texts.filter(|text| dedup_text::language::alone(text.content()).is_some()).collect();
    assert!(texts.len() > 20, "{}", texts.len());
    agree(&texts, &Recipe::default(), 2);
}

/// None of these texts is long enough for its language to be known from itself.
#[test]
fn short_texts_in_one_language_compare_as_every_two_of_them() {
    for records in ["samples/notices.jsonl", "samples/answers.jsonl"] {
        let records = read_file(records);
        let text = |line: &str| {
            let record: Value = serde_json::from_str(line).unwrap();
            let [id, text] = ["id", "text"].map(|field| record[field].as_str().unwrap().to_owned());
            Text::from_bytes(Path::new(&id), text.into_bytes()).unwrap()
        };
        let texts: Vec<Text> = records.lines().map(text).collect();
        assert!(texts.iter().all(|text| dedup_text::language::alone(text.content()).is_none()));
        let recipe = Recipe::default();
        let corpus = corpus(&texts, &recipe, 2);
        let figures = |judgement: &Judgement| {
            (judgement.comparison, judgement.decision.verdict, judgement.left, judgement.right)
        };
        let found = found(&corpus, Verdict::Different, 2).into_iter();
        let found: Vec<_> =
            found.map(|(pair, judged)| (names(&corpus, &pair), figures(&judged))).collect();
        let want = plain(&texts, &recipe, Verdict::Different).into_iter();
        let want: Vec<_> = want.map(|(names, judged)| (names, figures(&judged))).collect();
        assert_eq!(found, want);
    }
}

#[test]
fn a_text_in_doubt_has_the_language_of_half_of_the_texts() {
    let english = sample_text("samples/layout_1.txt");
    let german = sample_text("samples/rewritten_1.txt");
    let named = |name: &str, content: &str| {
        Text::from_bytes(Path::new(name), content.as_bytes().to_vec()).unwrap()
    };
    // Nine words are too few to have a probable language, ten are enough.
    let short = named("short", "the keeper trimmed the lamp and went down the");
    let [spanish_1, spanish_2] = [
        named("x1", "la masa necesitaba varias horas para crecer en el cuarto de la casa"),
        named("x2", "los vecinos venían con sus cestas y hablaban de la lluvia"),
    ];
    let known = |texts: &[&Text]| {
        let texts: Vec<Text> = texts.iter().map(|text| (*text).clone()).collect();
        let recipe = Recipe::default();
        let corpus = corpus(&texts, &recipe, 1);
        let language = corpus.documents.last().unwrap().language;
        (language.language.map(Language::code), language.by)
    };
    assert_eq!(known(&[&english, &short]), (Some("eng"), By::Corpus));
    assert_eq!(known(&[&german, &short]), (Some("deu"), By::Corpus));
    assert_eq!(known(&[&german, &english, &short]), (Some("deu"), By::Corpus), "the first of two");
    let spanish = sample_text("samples/moved_1.txt");
    assert_eq!(known(&[&german, &english, &spanish, &short]), (None, By::None), "a third each");
    assert_eq!(known(&[&short]), (None, By::None));
    assert_eq!(known(&[&spanish_1]), (Some("spa"), By::Corpus));
    assert_eq!(known(&[&short, &spanish_2, &spanish_1]), (Some("spa"), By::Corpus));
    assert_eq!(
        known(&[&english, &spanish_2, &short]),
        (Some("eng"), By::Corpus),
        "the first of two"
    );
    assert_eq!(known(&[&english, &spanish_2, &spanish_1]), (Some("spa"), By::Corpus));
    // A folder skips texts that are empty, and records may have them.
    let wordless = ["", " ", "?", "—"].map(|content| named("a", content));
    let with: Vec<&Text> = wordless.iter().chain([&english, &short]).collect();
    assert_eq!(known(&with), (Some("eng"), By::Corpus), "four of six without a word");
}

/// Most texts are English, so that the two short Spanish texts are read as English ones.
#[test]
fn a_pair_says_that_the_other_texts_changed_its_figures() {
    let named = |name: &str, content: &str| {
        Text::from_bytes(Path::new(name), content.as_bytes().to_vec()).unwrap()
    };
    let english = ["samples/layout_1.txt", "samples/layout_2.txt"].map(sample_text);
    let spanish = [
        "Los vecinos venían con sus cestas y hablaban de la lluvia que no llegaba, mientras los \
         niños esperaban el primer pan redondo para llevarlo todavía caliente a la escuela.",
        "Los vecinos vienen con las cestas y hablan de una lluvia que no llega, mientras un niño \
         espera el primer pan redondo para llevarlo todavía caliente a las escuelas.",
    ];
    let [one, other] = [named("x1", spanish[0]), named("x2", spanish[1])];
    let texts = [english[0].clone(), english[1].clone(), one.clone(), other.clone()];
    let recipe = Recipe::default();
    let alone = judge(&one, &other, &recipe).unwrap();
    let codes = |codes: [&str; 2]| codes.map(Language::from_code);
    let want = Warning::LanguageOfCorpus {
        languages: codes(["eng", "eng"]),
        alone: codes(["spa", "spa"]),
        jaccard: alone.comparison.jaccard(),
    };
    let corpus = corpus(&texts, &recipe, 1);
    for (pair, judgement) in found(&corpus, Verdict::Different, 1) {
        let said = |it: &&Warning| it.code() == "language-of-corpus";
        let said = judgement.warnings.iter().filter(said).collect::<Vec<_>>();
        match (pair.a, pair.b) {
            (2, 3) => {
                assert_eq!(said, [&want]);
                assert_ne!(judgement.comparison.jaccard(), alone.comparison.jaccard());
            }
            (0, 1) => assert_eq!(said, [&want; 0]),
            _ => {}
        }
    }
    let off = Recipe { stopwords: stopwords::Choice::Off, stemming: stems::Choice::Off, ..recipe };
    let corpus = self::corpus(&texts, &off, 1);
    let all = found(&corpus, Verdict::Different, 1);
    let said = all.iter().flat_map(|(_, judgement)| &judgement.warnings);
    assert!(!{ said }.any(|it| it.code() == "language-of-corpus"), "nothing is changed");
}

#[test]
fn what_is_too_short_is_reported_and_not_compared() {
    let named = |name: &str, content: &str| {
        Text::from_bytes(Path::new(name), content.as_bytes().to_vec()).unwrap()
    };
    let texts = [named("c", ""), named("b", "kettle"), named("a", "the of and")];
    let recipe = Recipe {
        languages: Choice { left: Given::As(Language::from_code("en")), ..Choice::default() },
        ..Recipe::default()
    };
    let corpus = corpus(&texts, &recipe, 1);
    let kept: Vec<&Path> = corpus.documents.iter().map(|it| it.text.path()).collect();
    assert_eq!(kept, [Path::new("b")]);
    let short: Vec<&Path> = corpus.short.iter().map(Undecided::path).collect();
    assert_eq!(short, [Path::new("a"), Path::new("c")]);
    assert_eq!(corpus.documents[0].text.content(), "kettle", "its passages are to be found");
    let recipe = Recipe { search: Search::Never, ..recipe };
    let corpus = self::corpus(&texts, &recipe, 1);
    assert_eq!(corpus.documents[0].text.content(), "");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Compares short texts with a small vocabulary, and longer ones that repeat a few phrases, in a
    /// given language, under any limits.
    #[test]
    fn a_corpus_compares_as_every_two_of_its_texts(
        contents in prop::collection::vec(
            prop_oneof![
                "(a|b|c|lamp|oil|,|\n| ){0,14}",
                "(a b c d e |f g h |i j k l m n o p q r |a |lamp oil |h g f |d a ){0,24}",
            ],
            0..14,
        ),
        search in prop::sample::select(vec![Search::Always, Search::Never]),
        least in 1_usize..4,
        more in 0_usize..3,
        hamming in prop::option::of(0_u32..20),
        jaccard in prop::option::of(0_u32..11),
        containment in prop::option::of(0_u32..11),
        partial in prop::option::of(0_u32..11),
        coverage in prop::option::of(0_u32..11),
        count in 1_usize..4,
    ) {
        let text = |(k, content): (usize, &String)| {
            // The names are in another order than the texts.
            let name = format!("{}", (k * 5) % 17);
            Text::from_bytes(Path::new(&name), content.as_bytes().to_vec()).unwrap()
        };
        let texts: Vec<Text> = contents.iter().enumerate().map(text).collect();
        let ratio = |tenths: u32| (f64::from(tenths) / 10.0).to_string().parse().unwrap();
        let recipe = Recipe {
            ngrams: dedup_text::shingles::Ngrams::new(least, least + more).unwrap(),
            languages: Choice { left: Given::As(None), right: Given::As(None) },
            limits: Limits {
                hamming,
                jaccard: jaccard.map(ratio),
                partial_jaccard: jaccard.map(ratio).min(partial.map(ratio)).or(partial.map(ratio)),
                coverage: coverage.map(ratio),
                containment: containment.map(ratio),
            },
            search,
            ..Recipe::default()
        };
        agree(&texts, &recipe, count);
    }

    /// The same words in other letters are read in the language of most texts, because their own is
    /// not detected.
    #[test]
    fn texts_with_the_same_words_are_pairs_in_any_language(
        texts in prop::collection::vec((0_usize..3, any::<bool>()), 1..9),
        count in 1_usize..4,
        search in prop::sample::select(vec![Search::Always, Search::Never]),
    ) {
        let sentences = [
            "The keeper of the lighthouse was trimming the lamp when they heard the boats, and so it \
             was that all of them went down to the harbour before it was dark. ",
            "El guardián del faro estaba limpiando la lámpara cuando oyeron los barcos, y por eso \
             todos bajaron hasta el puerto antes de que se hiciera de noche. ",
            "kettle stove ledger harbour lamp oil wick crane ",
        ];
        let wide = |letter: char| match letter {
            'a'..='z' => char::from_u32(u32::from(letter) - 0x61 + 0xff41).unwrap(),
            letter => letter,
        };
        let text = |(number, (sentence, is_wide)): (usize, &(usize, bool))| {
            let content = sentences[*sentence].to_lowercase().repeat(4 - sentence);
            let content = if *is_wide { content.chars().map(wide).collect() } else { content };
            Text::from_bytes(Path::new(&number.to_string()), content.into_bytes()).unwrap()
        };
        let recipe = Recipe { search, ..Recipe::default() };
        let all: Vec<Text> = texts.iter().enumerate().map(text).collect();
        let corpus = corpus(&all, &recipe, count);
        let mut same_words = Vec::new();
        for (b, (of_b, _)) in (0..).zip(&texts) {
            let others = (0..).zip(&texts[..b as usize]).filter(|(_, (of_a, _))| of_a == of_b);
            same_words.extend(others.map(|(a, _)| (a, b)));
        }
        same_words.sort_unstable();
        for level in &Verdict::LADDER[1..] {
            let mut found: Vec<(u32, u32)> = found(&corpus, *level, count)
                .into_iter()
                .filter(|(_, judged)| judged.decision.verdict == Verdict::Identical)
                .map(|(pair, _)| (pair.a, pair.b))
                .collect();
            found.sort_unstable();
            prop_assert_eq!(&found, &same_words, "{}", level);
        }
        let watch = Watch { threads: threads(count), advance: &Advance::default() };
        let joined = corpus.joined(Verdict::NearDuplicate, usize::MAX, watch).unwrap();
        let order: Vec<u32> = (0..).take(texts.len()).collect();
        let kept = joined.removed(&order).iter().filter(|removed| removed.is_none()).count();
        let distinct: std::collections::BTreeSet<usize> = texts.iter().map(|it| it.0).collect();
        prop_assert_eq!(kept, distinct.len());
        let nearest = corpus.nearest(NonZeroUsize::MIN, threads(count), &Advance::default());
        for (own, near) in (0..).zip(nearest.unwrap()) {
            let is_first = |pair: &Pair| same_words.contains(&(pair.a, pair.b));
            let has_same = same_words.iter().any(|(a, b)| *a == own || *b == own);
            prop_assert_eq!(near.first().is_some_and(is_first), has_same, "{}", own);
        }
    }

    /// Compares texts of blocks of ten words that are kept, reversed or replaced, so that different
    /// numbers of texts share phrases and words.
    #[test]
    #[ignore = "slow: cargo test -- --ignored"]
    fn reworded_texts_are_found_as_pairs_are(
        blocks in prop::collection::vec(prop::collection::vec(0_usize..3, 20), 2..5),
        count in 1_usize..4,
    ) {
        let text = |(k, blocks): (usize, &Vec<usize>)| {
            let block = |(at, choice): (usize, &usize)| {
                let end = if *choice == 2 { format!("y{k}") } else { String::new() };
                let mut words: Vec<String> =
                    (0..10).map(|word| format!("w{at}x{word}{end}")).collect();
                if *choice == 1 {
                    words.reverse();
                }
                words.join(" ")
            };
            let content: Vec<String> = blocks.iter().enumerate().map(block).collect();
            Text::from_bytes(Path::new(&format!("{k}")), content.join(" ").into_bytes()).unwrap()
        };
        let texts: Vec<Text> = blocks.iter().enumerate().map(text).collect();
        let languages = Choice { left: Given::As(None), right: Given::As(None) };
        agree(&texts, &Recipe { languages, ..Recipe::default() }, count);
    }
}
