//! Checks which edits make a pair new again that was accepted, by a baseline or by a commit.

use std::fs;
use std::path::Path;

use super::{ALONE, BOATS, KETTLE, commit_again, git, repository, write};
use crate::programs::{Run, read};

/// Text that two files share: three sentences, 66 words.
fn shared() -> String {
    [KETTLE, BOATS, ALONE].concat()
}

const NEW: &str = "Nobody at the inn could say why the ferry had not come back before the storm.\n";

/// Returns 100 words that no other file has.
fn own(of: &str) -> String {
    let sentence = |number: usize| {
        let words: Vec<String> = (0..10).map(|word| format!("{of}{number}x{word}")).collect();
        words.join(" ") + ".\n"
    };
    (0..10).map(sentence).collect()
}

fn edit(place: &Path, name: &str, of: &str, to: &str) {
    let text = read(place.join("docs").join(name));
    assert!(text.contains(of), "{name} has {of}");
    write(place, Path::new("docs").join(name), text.replacen(of, to, 1));
}

fn edit_both(place: &Path, of: &str, to: &str) {
    edit(place, "a.md", of, to);
    edit(place, "b.md", of, to);
}

/// Runs a check, and returns the numbers of new and of accepted pairs.
fn pairs(place: &Path, flags: &str) -> [usize; 2] {
    let line = "check docs --lang en --fail-on excerpt --format jsonl";
    let run: Run = super::dedup(place, &format!("{line} {flags}"));
    let by = if flags.contains("--since") { "since" } else { "baseline" };
    let records = run.output.lines().map(|line| serde_json::from_str(line).unwrap());
    let (accepted, new): (Vec<serde_json::Value>, Vec<_>) =
        records.partition(|record: &serde_json::Value| record["accepted"] == true);
    assert!(accepted.iter().all(|record| record["accepted_by"] == by), "{}", run.output);
    assert_eq!(run.status, Some(i32::from(!new.is_empty())), "{}", run.errors);
    [new.len(), accepted.len()]
}

/// A repository in which `a.md` and `b.md` share text, and are accepted in `base.txt`.
fn accepted(name: &str) -> std::path::PathBuf {
    let place = repository(name);
    for file in ["c", "d"] {
        fs::remove_file(place.join(format!("docs/{file}.md"))).unwrap();
    }
    for file in ["a", "b"] {
        let text = own(&format!("{file}before")) + &shared() + &own(&format!("{file}after"));
        write(&place, format!("docs/{file}.md"), text);
    }
    write(&place, "docs/c.md", own("c"));
    commit_again(&place);
    let update = super::dedup(
        &place,
        "check docs --lang en --fail-on excerpt --baseline base.txt --update-baseline -q",
    );
    assert_eq!(update.status, Some(0), "{}", update.errors);
    place
}

