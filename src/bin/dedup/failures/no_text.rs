//! Makes errors where inputs contain no text, or records no field.

use dedup_text::display::visible;

use crate::args::{Group, InputFlags};
use crate::diagnostics::Diagnostic;
use crate::io::inputs::lines::Lines;
use crate::model::found::Skipped;

/// Makes the error for inputs that contain no text at all. Its hint lists what was skipped.
pub(crate) fn no_text(skipped: &Skipped) -> Diagnostic {
    let skipped = skipped.by_kind();
    let hint = if skipped.is_empty() {
        "in folders, hidden files and files that are not text are skipped, and --include and \
         --exclude leave out others"
            .to_owned()
    } else {
        format!("skipped: {}", skipped.join("; "))
    };
    let error = Diagnostic::new("no text found, expected at least one");
    error.hint(visible(&hint)).flags(["include", "exclude"])
}

/// Returns the beginning of a hint that lists the fields of the first record, as
/// [`Lines::fields_hint`].
pub(crate) fn fields_hint(inputs: &InputFlags) -> String {
    let first = inputs.records().next();
    first
        .map(|(path, format)| Lines::fields_hint(path, format, inputs.header()))
        .unwrap_or_default()
}

/// Returns an error if the field of `--group` is in no record.
pub(crate) fn check_group(inputs: &InputFlags, has_group: bool) -> Result<(), Diagnostic> {
    match &inputs.group {
        Some(Group::Field(field)) if !has_group && inputs.has_records() => {
            let what =
                format!("--group: no record has a field {field}, expected it in at least one");
            let hint = "leave out --group to compare all records with each other";
            let hint = fields_hint(inputs) + hint;
            Err(Diagnostic::new(what).hint(hint).flags(["group"]))
        }
        _ => Ok(()),
    }
}
