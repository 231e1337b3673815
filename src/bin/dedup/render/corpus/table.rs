//! The answer for a person: a row for each pair, the closest first, and what was counted.

use std::fmt::Write;
use std::path::Path;

use dedup_text::corpus::CommonStretch;
use dedup_text::inert;
use dedup_text::jaccard::Share;
use dedup_text::text::display_path;
use dedup_text::verdict::Verdict;
use serde::Serialize;

use crate::io::inputs::source::Skip;
use crate::io::output::{Spool, Whole};
use crate::model::corpus::{Answer, Levels, Row};
use crate::render::exports::Run;

use dedup_text::words::{counted, decimal, first_position, or_closer, thousands, visible, wrapped};

/// The pairs, the closest first; or, of each text, the nearest first.
pub(crate) fn render(answer: &Answer, rows: &[Row], is_nearest: bool) -> String {
    let (accepted, mut rows): (Vec<Row>, Vec<Row>) =
        rows.iter().copied().partition(|row| row.is_accepted);
    let reaching = rows.iter().filter(|row| row.verdict >= answer.level).count();
    if !is_nearest {
        rows.retain(|row| row.verdict >= answer.level);
        sort_closest_first(&mut rows);
    }
    let mut page = lines(answer, &rows);
    let _ = write!(page, "{} {}", counted(reaching, "pair"), or_closer(answer.level));
    let there = accepted.iter().filter(|row| row.was_there).count();
    if accepted.len() > there {
        let _ = write!(page, "; {} accepted earlier", thousands(accepted.len() - there));
    }
    if let Some(since) = &answer.options.since {
        let were = if there == 1 { "was" } else { "were" };
        let _ = write!(page, "; {} {were} there at {}", thousands(there), visible(since));
    }
    page += &left_out(answer, is_nearest);
    page += "\n";
    page + &counts(answer) + &remarks(answer)
}

/// A line for each pair: how much of each text stands in the other, or of one without a passage how
/// much both have of all their shingles; where that is not known, the figures of their shingles.
fn lines(answer: &Answer, rows: &[Row]) -> String {
    let is_covered = rows.iter().all(|row| row.shared.is_some());
    let has_figures = !is_covered || answer.options.has_details;
    let mut page = String::new();
    if !rows.is_empty() {
        page += if is_covered { "shared       " } else { "" };
        page += if has_figures { "Jaccard  Hamming  " } else { "" };
        page += "verdict         left | right\n";
    }
    for row in rows {
        let Row { pair, verdict, shared, .. } = row;
        match shared {
            Some(_) if is_covered && row.is_without_passage() => {
                let words = hundredths(pair.all.jaccard());
                let _ = write!(page, "{:>3} %        ", format!("~{words}"));
            }
            Some(shared) if is_covered => {
                let [left, right] = shared.covered.map(hundredths);
                let _ = write!(page, "{left:>3} | {right:>3} %  ");
            }
            _ => {}
        }
        if has_figures {
            let jaccard = pair.all.jaccard().map_or("none  ".to_owned(), decimal);
            let _ = write!(page, "{jaccard}   {:>2} bits  ", pair.hamming);
        }
        let later = answer.later(pair);
        let [left, right] = [pair.a, pair.b].map(|text| {
            visible(&answer.name(text)) + if later == Some(text) { " (later)" } else { "" }
        });
        let is_nearest = answer.options.nearest.is_some();
        let by_far = if is_nearest && row.stands_out() { "  (closest by far)" } else { "" };
        let _ = writeln!(page, "{:<14}  {left} | {right}{by_far}", verdict.name());
        for said in answer.gathered.named_in_both(pair.a, pair.b) {
            let _ = writeln!(page, "               {}", visible(&said));
        }
    }
    page
}

/// A share in hundredths, cut as in a sentence; none is nothing.
pub(crate) fn hundredths(share: Option<Share>) -> String {
    match share.map_or((0, 0), |share| (share.filled(100), share.shared())) {
        (0, 1..) => "<1".to_owned(),
        (hundredths, _) => hundredths.to_string(),
    }
}

