//! The file of an index: its states, damage, and writers that do not finish.

use std::collections::BTreeSet;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::num::NonZeroUsize;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::*;
use crate::passages::many::Query;
use crate::passages::{MinMatch, Words};
use crate::simhash::Fingerprint;

/// Returns a text with shingles given by their numbers.
fn text(name: &str, keys: &[u64]) -> NewText {
    let shingles = keys.iter().map(|number| StoredShingle {
        key: number << 32,
        check: 5,
        is_longest: number % 2 == 0,
    });
    let reading = LanguageReading { stems: keys.len(), ..LanguageReading::default() };
    let text = Text::from_bytes(Path::new(name), b"kettles".to_vec()).unwrap().without_content();
    let stored = StoredText {
        text,
        group: None,
        attached: None,
        language: Some(Known::given(Language::from_code("en"))),
        probable: None,
        left_out: Vec::new(),
        words: keys.len(),
        digest: [u8::try_from(keys.len()).unwrap(); 32],
        readings: vec![reading],
    };
    NewText {
        stored,
        sketches: vec![StoredSketch { fingerprint: 7, shingles: shingles.collect() }],
        content: None,
    }
}

/// Same as [`text`], with content. The words of the content are the numbers.
fn whole(name: &str, keys: &[u64]) -> NewText {
    let text = Text::from_bytes(Path::new(name), b"kettles".to_vec()).unwrap();
    let words = Words { keys: keys.to_vec(), less: Vec::new(), breaks: Vec::new() };
    NewText { content: Content::new(&text, &words), ..self::text(name, keys) }
}

fn create(path: &Path, texts: &[NewText]) {
    let file = File::options().read(true).write(true).create_new(true).open(path).unwrap();
    let has_texts = texts.iter().any(|text| text.content.is_some());
    let stored = (Salt([9; 16]), has_texts);
    let mut writer = IndexWriter::create(path, file, "--max 3".to_owned(), stored).unwrap();
    for text in texts {
        writer.add(text.clone()).unwrap();
    }
    assert_eq!(writer.commit().unwrap(), texts.len());
}

#[expect(clippy::disallowed_methods, reason = "an index is no text")]
fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

fn names(index: &Index) -> Vec<String> {
    let mut names = Vec::new();
    let each = |text: StoredText| {
        names.push(name_of(&text.text).to_owned());
        Ok::<_, IndexError>(())
    };
    index.each_text(each).unwrap();
    names
}

/// Writes a file with two segments and three states, and returns its bytes at each state.
fn states(path: &Path) -> Vec<Vec<u8>> {
    let large: Vec<NewText> =
        (0..100).map(|at| whole(&format!("b{at:03}"), &[at, at + 1, at + 2, 500])).collect();
    create(path, &large);
    let mut states = vec![bytes(path)];
    let mut writer = IndexWriter::open(path).unwrap();
    writer.add(whole("a", &[1, 2, 3])).unwrap();
    writer.add(whole("c", &[4])).unwrap();
    writer.commit().unwrap();
    states.push(bytes(path));
    let mut writer = IndexWriter::open(path).unwrap();
    assert_eq!(writer.remove(|name| name == "b001").unwrap(), ["b001"]);
    writer.commit().unwrap();
    states.push(bytes(path));
    states
}

fn checked(path: &Path, bytes: &[u8]) -> Result<usize, IndexError> {
    std::fs::write(path, bytes).unwrap();
    let index = Index::open(path)?;
    index.check()?;
    Ok(index.len())
}

#[test]
fn each_state_of_an_index_has_its_texts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("e.dedup");
    let states = states(&path);
    assert_eq!(
        states.iter().map(|it| checked(&path, it).unwrap()).collect::<Vec<_>>(),
        [100, 102, 101]
    );
    let index = Index::open(&path).unwrap();
    let all = names(&index);
    assert_eq!(
        (all.len(), all[0].as_str(), all[2].as_str(), all[100].as_str()),
        (101, "a", "b002", "c")
    );
    assert_eq!((index.segments(), index.generation(), index.settings()), (2, 3, "--max 3"));
    let found = index.names().unwrap();
    let has = ["a", "b001", "b002", "bb", ""].map(|name| found.find(name).unwrap().is_some());
    assert_eq!(has, [true, false, true, false, false]);
    assert_eq!(index.languages().counts().map(|(_, texts)| texts).collect::<Vec<_>>(), [101]);
}

