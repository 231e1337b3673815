//! Invariants of a corpus without its common stretches (`--template-share`).

use std::convert::Infallible;
use std::num::NonZeroUsize;

use dedup_text::corpus::join::Side;
use dedup_text::corpus::{Corpus, CorpusBuilder, Opened};
use dedup_text::language::{Choice, Given};
use dedup_text::pair::Recipe;
use dedup_text::passages::{MinMatch, Templates};
use dedup_text::text::Text;
use dedup_text::tokens;

use super::nul_separated;
use super::pairs::check_places;

/// The largest number of texts of an input.
const MOST: usize = 8;

const SHARES: [&str; 4] = ["0.3", "0.1", "0.5", "0.9"];

/// Checks that the excluded stretches are at character boundaries and do not overlap, that their
/// words and the remaining ones add up to those of the text, and that no passage overlaps them. The
/// order in which the texts are read changes nothing.
///
/// The first byte chooses the share and the minimum length. NULs separate the texts.
pub fn template_share(bytes: &[u8]) {
    let Some((first, texts)) = bytes.split_first() else { return };
    let texts = nul_separated(texts, MOST);
    let min_match = MinMatch::new(3 + usize::from(first / 4 % 4));
    let given = Given::As(None);
    let recipe = Recipe {
        languages: Choice { left: given, right: given },
        templates: Templates { all: Vec::new(), min_match: min_match.expect("3 words or more") },
        common: Some(SHARES[usize::from(first % 4)].parse().expect("a ratio")),
        min_match: MinMatch::new(3).expect("the least there is"),
        ..Recipe::default()
    };
    let corpus = gathered(texts.clone(), &recipe, 1);
    for document in &corpus.documents {
        let (content, left_out) = (document.text.content(), document.left_out());
        let spans = left_out.iter().map(|part| &part.span);
        assert!(
            spans.clone().all(|span| content.get(span.clone()).is_some_and(|it| !it.is_empty()))
        );
        assert!(spans.clone().zip(spans.skip(1)).all(|(one, next)| one.end <= next.start));
        let words: usize = left_out.iter().map(|part| part.words).sum();
        assert_eq!(words + document.words, tokens::split(content).0.len(), "{left_out:?}");
    }
    for stretch in &corpus.common {
        assert!(stretch.words >= recipe.templates.min_match.words());
        assert!((2..=texts.len()).contains(&stretch.texts));
        let text = texts.iter().find(|text| text.path() == stretch.path).expect("one of them");
        assert!(text.content().get(stretch.place.content.clone()).is_some());
    }
    let turned = gathered(texts.into_iter().rev().collect(), &recipe, 2);
    assert_eq!(turned.documents, corpus.documents);
    assert_eq!(turned.common, corpus.common);
    assert_eq!(turned.short, corpus.short);
    let count = u32::try_from(corpus.documents.len()).expect("a few texts");
    for (a, b) in (0..count).flat_map(|b| (0..b).map(move |a| (a, b))) {
        let pair = corpus.collection.pair(a, b);
        assert_eq!(turned.collection.pair(a, b), pair);
        let found = corpus.judge(&pair).matches.expect("asked for");
        for (number, side) in [(a, 0), (b, 1)] {
            let document = &corpus.documents[number as usize];
            let places = check_places(&document.text, &found, side);
            for part in document.left_out() {
                let is_apart = |span: &std::ops::Range<usize>| {
                    span.end <= part.span.start || part.span.end <= span.start
                };
                assert!(places.iter().all(is_apart), "{places:?} {part:?}");
            }
        }
    }
}

fn gathered(texts: Vec<Text>, recipe: &Recipe, threads: usize) -> Corpus<'_> {
    let threads = NonZeroUsize::new(threads).expect("one or two");
    let mut gathering = CorpusBuilder::new(recipe, threads);
    let open = |text| Ok((Opened { text, group: None, side: Side::Any, is_read_once: false }, ()));
    let failed: Vec<Infallible> = gathering.add(texts, open, Ok);
    assert!(failed.is_empty());
    gathering.finish()
}
