//! `dedup calibrate PAIRS.tsv`: chooses limits from labelled pairs.
//!
//! Input: the flags. Output: for each measure of a verdict, its limit and how well it performs, as
//! text with a plot, as JSON, as a web page, and as a settings file. The statistics are computed by
//! the library.

pub(crate) mod lines;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use dedup_text::calibration::{Calibration, Chosen, Label, Labelled, OneSided, Rung, Scores};
use dedup_text::corpus::labelled_pairs;
use dedup_text::display::{counted, path, thousands};
use dedup_text::pair::Recipe;
use dedup_text::parallel;
use dedup_text::text::{ReadTextError, Text, display_path};

use crate::args::{self, CalibrateFlags};
use crate::config;
use crate::diagnostics::{self, Diagnostic, Exit, MAX_SHOWN, note_more};
use crate::io::disk;
use crate::io::inputs::source::check_disguises;
use crate::io::output::{self, is_output};
use crate::model::{Color, Format, name_of_line};
use crate::progress::{Progress, Stage};
use crate::render::calibration::{self, Answer, Gathered, Kept, LeftOut, json};
use lines::{Labels, Lines, Pairs};

/// Runs `dedup calibrate`: reads the labelled pairs, chooses limits, and writes the outputs.
pub(crate) fn answer(flags: &CalibrateFlags) -> anyhow::Result<Exit> {
    let recipe = flags.recipe()?;
    check(flags)?;
    let progress = Progress::of_run(!flags.quiet);
    let gathered = gather(flags, &recipe, &progress)?;
    let calibration = Calibration::new(
        &gathered.pairs,
        gathered.names.len(),
        flags.rung,
        &recipe.limits,
        flags.threads.number(),
    )
    .map_err(|sides| one_sided(sides, &gathered.left_out))?;
    drop(progress);
    let answer = Answer {
        recipe: &recipe,
        gathered: &gathered,
        calibration: &calibration,
        list: &flags.pairs,
        settings_file: flags.settings_file.as_deref(),
        settings: flags.settings.name(),
        figures: &flags.figures,
        kept: kept(flags, &calibration),
        level_key: flags.level_key(),
        stopwords: flags.stopwords_as_given(),
    };
    #[cfg(feature = "report")]
    if let Some(file) = &flags.report {
        output::write_file(file, &calibration::page::render(&answer)?)?;
    }
    if let Some(file) = &flags.settings_file {
        output::write_file(file, &settings_file(&answer))?;
    }
    for (format, file) in flags.files() {
        output::write_file(file, &render(&answer, format)?)?;
    }
    if !flags.quiet {
        output::write(&render(&answer, flags.printed())?, Color::Never)?;
    }
    Ok(if gathered.left_out.has_failed() { Exit::Error } else { Exit::Success })
}

/// Makes the error for a list whose pairs all have the same label, or that has no pairs.
fn one_sided(sides: OneSided, left_out: &LeftOut) -> Diagnostic {
    let all = |pairs: usize, answer: &str| match pairs {
        1 => format!("the only pair is a {answer}"),
        pairs => format!("all {pairs} pairs are a {answer}"),
    };
    let found = match sides {
        OneSided { positives: 0, negatives: 0 } => "no usable pair".to_owned(),
        OneSided { positives, negatives: 0 } => all(positives, "yes"),
        OneSided { negatives, .. } => all(negatives, "no"),
    };
    let error = Diagnostic::new(format!("{found}, expected pairs of both labels"));
    match calibration::skipped(left_out).as_str() {
        "" => error.hint("a limit separates the pairs labelled yes from those labelled no"),
        skipped => error
            .hint(format!("--yes LABEL and --no LABEL set which labels count; skipped: {skipped}")),
    }
}

fn render(answer: &Answer, format: Format) -> anyhow::Result<String> {
    match format {
        Format::Json => json::render(answer),
        _ => Ok(output::plain(&calibration::render(answer))),
    }
}

// A list of pairs → their figures, with counts of what was left out.

