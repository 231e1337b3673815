//! Extracts the scripts that a YAML file runs, with their expressions filled in.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::programs::read;

/// Environment variables, by name.
pub(crate) type Variables = BTreeMap<String, String>;

/// Parses a YAML file or example to JSON.
pub(crate) fn yaml(source: &str) -> Value {
    serde_saphyr::from_str(source).unwrap_or_else(|error| panic!("{error}\n{source}"))
}

/// A step that runs a script.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) script: String,
    pub(crate) variables: Variables,
}

/// Returns the only step of our action, for the inputs in `with`.
pub(crate) fn action(with: &Value) -> Step {
    let action = yaml(&read("action.yml"));
    let inputs = action["inputs"].as_object().unwrap();
    for given in with.as_object().unwrap().keys() {
        assert!(inputs.contains_key(given), "the action has no input {given}");
    }
    let input = |name: &str| {
        let value = with.get(name).or_else(|| inputs[name].get("default"));
        value.map_or_else(String::new, text)
    };
    let steps = action["runs"]["steps"].as_array().unwrap();
    let [step] = &steps[..] else { panic!("{} steps", steps.len()) };
    assert_eq!(step["shell"], "bash");
    let sources = Path::new(".").canonicalize().unwrap().display().to_string();
    let filled = |value: &Value| match expression(value.as_str().unwrap()) {
        None => text(value),
        Some("github.action_path") => sources.clone(),
        Some("github.action_ref") => "main".to_owned(),
        Some("github.action_repository") => "OWNER/dedup".to_owned(),
        Some("github.token") => "token".to_owned(),
        Some(name) => input(name.strip_prefix("inputs.").unwrap()),
    };
    let variables = step["env"].as_object().unwrap().iter();
    Step {
        script: step["run"].as_str().unwrap().to_owned(),
        variables: variables.map(|(name, value)| (name.clone(), filled(value))).collect(),
    }
}

/// Returns the expression in `${{ }}`, if it is the complete value.
fn expression(value: &str) -> Option<&str> {
    Some(value.strip_prefix("${{")?.strip_suffix("}}")?.trim())
}

/// Formats a value for an environment variable.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
