//! Runs each example of the guide to CI, and checks that it passes or fails as it should.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::action::run_action;
use crate::hooks::{hooks, pre_commit};
use crate::places::{Course, commit, git};
use crate::programs::{Run, command, is_there, read, run};
use crate::workflow::yaml;

const GUIDE: &str = "docs/ci.md";

/// An example of the guide.
#[derive(Debug)]
struct Example {
    language: String,
    source: String,
    /// The line of the guide on which the example begins.
    line: usize,
}

/// Returns all examples, in order.
fn examples() -> Vec<Example> {
    let guide = read(GUIDE);
    let mut examples: Vec<Example> = Vec::new();
    let mut is_open = false;
    for (before, line) in guide.lines().enumerate() {
        match line.strip_prefix("```") {
            Some("") if is_open => is_open = false,
            Some(language) => {
                assert!(!is_open, "{GUIDE}:{}: a block in a block", before + 1);
                is_open = true;
                let language = language.to_owned();
                examples.push(Example { language, source: String::new(), line: before + 1 });
            }
            None if is_open => {
                let source = &mut examples.last_mut().unwrap().source;
                source.push_str(line);
                source.push('\n');
            }
            None => (),
        }
    }
    assert!(!is_open, "{GUIDE}: a block without an end");
    examples
}

/// Returns the YAML example that begins with the name of a file.
fn named(name: &str) -> String {
    let mut found = examples().into_iter().map(|example| example.source);
    found.find(|source| source.starts_with(&format!("# {name}\n"))).unwrap()
}

/// Runs a script in a folder with a shell, unchanged.
fn sh(shell: &str, place: &Path, script: &str) -> Run {
    run(command(shell, place).args(["-c", script]))
}

#[test]
fn every_example_is_of_a_kind_that_is_tried() {
    let files = [
        ".github/workflows/copies.yml",
        ".github/workflows/new-copies.yml",
        "steps of .github/workflows/copies.yml",
        ".gitlab-ci.yml",
        ".circleci/config.yml",
        "azure-pipelines.yml",
        ".pre-commit-config.yaml",
    ];
    let examples = examples();
    for (place, Example { language, source, line }) in examples.iter().enumerate() {
        let is_tried = match language.as_str() {
            "sh" | "make" | "groovy" | "markdown" => true,
            // The output of docs/since.py depends on the machine.
            "text" if source.contains(" commits, seed 1") => true,
            "text" => examples[place - 1].language == "sh",
            "yaml" => files.iter().any(|name| source.starts_with(&format!("# {name}\n"))),
            _ => false,
        };
        assert!(is_tried, "{GUIDE}:{line}: {language}: no test is for it");
    }
    for language in ["sh", "text", "make", "groovy"] {
        assert!(examples.iter().any(|example| example.language == language), "{language}");
    }
    for name in files {
        assert!(!named(name).is_empty());
    }
}

/// Checks that each shell example passes and prints the text shown below it, in every shell.
#[test]
fn shell_examples_print_what_is_shown() {
    for shell in ["sh", "bash", "dash"] {
        if !is_there(shell) {
            continue;
        }
        let place = Course::Clean.folder(&format!("guide_{shell}"));
        commit(&place);
        let mut examples = examples().into_iter().peekable();
        while let Some(Example { language, source, line }) = examples.next() {
            if language != "sh" {
                continue;
            }
            let run = sh(shell, &place, &source);
            let shown = examples.next_if(|next| next.language == "text");
            let want = shown.map_or(String::new(), |shown| shown.source);
            assert_eq!(run.output, want, "{GUIDE}:{line} by {shell}: {}", run.errors);
            assert_eq!(run.status, Some(0), "{GUIDE}:{line} by {shell}: {}", run.errors);
        }
    }
}

