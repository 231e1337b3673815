//! The pipeline for a pair, from two texts to a verdict. It combines all stages.

pub mod warnings;
pub(crate) mod analyzer;
pub(crate) mod vocabulary;
pub(crate) mod matches;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::tokens::elision;
use crate::interner::{Interner, Stages, StemSequence, StemTable};
use crate::jaccard::Share;
use crate::language::{self, Language, Settled};
use crate::passages::{self, Templates};
use crate::shingles::{self, Ngrams, Shingles, Variety};
use crate::sketch::{Comparison, Coverage, Sketch, Summary};
use crate::stems::{self, Stemmer, Stems};
use crate::stopwords::{self, Filter, Filtered};
use crate::text::{Side, Text, display_path, marked};
use crate::tokens::exclusions::{LargelyLeftOut, LeftOut, Remaining, Why};
use crate::tokens::{self, Tokens};
use crate::verdict::ratio::Ratio;
use crate::verdict::{Decision, Limits, Verdict};
use analyzer::PairAnalyzer;
pub use matches::template;
pub use matches::{Match, Matches, Short};
use warnings::Warning;

/// The parameters of a comparison; the default is what `dedup LEFT RIGHT` uses.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Recipe {
    /// The sizes of the n-grams.
    pub ngrams: Ngrams,
    /// The kinds of parts of a text that are excluded from the comparison.
    pub ignored: Vec<Why>,
    /// Texts that were handed out to everyone: what a text shares with one of them is excluded as
    /// well.
    pub templates: Templates,
    /// In a corpus, words in a row that many of the texts contain are excluded as well, if there are
    /// as many of them as [`Templates::min_match`] requires; `None` excludes none.
    pub common: Option<CommonShare>,
    /// The languages that the user gave for the texts, or that they are to be detected.
    pub languages: language::Choice,
    /// The words that are dropped as stop words.
    pub stopwords: stopwords::Choice,
    /// Whether words are stemmed.
    pub stemming: stems::Choice,
    /// The limits that the verdicts depend on.
    pub limits: Limits,
    /// The choice of when to search for passages.
    pub search: Search,
    /// The minimum match that makes a passage.
    pub min_match: passages::MinMatch,
    /// Passages of fewer aligned words are listed separately and do not affect the verdict; `None`
    /// if all passages count.
    pub short: Option<usize>,
}

/// What counts as shared by many texts of a corpus.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct CommonShare {
    /// The share of the texts that have it at least.
    pub share: Ratio,
    /// The number of texts from which on it is looked for, at least three.
    pub min_texts: usize,
}

/// The choice of when to search for the passages that both texts share.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Search {
    /// Always.
    #[default]
    Always,
    /// Only if they could raise the verdict to this level or a closer one: enough to know whether
    /// the pair reaches it.
    For(Verdict),
    /// Never: passages do not affect the verdict.
    Never,
}

/// The answer to whether two texts are near-duplicates, with its evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The languages of both texts.
    pub languages: Settled,
    /// The numbers of words, stems and shingles of the left text, and its fingerprint.
    pub left: Summary,
    /// The same for the right text.
    pub right: Summary,
    /// The parts of the left text that were excluded.
    pub left_out_of_left: Vec<LeftOut>,
    /// The parts of the right text that were excluded.
    pub left_out_of_right: Vec<LeftOut>,
    /// The figures of the pair.
    pub comparison: Comparison,
    /// The verdict, and the figures that decided it.
    pub decision: Decision,
    /// The passages that both texts share; `None` if they were not searched for.
    pub matches: Option<Matches>,
    /// The warnings about the texts and the answer.
    pub warnings: Vec<Warning>,
}

/// The content of a text without words.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub enum Wordless {
    /// No bytes, or a byte order mark only.
    Empty,
    /// White space only.
    WhiteSpace,
    /// Something other than white space, but no letter and no digit.
    NoWord,
    /// Words, but all of them are excluded.
    AllLeftOut,
}

