//! Renders the pairs that were found in a corpus as text, as records, and as a report.

use std::fmt::Write;
use std::path::Path;

use dedup_text::corpus::CommonStretch;
use dedup_text::display::{counted, decimal, first_position, inert, thousands, visible, wrapped};
use dedup_text::jaccard::Share;
use dedup_text::pair::Undecided;
use dedup_text::record::Tool;
use dedup_text::sketch::Coverage;
use dedup_text::text::display_path;
use dedup_text::verdict::Verdict;
use serde::Serialize;

use super::model::{Answer, Duplicates, JudgedCluster, JudgedPairs, JudgedRow, Levels};
use crate::exports::{Format, Run, TextRemark, found};
use crate::model::excluded::Excluded;
use crate::model::findings::{Finding, Findings, FoundAt, listed};
use crate::model::found::{Age, FailedRecord, Skipped};
use crate::model::gathered::Gathered;
use crate::model::keeping::{KeepBy, Keeping};
use crate::model::names::Names;
use crate::model::phrases::{hundredths, same_and_changed, shared_by};
use crate::model::remarks::RemarkKind;
use crate::model::rendered::{JsonObject, Rendered, Spool};
use crate::render::answer::in_row;
use crate::render::records::{CLUSTER_SCHEMA, ClusterRecord, KeptRecord, LinkRecord};
use crate::render::render_paths;

// The answer for people: a line for each pair, the closest first, and the counts.

/// Renders the closest pairs, the closest first, and how many more there are. With
/// [`Task::Nearest`](super::model::Task::Nearest), the rows stay in their order: for each
/// text, the nearest first.
pub(crate) fn render_pairs(answer: &Answer, pairs: &JudgedPairs, findings: &Findings) -> String {
    let is_nearest = answer.options.task.is_nearest();
    let lists_all = is_nearest || answer.options.rows.is_none();
    let is_summarized = |JudgedRow { pair, .. }: &JudgedRow| {
        !lists_all && findings.of_several_alone.contains(&(pair.a, pair.b))
    };
    let is_listed =
        |row: &&JudgedRow| is_nearest || row.verdict >= answer.level && !is_summarized(row);
    let mut rows: Vec<(usize, JudgedRow)> =
        pairs.rows.iter().filter(is_listed).copied().enumerate().collect();
    rows.sort_by(|(_, one), (_, other)| one.closest_first(other));
    rows.truncate(answer.options.rows.unwrap_or(usize::MAX));
    if is_nearest {
        rows.sort_by_key(|(at, _)| *at);
    }
    let rows: Vec<JudgedRow> = rows.into_iter().map(|(_, row)| row).collect();
    let summarized = pairs.rows.iter().filter(|row| is_summarized(row)).count();
    let mut page = set_aside(answer) + &lines(answer, &rows);
    page += &more_rows(pairs.listed - rows.len() - summarized, rows.len());
    page += &in_several(answer, findings, summarized);
    page += &found(pairs.reaching, answer.level);
    page.extend(accepted_earlier(answer, pairs).map(|pairs| format!("; {pairs}")));
    page += &left_out(answer);
    page += "\n";
    page + &counts(answer) + &remarks(answer)
}

/// The largest number of places of a finding that the answer names.
const PLACES: usize = 3;

/// Renders the passages in more than two texts, and how many excerpts, which are not listed, share nothing
/// else.
fn in_several(answer: &Answer, findings: &Findings, excerpts: usize) -> String {
    let several = answer.in_several(findings);
    let mut page = String::new();
    for finding in several.iter().take(SHOWN) {
        let place = |it: &FoundAt| it.named(&visible(&answer.name(it.number)));
        page += &wrapped(&finding.described(), WIDTH, 2);
        let places = listed(&finding.places, PLACES, place);
        page = page + "  " + &wrapped(&places, WIDTH - 2, 4);
    }
    if let Some(more @ 1..) = several.len().checked_sub(SHOWN) {
        let what = counted(more, "more passage");
        let _ = writeln!(page, "{what} in several texts: --format markdown lists them");
    }
    if excerpts > 0 {
        let (pairs, verb) =
            (counted(excerpts, "excerpt"), if excerpts == 1 { "shares" } else { "share" });
        let what =
            format!("{pairs} {verb} only what more than two texts have: --rows all lists them");
        page += &wrapped(&what, WIDTH, 2);
    }
    page
}

