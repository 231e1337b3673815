//! Every stage by itself, on a megabyte of the samples' words, in bytes a second.

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dedup_text::language::{self, Language};
use dedup_text::shingles::Ngrams;
use dedup_text::text::Text;
use dedup_text::{elision, hamming, jaccard, rabin, shingles, simhash, stems, stopwords, tokens};

/// How often the samples are repeated.
const TIMES: usize = 200;

fn english() -> String {
    concat!(
        include_str!("../samples/layout_1.txt"),
        include_str!("../samples/one_in_hundred_1.txt"),
        include_str!("../samples/translation_1.txt"),
    )
    .repeat(TIMES)
}

fn stages(criterion: &mut Criterion) {
    let english = english();
    let language = Language::from_code("eng");
    let words = tokens::split(&english);
    let kept = stopwords::remove(words.clone(), language, &stopwords::Choice::On).kept;
    let stems = stems::reduce(&kept, language, stems::Choice::On);
    let set = shingles::cut(&stems, Ngrams::default());
    let fingerprint = simhash::fingerprint(&set).expect("not empty");
    // A fast wrong answer is no answer: the three samples have 262, 468 and 248 words.
    assert_eq!(words.len(), (262 + 468 + 248) * TIMES);

    let mut group = criterion.benchmark_group("stages");
    group.throughput(Throughput::Bytes(english.len() as u64));
    group.sample_size(20);
    group.bench_function("text", |b| {
        b.iter(|| Text::from_bytes(Path::new("x"), black_box(english.as_bytes()).to_vec()));
    });
    let text = Text::from_bytes(Path::new("x"), english.clone().into_bytes()).expect("UTF-8");
    group.bench_function("language", |b| {
        b.iter(|| language::settle(black_box(&text), &text, &language::Choice::default()));
    });
    group.bench_function("tokens", |b| b.iter(|| tokens::split(black_box(&english))));
    group.bench_function("elision", |b| {
        let french = Language::from_code("fra");
        b.iter(|| elision::part(black_box(words.clone()), &english, french));
    });
    group.bench_function("stopwords", |b| {
        b.iter(|| stopwords::remove(black_box(words.clone()), language, &stopwords::Choice::On));
    });
    group.bench_function("stems", |b| {
        b.iter(|| stems::reduce(black_box(&kept), language, stems::Choice::On));
    });
    group.bench_function("rabin", |b| b.iter(|| rabin::residue(black_box(english.as_bytes()))));
    group.bench_function("shingles", |b| {
        b.iter(|| shingles::cut(black_box(&stems), Ngrams::default()));
    });
    group.bench_function("simhash", |b| b.iter(|| simhash::vote(black_box(set.all()))));
    group.bench_function("hamming", |b| {
        b.iter(|| hamming::distance(black_box(fingerprint), fingerprint));
    });
    group.bench_function("jaccard", |b| {
        b.iter(|| jaccard::Overlap::of(black_box(set.all()), set.all()));
    });
    group.finish();
}

criterion_group!(benches, stages);
criterion_main!(benches);
