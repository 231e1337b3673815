//! Tests of a system that cannot start a second thread.

use std::process::Command;

use super::{folder, words};
use crate::common::{command, is_installed};

/// Checks that if no thread can be started, the main thread does all of the work.
#[test]
fn without_a_second_thread_the_answer_is_the_same() {
    if !is_installed("strace", "--version") {
        return;
    }
    let folder = folder("threads");
    let text = words("w", 0..30_000);
    std::fs::write(folder.join("a.txt"), &text).unwrap();
    std::fs::write(folder.join("b.txt"), text + "and more").unwrap();
    for line in ["a.txt b.txt --lang none", "corpus a.txt b.txt --lang none --threads 4"] {
        let ever = command().current_dir(&folder).args(line.split(' ')).output().unwrap();
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=clone3,clone"]);
        strace.args(["-e", "inject=clone3,clone:error=EAGAIN", env!("CARGO_BIN_EXE_dedup")]);
        let alone = strace.args(line.split(' ')).current_dir(&folder).output().unwrap();
        assert_eq!(alone, ever, "{line}");
    }
}
