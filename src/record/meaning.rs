//! Explains in a sentence what each figure of a pair means.
//!
//! The sentences are based on a table of labelled pairs, which were cut into pieces of several
//! lengths. `cargo run --release --example accuracy -- lengths` prints the table; docs/accuracy.md
//! describes the pairs. The sentences about figures hold for the sizes of n-grams that the table
//! was made with.

use std::sync::LazyLock;

use crate::display::{counted, thousands};
use crate::jaccard::Share;
use crate::pair::Judgement;
use crate::pair::Recipe;
use crate::passages::MinMatch;
use crate::shingles::Ngrams;
use crate::sketch::Comparison;
use crate::verdict::{Limits, Measure};

/// A sentence for each figure that is known, and one for the length of the texts if they are short.
#[derive(Debug, Default, Eq, PartialEq, serde::Serialize)]
pub struct Meaning {
    /// About the Hamming distance.
    pub hamming: Option<String>,
    /// About the Jaccard index.
    pub jaccard: Option<String>,
    /// About the greater containment.
    pub containment: Option<String>,
    /// About the greater coverage, if there are passages.
    pub coverage: Option<String>,
    /// About the fact that there are passages.
    pub passages: Option<String>,
    /// The rate at which verdicts on texts of this length are wrong.
    pub length: Option<String>,
}

impl Meaning {
    /// Returns the sentences, each with its name.
    pub fn sentences(self) -> Vec<(&'static str, String)> {
        let all = [
            ("Hamming", self.hamming),
            ("Jaccard", self.jaccard),
            ("Containment", self.containment),
            ("Coverage", self.coverage),
            ("Passages", self.passages),
            ("Length", self.length),
        ];
        all.into_iter().filter_map(|(name, it)| it.map(|it| (name, it))).collect()
    }
}

/// Explains the figures of a pair, based on pairs of about as many words as the shorter text has.
pub fn meaning(judgement: &Judgement, recipe: &Recipe) -> Meaning {
    let words = judgement.left.words.min(judgement.right.words);
    let meaning = of_figures(&judgement.comparison, words, recipe);
    // Verdicts were measured with these limits.
    let length = meaning.length.filter(|_| recipe.limits == Limits::default());
    Meaning { length, ..meaning }
}

/// Explains how often unrelated texts are as close, by the figure that decided. `None` if no figure
/// or only the words decided, or if nothing comparable was measured.
pub fn chance(judgement: &Judgement, recipe: &Recipe) -> Option<String> {
    let meaning = meaning(judgement, recipe);
    let (name, chance) = match judgement.decision.decided_by.first()? {
        Measure::Words => return None,
        Measure::Hamming => ("Hamming", meaning.hamming),
        Measure::Jaccard => ("Jaccard", meaning.jaccard),
        Measure::CoverageLeft | Measure::CoverageRight => ("coverage", meaning.coverage),
        Measure::ContainmentLeft | Measure::ContainmentRight => {
            ("containment", meaning.containment)
        }
        Measure::Passages => return meaning.passages,
    };
    Some(format!("{name}: {}", chance?))
}

