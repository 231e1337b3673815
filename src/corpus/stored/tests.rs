//! Compares the answers of a stored index with those of the texts themselves.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::corpus::index::{self, IndexWriter};
use crate::corpus::join::Pair;
use crate::corpus::{Collisions, PairQuery};
use crate::interner;
use crate::parallel::Watch;
use crate::shingles::{Ngrams, Variety};
use crate::verdict::ratio::Ratio;

const THREADS: NonZeroUsize = NonZeroUsize::MIN;

/// A step in the history of an index.
#[derive(Clone, Debug)]
enum Step {
    /// Adds these texts, and replaces those that have the same names.
    Add(Vec<(usize, String)>),
    Remove(Vec<usize>),
    Compact,
}

fn name(number: usize) -> String {
    format!("old/{number:02}.txt")
}

fn opened(name: &str, content: &str, side: Side) -> Opened {
    let text = Text::from_bytes(Path::new(name), content.as_bytes().to_vec()).unwrap();
    let group = content.strip_prefix("group").map(|rest| rest.chars().take(1).collect());
    Opened { text, group, side, is_read_once: true }
}

/// A text in doubt is not read in plain languages when it is stored, so these must give the same
/// sketch as no language.
#[test]
fn a_text_is_read_alike_in_all_plain_languages_and_in_none() {
    let recipe = Recipe::default();
    let mut reader = TextReader::new(&recipe);
    let Opened { text, .. } =
        opened("a", "l'eau de una the kettles, boiling und ikke ja", Side::Old);
    let remaining = Remaining::without(&text, Vec::new());
    let (in_none, _) = reader.read(&remaining, None);
    let plain = language::rows().iter().filter(|row| row.is_plain());
    let read = plain.map(|row| {
        let language = Language::from_code(row.code);
        assert!(language.is_some(), "{}", row.code);
        assert!(reader.read(&remaining, language).0 == in_none, "{}", row.code);
    });
    assert_eq!(read.count(), 16);
    let english = Language::from_code("eng");
    assert!(reader.read(&remaining, english).0 != in_none);
}

fn create(path: &Path, has_texts: bool) -> IndexWriter {
    let salt = interner::salt();
    let file = File::options().read(true).write(true).create_new(true).open(path).unwrap();
    IndexWriter::create(path, file, String::new(), (salt, has_texts)).unwrap()
}

fn add(writer: &mut IndexWriter, reader: &mut IndexedTexts, texts: &[(usize, String)]) {
    let open = |(number, content): &(usize, String)| {
        Ok::<_, ()>((opened(&name(*number), content, Side::Old), ()))
    };
    let mut new = Vec::new();
    reader.sketch(texts.iter().collect(), open, |text, ()| {
        new.push(text.unwrap());
        Ok(())
    });
    for text in new {
        writer.remove_one(text.stored.text.path().to_str().unwrap()).unwrap();
        writer.add(text).unwrap();
    }
}

/// Creates an index, applies the steps to it, and returns the texts that it has in the end.
fn with_history(
    path: &Path,
    recipe: &Recipe,
    steps: &[Step],
    has_texts: bool,
) -> BTreeMap<usize, String> {
    create(path, has_texts).commit().unwrap();
    let mut texts = BTreeMap::new();
    let mut reader = IndexedTexts::new(recipe, THREADS, has_texts);
    for step in steps {
        let mut writer = IndexWriter::open(path).unwrap();
        match step {
            Step::Add(new) => {
                let new: BTreeMap<usize, String> = new.iter().cloned().collect();
                add(&mut writer, &mut reader, &new.clone().into_iter().collect::<Vec<_>>());
                texts.extend(new);
                assert_eq!(writer.commit().unwrap(), texts.len());
            }
            Step::Remove(numbers) => {
                let gone: Vec<String> = numbers.iter().map(|it| name(*it)).collect();
                let removed = writer.remove(|name| gone.iter().any(|it| it == name)).unwrap();
                let before = texts.len();
                texts.retain(|number, _| !numbers.contains(number));
                assert_eq!(removed.len(), before - texts.len());
                writer.commit().unwrap();
            }
            Step::Compact => {
                let new = path.with_extension("new");
                let file = File::options().read(true).write(true).create_new(true).open(&new);
                writer.compact(file.unwrap()).unwrap();
                std::fs::rename(&new, path).unwrap();
            }
        }
        Index::open(path).unwrap().check().unwrap();
    }
    texts
}