/// The reason why two texts have no verdict.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize, thiserror::Error)]
#[non_exhaustive]
pub enum Undecided {
    /// A text has no word.
    #[error("{}: {}, expected a text with words", display_path(path), match found {
        Wordless::Empty => "empty",
        Wordless::WhiteSpace => "white space only",
        Wordless::NoWord => "no words",
        Wordless::AllLeftOut => "all its words are left out",
    })]
    Wordless {
        /// The text, as the user named it.
        path: PathBuf,
        /// The content that was found.
        found: Wordless,
    },

    /// All words of a text are stop words.
    #[error(
        "{}: only stop words ({words} in all), expected at least {min_words} other{}",
        display_path(path), if *min_words == 1 { "" } else { "s" }
    )]
    OnlyStopWords {
        /// The text, as the user named it.
        path: PathBuf,
        /// The number of its words.
        words: usize,
        /// The smallest n-gram size, in stems.
        min_words: usize,
    },

    /// A text has fewer stems than the smallest n-gram.
    #[error(
        "{}: too short: {stems} of {words} word{} left after stop words{}, expected at least {min_words}",
        display_path(path), if *words == 1 { "" } else { "s" }, match left_out {
            0 => String::new(),
            left_out => format!(" ({left_out} left out)"),
        }
    )]
    TooShort {
        /// The text, as the user named it.
        path: PathBuf,
        /// The number of its words.
        words: usize,
        /// The number of its stems, after the removal of stop words.
        stems: usize,
        /// The number of words that were excluded.
        left_out: usize,
        /// The smallest n-gram size, in stems.
        min_words: usize,
    },
}

impl Undecided {
    /// Returns the path of the text, as the user named it.
    pub fn path(&self) -> &Path {
        match self {
            Self::Wordless { path, .. }
            | Self::OnlyStopWords { path, .. }
            | Self::TooShort { path, .. } => path,
        }
    }

    /// Creates the error for a text whose content has no word.
    pub(crate) fn wordless(path: &Path, content: &str) -> Self {
        let found = match content {
            "" => Wordless::Empty,
            blank if blank.trim().is_empty() => Wordless::WhiteSpace,
            _ => Wordless::NoWord,
        };
        Self::Wordless { path: path.to_owned(), found }
    }
}

/// Judges two texts. If they are swapped, left and right are swapped in the answer, and nothing
/// else changes.
///
/// # Errors
///
/// Returns [`Undecided`] if a text has no word, or if a text has fewer stems than the smallest
/// n-gram and neither equal words nor passages decide.
pub fn judge(left: &Text, right: &Text, recipe: &Recipe) -> Result<Judgement, Undecided> {
    let remaining = [left, right].map(|text| matches::remaining(text, recipe));
    let [left_remaining, right_remaining] = &remaining;
    let languages =
        language::settle(&left_remaining.content(), &right_remaining.content(), &recipe.languages);
    let both = PairAnalyzer { texts: [left, right], remaining: [left_remaining, right_remaining] };
    let (sketched, matches) = both.sketch(&languages, recipe);
    let [left_sketch, right_sketch] = sketched.sketches;
    let shortages = [
        shortage(left, left_remaining, &left_sketch, recipe),
        shortage(right, right_remaining, &right_sketch, recipe),
    ];
    // In one language, the same words have the same shingles, unless parts were excluded between
    // them. If the shingles differ, the words differ too and need not be compared.
    let is_whole = remaining.iter().all(Remaining::is_whole);
    let may_be_same = languages.left.language != languages.right.language
        || !is_whole
        || sketched.have_same_shingles();
    let same_words = left_sketch.words == right_sketch.words
        && may_be_same
        && tokens::same_words(left_remaining.stretches(), right_remaining.stretches());
    let without_passages = Comparison { same_words, ..sketched.compared() };
    let counting = [(left, left_remaining, left_sketch), (right, right_remaining, right_sketch)]
        .map(|(text, remaining, sketch)| (text, remaining.left_out(), sketch.words));
    let mut warnings = collect_warnings(counting, &languages, recipe);
    warnings.extend((sketched.collisions > 0).then_some(Warning::Collisions(sketched.collisions)));
    let find = || matches.unwrap_or_else(|| both.find(recipe));
    let decided = decide_unless_short(shortages, without_passages, find, recipe)?;
    let Decided { matches, comparison, decision } = decided;
    Ok(Judgement {
        languages,
        matches,
        decision,
        comparison,
        left: left_sketch,
        right: right_sketch,
        left_out_of_left: left_remaining.left_out().to_vec(),
        left_out_of_right: right_remaining.left_out().to_vec(),
        warnings,
    })
}

