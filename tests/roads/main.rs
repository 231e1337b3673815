//! Compares random texts on every road to an answer: as a pair, in a corpus of files, of an archive
//! or of records, with earlier texts or a stored index, with little memory, with several threads,
//! and part by part. Two texts must have the same verdict, figures and passages everywhere.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod texts;
#[path = "../cli/common.rs"]
#[expect(dead_code, reason = "the other tests use the rest")]
mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::fmt::Write as _;
use std::fs;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use dedup_text::corpus::parts::{self, Counted, Counter, Parameters};
use dedup_text::corpus::{DocumentAnalyzer, labelled_pairs};
use dedup_text::language::{By, Choice, Given, Language};
use dedup_text::pair::{self, Judgement, Recipe, Search, Short};
use dedup_text::parallel::Advance;
use dedup_text::passages::{Kind, MinMatch};
use dedup_text::record::{self, RecordOptions};
use dedup_text::shingles::{Ngrams, Variety};
use dedup_text::sketch::Comparison;
use dedup_text::text::{ReadOptions, Text};
use dedup_text::tokens::exclusions::Why;
use dedup_text::verdict::Verdict;
use dedup_text::{stems, stopwords};
use serde_json::{Value, json};

use common::{Run, empty_folder, read_file, run, zipped};
use texts::{Random, Sentences};

/// How texts are compared, as flags and as a recipe.
#[derive(Clone)]
struct Settings {
    flags: String,
    /// Those of the flags that an index is built with.
    shape: String,
    recipe: Recipe,
    has_template: bool,
}

impl Settings {
    fn random(random: &mut Random) -> Self {
        let mut recipe = Recipe::default();
        let (mut shape, mut others) = (String::new(), String::new());
        let add = |flags: &mut String, flag: String| {
            let _ = write!(flags, " {flag}");
        };
        if random.once_in(3) {
            let (min, max) = *random.of(&[(3, 3), (1, 1), (2, 4), (1, 5)]);
            recipe.ngrams = Ngrams::new(min, max).unwrap();
            add(&mut shape, format!("--min {min} --max {max}"));
        }
        for why in [Why::Quotes, Why::Bibliography, Why::Marked] {
            if random.once_in(3) {
                recipe.ignored.push(why);
                add(&mut shape, format!("--ignore {}", why.name()));
            }
        }
        if random.once_in(8) {
            recipe.stopwords = stopwords::Choice::Off;
            add(&mut shape, "--stopwords off".to_owned());
        }
        if random.once_in(8) {
            recipe.stemming = stems::Choice::Off;
            add(&mut shape, "--stem off".to_owned());
        }
        if random.once_in(8) {
            let code = *random.of(&["en", "none"]);
            let given = Given::As(Language::from_code(code));
            recipe.languages = Choice { left: given, right: given };
            add(&mut shape, format!("--lang {code}"));
        }
        // What is not looked for has no limits.
        let is_sought = !random.once_in(6);
        let limit = |random: &mut Random, some: &[&'static str]| {
            random.once_in(4).then(|| *random.of(some))
        };
        if let Some(typed) = limit(random, &["0", "7", "12", "off"]) {
            recipe.limits.hamming = typed.parse().ok();
            add(&mut others, format!("--hamming {typed}"));
        }
        let limits = &mut recipe.limits;
        for (name, limit_of, typed) in [
            ("jaccard", &mut limits.jaccard, limit(random, &["0.3", "0.8", "off"])),
            (
                "partial-jaccard",
                &mut limits.partial_jaccard,
                limit(random, &["0.05", "0.25", "off"]),
            ),
            ("coverage", &mut limits.coverage, limit(random, &["0.05", "0.5", "off"])),
            ("containment", &mut limits.containment, limit(random, &["0.4", "0.9"])),
        ] {
            if let Some(typed) = typed.filter(|_| is_sought || name != "coverage") {
                *limit_of = typed.parse().ok();
                add(&mut others, format!("--{name} {typed}"));
            }
        }
        let has_template = random.once_in(3);
        if is_sought && random.once_in(3) {
            let words = *random.of(&["5", "8", "30"]);
            recipe.min_match = MinMatch::new(words.parse().unwrap()).unwrap();
            let flags = if has_template { &mut shape } else { &mut others };
            add(flags, format!("--min-match {words}"));
        }
        recipe.templates.min_match = recipe.min_match;
        if has_template {
            add(&mut shape, "--template ../sheet.txt".to_owned());
        }
        if is_sought && random.once_in(8) {
            recipe.short = Some(Short::DEFAULT);
            add(&mut others, "--ignore short".to_owned());
        }
        add(&mut others, format!("--passages {}", if is_sought { "on" } else { "off" }));
        recipe.search = if is_sought { Search::Always } else { Search::Never };
        Self { flags: shape.clone() + &others, shape, recipe, has_template }
    }
}

