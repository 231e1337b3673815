//! Checks on random histories that `--since REF` reports the same as a baseline of REF.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::{commit_again, dedup, git, write};
use crate::programs::{Run, folder, read};

/// A change to a folder of texts.
#[derive(Clone, Debug)]
enum Change {
    Write(usize, Vec<usize>),
    Copy(Index, usize),
    Rename(Index, usize),
    Remove(Index),
    /// Adds a word at the beginning.
    Edit(Index),
    Swap(Index, Index),
    LineEnds(Index),
    Commit,
}

const NAMES: [&str; 9] = [
    "a.md",
    "b.md",
    "c.txt",
    "sub/a.md",
    "sub/deep/d.md",
    "out/e.md",
    ".h.md",
    "z.md",
    "sub/c.csv",
];

/// Returns a passage that shares no word with one of another number.
fn passage(number: usize) -> String {
    let words: Vec<String> = (0..24).map(|word| format!("word{number}x{word}")).collect();
    words.join(" ") + ".\n"
}

fn text(passages: &[usize]) -> String {
    passages.iter().map(|number| passage(*number)).collect()
}

fn change() -> impl Strategy<Value = Change> {
    let name = || 0..NAMES.len();
    let index = any::<Index>;
    prop_oneof![
        4 => (name(), prop::collection::vec(0_usize..6, 1..4)).prop_map(|(at, all)| Change::Write(at, all)),
        3 => (index(), name()).prop_map(|(from, to)| Change::Copy(from, to)),
        2 => (index(), name()).prop_map(|(from, to)| Change::Rename(from, to)),
        1 => index().prop_map(Change::Remove),
        3 => index().prop_map(Change::Edit),
        1 => (index(), index()).prop_map(|(one, other)| Change::Swap(one, other)),
        1 => index().prop_map(Change::LineEnds),
        4 => Just(Change::Commit),
    ]
}

fn files(place: &Path) -> Vec<PathBuf> {
    let all = NAMES.iter().map(|name| place.join("docs").join(name));
    all.filter(|path| path.exists()).collect()
}

fn apply(place: &Path, number: usize, change: &Change) {
    let files = files(place);
    let file = |index: &Index| (!files.is_empty()).then(|| index.get(&files).clone());
    let to = |at: usize| place.join("docs").join(NAMES[at]);
    match change {
        Change::Write(at, passages) => write(place, to(*at), text(passages)),
        Change::Copy(from, at) => {
            if let Some(from) = file(from) {
                write(place, to(*at), read(from));
            }
        }
        Change::Rename(from, at) => {
            if let Some(from) = file(from) {
                let text = read(&from);
                fs::remove_file(from).unwrap();
                write(place, to(*at), text);
            }
        }
        Change::Remove(at) => file(at).into_iter().for_each(|it| fs::remove_file(it).unwrap()),
        Change::Edit(at) => {
            if let Some(path) = file(at) {
                let text = read(&path);
                write(place, path, format!("edited{number} {text}"));
            }
        }
        Change::Swap(one, other) => {
            if let (Some(one), Some(other)) = (file(one), file(other)) {
                let texts = [read(&one), read(&other)];
                write(place, one, &texts[1]);
                write(place, other, &texts[0]);
            }
        }
        Change::LineEnds(at) => {
            if let Some(path) = file(at) {
                let text = read(&path).replace('\n', "\r\n");
                write(place, path, text);
            }
        }
        Change::Commit => commit_again(place),
    }
}

/// Returns the output, without what accepted a pair, and the status. The message on standard error
/// differs, because it has other words for accepted findings.
fn answer(run: &Run) -> (String, Option<i32>) {
    let by = ["baseline", "since"].map(|by| format!(",\"accepted_by\":\"{by}\""));
    (by.iter().fold(run.output.clone(), |output, by| output.replace(by, "")), run.status)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn since_is_a_baseline_of_the_commit(
        first in prop::collection::vec((0..NAMES.len(), prop::collection::vec(0_usize..6, 1..4)), 3..7),
        changes in prop::collection::vec(change(), 0..8),
        back in any::<Index>(),
        flags in select(vec![
            "--fail-on near-duplicate --lang en",
            "--fail-on near-duplicate",
            "--fail-on partial --lang en",
            "--fail-on excerpt --lang en",
            "--fail-on excerpt",
            "--fail-on identical --lang en",
            "--fail-on excerpt --lang en --include *.md",
            "--fail-on excerpt --lang en --exclude out/ --gitignore",
            "--fail-on excerpt --lang en --unit dir",
            "--fail-on excerpt --lang en --group dir",
            "--fail-on excerpt --lang en --template-share 0.7",
            "--at-least partial --lang en --nearest 2",
            "--fail-on excerpt --lang en --ignore short=30",
        ]),
    ) {
        let place = folder("histories");
        git(&place, &["init", "--quiet"]);
        git(&place, &["config", "core.autocrlf", "input"]);
        git(&place, &["config", "core.safecrlf", "false"]);
        write(&place, ".gitignore", "sub/c.csv\nz.md\n!docs/z.md\n");
        write(&place, "docs/always.md", text(&[7]));
        write(&place, "docs/more/also.md", text(&[8, 9])); // texts of one folder alone are an error of --group dir
        for (at, passages) in &first {
            write(&place, Path::new("docs").join(NAMES[*at]), text(passages));
        }
        commit_again(&place);
        for (number, change) in changes.iter().enumerate() {
            apply(&place, number, change);
        }
        let commits = git(&place, &["rev-list", "HEAD"]);
        let commits: Vec<&str> = commits.lines().collect();
        let since = back.get(&commits);

        let old = folder("histories_then");
        fs::remove_dir(&old).unwrap();
        git(&place, &["worktree", "add", "--quiet", "--detach", old.to_str().unwrap(), since]);
        let base = folder("histories_base").join("base.txt");
        let baseline = format!("--baseline {}", base.display());
        let update = dedup(&old, &format!("corpus docs {flags} --baseline {} --update-baseline", base.display()));
        prop_assert_eq!(update.status, Some(0), "{}", update.errors);
        git(&place, &["worktree", "remove", "--force", old.to_str().unwrap()]);

        for format in ["--format jsonl", "--format paths"] {
            let want = dedup(&place, &format!("corpus docs {flags} {format} {baseline}"));
            let got = dedup(&place, &format!("corpus docs {flags} {format} --since {since}"));
            prop_assert_eq!(answer(&got), answer(&want), "{} {}", got.errors, want.errors);
        }
    }
}