/// Describes how many pairs are not listed, although they belong to the answer.
fn more_rows(more: usize, listed: usize) -> String {
    if more == 0 {
        return String::new();
    }
    let more = counted(more, "more pair");
    let hint = "--rows all lists them, --format csv writes them";
    match listed {
        0 => format!("{more}: {hint}\n"),
        _ => format!("and {more}: {hint}\n"),
    }
}

/// Describes how many pairs were accepted earlier, or existed at an earlier commit already.
pub(super) fn accepted_earlier(
    answer: &Answer,
    pairs: &JudgedPairs,
) -> impl Iterator<Item = String> {
    let JudgedPairs { accepted, were_there, .. } = pairs;
    let accepted = (*accepted > 0).then(|| format!("{} accepted earlier", thousands(*accepted)));
    let there = answer.options.since.as_ref().map(|since| {
        let were = if *were_there == 1 { "was" } else { "were" };
        format!("{} {were} already there at {}", thousands(*were_there), visible(since))
    });
    accepted.into_iter().chain(there)
}

/// Renders a line for each pair: the shares of the texts that their passages cover, for a pair
/// without a passage the Jaccard index, and `?` if the texts could not be read again. With
/// `--passages off`, or with `--details`, the lines have the figures of the shingles.
fn lines(answer: &Answer, rows: &[JudgedRow]) -> String {
    let columns = answer.options.columns;
    let (has_shares, has_figures) = (columns.has_shares(), columns.has_figures());
    let has_changes = |row: &JudgedRow| row.shared.is_some_and(|it| it.coverage.has_changes());
    let (head, each) =
        if rows.iter().any(has_changes) { ("same+changed", 5) } else { ("shared", 3) };
    let width = 2 * each + " |  %  ".len();
    let mut page = String::new();
    if !rows.is_empty() {
        if has_shares {
            let _ = write!(page, "{head:<width$}");
        }
        page += if has_figures { "Jaccard  Hamming  " } else { "" };
        page += "verdict         left | right\n";
    }
    for row in rows {
        let JudgedRow { pair, verdict, shared, .. } = row;
        let both = |left: &str, right: &str| format!("{left:>each$} | {right:>each$} %");
        let shares = match shared {
            _ if !has_shares => String::new(),
            None if *verdict == Verdict::Identical => both("100", "100"),
            None => format!("{:>each$}", "?"),
            Some(_) if row.is_without_passage() => {
                format!("{:>each$} %", format!("~{}", hundredths(pair.all.jaccard())))
            }
            Some(shared) => {
                let [left, right] = [0, 1].map(|side| same_and_changed(&shared.coverage, side));
                both(&left, &right)
            }
        };
        if has_shares {
            let _ = write!(page, "{shares:<width$}");
        }
        if has_figures {
            let jaccard = pair.all.jaccard().map_or("none  ".to_owned(), decimal);
            let _ = write!(page, "{jaccard}   {:>2} bits  ", pair.hamming);
        }
        let later = answer.later(pair);
        let [left, right] = [pair.a, pair.b].map(|text| {
            visible(&answer.name(text))
                + answer.mark(text)
                + if later == Some(text) { " (later)" } else { "" }
        });
        let _ = writeln!(page, "{}  {left} | {right}", in_row(*verdict));
        for said in answer.gathered.named_in_both(pair.a, pair.b) {
            let _ = writeln!(page, "               {}", visible(&said));
        }
    }
    let is_unknown = |row: &JudgedRow| row.shared.is_none() && row.verdict != Verdict::Identical;
    if has_shares && rows.iter().any(is_unknown) {
        page += "?: texts that cannot be read again; --passages on keeps them\n";
    }
    page
}

