//! Tests of a temporary file without space.

use std::fs;

use super::{bash, folder, names, words};

/// Checks that the copy of standard input is in that folder as well, although the system's folder
/// for temporary files does not exist.
#[test]
fn all_temporary_files_are_in_the_folder_that_is_named() {
    let folder = folder("memory-temp");
    fs::write(folder.join("docs.jsonl"), "{\"id\":1,\"text\":\"a copper kettle\"}\n").unwrap();
    let line = "\"$dedup\" corpus --jsonl - --lang en --keep first --output out < docs.jsonl";
    let run = bash(&folder, &format!("export TMPDIR=gone; {line}"));
    assert_eq!((run.status, run.output.as_str()), (2, ""));
    assert!(run.errors.contains("a file in gone: cannot be written"), "{}", run.errors);
    let run = bash(&folder, &format!("export TMPDIR=gone; {line} --temp-dir ."));
    assert_eq!((run.status, run.errors.as_str()), (0, ""));
    assert_eq!(names(&folder), ["docs.jsonl", "out"]);
}

#[test]
fn without_room_for_a_temporary_file_its_folder_is_named() {
    let folder = folder("memory-full");
    let record = |id: u32| {
        format!("{{\"id\":\"{id}\",\"text\":\"{}\"}}\n", words("kettle", id..id + 200).trim_end())
    };
    fs::write(folder.join("docs.jsonl"), (0..40).map(record).collect::<String>()).unwrap();
    fs::create_dir(folder.join("spill")).unwrap();
    let before = names(&folder);
    let line = "\"$dedup\" corpus --jsonl docs.jsonl --lang en --memory 1K --temp-dir spill";
    for flags in ["", "--format jsonl", "--nearest 1", "--keep first --output out", "--clusters"] {
        let run = bash(&folder, &format!("ulimit -f 8; {line} {flags}"));
        let want = "dedup: spill: cannot use a temporary file in this folder: File too large (os \
                    error 27)\nhint: use another folder with --temp-dir DIR\n";
        assert_eq!((run.status, run.output.as_str()), (2, ""), "{flags}: {}", run.errors);
        assert_eq!(run.errors, want, "{flags}");
        assert_eq!(names(&folder), before, "{flags}");
        assert_eq!(names(&folder.join("spill")), Vec::<String>::new(), "{flags}");
    }
}