fn builder<'r>(recipe: &'r Recipe, new: &[(String, String)]) -> CorpusBuilder<'r> {
    let mut builder = CorpusBuilder::new(recipe, THREADS);
    let open =
        |(name, content): &(String, String)| Ok::<_, ()>((opened(name, content, Side::New), ()));
    builder.add(new.iter().collect(), open, |()| Ok(()));
    builder
}

#[test]
fn a_text_of_few_stems_or_of_sheets_has_that_variety() {
    let sheet = "yes no yes yes no no ".repeat(10);
    #[rustfmt::skip]
    let texts = [
        ("a", "kettle lid spout handle base cord plug",        Variety::FewStems),
        ("b", "kettle lid spout handle base cord plug switch", Variety::Varied),
        ("c", &*(sheet + "kettle lid spout handle base cord"), Variety::Repetitive),
    ]
    .map(|(name, content, variety)| ((name.to_owned(), content.to_owned()), variety));
    let recipe = Recipe::default();
    let corpus = builder(&recipe, &texts.clone().map(|it| it.0)).finish();
    let varieties: Vec<Variety> = corpus.documents.iter().map(Document::variety).collect();
    assert_eq!(varieties, texts.map(|it| it.1));
    // Seven of eight stems are equal, but seven are no evidence.
    assert_eq!(judged_pairs(&corpus, Verdict::NearDuplicate, true), [""; 0]);
}

/// Returns the pairs of a corpus that reach a level, each with its texts, judgement and collisions.
/// Unless old texts are stored, those that only their passages show are left out.
fn judged_pairs(corpus: &Corpus, level: Verdict, has_texts: bool) -> Vec<String> {
    let watch = Watch { threads: THREADS, advance: &Advance::default() };
    let joined = corpus.joined(level, usize::MAX, watch).unwrap();
    let is_known = |pair: &Pair| {
        let [left, right] = [pair.a, pair.b].map(|it| &corpus.documents[it as usize]);
        let are_repetitive = [left, right].iter().all(|it| it.variety() == Variety::Repetitive);
        has_texts || left.digest == right.digest || !are_repetitive
    };
    let pairs = joined.pairs().filter(|pair| corpus.verdict(pair) >= level && is_known(pair));
    let judged = pairs.map(|pair| {
        let text = |it: u32| corpus.documents[it as usize].text.clone().without_content();
        let [left, right] = [pair.a, pair.b].map(text);
        let mut judgement = corpus.judge(&pair);
        judgement.warnings.clear();
        let collided = Collisions::new(corpus, |_| None).between(&pair);
        format!("{left:?} {right:?} {judgement:?} {collided:?}")
    });
    judged.collect()
}

/// A word out of a few, in English, Catalan or neither; the long numbers have equal residues.
const WORD: &str = "(the|of|and|kettles|boiling|boiled|waters|stoves|els|de|una|aigües|bullint|x[0-9]\
    |4000000000000000000001|3616207136267326152070)";

fn content() -> impl Strategy<Value = String> {
    proptest::collection::vec(WORD, 0..40).prop_map(|words| words.join(" "))
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => proptest::collection::vec((0..12_usize, content()), 1..6).prop_map(Step::Add),
        2 => proptest::collection::vec(0..12_usize, 1..5).prop_map(Step::Remove),
        1 => Just(Step::Compact),
    ];
    proptest::collection::vec(step, 0..6)
}

