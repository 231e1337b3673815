//! The content of the report about a pair, regardless of how the pair was found.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use dedup_text::display::{counted, encoding, extent, file_name, path, thousands};
use dedup_text::interner::chunks::chunks;
use dedup_text::interner::common_runs::Run;
use dedup_text::language::{By, Known, Language};
use dedup_text::pair::warnings::Warning;
use dedup_text::pair::{Judgement, Match, Matches, Short};
use dedup_text::pair::{Recipe, Search};
use dedup_text::passages::{MIN_MOVED_WORDS, MinMatch};
use dedup_text::record::meaning::meaning;
use dedup_text::sketch::Summary;
use dedup_text::text::{self, Side as Which, Text};
use dedup_text::tokens::exclusions::excluded;
use dedup_text::tokens::exclusions::{LeftOut, Why};
use dedup_text::verdict::Limits;
use dedup_text::verdict::ratio::Ratio;
use dedup_text::{passages as alignment, stopwords, tokens};

use super::{PageOptions, shown};
use crate::model::Pair;
use crate::model::phrases::{kind, reasons};
use crate::render::answer::{self, figures};

/// The characters around a name in a sentence: a name in a script that runs from right to left
/// would otherwise reorder what is next to it.
const ISOLATE: [char; 2] = ['\u{2068}', '\u{2069}'];

/// Everything that the report shows.
#[derive(Clone, Debug, Default)]
pub(super) struct Page<'p> {
    /// The left and the right text.
    pub(super) sides: [PageSide<'p>; 2],
    /// The passages, numbered from 1 in this order. They do not overlap on either side.
    pub(super) passages: Vec<Passage>,
    pub(super) verdict: &'static str,
    /// What kind of copy it may be.
    pub(super) kind: &'static str,
    /// The answer in one sentence, in which the names are [isolated](ISOLATE).
    pub(super) sentence: String,
    /// The measures that decided the verdict, in words.
    pub(super) reasons: String,
    /// The figures: name, value, limit and meaning.
    pub(super) figures: Vec<[String; 4]>,
    /// The names of figures, each with a sentence on what measured pairs show about the figure.
    pub(super) measured: Vec<(&'static str, String)>,
    /// The facts about each text.
    pub(super) facts: Vec<Fact>,
    /// The parameters: name and value.
    pub(super) parameters: Vec<(&'static str, String)>,
    /// The warnings that every reader should know.
    pub(super) warnings: Vec<String>,
    /// The warnings about how words were compared.
    pub(super) notes: Vec<String>,
    /// Sentences on what does not count in each text and why, with counts.
    pub(super) left_out: Vec<String>,
}

impl Page<'_> {
    /// Returns the parts of the sentence, each with whether it is a name.
    pub(super) fn sentence_parts(&self) -> impl Iterator<Item = (bool, &str)> {
        [false, true].into_iter().cycle().zip(self.sentence.split(ISOLATE))
    }

    /// Reports whether a passage has parts in another order.
    pub(super) fn has_parts(&self) -> bool {
        self.passages.iter().any(|passage| !passage.places[1].parts.is_empty())
    }

    /// Reports whether a passage has a stretch of a kind; `None` stands for words that are a text's own.
    pub(super) fn has(&self, kind: Option<&str>) -> bool {
        let places = self.passages.iter().flat_map(|passage| &passage.places);
        places.flat_map(|place| &place.stretches).any(|(_, it)| *it == kind)
    }

    pub(super) fn has_disguised(&self) -> bool {
        self.sides.iter().any(|side| !side.disguised.is_empty())
    }

    /// Reports whether a text may have more disguised words than are marked.
    pub(super) fn has_most_disguised(&self) -> bool {
        self.sides.iter().any(|side| side.disguised.len() == MAX_DISGUISED)
    }
}

/// The largest number of disguised words of a text that are marked. A book has none; a text that
/// disguises each letter has a mark of a hundred bytes for each, and would make a page of hundreds of
/// megabytes.
pub(super) const MAX_DISGUISED: usize = 10_000;

/// One of the two texts.
#[derive(Clone, Debug, Default)]
pub(super) struct PageSide<'p> {
    /// The name of the file, or an anonymous name.
    pub(super) name: String,
    /// The text as it was compared, with the lines of PDFs joined into paragraphs; see
    /// [`super::shown`].
    pub(super) content: Cow<'p, str>,
    /// The shortest code of its language.
    pub(super) language: Option<&'static str>,
    /// The number of words that count.
    pub(super) words: usize,
    /// The parts that do not count, in order. They do not overlap.
    pub(super) left_out: Vec<Out>,
    /// The first disguised words, at most [`MAX_DISGUISED`], in order. They do not overlap.
    pub(super) disguised: Vec<Disguised>,
}

