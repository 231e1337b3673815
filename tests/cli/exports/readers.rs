//! Reads the formats with independent programs.
//!
//! `DEDUP_READERS` names a folder that contains them: `venv`, a Python environment, and
//! `node_modules`. `.ci/run` creates it.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::{folder, names, run};

/// Returns the folder of the readers. `None` if their tests may be skipped.
fn readers() -> Option<PathBuf> {
    let found = std::env::var_os("DEDUP_READERS").map(PathBuf::from);
    if found.is_none() {
        use std::io::Write;
        let what = "programs that read the formats (DEDUP_READERS=…)";
        assert!(std::env::var_os("DEDUP_CI").is_none(), "{what} are missing");
        let _ = writeln!(std::io::stderr(), "skipped: {what} are missing");
    }
    found
}

/// Writes files to read: of the samples, of names that could break out, and without findings.
fn written(test: &str) -> [PathBuf; 3] {
    let files = "--format sarif=a.sarif --format junit=a.xml --format csv=a.csv";
    let samples = folder(&format!("{test}_samples"));
    let root = std::env::current_dir().unwrap();
    let line =
        format!("corpus {} --at-least partial --quiet {files}", root.join("samples").display());
    assert_eq!(run(&samples, &line).errors, "");
    let odd = names::folder(&format!("{test}_names"));
    assert_eq!(run(&odd, &format!("corpus . --quiet {files}")).errors, "");
    let nothing = folder(&format!("{test}_nothing"));
    let line = format!("left.txt right.txt --at-least identical --quiet {files}");
    assert_eq!(run(&nothing, &line).errors, "");
    [samples, odd, nothing]
}

/// Returns the folder with the multitool's program, which the npm package wraps.
fn multitool(readers: &Path) -> PathBuf {
    readers.join("node_modules/@microsoft/sarif-multitool-linux")
}

fn printed(mut command: Command) -> String {
    let output = command.output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    printed
}

#[test]
fn other_programs_read_the_exports() {
    let Some(readers) = readers() else { return };
    for folder in written("read") {
        // CSV and XML write these names differently.
        let odd = folder.ends_with("read_names");
        let mut python = Command::new(readers.join("venv/bin/python"));
        python.arg("tests/cli/exports/readers.py").arg(&folder);
        python.arg(multitool(&readers).join("sarif-2.1.0.json"));
        let read: Value = serde_json::from_str(&printed(python)).unwrap();
        assert_eq!(
            read["schema"],
            json!({"errors": [], "is_strict": true}),
            "{}",
            folder.display()
        );
        if folder.ends_with("read_nothing") {
            assert_eq!(read["sarif"], json!([]));
            let cases = json!([["left.txt", []], ["right.txt", []]]);
            let suite = json!({"tests": 2, "failures": 0, "errors": 0, "cases": cases});
            assert_eq!(read["junit"], suite);
            assert_eq!(read["csv"].as_array().unwrap().len(), 1);
            continue;
        }
        // All formats have the same pairs.
        let cases = read["junit"]["cases"].as_array().unwrap();
        let rows = read["csv"].as_array().unwrap();
        // A skipped case has a result without a type.
        let failing = cases.iter().filter(|case| case[1][0].is_string());
        let failing = failing.count();
        assert_eq!(read["junit"]["tests"], cases.len());
        assert_eq!(read["junit"]["failures"], failing);
        assert!(rows.len() > 10, "{}", rows.len());
        for row in rows {
            assert!(row[3].as_f64().unwrap() <= 1.0);
            for name in [&row[0], &row[1]] {
                let is_failing = |case: &&Value| case[0] == *name && case[1][0].is_string();
                assert!(odd || cases.iter().any(|case| is_failing(&case)), "{row}");
            }
        }
        // A passage in several texts is one result.
        let results = read["sarif"].as_array().unwrap();
        assert!(!results.is_empty());
        for result in results {
            assert!(rows.iter().any(|row| row[2] == result[1]), "{result}");
        }
    }
}

/// Checks the output with the validator of the authors of SARIF, which has rules beyond the schema.
#[test]
fn the_multitool_finds_nothing_wrong() {
    let Some(readers) = readers() else { return };
    for folder in written("valid") {
        let mut command = Command::new(multitool(&readers).join("Sarif.Multitool"));
        command.env("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1");
        command.arg("validate").arg(folder.join("a.sarif"));
        command.args(["--log", "ForceOverwrite", "--output"]).arg(folder.join("found.sarif"));
        printed(command);
        let found: Value =
            serde_json::from_str(&crate::common::read_file(folder.join("found.sarif"))).unwrap();
        let results = found["runs"][0]["results"].as_array().unwrap();
        let wrong: Vec<&Value> = results.iter().filter(|it| it["ruleId"] != "SARIF2005").collect();
        assert_eq!(wrong, [] as [&Value; 0], "{}", folder.display());
    }
}