/// A corpus, and how it is compared.
#[derive(Clone)]
struct Case {
    settings: Settings,
    texts: Vec<Sentences>,
    sheet: Sentences,
    level: Verdict,
    /// The number of texts that are earlier ones where that makes a difference.
    earlier: usize,
}

impl Case {
    fn random(seed: u64) -> Self {
        let mut random = Random(seed);
        let settings = Settings::random(&mut random);
        let (texts, sheet) = texts::corpus(&mut random);
        let level = *random.of(&Verdict::LADDER);
        let earlier = random.below(texts.len());
        Self { settings, texts, sheet, level, earlier }
    }

    /// Returns the recipe, with the template if there is one.
    fn recipe(&self) -> Result<Recipe, String> {
        let mut recipe = self.settings.recipe.clone();
        if self.settings.has_template {
            let sheet = pair::template(&opened("sheet.txt", self.sheet.concat()));
            recipe.templates.all.push(sheet.map_err(|error| error.to_string())?);
        }
        Ok(recipe)
    }

    fn described(&self) -> String {
        let mut page = format!("flags:{}\nlevel: {}\n", self.settings.flags, self.level);
        let _ = writeln!(page, "earlier texts: {}", self.earlier);
        if self.settings.has_template {
            let _ = writeln!(page, "sheet.txt: {:?}", self.sheet.concat());
        }
        for (number, text) in self.texts.iter().enumerate() {
            let _ = writeln!(page, "{}: {:?}", name(number), text.concat());
        }
        page
    }
}

fn opened(name: &str, content: String) -> Text {
    Text::from_bytes(Path::new(name), content.into_bytes()).unwrap()
}

fn name(number: usize) -> String {
    format!("{number:02}.txt")
}

// What is compared of a record.

/// Returns the verdict of a record, its figures and its passages, and of both texts what was left
/// out and how they were read. The text whose name comes first is a.
fn core(record: &Value) -> ((String, String), Value) {
    let side = |side: &str| {
        let text = &record[side];
        json!({
            "language": text["language"]["code"], "excluded": text["excluded"],
            "words": text["words"], "stems": text["stems"], "shingles": text["shingles"],
            "simhash": text["simhash"],
        })
    };
    let mut core = json!({"a": side("a"), "b": side("b")});
    for field in ["verdict", "decided_by", "limits", "measures", "coverage", "matches", "short"] {
        core[field] = record[field].clone();
    }
    if let Some(measures) = core["decided_by"].as_array_mut() {
        measures.sort_by_key(ToString::to_string);
    }
    let name = |side: &str| {
        let path = record[side]["path"].as_str().unwrap();
        path.rsplit(['/', '\\']).next().unwrap().to_owned()
    };
    let (a, b) = (name("a"), name("b"));
    if a <= b { ((a, b), core) } else { ((b, a), turned(core)) }
}

/// Returns a core in which a and b are swapped.
fn turned(value: Value) -> Value {
    let other = |name: &str| match name.strip_suffix('a') {
        Some(start) if start.is_empty() || start.ends_with('_') => format!("{start}b"),
        _ => match name.strip_suffix('b') {
            Some(start) if start.is_empty() || start.ends_with('_') => format!("{start}a"),
            _ => name.to_owned(),
        },
    };
    match value {
        Value::Object(fields) => {
            fields.into_iter().map(|(name, value)| (other(&name), turned(value))).collect()
        }
        Value::Array(all) => {
            let mut all: Vec<Value> = all.into_iter().map(turned).collect();
            let place = |it: &Value| it["a"]["byte"][0].as_u64();
            if all.iter().all(|it| place(it).is_some()) {
                all.sort_by_key(place);
                (1..).zip(&mut all).for_each(|(id, it)| it["id"] = json!(id));
            } else if all.iter().all(Value::is_string) {
                all.sort_by_key(ToString::to_string);
            }
            Value::Array(all)
        }
        Value::String(name) => Value::String(other(&name)),
        value => value,
    }
}

