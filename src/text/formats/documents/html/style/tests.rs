use super::*;

fn computed_style(style: &str) -> ComputedStyle {
    ComputedStyle::read(&mut Parser::new(style), INLINE, 0)
}

#[test]
fn what_hides_an_element_is_reported() {
    #[rustfmt::skip]
    let table = [
        ("nothing",                  "",                                              false),
        ("no declaration",           "display; none",                                 false),
        ("none at all",              "display: none",                                 true),
        ("in capitals",              "DISPLAY:NONE",                                  true),
        ("important",                "display: none !important;",                     true),
        ("a comment in it",          "display:/* none */block",                       false),
        ("a string in it",           "content: 'display: none'",                      false),
        ("in a function",            "width: calc(1px; display: none)",               false),
        ("after another",            "color: red; display: none",                     true),
        ("the last one holds",       "display: none; display: block",                 false),
        ("but not over important",   "display: none !important; display: block",      true),
        ("clear",                    "opacity: 0",                                    true),
        ("clear, as a share",        "opacity: 0%",                                   true),
        ("half",                     "opacity: .5",                                   false),
        ("fading in",                "opacity: 0; transition: opacity 1s",            false),
        ("not moving",               "opacity: 0; transform: none",                   true),
        ("far to the left",          "position: absolute; left: -9999px",             true),
        ("not quite",                "position: absolute; left: -998px",              false),
        ("at 999",                   "position: fixed; top: -999px",                  true),
        ("in letters",               "position: absolute; left: -100em",              true),
        ("far, but in the flow",     "left: -9999px",                                 false),
        ("far with a near edge",     "position: absolute; left: -9999px; top: 0",     true),
        ("a far margin",             "margin-left: -10000px",                         true),
        ("indented away",            "text-indent: -9999px",                          true),
        ("cut away",                 "clip: rect(0 0 0 0)",                           true),
        ("to a pixel",               "clip: rect(1px, 1px, 1px, 1px)",                true),
        ("to a picture",             "clip: rect(0, 100px, 100px, 0)",                false),
        ("to its middle",            "clip-path: inset(50%)",                         true),
        ("by a corner",              "clip-path: inset(0 10%)",                       false),
        ("a polygon of nothing",     "clip-path: polygon(0 0, 0 0, 0 0, 0 0)",        true),
        ("a polygon",                "clip-path: polygon(0 0, 100% 0, 0 100%)",       false),
        ("not cut",                  "clip: auto",                                    false),
        ("by no shape",              "clip-path: polygon()",                          false),
        ("after a rule in the rule", "b { color: red } display: none",                 true),
        ("in a rule in the rule",    "b { display: none }",                            false),
        ("never closed",             "display: none; width: calc((((",                true),
        ("what inherits hides none", "visibility: hidden; font-size: 0; color: #fff", false),
    ];
    for (why, style, want) in table {
        assert_eq!(computed_style(style).hide(), want, "{why}");
    }
}

#[test]
fn letters_too_small_to_read_are_reported() {
    #[rustfmt::skip]
    let table = [
        ("none",                  "font-size: 0",          Some(Value::Hides)),
        ("a pixel",               "font-size: 1px",        Some(Value::Hides)),
        ("nearly two",            "font-size: 1.9px",      Some(Value::Hides)),
        ("two",                   "font-size: 2px",        Some(Value::MayHide)),
        ("four",                  "font-size: 4px",        Some(Value::Plain)),
        ("of the size around",    "font-size: 0.9em",      None),
        ("none of it",            "font-size: 0em",        Some(Value::Hides)),
        ("a tenth of it",         "font-size: 0.1em",      None),
        ("a share of none",       "font-size: 0%",         Some(Value::Hides)),
        ("of the page's",         "font-size: 1rem",       Some(Value::Plain)),
        ("a word",                "font-size: small",      Some(Value::Plain)),
        ("a word for the same",   "font-size: inherit",    None),
        ("all in one",            "font: 0/0 serif",       Some(Value::Hides)),
        ("all in one, to read",   "font: bold 12px serif", Some(Value::Plain)),
        ("of a variable",         "font-size: var(--a)",   Some(Value::MayHide)),
        ("a variable in a sum",   "font-size: calc(1rem * var(--a))", Some(Value::MayHide)),
    ];
    for (why, style, want) in table {
        assert_eq!(computed_style(style).get("font-size"), want, "{why}");
    }
}

#[test]
fn blocks_within_blocks_do_not_overflow() {
    let deep = format!("display: none; a: {}", "f(".repeat(200_000));
    assert!(computed_style(&deep).hide());
    let wide = format!("a: {}; display: none", "f(x) ".repeat(200_000));
    assert!(computed_style(&wide).hide());
}
