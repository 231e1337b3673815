//! Tests of the report on many texts: its content, sorting, filtering and navigation.

use std::path::{Path, PathBuf};
use std::process::Command;

use headless_chrome::types::PrintToPdfOptions;
use serde_json::{Value, json};

use crate::access::{axe, check_rules};
use crate::chromium::browser;
use crate::opened::Opened;

/// Compares texts in a new folder for the test, and writes a report on them.
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

/// Returns 60 words, of which the first `shared` start with `of`, and the others with `own`.
fn words(of: &str, shared: usize, own: &str) -> String {
    let shared_words = (0..shared).map(|word| format!("{of}{word}"));
    let own_words = (shared..60).map(|word| format!("{own}{word}"));
    shared_words.chain(own_words).collect::<Vec<_>>().join(" ") + "\n"
}

/// Returns three texts that share words, two identical ones, two similar ones, and a single one.
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

/// The first letters of both names of each visible row.
const ROWS: &str =
    "[...document.querySelectorAll('.pairs tbody tr:not([hidden], .later)')].map((row) =>
    [...row.querySelectorAll('.who bdi')].map((name) => name.textContent[0]).join(''))";

/// Types into the search field.
fn search(page: &Opened, text: &str) {
    page.value(&format!(
        "(() => {{ const field = document.getElementById('search'); field.value = '{text}';
            field.dispatchEvent(new Event('input')); return 1; }})()"
    ));
}

fn clicked(page: &Opened, button: &str) -> Value {
    page.click(button);
    page.value(ROWS)
}

#[test]
fn a_row_says_what_both_texts_share() {
    let Some(page) = open("overview_rows", &[], "report.html") else { return };
    let cells = |row: usize| {
        page.value(&format!(
            "[...document.getElementById('row-{row}').cells].map((cell) => cell.innerText.replaceAll('\\u00a0', ' ').split('\\n')).flat()"
        ))
    };
    let begins = |cell: &Value, of: &str| {
        cell.as_str().unwrap().starts_with(&format!("{of}0 {of}1 {of}2 {of}3 "))
    };
    let first = cells(1);
    assert_eq!(first.as_array().unwrap()[..6], ["1", "doris", "100 %", "emma", "100 %", "60"]);
    assert!(begins(&first[6], "delta"), "{first}");
    assert_eq!(first[7], "identical to read");
    let second = cells(2);
    assert_eq!(second.as_array().unwrap()[..6], ["2", "frida", "96 %", "greta", "96 %", "58"]);
    let bars =
        page.value("[...document.querySelectorAll('#row-2 .share')].map((bar) => bar.className)");
    assert_eq!(bars, json!(["share w96", "share w96"]));
    let heads = page.value("[...document.querySelectorAll('h2')].map((head) => head.textContent)");
    assert_eq!(heads, json!(["Texts", "To read first", "Keys", "Review"]));
}

#[test]
fn pairs_can_be_sorted() {
    let Some(page) = open("overview_sort", &[], "report.html") else { return };
    // The order follows from the shared words: 60, 58, 55 and 50 of 60; berta and clara share 50.
    assert_eq!(page.value(ROWS), json!(["de", "fg", "ab", "ac", "bc"]));
    let sort = |column: usize| clicked(&page, &format!(".pairs th:nth-child({column}) button"));
    assert_eq!(sort(1), json!(["bc", "ac", "ab", "fg", "de"]));
    assert_eq!(sort(1), json!(["de", "fg", "ab", "ac", "bc"]));
    assert_eq!(sort(2), json!(["ab", "ac", "bc", "de", "fg"]));
    assert_eq!(sort(3), json!(["de", "fg", "ab", "ac", "bc"]));
    assert_eq!(sort(3), json!(["ac", "bc", "ab", "fg", "de"]));
    let sorted = "[...document.querySelectorAll('.pairs th[aria-sort]')].map((head) =>
        head.textContent + ' ' + head.getAttribute('aria-sort'))";
    assert_eq!(page.value(sorted), json!(["Words in both ascending"]));
    assert_eq!(page.network_and_console(), Vec::<String>::new());
}