/// Describes the pairs below the level: the number of pairs of each verdict, if it is known,
/// otherwise the flag that finds them.
fn left_out(answer: &Answer) -> String {
    if answer.options.task.is_nearest() || answer.level <= Verdict::Excerpt {
        return String::new();
    }
    if let Some(max_pairs) = &answer.found.exceeded {
        let pairs = counted(*max_pairs, "pair");
        return format!("; more than {pairs} with anything in common");
    }
    let found = answer.found.by_passages.as_ref();
    let Some(found) = found.filter(|_| answer.options.levels == Levels::All) else {
        let can_look = answer.options.names_levels
            && answer.recipe.limits.coverage.is_some()
            && answer.level > Verdict::Partial;
        let hint = "; --at-least excerpt finds smaller shares";
        return if can_look { hint.to_owned() } else { String::new() };
    };
    let listed = found.pairs.iter().map(|(pair, verdict)| ((pair.a, pair.b), *verdict));
    let all = listed.chain(found.counted.iter().copied());
    let all = all
        .filter(|((a, b), _)| answer.gathered.is_in_focus(*a) || answer.gathered.is_in_focus(*b));
    let count = |verdict| all.clone().filter(|(_, it)| *it == verdict).count();
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

/// Returns the paths of the texts that are in a shown pair that was not accepted earlier, in the
/// order of the texts.
pub(crate) fn paths<'a>(answer: &'a Answer, pairs: &JudgedPairs) -> impl Iterator<Item = &'a Path> {
    pairs.texts.iter().map(|number| answer.document(*number).text.path())
}

/// Renders the numbers of texts that were and were not compared, the settings file, and the
/// stretches that too many texts share.
pub(crate) fn counts(answer: &Answer) -> String {
    let mut totals = totals(answer);
    if let Some(settings) = &answer.options.settings {
        let _ = write!(totals, "; settings: {}", visible(settings));
    }
    let lines = std::iter::once(totals).chain(answer.gathered.grouped.described());
    let lines = lines.chain(Excluded::new(answer.gathered, answer.recipe).map(|it| it.to_string()));
    let page: String = lines.map(|line| wrapped(&line, WIDTH, 2)).collect();
    page + &shared_by_many(answer)
}

/// The largest number of texts that are named of those which share a passage.
const MEMBERS: usize = 3;

/// Renders the passages that many texts share, but fewer than half, each with these texts.
fn shared_by_many(answer: &Answer) -> String {
    let mut page = String::new();
    for (stretch, texts) in answer.shared_by_fewer().take(SHOWN) {
        page += &stretches("Shared by many:", std::iter::once(stretch));
        let names = texts.iter().take(MEMBERS).map(|text| visible(&answer.name(*text)));
        let names = names.collect::<Vec<_>>().join(", ");
        if let Some(more) = texts.len().checked_sub(MEMBERS) {
            page += &wrapped(&format!("  in {names} and {} more", thousands(more)), WIDTH, 4);
        }
    }
    match answer.shared_by_fewer().count().checked_sub(SHOWN) {
        Some(more @ 1..) => {
            let more = thousands(more);
            page + &format!("Shared by many: {more} more such; --format json lists all\n")
        }
        _ => page,
    }
}

/// The width of the widest line of a list, in characters.
const WIDTH: usize = 80;

/// The largest number of entries that one list on the terminal shows.
const NAMED: usize = 10;

/// The smallest number of entries for texts that are not compared, however many kinds of skipped
/// files there are.
const MIN_TEXTS: usize = 3;

/// Renders the lists below the pairs: the remarks on texts, and what was not compared, with the
/// reasons.
pub(crate) fn remarks(answer: &Answer) -> String {
    let remarks = answer.gathered.remarks();
    let lines = |kind: RemarkKind| {
        let of_kind = remarks.iter().filter(move |remark| remark.kind == kind);
        list(kind.title(), NAMED, of_kind.map(|it| it.line(&answer.name(it.text))))
    };
    RemarkKind::ALL.map(lines).concat() + &not_compared(answer)
}

