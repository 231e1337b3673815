//! Tests of passages that are too common to make a pair: they count for the exit status, and every
//! format that lists findings lists them.

use serde_json::Value;

use crate::common::{Run, empty_folder, run};
use crate::transcript::Transcript;

/// Returns `count` words that are in no other text.
fn words(name: &str, count: usize) -> String {
    (0..count).map(|number| format!("{name}{number}")).collect::<Vec<_>>().join(" ")
}

/// Writes twelve texts with `own` words of their own and the same notice of `notice` words.
fn twelve(folder: &std::path::Path, own: usize, notice: usize) {
    for text in 0..12 {
        let content = format!("{}. {}.\n", words(&format!("own{text}x"), own), words("n", notice));
        std::fs::write(folder.join(format!("{text:02}.txt")), content).unwrap();
    }
}

fn corpus(folder: &std::path::Path, flags: &str) -> Run {
    run(
        folder,
        &format!("corpus . --lang none --jaccard 1 --hamming off --partial-jaccard off {flags}"),
    )
}

#[test]
fn the_status_is_that_of_the_pairs_that_would_share_common_passages() {
    let folder = empty_folder("common_passages", "status");
    twelve(&folder, 80, 14);
    // One that has the notice as a smaller part, and one without it.
    let long = format!("{}. {}.\n", words("long", 400), words("n", 14));
    std::fs::write(folder.join("long.txt"), long).unwrap();
    std::fs::write(folder.join("other.txt"), words("other", 80)).unwrap();
    #[rustfmt::skip]
    let table = [
        ("14 of 94 words",                     "--fail-on excerpt",                            1),
        ("are no large part",                  "--fail-on partial",                            0),
        ("unless a sixth is one",              "--fail-on partial --coverage 0.14",            1),
        ("it is short",                        "--fail-on excerpt --ignore short",             0),
        ("but not for this limit",             "--fail-on excerpt --ignore short=14",          1),
        ("a text in focus has it",             "--fail-on excerpt --focus long.txt",           1),
        ("it is a large part of the others",   "--fail-on partial --coverage 0.14 --focus long.txt", 1),
        ("no text in focus has it",            "--fail-on excerpt --focus other.txt",          0),
    ];
    for (why, flags, want) in table {
        let found = corpus(&folder, flags);
        assert_eq!((found.status, found.errors.as_str()), (want, ""), "{why}");
        let is_listed =
            found.output.contains("too common to make a pair: 14 words that 13 of 14 texts have");
        let may_be_listed = !flags.ends_with("short") && !flags.ends_with("other.txt");
        assert_eq!(is_listed, may_be_listed, "{why}: {}", found.output);
        let json = corpus(&folder, &format!("{flags} --format json"));
        let json: Value = serde_json::from_str(&json.output).unwrap();
        let counts: Vec<bool> = (json["widespread"].as_array().unwrap().iter())
            .map(|passage| passage["counts"].as_bool().unwrap())
            .collect();
        assert_eq!(counts, [want == 1][..usize::from(is_listed)], "{why}");
    }
}

#[test]
fn two_common_passages_do_not_add_up_if_no_other_text_has_both() {
    let folder = empty_folder("common_passages", "two");
    let notices = [words("n", 30), words("m", 28)];
    for text in 0..25 {
        let notice = match text {
            0..12 => notices[0].clone(),
            12..24 => notices[1].clone(),
            _ => notices.join(" "),
        };
        let content = format!("{}. {notice}.\n", words(&format!("own{text}x"), 160));
        std::fs::write(folder.join(format!("{text:02}.txt")), content).unwrap();
    }
    // 30 of 190 words are 16 %; both together would be 27 % of the last text.
    let run = corpus(&folder, "--fail-on partial");
    assert_eq!(
        (run.status, run.output.as_str()),
        (
            0,
            "0 pairs partial or closer\n\
             25 texts compared\n\
             too common to make a pair: 30 words that 13 of 25 texts have: \"n0 n1 n2 n3 n4 n5\n\
             \x20 n6 n7 n8 n9 n10 n11 n12 n13 n14 n15 n16 n17 n18 n19 n20 n21…\" (./00.txt, line\n\
             \x20 1)\n\
             too common to make a pair: 28 words that 13 of 25 texts have: \"m0 m1 m2 m3 m4 m5\n\
             \x20 m6 m7 m8 m9 m10 m11 m12 m13 m14 m15 m16 m17 m18 m19 m20 m21…\" (./12.txt, line\n\
             \x20 1)\n"
        )
    );
    std::fs::copy(folder.join("24.txt"), folder.join("25.txt")).unwrap();
    let run = corpus(&folder, "--fail-on partial");
    assert_eq!(run.status, 1, "{}", run.output);
}

