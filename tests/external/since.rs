//! Tests of `--since REF`: findings that a git commit already has are accepted.

mod edits;
mod histories;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::places::{commit, git};
use crate::programs::{Run, command, folder, run};

const KETTLE: &str = "The copper kettle stood on the old table by the window, and nobody had \
    polished it since the harvest of that year.\n";
const BOATS: &str = "Seven boats left the harbour before the tide turned, each with a lantern at \
    the mast and a boy to watch the nets.\n";
const ALONE: &str = "An orchard behind the mill gave plums enough for the whole village in that \
    summer, though few had asked for them.\n";

/// Creates a repository with two copies of a text, `docs/a.md` and `docs/b.md`, and two other
/// texts.
fn repository(name: &str) -> PathBuf {
    let place = folder(&format!("since_{name}"));
    fs::create_dir(place.join("docs")).unwrap();
    for (name, text) in [("a", KETTLE), ("b", KETTLE), ("c", BOATS), ("d", ALONE)] {
        write(&place, format!("docs/{name}.md"), text);
    }
    commit(&place);
    git(&place, &["tag", "v1"]);
    place
}

fn write(place: &Path, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
    let path = place.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn commit_again(place: &Path) {
    git(place, &["add", "--all"]);
    git(place, &["commit", "--quiet", "--allow-empty", "--message", "more"]);
}

fn dedup(place: &Path, line: &str) -> Run {
    run(command("dedup", place).args(line.split_whitespace()))
}

/// Runs a check, and returns the line with the number of pairs, and the status.
fn check(place: &Path, line: &str) -> (String, Option<i32>) {
    let run = dedup(place, &format!("check {line}"));
    assert_eq!(run.errors, "", "{line}");
    let line = run.output.lines().find(|line| line.contains("near-duplicate or closer"));
    (line.unwrap_or(&run.output).to_owned(), run.status)
}

fn none(there: usize, name: &str) -> (String, Option<i32>) {
    let were = if there == 1 { "was" } else { "were" };
    (format!("0 pairs near-duplicate or closer; {there} {were} already there at {name}"), Some(0))
}

#[test]
fn pairs_that_were_there_at_the_commit_do_not_count() {
    let place = repository("there");
    assert_eq!(check(&place, "docs").1, Some(1));
    assert_eq!(check(&place, "docs --since v1"), none(1, "v1"));
    write(&place, "docs/e.md", BOATS);
    let new = dedup(&place, "check docs --since v1");
    let want = "shared       verdict         left | right\n\
                100 | 100 %  identical       docs/c.md | docs/e.md\n\
                1 pair near-duplicate or closer; 1 was already there at v1\n5 texts compared\n";
    assert_eq!((new.output.as_str(), new.errors.as_str(), new.status), (want, "", Some(1)));
    let new = dedup(&place, "check docs --since v1 --format json").output;
    let new: serde_json::Value = serde_json::from_str(&new).unwrap();
    assert_eq!(new["since"], "v1");
    assert_eq!([&new["pairs"][0]["accepted"], &new["pairs"][1]["accepted"]], [true, false]);
    assert_eq!(new["pairs"][0]["accepted_by"], "since");
    assert_eq!(new["pairs"][1]["accepted_by"], serde_json::Value::Null);
    assert_eq!(
        dedup(&place, "check docs --since v1 --format paths").output,
        "docs/c.md\ndocs/e.md\n"
    );
    commit_again(&place);
    assert_eq!(check(&place, "docs --since HEAD"), none(2, "HEAD"));
    assert_eq!(check(&place, "docs --since HEAD~1").1, Some(1));
    write(&place, "dedup.toml", "since = \"v1\"\npaths = \"docs\"\n");
    assert_eq!(check(&place, "").1, Some(1));
    assert_eq!(check(&place, "--since HEAD"), none(2, "HEAD"));
}

/// Checks that a finding is accepted if either accepts it, and is counted for the one that does.
#[test]
fn a_baseline_accepts_besides() {
    let place = repository("baseline");
    write(&place, "docs/e.md", BOATS);
    let accept = dedup(&place, "check docs --baseline base.txt --accept docs/c.md docs/e.md -q");
    assert_eq!(accept.status, Some(1), "{}", accept.errors);
    let line = "docs --since v1 --baseline base.txt";
    let want = "0 pairs near-duplicate or closer; 1 accepted earlier; 1 was already there at v1";
    assert_eq!(check(&place, line), (want.to_owned(), Some(0)));
    write(&place, "docs/f.md", ALONE);
    let new = dedup(&place, &format!("check {line}"));
    assert_eq!(new.status, Some(1));
    let hint = "hint: --accept docs/d.md docs/f.md accepts this pair, without --since, \
                --update-baseline accepts everything found\n";
    assert_eq!(new.errors, hint);
}

#[test]
fn what_cannot_be_done_is_an_error_with_the_fix() {
    let place = repository("errors");
    let tree = git(&place, &["rev-parse", "HEAD^{tree}"]);
    let table = [
        (
            "unknown",
            "docs --since main2",
            "--since main2: no commit of this repository: Needed a single revision",
            "git fetch origin NAME adds one",
        ),
        (
            "gone",
            "docs --since HEAD~7",
            "--since HEAD~7: no commit of this repository: Needed a single revision",
            "git fetch origin NAME adds one",
        ),
        (
            "an option",
            "docs --since=--help",
            "--since --help: not the name of a commit, expected one",
            "name a commit, a branch or a tag",
        ),
        (
            "another option",
            "docs --since -q",
            "--since -q: not the name of a commit, expected one",
            "name a commit, a branch or a tag",
        ),
        (
            "nothing",
            "docs --since=",
            "--since : not the name of a commit, expected one",
            "name a commit, a branch or a tag",
        ),
        (
            "outside",
            "docs .. --since v1",
            "--since v1: .. is outside of the repository, expected files and folders in it",
            "run dedup in the repository",
        ),
        (
            "standard input",
            "docs - --since v1",
            "--since v1: - is standard input, expected files and folders in it",
            "run dedup in the repository",
        ),
        (
            "records",
            "--jsonl x.jsonl --since v1",
            "--since and --jsonl together, expected one of them",
            "--against OLD.jsonl",
        ),
        (
            "clusters",
            "docs --clusters --since v1",
            "the argument '--clusters' cannot be used with '--since <REF>'",
            "Usage: dedup check",
        ),
        (
            "no passages",
            "docs --passages off --since v1",
            "--since and --passages off together, expected one of them",
            "passages",
        ),
        (
            "a list",
            "docs --list --since v1",
            "the argument '--list' cannot be used with '--since <REF>'",
            "Usage: dedup check",
        ),
    ];
    for (why, line, error, hint) in table {
        let run = dedup(&place, &format!("check {line}"));
        let (first, rest) = run.errors.split_once('\n').unwrap_or_default();
        assert_eq!(first, format!("dedup: {error}"), "{why}");
        assert!(rest.contains(hint), "{why}: {rest}");
        assert_eq!((run.status, run.output.as_str()), (Some(2), ""), "{why}");
    }
    assert_eq!(check(&place, &format!("docs --since {}", tree.trim())).1, Some(0), "a tree");
    let updated = dedup(&place, "check docs --since v1 --baseline base.txt --update-baseline");
    assert_eq!(updated.status, Some(2), "{}", updated.errors);
}

#[test]
fn what_is_not_one_commit_is_an_error_with_what_git_says() {
    let place = repository("odd");
    let of_git = "no commit of this repository: Needed a single revision";
    #[rustfmt::skip]
    let table = [
        ("v1:docs/a.md", of_git),
        ("v1:docs",      of_git),
        ("v1..HEAD",     of_git),
        ("HEAD^@",       of_git),
        ("v1:none",      of_git),
        ("^HEAD",        "not the name of a commit, expected one"),
        ("-v1",          "not the name of a commit, expected one"),
    ];
    for (name, error) in table {
        let run = dedup(&place, &format!("check docs --since={name}"));
        assert_eq!(run.errors, format!("dedup: --since {name}: {error}\nhint: {NO_COMMIT}\n"));
        assert_eq!((run.status, run.output.as_str()), (Some(2), ""), "{name}");
    }
}

const NO_COMMIT: &str = "name a commit, a branch or a tag that this clone has: git fetch origin NAME adds one, and in \
                         GitHub Actions fetch-depth: 0 of actions/checkout adds all";

#[test]
fn without_a_repository_it_is_an_error() {
    let place = repository("none");
    let bare = folder("since_bare");
    git(&bare, &["clone", "--quiet", "--bare", place.to_str().unwrap(), "."]);
    let outside = std::env::temp_dir();
    let check = |at: &Path, variables: &[(&str, &OsStr)]| {
        let mut command = command(env!("CARGO_BIN_EXE_dedup"), at);
        command.args(["check", place.to_str().unwrap(), "--since", "v1"]);
        run(command.envs(variables.iter().copied()))
    };
    let none = check(&outside, &[]);
    let error = "dedup: --since v1: git rev-parse: not a git repository (or any of the parent directories): .git\n\
                 hint: run it where git finds the files of a repository; without one, --baseline FILE keeps what was \
                 accepted\n";
    assert_eq!((none.errors.as_str(), none.status), (error, Some(2)));
    let bare = check(&outside, &[("GIT_DIR", bare.as_os_str())]);
    let error = "dedup: --since v1: git rev-parse: this operation must be run in a work tree\n";
    assert!(bare.errors.starts_with(error) && bare.status == Some(2), "{}", bare.errors);
    let git = check(&place, &[("PATH", OsStr::new("/nowhere"))]);
    let error = "dedup: git: not found, expected it on the search path, as --since needs it\n";
    assert!(git.errors.starts_with(error) && git.status == Some(2), "{}", git.errors);
    // The variables that git sets for a hook.
    let variables = [("GIT_DIR", OsStr::new(".git")), ("GIT_INDEX_FILE", OsStr::new(".git/index"))];
    assert_eq!(check(&place, &variables).status, Some(0));
}

#[test]
fn a_clone_that_is_not_whole_is_an_error_with_the_fix() {
    let place = repository("whole");
    write(&place, "docs/d.md", "What stood here is gone, and will not come back.\n");
    write(&place, "docs/e.md", BOATS);
    commit_again(&place);
    git(&place, &["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", place.display());
    let shallow = folder("since_shallow");
    git(&shallow, &["clone", "--quiet", "--depth=1", &url, "."]);
    let missing = dedup(&shallow, "check docs --since v1");
    let error = format!(
        "dedup: --since v1: no commit of this repository: Needed a single revision\nhint: {NO_COMMIT}\n"
    );
    assert_eq!((missing.errors, missing.status), (error, Some(2)));
    git(&shallow, &["fetch", "--quiet", "--depth=1", "origin", "v1"]);
    let fetched = dedup(&shallow, "check docs --since FETCH_HEAD");
    assert!(
        fetched.output.contains("1 pair near-duplicate or closer; 1 was already there"),
        "{fetched:?}"
    );

    let partial = folder("since_partial");
    git(&partial, &["clone", "--quiet", "--filter=blob:none", &url, "."]);
    let missing = dedup(&partial, "check docs --since v1");
    assert!(
        missing.errors.contains("docs/d.md: its content at v1 is not in this clone"),
        "{missing:?}"
    );
    assert!(missing.errors.contains("git fetch --refetch --no-filter origin"), "{missing:?}");
    assert_eq!(missing.status, Some(2));
    git(&partial, &["fetch", "--quiet", "--refetch", "--no-filter", "origin"]);
    assert_eq!(dedup(&partial, "check docs --since v1").status, Some(1));
}

/// Checks line ends, encodings, names and links of all kinds.
#[test]
fn files_of_all_kinds_are_as_they_were() {
    let place = repository("kinds");
    let latin = |text: &str| -> Vec<u8> {
        let text = text.replace("mill", "m\u{fc}hle").replace("kettle", "k\u{e9}ttle");
        text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect()
    };
    write(&place, "docs/latin/1.txt", latin(ALONE));
    write(&place, "docs/latin/2.txt", latin(ALONE));
    write(&place, "docs/line\nfeed \"quoted\".md", BOATS);
    write(&place, OsString::from_vec(b"docs/not\xff\xfeutf8.md".to_vec()), BOATS);
    write(&place, "docs/-q.md", BOATS);
    write(&place, "docs/.hidden/a.md", BOATS);
    write(&place, "docs/empty.md", "");
    write(&place, "docs/picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    symlink("a.md", place.join("docs/link.md")).unwrap();
    symlink("docs", place.join("other")).unwrap();
    commit_again(&place);
    let run = dedup(&place, "check docs --since HEAD");
    let line = run.output.lines().next().unwrap_or_default();
    // All pairs: of the kettles, of the orchards, and of the boats.
    let all =
        dedup(&place, "check docs").output.lines().filter(|it| it.contains(" | ")).count() - 1;
    assert_eq!(line, none(all, "HEAD").0, "{}", run.output);
    assert!(all > 6, "{all}");
    assert_eq!(run.status, Some(0));
    assert_eq!(check_by(&place, "other --since HEAD"), Some(0), "a link that is named");
    assert_eq!(check_by(&place, "docs/a.md docs/b.md --since HEAD"), Some(0), "files");
    assert_eq!(check_by(&place, "docs/a.md docs/b.md docs --since HEAD"), Some(0), "twice");
    assert_eq!(
        check_by(&place.join("docs"), ". ../docs/latin --since HEAD"),
        Some(0),
        "a subfolder"
    );
    // A text that is now a link was a file in the commit.
    fs::remove_file(place.join("docs/b.md")).unwrap();
    symlink("a.md", place.join("docs/b.md")).unwrap();
    assert_eq!(check_by(&place, "docs --since HEAD"), Some(0));
}

fn check_by(place: &Path, line: &str) -> Option<i32> {
    let run = dedup(place, &format!("check {line}"));
    assert_eq!(run.errors, "", "{line}");
    run.status
}

/// Checks a work tree with CRLF, while the commit has LF.
#[test]
fn line_ends_that_git_converts_are_no_change() {
    let place = repository("crlf");
    git(&place, &["config", "core.autocrlf", "true"]);
    for name in ["a", "b", "c", "d"] {
        fs::remove_file(place.join(format!("docs/{name}.md"))).unwrap();
    }
    git(&place, &["checkout", "--quiet", "--", "docs"]);
    let bytes = crate::programs::read(place.join("docs/a.md"));
    assert!(bytes.ends_with("\r\n"));
    assert_eq!(check(&place, "docs --since v1"), none(1, "v1"));
    for level in ["partial", "excerpt", "identical"] {
        assert_eq!(check_by(&place, &format!("docs --since v1 --fail-on {level}")), Some(0));
    }
}

#[test]
fn selections_hold_for_the_commit_too() {
    let place = repository("selections");
    write(&place, "docs/out/e.md", BOATS);
    write(&place, "docs/f.txt", BOATS);
    write(&place, "docs/.gitignore", "out/\n!f.txt\n*.txt\n");
    write(&place, "sheet.txt", KETTLE);
    git(&place, &["add", "--force", "--all"]);
    git(&place, &["commit", "--quiet", "--message", "more"]);
    // A file that was excluded in the commit, and is compared now, is new.
    #[rustfmt::skip]
    let table = [
        ("all",            "docs",                                  4),
        ("--include",      "docs --include *.md",                   2),
        ("--exclude",      "docs --exclude out/",                   2),
        ("--gitignore",    "docs --gitignore",                      1),
        ("both",           "docs --gitignore --include *.md",       1),
        ("a template",     "docs --template sheet.txt --fail-on excerpt", 3),
        ("a group",        "docs --group dir",                      2),
        ("against",        "docs/a.md --against docs",              1),
        ("a limit",        "docs --max-bytes 10000",                  4),
    ];
    for (why, line, count) in table {
        let run = dedup(&place, &format!("check {line} --since HEAD"));
        let there =
            format!("; {count} {} already there at HEAD", if count == 1 { "was" } else { "were" });
        assert!(run.output.contains(&there), "{why}: {}{}", run.output, run.errors);
        assert_eq!(run.status, Some(0), "{why}");
    }
}

#[test]
fn a_list_of_files_may_come_by_standard_input() {
    let place = repository("list");
    write(&place, "docs/e.md", BOATS);
    git(&place, &["add", "--all"]);
    let script = "git ls-files -z | dedup check --files0-from - --since v1 --format paths";
    let run = run(command("sh", &place).args(["-c", script]));
    assert_eq!(
        (run.output.as_str(), run.status),
        ("docs/c.md\ndocs/e.md\n", Some(1)),
        "{}",
        run.errors
    );
}

#[test]
fn a_work_tree_of_its_own_is_a_repository() {
    let place = repository("trees");
    let other = folder("since_tree_of_its_own");
    fs::remove_dir(&other).unwrap();
    git(&place, &["worktree", "add", "--quiet", other.to_str().unwrap(), "v1"]);
    assert!(other.join(".git").is_file());
    assert_eq!(check(&other, "docs --since v1"), none(1, "v1"));
    write(&other, "docs/e.md", BOATS);
    assert_eq!(check(&other.join("docs"), ". --since main").1, Some(1));
}

/// Checks that the files of a submodule are compared with those of the commit that it was at.
#[test]
fn submodules_are_as_they_were() {
    let inner = repository("inner");
    let place = folder("since_outer");
    write(&place, "docs/a.md", ALONE);
    write(&place, "docs/x.md", "Nobody reads what stands here, which is as well.\n");
    commit(&place);
    let url = inner.to_str().unwrap();
    let local = ["-c", "protocol.file.allow=always"];
    git(&place, &[&local[..], &["submodule", "--quiet", "add", url, "docs/inner"]].concat());
    commit_again(&place);
    git(&place, &["tag", "v1"]);
    // The pairs are a.md and b.md in the submodule, and its d.md with the outer a.md.
    assert_eq!(check(&place, "docs --since v1"), none(2, "v1"));
    assert_eq!(check(&place, "docs/inner/docs --since v1"), none(1, "v1"));
    assert_eq!(check(&place, "docs --since v1 --exclude inner"), none(0, "v1"));
    write(&place, "docs/inner/docs/e.md", BOATS);
    assert_eq!(check(&place, "docs --since v1").1, Some(1));
    commit_again(&place.join("docs/inner"));
    commit_again(&place);
    assert_eq!(check(&place, "docs --since v1").1, Some(1));
    assert_eq!(check(&place, "docs --since HEAD"), none(3, "HEAD"));
    // A clone without the files of the submodule has none of them on either side.
    let clone = folder("since_outer_clone");
    git(&clone, &["clone", "--quiet", place.to_str().unwrap(), "."]);
    assert_eq!(check(&clone, "docs --since HEAD"), none(0, "HEAD"));
    // A clone with a shallow submodule lacks the earlier commit.
    let modules = ["submodule", "--quiet", "update", "--init", "--depth=1"];
    fs::write(
        clone.join(".gitmodules"),
        format!("[submodule \"docs/inner\"]\n\tpath = docs/inner\n\turl = file://{url}\n"),
    )
    .unwrap();
    git(&inner, &["config", "uploadpack.allowAnySHA1InWant", "true"]);
    git(&inner, &["pull", "--quiet", place.join("docs/inner").to_str().unwrap(), "HEAD"]);
    git(&clone, &[&local[..], &modules].concat());
    assert_eq!(check(&clone, "docs --since HEAD"), none(3, "HEAD"));
    let lacking = dedup(&clone, "check docs --since v1");
    assert_eq!(lacking.status, Some(2), "{lacking:?}");
    assert!(lacking.errors.contains("docs/inner: commit "), "{lacking:?}");
    assert!(lacking.errors.contains("of this submodule is missing"), "{lacking:?}");
    assert_eq!(check(&clone, "docs --since v1 --exclude inner/").1, Some(0));
}

/// Checks that a file that Git LFS stores elsewhere is compared if its content is available.
#[test]
fn pointers_of_git_lfs_stand_for_their_files() {
    let place = repository("lfs");
    let pointer = |text: &str| {
        let digest = data_encoding::HEXLOWER.encode(&Sha256::digest(text));
        (
            format!(
                "version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize {}\n",
                text.len()
            ),
            digest,
        )
    };
    let (kettle, digest) = pointer(KETTLE);
    write(&place, "docs/l.md", &kettle);
    write(&place, "docs/picture.png", pointer("\u{fffd}PNG").0);
    commit_again(&place);
    // Both trees have pointers, which are texts like any other.
    assert_eq!(check(&place, "docs --since HEAD"), none(2, "HEAD"));
    // The work tree has the content of the file.
    write(&place, "docs/l.md", KETTLE);
    write(&place, "docs/picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    let run = dedup(&place, "check docs --since HEAD");
    assert!(run.output.starts_with(&none(3, "HEAD").0), "{run:?}");
    // The file was changed. First the repository lacks its earlier content, then it has it.
    write(&place, "docs/l.md", format!("{KETTLE}{BOATS}"));
    let lacking = dedup(&place, "check docs --since HEAD --fail-on excerpt");
    let error = "dedup: docs/l.md: its content at HEAD is in Git LFS and was not fetched, expected \
                 the file\nhint: git lfs fetch origin HEAD\n";
    assert_eq!((lacking.errors.as_str(), lacking.status), (error, Some(2)));
    write(&place, format!(".git/lfs/objects/{}/{}/{digest}", &digest[..2], &digest[2..4]), KETTLE);
    let run = dedup(&place, "check docs --since HEAD --fail-on excerpt --format jsonl");
    let new = run.output.matches("\"accepted\":false").count();
    assert_eq!((new, run.output.lines().count()), (1, 4), "with c.md alone: {run:?}");
}

/// Checks that a document of the commit is read like one of the work tree, and that one that could
/// not be read in the commit is not an error now.
#[test]
fn documents_are_read_by_the_same_code() {
    let place = repository("documents");
    write(&place, "docs/page.html", format!("<html><body><p>{BOATS}</p></body></html>"));
    write(&place, "docs/broken.docx", b"PK\x03\x04 and no more");
    commit_again(&place);
    fs::remove_file(place.join("docs/broken.docx")).unwrap();
    let run = dedup(&place, "check docs --since HEAD");
    let note = "dedup: HEAD: 1 text cannot be read in that commit; what they share counts as new\n";
    assert_eq!((run.errors.as_str(), run.status), (note, Some(0)), "{}", run.output);
    assert!(run.output.starts_with(&none(2, "HEAD").0), "{}", run.output);
}

/// Checks that no hook or pager runs, and that every byte of the repository stays as it is.
#[test]
fn nothing_is_run_and_nothing_is_written() {
    let place = repository("silent");
    write(&place, "docs/e.md", BOATS);
    let mark = place.join("ran");
    let script = place.join(".git/run");
    write(&place, ".git/run", format!("#!/bin/sh\ntouch '{}'\n", mark.display()));
    fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    for key in [
        "core.pager",
        "core.fsmonitor",
        "core.askPass",
        "filter.x.smudge",
        "filter.x.process",
        "diff.external",
    ] {
        git(&place, &["config", key, script.to_str().unwrap()]);
    }
    write(&place, ".gitattributes", "*.md filter=x\n");
    for hook in ["post-checkout", "post-index-change", "reference-transaction"] {
        symlink(&script, place.join(".git/hooks").join(hook)).unwrap();
    }
    let files = |place: &Path| {
        let list = run(command("sh", place)
            .args(["-c", "find . -type f -exec cksum {} + | sort; find . | sort"]));
        list.output
    };
    let before = files(&place);
    assert_eq!(dedup(&place, "check docs --since v1").status, Some(1));
    assert_eq!(files(&place), before);
    assert!(!mark.exists());
}

/// Checks a passage that many texts share: its pairs are findings if they are new.
#[test]
fn what_is_common_counts_where_it_is_new() {
    let place = folder("since_common");
    let own = |number: usize, words: usize| {
        let words: Vec<String> = (0..words).map(|word| format!("own{number}x{word}")).collect();
        words.join(" ") + ".\n"
    };
    let footer = |of: &str| -> String {
        (0..14).map(|word| format!("{of}{word}")).collect::<Vec<_>>().join(" ") + ".\n"
    };
    for number in 0..20 {
        let text =
            own(number, 200) + if number < 12 { footer("notice") } else { String::new() }.as_str();
        write(&place, format!("docs/{number:02}.md"), text);
    }
    commit(&place);
    let status = |line: &str| check_by(&place, &format!("docs --lang en --fail-on excerpt {line}"));
    assert_eq!((status(""), status("--since HEAD")), (Some(1), Some(0)));
    // One more text with the notice makes new pairs.
    write(&place, "docs/20.md", own(20, 200) + &footer("notice"));
    assert_eq!(status("--since HEAD"), Some(1));
    // Fewer texts have no new pairs.
    fs::remove_file(place.join("docs/20.md")).unwrap();
    for number in 9..12 {
        fs::remove_file(place.join(format!("docs/{number:02}.md"))).unwrap();
    }
    let run = dedup(&place, "check docs --lang en --fail-on excerpt --since HEAD");
    let want = "0 pairs excerpt or closer; 36 were already there at HEAD\n17 texts compared\n";
    assert!(run.output.ends_with(want), "{}", run.output);
    assert_eq!(run.status, Some(0));
    for number in 10..20 {
        write(&place, format!("docs/{number:02}.md"), own(number, 200) + &footer("licence"));
    }
    assert_eq!(status("--since HEAD"), Some(1));
    assert_eq!(status("--since HEAD --focus docs/15.md"), Some(1));
    assert_eq!(status("--focus docs/00.md"), Some(1));
}