/// Renders what was not compared, with the reason and, if known, what to do about it. Each kind of
/// skipped files is one entry. The texts that are not compared fill the list up to [`NAMED`]
/// entries, but have at least [`MIN_TEXTS`]; the others are counted.
fn not_compared(answer: &Answer) -> String {
    let Gathered { failed, corpus, skipped, .. } = answer.gathered;
    let kinds = skipped.by_kind();
    let left = NAMED.saturating_sub(kinds.len()).max(MIN_TEXTS);
    let lines = left + kinds.len();
    let [failures, shorts] = shared_out(left, [failed.len(), corpus.short.len()]);
    let more = failed.len() + corpus.short.len() - failures - shorts;
    let is_cut =
        skipped.counts().any(|(why, count)| skipped.has_names(why) && count > Skipped::MAX_NAMED);
    let failures = failed.first().iter().take(failures).map(FailedRecord::with_hint);
    let shorts = corpus.short.iter().take(shorts).map(ToString::to_string);
    let page = list("Not compared", lines, failures.chain(shorts).chain(kinds));
    match more {
        0 if is_cut => page + "  --format json lists all\n",
        0 => page,
        more => page + &format!("  and {} more; --format json lists all\n", thousands(more)),
    }
}

/// Divides `all` lines between two lists: each gets half of them, and the lines that the other does
/// not need.
fn shared_out(all: usize, [one, other]: [usize; 2]) -> [usize; 2] {
    let of_other = other.min((all / 2).max(all.saturating_sub(one)));
    [one.min(all - of_other), of_other]
}

/// Renders the first `most` lines under a title, and how many more there are. Returns an empty
/// string if there are no lines.
fn list(title: &str, most: usize, lines: impl Iterator<Item = String>) -> String {
    let (mut page, mut more) = (String::new(), 0);
    for (line, number) in lines.zip(0..) {
        if number == 0 {
            let _ = writeln!(page, "\n{title}:");
        }
        if number < most {
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

/// The largest number of stretches that are shown.
const SHOWN: usize = 5;

/// Renders what the answer begins with: what counts in no text because many texts have it, and what
/// half of them share.
pub(crate) fn set_aside(answer: &Answer) -> String {
    stretches("Set aside:", answer.gathered.set_aside().iter())
        + &stretches("Sheet or common source?", answer.shared_by_half())
}

/// Renders the stretches that many texts share, the longest first. `what` describes how they are
/// treated.
fn stretches<'s>(what: &str, stretches: impl Iterator<Item = &'s CommonStretch>) -> String {
    let (mut lines, mut more) = (String::new(), 0_usize);
    for (stretch, at) in stretches.zip(0..) {
        let CommonStretch { path, place, excerpt, .. } = stretch;
        if at >= SHOWN {
            more += 1;
            continue;
        }
        let place = format!("{}, {}", display_path(path), first_position(place));
        let quoted = format!("\"{excerpt}\" ({place})");
        let line = format!("{what} {}: {}", shared_by(stretch), visible(&quoted));
        lines += &wrapped(&line, WIDTH, 2);
    }
    if more > 0 {
        let more = thousands(more);
        let _ = writeln!(lines, "{what} {more} more such; --format json lists all");
    }
    lines
}

/// Returns the facts about a run that are not about a single pair.
pub(crate) fn run<'a>(
    answer: &'a Answer,
    pairs: &JudgedPairs,
    findings: &'a [Finding<'a>],
) -> Run<'a> {
    let gathered = answer.gathered;
    let excluded = Excluded::new(answer.gathered, answer.recipe);
    Run {
        names: &answer.names,
        level: answer.level,
        weight: answer.options.weight,
        pairs: pairs.shown,
        reaching: pairs.reaching,
        findings,
        texts: (0..)
            .zip(&gathered.corpus.documents)
            .filter(|(number, _)| !answer.is_old(*number))
            .map(|(_, document)| &document.text)
            .collect(),
        compared: gathered.corpus.len(),
        has_errors: gathered.has_errors,
        disguises: gathered.disguises,
        counts: (std::iter::once(totals(answer)).chain(gathered.grouped.described()))
            .chain(excluded.iter().map(ToString::to_string))
            .collect::<Vec<_>>()
            .join("; "),
        excluded,
        failed: &gathered.failed,
        settings: answer.options.settings.as_deref(),
        skipped: gathered.skipped.renamed(|name| answer.names.plain_path(Path::new(name))),
        short: (gathered.corpus.short.iter())
            .map(|short| (answer.names.plain_path(short.path()), short))
            .collect(),
        remarks: (gathered.remarks().into_iter())
            .map(|remark| {
                let name = answer.names.plain(&answer.document(remark.text).text);
                TextRemark {
                    found: remark.found.join("; "),
                    line: remark.line(&name),
                    kind: remark.kind,
                    name,
                }
            })
            .collect(),
        left_out: (gathered.set_aside().iter())
            .map(|stretch| (answer.names.plain_path(&stretch.path), stretch))
            .collect(),
        widespread: answer.found.widespread.iter().map(|(stretch, _)| stretch).collect(),
    }
}

