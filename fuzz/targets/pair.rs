//! A pair is judged as the plain line judges it, and the same turned round.
#![no_main]

use std::path::Path;

use dedup_text::pipeline;
use dedup_text::recipe::Recipe;
use dedup_text::text::Text;
use dedup_text::verdict::Verdict;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|both: (&str, &str)| {
    let text = |content: &str| Text::from_bytes(Path::new("fuzzed"), content.into());
    let (Ok(left), Ok(right)) = (text(both.0), text(both.1)) else { return };
    let recipe = Recipe::default();
    let Ok(judged) = pipeline::judge(&left, &right, &recipe) else { return };
    for (text, language, sketch) in [
        (&left, judged.languages.left.language, &judged.left),
        (&right, judged.languages.right.language, &judged.right),
    ] {
        let plain = pipeline::trace(text, language, &recipe);
        assert_eq!((sketch.words, sketch.stems), (plain.words.len(), plain.stems.len()));
        assert_eq!(sketch.shingles, plain.shingles);
    }
    let figures = &judged.comparison;
    assert!(figures.hamming.is_none_or(|bits| bits <= 64));
    assert!(figures.all.shared <= figures.all.left.min(figures.all.right));
    let turned = pipeline::judge(&right, &left, &recipe).expect("judged the other way round");
    assert_eq!(turned.decision.verdict, judged.decision.verdict);
    assert_eq!(turned.comparison.all.shared, figures.all.shared);
    assert_eq!(turned.comparison.hamming, figures.hamming);
    let same = pipeline::judge(&left, &left, &recipe).expect("judged against itself");
    assert_eq!(same.decision.verdict, Verdict::Identical);
});
