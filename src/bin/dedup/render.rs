//! Renders answers, which are printed or written to files: about a pair or a corpus.

pub(crate) mod records;
pub(crate) mod answer;

use std::path::Path;

use dedup_text::display;
use dedup_text::record::{PersonRecord, RecordOptions, of_pair};

use crate::diagnostics::Diagnostic;
use crate::exports::Format;
use crate::model::Pair;
use crate::model::names::Names;
use crate::model::persons::{Person, Time};

// The answer for programs: one JSON object, which conforms to `dedup.pair.schema.json`.

/// The data for the record of a pair, in addition to the pair.
pub(crate) struct ReportOptions<'o> {
    /// The rule by which texts are named.
    pub(crate) names: &'o Names,
    /// The list of stop words, as the user gave it.
    pub(crate) stopwords: &'o Path,
    /// The name of the settings file; `None` if none is read.
    pub(crate) settings: Option<&'o str>,
}

/// Renders the record of a pair as one line without a line feed. With `explains`, it has every
/// stage.
pub(crate) fn render_record(
    pair: &Pair,
    explains: bool,
    options: &ReportOptions,
) -> anyhow::Result<String> {
    let options = RecordOptions {
        name: &|path| options.names.given(path),
        stopwords: options.stopwords,
        settings: options.settings,
        explains,
        is_accepted: pair.is_accepted,
        accepted_by: pair.accepted_by,
        persons: pair.persons.map(|person| person.map(person_record)),
        later: pair.later(),
        earlier: pair.earlier,
    };
    Ok(of_pair([pair.left, pair.right], pair.recipe, pair.judgement, &options)?)
}

pub(crate) fn person_record(person: &Person) -> PersonRecord {
    PersonRecord {
        id: person.id.clone(),
        name: person.name.clone(),
        group: person.group.clone(),
        submitted: person.submitted.as_ref().map(Time::iso),
    }
}

// The formats that consist of names only, each followed by a line feed or by NUL.

/// Renders names byte for byte.
///
/// # Errors
///
/// Returns a [`Diagnostic`] if a name contains the byte that ends names in this format.
pub(crate) fn render_paths<'p>(
    format: Format,
    names: &Names,
    paths: impl IntoIterator<Item = &'p Path>,
) -> Result<Vec<u8>, Diagnostic> {
    let (end, found, hint) = if format == Format::Paths0 {
        (b'\0', "a NUL", "--format json writes any name")
    } else {
        (b'\n', "a line feed", "--format paths0 ends each name with NUL, as find -print0 does")
    };
    let mut written = Vec::new();
    for path in paths {
        let shown = names.shown(path);
        let name = shown.as_os_str().as_encoded_bytes();
        if name.contains(&end) {
            let (name, format) = (display::path(&shown), format.name());
            let message =
                format!("{name}: a name with {found}, expected none in --format {format}");
            return Err(Diagnostic::new(message).hint(hint).flags(["format"]));
        }
        written.extend_from_slice(name);
        written.push(end);
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_ended_by_what_does_not_stand_in_it() {
        let rendered = |format, names: &[&str]| {
            let written = render_paths(format, &Names::Ids, names.iter().map(Path::new));
            written.map_err(|error| error.to_string())
        };
        #[rustfmt::skip]
        let table: &[(&str, Format, &[&str], Result<&[u8], &str>)] = &[
            ("none",             Format::Paths,  &[],                      Ok(b"")),
            ("lines",            Format::Paths,  &["a b", "c\u{1b}\u{202e}\r"], Ok(b"a b\nc\x1b\xe2\x80\xae\r\n")),
            ("a line feed",      Format::Paths,  &["a", "b\n::error::c"],  Err("b\\u{a}::error::c: a name with a line feed, expected none in --format paths")),
            ("by NUL",           Format::Paths0, &["a b", "c\nd"],         Ok(b"a b\0c\nd\0")),
            ("a NUL",            Format::Paths0, &["a\0b"],                Err("a\\u{0}b: a name with a NUL, expected none in --format paths0")),
        ];
        for (why, format, names, want) in table {
            let want = want.map(<[u8]>::to_vec).map_err(str::to_owned);
            assert_eq!(rendered(*format, names), want, "{why}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_name_need_not_be_utf_8() {
        use std::os::unix::ffi::OsStrExt;
        let name = Path::new(std::ffi::OsStr::from_bytes(b"caf\xe9"));
        assert_eq!(render_paths(Format::Paths0, &Names::here(), [name]).unwrap(), b"caf\xe9\0");
    }
}
