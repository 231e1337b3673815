//! `dedup part`: a corpus in parts, for anyone who brings the parts together.
//!
//! Goes in: records on standard input. Comes out: a line for each, or a file of counts. No step
//! but count knows of more than one line at a time, and none of the parts that there are.

use std::io::{BufRead, BufReader, Read};
use std::mem;
use std::path::Path;

use anyhow::Context;
use data_encoding::HEXLOWER;
use dedup_text::corpus::join::Limit;
use dedup_text::corpus::join::part::{self, Body, Counts, Form, Known, MOST_BITS, NotCounts};
use dedup_text::corpus::{DocumentAnalyzer, of_corpus};
use dedup_text::language::{Given, Known as KnownLanguage, Language, Tally};
use dedup_text::pair::Recipe;
use dedup_text::pair::{self, Judgement};
use dedup_text::parallel::{self, Advance};
use dedup_text::rabin::MODULUS;
use dedup_text::text::{ReadTextError, Text, display_path};
use dedup_text::{inert, stems, stopwords};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use crate::args::{BadLines, PartFlags, Step};
use crate::diagnostics::Diagnostic;
use crate::exit::Exit;
use crate::io::disk;
use crate::io::inputs::lines::Lines;
use crate::io::inputs::record::{BadLine, Fields, without_place};
use crate::io::inputs::source::{Failed, Line, Opener, Source};
use crate::io::output::{self, Reader, Syntax};
use crate::model::Pair;
use crate::model::names::Names;
use crate::progress::{Progress, Stage};
use crate::render;

/// Does a step.
pub(crate) fn answer(flags: &PartFlags) -> anyhow::Result<Exit> {
    let recipe = flags.recipe()?;
    match flags.step {
        Step::Count => count(flags, &recipe),
        Step::Merge => merge(flags),
        Step::Keys => keys(flags, &recipe),
        Step::Judge => judge(flags, &recipe),
    }?;
    Ok(Exit::Success)
}

/// How the records are opened.
fn opener(flags: &PartFlags) -> anyhow::Result<Opener> {
    let fields = Fields::named(&flags.text, &flags.id, None, None);
    let opening = &flags.comparing.opening;
    Ok(Opener::new(opening.reading_of_all()?, fields, opening.disguises()))
}

/// The sketches of texts, with one memory a thread.
fn singles<'r>(flags: &PartFlags, recipe: &'r Recipe) -> Vec<DocumentAnalyzer<'r>> {
    let single = |_| DocumentAnalyzer::new(recipe);
    (0..flags.threads().get()).map(single).collect()
}

// Files of counts: a line of JSON, a line with the digest of all else, then a byte or two for
// each slot.

/// What was counted of some texts.
struct Counted {
    counts: Counts,
    parameters: Parameters,
    /// The languages of texts that are not in doubt.
    languages: Tally,
    /// What those in doubt were counted in.
    doubtful: Tally,
}

/// What a text's shingles depend on.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
struct Parameters {
    min: usize,
    max: usize,
    modulus: String,
    lang: String,
    stopwords: String,
    stem: String,
    /// A digest of how texts are read, and of what is left out of them.
    others: String,
}

/// The first line.
#[derive(Deserialize, Serialize)]
struct Header {
    schema: String,
    version: String,
    parameters: Parameters,
    languages: Vec<(Option<String>, u64)>,
    doubtful: Vec<(Option<String>, u64)>,
    slots: u32,
    form: FormName,
}

#[derive(Clone, Copy, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum FormName {
    All,
    Gaps,
}

/// What counts that this version reads say they are.
const SCHEMA: &str = "dedup.counts/2";

/// What counts of any version say they are, up to its number.
const SCHEMA_OF_ANY: &str = "dedup.counts/";

/// The most bytes of the first line: a tally of all languages has some kilobytes.
const LONGEST_HEADER: u64 = 1 << 16;

/// The error for a file that holds no counts.
fn not_counts(path: &Path, found: &str) -> Diagnostic {
    let wanted = "expected what dedup part count made";
    Diagnostic::new(format!("{}: {found}, {wanted}", display_path(path)))
        .hint("dedup part count and dedup part merge make such files")
}

