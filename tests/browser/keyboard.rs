//! Tests the comparison page with the keyboard only: from the first Tab to a pair and back.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use headless_chrome::browser::tab::ModifierKey;
use headless_chrome::protocol::cdp::DOM::SetFileInputFiles;
use headless_chrome::protocol::cdp::types::Event;
use serde_json::json;

use crate::opened::Opened;
use crate::web::{REPORT, network_and_console, page, wait_until};

/// The focused element: its id, or else its text. In the report, `report: ` precedes it.
const FOCUS: &str = "(() => {
    const outer = document.activeElement;
    const inner = outer.tagName === 'IFRAME' ? outer.contentDocument.activeElement : outer;
    const name = inner.id || (inner.textContent.trim() || inner.value).split('\\n')[0];
    return inner === document.body ? '' : (inner === outer ? '' : 'report: ') + name;
})()";

fn focus(page: &Opened) -> String {
    page.value(FOCUS).as_str().unwrap().to_owned()
}

/// Presses Tab until an element has the focus, and returns the elements that had it on the way.
fn tab_to(page: &Opened, wanted: &str) -> Vec<String> {
    let mut passed = Vec::new();
    for _ in 0..40 {
        page.tab.press_key("Tab").unwrap();
        passed.push(focus(page));
        if passed.last().is_some_and(|it| it == wanted) {
            return passed;
        }
    }
    panic!("{wanted} is not reached: {passed:?}");
}

/// Presses Enter on a button that opens a file dialog, and chooses files in it.
fn choose(page: &Opened, asked: &Mutex<Vec<u32>>, files: &[&str]) {
    page.tab.press_key("Enter").unwrap();
    let start = Instant::now();
    let input = loop {
        if let Some(input) = asked.lock().unwrap().pop() {
            break input;
        }
        assert!(start.elapsed() < Duration::from_mins(1), "no dialog opens");
        std::thread::sleep(Duration::from_millis(20));
    };
    let files =
        files.iter().map(|file| Path::new(file).canonicalize().unwrap().display().to_string());
    let chosen = SetFileInputFiles {
        files: files.collect(),
        node_id: None,
        backend_node_id: Some(input),
        object_id: None,
    };
    page.tab.call_method(chosen).unwrap();
}

#[test]
fn all_of_the_page_is_reached_by_the_keyboard() {
    let Some(page) = page() else { return };
    let asked = Arc::new(Mutex::new(Vec::new()));
    let asking = Arc::clone(&asked);
    page.tab.set_file_chooser_dialog_interception(true, None).unwrap();
    page.tab
        .add_event_listener(Arc::new(move |event: &Event| {
            if let Event::PageFileChooserOpened(opened) = event {
                asking.lock().unwrap().extend(opened.params.backend_node_id);
            }
        }))
        .unwrap();
    // Files are saved by clicking a link. Record its name instead of downloading.
    page.value("(HTMLAnchorElement.prototype.click = function () { (globalThis.names ??= []).push(this.download) }, 1)");

    #[rustfmt::skip]
    let order = [
        "How to check that", "choose-files", "choose-folder", "what this page cannot do", "try", "choose-sheet",
        "choose-earlier", "quotes", "bibliography", "", "anonymous",
    ];
    let passed = tab_to(&page, "anonymous");
    let without_level: Vec<&str> =
        passed.iter().map(|it| if it == "partial" { "" } else { it }).collect();
    assert_eq!(without_level, order);
    page.tab.press_key(" ").unwrap();
    assert_eq!(page.value("document.getElementById('anonymous').checked"), true);
    page.tab.press_key(" ").unwrap();
    // Shift and Tab lead back to the levels, which the arrow keys choose between.
    page.tab.press_key_with_modifiers("Tab", Some(&[ModifierKey::Shift])).unwrap();
    page.tab.press_key("ArrowDown").unwrap();
    assert_eq!(page.value("document.querySelector('input[name=level]:checked').value"), "excerpt");

    // Choose a sheet, and remove it.
    page.value("(document.activeElement.blur(), scrollTo(0, 0), 1)");
    page.tab.press_key_with_modifiers("Tab", Some(&[ModifierKey::Shift])).unwrap();
    page.value("(document.querySelector('summary').focus(), 1)");
    page.tab.press_key("Enter").unwrap();
    assert_eq!(page.value("document.querySelector('.check').open"), true);
    tab_to(&page, "choose-sheet");
    choose(&page, &asked, &["samples/filled_in_sheet.txt"]);
    wait_until(
        &page,
        "document.getElementById('sheet-name').textContent === 'filled_in_sheet.txt'",
    );
    assert_eq!(tab_to(&page, "no-sheet"), ["no-sheet"]);
    page.tab.press_key("Enter").unwrap();
    assert_eq!(page.value("document.getElementById('sheet-name').textContent"), "");

    // A folder is chosen like files. A single file waits for another one, or can be removed.
    page.value("(document.querySelector('summary').focus(), 1)");
    tab_to(&page, "choose-files");
    choose(&page, &asked, &["samples/edited_1.txt"]);
    wait_until(&page, "!document.getElementById('clear').hidden");
    tab_to(&page, "clear");
    page.tab.press_key(" ").unwrap();
    assert_eq!(focus(&page), "choose-files");
    tab_to(&page, "choose-folder");
    choose(&page, &asked, &["samples"]);
    wait_until(&page, "document.title.startsWith('samples')");
    wait_until(&page, &format!("{FOCUS} === 'result-heading'"));

    // The report: saving it, its rows, a pair side by side, and the way back.
    for (button, name) in [("save-html", "board.html"), ("save-csv", "pairs.csv")] {
        assert_eq!(tab_to(&page, button), [button]);
        page.tab.press_key("Enter").unwrap();
        assert_eq!(page.value("globalThis.names.at(-1)"), name);
    }
    assert_eq!(tab_to(&page, "toggle"), ["print", "toggle"]);
    page.tab.press_key("Enter").unwrap();
    tab_to(&page, "anonymous");
    tab_to(&page, "report: search");
    // Behind the filters and the names of people.
    for _ in 0..40 {
        page.tab.press_key("Tab").unwrap();
        if page.value(&format!("{REPORT}.activeElement.matches('.pairs a')")) == true {
            break;
        }
    }
    page.press("ArrowDown");
    let row = focus(&page);
    page.press("Enter");
    wait_until(&page, &format!("{REPORT}.querySelectorAll('.pane').length === 2"));
    tab_to(&page, "report: next");
    tab_to(&page, "report: left");
    tab_to(&page, "report: right");
    page.press("Escape");
    wait_until(&page, &format!("!{REPORT}.getElementById('overview').hidden"));
    assert_eq!(focus(&page), row);

    // Start again with other texts.
    page.value("(document.getElementById('result-heading').focus(), 1)");
    page.tab.press_key_with_modifiers("Tab", Some(&[ModifierKey::Shift])).unwrap();
    assert_eq!(focus(&page), "back");
    page.tab.press_key("Enter").unwrap();
    assert_eq!(
        json!([page.value("document.getElementById('start').hidden"), focus(&page)]),
        json!([false, "choose-files"])
    );
    tab_to(&page, "what this page cannot do");
    page.tab.press_key("Enter").unwrap();
    wait_until(&page, "document.activeElement.id === 'limits'");
    assert_eq!(network_and_console(&page), Vec::<String>::new());
}
