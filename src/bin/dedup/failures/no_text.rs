//! Makes errors and hints where inputs contain no text, files of records that are read as texts, or
//! records without a field.

use std::path::{Path, PathBuf};

use dedup_text::display::visible;
use dedup_text::text::display_path;

use crate::args::{Group, InputFlags};
use crate::diagnostics::{Diagnostic, as_argument};
use crate::io::inputs::Inputs;
use crate::io::inputs::lines::Lines;
use crate::io::inputs::sources::Globs;
use crate::io::inputs::table as records;
use crate::model::found::Skipped;

const NO_TEXT: &str = "no text found, expected at least one";

/// Makes the error for inputs that contain no text at all, with a hint at the reason, if it is
/// known.
pub(crate) fn no_text(inputs: &Inputs, skipped: &Skipped, command: &str) -> Diagnostic {
    no_text_because(inputs, skipped, command).unwrap_or_else(|| {
        if inputs.globs != Globs::default() {
            let hint = "--include and --exclude leave out files of folders and archives";
            return Diagnostic::new(NO_TEXT).hint(hint).flags(["include", "exclude"]);
        }
        let hint = if inputs.has_files() {
            "in folders, hidden files and files that are not text are skipped"
        } else {
            "a record is a line of JSON Lines, or a row of a table below its header"
        };
        Diagnostic::new(NO_TEXT).hint(hint)
    })
}

/// Same as [`no_text`], but `None` if the reason is not known.
pub(crate) fn no_text_because(
    inputs: &Inputs,
    skipped: &Skipped,
    command: &str,
) -> Option<Diagnostic> {
    let error = Diagnostic::new(NO_TEXT);
    let of_files = inputs.paths.iter().chain(&inputs.against).map(PathBuf::as_path);
    if let Some(hint) = hint_for_records(of_files, command) {
        return Some(error.hint(visible(&hint)));
    }
    let skipped = skipped.by_kind();
    (!skipped.is_empty()).then(|| error.hint(visible(&format!("skipped: {}", skipped.join("; ")))))
}

/// Returns a hint for the first file of records among `paths`, according to their names, which a
/// command would read as a text. `None` if there is none. Tables are texts, too, and do not count.
pub(crate) fn hint_for_records<'p>(
    paths: impl Iterator<Item = &'p Path>,
    command: &str,
) -> Option<String> {
    paths.filter(|path| !is_table(path)).find_map(|path| hint_for(path, command))
}

/// Reports whether a file is a table, according to its name.
pub(crate) fn is_table(path: &&Path) -> bool {
    records::Format::from_name(path) == Some(records::Format::Csv)
}

/// Returns a hint for a file of records, according to its name; `None` if it is another file.
pub(crate) fn hint_for(path: &Path, command: &str) -> Option<String> {
    let format = records::Format::from_name(path).filter(|_| path.is_file())?;
    let (flag, record) = match format {
        records::Format::JsonLines => ("--jsonl", "line"),
        records::Format::Parquet => ("--parquet", "row"),
        records::Format::Csv => ("--csv", "row"),
    };
    let (name, kind, typed) = (display_path(path), format.name_in(path), as_argument(path));
    Some(format!(
        "{name} looks like {kind}: dedup {command} {flag} {typed} reads one record per {record}"
    ))
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