/// Describes how many texts were compared, and how many were not.
fn totals(answer: &Answer) -> String {
    let gathered = answer.gathered;
    let mut line = gathered.compared();
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
    if answer.found.skips_reworded() {
        line += "; pairs that share only reworded sentences were not looked for";
    }
    line
}

// The answer for programs: one object, which conforms to `dedup.corpus.schema.json`, around records
// that are rendered already.

/// The number of pairs that are not compared for a reason.
#[derive(Serialize)]
struct GroupedRecord {
    why: &'static str,
    count: usize,
}

/// The texts that are too short to be compared.
#[derive(Serialize)]
struct TooShort {
    count: usize,
    paths: Vec<String>,
}

/// A text of which more than a third is left out, or whose properties name a person other than its
/// own.
#[derive(Serialize)]
struct NamedRecord {
    name: String,
    remarks: Vec<String>,
}

/// A text with disguises.
#[derive(Serialize)]
struct DisguisedRecord {
    name: String,
    found: Vec<String>,
}

/// The skipped files of one kind.
#[derive(Serialize)]
struct SkippedRecord {
    why: &'static str,
    count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    names: Vec<String>,
}

/// A stretch that too many texts share.
#[derive(Serialize)]
struct CommonRecord {
    words: usize,
    texts: usize,
    of: usize,
    path: String,
    spans: &'static str,
    bytes: [usize; 2],
    lines: [usize; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<[usize; 2]>,
    excerpt: String,
    /// The texts that share it; empty if it was left out of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    paths: Vec<String>,
}

fn common(stretch: &CommonStretch, names: &Names, paths: Vec<String>) -> CommonRecord {
    CommonRecord {
        words: stretch.words,
        texts: stretch.texts,
        of: stretch.of,
        path: names.given(&stretch.path),
        spans: if stretch.is_shown_as_stored { "file" } else { "text" },
        bytes: [stretch.place.bytes.start, stretch.place.bytes.end],
        lines: stretch.place.lines,
        pages: stretch.place.pages.map(|pages| pages.numbers),
        excerpt: stretch.excerpt.clone(),
        paths,
    }
}

/// Renders the object, with records separated by commas in the array `name`.
pub(crate) fn object(answer: &Answer, name: &str, records: Spool) -> anyhow::Result<Rendered> {
    Ok(object_before(answer)?.with_records(name, records).end())
}

/// Renders records as JSON lines or, if `format` is not `jsonl`, as an array of the object.
fn render_json(
    answer: &Answer,
    format: Format,
    (name, records): (&str, impl Iterator<Item: Serialize>),
    keeping: Option<KeepingRecord>,
) -> anyhow::Result<Rendered> {
    let (separator, end) = if format == Format::Jsonl { ("", "\n") } else { (",", "") };
    let mut all = Spool::new(separator);
    for record in records {
        all.add(&(inert::json(&record)? + end))?;
    }
    if format == Format::Jsonl {
        return Ok(all.into());
    }
    let object = object_before(answer)?.with_some("keeping", keeping)?;
    Ok(object.with_records(name, all).end())
}

/// Renders the fields of the object before its records.
fn object_before(answer: &Answer) -> anyhow::Result<JsonObject> {
    let gathered = answer.gathered;
    let short = &gathered.corpus.short;
    let given = |name: &str| answer.names.given(Path::new(name));
    let remarks = gathered.remarks();
    let remarks_of = |kind: RemarkKind| {
        let of_kind = remarks.iter().filter(move |remark| remark.kind == kind);
        of_kind.map(|remark| (answer.given_name(remark.text), remark.found.clone()))
    };
    let named =
        |kind| unless_empty(remarks_of(kind).map(|(name, remarks)| NamedRecord { name, remarks }));
    let disguised = remarks_of(RemarkKind::Disguised);
    let disguised = disguised.map(|(name, found)| DisguisedRecord { name, found });
    let skipped = gathered.skipped.counts().map(|(why, count)| SkippedRecord {
        why: why.code(),
        count,
        hint: why.hint(),
        names: gathered.skipped.files(why).map(given).collect(),
    });
    let grouped =
        [("group", gathered.grouped.of_group), ("person", gathered.grouped.of_person)].into_iter();
    let grouped = grouped.filter(|(_, count)| *count > 0);
    let grouped = grouped.map(|(why, count)| GroupedRecord { why, count });
    let failed = gathered.failed.written(",", |failed| {
        let failed = FailedRecord { name: given(&failed.name), ..failed.clone() };
        inert::json(&failed).unwrap_or_default()
    })?;
    let common = |stretch| common(stretch, &answer.names, Vec::new());
    let widespread = |(stretch, texts): &(CommonStretch, Vec<u32>)| {
        let paths = texts.iter().map(|text| answer.given_name(*text)).collect();
        self::common(stretch, &answer.names, paths)
    };
    let too_short = TooShort {
        count: short.len(),
        paths: short.iter().map(|short| answer.names.given(short.path())).collect(),
    };
    JsonObject::default()
        .with("schema", "dedup.corpus/1")?
        .with("tool", Tool::here())?
        .with("level", answer.level.name())?
        .with("texts", gathered.given())?
        .with_some("earlier", Some(gathered.earlier()).filter(|count| *count > 0))?
        .with("too_short", too_short)?
        .with("disguised", disguised.collect::<Vec<_>>())?
        .with_some("words_not_recognized", named(RemarkKind::NotRecognized))?
        .with_some("left_out", named(RemarkKind::LeftOut))?
        .with_some("properties", named(RemarkKind::Properties))?
        .with_some("excluded", Excluded::new(answer.gathered, answer.recipe))?
        .with("skipped", skipped.collect::<Vec<_>>())?
        .with_some("pairs_not_compared", unless_empty(grouped))?
        .with_records("failed", failed)
        .with_some("skips_reworded", Some(true).filter(|_| answer.found.skips_reworded()))?
        .with_some("since", answer.options.since.as_ref())?
        .with_some("settings", answer.options.settings.as_ref())?
        .with_some(
            "common",
            (gathered.corpus.common.as_ref())
                .map(|all| all.stretches.iter().map(common).collect::<Vec<_>>()),
        )?
        .with_some(
            "widespread",
            (answer.found.by_passages.as_ref())
                .map(|_| answer.found.widespread.iter().map(widespread).collect::<Vec<_>>()),
        )
}

fn unless_empty<T>(list: impl Iterator<Item = T>) -> Option<Vec<T>> {
    Some(list.collect()).filter(|list: &Vec<T>| !list.is_empty())
}

// Clusters, and which texts of them would be kept in a corpus.

/// Renders the clusters in a format.
pub(crate) fn render_clusters(
    answer: &Answer,
    clusters: &[JudgedCluster],
    format: Format,
) -> anyhow::Result<Rendered> {
    match format {
        Format::Json | Format::Jsonl => {
            let records = clusters.iter().map(|cluster| record(answer, cluster));
            render_json(answer, format, ("clusters", records), None)
        }
        Format::Paths | Format::Paths0 => {
            let mut members: Vec<u32> =
                clusters.iter().flat_map(|cluster| cluster.members.iter().copied()).collect();
            members.sort_unstable();
            let paths = members.into_iter().map(|member| answer.document(member).text.path());
            Ok(Rendered::from(render_paths(format, &answer.names, paths)?))
        }
        // The flags allow no other format.
        Format::Text | Format::Export(_) => {
            let mut page = set_aside(answer);
            for (cluster, number) in clusters.iter().zip(1..) {
                let _ =
                    writeln!(page, "cluster {number}: {}", counted(cluster.members.len(), "text"));
                for member in &cluster.members {
                    let _ = writeln!(
                        page,
                        "  {}{}",
                        visible(&answer.name(*member)),
                        answer.mark(*member)
                    );
                }
            }
            let _ = writeln!(page, "{}", counted(clusters.len(), "cluster"));
            Ok((page + &counts(answer) + &remarks(answer)).into())
        }
    }
}

fn record(answer: &Answer, cluster: &JudgedCluster) -> ClusterRecord {
    ClusterRecord {
        schema: CLUSTER_SCHEMA,
        members: cluster.members.iter().map(|member| answer.given_name(*member)).collect(),
        earlier: (cluster.members.iter())
            .filter(|member| answer.gathered.is_earlier(**member))
            .map(|member| answer.given_name(*member))
            .collect(),
        links: cluster.links.iter().map(|row| link(answer, row)).collect(),
    }
}

fn link(answer: &Answer, JudgedRow { pair, verdict, .. }: &JudgedRow) -> LinkRecord {
    LinkRecord {
        a: answer.given_name(pair.a),
        b: answer.given_name(pair.b),
        verdict: verdict.name(),
        hamming: pair.hamming,
        jaccard: pair.all.jaccard().map(Share::ratio),
        containment_a: pair.longest.containment_of_left().map(Share::ratio),
        containment_b: pair.longest.containment_of_right().map(Share::ratio),
    }
}

/// Returns the texts that are kept, in the order of the input, including those that are too short
/// to be compared, but not old ones.
fn kept<'a>(answer: &'a Answer, keeping: &Keeping) -> Vec<&'a Path> {
    let numbered = (0..).zip(&keeping.removed).filter(|(_, partner)| partner.is_none());
    let compared = numbered.map(|(number, _)| answer.document(number).text.path());
    let all = compared.chain(answer.corpus().short.iter().map(Undecided::path));
    let texts = &answer.gathered.texts;
    let is_old = |position: usize| texts.all().get(position).is_some_and(|it| it.age == Age::Old);
    let placed = all.map(|path| (texts.position_of(path).unwrap_or(usize::MAX), path));
    let mut kept: Vec<(usize, &Path)> = placed.filter(|(position, _)| !is_old(*position)).collect();
    kept.sort_unstable_by_key(|(position, _)| *position);
    kept.into_iter().map(|(_, path)| path).collect()
}

