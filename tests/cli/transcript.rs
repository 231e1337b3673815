//! Console transcripts: the commands of a user and the output of the program, compared with the
//! files in `tests/cli/snapshots`. `INSTA_UPDATE=always cargo test --locked --test cli` updates
//! them.

use std::fmt::Write;

use crate::common::Run;

/// A transcript. Each case has a comment with its reason, the files that it is about, and commands
/// with their output, and with their status if it is not 0.
#[derive(Default)]
pub(crate) struct Transcript(String);

impl Transcript {
    /// Starts a case with a comment.
    pub(crate) fn case(&mut self, why: &str) {
        let _ = writeln!(self.0, "# {why}");
    }

    /// Adds the content of a file.
    pub(crate) fn file(&mut self, name: &str, content: &str) {
        let _ = writeln!(self.0, "$ cat {name}");
        self.print(content);
    }

    /// Adds a run that ended in an error: nothing on standard output, a message on standard error,
    /// status 2. This is asserted here, so that updating a snapshot cannot lose it.
    pub(crate) fn error(&mut self, line: &str, run: &Run) {
        assert_eq!((run.output.as_str(), run.status), ("", 2), "{line}: {}", run.errors);
        assert!(run.errors.starts_with("dedup: "), "{line}: {}", run.errors);
        assert!(run.errors.ends_with('\n'), "{line}: {}", run.errors);
        let _ = writeln!(self.0, "$ dedup {line}");
        self.print(&run.errors);
        self.0.push_str("[status 2]\n\n");
    }

    /// Adds any run. Its output and errors must consist of complete lines.
    pub(crate) fn run(&mut self, line: &str, run: &Run) {
        for text in [&run.output, &run.errors] {
            assert!(text.is_empty() || text.ends_with('\n'), "{line}: {text}");
        }
        let _ = writeln!(self.0, "$ dedup {line}");
        self.print(&run.output);
        if !run.errors.is_empty() {
            self.0.push_str("[standard error]\n");
            self.print(&run.errors);
        }
        if run.status != 0 {
            let _ = writeln!(self.0, "[status {}]", run.status);
        }
        self.0.push('\n');
    }

    /// Compares the transcript with `tests/cli/snapshots/NAME.snap`.
    pub(crate) fn assert_snapshot(self, name: &str) {
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(name, self.0.trim_end()));
    }

    /// Adds text, with a line feed at its end and control characters escaped. The version of the
    /// program, which changes with each release, is replaced.
    fn print(&mut self, text: &str) {
        let version = concat!("\"version\":\"", env!("CARGO_PKG_VERSION"), "\"");
        for char in text.replace(version, "\"version\":\"VERSION\"").chars() {
            if char.is_control() && !matches!(char, '\n' | '\t') {
                let _ = write!(self.0, "{}", char.escape_debug());
            } else {
                self.0.push(char);
            }
        }
        if !text.is_empty() && !text.ends_with('\n') {
            self.0.push('\n');
        }
    }
}

/// Compares the runs of cases with a snapshot. Each case has a reason and a command line.
pub(crate) fn runs(name: &str, cases: &[(&str, &str)], run: impl Fn(&str) -> Run) {
    let mut transcript = Transcript::default();
    for (why, line) in cases {
        transcript.case(why);
        transcript.run(line, &run(line));
    }
    transcript.assert_snapshot(name);
}

/// Compares runs that must all end in errors with a snapshot.
pub(crate) fn errors(name: &str, cases: &[(&str, &str)], run: impl Fn(&str) -> Run) {
    let mut transcript = Transcript::default();
    for (why, line) in cases {
        transcript.case(why);
        transcript.error(line, &run(line));
    }
    transcript.assert_snapshot(name);
}