impl PageSide<'_> {
    /// Returns a part of the text. A border within a soft hyphen that replaces a hyphen and a line
    /// end is moved to the start of the soft hyphen.
    pub(super) fn text(&self, span: Range<usize>) -> &str {
        let [start, end] =
            [span.start, span.end].map(|byte| self.content.floor_char_boundary(byte));
        &self.content[start..end]
    }
}

/// A word that is shown in other characters than those in the file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Disguised {
    pub(super) span: Range<usize>,
    pub(super) written: String,
}

/// A part of a text that does not count.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Out {
    pub(super) why: &'static str,
    pub(super) span: Range<usize>,
}

/// A fact about each of the two texts.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub(super) name: &'static str,
    pub(super) values: [String; 2],
}

/// A passage that both texts share.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Passage {
    /// The number of aligned words.
    pub(super) words: usize,
    /// The length of the passage and how it was changed: `125 words, 4 changed`.
    pub(super) extent: String,
    /// The place in the left and in the right text.
    pub(super) places: [PagePlace; 2],
    /// The spans in the left and in the right text that repeat it, without those in which another
    /// passage is shown.
    pub(super) repeats: [Vec<Range<usize>>; 2],
}

/// The place of a passage in a text.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct PagePlace {
    /// The span in bytes of the text as it was compared, from its first shared word to its last.
    pub(super) span: Range<usize>,
    /// The name of its file and a comma, if the text consists of several files; otherwise empty.
    pub(super) file: String,
    /// The position for readers: the unit that is counted in its file, such as lines or pages, and
    /// the first and the last number, counted from 1.
    pub(super) found_by: (&'static str, [usize; 2]),
    /// The number of words that count: all but the text's own.
    pub(super) words: usize,
    /// The stretches that it consists of, in order, each with how it was changed: `exact`, `edited` or
    /// `reworded`; `None` for words that are the text's own.
    pub(super) stretches: Vec<(Range<usize>, Option<&'static str>)>,
    /// The spans of changed words, in order.
    pub(super) changed: Vec<Range<usize>>,
    /// The start of each part, in order, and its number in the order of the right text. Empty if
    /// the parts are in the same order in both texts.
    pub(super) parts: Vec<(usize, usize)>,
}

/// Returns the color class of a passage. Passages with consecutive numbers have different colors.
pub(super) fn tint(number: usize) -> &'static str {
    const TINTS: [&str; 8] =
        ["tint-0", "tint-1", "tint-2", "tint-3", "tint-4", "tint-5", "tint-6", "tint-7"];
    TINTS[(number + TINTS.len() - 1) % TINTS.len()]
}

// The parts of a pair that do not count: the spans that are shown in gray, and sentences on them.

/// The reason why passages that are too short do not count.
const SHORT: &str = "short";

/// Returns the parts of a side that do not count, in order: the parts that were left out, and the
/// passages that are too short.
pub(super) fn outs(judgement: &Judgement, side: Which) -> Vec<Out> {
    let left_out = left_out_of(judgement, side).iter();
    let mut outs: Vec<Out> =
        left_out.map(|out| Out { why: out.why.name(), span: out.span.clone() }).collect();
    let span = |found: &Match| [&found.left, &found.right][side as usize].content.clone();
    let short = short(judgement).into_iter().flat_map(|short| &short.all);
    outs.extend(short.map(|found| Out { why: SHORT, span: span(found) }));
    outs.sort_unstable_by_key(|out| out.span.start);
    outs
}