/// The error for counts that were made in another way.
fn foreign(path: &Path, found: &str, wanted: &str) -> Diagnostic {
    let path = display_path(path);
    Diagnostic::new(format!("{path}: counted with {found}, expected {wanted}"))
        .hint("count and merge all texts anew, with this version and these flags")
}

impl Parameters {
    fn new(flags: &PartFlags, recipe: &Recipe) -> anyhow::Result<Self> {
        let opening = &flags.comparing.opening;
        let others = (&recipe.ignored, &recipe.templates, opening.reading_of_all()?);
        Ok(Self {
            min: recipe.ngrams.min(),
            max: recipe.ngrams.max(),
            modulus: format!("{MODULUS:016x}"),
            lang: match recipe.languages.left {
                Given::Detect => "detected".to_owned(),
                Given::As(language) => language.map_or("none", Language::code).to_owned(),
            },
            stopwords: match &recipe.stopwords {
                stopwords::Choice::On => "on".to_owned(),
                stopwords::Choice::Off => "off".to_owned(),
                stopwords::Choice::List(list) => digest(list.words().join(" ").as_bytes()),
            },
            stem: match recipe.stemming {
                stems::Choice::On => "on".to_owned(),
                stems::Choice::Off => "off".to_owned(),
            },
            others: digest(format!("{others:?}").as_bytes()),
        })
    }

    /// The first of them that is not as in others, with its value.
    fn first_other(&self, others: &Self) -> Option<(&'static str, String, String)> {
        let [min, max] = [(self.min, others.min), (self.max, others.max)]
            .map(|(own, other)| (own.to_string(), other.to_string()));
        let pairs = [
            ("--min", min.0, min.1),
            ("--max", max.0, max.1),
            ("modulus", self.modulus.clone(), others.modulus.clone()),
            ("--lang", self.lang.clone(), others.lang.clone()),
            ("--stopwords", self.stopwords.clone(), others.stopwords.clone()),
            ("--stem", self.stem.clone(), others.stem.clone()),
            ("other flags, by their digest", self.others.clone(), others.others.clone()),
        ];
        pairs.into_iter().find(|(_, own, other)| own != other)
    }
}

impl Counted {
    /// Nothing yet.
    fn new(flags: &PartFlags, recipe: &Recipe) -> anyhow::Result<Self> {
        Ok(Self {
            counts: Counts::new(flags.slots)?,
            parameters: Parameters::new(flags, recipe)?,
            languages: Tally::default(),
            doubtful: Tally::default(),
        })
    }

    /// Whether each text was counted as it is compared.
    fn known(&self) -> Known {
        let main = self.languages.main();
        let is_main = self.doubtful.counts().all(|(language, _)| language == main);
        if is_main { Known::All } else { Known::Some }
    }

    /// How many texts were counted.
    fn texts(&self) -> u64 {
        self.languages.counts().chain(self.doubtful.counts()).map(|(_, texts)| texts).sum()
    }

