//! Tests of `dedup completions` in the shells that it supports.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{Run, command, dedup, is_installed};

/// The reason for a case, the typed line, and one of the candidates that the shell must offer.
#[rustfmt::skip]
const ASKED: &[(&str, &str, &str)] = &[
    ("a command",               "dedup cor",                        "corpus"),
    ("another",                 "dedup comp",                       "completions"),
    ("a file in its place",     "dedup lef",                        "left.txt"),
    ("a second file",           "dedup left.txt rig",               "right.txt"),
    ("a flag first",            "dedup --jacc",                     "--jaccard"),
    ("a flag after files",      "dedup left.txt right.txt --conta", "--containment"),
    ("its value",               "dedup left.txt --html ma",         "main"),
    ("a level",                 "dedup left.txt --fail-on near",    "near-duplicate"),
    ("a level after a sign",    "dedup left.txt --fail-on=par",     "partial"),
    ("a level of a command",    "dedup check --fail-on=exc",        "excerpt"),
    ("a value and a folder",    "dedup corpus --keep=longest fol",  "folder"),
    ("a word of an open list",  "dedup left.txt --ignore bibl",     "bibliography"),
    ("a file as a value",       "dedup left.txt --template rig",    "right.txt"),
    ("a flag of a command",     "dedup corpus --near",              "--nearest"),
    ("after its folder",        "dedup corpus folder --near",       "--nearest"),
    ("a folder of it",          "dedup corpus fol",                 "folder"),
    ("a value of it",           "dedup corpus --format jsonl --keep lon", "longest"),
    ("a file of a command",     "dedup text rig",                   "right.txt"),
    ("a flag of labelled pairs", "dedup calibrate left.txt --bas", "--base"),
    ("a flag of the settings",  "dedup config --sch",               "--schema"),
    ("a flag of the page",      "dedup web --out",                  "--output"),
    ("a shell",                 "dedup completions zs",             "zsh"),
    ("a group",                 "dedup corpus folder --group d",    "dir"),
];

/// Creates a folder with texts and the script for a shell, and returns the script as well.
fn folder(shell: &str) -> (PathBuf, String) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("completions").join(shell);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("folder")).unwrap();
    for name in ["left.txt", "right.txt"] {
        fs::write(folder.join(name), "").unwrap();
    }
    let run = dedup(&["completions", shell]);
    assert_eq!((run.errors.as_str(), run.status), ("", 0));
    fs::write(folder.join("script"), &run.output).unwrap();
    (folder, run.output)
}

/// Returns the answers of a shell, one line per question. `program` is a shell program that reads
/// the questions from standard input.
fn answers(shell: &str, arguments: &[&str], program: &str) -> Vec<String> {
    let (folder, _) = folder(shell);
    fs::write(folder.join("program"), program).unwrap();
    let mut child = Command::new(shell)
        .args(arguments)
        .arg("program")
        .current_dir(&folder)
        .env("HOME", &folder)
        .env("PATH", path_with_dedup())
        .env("TERM", "dumb")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let questions: Vec<&str> = ASKED.iter().map(|(_, typed, _)| *typed).collect();
    let questions = questions.join("\n") + "\n";
    child.stdin.take().unwrap().write_all(questions.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{shell}");
    let answers = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answers.lines().count(), ASKED.len(), "{shell}: {answers}");
    answers.lines().map(str::to_owned).collect()
}

/// Returns `PATH` with the folder of the tested program first, because the shells call it.
fn path_with_dedup() -> OsString {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_dedup"));
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let first = program.parent().map(Path::to_owned);
    std::env::join_paths(first.into_iter().chain(std::env::split_paths(&folders))).unwrap()
}

/// Splits the line into words and completes the last one. bash splits a flag from a value after an
/// equals sign, so that it completes no such value.
const BASH: &str = r#"
source ./script
while IFS= read -r line; do
    read -ra COMP_WORDS <<<"$line"
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    COMPREPLY=()
    _clap_complete_dedup dedup "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    echo "${COMPREPLY[*]}"
done
"#;

/// Starts zsh in a pseudoterminal, and prints the line after a tab.
const ZSH: &str = r#"
zmodload zsh/zpty
cat > rc <<'RC'
PS1=
autoload -U compinit && compinit -u -D
source ./script
answered() { print -r -- "$BUFFER" > answer.part; mv answer.part answer; BUFFER=; }
zle -N answered
bindkey '^I' complete-word
bindkey '^G' answered
print ready > ready
RC
zpty shell zsh -f -i
zpty -w shell 'source ./rc'
for try in {1..300}; do [[ -f ready ]] && break; sleep 0.1; done
while IFS= read -r line; do
    rm -f answer
    zpty -w -n shell "$line"$'\t\a'
    for try in {1..300}; do
        zpty -r -t shell drained
        [[ -f answer ]] && break
        sleep 0.02
    done
    print -r -- "$(<answer)"
done
zpty -d shell
"#;

/// Asks fish itself. A description follows each candidate, after a tab.
const FISH: &str = r#"
source ./script
while read -l line
    complete -C "$line" | string replace -r '\t.*' '' | string join ' '
end
exit 0
"#;

/// Checks that each answer contains the expected word.
fn check(shell: &str, answers: &[String]) {
    for ((why, typed, want), answer) in ASKED.iter().zip(answers) {
        let words = answer.split([' ', '=', '\\']).map(|word| word.trim_end_matches('/'));
        let found = words.filter(|word| word == want).count();
        assert!(found > 0, "{shell}: {why}: {typed} gives {answer}");
    }
}

#[test]
fn bash_completes() {
    if is_installed("bash", "--version") {
        check("bash", &answers("bash", &["--norc"], BASH));
    }
}

#[test]
fn zsh_completes() {
    if is_installed("zsh", "--version") {
        check("zsh", &answers("zsh", &["-f"], ZSH));
    }
}

#[test]
fn fish_completes() {
    if is_installed("fish", "--version") {
        check("fish", &answers("fish", &["--no-config"], FISH));
    }
}

/// Checks that the script for PowerShell calls the program as the others do. PowerShell itself is
/// not available.
#[test]
fn powershell_asks_the_program() {
    let (_, script) = folder("powershell");
    assert!(script.contains("Register-ArgumentCompleter"), "{script}");
    assert!(script.contains("DEDUP_COMPLETE"), "{script}");
}

/// Checks that what a command rejects is not offered.
#[test]
fn all_that_is_offered_is_accepted() {
    #[rustfmt::skip]
    let table = [
        ("a verdict of labelled pairs", "dedup calibrate left.txt --for ", "near-duplicate partial"),
        ("what is a group",            "dedup corpus folder --group ",       "dir"),
    ];
    for (why, typed, want) in table {
        let mut asked = command();
        asked.env("DEDUP_COMPLETE", "fish").arg("--").args(typed.split(' '));
        let answer = Run::from(asked.output().unwrap()).output;
        let names = answer.lines().map(|line| line.split('\t').next().unwrap());
        let names: Vec<&str> = names.filter(|name| !name.starts_with('-')).collect();
        assert_eq!(names.join(" "), want, "{why}");
    }
}

#[test]
fn another_shell_is_an_error() {
    let run = dedup(&["completions", "tcsh"]);
    let want = "dedup: invalid value 'tcsh' for '<SHELL>'\n  \
        [possible values: bash, zsh, fish, powershell]\n";
    assert!(run.errors.starts_with(want) && run.status == 2, "{}", run.errors);
    let run = dedup(&["completions"]);
    assert!(run.errors.starts_with("dedup: the following required arguments"), "{}", run.errors);
}
