//! Tests that `dedup clusters` agrees with `dedup corpus`.

use std::path::{Path, PathBuf};

use crate::common::{read_file, with_input as run};

fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clusters").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("docs.jsonl"), read_file("samples/notices.jsonl")).unwrap();
    folder
}

/// Checks pairs of a level, and the nearest of each text, some of which are below the level.
#[test]
fn what_is_kept_is_what_the_corpus_keeps() {
    let folder = folder("kept");
    let corpus = |flags: &str| {
        run(&folder, &format!("corpus --jsonl docs.jsonl --format jsonl {flags}"), "")
    };
    for level in ["partial", "near-duplicate", "identical"] {
        let level = format!("--at-least {level}");
        for pairs in [level.as_str(), "--at-least different", "--nearest 1", "--nearest 3"] {
            let pairs = corpus(pairs).output;
            let clusters = run(&folder, &format!("clusters {level}"), &pairs);
            let want = corpus(&format!("--clusters {level}"));
            assert_eq!((clusters.errors.as_str(), clusters.status), ("", 0));
            // The nearest pairs may link the clusters with other pairs than all pairs do.
            let members = |lines: &str| -> Vec<String> {
                lines
                    .lines()
                    .map(|line| line.split("\"links\"").next().unwrap().to_owned())
                    .collect()
            };
            assert_eq!(members(&clusters.output), members(&want.output), "{level}");
            let kept =
                run(&folder, &format!("clusters {level} --keep first --texts docs.jsonl"), &pairs);
            assert_eq!(kept.output, corpus(&format!("--keep first {level}")).output, "{level}");
        }
    }
    // Each text but one is in at least one of these pairs.
    let kept = run(&folder, "clusters --keep first", &corpus("--nearest 1").output);
    let want = corpus("--keep first").output.replace("{\"path\":\"weather\"}\n", "");
    assert_eq!(kept.output, want);
    assert_eq!(kept.output.lines().count(), 5);
}

#[test]
fn the_texts_are_not_read_from_standard_input() {
    let folder = folder("twice");
    let pairs = run(&folder, "corpus --jsonl docs.jsonl --format jsonl", "").output;
    let kept = run(&folder, "clusters --keep first --texts -", &pairs);
    let want = "dedup: - is given twice, expected standard input only once\nhint: the pairs are \
                standard input; name a file for --texts\n";
    assert_eq!((kept.status, kept.output.as_str(), kept.errors.as_str()), (2, "", want));
}

/// Checks that an accepted pair does not link its texts: both are kept.
#[test]
fn accepted_pairs_link_nothing() {
    let folder = folder("accepted");
    let keep = "clusters --keep first --texts docs.jsonl";
    let kept = |line: &str| {
        let pairs = run(&folder, line, "");
        let kept = run(&folder, keep, &pairs.output);
        assert_eq!((kept.errors.as_str(), kept.status), ("", 0));
        kept.output.replace("{\"path\":\"", "").replace("\"}\n", " ")
    };
    let all = "harbour-1 harbour-2 harbour-3 library-1 library-2 market-1 market-2 weather ";
    let without = all.replace("harbour-2 ", "").replace("market-2 ", "");
    let line = "corpus --jsonl docs.jsonl --format jsonl";
    assert_eq!(kept(line), without);
    let identical = format!("{line} --baseline b --update-baseline --at-least identical");
    assert_eq!(run(&folder, &identical, "").status, 0);
    for flags in ["", " --nearest 1"] {
        let baseline = format!("{line} --baseline b{flags}");
        assert_eq!(kept(&baseline), all.replace("harbour-2 ", ""), "{flags}");
    }
    assert_eq!(run(&folder, &format!("{line} --baseline b --update-baseline"), "").status, 0);
    assert_eq!(kept(&format!("{line} --baseline b")), all);
}