type Cores = BTreeMap<(String, String), Value>;

/// Returns the records that a run prints, one per line.
fn cores(run: &Run) -> Result<Cores, String> {
    if run.status == 2 {
        return Err(format!("status 2: {}", run.errors));
    }
    let records = run.output.lines().map(|line| serde_json::from_str(line).unwrap());
    Ok(records.map(|record: Value| core(&record)).collect())
}

fn core_of(texts: [&Text; 2], recipe: &Recipe, judgement: &Judgement) -> Value {
    let options = RecordOptions {
        name: &|path: &Path| path.display().to_string(),
        stopwords: Path::new("on"),
        settings: None,
        explains: false,
        is_accepted: None,
        accepted_by: None,
        persons: [None, None],
        later: None,
        earlier: None,
    };
    let record = record::of_pair(texts, recipe, judgement, &options).unwrap();
    core(&serde_json::from_str(&record).unwrap()).1
}

/// Reports the first pair that is not the same on two roads.
fn same(road: &str, found: &Cores, want: &Cores) -> Result<(), String> {
    for key in found.keys().chain(want.keys()) {
        if found.get(key) != want.get(key) {
            let [found, want] = [found, want].map(|cores| {
                cores.get(key).map_or("no pair".to_owned(), |core| format!("{core:#}"))
            });
            let lines = (found.lines().zip(want.lines())).find(|(one, other)| one != other);
            return Err(format!("{road}: {key:?}: {lines:?}\nfound {found}\nwanted {want}"));
        }
    }
    Ok(())
}

// The roads.

/// What the pairs of a corpus should be.
struct Wanted {
    all: Cores,
    /// The verdict of each pair, and the one that it has without its reworded passages, which find
    /// no text of a stored index.
    verdicts: BTreeMap<(String, String), [Verdict; 2]>,
    old: BTreeSet<String>,
}

impl Wanted {
    fn at(&self, level: Verdict) -> Cores {
        let all = self.all.iter().filter(|(key, _)| self.verdicts[*key][0] >= level);
        all.map(|(key, core)| (key.clone(), core.clone())).collect()
    }

    /// Returns the pairs of a new text and an old one.
    fn across(&self, level: Verdict) -> Cores {
        let mut all = self.at(level);
        all.retain(|(a, b), _| self.old.contains(a) != self.old.contains(b));
        all
    }
}

