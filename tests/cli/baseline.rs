//! Tests of `--baseline`: accepted findings no longer count.

mod mutations;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::common::{Run, command, read_file, run};
use crate::transcript::{Transcript, errors};

const OLD: &str = "The copper kettle stood on the old table by the window, and nobody had \
    polished it since the harvest of that year.";
const NEW: &str = "Seven boats left the harbour before the tide turned, each with a lantern at \
    the mast and a boy to watch the nets.";
const REST: &str = "Nothing else was said of it.";

/// Creates a folder for the test, with `a.txt` and `b.txt`, which share a passage.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("baseline").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    write(&folder, "a.txt", &format!("{OLD}\n"));
    write(&folder, "b.txt", &format!("{OLD} {REST}\n"));
    folder
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).unwrap();
}

fn accepted(run: &Run) -> Vec<bool> {
    let records = run.output.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    records.map(|record| record["accepted"].as_bool().unwrap()).collect()
}

/// Returns the tiles of `OLD`: by definition, the lowest 24 bits of the residues of three words
/// each, and of the last three, in increasing order.
fn tiles_of_old() -> String {
    let words = OLD.to_lowercase().replace([',', '.'], "");
    let words: Vec<&str> = words.split_whitespace().collect();
    let all = words.chunks_exact(3).chain([&words[words.len() - 3..]]);
    let tiles: BTreeSet<u64> = all
        .map(|words| dedup_text::rabin::residue(words.join(" ").as_bytes()) & 0xff_ffff)
        .collect();
    let bytes: Vec<u8> = tiles.iter().flat_map(|tile| tile.to_be_bytes()[5..].to_vec()).collect();
    BASE64URL_NOPAD.encode(&bytes)
}

/// Returns the identifier of a text: the digest of its words, and its fingerprint.
fn id(folder: &Path, name: &str) -> String {
    let record = run(folder, &format!("{name} {name} --lang en --format json")).output;
    let record: Value = serde_json::from_str(&record).unwrap();
    let words = read_file(folder.join(name)).to_lowercase().replace([',', '.'], "");
    let words: String = words.split_whitespace().flat_map(|word| [word, "\n"]).collect();
    let digest = HEXLOWER.encode(&Sha256::digest(words)[..8]);
    format!("{digest}.{}", record["a"]["simhash"].as_str().unwrap())
}

/// Returns the baseline that accepts `OLD` in two texts.
fn listing(folder: &Path, names: [&str; 2]) -> String {
    let [left, right] = names;
    let record = run(folder, &format!("{left} {right} --lang en --format json")).output;
    let record: Value = serde_json::from_str(&record).unwrap();
    let (shared, all) = (&record["measures"]["shared"], &record["measures"]["union"]);
    let begins = "22 words: the copper kettle stood on the old table …";
    let texts =
        names.map(|name| format!("text\t{name}\t{}\t{}\n", id(folder, name), tiles_of_old()));
    format!(
        "# dedup baseline 3\npair\t{left}\t{right}\t22\t{shared}/{all}\t{begins}\n{}",
        texts.concat()
    )
}

#[test]
fn what_is_accepted_counts_no_more() {
    let folder = folder("counts");
    for texts in ["a.txt b.txt --lang en", "corpus a.txt b.txt --lang en"] {
        let with = |more: &str| run(&folder, &format!("{texts} --baseline base.txt {more}"));
        let _ = std::fs::remove_file(folder.join("base.txt"));
        assert_eq!(run(&folder, texts).status, 0, "{texts}");

        let missing = with("");
        assert_eq!((missing.status, missing.output.as_str()), (2, ""), "{texts}");
        let message = "dedup: base.txt: no such file, expected a baseline\nhint: run with \
                    --update-baseline to write it\n";
        assert_eq!(missing.errors, message, "{texts}");

        let update = with("--update-baseline --fail-on partial");
        let message = "dedup: base.txt: 1 passage or pair accepted, 1 of them new; 0 dropped\n";
        assert_eq!((update.status, update.errors.as_str()), (0, message), "{texts}");
        let want = listing(&folder, ["a.txt", "b.txt"]);
        assert_eq!(read_file(folder.join("base.txt")), want, "{texts}");

        #[rustfmt::skip]
        let table = [
            ("it is not found",            "",                                1),
            ("nothing fails",              "--fail-on near-duplicate",        0),
            ("nor quietly",                "--fail-on near-duplicate -q",     0),
            ("in json",                    "--format jsonl",                  1),
            ("in paths",                   "--format paths",                  1),
        ];
        for (why, flags, status) in table {
            let run = with(flags);
            assert_eq!((run.status, run.errors.as_str()), (status, ""), "{texts}: {why}");
        }
        let record = with("--format jsonl");
        assert_eq!(accepted(&record), [true], "{texts}");
        let record: Value = serde_json::from_str(&record.output).unwrap();
        assert_eq!(record["accepted_by"], "baseline", "{texts}");
        assert_eq!(with("--format paths").output, "", "{texts}");
        assert!(with("").output.contains("accepted earlier"), "{texts}");
    }
}

