//! The flags that set how texts are compared, for two texts and for many.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use dedup_text::language::{Choice, Given, Language};
use dedup_text::passages::MinMatch;
use dedup_text::shingles::Ngrams;
use dedup_text::stems;
use dedup_text::text::formats::Bounds;
use dedup_text::text::{Encoding, Html, Markup, ReadOptions, Side};
use dedup_text::tokens::exclusions::Why;
use dedup_text::verdict::Limits;
use dedup_text::verdict::ratio::Ratio;

use super::check_conflicts;
use super::headings::{EVIDENCE, LIMITS, READING, WHAT_COUNTS};
use super::values::{self, Ignored, Limit, PerSide, formed, given_for, named};
use crate::diagnostics::{Diagnostic, Flag};
use crate::io::inputs::source::Disguises;

/// The flags that set how texts are compared.
#[derive(Args, Debug)]
pub(crate) struct Comparing {
    /// Smallest n-gram, in words [1 to 64, default 1]
    ///
    /// Shingles are cut for every n from --min to --max. A text with fewer words
    /// left after the stop words cannot be judged.
    #[arg(long, value_name = "N", value_parser = values::ngram, help_heading = WHAT_COUNTS, hide_short_help = true)]
    pub(crate) min: Option<usize>,

    /// Largest n-gram, in words [1 to 64, default 3]
    ///
    /// Containment counts the shingles of this size only. --max 3 --min 3 is the
    /// classic setting.
    #[arg(long, value_name = "N", value_parser = values::ngram, help_heading = WHAT_COUNTS, hide_short_help = true)]
    pub(crate) max: Option<usize>,

    /// Maximum number of differing bits [0 to 64, off; default 3]
    ///
    /// For near-duplicates, between the 64-bit fingerprints, after Manku, Jain and Das Sarma
    /// (2007). 3 bits correspond to about one changed word in 280.
    #[arg(long, value_name = "BITS", default_value = "3", value_parser = values::bits, help_heading = LIMITS, hide_short_help = true)]
    hamming: Limit<u32>,

    /// Minimum Jaccard index [0 to 1, off; default 0.5]
    ///
    /// For near-duplicates: the number of distinct shingles in both texts, divided by the number of
    /// distinct shingles in either text. The figures of the shingles count only if both texts have
    /// at least 8 distinct stems and, where the words of both merely repeat, if half of each text is
    /// in passages.
    #[arg(long, value_name = "R", default_value = "0.5", value_parser = values::ratio, help_heading = LIMITS, hide_short_help = true)]
    jaccard: Limit<Ratio>,

    /// Minimum coverage [0 to 1, off; default 0.2]
    ///
    /// For partial pairs: the share of either text's words that are in passages which the other
    /// text contains.
    #[arg(long, value_name = "R", default_value = "0.2", value_parser = values::ratio, help_heading = LIMITS, hide_short_help = true)]
    coverage: Limit<Ratio>,

    /// Minimum Jaccard index of a partial pair [0 to 1, off; default 0.12]
    ///
    /// Not above --jaccard, which is the default where it is lower. Where a text has fewer than 100
    /// words, two thirds of it. One shared shingle is taken for chance.
    #[arg(long, value_name = "R", value_parser = values::ratio, help_heading = LIMITS, hide_short_help = true)]
    partial_jaccard: Option<Limit<Ratio>>,

    /// Minimum containment [0 to 1, off; default off]
    ///
    /// For a partial pair, in either direction: the share of one text's longest shingles that the
    /// other text also has. Fewer than 3 shared shingles are considered chance.
    #[arg(long, value_name = "R", default_value = "off", value_parser = values::ratio, help_heading = LIMITS, hide_short_help = true)]
    containment: Limit<Ratio>,