/// Checks that the parts that the example marks are excluded, and that they are a copy without the
/// markers.
#[test]
fn what_the_example_marks_is_left_out() {
    let example = examples().into_iter().find(|example| example.language == "markdown").unwrap();
    let bare: String = (example.source.lines())
        .filter(|line| !line.starts_with("<!--"))
        .fold(String::new(), |all, line| all + line + "\n");
    assert_ne!(bare, example.source);
    for (source, status) in [(example.source, 0), (bare, 1)] {
        let place = Course::Clean.folder("guide_marked");
        for (name, own) in
            [("a.md", "Rain fell until Tuesday."), ("b.md", "Seven boats sailed north.")]
        {
            fs::write(place.join(name), format!("{source}\n{own}\n")).unwrap();
        }
        let run =
            sh("sh", &place, "dedup check a.md b.md --fail-on excerpt --min-match 10 --lang en");
        assert_eq!(run.status, Some(status), "{}{}", run.output, run.errors);
    }
}

#[test]
fn the_makefile_stops_on_copies_and_on_trouble() {
    if !is_there("make") {
        return;
    }
    let makefile = examples().into_iter().find(|example| example.language == "make").unwrap();
    for (course, status) in Course::ALL {
        let place = course.folder("guide_make");
        fs::write(place.join("Makefile"), &makefile.source).unwrap();
        let run = run(command("make", &place).arg("check").env_remove("MAKEFLAGS"));
        assert_eq!(run.status, Some(if status == 0 { 0 } else { 2 }), "{course:?}");
        let message = format!("check] Error {status}\n");
        assert_eq!(run.errors.contains(&message), status > 0, "{course:?}: {}", run.errors);
    }
}

/// Checks a GitHub workflow with the linters that are installed.
fn lint_workflow(place: &Path, file: &str) {
    for (program, arguments) in [
        ("actionlint", &[][..]),
        ("check-jsonschema", &["--builtin-schema", "vendor.github-workflows"]),
    ] {
        if is_there(program) {
            let run = run(command(program, place).args(arguments).arg(file));
            assert_eq!(run.status, Some(0), "{program}: {}{}", run.output, run.errors);
        }
    }
}

/// Runs the step that uses our action. Steps that use other actions are not run.
#[test]
fn the_workflow_of_github_fails_on_copies_and_on_trouble() {
    let source = named(".github/workflows/copies.yml");
    let place = Course::Clean.folder("guide_github_lint");
    fs::write(place.join("copies.yml"), &source).unwrap();
    lint_workflow(&place, "copies.yml");
    let workflow = yaml(&source);
    let steps = workflow["jobs"]["copies"]["steps"].as_array().unwrap();
    let ours = |step: &&Value| step["uses"].as_str().unwrap().starts_with("OWNER/dedup@v");
    let [step] = &steps.iter().filter(ours).collect::<Vec<_>>()[..] else { panic!("{steps:?}") };
    let upload = steps.last().unwrap();
    for (course, status) in Course::ALL {
        let place = course.folder("guide_github");
        let (run, _) = run_action(&place, &step["with"], None);
        assert_eq!(run.status, Some(status), "{course:?}: {}{}", run.output, run.errors);
        let annotations = run.output.matches(",title=dedup%3A near-duplicate::").count();
        assert_eq!(annotations, usize::from(status == 1), "{course:?}: {}", run.output);
        let file = upload["with"]["sarif_file"].as_str().unwrap();
        let sarif: Value = serde_json::from_str(&read(place.join(file))).unwrap();
        let results = sarif["runs"][0]["results"].as_array().unwrap();
        assert_eq!(results.len(), usize::from(status == 1), "{course:?}: {sarif}");
    }
}

/// Checks that only copies that the pull request adds fail. `origin/main` is its base commit.
#[test]
fn the_workflow_of_pull_requests_fails_on_new_copies() {
    let workflow =
        yaml(&named(".github/workflows/new-copies.yml").replace("${{ github.base_ref }}", "main"));
    let steps = workflow["jobs"]["copies"]["steps"].as_array().unwrap();
    assert_eq!(steps[0]["with"]["fetch-depth"], 0);
    for (course, copies, status) in [
        (Course::Clean, false, 0),
        (Course::Copied, false, 0),
        (Course::Clean, true, 1),
        (Course::Copied, true, 1),
    ] {
        let place = course.folder(&format!("guide_new_{copies}"));
        commit(&place);
        git(&place, &["update-ref", "refs/remotes/origin/main", "HEAD"]);
        if copies {
            fs::copy(place.join("submissions/anna.txt"), place.join("submissions/emil.txt"))
                .unwrap();
        }
        let (run, _) = run_action(&place, &steps[1]["with"], None);
        assert_eq!(run.status, Some(status), "{course:?}: {}{}", run.output, run.errors);
    }
}

