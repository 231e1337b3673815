//! Accessibility of the reports: axe-core finds no violation, in light and in dark mode.

use std::path::PathBuf;

use crate::chromium::skip_if_missing;
use crate::opened::{Opened, left_out};

/// Returns the source of axe-core, from the file that `DEDUP_AXE` names.
pub(crate) fn axe() -> Option<String> {
    let path = std::env::var_os("DEDUP_AXE").map(PathBuf::from);
    let path = skip_if_missing("axe-core (DEDUP_AXE=…/axe.min.js)", path)?;
    #[expect(clippy::disallowed_methods, reason = "no text that is compared")]
    let source = std::fs::read_to_string(path).unwrap();
    Some(source)
}

#[test]
fn axe_finds_nothing() {
    let Some(axe) = axe() else { return };
    let samples =
        ["rewritten", "edited", "one_in_hundred", "edited_zh", "two_hands", "moved", "disguised"];
    std::thread::scope(|tests| {
        for name in samples {
            let (axe, test) = (&axe, format!("access_{name}"));
            tests.spawn(move || Opened::sample(&test, name).map(|page| check(&page, axe, name)));
        }
        tests.spawn(|| left_out("access_left_out", &[]).map(|page| check(&page, &axe, "left out")));
    });
}

fn check(page: &Opened, axe: &str, name: &str) {
    page.tab.evaluate(axe, false).unwrap();
    for scheme in ["light", "dark"] {
        page.set_color_scheme(scheme);
        for step in ["", "n"] {
            if !step.is_empty() {
                page.press(step);
            }
            check_rules(page, &format!("{name}, {scheme}"));
        }
        page.value("(document.querySelector('.how').open = true)");
        check_rules(page, &format!("{name}, {scheme}, unfolded"));
    }
}

/// Checks that nothing visible violates a rule. axe-core must already be loaded in the page.
pub(crate) fn check_rules(page: &Opened, name: &str) {
    let found = page.value(
        "axe.run({ resultTypes: ['violations', 'incomplete'] }).then((found) => ({
            violations: found.violations.map((v) => [v.id, v.nodes.map((n) => n.html + n.failureSummary)]),
            passes: found.passes.map((v) => v.id),
        }))",
    );
    let passes = found["passes"].as_array().unwrap();
    assert!(passes.iter().any(|rule| rule == "color-contrast"), "{passes:?}");
    assert_eq!(found["violations"], serde_json::json!([]), "{name}");
}