/// Checks that the formats of other programs do not report an accepted pair.
#[test]
fn what_is_accepted_is_no_finding() {
    let folder = folder("formats");
    let line = "corpus a.txt b.txt --lang en --baseline base.txt";
    assert_eq!(run(&folder, &format!("{line} --update-baseline")).status, 0);
    #[rustfmt::skip]
    let table = [
        ("csv",      ",22,true,baseline,,,,,,,1,1,0,0,\n",            ",22,false,,,,,,,,1,1,0,0,\n"),
        ("sarif",    "\"results\":[]",                       "\"ruleId\""),
        ("gitlab",   "[]\n",                                  "\"check_name\""),
        ("junit",    "failures=\"0\"",                        "<failure"),
        ("github",   "0 pairs near-duplicate or closer",       "::warning"),
        ("markdown", "| identical, accepted by --baseline |", "### `"),
    ];
    let _ = std::fs::copy(folder.join("a.txt"), folder.join("b.txt"));
    for (format, wanted, found) in table {
        let with = run(&folder, &format!("{line} --format {format}")).output;
        assert!(with.contains(wanted) && !with.contains(found), "{format}: {with}");
        let without = run(&folder, &format!("corpus a.txt b.txt --lang en --format {format}"));
        assert!(!without.output.contains(wanted), "{format}: {}", without.output);
    }
}

/// Checks that an entry matches if the two texts change sides, or are found in another way.
#[test]
fn an_entry_accepts_a_pair_in_either_order() {
    let folder = folder("side");
    let update = "a.txt b.txt --lang en --baseline base.txt --update-baseline";
    assert_eq!(run(&folder, update).status, 0);
    let listed = read_file(folder.join("base.txt"));
    for texts in ["b.txt a.txt", "corpus b.txt a.txt", "corpus b.txt a.txt --nearest 1"] {
        let judged = run(&folder, &format!("{texts} --lang en --baseline base.txt --format jsonl"));
        assert!(accepted(&judged).iter().all(|it| *it), "{texts}");
        assert_eq!(judged.status, 1, "{texts}");
        let update = format!("{texts} --lang en --baseline base.txt --update-baseline");
        assert_eq!(run(&folder, &update).status, 0, "{texts}");
        assert_eq!(read_file(folder.join("base.txt")), listed, "{texts}");
    }
}

/// Checks that a text counts as renamed only if the old file no longer exists, also in a comparison
/// of two texts, which does not read the others.
#[test]
fn a_text_that_is_still_there_was_not_renamed() {
    let folder = folder("there");
    let update = "a.txt b.txt --lang en --baseline base.txt --update-baseline";
    assert_eq!(run(&folder, update).status, 0);
    let _ = std::fs::copy(folder.join("b.txt"), folder.join("c.txt"));
    let judged = |line: &str| {
        let run = run(&folder, &format!("{line} --lang en --baseline base.txt --format jsonl"));
        accepted(&run)
    };
    for line in ["a.txt c.txt", "corpus a.txt c.txt"] {
        assert_eq!(judged(line), [false], "{line}: a copy");
    }
    std::fs::remove_file(folder.join("b.txt")).unwrap();
    for line in ["a.txt c.txt", "corpus a.txt c.txt"] {
        assert_eq!(judged(line), [true], "{line}: renamed");
    }
}