/// Explains figures; no sentence if a text is shorter than all that were measured.
fn of_figures(figures: &Comparison, words: usize, recipe: &Recipe) -> Meaning {
    let (ngrams, min_match) = (recipe.ngrams, recipe.min_match);
    let Some(similar) = SimilarPairs::new(words) else { return Meaning::default() };
    // The figures were measured with these sizes.
    let sizes = Ngrams::default();
    let share =
        |measure: &str, share: Option<Share>| share.map(|it| describe_share(measure, it, &similar));
    let [left, right] = [figures.containment_left(), figures.containment_right()];
    let greater = left.zip(right).map(|(left, right)| {
        // Both have the same numerator.
        if left.total() <= right.total() { left } else { right }
    });
    let coverage = figures.passages.filter(|coverage| coverage.passages > 0);
    let covered = coverage.and_then(|coverage| {
        let (left, right) = coverage.left.zip(coverage.right)?;
        Some(if left.ratio() >= right.ratio() { left } else { right })
    });
    let changed = figures.jaccard().and_then(|index| one_word_in(index, ngrams));
    let changed =
        changed.map(|words| format!("as if one word in {} were changed", thousands(words)));
    let jaccard = share("jaccard", figures.jaccard()).filter(|_| ngrams == sizes);
    Meaning {
        hamming: figures.hamming.filter(|_| ngrams == sizes).map(|bits| {
            let place = bits.div_ceil(2) as usize;
            if place < STEPS {
                let most = if place == 0 {
                    "0 bits".to_owned()
                } else {
                    format!("{} bits or fewer", 2 * place)
                };
                describe(&similar, similar.tail("hamming", place), &most)
            } else {
                let most = 2 * STEPS - 2;
                describe(
                    &similar,
                    similar.rest("hamming", STEPS - 1),
                    &format!("more than {most} bits"),
                )
            }
        }),
        jaccard: match (jaccard, changed) {
            (Some(measured), Some(changed)) => Some(format!("{measured}; {changed}")),
            (measured, changed) => measured.or(changed),
        },
        containment: share("containment", greater).filter(|_| ngrams.max() == sizes.max()),
        coverage: share("coverage", covered).filter(|_| min_match == MinMatch::default()),
        passages: covered
            .filter(|_| min_match == MinMatch::default())
            .map(|_| describe(&similar, similar.tail("passages", 0), "a passage in both")),
        length: similar.errors().filter(|_| ngrams == sizes).map(|[flagged, missed]| {
            format!(
                "{}: verdicts on texts this short miss {} related pairs and flag {} unrelated ones",
                counted(words, "word"),
                missed.one_in(),
                flagged.one_in()
            )
        }),
    }
}

/// Describes how many of the measured pairs have at least this share of something, in twentieths.
fn describe_share(measure: &str, share: Share, similar: &SimilarPairs) -> String {
    match share.filled(STEPS) {
        0 => describe(similar, similar.rest(measure, 0), "less than 0.05"),
        STEPS => describe(similar, similar.tail(measure, STEPS - 1), "1.00"),
        twentieths => {
            let at_least = format!("0.{:02} or more", twentieths * 100 / STEPS);
            describe(similar, similar.tail(measure, twentieths - 1), &at_least)
        }
    }
}

fn describe(similar: &SimilarPairs, [unrelated, related]: [PairCount; 2], what: &str) -> String {
    let of = |tail: PairCount| match (tail.pairs, tail.all) {
        (0, all) => format!("none of {}", thousands(all)),
        (pairs, all) if pairs == all => format!("all {}", thousands(all)),
        (pairs, all) => format!("{} of {}", thousands(pairs), thousands(all)),
    };
    let length = similar.length();
    format!(
        "{} unrelated pairs of {length} had {what}, and {} related ones",
        of(unrelated),
        of(related)
    )
}

/// Returns k if changing one word in k, each with the same probability, is expected to give a
/// Jaccard index. `None` if nothing or more than every second word must be changed for it.
///
/// A shingle of n stems remains with probability (1 − 1/k)ⁿ, and if a fraction s of both sets
/// remains, the index is s / (2 − s). Sets of several sizes are assumed to have the same number of
/// shingles of each size.
fn one_word_in(index: Share, ngrams: Ngrams) -> Option<usize> {
    const MAX_WORDS: usize = 100_000;
    let expected = |words: usize| {
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let stays = 1.0 - 1.0 / words as f64;
        let mut power = 1.0;
        let (mut sum, mut sizes) = (0.0, 0.0);
        for n in 1..=ngrams.max() {
            power *= stays;
            if n >= ngrams.min() {
                sum += power;
                sizes += 1.0;
            }
        }
        let share: f64 = sum / sizes;
        share / (2.0 - share)
    };
    let wanted = index.ratio();
    if wanted < expected(2) || wanted > expected(MAX_WORDS) {
        return None;
    }
    let (mut low, mut high) = (2, MAX_WORDS);
    while low < high {
        let middle = usize::midpoint(low, high);
        if expected(middle) < wanted { low = middle + 1 } else { high = middle }
    }
    Some(low)
}

