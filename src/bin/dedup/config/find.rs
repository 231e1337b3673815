//! The working folder → its settings file.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use dedup_text::text::display_path;

use super::source::{NO_CONFIG, unreadable};
use crate::diagnostics::Diagnostic;

/// What a settings file is called.
const NAME: &str = "dedup.toml";

/// The nearest settings file in the working folder and above it, up to the root of the
/// repository; outside a repository in the working folder alone. Named as seen from there.
///
/// # Errors
///
/// Where nobody can tell whether there is one.
pub(super) fn find() -> Result<Option<PathBuf>, Diagnostic> {
    match std::env::current_dir() {
        Ok(folder) => find_from(&folder),
        Err(_) => Ok(None), // a folder that is gone has none
    }
}

fn find_from(folder: &Path) -> Result<Option<PathBuf>, Diagnostic> {
    let is_root = |folder: &Path| folder.join(".git").symlink_metadata().is_ok();
    let above = folder.ancestors().position(is_root).unwrap_or(0);
    let mut up = PathBuf::new();
    for ancestor in folder.ancestors().take(above + 1) {
        match ancestor.join(NAME).symlink_metadata() {
            Ok(_) => return Ok(Some(up.join(NAME))),
            Err(error) if error.kind() == ErrorKind::NotFound => up.push(".."),
            Err(error) => {
                let file = up.join(NAME);
                return Err(unreadable(&display_path(&file), &error, NO_CONFIG));
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_nearest_one_counts_up_to_the_root_of_the_repository() {
        let outside = tempfile::tempdir().unwrap();
        let root = outside.path().join("root");
        let deep = root.join("a/b");
        fs::create_dir_all(&deep).unwrap();
        let found = |folder: &Path| find_from(folder).unwrap();
        fs::write(outside.path().join(NAME), "").unwrap();
        assert_eq!(found(outside.path()), Some(NAME.into()), "the working folder, no repository");
        assert_eq!(found(&deep), None, "above it, no repository");
        fs::write(root.join(".git"), "gitdir: elsewhere").unwrap();
        assert_eq!(found(&deep), None, "above the root");
        assert_eq!(found(&root), None, "above the root, in it");
        fs::write(root.join(NAME), "").unwrap();
        assert_eq!(found(&deep), Some(Path::new("../../dedup.toml").into()), "in the root");
        fs::write(root.join("a").join(NAME), "").unwrap();
        assert_eq!(found(&deep), Some(Path::new("../dedup.toml").into()), "the nearest");
        fs::create_dir(deep.join(".git")).unwrap();
        assert_eq!(found(&deep), None, "above a repository in a repository");
        fs::create_dir(deep.join(NAME)).unwrap();
        assert_eq!(found(&deep), Some(NAME.into()), "a folder, which is trouble later");
    }
}
