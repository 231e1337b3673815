//! Makes the JSON Schema of a settings file of the flags of all commands.

use clap::{Arg, Command};
use dedup_text::shingles::Ngrams;
use dedup_text::verdict::Limits;
use serde_json::{Map, Value, json};

use super::merge::{self, Kind};

/// The largest number that is tried when looking for the maximum of a flag.
const MAX_TRIED: u64 = 1 << 40;

/// Returns the JSON Schema (draft 2020-12) of a settings file, with the flags of a command as
/// properties.
pub(crate) fn schema(command: &Command) -> Value {
    let mut probe = command.clone();
    let mut properties = Map::new();
    for arg in command.get_arguments() {
        if let Some(key) = merge::key(arg) {
            properties.insert(key.to_owned(), property(key, arg, &mut probe));
        }
    }
    let opposed: Vec<Value> = opposed(command)
        .into_iter()
        .map(|[one, other]| json!({"not": {"required": [one, other]}}))
        .collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "dedup.settings/1",
        "title": "The settings of dedup: dedup.toml",
        "type": "object",
        "properties": properties,
        "allOf": opposed,
        "additionalProperties": false
    })
}

/// Returns the pairs of keys that conflict. Switches are left out, because a switch that is `false`
/// conflicts with nothing.
fn opposed(command: &Command) -> Vec<[String; 2]> {
    let mut pairs = Vec::new();
    for arg in command.get_arguments() {
        for other in command.get_arg_conflicts_with(arg) {
            let is_switch = |arg: &Arg| matches!(arg.get_action(), clap::ArgAction::SetTrue);
            if let (Some(one), Some(two)) = (merge::key(arg), merge::key(other))
                && !is_switch(arg)
                && !is_switch(other)
            {
                pairs.push([one.to_owned(), two.to_owned()]);
            }
        }
    }
    pairs
}

fn property(key: &str, arg: &Arg, probe: &mut Command) -> Value {
    let one = one(key, arg, probe);
    let mut property = if merge::is_many(arg) {
        let mut property = Map::new();
        let alone = match arg.get_value_delimiter() {
            Some(_) => json!({"type": "string"}), // one string may hold several values
            None => json!(one),
        };
        property.insert("anyOf".to_owned(), json!([alone, {"type": "array", "items": one}]));
        property
    } else {
        one
    };
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    property.insert("description".to_owned(), Value::String(help));
    Value::Object(property)
}

/// Returns the schema of a single value of a flag.
fn one(key: &str, arg: &Arg, probe: &mut Command) -> Map<String, Value> {
    let kind = merge::kind(probe, arg);
    let values = arg.get_possible_values();
    let shown = values.iter().filter(|value| !value.is_hide_set());
    let names: Vec<&str> = shown.map(clap::builder::PossibleValue::get_name).collect();
    let forms = values.iter().filter(|value| value.is_hide_set());
    let forms: Vec<Value> =
        forms.map(|form| json!({"pattern": pattern(form.get_name())})).collect();
    let one = match kind {
        Kind::Switch => json!({"type": "boolean"}),
        Kind::Whole | Kind::Decimal => number_schema(key, kind, probe),
        Kind::Text if names.is_empty() || merge::takes(probe, key, "no-number") => {
            json!({"type": "string"})
        }
        Kind::Text if forms.is_empty() => json!({"enum": names}),
        Kind::Text => {
            let names = [json!({"enum": names})].into_iter();
            json!({"type": "string", "anyOf": names.chain(forms).collect::<Vec<_>>()})
        }
    };
    let Value::Object(mut one) = one else { return Map::new() };
    if let Some(default) = default(arg).filter(|default| merge::takes(probe, key, default)) {
        let number = default.parse().ok().filter(|_| kind != Kind::Text).map(Value::Number);
        one.insert("default".to_owned(), number.unwrap_or(Value::String(default)));
    }
    one
}

/// Converts a form such as `newest:FIELD` to a pattern: the capitals stand for any text.
fn pattern(form: &str) -> String {
    let start = form.trim_end_matches(|letter: char| letter.is_ascii_uppercase());
    format!("^{start}.+$")
}

/// Returns the schema of a number in the range that a flag accepts, or of such a number or a word
/// for no limit.
fn number_schema(key: &str, kind: Kind, probe: &mut Command) -> Value {
    let mut takes = |number: u64| merge::takes(probe, key, &number.to_string());
    let least = (0..=12).find(|number| takes(*number)).unwrap_or(0);
    // Binary search for the largest accepted number, on the assumption that the accepted numbers
    // form one range.
    let (mut greatest, mut refused) = (least, MAX_TRIED);
    let has_end = !takes(MAX_TRIED);
    while has_end && refused - greatest > 1 {
        let middle = u64::midpoint(greatest, refused);
        if takes(middle) { greatest = middle } else { refused = middle }
    }
    let mut number = Map::new();
    let name = if kind == Kind::Whole { "integer" } else { "number" };
    number.insert("type".to_owned(), name.into());
    if kind == Kind::Decimal && least > 0 && merge::takes(probe, key, "0.5") {
        number.insert("exclusiveMinimum".to_owned(), 0.into());
    } else {
        number.insert("minimum".to_owned(), least.into());
    }
    if has_end {
        number.insert("maximum".to_owned(), greatest.into());
    }
    if let Some(word) = ["off", "all"].into_iter().find(|word| merge::takes(probe, key, word)) {
        return json!({"anyOf": [number, {"const": word}]});
    }
    Value::Object(number)
}

/// Default values that clap does not know, because a flag that is absent differs from one that is
/// given its default: the effect of its absence depends on other flags, or cannot be typed. The
/// help texts repeat them.
const DEFAULTS: &[(&str, &str)] = &[
    ("passages", "on"),
    ("at-least", "near-duplicate"),
    ("format", "text"),
    ("id", "id"),
    ("text", "text"),
    ("max-pairs", "1000000"),
    ("threads", "the number of cores"),
    ("memory", "three quarters of the memory available"),
];

/// Returns the default of a setting. `None` if it has none.
pub(crate) fn default(arg: &Arg) -> Option<String> {
    if !arg.get_action().takes_values() {
        return None;
    }
    if let Some(known) = arg.get_default_values().first().and_then(|value| value.to_str()) {
        return Some(known.to_owned());
    }
    let flag = arg.get_long()?;
    match flag {
        "min" => Some(Ngrams::default().min().to_string()),
        "max" => Some(Ngrams::default().max().to_string()),
        "partial-jaccard" => Some(Limits::default().partial_jaccard?.to_string()),
        _ => DEFAULTS.iter().find(|(known, _)| *known == flag).map(|row| row.1.to_owned()),
    }
}

#[test]
fn forms_are_patterns() {
    for (form, want) in [("newest:FIELD", "^newest:.+$"), ("short=WORDS", "^short=.+$")] {
        assert_eq!(pattern(form), want);
    }
}