    /// Language: ca, cat or none; left=ca for one side
    ///
    /// An ISO 639-1 or 639-3 code. Without this flag the language is detected. May be given once
    /// for both sides, or once for each: --lang left=ca --lang right=es.
    #[arg(long, value_name = "CODE", value_parser = values::lang, help_heading = WHAT_COUNTS, hide_short_help = true)]
    pub(crate) lang: Vec<PerSide<Option<Language>>>,

    #[command(flatten)]
    pub(crate) opening: Opening,

    #[command(flatten)]
    pub(crate) evidence: Evidence,

    /// Drop stop words: on, off or a FILE [default on]
    ///
    /// Negations (not, no) are no stop words, and with "on" don't is read as do not. A file contains
    /// words separated by white space; # begins a comment. It replaces the lists of all languages,
    /// and drops what it names.
    #[arg(long, value_name = "WHICH", default_value = "on", value_parser = named(values::path(), &["on", "off"]), value_hint = clap::ValueHint::FilePath, help_heading = WHAT_COUNTS, hide_short_help = true)]
    pub(crate) stopwords: PathBuf,

    /// Stem words: on or off [default on]
    #[arg(long, value_name = "WHETHER", default_value = "on", value_parser = values::choice(&stems::Choice::NAMED), help_heading = WHAT_COUNTS, hide_short_help = true)]
    pub(crate) stem: stems::Choice,
}

impl Comparing {
    /// Returns the languages that `--lang` gives for two texts.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if `--lang` is given twice for a side, or twice for both.
    pub(crate) fn languages(&self) -> Result<Choice, Diagnostic> {
        Ok(Choice { left: self.language(Side::Left)?, right: self.language(Side::Right)? })
    }

    /// Returns the language that `--lang` gives for all texts of a corpus.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if a side is named, or if the flag is given twice.
    pub(crate) fn language_of_all(&self) -> Result<Choice, Diagnostic> {
        let language = values::given_for_all(&self.lang, "lang", values::NO_SIDE_IN_CORPUS)?;
        let given = language.map_or(Given::Detect, Given::As);
        Ok(Choice { left: given, right: given })
    }

    /// Reports whether a limit for coverage is given that is not the default.
    pub(crate) fn has_coverage(&self) -> bool {
        self.coverage.0.is_some() && self.coverage.0 != Limits::default().coverage
    }

    fn language(&self, side: Side) -> Result<Given, Diagnostic> {
        let language = given_for(&self.lang, side, "lang", ["ca", "es"]);
        language.map(|language| language.map_or(Given::Detect, Given::As))
    }

    /// Returns the file with the list of stop words. `None` if `--stopwords` is on or off.
    pub(crate) fn stopwords_file(&self) -> Option<&Path> {
        let is_file = ["on", "off"].iter().all(|word| self.stopwords != Path::new(word));
        is_file.then_some(&*self.stopwords)
    }

    /// Returns the files that are read in addition to the texts, each with its description for
    /// error messages.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let list = self.stopwords_file().map(|path| ("the list of stop words", path));
        self.evidence.template.iter().map(|path| ("a template", &**path)).chain(list)
    }

    /// Checks that the sizes of n-grams and the limits do not contradict each other. No file is
    /// read.
    pub(crate) fn check(&self) -> Result<(), Diagnostic> {
        self.ngrams().and(self.limits()).map(drop)
    }

    /// Returns `--min` and `--max`, even if they contradict each other.
    pub(crate) fn sizes(&self) -> [usize; 2] {
        let usual = Ngrams::default();
        [self.min.unwrap_or(usual.min()), self.max.unwrap_or(usual.max())]
    }

    pub(crate) fn ngrams(&self) -> Result<Ngrams, Diagnostic> {
        let [min, max] = self.sizes();
        Ngrams::new(min, max).ok_or_else(|| {
            Diagnostic::new(match (self.min, self.max) {
                (Some(_), None) => format!("--min {min} is above --max, which is {max} by default"),
                (None, _) => format!("--max {max} is below --min, which is {min} by default"),
                _ => format!("--min {min} is above --max {max}, expected min <= max"),
            })
            .hint(format!("--max {}", min.max(max)))
            .flags(["min", "max"])
        })
    }

    /// Returns the limits of the verdicts.
    ///
    /// # Errors
    ///
    /// [`Diagnostic`] if the Jaccard limit of partial pairs is above that of near-duplicates.
    pub(crate) fn limits(&self) -> Result<Limits, Diagnostic> {
        let Self { hamming, jaccard, partial_jaccard, coverage, containment, .. } = self;
        let usual = Limits::usual_partial_jaccard(jaccard.0);
        let limits = Limits {
            hamming: hamming.0,
            jaccard: jaccard.0,
            partial_jaccard: partial_jaccard.map_or(usual, |limit| limit.0),
            coverage: coverage.0,
            containment: containment.0,
        };
        match (limits.partial_jaccard, limits.jaccard) {
            (Some(partial), Some(whole)) if partial > whole => Err(Diagnostic::new(format!(
                "--partial-jaccard {partial} is above --jaccard {whole}, expected at most {whole}"
            ))
            .hint(format!("--partial-jaccard {whole}, or off"))
            .flags(["partial-jaccard", "jaccard"])),
            _ => Ok(limits),
        }
    }
}

