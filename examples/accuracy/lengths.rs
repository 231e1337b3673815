//! Prints the distribution of the figures and the verdicts of texts, by their length in words.
//!
//! For each pair and length, a piece of that many words of the first text is compared with the
//! piece of the second text that has the most of its words. The start of the first piece depends
//! on the number of the pair and the length only. Shorter texts are skipped.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use dedup_text::jaccard::Share;
use dedup_text::pair::Recipe;
use dedup_text::pair::judge;
use dedup_text::text::{ReadOptions, Text};
use dedup_text::tokens;
use dedup_text::verdict::Verdict;

use crate::tasks::{Labelled, Task};

/// The lengths of the pieces, in words.
const LENGTHS: [usize; 9] = [5, 10, 20, 50, 100, 200, 500, 1000, 2000];

/// The measures. The first three are shares, counted in twentieths, where more is closer; the last
/// is in bits, counted in steps of two, where fewer is closer.
const MEASURES: [&str; 4] = ["jaccard", "containment", "coverage", "hamming"];

/// The counts of the pairs of one label and length.
#[derive(Clone, Copy, Default)]
struct Row {
    pairs: usize,
    /// The number of pairs that share a passage, whatever their verdict.
    passages: usize,
    /// The number of pairs with this verdict or a closer one; the same for the next two fields.
    excerpt: usize,
    partial: usize,
    near_duplicate: usize,
    /// For each measure, the numbers of pairs with at least 1 to 20 twentieths. For bits, with at
    /// most 0, 2, … 38.
    counts: [[usize; 20]; 4],
}

impl Row {
    fn add(&mut self, more: &Self) {
        self.pairs += more.pairs;
        self.passages += more.passages;
        self.excerpt += more.excerpt;
        self.partial += more.partial;
        self.near_duplicate += more.near_duplicate;
        for (count, more) in self.counts.iter_mut().flatten().zip(more.counts.iter().flatten()) {
            *count += more;
        }
    }
}

#[expect(clippy::print_stdout, reason = "it is what the program is for")]
pub(crate) fn print(tasks: &[Task]) -> anyhow::Result<()> {
    let mut table: BTreeMap<(usize, bool), Row> = BTreeMap::new();
    let mut sources = Vec::new();
    for task in tasks {
        let mut vocabulary = BTreeMap::new();
        let read = |path: &PathBuf| Document::read(path, &mut vocabulary);
        let documents = task.paths.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
        let rows = task.each(|number, pair| {
            let texts = [&documents[pair.left], &documents[pair.right]];
            LENGTHS.map(|words| look(texts, words, number))
        });
        for (Labelled { is_related, .. }, rows) in task.pairs.iter().zip(rows) {
            for (words, row) in LENGTHS.iter().zip(&rows) {
                table.entry((*words, *is_related)).or_default().add(row);
            }
        }
        let related = task.pairs.iter().filter(|pair| pair.is_related).count();
        sources.push(format!("{} {related} and {}", task.name, task.pairs.len() - related));
    }
    println!("# Related and unrelated pairs: {}.", sources.join("; "));
    println!(
        "# words, related, measure, pairs, and how many of them are excerpt, partial and near-duplicate or"
    );
    println!(
        "# closer, or share a passage, or have at least 1 to 20 twentieths, or differ in at most 0, 2, … 38"
    );
    println!("# bits");
    for ((words, is_related), row) in &table {
        let label = if *is_related { "yes" } else { "no" };
        let Row { pairs, passages, excerpt, partial, near_duplicate, counts } = row;
        println!("{words}\t{label}\tverdict\t{pairs}\t{excerpt}\t{partial}\t{near_duplicate}");
        println!("{words}\t{label}\tpassages\t{pairs}\t{passages}");
        for (measure, counts) in MEASURES.iter().zip(counts) {
            let counts = counts.map(|count| count.to_string()).join("\t");
            println!("{words}\t{label}\t{measure}\t{pairs}\t{counts}");
        }
    }
    Ok(())
}

