//! Tests of what the page shows.

use dedup_text::tokens;
use serde_json::Value;

use crate::opened::{Opened, left_out, long_pair};

/// For each side and passage: its offset in the text, its text, its aligned words, its changed words,
/// and words between them that are the text's own, which are in no mark.
const PASSAGES: &str = "['left', 'right'].map((id) => {
    const found = {};
    let at = 0, last;
    const walk = document.createTreeWalker(document.getElementById(id), NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const text = walk.currentNode.data;
        const mark = walk.currentNode.parentElement.closest('mark');
        const state = walk.currentNode.parentElement.closest('u, s')?.nodeName;
        const own = walk.currentNode.parentElement.closest('i');
        if (mark) last = found[mark.dataset.n] ??= [at, '', '', '', ''];
        if (mark || own) {
            last[1] += text;
            last[2] += state || own ? ' ' : text;
            last[3] += state === 'U' ? text : ' ';
            last[4] += own ? text : ' ';
        }
        at += text.length;
    }
    return found;
})";

fn words(text: &Value) -> Vec<String> {
    let tokens = tokens::split(text.as_str().unwrap()).0;
    tokens.into_iter().map(|token| token.word.into_owned()).collect()
}

/// Converts line ends as a browser does.
fn with_line_feeds(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// Checks that the passages on the page are those of the JSON record, at the same places in both
/// texts. Returns their number.
fn check_passages(page: &Opened) -> usize {
    let found = page.value(PASSAGES);
    let matches = page.record["matches"].as_array().unwrap();
    for one in matches {
        let number = one["id"].to_string();
        let sides = [&found[0][&number], &found[1][&number]];
        for (side, name) in ["a", "b"].into_iter().enumerate() {
            let file = &page.files[side];
            let byte =
                |end: usize| usize::try_from(one[name]["byte"][end].as_u64().unwrap()).unwrap();
            let passage = &file[byte(0)..byte(1)];
            assert!(with_line_feeds(&page.texts[side]).contains(sides[side][1].as_str().unwrap()));
            // A text in disguise is shown as its reader sees it.
            if *file == page.texts[side] {
                let before = with_line_feeds(&file[..byte(0)]).encode_utf16().count();
                assert_eq!(sides[side][0], before, "{number}");
                assert_eq!(sides[side][1], with_line_feeds(passage), "{number}");
            }
        }
        let [left, right] = sides.map(|side| {
            let mut aligned = words(&side[2]);
            aligned.sort();
            aligned
        });
        assert_eq!(left, right, "{number}");
        assert_eq!(one["words"], left.len(), "{number}");
        // All words that are not aligned are changed, and marked, or the text's own, and not marked.
        let changed = sides.map(|side| words(&side[3]).len());
        assert_eq!(one["changed_words"], *changed.iter().max().unwrap(), "{number}");
        for (side, name) in ["a", "b"].into_iter().enumerate() {
            let [first, behind] = [0, 1].map(|end| one[name]["word"][end].as_u64().unwrap());
            let own = words(&sides[side][4]).len();
            assert_eq!(
                one[format!("own_words_{name}")].as_u64().unwrap_or(0),
                own as u64,
                "{number}"
            );
            let all = left.len() + changed[side] + own;
            assert_eq!(all as u64, behind - first, "{number}");
        }
    }
    for side in 0..2 {
        assert_eq!(found[side].as_object().unwrap().len(), matches.len());
    }
    let rows = page.value("document.querySelectorAll('tbody tr[data-n]').length");
    assert_eq!(rows, matches.len());
    matches.len()
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
    let samples = [
        ("rewritten", "ltr", "de", 1),
        ("edited", "rtl", "ar", 1),
        ("edited_zh", "ltr", "zh", 1),
        ("moved", "ltr", "es", 1),
        ("unrelated", "ltr", "ru", 0),
    ];
    std::thread::scope(|tests| {
        for (name, direction, language, passages) in samples {
            tests.spawn(move || check_sample(name, direction, language, passages));
        }
    });
}

fn check_sample(name: &str, direction: &str, language: &str, passages: usize) {
    let Some(page) = Opened::sample(&format!("shown_{name}"), name) else { return };
    check_texts(&page);
    assert_eq!(check_passages(&page), passages, "{name}");
    let panes = page.value(
        "['left', 'right'].map((id) => {
            const pane = document.getElementById(id);
            return [getComputedStyle(pane).direction, pane.lang];
        })",
    );
    assert_eq!(panes, serde_json::json!([[direction, language], [direction, language]]));
    assert_eq!(page.network_and_console(), Vec::<String>::new(), "{name}");
}

/// The places of the parts of the page: the verdict, the warnings, the texts, the list of passages,
/// and the sections that are folded. `null` for a part that is not visible.
const PARTS: &str =
    "['h1', '.warnings', '#left', '#right', '.list', '.how', '#figures', '#ways'].map((part) => {
    const box = document.querySelector(part)?.getBoundingClientRect();
    return box && document.querySelector(part).checkVisibility() ? [box.left, box.top].map(Math.round) : null;
})";

