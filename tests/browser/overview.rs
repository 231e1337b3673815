//! The overview of many texts: what it shows, how it is sorted, filtered and gone through.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::access::{axe, check_rules};
use crate::chromium::browser;
use crate::opened::Opened;

/// Compares texts in a folder made anew for a test, and writes a report of them.
pub(crate) fn report(test: &str, texts: &[(String, String)], flags: &[&str], to: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("texts")).unwrap();
    for (name, text) in texts {
        std::fs::write(folder.join("texts").join(name), text).unwrap();
    }
    let mut dedup = Command::new(env!("CARGO_BIN_EXE_dedup"));
    dedup.current_dir(&folder).args(["corpus", "texts", "--quiet", "--at-least", "partial"]);
    let run = dedup.args(flags).args(["--report", to]).output().unwrap();
    assert_eq!((String::from_utf8_lossy(&run.stderr).as_ref(), run.status.code()), ("", Some(0)));
    folder.join(to)
}

/// So many words, of which the last ones are a text's own.
fn words(of: &str, shared: usize, own: &str) -> String {
    let shared_words = (0..shared).map(|word| format!("{of}{word}"));
    let own_words = (shared..60).map(|word| format!("{own}{word}"));
    shared_words.chain(own_words).collect::<Vec<_>>().join(" ") + "\n"
}

/// Three texts that belong together, two that are the same, two that are close, and one alone.
pub(crate) fn class() -> Vec<(String, String)> {
    #[rustfmt::skip]
    let table = [
        ("anna.txt",  words("amber", 60, "")),
        ("berta.txt", words("amber", 55, "brook")),
        ("clara.txt", words("amber", 50, "cedar")),
        ("doris.txt", words("delta", 60, "")),
        ("emma.txt",  words("delta", 60, "")),
        ("frida.txt", words("flint", 60, "")),
        ("greta.txt", words("flint", 58, "grove")),
        ("hanna.txt", words("hazel", 60, "")),
    ];
    table.map(|(name, text)| (name.to_owned(), text)).into()
}

fn open(test: &str, flags: &[&str], to: &str) -> Option<Opened> {
    Some(Opened::file(browser()?, &report(test, &class(), flags, to)))
}

/// Both names of each row that is to be seen.
const ROWS: &str = "[...document.querySelectorAll('.pairs tbody tr:not([hidden])')].map((row) =>
    [6, 7].map((cell) => row.cells[cell].textContent.replace(/texts.([a-z]).*/, '$1')).join(''))";

fn type_into(page: &Opened, id: &str, text: &str) {
    page.value(&format!(
        "(() => {{ const field = document.getElementById('{id}'); field.value = '{text}';
            field.dispatchEvent(new Event('input')); return 1; }})()"
    ));
}

fn clicked(page: &Opened, button: &str) -> Value {
    page.click(button);
    page.value(ROWS)
}

#[test]
fn pairs_can_be_sorted_by_each_column() {
    let Some(page) = open("overview_sort", &[], "report.html") else { return };
    // The figures follow from the words shared: 60, 58, 55 and 50 of 60; b and c share 50.
    assert_eq!(page.value(ROWS), json!(["de", "fg", "ab", "ac", "bc"]));
    let sort = |column: usize| clicked(&page, &format!(".pairs th:nth-child({column}) button"));
    assert_eq!(sort(1), json!(["bc", "ac", "ab", "fg", "de"]));
    assert_eq!(sort(1), json!(["de", "fg", "ab", "ac", "bc"]));
    let by_hamming = sort(4);
    assert_eq!(by_hamming[4], "de", "{by_hamming}");
    assert_eq!(sort(7), json!(["ab", "ac", "bc", "de", "fg"]));
    assert_eq!(sort(8)[0], "ab");
    assert_eq!(sort(8)[0], "fg");
    let sorted = "[...document.querySelectorAll('.pairs th[aria-sort]')].map((head) =>
        head.textContent + ' ' + head.getAttribute('aria-sort'))";
    assert_eq!(page.value(sorted), json!(["Right text descending"]));
    assert_eq!(page.heard(), Vec::<String>::new());
}