// The figures of labelled pairs, by their length.

/// The number of steps in which figures are counted: twentieths, or pairs of bits.
const STEPS: usize = 20;

/// The table: a row for each length, label and measure, and one for the verdicts.
static ROWS: LazyLock<Vec<MeasureRow>> = LazyLock::new(|| parse(include_str!("meaning/pairs.tsv")));

/// The number of words below which a text is called short.
const SHORT_TEXT_WORDS: usize = 200;

/// The distribution of a measure over the pairs of one length and label.
#[derive(Clone, Debug, Eq, PartialEq)]
struct MeasureRow {
    words: usize,
    is_related: bool,
    measure: &'static str,
    pairs: usize,
    /// For each step, the number of pairs that reach it.
    counts: Vec<usize>,
}

/// The number of pairs of one label that have a property.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct PairCount {
    pairs: usize,
    all: usize,
}

/// The measured pairs whose length is closest to that of a text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct SimilarPairs {
    words: usize,
    is_longest: bool,
    is_shorter: bool,
}

impl PairCount {
    /// Formats the rate, rounded, such as `1 in 19`; `none` if no pair has the property.
    fn one_in(self) -> String {
        match self.pairs {
            0 => "none".to_owned(),
            pairs => format!("1 in {}", thousands((2 * self.all + pairs) / (2 * pairs))),
        }
    }
}

impl SimilarPairs {
    /// Returns the pairs of the measured length that is nearest by ratio; of two equally near
    /// lengths, the shorter. `None` if the text is shorter than the shortest.
    fn new(words: usize) -> Option<Self> {
        let mut lengths: Vec<usize> = ROWS.iter().map(|row| row.words).collect();
        lengths.dedup();
        if words < *lengths.first()? {
            return None;
        }
        // The border between two lengths is where the square of the number of words is their
        // product.
        let above = lengths
            .windows(2)
            .filter(|pair| words.saturating_mul(words) > pair[0] * pair[1])
            .count();
        let similar = *lengths.get(above)?;
        Some(Self {
            words: similar,
            is_longest: above + 1 == lengths.len(),
            is_shorter: words < SHORT_TEXT_WORDS,
        })
    }

    /// Formats the length, such as `about 500 words`.
    fn length(&self) -> String {
        let words = thousands(self.words);
        if self.is_longest {
            format!("{words} words, the longest measured,")
        } else {
            format!("about {words} words")
        }
    }

    /// Counts the unrelated and the related pairs that reach a step.
    fn tail(&self, measure: &str, step: usize) -> [PairCount; 2] {
        [false, true].map(|is_related| {
            let is_it = |row: &&MeasureRow| {
                row.words == self.words && row.is_related == is_related && row.measure == measure
            };
            let count = |row: &MeasureRow| PairCount {
                pairs: row.counts.get(step).copied().unwrap_or(0),
                all: row.pairs,
            };
            ROWS.iter().find(is_it).map_or(PairCount { pairs: 0, all: 0 }, count)
        })
    }

    /// Counts the unrelated and the related pairs that do not reach a step.
    fn rest(&self, measure: &str, step: usize) -> [PairCount; 2] {
        self.tail(measure, step).map(|tail| PairCount { pairs: tail.all - tail.pairs, ..tail })
    }

    /// Counts the unrelated pairs whose verdict is partial or closer nevertheless, and the related
    /// pairs whose verdict is not; `None` if the text is not short.
    fn errors(&self) -> Option<[PairCount; 2]> {
        let [flagged, found] = self.tail("verdict", 1);
        let missed = PairCount { pairs: found.all - found.pairs, ..found };
        self.is_shorter.then_some([flagged, missed])
    }
}

