//! A stored index against the texts themselves.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::corpus::Collisions;
use crate::corpus::join::join;
use crate::index::IndexWriter;
use crate::interner;
use crate::shingles::Ngrams;
use crate::verdict::ratio::Ratio;

const THREADS: NonZeroUsize = NonZeroUsize::MIN;

/// A step in the life of an index.
#[derive(Clone, Debug)]
enum Step {
    /// These texts are put in, in place of those that have their names.
    Add(Vec<(usize, String)>),
    Remove(Vec<usize>),
    Compact,
}

fn name(number: usize) -> String {
    format!("old/{number:02}.txt")
}

fn opened(name: &str, content: &str, side: Side) -> Opened {
    let text = Text::from_bytes(Path::new(name), content.as_bytes().to_vec()).unwrap();
    Opened { text, group: None, side, is_read_once: true }
}

fn create(path: &Path, salt: interner::Salt) -> IndexWriter {
    let file = File::options().read(true).write(true).create_new(true).open(path).unwrap();
    IndexWriter::create(path, file, String::new(), salt).unwrap()
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

/// An index with a history, and the texts that are in it in the end.
fn with_history(path: &Path, recipe: &Recipe, steps: &[Step]) -> BTreeMap<usize, String> {
    create(path, interner::salt()).commit().unwrap();
    let mut texts = BTreeMap::new();
    let mut reader = IndexedTexts::new(recipe, THREADS);
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

/// The pairs of a corpus that reach a level, each with its texts, judgement and collisions.
fn judged_pairs(corpus: &Corpus, level: Verdict) -> Vec<String> {
    let by_words = corpus.is_by_words(level).then(|| corpus.by_words());
    let collection = by_words.as_ref().unwrap_or(&corpus.collection);
    let joined = join(collection, &corpus.condition(level), THREADS).unwrap();
    let pairs = joined.pairs().map(|pair| corpus.collection.pair(pair.a, pair.b));
    let judged = pairs.filter(|pair| corpus.verdict(pair) >= level).map(|pair| {
        let [left, right] = [pair.a, pair.b].map(|it| corpus.documents[it as usize].text.clone());
        let mut judgement = corpus.judge(&pair);
        judgement.warnings.clear();
        let collided = Collisions::new(corpus, |_| None).between(&pair);
        format!("{left:?} {right:?} {judgement:?} {collided:?}")
    });
    judged.collect()
}

/// A word of few, in English, Catalan or none; the long numbers have one residue.
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
    Recipe { ngrams, limits, search: crate::pair::recipe::Search::Never, ..Recipe::default() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 4, ..ProptestConfig::default() })]

    /// Whatever an index went through, its answers are those of its texts. With PROPTEST_CASES=4000
    /// that is held over a thousand histories.
    #[test]
    fn an_index_answers_as_its_texts_do(
        steps in steps(),
        new in proptest::collection::vec(content(), 1..4),
        longer in 0..4_usize,
        sizes in prop_oneof![Just((1, 3)), Just((3, 3)), Just((1, 1))],
        jaccard in prop_oneof![Just("0.5"), Just("0.05"), Just("1")],
        hamming in prop_oneof![Just(Some(3)), Just(None), Just(Some(20))],
        level in prop_oneof![Just(Verdict::NearDuplicate), Just(Verdict::Partial), Just(Verdict::Identical)],
    ) {
        let recipe = recipe(sizes, jaccard, hamming);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("earlier.dedup");
        let texts = with_history(&path, &recipe, &steps);
        // Some new texts are long enough to say their language.
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
        let earlier = Earlier { index: &index, level, replaced: &BTreeSet::new() };
        let stored = builder(&recipe, &new).finish_against(&earlier, &Advance::default()).unwrap();
        prop_assert_eq!(judged_pairs(&stored, level), judged_pairs(&all, level));
        prop_assert_eq!(stored.documents.len() + stored.unlisted, all.documents.len());
        let short = |corpus: &Corpus| corpus.short.iter().map(|it| format!("{it:?}")).collect::<Vec<_>>();
        prop_assert_eq!(short(&stored), short(&all));
    }
}

/// The fingerprints of the first readings of some texts.
const FIRST: [u64; 4] = [
    15_720_730_140_326_643_329,
    7_117_124_028_480_914_824,
    7_513_772_536_523_604_245,
    10_456_740_959_156_532_388,
];

/// Where these change, an index of an earlier version would be compared with other shingles: raise
/// [`ANSWERS`], and list the change in CHANGELOG.md under *Changed answers*.
#[test]
fn what_is_stored_has_a_number() {
    let recipe = Recipe::default();
    let mut reader = IndexedTexts::new(&recipe, THREADS);
    let texts = [
        "They said that the kettles were boiling over when the man with the ladders came into the room.",
        "Els vaixells que havien sortit del port amb la boira van tornar quan el dia ja era clar.",
        "Die alten Häuser, die man von den Hügeln aus gesehen hatte, wurden später wieder aufgebaut.",
        "港口的船只在雾散之后才返回，人们在岸边等了一整天。",
    ];
    let mut found = Vec::new();
    let open = |content: &str| Ok::<_, ()>((opened("a.txt", content, Side::Old), ()));
    reader.sketch(texts.to_vec(), open, |text, ()| {
        found.extend(text.unwrap().sketched.first().map(|it| it.fingerprint));
        Ok(())
    });
    assert_eq!((crate::index::ANSWERS, found), (1, FIRST.to_vec()));
}
