//! The names of texts: relative to the working folder if they are in it, otherwise as the user gave
//! them.

use std::borrow::Cow;
use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{self, Component, MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Arc;

use dedup_text::text::{Text, display_path};

use dedup_text::display::visible;

use super::found::{FoundTexts, TextOrigin};

/// The rule by which texts are named.
#[derive(Clone, Debug)]
pub(crate) enum Names {
    /// Paths, shown relative to the working folder, which has these names.
    Paths(Vec<PathBuf>),
    /// The ids of records, unchanged.
    Ids,
    /// Paths as above, except for the texts that were found in files of records, which have ids.
    Mixed(Vec<PathBuf>, Arc<FoundTexts>),
}

/// Whether a report shows the names of the files.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Visibility {
    Shown,
    Hidden,
}

/// The location of a text, for programs.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Uri {
    pub(crate) uri: String,
    /// Whether the reference is relative to the working folder and points into it.
    pub(crate) is_below: bool,
}

impl Names {
    /// Returns names as paths relative to the working folder.
    pub(crate) fn here() -> Self {
        Self::Paths(working_folder())
    }

    /// Same as [`here`](Self::here), but with ids as the names of records.
    pub(crate) fn here_and_ids(found_at: &Arc<FoundTexts>) -> Self {
        Self::Mixed(working_folder(), Arc::clone(found_at))
    }

    /// Reports whether a name is the id of a record.
    fn is_id(&self, path: &Path) -> bool {
        match self {
            Self::Paths(_) => false,
            Self::Ids => true,
            Self::Mixed(_, found_at) => {
                let number = path.to_str().and_then(|name| found_at.number(name));
                let place = number.map(|number| found_at.place_of(number));
                matches!(place, Some(TextOrigin::Line { .. } | TextOrigin::Row { .. }))
            }
        }
    }

    /// Returns a name as the user gave it, except that an absolute path in the working folder is
    /// made relative to it.
    pub(crate) fn given(&self, path: &Path) -> String {
        display_path(&self.shown(path)).into_owned()
    }

    /// Same as [`given`](Self::given), but byte for byte, not converted to UTF-8.
    pub(crate) fn shown<'t>(&self, path: &'t Path) -> Cow<'t, Path> {
        let is_below = !self.is_id(path) && self.below(path).is_some();
        if is_below { self.path(path) } else { Cow::Borrowed(path) }
    }

    /// Returns the name of a text with its characters unchanged. A path is relative to the working
    /// folder, has `/` as the separator, and no `.` components.
    pub(crate) fn plain(&self, text: &Text) -> String {
        self.plain_path(text.path())
    }

    /// Same as [`plain`](Self::plain), for a path.
    pub(crate) fn plain_path(&self, path: &Path) -> String {
        let shown = display_path(&self.path(path)).into_owned();
        if MAIN_SEPARATOR == '/' || self.is_id(path) {
            return shown;
        }
        shown.replace(MAIN_SEPARATOR, "/")
    }

    /// Returns the name of a text on one line, with invisible characters escaped.
    pub(crate) fn visible(&self, text: &Text) -> String {
        visible(&self.plain(text))
    }

    /// Returns the name of a text as a URI reference (RFC 3986).
    pub(crate) fn uri(&self, text: &Text) -> Uri {
        let path = self.path(text.path());
        let bytes = path.as_os_str().as_encoded_bytes();
        if self.is_id(text.path()) {
            // A slash at the beginning would make it a path of this machine, or name another host.
            let slashes = bytes.iter().take_while(|byte| **byte == b'/').count();
            let uri = "%2F".repeat(slashes) + &encoded(&bytes[slashes..], "");
            return Uri { uri, is_below: false };
        }
        let bytes = with_slashes(bytes, MAIN_SEPARATOR);
        if path.is_absolute() {
            return Uri { uri: address(&bytes), is_below: false };
        }
        Uri { uri: encoded(&bytes, ""), is_below: !has_parent(&path) }
    }

    fn path<'t>(&self, path: &'t Path) -> Cow<'t, Path> {
        if self.is_id(path) {
            return Cow::Borrowed(path);
        }
        let real = |folder: &Path| {
            Some(fs::canonicalize(folder).ok()?.join(path.strip_prefix(folder).ok()?))
        };
        // A member of an archive has folders that do not exist.
        let resolved = has_parent(path).then(|| path.ancestors().skip(1).find_map(real)).flatten();
        let resolved = resolved.as_deref().and_then(|path| self.below(path));
        let below = resolved.or_else(|| self.below(path)).unwrap_or(path);
        let is_here = |part: &Component| *part == Component::CurDir;
        let named: PathBuf = below.components().filter(|part| !is_here(part)).collect();
        // A hidden folder ends with a separator.
        let is_folder = path.as_os_str().to_string_lossy().ends_with(path::is_separator);
        Cow::Owned(if is_folder { named.join("") } else { named })
    }

    /// Returns a path relative to the working folder; `None` if it is not an absolute path in that
    /// folder, or is the folder itself.
    fn below<'t>(&self, path: &'t Path) -> Option<&'t Path> {
        let (Self::Paths(folders) | Self::Mixed(folders, _)) = self else { return None };
        let below = folders.iter().find_map(|folder| path.strip_prefix(folder).ok())?;
        below.components().next().is_some().then_some(below)
    }
}

