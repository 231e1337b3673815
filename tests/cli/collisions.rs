//! Tests that words and shingles that were constructed to have the same Rabin residue stay
//! different.

#[path = "../../examples/collision/exchange.rs"]
mod exchange;

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use dedup_text::language::{Choice, Given};
use dedup_text::pair;
use dedup_text::pair::Recipe;
use dedup_text::pair::warnings::Warning;
use dedup_text::rabin::residue;
use dedup_text::text::Text;
use exchange::collision;
use proptest::prelude::*;
use serde_json::Value;

use crate::common::{Run, command, empty_folder, in_folder};

const ONE: &str = "4000000000000000000001";
const OTHER: &str = "3616207136267326152070";

fn letter(account: &str) -> String {
    format!(
        "The bank has closed the account {account} of the harbour office on the last day of March, \
         and asks everyone who has a claim to it to write to the office before the first of June.\n"
    )
}

fn compared(line: &str) -> Run {
    let [one, other] = [ONE, OTHER].map(letter);
    in_folder("collisions", &[("one.txt", one.as_bytes()), ("other.txt", other.as_bytes())], line)
}

#[test]
fn two_account_numbers_of_one_residue_are_two_words() {
    assert_eq!(residue(ONE.as_bytes()), residue(OTHER.as_bytes()));
    let run = compared("one.txt other.txt --format json --max 3 --min 3");
    let record: Value = serde_json::from_str(&run.output).unwrap();
    assert_eq!(run.errors, "");
    assert_ne!(record["verdict"], "identical");
    // 14 windows of three of the 16 stems; three of them contain the number.
    assert_eq!(record["measures"]["shared"], 11);
    assert_eq!(record["measures"]["union"], 17);
    assert_eq!(record["matches"][0]["kind"], "edited");
    let warnings = record["warnings"].as_array().unwrap();
    let codes: Vec<&Value> = warnings.iter().map(|warning| &warning["code"]).collect();
    assert_eq!(codes, ["collisions"]);
}

#[test]
fn a_corpus_has_the_figures_of_the_pair() {
    let pair = compared("one.txt other.txt --lang en --format json");
    let pair: Value = serde_json::from_str(&pair.output).unwrap();
    let many = compared("corpus . --lang en --format jsonl --at-least partial");
    let many: Value = serde_json::from_str(&many.output).unwrap();
    assert_eq!(many["verdict"], pair["verdict"]);
    assert_eq!(many["measures"], pair["measures"]);
    let kept = compared("corpus . --keep first --at-least identical").output;
    assert_eq!(kept, "./one.txt\n./other.txt\n2 of 2 texts kept\n2 texts compared\n");
}

/// Returns the warning about texts that collide.
fn warning(names: &str) -> String {
    format!(
        "dedup: warning: {names}: a text appears to be crafted: shingles have the Rabin residue of \
         other shingles, which does not happen by chance; they count as different\n"
    )
}

/// Returns the records of texts, and of two others that are like none of them.
fn lines(texts: &[&str]) -> String {
    let others = ["copper kettles stand on the stove", "a heron waits in the reeds at dusk"];
    let lines = texts.iter().chain(&others).zip('a'..).map(|(text, id)| {
        serde_json::json!({"id": id.to_string(), "text": text}).to_string() + "\n"
    });
    lines.collect()
}

#[test]
fn a_corpus_warns_of_a_pair_as_the_pair_does_and_names_its_texts() {
    let pair = compared("one.txt other.txt --lang en --format json");
    let pair: Value = serde_json::from_str(&pair.output).unwrap();
    for flags in ["--passages off", "--passages on"] {
        let run =
            compared(&format!("corpus . --lang en --format jsonl --at-least partial {flags}"));
        let record: Value = serde_json::from_str(&run.output).unwrap();
        assert_eq!(record["warnings"], pair["warnings"], "{flags}");
        assert_eq!(run.errors, warning("./one.txt, ./other.txt"), "{flags}");
    }
    for flags in
        ["", "--format paths", "--clusters", "--keep first", "--nearest 1", "--report r.html"]
    {
        let run = compared(&format!("corpus . --at-least partial {flags}"));
        let errors = run.errors.replace("dedup: report: r.html\n", "");
        assert_eq!(errors, warning("./one.txt, ./other.txt"), "{flags}");
    }
}

#[test]
fn records_are_read_again_from_where_they_stand() {
    let [one, other] = [ONE, OTHER].map(letter);
    let third = letter(ONE).replace("harbour", "customs");
    let lines = lines(&[&one, "ä kettle", &other, &third]);
    let mut all = Vec::new();
    for threads in [1, 2, 8] {
        let line = format!(
            "corpus --jsonl records.jsonl --at-least partial --format jsonl --threads {threads}"
        );
        let run = in_folder("collisions-records", &[("records.jsonl", lines.as_bytes())], &line);
        assert_eq!(run.errors, warning("a, c, d"));
        all.push(run.output);
    }
    let codes = |line: &str| {
        let record: Value = serde_json::from_str(line).unwrap();
        record["warnings"].to_string().matches("\"collisions\"").count()
    };
    // Two of the three pairs collide.
    assert_eq!(all[0].lines().map(codes).collect::<Vec<_>>(), [1, 0, 1]);
    assert!(all.iter().all(|output| *output == all[0]));
}

