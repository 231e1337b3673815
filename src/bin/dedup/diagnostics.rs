//! Errors, warnings, hints and notes on standard error, and the exit status.
//!
//! An error is printed once: what was found, what was expected, and what to do about it. The exit
//! status is always 0, 1 or 2.

use std::borrow::Cow;
use std::error::Error;
use std::ffi::OsStr;
use std::fmt;
use std::io::{self, ErrorKind, Write};
use std::panic::{self, UnwindSafe};
use std::path::Path;
use std::process::ExitCode;

use dedup_text::corpus::index::{Index, IndexError};
use dedup_text::corpus::join::TempFileError;
use dedup_text::display::inert;
use dedup_text::display::{counted, visible};
use dedup_text::pair::Undecided;
use dedup_text::pair::warnings::described;
use dedup_text::text::defect::{self, Defect};
use dedup_text::text::formats::{ExtractError, FileCategory, Kind};
use dedup_text::text::{ReadTextError, Text, display_path};
use serde::{Deserialize, Serialize};

use crate::progress;

/// The number of errors of one kind that are printed in full. The rest are only counted.
pub(crate) const MAX_SHOWN: usize = 3;

/// An error of the program: what was found, what was expected, and what to do about it.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Diagnostic {
    message: String,
    hint: Option<String>,
    flags: Vec<String>,
    kind: Option<&'static str>,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl Diagnostic {
    /// Creates an error from its message: what was found and what was expected.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, flags: Vec::new(), kind: None, source: None }
    }

    /// Adds a hint: what to do about the error.
    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// Adds flags that the error is about, without their hyphens. A hint says which of them are set
    /// in the settings file, so flags that are only recommended are left out.
    pub(crate) fn flags<'f>(mut self, flags: impl IntoIterator<Item = &'f str>) -> Self {
        self.flags.extend(flags.into_iter().map(str::to_owned));
        self
    }

    /// Adds the cause of the error.
    pub(crate) fn source(self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { source: Some(source.into()), ..self }
    }

    /// Sets the kind: of several errors of one kind, only the first [`MAX_SHOWN`] are printed.
    pub(crate) fn kind(self, kind: &'static str) -> Self {
        Self { kind: Some(kind), ..self }
    }

    /// Returns the kind of an error, or `None` if it is not a [`Diagnostic`] or has no kind.
    pub(crate) fn kind_of(error: &anyhow::Error) -> Option<&'static str> {
        error.downcast_ref::<Self>()?.kind
    }
}

/// A flag as messages name it: `--passages off`. As the context of an error, it is the flag that the
/// error is about.
#[derive(Clone, Debug)]
pub(crate) struct Flag {
    names: Vec<&'static str>,
    text: String,
}

impl Flag {
    /// Creates a flag from its name without hyphens.
    pub(crate) fn new(name: &'static str) -> Self {
        Self::of(&[name], format!("--{name}"))
    }

    /// Creates a flag with its value.
    pub(crate) fn with(name: &'static str, value: impl fmt::Display) -> Self {
        Self::of(&[name], format!("--{name} {value}"))
    }

    /// Creates the name, for messages, of something that depends on the given flags, of which there
    /// may be none.
    pub(crate) fn of(names: &[&'static str], text: impl Into<String>) -> Self {
        Self { names: names.to_vec(), text: text.into() }
    }

    /// Returns the names of the flags without hyphens.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.names.iter().copied()
    }
}