fn place(parts: &Value, part: usize) -> [i64; 2] {
    [0, 1].map(|axis| parts[part][axis].as_i64().unwrap_or_else(|| panic!("{part}: {parts}")))
}

#[test]
fn the_answer_stands_above_the_texts_and_figures_are_folded_away_below() {
    let Some(page) = Opened::sample("shown_order", "disguised") else { return };
    let parts = page.value(PARTS);
    let [answer, warnings, left, right, list, how] = [0, 1, 2, 3, 4, 5].map(|it| place(&parts, it));
    assert!(answer[1] < warnings[1] && warnings[1] < left[1], "{parts}");
    assert!(left[1] < list[1] && list[1] < how[1], "{parts}");
    assert!(left[0] < right[0] && left[1] == right[1], "{parts}");
    assert_eq!([&parts[6], &parts[7]], [&Value::Null, &Value::Null]);
    page.click("summary");
    let parts = page.value(PARTS);
    assert!(place(&parts, 5)[1] < place(&parts, 6)[1] && place(&parts, 6)[1] < place(&parts, 7)[1]);
    assert_eq!(page.network_and_console(), Vec::<String>::new());
}

#[test]
fn on_paper_the_texts_stand_side_by_side_and_the_figures_behind_them() {
    let Some(page) = Opened::sample("shown_print", "disguised") else { return };
    page.in_media("print");
    let parts = page.value(PARTS);
    let [left, right, figures] = [2, 3, 6].map(|it| place(&parts, it));
    assert!(left[0] < right[0] && left[1] == right[1] && left[1] < figures[1], "{parts}");
    let sheet = page.tab.print_to_pdf(None).unwrap();
    let sheets = String::from_utf8_lossy(&sheet);
    let size = sheets.split("/MediaBox [").nth(1).and_then(|rest| rest.split(']').next()).unwrap();
    let size: Vec<f64> = size.split_whitespace().map(|side| side.parse().unwrap()).collect();
    assert!(size[2] > size[3], "not on its side: {size:?}");
}

#[test]
fn texts_that_are_different_are_grey() {
    let Some(page) = Opened::sample("shown_different", "unrelated") else { return };
    let heading = page.value("document.querySelector('h1').innerText.replace(/\\s+/g, ' ')");
    assert_eq!(heading, "DIFFERENT No shared passage found");
    for scheme in ["light", "dark"] {
        page.set_color_scheme(scheme);
        let color = page.value("getComputedStyle(document.querySelector('.badge')).backgroundColor.match(/\\d+/g).map(Number)");
        let parts = [0, 1, 2].map(|part| color[part].as_u64().unwrap());
        let [least, most] = [parts.iter().min(), parts.iter().max()].map(Option::unwrap);
        assert!(most - least < 20, "{scheme}: {color}");
    }
}

#[test]
fn words_in_disguise_are_marked_by_more_than_a_colour() {
    let Some(page) = Opened::sample("shown_disguised", "disguised") else { return };
    check_texts(&page);
    assert_eq!(check_passages(&page), 1);
    let marked = page.value(
        "[...document.querySelectorAll('.text .disguise')].slice(0, 2).map((word) =>
            [word.closest('.text').id, word.textContent, word.title, getComputedStyle(word).textDecorationStyle])",
    );
    let want = serde_json::json!([
        ["right", "ferry", "written fe<U+200B>rry", "wavy"],
        ["right", "lake", "written l<U+0430>ke", "wavy"],
    ]);
    assert_eq!(marked, want);
    let label = "getComputedStyle(document.querySelector('.text .disguise'), '::before').content";
    let label = page.value(label);
    assert!(
        label.as_str().unwrap().contains('≈') && label.as_str().unwrap().contains("in disguise")
    );
    assert_eq!(page.value("document.querySelectorAll('.key .disguise').length"), 1);
}

#[test]
fn long_texts_are_whole_and_have_few_elements() {
    let [left, right] = long_pair();
    // A line longer than a block, between parts of many lines.
    let more = |text: &str| format!("{text}{}\n{text}", "endless ".repeat(60_000));
    let Some(page) = Opened::pair("shown_long", &more(&left), &more(&right)) else { return };
    check_texts(&page);
    let elements = page.value("document.querySelectorAll('*').length");
    assert!(elements.as_u64().unwrap() < 5000, "{elements}");
}

#[test]
fn a_thousand_passages_can_be_gone_through() {
    let words = |name: &str, of: usize, count: usize| {
        let words = (0..count).map(|word| format!("{name}{of}w{word}"));
        words.collect::<Vec<_>>().join(" ")
    };
    let text = |own: &str, step: usize| {
        let part = |place: usize| [words(own, place, 25), words("p", place * step % 1000, 13)];
        (0..1000).flat_map(part).collect::<Vec<_>>().join(".\n")
    };
    let [left, right] = [text("alpha", 1), text("beta", 701)];
    let Some(page) = Opened::pair("shown_many", &left, &right) else { return };
    assert_eq!(page.record["matches"].as_array().unwrap().len(), 1000);
    let shown = "['tbody tr[data-n]', '#left mark', '#right mark'].map((of) =>
        new Set([...document.querySelectorAll(of)].map((it) => it.dataset.n)).size)";
    assert_eq!(page.value(shown), serde_json::json!([1000, 1000, 1000]));
    page.press("n");
    let place = page.value("document.getElementById('place').textContent");
    assert_eq!(place, "Passage 2 of 1000: 13 words, word for word");
}