// The flags that exclude parts of the texts and set which passages count as evidence.

/// The flags that set which words and which passages count.
#[derive(Args, Debug)]
pub(crate) struct Evidence {
    /// Ignore: quotes, bibliography, marked, short
    ///
    /// quotes: text between paired quotation marks, if it has at least five words, and block
    /// quotations. bibliography: the list of references, from its heading to the next heading.
    /// marked: from a line "dedup: ignore-start" to a line "dedup: ignore-end", each by itself or
    /// in a comment, such as <!-- dedup: ignore-start -->; dedup check does this by default. No
    /// shingle or passage extends across ignored text. short: passages of fewer than 20 aligned
    /// words, or fewer than WORDS with short=WORDS; they count neither for excerpt nor for
    /// coverage. The output counts everything ignored. Several values are separated by commas.
    #[arg(
        long,
        value_name = "WHAT",
        value_delimiter = ',',
        value_parser = formed(values::ignored, &["quotes", "bibliography", "marked", "short"], &["short=WORDS"]), help_heading = WHAT_COUNTS, hide_short_help = true)]
    pub(crate) ignore: Vec<Ignored>,

    /// Whether the text between markers is excluded although no flag requests it.
    #[arg(skip)]
    pub(crate) is_marked_by_default: bool,

    /// Ignore text that a FILE also has; repeatable
    ///
    /// Ignores the passages of --min-match words that a text shares with the file, and every other
    /// place with as many of the file's words in a row. No shingle extends across ignored text, and
    /// the output counts it.
    #[arg(long, value_name = "FILE", help_heading = WHAT_COUNTS)]
    pub(crate) template: Vec<PathBuf>,

    /// Minimum words of a passage, in a row [3 or more, default 12]
    ///
    /// A shared passage counts if it has WORDS aligned words in a row; or five thirds as many
    /// different words, in any order, if WORDS different ones of them are in runs of three or more,
    /// and at least one run has four. Reworded sentences count if the words that both have weigh
    /// five bits for each of WORDS: six bits for a rare word, less for a frequent one. In scripts
    /// without spaces a letter is worth three quarters of a word (Chinese characters) or half a word
    /// (hiragana, Thai, Lao, Khmer, Burmese): twelve words are 16 or 24 letters in a row. A run of
    /// katakana is one word.
    #[arg(
        long,
        value_name = "WORDS",
        default_value = "12",
        value_parser = values::min_match, help_heading = EVIDENCE, hide_short_help = true)]
    pub(crate) min_match: MinMatch,

    /// Search for passages: on or off [default on]
    ///
    /// Passages that are not searched for do not affect the verdict. In a corpus the default is off
    /// if only near-duplicates are requested, but on for --nearest, --report, --baseline, --since,
    /// --each-against, sarif, github, junit, gitlab and markdown, and for the text output of up to
    /// 2,000 texts unless --fail-on is given; with on, the whole corpus is kept in memory. Where the
    /// words of both texts merely repeat, passages are searched for even so.
    #[arg(long, value_name = "WHETHER", help_heading = EVIDENCE, hide_short_help = true)]
    pub(crate) passages: Option<Passages>,
}

