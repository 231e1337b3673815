//! Tests of modes, links and pipes.

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Command, Stdio};

use super::{folder, names, report, run};
use crate::common::{command, read_file};

/// Returns the permission bits of a file.
fn mode(path: impl AsRef<std::path::Path>) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// Returns the umask.
pub(super) fn umask() -> u32 {
    let umask = Command::new("sh").args(["-c", "umask"]).output().unwrap().stdout;
    u32::from_str_radix(String::from_utf8(umask).unwrap().trim(), 8).unwrap()
}

#[test]
fn a_report_is_as_the_umask_lets_and_then_stays_as_it_is() {
    let folder = folder("mode");
    report(&folder, "");
    assert_eq!(mode(folder.join("out.html")), 0o666 & !umask());
    fs::set_permissions(folder.join("out.html"), fs::Permissions::from_mode(0o600)).unwrap();
    report(&folder, "");
    assert_eq!(mode(folder.join("out.html")), 0o600);
}

#[test]
fn a_link_stays_a_link() {
    let folder = folder("link");
    fs::write(folder.join("folder/real.html"), "old").unwrap();
    symlink("folder/real.html", folder.join("out.html")).unwrap();
    report(&folder, "");
    assert!(fs::symlink_metadata(folder.join("out.html")).unwrap().is_symlink());
    assert!(read_file(folder.join("folder/real.html")).ends_with("</html>\n"));
    assert_eq!(names(&folder.join("folder")), ["real.html"]);
}

#[test]
fn standard_output_has_the_report_and_then_the_answer() {
    let folder = folder("stdout");
    let page = report(&folder, "");
    let answer = run(&folder, "left.txt right.txt").output;
    for name in ["-", "/dev/stdout", "/dev/fd/1"] {
        let piped = run(&folder, &format!("left.txt right.txt --report {name}"));
        assert_eq!((&piped.output, piped.status), (&format!("{page}{answer}"), 0), "{name}");
        // Into a file, which would be overwritten if it were opened again by that name.
        let file = File::create(folder.join("both")).unwrap();
        let line = ["left.txt", "right.txt", "--report", name];
        let status = command().current_dir(&folder).args(line).stdout(file).status();
        assert_eq!(status.unwrap().code(), Some(0));
        assert_eq!(read_file(folder.join("both")), format!("{page}{answer}"), "{name}");
    }
    assert!(fs::symlink_metadata("/dev/stdout").unwrap().is_symlink());
}

#[test]
fn a_pipe_is_written_as_it_is() {
    let folder = folder("pipe");
    let page = report(&folder, "");
    let script = format!(
        "'{0}' left.txt right.txt -q --report >(cat > got) && \
         '{0}' left.txt right.txt -q --report >(true) && \
         for i in $(seq 100); do test -s got && break; sleep 0.05; done; cat got",
        env!("CARGO_BIN_EXE_dedup")
    );
    let mut bash = Command::new("bash");
    let run = bash.current_dir(&folder).args(["-c", &script]).stderr(Stdio::inherit()).output();
    let run = run.unwrap();
    assert_eq!(run.status.code(), Some(0));
    assert!(page == String::from_utf8(run.stdout).unwrap());
}

#[test]
fn a_report_on_standard_inputs_file_is_bad_usage() {
    let folder = folder("stdin");
    let input = File::options().read(true).open(folder.join("left.txt")).unwrap();
    let run: crate::common::Run = command()
        .current_dir(&folder)
        .args(["-", "right.txt", "--report", "left.txt"])
        .stdin(input)
        .output()
        .unwrap()
        .into();
    assert!(run.errors.starts_with("dedup: --report left.txt: is also LEFT"), "{}", run.errors);
    assert_eq!(run.status, 2);
}

/// Checks that no temporary file is left, whenever the signal comes. Writing takes too short a time
/// to be interrupted reliably.
#[test]
fn a_report_that_is_stopped_leaves_the_whole_file_or_nothing() {
    let folder = folder("signals");
    for round in 0..20u64 {
        let line = ["left.txt", "right.txt", "-q", "--report", "out.html"];
        let mut child = command().current_dir(&folder).args(line).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(round));
        let signal = if round % 2 == 0 { "-TERM" } else { "-INT" };
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        child.wait().unwrap();
        let left: Vec<_> =
            names(&folder).into_iter().filter(|name| name.starts_with('.')).collect();
        assert_eq!(left, Vec::<String>::new());
        if let Ok(page) = fs::metadata(folder.join("out.html")) {
            assert!(page.len() > 10_000);
        }
        let _ = fs::remove_file(folder.join("out.html"));
    }
}