/// The facts about the decision on which texts to keep that are not about a single text.
#[derive(Serialize)]
struct KeepingRecord {
    keep_by: KeepBy,
    removed: usize,
    linked_more: usize,
    largest_cluster: usize,
}

/// Renders the texts that are kept, in a format.
pub(crate) fn render_kept(
    answer: &Answer,
    keeping: &Keeping,
    format: Format,
) -> anyhow::Result<Rendered> {
    let kept = kept(answer, keeping);
    let given: Vec<String> = kept.iter().map(|path| answer.names.given(path)).collect();
    match format {
        Format::Json | Format::Jsonl => {
            let records = given.iter().map(|path| KeptRecord { path });
            let decision = KeepingRecord {
                keep_by: keeping.by,
                removed: keeping.removed.iter().flatten().count(),
                linked_more: keeping.linked_more,
                largest_cluster: keeping.largest_cluster,
            };
            render_json(answer, format, ("kept", records), Some(decision))
        }
        Format::Paths | Format::Paths0 => {
            Ok(Rendered::from(render_paths(format, &answer.names, kept.iter().copied())?))
        }
        // The flags allow no other format.
        Format::Text | Format::Export(_) => {
            let shown = given.iter().map(|path| visible(path)).collect();
            let counts = set_aside(answer) + &counts(answer) + &remarks(answer);
            Ok((joined(shown) + &summary(answer, keeping, kept.len()) + &counts).into())
        }
    }
}