#[test]
fn pairs_can_be_searched() {
    let Some(page) = open("overview_search", &[], "report.html") else { return };
    let shown = || {
        let shown = page.value("document.getElementById('shown').textContent");
        (page.value(ROWS), shown.as_str().unwrap().to_owned())
    };
    let all = json!(["de", "fg", "ab", "ac", "bc"]);
    assert_eq!(shown(), (all.clone(), String::new()));
    #[rustfmt::skip]
    let table = [
        ("a part of a name",     "erT",       json!(["ab", "bc"])),
        ("with an accent",       "b\u{e9}rta", json!(["ab", "bc"])),
        ("both names",           "clara  an", json!(["ac"])),
        ("a word that is shared", "delta0",   json!(["de"])),
        ("a remark",             "near",    json!(["fg", "ab", "ac", "bc"])),
        ("nothing has it",       "xyz",       json!([])),
    ];
    for (why, typed, want) in table {
        search(&page, typed);
        let count = want.as_array().unwrap().len();
        assert_eq!(shown(), (want, format!("{count} of 5 pairs")), "{why}");
    }
    search(&page, " ");
    assert_eq!(shown(), (all, String::new()));
}

/// Tests 5,050 pairs, of which 500 have their own page. The fastest of three loads counts, because
/// other tests run at the same time.
#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn thousands_of_pairs_open_and_are_searched_as_one_types() {
    let Some(browser) = browser() else { return };
    let text = |text: usize| (format!("text{text}.txt"), words("word", 30, &format!("own{text}x")));
    let texts: Vec<_> = (0..101).map(text).collect();
    let path = report("overview_many", &texts, &[], "report.html");
    let opened: Vec<Opened> = (0..3).map(|_| Opened::file(browser.clone(), &path)).collect();
    let loaded = opened.iter().map(|page| {
        let end = page.value("performance.getEntriesByType('navigation')[0].loadEventEnd");
        end.as_f64().unwrap()
    });
    let loaded = loaded.fold(f64::INFINITY, f64::min);
    assert!(loaded < 2000.0, "{loaded} ms");
    let page = &opened[2];
    let rows = || page.value(ROWS).as_array().unwrap().len();
    assert_eq!(rows(), 25);
    for typed in ["t", "te", "text77", ""] {
        let took = page.value(&format!(
            "(() => {{ const start = performance.now(); const field = document.getElementById('search');
                field.value = '{typed}'; field.dispatchEvent(new Event('input'));
                document.body.getBoundingClientRect(); return performance.now() - start; }})()"
        ));
        assert!(took.as_f64().unwrap() < 500.0, "{typed}: {took} ms");
    }
    page.click(".more button");
    assert_eq!(rows(), 5050);
    assert_eq!(page.value("document.activeElement.closest('tr').id"), "row-26");
    page.value("(location.hash = '#row-4000')");
    page.press("Shift");
    page.press("k");
    assert_eq!(page.value("document.activeElement.closest('tr').id"), "row-3999");
}

#[test]
fn no_width_cuts_anything_off() {
    let long = "Anneliese-Charlotte_von_der_Hohenstein-Wartenberg_zu_Unterlindenhofen";
    let mut texts = class();
    texts[0].0 = format!("{long} {long}.txt");
    let Some(browser) = browser() else { return };
    let page = Opened::file(browser, &report("overview_widths", &texts, &[], "report.html"));
    let is_card =
        "getComputedStyle(document.querySelector('.pairs thead')).position === 'absolute'";
    for width in [390, 800, 1400] {
        page.at_width(width);
        let too_wide = "[...document.querySelectorAll('#overview *')].filter((it) =>
            it.getBoundingClientRect().right > innerWidth + 1).map((it) => it.outerHTML.slice(0, 90))";
        assert_eq!(page.value(too_wide), json!([]), "{width}");
        let root = "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.documentElement)";
        assert_eq!(page.value(root), 0, "{width}");
        assert_eq!(page.value(is_card), width == 390, "{width}");
    }
}

