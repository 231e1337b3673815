//! Transcripts of a console: what is typed and what is printed, held to the files of
//! `tests/cli/snapshots`. One command writes these files anew, to be read as a diff:
//! `INSTA_UPDATE=always cargo test --locked --test cli`.

use std::fmt::Write;

use crate::common::Run;

/// Cases: a comment why each is there, a file that it is about, what is typed, what is printed.
#[derive(Default)]
pub(crate) struct Transcript(String);

impl Transcript {
    /// Begins a case by why it is there.
    pub(crate) fn case(&mut self, why: &str) {
        let _ = writeln!(self.0, "# {why}");
    }

    /// Adds what a file has.
    pub(crate) fn file(&mut self, name: &str, content: &str) {
        let _ = writeln!(self.0, "$ cat {name}");
        self.print(content);
    }

    /// Adds a run that is an error: nothing on standard output, a message on standard error and
    /// status 2. That is asserted here, so that no update of a snapshot loses it.
    pub(crate) fn error(&mut self, line: &str, run: &Run) {
        assert_eq!((run.output.as_str(), run.status), ("", 2), "{line}: {}", run.errors);
        assert!(run.errors.starts_with("dedup: "), "{line}: {}", run.errors);
        assert!(run.errors.ends_with('\n'), "{line}: {}", run.errors);
        let _ = writeln!(self.0, "$ dedup {line}");
        self.print(&run.errors);
        self.0.push_str("[status 2]\n\n");
    }

    /// Adds any run.
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

    /// Holds all of it to `tests/cli/snapshots/NAME.snap`.
    pub(crate) fn hold(self, name: &str) {
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(name, self.0.trim_end()));
    }

    /// Adds text and a line feed where it has none, other control characters as they are escaped.
    fn print(&mut self, text: &str) {
        for char in text.chars() {
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

/// Holds cases to `tests/cli/snapshots/NAME.snap`, each why it is there and what is typed.
pub(crate) fn runs(name: &str, cases: &[(&str, &str)], run: impl Fn(&str) -> Run) {
    let mut transcript = Transcript::default();
    for (why, line) in cases {
        transcript.case(why);
        transcript.run(line, &run(line));
    }
    transcript.hold(name);
}

/// The same, all being errors.
pub(crate) fn errors(name: &str, cases: &[(&str, &str)], run: impl Fn(&str) -> Run) {
    let mut transcript = Transcript::default();
    for (why, line) in cases {
        transcript.case(why);
        transcript.error(line, &run(line));
    }
    transcript.hold(name);
}
