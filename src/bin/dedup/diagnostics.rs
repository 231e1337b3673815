//! Trouble, told once on standard error: what was found, what was wanted, what to do.

use std::io::Write;
use std::path::PathBuf;

use dedup_text::pair::undecided::Undecided;
use dedup_text::pair::warnings::disguised::described;
use dedup_text::text::defect::Defect;
use dedup_text::text::formats::Refusal;
use dedup_text::text::{ReadTextError, Text, display_path};

use crate::args::Disguises;
use crate::commands::baseline;
use crate::commands::calibrate;
use crate::commands::corpus;
use crate::commands::part;
use crate::config::SettingError;
use crate::inert;
use crate::io::output::{Occupied, Unwritable};
use crate::io::progress;
use crate::render::paths::Ambiguous;
use crate::words::{counted, visible};

/// How many errors of one kind are told one by one; the others are counted.
pub(crate) const TOLD: usize = 3;

/// Bad usage: a flag or a pair of names that cannot be meant.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Usage {
    /// What was found and what was wanted.
    pub(crate) message: String,
    /// What to do; none where the message says it.
    pub(crate) hint: Option<String>,
}

/// A text that was made up to slip through, where that is not to be.
#[derive(Debug, thiserror::Error)]
#[error("{}: {found}, wanted a text without disguises", display_path(path))]
pub(crate) struct Disguised {
    path: PathBuf,
    found: String,
}

/// Trouble for a text with disguises, where they are to be trouble.
pub(crate) fn check_disguises(text: &Text, disguises: Disguises) -> Result<(), Disguised> {
    match text.disguises().first() {
        Some(found) if disguises == Disguises::Error => {
            Err(Disguised { path: text.path().to_owned(), found: described(found) })
        }
        _ => Ok(()),
    }
}

/// Gives advice where nothing is wrong.
pub(crate) fn advise(advice: &str) {
    write_error(&format!("hint: {advice}\n"));
}

/// Tells what was counted, beside an answer that does not say it.
pub(crate) fn note(note: &str) {
    write_error(&format!("dedup: {note}\n"));
}

/// Tells what was found in a text that is shown.
pub(crate) fn warn_of(text: &Text) {
    let name = display_path(text.path());
    for found in text.disguises() {
        warn(&name, &described(found));
    }
    if text.replaced() > 0 {
        let places = counted(text.replaced(), "place");
        warn(&name, &format!("bytes were replaced by U+FFFD in {places}"));
    }
    if let Some(damage) = text.damage() {
        warn(&name, damage);
    }
}

/// Warns of what was found in a text that is compared all the same.
pub(crate) fn warn(name: &str, what: &str) {
    write_error(&format!("dedup: warning: {}\n", visible(&format!("{name}: {what}"))));
}

/// Tells an error, and a hint where there is one.
pub(crate) fn tell(error: &anyhow::Error) {
    let hint = hint(error).map(|hint| format!("hint: {hint}\n")).unwrap_or_default();
    write_error(&format!("dedup: {}\n{hint}", visible(&format!("{error:#}"))));
}

/// Tells a defect of our own.
pub(crate) fn tell_defect(defect: &Defect) {
    write_error(&defect_message(&defect.to_string()));
}

/// A panic quotes what it was about: a text may hold escape sequences.
fn defect_message(defect: &str) -> String {
    format!(
        "dedup: a defect in dedup itself: {}\nhint: please report it, with the texts if they may be shown\n",
        visible(defect)
    )
}

/// Where standard error is closed there is nobody to tell; the status still says it.
fn write_error(message: &str) {
    let message = inert::text(message);
    let _ = progress::beside(|| std::io::stderr().write_all(message.as_bytes()));
}