/// Parses the table; a test checks that every line is valid.
fn parse(table: &'static str) -> Vec<MeasureRow> {
    let row = |line: &'static str| {
        let mut cells = line.split('\t');
        let words = cells.next()?.parse().ok()?;
        let is_related = cells.next()? == "yes";
        let measure = cells.next()?;
        let pairs = cells.next()?.parse().ok()?;
        let counts = cells.map(|cell| cell.parse().ok()).collect::<Option<_>>()?;
        Some(MeasureRow { words, is_related, measure, pairs, counts })
    };
    table.lines().filter(|line| !line.starts_with('#')).filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use crate::jaccard::Overlap;
    use crate::sketch::Coverage;

    use super::*;

    #[test]
    fn one_word_in_so_many_gives_an_index() {
        let sizes = |min, max| Ngrams::new(min, max).unwrap();
        #[rustfmt::skip]
        let table = [
            ("every second, words",    Share::new(1, 3),    sizes(1, 1), Some(2)),  // s = 1/2
            ("one in ten, words",      Share::new(9, 11),   sizes(1, 1), Some(10)), // s = 9/10
            ("one in ten, 3-grams",    Share::new(729, 1271), sizes(3, 3), Some(10)), // s = 0.729
            ("one in two, 1 to 2",     Share::new(3, 13),   sizes(1, 2), Some(2)),  // s = 3/8
            ("nothing changed",        Share::new(5, 5),    sizes(1, 3), None),
            ("more than every second", Share::new(1, 4),    sizes(1, 1), None),
            ("nothing shared",         Share::new(0, 4),    sizes(1, 3), None),
        ];
        for (why, index, sizes, want) in table {
            let found = one_word_in(index.unwrap(), sizes);
            // The square of a tenth is no binary fraction: the result may be greater by one.
            let is_near = found.zip(want).is_some_and(|(found, want)| found.abs_diff(want) <= 1);
            assert!(is_near || found == want, "{why}: {found:?}");
        }
    }

    #[test]
    fn other_sizes_were_not_measured() {
        let half = Overlap { shared: 50, left: 75, right: 75 };
        let figures = Comparison {
            same_words: false,
            hamming: Some(0),
            all: half,
            longest: half,
            passages: Some(Coverage {
                passages: 2,
                left: Share::new(1, 4),
                right: Share::new(1, 2),
                longest: 20,
                ..Coverage::default()
            }),
            least_words: 500,
            variety: crate::shingles::Variety::Varied,
        };
        let of = |words, min, max| {
            let ngrams = Ngrams::new(min, max).unwrap();
            of_figures(&figures, words, &Recipe { ngrams, ..Recipe::default() })
        };
        let Meaning { hamming, jaccard, containment, coverage, passages, length } = of(500, 1, 3);
        assert!(coverage.is_some_and(|it| it.contains("had 0.50 or more, ")), "of the greater one");
        assert!(passages.is_some_and(|it| it.contains("had a passage in both, ")));
        assert!(hamming.is_some_and(|it| it.contains("pairs of about 500 words had 0 bits, ")));
        assert!(jaccard.is_some_and(
            |it| it.contains("had 0.50 or more, ") && it.contains("; as if one word in ")
        ));
        assert!(containment.is_some_and(|it| it.contains("had 0.65 or more, ")));
        assert_eq!(length, None);
        let sentence = "134 words: verdicts on texts this short miss 1 in 33 related pairs and flag 1 in 11 unrelated ones";
        assert_eq!(of(134, 1, 3).length.as_deref(), Some(sentence));
        assert_eq!(of(134, 3, 3).length, None, "other sizes");
        assert_eq!(of(4, 1, 3), Meaning::default(), "shorter than all that was measured");
        assert!(of(5, 1, 3).jaccard.is_some());
        // s = 2 · 0.5 / 1.5 = 2/3, and (1 − 1/8)³ = 0.670.
        let only = Some("as if one word in 8 were changed".to_owned());
        assert_eq!((of(500, 3, 3).hamming, of(500, 3, 3).jaccard), (None, only));
        assert!(of(500, 3, 3).containment.is_some() && of(500, 1, 4).containment.is_none());
    }

    #[test]
    fn pairs_are_described_by_their_number() {
        let tail = |pairs, all| PairCount { pairs, all };
        let similar = SimilarPairs::new(480).unwrap();
        let describe = |one, other| describe(&similar, [one, other], "0.40 or more");
        assert_eq!(
            describe(tail(0, 1_200), tail(3, 40)),
            "none of 1,200 unrelated pairs of about 500 words had 0.40 or more, and 3 of 40 related ones"
        );
        let all = describe_share("jaccard", Share::new(1, 1).unwrap(), &similar);
        assert!(all.contains(" words had 1.00, and "), "{all}");
        assert!(describe(tail(2, 2), tail(0, 1)).starts_with("all 2 unrelated pairs"));
    }
}