/// Returns sentences on what does not count in the two texts: one for each reason in each text, and
/// one on the passages that are too short.
fn left_out_sentences(judgement: &Judgement) -> Vec<String> {
    let side = |name: &str, side: Which| {
        let sentence = |(why, parts, words): (Why, usize, usize)| {
            let [words, parts] =
                [(words, "word"), (parts, "part")].map(|(count, of)| counted(count, of));
            format!("{name} text, {}: {words} in {parts}", why.name())
        };
        excluded(left_out_of(judgement, side)).map(sentence).collect::<Vec<_>>()
    };
    let mut sentences = [side("Left", Which::Left), side("Right", Which::Right)].concat();
    sentences.extend(short(judgement).filter(|short| !short.all.is_empty()).map(|short| {
        let words = short.all.iter().map(|found| found.passage.words()).sum();
        format!(
            "Both texts, {SHORT}: {} of fewer than {} words, {} in all",
            counted(short.all.len(), "passage"),
            short.below,
            counted(words, "word")
        )
    }));
    sentences
}

fn left_out_of(judgement: &Judgement, side: Which) -> &[LeftOut] {
    match side {
        Which::Left => &judgement.left_out_of_left,
        Which::Right => &judgement.left_out_of_right,
    }
}

fn short(judgement: &Judgement) -> Option<&Short> {
    judgement.matches.as_ref().and_then(|Matches { short, .. }| short.as_ref())
}

// The matches of a pair as the passages of a page.

/// Returns the passages in the order of the matches; an empty vector if there are none or they were
/// not searched for.
fn passages(pair: &Pair, files: Files) -> Vec<Passage> {
    let judgement = pair.judgement;
    let Some(matches) = judgement.matches.as_ref().filter(|matches| !matches.all.is_empty()) else {
        return Vec::new();
    };
    let texts = [pair.left, pair.right];
    let words = [Which::Left, Which::Right].map(|side| {
        words(texts[side as usize], left_out_of(judgement, side), &matches.all, side as usize)
    });
    let places = [0, 1].map(|side| {
        let all = matches.all.iter();
        let mut spans: Vec<_> = all.map(|it| [&it.left, &it.right][side].content.clone()).collect();
        spans.sort_unstable_by_key(|span| span.start);
        spans
    });
    // No two passages overlap, so that only the first one that ends behind may.
    let is_free = |span: &Range<usize>, side: usize| {
        let next = places[side].partition_point(|other| other.end <= span.start);
        places[side].get(next).is_none_or(|other| span.end <= other.start)
    };
    let repeats = |found: &Match, side: usize| {
        let spans = found.repeats[side].iter().map(|place| place.content.clone());
        spans.filter(|span| is_free(span, side)).collect()
    };
    let place = |found: &Match, side: usize| {
        let at = [&found.left, &found.right][side];
        let file = files.label(texts[side], at);
        PagePlace { file, ..place(&words[side], at, &found.passage, side) }
    };
    let passage = |found: &Match| Passage {
        repeats: [0, 1].map(|side| repeats(found, side)),
        words: found.passage.words(),
        extent: extent(&found.passage),
        places: [0, 1].map(|side| place(found, side)),
    };
    matches.all.iter().map(passage).collect()
}

/// Some words of a text, by their numbers, and their spans, in increasing order.
struct Words(Vec<(usize, Range<usize>)>);

impl Words {
    fn span(&self, word: usize) -> &Range<usize> {
        &self.0[self.0.partition_point(|(known, _)| *known < word)].1
    }
}

/// Looks up the words of a text at which changes begin and end and at which stretches and parts begin,
/// with the numbers that passages use.
fn words(text: &Text, left_out: &[LeftOut], found: &[Match], side: usize) -> Words {
    let borders = |found: &Match| {
        let changed = found.passage.changed[side].iter();
        let stretches = found.passage.parts(side).into_iter().map(|(part, _)| part.start);
        let parts = parts(&found.passage.runs).into_iter().map(|run| run.at[side]);
        let changed = changed.flat_map(|gap| [gap.start, gap.end - 1]);
        changed.chain(stretches).chain(parts).collect::<Vec<_>>()
    };
    let mut wanted: Vec<usize> = found.iter().flat_map(borders).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let content = text.content();
    let ends = left_out.iter().map(|out| out.span.start).chain([content.len()]);
    let starts = [0].into_iter().chain(left_out.iter().map(|out| out.span.end));
    Words(spans(content, starts.zip(ends).map(|(start, end)| start..end), wanted))
}