/// Checks that the names of texts match entries however the folder is spelled.
#[test]
fn a_text_has_one_name_whether_its_folder_is_typed_or_not() {
    let folder = folder("spellings");
    let flags = "--lang en --fail-on excerpt --baseline base.txt --exclude base.txt --quiet";
    assert_eq!(run(&folder, &format!("corpus . {flags} --update-baseline")).status, 0);
    for texts in ["corpus .", "corpus a.txt b.txt", "corpus ./a.txt b.txt", "a.txt ./b.txt"] {
        let flags = if texts.starts_with("corpus") {
            flags
        } else {
            &flags.replace("--exclude base.txt", "")
        };
        let run = run(&folder, &format!("{texts} {flags}"));
        assert_eq!((run.status, run.errors.as_str()), (0, ""), "{texts}");
    }
}

/// Checks that a failing run prints how to accept a pair, and that this accepts that pair only.
#[test]
fn a_pair_can_be_accepted_by_itself() {
    let folder = folder("accept");
    write(&folder, "c d.txt", &format!("{NEW}\n"));
    write(&folder, "e.txt", &format!("{NEW} {REST}\n"));
    let line = "corpus . --lang en --baseline base.txt --fail-on near-duplicate --quiet";
    let accept = |names: [&str; 2]| {
        let words = line.split(' ').chain(["--accept"]).chain(names);
        Run::from(command().current_dir(&folder).args(words).output().unwrap())
    };
    let none = accept(["a.txt", "gone.txt"]);
    let message = "dedup: --accept a.txt gone.txt: no text gone.txt among the texts compared\n\
                   hint: use the names in the results\n";
    assert_eq!((none.status, none.errors.as_str()), (2, message));
    for (level, more) in [
        ("near-duplicate", "; a level below near-duplicate finds more pairs"),
        ("partial", "; a level below partial finds more pairs"),
        ("excerpt", ""),
    ] {
        let level = format!("corpus . --lang en --baseline base.txt --quiet --at-least {level}");
        let none = run(&folder, &format!("{level} --accept a.txt e.txt"));
        let message = format!(
            "dedup: --accept a.txt e.txt: no such pair found, expected one in the results\nhint: \
             use the names in the results{more}\n"
        );
        assert_eq!((none.status, none.errors), (2, message), "{level}");
    }
    assert!(!folder.join("base.txt").exists());

    let first = accept(["b.txt", "./a.txt"]);
    let message = "dedup: base.txt: 1 passage or pair accepted, 1 of them new; 0 dropped\n";
    assert_eq!((first.status, first.errors.as_str()), (1, message), "the other pair is new");
    let of_first = read_file(folder.join("base.txt"));

    let failing = run(&folder, line);
    let message = "hint: --accept 'c d.txt' e.txt accepts this pair, --update-baseline accepts \
                everything found\n";
    assert_eq!((failing.status, failing.errors.as_str()), (1, message));

    let second = accept(["c d.txt", "e.txt"]);
    let message = "dedup: base.txt: 2 passages or pairs accepted, 1 of them new; 0 dropped\n";
    assert_eq!((second.status, second.errors.as_str()), (0, message));
    let both = read_file(folder.join("base.txt"));
    assert!(of_first.lines().all(|line| both.lines().any(|it| it == line)), "{both}");
    assert_eq!(both.lines().count(), 7, "two pairs, four texts: {both}");
    assert_eq!((run(&folder, line).status, run(&folder, line).errors), (0, String::new()));
    assert_eq!(run(&folder, &format!("{line} --update-baseline")).status, 0);
    assert_eq!(read_file(folder.join("base.txt")), both, "the same as all");
}

/// The first pair by name is not the closest one.
#[test]
fn the_advice_names_the_pair_that_is_listed_first() {
    let folder = folder("first-listed");
    write(&folder, "a.txt", &format!("{NEW} {OLD}\n"));
    write(&folder, "b.txt", &format!("{NEW} {REST}\n"));
    write(&folder, "c.txt", &format!("{OLD}\n"));
    write(&folder, "d.txt", &format!("{OLD}\n"));
    write(&folder, "acc.txt", "# dedup baseline 3\n");
    let line = "check . --lang en --fail-on partial --baseline acc.txt";
    let failing = run(&folder, line);
    let listed = failing.output.lines().nth(1).unwrap_or_default();
    assert!(listed.ends_with("  ./c.txt | ./d.txt"), "{}", failing.output);
    let message = "hint: --accept c.txt d.txt accepts this pair, --update-baseline accepts \
                everything found\n";
    assert_eq!((failing.status, failing.errors.as_str()), (1, message));
    // Other formats list the pairs in their order.
    let failing = run(&folder, &format!("{line} --format jsonl"));
    assert!(failing.errors.contains("--accept a.txt b.txt accepts"), "{}", failing.errors);
}

