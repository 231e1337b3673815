//! Tests of concurrent events: files that change while they are read, closed pipes, signals, and a
//! second run.

use std::fs::{self, OpenOptions};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::{bash, folder, names, words};
use crate::common::{Run, command, read_file};

/// Returns a delay of less than `most` milliseconds that depends on the round only.
fn moment(round: u64, most: u64) -> Duration {
    Duration::from_micros(round.wrapping_mul(0x9e37_79b9_7f4a_7c15) % (most * 1000))
}

fn started(folder: &Path, line: &str) -> Child {
    let mut command = command();
    command.current_dir(folder).args(line.split(' '));
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Reports whether a run is stopped by the signal that it gets after a delay, which depends on the
/// round. If not, it must have ended successfully before.
fn is_stopped(folder: &Path, line: &str, round: u64, after: Duration) -> bool {
    const SIGNALS: [(&str, i32); 4] = [("-INT", 2), ("-TERM", 15), ("-HUP", 1), ("-QUIT", 3)];
    let (name, number) = SIGNALS[usize::try_from(round / 2 % 4).unwrap()];
    let mut child = started(folder, line);
    std::thread::sleep(after);
    Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    let status = child.wait().unwrap();
    assert!(status.code() == Some(0) || status.signal() == Some(number), "{status}");
    status.signal().is_some()
}

#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn a_file_may_shrink_grow_or_vanish_while_it_is_read() {
    let folder = folder("moving");
    let text = words("word", 0..40_000);
    fs::write(folder.join("a.txt"), &text).unwrap();
    let b = folder.join("b.txt");
    let line = |round: u64| {
        let texts = if round.is_multiple_of(2) { "a.txt b.txt" } else { "corpus a.txt b.txt" };
        format!("{texts} --lang none --format json")
    };
    // The answers for the complete text, and for the first seven bytes of it.
    let answers = [0, 1].map(|round| {
        [text.as_str(), &text[..7]].map(|text| {
            fs::write(&b, text).unwrap();
            Run::from(started(&folder, &line(round)).wait_with_output().unwrap()).output
        })
    });
    for round in 0..24 {
        fs::write(&b, &text).unwrap();
        let child = started(&folder, &line(round));
        std::thread::sleep(moment(round, 12));
        match round % 3 {
            0 => OpenOptions::new().write(true).open(&b).unwrap().set_len(7).unwrap(),
            1 => fs::write(&b, text.repeat(2)).unwrap(),
            _ => fs::remove_file(&b).unwrap(),
        }
        let run = Run::from(child.wait_with_output().unwrap());
        assert!([0, 1, 2].contains(&run.status), "{}", run.errors);
        if run.status == 2 {
            // What is left of the file may be too short to be compared.
            let is_named = ["dedup: b.txt: ", "dedup: 1 text and 1 too short, "];
            let is_named = is_named.iter().any(|start| run.errors.starts_with(start));
            assert!(is_named, "{}", run.errors);
        } else {
            let answer: serde_json::Value = serde_json::from_str(&run.output).unwrap();
            assert!(answer.is_object(), "{}", run.output);
            let of = &answers[usize::from(!round.is_multiple_of(2))];
            let is_of_a_moment = of.contains(&run.output) || round % 3 == 1;
            assert!(is_of_a_moment, "{round}: {}", run.output);
        }
    }
}

#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn whoever_reads_may_stop_anywhere() {
    let folder = folder("closed");
    let text = words("word", 0..2000);
    for number in 0..12 {
        fs::write(folder.join(format!("{number}.txt")), format!("{text} {number}")).unwrap();
    }
    for line in [
        "0.txt 1.txt --explain",
        "0.txt 1.txt --format json",
        "corpus . --format jsonl",
        "corpus . --clusters",
        "corpus . --format sarif",
        "spans . --min-words 5",
        "spans . --min-words 5 --format jsonl",
        "spans . --min-words 5 --format jsonl",
        "spans 0.txt --output -",
        "text 0.txt",
        "man",
    ] {
        for bytes in [0, 1, 100, 4095, 5000, 70_000] {
            let script =
                format!("\"$dedup\" {line} | head -c {bytes} > /dev/null; exit ${{PIPESTATUS[0]}}");
            let run = bash(&folder, &script);
            assert_eq!((run.status, run.errors.as_str()), (0, ""), "{line}, {bytes} bytes");
        }
    }
}