/// Whether passages are searched for.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Passages {
    On,
    Off,
}

impl Evidence {
    /// Returns the kinds of text that `--ignore` excludes.
    pub(crate) fn ignored(&self) -> Vec<Why> {
        let part = |ignored: &Ignored| match ignored {
            Ignored::Part(why) => Some(*why),
            Ignored::Short(_) => None,
        };
        self.ignore.iter().filter_map(part).collect()
    }

    /// Excludes the text between markers as well, as `dedup check` does.
    pub(crate) fn ignore_marked(&mut self) {
        self.is_marked_by_default = !self.ignored().contains(&Why::Marked);
        self.ignore.push(Ignored::Part(Why::Marked));
    }

    /// Returns the minimum number of aligned words that a passage must have to count: passages with
    /// fewer words are listed separately. `None` if `--ignore short` is not given; the last one
    /// given wins.
    pub(crate) fn short(&self) -> Option<usize> {
        let words = |ignored: &Ignored| match ignored {
            Ignored::Part(_) => None,
            Ignored::Short(words) => Some(*words),
        };
        self.ignore.iter().rev().find_map(words)
    }

    /// Reports whether `--passages off` is given.
    pub(crate) fn has_no_passages(&self) -> bool {
        self.passages == Some(Passages::Off)
    }
}

// The flags that set how texts are read.

/// The flags that set how texts are read: their encoding, their markup, and limits of size and
/// time.
#[derive(Args, Debug)]
pub(crate) struct Opening {
    /// Encoding, such as latin1; left=latin1 for one side
    ///
    /// A name from the WHATWG Encoding Standard. Without this flag the encoding is that of the byte
    /// order mark if there is one, otherwise UTF-8 if the bytes are valid, otherwise it is
    /// detected.
    #[arg(long, value_name = "NAME", value_parser = values::encoding, help_heading = READING, hide_short_help = true)]
    pub(crate) encoding: Vec<PerSide<Encoding>>,

    /// Replace bytes that are invalid in the encoding
    ///
    /// Each is replaced by U+FFFD, and a warning gives their number. Without this flag they are
    /// errors.
    #[arg(long, help_heading = READING, hide_short_help = true)]
    pub(crate) lossy: bool,

    /// Handling of disguised text: warn or error [default warn]
    ///
    /// Look-alike letters of another script, invisible characters, letter-spacing, hidden text and
    /// the like are undone, and the text is compared as a reader sees it. With error they are
    /// errors.
    #[arg(long, value_name = "HOW", default_value = "warn", help_heading = READING, hide_short_help = true)]
    pub(crate) disguises: Disguises,

    /// Part of a web page to read: auto, main, all or off [default auto]
    ///
    /// main is the main content; all is the body without navigation, header and footer; off
    /// compares the source of the page. auto is main for files, and off for records of JSON Lines,
    /// CSV and Parquet.
    #[arg(long, value_name = "PART", default_value = "auto", value_parser = values::choice(&Html::NAMED), help_heading = READING, hide_short_help = true)]
    pub(crate) html: Html,

    /// Read as Markdown: auto, on or off [default auto]
    ///
    /// Words count, markup and link targets do not. auto applies to files named .md or .markdown.
    #[arg(long, value_name = "WHETHER", default_value = "auto", value_parser = values::choice(&Markup::NAMED), help_heading = READING, hide_short_help = true)]
    pub(crate) markdown: Markup,