fn recipe(sizes: (usize, usize), jaccard: &str, hamming: Option<u32>) -> Recipe {
    let jaccard = jaccard.parse::<Ratio>().unwrap();
    let limits = Limits {
        hamming,
        jaccard: Some(jaccard),
        partial_jaccard: Some(jaccard.min("0.12".parse().unwrap())),
        containment: Some("0.6".parse().unwrap()),
        ..Limits::default()
    };
    let ngrams = Ngrams::new(sizes.0, sizes.1).unwrap();
    Recipe { ngrams, limits, search: Search::Never, ..Recipe::default() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 4, ..ProptestConfig::default() })]

    /// Whatever steps an index went through, its answers are those of its texts. With
    /// PROPTEST_CASES=4000 this is checked for a thousand histories.
    #[test]
    fn an_index_answers_as_its_texts_do(
        steps in steps(),
        new in proptest::collection::vec(content(), 1..4),
        longer in 0..4_usize,
        sizes in prop_oneof![Just((1, 3)), Just((3, 3)), Just((1, 1))],
        jaccard in prop_oneof![Just("0.5"), Just("0.05"), Just("1")],
        hamming in prop_oneof![Just(Some(3)), Just(None), Just(Some(20))],
        level in prop_oneof![Just(Verdict::NearDuplicate), Just(Verdict::Partial), Just(Verdict::Identical)],
        has_texts in any::<bool>(),
    ) {
        let recipe = recipe(sizes, jaccard, hamming);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("earlier.dedup");
        let texts = with_history(&path, &recipe, &steps, has_texts);
        // Some new texts are long enough for their language to be detected.
        let english = "This is what the people of the town said when they had seen it with their own eyes. ";
        let new: Vec<(String, String)> = new.into_iter().enumerate()
            .map(|(at, text)| (format!("new/{at}.txt"), format!("{}{text}", english.repeat(longer * 3))))
            .collect();
        let mut all = builder(&recipe, &new);
        let old: Vec<_> = texts.iter().collect();
        let open = |(number, content): (&usize, &String)| {
            Ok::<_, ()>((opened(&name(*number), content, Side::Old), ()))
        };
        all.add(old, open, |()| Ok(()));
        let all = all.finish();
        let index = Index::open(&path).unwrap();
        prop_assert_eq!(index.len(), texts.len());
        let earlier = ComparedIndex { index: &index, level, replaced: &BTreeSet::new() };
        let stored = builder(&recipe, &new).finish_against(&earlier, &Advance::default()).unwrap();
        prop_assert_eq!(judged_pairs(&stored, level, has_texts), judged_pairs(&all, level, has_texts));
        prop_assert_eq!(stored.documents.len() + stored.unlisted, all.documents.len());
        let short = |corpus: &Corpus| corpus.short.iter().map(|it| format!("{it:?}")).collect::<Vec<_>>();
        prop_assert_eq!(short(&stored), short(&all));
    }
}

const EXCERPTS: PairQuery =
    PairQuery { level: Verdict::Excerpt, listed: Verdict::Excerpt, max_pairs: usize::MAX };

/// Returns the pairs that are found among texts, with their judgements.
fn found_pairs(corpus: &Corpus) -> Vec<String> {
    let watch = Watch { threads: THREADS, advance: &Advance::default() };
    let found = corpus.found(&EXCERPTS, watch).unwrap();
    let name = |number: u32| corpus.documents[number as usize].text.path().to_owned();
    let pairs = found.pairs.iter().map(|(pair, verdict)| {
        let names = [pair.a, pair.b].map(name);
        format!("{names:?} {verdict:?} {:?}", corpus.judge(pair))
    });
    pairs.collect()
}

/// Generates texts out of a few passages, complete, changed or in part, and words of their own.
fn with_passages() -> impl Strategy<Value = String> {
    let passage =
        (0..4_usize, 0..8_usize, 8..30_usize, 0..9_usize).prop_map(|(of, from, to, change)| {
            let word = |at: usize| match of {
                3 => char::from_u32(0x6c34 + u32::try_from(at).unwrap()).unwrap().to_string(),
                _ if change > 4 && at.is_multiple_of(change) => format!("x{change} "),
                _ => format!("kettle{of}w{at} "),
            };
            (from..to).map(word).collect::<String>()
        });
    let own = "(group[ab] )?(the |of |水|z[0-9] |kettles |a5 ){0,12}";
    let all = proptest::collection::vec((own, passage), 0..3);
    all.prop_map(|all| {
        all.into_iter().map(|(own, passage)| own + &passage).collect::<Vec<_>>().join("\n")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 16, ..ProptestConfig::default() })]

    /// Same as above for passages, with an index that stores the texts.
    /// With PROPTEST_CASES=16000 this is checked for a thousand histories.
    #[test]
    fn passages_of_an_index_are_those_of_its_texts(
        first in proptest::collection::vec(with_passages(), 0..24),
        later in proptest::collection::vec((0..30_usize, with_passages()), 0..5),
        removed in proptest::collection::vec(0..30_usize, 0..4),
        is_compacted in any::<bool>(),
        new in proptest::collection::vec(with_passages(), 1..5),
        min_match in prop_oneof![Just(12), Just(5), Just(3)],
    ) {
        let min_match = crate::passages::MinMatch::new(min_match).unwrap();
        let limits = Limits { coverage: Some("0.3".parse().unwrap()), ..Limits::default() };
        let ngrams = Ngrams::new(1, 2).unwrap();
        let recipe = Recipe { ngrams, limits, min_match, ..Recipe::default() };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("earlier.dedup");
        let mut steps = vec![Step::Add(first.into_iter().enumerate().collect())];
        steps.extend([Step::Add(later), Step::Remove(removed)]);
        steps.extend(is_compacted.then_some(Step::Compact));
        let texts = with_history(&path, &recipe, &steps, true);
        let new: Vec<(String, String)> =
            new.into_iter().enumerate().map(|(at, text)| (format!("new/{at}.txt"), text)).collect();
        let mut all = builder(&recipe, &new);
        let open = |(number, content): (&usize, &String)| {
            Ok::<_, ()>((opened(&name(*number), content, Side::Old), ()))
        };
        all.add(texts.iter().collect(), open, |()| Ok(()));
        let all = all.finish();
        let index = Index::open(&path).unwrap();
        let (level, replaced) = (Verdict::Excerpt, &BTreeSet::new());
        let earlier = ComparedIndex { index: &index, level, replaced };
        let stored = builder(&recipe, &new).finish_against(&earlier, &Advance::default()).unwrap();
        prop_assert_eq!(found_pairs(&stored), found_pairs(&all));
    }
}

