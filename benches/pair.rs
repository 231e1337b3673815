//! Benchmarks the complete pipeline on pairs of samples, in bytes of both texts per second.

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dedup_text::pair;
use dedup_text::pair::{Recipe, Search};
use dedup_text::shingles::Ngrams;
use dedup_text::text::Text;
use dedup_text::verdict::Verdict;

fn text(content: &str, times: usize) -> Text {
    Text::from_bytes(Path::new("x"), content.repeat(times).into_bytes()).expect("UTF-8")
}

fn pair(criterion: &mut Criterion) {
    let figures = Recipe { search: Search::Never, ..Recipe::default() };
    let classic =
        Recipe { ngrams: Ngrams::new(3, 3).expect("sizes from 1 to 64"), ..figures.clone() };
    let mut group = criterion.benchmark_group("pair");
    group.sample_size(20);
    for (size, times) in [("3 kB", 1), ("600 kB", 200)] {
        let left = text(include_str!("../samples/one_in_hundred_1.txt"), times);
        let right = text(include_str!("../samples/one_in_hundred_2.txt"), times);
        group.throughput(Throughput::Bytes((left.bytes() + right.bytes()) as u64));
        for (name, recipe) in
            [("1 to 3", &figures), ("3", &classic), ("1 to 3 and passages", &Recipe::default())]
        {
            let judged = pair::judge(&left, &right, recipe).expect("long enough");
            assert_eq!(judged.decision.verdict, Verdict::NearDuplicate, "a fast wrong answer");
            group.bench_function(format!("{size}, {name}"), |b| {
                b.iter(|| pair::judge(black_box(&left), &right, recipe));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, pair);
criterion_main!(benches);
