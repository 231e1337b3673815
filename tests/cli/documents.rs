//! Checks that README and the pages of docs/ are correct.

#[cfg(unix)]
use std::process::Command;

use crate::common::read_file;

#[path = "../../examples/languages.rs"]
#[expect(dead_code, reason = "the program that prints the table has a main of its own")]
mod languages;

/// The pages with commands, README first.
const PAGES: &[&str] = &[
    "README.md",
    "docs/guide.md",
    "docs/corpus.md",
    "docs/spans.md",
    "docs/formats.md",
    "docs/settings.md",
    "docs/stages.md",
];

/// Returns the commands of the pages with their output: every `$` line in a `console` block, and
/// the lines below it.
fn examples() -> Vec<(String, String)> {
    let pages: String = PAGES.iter().map(read_file).collect();
    let blocks = pages.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks
        .flat_map(|block| block.split("$ ").skip(1).map(str::to_owned).collect::<Vec<_>>())
        .map(|example| {
            let (command, output) = example.split_once('\n').unwrap();
            (command.to_owned(), output.to_owned())
        })
        .collect()
}

#[cfg(unix)]
#[test]
fn every_example_prints_what_it_shows() {
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_dedup"));
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    // Run in a copy, so that no output is written into the project.
    let folder = crate::common::empty_folder("documents", "examples");
    for entry in std::fs::read_dir(".").unwrap() {
        let name = entry.unwrap().file_name();
        let of_project = std::path::absolute(&name).unwrap();
        std::os::unix::fs::symlink(of_project, folder.join(name)).unwrap();
    }
    let examples = examples();
    assert!(examples.len() >= 20, "{} examples", examples.len());
    for (command, want) in examples {
        let line = command.replace("cargo run --", "dedup") + " 2>&1";
        let run = Command::new("bash")
            .args(["-c", &line])
            .current_dir(&folder)
            .env("PATH", &path)
            .env_remove("GITHUB_STEP_SUMMARY")
            .output()
            .unwrap();
        assert_eq!(String::from_utf8(run.stdout).unwrap(), want, "{command}");
    }
}

#[test]
fn the_first_command_is_the_main_job() {
    assert!(examples()[0].0.starts_with("cargo run -- samples/"));
}

#[test]
fn the_languages_are_those_of_the_table() {
    let page = read_file("docs/languages.md");
    assert!(page.contains(&languages::languages()) && page.contains(&languages::negations()));
}

/// Checks the table of changed words. Changing one word in k destroys three 3-grams, so the share
/// (1 − 1/k)³ of both sets is left, and the figures follow from that.
#[test]
fn the_table_of_changed_words_follows_from_the_definitions() {
    let page = read_file("docs/guide.md");
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.starts_with("| 1 in "))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), 7);
    for row in rows {
        let k: f64 = row[0].strip_prefix("1 in ").unwrap().parse().unwrap();
        let kept = (1.0 - 1.0 / k).powi(3);
        assert_eq!(row[1], format!("{:.2}", kept / (2.0 - kept)), "{k}");
        assert_eq!(row[2], format!("{:.0}", 64.0 / std::f64::consts::PI * kept.acos()), "{k}");
    }
}

/// Returns the targets of the links of a page that are files of the project.
fn links(page: &str) -> impl Iterator<Item = &str> {
    let targets = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let files = targets.filter(|target| !target.contains("://") && !target.starts_with('#'));
    files.filter_map(|target| target.split('#').next())
}

/// Returns the pages of docs/.
fn pages() -> Vec<String> {
    let files = std::fs::read_dir("docs").unwrap().map(|entry| entry.unwrap().file_name());
    let names = files.map(|name| name.into_string().unwrap());
    names.filter(|name| name.strip_suffix(".md").is_some()).map(|it| format!("docs/{it}")).collect()
}

#[test]
fn every_link_leads_to_a_file() {
    let others = ["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(str::to_owned);
    let mut seen = 0;
    for path in pages().into_iter().chain(others) {
        let page = read_file(&path);
        let folder = std::path::Path::new(&path).parent().unwrap();
        for link in links(&page) {
            assert!(folder.join(link).exists(), "{path}: {link}");
            seen += 1;
        }
    }
    assert!(seen >= 40, "{seen} links");
}

#[test]
fn readme_is_short_and_lists_every_page() {
    let readme = read_file("README.md");
    assert!(readme.lines().count() <= 250);
    for page in pages() {
        assert!(links(&readme).any(|link| link == page), "{page}");
    }
}
