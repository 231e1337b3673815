//! Recognizes an earlier output of `dedup` by the beginning of the file.
//!
//! This decides what is replaced in a folder of texts, so it errs on the safe side: a file without a
//! mark of `dedup` is taken for a text of the user.

use std::path::Path;

use dedup_text::verdict::Verdict;
use serde_json::Value;

use crate::io::disk;
use crate::model::KEY_HEADER;

/// The element that marks every HTML page that `dedup` writes.
const GENERATOR: &str = "<meta name=\"generator\" content=\"dedup\">";

/// The same element in the page that compares texts, up to the version; the source is
/// `web/page.html`.
const PAGE: &str = "<meta name=\"generator\" content=\"dedup ";

/// Returns the program version in a page that compares texts, given the beginning of the file;
/// `None` if it is not such a page.
pub(crate) fn page_version(head: &str) -> Option<&str> {
    let (_, rest) = head.split_once(PAGE).filter(|_| head.starts_with(DOCUMENT))?;
    Some(rest.split_once("\">")?.0)
}

/// The beginning of every HTML page that `dedup` writes.
const DOCUMENT: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n";

/// The number of bytes at the beginning of a file that are searched for a mark.
const HEAD: u64 = 1 << 16;

/// Reports whether a file is empty or begins like an output of `dedup`. Plain text, lists of paths
/// and GitHub workflow commands have no mark and are not recognized.
pub(super) fn is_earlier_output(path: &Path) -> bool {
    let is_ours = |head: Vec<u8>| is_marked(&String::from_utf8_lossy(&head));
    path.is_file() && disk::head(path, HEAD).is_ok_and(is_ours)
}

fn is_marked(head: &str) -> bool {
    let line = head.lines().next().unwrap_or_default();
    let starts = ["{\"schema\":\"dedup.", CSV, KEY_HEADER, JUNIT, BADGE, "# dedup baseline "];
    head.is_empty()
        || starts.iter().any(|start| head.starts_with(start))
        || head.starts_with(DOCUMENT) && head.contains(GENERATOR)
        || page_version(head).is_some()
        || head.starts_with("{\"$schema\":\"https://docs.oasis-open.org/sarif/")
            && head.contains(SARIF)
        || is_gitlab(head)
        || is_markdown(head)
        || is_kept(line)
}

/// The first columns of the CSV output, which never change.
const CSV: &str =
    "a,b,verdict,decided_by,hamming,jaccard,shared,union,containment_a,containment_b,";

const JUNIT: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"dedup\" ";

const BADGE: &str = "{\"schemaVersion\":1,\"label\":\"copies\",\"message\":\"";

const SARIF: &str = "{\"description\":{\"text\":\"The folder in which dedup ran.\"}}";

/// Recognizes the GitLab format: a list without issues, or one whose first issue is named after a
/// verdict.
fn is_gitlab(head: &str) -> bool {
    let is_issue = |verdict: Verdict| {
        let name = verdict.name();
        head.starts_with(&format!("[{{\"description\":\"{name}: "))
            && head.contains(&format!("\",\"check_name\":\"{name}\",\"fingerprint\":\""))
    };
    head.trim_end() == "[]" || Verdict::LADDER.into_iter().any(is_issue)
}

/// Recognizes the Markdown summary: a heading with the number of pairs, then the number of texts.
fn is_markdown(head: &str) -> bool {
    let lines: Vec<&str> = head.lines().take(3).collect();
    let [first, "", third] = lines[..] else { return false };
    let is_count = |line: &str, noun: &str| {
        let (count, rest) = line.split_once(' ').unwrap_or_default();
        let is_number = count.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
        !count.is_empty() && (is_number || count == "no") && rest.starts_with(noun)
    };
    let pairs = first.strip_prefix("## dedup: ");
    pairs.is_some_and(|line| is_count(line, "pair")) && is_count(third, "text")
}

/// Recognizes a line of the list of kept texts: an object with the name of a text and nothing else.
fn is_kept(line: &str) -> bool {
    let Ok(Value::Object(record)) = serde_json::from_str(line) else { return false };
    record.len() == 1 && record.get("path").is_some_and(Value::is_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_mark_of_ours_is_a_text() {
        #[rustfmt::skip]
        let table = [
            ("nothing",                "",                                                            true),
            ("a space",                " ",                                                           false),
            ("an answer of a pair",    "{\"schema\":\"dedup.pair/2\",\"tool\":{}}",                   true),
            ("of somebody else",       "{\"schema\":\"other.pair/1\",\"tool\":{}}",                   false),
            ("about the schema",       "The field \"schema\":\"dedup.pair/2\" says it.",              false),
            ("what is kept",           "{\"path\":\"a.txt\"}\n{\"path\":\"b.txt\"}\n",                true),
            ("records of texts",       "{\"path\":\"a.txt\",\"text\":\"kettle\"}\n",                  false),
            ("a record without path",  "{\"text\":\"kettle\"}\n",                                     false),
            ("a heading about it",     "## dedup: what we learned\n\nIt found two pairs.\n",          false),
            ("a summary",              "## dedup: 1 pair partial or closer\n\n2 texts compared\n",    true),
            ("of many",                "## dedup: 1,204 pairs identical\n\n2,000 texts compared; 1 failed\n", true),
            ("of none",                "## dedup: no pair identical\n\n3 texts compared\n",          true),
            ("a summary cut short",    "## dedup: 1 pair partial or closer\n",                        false),
            ("no issue",               "[]\n",                                                        true),
            ("an issue of others",     "[{\"description\":\"identical: to x\",\"check_name\":\"copy\",\"fingerprint\":\"1\"}]", false),
            ("an issue",               "[{\"description\":\"identical: x\",\"check_name\":\"identical\",\"fingerprint\":\"1\"}]", true),
            ("a badge",                "{\"schemaVersion\":1,\"label\":\"copies\",\"message\":\"none\",\"color\":\"brightgreen\"}", true),
            ("a badge of others",      "{\"schemaVersion\":1,\"label\":\"build\",\"message\":\"none\"}", false),
            ("a page of others",       "<!DOCTYPE html>\n<html lang=\"en\">\n<p>dedup",               false),
            ("a spreadsheet",          "a,b,verdict\n1,2,3\n",                                        false),
            ("a key",                  "name in the dedup report,text\nText 1,a.txt\n",              true),
            ("a table like a key",     "name in the report,text\nText 1,a.txt\n",                    false),
            ("a text",                 "A copper kettle.\n",                                          false),
        ];
        for (why, head, want) in table {
            assert_eq!(is_marked(head), want, "{why}");
        }
    }
}
