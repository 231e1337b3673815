//! Invariants of runs of words that occur at two or more places, and of texts without them.

use std::ops::Range;

use dedup_text::corpus::spans::WordPlace;
use dedup_text::corpus::spans::words::{Borders, Part, Spelling, Words};
use dedup_text::parallel::Advance;
use dedup_text::tokens;

use super::nul_separated;

/// The largest number of texts of an input.
const MOST: usize = 8;

/// The largest number of words of all texts for which the plain implementation is used, which takes
/// quadratic time.
const FEW: usize = 400;

/// A word of a text in the form in which it is compared: its spelling, its index among the words
/// that share characters there, and the characters between it and the next word.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Letter {
    word: String,
    place: usize,
    behind: String,
}

/// Checks that cuts are at character boundaries and in order, and that the remaining text has
/// exactly the words that are not cut. The words that occur earlier as well must be those that the
/// plain implementation finds, and each listed run must be equal at all of its places.
///
/// The first byte chooses the minimum number of words, the spelling, and the borders of cuts. NULs
/// separate the texts.
pub fn spans(bytes: &[u8]) {
    let Some((first, texts)) = bytes.split_first() else { return };
    let texts = nul_separated(texts, MOST);
    let min_words = 1 + usize::from(first % 4);
    let spelling = if first / 4 % 2 == 0 { Spelling::Folded } else { Spelling::Exact };
    let borders = if first / 8 % 2 == 0 { Borders::Words } else { Borders::Sentences };
    let mut words = Words::new(spelling);
    texts.iter().for_each(|text| words.add(text).expect("few words"));
    let (numbers, parts) = words.into_parts();
    let repeats = numbers.repeats(min_words, &Advance::default());
    let (removable, listed) = (repeats.removable(), repeats.list());
    let all: Vec<Vec<Letter>> =
        parts.iter().map(|part| letters(texts[part.text].content(), spelling)).collect();
    for ((part, letters), runs) in parts.iter().zip(&all).zip(&removable) {
        assert_eq!(part.words, letters.len());
        check_cuts(texts[part.text].content(), part, runs, borders);
    }
    for repeat in &listed {
        let places: Vec<WordPlace> = repeats.places(repeat, usize::MAX).collect();
        assert!(repeat.words() >= min_words && places.len() == repeat.places(), "{repeat:?}");
        check_repeat(repeat.words(), &places, &all);
    }
    if all.iter().map(Vec::len).sum::<usize>() <= FEW {
        let found: Vec<Vec<bool>> = (all.iter().zip(&removable))
            .map(|(letters, runs)| {
                let is_removable = |at| runs.iter().any(|run| run.contains(&at));
                (0..letters.len()).map(is_removable).collect()
            })
            .collect();
        assert_eq!(found, plainly_removable(&all, min_words));
        assert_eq!(listed.is_empty(), found.iter().flatten().all(|it| !it));
    }
}

/// Returns the words of a content, in the form in which they are compared.
fn letters(content: &str, spelling: Spelling) -> Vec<Letter> {
    let tokens = tokens::split(content).0;
    if spelling == Spelling::Folded {
        let letter = |word: &str| Letter { word: word.into(), place: 0, behind: String::new() };
        return tokens.iter().map(|token| letter(&token.word)).collect();
    }
    let mut units: Vec<(Range<usize>, usize)> = Vec::new();
    for token in &tokens {
        match units.last_mut().filter(|(span, _)| token.span.start < span.end) {
            Some((span, words)) => (span.end, *words) = (span.end.max(token.span.end), *words + 1),
            None => units.push((token.span.clone(), 1)),
        }
    }
    let mut letters = Vec::new();
    for (at, (span, words)) in units.iter().enumerate() {
        let next = units.get(at + 1).map_or(span.end, |(next, _)| next.start);
        for place in 0..*words {
            let is_last = place + 1 == *words;
            let behind = if is_last { content[span.end..next].to_owned() } else { String::new() };
            letters.push(Letter { word: content[span.clone()].to_owned(), place, behind });
        }
    }
    letters
}

/// Reports whether two runs are equal, apart from the characters after their last words.
fn are_equal(one: &[Letter], other: &[Letter]) -> bool {
    let word = |letter: &Letter| (letter.word.clone(), letter.place);
    one.len() == other.len()
        && one.iter().map(word).eq(other.iter().map(word))
        && one.iter().zip(other).rev().skip(1).all(|(one, other)| one.behind == other.behind)
}

/// Reports for each word whether it is in a window that occurs earlier as well. Compares each
/// window with every earlier one.
fn plainly_removable(all: &[Vec<Letter>], min_words: usize) -> Vec<Vec<bool>> {
    let mut earlier: Vec<&[Letter]> = Vec::new();
    let mut removable: Vec<Vec<bool>> = all.iter().map(|text| vec![false; text.len()]).collect();
    for (text, removable) in all.iter().zip(&mut removable) {
        for (at, window) in text.windows(min_words).enumerate() {
            if earlier.iter().any(|other| are_equal(other, window)) {
                removable[at..at + min_words].fill(true);
            }
            earlier.push(window);
        }
    }
    removable
}

fn check_repeat(words: usize, places: &[WordPlace], all: &[Vec<Letter>]) {
    assert!(places.len() > 1 && places.is_sorted(), "{places:?}");
    let run = |place: &WordPlace| &all[place.text][place.word..place.word + words];
    let first = run(&places[0]);
    assert!(places.iter().all(|place| are_equal(run(place), first)), "{places:?}");
}

fn check_cuts(content: &str, part: &Part, runs: &[Range<usize>], borders: Borders) {
    let cuts = part.cuts(content, runs, borders);
    let (mut kept, mut removed, mut done) = (String::new(), 0, 0);
    for (cut, words) in &cuts {
        assert!(done <= cut.start && !cut.is_empty() && *words > 0, "{cuts:?}");
        kept += content.get(done..cut.start).expect("a character begins there");
        removed += content.get(cut.clone()).expect("a character ends there").len();
        done = cut.end;
    }
    kept += &content[done..];
    assert_eq!(kept.len() + removed, content.len());
    let all = tokens::split(content).0;
    let is_cut = |span: &Range<usize>| {
        cuts.iter().any(|(cut, _)| cut.start <= span.start && span.end <= cut.end)
    };
    let stays = all.iter().filter(|token| !is_cut(&token.span)).map(|token| token.word.to_string());
    let stays: Vec<String> = stays.collect();
    let words: Vec<String> =
        tokens::split(&kept).0.into_iter().map(|token| token.word.into_owned()).collect();
    assert_eq!(words, stays, "{content:?} {cuts:?}");
    assert_eq!(cuts.iter().map(|(_, words)| words).sum::<usize>(), all.len() - stays.len());
    for (cut, _) in &cuts {
        assert!(all.iter().any(|token| token.span.start == cut.start), "{cut:?}");
        let is_end = cut.end == content.trim_end().len();
        assert!(is_end || all.iter().any(|token| token.span.start == cut.end), "{cut:?}");
    }
}
