//! Precision, recall and F1 of two rungs, for all pairs and for those of either half.

use std::path::Path;

use dedup_text::pair::Recipe;
use dedup_text::pair::judge;
use dedup_text::text::{ReadOptions, Text};
use dedup_text::verdict::Verdict;

use crate::tasks::Task;

/// A verdict, whether the pair is to be found, and the half that both texts are in.
type Judged = (Verdict, bool, Option<u64>);

#[expect(clippy::print_stdout, reason = "it is what the program is for")]
pub(crate) fn print(tasks: &[Task]) -> anyhow::Result<()> {
    println!(
        "| task | related | unrelated | near-duplicate: precision, recall, F1 | partial: precision, recall, F1 | F1 of partial, first half | second half |"
    );
    println!("|---|---|---|---|---|---|---|");
    let mut sums = [0.0; 4];
    for task in tasks {
        let texts: Vec<Text> = task
            .paths
            .iter()
            .map(|path| Text::open(path, &ReadOptions::default()))
            .collect::<Result<_, _>>()?;
        let recipe = Recipe::default();
        let judged: Vec<Judged> = task.each(|_, pair| {
            let (left, right) = (&texts[pair.left], &texts[pair.right]);
            let judged = judge(left, right, &recipe);
            let verdict = judged.map_or(Verdict::Different, |it| it.decision.verdict);
            let half = half(left.path());
            (verdict, pair.is_related, (half == self::half(right.path())).then_some(half))
        });
        let of_half = |wanted: u64| {
            let in_half = judged.iter().filter(|it| it.2 == Some(wanted));
            scores(&in_half.copied().collect::<Vec<_>>(), Verdict::Partial)[2]
        };
        let near = scores(&judged, Verdict::NearDuplicate);
        let partial = scores(&judged, Verdict::Partial);
        let halves = [of_half(0), of_half(1)];
        let related = judged.iter().filter(|it| it.1).count();
        let three = |scores: [f64; 3]| scores.map(|score| format!("{score:.3}")).join(", ");
        println!(
            "| {} | {related} | {} | {} | {} | {:.3} | {:.3} |",
            task.name,
            judged.len() - related,
            three(near),
            three(partial),
            halves[0],
            halves[1]
        );
        for (sum, score) in sums.iter_mut().zip([near[2], partial[2], halves[0], halves[1]]) {
            *sum += score;
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "a few tasks")]
    let [near, partial, first, second] = sums.map(|sum| sum / tasks.len() as f64);
    println!("| mean | | | F1 {near:.4} | F1 {partial:.4} | {first:.4} | {second:.4} |");
    Ok(())
}

/// The half of the documents that one is in, by its name alone: FNV-1a.
fn half(path: &Path) -> u64 {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let hash = name.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash >> 32 & 1
}

/// Returns precision, recall and F1 of calling pairs `level` or closer. Each is 1 if its
/// denominator is 0: if no pair is found, if none is related, or both.
fn scores(judged: &[Judged], level: Verdict) -> [f64; 3] {
    let count = |of: &dyn Fn(&Judged) -> bool| judged.iter().filter(|it| of(it)).count();
    let found = count(&|it| it.0 >= level);
    let related = count(&|it| it.1);
    let right = count(&|it| it.0 >= level && it.1);
    #[expect(clippy::cast_precision_loss, reason = "counts of pairs")]
    let share = |part: usize, of: usize| if of == 0 { 1.0 } else { part as f64 / of as f64 };
    [share(right, found), share(right, related), share(2 * right, found + related)]
}
