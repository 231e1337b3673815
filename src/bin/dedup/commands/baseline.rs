//! What was accepted earlier, and what of a run is accepted by it.
//!
//! Goes in: a file of entries, and the judged pairs of a run. Comes out: which pairs are
//! accepted, which entries are of no use, and the file anew where that is asked for. It knows
//! nothing of statuses and formats.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use dedup_text::pair::Judgement;
use dedup_text::text::{ReadTextError, Text, display_path};
use dedup_text::verdict::Verdict;
use dedup_text::{rabin, tokens};

use crate::args::{BaselineFlags, Unused};
use crate::diagnostics::{self, Diagnostic, MAX_SHOWN};
use crate::io::{disk, output};
use crate::words::{counted, thousands, visible};

/// What was accepted earlier.
#[derive(Debug)]
pub(crate) struct Baseline {
    path: PathBuf,
    /// Each entry with its name.
    listed: BTreeMap<Entry, String>,
    is_update: bool,
    unused: Unused,
}

/// A pair, seen by a baseline.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// What it is recorded by; nothing where it does not reach the level.
    entries: Vec<(Entry, String)>,
    /// Whether it was accepted earlier, or is now.
    pub(crate) is_accepted: bool,
}

/// What was found in a run: each entry with its name.
#[derive(Debug, Default)]
pub(crate) struct Found(BTreeMap<Entry, String>);

impl Found {
    /// Adds what a pair is recorded by, where that is asked for; the first name of an entry counts.
    pub(crate) fn extend(&mut self, seen: Option<Seen>) {
        for (entry, name) in seen.into_iter().flat_map(|seen| seen.entries) {
            self.0.entry(entry).or_insert(name);
        }
    }
}

impl Baseline {
    /// Reads what was accepted; none where no baseline is named. One that is to be written
    /// need not be there.
    ///
    /// # Errors
    ///
    /// Where it cannot be read or is none.
    pub(crate) fn open(
        flags: &BaselineFlags,
        max_bytes: Option<u64>,
    ) -> anyhow::Result<Option<Self>> {
        let Some(path) = flags.file() else { return Ok(None) };
        let is_update = flags.is_update();
        let read = if is_update { read_to_replace } else { read };
        let listed = read(path, max_bytes)?;
        Ok(Some(Self { path: path.to_owned(), listed, is_update, unused: flags.unused() }))
    }

    /// Looks whether a pair is accepted. What is written now is accepted with it.
    pub(crate) fn look(
        &self,
        left: &Text,
        right: &Text,
        judgement: &Judgement,
        level: Verdict,
    ) -> Seen {
        if judgement.decision.verdict < level {
            return Seen { entries: Vec::new(), is_accepted: false };
        }
        let entries = entries(left, right, judgement);
        let is_listed = entries.iter().all(|(entry, _)| self.listed.contains_key(entry));
        Seen { entries, is_accepted: is_listed || self.is_update }
    }

    /// Whether all pairs must be known, not only the closest verdict.
    pub(crate) fn needs_all(&self) -> bool {
        self.is_update || self.unused != Unused::Ignore
    }

    /// Ends a run: writes the file anew, or names the entries that were not found.
    ///
    /// # Errors
    ///
    /// Where entries were not found and that is to be an error.
    pub(crate) fn end(&self, found: &Found) -> anyhow::Result<()> {
        if self.is_update {
            return self.write(found);
        }
        let unused: Vec<_> =
            self.listed.iter().filter(|(entry, _)| !found.0.contains_key(entry)).collect();
        if unused.is_empty() || self.unused == Unused::Ignore {
            return Ok(());
        }
        for (entry, name) in unused.iter().take(MAX_SHOWN) {
            let rendered = format!("{}: no longer found: {entry} {name}", display_path(&self.path));
            diagnostics::note(&visible(&rendered));
        }
        if unused.len() > MAX_SHOWN {
            diagnostics::note(&format!("and {} more", count_of(unused.len() - MAX_SHOWN, "such ")));
        }
        match self.unused {
            Unused::Error => {
                let count = count_of(unused.len(), "accepted ");
                let path = display_path(&self.path);
                Err(Diagnostic::new(format!("{path}: {count} no longer found, expected all"))
                    .hint("--update-baseline drops them")
                    .into())
            }
            _ => Ok(()),
        }
    }

