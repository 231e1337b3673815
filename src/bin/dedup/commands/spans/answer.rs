//! Renders the runs of words that occur at two or more places, as text and JSON.

use std::cell::RefCell;
use std::fmt::Write;
use std::ops::Range;
use std::rc::Rc;
use std::{io, iter};

use dedup_text::corpus::spans::words::{Borders, Part, Spelling};
use dedup_text::corpus::spans::{Repeat, Repeats, WordPlace, most_saving, selected};
use dedup_text::display::{counted, inert, percent, thousands, visible, wrapped};
use dedup_text::jaccard::Share;
use dedup_text::record::Tool;
use dedup_text::text::{Place, Text};
use serde::{Serialize, Serializer};
use unicode_width::UnicodeWidthStr;

use crate::model::findings::in_file;
use crate::model::found::{FailedRecord, Skipped};

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
    /// The parts of the texts that no run crosses.
    pub(crate) parts: Vec<Part>,
    pub(crate) repeats: Repeats,
    /// The runs in the order of their first places.
    pub(crate) runs: Vec<Repeat>,
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

/// A place of a run.
struct RunPlace {
    /// The indices of the run and of its text.
    run: u32,
    text: usize,
    place: Place,
}

/// The schema of the answer, and of a run on a line of its own.
const SCHEMA: &str = "dedup.spans/1";

/// The width of the widest line, in characters.
const WIDTH: usize = 80;

/// The largest number of runs that are shown.
const RUNS: usize = 10;

/// The largest number of places that are shown for a run.
const MAX_PLACES: usize = 5;

/// The largest number of places that JSON and JSON Lines list.
const MAX_LISTED: usize = 1_000_000;

/// The number of places that are looked up in their texts at a time.
const BATCH: usize = 1 << 15;

/// Renders the answer for people: a sentence, then the runs that would save most if they were
/// removed.
pub(crate) fn text(spans: &Spans) -> String {
    let mut page = sentence(spans) + &removal(spans);
    if spans.removal != Removal::NotAsked {
        return page;
    }
    let places = most_saving(&spans.runs, RUNS).into_iter().flat_map(|run| {
        let places = spans.repeats.places(spans.run(run), usize::MAX);
        places.take(MAX_PLACES).map(move |place| (run, place))
    });
    let places: Vec<RunPlace> = spans.located(places).collect();
    for places in places.chunk_by(|one, other| one.run == other.run) {
        let run = spans.run(places[0].run);
        let (words, count) = (counted(run.words(), "word"), counted(run.places(), "place"));
        let _ = writeln!(page, "\n{words} at {count}");
        page += &beginning(spans, &places[0]);
        for RunPlace { text, place, .. } in places {
            let (name, text) = &spans.texts[*text];
            let _ = writeln!(page, "  {}, {}", visible(name), in_file(text, place));
        }
        if run.places() > MAX_PLACES {
            let _ = writeln!(page, "  and {} more", thousands(run.places() - MAX_PLACES));
        }
    }
    if spans.runs.len() > RUNS {
        let more = thousands(spans.runs.len() - RUNS);
        let all = if spans.runs.len() > MAX_LISTED / 2 { "more" } else { "all" };
        let _ = writeln!(page, "\nand {more} more; --format json lists {all}");
    }
    page
}

impl Spans {
    fn run(&self, number: u32) -> &Repeat {
        &self.runs[number as usize]
    }

    /// Looks up places of runs in their texts, in batches: each text of a batch is scanned once.
    fn located<'s>(
        &'s self,
        mut places: impl Iterator<Item = (u32, WordPlace)> + 's,
    ) -> impl Iterator<Item = RunPlace> + 's {
        let batches = iter::from_fn(move || {
            let batch: Vec<_> = places.by_ref().take(BATCH).collect();
            (!batch.is_empty()).then(|| self.located_at_once(&batch))
        });
        batches.flatten()
    }

    fn located_at_once(&self, places: &[(u32, WordPlace)]) -> Vec<RunPlace> {
        let unknown = |(run, at): &(u32, WordPlace)| RunPlace {
            run: *run,
            text: self.parts[at.text].text,
            place: Place::default(),
        };
        let mut located: Vec<RunPlace> = places.iter().map(unknown).collect();
        let part = |number: &usize| places[*number].1.text;
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by_key(part);
        for same in order.chunk_by(|one, other| part(one) == part(other)) {
            let part = &self.parts[part(&same[0])];
            let text = &self.texts[part.text].1;
            let words = |number: &usize| {
                let (run, WordPlace { word, .. }) = places[*number];
                word..word + self.run(run).words()
            };
            let words: Vec<Range<usize>> = same.iter().map(words).collect();
            let found = text.places(&part.spans(text.content(), &words));
            for (number, place) in same.iter().zip(found) {
                located[*number].place = place;
            }
        }
        located
    }
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
fn beginning(spans: &Spans, RunPlace { text, place, .. }: &RunPlace) -> String {
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

// JSON, which is written as it is rendered, so that it is never in memory as a whole.

/// An array of what an iterator returns, each item of which is made when it is written.
struct Streamed<I>(RefCell<I>);

impl<I: Iterator<Item: Serialize>> Serialize for Streamed<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&mut *self.0.borrow_mut())
    }
}