/// Judges every pair of texts in the languages in which a corpus reads them.
fn wanted(case: &Case, folder: &Path) -> Result<Wanted, String> {
    let flags = &case.settings.flags;
    let recipe = case.recipe()?;
    let texts = case.texts.iter().enumerate();
    let texts: Vec<Text> = texts.map(|(at, text)| opened(&name(at), text.concat())).collect();
    let line = format!("corpus . --at-least different --format jsonl {flags}");
    let base = cores(&run(&folder.join("texts"), &line))?;
    let mut read: BTreeMap<&str, &Value> = BTreeMap::new();
    for ((a, b), core) in &base {
        read.insert(a, &core["a"]["language"]);
        read.insert(b, &core["b"]["language"]);
    }
    let (mut all, mut verdicts) = (Cores::new(), BTreeMap::new());
    let mut alone = Vec::new();
    for left in 0..texts.len() {
        for right in left + 1..texts.len() {
            let key = (name(left), name(right));
            let two = [&texts[left], &texts[right]];
            let turned_round = [two[1], two[0]];
            let pair = pair::judge(two[0], two[1], &recipe);
            let turned_pair = pair::judge(two[1], two[0], &recipe);
            let [core, other] = [(two, &pair), (turned_round, &turned_pair)]
                .map(|(two, it)| it.as_ref().ok().map(|it| core_of(two, &recipe, it)));
            if core != other {
                return Err(format!("turned round: {key:?}: {core:?}\n{other:?}"));
            }
            alone.push(([left, right], pair.as_ref().map(|it| it.comparison).ok()));
            let (Some(a), Some(b)) = (read.get(&*key.0), read.get(&*key.1)) else { continue };
            let [left, right] =
                [a, b].map(|it| Given::As(it.as_str().and_then(Language::from_code)));
            let in_corpus = Recipe { languages: Choice { left, right }, ..recipe.clone() };
            let Ok(judgement) = pair::judge(two[0], two[1], &in_corpus) else {
                return Err(format!("{key:?}: no pair by itself, but in a corpus"));
            };
            let core = core_of(two, &in_corpus, &judgement);
            if let Ok(pair) = &pair
                && [pair.languages.left.by, pair.languages.right.by] == [By::Detected; 2]
                && core != core_of(two, &recipe, pair)
            {
                return Err(format!("{key:?}: read in other languages in a corpus: {core:#}"));
            }
            if judgement.left.shingles == 0 || judgement.right.shingles == 0 {
                return Err(format!("{key:?}: compared, although one is too short"));
            }
            let matches = judgement.matches.iter().flat_map(|matches| &matches.all);
            let is_found = { matches }.any(|it| it.passage.kind() != Kind::Reworded);
            let by_sets = |variety| {
                let comparison = Comparison { passages: None, variety, ..judgement.comparison };
                recipe.limits.judge(&comparison).verdict
            };
            let (variety, verdict) = (judgement.comparison.variety, judgement.decision.verdict);
            // The figures of repetitive texts make a candidate, which is judged by its passages.
            let by_figures = match variety {
                Variety::Repetitive => by_sets(Variety::Varied).min(verdict),
                _ => Verdict::Different,
            };
            let found = if is_found { verdict } else { by_sets(variety).max(by_figures) };
            verdicts.insert(key.clone(), [verdict, found]);
            all.insert(key, core);
        }
    }
    same("corpus, every pair", &base, &all)?;
    let numbers = |at: usize| u32::try_from(at).unwrap();
    let pairs: Vec<[u32; 2]> = alone.iter().map(|(pair, _)| pair.map(numbers)).collect();
    let threads = NonZeroUsize::MIN;
    let labelled = labelled_pairs::compare(&texts, &pairs, &recipe, threads, &Advance::default());
    for ((pair, want), found) in alone.iter().zip(labelled) {
        if found.as_ref().ok() != want.as_ref() {
            return Err(format!("labelled pair {pair:?}: {found:?}, wanted {want:?}"));
        }
    }
    let old = (0..case.earlier).map(name).collect();
    Ok(Wanted { all, verdicts, old })
}

/// Writes the texts of a case in every form.
fn write(case: &Case, folder: &Path) {
    let _ = fs::remove_dir_all(folder);
    for inner in ["texts", "old", "new"] {
        fs::create_dir_all(folder.join(inner)).unwrap();
    }
    let texts = case.texts.iter().enumerate();
    let texts: Vec<(String, String)> = texts.map(|(at, it)| (name(at), it.concat())).collect();
    let put = |path: String, content: &[u8]| fs::write(folder.join(path), content).unwrap();
    let (mut lines, mut rows) = (String::new(), "id,text\n".to_owned());
    let (mut old, mut new) = (String::new(), String::new());
    for (number, (name, content)) in texts.iter().enumerate() {
        let is_old = number < case.earlier;
        put(format!("texts/{name}"), content.as_bytes());
        put(format!("{}/{name}", if is_old { "old" } else { "new" }), content.as_bytes());
        let line = json!({"id": name, "text": content}).to_string() + "\n";
        lines += &line;
        *if is_old { &mut old } else { &mut new } += &line;
        let _ = writeln!(rows, "{name},\"{}\"", content.replace('"', "\"\""));
    }
    put("sheet.txt".to_owned(), case.sheet.concat().as_bytes());
    put("texts/docs.jsonl".to_owned(), b"");
    fs::remove_file(folder.join("texts/docs.jsonl")).unwrap();
    put("docs.jsonl".to_owned(), lines.as_bytes());
    put("old.jsonl".to_owned(), old.as_bytes());
    put("new.jsonl".to_owned(), new.as_bytes());
    put("docs.csv".to_owned(), rows.as_bytes());
    put("docs.zip".to_owned(), &zipped(&texts));
    let mut tar = tar::Builder::new(Vec::new());
    for (name, content) in &texts {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, name, content.as_bytes()).unwrap();
    }
    put("docs.tar".to_owned(), &tar.into_inner().unwrap());
}

