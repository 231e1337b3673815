//! Compares the common stretches of a corpus with their definition, which compares all texts.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};

use dedup_text::corpus::join::Side;
use dedup_text::corpus::{Corpus, CorpusBuilder, Opened};
use dedup_text::language::{Choice, Given};
use dedup_text::pair::Recipe;
use dedup_text::passages::{MinMatch, Templates};
use dedup_text::shingles::Ngrams;
use dedup_text::text::Text;
use dedup_text::tokens::exclusions::Why;
use dedup_text::{stopwords, tokens};
use proptest::prelude::*;

/// Builds a corpus without its common stretches, from texts with optional groups.
fn corpus<'r>(texts: &[(String, Option<u8>)], recipe: &'r Recipe, threads: usize) -> Corpus<'r> {
    let mut gathering = CorpusBuilder::new(recipe, NonZeroUsize::new(threads).unwrap());
    for (k, batch) in texts.chunks(2).enumerate() {
        let batch: Vec<_> = batch.iter().cloned().enumerate().map(|it| (2 * k, it)).collect();
        let open = |(first, (k, (content, group))): (usize, (usize, (String, Option<u8>)))| {
            let name = format!("{}", ((first + k) * 5) % 17);
            let text = Text::from_bytes(Path::new(&name), content.into_bytes()).unwrap();
            let group = group.map(|group| group.to_string());
            Ok::<_, Infallible>((Opened { text, group, side: Side::Any, is_read_once: false }, ()))
        };
        assert!(gathering.add(batch, open, Ok).is_empty());
    }
    gathering.finish()
}

fn recipe(tenths: u32, length: usize) -> Recipe {
    Recipe {
        ngrams: Ngrams::new(1, 1).unwrap(),
        languages: Choice { left: Given::As(None), right: Given::As(None) },
        stopwords: stopwords::Choice::Off,
        common: Some((f64::from(tenths) / 10.0).to_string().parse().unwrap()),
        templates: Templates { all: Vec::new(), min_match: MinMatch::new(length).unwrap() },
        ..Recipe::default()
    }
}

/// The content of a text, its words with their byte ranges, and its group.
type Plain = (String, Vec<(String, Range<usize>)>, String);

/// Returns the number of groups that have a sequence of words. Searches every text.
fn groups_with(texts: &[Plain], words: &[(String, Range<usize>)]) -> usize {
    let is_same = |other: &[(String, Range<usize>)]| {
        other.iter().map(|it| &it.0).eq(words.iter().map(|it| &it.0))
    };
    let has = |text: &&Plain| text.1.windows(words.len()).any(is_same);
    let mut groups: Vec<&String> = texts.iter().filter(has).map(|text| &text.2).collect();
    groups.sort();
    groups.dedup();
    groups.len()
}

/// Reports whether more than the share of the groups have a sequence of words.
fn is_common(texts: &[Plain], tenths: u32, words: &[(String, Range<usize>)]) -> bool {
    let mut groups: Vec<&String> = texts.iter().map(|text| &text.2).collect();
    groups.sort();
    groups.dedup();
    let count = groups_with(texts, words);
    count >= 2 && groups.len() >= 3 && count * 10 > tenths as usize * groups.len()
}

/// Shrinks a range of words so that no character is shared across its ends.
fn whole(words: &[(String, Range<usize>)], range: &Range<usize>) -> Range<usize> {
    let is_cut = |at: usize| at > 0 && at < words.len() && words[at - 1].1 == words[at].1;
    let (mut start, mut end) = (range.start, range.end);
    while start < end && is_cut(start) {
        start += 1;
    }
    while start < end && is_cut(end) {
        end -= 1;
    }
    start..end
}

/// Returns the excluded words of each text, by definition.
fn plain(texts: &[Plain], tenths: u32, length: usize) -> Vec<Vec<Range<usize>>> {
    let of_text = |(_, words, _): &Plain| {
        let mut is_out = vec![false; words.len()];
        for (at, window) in words.windows(length).enumerate() {
            if is_common(texts, tenths, window) {
                is_out[at..at + length].fill(true);
            }
        }
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for at in (0..words.len()).filter(|at| is_out[*at]) {
            match ranges.last_mut() {
                Some(last) if last.end == at => last.end += 1,
                _ => ranges.push(at..at + 1),
            }
        }
        ranges.iter().map(|range| whole(words, range)).filter(|range| !range.is_empty()).collect()
    };
    texts.iter().map(of_text).collect()
}