/// A text, with the byte range and the number in the vocabulary of each of its words.
struct Document {
    text: String,
    words: Vec<(Range<usize>, u32)>,
}

impl Document {
    fn read(path: &Path, vocabulary: &mut BTreeMap<String, u32>) -> anyhow::Result<Self> {
        let opened = Text::open(path, &ReadOptions::default())?;
        let text = opened.content().to_owned();
        let words = tokens::split(&text).0.into_iter().map(|token| {
            let next = u32::try_from(vocabulary.len()).unwrap_or(u32::MAX);
            (token.span, *vocabulary.entry(token.word.into_owned()).or_insert(next))
        });
        Ok(Self { words: words.collect(), text })
    }

    /// Returns the piece of `words` words from the word `start` on, as a text of its own.
    fn piece(&self, start: usize, words: usize, name: &str) -> Option<Text> {
        let part = &self.words[start..start + words];
        let piece = &self.text[part[0].0.start..part[words - 1].0.end];
        Text::from_bytes(Path::new(name), piece.as_bytes().to_vec()).ok()
    }
}

/// Compares pieces of `words` words of a pair. The row is empty if either text has fewer words. A
/// pair that cannot be judged counts as a pair without a verdict.
fn look([left, right]: [&Document; 2], words: usize, pair: usize) -> Row {
    let mut row = Row::default();
    if left.words.len() < words || right.words.len() < words {
        return row;
    }
    row.pairs = 1;
    let draw = (pair as u64 ^ (words as u64) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
    let start = usize::try_from(draw).unwrap_or(0) % (left.words.len() - words + 1);
    let like = most_alike(&left.words[start..start + words], &right.words);
    let texts = left.piece(start, words, "left.txt").zip(right.piece(like, words, "right.txt"));
    let recipe = Recipe::default();
    let judged = texts.as_ref().and_then(|(left, right)| judge(left, right, &recipe).ok());
    let Some(judged) = judged else { return row };
    row.excerpt = usize::from(judged.decision.verdict >= Verdict::Excerpt);
    row.partial = usize::from(judged.decision.verdict >= Verdict::Partial);
    row.near_duplicate = usize::from(judged.decision.verdict >= Verdict::NearDuplicate);
    let figures = judged.comparison;
    let passages = figures.passages.unwrap_or_default();
    row.passages = usize::from(passages.passages > 0);
    let containments = [figures.containment_left(), figures.containment_right()];
    let containment = containments.into_iter().flatten().map(twentieths).max();
    let coverage = [passages.left, passages.right].into_iter().flatten().map(twentieths).max();
    let shares = [figures.jaccard().map(twentieths), containment, coverage];
    for (counts, share) in row.counts.iter_mut().zip(shares) {
        counts[..share.unwrap_or(0)].fill(1);
    }
    if let Some(bits) = figures.hamming {
        let min_match = usize::try_from(bits.div_ceil(2)).unwrap_or(20).min(20);
        row.counts[3][min_match..].fill(1);
    }
    row
}

fn twentieths(share: Share) -> usize {
    share.shared() * 20 / share.total()
}

/// Returns the index of the word at which the stretch of a text begins that has the most distinct
/// words of a piece. The stretch is as long as the piece; of equally good ones, the first counts.
fn most_alike(piece: &[(Range<usize>, u32)], text: &[(Range<usize>, u32)]) -> usize {
    let mut counts: BTreeMap<u32, usize> = piece.iter().map(|(_, word)| (*word, 0)).collect();
    let (mut has, mut best) = (0_usize, (0, 0));
    for (at, (_, word)) in text.iter().enumerate() {
        if let Some(count) = counts.get_mut(word) {
            *count += 1;
            has += usize::from(*count == 1);
        }
        let Some(start) = (at + 1).checked_sub(piece.len()) else { continue };
        if has > best.0 {
            best = (has, start);
        }
        if let Some(count) = counts.get_mut(&text[start].1) {
            *count -= 1;
            has -= usize::from(*count == 0);
        }
    }
    best.1
}