#[test]
fn pairs_can_be_filtered() {
    let Some(page) = open("overview_filter", &[], "report.html") else { return };
    let shown = || {
        let told = page.value("document.getElementById('shown').textContent");
        (page.value(ROWS), told.as_str().unwrap().to_owned())
    };
    let all = json!(["de", "fg", "ab", "ac", "bc"]);
    assert_eq!(shown(), (all.clone(), String::new()));
    type_into(&page, "name", "RTA.t");
    assert_eq!(shown(), (json!(["ab", "bc"]), "2 of 5 shown".to_owned()));
    type_into(&page, "least", "0.8");
    assert_eq!(shown(), (json!(["ab"]), "1 of 5 shown".to_owned()));
    type_into(&page, "verdict-is", "identical");
    assert_eq!(shown(), (json!([]), "0 of 5 shown".to_owned()));
    page.click("#clear");
    assert_eq!(shown(), (all, String::new()));
    type_into(&page, "verdict-is", "identical");
    assert_eq!(shown(), (json!(["de"]), "1 of 5 shown".to_owned()));
}

#[test]
fn the_histogram_has_two_scales() {
    let Some(page) = open("overview_histogram", &[], "report.html") else { return };
    let heights = || {
        page.value(
            "[...document.querySelectorAll('.similarities rect')].filter((bar) => bar.getClientRects().length)
                .map((bar) => [bar.textContent, Number(bar.getAttribute('height'))])",
        )
    };
    let linear = heights();
    page.click("#log");
    let log = heights();
    let count = |bars: &Value| {
        let counts = bars.as_array().unwrap().iter().map(|bar| {
            bar[0].as_str().unwrap().rsplit(' ').next().unwrap().parse::<usize>().unwrap()
        });
        counts.sum::<usize>()
    };
    assert_eq!((count(&linear), count(&log)), (5, 5));
    assert_ne!(linear, log);
    let names =
        |bars: &Value| bars.as_array().unwrap().iter().map(|it| it[0].clone()).collect::<Vec<_>>();
    assert_eq!(names(&linear), names(&log));
    let table = page.value(
        "[...document.querySelectorAll('.similarities tbody tr')].map((row) =>
        row.cells[0].textContent + ': ' + row.cells[1].textContent)",
    );
    assert_eq!(table, json!(names(&linear)));
    page.click("#linear");
    assert_eq!(heights(), linear);
}

#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn pairs_open_by_keyboard_and_lead_back() {
    for (shape, to) in [("file", "report.html"), ("folder", "report")] {
        let file = if shape == "file" { to } else { "report/index.html" };
        let Some(browser) = browser() else { return };
        let test = format!("overview_keys_{shape}");
        let path = report(&test, &class(), &[], to);
        let page = Opened::file(browser, &path.with_file_name(file));
        check_keys(&page, shape);
    }
}

