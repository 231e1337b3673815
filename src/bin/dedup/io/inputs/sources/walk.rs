//! Walks a folder for files that may be texts.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fs::{FileType, Metadata};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::{io, iter, mem};

use dedup_text::text::display_path;
use ignore::gitignore::Gitignore as Rules;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, Walk, WalkBuilder};

use super::LISTS;
use super::anchors::{folders_between, reanchored};
use crate::diagnostics::Diagnostic;
use crate::io::disk::{canonical, metadata};
use crate::io::inputs::archives;
use crate::io::inputs::source::FolderGlobs;
use crate::model::found::{Skip, is_hidden};

/// Something that was found in a folder.
#[derive(Debug)]
pub(super) enum Entry {
    File(PathBuf),
    Skipped(Skip, PathBuf),
    /// A folder that cannot be listed completely.
    Lost(PathBuf, Diagnostic),
}

impl Entry {
    /// Returns the path of the entry.
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::File(path) | Self::Skipped(_, path) | Self::Lost(path, _) => path,
        }
    }
}

/// Globs that select files in folders, in the syntax of `.gitignore`.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Globs {
    /// Only files that match one of these are kept; all files if it is empty.
    pub(crate) include: Vec<String>,
    /// Files and folders that match one of these are left out.
    pub(crate) exclude: Vec<String>,
    /// The folders that the globs of `include` and `exclude` are relative to, in addition to the
    /// folder that is searched; `None` for the working folder.
    pub(crate) bases: [Option<PathBuf>; 2],
}

impl Globs {
    /// Builds the globs for a folder.
    ///
    /// # Errors
    ///
    /// Returns a [`Diagnostic`] if a glob is not valid.
    pub(super) fn of_folder(&self, folder: &Path) -> Result<FolderGlobs, Diagnostic> {
        let texts = self.including(folder, &[])?;
        Ok(FolderGlobs { texts, with_lists: self.including(folder, &[LISTS])? })
    }

    /// Builds the globs for a folder. If there are globs of `include`, files with the given names
    /// are included as well.
    fn including(&self, folder: &Path, names: &[&str]) -> Result<Override, Diagnostic> {
        let mut overrides = OverrideBuilder::new(folder);
        if !self.include.is_empty() {
            // An archive is treated like a folder: it is opened even if no glob matches its name,
            // and the globs select the files in it.
            let added = overrides.case_insensitive(true).and_then(|overrides| {
                archives::globs().try_for_each(|glob| overrides.add(&glob).map(|_| ()))?;
                overrides.case_insensitive(false)?;
                names.iter().try_for_each(|name| overrides.add(name).map(|_| ()))
            });
            added.map_err(|error| {
                Diagnostic::new(format!("--include: {error}")).flags(["include"])
            })?;
        }
        let [of_include, of_exclude] =
            self.bases.each_ref().map(|base| folders_between(base.as_deref(), folder));
        let excluded = self.exclude.iter().map(|glob| ("exclude", glob, ("!", glob.as_str())));
        let included = self.include.iter().map(|glob| {
            ("include", glob, glob.strip_prefix('!').map_or(("", glob.as_str()), |it| ("!", it)))
        });
        for (flag, glob, (mark, bare)) in included.chain(excluded) {
            // Answers name the files of the working folder `./a.txt`.
            let anchored = bare.strip_prefix("./").map(|rest| format!("/{rest}"));
            let bare = anchored.as_deref().unwrap_or(bare);
            overrides.add(&format!("{mark}{bare}")).map_err(|error| {
                let error = match error {
                    ignore::Error::Glob { err, .. } => err, // without the glob as it is written here
                    error => error.to_string(),
                };
                Diagnostic::new(format!("--{flag} {glob}: expected a glob: {error}"))
                    .hint("such as '*.md' or 'drafts/'")
                    .flags([flag])
            })?;
            let folders = if flag == "include" { &of_include } else { &of_exclude };
            for more in reanchored(bare, folders) {
                // This fails only for a part of a glob that is not valid by itself, such as `{a` of
                // `{a/b,c}`.
                let _ = overrides.add(&format!("{mark}{more}"));
            }
        }
        overrides.build().map_err(|error| {
            Diagnostic::new(format!("--include or --exclude: {error}"))
                .flags(["include", "exclude"])
        })
    }
}

