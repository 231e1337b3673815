//! Renders the runs of words that occur at two or more places, as text, JSON and SARIF.

use std::fmt::Write;

use dedup_text::corpus::spans::words::{Borders, Spelling};
use dedup_text::display::inert;
use dedup_text::display::{counted, percent, thousands, visible, wrapped};
use dedup_text::jaccard::Share;
use dedup_text::record::Tool;
use dedup_text::text::{Place, Text};
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use unicode_width::UnicodeWidthStr;

use super::exports::sarif::{MAX_RESULTS, escaped, location, notification, whole};
use super::exports::{in_file, stored};
use crate::model::found::{FailedRecord, Skipped};
use crate::model::names::Names;

/// The repeated runs of words of some texts, and what is known of the texts.
pub(crate) struct Spans {
    /// The texts in their order, each with its name.
    pub(crate) texts: Vec<(String, Text)>,
    /// The number of words of all texts.
    pub(crate) words: usize,
    /// The minimum number of words of a run.
    pub(crate) min_words: usize,
    /// The way in which two runs are compared.
    pub(crate) spelling: Spelling,
    /// The borders of the parts that are removed: words or sentences.
    pub(crate) borders: Borders,
    /// The runs in the order of their first places.
    pub(crate) runs: Vec<Run>,
    /// The number of words that also occur at an earlier place.
    pub(crate) earlier: usize,
    /// The number of these words that may be removed, and of bytes.
    pub(crate) removable: Amount,
    pub(crate) removal: Removal,
    /// The name of the settings file; `None` if none is read.
    pub(crate) settings: Option<String>,
    pub(crate) skipped: Skipped,
    pub(crate) failed: Vec<FailedRecord>,
}

/// Whether repeated words are removed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Removal {
    NotAsked,
    /// They are only counted.
    Counted,
    Done,
}

/// A number of words, and of the bytes of text that are removed with them, including what follows
/// the words.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
pub(crate) struct Amount {
    pub(crate) words: usize,
    pub(crate) bytes: usize,
}

/// A run of words with all of its places.
pub(crate) struct Run {
    pub(crate) words: usize,
    /// The places in the order of the texts.
    pub(crate) places: Vec<RunPlace>,
}

/// A place of a run.
pub(crate) struct RunPlace {
    /// The index of its text.
    pub(crate) text: usize,
    pub(crate) place: Place,
}

impl Run {
    /// Returns the number of words that would be removed if the run remained at one place only.
    pub(crate) fn saved(&self) -> usize {
        self.words * self.places.len().saturating_sub(1)
    }
}

/// The schema of the answer, and of a run on a line of its own.
const SCHEMA: &str = "dedup.spans/1";

/// The width of the widest line, in characters.
const WIDTH: usize = 80;

/// The largest number of runs that are shown.
const RUNS: usize = 10;

/// The largest number of places that are shown for a run.
const MAX_PLACES: usize = 5;

/// Renders the answer for people: a sentence, then the runs that would save most if they were
/// removed.
pub(crate) fn text(spans: &Spans) -> String {
    let mut page = sentence(spans) + &removal(spans);
    if spans.removal != Removal::NotAsked {
        return page;
    }
    let mut runs: Vec<&Run> = spans.runs.iter().collect();
    runs.sort_by_key(|run| std::cmp::Reverse(run.saved())); // the sort is stable
    for run in runs.iter().take(RUNS) {
        let Run { words, places } = run;
        let _ =
            writeln!(page, "\n{} at {}", counted(*words, "word"), counted(places.len(), "place"));
        page += &beginning(spans, run);
        for RunPlace { text, place } in places.iter().take(MAX_PLACES) {
            let (name, text) = &spans.texts[*text];
            let _ = writeln!(page, "  {}, {}", visible(name), in_file(text, place));
        }
        if places.len() > MAX_PLACES {
            let _ = writeln!(page, "  and {} more", thousands(places.len() - MAX_PLACES));
        }
    }
    if runs.len() > RUNS {
        let more = thousands(runs.len() - RUNS);
        let _ = writeln!(page, "\nand {more} more; --format json lists all");
    }
    page
}