/// Returns the first difference between two roads; `Ok` if there is none.
fn check(case: &Case, folder: &Path) -> Result<(), String> {
    write(case, folder);
    let wanted = match wanted(case, folder) {
        Err(refused) if refused.starts_with("status 2") => return refused_everywhere(&refused),
        wanted => wanted?,
    };
    let inner = folder.join("texts");
    let flags = &case.settings.flags;
    let on = |line: &str, level: Verdict| {
        let line = format!("{line} --at-least {level} --format jsonl {flags}");
        (run(&inner, &line), line)
    };
    let found = |line: &str, level: Verdict| {
        let (run, line) = on(line, level);
        cores(&run).map_err(|error| format!("{line}: {error}"))
    };
    for level in Verdict::LADDER {
        let line = "corpus .";
        same(&format!("{line} {level}"), &found(line, level)?, &wanted.at(level))?;
    }
    let level = case.level;
    for line in [
        "corpus . --threads 1",
        "corpus . --threads 4",
        "corpus . --memory 1K",
        "corpus ../docs.zip",
        "corpus ../docs.tar",
        "corpus --jsonl ../docs.jsonl",
        "corpus --csv ../docs.csv --memory 1K",
    ] {
        same(&format!("{line} {level}"), &found(line, level)?, &wanted.at(level))?;
    }
    against(case, &inner, &wanted)?;
    outputs(case, &inner, &wanted)?;
    in_parts(case, &wanted)
}

/// Accepts the message of a corpus that no road compares.
fn refused_everywhere(refused: &str) -> Result<(), String> {
    let is_known =
        ["too short", "expected", "one text"].iter().any(|known| refused.contains(known));
    if is_known { Ok(()) } else { Err(refused.to_owned()) }
}

/// Compares new texts with earlier ones, and with a stored index of these.
fn against(case: &Case, inner: &Path, wanted: &Wanted) -> Result<(), String> {
    let (level, flags) = (case.level, &case.settings.flags);
    if case.earlier == 0 {
        return Ok(());
    }
    let command =
        |line: &str, level: Verdict| format!("{line} --at-least {level} --format jsonl {flags}");
    let search = |line: &str| cores(&run(inner, line)).map_err(|error| format!("{line}: {error}"));
    let compare = |line: &str, level: Verdict| {
        let line = command(line, level);
        same(&line, &search(&line)?, &wanted.across(level))
    };
    compare("corpus ../new --against ../old", level)?;
    compare("corpus --jsonl ../new.jsonl --against ../old.jsonl", level)?;
    // An empty file is no text, and an index of none is refused.
    let is_empty = |text: &Sentences| text.concat().trim().is_empty();
    if case.texts[..case.earlier].iter().all(is_empty) {
        return Ok(());
    }
    let build = |line: &str| {
        let built = run(inner, &format!("index build {line} {}", case.settings.shape));
        if built.status == 0 { Ok(()) } else { Err(format!("{line}: {}", built.errors)) }
    };
    build("../old -o ../whole.dedup --with-texts")?;
    for line in ["corpus ../new", "corpus --jsonl ../new.jsonl"] {
        let line = command(&format!("{line} --against ../whole.dedup"), level);
        let (found, mut want) = (search(&line)?, wanted.across(level));
        let is_due = |pair: &(String, String)| wanted.verdicts[pair][1] >= level;
        want.retain(|pair, _| found.contains_key(pair) || is_due(pair));
        same(&line, &found, &want)?;
    }
    if case.settings.recipe.search == Search::Never {
        build("../old -o ../bare.dedup")?;
        // Without the texts, no passages show whether the sets of repetitive texts are evidence.
        let line = "corpus ../new --against ../bare.dedup";
        let mut others = search(&command(line, Verdict::Different))?;
        let is_open = |core: &Value| core["measures"]["disregarded"] == "repetitive";
        let all = wanted.across(Verdict::Different);
        let figures = |mut core: Value| {
            for field in ["verdict", "decided_by"] {
                core[field] = Value::Null;
            }
            core["measures"]["disregarded"] = Value::Null;
            core
        };
        let of_open = others.iter().filter(|(_, core)| is_open(core));
        let [found, want]: [Cores; 2] = [&others, &all].map(|cores| {
            let of_open = of_open.clone().filter_map(|(pair, _)| cores.get_key_value(pair));
            of_open.map(|(pair, core)| (pair.clone(), figures(core.clone()))).collect()
        });
        same(line, &found, &want)?;
        others.retain(|_, core| !is_open(core));
        let line = command(line, level);
        let [found, want] = [search(&line)?, wanted.across(level)].map(|mut cores| {
            cores.retain(|pair, _| others.contains_key(pair));
            cores
        });
        same(&line, &found, &want)?;
    }
    Ok(())
}

