//! The formats that name texts and say nothing else: a line each, or each with NUL behind it.

use std::path::Path;

use dedup_text::words;

use crate::diagnostics::Diagnostic;
use crate::model::format::Format;
use crate::model::names::Names;

/// Names, byte for byte.
///
/// # Errors
///
/// Where what ends a name stands in one.
pub(crate) fn written<'p>(
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
            let (name, format) = (words::path(&shown), format.name());
            let message =
                format!("{name}: a name with {found}, expected none in --format {format}");
            return Err(Diagnostic::new(message).hint(hint));
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
            let written = written(format, &Names::Ids, names.iter().map(Path::new));
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
        assert_eq!(written(Format::Paths0, &Names::here(), [name]).unwrap(), b"caf\xe9\0");
    }
}