/// What the level leaves out: the pairs of each verdict below it, where they are known, else where
/// to look for them.
fn left_out(answer: &Answer, is_nearest: bool) -> String {
    if is_nearest || answer.level <= Verdict::Excerpt {
        return String::new();
    }
    if answer.options.levels == Levels::Asked || answer.found.get().is_none() {
        let can_look = answer.options.names_levels
            && answer.recipe.limits.coverage.is_some()
            && answer.level > Verdict::Partial;
        let hint = "; --at-least partial and excerpt find smaller shares";
        return if can_look { hint.to_owned() } else { String::new() };
    }
    let found = answer.found.get().map_or(&[][..], |found| &found.pairs);
    let touching = || found.iter().filter(|(pair, _)| answer.touches_focus(pair));
    let count = |verdict| touching().filter(|(_, it)| *it == verdict).count();
    let below = [Verdict::NearDuplicate, Verdict::Partial, Verdict::Excerpt];
    let below = below.into_iter().filter(|verdict| *verdict < answer.level);
    let counts = below.map(|verdict| (verdict, count(verdict))).filter(|(_, count)| *count > 0);
    let counts: Vec<(Verdict, usize)> = counts.collect();
    let Some((farthest, _)) = counts.last() else { return String::new() };
    let listed = counts.iter().map(|(verdict, count)| match (verdict, count) {
        (Verdict::Excerpt, _) => counted(*count, "excerpt"),
        _ => format!("{} {}", thousands(*count), verdict.name()),
    });
    let listed = listed.collect::<Vec<_>>().join(", ");
    format!("; {listed} (--at-least {})", farthest.name())
}

/// Puts the pairs first that share the greatest part of either text; where that is not known, the
/// closest.
pub(crate) fn sort_closest_first(rows: &mut [Row]) {
    rows.sort_by(|one, other| {
        let key = |row: &Row| (row.pair.hamming, row.pair.a, row.pair.b);
        let share = |row: &Row| row.greatest_share();
        (share(other).total_cmp(&share(one)))
            .then_with(|| other.verdict.cmp(&one.verdict))
            .then_with(|| jaccard(other).total_cmp(&jaccard(one)))
            .then_with(|| key(one).cmp(&key(other)))
    });
}

/// The texts that are in some pair.
pub(crate) fn paths<'a>(answer: &'a Answer, rows: &[Row]) -> impl Iterator<Item = &'a Path> {
    let is_nearest = answer.options.nearest.is_some();
    let is_asked = |row: &&Row| is_nearest || row.verdict >= answer.level;
    let rows = rows.iter().filter(|row| !row.is_accepted).filter(is_asked);
    let mut numbers: Vec<u32> = rows.flat_map(|row| [row.pair.a, row.pair.b]).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.into_iter().map(|number| answer.document(number).text.path())
}

fn jaccard(row: &Row) -> f64 {
    row.pair.all.jaccard().map_or(0.0, Share::ratio)
}

/// What the corpus has, and what it has not.
pub(crate) fn counts(answer: &Answer) -> String {
    let mut page = totals(answer);
    if let Some(settings) = &answer.options.settings {
        let _ = write!(page, "; settings: {}", visible(settings));
    }
    page += "\n";
    page += &stretches("left out", &answer.gathered.corpus.common);
    if answer.level <= Verdict::Partial {
        page += &stretches("too common to make a pair", answer.widespread());
    }
    page
}

/// The widest line of a list, in characters.
const WIDTH: usize = 80;

/// Files of one kind that are named in one line.
const FEW: usize = 3;

/// Texts that are named on the screen in one list.
const NAMED: usize = 10;

/// What a reader of the pairs must know besides: which texts are not what they look like, and
/// which were not compared, each with the reason.
pub(crate) fn remarks(answer: &Answer) -> String {
    list("Disguised, and compared as their readers see them", disguised(answer))
        + &list("Properties that name another person", named_otherwise(answer))
        + &list("Not compared", not_compared(answer))
}

/// The texts in disguise, each with what was found.
pub(crate) fn disguised(answer: &Answer) -> impl Iterator<Item = String> {
    let found = answer.gathered.disguised();
    found.map(|(number, found)| format!("{}: {}", answer.name(number), found.join("; ")))
}

/// What the properties of texts say of other persons than those whose they are.
fn named_otherwise(answer: &Answer) -> impl Iterator<Item = String> {
    answer.gathered.named_otherwise().map(|(_, said)| said.join("; "))
}