/// The verdict, and the passages that it takes into account.
pub(crate) struct Decided {
    pub(crate) matches: Option<Matches>,
    pub(crate) comparison: Comparison,
    pub(crate) decision: Decision,
}

/// Decides on a pair of which a text may be short.
///
/// # Errors
///
/// Returns the [shortage] of a text without words, or of any text if the pair would be different.
pub(crate) fn decide_unless_short(
    shortages: [Option<Undecided>; 2],
    figures: Comparison,
    find: impl FnOnce() -> Matches,
    recipe: &Recipe,
) -> Result<Decided, Undecided> {
    let [left, right] = &shortages;
    let is_wordless = |it: &&Undecided| matches!(it, Undecided::Wordless { .. });
    if let Some(wordless) = [left, right].into_iter().flatten().find(is_wordless) {
        return Err(wordless.clone());
    }
    let decided = decide(figures, find, recipe);
    match shortages.into_iter().flatten().next() {
        Some(short) if decided.decision.verdict == Verdict::Different => Err(short),
        _ => Ok(decided),
    }
}

/// Decides on a pair, given its figures without passages. `find` finds the passages, and is called
/// if the recipe or the figures require them.
pub(crate) fn decide(
    figures: Comparison,
    find: impl FnOnce() -> Matches,
    recipe: &Recipe,
) -> Decided {
    let matches = needs_passages(&figures, recipe).then(find);
    let (comparison, decision) = conclude(figures, matches.as_ref().map(|it| it.coverage), recipe);
    let matches = matches.filter(|_| recipe.search != Search::Never);
    Decided { matches, comparison, decision }
}

/// Reports whether the passages of a pair must be found before it can be decided on.
pub(crate) fn needs_passages(figures: &Comparison, recipe: &Recipe) -> bool {
    let limits = &recipe.limits;
    match recipe.search {
        Search::Always => true,
        Search::For(level) => {
            let known = limits.judge(figures).verdict;
            // For texts without shingles, the verdict "different" is an error, which passages may
            // avert.
            let has_shingles = figures.jaccard().is_some();
            !has_shingles && known == Verdict::Different
                || limits.passages_may_reach(level, known)
                || known < level && limits.awaits_passages(figures) >= Some(level)
        }
        Search::Never => limits.awaits_passages(figures).is_some(),
    }
}

/// Returns the figures of a pair with the coverage of its passages, and the verdict on them. Every
/// verdict is made here. `coverage` is `None` if passages were not searched for. If the recipe asks
/// for no passages, they show whether the sets of repetitive texts are evidence, and nothing else.
pub(crate) fn conclude(
    figures: Comparison,
    coverage: Option<Coverage>,
    recipe: &Recipe,
) -> (Comparison, Decision) {
    let is_half = |share: Option<Share>| {
        share.is_some_and(|it| Limits::SHARED_OF_REPETITIVE.is_reached_by(it))
    };
    let variety = match (figures.variety, coverage) {
        (Variety::Repetitive, Some(it)) if is_half(it.left) && is_half(it.right) => Variety::Varied,
        (variety, _) => variety,
    };
    let passages = coverage.filter(|_| recipe.search != Search::Never);
    let comparison = Comparison { passages, variety, ..figures };
    (comparison, recipe.limits.judge(&comparison))
}

/// The stems of texts in one language, as indices into the table next to them.
type Analyzed<const TEXTS: usize> = ([StemSequence; TEXTS], StemTable);