impl fmt::Display for Flag {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// Formats a path for a command line in a hint: quoted for a shell if necessary, and with `./` before
/// a name that looks like a flag. `-` is standard input.
pub(crate) fn as_argument(path: impl AsRef<Path>) -> String {
    let mut name = visible(&display_path(path.as_ref()));
    if name.starts_with('-') && name != "-" {
        name.insert_str(0, "./");
    }
    let is_plain = |letter: char| letter.is_alphanumeric() || "._-/+,:@%".contains(letter);
    if name.chars().all(is_plain) { name } else { format!("'{}'", name.replace('\'', "'\\''")) }
}

/// Prints a hint on its own, without an error.
pub(crate) fn advise(advice: &str) {
    write_error(&format!("hint: {}\n", visible(advice)));
}

/// Prints a note, such as a count or a path, that is not part of the answer.
pub(crate) fn note(note: &str) {
    write_error(&format!("dedup: {note}\n"));
}

/// Prints how many of `count` messages were not printed because they are not among the first
/// [`MAX_SHOWN`], in the words of `describe`. Prints nothing if all were printed.
pub(crate) fn note_more(count: usize, describe: impl FnOnce(usize) -> String) {
    if let Some(more @ 1..) = count.checked_sub(MAX_SHOWN) {
        note(&visible(&format!("and {}", describe(more))));
    }
}

/// The number of texts in which bytes were replaced by U+FFFD, as `--lossy` requests.
#[derive(Default)]
pub(crate) struct ReplacedBytes(usize);

impl ReplacedBytes {
    /// Counts a text if bytes were replaced in it, and prints a warning for the first ones.
    pub(crate) fn meet(&mut self, name: &str, places: usize) {
        self.0 += usize::from(places > 0);
        if places > 0 && self.0 <= MAX_SHOWN {
            warn(name, &replaced_bytes(places));
        }
    }

    /// Prints the number of further texts.
    pub(crate) fn end(&self) {
        note_more(self.0, |more| counted(more, "text") + " more like them");
    }
}

fn replaced_bytes(places: usize) -> String {
    format!("bytes were replaced by U+FFFD in {}", counted(places, "place"))
}

/// Prints a warning for each thing found in a text whose content is printed: disguises, bytes that
/// were replaced by U+FFFD, and what of it is not read.
pub(crate) fn warn_of(text: &Text) {
    let name = display_path(text.path());
    for found in text.disguises() {
        warn(&name, &described(found));
    }
    if text.replaced() > 0 {
        warn(&name, &replaced_bytes(text.replaced()));
    }
    if let Some(unread) = text.unread() {
        warn(&name, unread);
    }
}

/// Prints a warning about a text, or another input, that is used nevertheless.
pub(crate) fn warn(name: &str, what: &str) {
    write_error(&format!("dedup: warning: {}\n", visible(&format!("{name}: {what}"))));
}

/// Prints an error, followed by its hint if it has one.
pub(crate) fn print(error: &anyhow::Error) {
    let hint = hint_line(error, Severity::Error);
    write_error(&format!("dedup: {}\n{hint}", visible(&format!("{error:#}"))));
}

/// The effect of a failure on the exit status.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Severity {
    /// The exit status becomes 2.
    #[default]
    Error,
    /// The exit status is not affected.
    Warning,
}

impl Severity {
    /// Reports whether the exit status becomes 2.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
    pub(crate) fn is_error(&self) -> bool {
        *self == Self::Error
    }

