//! Compares the common stretches of a corpus with their definition, which compares all texts.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::Path;

use dedup_text::corpus::join::Side;
use dedup_text::corpus::{Common, Corpus, CorpusBuilder, Document, Opened};
use dedup_text::language::{Choice, Given};
use dedup_text::pair::{self, CommonShare, Recipe};
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
        common: Some(CommonShare {
            share: (f64::from(tenths) / 10.0).to_string().parse().unwrap(),
            min_texts: 3,
        }),
        templates: Templates { all: Vec::new(), min_match: MinMatch::new(length).unwrap() },
        ..Recipe::default()
    }
}

/// The largest number of words between two common words in a row.
const MAX_CHANGED: usize = 4;

/// The words of a text with their byte ranges, and its group.
type Plain = (Vec<(String, Range<usize>)>, String);

/// Some words of a text by their places.
type Places = Vec<usize>;

/// Reports whether the share of the groups, and two at least, have what `has` looks for in a text.
fn is_common(texts: &[Plain], tenths: u32, has: impl Fn(&Plain) -> bool) -> bool {
    let of = |texts: Vec<&Plain>| {
        texts.iter().map(|text| &text.1).collect::<std::collections::BTreeSet<_>>().len()
    };
    let all = of(texts.iter().collect());
    let count = of(texts.iter().filter(|text| has(text)).collect());
    all >= 3 && count >= 2 && count * 10 >= tenths as usize * all
}

/// Returns the windows of common words of a text, by definition.
fn windows(texts: &[Plain], text: &Plain, tenths: u32, length: usize) -> Vec<Places> {
    let is_word_common = |word: &str| {
        is_common(texts, tenths, |(words, _)| words.iter().any(|(other, _)| other == word))
    };
    let kept: Places = (0..text.0.len()).filter(|at| is_word_common(&text.0[*at].0)).collect();
    // At most a few other words are between two of them, and none between three at each end.
    let is_row = |window: &&[usize]| {
        let ends = [[window[0], window[2]], [window[length - 3], window[length - 1]]];
        window.windows(2).all(|it| it[1] - it[0] <= MAX_CHANGED + 1)
            && ends.iter().all(|[first, third]| first + 2 == *third)
    };
    kept.windows(length).filter(is_row).map(<[usize]>::to_vec).collect()
}

/// Returns the common windows of each text, by definition: compares every two windows.
fn plain(texts: &[Plain], tenths: u32, length: usize) -> Vec<Vec<Places>> {
    let all: Vec<Vec<Places>> =
        texts.iter().map(|text| windows(texts, text, tenths, length)).collect();
    let words = |text: &Plain, window: &Places| -> Vec<String> {
        window.iter().map(|at| text.0[*at].0.clone()).collect()
    };
    let is_window_common = |text: &Plain, window: &Places| {
        let wanted = words(text, window);
        is_common(texts, tenths, |other| {
            let at = texts.iter().position(|it| std::ptr::eq(it, other)).unwrap();
            all[at].iter().any(|window| words(other, window) == wanted)
        })
    };
    let of_text = |(text, windows): (&Plain, &Vec<Places>)| {
        windows.iter().filter(|window| is_window_common(text, window)).cloned().collect()
    };
    texts.iter().zip(&all).map(of_text).collect()
}

/// Compares what is left out of each text with what is common by definition, and with what is left
/// out by the template that is made of it.
fn agree(texts: &[(String, Option<u8>)], tenths: u32, length: usize) -> Result<(), TestCaseError> {
    let recipe = recipe(tenths, length);
    let found = corpus(texts, &recipe, 1);
    let other = corpus(texts, &recipe, 3);
    prop_assert_eq!(&found.documents, &other.documents);
    prop_assert_eq!(&found.common, &other.common);
    let Common { stretches, template } = found.common.clone().unwrap();
    let mut sorted: Vec<(String, Plain)> = Vec::new();
    for (k, (content, group)) in texts.iter().enumerate() {
        let name = format!("{}", (k * 5) % 17);
        let words = tokens::split(content);
        let words: Vec<(String, Range<usize>)> =
            words.0.iter().map(|it| (it.word.to_string(), it.span.clone())).collect();
        // Copies of a text count as one.
        let alone = || format!("{:?}", words.iter().map(|(word, _)| word).collect::<Vec<_>>());
        let group = group.map_or_else(alone, |group| group.to_string());
        sorted.push((name, (words, group)));
    }
    sorted.sort_by(|one, other| one.0.cmp(&other.0));
    let (names, plain_texts): (Vec<String>, Vec<Plain>) = sorted.into_iter().unzip();
    let want = plain(&plain_texts, tenths, length);
    let is_any = want.iter().any(|windows| !windows.is_empty());
    // A character of which only some words are common stays.
    let shares = |(words, _): &Plain| words.windows(2).any(|it| it[0].1 == it[1].1);
    let are_whole = !plain_texts.iter().any(shares);
    prop_assert!(!are_whole || is_any != stretches.is_empty(), "{:?}", stretches);
    // By the template, each text is what it is without what is common.
    let template = Text::from_bytes(Path::new("common.txt"), template.into_bytes()).unwrap();
    let all: Vec<_> = pair::template(&template).into_iter().collect();
    prop_assert_eq!(all.is_empty(), stretches.is_empty());
    let given = Recipe {
        common: None,
        templates: Templates { all, min_match: MinMatch::new(length).unwrap() },
        ..recipe.clone()
    };
    let by_template = corpus(texts, &given, 1);
    prop_assert_eq!(found.documents.len(), by_template.documents.len());
    for (document, given) in found.documents.iter().zip(&by_template.documents) {
        let spans = |of: &Document| -> Vec<Range<usize>> {
            of.left_out().iter().map(|part| part.span.clone()).collect()
        };
        prop_assert_eq!(spans(document), spans(given));
        prop_assert!(document.left_out().iter().all(|it| it.why == Why::Common));
        let at = names.iter().position(|name| document.text.path() == Path::new(name)).unwrap();
        let words = &plain_texts[at].0;
        let is_out = |at: usize| {
            let span = &words[at].1;
            spans(document).iter().any(|out| out.start <= span.start && span.end <= out.end)
        };
        for word in want[at].iter().flatten().filter(|_| are_whole) {
            prop_assert!(is_out(*word), "{} of {}", words[*word].0, names[at]);
        }
    }
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