/// The stages from words to shingles, for texts in one language.
pub(crate) struct Analyzer<'r> {
    language: Option<Language>,
    stop_words: Filter<'r>,
    stemmer: Option<Stemmer>,
    ngrams: Ngrams,
}

impl<'r> Analyzer<'r> {
    pub(crate) fn new(language: Option<Language>, recipe: &'r Recipe) -> Self {
        Self {
            language,
            stop_words: recipe.stopwords.filter(language),
            stemmer: recipe.stemming.stemmer(language),
            ngrams: recipe.ngrams,
        }
    }

    /// Reads texts and returns their stems. The interner runs each distinct word through the stages
    /// once and caches the result.
    pub(crate) fn read<const TEXTS: usize>(&self, texts: [&Remaining; TEXTS]) -> Analyzed<TEXTS> {
        let bytes = texts.iter().map(|text| text.text().len()).sum();
        let mut interner = Interner::new(bytes, self.stages());
        let readings = texts.map(|text| interner.read_stretches(text.text(), text.spans()));
        (readings, interner.into_stems())
    }

    /// Returns the stages from words to stems, for an interner.
    fn stages(&self) -> impl Stages {
        |words: Tokens, written: &str| self.reduce(words, written).1
    }

    /// Composes the sketch of a text from its stems, which are indices into `distinct`.
    pub(crate) fn compose(&self, reading: &StemSequence, distinct: &StemTable) -> Sketch {
        let StemSequence { words, stems, breaks } = reading;
        let shingles = shingles::compose(stems, breaks, distinct, self.ngrams);
        Sketch::new(*words, stems.len(), shingles)
    }

    /// Runs words through the stages up to their stems. `text` is what the words were cut from.
    fn reduce<'t>(&self, words: Tokens<'t>, text: &str) -> (Filtered<'t>, Stems) {
        let parted = elision::part(words, text, self.language);
        let filtered = stopwords::remove(parted, &self.stop_words);
        let stems = stems::reduce(&filtered.kept, self.stemmer.as_ref());
        (filtered, stems)
    }
}

/// The output of every stage for one text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Trace<'t> {
    /// The words that the text is split into.
    pub words: Tokens<'t>,
    /// The words after elision, divided into those kept and those dropped as stop words.
    pub filtered: Filtered<'t>,
    /// The stems of the kept words.
    pub stems: Stems,
    /// The shingles of the stems.
    pub shingles: Shingles,
}

/// Traces a text through the stages of [`judge`] one after the other, each on the entire text,
/// without an interner: slow and plain, but the results are exactly the same.
pub fn trace<'t>(text: &'t Text, language: Option<Language>, recipe: &Recipe) -> Trace<'t> {
    let analyzer = Analyzer::new(language, recipe);
    let remaining = matches::remaining(text, recipe);
    let words = tokens::split_stretches(remaining.text(), remaining.spans());
    let (filtered, stems) = analyzer.reduce(words.clone(), remaining.text());
    let stems = stems.broken_before(filtered.kept.breaks(remaining.spans()));
    let shingles = shingles::cut(&stems, analyzer.ngrams);
    Trace { words, filtered, stems, shingles }
}

/// Returns the reason that a text has no shingles: it has no word, or too few consecutive stems.
/// `None` if it has some.
pub(crate) fn shortage(
    text: &Text,
    remaining: &Remaining,
    sketch: &Summary,
    recipe: &Recipe,
) -> Option<Undecided> {
    let (path, words, min_words) = (text.path().to_owned(), sketch.words, recipe.ngrams.min());
    let left_out = remaining.left_out().iter().map(|part| part.words).sum();
    match sketch {
        Summary { words: 0, .. } if left_out > 0 => {
            Some(Undecided::Wordless { path, found: Wordless::AllLeftOut })
        }
        Summary { words: 0, .. } => Some(Undecided::wordless(&path, text.content())),
        Summary { stems: 0, .. } => Some(Undecided::OnlyStopWords { path, words, min_words }),
        Summary { shingles: 0, stems, .. } => {
            Some(Undecided::TooShort { path, words, stems: *stems, left_out, min_words })
        }
        _ => None,
    }
}