#[test]
fn what_is_read_from_a_pipe_collides_as_well() {
    let [one, other] = [ONE, OTHER].map(letter);
    let piped = |line: &str, input: &str| {
        let mut command = command();
        command.args(line.split(' ')).stdin(Stdio::piped()).stdout(Stdio::null());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap()
    };
    let records = lines(&[&one, &other]);
    assert_eq!(piped("corpus --jsonl -", &records), warning("a, b"));
    let folder = empty_folder("collisions-piped", "folder");
    std::fs::write(folder.join("one.txt"), &one).unwrap();
    let file = folder.join("one.txt");
    let line = format!("corpus - {}", file.display());
    assert_eq!(piped(&line, &other), warning(&format!("-, {}", file.display())));
}

#[test]
fn a_corpus_warns_of_a_text_that_collides_in_itself() {
    let both = format!("{} and {OTHER}", letter(ONE));
    let run = |texts: &[&str]| {
        let lines = lines(texts);
        in_folder("collisions-records", &[("r.jsonl", lines.as_bytes())], "corpus --jsonl r.jsonl")
            .errors
    };
    assert_eq!(run(&[&both]), warning("a"));
    assert_eq!(run(&[&both, &both, &both, &both, &both]), warning("a, b, c and 2 more"));
}

/// Checks that there is no warning about ordinary texts, or about pairs that are not reported.
#[test]
fn an_ordinary_corpus_has_no_such_warning() {
    let ordinary = [ONE, "4000000000000000000002"].map(letter);
    let [far, other] =
        [ONE, OTHER].map(|number| format!("{number} is what is owed for {}", &number[5..]));
    let far = format!("{far} kettles of copper that were never sent to us by sea");
    for texts in [[&ordinary[0], &ordinary[1]], [&far, &other]] {
        let lines = lines(&texts.map(String::as_str));
        let run = in_folder(
            "collisions-records",
            &[("r.jsonl", lines.as_bytes())],
            "corpus --jsonl r.jsonl",
        );
        assert_eq!(run.errors, "");
    }
}

fn recipe() -> Recipe {
    let given = Given::As(None);
    Recipe { languages: Choice { left: given, right: given }, ..Recipe::default() }
}

fn text(content: &str) -> Text {
    Text::from_bytes(Path::new("made.txt"), content.as_bytes().to_vec()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Compares numbers with the same residue, either alone (22 digits) or only together (three of
    /// eight digits each), with numbers of the same length and other residues.
    #[test]
    fn numbers_of_one_residue_are_compared_as_other_numbers_are(
        digits in proptest::collection::vec(0_u8..8, 24..40), is_one_word: bool,
        before in "([a-d] ){0,5}", after in "( [a-d]){0,5}",
    ) {
        let mut numbers: Vec<u8> = digits.iter().map(|digit| b'0' + digit).collect();
        if !is_one_word {
            numbers.truncate(24);
            numbers.insert(16, b' ');
            numbers.insert(8, b' ');
        }
        let changes: Vec<(usize, u8)> = (0..numbers.len())
            .filter(|at| numbers[*at] != b' ')
            .flat_map(|at| [1, 2, 4].map(|bit| (at, bit)))
            .collect();
        let collided = collision(&numbers, &changes).unwrap();
        prop_assert_eq!(residue(&collided), residue(&numbers));
        // The same words are replaced by ones with a 9, which no other number has.
        let exchanged: Vec<Vec<u8>> = numbers
            .split(|byte| *byte == b' ')
            .zip(collided.split(|byte| *byte == b' '))
            .map(|(word, other)| if word == other { word.to_vec() } else { [b"9", &word[1..]].concat() })
            .collect();
        let whole = |numbers: &[u8]| text(&format!("{before}{}{after}", str::from_utf8(numbers).unwrap()));
        let recipe = recipe();
        let judge = |other: &[u8]| pair::judge(&whole(&numbers), &whole(other), &recipe).unwrap();
        let (got, want) = (judge(&collided), judge(&exchanged.join(&b' ')));
        prop_assert_eq!(got.comparison.all, want.comparison.all);
        prop_assert_eq!(got.comparison.longest, want.comparison.longest);
        prop_assert!(!got.comparison.same_words);
        prop_assert!(got.warnings.iter().any(|it| matches!(it, Warning::Collisions(_))));
        prop_assert!(!want.warnings.iter().any(|it| matches!(it, Warning::Collisions(_))));
    }
}