    /// Returns the name of the severity in the output for other programs.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// Prints an error as a warning, followed by its hint if it has one.
pub(crate) fn warn_with_hint(error: &anyhow::Error) {
    let error_line = visible(&format!("{error:#}"));
    let hint = hint_line(error, Severity::Warning);
    write_error(&format!("dedup: warning: {error_line}\n{hint}"));
}

/// Formats the hint of an error; empty if it has none.
fn hint_line(error: &anyhow::Error, severity: Severity) -> String {
    hint_at(error, severity).map_or(String::new(), |hint| format!("hint: {}\n", visible(&hint)))
}

/// Prints the short help, for a call without arguments.
pub(crate) fn print_usage(help: &str) {
    write_error(help);
}

/// Returns the message for a panic. A panic message may quote a text, and the text may contain
/// escape sequences, so that these are made visible.
fn defect_message(defect: &str) -> String {
    format!(
        "dedup: a bug in dedup: {}\nhint: please report it, with the texts if you can share them\n",
        visible(defect)
    )
}

/// Writes a message to standard error, above the progress line. A failure to write is ignored: if
/// standard error is closed, the message is lost, but the exit status still reports the error.
fn write_error(message: &str) {
    let message = inert::text(message);
    let _ = progress::suspend(|| io::stderr().write_all(message.as_bytes()));
}

/// Returns what to do about an error, or `None` if nothing is known.
pub(crate) fn hint(error: &anyhow::Error) -> Option<String> {
    hint_at(error, Severity::Error)
}

/// Same as [`hint`], for a text that cannot be read. If the failure is only a warning, the hint
/// does not recommend `--unreadable warn`, which is given already.
pub(crate) fn hint_at(error: &anyhow::Error, severity: Severity) -> Option<String> {
    if let Some(diagnostic) = error.downcast_ref::<Diagnostic>() {
        return diagnostic.hint.clone();
    }
    if error.is::<TempFileError>() {
        return Some("use another folder with --temp-dir DIR".to_owned());
    }
    if let Some(unread) = error.downcast_ref::<ReadTextError>() {
        let of_record = hint_for_record(unread, severity).filter(|_| error.is::<OfRecord>());
        return Some(of_record.unwrap_or_else(|| hint_for_text(unread)).to_owned());
    }
    if let Some(index) = error.downcast_ref::<IndexError>() {
        return hint_for_index(index).map(str::to_owned);
    }
    error.downcast_ref::<Undecided>().map(hint_for_pair)
}

/// Returns the flags that an error is about, without their hyphens.
pub(crate) fn flags(error: &anyhow::Error) -> Vec<&str> {
    let mut flags: Vec<&str> = error.downcast_ref().into_iter().flat_map(Flag::names).collect();
    if let Some(diagnostic) = error.downcast_ref::<Diagnostic>() {
        flags.extend(diagnostic.flags.iter().map(String::as_str));
    } else if error.is::<TempFileError>() {
        flags.push("temp-dir");
    } else if let Some(unread) = error.downcast_ref::<ReadTextError>() {
        flags.extend(flags_for_text(unread, error.is::<OfRecord>()));
    } else if let Some(undecided) = error.downcast_ref::<Undecided>() {
        flags.extend(flags_for_pair(undecided));
    }
    flags
}

fn flags_for_text(error: &ReadTextError, is_of_record: bool) -> &'static [&'static str] {
    match error {
        ReadTextError::TooLarge { .. } => &["max-bytes"],
        ReadTextError::Damaged { .. } if is_of_record => &["lossy"],
        ReadTextError::Damaged { .. } => &["lossy", "encoding"],
        ReadTextError::NotText { .. } if is_of_record => &["unreadable"],
        ReadTextError::Unreadable { source, .. } if is_full(source) => &["temp-dir"],
        ReadTextError::Refused { reason: ExtractError::TooLarge { .. }, .. } => &["max-unpacked"],
        ReadTextError::Refused { reason: ExtractError::TooSlow { .. }, .. } => &["max-pdf-time"],
        _ => &[],
    }
}

fn flags_for_pair(error: &Undecided) -> &'static [&'static str] {
    match error {
        Undecided::OnlyStopWords { .. } => &["stopwords"],
        Undecided::TooShort { left_out: 1.., .. } => &["ignore", "template"],
        Undecided::TooShort { words, stems, .. } if words > stems => &["min", "stopwords"],
        Undecided::TooShort { .. } => &["min"],
        _ => &[],
    }
}

fn hint_for_index(error: &IndexError) -> Option<&'static str> {
    match error {
        IndexError::NoIndex { .. } => {
            Some("create one with dedup index build essays/2025 -o earlier.dedup")
        }
        IndexError::OtherVersion { .. }
        | IndexError::CutOff { .. }
        | IndexError::Damaged { .. } => {
            Some("build it again from the texts with dedup index build")
        }
        IndexError::Locked { .. } | IndexError::Changed { .. } => Some("run dedup again"),
        IndexError::NoUtf8 { .. } => Some("give it another name"),
        IndexError::Unwritable { source, .. } => Some(hint_for_unwritten(source)),
        _ => None,
    }
}

/// The place of a record, as the context of an error in it.
#[derive(Debug)]
pub(crate) struct OfRecord(pub(crate) String);

impl fmt::Display for OfRecord {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

const NO_CONTROLS: &str = "remove the control characters";

/// The hint for a record that is not text, unless `--unreadable warn` is given.
const UNCOMPARED: &str = "remove the control characters; dedup corpus --unreadable warn compares \
                          the others, and leaves such records in --output";

/// Returns the hint for the text of a record, if it differs from that for a file.
fn hint_for_record(error: &ReadTextError, severity: Severity) -> Option<&'static str> {
    match error {
        ReadTextError::Damaged { .. } => {
            Some("--lossy reads it anyway, with a warning; records are always in UTF-8")
        }
        ReadTextError::NotText { .. } if severity == Severity::Warning => Some(NO_CONTROLS),
        ReadTextError::NotText { .. } => Some(UNCOMPARED),
        _ => None,
    }
}