/// What was not compared, each with the reason, and what to do about it where that is known.
pub(crate) fn not_compared(answer: &Answer) -> impl Iterator<Item = String> {
    let failed = answer.gathered.failed.first().iter().map(|failed| match &failed.hint {
        Some(hint) => format!("{}; {hint}", failed.error),
        None => failed.error.clone(),
    });
    let skipped = answer.gathered.skipped.counts();
    let skipped = skipped.filter_map(|(why, count)| skipped_files(answer, why, count));
    let short = answer.gathered.corpus.short.iter().map(ToString::to_string);
    failed.chain(short).chain(skipped)
}

/// The first files of a kind that was skipped, and how many more there are; none where no file of it was
/// opened.
pub(crate) fn skipped_files(answer: &Answer, why: Skip, count: usize) -> Option<String> {
    let named: Vec<&str> = answer.gathered.skipped.files(why).take(FEW).collect();
    let more = count - named.len();
    let and_more = if more > 0 { format!(" and {} more", thousands(more)) } else { String::new() };
    (!named.is_empty()).then(|| format!("{}: {}{and_more}", why.name(), named.join(", ")))
}

/// The first of some lines under a title, and how many more there are; empty where there is none.
fn list(title: &str, lines: impl Iterator<Item = String>) -> String {
    let (mut page, mut more) = (String::new(), 0);
    for (line, number) in lines.zip(0..) {
        if number == 0 {
            let _ = writeln!(page, "\n{title}:");
        }
        if number < NAMED {
            page = page + "  " + &wrapped(&visible(&line), WIDTH - 2, 4);
        } else {
            more += 1;
        }
    }
    if more > 0 {
        let _ = writeln!(page, "  and {} more; --format json lists all", thousands(more));
    }
    page
}

/// Stretches that are shown.
const SHOWN: usize = 5;

/// What many texts have, the longest first, and what it counts for.
fn stretches(what: &str, stretches: &[CommonStretch]) -> String {
    let mut lines = String::new();
    for CommonStretch { words, texts, path, place, excerpt, .. } in stretches.iter().take(SHOWN) {
        let place = format!("{}, {}", display_path(path), first_position(place));
        let rendered = format!("\"{excerpt}\" ({place})");
        let (words, texts) = (counted(*words, "word"), counted(*texts, "text"));
        let _ = writeln!(lines, "{what}: {words} that {texts} have: {}", visible(&rendered));
    }
    if stretches.len() > SHOWN {
        let more = thousands(stretches.len() - SHOWN);
        let _ = writeln!(lines, "{what}: {more} more such; --format json lists all");
    }
    lines
}

/// What is known of a run besides its pairs.
pub(crate) fn run<'a>(answer: &'a Answer) -> Run<'a> {
    let gathered = answer.gathered;
    Run {
        level: answer.level,
        texts: (0..)
            .zip(&gathered.corpus.documents)
            .filter(|(number, _)| !answer.is_old(*number))
            .map(|(_, document)| &document.text)
            .collect(),
        compared: gathered.corpus.len(),
        has_errors: gathered.has_errors,
        counts: totals(answer),
        failed: &gathered.failed,
        short: (gathered.corpus.short.iter())
            .map(|short| (answer.names.given(short.path()), short))
            .collect(),
        disguised: (gathered.disguised())
            .map(|(number, found)| (answer.given_name(number), found.join("; ")))
            .collect(),
    }
}

/// How many texts are compared, and how many are not.
pub(crate) fn totals(answer: &Answer) -> String {
    let gathered = answer.gathered;
    let mut line = format!("{} compared", counted(gathered.corpus.len(), "text"));
    let short = gathered.corpus.short.len();
    if short > 0 {
        let _ = write!(line, "; {} too short", thousands(short));
    }
    for (why, count) in gathered.skipped.counts() {
        let _ = write!(line, "; {} skipped: {}", thousands(count), why.name());
    }
    if !gathered.failed.is_empty() {
        let _ = write!(line, "; {} failed", thousands(gathered.failed.len()));
    }
    line
}

// The answer for programs: one object by `dedup.corpus.schema.json`, around records that are
// written already.