/// A file that is damaged and repaired in place, since writing it completely each time would take
/// long.
struct Damaged {
    path: PathBuf,
    file: File,
    whole: Vec<u8>,
}

impl Damaged {
    fn new(path: &Path) -> Self {
        let whole = states(path).pop().unwrap();
        let file = File::options().write(true).open(path).unwrap();
        Self { path: path.to_owned(), file, whole }
    }

    fn write(&mut self, at: usize, bytes: &[u8]) {
        self.file.seek(SeekFrom::Start(at as u64)).unwrap();
        self.file.write_all(bytes).unwrap();
    }

    /// Flips bits of the file, each given by its byte and number, truncates the file, and returns
    /// the result of `ask`. Then repairs the file.
    fn with<T>(
        &mut self,
        turned: &[(usize, usize)],
        cut: usize,
        ask: impl FnOnce(&Path) -> T,
    ) -> T {
        let mut bytes = self.whole.clone();
        for (at, bit) in turned {
            bytes[*at] ^= 1 << bit;
        }
        for (at, _) in turned {
            self.write(*at, &bytes[*at..=*at]);
        }
        self.file.set_len(cut as u64).unwrap();
        let answer = ask(&self.path);
        let whole = std::mem::take(&mut self.whole);
        self.write(cut, &whole[cut..]);
        for (at, _) in turned {
            self.write(*at, &whole[*at..=*at]);
        }
        self.whole = whole;
        answer
    }
}

fn check(path: &Path) -> Result<(), IndexError> {
    Index::open(path)?.check()
}

/// Returns a query that replaces no names, and requests contents.
fn query_for_no_texts<'q>() -> IndexQuery<'q> {
    static NONE: (BTreeSet<&str>, TextNumbers) = (BTreeSet::new(), TextNumbers::NONE);
    IndexQuery {
        new_texts: &[],
        main: None,
        replaced: &NONE.0,
        bits: 0,
        also: &NONE.1,
        with_content: true,
    }
}

/// Returns a query whose words are numbers.
fn query(keys: &[u64]) -> Query {
    Query::new(Words { keys: keys.to_vec(), less: Vec::new(), breaks: Vec::new() })
}

/// Asks an index everything that it can be asked, each query separately.
fn answers(path: &Path) -> Vec<Result<String, IndexError>> {
    let index = match Index::open(path) {
        Ok(index) => index,
        Err(error) => return vec![Err(error)],
    };
    let names = || {
        let mut names = Vec::new();
        index.each_text(|text| {
            names.push(format!("{text:?}"));
            Ok::<_, IndexError>(())
        })?;
        Ok(names.concat())
    };
    let related = || {
        let keys = [1, 2, 3, 500].map(|number: u64| number << 32);
        let fingerprint = Some(Fingerprint(7));
        let text = QueryText { all: &keys, longest: &keys[1..2], fingerprint, digest: &[4; 32] };
        let may_be_paired = |figures: &Figures| figures.all.shared > 0;
        let query = IndexQuery { new_texts: &[text], ..query_for_no_texts() };
        Ok(format!("{:?}", index.related(&query, may_be_paired, NonZeroUsize::MIN)?))
    };
    let sharing = || {
        let queries = [query(&[1, 2, 3]), query(&[60, 61, 62, 500])];
        let min_match = MinMatch::new(3).unwrap();
        Ok(format!("{:?}", index.sharing(&queries, min_match, NonZeroUsize::MIN)?))
    };
    let known = format!("{} {} {:?}", index.len(), index.settings(), index.languages());
    let found = index.names().and_then(|names| names.find("b050")).map(|text| format!("{text:?}"));
    vec![Ok(known), found, names(), related(), sharing()]
}

