//! Tests of the step summary in GitHub Actions.

use std::path::Path;

use super::folder;
use crate::common::{Run, command, read_file};

const LINE: [&str; 4] = ["left.txt", "right.txt", "--lang", "none"];

fn run_with_summary(folder: &Path, summary: &str, arguments: &[&str]) -> Run {
    let mut command = command();
    command.current_dir(folder).env("GITHUB_STEP_SUMMARY", summary).args(arguments);
    command.output().unwrap().into()
}

#[test]
fn a_summary_is_added_where_there_is_one() {
    let folder = folder("summary");
    let summary = folder.join("summary.md");
    let page =
        run_with_summary(&folder, "", &[&LINE[..], &["--format", "markdown"]].concat()).output;
    std::fs::write(&summary, "Before").unwrap();
    let mut want = "Before".to_owned();
    for corpus in [&[][..], &["corpus"]] {
        for format in [&["--format", "github"][..], &["--quiet", "--format", "github=a.log"]] {
            let run = run_with_summary(&folder, "summary.md", &[corpus, &LINE, format].concat());
            assert_eq!((run.errors.as_str(), run.status), ("", 0));
            want = format!("{want}\n{page}");
            assert_eq!(read_file(&summary), want);
        }
    }
    // Only for the format of GitHub, and only once.
    for format in ["text", "markdown", "sarif"] {
        run_with_summary(&folder, "summary.md", &[&LINE[..], &["--format", format]].concat());
    }
    run_with_summary(&folder, "", &[&LINE[..], &["--format", "github"]].concat());
    assert_eq!(read_file(&summary), want);
    let both = ["--format", "github", "--format", "markdown=summary.md"];
    run_with_summary(&folder, "./summary.md", &[&LINE[..], &both].concat());
    assert_eq!(read_file(&summary), page);
}

#[test]
fn a_summary_that_cannot_be_written_is_an_error() {
    let folder = folder("no_summary");
    for corpus in [&[][..], &["corpus"]] {
        let run = run_with_summary(
            &folder,
            "no/summary.md",
            &[corpus, &LINE, &["--format", "github"]].concat(),
        );
        assert_eq!((run.output.as_str(), run.status), ("", 2));
        assert!(
            run.errors.starts_with("dedup: no/summary.md: cannot be written: "),
            "{}",
            run.errors
        );
    }
}