/// The entry that was written in another folder has other names.
#[test]
fn a_pair_that_is_accepted_again_has_one_entry() {
    let folder = folder("again");
    std::fs::create_dir(folder.join("in")).unwrap();
    for name in ["a.txt", "b.txt"] {
        std::fs::rename(folder.join(name), folder.join("in").join(name)).unwrap();
    }
    let line = "check in --lang en --baseline acc.txt --accept in/a.txt in/b.txt -q";
    assert_eq!(run(&folder, line).status, 0);
    let inner = folder.join("in");
    let line = "check . --lang en --baseline ../acc.txt --accept a.txt b.txt -q";
    assert_eq!(run(&inner, line).status, 0);
    let want = listing(&inner, ["a.txt", "b.txt"]);
    assert_eq!(read_file(folder.join("acc.txt")), want);
    for (copy, of) in [("c.txt", "a.txt"), ("d.txt", "b.txt")] {
        std::fs::copy(inner.join(of), inner.join(copy)).unwrap();
    }
    let run = run(&inner, "check . --lang en --baseline ../acc.txt");
    assert_eq!(run.status, 1);
    assert!(
        run.output.contains("\n5 pairs near-duplicate or closer; 1 accepted earlier\n"),
        "{}",
        run.output
    );
}

#[test]
fn a_pair_is_accepted_by_the_names_that_results_show() {
    let folder = folder("shown-names");
    write(&folder, "course.csv", "id,name\na,Anna M\nb,Bert P\n");
    let accept = |names: [&str; 2]| {
        let _ = std::fs::remove_file(folder.join("acc.txt"));
        let line = ["check", ".", "--lang", "en", "--baseline", "acc.txt", "--accept"];
        let run: Run =
            command().current_dir(&folder).args(line).args(names).output().unwrap().into();
        assert_eq!(run.status, 0, "{names:?}: {}", run.errors);
        read_file(folder.join("acc.txt"))
    };
    let want = listing(&folder, ["a.txt", "b.txt"]);
    for names in [["Anna M", "Bert P"], ["Bert P", "./a.txt"], ["a.txt", "b.txt"]] {
        assert_eq!(accept(names), want, "{names:?}");
    }
}

/// Checks that the advice can be followed.
#[cfg(unix)]
#[test]
fn odd_names_are_accepted_as_results_show_them() {
    let folder = folder("odd-names");
    std::fs::rename(folder.join("a.txt"), folder.join("-a.txt")).unwrap();
    std::fs::rename(folder.join("b.txt"), folder.join("b\nc.txt")).unwrap();
    write(&folder, "acc.txt", "# dedup baseline 3\n");
    let line = "check . --lang en --baseline acc.txt";
    let advice = "hint: --accept ./-a.txt 'b\\u{a}c.txt' accepts this pair, --update-baseline accepts everything found\n";
    assert_eq!(run(&folder, line).errors, advice);
    let line = format!("{line} --accept ./-a.txt b\\u{{a}}c.txt");
    let run = run(&folder, &line);
    assert_eq!(
        run.errors,
        "dedup: acc.txt: 1 passage or pair accepted, 1 of them new; 0 dropped\n"
    );
}

#[test]
fn digests_accept_as_names_do() {
    let folder = folder("anonymous");
    let line = "corpus . --lang en --baseline base.txt --fail-on near-duplicate --quiet";
    let update = format!("{line} --update-baseline --anonymous-baseline");
    assert_eq!(run(&folder, &update).status, 0);
    let listed = read_file(folder.join("base.txt"));
    let mut want: String = listing(&folder, ["a.txt", "b.txt"])
        .replace("3\npair", "3 anonymous\npair")
        .replace("22 words: the copper kettle stood on the old table …", "");
    for name in ["a.txt", "b.txt"] {
        want = want.replace(name, &HEXLOWER.encode(&Sha256::digest(name)[..8]));
    }
    let sorted = |file: &str| {
        let mut fields: Vec<String> = file.split(['\t', '\n']).map(str::to_owned).collect();
        fields.sort();
        fields
    };
    assert_eq!(sorted(&listed), sorted(&want), "the digests have another order: {listed}");
    assert_eq!((run(&folder, line).status, run(&folder, line).errors), (0, String::new()));
    write(&folder, "b.txt", &format!("{REST} {OLD} Changed.\n"));
    assert_eq!(run(&folder, line).status, 0, "known by its name");
    std::fs::rename(folder.join("a.txt"), folder.join("z.txt")).unwrap();
    assert_eq!(run(&folder, line).status, 0, "known by its words");
    let _ = std::fs::copy(folder.join("z.txt"), folder.join("a.txt"));
    assert_eq!(run(&folder, line).status, 1, "a copy");
}