    /// Read as LaTeX: auto, on or off [default auto]
    ///
    /// Words count; commands, formulas and comments do not. auto applies to files named .tex or
    /// .ltx, and to files that begin with \documentclass.
    #[arg(long, value_name = "WHETHER", default_value = "auto", value_parser = values::choice(&Markup::NAMED), help_heading = READING, hide_short_help = true)]
    pub(crate) latex: Markup,

    /// Maximum size of a file, in bytes [off; default 200000000]
    #[arg(
        long,
        value_name = "BYTES",
        default_value = "200000000",
        value_parser = values::bytes, help_heading = READING, hide_short_help = true)]
    max_bytes: Limit<u64>,

    /// Maximum unpacked size of a document, in bytes [off; default 200000000]
    #[arg(
        long,
        value_name = "BYTES",
        default_value = "200000000",
        value_parser = values::bytes, help_heading = READING, hide_short_help = true)]
    max_unpacked: Limit<u64>,

    /// Time limit for reading a PDF, in seconds [off; default 20]
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "20",
        value_parser = values::seconds, help_heading = READING, hide_short_help = true)]
    max_pdf_time: Limit<Duration>,
}

impl Opening {
    /// Returns the reading options of the texts of a corpus, so that no side may be named.
    pub(crate) fn reading_of_all(&self) -> Result<ReadOptions, Diagnostic> {
        self.reading_without_sides(values::NO_SIDE_IN_CORPUS)
    }

    /// Returns the reading options of texts that have no side, for the reason `why`.
    pub(crate) fn reading_without_sides(&self, why: &str) -> Result<ReadOptions, Diagnostic> {
        let encoding = values::given_for_all(&self.encoding, "encoding", why)?;
        Ok(ReadOptions { encoding, ..self.of_others() })
    }

    /// Returns the reading options of the text on one side.
    pub(crate) fn reading(&self, side: Side) -> Result<ReadOptions, Diagnostic> {
        Ok(ReadOptions {
            encoding: given_for(&self.encoding, side, "encoding", ["latin1", "utf-8"])?,
            ..self.of_others()
        })
    }

    /// Returns the reading options of a list of words, which is read as plain text.
    pub(crate) fn list(&self) -> ReadOptions {
        let (markdown, latex) = (Markup::Off, Markup::Off);
        ReadOptions { html: Html::Off, markdown, latex, ..self.of_others() }
    }

    /// Returns the reading options of a text that is on neither side, such as a template: its
    /// encoding is detected.
    pub(crate) fn of_others(&self) -> ReadOptions {
        ReadOptions {
            max_bytes: self.max_bytes.0,
            encoding: None,
            lossy: self.lossy,
            html: self.html,
            markdown: self.markdown,
            latex: self.latex,
            nameless: false,
            bounds: Bounds {
                unpacked: self.max_unpacked.0,
                time: self.max_pdf_time.0,
                #[cfg(feature = "pdf")]
                pdfs: crate::io::pdf_reader::reading(),
                #[cfg(not(feature = "pdf"))]
                pdfs: dedup_text::text::formats::PdfReading::Refused,
            },
        }
    }
}

impl Comparing {
    /// Checks that no flag about passages is typed if passages are not searched for.
    pub(crate) fn check_ignored(&self, typed: impl Fn(&str) -> bool) -> Result<(), Diagnostic> {
        let Evidence { min_match, template, .. } = &self.evidence;
        let has_min_match = *min_match != MinMatch::default() && template.is_empty();
        let no_length = "without passages there is no length to limit";
        let no_coverage = "without passages there is no coverage";
        let flags = [
            (has_min_match, Flag::new("min-match"), no_length),
            (self.evidence.short().is_some(), Flag::with("ignore", "short"), no_length),
            (self.has_coverage(), Flag::new("coverage"), no_coverage),
        ];
        let is_off = self.evidence.has_no_passages();
        check_conflicts(&flags.map(|(is_given, flag, hint)| {
            let is_idle = is_off && is_given && flag.names().all(&typed);
            (is_idle, flag, Flag::with("passages", "off"), hint)
        }))
    }
}
