//! Trouble, told once on standard error: what was found, what was wanted, what to do.

use std::io::Write;

use dedup_text::text::ReadTextError;
use dedup_text::undecided::Undecided;

use crate::report::visible;

/// Bad usage: a flag or a pair of names that cannot be meant.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Usage {
    /// What was found and what was wanted.
    pub(crate) message: String,
    /// What to do; none where the message says it.
    pub(crate) hint: Option<String>,
}

/// Tells an error, and a hint where there is one.
pub(crate) fn tell(error: &anyhow::Error) {
    let hint = hint(error).map(|hint| format!("hint: {hint}\n")).unwrap_or_default();
    write_error(&format!("dedup: {}\n{hint}", visible(&format!("{error:#}"))));
}

/// Tells a defect of our own.
pub(crate) fn tell_defect(defect: &str) {
    write_error(&format!(
        "dedup: a defect in dedup itself: {defect}\nhint: please report it, with the two texts if they may be shown\n"
    ));
}

/// Where standard error is closed there is nobody to tell; the status still says it.
fn write_error(message: &str) {
    let _ = std::io::stderr().write_all(message.as_bytes());
}

fn hint(error: &anyhow::Error) -> Option<String> {
    if let Some(usage) = error.downcast_ref::<Usage>() {
        return usage.hint.clone();
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
        ReadTextError::NotText { .. } => "save it as plain text first",
        ReadTextError::Damaged { .. } => {
            "--lossy reads it all the same, with a warning; --encoding NAME reads it in another"
        }
        _ => "check that it is there and may be read",
    }
}

fn hint_for_pair(error: &Undecided) -> String {
    match error {
        Undecided::OnlyStopWords { .. } => "--stopwords off compares stop words too".to_owned(),
        Undecided::TooShort { stems, .. } => {
            format!("--min {stems} compares as few words as that; --stopwords off keeps them all")
        }
        _ => "check that this is the file you meant".to_owned(),
    }
}