/// Reports whether a path leads through a parent folder.
fn has_parent(path: &Path) -> bool {
    path.components().any(|part| part == Component::ParentDir)
}

/// Returns the names of the working folder. It has a second name, that in `PWD`, if the shell
/// entered it through a symbolic link.
fn working_folder() -> Vec<PathBuf> {
    let folder = env::current_dir().ok();
    let typed = env::var_os("PWD").map(PathBuf::from).filter(|typed| {
        let is_here = || fs::canonicalize(typed).ok() == fs::canonicalize(".").ok();
        typed.is_absolute() && Some(typed) != folder.as_ref() && is_here()
    });
    folder.into_iter().chain(typed).collect()
}

/// Returns a path with `/` as the separator of its components.
fn with_slashes(path: &[u8], separator: char) -> Vec<u8> {
    let slashed = |byte: &u8| if char::from(*byte) == separator { b'/' } else { *byte };
    path.iter().map(slashed).collect()
}

/// Returns the `file` URI (RFC 8089) of an absolute path that has slashes as separators. On Windows
/// the path begins with a drive, or with two slashes and the name of a host; the prefix `//?/`
/// marks a long path and is removed.
fn address(path: &[u8]) -> String {
    let long = path.strip_prefix(b"//?/");
    let machine = long.and_then(|rest| rest.strip_prefix(b"UNC/"));
    let (start, rest) = match (machine, long) {
        (Some(rest), _) => ("file://", rest),
        (None, Some(rest)) => ("file:///", rest),
        _ if path.starts_with(b"//") => ("file:", path),
        _ if path.starts_with(b"/") => ("file://", path),
        _ => ("file:///", path),
    };
    start.to_owned() + &encoded(rest, ":")
}

/// Percent-encodes bytes, except for ASCII letters, digits, `-._~/` and the characters of `more`.
fn encoded(bytes: &[u8], more: &str) -> String {
    let mut written = String::with_capacity(bytes.len());
    for byte in bytes {
        let letter = char::from(*byte);
        if letter.is_ascii_alphanumeric() || "-._~/".contains(letter) || more.contains(letter) {
            written.push(letter);
        } else {
            let _ = write!(written, "%{byte:02X}");
        }
    }
    written
}

/// The common beginning and the common end of the names of all texts, so that a list can state them
/// once: folders at the beginning, folders and an extension at the end.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct CommonEnds {
    /// Folders, each followed by a separator.
    pub(crate) before: String,
    /// Folders and a file name, or the extension of one with its dot.
    pub(crate) behind: String,
}

impl CommonEnds {
    /// Finds the common ends of at least two names, all distinct. Of fewer names, both ends are
    /// empty.
    pub(crate) fn new(names: &[impl AsRef<str>]) -> Self {
        let [first, others @ ..] = names else { return Self::default() };
        if others.is_empty() {
            return Self::default();
        }
        let is_separator = |letter: char| letter == '/' || letter == MAIN_SEPARATOR;
        let others = || others.iter().map(AsRef::as_ref);
        let before = others().fold(first.as_ref(), common_start);
        let before = &before[..before.rfind(is_separator).map_or(0, |at| at + 1)];
        let rest = |name| str::strip_prefix(name, before).unwrap_or_default();
        let behind = others().map(rest).fold(rest(first.as_ref()), common_end);
        let parts_names = |at: usize| {
            let (ends, rests) = (&behind[at..], others().chain([first.as_ref()]).map(rest));
            let mut parted = rests.map(|it| it.strip_suffix(ends).unwrap_or_default());
            parted.all(|it| !it.is_empty() && !it.ends_with(is_separator))
        };
        let ending = |at: &usize| behind[at + 1..].starts_with(char::is_alphabetic);
        let folders = behind.match_indices(is_separator).map(|(at, _)| at);
        let ending = behind.rfind('.').filter(ending);
        let at = folders.chain(ending).find(|at| parts_names(*at)).unwrap_or(behind.len());
        Self { before: before.to_owned(), behind: behind[at..].to_owned() }
    }

