//! Tests of limits of the system: descriptors, memory, no home, no locale, no writable folder.

use super::{bash, folder, words};

#[test]
fn neither_home_nor_locale_changes_an_answer() {
    let folder = folder("environment");
    std::fs::write(folder.join("a.txt"), words("kettle", 0..20)).unwrap();
    std::fs::write(folder.join("b.txt"), words("kettle", 1..20)).unwrap();
    for line in ["a.txt b.txt", "corpus . --format json", "config", "--help"] {
        let ever = bash(&folder, &format!("\"$dedup\" {line}"));
        for environment in [
            "-i",
            "-u HOME",
            "HOME=/nowhere",
            "LC_ALL=xx_XX.UTF-9",
            "LANG=tr_TR.UTF-8 LC_ALL=",
            "TZ=Nowhere/None",
        ] {
            let run = bash(&folder, &format!("env {environment} \"$dedup\" {line}"));
            assert_eq!(
                (run.status, &run.errors),
                (ever.status, &ever.errors),
                "{environment} {line}"
            );
            assert_eq!(run.output, ever.output, "{environment} {line}");
        }
    }
}

/// Checks that with few descriptors, there is the answer or an error that names what could not be
/// opened.
#[test]
fn with_few_descriptors_there_is_the_answer_or_an_error() {
    let folder = folder("descriptors");
    for name in ["a", "b", "c", "d"] {
        std::fs::write(folder.join(name), words("kettle", 0..20) + name).unwrap();
    }
    let (mut answers, mut troubles) = (0, 0);
    for line in ["a b --report out.html", "corpus a b c d --threads 4 --report out.html"] {
        for most in 3..12 {
            let run = bash(&folder, &format!("ulimit -n {most}; exec \"$dedup\" {line}"));
            let is_loaded = !run.errors.contains("shared libraries");
            assert!(run.status == 0 || run.status == 2 || !is_loaded, "{most}: {}", run.errors);
            let page = std::fs::metadata(folder.join("out.html"));
            assert_eq!(page.is_ok(), run.status == 0, "{most}: {}", run.errors);
            if run.status == 2 {
                assert!(
                    run.errors.starts_with("dedup: ") && !run.errors.contains("defect"),
                    "{}",
                    run.errors
                );
                assert!(run.errors.contains("Too many open files"), "{}", run.errors);
            }
            answers += u32::from(run.status == 0);
            troubles += u32::from(run.status == 2);
            let _ = std::fs::remove_file(folder.join("out.html"));
        }
    }
    assert!(answers > 0 && troubles > 0, "{answers} {troubles}");
}

/// Checks that a file of 100 MB, which needs four times as much memory, is not read if that memory
/// is not available.
#[cfg(target_os = "linux")]
#[test]
fn without_memory_for_a_text_its_need_is_named() {
    let folder = folder("memory");
    std::fs::write(folder.join("a.txt"), words("kettle", 0..20)).unwrap();
    std::fs::File::create(folder.join("large.txt")).unwrap().set_len(100_000_000).unwrap();
    for texts in ["a.txt large.txt", "large.txt a.txt", "corpus a.txt large.txt", "text large.txt"]
    {
        let run = bash(&folder, &format!("ulimit -v 350000; \"$dedup\" {texts}"));
        let want = "dedup: large.txt: needs at least 400000000 bytes of free memory\nhint: ulimit \
                    -v shows whether memory is limited\n";
        assert!(run.errors.starts_with(want), "{texts}: {}", run.errors);
        assert_eq!(run.status, 2, "{texts}");
    }
    let run = bash(&folder, "\"$dedup\" text large.txt");
    assert!(run.errors.starts_with("dedup: large.txt: not a text: NUL byte"), "{}", run.errors);
}

/// Checks an output in `/sys`, where nobody can create a file, not even the superuser.
#[cfg(target_os = "linux")]
#[test]
fn where_nothing_may_be_written_there_is_an_error() {
    let folder = folder("locked");
    for name in ["a.txt", "b.txt"] {
        std::fs::write(folder.join(name), words("kettle", 0..20)).unwrap();
    }
    for (flags, name) in [
        ("--report /sys/out.html", "/sys/out.html"),
        ("--format json=/sys/out.json", "/sys/out.json"),
        ("--baseline /sys/base.txt --update-baseline", "/sys/base.txt"),
    ] {
        for texts in ["a.txt a.txt", "corpus a.txt b.txt"] {
            let run = bash(&folder, &format!("\"$dedup\" {texts} {flags}"));
            let want = format!("dedup: {name}: cannot be written: ");
            assert!(run.errors.contains(&want), "{texts} {flags}: {}", run.errors);
            assert_eq!(run.status, 2, "{texts} {flags}");
        }
    }
}