/// A notice that many stored texts have makes a pair with each, and is listed with all of them.
#[test]
fn what_many_stored_texts_share_makes_pairs() {
    let recipe = Recipe::default();
    let words = |of: &str, count: usize| {
        (0..count).map(|word| format!("{of}{word}")).collect::<Vec<_>>().join(" ")
    };
    let (notice, own) = (words("notice", 14), |number| words(&format!("own{number}x"), 80));
    let with_both = |number: usize| format!("{notice} {}", own(number));
    let folder = tempfile::tempdir().unwrap();
    for (having, others, widespread) in [(11, 109, 0), (13, 107, 1), (9, 40, 1), (8, 40, 0)] {
        let path = folder.path().join(format!("{having} {others}"));
        let with_notice = (0..having).map(with_both);
        let all = with_notice.chain((having..having + others).map(own));
        let texts: Vec<(usize, String)> = all.enumerate().collect();
        with_history(&path, &recipe, &[Step::Add(texts)], true);
        let index = Index::open(&path).unwrap();
        let new = [("new.txt".to_owned(), with_both(999))];
        let earlier =
            ComparedIndex { index: &index, level: Verdict::Excerpt, replaced: &BTreeSet::new() };
        let corpus = builder(&recipe, &new).finish_against(&earlier, &Advance::default()).unwrap();
        let watch = Watch { threads: THREADS, advance: &Advance::default() };
        let found = corpus.found(&EXCERPTS, watch).unwrap();
        let listed: Vec<_> = found.widespread.iter().map(|(_, texts)| texts.len()).collect();
        assert_eq!(found.pairs.len(), having, "{having} of {others}");
        assert_eq!(listed, vec![having + 1; widespread], "{having} of {others}");
    }
}

/// The fingerprints of the first readings of some texts.
const FIRST: [u64; 6] = [
    15_720_730_140_326_643_329,
    7_117_124_028_480_914_824,
    7_513_772_536_523_604_245,
    10_456_740_959_156_532_388,
    4_060_557_139_722_755_203,
    18_119_909_802_289_202_639,
];

/// If these change, an index of an earlier version would be compared with different shingles: raise
/// [`VERSION`](index::VERSION), and list the change in CHANGELOG.md under *Changed answers*.
#[test]
fn stored_fingerprints_are_those_pinned() {
    let recipe = Recipe::default();
    let mut reader = IndexedTexts::new(&recipe, THREADS, false);
    let texts = [
        "They said that the kettles were boiling over when the man with the ladders came into the room.",
        "Els vaixells que havien sortit del port amb la boira van tornar quan el dia ja era clar.",
        "Die alten Häuser, die man von den Hügeln aus gesehen hatte, wurden später wieder aufgebaut.",
        "港口的船只在雾散之后才返回，人们在岸边等了一整天。",
        "They don't say that the kettles were not boiling over, and nor could the man with the ladders.",
        "De schepen die niet uit de haven waren vertrokken, zijn later met de aangekomen boten verkocht.",
    ];
    let mut found = Vec::new();
    let open = |content: &str| Ok::<_, ()>((opened("a.txt", content, Side::Old), ()));
    reader.sketch(texts.to_vec(), open, |text, ()| {
        found.extend(text.unwrap().sketches.first().map(|it| it.fingerprint));
        Ok(())
    });
    assert_eq!((index::VERSION, found), (4, FIRST.to_vec()));
}