/// Walks a folder and returns its entries, sorted by the bytes of their paths. With `gitignore`,
/// files that a `.gitignore` file excludes are skipped, whether or not the folder is in a repository.
pub(super) fn walk(folder: &Path, gitignore: bool, globs: Override) -> Vec<Entry> {
    if gitignore {
        let all = canonical(folder);
        let all = iter::once(folder).chain(all.ancestors().skip(1)).map(list_of);
        if let Some(list) = all.into_iter().find(|list| is_unusable(list)) {
            return vec![without_list(list)];
        }
    }
    let left_out = Arc::new(Mutex::new(BTreeMap::new()));
    let mut entries: Vec<Entry> = walker(folder, gitignore, globs, Arc::clone(&left_out))
        .filter_map(|found| match found {
            Ok(entry) => classify(entry),
            Err(error) => Some(unreadable(folder, error)),
        })
        .collect();
    let left_out = mem::take(&mut *left_out.lock().unwrap_or_else(PoisonError::into_inner));
    entries.extend(left_out.into_iter().map(|(path, why)| {
        let path = with_slashes(path, MAIN_SEPARATOR);
        why.map_or_else(|| without_list(path.clone()), |why| Entry::Skipped(why, path.clone()))
    }));
    entries.sort_by(|one, other| {
        in_order(bytes_of(one.path()), bytes_of(other.path()), MAIN_SEPARATOR)
    });
    entries
}

/// Returns a path with `/` as separator, so that the names of found files are the same on every
/// platform. Windows accepts it everywhere but in verbatim paths (`\\?\…`), which stay unchanged.
fn with_slashes(path: PathBuf, separator: char) -> PathBuf {
    match path.to_str() {
        Some(shown) if separator != '/' && !shown.starts_with(r"\\?\") => {
            shown.replace(separator, "/").into()
        }
        _ => path,
    }
}