/// Compares the formats of one run with each other, and its exit status with its pairs.
fn outputs(case: &Case, inner: &Path, wanted: &Wanted) -> Result<(), String> {
    let (level, flags) = (case.level, &case.settings.flags);
    let line = format!(
        "corpus . --at-least {level} --format jsonl=../out.jsonl --format json=../out.json \
         --format csv {flags}"
    );
    let csv = run(inner, &line);
    let want = wanted.at(level);
    let read = |name: &str| read_file(inner.join(name));
    let lines = Run { output: read("../out.jsonl"), errors: String::new(), ..csv };
    same(&line, &cores(&lines)?, &want)?;
    let object: Value = serde_json::from_str(&read("../out.json")).unwrap();
    let pairs = object["pairs"].as_array().unwrap().iter().map(core).collect();
    same(&line, &pairs, &want)?;
    let rows: Vec<Vec<&str>> =
        csv.output.lines().skip(1).map(|row| row.split(',').collect()).collect();
    let named = |path: &str| path.rsplit(['/', '\\']).next().unwrap().to_owned();
    let rows: BTreeMap<(String, String), String> = (rows.iter())
        .filter(|row| !row[1].is_empty())
        .map(|row| ((named(row[0]), named(row[1])), row[2].to_owned()))
        .collect();
    let verdicts = want.iter().map(|(key, core)| (key.clone(), core["verdict"].as_str().unwrap()));
    let verdicts = verdicts.map(|(key, verdict)| (key, verdict.to_owned())).collect();
    if rows != verdicts {
        return Err(format!("{line}: {rows:?}, wanted {verdicts:?}"));
    }
    let status = i32::from(want.is_empty());
    if csv.status != status {
        return Err(format!("{line}: status {}, wanted {status}", csv.status));
    }
    Ok(())
}

/// Compares the steps of the library for texts that are counted and joined in parts.
fn in_parts(case: &Case, wanted: &Wanted) -> Result<(), String> {
    let recipe = case.recipe()?;
    let texts: BTreeMap<String, Text> = (case.texts.iter().enumerate())
        .map(|(at, text)| (name(at), opened(&name(at), text.concat())))
        .collect();
    let parameters = || Parameters::new(&recipe, &ReadOptions::default());
    let count = |range: Range<usize>| {
        let counter = Counter::new(&recipe, parameters(), 16, NonZeroUsize::MIN);
        let mut counter = counter.map_err(|error| error.to_string())?;
        let some = texts.values().skip(range.start).take(range.len());
        counter.add(some, |text| Ok::<_, Infallible>(text.clone()));
        Ok::<_, String>(counter.finish())
    };
    let mut counted = count(0..case.earlier)?;
    let others = count(case.earlier..texts.len())?;
    let stored = others.stored().unwrap();
    let others = Counted::read(&stored).map_err(|error| error.to_string())?;
    counted.merge(&others).map_err(|error| error.to_string())?;
    let mut analyzer = DocumentAnalyzer::new(&recipe);
    let mut judged = Cores::new();
    for (a, b) in wanted.all.keys() {
        let two = [&texts[a], &texts[b]];
        let judgement = analyzer.judge(two[0].clone(), two[1].clone(), counted.main());
        let judgement = judgement.map_err(|error| format!("{a}, {b}: {error}"))?;
        judged.insert((a.clone(), b.clone()), core_of(two, &recipe, &judgement));
    }
    same("judged in parts", &judged, &wanted.all)?;
    let limits = &recipe.limits;
    if limits.hamming.is_some_and(|bits| bits > 7) || limits.containment.is_some() {
        return Ok(());
    }
    let mut keys = BTreeMap::new();
    for (id, text) in &texts {
        let line = parts::keys(&mut analyzer, (id, text.clone()), &recipe, &counted);
        let line = line.map_err(|error| format!("{id}: {error}"))?;
        keys.insert(id.clone(), serde_json::from_str::<Value>(&line).unwrap());
    }
    for (a, b) in wanted.at(Verdict::NearDuplicate).keys() {
        let [a, b] = [&keys[a], &keys[b]];
        let both = |field: &str| {
            let all = |it: &Value| -> BTreeSet<String> {
                let all = it[field].as_array().unwrap().iter();
                all.map(|it| it.get(0).unwrap_or(it).to_string()).collect()
            };
            !all(a).is_disjoint(&all(b))
        };
        if !both("keys") && !both("blocks") && a["set"] != b["set"] && a["order"] != b["order"] {
            return Err(format!("{} and {} have no key in common", a["id"], b["id"]));
        }
    }
    Ok(())
}

