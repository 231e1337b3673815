//! Tests of the review: what a reader decides about the pairs of a report, and how it is kept.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::chromium::browser;
use crate::opened::Opened;
use crate::overview::report;

/// The states of the visible rows, with the first letters of their names.
const STATES: &str =
    "[...document.querySelectorAll('.pairs tbody tr:not([hidden], .later)')].map((row) =>
    [...row.querySelectorAll('.who bdi')].map((name) => name.textContent[0]).join('') + ': ' +
        row.querySelector('.state').textContent)";

/// The class of the other tests in other words: what this browser keeps is known by the words of texts.
fn class() -> Vec<(String, String)> {
    let texts = crate::overview::class().into_iter();
    texts.map(|(name, text)| (name, text.replace('a', "o"))).collect()
}

/// Decides about the pair of a row, by keyboard, with a note.
fn decide(page: &Opened, row: usize, state: &str, note: &str) {
    page.value(&format!("(document.querySelector('#row-{row} .two').focus(), 1)"));
    page.press("r");
    page.value(&format!(
        "(document.querySelector('#review-of-pair input[value={state}]').checked = true,
            document.getElementById('note').value = {}, 1)",
        json!(note)
    ));
    page.click("#review-of-pair button[value=keep]");
}

/// Returns what a click on a button would save, without saving it.
fn saved(page: &Opened, button: &str) -> String {
    page.value(
        "(URL.createObjectURL = (blob) => (blob.text().then((text) => (window.saved = text)), 'data:,'),
            HTMLAnchorElement.prototype.click = () => {}, 1)",
    );
    page.click(button);
    for _ in 0..100 {
        if let Value::String(saved) = page.value("window.saved ?? null") {
            return saved;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("nothing was saved");
}

/// Forgets what this browser keeps for all reports.
fn forget(page: &Opened) {
    page.value("(localStorage.clear(), 1)");
}

fn write(report: &Path, name: &str, content: &str) -> PathBuf {
    let path = report.with_file_name(name);
    std::fs::write(&path, content).unwrap();
    path
}

/// One test, because all reports share what the browser keeps.
#[test]
fn decisions_survive_reloading_saving_and_the_next_report() {
    let Some(browser) = browser() else { return };
    let hostile = "</script><img src=x onerror=alert(1)> \u{202e}quoted";
    let path = report("review_kept", &class(), &[], "report.html");
    let page = Opened::file(browser.clone(), &path);
    forget(&page);
    decide(&page, 2, "cleared", hostile);
    decide(&page, 1, "board", "");
    let want = json!(["de: to the board", "ab: to read", "ac: to read", "bc: to read"]);
    assert_eq!(page.value(STATES), want);
    let cleared = "document.querySelector('#cleared li').textContent";
    assert_eq!(page.value(cleared), json!(format!("frida and greta: {hostile}")));
    let count = "document.getElementById('shown').textContent";
    assert_eq!(page.value(count), "4 of 5 pairs, 1 cleared, 1 to the board");

    // Reloaded: this browser keeps the decisions.
    let again = Opened::file(browser.clone(), &path);
    assert_eq!(again.value(STATES), want);

    // Saved with the page, and opened where nothing is kept.
    let whole = saved(&again, "#save-page");
    let review = saved(&Opened::file(browser.clone(), &path), "#save-notes");
    forget(&again);
    let elsewhere = Opened::file(browser.clone(), &write(&path, "saved.html", &whole));
    assert_eq!(elsewhere.value(STATES), want);
    assert_eq!(elsewhere.value(cleared), json!(format!("frida and greta: {hostile}")));
    assert_eq!(elsewhere.value("document.querySelectorAll('img').length"), 0);
    assert_eq!(elsewhere.network_and_console(), Vec::<String>::new());

    // Carried into the next report by the words of the texts, which have other names.
    let file = write(&path, "review.json", &review);
    let mut texts = class();
    for (name, _) in &mut texts {
        *name = name.replace(".txt", "2.txt");
    }
    let flags = ["--reviewed", file.to_str().unwrap()];
    let next = Opened::file(browser.clone(), &report("review_next", &texts, &flags, "report.html"));
    assert_eq!(next.value(STATES), want);
    let grown = review.replace("\"words\": 58", "\"words\": 57");
    assert_ne!(grown, review);
    std::fs::write(&file, grown).unwrap();
    let next =
        Opened::file(browser.clone(), &report("review_grown", &texts, &flags, "report.html"));
    assert_eq!(next.value(STATES)[1], "fg: to read again: it grew");
    // Of three copies of one text, the decision about one pair is none about the two others.
    let copies = ["x.txt", "y.txt", "z.txt"].map(|name| (name.to_owned(), class()[0].1.clone()));
    let three = Opened::file(browser, &report("review_copies", &copies, &[], "report.html"));
    decide(&three, 1, "cleared", "a joint work");
    assert_eq!(three.value(STATES), json!(["xz: to read", "yz: to read"]));
    assert_eq!(next.network_and_console(), Vec::<String>::new());
}