#[test]
fn an_accepted_pair_is_new_only_if_it_shares_more() {
    type Edit = fn(&Path);
    #[rustfmt::skip]
    let table: &[(&str, Edit, [usize; 2])] = &[
        ("nothing",                       |_| (), [0, 1]),
        ("a word changed in one copy",    |it| edit(it, "a.md", "harbour", "port"), [0, 1]),
        ("a word changed in either",      |it| { edit(it, "a.md", "harbour", "port"); edit(it, "b.md", "village", "town"); }, [0, 1]),
        ("a sentence deleted in one",     |it| edit(it, "b.md", BOATS, ""), [0, 1]),
        ("a sentence deleted in both",    |it| edit_both(it, BOATS, ""), [0, 1]),
        ("the same word corrected",       |it| edit_both(it, "harbour", "harbor"), [0, 1]),
        ("corrected in three places",     |it| for (of, to) in [("harbour", "harbor"), ("kettle", "pan"), ("mill", "barn")] { edit_both(it, of, to) }, [0, 1]),
        ("a line added elsewhere",        |it| edit(it, "a.md", "aafter3x0", &format!("{NEW}aafter3x0")), [0, 1]),
        ("lines added above",             |it| edit(it, "a.md", "abefore0x0", &(own("n") + "abefore0x0")), [0, 1]),
        ("all else rewritten",            |it| write(it, "docs/a.md", own("x") + &shared() + &own("y")), [0, 1]),
        ("cut in two",                    |it| edit(it, "a.md", BOATS, &(own("x") + BOATS)), [0, 1]),
        ("moved in one",                  |it| { edit(it, "a.md", BOATS, ""); edit(it, "a.md", "abefore0x0", &format!("{BOATS}abefore0x0")); }, [0, 1]),
        ("renamed, with a word changed",  |it| { git(it, &["mv", "docs/a.md", "docs/z.md"]); edit(it, "z.md", "harbour", "port"); }, [0, 1]),
        ("deleted in one",                |it| edit(it, "a.md", &shared(), ""), [0, 0]),
        ("another paragraph in both",     |it| { edit(it, "a.md", "aafter3x0", NEW); edit(it, "b.md", "bafter6x0", NEW); }, [1, 0]),
        ("one next to it in both",        |it| edit_both(it, ALONE, &format!("{ALONE}{NEW}")), [1, 0]),
        ("one in its place in both",      |it| edit_both(it, &shared(), NEW), [1, 0]),
        ("one for a deleted sentence",    |it| edit_both(it, BOATS, NEW), [1, 0]),
        ("the same once more in both",    |it| { edit(it, "a.md", "aafter3x0", BOATS); edit(it, "b.md", "bafter6x0", BOATS); }, [1, 0]),
        ("the passage in a third file",   |it| edit(it, "c.md", "c3x0", BOATS), [2, 1]),
        ("a copy of one file",            |it| { fs::copy(it.join("docs/a.md"), it.join("docs/z.md")).unwrap(); }, [2, 1]),
    ];
    let place = accepted("edits");
    for (why, edit, want) in table {
        edit(&place);
        assert_eq!(pairs(&place, "--since HEAD"), *want, "{why}, since the commit");
        assert_eq!(pairs(&place, "--baseline base.txt"), *want, "{why}, with a baseline");
        git(&place, &["reset", "--quiet", "--hard"]);
        git(&place, &["clean", "--quiet", "--force", "docs"]);
    }
}

/// A pair without a passage is accepted by its Jaccard index.
#[test]
fn a_pair_without_a_passage_is_new_only_if_its_index_rose() {
    let place = repository("index");
    for file in ["a", "b", "c", "d"] {
        fs::remove_file(place.join(format!("docs/{file}.md"))).unwrap();
    }
    let start = "Old copper kettles stood beside seven wooden tables.";
    write(&place, "docs/a.md", format!("{start} Nobody polished them yesterday.\n"));
    write(&place, "docs/b.md", format!("{start} Everyone left them alone.\n"));
    commit_again(&place);
    let base = "check docs --lang en --fail-on excerpt --baseline base.txt --update-baseline -q";
    assert_eq!(super::dedup(&place, base).status, Some(0));
    let listed = read(place.join("base.txt"));
    let pair = listed.lines().nth(1).unwrap();
    // Eight words in a row are 21 of the 39 words and n-grams of both texts.
    assert!(pair.starts_with("pair\tdocs/a.md\tdocs/b.md\t0\t21/39\t"), "{pair}");
    let both = ["--since HEAD", "--baseline base.txt"];
    edit_both(&place, "seven", "eight");
    for flags in both {
        assert_eq!(pairs(&place, flags), [0, 1], "{flags}");
    }
    edit(&place, "a.md", " Nobody polished them yesterday.", ""); // now 21 of 30, but the same 21
    for flags in both {
        assert_eq!(pairs(&place, flags), [0, 1], "{flags}");
    }
    git(&place, &["reset", "--quiet", "--hard"]);
    edit(&place, "b.md", "Everyone", "Nobody"); // 24 of 36
    for flags in both {
        assert_eq!(pairs(&place, flags), [1, 0], "{flags}");
    }
}

/// Steps that are too small to count add up for a baseline, and not from commit to commit.
#[test]
fn a_baseline_compares_with_what_was_accepted() {
    let place = accepted("steps");
    for step in 1..=4 {
        let words: Vec<String> = (0..4).map(|word| format!("step{step}x{word}")).collect();
        edit_both(&place, "though few ", &format!("though few {} ", words.join(" ")));
        assert_eq!(pairs(&place, "--since HEAD"), [0, 1], "step {step}");
        let want = if step < 3 { [0, 1] } else { [1, 0] };
        assert_eq!(pairs(&place, "--baseline base.txt"), want, "step {step}");
        commit_again(&place);
    }
}
