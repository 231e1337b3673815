//! What holds of any archive.

use crate::io::inputs::archives::{Bounds, Submissions, member, open};

/// The most bytes that an archive may unpack to.
const MOST: u64 = 1 << 18;

/// How the archive of an input is packed, by its first byte.
const ENDINGS: [&str; 4] = ["zip", "tar", "tar.gz", "tar.zst"];

/// No name leads out of an archive, no more is unpacked than is allowed, and each file is found
/// again by its number. The first byte says how the others are packed.
pub fn archives(bytes: &[u8]) {
    let Some((first, bytes)) = bytes.split_first() else { return };
    let name = format!("x.{}", ENDINGS[usize::from(*first) % ENDINGS.len()]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(&name);
    std::fs::write(&path, bytes).expect("written");
    let bounds = Bounds { packed: None, unpacked: Some(MOST) };
    let content = open(&path, &name, bounds, Submissions::Off);
    let unpacked: usize = content.files.iter().map(|file| file.bytes.len()).sum();
    assert!(unpacked as u64 <= MOST, "{unpacked}");
    assert!(content.files.is_sorted_by(|one, other| one.name <= other.name));
    for (number, file) in content.files.iter().enumerate() {
        let inner = file.name.strip_prefix(&name).expect("the archive first");
        let mut parts = inner.split('/').filter(|part| !part.is_empty() && *part != ".");
        assert!(!parts.any(|part| part.starts_with('.')), "{inner}");
        assert_eq!(member(&path, &name, number, bounds).as_ref(), Some(&file.bytes));
    }
    let named = open(&path, &name, bounds, Submissions::Auto).files;
    let person = |file: &crate::io::inputs::archives::Unpacked| file.person.is_some();
    assert!(named.iter().all(person) || !named.iter().any(person), "all or none");
    let left = std::fs::read_dir(folder.path()).expect("the folder").count();
    assert_eq!(left, 1, "nothing is written");
}