/// Checks that a file of another version is neither read nor lost.
#[test]
fn a_baseline_of_another_version_stays_as_it_is() {
    let folder = folder("old");
    for version in ["1", "2", "4"] {
        let content = format!("# dedup baseline {version}\nwhatever it lists\n");
        write(&folder, "base.txt", &content);
        for flags in ["", "--update-baseline", "--accept a.txt b.txt"] {
            let run = run(&folder, &format!("a.txt b.txt --lang en --baseline base.txt {flags}"));
            let message = format!(
                "dedup: base.txt: a baseline of version {version}, expected 3\nhint: check with the \
                 dedup that wrote it that nothing is new, move the file away, and accept everything \
                 found with --update-baseline\n"
            );
            assert_eq!((run.status, run.errors), (2, message), "{version} {flags}");
            assert_eq!(read_file(folder.join("base.txt")), content, "{version} {flags}");
        }
    }
}

/// Checks that a pair with one new passage counts again, and that a pair that is no longer found is
/// named.
#[test]
fn a_new_passage_counts_and_a_pair_that_is_gone_is_named() {
    let folder = folder("new");
    let line = "a.txt b.txt --lang en --baseline base.txt";
    assert_eq!(run(&folder, &format!("{line} --update-baseline")).status, 0);
    let listed = read_file(folder.join("base.txt"));
    // Far apart, they are two passages. The file lists one of them.
    let apart =
        |of: &str| (0..90).fold(String::new(), |words, number| words + &format!("{of}{number} "));
    write(&folder, "a.txt", &format!("{OLD} {}{NEW}\n", apart("x")));
    write(&folder, "b.txt", &format!("{OLD} {}{NEW}\n", apart("y")));
    let both = run(&folder, &format!("{line} --at-least different --format jsonl"));
    let record: Value = serde_json::from_str(&both.output).unwrap();
    assert_eq!(record["matches"].as_array().unwrap().len(), 2, "{record}");
    assert_eq!((both.status, accepted(&both)), (0, vec![false]));
    assert_eq!(record["accepted_by"], Value::Null);
    write(&folder, "a.txt", &format!("{NEW}\n"));
    write(&folder, "b.txt", &format!("{REST}\n"));
    let lost = "not found in pairs that are near-duplicate or closer";
    let named = format!(
        "dedup: base.txt: {lost}: a.txt b.txt 22 words: the copper kettle stood on the old table …\n"
    );
    #[rustfmt::skip]
    let table = [
        ("",                          1, named.clone()),
        ("--update-baseline",         0, "dedup: base.txt: 0 passages or pairs accepted, 0 of them new; 1 dropped\n".to_owned()),
        ("--fail-on partial",         0, String::new()),
    ];
    for texts in ["a.txt b.txt", "corpus a.txt b.txt"] {
        write(&folder, "base.txt", &listed);
        for (flags, status, errors) in &table {
            let line = format!("{texts} --lang en --baseline base.txt {flags} --quiet");
            let run = run(&folder, &line);
            assert_eq!((run.status, &run.errors), (*status, errors), "{texts} {flags}");
        }
    }
}

