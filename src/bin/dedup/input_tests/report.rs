//! Invariants of the HTML report of any pair.

use std::path::Path;

use dedup_text::pair;
use dedup_text::pair::Recipe;
use dedup_text::passages::MinMatch;
use dedup_text::text::Text;
use dedup_text::verdict::Verdict;
use dom_query::Document;

use super::{check, parts};
use crate::commands::compare;
use crate::commands::compare::flags::CompareFlags;
use crate::dispatch;
use crate::dispatch::tree::Request;
use crate::model::Pair;
use crate::report;

/// The elements that a report may contain. A parser adds `html`, `head`, `body` and `tbody` if they
/// are not written.
const ELEMENTS: &[&str] = &[
    "html", "head", "meta", "title", "style", "body", "script", "a", "header", "nav", "h1", "h2",
    "h3", "bdi", "span", "main", "div", "section", "p", "table", "thead", "tbody", "tr", "th",
    "td", "ul", "li", "button", "kbd", "label", "input", "svg", "rect", "mark", "u", "s", "i", "b",
    "dl", "dt", "dd", "strong", "details", "summary", "footer",
];

/// Parses the flags of a command line that compares two texts.
pub(super) fn compared(line: &[&str]) -> anyhow::Result<Box<CompareFlags>> {
    let words = ["dedup", "left", "right"].iter().chain(line);
    match dispatch::read(words.map(Into::into))? {
        Request::Compare(flags) => Ok(flags),
        _ => panic!("two texts are compared"),
    }
}

/// Judges the first two parts of an input. The other two parts are the names of the texts.
pub(super) fn with_pair(bytes: &[u8], look: impl FnOnce(&Pair)) {
    let [left, right, name, other] = parts::<4>(bytes);
    let text = |name: &str, content: String| Text::from_bytes(Path::new(name), content.into()).ok();
    let (Some(left), Some(right)) = (text(&name, left), text(&other, right)) else { return };
    let recipe =
        &Recipe { min_match: MinMatch::new(3).expect("the least there is"), ..Recipe::default() };
    let Ok(judgement) = &pair::judge(&left, &right, recipe) else { return };
    let pair = Pair::new([&left, &right], recipe, judgement, Verdict::Partial);
    look(&Pair { is_accepted: Some(false), ..pair });
}

#[test]
fn a_report_has_both_texts_as_text_only() {
    check("report", 16, report);
}

/// Checks that the page contains both texts, as text only: no markup, script or style of theirs.
fn report(bytes: &[u8]) {
    let flags = compared(&["--no-config", "--report", "report.html"]).expect("sound flags");
    with_pair(bytes, |pair| {
        let mut written = Vec::new();
        report::write(pair, &compare::page_options(&flags), &mut written).expect("written");
        let written = String::from_utf8(written).expect("characters");
        let page = Document::from(written.as_str());
        let scripts = page.select("script");
        assert_eq!((scripts.length(), &*scripts.text()), (1, report::SCRIPT));
        let styles = page.select("style");
        assert_eq!((styles.length(), &*styles.text()), (1, report::STYLE));
        for (id, text) in [("left", pair.left), ("right", pair.right)] {
            let shown = page.select(&format!("div.text[id={id}]")).text().to_string();
            // Browsers normalise line ends like this.
            let want = report::shown(text).replace("\r\n", "\n").replace('\r', "\n");
            assert_eq!(shown, want, "{id}");
        }
        for element in page.select("*").nodes() {
            let name = element.node_name().unwrap_or_default();
            assert!(ELEMENTS.contains(&&*name), "{name}");
            for attribute in element.attrs() {
                let name = &*attribute.name.local;
                assert!(
                    !name.starts_with("on") && !["src", "style", "srcdoc"].contains(&name),
                    "{name}"
                );
                assert!(name != "href" || attribute.value.starts_with('#'));
            }
        }
    });
}