/// Checks that each of 60 pairs with names as in Moodle is printed, below the ten people with the greatest
/// shares, and each page begins with the head of the table.
#[test]
fn each_printed_page_is_full_and_has_the_head_of_the_table() {
    let Some(browser) = browser() else { return };
    let text = |text: usize| {
        (
            format!("Anna-Maria Winkler 411{text:03} final essay{text}.txt"),
            words(&format!("word{}x", text / 2), 50, &format!("own{text}x")),
        )
    };
    let texts: Vec<_> = (0..120).map(text).collect();
    let page = Opened::file(browser, &report("overview_print", &texts, &[], "report.html"));
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser/overview_print/page.pdf");
    let pages = ["1", "2", "3", "4"].map(|number| {
        let page_ranges = Some(number.to_owned());
        let options = PrintToPdfOptions { page_ranges, ..PrintToPdfOptions::default() };
        let Ok(pdf) = page.tab.print_to_pdf(Some(options)) else { return (0, false) };
        std::fs::write(&file, pdf).unwrap();
        let mut read = Command::new(env!("CARGO_BIN_EXE_dedup"));
        let text = String::from_utf8(read.arg("text").arg(&file).output().unwrap().stdout).unwrap();
        (text.matches("essay").count(), text.contains("Words") && text.contains("Remarks"))
    });
    assert_eq!(pages.iter().map(|(count, _)| count).sum::<usize>(), 10 + 2 * 60, "{pages:?}");
    assert!(pages[..3].iter().all(|(_, has_head)| *has_head), "{pages:?}");
    assert!(pages[1].0 >= 50 && pages[3] == (0, false), "{pages:?}");
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
    page.open_with_key("Enter");
    let of = |number: usize| {
        page.value("document.querySelector('.among span').textContent")
            == format!("Pair {number} of 5")
    };
    assert!(of(3), "{shape}");
    assert_eq!(
        page.value("[...document.querySelectorAll('h3 bdi')].map((it) => it.textContent)"),
        json!(["anna", "berta"])
    );
    page.press("n");
    assert_eq!(page.value("document.querySelectorAll('mark.current').length"), 2, "{shape}");
    page.open_with_key("j");
    assert!(of(4), "{shape}");
    page.open_with_key("k");
    page.open_with_key("k");
    assert!(of(2), "{shape}");
    page.open_with_key("Escape");
    assert_eq!(page.value(row), "row-2", "{shape}");
    assert_eq!(heading(), "5 pairs to read first among 8 texts", "{shape}");
    page.press("/");
    assert_eq!(page.value(row), "search", "{shape}");
    page.press("j");
    assert_eq!(page.value("document.getElementById('search').value"), "j", "{shape}");
    page.press("Backspace");
    page.press("Enter");
    assert_eq!(page.value(row), "row-1", "{shape}");
    page.press("?");
    assert_eq!(page.value("document.querySelector('dialog').open"), true, "{shape}");
    page.press("Escape");
    assert_eq!(page.value("document.querySelector('dialog').open"), false, "{shape}");
}

#[test]
fn keys_are_off_in_the_overview_and_in_its_pairs() {
    let Some(page) = open("overview_keys_off", &[], "report.html") else { return };
    let keys = "[document.getElementById('letters').checked, document.getElementById('keys')?.checked ?? null]";
    assert_eq!(page.value(keys), json!([true, null]));
    page.click("#letters");
    page.value("(document.querySelector('#row-2 a.two').focus(), 1)");
    page.open_with_key("Enter");
    assert_eq!(page.value(keys), json!([false, false]));
    page.press("j");
    let pair = "document.querySelector('.among span').textContent";
    assert_eq!(page.value(pair), "Pair 2 of 5");
    // The pair turns them on for the overview, too.
    page.click("#keys");
    page.open_with_key("Escape");
    assert_eq!(page.value(keys), json!([true, null]));
}

#[test]
fn a_card_on_a_phone_counts_one_word() {
    let Some(browser) = browser() else { return };
    let mut texts = class();
    texts.extend(["ida.txt", "jana.txt"].map(|name| (name.to_owned(), "Lighthouse".to_owned())));
    let page = Opened::file(browser, &report("overview_one", &texts, &[], "report.html"));
    page.at_width(390);
    let words = "[...document.querySelectorAll('.pairs tbody td:nth-child(3)')].map((cell) =>
        cell.textContent + JSON.parse(getComputedStyle(cell, '::after').content)).sort()";
    let words = page.value(words);
    assert_eq!(words[0], "1 word in both");
    assert_eq!(words[1], "50 words in both");
}