/// Reads the list and its texts, and compares each pair. The first [`MAX_SHOWN`] errors in lines
/// and the first [`MAX_SHOWN`] errors in texts are printed. Lines and texts with errors are left
/// out.
///
/// # Errors
///
/// Returns an error if the list cannot be read, if an output would overwrite a text, or if none of
/// the texts can be read.
pub(crate) fn gather(
    flags: &CalibrateFlags,
    recipe: &Recipe,
    progress: &Progress,
) -> anyhow::Result<Gathered> {
    let base = match (&flags.base, flags.pairs.parent()) {
        (Some(base), _) => base,
        (None, Some(folder)) if flags.pairs != Path::new("-") => folder,
        _ => Path::new(""),
    };
    let list = disk::read(&flags.pairs, flags.reading()?.max_bytes)?;
    let labels = Labels::new(flags.labels(), flags.has_own_labels());
    let lines = Lines::read(&list, &labels, |name| base.join(name).is_file());
    let place = |line: usize| name_of_line(&flags.pairs, line as u64);
    for (at, wrong) in lines.wrong.iter().enumerate() {
        let mut error = Diagnostic::new(format!("{}: {}", place(wrong.number), wrong.what));
        if let Some(hint) = wrong.hint.filter(|_| at == 0) {
            error = error.hint(hint);
        }
        diagnostics::print(&error.into());
    }
    note_more(lines.wrong_count, |more| counted(more, "line") + " more");
    let pairs = Pairs::new(&lines, base);
    let outputs = flags.outputs()?;
    pairs.paths.iter().try_for_each(|path| outputs.check(output::text(path), path))?;
    if let Some(file) = flags.settings_file.as_deref().filter(|_| flags.force) {
        config::lines_of_entries(file, &args::settings())?;
    }
    let mut left_out = LeftOut {
        wrong_lines: lines.wrong_count,
        skipped: lines.skipped,
        repeated: pairs.repeated,
        with_itself: pairs.with_itself,
        ..LeftOut::default()
    };
    for [one, other] in pairs.contradictory.iter().take(MAX_SHOWN) {
        let what = format!("the same pair as in line {one}, with another label");
        diagnostics::warn(&place(*other), &format!("{what}; the pair is left out"));
    }
    note_more(pairs.contradictory.len(), |more| counted(more, "such pair") + " more");
    left_out.contradictory = pairs.contradictory;
    let (numbers, opened, failed) = open(flags, &pairs.paths, &pairs.labelled, progress)?;
    left_out.failed_texts = failed;
    let place = |text: u32| u32::try_from(numbers.binary_search(&text).ok()?).ok();
    let read: Vec<([u32; 2], [u32; 2], Label)> = (pairs.labelled.iter())
        .filter_map(|(texts, label)| Some((*texts, [place(texts[0])?, place(texts[1])?], *label)))
        .collect();
    left_out.failed_pairs = pairs.labelled.len() - read.len();
    let both: Vec<[u32; 2]> = read.iter().map(|(_, places, _)| *places).collect();
    let advance = progress.begin(Stage::Settling, 0);
    let compared = labelled_pairs::compare(&opened, &both, recipe, flags.threads.number(), advance);
    let mut short = BTreeSet::new();
    let mut labelled = Vec::new();
    for ((texts, _, label), compared) in read.into_iter().zip(compared) {
        match compared {
            Ok(comparison) => labelled.push(Labelled { texts, label, comparison }),
            Err(undecided) => {
                short.insert(undecided.path().to_owned());
                left_out.short_pairs += 1;
            }
        }
    }
    left_out.short_texts = short.len();
    Ok(Gathered { names: pairs.names, pairs: labelled, left_out })
}

