//! Checks that a pair that is opened within a single-file report equals the pair's own page.

use std::path::Path;

use serde_json::Value;

use crate::chromium::browser;
use crate::opened::{Opened, long_pair};
use crate::overview::report;
use crate::web::wait_until;

/// The content of a pair's page, without the targets of its links.
const SHOWN: &str = "(document.querySelector('.among .state')?.remove(),
    [...(document.querySelector('#view') ?? document.body).children]
    .filter((it) => !it.matches('script')).map((it) => it.outerHTML
        .replace(/ data-(text|cuts)=\"[^\"]*\"/g, '').replace(/ href=\"[^\"]*\"/g, '')
        .replace(/(<div class=\"view\") style=\"[^\"]*\"/g, '$1').replace(/<h1[^>]*>/, '<h1>')))";

/// The marks in a text.
#[rustfmt::skip]
const KINDS: [&str; 9] =
    ["mark.exact", "mark.edited", "mark.reworded", "mark[data-how]", "u", "i", "s", "b", ".disguise"];

/// A sentence that is copied, and others that are reworded behind words of each text's own.
const MIXED: [&str; 2] = [
    "The committee met in the old town hall on a rainy evening in March and chose a new treasurer by \
     a show of hands after two hours of debate. My neighbour keeps bees behind the chapel. The \
     lighthouse at Carrow Point was built of granite in 1868 by a company of masons from the \
     mainland. It replaced a wooden beacon that had burned down twice.",
    "The committee met in the old town hall on a rainy evening in March and chose a new treasurer by \
     a show of hands after two hours of debate. Nobody asked me. Masons who came over from the \
     mainland set the granite of its lighthouse in 1868, after the beacon, which was wooden, had \
     twice burned to the ground.",
];

/// Returns texts with every kind of mark: exact, edited, reworded and moved passages, excluded parts, long
/// lines, three kinds of line ends, characters beyond 16 bits, and text that looks like an attack.
fn texts() -> Vec<(String, String)> {
    let [left, right] = long_pair();
    let hostile =
        "</script><script>alert(1)</script><!-- \r\n </template> \u{2028} &amp; 🦊 \r \u{1}";
    let kettle =
        "the copper kettle 🦊 stands on the wooden table in the old mill beside the river at dawn";
    let quote = "“whoever crosses\r\ntwice has paid for both ways”";
    #[expect(clippy::disallowed_methods, reason = "no text that is compared")]
    let sample = |name: &str| std::fs::read_to_string(format!("samples/{name}.txt")).unwrap();
    #[rustfmt::skip]
    let table = [
        ("a", left),
        ("b", right),
        ("c", format!("At night {kettle} {hostile} {}\r\n{quote} {hostile}", kettle.replace("old", "\u{43e}ld"))),
        ("d", format!("Every day {kettle}, {quote}, {hostile} it says.\r{hostile} {}", "endless ".repeat(9000))),
        ("e", sample("moved_1")),
        ("f", sample("moved_2")),
        ("g", sample("edited_1")),
        ("h", sample("edited_2")),
        ("i", MIXED[0].to_owned()),
        ("j", MIXED[1].to_owned()),
    ];
    table.map(|(name, text)| (name.to_owned(), text)).into()
}

#[test]
fn a_pair_unfolds_to_its_own_page() {
    let Some(browser) = browser() else { return };
    let flags = ["--ignore", "quotes", "--jaccard", "0.02"];
    let file = report("unfolded_file", &texts(), &flags, "report.html");
    let folder = report("unfolded_folder", &texts(), &flags, "report");
    let unfolded = Opened::file(browser.clone(), &file);
    let pairs =
        unfolded.value("document.querySelectorAll('[data-title]').length").as_u64().unwrap();
    assert!(pairs >= 4, "{pairs}");
    let mut met = [0; KINDS.len()];
    for number in 1..=pairs {
        unfolded.value(&format!("(window.before = null, location.hash = '#pair-{number}')"));
        let page = Path::new("pairs").join(format!("{number:04}.html"));
        let alone = Opened::file(browser.clone(), &folder.join(page));
        let [shown, want] = [&unfolded, &alone].map(|page| {
            // The visible part of a text is marked on its map in a later frame, once its layout is done. Its
            // place depends on the blocks that were laid out until then, whose heights are estimated before.
            let marked = "[...document.querySelectorAll('.view')].map((it) => it.style.height || '?').join()";
            let is_as_before = format!("window.before === (window.before = {marked})");
            wait_until(page, &format!("{is_as_before} && !window.before.includes('?')"));
            let parts = page.value(SHOWN);
            parts.as_array().unwrap().iter().map(Value::to_string).collect::<Vec<_>>()
        });
        assert_eq!(shown.len(), want.len());
        for (shown, want) in shown.iter().zip(&want) {
            let same = shown.chars().zip(want.chars()).take_while(|(a, b)| a == b).count();
            let rest =
                |of: &str| of.chars().skip(same.saturating_sub(40)).take(90).collect::<String>();
            assert!(shown == want, "{number}: {}\n\n{}", rest(shown), rest(want));
        }
        for (at, what) in KINDS.iter().enumerate() {
            let count = alone.value(&format!("document.querySelectorAll('.text {what}').length"));
            met[at] += count.as_u64().unwrap();
        }
        assert_eq!(alone.network_and_console(), Vec::<String>::new());
    }
    assert!(met.iter().all(|count| *count > 0), "{met:?}");
    assert_eq!(unfolded.network_and_console(), Vec::<String>::new());
}