// A failure → the fewest texts and sentences that fail.

/// Leaves out texts and sentences as long as the roads differ.
fn reduced(mut case: Case, folder: &Path, until: Instant) -> Case {
    let fails = |case: &Case| case.texts.len() >= 2 && check(case, folder).is_err();
    let mut is_smaller = true;
    while is_smaller && Instant::now() < until {
        is_smaller = false;
        for text in (0..case.texts.len()).rev() {
            let mut fewer = case.clone();
            fewer.texts.remove(text);
            fewer.earlier -= usize::from(text < case.earlier);
            if fails(&fewer) {
                (case, is_smaller) = (fewer, true);
            }
        }
        for text in 0..case.texts.len() {
            let mut length = case.texts[text].len();
            while length > 0 && Instant::now() < until {
                for start in (0..case.texts[text].len()).rev().step_by(length) {
                    let mut fewer = case.clone();
                    let end = (start + length).min(fewer.texts[text].len());
                    if start >= end {
                        continue;
                    }
                    fewer.texts[text].drain(start..end);
                    if fails(&fewer) {
                        (case, is_smaller) = (fewer, true);
                    }
                }
                length /= 2;
            }
        }
    }
    case
}

/// Seeds whose cases once differed, which are tried first.
const DIFFERED: [u64; 3] = [233, 456, 5373];

/// Runs for `DEDUP_ROADS_SECONDS`, by default 20, beginning with the seed `DEDUP_ROADS_SEED`, by
/// default 0. A failure prints its seed, and the smallest case that differs.
#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn every_road_leads_to_the_same_answer() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |typed| typed.parse().unwrap())
    };
    let until = Instant::now() + Duration::from_secs(number("DEDUP_ROADS_SECONDS", 20));
    let (first, next) = (number("DEDUP_ROADS_SEED", 0), AtomicU64::new(0));
    let failed: Mutex<Option<String>> = Mutex::new(None);
    let work = |folder: PathBuf| {
        while Instant::now() < until && failed.lock().unwrap().is_none() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let known = usize::try_from(number).ok().and_then(|number| DIFFERED.get(number));
            let own = || first + number - DIFFERED.len() as u64;
            let seed = known.copied().unwrap_or_else(own);
            let case = Case::random(seed);
            if check(&case, &folder).is_err() {
                let case = reduced(case, &folder, Instant::now() + Duration::from_mins(1));
                let why = check(&case, &folder).unwrap_err();
                let page = format!("DEDUP_ROADS_SEED={seed}\n{why}\n{}", case.described());
                failed.lock().unwrap().get_or_insert(page);
            }
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        for thread in 0..threads {
            let work = &work;
            scope.spawn(move || work(empty_folder("roads", &thread.to_string())));
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_none(), "{}", failed.unwrap_or_default());
    assert!(next.into_inner() > 1, "no case was checked");
}