/// Returns the spans of words in stretches of a text. The words are numbered from 0 across the
/// stretches, and `words` is in increasing order.
fn spans(
    text: &str,
    stretches: impl Iterator<Item = Range<usize>>,
    words: Vec<usize>,
) -> Vec<(usize, Range<usize>)> {
    let mut spans = Vec::with_capacity(words.len());
    let mut words = words.into_iter().peekable();
    let mut next = 0;
    for stretch in stretches {
        for chunk in chunks(&text[stretch.clone()]) {
            let chunk = stretch.start + chunk.start..stretch.start + chunk.end;
            let written = &text[chunk.clone()];
            let is_wanted = words.peek().is_some_and(|word| *word == next);
            if !is_wanted && tokens::is_lone_word(written) {
                next += 1;
                continue;
            }
            for (span, more) in tokens::places(written) {
                next += more;
                while let Some(word) = words.next_if(|word| *word < next) {
                    spans.push((word, chunk.start + span.start..chunk.start + span.end));
                }
            }
        }
    }
    spans
}

/// Returns the first run of each part of a passage, in the order of the right text, if the two
/// texts have the parts in different orders. Returns an empty vector if there is only one part.
/// Runs of fewer than [`MIN_MOVED_WORDS`] words belong to no part.
fn parts(runs: &[Run]) -> Vec<Run> {
    let long: Vec<Run> = runs.iter().filter(|run| run.length >= MIN_MOVED_WORDS).copied().collect();
    let mut on_left = long.clone();
    on_left.sort_unstable_by_key(|run| run.at[0]);
    let follows = |last: &Run, run: &Run| {
        let place = on_left.partition_point(|other| other.at[0] < run.at[0]);
        place.checked_sub(1).is_some_and(|before| on_left[before] == *last)
    };
    let parts: Vec<Run> = long.chunk_by(follows).map(|part| part[0]).collect();
    if parts.len() > 1 { parts } else { Vec::new() }
}

/// Returns a place with its stretches and changes.
fn place(
    words: &Words,
    place: &text::Place,
    passage: &alignment::Passage,
    side: usize,
) -> PagePlace {
    let mut parts: Vec<(usize, usize)> = parts(&passage.runs)
        .into_iter()
        .zip(1..)
        .map(|(run, number)| (words.span(run.at[side]).start, number))
        .collect();
    parts.sort_unstable();
    // A stretch ends where the next one begins: with the white space and the marks behind its words.
    let stretches = passage.parts(side);
    let starts = stretches.iter().skip(1).map(|(part, _)| words.span(part.start).start);
    let ends = starts.chain([place.content.end]);
    let mut start = place.content.start;
    let stretch = |((_, kind), end): (&(_, Option<alignment::Kind>), usize)| {
        (std::mem::replace(&mut start, end)..end, kind.map(alignment::Kind::name))
    };
    let mut stretches: Vec<_> = stretches.iter().zip(ends).map(stretch).collect();
    // What is the text's own at the ends is not between shared words.
    let last = stretches.iter().rposition(|(_, kind)| kind.is_some());
    stretches.truncate(last.map_or(0, |last| last + 1));
    let first = stretches.iter().position(|(_, kind)| kind.is_some());
    stretches.drain(..first.unwrap_or_default());
    let span = match (stretches.first(), stretches.last()) {
        (Some((first, _)), Some((last, _))) => first.start..last.end,
        _ => place.content.clone(),
    };
    PagePlace {
        file: String::new(),
        span,
        found_by: place.found_by(),
        words: [&passage.left, &passage.right][side].len() - passage.own_words(side),
        stretches,
        changed: passage.changed[side]
            .iter()
            .map(|gap| words.span(gap.start).start..words.span(gap.end - 1).end)
            .collect(),
        parts,
    }
}