    /// Writes a file.
    fn write(&self, path: &Path) -> anyhow::Result<()> {
        let body = self.counts.body();
        let header = Header {
            schema: SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            parameters: self.parameters.clone(),
            languages: listed(&self.languages),
            doubtful: listed(&self.doubtful),
            slots: self.counts.bits(),
            form: match body.form {
                Form::All => FormName::All,
                Form::Gaps => FormName::Gaps,
            },
        };
        let header = serde_json::to_string(&header)? + "\n";
        let digest = digest_of(&[header.as_bytes(), &body.bytes]) + "\n";
        Ok(output::write_file_by(path, |file| {
            file.write_all(header.as_bytes())?;
            file.write_all(digest.as_bytes())?;
            file.write_all(&body.bytes)
        })?)
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// Where it holds no counts, or another version made them.
    fn read(path: &Path) -> anyhow::Result<Self> {
        let mut file = BufReader::new(disk::open(path)?);
        let unread = |source| ReadTextError::Unreadable { path: path.to_owned(), source };
        let unreadable = |found: &str| not_counts(path, found);
        let mut first = Vec::new();
        file.by_ref().take(LONGEST_HEADER).read_until(b'\n', &mut first).map_err(unread)?;
        let line = first.strip_suffix(b"\n").ok_or_else(|| unreadable("no counts"))?;
        let header: serde_json::Value =
            serde_json::from_slice(line).map_err(|_| unreadable("no counts"))?;
        let schema = header["schema"].as_str().unwrap_or_default();
        if schema != SCHEMA && schema.starts_with(SCHEMA_OF_ANY) {
            let (found, wanted) = (format!("format {schema}"), format!("{SCHEMA} as here"));
            return Err(foreign(path, &found, &wanted).into());
        }
        if schema != SCHEMA {
            return Err(unreadable("no counts").into());
        }
        let version = header["version"].as_str().unwrap_or_default();
        if version != env!("CARGO_PKG_VERSION") {
            let found = format!("version {version}");
            let wanted = format!("{} as here", env!("CARGO_PKG_VERSION"));
            return Err(foreign(path, &found, &wanted).into());
        }
        let header: Header =
            serde_json::from_value(header).map_err(|_| unreadable("damaged counts"))?;
        let form = match header.form {
            FormName::All => Form::All,
            FormName::Gaps => Form::Gaps,
        };
        let mut digest = Vec::new();
        file.by_ref().take(DIGEST as u64 + 1).read_to_end(&mut digest).map_err(unread)?;
        // A byte for each slot is the longest form; one more shows that there is too much.
        let most = Counts::longest_body(header.slots);
        let most = most.map_err(|error| unreadable(&format!("damaged counts ({error})")))?;
        let mut bytes = Vec::new();
        file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(unread)?;
        if digest != (digest_of(&[&first, &bytes]) + "\n").as_bytes() {
            return Err(unreadable("damaged counts").into());
        }
        let counts =
            Counts::of_body(header.slots, Body { form, bytes }).map_err(|error| match error {
                NotCounts::NoMemory { .. } => anyhow::Error::from(error),
                _ => unreadable(&format!("damaged counts ({error})")).into(),
            })?;
        let tally = |listed: &[(Option<String>, u64)]| {
            let mut tally = Tally::default();
            for (code, texts) in listed {
                tally.add(code.as_deref().and_then(Language::from_code), *texts);
            }
            tally
        };
        let (languages, doubtful) = (tally(&header.languages), tally(&header.doubtful));
        Ok(Self { counts, parameters: header.parameters, languages, doubtful })
    }

    /// Reads the file that the flags name, made with the same flags; none where none is named.
    ///
    /// # Errors
    ///
    /// As of [`read`](Self::read), and where it was made with other flags.
    fn named(flags: &PartFlags, recipe: &Recipe) -> anyhow::Result<Option<Self>> {
        let Some(path) = &flags.counts else { return Ok(None) };
        let counted = Self::read(path)?;
        counted.check(path, &Parameters::new(flags, recipe)?)?;
        Ok(Some(counted))
    }

    fn check(&self, path: &Path, wanted: &Parameters) -> Result<(), Diagnostic> {
        let Some((flag, found, wanted)) = self.parameters.first_other(wanted) else {
            return Ok(());
        };
        Err(foreign(path, &format!("{flag} {found}"), &format!("{flag} {wanted}")))
    }
}

/// Adds files.
fn merge(flags: &PartFlags) -> anyhow::Result<()> {
    let mut files = flags.files.iter();
    let Some(first) = files.next() else { return Ok(()) }; // the flags see to one
    let mut all = Counted::read(first)?;
    for path in files {
        let more = Counted::read(path)?;
        more.check(path, &all.parameters)?;
        if more.counts.bits() != all.counts.bits() {
            let [found, wanted] =
                [&more, &all].map(|counted| format!("--slots {}", counted.counts.bits()));
            return Err(foreign(path, &found, &wanted).into());
        }
        all.counts.merge(&more.counts)?;
        more.languages.counts().for_each(|(language, texts)| all.languages.add(language, texts));
        more.doubtful.counts().for_each(|(language, texts)| all.doubtful.add(language, texts));
    }
    all.write(&flags.output)
}

fn listed(tally: &Tally) -> Vec<(Option<String>, u64)> {
    let code = |language: Option<Language>| language.map(|language| language.code().to_owned());
    tally.counts().map(|(language, texts)| (code(language), texts)).collect()
}

/// The digits of a digest.
const DIGEST: usize = 32;

/// 128 bits of the SHA-256 of bytes, in 32 hexadecimal digits.
fn digest(bytes: &[u8]) -> String {
    digest_of(&[bytes])
}

/// The same of parts that stand one behind the other.
fn digest_of(parts: &[&[u8]]) -> String {
    let mut sum = Sha256::new();
    for part in parts {
        sum.update(part);
    }
    HEXLOWER.encode(&sum.finalize()[..DIGEST / 2])
}

// Records → how often their shingles occur.

/// Bytes of texts in doubt that are held until more is known of the others.
const MOST_HELD: usize = 1 << 26;

/// What a text comes to.
enum ReadLine {
    /// The residues of one that is long enough, and its language.
    Set(Option<Language>, Vec<u64>),
    Short,
    /// Its language is in doubt.
    Doubtful(Box<Text>),
}

/// Counts the texts of standard input.
fn count(flags: &PartFlags, recipe: &Recipe) -> anyhow::Result<()> {
    let (progress, lines) = (Progress::of_run(true), lines(flags)?);
    let read = progress.begin(Stage::Reading, lines.bytes.unwrap_or_default());
    count_lines(flags, recipe, lines, read)
}

/// Counts the texts of lines; `read` are the bytes of those that are read.
pub(crate) fn count_lines(
    flags: &PartFlags,
    recipe: &Recipe,
    lines: Lines,
    read: &Advance,
) -> anyhow::Result<()> {
    let (opener, main) = (opener(flags)?, flags.main()?);
    let mut singles = singles(flags, recipe);
    let mut counted = Counted::new(flags, recipe)?;
    let (mut held, mut bytes) = (Vec::new(), 0);
    for batch in lines {
        let sets = parallel::each_with(&mut singles, batch, |single, source| match source {
            Source::Line(line) => {
                read.add(line.bytes().len() as u64);
                let text = opener.open_line(&line).map_err(|error| line.failed(error))?.text;
                Ok(match single.language(&text) {
                    Some(language) => read_set(single, text, language),
                    None => ReadLine::Doubtful(Box::new(text)),
                })
            }
            Source::Lost(failed) => Err(failed),
            Source::File(_) | Source::Member(_) | Source::Unit(_) | Source::Row(..) => {
                Ok(ReadLine::Short)
            } // there are lines alone
        });
        for set in sets {
            match set {
                Ok(ReadLine::Set(language, set)) => {
                    counted.languages.add(language, 1);
                    counted.counts.add(&set);
                }
                Ok(ReadLine::Short) => {}
                Ok(ReadLine::Doubtful(text)) => {
                    bytes += text.content().len();
                    held.push(*text);
                }
                Err(failed) => passed_over(flags, failed)?,
            }
        }
        if bytes > MOST_HELD {
            count_held(&mut counted, &mut singles, mem::take(&mut held), main);
            bytes = 0;
        }
    }
    count_held(&mut counted, &mut singles, held, main);
    counted.write(&flags.output)
}

/// Counts texts in doubt in the language that is given for them, else in the one that most of
/// the others so far have.
fn count_held(
    counted: &mut Counted,
    singles: &mut [DocumentAnalyzer],
    held: Vec<Text>,
    main: Given,
) {
    let language = match main {
        Given::As(language) => language,
        Given::Detect => counted.languages.main(),
    };
    let read = parallel::each_with(singles, held, |single, text| {
        read_set(single, text, of_corpus(language))
    });
    for read in read {
        if let ReadLine::Set(language, set) = read {
            counted.doubtful.add(language, 1);
            counted.counts.add(&set);
        }
    }
}

fn read_set(single: &mut DocumentAnalyzer, text: Text, language: KnownLanguage) -> ReadLine {
    match single.sketch(text, language) {
        Ok((_, sketch)) => {
            ReadLine::Set(language.language, sketch.shingles.all().distinct_residues())
        }
        Err(_) => ReadLine::Short,
    }
}

/// Skips a bad line where it is to be kept: keys says of it.
fn passed_over(flags: &PartFlags, failed: Failed) -> anyhow::Result<()> {
    if flags.bad_lines == BadLines::Stop || failed.is_whole_file {
        return Err(failed.error);
    }
    Ok(())
}

// A record → what it is joined by.

/// Numbers of 64 bits are written with a sign: engines that join them have no others.
#[derive(Default, Serialize)]
struct Record<'r> {
    id: &'r str,
    /// Distinct shingles; 0 of a text that is too short to be compared.
    size: usize,
    words: usize,
    /// The SHA-256 of the words in their order.
    order: Option<String>,
    /// What the shingles come to; the same for equal sets.
    set: Option<String>,
    simhash: Option<String>,
    language: Option<&'static str>,
    keys: Vec<(i64, usize)>,
    blocks: Vec<i64>,
    shingles: Vec<i64>,
}