fn hint_for_text(error: &ReadTextError) -> &'static str {
    match error {
        ReadTextError::Unreadable { source, .. } if source.kind() == ErrorKind::NotADirectory => {
            "a folder in the path is a file; if that is an archive, extract the text, or compare all \
             its texts with dedup corpus ARCHIVE"
        }
        ReadTextError::Missing { .. } => {
            "paths are relative to the working folder; - reads standard input"
        }
        ReadTextError::Folder { .. } => "name one file in it",
        ReadTextError::TooLarge { .. } => "--max-bytes off lifts the limit",
        ReadTextError::NoMemory { .. } => "ulimit -v shows whether memory is limited",
        ReadTextError::NotText { path, .. } if Index::is_at(path) => {
            "it is an index: dedup corpus PATH… --against FILE compares texts with it"
        }
        ReadTextError::NotText { .. } => "save it as plain text first",
        ReadTextError::Unreadable { source, .. } if is_full(source) => FREE_TEMPORARY_SPACE,
        ReadTextError::Defect { .. } => "please report it, with the text if you can share it",
        ReadTextError::Ebcdic { .. } => {
            "convert it first: iconv -f IBM037 -t UTF-8 FILE, or from IBM500, IBM1047 or IBM273"
        }
        ReadTextError::Refused {
            path,
            reason: ExtractError::Unsupported { holds: FileCategory::Archive, .. },
        } if is_named_as_document(path) => SAVE_AGAIN,
        ReadTextError::Refused { reason, .. } => hint_for_document(reason),
        ReadTextError::Damaged { .. } => {
            "--lossy reads it anyway, with a warning; --encoding NAME reads it in another encoding"
        }
        _ => "check that the file exists and is readable",
    }
}

/// Cuts what a file contains for a message: at most 80 characters, with `…` if there are more.
pub(crate) fn shortened(content: &str) -> Cow<'_, str> {
    match content.char_indices().nth(80) {
        Some((end, _)) => Cow::Owned(format!("{}…", &content[..end])),
        None => Cow::Borrowed(content),
    }
}

/// The hint for a temporary file that cannot be written.
pub(crate) const FREE_TEMPORARY_SPACE: &str =
    "free some space there, or use another folder: dedup corpus --temp-dir DIR, or TMPDIR=DIR";

/// Returns what to do about a file that cannot be written.
pub(crate) fn hint_for_unwritten(error: &io::Error) -> &'static str {
    match error.kind() {
        _ if is_full(error) => "free some space on its disk, or name a file on another disk",
        ErrorKind::AlreadyExists => "another program has created it meanwhile; name another file",
        ErrorKind::FileTooLarge => "ulimit -f shows the limit on the size of a file",
        _ => "check that its folder exists and is writable",
    }
}

/// Reports whether a disk is full, or the quota of the user is used up.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}

/// The hint for a Zstandard file whose window is too large.
pub(crate) const UNPACK_WINDOW: &str =
    "zstd -dc --long=31 FILE unpacks it; pipe that to dedup, with - for the file";

const SAVE_AGAIN: &str = "open it in the program that created it, and save it again";

/// Reports whether a file has the name of a document that is a ZIP archive inside.
fn is_named_as_document(path: &Path) -> bool {
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    Kind::from_ending(ending).is_some_and(Kind::is_archive)
}

fn hint_for_document(reason: &ExtractError) -> &'static str {
    match reason {
        ExtractError::Damaged {
            kind: "ZIP archive" | "tar archive" | "file of an archive",
            ..
        } => "download the archive again, or unpack it and create a ZIP archive",
        ExtractError::Damaged { .. } => SAVE_AGAIN,
        ExtractError::NotRead { .. } => "unpack the archive, and give its folder instead",
        ExtractError::Unsupported { holds: FileCategory::Archive, .. } => {
            "unpack it, or save it as a ZIP archive: dedup corpus FILE.zip compares the files in it"
        }
        ExtractError::Unsupported { .. } => "save it as plain text, .docx, .odt or PDF first",
        ExtractError::NotBuiltIn { .. } | ExtractError::NoPdfReader => {
            "use a released program, or build with the default features"
        }
        ExtractError::TooLarge { .. } => "--max-unpacked off lifts the limit",
        ExtractError::WindowTooLarge(_) => UNPACK_WINDOW,
        ExtractError::TooMany { .. } | ExtractError::LongHeader { .. } => {
            "unpack it, and give its folder instead"
        }
        ExtractError::Locked { kind: "ZIP archive" } => {
            "create the archive again without a password"
        }
        ExtractError::Locked { .. } => "save it without a password first",
        ExtractError::OnlyPictures { kind: "a PDF" } => {
            "recognize the text first, with a program such as ocrmypdf"
        }
        ExtractError::OnlyPictures { .. } => {
            "save it as a PDF, then recognize its text with a program such as ocrmypdf"
        }
        ExtractError::TooSlow { .. } => {
            "--max-pdf-time SECONDS gives it more time; off sets no limit"
        }
        _ => "save it as plain text first",
    }
}

