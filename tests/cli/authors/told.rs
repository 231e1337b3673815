//! Reads from each output of a run over a class whether it tells of a submission, apart from its pairs.

use serde_json::Value;

/// The formats of the outputs; `text` is the answer for people.
pub(crate) const FORMATS: [&str; 10] =
    ["text", "json", "csv", "markdown", "junit", "sarif", "gitlab", "github", "badge", "html"];

/// The verdicts of pairs that are listed, the closest first.
const VERDICTS: [&str; 4] = ["identical", "near-duplicate", "partial", "excerpt"];

/// Reports whether a value, or a value in it, is a string that names the folder `ben`.
fn names_ben(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains("ben"),
        Value::Array(all) => all.iter().any(names_ben),
        Value::Object(all) => all.values().any(names_ben),
        _ => false,
    }
}

fn parsed(output: &str) -> Value {
    serde_json::from_str(output).unwrap_or_else(|error| panic!("{error}: {output}"))
}

/// Reports whether an output has a note that names the submission in the folder `ben`, which is no
/// pair, or that says how many words are left out of how many texts.
pub(crate) fn has_note(format: &str, output: &str) -> bool {
    let any_line = |is_note: &dyn Fn(&str) -> bool| {
        output.lines().any(|line| line.contains("ben") && is_note(line))
    };
    let list = |value: &Value, is_note: &dyn Fn(&Value) -> bool| {
        value.as_array().is_some_and(|all| all.iter().any(|it| names_ben(it) && is_note(it)))
    };
    if format != "badge" && ["Left out ", "\"excluded\":"].iter().any(|it| output.contains(it)) {
        return true;
    }
    let is_verdict = |value: &Value| VERDICTS.iter().any(|verdict| value == verdict);
    match format {
        // Behind the rows of pairs, which have a vertical line.
        "text" => any_line(&|line| line.starts_with("  ") || line.starts_with("left out")),
        "json" => {
            let object = parsed(output);
            let fields = [
                "too_short",
                "disguised",
                "words_not_recognized",
                "left_out",
                "properties",
                "skipped",
                "failed",
                "common",
            ];
            fields.iter().any(|field| names_ben(&object[*field]))
        }
        "csv" => any_line(&|line| !VERDICTS.iter().any(|it| line.contains(&format!(",{it},")))),
        "markdown" => any_line(&|line| line.starts_with("- `")),
        "junit" => {
            let (cases, rest) = output.split_once("<system-out>").unwrap_or((output, ""));
            let is_note = |line: &str| line.contains("<skipped") || line.contains("<error");
            rest.contains("ben") || cases.lines().any(|line| line.contains("ben") && is_note(line))
        }
        "sarif" => {
            let object = parsed(output);
            names_ben(&object["runs"][0]["invocations"][0]["toolExecutionNotifications"])
        }
        "gitlab" => list(&parsed(output), &|entry| !is_verdict(&entry["check_name"])),
        "github" => any_line(&|line| {
            line.starts_with("dedup: ") || line.contains("title=dedup%3A unreadable")
        }),
        "badge" => {
            let message = parsed(output)["message"].as_str().map(str::to_owned);
            message.is_some_and(|it| it.contains(", ") || it == "not compared")
        }
        _ => output.contains("ben"),
    }
}

/// Returns the share of the words of `anna/essay.txt` that a pair with a file of `ben` covers, from the
/// answer in JSON; 0 without a pair.
pub(crate) fn covered(json: &str) -> f64 {
    let object = parsed(json);
    let pairs = object["pairs"].as_array().cloned().unwrap_or_default();
    let of_pair = |pair: &Value| {
        let sides = [("a", "b", "share_a"), ("b", "a", "share_b")];
        let side = sides.iter().find(|(of_anna, of_ben, _)| {
            let begins = |side: &str, with| {
                pair[side]["path"].as_str().is_some_and(|path| path.contains(with))
            };
            begins(of_anna, "anna/") && begins(of_ben, "ben/")
        });
        side.and_then(|(_, _, side)| pair["coverage"][side].as_f64())
    };
    pairs.iter().filter_map(of_pair).fold(0.0, f64::max)
}