#[derive(Serialize)]
struct Head {
    schema: &'static str,
    tool: Tool,
    level: &'static str,
    texts: usize,
    too_short: TooShort,
    disguised: Vec<DisguisedRecord>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    properties: Vec<NamedRecord>,
    skipped: Vec<SkippedRecord>,
}

/// What stands behind what failed.
#[derive(Serialize)]
struct Rest {
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    settings: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    common: Option<Vec<CommonRecord>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    widespread: Option<Vec<CommonRecord>>,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

/// Texts that are too short to be compared.
#[derive(Serialize)]
struct TooShort {
    count: usize,
    paths: Vec<String>,
}

/// A text whose properties name another person than its own.
#[derive(Serialize)]
struct NamedRecord {
    name: String,
    said: Vec<String>,
}

/// A text that is not what it looks like.
#[derive(Serialize)]
struct DisguisedRecord {
    name: String,
    found: Vec<String>,
}

/// What was skipped in folders.
#[derive(Serialize)]
struct SkippedRecord {
    why: &'static str,
    count: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    names: Vec<String>,
}

/// What too many texts have.
#[derive(Serialize)]
struct CommonRecord {
    words: usize,
    texts: usize,
    path: String,
    spans: &'static str,
    bytes: [usize; 2],
    lines: [usize; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<[usize; 2]>,
    excerpt: String,
}

fn common(stretch: &CommonStretch) -> CommonRecord {
    CommonRecord {
        words: stretch.words,
        texts: stretch.texts,
        path: display_path(&stretch.path).into_owned(),
        spans: if stretch.is_shown_as_stored { "file" } else { "text" },
        bytes: [stretch.place.bytes.start, stretch.place.bytes.end],
        lines: stretch.place.lines,
        pages: stretch.place.pages.map(|pages| pages.numbers),
        excerpt: stretch.excerpt.clone(),
    }
}

/// The object, with records parted by commas under a name.
pub(crate) fn object(answer: &Answer, name: &str, records: Spool) -> anyhow::Result<Whole> {
    object_with(answer, "", name, records)
}

/// The same with a field that is written already before the records; nothing for none.
pub(crate) fn object_with(
    answer: &Answer,
    field: &str,
    name: &str,
    records: Spool,
) -> anyhow::Result<Whole> {
    let gathered = answer.gathered;
    let short = &gathered.corpus.short;
    let path = |path| display_path(path).into_owned();
    let head = Head {
        schema: "dedup.corpus/1",
        tool: Tool { name: "dedup", version: env!("CARGO_PKG_VERSION") },
        level: answer.level.name(),
        texts: gathered.corpus.len(),
        too_short: TooShort {
            count: short.len(),
            paths: short.iter().map(|short| path(short.path())).collect(),
        },
        disguised: (gathered.disguised())
            .map(|(number, found)| DisguisedRecord { name: answer.given_name(number), found })
            .collect(),
        properties: (gathered.named_otherwise())
            .map(|(number, said)| NamedRecord { name: answer.given_name(number), said })
            .collect(),
        skipped: gathered
            .skipped
            .counts()
            .map(|(why, count)| SkippedRecord {
                why: why.code(),
                count,
                names: gathered.skipped.files(why).map(str::to_owned).collect(),
            })
            .collect(),
    };
    let rest = Rest {
        since: answer.options.since.clone(),
        settings: answer.options.settings.clone(),
        common: answer.recipe.common.map(|_| gathered.corpus.common.iter().map(common).collect()),
        widespread: answer.found.get().map(|found| found.widespread.iter().map(common).collect()),
    };
    let (head, rest) = (inert::json(&head)?, inert::json(&rest)?);
    // What follows takes the place of the braces that end the head and enclose the rest.
    let (head, rest) = (&head[..head.len() - 1], &rest[1..rest.len() - 1]);
    let comma = if rest.is_empty() { "" } else { "," };
    let field = if field.is_empty() { String::new() } else { format!(",{field}") };
    let failed = gathered.failed.written(",", |failed| inert::json(failed).unwrap_or_default())?;
    Ok(Whole::from(format!("{head},\"failed\":["))
        .with_records(failed)
        .with_text(format!("]{comma}{rest}{field},\"{name}\":["))
        .with_records(records)
        .with_text("]}\n"))
}