// The content of the report in words.

/// Collects what the report shows of a pair.
pub(super) fn gather<'p>(pair: &Pair<'p>, options: &PageOptions) -> Page<'p> {
    let judgement = pair.judgement;
    let [left_name, right_name] = answer::names(options.names.each_ref().map(Path::new));
    let is_hidden = options.stopwords.is_none();
    let files = if is_hidden { Files::Numbered } else { Files::Named };
    let side = |text: &'p Text, name, known: Known, left_out, sketch: &Summary| PageSide {
        name,
        content: shown(text),
        disguised: text
            .disguised_words()
            .map(|(span, written)| Disguised { span, written })
            .take(MAX_DISGUISED)
            .collect(),
        language: known.language.map(|language| language.row().short),
        words: sketch.words,
        left_out,
    };
    let Judgement { left, right, languages, .. } = judgement;
    let [left_out, right_out] =
        [text::Side::Left, text::Side::Right].map(|side| outs(judgement, side));
    let (notes, warnings): (Vec<_>, Vec<_>) =
        judgement.warnings.iter().partition(|warning| is_technical(warning));
    Page {
        sides: [
            side(pair.left, left_name, languages.left, left_out, left),
            side(pair.right, right_name, languages.right, right_out, right),
        ],
        passages: passages(pair, files),
        verdict: judgement.decision.verdict.name(),
        kind: kind(judgement.decision.verdict, judgement.comparison.passages.as_ref()),
        sentence: answer_sentence(pair, &options.names),
        reasons: reasons(pair),
        figures: named(figures(pair)),
        measured: meaning(pair.judgement, pair.recipe).sentences(),
        facts: facts(pair, files, &options.names),
        parameters: parameters(pair.recipe, options.stopwords, options.settings.clone()),
        warnings: warnings.iter().map(|it| files.warning(it, pair)).collect(),
        notes: notes.iter().map(ToString::to_string).collect(),
        left_out: left_out_sentences(judgement),
    }
}

/// Returns the answer in one sentence, as in the text answer. It begins with a capital letter,
/// unless it begins with a name.
fn answer_sentence(pair: &Pair, names: &[String; 2]) -> String {
    let names = answer::names(names.each_ref().map(Path::new));
    let [first, last] = ISOLATE;
    let names = names.map(|name| {
        let is_name = !answer::SIDES.contains(&name.as_str());
        if is_name { format!("{first}{}{last}", name.replace(ISOLATE, "")) } else { name }
    });
    let sentence = answer::sentence(pair, &names);
    match sentence.split_at_checked(1) {
        Some((first, rest)) => first.to_ascii_uppercase() + rest,
        None => sentence, // it begins with a name
    }
}

/// Reports whether a warning is about how words were compared, which is of no use to people who
/// read the texts.
fn is_technical(warning: &Warning) -> bool {
    use Warning::{LanguageUnknown, NoStemmer, NoStopWords, PathNotUtf8};
    matches!(warning, LanguageUnknown(_) | NoStopWords(..) | NoStemmer(..) | PathNotUtf8(_))
}

/// Fills in the missing names of figures, and removes the word `limit`, since the limits have a
/// column with that heading.
fn named(mut figures: Vec<[String; 4]>) -> Vec<[String; 4]> {
    let mut last = String::new();
    for [name, _, limit, _] in &mut figures {
        if let Some(bare) = limit.strip_prefix("limit ") {
            *limit = bare.to_owned();
        }
        if name.is_empty() {
            name.clone_from(&last);
        }
        last.clone_from(name);
    }
    figures
}

/// Returns a fact about a file or, for a text that consists of several, about each of them with its
/// name.
fn of_files(text: &Text, files: Files, known: impl Fn(&Text) -> String) -> String {
    let all = text.files().zip(0..);
    let all = all.map(|(file, number)| format!("{}: {}", files.name(text, number), known(file)));
    let all: Vec<String> = all.collect();
    if all.is_empty() { known(text) } else { all.join("; ") }
}

/// The rule by which the files of a text are named.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Files {
    Named,
    /// By number, because their names may reveal whose they are.
    Numbered,
}