/// Answers each record of standard input with its keys.
fn keys(flags: &PartFlags, recipe: &Recipe) -> anyhow::Result<()> {
    let limit = recipe.limits.jaccard.map(Limit::new);
    check(recipe)?;
    let counted = Counted::named(flags, recipe)?.context("no counts")?;
    let keys = Keys { recipe, opener: opener(flags)?, limit, counted: &counted };
    answer_lines(flags, &mut singles(flags, recipe), |single, line| keys.answer(single, line))
}

/// Limits that every pair reaches have no keys.
fn check(recipe: &Recipe) -> Result<(), Diagnostic> {
    let trouble =
        |message: String| Diagnostic::new(message).hint("dedup corpus compares by any limit");
    if recipe.limits.jaccard.is_some_and(|limit| Limit::new(limit).is_zero()) {
        return Err(trouble("--jaccard 0, expected a limit that not all pairs reach".to_owned()));
    }
    match recipe.limits.hamming {
        Some(most) if most > MOST_BITS => {
            Err(trouble(format!("--hamming {most}, expected {MOST_BITS} at most in parts")))
        }
        _ => Ok(()),
    }
}

struct Keys<'k> {
    recipe: &'k Recipe,
    opener: Opener,
    limit: Option<Limit>,
    counted: &'k Counted,
}