/// The answer, which conforms to `dedup.spans.schema.json`.
#[derive(Serialize)]
struct SpanRecord<'s, R> {
    schema: &'static str,
    tool: Tool,
    parameters: Parameters<'s>,
    texts: usize,
    words: usize,
    earlier_words: usize,
    removable: Amount,
    runs: R,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<LeftOut>,
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

/// The number of runs that are not listed, and of places that are not, theirs among them.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct LeftOut {
    runs: usize,
    places: usize,
}

#[derive(Serialize)]
struct SkippedRecord {
    why: &'static str,
    count: usize,
}

/// A run that is listed.
#[derive(Serialize)]
struct RunRecord<P> {
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<&'static str>,
    words: usize,
    places: P,
    /// The number of places that are not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    more_places: Option<usize>,
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

/// The runs that JSON lists, so that there are at most [`MAX_LISTED`] places.
pub(crate) struct Listing<'s> {
    spans: &'s Spans,
    runs: Vec<u32>,
    /// The largest number of places of a run.
    max_places: usize,
}

impl<'s> Listing<'s> {
    pub(crate) fn new(spans: &'s Spans) -> Self {
        let (runs, max_places) = selected(&spans.runs, MAX_LISTED);
        Self { spans, runs, max_places }
    }

    /// Returns what is left out; `None` if that is nothing.
    fn left_out(&self) -> Option<LeftOut> {
        let Self { spans, runs, .. } = self;
        let all: usize = spans.runs.iter().map(Repeat::places).sum();
        let listed: usize = runs.iter().map(|run| self.places(*run)).sum();
        let left_out = LeftOut { runs: spans.runs.len() - runs.len(), places: all - listed };
        (left_out.places > 0).then_some(left_out)
    }

    /// Describes what is left out; `None` if that is nothing.
    pub(crate) fn note(&self) -> Option<String> {
        let LeftOut { runs, places } = self.left_out()?;
        let (places, limit) = (counted(places, "place"), thousands(MAX_LISTED));
        let runs = (runs > 0).then(|| format!(", with all those of {}", counted(runs, "run")));
        Some(format!("{places} left out{}: at most {limit} are listed", runs.unwrap_or_default()))
    }

    /// Returns the number of places that are listed of a run.
    fn places(&self, run: u32) -> usize {
        self.spans.run(run).places().min(self.max_places)
    }

    /// Writes the answer as one JSON object.
    pub(crate) fn write_json(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let spans = self.spans;
        let counts = spans.skipped.counts();
        let record = SpanRecord {
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
            runs: Streamed(RefCell::new(self.records(None))),
            left_out: self.left_out(),
            failed: &spans.failed,
            skipped: counts.map(|(why, count)| SkippedRecord { why: why.code(), count }).collect(),
        };
        inert::write_json(out, &record)?;
        out.write_all(b"\n")
    }

    /// Writes the answer as JSON lines, one for each run.
    pub(crate) fn write_json_lines(&self, out: &mut dyn io::Write) -> io::Result<()> {
        self.records(Some(SCHEMA)).try_for_each(|record| {
            inert::write_json(out, &record)?;
            out.write_all(b"\n")
        })
    }

    /// Returns the runs. The places of each must be serialized before the next run is asked for.
    fn records(&self, schema: Option<&'static str>) -> impl Iterator<Item: Serialize> {
        let Self { spans, runs, .. } = self;
        let places = runs.iter().flat_map(|run| {
            let places = spans.repeats.places(spans.run(*run), self.max_places);
            places.map(move |place| (*run, place))
        });
        let places = Rc::new(RefCell::new(spans.located(places)));
        runs.iter().map(move |run| {
            let (all, listed) = (spans.run(*run).places(), self.places(*run));
            let places = Rc::clone(&places);
            let of_run = iter::from_fn(move || places.borrow_mut().next()).take(listed);
            RunRecord {
                schema,
                words: spans.run(*run).words(),
                places: Streamed(RefCell::new(of_run.map(|found| record(spans, &found)))),
                more_places: Some(all - listed).filter(|more| *more > 0),
            }
        })
    }
}

fn record<'s>(spans: &'s Spans, RunPlace { text, place, .. }: &RunPlace) -> PlaceRecord<'s> {
    PlaceRecord {
        id: &spans.texts[*text].0,
        page: place.pages.map(|pages| pages.numbers),
        byte: [place.bytes.start, place.bytes.end],
        line: place.lines,
        column: place.columns,
    }
}