    /// Writes what was found; what was listed before keeps its name.
    fn write(&self, found: &Found) -> anyhow::Result<()> {
        let name = |(entry, name): (&Entry, &String)| {
            let known = self.listed.get(entry);
            (*entry, known.unwrap_or(name).clone())
        };
        let entries: BTreeMap<Entry, String> = found.0.iter().map(name).collect();
        output::write_file(&self.path, &render(&entries))?;
        let count = |one: &BTreeMap<Entry, String>, other: &BTreeMap<Entry, String>| {
            one.keys().filter(|entry| !other.contains_key(entry)).count()
        };
        diagnostics::note(&visible(&format!(
            "{}: {} accepted, {} of them new; {} dropped",
            display_path(&self.path),
            count_of(entries.len(), ""),
            count(&entries, &self.listed),
            count(&self.listed, &entries),
        )));
        Ok(())
    }
}

/// So many entries, with what is given of them.
fn count_of(count: usize, what: &str) -> String {
    let noun = if count == 1 { "passage or pair" } else { "passages or pairs" };
    format!("{} {what}{noun}", thousands(count))
}

// What a pair is recorded by.

/// What is accepted. None of it says a place or the name of a file.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Entry {
    /// The fingerprint of a passage.
    Passage(u64),
    /// The fingerprints of two texts that have no passage in common, the smaller first.
    Texts(u64, u64),
}

/// Words of a passage or a text that are its name.
const WORDS: usize = 8;

/// Bytes of a text that its first words are looked for in.
const HEAD: usize = 1 << 10;

impl Entry {
    const PASSAGE: &str = "passage";
    const TEXTS: &str = "texts";