/// Checks that the workflow with the comment step is valid, and that the file that it reads is
/// written.
#[test]
fn the_comment_is_a_step_of_the_workflow() {
    let workflow = named(".github/workflows/copies.yml");
    let step = named("steps of .github/workflows/copies.yml");
    let steps = yaml(&step);
    let [comment] = &steps.as_array().unwrap()[..] else { panic!("{steps}") };
    let script = comment["run"].as_str().unwrap();
    assert!(script.contains("--body-file dedup.md "), "{script}");
    let indented =
        step.lines().skip(1).fold(String::new(), |all, line| all + "      " + line + "\n");
    let place = Course::Copied.folder("guide_comment");
    fs::write(place.join("copies.yml"), workflow + &indented).unwrap();
    lint_workflow(&place, "copies.yml");
    let written = sh("sh", &place, "dedup check submissions --format markdown=dedup.md --quiet");
    assert_eq!(written.status, Some(1), "{}", written.errors);
    assert!(read(place.join("dedup.md")).contains("`submissions/clara.txt`"));
}

/// The commands with which the other examples install the release, into a folder of their own.
pub(crate) const INSTALL: [&str; 2] = [
    concat!(
        "curl -fsSLO https://raw.githubusercontent.com/OWNER/dedup/v",
        env!("CARGO_PKG_VERSION"),
        "/packaging/install.sh"
    ),
    concat!("sh install.sh v", env!("CARGO_PKG_VERSION"), " FOLDER"),
];

/// Checks the steps of `CircleCI` and Azure: one installs, the next compares, and the last collects
/// the report.
#[test]
fn the_jobs_of_circleci_and_azure_fail_on_copies_and_on_trouble() {
    #[rustfmt::skip]
    let table = [
        (".circleci/config.yml", "vendor.circle-ci",       "results/dedup.xml"),
        ("azure-pipelines.yml",  "vendor.azure-pipelines", "dedup.xml"),
    ];
    for (name, schema, report) in table {
        let source = named(name);
        let test = format!("guide_{schema}");
        if is_there("check-jsonschema") {
            let place = Course::Clean.folder(&format!("{test}_lint"));
            fs::write(place.join("job.yml"), &source).unwrap();
            let mut command = command("check-jsonschema", &place);
            // The schema of Azure has patterns that are invalid in Unicode mode.
            command.args(["--regex-variant", "nonunicode", "--builtin-schema", schema, "job.yml"]);
            let run = run(&mut command);
            assert_eq!(run.status, Some(0), "{}{}", run.output, run.errors);
        }
        let job = yaml(&source);
        let steps = match job.get("steps") {
            Some(steps) => steps,
            None => &job["jobs"]["copies"]["steps"],
        };
        let scripts = steps.as_array().unwrap().iter();
        let scripts = scripts.filter_map(|step| step.get("run").or(step.get("script"))?.as_str());
        let [install, compare] = &scripts.collect::<Vec<&str>>()[..] else { panic!("{steps}") };
        let want = INSTALL.map(|line| line.replace("FOLDER", "\"$HOME/bin\"")).join("\n");
        assert!(install.trim_end().ends_with(&want), "{name}: {install}");
        let taken = steps.as_array().unwrap().last().unwrap().to_string();
        assert!(taken.contains(report.split('/').next().unwrap()), "{name}: {taken}");
        for (course, status) in Course::ALL {
            let place = course.folder(&test);
            fs::create_dir(place.join("bin")).unwrap();
            std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_dedup"), place.join("bin/dedup"))
                .unwrap();
            let run = run(command("bash", &place).args(["-ec", compare]).env("HOME", &place));
            assert_eq!(
                run.status,
                Some(status),
                "{name}, {course:?}: {}{}",
                run.output,
                run.errors
            );
            check_junit(&read(place.join(report)), status);
        }
    }
}

