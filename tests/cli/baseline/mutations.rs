//! Tests of changes to a repository whose findings are accepted: what is reported, and what is not.

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use serde_json::Value;

use super::{run, write};
use crate::common::{empty_folder, read_file};

/// Returns words that no other text has, ten per line.
fn prose(of: &str, words: usize) -> String {
    let line = |line: usize| {
        let words: Vec<String> = (0..10).map(|word| format!("{of}{line}x{word}")).collect();
        format!("{}.\n", words.join(" "))
    };
    (0..words / 10).map(line).collect()
}

/// A folder of texts.
struct Folder(PathBuf);

impl Folder {
    fn read(&self, name: &str) -> String {
        read_file(self.0.join(name))
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.0.join(name).parent().unwrap()).unwrap();
        write(&self.0, name, text);
    }

    fn edit(&self, name: &str, of: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(of), "{name} has {of}");
        self.write(name, &text.replace(of, to));
    }

    fn copy(&self, from: &str, to: &str) {
        self.write(to, &self.read(from));
    }

    fn rename(&self, from: &str, to: &str) {
        self.copy(from, to);
        self.remove(from);
    }

    fn remove(&self, name: &str) {
        fs::remove_file(self.0.join(name)).unwrap();
    }

    fn swap(&self, one: &str, other: &str) {
        let text = self.read(one);
        self.copy(other, one);
        self.write(other, &text);
    }

    /// Accepts all findings.
    fn accept(&self) {
        let run = run(&self.0, &format!("{LINE} --update-baseline"));
        assert_eq!(run.status, 0, "{}", run.errors);
    }

    /// Returns the status and the new pairs.
    fn check(&self) -> (i32, Vec<String>) {
        let run = run(&self.0, &format!("{LINE} --format jsonl"));
        (run.status, pairs(&run.output, false))
    }

    /// Returns the accepted pairs.
    fn known(&self) -> Vec<String> {
        pairs(&run(&self.0, &format!("{LINE} --format jsonl")).output, true)
    }
}

/// Returns the pairs of an answer that are accepted, or those that are not.
fn pairs(records: &str, are_accepted: bool) -> Vec<String> {
    let records = records.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let pairs = records.filter(|record| record["accepted"] == are_accepted).map(|record| {
        let name = |side: &str| record[side]["path"].as_str().unwrap().to_owned();
        format!("{} {}", name("a"), name("b")).replace("./", "")
    });
    pairs.collect()
}

const LINE: &str = "corpus . --lang en --fail-on excerpt --baseline base.txt --exclude base.txt";

/// Creates a folder and accepts its findings: `a.md` and `b.md` share a passage, `d.md` and `e.md`
/// another one, and `c.md` shares nothing.
fn accepted(name: &str) -> Folder {
    let folder = Folder(empty_folder("mutations", name));
    let text = |of: &str, shared: &str| {
        format!(
            "{}\n{shared}\n{}",
            prose(&format!("{of}before"), 100),
            prose(&format!("{of}after"), 100)
        )
    };
    for (name, shared) in
        [("a", passage()), ("b", passage()), ("c", String::new()), ("d", other()), ("e", other())]
    {
        folder.write(&format!("{name}.md"), &text(name, &shared));
    }
    folder.accept();
    assert_eq!(folder.check(), (0, vec![]));
    folder
}

fn passage() -> String {
    prose("shared", 30)
}

fn other() -> String {
    prose("other", 30)
}