    /// The entry and the name that a line has; none where it is no entry.
    pub(super) fn parse(line: &str) -> Option<(Self, String)> {
        let (kind, rest) = line.split_once(' ')?;
        match kind {
            Self::PASSAGE => {
                let (fingerprint, name) = fingerprint(rest)?;
                Some((Self::Passage(fingerprint), name.to_owned()))
            }
            Self::TEXTS => {
                let (one, rest) = fingerprint(rest)?;
                let (other, name) = fingerprint(rest)?;
                Some((Self::Texts(one.min(other), one.max(other)), name.to_owned()))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Passage(fingerprint) => write!(formatter, "{} {fingerprint:016x}", Self::PASSAGE),
            Self::Texts(one, other) => write!(formatter, "{} {one:016x} {other:016x}", Self::TEXTS),
        }
    }
}

/// Sixteen hexadecimal digits, and what follows them behind a space.
fn fingerprint(typed: &str) -> Option<(u64, &str)> {
    let (digits, rest) = typed.split_once(' ').unwrap_or((typed, ""));
    let is_one = digits.len() == 16 && digits.bytes().all(|it| it.is_ascii_hexdigit());
    let number = u64::from_str_radix(digits, 16).ok().filter(|_| is_one)?;
    Some((number, rest))
}

/// What a pair is recorded by, each entry with its name: its passages, or where it has none
/// both its texts.
fn entries(left: &Text, right: &Text, judgement: &Judgement) -> Vec<(Entry, String)> {
    let passages = judgement.matches.iter().flat_map(|matches| &matches.all);
    let entries: Vec<(Entry, String)> = passages
        .map(|found| {
            let count = counted(found.passage.words(), "word");
            let name = format!("{count}: {}", beginning(left, found.left.content.start));
            (Entry::Passage(found.passage.fingerprint), name)
        })
        .collect();
    if !entries.is_empty() {
        return entries;
    }
    let fingerprint = |text: &Text, known: Option<u64>| known.unwrap_or_else(|| of_words(text));
    let known = [&judgement.left, &judgement.right].map(|it| it.fingerprint.map(|bits| bits.0));
    let mut sides = [
        (fingerprint(left, known[0]), beginning(left, 0)),
        (fingerprint(right, known[1]), beginning(right, 0)),
    ];
    sides.sort();
    let [(one, name), (other, its_name)] = sides;
    vec![(Entry::Texts(one, other), format!("{name} | {its_name}"))]
}

/// The residue of a text's words, for one that is too short for a shingle.
fn of_words(text: &Text) -> u64 {
    let words: Vec<_> = tokens::split(text.content()).0.iter().map(|it| it.word.clone()).collect();
    rabin::residue(words.join(" ").as_bytes())
}

/// The first words from a place of a text on, in their normal form.
fn beginning(text: &Text, start: usize) -> String {
    let content = &text.content()[start..];
    let head = &content[..content.floor_char_boundary(HEAD)];
    let words = tokens::split(head).0;
    let first: Vec<_> = words.iter().take(WORDS).map(|token| token.word.clone()).collect();
    let more = if words.len() > WORDS { " …" } else { "" };
    visible(&(first.join(" ") + more))
}

// The file of a baseline: its version, then an entry a line, in order.

/// What all versions begin with.
const NAME: &str = "# dedup baseline ";

/// The version that is written.
const VERSION: &str = "1";

/// What a conflict of two branches leaves in a file that both changed.
const CONFLICT: [&str; 4] = ["<<<<<<<", "=======", ">>>>>>>", "|||||||"];

/// Why a file holds no entries of a baseline.
enum NoEntries {
    /// It is not there.
    Missing,
    /// It is something else.
    Foreign,
    /// It cannot be read, or is damaged.
    Damaged(Diagnostic),
}

impl NoEntries {
    /// The error for it.
    fn diagnostic(self, path: &Path) -> Diagnostic {
        let path = display_path(path);
        match self {
            Self::Missing => Diagnostic::new(format!("{path}: no such file, expected a baseline"))
                .hint("--update-baseline writes it"),
            Self::Foreign => Diagnostic::new(format!(
                "{path}: no baseline, expected a file that begins with \"{NAME}{VERSION}\""
            ))
            .hint("name the file that --update-baseline wrote, or one that is not there"),
            Self::Damaged(diagnostic) => diagnostic,
        }
    }
}

/// The entries of a file, each with its name.
fn read(path: &Path, max_bytes: Option<u64>) -> Result<BTreeMap<Entry, String>, Diagnostic> {
    let entries = content(path, max_bytes).and_then(|content| parse(path, &content));
    entries.map_err(|error| error.diagnostic(path))
}

/// The entries of a file that is to be replaced; none where it is not there or is damaged. A
/// file that is no baseline is not replaced.
fn read_to_replace(
    path: &Path,
    max_bytes: Option<u64>,
) -> Result<BTreeMap<Entry, String>, Diagnostic> {
    let content = match content(path, max_bytes) {
        Err(NoEntries::Missing) => return Ok(BTreeMap::new()),
        content => content.map_err(|error| error.diagnostic(path))?,
    };
    match parse(path, &content) {
        Err(error @ NoEntries::Foreign) if !content.is_empty() => Err(error.diagnostic(path)),
        parsed => Ok(parsed.unwrap_or_default()),
    }
}

fn content(path: &Path, max_bytes: Option<u64>) -> Result<Vec<u8>, NoEntries> {
    disk::read(path, max_bytes).map_err(|error| match &error {
        ReadTextError::Missing { .. } => NoEntries::Missing,
        ReadTextError::TooLarge { .. } => NoEntries::Damaged(
            Diagnostic::new(error.to_string()).hint("--max-bytes off lifts the limit"),
        ),
        _ => NoEntries::Damaged(
            Diagnostic::new(format!("{:#}", anyhow::Error::from(error)))
                .hint("check that it is there and may be read"),
        ),
    })
}

fn parse(path: &Path, content: &[u8]) -> Result<BTreeMap<Entry, String>, NoEntries> {
    let damaged = |message: String, hint: &str| {
        let message = format!("{}: {message}", display_path(path));
        NoEntries::Damaged(Diagnostic::new(message).hint(hint))
    };
    let conflict = |line: usize| {
        damaged(
            format!("line {line}: a merge conflict, expected an entry"),
            "keep the lines of both sides; or --update-baseline writes the file anew",
        )
    };
    let is_conflict = |line: &str| CONFLICT.iter().any(|mark| line.starts_with(mark));
    let content = str::from_utf8(content).map_err(|_| NoEntries::Foreign)?;
    let mut lines = content.trim_start_matches('\u{feff}').lines().zip(1..);
    let first = lines.next().map(|(line, _)| line).unwrap_or_default();
    if is_conflict(first) {
        return Err(conflict(1));
    }
    match first.strip_prefix(NAME) {
        None => return Err(NoEntries::Foreign),
        Some(VERSION) => {}
        Some(found) => {
            let message = format!("a baseline of version {found}, expected {VERSION}");
            return Err(damaged(message, "write it anew with --update-baseline, by this dedup"));
        }
    }
    let mut entries = BTreeMap::new();
    for (line, number) in lines.filter(|(line, _)| !line.is_empty()) {
        let (entry, name) = match Entry::parse(line) {
            Some(entry) => entry,
            None if is_conflict(line) => return Err(conflict(number)),
            None => {
                return Err(damaged(
                    format!(
                        "line {number}: no entry, expected passage or texts with 16 hexadecimal digits"
                    ),
                    "take the line out; or --update-baseline writes the file anew",
                ));
            }
        };
        entries.entry(entry).or_insert(name);
    }
    Ok(entries)
}

/// The file that has some entries.
fn render(entries: &BTreeMap<Entry, String>) -> String {
    let lines = entries.iter().map(|(entry, name)| format!("{entry} {name}\n"));
    format!("{NAME}{VERSION}\n{}", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_counted_in_words() {
        assert_eq!(count_of(0, ""), "0 passages or pairs");
        assert_eq!(count_of(1, "accepted "), "1 accepted passage or pair");
        assert_eq!(count_of(1204, "accepted "), "1,204 accepted passages or pairs");
    }
}

#[cfg(test)]
mod entry_tests {
    use super::*;

    #[test]
    fn a_line_is_an_entry_and_a_name() {
        let (a, b) = ("0000000000000001", "ffffffffffffffff");
        #[rustfmt::skip]
        let table = [
            ("a passage",        format!("passage {a} 12 words: x y"), Some((Entry::Passage(1), "12 words: x y"))),
            ("no name",          format!("passage {b}"),               Some((Entry::Passage(u64::MAX), ""))),
            ("two texts",        format!("texts {a} {b} x | y"),       Some((Entry::Texts(1, u64::MAX), "x | y"))),
            ("turned round",     format!("texts {b} {a} x | y"),       Some((Entry::Texts(1, u64::MAX), "x | y"))),
            ("capitals",         "passage 00000000000000AB x".into(),  Some((Entry::Passage(0xab), "x"))),
            ("one text",         format!("texts {a}"),                 None),
            ("a digit short",    "passage 000000000000001 x".into(),   None),
            ("a digit more",     "passage 00000000000000001 x".into(), None),
            ("a sign",           "passage +000000000000001 x".into(),  None),
            ("no digit",         "passage 000000000000000g x".into(),  None),
            ("another kind",     format!("pair {a} x"),                None),
            ("no kind",          a.to_owned(),                         None),
            ("nothing",          String::new(),                        None),
        ];
        for (why, line, want) in table {
            let want = want.map(|(entry, name)| (entry, name.to_owned()));
            assert_eq!(Entry::parse(&line), want, "{why}");
        }
    }

    #[test]
    fn an_entry_is_read_as_it_is_written() {
        for entry in [Entry::Passage(0), Entry::Passage(0xabc), Entry::Texts(7, 1 << 63)] {
            assert_eq!(Entry::parse(&entry.to_string()), Some((entry, String::new())));
        }
    }
}