/// Checks the union over all sources: of the 60 words of anna, 55 are in berta and 50 of these in clara.
#[test]
fn people_are_listed_with_what_stands_in_any_other_text() {
    let Some(page) = open("overview_people", &[], "report.html") else { return };
    let rows = page.value(
        "[...document.querySelectorAll('.people tbody tr')].map((row) =>
            [...row.cells].map((cell) => cell.innerText.trim().replaceAll('\\u00a0', ' ')).join(', '))",
    );
    let want = [
        "doris, 100 %, 1",
        "emma, 100 %, 1",
        "frida, 96 %, 1",
        "greta, 96 %, 1",
        "anna, 91 %, 2",
        "berta, 91 %, 2",
        "clara, 83 %, 2",
    ];
    assert_eq!(rows, json!(want));
    let bins = "[...document.querySelectorAll('.histogram .share')].map((it) => it.textContent)";
    assert_eq!(page.value(bins), json!(["1", "0", "0", "0", "0", "7"]));
    page.click(".people tr:nth-child(6) a");
    assert_eq!(page.value(ROWS), json!(["ab", "bc"]), "the pairs of berta");
    assert_eq!(page.value("document.activeElement.closest('tr').id"), "row-3");
    assert_eq!(page.network_and_console(), Vec::<String>::new());
}

#[test]
fn names_can_be_left_out_of_the_overview_and_its_pairs() {
    let Some(page) = open("overview_anonymous", &["--anonymous"], "report.html") else { return };
    let whole = page.value("document.documentElement.outerHTML");
    for (name, _) in class() {
        let stem = name.strip_suffix(".txt").unwrap();
        assert!(!whole.as_str().unwrap().contains(stem), "{name}");
    }
    let names =
        page.value("[...document.querySelectorAll('#row-1 bdi')].map((name) => name.textContent)");
    assert_eq!(names, json!(["Text 1", "Text 2"]));
    let people = page.value("document.querySelector('.people').innerText");
    assert!(
        people.as_str().unwrap().starts_with("Name\tIn other texts\tSources\nText 1"),
        "{people}"
    );
}

/// Checks a report with every section: a text that was not compared, one in disguise, and pairs
/// that share parts.
#[test]
fn axe_finds_nothing_in_the_overview() {
    let Some(axe) = axe() else { return };
    let Some(browser) = browser() else { return };
    let mut texts = class();
    texts.push(("ilse.txt".to_owned(), "few".to_owned()));
    texts[7].1 = words("hazel", 60, "").replace("hazel5 ", "h\u{430}zel5 ");
    texts.push(("jana.txt".to_owned(), words("hazel", 60, "") + &words("jade", 0, "juniper")));
    let long =
        |own: &str| (0..8).map(|part| words(own, 0, &format!("{own}{part}x"))).collect::<String>();
    texts.push(("karin.txt".to_owned(), long("kiwi") + &words("lime", 15, "lemon")));
    texts.push(("laura.txt".to_owned(), long("lotus") + &words("lime", 15, "lilac")));
    let page =
        Opened::file(browser, &report("overview_access", &texts, &["--min", "2"], "report.html"));
    let heads = page.value("[...document.querySelectorAll('h2')].map((head) => head.textContent)");
    let want = [
        "Texts",
        "To read first",
        "Also shares parts",
        "Not compared",
        "Disguised",
        "Keys",
        "Review",
    ];
    assert_eq!(heads, json!(want));
    page.tab.evaluate(&axe, false).unwrap();
    page.value("[...document.querySelectorAll('details')].map((it) => (it.open = true))");
    for width in [390, 800, 1400] {
        page.at_width(width);
        for scheme in ["light", "dark"] {
            page.set_color_scheme(scheme);
            page.value("(location.hash = '#row-1')");
            check_rules(&page, &format!("overview, {scheme}, {width}"));
            page.press("?");
            check_rules(&page, &format!("keys, {scheme}, {width}"));
            page.press("Escape");
        }
    }
    for scheme in ["light", "dark"] {
        page.set_color_scheme(scheme);
        page.value("(location.hash = '#pair-3')");
        page.press("n");
        check_rules(&page, &format!("pair, {scheme}"));
    }
}
