//! The flags of all commands → the JSON Schema of a settings file, for editors.

use clap::{Arg, Command};
use serde_json::{Map, Value, json};

use super::keys::{self, Kind, Probe};
use super::page::told_default;

/// The greatest number that is tried.
const GREATEST: u64 = 1 << 40;

/// The schema, by the draft of 2020-12, with the flags of a command as properties.
pub(crate) fn schema(command: &Command) -> Value {
    let mut probe = Probe::of(command.clone());
    let mut properties = Map::new();
    for arg in command.get_arguments() {
        if let Some(key) = keys::key(arg) {
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

/// The pairs of keys that cannot stand together. A switch may, where it is off.
fn opposed(command: &Command) -> Vec<[String; 2]> {
    let mut pairs = Vec::new();
    for arg in command.get_arguments() {
        for other in command.get_arg_conflicts_with(arg) {
            let is_switch = |arg: &Arg| matches!(arg.get_action(), clap::ArgAction::SetTrue);
            if let (Some(one), Some(two)) = (keys::key(arg), keys::key(other))
                && !is_switch(arg)
                && !is_switch(other)
            {
                pairs.push([one.to_owned(), two.to_owned()]);
            }
        }
    }
    pairs
}

fn property(key: &str, arg: &Arg, probe: &mut Probe) -> Value {
    let one = one(key, arg, probe);
    let mut property = if keys::is_many(arg) {
        let mut property = Map::new();
        let alone = match arg.get_value_delimiter() {
            Some(_) => json!({"type": "string"}), // several in one
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

/// What one value of a flag is.
fn one(key: &str, arg: &Arg, probe: &mut Probe) -> Map<String, Value> {
    let kind = probe.kind(arg);
    let values = arg.get_possible_values();
    let shown = values.iter().filter(|value| !value.is_hide_set());
    let names: Vec<&str> = shown.map(clap::builder::PossibleValue::get_name).collect();
    let forms = values.iter().filter(|value| value.is_hide_set());
    let forms: Vec<Value> =
        forms.map(|form| json!({"pattern": pattern(form.get_name())})).collect();
    let one = match kind {
        Kind::Switch => json!({"type": "boolean"}),
        Kind::Whole | Kind::Decimal => number(key, kind, probe),
        Kind::Text if names.is_empty() || probe.takes(key, "no-number") => {
            json!({"type": "string"})
        }
        Kind::Text if forms.is_empty() => json!({"enum": names}),
        Kind::Text => {
            let names = [json!({"enum": names})].into_iter();
            json!({"type": "string", "anyOf": names.chain(forms).collect::<Vec<_>>()})
        }
    };
    let Value::Object(mut one) = one else { return Map::new() };
    if let Some(default) = told_default(arg).filter(|default| probe.takes(key, default)) {
        let number = default.parse().ok().filter(|_| kind != Kind::Text).map(Value::Number);
        one.insert("default".to_owned(), number.unwrap_or(Value::String(default)));
    }
    one
}

/// A form such as `newest:FIELD` as a pattern: what is in capitals stands for something.
fn pattern(form: &str) -> String {
    let start = form.trim_end_matches(|letter: char| letter.is_ascii_uppercase());
    format!("^{start}.+$")
}

/// A number within the range that a flag takes, or `off`.
fn number(key: &str, kind: Kind, probe: &mut Probe) -> Value {
    let mut takes = |number: u64| probe.takes(key, &number.to_string());
    let least = (0..=12).find(|number| takes(*number)).unwrap_or(0);
    // The greatest number that is taken, where they are one range.
    let (mut greatest, mut refused) = (least, GREATEST);
    let has_end = !takes(GREATEST);
    while has_end && refused - greatest > 1 {
        let middle = u64::midpoint(greatest, refused);
        if takes(middle) { greatest = middle } else { refused = middle }
    }
    let mut number = Map::new();
    let name = if kind == Kind::Whole { "integer" } else { "number" };
    number.insert("type".to_owned(), name.into());
    number.insert("minimum".to_owned(), least.into());
    if has_end {
        number.insert("maximum".to_owned(), greatest.into());
    }
    if probe.takes(key, "off") {
        return json!({"anyOf": [number, {"const": "off"}]});
    }
    Value::Object(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_patterns() {
        for (form, want) in [("newest:FIELD", "^newest:.+$"), ("short=WORDS", "^short=.+$")] {
            assert_eq!(pattern(form), want);
        }
    }
}