/// Collects the reasons to doubt the answer for two texts, each given with what is left out of it
/// and the number of words that are left.
pub(crate) fn collect_warnings(
    [left, right]: [(&Text, &[LeftOut], usize); 2],
    languages: &Settled,
    recipe: &Recipe,
) -> Vec<Warning> {
    let mut warnings = warnings::of_languages(languages, recipe);
    for (side, (_, left_out, words)) in [(Side::Left, left), (Side::Right, right)] {
        let found = LargelyLeftOut::new(left_out, words);
        warnings.extend(found.map(|found| Warning::LargelyLeftOut(side, found)));
    }
    let sides = [(Side::Left, left.0), (Side::Right, right.0)];
    let unreadable = sides.into_iter().filter(|(_, text)| text.path().to_str().is_none());
    warnings.extend(unreadable.map(|(side, _)| Warning::PathNotUtf8(side)));
    let damaged = sides.into_iter().filter(|(_, text)| text.replaced() > 0);
    warnings.extend(damaged.map(|(side, text)| Warning::BytesReplaced(side, text.replaced())));
    let complained_of = sides.into_iter().filter_map(|(side, text)| Some((side, text.unread()?)));
    warnings.extend(complained_of.map(|(side, it)| Warning::Incomplete(side, it.to_owned())));
    for (side, text) in sides {
        let found = text.disguises().iter().cloned();
        warnings.extend(found.map(|found| Warning::Disguised(side, found)));
        if recipe.ignored.contains(&Why::Marked) {
            let lone = text.marked().lone.iter().take(marked::REPORTED).cloned();
            warnings.extend(lone.map(|lone| Warning::LoneMarker(side, lone)));
        }
    }
    warnings
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::jaccard::Overlap;

    /// Pairs of texts of one kind, such as two recipes: before each stands `%%% NAME`, and `%%%` in between.
    const UNRELATED: &str = include_str!("../tests/documents/unrelated.txt");

    /// Those whose kind has whole sentences in common, such as *The family would like to thank …*.
    const FORMULAIC: [&str; 5] = [
        "code, Python",
        "minutes of meetings, English",
        "minutes of meetings, Dutch",
        "weather reports, English",
        "obituaries, English",
    ];

    #[test]
    fn unrelated_texts_of_one_kind_have_no_reworded_sentences() {
        let mut found = Vec::new();
        for pair in UNRELATED.trim_start_matches("%%% ").split("\n%%% ") {
            let (name, texts) = pair.split_once('\n').unwrap();
            let (left, right) = texts.split_once("\n%%%\n").unwrap();
            let read = |text: &str| {
                Text::from_bytes(Path::new("a.txt"), text.as_bytes().to_vec()).unwrap()
            };
            let judgement = judge(&read(left), &read(right), &Recipe::default()).unwrap();
            let matches = judgement.matches.map(|it| it.all).unwrap_or_default();
            if matches.iter().any(|it| it.passage.reworded.iter().any(|words| !words.is_empty())) {
                found.push(name);
            }
        }
        assert_eq!(found, FORMULAIC);
    }

    #[test]
    fn passages_are_searched_for_where_they_may_change_the_answer() {
        let all = Overlap { shared: 1, left: 100, right: 100 };
        let far = Comparison { all, least_words: 100, ..Comparison::default() };
        let same = Comparison { same_words: true, ..far };
        let without_shingles = Comparison { all: Overlap::default(), ..far };
        let same_without = Comparison { same_words: true, ..without_shingles };
        let near_duplicate = Search::For(Verdict::NearDuplicate);
        #[rustfmt::skip]
        let table = [
            ("always",                              Search::Always,                same,             true),
            ("never",                               Search::Never,                 without_shingles, false),
            ("they may reach the level",            Search::For(Verdict::Partial), far,              true),
            ("it is reached already",               Search::For(Verdict::Partial), same,             false),
            ("they cannot reach it",                near_duplicate,                far,              false),
            ("without them, there is no verdict",   near_duplicate,                without_shingles, true),
            ("there is one, because of the words",  near_duplicate,                same_without,     false),
        ];
        for (why, search, known, want) in table {
            let recipe = Recipe { search, ..Recipe::default() };
            let coverage = Coverage { passages: 1, ..Coverage::default() };
            let found =
                || Matches { min_match: recipe.min_match, all: Vec::new(), coverage, short: None };
            let decided = decide(known, found, &recipe);
            assert_eq!(decided.matches.is_some(), want, "{why}");
            assert_eq!(decided.comparison.passages, want.then_some(coverage), "{why}");
        }
    }

    /// Half of each text must be in passages for the sets of repetitive texts to be evidence, whether
    /// or not the passages count themselves.
    #[test]
    fn sets_of_repetitive_texts_are_evidence_if_half_of_each_is_in_passages() {
        let all = Overlap { shared: 90, left: 100, right: 90 };
        let coverage = |left: usize, right: usize| {
            let [left, right] = [left, right].map(|words| Share::new(words, 100));
            Some(Coverage { passages: 1, left, right, longest: 12, ..Coverage::default() })
        };
        let none = Some(Coverage {
            passages: 0,
            left: None,
            right: None,
            longest: 0,
            ..Coverage::default()
        });
        #[rustfmt::skip]
        let table = [
            ("half of each",   Variety::Repetitive, coverage(50, 50),  Verdict::NearDuplicate, Verdict::NearDuplicate),
            ("less of left",   Variety::Repetitive, coverage(49, 100), Verdict::Partial,       Verdict::Different),
            ("less of right",  Variety::Repetitive, coverage(100, 49), Verdict::Partial,       Verdict::Different),
            ("no passage",     Variety::Repetitive, none,              Verdict::Different,     Verdict::Different),
            ("not looked for", Variety::Repetitive, None,              Verdict::Different,     Verdict::Different),
            ("few stems",      Variety::FewStems,   coverage(90, 90),  Verdict::Partial,       Verdict::Different),
            ("evidence",       Variety::Varied,     None,              Verdict::NearDuplicate, Verdict::NearDuplicate),
        ];
        for (why, variety, coverage, verdict, without) in table {
            let figures = Comparison { all, variety, least_words: 100, ..Comparison::default() };
            for (search, want) in [(Search::Always, verdict), (Search::Never, without)] {
                let recipe = Recipe { search, ..Recipe::default() };
                let (comparison, decision) = conclude(figures, coverage, &recipe);
                assert_eq!(decision.verdict, want, "{why}, {search:?}");
                let shown = coverage.filter(|_| search == Search::Always);
                assert_eq!(comparison.passages, shown, "{why}, {search:?}");
            }
        }
    }

    #[test]
    fn passages_of_repetitive_texts_are_searched_for_at_every_level() {
        let all = Overlap { shared: 90, left: 100, right: 90 };
        let near = Comparison { all, least_words: 100, ..Comparison::default() };
        let few = Comparison { variety: Variety::FewStems, ..near };
        let repetitive = Comparison { variety: Variety::Repetitive, ..near };
        #[rustfmt::skip]
        let table = [
            ("evidence",               Search::Never,                       near,       false),
            ("never evidence",         Search::Never,                       few,        false),
            ("perhaps evidence",       Search::Never,                       repetitive, true),
            ("they may decide",        Search::For(Verdict::NearDuplicate), repetitive, true),
            ("they may not",           Search::For(Verdict::Identical),     repetitive, false),
            ("nothing to decide",      Search::For(Verdict::NearDuplicate), few,        false),
        ];
        for (why, search, figures, want) in table {
            let recipe = Recipe { search, ..Recipe::default() };
            assert_eq!(needs_passages(&figures, &recipe), want, "{why}");
        }
    }
}
