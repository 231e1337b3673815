//! The folders in which examples are run: a course with its submissions.

use std::fs;
use std::path::{Path, PathBuf};

use crate::programs::{command, folder, run};

/// The state of a course.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Course {
    /// No submission is a copy of another one.
    Clean,
    /// One submission is a copy of another one, with three words changed.
    Copied,
    /// One submission cannot be read as text.
    Damaged,
}

impl Course {
    /// All states, with the exit status of a check of the submissions.
    pub(crate) const ALL: [(Self, i32); 3] =
        [(Self::Clean, 0), (Self::Copied, 1), (Self::Damaged, 2)];

    /// Creates a folder for the test, with the course.
    pub(crate) fn folder(self, test: &str) -> PathBuf {
        let folder = folder(&format!("{test}_{self:?}"));
        fs::create_dir(folder.join("submissions")).unwrap();
        let copy = |sample: &str, name: &str| {
            fs::copy(Path::new("samples").join(sample), folder.join(name)).unwrap();
        };
        copy("filled_in_sheet.txt", "sheet.txt");
        copy("filled_in_1.txt", "submissions/anna.txt");
        copy("filled_in_2.txt", "submissions/ben.txt");
        copy("opposite_1.txt", "submissions/clara.txt");
        copy("one_in_hundred_1.txt", "draft.txt");
        copy("one_in_hundred_2.txt", "final.txt");
        match self {
            Self::Clean => (),
            Self::Copied => copy("opposite_2.txt", "submissions/dora.txt"),
            Self::Damaged => {
                fs::write(folder.join("submissions/dora.txt"), b"The old br\xe2\x82").unwrap();
            }
        }
        folder
    }
}

/// Runs git in a folder, and returns its output.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = command("git", folder);
    let who = ["-c", "user.name=Anna", "-c", "user.email=anna@example.org"];
    command.args(who).args(["-c", "commit.gpgsign=false", "-c", "init.defaultBranch=main"]);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    let run = run(command.args(arguments));
    assert_eq!(run.status, Some(0), "git {arguments:?}: {}", run.errors);
    run.output
}

/// Makes a folder a repository, and commits all of its files.
pub(crate) fn commit(folder: &Path) {
    git(folder, &["init", "--quiet"]);
    git(folder, &["add", "--all"]);
    git(folder, &["commit", "--quiet", "--message", "all"]);
}
