//! Invariants of reading archives.

use super::check;
use crate::io::inputs::archives::{Bounds, member, open};
use crate::io::inputs::submissions::{Owners, Submissions, Units};

/// The maximum size of the unpacked content of an archive, in bytes.
const MOST: u64 = 1 << 18;

/// The file extensions of the archive formats. The first byte of an input chooses one.
const ENDINGS: [&str; 4] = ["zip", "tar", "tar.gz", "tar.zst"];

#[test]
fn no_file_of_an_archive_leads_out_of_it() {
    check("archives", 1, archives);
}

/// Checks that no name leads out of the archive, that no more is unpacked than allowed, and that
/// each file is found again by its name and number. The first byte chooses the format of the rest.
fn archives(bytes: &[u8]) {
    let Some((first, bytes)) = bytes.split_first() else { return };
    let name = format!("x.{}", ENDINGS[usize::from(*first) % ENDINGS.len()]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(&name);
    std::fs::write(&path, bytes).expect("written");
    let bounds = Bounds { file: None, unpacked: Some(MOST) };
    let content = open(&path, &name, bounds, &|_| true).unwrap_or_default();
    let unpacked: usize = content.files.iter().map(|file| file.bytes.len()).sum();
    assert!(unpacked as u64 <= MOST, "{unpacked}");
    assert!(content.files.is_sorted_by(|one, other| one.name <= other.name));
    let mut last = ("", 0);
    let mut inner = Vec::new();
    for file in &content.files {
        let number = if last.0 == file.name { last.1 + 1 } else { 0 };
        last = (&file.name, number);
        let own = file.name.strip_prefix(&name).expect("the archive first");
        inner.push(own.strip_prefix('/').expect("a slash behind it"));
        let mut parts = own.split('/').filter(|part| !part.is_empty() && *part != ".");
        assert!(!parts.any(|part| part.starts_with('.')), "{own}");
        let again = member(&path, &name, (&file.name, number), bounds);
        assert_eq!(again.as_ref(), Some(&file.bytes));
    }
    let owners = Owners::new(Units::Dir, Submissions::Auto, None).of_archive(&name, &inner, None);
    let persons = owners.iter().filter(|owner| owner.person.is_some()).count();
    assert!([0, inner.len()].contains(&persons), "all or none");
    assert!(owners.iter().all(|owner| owner.unit.as_ref().is_none_or(|it| it.starts_with(&name))));
    let left = std::fs::read_dir(folder.path()).expect("the folder").count();
    assert_eq!(left, 1, "nothing is written");
}
