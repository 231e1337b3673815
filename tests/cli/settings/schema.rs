//! Compares the JSON Schema of a settings file with the settings that `dedup` accepts.

use serde_json::{Map, Value, json};
use toml::de::{DeTable, DeValue};

use super::{repository, run};

fn schema() -> Value {
    let folder = repository("schema", &[]);
    serde_json::from_str(&run(&folder, "config --schema").output).unwrap()
}

#[test]
fn the_schema_is_one() {
    jsonschema::meta::validate(&schema()).unwrap();
}

/// Converts TOML to the JSON that editors validate.
fn as_json(value: &DeValue) -> Value {
    match value {
        DeValue::String(text) => json!(text),
        DeValue::Integer(number) => json!(number.as_str().parse::<i64>().unwrap()),
        DeValue::Float(number) => json!(number.as_str().parse::<f64>().unwrap()),
        DeValue::Boolean(value) => json!(value),
        DeValue::Datetime(date) => json!(date.to_string()),
        DeValue::Array(items) => items.iter().map(|item| as_json(item.get_ref())).collect(),
        DeValue::Table(table) => object(table),
    }
}

fn object(table: &DeTable) -> Value {
    let entries = table.iter();
    let entries = entries.map(|(key, value)| (key.get_ref().to_string(), as_json(value.get_ref())));
    Value::Object(entries.collect::<Map<_, _>>())
}

#[test]
fn the_schema_takes_what_dedup_takes() {
    #[rustfmt::skip]
    let table = [
        ("nothing",               "",                                     true),
        ("numbers",               "jaccard = 0.8\nmin = 2\nhamming = 64", true),
        ("off",                   "jaccard = \"off\"\nmax-bytes = \"off\"", true),
        ("words",                 "html = \"all\"\nat-least = \"partial\"", true),
        ("a switch",              "quiet = true",                         true),
        ("one",                   "template = \"l.txt\"",                 true),
        ("many",                  "template = [\"l.txt\", \"r.txt\"]",    true),
        ("several in one",        "ignore = \"quotes,short=9\"",          true),
        ("forms",                 "ignore = [\"short=9\"]\nkeep = \"newest:date\"", true),
        ("a list",                "stopwords = \"l.txt\"",                true),
        ("a word for a list",     "stopwords = \"off\"",                  true),
        ("opposites, one off",    "explain = true\nquiet = false",        true),
        ("a share",               "template-share = 0.3",                 true),
        ("the greatest share",    "template-share = 1",                   true),
        ("no share",              "template-share = 0",                   false),
        ("too great a share",     "template-share = 1.5",                 false),
        ("an unknown key",        "jacard = 0.8",                         false),
        ("a table",               "[corpus]\nnearest = 3",                false),
        ("of one run",            "list = true",                          false),
        ("too great",             "jaccard = 1.5",                        false),
        ("too great, whole",      "hamming = 65",                         false),
        ("too small",             "min = 0",                              false),
        ("too small a passage",   "min-match = 2",                        false),
        ("no whole number",       "min = 1.5",                            false),
        ("no number",             "jaccard = \"0.5\"",                    false),
        ("another word",          "jaccard = \"none\"",                   false),
        ("an unknown word",       "html = \"mian\"",                      false),
        ("an unknown level",      "fail-on = \"same\"",                   false),
        ("an unknown form",       "keep = \"oldest:date\"",               false),
        ("a switch as a word",    "quiet = \"on\"",                       false),
        ("an array of one",       "stem = [\"on\"]",                      false),
        ("a number in an array",  "template = [1]",                       false),
        ("a date",                "id = 2026-11-21",                      true), // JSON has no dates
        ("both of two",           "at-least = \"partial\"\nfail-on = \"partial\"", false),
    ];
    let validator = jsonschema::validator_for(&schema()).unwrap();
    for (why, file, want) in table {
        let settings = DeTable::parse(file).unwrap();
        assert_eq!(validator.is_valid(&object(settings.get_ref())), want, "schema: {why}");
        let folder = repository("takes", &[("dedup.toml", file)]);
        let want = want && why != "a date";
        let run = run(&folder, "config");
        assert_eq!(run.status == 0, want, "dedup: {why}: {}", run.errors);
    }
}

#[test]
fn what_dedup_prints_follows_the_schema() {
    let folder = repository("follows", &[]);
    let page = run(&folder, "config --keep longest --lang ca --max-pdf-time off").output;
    let settings = DeTable::parse(&page).unwrap();
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let settings = object(settings.get_ref());
    let faults: Vec<String> =
        validator.iter_errors(&settings).map(|fault| fault.to_string()).collect();
    assert_eq!(faults, Vec::<String>::new());
}