impl Files {
    fn name(self, text: &Text, number: usize) -> String {
        match text.files().nth(number).filter(|_| self == Self::Named) {
            Some(file) => file_name(text, file),
            None => format!("file {}", number + 1),
        }
    }

    /// Returns the name of the file of a place and a comma; an empty string if the text is a single
    /// file.
    fn label(self, text: &Text, place: &text::Place) -> String {
        let is_one = text.files().next().is_none();
        if is_one { String::new() } else { self.name(text, place.file) + ", " }
    }

    /// Formats a warning, with the files named in this way.
    fn warning(self, warning: &Warning, pair: &Pair) -> String {
        let text = match warning.side() {
            Some(Which::Right) => pair.right,
            _ => pair.left,
        };
        if self == Self::Named || text.files().next().is_none() {
            return warning.to_string();
        }
        match warning.clone() {
            Warning::Disguised(side, found) => {
                let name =
                    |it: &Text| it.path().strip_prefix(text.path()).unwrap_or(it.path()).to_owned();
                let number = text.files().position(|it| Some(name(it)) == found.file);
                let file = number.map(|number| self.name(text, number).into());
                Warning::Disguised(side, text::FoundDisguise { file, ..found }).to_string()
            }
            Warning::Incomplete(side, _) => {
                let files = text.files().zip(0..).filter_map(|(file, number)| {
                    Some(format!("{}: {}", self.name(text, number), file.unread()?))
                });
                Warning::Incomplete(side, files.collect::<Vec<_>>().join("; ")).to_string()
            }
            other => other.to_string(),
        }
    }
}

fn facts(pair: &Pair, files: Files, names: &[String; 2]) -> Vec<Fact> {
    let judgement = pair.judgement;
    let fact = |name, of: &dyn Fn(&Text, Known, &Summary) -> String| Fact {
        name,
        values: [
            of(pair.left, judgement.languages.left, &judgement.left),
            of(pair.right, judgement.languages.right, &judgement.right),
        ],
    };
    vec![
        Fact { name: "Name", values: names.clone() },
        fact("Language", &|_, known, _| language(known)),
        fact("Kind of file", &|text, _, _| {
            of_files(text, files, |file| file.kind().name().to_owned())
        }),
        fact("Encoding", &|text, _, _| of_files(text, files, encoding)),
        fact("Bytes", &|text, _, _| thousands(text.bytes())),
        fact("Words that count", &|_, _, sketch| thousands(sketch.words)),
        fact("Stems compared", &|_, _, sketch| thousands(sketch.stems)),
        fact("Distinct shingles", &|_, _, sketch| thousands(sketch.shingles)),
        fact("Fingerprint", &|_, _, sketch| {
            sketch.fingerprint.map_or("none".to_owned(), |bits| bits.to_string())
        }),
    ]
}

fn language(known: Known) -> String {
    let name = known.language.map_or("unknown", Language::name);
    match known.by {
        By::Given => format!("{}, as given", known.language.map_or("none", Language::name)),
        By::Together => format!("{name}, detected in both together"),
        By::Detected => format!("{name}, detected"),
        By::Corpus => format!("{name}, as most texts of the corpus"),
        By::None => name.to_owned(),
    }
}