impl Keys<'_> {
    fn answer(&self, single: &mut DocumentAnalyzer, line: &Line) -> anyhow::Result<String> {
        let opened = self.opener.open_line(line)?;
        let main = || of_corpus(self.counted.languages.main());
        let language = single.language(&opened.text).unwrap_or_else(main);
        let Ok((document, sketch)) = single.sketch(opened.text, language) else {
            // Too short, as a corpus may have them.
            return Ok(inert::json(&Record { id: &opened.name, ..Record::default() })?);
        };
        let set = sketch.shingles.all().distinct_residues();
        let keys = part::keys(&set, &self.counted.counts, self.counted.known(), self.limit);
        if keys.is_strange {
            let message = "a shingle that was not counted, expected counts of all texts";
            return Err(Diagnostic::new(message).into());
        }
        let bytes: Vec<u8> = set.iter().flat_map(|residue| residue.to_be_bytes()).collect();
        let blocks = self.recipe.limits.hamming.zip(sketch.fingerprint);
        let blocks = blocks.map(|(most, bits)| part::blocks(bits, most, self.counted.texts()));
        let record = Record {
            id: &opened.name,
            size: set.len(),
            words: document.words,
            order: Some(HEXLOWER.encode(document.digest.bytes())),
            set: Some(digest(&bytes)),
            simhash: sketch.fingerprint.map(|bits| bits.to_string()),
            language: language.language.map(Language::code),
            keys: keys.keys.into_iter().map(|(it, place)| (it.cast_signed(), place)).collect(),
            blocks: blocks.unwrap_or_default().into_iter().map(u64::cast_signed).collect(),
            shingles: keys.shared.into_iter().map(u64::cast_signed).collect(),
        };
        Ok(inert::json(&record)?)
    }
}

// Two records → the record of a pair.

/// A line: the records of two texts.
#[derive(Deserialize)]
struct Two<'l> {
    #[serde(borrow)]
    a: &'l RawValue,
    #[serde(borrow)]
    b: &'l RawValue,
}

/// Answers each pair of records of standard input with the record of the pair.
fn judge(flags: &PartFlags, recipe: &Recipe) -> anyhow::Result<()> {
    let counted = Counted::named(flags, recipe)?;
    let main = counted.map(|counted| of_corpus(counted.languages.main()));
    let judge = Judge { flags, recipe, opener: opener(flags)?, main };
    answer_lines(flags, &mut singles(flags, recipe), |single, line| judge.answer(single, line))
}