#[cfg(test)]
mod measured_tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_sound() {
        let lines =
            include_str!("meaning/pairs.tsv").lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(ROWS.len(), lines);
        let measures = ["verdict", "passages", "jaccard", "containment", "coverage", "hamming"];
        assert_eq!(lines, 9 * 2 * measures.len());
        for row in ROWS.iter() {
            let steps = match row.measure {
                "verdict" => 3,
                "passages" => 1,
                _ => STEPS,
            };
            assert_eq!(row.counts.len(), steps, "{row:?}");
            assert!(row.counts.iter().all(|count| *count <= row.pairs), "{row:?}");
            let is_falling = row.counts.is_sorted_by(|one, next| one >= next);
            let is_growing = row.counts.is_sorted();
            assert!(if row.measure == "hamming" { is_growing } else { is_falling }, "{row:?}");
            assert!(measures.contains(&row.measure), "{row:?}");
        }
    }

    #[test]
    fn the_nearest_length_is_taken() {
        #[rustfmt::skip]
        let table = [
            ("the shortest",     5,         5),
            ("nearest to it",    7,         5),  // 49 < 5 · 10
            ("the next",         8,         10),
            ("one of them",      1_000,     1_000),
            ("between",          316,       200), // 99,856 < 200 · 500
            ("just above",       317,       500),
            ("the longest",      9_000_000, 2_000),
            ("all there can be", usize::MAX, 2_000),
            ("a square of 0 but for what is above it", 1 << (usize::BITS / 2), 2_000),
        ];
        for (why, words, want) in table {
            assert_eq!(SimilarPairs::new(words).unwrap().words, want, "{why}");
        }
        assert_eq!([0, 1, 4].map(SimilarPairs::new), [None; 3], "below the shortest");
        assert_eq!(SimilarPairs::new(12).unwrap().length(), "about 10 words");
        assert_eq!(
            SimilarPairs::new(5_000).unwrap().length(),
            "2,000 words, the longest measured,"
        );
    }

    #[test]
    fn pairs_within_a_limit_and_beyond_it_are_all_pairs() {
        let similar = SimilarPairs::new(500).unwrap();
        for step in [0, 7, 19] {
            let [tail, rest] = [similar.tail("jaccard", step), similar.rest("jaccard", step)];
            assert_eq!([0, 1].map(|at| tail[at].pairs + rest[at].pairs), tail.map(|it| it.all));
        }
    }

    #[test]
    fn a_rate_is_given_as_one_in_n() {
        #[rustfmt::skip]
        let table = [
            ("never",       0,   1_000, "none"),
            ("always",      7,   7,     "1 in 1"),
            ("rounded up",  2,   3,     "1 in 2"),  // 1.5
            ("rounded",     85,  1_601, "1 in 19"), // 18.8
            ("and down",    119, 5_368, "1 in 45"), // 45.1
            ("of many",     1,   2_500, "1 in 2,500"),
        ];
        for (why, pairs, all, want) in table {
            assert_eq!(PairCount { pairs, all }.one_in(), want, "{why}");
        }
    }

    #[test]
    fn only_short_texts_are_called_short() {
        let errors = |words| SimilarPairs::new(words).unwrap().errors();
        let (flagged, missed) =
            (PairCount { pairs: 167, all: 5857 }, PairCount { pairs: 400, all: 1714 });
        assert_eq!(errors(12), Some([flagged, missed]));
        assert_eq!(errors(200), None);
    }
}