#[test]
fn a_signal_leaves_what_was_asked_for_whole_or_as_it_was() {
    let folder = folder("signals");
    let texts = folder.join("texts");
    fs::create_dir(&texts).unwrap();
    for number in 0..30 {
        let text = words(&format!("w{}x", number / 2), 0..300);
        fs::write(texts.join(format!("{number}.txt")), text + &number.to_string()).unwrap();
    }
    let line = "corpus texts --lang none --quiet --report out --format json=out.json --baseline base.txt --update-baseline";
    let begun = std::time::Instant::now();
    assert_eq!(started(&folder, line).wait().unwrap().code(), Some(0));
    let most = u64::try_from(begun.elapsed().as_millis()).unwrap() + 20;
    let whole = |name: &str| read_file(folder.join(name));
    let (json, base, index) = (whole("out.json"), whole("base.txt"), whole("out/index.html"));
    let pages = names(&folder.join("out/pairs"));
    let mut stopped = 0;
    for round in 0..40 {
        if round % 2 == 0 {
            let _ = fs::remove_dir_all(folder.join("out"));
            let _ = fs::remove_file(folder.join("out.json"));
        }
        stopped += u32::from(is_stopped(&folder, line, round, moment(round, most)));
        for name in names(&folder) {
            match name.as_str() {
                "out.json" => assert!(whole(&name) == json),
                "base.txt" => assert!(whole(&name) == base),
                "out" => {
                    assert!(whole("out/index.html") == index);
                    assert_eq!(names(&folder.join("out/pairs")), pages);
                }
                "texts" => {}
                other => panic!("{other} stayed"),
            }
        }
    }
    assert!(stopped > 5, "{stopped}");
}

#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn a_signal_leaves_the_folder_of_spans_whole_or_none() {
    let folder = folder("spans_signals");
    let texts = folder.join("texts/in");
    fs::create_dir_all(&texts).unwrap();
    let shared = words("s", 0..60);
    for number in 0..400 {
        let own = words(&format!("w{number}x"), 0..50);
        fs::write(texts.join(format!("{number}.txt")), format!("{own} {shared}")).unwrap();
    }
    let line = "spans texts --quiet --output out";
    let begun = std::time::Instant::now();
    assert_eq!(started(&folder, line).wait().unwrap().code(), Some(0));
    let most = u64::try_from(begun.elapsed().as_millis()).unwrap() + 20;
    let cleaned = |name: &str| read_file(folder.join("out/in").join(name));
    let all = names(&folder.join("out/in"));
    assert_eq!((all.len(), cleaned("0.txt")), (400, read_file(texts.join("0.txt"))));
    assert_eq!(cleaned("399.txt").trim_end(), words("w399x", 0..50).trim_end());
    let mut stopped = 0;
    for round in 0..40 {
        let _ = fs::remove_dir_all(folder.join("out"));
        // Mostly while the folder is being written, which is at the end of the run.
        let after = moment(round, most / 2) + Duration::from_millis(most / 2);
        stopped += u32::from(is_stopped(&folder, line, round, after));
        for name in names(&folder) {
            match name.as_str() {
                "out" => assert_eq!(names(&folder.join("out/in")), all),
                "texts" => {}
                other => panic!("{other} stayed"),
            }
        }
    }
    assert!(stopped > 5, "{stopped}");
}

#[test]
fn of_two_runs_that_write_one_baseline_one_has_written_it() {
    let folder = folder("two");
    let text = |word: &str| words(word, 0..300);
    for (name, word) in [("a.txt", "x"), ("b.txt", "x"), ("c.txt", "y"), ("d.txt", "y")] {
        fs::write(folder.join(name), text(word) + name).unwrap();
    }
    let write = "--lang none --quiet --baseline base.txt --update-baseline";
    let lines = [format!("a.txt b.txt {write}"), format!("c.txt d.txt {write}")];
    let wholes = lines.each_ref().map(|line| {
        assert_eq!(started(&folder, line).wait().unwrap().code(), Some(0));
        read_file(folder.join("base.txt"))
    });
    assert_ne!(wholes[0], wholes[1]);
    for round in 0..12 {
        let runs = lines.each_ref().map(|line| {
            std::thread::sleep(moment(round, 3));
            started(&folder, line)
        });
        let ends = runs.map(|mut run| run.wait().unwrap().code());
        // The second one has read another file than the first one left.
        let is_known = |end: &Option<i32>| [Some(0), Some(2)].contains(end);
        assert!(ends.contains(&Some(0)) && ends.iter().all(is_known), "{ends:?}");
        assert!(wholes.contains(&read_file(folder.join("base.txt"))));
        assert_eq!(names(&folder), ["a.txt", "b.txt", "base.txt", "c.txt", "d.txt"]);
    }
}

