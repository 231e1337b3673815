//! Tests of moving through the page with keys, clicks, the list and the maps.

use crate::opened::{Opened, long_pair};

/// For each side, the number of the current passage, its distance from the top of the pane, and the
/// height of the pane.
const FRONT: &str = "['left', 'right'].map((id) => {
    const pane = document.getElementById(id);
    const mark = pane.querySelector('mark.current');
    const box = pane.getBoundingClientRect();
    return mark && [Number(mark.dataset.n), mark.getClientRects()[0].top - box.top, box.height];
})";

/// Checks that both sides show a passage, at the same height.
fn check_front(page: &Opened, number: u64) {
    let front = page.value(FRONT);
    for side in [0, 1] {
        assert_eq!(front[side][0], number, "{front}");
        let [top, height] = [1, 2].map(|field| front[side][field].as_f64().unwrap());
        assert!(-1.0 < top && top < height - 20.0, "{front}");
    }
    let [left, right] = [0, 1].map(|side| front[side][1].as_f64().unwrap());
    // The ends of a text cannot be scrolled to the middle of the pane.
    let at_an_end = !(4..=36).contains(&number);
    assert!(at_an_end || (left - right).abs() < 10.0, "{front}");
    let place = page.value("document.getElementById('place').textContent");
    assert!(place.as_str().unwrap().starts_with(&format!("Passage {number} of 40: ")), "{place}");
    let row = page.value("document.querySelector('tr[aria-current]').dataset.n");
    assert_eq!(row, number.to_string());
}

fn open(test: &str) -> Option<Opened> {
    let [left, right] = long_pair();
    Opened::pair(test, &left, &right)
}

#[test]
#[ignore = "slow: cargo test -- --ignored"]
fn keys_bring_both_sides_to_the_same_passage() {
    let Some(page) = open("moving_keys") else { return };
    check_front(&page, 1);
    for number in 2..=6 {
        page.press("n");
        check_front(&page, number);
    }
    page.press("p");
    check_front(&page, 5);
    for _ in 0..6 {
        page.press("p");
    }
    check_front(&page, 1);
    let focus = "[document.activeElement.tagName, document.activeElement.dataset.n]";
    assert_eq!(page.value(focus), serde_json::json!(["MARK", "1"]));
    assert_eq!(page.network_and_console(), Vec::<String>::new());
}

#[test]
fn keys_can_be_turned_off() {
    let Some(page) = open("moving_off") else { return };
    page.press("n");
    check_front(&page, 2);
    page.click("#keys");
    page.press("n");
    check_front(&page, 2);
    page.click("#next");
    check_front(&page, 3);
    assert_eq!(page.value("document.activeElement.id"), "next");
}

#[test]
fn a_click_brings_the_other_side() {
    let Some(page) = open("moving_clicks") else { return };
    page.click("tbody tr[data-n=\"20\"] a");
    check_front(&page, 20);
    page.click("#left mark[data-n=\"19\"]");
    check_front(&page, 19);
    page.click("#right mark[data-n=\"18\"]");
    check_front(&page, 18);
    page.click(".map[data-side=\"right\"] rect[data-n=\"30\"]");
    check_front(&page, 30);
    page.click(".map[data-side=\"left\"] rect[data-n=\"9\"]");
    check_front(&page, 9);
    page.click("#previous");
    check_front(&page, 8);
    assert_eq!(page.network_and_console(), Vec::<String>::new());
}

#[test]
fn the_list_can_be_sorted() {
    let Some(page) = open("moving_sort") else { return };
    let first = || {
        page.value(
            "[...document.querySelectorAll('tbody tr[data-n]')].slice(0, 2).map((row) =>
                [Number(row.dataset.n), row.cells[1].textContent])",
        )
    };
    // Numbers are those of the left text, where the longest comes last.
    assert_eq!(
        first(),
        serde_json::json!([[40, "69 words, word for word"], [39, "68 words, word for word"]])
    );
    page.click("th:nth-of-type(3) button");
    assert_eq!(
        first(),
        serde_json::json!([[1, "30 words, word for word"], [2, "31 words, word for word"]])
    );
    let sorted = "document.querySelector('th[aria-sort]').textContent + ' ' +
        document.querySelector('th[aria-sort]').getAttribute('aria-sort')";
    assert_eq!(page.value(sorted), "Left text ascending");
    page.click("th[data-key=\"words\"] button");
    assert_eq!(
        first(),
        serde_json::json!([[40, "69 words, word for word"], [39, "68 words, word for word"]])
    );
}

/// What stands last on the left stands first on the right.
#[test]
fn the_list_can_be_sorted_by_either_text() {
    let words = |name: &str, count: usize| {
        (0..count).map(|k| format!("{name}{k} ")).collect::<Vec<_>>().concat()
    };
    // Each passage is followed by more words than may stand within one.
    let text = |parts: [&str; 6]| {
        parts.chunks(2).map(|of| words(of[0], 20) + &words(of[1], 90)).collect::<String>()
    };
    let left = text(["copper", "noon", "brass", "dusk", "iron", "dawn"]);
    let right = text(["iron", "amid", "copper", "tide", "brass", "reef"]);
    let Some(page) = Opened::pair("moving_sort_right", &left, &right) else { return };
    let order =
        "[...document.querySelectorAll('tbody tr[data-n]')].map((row) => Number(row.dataset.n))";
    page.click("th:nth-of-type(4) button");
    assert_eq!(page.value(order), serde_json::json!([3, 1, 2]));
    page.click("th:nth-of-type(3) button");
    assert_eq!(page.value(order), serde_json::json!([1, 2, 3]));
}

#[test]
fn the_list_is_a_table_to_whoever_hears_it() {
    let Some(page) = open("moving_roles") else { return };
    let roles = page.value(
        "['table', 'rowgroup', 'row', 'columnheader', 'rowheader', 'cell'].map((role) =>
            document.querySelectorAll(`.list [role=${role}]`).length)",
    );
    assert_eq!(roles, serde_json::json!([1, 2, 41, 5, 40, 160]));
}