/// Opens the texts that are in a pair, on all threads, and prints the first errors. Returns the
/// numbers of the texts that can be read, in increasing order, these texts, and how many texts
/// cannot be read.
///
/// # Errors
///
/// Returns an error if none of the texts can be read.
fn open(
    flags: &CalibrateFlags,
    paths: &[PathBuf],
    pairs: &[([u32; 2], Label)],
    progress: &Progress,
) -> anyhow::Result<(Vec<u32>, Vec<Text>, usize)> {
    let reading = flags.reading()?;
    let texts: BTreeSet<u32> = pairs.iter().flat_map(|(texts, _)| *texts).collect();
    let path = |text: &u32| &paths[*text as usize];
    let bytes = texts.iter().map(|text| disk::size(path(text)));
    let read = progress.begin(Stage::Reading, bytes.sum::<Option<u64>>().unwrap_or_default());
    let open = |text: &u32| -> anyhow::Result<Text> {
        let path = path(text);
        let opened = match Text::open(path, &reading) {
            Err(missing @ ReadTextError::Missing { .. }) => {
                let hint =
                    "paths are relative to the folder of the list; --base DIR sets another folder";
                return Err(Diagnostic::new(missing.to_string()).hint(hint).into());
            }
            opened => opened?,
        };
        read.add(disk::size(path).unwrap_or_default());
        check_disguises(&opened, flags.comparing.opening.disguises)?;
        Ok(opened)
    };
    let opened = parallel::map(flags.threads.number(), &texts, |text| (*text, open(text)));
    // If no text can be read, the folder is probably wrong, so one error is enough.
    if !opened.is_empty() && opened.iter().all(|(_, text)| text.is_err()) {
        let first = opened.into_iter().find_map(|(_, text)| text.err());
        return Err(first.unwrap_or_else(|| anyhow::anyhow!("no text")))
            .with_context(|| format!("none of {} can be read", counted(texts.len(), "text")));
    }
    let (mut numbers, mut readable, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    for (number, text) in opened {
        match text {
            Ok(text) => {
                if let Some(damage) = text.damage() {
                    diagnostics::warn(&display_path(text.path()), damage);
                }
                numbers.push(number);
                readable.push(text);
            }
            Err(error) => failed.push(error),
        }
    }
    failed.iter().take(MAX_SHOWN).for_each(diagnostics::print);
    note_more(failed.len(), |more| counted(more, "text") + " more");
    Ok((numbers, readable, failed.len()))
}

// The best limits → a settings file, with the other limits as comments.

/// The settings that the file always contains because the limits depend on them, each as its key
/// and its default value.
const FIGURES: [(&str, &str); 4] =
    [("min", "1"), ("max", "3"), ("stopwords", "\"on\""), ("stem", "\"on\"")];

/// Returns an error if the settings file would have relative paths of other files and is not in the
/// working folder, to which these paths are relative.
pub(crate) fn check(flags: &CalibrateFlags) -> Result<(), Diagnostic> {
    let Some(file) = &flags.settings_file else { return Ok(()) };
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    let is_working_folder = |folder: &Path| {
        let [folder, working] = [folder, Path::new(".")].map(|it| it.canonicalize().ok());
        folder.is_some() && folder == working
    };
    let is_here = is_output(file) || folder.is_none_or(is_working_folder);
    let stopwords = flags.stopwords_as_given();
    let is_list = !["on", "off"].iter().any(|word| stopwords == Path::new(word));
    let names_file = |(key, _): &&(String, String)| match key.as_str() {
        "template" => flags.comparing.evidence.template_files().any(Path::is_relative),
        "stopwords" => is_list && stopwords.is_relative(),
        _ => false,
    };
    match flags.figures.iter().find(names_file) {
        Some((_, line)) if !is_here => Err(Diagnostic::new(format!(
            "--settings {} and {line}, expected a file in the working folder",
            path(file)
        ))
        .hint(
            "paths in a settings file are relative to its folder; an absolute path is read anywhere",
        )),
        _ => Ok(()),
    }
}

/// Renders the settings file: the settings that the limits depend on, the best limits, and the
/// other limits as comments. If the current limits do better, they stay, and all others are
/// comments.
pub(crate) fn settings_file(answer: &Answer) -> String {
    let calibration = answer.calibration;
    let [yes, no] = [calibration.all.positives, calibration.all.negatives].map(thousands);
    let held = if calibration.together.is_some() {
        "on other texts than those the limits were chosen on"
    } else {
        "on the same texts that the limits were chosen on"
    };
    let rung = calibration.rung;
    let mut page = format!(
        "# Limits that dedup calibrate chose for {}, by {}: {yes} pairs yes, {no} no.\n# Figures \
         are measured {held}; ranges in brackets hold in 95 of 100 draws.\n# Limits of other \
         verdicts are not chosen; they are listed only if they were given.\n",
        rung.level(),
        path(answer.list)
    );
    if let Some(always) = calibration::always(answer) {
        let _ = writeln!(page, "# With the other limits, {always}.");
    }
    for warning in &calibration.warnings {
        let _ = writeln!(page, "# warning: {}", calibration::describe_warning(warning, answer).1);
    }
    page += "\n# The settings that the limits were chosen with.\n";
    let is_worse = calibration.is_worse();
    let set: Vec<&(String, String)> = repeated(answer.figures, calibration).collect();
    for (key, usual) in FIGURES {
        if !set.iter().any(|(known, _)| known == key) {
            let _ = writeln!(page, "{key} = {usual}");
        }
    }
    for (_, line) in set {
        let _ = writeln!(page, "{line}");
    }
    let level = rung.level();
    let best = answer.best();
    let _ = writeln!(page, "\n{} = \"{level}\"", answer.level_key);
    if is_worse {
        page += "\n# The current limits do better than the rule that was chosen, so no others are \
                 set.\n";
        let _ = writeln!(page, "# Current limits: {}", scored(&calibration.current.1));
    } else {
        let _ = write!(page, "\n# {}\n{}", rendered(best), limits(best));
    }
    let is_comment = |chosen: &&Chosen| is_worse || chosen.measures != best.measures;
    for chosen in calibration.chosen.iter().filter(is_comment) {
        let limits = limits(chosen);
        let lines = limits.lines().fold(String::new(), |all, line| all + "# " + line + "\n");
        let _ = write!(page, "\n# Instead: {}\n{lines}", rendered(chosen));
    }
    let kept = |is_active| -> String {
        let kept = answer.kept.iter().filter(|kept| kept.is_active == is_active);
        kept.map(|kept| kept.lines.as_str()).collect()
    };
    for (title, lines) in [
        ("Other settings of the file that was replaced", kept(true)),
        ("Settings of that file that the limits were not chosen with", kept(false)),
    ] {
        if !lines.is_empty() {
            let _ = write!(page, "\n# {title}:\n\n{lines}");
        }
    }
    page
}

/// Returns the entries of the settings file that is replaced which the new file does not set. Those
/// that would change the figures or the rule that was chosen are kept as comments.
fn kept(flags: &CalibrateFlags, calibration: &Calibration) -> Vec<Kept> {
    let rung = flags.rung;
    let is_limit = |key: &str| {
        let limits = rung.measures().map(|measure| calibration::flag(measure, rung));
        !calibration.is_worse() && limits.contains(&key)
    };
    let is_set = |key: &str| {
        is_limit(key)
            || ["at-least", "fail-on"].contains(&key)
            || FIGURES.iter().any(|(known, _)| *known == key)
            || repeated(&flags.figures, calibration).any(|(known, _)| known == key)
    };
    let kept = flags.replaced.iter().filter(|(key, _)| !is_set(key)).map(|(key, lines)| {
        let is_of_figures = CalibrateFlags::FIGURES.contains(&key.as_str());
        let mut code = lines.lines().filter_map(|line| line.split('#').next());
        let is_off = key == "passages" && code.any(|code| code.contains("off"));
        let needs_passages = rung == Rung::Partial && is_off;
        let is_active = !is_of_figures && !needs_passages;
        let lines = if is_active {
            lines.clone()
        } else {
            lines.split_inclusive('\n').flat_map(|line| ["# ", line]).collect()
        };
        Kept { key: key.clone(), lines, is_active }
    });
    kept.collect()
}

/// Returns the settings that the new file repeats: all that figures depend on, without the limits
/// that are chosen, unless the current limits do better.
fn repeated<'f>(
    figures: &'f [(String, String)],
    calibration: &Calibration,
) -> impl Iterator<Item = &'f (String, String)> {
    let own = if calibration.is_worse() { &[] } else { own_keys(calibration.rung) };
    figures.iter().filter(move |(key, _)| !own.contains(&key.as_str()))
}

/// Renders a rule and its scores.
fn rendered(chosen: &Chosen) -> String {
    format!("{}.\n# {}", calibration::sentence(chosen), scored(&chosen.scores))
}

/// Renders precision, recall and F1, each with its interval.
fn scored(scores: &Scores) -> String {
    let figures = calibration::figures(scores).map(|(share, of)| format!("{share} ({of})"));
    let [precision, recall, f1] = figures;
    format!("precision {precision}, recall {recall}, F1 {f1}")
}

/// Returns the keys of the limits that are chosen for a verdict. Given values of them are not
/// repeated in the file.
fn own_keys(rung: Rung) -> &'static [&'static str] {
    match rung {
        Rung::NearDuplicate => &["hamming", "jaccard"],
        Rung::Partial => &["partial-jaccard", "coverage", "containment"],
    }
}

/// Renders the limits of a rule as lines of a settings file.
fn limits(chosen: &Chosen) -> String {
    let rule = &chosen.rule;
    let line = |measure| {
        let value = rule.limit_of(measure).map_or("\"off\"".to_owned(), calibration::format_limit);
        format!("{} = {value}\n", calibration::flag(measure, rule.rung))
    };
    rule.rung.measures().map(line).concat()
}