/// Renders the counts of [`render_kept`] for people, without the list of texts.
pub(crate) fn render_counts(answer: &Answer, keeping: &Keeping) -> String {
    let kept = kept(answer, keeping).len();
    set_aside(answer) + &summary(answer, keeping, kept) + &counts(answer) + &remarks(answer)
}

/// Describes how many texts are kept or, if duplicates are annotated, how many are duplicates; the
/// size of the largest cluster; and how many more texts would be removed by cluster.
fn summary(answer: &Answer, keeping: &Keeping, kept: usize) -> String {
    let all = answer.gathered.texts.all().iter().filter(|facts| facts.age != Age::Old).count();
    let texts = counted(all, "text");
    let mut page = match (answer.options.duplicates, all.saturating_sub(kept)) {
        (Duplicates::Removed, _) => format!("{} of {texts} kept\n", thousands(kept)),
        (Duplicates::Annotated, 1) => format!("1 of {texts} is a duplicate\n"),
        (Duplicates::Annotated, count) => {
            format!("{} of {texts} are duplicates\n", thousands(count))
        }
    };
    if keeping.largest_cluster > 0 {
        let largest = counted(keeping.largest_cluster, "text");
        let _ = write!(page, "the largest cluster has {largest}");
        let chains = keeping.chains().map(|chains| format!("; {chains}"));
        page = page + &chains.unwrap_or_default() + "\n";
    }
    page
}