/// Returns the names and values of the parameters of the comparison. `stopwords` and `settings` are
/// `None` if they must not be named.
pub(crate) fn parameters(
    recipe: &Recipe,
    stopwords: Option<&Path>,
    settings: Option<String>,
) -> Vec<(&'static str, String)> {
    let (min, max) = (recipe.ngrams.min(), recipe.ngrams.max());
    let Limits { hamming, jaccard, partial_jaccard, coverage, containment } = recipe.limits;
    let limit = |limit: Option<String>| limit.unwrap_or("off".to_owned());
    let ratio = |min_match: Option<Ratio>| limit(min_match.map(|ratio| ratio.to_string()));
    let mut parameters = vec![
        (
            "Shingles of",
            if min == max { format!("{max} stems") } else { format!("{min} to {max} stems") },
        ),
        (
            "Stop words",
            match (&recipe.stopwords, stopwords) {
                (stopwords::Choice::On, _) => "dropped".to_owned(),
                (stopwords::Choice::Off, _) => "kept".to_owned(),
                (stopwords::Choice::List(_), None) => "those of a list dropped".to_owned(),
                (stopwords::Choice::List(_), Some(list)) => {
                    format!("those of {} dropped", path(list))
                }
            },
        ),
        ("Stemming", recipe.stemming.name().to_owned()),
        ("Left out", left_out_by(recipe)),
        match recipe.search {
            Search::Never => ("Passages", "not looked for".to_owned()),
            _ => ("A passage has at least", passage_words(recipe.min_match)),
        },
        ("Maximum number of bits that differ", limit(hamming.map(|bits| bits.to_string()))),
        ("Minimum Jaccard index", ratio(jaccard)),
        ("Minimum coverage of a part", ratio(coverage)),
        ("Minimum Jaccard index of a part", ratio(partial_jaccard)),
        ("Minimum containment", ratio(containment)),
    ];
    parameters.extend(settings.map(|name| ("Settings", name)));
    parameters
}

/// Describes the minimum number of words of a passage, by its kind.
fn passage_words(min_match: MinMatch) -> String {
    let in_a_row = counted(min_match.words(), "word");
    let different = thousands(min_match.words().saturating_mul(5).div_ceil(3));
    format!("{in_a_row} in a row, {different} different ones in any order, or reworded sentences")
}

fn left_out_by(recipe: &Recipe) -> String {
    let is_asked_for = |why: &Why| match why {
        Why::Template => !recipe.templates.all.is_empty(),
        Why::Common => recipe.common.is_some(),
        _ => recipe.ignored.contains(why),
    };
    let reasons: Vec<&str> = Why::ALL.into_iter().filter(is_asked_for).map(Why::name).collect();
    if reasons.is_empty() { "nothing".to_owned() } else { reasons.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_where_the_whole_text_has_them() {
        let text = "A kettle, \u{fdfa} exam-\nple: l'home 水火 (lid) of\u{ad} it";
        let stretches = [0..13, 18..40, 41..text.len()];
        let all = tokens::split_stretches(text, stretches.clone()).0;
        for step in 1..all.len() {
            let wanted: Vec<usize> = (0..all.len()).step_by(step).collect();
            let want: Vec<_> = wanted.iter().map(|at| (*at, all[*at].span.clone())).collect();
            assert_eq!(spans(text, stretches.clone().into_iter(), wanted), want, "one in {step}");
        }
        assert!(spans(text, std::iter::empty(), Vec::new()).is_empty());
    }

    #[test]
    fn parts_are_distinguished_by_their_order() {
        let run = |left, right, length| Run { at: [left, right], length };
        let [a, b, c] = [run(0, 20, 9), run(10, 0, 9), run(20, 9, 9)];
        #[rustfmt::skip]
        let table: &[(&str, &[Run], &[Run])] = &[
            ("none",                 &[],                                   &[]),
            ("one run",              &[a],                                  &[]),
            ("in one order",         &[run(0, 0, 9), run(10, 9, 9)],        &[]),
            ("changed places",       &[b, a],                               &[b, a]),
            ("those that stay together are one", &[b, c, a],                &[b, a]),
            ("all turned round",     &[run(40, 0, 5), run(20, 5, 5), run(0, 10, 5)],
                                     &[run(40, 0, 5), run(20, 5, 5), run(0, 10, 5)]),
            ("too short to be shown", &[run(30, 0, 4), run(0, 10, 9)],       &[]),
            ("a short one between",  &[b, run(40, 9, 4), run(20, 13, 9), a], &[b, a]),
        ];
        for (why, runs, want) in table {
            assert_eq!(parts(runs), *want, "{why}");
        }
    }
}

#[cfg(test)]
mod gather_tests {
    use super::*;

    #[test]
    fn every_line_of_figures_has_a_name() {
        let line = |name: &str| [name, "", "limit off", ""].map(str::to_owned);
        let lines = named(vec![line("Hamming"), line("Jaccard"), line("Containment"), line("")]);
        assert_eq!(lines[3], ["Containment", "", "off", ""]);
    }
}