#[test]
fn what_is_left_out_stands_there_with_the_reason() {
    let Some(page) = left_out("shown_left_out", &[]) else { return };
    check_texts(&page);
    assert_eq!(check_passages(&page), 1);
    let shown = page.value(
        "[...document.querySelectorAll('.text s')].map((part) =>
            [part.closest('.text').id, part.closest('mark') !== null, part.dataset.why, part.textContent])",
    );
    let quote = "“whoever crosses\ntwice has paid for both ways”";
    let references = "References\n\nDoe, J.: The copper kettle of the mill. 1999.\n";
    let want = serde_json::json!([
        ["left", false, "quotes", quote],
        ["right", false, "quotes", quote],
        ["right", false, "bibliography", references],
    ]);
    assert_eq!(shown, want);
    let counted = page.value(
        "[...document.querySelectorAll('[aria-labelledby=left-out] li')].map((item) => item.textContent)",
    );
    let want = [
        "Left text, quotes: 8 words in 1 part",
        "Right text, quotes: 8 words in 1 part",
        "Right text, bibliography: 10 words in 1 part",
    ];
    assert_eq!(counted, serde_json::json!(want));
    let label = "getComputedStyle(document.querySelector('.text s'), '::before').content";
    assert_eq!(page.value(label), "\"left out: quotes\"");
    assert_eq!(page.network_and_console(), Vec::<String>::new());
}

#[test]
fn passages_that_are_too_short_stand_there_too() {
    let Some(page) = left_out("shown_short", &["--ignore", "short"]) else { return };
    assert_eq!(page.record["matches"], serde_json::json!([]));
    let passage = "stands on the wooden table in the old mill beside the river at dawn";
    let shown = page.value(
        "[...document.querySelectorAll('.text s[data-why=short]')].map((part) =>
            [part.closest('.text').id, part.textContent])",
    );
    assert_eq!(shown, serde_json::json!([["left", passage], ["right", passage]]));
    let last = "[...document.querySelectorAll('[aria-labelledby=left-out] li')].at(-1).textContent";
    assert_eq!(
        page.value(last).as_str().unwrap().replace('\u{a0}', " "),
        "Both texts, short: 1 passage of fewer than 20 words, 14 words in all"
    );
}

#[test]
fn parts_in_another_order_have_their_numbers_on_both_sides() {
    let Some(page) = Opened::sample("shown_parts", "moved") else { return };
    let parts = page.value(
        "['left', 'right'].map((id) => {
            const parts = {};
            for (const part of document.querySelectorAll(`#${id} b`)) {
                const range = new Range();
                range.setStartAfter(part);
                const next = [...document.querySelectorAll(`#${id} b`)].find((other) =>
                    part.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);
                if (next) range.setEndBefore(next);
                else range.setEndAfter(document.querySelector(`#${id} mark`).lastChild);
                parts[part.dataset.part] = range.toString();
            }
            return parts;
        })",
    );
    let [left, right] = [0, 1].map(|side| parts[side].as_object().unwrap());
    assert!(left.len() > 2 && left.len() == right.len(), "{parts}");
    for (number, part) in left {
        assert!(words(part).len() > 20, "{number}");
        assert_eq!(words(part), words(&right[number]), "{number}");
    }
    let length = page.value("document.querySelector('tbody tr[data-n]').cells[1].textContent");
    assert_eq!(length, "378 words, in another order");
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
    assert_eq!(page.network_and_console(), Vec::<String>::new());
}

#[test]
fn numbers_stand_beside_colours() {
    let [left, right] = long_pair();
    let Some(page) = Opened::pair("shown_numbers", &left, &right) else { return };
    let labels = page.value(
        "[...document.querySelectorAll('#left mark')].map((mark) =>
            [mark.dataset.n, getComputedStyle(mark, '::before').content.replaceAll('\"', '')])",
    );
    let labels = labels.as_array().unwrap();
    assert_eq!(labels.len(), 40);
    for label in labels {
        // A browser may return the name of the attribute or its value.
        assert!(label[1] == label[0] || label[1] == "attr(data-n)", "{label}");
    }
    let hues = page.value(
        "['left', 'right'].map((id) => [...document.querySelectorAll(`#${id} mark`)].map((mark) =>
            [Number(mark.dataset.n), getComputedStyle(mark).backgroundColor]).sort((a, b) => a[0] - b[0]))",
    );
    assert_eq!(hues[0], hues[1]);
    assert_ne!(hues[0][0][1], hues[0][1][1]);
}