#[test]
fn a_common_passage_of_new_texts_alone_does_not_count() {
    let folder = empty_folder("common_passages", "against");
    let [new, old] = ["new", "old"].map(|name| folder.join(name));
    std::fs::create_dir_all(&new).unwrap();
    std::fs::create_dir_all(&old).unwrap();
    twelve(&new, 80, 14);
    std::fs::write(old.join("a.txt"), words("old", 80)).unwrap();
    let line = "corpus new --against old --lang none --fail-on excerpt";
    assert_eq!(run(&folder, line).status, 0);
    std::fs::write(old.join("b.txt"), words("b", 80) + ". " + &words("n", 14)).unwrap();
    assert_eq!(run(&folder, line).status, 1);
}

/// Writes twelve texts with 100 words of their own and the notice `a` of 100 words, and twelve with
/// 100 words and the notice `b` of 20.
fn two_notices(folder: &std::path::Path) {
    for text in 0..24 {
        let notice = if text < 12 { words("a", 100) } else { words("b", 20) };
        let content = format!("{}. {notice}.\n", words(&format!("own{text}x"), 100));
        std::fs::write(folder.join(format!("{text:02}.txt")), content).unwrap();
    }
}

const FLAGS: &str = "--lang none --jaccard 1 --hamming off --partial-jaccard off";

#[test]
fn each_common_passage_counts_on_its_own() {
    let folder = empty_folder("common_passages", "each");
    let texts = folder.join("texts");
    std::fs::create_dir_all(&texts).unwrap();
    two_notices(&texts);
    // The notice a makes texts partial: 100 of 200 words. The notice b does not: 20 of 120.
    let badge = |flags: &str| {
        let run = run(&folder, &format!("corpus texts {FLAGS} --format badge {flags}"));
        let badge: Value = serde_json::from_str(&run.output).unwrap();
        (run.status, badge["message"].as_str().unwrap().to_owned())
    };
    assert_eq!(badge("--fail-on excerpt"), (1, "2 common passages".to_owned()));
    assert_eq!(badge("--fail-on partial"), (1, "1 common passage".to_owned()));
    let update = "--fail-on partial --baseline accepted.txt --update-baseline";
    assert_eq!(badge(update), (0, "none".to_owned()));
    assert_eq!(badge("--fail-on partial --baseline accepted.txt"), (0, "none".to_owned()));
    let rest = "--fail-on excerpt --baseline accepted.txt";
    assert_eq!(badge(rest), (1, "1 common passage".to_owned()));
}

#[test]
fn a_common_passage_of_new_texts_alone_is_not_added_to_one_that_counts() {
    let folder = empty_folder("common_passages", "beside");
    let [new, old] = ["new", "old"].map(|name| folder.join(name));
    std::fs::create_dir_all(&new).unwrap();
    std::fs::create_dir_all(&old).unwrap();
    two_notices(&new);
    std::fs::write(old.join("old.txt"), words("old", 100) + ". " + &words("b", 20)).unwrap();
    let line = format!("corpus new --against old {FLAGS} --fail-on excerpt --format badge");
    let run = run(&folder, &line);
    assert_eq!(run.status, 1);
    assert!(run.output.contains("\"message\":\"1 common passage\""), "{}", run.output);
}

#[test]
fn a_file_that_begins_with_a_common_passage_is_an_earlier_output() {
    for format in ["junit", "markdown", "badge", "gitlab", "csv", "sarif", "json"] {
        let folder = empty_folder("common_passages", format);
        twelve(&folder, 120, 14);
        let line = format!("corpus . --lang none --fail-on excerpt --format {format}=out.{format}");
        let first = run(&folder, &line);
        assert_eq!((first.status, first.errors.as_str()), (1, ""), "{format}");
        let again = run(&folder, &line);
        assert_eq!((again.status, again.errors.as_str()), (1, ""), "{format}");
    }
}

