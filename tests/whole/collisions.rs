//! Words and shingles that were made to have one Rabin residue stay different.

#[path = "../../examples/collision/exchange.rs"]
mod exchange;

use std::path::Path;

use dedup_text::language::{Choice, Given};
use dedup_text::pipeline;
use dedup_text::rabin::residue;
use dedup_text::recipe::Recipe;
use dedup_text::text::Text;
use dedup_text::warnings::Warning;
use exchange::collision;
use proptest::prelude::*;
use serde_json::Value;

use crate::common::{Run, in_folder};

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
    // Of 14 windows of three of the 16 stems, three have the number.
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

fn recipe() -> Recipe {
    let given = Given::As(None);
    Recipe { languages: Choice { left: given, right: given }, ..Recipe::default() }
}

fn text(content: &str) -> Text {
    Text::from_bytes(Path::new("made.txt"), content.as_bytes().to_vec()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Numbers that have one residue alone (22 digits) or only together (three of eight digits),
    /// against numbers of as many digits that have not.
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
        // The same words are exchanged for ones that have a 9, which no number here has.
        let exchanged: Vec<Vec<u8>> = numbers
            .split(|byte| *byte == b' ')
            .zip(collided.split(|byte| *byte == b' '))
            .map(|(word, other)| if word == other { word.to_vec() } else { [b"9", &word[1..]].concat() })
            .collect();
        let whole = |numbers: &[u8]| text(&format!("{before}{}{after}", str::from_utf8(numbers).unwrap()));
        let recipe = recipe();
        let judge = |other: &[u8]| pipeline::judge(&whole(&numbers), &whole(other), &recipe).unwrap();
        let (got, want) = (judge(&collided), judge(&exchanged.join(&b' ')));
        prop_assert_eq!(got.comparison.all, want.comparison.all);
        prop_assert_eq!(got.comparison.longest, want.comparison.longest);
        prop_assert!(!got.comparison.same_words);
        prop_assert!(got.warnings.iter().any(|it| matches!(it, Warning::Collisions(_))));
        prop_assert!(!want.warnings.iter().any(|it| matches!(it, Warning::Collisions(_))));
    }
}
