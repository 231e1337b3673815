//! The file of an index: states, damage, and writers that do not finish.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use super::*;
use crate::passages::many::Query;
use crate::passages::{MinMatch, Words};
use crate::simhash::Fingerprint;

/// A text with shingles by their numbers.
fn text(name: &str, keys: &[u64]) -> NewText {
    let shingles = keys.iter().map(|number| StoredShingle {
        key: number << 32,
        check: 5,
        is_longest: number % 2 == 0,
    });
    let reading = Reading {
        languages: Languages::Any,
        stems: keys.len(),
        collisions: 0,
        collided: Vec::new(),
        short: None,
    };
    let text = Text::from_bytes(Path::new(name), b"kettles".to_vec()).unwrap().without_content();
    let stored = StoredText {
        text,
        group: None,
        attached: None,
        language: Some(Known::given(Language::from_code("en"))),
        left_out: Vec::new(),
        words: keys.len(),
        digest: [u8::try_from(keys.len()).unwrap(); 32],
        readings: vec![reading],
    };
    NewText {
        stored,
        sketched: vec![Sketched { fingerprint: 7, shingles: shingles.collect() }],
        content: None,
    }
}

/// The same with its content, whose words are the numbers.
fn whole(name: &str, keys: &[u64]) -> NewText {
    let text = Text::from_bytes(Path::new(name), b"kettles".to_vec()).unwrap();
    let words = Words { keys: keys.to_vec(), more: Vec::new(), breaks: Vec::new() };
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

/// A file of two segments and three states, and its bytes at each state.
fn states(path: &Path) -> Vec<Vec<u8>> {
    let large: Vec<NewText> =
        (0..100).map(|at| text(&format!("b{at:03}"), &[at, at + 1, at + 2, 500])).collect();
    create(path, &large);
    let mut states = vec![bytes(path)];
    let mut writer = IndexWriter::open(path).unwrap();
    writer.add(text("a", &[1, 2, 3])).unwrap();
    writer.add(text("c", &[4])).unwrap();
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
fn each_state_has_its_texts() {
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

#[test]
fn every_bit_that_is_turned_and_every_end_that_is_missing_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("e.dedup");
    let all = states(&path).pop().unwrap();
    let with_texts = folder.path().join("w.dedup");
    create(&with_texts, &[whole("a", &[1, 2, 3, 4]), whole("b", &[1, 2, 3])]);
    let damaged = folder.path().join("d.dedup");
    for file in [&all, &bytes(&with_texts)] {
        for at in 0..file.len() {
            let mut turned = file.clone();
            turned[at] ^= 1 << (at % 8);
            assert!(checked(&damaged, &turned).is_err(), "byte {at}");
            if at % 7 == 0 {
                assert!(checked(&damaged, &file[..at]).is_err(), "cut off at {at}");
            }
        }
    }
    let cut = checked(&damaged, &all[..all.len() - 1]).unwrap_err();
    assert!(matches!(cut, IndexError::CutOff { .. }), "{cut}");
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
        // The next writer goes on from there.
        let mut writer = IndexWriter::open(&path).unwrap();
        writer.add(text("d", &[1])).unwrap();
        assert_eq!(writer.commit().unwrap(), texts + 1);
        Index::open(&path).unwrap().check().unwrap();
    }
}

#[test]
fn one_process_at_a_time_changes_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("e.dedup");
    states(&path);
    let writer = IndexWriter::open(&path).unwrap();
    let second = IndexWriter::open(&path).unwrap_err();
    assert!(matches!(second, IndexError::Locked { .. }), "{second}");
    // Readers are not kept away.
    Index::open(&path).unwrap().check().unwrap();
    drop(writer);
    IndexWriter::open(&path).unwrap();
}

/// Texts are found by three words in a row, equal ones by all of theirs.
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
    let query = |keys: &[u64]| {
        Query::new(Words { keys: keys.to_vec(), more: Vec::new(), breaks: Vec::new() })
    };
    let sharing = |keys: &[u64], many| {
        index.sharing(&[query(keys)], (twelve, many), NonZeroUsize::MIN).unwrap()
    };
    let texts = |keys: &[u64]| sharing(keys, 9).texts.of_segment(0).to_vec();
    assert_eq!(texts(&long), [0, 1]);
    assert_eq!(texts(&long[..12]), [0], "twelve words in a row of one of them");
    assert_eq!(texts(&[1, 2, 3]), [2], "all words");
    assert_eq!(texts(&[7, 8]), [3], "fewer than three");
    assert_eq!((texts(&[8, 7]), texts(&[])), (vec![], vec![]));
    // Of nine windows of twelve words two texts have the last one.
    let windows = sharing(&long, 2).windows;
    assert_eq!(windows.iter().map(|it| it.of_segment(0).to_vec()).collect::<Vec<_>>(), [[0, 1]]);
}

/// What is asked for are the shared shingles, and how many others there are.
#[test]
fn a_text_that_may_be_paired_comes_with_what_it_shares() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("e.dedup");
    create(&path, &[whole("a", &[1, 2, 3, 4]), whole("b", &[3, 5, 7]), whole("c", &[8])]);
    let index = Index::open(&path).unwrap();
    let key = |number: u64| number << 32;
    // The last agrees with one of b in its residue's highest bits.
    let all = [key(2), key(3), key(6), key(7) + 1];
    let wanted = Wanted {
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
    let question = Question {
        wanted: &[wanted],
        main: None,
        replaced: &BTreeSet::new(),
        bits: 1,
        also: &TextNumbers::default(),
        with_content: true,
    };
    let related = index.related(&question, may_be_paired, NonZeroUsize::MIN).unwrap();
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