/// What to do about an error, where that is known.
pub(crate) fn hint(error: &anyhow::Error) -> Option<String> {
    if let Some(blamed) = error.downcast_ref::<SettingError>() {
        return Some(blamed.hint());
    }
    if let Some(usage) = error.downcast_ref::<Usage>() {
        return usage.hint.clone();
    }
    if error.is::<Disguised>() {
        return Some("--disguises warn compares it as its reader sees it".to_owned());
    }
    if error.is::<Unwritable>() {
        return Some("check that its folder is there and may be written to".to_owned());
    }
    if let Some(unread) = error.downcast_ref::<baseline::Unread>() {
        return Some(unread.hint().to_owned());
    }
    if error.is::<baseline::Stale>() {
        return Some("--update-baseline drops them".to_owned());
    }
    if let Some(ambiguous) = error.downcast_ref::<Ambiguous>() {
        return Some(ambiguous.hint().to_owned());
    }
    if error.is::<Occupied>() {
        return Some("name another folder, or one page, such as report.html".to_owned());
    }
    if let Some(hint) = calibrate::hint(error) {
        return Some(hint);
    }
    if let Some(hint) = part::hint(error) {
        return Some(hint.to_owned());
    }
    if let Some(hint) = corpus::hint(error) {
        return Some(hint.to_owned());
    }
    if let Some(unread) = error.downcast_ref::<ReadTextError>() {
        return Some(hint_for_text(unread).to_owned());
    }
    error.downcast_ref::<Undecided>().map(hint_for_pair)
}

fn hint_for_text(error: &ReadTextError) -> &'static str {
    match error {
        ReadTextError::Missing { .. } => {
            "names are looked up from the working folder; - reads standard input"
        }
        ReadTextError::Folder { .. } => "name one file in it",
        ReadTextError::TooLarge { .. } => "--max-bytes off lifts the limit",
        ReadTextError::NoMemory { .. } => "ulimit -v tells whether that is limited here",
        ReadTextError::NotText { .. } => "save it as plain text first",
        ReadTextError::Defect { .. } => "please report it, with the text if it may be shown",
        ReadTextError::Ebcdic { .. } => {
            "convert it first: iconv -f IBM037 -t UTF-8 FILE, or from IBM500, IBM1047 or IBM273"
        }
        ReadTextError::Refused { refusal, .. } => hint_for_document(refusal),
        ReadTextError::Damaged { .. } => {
            "--lossy reads it all the same, with a warning; --encoding NAME reads it in another"
        }
        _ => "check that it is there and may be read",
    }
}

fn hint_for_document(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::Damaged { .. } => "open it with the program that made it, and save it anew",
        Refusal::Foreign { .. } => "save it as plain text, or as .docx, .odt or PDF, first",
        Refusal::TooLarge { .. } => "--max-unpacked off lifts the limit",
        Refusal::Locked { .. } => "save it without the password first",
        Refusal::OnlyPictures { .. } => {
            "a program for text recognition, such as ocrmypdf, makes text of them"
        }
        Refusal::NoProgram { .. } => {
            "install poppler-utils (on macOS: brew install poppler); or make the text \
             elsewhere: pdftotext FILE.pdf - | dedup - OTHER"
        }
        Refusal::TooSlow { .. } => "--max-pdf-time SECONDS gives it more time; off any time",
        _ => "save it as plain text first",
    }
}

fn hint_for_pair(error: &Undecided) -> String {
    match error {
        Undecided::OnlyStopWords { .. } => "--stopwords off compares stop words too".to_owned(),
        Undecided::TooShort { left_out: 1.., .. } => {
            "without --ignore and --template all words count".to_owned()
        }
        Undecided::TooShort { stems, .. } => {
            format!("--min {stems} compares as few words as that; --stopwords off keeps them all")
        }
        _ => "check that this is the file you meant".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_defect_sends_no_escapes_to_a_terminal() {
        assert_eq!(
            defect_message("slicing `\u{1b}[31mred\n`"),
            "dedup: a defect in dedup itself: slicing `\\u{1b}[31mred\\u{a}`\n\
             hint: please report it, with the texts if they may be shown\n"
        );
    }
}