struct Judge<'j> {
    flags: &'j PartFlags,
    recipe: &'j Recipe,
    opener: Opener,
    /// The language of texts in doubt, where the corpus was counted.
    main: Option<KnownLanguage>,
}

impl Judge<'_> {
    fn answer(&self, single: &mut DocumentAnalyzer, line: &Line) -> anyhow::Result<String> {
        let two: Two = serde_json::from_slice(line.bytes())
            .map_err(|error| BadLine::NoPair { found: without_place(&error) })?;
        let text = |side: &str, record: &RawValue| {
            self.opener.text(record.get().as_bytes()).with_context(|| side.to_owned())
        };
        let (left, right) = (text("a", two.a)?, text("b", two.b)?);
        let judgement = self.judged(single, &left, &right)?;
        let pair = Pair {
            left: &left,
            right: &right,
            recipe: self.recipe,
            judgement: &judgement,
            level: dedup_text::verdict::Verdict::NearDuplicate,
            is_accepted: None,
            is_by_far: None,
            persons: [None; 2],
        };
        let shown = render::ReportOptions {
            names: &Names::Ids,
            stopwords: self.flags.comparing.stopwords_as_given(),
            settings: None,
        };
        render::render_record(&pair, false, &shown)
    }

    /// As their corpus would where it was counted, else as two texts alone.
    fn judged(
        &self,
        single: &mut DocumentAnalyzer,
        left: &Text,
        right: &Text,
    ) -> anyhow::Result<Judgement> {
        Ok(match self.main {
            Some(main) => single.judge(left.clone(), right.clone(), main)?,
            None => pair::judge(left, right, self.recipe)?,
        })
    }
}

// Lines in, a line for each out, in their order.

/// What stands for a line that is bad.
#[derive(Serialize)]
struct BadRecord {
    id: Option<String>,
    error: String,
}

/// The lines of standard input, block by block.
fn lines(flags: &PartFlags) -> anyhow::Result<Lines> {
    let most = flags.comparing.opening.reading_of_all()?.most;
    Ok(Lines::new(Path::new("-"), most))
}

/// Answers each line on a thread for each state. A bad line ends it, or has an answer that says
/// so; what stands before it is written. No one reading on ends it, too.
fn answer_lines<S: Send>(
    flags: &PartFlags,
    states: &mut [S],
    answer: impl Fn(&mut S, &Line) -> anyhow::Result<String> + Sync,
) -> anyhow::Result<()> {
    let (progress, lines) = (Progress::of_run(true), lines(flags)?);
    let read = progress.begin(Stage::Reading, lines.bytes.unwrap_or_default());
    for batch in lines {
        let done = parallel::each_with(states, batch, |state, source| match source {
            Source::Line(line) => {
                read.add(line.bytes().len() as u64);
                let rendered = answer(state, &line);
                rendered.map_err(|error| (name(flags, &line), line.failed(error)))
            }
            Source::Lost(failed) => Err((None, failed)),
            Source::File(_) | Source::Member(_) | Source::Unit(_) | Source::Row(..) => {
                Ok(String::new())
            } // there are lines alone
        });
        let mut written = String::new();
        let mut bad = None;
        for line in done {
            match line.or_else(|(id, failed)| kept(flags, id, failed)) {
                Ok(line) => {
                    written.push_str(&line);
                    written.push('\n');
                }
                Err(error) => {
                    bad = Some(error);
                    break;
                }
            }
        }
        if output::write_lines(Syntax::Json, &written)? == Reader::HasEnough {
            return Ok(());
        }
        if let Some(error) = bad {
            return Err(error);
        }
    }
    Ok(())
}

/// What stands for a bad line where it is to be kept. What could not be read on is the end.
fn kept(flags: &PartFlags, id: Option<String>, failed: Failed) -> anyhow::Result<String> {
    if flags.bad_lines == BadLines::Stop || failed.is_whole_file {
        return Err(failed.error);
    }
    Ok(inert::json(&BadRecord { id, error: format!("{:#}", failed.error) })?)
}

/// The id of a line that may have one.
fn name(flags: &PartFlags, line: &Line) -> Option<String> {
    crate::io::inputs::record::field(line.bytes(), &flags.id)
}