fn hint_for_pair(error: &Undecided) -> String {
    match error {
        Undecided::OnlyStopWords { .. } => "--stopwords off compares stop words too".to_owned(),
        Undecided::TooShort { left_out: 1.., .. } => {
            "leave out --ignore and --template to compare all words".to_owned()
        }
        Undecided::TooShort { words, stems, .. } if words > stems => {
            format!("--min {stems} compares texts this short; --stopwords off keeps all words")
        }
        Undecided::TooShort { stems, .. } => format!("--min {stems} compares texts this short"),
        _ => "check that this is the file you meant".to_owned(),
    }
}

// Exit status.

/// The outcome of a run, which sets the exit status.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Exit {
    /// 0: the level is reached. With `--fail-on`: the level is not reached.
    Success,
    /// 1: the level is not reached. With `--fail-on`: the level is reached.
    Failure,
    /// 2: there was an error. An answer may have been written nevertheless, about the texts that
    /// could be read.
    Error,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Runs the program. A panic, which is a defect in `dedup`, is reported in one line and returns
/// [`Exit::Error`]. A panic that [`defect::catch`] catches is not reported here: its caller does
/// that.
pub(crate) fn guarded(run: impl FnOnce() -> Exit + UnwindSafe) -> Exit {
    panic::set_hook(Box::new(|panic| {
        if !defect::is_caught(panic) {
            write_error(&defect_message(&Defect::from_panic(panic).to_string()));
        }
    }));
    panic::catch_unwind(run).unwrap_or(Exit::Error)
}

/// Returns the name with the smallest edit distance to a typed one (Damerau 1964, Levenshtein
/// 1966); `None` if the distance is more than a third of the length of that name.
pub(crate) fn nearest<'n>(names: impl Iterator<Item = &'n str>, typed: &str) -> Option<&'n str> {
    let with_distance = names.map(|name| (strsim::damerau_levenshtein(name, typed), name));
    let (distance, name) = with_distance.min_by_key(|(distance, _)| *distance)?;
    (distance <= name.len() / 3).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_can_be_typed() {
        #[rustfmt::skip]
        let table = [
            ("plain",          "a/b-1.txt", "a/b-1.txt"),
            ("a space",        "a b",       "'a b'"),
            ("a quote",        "l'a",       "'l'\\''a'"),
            ("like a flag",    "-a b",      "'./-a b'"),
            ("standard input", "-",         "-"),
        ];
        for (why, name, want) in table {
            assert_eq!(as_argument(name), want, "{why}");
        }
    }

    #[test]
    fn a_defect_sends_no_escapes_to_a_terminal() {
        assert_eq!(
            defect_message("slicing `\u{1b}[31mred\n`"),
            "dedup: a bug in dedup: slicing `\\u{1b}[31mred\\u{a}`\nhint: please report it, with \
             the texts if you can share them\n"
        );
    }
}

#[cfg(test)]
mod exit_tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        assert_eq!(guarded(|| panic!("made up by a test")), Exit::Error);
        assert_eq!(guarded(|| Exit::Failure), Exit::Failure);
    }

    #[test]
    fn a_panic_that_is_caught_tells_its_place() {
        let mut caught = None;
        let run = || {
            caught = defect::catch(|| panic!("made up by a test")).err();
            Exit::Success
        };
        assert_eq!(guarded(panic::AssertUnwindSafe(run)), Exit::Success);
        let caught = caught.unwrap().to_string();
        let place = caught.strip_prefix("made up by a test at src/bin/dedup/diagnostics.rs:");
        assert!(place.is_some_and(|line| line.parse::<u32>().is_ok()), "{caught}");
    }
}