/// A change: its name, the function that makes it, the new pairs, and the reason.
type Row = (&'static str, fn(&Folder), &'static [&'static str], &'static str);

const TABLE: &[Row] = &[
    ("nothing", |_| (), &[], "as accepted"),
    ("rename", |it| it.rename("a.md", "z.md"), &[], "known by its words"),
    ("rename into a folder", |it| it.rename("a.md", "deep/er/a.md"), &[], "known by its words"),
    (
        "rename both",
        |it| {
            it.rename("a.md", "y.md");
            it.rename("b.md", "z.md");
        },
        &[],
        "known by their words",
    ),
    ("another ending", |it| it.rename("a.md", "a.txt"), &[], "known by its words"),
    ("exchange names", |it| it.swap("a.md", "b.md"), &[], "known by their words"),
    ("exchange names with others", |it| it.swap("a.md", "c.md"), &[], "known by their words"),
    (
        "move lines",
        |it| {
            let rest = it.read("a.md").replace(&passage(), "");
            it.write("a.md", &(passage() + "\n" + &rest));
        },
        &[],
        "the passage is its words",
    ),
    (
        "insert lines above",
        |it| {
            let text = it.read("a.md");
            it.write("a.md", &(prose("new", 300) + "\n" + &text));
        },
        &[],
        "known by its name",
    ),
    ("edit near", |it| it.edit("a.md", "abefore9x9", "changed"), &[], "known by its name"),
    ("remove all around", |it| it.write("a.md", &passage()), &[], "known by its name"),
    (
        "rename and edit near",
        |it| {
            it.rename("a.md", "z.md");
            it.edit("z.md", "abefore9x9", "changed");
        },
        &[],
        "nearly its words, and the name is gone",
    ),
    (
        "capitals and line ends",
        |it| {
            let text = it.read("a.md").to_uppercase().replace('\n', "\r\n");
            it.write("a.md", &text);
        },
        &[],
        "the same words",
    ),
    ("edit inside", |it| it.edit("a.md", "shared1x5", "changed"), &[], "it shares less"),
    (
        "delete a sentence inside",
        |it| it.edit("a.md", &prose("shared", 10), ""),
        &[],
        "it shares less",
    ),
    (
        "delete a sentence inside both",
        |it| {
            it.edit("a.md", &prose("shared", 10), "");
            it.edit("b.md", &prose("shared", 10), "");
        },
        &[],
        "it shares less",
    ),
    (
        "cut the passage in two",
        |it| it.edit("a.md", "shared1x5", &prose("between", 50)),
        &[],
        "both halves are known",
    ),
    (
        "edit inside, and revert",
        |it| {
            it.edit("a.md", "shared1x5", "changed");
            it.edit("a.md", "changed", "shared1x5");
        },
        &[],
        "as accepted",
    ),
    (
        "edit inside both alike",
        |it| {
            it.edit("a.md", "shared1x5", "changed");
            it.edit("b.md", "shared1x5", "changed");
        },
        &[],
        "it shares as much",
    ),
    (
        "another passage in its place",
        |it| {
            it.edit("a.md", &passage(), &prose("more", 20));
            it.edit("b.md", &passage(), &prose("more", 20));
        },
        &["a.md b.md"],
        "a new place",
    ),
    (
        "the passage of others in its place",
        |it| {
            it.edit("a.md", &passage(), &other());
            it.edit("b.md", &passage(), &other());
        },
        &["a.md b.md", "a.md d.md", "a.md e.md", "b.md d.md", "b.md e.md"],
        "a new place in both",
    ),
    (
        "rename, and accept another pair",
        |it| {
            it.rename("a.md", "z.md");
            it.copy("c.md", "x.md");
            let run = run(&it.0, &format!("{LINE} --accept c.md x.md"));
            assert_eq!(run.status, 0, "{}", run.errors);
            it.edit("z.md", "shared1x5", "changed");
        },
        &[],
        "known by its new name",
    ),
    ("delete one", |it| it.remove("b.md"), &[], "nothing is found"),
    (
        "delete, and revert",
        |it| {
            it.rename("b.md", "kept");
            it.rename("kept", "b.md");
        },
        &[],
        "as accepted",
    ),
    (
        "merge two into one",
        |it| {
            let text = it.read("a.md") + &it.read("b.md");
            it.write("a.md", &text);
            it.remove("b.md");
        },
        &[],
        "nothing is found",
    ),
    (
        "third copy, in a new file",
        |it| it.write("x.md", &(prose("x", 50) + &passage())),
        &["a.md x.md", "b.md x.md"],
        "a new text",
    ),
    (
        "third copy, in a known file",
        |it| it.edit("c.md", "cafter0x0", &passage()),
        &["a.md c.md", "b.md c.md"],
        "new in this text",
    ),
    (
        "third copy, in an accepted file",
        |it| it.edit("d.md", "dafter0x0", &passage()),
        &["a.md d.md", "b.md d.md"],
        "accepted with e.md alone",
    ),
    (
        "once more in one text",
        |it| it.edit("b.md", "bafter5x0", &passage()),
        &["a.md b.md"],
        "b.md has it in a new place",
    ),
    (
        "once more in both texts",
        |it| {
            it.edit("a.md", "aafter5x0", &passage());
            it.edit("b.md", "bafter5x0", &passage());
        },
        &["a.md b.md"],
        "accepted once",
    ),
    (
        "another passage",
        |it| {
            it.edit("a.md", "aafter5x0", &prose("more", 30));
            it.edit("b.md", "bafter5x0", &prose("more", 30));
        },
        &["a.md b.md"],
        "one of two is accepted",
    ),
    (
        "move the passage elsewhere",
        |it| {
            it.edit("b.md", &passage(), "");
            it.edit("c.md", "cafter0x0", &passage());
        },
        &["a.md c.md"],
        "c.md is not b.md",
    ),
    (
        "delete, and paste elsewhere",
        |it| {
            it.remove("b.md");
            it.edit("c.md", "cafter0x0", &passage());
        },
        &["a.md c.md"],
        "c.md is not b.md",
    ),
    (
        "split, the passage stays",
        |it| {
            let text = it.read("a.md");
            let (before, after) = text.split_at(text.find("aafter").unwrap());
            it.write("a2.md", after);
            it.write("a.md", before);
        },
        &[],
        "known by its name",
    ),
    (
        "split, the passage goes",
        |it| {
            let text = it.read("a.md");
            let (before, after) = text.split_at(text.find("shared").unwrap());
            it.write("a2.md", after);
            it.write("a.md", before);
        },
        &["a2.md b.md"],
        "a new text",
    ),
    (
        "split into two new files",
        |it| {
            let text = it.read("a.md");
            let (before, after) = text.split_at(text.find("shared").unwrap());
            it.write("a1.md", before);
            it.write("a2.md", after);
            it.remove("a.md");
        },
        &["a2.md b.md"],
        "neither is nearly a.md",
    ),
    ("add a copy", |it| it.copy("a.md", "x.md"), &["a.md x.md", "b.md x.md"], "a new text"),
    ("add a copy of a text alone", |it| it.copy("c.md", "x.md"), &["c.md x.md"], "a new text"),
    (
        "add an edited copy",
        |it| {
            it.copy("a.md", "x.md");
            it.edit("x.md", "abefore9x9", "changed");
        },
        &["a.md x.md", "b.md x.md"],
        "a new text",
    ),
    (
        "overwrite by a copy",
        |it| it.copy("a.md", "c.md"),
        &["a.md c.md", "b.md c.md"],
        "new in this text",
    ),
    (
        "copy a copy",
        |it| {
            it.copy("a.md", "x.md");
            it.accept();
            it.copy("x.md", "y.md");
        },
        &["a.md y.md", "b.md y.md", "x.md y.md"],
        "a new text",
    ),
    (
        "rename, and add a copy",
        |it| {
            it.rename("a.md", "y.md");
            it.copy("y.md", "z.md");
        },
        &["b.md z.md", "y.md z.md"],
        "one of both is a.md",
    ),
    (
        "copy, and remove the copy",
        |it| {
            it.copy("a.md", "x.md");
            it.remove("x.md");
        },
        &[],
        "as accepted",
    ),
];

#[test]
fn of_a_changed_repository_what_is_new_is_reported() {
    for (number, (change, make, want, why)) in TABLE.iter().enumerate() {
        let folder = accepted(&number.to_string());
        make(&folder);
        let status = i32::from(!want.is_empty());
        let want: Vec<String> = want.iter().map(|pair| (*pair).to_owned()).collect();
        assert_eq!(folder.check(), (status, want), "{change}: {why}");
    }
    assert!(TABLE.len() > 20);
}

/// Checks that findings after a change can be accepted, and are not reported from then on.
#[test]
fn every_change_can_be_accepted() {
    for (number, (change, make, ..)) in TABLE.iter().enumerate().step_by(4) {
        let folder = accepted(&format!("again{number}"));
        make(&folder);
        folder.accept();
        assert_eq!(folder.check(), (0, vec![]), "{change}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Checks that a copy of any text under any name is reported, whatever was accepted.
    #[test]
    fn a_copy_is_never_silent(
        texts in proptest::collection::vec(proptest::collection::vec(0_usize..4, 0..3), 2..6),
        copied in any::<prop::sample::Index>(),
        name in "(0|c|zz|deep/a)",
    ) {
        let folder = Folder(empty_folder("mutations", "copies"));
        for (number, passages) in texts.iter().enumerate() {
            let shared: String = passages
                .iter()
                .map(|passage| prose(&format!("shared{passage}n"), 20) + &prose(&format!("own{number}p{passage}n"), 40))
                .collect();
            folder.write(&format!("b{number}.md"), &(prose(&format!("text{number}n"), 40) + &shared));
        }
        folder.accept();
        prop_assert_eq!(folder.check(), (0, vec![]));
        let copied = format!("b{}.md", copied.index(texts.len()));
        let shares = folder.known().iter().filter(|pair| pair.contains(&copied)).count();
        folder.copy(&copied, &format!("{name}.md"));
        let (status, new) = folder.check();
        prop_assert_eq!(status, 1);
        prop_assert_eq!(new.len(), shares + 1, "with the original, and all that this shares with");
        prop_assert!(new.iter().all(|pair| pair.contains(&format!("{name}.md"))), "{:?}", new);
    }
}