/// Renders a sentence on the runs that were found.
fn sentence(spans: &Spans) -> String {
    let Spans { texts, words, min_words, runs, earlier, .. } = spans;
    let [texts, all] = [counted(texts.len(), "text"), counted(*words, "word")];
    let min_words = counted(*min_words, "word");
    let settings = spans.settings.as_deref().map(visible);
    let settings = settings.map(|it| format!("; settings: {it}")).unwrap_or_default();
    let exactly = match spans.spelling {
        Spelling::Folded => "",
        Spelling::Exact => " byte for byte",
    };
    let sentence = match runs.len() {
        0 => {
            format!(
                "No run of {min_words} or more occurs twice{exactly} in {texts}, {all}{settings}."
            )
        }
        count => {
            let occur = if count == 1 { "occurs" } else { "occur" };
            format!(
                "{} of {min_words} or more {occur}{exactly} at two or more places in {texts}; {} of \
                 {all} also occur earlier ({}){settings}.",
                counted(count, "run"),
                thousands(*earlier),
                percent(Share::new(*earlier, *words)),
            )
        }
    };
    wrapped(&sentence, WIDTH, 0)
}

/// Renders a sentence on what is or would be removed; an empty string if that was not asked for.
fn removal(spans: &Spans) -> String {
    let Amount { words, bytes } = spans.removable;
    let (amount, bytes) = (counted(words, "word"), counted(bytes, "byte"));
    let verb = match (spans.removal, words) {
        (Removal::NotAsked, _) => return String::new(),
        (Removal::Counted, _) => "would be",
        (Removal::Done, 1) => "is",
        (Removal::Done, _) => "are",
    };
    let sentences = match spans.borders {
        Borders::Words => "",
        Borders::Sentences => " in whole sentences",
    };
    wrapped(&format!("{amount}{sentences}, {bytes}, {verb} removed."), WIDTH, 0)
}

/// Renders the beginning of a run as one line.
fn beginning(spans: &Spans, run: &Run) -> String {
    let Some(RunPlace { text, place }) = run.places.first() else { return String::new() };
    let content = &spans.texts[*text].1.content()[place.content.clone()];
    let mut line = "  ".to_owned();
    let mut words = content.split_whitespace();
    for word in words.by_ref() {
        let room = WIDTH - 1 - line.width();
        let word = visible(word);
        let space = usize::from(line.len() > 2);
        if word.width() + space > room {
            if space == 0 {
                let fits = |end: &usize| word[..*end].width() <= room;
                let ends = word.char_indices().map(|(at, _)| at);
                line += &word[..ends.take_while(fits).last().unwrap_or_default()];
            }
            return line + "…\n";
        }
        line += if space == 1 { " " } else { "" };
        line += &word;
    }
    line + "\n"
}

/// The answer, which conforms to `dedup.spans.schema.json`.
#[derive(Serialize)]
struct Record<'s> {
    schema: &'static str,
    tool: Tool,
    parameters: Parameters<'s>,
    texts: usize,
    words: usize,
    earlier_words: usize,
    removable: Amount,
    runs: Vec<RunRecord<'s>>,
    failed: &'s [FailedRecord],
    skipped: Vec<SkippedRecord>,
}

#[derive(Serialize)]
struct Parameters<'s> {
    min_words: usize,
    exact: bool,
    whole_sentences: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    settings: Option<&'s str>,
}

#[derive(Serialize)]
struct SkippedRecord {
    why: &'static str,
    count: usize,
}

#[derive(Serialize)]
struct RunRecord<'s> {
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<&'static str>,
    words: usize,
    places: Vec<PlaceRecord<'s>>,
}

/// A place of a run. The ends of `byte` and `column` are exclusive, those of `line` and `page`
/// inclusive.
#[derive(Serialize)]
struct PlaceRecord<'s> {
    id: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<[usize; 2]>,
    byte: [usize; 2],
    line: [usize; 2],
    column: [usize; 2],
}

/// Renders the answer as one JSON object.
pub(crate) fn json(spans: &Spans) -> anyhow::Result<String> {
    let counts = spans.skipped.counts();
    let record = Record {
        schema: SCHEMA,
        tool: Tool::here(),
        parameters: Parameters {
            min_words: spans.min_words,
            exact: spans.spelling == Spelling::Exact,
            whole_sentences: spans.borders == Borders::Sentences,
            settings: spans.settings.as_deref(),
        },
        texts: spans.texts.len(),
        words: spans.words,
        earlier_words: spans.earlier,
        removable: spans.removable,
        runs: spans.runs.iter().map(|run| record(spans, run, None)).collect(),
        failed: &spans.failed,
        skipped: counts.map(|(why, count)| SkippedRecord { why: why.code(), count }).collect(),
    };
    Ok(inert::json(&record)? + "\n")
}

/// Renders the answer as JSON lines, one for each run.
pub(crate) fn json_lines(spans: &Spans) -> anyhow::Result<String> {
    let lines = spans.runs.iter().map(|run| record(spans, run, Some(SCHEMA)));
    lines.map(|line| Ok(inert::json(&line)? + "\n")).collect()
}

