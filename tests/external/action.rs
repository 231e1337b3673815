//! Tests of the GitHub action: runs its script as a runner does.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json};

use crate::places::Course;
use crate::programs::{Run, command, folder, read, run};
use crate::workflow::{action, yaml};

/// Runs the action in a folder, and returns the run and the outputs that it sets.
pub(crate) fn run_action(place: &Path, with: &Value, path: Option<&str>) -> (Run, String) {
    run_action_with(place, with, path, &[])
}

/// Same as [`run_action`], but with additional environment variables.
pub(crate) fn run_action_with(
    place: &Path,
    with: &Value,
    path: Option<&str>,
    variables: &[(&str, &str)],
) -> (Run, String) {
    let step = action(with);
    let outputs = place.join("outputs");
    let mut command = command("bash", place);
    command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &step.script]);
    command.envs(&step.variables).envs(variables.iter().copied());
    command.env("GITHUB_OUTPUT", &outputs).env("RUNNER_TEMP", place.join("temporary"));
    command.env("GITHUB_STEP_SUMMARY", place.join("summary.md"));
    if let Some(path) = path {
        command.env("PATH", path);
    }
    let run = run(&mut command);
    let handed_on = if outputs.exists() { read(&outputs) } else { String::new() };
    (run, handed_on)
}

/// Writes an executable shell script into a folder.
pub(crate) fn write_script(folder: &Path, name: &str, script: &str) {
    fs::create_dir_all(folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

const TELLS: &str = "printf '<%s>' \"$0\" \"$@\"; echo";

#[test]
fn the_status_is_that_of_the_texts() {
    for (course, status) in Course::ALL {
        for report_only in ["false", "true"] {
            let place = course.folder(&format!("action_{report_only}"));
            let with = json!({
                "paths": "submissions",
                "args": "--template=sheet.txt\n",
                "report-only": report_only,
            });
            let (run, handed_on) = run_action(&place, &with, None);
            let want = if report_only == "true" && status == 1 { 0 } else { status };
            assert_eq!(run.status, Some(want), "{course:?} {report_only}: {}", run.errors);
            assert_eq!(handed_on, format!("status={status}\n"), "{course:?} {report_only}");
            for shown in [run.output, read(place.join("summary.md"))] {
                assert_eq!(shown.contains("submissions/clara.txt"), status == 1, "{shown}");
            }
        }
    }
}

/// Checks that input from others, for example the name of a branch or file, is passed as an
/// argument and never run as script.
#[test]
fn inputs_are_arguments_and_no_script() {
    #[rustfmt::skip]
    let table = [
        ("one path",           "a",           "",                      "<--><a>"),
        ("lines and spaces",   "a b\nc\n",    "",                      "<--><a b><c>"),
        ("lines of Windows",   "a\r\n\r\nb",  "--lang=en\r\n",         "<--lang=en><--><a><b>"),
        ("no flag by a path",  "--quiet",     "",                      "<--><--quiet>"),
        ("no pattern",         "*",           "--template=*",          "<--template=*><--><*>"),
        ("no script",          "$(echo x)",   "`echo x`\n; echo x",    "<`echo x`><; echo x><--><$(echo x)>"),
        ("back-slashes",       "a\\nb",       "\"x\"",                 "<\"x\"><--><a\\nb>"),
    ];
    let place = folder("action_inputs");
    write_script(&place, "teller", TELLS);
    let binary = place.join("teller").display().to_string();
    for (why, paths, args, want) in table {
        let with = json!({ "paths": paths, "args": args, "binary": binary });
        let (run, _) = run_action(&place, &with, None);
        let always = "<corpus><--fail-on=near-duplicate><--format=github>";
        assert_eq!(run.output, format!("<{binary}>{always}{want}\n"), "{why}");
    }
    let with = json!({ "paths": "a", "fail-on": "partial; id", "binary": binary });
    let (run, _) = run_action(&place, &with, None);
    assert_eq!(
        run.output,
        format!("<{binary}><corpus><--fail-on=partial; id><--format=github><--><a>\n")
    );
}

#[test]
fn the_installed_one_is_run_else_it_is_built() {
    let place = folder("action_binary");
    let (ours, other, cargo) = (place.join("ours"), place.join("other"), place.join("cargo"));
    write_script(&ours, "dedup", TELLS);
    write_script(&other, "dedup", "echo 'no such thing' >&2; exit 2");
    let built = place.join("temporary/dedup/bin");
    let made = format!(
        "{TELLS}; mkdir -p '{0}'; ln -s '{1}/dedup' '{0}/'",
        built.display(),
        ours.display()
    );
    write_script(&cargo, "cargo", &made);
    let sources = Path::new(".").canonicalize().unwrap();
    let (here, there) = (sources.display(), place.join("temporary"));
    let install = format!(
        "<{}/cargo><install><--locked><--path><{here}><--root><{}/dedup>\n",
        cargo.display(),
        there.display()
    );
    let of = |folder: &Path| {
        format!(
            "<{}/dedup><corpus><--fail-on=near-duplicate><--format=github><--><a>\n",
            folder.display()
        )
    };
    let system = "/usr/bin:/bin";
    #[rustfmt::skip]
    let table = [
        ("installed",         format!("{}:{}:{system}", ours.display(), cargo.display()),  of(&ours)),
        ("another's dedup",   format!("{}:{}:{system}", other.display(), cargo.display()), install.clone() + &of(&built)),
        ("none",              format!("{}:{system}", cargo.display()),                     install + &of(&built)),
    ];
    for (why, path, want) in table {
        let _ = fs::remove_dir_all(&there);
        let (run, _) = run_action(&place, &json!({ "paths": "a" }), Some(&path));
        assert_eq!((run.output, run.status), (want, Some(0)), "{why}: {}", run.errors);
    }
}

#[test]
fn every_input_is_reported_and_used() {
    let action = yaml(&read("action.yml"));
    let source = read("action.yml");
    for (name, input) in action["inputs"].as_object().unwrap() {
        assert!(input["description"].as_str().unwrap().ends_with('.'), "{name}");
        assert_eq!(input.get("default").is_none(), input["required"] == true, "{name}");
        assert!(source.contains(&format!("${{{{ inputs.{name} }}}}")), "{name}");
    }
}