/// Checks that a run of some of the texts leaves the entries of the others alone, unless their files
/// are gone.
#[test]
fn entries_of_texts_that_are_not_compared_are_kept() {
    let folder = folder("some");
    std::fs::create_dir(folder.join("part")).unwrap();
    for name in ["part/c.txt", "part/d.txt"] {
        write(&folder, name, &format!("{NEW}\n"));
    }
    let all = "corpus . --lang en --baseline base.txt";
    let note = |line: &str| run(&folder, line).errors;
    let pairs = note(&format!("{all} --update-baseline"));
    assert_eq!(pairs, "dedup: base.txt: 2 passages or pairs accepted, 2 of them new; 0 dropped\n");
    let written = read_file(folder.join("base.txt"));
    let some = "corpus part --lang en --baseline base.txt";
    let found = run(&folder, &format!("{some} --fail-on near-duplicate"));
    assert_eq!((found.status, found.errors.as_str()), (0, ""));
    let kept = "dedup: base.txt: 2 passages or pairs accepted, 0 of them new; 0 dropped\n";
    assert_eq!(note(&format!("{some} --update-baseline")), kept);
    assert_eq!(read_file(folder.join("base.txt")), written);
    std::fs::remove_file(folder.join("a.txt")).unwrap();
    std::fs::remove_file(folder.join("b.txt")).unwrap();
    let dropped = "dedup: base.txt: 1 passage or pair accepted, 0 of them new; 1 dropped\n";
    assert_eq!(note(&format!("{some} --update-baseline")), dropped);
}

/// Checks that a pair without passages is accepted by its Jaccard index, and so is a pair that is too
/// short for a shingle, but has the same words.
#[test]
fn a_pair_without_passages_is_accepted_by_its_texts() {
    let folder = folder("texts");
    write(&folder, "one.txt", "old copper kettles and brass lamps by the oak window frame");
    write(&folder, "two.txt", "old copper kettles and brass lamps by an oak window frame");
    write(&folder, "ten.txt", "a silver spoon on the table");
    let quote = "“five words in a quotation”";
    write(&folder, "hi.txt", &format!("hello {quote} there"));
    write(&folder, "ho.txt", &format!("Hello, {quote} there!"));
    write(&folder, "no.txt", &format!("no {quote} way"));
    let table = [
        (
            "one.txt two.txt --lang en",
            "two.txt one.txt --lang en",
            "ten.txt ten.txt --lang en",
            "old copper kettles and brass lamps by an … | old copper kettles and brass lamps by the …",
        ),
        (
            "corpus one.txt two.txt --lang en",
            "two.txt one.txt --lang en",
            "ten.txt ten.txt --lang en",
            "old copper kettles and brass lamps by an … | old copper kettles and brass lamps by the …",
        ),
        (
            "hi.txt ho.txt --lang none --min 3 --ignore quotes,short",
            "ho.txt hi.txt --lang none --min 3 --ignore quotes,short",
            "no.txt no.txt --lang none --min 3 --ignore quotes,short",
            "hello five words in a quotation there | hello five words in a quotation there",
        ),
    ];
    for (texts, turned, other, name) in table {
        let _ = std::fs::remove_file(folder.join("base.txt"));
        let line = |texts: &str| format!("{texts} --baseline base.txt");
        let update = format!("{texts} --baseline base.txt --update-baseline");
        assert_eq!(run(&folder, &update).status, 0);
        let listed = read_file(folder.join("base.txt"));
        let entry = listed.lines().nth(1).unwrap();
        let fields: Vec<&str> = entry.split('\t').collect();
        assert_eq!((fields[0], fields[3]), ("pair", "0"), "{entry}");
        let (mut names, mut wanted): (Vec<_>, Vec<_>) = (
            fields[5].trim_start_matches("0 words: ").split(" | ").collect(),
            name.split(" | ").collect(),
        );
        names.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(names, wanted);
        assert_eq!(run(&folder, &line(turned)).status, 1, "{turned}");
        assert_eq!(run(&folder, &line(other)).status, 0, "{other}");
    }
}

#[test]
fn entries_are_sorted_and_keep_their_names() {
    let folder = folder("sorted");
    write(&folder, "c.txt", &format!("{NEW}\n"));
    write(&folder, "d.txt", &format!("{NEW} {REST}\n"));
    let line = "corpus . --lang en --baseline base.txt --update-baseline";
    assert_eq!(run(&folder, line).status, 0);
    let listed = read_file(folder.join("base.txt"));
    let entries: Vec<&str> = listed.lines().skip(1).collect();
    assert_eq!(entries.len(), 6);
    assert!(entries.is_sorted());
    let renamed = listed.replace("22 words: the copper kettle", "the kettle, as agreed");
    write(&folder, "base.txt", &renamed.replace('\n', "\r\n"));
    assert_eq!(run(&folder, line).status, 0);
    assert_eq!(read_file(folder.join("base.txt")), renamed);
}