/// Returns the bytes of a path, with the separators of the platform.
pub(super) fn bytes_of(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// Compares two paths by their bytes as if `/` separated their parts, so that the order is the same
/// on every platform.
pub(super) fn in_order(one: &[u8], other: &[u8], separator: char) -> Ordering {
    let slashed = |byte: &u8| if char::from(*byte) == separator { b'/' } else { *byte };
    one.iter().map(slashed).cmp(other.iter().map(slashed))
}

/// The name of the lists of files that git ignores.
const GITIGNORE: &str = ".gitignore";

/// The largest number of bytes of such a list.
const MAX_GITIGNORE: u64 = 10_000_000;

pub(super) fn list_of(folder: &Path) -> PathBuf {
    folder.join(GITIGNORE)
}

/// Reports whether a path is that of a `.gitignore` that cannot be read to an end: a pipe, a device
/// or a file that is too large.
fn is_unusable(path: &Path) -> bool {
    let is_usable =
        |known: &Metadata| known.is_dir() || known.is_file() && known.len() <= MAX_GITIGNORE;
    path.ends_with(GITIGNORE) && metadata(path).is_some_and(|known| !is_usable(&known))
}

/// Returns the entry for a folder that is not searched because of its `.gitignore`.
fn without_list(path: PathBuf) -> Entry {
    let what = "is not a file of at most 10 MB, expected one for --gitignore";
    let error = Diagnostic::new(format!("{}: {what}", display_path(&path)))
        .kind("folder")
        .hint("remove it, or leave out --gitignore")
        .flags(["gitignore"]);
    Entry::Lost(path, error)
}

/// The entries that a walk left out, each with the reason; `None` for a `.gitignore` that is unusable,
/// whose folder is not searched. The paths of folders end with a separator.
type LeftOut = BTreeMap<PathBuf, Option<Skip>>;

/// Returns a walk that neither returns nor enters, but collects, what is hidden or excluded by a
/// `.gitignore`.
fn walker(folder: &Path, gitignore: bool, globs: Override, left_out: Arc<Mutex<LeftOut>>) -> Walk {
    let (shown, place) = (folder.to_owned(), canonical(folder));
    let rules = Mutex::new(IgnoreRules::default());
    let is_ignored = move |path: &Path, is_folder: bool| {
        let place = path.strip_prefix(&shown).map_or(place.clone(), |inner| place.join(inner));
        let rules_of = |folder: &Path| Ok(Rules::new(list_of(folder)).0);
        let mut rules = rules.lock().unwrap_or_else(PoisonError::into_inner);
        rules.exclude(&place, is_folder, rules_of).unwrap_or(false)
    };
    let mut builder = WalkBuilder::new(folder);
    builder.overrides(globs.clone()).standard_filters(false).follow_links(false).filter_entry(
        move |entry| {
            let path = entry.path();
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            let list = Some(list_of(path)).filter(|_| is_folder && gitignore);
            let ended = || if is_folder { path.join("") } else { path.to_owned() };
            let found = if entry.depth() > 0 && is_hidden(&entry.file_name().to_string_lossy()) {
                Some((ended(), Some(Skip::Hidden)))
            } else if entry.depth() > 0
                && gitignore
                && globs.matched(path, is_folder).is_none()
                && is_ignored(path, is_folder)
            {
                Some((ended(), Some(Skip::Ignored)))
            } else {
                list.filter(|list| is_unusable(list)).map(|list| (list, None))
            };
            let is_kept = found.is_none();
            left_out.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
            is_kept
        },
    );
    builder.build()
}

/// The rules of the `.gitignore` files of the folders that were looked up so far.
#[derive(Default)]
pub(super) struct IgnoreRules(BTreeMap<PathBuf, Rules>);

impl IgnoreRules {
    /// Reports whether a `.gitignore` file above a path excludes it. The innermost file with a
    /// matching rule decides. `rules_of` reads the rules of a folder.
    pub(super) fn exclude(
        &mut self,
        place: &Path,
        is_folder: bool,
        mut rules_of: impl FnMut(&Path) -> Result<Rules, Diagnostic>,
    ) -> Result<bool, Diagnostic> {
        for folder in place.ancestors().skip(1) {
            if !self.0.contains_key(folder) {
                self.0.insert(folder.to_owned(), rules_of(folder)?);
            }
            let rule = self.0.get(folder).map(|rules| rules.matched(place, is_folder));
            match rule {
                Some(rule) if !rule.is_none() => return Ok(rule.is_ignore()),
                _ => {}
            }
        }
        Ok(false)
    }
}

/// Classifies an entry of a walk; `None` for a folder, and for the root of the walk itself.
fn classify(entry: DirEntry) -> Option<Entry> {
    if entry.depth() == 0 {
        return None;
    }
    let kind = entry.file_type();
    let path = with_slashes(entry.into_path(), MAIN_SEPARATOR);
    let is = |test: fn(&FileType) -> bool| kind.as_ref().is_some_and(test);
    if is(FileType::is_dir) {
        None
    } else if is(FileType::is_symlink) {
        Some(Entry::Skipped(Skip::Link, path))
    } else if is(FileType::is_file) {
        Some(Entry::File(path))
    } else {
        Some(Entry::Skipped(Skip::Special, path))
    }
}

/// Returns the entry for a folder that could not be listed: the folder that the error names,
/// otherwise the root of the walk.
fn unreadable(folder: &Path, error: ignore::Error) -> Entry {
    let path = with_slashes(path_of(&error).unwrap_or(folder).to_owned(), MAIN_SEPARATOR);
    let message = error.to_string();
    let source = error.into_io_error().unwrap_or_else(|| io::Error::other(message));
    let name = display_path(&path);
    let diagnostic =
        Diagnostic::new(format!("{name}: cannot be listed, expected a readable folder"))
            .kind("folder")
            .hint("check that the file exists and is readable")
            .source(source);
    Entry::Lost(path, diagnostic)
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            path_of(err)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn found_files_have_one_name_on_every_system() {
        #[rustfmt::skip]
        let table = [
            ("Windows",              r"in\sub\a.txt", '\\', "in/sub/a.txt"),
            ("a drive",              r"C:\a.txt",     '\\', "C:/a.txt"),
            ("a verbatim path",      r"\\?\C:\a.txt", '\\', r"\\?\C:\a.txt"),
            ("Unix, where it counts as a letter", r"in/a\b.txt", '/', r"in/a\b.txt"),
        ];
        for (why, path, separator, want) in table {
            // Compared as strings: paths are equal whatever separates their parts.
            let got = with_slashes(path.into(), separator);
            assert_eq!(got.as_os_str(), want, "{why}");
        }
    }

    #[test]
    fn paths_stand_in_one_order_on_every_system() {
        #[rustfmt::skip]
        let table = [
            ("the same",               r"a\b", r"a\b",   Ordering::Equal),
            ("a full stop goes first", r"a.b", r"a\b",   Ordering::Less),
            ("a letter behind",        r"aB",  r"a\b",   Ordering::Greater),
            ("what begins another",    r"a",   r"a\b",   Ordering::Less),
        ];
        for (why, one, other, want) in table {
            assert_eq!(in_order(one.as_bytes(), other.as_bytes(), '\\'), want, "{why}");
            let [one, other] = [one, other].map(|path| path.replace('\\', "/"));
            assert_eq!(in_order(one.as_bytes(), other.as_bytes(), '/'), want, "{why}, slashes");
        }
    }
}