#[test]
fn what_another_run_accepts_meanwhile_is_not_lost() {
    let folder = folder("accepted");
    for (name, word) in [("a.txt", "x"), ("b.txt", "x"), ("c.txt", "y"), ("d.txt", "y")] {
        fs::write(folder.join(name), words(word, 0..300) + name).unwrap();
    }
    // The first run waits for its last text while the second one writes the baseline.
    let write = "--lang none --quiet --baseline base.txt --update-baseline";
    let script = format!(
        "mkfifo late; \"$dedup\" corpus a.txt b.txt late {write} & run=$!; exec 3> late; \
         \"$dedup\" c.txt d.txt {write} 2> log; cp base.txt other; \
         echo a kettle >&3; exec 3>&-; wait $run"
    );
    let run = bash(&folder, &script);
    let want = "dedup: base.txt: changed while it was compared, expected no change\nhint: run dedup \
                again when nothing writes to the file\n";
    assert_eq!((run.status, run.errors.as_str()), (2, want));
    assert_eq!(read_file(folder.join("base.txt")), read_file(folder.join("other")));
    assert!(!names(&folder).iter().any(|name| name.starts_with('.')));
}

/// Checks that a run that was started to ignore a signal, as by `nohup`, still ignores it when it
/// has temporary files.
#[cfg(target_os = "linux")]
#[test]
fn an_ignored_signal_stops_nothing() {
    let folder = folder("ignored");
    let record = |id: u32| format!("{{\"id\":\"{id}\",\"text\":\"{}\"}}\n", words("w", 0..40));
    fs::write(folder.join("docs.jsonl"), record(1) + &record(2)).unwrap();
    let script = "mkfifo late; trap '' HUP INT; \"$dedup\" corpus --jsonl docs.jsonl --jsonl late --lang none --quiet \
                  --keep first --output out & run=$!; exec 3> late; sleep 0.2; kill -HUP $run; kill -INT $run; \
                  exec 3>&-; wait $run; echo $?; wc -l < out";
    let run = bash(&folder, script);
    assert_eq!(run.output, "0\n1\n", "{}", run.errors);
}

/// Checks that temporary files of killed runs are named by runs that write to their folder or search
/// it, and those of a run that still exists are not.
#[test]
fn what_a_killed_run_left_behind_is_named() {
    let folder = folder("left");
    for (name, more) in [("a.txt", "here"), ("b.txt", "there")] {
        fs::write(folder.join(name), words("w", 0..40) + more).unwrap();
    }
    fs::create_dir(folder.join(".dedup-folder.tmp")).unwrap();
    for name in [".dedup-file.tmp", ".dedup-earlier.old", ".dedup-held.tmp", ".dedup-report"] {
        fs::write(folder.join(name), "").unwrap();
    }
    let held = OpenOptions::new().write(true).open(folder.join(".dedup-held.tmp")).unwrap();
    held.lock().unwrap();
    let left = |name: &str| {
        format!("dedup: warning: {name}: left behind by a run that was stopped: remove it\n")
    };
    let names = [".dedup-earlier.old", ".dedup-file.tmp", ".dedup-folder.tmp"];
    // In a folder that is searched, the names of folders end with a slash.
    for (line, end) in [
        ("a.txt b.txt --lang none --quiet --format json=out.json", ""),
        ("corpus . --lang none --quiet", "/"),
    ] {
        let run = bash(&folder, &format!("rm -f out.json; \"$dedup\" {line}"));
        let [earlier, file, inner] = names.map(|name| format!("./{name}"));
        let want = left(&earlier) + &left(&file) + &left(&(inner + end));
        assert_eq!((run.status, run.errors), (0, want), "{line}");
    }
    let run = bash(&folder, "rm -r .dedup-[ef]*; \"$dedup\" corpus . --lang none --quiet");
    assert_eq!((run.status, run.errors.as_str()), (0, ""));
}