#[test]
fn what_is_no_pair_of_texts_is_an_error_with_its_line() {
    let folder = folder("trouble");
    let pair = |more: &str, jaccard: &str, shared: u32, hamming: u32| {
        format!(
            "{{{more}\"a\":\"x\",\"b\":\"y\",\"verdict\":\"near-duplicate\",\"hamming\":{hamming},\
             \"jaccard\":{jaccard},\"shared\":{shared},\"union\":4}}\n"
        )
    };
    let good = pair("", "0.75", 3, 3);
    assert_eq!(run(&folder, "clusters", &good).status, 0);
    let table = [
        (
            "another schema",
            pair("\"schema\":\"dedup.pair/3\",", "0.75", 3, 3),
            "a record of the schema dedup.pair/3, expected dedup.pair/2",
        ),
        (
            "no pair's",
            "{\"schema\":\"dedup.cluster/1\",\"members\":[\"x\",\"y\"],\"links\":[]}\n".to_owned(),
            "a record of the schema dedup.cluster/1, expected dedup.pair/2",
        ),
        ("more than all", pair("", "1.5", 3, 3), "jaccard 1.5, expected figures of two texts"),
        ("less than none", pair("", "-1", 3, 3), "jaccard -1, expected figures of two texts"),
        (
            "shared by neither",
            pair("", "1", 5, 3),
            "shared 5 of union 4, expected figures of two texts",
        ),
        (
            "too many bits",
            pair("", "0.75", 3, 65),
            "hamming 65 of 64 bits, expected figures of two texts",
        ),
        (
            "another index",
            pair("", "0.5", 3, 3),
            "jaccard 0.5, shared 3 and union 4, expected figures of two texts",
        ),
    ];
    for (why, line, want) in table {
        let run = run(&folder, "clusters --keep first", format!("{good}{line}{good}"));
        let want = format!(
            "dedup: -: line 2: {want}\nhint: dedup corpus --format jsonl and the programs in \
             integrations/ write such records\n"
        );
        assert_eq!((run.errors, run.output.as_str(), run.status), (want, "", 2), "{why}");
    }
}

#[test]
fn a_link_without_an_index_has_that_of_its_counts() {
    let folder = folder("computed");
    let pair = "{\"a\":\"x\",\"b\":\"y\",\"verdict\":\"near-duplicate\",\"hamming\":2,\"shared\":4,\"union\":5}\n";
    let run = run(&folder, "clusters", pair);
    let link =
        "{\"a\":\"x\",\"b\":\"y\",\"verdict\":\"near-duplicate\",\"hamming\":2,\"jaccard\":0.8,";
    assert!(run.output.contains(link), "{}", run.output);
}

#[test]
fn a_file_argument_is_told_of_standard_input() {
    let run = run(&folder("argument"), "clusters pairs.jsonl", "");
    let want = "dedup: unexpected argument 'pairs.jsonl' found\n\n\
                Usage: dedup clusters [OPTIONS] < PAIRS\n";
    assert!(run.errors.starts_with(want) && run.status == 2, "{}", run.errors);
}

#[test]
fn texts_that_do_not_fit_the_pairs_are_a_warning() {
    let folder = folder("unrelated");
    let pair = "{\"a\":\"x\",\"b\":\"y\",\"verdict\":\"near-duplicate\",\"hamming\":2,\"shared\":4,\"union\":5}\n";
    let warning = "dedup: warning: texts.jsonl: no text is in any pair: its texts have names such \
                   as q, pairs such as x\nhint: --id FIELD names the field with their ids\n";
    let lacks = "dedup: warning: texts.jsonl: lacks 1 text of the pairs, such as x\nhint: --texts \
                 needs the records of all texts, in one file\n";
    #[rustfmt::skip]
    let table = [
        ("none",        "{\"id\":\"q\"}\n{\"id\":\"r\"}\n", pair, warning),
        ("one of them", "{\"id\":\"q\"}\n{\"id\":\"y\"}\n", pair, lacks),
        ("both",        "{\"id\":\"x\"}\n{\"id\":\"y\"}\n", pair, ""),
        ("no pairs",    "{\"id\":\"q\"}\n{\"id\":\"r\"}\n", "",   ""),
    ];
    for (why, texts, pairs, want) in table {
        std::fs::write(folder.join("texts.jsonl"), texts).unwrap();
        let run = run(&folder, "clusters --keep first --texts texts.jsonl", pairs);
        assert_eq!((run.errors.as_str(), run.status), (want, 0), "{why}");
    }
}