fn check_keys(page: &Opened, shape: &str) {
    let row = "document.activeElement.closest('tr')?.id ?? document.activeElement.id";
    let heading =
        || page.value("document.querySelector('#view h1, body > header h1, h1').textContent");
    page.press("j");
    assert_eq!(page.value(row), "row-1", "{shape}");
    page.press("j");
    page.press("ArrowDown");
    page.press("ArrowDown");
    page.press("k");
    assert_eq!(page.value(row), "row-3", "{shape}");
    let keys_off = "(() => { const keys = document.getElementById('letters');
        keys.checked = !keys.checked; return 1; })()";
    page.value(keys_off);
    page.press("k");
    assert_eq!(page.value(row), "row-3", "{shape}");
    page.value(keys_off);
    page.open_by("Enter");
    let of = |number: usize| {
        page.value("document.querySelector('.among span').textContent")
            == format!("Pair {number} of 5")
    };
    assert!(of(3), "{shape}");
    assert_eq!(
        page.value("[...document.querySelectorAll('h3 bdi')].map((it) => it.textContent)"),
        json!(["texts/anna.txt", "texts/berta.txt"])
    );
    page.press("n");
    assert_eq!(page.value("document.querySelectorAll('mark.current').length"), 2, "{shape}");
    page.open_by("j");
    assert!(of(4), "{shape}");
    page.open_by("k");
    page.open_by("k");
    assert!(of(2), "{shape}");
    page.open_by("Escape");
    assert_eq!(page.value(row), "row-2", "{shape}");
    assert_eq!(heading(), "5 pairs among 8 texts", "{shape}");
    page.press("/");
    assert_eq!(page.value(row), "name", "{shape}");
    page.press("j");
    assert_eq!(page.value("document.getElementById('name').value"), "j", "{shape}");
    page.click("#clear");
    page.press("?");
    assert_eq!(page.value("document.querySelector('dialog').open"), true, "{shape}");
    page.press("Escape");
    assert_eq!(page.value("document.querySelector('dialog').open"), false, "{shape}");
}

#[test]
fn a_cluster_is_a_matrix_that_leads_to_its_pairs() {
    let Some(page) = open("overview_matrix", &[], "report.html") else { return };
    let cells = page.value(
        "[...document.querySelectorAll('.matrix tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))",
    );
    let names = [0, 1, 2].map(|row| cells[row][0].as_str().unwrap().to_owned());
    assert_eq!(names, ["1 texts/anna.txt", "2 texts/berta.txt", "3 texts/clara.txt"]);
    assert_eq!([0, 1, 2].map(|row| cells[row].as_array().unwrap().len()), [1, 2, 3]);
    // Of both sets the share of equal residues is seen in the table, too.
    let jaccard = page.value("document.querySelector('#row-3 td:nth-child(3)').textContent");
    assert_eq!(cells[1][1].as_str(), jaccard.as_str().unwrap().get(1..4));
    page.value("document.querySelector('.matrix a').focus() ?? 1");
    let at = "document.activeElement.title.replaceAll(/texts.([a-z])[^ ]*/g, '$1').slice(0, 7)";
    for (key, want) in [
        ("ArrowDown", "a and c"),
        ("ArrowRight", "b and c"),
        ("ArrowRight", "b and c"),
        ("ArrowLeft", "a and c"),
        ("ArrowUp", "a and b"),
    ] {
        page.press(key);
        assert_eq!(page.value(at), want, "{key}");
    }
    page.click(".matrix a");
    assert_eq!(page.value("document.querySelector('.among span').textContent"), "Pair 3 of 5");
    assert_eq!(page.heard(), Vec::<String>::new());
}

#[test]
fn names_can_be_left_out_of_all_of_it() {
    let Some(page) = open("overview_anonymous", &["--anonymous"], "report.html") else { return };
    let whole = page.value("document.documentElement.outerHTML");
    for (name, _) in class() {
        let stem = name.strip_suffix(".txt").unwrap();
        assert!(!whole.as_str().unwrap().contains(stem), "{name}");
    }
    let names = page
        .value("[6, 7].map((cell) => document.getElementById('row-1').cells[cell].textContent)");
    assert_eq!(names, json!(["text 4", "text 5"]));
}

#[test]
fn axe_finds_nothing_in_it() {
    let Some(axe) = axe() else { return };
    let Some(page) = open("overview_access", &[], "report.html") else { return };
    page.tab.evaluate(&axe, false).unwrap();
    for scheme in ["light", "dark"] {
        page.in_scheme(scheme);
        page.value("(location.hash = '#row-1')");
        check_rules(&page, &format!("overview, {scheme}"));
        page.press("?");
        check_rules(&page, &format!("keys, {scheme}"));
        page.press("Escape");
        page.value("(location.hash = '#pair-3')");
        page.press("n");
        check_rules(&page, &format!("pair, {scheme}"));
    }
}