fn agree(texts: &[(String, Option<u8>)], tenths: u32, length: usize) -> Result<(), TestCaseError> {
    let recipe = recipe(tenths, length);
    let found = corpus(texts, &recipe, 1);
    let other = corpus(texts, &recipe, 3);
    prop_assert_eq!(&found.documents, &other.documents);
    prop_assert_eq!(&found.common, &other.common);
    let mut sorted: Vec<Plain> = Vec::new();
    for (k, (content, group)) in texts.iter().enumerate() {
        let name = format!("{}", (k * 5) % 17);
        let words = tokens::split(content);
        let words = words.0.iter().map(|it| (it.word.to_string(), it.span.clone())).collect();
        let group = group.map_or(format!("alone {name}"), |group| group.to_string());
        sorted.push((name, words, group));
    }
    sorted.sort_by(|one, other| one.0.cmp(&other.0));
    let want = plain(&sorted, tenths, length);
    let mut documents = found.documents.iter().peekable();
    for ((name, words, _), ranges) in sorted.iter().zip(&want) {
        let out: usize = ranges.iter().map(Range::len).sum();
        let document = documents.next_if(|it| it.text.path() == Path::new(name));
        prop_assert_eq!(document.is_some(), out < words.len(), "{}", name);
        let Some(document) = document else { continue };
        let left_out: Vec<_> = document.left_out().iter().map(|it| (it.words, &it.span)).collect();
        let spans: Vec<_> =
            ranges.iter().map(|it| words[it.start].1.start..words[it.end - 1].1.end).collect();
        let spans: Vec<_> = ranges.iter().map(Range::len).zip(&spans).collect();
        prop_assert_eq!(left_out, spans);
        prop_assert!(document.left_out().iter().all(|it| it.why == Why::Common));
        prop_assert_eq!(document.words, words.len() - out);
    }
    // Reported are first those that occur at least half as often as texts contain one of their
    // windows, then the longest, each with a common window that none before it has.
    let mut stretches: Vec<(&Plain, &Range<usize>)> = Vec::new();
    for (text, ranges) in sorted.iter().zip(&want) {
        stretches.extend(ranges.iter().map(|range| (text, range)));
    }
    let words_of = |(text, range): &(&Plain, &Range<usize>)| -> Vec<String> {
        text.1[(*range).clone()].iter().map(|it| it.0.clone()).collect()
    };
    let all: Vec<Vec<String>> = stretches.iter().map(words_of).collect();
    stretches.sort_by_cached_key(|stretch| {
        let (text, range) = stretch;
        let windows = text.1[(*range).clone()].windows(length);
        let most = windows.map(|it| groups_with(&sorted, it)).max().unwrap_or_default();
        let count = all.iter().filter(|it| **it == words_of(stretch)).count();
        std::cmp::Reverse((2 * count >= most, range.len()))
    });
    let mut listed: Vec<Vec<&str>> = Vec::new();
    let mut reported = Vec::new();
    for (text, range) in stretches {
        let words: Vec<&str> = text.1[range.clone()].iter().map(|it| &*it.0).collect();
        let is_contained = |window: &[(String, Range<usize>)]| {
            let window: Vec<&str> = window.iter().map(|it| &*it.0).collect();
            listed.iter().any(|it| it.windows(length).any(|it| it == window))
        };
        let says_nothing_new = |window| is_contained(window) || !is_common(&sorted, tenths, window);
        if text.1[range.clone()].windows(length).all(says_nothing_new) {
            continue;
        }
        let span = text.1[range.start].1.start..text.1[range.end - 1].1.end;
        let most = text.1[range.clone()].windows(length).map(|it| groups_with(&sorted, it)).max();
        reported.push((range.len(), span, PathBuf::from(&text.0), most.unwrap_or_default()));
        listed.push(words);
    }
    // They are in the order of their lengths.
    reported.sort_by_key(|(words, ..)| std::cmp::Reverse(*words));
    let common: Vec<_> = (found.common.iter())
        .map(|it| (it.words, it.place.content.clone(), it.path.clone(), it.texts))
        .collect();
    prop_assert_eq!(common, reported);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_left_out_and_reported_agrees_with_the_definition(
        // No single letters: separated by spaces, they would be joined as a disguise.
        texts in prop::collection::vec(("((ax|by|cz|do)(,| |\n)){0,16}", prop::option::of(0_u8..4)), 0..9),
        tenths in 1_u32..11,
        length in 3_usize..6,
    ) {
        agree(&texts, tenths, length)?;
    }

    /// Checks ﷺ, which is one character and four words, and ͺ, ﱞ and ¸, which begin a word inside
    /// another one.
    #[test]
    fn no_character_is_left_out_in_part(
        texts in prop::collection::vec("((ax by cz صلى |وسلم xi yo za |صلى الله عليه |xiﷺxi |ax byͺxi |by ιxi |ﷺ|ﱞ|¸)[ \n]?){0,9}", 3..8),
        tenths in 1_u32..6,
    ) {
        let texts: Vec<_> = texts.into_iter().map(|text| (text, None)).collect();
        agree(&texts, tenths, 3)?;
    }

    /// Checks texts that are composed of a few parts, and so have much in common.
    #[test]
    fn what_is_left_out_agrees_with_the_definition_where_much_is_common(
        texts in prop::collection::vec("(one two three four |red green blue |port quay rope sail tide | xyz | yarn | zinc ){0,6}", 3..8),
        tenths in 1_u32..11,
    ) {
        let texts: Vec<_> = texts.into_iter().map(|text| (text, None)).collect();
        agree(&texts, tenths, 3)?;
    }
}
