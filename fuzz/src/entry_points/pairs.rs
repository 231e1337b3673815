//! Invariants of the comparison of any two texts.

use std::num::NonZeroUsize;
use std::ops::Range;

use dedup_text::corpus::join::Side;
use dedup_text::corpus::{CorpusBuilder, Opened};
use dedup_text::language::{Choice, Given};
use dedup_text::pair::Recipe;
use dedup_text::pair::{self, Match, Matches};
use dedup_text::parallel::{Advance, Watch};
use dedup_text::passages::MinMatch;
use dedup_text::text::{Place, Text};
use dedup_text::tokens;
use dedup_text::verdict::Verdict;

/// Splits an input at its first NUL into two texts. Other NULs are spaces.
fn texts(bytes: &[u8]) -> Option<[Text; 2]> {
    let (left, right) = bytes.split_at(bytes.iter().position(|byte| *byte == 0)?);
    let [left, right] = [left, &right[1..]].map(|content| {
        let content = String::from_utf8_lossy(content).replace('\0', " ");
        Text::new("fuzzed", content).ok()
    });
    Some([left?, right?])
}

/// Checks that a pair is judged as by [`pair::trace`], with the same figures and verdict in reverse
/// order and in a corpus, and that a text is identical to itself.
pub fn pair(bytes: &[u8]) {
    let Some([left, right]) = texts(bytes) else { return };
    let recipe = Recipe::default();
    let Ok(judged) = pair::judge(&left, &right, &recipe) else { return };
    for (text, language, sketch) in [
        (&left, judged.languages.left.language, &judged.left),
        (&right, judged.languages.right.language, &judged.right),
    ] {
        let plain = pair::trace(text, language, &recipe);
        assert_eq!((sketch.words, sketch.stems), (plain.words.len(), plain.stems.len()));
        assert_eq!(sketch.shingles, plain.shingles.all().len());
    }
    let figures = &judged.comparison;
    assert!(figures.hamming.is_none_or(|bits| bits <= 64));
    assert!(figures.all.shared <= figures.all.left.min(figures.all.right));
    assert!(figures.longest.shared <= figures.longest.left.min(figures.longest.right));
    let turned = pair::judge(&right, &left, &recipe).expect("judged the other way round");
    assert_eq!(turned.decision.verdict, judged.decision.verdict);
    assert_eq!(turned.comparison.all.shared, figures.all.shared);
    assert_eq!(turned.comparison.hamming, figures.hamming);
    let same = pair::judge(&left, &left, &recipe).expect("judged against itself");
    assert_eq!(same.decision.verdict, Verdict::Identical);
    among_others(left, right);
}

/// Checks that two texts in one language have the same figures and verdict in a corpus of them as
/// they have as a pair.
fn among_others(left: Text, right: Text) {
    let given = Given::As(None);
    let languages = Choice { left: given, right: given };
    let recipe = Recipe { languages, ..Recipe::default() };
    let judged = pair::judge(&left, &right, &recipe);
    let mut gathering = CorpusBuilder::new(&recipe, NonZeroUsize::MIN);
    let open = |text| Ok((Opened { text, group: None, side: Side::Any, is_read_once: false }, ()));
    let failed: Vec<()> = gathering.add(vec![left, right], open, |()| Ok(()));
    assert!(failed.is_empty());
    let corpus = gathering.finish();
    assert!(judged.is_ok() || !corpus.short.is_empty());
    if !corpus.short.is_empty() {
        return;
    }
    let (found, judged) = (corpus.collection.pair(0, 1), judged.expect("neither is short"));
    assert_eq!((found.all, found.longest), (judged.comparison.all, judged.comparison.longest));
    assert_eq!(corpus.verdict(&found), judged.decision.verdict);
    let watch = Watch { threads: NonZeroUsize::MIN, advance: &Advance::default() };
    let joined = corpus.joined(Verdict::NearDuplicate, usize::MAX, watch);
    let pairs = joined.expect("in memory").pairs().count();
    assert_eq!(pairs == 1, judged.decision.verdict >= Verdict::NearDuplicate);
}

/// Checks that passages are at character boundaries, in order and disjoint, with the same words on
/// both sides, and that the reverse comparison finds the same ones.
pub fn passages(bytes: &[u8]) {
    let Some([left, right]) = &texts(bytes) else { return };
    let recipe =
        Recipe { min_match: MinMatch::new(3).expect("the least there is"), ..Recipe::default() };
    let Ok(judged) = pair::judge(left, right, &recipe) else { return };
    let found = judged.matches.expect("asked for");
    let is_shared = !found.all.is_empty();
    assert!(!is_shared || judged.decision.verdict > Verdict::Different, "it contradicts itself");
    let words = [left, right].map(|text| tokens::split(text.content()).0);
    for (text, words, side) in [(left, &words[0], 0), (right, &words[1], 1)] {
        check_places(text, &found, side);
        let covered = [found.coverage.left, found.coverage.right][side];
        assert!(covered.is_none_or(|share| share.total() <= words.len()));
    }
    let said = |side: usize, range: Range<usize>| {
        words[side][range].iter().map(|token| &token.word).collect::<Vec<_>>()
    };
    for Match { passage, .. } in &found.all {
        for run in &passage.runs {
            assert_eq!(said(0, run.range(0)), said(1, run.range(1)));
        }
        assert!(passage.words() <= passage.left.len().min(passage.right.len()));
    }
    let turned = pair::judge(right, left, &recipe).expect("judged the other way round");
    let ranges = |found: &Match| {
        (found.passage.left.clone(), found.passage.right.clone(), found.passage.fingerprint)
    };
    let mut one: Vec<_> = found.all.iter().map(ranges).collect();
    let mut other: Vec<_> = turned
        .matches
        .expect("asked for")
        .all
        .iter()
        .map(ranges)
        .map(|(left, right, fingerprint)| (right, left, fingerprint))
        .collect();
    one.sort_by_key(|(left, ..)| left.start);
    other.sort_by_key(|(left, ..)| left.start);
    assert_eq!(one, other);
}

/// Checks that the passages are at character boundaries of one of the texts, on lines that it can
/// have, and do not overlap.
fn check_places(text: &Text, found: &Matches, side: usize) {
    let place = |found: &Match| if side == 0 { found.left.clone() } else { found.right.clone() };
    let mut places: Vec<_> = found.all.iter().map(place).collect();
    places.sort_by_key(|place| place.content.start);
    for place in &places {
        assert!(text.content().get(place.content.clone()).is_some_and(|it| !it.is_empty()));
        assert!(place.bytes.end <= text.bytes());
        assert!(place.lines[0] >= 1 && place.lines[0] <= place.lines[1]);
    }
    let is_behind = |two: &[Place]| two[0].content.end <= two[1].content.start;
    assert!(places.windows(2).all(is_behind), "{places:?}");
}