fn record<'s>(spans: &'s Spans, run: &Run, schema: Option<&'static str>) -> RunRecord<'s> {
    let place = |RunPlace { text, place }: &RunPlace| PlaceRecord {
        id: &spans.texts[*text].0,
        page: place.pages.map(|pages| pages.numbers),
        byte: [place.bytes.start, place.bytes.end],
        line: place.lines,
        column: place.columns,
    };
    RunRecord { schema, words: run.words, places: run.places.iter().map(place).collect() }
}

// SARIF: a result for each place of a run except the first.

/// Renders the answer as a SARIF 2.1.0 log: the runs that would save most come first, up to
/// [`MAX_RESULTS`] results.
pub(crate) fn sarif(spans: &Spans, names: &Names) -> anyhow::Result<String> {
    let mut runs: Vec<&Run> = spans.runs.iter().collect();
    runs.sort_by_key(|run| std::cmp::Reverse(run.saved()));
    let all: usize = runs.iter().map(|run| run.places.len() - 1).sum();
    let results = runs.iter().flat_map(|run| results(spans, run, names)).take(MAX_RESULTS);
    let results: Vec<String> = results.collect::<anyhow::Result<_>>()?;
    let failed = spans.failed.iter();
    let mut notifications: Vec<_> =
        failed.map(|failed| notification("error", &visible(&failed.error))).collect();
    if let Some(more @ 1..) = all.checked_sub(results.len()) {
        let (more, limit) = (counted(more, "more result"), thousands(MAX_RESULTS));
        let what = format!("{more} left out: a run has at most {limit}.");
        notifications.push(notification("warning", &what));
    }
    let short = "A run of words also occurs at an earlier place.";
    let equal = match spans.spelling {
        Spelling::Folded => "word for word",
        Spelling::Exact => "byte for byte",
    };
    let help = format!(
        "It has at least as many words as --min-words requires, {equal}. Refer to one of the \
         places, or let dedup spans --output remove all but the first."
    );
    let rule = json!({
        "id": RULE,
        "shortDescription": {"text": short},
        "fullDescription": {"text": format!("{short} {help}")},
        "help": {"text": help, "markdown": help},
        "defaultConfiguration": {"level": "note"},
        "properties": {"tags": ["duplication"]},
    });
    let invocation = json!({
        "executionSuccessful": spans.failed.is_empty(),
        "toolExecutionNotifications": notifications,
    });
    let is_exact = spans.spelling == Spelling::Exact;
    let mut properties =
        json!({"min_words": spans.min_words, "exact": is_exact, "runs": spans.runs.len()});
    if let Some(settings) = &spans.settings {
        properties["settings"] = settings.as_str().into();
    }
    whole(&[rule], &invocation, &properties, &results)
}

const RULE: &str = "repeated-span";

/// Returns the results of a run.
fn results(spans: &Spans, run: &Run, names: &Names) -> Vec<anyhow::Result<String>> {
    let Some((first, others)) = run.places.split_first() else { return Vec::new() };
    let text = |place: &RunPlace| &spans.texts[place.text].1;
    let at =
        |place: &RunPlace| location(text(place), stored(text(place), Some(&place.place)), names);
    let content = &text(first).content()[first.place.content.clone()];
    let digest = match spans.spelling {
        Spelling::Folded => {
            Sha256::digest(content.split_whitespace().collect::<Vec<_>>().join(" "))
        }
        Spelling::Exact => Sha256::digest(content),
    };
    let digest = digest.iter().take(8).fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    });
    let name = escaped(&spans.texts[first.text].0);
    let words = counted(run.words, "word");
    // The message has the position of a place that is not a place in the file as it is stored.
    let in_text = |place: &RunPlace| match stored(text(place), Some(&place.place)) {
        Some(_) => String::new(),
        None => format!(" ({})", in_file(text(place), &place.place)),
    };
    let of_first = in_text(first);
    let message = |place: &RunPlace| {
        format!("{words}{} that also occur in [{name}](1){of_first}.", in_text(place))
    };
    let result = |(number, place): (usize, &RunPlace)| {
        Ok(inert::json(&json!({
            "ruleId": RULE,
            "ruleIndex": 0,
            "level": "note",
            "message": {"text": message(place)},
            "locations": [{"physicalLocation": at(place)}],
            "relatedLocations": [{
                "id": 1,
                "message": {"text": "The first place."},
                "physicalLocation": at(first),
            }],
            "partialFingerprints": {"primaryLocationLineHash": format!("{digest}:{number}")},
            "properties": {"words": run.words, "places": run.places.len()},
        }))?)
    };
    (1..).zip(others).map(result).collect()
}