#[test]
fn what_is_no_baseline_is_reported() {
    let folder = folder("trouble");
    let head = "# dedup baseline 3\n";
    let conflict = format!("{head}<<<<<<< HEAD\npassage 0123456789abcdef x\n=======\n>>>>>>> b\n");
    let table: &[(&str, &str, bool)] = &[
        ("a text", OLD, false),
        ("nothing", "", true),
        ("another version", "# dedup baseline 2\n", false),
        ("a conflict", &conflict, true),
        ("one at the top", "<<<<<<< HEAD\n", true),
        ("no entry", "# dedup baseline 3\npair\ta.txt\tb.txt\n", true),
        ("a cut line", "# dedup baseline 3\n\ntext\ta.txt\t0123456789abcdef.-\tAAA\n", true),
    ];
    let mut transcript = Transcript::default();
    for (why, content, is_replaced) in table {
        write(&folder, "base.txt", content);
        let line = "a.txt b.txt --baseline base.txt";
        transcript.case(why);
        transcript.file("base.txt", content);
        transcript.error(line, &run(&folder, line));
        let update = run(&folder, "a.txt b.txt --lang en --baseline base.txt --update-baseline");
        assert_eq!(update.status, if *is_replaced { 0 } else { 2 }, "{why}: {}", update.errors);
        assert_eq!(read_file(folder.join("base.txt")).starts_with(head), *is_replaced, "{why}");
    }
    transcript.assert_snapshot("baseline");
    std::fs::write(folder.join("base.txt"), b"# dedup baseline 3\n\xff").unwrap();
    assert_eq!(run(&folder, "a.txt b.txt --baseline base.txt").status, 2);
    std::fs::create_dir(folder.join("dir")).unwrap();
    let cases = [
        ("accepted, not named", "a.txt b.txt --accept a.txt b.txt"),
        ("accepted, and all", "a.txt b.txt --baseline x --accept a b --update-baseline"),
        ("half a pair", "a.txt b.txt --baseline x --accept a.txt"),
        ("a folder", "a.txt b.txt --baseline dir"),
        ("not named", "a.txt b.txt --update-baseline"),
        ("standard input", "a.txt b.txt --baseline -"),
        ("a text itself", "a.txt b.txt --baseline a.txt --update-baseline"),
        ("an output", "a.txt b.txt --baseline x --format json=x"),
        ("passages off", "a.txt b.txt --baseline x --passages off"),
        ("clusters", "corpus a.txt b.txt --baseline x --clusters"),
    ];
    errors("baseline_usage", &cases, |line| run(&folder, line));
    let run = run(&folder, "a.txt b.txt --baseline no/x --update-baseline");
    let want = "dedup: no/x: cannot be written: no such folder\n";
    assert!(run.status == 2 && run.errors.starts_with(want), "{}", run.errors);
}

/// Checks that nothing is written if a text could not be read, because its entries would be lost.
#[test]
fn where_texts_failed_nothing_is_written() {
    let folder = folder("failed");
    let line = "corpus a.txt b.txt gone.txt --lang en --baseline base.txt --update-baseline";
    let run = run(&folder, line);
    assert_eq!(run.status, 2);
    assert!(run.errors.ends_with("dedup: the baseline is not written: some texts failed\n"));
    assert!(!folder.join("base.txt").exists());
}

/// Checks that a quiet run also compares all pairs if unused entries are to be named. Here, 4,950
/// pairs are known to fail before the accepted one is reached.
#[test]
fn a_quiet_run_finds_every_entry() {
    let folder = folder("quiet");
    let record = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
    let pair = record("z1", OLD) + &record("z2", OLD);
    write(&folder, "pair.jsonl", &pair);
    let flags = "--lang en --baseline base.txt --quiet";
    let update = format!("corpus --jsonl pair.jsonl {flags} --update-baseline");
    assert_eq!(run(&folder, &update).status, 0);
    let copies = (100..200).map(|id| record(&id.to_string(), NEW));
    write(&folder, "all.jsonl", &(copies.collect::<String>() + &pair));
    let all = run(&folder, &format!("corpus --jsonl all.jsonl {flags}"));
    assert_eq!((all.status, all.errors.as_str()), (0, ""));
}

