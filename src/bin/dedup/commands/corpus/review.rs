//! The review of a report: what a reader decided about each pair. A report saves it, and the next one
//! goes on with it.

use std::path::Path;

use dedup_text::text::display_path;
use serde::{Deserialize, Serialize};

use crate::diagnostics::Diagnostic;
use crate::io::disk;

/// The schema of a review.
const SCHEMA: &str = "dedup.review/1";

/// The number of bytes of the digest of the words of a text that name it in a review.
pub(crate) const REVIEW_DIGEST_BYTES: usize = 8;

/// The largest number of bytes of a file with a review.
const MAX_BYTES: u64 = 50_000_000;

/// The decisions of a reader. The script of the report reads and writes the same.
#[derive(Debug, Deserialize, Serialize)]
struct Review {
    schema: String,
    pairs: Vec<ReviewedPair>,
}

/// The decision about a pair.
#[derive(Debug, Deserialize, Serialize)]
struct ReviewedPair {
    /// The digests of the words of both texts, the lesser first, joined by a hyphen. If several pairs of a
    /// report have them in common, a digest of the names follows.
    key: String,
    state: State,
    #[serde(default)]
    note: String,
    /// The number of words that were the same: a pair that shares more is to be read again.
    words: u64,
    /// The time of the decision, as the browser writes it: of two decisions, the later one counts.
    at: String,
}

/// The state of a pair in a review.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    /// It is still to be read, and has a note.
    Read,
    /// There is an innocent reason, which the note gives.
    Cleared,
    /// It is put before the board.
    Board,
}

/// Reads the review of an earlier report, and renders it for an element of the page.
///
/// # Errors
///
/// Returns a [`Diagnostic`] if the file cannot be read, or is not a review.
pub(super) fn read(path: Option<&Path>) -> Result<String, Diagnostic> {
    let review = match path {
        None => Review { schema: SCHEMA.to_owned(), pairs: Vec::new() },
        Some(path) => of_file(path)?,
    };
    let json = serde_json::to_string(&review).unwrap_or_default();
    Ok(json.replace('<', "\\u003c"))
}

fn of_file(path: &Path) -> Result<Review, Diagnostic> {
    let name = display_path(path);
    let no_review = |what: String| {
        let message = format!("--reviewed {name}: {what}, expected a review that a report saved");
        let hint = "in the report, Save the notes alone writes one";
        Diagnostic::new(message).hint(hint).flags(["reviewed"])
    };
    let bytes = disk::head(path, MAX_BYTES).map_err(|error| no_review(error.to_string()))?;
    let review: Review =
        serde_json::from_slice(&bytes).map_err(|error| no_review(error.to_string()))?;
    if review.schema != SCHEMA {
        return Err(no_review(format!("the schema is {}", review.schema)));
    }
    Ok(review)
}
