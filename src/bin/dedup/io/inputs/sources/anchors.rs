//! Rewrites globs that are relative to the working folder, or to the folder of the settings file, as
//! globs that are relative to a folder in it.
//!
//! Input: a glob in the syntax of `.gitignore`, and the folders on the way to the folder that is
//! searched. Output: globs for the searched folder that match the same files in it. A file may
//! match a glob by its path relative to either folder, so both the glob and the returned globs
//! count.

use std::path::{Component, Path};

use ignore::overrides::OverrideBuilder;

use crate::io::disk::canonical;

/// Returns the folders on the way from a base, by default the working folder, to a folder in it;
/// empty if the folder is the base itself or is not in it.
pub(super) fn folders_between(base: Option<&Path>, folder: &Path) -> Vec<String> {
    let is_plain = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
    let written = base.is_none() && folder.components().all(is_plain);
    let written = written.then(|| folder.to_owned());
    let base = || canonical(base.unwrap_or(Path::new(".")));
    let inner = written.or_else(|| Some(canonical(folder).strip_prefix(base()).ok()?.to_owned()));
    let inner = inner.unwrap_or_default();
    let names = inner.components().filter(|part| matches!(part, Component::Normal(_)));
    names.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
}

/// Returns the globs for a folder that match the files in it that `glob` matches by their paths
/// relative to a folder above. `folders` are the names on the way from there. Empty if there are
/// none, and for a glob without a slash before its end, which matches names at any depth.
pub(super) fn reanchored(glob: &str, folders: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    if !folders.is_empty() && glob.trim_end_matches('/').contains('/') {
        let parts: Vec<&str> = glob.strip_prefix('/').unwrap_or(glob).split('/').collect();
        follow(&parts, folders, &mut found);
    }
    found
}

/// Matches the parts of a glob with folders, one after the other, and adds what is left of the glob
/// behind them.
fn follow(parts: &[&str], folders: &[String], found: &mut Vec<String>) {
    match (parts, folders) {
        ([] | [""], _) => {}
        (_, []) => found.push(format!("/{}", parts.join("/"))),
        (["**", rest @ ..], [_, inner @ ..]) => {
            follow(parts, inner, found);
            follow(rest, folders, found);
        }
        ([part, rest @ ..], [folder, inner @ ..]) => {
            if matches(part, folder) {
                follow(rest, inner, found);
            }
        }
    }
}

/// Reports whether a part of a glob matches the name of a folder.
fn matches(part: &str, folder: &str) -> bool {
    let mut one = OverrideBuilder::new("");
    let built = one.add(&format!("/{part}")).and_then(|one| one.build());
    built.is_ok_and(|one| one.matched(folder, true).is_whitelist())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(path: &str) -> Vec<String> {
        path.split('/').map(str::to_owned).collect()
    }

    #[test]
    fn a_glob_is_cut_behind_the_folders() {
        #[rustfmt::skip]
        let table: &[(&str, &str, &str, &[&str])] = &[
            ("below the folder",       "docs/api/",     "docs",   &["/api/"]),
            ("from the top",           "/docs/a.md",    "docs",   &["/a.md"]),
            ("all in it",              "docs/**",       "docs",   &["/**"]),
            ("two folders",            "a/b/*.md",      "a/b",    &["/*.md"]),
            ("a wildcard",             "d*/x.md",       "docs",   &["/x.md"]),
            ("any depth, or cut",      "**/b/x.md",     "a/b",    &["/**/b/x.md", "/x.md"]),
            ("another folder",         "src/api/",      "docs",   &[]),
            ("the folder itself",      "docs/api/",     "docs/api", &[]),
            ("a name at any depth",    "api/",          "docs",   &[]),
            ("the working folder",     "docs/api/",     "",       &[]),
            ("a bracket without end",  "[a/b",          "a",      &[]),
        ];
        for (why, glob, folder, want) in table {
            let folders = if folder.is_empty() { vec![] } else { folders(folder) };
            assert_eq!(reanchored(glob, &folders), *want, "{why}");
        }
    }

    /// Returns all paths of one to `most` of some parts.
    fn paths(parts: &[&str], most: usize) -> Vec<String> {
        let mut all: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
        let mut last = all.clone();
        for _ in 1..most {
            let longer =
                last.iter().flat_map(|path| parts.iter().map(move |it| format!("{path}/{it}")));
            last = longer.collect();
            all.extend(last.iter().cloned());
        }
        all
    }

    /// A file matches if it matches by its path relative to one of the two folders, which is
    /// what a matcher for each folder says.
    #[test]
    fn a_file_matches_by_either_path() {
        let matcher = |root: &str, globs: &[String]| {
            let mut all = OverrideBuilder::new(root);
            for glob in globs {
                all.add(glob).unwrap();
            }
            all.build().unwrap()
        };
        for glob in paths(&["a", "b", "*", "**", "a*"], 3) {
            for glob in [glob.clone(), format!("/{glob}"), format!("{glob}/"), format!("!{glob}")] {
                let (mark, bare) = glob.strip_prefix('!').map_or(("", &*glob), |it| ("!", it));
                let above = matcher("", &[format!("!{bare}")]);
                for folder in paths(&["a", "b"], 2) {
                    let own = matcher(&folder, &[format!("!{bare}")]);
                    let more = reanchored(bare, &folders(&folder));
                    let both = [bare.to_owned()].into_iter().chain(more);
                    let both: Vec<String> = both.map(|it| format!("!{it}")).collect();
                    let both = matcher(&folder, &both);
                    for inner in paths(&["a", "b", "ab"], 2) {
                        let path = format!("{folder}/{inner}");
                        for is_folder in [false, true] {
                            let is = |it: &ignore::overrides::Override| {
                                it.matched(&path, is_folder).is_ignore()
                            };
                            let why = format!("{mark}{bare} {folder} {path}");
                            assert_eq!(is(&both), is(&own) || is(&above), "{why}");
                        }
                    }
                }
            }
        }
    }
}