#[test]
fn the_job_of_gitlab_fails_on_copies_and_on_trouble() {
    let source = named(".gitlab-ci.yml");
    if is_there("check-jsonschema") {
        let place = Course::Clean.folder("guide_gitlab_lint");
        fs::write(place.join(".gitlab-ci.yml"), &source).unwrap();
        let mut command = command("check-jsonschema", &place);
        let run = run(command.args([
            "--builtin-schema",
            "vendor.gitlab-ci",
            "--data-transform",
            "gitlab-ci",
            ".gitlab-ci.yml",
        ]));
        assert_eq!(run.status, Some(0), "{}{}", run.output, run.errors);
    }
    let job = &yaml(&source)["copies"];
    let lines = |name: &str| -> Vec<String> {
        let lines = job[name].as_array().unwrap().iter();
        lines.map(|line| line.as_str().unwrap().to_owned()).collect()
    };
    // The program is already installed here.
    let before = lines("before_script");
    assert_eq!(before[..2], INSTALL.map(|line| line.replace("FOLDER", "\"$HOME/bin\"")));
    assert_eq!(before[2], "export PATH=\"$HOME/bin:$PATH\"");
    let reports = &job["artifacts"]["reports"];
    for (course, status) in Course::ALL {
        let place = course.folder("guide_gitlab");
        // A runner joins the lines into a script that stops at the first error.
        let run = sh("sh", &place, &format!("set -e\n{}", lines("script").join("\n")));
        assert_eq!(run.status, Some(status), "{course:?}: {}{}", run.output, run.errors);
        let report = |kind: &str| read(place.join(reports[kind].as_str().unwrap()));
        let found: Vec<Value> = serde_json::from_str(&report("codequality")).unwrap();
        let are_unreadable = found.iter().map(|entry| entry["check_name"] == "unreadable");
        let are_unreadable: BTreeSet<bool> = are_unreadable.collect();
        let want = [vec![], vec![false], vec![true]].map(BTreeSet::from_iter);
        assert_eq!(are_unreadable, want[usize::try_from(status).unwrap()], "{course:?}: {found:?}");
        check_junit(&report("junit"), status);
    }
}

#[test]
fn the_hook_of_pre_commit_fails_on_copies_and_on_trouble() {
    if !is_there("pre-commit") {
        return;
    }
    let hooks = hooks("guide");
    let source = named(".pre-commit-config.yaml");
    let config = source.replace("https://github.com/OWNER/dedup", &hooks.display().to_string());
    assert_ne!(config, source);
    for (course, status) in Course::ALL {
        let run = pre_commit(&course.folder("guide_hook"), &config);
        assert_eq!(run.status, Some(status.min(1)), "{course:?}: {}{}", run.output, run.errors);
        let code = format!("- exit code: {status}\n");
        assert_eq!(run.output.contains(&code), status > 0, "{course:?}: {}", run.output);
    }
}

/// Runs the only shell command of the pipeline, and counts its brackets. Only Jenkins could run the
/// pipeline itself.
#[test]
fn the_pipeline_of_jenkins_tells_copies_from_trouble() {
    let pipeline = examples().into_iter().find(|example| example.language == "groovy").unwrap();
    for (open, close) in [('{', '}'), ('(', ')')] {
        let count = |bracket| pipeline.source.matches(bracket).count();
        assert_eq!(count(open), count(close), "{open}");
    }
    let scripts: Vec<&str> =
        pipeline.source.lines().filter_map(|line| line.trim().strip_prefix("script: '")).collect();
    let [script] = scripts[..] else { panic!("{scripts:?}") };
    for line in INSTALL {
        let line = format!("                sh '{}'\n", line.replace("FOLDER", ".tools"));
        assert!(pipeline.source.contains(&line), "{line}");
    }
    for (course, status) in Course::ALL {
        let place = course.folder("guide_jenkins");
        let run = sh("sh", &place, script.strip_suffix('\'').unwrap());
        assert_eq!(run.status, Some(status), "{course:?}: {}{}", run.output, run.errors);
        check_junit(&read(place.join("dedup.xml")), status);
    }
    assert!(pipeline.source.contains("junit testResults: 'dedup.xml'"));
}

/// Checks the counts of a report: a copy and its source are failures, and an error is an error.
fn check_junit(report: &str, status: i32) {
    let counts = [2 * i32::from(status == 1), i32::from(status == 2)];
    let message = format!("failures=\"{}\" errors=\"{}\"", counts[0], counts[1]);
    assert!(report.contains(&message), "{message}: {report}");
}