    /// Returns a name without the common ends; unchanged if it does not begin with the common start.
    pub(crate) fn without<'n>(&self, name: &'n str) -> &'n str {
        let Some(rest) = name.strip_prefix(&self.before) else { return name };
        rest.strip_suffix(&self.behind).filter(|rest| !rest.is_empty()).unwrap_or(rest)
    }
}

fn common_start<'n>(one: &'n str, other: &str) -> &'n str {
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    &one[..same.map(|(letter, _)| letter.len_utf8()).sum()]
}

fn common_end<'n>(one: &'n str, other: &str) -> &'n str {
    let same = one.chars().rev().zip(other.chars().rev()).take_while(|(a, b)| a == b);
    &one[one.len() - same.map(|(letter, _)| letter.len_utf8()).sum::<usize>()..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_names_have_in_common_is_stated_once() {
        #[rustfmt::skip]
        let table: &[(&str, &[&str], [&str; 2], &[&str])] = &[
            ("none",               &[],                                   ["", ""],               &[]),
            ("one alone",          &["x/a.txt"],                          ["", ""],               &["x/a.txt"]),
            ("folder and ending",  &["x/a.txt", "x/b.txt"],               ["x/", ".txt"],         &["a", "b"]),
            ("two endings",        &["x/a.txt", "x/a.odt"],               ["x/", ""],             &["a.txt", "a.odt"]),
            ("folders of persons", &["x/Ada 1/e.txt", "x/Bo 2/e.txt"],    ["x/", "/e.txt"],       &["Ada 1", "Bo 2"]),
            ("and within them",    &["Ada/in/e.txt", "Bo/in/e.txt"],      ["", "/in/e.txt"],      &["Ada", "Bo"]),
            ("not a part of a name", &["x/essay1.txt", "x/essay2.txt"],   ["x/", ".txt"],         &["essay1", "essay2"]),
            ("a file beside its folder", &["x/e.txt", "x/y/e.txt"],       ["x/", ".txt"],         &["e", "y/e"]),
            ("hidden files",       &["x/.txt", "x/a.txt"],                ["x/", ""],             &[".txt", "a.txt"]),
            ("numbers are no ending", &["1.5", "2.5"],                    ["", ""],               &["1.5", "2.5"]),
            ("only the last one",  &["a.tar.gz", "b.tar.gz"],             ["", ".gz"],            &["a.tar", "b.tar"]),
            ("letters of several bytes", &["é/ä.é", "é/ö.é"],             ["é/", ".é"],           &["ä", "ö"]),
            ("whole paths",        &["/a/x.md", "/b/y.md"],               ["/", ".md"],           &["a/x", "b/y"]),
        ];
        for (why, names, [before, behind], want) in table {
            let ends = CommonEnds::new(names);
            assert_eq!((ends.before.as_str(), ends.behind.as_str()), (*before, *behind), "{why}");
            let shown: Vec<&str> = names.iter().map(|name| ends.without(name)).collect();
            assert_eq!(shown, *want, "{why}");
        }
        let ends = CommonEnds::new(&["x/a.txt", "x/b.txt"]);
        assert_eq!(
            ["y/c.doc", "y/c.txt", "x/.txt"].map(|name| ends.without(name)),
            ["y/c.doc", "y/c.txt", ".txt"]
        );
    }

    fn text(path: &str) -> Text {
        Text::from_bytes(Path::new(path), b"kettle".to_vec()).unwrap()
    }

    fn below(uri: &str, is_below: bool) -> Uri {
        Uri { uri: uri.to_owned(), is_below }
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_not_below_the_working_folder_is_as_it_was_given() {
        let names = Names::Paths(vec!["/work/here".into(), "/link".into()]);
        #[rustfmt::skip]
        let table = [
            ("a name",             "a.txt",                  "a.txt"),
            ("with full stops",    "./b//./a.txt",           "./b//./a.txt"),
            ("elsewhere",          "/work/other/a.txt",      "/work/other/a.txt"),
            ("elsewhere, oddly",   "//work//other/./a.txt",  "//work//other/./a.txt"),
            ("below",              "/work/here/b/a.txt",     "b/a.txt"),
            ("by the other name",  "/link//b/./a.txt",       "b/a.txt"),
            ("the folder itself",  "/work/here/.",           "/work/here/."),
            ("a name that begins so", "/work/hereby//a.txt", "/work/hereby//a.txt"),
        ];
        for (why, path, want) in table {
            assert_eq!(names.given(Path::new(path)), want, "{why}");
            assert_eq!(Names::Ids.given(Path::new(path)), path, "{why}, as an id");
        }
    }

    #[cfg(unix)]
    #[test]
    fn paths_are_relative_to_the_working_folder() {
        let names = Names::Paths(vec!["/work/here".into(), "/link".into()]);
        #[rustfmt::skip]
        let table = [
            ("below",              "/work/here/a.txt",        "a.txt",              "a.txt",                   true),
            ("by the other name",  "/link/b/a.txt",           "b/a.txt",            "b/a.txt",                 true),
            ("as given",           "b/a.txt",                 "b/a.txt",            "b/a.txt",                 true),
            ("full stops",         "./b/./a.txt",             "b/a.txt",            "b/a.txt",                 true),
            ("a folder",           "./b/.a/",                 "b/.a/",              "b/.a/",                   true),
            ("elsewhere",          "/work/other/a:b.txt",     "/work/other/a:b.txt", "file:///work/other/a:b.txt", false),
            ("a name that begins so", "/work/hereby/a.txt",   "/work/hereby/a.txt", "file:///work/hereby/a.txt", false),
            ("above",              "../a.txt",                "../a.txt",           "../a.txt",                false),
            ("not a scheme",       "a:b.txt",                 "a:b.txt",            "a%3Ab.txt",               true),
            ("standard input",     "-",                       "-",                  "-",                       true),
            ("spaces and percent", "a b%20.txt",              "a b%20.txt",         "a%20b%2520.txt",          true),
            ("more than ASCII",    "é水.txt",                 "é水.txt",            "%C3%A9%E6%B0%B4.txt",     true),
            ("a backslash",        "a\\b.txt",               "a\\b.txt",          "a%5Cb.txt",               true),
            ("all marks",          "#?[]@!$&'()*+,;=",        "#?[]@!$&'()*+,;=",   "%23%3F%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D", true),
        ];
        for (why, path, plain, uri, is_below) in table {
            let text = text(path);
            assert_eq!(names.plain(&text), plain, "{why}");
            assert_eq!(names.uri(&text), below(uri, is_below), "{why}");
        }
    }

    #[test]
    fn whole_paths_of_windows_are_addresses_too() {
        #[rustfmt::skip]
        let table = [
            ("a drive",            r"C:\work\a b.txt",               '\\', "file:///C:/work/a%20b.txt"),
            ("slashes as typed",   "C:/work/a.txt",                  '\\', "file:///C:/work/a.txt"),
            ("another machine",    r"\\server\share\a.txt",          '\\', "file://server/share/a.txt"),
            ("a long one",         r"\\?\C:\work\a.txt",            '\\', "file:///C:/work/a.txt"),
            ("a long one there",   r"\\?\UNC\server\share\a.txt",  '\\', "file://server/share/a.txt"),
            ("not on Windows",     r"/work/a\b.txt",                 '/',  "file:///work/a%5Cb.txt"),
        ];
        for (why, path, separator, uri) in table {
            assert_eq!(address(&with_slashes(path.as_bytes(), separator)), uri, "{why}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn an_address_has_the_bytes_of_a_path() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(OsStr::from_bytes(b"caf\xe9\n.txt"));
        let text = Text::from_bytes(path, b"kettle".to_vec()).unwrap();
        let names = Names::Paths(Vec::new());
        assert_eq!(names.uri(&text), below("caf%E9%0A.txt", true));
        assert_eq!(names.plain(&text), "caf\\xe9\n.txt");
        assert_eq!(names.visible(&text), "caf\\xe9\\u{a}.txt");
    }

    #[test]
    fn ids_are_shown_unchanged_and_escaped_in_addresses() {
        #[rustfmt::skip]
        let table = [
            ("a number",      "7",                  "7"),
            ("nothing",       "",                   ""),
            ("full stops",    "./a/../b",           "./a/../b"),
            ("an address",    "https://a.example",  "https%3A//a.example"),
            ("another host",  "//a.example/b",      "%2F%2Fa.example/b"),
        ];
        for (why, id, uri) in table {
            let text = text(id);
            assert_eq!(Names::Ids.plain(&text), id, "{why}");
            assert_eq!(Names::Ids.uri(&text), below(uri, false), "{why}");
        }
    }
}