#[test]
fn a_baseline_accepts_common_passages() {
    let folder = empty_folder("common_passages", "baseline");
    let texts = folder.join("texts");
    std::fs::create_dir_all(&texts).unwrap();
    twelve(&texts, 120, 14);
    let line = "corpus texts --lang none --fail-on excerpt --baseline accepted.txt";
    let update = run(&folder, &format!("{line} --update-baseline"));
    assert_eq!(update.status, 0);
    assert_eq!(
        update.errors,
        "dedup: accepted.txt: 1 passage or pair accepted, 1 of them new; 0 dropped\n"
    );
    let again = run(&folder, line);
    assert_eq!((again.status, again.errors.as_str()), (0, ""));
    // A further text has it, and becomes the first.
    std::fs::write(texts.join("0.txt"), words("first", 120) + ". " + &words("n", 14)).unwrap();
    assert_eq!((run(&folder, line).status, run(&folder, line).errors.as_str()), (0, ""));
    // A word more is no other passage, but twelve are.
    twelve(&texts, 120, 15);
    assert_eq!((run(&folder, line).status, run(&folder, line).errors.as_str()), (0, ""));
    twelve(&texts, 120, 26);
    let other = run(&folder, line);
    assert_eq!(other.status, 1);
    assert_eq!(other.errors, "hint: --update-baseline accepts everything found\n");
    let digests = run(&folder, &format!("{line} --update-baseline --anonymous-baseline"));
    assert_eq!(digests.status, 0);
    assert_eq!((run(&folder, line).status, run(&folder, line).errors.as_str()), (0, ""));
}

/// Checks that a passage that was accepted stays accepted when other texts come and go, so that it
/// is no longer too common to make a pair, or has become so: 13 of 125 texts would be enough, and
/// 12 of 115 are.
#[test]
fn what_is_accepted_does_not_depend_on_the_number_of_other_texts() {
    let folder = empty_folder("common_passages", "threshold");
    let texts = folder.join("texts");
    std::fs::create_dir_all(&texts).unwrap();
    twelve(&texts, 80, 14);
    let other = |number: usize| texts.join(format!("other{number}.txt"));
    for number in 0..113 {
        std::fs::write(other(number), words(&format!("other{number}x"), 20)).unwrap();
    }
    let check = |flags: &str| {
        let line = "corpus texts --lang none --fail-on excerpt --baseline accepted.txt";
        let run = run(&folder, &format!("{line} {flags}"));
        (run.status, run.output, run.errors)
    };
    let done = |status: i32, output: &str, errors: &str| {
        let errors = if errors.is_empty() { String::new() } else { format!("dedup: {errors}\n") };
        (status, output.to_owned(), errors)
    };
    let common = |texts: usize, found: &str| {
        format!(
            "0 pairs excerpt or closer{found}\n{texts} texts compared\ntoo common to make a pair: 14 \
             words that {} of {texts} texts have: \"n0 n1 n2 n3 n4\n  n5 n6 n7 n8 n9 n10 n11 n12 n13\" \
             (texts/00.txt, line 1)\n",
            texts - 103
        )
    };
    let counted = "accepted.txt: 66 passages or pairs accepted, 66 of them new; 0 dropped";
    let pairs = "0 pairs excerpt or closer; 66 accepted earlier\n125 texts compared\n";
    assert_eq!(check("--update-baseline"), done(0, pairs, counted));
    for number in 0..10 {
        std::fs::remove_file(other(number)).unwrap();
    }
    assert_eq!(check(""), done(0, &common(115, ""), ""));
    // One more text has it.
    std::fs::write(other(0), words("more", 80) + ". " + &words("n", 14)).unwrap();
    let (status, output, _) = check("");
    assert_eq!((status, output), (1, common(116, ", and 1 common passage")));
    std::fs::remove_file(other(0)).unwrap();
    // In the other direction: the baseline lists a passage, which makes pairs now.
    let counted = "accepted.txt: 1 passage or pair accepted, 0 of them new; 0 dropped";
    assert_eq!(check("--update-baseline"), done(0, &common(115, ""), counted));
    for number in 0..10 {
        std::fs::write(other(number), words(&format!("other{number}x"), 20)).unwrap();
    }
    assert_eq!(check(""), done(0, pairs, ""));
    // An accepted pair leaves the others as they are.
    let counted = "accepted.txt: 2 passages or pairs accepted, 0 of them new; 0 dropped";
    assert_eq!(check("--accept texts/00.txt texts/01.txt"), done(0, pairs, counted));
    assert_eq!(check(""), done(0, pairs, ""));
}

#[test]
fn every_format_of_findings_lists_common_passages() {
    let folder = empty_folder("common_passages", "formats");
    twelve(&folder, 120, 14);
    let sarif = corpus(&folder, "--fail-on excerpt --format sarif").output;
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "excerpt");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "00.txt");
    assert_eq!(place["region"]["startLine"], 1);
    let mut transcript = Transcript::default();
    for format in ["github", "junit", "markdown", "badge", "gitlab", "csv"] {
        let line = format!("corpus . --lang none --fail-on excerpt --format {format}");
        transcript.run(&line, &run(&folder, &line));
    }
    transcript.assert_snapshot("common_passages");
}