#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn every_bit_that_is_turned_and_every_end_that_is_missing_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut damaged = Damaged::new(&folder.path().join("e.dedup"));
    let length = damaged.whole.len();
    for at in 0..length {
        let is_error = damaged.with(&[(at, at % 8)], length, |path| check(path).is_err());
        assert!(is_error, "byte {at}");
        if at % 7 == 0 {
            assert!(damaged.with(&[], at, |path| check(path).is_err()), "cut off at {at}");
        }
    }
    let cut = damaged.with(&[], length - 1, check).unwrap_err();
    assert!(matches!(cut, IndexError::CutOff { .. }), "{cut}");
    damaged.with(&[], length, check).unwrap();
}

/// Damage of any kind is an error where it is read; where it is not read, the answer does not
/// change.
#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn of_ten_thousand_damaged_files_none_is_believed() {
    let folder = tempfile::tempdir().unwrap();
    let mut damaged = Damaged::new(&folder.path().join("e.dedup"));
    let length = damaged.whole.len();
    let whole: Vec<String> =
        damaged.with(&[], length, answers).into_iter().map(Result::unwrap).collect();
    let turned = proptest::collection::vec((0..length, 0..8_usize), 1..9);
    let damage = (turned, prop_oneof![3 => Just(length), 1 => 0..length]);
    let damaged = std::cell::RefCell::new(damaged);
    let errors = std::cell::Cell::new([0; 5]);
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(10_000) };
    let believed = TestRunner::new(config).run(&damage, |(turned, cut)| {
        let mut distinct = turned.clone();
        distinct.sort_unstable();
        distinct.dedup();
        prop_assume!(distinct.len() == turned.len()); // otherwise some bits are flipped back
        let ask = |path: &Path| (check(path), answers(path));
        let (checked, answers) = damaged.borrow_mut().with(&turned, cut, ask);
        prop_assert!(checked.is_err());
        for (place, (answer, want)) in answers.iter().zip(&whole).enumerate() {
            if let Ok(answer) = answer {
                prop_assert_eq!(answer, want);
                continue;
            }
            let mut counted = errors.get();
            counted[place] += 1;
            errors.set(counted);
        }
        Ok(())
    });
    believed.unwrap();
    assert!(errors.get().iter().all(|errors| *errors > 100), "{:?}", errors.get());
}

#[test]
fn a_writer_that_does_not_finish_leaves_the_state_that_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("e.dedup");
    let states = states(&path);
    let header = usize::try_from(file::BLOCKS).unwrap();
    for (before, after) in states.iter().zip(&states[1..]) {
        let texts = checked(&path, before).unwrap();
        for written in (before.len()..=after.len()).step_by(13) {
            let half = [&before[..header], &after[header..written]].concat();
            assert_eq!(checked(&path, &half).unwrap(), texts, "{written} bytes");
        }
        // The next writer continues from that state.
        let mut writer = IndexWriter::open(&path).unwrap();
        writer.add(whole("d", &[1])).unwrap();
        assert_eq!(writer.commit().unwrap(), texts + 1);
        Index::open(&path).unwrap().check().unwrap();
    }
}

#[test]
fn one_process_at_a_time_changes_an_index() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("e.dedup");
    states(&path);
    let writer = IndexWriter::open(&path).unwrap();
    let second = IndexWriter::open(&path).unwrap_err();
    assert!(matches!(second, IndexError::Locked { .. }), "{second}");
    // Readers are not locked out.
    Index::open(&path).unwrap().check().unwrap();
    drop(writer);
    IndexWriter::open(&path).unwrap();
}