fn joined(lines: Vec<String>) -> String {
    lines.into_iter().map(|line| line + "\n").collect()
}

// The results for each text that `--against` names, as text and as JSON.

/// The schema of an [`ItemRecord`].
pub(crate) const ITEM_SCHEMA: &str = "dedup.item/1";

/// A text of `--against`, which conforms to `dedup.corpus.schema.json`.
#[derive(Serialize)]
pub(crate) struct ItemRecord {
    pub(crate) schema: &'static str,
    pub(crate) id: String,
    pub(crate) found: Vec<FoundRecord>,
}

/// A new text that contains the old text or a part of it.
#[derive(Serialize)]
pub(crate) struct FoundRecord {
    pub(crate) id: String,
    pub(crate) verdict: &'static str,
    pub(crate) jaccard: Option<f64>,
    /// The shares of the words of both texts that passages cover: the same words, and changed ones.
    pub(crate) coverage: Sides<Option<f64>>,
    pub(crate) same: Sides<Option<f64>>,
    pub(crate) changed: Sides<Option<f64>>,
    /// The coverage as counts.
    #[serde(skip)]
    pub(crate) covered: Coverage,
    pub(crate) places: Vec<Sides<[usize; 2]>>,
}

/// A value for the old text and one for the new text.
#[derive(Serialize)]
pub(crate) struct Sides<T> {
    pub(crate) item: T,
    pub(crate) text: T,
}

/// Renders the records in a format.
pub(crate) fn render_items(
    answer: &Answer,
    records: &[ItemRecord],
    format: Format,
) -> anyhow::Result<Rendered> {
    match format {
        Format::Json | Format::Jsonl => {
            render_json(answer, format, ("items", records.iter()), None)
        }
        // The flags allow no other format.
        Format::Text | Format::Paths | Format::Paths0 | Format::Export(_) => {
            let mut page = set_aside(answer);
            let with = records.iter().filter(|item| !item.found.is_empty());
            let mut all = records.iter().flat_map(|item| &item.found);
            let each = if all.any(|found| found.covered.has_changes()) { 5 } else { 3 };
            for item in with.clone() {
                let _ = writeln!(page, "{}", visible(&item.id));
                for found in &item.found {
                    let [of_item, of_text] =
                        [0, 1].map(|side| same_and_changed(&found.covered, side));
                    let (verdict, id) = (found.verdict, visible(&found.id));
                    let _ = writeln!(
                        page,
                        "  {of_item:>each$} | {of_text:>each$} %  {verdict:<14}  {id}"
                    );
                }
            }
            let (with, all) = (thousands(with.count()), counted(records.len(), "text"));
            let _ = writeln!(page, "{with} of {all} of --against found");
            Ok((page + &counts(answer) + &remarks(answer)).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_shared_out_to_both_lists() {
        #[rustfmt::skip]
        let table = [
            ("nothing",              9, [0, 0],   [0, 0]),
            ("both fit",             9, [4, 5],   [4, 5]),
            ("one is long",          9, [12, 0],  [9, 0]),
            ("the other is long",    9, [0, 12],  [0, 9]),
            ("both are long",        9, [12, 12], [5, 4]),
            ("one leaves some",      9, [2, 12],  [2, 7]),
            ("the other leaves some", 9, [12, 2], [7, 2]),
            ("one line",             1, [12, 12], [1, 0]),
            ("no line",              0, [12, 12], [0, 0]),
        ];
        for (why, all, lists, want) in table {
            assert_eq!(shared_out(all, lists), want, "{why}");
        }
    }
}
