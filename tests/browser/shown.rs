//! What the page shows.

use dedup_text::tokens;
use serde_json::Value;

use crate::opened::{Opened, long_pair};

/// For each side, for each passage: its number, all of its text, and the text without
/// changed words.
const PASSAGES: &str = "['left', 'right'].map((id) => {
    const found = {};
    for (const mark of document.querySelectorAll(`#${id} mark`)) {
        const passage = (found[mark.dataset.n] ??= ['', '']);
        passage[0] += mark.textContent;
        for (const node of mark.childNodes) passage[1] += node.nodeName === 'U' ? ' ' : node.textContent;
    }
    return found;
})";

fn words(text: &Value) -> Vec<String> {
    let tokens = tokens::split(text.as_str().unwrap()).0;
    tokens.into_iter().map(|token| token.word.into_owned()).collect()
}

/// What a browser makes of line ends.
fn with_line_feeds(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// Every passage on the page is words that both texts have, at their place in each.
fn check_passages(page: &Opened) -> usize {
    let found = page.value(PASSAGES);
    let [left, right] = [0, 1].map(|side| found[side].as_object().unwrap());
    assert_eq!(left.len(), right.len());
    for (number, here) in left {
        let there = &right[number];
        assert!(words(&here[1]).len() >= 12, "{number}");
        assert_eq!(words(&here[1]), words(&there[1]), "{number}");
        for (text, passage) in page.texts.iter().zip([here, there]) {
            let passage = passage[0].as_str().unwrap();
            assert!(with_line_feeds(text).contains(passage), "{number}: {passage}");
        }
    }
    let rows = page.value("document.querySelectorAll('tbody tr[data-n]').length");
    assert_eq!(rows, left.len());
    left.len()
}

fn check_texts(page: &Opened) {
    let shown =
        page.value("['left', 'right'].map((id) => document.getElementById(id).textContent)");
    for (side, text) in page.texts.iter().enumerate() {
        let shown = shown[side].as_str().unwrap();
        let want = with_line_feeds(text);
        let same = shown.chars().zip(want.chars()).take_while(|(a, b)| a == b).count();
        let rest: String = shown.chars().skip(same).take(20).collect();
        assert!(shown == want, "side {side}: {rest:?}");
    }
}

#[test]
fn the_texts_are_whole_and_their_passages_agree() {
    for (name, direction, language, passages) in [
        ("rewritten", "ltr", "de", 8),
        ("edited", "rtl", "ar", 3),
        ("edited_zh", "ltr", "zh", 1),
        ("moved", "ltr", "es", 1),
    ] {
        let Some(page) = Opened::sample(&format!("shown_{name}"), name) else { return };
        check_texts(&page);
        assert!(check_passages(&page) >= passages, "{name}");
        let panes = page.value(
            "['left', 'right'].map((id) => {
                const pane = document.getElementById(id);
                return [getComputedStyle(pane).direction, pane.lang];
            })",
        );
        assert_eq!(panes, serde_json::json!([[direction, language], [direction, language]]));
        assert_eq!(page.heard(), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn long_texts_open_at_once_and_are_whole() {
    let [left, right] = long_pair();
    // A line of more than a block, between parts of many lines.
    let more = |text: &str| format!("{text}{}\n{text}", "endless ".repeat(60_000));
    let Some(page) = Opened::pair("shown_long", &more(&left), &more(&right)) else { return };
    check_texts(&page);
    let opened = page.value("performance.getEntriesByType('navigation')[0].loadEventEnd");
    assert!(opened.as_f64().unwrap() < 2000.0, "{opened} ms");
    let elements = page.value("document.querySelectorAll('*').length");
    assert!(elements.as_u64().unwrap() < 5000, "{elements}");
}

#[test]
fn a_hostile_text_is_only_text() {
    let shared = "the copper kettle stands on the wooden table in the kitchen of the old mill";
    let attack = "</script><script>alert(1)</script><img src=x onerror=\"alert(2)\">\r\n</div> \
        & &amp; \"' \u{2028}\u{202e}\u{2066} <!-- ]]> \u{1}\u{1b}[2J <style>*{display:none}</style>\r";
    let text = |own: &str| format!("{own} {attack} {shared} {attack}");
    let [left, right] = [text("Every morning"), text("At night")];
    let Some(page) = Opened::pair("shown_hostile", &left, &right) else { return };
    assert!(page.texts[0].contains("</script><script>alert(1)</script>"));
    check_texts(&page);
    assert_eq!(check_passages(&page), 1);
    assert_eq!(page.value("document.querySelectorAll('script, img, style').length"), 2);
    assert_eq!(page.heard(), Vec::<String>::new());
}

#[test]
fn numbers_stand_beside_colours() {
    let Some(page) = Opened::sample("shown_numbers", "rewritten") else { return };
    let labels = page.value(
        "[...document.querySelectorAll('#left mark')].map((mark) =>
            [mark.dataset.n, getComputedStyle(mark, '::before').content.replaceAll('\"', '')])",
    );
    let labels = labels.as_array().unwrap();
    assert_eq!(labels.len(), 8);
    for label in labels {
        // A browser may tell the attribute by its name or by its value.
        assert!(label[1] == label[0] || label[1] == "attr(data-n)", "{label}");
    }
    let hues = page.value(
        "['left', 'right'].map((id) => [...document.querySelectorAll(`#${id} mark`)].map((mark) =>
            [Number(mark.dataset.n), getComputedStyle(mark).backgroundColor]).sort((a, b) => a[0] - b[0]))",
    );
    assert_eq!(hues[0], hues[1]);
    assert_ne!(hues[0][0][1], hues[0][1][1]);
}