/// Texts are found by three words in a row, and equal texts by all of their words.
#[test]
fn texts_that_may_share_a_passage_are_found_by_their_stretches() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("e.dedup");
    let long: Vec<u64> = (0..20).collect();
    let late: Vec<u64> = (90..99).chain(8..20).collect();
    create(
        &path,
        &[whole("a", &long), whole("b", &late), whole("c", &[1, 2, 3]), whole("d", &[7, 8])],
    );
    let index = Index::open(&path).unwrap();
    let twelve = MinMatch::new(12).unwrap();
    let texts = |keys: &[u64]| {
        let sharing = index.sharing(&[query(keys)], twelve, NonZeroUsize::MIN).unwrap();
        sharing.of_segment(0).collect()
    };
    assert_eq!(texts(&long), [0, 1]);
    assert_eq!(texts(&long[..12]), [0], "twelve words in a row of one of them");
    assert_eq!(texts(&[1, 2, 3]), [2], "all words");
    assert_eq!(texts(&[7, 8]), [3], "fewer than three");
    assert_eq!((texts(&[8, 7]), texts(&[])), (vec![], vec![]));
}

/// If the root has a wrong number of texts, only texts within that number are found, and only texts
/// that exist.
#[test]
fn texts_that_the_root_does_not_say_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("e.dedup");
    create(&path, &[whole("a", &[1, 2, 3]), whole("b", &[1, 2, 3])]);
    for (said, want) in [(1, vec![0]), (u32::MAX, vec![0, 1])] {
        let mut index = Index::open(&path).unwrap();
        index.root.segments[0].texts = said;
        let min_match = MinMatch::new(3).unwrap();
        let sharing = index.sharing(&[query(&[1, 2, 3])], min_match, NonZeroUsize::MIN).unwrap();
        assert_eq!(sharing.of_segment(0).collect::<Vec<_>>(), want, "{said}");
    }
}

/// A text is returned with the shared shingles and the number of others.
#[test]
fn a_text_that_may_be_paired_comes_with_what_it_shares() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("e.dedup");
    create(&path, &[whole("a", &[1, 2, 3, 4]), whole("b", &[3, 5, 7]), whole("c", &[8])]);
    let index = Index::open(&path).unwrap();
    let key = |number: u64| number << 32;
    // The last one agrees with a shingle of b in the highest bits of its residue.
    let all = [key(2), key(3), key(6), key(7) + 1];
    let text = QueryText {
        all: &all,
        longest: &[key(2), key(6)],
        fingerprint: Some(Fingerprint(6)),
        digest: &[4; 32],
    };
    let figures = std::sync::Mutex::new(Vec::new());
    let may_be_paired = |it: &Figures| {
        figures.lock().unwrap().push((it.hamming, it.all, it.longest, it.may_have_same_words));
        it.all.shared > 0
    };
    let query = IndexQuery { new_texts: &[text], bits: 1, ..query_for_no_texts() };
    let related = index.related(&query, may_be_paired, NonZeroUsize::MIN).unwrap();
    assert!(related.texts.iter().all(|it| it.stored.text.content() == "kettles"));
    let overlap = |shared, left, right| crate::jaccard::Overlap { shared, left, right };
    assert_eq!(
        figures.into_inner().unwrap(),
        [
            (1, overlap(2, 4, 4), overlap(1, 2, 2), true),
            (1, overlap(1, 4, 3), overlap(0, 2, 0), false),
            (1, overlap(0, 4, 1), overlap(0, 2, 1), false),
        ]
    );
    assert_eq!((related.compared, related.short.len(), related.texts.len()), (3, 0, 2));
    let low = crate::interner::Check::BITS;
    let [a, b] = [&related.texts[0], &related.texts[1]];
    // Placeholders are the first keys whose highest bits no new text has.
    assert_eq!(a.all, [0, 1 << low, key(2), key(3)]);
    assert_eq!(
        (a.longest.as_slice(), a.checks.as_slice()),
        ([0, key(2)].as_slice(), [0, 0, 5, 5].as_slice())
    );
    assert_eq!(
        (b.all.as_slice(), b.checks.as_slice()),
        ([0, key(3), key(7)].as_slice(), [0, 5, 5].as_slice())
    );
    assert_eq!(b.longest, [0_u64; 0]);
}
