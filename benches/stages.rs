//! Benchmarks each stage separately: the text stages in bytes per second, on the words of three
//! samples repeated to about a megabyte, and the set stages in residues per second.

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dedup_text::interner::Interner;
use dedup_text::language::{self, Language};
use dedup_text::shingles::Ngrams;
use dedup_text::text::Text;
use dedup_text::tokens::Tokens;
use dedup_text::{
    hamming, interner::chunks, jaccard, rabin, shingles, simhash, stems, stopwords, tokens,
    tokens::elision,
};

/// The number of times that the samples are repeated.
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
    let filter = stopwords::Choice::On;
    let filter = filter.filter(language);
    let stemmer = stems::Choice::On.stemmer(language);
    let words = tokens::split(&english);
    let kept = stopwords::remove(words.clone(), &filter).kept;
    let stems = stems::reduce(&kept, stemmer.as_ref());
    let interner = || {
        Interner::new(english.len(), |words: Tokens, _: &str| {
            stems::reduce(&stopwords::remove(words, &filter).kept, stemmer.as_ref())
        })
    };
    let mut read = interner();
    let reading = read.read(&english);
    let distinct = read.stems();
    let set = shingles::cut(&stems, Ngrams::default());
    let fingerprint = simhash::fingerprint(&set).expect("not empty");
    // Check the answers before timing: the three samples have 262, 468 and 248 words.
    assert_eq!(words.len(), (262 + 468 + 248) * TIMES);
    assert_eq!((reading.words, reading.stems.len()), (words.len(), stems.len()));
    assert_eq!(shingles::compose(&reading.stems, &[], distinct, Ngrams::default()), set);

    let mut group = criterion.benchmark_group("stages");
    group.throughput(Throughput::Bytes(english.len() as u64));
    group.sample_size(20);
    group.bench_function("text", |b| {
        b.iter(|| Text::from_bytes(Path::new("x"), black_box(english.as_bytes()).to_vec()));
    });
    let text = Text::from_bytes(Path::new("x"), english.clone().into_bytes()).expect("UTF-8");
    group.bench_function("language", |b| {
        b.iter(|| {
            language::settle(
                black_box(text.content()),
                text.content(),
                &language::Choice::default(),
            )
        });
    });
    group.bench_function("chunks", |b| b.iter(|| chunks::chunks(black_box(&english)).count()));
    group.bench_function("interner, from words to stems", |b| {
        b.iter(|| interner().read(black_box(&english)));
    });
    group.bench_function("plain tokens", |b| b.iter(|| tokens::split(black_box(&english))));
    group.bench_function("plain elision", |b| {
        let french = Language::from_code("fra");
        b.iter(|| elision::part(black_box(words.clone()), &english, french));
    });
    group.bench_function("plain stopwords", |b| {
        b.iter(|| stopwords::remove(black_box(words.clone()), &filter));
    });
    group.bench_function("plain stems", |b| {
        b.iter(|| stems::reduce(black_box(&kept), stemmer.as_ref()));
    });
    group.bench_function("rabin", |b| b.iter(|| rabin::residue(black_box(english.as_bytes()))));
    group.bench_function("plain shingles", |b| {
        b.iter(|| shingles::cut(black_box(&stems), Ngrams::default()));
    });
    group.bench_function("shingles", |b| {
        b.iter(|| shingles::compose(black_box(&reading.stems), &[], distinct, Ngrams::default()));
    });
    group.bench_function("hamming", |b| {
        b.iter(|| hamming::distance(black_box(fingerprint), fingerprint));
    });
    group.finish();
}

/// Benchmarks the stages whose cost depends on the number of shingles, on a million random
/// residues.
fn sets(criterion: &mut Criterion) {
    let residues: Vec<u64> = (0..1_000_000_u32).map(|n| rabin::residue(&n.to_be_bytes())).collect();
    let mut sorted = residues.clone();
    sorted.sort_unstable();

    let mut group = criterion.benchmark_group("sets");
    group.throughput(Throughput::Elements(residues.len() as u64));
    group.sample_size(20);
    group.bench_function("simhash", |b| b.iter(|| simhash::vote(black_box(&residues))));
    group.bench_function("jaccard", |b| {
        b.iter(|| jaccard::Overlap::new(black_box(&sorted), &sorted));
    });
    group.finish();
}

criterion_group!(benches, stages, sets);
criterion_main!(benches);