#[test]
fn a_text_is_the_same_by_every_path_to_it() {
    let folder = folder("paths");
    std::fs::create_dir(folder.join("docs")).unwrap();
    for name in ["a.txt", "b.txt"] {
        std::fs::rename(folder.join(name), folder.join("docs").join(name)).unwrap();
    }
    let flags = "--lang en --baseline base.txt";
    assert_eq!(run(&folder, &format!("check docs {flags} --update-baseline")).status, 0);
    // Edited around the passage, the texts are recognized by their names only.
    write(&folder, "docs/a.txt", &format!("{NEW} {OLD}\n"));
    let absolute = folder.join("docs").display().to_string();
    let paths = ["docs", "./docs", "././docs", ".//docs", "docs//", "docs/../docs", &absolute];
    #[cfg(unix)]
    std::os::unix::fs::symlink("docs", folder.join("link")).unwrap();
    for path in paths.into_iter().chain(cfg!(unix).then_some("link")) {
        let found = run(&folder, &format!("check {path} {flags} --fail-on excerpt"));
        assert_eq!((found.status, &*found.errors), (0, ""), "{path}: {}", found.output);
    }
    let inside =
        run(&folder.join("docs"), "check . --lang en --baseline ../base.txt --fail-on excerpt");
    assert_eq!((inside.status, &*inside.errors), (0, ""), "{}", inside.output);
    // All names are relative to one folder: here, not the one of the baseline.
    let flags = "--lang en --baseline docs/base.txt --fail-on excerpt";
    for (name, text) in
        [("a.txt", "A note"), ("b.txt", "Some list"), ("docs/a.txt", OLD), ("docs/b.txt", OLD)]
    {
        write(&folder, name, &format!("{text}\n"));
    }
    assert_eq!(run(&folder, &format!("check . {flags} --update-baseline")).status, 0);
    write(&folder, "docs/a.txt", &format!("{NEW} {OLD}\n"));
    for texts in ["check docs", "docs/a.txt docs/b.txt"] {
        let found = run(&folder, &format!("{texts} {flags}"));
        assert_eq!(found.status, 0, "{texts}: {}", found.output);
    }
}

#[test]
fn the_names_that_the_answer_shows_can_be_accepted() {
    let folder = folder("shown");
    std::fs::create_dir_all(folder.join("x/y")).unwrap();
    for name in ["a.txt", "b.txt"] {
        std::fs::rename(folder.join(name), folder.join("x/y").join(name)).unwrap();
    }
    let line = "x/y/a.txt x/y/b.txt --lang en --baseline base.txt --fail-on excerpt";
    assert_ne!(run(&folder, line).errors, "");
    assert_eq!(run(&folder, &format!("{line} --accept a.txt b.txt")).status, 0);
    assert_eq!(run(&folder, line).status, 0);
}

#[cfg(unix)]
#[test]
fn names_in_another_order_once_they_are_escaped_can_be_accepted() {
    let folder = folder("order");
    std::fs::rename(folder.join("b.txt"), folder.join("\u{1f}b.txt")).unwrap();
    let accepted = run(&folder, "check . --lang en --baseline base.txt --accept a.txt \u{1f}b.txt");
    assert_eq!((accepted.status, &*accepted.output).0, 0, "{}", accepted.errors);
    assert_eq!(run(&folder, "check . --lang en --baseline base.txt").status, 0);
}

#[test]
fn a_baseline_without_names_stays_one() {
    let folder = folder("stays-anonymous");
    let line = "check . --lang en --baseline base.txt";
    assert_eq!(run(&folder, &format!("{line} --anonymous-baseline --update-baseline")).status, 0);
    write(&folder, "c.txt", NEW);
    write(&folder, "d.txt", NEW);
    for flags in ["--accept c.txt d.txt", "--accept a.txt b.txt", "--update-baseline"] {
        assert_eq!(run(&folder, &format!("{line} {flags}")).status, 0, "{flags}");
        let content = read_file(folder.join("base.txt"));
        assert_eq!(content.lines().count(), 7, "{flags}: {content}");
        assert!(!content.contains(".txt") && !content.contains("words"), "{flags}: {content}");
    }
}
